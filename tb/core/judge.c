// SPDX-License-Identifier: BSD-2-Clause
/*
 * Memory that the host takes back in the middle of everything: once the card has said that it is done (a region deregistered, a
 * queue pair destroyed), or has been reset, no DMA of it touches what is not its own any more. The judge of the lockstep harness
 * looks at every access.
 *
 * judge +case=NAME [--seed N] [--adversary ...]; firmware runs (FW, DEAD: images). One line `ok ...` or `not ok ...`.
 */
#include <stdio.h>

#include "cards.h"

#define PAIRS 4
#define LEN 32768u       /* of a Write */
#define DEPTH 8u         /* of them under way per queue pair */
#define MTU 4096
#define PD 7
#define RTO_US 1000      /* a time-out is soon over */
#define LW (1 << WEFT_ACCESS_LOCAL_WRITE)
#define LR (1 << WEFT_ACCESS_LOCAL_READ)
#define RW (1 << WEFT_ACCESS_REMOTE_WRITE)
#define RR (1 << WEFT_ACCESS_REMOTE_READ)

static struct lockstep *ls;
static struct ls_host *a, *b;
static struct pair {
	struct ls_qp *qa, *qb;
	struct ls_cq *ca, *cb;
	struct ls_mr *src, *dst;
	unsigned int under_way, posted, done, failed;
} pairs[PAIRS];
static struct card cards[2];
static bool with_firmware = true;

/* ---- admin commands ---- */

static void admin(struct ls_host *h, uint8_t *c, unsigned int op)
{
	uint8_t rsp[64];

	card_admin(&cards[ls_index(h)], c, op, rsp);
}

static void deregister(struct ls_mr *mr)
{
	uint8_t c[64] = { 0 };

	LS_SET(c, WEFT_ADMIN_MR_STAG, mr->stag);
	LS_SET(c, WEFT_ADMIN_MR_STATE, WEFT_TPT_STATE_INVALID);
	admin(mr->host, c, WEFT_ADMIN_OP_MR_SET);
	ls_mr_take_back(mr, "deregistered");
}

static void qp_command(struct ls_host *h, struct ls_qp *qp, unsigned int op)
{
	uint8_t c[64] = { 0 };

	LS_SET(c, WEFT_ADMIN_QP_QPN, ls_qpn(qp));
	admin(h, c, op);
}

static void destroy(struct ls_host *h, struct ls_qp *qp)
{
	uint8_t c[64] = { 0 };

	LS_SET(c, WEFT_ADMIN_QP_QPN, ls_qpn(qp));
	admin(h, c, WEFT_ADMIN_OP_QP_DESTROY);
	ls_qp_take_back(qp, "destroyed");
}

/* ---- the world ---- */

static void start(int argc, char **argv)
{
	struct ls_options o = ls_defaults(argc, argv);
	struct ls_qp_attr qp = { .pd = PD, .page = 1, .access = RW | RR, .ird = CARD_READS, .ord = CARD_READS };
	struct ls_link_attr link = { .mtu = MTU, .no_hold = true, .cwnd = 1 << 18 };
	uint32_t handle[2];

	ls = ls_new(&o);
	ls_patience(ls, 4000000);
	a = ls_host(ls, 0);
	b = ls_host(ls, 1);
	if (with_firmware) {
		card_start(&cards[0], ls, 0, MTU, RTO_US);
		card_start(&cards[1], ls, 1, MTU, RTO_US);
		card_listen(&cards[1]);
	}
	for (unsigned int i = 0; i < PAIRS; i++) {
		struct pair *p = &pairs[i];
		struct ls_mr_attr src = { .bytes = DEPTH * LEN, .pd = PD, .access = LR | LW | RW | RR, .fbo = 64 * i };
		struct ls_mr_attr dst = { .bytes = DEPTH * LEN, .pd = PD, .access = LR | LW | RW | RR, .fbo = 8 * i };

		p->ca = ls_cq_create(a, 8, NULL, 1);
		p->cb = ls_cq_create(b, 8, NULL, 1);
		qp.scq = qp.rcq = p->ca;
		p->qa = ls_qp_create(a, &qp);
		qp.scq = qp.rcq = p->cb;
		p->qb = ls_qp_create(b, &qp);
		p->src = ls_mr_create(a, &src);
		p->dst = ls_mr_create(b, &dst);
		ls_mr_fill(p->src, 0, DEPTH * LEN, 100 + i);
		if (!with_firmware) {
			ls_connect(p->qa, p->qb, &link);
			continue;
		}
		card_qp(&cards[0], p->qa, p->ca, PD, 1, RW | RR);
		card_qp(&cards[1], p->qb, p->cb, PD, 1, RW | RR);
		card_join((struct card *const[]){ &cards[0], &cards[1] }, p->qa, p->qb, (uint16_t)(40000 + i), handle);
	}
}

