// SPDX-License-Identifier: BSD-2-Clause
/* Connections: commands of the driver, listeners, tables. */
#include "cm.h"
#include "dp.h"
#include "objects.h"

#define ACCEPT_T TICKS(60000)
#define PASS_ON_MAX 32        /* the frames that firmware's queue holds, four times: a hand-over that is refused at first lasts as long as one turns 16 times */
#define WAIT_T TICKS(6000)    /* for a slot: twenty who connect at once on a slow simulation */

uint32_t conn_top;
static struct listener {
	uint8_t addr[4] __attribute__((aligned(4))); /* 0: any that is ours; of IPv6 a number of addr6() */
	uint32_t cookie;
	uint16_t port, gen, backlog;
	bool used, ipv6;
} listeners[MAX_LISTEN];
static unsigned listen_top; /* behind the last that was ever used */
static uint8_t local[MAX_LOCAL][4] __attribute__((aligned(4))); /* addresses of this host; 0.0.0.0: free */
static bool local_told;
static uint32_t local6[MAX_LOCAL6][4], local6_told; /* ::: free; bit per address of this host */
static uint32_t frame[704 / 4]; /* headers and the longest MPA frame: more is never looked at */
uint32_t *const cm_buffer = frame; /* admin_cm_buf of the command in work: no frame is in work then */
/* CONNECT commands that wait for a slot; the driver gives no more at a time. */
static struct { uint32_t cmd[16], until; } waiting[2]; /* until 0: free */
static unsigned conn_hint, conn_count;

/* ---- tables ---- */

static uint32_t handle_of(const struct conn *k) { return (uint32_t)k->gen << 16 | conn_index(k); }
static struct conn *conn_by(uint32_t handle)
{
	uint32_t at = handle & 0xffff;

	struct conn *k = at < CONN_END ? conn_at(at) : NULL;

	return k && k->state != C_FREE && k->gen == handle >> 16 ? k : NULL;
}
struct conn *conn_by_qp(uint32_t qpn)
{
	unsigned at = qpn && qpn < n_qp ? qp_at(qpn)->conn : NO_CONN;

	return at != NO_CONN ? conn_at(at) : NULL;
}
struct conn *conn_of(const struct slot *s) { return s->conn == NO_CONN ? NULL : conn_at(s->conn); }
struct slot *slot_of(const struct conn *k) { return k->slot == NO_SLOT ? NULL : &slots[k->slot]; }

/* Beside its queue pair, if that is known and the place is free; and what ended last is used first. */
static struct conn *conn_new(uint32_t like)
{
	if (like && conn_at(like)->state == C_FREE) conn_hint = like - CONN_FIRST;
	for (unsigned i = 0, n = CONN_END - CONN_FIRST; i < n && i < CONN_TRIES; i++) {
		unsigned at = conn_hint + CONN_FIRST;
		struct conn *k = conn_at(at);

		conn_hint = conn_hint + 1 < n ? conn_hint + 1 : 0;
		if (k->state != C_FREE || !dp_conn_room(at)) continue;
		if (at >= conn_top) conn_top = at + 1;
		*k = (struct conn){ .gen = k->gen + 1u, .state = C_SETUP, .slot = NO_SLOT, .cause = WEFT_CM_STATUS_OK };
		conn_count++;
		return k;
	}
	return NULL;
}
void cm_bind(struct slot *s, struct conn *k)
{
	s->conn = (uint16_t)conn_index(k);
	k->slot = (uint32_t)(s - slots);
}

/* ---- ports, L2 entries ---- */

void port_set(uint16_t port)
{
	uint32_t at = (port >> 5) << 2;

	hw_cfg_write(WEFT_ROOM_STEER, at, hw_cfg_read(WEFT_ROOM_STEER, at) | 1u << (port & 31));
}

void port_release(uint16_t port)
{
	uint32_t at = (port >> 5) << 2;
	struct slot *s;

	if (cm_port_listens(port) || tw_uses(port)) return;
	for_slots(s)
		if (s->path.lport == port) return;
	hw_cfg_write(WEFT_ROOM_STEER, at, hw_cfg_read(WEFT_ROOM_STEER, at) & ~(1u << (port & 31)));
}

