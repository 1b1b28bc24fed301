// SPDX-License-Identifier: BSD-2-Clause
/*
 * Two cards back to back: wire, host memory, firmware and user of both. Firmware writes homes, look-up entries, STags and CQ contexts,
 * and gives chunks and pages; the user posts WQEs and receives, rings, and reads completions. Compared: every byte of every
 * message when it completes, order and fields of completions, and at the end all data memory of both hosts against what the
 * messages should have left there.
 *
 * +conns=N connections, +ops=N operations a direction in all, +only=1 in-line Writes, 2 Writes, 4 Sends, 8 Reads (a mask), +deep=N under
 * way of a direction, +lat=N largest latency of a read, +loss=N frames lost of 1,000, +dump=1 prints frames.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tb.h"
#include "weft_abi.h"

typedef uint64_t u64;
typedef uint32_t u32;
enum { RQ = 0, RS = 7, WR = 14, DB = 18, EV, CEV, FW, L2, PAGE, STATE, TX, RX, IRQ };
enum { MAXC = 40, MEM = 16 << 20, HOMES = 2 << 20, RINGS = 3 << 20, DATA = 4 << 20, EACH = 0x20000, DEEP = 8, MSG = 4096, CQ_LOG2 = 8, RQ_LOG2 = 4, SQ_LOG2 = 6 };
enum { O_INL = 1, O_WRITE = 2, O_SEND = 4, O_READ = 8 };
enum { START = 20, WND = 65536, MSS = 1440 };
#define QPN(i) ((i) + 3)
#define SQ_AT(i) (0x10000 + (i) * 0x2000)
#define RQ_AT(i) (SQ_AT(i) + 0x1000)
#define CQ_AT(i) (0x80000 + (i) * 0x2000)
#define D_AT(i) (DATA + (i) * EACH)
#define STAG(i) ((u32)((i) + 1) << 8 | 0x5a)
#define VA(i) (0x7f0012340000ull + (u64)(i) * 0x10000000)
#define ISS(c, i) (0xfffff000u + 0x01000000u * (i) + 77u * (c))

struct op { unsigned kind, len, slot; bool live; uint8_t *was; u64 at; };
static struct side { /* one direction's user */
	struct op op[256];      /* by index mod 256 */
	unsigned posted, done;  /* WQE indices */
	unsigned sent, recv_posted, recv_done;
	unsigned ci;            /* consumer index of the CQ */
	unsigned rung, rq_rung;
	struct { unsigned len; uint8_t *was; } snd[256];
} s[2][MAXC];
static uint8_t *mem[2], *want[2];
static struct rdq { struct rdq *next; u64 at, addr; unsigned len; } *rdq[2][7], **rdt[2][7];
static unsigned conns, ops, only, deep, lat, loss, dump, issued, completed, recvs, frames[2], lost;
static bool pinned[2];
static unsigned state[2], created[2], stat[2][20];
static u64 last_move, first_at, rest;
static enum { S_RESET, S_SETUP, S_CREATE, S_RUN, S_REST, S_END } st;

/* ---- host memory ---- */
static void on_rq(int port, const uint8_t *b, void *arg)
{
	struct rdq *q = calloc(1, sizeof *q);
	int c = port / 32, i = port % 32;

	q->addr = tb_bits_get(b, 0, 64);
	q->len = tb_bits_get(b, 64, 16);
	q->at = tb_cycle() + tb_range(20, lat);
	tb_check(q->len && q->addr + q->len <= MEM, "card %d reads %u bytes at %llx (client %d)", c, q->len, (unsigned long long)q->addr, i);
	if (dump > 1)
		printf("# %llu card %d client %d reads %u at %llx\n", (unsigned long long)tb_cycle(), c, i, q->len, (unsigned long long)q->addr);
	if (q->addr + q->len > MEM)
		q->addr = 0;
	*rdt[c][i] = q;
	rdt[c][i] = &q->next;
}

static void on_wr(int port, const uint8_t *d, size_t len, const uint8_t *side, bool err, void *arg)
{
	int c = port / 32;
	u64 addr = tb_bits_get(side, 0, 64);

	tb_check(tb_bits_get(side, 64, 16) == len, "card %d client %d: header of %u bytes, packet of %zu", c, port % 32 - WR, (unsigned)tb_bits_get(side, 64, 16), len);
	tb_check(addr + len <= MEM, "card %d writes %zu bytes at %llx (client %d)", c, len, (unsigned long long)addr, port % 32 - WR);
	if (dump > 1)
		printf("# %llu card %d client %d writes %zu at %llx\n", (unsigned long long)tb_cycle(), c, port % 32 - WR, len, (unsigned long long)addr);
	if (addr + len <= MEM)
		memcpy(mem[c] + addr, d, len);
}

