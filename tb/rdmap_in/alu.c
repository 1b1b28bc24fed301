// SPDX-License-Identifier: BSD-2-Clause
/* The arithmetic of atomics against RFC 7306 5.1, field by field: masks of all shapes, values near the ends of their fields. */
#include "tb.h"

enum { ASK, ANSWER };
enum { OPS = 20000, FETCH_ADD = 0, CMP_SWAP = 2 };
struct op { unsigned op; uint64_t old, data, mask, compare, cmp_mask; };
static struct op ops[OPS];
static unsigned answers, adds, fields, carries, swaps, swaps_not, unknown;

/* The sum of each field by itself: bits from the one behind the last mask bit up to the next. */
static uint64_t fetch_add(const struct op *o)
{
	uint64_t sum = 0;
	unsigned from = 0;

	for (unsigned i = 0; i < 64; i++) {
		if (!(o->mask >> i & 1) && i != 63)
			continue;
		unsigned bits = i - from + 1;
		uint64_t ones = bits == 64 ? ~0ull : (1ull << bits) - 1;
		uint64_t a = o->old >> from & ones, b = o->data >> from & ones;

		carries += ((a + b) & ones) < a;
		fields += i != 63;
		sum |= ((a + b) & ones) << from;
		from = i + 1;
	}
	return sum;
}

static void answer(int port, const uint8_t *bits, void *arg)
{
	const struct op *o = &ops[answers++ % OPS];
	struct tb_pack b;
	bool known = o->op == FETCH_ADD || o->op == CMP_SWAP, equal = true;
	uint64_t want = 0;

	for (unsigned i = 0; i < 64; i++) {
		equal &= !(o->cmp_mask >> i & 1) || (o->old >> i & 1) == (o->compare >> i & 1);
		want |= (uint64_t)((o->mask >> i & 1 ? o->data : o->old) >> i & 1) << i;
	}
	if (o->op == FETCH_ADD)
		want = fetch_add(o);
	bool write = o->op == FETCH_ADD || (o->op == CMP_SWAP && equal);

	adds += o->op == FETCH_ADD;
	swaps += o->op == CMP_SWAP && equal;
	swaps_not += o->op == CMP_SWAP && !equal;
	unknown += !known;
	tb_unpack_begin(&b, bits, 66);
	tb_check(tb_get(&b, 1) == known, "operation %u is known", o->op);
	tb_check(tb_get(&b, 1) == write, "operation %u writes", o->op);
	uint64_t got = tb_get(&b, 64);

	tb_check(!write || got == want, "operation %u of %llx, data %llx mask %llx: %llx, want %llx", o->op, (unsigned long long)o->old,
		 (unsigned long long)o->data, (unsigned long long)o->mask, (unsigned long long)got, (unsigned long long)want);
}

static uint64_t value(void)
{
	switch (tb_below(6)) {
	case 0: return 0;
	case 1: return ~0ull;
	case 2: return ~0ull << tb_below(64);
	case 3: return 1ull << tb_below(64);
	default: return tb_rand();
	}
}

void tb_setup(void)
{
	for (unsigned i = 0; i < OPS; i++) {
		struct op *o = &ops[i];
		struct tb_pack b;

		*o = (struct op){ tb_chance(45) ? FETCH_ADD : tb_chance(90) ? CMP_SWAP : tb_below(16), value(), value(), value(), 0, value() };
		/* equal, or but for one bit */
		o->compare = tb_chance(20) ? tb_rand() : o->old ^ (tb_chance(50) ? 0 : 1ull << tb_below(64));
		tb_pack_begin(&b, 324);
		tb_put(&b, 4, o->op);
		tb_put(&b, 64, o->old);
		tb_put(&b, 64, o->data);
		tb_put(&b, 64, o->mask);
		tb_put(&b, 64, o->compare);
		tb_put(&b, 64, o->cmp_mask);
		tb_item_push(ASK, b.bits, 41);
	}
	tb_on_item(ANSWER, answer, NULL);
}

bool tb_step(void)
{
	return answers >= OPS || tb_cycle() > 4 * OPS;
}

void tb_finish(void)
{
	tb_check(answers == OPS, "%u of %u answers", answers, OPS);
	tb_check(adds > 1000 && fields > 10000 && carries > 1000 && swaps > 1000 && swaps_not > 1000 && unknown > 100,
		 "%u sums, %u fields, %u carries let go, %u swaps, %u that compare unequal, %u unknown", adds, fields, carries, swaps, swaps_not, unknown);
}
