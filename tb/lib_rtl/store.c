// SPDX-License-Identifier: BSD-2-Clause
/*
 * weft_pkt_store: packets of all sizes are written, read in any order from any offset by two readers at once,
 * freed at random; some are cut short by an error, too long, or find the store full. The model knows the bytes of
 * each packet and how many blocks are in use, so that a packet which is refused while there was room is an error.
 * With seed 1 nothing is held back and the readers must keep the full rate.
 */
#include <stdlib.h>
#include <string.h>

#include "tb.h"

enum { IN, PUT, REQ0, REQ1, OUT0, OUT1, FREE, FULL, USED };
#define BLOCKS 64
#define BLOCK_BYTES (8 * TB_DATA_W / 8)
#define MAX_BYTES 9000
#define RESERVE (BLOCKS / 8)
#define PACKETS 3000

struct pkt {
	uint8_t *data;
	unsigned len;
	bool err, live;
	unsigned handle, reads, done; /* reads still to ask for, reads that were answered */
	unsigned asked;
};
struct rd {
	struct pkt *p;
	unsigned off, len;
};

static struct pkt fifo[64];
static unsigned head, tail; /* pushed, not yet reported */
static struct pkt store[BLOCKS];
static struct rd rds[2][64];
static unsigned rd_head[2], rd_tail[2];
static unsigned pushed, stored, refused, bad, freed, model_used, max_used, hw_used, full_pulses, put_pulses;
static bool hw_idle, slow;
static uint64_t beats_in, all_written, burst_start, burst_end[2], burst_beats[2];
static unsigned burst_left[2];

static unsigned blocks(unsigned len) { return (len + BLOCK_BYTES - 1) / BLOCK_BYTES; }

static void on_put(int port, const uint8_t *bits, void *arg)
{
	bool ok = tb_bits_get(bits, 47, 1);
	unsigned handle = tb_bits_get(bits, 32, 15), len = tb_bits_get(bits, 16, 16);
	struct pkt p = fifo[head++ % 64];

	if (ok) {
		tb_check(!p.err && p.len <= MAX_BYTES, "a bad packet of %u bytes was stored", p.len);
		tb_check(len == p.len, "length %u, was %u", len, p.len);
		tb_check(handle < BLOCKS && !store[handle].live, "handle %u is in use", handle);
		p.live = true;
		p.handle = handle;
		p.reads = tb_below(4);
		store[handle] = p;
		model_used += blocks(p.len);
		if (model_used > max_used)
			max_used = model_used;
		stored++;
		return;
	}
	if (p.err || p.len > MAX_BYTES)
		bad++;
	else {
		refused++;
		/* what the model gave back may still be on its way, and one block is never given out */
		unsigned others = (tb_pending(FREE) + 4) * blocks(MAX_BYTES);
		tb_check(model_used + blocks(p.len) + RESERVE + others >= BLOCKS - 1 || hw_used >= BLOCKS / 4,
			 "refused %u bytes with %u blocks in use", p.len, model_used);
	}
	free(p.data);
}

static void on_out(int port, const uint8_t *data, size_t len, const uint8_t *side, bool err, void *arg)
{
	int r = port - OUT0;
	struct rd *q = &rds[r][rd_head[r]++ % 64];

	tb_check(len == q->len && !memcmp(data, q->p->data + q->off, len), "reader %d: %zu bytes at %u of handle %u are wrong", r, len,
		 q->off, q->p->handle);
	q->p->done++;
	if (burst_start && burst_left[r] && !--burst_left[r])
		burst_end[r] = tb_cycle();
}

static void on_full(int port, const uint8_t *bits, void *arg)
{
	full_pulses += bits[0] >> 1 & 1;
	put_pulses += bits[0] & 1;
}

static void on_used(int port, const uint8_t *bits, void *arg)
{
	hw_used = tb_bits_get(bits, 0, 31);
	hw_idle = tb_bits_get(bits, 31, 1);
}

void tb_setup(void)
{
	tb_on_item(PUT, on_put, NULL);
	tb_on_packet(OUT0, on_out, NULL);
	tb_on_packet(OUT1, on_out, NULL);
	tb_on_item(FULL, on_full, NULL);
	tb_on_item(USED, on_used, NULL);
	slow = tb_opt("seed", 1) != 1;
}

static void push(void)
{
	struct pkt p = { 0 };
	unsigned kind = tb_below(10);

	p.len = kind < 5 ? tb_range(1, BLOCK_BYTES) : kind < 9 ? tb_range(1, 2000) : tb_range(1, MAX_BYTES + 100);
	if (!slow)
		p.len = tb_range(1, 4 * BLOCK_BYTES);
	else if (tb_chance(5)) /* the ends of blocks, and of what is allowed */
		p.len = tb_chance(50) ? BLOCK_BYTES * tb_range(1, 4) + tb_below(3) - 1 : MAX_BYTES + tb_below(3) - 1;
	p.err = slow && tb_chance(5);
	p.data = malloc(p.len);
	tb_rand_bytes(p.data, p.len);
	tb_packet_push(IN, p.data, p.len, NULL, 0, p.err);
	fifo[tail++ % 64] = p;
	beats_in += (p.len + TB_DATA_W / 8 - 1) / (TB_DATA_W / 8);
	pushed++;
}

