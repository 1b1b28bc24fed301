// SPDX-License-Identifier: BSD-2-Clause
/* What a driver and a peer do with a card, and what must come of it. */
#include "peer.h"
#include "world.h"

#define check(c, ...) do { if (!(c)) world_fail(__VA_ARGS__); } while (0)
#define SQ_OFF 0x1000
#define CQ_OFF 0x3000
#define BUF_OFF 0x10000
#define LOG2 3
#define N (1u << LOG2)

/* ---- driver ---- */
static uint16_t sq_index, cq_index;
static unsigned irqs;
static uint32_t eqes[64][16];
static unsigned eqe_n;
static uint32_t rsp[16];

void on_irq(unsigned v) { check(v == 5, "interrupt vector %u", v); irqs++; }
void on_event(unsigned eqn, const uint32_t e[16])
{
	check(eqn == 0, "event to queue %u", eqn);
	if (eqe_n < 64) memcpy(eqes[eqe_n++], e, 64);
}
static bool take_event(unsigned kind, uint32_t *e)
{
	uint32_t got;

	if (!eqe_n) { world_fail("no event, wanted %u", kind); memset(e, 0, 64); return false; }
	memcpy(e, eqes[0], 64);
	memmove(eqes, eqes + 1, --eqe_n * 64);
	got = GET(e, WEFT_EQE_KIND);
	check(got == kind, "event %u, wanted %u", got, kind);
	return got == kind;
}
static void no_event(void)
{
	if (eqe_n) world_fail("stray event %u code %u", GET(eqes[0], WEFT_EQE_KIND), GET(eqes[0], WEFT_EQE_CODE));
	eqe_n = 0;
}

static void post(const uint32_t *cmd)
{
	memcpy(host_mem + SQ_OFF + (sq_index & (N - 1)) * 64, cmd, 64);
	sq_index++;
}
static bool reap(void)
{
	memcpy(rsp, host_mem + CQ_OFF + (cq_index & (N - 1)) * 64, 64);
	if (GET(rsp, WEFT_ADMIN_RSP_PHASE) != !(cq_index & N)) return false;
	cq_index++;
	return true;
}
/* Cycles in which the processor did not sleep, by what it did; commands that were refused, or had to wait for a place, do not count. */
static bool waits_count_not;
enum { SETUP_PASSIVE = 62, SETUP_ACTIVE, COSTS }; /* beside commands */
static struct cost { const char *name; uint64_t sum; unsigned n; } costs[COSTS] = {
	[WEFT_ADMIN_OP_NOP] = { .name = "nop" }, [WEFT_ADMIN_OP_CQ_CREATE] = { .name = "cq_create" },
	[WEFT_ADMIN_OP_CQ_DESTROY] = { .name = "cq_destroy" }, [WEFT_ADMIN_OP_QP_CREATE] = { .name = "qp_create" },
	[WEFT_ADMIN_OP_QP_DESTROY] = { .name = "qp_destroy" }, [WEFT_ADMIN_OP_MR_SET] = { .name = "mr_set" },
	[WEFT_ADMIN_OP_L2_SET] = { .name = "l2_set" }, [WEFT_ADMIN_OP_LISTEN] = { .name = "listen" },
	[WEFT_ADMIN_OP_UNLISTEN] = { .name = "unlisten" }, [WEFT_ADMIN_OP_CONNECT] = { .name = "connect" },
	[WEFT_ADMIN_OP_ACCEPT] = { .name = "accept" }, [WEFT_ADMIN_OP_DISCONNECT] = { .name = "disconnect" },
	[WEFT_ADMIN_OP_QUERY_CONN] = { .name = "query_conn" }, [WEFT_ADMIN_OP_CM_QUERY] = { .name = "cm_query" },
	[WEFT_ADMIN_OP_MAC_SET] = { .name = "mac_set" }, [WEFT_ADMIN_OP_CQ_RESIZE] = { .name = "cq_resize" },
	[WEFT_ADMIN_OP_CQ_MODERATE] = { .name = "cq_moderate" },
	[SETUP_PASSIVE] = { .name = "setup_passive" }, [SETUP_ACTIVE] = { .name = "setup_active" },
};
static void cost(unsigned what, uint64_t since)
{
	if (waits_count_not) return;
	costs[what].sum += world_cycle() - since;
	costs[what].n++;
}
const char *scenario_cost(unsigned i, unsigned *cycles)
{
	if (i >= COSTS) return "";
	if (!costs[i].name || !costs[i].n) return NULL;
	*cycles = (unsigned)(costs[i].sum / costs[i].n);
	return costs[i].name;
}
/* Runs one command; the response is in rsp. */
static unsigned run(uint32_t *cmd, unsigned op)
{
	unsigned tag = sq_index * 3u + 7;
	uint64_t t0 = world_cycle();

	SET(cmd, WEFT_ADMIN_CMD_OP, op);
	SET(cmd, WEFT_ADMIN_CMD_TAG, tag);
	post(cmd);
	world_reg_write(WEFT_REG_ADMIN_DB, sq_index);
	world_run();
	if (!reap()) {
		world_advance(4 * MS); /* regions: QUIET_T */
		if (!reap()) { world_fail("no answer to command %u", op); return 0xff; }
	}
	check(GET(rsp, WEFT_ADMIN_RSP_TAG) == (tag & 0xffff) && GET(rsp, WEFT_ADMIN_RSP_OP) == op, "answer to another command");
	if (op < SETUP_PASSIVE && !GET(rsp, WEFT_ADMIN_RSP_STATUS)) cost(op, t0);
	return GET(rsp, WEFT_ADMIN_RSP_STATUS);
}
static uint8_t *cm_buf(void) { return host_mem + BUF_OFF + ((sq_index * 3u + 7) & (N - 1)) * 1024; }

/* A driver begins with empty rings: nothing that was asked before is answered. */
static void admin_anew(void)
{
	memset(host_mem + CQ_OFF, 0, N * 64);
	sq_index = cq_index = 0;
	world_reg_write(WEFT_REG_ADMIN_LOG2, LOG2);
	world_run();
}
static void admin_start(void)
{
	uint32_t c[16] = { 0 };

	world_reg_write(WEFT_REG_ADMIN_SQ_LO, (uint32_t)(HOST_BASE + SQ_OFF));
	world_reg_write(WEFT_REG_ADMIN_SQ_HI, (HOST_BASE + SQ_OFF) >> 32);
	world_reg_write(WEFT_REG_ADMIN_CQ_LO, (uint32_t)(HOST_BASE + CQ_OFF));
	world_reg_write(WEFT_REG_ADMIN_CQ_HI, (HOST_BASE + CQ_OFF) >> 32);
	world_reg_write(WEFT_REG_ADMIN_VECTOR, 5);
	admin_anew();
	for (int i = 0; i < 32; i++) BYTES(c, WEFT_ADMIN_INIT_SEED)[i] = (uint8_t)(i * 7 + 1);
	SET64(c, WEFT_ADMIN_INIT_CM_BUF, HOST_BASE + BUF_OFF);
	check(run(c, WEFT_ADMIN_OP_INIT) == 0, "INIT");
	path_start(run, rsp);
	memset(c, 0, 64);
	SET64(c, WEFT_ADMIN_QUEUE_BASE, HOST_BASE + 0x8000);
	SET(c, WEFT_ADMIN_QUEUE_LOG2, 5);
	check(run(c, WEFT_ADMIN_OP_EQ_CREATE) == 0, "EQ_CREATE");
	check(GET(room_ctx[WEFT_ROOM_EQ][0], WEFT_CTX_EQ_VALID) && GET64(room_ctx[WEFT_ROOM_EQ][0], WEFT_CTX_EQ_BASE) == HOST_BASE + 0x8000,
	      "context of EQ 0");
}

/* Registers of the MAC: read and written, refused where there are none, and by a card that has no MAC to ask. */
static void port_registers(uint32_t *c)
{
	memset(c, 0, 64);
	SET64(c, WEFT_ADMIN_PORT_BUF_ADDR, HOST_BASE + 0x20000);
	SET(c, WEFT_ADMIN_PORT_BYTES, 41 * 8);
	if (world_quick) {
		check(run(c, WEFT_ADMIN_OP_PORT_READ) == WEFT_ADMIN_STATUS_BAD_OP, "PORT_READ of a card without");
		world_features |= 1u << WEFT_FEATURE_PORT;
	}
	check(run(c, WEFT_ADMIN_OP_PORT_READ) == 0 && host_mem[0x20004] == 7 && host_mem[0x20000 + 40 * 8] == (uint8_t)(40 * 40 + 2), "PORT_READ");
	SET(c, WEFT_ADMIN_PORT_OFFSET, 8);
	check(run(c, WEFT_ADMIN_OP_PORT_READ) == WEFT_ADMIN_STATUS_NOT_FOUND && host_mem[0x20000] == 42, "PORT_READ beyond the last counter");
	SET(c, WEFT_ADMIN_PORT_BYTES, 4);
	check(run(c, WEFT_ADMIN_OP_PORT_READ) == WEFT_ADMIN_STATUS_BAD_PARAM, "PORT_READ of half a counter");
	SET(c, WEFT_ADMIN_PORT_BYTES, 4104);
	check(run(c, WEFT_ADMIN_OP_PORT_READ) == WEFT_ADMIN_STATUS_BAD_PARAM, "PORT_READ of too much");
	SET(c, WEFT_ADMIN_PORT_OFFSET, WEFT_PORT_CTRL);
	SET(c, WEFT_ADMIN_PORT_VALUE, 0x1f);
	check(run(c, WEFT_ADMIN_OP_PORT_WRITE) == 0 && room_port_ctrl == 0x1f, "PORT_WRITE");
	SET(c, WEFT_ADMIN_PORT_OFFSET, WEFT_PORT_CTRL + 1);
	check(run(c, WEFT_ADMIN_OP_PORT_WRITE) == WEFT_ADMIN_STATUS_BAD_PARAM, "PORT_WRITE between registers");
	SET(c, WEFT_ADMIN_PORT_OFFSET, 0x400000);
	check(run(c, WEFT_ADMIN_OP_PORT_WRITE) == WEFT_ADMIN_STATUS_BAD_PARAM, "PORT_WRITE into another room");
	SET(c, WEFT_ADMIN_PORT_OFFSET, 0xf00);
	check(run(c, WEFT_ADMIN_OP_PORT_WRITE) == WEFT_ADMIN_STATUS_NOT_FOUND, "PORT_WRITE where there is nothing");
}

/* A host that asks as fast as it is answered: a command of somebody else that waits for an event is answered all the same. */
#define FLOOD 2000u
static unsigned flood_left, flood_tag, flood_after;
static void flood_on(void)
{
	uint32_t c[16] = { 0 };

	while (reap())
		if (GET(rsp, WEFT_ADMIN_RSP_TAG) == flood_tag) flood_after = FLOOD - flood_left;
	for (SET(c, WEFT_ADMIN_CMD_TAG, 1); flood_left && (uint16_t)(sq_index - cq_index) < N - 1; flood_left--) {
		post(c);
		world_reg_write(WEFT_REG_ADMIN_DB, sq_index);
	}
}
static void flood(void)
{
	uint32_t c[16] = { 0 };

	if (!world_quick) return; /* a hook that the other world has not */
	SET(c, WEFT_ADMIN_MR_STAG, 0x1234);
	SET(c, WEFT_ADMIN_MR_STATE, WEFT_TPT_STATE_VALID);
	SET(c, WEFT_ADMIN_MR_PAGE_LOG2, 12);
	SET64(c, WEFT_ADMIN_MR_LENGTH, 4096);
	SET(c, WEFT_ADMIN_MR_FLAGS, 1);
	check(run(c, WEFT_ADMIN_OP_MR_SET) == 0, "a region");
	world_advance(10 * MS); /* drains that come closer are asked for together */
	SET(c, WEFT_ADMIN_MR_STATE, WEFT_TPT_STATE_FREE);
	SET(c, WEFT_ADMIN_CMD_TAG, flood_tag = 77);
	post(c);
	flood_left = FLOOD;
	flood_after = 0;
	world_on_index = flood_on;
	world_reg_write(WEFT_REG_ADMIN_DB, sq_index);
	world_run();
	world_on_index = NULL;
	check(!flood_left && flood_after && flood_after < 200, "a region's end is answered after %u of %u other commands", flood_after, FLOOD);
}

static void objects(void)
{
	uint32_t c[16] = { 0 };
	unsigned was, wrong = 0;

	check(run(c, WEFT_ADMIN_OP_NOP) == 0, "NOP");
	/* several at once, round the ring */
	for (unsigned r = 0; r < 4; r++) {
		for (unsigned i = 0; i < 6; i++) {
			memset(c, 0, 64);
			SET(c, WEFT_ADMIN_CMD_TAG, i);
			post(c);
		}
		world_reg_write(WEFT_REG_ADMIN_DB, sq_index);
		world_run();
		for (unsigned i = 0; i < 6; i++) check(reap() && GET(rsp, WEFT_ADMIN_RSP_TAG) == i, "answer %u of a batch", i);
		check(!reap(), "one answer too many");
	}
	memset(c, 0, 64);
	check(run(c, 77) == WEFT_ADMIN_STATUS_BAD_OP, "unknown command");
	SET(c, WEFT_ADMIN_QUEUE_ID, 999);
	check(run(c, WEFT_ADMIN_OP_EQ_CREATE) == WEFT_ADMIN_STATUS_BAD_PARAM && GET(rsp, WEFT_ADMIN_RSP_DETAIL) == 4, "EQN out of range");
	memset(c, 0, 64);
	SET(c, WEFT_ADMIN_QUEUE_ID, 3);
	SET64(c, WEFT_ADMIN_QUEUE_BASE, HOST_BASE + 0x9000);
	SET(c, WEFT_ADMIN_QUEUE_LOG2, 4);
	SET(c, WEFT_ADMIN_QUEUE_DB_PAGE, 9);
	check(run(c, WEFT_ADMIN_OP_CQ_CREATE) == 0 && room_db[1][3] == (1u << 31 | 9), "CQ_CREATE");
	memset(c, 0, 64);
	SET(c, WEFT_ADMIN_L2_ID, 7);
	memcpy(BYTES(c, WEFT_ADMIN_L2_DMAC), "\2\0\0\0\0\x0b", 6);
	memcpy(BYTES(c, WEFT_ADMIN_L2_SMAC), "\2\0\0\0\0\x0a", 6);
	SET(c, WEFT_ADMIN_L2_MTU, 1500);
	SET(c, WEFT_ADMIN_L2_FLAGS, 1);
	check(run(c, WEFT_ADMIN_OP_L2_SET) == 0, "L2_SET");
	check(GET(room_ctx[WEFT_ROOM_L2T][7], WEFT_L2E_VALID) && GET(room_ctx[WEFT_ROOM_L2T][7], WEFT_L2E_MTU) == 1500, "L2 entry");
	memset(c, 0, 64);
	memcpy(BYTES(c, WEFT_ADMIN_L2_DMAC), "\2\0\0\0\0\x0a", 6);
	check(run(c, WEFT_ADMIN_OP_MAC_SET) == 0 && room_steer[0x2004 / 4] == 0x0a00, "MAC_SET");
	/* regions */
	memset(c, 0, 64);
	SET(c, WEFT_ADMIN_MR_STAG, 0x00001234);
	SET(c, WEFT_ADMIN_MR_STATE, WEFT_TPT_STATE_VALID);
	SET(c, WEFT_ADMIN_MR_PAGE_LOG2, 12);
	SET64(c, WEFT_ADMIN_MR_LENGTH, 8192);
	check(run(c, WEFT_ADMIN_OP_MR_SET) == 0 && GET(room_ctx[WEFT_ROOM_TPT][0x12], WEFT_TPT_STAG) == 0x1234, "MR_SET");
	for (unsigned access = 0; access < 256; access += 1 + world_rand() % 40) {
		const uint32_t *t = room_ctx[WEFT_ROOM_TPT][0x12];
		uint32_t pd = world_rand() & 0xffffff, lo = world_rand(), fbo = world_rand() & 0xfff;

		SET(c, WEFT_ADMIN_MR_ACCESS, access);
		SET(c, WEFT_ADMIN_MR_PD, pd);
		SET(c, WEFT_ADMIN_MR_FBO, fbo);
		SET64(c, WEFT_ADMIN_MR_BASE, (uint64_t)lo << 20);
		SET64(c, WEFT_ADMIN_MR_PBL, (uint64_t)lo << 13);
		SET(c, WEFT_ADMIN_MR_PBL_COUNT, 3);
		check(run(c, WEFT_ADMIN_OP_MR_SET) == 0, "MR_SET with rights %#x: status %u detail %u", access, GET(rsp, WEFT_ADMIN_RSP_STATUS), GET(rsp, WEFT_ADMIN_RSP_DETAIL));
		wrong += !(GET(t, WEFT_TPT_ACCESS) == access && GET(t, WEFT_TPT_PD) == pd && GET(t, WEFT_TPT_FBO) == fbo && GET(t, WEFT_TPT_PAGE_LOG2) == 12
		      && GET64(t, WEFT_TPT_BASE) == (uint64_t)lo << 20 && GET64(t, WEFT_TPT_LENGTH) == 8192 && GET64(t, WEFT_TPT_PBL) == (uint64_t)lo << 13
		      && GET(t, WEFT_TPT_PBL_COUNT) == 3 && GET(t, WEFT_TPT_STATE) == WEFT_TPT_STATE_VALID);
	}
	check(!wrong, "%u regions are not what their command said", wrong);
	/* one that a local invalidate closed serves what is sent again */
	SET(room_ctx[WEFT_ROOM_TPT][0x12], WEFT_TPT_STATE, WEFT_TPT_STATE_CLOSED);
	was = room_drains[WEFT_ROOM_TPT];
	check(run(c, WEFT_ADMIN_OP_MR_SET) == 0 && room_drains[WEFT_ROOM_TPT] == was + 1, "MR_SET over a CLOSED one waits until the room is done");
	SET(c, WEFT_ADMIN_MR_STATE, WEFT_TPT_STATE_FREE);
	was = room_drains[WEFT_ROOM_TPT];
	check(run(c, WEFT_ADMIN_OP_MR_SET) == 0 && room_drains[WEFT_ROOM_TPT] == was + 1, "MR_SET FREE waits until the room is done");
	SET(c, WEFT_ADMIN_MR_STATE, WEFT_TPT_STATE_VALID);
	SET64(c, WEFT_ADMIN_MR_BASE, ~0ull - 10);
	check(run(c, WEFT_ADMIN_OP_MR_SET) == WEFT_ADMIN_STATUS_BAD_PARAM, "region that wraps");
	/* statistics */
	memset(c, 0, 64);
	SET64(c, WEFT_ADMIN_BUF_BUF_ADDR, HOST_BASE + 0x20000);
	SET(c, WEFT_ADMIN_BUF_BYTES, 32 * 8 + 8);
	check(run(c, WEFT_ADMIN_OP_STATS) == 0 && host_mem[0x20008] == 25 && host_mem[0x20000 + 31 * 8] == (uint8_t)(31 * 24 + 1), "STATS");
	port_registers(c);
	/* a bus error while fetching, a room that does not answer */
	memset(c, 0, 64);
	world_bus_error = true;
	SET(c, WEFT_ADMIN_CMD_OP, 0);
	post(c);
	world_reg_write(WEFT_REG_ADMIN_DB, sq_index);
	world_run();
	world_bus_error = false;
	check(reap() && GET(rsp, WEFT_ADMIN_RSP_STATUS) == WEFT_ADMIN_STATUS_DMA, "fetch with bus error");
	room_dead = WEFT_ROOM_CQ;
	memset(c, 0, 64);
	SET(c, WEFT_ADMIN_QUEUE_ID, 4);
	SET(c, WEFT_ADMIN_QUEUE_LOG2, 4);
	check(run(c, WEFT_ADMIN_OP_CQ_CREATE) == WEFT_ADMIN_STATUS_HARDWARE, "room that does not answer");
	room_dead = -1;
	check(run(c, WEFT_ADMIN_OP_CQ_DESTROY) == 0 && room_drains[WEFT_ROOM_CQ] == 1, "CQ_DESTROY waits for the token");
	check(irqs > 0, "no interrupts");
	no_event();
}

/* Every field has a value of its own, and of each QP another one where the card does not look. */
static unsigned create_qp(unsigned qpn, unsigned flags, unsigned srqn, uint32_t srq_pd)
{
	uint32_t c[16] = { 0 };
	unsigned status;

	SET(c, WEFT_ADMIN_QP_QPN, qpn);
	SET64(c, WEFT_ADMIN_QP_SQ_BASE, 0x1122334455660040ull + qpn * 0x1000);
	SET64(c, WEFT_ADMIN_QP_RQ_BASE, 0x99aabbccddee0080ull + qpn * 0x1000);
	SET(c, WEFT_ADMIN_QP_SQ_LOG2, 5);
	SET(c, WEFT_ADMIN_QP_RQ_LOG2, 6);
	SET(c, WEFT_ADMIN_QP_SQ_STRIDE, 1 + qpn % 2);
	SET(c, WEFT_ADMIN_QP_RQ_STRIDE, 2 - qpn % 2);
	SET(c, WEFT_ADMIN_QP_SCQN, 3);
	SET(c, WEFT_ADMIN_QP_RCQN, 4 + qpn % 16);
	SET(c, WEFT_ADMIN_QP_PD, 0xa55a00 + qpn);
	SET(c, WEFT_ADMIN_QP_DB_PAGE, 0x2b);
	SET(c, WEFT_ADMIN_QP_ACCESS, 0xc0 + qpn);
	SET(c, WEFT_ADMIN_QP_FLAGS, flags | (qpn & 1));
	SET(c, WEFT_ADMIN_QP_IRD, 10);
	SET(c, WEFT_ADMIN_QP_ORD, 11);
	SET(c, WEFT_ADMIN_QP_SRQN, srqn);
	SET(c, WEFT_ADMIN_QP_SRQ_PD, srq_pd);
	status = run(c, WEFT_ADMIN_OP_QP_CREATE);
	if (status) return status;
	check(room_db[0][qpn] == (1u << 31 | 0x2b), "doorbell page of QP %u: %x", qpn, room_db[0][qpn]);
	path_made(c);
	return 0;
}
/* A SRQN without its flag means nothing. */
static void make_qp(unsigned qpn) { check(create_qp(qpn, 0, 5, 0x654321) == 0, "QP_CREATE %u", qpn); }
static void drop_qp(unsigned qpn)
{
	uint32_t c[16] = { 0 };

	SET(c, WEFT_ADMIN_QP_QPN, qpn);
	check(run(c, WEFT_ADMIN_OP_QP_DESTROY) == 0, "QP_DESTROY %u", qpn);
	check(room_db[0][qpn] == 0 && !path_look(qpn), "doorbells of a QP that is gone, or its look-up entry");
}

/* ---- peer: a TCP of its own, over the frames ---- */
static const uint8_t our_mac[6] = { 2, 0, 0, 0, 0, 10 }, peer_mac[6] = { 2, 0, 0, 0, 0, 11 };
static struct pkt last, last_data;  /* what the card sent last; with bytes */
static unsigned frames, resets;
static uint32_t pseq, pack;         /* peer's snd_nxt, rcv_nxt */
static uint16_t cport = 4000, pport = 5000;

/*
 * Its options: it offers both, and uses timestamps once they were agreed on. TSval is its clock in ms.
 */
static bool peer_sack = true, peer_ts = true, peer_mute; /* peer_mute: what was agreed on is left out */
static uint32_t peer_back;          /* its clock is behind by that much */
static uint8_t peer_opt[40];        /* of SYN, instead of the usual ones, if there are any */
static unsigned peer_opt_len;
/*
 * What stands at the end of the options of a SYN; what of it is to be taken as a Weft's promises, and whether it asks for an answer. By default
 * the peer is a stranger, and no answer of the card may have the option.
 */
static struct { const char *o; unsigned n, flags; bool asks; } peer_weft;
static bool asked; /* by the SYN that came last */
static void stranger(void) { memset(&peer_weft, 0, sizeof(peer_weft)); }
static void weft_is(unsigned flags, bool answer)
{
	static char o[8];

	memcpy(o, "\1\375\7WEFT", 7);
	o[7] = (char)(flags | (answer ? 0x80 : 0));
	peer_weft.o = o;
	peer_weft.n = 8;
	peer_weft.flags = flags & 3;
	peer_weft.asks = !answer;
}
static uint32_t peer_clock(void) { return 0x80000000u + (uint32_t)(world_now() / MS) - peer_back; }
static void w32(uint8_t *p, uint32_t v)
{
	for (int i = 3; i >= 0; i--, v >>= 8) p[i] = (uint8_t)v;
}
static unsigned stamp(uint8_t *o, bool sack)
{
	memcpy(o, sack ? "\4\2\10\12" : "\1\1\10\12", 4);
	w32(o + 4, peer_clock());
	w32(o + 8, last.tsval);
	return 12;
}
static void peer_options(struct pkt *p)
{
	if (!(p->flags & P_SYN)) {
		if (peer_ts && !peer_mute) p->opt_len = stamp(p->opt, false);
	} else if (peer_opt_len) {
		memcpy(p->opt, peer_opt, peer_opt_len);
		p->opt_len = peer_opt_len;
		p->mss = 0;
		p->wscale = -1;
	} else if (peer_ts) {
		p->opt_len = stamp(p->opt, peer_sack);
	} else if (peer_sack) {
		memcpy(p->opt, "\1\1\4\2", p->opt_len = 4);
	}
	if (!(p->flags & P_SYN)) return;
	memcpy(p->opt + p->opt_len, peer_weft.o ? peer_weft.o : "", peer_weft.n);
	p->opt_len += peer_weft.n;
	asked = peer_weft.asks;
}
/* RFC 7323 3.2, 4.3, 5.4: when it is there; never ahead of the peer, never behind its own last one by more than what a cookie takes. */
static const char *card_options(const struct pkt *p)
{
	static uint32_t off;
	uint32_t now = (uint32_t)(world_now() >> 20);

	if (p->flags == P_SYN) {
		if (!p->sack || !p->ts || p->tsecr) return "SYN without options, or with an echo";
		if (p->weft >= 0 && p->weft != 3) return "what the card says of itself";
	} else if (p->flags & P_RST) {
		return NULL; /* of nobody, or of a connection */
	} else if (peer_opt_len) {
		return NULL; /* the case looks */
	} else if (p->flags == (P_SYN | P_ACK) && p->weft != (asked ? 0x83 : -1)) {
		return asked ? "no answer to the option" : "an answer that nobody asked for";
	} else if (p->ts != peer_ts) {
		return "timestamp";
	}
	if (!p->ts) return NULL;
	if (p->flags != P_SYN && (int32_t)(p->tsecr - 0x80000000u - (uint32_t)(world_now() / MS)) > 0) return "TSecr";
	if (!off) off = p->tsval - now;
	return p->tsval - off - now + 8 > 8 ? "TSval" : NULL;
}

