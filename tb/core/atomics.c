// SPDX-License-Identifier: BSD-2-Clause
/*
 * Atomics (RFC 7306 5) of two whole cards. Each queue pair asks for them at its peer's card, where there are
 * - a counter of all: each adds 1, and what they get back is every number once;
 * - a lock of all (CmpSwap), which guards a number that is read, and written one larger, by who has it;
 * - a word of each queue pair's own, which is added to, swapped, written and read in any order that RFC 7306 5.4 defines: each value is foretold.
 * What is asked for again (frames are lost, and +drop takes those that carry atomics and their answers) is never executed again, or one of these is wrong.
 * The value before lies in its 8 bytes, at any address, and nowhere else.
 *
 * +crossed: then what two ends must not wait for each other over.
 * Then, with firmware, what is refused, at the peer and at the asker's own: status, Terminate, memory as it was; requests in front of it were executed, those behind it are flushed.
 *
 * atomics [+direct] +pairs=N +own=N +ops=N +locks=N +drop=PERCENT +crossed +refusals [--seed N] [--adversary ...] [--wire ...]
 * +direct: without firmware. Else FW: the image; +own: so many connections of the second card with itself, whose queue pairs share the words with those of
 * the first card.
 */
#include <stdio.h>

#include "cards.h"

#define MAX_PAIRS 64
#define DEPTH 8u
#define ROOM 32u     /* of a value in the sink */
#define WORDS 1024u
#define OWN_L2 4
#define LW (1 << WEFT_ACCESS_LOCAL_WRITE)
#define LR (1 << WEFT_ACCESS_LOCAL_READ)
#define RW (1 << WEFT_ACCESS_REMOTE_WRITE)
#define RR (1 << WEFT_ACCESS_REMOTE_READ)
#define RA (1 << WEFT_ACCESS_REMOTE_ATOMIC)

enum { SHARED, LOCK, GUARDED, OWN }; /* words; that of asker i is OWN + i */
enum kind { ADD_SHARED, ADD_OWN, SWAP_OWN, WRITE_OWN, READ_OWN, TAKE, READ_GUARDED, WRITE_GUARDED, GIVE };

struct op {
	enum kind kind;
	bool signaled;
	uint16_t index;
	uint64_t expect;      /* the value before, where it is foretold */
	uint8_t into;         /* first byte of the value in its room */
	uint8_t room[ROOM];   /* what the room held */
};

struct asker {
	unsigned int me, at; /* hosts */
	struct ls_qp *qp;
	struct ls_cq *cq;
	struct ls_mr *sink;
	struct asker *first; /* the initiator, whose first message comes before those of its peer */
	struct op ops[DEPTH];
	unsigned int head, tail, started, done, own_busy;
	bool reading;        /* its own word: nothing that changes it may be behind the Read */
	uint64_t own, last;  /* last: value of the shared word */
	bool seen;
	unsigned int sections;
	enum { IDLE, TAKING, HOLDING, GIVING } lock;
	unsigned int tries; /* that found it held, one behind the other */
	uint64_t not_before; /* the next one, in cycles */
};

static struct lockstep *ls;
static struct card cards[2], *ends[2] = { &cards[0], &cards[1] };
static struct asker askers[2 * MAX_PAIRS];
static unsigned int n_askers, pairs = 4, own, ops = 60, locks = 4, drop;
static struct ls_mr *words[2];
static uint64_t base[2], adds[2], guarded[2];
static bool *returned[2];
static int holder[2] = { -1, -1 };
static uint64_t dropped[2]; /* requests, responses */
static uint16_t port = 40000;

static uint32_t below(uint32_t n) { return (uint32_t)(ls_random(ls) >> 20) % n; }
static unsigned int number(const struct asker *a) { return (unsigned int)(a - askers); }

static uint64_t word(unsigned int k, unsigned int i)
{
	uint64_t v;

	ls_mr_get(words[k], 8 * i, &v, 8);
	return v;
}
static void set_word(unsigned int k, unsigned int i, uint64_t v) { ls_mr_put(words[k], 8 * i, &v, 8); }

/* ---- set-up ---- */

static const uint32_t pds[2] = { 7, 40 };

static void make_words(unsigned int k)
{
	struct ls_mr_attr a = { .bytes = 8 * WORDS, .pd = pds[k], .access = LR | LW | RR | RW | RA, .fbo = 8 * below(512), .page_log2 = 12 + below(3),
				.zero_based = below(2), .direct = below(4) == 0 };

	words[k] = ls_mr_create(ls_host(ls, k), &a);
	base[k] = below(2) ? -(uint64_t)below(64) : ls_random(ls); /* it may pass 2^64 */
	set_word(k, SHARED, base[k]);
	set_word(k, LOCK, 0);
	set_word(k, GUARDED, 0);
}

