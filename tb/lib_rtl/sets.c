// SPDX-License-Identifier: BSD-2-Clause
/*
 * weft_ready_fifo against a queue and a bit a member; weft_linked_pool against arrays of lists. +n, +lists, +blocks: the unit's
 * parameters. Each phase of the stimulus has rates and a number of members (lists) of its own.
 */
#include <stdlib.h>

#include "tb.h"

enum { MAX = 1 << 16, CYCLES = 120000 };

/* ---- the set ---- */
static unsigned n, queue[MAX * 2], head, tail;
static bool in[MAX], fresh[MAX]; /* inside; news since it was last taken: who takes must find them */
static int drive = -1;		 /* what is inserted in the cycle that ends now */
static unsigned ins_pct, take_pct, members = 1, entered, taken, merged, row, best_row, most;
static bool set_idle, drain;
static unsigned fill_at, filled; /* members put in by the directed case; how often the set was full */

void sets_cycle(int ready, int out_valid, int out_ready, int out_id, int count, int idle, int *ins, int *take);
void pool_cycle(int ready, int rsp, int block, int count, int first, int last, int prev, int avail, int idle, int *op, int *list, int *res,
		int *give);

void sets_cycle(int ready, int out_valid, int out_ready, int out_id, int count, int idle, int *ins, int *take)
{
	unsigned q = (unsigned)out_id;
	bool out = out_valid && out_ready;

	if (out) {
		tb_check(head != tail, "member %u came out of an empty set", q);
		tb_check(queue[head % (2 * MAX)] == q, "member %u came out, not %u", q, queue[head % (2 * MAX)]);
		head++;
		in[q] = fresh[q] = false;
		taken++;
	}
	/* An insert in the cycle of the take is merged: what it brings can be read by then. */
	if (drive >= 0) {
		unsigned d = (unsigned)drive;

		if (!in[d] && !(out && d == q)) {
			in[d] = true;
			queue[tail++ % (2 * MAX)] = d;
			entered++;
		} else
			merged++;
	}
	row = out ? row + 1 : 0;
	if (row > best_row)
		best_row = row;
	if ((unsigned)count > most)
		most = (unsigned)count;
	tb_check((unsigned)count <= n && tail - head <= n, "%d members inside", count);
	set_idle = idle && drive < 0;
	tb_check(!idle || head == tail, "idle with %u members inside", tail - head);
	/* Now and then to the last place: every member in turn, and nobody takes until all were inside for a while. */
	if (fill_at && tail - head == n && (unsigned)count == n && ++filled && !tb_below(20))
		fill_at = 0;
	if (fill_at) {
		drive = ready ? (int)(fill_at++ % n) : -1;
		*ins = drive;
		*take = 0;
		return;
	}
	drive = ready && !drain && tb_chance(ins_pct) ? (int)tb_below(members) : -1;
	*ins = drive;
	*take = drain || tb_chance(take_pct);
}

/* ---- the pool ---- */
enum { READ, APPEND, POP, DROP };
static unsigned lists, blocks, nl = 1, weight[4];
static struct list { unsigned *block, n; } list[4096];
static bool used[MAX];
static struct { bool valid; int op; unsigned list; } flight[4];
static unsigned reserved, in_use, appended, drops, ops, fullest;
static bool pool_idle;
static int op_now = -1, res_now, give_now;
static unsigned list_now;