/* ---- wire ---- */
static void on_tx(int port, const uint8_t *d, size_t len, const uint8_t *side, bool err, void *arg)
{
	int c = port / 32;

	frames[c]++;
	if (dump) {
		printf("# %llu card %d sends %zu:", (unsigned long long)tb_cycle(), c, len);
		for (size_t i = 0; i < len && i < 160; i++)
			printf("%s%02x", i % 16 ? " " : "\n#   ", d[i]);
		printf("\n");
	}
	if (loss && st == S_RUN && tb_below(1000) < loss) {
		lost++;
		return;
	}
	tb_packet_push((c ^ 1) * 32 + RX, d, len, NULL, 0, false);
}

/* ---- firmware ---- */
static void f(uint8_t *l, unsigned lsb, unsigned w, u64 v) { tb_bits_set(l, lsb, w, w == 64 ? v : v & ((1ull << w) - 1)); }
#define F(S, x, v) f(l, WEFT_##S##_##x##_LSB, WEFT_##S##_##x##_WIDTH, v)

static void home(int c, unsigned i)
{
	uint8_t *h = mem[c] + HOMES + 2048 * QPN(i), *l = h;

	memset(h, 0, 2048);
	memcpy(l, (uint8_t[]){ 10, 0, 0, 1 + c }, 4);
	memcpy(l + 16, (uint8_t[]){ 10, 0, 0, 2 - c }, 4);
	F(HOME_KEY, LOCAL_PORT, 20000 + i); F(HOME_KEY, PEER_PORT, 20000 + i); F(HOME_KEY, L2, 1); F(HOME_KEY, TTL, 64);
	F(HOME_KEY, ALIGNED, 1);
	l = h + 64;
	F(HOME_SND, UNA, START); F(HOME_SND, SND_MAX, START); F(HOME_SND, SEQ0, ISS(c, i)); F(HOME_SND, WND_EDGE, START + WND);
	F(HOME_SND, WL1, ISS(c ^ 1, i) + START); F(HOME_SND, WL2, ISS(c, i) + START); F(HOME_SND, MAX_WND, WND); F(HOME_SND, RECOVER, START);
	F(HOME_SND, RTX_NXT, START); F(HOME_SND, MSS, MSS); F(HOME_SND, STATE, WEFT_TCP_STATE_OPEN); F(HOME_SND, WSCALE, 1);
	F(HOME_SND, SND_SHIFT, 3); F(HOME_SND, RCV_SHIFT, 3);
	l = h + 128;
	F(HOME_RCV, COMMITTED, START); F(HOME_RCV, RCV_NXT, START); F(HOME_RCV, RIGHT, START + WND); F(HOME_RCV, SEQ0, ISS(c ^ 1, i));
	F(HOME_RCV, LAST_ACK, ISS(c ^ 1, i) + START); F(HOME_RCV, ADV, ISS(c ^ 1, i) + START + WND); F(HOME_RCV, WEFT, 1);
	l = h + 256;
	F(HOME_SQ, SQ_BASE, SQ_AT(i)); F(HOME_SQ, SQ_LOG2, SQ_LOG2); F(HOME_SQ, CRC, 1); F(HOME_SQ, STATE, WEFT_QP_STATE_RTS);
	F(HOME_SQ, CQN, i); F(HOME_SQ, PD, 7); F(HOME_SQ, FIRST, START); F(HOME_SQ, MSS, MSS); F(HOME_SQ, ORD, 4); F(HOME_SQ, IRD, 4);
	F(HOME_SQ, OFF, START); F(HOME_SQ, UNA, START); F(HOME_SQ, LIMIT, START); F(HOME_SQ, SEND_MSN, 1); F(HOME_SQ, READ_MSN, 1);
	l = h + 384;
	F(HOME_MPA, NEXT, START); F(HOME_MPA, RCV_EDGE, START + WND); F(HOME_MPA, FIRST, START); F(HOME_MPA, CRC, 1); F(HOME_MPA, FRESH, 1);
	l = h + 448;
	F(HOME_RDMAP, RQ_BASE, RQ_AT(i)); F(HOME_RDMAP, RQ_LOG2, RQ_LOG2); F(HOME_RDMAP, STATE, WEFT_QP_STATE_RTS); F(HOME_RDMAP, CQN, i);
	F(HOME_RDMAP, PD, 7); F(HOME_RDMAP, ACCESS, 0x1f); F(HOME_RDMAP, IRD, 4); F(HOME_RDMAP, SEND_MSN, 1); F(HOME_RDMAP, READ_MSN, 1);
	F(HOME_RDMAP, FIRST, 1);
}

