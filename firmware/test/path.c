// SPDX-License-Identifier: BSD-2-Clause
/*
 * The data path's rooms as docs/datapath.md and abi/weft.abi have them: homes and commands (CTX), look-up (LOOK), value
 * slots, pages for rings; and of TCP as much as set-up and close need. Commands are taken at random times, so firmware
 * never sees their effect at once.
 */
#include "peer.h"
#include "world.h"

#define check(c, ...) do { if (!(c)) world_fail(__VA_ARGS__); } while (0)
#define DEPTH 16
#define PARK 16
#define MPA_LEAST 20 /* bytes of an MPA frame, without and with the most private data */
#define MPA_MOST 532

uint8_t home_mem[ROOM_CTX * 2048];
bool path_events_invented;
unsigned path_pinned, path_refuse, path_records, path_errs;
bool path_full, path_mute, path_stuck;
unsigned path_away, path_backs;
enum where { NONE, AWAY, HOME, HELD };
static struct conn {
	enum where where;
	uint32_t line[8][16];    /* while it is home */
	bool busy;               /* the user's work is not acknowledged yet */
	bool term;
	struct { uint8_t f[2200]; unsigned len; } parked[PARK];
	unsigned parked_n;
	unsigned challenged;     /* time of the last challenge ACK */
} conn[ROOM_CTX];
static struct queued { uint32_t qpn, arg, cmd, born; uint8_t fate; } queue[DEPTH];
static uint32_t tick_count;
#define RING (65536u << ring_shift) /* bytes of one */
static unsigned queue_n, pages_given, ring_shift;
static uint32_t backs_qpn; /* its commands come back, until none waits */
static uint32_t reg_qpn, reg_arg, chunk_lo, chunk_hi, page_lo;
static uint64_t chunk;
static struct look { bool used, ipv6; uint32_t key[9], qpn; } look[ROOM_CTX];
static uint32_t look_reg[10], look_status;
static uint32_t value[16][16];
static uint8_t last_term[64];

static void event(unsigned kind, uint32_t qpn, unsigned code, uint32_t data0)
{
	uint32_t ev[16] = { 0 };

	SET(ev, WEFT_FW_EVENT_KIND, kind);
	SET(ev, WEFT_FW_EVENT_ID, qpn);
	SET(ev, WEFT_FW_EVENT_CODE, code);
	SET(ev, WEFT_FW_EVENT_DATA0, data0);
	world_event_in(ev);
}

/* ---- homes ---- */

static uint8_t *home(unsigned qpn) { return home_mem + qpn * 2048; }
static void fill(unsigned qpn)
{
	struct conn *c = &conn[qpn];

	if (c->where != AWAY) return;
	check(chunk == HOMES_BASE, "a fill without a chunk");
	memcpy(c->line, home(qpn), 512);
	c->where = HOME;
}
static void write_back(unsigned qpn)
{
	if (conn[qpn].where != HOME) return;
	memcpy(home(qpn), conn[qpn].line, 512);
	conn[qpn].where = AWAY;
}
/* A line as it is now, wherever it is. */
static uint32_t *line(unsigned qpn, unsigned n) { return conn[qpn].where == HOME ? conn[qpn].line[n] : (uint32_t *)(home(qpn) + n * 64); }

/* ---- TCP ---- */

