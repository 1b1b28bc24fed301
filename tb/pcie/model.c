// SPDX-License-Identifier: BSD-2-Clause
/* Clients, registers and host of the weft_pcie test. Memory is a hash of the address, so every byte of 64 bits of
 * address space has a known value and no read can pass with another's data. */
#include "model.h"

#include <stdlib.h>
#include <string.h>

#include "svdpi.h"
#include "weft_abi.h"

struct weft_rc *rc;
struct weft_rc_cfg *cfg;
uint64_t stat_count[ST_N];
uint64_t rd_pushed, rd_answered, rd_errors, wr_pushed, wr_accepted, wr_left, host_open, rsp_bytes, wr_bytes;
uint64_t want_ignored, want_dropped, want_ur, injected;
bool any_err_ok, dropping, flushing, idle, deadline;
uint64_t last_progress;

struct rd {
	struct rd *next;
	uint64_t addr, snap;
	uint32_t len;
	bool after_wr, accepted, bad;
};
struct wr {
	struct wr *next;
	uint64_t addr;
	uint32_t len, taken, done; /* bytes that have left the card; that have come to memory */
	uint8_t data[];
};
struct db {
	struct db *next;
	uint32_t page, off;
	uint64_t data;
	bool line, push; /* in a push line; with its WQE */
	uint8_t wqe[WEFT_PUSH_WQE_BYTES];
};
static uint64_t pushes, torn, combined;
static struct rd *rd_head[N_RD], **rd_tail[N_RD];
static struct wr *wr_head[N_WR], **wr_tail[N_WR];   /* pushed, first beat not taken */
static struct wr *ord_head, **ord_tail = &ord_head; /* in the order in which they were taken */
static uint64_t wr_out;                             /* writes that have left whole: memory may see them later */
static struct db *db_head, **db_tail = &db_head;
static uint64_t rd_next[N_RD], wr_next[N_WR];
static uint64_t accepted_before; /* writes accepted before this cycle */
static uint8_t shadow[65536], device[65536], table[65536];
static struct {
	uint64_t accepted, snap, cycle, messages, left, last;
	bool masked, confirmed;
	unsigned generation;
} vec[N_VEC];

uint64_t mem_word(uint64_t addr)
{
	uint64_t z = (addr >> 3) * 0x9e3779b97f4a7c15ull + 0x1234567;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
	return z ^ (z >> 27);
}

static uint8_t mem_byte(uint64_t addr) { return (uint8_t)(mem_word(addr) >> 8 * (addr & 7)); }

/* ---- root complex callbacks ---- */

static int read_mem(void *ctx, uint64_t addr, uint32_t len, void *buf)
{
	if ((mem_word(addr & ~4095ull) & 127) == 0 && cfg->ur_ppm)
		return -1; /* some pages are no memory */
	for (uint32_t i = 0; i < len; i++)
		((uint8_t *)buf)[i] = mem_byte(addr + i);
	return 0;
}

static int write_mem(void *ctx, uint64_t addr, uint32_t len, const void *buf)
{
	struct wr *w = ord_head;

	last_progress = tb_cycle();
	if (flushing)
		return 0;
	if (!w) {
		tb_fail("write of %u bytes to %llx that nobody made", len, (unsigned long long)addr);
		return 0;
	}
	tb_check(addr == w->addr + w->done && len <= w->len - w->done, "write to %llx +%u, expected %llx +%u",
		 (unsigned long long)addr, len, (unsigned long long)w->addr + w->done, w->len - w->done);
	if (addr == w->addr + w->done && len <= w->len - w->done)
		tb_check(!memcmp(buf, w->data + w->done, len), "write to %llx: data differs", (unsigned long long)addr);
	w->done += len;
	wr_bytes += len;
	if (w->done >= w->len) {
		ord_head = w->next;
		if (!ord_head)
			ord_tail = &ord_head;
		free(w);
		wr_left++;
	}
	return 0;
}

static void irq(void *ctx, unsigned v)
{
	last_progress = tb_cycle();
	vec[v].messages++;
	vec[v].left = wr_left;
	vec[v].last = tb_cycle();
	tb_check(vec[v].messages <= vec[v].accepted, "vector %u: more messages than interrupts", v);
	tb_check(!vec[v].confirmed, "vector %u: message while masked", v);
}

static void fault(void *ctx, const char *what) { tb_fail("%s", what); }

static struct rd *read_at(uint64_t addr)
{
	for (int c = 0; c < N_RD; c++)
		for (struct rd *r = rd_head[c]; r; r = r->next)
			if (addr >= r->addr && addr < r->addr + r->len)
				return r;
	return NULL;
}