static bool flooding;
static void on_flood_frame(void);
void on_frame(const uint8_t *f, unsigned len)
{
	const char *why = pkt_parse(&last, f, len);

	frames++;
	if (flooding) {
		on_flood_frame();
		return;
	}
	if (!why) why = last.flow ? "a flow label" : card_options(&last);
	check(!why, "bad frame of %u bytes from the card: %s", len, why);
	if (last.len) last_data = last;
	if (last.flags & P_RST) resets++;
}

static uint8_t peer_host = 2;       /* 10.0.0.2, or fd00:0:0:PEER_NET::2 */
static bool peer_v6, peer_markers; /* markers: of the request that was accepted */
static uint8_t peer_net;
#define MSS (peer_v6 ? 1440u : 1460u)
static const uint8_t *address(bool ours)
{
	static uint8_t a[2][16];
	uint8_t *p = a[ours];

	memset(p, 0, 16);
	if (peer_v6) {
		p[0] = 0xfd;
		p[7] = ours ? 0 : peer_net;
		p[15] = ours ? 1 : peer_host;
	} else {
		p[0] = 10;
		p[3] = ours ? 1 : peer_host;
	}
	return p;
}
static uint16_t peer_wnd = 30000;
static unsigned build(uint8_t *f, unsigned flags, const void *data, unsigned n)
{
	static struct pkt p;

	memset(&p, 0, sizeof(p));
	memcpy(p.dmac, our_mac, 6);
	memcpy(p.smac, peer_mac, 6);
	p.ipv6 = peer_v6;
	p.flow = 0xa5a5a;
	memcpy(p.src, address(false), 16);
	memcpy(p.dst, address(true), 16);
	p.sport = pport;
	p.dport = cport;
	p.seq = pseq;
	p.ack = pack;
	p.flags = (uint8_t)flags;
	p.wnd = peer_wnd;
	p.mss = flags & P_SYN ? (uint16_t)MSS : 0;
	p.wscale = flags & P_SYN ? 7 : -1;
	peer_options(&p);
	p.len = n;
	if (n) memcpy(p.data, data, n);
	pseq += n + !!(flags & P_SYN) + !!(flags & P_FIN);
	return pkt_build(f, &p);
}
static void peer_send(unsigned flags, const void *data, unsigned n, unsigned qpn)
{
	uint8_t f[2200];

	world_frame_in(f, build(f, flags, data, n), qpn);
	world_run();
}
static void ack_all(void) { pack = last.seq + last.len + !!(last.flags & P_SYN) + !!(last.flags & P_FIN); }

#define ASK_IRD 4 /* CONNECT and ACCEPT */
#define ASK_ORD 8
#define ASK_TOS 0x2b
static void cmd_cm(uint32_t *c, uint32_t id, unsigned qpn, unsigned pd)
{
	memset(c, 0, 64);
	SET(c, WEFT_ADMIN_CM_ID, id);
	SET(c, WEFT_ADMIN_CM_QPN, qpn);
	SET(c, WEFT_ADMIN_CM_HANDLE, 0xc00c1e);
	SET(c, WEFT_ADMIN_CM_LOCAL_PORT, cport);
	SET(c, WEFT_ADMIN_CM_PEER_PORT, pport);
	SET(c, WEFT_ADMIN_CM_L2, 7);
	SET(c, WEFT_ADMIN_CM_IRD, ASK_IRD);
	SET(c, WEFT_ADMIN_CM_ORD, ASK_ORD);
	SET(c, WEFT_ADMIN_CM_TOS, ASK_TOS);
	SET(c, WEFT_ADMIN_CM_FLAGS, peer_v6);
	memcpy(BYTES(c, WEFT_ADMIN_CM_LOCAL_ADDR), address(true), 16);
	SET(c, WEFT_ADMIN_CM_PD_BYTES, pd);
	memset(cm_buf(), 0, 32);
	memcpy(cm_buf(), address(false), 16);
	for (unsigned i = 0; i < pd; i++) cm_buf()[32 + i] = (uint8_t)(i + 3);
}

/* Active open up to the MPA request; returns the handle. */
static uint32_t connect_start(unsigned qpn, unsigned flags)
{
	uint32_t c[16], h;

	frames = 0;
	cmd_cm(c, 0, qpn, 12);
	SET(c, WEFT_ADMIN_CM_FLAGS, flags | peer_v6);
	check(run(c, WEFT_ADMIN_OP_CONNECT) == 0, "CONNECT: status %u detail %u", GET(rsp, WEFT_ADMIN_RSP_STATUS), GET(rsp, WEFT_ADMIN_RSP_DETAIL));
	h = GET(rsp, WEFT_ADMIN_RSP_ID);
	check(frames == 1 && last.flags == P_SYN && last.mss == MSS && last.wscale == 3 && last.weft == 3, "SYN");
	check(room_steer[cport / 32] >> (cport & 31) & 1, "port bit");
	pseq = 0x7000 + (world_rand() & 0xffff);
	ack_all();
	return h;
}
static uint32_t reply_frame(uint8_t *f, const struct mpa_frame *m) { return mpa_frame_build(f, m); }

static void expect_contexts(unsigned qpn, bool hold, bool crc, unsigned ord)
{
	struct path_want w = {
		.qpn = qpn, .hold = hold, .crc = crc, .ord = ord, .ird = ASK_IRD, .tos = ASK_TOS & 0xfc, .snd = pack, .rcv = pseq, .wnd = peer_wnd << 7u,
		.lport = cport, .pport = pport, .ts = peer_ts, .sack = peer_sack, .ipv6 = peer_v6, .markers = peer_markers, .weft = peer_weft.flags, .local = address(true), .peer = address(false),
	};

	path_expect(&w);
}
static void acked(unsigned qpn)
{
	path_acked(qpn);
	world_run();
}

static uint32_t open_active(unsigned qpn)
{
	uint8_t f[600];
	struct mpa_frame m = { .reply = true, .rev = 2, .crc = true, .enhanced = true, .ird = 5, .ord = 3, .pd = (const uint8_t *)"hello", .pd_len = 5 };
	uint64_t t0 = world_cycle();
	uint32_t h = connect_start(qpn, 2 | 4), e[16];
	struct mpa_frame req;

	peer_send(P_SYN | P_ACK, NULL, 0, 0);
	check(last.len == 20 + 4 + 12 && mpa_frame_parse(last.data, last.len, false, &req) == 36 && req.crc && req.enhanced && req.ird == 4
	      && req.ord == 8 && req.pd_len == 12 && req.pd[0] == 3, "MPA request");
	ack_all();
	peer_send(P_ACK | P_PSH, f, reply_frame(f, &m), 0);
	if (take_event(WEFT_EQE_TYPE_CM_CONNECT_REPLY, e))
		check(GET(e, WEFT_EQE_CODE) == 0 && GET(e, WEFT_EQE_ID) == h && GET(e, WEFT_EQE_HANDLE) == 0xc00c1e && GET(e, WEFT_EQE_IRD) == 5
		      && GET(e, WEFT_EQE_ORD) == 3 && GET(e, WEFT_EQE_PD_BYTES) == 5, "CM_CONNECT_REPLY code %u", GET(e, WEFT_EQE_CODE));
	expect_contexts(qpn, false, true, m.ird); /* ORD limited by the peer's IRD */
	check(last.flags == P_ACK && last.ack == pseq, "ACK of the reply");
	cost(SETUP_ACTIVE, t0);
	return h;
}

/* Bytes that came twice, the second time just before the hardware took over: no reset. */
static void late_frame(void)
{
	frames = 0;
	pseq--;
	peer_send(P_ACK | P_PSH, "o", 1, 0);
	check(frames == 1 && last.flags == P_ACK && last.ack == pseq, "an old byte is acknowledged again");
}

static void query(uint32_t h, const char *pd, unsigned n)
{
	uint32_t c[16];
	uint8_t *b = cm_buf();

	cmd_cm(c, h, 0, 0);
	check(run(c, WEFT_ADMIN_OP_QUERY_CONN) == 0 && !memcmp(b + 32, pd, n) && !memcmp(b, address(false), 16), "QUERY_CONN: status %u",
	      GET(rsp, WEFT_ADMIN_RSP_STATUS));
}
static unsigned simple(uint32_t h, unsigned op)
{
	uint32_t c[16];

	cmd_cm(c, h, 0, 0);
	return run(c, op);
}

static void active(void)
{
	uint32_t h, e[16];

	make_qp(1);
	h = open_active(1);
	late_frame();
	query(h, "hello", 5);
	no_event();
	/* graceful close by us */
	check(simple(h, WEFT_ADMIN_OP_DISCONNECT) == 0 && path_tx(1) == WEFT_QP_STATE_HALT, "DISCONNECT halts");
	no_event();
	acked(1);
	check(last.flags == (P_FIN | P_ACK), "FIN");
	ack_all();
	peer_send(P_ACK | P_FIN, NULL, 0, 0);
	check(last.flags == P_ACK && last.ack == pseq, "ACK of FIN");
	if (take_event(WEFT_EQE_TYPE_CM_CLOSE, e)) check(GET(e, WEFT_EQE_CODE) == 0 && GET(e, WEFT_EQE_ID) == h, "CM_CLOSE");
	check(path_tx(1) == WEFT_QP_STATE_ERR && path_rx(1) == WEFT_QP_STATE_ERR, "QP in ERROR");
	check(simple(h, WEFT_ADMIN_OP_ABORT) == WEFT_ADMIN_STATUS_NOT_FOUND, "handle is gone");
	drop_qp(1);
	/* the peer's FIN comes again in TIME-WAIT */
	pseq--;
	frames = 0;
	peer_send(P_ACK | P_FIN, NULL, 0, 0);
	check(frames == 1 && last.flags == P_ACK, "TIME-WAIT acknowledges");
	world_advance(61ull * 1000000000);
	check(!(room_steer[cport / 32] >> (cport & 31) & 1), "port bit after TIME-WAIT");
	frames = 0;
	peer_send(P_ACK, NULL, 0, 0);
	check(frames == 1 && (last.flags & P_RST), "RST where nobody is");
	no_event();
}

static void refused(void)
{
	uint8_t f[600];
	struct mpa_frame m = { .reply = true, .rev = 2, .crc = true, .enhanced = true, .reject = true, .pd = (const uint8_t *)"no", .pd_len = 2 };
	uint32_t h, w, e[16];

	/* RST in answer to SYN */
	make_qp(2);
	cport++;
	h = connect_start(2, 2 | 4);
	peer_send(P_RST | P_ACK, NULL, 0, 0);
	if (take_event(WEFT_EQE_TYPE_CM_CONNECT_REPLY, e)) check(GET(e, WEFT_EQE_CODE) == WEFT_CM_STATUS_REFUSED && GET(e, WEFT_EQE_ID) == h, "REFUSED");
	check(path_tx(2) == WEFT_QP_STATE_RESET, "a QP that never ran stays");
	/* SYN without answer: again with backoff, then time-out */
	h = connect_start(2, 4);
	world_advance(1100 * MS);
	check(frames == 2 && last.flags == P_SYN, "second SYN");
	world_advance(2100 * MS);
	check(frames == 3, "third SYN");
	world_advance(300000 * MS);
	if (take_event(WEFT_EQE_TYPE_CM_CONNECT_REPLY, e)) check(GET(e, WEFT_EQE_CODE) == WEFT_CM_STATUS_TIMED_OUT, "TIMED_OUT");
	check(frames == 8, "%u SYN in all", frames);
	/* rejected, with private data */
	h = connect_start(2, 2 | 4);
	peer_send(P_SYN | P_ACK, NULL, 0, 0);
	ack_all();
	peer_send(P_ACK | P_PSH, f, reply_frame(f, &m), 0);
	if (take_event(WEFT_EQE_TYPE_CM_CONNECT_REPLY, e)) check(GET(e, WEFT_EQE_CODE) == WEFT_CM_STATUS_REJECTED && GET(e, WEFT_EQE_PD_BYTES) == 2, "REJECTED");
	check(last.flags & P_FIN, "FIN after a reject");
	query(h, "no", 2);
	ack_all();
	peer_send(P_ACK | P_FIN, NULL, 0, 0);
	no_event();
	/* the same, nobody asks for the private data, and the port is used again */
	h = connect_start(2, 2 | 4);
	peer_send(P_SYN | P_ACK, NULL, 0, 0);
	ack_all();
	peer_send(P_ACK | P_PSH, f, reply_frame(f, &m), 0);
	take_event(WEFT_EQE_TYPE_CM_CONNECT_REPLY, e);
	ack_all();
	peer_send(P_ACK | P_FIN, NULL, 0, 0);
	w = h;
	h = connect_start(2, 2 | 4);
	query(w, "no", 2); /* its private data outlive the connection a while */
	check(simple(w, WEFT_ADMIN_OP_QUERY_CONN) == WEFT_ADMIN_STATUS_NOT_FOUND, "handle of a rejected connection");
	check(simple(h, WEFT_ADMIN_OP_ABORT) == 0, "ABORT while connecting");
	take_event(WEFT_EQE_TYPE_CM_CONNECT_REPLY, e);
	no_event();
	/* garbage instead of a reply */
	cport++;
	h = connect_start(2, 2 | 4);
	peer_send(P_SYN | P_ACK, NULL, 0, 0);
	ack_all();
	peer_send(P_ACK | P_PSH, "MPA ID Req Frame\0\1\0\0", 20, 0);
	if (take_event(WEFT_EQE_TYPE_CM_CONNECT_REPLY, e)) check(GET(e, WEFT_EQE_CODE) == WEFT_CM_STATUS_PROTOCOL, "PROTOCOL");
	check(last.flags & P_RST, "RST after a broken reply");
	/* peer wants more reads than we take: Terminate 2/0/6, FIN */
	cport++;
	h = connect_start(2, 2 | 4);
	peer_send(P_SYN | P_ACK, NULL, 0, 0);
	ack_all();
	m.reject = false;
	m.ord = 200;
	peer_send(P_ACK | P_PSH, f, reply_frame(f, &m), 0);
	if (take_event(WEFT_EQE_TYPE_CM_CONNECT_REPLY, e)) check(GET(e, WEFT_EQE_CODE) == WEFT_CM_STATUS_PROTOCOL, "PROTOCOL");
	check(last.len == 28 && (last.flags & P_FIN) && last.data[0] == 0 && last.data[1] == 22 && last.data[3] == 0x47 && last.data[20] == 0x20
	      && last.data[21] == 6, "Terminate 2/0/6");
	ack_all();
	peer_send(P_ACK | P_FIN, NULL, 0, 0);
	/* the reply in two pieces, with bytes behind it, and lost request */
	cport++;
	h = connect_start(2, 2 | 4);
	peer_send(P_SYN | P_ACK, NULL, 0, 0);
	ack_all();
	frames = 0;
	world_advance(400 * MS);
	check(frames == 1 && last.len == 36, "request again");
	m.ord = 1;
	reply_frame(f, &m);
	memcpy(f + 26, "an FPDU", 7);
	peer_send(P_ACK, f, 9, 0);
	peer_send(P_ACK, f + 9, 24, 0);
	pseq -= 7;
	if (take_event(WEFT_EQE_TYPE_CM_CONNECT_REPLY, e)) check(GET(e, WEFT_EQE_CODE) == 0 && GET(e, WEFT_EQE_ID) == h, "reply in pieces");
	expect_contexts(2, false, true, m.ird);
	check(last.ack == pseq, "bytes behind the reply are not acknowledged");
	/* abort */
	check(simple(h, WEFT_ADMIN_OP_ABORT) == 0 && (last.flags & P_RST), "ABORT");
	if (take_event(WEFT_EQE_TYPE_CM_CLOSE, e)) check(GET(e, WEFT_EQE_CODE) == WEFT_CM_STATUS_ABORTED, "CM_CLOSE after ABORT");
	drop_qp(2);
	no_event();
}

/* Peer-to-peer (RFC 6581 9): the first FPDU is a Write of length 0, with and without a CRC. */
/* CRC32c, bit by bit: its last four bytes are that of those in front (RFC 5044 4.4). */
static bool crc_good(const uint8_t *b, unsigned n)
{
	uint32_t c = ~0u;

	for (unsigned i = 0; i < n - 4; i++) {
		c ^= b[i];
		for (unsigned j = 0; j < 8; j++) c = c >> 1 ^ (c & 1 ? 0x82f63b78 : 0);
	}
	c = ~c;
	return b[n - 4] == (c & 255) && b[n - 3] == (c >> 8 & 255) && b[n - 2] == (c >> 16 & 255) && b[n - 1] == c >> 24;
}
static void rtr(void)
{
	struct mpa_frame m = { .reply = true, .rev = 2, .enhanced = true, .ird = 5, .ord = 3, .p2p = true, .rtr_write = true };
	uint32_t e[16];
	uint8_t f[600];

	for (unsigned i = 0; i < 4; i++) {
		/* a peer that asks for markers gets the first of them in front of it */
		unsigned crc = i & 1, mark = i & 2 ? 4 : 0;

		make_qp(2);
		cport++;
		m.crc = crc;
		m.markers = mark;
		connect_start(2, 2 | 8);
		peer_send(P_SYN | P_ACK, NULL, 0, 0);
		ack_all();
		peer_send(P_ACK | P_PSH, f, reply_frame(f, &m), 0);
		take_event(WEFT_EQE_TYPE_CM_CONNECT_REPLY, e);
		/* an ACK of firmware may follow it */
		check(last_data.len == 20 + mark && last_data.ack == pseq && last_data.seq == pack && !memcmp(last_data.data, "\0\0\0\0", mark)
		      && !memcmp(last_data.data + mark, "\0\16\xc1\x40\0\0\0\1\0\0\0\0\0\0\0\0", 16), "RTR, %u bytes", last_data.len);
		check(crc ? crc_good(last_data.data, last_data.len) : !memcmp(last_data.data + mark + 16, "\0\0\0\0", 4), "CRC of an RTR, with %u bytes of markers", mark);
		check(path_tx(2) == WEFT_QP_STATE_RTS && path_look(2) && path_markers(2) == !!mark, "a QP that runs, markers %u", path_markers(2));
		drop_qp(2);
		take_event(WEFT_EQE_TYPE_CM_CLOSE, e);
	}
	/* the Terminate of who cannot have so many reads (RFC 6581 9), with a marker too */
	for (unsigned mark = 0; mark <= 4; mark += 4) {
		make_qp(2);
		cport++;
		m.crc = true;
		m.markers = mark;
		m.ord = 99;
		connect_start(2, 2 | 8);
		peer_send(P_SYN | P_ACK, NULL, 0, 0);
		ack_all();
		peer_send(P_ACK | P_PSH, f, reply_frame(f, &m), 0);
		check(last_data.len == 28 + mark && !memcmp(last_data.data, "\0\0\0\0", mark) && !memcmp(last_data.data + mark, "\0\x16\x41\x47", 4) && last_data.data[mark + 21] == 6
		      && crc_good(last_data.data, last_data.len), "a Terminate with %u bytes of markers: %u bytes", mark, last_data.len);
		take_event(WEFT_EQE_TYPE_CM_CONNECT_REPLY, e);
		ack_all();
		peer_send(P_ACK | P_FIN, NULL, 0, 0);
		drop_qp(2);
	}
	no_event();
}

/* What comes behind the reply, in its segment or while firmware hands over, goes to the data path: no byte waits for the peer's time-out. */
static void behind_reply(void)
{
	struct mpa_frame m = { .reply = true, .rev = 2, .enhanced = true, .ird = 5, .ord = 3 };
	uint32_t e[16];
	uint8_t f[1024] = { 0 }, reply[600];

	for (unsigned more = 1; more <= 1000; more += 333) { /* 40 + 12 + 24 + 668 bytes are more than firmware reads */
		unsigned was = path_turned, n;

		make_qp(2);
		cport++;
		connect_start(2, 2);
		peer_send(P_SYN | P_ACK, NULL, 0, 0);
		ack_all();
		n = reply_frame(f, &m);
		peer_send(P_ACK | P_PSH, f, n + (more < 900 ? more : 0), 0);
		take_event(WEFT_EQE_TYPE_CM_CONNECT_REPLY, e);
		check(path_turned - was == (more < 600), "%u bytes behind a reply: %u frames passed on", more, path_turned - was);
		drop_qp(2);
		take_event(WEFT_EQE_TYPE_CM_CLOSE, e);
	}
	/* HOLD and CREATE are refused at first: what is passed on finds nobody, and comes back when the connection is handed over */
	make_qp(2);
	cport++;
	connect_start(2, 2);
	peer_send(P_SYN | P_ACK, NULL, 0, 0);
	ack_all();
	path_refuse = 4;
	world_frame_in(f, build(f, P_ACK | P_PSH, reply, reply_frame(reply, &m)), 0);
	peer_send(P_ACK | P_PSH, "an FPDU", 7, 0);
	take_event(WEFT_EQE_TYPE_CM_CONNECT_REPLY, e);
	check(last.flags == P_ACK && last.ack == pseq && path_tx(2) == WEFT_QP_STATE_RTS, "what came back: flags %x, %u bytes not acknowledged", last.flags, pseq - last.ack);
	world_advance(30 * MS);
	check(simple(GET(e, WEFT_EQE_ID), WEFT_ADMIN_OP_QUERY_CONN) == WEFT_ADMIN_STATUS_BAD_STATE, "the slot is not given back");
	drop_qp(2);
	take_event(WEFT_EQE_TYPE_CM_CLOSE, e);
	/* an ACK alone, or a reset, right behind the reply: the reply is acknowledged, the reset is heard */
	for (unsigned rst = 0; rst < 2; rst++) {
		make_qp(2);
		cport++;
		connect_start(2, 2);
		peer_send(P_SYN | P_ACK, NULL, 0, 0);
		ack_all();
		world_frame_in(f, build(f, P_ACK | P_PSH, reply, reply_frame(reply, &m)), 0);
		peer_send(rst ? P_RST : P_ACK, NULL, 0, 0);
		take_event(WEFT_EQE_TYPE_CM_CONNECT_REPLY, e);
		if (rst && take_event(WEFT_EQE_TYPE_QP_ERROR, e)) check(GET(e, WEFT_EQE_CODE) == WEFT_QP_EVENT_LLP_RESET, "code %u", GET(e, WEFT_EQE_CODE));
		if (!rst) check(last.flags == P_ACK && last.ack == pseq, "a reply with an ACK behind it: %u bytes are not acknowledged", pseq - last.ack);
		if (!rst) drop_qp(2);
		take_event(WEFT_EQE_TYPE_CM_CLOSE, e);
		if (rst) drop_qp(2);
	}
	no_event();
}

static void async(uint32_t *c, unsigned op)
{
	SET(c, WEFT_ADMIN_CMD_OP, op);
	SET(c, WEFT_ADMIN_CMD_TAG, sq_index * 3u + 7);
	post(c);
	world_reg_write(WEFT_REG_ADMIN_DB, sq_index);
}
/* An active connection with private data of the peer, of which a frame was passed on; then a moment in which one more is late. */
static uint32_t behind_data(void)
{
	struct mpa_frame m = { .reply = true, .rev = 2, .enhanced = true, .ird = 5, .ord = 3, .pd = (const uint8_t *)"hello", .pd_len = 5 };
	uint32_t e[16] = { 0 };
	uint8_t f[1024], reply[600];

	make_qp(2);
	cport++;
	connect_start(2, 2);
	peer_send(P_SYN | P_ACK, NULL, 0, 0);
	ack_all();
	path_refuse = 4;
	world_frame_in(f, build(f, P_ACK | P_PSH, reply, reply_frame(reply, &m)), 0);
	peer_send(P_ACK | P_PSH, "an FPDU", 7, 0);
	take_event(WEFT_EQE_TYPE_CM_CONNECT_REPLY, e);
	return GET(e, WEFT_EQE_ID);
}
static void late_behind_data(const char *when)
{
	unsigned was = path_turned;

	memset(&last, 0, sizeof(last));
	path_late = 1;
	peer_send(P_ACK | P_PSH, "late", 4, 0);
	check(path_turned == was + 1 && last.flags == P_ACK && last.ack == pseq, "a frame that comes back %s: flags %x", when, last.flags);
}

