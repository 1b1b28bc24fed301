// SPDX-License-Identifier: BSD-2-Clause
/*
 * Two cards back to back: wire, host memory, firmware and user of both. Firmware writes homes, look-up entries, STags and CQ contexts,
 * and gives chunks and pages; the user posts WQEs and receives, rings, and reads completions. Compared: every byte of every
 * message, completions in order and in every field, and at the end all memory of both hosts against what the messages should have
 * left there. At the end nothing is outstanding: no pins, and the pools are full again.
 *
 * +conns=N connections, +ops=N operations in all, +only=1 in-line Writes, 2 Writes, 4 Sends, 8 Reads, 16 LOCAL_INVs and FAST_REGs (a mask), +deep=N under
 * way of a connection and direction, +msg=N largest message, +len=N all of this length.
 * +lat=N largest latency of a read, +wr=N ready of posted writes in percent, +stall=N now and then a host takes none for N cycles, or until its
 * card asks for a pause.
 * +mss=N the largest segment, without headers;
 * +loss=N +dup=N +late=N +bad=N frames of 1,000 that are lost, come twice, come late, are damaged; +pause=1 PAUSE is obeyed.
 * +revoke=N STags that are taken back while their connection is busy, one at a time, half of them while that card's MAC is paused: when
 * the card has said DRAINED, the memory and its page list are not touched any more and no read of them is open; what was posted is written off. At
 * the end, with nothing under way, all others: each is answered at once.
 * Every connection has a second STag on its memory, under bus addresses of its own (VIA): half of what is posted reads and writes by it until a
 * LOCAL_INV of it is posted. When that has completed no read by it is open and none comes; a while later it is registered with another key, by the configuration bus or, where
 * the QP may, by a FAST_REG, behind which it is used at once.
 * +evict=1 homes must have moved; +one=1 only card 0 sends; +speed=1 posts as fast as it can, and prints figures; +dump=1 prints frames.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tb.h"
#include "weft_abi.h"

typedef uint64_t u64;
typedef uint32_t u32;
enum { RQ = 0, RS = 8, WR = 16, DB = 20, EV, CEV, FW, L2, PAGE, STATE, TX, RX, IRQ };
enum { MAXC = 64, RINGS = 1 << 20, HOMES = 2 << 20, CTRL = 4 << 20, DATA = 8 << 20, CQ_LOG2 = 8, RQ_LOG2 = 6, SQ_LOG2 = 8 };
enum { O_INL = 1, O_WRITE = 2, O_SEND = 4, O_READ = 8, O_INV = 16, O_REG = 32, O_ATOM = 64 };
#define PRIV(i) ((i) & 1)
enum { A_SRC, A_SINK, A_RECV, A_FROM }; /* areas of a connection's memory, `deep` messages each */
enum { START = 20, WND = 65536, NSTAT = 21 };
#define QPN(i) ((i) + 3)
#define STRIDE(i) ((i) & 1)       /* of send WQEs, 64 << n */
#define RSTRIDE(i) ((i) >> 1 & 1) /* of receive WQEs */
#define SQ_AT(i) (CTRL + (i) * 0x10000)
#define RQ_AT(i) (SQ_AT(i) + 0x8000)
#define CQ_AT(i) (SQ_AT(i) + 0xc000)
#define D_AT(i) (DATA + (i) * each)
#define SLOT(a, n) (((a) * deep + (n) % deep) * msg)
/* Behind the areas: a word for each connection that its peer's atomics change; that of connection 0 has one behind it that those of all do. */
#define WORD (4 * deep * msg)
#define STAG(i) ((u32)((i) + 1) << 8 | 0x5a)
/* What a host lends: a region that the peer's Send with Invalidate gives back; each time with another key. */
#define LOAN(c, i) ((u32)((i) + 129) << 8 | (s[c][i].loan_key & 0xff))
#define OWN(c, i) ((u32)((i) + 65) << 8 | (s[c][i].own_key & 0xff))
#define VIA (1ull << 40)
#define VA(i) (0x7f0012340000ull + (u64)(i) * 0x10000000)
#define LIST_AT(i) (SQ_AT(i) + 0xe000) /* page list, with +revoke of every second one */
#define ISS(c, i) (0xfffff000u + 0x01000000u * (i) + 77u * (c))

struct op { unsigned kind, len, to; uint8_t *was; u64 at; bool shared; }; /* to: where its bytes go, in the memory of its connection */
static struct side { /* one direction's user */
	struct op op[256];      /* by index mod 256 */
	unsigned posted, done;  /* WQE indices */
	unsigned land;          /* all before it lie where they belong */
	unsigned sent, recv_posted, recv_done;
	unsigned ci;            /* consumer index of the CQ */
	unsigned rung;
	u64 word;               /* what the peer's word will be when all that was posted is executed */
	unsigned loan_key;
	unsigned own_key;
	enum { N_AWAY, N_TOLD, N_VALID, N_CLOSING } own; /* the second STag; N_TOLD: the card will know of it */
	u64 own_at;             /* N_AWAY: told then */
	enum { GIVEN, LENT, VALID } loan; /* LENT: the card will know of it */
	struct { unsigned len, before; u32 inv; uint8_t *was; bool se; } snd[256]; /* before: WQE index of it */
} s[2][MAXC];
static uint8_t *mem[2], *want[2];
static size_t size;
static struct rdq { struct rdq *next; u64 at, addr; unsigned len; bool own; } *rdq[2][8], **rdt[2][8];
static struct frame { struct frame *next; u64 at; size_t len; bool err; uint8_t d[]; } *wire[2];
static unsigned conns, ops, only, deep, msg, each, lat, mss, loss, dup, late, bad, dump, speed, issued, completed, landed, recvs, frames[2], lost, harmed, given;
static unsigned regs, owns, own_ends, own_accesses;
static unsigned full, bytes_done, paused, stalls, writes[2];
static unsigned state[2], created[2], stat[2][NSTAT];
static bool pinned[2], pools[2], pause[2];
static u64 placed; /* bytes that were placed since a message was whole */
static u64 last_move, last_at, rest, deadline[2], ring_at, write_at, mark[2];
static unsigned mark_bytes[2];
static enum { S_RESET, S_SETUP, S_CREATE, S_RUN, S_REST, S_QUIET, S_END } st;
static struct rev { bool asked, told, saved; unsigned seq; u64 at; } rev[2][MAXC];
static bool gone[MAXC]; /* its user has given it up */
static unsigned revokes, revoked, off, closings[2], slow_ends, paused_ends, open_reads, quiet_ends;
static u64 longest_quiet;
static int rev_c = -1; /* the one that is under way: pause, commit, DRAINED, a while, end */
static unsigned rev_i, rev_step;
static u64 rev_at;
static bool rev_pause;
static int failed;

int path_failed(void);
int path_failed(void) { return failed; }