static unsigned int reads = 1; /* of four work requests */

/* Writes from a's regions into b's, now and then a Read the other way, as many as fit. */
static void post(struct pair *p)
{
	if (p->under_way == DEPTH)
		return;
	while (p->under_way < DEPTH) {
		uint64_t at = (p->posted % DEPTH) * LEN;
		bool read = p->posted % 4 >= 4 - reads;
		struct ls_send wr = { .opcode = read ? WEFT_SQ_OPCODE_READ : WEFT_SQ_OPCODE_WRITE, .signaled = true, .num_sge = 1,
				      .sge = { { .mr = p->src, .offset = at, .length = LEN } }, .rstag = p->dst->stag,
				      .raddr = p->dst->to + at };

		ls_post_send(p->qa, &wr);
		p->under_way++;
		p->posted++;
	}
	ls_ring_sq(p->qa);
}

static bool again = true;

static bool poll_all(void *arg)
{
	struct ls_wc wc;

	(void)arg;
	for (unsigned int i = 0; i < PAIRS; i++) {
		struct pair *p = &pairs[i];

		while (ls_cq_poll(p->ca, &wc)) {
			p->under_way--;
			p->done += wc.status == WEFT_WC_STATUS_SUCCESS;
			p->failed += wc.status != WEFT_WC_STATUS_SUCCESS;
		}
		while (ls_cq_poll(p->cb, &wc))
			;
		if (again && !p->failed)
			post(p);
	}
	return false;
}

static void traffic(uint64_t cycles)
{
	ls_run_until(ls, poll_all, NULL, cycles);
}

static void traffic_runs(void)
{
	unsigned int before = 0, after = 0;

	traffic(60000);
	for (unsigned int i = 0; i < PAIRS; i++)
		before += pairs[i].done;
	traffic(40000);
	for (unsigned int i = 0; i < PAIRS; i++)
		after += pairs[i].done;
	if (before <= 4 || after <= before)
		ls_fail(ls, "traffic does not run: %u, then %u done; failed: %u %u %u %u", before, after, pairs[0].failed,
			pairs[1].failed, pairs[2].failed, pairs[3].failed);
}

static void nothing_failed(void)
{
	for (unsigned int i = 0; i < PAIRS; i++)
		LS_CHECK(ls, !pairs[i].failed);
}

/* ---- cases ---- */

/* A region that nothing uses any more goes while the others are busy; then the receiver's, and one that a message is read from. */
static void case_load(void)
{
	struct ls_mr_attr attr = { .bytes = 3 * LEN, .pd = PD, .access = LR | LW | RR | RW };
	struct ls_mr *once = ls_mr_create(a, &attr);

	traffic_runs();
	for (int i = 0; i < 3; i++) {
		struct ls_send wr = { .opcode = WEFT_SQ_OPCODE_WRITE, .signaled = true, .num_sge = 1,
				      .sge = { { .mr = once, .offset = i * LEN, .length = LEN } }, .rstag = pairs[0].dst->stag,
				      .raddr = pairs[0].dst->to };

		again = false;
		while (pairs[0].under_way > 4)
			traffic(1000);
		ls_post_send(pairs[0].qa, &wr);
		pairs[0].under_way++;
		ls_ring_sq(pairs[0].qa);
		while (pairs[0].under_way)
			traffic(1000);
		again = true;
	}
	deregister(once);
	traffic_runs();
	nothing_failed();
	/* The sink of what arrives now: the peer is refused, nobody else is. */
	deregister(pairs[1].dst);
	traffic(100000);
	LS_CHECK(ls, !pairs[0].failed && !pairs[2].failed && !pairs[3].failed);
	traffic_runs();
}

static bool all_failed(void *arg)
{
	poll_all(arg);
	for (unsigned int i = 0; i < PAIRS; i++)
		if (!pairs[i].failed)
			return false;
	return true;
}

/*
 * A region whose segments have been sent and not acknowledged: nothing of them is read for a retransmission afterwards. The tail loss probe may be
 * over by then, and the next one is a time-out, 200 ms towards a peer of which nothing is known.
 */