static void wr_answer(u32 rdata, bool err, void *arg) { tb_check(!err, "a write of register %lx is refused", (long)arg); }
static void reg(int c, unsigned room, unsigned off, u32 v)
{
	u32 a = (u32)(room | c << 5) << 22 | off;

	tb_cfg_write_fn(a, v, wr_answer, (void *)(long)a);
}
static void look_answer(u32 rdata, bool err, void *arg) { tb_check(!err && (rdata & 7) == WEFT_LOOK_STATUS_OK, "look-up command: %x", rdata); }
static void wait_look(u32 rdata, bool err, void *arg)
{
	if (rdata >> 31)
		tb_cfg_read((u32)(WEFT_ROOM_CONN | (long)arg << 5) << 22 | WEFT_LOOK_STATUS, wait_look, arg);
	else
		look_answer(rdata, err, arg);
}

static void db(int c, unsigned kind, unsigned id, unsigned index, unsigned arm)
{
	uint8_t b[8] = { 0 };

	tb_bits_set(b, 0, 2, arm);
	tb_bits_set(b, 2, 24, index);
	tb_bits_set(b, 26, 24, id);
	tb_bits_set(b, 50, 2, kind);
	tb_item_push(32 * c + DB, b, 7);
}

static void setup(int c)
{
	uint8_t l[64];
	static const uint8_t mac[2][6] = { { 2, 0, 0, 0, 0, 1 }, { 2, 0, 0, 0, 0, 2 } };

	reg(c, WEFT_ROOM_STEER, WEFT_STEER_MAC_LO, mac[c][0] | mac[c][1] << 8 | mac[c][2] << 16 | (u32)mac[c][3] << 24);
	reg(c, WEFT_ROOM_STEER, WEFT_STEER_MAC_HI, mac[c][4] | mac[c][5] << 8);
	reg(c, WEFT_ROOM_STEER, WEFT_STEER_KEY_LO, 0x12345678 + c);
	reg(c, WEFT_ROOM_STEER, WEFT_STEER_KEY_HI, 0x9abcdef0);
	for (unsigned p = 20000 / 32; p <= (20000 + conns) / 32; p++)
		reg(c, WEFT_ROOM_STEER, p * 4, ~0u);
	memset(l, 0, sizeof l);
	memcpy(l, mac[c ^ 1], 6);
	memcpy(l + 8, mac[c], 6);
	F(L2E, MTU, 1500); F(L2E, VALID, 1);
	tb_cfg_ctx(WEFT_ROOM_L2T | c << 5, 1, l);
	reg(c, WEFT_ROOM_CTX, WEFT_CTX_CHUNK_LO, HOMES);
	reg(c, WEFT_ROOM_CTX, WEFT_CTX_CHUNK_HI, 0);
	reg(c, WEFT_ROOM_CTX, WEFT_CTX_CHUNK_SET, 1u << 31);
	for (unsigned i = 0; i < conns; i++) {
		memset(l, 0, sizeof l);
		F(TPT, STAG, STAG(i)); F(TPT, STATE, WEFT_TPT_STATE_VALID); F(TPT, ACCESS, 0x1f); F(TPT, PAGE_LOG2, 12); F(TPT, DIRECT, 1);
		F(TPT, PD, 7); F(TPT, BASE, VA(i)); F(TPT, LENGTH, EACH); F(TPT, PBL, D_AT(i)); F(TPT, PBL_COUNT, EACH / 4096);
		tb_cfg_ctx(WEFT_ROOM_TPT | c << 5, i + 1, l);
		memset(l, 0, sizeof l);
		F(CTX_CQ, BASE, CQ_AT(i)); F(CTX_CQ, LOG2, CQ_LOG2); F(CTX_CQ, EQN, 0xffff); F(CTX_CQ, VALID, 1);
		tb_cfg_ctx(WEFT_ROOM_CQ | c << 5, i, l);
		home(c, i);
		db(c, 1, QPN(i), 0, 0);
	}
	for (unsigned i = 0; i < 256; i++) {
		u64 a = RINGS + i * 4096;

		tb_item_push(32 * c + PAGE, &a, 8);
	}
}

