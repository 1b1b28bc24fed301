// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * What goes through rings of CQs in weft_cq.c, which driver/Makefile takes out of it, beside a poll and a card that come
 * in between wherever the lock is given away. A model says what poll has to see.
 *
 *   rings SEED ROUNDS
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"
#include "weft_abi.h"

typedef uint16_t u16;
typedef uint32_t u32;
typedef int32_t s32;
typedef uint64_t u64, __le64;

#define __must_hold(x)
#define __force
#define lockdep_assert_held(x) ((void)(x))
#define GENMASK(h, l) ((u32)(~0ull >> (63 - (h)) & ~0ull << (l)))
#define min3(a, b, c) ({ u32 a_ = (a), b_ = (b), c_ = (c), m_ = a_ < b_ ? a_ : b_; m_ < c_ ? m_ : c_; })
#define dma_rmb() ((void)0)
#define WEFT_WORDS(s) (WEFT_##s##_BYTES / 8)
#define WEFT_GET(w, f) (((w)[WEFT_##f##_LSB / 64] & WEFT_##f##_MASK) >> (WEFT_##f##_LSB % 64))
#define WEFT_PUT(w, f, v) \
	((w)[WEFT_##f##_LSB / 64] = ((w)[WEFT_##f##_LSB / 64] & ~WEFT_##f##_MASK) | \
				    ((u64)(v) << (WEFT_##f##_LSB % 64) & WEFT_##f##_MASK))

struct weft_piece { void *mem; };
struct weft_pages { struct weft_piece piece[4]; u32 log2; size_t bytes; };
struct weft_ring_mem { struct weft_pages *pages; };
struct ib_srq { int nothing; };
struct weft_srq { struct ib_srq ibsrq; };
struct weft_cq { struct weft_ring_mem ring; u32 log2, first, ci; int lock, resize_lock; };

static struct weft_srq *to_weft_srq(struct ib_srq *s) { return (struct weft_srq *)s; }
static void between(void);
static bool held;
static void spin_lock_irq(int *l) { (void)l; held = true; }
static void spin_unlock_irq(int *l) { (void)l; held = false; }
static void cond_resched(void) { between(); }

/* ---- the world ---- */

#define MAX_LOG2 14
#define GONE 7 /* the QPN of the queue pair that goes; others are 1 to 5 */

static struct weft_cq cq;
static struct weft_ring_mem other;	/* the ring of a resize that the card is in already */
static u32 other_log2, other_first, pi;
static u32 serial_of[1u << MAX_LOG2], qpn_of[1u << MAX_LOG2]; /* of entries [ci, pi), by index */
static u32 serials, breaths;
static u32 freed[1u << MAX_LOG2];	/* slots of the shared queue: how often each came back, by serial */
static bool of_srq;
static bool quiet;		/* the card writes nothing */

u64 weft_srq_done(struct weft_srq *srq, u32 slot);
u64 weft_srq_done(struct weft_srq *srq, u32 slot)
{
	(void)srq;
	freed[slot]++;
	return 0;
}

#include "cut.h"

static struct weft_pages *pages(u32 log2, u32 pieces)
{
	struct weft_pages *p = calloc(1, sizeof(*p));
	u32 i;

	p->log2 = pieces;
	p->bytes = (size_t)WEFT_CQE_BYTES << log2;
	for (i = 0; i < 1u << pieces; i++)
		p->piece[i].mem = calloc(1, p->bytes >> pieces);
	return p;
}

static void pages_free(struct weft_pages *p)
{
	u32 i;

	for (i = 0; i < 1u << p->log2; i++)
		free(p->piece[i].mem);
	free(p);
}

/* The card: one entry, where there is room in the ring that it is in. */
static bool card(u32 qpn)
{
	struct weft_ring_mem *to = other.pages ? &other : &cq.ring;
	u32 log2 = other.pages ? other_log2 : cq.log2, phase, at = pi & ((1u << MAX_LOG2) - 1);
	__le64 *cqe = weft_cqe_place(to, log2, other.pages ? other_first : cq.first, pi, &phase), e[4] = {};

	if (pi - cq.ci >= 1u << log2)
		return false;
	serial_of[at] = ++serials;
	qpn_of[at] = qpn;
	WEFT_PUT(e, CQE_QPN, qpn);
	WEFT_PUT(e, CQE_OPCODE, 0x80);
	WEFT_PUT(e, CQE_INDEX, at); /* the slot */
	WEFT_PUT(e, CQE_BYTES, serials);
	WEFT_PUT(e, CQE_PHASE, phase);
	memcpy(cqe, e, sizeof(e));
	pi++;
	return true;
}

/* As weft_poll_cq does; what is of the queue pair that goes is passed over, and its slot is free. */
static bool poll(bool gone)
{
	const __le64 *cqe = weft_cqe(&cq, cq.ci);
	u32 at = cq.ci & ((1u << MAX_LOG2) - 1), qpn;

	if (!cqe)
		return false;
	qpn = WEFT_GET(cqe, CQE_QPN);
	if (WEFT_GET(cqe, CQE_BYTES) != serial_of[at])
		fail("an entry is not the next one", cq.ci, serial_of[at]);
	if (qpn != qpn_of[at] && !(qpn == 0 && qpn_of[at] == GONE))
		fail("a number is not its own", qpn, qpn_of[at]);
	if (gone && qpn == GONE)
		fail("an entry of a queue pair that is gone", cq.ci, 0);
	if (of_srq && qpn == GONE)
		freed[at]++;
	cq.ci++;
	return true;
}

/* The lock is free. */
static void between(void)
{
	u32 n = draw(3) ? draw(1500) : draw(20000);

	if (held)
		fail("sleeps with the lock", 0, 0);
	breaths++;
	while (n--)
		if (!quiet && draw(2))
			card(1 + draw(5));
		else
			poll(false);
}

static u32 run_of(u32 n)
{
	return draw(8) ? draw(n + 1) : n;
}

/* Entries that wait, of both kinds. @go: those of the queue pair that goes may come. */
static void fill(bool go)
{
	u32 n = run_of(1u << cq.log2), k = draw(10);

	while (n-- && card(go && draw(10) < k ? GONE : 1 + draw(5)))
		;
}

static void new_ring(u32 log2)
{
	u32 pieces = log2 < 8 ? 0 : draw(3);

	cq = (struct weft_cq){ .log2 = log2, .ci = draw(1u << 31) * 2 + draw(2) };
	cq.first = cq.ci & WEFT_CQ_INDEX;
	cq.ring.pages = pages(log2, pieces);
	pi = cq.ci;
	other.pages = NULL;
}

static void pass_over(void)
{
	struct ib_srq srq;
	u32 i, waiting, k;

	fill(true);
	for (k = run_of(pi - cq.ci); k; k--)
		poll(false);
	fill(true);
	memset(freed, 0, sizeof(freed));
	of_srq = draw(2);
	waiting = 0;
	for (i = cq.ci; i != pi; i++)
		waiting += qpn_of[i & ((1u << MAX_LOG2) - 1)] == GONE;
	spin_lock_irq(&cq.lock);
	weft_cq_pass_over(&cq, GONE, of_srq ? &srq : NULL);
	spin_unlock_irq(&cq.lock);
	for (i = k = 0; i < 1u << MAX_LOG2; i++) {
		if (freed[i] > 1)
			fail("a slot is free twice", i, freed[i]);
		k += freed[i];
	}
	if (of_srq && k != waiting)
		fail("slots of the shared queue", k, waiting);
	while (poll(true))
		;
	if (cq.ci != pi)
		fail("entries are lost", cq.ci, pi);
	of_srq = false;
}

static void resize(void)
{
	u32 size, want, start;
	bool more;

	fill(false);
	quiet = draw(2);
	want = draw(2) ? draw(1u << cq.log2) : pi - cq.ci + draw(3) - 1;
	if (want > 1u << cq.log2)
		want = 0;
	start = cq.ci;
	spin_lock_irq(&cq.lock);
	more = weft_cq_exceeds(&cq, want);
	if (more != (pi - cq.ci > want) && (more || quiet || pi - start < 1u << cq.log2))
		fail("a count", want, pi - cq.ci);
	spin_unlock_irq(&cq.lock);
	quiet = false;
	size = 4 + draw(MAX_LOG2 - 3);
	if (pi - cq.ci > 1u << size) /* the card refuses */
		return;
	other_log2 = size;
	other_first = pi & WEFT_CQ_INDEX;
	other.pages = pages(size, size < 8 ? 0 : draw(3));
	spin_lock_irq(&cq.lock);
	weft_cq_move(&cq, &other, size, other_first);
	pages_free(cq.ring.pages);
	cq.ring = other;
	cq.log2 = size;
	cq.first = other_first;
	other.pages = NULL;
	spin_unlock_irq(&cq.lock);
	between(); /* rounds of the new ring */
	between();
	while (poll(false))
		;
	if (cq.ci != pi)
		fail("entries are lost by a resize", cq.ci, pi);
}

int main(int argc, char **argv)
{
	u32 rounds = argc > 2 ? atoi(argv[2]) : 100, i, k;

	seed = argc > 1 ? strtoull(argv[1], NULL, 0) : 1;
	for (i = 0; i < rounds; i++) {
		new_ring(4 + draw(MAX_LOG2 - 3));
		for (k = 0; k < 6; k++) {
			if (draw(2))
				pass_over();
			else
				resize();
		}
		pages_free(cq.ring.pages);
	}
	if (!breaths)
		fail("nothing came between", 0, 0);
	return 0;
}
