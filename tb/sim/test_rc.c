/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The root complex model against a card made of a few lines: the ordering table of PCI Express (Base Specification 2.4.1),
 * credits by type, and that it tells of a card that does not sink what it must. Who came before whom is kept here again, from the
 * handshakes and callbacks alone.
 */
#include <string.h>

#include "../../sim/common/prng.h"
#include "../../sim/rc/rc.h"
#include "check.h"

enum { BEAT = 16, RING = 65536, TAGS = 256 };

struct card {
	struct weft_rc *rc;
	struct weft_rc_cfg *cfg;
	struct weft_rc_in in;
	struct prng random;
	uint64_t cycle;
	/* what the card does: percent of cycles */
	unsigned take_req, take_cpl, send_rd, send_wr, answer;
	/* the host's posted requests */
	uint64_t made, taken, taken_order;
	/* the card's reads: by tag */
	struct {
		bool open, sampled;
		uint64_t addr, behind, writes;
		uint32_t left;
	} rd[TAGS];
	unsigned open;
	/* the card's writes, and what they changed */
	uint64_t wr_sent, wr_seen;
	bool rd_offered, wr_offered;
	uint32_t rd_hdr[4], wr_hdr[4];
	/* the host's reads */
	uint32_t np[64][4];
	uint64_t np_behind[64], np_made, np_got, np_answered;
	unsigned np_first, np_count;
	uint64_t np_posted[RING];
	bool cpl_offered;
	uint32_t cpl_hdr[4];
	uint64_t cpl_writes;
	uint64_t completions, faults, taken_np, irqs;
	uint64_t rd_gap, wr_gap, rd_gap_max, wr_gap_max;
	char fault[256];
};

static bool chance(struct card *c, unsigned percent) { return prng_below(&c->random, 100) < percent; }

/* Memory holds, in every aligned quadword, how many writes of the card have been done. */
static int read_mem(void *ctx, uint64_t addr, uint32_t len, void *buf)
{
	struct card *c = ctx;
	unsigned tag = (unsigned)(addr >> 12) % TAGS;

	CHECK(c->rd[tag].open && c->rd[tag].addr == (addr & ~4095ull), "read of %llx", (unsigned long long)addr);
	if (!c->rd[tag].sampled) {
		c->rd[tag].sampled = true;
		c->rd[tag].behind = c->made;
		CHECK(c->wr_seen >= c->rd[tag].writes, "a read sees %llu writes of the %llu before it",
		      (unsigned long long)c->wr_seen, (unsigned long long)c->rd[tag].writes);
	}
	memset(buf, 0x77, len);
	return 0;
}

static int write_mem(void *ctx, uint64_t addr, uint32_t len, const void *buf)
{
	struct card *c = ctx;
	uint64_t number;

	(void)addr;
	CHECK(len == 8);
	memcpy(&number, buf, 8);
	CHECK(number == c->wr_seen, "write %llu takes effect as number %llu", (unsigned long long)number, (unsigned long long)c->wr_seen);
	c->wr_seen++;
	return 0;
}

static void irq(void *ctx, unsigned vector) { ((struct card *)ctx)->irqs++; (void)vector; }

static void fault(void *ctx, const char *what)
{
	struct card *c = ctx;

	c->faults++;
	snprintf(c->fault, sizeof(c->fault), "%s", what);
}

static void trace(void *ctx, int dir, int stream, const uint32_t hdr[4], const void *data, uint32_t len)
{
	struct card *c = ctx;
	unsigned tag = hdr[2] >> 8 & 255;

	(void)data, (void)len;
	if (dir || stream != WEFT_RC_RX_CPL)
		return;
	/* A completion is offered: what was posted before its data was read has been taken. */
	CHECK(c->rd[tag].open && c->rd[tag].sampled, "completion of tag %u", tag);
	CHECK(c->taken >= c->rd[tag].behind, "cycle %llu: a completion overtakes posted requests: %llu taken, it is behind %llu",
	      (unsigned long long)c->cycle, (unsigned long long)c->taken, (unsigned long long)c->rd[tag].behind);
}

static struct card *card_new(uint64_t seed)
{
	static const struct weft_rc_ops ops = { .read_mem = read_mem, .write_mem = write_mem, .irq = irq, .fault = fault, .trace = trace };
	struct card *c = calloc(1, sizeof(*c));
	struct weft_rc_ops o = ops;

	CHECK(c);
	o.ctx = c;
	prng_seed(&c->random, seed);
	c->rc = weft_rc_new(BEAT, seed, &o);
	c->cfg = weft_rc_config(c->rc);
	c->cfg->bme = c->cfg->ext_tag = true;
	c->cfg->mps = 1;
	c->cfg->mrrs = 2;
	c->take_req = c->take_cpl = c->answer = 100;
	return c;
}

