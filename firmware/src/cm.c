// SPDX-License-Identifier: BSD-2-Clause
/* Connections: commands of the driver, events of the rooms, listeners, tables. */
#include "cm.h"
#include "objects.h"

#define ACCEPT_T TICKS(60000)
#define HOLD_T TICKS(5000)    /* the driver fetches private data meanwhile */
#define POLL_T TICKS(200)     /* has the reply been acknowledged? */
#define WAIT_T TICKS(2000)    /* for a slot */
#define SWEEP_T TICKS(500)    /* connections that halt or wait for a slot are looked at */
#define SWEEP_STEP 16 /* resets in one pass */
#define HALT_UNITS 10         /* of 2^29 ns, for what was started to be acknowledged */

struct conn conns[MAX_CONN];
static struct listener {
	uint8_t addr[4] __attribute__((aligned(4))); /* 0.0.0.0: any that is ours */
	uint32_t cookie;
	uint16_t port, gen, backlog;
	bool used;
} listeners[MAX_LISTEN];
static unsigned listen_top; /* behind the last that was ever used */
static uint8_t local[MAX_LOCAL][4] __attribute__((aligned(4))); /* addresses of this host; 0.0.0.0: free */
static bool local_told;
static uint32_t frame[704 / 4]; /* headers and the longest MPA frame: more is never looked at */
uint32_t *const cm_buffer = frame; /* admin_cm_buf of the command in work: no frame is in work then */
/* CONNECT commands that wait for a slot; the driver gives one at a time. */
static struct { uint32_t cmd[16], until; } waiting[2]; /* until 0: free */
static unsigned conn_hint, conn_count, pending, halting;
static uint32_t sweep; /* tick */
static unsigned sweep_at; /* a sweep in steps: resets take long, and the watchdog waits for none */
static uint16_t value_owner[MAX_VALUE]; /* QPN, 0: free */

/* ---- tables ---- */

static uint32_t handle_of(const struct conn *k) { return (uint32_t)k->gen << 16 | (uint32_t)(k - conns); }
static struct conn *conn_by(uint32_t handle)
{
	uint32_t at = handle & 0xffff;

	return at < MAX_CONN && conns[at].state != C_FREE && conns[at].gen == handle >> 16 ? &conns[at] : NULL;
}
static struct conn *conn_by_qp(uint32_t qpn)
{
	return qpn && qpn < n_qp && qps[qpn].conn != NO_CONN ? &conns[qps[qpn].conn] : NULL;
}
struct conn *conn_of(const struct slot *s) { return s->conn == NO_CONN ? NULL : &conns[s->conn]; }
struct slot *slot_of(const struct conn *k) { return k->slot == NO_SLOT ? NULL : &slots[k->slot]; }

struct conn *conn_new(void)
{
	for (unsigned i = 0; i < MAX_CONN; i++) {
		struct conn *k = &conns[(conn_hint + i) % MAX_CONN];

		if (k->state != C_FREE) continue;
		conn_hint = (conn_hint + i + 1) % MAX_CONN;
		*k = (struct conn){ .gen = k->gen + 1u, .state = C_SETUP, .slot = NO_SLOT, .cause = WEFT_CM_STATUS_OK };
		conn_count++;
		return k;
	}
	return NULL;
}
static void bind(struct slot *s, struct conn *k)
{
	s->conn = (uint16_t)(k - conns);
	k->slot = (uint32_t)(s - slots);
}

static void fill(uint32_t *e, unsigned type, unsigned code, const struct conn *k, const struct slot *s)
{
	memset(e, 0, 64);
	SET(e, WEFT_EQE_KIND, type);
	SET(e, WEFT_EQE_CODE, code);
	SET(e, WEFT_EQE_ID, handle_of(k));
	SET(e, WEFT_EQE_HANDLE, k->cookie);
	SET(e, WEFT_EQE_DATA0, k->qpn);
	if (s) {
		memcpy(BYTES(e, WEFT_EQE_PEER_ADDR), s->path.peer, 16);
		memcpy(BYTES(e, WEFT_EQE_LOCAL_ADDR), s->path.local, 16);
		SET(e, WEFT_EQE_PEER_PORT, s->path.pport);
		SET(e, WEFT_EQE_LOCAL_PORT, s->path.lport);
		SET(e, WEFT_EQE_IRD, s->peer_ird);
		SET(e, WEFT_EQE_ORD, s->peer_ord);
		SET(e, WEFT_EQE_PD_BYTES, s->pd_len);
		SET(e, WEFT_EQE_FLAGS, s->path.ipv6 | (s->rev == 2) << 1 | s->crc << 2);
	}
}
void cm_post(unsigned type, unsigned code, const struct conn *k, const struct slot *s)
{
	uint32_t e[16];

	fill(e, type, code, k, s);
	event_post(e);
}

bool cm_busy(void) { return conn_count || slots_used || half_count(); }

static unsigned units(void) { return (unsigned)(hw_now() >> 29) & 63; }

/* Ends CF_HALT and CF_PENDING. */
static void unhalt(struct conn *k)
{
	if (k->flags & CF_PENDING) pending--;
	if (k->flags & CF_HALT) halting--;
	k->flags &= ~(CF_PENDING | CF_HALT);
	for (unsigned i = 0; i < MAX_VALUE; i++)
		if (value_owner[i] == k->qpn) value_owner[i] = 0;
}

/* The hardware stops sending and finishes what it started: ACKED follows. False: there is no value slot for the Terminate. */
static bool halt(struct conn *k, const uint8_t *term, unsigned bytes)
{
	unsigned v = 0;

	for (; term && v < MAX_VALUE && value_owner[v]; v++) {}
	if (v == MAX_VALUE) return false;
	if (term) value_owner[v] = k->qpn;
	if (!(k->flags & CF_HALT)) halting++;
	k->flags |= CF_HALT;
	k->state = C_CLOSING;
	k->when = units();
	if (!sweep) sweep = after(SWEEP_T);
	hw_halt(k, v, term, bytes);
	return true;
}