static void ask(int r, struct pkt *p)
{
	struct tb_pack b;
	struct rd q = { .p = p };

	q.off = tb_chance(50) ? 0 : tb_below(p->len);
	q.len = tb_chance(50) ? p->len - q.off : tb_range(1, p->len - q.off);
	tb_pack_begin(&b, 6 + 32);
	tb_put(&b, 6, p->handle);
	tb_put(&b, 16, q.off);
	tb_put(&b, 16, q.len);
	tb_item_push(REQ0 + r, b.bits, 5);
	rds[r][rd_tail[r]++ % 64] = q;
	p->asked++;
	p->reads--;
}

/* Requests of one to four beats, and of whole blocks, one behind the other on both readers. */
static void burst(void)
{
	burst_start = tb_cycle();
	for (int r = 0; r < 2; r++)
		for (burst_left[r] = 0; burst_left[r] < 48; burst_left[r]++) {
			struct pkt *p;
			struct tb_pack b;

			do
				p = &store[tb_below(BLOCKS)];
			while (!p->live);
			struct rd q = { .p = p, .len = tb_range(1, burst_left[r] % 4 ? 4 * TB_DATA_W / 8 : p->len) };

			if (q.len > p->len)
				q.len = p->len;
			tb_pack_begin(&b, 6 + 32);
			tb_put(&b, 6, p->handle);
			tb_put(&b, 16, 0);
			tb_put(&b, 16, q.len);
			tb_item_push(REQ0 + r, b.bits, 5);
			rds[r][rd_tail[r]++ % 64] = q;
			p->asked++;
			burst_beats[r] += (q.len + TB_DATA_W / 8 - 1) / (TB_DATA_W / 8);
		}
}

bool tb_step(void)
{
	static bool hoard;
	static unsigned quiet;

	if (slow && tb_cycle() % 512 == 0) {
		static const int ports[] = { IN, REQ0, REQ1, FREE };
		for (unsigned i = 0; i < 4; i++)
			tb_src_rate(ports[i], tb_chance(40) ? 100 : tb_range(5, 95));
		for (int i = PUT; i <= OUT1; i++)
			if (i == PUT || i >= OUT0)
				tb_snk_rate(i, tb_chance(40) ? 100 : tb_range(5, 95));
		hoard = tb_chance(40); /* nothing is freed: the store fills */
	}
	while (pushed < PACKETS && tail - head < 16)
		push();
	if (!slow && pushed == PACKETS && head == tail && !burst_start) {
		if (!all_written)
			all_written = tb_cycle();
		if (rd_head[0] == rd_tail[0] && rd_head[1] == rd_tail[1])
			burst();
		return false;
	}
	for (unsigned n = 0; n < 4; n++) {
		struct pkt *p = &store[tb_below(BLOCKS)];

		if (!p->live)
			continue;
		int r = tb_below(2);
		if (p->reads) {
			if (rd_tail[r] - rd_head[r] < 12)
				ask(r, p);
		} else if (p->asked == p->done && (!hoard || pushed == PACKETS) && (slow || stored - freed > 6 || burst_start)) {
			uint8_t h = p->handle;

			tb_item_push(FREE, &h, 1);
			p->live = false;
			free(p->data);
			model_used -= blocks(p->len);
			freed++;
		}
	}
	if (pushed < PACKETS || head != tail || stored != freed)
		return false;
	return ++quiet > 200;
}

void tb_finish(void)
{
	tb_check(hw_used == 0, "%u blocks are lost", hw_used);
	tb_check(hw_idle, "not idle");
	/* a packet that was bad may have found no block too */
	tb_check(full_pulses >= refused && full_pulses <= refused + bad && put_pulses == stored,
		 "counted %u refused, %u stored; were %u, %u", full_pulses, put_pulses, refused, stored);
	if (slow) {
		tb_check(refused > 0 && bad > 0 && max_used > BLOCKS - RESERVE - 2, "the store was never full: %u blocks, %u refused", max_used, refused);
	} else {
		tb_check(all_written < beats_in + 400, "%llu beats were written in %llu cycles", (unsigned long long)beats_in,
			 (unsigned long long)all_written);
		for (int r = 0; r < 2; r++)
			tb_check(burst_end[r] - burst_start < burst_beats[r] + 20, "reader %d: %llu beats in %llu cycles", r,
				 (unsigned long long)burst_beats[r], (unsigned long long)(burst_end[r] - burst_start));
	}
	tb_note("%u stored, %u refused, %u bad, at most %u blocks", stored, refused, bad, max_used);
}