static void card_free(struct card *c)
{
	weft_rc_free(c->rc);
	free(c);
}

/* The number of the request is in its data; posted requests are taken in the order in which they were made. */
static void post(struct card *c)
{
	weft_rc_write(c->rc, 2, 64, &c->made, 8);
	c->made++;
}

static void answered(void *arg, unsigned status, const void *data, uint32_t len)
{
	struct card *c = arg;

	(void)data;
	CHECK(!status && len == 8);
	CHECK(c->wr_seen >= c->cpl_writes, "a completion of the card overtakes its writes: %llu of %llu done",
	      (unsigned long long)c->wr_seen, (unsigned long long)c->cpl_writes);
	c->np_answered++;
}

static void host_read(struct card *c)
{
	c->np_posted[c->np_made % RING] = c->made;
	/* its number is in the address */
	weft_rc_read(c->rc, 0, 8 * (c->np_made % 512), 8, answered, c);
	c->np_made++;
}

static void offer(struct card *c)
{
	if (!c->rd_offered && c->open < 64 && chance(c, c->send_rd)) {
		unsigned tag;

		do
			tag = (unsigned)prng_below(&c->random, TAGS);
		while (c->rd[tag].open);
		c->rd[tag].addr = 0x100000000ull + tag * 4096ull + (uint64_t)TAGS * 4096 * prng_below(&c->random, 100);
		c->rd[tag].left = 4 * (1 + (uint32_t)prng_below(&c->random, 128));
		c->rd_hdr[0] = 1u << 29 | (c->rd[tag].left / 4 & 0x3ff);
		c->rd_hdr[1] = (uint32_t)c->cfg->bdf << 16 | tag << 8 | (c->rd[tag].left > 4 ? 0xff : 0x0f);
		c->rd_hdr[2] = (uint32_t)(c->rd[tag].addr >> 32);
		c->rd_hdr[3] = (uint32_t)c->rd[tag].addr;
		c->rd_offered = true;
	}
	if (!c->wr_offered && chance(c, c->send_wr)) {
		c->wr_hdr[0] = 1u << 30 | 2;
		c->wr_hdr[1] = (uint32_t)c->cfg->bdf << 16 | 0xff;
		c->wr_hdr[2] = 0x1000;
		c->wr_offered = true;
	}
	if (!c->cpl_offered && c->np_count && chance(c, c->answer)) {
		const uint32_t *q = c->np[c->np_first];

		c->cpl_hdr[0] = 0x4a000002u | (q[0] & 0x00743000u) | (q[0] & (1u << 23 | 1u << 19));
		c->cpl_hdr[1] = (uint32_t)c->cfg->bdf << 16 | 8;
		c->cpl_hdr[2] = (q[1] & 0xffffff00u) | (q[2] & 0x7f);
		c->np_first = (c->np_first + 1) % 64;
		c->np_count--;
		c->cpl_offered = true;
	}
}

static void take_request(struct card *c)
{
	if (c->in.rx_req_hdr[0] >> 30 & 1) {
		uint64_t number;

		memcpy(&number, c->in.rx_req_data, 8);
		CHECK(number == c->taken, "posted request %llu is taken as number %llu", (unsigned long long)number,
		      (unsigned long long)c->taken);
		c->taken++;
		return;
	}
	CHECK(c->np_count < 64, "more than 64 non-posted requests");
	for (uint64_t i = c->np_got; i < c->np_made; i++)
		if (c->in.rx_req_hdr[2] == 8 * (i % 512) || !c->cfg->reorder) {
			CHECK(c->taken >= c->np_posted[i % RING], "a read overtakes posted requests");
			break;
		}
	memcpy(c->np[(c->np_first + c->np_count++) % 64], c->in.rx_req_hdr, 16);
	c->taken_np++;
}

static void take_completion(struct card *c)
{
	unsigned tag = c->in.rx_cpl_hdr[2] >> 8 & 255;

	if (!c->in.rx_cpl_last)
		return;
	c->completions++;
	CHECK(c->rd[tag].left >= 4 * (c->in.rx_cpl_hdr[0] & 0x3ff));
	c->rd[tag].left -= 4 * (c->in.rx_cpl_hdr[0] & 0x3ff);
	if (c->rd[tag].left)
		return;
	c->rd[tag].open = false;
	c->open--;
}

