// SPDX-License-Identifier: BSD-2-Clause
/*
 * Receiving side of mpa. Streams of FPDUs are made from RFC 5044 (lengths, pad, CRC32c, markers every 512 octets), cut at
 * any byte, reordered and sent twice by a sender; tcp's part (trimming, generations, what was dropped) is played as
 * docs/datapath.md says. For every piece the model says before what has to come out: FPDUs, faults, the end of the stream,
 * what is dropped and where the right edge goes. rdmap is played too: it reads every FPDU, holds some for long, refuses some
 * and resumes later. Lines go home and come back in another slot, and pins are counted all the time.
 *
 * With rings, pieces ahead of turn must be kept and told, bytes that never came must not, and behind a hole that is filled they are next
 * at once. tcp hears of that later: until then it calls ahead what follows, and takes again what is here already. With +aligned some peers send segments
 * that begin with FPDUs, and say so: a Write ahead of turn then comes to rdmap at once, and nothing of it is told before rdmap has placed it. One that waits for the rest of an FPDU for 3 to 4 units must be told, also while its connection is away.
 *
 * First three measurements: latency of a piece, FPDUs of 64-byte Writes in shared segments, FPDUs that fill MTU 9000.
 */
#include <stdlib.h>
#include <string.h>

#include "tb.h"
#include "weft_abi.h"

enum { PIECE, FSIN, PUT, RX, RD, OUT, FREE, REFUSE, RESUME, ROOM, UNACC, LOAD, SAVE, LINE, CMD, EV, DROP, STATE, STORED, PAGE, RDREQ, DMA, WR, THROUGH, PLACED };
enum { OK, CRC, MARKER, LENGTH, FIN, RINGERR };
enum { AWAY, LOADING, RUN, SAVING };
enum { OP_SET = 2, OP_DRAIN = 3, OP_ACK = 6 };
#define CONNS 24
#define SLOTS 16
static unsigned wnd = 200000, rings; /* rings: how many get pages; with 0 every piece's effect is known before */
static unsigned units = 16; /* of 4 KiB, of a ring */
/* Connections with a ring of 2 MiB: all but the first FPDU comes ahead of turn, more than 1 MiB that is next at once. More than one: of short FPDUs,
 * and their rings are read at the same time. */
static unsigned far;
static unsigned far_leaps;
#define RING (units * 4096)
#define STEP 4096
#define FPDU_MAX 16384
#define MAXF 240
#define FAKE 60
static unsigned fins_again, fins_stay, fins_direct;
#define UNIT 1024 /* cycles, of the deadline of FPDUs in rings */

struct fpdu {
	uint64_t off;
	uint32_t raw, bytes; /* in the stream; without markers */
	uint16_t ulpdu;
	uint8_t *data;
	int fault;
	bool write; /* RDMA Write (RFC 5040 4.1) */
	uint16_t fake; /* here in it is payload that imitates one, FAKE bytes; 0: none */
};
struct hold { /* an FPDU that rdmap has */
	struct hold *next;
	struct conn *c;
	unsigned handle, f, from, len;
	uint64_t until;
	bool read;
	bool ahead; /* of its turn */
};
struct frame { /* on its way to the frame store */
	struct frame *next;
	struct conn *c;
	uint64_t off;
	unsigned len, start, end_fin;
};
static struct conn {
	unsigned qpn, slot;
	int state;
	bool crc, markers, cut_short, wild; /* wild: much of it comes ahead of turn */
	bool aligned; /* the peer says that its segments begin with FPDUs; more than not they do */
	bool bare, tarry; /* its FIN comes behind all bytes, alone; when all of them have come out */
	bool astride, rest; /* more than three rings of bytes in pieces that do not end with an FPDU; nothing more until it was away */
	uint64_t first, end;
	uint8_t *stream, *came; /* came: bytes that were in a piece */
	bool thru; /* mpa is to hear of what rdmap is through with, up to thru_to; a pin of rdmap's */
	uint64_t thru_to, thru_at;
	uint8_t *fronts, *placed; /* came to rdmap ahead of turn, times; mpa was told that they are placed */
	struct fpdu f[MAXF];
	unsigned n;
	/* what mpa must be thinking */
	uint64_t next, edge, last_room;
	bool gen, fresh, unsure, dead, maybe; /* maybe: it goes on for a moment behind a fault */
	unsigned want, fins;	      /* FPDUs and faults that must have come when all is quiet; ends of stream */
	uint64_t fin_off;
	unsigned fin_part;
	uint64_t unacc[64], rooms[64];
	unsigned un_w, un_r, ro_w, ro_r;
	/* tcp and sender */
	uint64_t nxt, snd;
	bool tgen, whole;
	/* rdmap */
	unsigned got, got_fins;
	bool refused, resumed, loose;
	uint64_t refused_off;
	uint64_t refused_when, refuse_at; /* refuse_at: mpa is told then */
	uint64_t out; /* all before it came to rdmap once */
	unsigned fin_direct; /* 1: the FIN came when all was out and mpa did not know of the refusal; 2: and it went out before mpa knew */
	bool dry; /* since the refusal there was a moment without a ring for it */
	int pins;
	unsigned frames, holds;
	bool over, told, by_fw, killed, drain, gone, fin_sent, fin_refused;
	unsigned later; /* pins of stored ranges */
	uint64_t side_to[4]; /* ends of ranges that were told ahead of turn */
	uint64_t later_at, cov; /* tcp: what is placed or stored */
	uint8_t line[64];
	bool has_line;
	uint16_t token;
	uint64_t until;
	unsigned saves;
	/* when the first byte of each FPDU was accepted */
	uint64_t begun[MAXF];
	unsigned n_begun;
	bool late; /* told, and nothing came since */
} conns[CONNS];
static struct conn *in_slot[SLOTS];
static struct frame *frames, **frames_tail = &frames;
static struct hold *holds, *reads, **reads_tail = &reads;
static unsigned err_faults, drops, rings_got, spills, rings_free, stored_n, errs, ring_reads;
static unsigned fpdus, faults[6], unaccs, stales, aheads, tails, fulls, gones, saves, refusals, lives, target, fs_used, drains, dups, rooms;
static uint64_t bytes_in;
static bool has_come(struct conn *c, uint64_t from, uint64_t to);
static bool is_idle, saving_any;
static unsigned went_on; /* times that one was away in the middle of an FPDU, more than a ring's bytes behind the one that got it its ring */
static unsigned lates, sides, leaps, kept_again, kept_late;
static uint64_t few_at, hog; /* hog: up to this cycle rdmap refuses everything, and nobody is resumed */
static uint64_t side_bytes, read_bytes, written_bytes; /* of rings */
static unsigned aligned, fronts, placed_n, steps, fakes; /* ahead of turn to rdmap; told as placed; next without coming again; sent of payload that imitates one */
static struct conn *loading;

/* A quarter of the rings is not for what was refused. */
static bool few(void) { return rings_free * 4 <= rings; }

/* ---- streams ---- */
static void put32(uint8_t *p, uint32_t v)
{
	p[0] = v, p[1] = v >> 8, p[2] = v >> 16, p[3] = v >> 24;
}

/* Appends an FPDU of ulpdu bytes (type: first byte of the ULPDU) at *at. */
static void make_fpdu(struct conn *c, unsigned ulpdu, int fault, unsigned head)
{
	struct fpdu *f = &c->f[c->n++];
	unsigned body = (ulpdu + 2 + 3) / 4 * 4, words = body / 4, at = c->end - c->first, begin = at, len_at = 0, mk_n = 0, victim = 0;
	uint8_t *d = calloc(1, body + 4), *s = c->stream;

	tb_rand_bytes(d, body); /* the pad too: a receiver does not look at it */
	d[0] = ulpdu >> 8;
	d[1] = ulpdu;
	d[2] = head;
	if (c->aligned && tb_chance(85))
		d[3] = 0x40 | (d[3] & 0x30);
	/* Never at a multiple of four bytes: there a peer that promises ALIGNED begins no segment. */
	f->fake = c->aligned && !c->markers && ulpdu > 300 && tb_chance(30) ? tb_range(101, 103) : 0;
	if (f->fake) {
		uint8_t *w = d + f->fake;

		w[0] = 0, w[1] = FAKE - 6, w[2] = 0xc1, w[3] = 0x40;
		put32(w + FAKE - 4, tb_crc32c(0, w, FAKE - 4));
	}
	f->write = (d[2] & 0x83) == 0x81 && (d[3] & 0xcf) == 0x40;
	f->off = c->end;
	f->ulpdu = ulpdu;
	f->fault = fault;
	f->data = d;
	f->bytes = body + 4;
	if (fault == MARKER)
		victim = tb_rand();
	for (int pass = 0; pass < 2; pass++) {
		/* the first pass counts markers, so that one of them can be spoiled */
		unsigned k = 0;

		at = begin;
		for (unsigned w = 0; w <= words; w++) {
			if (c->markers && at % 512 == 0) {
				unsigned ptr = w == 0 ? 0 : at - len_at;

				if (pass && fault == MARKER && k == victim % mk_n)
					ptr ^= 4u << tb_below(14);
				s[at] = tb_rand(), s[at + 1] = tb_rand(); /* reserved */
				s[at + 2] = ptr >> 8;
				s[at + 3] = (ptr & 0xfc) | tb_below(4);
				at += 4;
				k++;
			}
			if (w == 0)
				len_at = at;
			if (w < words)
				memcpy(s + at, d + 4 * w, 4);
			else
				put32(d + body, c->crc ? tb_crc32c(0, s + begin, at - begin) : tb_rand()), memcpy(s + at, d + body, 4);
			at += 4;
		}
		mk_n = k;
		if (fault == MARKER && !mk_n)
			f->fault = fault = OK;
	}
	f->raw = at - begin;
	if (fault == CRC) { /* a bit behind the length word */
		unsigned from = len_at + 4, bit = tb_below((at - from) * 8);

		s[from + bit / 8] ^= 1 << bit % 8;
	}
	if (fault == LENGTH) {
		unsigned bad;
		bool tagged = head & 0x80;

		if (tb_chance(30))
			bad = tb_range(FPDU_MAX - 5, 65535);
		else
			bad = tb_below(tagged ? 14 : 18);
		s[len_at] = bad >> 8;
		s[len_at + 1] = bad;
		f->ulpdu = bad;
	}
	c->end += f->raw;
}