/* The slot that such frames are known by outlives QUERY_CONN, and is nobody's while they may come. */
static void late_frames(void)
{
	uint32_t c[16], e[16], h, handles[6];

	h = behind_data();
	query(h, "hello", 5);
	late_behind_data("behind QUERY_CONN");
	world_advance(30 * MS);
	check(simple(h, WEFT_ADMIN_OP_QUERY_CONN) == WEFT_ADMIN_STATUS_BAD_STATE, "the slot is not given back");
	drop_qp(2);
	take_event(WEFT_EQE_TYPE_CM_CLOSE, e);
	/* all places of an active side are taken but for this slot: who wants it waits for a moment */
	h = behind_data();
	for (unsigned i = 0; i < 6; i++) {
		make_qp(20 + i);
		cmd_cm(c, 0, 20 + i, 0);
		SET(c, WEFT_ADMIN_CM_LOCAL_PORT, 4700 + i);
		check(run(c, WEFT_ADMIN_OP_CONNECT) == 0, "CONNECT %u", i);
		handles[i] = GET(rsp, WEFT_ADMIN_RSP_ID);
	}
	make_qp(26);
	cmd_cm(c, 0, 26, 0);
	SET(c, WEFT_ADMIN_CM_LOCAL_PORT, 4706);
	async(c, WEFT_ADMIN_OP_CONNECT);
	world_run();
	late_behind_data("while others want its slot");
	waits_count_not = true;
	query(h, "hello", 5);
	waits_count_not = false;
	late_behind_data("behind QUERY_CONN, and while others want its slot");
	world_advance(30 * MS);
	if (!reap()) world_fail("a CONNECT that waited has no answer");
	check(GET(rsp, WEFT_ADMIN_RSP_STATUS) == 0, "a CONNECT that waited: %u", GET(rsp, WEFT_ADMIN_RSP_STATUS));
	check(simple(GET(rsp, WEFT_ADMIN_RSP_ID), WEFT_ADMIN_OP_ABORT) == 0, "ABORT");
	for (unsigned i = 0; i < 6; i++) check(simple(handles[i], WEFT_ADMIN_OP_ABORT) == 0, "ABORT");
	for (unsigned i = 0; i < 7; i++) {
		take_event(WEFT_EQE_TYPE_CM_CONNECT_REPLY, e);
		drop_qp(20 + i);
	}
	drop_qp(2);
	take_event(WEFT_EQE_TYPE_CM_CLOSE, e);
	no_event();
}

/* Many connections that are set up at a time: which one the peer speaks of. */
struct many_up { uint32_t h, seq, ack; uint16_t port; };
static void many_take(const struct many_up *w)
{
	cport = w->port;
	pseq = w->seq;
	pack = w->ack;
}
/* Up to the request, which the peer has received. */
static struct many_up many_asked(unsigned qpn)
{
	struct many_up w;

	cport++;
	w.h = connect_start(qpn, 2);
	peer_send(P_SYN | P_ACK, NULL, 0, 0);
	ack_all();
	peer_send(P_ACK, NULL, 0, 0);
	w.port = cport;
	w.seq = pseq;
	w.ack = pack;
	return w;
}
static void connect_behind(unsigned qpn)
{
	uint32_t c[16];

	make_qp(qpn);
	cport++;
	cmd_cm(c, 0, qpn, 0);
	SET(c, WEFT_ADMIN_CM_FLAGS, 2);
	async(c, WEFT_ADMIN_OP_CONNECT);
	world_run();
}

/*
 * More connect at once than there are places, and all are answered with private data: the driver has time to fetch what it was told of before one that
 * waits takes the place; a second, not more.
 */
static void unfetched(void)
{
	struct mpa_frame m = { .reply = true, .rev = 2, .enhanced = true, .ird = 5, .ord = 3, .pd = (const uint8_t *)"hello", .pd_len = 5 };
	struct many_up w[7];
	uint32_t e[16];
	uint8_t f[600];

	cport = 4800;
	for (unsigned i = 0; i < 7; i++) {
		make_qp(20 + i);
		w[i] = many_asked(20 + i);
	}
	connect_behind(27);
	check(!reap(), "the eighth has a place");
	many_take(&w[0]);
	peer_send(P_ACK | P_PSH, f, reply_frame(f, &m), 0);
	if (take_event(WEFT_EQE_TYPE_CM_CONNECT_REPLY, e)) check(GET(e, WEFT_EQE_ID) == w[0].h && GET(e, WEFT_EQE_PD_BYTES) == 5, "a reply with private data");
	check(!reap(), "the eighth has the place of one whose private data were not fetched yet");
	query(w[0].h, "hello", 5);
	check(reap() && GET(rsp, WEFT_ADMIN_RSP_STATUS) == 0, "the eighth, behind private data that were fetched");
	/* a refusal says something, too, and is over meanwhile */
	cport = 4820;
	connect_behind(28);
	m.reject = true;
	many_take(&w[1]);
	peer_send(P_ACK | P_PSH, f, reply_frame(f, &m), 0);
	take_event(WEFT_EQE_TYPE_CM_CONNECT_REPLY, e);
	ack_all();
	peer_send(P_ACK | P_FIN, NULL, 0, 0);
	check(!reap(), "the ninth has the place of one whose refusal was not fetched yet");
	query(w[1].h, "hello", 5);
	world_advance(MS);
	check(reap() && GET(rsp, WEFT_ADMIN_RSP_STATUS) == 0, "the ninth, behind a refusal that was fetched");
	/* a driver that does not fetch */
	m.reject = false;
	cport = 4830;
	connect_behind(29);
	many_take(&w[2]);
	peer_send(P_ACK | P_PSH, f, reply_frame(f, &m), 0);
	take_event(WEFT_EQE_TYPE_CM_CONNECT_REPLY, e);
	world_advance(900 * MS);
	check(!reap(), "the tenth has the place of one whose private data are less than a second old");
	world_advance(200 * MS);
	check(reap() && GET(rsp, WEFT_ADMIN_RSP_STATUS) == 0, "the tenth, behind private data that nobody fetches");
	check(simple(w[2].h, WEFT_ADMIN_OP_QUERY_CONN) == WEFT_ADMIN_STATUS_BAD_STATE, "private data whose place was taken");
	for (unsigned i = 20; i < 30; i++) {
		drop_qp(i);
		if (i != 21) take_event(i == 20 || i == 22 ? WEFT_EQE_TYPE_CM_CLOSE : WEFT_EQE_TYPE_CM_CONNECT_REPLY, e);
	}
	no_event();
}

/* A hand-over is no close: those that are under way keep their places. */
static void closes_stay(void)
{
	struct mpa_frame m = { .reply = true, .rev = 2, .enhanced = true, .reject = true }, yes = { .reply = true, .rev = 2, .enhanced = true, .ird = 5, .ord = 3 };
	struct many_up w;
	uint32_t e[16];
	uint8_t f[600];

	cport = 4850;
	make_qp(2);
	for (unsigned i = 0; i < 6; i++) { /* places to close in */
		w = many_asked(2);
		peer_send(P_ACK | P_PSH, f, reply_frame(f, &m), 0);
		take_event(WEFT_EQE_TYPE_CM_CONNECT_REPLY, e);
		ack_all();
		peer_send(P_ACK, NULL, 0, 0);
	}
	world_advance(1100 * MS);
	w = many_asked(2);
	resets = 0;
	peer_send(P_ACK | P_PSH, f, reply_frame(f, &yes), 0);
	if (take_event(WEFT_EQE_TYPE_CM_CONNECT_REPLY, e)) check(GET(e, WEFT_EQE_ID) == w.h && GET(e, WEFT_EQE_CODE) == 0, "beside closes: code %u", GET(e, WEFT_EQE_CODE));
	check(!resets, "%u closes of others were reset by a hand-over", resets);
	drop_qp(2);
	take_event(WEFT_EQE_TYPE_CM_CLOSE, e);
	world_advance(11000 * MS);
	no_event();
}

/* Seven peers that do not answer: the eighth, which does, waits for three seconds and not for three minutes; the oldest gives way. */
static void silent_peers(void)
{
	struct mpa_frame m = { .reply = true, .rev = 2, .enhanced = true, .ird = 5, .ord = 3 };
	uint32_t c[16], e[16], h[7], mine;
	unsigned ms;
	uint8_t f[600];

	cport = 4750;
	for (unsigned i = 0; i < 7; i++) {
		make_qp(20 + i);
		pport++;
		h[i] = connect_start(20 + i, 2);
		world_advance(10 * MS);
	}
	make_qp(27);
	pport++;
	cmd_cm(c, 0, 27, 0);
	SET(c, WEFT_ADMIN_CM_FLAGS, 2);
	async(c, WEFT_ADMIN_OP_CONNECT);
	world_run();
	for (ms = 0; ms < 6000 && !reap(); ms += 10) world_advance(10 * MS);
	check(ms > 2000 && ms < 4000 && GET(rsp, WEFT_ADMIN_RSP_STATUS) == 0, "beside silent peers: status %u after %u ms", GET(rsp, WEFT_ADMIN_RSP_STATUS), ms);
	mine = GET(rsp, WEFT_ADMIN_RSP_ID);
	if (take_event(WEFT_EQE_TYPE_CM_CONNECT_REPLY, e))
		check(GET(e, WEFT_EQE_ID) == h[0] && GET(e, WEFT_EQE_CODE) == WEFT_CM_STATUS_TIMED_OUT, "who gave way: code %u", GET(e, WEFT_EQE_CODE));
	check(last.flags == P_SYN && last.dport == pport, "SYN to a peer that answers");
	pseq = 0x7000 + (world_rand() & 0xffff);
	ack_all();
	peer_send(P_SYN | P_ACK, NULL, 0, 0);
	ack_all();
	peer_send(P_ACK | P_PSH, f, reply_frame(f, &m), 0);
	if (take_event(WEFT_EQE_TYPE_CM_CONNECT_REPLY, e))
		check(GET(e, WEFT_EQE_ID) == mine && GET(e, WEFT_EQE_CODE) == WEFT_CM_STATUS_OK, "a peer that answers: code %u", GET(e, WEFT_EQE_CODE));
	world_advance(100 * MS);
	/* by now all have been silent for long: of the next two the second waits for nobody, and again the oldest gives way */
	for (unsigned i = 28; i < 30; i++) {
		make_qp(i);
		pport++;
		mine = connect_start(i, 2);
	}
	if (take_event(WEFT_EQE_TYPE_CM_CONNECT_REPLY, e)) check(GET(e, WEFT_EQE_ID) == h[1], "who gave way then");
	for (unsigned i = 28; i < 30; i++) drop_qp(i);
	take_event(WEFT_EQE_TYPE_CM_CONNECT_REPLY, e);
	take_event(WEFT_EQE_TYPE_CM_CONNECT_REPLY, e);
	drop_qp(27);
	take_event(WEFT_EQE_TYPE_CM_CLOSE, e);
	drop_qp(20);
	drop_qp(21);
	for (unsigned i = 2; i < 7; i++) {
		check(simple(h[i], WEFT_ADMIN_OP_ABORT) == 0, "ABORT");
		take_event(WEFT_EQE_TYPE_CM_CONNECT_REPLY, e);
		drop_qp(20 + i);
	}
	no_event();
}

static uint32_t listener;
/* Passive open up to CM_CONNECT_REQUEST. */
static uint32_t request(const struct mpa_frame *m)
{
	uint8_t f[600];
	uint32_t e[16], h = 0;

	pseq = 0x100 + (world_rand() & 0xffff);
	pack = 0;
	frames = 0;
	peer_send(P_SYN, NULL, 0, 0);
	check(frames == 1 && last.flags == (P_SYN | P_ACK) && last.ack == pseq, "SYN-ACK");
	ack_all();
	peer_send(P_ACK, NULL, 0, 0);
	peer_send(P_ACK | P_PSH, f, mpa_frame_build(f, m), 0);
	if (take_event(WEFT_EQE_TYPE_CM_CONNECT_REQUEST, e)) {
		h = GET(e, WEFT_EQE_ID);
		check(GET(e, WEFT_EQE_HANDLE) == 0xc00c1e && GET(e, WEFT_EQE_PD_BYTES) == m->pd_len && GET(e, WEFT_EQE_PEER_PORT) == pport
		      && GET(e, WEFT_EQE_LOCAL_PORT) == cport, "CM_CONNECT_REQUEST");
		/* without a header of RFC 6581 the peer limits nothing: what this card can do is reported (16, 16) */
		check(GET(e, WEFT_EQE_IRD) == (m->enhanced ? m->ird : 16) && GET(e, WEFT_EQE_ORD) == (m->enhanced ? m->ord : 16),
		      "IRD %u ORD %u of a request of revision %u", GET(e, WEFT_EQE_IRD), GET(e, WEFT_EQE_ORD), m->rev);
	}
	return h;
}
static uint32_t accept(unsigned qpn, const struct mpa_frame *m, struct mpa_frame *rep)
{
	uint64_t t0 = world_cycle();
	uint32_t c[16], e[16], h = request(m);

	query(h, (const char *)m->pd, m->pd_len);
	cmd_cm(c, h, qpn, 7);
	SET(c, WEFT_ADMIN_CM_FLAGS, 4);
	check(run(c, WEFT_ADMIN_OP_ACCEPT) == 0, "ACCEPT: status %u", GET(rsp, WEFT_ADMIN_RSP_STATUS));
	take_event(WEFT_EQE_TYPE_CM_ESTABLISHED, e);
	check(mpa_frame_parse(last.data, last.len, true, rep) == last.len && rep->pd_len == 7 && rep->crc, "MPA reply");
	ack_all();
	peer_markers = m->markers;
	expect_contexts(qpn, true, true, m->enhanced && m->ird < ASK_ORD ? m->ird : ASK_ORD);
	peer_markers = false;
	check(!rep->markers, "M of the reply");
	cost(SETUP_PASSIVE, t0);
	return h;
}
static void hw_event(unsigned kind, unsigned qpn, unsigned code, uint32_t data0, unsigned hdr)
{
	uint32_t ev[16] = { 0 };

	SET(ev, WEFT_FW_EVENT_KIND, kind);
	SET(ev, WEFT_FW_EVENT_ID, qpn);
	SET(ev, WEFT_FW_EVENT_CODE, code);
	SET(ev, WEFT_FW_EVENT_DATA0, data0);
	SET(ev, WEFT_FW_EVENT_DATA1, 0x3004d);
	SET(ev, WEFT_FW_EVENT_HDR_BYTES, hdr);
	for (unsigned i = 0; i < hdr; i++) BYTES(ev, WEFT_FW_EVENT_HDR)[i] = (uint8_t)(i + 1);
	world_event_in(ev);
	world_run();
}

/* The event has no segment length. */
#define TERM_WORD 0x1100c000u
#define TERM_BYTES "\x11\0\xc0\0\0\x4d\1\2\3"

static void passive(void)
{
	struct mpa_frame m = { .rev = 2, .enhanced = true, .ird = 2, .ord = 3, .pd = (const uint8_t *)"request", .pd_len = 7 }, rep;
	uint32_t c[16], e[16], h;

	cport = 4420;
	cmd_cm(c, 0, 0, 0);
	memset(BYTES(c, WEFT_ADMIN_CM_LOCAL_ADDR), 0, 16);
	check(run(c, WEFT_ADMIN_OP_LISTEN) == 0 && (room_steer[cport / 32] >> (cport & 31) & 1), "LISTEN");
	listener = GET(rsp, WEFT_ADMIN_RSP_ID);
	check(run(c, WEFT_ADMIN_OP_LISTEN) == WEFT_ADMIN_STATUS_IN_USE, "port in use");

	/* accept, lost reply, close by the peer */
	make_qp(3);
	h = accept(3, &m, &rep);
	late_frame();
	check(rep.enhanced && rep.rev == 2 && rep.ord == 2 && rep.ird == 4, "reply of revision 2: IRD %u ORD %u", rep.ird, rep.ord);
	frames = 0;
	/* HOLD lasts: the reply again, and again as long as no FPDU comes */
	hw_event(WEFT_FW_EV_TX_TIMEOUT, 3, 1, 0, 0);
	check(frames == 1 && last.len == 31 && last.seq + 31 == pack, "reply again");
	world_advance(1200 * MS);
	check(frames == 3 && last.len == 31 && last.seq + 31 == pack && last.ack == pseq, "reply again: %u", frames);
	path_got(3, 1);
	pseq++;
	world_run(); /* the event is there before the time is */
	world_advance(1000 * MS);
	check(frames == 3, "the reply again, and the first FPDU has come");
	peer_send(P_FIN | P_ACK, NULL, 0, 3);
	take_event(WEFT_EQE_TYPE_CM_DISCONNECT, e);
	check(path_tx(3) == WEFT_QP_STATE_HALT, "our half follows");
	check(simple(h, WEFT_ADMIN_OP_DISCONNECT) == 0, "DISCONNECT meanwhile");
	acked(3);
	check(last.flags == (P_FIN | P_ACK) && last.ack == pseq, "FIN that acknowledges FIN");
	ack_all();
	peer_send(P_ACK, NULL, 0, 0);
	if (take_event(WEFT_EQE_TYPE_CM_CLOSE, e)) check(GET(e, WEFT_EQE_CODE) == 0, "CM_CLOSE");
	drop_qp(3);
	no_event();

	/* revision 1, with markers, then a fault: Terminate goes out through the value slot */
	m.rev = 1;
	m.markers = true;
	m.enhanced = false;
	m.ird = 0;
	pport++;
	make_qp(4);
	h = accept(4, &m, &rep);
	check(rep.rev == 1 && !rep.enhanced, "reply of revision 1");
	path_got(4, 1); /* something good has come */
	pseq++;
	path_mute = true; /* it waits for the window, and another fault follows */
	hw_event(WEFT_FW_EV_RX_FAULT, 4, 0x1100, 28, 14);
	hw_event(WEFT_FW_EV_RX_FAULT, 4, 0x1200, 28, 14);
	path_mute = false;
	hw_event(WEFT_FW_EV_DRAINED, 4, WEFT_ROOM_QP_TX, 2, 0);
	if (take_event(WEFT_EQE_TYPE_QP_ERROR, e))
		check(GET(e, WEFT_EQE_CODE) == WEFT_QP_EVENT_TERMINATE_SENT && GET(e, WEFT_EQE_DATA0) == TERM_WORD, "QP_ERROR %x", GET(e, WEFT_EQE_DATA0));
	check(!memcmp(path_terminate(4), TERM_BYTES, 9), "Terminate");
	acked(4);
	check(last.flags == (P_FIN | P_ACK), "FIN after the Terminate");
	ack_all();
	peer_send(P_ACK | P_FIN, NULL, 0, 0);
	if (take_event(WEFT_EQE_TYPE_CM_CLOSE, e)) check(GET(e, WEFT_EQE_CODE) == WEFT_CM_STATUS_ABORTED, "CM_CLOSE after fault");
	drop_qp(4);
	no_event();

	/* It has acknowledged both and its FIN does not come: what it had to send before may be flushed. Half a second, or its reset, and no other fault is told. */
	for (unsigned rst = 0; rst < 2; rst++) {
		pport++;
		make_qp(4);
		h = accept(4, &m, &rep);
		path_got(4, 1);
		pseq++;
		hw_event(WEFT_FW_EV_RX_FAULT, 4, 0x1100, 28, 14);
		take_event(WEFT_EQE_TYPE_QP_ERROR, e);
		acked(4);
		ack_all();
		peer_send(P_ACK, NULL, 0, 4);
		if (rst) {
			peer_send(P_RST, NULL, 0, 4);
		} else {
			world_advance(500 * MS);
			no_event();
			world_advance(1200 * MS); /* one whole unit of 537 ms at least, two and a sweep at most */
			check(last.flags & P_RST, "no RST behind a Terminate");
		}
		if (take_event(WEFT_EQE_TYPE_CM_CLOSE, e)) check(GET(e, WEFT_EQE_CODE) == WEFT_CM_STATUS_ABORTED, "CM_CLOSE behind a Terminate: %u", GET(e, WEFT_EQE_CODE));
		drop_qp(4);
		no_event();
	}

	/* the same in the very first FPDU: firmware sends the Terminate itself */
	pport++;
	make_qp(4);
	h = accept(4, &m, &rep);
	path_una(4, pack);
	hw_event(WEFT_FW_EV_RX_FAULT, 4, 0x1100, 27, 14);
	take_event(WEFT_EQE_TYPE_QP_ERROR, e);
	check(last.flags == (P_ACK | P_PSH) && last.len == 44 && !memcmp(last.data, "\0\x26\x41\x47", 4)
	      && !memcmp(last.data + 20, TERM_BYTES, 9), "Terminate in the first FPDU, %u bytes", last.len);
	ack_all();
	peer_send(P_ACK, NULL, 0, 0);
	acked(4);
	check(last.flags == (P_FIN | P_ACK), "FIN behind it");
	ack_all();
	peer_send(P_ACK | P_FIN, NULL, 0, 0);
	take_event(WEFT_EQE_TYPE_CM_CLOSE, e);
	drop_qp(4);

	/* RST: in window is challenged, exact kills (RFC 5961) */
	pport++;
	make_qp(5);
	h = accept(5, &m, &rep);
	pseq += 10;
	frames = 0;
	peer_send(P_RST, NULL, 0, 5);
	check(frames == 1 && last.flags == P_ACK && last.ack == pseq - 10, "challenge ACK");
	pseq -= 10;
	peer_send(P_RST, NULL, 0, 5);
	take_event(WEFT_EQE_TYPE_QP_ERROR, e);
	if (take_event(WEFT_EQE_TYPE_CM_CLOSE, e)) check(GET(e, WEFT_EQE_CODE) == WEFT_CM_STATUS_RESET, "CM_CLOSE after RST");
	check(path_rx(5) == WEFT_QP_STATE_ERR, "ERROR after RST");
	drop_qp(5);

	/* Terminate received; give-up of TCP; reject; destroy while connected */
	pport++;
	make_qp(6);
	h = accept(6, &m, &rep);
	path_una(6, pack);
	path_got(6, 0);
	hw_event(WEFT_FW_EV_RX_TERMINATE, 6, 0, 0, 46);
	if (take_event(WEFT_EQE_TYPE_QP_ERROR, e)) check(GET(e, WEFT_EQE_CODE) == WEFT_QP_EVENT_TERMINATE_RECEIVED && GET(e, WEFT_EQE_DATA0) == 0x13141516, "Terminate in");
	check(last.flags == (P_FIN | P_ACK), "FIN after a Terminate from the peer");
	ack_all();
	peer_send(P_FIN | P_ACK, NULL, 0, 0);
	take_event(WEFT_EQE_TYPE_CM_CLOSE, e);
	drop_qp(6);
	/* it is followed by a reset: that the connection is lost was told */
	pport++;
	make_qp(6);
	h = accept(6, &m, &rep);
	path_una(6, pack);
	path_got(6, 0);
	hw_event(WEFT_FW_EV_RX_TERMINATE, 6, 0, 0, 46);
	take_event(WEFT_EQE_TYPE_QP_ERROR, e);
	peer_send(P_RST, NULL, 0, 6);
	if (take_event(WEFT_EQE_TYPE_CM_CLOSE, e)) check(GET(e, WEFT_EQE_CODE) == WEFT_CM_STATUS_RESET, "CM_CLOSE, RST behind a Terminate: %u", GET(e, WEFT_EQE_CODE));
	drop_qp(6);
	pport++;
	make_qp(6);
	h = accept(6, &m, &rep);
	hw_event(WEFT_FW_EV_TX_TIMEOUT, 6, 0, 0, 0);
	take_event(WEFT_EQE_TYPE_QP_ERROR, e);
	if (take_event(WEFT_EQE_TYPE_CM_CLOSE, e)) check(GET(e, WEFT_EQE_CODE) == WEFT_CM_STATUS_TIMED_OUT, "TCP gave up");
	drop_qp(6);
	/* The rest of an FPDU does not come. */
	pport++;
	make_qp(6);
	h = accept(6, &m, &rep);
	hw_event(WEFT_FW_EV_RX_STALLED, 6, 0, 0, 0);
	take_event(WEFT_EQE_TYPE_QP_ERROR, e);
	if (take_event(WEFT_EQE_TYPE_CM_CLOSE, e)) check(GET(e, WEFT_EQE_CODE) == WEFT_CM_STATUS_TIMED_OUT, "an FPDU stayed incomplete");
	check(last.flags & P_RST, "RST behind half an FPDU");
	drop_qp(6);
	/* It keeps its slot without moving, and others wait. */
	pport++;
	make_qp(6);
	h = accept(6, &m, &rep);
	hw_event(WEFT_FW_EV_SLOT_HELD, 6, 0, 0, 0);
	if (take_event(WEFT_EQE_TYPE_QP_ERROR, e)) check(GET(e, WEFT_EQE_CODE) == WEFT_QP_EVENT_SLOT_HELD, "why: %u", GET(e, WEFT_EQE_CODE));
	if (take_event(WEFT_EQE_TYPE_CM_CLOSE, e)) check(GET(e, WEFT_EQE_CODE) == WEFT_CM_STATUS_TIMED_OUT, "a slot was kept");
	check(last.flags & P_RST, "RST of one that keeps a slot");
	drop_qp(6);
	pport++;
	h = request(&m);
	cmd_cm(c, h, 0, 3);
	check(run(c, WEFT_ADMIN_OP_REJECT) == 0 && mpa_frame_parse(last.data, last.len, true, &rep) > 0 && rep.reject && (last.flags & P_FIN), "REJECT");
	ack_all();
	pseq += 5; /* ahead of order: our FIN is not done with */
	peer_send(P_ACK, NULL, 0, 0);
	pseq -= 5;
	world_advance(700 * MS);
	check(last.flags & P_FIN, "FIN again");
	peer_send(P_FIN | P_ACK, NULL, 0, 0);
	pport++;
	make_qp(7);
	h = accept(7, &m, &rep);
	drop_qp(7);
	if (take_event(WEFT_EQE_TYPE_CM_CLOSE, e)) check(GET(e, WEFT_EQE_CODE) == WEFT_CM_STATUS_ABORTED, "destroyed while connected");
	check(last.flags & P_RST, "RST when a connected QP goes");

	/* nobody asks, nobody answers: every wait ends */
	pport++;
	pseq = 99;
	peer_send(P_SYN, NULL, 0, 0);
	ack_all();
	peer_send(P_ACK, NULL, 0, 0);
	frames = 0;
	world_advance(11000 * MS);
	check(frames == 1 && (last.flags & P_RST), "no request: reset");
	pport++;
	h = request(&m);
	world_advance(61000 * MS);
	if (take_event(WEFT_EQE_TYPE_CM_CLOSE, e)) check(GET(e, WEFT_EQE_ID) == h && GET(e, WEFT_EQE_CODE) == WEFT_CM_STATUS_TIMED_OUT, "nobody accepts");
	/* peer-to-peer: write RTR is chosen */
	m.rev = 2;
	m.enhanced = m.p2p = m.rtr_write = m.rtr_read = true;
	m.ird = 1;
	pport++;
	make_qp(8);
	h = accept(8, &m, &rep);
	check(rep.p2p && rep.rtr_write && !rep.rtr_read && !rep.rtr_send, "RTR negotiated");
	drop_qp(8);
	take_event(WEFT_EQE_TYPE_CM_CLOSE, e);
	/* a flood of SYN does not stop a connection */
	for (unsigned i = 0; i < 40; i++) {
		pport++;
		pseq = i;
		pack = 0;
		peer_send(P_SYN, NULL, 0, 0);
	}
	world_advance(1500 * MS);
	pport++;
	make_qp(9);
	h = accept(9, &m, &rep);
	drop_qp(9);
	take_event(WEFT_EQE_TYPE_CM_CLOSE, e);
	check(simple(listener, WEFT_ADMIN_OP_UNLISTEN) == 0, "UNLISTEN");
	check(!(room_steer[cport / 32] >> (cport & 31) & 1), "port bit after UNLISTEN");
	pseq = 5;
	pack = 0;
	peer_send(P_SYN, NULL, 0, 0);
	check(last.flags == (P_RST | P_ACK), "RST when nobody listens");
	no_event();
}

