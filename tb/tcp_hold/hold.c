// SPDX-License-Identifier: BSD-2-Clause
/*
 * weft_tcp_hold: senders whose frames a wire loses, delays and doubles, with FINs, resets, ACKs without text, frames without a body,
 * strangers that the look-up took for somebody, slots that change hands, crowded times and a slow taker. Checked of each segment: it
 * comes out once and unchanged; who may overtake whom (RFC 9293 order of sequence, RFC 7323 timestamps); how long it waited, and that there was
 * a reason; how much a connection and all of them hold. In quiet times with late frames only all comes out in order of sequence.
 * In a flood one connection of which something is held fills every cycle with segments without text: nobody waits longer for that, nor
 * when the store is crowded, from when on nothing that came before may stay. Sequence numbers, timestamps and time begin close before their wraps.
 */
#include <stdlib.h>
#include <string.h>

#include "tb.h"

enum { IN, OUT, TOOK, OPEN, STAT };
#define N_FLOW (TB_DATA_W == 64 ? 2 : TB_DATA_W == 128 ? 4 : 8)
#define EACH (TB_DATA_W == 64 ? 4 : 8)
#define SHARE 32
#define MOST 48
#define TICKS 4
#define SLOTS 12
#define BYTES 102
#define MAX 150000
#define FIN 1
#define SYN 2
#define RST 4
#define ACK 16

struct seg {
	uint8_t bits[BYTES];
	unsigned conn, blocks, len, flags;
	uint32_t seq, stop, ts;
	bool has_ts, body, stranger, text;
	uint64_t in_at, in_ns, out_at;
};
static struct seg *segs[MAX];
static unsigned n_segs, n_in, n_out, waiting[MAX], n_waiting, blocks, took[8], n_took, came[8], n_came;
static uint64_t stats[4];
static bool crowded, quiet, slow, was_crowded;
static uint64_t last_slow, crowded_at;
static unsigned n_pressed;

static struct conn {
	uint32_t qpn, nxt, ts, max; /* max: behind the furthest that went on */
	uint8_t peer[16];
	uint16_t sport;
	bool known, muddled, sorted;
	unsigned out; /* pushed and not out */
	uint32_t last;
	struct seg *late[4];
	unsigned late_in[4], n_late;
} conns[SLOTS];
static unsigned n_conn = SLOTS, done_target;

int hold_crowded(void) { return crowded; }

static void fresh(unsigned c)
{
	struct conn *k = &conns[c];

	memset(k, 0, sizeof(*k));
	k->qpn = 1 + tb_below(0xffffff);
	k->nxt = tb_chance(50) ? (uint32_t)tb_rand() : 0u - tb_below(20000);
	k->ts = tb_chance(50) ? (uint32_t)tb_rand() : 0u - tb_below(10);
	k->sport = (uint16_t)tb_rand();
	tb_rand_bytes(k->peer, tb_chance(50) ? 4 : 16);
}

static struct seg *make(unsigned c, uint32_t seq, unsigned len, unsigned flags)
{
	struct conn *k = &conns[c];
	struct seg *s = calloc(1, sizeof(*s));

