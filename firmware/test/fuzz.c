// SPDX-License-Identifier: BSD-2-Clause
/*
 * Hostile driver, peer and rooms: fuzz [SEED [STEPS]]. Random commands, segments close to what a slot expects, events, time.
 * Every command must be answered, the firmware must come to rest, and when all is torn down nothing may be left: no slot, no
 * connection, no port bit. With -fsanitize the rest is checked by the compiler's run time.
 */
#include <stdio.h>
#include <stdlib.h>

#include "cm.h"
#include "objects.h"
#include "world.h"

void fw_init(void);
extern int world_failures;

#define LOG2 4
#define N (1u << LOG2)
static uint16_t sq, cq;
static unsigned asked[256], answered[256];
static uint32_t handles[32], listeners[64], last_status;
static unsigned handle_n, listener_n, established;

void on_irq(unsigned v) { (void)v; }
void on_frame(const uint8_t *f, unsigned len)
{
	static uint8_t copy[2048];
	struct seg g;

	memcpy(copy, f, len);
	if (len < 60 || !net_parse(copy, len, len, &g)) {
		world_fail("bad frame of %u bytes from the card", len);
		for (unsigned i = 0; i < 64 && i < len; i++) printf("%02x ", f[i]);
		printf("\n");
	}
}
void on_event(unsigned eqn, const uint32_t e[16])
{
	unsigned kind = GET(e, WEFT_EQE_KIND);

	(void)eqn;
	if (kind == WEFT_EQE_TYPE_CM_CONNECT_REQUEST) handles[handle_n++ % 32] = GET(e, WEFT_EQE_ID);
	if (kind == WEFT_EQE_TYPE_CM_ESTABLISHED || (kind == WEFT_EQE_TYPE_CM_CONNECT_REPLY && !GET(e, WEFT_EQE_CODE))) established++;
}
static const uint8_t our4[16] = { 10, 0, 0, 1 }, peer4[16] = { 10, 0, 0, 2 }, our6[16] = { 0xfd, [15] = 1 }, peer6[16] = { 0xfd, [15] = 2 };
static uint32_t r(uint32_t n) { return world_rand() % n; }
static uint32_t odd(uint32_t sane) { return r(12) ? sane : r(2) ? world_rand() : r(70000); }

static void reap(void)
{
	uint32_t rsp[16];

	for (;;) {
		memcpy(rsp, host_mem + 0x3000 + (cq & (N - 1)) * 64, 64);
		if (GET(rsp, WEFT_ADMIN_RSP_PHASE) != !(cq & N)) return;
		cq++;
		last_status = GET(rsp, WEFT_ADMIN_RSP_STATUS);
		answered[GET(rsp, WEFT_ADMIN_RSP_OP)]++;
		if (!last_status && GET(rsp, WEFT_ADMIN_RSP_OP) == WEFT_ADMIN_OP_CONNECT) handles[handle_n++ % 32] = GET(rsp, WEFT_ADMIN_RSP_ID);
		if (!last_status && GET(rsp, WEFT_ADMIN_RSP_OP) == WEFT_ADMIN_OP_LISTEN) listeners[listener_n++ % 64] = GET(rsp, WEFT_ADMIN_RSP_ID);
	}
}
static void run(uint32_t *c, unsigned op)
{
	while ((uint16_t)(sq - cq) >= N - 1) { /* the driver leaves no more open than there are entries */
		world_advance(2100 * MS);
		reap();
	}
	SET(c, WEFT_ADMIN_CMD_OP, op);
	SET(c, WEFT_ADMIN_CMD_TAG, sq);
	memcpy(host_mem + 0x1000 + (sq & (N - 1)) * 64, c, 64);
	sq++;
	asked[op & 255]++;
	world_reg_write(WEFT_REG_ADMIN_DB, sq);
	if (r(4)) world_run();
	reap();
}

