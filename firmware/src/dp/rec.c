// SPDX-License-Identifier: BSD-2-Clause
/*
 * What firmware keeps of a queue pair, and of the connection with that index: a record in the last bytes of each home, in host memory, and
 * copies of those that were in use last. So their number is the card's, and takes no RAM.
 */
#include "dp_inside.h"

#define HOME_REC 2016u /* behind everything that the card has there */
#ifdef FW_NATIVE
#define LINES 8        /* tests: hardly enough */
#else
#define LINES 48       /* line 0 is none */
#endif
#define HEADS 64

struct rec {
	struct conn conn;
	struct qp qp;
	uint16_t st[2]; /* enum home_state, enum home_more */
	uint32_t boot; /* written since firmware started; else it is empty, whatever is there */
};
_Static_assert(HOME_REC + sizeof(struct rec) <= HOME_BYTES, "a record lies in its home");

static struct line {
	struct rec r;
	uint16_t at;
	uint8_t next;  /* with the same head */
	uint8_t newer; /* in the order of use: line 0 is both ends, its newer the oldest, its older the newest */
} lines[LINES];
static uint8_t older[LINES];
#ifndef FW_NATIVE
_Static_assert(sizeof(struct line) == 32, "a line is found by a shift");
#endif
static uint8_t heads[HEADS];
static uint32_t boot;

void rec_init(void)
{
	if (boot) return;
	boot = (uint32_t)admin_seed(0) | 1;
	for (unsigned n = 0; n < LINES; n++) {
		lines[n].newer = (uint8_t)((n + 1) % LINES);
		older[n] = (uint8_t)((n + LINES - 1) % LINES);
	}
}

static void take_out(unsigned n)
{
	uint8_t *p = &heads[lines[n].at % HEADS];

	while (*p != n) p = &lines[*p].next;
	*p = lines[n].next;
	lines[n].at = 0;
}

static struct line *last = lines; /* the newest; line 0 while there is none */
FAST static struct rec *newest(unsigned n)
{
	struct line *l = last = &lines[n];

	older[l->newer] = older[n];
	lines[older[n]].newer = l->newer;
	l->newer = 0;
	older[n] = older[0];
	lines[older[n]].newer = (uint8_t)n;
	older[0] = (uint8_t)n;
	return &l->r;
}

static struct rec *nothing(void)
{
	memset(&lines[0].r, 0, sizeof(struct rec));
	return &lines[0].r;
}

/* Of host memory; the copy that was not in use for longest gives way. */
static __attribute__((noinline)) struct rec *rec_fetch(uint32_t i)
{
	uint64_t home = i && i < n_qp ? home_at(i) : 0;
	unsigned n = lines[0].newer;
	struct line *l = &lines[n];

	if (!home) return nothing();
	if (l->at) {
		hw_dma_write(home_at(l->at) + HOME_REC, &l->r, sizeof(struct rec));
		take_out(n);
	}
	if (!hw_dma_read_after(&l->r, home + HOME_REC, sizeof(struct rec))) return nothing();
	if (l->r.boot != boot) memset(&l->r, 0, sizeof(struct rec));
	l->r.boot = boot;
	l->at = (uint16_t)i;
	l->next = heads[i % HEADS];
	heads[i % HEADS] = (uint8_t)n;
	return newest(n);
}

/* Apart, so that what is found at once costs a few cycles. */
FAST static __attribute__((noinline)) struct rec *rec_seek(uint32_t i)
{
	for (unsigned n = heads[i % HEADS]; n; n = lines[n].next)
		if (lines[n].at == i) return newest(n);
	return rec_fetch(i);
}

/* A copy stays where it is until LINES - 2 others were asked for. One that there is not is empty, and forgotten. */
FAST static struct rec *rec_at(uint32_t i) { return last->at == i && i ? &last->r : rec_seek(i); }

void rec_drop(uint32_t from, uint32_t to)
{
	for (unsigned n = 1; n < LINES; n++)
		if (lines[n].at >= from && lines[n].at < to && lines[n].at) take_out(n);
}

struct conn *conn_at(uint32_t index) { return &rec_at(index)->conn; }
uint32_t conn_index(const struct conn *k) { return ((const struct line *)(const void *)k)->at; }
struct qp *qp_at(uint32_t qpn) { return &rec_at(qpn)->qp; }
uint16_t *st_at(uint32_t qpn) { return rec_at(qpn)->st; }