static void make_stream(struct conn *c)
{
	static unsigned made;
	bool astride = rings && !hog && !far && !(++made % 12);
	unsigned n = far > 1 ? MAXF : far ? 76 : astride ? 60 : tb_range(3, 50), bad = astride || hog || far || tb_chance(50) ? n : tb_below(n);

	for (unsigned i = 0; i < c->n; i++)
		free(c->f[i].data);
	free(c->stream);
	free(c->came);
	free(c->fronts);
	free(c->placed);
	c->stream = malloc(1300000);
	c->came = calloc(1300000, 1);
	c->fronts = calloc(1300000, 1);
	c->placed = calloc(1300000, 1);
	c->astride = astride;
	c->rest = false;
	c->wild = !hog && !astride && !far && tb_chance(40);
	c->n = c->n_begun = 0;
	c->late = false;
	c->crc = tb_chance(70);
	c->markers = tb_chance(50);
	static unsigned ill; /* the first ones have a fault of each kind in turn */
	int force = ill++ < 2 * CONNS && !hog && !astride && !far ? CRC + (int)(ill % 3) : OK;
	if (force) {
		c->crc = c->markers = true;
		bad = n / 2;
	}
	c->first = tb_chance(50) ? 0 : tb_rand() >> tb_range(8, 60);
	c->end = c->first;
	c->aligned = aligned && !force && !hog && !astride && !far && tb_chance(80);
	if (c->aligned)
		c->markers = tb_chance(10);
	for (unsigned i = 0; i < n; i++) {
		static const unsigned most[] = { 20, 100, 100, 600, 600, 1500, 3000, 9000, FPDU_MAX - 6 };
		unsigned k = tb_below(100), m = most[k < 96 ? k % 7 : 7 + tb_below(2)], head = tb_rand() & 0xff;

		if (c->aligned && tb_chance(85))
			head = 0x81 | (head & 0x7c);
		unsigned ulpdu = far > 1 ? tb_range(1000, 5000) : far ? tb_range(15000, 16000) : astride ? tb_range(3400, 4600) : tb_range(head & 0x80 ? 14 : 18, m), fault = OK;

		if (i == bad) {
			fault = force ? force : (int)tb_range(CRC, LENGTH);
			if (force)
				ulpdu = tb_range(600, 1400);
			if (fault == CRC && !c->crc)
				fault = LENGTH;
			if (fault == MARKER && !c->markers)
				fault = LENGTH;
		}
		make_fpdu(c, ulpdu, fault, head);
	}
	c->cut_short = !force && !hog && !astride && !far && tb_chance(20);
	if (c->cut_short)
		c->end -= tb_range(1, c->f[n - 1].raw - 1);
	static unsigned whole;
	c->bare = !force && !c->cut_short && !hog && !(++whole % (rings ? 2 : 3));
	c->tarry = c->bare && rings && tb_chance(70);
	c->next = c->nxt = c->snd = c->first;
	if (far)
		c->snd += c->f[0].raw;
	c->edge = c->last_room = c->first + (rings ? wnd : tb_below(wnd));
	c->cov = c->out = c->first;
	c->refuse_at = 0;
	c->fin_direct = 0;
	for (unsigned i = 0; i < 4; i++)
		c->side_to[i] = c->first;
	c->gone = c->told = c->by_fw = c->fin_sent = c->fin_refused = c->has_line = false;
	c->gen = c->tgen = tb_chance(50);
	c->fresh = c->unsure = c->dead = c->maybe = c->refused = c->resumed = c->loose = c->over = c->killed = c->whole = c->drain = false;
	c->want = c->fins = c->got = c->got_fins = c->un_w = c->un_r = c->ro_w = c->ro_r = 0;
}

static struct fpdu *at_off(struct conn *c, uint64_t off)
{
	for (unsigned i = 0; i < c->n; i++)
		if (c->f[i].off == off)
			return &c->f[i];
	return NULL;
}

/* ---- what a piece must lead to ---- */
static void predict(struct conn *c, bool gen, uint64_t off, unsigned len, bool ahead, bool fin)
{
	unsigned left = len;
	bool tail = false;

	if (gen == c->gen)
		c->fresh = false;
	if (rings || c->loose || c->dead || gen != c->gen || ahead || off != c->next)
		return;
	while (left) {
		struct fpdu *f = at_off(c, c->next);
		bool lead = c->markers && (c->next - c->first) % 512 == 0;

		if (left < (lead ? 8 : 4)) {
			tail = true;
			break;
		}
		if (f->fault == LENGTH) {
			c->want++;
			c->dead = c->maybe = true;
			return;
		}
		if (left < f->raw) {
			tail = true;
			break;
		}
		c->want++;
		c->next += f->raw;
		left -= f->raw;
		if (f->fault) {
			c->dead = c->maybe = true;
			return;
		}
	}
	if ((int64_t)(c->edge - c->next + STEP) <= wnd)
		c->rooms[c->ro_w++ % 64] = c->edge = c->next + wnd;
	if (fin) {
		c->fins++;
		c->fin_off = c->next;
		c->fin_part = left;
	} else if (tail) {
		c->unacc[c->un_w++ % 64] = c->next;
		c->gen = !c->gen;
		c->fresh = true;
	}
}

#define TRACE(c, ...) do { if (tb_opt("trace", 0) == (long)(c)->qpn) tb_note(__VA_ARGS__); } while (0)
static void who(struct tb_pack *b, struct conn *c)
{
	tb_put(b, 24, c->qpn);
	tb_put(b, 12, c->slot);
}

static void piece(struct conn *c, bool gen, uint64_t off, unsigned len, unsigned handle, unsigned start, bool ahead, bool fin)
{
	struct tb_pack b;

	tb_pack_begin(&b, 148);
	who(&b, c);
	tb_put(&b, 1, gen);
	tb_put(&b, 64, off);
	tb_put(&b, 16, len);
	tb_put(&b, 12, handle);
	tb_put(&b, 16, start);
	tb_put(&b, 1, ahead);
	tb_put(&b, 1, (tb_chance(50) || !c->markers) && c->aligned);
	tb_put(&b, 1, fin);
	tb_item_push(PIECE, b.bits, 19);
	c->pins++;
	TRACE(c, "%lu piece gen %d %lu+%u %s", (unsigned long)tb_cycle(), gen, (unsigned long)(off - c->first), len, ahead ? "ahead" : "");
	c->fin_sent |= fin && gen == c->tgen && !ahead;
	/* all came out of the ring, and mpa has not heard yet that some of it is refused */
	if (fin && !len && gen == c->tgen && !ahead && rings && c->refuse_at && c->cov == c->end && c->out == c->end)
		c->fin_direct = 1;
	bytes_in += len;
	if (gen == c->tgen && rings)
		for (unsigned i = 0; i < len; i++)
			if (c->came[off - c->first + i] < 255)
				c->came[off - c->first + i]++;
	predict(c, gen, off, len, ahead, fin);
}

/* ---- perf ---- */
static int perf = 1;
static unsigned perf_put, perf_rx, perf_len, perf_handles[64];
static uint64_t perf_first, perf_last, perf_bytes;

