// SPDX-License-Identifier: BSD-2-Clause
/* weft_pcie against the root complex model: throughput with a friendly host, what it must take while it may send nothing, then
 * random traffic with a hostile one, then late completions, bus mastering off, function-level reset, and random traffic once more. +n=N random reads and writes. */
#include "model.h"

#include <string.h>

#ifdef MODEL_BLOCK
bool model_busy(void);
#else
static bool model_busy(void) { return false; }
#endif

enum phase { SETUP, WARM, PERF_WR, PERF_WR1, PERF_RD, PERF_RD64, PERF_LAT, TAGS, DOORBELL, FAIR, SINK, RANDOM, DRAIN, LATE, NEVER, BME, BME2, FLR, FLR2, CREDIT, CREDIT2, DONE };
static enum phase phase;
static uint64_t began, base_a, base_b, target_rd, target_wr, phase_cycle, stuck_until, stuck_base;
static unsigned round_no, sub, gap, latency;
static int stuck_client = -1;
static uint32_t pba;
static bool pba_done, credit_done;
static const unsigned beat = TB_DATA_W / 8;

static void next(enum phase p)
{
	phase = p;
	sub = 0;
	began = phase_cycle = tb_cycle();
	last_progress = tb_cycle();
}

static void rates(unsigned pct)
{
	for (int i = 0; i <= P_REG_RSP; i++) {
		tb_src_rate(i, pct);
		tb_snk_rate(i, pct);
	}
	tb_src_rate(P_REG_RSP, 100); /* answers have no ready, so no valid to hold back either */
}

static void friendly(void)
{
	uint16_t bdf = cfg->bdf;
	bool en = cfg->msix_en;

	memset(cfg, 0, sizeof(*cfg));
	cfg->bdf = bdf;
	cfg->msix_en = en;
	cfg->bme = true;
	cfg->ext_tag = true;
	cfg->mps = 1;
	cfg->mrrs = 2;
	rates(100);
	tb_ns_per_cycle = 4;
	any_err_ok = false;
}

static void hostile(void)
{
	cfg->ext_tag = tb_chance(70);
	cfg->rcb128 = tb_chance(30);
	cfg->mps = (uint8_t)tb_below(6);
	cfg->mrrs = (uint8_t)tb_below(6);
	cfg->split = tb_chance(80);
	cfg->reorder = tb_chance(80);
	cfg->delay_min = tb_below(50);
	cfg->delay_max = cfg->delay_min + tb_below(400);
	cfg->stall_rd = (uint8_t)tb_below(70);
	cfg->stall_wr = (uint8_t)tb_below(60);
	cfg->stall_cpl = (uint8_t)tb_below(80);
	cfg->gap_req = (uint8_t)tb_below(80);
	cfg->gap_cpl = (uint8_t)tb_below(50);
	cfg->ur_ppm = tb_below(3000);
	cfg->ca_ppm = tb_below(3000);
	cfg->poison_ppm = tb_below(3000);
	cfg->lost_ppm = tb_chance(50) ? 400 : 0;
	cfg->stray_ppm = tb_below(50000);
	cfg->stale = tb_chance(50);
	cfg->late_max = tb_chance(50) ? tb_below(300) : 0;
	if (tb_chance(60)) {
		cfg->ph = 1 + (uint16_t)tb_below(16);
		cfg->pd = 1 + (uint16_t)tb_below(256);
		cfg->nph = 1 + (uint16_t)tb_below(32);
		cfg->cplh = 1 + (uint16_t)tb_below(8);
		cfg->cpld = 1 + (uint16_t)tb_below(8);
		cfg->credit_max = 10 + tb_below(150);
		cfg->starve_min = 1000;
		cfg->starve_max = 5000;
	}
	any_err_ok = false;
	for (int i = 0; i < P_REG_RSP; i++) {
		tb_src_rate(i, tb_range(20, 100));
		tb_snk_rate(i, tb_range(20, 100));
	}
}

static uint32_t random_len(void)
{
	switch (tb_below(20)) {
	default: return tb_range(1, 64);
	case 10 ... 15: return tb_range(1, 600);
	case 16 ... 18: return tb_range(1, 4200);
	case 19: return tb_range(1, 16384);
	}
}

void tb_setup(void)
{
	tb_ns_per_cycle = 4;
	model_start();
	friendly();
}