static void frame_out(unsigned qpn, uint32_t off, unsigned flags, const uint8_t *data, unsigned n)
{
	const uint32_t *k = line(qpn, 0), *s = line(qpn, 1), *r = line(qpn, 2), *l2 = room_ctx[WEFT_ROOM_L2T][GET(k, WEFT_HOME_KEY_L2)];
	static struct pkt p;
	uint8_t f[200];

	memset(&p, 0, sizeof(p));
	memcpy(p.dmac, BYTES(l2, WEFT_L2E_DMAC), 6);
	memcpy(p.smac, BYTES(l2, WEFT_L2E_SMAC), 6);
	p.ipv6 = GET(k, WEFT_HOME_KEY_IPV6);
	memcpy(p.src, BYTES(k, WEFT_HOME_KEY_LOCAL_ADDR), 16);
	memcpy(p.dst, BYTES(k, WEFT_HOME_KEY_PEER_ADDR), 16);
	p.sport = (uint16_t)GET(k, WEFT_HOME_KEY_LOCAL_PORT);
	p.dport = (uint16_t)GET(k, WEFT_HOME_KEY_PEER_PORT);
	p.seq = GET(s, WEFT_HOME_SND_SEQ0) + off;
	p.ack = GET(r, WEFT_HOME_RCV_SEQ0) + GET(r, WEFT_HOME_RCV_RCV_NXT) + GET(r, WEFT_HOME_RCV_FIN);
	p.flags = (uint8_t)flags;
	p.wnd = 1000;
	p.wscale = -1;
	if (GET(k, WEFT_HOME_KEY_TS)) {
		memcpy(p.opt, "\1\1\10\12", 4);
		put32(p.opt + 4, GET(s, WEFT_HOME_SND_TS_OFF) + (uint32_t)(world_now() >> 20));
		put32(p.opt + 8, GET(r, WEFT_HOME_RCV_TS_RECENT));
		p.opt_len = 12;
	}
	p.len = n;
	if (n) memcpy(p.data, data, n);
	on_frame(f, pkt_build(f, &p));
}
/* FIN goes when everything is acknowledged. */
static void progress(unsigned qpn)
{
	uint32_t *s = line(qpn, 1), max = GET(s, WEFT_HOME_SND_SND_MAX);

	if (conn[qpn].where != HOME || GET(s, WEFT_HOME_SND_STATE) != WEFT_TCP_STATE_OPEN || !GET(s, WEFT_HOME_SND_CLOSING)
	    || GET(s, WEFT_HOME_SND_FIN_SENT) || conn[qpn].busy || s[0] != max || GET(s, WEFT_HOME_SND_HOLD)) return;
	SET(s, WEFT_HOME_SND_FIN_SENT, 1);
	SET(s, WEFT_HOME_SND_SND_MAX, max + 1);
	frame_out(qpn, max, P_FIN | P_ACK, NULL, 0);
}
static void una(unsigned qpn, uint32_t off)
{
	uint32_t *s = line(qpn, 1), max = GET(s, WEFT_HOME_SND_SND_MAX);

	if ((int32_t)(off - s[0]) > 0 && (int32_t)(off - max) <= 0) s[0] = off;
	if (GET(s, WEFT_HOME_SND_FIN_SENT) && !GET(s, WEFT_HOME_SND_FIN_ACKED) && s[0] == max) {
		SET(s, WEFT_HOME_SND_FIN_ACKED, 1);
		event(WEFT_FW_EV_ACKED, qpn, 0, s[0]);
	}
	progress(qpn);
}
static void send(unsigned qpn, const uint8_t *b, unsigned n)
{
	uint32_t *s = line(qpn, 1), max = GET(s, WEFT_HOME_SND_SND_MAX);

	if (GET(s, WEFT_HOME_SND_HOLD)) { /* it waits; events of the fuzzer may have asked for it */
		check(path_events_invented, "something is sent under HOLD");
		return;
	}
	SET(s, WEFT_HOME_SND_SND_MAX, max + n);
	frame_out(qpn, max, P_ACK | P_PSH, b, n);
}
static void hold_over(unsigned qpn)
{
	uint32_t *s = line(qpn, 1);

	if (GET(s, WEFT_HOME_SND_HOLD)) event(WEFT_FW_EV_HOLD_OVER, qpn, 0, s[0]);
	SET(s, WEFT_HOME_SND_HOLD, 0);
}
static void input(unsigned qpn, const uint8_t *f, unsigned len)
{
	static struct pkt p;
	uint32_t *s = line(qpn, 1), *r = line(qpn, 2), next = GET(r, WEFT_HOME_RCV_SEQ0) + GET(r, WEFT_HOME_RCV_RCV_NXT);

	if (pkt_parse(&p, f, len) || GET(s, WEFT_HOME_SND_STATE) != WEFT_TCP_STATE_OPEN) return;
	if (p.ts && (int32_t)(p.seq - next) <= 0) SET(r, WEFT_HOME_RCV_TS_RECENT, p.tsval);
	if ((p.flags & P_SYN) || ((p.flags & P_RST) && p.seq != next)) { /* RFC 5961: one in a quarter of a second */
		unsigned now = (unsigned)(world_now() >> 28) | 1;

		if ((p.flags & P_RST) && p.seq - next > 65535) return;
		if (conn[qpn].challenged != now) frame_out(qpn, GET(s, WEFT_HOME_SND_SND_MAX), P_ACK, NULL, 0);
		conn[qpn].challenged = now;
		return;
	}
	if (p.flags & P_RST) {
		SET(s, WEFT_HOME_SND_STATE, WEFT_TCP_STATE_DEAD);
		event(WEFT_FW_EV_TCP_RESET, qpn, 0, 0);
		return;
	}
	if (p.flags & P_ACK) una(qpn, p.ack - GET(s, WEFT_HOME_SND_SEQ0));
	if (p.seq != next) {
		if (p.len || (p.flags & P_FIN)) frame_out(qpn, GET(s, WEFT_HOME_SND_SND_MAX), P_ACK, NULL, 0);
		return;
	}
	if (p.len) {
		SET(r, WEFT_HOME_RCV_RCV_NXT, GET(r, WEFT_HOME_RCV_RCV_NXT) + p.len);
		r[0] += p.len;
		hold_over(qpn);
	}
	if ((p.flags & P_FIN) && !GET(r, WEFT_HOME_RCV_FIN)) {
		SET(r, WEFT_HOME_RCV_FIN, 1);
		event(WEFT_FW_EV_RX_FIN, qpn, 0, r[0]);
	}
	if (p.len || (p.flags & P_FIN)) frame_out(qpn, GET(s, WEFT_HOME_SND_SND_MAX), P_ACK, NULL, 0);
}
static unsigned sum(const uint8_t *b, unsigned n, unsigned s)
{
	for (unsigned i = 0; i < n; i++) s += i & 1 ? b[i] : (unsigned)b[i] << 8;
	while (s >> 16) s = (s & 0xffff) + (s >> 16);
	return s;
}
unsigned path_late;
bool path_frame(const uint8_t *g, unsigned len)
{
	static struct pkt p;
	static uint8_t f[2200];

	if (path_late) {
		path_late--;
		return false;
	}
	if (len > sizeof(f)) return false;
	memcpy(f, g, len);
	if (pkt_parse(&p, f, len)) { /* the fuzzer makes no checksums */
		unsigned n = (unsigned)(f[16] << 8 | f[17]), s;

		if (len < 54 || f[12] != 8 || f[13] || f[14] != 0x45 || f[23] != 6 || n < 40 || n + 14 > len) return false;
		f[24] = f[25] = f[50] = f[51] = 0;
		s = ~sum(f + 14, 20, 0);
		f[24] = (uint8_t)(s >> 8);
		f[25] = (uint8_t)s;
		s = ~sum(f + 34, n - 20, sum(f + 26, 8, 6 + n - 20));
		f[50] = (uint8_t)(s >> 8);
		f[51] = (uint8_t)s;
		if (pkt_parse(&p, f, len)) return false;
	}
	for (struct look *l = look; l < look + ROOM_CTX; l++) {
		struct conn *c = &conn[l->qpn];

		if (!l->used || l->key[8] != ((uint32_t)p.dport << 16 | p.sport) || l->ipv6 != p.ipv6 || memcmp(l->key, p.dst, 16) || memcmp(l->key + 4, p.src, 16)) continue;
		if (c->where == NONE) return false;
		if (c->where == HELD) {
			if (c->parked_n < PARK) {
				memcpy(c->parked[c->parked_n].f, f, len);
				c->parked[c->parked_n++].len = len;
			}
			return true;
		}
		fill(l->qpn);
		input(l->qpn, f, len);
		return true;
	}
	return false;
}