static void case_retransmission(void)
{
	unsigned int was[PAIRS];
	uint64_t before;

	traffic_runs();
	LS_CHECK(ls, !ls_wire_set(ls, "loss=100%"));
	traffic(100000); /* the window is full, everything sent is lost */
	for (unsigned int i = 0; i < PAIRS; i++)
		was[i] = pairs[i].done;
	for (unsigned int i = 0; i < PAIRS; i++)
		deregister(pairs[i].src);
	LS_CHECK(ls, !ls_wire_set(ls, "loss=0%"));
	again = false;
	before = ls_stat(a, WEFT_STAT_tcp_timeouts);
	ls_run_until(ls, all_failed, NULL, 200000000);
	LS_CHECK(ls, ls_wire_stats(ls, 0)->lost > 0 && ls_stat(a, WEFT_STAT_tcp_timeouts) > before);
	/* Each connection wanted to send again, found its source gone, and ended. */
	LS_CHECK(ls, ls_stat(a, WEFT_STAT_tcp_tx_errors) >= PAIRS);
	/* What b had received, and whose ACK was lost, is acknowledged with its Read Responses; but what was lost never completes. */
	for (unsigned int i = 0; i < PAIRS; i++)
		LS_CHECK(ls, pairs[i].done - was[i] < DEPTH);
}

/* With the MAC paused, transmit holds what has been translated: deregistration waits for it, and nothing is read afterwards. */
static void case_pause(void)
{
	traffic_runs();
	/* A few segments of each, so that they are all planned and the token gets past. */
	again = false;
	for (unsigned int i = 0; i < PAIRS; i++)
		while (pairs[i].under_way)
			traffic(1000);
	ls_pause(a, true);
	for (unsigned int i = 0; i < PAIRS; i++) {
		struct ls_send wr = { .opcode = WEFT_SQ_OPCODE_WRITE, .signaled = true, .num_sge = 1,
				      .sge = { { .mr = pairs[i].src, .length = LEN } }, .rstag = pairs[i].dst->stag,
				      .raddr = pairs[i].dst->to };

		ls_post_send(pairs[i].qa, &wr);
		pairs[i].under_way++;
		ls_ring_sq(pairs[i].qa);
	}
	traffic(20000);
	for (unsigned int i = 0; i < PAIRS; i++)
		deregister(pairs[i].src);
	ls_pause(a, false);
	traffic(400000);
}

/* Queue pairs are destroyed in the middle: rings and completion queues are the host's when the answer is there. */
static void case_destroy(void)
{
	traffic_runs();
	for (unsigned int i = 0; i < 2; i++) {
		destroy(a, pairs[i].qa);
		ls_cq_take_back(pairs[i].ca, "its queue pair was destroyed");
		pairs[i].failed = 1;
	}
	traffic(200000);
	LS_CHECK(ls, !pairs[2].failed && !pairs[3].failed);
	/* the receiver's end of one that sends */
	destroy(b, pairs[2].qb);
	ls_cq_take_back(pairs[2].cb, "its queue pair was destroyed");
	ls_mr_take_back(pairs[2].dst, "its queue pair was destroyed");
	traffic(200000);
	LS_CHECK(ls, !pairs[3].failed);
	traffic_runs();
}

/*
 * A process goes while its queues are full: its regions first, so that a refuses Read Responses and fails to read what it sends, then both
 * ends of its connections, in the midst of Terminates and resets. Every queue pair drains.
 */
static void case_crossed(void)
{
	static const unsigned int waits[] = { 50, 400, 3000, 20000 };

	reads = 1 + ls_random(ls) % 4;
	traffic_runs();
	for (unsigned int k = 0; k < PAIRS; k++) {
		traffic(ls_random(ls) % waits[ls_random(ls) % 4]);
		deregister(pairs[k].src);
		pairs[k].failed++;
	}
	ls_patience(ls, 400000); /* a command that waits for ever is not waited for for long */
	for (unsigned int k = 0; k < 2 * PAIRS; k++) {
		struct pair *p = &pairs[k / 2];
		bool far = (k & 1) ^ (p->posted & 1);

		traffic(ls_random(ls) % waits[ls_random(ls) % 4]);
		destroy(far ? b : a, far ? p->qb : p->qa);
	}
	traffic(50000);
}

