// SPDX-License-Identifier: BSD-2-Clause
#include <string.h>

#include "svdpi.h"
#include "tb.h"
#include "weft_abi.h"

struct row {
	const char *name;
	unsigned lsb, width, seen;
};

static struct row sizes[] = {
#define SIZE(s) { #s, WEFT_##s##_BYTES, 0, 0 },
#define FIELD(s, f)
#include "fields.h"
#undef SIZE
#undef FIELD
};
static struct row fields[] = {
#define SIZE(s)
#define FIELD(s, f) { #s "." #f, WEFT_##s##_##f##_LSB, WEFT_##s##_##f##_WIDTH, 0 },
#include "fields.h"
};

static struct row *find(struct row *r, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (!strcmp(r[i].name, name))
			return &r[i];
	tb_fail("C does not know %s", name);
	return NULL;
}

void agree_size(const char *name, int bits)
{
	struct row *r = find(sizes, sizeof(sizes) / sizeof(*sizes), name);

	if (!r)
		return;
	r->seen++;
	tb_check((unsigned)bits == r->lsb * 8, "%s: %d bits in SystemVerilog, %u bytes in C", name, bits, r->lsb);
}

void agree_field(const char *name, const svBitVecVal *value)
{
	struct row *r = find(fields, sizeof(fields) / sizeof(*fields), name);
	const uint8_t *v = (const uint8_t *)value;

	if (!r)
		return;
	r->seen++;
	for (unsigned i = 0; i < 8192; i++)
		if ((v[i / 8] >> i % 8 & 1) != (i >= r->lsb && i < r->lsb + r->width)) {
			tb_fail("%s: bit %u differs; C says %u bits from bit %u", name, i, r->width, r->lsb);
			return;
		}
}

void tb_setup(void) {}
bool tb_step(void) { return tb_cycle() >= 4; }

void tb_finish(void)
{
	for (size_t i = 0; i < sizeof(fields) / sizeof(*fields); i++)
		tb_check(fields[i].seen == 1, "%s was not compared", fields[i].name);
	tb_note("%zu structs, %zu fields compared", sizeof(sizes) / sizeof(*sizes), sizeof(fields) / sizeof(*fields));
}