unsigned path_turned;
static struct { uint8_t f[1024]; unsigned len; } turning[DEPTH];
static unsigned turning_n;
bool path_turns(const uint8_t *f, unsigned len)
{
	if (memcmp(f, "\2\0\0\0\0\12", 6)) return false;
	path_turned++;
	check(len <= sizeof(turning[0].f), "%u bytes turn round", len);
	if (turning_n == DEPTH || len > sizeof(turning[0].f)) return true;
	memcpy(turning[turning_n].f, f, len);
	turning[turning_n++].len = len;
	return true;
}
/* They come in behind the commands that were given before. */
static bool turn(void)
{
	unsigned n = turning_n;

	turning_n = 0;
	for (unsigned i = 0; i < n; i++) world_frame_in(turning[i].f, turning[i].len, 0);
	return n;
}

/* ---- commands ---- */

static void unpark(unsigned qpn, bool alive)
{
	struct conn *c = &conn[qpn];

	for (unsigned i = 0; i < c->parked_n && alive; i++) {
		fill(qpn);
		input(qpn, c->parked[i].f, c->parked[i].len);
	}
	c->parked_n = 0;
}
static void home_command(unsigned qpn, unsigned op)
{
	struct conn *c = &conn[qpn];
	bool ok = false;

	switch (op) {
	case WEFT_HOME_OP_CREATE:
		if (path_refuse) path_refuse--;
		else if ((ok = c->where == NONE)) c->where = AWAY, c->busy = true;
		break;
	case WEFT_HOME_OP_HOLD:
		if (path_refuse) path_refuse--;
		else if ((ok = c->where == NONE)) c->where = HELD;
		break;
	case WEFT_HOME_OP_RELEASE:
		if ((ok = c->where == HELD)) c->where = AWAY, c->busy = true;
		break;
	case WEFT_HOME_OP_SAVE:
		if (c->where == HOME && path_pinned && (world_rand() >> 20) % path_pinned == 0) { /* something of it is under way */
			op = WEFT_HOME_OP_BUSY;
			break;
		}
		ok = c->where == HOME || c->where == AWAY;
		write_back(qpn);
		if (path_mute) return;
		break;
	case WEFT_HOME_OP_DESTROY:
		if ((ok = c->where == AWAY || c->where == HELD)) c->where = NONE;
		break;
	}
	event(WEFT_FW_EV_HOME_DONE, qpn, op | (unsigned)ok << 8, 0);
	if (op == WEFT_HOME_OP_RELEASE || op == WEFT_HOME_OP_DESTROY) unpark(qpn, ok && op == WEFT_HOME_OP_RELEASE);
}
/*
 * A slot cannot be had: the command comes back, and all that wait behind it. Not before many tries were in vain, so what firmware gives in a row
 * is all there by then.
 */