static unsigned lone;
static void on_put(int port, const uint8_t *bits, void *arg)
{
	struct tb_pack b;
	struct frame *f = frames;

	tb_unpack_begin(&b, bits, 29);
	bool ok = tb_get(&b, 1);
	unsigned h = tb_get(&b, 12);
	tb_check(ok, "a frame found no place");
	if (perf) {
		perf_handles[perf_put++] = h;
		return;
	}
	if (!(frames = f->next))
		frames_tail = &frames;
	struct conn *c = f->c;
	uint64_t end = f->off + f->len;
	bool fin = f->end_fin && end == c->end;

	c->frames--;
	if (!f->len && c->nxt == c->end) { /* FIN alone */
		piece(c, c->tgen, c->end, 0, h, f->start, false, true);
		lone++;
	} else if (f->off <= c->nxt && (end > c->nxt || (fin && end == c->nxt && f->off == end)) && f->start + (c->nxt - f->off) <= 4000 && end > c->nxt) {
		/* bytes that came before are cut off in front */
		unsigned cut = c->nxt - f->off;

		dups += cut != 0;
		piece(c, c->tgen, c->nxt, f->len - cut, h, f->start + cut, false, fin);
		c->nxt = end;
	} else if (f->off > c->nxt && f->len) {
		piece(c, c->tgen, f->off, f->len, h, f->start, true, fin);
	} else { /* nothing new: as if it had been accepted before what was dropped; ahead of turn it never stands where the next one does */
		/* nor where the end of the stream cuts an FPDU */
		bool ahead = c->pins && !(rings && c->fin_sent && c->cut_short && f->off == c->f[c->n - 1].off);

		fin &= ahead || end != c->nxt; /* a FIN that was accepted where nothing is dropped counts */
		piece(c, c->tgen ^ !ahead, rings || !ahead ? f->off : f->off - (1 << 20), f->len, h, f->start, ahead, fin);
	}
	free(f);
}

static void free_fpdu(unsigned handle)
{
	struct tb_pack b;

	tb_pack_begin(&b, 12);
	tb_put(&b, 12, handle);
	tb_item_push(FREE, b.bits, 2);
}

static void say_through(struct conn *c)
{
	struct tb_pack b;

	tb_pack_begin(&b, 168);
	who(&b, c);
	tb_put(&b, 64, c->thru_to - 4);
	tb_put(&b, 64, c->thru_to);
	tb_put(&b, 4, 0);
	tb_item_push(THROUGH, b.bits, 21);
	c->thru = false;
	c->pins--;
}

/* rdmap is through with all up to here, sooner or later. */
static void through(struct conn *c, uint64_t to)
{
	c->thru_to = to;
	if (!c->thru) {
		c->thru = true;
		c->pins++;
		c->thru_at = tb_cycle() + (aligned && tb_chance(50) ? tb_below(tb_chance(80) ? 300 : 1500) : 0);
	}
	if (tb_cycle() >= c->thru_at)
		say_through(c);
}

/* What was placed ahead of turn does not come again. */
static void step_over(struct conn *c, uint64_t to)
{
	for (; c->got < c->n && c->f[c->got].off < to; c->got++) {
		struct fpdu *f = &c->f[c->got];

		if (c->cov < f->off + f->raw || memchr(c->placed + (f->off - c->first), 0, f->raw))
			return;
		steps++;
	}
}

/* Ahead of its turn: read, then placed or let go. */
static void on_front(struct conn *c, uint64_t off, unsigned len, unsigned handle, unsigned ulpdu, const uint8_t *head, int fault, bool kept)
{
	struct fpdu *f = at_off(c, off);
	struct hold *o;

	tb_check(f && c->aligned && !c->markers, "connection %u: a front FPDU at %llu, which is none", c->qpn, (unsigned long long)off);
	if (!f)
		return;
	tb_check(!fault && !kept && !f->fault && f->write && ulpdu == f->ulpdu && len == f->raw && !memcmp(head, f->data + 2, ulpdu < 46 ? ulpdu : 46),
		 "connection %u: a front FPDU at %llu: fault %d of %d, kept %d, write %d, %u bytes", c->qpn, (unsigned long long)off, fault, f->fault, kept, f->write, len);
	tb_check(c->got < c->n && off > c->f[c->got].off, "connection %u: a front FPDU at %llu, not behind number %u", c->qpn, (unsigned long long)off, c->got);
	if (fault) {
		c->pins--;
		return;
	}
	fronts++;
	for (unsigned i = 0; i < len; i++)
		c->fronts[off - c->first + i]++;
	o = calloc(1, sizeof(*o));
	o->c = c;
	o->handle = handle;
	o->f = f - c->f;
	o->until = tb_cycle() + (tb_chance(80) ? tb_below(60) : tb_below(1500));
	o->from = tb_chance(50) ? 0 : tb_below(f->bytes);
	o->len = tb_range(1, f->bytes - o->from);
	o->ahead = true;
	o->next = holds;
	holds = o;
	c->holds++;
}

static void on_rx(int port, const uint8_t *bits, void *arg)
{
	struct tb_pack b;
	uint8_t head[46];

	tb_unpack_begin(&b, bits, 519);
	unsigned len = tb_get(&b, 16);
	unsigned q = tb_get(&b, 24), s = tb_get(&b, 12);
	uint64_t off = tb_get(&b, 64);
	unsigned h = tb_get(&b, 12), ulpdu = tb_get(&b, 16);
	bool ahead = tb_get(&b, 1), pinned = tb_get(&b, 1), kept = tb_get(&b, 1);
	int fault = tb_get(&b, 4);
	for (int i = 45; i >= 0; i--)
		head[i] = tb_get(&b, 8);
	struct conn *c = s < SLOTS ? in_slot[s] : NULL;

	tb_check(c && c->qpn == q, "an FPDU for %u in slot %u", q, s);
	if (!c || c->qpn != q)
		return;
	tb_check(c->pins > 0 && c->state == RUN, "connection %u: an FPDU without a pin", q);
	tb_check(pinned, "connection %u: not pinned", q);
	TRACE(c, "%lu rx %lu+%u fault %d pins %d refused %d ahead %d", (unsigned long)tb_cycle(), (unsigned long)(off - c->first), len, fault, c->pins, c->refused, ahead);
	if (ahead) {
		on_front(c, off, len, h, ulpdu, head, fault, kept);
		return;
	}
	if (!c->refused)
		step_over(c, off);
	if (off + len > c->out)
		c->out = off + len;
	if (c->refused && fault && off > c->refused_off) {
		c->fin_refused |= fault == FIN && c->cov == c->end;
		if (fault == FIN && c->fin_direct && c->refuse_at) {
			c->fin_direct = 2;
			c->refuse_at = tb_cycle() + tb_below(60);
		}
		c->pins--;
		return;
	}
	faults[fault < 6 ? fault : 0]++;
	if (fault == RINGERR) {
		tb_check(!(c->refused && off == c->refused_off && c->cov > off && errs <= err_faults), "connection %u: acknowledged bytes that were refused are gone", q);
		tb_check(errs > err_faults++, "connection %u: a ring that cannot be read at %llu; refused %d at %llu, %llu committed, %llu accepted, resumed %d", q, (unsigned long long)off, c->refused,
			 (unsigned long long)c->refused_off, (unsigned long long)c->cov, (unsigned long long)c->nxt, c->resumed);
		c->over = c->dead = c->maybe = c->told = true;
		c->pins--;
		return;
	}
	if (fault == FIN && rings) {
		uint64_t at = c->got < c->n ? c->f[c->got].off : c->end;

		tb_check(off == (at < c->end ? at : c->end) && ulpdu == c->end - off && c->nxt == c->end && c->fin_sent,
			 "connection %u: end at %llu, %u bytes; should be %llu of %llu", q, (unsigned long long)off, ulpdu, (unsigned long long)at,
			 (unsigned long long)c->end);
		c->over = true;
		c->fins = c->got_fins = 1;
		c->pins--;
		return;
	}
	if (fault == FIN) {
		c->got_fins++;
		tb_check(c->loose || (c->got_fins <= c->fins && off == c->fin_off && ulpdu == c->fin_part),
			 "connection %u: end at %llu, %u bytes; should be %u, %llu, %u", q, (unsigned long long)off, ulpdu, c->fins,
			 (unsigned long long)c->fin_off, c->fin_part);
		tb_check(!perf && (c->loose || c->got == c->want), "connection %u ends after %u FPDUs, should be %u", q, c->got, c->want);
		c->over = true;
		c->pins--;
		return;
	}
	if (c->refused && (off != c->refused_off || !c->resumed)) {
		tb_check(off > c->refused_off, "connection %u: %llu before it is resumed at %llu", q, (unsigned long long)off,
			 (unsigned long long)c->refused_off);
		if (!fault)
			free_fpdu(h);
		c->pins--;
		return;
	}
	bool again = c->refused;

	/* Out of a ring are those, and only those, of which tcp was told before that they are stored. */
	tb_check(fault || kept == (rings && c->cov >= off + len), "connection %u: an FPDU at %llu is kept %d, told to %llu", q, (unsigned long long)off, kept, (unsigned long long)c->cov);

	c->refused = false;
	struct fpdu *f = &c->f[c->got];

	/* What was refused comes through a ring, if there is one: refused again it is kept. */
	if (again && rings && !fault && !c->dry) {
		tb_check(c->cov > off, "connection %u FPDU %u: it was refused, and comes again without being stored", q, c->got);
		kept_again++;
	}
	tb_check(c->got < c->n && off == f->off, "connection %u: FPDU at %llu, should be number %u at %llu", q, (unsigned long long)off, c->got,
		 (unsigned long long)f->off);
	if (c->got >= c->n || off != f->off)
		return;
	c->got++;
	tb_check(rings || c->loose || c->got <= c->want, "connection %u: FPDU %u was not to come", q, c->got);
	tb_check(fault == f->fault, "connection %u FPDU %u: fault %d, should be %d", q, c->got - 1, fault, f->fault);
	tb_check(ulpdu == f->ulpdu, "connection %u FPDU %u: %u bytes, should be %u", q, c->got - 1, ulpdu, f->ulpdu);
	if (fault) {
		tb_check(h == 0, "a fault has a handle");
		c->over = c->dead = c->maybe = c->told = true;
		c->pins--;
		return;
	}
	unsigned n = ulpdu < 46 ? ulpdu : 46;

	tb_check(!memcmp(head, f->data + 2, n), "connection %u FPDU %u: head differs", q, c->got - 1);
	tb_check(len == f->raw, "connection %u FPDU %u: %u bytes in the stream, should be %u", q, c->got - 1, len, f->raw);
	if (!perf) {
		tb_check(off <= c->cov && (off + len <= c->nxt || (rings && has_come(c, c->nxt, off + len))), "connection %u FPDU %u: at %llu, committed up to %llu, accepted %llu", q, c->got - 1,
			 (unsigned long long)off, (unsigned long long)c->cov, (unsigned long long)c->nxt);
	}
	fpdus++;
	if (perf) {
		perf_rx++;
		perf_last = tb_cycle();
		perf_bytes += f->raw;
		c->pins--;
		free_fpdu(h);
		return;
	}
	bool last = c->tarry && c->cov == c->end && c->got + 2 > c->n;

	if (!c->killed && !far && (tb_cycle() < hog || (again && rings ? tb_chance(30) : !c->loose && tb_chance(last ? 60 : rings ? 4 : 2)))) {
		/* it looks for a place, or for a receive, for a while */
		c->refuse_at = tb_cycle() + (hog || !rings ? 0 : last ? tb_range(100, 2500) : tb_chance(50) ? tb_range(1, 400) : 0);
		free_fpdu(h);
		c->refused = c->loose = true;
		c->resumed = false;
		c->dry = few();
		c->refused_when = tb_cycle();
		c->refused_off = off;
		c->got--;
		refusals++;
		c->until = tb_cycle() + tb_below(1500);
		return;
	}
	if (off + len > c->cov)
		c->cov = off + len;
	through(c, off + len);
	struct hold *o = calloc(1, sizeof(*o));

	o->c = c;
	o->handle = h;
	o->f = c->got - 1;
	o->until = tb_cycle() + (tb_chance(90) ? tb_below(60) : tb_below(1500));
	o->from = tb_chance(50) ? 0 : tb_below(f->bytes);
	o->len = tb_range(1, f->bytes - o->from);
	o->next = holds;
	holds = o;
	c->holds++;
}