_Static_assert(WEFT_L2E_DMAC_LSB == 0 && WEFT_L2E_SMAC_LSB == 64, "on words");
unsigned hw_l2(struct path *p, uint32_t index)
{
	uint32_t e[4], *mac = (uint32_t *)p->dmac; /* both, one behind the other */

	for (unsigned i = 0; i < 4; i++) e[i] = hw_cfg_read(WEFT_ROOM_L2T, index * 64 + i * 4);
	if (!GET(e, WEFT_L2E_VALID)) return 0;
	mac[0] = e[0];
	mac[1] = (e[1] & 0xffff) | e[2] << 16;
	mac[2] = e[2] >> 16 | e[3] << 16;
	p->vlan = GET(e, WEFT_L2E_VLAN);
	p->tci = (uint16_t)GET(e, WEFT_L2E_VLAN_TCI);
	return GET(e, WEFT_L2E_MTU);
}

/* ---- events of connections ---- */

static void fill(uint32_t *e, unsigned type, unsigned code, const struct conn *k, const struct slot *s)
{
	clear64(e);
	e[0] = AT(0, WEFT_EQE_KIND, type) | AT(0, WEFT_EQE_CODE, code);
	SET(e, WEFT_EQE_ID, handle_of(k));
	SET(e, WEFT_EQE_HANDLE, k->cookie);
	SET(e, WEFT_EQE_DATA0, k->qpn);
	if (s) {
		copy16(BYTES(e, WEFT_EQE_PEER_ADDR), s->path.peer);
		copy16(BYTES(e, WEFT_EQE_LOCAL_ADDR), s->path.local);
		e[12] = AT(12, WEFT_EQE_PEER_PORT, s->path.pport) | AT(12, WEFT_EQE_LOCAL_PORT, s->path.lport);
		e[13] = AT(13, WEFT_EQE_IRD, s->peer_ird) | AT(13, WEFT_EQE_ORD, s->peer_ord);
		e[14] = AT(14, WEFT_EQE_PD_BYTES, s->pd_len) | AT(14, WEFT_EQE_FLAGS, s->path.ipv6 | (s->rev == 2) << 1 | s->crc << 2);
	}
}
void cm_post(unsigned type, unsigned code, const struct conn *k, const struct slot *s)
{
	uint32_t e[16];

	fill(e, type, code, k, s);
	event_post(e);
}

bool cm_busy(void) { return conn_count || slots_used || half_count(); }

void conn_end(struct conn *k, unsigned status)
{
	struct slot *s = slot_of(k);
	uint32_t qpn = k->qpn;

	if (qpn) {
		dp_conn_end(k);
		qp_at(qpn)->conn = NO_CONN;
	}
	if (!(k->flags & CF_REPORTED)) {
		bool reply = k->state == C_SETUP && (k->flags & CF_ACTIVE);

		if (s && reply) s->pd_len = 0;
		cm_post(reply ? WEFT_EQE_TYPE_CM_CONNECT_REPLY : WEFT_EQE_TYPE_CM_CLOSE,
			reply && status == WEFT_CM_STATUS_OK ? WEFT_CM_STATUS_RESET : status, k, s);
	}
	dp_forget_conn(k);
	if (s) s->conn = NO_CONN;
	k->slot = NO_SLOT;
	k->qpn = 0;
	k->state = C_FREE;
	conn_hint = conn_index(k) - CONN_FIRST;
	conn_count--;
}

/* ---- listeners ---- */

bool cm_port_listens(uint16_t port)
{
	for (unsigned i = 0; i < listen_top; i++)
		if (listeners[i].port == port && listeners[i].used) return true;
	return false;
}