enum { UNDECIDED, STAYS, BACK };
#define IN_VAIN 40 /* ticks */
static bool comes_back(struct queued *c)
{
	if (backs_qpn == c->qpn) c->fate = BACK;
	else if (backs_qpn) return false;
	if (!c->fate) c->fate = conn[c->qpn].where == AWAY && path_away && (world_rand() >> 20) % path_away == 0 ? BACK : STAYS;
	return c->fate == BACK;
}
static void back(const struct queued *c)
{
	backs_qpn = c->qpn;
	path_backs++;
	event(WEFT_FW_EV_HOME_DONE, c->qpn, GET(&c->cmd, WEFT_CTX_COMMAND_OP) | 0xc0, GET(&c->cmd, WEFT_CTX_COMMAND_ROOMS) << 16 | c->arg);
}
static void room_command(unsigned qpn, unsigned rooms, unsigned op, unsigned arg)
{
	uint32_t *s;

	check(conn[qpn].where != HELD, "a command for rooms waits in front of the RELEASE of QP %u", qpn);
	if (conn[qpn].where == NONE || conn[qpn].where == HELD) {
		event(WEFT_FW_EV_HOME_DONE, qpn, op | 0x80, 0);
		return;
	}
	fill(qpn);
	s = line(qpn, 1);
	switch (op) {
	case WEFT_CTX_OP_SET_STATE:
		if ((rooms & 1) && (arg & 64)) SET(line(qpn, 2), WEFT_HOME_RCV_DEAF, 1);
		else if ((rooms & 1) && (arg & 32)) SET(s, WEFT_HOME_SND_HOLD, 0);
		else if (rooms & 1) SET(s, WEFT_HOME_SND_STATE, arg & 3);
		path_errs += (rooms & 2) && (arg & 3) == WEFT_QP_STATE_ERR;
		if (rooms & 2) SET(line(qpn, 4), WEFT_HOME_SQ_STATE, arg & 3);
		if (rooms & 4) SET(line(qpn, 6), WEFT_HOME_MPA_DEAD, arg & 1);
		if (rooms & 8) SET(line(qpn, 7), WEFT_HOME_RDMAP_STATE, arg & 3);
		if ((rooms & 1) && !(arg & 32) && (arg & 3) == 3) world_fail("TCP state %u", arg);
		break;
	case WEFT_CTX_OP_DRAIN:
		for (unsigned i = 0; i < 4 && !path_mute; i++)
			if (rooms >> i & 1) event(WEFT_FW_EV_DRAINED, qpn, i == 0 ? 1 : i == 1 ? WEFT_ROOM_QP_TX : WEFT_ROOM_RX, arg);
		break;
	case WEFT_CTX_OP_VALUE: {
		unsigned n = arg >> 8 & 63 ? arg >> 8 & 63 : 64;
		uint8_t b[100] = { 0, 0, 0x41, 0x47, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 1 };

		check(rooms == 2, "VALUE to rooms %x", rooms);
		if (arg >> 15) {
			send(qpn, (const uint8_t *)value[arg & 15], n);
			break;
		}
		b[1] = (uint8_t)(18 + n);
		memcpy(b + 20, value[arg & 15], n);
		memcpy(last_term, value[arg & 15], n);
		conn[qpn].term = true;
		send(qpn, b, (20 + n + 3) / 4 * 4 + 4);
		break;
	}
	case WEFT_CTX_OP_RESUME:
		check(rooms == 8, "RESUME to rooms %x", rooms);
		path_resumes[qpn]++;
		break;
	case WEFT_CTX_OP_CLOSE:
		check(rooms == 1, "CLOSE to rooms %x", rooms);
		SET(s, WEFT_HOME_SND_CLOSING, 1);
		progress(qpn);
		break;
	}
}
static bool brings_nothing(uint32_t cmd)
{
	return (cmd >> WEFT_CTX_COMMAND_HOME_LSB & 1) && GET(&cmd, WEFT_CTX_COMMAND_OP) != WEFT_HOME_OP_SAVE;
}
bool path_tick(void)
{
	unsigned n = queue_n;

	tick_count++;
	if (path_full) return turn();
	for (unsigned k = world_rand() >> 16 & 3, at = 0; k && at < queue_n; k--) {
		struct queued c = queue[at];
		uint32_t qpn = c.qpn, arg = c.arg, cmd = c.cmd;
		bool home = cmd >> WEFT_CTX_COMMAND_HOME_LSB & 1, goes = !home && qpn < ROOM_CTX && comes_back(&queue[at]);

		if (path_stuck && !brings_nothing(cmd)) { /* the scenario's commands of a QPN are of one kind then */
			at++;
			k++;
			continue;
		}
		if (goes && backs_qpn != qpn && tick_count - c.born < IN_VAIN) break;
		memmove(queue + at, queue + at + 1, (--queue_n - at) * sizeof(queue[0]));
		if (qpn >= ROOM_CTX) continue;
		if (goes) back(&c);
		else if (home) home_command(qpn, GET(&cmd, WEFT_CTX_COMMAND_OP));
		else room_command(qpn, GET(&cmd, WEFT_CTX_COMMAND_ROOMS), GET(&cmd, WEFT_CTX_COMMAND_OP), arg);
		for (qpn = 0; qpn < queue_n && queue[qpn].qpn != backs_qpn; qpn++) {}
		if (qpn == queue_n) backs_qpn = 0;
	}
	if (!n) { /* now and then one goes home by itself, as when others want its slot */
		unsigned q = (world_rand() >> 8) % ROOM_CTX;

		write_back(q);
	}
	for (unsigned i = 0; path_stuck && i < queue_n; i++) n -= !brings_nothing(queue[i].cmd);
	return (!queue_n && turn()) || n != 0;
}

static void look_command(uint32_t cmd)
{
	uint32_t key[9], qpn = look_reg[9] & 0xffffff;
	bool ipv6 = look_reg[9] >> 31;
	struct look *l;

	memcpy(key, look_reg, 36);
	for (l = look; l < look + ROOM_CTX && !(l->used && l->qpn == qpn && l->ipv6 == ipv6 && !memcmp(l->key, key, 36)); l++) {}
	if (cmd == WEFT_LOOK_CMD_REMOVE) {
		look_status = l < look + ROOM_CTX ? WEFT_LOOK_STATUS_OK : WEFT_LOOK_STATUS_NOT_FOUND;
		check(l < look + ROOM_CTX, "the entry of QP %u is not there", qpn);
		if (l < look + ROOM_CTX) l->used = false;
		return;
	}
	check(l == look + ROOM_CTX, "the entry of QP %u is there", qpn);
	look_status = room_conn_full ? WEFT_LOOK_STATUS_FULL : WEFT_LOOK_STATUS_OK;
	if (room_conn_full) return;
	for (l = look; l->used; l++) {}
	l->used = true;
	l->qpn = qpn;
	l->ipv6 = ipv6;
	memcpy(l->key, key, 36);
}

uint32_t path_srq[64][2];
unsigned path_resumes[ROOM_CTX];