static void was_injected(void *ctx, uint64_t addr, uint32_t len, int what)
{
	struct rd *r = read_at(addr);

	injected++;
	if (r)
		r->bad = true;
}

/* Bytes of a write, and the address of the first. */
static uint32_t write_span(const uint32_t hdr[4], uint64_t *addr)
{
	uint32_t dwords = hdr[0] & 0x3ff ? hdr[0] & 0x3ff : 1024, fbe = hdr[1] & 15, lbe = dwords == 1 ? fbe : hdr[1] >> 4 & 15;
	uint32_t lead = 0, tail = 0;

	while (lead < 3 && !(fbe >> lead & 1))
		lead++;
	while (tail < 3 && !(lbe >> (3 - tail) & 1))
		tail++;
	*addr = (hdr[0] >> 29 & 1 ? (uint64_t)hdr[2] << 32 | hdr[3] : hdr[2]) + lead;
	return 4 * dwords - lead - tail;
}

static void write_left(const uint32_t hdr[4])
{
	struct wr *w = ord_head;
	uint64_t addr;
	uint32_t len = write_span(hdr, &addr);

	while (w && w->taken == w->len)
		w = w->next;
	/* else a message */
	if (!w || addr != w->addr + w->taken || len > w->len - w->taken)
		return;
	w->taken += len;
	wr_out += w->taken == w->len;
}

static void trace(void *ctx, int dir, int stream, const uint32_t hdr[4], const void *data, uint32_t len)
{
	if (stream == WEFT_RC_TX_WR && !flushing)
		write_left(hdr);
	if (stream == WEFT_RC_TX_RD) {
		uint64_t addr = hdr[0] >> 29 & 1 ? (uint64_t)hdr[2] << 32 | hdr[3] : hdr[2];
		struct rd *r = NULL;

		for (int i = 0; i < 4 && !r; i++)
			if (hdr[1] >> i & 1)
				r = read_at(addr + (uint64_t)i);
		if (!r || !r->accepted)
			tb_fail("read of %llx that nobody asked for", (unsigned long long)addr);
		else if (r->after_wr)
			tb_check(wr_out >= r->snap, "read of %llx left after %llu writes, not %llu", (unsigned long long)addr,
				 (unsigned long long)wr_out, (unsigned long long)r->snap);
	}
}

/* ---- DPI ---- */

void rc_dpi_sample(int bits, const svBitVecVal *rd_hdr, const svBitVecVal *wr_hdr, const svBitVecVal *wr_data,
		   const svBitVecVal *cpl_hdr, const svBitVecVal *cpl_data)
{
	struct weft_rc_out o = { .rx_req_ready = bits & 1, .rx_cpl_ready = bits >> 1 & 1, .tx_rd_valid = bits >> 2 & 1,
				 .tx_wr_valid = bits >> 3 & 1, .tx_wr_last = bits >> 4 & 1, .tx_cpl_valid = bits >> 5 & 1,
				 .flr_done = bits >> 6 & 1 };

	memcpy(o.tx_rd_hdr, rd_hdr, 16);
	memcpy(o.tx_wr_hdr, wr_hdr, 16);
	memcpy(o.tx_wr_data, wr_data, 64);
	memcpy(o.tx_cpl_hdr, cpl_hdr, 16);
	memcpy(&o.tx_cpl_data, cpl_data, 8);
	weft_rc_sample(rc, &o);
}

void rc_dpi_drive(int *bits, int *bdf, svBitVecVal *req_hdr, svBitVecVal *req_data, svBitVecVal *cpl_hdr,
		  svBitVecVal *cpl_data)
{
	struct weft_rc_in i;

	weft_rc_drive(rc, &i);
	*bits = i.rx_req_valid | i.rx_req_last << 1 | i.rx_cpl_valid << 2 | i.rx_cpl_last << 3 | i.tx_rd_ready << 4 |
		i.tx_wr_ready << 5 | i.tx_cpl_ready << 6 | i.cfg_bme << 7 | i.cfg_rcb << 8 | i.cfg_ext_tag << 9 |
		i.cfg_msix_en << 10 | i.cfg_msix_mask << 11 | i.flr_req << 12 | i.rx_req_bar << 16 | i.cfg_mps << 20 |
		i.cfg_mrrs << 24;
	*bdf = i.cfg_bdf;
	memcpy(req_hdr, i.rx_req_hdr, 16);
	memcpy(req_data, i.rx_req_data, 64);
	memcpy(cpl_hdr, i.rx_cpl_hdr, 16);
	memcpy(cpl_data, i.rx_cpl_data, 64);
}