/* ---- drain tokens, creations and destructions that must be refused ---- */

static void queue_cmd(uint32_t *c, unsigned id)
{
	memset(c, 0, 64);
	SET(c, WEFT_ADMIN_QUEUE_ID, id);
	SET64(c, WEFT_ADMIN_QUEUE_BASE, HOST_BASE + 0x9000);
	SET(c, WEFT_ADMIN_QUEUE_LOG2, 4);
}
static void post_run(uint32_t *c, unsigned op, unsigned tag)
{
	SET(c, WEFT_ADMIN_CMD_OP, op);
	SET(c, WEFT_ADMIN_CMD_TAG, tag);
	post(c);
	world_reg_write(WEFT_REG_ADMIN_DB, sq_index);
	world_run();
}
static void tokens(void)
{
	uint32_t c[16];
	unsigned was;

	queue_cmd(c, 4);
	check(run(c, WEFT_ADMIN_OP_CQ_CREATE) == 0, "CQ_CREATE");
	check(run(c, WEFT_ADMIN_OP_CQ_CREATE) == WEFT_ADMIN_STATUS_IN_USE, "CQ_CREATE over a live queue");
	SET(c, WEFT_ADMIN_QUEUE_ID, 0);
	check(run(c, WEFT_ADMIN_OP_EQ_CREATE) == WEFT_ADMIN_STATUS_IN_USE, "EQ_CREATE over a live queue");
	check(GET64(room_ctx[WEFT_ROOM_EQ][0], WEFT_CTX_EQ_BASE) == HOST_BASE + 0x8000, "the live queue's context");
	/* the answer to a token comes after its command has timed out: it must not complete the next one */
	room_hold = true;
	queue_cmd(c, 4);
	post_run(c, WEFT_ADMIN_OP_CQ_DESTROY, 50);
	check(!reap(), "a destroy without its token");
	world_advance(2500 * MS);
	check(reap() && GET(rsp, WEFT_ADMIN_RSP_TAG) == 50 && GET(rsp, WEFT_ADMIN_RSP_STATUS) == WEFT_ADMIN_STATUS_TIMEOUT, "TIMEOUT");
	was = room_drains[WEFT_ROOM_CQ];
	post_run(c, WEFT_ADMIN_OP_CQ_DESTROY, 51);
	check(run(c, WEFT_ADMIN_OP_CQ_CREATE) == WEFT_ADMIN_STATUS_IN_USE, "CQ_CREATE while the destroy waits");
	room_release(); /* late: the token of command 50 */
	world_run();
	check(!reap(), "a late token completed the next command");
	check(room_drains[WEFT_ROOM_CQ] == was + 1, "a token of its own");
	room_release();
	world_run();
	check(reap() && GET(rsp, WEFT_ADMIN_RSP_TAG) == 51 && GET(rsp, WEFT_ADMIN_RSP_STATUS) == 0, "its own token");
	/* a queue of waiters that is full: what is refused changes nothing */
	check(run(c, WEFT_ADMIN_OP_CQ_CREATE) == 0, "CQ_CREATE again");
	for (unsigned i = 0; i < 64; i++) {
		queue_cmd(c, 5 + i % 8);
		post_run(c, WEFT_ADMIN_OP_CQ_DESTROY, i);
	}
	queue_cmd(c, 4);
	check(run(c, WEFT_ADMIN_OP_CQ_DESTROY) == WEFT_ADMIN_STATUS_NO_RESOURCE, "the 65th waiter");
	check(GET(room_ctx[WEFT_ROOM_CQ][4], WEFT_CTX_CQ_VALID) && room_db[1][4] >> 31, "a refused CQ_DESTROY changed the queue");
	for (unsigned i = 0; i < 64; i++) {
		room_release();
		world_run();
		check(reap() && GET(rsp, WEFT_ADMIN_RSP_TAG) == i, "waiter %u", i);
	}
	room_hold = false;
	no_event();
}

/* Rings of CQs in pieces: as many as the card has, each aligned, and what is behind them does not matter. */
static void pieces(void)
{
	static const uint8_t off[] = { WEFT_ADMIN_QUEUE_BASE_OFF, WEFT_ADMIN_QUEUE_BASE1_OFF, WEFT_ADMIN_QUEUE_BASE2_OFF, WEFT_ADMIN_QUEUE_BASE3_OFF };
	uint32_t *q = room_ctx[WEFT_ROOM_CQ][6], c[16], commits, can = world_quick ? world_cq_ring : world_reg_read(WEFT_REG_CAP_CQ_RING), bad;

	check((can & 0xff) == WEFT_CQ_LOG2_MAX && can >> 8 == 2, "CAP_CQ_RING is %#x", can);
	for (unsigned op = WEFT_ADMIN_OP_CQ_CREATE, n = 0; n < 8; n++) {
		unsigned p = n % 4 < 3 ? n % 4 : 1, log2 = p + 1 + (n > 2 ? 10 : 0);

		queue_cmd(c, 6);
		SET(c, WEFT_ADMIN_QUEUE_LOG2, log2);
		SET(c, WEFT_ADMIN_QUEUE_PIECES, p);
		for (unsigned i = 0; i < 4; i++) {
			c[off[i] / 4] = world_rand() << (i >> p ? 0 : p ? 12 : 6);
			c[off[i] / 4 + 1] = world_rand();
		}
		commits = room_commits;
		for (unsigned i = 0; n && i >> p == 0; i++) {
			bad = p ? 1u << world_rand() % 12 : 1u << world_rand() % 6;
			c[off[i] / 4] |= bad;
			check(run(c, op) == WEFT_ADMIN_STATUS_BAD_PARAM && GET(rsp, WEFT_ADMIN_RSP_DETAIL) == off[i], "piece %u of %u at %#x", i, 1u << p, c[off[i] / 4]);
			c[off[i] / 4] &= ~bad;
		}
		SET(c, WEFT_ADMIN_QUEUE_PIECES, 3);
		check(run(c, op) == WEFT_ADMIN_STATUS_BAD_PARAM && GET(rsp, WEFT_ADMIN_RSP_DETAIL) == WEFT_ADMIN_QUEUE_PIECES_OFF, "eight pieces");
		SET(c, WEFT_ADMIN_QUEUE_PIECES, 1);
		SET(c, WEFT_ADMIN_QUEUE_LOG2, 1);
		check(run(c, op) == WEFT_ADMIN_STATUS_BAD_PARAM && GET(rsp, WEFT_ADMIN_RSP_DETAIL) == WEFT_ADMIN_QUEUE_PIECES_OFF, "pieces of one entry");
		SET(c, WEFT_ADMIN_QUEUE_LOG2, log2);
		SET(c, WEFT_ADMIN_QUEUE_PIECES, p);
		check(room_commits == commits, "a command that was refused has been begun");
		check(run(c, op) == 0, "%u pieces", 1u << p);
		for (unsigned i = 0; i >> p == 0; i++)
			check(!memcmp((uint8_t *)q + (i ? WEFT_CTX_CQ_BASE1_OFF + 8 * (i - 1) : WEFT_CTX_CQ_BASE_OFF), (uint8_t *)c + off[i], 8), "piece %u of %u", i, 1u << p);
		check(GET(q, WEFT_CTX_CQ_LOG2) == log2 && GET(q, WEFT_CTX_CQ_PIECES) == p && GET(q, WEFT_CTX_CQ_VALID), "its context");
		op = WEFT_ADMIN_OP_CQ_RESIZE;
	}
	queue_cmd(c, 6);
	check(run(c, WEFT_ADMIN_OP_CQ_DESTROY) == 0, "CQ_DESTROY");
	queue_cmd(c, 5);
	SET(c, WEFT_ADMIN_QUEUE_PIECES, 1);
	check(run(c, WEFT_ADMIN_OP_EQ_CREATE) == WEFT_ADMIN_STATUS_BAD_PARAM && GET(rsp, WEFT_ADMIN_RSP_DETAIL) == WEFT_ADMIN_QUEUE_PIECES_OFF, "an EQ in pieces");
	if (!world_quick) return;
	/* a card from before there were pieces, and one with smaller rings */
	world_cq_ring = 0;
	queue_cmd(c, 6);
	SET(c, WEFT_ADMIN_QUEUE_PIECES, 1);
	check(run(c, WEFT_ADMIN_OP_CQ_CREATE) == WEFT_ADMIN_STATUS_BAD_PARAM && GET(rsp, WEFT_ADMIN_RSP_DETAIL) == WEFT_ADMIN_QUEUE_PIECES_OFF, "pieces of an old card");
	world_cq_ring = 10 | 1 << 8;
	SET(c, WEFT_ADMIN_QUEUE_LOG2, 11);
	check(run(c, WEFT_ADMIN_OP_CQ_CREATE) == WEFT_ADMIN_STATUS_BAD_PARAM && GET(rsp, WEFT_ADMIN_RSP_DETAIL) == WEFT_ADMIN_QUEUE_LOG2_OFF, "more than the card's largest");
	world_cq_ring = can;
}

/* A live queue gets another ring: one answer behind the token, with FIRST; what is refused has changed nothing. */
static void resizes(void)
{
	const uint32_t *q = room_ctx[WEFT_ROOM_CQ][6];
	unsigned was = room_drains[WEFT_ROOM_CQ], commits;
	uint32_t c[16], before[16], pi = world_rand();

	queue_cmd(c, 6);
	check(run(c, WEFT_ADMIN_OP_CQ_RESIZE) == WEFT_ADMIN_STATUS_NOT_FOUND, "CQ_RESIZE of no queue");
	SET(c, WEFT_ADMIN_QUEUE_VECTOR, 2);
	SET(c, WEFT_ADMIN_QUEUE_DB_PAGE, 3);
	check(run(c, WEFT_ADMIN_OP_CQ_CREATE) == 0, "CQ_CREATE");
	SET(room_ctx[WEFT_ROOM_CQ][6], WEFT_CTX_CQ_PI, pi);
	queue_cmd(c, 6);
	for (unsigned log2 = 1; log2 <= WEFT_CQ_LOG2_MAX; log2++) {
		uint64_t base = (uint64_t)world_rand() << 22 | (uint64_t)log2 << 6;

		SET64(c, WEFT_ADMIN_QUEUE_BASE, base);
		SET(c, WEFT_ADMIN_QUEUE_LOG2, log2);
		check(run(c, WEFT_ADMIN_OP_CQ_RESIZE) == 0 && GET(rsp, WEFT_ADMIN_RSP_DETAIL) == (pi & 0xffffff), "CQ_RESIZE to 2^%u, FIRST %#x", log2,
		      GET(rsp, WEFT_ADMIN_RSP_DETAIL));
		check(GET64(q, WEFT_CTX_CQ_BASE) == base && GET(q, WEFT_CTX_CQ_LOG2) == log2 && GET(q, WEFT_CTX_CQ_EQN) == 2 && GET(q, WEFT_CTX_CQ_VALID) &&
		      GET(q, WEFT_CTX_CQ_PI) == pi && room_db[1][6] == (1u << 31 | 3), "its context and its page");
	}
	check(room_drains[WEFT_ROOM_CQ] == was + WEFT_CQ_LOG2_MAX, "a token each");
	memcpy(before, q, 64);
	commits = room_commits;
	SET(c, WEFT_ADMIN_QUEUE_LOG2, 0);
	check(run(c, WEFT_ADMIN_OP_CQ_RESIZE) == WEFT_ADMIN_STATUS_BAD_PARAM && GET(rsp, WEFT_ADMIN_RSP_DETAIL) == WEFT_ADMIN_QUEUE_LOG2_OFF, "a ring of one entry");
	SET(c, WEFT_ADMIN_QUEUE_LOG2, WEFT_CQ_LOG2_MAX + 1);
	check(run(c, WEFT_ADMIN_OP_CQ_RESIZE) == WEFT_ADMIN_STATUS_BAD_PARAM && GET(rsp, WEFT_ADMIN_RSP_DETAIL) == WEFT_ADMIN_QUEUE_LOG2_OFF, "a ring too long");
	queue_cmd(c, 6);
	SET64(c, WEFT_ADMIN_QUEUE_BASE, HOST_BASE + 0x9020);
	check(run(c, WEFT_ADMIN_OP_CQ_RESIZE) == WEFT_ADMIN_STATUS_BAD_PARAM && GET(rsp, WEFT_ADMIN_RSP_DETAIL) == WEFT_ADMIN_QUEUE_BASE_OFF, "a ring that is not aligned");
	queue_cmd(c, 0xffff);
	check(run(c, WEFT_ADMIN_OP_CQ_RESIZE) == WEFT_ADMIN_STATUS_BAD_PARAM && GET(rsp, WEFT_ADMIN_RSP_DETAIL) == WEFT_ADMIN_QUEUE_ID_OFF, "CQN out of range");
	queue_cmd(c, 7);
	check(run(c, WEFT_ADMIN_OP_CQ_RESIZE) == WEFT_ADMIN_STATUS_NOT_FOUND, "CQ_RESIZE of another number");
	check(room_commits == commits, "a command that was refused has been begun");
	queue_cmd(c, 6);
	room_cq_full = true;
	check(run(c, WEFT_ADMIN_OP_CQ_RESIZE) == WEFT_ADMIN_STATUS_BAD_PARAM && GET(rsp, WEFT_ADMIN_RSP_DETAIL) == WEFT_ADMIN_QUEUE_LOG2_OFF, "what does not fit");
	room_cq_full = false;
	SET(before, WEFT_CTX_CQ_RESIZED, 0);
	check(!memcmp(before, q, 64) && room_drains[WEFT_ROOM_CQ] == was + WEFT_CQ_LOG2_MAX, "a resize that was refused has changed the queue");
	/* one at a time; not before its token, and late with TIMEOUT: the switch has been */
	room_hold = true;
	post_run(c, WEFT_ADMIN_OP_CQ_RESIZE, 80);
	check(!reap() && GET64(q, WEFT_CTX_CQ_BASE) == HOST_BASE + 0x9000, "CQ_RESIZE waits for the token");
	check(run(c, WEFT_ADMIN_OP_CQ_RESIZE) == WEFT_ADMIN_STATUS_BAD_STATE, "two at a time");
	room_release();
	world_run();
	check(reap() && GET(rsp, WEFT_ADMIN_RSP_TAG) == 80 && !GET(rsp, WEFT_ADMIN_RSP_STATUS) && GET(rsp, WEFT_ADMIN_RSP_DETAIL) == (pi & 0xffffff), "its answer");
	SET(c, WEFT_ADMIN_QUEUE_LOG2, 5);
	post_run(c, WEFT_ADMIN_OP_CQ_RESIZE, 81);
	world_advance(2100 * MS);
	check(reap() && GET(rsp, WEFT_ADMIN_RSP_TAG) == 81 && GET(rsp, WEFT_ADMIN_RSP_STATUS) == WEFT_ADMIN_STATUS_TIMEOUT && GET(q, WEFT_CTX_CQ_LOG2) == 5, "TIMEOUT");
	post_run(c, WEFT_ADMIN_OP_CQ_DESTROY, 82);
	room_release();
	world_run();
	check(!reap(), "the token of the resize completed the destroy");
	room_release();
	world_run();
	check(reap() && GET(rsp, WEFT_ADMIN_RSP_TAG) == 82 && !GET(rsp, WEFT_ADMIN_RSP_STATUS), "CQ_DESTROY behind it");
	room_hold = false;
	check(run(c, WEFT_ADMIN_OP_CQ_RESIZE) == WEFT_ADMIN_STATUS_NOT_FOUND, "CQ_RESIZE of what was destroyed");
	no_event();
}

/* When events of a queue are told: in the room's units, never shorter than was asked for, and nothing else of it changes. */
static void moderation(void)
{
	static const struct { uint16_t count, period, hold, units; } t[] = {
		{ 16, 20, 15, 20 }, { 2, 1, 1, 1 }, { 65535, 65535, 65534, 64000 }, { 100, 1000, 99, 977 }, { 1, 50, 0, 49 }, { 0, 50, 0, 49 }, { 50, 0, 0, 0 },
	};
	uint32_t *q = room_ctx[WEFT_ROOM_CQ][6], c[16], before[16], commits;

	queue_cmd(c, 6);
	if (world_quick) {
		check(run(c, WEFT_ADMIN_OP_CQ_MODERATE) == WEFT_ADMIN_STATUS_BAD_OP, "CQ_MODERATE of a card without");
		world_features |= 1u << WEFT_FEATURE_CQ_MODERATION;
	}
	check(run(c, WEFT_ADMIN_OP_CQ_MODERATE) == WEFT_ADMIN_STATUS_NOT_FOUND, "CQ_MODERATE of no queue");
	check(run(c, WEFT_ADMIN_OP_CQ_CREATE) == 0 && !GET(q, WEFT_CTX_CQ_HOLD), "a new queue holds nothing back");
	for (unsigned i = 0; i < sizeof(t) / sizeof(*t); i++) {
		memcpy(before, q, 64);
		queue_cmd(c, 6);
		SET(c, WEFT_ADMIN_QUEUE_COUNT, t[i].count);
		SET(c, WEFT_ADMIN_QUEUE_PERIOD, t[i].period);
		check(run(c, WEFT_ADMIN_OP_CQ_MODERATE) == 0 && GET(q, WEFT_CTX_CQ_HOLD) == t[i].hold && GET(q, WEFT_CTX_CQ_PERIOD) == t[i].units,
		      "%u entries, %u us: held %u, %u", t[i].count, t[i].period, GET(q, WEFT_CTX_CQ_HOLD), GET(q, WEFT_CTX_CQ_PERIOD));
		SET(before, WEFT_CTX_CQ_HOLD, t[i].hold);
		SET(before, WEFT_CTX_CQ_PERIOD, t[i].units);
		check(!memcmp(before, q, 64), "what else has changed");
	}
	commits = room_commits;
	queue_cmd(c, 0xffff);
	check(run(c, WEFT_ADMIN_OP_CQ_MODERATE) == WEFT_ADMIN_STATUS_NOT_FOUND, "CQN out of range");
	queue_cmd(c, 7);
	check(run(c, WEFT_ADMIN_OP_CQ_MODERATE) == WEFT_ADMIN_STATUS_NOT_FOUND && room_commits == commits, "CQ_MODERATE of another number");
	queue_cmd(c, 6);
	check(run(c, WEFT_ADMIN_OP_CQ_DESTROY) == 0 && run(c, WEFT_ADMIN_OP_CQ_MODERATE) == WEFT_ADMIN_STATUS_NOT_FOUND, "CQ_MODERATE of what was destroyed");
	no_event();
}

/* PAUSE holds tokens for long: every command answers in its own time, and nothing is a fault. */
static void tokens_held(void)
{
	uint32_t c[16];
	unsigned was = room_drains[WEFT_ROOM_CQ];

	room_hold = true;
	for (unsigned i = 0; i < 3; i++) {
		queue_cmd(c, 5);
		post_run(c, WEFT_ADMIN_OP_CQ_DESTROY, 60 + i);
	}
	world_advance(1900 * MS);
	check(!reap(), "TIMEOUT too early");
	world_advance(200 * MS);
	for (unsigned i = 0; i < 3; i++)
		check(reap() && GET(rsp, WEFT_ADMIN_RSP_TAG) == 60 + i && GET(rsp, WEFT_ADMIN_RSP_STATUS) == WEFT_ADMIN_STATUS_TIMEOUT,
		      "a time-out of its own: command %u", i);
	check(room_drains[WEFT_ROOM_CQ] == was + 1, "tokens of commands that were not their turn");
	room_release();
	world_run();
	/* more objects than firmware remembers the tokens of */
	queue_cmd(c, 4);
	post_run(c, WEFT_ADMIN_OP_CQ_DESTROY, 70);
	was = room_drains[WEFT_ROOM_CQ];
	for (unsigned i = 0; i < 20; i++) {
		queue_cmd(c, 5 + i);
		post_run(c, WEFT_ADMIN_OP_CQ_DESTROY, i);
		world_advance(2100 * MS);
		if (!i) check(reap() && GET(rsp, WEFT_ADMIN_RSP_TAG) == 70, "CQ_DESTROY");
		check(reap() && GET(rsp, WEFT_ADMIN_RSP_TAG) == i && GET(rsp, WEFT_ADMIN_RSP_STATUS) == WEFT_ADMIN_STATUS_TIMEOUT, "TIMEOUT %u", i);
	}
	check(room_drains[WEFT_ROOM_CQ] == was + 15, "a token that could not be remembered, or was its turn too late: %u", room_drains[WEFT_ROOM_CQ] - was);
	queue_cmd(c, 4);
	check(run(c, WEFT_ADMIN_OP_CQ_CREATE) == WEFT_ADMIN_STATUS_IN_USE, "CQ_CREATE while a token is owed");
	room_hold = false;
	room_release();
	world_run();
	no_event();
}