static void take(struct slot *s, struct conn *k)
{
	unhalt(k);
	hw_take(s, k);
}

void conn_end(struct conn *k, unsigned status)
{
	struct slot *s = slot_of(k);
	uint32_t qpn = k->qpn;

	if (qpn) {
		if (!(qps[qpn].flags & QP_ERR) && k->state != C_SETUP) {
			qp_set_state(qpn, WEFT_QP_STATE_ERR, WEFT_QP_STATE_ERR);
			qps[qpn].flags |= QP_ERR;
		}
		qps[qpn].conn = NO_CONN;
	}
	if (!(k->flags & CF_REPORTED)) {
		bool reply = k->state == C_SETUP && (k->flags & CF_ACTIVE);

		if (s && reply) s->pd_len = 0;
		cm_post(reply ? WEFT_EQE_TYPE_CM_CONNECT_REPLY : WEFT_EQE_TYPE_CM_CLOSE,
			reply && status == WEFT_CM_STATUS_OK ? WEFT_CM_STATUS_RESET : status, k, s);
	}
	unhalt(k);
	if (s) s->conn = NO_CONN;
	k->slot = NO_SLOT;
	k->qpn = 0;
	k->state = C_FREE;
	conn_count--;
}

/* ---- listeners ---- */

bool cm_port_listens(uint16_t port)
{
	for (unsigned i = 0; i < MAX_LISTEN; i++)
		if (listeners[i].used && listeners[i].port == port) return true;
	return false;
}
int cm_listener(const struct path *p)
{
	uint32_t to = addr_word(p->local);

	if (p->ipv6) return -1; /* the driver does not speak it: FEATURES */
	for (int i = 0; i < (int)listen_top; i++) {
		struct listener *l = &listeners[i];
		uint32_t a;

		if (l->port != p->lport || !l->used) continue;
		a = addr_word(l->addr);
		if (a == to) return i;
		if (a) continue;
		if (!local_told) return i;
		for (unsigned j = 0; j < MAX_LOCAL; j++)
			if (addr_word(local[j]) == to) return i;
	}
	return -1;
}

bool cm_backlog_room(unsigned at, bool all)
{
	unsigned n = 0;
	struct slot *s;

	if (!listeners[at].backlog) return true;
	for_slots(s) n += !s->active && s->listener == at && (s->state == S_WAIT_REQ ? all || !slot_slow(s) : s->state == S_WAIT_ACCEPT);
	return n < listeners[at].backlog;
}

unsigned cm_local_addr(const uint32_t *c, uint32_t *rsp)
{
	static const uint8_t zero[4];
	const uint8_t *a = BYTES(c, WEFT_ADMIN_CM_LOCAL_ADDR);
	int none = -1, have = -1;

	if (GET(c, WEFT_ADMIN_CM_FLAGS) & ~0x80u) return admin_bad(rsp, WEFT_ADMIN_CM_FLAGS_OFF);
	if (!memcmp(a, zero, 4)) return admin_bad(rsp, WEFT_ADMIN_CM_LOCAL_ADDR_OFF);
	for (int i = MAX_LOCAL - 1; i >= 0; i--) {
		if (!memcmp(local[i], a, 4)) have = i;
		if (!memcmp(local[i], zero, 4)) none = i;
	}
	local_told = true;
	if (GET(c, WEFT_ADMIN_CM_FLAGS)) {
		if (have < 0) return WEFT_ADMIN_STATUS_NOT_FOUND;
		memset(local[have], 0, 4);
	} else if (have < 0) {
		if (none < 0) return WEFT_ADMIN_STATUS_NO_RESOURCE;
		memcpy(local[none], a, 4);
	}
	return WEFT_ADMIN_STATUS_OK;
}

unsigned cm_listen(const uint32_t *c, uint32_t *rsp)
{
	static const uint8_t zero[4];
	uint16_t port = (uint16_t)GET(c, WEFT_ADMIN_CM_LOCAL_PORT);
	const uint8_t *a = BYTES(c, WEFT_ADMIN_CM_LOCAL_ADDR);
	int at = -1;

	if (!port) return admin_bad(rsp, WEFT_ADMIN_CM_LOCAL_PORT_OFF);
	if (GET(c, WEFT_ADMIN_CM_FLAGS) & 1) return admin_bad(rsp, WEFT_ADMIN_CM_FLAGS_OFF); /* IPv6 */
	for (int i = MAX_LISTEN - 1; i >= 0; i--) {
		struct listener *l = &listeners[i];

		if (!l->used) at = i;
		else if (l->port == port && (!memcmp(a, zero, 4) || !memcmp(l->addr, zero, 4) || !memcmp(l->addr, a, 4)))
			return WEFT_ADMIN_STATUS_IN_USE;
	}
	if (at < 0) return WEFT_ADMIN_STATUS_NO_RESOURCE;
	listeners[at].used = true;
	if ((unsigned)at >= listen_top) listen_top = (unsigned)at + 1;
	listeners[at].port = port;
	listeners[at].gen++;
	listeners[at].backlog = (uint16_t)GET(c, WEFT_ADMIN_CM_BACKLOG);
	listeners[at].cookie = GET(c, WEFT_ADMIN_CM_HANDLE);
	memcpy(listeners[at].addr, a, 4);
	port_set(port);
	SET(rsp, WEFT_ADMIN_RSP_ID, (uint32_t)listeners[at].gen << 16 | (uint32_t)at);
	return WEFT_ADMIN_STATUS_OK;
}

unsigned cm_unlisten(const uint32_t *c, uint32_t *rsp)
{
	uint32_t id = GET(c, WEFT_ADMIN_CM_ID), at = id & 0xffff;
	struct slot *s;

	(void)rsp;
	if (at >= MAX_LISTEN || !listeners[at].used || listeners[at].gen != id >> 16) return WEFT_ADMIN_STATUS_NOT_FOUND;
	listeners[at].used = false;
	/* Set-ups that nobody will be asked about end; those that the driver knows go on. */
	half_unlisten(at);
	for_slots(s)
		if (s->state == S_WAIT_REQ && s->listener == at) {
			tcp_rst(s);
			slot_free(s);
		}
	port_release(listeners[at].port);
	return WEFT_ADMIN_STATUS_OK;
}