/* Look-up entry, then the connection exists. */
static void create(int c, unsigned i)
{
	for (unsigned k = 0; k < 8; k++)
		reg(c, WEFT_ROOM_CONN, WEFT_LOOK_LOCAL + 4 * k, k == 0 ? 0x0000000au | (u32)(1 + c) << 24 : k == 4 ? 0x0000000au | (u32)(2 - c) << 24 : 0);
	reg(c, WEFT_ROOM_CONN, WEFT_LOOK_PORTS, (20000 + i) << 16 | (20000 + i));
	reg(c, WEFT_ROOM_CONN, WEFT_LOOK_QPN, QPN(i));
	reg(c, WEFT_ROOM_CONN, WEFT_LOOK_CMD, WEFT_LOOK_CMD_INSERT);
	tb_cfg_read((u32)(WEFT_ROOM_CONN | c << 5) << 22 | WEFT_LOOK_STATUS, wait_look, (void *)(long)c);
	reg(c, WEFT_ROOM_CTX, WEFT_CTX_QPN, QPN(i));
	reg(c, WEFT_ROOM_CTX, WEFT_CTX_ARG, 0);
	reg(c, WEFT_ROOM_CTX, WEFT_CTX_CMD, 1u << 31 | WEFT_HOME_OP_CREATE);
}

static void on_ev(int port, const uint8_t *b, void *arg)
{
	int c = port / 32;
	unsigned kind = b[0], code = tb_bits_get(b, 16, 16);

	if (port % 32 == EV && kind == WEFT_FW_EV_HOME_DONE && (code & 0xff) == WEFT_HOME_OP_CREATE) {
		tb_check(code >> 8 & 1, "card %d: create of %u failed", c, (unsigned)tb_bits_get(b, 32, 32));
		created[c]++;
		if (created[c] < conns)
			create(c, created[c]);
		return;
	}
	tb_fail("card %d: event kind %u code %x id %u data %x %x", c, kind, code, (unsigned)tb_bits_get(b, 32, 32), (unsigned)tb_bits_get(b, 64, 32),
		(unsigned)tb_bits_get(b, 96, 32));
}

static void on_frame(int port, const uint8_t *d, size_t len, const uint8_t *side, bool err, void *arg)
{
	tb_fail("card %d: %s gets a frame of %zu bytes", port / 32, port % 32 == FW ? "firmware" : "network device", len);
}

/* ---- user ---- */
static unsigned post_recv(int c, unsigned i)
{
	struct side *q = &s[c][i];
	uint8_t *l = mem[c] + RQ_AT(i) + 64 * (q->recv_posted % (1 << RQ_LOG2));

	memset(l, 0, 64);
	F(RQE, NUM_SGE, 1); F(RQE, INDEX, q->recv_posted & 0xffff); F(RQE, LENGTH, MSG);
	l += 16;
	F(SGE, ADDR, VA(i) + 0x10000 + q->recv_posted % DEEP * MSG); F(SGE, LENGTH, MSG); F(SGE, LKEY, STAG(i));
	return ++q->recv_posted;
}