static void command(void)
{
	uint32_t c[16];
	bool v6;
	unsigned op = r(4) ? r(WEFT_ADMIN_OP_COUNT) : WEFT_ADMIN_OP_QP_CREATE, qpn = 1 + r(12);
	uint8_t *b;

	if (r(3) == 0) op = 12 + r(8);
	if (r(3) == 0) op = WEFT_ADMIN_OP_ACCEPT;
	if (op == WEFT_ADMIN_OP_INIT || op == WEFT_ADMIN_OP_EQ_DESTROY || (op == WEFT_ADMIN_OP_LOCAL_ADDR && r(20))) return;
	for (int i = 0; i < 16; i++) c[i] = r(8) ? 0 : world_rand();
	if (op == WEFT_ADMIN_OP_LOCAL_ADDR) {
		v6 = r(3);
		memcpy(BYTES(c, WEFT_ADMIN_CM_LOCAL_ADDR), v6 ? our6 : our4, 16);
		SET(c, WEFT_ADMIN_CM_FLAGS, v6 | r(2) << 7);
	}
	b = host_mem + 0x10000 + (sq & (N - 1)) * 1024;
	for (int i = 0; i < 600; i++) b[i] = (uint8_t)world_rand();
	switch (op) {
	case WEFT_ADMIN_OP_QP_CREATE: case WEFT_ADMIN_OP_QP_DESTROY: case WEFT_ADMIN_OP_QP_ERROR: case WEFT_ADMIN_OP_QP_QUERY: case WEFT_ADMIN_OP_QP_COUNTS:
		memset(c, 0, 64);
		SET(c, WEFT_ADMIN_QP_QPN, odd(qpn));
		SET(c, WEFT_ADMIN_QP_SQ_LOG2, odd(4));
		SET(c, WEFT_ADMIN_QP_FLAGS, r(2) * 2);
		SET(c, WEFT_ADMIN_QP_SRQN, odd(r(3)));
		break;
	case WEFT_ADMIN_OP_SRQ_CREATE: case WEFT_ADMIN_OP_SRQ_MODIFY: case WEFT_ADMIN_OP_SRQ_DESTROY: case WEFT_ADMIN_OP_SRQ_QUERY:
		memset(c, 0, 64);
		SET(c, WEFT_ADMIN_SRQ_ID, odd(r(3)));
		SET(c, WEFT_ADMIN_SRQ_LOG2, odd(4));
		break;
	case WEFT_ADMIN_OP_LISTEN: case WEFT_ADMIN_OP_CONNECT: case WEFT_ADMIN_OP_ACCEPT: case WEFT_ADMIN_OP_REJECT:
	case WEFT_ADMIN_OP_DISCONNECT: case WEFT_ADMIN_OP_ABORT: case WEFT_ADMIN_OP_QUERY_CONN: case WEFT_ADMIN_OP_UNLISTEN:
		memset(c, 0, 64);
		SET(c, WEFT_ADMIN_CM_ID, odd(op == WEFT_ADMIN_OP_UNLISTEN ? listeners[r(64)] : handles[(handle_n + 31 - r(3)) % 32]));
		SET(c, WEFT_ADMIN_CM_QPN, odd(qpn));
		SET(c, WEFT_ADMIN_CM_LOCAL_PORT, odd(4000 + r(4)));
		SET(c, WEFT_ADMIN_CM_PEER_PORT, odd(5000 + r(4)));
		SET(c, WEFT_ADMIN_CM_L2, odd(7));
		SET(c, WEFT_ADMIN_CM_IRD, r(5));
		SET(c, WEFT_ADMIN_CM_ORD, r(5));
		v6 = !r(3);
		SET(c, WEFT_ADMIN_CM_FLAGS, r(8) * 2 | v6);
		SET(c, WEFT_ADMIN_CM_PD_BYTES, r(4) ? r(30) : r(600));
		if (op != WEFT_ADMIN_OP_LISTEN || !r(4)) memcpy(BYTES(c, WEFT_ADMIN_CM_LOCAL_ADDR), v6 ? our6 : our4, 16);
		memcpy(b, v6 ? peer6 : peer4, 16);
		break;
	case WEFT_ADMIN_OP_CHUNK_SET:
		memset(c, 0, 64);
		SET(c, WEFT_ADMIN_CHUNK_ID, odd(0));
		SET(c, WEFT_ADMIN_CHUNK_ENABLE, odd(r(3) != 0));
		SET64(c, WEFT_ADMIN_CHUNK_BASE, HOMES_BASE);
		break;
	case WEFT_ADMIN_OP_RING_PAGES:
		c[WEFT_ADMIN_PAGES_BASE_OFF / 4] &= ~4095u;
		SET(c, WEFT_ADMIN_PAGES_COUNT, odd(r(6)));
		break;
	default:
		break;
	}
	run(c, op);
}

