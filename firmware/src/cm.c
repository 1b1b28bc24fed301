// SPDX-License-Identifier: BSD-2-Clause
/* Connections: commands of the driver, events of the rooms, listeners, tables. */
#include "cm.h"
#include "objects.h"

#define ACCEPT_NS (60000 * MS)
#define HOLD_NS (5000 * MS)   /* the driver fetches private data meanwhile */
#define POLL_NS (200 * MS)    /* has the reply been acknowledged? */
#define HALT_NS (5000 * MS)   /* for what was started to be acknowledged */

struct conn conns[MAX_CONN];
struct slot slots[MAX_SLOT];
uint32_t slots_used;
static struct listener {
	uint8_t addr[16];
	uint32_t cookie;
	uint16_t port, gen;
	bool used, any, ipv6;
} listeners[MAX_LISTEN];
static uint32_t frame[704 / 4]; /* headers and the longest MPA frame: more is never looked at */
static uint32_t host_buf[(WEFT_ADMIN_CM_BUF_PRIVATE_DATA_OFF + 512) / 4]; /* admin_cm_buf of the command in work */
#define WAIT_NS (2000 * MS)
/* CONNECT commands that wait for a slot; the driver gives one at a time. */
static struct { uint32_t cmd[16]; uint64_t until; bool used; } waiting[2];
static unsigned conn_hint, pending, challenges;
static uint64_t challenge_until;

void cm_init(void)
{
	pending = 0; /* the tables are zero at the start */
}

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
static struct slot *slot_of(const struct conn *k) { return k->slot == NO_SLOT ? NULL : &slots[k->slot]; }

struct conn *conn_new(void)
{
	for (unsigned i = 0; i < MAX_CONN; i++) {
		struct conn *k = &conns[(conn_hint + i) % MAX_CONN];

		if (k->state != C_FREE) continue;
		conn_hint = (conn_hint + i + 1) % MAX_CONN;
		*k = (struct conn){ .gen = (uint16_t)(k->gen + 1), .state = C_SETUP, .slot = NO_SLOT, .cause = WEFT_CM_STATUS_OK };
		return k;
	}
	return NULL;
}
static void bind(struct slot *s, struct conn *k)
{
	s->conn = (uint16_t)(k - conns);
	k->slot = (uint8_t)(s - slots);
}

void cm_post(unsigned type, unsigned code, const struct conn *k, const struct slot *s)
{
	uint32_t e[16] = { 0 };

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
	event_post(e);
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
	if (k->flags & CF_PENDING) pending--;
	if (s) s->conn = NO_CONN;
	k->slot = NO_SLOT;
	k->qpn = 0;
	k->state = C_FREE;
}

static void slot_clear(struct slot *s)
{
	memset(s, 0, offsetof(struct slot, buf));
	s->conn = NO_CONN;
	s->rexmit = s->expire = NEVER;
	s->rto_ms = 1000;
	slots_used |= 1u << (s - slots);
}

struct slot *slot_new(void)
{
	struct slot *best = NULL;

	for (struct slot *s = slots; s < slots + MAX_SLOT; s++) {
		if (s->state == S_FREE) {
			slot_clear(s);
			return s;
		}
		/* Those that only wait for time to pass give way: the oldest TIME-WAIT, else private data nobody fetched. */
		if (s->state == S_TIME_WAIT && (!best || best->state != S_TIME_WAIT || s->expire < best->expire)) best = s;
		if (s->state == S_HW_HOLD && !best) best = s;
	}
	if (!best) { /* else half-open ones, so that a flood of SYN does not stop everything */
		for (struct slot *s = slots; s < slots + MAX_SLOT; s++)
			if (s->state == S_SYN_RCVD && !s->active && (!best || s->sent_at < best->sent_at)) best = s;
		if (best && hw_now() - best->sent_at < 1000 * MS) best = NULL;
	}
	if (!best) return NULL;
	if (best->state == S_TIME_WAIT) slot_end(best);
	else slot_free(best);
	slot_clear(best);
	return best;
}