static struct ls_qp *make_qp(unsigned int k, struct ls_cq *cq, bool direct, uint8_t access)
{
	struct ls_qp_attr qa = { .pd = pds[k], .page = 1, .access = access, .ird = CARD_READS, .ord = CARD_READS, .scq = cq, .rcq = cq };
	struct ls_qp *q = ls_qp_create(ls_host(ls, k), &qa);

	if (!direct)
		card_qp(ends[k], q, cq, qa.pd, 1, access);
	return q;
}

static struct asker *make_asker(unsigned int me, unsigned int at, bool direct)
{
	struct asker *a = &askers[n_askers];
	struct ls_mr_attr sink = { .bytes = DEPTH * ROOM, .pd = pds[me], .access = LR | LW | RW, .fbo = below(2) ? 4096 - below(DEPTH * ROOM) : below(4096) };

	LS_CHECK(ls, OWN + n_askers < WORDS);
	a->me = me;
	a->at = at;
	a->cq = ls_cq_create(ls_host(ls, me), 8, NULL, 1);
	a->qp = make_qp(me, a->cq, direct, RW | RR | RA);
	a->sink = ls_mr_create(ls_host(ls, me), &sink);
	a->own = ls_random(ls);
	set_word(at, OWN + n_askers, a->own);
	n_askers++;
	return a;
}

static void make_pair(unsigned int from, unsigned int to, bool direct)
{
	struct asker *a = make_asker(from, to, direct), *b = make_asker(to, from, direct);
	struct ls_link_attr link = { .mtu = below(2) ? 9000 : 1500, .no_hold = true, .sack = below(2) };
	struct card *const both[2] = { ends[from], ends[to] };
	uint32_t handle[2];

	a->first = b->first = a;
	if (direct)
		ls_connect(a->qp, b->qp, &link);
	else
		card_join(both, a->qp, b->qp, port++, handle);
}

/* The second card is its own peer as well: by an L2 entry of its own. */
static void make_own_pair(void)
{
	struct asker *a = make_asker(1, 1, false), *b = make_asker(1, 1, false);
	uint8_t c[64], rsp[64];
	uint32_t handle[2];
	struct card *e = ends[1], *const both[2] = { e, e };

	a->first = b->first = a;
	e->own = true;
	card_cm(e, c, 0, ls_qpn(a->qp));
	LS_SET(c, WEFT_ADMIN_CM_L2, OWN_L2);
	LS_SET(c, WEFT_ADMIN_CM_LOCAL_PORT, port++);
	LS_SET(c, WEFT_ADMIN_CM_PEER_PORT, CARD_PORT);
	card_admin(e, c, WEFT_ADMIN_OP_CONNECT, rsp);
	handle[0] = (uint32_t)LS_GET(rsp, WEFT_ADMIN_RSP_ID);
	handle[1] = card_event(e, WEFT_EQE_TYPE_CM_CONNECT_REQUEST);
	card_cm(e, c, handle[1], ls_qpn(b->qp));
	LS_SET(c, WEFT_ADMIN_CM_L2, OWN_L2);
	card_admin(e, c, WEFT_ADMIN_OP_ACCEPT, rsp);
	card_events(both, (const unsigned int[]){ WEFT_EQE_TYPE_CM_CONNECT_REPLY, WEFT_EQE_TYPE_CM_ESTABLISHED }, handle);
	e->own = false;
}

static void own_l2(struct card *e)
{
	uint8_t c[64] = { 0 }, rsp[64];
	uint64_t mac = ls_mac(e->h);

	memcpy(c + WEFT_ADMIN_L2_DMAC_OFF, &mac, 6);
	memcpy(c + WEFT_ADMIN_L2_SMAC_OFF, &mac, 6);
	LS_SET(c, WEFT_ADMIN_L2_ID, OWN_L2);
	LS_SET(c, WEFT_ADMIN_L2_MTU, 1500);
	LS_SET(c, WEFT_ADMIN_L2_FLAGS, 1);
	card_admin(e, c, WEFT_ADMIN_OP_L2_SET, rsp);
}

/* The station address, which firmware sets from MAC_SET. */
static void station(struct ls_host *h)
{
	uint64_t mac = ls_mac(h);

	ls_cfg_write(h, WEFT_ROOM_STEER, WEFT_STEER_MAC_LO, (uint32_t)mac);
	ls_cfg_write(h, WEFT_ROOM_STEER, WEFT_STEER_MAC_HI, (uint32_t)(mac >> 32) & 0xffff);
}