/* What was accepted in this cycle; reads and interrupts count the writes of earlier cycles. */
void pcie_accept(int rd, int after, int wr, int irq_taken, int vector, int flags)
{
	accepted_before = wr_accepted;
	idle = flags & 1;
	deadline = flags & 2;
	/* The clients are in reset: what they had begun to send is forgotten. */
	for (int c = 0; flags & 4 && c < N_WR; c++)
		tb_src_reset(P_WR + c);
	for (int c = 0; c < N_RD; c++) {
		struct rd *r = rd_head[c];

		if (!(rd >> c & 1))
			continue;
		while (r && r->accepted)
			r = r->next;
		if (!r)
			return;
		r->accepted = true;
		r->snap = wr_accepted;
		tb_check(r->after_wr == (after >> c & 1), "test bench: client %d order", c);
	}
	if (irq_taken && vector < N_VEC) {
		vec[vector].accepted++;
		vec[vector].snap = wr_accepted;
		vec[vector].cycle = tb_cycle();
	}
	for (int c = 0; c < N_WR; c++) {
		struct wr *w = wr_head[c];

		if (!(wr >> c & 1) || !w)
			continue;
		wr_head[c] = w->next;
		if (!wr_head[c])
			wr_tail[c] = &wr_head[c];
		wr_accepted++;
		if (dropping) {
			free(w);
			wr_left++;
			wr_out++;
			continue;
		}
		w->next = NULL;
		*ord_tail = w;
		ord_tail = &w->next;
	}
}

/* ---- clients ---- */

static void response(int port, const uint8_t *data, size_t len, const uint8_t *side, bool err, void *arg)
{
	int c = port - P_RSP;
	struct rd *r = rd_head[c];

	last_progress = tb_cycle();
	if (flushing)
		return;
	if (!r) {
		tb_fail("client %d: response without request", c);
		return;
	}
	tb_check(len == r->len, "client %d: %zu bytes of %u", c, len, r->len);
	tb_check(!r->bad || err, "client %d: read of %llx was answered with an error, err is 0", c, (unsigned long long)r->addr);
	tb_check(r->bad || !err || any_err_ok, "client %d: read of %llx +%u fails without reason", c,
		 (unsigned long long)r->addr, r->len);
	if (!err)
		for (uint32_t i = 0; i < r->len && i < len; i++)
			if (data[i] != mem_byte(r->addr + i)) {
				tb_fail("client %d: read of %llx +%u: byte %u is %02x, not %02x", c, (unsigned long long)r->addr,
					r->len, i, data[i], mem_byte(r->addr + i));
				break;
			}
	rd_head[c] = r->next;
	if (!rd_head[c])
		rd_tail[c] = &rd_head[c];
	free(r);
	rd_answered++;
	rd_errors += err;
	rsp_bytes += len;
}

void push_read(int c, uint32_t len, bool after_wr, int align)
{
	struct rd *r = calloc(1, sizeof(*r));
	struct tb_pack p;

	rd_next[c] += tb_below(4096);
	rd_next[c] = (rd_next[c] + (1ull << align) - 1) & ~((1ull << align) - 1);
	r->addr = rd_next[c];
	r->len = len;
	r->after_wr = after_wr;
	rd_next[c] += len;
	*rd_tail[c] = r;
	rd_tail[c] = &r->next;
	tb_pack_begin(&p, 81);
	tb_put(&p, 1, after_wr);
	tb_put(&p, 16, len);
	tb_put(&p, 64, r->addr);
	tb_item_push(P_RD + c, p.bits, 11);
	rd_pushed++;
}

void push_write(int c, uint32_t len, int align)
{
	struct wr *w = calloc(1, sizeof(*w) + len);
	struct tb_pack p;

	wr_next[c] += tb_below(4096);
	wr_next[c] = (wr_next[c] + (1ull << align) - 1) & ~((1ull << align) - 1);
	w->addr = wr_next[c];
	w->len = len;
	tb_rand_bytes(w->data, len);
	wr_next[c] += len;
	*wr_tail[c] = w;
	wr_tail[c] = &w->next;
	tb_pack_begin(&p, 80);
	tb_put(&p, 16, len);
	tb_put(&p, 64, w->addr);
	tb_packet_push(P_WR + c, w->data, len, p.bits, 10, false);
	wr_pushed++;
}

void push_irq(unsigned v)
{
	uint16_t bits = (uint16_t)v;

	tb_item_push(P_IRQ, &bits, 2);
}

size_t reads_open(int c)
{
	size_t n = 0;

	for (struct rd *r = rd_head[c]; r; r = r->next)
		n++;
	return n;
}

size_t writes_open(int c)
{
	size_t n = 0;

	for (struct wr *w = wr_head[c]; w; w = w->next)
		n++;
	return n;
}

/* ---- registers ---- */