	if (n_segs == MAX) {
		tb_fail("too many segments");
		exit(1);
	}
	s->conn = c;
	s->seq = seq;
	s->len = len;
	s->flags = flags;
	s->stop = seq + len + (flags & FIN);
	s->body = !tb_chance(quiet ? 0 : 2);
	s->has_ts = !tb_chance(5);
	s->ts = k->ts;
	s->blocks = (len + 66 + 511) / 512;
	s->text = len && s->body && !(flags & (FIN | SYN | RST));
	tb_rand_bytes(s->bits, BYTES);
	s->bits[BYTES - 1] &= 0x7f;
	tb_bits_set(s->bits, 0, 16, len + 66);
	tb_bits_set(s->bits, 21, 1, s->body);
	tb_bits_set(s->bits, 22, 16, 4791);
	tb_bits_set(s->bits, 38, 16, k->sport);
	for (unsigned i = 0; i < 16; i++)
		tb_bits_set(s->bits, 182 + 8 * i, 8, k->peer[i]);
	tb_bits_set(s->bits, 615, 32, s->ts);
	tb_bits_set(s->bits, 647, 1, s->has_ts);
	tb_bits_set(s->bits, 650, 9, flags);
	tb_bits_set(s->bits, 707, 32, seq);
	tb_bits_set(s->bits, 739, 16, len);
	tb_bits_set(s->bits, 779, 12, c);
	tb_bits_set(s->bits, 791, 24, k->qpn);
	return s;
}
static void push(struct seg *s)
{
	tb_bits_set(s->bits, 675, 32, n_segs);
	segs[n_segs++] = s;
	conns[s->conn].out++;
	tb_item_push(IN, s->bits, BYTES);
}
static struct seg *again(const struct seg *s)
{
	struct seg *t = malloc(sizeof(*t));

	*t = *s;
	return t;
}

/* ---- what comes out ---- */
static void on_took(int port, const uint8_t *bits, void *arg) { took[n_took++] = (unsigned)tb_bits_get(bits, 0, 32); }
static void on_out(int port, const uint8_t *bits, void *arg)
{
	unsigned id = (unsigned)tb_bits_get(bits, 675, 32);

	if (id >= n_segs || segs[id]->out_at)
		tb_fail("segment %u comes out twice, or never went in", id);
	else if (memcmp(bits, segs[id]->bits, BYTES))
		tb_fail("segment %u was changed", id);
	else
		came[n_came++] = id;
}
static void on_stat(int port, const uint8_t *bits, void *arg)
{
	for (unsigned i = 0; i < 4; i++)
		stats[i] += *bits >> i & 1;
}