/* ---- set-up ---- */

/* Private data of a command, and the peer's address of CONNECT, from the host's buffer. */
static unsigned fetch_pd(const uint32_t *c, uint32_t *rsp, unsigned tag, unsigned max)
{
	unsigned n = GET(c, WEFT_ADMIN_CM_PD_BYTES);

	if (n > max) return admin_bad(rsp, WEFT_ADMIN_CM_PD_BYTES_OFF);
	if (!hw_dma_read(cm_buffer, admin_buf(tag), WEFT_ADMIN_CM_BUF_PRIVATE_DATA_OFF + n)) return WEFT_ADMIN_STATUS_DMA;
	return WEFT_ADMIN_STATUS_OK;
}

static unsigned check_qp(const uint32_t *c, uint32_t *rsp)
{
	uint32_t qpn = GET(c, WEFT_ADMIN_CM_QPN), reads = hw_bar0(WEFT_REG_CAP_READS);

	if (!qp_valid(qpn)) return WEFT_ADMIN_STATUS_NOT_FOUND;
	if (qps[qpn].conn != NO_CONN || (qps[qpn].flags & QP_ERR)) return WEFT_ADMIN_STATUS_BAD_STATE;
	if (GET(c, WEFT_ADMIN_CM_IRD) > (reads & 0xffff)) return admin_bad(rsp, WEFT_ADMIN_CM_IRD_OFF);
	if (GET(c, WEFT_ADMIN_CM_ORD) > reads >> 16) return admin_bad(rsp, WEFT_ADMIN_CM_ORD_OFF);
	if (GET(c, WEFT_ADMIN_CM_L2) >= hw_bar0(WEFT_REG_CAP_L2)) return admin_bad(rsp, WEFT_ADMIN_CM_L2_OFF);
	return WEFT_ADMIN_STATUS_OK;
}

static bool to_hardware(struct slot *s, struct conn *k, bool hold, unsigned tos)
{
	if (!hw_start(s, k->qpn, hold, tos)) return false;
	k->state = C_HW;
	k->word = s->rcv_nxt & 0xfffff;
	return true;
}

static bool serving; /* a command that waits is being tried again: it has its place */

static unsigned connect_later(const uint32_t *c)
{
	if (serving) return ADMIN_LATER;
	for (unsigned i = 0; i < 2; i++) {
		if (waiting[i].until) continue;
		memcpy(waiting[i].cmd, c, 64);
		waiting[i].until = after(WAIT_T);
		return ADMIN_LATER;
	}
	return WEFT_ADMIN_STATUS_NO_RESOURCE;
}

unsigned cm_connect(const uint32_t *c, uint32_t *rsp, unsigned tag)
{
	uint32_t flags = GET(c, WEFT_ADMIN_CM_FLAGS);
	struct mpa m = { .rev = flags & 2 ? 2 : 1, .crc = flags >> 2 & 1, .enhanced = flags & 2 };
	struct path p = { 0 };
	unsigned status = check_qp(c, rsp), mtu;
	struct slot *s;
	struct conn *k;

	if (status) return status;
	p.lport = (uint16_t)GET(c, WEFT_ADMIN_CM_LOCAL_PORT);
	p.pport = (uint16_t)GET(c, WEFT_ADMIN_CM_PEER_PORT);
	p.ipv6 = flags & 1;
	p.tos = (uint8_t)(GET(c, WEFT_ADMIN_CM_TOS) & 0xfc);
	if (!p.lport) return admin_bad(rsp, WEFT_ADMIN_CM_LOCAL_PORT_OFF);
	if (!p.pport) return admin_bad(rsp, WEFT_ADMIN_CM_PEER_PORT_OFF);
	if (p.ipv6 && !(hw_bar0(WEFT_REG_FEATURES) & 1u << WEFT_FEATURE_IPV6)) return admin_bad(rsp, WEFT_ADMIN_CM_FLAGS_OFF);
	mtu = hw_l2(&p, GET(c, WEFT_ADMIN_CM_L2));
	if (mtu < 576) return admin_bad(rsp, WEFT_ADMIN_CM_L2_OFF);
	status = fetch_pd(c, rsp, tag, m.enhanced ? 508 : 512);
	if (status) return status;
	memcpy(p.local, BYTES(c, WEFT_ADMIN_CM_LOCAL_ADDR), p.ipv6 ? 16 : 4);
	memcpy(p.peer, cm_buffer, p.ipv6 ? 16 : 4);
	if (slot_by(&p)) return WEFT_ADMIN_STATUS_IN_USE;
	s = slot_setup(true);
	if (!s) return connect_later(c);
	k = conn_new();
	if (!k) {
		slot_free(s);
		return WEFT_ADMIN_STATUS_NO_RESOURCE;
	}
	tw_drop(&p);
	bind(s, k);
	k->flags = CF_ACTIVE;
	k->qpn = (uint16_t)GET(c, WEFT_ADMIN_CM_QPN);
	k->cookie = GET(c, WEFT_ADMIN_CM_HANDLE);
	qps[k->qpn].conn = (uint16_t)(k - conns);
	s->path = p;
	s->l2 = (uint16_t)GET(c, WEFT_ADMIN_CM_L2);
	s->mss = (uint16_t)(mtu - (p.ipv6 ? 60 : 40));
	s->ird = (uint8_t)GET(c, WEFT_ADMIN_CM_IRD);
	s->ord = (uint8_t)GET(c, WEFT_ADMIN_CM_ORD);
	s->rev = m.rev;
	s->crc = m.crc;
	s->enhanced = m.enhanced;
	s->want_p2p = m.enhanced && (flags & 8);
	m.ird = s->ird;
	m.ord = s->ord;
	m.p2p = m.rtr_write = s->want_p2p;
	m.pd = (const uint8_t *)cm_buffer + WEFT_ADMIN_CM_BUF_PRIVATE_DATA_OFF;
	m.pd_len = (uint16_t)GET(c, WEFT_ADMIN_CM_PD_BYTES);
	s->tx_len = (uint16_t)mpa_build(s->buf, &m);
	port_set(p.lport);
	tcp_start_active(s);
	SET(rsp, WEFT_ADMIN_RSP_ID, handle_of(k));
	return WEFT_ADMIN_STATUS_OK;
}