/* The number of an IPv6 address that is known, from 1 on; 0: it is not, and was not taken in (add). It is forgotten when nobody has it any more. */
static uint32_t addr6(const void *a, bool add)
{
	uint32_t i, none = 0;

	for (i = MAX_LOCAL6; i; i--) {
		const uint32_t *l = local6[i - 1];

		if (l[3] == addr_word((const uint8_t *)a + 12) && same16(l, a)) return i;
		if (!l[3] && !(l[0] | l[1] | l[2])) none = i;
	}
	if (!add || !none) return 0;
	copy16(local6[none - 1], a);
	return none;
}
static void addr6_gone(uint32_t n)
{
	if (!n || local6_told >> (n - 1) & 1) return;
	for (unsigned i = 0; i < listen_top; i++)
		if (listeners[i].used && listeners[i].ipv6 && addr_word(listeners[i].addr) == n) return;
	memset(local6[n - 1], 0, 16);
}

int cm_listener(const struct path *p)
{
	uint32_t to = p->ipv6 ? addr6(p->local, false) : addr_word(p->local);

	if (!to) return -1;
	for (int i = 0; i < (int)listen_top; i++) {
		struct listener *l = &listeners[i];
		uint32_t a;

		if (l->port != p->lport || !l->used || l->ipv6 != p->ipv6) continue;
		a = addr_word(l->addr);
		if (a == to) return i;
		if (a) continue;
		if (p->ipv6) { /* none is anybody's before it is told */
			if (local6_told >> (to - 1) & 1) return i;
			continue;
		}
		if (!local_told) return i;
		for (unsigned j = 0; j < MAX_LOCAL; j++)
			if (addr_word(local[j]) == to) return i;
	}
	return -1;
}

FLOOD_PATH bool cm_backlog_room(unsigned at, bool all)
{
	unsigned n = 0;
	struct slot *s;

	if (!listeners[at].backlog) return true;
	for_slots(s) n += !s->active && s->listener == at && (s->state == S_WAIT_REQ ? all || !slot_slow(s) : s->state == S_WAIT_ACCEPT);
	return n < listeners[at].backlog;
}

static const uint8_t zero[16];
/* The card may lack IPv6, and then nobody is to ask for it. */
static bool no_family(uint32_t flags) { return (flags & 1) && !(hw_bar0(WEFT_REG_FEATURES) & 1u << WEFT_FEATURE_IPV6); }

static unsigned local_addr6(const uint8_t *a, bool gone)
{
	uint32_t n = addr6(a, !gone);

	if (gone) {
		if (!n || !(local6_told >> (n - 1) & 1)) return WEFT_ADMIN_STATUS_NOT_FOUND;
		local6_told &= ~(1u << (n - 1));
		addr6_gone(n);
		return WEFT_ADMIN_STATUS_OK;
	}
	if (!n) return WEFT_ADMIN_STATUS_NO_RESOURCE;
	local6_told |= 1u << (n - 1);
	return WEFT_ADMIN_STATUS_OK;
}

