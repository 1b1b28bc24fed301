// SPDX-License-Identifier: BSD-2-Clause
/* Homes in host memory, and commands of room CTX. */
#include "dp_inside.h"

#define QP_PER_CHUNK 1024u
#define CHUNK_BYTES (QP_PER_CHUNK * HOME_BYTES)
#define CHUNKS ((MAX_QP + QP_PER_CHUNK - 1) / QP_PER_CHUNK)
#define TODOS 64
#define SCAN 64 /* records that are looked at in a row */
#define POLLS 20000 /* of a place in the queue: some milliseconds */
#define BEAT 64
#define ROOM_ALL 8  /* places for all that one queue pair may have to do: M_HALT 4, ST_FLUSH 2, ST_DEAF, M_WAKE */

_Static_assert(WEFT_HOME_KEY_BYTES == 64 && WEFT_HOME_SND_BYTES == 64 && WEFT_HOME_RCV_BYTES == 64 && WEFT_HOME_TIM_BYTES == 64
	       && WEFT_HOME_SQ_BYTES == 64 && WEFT_HOME_MPA_BYTES == 64 && WEFT_HOME_RDMAP_BYTES == 64, "a line is 64 bytes");

uint32_t dp_wnd = 65535;
uint8_t dp_wscale; /* the least that the window needs (RFC 7323 2.3) */
static bool pages_given; /* the size of a page stands from then on */
static uint64_t chunk[CHUNKS]; /* bus address; 0: not given */
unsigned home_todo;            /* the first of them: */
static uint16_t todo_q[TODOS];
static unsigned todo_head, todo_n;

uint64_t home_at(uint32_t qpn)
{
	uint64_t c = chunk[qpn / QP_PER_CHUNK];

	return c ? c + qpn % QP_PER_CHUNK * HOME_BYTES : 0;
}

bool home_read(uint32_t qpn, unsigned line, unsigned lines)
{
	uint64_t at = home_at(qpn);

	return at && hw_dma_read_after(home_line(line), at + line * 64, lines * 64);
}

/* ---- commands ---- */

bool dp_conn_room(uint32_t at) { return home_at(at); }

static inline __attribute__((always_inline)) bool places(unsigned n) { return (hw_cfg_read(WEFT_ROOM_CTX, WEFT_CTX_STATUS) & 0xff) >= n; }
static bool wait_places(unsigned n)
{
	for (unsigned i = 0; i < POLLS; i++) {
		if (places(n)) return true;
		if (i % BEAT == 0) hw_heartbeat();
	}
	return false;
}
bool home_room_now(unsigned n) { return places(n + HOME_KEPT); }
bool home_room(unsigned n) { return wait_places(n + HOME_KEPT); }
bool home_kept(void) { return wait_places(1); }
void home_cmd(uint32_t qpn, unsigned rooms, unsigned op, unsigned arg)
{
	hw_cfg_write(WEFT_ROOM_CTX, WEFT_CTX_QPN, qpn);
	hw_cfg_write(WEFT_ROOM_CTX, WEFT_CTX_ARG, arg);
	hw_cfg_write(WEFT_ROOM_CTX, WEFT_CTX_CMD, op << WEFT_CTX_COMMAND_OP_LSB | rooms << WEFT_CTX_COMMAND_ROOMS_LSB);
}
void home_op(uint32_t qpn, unsigned op)
{
	hw_cfg_write(WEFT_ROOM_CTX, WEFT_CTX_QPN, qpn);
	hw_cfg_write(WEFT_ROOM_CTX, WEFT_CTX_CMD, 1u << WEFT_CTX_COMMAND_HOME_LSB | op << WEFT_CTX_COMMAND_OP_LSB);
}