/* Frames whose first FPDU is an Atomic Request or Response (RFC 7306 4) are lost more often than others. */
static bool hook(void *arg, unsigned int from, uint8_t *f, size_t len)
{
	size_t at = 14 + 4 * (size_t)(f[14] & 15), op;

	(void)arg;
	(void)from;
	if (!drop || len < at + 20 || f[12] != 8 || f[13] != 0 || f[23] != 6)
		return true;
	at += 4 * (size_t)(f[at + 12] >> 4) + 2; /* behind the FPDU's length: DDP's control, RDMAP's */
	if (len < at + 18 || f[at] & 0x80)
		return true;
	op = f[at + 1] & 15;
	if ((op != 10 && op != 11) || below(100) >= drop)
		return true;
	dropped[op - 10]++;
	return false;
}

/* ---- traffic ---- */

static void post_atomic(struct asker *a, const struct ls_send *wr, bool swap, uint64_t data, uint64_t compare)
{
	struct ls_send w = *wr;
	uint8_t *at;

	w.opcode = swap ? WEFT_SQ_OPCODE_CMP_SWAP : WEFT_SQ_OPCODE_FETCH_ADD;
	at = ls_sq_slot(a->qp, ls_post_send(a->qp, &w)) + WEFT_SQE_BYTES + WEFT_SGE_BYTES;
	LS_SET(at, WEFT_SQE_ATOMIC_DATA, data);
	LS_SET(at, WEFT_SQE_ATOMIC_COMPARE, compare);
}

static void post(struct asker *a, enum kind kind)
{
	struct op *o = &a->ops[a->head % DEPTH];
	unsigned int slot = a->head % DEPTH, w = kind == ADD_SHARED ? SHARED : kind == TAKE || kind == GIVE ? LOCK : kind == READ_GUARDED ||
		kind == WRITE_GUARDED ? GUARDED : OWN + number(a);
	struct ls_send wr = { .rstag = words[a->at]->stag, .raddr = words[a->at]->to + 8 * w, .num_sge = 1 };
	uint64_t v, id = 1 + number(a);

	*o = (struct op){ .kind = kind, .into = (uint8_t)below(ROOM - 8 + 1), .signaled = kind >= TAKE || kind == READ_OWN || below(3) == 0 || slot % 4 == 3 };
	o->signaled = o->signaled || !a->head || a->started + 1 >= ops; /* the peer waits for the first */
	ls_mr_fill(a->sink, slot * ROOM, ROOM, ls_random(ls));
	ls_mr_get(a->sink, slot * ROOM, o->room, ROOM);
	wr.sge[0] = (struct ls_sge){ .mr = a->sink, .offset = slot * ROOM + o->into, .length = 8 };
	wr.signaled = o->signaled;
	wr.read_fence = below(16) == 0;
	switch (kind) {
	case ADD_SHARED:
		adds[a->at]++;
		post_atomic(a, &wr, false, 1, ls_random(ls));
		break;
	case ADD_OWN:
		v = below(2) ? ls_random(ls) : 1;
		o->expect = a->own;
		a->own += v;
		post_atomic(a, &wr, false, v, 0);
		break;
	case SWAP_OWN: {
		uint64_t compare = below(2) ? a->own : a->own ^ (UINT64_C(1) << below(64));

		v = ls_random(ls);
		o->expect = a->own;
		if (compare == a->own)
			a->own = v;
		post_atomic(a, &wr, true, v, compare);
		break;
	}
	case TAKE:
		post_atomic(a, &wr, true, id, 0);
		break;
	case GIVE:
		o->expect = id;
		post_atomic(a, &wr, true, 0, id);
		break;
	case READ_OWN:
	case READ_GUARDED:
		o->expect = kind == READ_OWN ? a->own : guarded[a->at];
		a->reading = a->reading || kind == READ_OWN;
		wr.opcode = WEFT_SQ_OPCODE_READ;
		ls_post_send(a->qp, &wr);
		break;
	case WRITE_OWN:
	case WRITE_GUARDED:
		v = kind == WRITE_OWN ? (a->own = ls_random(ls)) : ++guarded[a->at];
		wr.opcode = WEFT_SQ_OPCODE_WRITE;
		wr.inline_bytes = &v;
		wr.inline_length = 8;
		ls_post_send(a->qp, &wr);
		break;
	}
	o->index = (uint16_t)a->head;
	a->own_busy += kind >= ADD_OWN && kind <= READ_OWN;
	a->head++;
	a->started += kind < TAKE;
	ls_ring_sq(a->qp);
}