unsigned cm_local_addr(const uint32_t *c, uint32_t *rsp)
{
	const uint8_t *a = BYTES(c, WEFT_ADMIN_CM_LOCAL_ADDR);
	uint32_t flags = GET(c, WEFT_ADMIN_CM_FLAGS);
	int none = -1, have = -1;

	if ((flags & ~0x81u) || no_family(flags)) return admin_bad(rsp, WEFT_ADMIN_CM_FLAGS_OFF);
	if (!memcmp(a, zero, flags & 1 ? 16 : 4)) return admin_bad(rsp, WEFT_ADMIN_CM_LOCAL_ADDR_OFF);
	if (flags & 1) return local_addr6(a, flags & 0x80);
	for (int i = MAX_LOCAL - 1; i >= 0; i--) {
		if (!memcmp(local[i], a, 4)) have = i;
		if (!memcmp(local[i], zero, 4)) none = i;
	}
	local_told = true;
	if (flags) {
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
	uint16_t port = (uint16_t)GET(c, WEFT_ADMIN_CM_LOCAL_PORT);
	const uint8_t *a = BYTES(c, WEFT_ADMIN_CM_LOCAL_ADDR);
	bool ipv6 = GET(c, WEFT_ADMIN_CM_FLAGS) & 1, any = !memcmp(a, zero, ipv6 ? 16 : 4);
	uint32_t addr = any ? 0 : addr_word(a);
	int at = -1;

	if (!port) return admin_bad(rsp, WEFT_ADMIN_CM_LOCAL_PORT_OFF);
	if (no_family(ipv6)) return admin_bad(rsp, WEFT_ADMIN_CM_FLAGS_OFF);
	if (ipv6 && !any) addr = addr6(a, true);
	if (!addr && !any) return WEFT_ADMIN_STATUS_NO_RESOURCE;
	for (int i = (int)listen_top - 1; i >= 0; i--) {
		struct listener *l = &listeners[i];

		if (!l->used) at = i;
		else if (l->port == port && l->ipv6 == ipv6 && (any || !addr_word(l->addr) || addr_word(l->addr) == addr)) {
			at = -2;
			break;
		}
	}
	if (at == -1 && listen_top < MAX_LISTEN) at = (int)listen_top;
	if (at < 0) {
		if (ipv6) addr6_gone(addr);
		return at == -2 ? WEFT_ADMIN_STATUS_IN_USE : WEFT_ADMIN_STATUS_NO_RESOURCE;
	}
	listeners[at].used = true;
	if ((unsigned)at >= listen_top) listen_top = (unsigned)at + 1;
	listeners[at].port = port;
	listeners[at].gen++;
	listeners[at].backlog = (uint16_t)GET(c, WEFT_ADMIN_CM_BACKLOG);
	listeners[at].cookie = GET(c, WEFT_ADMIN_CM_HANDLE);
	listeners[at].ipv6 = ipv6;
	memcpy(listeners[at].addr, &addr, 4);
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
	if (listeners[at].ipv6) addr6_gone(addr_word(listeners[at].addr));
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

/* Private data of a command, and the peer's address of CONNECT, from the host's buffer: the rest is looked at while they come. */
static unsigned pd_begin(const uint32_t *c, unsigned tag)
{
	unsigned n = GET(c, WEFT_ADMIN_CM_PD_BYTES);

	return hw_dma_begin(cm_buffer, admin_buf(tag), WEFT_ADMIN_CM_BUF_PRIVATE_DATA_OFF + (n < 512 ? n : 512), false);
}
/* status: what was found out meanwhile comes first. */
static unsigned pd_end(const uint32_t *c, uint32_t *rsp, unsigned number, unsigned status, unsigned max)
{
	bool ok = hw_dma_end(number);

	if (status) return status;
	if (GET(c, WEFT_ADMIN_CM_PD_BYTES) > max) return admin_bad(rsp, WEFT_ADMIN_CM_PD_BYTES_OFF);
	return ok ? WEFT_ADMIN_STATUS_OK : WEFT_ADMIN_STATUS_DMA;
}

static unsigned check_qp(const uint32_t *c, uint32_t *rsp)
{
	uint32_t qpn = GET(c, WEFT_ADMIN_CM_QPN), reads = hw_bar0(WEFT_REG_CAP_READS);

	if (!qp_valid(qpn)) return WEFT_ADMIN_STATUS_NOT_FOUND;
	if (qp_at(qpn)->conn != NO_CONN || (qp_at(qpn)->flags & QP_ERR)) return WEFT_ADMIN_STATUS_BAD_STATE;
	if (GET(c, WEFT_ADMIN_CM_IRD) > (reads & 0xffff)) return admin_bad(rsp, WEFT_ADMIN_CM_IRD_OFF);
	if (GET(c, WEFT_ADMIN_CM_ORD) > reads >> 16) return admin_bad(rsp, WEFT_ADMIN_CM_ORD_OFF);
	if (GET(c, WEFT_ADMIN_CM_L2) >= hw_bar0(WEFT_REG_CAP_L2)) return admin_bad(rsp, WEFT_ADMIN_CM_L2_OFF);
	return WEFT_ADMIN_STATUS_OK;
}

/* The data path has it. What is to be said to the peer lies in the buffer. */
void cm_handed(struct slot *s, struct conn *k)
{
	k->state = C_HW;
	if (s->tx_len) tcp_output(s);
	else if (!s->passed_on) tcp_ack(s); /* else the data path does, and may have */
	s->rexmit = 0;
	cm_post(k->flags & CF_ACTIVE ? WEFT_EQE_TYPE_CM_CONNECT_REPLY : WEFT_EQE_TYPE_CM_ESTABLISHED, WEFT_CM_STATUS_OK, k, s);
	if (s->pd_len || s->passed_on) { /* what was passed on comes back while CREATE is refused */
		s->state = S_HW_HOLD;
		s->since = ticks();
		s->expire = after(s->pd_len ? HOLD_T : PASS_ON_T);
	} else {
		slot_free(s);
	}
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

/* The path of a CONNECT, but for its addresses. */
static unsigned connect_path(const uint32_t *c, uint32_t *rsp, struct path *p, unsigned *mtu)
{
	unsigned status = check_qp(c, rsp);

	if (status) return status;
	p->lport = (uint16_t)GET(c, WEFT_ADMIN_CM_LOCAL_PORT);
	p->pport = (uint16_t)GET(c, WEFT_ADMIN_CM_PEER_PORT);
	p->ipv6 = GET(c, WEFT_ADMIN_CM_FLAGS) & 1;
	p->tos = (uint8_t)(GET(c, WEFT_ADMIN_CM_TOS) & 0xfc);
	if (!p->lport) return admin_bad(rsp, WEFT_ADMIN_CM_LOCAL_PORT_OFF);
	if (!p->pport) return admin_bad(rsp, WEFT_ADMIN_CM_PEER_PORT_OFF);
	if (no_family(p->ipv6)) return admin_bad(rsp, WEFT_ADMIN_CM_FLAGS_OFF);
	*mtu = hw_l2(p, GET(c, WEFT_ADMIN_CM_L2));
	return *mtu < 576 ? admin_bad(rsp, WEFT_ADMIN_CM_L2_OFF) : WEFT_ADMIN_STATUS_OK;
}

unsigned cm_connect(const uint32_t *c, uint32_t *rsp, unsigned tag)
{
	uint32_t flags = GET(c, WEFT_ADMIN_CM_FLAGS);
	struct mpa m = { .rev = flags & 2 ? 2 : 1, .crc = flags >> 2 & 1, .enhanced = flags & 2 };
	struct path p = { 0 };
	unsigned pd = pd_begin(c, tag), mtu = 0, status = connect_path(c, rsp, &p, &mtu);
	struct slot *s;
	struct conn *k;

	status = pd_end(c, rsp, pd, status, m.enhanced ? 508 : 512);
	if (status) return status;
	memcpy(p.local, BYTES(c, WEFT_ADMIN_CM_LOCAL_ADDR), p.ipv6 ? 16 : 4);
	memcpy(p.peer, cm_buffer, p.ipv6 ? 16 : 4);
	if (slot_by(&p)) return WEFT_ADMIN_STATUS_IN_USE;
	s = slot_setup(true);
	if (!s) return connect_later(c);
	k = conn_new(GET(c, WEFT_ADMIN_CM_QPN));
	if (!k) {
		slot_free(s);
		return WEFT_ADMIN_STATUS_NO_RESOURCE;
	}
	tw_drop(&p);
	cm_bind(s, k);
	k->flags = CF_ACTIVE;
	k->qpn = (uint16_t)GET(c, WEFT_ADMIN_CM_QPN);
	k->cookie = GET(c, WEFT_ADMIN_CM_HANDLE);
	qp_at(k->qpn)->conn = (uint16_t)conn_index(k);
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
	struct conn *k = tcp_mss(s) < MSS_LEAST ? NULL : conn_new(0);
	uint32_t reads = hw_bar0(WEFT_REG_CAP_READS);

	if (!k) {
		tcp_rst(s);
		slot_free(s);
		return;
	}
	cm_bind(s, k);
	k->cookie = listeners[s->listener].cookie;
	s->rev = m->rev;
	s->enhanced = m->enhanced;
	s->crc = m->crc;
	s->markers = m->markers;
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
static unsigned answer(struct slot *s, const uint32_t *c, uint32_t *rsp, unsigned pd, unsigned status, bool reject)
{
	struct mpa m = { .reply = true, .rev = s->rev, .enhanced = s->enhanced, .reject = reject, .crc = s->crc };

	status = pd_end(c, rsp, pd, status, m.enhanced ? 508 : 512);
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
		m.p2p = s->peer_p2p;
		m.rtr_write = m.p2p && s->peer_rtr_write;
		m.rtr_read = m.p2p && !m.rtr_write && s->peer_rtr_read;
		/* None that fits both: what is taken here; the initiator ends it with a Terminate then (RFC 6581 9.2). */
		if (m.p2p && !m.rtr_write && !m.rtr_read) m.rtr_write = m.rtr_read = true;
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
	unsigned status, mtu = 0, pd;
	struct path p;

	if (!s) return k ? WEFT_ADMIN_STATUS_BAD_STATE : WEFT_ADMIN_STATUS_NOT_FOUND;
	pd = pd_begin(c, tag);
	status = check_qp(c, rsp);
	p = s->path;
	if (!status) {
		mtu = hw_l2(&p, GET(c, WEFT_ADMIN_CM_L2));
		if (mtu < 576) status = admin_bad(rsp, WEFT_ADMIN_CM_L2_OFF);
	}
	status = answer(s, c, rsp, pd, status, false);
	if (status) return status;
	s->path = p;
	s->l2 = (uint16_t)GET(c, WEFT_ADMIN_CM_L2);
	mtu -= (s->path.ipv6 ? 60 : 40) + (s->ts_ok ? TS_BYTES : 0);
	if (s->mss > mtu) s->mss = (uint16_t)mtu;
	k->qpn = (uint16_t)GET(c, WEFT_ADMIN_CM_QPN);
	qp_at(k->qpn)->conn = (uint16_t)conn_index(k);
	k->cookie = GET(c, WEFT_ADMIN_CM_HANDLE);
	/* The hardware first: what the peer sends in answer must find it. */
	if (!dp_start(s, k, true, GET(c, WEFT_ADMIN_CM_TOS))) {
		s->snd_nxt = s->dseq; /* the peer is told by a reset, the driver by the status */
		k->flags |= CF_REPORTED;
		tcp_fail(s, 0, true);
		return WEFT_ADMIN_STATUS_NO_RESOURCE;
	}
	SET(rsp, WEFT_ADMIN_RSP_ID, handle_of(k));
	return WEFT_ADMIN_STATUS_OK;
}

unsigned cm_reject(const uint32_t *c, uint32_t *rsp, unsigned tag)
{
	struct conn *k;
	struct slot *s = asked(c, &k);
	unsigned status;

	if (!s) return k ? WEFT_ADMIN_STATUS_BAD_STATE : WEFT_ADMIN_STATUS_NOT_FOUND;
	status = answer(s, c, rsp, pd_begin(c, tag), WEFT_ADMIN_STATUS_OK, true);
	if (status) return status;
	k->flags |= CF_REPORTED;
	conn_end(k, 0);
	tcp_close(s, false);
	return WEFT_ADMIN_STATUS_OK;
}

/* A Terminate before the hardware runs (RFC 6581 9), in the slot's buffer: the first FPDU, so a marker may stand in front of it. */
static void first_fpdu(struct slot *s, unsigned at, const uint8_t *ulpdu, unsigned n)
{
	uint8_t *b = s->buf + at;
	unsigned mark = s->markers ? 4 : 0;
	uint32_t crc;

	memset(b, 0, mark);
	put16(b + mark, n);
	memcpy(b + mark + 2, ulpdu, n);
	n += mark + 2;
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

	first_fpdu(s, TX_OFF, t, sizeof(t));
	conn_end(k, WEFT_CM_STATUS_PROTOCOL);
	tcp_close(s, false);
}

void cm_reply(struct slot *s, const struct mpa *m)
{
	struct conn *k = conn_of(s);
	uint32_t reads = hw_bar0(WEFT_REG_CAP_READS);

	s->peer_ird = m->enhanced ? m->ird : (uint16_t)(reads >> 16);
	s->peer_ord = m->enhanced ? m->ord : (uint16_t)reads;
	s->pd_off = (uint16_t)(m->pd - s->buf);
	s->pd_len = m->pd_len;
	s->tx_off = TX_OFF;
	s->expire = 0;
	if (m->rev != s->rev || tcp_mss(s) < MSS_LEAST) {
		tcp_rst(s);
		conn_end(k, WEFT_CM_STATUS_PROTOCOL);
		slot_free(s);
		return;
	}
	s->crc |= m->crc;
	s->markers = m->markers;
	if (m->reject) {
		cm_post(WEFT_EQE_TYPE_CM_CONNECT_REPLY, WEFT_CM_STATUS_REJECTED, k, s);
		k->flags |= CF_REPORTED;
		if (!s->pd_len) conn_end(k, 0);
		else if (k->qpn) { /* the handle stays for QUERY_CONN, the QP is free again */
			qp_at(k->qpn)->conn = NO_CONN;
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
	if (s->want_p2p && m->enhanced) dp_rtr(s);
	if (!dp_start(s, k, false, s->path.tos)) {
		s->snd_nxt = s->dseq;
		tcp_fail(s, WEFT_CM_STATUS_NO_RESOURCE, true);
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
	copy16(cm_buffer, s->path.peer);
	memcpy((uint8_t *)cm_buffer + WEFT_ADMIN_CM_BUF_PRIVATE_DATA_OFF, s->buf + s->pd_off, s->pd_len);
	hw_dma_write(admin_buf(tag), cm_buffer, WEFT_ADMIN_CM_BUF_PRIVATE_DATA_OFF + s->pd_len);
	SET(rsp, WEFT_ADMIN_RSP_ID, handle_of(k));
	SET(rsp, WEFT_ADMIN_RSP_DETAIL, s->pd_len);
	s->pd_len = s->state == S_WAIT_ACCEPT ? s->pd_len : 0;
	if (k->flags & CF_REPORTED) conn_end(k, 0); /* rejected: that was the last question */
	if (s->state != S_HW_HOLD) return WEFT_ADMIN_STATUS_OK;
	if (slot_guards(s)) s->expire = after(PASS_ON_T);
	else slot_free(s);
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
	if (!s) { /* the data path knows */
		struct slot *x = scratch_clear();

		dp_describe(x, k);
		s = x;
	}
	fill(e, kind, code, k, s);
}

unsigned cm_state(const uint32_t *c, uint32_t *rsp, unsigned tag)
{
	uint32_t flags = GET(c, WEFT_ADMIN_CM_FLAGS), at = GET(c, WEFT_ADMIN_CM_ID), *d = rsp + WEFT_ADMIN_RSP_DATA_OFF / 4, e[16];
	struct conn *k = flags & 16 ? conn_by_qp(GET(c, WEFT_ADMIN_CM_QPN)) : conn_by(at);

	if (flags & 32) {
		for (k = NULL, at &= 0xffff; at < conn_top && !k; at++) {
			hw_heartbeat(); /* there may be many that ended */
			if (conn_at(at)->state != C_FREE) k = conn_at(at);
		}
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

void cm_forget(void) { waiting[0].until = waiting[1].until = 0; }

/* Slots that became free go to closes and to set-ups that wait. */
void cm_serve(void)
{
	struct slot *s;

	for_slots(s) /* what needs no buffer any more makes room for set-ups; fin of S_HAND is no FIN */
		if (s->fin && s->state != S_HAND && s->buf && !s->pd_len && (s->snd_una == s->snd_nxt || !seq_lt(s->snd_una, s->dseq + s->tx_len))) (void)slot_leave(s);
	dp_serve();
	for (unsigned i = 0; i < 2 && (waiting[0].until | waiting[1].until); i++) {
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

/* The connection ends without a word, but for a reset of the peer. */
void cm_reset(struct conn *k, unsigned status)
{
	struct slot *s = slot_of(k);

	if (s && (k->state == C_SETUP || slot_ours(s))) tcp_fail(s, status, s->state != S_SYN_SENT); /* firmware has it */
	else dp_reset(k, s, status);
}

unsigned cm_disconnect(const uint32_t *c, uint32_t *rsp)
{
	struct conn *k = conn_by(GET(c, WEFT_ADMIN_CM_ID));

	(void)rsp;
	if (!k || (k->flags & CF_REPORTED)) return WEFT_ADMIN_STATUS_NOT_FOUND;
	if (k->state == C_HW) dp_disconnect(k);
	else if (k->state == C_SETUP) cm_reset(k, WEFT_CM_STATUS_ABORTED);
	return WEFT_ADMIN_STATUS_OK;
}

unsigned cm_abort(const uint32_t *c, uint32_t *rsp)
{
	struct conn *k = conn_by(GET(c, WEFT_ADMIN_CM_ID));

	(void)rsp;
	if (!k || (k->flags & CF_REPORTED)) return WEFT_ADMIN_STATUS_NOT_FOUND;
	cm_reset(k, WEFT_CM_STATUS_ABORTED);
	return WEFT_ADMIN_STATUS_OK;
}

void cm_qp_gone(uint32_t qpn)
{
	struct conn *k = conn_by_qp(qpn);

	if (k) cm_reset(k, WEFT_CM_STATUS_ABORTED);
}

uint32_t cm_terminate_word(uint32_t qpn)
{
	struct conn *k = conn_by_qp(qpn);

	return k && (k->flags & CF_TERM) ? (uint32_t)k->word << 13 : 0;
}

/* ---- frames, time ---- */

/*
 * What the frame in work carries is the data path's by now: to the own address it turns round inside the card, and is looked up again. A
 * connection that ended meanwhile would bring it back: so many times for each. Longer frames than firmware reads the peer sends again.
 */
static unsigned frame_len;
void cm_pass_on(struct slot *s)
{
	if (frame_len > sizeof(frame) || s->passed_on >= PASS_ON_MAX) return;
	s->passed_on++;
	s->since = ticks();
	hw_frame_send(frame, frame_len);
}

static void segment(const struct seg *g)
{
	struct slot *s = slot_by(&g->path);
	int listener;

	if (s) {
		tcp_input(s, g);
		return;
	}
	if (tw_input(g)) return;
	/* It waited here meanwhile: a reset would end what has just begun, and a cookie's data would begin it a second time. */
	s = slot_handed_over(&g->path);
	if (s) {
		/* An ACK alone has no answer, and our own would be left out for it. */
		if (g->len || (g->flags & (TCP_SYN | TCP_FIN | TCP_RST))) cm_pass_on(s);
		return;
	}
	if (half_input(g, &listener)) return;
	/* A port of a listener at an address that is not its own: not ours to answer. */
	if (listener < 0 && cm_port_listens(g->path.lport)) return;
	net_reset(g);
}

void cm_frames(void)
{
	unsigned len, qpn;
	static struct seg g;

	for (int i = 0; i < 16 && hw_frame_get(frame, sizeof(frame), &len, &qpn); i++) {
		if (!qpn && half_flood(frame, len)) continue;
		if (!net_parse((const uint8_t *)frame, len, sizeof(frame), &g)) continue;
		frame_len = len;
		if (qpn) dp_frame(qpn, &g);
		else segment(&g);
	}
}

void cm_timers(void)
{
	uint32_t now = ticks();
	struct slot *s;

	for_slots(s) {
		if (slot_ours(s)) tcp_timeout(s, now);
		else dp_poll(s, now);
	}
	pool_timers(now);
	dp_timers(now);
}

uint64_t cm_deadline(void)
{
	uint64_t base = hw_now() >> 20;
	uint32_t now = (uint32_t)base;
	int32_t t = dp_deadline(now, pool_deadline(now, objects_deadline(now, INT32_MAX)));
	struct slot *s;

#define EARLIER(d) do { if ((d) && (int32_t)((d) - now) < t) t = (int32_t)((d) - now); } while (0)
	for_slots(s) {
		EARLIER(s->expire);
		EARLIER(s->rexmit);
	}
	if (waiting[0].until | waiting[1].until) {
		for (unsigned i = 0; i < 2; i++) EARLIER(waiting[i].until);
		for_slots(s) EARLIER(slot_kept(s)); /* a place is waited for */
	}
	if (t == INT32_MAX) return NEVER;
	return t <= 0 ? 0 : (base + (uint32_t)t) << 20;
}