unsigned home_look(const struct path *p, uint32_t qpn, unsigned cmd)
{
	for (unsigned i = 0; i < 4; i++) {
		hw_cfg_write(WEFT_ROOM_CONN, WEFT_LOOK_LOCAL + i * 4, addr_word(p->local + i * 4));
		hw_cfg_write(WEFT_ROOM_CONN, WEFT_LOOK_PEER + i * 4, addr_word(p->peer + i * 4));
	}
	hw_cfg_write(WEFT_ROOM_CONN, WEFT_LOOK_PORTS, (uint32_t)p->lport << 16 | p->pport);
	hw_cfg_write(WEFT_ROOM_CONN, WEFT_LOOK_QPN, qpn | (uint32_t)p->ipv6 << 31);
	hw_cfg_write(WEFT_ROOM_CONN, WEFT_LOOK_CMD, cmd);
	for (unsigned i = 0; i < POLLS; i++) { /* some dozens of cycles */
		uint32_t s = hw_cfg_read(WEFT_ROOM_CONN, WEFT_LOOK_STATUS);

		if (!(s >> 31)) return s & 7;
	}
	return WEFT_LOOK_STATUS_FULL;
}

void home_path(struct path *p)
{
	uint32_t *l = home_line(0);

	copy16(p->local, BYTES(l, WEFT_HOME_KEY_LOCAL_ADDR));
	copy16(p->peer, BYTES(l, WEFT_HOME_KEY_PEER_ADDR));
	p->lport = (uint16_t)GET(l, WEFT_HOME_KEY_LOCAL_PORT);
	p->pport = (uint16_t)GET(l, WEFT_HOME_KEY_PEER_PORT);
	p->ipv6 = GET(l, WEFT_HOME_KEY_IPV6);
	p->tos = (uint8_t)GET(l, WEFT_HOME_KEY_TOS);
}

/* The key in line 0 never changes while the connection lives, whoever wrote the home last. */
void home_unlook(uint32_t qpn)
{
	uint16_t *st = st_at(qpn);
	struct path p;

	if (!(*st & ST_LOOK)) return;
	*st &= (uint16_t)~ST_LOOK;
	if (!home_read(qpn, 0, 1)) return;
	home_path(&p);
	(void)home_look(&p, qpn, WEFT_LOOK_CMD_REMOVE);
}

void home_later(uint32_t qpn, unsigned what)
{
	if (!(*st_at(qpn) & ST_TODO)) {
		home_todo++;
		if (todo_n < TODOS) todo_q[(todo_head + todo_n++) % TODOS] = (uint16_t)qpn;
	}
	*st_at(qpn) |= (uint16_t)(ST_TODO | what);
}

static void flush(uint32_t qpn, bool there, unsigned due)
{
	if (!there) {
		qp_flushes(qpn);
	} else if (due & M_BLAME) { /* arg[9:4] of qp */
		home_cmd(qpn, R_QP, WEFT_CTX_OP_SET_STATE, WEFT_QP_STATE_ERR | (due & M_BLAME));
		home_cmd(qpn, R_RDMAP, WEFT_CTX_OP_SET_STATE, WEFT_QP_STATE_ERR);
	} else {
		home_cmd(qpn, R_QP | R_RDMAP, WEFT_CTX_OP_SET_STATE, WEFT_QP_STATE_ERR);
	}
}
static void do_soon(uint32_t qpn, uint16_t *st, unsigned what)
{
	uint16_t due = st[1];
	bool term = *st & ST_TERM; /* then it goes in front of ERROR, else a close behind it */

	st[1] &= (uint16_t)~(M_STOP | M_WAKE | (due & M_HALT ? M_HALT | M_TERM : 0) | (what & ST_FLUSH ? M_BLAME : 0));
	if (due & M_DUE) live_rtr(qpn);
	if ((due & M_HALT) && term) live_halt(qpn, due & M_TERM);
	if (due & M_STOP) home_cmd(qpn, R_TCP, WEFT_CTX_OP_SET_STATE, WEFT_TCP_STATE_STOP);
	if (due & M_WAKE) home_cmd(qpn, R_RDMAP, WEFT_CTX_OP_RESUME, 0);
	if (what & ST_DEAF) home_cmd(qpn, R_TCP, WEFT_CTX_OP_SET_STATE, STREAM_ENDS);
	if (what & ST_FIN) home_cmd(qpn, R_TCP, WEFT_CTX_OP_CLOSE, 0);
	if (what & ST_FLUSH) flush(qpn, *st & ST_HOME, due);
	if ((due & M_HALT) && !term) live_halt(qpn, false);
}
void home_soon(uint32_t qpn, unsigned what)
{
	uint16_t *st = st_at(qpn);

	if (!(*st & ST_TODO) && home_room_now(ROOM_ALL)) do_soon(qpn, st, what);
	else home_later(qpn, what);
}