static void post(int c, unsigned i)
{
	struct side *q = &s[c][i], *p = &s[c ^ 1][i];
	unsigned kind, idx = q->posted, n = 0;
	struct op *o = &q->op[idx % 256];
	uint8_t *l = mem[c] + SQ_AT(i) + 64 * (idx % (1 << SQ_LOG2)), *src = mem[c] + D_AT(i) + idx % DEEP * MSG;

	do
		kind = 1u << tb_below(4);
	while (!(kind & only));
	if (kind == O_SEND && p->recv_posted == q->sent)
		return;
	memset(o, 0, sizeof *o);
	o->kind = kind;
	o->slot = idx % DEEP;
	o->len = kind == O_INL ? tb_range(1, 32) : tb_chance(40) ? 64 : tb_chance(10) && kind != O_READ ? 0 : tb_range(1, MSG);
	if (tb_opt("len", 0))
		o->len = tb_opt("len", 0);
	o->live = true;
	o->at = tb_cycle();
	o->was = malloc(MSG);
	if (kind != O_READ) {
		tb_rand_bytes(src, o->len);
		memcpy(want[c] + D_AT(i) + idx % DEEP * MSG, src, o->len);
		memcpy(o->was, src, o->len);
	} else {
		memcpy(o->was, mem[c ^ 1] + D_AT(i) + 0x18000 + o->slot * MSG, o->len);
	}
	memset(l, 0, 64);
	F(SQE, OPCODE, kind == O_SEND ? WEFT_SQ_OPCODE_SEND : kind == O_READ ? WEFT_SQ_OPCODE_READ : WEFT_SQ_OPCODE_WRITE);
	F(SQE, SIGNALED, 1); F(SQE, INLINE, kind == O_INL); F(SQE, INDEX, idx & 0xffff); F(SQE, LENGTH, o->len);
	if (kind != O_SEND) {
		F(SQE, RSTAG, STAG(i));
		F(SQE, RADDR, VA(i) + (kind == O_READ ? 0x18000 : 0x8000) + o->slot * MSG);
	}
	if (kind == O_INL) {
		memcpy(l + 32, src, o->len);
	} else {
		n = o->len > 100 && kind != O_READ && tb_chance(50) ? 2 : 1;
		F(SQE, NUM_SGE, n);
		for (unsigned k = 0, at = 0, part; k < n; k++, at += part) {
			part = k + 1 == n ? o->len - at : tb_range(1, o->len - 1);
			l = mem[c] + SQ_AT(i) + 64 * (idx % (1 << SQ_LOG2)) + 32 + 16 * k;
			F(SGE, ADDR, VA(i) + idx % DEEP * MSG + at); F(SGE, LENGTH, part); F(SGE, LKEY, STAG(i));
		}
	}
	if (kind == O_SEND) {
		q->snd[q->sent % 256].len = o->len;
		q->snd[q->sent % 256].was = malloc(MSG);
		memcpy(q->snd[q->sent % 256].was, src, o->len);
		q->sent++;
	}
	q->posted++;
	issued++;
}

static void compare(int c, unsigned i, unsigned at, const uint8_t *w, unsigned len, const char *what, unsigned idx)
{
	uint8_t *g = mem[c] + D_AT(i) + at;

	for (unsigned k = 0; k < len; k++)
		if (g[k] != w[k]) {
			tb_fail("connection %u, card %d: %s %u of %u bytes differs from byte %u on: %02x %02x %02x, want %02x %02x %02x", i, c, what, idx, len, k,
				g[k], g[k + 1], g[k + 2], w[k], w[k + 1], w[k + 2]);
			break;
		}
	memcpy(want[c] + D_AT(i) + at, w, len);
}

static void poll(int c, unsigned i)
{
	struct side *q = &s[c][i], *p = &s[c ^ 1][i];
	uint8_t *e = mem[c] + CQ_AT(i) + 32 * (q->ci % (1 << CQ_LOG2));

	if (e[31] >> 7 == (q->ci >> CQ_LOG2 & 1))
		return;
	unsigned qpn = tb_bits_get(e, 0, 24), opc = e[3], idx = tb_bits_get(e, 32, 16), status = e[6], bytes = tb_bits_get(e, 64, 32);

	q->ci++;
	if (q->ci % 16 == 0)
		db(c, 2, i, q->ci, 0);
	last_move = tb_cycle();
	tb_check(qpn == QPN(i) && status == 0, "connection %u, card %d: completion of QP %u opcode %u index %u status %u", i, c, qpn, opc, idx, status);
	if (opc & 0x80) {
		tb_check(idx == (q->recv_done & 0xffff) && q->recv_done < p->sent, "connection %u, card %d: receive %u completes, want %u of %u", i, c, idx, q->recv_done, p->sent);
		tb_check(bytes == p->snd[idx % 256].len, "connection %u, card %d: receive %u of %u bytes, want %u", i, c, idx, bytes, p->snd[idx % 256].len);
		compare(c, i, 0x10000 + idx % DEEP * MSG, p->snd[idx % 256].was, p->snd[idx % 256].len, "receive", idx);
		free(p->snd[idx % 256].was);
		q->recv_done++;
		recvs++;
		return;
	}
	struct op *o = &q->op[idx % 256];

	tb_check(idx == (q->done & 0xffff) && o->live, "connection %u, card %d: WQE %u completes, want %u", i, c, idx, q->done);
	tb_check(opc == (o->kind == O_SEND ? WEFT_WC_OPCODE_SEND : o->kind == O_READ ? WEFT_WC_OPCODE_READ : WEFT_WC_OPCODE_WRITE), "connection %u, card %d: WQE %u is opcode %u",
		 i, c, idx, opc);
	if (o->kind == O_READ)
		compare(c, i, o->slot * MSG, o->was, o->len, "read", idx);
	else if (o->kind != O_SEND)
		compare(c ^ 1, i, 0x8000 + o->slot * MSG, o->was, o->len, o->kind == O_INL ? "in-line write" : "write", idx);
	free(o->was);
	o->live = false;
	q->done++;
	completed++;
	if (!first_at) {
		first_at = tb_cycle();
		tb_note("the first completion: %llu cycles behind its doorbell", (unsigned long long)(first_at - o->at));
	}
}