bool path_read(unsigned room, uint32_t off, uint32_t *v, bool *err)
{
	*v = 0;
	switch (room) {
	case WEFT_ROOM_QP_TX:
		*err = true;
		return true;
	case WEFT_ROOM_RX: /* of SRQ_CTRL the indices are of no interest here */
		if (off >> 3 < 64 && (off & 4)) *v = path_srq[off >> 3][1];
		else *err = true;
		return true;
	case WEFT_ROOM_CONN:
		if (off == WEFT_LOOK_STATUS) *v = look_status;
		else *err = true;
		return true;
	case WEFT_ROOM_CTX:
		/* the fuzzer's queue is short */
		if (off == WEFT_CTX_STATUS) *v = queue_n >= (path_events_invented ? 14 : DEPTH) ? 0 : (path_events_invented ? 14 : DEPTH) - queue_n;
		else *err = true;
		if (path_full) *v = 0;
		path_tick();
		return true;
	case WEFT_ROOM_RING:
		if (off == WEFT_RING_STATUS) *v = 1u << WEFT_RING_STATUS_READY_LSB | (uint32_t)(pages_given < 32) << WEFT_RING_STATUS_ROOM_LSB;
		else if (off == WEFT_RING_SIZE) *v = 2 | 16 << 16;
		else if (off == WEFT_RING_WND) *v = 65536 << ring_shift;
		else if (off == WEFT_RING_SHIFT) *v = ring_shift | 2 << WEFT_RING_SHIFT_MOST_LSB;
		return true;
	default:
		return false;
	}
}
bool path_write(unsigned room, uint32_t off, uint32_t v, bool *err)
{
	switch (room) {
	case WEFT_ROOM_QP_TX:
		*err = true;
		return true;
	case WEFT_ROOM_RX:
		if (off >> 3 < 64) path_srq[off >> 3][off >> 2 & 1] = v;
		else *err = true;
		return true;
	case WEFT_ROOM_CONN:
		if (off < 40) look_reg[off / 4] = v;
		else if (off == WEFT_LOOK_CMD) look_command(v);
		return true;
	case WEFT_ROOM_CTX:
		switch (off) {
		case WEFT_CTX_QPN: reg_qpn = v; break;
		case WEFT_CTX_ARG: reg_arg = v; break;
		case WEFT_CTX_CMD:
			check(queue_n < DEPTH, "a command without a place");
			check(queue_n < DEPTH - 4 || brings_nothing(v), "the last places are taken by command %x of QP %u", v, reg_qpn);
			if (queue_n == DEPTH) { *err = true; break; }
			queue[queue_n].qpn = reg_qpn;
			queue[queue_n].arg = reg_arg;
			queue[queue_n].born = tick_count;
			queue[queue_n].fate = UNDECIDED;
			queue[queue_n++].cmd = v;
			break;
		case WEFT_CTX_CHUNK_LO: chunk_lo = v; break;
		case WEFT_CTX_CHUNK_HI: chunk_hi = v; break;
		case WEFT_CTX_CHUNK_SET:
			chunk = v >> 31 ? (uint64_t)chunk_hi << 32 | chunk_lo : 0;
			for (unsigned q = 0; q < ROOM_CTX && !chunk; q++) check(conn[q].where == NONE, "a chunk with QP %u is taken back", q);
			break;
		}
		return true;
	case WEFT_ROOM_VALUE:
		if (off < 16 * 64) value[off / 64][off / 4 % 16] = v;
		return true;
	case WEFT_ROOM_RING:
		if (off == WEFT_RING_PAGE_LO) page_lo = v;
		else if (off == WEFT_RING_PAGE_HI) {
			check(pages_given < 32 && !(page_lo & ((4096u << ring_shift) - 1)), "a page");
			pages_given++;
		} else if (off == WEFT_RING_SHIFT) {
			check(!pages_given && (v & 3) <= 2, "pages of 4 KiB << %u", v & 3);
			ring_shift = v & 3;
		}
		return true;
	default:
		return false;
	}
}

/* ---- as scenarios see it ---- */

uint8_t *path_host(uint64_t at, unsigned n)
{
	path_records += at % 2048 == 2016;
	return at >= HOMES_BASE && at + n <= HOMES_BASE + sizeof(home_mem) ? home_mem + (at - HOMES_BASE) : NULL;
}
unsigned path_markers(unsigned qpn) { return GET(line(qpn, 4), WEFT_HOME_SQ_MARKERS); }
unsigned path_tx(unsigned qpn) { return GET(line(qpn, 4), WEFT_HOME_SQ_STATE); }
unsigned path_rx(unsigned qpn) { return GET(line(qpn, 7), WEFT_HOME_RDMAP_STATE); }
unsigned path_tcp(unsigned qpn) { return GET(line(qpn, 1), WEFT_HOME_SND_STATE); }
void path_set_tx(unsigned qpn, unsigned state) { (void)qpn; (void)state; }
bool path_there(unsigned qpn) { return conn[qpn].where != NONE; }
bool path_look(unsigned qpn)
{
	for (struct look *l = look; l < look + ROOM_CTX; l++)
		if (l->used && l->qpn == qpn) return true;
	return false;
}
bool path_srq_of(unsigned qpn, unsigned srqn, uint32_t pd)
{
	const uint32_t *p = line(qpn, 7);

	return GET(p, WEFT_HOME_RDMAP_SRQ) && !GET(p, WEFT_HOME_RDMAP_SRQ_HAVE) && GET(p, WEFT_HOME_RDMAP_SRQN) == srqn && GET(p, WEFT_HOME_RDMAP_SRQ_PD) == pd;
}
/* ---- what lies in a home: whole lines, as docs/programming-model.md has them ---- */

#define IP_TTL 64
#define HOLD_NS 150000000ull
#define TS_OFFSET 0x867f7871u /* bytes 16 to 19 of the seed that scenarios give */
#define OUR_SHIFT 3
#define PEER_SHIFT 7
static uint32_t made[ROOM_CTX][16]; /* QP_CREATE of each */