static void segment(void)
{
	static const uint8_t flags[] = { TCP_SYN, TCP_ACK, TCP_ACK, TCP_ACK | TCP_PSH, TCP_ACK | TCP_PSH, TCP_FIN | TCP_ACK, TCP_RST, TCP_SYN | TCP_ACK };
	uint8_t f[1100], data[700], *ip = f + 14, *t = ip + 20;
	struct slot *s = &slots[r(MAX_SLOT)];
	uint32_t seq = world_rand(), ack = world_rand(), n = 0, opt;
	uint16_t lport = (uint16_t)odd(4000 + r(4)), pport = (uint16_t)odd(5000 + r(4));
	unsigned fl = flags[r(8)], qpn = r(8) ? 0 : 1 + r(12), len;
	uint32_t recent = 0;
	bool ts = false;

	for (int tries = 0; tries < 8 && s->state == S_FREE; tries++) s = &slots[r(MAX_SLOT)];
	if (!r(4)) { /* what a half-open connection waits for */
		struct half *h = &halves[r(MAX_HALF)];

		if (h->state) {
			struct mpa m = { .rev = (uint8_t)(1 + r(2)), .crc = r(2), .pd = data, .pd_len = (uint16_t)r(60) };

			lport = h->path.lport;
			pport = h->path.pport;
			seq = h->rcv_nxt + (r(8) ? 0 : r(20) - 10);
			ack = h->iss + 1 + (r(8) ? 0 : r(20) - 10);
			ts = h->ts;
			recent = h->ts_recent;
			fl = r(8) ? TCP_ACK : fl;
			m.enhanced = m.rev == 2;
			for (int i = 0; i < 60; i++) data[i] = (uint8_t)world_rand();
			if (r(2)) n = mpa_build(t + 20, &m);
			if (n && !r(4)) n = r(n + 1);
		}
	} else if (s->state != S_FREE && r(5)) { /* what this slot waits for, or next to it */
		lport = s->path.lport;
		pport = s->path.pport;
		seq = s->rcv_nxt + (r(6) ? 0 : r(20) - 10);
		ack = r(6) ? s->snd_nxt : s->snd_una + (r(20) - 10);
		ts = s->ts_ok;
		recent = s->ts_recent;
		if (s->state == S_SYN_SENT && r(4)) fl = TCP_SYN | TCP_ACK;
		if ((s->state == S_SYN_RCVD || s->fin) && r(2)) fl = TCP_ACK;
		if ((s->state == S_WAIT_REQ || s->state == S_WAIT_REP) && r(4)) {
			struct mpa m = { .reply = s->state == S_WAIT_REP, .rev = (uint8_t)(1 + r(2)), .crc = r(2), .reject = !r(6), .markers = !r(20),
				.p2p = r(2), .rtr_write = r(2), .rtr_read = r(2), .ird = (uint16_t)r(9), .ord = (uint16_t)r(9), .pd = data, .pd_len = (uint16_t)r(60) };

			fl = TCP_ACK | TCP_PSH;
			m.enhanced = m.rev == 2;
			if (!m.reply) m.reject = false;
			if (s->state == S_WAIT_REP) m.rev = s->rev, m.enhanced = s->enhanced;
			for (int i = 0; i < 60; i++) data[i] = (uint8_t)world_rand();
			n = mpa_build(t + 20, &m);
			if (!r(5)) t[20 + r(n)] ^= (uint8_t)(1 << r(8));
			if (!r(5)) n = r(n + 1);
			else if (!r(5)) n += r(40);
		}
	}
	if (!n && !(fl & TCP_SYN) && !r(3)) for (n = r(100), opt = 0; opt < n; opt++) t[20 + opt] = (uint8_t)world_rand();
	ts = ts && r(20);
	opt = fl & TCP_SYN ? r(2) ? 12 : 20 : ts ? TS_BYTES : r(10) ? 0 : 4 * r(8);
	if (opt) {
		memmove(t + 20 + opt, t + 20, n);
		for (unsigned i = 0; i < opt; i++) t[20 + i] = (uint8_t)(r(3) ? 1 : r(12));
		if ((fl & TCP_SYN) && r(3)) memcpy(t + 20, "\2\4\5\xb4\1\3\3\7\1\1\1\1", 12);
		if (opt == 20 && r(3)) memcpy(t + 20, "\2\4\5\xb4\4\2\10\12\1\2\3\4\0\0\0\0\1\3\3\7", 20);
		if (ts && !(fl & TCP_SYN)) {
			memcpy(t + 20, "\1\1\10\12", 4);
			put32(t + 24, recent + r(5) - !r(10) * r(100));
			put32(t + 28, world_rand());
		}
	}
	memset(f, 0, 34);
	memcpy(f, "\2\0\0\0\0\12\2\0\0\0\0\13\10", 13);
	put16(ip, 0x4500);
	put16(ip + 2, 40 + opt + n);
	ip[9] = 6;
	memcpy(ip + 12, "\12\0\0\2\12\0\0\1", 8);
	put16(t, pport);
	put16(t + 2, lport);
	put32(t + 4, seq);
	put32(t + 8, ack);
	t[12] = (uint8_t)((20 + opt) / 4 << 4);
	t[13] = (uint8_t)fl;
	put16(t + 14, r(65536));
	len = 54 + opt + n;
	if (!r(3)) { /* the same in IPv6; no checksum is looked at but by the card */
		memmove(f + 54, f + 34, len - 34);
		memset(ip, 0, 40);
		put16(f + 12, 0x86dd);
		ip[0] = 0x60;
		put16(ip + 4, 20 + opt + n);
		ip[6] = 6;
		memcpy(ip + 8, peer6, 16);
		memcpy(ip + 24, our6, 16);
		len += 20;
	}
	if (!r(15)) f[6 + r(len - 6)] ^= (uint8_t)(1 << r(8)); /* what is not to the card does not reach firmware */
	if (!r(15)) len = r(len + 1);
	if (!len) return;
	world_frame_in(f, len, qpn);
	if (r(4)) world_run();
}