void cm_request(struct slot *s, const struct mpa *m)
{
	struct conn *k = m->markers || s->mss < 160 ? NULL : conn_new(); /* markers: never, see docs */
	uint32_t reads = hw_bar0(WEFT_REG_CAP_READS);

	if (!k) {
		tcp_rst(s);
		slot_free(s);
		return;
	}
	bind(s, k);
	k->cookie = listeners[s->listener].cookie;
	s->rev = m->rev;
	s->enhanced = m->enhanced;
	s->crc = m->crc;
	s->peer_p2p = m->p2p;
	s->peer_rtr_write = m->rtr_write;
	s->peer_rtr_read = m->rtr_read;
	/* Without RFC 6581's header the peer says nothing, so nothing of ours is cut. */
	s->peer_ird = m->enhanced ? m->ird : (uint16_t)(reads >> 16);
	s->peer_ord = m->enhanced ? m->ord : (uint16_t)reads;
	s->pd_off = (uint16_t)(m->pd - s->buf);
	s->pd_len = m->pd_len;
	s->state = S_WAIT_ACCEPT;
	s->expire = after(ACCEPT_T);
	tcp_ack(s);
	cm_post(WEFT_EQE_TYPE_CM_CONNECT_REQUEST, 0, k, s);
}

static struct slot *asked(const uint32_t *c, struct conn **k)
{
	*k = conn_by(GET(c, WEFT_ADMIN_CM_ID));
	return *k && (*k)->slot != NO_SLOT && slot_of(*k)->state == S_WAIT_ACCEPT ? slot_of(*k) : NULL;
}

/* The answer to a request: in s->buf, ready to be sent. */
static unsigned answer(struct slot *s, const uint32_t *c, uint32_t *rsp, unsigned tag, bool reject)
{
	struct mpa m = { .reply = true, .rev = s->rev, .enhanced = s->enhanced, .reject = reject, .crc = s->crc };
	unsigned status = fetch_pd(c, rsp, tag, m.enhanced ? 508 : 512);

	if (status) return status;
	if (GET(c, WEFT_ADMIN_CM_FLAGS) & 4) m.crc = true;
	s->crc = m.crc;
	if (s->enhanced) {
		s->ird = (uint8_t)GET(c, WEFT_ADMIN_CM_IRD);
		s->ord = (uint8_t)GET(c, WEFT_ADMIN_CM_ORD);
		/* RFC 6581 9.1: not more than the initiator takes; 0x3fff is answered in kind. */
		if (s->peer_ird != MPA_NO_NEGOTIATION && s->ord > s->peer_ird) s->ord = (uint8_t)s->peer_ird;
		m.ord = s->peer_ird == MPA_NO_NEGOTIATION ? MPA_NO_NEGOTIATION : s->ord;
		m.ird = s->peer_ord == MPA_NO_NEGOTIATION ? MPA_NO_NEGOTIATION : s->ird;
		m.rtr_write = s->peer_p2p && s->peer_rtr_write;
		m.rtr_read = s->peer_p2p && !m.rtr_write && s->peer_rtr_read;
		m.p2p = m.rtr_write || m.rtr_read;
	} else {
		s->ird = (uint8_t)GET(c, WEFT_ADMIN_CM_IRD);
		s->ord = (uint8_t)GET(c, WEFT_ADMIN_CM_ORD);
	}
	m.pd = (const uint8_t *)cm_buffer + WEFT_ADMIN_CM_BUF_PRIVATE_DATA_OFF;
	m.pd_len = (uint16_t)GET(c, WEFT_ADMIN_CM_PD_BYTES);
	s->pd_len = 0;
	s->tx_off = 0;
	s->tx_len = (uint16_t)mpa_build(s->buf, &m);
	s->dseq = s->snd_nxt;
	s->snd_nxt += s->tx_len;
	return WEFT_ADMIN_STATUS_OK;
}

unsigned cm_accept(const uint32_t *c, uint32_t *rsp, unsigned tag)
{
	struct conn *k;
	struct slot *s = asked(c, &k);
	unsigned status, mtu;
	struct path p;

	if (!s) return k ? WEFT_ADMIN_STATUS_BAD_STATE : WEFT_ADMIN_STATUS_NOT_FOUND;
	status = check_qp(c, rsp);
	if (status) return status;
	p = s->path;
	mtu = hw_l2(&p, GET(c, WEFT_ADMIN_CM_L2));
	if (mtu < 576) return admin_bad(rsp, WEFT_ADMIN_CM_L2_OFF);
	status = answer(s, c, rsp, tag, false);
	if (status) return status;
	s->path = p;
	s->l2 = (uint16_t)GET(c, WEFT_ADMIN_CM_L2);
	mtu -= s->path.ipv6 ? 60 : 40;
	if (s->mss > mtu) s->mss = (uint16_t)mtu;
	k->qpn = (uint16_t)GET(c, WEFT_ADMIN_CM_QPN);
	qps[k->qpn].conn = (uint16_t)(k - conns);
	k->cookie = GET(c, WEFT_ADMIN_CM_HANDLE);
	/* The hardware first: what the peer sends in answer must find it. Its RTO covers the reply (FW_REXMIT). */
	if (!to_hardware(s, k, true, GET(c, WEFT_ADMIN_CM_TOS))) {
		s->snd_nxt = s->dseq; /* the peer is told by a reset, the driver by the status */
		k->flags |= CF_REPORTED;
		tcp_fail(s, 0, true);
		return WEFT_ADMIN_STATUS_NO_RESOURCE;
	}
	tcp_output(s);
	s->state = S_HW_REPLY;
	s->rexmit = 0;
	s->expire = after(POLL_T);
	cm_post(WEFT_EQE_TYPE_CM_ESTABLISHED, WEFT_CM_STATUS_OK, k, s);
	SET(rsp, WEFT_ADMIN_RSP_ID, handle_of(k));
	return WEFT_ADMIN_STATUS_OK;
}