static void on_state(int port, const uint8_t *b, void *arg)
{
	state[port / 32] = tb_bits_get(b, 0, 2);
	pinned[port / 32] = tb_bits_get(b, 22, 1);
	for (unsigned k = 0; k < 20; k++)
		stat[port / 32][k] += tb_bits_get(b, 2 + k, 1);
}

void tb_setup(void)
{
	conns = tb_opt("conns", 40);
	ops = tb_opt("ops", 2000);
	only = tb_opt("only", 15);
	deep = tb_opt("deep", DEEP);
	lat = tb_opt("lat", 60);
	loss = tb_opt("loss", 0);
	dump = tb_opt("dump", 0);
	for (int c = 0; c < 2; c++) {
		mem[c] = calloc(1, MEM);
		want[c] = malloc(MEM);
		tb_rand_bytes(mem[c] + DATA, MAXC * EACH);
		memcpy(want[c], mem[c], MEM);
		for (int i = 0; i < 7; i++) {
			rdt[c][i] = &rdq[c][i];
			tb_on_item(32 * c + i, on_rq, NULL);
			if (!tb_opt("fast", 0))
				tb_snk_rate(32 * c + i, 80);
		}
		for (int i = 0; i < 4; i++) {
			tb_on_packet(32 * c + WR + i, on_wr, NULL);
			if (!tb_opt("fast", 0))
				tb_snk_rate(32 * c + WR + i, 80);
		}
		tb_on_item(32 * c + EV, on_ev, NULL);
		tb_on_item(32 * c + CEV, on_ev, NULL);
		tb_on_packet(32 * c + FW, on_frame, NULL);
		tb_on_packet(32 * c + L2, on_frame, NULL);
		tb_on_item(32 * c + STATE, on_state, NULL);
		tb_on_packet(32 * c + TX, on_tx, NULL);
	}
}

static void stuck(void)
{
	static const char *const name[20] = { "rx frames", "to connections", "rx dropped", "segments", "lost payload", "bad segments", "time-outs", "tx segments", "tx acks",
		"tx cut", "tx FPDUs", "void FPDUs", "rx FPDUs", "rx faults", "rings", "fetches", "bad WQEs", "hits", "misses", "evictions" };

	for (int c = 0; c < 2; c++) {
		printf("# card %d: ready %u idle %u;", c, state[c] >> 1, state[c] & 1);
		for (unsigned k = 0; k < 20; k++)
			printf(" %s %u", name[k], stat[c][k]);
		printf("\n");
		for (unsigned i = 0; i < conns; i++)
			if (s[c][i].done != s[c][i].posted || s[c][i].recv_done != s[c ^ 1][i].sent)
				printf("# card %d connection %u: posted %u rung %u done %u kind %u len %u, sent %u received by peer %u of posted %u\n", c, i, s[c][i].posted, s[c][i].rung,
				       s[c][i].done, s[c][i].op[s[c][i].done % 256].kind, s[c][i].op[s[c][i].done % 256].len, s[c][i].sent, s[c ^ 1][i].recv_done, s[c ^ 1][i].recv_posted);
	}
}