static bool quiet(void) { return rd_answered == rd_pushed && wr_left == wr_pushed && !host_open && weft_rc_idle(rc); }

static void figure(const char *what, double value, double least)
{
	tb_note("%d bits: %s: %.2f", TB_DATA_W, what, value);
	/* +rate=P: what is between the unit and the root complex takes the rest */
	least *= (double)tb_opt("rate", 100) / 100;
	tb_check(value >= least, "%s: %.2f is less than %.2f", what, value, least);
}

static void random_step(void)
{
	for (int c = 0; c < N_RD; c++)
		if (rd_pushed < target_rd && reads_open(c) < 4 && tb_chance(30))
			push_read(c, random_len(), tb_chance(25), tb_chance(50) ? 0 : (int)tb_below(13));
	for (int c = 0; c < N_WR; c++)
		if (wr_pushed < target_wr && writes_open(c) < 3 && tb_chance(30))
			push_write(c, random_len(), tb_chance(50) ? 0 : (int)tb_below(13));
	if (host_open < 40 && tb_chance(10))
		host_access();
	if (tb_chance(3) && tb_pending(P_IRQ) < 4)
		push_irq(tb_chance(98) ? tb_below(USED_VEC) : tb_range(N_VEC, 2047));
	if (tb_chance(1) && tb_chance(20) && may_access()) {
		unsigned v = tb_below(USED_VEC);

		mask_vector(v, !vector_masked(v));
	}
	if (tb_chance(1) && tb_chance(10))
		cfg->msix_mask = !cfg->msix_mask;
	/* For a while one client takes nothing: the others must go on. */
	if (stuck_client < 0 && tb_chance(1) && tb_chance(2)) {
		stuck_client = (int)tb_below(N_RD);
		/*
		 * Longer than a read may wait: for its own credits once, and behind writes for theirs once. A type that was starved
		 * has credits for eight times as long afterwards, so no second time falls into this. What all clients read at once through
		 * something slow comes to an end once in thousands of cycles (+slow).
		 */
		stuck_until = tb_cycle() + 4000 * (uint64_t)tb_opt("slow", 1) + 2 * cfg->starve_max;
		stuck_base = rd_answered;
		tb_snk_rate(P_RSP + stuck_client, 0);
	}
	if (stuck_client >= 0 && tb_cycle() >= stuck_until) {
		tb_check(rd_answered > stuck_base || rd_pushed == target_rd || !cfg->bme || any_err_ok || cfg->lost_ppm,
			 "client %d stops all the others", stuck_client);
		tb_snk_rate(P_RSP + stuck_client, 60);
		stuck_client = -1;
	}
	if (tb_chance(1) && tb_chance(5) && stuck_client < 0)
		for (int i = 0; i < P_REG_RSP; i++) {
			tb_src_rate(i, tb_range(10, 100));
			tb_snk_rate(i, tb_range(10, 100));
		}
}

static void to_random(void)
{
	hostile();
	tb_note("round %u: mps %u mrrs %u rcb %u ext_tag %u split %u reorder %u delay %u-%u lost %u", round_no, 128u << cfg->mps,
		128u << cfg->mrrs, cfg->rcb128 ? 128 : 64, cfg->ext_tag, cfg->split, cfg->reorder, cfg->delay_min, cfg->delay_max,
		cfg->lost_ppm);
	target_rd = rd_pushed + (uint64_t)tb_opt("n", TB_DATA_W == 64 ? 1500 : TB_DATA_W == 128 ? 3000 : 6000) / (round_no ? 3 : 1);
	target_wr = wr_pushed + (uint64_t)tb_opt("n", TB_DATA_W == 64 ? 1500 : TB_DATA_W == 128 ? 3000 : 6000) / (round_no ? 3 : 1);
	next(RANDOM);
}

static void flr_done(void *arg)
{
	sub = 2;
	phase_cycle = tb_cycle();
	for (int c = 0; c < N_WR; c++)
		tb_src_rate(P_WR + c, 100);
}

static void setup_host(void)
{
	static const uint8_t zero[16];

	cfg->bme = true;
	weft_rc_msix_setup(rc, USED_VEC);
	made_accesses(2 * USED_VEC);
	if (!round_no)
		for (unsigned v = USED_VEC; v < N_VEC; v++)
			weft_rc_write(rc, 4, 16 * v, zero, 8), weft_rc_write(rc, 4, 16 * v + 8, zero, 4);
}