static void on_out(int port, const uint8_t *data, size_t len, const uint8_t *side, bool err, void *arg)
{
	struct hold *o = reads;
	struct fpdu *f = &o->c->f[o->f];

	if (!(reads = o->next))
		reads_tail = &reads;
	tb_check(len == o->len && !memcmp(data, f->data + o->from, len), "connection %u FPDU %u: bytes %u to %u differ", o->c->qpn, o->f, o->from,
		 o->from + o->len);
	free_fpdu(o->handle);
	if (o->ahead && tb_chance(80)) { /* its pin goes along */
		struct tb_pack b;

		tb_pack_begin(&b, 168);
		who(&b, o->c);
		tb_put(&b, 64, f->off);
		tb_put(&b, 64, f->off + f->raw);
		tb_put(&b, 4, 8);
		tb_item_push(PLACED, b.bits, 21);
		memset(o->c->placed + (f->off - o->c->first), 1, f->raw);
		TRACE(o->c, "%lu placed %lu+%u", (unsigned long)tb_cycle(), (unsigned long)(f->off - o->c->first), f->raw);
		placed_n++;
	} else {
		o->c->pins--;
	}
	o->c->holds--;
	free(o);
}

/* ---- host ---- */
#define PAGE_BASE 0x123456000000ull
static uint8_t host[4096][4096];
static struct dma { struct dma *next; unsigned page, at, len; uint64_t when; } *dmas, **dmas_tail = &dmas;

/* Page of an address; pages were given in a mixed order. */
static unsigned page_of(uint64_t addr, unsigned len)
{
	uint64_t p = (addr - PAGE_BASE) >> 12;

	tb_check(p < rings * units && (addr & 4095) + len <= 4096 && len, "%u bytes at %llx", len, (unsigned long long)addr);
	return p < rings * units ? p : 0;
}

static void on_wr(int port, const uint8_t *data, size_t len, const uint8_t *side, bool err, void *arg)
{
	struct tb_pack b;

	tb_unpack_begin(&b, side, 80);
	unsigned hl = tb_get(&b, 16);
	uint64_t addr = tb_get(&b, 64);

	tb_check(hl == len, "a write of %u has %zu bytes", hl, len);
	written_bytes += len;
	memcpy(host[page_of(addr, len)] + (addr & 4095), data, len);
}

static void on_rdreq(int port, const uint8_t *bits, void *arg)
{
	struct tb_pack b;
	struct dma *r = calloc(1, sizeof(*r));

	tb_unpack_begin(&b, bits, 81);
	bool after = tb_get(&b, 1);
	r->len = tb_get(&b, 16);
	uint64_t addr = tb_get(&b, 64);
	tb_check(after, "a read that does not see the writes before it");
	r->page = page_of(addr, r->len);
	r->at = addr & 4095;
	r->when = tb_cycle() + tb_range(1, 500);
	*dmas_tail = r;
	dmas_tail = &r->next;
	ring_reads++;
	read_bytes += r->len;
}

/* Bytes that were in a piece, at any time. */
static bool has_come(struct conn *c, uint64_t from, uint64_t to)
{
	return from >= to || (from >= c->first && to <= c->end && !memchr(c->came + (from - c->first), 0, to - from));
}

/* Bytes that mpa may tell of: some copy of them went another way than to rdmap ahead of turn, or was placed there. */
static bool is_here(struct conn *c, uint64_t from, uint64_t to)
{
	for (uint64_t i = from - c->first; i < to - c->first; i++)
		if (!c->placed[i] && c->came[i] <= c->fronts[i])
			return false;
	return true;
}

static void on_stored(int port, const uint8_t *bits, void *arg)
{
	struct tb_pack b;

	tb_unpack_begin(&b, bits, 169);
	bool placed = tb_get(&b, 1);
	unsigned q = tb_get(&b, 24), s = tb_get(&b, 12);
	uint64_t from = tb_get(&b, 64), to = tb_get(&b, 64);
	unsigned flags = tb_get(&b, 3), fin = tb_get(&b, 1);
	struct conn *c = s < SLOTS ? in_slot[s] : NULL;

	tb_check(c && c->qpn == q && c->pins > 0 && c->state == RUN, "stored bytes of %u in slot %u", q, s);
	if (!c)
		return;
	TRACE(c, "%lu stored %lu-%lu", (unsigned long)tb_cycle(), (unsigned long)(from - c->first), (unsigned long)(to - c->first));
	stored_n++;
	tb_check((flags & 3) == 0 && !fin && from < to && has_come(c, from, to) && is_here(c, from, to), "connection %u: stored %llu to %llu, accepted %llu", q, (unsigned long long)from,
		 (unsigned long long)to, (unsigned long long)c->nxt);
	if (flags & 4) { /* ahead of turn: it may be forgotten, and counts for nothing */
		c->side_to[sides++ % 4] = to;
		side_bytes += to - from;
		tb_check(from > c->cov || c->refused || c->over, "connection %u: ahead from %llu, committed %llu", q, (unsigned long long)from, (unsigned long long)c->cov);
		c->later++;
		c->later_at = tb_cycle() + tb_range(2, 40);
		return;
	}
	if (placed) { /* behind what was refused it does not count: it is told again */
		tb_check(!memchr(c->placed + (from - c->first), 0, to - from), "connection %u: %llu to %llu are told as placed", q, (unsigned long long)from, (unsigned long long)to);
		if (c->refused)
			to = from;
		else if (from <= c->cov) { /* all before it is through, and so is it */
			if (to > c->out)
				c->out = to;
			through(c, to);
		}
	}
	far_leaps += to - from > 1 << 20;
	for (unsigned i = 0; i < 4; i++)
		if (c->side_to[i] == to && to != from) { /* behind a hole */
			leaps++;
			c->side_to[i] = c->first;
		}
	/* behind an FPDU that was refused they are not next */
	tb_check(from <= c->cov || c->refused, "connection %u: stored from %llu, committed %llu", q, (unsigned long long)from, (unsigned long long)c->cov);
	if (from <= c->cov && to > c->cov)
		c->cov = to;
	c->later++;
	c->later_at = tb_cycle() + tb_range(2, 40);
}