static void shared(struct asker *a, uint64_t v)
{
	uint64_t n = v - base[a->at];

	if (n >= adds[a->at] || returned[a->at][n])
		ls_fail(ls, "asker %u: the word of all was %#llx, %llu behind its start of %llu additions%s", number(a), (unsigned long long)v, (unsigned long long)n,
			(unsigned long long)adds[a->at], n < adds[a->at] ? ", and it was before" : "");
	if (a->seen && n <= a->last)
		ls_fail(ls, "asker %u: the word of all was %llu behind its start, and %llu in the request before", number(a), (unsigned long long)n,
			(unsigned long long)a->last);
	a->seen = true;
	a->last = n;
	returned[a->at][n] = true;
}

/* o: a copy, as its place may be used again here */
static void finish(struct asker *a, struct op *o, unsigned int slot)
{
	bool writes = o->kind == WRITE_OWN || o->kind == WRITE_GUARDED;
	uint8_t room[ROOM];
	uint64_t v;

	ls_mr_get(a->sink, slot * ROOM, room, ROOM);
	memcpy(&v, room + o->into, 8);
	if (!writes)
		memcpy(o->room + o->into, &v, 8);
	if (memcmp(room, o->room, ROOM))
		ls_fail(ls, "asker %u: operation %u changed other bytes than its 8", number(a), o->kind);
	if (o->kind == ADD_SHARED) {
		shared(a, v);
	} else if (o->kind == TAKE) {
		a->lock = v ? IDLE : HOLDING;
		if (!v) {
			if (holder[a->at] >= 0)
				ls_fail(ls, "asker %u has the lock of card %u, and so has %d", number(a), a->at, holder[a->at]);
			holder[a->at] = (int)number(a);
			a->tries = 0;
		} else {
			if (v > n_askers)
				ls_fail(ls, "asker %u: the lock is held by %llu", number(a), (unsigned long long)v);
			/* Who has it may wait for a time-out; a card that is asked all the time has no quiet cycle that could be left out. */
			a->not_before = ls_cycles(ls) + (1000u << (a->tries < 10 ? a->tries++ : 10));
		}
	} else if (!writes && v != o->expect) {
		ls_fail(ls, "asker %u: operation %u found %#llx, not %#llx", number(a), o->kind, (unsigned long long)v, (unsigned long long)o->expect);
	}
	if (o->kind == READ_OWN)
		a->reading = false;
	if (o->kind == READ_GUARDED) {
		holder[a->at] = -1; /* another one may hear that it has it before this one hears that it gave it back */
		post(a, WRITE_GUARDED);
		post(a, GIVE);
	} else if (o->kind == GIVE) {
		a->lock = IDLE;
		a->sections++;
	}
	a->own_busy -= o->kind >= ADD_OWN && o->kind <= READ_OWN;
	a->done++;
}

static void completion(struct asker *a, const struct ls_wc *wc)
{
	for (;;) {
		struct op o = a->ops[a->tail % DEPTH];
		bool last = o.index == wc->index, atomic;

		LS_CHECK(ls, a->tail != a->head);
		if (last) {
			unsigned int opcode = o.kind == ADD_SHARED || o.kind == ADD_OWN ? WEFT_WC_OPCODE_FETCH_ADD :
				o.kind == READ_OWN || o.kind == READ_GUARDED ? WEFT_WC_OPCODE_READ :
				o.kind == WRITE_OWN || o.kind == WRITE_GUARDED ? WEFT_WC_OPCODE_WRITE : WEFT_WC_OPCODE_CMP_SWAP;

			atomic = opcode == WEFT_WC_OPCODE_FETCH_ADD || opcode == WEFT_WC_OPCODE_CMP_SWAP;
			if (wc->status || wc->qpn != ls_qpn(a->qp) || wc->opcode != opcode || (atomic && wc->bytes != 8))
				ls_fail(ls, "asker %u: operation %u: QP %u opcode %u status %u vendor %#x, %u bytes", number(a), o.kind, wc->qpn, wc->opcode,
					wc->status, wc->vendor_err, wc->bytes);
		}
		LS_CHECK(ls, last || !o.signaled);
		finish(a, &o, a->tail++ % DEPTH);
		if (last)
			return;
	}
}

static bool may(const struct asker *a, enum kind kind)
{
	if (kind == ADD_SHARED)
		return true;
	return !a->reading && (kind != WRITE_OWN || !a->own_busy);
}