/* An entry that is taken back is answered when the room says that nothing goes by it any more, however late. */
static void tpt_drained(unsigned upto)
{
	uint32_t ev[16] = { 0 };

	SET(ev, WEFT_FW_EVENT_KIND, WEFT_FW_EV_DRAINED);
	SET(ev, WEFT_FW_EVENT_CODE, WEFT_ROOM_TPT);
	SET(ev, WEFT_FW_EVENT_DATA0, upto & 0xffff);
	world_event_in(ev);
	world_run();
}
/* Shared receive queues. */
static unsigned srq_cmd(unsigned op, unsigned id, unsigned log2, unsigned page, unsigned limit)
{
	uint32_t c[16] = { 0 };

	SET(c, WEFT_ADMIN_SRQ_ID, id);
	SET(c, WEFT_ADMIN_SRQ_LOG2, log2);
	SET(c, WEFT_ADMIN_SRQ_DB_PAGE, page);
	SET(c, WEFT_ADMIN_SRQ_LIMIT, limit);
	return run(c, op);
}
static unsigned srq_qp(unsigned qpn, unsigned srqn, uint32_t pd) { return create_qp(qpn, 2, srqn, pd); }
static unsigned qp_error_cmd(unsigned qpn)
{
	uint32_t c[16] = { 0 };

	SET(c, WEFT_ADMIN_QP_QPN, qpn);
	return run(c, WEFT_ADMIN_OP_QP_ERROR);
}
/* The event of a queue pair in ERROR that has a shared queue: all that it took is complete. */
static void last_wqe(unsigned qpn)
{
	uint32_t e[16];

	if (take_event(WEFT_EQE_TYPE_LAST_WQE, e)) check(GET(e, WEFT_EQE_ID) == qpn, "LAST_WQE of %u, not of %u", GET(e, WEFT_EQE_ID), qpn);
	no_event();
}
/* A peer that resets, and a home that is lost: what was taken is complete all the same. */
static void srq_ends(void)
{
	uint32_t e[16];

	for (unsigned lost = 0; lost < 2; lost++) {
		cport++;
		check(srq_qp(1, 5, 7) == 0, "QP_CREATE");
		(void)open_active(1);
		if (lost) path_lose(1, true);
		else peer_send(P_RST, NULL, 0, 0);
		take_event(WEFT_EQE_TYPE_QP_ERROR, e);
		take_event(WEFT_EQE_TYPE_CM_CLOSE, e);
		last_wqe(1);
		drop_qp(1);
	}
}
/* One that is being destroyed when the admin queue starts anew still has its shared queue: the driver destroys it again. */
static void srq_restart(void)
{
	uint32_t c[16] = { 0 }, e[16];

	check(srq_cmd(WEFT_ADMIN_OP_SRQ_CREATE, 5, 6, 9, 0) == 0 && srq_qp(1, 5, 7) == 0, "a shared queue and its QP");
	(void)open_active(1);
	path_mute = true;
	SET(c, WEFT_ADMIN_QP_QPN, 1);
	post_run(c, WEFT_ADMIN_OP_QP_DESTROY, 1);
	take_event(WEFT_EQE_TYPE_CM_CLOSE, e);
	check(!reap(), "QP_DESTROY of what is not saved");
	path_mute = false;
	admin_anew();
	hw_event(WEFT_FW_EV_HOME_DONE, 1, WEFT_HOME_OP_SAVE | 1 << 8, 0, 0);
	check(!reap(), "an answer to what was asked before the restart");
	check(srq_cmd(WEFT_ADMIN_OP_SRQ_DESTROY, 5, 0, 0, 0) == WEFT_ADMIN_STATUS_IN_USE, "SRQ_DESTROY of one in use");
	drop_qp(1);
	srq_ends();
	check(srq_cmd(WEFT_ADMIN_OP_SRQ_CREATE, 0, 6, 9, 0) == 0 && srq_cmd(WEFT_ADMIN_OP_SRQ_DESTROY, 0, 0, 0, 0) == 0, "another shared queue");
	check(srq_cmd(WEFT_ADMIN_OP_SRQ_DESTROY, 5, 0, 0, 0) == 0, "SRQ_DESTROY when its QP is gone");
}
static void shared(void)
{
	uint32_t e[16], h;
	unsigned was;

	check(srq_cmd(WEFT_ADMIN_OP_SRQ_CREATE, 64, 4, 0, 0) == WEFT_ADMIN_STATUS_BAD_PARAM && srq_cmd(WEFT_ADMIN_OP_SRQ_CREATE, 5, 15, 0, 0) == WEFT_ADMIN_STATUS_BAD_PARAM
	      && srq_cmd(WEFT_ADMIN_OP_SRQ_CREATE, 5, 4, 0xfff, 0) == WEFT_ADMIN_STATUS_BAD_PARAM, "bad SRQ_CREATE");
	check(srq_qp(1, 5, 7) == WEFT_ADMIN_STATUS_BAD_PARAM && GET(rsp, WEFT_ADMIN_RSP_DETAIL) == WEFT_ADMIN_QP_SRQN_OFF, "QP_CREATE with a shared queue that is not there");
	check(srq_cmd(WEFT_ADMIN_OP_SRQ_DESTROY, 5, 0, 0, 0) == WEFT_ADMIN_STATUS_NOT_FOUND && srq_cmd(WEFT_ADMIN_OP_SRQ_MODIFY, 5, 0, 0, 3) == WEFT_ADMIN_STATUS_NOT_FOUND
	      && srq_cmd(WEFT_ADMIN_OP_SRQ_DESTROY, 64, 0, 0, 0) == WEFT_ADMIN_STATUS_BAD_PARAM, "a shared queue that is not there");
	check(srq_cmd(WEFT_ADMIN_OP_SRQ_CREATE, 5, 6, 9, 0) == 0 && GET(rsp, WEFT_ADMIN_RSP_ID) == 5, "SRQ_CREATE");
	check(path_srq[5][0] == (1u << 31 | 6) && room_db[2][5] == (1u << 31 | 9), "SRQ_CREATE: %x, page %x", path_srq[5][0], room_db[2][5]);
	check(srq_cmd(WEFT_ADMIN_OP_SRQ_CREATE, 5, 6, 9, 0) == WEFT_ADMIN_STATUS_IN_USE, "SRQ_CREATE twice");
	check(srq_qp(1, 6, 7) == WEFT_ADMIN_STATUS_BAD_PARAM && srq_qp(1, 5, 1 << 24) == WEFT_ADMIN_STATUS_BAD_PARAM, "QP_CREATE with a bad shared queue");
	check(srq_cmd(WEFT_ADMIN_OP_SRQ_QUERY, 6, 0, 0, 0) == WEFT_ADMIN_STATUS_NOT_FOUND && srq_cmd(WEFT_ADMIN_OP_SRQ_QUERY, 64, 0, 0, 0) == WEFT_ADMIN_STATUS_BAD_PARAM,
	      "SRQ_QUERY of one that is not there");
	check(srq_cmd(WEFT_ADMIN_OP_SRQ_MODIFY, 5, 0, 0, 3) == 0 && path_srq[5][1] == 3, "SRQ_MODIFY");
	check(srq_cmd(WEFT_ADMIN_OP_SRQ_QUERY, 5, 0, 0, 0) == 0 && GET(rsp, WEFT_ADMIN_RSP_DETAIL) == 3, "SRQ_QUERY: %u", GET(rsp, WEFT_ADMIN_RSP_DETAIL));
	path_srq[5][1] = 0; /* the room's, when it has told it */
	check(srq_cmd(WEFT_ADMIN_OP_SRQ_QUERY, 5, 0, 0, 0) == 0 && GET(rsp, WEFT_ADMIN_RSP_DETAIL) == 0, "SRQ_QUERY behind the event");
	hw_event(WEFT_FW_EV_SRQ_LIMIT, 5, 0, 0, 0);
	if (take_event(WEFT_EQE_TYPE_SRQ_LIMIT, e)) check(GET(e, WEFT_EQE_ID) == 5, "SRQ_LIMIT of %u", GET(e, WEFT_EQE_ID));
	/* one that never has a connection, and one that has */
	check(srq_qp(2, 5, 0x77) == 0 && srq_qp(1, 5, 0x123456) == 0, "QP_CREATE with a shared queue");
	check(srq_cmd(WEFT_ADMIN_OP_SRQ_DESTROY, 5, 0, 0, 0) == WEFT_ADMIN_STATUS_IN_USE, "SRQ_DESTROY of one in use");
	drop_qp(2);
	check(srq_cmd(WEFT_ADMIN_OP_SRQ_DESTROY, 5, 0, 0, 0) == WEFT_ADMIN_STATUS_IN_USE && path_srq[5][0], "SRQ_DESTROY of one still in use");
	no_event();
	check(srq_qp(2, 5, 0x77) == 0 && qp_error_cmd(2) == 0, "QP_ERROR of one that never had a connection");
	last_wqe(2);
	check(qp_error_cmd(2) == 0, "QP_ERROR once more");
	no_event();
	drop_qp(2);
	h = open_active(1);
	check(path_srq_of(1, 5, 0x123456), "line 7 of a QP with a shared queue");
	was = path_resumes[1];
	hw_event(WEFT_FW_EV_SRQ_WAKE, 1, 0, 0, 0);
	check(path_resumes[1] == was + 1, "SRQ_WAKE: %u times RESUME", path_resumes[1] - was);
	path_full = true; /* there is no place for the command: later */
	hw_event(WEFT_FW_EV_SRQ_WAKE, 1, 0, 0, 0);
	path_full = false;
	world_advance(10 * MS);
	check(path_resumes[1] == was + 2, "SRQ_WAKE without a place: %u times RESUME", path_resumes[1] - was);
	path_mute = true; /* it is saved, and not told: its receive WQE may be on its way still */
	check(simple(h, WEFT_ADMIN_OP_ABORT) == 0, "ABORT");
	take_event(WEFT_EQE_TYPE_CM_CLOSE, e);
	no_event();
	path_mute = false;
	hw_event(WEFT_FW_EV_HOME_DONE, 1, WEFT_HOME_OP_BUSY | 1 << 8, 0, 0);
	last_wqe(1);
	check(qp_error_cmd(1) == 0, "QP_ERROR of one that ended");
	no_event();
	was = path_resumes[1];
	drop_qp(1);
	hw_event(WEFT_FW_EV_SRQ_WAKE, 1, 0, 0, 0);
	check(path_resumes[1] == was, "RESUME of one that is gone");
	check(srq_cmd(WEFT_ADMIN_OP_SRQ_DESTROY, 5, 0, 0, 0) == 0 && !path_srq[5][0] && !room_db[2][5], "SRQ_DESTROY");
	check(srq_cmd(WEFT_ADMIN_OP_SRQ_DESTROY, 5, 0, 0, 0) == WEFT_ADMIN_STATUS_NOT_FOUND, "SRQ_DESTROY twice");
	hw_event(WEFT_FW_EV_SRQ_LIMIT, 5, 0, 0, 0); /* of one that is gone, as of one that there never was */
	hw_event(WEFT_FW_EV_SRQ_LIMIT, 64, 0, 0, 0);
	no_event();
	srq_restart();
}
static void revocations(void)
{
	uint32_t c[16];
	unsigned was;

	memset(c, 0, 64);
	SET(c, WEFT_ADMIN_MR_STAG, 0x1234);
	SET(c, WEFT_ADMIN_MR_STATE, WEFT_TPT_STATE_VALID);
	SET(c, WEFT_ADMIN_MR_PAGE_LOG2, 12);
	SET64(c, WEFT_ADMIN_MR_LENGTH, 8192);
	was = room_drains[WEFT_ROOM_TPT];
	check(run(c, WEFT_ADMIN_OP_MR_SET) == 0 && room_drains[WEFT_ROOM_TPT] == was, "VALID over FREE");
	room_hold = true;
	SET64(c, WEFT_ADMIN_MR_LENGTH, 4096);
	post_run(c, WEFT_ADMIN_OP_MR_SET, 40); /* over one in use */
	check(room_drains[WEFT_ROOM_TPT] == was + 1 && GET64(room_ctx[WEFT_ROOM_TPT][0x12], WEFT_TPT_LENGTH) == 4096, "VALID over VALID");
	for (unsigned i = 0; i < 3; i++) {
		memset(c, 0, 64);
		SET(c, WEFT_ADMIN_MR_STAG, 0x1200 + i);
		post_run(c, WEFT_ADMIN_OP_MR_SET, 41 + i);
	}
	check(room_drains[WEFT_ROOM_TPT] == was + 4, "commits");
	world_advance(1000 * MS);
	tpt_drained(was);
	check(!reap(), "answered while accesses are under way");
	tpt_drained(was + 2); /* one number is for all up to it */
	check(reap() && GET(rsp, WEFT_ADMIN_RSP_TAG) == 40 && !GET(rsp, WEFT_ADMIN_RSP_STATUS) && reap() && GET(rsp, WEFT_ADMIN_RSP_TAG) == 41
	      && !GET(rsp, WEFT_ADMIN_RSP_STATUS) && !reap(), "two of four");
	world_advance(1200 * MS);
	for (unsigned i = 42; i < 44; i++)
		check(reap() && GET(rsp, WEFT_ADMIN_RSP_TAG) == i && GET(rsp, WEFT_ADMIN_RSP_STATUS) == WEFT_ADMIN_STATUS_TIMEOUT, "TIMEOUT");
	post_run(c, WEFT_ADMIN_OP_MR_SET, 44);
	tpt_drained(was + 4); /* late: of those that were given up */
	check(!reap(), "a late answer completed the next command");
	tpt_drained(was + 5);
	check(reap() && GET(rsp, WEFT_ADMIN_RSP_TAG) == 44 && !GET(rsp, WEFT_ADMIN_RSP_STATUS), "its own answer");
	/* as many as can wait */
	for (unsigned i = 0; i < 64; i++) {
		SET(c, WEFT_ADMIN_MR_STAG, 0x1300 + i);
		post_run(c, WEFT_ADMIN_OP_MR_SET, i);
	}
	SET(c, WEFT_ADMIN_MR_STAG, 0x1234);
	check(run(c, WEFT_ADMIN_OP_MR_SET) == WEFT_ADMIN_STATUS_NO_RESOURCE && GET(room_ctx[WEFT_ROOM_TPT][0x12], WEFT_TPT_STAG) != 0x1234, "a refused MR_SET");
	check(room_drains[WEFT_ROOM_TPT] == was + 69, "commits");
	for (unsigned i = 0; i < 64; i++) {
		tpt_drained(was + 6 + i);
		check(reap() && GET(rsp, WEFT_ADMIN_RSP_TAG) == i && !GET(rsp, WEFT_ADMIN_RSP_STATUS), "waiter %u", i);
	}
	/* the number wraps */
	room_hold = false;
	room_release();
	world_run();
	while (world_quick && (room_drains[WEFT_ROOM_TPT] & 0xffff) < 0xffff) check(run(c, WEFT_ADMIN_OP_MR_SET) == 0, "number %u", room_drains[WEFT_ROOM_TPT]);
	room_hold = true;
	post_run(c, WEFT_ADMIN_OP_MR_SET, 45);
	post_run(c, WEFT_ADMIN_OP_MR_SET, 46);
	was = room_drains[WEFT_ROOM_TPT];
	tpt_drained(was - 2);
	check(!reap(), "behind the wrap");
	tpt_drained(was - 1);
	check(reap() && GET(rsp, WEFT_ADMIN_RSP_TAG) == 45 && !reap(), "0 is behind 65535");
	tpt_drained(was);
	check(reap() && GET(rsp, WEFT_ADMIN_RSP_TAG) == 46, "1 is behind 65535");
	room_hold = false;
	room_release();
	world_run();
	no_event();
}

/*
 * A number for fast registration: an entry that was FREE translated nothing, so nothing is waited for. Anything else is, and a FREE
 * that has not been answered yet is none.
 */
static void numbers(void)
{
	const uint32_t states[] = { WEFT_TPT_STATE_INVALID, WEFT_TPT_STATE_VALID, WEFT_TPT_STATE_CLOSED };
	uint32_t c[16] = { 0 };
	unsigned was = room_drains[WEFT_ROOM_TPT];

	SET(c, WEFT_ADMIN_MR_STAG, 0x1500);
	SET(c, WEFT_ADMIN_MR_PAGE_LOG2, 12);
	SET(room_ctx[WEFT_ROOM_TPT][0x15], WEFT_TPT_STATE, WEFT_TPT_STATE_FREE);
	SET(c, WEFT_ADMIN_MR_STATE, WEFT_TPT_STATE_INVALID);
	room_hold = true;
	post_run(c, WEFT_ADMIN_OP_MR_SET, 50);
	check(reap() && GET(rsp, WEFT_ADMIN_RSP_TAG) == 50 && !GET(rsp, WEFT_ADMIN_RSP_STATUS), "INVALID over FREE is not answered at once");
	check(GET(room_ctx[WEFT_ROOM_TPT][0x15], WEFT_TPT_STATE) == WEFT_TPT_STATE_INVALID && room_drains[WEFT_ROOM_TPT] == ++was, "its commit");
	for (unsigned i = 0; i < sizeof(states) / sizeof(states[0]); i++) {
		SET(room_ctx[WEFT_ROOM_TPT][0x15], WEFT_TPT_STATE, states[i]);
		post_run(c, WEFT_ADMIN_OP_MR_SET, 51);
		check(!reap(), "INVALID over state %u is answered while accesses are under way", states[i]);
		tpt_drained(was); /* the number of the commit in front: firmware counts those that nobody waits for, too */
		check(!reap(), "INVALID over state %u is answered by the number in front of its own", states[i]);
		tpt_drained(++was);
		check(reap() && GET(rsp, WEFT_ADMIN_RSP_TAG) == 51 && !GET(rsp, WEFT_ADMIN_RSP_STATUS), "INVALID over state %u", states[i]);
	}
	SET(c, WEFT_ADMIN_MR_STATE, WEFT_TPT_STATE_FREE);
	post_run(c, WEFT_ADMIN_OP_MR_SET, 52);
	check(!reap(), "FREE over INVALID is answered while accesses are under way");
	SET(c, WEFT_ADMIN_MR_STATE, WEFT_TPT_STATE_INVALID);
	post_run(c, WEFT_ADMIN_OP_MR_SET, 53);
	check(!reap(), "INVALID over a FREE that still waits");
	tpt_drained(was + 2);
	check(reap() && GET(rsp, WEFT_ADMIN_RSP_TAG) == 52 && reap() && GET(rsp, WEFT_ADMIN_RSP_TAG) == 53, "both");
	SET(c, WEFT_ADMIN_MR_STATE, WEFT_TPT_STATE_FREE);
	room_hold = false;
	room_release();
	world_run();
	check(run(c, WEFT_ADMIN_OP_MR_SET) == 0, "FREE at the end");
}

/* Windows of both types; a region that some are bound to stays; a queue pair's go with it, others do not. */
static void windows(void)
{
	uint32_t c[16] = { 0 }, *e = room_ctx[WEFT_ROOM_TPT][0x16], *m = room_ctx[WEFT_ROOM_TPT][0x17], was;

	SET(c, WEFT_ADMIN_MR_STAG, 0x1600);
	SET(c, WEFT_ADMIN_MR_PAGE_LOG2, 12);
	SET(c, WEFT_ADMIN_MR_STATE, WEFT_TPT_STATE_INVALID);
	SET(c, WEFT_ADMIN_MR_KIND, 3);
	check(run(c, WEFT_ADMIN_OP_MR_SET) == WEFT_ADMIN_STATUS_BAD_PARAM && GET(rsp, WEFT_ADMIN_RSP_DETAIL) == WEFT_ADMIN_MR_KIND_OFF, "no kind of an STag");
	for (unsigned kind = WEFT_TPT_TYPE_MW; kind <= WEFT_TPT_TYPE_MW_1; kind++) {
		SET(c, WEFT_ADMIN_MR_KIND, kind);
		check(!run(c, WEFT_ADMIN_OP_MR_SET) && GET(e, WEFT_TPT_KIND) == kind && GET(e, WEFT_TPT_STATE) == WEFT_TPT_STATE_INVALID, "window of kind %u", kind);
	}
	/* of queue pairs that are gone: 5 is there, 6 was */
	make_qp(5);
	make_qp(6);
	drop_qp(6);
	SET(c, WEFT_ADMIN_MR_KIND, WEFT_TPT_TYPE_MW);
	SET(c, WEFT_ADMIN_MR_FLAGS, 2);
	for (unsigned state = WEFT_TPT_STATE_FREE; state <= WEFT_TPT_STATE_CLOSED; state++)
		for (unsigned i = 0; i < 5; i++) {
			unsigned qpn = (unsigned[]){ 0, 4, 5, 6, 0xfffff0 }[i];
			bool over = state >= WEFT_TPT_STATE_VALID && qpn && qpn != 5;

			SET(e, WEFT_TPT_STATE, state);
			SET(e, WEFT_TPT_QPN, qpn);
			was = room_drains[WEFT_ROOM_TPT];
			check(!run(c, WEFT_ADMIN_OP_MR_SET), "taken from the queue pair");
			check(GET(e, WEFT_TPT_STATE) == (over ? WEFT_TPT_STATE_INVALID : state) && room_drains[WEFT_ROOM_TPT] == was + over,
			      "a window of queue pair %u in state %u, taken from those that are gone, is in state %u", qpn, state, GET(e, WEFT_TPT_STATE));
		}
	drop_qp(5);
	/* a region with windows */
	memset(c, 0, 64);
	SET(c, WEFT_ADMIN_MR_STAG, 0x1700);
	SET(c, WEFT_ADMIN_MR_PAGE_LOG2, 12);
	SET(c, WEFT_ADMIN_MR_STATE, WEFT_TPT_STATE_VALID);
	SET64(c, WEFT_ADMIN_MR_LENGTH, 8192);
	check(!run(c, WEFT_ADMIN_OP_MR_SET), "a region");
	SET(m, WEFT_TPT_WINDOWS, 0x8000);
	SET64(c, WEFT_ADMIN_MR_LENGTH, 4096);
	was = room_drains[WEFT_ROOM_TPT];
	for (unsigned state = WEFT_TPT_STATE_FREE; state <= WEFT_TPT_STATE_VALID; state++) {
		SET(c, WEFT_ADMIN_MR_STATE, state);
		check(run(c, WEFT_ADMIN_OP_MR_SET) == WEFT_ADMIN_STATUS_IN_USE && GET(m, WEFT_TPT_STATE) == WEFT_TPT_STATE_VALID && GET64(m, WEFT_TPT_LENGTH) == 8192 &&
		      room_drains[WEFT_ROOM_TPT] == was, "state %u over a region with windows", state);
		/* the last one goes at once: the region is as it was all the same */
		room_unbinds = true;
		SET(m, WEFT_TPT_WINDOWS, 1);
		check(run(c, WEFT_ADMIN_OP_MR_SET) == WEFT_ADMIN_STATUS_IN_USE && GET(m, WEFT_TPT_STATE) == WEFT_TPT_STATE_VALID && GET64(m, WEFT_TPT_LENGTH) == 8192 &&
		      room_drains[WEFT_ROOM_TPT] == was, "state %u over a region whose last window goes", state);
		room_unbinds = false;
		SET(m, WEFT_TPT_WINDOWS, 0x8000);
	}
	SET(m, WEFT_TPT_WINDOWS, 0);
	/* the number of closings is still the room's: this one waits for its own */
	SET(c, WEFT_ADMIN_MR_STATE, WEFT_TPT_STATE_FREE);
	room_hold = true;
	post_run(c, WEFT_ADMIN_OP_MR_SET, 54);
	tpt_drained(was);
	check(!reap(), "a refused command counted as a closing");
	tpt_drained(was + 1);
	check(reap() && GET(rsp, WEFT_ADMIN_RSP_TAG) == 54 && !GET(rsp, WEFT_ADMIN_RSP_STATUS), "without windows");
	room_hold = false;
	room_release();
	world_run();
	no_event();
}

static void rings(void)
{
	uint32_t c[16], *x = room_ctx[WEFT_ROOM_L2Q][0];
	unsigned was = room_drains[WEFT_ROOM_L2Q];

	memset(c, 0, 64);
	check(run(c, WEFT_ADMIN_OP_L2_RING) == 0 && room_drains[WEFT_ROOM_L2Q] == was, "a pair that was not enabled");
	SET(c, WEFT_ADMIN_L2RING_ENABLE, 1);
	SET64(c, WEFT_ADMIN_L2RING_TX_BASE, HOST_BASE + 0x1000);
	SET64(c, WEFT_ADMIN_L2RING_RX_BASE, HOST_BASE + 0x2000);
	SET64(c, WEFT_ADMIN_L2RING_TX_CQ_BASE, HOST_BASE + 0x3000);
	SET64(c, WEFT_ADMIN_L2RING_RX_CQ_BASE, HOST_BASE + 0x4000);
	SET(c, WEFT_ADMIN_L2RING_TX_LOG2, 6);
	SET(c, WEFT_ADMIN_L2RING_RX_LOG2, 7);
	check(run(c, WEFT_ADMIN_OP_L2_RING) == 0 && GET(x, WEFT_CTX_L2Q_TX_VALID) && GET(x, WEFT_CTX_L2Q_RX_VALID), "enable");
	check(run(c, WEFT_ADMIN_OP_L2_RING) == WEFT_ADMIN_STATUS_IN_USE, "enabled twice");
	/* a disable waits for its own token alone, not behind others */
	room_hold = true;
	memset(c, 0, 64);
	post_run(c, WEFT_ADMIN_OP_L2_RING, 2);
	check(!reap() && room_drains[WEFT_ROOM_L2Q] == was + 1, "the disable is answered ahead of its token, or has none");
	check(!GET(x, WEFT_CTX_L2Q_TX_VALID) && !GET(x, WEFT_CTX_L2Q_RX_VALID) && GET64(x, WEFT_CTX_L2Q_TX_BASE) == HOST_BASE + 0x1000
	      && GET64(x, WEFT_CTX_L2Q_RX_CQ_BASE) == HOST_BASE + 0x4000 && GET(x, WEFT_CTX_L2Q_RX_LOG2) == 7, "more than VALID was cleared");
	check(run(c, WEFT_ADMIN_OP_L2_RING) == WEFT_ADMIN_STATUS_BAD_STATE, "a second disable");
	SET(c, WEFT_ADMIN_L2RING_ENABLE, 1);
	SET(c, WEFT_ADMIN_L2RING_TX_LOG2, 6);
	SET(c, WEFT_ADMIN_L2RING_RX_LOG2, 7);
	check(run(c, WEFT_ADMIN_OP_L2_RING) == WEFT_ADMIN_STATUS_BAD_STATE, "an enable while the drain is owed");
	world_advance(2100 * MS);
	check(reap() && GET(rsp, WEFT_ADMIN_RSP_TAG) == 2 && GET(rsp, WEFT_ADMIN_RSP_STATUS) == WEFT_ADMIN_STATUS_TIMEOUT, "TIMEOUT");
	check(run(c, WEFT_ADMIN_OP_L2_RING) == WEFT_ADMIN_STATUS_BAD_STATE, "an enable while the drain is owed, and nobody waits");
	SET(c, WEFT_ADMIN_L2RING_ENABLE, 0);
	post_run(c, WEFT_ADMIN_OP_L2_RING, 3);
	check(!reap() && room_drains[WEFT_ROOM_L2Q] == was + 1, "asked again: it waits for the token that is out");
	room_hold = false;
	room_release();
	world_run();
	check(reap() && GET(rsp, WEFT_ADMIN_RSP_TAG) == 3 && GET(rsp, WEFT_ADMIN_RSP_STATUS) == 0, "the disable's answer");
	for (unsigned i = 0; i < 16; i++) check(!x[i], "word %u of a pair that is free", i);
	SET(c, WEFT_ADMIN_L2RING_ENABLE, 1);
	check(run(c, WEFT_ADMIN_OP_L2_RING) == 0, "enable again");
	memset(c, 0, 64);
	check(run(c, WEFT_ADMIN_OP_L2_RING) == 0 && room_drains[WEFT_ROOM_L2Q] == was + 2, "disable");
	no_event();
}