static void tell_refusal(struct conn *c)
{
	struct tb_pack b;

	tb_pack_begin(&b, 102);
	who(&b, c);
	tb_put(&b, 64, c->refused_off);
	tb_put(&b, 2, 1);
	tb_item_push(REFUSE, b.bits, 13);
	TRACE(c, "%lu refuse %lu", (unsigned long)tb_cycle(), (unsigned long)(c->refused_off - c->first));
	c->refuse_at = 0;
	c->refused_when = tb_cycle();
	if (c->until < tb_cycle())
		c->until = tb_cycle();
}

static struct conn *named(unsigned q, unsigned s, const char *what)
{
	struct conn *c = s < SLOTS ? in_slot[s] : NULL;

	tb_check(c && c->qpn == q && c->pins > 0, "%s for %u in slot %u", what, q, s);
	return c && c->qpn == q ? c : NULL;
}

static void on_room(int port, const uint8_t *bits, void *arg)
{
	struct tb_pack b;

	tb_unpack_begin(&b, bits, 100);
	unsigned q = tb_get(&b, 24), s = tb_get(&b, 12);
	uint64_t e = tb_get(&b, 64);
	struct conn *c = named(q, s, "an edge");

	rooms++;
	if (!c || perf)
		return;
	tb_check(e > c->last_room, "connection %u: edge %llu after %llu", q, (unsigned long long)e, (unsigned long long)c->last_room);
	c->last_room = e;
	tb_check(e <= c->nxt + wnd || (rings && has_come(c, c->nxt, e - wnd)), "connection %u: edge %llu is too far", q, (unsigned long long)e);
	if (rings || c->loose || c->maybe)
		return;
	tb_check(c->ro_r != c->ro_w && c->rooms[c->ro_r % 64] == e, "connection %u: edge %llu, should be %llu", q, (unsigned long long)e,
		 (unsigned long long)(c->ro_r != c->ro_w ? c->rooms[c->ro_r % 64] : 0));
	c->ro_r++;
}

static void on_unacc(int port, const uint8_t *bits, void *arg)
{
	struct tb_pack b;

	tb_unpack_begin(&b, bits, 101);
	unsigned q = tb_get(&b, 24), s = tb_get(&b, 12);
	bool gen = tb_get(&b, 1);
	uint64_t off = tb_get(&b, 64);
	struct conn *c = named(q, s, "a drop");

	unaccs++;
	if (!c)
		return;
	tb_check(rings ? off >= c->cov || c->over : !!at_off(c, off), "connection %u: dropped from %llu, where no FPDU begins", q, (unsigned long long)off);
	if (!rings && !c->loose && !c->maybe) {
		tb_check(c->un_r != c->un_w && c->unacc[c->un_r % 64] == off && gen == c->tgen, "connection %u: dropped from %llu, gen %d of %d; %u told of %u", q,
			 (unsigned long long)off, gen, c->tgen, c->un_r, c->un_w);
		c->un_r++;
	}
	/* Part of an FPDU lies in its ring, all of it came in turn, and rdmap has nothing of it: there is room for what comes next. */
	tb_check(!c->astride || c->over || c->dead || c->loose || c->pins != 1 || c->got >= c->n || off <= c->f[c->got].off || off != c->cov || c->fin_sent,
		 "connection %u: dropped from %llu, in turn, while its ring has %llu bytes", q, (unsigned long long)off,
		 (unsigned long long)(c->cov - c->f[c->got].off));
	TRACE(c, "%lu unacc gen %d %lu", (unsigned long)tb_cycle(), gen, (unsigned long)(off - c->first));
	/* tcp */
	c->tgen = !gen;
	/* A FIN that stands where nothing is dropped stays accepted, and may be acknowledged: it does not come again. */
	if (off < c->nxt) {
		c->fin_sent = false;
		c->nxt = off;
	} else {
		fins_stay += c->fin_sent;
	}
	c->snd = c->nxt;
	c->whole = true;
}

static void on_drop(int port, const uint8_t *bits, void *arg)
{
	struct tb_pack b;

	tb_unpack_begin(&b, bits, 16);
	unsigned s = tb_get(&b, 12);
	int n = tb_get(&b, 4);
	struct conn *c = s < SLOTS ? in_slot[s] : NULL;

	if (n > 7)
		n -= 16;
	if (c)
		TRACE(c, "%lu drop %d", (unsigned long)tb_cycle(), n);
	tb_check(c && c->state == RUN && c->pins >= n && c->pins > 0, "slot %u: %d of %d pins dropped", s, n, c ? c->pins : 0);
	if (c)
		c->pins -= n;
}

static void on_ev(int port, const uint8_t *bits, void *arg)
{
	struct tb_pack b;

	tb_unpack_begin(&b, bits, 488);
	unsigned q = tb_get(&b, 24), kind = tb_get(&b, 8), code = tb_get(&b, 16), d0 = tb_get(&b, 32);

	for (unsigned i = 0; i < CONNS; i++)
		if (conns[i].qpn == q) {
			if (kind == WEFT_FW_EV_RX_STALLED) {
				struct conn *c = &conns[i];

				/* What was refused may wait, but not as long when others find no ring. */
				bool kept = c->refused && tb_cycle() - c->refused_when >= UNIT - 16 && tb_cycle() - few_at <= 2 * UNIT + 16;

				kept_late += kept;
				/* One that a fault has ended waits for nothing; its ring may be told of all the same. */
				tb_check(rings && (c->dead || kept || (c->got < c->n_begun && tb_cycle() - c->begun[c->got] >= 3 * UNIT - 16)) && !code && !d0,
					 "connection %u is said to wait for its FPDU %u (%u have begun)", q, c->got, c->n_begun);
				c->late = true;
				lates++;
				return;
			}
			tb_check(conns[i].drain && kind == WEFT_FW_EV_DRAINED && d0 == conns[i].token, "event %u of %u: %u", kind, q, d0);
			conns[i].drain = false;
			drains++;
			return;
		}
	tb_fail("event of %u", q);
}

static void on_line(int port, const uint8_t *bits, void *arg)
{
	struct tb_pack b;
	uint8_t d[64];

	tb_unpack_begin(&b, bits, 553);
	unsigned q = tb_get(&b, 24), s = tb_get(&b, 12), tag = tb_get(&b, 2), line = tb_get(&b, 3);
	for (int i = 63; i >= 0; i--)
		d[i] = tb_get(&b, 8);
	struct conn *c = s < SLOTS ? in_slot[s] : NULL;
	uint64_t next, edge;

	tb_check(c && c->qpn == q && c->state == SAVING && tag == (c->saves & 3) && line == 6, "line %u of %u in slot %u, tag %u", line, q, s, tag);
	if (!c)
		return;
	memcpy(&next, d, 8);
	memcpy(&edge, d + 8, 8);
	bool dead = d[18] >> 5 & 1, gen = d[18] >> 2 & 1;
	tb_check((d[18] & 1) == c->crc && (d[18] >> 1 & 1) == c->markers && dead == c->dead && d[16] == (c->first & 0xff) &&
		 d[17] == (c->first >> 8 & 0xff), "connection %u: flags %02x, should be crc %d markers %d dead %d", q, d[18], c->crc, c->markers, c->dead);
	if (!c->refused)
		step_over(c, next);
	if (rings && !c->dead && !c->fins) {
		uint64_t end;
		uint64_t want = c->got < c->n ? c->f[c->got].off : c->end;

		memcpy(&end, d + 32, 8);
		tb_check(next == want && gen == c->tgen && (d[18] >> 6 & 1) == (c->nxt > next) && (c->nxt == next || end == c->nxt),
			 "connection %u: next %llu gen %d flags %02x end %llu, should be %llu %d end %llu", q, (unsigned long long)next, gen, d[18],
			 (unsigned long long)end, (unsigned long long)want, c->tgen, (unsigned long long)c->nxt);
	}
	if (rings && c->dead)
		tb_check(!(d[18] >> 6 & 1), "connection %u is dead and has a ring", q);
	memcpy(c->line, d, 64);
	c->has_line = true;
	if (!rings && !c->dead && !c->fins) {
		tb_check(next == c->next && gen == c->gen && (c->unsure || (d[18] >> 3 & 1) == c->fresh) && edge == c->edge && (d[18] >> 4 & 1) == 0,
			 "connection %u: next %llu gen %d fresh %d edge %llu, should be %llu %d %d %llu", q, (unsigned long long)next, gen,
			 d[18] >> 3 & 1, (unsigned long long)edge, (unsigned long long)c->next, c->gen, c->fresh, (unsigned long long)c->edge);
	}
	c->fresh = d[18] >> 3 & 1;
	c->unsure = false;
	in_slot[s] = NULL;
	c->state = AWAY;
	c->until = tb_cycle() + tb_below(100);
	saves++;
	saving_any = false;
	if (c->over || c->killed) {
		lives++;
		make_stream(c);
		c->qpn = (c->qpn + CONNS) & 0xffffff;
	}
}

