// SPDX-License-Identifier: BSD-2-Clause
/* What a driver and a peer do with a card, and what must come of it. */
#include "mpa.h"
#include "net.h"
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
/* Runs one command; the response is in rsp. */
static unsigned run(uint32_t *cmd, unsigned op)
{
	unsigned tag = sq_index * 3u + 7;

	SET(cmd, WEFT_ADMIN_CMD_OP, op);
	SET(cmd, WEFT_ADMIN_CMD_TAG, tag);
	post(cmd);
	world_reg_write(WEFT_REG_ADMIN_DB, sq_index);
	world_run();
	if (!reap()) { world_fail("no answer to command %u", op); return 0xff; }
	check(GET(rsp, WEFT_ADMIN_RSP_TAG) == (tag & 0xffff) && GET(rsp, WEFT_ADMIN_RSP_OP) == op, "answer to another command");
	return GET(rsp, WEFT_ADMIN_RSP_STATUS);
}
static uint8_t *cm_buf(void) { return host_mem + BUF_OFF + ((sq_index * 3u + 7) & (N - 1)) * 1024; }

static void admin_start(void)
{
	uint32_t c[16] = { 0 };

	memset(host_mem + CQ_OFF, 0, N * 64);
	sq_index = cq_index = 0;
	world_reg_write(WEFT_REG_ADMIN_SQ_LO, (uint32_t)(HOST_BASE + SQ_OFF));
	world_reg_write(WEFT_REG_ADMIN_SQ_HI, (HOST_BASE + SQ_OFF) >> 32);
	world_reg_write(WEFT_REG_ADMIN_CQ_LO, (uint32_t)(HOST_BASE + CQ_OFF));
	world_reg_write(WEFT_REG_ADMIN_CQ_HI, (HOST_BASE + CQ_OFF) >> 32);
	world_reg_write(WEFT_REG_ADMIN_VECTOR, 5);
	world_reg_write(WEFT_REG_ADMIN_LOG2, LOG2);
	world_run();
	for (int i = 0; i < 32; i++) BYTES(c, WEFT_ADMIN_INIT_SEED)[i] = (uint8_t)(i * 7 + 1);
	SET64(c, WEFT_ADMIN_INIT_CM_BUF, HOST_BASE + BUF_OFF);
	check(run(c, WEFT_ADMIN_OP_INIT) == 0, "INIT");
	memset(c, 0, 64);
	SET64(c, WEFT_ADMIN_QUEUE_BASE, HOST_BASE + 0x8000);
	SET(c, WEFT_ADMIN_QUEUE_LOG2, 5);
	check(run(c, WEFT_ADMIN_OP_EQ_CREATE) == 0, "EQ_CREATE");
	check(GET(room_ctx[WEFT_ROOM_EQ][0], WEFT_CTX_EQ_VALID) && GET64(room_ctx[WEFT_ROOM_EQ][0], WEFT_CTX_EQ_BASE) == HOST_BASE + 0x8000,
	      "context of EQ 0");
}