static bool newer(uint32_t a, uint32_t b) { return (int32_t)(a - b) > 0; }
static void left(unsigned id)
{
	struct seg *s = segs[id];
	struct conn *k = &conns[s->conn];
	bool was_held = s->in_at < tb_cycle();

	for (unsigned i = 0; i < n_waiting; i++) {
		struct seg *a = segs[waiting[i]];

		if (a == s || a->conn != s->conn || s->stranger)
			continue;
		/* a came, and has not gone on. */
		if (waiting[i] < id) {
			tb_check(a->text, "segment %u is overtaken by %u, and has no reason to wait", waiting[i], id);
			tb_check(!(s->flags & (FIN | SYN | RST)), "segment %u overtakes %u, which came before", id, waiting[i]);
			tb_check(!s->text || !newer(s->seq, a->seq), "segment %u overtakes %u, which is in front of it", id, waiting[i]);
			tb_check(!s->text || !s->has_ts || !a->has_ts || !newer(s->ts, a->ts), "segment %u goes in front of %u with a newer timestamp", id, waiting[i]);
		} else if (was_held)
			tb_check(!newer(s->seq, a->seq), "segment %u goes on in front of %u, which is held", id, waiting[i]);
	}
	if (was_held) {
		tb_check(s->text, "segment %u waited", id);
		if (!slow && tb_cycle() > last_slow + 2000)
			tb_check(tb_get_now() - s->in_ns <= TICKS * 1024 + 200 * tb_ns_per_cycle, "segment %u waited for %llu ns", id,
				 (unsigned long long)(tb_get_now() - s->in_ns));
	}
	if (k->sorted && s->len) {
		tb_check(s->seq == k->last, "connection %u in a quiet time: %#x follows %#x", s->conn, s->seq, k->last);
		k->last = s->stop;
	}
	if (s->stranger)
		k->muddled = true;
	else if (!(s->flags & (SYN | RST))) {
		bool ahead = newer(s->seq, k->max), far = s->seq - k->max + (1u << 22) >= 1u << 23;

		if (!k->known || far || (newer(s->stop, k->max) && (!ahead || s->text || (s->flags & FIN))))
			k->max = s->stop;
		k->known = true;
	}
	s->out_at = tb_cycle();
	n_out++;
	k->out--;
	for (unsigned i = 0; i < n_waiting; i++)
		if (waiting[i] == id) {
			waiting[i] = waiting[--n_waiting];
			blocks -= s->blocks;
			break;
		}
}
static void holds(void)
{
	unsigned each[SLOTS] = { 0 }, share[SLOTS] = { 0 }, flows = 0;

	for (unsigned i = 0; i < n_waiting; i++) {
		each[segs[waiting[i]]->conn]++;
		share[segs[waiting[i]]->conn] += segs[waiting[i]]->blocks;
	}
	for (unsigned c = 0; c < SLOTS; c++) {
		flows += each[c] != 0;
		tb_check(each[c] <= EACH && share[c] <= SHARE, "connection %u holds %u segments, %u blocks", c, each[c], share[c]);
	}
	tb_check(flows <= N_FLOW && blocks <= MOST, "%u connections hold %u blocks", flows, blocks);
	/* What goes on in the order of sequence numbers must not be refused for its timestamp (RFC 7323 5.3). */
	for (unsigned i = 0; i < n_waiting; i++)
		for (unsigned j = 0; j < n_waiting; j++) {
			struct seg *a = segs[waiting[i]], *b = segs[waiting[j]];

			if (a->conn == b->conn && a->has_ts && b->has_ts && newer(b->seq, a->seq))
				tb_check(!newer(a->ts, b->ts), "segments %u and %u are held, and the later one has the older timestamp", waiting[i], waiting[j]);
		}
}
static void events(void)
{
	for (unsigned i = 0; i < n_took; i++) {
		struct seg *s = segs[took[i]];

		tb_check(took[i] == n_in, "segment %u was taken in front of %u", took[i], n_in);
		n_in++;
		s->in_at = tb_cycle();
		s->in_ns = tb_get_now();
		waiting[n_waiting++] = took[i];
		blocks += s->blocks;
	}
	for (unsigned i = 0; i < n_came; i++)
		left(came[i]);
	/* Nothing is held that is not ahead of what went on. */
	for (unsigned i = 0; i < n_took; i++) {
		struct seg *s = segs[took[i]];
		struct conn *k = &conns[s->conn];

		/* Of 8 that are known two may have the same place. */
		if (!s->out_at && k->known && !k->muddled && !(TB_DATA_W == 64 && s->conn % 8 < SLOTS - 8))
			tb_check(newer(s->seq, k->max), "segment %u waits, and is not ahead", took[i]);
		if (!s->out_at)
			tb_check(!was_crowded && !s->stranger, "segment %u is held %s", took[i], s->stranger ? "and a stranger's" : "though the store is crowded");
	}
	n_took = n_came = 0;
	if (!crowded || slow)
		crowded_at = tb_cycle();
	for (unsigned i = 0; i < n_waiting; i++) {
		n_pressed += segs[waiting[i]]->in_at < crowded_at && tb_cycle() == crowded_at + 1;
		tb_check(segs[waiting[i]]->in_at >= crowded_at || tb_cycle() < crowded_at + 120, "segment %u waits, and the store is crowded", waiting[i]);
	}
	was_crowded = crowded;
	holds();
}

