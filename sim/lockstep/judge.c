/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Whose memory is it: what the host gave to the card, what it took back, and every DMA access against that, in the cycle in which
 * it touches memory.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

#define PAST_MAX 8 /* grants of a piece that are over and remembered */

struct ls_grant {
	size_t from, bytes;
	unsigned int rights;
	bool over, whole; /* whole: the piece as it came from ls_alloc */
	uint64_t given, taken;
	char name[64], why[64];
};

static void text(char *to, size_t room, const char *format, va_list args)
{
	vsnprintf(to, room, format, args);
}

/* One more grant of a piece; the oldest that is over makes room. */
static struct ls_grant *grant_add(struct ls_piece *p)
{
	size_t past = 0, oldest = 0;

	for (size_t i = 0; i < p->grant_count; i++)
		if (p->grants[i].over && !past++)
			oldest = i;
	if (past > PAST_MAX) {
		memmove(&p->grants[oldest], &p->grants[oldest + 1], (p->grant_count - oldest - 1) * sizeof(*p->grants));
		p->grant_count--;
	}
	p->grants = xrealloc(p->grants, (p->grant_count + 1) * sizeof(*p->grants));
	p->grants[p->grant_count] = (struct ls_grant){ 0 };
	return &p->grants[p->grant_count++];
}

void ls_judge_new_piece(struct ls_host *h, struct ls_piece *p)
{
	struct ls_grant *g = grant_add(p);

	g->bytes = p->bytes;
	g->rights = LS_CARD_READS | LS_CARD_WRITES;
	g->whole = true;
	g->given = ls_cycles(h->ls);
	snprintf(g->name, sizeof(g->name), "memory of the script");
}

static bool overlaps(const struct ls_grant *g, size_t from, size_t bytes)
{
	return from < g->from + g->bytes && g->from < from + bytes;
}

static struct ls_piece *piece_of(struct ls_host *h, const struct ls_mem *m, size_t from, size_t bytes)
{
	struct ls_piece *p = m->p ? ls_piece_at(h, m->bus) : NULL;

	if (!p || !p->p || from > p->bytes || bytes > p->bytes - from)
		ls_fail(h->ls, "script: host %u gives or takes memory that it does not have", h->index);
	return p;
}

void ls_give(struct ls_host *h, const struct ls_mem *m, size_t from, size_t bytes, unsigned int rights, const char *format, ...)
{
	struct ls_piece *p = piece_of(h, m, from, bytes);
	struct ls_grant *g;
	va_list args;

	for (size_t i = 0; i < p->grant_count; i++)
		if (p->grants[i].whole && !p->grants[i].over)
			p->grants[i--] = p->grants[--p->grant_count]; /* it never was anybody's: no history */
	g = grant_add(p);
	g->from = from;
	g->bytes = bytes;
	g->rights = rights;
	g->given = ls_cycles(h->ls);
	va_start(args, format);
	text(g->name, sizeof(g->name), format, args);
	va_end(args);
}

static void take(struct ls_host *h, struct ls_piece *p, size_t from, size_t bytes, const char *why)
{
	for (size_t i = 0; i < p->grant_count; i++) {
		struct ls_grant *g = &p->grants[i];

		if (g->over || !overlaps(g, from, bytes))
			continue;
		g->over = true;
		g->taken = ls_cycles(h->ls);
		snprintf(g->why, sizeof(g->why), "%s", why);
	}
}

void ls_take_back(struct ls_host *h, const struct ls_mem *m, size_t from, size_t bytes, const char *format, ...)
{
	struct ls_piece *p = piece_of(h, m, from, bytes);
	char why[64];
	va_list args;

	va_start(args, format);
	text(why, sizeof(why), format, args);
	va_end(args);
	take(h, p, from, bytes, why);
}

void ls_take_back_all(struct ls_host *h, const char *format, ...)
{
	char why[64];
	va_list args;

	va_start(args, format);
	text(why, sizeof(why), format, args);
	va_end(args);
	for (unsigned int i = 0; i < 2; i++)
		for (size_t j = 0; j < h->memory[i].count; j++)
			take(h, &h->memory[i].at[j], 0, h->memory[i].at[j].bytes, why);
}