struct expect {
	struct expect *next;
	uint32_t len, status, last;
	uint64_t off, accesses, snap; /* snap: writes accepted before it was read */
	unsigned bar;
	bool seen, vague;             /* read; at the same address as another one */
	uint8_t data[64];
};
static struct expect *reads_waiting;

static void note_access(uint32_t addr)
{
	for (struct expect *e = reads_waiting; e; e = e->next) {
		if (e->bar || !e->len || addr < (e->off & 0xfffc) || addr >= (e->off & 0xffff) + e->len)
			continue;
		e->vague |= e->seen && addr <= e->last;
		e->seen = true;
		e->last = addr;
		e->snap = accepted_before;
	}
}

static void reg_access(int port, const uint8_t *bits, void *arg)
{
	uint32_t wdata = (uint32_t)tb_bits_get(bits, 0, 32), be = (uint32_t)tb_bits_get(bits, 32, 4);
	uint32_t addr = (uint32_t)tb_bits_get(bits, 36, 16), v;
	bool we = tb_bits_get(bits, 52, 1), err = (addr & 0xff00) == REG_ERR;
	uint64_t rsp;

	tb_check(!(addr & 3) && be, "register access %x be %x", addr, be);
	if (we)
		for (int i = 0; i < 4; i++)
			if (be >> i & 1)
				device[addr + (uint32_t)i] = (uint8_t)(wdata >> 8 * i);
	memcpy(&v, device + addr, 4);
	if (!we)
		note_access(addr);
	rsp = (we ? 0xdeadbeef : v) | (uint64_t)(err && !we) << 32;
	tb_item_push(P_REG_RSP, &rsp, 5);
}

static void doorbell(int port, const uint8_t *bits, void *arg)
{
	static uint64_t last;
	struct db *d = db_head;

	if (!d) {
		tb_fail("doorbell that nobody rang");
		return;
	}
	/* who takes them has no ready, and is promised every second cycle for itself */
	tb_check(tb_cycle() != last + 1, "two doorbells in two cycles");
	last = tb_cycle();
	tb_check(tb_bits_get(bits, 0, 64) == d->data && tb_bits_get(bits, 64, 12) == d->off && tb_bits_get(bits, 76, 12) == d->page,
		 "doorbell differs");
	tb_check(tb_bits_get(bits, 88, 1) == d->line && tb_bits_get(bits, 89, 1) == d->push, "a doorbell in a line %d, with its WQE %d", d->line, d->push);
	for (unsigned i = 0; d->push && i < WEFT_PUSH_WQE_BYTES; i++)
		if (tb_bits_get(bits, 90 + 8 * i, 8) != d->wqe[i]) {
			tb_fail("byte %u of a pushed WQE", i);
			break;
		}
	db_head = d->next;
	if (!db_head)
		db_tail = &db_head;
	free(d);
}

static void stat_pulse(int port, const uint8_t *bits, void *arg)
{
	for (int i = 0; i < ST_N; i++)
		stat_count[i] += tb_bits_get(bits, (unsigned)i, 1);
}

/* ---- host ---- */

/* Register and table writes that the host has made; that a read behind them has shown to be done. As many as software has under
 * way: the card holds REG_DEPTH, the root complex's reads among them. */
static uint64_t access_made, access_done;
#define ACCESSES 24

void made_accesses(unsigned n) { access_made += n; }
bool may_access(void) { return access_made - access_done < ACCESSES; }

/* A posted write may go past a read that was made before it: not at the same place, or nobody could say what the read gives. */
static bool may_write(unsigned bar, uint64_t off, uint32_t len)
{
	for (struct expect *e = reads_waiting; e; e = e->next)
		if (e->bar == bar && e->len && off < (e->off & 0xffff) + e->len && (e->off & 0xffff) < off + len)
			return false;
	return may_access();
}

static void host_write(unsigned bar, uint64_t off, const void *bytes, uint32_t len)
{
	access_made++;
	weft_rc_write(rc, bar, off, bytes, len);
}

static void got_read(void *arg, unsigned status, const void *data, uint32_t len)
{
	struct expect *e = arg, **p = &reads_waiting;

	while (*p && *p != e)
		p = &(*p)->next;
	if (*p)
		*p = e->next;
	if (!flushing && e->accesses > access_done)
		access_done = e->accesses;
	host_open--;
	if (!e->bar && e->len && !flushing && !e->vague)
		tb_check(wr_left >= e->snap, "read of BAR0 %llx overtakes writes", (unsigned long long)e->off);
	tb_check(status == e->status, "read of BAR%u %llx +%u: status %u, not %u", e->bar, (unsigned long long)e->off, e->len,
		 status, e->status);
	if (!status && !e->status)
		tb_check(len == e->len && !memcmp(data, e->data, len), "read of BAR%u %llx +%u: data differs", e->bar,
			 (unsigned long long)e->off, e->len);
	free(e);
}