static void on_state(int port, const uint8_t *bits, void *arg)
{
	uint64_t v = tb_bits_get(bits, 0, 39);

	is_idle = v & 1;
	if (perf && (v & 2) && !perf_first)
		perf_first = tb_cycle();
	if (perf && (v & 4) && !perf_last)
		perf_last = tb_cycle();
	gones += v >> 6 & 1;
	stales += v >> 7 & 1;
	aheads += v >> 8 & 1;
	tails += v >> 9 & 1;
	fulls += v >> 10 & 1;
	fs_used = v >> 11 & 0xfff;
	drops += v >> 23 & 1;
	rings_got += v >> 24 & 1;
	spills += v >> 25 & 1;
	rings_free = v >> 26;
	if (few()) {
		few_at = tb_cycle();
		for (unsigned i = 0; i < CONNS; i++)
			conns[i].dry = true;
	}
}

static void load(struct conn *c)
{
	struct tb_pack b;
	uint8_t d[64] = { 0 };
	unsigned s;

	do
		s = tb_below(SLOTS);
	while (in_slot[s]);
	in_slot[s] = c;
	c->slot = s;
	c->rest = false;
	went_on += c->astride && c->has_line && (c->line[18] >> 6 & 1) && c->nxt - c->first > 3 * RING;
	memcpy(d, &c->next, 8);
	memcpy(d + 8, &c->edge, 8);
	d[16] = c->first;
	d[17] = c->first >> 8;
	d[18] = c->crc | c->markers << 1 | c->gen << 2 | c->fresh << 3 | c->dead << 5;
	if (c->has_line)
		memcpy(d, c->line, 64);
	tb_pack_begin(&b, 553);
	who(&b, c);
	tb_put(&b, 2, 0);
	tb_put(&b, 3, 6);
	for (int i = 63; i >= 0; i--)
		tb_put(&b, 8, d[i]);
	tb_item_push(LOAD, b.bits, 70);
	c->state = LOADING;
	loading = c;
}

static void save(struct conn *c)
{
	struct tb_pack b;

	tb_pack_begin(&b, 38);
	who(&b, c);
	tb_put(&b, 2, ++c->saves & 3);
	tb_item_push(SAVE, b.bits, 5);
	c->state = SAVING;
	saving_any = true;
}

static void command(struct conn *c, unsigned op, unsigned a)
{
	struct tb_pack b;

	tb_pack_begin(&b, 56);
	who(&b, c);
	tb_put(&b, 4, op);
	tb_put(&b, 16, a);
	tb_item_push(CMD, b.bits, 7);
	c->pins++;
}

static void frame(struct conn *c, uint64_t off, unsigned len, bool fin)
{
	struct frame *f = calloc(1, sizeof(*f));
	uint8_t *d = malloc(len + 256);

	f->c = c;
	f->off = off;
	f->len = len;
	f->start = tb_chance(70) || !len ? tb_range(54, 86) : tb_below(200);
	f->end_fin = fin;
	tb_rand_bytes(d, f->start);
	memcpy(d + f->start, c->stream + (off - c->first), len);
	unsigned behind = tb_chance(70) ? 0 : tb_below(20);

	tb_rand_bytes(d + f->start + len, behind);
	tb_packet_push(FSIN, d, f->start + len + behind, NULL, 0, false);
	free(d);
	*frames_tail = f;
	frames_tail = &f->next;
	c->frames++;
}

/* All behind the first FPDU, then that. */
static void send_far(struct conn *c)
{
	bool fill = c->snd >= c->end;
	uint64_t stop = fill ? c->f[1].off : c->end;

	if (fill && (c->pins || c->frames))
		return;
	if (c->nxt == c->end) {
		if (!c->fin_sent)
			frame(c, c->end, 0, true);
		return;
	}
	for (unsigned i = 0; fill && i < far; i++) /* all of them first */
		if (conns[i].snd < conns[i].end && conns[i].qpn < 0x10000 + CONNS)
			return;
	for (uint64_t at = fill ? c->nxt : c->snd; at < stop && c->frames < 4;) {
		unsigned len = tb_range(7000, 9000);

		if (at + len > stop)
			len = stop - at;
		frame(c, at, len, false);
		at += len;
		if (!fill)
			c->snd = at;
	}
}

static void send(struct conn *c)
{
	if (far) {
		send_far(c);
		return;
	}
	if (!c->pins && !c->frames && c->snd > c->nxt)
		c->snd = c->nxt; /* time-out */
	uint64_t off = c->snd;
	unsigned len = 0;

	c->whole |= hog != 0;
	bool fin = c->cut_short || (!c->bare && tb_chance(50));

	/* One FPDU, perhaps one of the next ones. */
	if (c->aligned && tb_chance(75) && at_off(c, off)) {
		struct fpdu *f = at_off(c, off);
		unsigned skip = tb_chance(50) ? tb_below(5) : 0;

		f += skip < (unsigned)(c->f + c->n - 1 - f) ? skip : 0;
		if (f->fake && tb_chance(30) && f->off + f->fake + FAKE <= c->end && f->off + f->fake + FAKE <= c->last_room) {
			frame(c, f->off + f->fake, FAKE, false);
			fakes++;
			return;
		}
		if (f->raw <= 9000 && f->off + f->raw <= c->end && f->off + f->raw <= c->last_room) {
			frame(c, f->off, f->raw, fin);
			if (f->off == c->snd)
				c->snd += f->raw;
			return;
		}
	}
	if (hog || c->astride)
		; /* in turn; with hog nothing but whole FPDUs */
	else if (tb_chance(7) && off > c->first)
		off -= tb_range(1, off - c->first < 150 ? off - c->first : 150);
	else if (tb_chance(7))
		off += tb_range(1, 3000);
	else if (rings && c->wild && tb_chance(50))
		off += tb_chance(30) ? tb_range(1, 60) : tb_range(1, 15000);
	if (off >= c->end) {
		if (c->nxt == c->end && !c->frames && !c->fin_sent && (!c->pins || (c->tarry ? c->out == c->end : tb_chance(20)))) /* FIN alone, also while FPDUs are with rdmap */
			frame(c, c->end, 0, true);
		return;
	}
	if (c->whole || tb_chance(60)) { /* up to the end of one of the next FPDUs */
		unsigned i = 0, k = tb_below(c->whole ? 3 : 8);

		while (i < c->n - 1 && c->f[i].off + c->f[i].raw <= off)
			i++;
		len = c->f[i].off + c->f[i].raw - off;
		for (i++; k-- && i < c->n && len + c->f[i].raw < 9000; i++)
			len += c->f[i].raw;
	} else {
		len = tb_range(1, tb_chance(50) ? 60 : 3000);
	}
	if (!hog && tb_chance(40))
		len += tb_below(200);
	if (len > 16000 + 128)
		len = 16000 + 128;
	if (c->whole && at_off(c, off) && len < at_off(c, off)->raw)
		len = at_off(c, off)->raw;
	if (len > c->end - off)
		len = c->end - off;
	if (rings && off + len > c->last_room) { /* the window */
		if (off >= c->last_room)
			return;
		len = c->last_room - off;
	}
	if (rings && len > 9000)
		len = 9000;
	if (len > 16384 - 240) {
		c->cut_short = false; /* such an FPDU does not come in one piece here: a new stream */
		c->killed = true;
		return;
	}
	if ((c->astride || c->tarry) && !c->whole && len > 8 && at_off(c, off + len))
		len -= tb_range(1, 8);
	c->rest = c->astride && off - c->first > 3 * RING && tb_chance(20);
	c->whole = false;
	frame(c, off, len, fin);
	if (off <= c->snd && off + len > c->snd)
		c->snd = off + len;
}