void home_never(uint32_t qpn)
{
	uint16_t *st = st_at(qpn);

	if (*st & ST_TODO) home_todo--;
	st[0] = st[1] = 0;
}

/*
 * Its entry goes first (but TIME-WAIT: until its numbers are known, the card answers), then TCP stops and both halves go to ERROR: what is
 * under way ends by itself, what is posted is flushed, and it goes to its home. ERR is one number for qp and rdmap, and in mpa its bit 0 is
 * "dead". Event HOME_DONE of SAVE follows.
 */
static void kill_now(uint32_t qpn, uint16_t st)
{
	if (!(st & ST_TW)) home_cmd(qpn, R_TCP, WEFT_CTX_OP_SET_STATE, WEFT_TCP_STATE_STOP);
	home_cmd(qpn, R_QP | R_MPA | R_RDMAP, WEFT_CTX_OP_SET_STATE, WEFT_QP_STATE_ERR | VALUE_ENDS);
	home_op(qpn, WEFT_HOME_OP_SAVE);
}
_Static_assert(WEFT_QP_STATE_ERR & 1, "mpa: dead");

void home_kill(uint32_t qpn, unsigned why)
{
	uint16_t *st = st_at(qpn);

	if (!(*st & ST_HOME)) return;
	if (!(why & ST_TW)) home_unlook(qpn);
	if (*st & ST_KILL) { /* under way: TIME-WAIT gives way to a reset */
		*st |= (uint16_t)(why & (ST_RST | ST_GO));
		return;
	}
	*st |= (uint16_t)(ST_KILL | why);
	st[1] = 0;
	if (!(*st & ST_TODO) && home_room_now(4)) {
		kill_now(qpn, *st);
	} else {
		home_later(qpn, 0);
	}
}

/* SAVE of ST_KILL was answered, but something in front of it has not been done. */
static bool kill_again(uint32_t qpn)
{
	uint16_t *st = st_at(qpn);

	if ((*st & (ST_KILL | ST_TODO)) != ST_KILL || !(st[1] & M_AGAIN)) return false;
	st[1] &= (uint16_t)~M_AGAIN;
	home_later(qpn, 0);
	return true;
}

static void saved(uint32_t qpn, bool ok)
{
	uint32_t *snd = home_line(1), *rcv = home_line(2);
	uint16_t *now = st_at(qpn), st = *now;

	*now &= (uint16_t)~(ST_RST | ST_TW);
	if (ok && (st & (ST_RST | ST_TW)) && home_read(qpn, 0, 3)) {
		uint32_t *k = home_line(0);
		struct slot *s = scratch_clear();

		home_path(&s->path);
		hw_l2(&s->path, GET(k, WEFT_HOME_KEY_L2));
		s->snd_nxt = GET(snd, WEFT_HOME_SND_SEQ0) + GET(snd, WEFT_HOME_SND_SND_MAX);
		s->rcv_nxt = GET(rcv, WEFT_HOME_RCV_SEQ0) + GET(rcv, WEFT_HOME_RCV_RCV_NXT) + GET(rcv, WEFT_HOME_RCV_FIN);
		s->ws_ok = GET(snd, WEFT_HOME_SND_WSCALE);
		s->ts_ok = GET(k, WEFT_HOME_KEY_TS);
		s->ts_recent = GET(rcv, WEFT_HOME_RCV_TS_RECENT);
		if (st & ST_RST) {
			tcp_rst(s);
		} else {
			port_set(s->path.lport);
			tw_add(s);
		}
	}
	if (st & ST_TW) home_unlook(qpn);
	if (st & ST_GO) {
		if (!ok) qp_destroyed(qpn, true); /* there is none */
		else if (home_kept()) home_op(qpn, WEFT_HOME_OP_DESTROY);
		else home_later(qpn, 0);
		return;
	}
	*now &= (uint16_t)~ST_KILL;
	srq_last(qpn); /* what it had of a shared queue was flushed in front of the save */
	/* Back again: so what is posted from now on is flushed at once. One that could not be fetched is made anew of its home. */
	if (!ok) *now &= (uint16_t)~ST_HOME;
	else if (st & ST_TW) now[1] = M_STOP;
	home_soon(qpn, ST_FLUSH);
}