static bool turn(void *arg)
{
	bool over = true;

	(void)arg;
	for (unsigned int i = 0; i < n_askers; i++) {
		struct asker *a = &askers[i];
		struct ls_wc wc;

		while (ls_cq_poll(a->cq, &wc))
			completion(a, &wc);
		if (a == a->first ? a->done || !a->started : a->first->done) {
			/* two places are kept for who has the lock */
			if (a->head - a->tail + 3 <= DEPTH && a->lock == IDLE && a->sections < locks && ls_cycles(ls) >= a->not_before && below(40) == 0) {
				a->lock = TAKING;
				post(a, TAKE);
			} else if (a->head - a->tail + 2 <= DEPTH && a->lock == HOLDING) {
				a->lock = GIVING;
				post(a, READ_GUARDED);
			} else if (a->started < ops && a->head - a->tail + 3 <= DEPTH && below(4) == 0) {
				enum kind kind = below(2) ? ADD_SHARED : (enum kind)(ADD_OWN + below(4));

				if (may(a, kind))
					post(a, kind);
			}
		}
		over = over && a->started >= ops && a->head == a->tail && a->sections >= locks;
	}
	return over;
}

/* A Write that was acknowledged may still lie in a receive ring. */
static bool landed(void *arg)
{
	const struct asker *a = arg;

	return word(a->at, OWN + number(a)) == a->own;
}

/* Who gave the lock back knows that it is done, and the host may not have it yet. */
static bool given_back(void *arg)
{
	const unsigned int *k = arg;

	return !word(*k, LOCK);
}

static void traffic(void)
{
	uint64_t all[2] = { 0, 0 };

	for (unsigned int k = 0; k < 2; k++) {
		returned[k] = calloc((size_t)n_askers * ops + 1, sizeof(**returned));
		ls_mr_fill(words[k], 8 * (OWN + n_askers), 8 * (WORDS - OWN - n_askers), 5);
	}
	/* In pieces, as who waits for the lock is no event of the cards. */
	for (unsigned int n = 0; !ls_run_until(ls, turn, NULL, 10000); n++) {
		if (n < 400000)
			continue;
		for (unsigned int i = 0; i < n_askers; i++)
			printf("# asker %u: %u of %u begun, %u under way, lock %u after %u\n", i, askers[i].started, ops, askers[i].head - askers[i].tail, askers[i].lock,
			       askers[i].sections);
		ls_print_counters(ls);
		ls_fail(ls, "not finished");
	}
	for (unsigned int k = 0; k < 2; k++) {
		unsigned int users = 0;

		for (unsigned int i = 0; i < n_askers; i++) {
			if (askers[i].at != k)
				continue;
			users++;
			if (!ls_run_until(ls, landed, &askers[i], 200000))
				ls_fail(ls, "the word of asker %u is %#llx, not %#llx", i, (unsigned long long)word(k, OWN + i), (unsigned long long)askers[i].own);
		}
		ls_run_until(ls, given_back, &k, 200000);
		for (uint64_t n = 0; n < adds[k]; n++)
			all[k] += returned[k][n];
		if (word(k, SHARED) != base[k] + adds[k] || all[k] != adds[k] || word(k, LOCK) || word(k, GUARDED) != (uint64_t)users * locks)
			ls_fail(ls, "card %u: %llu additions made %llu, %llu values came back; lock %llu, %llu sections of %u", k, (unsigned long long)adds[k],
				(unsigned long long)(word(k, SHARED) - base[k]), (unsigned long long)all[k], (unsigned long long)word(k, LOCK),
				(unsigned long long)word(k, GUARDED), users * locks);
		ls_mr_check(words[k], 8 * (OWN + n_askers), 8 * (WORDS - OWN - n_askers), 5);
	}
}

/* ---- crossed ---- */

/*
 * Both ends: a Read of a word, an addition to it, and a Write that is four times a receive ring. The addition is not executed before the Read is served; who
 * held the peer's bytes meanwhile would wait for ever, as the response is behind a Write that waits for the same of the other end.
 */