/* ---- measurements with connection 0 ---- */
static bool perf_step(void)
{
	struct conn *c = &conns[0];
	static int phase, stage;
	static const unsigned ulpdu[3] = { 14 + 64, 14 + 64, 8930 }, per[3] = { 1, 17, 1 }, n[3] = { 1, 30, 30 };

	switch (stage) {
	case 0: /* frames are stored first */
		make_stream(c);
		for (unsigned i = 0; i < c->n; i++)
			free(c->f[i].data);
		c->n = 0;
		c->crc = true;
		c->markers = false;
		c->first = c->end = 0;
		c->next = c->nxt = c->edge = c->gen = c->tgen = 0;
		c->last_room = 0;
		perf_put = perf_rx = 0;
		load(c);
		/* the same FPDUs again and again: a segment each */
		for (unsigned i = 0; i < per[phase]; i++)
			make_fpdu(c, ulpdu[phase], OK, 0xc0);
		for (unsigned i = 0; i < n[phase]; i++)
			tb_packet_push(FSIN, c->stream, c->end, NULL, 0, false);
		stage = 1;
		return true;
	case 1:
		if (tb_pending(LOAD) || perf_put < n[phase])
			return true;
		c->state = RUN;
		loading = NULL;
		perf_first = perf_last = perf_bytes = 0;
		perf_len = c->end;
		/* the record of FPDUs repeats for every segment */
		for (unsigned i = 0; i < n[phase]; i++) {
			struct tb_pack b;

			tb_pack_begin(&b, 148);
			who(&b, c);
			tb_put(&b, 1, 0);
			tb_put(&b, 64, (uint64_t)perf_len * i);
			tb_put(&b, 16, perf_len);
			tb_put(&b, 12, perf_handles[i]);
			tb_put(&b, 16, 0);
			tb_put(&b, 3, 0);
			tb_item_push(PIECE, b.bits, 19);
			c->pins++;
		}
		c->want = ~0u >> 1;
		stage = 2;
		return true;
	case 2:
		/* wrap the model's record around */
		if (c->got == per[phase]) {
			c->got = 0;
			for (unsigned i = 0; i < c->n; i++)
				c->f[i].off += perf_len;
		}
		if (perf_rx < n[phase] * per[phase] || c->pins)
			return true;
		unsigned w = TB_DATA_W / 8;
		double cyc = perf_last - perf_first;

		if (phase == 0) {
			tb_note("latency from a piece of one 64-byte Write to its rx_fpdu: %d cycles", (int)cyc);
			tb_check(TB_DATA_W != 512 || cyc <= 15, "latency %d", (int)cyc);
		} else if (phase == 1) {
			tb_note("64-byte Writes, 17 in a segment: %.3f FPDUs a cycle", perf_rx / cyc);
			tb_check(TB_DATA_W != 512 || perf_rx / cyc > 0.45, "FPDUs a cycle: %.3f", perf_rx / cyc);
		} else {
			tb_note("MTU 9000: %.1f B/cycle of %u", perf_bytes / cyc, w);
			tb_check(perf_bytes / cyc >= w * 61.0 / 64, "B/cycle: %.1f", perf_bytes / cyc);
		}
		save(c);
		c->dead = false;
		c->fins = 1; /* the line's offsets are not compared */
		c->over = true;
		stage = 3;
		return true;
	default:
		if (c->state != AWAY)
			return true;
		stage = 0;
		return ++phase < 3;
	}
}

void tb_setup(void)
{
	target = tb_opt("lives", TB_DATA_W == 64 ? 50 : 120);
	tb_on_item(PUT, on_put, NULL);
	tb_on_item(RX, on_rx, NULL);
	tb_on_packet(OUT, on_out, NULL);
	tb_on_item(ROOM, on_room, NULL);
	tb_on_item(UNACC, on_unacc, NULL);
	tb_on_item(LINE, on_line, NULL);
	tb_on_item(EV, on_ev, NULL);
	tb_on_item(DROP, on_drop, NULL);
	tb_on_item(STATE, on_state, NULL);
	tb_on_item(STORED, on_stored, NULL);
	tb_on_item(RDREQ, on_rdreq, NULL);
	tb_on_packet(WR, on_wr, NULL);
	wnd = tb_opt("wnd", 200000);
	rings = tb_opt("rings", 0);
	aligned = tb_opt("aligned", 0);
	hog = tb_opt("hog", 0);
	perf = rings == 0;
	unsigned shift = tb_opt("shift", 0); /* a page has 4 KiB << shift */
	units = tb_opt("pages", 16) << shift;
	far = tb_opt("far", 0);
	tb_check(rings * units <= sizeof(host) / sizeof(*host), "%u rings of %u KiB", rings, 4 * units);

	for (unsigned i = 0, n = rings * units >> shift; i < n; i++) {
		uint64_t a = PAGE_BASE + ((uint64_t)(i * 5 % n) << (12 + shift));

		tb_item_push(PAGE, &a, 8);
	}
	for (unsigned i = 0; i < CONNS; i++) {
		conns[i].qpn = 0x10000 + i;
		make_stream(&conns[i]);
	}
}

static void live(struct conn *c)
{
	uint64_t now = tb_cycle();

	while (c->n_begun < c->n && c->nxt > c->f[c->n_begun].off)
		c->begun[c->n_begun++] = now;
	if (now >= c->later_at && c->cov > c->nxt) /* tcp hears of it */
		c->nxt = c->cov;
	if (c->later && now >= c->later_at) {
		c->pins -= c->later;
		c->later = 0;
	}
	switch (c->state) {
	case AWAY:
		if (lives < target && !loading && now >= c->until && tb_chance(20) && (!far || (c < conns + far && (far == 1 || c->qpn < 0x10000 + CONNS) && !tb_pending(PAGE)))) {
			for (unsigned s = 0; s < SLOTS; s++)
				if (!in_slot[s]) {
					load(c);
					break;
				}
		}
		break;
	case RUN:
		if (c->thru && now >= c->thru_at)
			say_through(c);
		if (c->refuse_at && now >= c->refuse_at)
			tell_refusal(c);
		if (c->refused && !c->refuse_at && !c->resumed && now >= c->until && now >= hog && !tb_pending(REFUSE)) {
			struct tb_pack b;

			tb_pack_begin(&b, 36);
			who(&b, c);
			tb_item_push(RESUME, b.bits, 5);
			TRACE(c, "%lu resume", (unsigned long)tb_cycle());
			c->pins++;
			c->resumed = true;
		}
		if (!c->pins && !c->frames) {
			/* all is quiet */
			if (!c->refused)
				step_over(c, c->nxt);
			if (rings && !(c->refused && !c->resumed)) {
				struct fpdu *f = &c->f[c->got];

				tb_check(c->dead || c->got_fins || ((c->got == c->n || f->off + f->raw > c->nxt) && c->cov == c->nxt),
					 "connection %u: accepted %llu, committed %llu, but FPDU %u did not come", c->qpn, (unsigned long long)c->nxt,
					 (unsigned long long)c->cov, c->got);
				/* Nothing is read: the window is open, or a sender that waits for it in the middle of an FPDU waits for ever. */
				tb_check(c->dead || c->got_fins || c->got == c->n || c->last_room >= f->off + f->raw,
					 "connection %u: FPDU %u at %llu, edge at %llu", c->qpn, c->got, (unsigned long long)f->off, (unsigned long long)c->last_room);
				tb_check(c->dead || c->got_fins || !c->fin_sent || c->got < c->n, "connection %u: all came, and not that the stream ends", c->qpn);
				fins_again += c->fin_refused && c->got_fins;
				fins_direct += c->fin_direct == 2 && c->got_fins;
				c->fin_refused = false;
				c->fin_direct = 0;
				c->loose = c->refused = false;
			} else if (c->loose && (c->told || c->by_fw || c->got_fins)) {
				c->loose = false;
				c->want = c->got;
				c->fins = c->got_fins;
				c->un_r = c->un_w;
				c->ro_r = c->ro_w;
			} else if (c->loose && c->resumed) {
				/* a fault behind the refused FPDU comes again */
				c->dead = c->maybe = false;
				struct fpdu *f = &c->f[c->got];

				tb_check(c->over || c->nxt == (c->got < c->n ? f->off : c->end), "connection %u: tcp at %llu, FPDU %u at %llu", c->qpn,
					 (unsigned long long)c->nxt, c->got, (unsigned long long)f->off);
				c->loose = false;
				c->next = c->nxt;
				c->gen = c->tgen;
				c->unsure = true;
				c->want = c->got;
				c->fins = c->got_fins;
				c->edge = c->last_room;
				c->un_r = c->un_w;
				c->ro_r = c->ro_w;
			}
			if (!c->loose) {
				tb_check(rings || (c->got == c->want && c->got_fins == c->fins), "connection %u: %u FPDUs and %u ends came of %u and %u", c->qpn,
					 c->got, c->got_fins, c->want, c->fins);
				if (!c->maybe)
					tb_check(c->un_r == c->un_w && c->ro_r == c->ro_w, "connection %u: %u drops, %u edges were not told", c->qpn,
						 c->un_w - c->un_r, c->ro_w - c->ro_r);
				if (rings && (c->over || c->killed) && !c->gone) { /* gives its ring back */
					command(c, OP_SET, 1);
						c->by_fw = true;
					c->gone = c->dead = c->killed = true;
					break;
				}
				/* rdmap says that it is through before it gives the pin back */
				if (!c->drain && !saving_any && !tb_pending(THROUGH) && (c->over || c->killed || (!far && tb_chance(3)))) {
					save(c);
					break;
				}
				if (!c->over && !c->astride && !far && tb_chance(1)) {
					if (tb_chance(70)) {
						c->drain = true;
						c->token = tb_rand();
						command(c, OP_DRAIN, c->token);
					} else if (tb_chance(50)) {
						command(c, OP_ACK, tb_rand());
					} else {
						command(c, OP_SET, 1);
						c->by_fw = true;
						c->dead = true;
						c->killed = true;
					}
					break;
				}
			}
		}
		/* a FIN behind bytes of the ring is on its way while they are refused, or refused again */
		if (rings && c->loose && c->nxt == c->end && !c->frames && !c->fin_sent && !c->over && c->killed == c->dead && (!c->tarry || c->out == c->end) && tb_chance(10))
			frame(c, c->end, 0, true);
		if (c->loose && c->resumed)
			break; /* until all is quiet */
		if (c->killed && c->snd >= c->end)
			break;
		if (!c->over && !c->rest && c->frames < 4 && c->pins < 12 && !tb_pending(CMD) && tb_chance(20) && (c->killed == c->dead))
			send(c);
		break;
	}
}