static void event(void)
{
	uint32_t ev[16];

	for (int i = 0; i < 16; i++) ev[i] = world_rand();
	SET(ev, WEFT_FW_EVENT_KIND, odd(1 + r(10)));
	SET(ev, WEFT_FW_EVENT_ID, odd(1 + r(12)));
	if (r(2)) SET(ev, WEFT_FW_EVENT_HDR_BYTES, r(2) ? 14 : 46);
	world_event_in(ev);
	world_run();
}

static void tear_down(void)
{
	uint32_t c[16];
	unsigned left = 0;

	world_advance(2100 * MS); /* what is still open: its listeners have to be known */
	reap();
	for (unsigned q = 1; q < n_qp; q++) {
		memset(c, 0, 64);
		SET(c, WEFT_ADMIN_QP_QPN, q);
		run(c, WEFT_ADMIN_OP_QP_DESTROY);
	}
	for (int i = 0; i < 64; i++) {
		memset(c, 0, 64);
		SET(c, WEFT_ADMIN_CM_ID, listeners[i]);
		run(c, WEFT_ADMIN_OP_UNLISTEN);
	}
	for (int i = 0; i < 20; i++) world_advance(60000 * MS);
	reap();
	for (unsigned i = 0; i < 256; i++)
		if (asked[i] != answered[i]) world_fail("command %u: %u asked, %u answered", i, asked[i], answered[i]);
	if (slots_used) world_fail("slots %x are still used: the first is in state %u, connection %u in state %u", slots_used, slots[__builtin_ctz(slots_used)].state, slots[__builtin_ctz(slots_used)].conn,
		conn_of(&slots[__builtin_ctz(slots_used)]) ? conn_of(&slots[__builtin_ctz(slots_used)])->state : 9);
	if (half_count() || cm_busy()) world_fail("%u half-open connections are left, or something else", half_count());
	for (unsigned i = 0; i < MAX_CONN; i++) left += conn_at(i)->state != C_FREE;
	if (left) world_fail("%u connections are left", left);
	for (unsigned i = 0; i < 2048; i++)
		if (room_steer[i]) world_fail("port bits %x at %u are left, listener %d", room_steer[i], i * 32, cm_port_listens((uint16_t)(i * 32 + (unsigned)__builtin_ctz(room_steer[i]))));
	for (unsigned q = 1; q < n_qp; q++)
		if (qp_at(q)->flags || qp_at(q)->conn != NO_CONN || path_look(q)) world_fail("QP %u is left", q);
}