/*
 * A queue pair that flushes, with work requests that transmit never began, is destroyed: at once, nothing of it is sent any more,
 * and nobody else waits. Every record of its log is of a message that is acknowledged.
 */
static void case_flushed(void)
{
	struct pair *p = &pairs[0];
	struct ls_send wr = { .opcode = WEFT_SQ_OPCODE_WRITE, .signaled = true, .num_sge = 1,
			      .sge = { { .mr = p->src, .length = 64 } }, .rstag = p->dst->stag, .raddr = p->dst->to };
	uint8_t c[64] = { 0 };
	unsigned int others;
	uint64_t at;

	again = false;
	for (unsigned int i = 0; i < 160; i++) {
		ls_post_send(p->qa, &wr);
		ls_ring_sq(p->qa);
		p->under_way++;
		while (p->under_way >= DEPTH)
			traffic(100);
	}
	while (p->under_way)
		traffic(1000);
	LS_SET(c, WEFT_ADMIN_QP_QPN, ls_qpn(p->qa));
	admin(a, c, WEFT_ADMIN_OP_QP_ERROR);
	for (unsigned int i = 0; i < 3; i++) {
		ls_post_send(p->qa, &wr);
		p->under_way++;
	}
	ls_ring_sq(p->qa);
	while (p->under_way)
		traffic(1000);
	LS_CHECK(ls, p->failed == 3);
	again = true;
	traffic(50000);
	others = pairs[1].done + pairs[2].done + pairs[3].done;
	at = ls_cycles(ls);
	destroy(a, p->qa);
	at = ls_cycles(ls) - at;
	printf("# destroyed within %llu cycles\n", (unsigned long long)at);
	LS_CHECK(ls, at < 30000);
	ls_cq_take_back(p->ca, "its queue pair was destroyed");
	traffic(50000);
	LS_CHECK(ls, pairs[1].done + pairs[2].done + pairs[3].done > others);
	LS_CHECK(ls, !pairs[1].failed && !pairs[2].failed && !pairs[3].failed);
}

/*
 * Reads of a connection that ends: a sink is the host's again when its Read has failed, whatever of the peer's answers is in the card by then. Of
 * the four one goes to ERR by command, one has a work request that cannot be carried out, of one the peer goes to ERR, and of one the peer's region goes. Hosts
 * that are slow to take writes leave much of an answer in the card.
 */
static struct sink {
	struct ls_mr *mr[DEPTH];
	unsigned int posted, polled, failed, bad; /* bad: work requests behind them that are wrong */
} sinks[PAIRS];

static void read_more(unsigned int k)
{
	struct sink *s = &sinks[k];

	if (s->posted - s->polled == DEPTH)
		return;
	for (; s->posted - s->polled < DEPTH; s->posted++) {
		struct ls_send wr = { .opcode = WEFT_SQ_OPCODE_READ, .signaled = true, .num_sge = 1,
				      .sge = { { .mr = s->mr[s->posted % DEPTH], .length = LEN } }, .rstag = pairs[k].dst->stag,
				      .raddr = pairs[k].dst->to + s->posted % DEPTH * LEN };

		ls_post_send(pairs[k].qa, &wr);
	}
	ls_ring_sq(pairs[k].qa);
}

/* In every cycle: what the card writes behind a completion is seen by the judge. */
static void poll_reads(void *arg)
{
	struct ls_wc wc;

	(void)arg;
	for (unsigned int k = 0; k < PAIRS; k++) {
		struct sink *s = &sinks[k];

		while (ls_cq_poll(pairs[k].ca, &wc)) {
			bool ok = wc.status == WEFT_WC_STATUS_SUCCESS;

			LS_CHECK(ls, !(ok && s->failed));
			s->failed += !ok;
			if (s->polled == s->posted) { /* the wrong one */
				LS_CHECK(ls, !ok && s->bad);
				s->bad = 0;
				continue;
			}
			if (!ok)
				ls_mr_take_back(s->mr[s->polled % DEPTH], "its Read failed");
			s->polled++;
		}
		if (!s->failed && !s->bad)
			read_more(k);
	}
}

static bool reads_ended(void *arg)
{
	const struct sink *s = arg;

	return s->failed && s->polled == s->posted && !s->bad;
}