static void objects(void)
{
	uint32_t c[16] = { 0 };
	uint64_t t0;
	unsigned was, wrong = 0;

	t0 = world_cycle();
	check(run(c, WEFT_ADMIN_OP_NOP) == 0, "NOP");
	world_note("NOP: %llu cycles from doorbell to idle", (unsigned long long)(world_cycle() - t0));
	/* several at once, round the ring */
	for (unsigned r = 0; r < 4; r++) {
		for (unsigned i = 0; i < 6; i++) {
			memset(c, 0, 64);
			SET(c, WEFT_ADMIN_CMD_TAG, i);
			post(c);
		}
		t0 = world_cycle();
		world_reg_write(WEFT_REG_ADMIN_DB, sq_index);
		world_run();
		if (!r) world_note("6 NOP: %llu cycles", (unsigned long long)(world_cycle() - t0));
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
	SET(c, WEFT_ADMIN_MR_STATE, WEFT_TPT_STATE_FREE);
	was = room_drains[WEFT_ROOM_RX];
	check(run(c, WEFT_ADMIN_OP_MR_SET) == 0 && room_drains[WEFT_ROOM_RX] == was + 1, "MR_SET FREE waits for the token");
	SET(c, WEFT_ADMIN_MR_STATE, WEFT_TPT_STATE_VALID);
	SET64(c, WEFT_ADMIN_MR_BASE, ~0ull - 10);
	check(run(c, WEFT_ADMIN_OP_MR_SET) == WEFT_ADMIN_STATUS_BAD_PARAM, "region that wraps");
	/* statistics */
	memset(c, 0, 64);
	SET64(c, WEFT_ADMIN_BUF_BUF_ADDR, HOST_BASE + 0x20000);
	SET(c, WEFT_ADMIN_BUF_BYTES, 32 * 8 + 8);
	check(run(c, WEFT_ADMIN_OP_STATS) == 0 && host_mem[0x20008] == 25 && host_mem[0x20000 + 31 * 8] == (uint8_t)(31 * 24 + 1), "STATS");
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
	check(run(c, WEFT_ADMIN_OP_CQ_CREATE) == WEFT_ADMIN_STATUS_TIMEOUT, "room that does not answer");
	room_dead = -1;
	check(run(c, WEFT_ADMIN_OP_CQ_DESTROY) == 0 && room_drains[WEFT_ROOM_CQ] == 1, "CQ_DESTROY waits for the token");
	check(irqs > 0, "no interrupts");
	no_event();
}

static void make_qp(unsigned qpn)
{
	uint32_t c[16] = { 0 };

	SET(c, WEFT_ADMIN_QP_QPN, qpn);
	SET64(c, WEFT_ADMIN_QP_SQ_BASE, HOST_BASE + 0xa000);
	SET64(c, WEFT_ADMIN_QP_RQ_BASE, HOST_BASE + 0xb000);
	SET(c, WEFT_ADMIN_QP_SQ_LOG2, 5);
	SET(c, WEFT_ADMIN_QP_RQ_LOG2, 6);
	SET(c, WEFT_ADMIN_QP_SCQN, 3);
	SET(c, WEFT_ADMIN_QP_RCQN, 3);
	SET(c, WEFT_ADMIN_QP_PD, 0x55);
	SET(c, WEFT_ADMIN_QP_IRD, 8);
	SET(c, WEFT_ADMIN_QP_ORD, 8);
	check(run(c, WEFT_ADMIN_OP_QP_CREATE) == 0, "QP_CREATE %u", qpn);
}
static void drop_qp(unsigned qpn)
{
	uint32_t c[16] = { 0 };

	SET(c, WEFT_ADMIN_QP_QPN, qpn);
	check(run(c, WEFT_ADMIN_OP_QP_DESTROY) == 0, "QP_DESTROY %u", qpn);
	check(room_db[0][qpn] == 0, "doorbells of a QP that is gone");
}

/* ---- peer: a TCP of its own, over the frames ---- */
static const uint8_t our_mac[6] = { 2, 0, 0, 0, 0, 10 }, peer_mac[6] = { 2, 0, 0, 0, 0, 11 };
static struct seg last;             /* what the card sent last */
static uint8_t last_data[2048];
static unsigned frames;
static uint32_t pseq, pack;         /* peer's snd_nxt, rcv_nxt */
static uint16_t cport = 4000, pport = 5000;

void on_frame(const uint8_t *f, unsigned len)
{
	static uint8_t copy[2048];

	memcpy(copy, f, len);
	frames++;
	check(len >= 60 && net_parse(copy, len, len, &last), "bad frame of %u bytes from the card", len);
	if (last.len) memcpy(last_data, last.data, last.len);
}

static unsigned c16(const uint8_t *p, unsigned n, uint32_t s)
{
	for (unsigned i = 0; i + 1 < n; i += 2) s += (uint32_t)p[i] << 8 | p[i + 1];
	if (n & 1) s += (uint32_t)p[n - 1] << 8;
	return s;
}
static uint16_t cfin(uint32_t s) { while (s >> 16) s = (s & 0xffff) + (s >> 16); return (uint16_t)~s; }
static void peer_send(unsigned flags, const void *data, unsigned n, unsigned qpn)
{
	uint8_t f[2000] = { 0 }, *ip = f + 14, *t = ip + 20;
	unsigned opt = flags & TCP_SYN ? 8 : 0, tl = 20 + opt + n;

	memcpy(f, our_mac, 6);
	memcpy(f + 6, peer_mac, 6);
	put16(f + 12, 0x800);
	put16(ip, 0x4500);
	put16(ip + 2, 20 + tl);
	put16(ip + 8, 0x4006);
	memcpy(ip + 12, "\12\0\0\2\12\0\0\1", 8);
	put16(ip + 10, cfin(c16(ip, 20, 0)));
	put16(t, pport);
	put16(t + 2, cport);
	put32(t + 4, pseq);
	put32(t + 8, pack);
	t[12] = (uint8_t)((20 + opt) / 4 << 4);
	t[13] = (uint8_t)flags;
	put16(t + 14, 30000);
	if (opt) memcpy(t + 20, "\2\4\5\xb4\1\3\3\7", 8);
	if (n) memcpy(t + 20 + opt, data, n);
	put16(t + 16, cfin(c16(t, tl, c16(ip + 12, 8, 6 + tl))));
	pseq += n + !!(flags & TCP_SYN) + !!(flags & TCP_FIN);
	world_frame_in(f, 14 + 20 + tl < 60 ? 60 : 14 + 20 + tl, qpn);
	world_run();
}
static void ack_all(void) { pack = last.seq + last.len + !!(last.flags & TCP_SYN) + !!(last.flags & TCP_FIN); }
static unsigned ctx_state(unsigned room, unsigned qpn) { return GET(room_ctx[room][qpn], WEFT_CTX_TX_STATE); }

static void cmd_cm(uint32_t *c, uint32_t id, unsigned qpn, unsigned pd)
{
	memset(c, 0, 64);
	SET(c, WEFT_ADMIN_CM_ID, id);
	SET(c, WEFT_ADMIN_CM_QPN, qpn);
	SET(c, WEFT_ADMIN_CM_HANDLE, 0xc00c1e);
	SET(c, WEFT_ADMIN_CM_LOCAL_PORT, cport);
	SET(c, WEFT_ADMIN_CM_PEER_PORT, pport);
	SET(c, WEFT_ADMIN_CM_L2, 7);
	SET(c, WEFT_ADMIN_CM_IRD, 4);
	SET(c, WEFT_ADMIN_CM_ORD, 8);
	memcpy(BYTES(c, WEFT_ADMIN_CM_LOCAL_ADDR), "\12\0\0\1", 4);
	SET(c, WEFT_ADMIN_CM_PD_BYTES, pd);
	memset(cm_buf(), 0, 32);
	memcpy(cm_buf(), "\12\0\0\2", 4);
	for (unsigned i = 0; i < pd; i++) cm_buf()[32 + i] = (uint8_t)(i + 3);
}

/* Active open up to the MPA request; returns the handle. */
static uint32_t connect_start(unsigned qpn, unsigned flags)
{
	uint32_t c[16], h;

	frames = 0;
	cmd_cm(c, 0, qpn, 12);
	SET(c, WEFT_ADMIN_CM_FLAGS, flags);
	check(run(c, WEFT_ADMIN_OP_CONNECT) == 0, "CONNECT: status %u detail %u", GET(rsp, WEFT_ADMIN_RSP_STATUS), GET(rsp, WEFT_ADMIN_RSP_DETAIL));
	h = GET(rsp, WEFT_ADMIN_RSP_ID);
	check(frames == 1 && last.flags == TCP_SYN && last.mss == 1460 && last.wscale == 3, "SYN");
	check(room_steer[cport / 32] >> (cport & 31) & 1, "port bit");
	pseq = 0x7000 + (world_rand() & 0xffff);
	ack_all();
	return h;
}
static uint32_t reply_frame(uint8_t *f, const struct mpa *m) { return mpa_build(f, m); }

static void expect_contexts(unsigned qpn, bool hold, bool crc)
{
	uint32_t *t = room_ctx[WEFT_ROOM_QP_TX][qpn], *r = room_ctx[WEFT_ROOM_RX][qpn], *k = room_ctx[WEFT_ROOM_CONN][qpn];

	check(GET(t, WEFT_CTX_TX_STATE) == WEFT_QP_STATE_RTS && GET(r, WEFT_CTX_RX_STATE) == WEFT_QP_STATE_RTS, "both halves RTS");
	check(GET(t, WEFT_CTX_TX_HOLD) == hold && GET(t, WEFT_CTX_TX_CRC) == crc && GET(r, WEFT_CTX_RX_CRC) == crc, "HOLD, CRC");
	check(GET(t, WEFT_CTX_TX_MSS) == 1460 && GET(t, WEFT_CTX_TX_MULPDU) == 1454, "MSS %u MULPDU %u", GET(t, WEFT_CTX_TX_MSS), GET(t, WEFT_CTX_TX_MULPDU));
	check(GET(t, WEFT_CTX_TX_SND_NXT) == pack && GET(r, WEFT_CTX_RX_SND_NXT) == pack, "snd_nxt");
	check(GET(r, WEFT_CTX_RX_RCV_NXT) == pseq, "rcv_nxt %x, peer's snd_nxt %x", GET(r, WEFT_CTX_RX_RCV_NXT), pseq);
	check(GET(t, WEFT_CTX_TX_SEND_MSN) == 1 && GET64(t, WEFT_CTX_TX_SQ_BASE) == HOST_BASE + 0xa000, "static fields of ctx_tx");
	check(GET(k, WEFT_CTX_CONN_VALID) && GET(k, WEFT_CTX_CONN_LOCAL_PORT) == cport && GET(k, WEFT_CTX_CONN_PEER_PORT) == pport
	      && !memcmp(BYTES(k, WEFT_CTX_CONN_PEER_ADDR), "\12\0\0\2", 4) && GET(k, WEFT_CTX_CONN_L2) == 7, "ctx_conn");
}

/* The hardware's answer to HALT. */
static void acked(unsigned qpn)
{
	uint32_t ev[16] = { 0 };

	SET(room_ctx[WEFT_ROOM_QP_TX][qpn], WEFT_CTX_TX_SND_UNA, GET(room_ctx[WEFT_ROOM_QP_TX][qpn], WEFT_CTX_TX_SND_NXT));
	SET(ev, WEFT_FW_EVENT_KIND, WEFT_FW_EV_ACKED);
	SET(ev, WEFT_FW_EVENT_ID, qpn);
	world_event_in(ev);
	world_run();
}

static uint32_t open_active(unsigned qpn)
{
	uint8_t f[600];
	struct mpa m = { .reply = true, .rev = 2, .crc = true, .enhanced = true, .ird = 5, .ord = 3, .pd = (const uint8_t *)"hello", .pd_len = 5 };
	uint64_t t0 = world_cycle();
	uint32_t h = connect_start(qpn, 2 | 4), e[16];
	struct mpa req;

	peer_send(TCP_SYN | TCP_ACK, NULL, 0, 0);
	check(last.len == 20 + 4 + 12 && mpa_parse(last_data, last.len, false, &req) == 36 && req.crc && req.enhanced && req.ird == 4
	      && req.ord == 8 && req.pd_len == 12 && req.pd[0] == 3, "MPA request");
	ack_all();
	peer_send(TCP_ACK | TCP_PSH, f, reply_frame(f, &m), 0);
	if (take_event(WEFT_EQE_TYPE_CM_CONNECT_REPLY, e))
		check(GET(e, WEFT_EQE_CODE) == 0 && GET(e, WEFT_EQE_ID) == h && GET(e, WEFT_EQE_HANDLE) == 0xc00c1e && GET(e, WEFT_EQE_IRD) == 5
		      && GET(e, WEFT_EQE_ORD) == 3 && GET(e, WEFT_EQE_PD_BYTES) == 5, "CM_CONNECT_REPLY code %u", GET(e, WEFT_EQE_CODE));
	expect_contexts(qpn, false, true);
	check(GET(room_ctx[WEFT_ROOM_QP_TX][qpn], WEFT_CTX_TX_ORD) == 5, "ORD limited by the peer's IRD");
	check(last.flags == TCP_ACK && last.ack == pseq, "ACK of the reply");
	if (world_cycle()) world_note("active open: %llu cycles in all", (unsigned long long)(world_cycle() - t0));
	return h;
}

/* Bytes that came twice, the second time just before the hardware took over: no reset. */
static void late_frame(void)
{
	frames = 0;
	pseq--;
	peer_send(TCP_ACK | TCP_PSH, "o", 1, 0);
	check(!frames, "answer to a frame that waited while the hardware took over");
}

static void query(uint32_t h, const char *pd, unsigned n)
{
	uint32_t c[16];
	uint8_t *b = cm_buf();

	cmd_cm(c, h, 0, 0);
	check(run(c, WEFT_ADMIN_OP_QUERY_CONN) == 0 && !memcmp(b + 32, pd, n) && !memcmp(b, "\12\0\0\2", 4), "QUERY_CONN");
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
	check(simple(h, WEFT_ADMIN_OP_DISCONNECT) == 0 && ctx_state(WEFT_ROOM_QP_TX, 1) == WEFT_QP_STATE_HALT, "DISCONNECT halts");
	no_event();
	acked(1);
	check(last.flags == (TCP_FIN | TCP_ACK) && !GET(room_ctx[WEFT_ROOM_CONN][1], WEFT_CTX_CONN_VALID), "FIN");
	ack_all();
	peer_send(TCP_ACK | TCP_FIN, NULL, 0, 0);
	check(last.flags == TCP_ACK && last.ack == pseq, "ACK of FIN");
	if (take_event(WEFT_EQE_TYPE_CM_CLOSE, e)) check(GET(e, WEFT_EQE_CODE) == 0 && GET(e, WEFT_EQE_ID) == h, "CM_CLOSE");
	check(ctx_state(WEFT_ROOM_QP_TX, 1) == WEFT_QP_STATE_ERR && ctx_state(WEFT_ROOM_RX, 1) == WEFT_QP_STATE_ERR, "QP in ERROR");
	check(simple(h, WEFT_ADMIN_OP_ABORT) == WEFT_ADMIN_STATUS_NOT_FOUND, "handle is gone");
	drop_qp(1);
	/* the peer's FIN comes again in TIME-WAIT */
	pseq--;
	frames = 0;
	peer_send(TCP_ACK | TCP_FIN, NULL, 0, 0);
	check(frames == 1 && last.flags == TCP_ACK, "TIME-WAIT acknowledges");
	world_advance(61ull * 1000000000);
	check(!(room_steer[cport / 32] >> (cport & 31) & 1), "port bit after TIME-WAIT");
	frames = 0;
	peer_send(TCP_ACK, NULL, 0, 0);
	check(frames == 1 && (last.flags & TCP_RST), "RST where nobody is");
	no_event();
}

static void refused(void)
{
	uint8_t f[600];
	struct mpa m = { .reply = true, .rev = 2, .crc = true, .enhanced = true, .reject = true, .pd = (const uint8_t *)"no", .pd_len = 2 };
	uint32_t h, w, e[16];

	/* RST in answer to SYN */
	make_qp(2);
	cport++;
	h = connect_start(2, 2 | 4);
	peer_send(TCP_RST | TCP_ACK, NULL, 0, 0);
	if (take_event(WEFT_EQE_TYPE_CM_CONNECT_REPLY, e)) check(GET(e, WEFT_EQE_CODE) == WEFT_CM_STATUS_REFUSED && GET(e, WEFT_EQE_ID) == h, "REFUSED");
	check(ctx_state(WEFT_ROOM_QP_TX, 2) == WEFT_QP_STATE_RESET, "a QP that never ran stays");
	/* SYN without answer: again with backoff, then time-out */
	h = connect_start(2, 4);
	world_advance(1100 * MS);
	check(frames == 2 && last.flags == TCP_SYN, "second SYN");
	world_advance(2100 * MS);
	check(frames == 3, "third SYN");
	world_advance(300000 * MS);
	if (take_event(WEFT_EQE_TYPE_CM_CONNECT_REPLY, e)) check(GET(e, WEFT_EQE_CODE) == WEFT_CM_STATUS_TIMED_OUT, "TIMED_OUT");
	check(frames == 8, "%u SYN in all", frames);
	/* rejected, with private data */
	h = connect_start(2, 2 | 4);
	peer_send(TCP_SYN | TCP_ACK, NULL, 0, 0);
	ack_all();
	peer_send(TCP_ACK | TCP_PSH, f, reply_frame(f, &m), 0);
	if (take_event(WEFT_EQE_TYPE_CM_CONNECT_REPLY, e)) check(GET(e, WEFT_EQE_CODE) == WEFT_CM_STATUS_REJECTED && GET(e, WEFT_EQE_PD_BYTES) == 2, "REJECTED");
	check(last.flags & TCP_FIN, "FIN after a reject");
	query(h, "no", 2);
	ack_all();
	peer_send(TCP_ACK | TCP_FIN, NULL, 0, 0);
	no_event();
	/* the same, nobody asks for the private data, and the port is used again */
	h = connect_start(2, 2 | 4);
	peer_send(TCP_SYN | TCP_ACK, NULL, 0, 0);
	ack_all();
	peer_send(TCP_ACK | TCP_PSH, f, reply_frame(f, &m), 0);
	take_event(WEFT_EQE_TYPE_CM_CONNECT_REPLY, e);
	ack_all();
	peer_send(TCP_ACK | TCP_FIN, NULL, 0, 0);
	w = h;
	h = connect_start(2, 2 | 4);
	check(simple(w, WEFT_ADMIN_OP_QUERY_CONN) == WEFT_ADMIN_STATUS_NOT_FOUND, "handle of a rejected connection");
	check(simple(h, WEFT_ADMIN_OP_ABORT) == 0, "ABORT while connecting");
	take_event(WEFT_EQE_TYPE_CM_CONNECT_REPLY, e);
	no_event();
	/* garbage instead of a reply */
	cport++;
	h = connect_start(2, 2 | 4);
	peer_send(TCP_SYN | TCP_ACK, NULL, 0, 0);
	ack_all();
	peer_send(TCP_ACK | TCP_PSH, "MPA ID Req Frame\0\1\0\0", 20, 0);
	if (take_event(WEFT_EQE_TYPE_CM_CONNECT_REPLY, e)) check(GET(e, WEFT_EQE_CODE) == WEFT_CM_STATUS_PROTOCOL, "PROTOCOL");
	check(last.flags & TCP_RST, "RST after a broken reply");
	/* peer wants more reads than we take: Terminate 2/0/6, FIN */
	cport++;
	h = connect_start(2, 2 | 4);
	peer_send(TCP_SYN | TCP_ACK, NULL, 0, 0);
	ack_all();
	m.reject = false;
	m.ord = 200;
	peer_send(TCP_ACK | TCP_PSH, f, reply_frame(f, &m), 0);
	if (take_event(WEFT_EQE_TYPE_CM_CONNECT_REPLY, e)) check(GET(e, WEFT_EQE_CODE) == WEFT_CM_STATUS_PROTOCOL, "PROTOCOL");
	check(last.len == 28 && (last.flags & TCP_FIN) && last_data[0] == 0 && last_data[1] == 22 && last_data[3] == 0x47 && last_data[20] == 0x20
	      && last_data[21] == 6, "Terminate 2/0/6");
	ack_all();
	peer_send(TCP_ACK | TCP_FIN, NULL, 0, 0);
	/* the reply in two pieces, with bytes behind it, and lost request */
	cport++;
	h = connect_start(2, 2 | 4);
	peer_send(TCP_SYN | TCP_ACK, NULL, 0, 0);
	ack_all();
	frames = 0;
	world_advance(400 * MS);
	check(frames == 1 && last.len == 36, "request again");
	m.ord = 1;
	reply_frame(f, &m);
	memcpy(f + 26, "an FPDU", 7);
	peer_send(TCP_ACK, f, 9, 0);
	peer_send(TCP_ACK, f + 9, 24, 0);
	pseq -= 7;
	if (take_event(WEFT_EQE_TYPE_CM_CONNECT_REPLY, e)) check(GET(e, WEFT_EQE_CODE) == 0 && GET(e, WEFT_EQE_ID) == h, "reply in pieces");
	expect_contexts(2, false, true);
	check(last.ack == pseq, "bytes behind the reply are not acknowledged");
	/* abort */
	check(simple(h, WEFT_ADMIN_OP_ABORT) == 0 && (last.flags & TCP_RST), "ABORT");
	if (take_event(WEFT_EQE_TYPE_CM_CLOSE, e)) check(GET(e, WEFT_EQE_CODE) == WEFT_CM_STATUS_ABORTED, "CM_CLOSE after ABORT");
	drop_qp(2);
	no_event();
}

static uint32_t listener;
/* Passive open up to CM_CONNECT_REQUEST. */
static uint32_t request(const struct mpa *m)
{
	uint8_t f[600];
	uint32_t e[16], h = 0;

	pseq = 0x100 + (world_rand() & 0xffff);
	pack = 0;
	frames = 0;
	peer_send(TCP_SYN, NULL, 0, 0);
	check(frames == 1 && last.flags == (TCP_SYN | TCP_ACK) && last.ack == pseq, "SYN-ACK");
	ack_all();
	peer_send(TCP_ACK, NULL, 0, 0);
	peer_send(TCP_ACK | TCP_PSH, f, mpa_build(f, m), 0);
	if (take_event(WEFT_EQE_TYPE_CM_CONNECT_REQUEST, e)) {
		h = GET(e, WEFT_EQE_ID);
		check(GET(e, WEFT_EQE_HANDLE) == 0xc00c1e && GET(e, WEFT_EQE_PD_BYTES) == m->pd_len && GET(e, WEFT_EQE_PEER_PORT) == pport
		      && GET(e, WEFT_EQE_LOCAL_PORT) == cport && GET(e, WEFT_EQE_IRD) == m->ird, "CM_CONNECT_REQUEST");
	}
	return h;
}
static uint32_t accept(unsigned qpn, const struct mpa *m, struct mpa *rep)
{
	uint64_t t0 = world_cycle();
	uint32_t c[16], e[16], h = request(m);

	query(h, (const char *)m->pd, m->pd_len);
	cmd_cm(c, h, qpn, 7);
	SET(c, WEFT_ADMIN_CM_FLAGS, 4);
	check(run(c, WEFT_ADMIN_OP_ACCEPT) == 0, "ACCEPT: status %u", GET(rsp, WEFT_ADMIN_RSP_STATUS));
	take_event(WEFT_EQE_TYPE_CM_ESTABLISHED, e);
	check(mpa_parse(last_data, last.len, true, rep) == last.len && rep->pd_len == 7 && rep->crc, "MPA reply");
	ack_all();
	expect_contexts(qpn, true, true);
	check(GET(room_ctx[WEFT_ROOM_QP_TX][qpn], WEFT_CTX_TX_SND_UNA) == last.seq, "snd_una is the start of the reply");
	if (world_cycle()) world_note("passive open: %llu cycles in all", (unsigned long long)(world_cycle() - t0));
	return h;
}
static void hw_event(unsigned kind, unsigned qpn, unsigned code, uint32_t data0, unsigned hdr)
{
	uint32_t ev[16] = { 0 };

	SET(ev, WEFT_FW_EVENT_KIND, kind);
	SET(ev, WEFT_FW_EVENT_ID, qpn);
	SET(ev, WEFT_FW_EVENT_CODE, code);
	SET(ev, WEFT_FW_EVENT_DATA0, data0);
	SET(ev, WEFT_FW_EVENT_DATA1, 77);
	SET(ev, WEFT_FW_EVENT_HDR_BYTES, hdr);
	for (unsigned i = 0; i < hdr; i++) BYTES(ev, WEFT_FW_EVENT_HDR)[i] = (uint8_t)(i + 1);
	world_event_in(ev);
	world_run();
}

static void passive(void)
{
	struct mpa m = { .rev = 2, .enhanced = true, .ird = 2, .ord = 3, .pd = (const uint8_t *)"request", .pd_len = 7 }, rep;
	uint32_t c[16], e[16], h, w, *t;

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
	t = room_ctx[WEFT_ROOM_QP_TX][3];
	check(rep.enhanced && rep.rev == 2 && rep.ord == 2 && rep.ird == 4, "reply of revision 2: IRD %u ORD %u", rep.ird, rep.ord);
	frames = 0;
	hw_event(WEFT_FW_EV_FW_REXMIT, 3, 0, GET(t, WEFT_CTX_TX_SND_UNA), 0);
	check(frames == 1 && last.len == 31 && last.seq == GET(t, WEFT_CTX_TX_SND_UNA), "reply again");
	SET(t, WEFT_CTX_TX_SND_UNA, GET(t, WEFT_CTX_TX_SND_NXT));
	world_advance(1000 * MS);
	hw_event(WEFT_FW_EV_RX_FIN, 3, 0, 0, 0);
	take_event(WEFT_EQE_TYPE_CM_DISCONNECT, e);
	check(ctx_state(WEFT_ROOM_QP_TX, 3) == WEFT_QP_STATE_HALT, "our half follows");
	check(simple(h, WEFT_ADMIN_OP_DISCONNECT) == 0, "DISCONNECT meanwhile");
	acked(3);
	pseq++; /* its FIN */
	check(last.flags == (TCP_FIN | TCP_ACK) && last.ack == pseq, "FIN that acknowledges FIN");
	ack_all();
	peer_send(TCP_ACK, NULL, 0, 0);
	if (take_event(WEFT_EQE_TYPE_CM_CLOSE, e)) check(GET(e, WEFT_EQE_CODE) == 0, "CM_CLOSE");
	drop_qp(3);
	no_event();

	/* revision 1, then a fault: Terminate goes out through the value slot */
	m.rev = 1;
	m.enhanced = false;
	m.ird = 0;
	pport++;
	make_qp(4);
	h = accept(4, &m, &rep);
	check(rep.rev == 1 && !rep.enhanced, "reply of revision 1");
	SET(room_ctx[WEFT_ROOM_RX][4], WEFT_CTX_RX_RCV_NXT, ++pseq); /* something good has come */
	hw_event(WEFT_FW_EV_RX_FAULT, 4, 0x1100, 0, 14);
	if (take_event(WEFT_EQE_TYPE_QP_ERROR, e))
		check(GET(e, WEFT_EQE_CODE) == WEFT_QP_EVENT_TERMINATE_SENT && GET(e, WEFT_EQE_DATA0) == 0x1100c000, "QP_ERROR %x", GET(e, WEFT_EQE_DATA0));
	check(room_last_cmd[WEFT_ROOM_QP_TX] == WEFT_CTX_CMD_SEND_VALUE, "SEND_VALUE");
	for (w = 0; w < 16 && memcmp(room_value[w], "\x11\0\xc0\0\0\x4d\1\2\3", 9); w++) {}
	check(w < 16, "Terminate in a value slot");
	acked(4);
	check(last.flags == (TCP_FIN | TCP_ACK), "FIN after the Terminate");
	ack_all();
	peer_send(TCP_ACK | TCP_FIN, NULL, 0, 0);
	if (take_event(WEFT_EQE_TYPE_CM_CLOSE, e)) check(GET(e, WEFT_EQE_CODE) == WEFT_CM_STATUS_ABORTED, "CM_CLOSE after fault");
	drop_qp(4);
	no_event();

	/* the same in the very first FPDU: firmware sends the Terminate itself */
	pport++;
	make_qp(4);
	h = accept(4, &m, &rep);
	SET(room_ctx[WEFT_ROOM_QP_TX][4], WEFT_CTX_TX_SND_UNA, pack);
	hw_event(WEFT_FW_EV_RX_FAULT, 4, 0x1100, 0, 14);
	take_event(WEFT_EQE_TYPE_QP_ERROR, e);
	check(last.flags == (TCP_FIN | TCP_ACK | TCP_PSH) && last.len == 44 && !memcmp(last_data, "\0\x26\x41\x47", 4)
	      && !memcmp(last_data + 20, "\x11\0\xc0\0\0\x4d\1\2\3", 9), "Terminate of firmware, %u bytes", last.len);
	ack_all();
	peer_send(TCP_ACK | TCP_FIN, NULL, 0, 0);
	take_event(WEFT_EQE_TYPE_CM_CLOSE, e);
	drop_qp(4);

	/* RST: in window is challenged, exact kills (RFC 5961) */
	pport++;
	make_qp(5);
	h = accept(5, &m, &rep);
	pseq += 10;
	frames = 0;
	peer_send(TCP_RST, NULL, 0, 5);
	check(frames == 1 && last.flags == TCP_ACK && last.ack == pseq - 10, "challenge ACK");
	pseq -= 10;
	peer_send(TCP_RST, NULL, 0, 5);
	take_event(WEFT_EQE_TYPE_QP_ERROR, e);
	if (take_event(WEFT_EQE_TYPE_CM_CLOSE, e)) check(GET(e, WEFT_EQE_CODE) == WEFT_CM_STATUS_RESET, "CM_CLOSE after RST");
	check(ctx_state(WEFT_ROOM_RX, 5) == WEFT_QP_STATE_ERR, "ERROR after RST");
	drop_qp(5);

	/* Terminate received; give-up of TCP; reject; destroy while connected */
	pport++;
	make_qp(6);
	h = accept(6, &m, &rep);
	SET(room_ctx[WEFT_ROOM_QP_TX][6], WEFT_CTX_TX_SND_UNA, pack);
	hw_event(WEFT_FW_EV_RX_TERMINATE, 6, 0, 0, 46);
	if (take_event(WEFT_EQE_TYPE_QP_ERROR, e)) check(GET(e, WEFT_EQE_CODE) == WEFT_QP_EVENT_TERMINATE_RECEIVED && GET(e, WEFT_EQE_DATA0) == 0x13141516, "Terminate in");
	check(last.flags == (TCP_FIN | TCP_ACK), "FIN after a Terminate from the peer");
	ack_all();
	peer_send(TCP_FIN | TCP_ACK, NULL, 0, 0);
	take_event(WEFT_EQE_TYPE_CM_CLOSE, e);
	drop_qp(6);
	pport++;
	make_qp(6);
	h = accept(6, &m, &rep);
	hw_event(WEFT_FW_EV_TX_TIMEOUT, 6, 0, 0, 0);
	take_event(WEFT_EQE_TYPE_QP_ERROR, e);
	if (take_event(WEFT_EQE_TYPE_CM_CLOSE, e)) check(GET(e, WEFT_EQE_CODE) == WEFT_CM_STATUS_TIMED_OUT, "TCP gave up");
	drop_qp(6);
	pport++;
	h = request(&m);
	cmd_cm(c, h, 0, 3);
	check(run(c, WEFT_ADMIN_OP_REJECT) == 0 && mpa_parse(last_data, last.len, true, &rep) > 0 && rep.reject && (last.flags & TCP_FIN), "REJECT");
	ack_all();
	peer_send(TCP_FIN | TCP_ACK, NULL, 0, 0);
	pport++;
	make_qp(7);
	h = accept(7, &m, &rep);
	drop_qp(7);
	if (take_event(WEFT_EQE_TYPE_CM_CLOSE, e)) check(GET(e, WEFT_EQE_CODE) == WEFT_CM_STATUS_ABORTED, "destroyed while connected");
	check(last.flags & TCP_RST, "RST when a connected QP goes");

	/* nobody asks, nobody answers: every wait ends */
	pport++;
	pseq = 99;
	peer_send(TCP_SYN, NULL, 0, 0);
	ack_all();
	peer_send(TCP_ACK, NULL, 0, 0);
	frames = 0;
	world_advance(11000 * MS);
	check(frames == 1 && (last.flags & TCP_RST), "no request: reset");
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
		peer_send(TCP_SYN, NULL, 0, 0);
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
	peer_send(TCP_SYN, NULL, 0, 0);
	check(last.flags == (TCP_RST | TCP_ACK), "RST when nobody listens");
	no_event();
}

/* More connects than slots: the one too many waits until a slot is free. */
static void many(void)
{
	uint32_t c[16], e[16];

	cport = 6000;
	pport++;
	world_advance(100000 * MS);
	for (unsigned q = 1; q < 15; q++) make_qp(q);
	for (unsigned q = 1; q < 15; q++) {
		cport++;
		connect_start(q, 2 | 4);
	}
	/* two more from peers that say nothing: all 16 are taken */
	cport = 4420;
	cmd_cm(c, 0, 0, 0);
	check(run(c, WEFT_ADMIN_OP_LISTEN) == 0, "LISTEN");
	for (int i = 0; i < 2; i++) {
		pport++;
		pseq = 9;
		pack = 0;
		peer_send(TCP_SYN, NULL, 0, 0);
		ack_all();
		peer_send(TCP_ACK, NULL, 0, 0);
	}
	make_qp(15);
	cport = 7000;
	cmd_cm(c, 0, 15, 0);
	SET(c, WEFT_ADMIN_CMD_OP, WEFT_ADMIN_OP_CONNECT);
	SET(c, WEFT_ADMIN_CMD_TAG, 99);
	post(c);
	world_reg_write(WEFT_REG_ADMIN_DB, sq_index);
	world_run();
	check(!reap(), "no slot: the command waits");
	world_advance(1100 * MS); /* all SYN come again; the last seen is answered */
	cport = last.path.pport; /* as the peer sees it */
	pport = last.path.lport;
	pseq = 1;
	ack_all();
	peer_send(TCP_RST | TCP_ACK, NULL, 0, 0);
	take_event(WEFT_EQE_TYPE_CM_CONNECT_REPLY, e);
	check(reap() && GET(rsp, WEFT_ADMIN_RSP_TAG) == 99 && GET(rsp, WEFT_ADMIN_RSP_STATUS) == 0, "the command that waited");
	check(last.flags == TCP_SYN && last.path.pport == 7000, "its SYN");
	for (unsigned q = 1; q < 16; q++) drop_qp(q);
	check(eqe_n == 14, "%u connects ended", eqe_n);
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

void scenarios(void)
{
	admin_start();
	objects();
	active();
	refused();
	passive();
	many();
	isns();
}