int main(int argc, char **argv)
{
	unsigned seed = argc > 1 ? (unsigned)atoi(argv[1]) : 1, steps = argc > 2 ? (unsigned)atoi(argv[2]) : 20000;
	uint32_t c[16] = { 0 };

	for (unsigned i = 0; i < seed * 17; i++) world_rand();
	path_events_invented = true;
	world_features |= 1u << WEFT_FEATURE_CQ_MODERATION;
	path_pinned = 4;
	fw_init();
	world_reg_write(WEFT_REG_ADMIN_SQ_LO, (uint32_t)(HOST_BASE + 0x1000));
	world_reg_write(WEFT_REG_ADMIN_SQ_HI, (HOST_BASE + 0x1000) >> 32);
	world_reg_write(WEFT_REG_ADMIN_CQ_LO, (uint32_t)(HOST_BASE + 0x3000));
	world_reg_write(WEFT_REG_ADMIN_CQ_HI, (HOST_BASE + 0x3000) >> 32);
	world_reg_write(WEFT_REG_ADMIN_VECTOR, 0xffff);
	world_reg_write(WEFT_REG_ADMIN_LOG2, LOG2);
	world_run();
	SET64(c, WEFT_ADMIN_INIT_CM_BUF, HOST_BASE + 0x10000);
	run(c, WEFT_ADMIN_OP_INIT);
	memset(c, 0, 64);
	SET(c, WEFT_ADMIN_CHUNK_ENABLE, 1);
	SET64(c, WEFT_ADMIN_CHUNK_BASE, HOMES_BASE);
	run(c, WEFT_ADMIN_OP_CHUNK_SET);
	memset(c, 0, 64);
	SET(c, WEFT_ADMIN_QUEUE_LOG2, 5);
	run(c, WEFT_ADMIN_OP_EQ_CREATE);
	for (unsigned round = 0; round < 4; round++) {
		for (unsigned i = 0; i < steps / 4; i++) {
			memset(c, 0, 64);
			SET(c, WEFT_ADMIN_L2_ID, 7);
			SET(c, WEFT_ADMIN_L2_MTU, r(50) ? 1500 : 9000);
			SET(c, WEFT_ADMIN_L2_FLAGS, 1);
			if (i % 500 == 0) run(c, WEFT_ADMIN_OP_L2_SET);
			switch (r(8)) {
			case 0: case 1: command(); break;
			case 2: event(); break;
			case 3: world_advance(r(8) ? r(300) * MS : r(100000) * MS); reap(); break;
			default: segment();
			}
		}
		tear_down();
	}
	printf("%s firmware/fuzz seed=%u (%u connections ran)\n", world_failures || !established ? "not ok" : "ok", seed, established);
	return world_failures != 0 || !established;
}