/* ---- limits, pools, floods ---- */

#ifdef FW_NATIVE
uint32_t tcp_hash4(uint32_t time, uint32_t local, uint32_t ports, uint32_t peer, uint32_t a);
#endif

static void listen_on(uint16_t port, unsigned backlog)
{
	uint32_t c[16];

	cport = port;
	cmd_cm(c, 0, 0, 0);
	memset(BYTES(c, WEFT_ADMIN_CM_LOCAL_ADDR), 0, 16);
	SET(c, WEFT_ADMIN_CM_BACKLOG, backlog);
	check(run(c, WEFT_ADMIN_OP_LISTEN) == 0, "LISTEN");
	listener = GET(rsp, WEFT_ADMIN_RSP_ID);
}
static void unlisten(void) { check(simple(listener, WEFT_ADMIN_OP_UNLISTEN) == 0, "UNLISTEN"); }
/* A SYN from the peer, and its ACK of the answer when there was one. */
static bool shake(void)
{
	pport++;
	pseq = world_rand();
	pack = 0;
	frames = 0;
	peer_send(P_SYN, NULL, 0, 0);
	if (!frames) return false;
	check(last.flags == (P_SYN | P_ACK) && last.ack == pseq && last.dport == pport && (last.mss == MSS || !peer_v6), "SYN-ACK");
	ack_all();
	peer_send(P_ACK, NULL, 0, 0);
	return true;
}
static uint32_t local_addr(unsigned n, unsigned flags)
{
	uint32_t c[16];

	cmd_cm(c, 0, 0, 0);
	SET(c, WEFT_ADMIN_CM_FLAGS, flags | peer_v6);
	BYTES(c, WEFT_ADMIN_CM_LOCAL_ADDR)[peer_v6 ? 15 : 3] = (uint8_t)n;
	return run(c, WEFT_ADMIN_OP_LOCAL_ADDR);
}

/* The next honest connection comes through: request, accept, contexts, close. */
static void served(const struct mpa_frame *m, struct mpa_frame *rep)
{
	uint32_t e[16];

	pport++;
	make_qp(9);
	accept(9, m, rep);
	drop_qp(9);
	take_event(WEFT_EQE_TYPE_CM_CLOSE, e);
}

static void pools(void)
{
	struct mpa_frame m = { .rev = 2, .enhanced = true, .ird = 2, .ord = 3, .pd = (const uint8_t *)"request", .pd_len = 7 }, rep;
	uint8_t f[600];
	uint32_t c[16], e[16], h[4];
	uint64_t cycles;
	unsigned n;

	world_advance(100000 * MS);
	no_event();
	listen_on(4420, 0);
	/* sixteen sockets of one peer that say nothing, sixteen that begin to: another peer's connection is set up all the same */
	peer_host = 66;
	for (unsigned i = 0; i < 16; i++) check(shake(), "a handshake without a request");
	for (unsigned i = 0; i < 16; i++)
		if (shake()) peer_send(P_ACK | P_PSH, "MPA ID Re", 9, 0);
	peer_host = 2;
	served(&m, &rep);
	/* and an active one */
	make_qp(10);
	cport = 4100;
	pport++;
	h[0] = open_active(10);
	drop_qp(10);
	take_event(WEFT_EQE_TYPE_CM_CLOSE, e);
	cport = 4420;
	no_event();
	/* a flood of SYN from everywhere: cookies. Nothing is kept, and the peer that goes on is served with its own options */
	for (n = 0; n < 200; n++) {
		peer_host = (uint8_t)(10 + n % 50);
		pport++;
		pseq = world_rand();
		pack = 0;
		frames = 0;
		peer_send(P_SYN, NULL, 0, 0);
		check(frames == 1 && last.flags == (P_SYN | P_ACK) && last.ack == pseq, "SYN %u is answered", n);
	}
	peer_host = 2;
	served(&m, &rep); /* expect_contexts: MSS 1460 and window scale survive in the cookie */
	/* a forged cookie is none */
	pport++;
	pseq = 77;
	pack = 0x12345678;
	frames = 0;
	peer_send(P_ACK | P_PSH, f, mpa_frame_build(f, &m), 0);
	check(frames == 1 && (last.flags & P_RST), "a forged cookie");
	no_event();
	/* a cookie that is too old is none */
	check(shake(), "SYN");
	world_advance(80000 * MS);
	frames = 0;
	peer_send(P_ACK | P_PSH, f, mpa_frame_build(f, &m), 0);
	check(frames == 1 && (last.flags & P_RST) && !eqe_n, "a cookie that is too old");
	unlisten();

	/* five sockets of one peer send a byte each: it holds two places for them, and the backlog not longer than a second */
	listen_on(4424, 2);
	peer_host = 66;
	for (unsigned i = 0; i < 5; i++)
		if (shake()) peer_send(P_ACK | P_PSH, "M", 1, 0);
	world_advance(1200 * MS);
	eqe_n = 0;
	peer_host = 2;
	served(&m, &rep);
	world_advance(12000 * MS);
	unlisten();
	listen_on(4425, 0); /* and another listener does not notice at all */
	peer_host = 66;
	for (unsigned i = 0; i < 5; i++)
		if (shake()) peer_send(P_ACK | P_PSH, "M", 1, 0);
	for (unsigned i = 0; i < 5; i++) {
		peer_host = (uint8_t)(70 + i);
		check(shake(), "handshake %u beside slow ones", i);
		eqe_n = 0;
		peer_send(P_ACK | P_PSH, f, mpa_frame_build(f, &m), 0);
		if (take_event(WEFT_EQE_TYPE_CM_CONNECT_REQUEST, e)) h[i & 3] = GET(e, WEFT_EQE_ID);
		check(simple(h[i & 3], WEFT_ADMIN_OP_ABORT) == 0, "ABORT");
	}
	/* SYN of one source, beyond what is kept of it, take the shortest way although there is room for others */
	world_advance(12000 * MS);
	peer_host = 66;
	for (unsigned i = 0; i < 5; i++) check(shake(), "SYN %u", i);
	cycles = world_cycle();
	for (unsigned i = 0; i < 50; i++) {
		pport++;
		pack = 0;
		peer_send(P_SYN, NULL, 0, 0);
	}
	cycles = (world_cycle() - cycles) / 50;
	check(cycles < 2000, "a SYN of one source takes %llu cycles", (unsigned long long)cycles);
	world_advance(12000 * MS);
	eqe_n = 0;
	unlisten();
	peer_host = 2;

#ifdef FW_NATIVE
	/* a good number in the form of a cookie counts only while cookies are sent */
	listen_on(4426, 0);
	for (unsigned i = 0; i < 2; i++) {
		uint32_t time, info, hash;

		world_advance(100000 * MS);
		peer_host = 66;
		for (unsigned k = 0; k < 6 * i; k++) check(shake(), "SYN %u", k); /* the sixth gets one */
		peer_host = 90;
		pport++;
		pseq = 77;
		time = (uint32_t)(world_now() >> 35);
		info = (time & 3) << 6 | 5 << 3;
		hash = tcp_hash4(time << 8 | info, 0x0100000a, cport | (uint32_t)pport << 16, 10 | 90u << 24, pseq - 1);
		pack = (hash << 8 | info) + 1;
		frames = eqe_n = 0;
		peer_send(P_ACK | P_PSH, f, mpa_frame_build(f, &m), 0);
		check(i == eqe_n, "a good cookie is %s", i ? "not taken" : "taken, and none was sent");
		if (eqe_n && take_event(WEFT_EQE_TYPE_CM_CONNECT_REQUEST, e)) check(simple(GET(e, WEFT_EQE_ID), WEFT_ADMIN_OP_ABORT) == 0, "ABORT");
		eqe_n = 0;
	}
	unlisten();
	peer_host = 2;
#endif

	/* backlog: two wait for the driver, the third has to wait until one was answered */
	listen_on(4421, 2);
	for (unsigned i = 0; i < 3; i++) {
		if (!shake()) {
			check(i == 2, "SYN %u below the backlog", i);
			break;
		}
		peer_send(P_ACK | P_PSH, f, mpa_frame_build(f, &m), 0);
		if (i < 2 && take_event(WEFT_EQE_TYPE_CM_CONNECT_REQUEST, e)) h[i] = GET(e, WEFT_EQE_ID);
	}
	no_event();
	for (unsigned i = 0; i < 2; i++) check(simple(h[i], WEFT_ADMIN_OP_ABORT) == 0, "ABORT of a request");
	eqe_n = 0;
	check(shake(), "SYN after the backlog has emptied");
	peer_send(P_ACK | P_PSH, f, mpa_frame_build(f, &m), 0);
	if (take_event(WEFT_EQE_TYPE_CM_CONNECT_REQUEST, e)) check(simple(GET(e, WEFT_EQE_ID), WEFT_ADMIN_OP_ABORT) == 0, "ABORT");
	eqe_n = 0;
	unlisten();

	/* addresses: until one is told any is answered; then those alone; IPv6 by no listener of IPv4 */
	listen_on(4422, 0);
	check(shake(), "before any address is told");
	check(local_addr(9, 0) == 0, "LOCAL_ADDR");
	check(!shake(), "an address that is not this host's is answered");
	check(local_addr(1, 0) == 0 && local_addr(1, 0) == 0, "LOCAL_ADDR twice");
	check(shake(), "an address of this host");
	check(local_addr(1, 0x80) == 0 && local_addr(1, 0x80) == WEFT_ADMIN_STATUS_NOT_FOUND, "LOCAL_ADDR taken back");
	check(!shake(), "an address that was taken back is answered");
	check(local_addr(1, 0) == 0, "LOCAL_ADDR");
	memset(f, 0, sizeof(f));
	memcpy(f, our_mac, 6);
	memcpy(f + 6, peer_mac, 6);
	memcpy(f + 12, "\x86\xdd\x60\0\0\0\0\x14\6\x40", 10);
	memcpy(f + 22, "\xfd\0\0\0\0\0\0\0\0\0\0\0\0\0\0\2\xfd\0\0\0\0\0\0\0\0\0\0\0\0\0\0\1", 32);
	memcpy(f + 54, "\x13\x88\x11\x46\0\0\0\1\0\0\0\0\x50\2\x70\0", 16);
	frames = 0;
	world_frame_in(f, 74, 0);
	world_run();
	check(!frames, "an IPv6 SYN is answered");
	unlisten();
	no_event();

	/* the look-up is full: the connect fails with a clear status, and the QP may try again */
	room_conn_full = true;
	make_qp(11);
	cport = 4101;
	pport++;
	{
		struct mpa_frame r = { .reply = true, .rev = 2, .enhanced = true, .crc = true, .ird = 5, .ord = 3 };

		h[0] = connect_start(11, 2 | 4);
		peer_send(P_SYN | P_ACK, NULL, 0, 0);
		ack_all();
		peer_send(P_ACK | P_PSH, f, mpa_frame_build(f, &r), 0);
	}
	if (take_event(WEFT_EQE_TYPE_CM_CONNECT_REPLY, e)) check(GET(e, WEFT_EQE_CODE) == WEFT_CM_STATUS_NO_RESOURCE, "connect with a full look-up: %u", GET(e, WEFT_EQE_CODE));
	check(last.flags & P_RST, "RST when the look-up is full");
	check(path_tx(11) == WEFT_QP_STATE_RESET && path_rx(11) == WEFT_QP_STATE_RESET, "QP as before");
	listen_on(4423, 0);
	pport++;
	h[0] = request(&m);
	cmd_cm(c, h[0], 11, 7);
	check(run(c, WEFT_ADMIN_OP_ACCEPT) == WEFT_ADMIN_STATUS_NO_RESOURCE && (last.flags & P_RST), "accept with a full look-up");
	no_event();
	room_conn_full = false;
	pport++;
	accept(11, &m, &rep);
	/* INIT while a connection lives */
	memset(c, 0, 64);
	check(run(c, WEFT_ADMIN_OP_INIT) == WEFT_ADMIN_STATUS_BAD_STATE, "INIT with live connections");
	check(room_steer[WEFT_STEER_KEY_LO / 4] != 0, "key of the look-up");
	drop_qp(11);
	take_event(WEFT_EQE_TYPE_CM_CLOSE, e);
	unlisten();
	no_event();
}

/* Twelve connections that close to a dead peer, and one more. */
/* A request that finds no place is not its sender's fault: it may wait longer than one that is slow, and nobody takes a reset for a peer of revision 1. */
static void queued(void)
{
	struct mpa_frame m = { .rev = 2, .enhanced = true, .ird = 2, .ord = 3 };
	unsigned n = 0, size;
	uint32_t e[16], h[16];
	uint8_t f[600];
	uint32_t again = 0;

	size = mpa_frame_build(f, &m);
	listen_on(4431, 0);
	peer_host = 67;
	for (eqe_n = 0; n < 16; n++) {
		check(shake(), "handshake %u", n);
		again = pseq;
		peer_send(P_ACK | P_PSH, f, size, 0);
		if (!eqe_n) break;
		take_event(WEFT_EQE_TYPE_CM_CONNECT_REQUEST, e);
		h[n] = GET(e, WEFT_EQE_ID);
	}
	check(n > 1 && n < 12, "%u requests of one peer are taken", n);
	for (unsigned i = 0; i < 4; i++) {
		frames = 0;
		world_advance(12000 * MS);
		check(!frames, "a request that waits is left alone after %u s", 12 * (i + 1));
		pseq = again;
		if (i < 2) peer_send(P_ACK | P_PSH, f, size, 0);
	}
	check(simple(h[0], WEFT_ADMIN_OP_ABORT) == 0, "ABORT");
	eqe_n = 0;
	pseq = again;
	peer_send(P_ACK | P_PSH, f, size, 0);
	check(take_event(WEFT_EQE_TYPE_CM_CONNECT_REQUEST, e), "its turn has come");
	h[0] = GET(e, WEFT_EQE_ID);
	while (n) check(simple(h[--n], WEFT_ADMIN_OP_ABORT) == 0, "ABORT");
	unlisten();
	peer_host = 2;
	eqe_n = 0;
}

static void closes(void)
{
	uint32_t e[16], h[14];
	uint16_t base;

	path_pinned = 2;
	world_advance(100000 * MS);
	cport = 4200;
	pport++;
	base = pport;
	for (unsigned q = 1; q < 14; q++) {
		make_qp(q);
		pport = (uint16_t)(base + q);
		h[q] = open_active(q);
		query(h[q], "hello", 5);
	}
	for (unsigned q = 1; q < 14; q++) {
		if (q == 13) world_advance(300 * MS);
		check(simple(h[q], WEFT_ADMIN_OP_DISCONNECT) == 0, "DISCONNECT %u", q);
		check(path_tx(q) == WEFT_QP_STATE_HALT, "QP %u goes on after DISCONNECT", q);
		frames = 0;
		acked(q);
		check(frames == 1 && (last.flags & P_FIN), "FIN %u", q);
	}
	check(path_tx(13) == WEFT_QP_STATE_HALT, "a close that waits for a slot works on");
	no_event();
	/* set-ups do not wait for closes */
	cport = 4201;
	make_qp(18);
	pport = base;
	h[0] = open_active(18);
	drop_qp(18);
	take_event(WEFT_EQE_TYPE_CM_CLOSE, e);
	/* the peer is dead: the oldest gives way to the one that waits, after a second */
	world_advance(1500 * MS);
	check(!eqe_n, "%u closes gave way", eqe_n);
	world_advance(60000 * MS);
	check(eqe_n == 13, "%u closes to a dead peer ended", eqe_n);
	eqe_n = 0;
	for (unsigned q = 1; q < 14; q++) drop_qp(q);
	no_event();
}

/*
 * Commands come back, since others keep what their connection needs: what they were for is done all the same, all of it, in order. And those that
 * wait leave places for set-ups.
 */
static void come_back(void)
{
	struct mpa_frame m = { .reply = true, .rev = 2, .enhanced = true, .ird = 5, .ord = 3, .p2p = true, .rtr_write = true };
	uint32_t e[16], h[6];
	uint8_t f[600];

	path_away = 2;
	path_backs = 0;
	for (unsigned i = 0; i < 12; i++) {
		make_qp(2);
		cport++;
		m.crc = i & 1;
		h[0] = connect_start(2, 2 | 8);
		peer_send(P_SYN | P_ACK, NULL, 0, 0);
		ack_all();
		peer_send(P_ACK | P_PSH, f, reply_frame(f, &m), 0);
		take_event(WEFT_EQE_TYPE_CM_CONNECT_REPLY, e);
		check(last_data.len == 20 && last_data.seq == pack && path_tx(2) == WEFT_QP_STATE_RTS && path_tcp(2) == WEFT_TCP_STATE_OPEN, "RTR, %u bytes", last_data.len);
		ack_all();
		path_leave(2);
		last_data.len = 0;
		if (i % 3 == 0) {
			check(simple(h[0], WEFT_ADMIN_OP_ABORT) == 0, "ABORT");
			check(path_tcp(2) == WEFT_TCP_STATE_STOP && path_tx(2) == WEFT_QP_STATE_ERR && (last.flags & P_RST), "a reset, state %u", path_tcp(2));
		} else {
			if (i % 3 == 1) {
				hw_event(WEFT_FW_EV_RX_FAULT, 2, 0x1100, 28, 14);
				take_event(WEFT_EQE_TYPE_QP_ERROR, e);
				check(last_data.len >= 44 && last_data.seq == pack && !memcmp(path_terminate(2), TERM_BYTES, 9), "Terminate, %u bytes", last_data.len);
				ack_all();
			} else {
				check(simple(h[0], WEFT_ADMIN_OP_DISCONNECT) == 0, "DISCONNECT");
			}
			path_leave(2);
			acked(2);
			check(last.flags == (P_FIN | P_ACK) && path_tx(2) == WEFT_QP_STATE_HALT, "FIN: flags %x", last.flags);
			ack_all();
			peer_send(P_FIN | P_ACK, NULL, 0, 2);
		}
		take_event(WEFT_EQE_TYPE_CM_CLOSE, e);
		drop_qp(2);
	}
	check(path_backs > 10, "%u commands came back", path_backs);
	for (unsigned i = 0; i < 6; i++) {
		make_qp(20 + i);
		cport++;
		h[i] = open_active(20 + i);
		query(h[i], "hello", 5);
	}
	path_stuck = true;
	for (unsigned i = 0; i < 6; i++) check(simple(h[i], WEFT_ADMIN_OP_DISCONNECT) == 0, "DISCONNECT");
	for (unsigned i = 0; i < 3; i++) {
		make_qp(30 + i);
		cport++;
		open_active(30 + i);
	}
	path_stuck = false;
	for (unsigned i = 0; i < 6; i++) {
		acked(20 + i);
		check(path_tx(20 + i) == WEFT_QP_STATE_HALT, "a close that waited");
	}
	for (unsigned i = 0; i < 9; i++) drop_qp(i < 6 ? 20 + i : 24 + i);
	check(eqe_n == 9, "%u events", eqe_n);
	eqe_n = 0;
	path_away = world_quick ? 2 : 0;
}

/* ---- TCP while firmware has it ---- */

static void tcp(void)
{
	struct mpa_frame m = { .rev = 1, .pd = (const uint8_t *)"request", .pd_len = 7 }, rep;
	struct mpa_frame r = { .reply = true, .rev = 1, .crc = true };
	uint32_t e[16], h;
	uint8_t f[600];

	world_advance(100000 * MS);
	no_event();
	/* challenge ACKs are counted by connection: what one takes the other does not miss */
	listen_on(4430, 0);
	make_qp(5);
	make_qp(6);
	pport++;
	accept(5, &m, &rep);
	pport++;
	accept(6, &m, &rep);
	pport--;
	frames = 0;
	for (unsigned i = 0; i < 30; i++) peer_send(P_SYN, NULL, 0, 5);
	check(frames == 1, "%u challenge ACKs to one connection at once", frames);
	pport++;
	peer_send(P_SYN, NULL, 0, 6);
	check(frames == 2 && last.dport == pport, "the challenge ACK of another connection");
	drop_qp(5);
	drop_qp(6);
	eqe_n = 0;
	unlisten();
	/* the peer's window: ten bytes, then more; an old segment does not open it */
	make_qp(5);
	cport = 4300;
	pport++;
	peer_wnd = 10;
	h = connect_start(5, 4);
	peer_send(P_SYN | P_ACK, NULL, 0, 0);
	check(last.len == 10, "%u bytes into a window of 10", last.len);
	ack_all();
	peer_wnd = 0;
	frames = 0;
	peer_send(P_ACK, NULL, 0, 0);
	check(!frames, "data into a window of 0");
	world_advance(700 * MS);
	check(frames >= 1 && last.len == 1, "%u bytes of a window probe", last.len);
	/* an ACK below anything that was ever in flight (RFC 5961 5.2) is challenged, and opens nothing */
	peer_wnd = 200;
	pack -= 100000;
	frames = 0;
	peer_send(P_ACK, NULL, 0, 0);
	check(frames == 1 && last.len == 0, "an ACK out of nowhere");
	pack += 100000;
	/* older than the last: its window does not count */
	frames = 0;
	pack -= 5;
	peer_send(P_ACK, NULL, 0, 0);
	check(!frames, "an old window counts");
	pack += 5;
	peer_send(P_ACK, NULL, 0, 0);
	check(frames == 1 && last.len == 21, "%u bytes when the window opens", last.len);
	ack_all();
	peer_wnd = 30000;
	peer_send(P_ACK | P_PSH, f, mpa_frame_build(f, &r), 0);
	if (take_event(WEFT_EQE_TYPE_CM_CONNECT_REPLY, e))
		check(GET(e, WEFT_EQE_CODE) == 0 && GET(e, WEFT_EQE_IRD) == 16 && GET(e, WEFT_EQE_ORD) == 16, "reply of revision 1");
	drop_qp(5);
	take_event(WEFT_EQE_TYPE_CM_CLOSE, e);
	/* refused revision 2: tried again with 1, over a new connection, once */
	for (unsigned how = 0; how < 2; how++) {
		make_qp(5);
		cport++;
		h = connect_start(5, 2 | 4 | 8);
		peer_send(P_SYN | P_ACK, NULL, 0, 0);
		ack_all();
		frames = 0;
		peer_send(how ? P_FIN | P_ACK : P_RST | P_ACK, NULL, 0, 0);
		check(last.flags == P_SYN && frames == 1 + how, "a new connection after revision 2 was refused");
		check(!eqe_n, "an event");
		pseq = 0x900000 + how;
		ack_all();
		peer_send(P_SYN | P_ACK, NULL, 0, 0);
		check(mpa_frame_parse(last.data, last.len, false, &rep) == 32 && rep.rev == 1 && !rep.enhanced && rep.pd_len == 12 && rep.pd[0] == 3 && rep.crc,
		      "the request in revision 1");
		ack_all();
		if (!how) {
			peer_send(P_ACK | P_PSH, f, mpa_frame_build(f, &r), 0);
			if (take_event(WEFT_EQE_TYPE_CM_CONNECT_REPLY, e))
				check(GET(e, WEFT_EQE_CODE) == 0 && GET(e, WEFT_EQE_ID) == h && !(GET(e, WEFT_EQE_FLAGS) & 2), "up with revision 1");
			drop_qp(5);
			take_event(WEFT_EQE_TYPE_CM_CLOSE, e);
		} else {
			peer_send(P_RST | P_ACK, NULL, 0, 0);
			if (take_event(WEFT_EQE_TYPE_CM_CONNECT_REPLY, e)) check(GET(e, WEFT_EQE_CODE) == WEFT_CM_STATUS_RESET, "refused twice");
			drop_qp(5);
		}
	}
	no_event();
}

/* ---- what a driver asks after events were lost ---- */