unsigned cm_reject(const uint32_t *c, uint32_t *rsp, unsigned tag)
{
	struct conn *k;
	struct slot *s = asked(c, &k);
	unsigned status;

	if (!s) return k ? WEFT_ADMIN_STATUS_BAD_STATE : WEFT_ADMIN_STATUS_NOT_FOUND;
	status = answer(s, c, rsp, tag, true);
	if (status) return status;
	k->flags |= CF_REPORTED;
	conn_end(k, 0);
	tcp_close(s, false);
	return WEFT_ADMIN_STATUS_OK;
}

/* A small FPDU of firmware in the slot's buffer: RTR, or a Terminate before the hardware runs (RFC 6581 9). */
static void put_fpdu(struct slot *s, unsigned at, const uint8_t *ulpdu, unsigned n)
{
	uint8_t *b = s->buf + at;
	uint32_t crc;

	put16(b, n);
	memcpy(b + 2, ulpdu, n);
	n += 2;
	while (n & 3) b[n++] = 0;
	crc = s->crc ? hw_crc32c(b, n) : 0;
	for (int i = 0; i < 4; i++) b[n++] = (uint8_t)(crc >> 8 * i);
	s->tx_off = (uint16_t)at;
	s->tx_len = (uint16_t)n;
	s->dseq = s->snd_nxt;
	s->snd_nxt += n;
}

static void refuse_reply(struct slot *s, unsigned code)
{
	/* Untagged, QN 2, MSN 1; layer 2 (LLP), type 0, no headers. */
	uint8_t t[22] = { 0x41, 0x47, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 0, 0x20, (uint8_t)code, 0, 0 };
	struct conn *k = conn_of(s);

	put_fpdu(s, TX_OFF, t, sizeof(t));
	conn_end(k, WEFT_CM_STATUS_PROTOCOL);
	tcp_close(s, false);
}

void cm_reply(struct slot *s, const struct mpa *m)
{
	static const uint8_t rtr[14] = { 0xc1, 0x40, 0, 0, 0, 1 }; /* Write of length 0, STag 1, TO 0 */
	struct conn *k = conn_of(s);
	uint32_t reads = hw_bar0(WEFT_REG_CAP_READS);

	s->peer_ird = m->enhanced ? m->ird : (uint16_t)(reads >> 16);
	s->peer_ord = m->enhanced ? m->ord : (uint16_t)reads;
	s->pd_off = (uint16_t)(m->pd - s->buf);
	s->pd_len = m->pd_len;
	s->tx_off = TX_OFF;
	s->expire = 0;
	if (m->rev != s->rev || m->markers || s->mss < 160) {
		tcp_rst(s);
		conn_end(k, WEFT_CM_STATUS_PROTOCOL);
		slot_free(s);
		return;
	}
	s->crc |= m->crc;
	if (m->reject) {
		cm_post(WEFT_EQE_TYPE_CM_CONNECT_REPLY, WEFT_CM_STATUS_REJECTED, k, s);
		k->flags |= CF_REPORTED;
		if (!s->pd_len) conn_end(k, 0);
		else if (k->qpn) { /* the handle stays for QUERY_CONN, the QP is free again */
			qps[k->qpn].conn = NO_CONN;
			k->qpn = 0;
		}
		tcp_close(s, false);
		return;
	}
	if (s->enhanced && m->enhanced) {
		if (m->ird != MPA_NO_NEGOTIATION && s->ord > m->ird) s->ord = (uint8_t)m->ird;
		if (m->ord != MPA_NO_NEGOTIATION && m->ord > s->ird) {
			refuse_reply(s, 6);
			return;
		}
		if (s->want_p2p && !(m->p2p && m->rtr_write)) {
			refuse_reply(s, 7);
			return;
		}
	}
	if (s->want_p2p && m->enhanced) put_fpdu(s, TX_OFF, rtr, sizeof(rtr));
	if (!to_hardware(s, k, false, s->path.tos)) {
		s->snd_nxt = s->dseq;
		tcp_fail(s, WEFT_CM_STATUS_NO_RESOURCE, true);
		return;
	}
	if (s->tx_len) tcp_output(s);
	else tcp_ack(s);
	s->rexmit = 0;
	cm_post(WEFT_EQE_TYPE_CM_CONNECT_REPLY, WEFT_CM_STATUS_OK, k, s);
	if (s->tx_len) {
		s->state = S_HW_REPLY;
		s->expire = after(POLL_T);
	} else if (s->pd_len) {
		s->state = S_HW_HOLD;
		s->expire = after(HOLD_T);
	} else {
		slot_free(s);
	}
}

unsigned cm_query(const uint32_t *c, uint32_t *rsp, unsigned tag)
{
	struct conn *k = conn_by(GET(c, WEFT_ADMIN_CM_ID));
	struct slot *s;

	if (!k) return WEFT_ADMIN_STATUS_NOT_FOUND;
	s = slot_of(k);
	if (!s) return WEFT_ADMIN_STATUS_BAD_STATE;
	memset(cm_buffer, 0, WEFT_ADMIN_CM_BUF_PRIVATE_DATA_OFF);
	memcpy(cm_buffer, s->path.peer, 16);
	memcpy((uint8_t *)cm_buffer + WEFT_ADMIN_CM_BUF_PRIVATE_DATA_OFF, s->buf + s->pd_off, s->pd_len);
	hw_dma_write(admin_buf(tag), cm_buffer, WEFT_ADMIN_CM_BUF_PRIVATE_DATA_OFF + s->pd_len);
	SET(rsp, WEFT_ADMIN_RSP_ID, handle_of(k));
	SET(rsp, WEFT_ADMIN_RSP_DETAIL, s->pd_len);
	s->pd_len = s->state == S_WAIT_ACCEPT ? s->pd_len : 0;
	if (k->flags & CF_REPORTED) conn_end(k, 0); /* rejected: that was the last question */
	if (s->state == S_HW_HOLD) slot_free(s);
	return WEFT_ADMIN_STATUS_OK;
}