/* ---- what goes in ---- */
static unsigned length(void)
{
	return tb_chance(30) ? tb_range(1, 64) : tb_chance(80) ? tb_range(65, 1460) : tb_range(1461, 9000);
}
static void flush_late(struct conn *k, bool all)
{
	for (unsigned i = 0; i < k->n_late;)
		if (all || !k->late_in[i]) {
			push(k->late[i]);
			k->late[i] = k->late[k->n_late - 1];
			k->late_in[i] = k->late_in[--k->n_late];
		} else
			i++;
}
/* One frame of a sender; the wire does what it likes. */
static void sender(unsigned c)
{
	struct conn *k = &conns[c];
	unsigned r = tb_below(1000), len = length();
	struct seg *s;

	if (tb_chance(20))
		k->ts += tb_below(3);
	for (unsigned i = 0; i < k->n_late; i++)
		k->late_in[i]--;
	if (r < 80)
		s = make(c, k->nxt, 0, ACK);
	else if (r < 130) /* again, from what was sent before */
		s = make(c, k->nxt - tb_below(30000), len, ACK);
	else if (r < 136)
		s = make(c, k->nxt + (tb_chance(50) ? tb_below(20000) : (uint32_t)tb_rand()), tb_chance(50) ? 0 : len, ACK | (tb_chance(30) ? RST : tb_chance(30) ? SYN : tb_chance(30) ? FIN : 0));
	else if (r < 140) { /* the look-up took it for this connection's */
		s = make(c, (uint32_t)tb_rand(), len, ACK);
		s->stranger = true;
		tb_bits_set(s->bits, 38, 16, k->sport ^ (1u << tb_below(16)));
	} else if (r < 150) { /* two that are late, and what was lost between them, sent again, in front of both */
		struct seg *first = make(c, k->nxt, tb_range(1, 64), ACK), *second = make(c, first->stop + 64, len, ACK);

		k->nxt = second->stop;
		k->ts += tb_below(3);
		push(make(c, first->stop, 64, ACK));
		push(second);
		s = first;
	} else {
		s = make(c, k->nxt, len, ACK);
		k->nxt += len;
	}
	if (tb_chance(2)) {
		free(s); /* lost */
	} else if (tb_chance(6) && k->n_late < 4) {
		k->late[k->n_late] = s;
		k->late_in[k->n_late++] = tb_range(1, tb_chance(80) ? 3 : 12);
	} else {
		push(s);
		if (tb_chance(2))
			push(again(s));
	}
	flush_late(k, false);
}
/* Late by three places at most, one of a connection at a time, and nothing else happens. */
static void quiet_sender(unsigned c)
{
	struct conn *k = &conns[c];
	unsigned len = tb_range(1, 1460);
	struct seg *s;

	if (tb_chance(5))
		k->ts++;
	s = make(c, k->nxt, len, ACK);
	if (!k->sorted) {
		k->sorted = true;
		k->last = k->nxt;
		k->nxt += len;
		push(s);
		return;
	}
	for (unsigned i = 0; i < k->n_late; i++)
		k->late_in[i]--;
	k->nxt += len;
	if (!k->n_late && tb_chance(10)) {
		k->late[0] = s;
		k->late_in[0] = tb_range(1, 3);
		k->n_late = 1;
	} else
		push(s);
	flush_late(k, false);
}

/*
 * The first connection fills the wire with ACKs, and has something held all the time. Others have overtaken what is lost. For a while the
 * store is crowded.
 */
static unsigned flood_crowd, left_in_phase;
static void flood(void)
{
	if (tb_pending(IN) >= 8)
		return;
	for (unsigned n = 0; n < 4; n++) {
		unsigned c = tb_chance(97) ? 0 : tb_below(n_conn);
		struct conn *k = &conns[c];
		bool text = c || tb_chance(1) || !k->known;

		if (text && k->known)
			k->nxt += tb_range(1, 1000);
		push(make(c, k->nxt, text ? tb_range(1, 500) : 0, ACK));
		if (text)
			k->nxt = segs[n_segs - 1]->stop;
	}
	crowded = left_in_phase < flood_crowd && left_in_phase + 300 > flood_crowd;
}