static unsigned ask(uint32_t id, unsigned qpn, unsigned flags, uint32_t *e)
{
	uint32_t c[16];
	unsigned st;
	uint8_t *b = cm_buf();

	cmd_cm(c, id, qpn, 0);
	SET(c, WEFT_ADMIN_CM_FLAGS, flags);
	memset(b, 0xff, 64);
	st = run(c, WEFT_ADMIN_OP_CM_QUERY);
	memcpy(e, b, 64);
	return st;
}
static unsigned rsp_state(void) { return GET(rsp + WEFT_ADMIN_RSP_DATA_OFF / 4, WEFT_ADMIN_CM_STATE_STATE); }
/* QP_COUNTS: what it answers, beside QP_QUERY. */
static void counts_are(unsigned qpn, const uint64_t n[6], const char *what)
{
	uint32_t c[16] = { 0 }, st;
	const uint32_t *d;

	SET(c, WEFT_ADMIN_QP_QPN, qpn);
	st = run(c, WEFT_ADMIN_OP_QP_COUNTS);
	d = rsp + WEFT_ADMIN_RSP_DATA_OFF / 4;
	check(st == 0 && GET64(d, WEFT_ADMIN_QP_COUNTS_TX_BYTES) == n[0] && GET64(d, WEFT_ADMIN_QP_COUNTS_RX_BYTES) == n[1]
	      && GET(d, WEFT_ADMIN_QP_COUNTS_TX_SENDS) == n[2] && GET(d, WEFT_ADMIN_QP_COUNTS_TX_READS) == n[3] && GET(d, WEFT_ADMIN_QP_COUNTS_RX_SENDS) == n[4]
	      && GET(d, WEFT_ADMIN_QP_COUNTS_RX_READS) == n[5], "counts of %s", what);
}
static void counted(unsigned qpn)
{
	static const uint64_t some[6] = { 0x123456789abcdefull, 0xfedcba9876543210ull, 0xffffffff, 0x80000001, 0x7654321, 17 };
	unsigned pinned = path_pinned;
	uint32_t c[16] = { 0 };

	path_pinned = 0; /* or the answer may be of what was saved before */
	path_counts(qpn, some);
	for (unsigned i = 0; i < 8; i++) counts_are(qpn, some, "a connection");
	path_pinned = pinned;
	SET(c, WEFT_ADMIN_QP_QPN, qpn);
	check(run(c, WEFT_ADMIN_OP_QP_QUERY) == 0 && GET(rsp + WEFT_ADMIN_RSP_DATA_OFF / 4, WEFT_ADMIN_QP_STATE_STATE) == WEFT_QP_STATE_RTS, "QP_QUERY beside QP_COUNTS");
	SET(c, WEFT_ADMIN_QP_QPN, 9);
	check(run(c, WEFT_ADMIN_OP_QP_COUNTS) == WEFT_ADMIN_STATUS_NOT_FOUND, "counts of no queue pair");
}
static void queries(void)
{
	struct mpa_frame m = { .rev = 2, .enhanced = true, .ird = 2, .ord = 3, .pd = (const uint8_t *)"request", .pd_len = 7 }, rep;
	uint32_t e[16], was[16], h, h2, at;
	unsigned n, posted;

	world_advance(100000 * MS);
	no_event();
	check(ask(0, 0, 32, e) == WEFT_ADMIN_STATUS_NOT_FOUND, "no connection at all");
	make_qp(5);
	counts_are(5, (const uint64_t[6]){ 0 }, "a queue pair without a connection");
	listen_on(4440, 0);
	pport++;
	h = accept(5, &m, &rep);
	check(ask(h, 0, 0, e) == 0 && rsp_state() == WEFT_CM_STATE_OPEN && GET(e, WEFT_EQE_KIND) == WEFT_EQE_TYPE_CM_ESTABLISHED
	      && GET(rsp, WEFT_ADMIN_RSP_ID) == h && GET(e, WEFT_EQE_ID) == h && GET(e, WEFT_EQE_HANDLE) == 0xc00c1e, "an open connection");
	counted(5);
	/* long after, nothing but the contexts is left */
	path_una(5, pack);
	world_advance(10000 * MS);
	check(ask(0, 5, 16, e) == 0 && rsp_state() == WEFT_CM_STATE_OPEN && GET(e, WEFT_EQE_DATA0) == 5 && GET(e, WEFT_EQE_PEER_PORT) == pport
	      && GET(e, WEFT_EQE_LOCAL_PORT) == cport && !memcmp(BYTES(e, WEFT_EQE_PEER_ADDR), address(false), 16) && (GET(e, WEFT_EQE_FLAGS) & 1) == peer_v6, "by QPN");
	posted = GET(rsp + WEFT_ADMIN_RSP_DATA_OFF / 4, WEFT_ADMIN_CM_STATE_POSTED);
	/* a request whose event was lost: the driver does not know its handle */
	pport++;
	h2 = request(&m);
	memcpy(was, eqes[eqe_n], 64); /* as it was posted: taken, but still there */
	for (n = 0, at = 0; ask(at, 0, 32, e) == 0; n++) {
		at = GET(rsp, WEFT_ADMIN_RSP_ID);
		if (at == h2) check(rsp_state() == WEFT_CM_STATE_REQUESTED && !memcmp(e, was, 63), "a request that is asked for: the event itself");
		else check(at == h, "handle %x", at);
		at = (at & 0xffff) + 1;
	}
	check(n == 2, "%u connections found", n);
	check(ask(h2, 0, 0, e) == 0 && GET(rsp + WEFT_ADMIN_RSP_DATA_OFF / 4, WEFT_ADMIN_CM_STATE_POSTED) == posted + 1, "events are counted");
	check(simple(h2, WEFT_ADMIN_OP_ABORT) == 0, "ABORT");
	eqe_n = 0;
	hw_event(WEFT_FW_EV_RX_FIN, 5, 0, 0, 0);
	take_event(WEFT_EQE_TYPE_CM_DISCONNECT, e);
	check(ask(h, 0, 0, e) == 0 && rsp_state() == WEFT_CM_STATE_CLOSING && GET(e, WEFT_EQE_KIND) == WEFT_EQE_TYPE_CM_DISCONNECT, "a connection that closes");
	drop_qp(5);
	take_event(WEFT_EQE_TYPE_CM_CLOSE, e);
	check(ask(h, 0, 0, e) == WEFT_ADMIN_STATUS_NOT_FOUND && ask(0, 5, 16, e) == WEFT_ADMIN_STATUS_NOT_FOUND, "a connection that is gone");
	unlisten();
	make_qp(6);
	cport = 4400;
	pport++;
	h = connect_start(6, 2 | 4);
	check(ask(h, 0, 0, e) == 0 && rsp_state() == WEFT_CM_STATE_CONNECTING && GET(e, WEFT_EQE_KIND) == 0, "one that connects");
	drop_qp(6);
	take_event(WEFT_EQE_TYPE_CM_CONNECT_REPLY, e);
	no_event();
}

/* Commands that are refused, find no place or nobody, and a connection that is lost. */
static void shortages(void)
{
	struct mpa_frame p2p = { .reply = true, .rev = 2, .enhanced = true, .crc = true, .ird = 5, .ord = 3, .p2p = true, .rtr_write = true };
	struct mpa_frame m = { .rev = 2, .enhanced = true, .ird = 2, .ord = 3, .pd = (const uint8_t *)"request", .pd_len = 7 }, rep;
	uint32_t c[16], e[16], h;
	uint8_t f[600];

	world_advance(100000 * MS);
	no_event();
	cport = 4500;
	/* HOLD is refused, and CREATE three times: frames of an earlier connection are still to be let go */
	make_qp(7);
	path_refuse = 4;
	h = open_active(7);
	check(!path_refuse && path_tx(7) == WEFT_QP_STATE_RTS, "a home that was refused at first");
	/* its home is lost: the driver hears of it, and what is posted is flushed */
	path_lose(7, true);
	if (take_event(WEFT_EQE_TYPE_QP_ERROR, e)) check(GET(e, WEFT_EQE_CODE) == WEFT_QP_EVENT_LLP_RESET, "code %u", GET(e, WEFT_EQE_CODE));
	if (take_event(WEFT_EQE_TYPE_CM_CLOSE, e)) check(GET(e, WEFT_EQE_ID) == h && GET(e, WEFT_EQE_CODE) == WEFT_CM_STATUS_ABORTED, "a lost connection");
	check(path_tx(7) == WEFT_QP_STATE_ERR && !path_look(7), "a lost connection flushes");
	drop_qp(7);
	/* the same with an RTR, which goes all the same; the loss is seen by the next command */
	make_qp(7);
	cport++;
	path_refuse = 4;
	h = connect_start(7, 2 | 8);
	peer_send(P_SYN | P_ACK, NULL, 0, 0);
	ack_all();
	peer_send(P_ACK | P_PSH, f, reply_frame(f, &p2p), 0);
	take_event(WEFT_EQE_TYPE_CM_CONNECT_REPLY, e);
	check(!path_refuse && path_tx(7) == WEFT_QP_STATE_RTS && last_data.len == 20 && last_data.seq == pack, "RTR of a home that was refused at first");
	path_lose(7, false);
	check(simple(h, WEFT_ADMIN_OP_DISCONNECT) == 0, "DISCONNECT of what is lost");
	take_event(WEFT_EQE_TYPE_QP_ERROR, e);
	take_event(WEFT_EQE_TYPE_CM_CLOSE, e);
	drop_qp(7);
	/* one that is refused again and again ends, and the driver hears of it; its queue pair flushes when it is taken at last */
	make_qp(7);
	cport++;
	connect_start(7, 2);
	peer_send(P_SYN | P_ACK, NULL, 0, 0);
	ack_all();
	path_refuse = 400;
	peer_send(P_ACK | P_PSH, f, reply_frame(f, &p2p), 0);
	take_event(WEFT_EQE_TYPE_CM_CONNECT_REPLY, e);
	if (take_event(WEFT_EQE_TYPE_CM_CLOSE, e)) check(GET(e, WEFT_EQE_CODE) == WEFT_CM_STATUS_NO_RESOURCE, "one that is refused: %u", GET(e, WEFT_EQE_CODE));
	check(!path_refuse && path_tx(7) == WEFT_QP_STATE_ERR && !path_look(7), "a queue pair whose connection was refused: %u refusals are left", path_refuse);
	drop_qp(7);
	/* no place: a queue pair without a connection goes to ERROR later */
	make_qp(8);
	memset(c, 0, 64);
	SET(c, WEFT_ADMIN_QP_QPN, 8);
	path_full = true;
	path_errs = 0;
	check(run(c, WEFT_ADMIN_OP_QP_ERROR) == 0, "QP_ERROR");
	path_full = false;
	world_advance(5 * MS);
	check(path_tx(8) == WEFT_QP_STATE_ERR && path_errs == 1, "a queue pair without a connection flushes");
	path_lose(8, true);
	check(path_tx(8) == WEFT_QP_STATE_ERR && path_errs == 2, "a home that was lost flushes again");
	hw_event(WEFT_FW_EV_HOME_DONE, 8, WEFT_HOME_OP_DESTROY | 0x100, 0, 0); /* to nobody's command */
	drop_qp(8);
	check(!path_there(8), "a home is left in the card");
	/* ... and one that is destroyed before leaves nothing behind */
	make_qp(8);
	path_full = true;
	memset(c, 0, 64);
	SET(c, WEFT_ADMIN_QP_QPN, 8);
	check(run(c, WEFT_ADMIN_OP_QP_ERROR) == 0, "QP_ERROR");
	drop_qp(8);
	path_full = false;
	world_advance(5 * MS);
	/* CLOSE behind DRAINED */
	make_qp(7);
	cport++;
	h = open_active(7);
	path_mute = true;
	check(simple(h, WEFT_ADMIN_OP_DISCONNECT) == 0, "DISCONNECT");
	path_mute = false;
	path_full = true;
	hw_event(WEFT_FW_EV_DRAINED, 7, WEFT_ROOM_QP_TX, 1, 0);
	path_full = false;
	world_advance(5 * MS);
	acked(7);
	check(last.flags == (P_FIN | P_ACK), "FIN that found no place at first");
	/* ERROR behind SAVE: what is posted later is flushed */
	path_mute = true;
	check(simple(h, WEFT_ADMIN_OP_ABORT) == 0, "ABORT");
	take_event(WEFT_EQE_TYPE_CM_CLOSE, e);
	path_mute = false;
	path_full = true;
	path_errs = 0;
	hw_event(WEFT_FW_EV_HOME_DONE, 7, WEFT_HOME_OP_SAVE | 1 << 8, 0, 0);
	path_full = false;
	world_advance(5 * MS);
	check(path_errs == 1, "what was saved is brought back to flush");
	drop_qp(7);
	/* TIME-WAIT is firmware's: the card's TCP stops, whenever there is a place */
	make_qp(7);
	cport++;
	h = open_active(7);
	check(simple(h, WEFT_ADMIN_OP_DISCONNECT) == 0, "DISCONNECT");
	acked(7);
	ack_all();
	path_mute = true;
	peer_send(P_FIN | P_ACK, NULL, 0, 7);
	take_event(WEFT_EQE_TYPE_CM_CLOSE, e);
	path_mute = false;
	path_full = true;
	hw_event(WEFT_FW_EV_HOME_DONE, 7, WEFT_HOME_OP_SAVE | 1 << 8, 0, 0);
	path_full = false;
	world_advance(5 * MS);
	check(path_tcp(7) == WEFT_TCP_STATE_STOP && path_tx(7) == WEFT_QP_STATE_ERR, "TCP goes on behind TIME-WAIT, state %u", path_tcp(7));
	drop_qp(7);
	/* a close that finds no place waits for one, as long as a close may last; nobody is reset meanwhile */
	for (unsigned late = 0; late < 2; late++) {
		make_qp(7);
		cport++;
		h = open_active(7);
		path_full = true;
		frames = 0;
		check(simple(h, WEFT_ADMIN_OP_DISCONNECT) == 0, "DISCONNECT without a place");
		world_advance(late ? 7000 * MS : 1000 * MS);
		check(!frames && !eqe_n == !late, "a close without a place");
		path_full = false;
		world_advance(5 * MS);
		if (!late) {
			check(path_tx(7) == WEFT_QP_STATE_HALT, "a close that found its place");
			acked(7);
			check(last.flags == (P_FIN | P_ACK), "FIN of a close that waited");
			ack_all();
			peer_send(P_FIN | P_ACK, NULL, 0, 7);
		}
		if (take_event(WEFT_EQE_TYPE_CM_CLOSE, e)) check(GET(e, WEFT_EQE_CODE) == (late ? WEFT_CM_STATUS_RESET : WEFT_CM_STATUS_OK), "a close that waited: %u", GET(e, WEFT_EQE_CODE));
		drop_qp(7);
	}
	/* one reply that may be lost is not looked for among all */
	listen_on(4505, 0);
	make_qp(9);
	pport++;
	accept(9, &m, &rep);
	hw_event(WEFT_FW_EV_TX_TIMEOUT, 9, 1, 0, 0);
	path_records = 0;
	frames = 0;
	world_advance(1200 * MS);
	check(frames == 2 && path_records < 20, "%u replies, %u records are read", frames, path_records);
	drop_qp(9);
	take_event(WEFT_EQE_TYPE_CM_CLOSE, e);
	unlisten();
	no_event();
}

/* Over IPv6: the same, and what is different in it. */
static void ipv6(void)
{
	struct mpa_frame m = { .rev = 2, .enhanced = true, .ird = 2, .ord = 3, .pd = (const uint8_t *)"request", .pd_len = 7 }, rep;
	uint32_t c[16], l6;
	uint8_t f[2200], listed[2][16] = { { 0xfe, 0x80, [15] = 2 }, { [10] = 0xff, 0xff, 10, 0, 0, 2 } };
	unsigned n = 0;

	world_advance(100000 * MS);
	no_event();
	peer_v6 = true;
	pport = 30000;
	/* a card without it refuses it everywhere, and with what the driver knows as that */
	world_features &= ~(1u << WEFT_FEATURE_IPV6);
	for (unsigned op = WEFT_ADMIN_OP_LISTEN; world_quick && op <= WEFT_ADMIN_OP_CONNECT; op += WEFT_ADMIN_OP_CONNECT - WEFT_ADMIN_OP_LISTEN) {
		make_qp(9);
		cmd_cm(c, 0, 9, 0);
		check(run(c, op) == WEFT_ADMIN_STATUS_BAD_PARAM && GET(rsp, WEFT_ADMIN_RSP_DETAIL) == WEFT_ADMIN_CM_FLAGS_OFF, "command %u for IPv6", op);
		drop_qp(9);
	}
	if (world_quick) check(local_addr(1, 0) == WEFT_ADMIN_STATUS_BAD_PARAM, "LOCAL_ADDR of IPv6");
	world_features |= 1u << WEFT_FEATURE_IPV6;
	/* a listener on any address answers for those that were told, never for others; and not for IPv4 */
	listen_on(4600, 0);
	check(!shake(), "an address that nobody told is answered");
	l6 = listener;
	cport = 4601;
	cmd_cm(c, 0, 0, 0);
	check(run(c, WEFT_ADMIN_OP_LISTEN) == 0 && shake(), "a listener on one address");
	listener = GET(rsp, WEFT_ADMIN_RSP_ID);
	cport = 4600;
	check(!shake(), "an address that only another listener has is answered");
	unlisten();
	listener = l6;
	check(local_addr(1, 0) == 0 && local_addr(1, 0) == 0, "LOCAL_ADDR");
	check(shake(), "an address of this host");
	peer_v6 = false;
	check(!shake(), "IPv4 at a listener of IPv6");
	listen_on(4600, 0); /* the port of one family is free for the other */
	check(shake(), "IPv4 at its own listener");
	unlisten();
	peer_v6 = true;
	listener = l6;
	cmd_cm(c, 0, 0, 0);
	check(run(c, WEFT_ADMIN_OP_LISTEN) == WEFT_ADMIN_STATUS_IN_USE, "one address beside all of them");
	check(local_addr(1, 0x80) == 0 && local_addr(1, 0x80) == WEFT_ADMIN_STATUS_NOT_FOUND, "LOCAL_ADDR taken back");
	check(!shake(), "an address that was taken back is answered");
	for (n = 2; local_addr(n, 0) == 0; n++) {}
	check(n == 18, "%u addresses have room", n - 2);
	while (--n >= 2) check(local_addr(n, 0x80) == 0, "LOCAL_ADDR %u taken back", n);
	check(local_addr(1, 0) == 0, "LOCAL_ADDR");
	/* nobody whom it takes a zone to answer, nobody from a mapped address; no extension header (RFC 8200 4) */
	pport++;
	for (unsigned i = 0; i < 3; i++) {
		static struct pkt p;
		unsigned len;

		memset(&p, 0, sizeof(p));
		p.ipv6 = true;
		memcpy(p.dmac, our_mac, 6);
		memcpy(p.smac, peer_mac, 6);
		memcpy(p.src, i < 2 ? listed[i] : address(false), 16);
		memcpy(p.dst, address(true), 16);
		p.sport = pport;
		p.dport = cport;
		p.flags = P_SYN;
		p.wscale = -1;
		len = pkt_build(f, &p);
		if (i == 2) { /* destination options of 8 bytes */
			memmove(f + 62, f + 54, len - 54);
			memcpy(f + 54, "\6\0\1\4\0\0\0\0", 8);
			f[20] = 60;
			f[19] = (uint8_t)(f[19] + 8);
			len += 8;
		}
		frames = 0;
		world_frame_in(f, len, 0);
		world_run();
		check(!frames, "SYN %u is answered", i);
	}
	/* a network of 64 bits is one peer: its sockets take its share, whatever addresses they have; others have theirs */
	peer_net = 7;
	for (peer_host = 3; peer_host < 14; peer_host++) check(shake(), "a handshake without a request");
	for (; peer_host < 28; peer_host++)
		if (shake()) peer_send(P_ACK | P_PSH, "MPA ID Re", 9, 0);
	peer_net = 0;
	peer_host = 2;
	served(&m, &rep);
	world_advance(100000 * MS);
	/* all of them keep nothing: a cookie, as good as in IPv4 */
	for (peer_net = 20; peer_net < 34; peer_net++) check(shake(), "SYN %u", peer_net);
	peer_net = 0;
	weft_is(3, false);
	served(&m, &rep);
	stranger();
	world_advance(100000 * MS);
	unlisten();
	no_event();
	/* and what is so for IPv4, or a part of it where it takes its time */
	active();
	rtr();
	passive();
	if (world_quick) {
		refused();
		closes();
		come_back();
		tcp();
		queries();
	}
	peer_v6 = false;
}

/* What a SYN is told of our MSS, before and after the driver has said what the interface takes. */
static void mss(unsigned want)
{
	listen_on(4450, 0);
	pport++;
	pseq = 1;
	pack = 0;
	frames = 0;
	peer_send(P_SYN, NULL, 0, 0);
	check(frames == 1 && last.mss == want, "MSS %u, wanted %u", last.mss, want);
	unlisten();
}

/* More connects than slots: the one too many waits until a slot is free. */
static void many(void)
{
	uint32_t c[16], e[16];

	cport = 6000;
	pport++;
	world_advance(100000 * MS);
	for (unsigned q = 1; q < 8; q++) make_qp(q);
	for (unsigned q = 1; q < 8; q++) {
		cport++;
		connect_start(q, 2 | 4);
	}
	make_qp(15);
	cport = 7000;
	cmd_cm(c, 0, 15, 0);
	post_run(c, WEFT_ADMIN_OP_CONNECT, 99);
	check(!reap(), "no slot: the command waits");
	world_advance(1100 * MS); /* all SYN come again; the last seen is answered */
	cport = last.sport; /* as the peer sees it */
	pport = last.dport;
	pseq = 1;
	ack_all();
	peer_send(P_RST | P_ACK, NULL, 0, 0);
	take_event(WEFT_EQE_TYPE_CM_CONNECT_REPLY, e);
	check(reap() && GET(rsp, WEFT_ADMIN_RSP_TAG) == 99 && GET(rsp, WEFT_ADMIN_RSP_STATUS) == 0, "the command that waited");
	check(last.flags == P_SYN && last.sport == 7000, "its SYN");
	for (unsigned q = 1; q < 8; q++) drop_qp(q);
	drop_qp(15);
	check(eqe_n == 7, "%u connects ended", eqe_n);
	eqe_n = 0;
}

/* Initial sequence numbers (RFC 6528): a keyed function of the addresses and ports, and a clock of at most some MHz. */
static void isns(void)
{
	uint32_t first = 0, before = 0, e[16];
	unsigned apart = 0;

	for (unsigned n = 0; n <= 8; n++) {
		uint32_t h, s;

		make_qp(2);
		if (n < 8) cport++; /* the last one has the ports of the one before */
		h = connect_start(2, 2 | 4);
		s = last.seq;
		peer_send(0x14, NULL, 0, 0); /* RST, ACK */
		if (take_event(WEFT_EQE_TYPE_CM_CONNECT_REPLY, e)) check(GET(e, WEFT_EQE_ID) == h, "another connection");
		drop_qp(2);
		if (!n) first = s;
		else if (n < 8) apart += s - before + (1u << 24) > 1u << 25;
		else check(s - before < 1u << 24, "ISN of the same ports: %#x, then %#x", before, s);
		before = s;
	}
	check(apart >= 5, "initial sequence numbers from %#x on follow a clock: %u of 7 lie apart", first, apart);
}

/* ---- a flood of SYN, and two connections in the middle of it ---- */

static unsigned flood_answers;
static struct honest {
	enum { H_IDLE, H_SYN, H_REQUEST, H_ACCEPT, H_UP } state;
	uint32_t seq, ack;      /* the peer's */
	uint64_t timer, rto, since, done;
	uint16_t peer, card;    /* ports */
	uint32_t handle;
} in_, out_;                    /* a peer that connects to the card, and one that the card connects to */

/*
 * The honest peer asks again after 40 ms (a request after 8), and has two tries for a SYN, as one that waits for a second
 * has within two: a flood of two seconds is long to simulate, and the card cannot know why a SYN came again.
 */
#define HONEST_SYN_T (40 * MS)
#define HONEST_T (8 * MS)
#define HONEST_UP_T (80 * MS)