void slot_free(struct slot *s)
{
	struct conn *k = conn_of(s);
	uint16_t port = s->path.lport;

	if (k) k->slot = NO_SLOT;
	s->conn = NO_CONN;
	s->state = S_FREE;
	slots_used &= ~(1u << (s - slots));
	if (port) port_release(port);
}

void slot_end(struct slot *s)
{
	struct conn *k = conn_of(s);

	if (k) conn_end(k, k->cause);
	slot_free(s);
}

static bool same_path(const struct path *a, const struct path *b)
{
	return a->pport == b->pport && a->lport == b->lport && a->ipv6 == b->ipv6 && !memcmp(a->peer, b->peer, 16)
		&& !memcmp(a->local, b->local, 16);
}
static bool ours(const struct slot *s) { return s->state != S_FREE && (s->state < S_HW_REPLY || s->state > S_HALT); }
static struct slot *slot_by(const struct path *p)
{
	struct slot *s;

	for_slots(s)
		if (ours(s) && same_path(&s->path, p)) return s;
	return NULL;
}

/* The hardware has this connection since a moment ago. */
static bool handed_over(const struct path *p)
{
	struct slot *s;

	for_slots(s)
		if (!ours(s) && same_path(&s->path, p)) return true;
	return false;
}

/* ---- listeners ---- */

bool cm_port_listens(uint16_t port)
{
	for (unsigned i = 0; i < MAX_LISTEN; i++)
		if (listeners[i].used && listeners[i].port == port) return true;
	return false;
}
int cm_find_listener(const struct seg *g)
{
	for (int i = 0; i < MAX_LISTEN; i++) {
		struct listener *l = &listeners[i];

		if (l->used && l->port == g->path.lport
		    && (l->any || (l->ipv6 == g->path.ipv6 && !memcmp(l->addr, g->path.local, 16)))) return i;
	}
	return -1;
}

unsigned cm_listen(const uint32_t *c, uint32_t *rsp)
{
	static const uint8_t zero[16];
	uint16_t port = (uint16_t)GET(c, WEFT_ADMIN_CM_LOCAL_PORT);
	const uint8_t *a = BYTES(c, WEFT_ADMIN_CM_LOCAL_ADDR);
	bool any = !memcmp(a, zero, 16);
	int at = -1;

	if (!port) return admin_bad(rsp, WEFT_ADMIN_CM_LOCAL_PORT_OFF);
	for (int i = MAX_LISTEN - 1; i >= 0; i--) {
		struct listener *l = &listeners[i];

		if (!l->used) at = i;
		else if (l->port == port && (any || l->any || !memcmp(l->addr, a, 16))) return WEFT_ADMIN_STATUS_IN_USE;
	}
	if (at < 0) return WEFT_ADMIN_STATUS_NO_RESOURCE;
	listeners[at].used = true;
	listeners[at].any = any;
	listeners[at].ipv6 = GET(c, WEFT_ADMIN_CM_FLAGS) & 1;
	listeners[at].port = port;
	listeners[at].gen++;
	listeners[at].cookie = GET(c, WEFT_ADMIN_CM_HANDLE);
	memcpy(listeners[at].addr, a, 16);
	port_set(port);
	SET(rsp, WEFT_ADMIN_RSP_ID, (uint32_t)listeners[at].gen << 16 | (uint32_t)at);
	return WEFT_ADMIN_STATUS_OK;
}