static enum { TRAFFIC, EMPTY, FLOOD, FLOODED, QUIET, END } phase;
static unsigned rounds, gap;
void tb_setup(void)
{
	for (unsigned c = 0; c < SLOTS; c++)
		fresh(c);
	tb_on_item(TOOK, on_took, NULL);
	tb_on_item(OUT, on_out, NULL);
	tb_on_item(STAT, on_stat, NULL);
	tb_set_now(1000000 + tb_below(1000000));
	done_target = (unsigned)tb_opt("rounds", 24);
	left_in_phase = 600;
}
bool tb_step(void)
{
	events();
	if (phase == TRAFFIC && tb_chance(1))
		crowded = tb_chance(10);
	if (phase == TRAFFIC && tb_chance(1) && tb_chance(30)) {
		slow = !slow && tb_chance(50);
		tb_snk_rate(OUT, slow ? tb_range(3, 60) : 100);
	}
	if (slow)
		last_slow = tb_cycle();
	if (gap) {
		gap--;
		return false;
	}
	if (phase == TRAFFIC || phase == FLOOD || phase == QUIET) {
		if (!left_in_phase) {
			for (unsigned c = 0; c < SLOTS; c++)
				flush_late(&conns[c], true);
			phase++;
			crowded = slow = false;
			tb_snk_rate(OUT, 100);
			return false;
		}
		if (phase == FLOOD) {
			left_in_phase--;
			flood();
			return false;
		}
		if (tb_pending(IN) < 8) {
			unsigned c = tb_below(n_conn);

			left_in_phase--;
			if (phase == QUIET)
				quiet_sender(c);
			else
				sender(c);
			gap = tb_chance(phase == QUIET ? 100 : 60) ? tb_below(phase == QUIET ? 4 : 30) : tb_chance(3) ? 2000 : 0;
		}
		/* A slot changes hands when nothing of it is under way. */
		if (phase == TRAFFIC && tb_chance(1)) {
			unsigned c = tb_below(n_conn);

			if (!conns[c].out) {
				uint8_t slot[2] = { (uint8_t)c, 0 };

				for (unsigned i = 0; i < conns[c].n_late; i++)
					free(conns[c].late[i]);
				fresh(c);
				tb_item_push(OPEN, slot, 2);
				gap = 3;
			}
		}
		return false;
	}
	if (tb_pending(IN) || n_out != n_segs) {
		static uint64_t since;
		static unsigned at;

		if (at != n_out) {
			at = n_out;
			since = tb_cycle();
		}
		tb_check(tb_cycle() < since + 20000, "%u segments went in, %u came out", n_segs, n_out);
		return tb_cycle() >= since + 20000;
	}
	if (phase == END && ++rounds == done_target)
		return true;
	for (unsigned c = 0; c < SLOTS; c++) {
		uint8_t slot[2] = { (uint8_t)c, 0 };

		fresh(c);
		tb_item_push(OPEN, slot, 2);
	}
	gap = SLOTS + 3;
	quiet = phase == FLOODED;
	if (phase == EMPTY) {
		n_conn = SLOTS;
		left_in_phase = 2500;
		flood_crowd = tb_range(500, 1500);
		tb_set_now((((tb_get_now() >> 18) + 2) << 18) - tb_below(10000)); /* what the card keeps of the time wraps */
		phase = FLOOD;
		return false;
	}
	n_conn = quiet ? N_FLOW : tb_chance(30) ? 1 + tb_below(3) : SLOTS;
	left_in_phase = quiet ? 400 : 600;
	phase = quiet ? QUIET : TRAFFIC;
	return false;
}
void tb_finish(void)
{
	tb_check(n_out == n_segs && n_in == n_segs && !n_waiting, "%u segments went in, %u came out", n_segs, n_out);
	tb_check(stats[0] > 500 && stats[1] > 200 && stats[2] > 50, "held %llu, next %llu, over %llu: too few", (unsigned long long)stats[0], (unsigned long long)stats[1],
		 (unsigned long long)stats[2]);
	tb_check(n_pressed > 20, "%u were held when the store became crowded: too few", n_pressed);
	tb_note("%u segments, %llu held, %llu went on as next ones, %llu times over, %u held when the store became crowded", n_segs, (unsigned long long)stats[0], (unsigned long long)stats[1],
		(unsigned long long)stats[2], n_pressed);
}