bool tb_step(void)
{
	uint64_t cycles = tb_cycle() - began;

	/*
	 * Only time-outs are left to wait for: let time run. Not while a block between card and root complex holds something: a read that waits there
	 * for credits would be given up, its tag used again, and would then leave all the same.
	 */
	if (phase == DRAIN || phase == RANDOM)
		tb_ns_per_cycle = cfg->lost_ppm && weft_rc_idle(rc) && !model_busy() && tb_cycle() - last_progress > 600 ? 120 : 1;
	if (tb_cycle() - last_progress > 200000) {
		tb_fail("nothing happens in phase %d: reads %llu/%llu writes %llu/%llu host %llu", phase,
			(unsigned long long)rd_answered, (unsigned long long)rd_pushed, (unsigned long long)wr_left,
			(unsigned long long)wr_pushed, (unsigned long long)host_open);
		return true;
	}
	switch (phase) {
	case SETUP:
		setup_host();
		next(WARM);
		break;
	case WARM:
		if (!weft_rc_idle(rc) || cycles < 200)
			break;
		for (int i = 0; i < 32; i++)
			push_write(0, 4096, 12);
		base_a = wr_bytes;
		next(PERF_WR);
		break;
	case PERF_WR:
		if (!quiet())
			break;
		figure("writes of 4 KiB, MPS 256, bytes a cycle", 131072.0 / (double)cycles, 0.97 * beat);
		for (int i = 0; i < 512; i++)
			push_write(1 + i % 2, beat, 6);
		next(PERF_WR1);
		break;
	case PERF_WR1:
		if (!quiet())
			break;
		figure("writes of one beat, a cycle", 512.0 / (double)cycles, 0.95);
		cfg->delay_min = cfg->delay_max = beat == 64 ? 250 : 100;
		for (int i = 0; i < 32; i++)
			push_read(0, 16384, false, 9);
		next(PERF_RD);
		break;
	case PERF_RD:
		if (!quiet())
			break;
		figure("reads of 16 KiB by one client, MRRS 512, bytes a cycle", 524288.0 / (double)cycles, 0.93 * beat);
		for (int i = 0; i < 1024; i++)
			push_read(i % N_RD, 64, false, 6);
		cfg->delay_min = cfg->delay_max = 40;
		next(PERF_RD64);
		break;
	case PERF_RD64:
		if (!quiet())
			break;
		figure("reads of 64 bytes by all clients, a cycle", 1024.0 / (double)cycles, 0.9 * (beat > 32 ? 0.5 : beat / 64.0));
		cfg->delay_min = cfg->delay_max = 0;
		next(PERF_LAT);
		push_read(1, 64, false, 6);
		break;
	case PERF_LAT:
		if (!quiet())
			break;
		tb_note("%d bits: read of 64 bytes: %llu cycles with a host that answers at once", TB_DATA_W, (unsigned long long)cycles);
		latency = (unsigned)cycles;
		next(TAGS);
		break;
	case TAGS: /* a client takes a tag in the cycle in which it gives its only one back: as many are free afterwards */
		if (sub % 2 == 0) {
			/* How many reads one client gets out, when nothing is answered. */
			for (int i = 0; i < 70; i++)
				push_read(0, 64, false, 6);
			base_a = weft_rc_stats(rc)->rd_tlps;
			cfg->delay_min = cfg->delay_max = 4000;
			phase_cycle = tb_cycle();
			sub++;
		} else if (cfg->delay_min) {
			if (tb_cycle() - phase_cycle < 1000 * (uint64_t)tb_opt("slow", 1))
				break;
			if (sub == 1)
				base_b = weft_rc_stats(rc)->rd_tlps - base_a;
			else
				tb_check(weft_rc_stats(rc)->rd_tlps - base_a + 1 >= base_b, "of %llu tags of one client %llu are left", (unsigned long long)base_b,
					 (unsigned long long)(weft_rc_stats(rc)->rd_tlps - base_a));
			cfg->delay_min = cfg->delay_max = 0;
		} else if (quiet() && sub == 3) {
			tb_snk_rate(P_REG, 0);
			for (uint32_t i = 0; i < 30; i++)
				host_register(8 * i);
			for (int i = 0; i < 200; i++)
				i % 4 ? host_doorbell() : host_combined();
			next(DOORBELL);
		} else if (quiet()) {
			/* The second of two reads, at every distance; one of them hits. */
			if (gap == 4 * latency) {
				sub++;
				break;
			}
			push_read(0, 64, false, 6);
			phase_cycle = tb_cycle();
			gap++;
		} else if (rd_pushed == rd_answered + 1 && tb_cycle() - phase_cycle == 1 + gap % latency) {
			push_read(0, 64, false, 6);
		}
		break;
	case DOORBELL: /* registers answer nothing, doorbells pass */
		if (!sub) {
			/* +slow=N: what is between takes so much longer */
			if (cycles < 900 * (uint64_t)tb_opt("slow", 1))
				break;
			tb_check(!doorbells_open(), "%zu doorbells wait for registers", doorbells_open());
			tb_check(host_open == 30, "a register was read");
			tb_snk_rate(P_REG, 100);
			sub = 1;
		} else if (quiet()) {
			tb_snk_rate(P_RSP, 0);
			for (int i = 0; i < 8; i++)
				push_read(0, 16384, false, 0);
			next(FAIR);
		}
		break;
	case FAIR: /* a client with every tag that it can get takes nothing: the others go on */
		if (!sub && cycles >= 6000) {
			for (int i = 0; i < 70; i++)
				push_read(1 + i % (N_RD - 1), tb_range(1, 700), false, 0);
			sub = 1;
		} else if (sub == 1 && cycles >= 20000) {
			tb_check(rd_pushed - rd_answered == 8, "client 0 stops the others");
			tb_snk_rate(P_RSP, 100);
			sub = 2;
		} else if (sub == 2 && quiet()) {
			/* Nothing of the card leaves for a long time, and no client takes anything. */
			cfg->delay_min = 20;
			cfg->delay_max = 800;
			cfg->reorder = cfg->split = true;
			cfg->sink_limit = 200;
			for (int i = 0; i < N_RD; i++) {
				tb_snk_rate(P_RSP + i, 0);
				push_read(i, 2000, false, 0);
			}
			next(SINK);
		}
		break;
	case SINK: /* what comes in is taken all the same: the completions are behind the doorbells */
		if (cycles == 60) {
			cfg->stall_rd = cfg->stall_wr = cfg->stall_cpl = 100;
			base_a = weft_rc_stats(rc)->cpl_tlps;
			for (int i = 0; i < N_WR; i++)
				push_write(i, 3000, 0);
			for (int i = 0; i < USED_VEC; i++)
				push_irq((unsigned)i);
		}
		if (cycles > 60 && cycles <= 60 + 30 * 100 && cycles % 100 == 0) {
			for (int i = 0; i < 10; i++)
				i % 4 ? host_doorbell() : host_combined();
			if (cycles % 200 == 0)
				host_register(8 * (uint32_t)(cycles / 200));
		}
		if (cycles == 8000) {
			tb_check(!doorbells_open(), "%zu doorbells wait until the card may send", doorbells_open());
			tb_check(host_open == 15, "%llu register reads wait, not 15", (unsigned long long)host_open);
			tb_check(weft_rc_stats(rc)->cpl_tlps - base_a >= 20, "no completions came");
			tb_check(weft_rc_stats(rc)->slowest < 200, "a TLP waited %llu cycles",
				 (unsigned long long)weft_rc_stats(rc)->slowest);
			friendly();
		}
		if (cycles > 8000 && quiet())
			to_random();
		break;
	case RANDOM:
		random_step();
		if (rd_pushed == target_rd && wr_pushed == target_wr && stuck_client < 0) {
			for (unsigned v = 0; v < USED_VEC; v++)
				if (vector_masked(v))
					mask_vector(v, false);
			cfg->msix_mask = false;
			rates(100);
			next(DRAIN);
		}
		break;
	case DRAIN:
		if (!quiet() || !irqs_served() || tb_pending(P_IRQ)) {
			if (!irqs_served() && quiet() && cycles > 100000) {
				check_irqs();
				tb_fail("interrupts stay pending");
				return true;
			}
			break;
		}
		if (!sub) {
			sub = 1;
			phase_cycle = tb_cycle();
		}
		if (tb_cycle() - phase_cycle < 100)
			break;
		check_irqs();
		tb_check(idle, "not idle when all is done");
		tb_check(!doorbells_open(), "a doorbell was lost");
		tb_check(stat_count[ST_DB_IGNORED] == want_ignored, "%llu doorbells ignored, not %llu",
			 (unsigned long long)stat_count[ST_DB_IGNORED], (unsigned long long)want_ignored);
		tb_check(stat_count[ST_DROPPED] == want_dropped, "%llu requests dropped, not %llu",
			 (unsigned long long)stat_count[ST_DROPPED], (unsigned long long)want_dropped);
		tb_check(stat_count[ST_UR] == want_ur, "%llu requests refused, not %llu", (unsigned long long)stat_count[ST_UR],
			 (unsigned long long)want_ur);
		friendly();
		if (round_no++) {
			next(DONE);
			break;
		}
		/* A read that is answered between its time-out and the end of its tag's quarantine. */
		cfg->delay_min = cfg->delay_max = 1100;
		tb_ns_per_cycle = 120;
		any_err_ok = true;
		base_a = rd_errors;
		base_b = stat_count[ST_CPL_BAD];
		next(LATE);
		push_read(3, 100, false, 0);
		break;
	case LATE:
		if (!quiet())
			break;
		if (!sub) {
			tb_check(rd_errors == base_a + 1, "a read without answer does not fail");
			sub = 1;
			phase_cycle = tb_cycle();
			break;
		}
		if (tb_cycle() - phase_cycle < 20 * (uint64_t)tb_opt("slow", 1))
			break;
		tb_check(stat_count[ST_CPL_BAD] > base_b, "a late completion was not dropped");
		tb_check(idle && !deadline, "late completion: not idle after the quarantine");
		/* A read that is given up before there were credits for it never leaves: its memory may be somebody else's by then. */
		cfg->delay_min = cfg->delay_max = 0;
		cfg->stall_rd = 100;
		base_a = rd_errors;
		next(NEVER);
		base_b = weft_rc_stats(rc)->rd_tlps;
		push_read(3, 100, false, 0);
		break;
	case NEVER:
		if (!sub) {
			if (rd_errors == base_a)
				break;
			cfg->stall_rd = 0;
			sub = 1;
			phase_cycle = tb_cycle();
		}
		if (tb_cycle() - phase_cycle < 3000)
			break;
		tb_check(weft_rc_stats(rc)->rd_tlps == base_b, "a read leaves that was given up");
		tb_check(quiet() && idle && !deadline, "not idle after the quarantine of a read that never left");
		friendly();
		cfg->bme = false;
		any_err_ok = true;
		dropping = true;
		base_a = rd_errors;
		base_b = rd_answered;
		next(BME);
		break;
	case BME: /* nothing leaves; reads fail, writes vanish, interrupts wait */
		if (cycles == 20) {
			for (int i = 0; i < 50; i++) {
				push_read(i % N_RD, 1 + tb_below(2000), false, 0);
				push_write(i % N_WR, 1 + tb_below(2000), 0);
			}
			push_irq(5);
		}
		if (cycles < 20000)
			break;
		tb_check(quiet(), "bus mastering off: something waits");
		tb_check(rd_errors - base_a == rd_answered - base_b && rd_answered - base_b == 50, "bus mastering off: reads succeed");
		tb_check(stat_count[ST_WR_DROPPED] == 50, "bus mastering off: %llu writes dropped, not 50",
			 (unsigned long long)stat_count[ST_WR_DROPPED]);
		tb_check(!irqs_served(), "bus mastering off: interrupt");
		peek(4, 32768, &pba, &pba_done);
		dropping = any_err_ok = false;
		next(BME2);
		break;
	case BME2:
		if (!pba_done || cycles < 200)
			break;
		if (!sub) {
			tb_check(pba == 1u << 5, "pending bits are %x", pba);
			cfg->bme = true;
			sub = 1;
			phase_cycle = tb_cycle();
			break;
		}
		if (tb_cycle() - phase_cycle < 100)
			break;
		tb_check(irqs_served(), "no interrupt after bus mastering came back");
		cfg->delay_min = 50;
		cfg->delay_max = 900;
		cfg->reorder = cfg->split = true;
		cfg->stray_ppm = 1; /* late completions are sent */
		next(FLR);
		break;
	case FLR: /* in the middle of traffic: inside a write TLP of up to 4 KiB whose client takes its time */
		if (!sub) {
			for (int c = 0; c < N_RD; c++)
				if (reads_open(c) < 3)
					push_read(c, tb_range(1, beat), false, 0); /* one beat: the bench cannot cut packets */
			for (int c = 0; c < N_WR; c++)
				if (writes_open(c) < 3 && cycles < 250)
					push_write(c, cycles < 200 ? tb_range(1, beat) : tb_range(12 * beat, 4096), cycles < 200 ? 0 : 12);
			cfg->mps = cycles < 200 ? 1 : 5;
			if (cycles == 260)
				for (int c = 0; c < N_WR; c++)
					tb_src_rate(P_WR + c, 2);
			if (cycles == 300) {
				/* What is accepted from now on may be thrown away: stop checking, let it run dry */
				sub = 1;
				weft_rc_flr(rc, flr_done, NULL);
				flushing = dropping = true;
			}
		} else if (sub == 1) {
			tb_check(cycles < 100000, "function-level reset does not end");
			if (cycles >= 100000)
				return true;
		} else if (tb_cycle() - phase_cycle > 5) {
			next(FLR2);
		}
		break;
	case FLR2:
		/* the clients were reset with the core; the bench's queues run dry with bus mastering off */
		if (tb_pending(P_RD) || cycles < 3000 || !weft_rc_idle(rc))
			break;
		for (int p = 0; p < P_RSP; p++)
			if (tb_pending(p))
				return false;
		for (int p = P_WR; p < P_WR + N_WR; p++)
			if (tb_pending(p))
				return false;
		if (tb_cycle() - phase_cycle < 4000)
			break;
		tb_check(!credit_done || weft_rc_stats(rc)->rd_tlps == base_a, "%llu reads left behind the reset that waited for credits",
			 (unsigned long long)(weft_rc_stats(rc)->rd_tlps - base_a));
		model_forget();
		flushing = dropping = false;
		friendly();
		cfg->msix_en = false;
		setup_host();
		if (credit_done)
			to_random();
		else
			next(CREDIT);
		break;
	case CREDIT: /* reads on offer that get no credits: the reset does not wait for them, and they never leave */
		if (!weft_rc_idle(rc) || cycles < 200)
			break;
		cfg->stall_rd = 100;
		for (int c = 0; c < N_RD; c++)
			for (int i = 0; i < 2; i++)
				push_read(c, tb_range(1, beat), false, 0);
		next(CREDIT2);
		break;
	case CREDIT2:
		if (cycles == 300) {
			base_a = weft_rc_stats(rc)->rd_tlps;
			credit_done = flushing = dropping = true;
			weft_rc_flr(rc, flr_done, NULL);
		} else if (cycles > 300 && sub == 2) {
			tb_note("a reset with reads that wait for credits ends after %llu cycles", (unsigned long long)cycles - 300);
			cfg->stall_rd = 0;
			next(FLR2);
		} else if (cycles == 5000) {
			tb_fail("a reset waits for credits");
			cfg->stall_rd = 0;
		}
		break;
	case DONE:
		return true;
	}
	return false;
}

void tb_finish(void)
{
	const struct weft_rc_stats *s = weft_rc_stats(rc);

	tb_check(phase == DONE, "ended in phase %d", phase);
	pushes_seen();
	tb_note("%llu cycles: %llu reads in %llu TLPs and %llu completions (%llu failed), %llu writes in %llu TLPs, %llu interrupts",
		(unsigned long long)s->cycles, (unsigned long long)rd_answered, (unsigned long long)s->rd_tlps,
		(unsigned long long)s->cpl_tlps, (unsigned long long)rd_errors, (unsigned long long)wr_left,
		(unsigned long long)s->wr_tlps, (unsigned long long)s->irqs);
	tb_note("%llu timed out, %llu completions dropped, %llu cycles without a tag", (unsigned long long)stat_count[ST_TIMEOUT],
		(unsigned long long)stat_count[ST_CPL_BAD], (unsigned long long)stat_count[ST_NO_TAG]);
	weft_rc_free(rc);
}