static void crossed(void)
{
	enum { BIG = 1 << 20 };
	struct ls_mr *big[2];

	for (unsigned int k = 0; k < 2; k++) {
		struct ls_mr_attr attr = { .bytes = BIG, .pd = pds[k], .access = LR | LW | RW, .fbo = below(4096) };

		big[k] = ls_mr_create(ls_host(ls, k), &attr);
	}
	for (unsigned int round = 0; round < 4; round++) {
		for (unsigned int i = 0; i < 2; i++) {
			struct asker *a = &askers[i];
			struct ls_send wr = { .opcode = WEFT_SQ_OPCODE_READ, .num_sge = 1, .sge[0] = { .mr = a->sink, .offset = 0, .length = 8 },
					      .rstag = words[a->at]->stag, .raddr = words[a->at]->to + 8 * (OWN + i) };

			for (unsigned int n = 0; n < 3; n++) { /* they wait for the Read alone, and not for each other */
				if (!n)
					ls_post_send(a->qp, &wr);
				wr.sge[0].offset += ROOM;
				post_atomic(a, &wr, false, 1, 0);
			}
			wr = (struct ls_send){ .opcode = WEFT_SQ_OPCODE_WRITE, .num_sge = 1, .sge[0] = { .mr = big[a->me], .offset = 0, .length = BIG },
					       .rstag = big[a->at]->stag, .raddr = big[a->at]->to, .signaled = true };
			ls_post_send(a->qp, &wr);
			ls_ring_sq(a->qp);
		}
		for (unsigned int i = 0; i < 2; i++) {
			struct asker *a = &askers[i];
			struct ls_wc wc = ls_cq_wait(a->cq);
			uint64_t v[4];

			if (wc.status || wc.opcode != WEFT_WC_OPCODE_WRITE)
				ls_fail(ls, "crossed: asker %u: opcode %u status %u", i, wc.opcode, wc.status);
			for (unsigned int n = 0; n < 4; n++)
				ls_mr_get(a->sink, ROOM * n, &v[n], 8);
			if (v[0] != a->own || v[1] != a->own || v[2] != a->own + 1 || v[3] != a->own + 2)
				ls_fail(ls, "crossed: asker %u: the Read found %#llx, the additions behind it %#llx, %#llx, %#llx, all of %#llx", i,
					(unsigned long long)v[0], (unsigned long long)v[1], (unsigned long long)v[2], (unsigned long long)v[3],
					(unsigned long long)a->own);
			a->own += 3;
		}
	}
	printf("# crossed: cycle %llu\n", (unsigned long long)ls_cycles(ls));
}

/* ---- refusals ---- */

static void ended(const struct ls_qp *const q[2], unsigned int terminate)
{
	for (unsigned int k = 0; k < 2; k++) {
		unsigned int kind = 0, code = 0, want = k ? WEFT_QP_EVENT_TERMINATE_SENT : WEFT_QP_EVENT_TERMINATE_RECEIVED;
		bool told = false;

		while (kind != WEFT_EQE_TYPE_CM_CLOSE) {
			uint32_t id = card_next(ends[k], &kind, &code);
			const uint8_t *l = ends[k]->eq.p + 64 * ((ends[k]->ci - 1) & ((1u << CARD_EQ_LOG2) - 1));
			unsigned int w = (unsigned int)LS_GET(l, WEFT_EQE_DATA0) >> 16;

			if (kind != WEFT_EQE_TYPE_QP_ERROR)
				continue;
			told = true;
			if (id != ls_qpn(q[k]) || code != want || w != terminate)
				ls_fail(ls, "host %u: QP %u event %u Terminate %04x, wanted QP %u event %u Terminate %04x", k, id, code, w, ls_qpn(q[k]), want, terminate);
		}
		LS_CHECK(ls, told);
	}
}

/* One that is done, one that is refused, one behind it. The second card never gets beyond the first. */
static void refused(const char *what, struct ls_mr *mr, int64_t off, uint8_t access, bool swap, unsigned int terminate, unsigned int status)
{
	struct ls_mr_attr sink = { .bytes = 24, .pd = pds[0], .access = LR | LW, .fbo = below(4096) };
	struct asker a = { .cq = ls_cq_create(ends[0]->h, 8, NULL, 1), .sink = ls_mr_create(ends[0]->h, &sink) };
	struct ls_cq *cq = ls_cq_create(ends[1]->h, 8, NULL, 1);
	const unsigned int wants[] = { WEFT_WC_STATUS_SUCCESS, status, WEFT_WC_STATUS_WR_FLUSH_ERR };
	uint64_t before = word(1, SHARED), v = 0;
	uint8_t *was = malloc(mr->bytes), *now = malloc(mr->bytes);
	uint32_t handle[2];
	struct ls_qp *q[2];

	q[0] = a.qp = make_qp(0, a.cq, false, RW | RR | RA);
	q[1] = make_qp(1, cq, false, access);
	ls_mr_fill(a.sink, 8, 16, 9);
	card_join(ends, q[0], q[1], port++, handle);
	for (unsigned int i = access & RA ? 0 : 1; i < 3; i++) {
		struct ls_send wr = { .signaled = true, .num_sge = 1, .sge[0] = { .mr = a.sink, .offset = 8 * i, .length = 8 },
				      .rstag = i == 1 ? mr->stag : words[1]->stag, .raddr = i == 1 ? mr->to + (uint64_t)off : words[1]->to };

		post_atomic(&a, &wr, swap && i == 1, 1, 0);
	}
	before += access & RA ? 1 : 0;
	ls_mr_get(mr, 0, was, mr->bytes);
	ls_ring_sq(a.qp);
	for (unsigned int i = access & RA ? 0 : 1; i < 3; i++) {
		struct ls_wc wc = ls_cq_wait(a.cq);

		if (wc.status != wants[i] || (!i && (wc.opcode != WEFT_WC_OPCODE_FETCH_ADD || wc.bytes != 8)))
			ls_fail(ls, "%s: request %u: opcode %u status %u, not %u", what, i, wc.opcode, wc.status, wants[i]);
	}
	ended((const struct ls_qp *const[]){ q[0], q[1] }, terminate);
	ls_mr_get(a.sink, 0, &v, 8);
	if (word(1, SHARED) != before || (access & RA && v != before - 1))
		ls_fail(ls, "%s: the word is %llx, not %llx, and what came back %llx", what, (unsigned long long)word(1, SHARED), (unsigned long long)before,
			(unsigned long long)v);
	ls_mr_check(a.sink, 8, 16, 9);
	ls_mr_get(mr, 0, now, mr->bytes);
	if (mr == words[1]) /* the first was of it */
		memcpy(was + 8 * SHARED, now + 8 * SHARED, 8);
	LS_CHECK(ls, !memcmp(was, now, mr->bytes));
	free(was);
	free(now);
	printf("# refused: %s\n", what);
}

