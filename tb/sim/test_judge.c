/* SPDX-License-Identifier: BSD-2-Clause */
/* The lab's memory judge through its port: gifts that overlap, directions, pages, what is over, and against a list of bytes. */
#include <string.h>

#include "../../sim/common/prng.h"
#include "../../sim/nic/judge.h"
#include "check.h"

static void write32(struct judge *j, uint64_t offset, uint32_t value, uint64_t cycle)
{
	judge_write(j, offset, &value, 4, cycle);
}

static void tell(struct judge *j, uint64_t addr, uint64_t len, uint32_t what, uint64_t cycle)
{
	write32(j, JUDGE_ADDR_LO, (uint32_t)addr, cycle);
	write32(j, JUDGE_ADDR_HI, (uint32_t)(addr >> 32), cycle);
	write32(j, JUDGE_LEN_LO, (uint32_t)len, cycle);
	write32(j, JUDGE_LEN_HI, (uint32_t)(len >> 32), cycle);
	write32(j, JUDGE_COMMAND, what, cycle);
}

enum { R = JUDGE_CARD_READS, W = JUDGE_CARD_WRITES };

static void test_plain(void)
{
	struct judge *j = judge_new();
	const struct judge_figures *f = judge_figures(j);
	const uint64_t at = 0x1fffff800u;

	CHECK(judge_read(j, JUDGE_ID) == JUDGE_MAGIC);
	CHECK(judge_access(j, true, 0, 8, 1) && !f->accesses, "judged before it was armed");
	write32(j, JUDGE_ARM, 1, 2);
	CHECK(!judge_access(j, false, at, 8, 3) && strstr(f->first, "never given"), "%s", f->first);
	tell(j, at, 5000, JUDGE_GIVE | R, 4);
	CHECK(judge_access(j, false, at, 2048, 5) && judge_access(j, false, at + 2048, 2952, 5));
	CHECK(!judge_access(j, false, at + 4999, 2, 6) && !judge_access(j, true, at, 4, 6) && f->verdicts == 3);
	/* given twice, taken once: still the card's */
	tell(j, at, 5000, JUDGE_GIVE | R, 7);
	tell(j, at, 5000, JUDGE_TAKE | R, 8);
	CHECK(judge_access(j, false, at + 2048, 64, 9));
	tell(j, at, 5000, JUDGE_TAKE | R, 10);
	CHECK(!judge_access(j, false, at + 2048, 64, 11) && !f->bytes && !f->strange);
	tell(j, at, 5000, JUDGE_TAKE | R, 12);
	CHECK(f->strange == 1);
	/* nonsense of a guest */
	tell(j, UINT64_MAX - 4, 4096, JUDGE_GIVE | R, 13);
	tell(j, 0, UINT64_MAX, JUDGE_GIVE | R, 13);
	CHECK(!f->bytes);
	judge_blame(j, "bus mastering is off", 14);
	CHECK(f->verdicts == 5);
	write32(j, JUDGE_ARM, 1, 15);
	CHECK(f->armed && !judge_access(j, false, at, 4, 16));
	judge_free(j);
}

/* 64 KiB of memory, what may be done with each byte kept beside it. */
static void test_random(unsigned long seed)
{
	enum { BYTES = 65536, GIFTS = 64 };
	static uint8_t reads[BYTES], writes[BYTES];
	struct {
		uint32_t at, len, rights;
	} gift[GIFTS] = { { 0, 0, 0 } };
	struct judge *j = judge_new();
	struct prng r;
	unsigned int good = 0;

	memset(reads, 0, sizeof(reads));
	memset(writes, 0, sizeof(writes));
	prng_seed(&r, seed);
	write32(j, JUDGE_ARM, 1, 0);
	for (uint64_t cycle = 1; cycle < 40000; cycle++) {
		uint64_t i = prng_below(&r, GIFTS);
		uint32_t at = (uint32_t)prng_below(&r, BYTES), len = 1 + (uint32_t)prng_below(&r, 512);
		bool write = prng_below(&r, 2), want = true;

		if (!prng_below(&r, 20)) {
			bool give = !gift[i].len;

			if (give) {
				gift[i].at = at;
				gift[i].len = 1 + (uint32_t)prng_below(&r, BYTES - at < 9000 ? BYTES - at : 9000);
				gift[i].rights = 1 + (uint32_t)prng_below(&r, 3);
			}
			tell(j, 0x400000000u + gift[i].at, gift[i].len, (give ? JUDGE_GIVE : JUDGE_TAKE) | gift[i].rights, cycle);
			for (uint32_t k = 0; k < gift[i].len; k++) {
				uint8_t d = give ? 1 : 255;

				reads[gift[i].at + k] += gift[i].rights & R ? d : 0;
				writes[gift[i].at + k] += gift[i].rights & W ? d : 0;
			}
			if (!give)
				gift[i].len = 0;
		}
		if (len > 4096 - at % 4096)
			len = 4096 - at % 4096;
		for (uint32_t k = 0; k < len; k++)
			want = want && (write ? writes : reads)[at + k];
		good += want;
		CHECK(judge_access(j, write, 0x400000000u + at, len, cycle) == want, "cycle %llu: %u bytes at %x: wanted %d",
		      (unsigned long long)cycle, len, at, want);
	}
	CHECK(good > 1000 && judge_figures(j)->verdicts > 1000 && !judge_figures(j)->strange);
	judge_free(j);
}

int main(void)
{
	unsigned long seed = test_seed("judge", 23);

	test_plain();
	test_random(seed);
	printf("ok sim/judge of the lab\n");
	return 0;
}