/* ---- memory that is taken back ---- */
static bool inside(unsigned i, u64 addr, u64 len)
{
	return (addr < D_AT(i) + (u64)each && addr + len > D_AT(i)) || (addr < LIST_AT(i) + 0x2000u && addr + len > LIST_AT(i));
}
static void touch(int c, const char *what, u64 addr, u64 len, int client)
{
	for (unsigned i = 0; i < conns; i++)
		tb_check(!rev[c][i].told || !inside(i, addr, len), "card %d %s %llu bytes at %llx (client %d) of connection %u, %llu cycles behind DRAINED", c, what,
			 (unsigned long long)len, (unsigned long long)addr, client, i, (unsigned long long)(tb_cycle() - rev[c][i].at));
}
static unsigned reads_open(int c, unsigned i)
{
	unsigned n = 0;

	for (int k = 0; k < 8; k++)
		for (struct rdq *q = rdq[c][k]; q; q = q->next)
			n += inside(i, q->addr, q->len);
	return n;
}
static void drained(int c, unsigned upto)
{
	for (unsigned i = 0; i < conns; i++) {
		struct rev *r = &rev[c][i];
		u64 took = tb_cycle() - r->at;

		if (!r->asked || r->told || (int16_t)(upto - r->seq) < 0)
			continue;
		tb_check(!reads_open(c, i), "card %d: DRAINED %u, and %u reads of connection %u are open", c, upto, reads_open(c, i), i);
		r->told = true;
		r->at = tb_cycle();
		last_move = tb_cycle();
		if (st == S_QUIET) {
			quiet_ends++;
			if (took > longest_quiet)
				longest_quiet = took;
		} else {
			slow_ends += took > 300;
			paused_ends += rev_pause;
		}
	}
}

/* An access by the second STag: not while there is none. Its place in memory. */
static u64 via(int c, u64 addr, const char *what)
{
	if (!(addr & VIA))
		return addr;
	addr &= ~VIA;
	unsigned i = addr < DATA ? MAXC : (unsigned)((addr - DATA) / each);

	tb_check(i < conns && s[c][i].own >= N_TOLD, "card %d %s %llx by an STag that is invalidated", c, what, (unsigned long long)addr);
	own_accesses++;
	return addr;
}

/* ---- host memory ---- */
static void on_rq(int port, const uint8_t *b, void *arg)
{
	struct rdq *q = calloc(1, sizeof *q);
	int c = port / 32, i = port % 32;

	q->addr = tb_bits_get(b, 0, 64);
	q->own = q->addr & VIA;
	q->addr = via(c, q->addr, "reads");
	q->len = tb_bits_get(b, 64, 16);
	q->at = tb_cycle() + tb_range(speed ? lat : 1, lat);
	tb_check(q->len && q->addr + q->len <= size, "card %d reads %u bytes at %llx (client %d)", c, q->len, (unsigned long long)q->addr, i);
	if (dump > 1)
		printf("# %llu card %d client %d reads %u at %llx\n", (unsigned long long)tb_cycle(), c, i, q->len, (unsigned long long)q->addr);
	if (q->addr + q->len > size)
		q->addr = 0;
	touch(c, "reads", q->addr, q->len, i);
	*rdt[c][i] = q;
	rdt[c][i] = &q->next;
}

static void on_wr(int port, const uint8_t *d, size_t len, const uint8_t *side, bool err, void *arg)
{
	int c = port / 32;
	u64 addr = via(c, tb_bits_get(side, 0, 64), "writes");

	tb_check(tb_bits_get(side, 64, 16) == len, "card %d client %d: header of %u bytes, packet of %zu", c, port % 32 - WR, (unsigned)tb_bits_get(side, 64, 16), len);
	tb_check(addr + len <= size, "card %d writes %zu bytes at %llx (client %d)", c, len, (unsigned long long)addr, port % 32 - WR);
	if (dump > 1)
		printf("# %llu card %d client %d writes %zu at %llx\n", (unsigned long long)tb_cycle(), c, port % 32 - WR, len, (unsigned long long)addr);
	touch(c, "writes", addr, len, port % 32 - WR);
	if (addr + len <= size)
		memcpy(mem[c] + addr, d, len);
	if (port % 32 == WR) {
		write_at = tb_cycle();
		writes[c]++;
		/* A host that takes little is placed to for long before a message is whole; not for longer than all that can be under way. */
		placed += len;
		if (placed <= 2ull * conns * deep * msg)
			last_move = tb_cycle();
	}
}

/* ---- wire ---- */
static void send(int c, const uint8_t *d, size_t len, u64 at, bool err)
{
	struct frame *f = malloc(sizeof *f + len), **p = &wire[c];

	f->at = at;
	f->len = len;
	f->err = err;
	memcpy(f->d, d, len);
	while (*p && (*p)->at <= at)
		p = &(*p)->next;
	f->next = *p;
	*p = f;
}

static void on_tx(int port, const uint8_t *d, size_t len, const uint8_t *side, bool err, void *arg)
{
	int c = port / 32;
	u64 at = tb_cycle() + 8;

	frames[c]++;
	tb_check(d[12] != 8 || d[13] || (unsigned)(d[16] << 8 | d[17]) <= 40 + mss, "card %d: a segment of %u bytes, the MSS is %u", c, (d[16] << 8 | d[17]) - 40, mss);
	if (dump) {
		printf("# %llu card %d sends %zu:", (unsigned long long)tb_cycle(), c, len);
		for (size_t i = 0; i < len && i < 160; i++)
			printf("%s%02x", i % 16 ? " " : "\n#   ", d[i]);
		printf("\n");
	}
	if (st == S_RUN && tb_below(1000) < loss) {
		lost++;
		return;
	}
	if (st == S_RUN && tb_below(1000) < bad) { /* found by the MAC, or by TCP's checksum (behind the ports, so it is ours) */
		uint8_t *b = malloc(len);
		bool fcs = tb_chance(50);

		harmed++;
		memcpy(b, d, len);
		b[fcs ? tb_below(len) : tb_chance(50) ? tb_range(38, 45) : tb_range(48, 53)] ^= 1 << tb_below(8); /* not the header's length and flags: such a frame is not for TCP */
		send(c ^ 1, b, len, at, fcs);
		free(b);
		return;
	}
	if (st == S_RUN && tb_below(1000) < dup)
		send(c ^ 1, d, len, at + tb_below(3000), false), harmed++;
	if (st == S_RUN && tb_below(1000) < late)
		at += tb_range(10, 3000), harmed++;
	send(c ^ 1, d, len, at, false);
}

/* ---- firmware ---- */
static void f(uint8_t *l, unsigned lsb, unsigned w, u64 v) { tb_bits_set(l, lsb, w, w == 64 ? v : v & ((1ull << w) - 1)); }
#define F(S, x, v) f(l, WEFT_##S##_##x##_LSB, WEFT_##S##_##x##_WIDTH, v)