/* One that is done, one whose answer has no place at the asker's own, one behind it. */
static void bad_sink(const char *what, unsigned int opcode, uint8_t access, bool alien)
{
	struct ls_mr_attr sink = { .bytes = 24, .pd = pds[0], .access = LR | LW, .fbo = below(4096) };
	struct ls_mr_attr attr = { .bytes = 64, .pd = pds[0] + alien, .access = access, .fbo = below(4096) };
	struct asker a = { .cq = ls_cq_create(ends[0]->h, 8, NULL, 1), .sink = ls_mr_create(ends[0]->h, &sink) };
	struct ls_mr *bad = ls_mr_create(ends[0]->h, &attr);
	struct ls_cq *cq = ls_cq_create(ends[1]->h, 8, NULL, 1);
	const unsigned int wants[] = { WEFT_WC_STATUS_SUCCESS, WEFT_WC_STATUS_LOC_PROT_ERR, WEFT_WC_STATUS_WR_FLUSH_ERR };
	uint32_t handle[2];
	struct ls_qp *q[2];

	q[0] = a.qp = make_qp(0, a.cq, false, RW | RR | RA);
	q[1] = make_qp(1, cq, false, RW | RR | RA);
	ls_mr_fill(bad, 0, 64, 9);
	card_join(ends, q[0], q[1], port++, handle);
	for (unsigned int i = 0; i < 3; i++) {
		struct ls_send wr = { .opcode = opcode, .signaled = true, .num_sge = 1, .sge[0] = { .mr = i == 1 ? bad : a.sink, .offset = 8, .length = 8 },
				      .rstag = words[1]->stag, .raddr = words[1]->to };

		if (opcode == WEFT_SQ_OPCODE_READ)
			ls_post_send(a.qp, &wr);
		else
			post_atomic(&a, &wr, false, 0, 0);
	}
	ls_ring_sq(a.qp);
	for (unsigned int i = 0; i < 3; i++) {
		struct ls_wc wc = ls_cq_wait(a.cq);

		if (wc.status != wants[i])
			ls_fail(ls, "%s: request %u: opcode %u status %u, not %u", what, i, wc.opcode, wc.status, wants[i]);
	}
	for (unsigned int k = 0; k < 2; k++) {
		unsigned int kind = 0, code = 0;

		while (kind != WEFT_EQE_TYPE_CM_CLOSE)
			card_next(ends[k], &kind, &code);
	}
	ls_mr_check(bad, 0, 64, 9);
	printf("# refused: %s\n", what);
}