bool tb_step(void)
{
	for (int c = 0; c < 2; c++)
		for (int i = 0; i < 7; i++)
			while (rdq[c][i] && rdq[c][i]->at <= tb_cycle()) {
				struct rdq *q = rdq[c][i];

				tb_packet_push(32 * c + RS + i, mem[c] + q->addr, q->len, NULL, 0, false);
				if (!(rdq[c][i] = q->next))
					rdt[c][i] = &rdq[c][i];
				free(q);
			}
	/* While both cards wait for nothing but time, it passes faster (a card whose senders wait for slots is never idle). */
	rest = (state[0] & state[1] & 1) && !tb_pending(RX) && !tb_pending(32 + RX) ? rest + 1 : 0;
	if (rest > 100 || (st == S_RUN && tb_cycle() > last_move + 8000))
		tb_set_now(tb_get_now() + (rest > 100 ? 20000 : 1000));
	switch (st) {
	case S_RESET:
		if (!(state[0] & state[1] & 2)) {
			tb_check(tb_cycle() < 100000, "not ready");
			return tb_cycle() >= 100000;
		}
		setup(0);
		setup(1);
		st = S_SETUP;
		break;
	case S_SETUP:
		if (tb_cfg_pending())
			break;
		create(0, 0);
		create(1, 0);
		st = S_CREATE;
		last_move = tb_cycle();
		break;
	case S_CREATE:
		if (created[0] == conns && created[1] == conns && !tb_cfg_pending()) {
			tb_note("%llu: %u connections made", (unsigned long long)tb_cycle(), conns);
			st = S_RUN;
			last_move = tb_cycle();
		}
		break;
	case S_RUN: {
		int c = tb_below(2);
		unsigned i = tb_below(conns);
		struct side *q = &s[c][i];

		if (tb_opt("one", 0))
			c = 0, q = &s[0][i];
		/* a slot of eight is used again when its completion was seen, and, for Sends, the peer's receive too */
		if (issued < ops && q->posted - q->done < deep)
			post(c, i);
		if (q->posted != q->rung && (tb_chance(30) || issued == ops))
			db(c, 0, QPN(i), q->rung = q->posted, 0);
		c = tb_below(2);
		i = tb_below(conns);
		q = &s[c][i];
		if ((only & O_SEND) && q->recv_posted - q->recv_done < DEEP) {
			post_recv(c, i);
			db(c, 1, QPN(i), q->rq_rung = q->recv_posted, 0);
		}
		for (c = 0; c < 2; c++)
			for (i = 0; i < conns; i++)
				poll(c, i);
		if (completed == ops) {
			bool all = true;

			for (c = 0; c < 2; c++)
				for (i = 0; i < conns; i++)
					all &= s[c][i].recv_done == s[c ^ 1][i].sent;
			if (all) {
				st = S_REST;
				last_move = tb_cycle();
			}
		}
		break;
	}
	case S_REST: /* everything comes to rest */
		if ((state[0] & state[1] & 1) && tb_cycle() > last_move + 2000)
			return true;
		break;
	default:
		break;
	}
	if (tb_cycle() > last_move + (u64)tb_opt("patience", 60000) && st != S_RESET) {
		tb_fail("nothing moves: state %d, %u of %u issued, %u completed", st, issued, ops, completed);
		stuck();
		return true;
	}
	return false;
}

void tb_finish(void)
{
	for (int c = 0; c < 2; c++)
		for (unsigned i = 0; i < conns && st == S_REST; i++)
			for (unsigned k = 0; k < EACH; k++)
				if (mem[c][D_AT(i) + k] != want[c][D_AT(i) + k]) {
					tb_fail("connection %u, card %d: byte %x of its memory is %02x, want %02x", i, c, k, mem[c][D_AT(i) + k], want[c][D_AT(i) + k]);
					break;
				}
	if (st == S_REST)
		for (int c = 0; c < 2; c++)
			tb_check(!pinned[c], "card %d: pins are left", c);
	tb_check(completed == ops && (ops == 0 || completed), "%u of %u completed", completed, ops);
	tb_note("%u completed, %u received, frames %u %u, lost %u, evictions %u %u, time-outs %u %u, %llu cycles", completed, recvs, frames[0], frames[1], lost, stat[0][19],
		stat[1][19], stat[0][6], stat[1][6], (unsigned long long)tb_cycle());
	if (tb_opt("stats", 0))
		stuck();
}