static void case_reads(void)
{
	struct ls_send wrong = { .opcode = WEFT_SQ_OPCODE_WRITE, .signaled = true, .num_sge = 1, .sge = { { .lkey = 0xdead00, .length = 64 } } };

	for (unsigned int k = 0; k < PAIRS; k++) {
		for (unsigned int i = 0; i < DEPTH; i++)
			sinks[k].mr[i] = ls_mr_create(a, &(struct ls_mr_attr){ .bytes = LEN, .pd = PD, .access = LW | RW, .fbo = 8 * i });
		read_more(k);
	}
	ls_watch(ls, poll_reads, NULL);
	ls_run(ls, 60000);
	for (unsigned int k = 0; k < PAIRS; k++) {
		struct sink *s = &sinks[k];
		struct pair *p = &pairs[k];
		uint64_t at;

		LS_CHECK(ls, s->polled > 0 && !s->failed);
		ls_run(ls, ls_random(ls) % 5000);
		at = ls_cycles(ls);
		if (k == 1) {
			wrong.rstag = p->dst->stag;
			wrong.raddr = p->dst->to;
			s->bad = 1;
			ls_post_send(p->qa, &wrong);
			ls_ring_sq(p->qa);
		} else if (k == 3) {
			deregister(p->dst);
		} else {
			qp_command(k == 2 ? b : a, k == 2 ? p->qb : p->qa, WEFT_ADMIN_OP_QP_ERROR);
		}
		if (!ls_run_until(ls, reads_ended, s, 1000000))
			ls_fail(ls, "pair %u: %u Reads of %u, %u failed", k, s->polled, s->posted, s->failed);
		printf("# pair %u: %u Reads failed, the last after %llu cycles\n", k, s->failed - (k == 1), (unsigned long long)(ls_cycles(ls) - at));
		ls_run(ls, 20000);
		destroy(a, p->qa);
		ls_cq_take_back(p->ca, "its queue pair was destroyed");
	}
	ls_run(ls, 50000);
}

/* With the MAC paused and transmit full, commands are answered all the same: a driver gives up a card that fails one. */
static void case_held(void)
{
	traffic_runs();
	ls_pause(a, true);
	traffic(20000);
	qp_command(a, pairs[0].qa, WEFT_ADMIN_OP_QP_QUERY);
	qp_command(a, pairs[0].qa, WEFT_ADMIN_OP_QP_ERROR);
	pairs[0].failed = 1;
	ls_pause(a, false);
	traffic(100000);
	destroy(a, pairs[0].qa);
	ls_cq_take_back(pairs[0].ca, "its queue pair was destroyed");
	LS_CHECK(ls, !pairs[1].failed && !pairs[2].failed && !pairs[3].failed);
	traffic_runs();
}

/* The peer goes on sending to a card that has forgotten everything. */
static void quiet_after(struct ls_host *h, const char *why)
{
	uint64_t judged = ls_host_stats(h)->judged;

	ls_take_back_all(h, "%s", why);
	again = false;
	traffic(250000);
	LS_CHECK(ls, ls_host_stats(h)->judged == judged);
}

static void case_flr(void)
{
	traffic_runs();
	ls_flr(a);
	quiet_after(a, "function-level reset");
}

static void case_flr_receiver(void)
{
	traffic_runs();
	ls_flr(b);
	quiet_after(b, "function-level reset");
}

/* What a driver does with a card that answers no command: reset by register, wait, bus mastering off, then free. */
static void quiesce(struct ls_host *h)
{
	ls_reg_write(h, WEFT_REG_CONTROL, WEFT_REG_CONTROL_RESET_MASK);
	while (ls_reg_read(h, WEFT_REG_ID) != WEFT_MAGIC || (ls_reg_read(h, WEFT_REG_STATUS) & 15) != WEFT_FW_STATE_NONE)
		ls_run(ls, 100);
	weft_rc_config(ls_rc(h))->bme = false;
	/* Reads that had left are the host's to end: a driver waits for Transactions Pending. Nothing leaves any more. */
	for (unsigned int i = 0; !weft_rc_idle(ls_rc(h)) && i < 2000; i++)
		ls_run(ls, 10);
	LS_CHECK(ls, weft_rc_idle(ls_rc(h)));
}

static void case_reset(void)
{
	traffic_runs();
	quiesce(a);
	quiet_after(a, "reset by register");
}

static void case_reset_receiver(void)
{
	traffic_runs();
	quiesce(b);
	quiet_after(b, "reset by register");
}