/* The host writes. */
static void put(int c, size_t at, const void *d, size_t len)
{
	memcpy(mem[c] + at, d, len);
	memcpy(want[c] + at, d, len);
}

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
	F(HOME_SND, RTX_NXT, START); F(HOME_SND, MSS, mss); F(HOME_SND, STATE, WEFT_TCP_STATE_OPEN); F(HOME_SND, WSCALE, 1);
	F(HOME_SND, SND_SHIFT, 3); F(HOME_SND, RCV_SHIFT, 3);
	if (speed)
		F(HOME_SND, CWND, 1 << 20);
	l = h + 128;
	F(HOME_RCV, COMMITTED, START); F(HOME_RCV, RCV_NXT, START); F(HOME_RCV, RIGHT, START + WND); F(HOME_RCV, SEQ0, ISS(c ^ 1, i));
	F(HOME_RCV, LAST_ACK, ISS(c ^ 1, i) + START); F(HOME_RCV, ADV, ISS(c ^ 1, i) + START + WND); F(HOME_RCV, WEFT, 1);
	l = h + 256;
	F(HOME_SQ, SQ_BASE, SQ_AT(i)); F(HOME_SQ, SQ_LOG2, SQ_LOG2); F(HOME_SQ, SQ_STRIDE, STRIDE(i)); F(HOME_SQ, CRC, 1);
	F(HOME_SQ, STATE, WEFT_QP_STATE_RTS); F(HOME_SQ, CQN, i); F(HOME_SQ, PD, 7); F(HOME_SQ, PRIV, PRIV(i)); F(HOME_SQ, FIRST, START); F(HOME_SQ, MSS, mss);
	F(HOME_SQ, ORD, 4); F(HOME_SQ, IRD, 4); F(HOME_SQ, OFF, START); F(HOME_SQ, UNA, START); F(HOME_SQ, LIMIT, START);
	F(HOME_SQ, SEND_MSN, 1); F(HOME_SQ, READ_MSN, 1);
	l = h + 384;
	F(HOME_MPA, NEXT, START); F(HOME_MPA, RCV_EDGE, START + WND); F(HOME_MPA, FIRST, START); F(HOME_MPA, CRC, 1); F(HOME_MPA, FRESH, 1);
	l = h + 448;
	F(HOME_RDMAP, RQ_BASE, RQ_AT(i)); F(HOME_RDMAP, RQ_LOG2, RQ_LOG2); F(HOME_RDMAP, RQ_STRIDE, RSTRIDE(i));
	F(HOME_RDMAP, STATE, WEFT_QP_STATE_RTS); F(HOME_RDMAP, CQN, i); F(HOME_RDMAP, PD, 7); F(HOME_RDMAP, ACCESS, 0x3f); F(HOME_RDMAP, IRD, 4);
	F(HOME_RDMAP, SEND_MSN, 1); F(HOME_RDMAP, READ_MSN, 1); F(HOME_RDMAP, FIRST, 1);
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

static void stag(int c, unsigned i, unsigned to)
{
	uint8_t l[64] = { 0 };
	bool list = revokes && (i & 1);

	for (unsigned k = 0; list && k < each / 4096; k++) {
		u64 page = D_AT(i) + 4096ull * k;

		put(c, LIST_AT(i) + 8 * k, &page, 8);
	}
	F(TPT, STAG, STAG(i)); F(TPT, STATE, to); F(TPT, ACCESS, 0x3f); F(TPT, PAGE_LOG2, 12); F(TPT, DIRECT, !list);
	F(TPT, PD, 7); F(TPT, BASE, VA(i)); F(TPT, LENGTH, each); F(TPT, PBL, list ? LIST_AT(i) : D_AT(i)); F(TPT, PBL_COUNT, each / 4096);
	tb_cfg_ctx(WEFT_ROOM_TPT | c << 5, i + 1, l);
}

static void lend(int c, unsigned i)
{
	uint8_t l[64] = { 0 };

	s[c][i].loan_key++;
	F(TPT, STAG, LOAN(c, i)); F(TPT, STATE, WEFT_TPT_STATE_VALID); F(TPT, ACCESS, 0x1f); F(TPT, PAGE_LOG2, 12); F(TPT, DIRECT, 1);
	F(TPT, PD, 7); F(TPT, QPN, QPN(i)); F(TPT, BASE, VA(i)); F(TPT, LENGTH, each); F(TPT, PBL, D_AT(i));
	tb_cfg_ctx(WEFT_ROOM_TPT | c << 5, i + 129, l);
	s[c][i].loan = LENT;
}