static void cycle(struct card *c)
{
	struct weft_rc_out o = { .rx_req_ready = chance(c, c->take_req), .rx_cpl_ready = chance(c, c->take_cpl) };

	c->cycle++;
	weft_rc_drive(c->rc, &c->in);
	offer(c);
	o.tx_rd_valid = c->rd_offered;
	o.tx_wr_valid = o.tx_wr_last = c->wr_offered;
	o.tx_cpl_valid = c->cpl_offered;
	memcpy(o.tx_rd_hdr, c->rd_hdr, 16);
	memcpy(o.tx_wr_hdr, c->wr_hdr, 16);
	memcpy(o.tx_cpl_hdr, c->cpl_hdr, 16);
	memcpy(o.tx_wr_data, &c->wr_sent, 8);
	if (o.tx_cpl_valid && c->in.tx_cpl_ready)
		c->cpl_writes = c->wr_sent; /* taken in earlier cycles */
	if (o.tx_rd_valid && c->in.tx_rd_ready) {
		unsigned tag = c->rd_hdr[1] >> 8 & 255;

		c->rd[tag].open = true;
		c->rd[tag].sampled = false;
		c->rd[tag].writes = c->wr_sent;
		c->open++;
	}
	weft_rc_sample(c->rc, &o);
	c->rd_gap = c->in.tx_rd_ready ? 0 : c->rd_gap + 1;
	c->wr_gap = c->in.tx_wr_ready ? 0 : c->wr_gap + 1;
	c->rd_gap_max = c->rd_gap > c->rd_gap_max ? c->rd_gap : c->rd_gap_max;
	c->wr_gap_max = c->wr_gap > c->wr_gap_max ? c->wr_gap : c->wr_gap_max;
	if (o.tx_rd_valid && c->in.tx_rd_ready)
		c->rd_offered = false;
	if (o.tx_wr_valid && c->in.tx_wr_ready) {
		c->wr_offered = false;
		c->wr_sent++;
	}
	if (o.tx_cpl_valid && c->in.tx_cpl_ready)
		c->cpl_offered = false;
	if (c->in.rx_req_valid && o.rx_req_ready && c->in.rx_req_last)
		take_request(c);
	if (c->in.rx_cpl_valid && o.rx_cpl_ready)
		take_completion(c);
}

/* A doorbell that the card does not take yet, a read that was answered behind it: the completion waits, and comes then. */
static void test_completion_behind_posted(void)
{
	struct card *c = card_new(3);

	c->take_req = 0;
	post(c);
	c->send_rd = 100;
	for (int i = 0; i < 4; i++)
		cycle(c);
	c->send_rd = 0;
	for (int i = 0; i < 500; i++)
		cycle(c);
	CHECK(!c->completions && c->open, "a completion came in front of a posted request");
	c->take_req = 100;
	for (int i = 0; i < 500; i++)
		cycle(c);
	CHECK(c->completions && !c->open && !c->faults);
	card_free(c);
}

/* The card answers no read of the host: what the host posts goes past those that have no tag, and completions come. */
static void test_past_nonposted(void)
{
	struct card *c = card_new(4);

	c->answer = 0;
	for (int i = 0; i < 40; i++)
		host_read(c);
	for (int i = 0; i < 10; i++)
		post(c);
	c->send_rd = 100;
	for (int i = 0; i < 5; i++)
		cycle(c);
	c->send_rd = 0;
	for (int i = 0; i < 1000; i++)
		cycle(c);
	CHECK(c->taken == 10, "%llu of 10 posted requests pass reads that wait", (unsigned long long)c->taken);
	CHECK(c->taken_np == 32 && !c->open && !c->faults);
	c->answer = 100;
	for (int i = 0; i < 1000; i++)
		cycle(c);
	CHECK(c->np_answered == 40);
	card_free(c);
}

/* A card that holds up what it must sink. */
static void test_watch(void)
{
	for (int which = 0; which < 2; which++) {
		struct card *c = card_new(5);

		c->cfg->sink_limit = 700;
		if (which) {
			c->take_cpl = 0;
			c->send_rd = 100;
		} else {
			c->take_req = 0;
			post(c);
		}
		for (int i = 0; i < 690; i++)
			cycle(c);
		CHECK(!c->faults, "%s", c->fault);
		for (int i = 0; i < 20; i++)
			cycle(c);
		CHECK(c->faults == 1 && strstr(c->fault, which ? "completion is not taken" : "posted request is not taken"), "%s",
		      c->fault);
		card_free(c);
	}
}