static void honest_send(const struct honest *h, unsigned flags, const void *data, unsigned n)
{
	uint32_t pseq_was = pseq, pack_was = pack;
	uint16_t p = pport, c = cport;
	uint8_t f[700];

	peer_host = 2;
	pport = h->peer;
	cport = h->card;
	pseq = h->seq;
	pack = h->ack;
	world_frame_in(f, build(f, flags, data, n), 0);
	pport = p;
	cport = c;
	pseq = pseq_was;
	pack = pack_was;
}
static unsigned honest_request(uint8_t *f, bool reply)
{
	struct mpa_frame m = { .reply = reply, .rev = 2, .enhanced = true, .crc = true, .ird = 2, .ord = 2 };

	return mpa_frame_build(f, &m);
}
/* A frame of the card while the flood lasts: last. */
static void on_flood_frame(void)
{
	uint8_t f[100];

	if (last.dport == in_.peer && last.sport == in_.card) {
		if (in_.state == H_SYN && last.flags == (P_SYN | P_ACK) && last.ack == in_.seq + 1) {
			in_.seq++;
			in_.ack = last.seq + 1;
			in_.state = H_REQUEST;
			in_.rto = HONEST_T;
			in_.timer = world_now() + in_.rto;
			honest_send(&in_, P_ACK, NULL, 0);
			honest_send(&in_, P_ACK | P_PSH, f, honest_request(f, false));
		} else if (in_.state == H_ACCEPT && last.len) {
			in_.state = H_UP;
			in_.done = world_now();
		} else if (last.flags & P_RST) {
			world_fail("RST to the honest peer in state %u", in_.state);
		}
	} else if (last.dport == out_.peer && last.sport == out_.card) {
		if (last.flags == P_SYN) {
			out_.ack = last.seq + 1;
			honest_send(&out_, P_SYN | P_ACK, NULL, 0);
		} else if (last.len && out_.state == H_SYN) {
			out_.seq++;
			out_.ack = last.seq + last.len;
			out_.state = H_REQUEST;
			out_.rto = HONEST_T;
			out_.timer = world_now() + out_.rto;
			honest_send(&out_, P_ACK | P_PSH, f, honest_request(f, true));
		}
	} else {
		flood_answers++;
	}
}
void scenario_flood(unsigned rate)
{
	uint64_t start, next, busy, middle;
	uint32_t c[16] = { 0 }, e[16];
	unsigned sent = 0, accepted = 0;
	uint8_t f[100];

	admin_start();
	SET(c, WEFT_ADMIN_L2_ID, 7);
	memcpy(BYTES(c, WEFT_ADMIN_L2_DMAC), peer_mac, 6);
	memcpy(BYTES(c, WEFT_ADMIN_L2_SMAC), our_mac, 6);
	SET(c, WEFT_ADMIN_L2_MTU, 1500);
	SET(c, WEFT_ADMIN_L2_FLAGS, 1);
	check(run(c, WEFT_ADMIN_OP_L2_SET) == 0, "L2_SET");
	listen_on(4420, 0);
	make_qp(9);
	make_qp(10);
	start = next = world_now();
	middle = start + 20 * MS + world_rand() % 100000; /* at no SYN's heels */
	in_ = (struct honest){ .seq = 0x1000, .peer = 900, .card = 4420 };
	out_ = (struct honest){ .seq = 0x2000, .peer = 901, .card = 4999 };
	flooding = true;
	flood_answers = 0;
	busy = world_cycle();
	while (world_now() < start + 2020 * MS && !(in_.state == H_UP && out_.state == H_UP && world_now() > start + 40 * MS)) {
		uint64_t now = world_now(), until = next;

		if (now >= next) {
			static struct pkt p;

			memset(&p, 0, sizeof(p));
			memcpy(p.dmac, our_mac, 6);
			memcpy(p.smac, peer_mac, 6);
			memcpy(p.src, "\12\1", 2);
			p.src[2] = (uint8_t)world_rand();
			p.src[3] = (uint8_t)(1 + world_rand() % 250);
			memcpy(p.dst, "\12\0\0\1", 4);
			p.sport = (uint16_t)(1024 + world_rand() % 60000);
			p.dport = 4420;
			p.seq = world_rand();
			p.flags = P_SYN;
			p.wnd = 64240;
			p.mss = 1460;
			p.wscale = 7;
			world_frame_in(f, pkt_build(f, &p), 0);
			next += 500000000ull / rate + world_rand() % (1000000000ull / rate);
			sent++;
		}
		if (in_.state == H_IDLE && now >= middle) {
			world_note("bench fw_flood_%u_syn %llu cycles", rate, (unsigned long long)(world_cycle() - busy) / (flood_answers + 1));
			in_.state = H_SYN;
			in_.since = now;
			in_.rto = HONEST_SYN_T;
			in_.timer = now + in_.rto;
			honest_send(&in_, P_SYN, NULL, 0);
			out_.state = H_SYN;
			out_.since = now;
			cport = out_.card;
			pport = out_.peer;
			cmd_cm(c, 0, 10, 0);
			SET(c, WEFT_ADMIN_CM_FLAGS, 2 | 4);
			async(c, WEFT_ADMIN_OP_CONNECT);
		}
		if (in_.timer && now >= in_.timer && in_.state < H_ACCEPT) {
			if (in_.state == H_SYN) honest_send(&in_, P_SYN, NULL, 0);
			else honest_send(&in_, P_ACK | P_PSH, f, honest_request(f, false));
			in_.rto *= 2;
			in_.timer = now + in_.rto;
		}
		if (out_.timer && now >= out_.timer && out_.state == H_REQUEST) {
			honest_send(&out_, P_ACK | P_PSH, f, honest_request(f, true));
			out_.rto *= 2;
			out_.timer = now + out_.rto;
		}
		while (eqe_n) {
			memcpy(e, eqes[0], 64);
			memmove(eqes, eqes + 1, --eqe_n * 64);
			if (GET(e, WEFT_EQE_KIND) == WEFT_EQE_TYPE_CM_CONNECT_REQUEST) {
				check(GET(e, WEFT_EQE_PEER_PORT) == in_.peer, "a request of the flood");
				in_.state = H_ACCEPT;
				cport = in_.card;
				pport = in_.peer;
				cmd_cm(c, GET(e, WEFT_EQE_ID), 9, 0);
				SET(c, WEFT_ADMIN_CM_FLAGS, 4);
				async(c, WEFT_ADMIN_OP_ACCEPT);
			} else if (GET(e, WEFT_EQE_KIND) == WEFT_EQE_TYPE_CM_CONNECT_REPLY) {
				check(GET(e, WEFT_EQE_CODE) == 0, "connect under a flood: %u", GET(e, WEFT_EQE_CODE));
				out_.state = H_UP;
				out_.done = now;
			}
		}
		while (reap()) {
			check(GET(rsp, WEFT_ADMIN_RSP_STATUS) == 0, "command %u under a flood: %u", GET(rsp, WEFT_ADMIN_RSP_OP), GET(rsp, WEFT_ADMIN_RSP_STATUS));
			accepted++;
		}
		if (in_.state == H_IDLE && middle < until) until = middle;
		if (in_.timer && in_.state < H_ACCEPT && in_.timer < until) until = in_.timer;
		world_step(until);
	}
	flooding = false;
	check(in_.state == H_UP && in_.done - in_.since < HONEST_UP_T, "a peer under a flood of %u SYN/s is in state %u, after two SYNs", rate, in_.state);
	check(out_.state == H_UP, "a connect under a flood of %u SYN/s is in state %u after 2 s", rate, out_.state);
	world_note("bench fw_flood_%u_accept %llu us", rate, (unsigned long long)(in_.done - in_.since) / 1000);
	world_note("bench fw_flood_%u_connect %llu us", rate, (unsigned long long)(out_.done - out_.since) / 1000);
	world_note("bench fw_flood_%u_answered %u %%", rate, flood_answers * 100 / sent);
	check(flood_answers * 100 / sent >= (rate > 50000 ? 89 : 99), "%u of %u SYNs have an answer", flood_answers, sent);
}

void scenario_post_nop(void)
{
	uint32_t c[16] = { 0 };

	post(c);
	cq_index++; /* somebody else looks at the answer */
	world_reg_write(WEFT_REG_ADMIN_DB, sq_index);
}
unsigned scenario_stats(void)
{
	uint32_t c[16] = { 0 };

	SET64(c, WEFT_ADMIN_BUF_BUF_ADDR, HOST_BASE + 0x20000);
	return run(c, WEFT_ADMIN_OP_STATS);
}

/* ---- options of SYN (RFC 2018, 7323) ---- */

/* A SYN with these bytes, padded; what comes back is in last. */
static void syn_with(const void *opt, unsigned n)
{
	pport++;
	pseq = world_rand();
	pack = 0;
	frames = 0;
	memset(peer_opt, 0, sizeof(peer_opt));
	memcpy(peer_opt, opt, n);
	peer_opt_len = (n + 3) & ~3u;
	peer_send(P_SYN, NULL, 0, 0);
	ack_all();
}
static void shake_begin(void)
{
	pport++;
	pseq = world_rand();
	pack = 0;
	peer_send(P_SYN, NULL, 0, 0);
	ack_all();
}
/* Options in each order, with padding drawn: all are understood, and all are answered. */
static void orders(void)
{
	static const uint8_t mss_o[] = { 2, 4, 0x02, 0x18 }, ws_o[] = { 3, 3, 7 }, sack_o[] = { 4, 2 }, ts_o[] = { 8, 10, 0x80, 0, 0, 1, 9, 9, 9, 9 }, odd[] = { 253, 4, 1, 2 };
	static const struct { const uint8_t *o; unsigned n; } list[5] = {
		{ mss_o, sizeof(mss_o) }, { ws_o, sizeof(ws_o) }, { sack_o, sizeof(sack_o) }, { ts_o, sizeof(ts_o) }, { odd, sizeof(odd) },
	};

	for (unsigned order = 0; order < 120; order++) {
		unsigned n = 0, left = 5, at = order, set[5] = { 0, 1, 2, 3, 4 };
		uint8_t o[40];

		for (; left; left--) {
			unsigned k = at % left;

			at /= left;
			if (world_rand() & 1) o[n++] = 1;
			memcpy(o + n, list[set[k]].o, list[set[k]].n);
			n += list[set[k]].n;
			memmove(set + k, set + k + 1, (left - k - 1) * sizeof(*set));
		}
		peer_host = (uint8_t)(2 + order % 40);
		syn_with(o, n);
		check(frames == 1 && last.flags == (P_SYN | P_ACK) && last.wscale == 3 && last.sack && last.ts
		      && last.tsecr == 0x80000001, "order %u: wscale %d SACK %u timestamp %u, echo %x", order, last.wscale, last.sack, last.ts, last.tsecr);
		if (order % 4 == 0) peer_send(P_RST, NULL, 0, 0); /* some are half-open, of others there are cookies */
	}
}
/* What is broken: the segment is let go, or the option; and what comes twice. */
static void broken(void)
{
	static const struct { const char *o; unsigned n; bool answer, sack, ts; uint32_t echo; bool weft; } list[] = {
		{ "\1\1\1\10\12\0\0\0\1\0\0\0", 12, false, false, false, 0, false },                   /* runs out of the header */
		{ "\10\1\0\0", 4, false, false, false, 0, false },                                          /* a length below 2 */
		{ "\10\0\0\0", 4, false, false, false, 0, false },
		{ "\1\1\1\10", 4, false, false, false, 0, false },                                          /* no length at all */
		{ "\4\377\0\0", 4, false, false, false, 0, false },
		{ "\10\10\0\0\0\1\0\0", 8, true, false, false, 0, false },                              /* lengths of something else */
		{ "\4\3\0\1", 4, true, false, false, 0, false },
		{ "\4\4\0\0\10\14\0\0\0\1\0\0\0\0\0\0", 16, true, false, false, 0, false },
		{ "\0\1\4\2\10\12\0\0\0\1\0\0\0\0\1\1", 16, true, false, false, 0, false },     /* behind the end */
		{ "\5\12\0\0\0\1\0\0\0\2\4\2", 12, true, true, false, 0, false },                   /* SACK blocks in a SYN */
		{ "\10\12\0\0\0\1\0\0\0\0\10\12\0\0\0\2\0\0\0\0", 20, true, false, true, 2, false }, /* twice */
		{ "\4\2\4\2\4\2\4\2", 8, true, true, false, 0, false },
#define TS_O "\10\12\0\0\0\1\0\0\0\0"
		{ TS_O "\375\7WEFT\3", 17, true, false, true, 1, true },
		{ TS_O "\375\7WEFT\174", 17, true, false, true, 1, true },            /* reserved flags */
		{ TS_O "\375\6WEFT", 16, true, false, true, 1, false },                         /* too short, too long, of somebody else, of another kind */
		{ TS_O "\375\10WEFT\3\0", 18, true, false, true, 1, false },
		{ TS_O "\375\7WEFU\3", 17, true, false, true, 1, false },
		{ TS_O "\376\7WEFT\3", 17, true, false, true, 1, false },
		{ TS_O "\375\4WE", 14, true, false, true, 1, false },
		{ TS_O "\375\7WEFT\203", 17, true, false, true, 1, false },                     /* an answer in a SYN */
		{ TS_O "\375\7WEFT\3\375\7WEFT\3", 24, true, false, true, 1, false },         /* twice, three times */
		{ TS_O "\375\7WEFT\3\375\7WEFT\0\375\7WEFT\3", 31, true, false, true, 1, false },
		{ TS_O "\375\7WEF", 15, false, false, false, 0, false },                          /* runs out of the header */
		{ TS_O "\0\375\7WEFT\3", 18, true, false, true, 1, false },                     /* behind the end */
	};

	for (unsigned cookies = 0; cookies < 2; cookies++) {
		peer_host = 66;
		for (unsigned i = 0; cookies && i < 6; i++) shake();
		for (unsigned i = 0; i < sizeof(list) / sizeof(*list); i++) {
			bool sack = list[i].sack && !(cookies && !list[i].ts), ts = list[i].ts;

			if (!cookies) peer_host = (uint8_t)(100 + i);
			syn_with(list[i].o, list[i].n);
			check(frames == list[i].answer, "broken options %u: %u frames", i, frames);
			if (!frames) continue;
			check(last.sack == sack && last.ts == ts && (!ts || last.tsecr == list[i].echo), "broken options %u: SACK %u timestamp %u, echo %x", i, last.sack, last.ts, last.tsecr);
			check(last.weft == (list[i].weft ? 0x83 : -1), "broken options %u: Weft %x", i, last.weft);
			if (!cookies) peer_send(P_RST, NULL, 0, 0);
		}
		peer_opt_len = 0;
	}
	world_advance(12000 * MS);
}
/* An MSS into which no FPDU of the card fits, options taken off, is refused on both sides; the next larger one is not. */
static void least_mss(void)
{
	enum { LEAST = 136 + 4 + 12 }; /* RFC 5044 4.5: an FPDU with a MULPDU of 128 or more, with a marker; timestamps */
	uint8_t o[] = { 2, 4, 0, 0, 1, 1, 8, 10, 0, 0, 0, 1, 0, 0, 0, 0 };
	uint32_t e[16];

	for (unsigned i = 0; i < 6; i++) {
		bool ts = i & 1, good = i >= 4;
		unsigned mss = good ? LEAST : i >= 2 ? LEAST - 1 : 16;

		peer_host = (uint8_t)(200 + i);
		o[2] = (uint8_t)(mss >> 8);
		o[3] = (uint8_t)mss;
		syn_with(o, ts ? 16 : 4);
		check(frames == 1 && last.flags == (good ? P_SYN | P_ACK : P_RST | P_ACK) && last.ack == pseq, "a SYN with an MSS of %u: %u frames, flags %x", mss, frames, last.flags);
		if (good) peer_send(P_RST, NULL, 0, 0);
	}
	peer_opt_len = 0;
	peer_host = 2;
	make_qp(9);
	cport = 4101;
	for (unsigned good = 0; good < 2; good++) {
		uint32_t h;

		pport++;
		h = connect_start(9, 2 | 4);
		o[2] = 0;
		o[3] = (uint8_t)(good ? LEAST : LEAST - 1);
		memcpy(peer_opt, o, peer_opt_len = sizeof(o));
		peer_send(P_SYN | P_ACK, NULL, 0, 0);
		peer_opt_len = 0;
		if (good) {
			check(last.flags == (P_ACK | P_PSH) && last.len, "a SYN-ACK with the least MSS: flags %x, %u bytes", last.flags, last.len);
			check(simple(h, WEFT_ADMIN_OP_ABORT) == 0, "ABORT");
		} else if (take_event(WEFT_EQE_TYPE_CM_CONNECT_REPLY, e)) {
			check(GET(e, WEFT_EQE_CODE) == WEFT_CM_STATUS_PROTOCOL && (last.flags & P_RST), "a SYN-ACK with a small MSS: code %u, flags %x", GET(e, WEFT_EQE_CODE), last.flags);
		} else {
			simple(h, WEFT_ADMIN_OP_ABORT);
			eqe_n = 0;
		}
	}
	drop_qp(9);
	eqe_n = 0;
	cport = 4431;
}
/* Each choice of a peer, with a half-open connection and with a cookie: what the card is told is what was agreed on. */
static void choices(void)
{
	struct mpa_frame m = { .rev = 2, .enhanced = true, .ird = 2, .ord = 3, .pd = (const uint8_t *)"request", .pd_len = 7 }, rep;
	uint32_t e[16];

	for (unsigned i = 0; i < 8 * 5; i++) {
		peer_host = 66;
		peer_ts = peer_sack = true;
		waits_count_not = i >= 8; /* the mean is that of before */
		stranger();
		for (unsigned k = 0; (i & 4) && k < 12; k++) {
			peer_host = (uint8_t)(66 + k);
			shake();
		}
		peer_host = 2;
		pport++;
		peer_ts = i & 1;
		peer_sack = (i & 2) && (!(i & 4) || peer_ts); /* without timestamps a cookie has no place for it */
		if (i / 8) weft_is(i / 8 - 1 + (i & 3) * 4, false); /* four sets of flags, and others that nobody knows */
		if ((i & 4) && !peer_ts) { /* ... nor for what a Weft says */
			peer_weft.asks = false;
			peer_weft.flags = 0;
		}
		make_qp(9);
		accept(9, &m, &rep);
		drop_qp(9);
		take_event(WEFT_EQE_TYPE_CM_CLOSE, e);
		check(last.ts == peer_ts, "timestamp of RST");
		world_advance(12000 * MS);
		eqe_n = 0;
	}
	peer_ts = peer_sack = true;
	waits_count_not = false;
	stranger();
}
/* The option by which two Wefts know each other: what a peer answers to it, SYNs that come again, both at once. Cookies, broken ones: choices, broken. */
static void wefts(void)
{
	static const struct { const char *o; unsigned n, flags; const char *what; } list[] = {
		{ "", 0, 0, "no answer" },
		{ "\1\375\7WEFT\3", 8, 0, "the option comes back as it was sent" },
		{ "\1\375\7WEFT\200", 8, 0, "an answer without promises" },
		{ "\1\375\7WEFT\201", 8, 1, "it acknowledges" },
		{ "\1\375\7WEFT\202", 8, 2, "it is aligned" },
		{ "\1\375\7WEFT\377", 8, 3, "all flags" },
		{ "\1\1\375\6WEFT", 8, 0, "too short" },
		{ "\375\10WEFT\203\0", 8, 0, "too long" },
		{ "\1\375\7WEFt\203", 8, 0, "another's" },
		{ "\1\375\7WEFT\203\1\375\7WEFT\203", 16, 0, "twice" },
	};
	uint32_t h, was;

	cport = 4100;
	for (unsigned i = 0; i < sizeof(list) / sizeof(*list); i++) {
		stranger();
		peer_weft.o = list[i].o;
		peer_weft.n = list[i].n;
		peer_weft.flags = list[i].flags;
		peer_v6 = i & 1;
		pport++;
		make_qp(9);
		h = open_active(9);
		check(simple(h, WEFT_ADMIN_OP_ABORT) == 0, "%s: ABORT", list[i].what);
		drop_qp(9);
		eqe_n = 0;
	}
	peer_v6 = false;
	/* two SYNs offer it, then something on the way may drop what it does not know; who answers late is believed */
	weft_is(3, true);
	make_qp(9);
	pport++;
	h = connect_start(9, 2 | 4);
	for (unsigned i = 1; i < 4; i++) {
		frames = 0;
		world_advance((1100 << (i - 1)) * MS);
		check(frames == 1 && last.flags == P_SYN && last.weft == (i < 2 ? 3 : -1), "SYN number %u: flags %x, %d", i + 1, last.flags, last.weft);
	}
	check(simple(h, WEFT_ADMIN_OP_ABORT) == 0, "ABORT");
	/* both at once: the SYN asks, the SYN-ACK answers */
	weft_is(3, false);
	pport++;
	drop_qp(9);
	eqe_n = 0;
	make_qp(9);
	h = connect_start(9, 2 | 4);
	pack = 0;
	peer_send(P_SYN, NULL, 0, 0);
	check(last.flags == (P_SYN | P_ACK) && last.weft == 0x83, "simultaneous open: flags %x, %d", last.flags, last.weft);
	check(simple(h, WEFT_ADMIN_OP_ABORT) == 0, "ABORT");
	drop_qp(9);
	eqe_n = 0;
	/* a SYN that comes again without it is answered without it, and so is what comes behind that */
	listen_on(4433, 0);
	pport++;
	pseq = was = world_rand();
	pack = 0;
	for (unsigned i = 0; i < 3; i++) {
		pseq = was;
		if (i == 1) stranger();
		else weft_is(3, false);
		if (i == 2) asked = peer_weft.asks = false;
		frames = 0;
		peer_send(P_SYN, NULL, 0, 0);
		check(frames == 1 && last.flags == (P_SYN | P_ACK) && last.weft == (i ? -1 : 0x83), "SYN number %u: %u frames, %d", i + 1, frames, last.weft);
	}
	peer_send(P_RST, NULL, 0, 0);
	/* a SYN-ACK that comes again is the same */
	weft_is(1, false);
	shake_begin();
	frames = 0;
	world_advance(1100 * MS);
	check(frames && last.flags == (P_SYN | P_ACK) && last.weft == 0x83, "a SYN-ACK again: %d", last.weft);
	peer_send(P_RST, NULL, 0, 0);
	unlisten();
	stranger();
	cport = 4431;
}
/* PAWS (RFC 7323 5), and segments without what was agreed on, of a half-open connection, of a slot, in TIME-WAIT. */
static void paws(void)
{
	struct mpa_frame m = { .rev = 2, .enhanced = true, .ird = 2, .ord = 3 };
	uint8_t f[600];
	uint32_t e[16], h, was = pseq;
	unsigned n = mpa_frame_build(f, &m);

	for (unsigned slot = 0; slot < 2; slot++) {
		check(shake(), "SYN");
		if (slot) peer_send(P_ACK | P_PSH, f, 10, 0);
		was = pseq;
		peer_mute = true;
		frames = 0;
		peer_send(P_ACK | P_PSH, f + 10 * slot, n - 10 * slot, 0);
		check(!frames && !eqe_n, "a segment without its timestamp");
		peer_mute = false;
		pseq = was;
		peer_back = 100000;
		peer_send(P_ACK | P_PSH, f + 10 * slot, n - 10 * slot, 0);
		check(frames == 1 && last.ack == was && !eqe_n, "an old segment");
		peer_back = 0;
		pseq = was + 1;
		peer_back = (uint32_t)-5000; /* behind a gap: its time does not count */
		peer_send(P_ACK | P_PSH, f, 1, 0);
		peer_back = 0;
		pseq = was;
		peer_send(P_ACK | P_PSH, f + 10 * slot, n - 10 * slot, 0);
		if (take_event(WEFT_EQE_TYPE_CM_CONNECT_REQUEST, e)) check(simple(GET(e, WEFT_EQE_ID), WEFT_ADMIN_OP_ABORT) == 0, "ABORT");
		check(last.ts && (last.flags & P_RST), "timestamp of RST");
		eqe_n = 0;
	}
	unlisten();
	/* an RST needs none, and is not too old */
	make_qp(9);
	cport = 4100;
	pport++;
	h = connect_start(9, 2 | 4);
	peer_send(P_SYN | P_ACK, NULL, 0, 0);
	ack_all();
	peer_back = 100000;
	peer_send(P_RST | P_ACK, NULL, 0, 0);
	peer_back = 0;
	/* one that was agreed on at revision 2: revision 1, over a new connection, whose SYN offers the whole MSS again */
	check(last.flags == P_SYN && last.mss == MSS && !eqe_n, "again in revision 1");
	check(simple(h, WEFT_ADMIN_OP_ABORT) == 0, "ABORT");
	drop_qp(9);
	eqe_n = 0;
	/* TIME-WAIT: its ACK has one; a SYN of an earlier time is old, one of a later time is new, whatever its number (RFC 6191) */
	make_qp(9);
	listen_on(4432, 0);
	h = open_active(9);
	check(simple(h, WEFT_ADMIN_OP_DISCONNECT) == 0, "DISCONNECT");
	acked(9);
	ack_all();
	peer_send(P_ACK | P_FIN, NULL, 0, 0);
	take_event(WEFT_EQE_TYPE_CM_CLOSE, e);
	world_advance(100 * MS);
	pseq--;
	frames = 0;
	peer_send(P_ACK | P_FIN, NULL, 0, 0);
	check(frames == 1 && last.flags == P_ACK && last.ts, "TIME-WAIT");
	peer_back = 5000;
	pseq += 1000;
	peer_send(P_SYN, NULL, 0, 0);
	check(last.flags == P_ACK, "an old SYN in TIME-WAIT");
	peer_back = 0;
	pseq -= 2000;
	weft_is(3, false);
	peer_send(P_SYN, NULL, 0, 0);
	check(last.flags == (P_SYN | P_ACK) && last.ack == pseq && last.weft == 0x83, "a new SYN in TIME-WAIT: %x", last.flags);
	stranger();
	drop_qp(9);
	eqe_n = 0;
	unlisten();
}
static void options(void)
{
	world_advance(100000 * MS);
	no_event();
	listen_on(4431, 0);
	orders();
	peer_opt_len = 0;
	world_advance(70000 * MS);
	broken();
	least_mss();
	choices();
	paws();
	waits_count_not = true;
	wefts();
	waits_count_not = false;
	world_advance(100000 * MS);
	eqe_n = 0;
	peer_host = 2;
}

#define CASE(f) do { f(); world_case(#f); } while (0)
void scenarios(void)
{
	uint32_t c[16] = { 0 };

	admin_start();
	mss(1460); /* nothing told, no L2 entry yet */
	memcpy(BYTES(c, WEFT_ADMIN_L2_DMAC), our_mac, 6);
	SET(c, WEFT_ADMIN_L2_MTU, 4000);
	check(run(c, WEFT_ADMIN_OP_MAC_SET) == 0, "MAC_SET with an MTU");
	mss(3960);
	CASE(objects);
	mss(3960); /* an L2 entry of 1500 is one peer's */
	SET(c, WEFT_ADMIN_L2_MTU, 1500);
	check(run(c, WEFT_ADMIN_OP_MAC_SET) == 0, "MAC_SET with an MTU");
	CASE(flood);
	CASE(tokens);
	CASE(tokens_held);
	CASE(resizes);
	CASE(moderation);
	CASE(pieces);
	CASE(revocations);
	CASE(numbers);
	CASE(windows);
	CASE(shared);
	CASE(rings);
	path_away = world_quick ? 2 : 0; /* from here on commands come back, where nobody counts cycles */
	CASE(active);
	CASE(refused);
	CASE(rtr);
	CASE(behind_reply);
	CASE(late_frames);
	waits_count_not = true;
	CASE(unfetched);
	CASE(closes_stay);
	waits_count_not = false;
	CASE(silent_peers);
	CASE(passive);
	CASE(many);
	CASE(isns);
	CASE(pools);
	CASE(queued);
	CASE(closes);
	waits_count_not = true;
	CASE(come_back);
	waits_count_not = false;
	CASE(tcp);
	CASE(queries);
	waits_count_not = true;
	CASE(ipv6);
	CASE(shortages);
	waits_count_not = false;
	CASE(options);
}
