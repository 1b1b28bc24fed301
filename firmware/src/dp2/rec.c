// SPDX-License-Identifier: BSD-2-Clause
/*
 * What firmware keeps of a queue pair, and of the connection with that index: a record in the last bytes of each home, in host memory, and
 * copies of those that were in use last. So their number is the card's, and takes no RAM.
 */
#include "dp2.h"

#define HOME_REC 2016u /* behind everything that the card has there */
#ifdef FW_NATIVE
#define LINES 8        /* tests: hardly enough */
#else
#define LINES 32       /* line 0 is none */
#endif
#define HEADS 64

struct rec {
	struct conn conn;
	struct qp qp;
	uint16_t st, spare;
	uint32_t boot; /* written since firmware started; else it is empty, whatever is there */
};
_Static_assert(HOME_REC + sizeof(struct rec) <= HOME_BYTES, "a record lies in its home");

static struct line {
	struct rec r;
	uint16_t at, next;
	uint32_t seen;
} lines[LINES];
static uint16_t heads[HEADS];
static uint32_t boot, now_seen;

void rec_init(void)
{
	if (!boot) boot = (uint32_t)admin_seed(0) | 1;
}

static void take_out(unsigned n)
{
	uint16_t *p = &heads[lines[n].at % HEADS];

	while (*p != n) p = &lines[*p].next;
	*p = lines[n].next;
	lines[n].at = 0;
}

/* A copy stays where it is until LINES - 2 others were asked for. One that there is not is empty, and forgotten. */
static struct rec *rec_at(uint32_t i)
{
	unsigned n, old = 1;
	uint64_t home;

	for (n = heads[i % HEADS]; n; n = lines[n].next) {
		if (lines[n].at != i) continue;
		lines[n].seen = ++now_seen;
		return &lines[n].r;
	}
	home = i && i < n_qp ? home_at(i) : 0;
	for (n = 1; home && n < LINES; n++)
		if ((int32_t)(lines[n].seen - lines[old].seen) < 0) old = n;
	if (home && lines[old].at) {
		hw_dma_write(home_at(lines[old].at) + HOME_REC, &lines[old].r, sizeof(struct rec));
		take_out(old);
	}
	if (!home || !hw_dma_read_after(&lines[old].r, home + HOME_REC, sizeof(struct rec))) old = 0;
	if (!old || lines[old].r.boot != boot) memset(&lines[old].r, 0, sizeof(struct rec));
	if (!old) return &lines[0].r;
	lines[old].r.boot = boot;
	lines[old].at = (uint16_t)i;
	lines[old].next = heads[i % HEADS];
	lines[old].seen = ++now_seen;
	heads[i % HEADS] = (uint16_t)old;
	return &lines[old].r;
}

void rec_drop(uint32_t from, uint32_t to)
{
	for (unsigned n = 1; n < LINES; n++)
		if (lines[n].at >= from && lines[n].at < to && lines[n].at) take_out(n);
}

struct conn *conn_at(uint32_t index) { return &rec_at(index)->conn; }
uint32_t conn_index(const struct conn *k) { return ((const struct line *)(const void *)k)->at; }
struct qp *qp_at(uint32_t qpn) { return &rec_at(qpn)->qp; }
uint16_t *st_at(uint32_t qpn) { return &rec_at(qpn)->st; }