static void host_read(unsigned bar, uint64_t off, uint32_t len, const uint8_t *from)
{
	struct expect *e = calloc(1, sizeof(*e));

	e->bar = bar;
	e->off = off;
	e->len = len;
	if (from)
		memcpy(e->data, from, len);
	if (bar == 0 && len)
		for (uint64_t a = off & ~3ull; a < off + len; a += 4)
			if ((a & 0xff00) == REG_ERR)
				e->status = 1;
	host_open++;
	e->accesses = access_made;
	e->next = reads_waiting;
	reads_waiting = e;
	weft_rc_read(rc, bar, off, len, got_read, e);
}

static void refused(unsigned bar, uint32_t dw0, uint32_t dw1, uint32_t addr, uint32_t bytes)
{
	struct expect *e = calloc(1, sizeof(*e));
	uint32_t hdr[4] = { dw0, 0x00080000 | dw1, addr, 0 };
	uint8_t junk[64] = { 0 };

	e->bar = bar;
	e->off = dw0;
	e->status = 1;
	host_open++;
	want_ur++;
	weft_rc_raw(rc, bar, hdr, junk, bytes, got_read, e);
}

static void dropped(unsigned bar, uint32_t dw0, uint32_t dw1, uint32_t addr, uint32_t bytes)
{
	uint32_t hdr[4] = { dw0, 0x00080000 | dw1, addr, 0 };
	uint8_t junk[256];

	memset(junk, 0xee, sizeof(junk));
	if (bar == 2 && !(dw0 >> 24 & 0x1f))
		want_ignored++;
	else
		want_dropped++;
	weft_rc_raw(rc, bar, hdr, junk, bytes, NULL, NULL);
}

static void nonsense(void)
{
	uint32_t a = tb_below(1024) * 4, b = a & 0x7ff; /* b: not in the push lines */
	unsigned which = tb_below(16);

#ifdef MODEL_BLOCK /* behind a hard block: configuration requests are its own, and poisoned requests end there */
	if (which == 2 || which == 3 || which == 13)
		which = 0;
#endif
	switch (which) {
	case 0: refused(0, 0x02000001, 0x0f, a, 0); break;        /* IO read */
	case 1: refused(0, 0x42000001, 0x0f, a, 4); break;        /* IO write */
	case 2: refused(0, 0x04000001, 0x0f, a, 0); break;        /* configuration read 0 */
	case 3: refused(0, 0x45000001, 0x0f, a, 4); break;        /* configuration write 1 */
	case 4: refused(0, 0x4c000001, 0x0f, a, 4); break;        /* FetchAdd */
	case 5: refused(0, 0x4e000004, 0xff, a & ~15u, 16); break;/* CAS */
	case 6: refused(0, 0x01000001, 0x0f, a, 0); break;        /* locked read */
	case 7: refused(1, 0x00000001, 0x0f, a, 0); break;        /* BAR that does not exist */
	case 8: refused(0, 0x00000004, 0xf0, a & ~63u, 0); break; /* first byte enables 0 */
	case 9: refused(0, 0x00000001, 0xff, a, 0); break;        /* last byte enables of one dword */
	case 10: dropped(0, 0x34000000, 0x7f, 0, 0); break;       /* message */
	case 11: dropped(0, 0x74000004, 0x7f, 0, 16); break;      /* message with data */
	case 12: dropped(0, 0x40000010, 0xff, a & ~63u, 64); break; /* long register write */
	case 13: dropped(0, 0x40004001, 0x0f, a, 4); break;       /* poisoned */
	case 14: dropped(2, 0x40000001, 0x0f, b, 4); break;       /* half a doorbell */
	default:
		switch (tb_below(3)) {
		case 0: dropped(2, 0x40000002, 0xff, (b & ~7u) + 4, 8); break; /* misaligned */
		case 1: dropped(2, 0x40000002, 0x7f, b & ~7u, 8); break;
#ifdef MODEL_BLOCK
		default: break;
#else
		default: dropped(2, 0x40004002, 0xff, a & ~7u, 8); break;
#endif
		}
	}
}

void host_doorbell(void)
{
	struct db *d = calloc(1, sizeof(*d));

	d->page = tb_below(4096);
	d->off = tb_below(WEFT_DB_PUSH / 8) * 8;
	d->data = tb_rand();
	*db_tail = d;
	db_tail = &d->next;
	weft_rc_write(rc, 2, d->page << 12 | d->off, &d->data, 8);
}