/* The event that the driver saw last of a connection, as far as it can be told. */
static void last_event(uint32_t *e, const struct conn *k)
{
	const struct slot *s = slot_of(k);
	unsigned kind = WEFT_EQE_TYPE_CM_ESTABLISHED, code = WEFT_CM_STATUS_OK;

	if (k->flags & CF_ACTIVE) kind = WEFT_EQE_TYPE_CM_CONNECT_REPLY;
	if (k->flags & CF_REPORTED) code = WEFT_CM_STATUS_REJECTED;
	else if (k->state == C_SETUP) kind = k->flags & CF_ACTIVE ? 0 : WEFT_EQE_TYPE_CM_CONNECT_REQUEST;
	else if (k->flags & CF_PEER_FIN) kind = WEFT_EQE_TYPE_CM_DISCONNECT;
	if (!s) { /* what is known lies in the contexts */
		struct slot *x = scratch_clear();

		x->peer_ird = (uint16_t)ctx_get(WEFT_ROOM_QP_TX, k->qpn, WEFT_CTX_TX_ORD);
		x->peer_ord = (uint16_t)ctx_get(WEFT_ROOM_RX, k->qpn, WEFT_CTX_RX_IRD);
		hw_path(&x->path, k->qpn);
		s = x;
	}
	fill(e, kind, code, k, s);
}

unsigned cm_state(const uint32_t *c, uint32_t *rsp, unsigned tag)
{
	uint32_t flags = GET(c, WEFT_ADMIN_CM_FLAGS), at = GET(c, WEFT_ADMIN_CM_ID), *d = rsp + WEFT_ADMIN_RSP_DATA_OFF / 4, e[16];
	struct conn *k = flags & 16 ? conn_by_qp(GET(c, WEFT_ADMIN_CM_QPN)) : conn_by(at);

	if (flags & 32) {
		for (k = NULL, at &= 0xffff; at < MAX_CONN && !k; at++)
			if (conns[at].state != C_FREE) k = &conns[at];
	}
	if (!k) return WEFT_ADMIN_STATUS_NOT_FOUND;
	last_event(e, k);
	SET(rsp, WEFT_ADMIN_RSP_ID, handle_of(k));
	SET(d, WEFT_ADMIN_CM_STATE_STATE, k->flags & CF_REPORTED ? WEFT_CM_STATE_REJECTED : k->state == C_HW ? WEFT_CM_STATE_OPEN
	    : k->state == C_CLOSING ? WEFT_CM_STATE_CLOSING : k->flags & CF_ACTIVE ? WEFT_CM_STATE_CONNECTING : WEFT_CM_STATE_REQUESTED);
	SET(d, WEFT_ADMIN_CM_STATE_QPN, k->qpn);
	SET(d, WEFT_ADMIN_CM_STATE_POSTED, events_posted);
	hw_dma_write(admin_buf(tag), e, 64);
	return WEFT_ADMIN_STATUS_OK;
}

/* ---- close ---- */

/* A slot for a connection that the hardware has: its own, if it still has one. */
static struct slot *closing_slot(struct conn *k)
{
	struct slot *s = slot_of(k);

	if (s) return slot_leave(s);
	s = slot_close();
	if (s) bind(s, k);
	return s;
}

/* All is acknowledged: our FIN, as soon as there is a slot. */
static void finish_close(struct conn *k)
{
	struct slot *s = closing_slot(k);

	if (!s) { /* nothing runs any more, it only waits */
		if (!(k->flags & CF_PENDING)) pending++;
		k->flags |= CF_PENDING;
		if (!sweep) sweep = after(SWEEP_T);
		return;
	}
	take(s, k);
	if (s->snd_una != s->snd_nxt) { /* not what the event says */
		tcp_fail(s, WEFT_CM_STATUS_RESET, true);
	} else {
		tcp_close(s, k->flags & CF_PEER_FIN);
	}
}

void cm_forget(void) { waiting[0].until = waiting[1].until = 0; }

/* Slots that became free go to closes and to set-ups that wait. */
void cm_serve(void)
{
	struct slot *s;

	for_slots(s) /* what needs no buffer any more makes room for set-ups */
		if (s->fin && s->buf && !s->pd_len && (s->snd_una == s->snd_nxt || !seq_lt(s->snd_una, s->dseq + s->tx_len))) (void)slot_leave(s);
	for (unsigned i = 0; pending && i < MAX_CONN; i++)
		if (conns[i].state == C_CLOSING && (conns[i].flags & CF_PENDING)) {
			finish_close(&conns[i]);
			if (conns[i].flags & CF_PENDING) break;
		}
	for (unsigned i = 0; i < 2; i++) {
		uint32_t cmd[16], *rsp, until = waiting[i].until;
		unsigned status;

		if (!until) continue;
		memcpy(cmd, waiting[i].cmd, 64);
		rsp = admin_response();
		serving = true;
		status = cm_connect(cmd, rsp, GET(cmd, WEFT_ADMIN_CMD_TAG));
		serving = false;
		if (status == ADMIN_LATER) { /* still no slot */
			if ((int32_t)(ticks() - until) < 0) continue;
			status = WEFT_ADMIN_STATUS_NO_RESOURCE;
		}
		waiting[i].until = 0;
		admin_finish(WEFT_ADMIN_OP_CONNECT, GET(cmd, WEFT_ADMIN_CMD_TAG), status);
	}
}