static void own(int c, unsigned i)
{
	uint8_t l[64] = { 0 };

	s[c][i].own_key++;
	F(TPT, STAG, OWN(c, i)); F(TPT, STATE, WEFT_TPT_STATE_VALID); F(TPT, ACCESS, 0x1f); F(TPT, PAGE_LOG2, 12); F(TPT, DIRECT, 1);
	F(TPT, PD, 7); F(TPT, QPN, QPN(i)); F(TPT, BASE, VA(i)); F(TPT, LENGTH, each); F(TPT, PBL, VIA | D_AT(i));
	tb_cfg_ctx(WEFT_ROOM_TPT | c << 5, i + 65, l);
	s[c][i].own = N_TOLD;
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
		stag(c, i, WEFT_TPT_STATE_VALID);
		if (!speed && !revokes)
			lend(c, i), own(c, i);
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

static void look(int c, unsigned i, unsigned cmd)
{
	for (unsigned k = 0; k < 8; k++)
		reg(c, WEFT_ROOM_CONN, WEFT_LOOK_LOCAL + 4 * k, k == 0 ? 0x0000000au | (u32)(1 + c) << 24 : k == 4 ? 0x0000000au | (u32)(2 - c) << 24 : 0);
	reg(c, WEFT_ROOM_CONN, WEFT_LOOK_PORTS, (20000 + i) << 16 | (20000 + i));
	reg(c, WEFT_ROOM_CONN, WEFT_LOOK_QPN, QPN(i));
	reg(c, WEFT_ROOM_CONN, WEFT_LOOK_CMD, cmd);
	tb_cfg_read((u32)(WEFT_ROOM_CONN | c << 5) << 22 | WEFT_LOOK_STATUS, wait_look, (void *)(long)c);
}
static void command(int c, unsigned i, u32 cmd, unsigned arg)
{
	reg(c, WEFT_ROOM_CTX, WEFT_CTX_QPN, QPN(i));
	reg(c, WEFT_ROOM_CTX, WEFT_CTX_ARG, arg);
	reg(c, WEFT_ROOM_CTX, WEFT_CTX_CMD, cmd);
}
/* Look-up entry, then the connection exists. */
static void create(int c, unsigned i)
{
	look(c, i, WEFT_LOOK_CMD_INSERT);
	command(c, i, 1u << 31 | WEFT_HOME_OP_CREATE, 0);
}
/* As firmware ends one: out of the look-up, stopped, flushed, saved. */
static void end(int c, unsigned i)
{
	enum { TCP = 1 << WEFT_CTX_COMMAND_ROOMS_LSB };

	look(c, i, WEFT_LOOK_CMD_REMOVE);
	command(c, i, TCP | WEFT_CTX_OP_SET_STATE, WEFT_TCP_STATE_STOP);
	command(c, i, TCP * 14 | WEFT_CTX_OP_SET_STATE, WEFT_QP_STATE_ERR);
	command(c, i, 1u << 31 | WEFT_HOME_OP_SAVE, 0);
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
	if (port % 32 == EV && kind == WEFT_FW_EV_DRAINED && code == WEFT_ROOM_TPT) {
		unsigned n = tb_bits_get(b, 64, 32);

		tb_check(n >> 16 == 0 && (int16_t)(closings[c] - n) >= 0, "card %d: DRAINED %u of %u", c, n, closings[c]);
		drained(c, n);
		return;
	}
	for (unsigned i = 0; i < conns && port % 32 == EV; i++)
		if (gone[i] && tb_bits_get(b, 32, 32) == QPN(i)) {
			rev[c][i].saved |= kind == WEFT_FW_EV_HOME_DONE && (code & 0xff) == WEFT_HOME_OP_SAVE;
			if (kind == WEFT_FW_EV_HOME_DONE && (code & 0xff) == WEFT_HOME_OP_BUSY) /* as firmware does */
				command(c, i, 1u << 31 | WEFT_HOME_OP_SAVE, 0);
			last_move = tb_cycle();
			return;
		}
	tb_fail("card %d: event kind %u code %x id %u data %x %x", c, kind, code, (unsigned)tb_bits_get(b, 32, 32), (unsigned)tb_bits_get(b, 64, 32),
		(unsigned)tb_bits_get(b, 96, 32));
}

static void on_frame(int port, const uint8_t *d, size_t len, const uint8_t *side, bool err, void *arg)
{
	if (revoked && port % 32 == FW)
		return; /* of a connection that has ended */
	tb_fail("card %d: %s gets a frame of %zu bytes", port / 32, port % 32 == FW ? "firmware" : "network device", len);
}

/* ---- user ---- */
static void sge(uint8_t *l, unsigned i, unsigned at, unsigned len, u32 stag)
{
	F(SGE, ADDR, VA(i) + at); F(SGE, LENGTH, len); F(SGE, LKEY, stag);
}

static void post_recv(int c, unsigned i)
{
	struct side *q = &s[c][i];
	uint8_t wqe[128] = { 0 }, *l = wqe;
	unsigned n = tb_range(1, RSTRIDE(i) ? 5 : 3), at = 0;

	F(RQE, NUM_SGE, n); F(RQE, INDEX, q->recv_posted & 0xffff); F(RQE, LENGTH, msg);
	for (unsigned k = 0; k < n; k++) {
		unsigned part = k + 1 == n ? msg - at : tb_chance(20) ? tb_range(1, 64) : tb_range(1, (msg - at) / 2);

		sge(wqe + 16 + 16 * k, i, SLOT(A_RECV, q->recv_posted) + at, part, STAG(i));
		at += part;
	}
	put(c, RQ_AT(i) + (64u << RSTRIDE(i)) * (q->recv_posted % (1 << RQ_LOG2)), wqe, 64u << RSTRIDE(i));
	q->recv_posted++;
}

static unsigned length(unsigned kind)
{
	if (tb_opt("len", 0))
		return tb_opt("len", 0);
	if (tb_chance(20))
		return 64;
	if (tb_chance(5) && kind != O_READ)
		return 0;
	if (tb_chance(5))
		return msg;
	/* as many of each power of two */
	return tb_range(1, msg >> tb_below(__builtin_ctz(msg)));
}

/* Additions of 1 to the word of all, by card whose it is; values that came back: each once, as at most SHARED are made. */
enum { SHARED = 4096 };
static u64 shared_posted[2];
static bool shared_seen[2][SHARED];
static unsigned atoms;

static void post(int c, unsigned i)
{
	struct side *q = &s[c][i], *p = &s[c ^ 1][i];
	unsigned kind, idx = q->posted, from, to, big = 64u << STRIDE(i), most = (big - 32) / 16;
	struct op *o = &q->op[idx % 256];
	uint8_t wqe[128] = { 0 }, *l = wqe, *src;

	do
		kind = 1u << tb_below(7);
	while (!(kind & only));
	if (q->own == N_TOLD && !tb_cfg_pending())
		q->own = N_VALID;
	/* An STag that is free again is used soon: it takes a LOCAL_INV and all in front of it until the next one is. */
	if (only & O_INV && q->own == N_AWAY && q->own_key && PRIV(i) && tb_chance(50))
		kind = O_INV;
	if (kind == O_INV && q->own == N_AWAY && q->own_key && PRIV(i)) {
		memset(o, 0, sizeof *o);
		o->kind = O_REG;
		o->at = tb_cycle();
		for (unsigned k = 0; k < each / 4096; k++) {
			u64 page = VIA | (D_AT(i) + 4096ull * k);

			put(c, LIST_AT(i) + 8 * k, &page, 8);
		}
		q->own_key++;
		F(SQE, OPCODE, WEFT_SQ_OPCODE_FAST_REG); F(SQE, SIGNALED, 1); F(SQE, INDEX, idx & 0xffff); F(SQE, RSTAG, OWN(c, i)); F(SQE, RADDR, VA(i));
		l = wqe + 32;
		F(SQE_REG, PBL, LIST_AT(i)); F(SQE_REG, BYTES, each); F(SQE_REG, PBL_COUNT, each / 4096); F(SQE_REG, ACCESS, 0x1f); F(SQE_REG, PAGE_LOG2, 12);
		put(c, SQ_AT(i) + big * (idx % (1 << SQ_LOG2)), wqe, big);
		q->own = N_VALID;
		q->posted++;
		issued++;
		regs++;
		return;
	}
	if (kind == O_INV) {
		if (q->own != N_VALID)
			return;
		memset(o, 0, sizeof *o);
		o->kind = kind;
		o->at = tb_cycle();
		F(SQE, OPCODE, WEFT_SQ_OPCODE_LOCAL_INV); F(SQE, SIGNALED, 1); F(SQE, INDEX, idx & 0xffff); F(SQE, RSTAG, OWN(c, i));
		put(c, SQ_AT(i) + big * (idx % (1 << SQ_LOG2)), wqe, big);
		q->own = N_CLOSING;
		q->posted++;
		issued++;
		owns++;
		return;
	}
	if (kind == O_SEND && p->recv_posted == q->sent)
		return;
	if (kind == O_ATOM) {
		bool add = tb_chance(50), shared = tb_chance(40);
		u64 data = shared ? 1 : tb_rand(), cmp = tb_chance(70) ? q->word : tb_rand();

		memset(o, 0, sizeof *o);
		o->kind = kind;
		o->len = 8;
		o->shared = shared;
		o->to = SLOT(A_SRC, idx) + tb_below(64);
		o->at = tb_cycle();
		o->was = malloc(o->len + 1);
		memcpy(o->was, &q->word, 8);
		F(SQE, OPCODE, shared || add ? WEFT_SQ_OPCODE_FETCH_ADD : WEFT_SQ_OPCODE_CMP_SWAP); F(SQE, SIGNALED, 1); F(SQE, INDEX, idx & 0xffff); F(SQE, LENGTH, 8);
		F(SQE, NUM_SGE, 1); F(SQE, RSTAG, STAG(shared ? 0 : i)); F(SQE, RADDR, (shared ? VA(0) + 8 : VA(i)) + WORD);
		sge(wqe + 32, i, o->to, 8, STAG(i));
		l = wqe + 48;
		F(SQE_ATOMIC, DATA, data); F(SQE_ATOMIC, COMPARE, cmp);
		if (shared)
			shared_posted[c ^ 1]++;
		else if (add)
			q->word += data;
		else if (cmp == q->word)
			q->word = data;
		memcpy(want[c ^ 1] + D_AT(i) + WORD, &q->word, 8);
		memcpy(want[c ^ 1] + D_AT(0) + WORD + 8, &shared_posted[c ^ 1], 8);
		put(c, SQ_AT(i) + big * (idx % (1 << SQ_LOG2)), wqe, big);
		q->posted++;
		issued++;
		return;
	}
	memset(o, 0, sizeof *o);
	o->kind = kind;
	o->len = kind == O_INL ? tb_range(1, big - 32) : length(kind);
	if (kind == O_INL && tb_opt("len", 0))
		o->len = tb_opt("len", 0);
	from = SLOT(kind == O_READ ? A_FROM : A_SRC, idx) + (o->len + 64 <= msg && !speed ? tb_below(64) : 0);
	to = SLOT(kind == O_READ ? A_SRC : A_SINK, idx) + (o->len + 64 <= msg && !speed ? tb_below(64) : 0);
	o->to = to;
	o->at = tb_cycle();
	o->was = malloc(o->len + 1);
	src = mem[kind == O_READ ? c ^ 1 : c] + D_AT(i) + from;
	if (kind != O_READ) {
		tb_rand_bytes(src, o->len);
		memcpy(want[c] + D_AT(i) + from, src, o->len);
	}
	memcpy(o->was, src, o->len);
	F(SQE, OPCODE, kind == O_SEND ? WEFT_SQ_OPCODE_SEND : kind == O_READ ? WEFT_SQ_OPCODE_READ : WEFT_SQ_OPCODE_WRITE);
	F(SQE, SIGNALED, 1); F(SQE, INLINE, kind == O_INL); F(SQE, INDEX, idx & 0xffff); F(SQE, LENGTH, o->len);
	if (kind != O_SEND) {
		F(SQE, RSTAG, STAG(i));
		F(SQE, RADDR, VA(i) + (kind == O_READ ? from : to));
	}
	if (kind == O_INL) {
		memcpy(wqe + 32, src, o->len);
	} else {
		unsigned n = kind == O_READ || o->len < 8 || speed ? 1 : tb_range(1, most), at = 0;
		u32 key = q->own == N_VALID && tb_chance(50) ? OWN(c, i) : STAG(i);

		F(SQE, NUM_SGE, n);
		for (unsigned k = 0; k < n; k++) {
			unsigned part = k + 1 == n ? o->len - at : tb_range(1, (o->len - at) / 2);

			sge(wqe + 32 + 16 * k, i, (kind == O_READ ? to : from) + at, part, key);
			at += part;
			if (o->len - at < 4 && k + 1 < n) { /* nothing left to cut */
				tb_bits_set(wqe + 32 + 16 * k, 64, 32, part + o->len - at);
				F(SQE, NUM_SGE, k + 1);
				break;
			}
		}
	}
	if (kind == O_SEND) {
		bool se = tb_chance(30);

		l = wqe;
		F(SQE, SOLICITED, se);
		if (p->loan == LENT && !tb_cfg_pending())
			p->loan = VALID;
		q->snd[q->sent % 256].inv = 0;
		if (p->loan == VALID && tb_chance(30)) {
			q->snd[q->sent % 256].inv = LOAN(c ^ 1, i);
			F(SQE, OPCODE, WEFT_SQ_OPCODE_SEND_INV);
			F(SQE, RSTAG, LOAN(c ^ 1, i));
			p->loan = GIVEN;
		}
		q->snd[q->sent % 256].len = o->len;
		q->snd[q->sent % 256].before = idx;
		q->snd[q->sent % 256].se = se;
		q->snd[q->sent % 256].was = malloc(o->len + 1);
		memcpy(q->snd[q->sent % 256].was, src, o->len);
		q->sent++;
	}
	put(c, SQ_AT(i) + big * (idx % (1 << SQ_LOG2)), wqe, big);
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

/*
 * A Write that is acknowledged may lie in the peer's receive ring still: it is in its place in the end, and in any case when what
 * was sent behind it has completed there. `end`: all before this WQE must be in their place.
 */
static void land(int c, unsigned i, bool must, unsigned end)
{
	struct side *q = &s[c][i];

	while (q->land != (must ? end : q->done) && (!must || (int)(end - q->land) > 0)) {
		struct op *o = &q->op[q->land % 256];
		bool wrote = o->kind == O_INL || o->kind == O_WRITE;

		if (wrote && !must && memcmp(mem[c ^ 1] + D_AT(i) + o->to, o->was, o->len))
			return;
		if (wrote)
			compare(c ^ 1, i, o->to, o->was, o->len, o->kind == O_INL ? "in-line write" : "write", q->land);
		if (must && (int)(q->land - q->done) >= 0)
			return; /* compared, and once more when it is completed */
		free(o->was);
		o->was = NULL;
		q->land++;
		landed++;
		bytes_done += o->len;
		placed = 0;
		last_move = tb_cycle();
		for (int k = 0; k < 2; k++) /* figures: between a quarter and three quarters */
			if (!mark[k] && landed >= ops / 4 + k * ops / 2) {
				mark[k] = tb_cycle();
				mark_bytes[k] = bytes_done;
			}
	}
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
	if (gone[i])
		return;
	last_move = tb_cycle();
	tb_check(qpn == QPN(i) && status == 0, "connection %u, card %d: completion of QP %u opcode %u index %u status %u", i, c, qpn, opc, idx, status);
	tb_check((opc == WEFT_WC_OPCODE_RECV_INV || !tb_bits_get(e, 96, 32)) && !tb_bits_get(e, 128, 32) && !e[7], "connection %u, card %d: completion %u has an STag or an error", i, c, idx);
	if (opc & 0x80) {
		unsigned n = q->recv_done % 256;

		tb_check(opc == (p->snd[n].inv ? WEFT_WC_OPCODE_RECV_INV : WEFT_WC_OPCODE_RECV) && tb_bits_get(e, 96, 32) == p->snd[n].inv && idx == (q->recv_done & 0xffff) && q->recv_done != p->sent, "connection %u, card %d: receive %u completes, want %u of %u", i, c,
			 idx, q->recv_done, p->sent);
		tb_check(bytes == p->snd[n].len && (e[31] & 1) == p->snd[n].se, "connection %u, card %d: receive %u of %u bytes, want %u", i, c, idx, bytes, p->snd[n].len);
		compare(c, i, SLOT(A_RECV, q->recv_done), p->snd[n].was, p->snd[n].len, "receive", idx);
		land(c ^ 1, i, true, p->snd[n].before);
		free(p->snd[n].was);
		if (p->snd[n].inv) {
			given++;
			lend(c, i);
		}
		q->recv_done++;
		recvs++;
		return;
	}
	struct op *o = &q->op[idx % 256];

	tb_check(idx == (q->done & 0xffff) && q->done != q->posted, "connection %u, card %d: WQE %u completes, want %u", i, c, idx, q->done);
	if (o->kind == O_INV) {
		for (int k = 0; k < 8; k++)
			for (struct rdq *x = rdq[c][k]; x; x = x->next)
				tb_check(!x->own || x->addr < D_AT(i) || x->addr >= D_AT(i) + (u64)each, "connection %u, card %d: LOCAL_INV %u is complete, a read is open", i, c, idx);
		q->own = N_AWAY;
		q->own_at = tb_cycle() + (PRIV(i) ? 6000 : tb_below(3000));
		own_ends++;
	}
	if (o->kind == O_ATOM) {
		u64 v;

		memcpy(&v, mem[c] + D_AT(i) + o->to, 8);
		tb_check((opc == WEFT_WC_OPCODE_FETCH_ADD || opc == WEFT_WC_OPCODE_CMP_SWAP) && bytes == 8, "connection %u, card %d: atomic %u: opcode %u, %u bytes", i, c, idx, opc, bytes);
		if (!o->shared) {
			compare(c, i, o->to, o->was, 8, "atomic", idx);
		} else {
			memcpy(want[c] + D_AT(i) + o->to, &v, 8);
			tb_check(v < shared_posted[c ^ 1] && !shared_seen[c ^ 1][v % SHARED], "connection %u, card %d: the word of all was %llu in atomic %u, and before", i, c, (unsigned long long)v, idx);
			shared_seen[c ^ 1][v % SHARED] = true;
		}
		atoms++;
	} else {
		tb_check(opc == (o->kind == O_INV ? WEFT_WC_OPCODE_LOCAL_INV : o->kind == O_REG ? WEFT_WC_OPCODE_FAST_REG : o->kind == O_SEND ? WEFT_WC_OPCODE_SEND : o->kind == O_READ ? WEFT_WC_OPCODE_READ : WEFT_WC_OPCODE_WRITE), "connection %u, card %d: WQE %u is opcode %u",
			 i, c, idx, opc);
	}
	tb_check(o->kind != O_READ || bytes == o->len, "connection %u, card %d: read %u of %u bytes, want %u", i, c, idx, bytes, o->len);
	if (o->kind == O_READ)
		compare(c, i, o->to, o->was, o->len, "read", idx);
	q->done++;
	completed++;
	last_at = tb_cycle() - o->at;
}

static void on_state(int port, const uint8_t *b, void *arg)
{
	int c = port / 32;

	state[c] = tb_bits_get(b, 0, 2);
	for (unsigned k = 0; k < NSTAT; k++)
		stat[c][k] += tb_bits_get(b, 2 + k, 1);
	pinned[c] = tb_bits_get(b, 2 + NSTAT, 1);
	pools[c] = tb_bits_get(b, 3 + NSTAT, 1);
	deadline[c] = tb_bits_get(b, 5 + NSTAT, 1) ? tb_bits_get(b, 6 + NSTAT, 64) : ~0ull;
	if (pause[c] != tb_bits_get(b, 4 + NSTAT, 1)) {
		pause[c] ^= 1;
		paused += pause[c];
		if (tb_opt("pause", 0))
			tb_snk_rate((c ^ 1) * 32 + TX, pause[c] ? 0 : 100);
	}
}

void tb_setup(void)
{
	conns = tb_opt("conns", 12);
	ops = tb_opt("ops", 2000);
	revokes = tb_opt("revoke", 0);
	only = tb_opt("only", revokes ? 15 : 31 + O_ATOM);
	deep = tb_opt("deep", 8);
	msg = tb_opt("msg", 4096);
	lat = tb_opt("lat", 60);
	loss = tb_opt("loss", 0);
	mss = tb_opt("mss", 1440);
	dup = tb_opt("dup", 0);
	late = tb_opt("late", 0);
	bad = tb_opt("bad", 0);
	dump = tb_opt("dump", 0);
	speed = tb_opt("speed", 0);
	each = 4 * deep * msg + 4096;
	size = DATA + (size_t)conns * each;
	for (int c = 0; c < 2; c++) {
		mem[c] = calloc(1, size);
		want[c] = malloc(size);
		tb_rand_bytes(mem[c] + DATA, (size_t)conns * each);
		for (unsigned i = 0; i < conns; i++)
			memcpy(&s[c ^ 1][i].word, mem[c] + D_AT(i) + WORD, 8);
		memset(mem[c] + D_AT(0) + WORD + 8, 0, 8);
		memcpy(want[c], mem[c], size);
		for (int i = 0; i < 8; i++) {
			rdt[c][i] = &rdq[c][i];
			tb_on_item(32 * c + i, on_rq, NULL);
			tb_snk_rate(32 * c + i, speed ? 100 : 80);
		}
		for (int i = 0; i < 4; i++) {
			tb_on_packet(32 * c + WR + i, on_wr, NULL);
			tb_snk_rate(32 * c + WR + i, tb_opt("wr", speed ? 100 : 90));
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
	static const char *const name[NSTAT] = { "rx frames", "to connections", "rx dropped", "segments", "lost payload", "bad segments", "time-outs", "tx segments", "tx acks",
		"tx cut", "tx FPDUs", "void FPDUs", "rx FPDUs", "rx faults", "rings", "fetches", "bad WQEs", "hits", "misses", "evictions", "ahead" };

	for (int c = 0; c < 2; c++) {
		printf("# card %d: ready %u idle %u;", c, state[c] >> 1, state[c] & 1);
		for (unsigned k = 0; k < NSTAT; k++)
			printf(" %s %u", name[k], stat[c][k]);
		printf("\n");
		for (unsigned i = 0; i < conns; i++)
			if (s[c][i].done != s[c][i].posted || s[c][i].recv_done != s[c ^ 1][i].sent)
				printf("# card %d connection %u: posted %u rung %u done %u kind %u len %u, sent %u received by peer %u of posted %u\n", c, i, s[c][i].posted, s[c][i].rung,
				       s[c][i].done, s[c][i].op[s[c][i].done % 256].kind, s[c][i].op[s[c][i].done % 256].len, s[c][i].sent, s[c ^ 1][i].recv_done, s[c ^ 1][i].recv_posted);
	}
}

/* One STag after another, each of a connection that is busy. */
static void revoke(void)
{
	struct rev *r;

	if (rev_c < 0) {
		int c = tb_below(2);
		unsigned i = tb_below(conns);

		if (revoked == revokes || gone[i] || tb_cycle() < rev_at || landed < 20)
			return;
		if (s[c][i].posted - s[c][i].done < 2 || s[c][i].posted != s[c][i].rung || s[c ^ 1][i].posted == s[c ^ 1][i].done)
			return;
		rev_c = c;
		rev_i = i;
		rev_step = 0;
		rev_pause = revoked & 1;
		if (rev_pause)
			tb_snk_rate(32 * c + TX, 0);
		rev_at = tb_cycle() + (rev_pause ? tb_range(0, 3000) : 0);
		return;
	}
	r = &rev[rev_c][rev_i];
	switch (rev_step) {
	case 0:
		if (tb_cycle() < rev_at || tb_cfg_pending() || (!reads_open(rev_c, rev_i) && tb_cycle() < rev_at + 2000))
			break;
		gone[rev_i] = true;
		for (int k = 0; k < 2; k++)
			off += s[k][rev_i].posted - s[k][rev_i].land;
		revoked++;
		r->asked = true;
		r->seq = ++closings[rev_c] & 0xffff;
		r->at = tb_cycle();
		stag(rev_c, rev_i, WEFT_TPT_STATE_INVALID);
		rev_step++;
		break;
	case 1:
		if (!tb_cfg_pending() && !r->told)
			open_reads += reads_open(rev_c, rev_i) != 0, rev_step++;
		else if (r->told)
			rev_step++;
		break;
	case 2:
		if (!r->told && tb_cycle() < r->at + 20000)
			break;
		tb_check(r->told, "card %d: no DRAINED of connection %u within 20000 cycles%s", rev_c, rev_i, rev_pause ? ", while its MAC is paused" : "");
		rev_at = tb_cycle() + tb_range(0, 4000);
		rev_step++;
		break;
	case 3:
		if (tb_cycle() < rev_at)
			break;
		tb_snk_rate(32 * rev_c + TX, 100);
		rev_at = tb_cycle() + tb_range(0, 4000);
		rev_step++;
		break;
	case 4:
		if (tb_cycle() < rev_at)
			break;
		for (int k = 0; k < 2; k++)
			end(k, rev_i);
		rev_at = tb_cycle();
		rev_step++;
		break;
	default:
		if (tb_cycle() == rev_at + 40000) {
			tb_fail("connection %u does not end: card 0 %u, card 1 %u", rev_i, rev[0][rev_i].saved, rev[1][rev_i].saved);
			failed = 1;
		}
		if (!rev[0][rev_i].saved || !rev[1][rev_i].saved)
			break;
		rev_c = -1;
		rev_at = tb_cycle() + tb_range(0, 3000);
	}
}

/* With nothing under way each is answered at once. True: all are gone. */
static bool revoke_quietly(void)
{
	static int c;
	static unsigned i;
	struct rev *r = &rev[c][i];

	if (!r->asked) {
		r->asked = true;
		r->seq = ++closings[c] & 0xffff;
		r->at = tb_cycle();
		stag(c, i, WEFT_TPT_STATE_INVALID);
		return false;
	}
	if (!r->told)
		return false;
	if (++i == conns) {
		i = 0;
		c++;
	}
	return c == 2;
}

static void user(void)
{
	int c = tb_opt("one", 0) ? 0 : tb_below(2);
	unsigned i = tb_below(conns);
	struct side *q = &s[c][i];

	if (gone[i])
		return;
	if (speed) { /* everybody in turn, as much as there is room for */
		static unsigned turn;

		turn++;
		c = tb_opt("one", 0) ? 0 : turn & 1;
		i = (tb_opt("one", 0) ? turn : turn >> 1) % conns;
		q = &s[c][i];
		while (issued < ops && q->posted - q->land < deep)
			post(c, i);
		if (q->posted != q->rung) {
			db(c, 0, QPN(i), q->rung = q->posted, 0);
			ring_at = tb_cycle() + 1;
		}
	} else {
		/* a slot is used again when all of its message is where it belongs */
		if ((issued < ops || revoked < revokes) && q->posted - q->land < deep)
			post(c, i);
		if (issued > ops) /* until all that is to be taken back was */
			ops = issued;
		if (q->posted != q->rung && (tb_chance(30) || issued == ops))
			db(c, 0, QPN(i), q->rung = q->posted, 0);
	}
	c = tb_below(2);
	i = tb_below(conns);
	q = &s[c][i];
	if (!gone[i] && (only & O_SEND) && q->recv_posted - q->recv_done < deep) {
		do
			post_recv(c, i);
		while (q->recv_posted - q->recv_done < deep && tb_chance(50));
		db(c, 1, QPN(i), q->recv_posted, 0);
	}
	for (c = 0; c < 2; c++)
		for (i = 0; i < conns; i++) {
			poll(c, i);
			if (s[c][i].own == N_AWAY && s[c][i].own_key && tb_cycle() >= s[c][i].own_at && issued < ops)
				own(c, i);
			if (!gone[i] && s[c][i].land != s[c][i].done)
				land(c, i, false, 0);
		}
}

/* +stall: one host after the other takes no posted writes for a while. */
static void hosts_stall(void)
{
	static u64 at; /* the next one stops, or the one that stands still goes on */
	static int who = -1;
	u64 longest = tb_opt("stall", 0);
	bool over = who >= 0 && (st != S_RUN || pause[who]), stop = who < 0;

	if (!longest || (tb_cycle() < at && !over) || (stop && st != S_RUN))
		return;
	int c = stop ? (int)tb_below(2) : who;

	for (int i = 0; i < 4; i++)
		tb_snk_rate(32 * c + WR + i, stop ? 0 : tb_opt("wr", 90));
	at = tb_cycle() + (stop ? longest : tb_range(1, 2 * longest));
	stalls += stop;
	who = stop ? c : -1;
}

bool tb_step(void)
{
	bool quiet = (state[0] & state[1] & 1) && !tb_pending(RX) && !tb_pending(32 + RX);

	for (int c = 0; c < 2; c++) {
		for (int i = 0; i < 8; i++)
			while (rdq[c][i] && rdq[c][i]->at <= tb_cycle()) {
				struct rdq *q = rdq[c][i];

				tb_packet_push(32 * c + RS + i, mem[c] + q->addr, q->len, NULL, 0, false);
				if (!(rdq[c][i] = q->next))
					rdt[c][i] = &rdq[c][i];
				free(q);
			}
		while (wire[c] && wire[c]->at <= tb_cycle()) {
			struct frame *w = wire[c];

			tb_packet_push(32 * c + RX, w->d, w->len, NULL, 0, w->err);
			wire[c] = w->next;
			free(w);
		}
		quiet &= !wire[c];
	}
	/* While both cards wait for nothing but time, it goes on to the next timer. */
	rest = quiet ? rest + 1 : 0;
	bool kept = pinned[0] || pinned[1] || !pools[0] || !pools[1]; /* something is not acknowledged */

	if (rest > 100 && (deadline[0] & deadline[1]) != ~0ull && (st == S_RUN || (st == S_REST && kept))) {
		u64 at = deadline[0] < deadline[1] ? deadline[0] : deadline[1];

		if (at > tb_get_now())
			tb_set_now(at);
		rest = 60;
	} else if (st == S_RUN && tb_cycle() > last_move + 8000) {
		tb_set_now(tb_get_now() + 1000);
	}
	hosts_stall();
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
			st = S_RUN;
			last_move = tb_cycle();
		}
		break;
	case S_RUN: {
		bool all = true;

		user();
		revoke();
		for (int c = 0; c < 2 && landed + off == ops; c++)
			for (unsigned i = 0; i < conns; i++)
				all &= gone[i] || s[c][i].recv_done == s[c ^ 1][i].sent;
		if (all && landed + off == ops && rev_c < 0) {
			st = S_REST;
			last_move = tb_cycle();
		}
		break;
	}
	case S_REST: /* everything comes to rest; what the wire held back has come */
		if (!quiet || kept)
			last_move = tb_cycle();
		if (tb_cycle() > last_move + 2000) {
			if (!revokes)
				return true;
			st = S_QUIET;
			last_move = tb_cycle();
			break;
		}
		if (++full > 60000) {
			tb_fail("it does not come to rest");
			failed = 1;
			stuck();
			return true;
		}
		break;
	case S_QUIET:
		if (revoke_quietly())
			return true;
		break;
	default:
		break;
	}
	if ((failed || tb_cycle() > last_move + (u64)tb_opt("patience", 60000)) && st != S_RESET) {
		tb_fail("nothing moves: state %d, %u of %u issued, %u completed, %u landed", st, issued, ops, completed, landed);
		failed = 1;
		stuck();
		return true;
	}
	return false;
}

/* What the cards may write besides messages: homes, rings, completions. */
static bool theirs(size_t a)
{
	return (a >= DATA && gone[(a - DATA) / each]) || (a >= RINGS && a < CTRL) || (a >= CTRL && a < CTRL + conns * 0x10000u && (a & 0xe000) == 0xc000);
}

void tb_finish(void)
{
	for (int c = 0; c < 2 && st >= S_REST; c++) {
		for (size_t a = 0, n = 0; a < size && n < 3; a++)
			if (mem[c][a] != want[c][a] && !theirs(a)) {
				tb_fail("card %d: byte %zx of the host's memory is %02x, want %02x", c, a, mem[c][a], want[c][a]);
				a |= 4095;
				n++;
			}
		tb_check(!pinned[c], "card %d: pins are left", c);
		tb_check(pools[c], "card %d: a pool is not full again", c);
		failed |= pinned[c] || !pools[c];
	}
	tb_check(landed + off == ops && completed + off >= ops, "%u of %u completed, %u written off", completed, ops, off);
	tb_check(revoked == revokes, "%u of %u STags taken back", revoked, revokes);
	if (revokes) {
		tb_check(slow_ends && paused_ends, "nothing was under way: of %u DRAINED %u took long, %u came while the MAC was paused", revoked, slow_ends, paused_ends);
		tb_check(quiet_ends && longest_quiet < 200, "with nothing under way DRAINED takes %llu cycles", (unsigned long long)longest_quiet);
		tb_note("%u STags taken back from busy connections, %u of them took more than 300 cycles, %u answered while the MAC was paused, %u with reads open; %u at rest, %llu cycles at most",
			revoked, slow_ends, paused_ends, open_reads, quiet_ends, (unsigned long long)longest_quiet);
	}
	tb_check(!(only & O_ATOM) || atoms > 20, "%u atomics", atoms);
	tb_note("%u atomics, %u of them of one word", atoms, (unsigned)(shared_posted[0] + shared_posted[1]));
	tb_check(speed || revokes || !(only & O_SEND) || given > 5, "%u STags were invalidated", given);
	tb_check(speed || !(only & O_INV) || (own_ends == owns && own_ends > 5 && own_accesses > 5), "%u LOCAL_INVs, %u complete, %u accesses by their STags", owns, own_ends, own_accesses);
	if (own_ends)
		tb_note("%u LOCAL_INVs, %u FAST_REGs, %u accesses by their STags", own_ends, regs, own_accesses);
	/* behind long messages and PAUSE few of the operations are over in time for an STag to be free again */
	tb_check(speed || !(only & O_INV) || conns == 1 || regs > (tb_opt("pause", 0) == 1 ? 0u : 3u), "%u FAST_REGs", regs);
	tb_check(mss > 500 || loss < 3 || !(only & 2) || stat[0][20] + stat[1][20] > 20, "%u Writes were placed ahead of turn", stat[0][20] + stat[1][20]);
	tb_check(!tb_opt("evict", 0) || (stat[0][19] > 20 && stat[1][19] > 20 && stat[0][18] > conns && stat[1][18] > conns), "homes did not move: %u %u", stat[0][19], stat[1][19]);
	/* Whether a host that stops has its card's store half full by then is the draw's; that hosts stop, and that without that a pause comes, is not. */
	tb_check(tb_opt("pause", 0) != 1 || (tb_opt("stall", 0) ? stalls : paused), "nobody paused, %u hosts stopped", stalls);
	tb_note("%u completed, %u received, %u invalidated, frames %u %u, lost %u, harmed %u, fills %u %u, evictions %u %u, rings %u %u, ahead %u %u, time-outs %u %u, pauses %u", completed, recvs, given, frames[0],
		frames[1], lost, harmed, stat[0][18], stat[1][18], stat[0][19], stat[1][19], stat[0][14], stat[1][14], stat[0][20], stat[1][20], stat[0][6], stat[1][6], paused);
	if (speed && mark[1] > mark[0])
		tb_note("%.3f messages a cycle, %.1f bytes a cycle; the last doorbell to its write at the peer %llu cycles, to the completion %llu", (ops / 2) / (double)(mark[1] - mark[0]),
			(mark_bytes[1] - mark_bytes[0]) / (double)(mark[1] - mark[0]), (unsigned long long)(write_at - ring_at), (unsigned long long)last_at);
	else if (speed)
		tb_note("doorbell to write at the peer %llu cycles, to the completion %llu", (unsigned long long)(write_at - ring_at), (unsigned long long)last_at);
	if (tb_opt("stats", 0))
		stuck();
}