/*
 * A write of several doorbells, as a processor's buffer lets go what threads of a process stored into one line: of up to COMBINED bytes each aligned part
 * that is written whole is a doorbell. What is longer, reaches into the push lines or has bytes enabled that no such part has, is told once.
 */
#define COMBINED 32

void host_combined(void)
{
	static const uint8_t from[] = { 0xf, 0xe, 0xc, 0x8 }, to[] = { 0xf, 0x7, 0x3, 0x1 };
	uint32_t dwords = tb_chance(90) ? tb_range(3, COMBINED / 4) : tb_range(COMBINED / 4 + 1, 16), at = tb_below(WEFT_DB_PUSH / 4) * 4, page = tb_below(4096);
	uint32_t fbe = from[tb_chance(60) ? 0 : tb_below(4)], lbe = to[tb_chance(60) ? 0 : tb_below(4)], hdr[4] = { 0 };
	uint8_t data[64], on[WEFT_DB_PUSH + 64] = { 0 };
	bool rest = false, none;

	if (tb_chance(60)) /* as those do that ring */
		at &= ~7u;
	if (tb_chance(10)) /* the last of the plain doorbells, and what is behind */
		at |= WEFT_DB_PUSH - 64;
	none = dwords > COMBINED / 4 || at + 4 * dwords > WEFT_DB_PUSH;
	hdr[0] = 0x40000000 | dwords;
	hdr[1] = 0x00080000 | lbe << 4 | fbe;
	hdr[2] = page << 12 | at;
	if (tb_chance(20)) { /* an address of 64 bits */
		hdr[0] |= 1u << 29;
		hdr[3] = hdr[2];
		hdr[2] = (uint32_t)tb_rand();
	}
#ifdef MODEL_BLOCK /* a shim passes two dwords */
	none = true;
#else /* behind a hard block poisoned requests end there */
	if (tb_chance(3)) {
		hdr[0] |= 1u << 14;
		none = true;
	}
#endif
	tb_rand_bytes(data, sizeof(data));
	for (uint32_t i = 0; i < 4 * dwords; i++)
		on[at + i] = (i < 4 ? fbe >> i & 1 : i >= 4 * dwords - 4 ? lbe >> (i & 3) & 1 : 1);
	for (uint32_t off = at & ~7u; !none && off < at + 4 * dwords; off += 8) {
		unsigned n = 0;

		for (unsigned i = 0; i < 8; i++)
			n += on[off + i];
		rest |= n % 8 != 0;
		if (n != 8)
			continue;
		struct db *d = calloc(1, sizeof(*d));

		d->page = page;
		d->off = off;
		memcpy(&d->data, data + (off - at), 8);
		*db_tail = d;
		db_tail = &d->next;
		combined++;
	}
	want_ignored += none || rest;
	weft_rc_raw(rc, 2, hdr, data, 4 * dwords, NULL, NULL);
}

/*
 * A push line, as a processor's buffer lets it go: whole, or in pieces, of which the first is a doorbell and the others are nothing; and
 * what hardware may be told that no such buffer says: two lines in one write, a doorbell's half.
 */