unsigned cm_unlisten(const uint32_t *c, uint32_t *rsp)
{
	uint32_t id = GET(c, WEFT_ADMIN_CM_ID), at = id & 0xffff;

	(void)rsp;
	if (at >= MAX_LISTEN || !listeners[at].used || listeners[at].gen != id >> 16) return WEFT_ADMIN_STATUS_NOT_FOUND;
	listeners[at].used = false;
	/* Set-ups that nobody will be asked about end; those that the driver knows go on. */
	for (struct slot *s = slots; s < slots + MAX_SLOT; s++)
		if ((s->state == S_SYN_RCVD || s->state == S_WAIT_REQ) && !s->active && s->listener == at) {
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
	if (!hw_dma_read(host_buf, admin_buf(tag), WEFT_ADMIN_CM_BUF_PRIVATE_DATA_OFF + n)) return WEFT_ADMIN_STATUS_DMA;
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

static void to_hardware(struct slot *s, struct conn *k, bool hold, unsigned tos)
{
	k->state = C_HW;
	k->word = s->rcv_nxt;
	hw_start(s, k->qpn, hold, tos);
}

static unsigned connect_later(const uint32_t *c)
{
	for (unsigned i = 0; i < 2; i++) {
		if (waiting[i].used) continue;
		memcpy(waiting[i].cmd, c, 64);
		waiting[i].until = hw_now() + WAIT_NS;
		waiting[i].used = true;
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
	memcpy(p.peer, host_buf, p.ipv6 ? 16 : 4);
	s = slot_by(&p);
	if (s && s->state == S_TIME_WAIT) {
		slot_end(s);
		s = NULL;
	}
	if (s) return WEFT_ADMIN_STATUS_IN_USE;
	s = slot_new();
	if (!s) return connect_later(c);
	k = conn_new();
	if (!k) {
		slot_free(s);
		return WEFT_ADMIN_STATUS_NO_RESOURCE;
	}
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
	m.pd = (const uint8_t *)host_buf + WEFT_ADMIN_CM_BUF_PRIVATE_DATA_OFF;
	m.pd_len = (uint16_t)GET(c, WEFT_ADMIN_CM_PD_BYTES);
	s->tx_len = (uint16_t)mpa_build(s->buf, &m);
	port_set(p.lport);
	tcp_start_active(s);
	SET(rsp, WEFT_ADMIN_RSP_ID, handle_of(k));
	return WEFT_ADMIN_STATUS_OK;
}

void cm_request(struct slot *s, const struct mpa *m)
{
	struct conn *k = m->markers ? NULL : conn_new(); /* markers: never, see docs */

	if (!k || s->mss < 160) {
		if (k) k->state = C_FREE;
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
	s->peer_ird = m->ird;
	s->peer_ord = m->ord;
	s->pd_off = (uint16_t)(m->pd - s->buf);
	s->pd_len = m->pd_len;
	s->state = S_WAIT_ACCEPT;
	s->expire = hw_now() + ACCEPT_NS;
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
	m.pd = (const uint8_t *)host_buf + WEFT_ADMIN_CM_BUF_PRIVATE_DATA_OFF;
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
	to_hardware(s, k, true, GET(c, WEFT_ADMIN_CM_TOS));
	tcp_output(s);
	s->state = S_HW_REPLY;
	s->rexmit = NEVER;
	s->expire = hw_now() + POLL_NS;
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

	s->peer_ird = m->ird;
	s->peer_ord = m->ord;
	s->pd_off = (uint16_t)(m->pd - s->buf);
	s->pd_len = m->pd_len;
	s->tx_off = TX_OFF;
	s->expire = NEVER;
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
	to_hardware(s, k, false, s->path.tos);
	if (s->tx_len) tcp_output(s);
	else tcp_ack(s);
	s->rexmit = NEVER;
	cm_post(WEFT_EQE_TYPE_CM_CONNECT_REPLY, WEFT_CM_STATUS_OK, k, s);
	if (s->tx_len) {
		s->state = S_HW_REPLY;
		s->expire = hw_now() + POLL_NS;
	} else if (s->pd_len) {
		s->state = S_HW_HOLD;
		s->expire = hw_now() + HOLD_NS;
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
	memset(host_buf, 0, WEFT_ADMIN_CM_BUF_PRIVATE_DATA_OFF);
	memcpy(host_buf, s->path.peer, 16);
	memcpy((uint8_t *)host_buf + WEFT_ADMIN_CM_BUF_PRIVATE_DATA_OFF, s->buf + s->pd_off, s->pd_len);
	hw_dma_write(admin_buf(tag), host_buf, WEFT_ADMIN_CM_BUF_PRIVATE_DATA_OFF + s->pd_len);
	SET(rsp, WEFT_ADMIN_RSP_ID, handle_of(k));
	SET(rsp, WEFT_ADMIN_RSP_DETAIL, s->pd_len);
	if (s->state == S_HW_HOLD) slot_free(s);
	else if (k->flags & CF_REPORTED) conn_end(k, 0); /* rejected: that was the last question */
	return WEFT_ADMIN_STATUS_OK;
}

/* ---- close ---- */

/* A slot for a connection that the hardware has: its own, if it still has one. */
static struct slot *closing_slot(struct conn *k)
{
	struct slot *s = slot_of(k);

	if (s) return s;
	s = slot_new();
	if (s) bind(s, k);
	return s;
}

static void start_close(struct conn *k)
{
	struct slot *s = closing_slot(k);

	k->state = C_CLOSING;
	if (!s) { /* served when a slot is free */
		if (!(k->flags & CF_PENDING)) pending++;
		k->flags |= CF_PENDING;
		return;
	}
	if (k->flags & CF_PENDING) pending--;
	k->flags &= (uint8_t)~CF_PENDING;
	s->state = S_HALT;
	s->rexmit = NEVER;
	s->expire = hw_now() + HALT_NS;
	hw_halt(s, k, NULL, 0);
}

static bool slot_there(void)
{
	if (slots_used != (1u << MAX_SLOT) - 1) return true;
	for (struct slot *s = slots; s < slots + MAX_SLOT; s++)
		if (s->state == S_TIME_WAIT || s->state == S_HW_HOLD) return true;
	return false;
}

void cm_forget(void) { waiting[0].used = waiting[1].used = false; }

/* Slots that became free go to closes first, then to set-ups. */
void cm_serve(void)
{
	for (unsigned i = 0; pending && i < MAX_CONN; i++)
		if (conns[i].state == C_CLOSING && (conns[i].flags & CF_PENDING)) {
			if (!slot_there()) break;
			start_close(&conns[i]);
		}
	for (unsigned i = 0; i < 2; i++) {
		uint32_t cmd[16], *rsp;
		unsigned tag, status = WEFT_ADMIN_STATUS_NO_RESOURCE;

		if (!waiting[i].used || (!slot_there() && hw_now() < waiting[i].until)) continue;
		waiting[i].used = false;
		memcpy(cmd, waiting[i].cmd, 64);
		rsp = admin_response();
		tag = GET(cmd, WEFT_ADMIN_CMD_TAG);
		if (slot_there()) status = cm_connect(cmd, rsp, tag);
		admin_finish(WEFT_ADMIN_OP_CONNECT, tag, status);
	}
}

/* Takes it from the hardware and resets it. */
static void reset_conn(struct conn *k, unsigned status)
{
	static struct slot spare;
	struct slot *s = closing_slot(k);

	if (k->state == C_SETUP) {
		if (s->state > S_SYN_SENT) tcp_rst(s);
		conn_end(k, status);
		slot_free(s);
		return;
	}
	if (s && ours(s)) { /* firmware has it already */
		if (s->state != S_TIME_WAIT) tcp_rst(s);
		conn_end(k, status);
		slot_free(s);
		return;
	}
	if (!s) {
		memset(&spare, 0, offsetof(struct slot, buf));
		spare.conn = NO_CONN;
		s = &spare;
	}
	hw_take(s, k);
	tcp_rst(s);
	conn_end(k, status);
	if (s != &spare) slot_free(s);
	else port_release(spare.path.lport);
}

unsigned cm_disconnect(const uint32_t *c, uint32_t *rsp)
{
	struct conn *k = conn_by(GET(c, WEFT_ADMIN_CM_ID));

	(void)rsp;
	if (!k || (k->flags & CF_REPORTED)) return WEFT_ADMIN_STATUS_NOT_FOUND;
	if (k->state == C_HW) start_close(k);
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

	return k && (k->flags & CF_TERM) ? k->word : 0;
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
	held = !(k->flags & (CF_ACTIVE | CF_TERM)) && hw_rcv_nxt(k->qpn) == k->word;
	k->flags |= CF_TERM;
	k->word = w;
	k->cause = WEFT_CM_STATUS_ABORTED;
	event_qp(k->qpn, WEFT_QP_EVENT_TERMINATE_SENT, w);
	s = closing_slot(k);
	if (!s) { /* no slot, no Terminate: the peer sees a reset */
		reset_conn(k, WEFT_CM_STATUS_ABORTED);
		return;
	}
	if (held) { /* the fault was in the very first FPDU: the hardware may not send yet */
		hw_take(s, k);
		s->pd_len = 0;
		put_fpdu(s, 0, u, 18 + len);
		tcp_close(s, false);
		return;
	}
	k->state = C_CLOSING;
	s->state = S_HALT;
	s->rexmit = NEVER;
	s->expire = hw_now() + HALT_NS;
	hw_halt(s, k, t, len);
}

void cm_event(const uint32_t *ev)
{
	uint32_t qpn = GET(ev, WEFT_FW_EVENT_ID), data0 = GET(ev, WEFT_FW_EVENT_DATA0);
	struct conn *k = conn_by_qp(qpn);
	struct slot *s = k ? slot_of(k) : NULL;

	if (!k || k->state < C_HW || (s && ours(s))) return; /* of a connection that is gone */
	switch (GET(ev, WEFT_FW_EVENT_KIND)) {
	case WEFT_FW_EV_RX_FAULT:
		terminate(k, ev);
		break;
	case WEFT_FW_EV_RX_TERMINATE:
		k->flags |= CF_TERM;
		k->word = be32(BYTES(ev, WEFT_FW_EVENT_HDR) + 18);
		event_qp(qpn, WEFT_QP_EVENT_TERMINATE_RECEIVED, k->word);
		k->cause = WEFT_CM_STATUS_RESET;
		s = closing_slot(k);
		if (!s) {
			reset_conn(k, WEFT_CM_STATUS_RESET);
			break;
		}
		hw_take(s, k);
		if (s->snd_una != s->snd_nxt) { /* bytes nobody can send again */
			tcp_rst(s);
			conn_end(k, WEFT_CM_STATUS_RESET);
			slot_free(s);
		} else {
			tcp_close(s, false);
		}
		break;
	case WEFT_FW_EV_RX_FIN:
		if (k->flags & CF_PEER_FIN) break;
		k->flags |= CF_PEER_FIN;
		cm_post(WEFT_EQE_TYPE_CM_DISCONNECT, 0, k, s);
		if (k->state == C_HW) start_close(k);
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
		s->rexmit = NEVER;
		break;
	case WEFT_FW_EV_ACKED:
		if (!s || s->state != S_HALT) break;
		hw_take(s, k);
		if (s->snd_una != s->snd_nxt) { /* not what the event says */
			tcp_rst(s);
			conn_end(k, WEFT_CM_STATUS_RESET);
			slot_free(s);
		} else {
			tcp_close(s, k->flags & CF_PEER_FIN);
		}
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

	if (!k || k->state < C_HW || (s && ours(s))) {
		s = slot_by(&g->path);
		if (s) tcp_input(s, g);
		return;
	}
	ctx_read(WEFT_ROOM_RX, qpn, w);
	x.ack = GET(w, WEFT_CTX_RX_RCV_NXT);
	if (g->flags & TCP_RST) {
		if (g->seq == x.ack) {
			event_qp(qpn, WEFT_QP_EVENT_LLP_RESET, 0);
			if (!s) s = closing_slot(k);
			if (s) {
				hw_take(s, k);
				conn_end(k, WEFT_CM_STATUS_RESET);
				slot_free(s);
			} else {
				reset_conn(k, WEFT_CM_STATUS_RESET);
			}
			return;
		}
		if (g->seq - x.ack >= GET(w, WEFT_CTX_RX_RCV_WND)) return;
	}
	/* Challenge ACK, at most 10 a second (RFC 5961 7). */
	if (hw_now() >= challenge_until) {
		challenge_until = hw_now() + 1000 * MS;
		challenges = 0;
	}
	if (challenges++ >= 10) return;
	x.wnd = (uint16_t)(GET(w, WEFT_CTX_RX_RCV_WND) >> GET(w, WEFT_CTX_RX_RCV_WSCALE));
	ctx_read(WEFT_ROOM_QP_TX, qpn, w);
	x.seq = GET(w, WEFT_CTX_TX_SND_NXT);
	net_send(&g->path, &x);
}

/* ---- frames, time ---- */

void cm_frames(void)
{
	unsigned len, qpn;
	static struct seg g;

	for (int i = 0; i < 4 && hw_frame_get(frame, sizeof(frame), &len, &qpn); i++) {
		struct slot *s;
		int l;

		if (!net_parse((const uint8_t *)frame, len, sizeof(frame), &g)) continue;
		if (qpn) {
			live_frame(qpn, &g);
			continue;
		}
		s = slot_by(&g.path);
		if (s && s->state == S_TIME_WAIT && (g.flags & (TCP_SYN | TCP_ACK | TCP_RST)) == TCP_SYN && seq_lt(s->rcv_nxt, g.seq)) {
			slot_end(s); /* a new connection from the same port (RFC 9293 3.10.7.4) */
			s = NULL;
		}
		if (s) {
			tcp_input(s, &g);
			continue;
		}
		/* It waited here meanwhile: a reset would end what has just begun. What matters the peer sends again. */
		if (handed_over(&g.path)) continue;
		l = cm_find_listener(&g);
		if (l >= 0 && (g.flags & (TCP_SYN | TCP_ACK | TCP_RST | TCP_FIN)) == TCP_SYN) tcp_start_passive(&g, l);
		else net_reset(&g);
	}
}

static void hw_poll(struct slot *s, uint64_t now)
{
	struct conn *k = conn_of(s);
	uint32_t w[16];

	if (now < s->expire) return;
	switch (s->state) {
	case S_HW_HOLD:
		slot_free(s);
		break;
	case S_HW_REPLY:
		ctx_read(WEFT_ROOM_QP_TX, k->qpn, w);
		if (seq_lt(GET(w, WEFT_CTX_TX_SND_UNA), s->dseq + s->tx_len)) {
			s->expire = now + POLL_NS * 4;
		} else if (s->pd_len) {
			s->state = S_HW_HOLD;
			s->expire = now + HOLD_NS;
		} else {
			slot_free(s);
		}
		break;
	default: /* S_HALT: it did not get through */
		reset_conn(k, WEFT_CM_STATUS_RESET);
	}
}

void cm_timers(uint64_t now)
{
	struct slot *s;

	for_slots(s) {
		if (ours(s)) tcp_timeout(s, now);
		else hw_poll(s, now);
	}
}

uint64_t cm_deadline(void)
{
	uint64_t t = NEVER;
	struct slot *s;

	for (unsigned i = 0; i < 2; i++)
		if (waiting[i].used && waiting[i].until < t) t = waiting[i].until;
	for_slots(s) {
		if (s->expire < t) t = s->expire;
		if (s->rexmit < t) t = s->rexmit;
	}
	return t;
}