void pool_cycle(int ready, int rsp, int block, int count, int first, int last, int prev, int avail, int idle, int *op, int *l_out, int *res,
		int *give)
{
	tb_check(!!rsp == flight[2].valid, "an answer %s", rsp ? "to nothing" : "is missing");
	if (rsp && flight[2].valid) {
		struct list *l = &list[flight[2].list];
		unsigned b = (unsigned)block;

		tb_check((unsigned)count == l->n, "list %u has %u blocks, not %d", flight[2].list, l->n, count);
		switch (flight[2].op) {
		case APPEND:
			tb_check(!used[b], "block %u is in use", b);
			used[b] = true;
			tb_check(!l->n || (unsigned)prev == l->block[l->n - 1], "%d was the last one before APPEND", prev);
			l->block[l->n++] = b;
			tb_check((unsigned)last == b && (unsigned)first == l->block[0], "ends %d, %d behind APPEND", first, last);
			in_use++;
			appended++;
			break;
		case POP:
			if (!l->n)
				break;
			tb_check(l->block[0] == b, "POP gives block %u, not %u", b, l->block[0]);
			used[b] = false;
			l->n--;
			in_use--;
			for (unsigned i = 0; i < l->n; i++)
				l->block[i] = l->block[i + 1];
			if (l->n)
				tb_check((unsigned)first == l->block[0] && (unsigned)last == l->block[l->n - 1],
					 "ends %d, %d behind POP", first, last);
			break;
		case DROP:
			for (unsigned i = 0; i < l->n; i++)
				used[l->block[i]] = false;
			in_use -= l->n;
			l->n = 0;
			drops++;
			break;
		case READ:
			if (l->n)
				tb_check(l->block[0] == b && (unsigned)first == b && (unsigned)last == l->block[l->n - 1],
					 "READ gives %u, %d, %d", b, first, last);
		}
	}
	if (in_use > fullest)
		fullest = in_use;
	flight[2] = flight[1];
	flight[1] = flight[0];
	flight[0].valid = op_now >= 0;
	flight[0].op = op_now;
	flight[0].list = list_now;
	/* avail_o does not know yet what is taken in this cycle */
	reserved += (unsigned)res_now;
	reserved -= (unsigned)give_now + (op_now == APPEND);
	pool_idle = idle && op_now < 0;
	if (pool_idle && !flight[1].valid && !flight[2].valid)
		tb_check((unsigned)(avail - res_now + give_now) + reserved + in_use == blocks || give_now, "%d free, %u reserved, %u in use",
			 avail, reserved, in_use);
	avail -= res_now;
	/* the next operation */
	unsigned sum = weight[0] + weight[1] + weight[2] + weight[3], r = tb_below(100), at = 0;

	op_now = -1;
	if (ready && !drain && r < sum)
		for (op_now = 0; r >= at + weight[op_now]; op_now++)
			at += weight[op_now];
	if (drain && ready && reserved == 0 && in_use)
		op_now = tb_chance(50) ? POP : DROP;
	if (op_now == APPEND && !reserved)
		op_now = -1;
	unsigned which = tb_below(drain ? lists : nl);

	*op = op_now;
	*l_out = (int)which;
	list_now = which;
	ops += op_now >= 0;
	res_now = !drain && avail > 0 && tb_chance(70) ? (int)tb_below((unsigned)(avail < 3 ? avail : 3) + 1) : 0;
	give_now = reserved > (op_now == APPEND) && tb_chance(drain ? 100 : 5);
	if (drain)
		res_now = 0;
	*res = res_now;
	*give = give_now;
}

void tb_setup(void)
{
	n = (unsigned)tb_opt("n", 64);
	lists = (unsigned)tb_opt("lists", 16);
	blocks = (unsigned)tb_opt("blocks", 64);
	for (unsigned i = 0; i < lists; i++)
		list[i].block = calloc(blocks + 1, sizeof(unsigned));
}

bool tb_step(void)
{
	if (!drain && !fill_at && tb_cycle() % (CYCLES / 3) == 100)
		fill_at = 1 + tb_below(n);
	if (tb_cycle() % 3000 == 0) {
		unsigned kind = tb_below(4);

		members = tb_chance(50) ? n : tb_range(1, n < 8 ? n : 8);
		nl = tb_chance(50) ? lists : tb_range(1, lists < 3 ? lists : 3);
		ins_pct = tb_chance(50) ? 100 : tb_range(5, 100);
		take_pct = tb_chance(50) ? 100 : tb_range(1, 100);
		weight[READ] = tb_below(10);
		weight[APPEND] = kind == 0 ? 70 : tb_range(20, 45);
		weight[POP] = kind == 0 ? 5 : tb_range(20, 40);
		weight[DROP] = kind == 0 ? 0 : kind == 1 ? 5 : 1;
	}
	drain = tb_cycle() > CYCLES;
	return drain && set_idle && pool_idle && !in_use && !reserved && head == tail;
}

void tb_finish(void)
{
	tb_check(entered == taken && entered > 1000 && merged > 1000, "%u entered, %u taken, %u merged", entered, taken, merged);
	tb_check(best_row > (n < 64 ? 4 : 100), "no more than %u taken in consecutive cycles", best_row);
	tb_check(most == n && filled > 3, "it never held all, %u at most", most);
	tb_check(in_use == 0 && appended > 1000 && drops > 100 && fullest >= blocks - blocks / 8, "%u blocks left, %u appended, %u at most",
		 in_use, appended, fullest);
	tb_note("%u entered, %u merged, %u in a row; %u operations, %u appended, %u drops, %u blocks in use at most", entered, merged,
		best_row, ops, appended, drops, fullest);
}