void host_push(void)
{
	struct db *d = calloc(1, sizeof(*d));
	uint8_t line[2 * WEFT_PUSH_LINE_BYTES], *w = line + WEFT_PUSH_LINE_WQE_OFF;
	uint32_t at, n = sizeof(line) / 2;
	unsigned how = tb_below(12), in_line = 0, wrong = tb_below(12);

	tb_rand_bytes(line, sizeof(line));
	d->page = tb_below(4096);
	at = WEFT_DB_PUSH + tb_below(31) * WEFT_PUSH_LINE_BYTES;
	if (how == 9) /* two lines in one write: of 128 bytes, so that nobody cuts it */
		at &= ~127u;
	/* one that fits, or not for one reason */
	w[0] = wrong == 0 ? WEFT_SQ_OPCODE_FETCH_ADD : wrong == 1 ? WEFT_SQ_OPCODE_LOCAL_INV : wrong == 2 ? 255 : tb_chance(20) ? WEFT_SQ_OPCODE_IMM : tb_chance(10) ? WEFT_SQ_OPCODE_NOP : tb_below(4);
	in_line = tb_chance(50);
	w[1] = (w[1] & ~4) | in_line << 2;
	if (in_line)
		tb_bits_set(w, WEFT_SQE_LENGTH_LSB, 32, wrong == 3 ? tb_range(25, 60) : wrong == 4 ? 1u << tb_range(5, 31) : tb_chance(20) ? 24 : tb_below(25));
	else
		w[2] = wrong == 3 || wrong == 4 ? tb_range(2, 255) : tb_below(2);
	tb_bits_set(w, WEFT_SQE_INDEX_LSB, 16, (tb_bits_get(line, WEFT_PUSH_LINE_INDEX_LSB, 16) - 1) ^ (wrong == 5 ? 1u << tb_below(16) : 0));
	memcpy(d->wqe, w, sizeof(d->wqe));
	memcpy(&d->data, line, 8);
	d->off = WEFT_DB_SQ;
	d->line = true;
#ifndef MODEL_BLOCK /* a shim passes two dwords */
	d->push = wrong > 5 && how < 7;
#endif
	pushes += d->push;
	if (how == 8 && tb_chance(50)) { /* half of the doorbell: nothing but a complaint */
		weft_rc_write(rc, 2, d->page << 12 | at, line, 4);
		want_ignored++;
		free(d);
		return;
	}
	*db_tail = d;
	db_tail = &d->next;
	if (how == 9)
		n *= 2;
	if (how == 7 || how == 8 || how == 10 || how == 11) {
		uint32_t from[8], k = 0;

		torn++;
		/* a first piece of 8 to 56 bytes; the others in any order */
		from[k++] = 0;
		for (uint32_t o = 8; o < n; o += 8)
			if (tb_chance(30) || (o == n - 8 && k == 1))
				from[k++] = o;
		for (uint32_t left = k; left; left--) {
			uint32_t i = tb_below(left), o = from[i], end = n;

			for (uint32_t j = 0; j < k; j++)
				if (from[j] > o && from[j] < end)
					end = from[j];
			weft_rc_write(rc, 2, d->page << 12 | (at + o), line + o, end - o);
			from[i] = from[left - 1];
			from[left - 1] = o;
		}
		return;
	}
	weft_rc_write(rc, 2, d->page << 12 | at, line, n);
}

void pushes_seen(void)
{
#ifndef MODEL_BLOCK
	tb_check(pushes > 5 && torn > 5, "%llu WQEs pushed, %llu lines torn", (unsigned long long)pushes, (unsigned long long)torn);
	tb_check(combined > 100, "%llu doorbells came with others", (unsigned long long)combined);
#endif
	tb_note("%llu WQEs pushed, %llu lines torn, %llu doorbells came with others", (unsigned long long)pushes, (unsigned long long)torn, (unsigned long long)combined);
}

void host_register(uint32_t off)
{
	uint64_t v = tb_rand();

	memcpy(shadow + off, &v, 8);
	weft_rc_write(rc, 0, off, &v, 8);
	host_read(0, off, 8, shadow + off);
}

size_t doorbells_open(void)
{
	size_t n = 0;

	for (struct db *d = db_head; d; d = d->next)
		n++;
	return n;
}

void host_access(void)
{
	uint32_t off, len;
	uint8_t b[64];

	switch (tb_below(11)) {
	case 0:
	case 1: /* register write: 1 to 8 bytes of two dwords */
		off = tb_below(65536 - 16);
		len = tb_range(1, 8 - (off & 3));
		if ((off & 4095) + len > 4096)
			break;
		if (((off & 127) + len) > 128)
			break;
		if (!may_write(0, off, len)) {
			host_read(0, off, 4 - (off & 3), shadow + off);
			break;
		}
		tb_rand_bytes(b, len);
		memcpy(shadow + off, b, len);
		host_write(0, off | (tb_chance(20) ? 0x80000000u : 0), b, len);
		break;
	case 2:
	case 3: /* register read, mostly short */
		off = tb_below(65536 - 64);
		len = tb_chance(80) ? tb_below(9) : tb_below(65);
		if ((off & 4095) + len > 4096)
			break;
		host_read(0, off | (tb_chance(20) ? 0x700000000000ull : 0), len, shadow + off);
		break;
	case 4:
	case 5:
		host_doorbell();
		break;
	case 6:
		host_push();
		break;
	case 10:
		host_combined();
		break;
	case 7: /* scratch entries of the table; what is not address, data or mask bit reads zero */
		off = 16 * tb_range(USED_VEC, N_VEC - 1) + 4 * tb_below(4);
		if (tb_chance(50)) {
			len = 1 + tb_below(4);
			off += tb_below(5 - len);
			if (!may_write(4, off & ~15u, 16))
				break;
			tb_rand_bytes(b, len);
			memcpy(table + off, b, len);
			table[off & ~15u] &= 0xfc;
			table[(off & ~15u) + 12] &= 1;
			memset(table + (off & ~15u) + 13, 0, 3);
			host_write(4, off, b, len);
		} else {
			host_read(4, off, 4, table + off);
		}
		break;
	case 8: /* reads that touch nothing */
		memset(b, 0, sizeof(b));
		if (tb_chance(50))
			host_read(2, tb_below(4096) * 8ull, tb_below(9), b);
		else
			host_read(4, 16 * N_VEC + tb_below(1024), 4, b);
		break;
	default:
		nonsense();
	}
}

