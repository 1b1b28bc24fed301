/* SPDX-License-Identifier: BSD-2-Clause */
#include "judge.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../common/prng.h"
#include "../common/util.h"

enum { BUCKETS = 1 << 16, PAST = 4096 };

/* A gift, or the part of it that lies in one page. */
struct part {
	struct part *next;
	uint64_t page;
	uint32_t from, to; /* bytes of the page */
	uint32_t rights, count;
	uint64_t given;
};

/* What is over, for messages: the newest PAST parts. */
struct past {
	uint64_t page, given, taken;
	uint32_t from, to, rights;
};

struct judge {
	struct judge_figures f;
	uint32_t regs[8];
	struct part *buckets[BUCKETS];
	struct past past[PAST];
	uint64_t past_count;
};

struct judge *judge_new(void)
{
	return xcalloc(1, sizeof(struct judge));
}

static void forget(struct judge *j)
{
	for (unsigned int i = 0; i < BUCKETS; i++) {
		struct part *p;

		while ((p = j->buckets[i])) {
			j->buckets[i] = p->next;
			free(p);
		}
	}
	j->f.bytes = 0;
}

void judge_free(struct judge *j)
{
	if (!j)
		return;
	forget(j);
	free(j);
}

static struct part **bucket(struct judge *j, uint64_t page)
{
	return &j->buckets[mix64(page) % BUCKETS];
}

static void give(struct judge *j, uint64_t page, uint32_t from, uint32_t to, uint32_t rights, uint64_t cycle)
{
	struct part **b = bucket(j, page), *p;

	j->f.bytes += to - from;
	for (p = *b; p; p = p->next) {
		if (p->page == page && p->from == from && p->to == to && p->rights == rights) {
			p->count++;
			return;
		}
	}
	p = xcalloc(1, sizeof(*p));
	*p = (struct part){ *b, page, from, to, rights, 1, cycle };
	*b = p;
}

static bool take(struct judge *j, uint64_t page, uint32_t from, uint32_t to, uint32_t rights, uint64_t cycle)
{
	for (struct part **at = bucket(j, page), *p; (p = *at); at = &p->next) {
		if (p->page != page || p->from != from || p->to != to || p->rights != rights)
			continue;
		j->f.bytes -= to - from;
		if (--p->count)
			return true;
		j->past[j->past_count++ % PAST] = (struct past){ page, p->given, cycle, from, to, rights };
		*at = p->next;
		free(p);
		return true;
	}
	return false;
}

static void command(struct judge *j, uint32_t what, uint64_t cycle)
{
	uint64_t at = j->regs[JUDGE_ADDR_LO / 4] | (uint64_t)j->regs[JUDGE_ADDR_HI / 4] << 32;
	uint64_t left = j->regs[JUDGE_LEN_LO / 4] | (uint64_t)j->regs[JUDGE_LEN_HI / 4] << 32;
	bool gift = what & JUDGE_GIVE, known = true;

	if (left > UINT64_C(1) << 40 || at + left < at || !(what & (JUDGE_GIVE | JUDGE_TAKE)))
		return; /* a guest that talks nonsense */
	j->f.given += gift;
	j->f.taken += !gift;
	while (left) {
		uint32_t from = at & 4095, n = left < 4096 - from ? (uint32_t)left : 4096 - from;

		if (gift)
			give(j, at >> 12, from, from + n, what & 3, cycle);
		else
			known = take(j, at >> 12, from, from + n, what & 3, cycle) && known;
		at += n;
		left -= n;
	}
	j->f.strange += !known;
}

void judge_write(struct judge *j, uint64_t offset, const void *bytes, unsigned int len, uint64_t cycle)
{
	uint32_t value;

	if (len != 4 || offset & 3 || offset > JUDGE_COMMAND)
		return;
	memcpy(&value, bytes, 4);
	j->regs[offset / 4] = value;
	if (offset == JUDGE_COMMAND)
		command(j, value, cycle);
	if (offset == JUDGE_ARM) {
		/* A guest that boots, or a module that is loaded again: nothing is given yet. */
		forget(j);
		j->f.armed = value & 1;
	}
}

uint32_t judge_read(const struct judge *j, uint64_t offset)
{
	(void)j;
	return offset == JUDGE_ID ? JUDGE_MAGIC : 0;
}

void judge_blame(struct judge *j, const char *what, uint64_t cycle)
{
	char text[256];

	snprintf(text, sizeof(text), "cycle %" PRIu64 ": %s", cycle, what);
	if (!j->f.verdicts++)
		memcpy(j->f.first, text, sizeof(text));
	if (j->f.verdicts <= 100)
		warn("judge: %s", text);
}

bool judge_access(struct judge *j, bool write, uint64_t address, uint32_t len, uint64_t cycle)
{
	uint64_t page = address >> 12;
	uint32_t at = address & 4095, end = at + len, right = write ? JUDGE_CARD_WRITES : JUDGE_CARD_READS;
	const struct part *wrong = NULL;
	char text[200];

	if (!j->f.armed)
		return true;
	j->f.accesses++;
	while (at < end) {
		uint32_t reach = at;

		for (const struct part *p = *bucket(j, page); p; p = p->next) {
			if (p->page != page || p->from > at || p->to <= reach)
				continue;
			if (p->rights & right)
				reach = p->to;
			else
				wrong = p;
		}
		if (reach == at)
			break;
		at = reach;
	}
	if (at >= end)
		return true;
	if (wrong) {
		snprintf(text, sizeof(text), "it is only to be %s", wrong->rights == JUDGE_CARD_READS ? "read" : "written");
	} else {
		const struct past *was = NULL;

		for (uint64_t i = 0; i < PAST && i < j->past_count; i++) {
			const struct past *p = &j->past[(j->past_count - 1 - i) % PAST];

			if (p->page == page && p->from <= at && at < p->to) {
				was = p;
				break;
			}
		}
		if (was)
			snprintf(text, sizeof(text), "it was given in cycle %" PRIu64 " and taken back in cycle %" PRIu64, was->given,
				 was->taken);
		else
			snprintf(text, sizeof(text), "it was never given");
	}
	char all[256];

	snprintf(all, sizeof(all), "the card %s %u bytes at 0x%" PRIx64 ": %s", write ? "writes" : "reads", len, address, text);
	judge_blame(j, all, cycle);
	return false;
}

const struct judge_figures *judge_figures(const struct judge *j)
{
	return &j->f;
}