/* Takes it from the hardware and resets it. */
static void reset_conn(struct conn *k, unsigned status)
{
	struct slot *s = slot_of(k);

	if (s && (k->state == C_SETUP || slot_ours(s))) { /* firmware has it */
		tcp_fail(s, status, s->state != S_SYN_SENT);
		return;
	}
	if (!s) s = scratch_clear();
	take(s, k);
	tcp_rst(s);
	conn_end(k, status);
	if (s != &scratch) slot_free(s);
	else port_release(s->path.lport);
}

unsigned cm_disconnect(const uint32_t *c, uint32_t *rsp)
{
	struct conn *k = conn_by(GET(c, WEFT_ADMIN_CM_ID));

	(void)rsp;
	if (!k || (k->flags & CF_REPORTED)) return WEFT_ADMIN_STATUS_NOT_FOUND;
	if (k->state == C_HW) (void)halt(k, NULL, 0);
	else if (k->state == C_SETUP) reset_conn(k, WEFT_CM_STATUS_ABORTED);
	return WEFT_ADMIN_STATUS_OK;
}

unsigned cm_abort(const uint32_t *c, uint32_t *rsp)
{
	struct conn *k = conn_by(GET(c, WEFT_ADMIN_CM_ID));

	(void)rsp;
	if (!k || (k->flags & CF_REPORTED)) return WEFT_ADMIN_STATUS_NOT_FOUND;
	reset_conn(k, WEFT_CM_STATUS_ABORTED);
	return WEFT_ADMIN_STATUS_OK;
}

void cm_qp_gone(uint32_t qpn)
{
	struct conn *k = conn_by_qp(qpn);

	if (k) reset_conn(k, WEFT_CM_STATUS_ABORTED);
}

uint32_t cm_terminate_word(uint32_t qpn)
{
	struct conn *k = conn_by_qp(qpn);

	return k && (k->flags & CF_TERM) ? k->word << 13 : 0;
}

/* ---- events of the rooms ---- */

/*
 * The Terminate of a fault (RFC 5040 4.8): control word, and if headers came with the event the DDP segment length, the DDP
 * header and, of a Read Request, the RDMAP header. CODE is layer[15:12] type[11:8] code[7:0].
 */
static void terminate(struct conn *k, const uint32_t *ev)
{
	uint32_t code = GET(ev, WEFT_FW_EVENT_CODE), n = GET(ev, WEFT_FW_EVENT_HDR_BYTES);
	uint32_t w = code << 16, len = 4;
	/* The DDP header is for firmware's own FPDU; the hardware makes it itself. Untagged, QN 2, MSN 1. */
	uint8_t u[18 + 64] = { 0x41, 0x47, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 1 }, *t = u + 18;
	struct slot *s;
	bool held;

	if (n > 48) n = 48;
	if (n >= 14) {
		w |= 6u << 13; /* M, D */
		if (n > 18) w |= 1u << 13; /* R */
		put16(t + 4, GET(ev, WEFT_FW_EVENT_DATA1));
		memcpy(t + 6, BYTES(ev, WEFT_FW_EVENT_HDR), n);
		len = 6 + n;
	}
	put32(t, w);
	/* HOLD can not be read back: a responder that has received nothing good yet still has it. */
	held = !(k->flags & (CF_ACTIVE | CF_TERM)) && ((hw_rcv_nxt(k->qpn) ^ k->word) & 0xfffff) == 0;
	k->flags |= CF_TERM;
	k->word = w >> 13;
	k->cause = WEFT_CM_STATUS_ABORTED;
	event_qp(k->qpn, WEFT_QP_EVENT_TERMINATE_SENT, w);
	if (held) { /* the fault was in the very first FPDU: the hardware may not send yet */
		s = slot_of(k);
		if (!s) { /* one with a buffer */
			s = slot_setup(false);
			if (s) bind(s, k);
		}
		if (s) {
			take(s, k);
			s->pd_len = 0;
			put_fpdu(s, 0, u, 18 + len);
			tcp_close(s, false);
			return;
		}
	} else if (halt(k, t, len)) {
		return;
	}
	reset_conn(k, WEFT_CM_STATUS_ABORTED); /* no room, no Terminate: the peer sees a reset */
}

void cm_event(const uint32_t *ev)
{
	uint32_t qpn = GET(ev, WEFT_FW_EVENT_ID), data0 = GET(ev, WEFT_FW_EVENT_DATA0), word;
	struct conn *k = conn_by_qp(qpn);
	struct slot *s = k ? slot_of(k) : NULL;

	if (!k || k->state < C_HW || (s && slot_ours(s))) return; /* of a connection that is gone */
	switch (GET(ev, WEFT_FW_EVENT_KIND)) {
	case WEFT_FW_EV_RX_FAULT:
		terminate(k, ev);
		break;
	case WEFT_FW_EV_RX_TERMINATE:
		k->flags |= CF_TERM;
		k->word = (word = be32(BYTES(ev, WEFT_FW_EVENT_HDR) + 18)) >> 13;
		event_qp(qpn, WEFT_QP_EVENT_TERMINATE_RECEIVED, word);
		k->cause = WEFT_CM_STATUS_RESET;
		s = closing_slot(k);
		if (!s) {
			reset_conn(k, WEFT_CM_STATUS_RESET);
			break;
		}
		take(s, k);
		if (s->snd_una != s->snd_nxt) tcp_fail(s, WEFT_CM_STATUS_RESET, true); /* bytes nobody can send again */
		else tcp_close(s, false);
		break;
	case WEFT_FW_EV_RX_FIN:
		if (k->flags & CF_PEER_FIN) break;
		k->flags |= CF_PEER_FIN;
		cm_post(WEFT_EQE_TYPE_CM_DISCONNECT, 0, k, s);
		if (k->state == C_HW) (void)halt(k, NULL, 0);
		break;
	case WEFT_FW_EV_TX_ERROR:
		/* Transmission stopped in the middle of a message: no Terminate can follow it. */
		event_qp(qpn, WEFT_QP_EVENT_LOCAL_ERROR, data0);
		reset_conn(k, WEFT_CM_STATUS_ABORTED);
		break;
	case WEFT_FW_EV_TX_TIMEOUT:
		event_qp(qpn, WEFT_QP_EVENT_LLP_RESET, 0);
		reset_conn(k, WEFT_CM_STATUS_TIMED_OUT);
		break;
	case WEFT_FW_EV_FW_REXMIT:
		if (!s || !s->tx_len || !seq_le(s->dseq, data0) || !seq_lt(data0, s->dseq + s->tx_len)) break;
		s->snd_una = data0;
		s->rcv_nxt = hw_rcv_nxt(qpn);
		tcp_output(s);
		s->rexmit = 0;
		break;
	case WEFT_FW_EV_ACKED:
		if ((k->flags & (CF_HALT | CF_PENDING)) == CF_HALT) finish_close(k);
		break;
	default:
		break;
	}
}