/* Firmware is dead from the start (an image of illegal instructions); the data path runs all the same, and is quiesced. */
static void case_dead_firmware(void)
{
	unsigned int state = 0;

	for (unsigned int i = 0; i < 2; i++) {
		struct ls_host *h = i ? b : a;
		FILE *file = fopen(getenv("DEAD") ? getenv("DEAD") : "build/core/dead.bin", "rb");
		struct ls_mem m = ls_alloc(h, 4096);
		size_t bytes;

		LS_CHECK(ls, file);
		bytes = fread(m.p, 1, 4096, file);
		fclose(file);
		ls_give(h, &m, 0, bytes, LS_CARD_READS, "firmware image");
		ls_reg_write(h, WEFT_REG_FW_ADDR_LO, (uint32_t)m.bus);
		ls_reg_write(h, WEFT_REG_FW_ADDR_HI, (uint32_t)(m.bus >> 32));
		ls_reg_write(h, WEFT_REG_FW_LEN, (uint32_t)bytes);
		ls_run(ls, 5000);
		state = ls_reg_read(h, WEFT_REG_STATUS) & 15;
		LS_CHECK(ls, state != WEFT_FW_STATE_NONE && state != WEFT_FW_STATE_REFUSED && state != WEFT_FW_STATE_READY);
	}
	printf("# state of dead firmware: %u\n", state);
	traffic_runs();
	quiesce(a);
	quiet_after(a, "firmware was dead");
}

/* The judge sees: memory that is taken back without a word is caught within a moment. */
static unsigned int caught;
static bool any(void *arg, const struct ls_verdict *v)
{
	(void)arg;
	if (!caught++)
		printf("# %s\n", v->text);
	return true;
}

static void case_judge_sees(void)
{
	traffic_runs();
	ls_judge(ls, any, NULL);
	ls_take_back(a, &pairs[0].src->pages[0], 0, 4096, "for a test");
	traffic(100000);
	LS_CHECK(ls, caught);
	caught = 0;
	ls_qp_take_back(pairs[1].qa, "for a test");
	traffic(100000);
	LS_CHECK(ls, caught);
	caught = 0;
	ls_cq_take_back(pairs[2].ca, "for a test");
	traffic(100000);
	LS_CHECK(ls, caught);
}

static const struct {
	const char *name, *what;
	void (*run)(void);
	bool no_firmware;
} cases[] = {
	{ "sees", "what is taken back without a word is caught", case_judge_sees, false },
	{ "load", "deregistration under load", case_load, false },
	{ "retransmission", "deregistration before a retransmission", case_retransmission, false },
	{ "pause", "deregistration under PAUSE", case_pause, false },
	{ "destroy", "queue pairs destroyed under load", case_destroy, false },
	{ "crossed", "regions and queue pairs of full queues go", case_crossed, false },
	{ "flushed", "a queue pair that flushed is destroyed under load", case_flushed, false },
	{ "reads", "Reads of connections that end", case_reads, false },
	{ "held", "commands under PAUSE", case_held, false },
	{ "flr", "function-level reset of a sender", case_flr, false },
	{ "flr-receiver", "function-level reset of a receiver", case_flr_receiver, false },
	{ "reset", "reset by register of a sender", case_reset, false },
	{ "reset-receiver", "reset by register of a receiver", case_reset_receiver, false },
	{ "dead-firmware", "quiesce of a card with dead firmware", case_dead_firmware, true },
};

int main(int argc, char **argv)
{
	int keep = 1, which = -1;

	setvbuf(stdout, NULL, _IOLBF, 0);
	for (int i = 1; i < argc; i++) {
		if (strncmp(argv[i], "+case=", 6)) {
			argv[keep++] = argv[i];
			continue;
		}
		for (size_t k = 0; k < sizeof(cases) / sizeof(cases[0]); k++)
			if (!strcmp(argv[i] + 6, cases[k].name))
				which = (int)k;
	}
	if (which < 0) {
		for (size_t k = 0; k < sizeof(cases) / sizeof(cases[0]); k++)
			printf("%s\n", cases[k].name);
		return 2;
	}
	with_firmware = !cases[which].no_firmware;
	start(keep, argv);
	cases[which].run();
	printf("# %llu and %llu accesses judged, %llu cycles\n", (unsigned long long)ls_host_stats(a)->judged,
	       (unsigned long long)ls_host_stats(b)->judged, (unsigned long long)ls_cycles(ls));
	ls_free(ls);
	printf("ok %s\n", cases[which].what);
	return 0;
}