/* One that is to flush was refused (ST_FLUSH without ST_TODO): if there is one it is told, else it is made again. */
static void refused(uint32_t qpn, bool there)
{
	*st_at(qpn) &= (uint16_t)~(there ? ST_FLUSH : ST_FLUSH | ST_HOME);
	home_soon(qpn, ST_FLUSH);
}

/*
 * A command for rooms came back: others keep what its connection needs to come in. What it was for is to be done once more, behind what others wait for.
 * The rest of what was asked of this connection came back with it, or will: of commands that belong together the last one counts. (They are given in
 * a row, and the first does not come back before hundreds of tries were in vain, so all of them are there then.)
 */
static void came_back(uint32_t qpn, unsigned op, unsigned rooms, unsigned arg)
{
	uint16_t *st = st_at(qpn), what = 0;

	if (!(*st & ST_HOME)) return;
	if (*st & ST_KILL) {
		if (!(*st & ST_TODO)) st[1] |= M_AGAIN;
		return;
	}
	switch (op) {
	case WEFT_CTX_OP_VALUE:
		if (!(arg >> 15)) st[1] |= M_TERM;
		else st[1] |= M_RTR | (arg & 1 ? M_CRC : 0) | (arg & 2 ? M_MARK : 0);
		return;
	case WEFT_CTX_OP_DRAIN:
		st[1] |= M_HALT;
		break;
	case WEFT_CTX_OP_CLOSE:
		what = ST_FIN;
		break;
	case WEFT_CTX_OP_RESUME:
		st[1] |= M_WAKE;
		break;
	default: /* SET_STATE */
		if (rooms == R_TCP) {
			if (arg & STREAM_ENDS) what = ST_DEAF;
			else if (arg & HOLD_ENDS) return; /* in front of DRAIN */
			else st[1] |= M_STOP;
		} else if (rooms == R_QP) {
			if ((arg & 3) == WEFT_QP_STATE_RTS) st[1] |= M_RTS | M_DUE;
			else if ((arg & 3) == WEFT_QP_STATE_ERR) st[1] |= arg & M_BLAME;
			if ((arg & 3) != WEFT_QP_STATE_RTS) return; /* in front of DRAIN, or of rdmap's ERR */
		} else {
			what = ST_FLUSH;
		}
	}
	home_later(qpn, what);
}

/* A question is answered by what was there when it was in its home last, and what is to end is tried again. */
static void saved_not(uint32_t qpn)
{
	uint16_t st = *st_at(qpn);

	if (st & ST_QUERY) qp_saved(qpn, true);
	else if (kill_again(qpn)) return;
	else if ((st & (ST_KILL | ST_TODO | ST_FLUSH)) == ST_FLUSH) refused(qpn, true);
	else if ((st & (ST_KILL | ST_TODO)) != ST_KILL) return;
	else if (home_room(1)) home_op(qpn, WEFT_HOME_OP_SAVE);
	else home_later(qpn, 0);
}

/* False: there is no place still. */
static bool do_now(uint32_t qpn)
{
	uint16_t *st = st_at(qpn), what;

	if (!(*st & ST_TODO)) return true;
	if (!home_room_now(ROOM_ALL)) return false;
	if (*st & ST_UNDO) home_op(qpn, WEFT_HOME_OP_DESTROY);
	what = *st;
	*st &= (uint16_t)~(ST_TODO | ST_UNDO | ST_DEAF | ST_FIN | ST_FLUSH);
	home_todo--;
	if (what & ST_KILL) kill_now(qpn, *st);
	else do_soon(qpn, st, what);
	return true;
}

static void home_serve(void)
{
	static uint32_t at;

	for (; todo_n; todo_n--) {
		if (!do_now(todo_q[todo_head])) return;
		todo_head = (todo_head + 1) % TODOS;
	}
	for (unsigned i = 0; home_todo && i < SCAN; i++) { /* more than were noted */
		at = at + 1 < n_qp ? at + 1 : 1;
		if (!do_now(at)) return;
	}
}

/* ---- events ---- */