static void mask_confirmed(void *arg, unsigned status, const void *data, uint32_t len)
{
	uintptr_t v = (uintptr_t)arg & 0xff, generation = (uintptr_t)arg >> 8;

	host_open--;
	if (vec[v].masked && vec[v].generation == generation)
		vec[v].confirmed = true;
}

void mask_vector(unsigned v, bool mask)
{
	vec[v].masked = mask;
	vec[v].confirmed = false;
	vec[v].generation++;
	access_made++;
	weft_rc_msix_mask(rc, v, mask);
	if (mask) {
		host_open++;
		weft_rc_read(rc, 4, 16 * v + 12, 4, mask_confirmed, (void *)((uintptr_t)vec[v].generation << 8 | v));
	}
}

bool vector_masked(unsigned v) { return vec[v].masked; }

bool irqs_served(void)
{
	for (int v = 0; v < USED_VEC; v++)
		if (vec[v].accepted && (!vec[v].messages || vec[v].last < vec[v].cycle))
			return false;
	return true;
}

void check_irqs(void)
{
	for (int v = 0; v < USED_VEC; v++) {
		tb_check(!vec[v].accepted || vec[v].messages, "vector %d never fired", v);
		tb_check(!vec[v].accepted || (vec[v].last >= vec[v].cycle && vec[v].left >= vec[v].snap),
			 "vector %d: last message at %llu after %llu writes; last interrupt at %llu after %llu", v,
			 (unsigned long long)vec[v].last, (unsigned long long)vec[v].left, (unsigned long long)vec[v].cycle,
			 (unsigned long long)vec[v].snap);
	}
}

static void got_peek(void *arg, unsigned status, const void *data, uint32_t len)
{
	void **a = arg;

	tb_check(!status && len == 4, "peek: status %u", status);
	memcpy(a[0], data, 4);
	*(bool *)a[1] = true;
	free(a);
}

void peek(unsigned bar, uint64_t off, uint32_t *value, bool *done)
{
	void **a = calloc(2, sizeof(*a));

	a[0] = value;
	a[1] = done;
	*done = false;
	weft_rc_read(rc, bar, off, 4, got_peek, a);
}

void model_forget(void)
{
	for (int c = 0; c < N_RD; c++) {
		while (rd_head[c]) {
			struct rd *r = rd_head[c];

			rd_head[c] = r->next;
			free(r);
			rd_answered++;
		}
		rd_tail[c] = &rd_head[c];
	}
	for (int c = 0; c <= N_WR; c++) {
		struct wr **h = c < N_WR ? &wr_head[c] : &ord_head;

		while (*h) {
			struct wr *w = *h;

			*h = w->next;
			free(w);
		}
		if (c < N_WR)
			wr_tail[c] = &wr_head[c];
	}
	ord_tail = &ord_head;
	wr_left = wr_out = wr_accepted = wr_pushed;
	reads_waiting = NULL;
	access_made = access_done = 0;
	for (int v = 0; v < N_VEC; v++) {
		memset(&vec[v], 0, sizeof(vec[v]));
		table[16 * v + 12] = 1;
	}
	host_open = 0;
}

void model_start(void)
{
	static const struct weft_rc_ops ops = { .read_mem = read_mem, .write_mem = write_mem, .irq = irq, .fault = fault,
						.trace = trace, .injected = was_injected };

	rc = weft_rc_new(TB_DATA_W / 8, tb_rand(), &ops);
	cfg = weft_rc_config(rc);
	for (int c = 0; c < N_RD; c++) {
		rd_tail[c] = &rd_head[c];
		/* below 4 GiB, across it, and far above */
		rd_next[c] = c < 2 ? 0x10000000ull * (1 + c) : c == 2 ? 0xffff0000ull : (tb_rand() >> 4 & ~0xfffffffffull) | 1ull << 40 | (uint64_t)c << 36;
		tb_on_packet(P_RSP + c, response, NULL);
	}
	for (int c = 0; c < N_WR; c++) {
		wr_tail[c] = &wr_head[c];
		wr_next[c] = c < 1 ? 0x40000000ull : c == 1 ? 0xfffff000ull : (tb_rand() >> 4 & ~0xfffffffffull) | 1ull << 41 | (uint64_t)c << 36;
	}
	for (int v = 0; v < N_VEC; v++)
		table[16 * v + 12] = 1;
	tb_on_item(P_REG, reg_access, NULL);
	tb_on_item(P_DB, doorbell, NULL);
	tb_on_item(P_STAT, stat_pulse, NULL);
}