/* The send queue's and the receive queue's share of QP_CREATE. */
static void want_queues(uint32_t want[8][16], const uint32_t *c)
{
	uint32_t *q = want[4], *p = want[7], flags = GET(c, WEFT_ADMIN_QP_FLAGS);

	SET64(q, WEFT_HOME_SQ_SQ_BASE, GET64(c, WEFT_ADMIN_QP_SQ_BASE));
	SET(q, WEFT_HOME_SQ_SQ_LOG2, GET(c, WEFT_ADMIN_QP_SQ_LOG2));
	SET(q, WEFT_HOME_SQ_SQ_STRIDE, GET(c, WEFT_ADMIN_QP_SQ_STRIDE));
	SET(q, WEFT_HOME_SQ_PRIV, flags & 1);
	for (unsigned i = 0; i < 2; i++) BYTES(q, WEFT_HOME_SQ_CQN)[i] = (uint8_t)(GET(c, WEFT_ADMIN_QP_SCQN) >> 8 * i);
	for (unsigned i = 0; i < 3; i++) BYTES(q, WEFT_HOME_SQ_PD)[i] = (uint8_t)(GET(c, WEFT_ADMIN_QP_PD) >> 8 * i);
	SET(q, WEFT_HOME_SQ_ORD, GET(c, WEFT_ADMIN_QP_ORD));
	SET(q, WEFT_HOME_SQ_IRD, GET(c, WEFT_ADMIN_QP_IRD));
	SET64(p, WEFT_HOME_RDMAP_RQ_BASE, GET64(c, WEFT_ADMIN_QP_RQ_BASE));
	SET(p, WEFT_HOME_RDMAP_RQ_LOG2, GET(c, WEFT_ADMIN_QP_RQ_LOG2));
	SET(p, WEFT_HOME_RDMAP_RQ_STRIDE, GET(c, WEFT_ADMIN_QP_RQ_STRIDE));
	SET(p, WEFT_HOME_RDMAP_PRIV, flags & 1);
	for (unsigned i = 0; i < 2; i++) BYTES(p, WEFT_HOME_RDMAP_CQN)[i] = (uint8_t)(GET(c, WEFT_ADMIN_QP_RCQN) >> 8 * i);
	for (unsigned i = 0; i < 3; i++) BYTES(p, WEFT_HOME_RDMAP_PD)[i] = (uint8_t)(GET(c, WEFT_ADMIN_QP_PD) >> 8 * i);
	SET(p, WEFT_HOME_RDMAP_ACCESS, GET(c, WEFT_ADMIN_QP_ACCESS));
	SET(p, WEFT_HOME_RDMAP_IRD, GET(c, WEFT_ADMIN_QP_IRD));
	if (!(flags & 2)) return;
	SET(p, WEFT_HOME_RDMAP_SRQ, 1);
	SET(p, WEFT_HOME_RDMAP_SRQN, GET(c, WEFT_ADMIN_QP_SRQN));
	for (unsigned i = 0; i < 3; i++) BYTES(p, WEFT_HOME_RDMAP_SRQ_PD)[i] = (uint8_t)(GET(c, WEFT_ADMIN_QP_SRQ_PD) >> 8 * i);
}
static void compare(unsigned qpn, uint32_t want[8][16])
{
	for (unsigned n = 0; n < 8; n++)
		for (unsigned i = 0; i < 16; i++)
			check(line(qpn, n)[i] == want[n][i], "home of QP %u, line %u, bytes %u to %u: %08x, wanted %08x", qpn, n, 4 * i, 4 * i + 3, line(qpn, n)[i], want[n][i]);
}
void path_made(const uint32_t *c)
{
	uint32_t want[8][16] = { 0 };
	unsigned qpn = GET(c, WEFT_ADMIN_QP_QPN);

	memcpy(made[qpn], c, 64);
	want_queues(want, c);
	compare(qpn, want);
}
static void want_tcp(uint32_t want[8][16], const struct path_want *w, uint32_t off, uint32_t roff)
{
	const uint32_t *r = line(w->qpn, 2), *t = line(w->qpn, 3);
	uint32_t *s = want[1], min = GET(t, WEFT_HOME_TIM_MIN_RTT), wl1 = GET(line(w->qpn, 1), WEFT_HOME_SND_WL1), recent = GET(r, WEFT_HOME_RCV_TS_RECENT);
	uint64_t keep = GET64(t, WEFT_HOME_TIM_KEEP_AT), late = ((world_now() + HOLD_NS) >> 10) - keep;

	s[0] = off;
	SET(s, WEFT_HOME_SND_SND_MAX, off);
	SET(s, WEFT_HOME_SND_SEQ0, w->snd - off);
	SET(s, WEFT_HOME_SND_WND_EDGE, off + w->wnd);
	check(w->rcv - wl1 - 1 < roff, "WL1 %x is not of the peer's MPA frame", wl1);
	SET(s, WEFT_HOME_SND_WL1, wl1);
	SET(s, WEFT_HOME_SND_WL2, w->snd - off);
	SET(s, WEFT_HOME_SND_MAX_WND, w->wnd);
	SET(s, WEFT_HOME_SND_RECOVER, off);
	SET(s, WEFT_HOME_SND_RTX_NXT, off);
	SET(s, WEFT_HOME_SND_MSS, (w->ipv6 ? 1440 : 1460) - (w->ts ? 12 : 0));
	SET(s, WEFT_HOME_SND_STATE, WEFT_TCP_STATE_OPEN);
	SET(s, WEFT_HOME_SND_HOLD, w->hold);
	SET(s, WEFT_HOME_SND_WSCALE, 1);
	SET(s, WEFT_HOME_SND_SND_SHIFT, PEER_SHIFT);
	SET(s, WEFT_HOME_SND_RCV_SHIFT, OUR_SHIFT);
	SET(s, WEFT_HOME_SND_TS_OFF, TS_OFFSET);
	s = want[2];
	s[0] = roff;
	SET(s, WEFT_HOME_RCV_RCV_NXT, roff);
	SET(s, WEFT_HOME_RCV_RIGHT, roff + RING);
	SET(s, WEFT_HOME_RCV_SEQ0, w->rcv - roff);
	SET(s, WEFT_HOME_RCV_LAST_ACK, w->rcv);
	SET(s, WEFT_HOME_RCV_ADV, w->rcv + RING);
	check(!w->ts || recent - 0x80000000u <= (uint32_t)(world_now() / 1000000), "TS.Recent %x of a peer whose clock begins at 2^31", recent);
	if (w->ts) SET(s, WEFT_HOME_RCV_TS_RECENT, recent);
	check((uint32_t)(world_now() >> 30) - GET(r, WEFT_HOME_RCV_TS_AGE) <= 1, "the age of TS.Recent");
	SET(s, WEFT_HOME_RCV_TS_AGE, GET(r, WEFT_HOME_RCV_TS_AGE));
	SET(s, WEFT_HOME_RCV_WEFT, w->weft & 1);
	s = want[3];
	check(w->hold ? late < HOLD_NS >> 10 : !keep, "KEEP_AT %llx", (unsigned long long)keep);
	SET64(s, WEFT_HOME_TIM_KEEP_AT, keep);
	SET(s, WEFT_HOME_TIM_RTT_SEEN, min != 0);
	SET(s, WEFT_HOME_TIM_SRTT, min * 8);
	SET(s, WEFT_HOME_TIM_RTTVAR, min * 2);
	SET(s, WEFT_HOME_TIM_MIN_RTT, min);
}
void path_expect(const struct path_want *w)
{
	uint32_t want[8][16] = { 0 }, *k = want[0], *q = want[4], *m = want[6], *p = want[7], off = line(w->qpn, 1)[0], roff = line(w->qpn, 2)[0];

	check(conn[w->qpn].where == HOME || conn[w->qpn].where == AWAY, "the connection is in state %u", conn[w->qpn].where);
	check(path_look(w->qpn) && GET(made[w->qpn], WEFT_ADMIN_QP_QPN) == w->qpn, "no look-up entry, or no QP");
	check(w->hold ? off >= MPA_LEAST && off <= MPA_MOST : !off, "begins %u bytes behind the handshake", off);
	check(roff >= MPA_LEAST && roff <= MPA_MOST, "an MPA frame of %u bytes", roff);
	memcpy(BYTES(k, WEFT_HOME_KEY_LOCAL_ADDR), w->local, 16);
	memcpy(BYTES(k, WEFT_HOME_KEY_PEER_ADDR), w->peer, 16);
	SET(k, WEFT_HOME_KEY_IPV6, w->ipv6);
	SET(k, WEFT_HOME_KEY_LOCAL_PORT, w->lport);
	SET(k, WEFT_HOME_KEY_PEER_PORT, w->pport);
	SET(k, WEFT_HOME_KEY_L2, 7);
	SET(k, WEFT_HOME_KEY_TOS, w->tos);
	SET(k, WEFT_HOME_KEY_TTL, IP_TTL);
	SET(k, WEFT_HOME_KEY_TS, w->ts);
	SET(k, WEFT_HOME_KEY_SACK, w->sack);
	SET(k, WEFT_HOME_KEY_ALIGNED, w->weft >> 1);
	want_tcp(want, w, off, roff);
	want_queues(want, made[w->qpn]);
	SET(q, WEFT_HOME_SQ_CRC, w->crc);
	SET(q, WEFT_HOME_SQ_MARKERS, w->markers);
	SET(q, WEFT_HOME_SQ_STATE, WEFT_QP_STATE_RTS);
	SET(q, WEFT_HOME_SQ_FIRST, off);
	SET(q, WEFT_HOME_SQ_MSS, (w->ipv6 ? 1440 : 1460) - (w->ts ? 12 : 0));
	SET(q, WEFT_HOME_SQ_ORD, w->ord);
	SET(q, WEFT_HOME_SQ_IRD, w->ird);
	q[WEFT_HOME_SQ_OFF_LSB / 32] = q[WEFT_HOME_SQ_UNA_LSB / 32] = q[WEFT_HOME_SQ_LIMIT_LSB / 32] = off;
	SET(q, WEFT_HOME_SQ_SEND_MSN, 1);
	SET(q, WEFT_HOME_SQ_READ_MSN, 1);
	m[WEFT_HOME_MPA_NEXT_LSB / 32] = roff;
	m[WEFT_HOME_MPA_RCV_EDGE_LSB / 32] = roff + RING;
	SET(m, WEFT_HOME_MPA_FIRST, roff);
	SET(m, WEFT_HOME_MPA_CRC, w->crc);
	SET(m, WEFT_HOME_MPA_FRESH, 1);
	SET(p, WEFT_HOME_RDMAP_STATE, WEFT_QP_STATE_RTS);
	SET(p, WEFT_HOME_RDMAP_IRD, w->ird);
	SET(p, WEFT_HOME_RDMAP_SEND_MSN, 1);
	SET(p, WEFT_HOME_RDMAP_READ_MSN, 1);
	SET(p, WEFT_HOME_RDMAP_FIRST, 1);
	compare(w->qpn, want);
}
void path_lose(unsigned qpn, bool told)
{
	write_back(qpn);
	conn[qpn].where = NONE;
	if (told) event(WEFT_FW_EV_HOME_DONE, qpn, 0x80, 0);
	world_run();
}
void path_leave(unsigned qpn) { write_back(qpn); }
void path_una(unsigned qpn, uint32_t seq)
{
	fill(qpn);
	conn[qpn].busy = false;
	una(qpn, seq - GET(line(qpn, 1), WEFT_HOME_SND_SEQ0));
}
void path_acked(unsigned qpn)
{
	fill(qpn);
	conn[qpn].busy = false;
	if (!GET(line(qpn, 1), WEFT_HOME_SND_FIN_SENT)) una(qpn, GET(line(qpn, 1), WEFT_HOME_SND_SND_MAX));
}
void path_got(unsigned qpn, unsigned bytes)
{
	uint32_t *r;

	fill(qpn);
	r = line(qpn, 2);
	r[0] += bytes;
	SET(r, WEFT_HOME_RCV_RCV_NXT, r[0]);
	hold_over(qpn);
}
void path_counts(unsigned qpn, const uint64_t n[6])
{
	uint32_t *q, *p;

	fill(qpn);
	q = line(qpn, 4);
	p = line(qpn, 7);
	SET64(q, WEFT_HOME_SQ_UNA, n[0]);
	SET64(line(qpn, 6), WEFT_HOME_MPA_NEXT, n[1]);
	SET(q, WEFT_HOME_SQ_SEND_MSN, n[2] + 1);
	SET(q, WEFT_HOME_SQ_READ_MSN, n[3] + 1);
	SET(p, WEFT_HOME_RDMAP_SEND_MSN, n[4] + 1);
	SET(p, WEFT_HOME_RDMAP_READ_MSN, n[5] + 1);
}
const uint8_t *path_terminate(unsigned qpn)
{
	check(conn[qpn].term, "no Terminate of QP %u", qpn);
	conn[qpn].term = false;
	return last_term;
}
/* INIT once more, with another size of pages. */
static void again(unsigned (*cmd)(uint32_t *c, unsigned op), unsigned shift)
{
	uint32_t c[16] = { 0 };

	for (int i = 0; i < 32; i++) BYTES(c, WEFT_ADMIN_INIT_SEED)[i] = (uint8_t)(i * 7 + 1);
	SET64(c, WEFT_ADMIN_INIT_CM_BUF, HOST_BASE + 0x10000);
	SET(c, WEFT_ADMIN_INIT_RING_SHIFT, shift);
	check(cmd(c, WEFT_ADMIN_OP_INIT) == 0, "INIT again");
}
void path_start(unsigned (*cmd)(uint32_t *c, unsigned op), uint32_t *rsp)
{
	uint32_t c[16] = { 0 };

	for (unsigned i = 0; i < sizeof(home_mem); i++) home_mem[i] = (uint8_t)(world_rand() >> 16); /* what an earlier life has left is nothing */
	check(GET(rsp + WEFT_ADMIN_RSP_DATA_OFF / 4, WEFT_ADMIN_WANTS_CHUNK_BYTES) == 1 << 21 && GET(rsp + WEFT_ADMIN_RSP_DATA_OFF / 4, WEFT_ADMIN_WANTS_CHUNK_QPS) == 1024
	      && GET(rsp + WEFT_ADMIN_RSP_DATA_OFF / 4, WEFT_ADMIN_WANTS_RING_PAGES) == 32
	      && !GET(rsp + WEFT_ADMIN_RSP_DATA_OFF / 4, WEFT_ADMIN_WANTS_RING_SHIFT) && !ring_shift, "what the card wants");
	for (unsigned i = 3; i--;) {
		static const uint8_t ask[] = { 200, 0, 1 }, gets[] = { 2, 0, 1 }; /* as large as the card can, at last */

		again(cmd, ask[i]);
		check(ring_shift == gets[i] && GET(rsp + WEFT_ADMIN_RSP_DATA_OFF / 4, WEFT_ADMIN_WANTS_RING_SHIFT) == gets[i], "pages of 4 KiB << %u: %u", ask[i], ring_shift);
	}
	SET(c, WEFT_ADMIN_QP_QPN, 1);
	check(cmd(c, WEFT_ADMIN_OP_QP_CREATE) == WEFT_ADMIN_STATUS_BAD_STATE, "QP_CREATE without a chunk");
	memset(c, 0, 64);
	SET(c, WEFT_ADMIN_CHUNK_ENABLE, 1);
	SET64(c, WEFT_ADMIN_CHUNK_BASE, HOMES_BASE + 4096);
	check(cmd(c, WEFT_ADMIN_OP_CHUNK_SET) == WEFT_ADMIN_STATUS_BAD_PARAM, "a chunk that is not aligned");
	SET64(c, WEFT_ADMIN_CHUNK_BASE, HOMES_BASE);
	SET(c, WEFT_ADMIN_CHUNK_ID, 1);
	check(cmd(c, WEFT_ADMIN_OP_CHUNK_SET) == WEFT_ADMIN_STATUS_BAD_PARAM, "a chunk that is not wanted");
	SET(c, WEFT_ADMIN_CHUNK_ID, 0);
	check(cmd(c, WEFT_ADMIN_OP_CHUNK_SET) == 0 && chunk == HOMES_BASE, "CHUNK_SET");
	check(cmd(c, WEFT_ADMIN_OP_CHUNK_SET) == WEFT_ADMIN_STATUS_IN_USE, "a chunk that was given");
	memset(c, 0, 64);
	SET64(c, WEFT_ADMIN_PAGES_BASE, HOST_BASE + 0x22000);
	SET(c, WEFT_ADMIN_PAGES_COUNT, 20);
	check(cmd(c, WEFT_ADMIN_OP_RING_PAGES) == WEFT_ADMIN_STATUS_BAD_PARAM && !pages_given, "pages that are not aligned to their size");
	SET64(c, WEFT_ADMIN_PAGES_BASE, HOST_BASE + 0x20000);
	check(cmd(c, WEFT_ADMIN_OP_RING_PAGES) == 0 && pages_given == 20, "RING_PAGES");
	check(cmd(c, WEFT_ADMIN_OP_RING_PAGES) == WEFT_ADMIN_STATUS_NO_RESOURCE && GET(rsp, WEFT_ADMIN_RSP_ID) == 12 && pages_given == 32, "pages that have no place");
	again(cmd, 0);
	check(ring_shift == 2 && GET(rsp + WEFT_ADMIN_RSP_DATA_OFF / 4, WEFT_ADMIN_WANTS_RING_SHIFT) == 2, "the size of pages that were given changes");
}