static void done(uint32_t qpn, unsigned code)
{
	bool ok = code & 0x100;
	uint16_t st;

	switch (code & 0x87) {
	case WEFT_HOME_OP_HOLD:
		live_held(qpn, ok);
		break;
	case WEFT_HOME_OP_SAVE:
		/* Answers of one connection come in the order of its commands, and ST_KILL asks last. */
		st = *st_at(qpn);
		if (st & ST_QUERY) {
			qp_saved(qpn, ok);
			if (!ok && !(st & ST_KILL) && !live_lost(qpn)) refused(qpn, false);
		} else if ((st & (ST_KILL | ST_TODO)) == ST_KILL) {
			if (!ok || !kill_again(qpn)) saved(qpn, ok);
		} else if ((st & (ST_KILL | ST_TODO | ST_FLUSH)) == ST_FLUSH) {
			refused(qpn, ok);
		} else if (!(st & ST_KILL) && !ok && !live_lost(qpn)) {
			refused(qpn, false); /* there is no connection: it is to flush, and is made again */
		}
		break;
	case WEFT_HOME_OP_BUSY: /* of SAVE: something of it waits for the peer */
		saved_not(qpn);
		break;
	case WEFT_HOME_OP_DESTROY:
		qp_destroyed(qpn, ok);
		break;
	case WEFT_HOME_OP_CREATE:
		if (ok) live_begun(qpn);
		else live_refused(qpn);
		break;
	default: /* RELEASE */
		if (ok) live_begun(qpn);
		break;
	}
}

bool home_event(const uint32_t *ev)
{
	uint32_t qpn = GET(ev, WEFT_FW_EVENT_ID), code = GET(ev, WEFT_FW_EVENT_CODE);

	if (GET(ev, WEFT_FW_EVENT_KIND) != WEFT_FW_EV_HOME_DONE) return false;
	if (qpn >= n_qp) return true;
	if (!(code & 0x80)) done(qpn, code);
	else if (code & 0x40) came_back(qpn, code & 15, GET(ev, WEFT_FW_EVENT_DATA0) >> 16 & 15, GET(ev, WEFT_FW_EVENT_DATA0) & 0xffff);
	else if ((*st_at(qpn) & (ST_HOME | ST_KILL | ST_TODO | ST_QUERY)) == ST_HOME && home_room(1)) home_op(qpn, WEFT_HOME_OP_SAVE); /* is it there? */
	return true;
}

void dp_serve(void)
{
	home_serve();
	live_serve();
}
int32_t dp_deadline(uint32_t now, int32_t t)
{
	if (home_todo && t > 1) t = 1; /* nothing tells of a place */
	return live_deadline(now, qp_deadline(now, t));
}

/* ---- chunks, pages, the start ---- */

static unsigned chunk_set(const uint32_t *c, uint32_t *rsp)
{
	uint32_t id = GET(c, WEFT_ADMIN_CHUNK_ID), on = GET(c, WEFT_ADMIN_CHUNK_ENABLE);
	uint64_t base = GET64(c, WEFT_ADMIN_CHUNK_BASE);

	if (id >= CHUNKS || id * QP_PER_CHUNK >= n_qp) return admin_bad(rsp, WEFT_ADMIN_CHUNK_ID_OFF);
	if (on > 1) return admin_bad(rsp, WEFT_ADMIN_CHUNK_ENABLE_OFF);
	if (on && (!base || (base & (CHUNK_BYTES - 1)))) return admin_bad(rsp, WEFT_ADMIN_CHUNK_BASE_OFF);
	if (on && chunk[id]) return WEFT_ADMIN_STATUS_IN_USE;
	if (!on && !chunk[id]) return WEFT_ADMIN_STATUS_NOT_FOUND;
	for (uint32_t q = id * QP_PER_CHUNK; !on && q < n_qp && q < (id + 1) * QP_PER_CHUNK; q++) {
		hw_heartbeat();
		if ((qp_at(q)->flags & QP_EXISTS) || *st_at(q) || conn_at(q)->state != C_FREE) return WEFT_ADMIN_STATUS_BAD_STATE;
	}
	rec_drop(id * QP_PER_CHUNK, (id + 1) * QP_PER_CHUNK);
	chunk[id] = on ? base : 0;
	hw_cfg_write(WEFT_ROOM_CTX, WEFT_CTX_CHUNK_LO, (uint32_t)base);
	hw_cfg_write(WEFT_ROOM_CTX, WEFT_CTX_CHUNK_HI, (uint32_t)(base >> 32));
	hw_cfg_write(WEFT_ROOM_CTX, WEFT_CTX_CHUNK_SET, on << 31 | id);
	SET(rsp, WEFT_ADMIN_RSP_ID, id);
	return WEFT_ADMIN_STATUS_OK;
}