/* Types are starved apart from each other, for as long as was said; never more is under way than there are credits. */
static void test_credits(unsigned long seed)
{
	struct card *c = card_new(seed);

	c->cfg->nph = 4;
	c->cfg->ph = 8;
	c->cfg->credit_min = c->cfg->credit_max = 100;
	c->send_rd = c->send_wr = 100;
	for (int i = 0; i < 10000; i++)
		cycle(c);
	/* 4 in 100 cycles, 8 in 100 cycles */
	CHECK(weft_rc_stats(c->rc)->rd_tlps <= 404 && weft_rc_stats(c->rc)->rd_tlps >= 380, "%llu reads",
	      (unsigned long long)weft_rc_stats(c->rc)->rd_tlps);
	CHECK(c->wr_sent <= 808 && c->wr_sent >= 760, "%llu writes", (unsigned long long)c->wr_sent);
	c->cfg->starve_min = 3000;
	c->cfg->starve_max = 5000;
	c->rd_gap_max = c->wr_gap_max = 0;
	for (int i = 0; i < 400000; i++)
		cycle(c);
	CHECK(c->rd_gap_max >= 3000 && c->rd_gap_max <= 10300, "%llu", (unsigned long long)c->rd_gap_max);
	CHECK(c->wr_gap_max >= 3000 && c->wr_gap_max <= 10300, "%llu", (unsigned long long)c->wr_gap_max);
	CHECK(weft_rc_stats(c->rc)->starved > 5 && !c->faults, "%s", c->fault);
	card_free(c);
}

static void test_random(unsigned long seed)
{
	struct prng r;
	uint64_t held = 0, passed = 0;

	prng_seed(&r, seed);
	for (int round = 0; round < 60; round++) {
		struct card *c = card_new(seed + 100 + (unsigned)round);
		struct weft_rc_cfg *f = c->cfg;

		f->split = prng_below(&r, 2);
		f->reorder = prng_below(&r, 2);
		f->stale = prng_below(&r, 2);
		f->delay_max = (uint32_t)prng_below(&r, 300);
		f->late_max = (uint32_t)prng_below(&r, 2) * 200;
		f->gap_req = f->gap_cpl = (uint8_t)prng_below(&r, 60);
		if (prng_below(&r, 2)) {
			f->ph = f->nph = f->cplh = (uint16_t)(1 + prng_below(&r, 16));
			f->pd = (uint16_t)(16 + prng_below(&r, 64));
			f->cpld = (uint16_t)(1 + prng_below(&r, 4));
			f->credit_max = 150;
			f->starve_min = 500;
			f->starve_max = 2000;
		}
		c->take_req = 5 + (unsigned)prng_below(&r, 95);
		c->take_cpl = 20 + (unsigned)prng_below(&r, 80);
		c->answer = 5 + (unsigned)prng_below(&r, 95);
		c->send_rd = (unsigned)prng_below(&r, 50);
		c->send_wr = (unsigned)prng_below(&r, 50);
		for (int i = 0; i < 20000; i++) {
			if (chance(c, 2) && c->made < c->taken + 100)
				post(c);
			if (chance(c, 1) && c->np_made < c->np_answered + 60)
				host_read(c);
			cycle(c);
		}
		c->send_rd = c->send_wr = 0;
		c->take_req = c->take_cpl = c->answer = 100;
		for (int i = 0; i < 40000 && !(weft_rc_idle(c->rc) && !c->cpl_offered && !c->np_count && !c->rd_offered); i++)
			cycle(c);
		for (int i = 0; i < 5000; i++)
			cycle(c);
		CHECK(!c->faults, "round %d: %s", round, c->fault);
		CHECK(c->taken == c->made && c->np_answered == c->np_made && !c->open && c->wr_seen == c->wr_sent,
		      "round %d: posted %llu of %llu, answered %llu of %llu, %u reads open, %llu of %llu writes", round,
		      (unsigned long long)c->taken, (unsigned long long)c->made, (unsigned long long)c->np_answered,
		      (unsigned long long)c->np_made, c->open, (unsigned long long)c->wr_seen, (unsigned long long)c->wr_sent);
		held += weft_rc_stats(c->rc)->held;
		passed += weft_rc_stats(c->rc)->passed;
		card_free(c);
	}
	CHECK(held > 1000 && passed > 10, "%llu cycles held, %llu passed", (unsigned long long)held, (unsigned long long)passed);
}

#define RUN(name, ...) do { test_##name(__VA_ARGS__); printf("ok sim/rc " #name "\n"); fflush(stdout); } while (0)

int main(void)
{
	unsigned long seed = test_seed("rc", 17);

	RUN(completion_behind_posted);
	RUN(past_nonposted);
	RUN(watch);
	RUN(credits, seed);
	RUN(random, seed);
	printf("rc: passed\n");
	return 0;
}