static void refusals(void)
{
	struct ls_mr_attr a = { .bytes = 4096, .pd = pds[1], .access = LR | LW | RW | RR, .fbo = 64 };
	struct ls_mr *plain = ls_mr_create(ends[1]->h, &a), *alien, *dead, *odd;
	uint8_t all = RW | RR | RA;

	a.access |= RA;
	dead = ls_mr_create(ends[1]->h, &a);
	a.pd++;
	alien = ls_mr_create(ends[1]->h, &a);
	a.pd--;
	a.fbo = 4;
	a.zero_based = true; /* TO 0 lies 4 bytes beside a word, TO 4 on one */
	odd = ls_mr_create(ends[1]->h, &a);
	ls_mr_state(dead, WEFT_TPT_STATE_INVALID);
	refused("a region without the right", plain, 8, all, false, 0x0102, WEFT_WC_STATUS_REM_ACCESS_ERR);
	refused("a queue pair without the right", words[1], 8 * LOCK, RW | RR, true, 0x0102, WEFT_WC_STATUS_REM_ACCESS_ERR);
	refused("an address beside a word", words[1], 8 * LOCK + 4, all, false, 0x0207, WEFT_WC_STATUS_REM_OP_ERR);
	refused("an offset that is a multiple of 8, of memory that is not", odd, 8, all, true, 0x0207, WEFT_WC_STATUS_REM_OP_ERR);
	refused("an STag that is invalid", dead, 8, all, true, 0x0100, WEFT_WC_STATUS_REM_ACCESS_ERR);
	refused("of another domain", alien, 8, all, false, 0x0103, WEFT_WC_STATUS_REM_ACCESS_ERR);
	bad_sink("a sink of a Read without the right to be written", WEFT_SQ_OPCODE_READ, LR, false);
	bad_sink("a sink of a Read in another domain", WEFT_SQ_OPCODE_READ, LR | LW, true);
	bad_sink("a sink of an atomic without the right to be written", WEFT_SQ_OPCODE_FETCH_ADD, LR, false);
	refused("behind the end", words[1], 8 * WORDS, all, false, 0x0101, WEFT_WC_STATUS_REM_ACCESS_ERR);
}

int main(int argc, char **argv)
{
	bool direct = false, refuse = false, cross = false, dropping;
	struct ls_options o;
	uint64_t again = 0;
	int keep = 1;

	for (int i = 1; i < argc; i++) {
		if (!strncmp(argv[i], "+pairs=", 7))
			pairs = (unsigned int)atoi(argv[i] + 7);
		else if (!strncmp(argv[i], "+own=", 5))
			own = (unsigned int)atoi(argv[i] + 5);
		else if (!strncmp(argv[i], "+ops=", 5))
			ops = (unsigned int)atoi(argv[i] + 5);
		else if (!strncmp(argv[i], "+locks=", 7))
			locks = (unsigned int)atoi(argv[i] + 7);
		else if (!strncmp(argv[i], "+drop=", 6))
			drop = (unsigned int)atoi(argv[i] + 6);
		else if (!strcmp(argv[i], "+direct"))
			direct = true;
		else if (!strcmp(argv[i], "+crossed"))
			cross = true;
		else if (!strcmp(argv[i], "+refusals"))
			refuse = true;
		else
			argv[keep++] = argv[i];
	}
	setvbuf(stdout, NULL, _IOLBF, 0);
	if (pairs + own > MAX_PAIRS || (direct && (own || refuse)))
		return 2;
	o = ls_defaults(keep, argv);
	ls = ls_new(&o);
	ls_patience(ls, 4000000);
	for (unsigned int k = 0; k < 2; k++) {
		if (direct) {
			station(ls_host(ls, k));
		} else {
			card_start(ends[k], ls, k, 1500, 0);
			LS_CHECK(ls, ls_reg_read(ends[k]->h, WEFT_REG_FEATURES) >> WEFT_FEATURE_ATOMIC & 1);
		}
	}
	for (unsigned int k = 0; k < 2; k++)
		make_words(k);
	if (!direct)
		card_listen(ends[1]);
	if (own)
		own_l2(ends[1]);
	for (unsigned int i = 0; i < pairs; i++)
		make_pair(0, 1, direct);
	for (unsigned int i = 0; i < own; i++)
		make_own_pair();
	printf("# %u connections: cycle %llu\n", pairs + own, (unsigned long long)ls_cycles(ls));
	ls_wire_hook(ls, hook, NULL);
	if (n_askers)
		traffic();
	dropping = drop;
	drop = 0;
	printf("# traffic: cycle %llu\n", (unsigned long long)ls_cycles(ls));
	if (cross)
		crossed();
	if (refuse)
		refusals();
	for (unsigned int k = 0; k < 2; k++) {
		const struct ls_host_stats *s = ls_host_stats(ls_host(ls, k));

		LS_CHECK(ls, s->bad_reads == 0 && s->bad_writes == 0 && s->faults == 0);
		again += ls_stat(ls_host(ls, k), WEFT_STAT_tcp_retransmits);
	}
	if (dropping)
		LS_CHECK(ls, dropped[0] && dropped[1] && again);
	printf("# %u queue pairs, %llu additions, %u sections, %llu requests and %llu responses lost, %llu segments sent again, %llu cycles\n", n_askers,
	       (unsigned long long)(adds[0] + adds[1]), n_askers * locks, (unsigned long long)dropped[0], (unsigned long long)dropped[1], (unsigned long long)again,
	       (unsigned long long)ls_cycles(ls));
	ls_free(ls);
	return 0;
}