static unsigned ring_pages(const uint32_t *c, uint32_t *rsp)
{
	uint32_t n = GET(c, WEFT_ADMIN_PAGES_COUNT), i = 0, shift = hw_cfg_read(WEFT_ROOM_RING, WEFT_RING_SHIFT), page;
	uint64_t at = GET64(c, WEFT_ADMIN_PAGES_BASE);

	if (!n || n > 1024) return admin_bad(rsp, WEFT_ADMIN_PAGES_COUNT_OFF);
	page = 4096u << GET(&shift, WEFT_RING_SHIFT_SHIFT);
	if (at & (page - 1)) return admin_bad(rsp, WEFT_ADMIN_PAGES_BASE_OFF);
	for (unsigned tries = 0; i < n && tries < 1000; tries++) {
		uint32_t st = hw_cfg_read(WEFT_ROOM_RING, WEFT_RING_STATUS);

		if (!GET(&st, WEFT_RING_STATUS_ROOM)) continue;
		hw_cfg_write(WEFT_ROOM_RING, WEFT_RING_PAGE_LO, (uint32_t)at);
		hw_cfg_write(WEFT_ROOM_RING, WEFT_RING_PAGE_HI, (uint32_t)(at >> 32));
		pages_given = true;
		at += page;
		i++;
		tries = 0;
	}
	SET(rsp, WEFT_ADMIN_RSP_ID, i);
	return i == n ? WEFT_ADMIN_STATUS_OK : WEFT_ADMIN_STATUS_NO_RESOURCE;
}

unsigned dp_admin(const uint32_t *c, uint32_t *rsp)
{
	switch (GET(c, WEFT_ADMIN_CMD_OP)) {
	case WEFT_ADMIN_OP_CHUNK_SET: return chunk_set(c, rsp);
	case WEFT_ADMIN_OP_RING_PAGES: return ring_pages(c, rsp);
	default: return WEFT_ADMIN_STATUS_BAD_OP;
	}
}

void dp_boot(void)
{
	uint32_t st;

	do {
		hw_heartbeat();
		st = hw_cfg_read(WEFT_ROOM_RING, WEFT_RING_STATUS);
	} while (!GET(&st, WEFT_RING_STATUS_READY));
}

void dp_init(const uint32_t *c, uint32_t *rsp)
{
	uint32_t size = hw_cfg_read(WEFT_ROOM_RING, WEFT_RING_SIZE), *d = rsp + WEFT_ADMIN_RSP_DATA_OFF / 4;
	uint32_t shift = hw_cfg_read(WEFT_ROOM_RING, WEFT_RING_SHIFT), most = GET(&shift, WEFT_RING_SHIFT_MOST), ask = GET(c, WEFT_ADMIN_INIT_RING_SHIFT);

	if (ask > most) ask = most;
	if (!pages_given && ask != GET(&shift, WEFT_RING_SHIFT_SHIFT)) {
		SET(&shift, WEFT_RING_SHIFT_SHIFT, ask);
		hw_cfg_write(WEFT_ROOM_RING, WEFT_RING_SHIFT, shift);
		shift = hw_cfg_read(WEFT_ROOM_RING, WEFT_RING_SHIFT);
	}
	dp_wnd = hw_cfg_read(WEFT_ROOM_RING, WEFT_RING_WND);
	for (dp_wscale = 0; dp_wnd >> dp_wscale > 65535;) dp_wscale++;
	rec_init();
	live_init();
	SET(d, WEFT_ADMIN_WANTS_CHUNK_BYTES, CHUNK_BYTES);
	SET(d, WEFT_ADMIN_WANTS_CHUNK_QPS, QP_PER_CHUNK);
	SET(d, WEFT_ADMIN_WANTS_RING_PAGES, GET(&size, WEFT_RING_SIZE_RINGS) * GET(&size, WEFT_RING_SIZE_PAGES));
	SET(d, WEFT_ADMIN_WANTS_RING_SHIFT, GET(&shift, WEFT_RING_SHIFT_SHIFT));
}