/* Something of everything. Narrow ones run fewer streams, and need not. */
static bool met(void)
{
	return faults[CRC] && faults[MARKER] && faults[LENGTH] && faults[FIN] && refusals && (drains || rings) && aheads && fulls && tails && unaccs &&
	       lone && (!rings || (fins_again && rings_got > 20 && stored_n > 100 && drops && sides > 50 && leaps > 20)) &&
	       (!aligned || (fronts > 200 && placed_n > 100 && steps > 50 && fakes > 50));
}

bool tb_step(void)
{
	static uint64_t idle_since;
	static unsigned mood = 100;

	if (perf) {
		perf = perf_step();
		if (!perf) {
			lives = saves = fpdus = 0;
			bytes_in = 0;
		}
		return false;
	}
	if (tb_cycle() % 1000 == 0) {
		mood = tb_cycle() / 1000 % 16 < (TB_DATA_W < 512 ? 7 : 3) ? 0 : tb_chance(60) ? 100 : 3; /* rdmap holds what it has */
		for (int i = 0; i <= WR; i++) {
			tb_src_rate(i, tb_chance(50) ? 100 : tb_range(10, 90));
			tb_snk_rate(i, tb_chance(50) ? 100 : tb_range(10, 90));
		}
	}
	if (loading && !tb_pending(LOAD)) {
		loading->state = RUN;
		loading = NULL;
	}
	for (struct hold **pp = &holds, *o; (o = *pp);) {
		if (tb_cycle() < o->until || !tb_chance(mood)) {
			pp = &o->next;
			continue;
		}
		struct tb_pack b;

		*pp = o->next;
		o->next = NULL;
		tb_pack_begin(&b, 44);
		tb_put(&b, 12, o->handle);
		tb_put(&b, 16, o->from);
		tb_put(&b, 16, o->len);
		tb_item_push(RD, b.bits, 6);
		*reads_tail = o;
		reads_tail = &o->next;
	}
	while (dmas && tb_cycle() >= dmas->when) {
		struct dma *r = dmas;
		bool bad = !far && tb_below(400) == 0;

		errs += bad;
		tb_packet_push(DMA, host[r->page] + r->at, r->len, NULL, 0, bad);
		if (!(dmas = r->next))
			dmas_tail = &dmas;
		free(r);
	}
	if (hog && tb_cycle() == hog - 1) {
		tb_note("all refused: %u of %u rings are free, %u were told", rings_free, rings, kept_late);
		tb_check(rings_free * 4 == rings, "what was refused has %u of %u rings", rings - rings_free, rings);
		tb_check(kept_late >= rings - rings_free, "%u rings were told, should be %u", kept_late, rings - rings_free);
	}
	/* Traffic goes on until something of everything was, up to three times as long as it was to. */
	if (TB_DATA_W == 512 && !hog && !far && lives >= target && target < 3 * (unsigned)tb_opt("lives", 120) && !met())
		target += 10;
	bool busy = lives < target || dmas || frames || holds || reads || !is_idle;
	for (unsigned i = 0; i < CONNS; i++) {
		live(&conns[i]);
		busy |= conns[i].pins != 0 || conns[i].state != AWAY || conns[i].frames || conns[i].drain;
	}
	if (lives >= target)
		for (unsigned i = 0; i < CONNS; i++)
			conns[i].over |= conns[i].state == RUN && !conns[i].loose;
	if (busy)
		idle_since = tb_cycle();
	if (tb_cycle() > 3000000) {
		tb_fail("no end: %u lives, idle %d", lives, is_idle);
		for (unsigned i = 0; i < CONNS; i++)
			tb_note("connection %u: state %d pins %d frames %u holds %u got %u of %u nxt %llu next %llu dead %d loose %d over %d", conns[i].qpn,
				conns[i].state, conns[i].pins, conns[i].frames, conns[i].holds, conns[i].got, conns[i].n,
				(unsigned long long)conns[i].nxt, (unsigned long long)conns[i].next, conns[i].dead, conns[i].loose, conns[i].over);
		return true;
	}
	return tb_cycle() - idle_since > (rings ? 5 * UNIT : 300);
}

void tb_finish(void)
{
	unsigned kept = 0; /* by connections that are away with a part of an FPDU */

	for (unsigned i = 0; i < CONNS; i++) {
		struct conn *c = &conns[i];
		bool keeps = c->state == AWAY && c->has_line && (c->line[18] >> 6 & 1);

		kept += keeps;
		tb_check(!keeps || c->late || c->refused || c->fin_sent, "connection %u keeps a ring, and nobody was told", c->qpn);
	}
	tb_check(far != 1 || far_leaps == lives, "more than 1 MiB was next at once %u times in %u streams", far_leaps, lives);
	/* An FPDU at the end of some reads is read twice. Of FPDUs of 16 KB none waits for the next read: the buffer has no room for both. */
	if (far)
		tb_note("rings that are read: %u, %llu kB were written, %llu kB read", far, (unsigned long long)written_bytes / 1000, (unsigned long long)read_bytes / 1000);
	tb_check(far < 2 || (written_bytes > far * 500000ull && read_bytes * 4 <= written_bytes * 5), "of %llu bytes in rings, %llu were read", (unsigned long long)written_bytes,
		 (unsigned long long)read_bytes);
	tb_check(!rings || far || TB_DATA_W < 512 || lates > 5, "%u FPDUs were late", lates);
	tb_check(rings_free + kept == rings, "%u of %u rings are free, %u are kept", rings_free, rings, kept);
	tb_check(fs_used == 0, "%u blocks of frames were not freed", fs_used);
	/* narrow ones run fewer streams */
	tb_check(!hog || kept_again > 10, "%u that were refused came through a ring", kept_again);
	tb_check(TB_DATA_W < 512 || hog || far || (met() && saves > lives),
		 "not all of it came: crc %u marker %u length %u end %u refused %u drained %u ahead %u full %u", faults[CRC], faults[MARKER], faults[LENGTH],
		 faults[FIN], refusals, drains, aheads, fulls);
	/* at 64 bits most of these streams do not get that far */
	tb_check(!rings || hog || far || TB_DATA_W < 128 || went_on, "nobody came home with part of an FPDU behind three rings of bytes");
	if (rings)
		tb_note("%u times home with part of an FPDU, behind three rings of bytes", went_on);
	if (rings)
		tb_note("ahead of turn: told %u times, %llu kB; %u times next behind a hole", sides, (unsigned long long)side_bytes / 1000, leaps);
	if (aligned)
		tb_note("Writes ahead of turn: to rdmap %u, placed %u, stepped over %u; imitations in segments of their own %u", fronts, placed_n, steps, fakes);
	if (rings)
		tb_note("%u ends that are acknowledged went away with a refusal and came again, %u of them behind an empty ring; %u stayed over a drop", fins_again, fins_direct, fins_stay);
	if (rings)
		tb_note("rings: %u FPDUs late; refused ones stored %u; got %u, bytes went there %u times, stored told %u, reads %u, errors %u, faults %u, drops %u", lates, kept_again, rings_got, spills, stored_n, ring_reads,
			errs, faults[RINGERR], drops);
	tb_note("%u streams, %u FPDUs, %llu kB; faults: crc %u, marker %u, length %u; ends %u, %u FINs alone; tails %u, let go: stale %u, ahead %u, dead %u; cut in front %u; edges %u; refused %u; full %u; saves %u",
		lives, fpdus, (unsigned long long)bytes_in / 1000, faults[CRC], faults[MARKER], faults[LENGTH], faults[FIN], lone, tails, stales, aheads, gones,
		dups, rooms, refusals, fulls, saves);
}