void ls_judge_release(struct ls_host *h, struct ls_piece *p)
{
	take(h, p, 0, p->bytes, "released");
}

void ls_judge(struct lockstep *ls, ls_verdict_fn fn, void *arg)
{
	ls->verdict = fn;
	ls->verdict_arg = arg;
}

/* Who has, or had, this byte; the latest one. */
static const struct ls_grant *who(const struct ls_piece *p, size_t at, bool over)
{
	const struct ls_grant *best = NULL;

	for (size_t i = 0; i < p->grant_count; i++) {
		const struct ls_grant *g = &p->grants[i];

		if (g->over == over && overlaps(g, at, 1) && (!best || g->given >= best->given))
			best = g;
	}
	return best;
}

static void accuse(struct ls_host *h, bool write, uint64_t address, uint32_t len, const struct ls_piece *p, size_t at)
{
	const struct ls_grant *now = p ? who(p, at, false) : NULL, *past = p ? who(p, at, true) : NULL;
	struct ls_verdict v = { .host = h, .cycle = ls_cycles(h->ls), .write = write, .address = address, .bytes = len };
	char why[320];

	if (now) {
		snprintf(v.owner, sizeof(v.owner), "%s", now->name);
		snprintf(why, sizeof(why), "%s (byte %zu) is only to be %s", now->name, at - now->from,
			 now->rights == LS_CARD_READS ? "read" : now->rights == LS_CARD_WRITES ? "written" : "left alone");
	} else if (past) {
		snprintf(v.owner, sizeof(v.owner), "%s", past->name);
		v.taken = past->taken;
		snprintf(why, sizeof(why), "it was %s (byte %zu), given in cycle %" PRIu64 ", taken back in cycle %" PRIu64 " (%s)",
			 past->name, at - past->from, past->given, past->taken, past->why);
	} else if (p) {
		const struct ls_grant *near = p->grant_count ? &p->grants[0] : NULL;

		snprintf(why, sizeof(why), "byte %zu of %zu was never given; beside it is %s (bytes %zu to %zu)", at, p->bytes,
			 near ? near->name : "nothing", near ? near->from : 0, near ? near->from + near->bytes : 0);
	} else {
		const struct ls_piece *below = ls_piece_below(h, address);
		const struct ls_grant *near = below && below->grant_count ? &below->grants[below->grant_count - 1] : NULL;

		snprintf(why, sizeof(why), "no memory is there; %" PRIu64 " bytes below ends %s",
			 below ? address - (below->bus + below->bytes) : 0, near ? near->name : "nothing");
	}
	snprintf(v.text, sizeof(v.text), "host %c: the card %s %u bytes at 0x%" PRIx64 ": %s", 'a' + (int)h->index,
		 write ? "writes" : "reads", len, address, why);
	h->stats.verdicts++;
	if (h->ls->verdict && h->ls->verdict(h->ls->verdict_arg, &v))
		return;
	ls_fail(h->ls, "%s", v.text);
}

bool ls_judge_access(struct ls_host *h, bool write, uint64_t address, uint32_t len)
{
	struct ls_piece *p = ls_piece_at(h, address);
	unsigned int right = write ? LS_CARD_WRITES : LS_CARD_READS;
	size_t at, end;

	h->stats.judged++;
	if (!p) {
		accuse(h, write, address, len, NULL, 0);
		return false;
	}
	at = address - p->bus;
	end = at + len;
	/* Every byte is in a grant with the right. */
	while (at < end) {
		size_t reach = at;

		for (size_t i = 0; i < p->grant_count; i++) {
			const struct ls_grant *g = &p->grants[i];

			if (!g->over && g->rights & right && g->from <= at && g->from + g->bytes > reach)
				reach = g->from + g->bytes;
		}
		if (reach == at) {
			accuse(h, write, address, len, p, at);
			return p->p && at < p->bytes && len <= p->bytes - (address - p->bus);
		}
		at = reach;
	}
	return true;
}