/* SYN or RST on a connection that the hardware has (RFC 5961). */
static void live_frame(uint32_t qpn, const struct seg *g)
{
	struct conn *k = conn_by_qp(qpn);
	struct slot *s = k ? slot_of(k) : NULL;
	struct tx x = { .wnd = 65535, .flags = TCP_ACK, .wscale = -1 };
	uint32_t w[16];

	if (!k || k->state < C_HW || (s && slot_ours(s))) {
		s = slot_by(&g->path);
		if (s) tcp_input(s, g);
		return;
	}
	if (g->flags & TCP_RST) {
		uint32_t off = g->seq - hw_rcv_nxt(qpn);

		if (!off) {
			event_qp(qpn, WEFT_QP_EVENT_LLP_RESET, 0);
			if (!s) s = scratch_clear();
			take(s, k);
			conn_end(k, WEFT_CM_STATUS_RESET);
			if (s != &scratch) slot_free(s);
			else port_release(s->path.lport);
			return;
		}
		if (off >= RCV_WND) return;
	}
	/*
	 * Challenge ACK (RFC 5961 7): one in half a second, counted by connection, for what is counted together tells an attacker of
	 * other connections. While one closes there is none.
	 */
	if ((k->flags & CF_HALT) || k->when == units()) return;
	k->when = units();
	ctx_read(WEFT_ROOM_RX, qpn, w);
	x.ack = GET(w, WEFT_CTX_RX_RCV_NXT);
	x.wnd = (uint16_t)(GET(w, WEFT_CTX_RX_RCV_WND) >> GET(w, WEFT_CTX_RX_RCV_WSCALE));
	x.seq = ctx_get(WEFT_ROOM_QP_TX, qpn, WEFT_CTX_TX_SND_NXT);
	net_send(&g->path, &x);
}

/* ---- frames, time ---- */

static void segment(const struct seg *g)
{
	struct slot *s = slot_by(&g->path);

	if (s) {
		tcp_input(s, g);
		return;
	}
	if (tw_input(g)) return;
	/*
	 * It waited here meanwhile: a reset would end what has just begun, and a cookie's data would begin it a second time. What
	 * matters the peer sends again.
	 */
	if (slot_handed_over(&g->path)) return;
	if (half_input(g, cm_listener(&g->path))) return;
	/* A port of a listener at an address that is not its own, or of IPv6: not ours to answer. */
	if (cm_port_listens(g->path.lport) && cm_listener(&g->path) < 0) return;
	net_reset(g);
}

void cm_frames(void)
{
	unsigned len, qpn;
	static struct seg g;

	for (int i = 0; i < 16 && hw_frame_get(frame, sizeof(frame), &len, &qpn); i++) {
		if (!qpn && half_flood(frame, len)) continue;
		if (!net_parse((const uint8_t *)frame, len, sizeof(frame), &g)) continue;
		if (qpn) live_frame(qpn, &g);
		else segment(&g);
	}
}

static void hw_poll(struct slot *s, uint32_t now)
{
	if (!is_due(now, s->expire)) return;
	if (s->state == S_HW_REPLY && !slot_acked(s)) {
		s->expire = after(POLL_T * 4);
	} else if (s->state == S_HW_REPLY && s->pd_len) {
		s->state = S_HW_HOLD;
		s->expire = after(HOLD_T);
	} else if (conn_of(s)->flags & CF_REPORTED) {
		slot_end(s);
	} else {
		slot_free(s);
	}
}

void cm_timers(void)
{
	uint32_t now = ticks();
	struct slot *s;

	for_slots(s) {
		if (slot_ours(s)) tcp_timeout(s, now);
		else hw_poll(s, now);
	}
	pool_timers(now);
	if (!is_due(now, sweep)) return;
	for (unsigned n = 0; halting && sweep_at < MAX_CONN; sweep_at++) { /* what did not get through in time */
		struct conn *k = &conns[sweep_at];

		if (k->state != C_CLOSING || (k->flags & (CF_HALT | CF_PENDING)) != CF_HALT || ((units() - k->when) & 63) <= HALT_UNITS) continue;
		if (n++ == SWEEP_STEP) {
			sweep = after(0);
			return;
		}
		reset_conn(k, WEFT_CM_STATUS_RESET);
	}
	sweep_at = 0;
	sweep = halting || pending ? after(SWEEP_T) : 0;
}

uint64_t cm_deadline(void)
{
	uint64_t base = hw_now() >> 20;
	uint32_t now = (uint32_t)base;
	int32_t t = pool_deadline(now, objects_deadline(now, INT32_MAX));
	struct slot *s;

#define EARLIER(d) do { if ((d) && (int32_t)((d) - now) < t) t = (int32_t)((d) - now); } while (0)
	for (unsigned i = 0; i < 2; i++) EARLIER(waiting[i].until);
	EARLIER(sweep);
	for_slots(s) {
		EARLIER(s->expire);
		EARLIER(s->rexmit);
	}
	if (t == INT32_MAX) return NEVER;
	return t <= 0 ? 0 : (base + (uint32_t)t) << 20;
}
