// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The connection verbs of iw_cm. TCP and MPA run in the card; here a connection is an endpoint with
 * the card's handle, the iw_cm_id whose events it makes, and the QP that it carries.
 *
 * cm_lock orders commands and events. CONNECT may wait in the card, so it goes without the lock: events
 * of connections that nobody knows are kept as long as one is under way, and the one that made the
 * connection finds them.
 */
#include <linux/in.h>

#include "weft_rdma.h"

#define WEFT_CONNECTS 2	/* CONNECT commands that firmware lets wait for a place: it refuses a third */
#define WEFT_CONNECT_WAIT (20 * HZ)	/* for the turn to send one */
#define WEFT_CM_FLAG_REV2 BIT(1)
#define WEFT_CM_FLAG_CRC BIT(2)
#define WEFT_CM_FLAG_P2P BIT(3)
#define WEFT_CM_FLAG_NEXT BIT(5)	/* CM_QUERY: the first connection from ID on */

enum weft_ep_state {
	WEFT_EP_CONNECTING,
	WEFT_EP_REQUESTED,		/* passive: the application has not decided */
	WEFT_EP_ACCEPTING,
	WEFT_EP_OPEN,
	WEFT_EP_CLOSING,
};

struct weft_ep {
	struct weft_dev *dev;
	struct iw_cm_id *cm_id;		/* referenced; NULL while REQUESTED */
	struct hlist_node by_id;	/* in weft_dev.ids, when it is in the table and has a cm_id */
	unsigned long request;		/* number while REQUESTED */
	struct weft_qp *qp;		/* referenced */
	enum weft_ep_state state;
	u32 handle;
	int l2;
	struct weft_port_hold *port;	/* its local one; NULL: not yet */
	u8 ird, ord;			/* asked for by the application */
	bool ran;			/* the card may be in TIME-WAIT when it closes */
	u32 seen;			/* the resync that found it, or before which it was made */
};

/* a CONNECT command under way */
struct weft_connect {
	struct list_head link;
	u64 began;
};

/* an event of a connection that nobody knew when it came */
struct weft_early {
	struct list_head link;
	u64 came;
	__le64 eqe[WEFT_WORDS(EQE)];
};

struct weft_listener {
	struct iw_cm_id *cm_id;
	u32 cookie, id;
	u32 id4;			/* one of IPv6 on any address takes IPv4 as well, unless asked not to */
	bool both;
	bool on;			/* the card listens */
	int backlog;
	struct weft_port_hold *port;
};

/* the caller has taken it out of the table */
static void weft_ep_free(struct weft_ep *ep)
{
	if (ep->qp) {
		mutex_lock(&ep->qp->lock);
		if (ep->qp->ep == ep)
			ep->qp->ep = NULL;
		mutex_unlock(&ep->qp->lock);
		weft_qp_put(&ep->qp->ibqp);
	}
	weft_l2t_put(ep->dev, ep->l2);
	if (ep->port)
		weft_port_put(ep->port, ep->ran);
	if (ep->cm_id)
		ep->cm_id->rem_ref(ep->cm_id);
	kfree(ep);
}

/* Out of the table: events find it no more. */
static void weft_ep_leave(struct weft_ep *ep)
{
	lockdep_assert_held(&ep->dev->cm_lock);
	xa_erase(&ep->dev->eps, ep->handle);
	hash_del(&ep->by_id);
}

static struct weft_ep *weft_ep_alloc(struct weft_dev *dev)
{
	struct weft_ep *ep = kzalloc(sizeof(*ep), GFP_KERNEL);

	if (ep) {
		ep->dev = dev;
		ep->l2 = -1;
		ep->seen = READ_ONCE(dev->resyncs);
	}
	return ep;
}

static void weft_ep_set_cm_id(struct weft_ep *ep, struct iw_cm_id *cm_id)
{
	cm_id->add_ref(cm_id);
	ep->cm_id = cm_id;
	cm_id->provider_data = ep;
}

/* The caller's QP, referenced. */
static struct weft_qp *weft_callers_qp(struct weft_dev *dev, u32 qpn)
{
	struct weft_qp *qp = weft_qp_lookup(dev, qpn);

	if (!qp)
		return ERR_PTR(-EINVAL);
	if (weft_qp_is_callers(qp))
		return qp;
	weft_qp_put(&qp->ibqp);
	return ERR_PTR(-EPERM);
}

static int weft_ep_set_qp(struct weft_ep *ep, const struct iw_cm_conn_param *param)
{
	struct weft_qp *qp = weft_callers_qp(ep->dev, param->qpn);

	if (IS_ERR(qp))
		return PTR_ERR(qp);
	mutex_lock(&qp->lock);
	if (qp->state != IB_QPS_INIT || qp->ep || param->ird > qp->ird || param->ord > qp->ord) {
		mutex_unlock(&qp->lock);
		weft_qp_put(&qp->ibqp);
		return -EINVAL;
	}
	qp->ep = ep;
	mutex_unlock(&qp->lock);
	ep->qp = qp;
	ep->ird = param->ird;
	ep->ord = param->ord;
	return 0;
}

/*
 * The connection runs, with as many Reads as were agreed on: inbound what we offered, outbound no more
 * than the peer takes (RFC 6581 9.1). An event that was made up for a lost one does not know the peer's.
 */
static void weft_qp_running(struct weft_ep *ep, const __le64 *eqe)
{
	struct weft_qp *qp = ep->qp;

	ep->ran = true;
	mutex_lock(&qp->lock);
	if (qp->state == IB_QPS_INIT)
		qp->state = IB_QPS_RTS;
	qp->ird = ep->ird;
	qp->ord = ep->ord;
	if (WEFT_GET(eqe, EQE_PEER_PORT))
		qp->ord = min_t(u32, ep->ord, WEFT_GET(eqe, EQE_IRD));
	mutex_unlock(&qp->lock);
}

static void weft_qp_closed(struct weft_ep *ep)
{
	if (!ep->qp)
		return;
	mutex_lock(&ep->qp->lock);
	ep->qp->state = IB_QPS_ERR;
	mutex_unlock(&ep->qp->lock);
}

/* ---- commands ---- */

/*
 * IPv6 where the card has it, and addresses that go without a zone: link-local ones are the host's, and the card does
 * not answer them.
 */
static int weft_check_addr(const struct weft_dev *dev, const struct sockaddr_storage *ss)
{
	struct in6_addr a;

	if (ss->ss_family == AF_INET)
		return 0;
	if (ss->ss_family != AF_INET6 || !weft_has_ipv6(dev))
		return -EAFNOSUPPORT;
	weft_in6(&a, ss);
	return ipv6_addr_v4mapped(&a) || ipv6_addr_loopback(&a) ||
	       ipv6_addr_type(&a) & (IPV6_ADDR_LINKLOCAL | IPV6_ADDR_MULTICAST) ?
	       -EADDRNOTAVAIL : 0;
}

static int weft_check_family(const struct weft_dev *dev, const struct iw_cm_id *cm_id)
{
	const struct sockaddr_storage *l = &cm_id->m_local_addr, *r = &cm_id->m_remote_addr;
	int rc = weft_check_addr(dev, l);

	if (rc || !r->ss_family)
		return rc;
	return r->ss_family == l->ss_family ? weft_check_addr(dev, r) : -EAFNOSUPPORT;
}

static bool weft_is_any(const struct sockaddr_storage *ss)
{
	struct in6_addr a;

	weft_in6(&a, ss);
	return ipv6_addr_any(&a) || (ss->ss_family == AF_INET && !a.s6_addr32[3]);
}

/* iw_cm says "mapped" of a mapper that gave no port as well, and without the parameter: both are the same then */
static bool weft_is_mapped(const struct iw_cm_id *cm_id)
{
	return cm_id->mapped &&
	       weft_sock_port(&cm_id->local_addr) != weft_sock_port(&cm_id->m_local_addr);
}

static struct weft_port_hold *weft_local_port(struct weft_dev *dev, const struct iw_cm_id *cm_id)
{
	return weft_port_get(dev, weft_is_any(&cm_id->m_local_addr),
			     weft_sock_port(&cm_id->m_local_addr), weft_is_mapped(cm_id));
}

/*
 * rdma_cm draws the port of who named none from the range that TCP draws from, without a look at TCP's own. One that the host
 * has is not the program's choice then, so the kernel chooses. Who binds to a port of that range himself cannot be told from
 * that: he connects from another one as well, and rdma_cm tells him which (it has local_addr from the reply). Where a mapper
 * runs, both addresses are what iw_cm finds its entry by, and stay (weft_upcall); one that it gave is no drawn one.
 */
static struct weft_port_hold *weft_connect_port(struct weft_dev *dev, struct iw_cm_id *cm_id)
{
	struct weft_port_hold *h = weft_local_port(dev, cm_id);

	if (h != ERR_PTR(-EADDRINUSE) ||
	    weft_sock_port(&cm_id->local_addr) != weft_sock_port(&cm_id->m_local_addr) ||
	    !weft_port_is_drawn(dev, weft_sock_port(&cm_id->m_local_addr)))
		return h;
	h = weft_port_get(dev, true, 0, false);
	if (!IS_ERR(h) && !cm_id->mapped) {
		weft_sock_set_port(&cm_id->m_local_addr, weft_port_number(h));
		weft_sock_set_port(&cm_id->local_addr, weft_port_number(h));
	}
	return h;
}

static int weft_check_param(const struct weft_dev *dev, const struct iw_cm_conn_param *param)
{
	if (param->private_data_len > WEFT_MAX_PRIVATE_DATA - 4)
		return -EINVAL;
	if (param->ird > dev->caps->ird || param->ord > dev->caps->ord)
		return -EINVAL;
	return 0;
}

static int weft_cm_exec(struct weft_dev *dev, struct weft_admin_msg *msg, u32 op, u32 id,
			const struct sockaddr_storage *remote, const void *pdata, size_t len)
{
	WEFT_PUT(msg->cmd, ADMIN_CMD_OP, op);
	WEFT_PUT(msg->cmd, ADMIN_CM_ID, id);
	WEFT_PUT(msg->cmd, ADMIN_CM_PD_BYTES, len);
	if (remote && remote->ss_family == AF_INET6) {
		msg->peer = &((const struct sockaddr_in6 *)remote)->sin6_addr;
		msg->peer_len = sizeof(struct in6_addr);
	} else if (remote) {
		msg->peer = &((const struct sockaddr_in *)remote)->sin_addr;
		msg->peer_len = sizeof(struct in_addr);
	}
	msg->pdata = pdata;
	msg->pdata_len = len;
	return weft_admin_exec(dev->core, msg);
}

static void weft_cm_put_qp(struct weft_admin_msg *msg, const struct weft_ep *ep,
			   const struct iw_cm_conn_param *param, u8 tos)
{
	WEFT_PUT(msg->cmd, ADMIN_CM_QPN, ep->qp->qpn);
	WEFT_PUT(msg->cmd, ADMIN_CM_L2, ep->l2);
	WEFT_PUT(msg->cmd, ADMIN_CM_TOS, tos);
	WEFT_PUT(msg->cmd, ADMIN_CM_IRD, param->ird);
	WEFT_PUT(msg->cmd, ADMIN_CM_ORD, param->ord);
}

static void weft_abort_handle(struct weft_dev *dev, u32 handle)
{
	struct weft_admin_msg msg = {};

	weft_cm_exec(dev, &msg, WEFT_ADMIN_OP_ABORT, handle, NULL, NULL, 0);
}

static bool weft_qp_is_init(struct weft_qp *qp)
{
	bool init;

	mutex_lock(&qp->lock);
	init = qp->state == IB_QPS_INIT;
	mutex_unlock(&qp->lock);
	return init;
}

static void weft_cm_event_of(struct weft_dev *dev, struct weft_ep *ep, const __le64 *eqe,
			     struct weft_qp **closing);
static void weft_cm_closing(struct weft_dev *dev, struct weft_qp *closing);

static void weft_connect_begin(struct weft_dev *dev, struct weft_connect *c)
{
	lockdep_assert_held(&dev->cm_lock);
	c->began = dev->cm_clock++;
	list_add_tail(&c->link, &dev->connects);
}

/* Events that are older than all that are still under way are nobody's. */
static void weft_connect_end(struct weft_dev *dev, struct weft_connect *c)
{
	struct weft_connect *first;
	struct weft_early *e, *next;

	lockdep_assert_held(&dev->cm_lock);
	list_del(&c->link);
	first = list_first_entry_or_null(&dev->connects, struct weft_connect, link);
	list_for_each_entry_safe(e, next, &dev->early, link) {
		if (first && e->came > first->began)
			break;
		list_del(&e->link);
		kfree(e);
	}
}

static void weft_cm_early(struct weft_dev *dev, const __le64 *eqe)
{
	struct weft_early *e;

	lockdep_assert_held(&dev->cm_lock);
	if (list_empty(&dev->connects))
		return;
	e = kmalloc(sizeof(*e), GFP_KERNEL | __GFP_NOFAIL);
	memcpy(e->eqe, eqe, sizeof(e->eqe));
	e->came = dev->cm_clock++;
	list_add_tail(&e->link, &dev->early);
}

/* The card has a connection. What happened to its QP, to the interface, to the card meanwhile did not find it. */
static int weft_connect_enter(struct weft_ep *ep, u32 handle)
{
	struct weft_dev *dev = ep->dev;
	int rc;

	lockdep_assert_held(&dev->cm_lock);
	if (weft_flushing(dev))
		return -EIO;
	if (!netif_running(dev->netdev) || !weft_port_is_here(dev, ep->port))
		return -ENETDOWN;
	if (!weft_qp_is_init(ep->qp))
		return -ECONNABORTED;
	ep->handle = handle;
	ep->state = WEFT_EP_CONNECTING;
	/* a look at all connections that began before the command knows nothing of it */
	ep->seen = dev->resyncs;
	rc = xa_err(xa_store(&dev->eps, handle, ep, GFP_KERNEL));
	if (!rc)
		hash_add(dev->ids, &ep->by_id, (unsigned long)ep->cm_id);
	return rc;
}

/* Once in the table it belongs to events, also to those that were faster. */
static void weft_connect_catch_up(struct weft_dev *dev, u32 handle, u64 began,
				  struct weft_qp **closing)
{
	struct weft_early *e, *next;
	struct weft_ep *ep;

	list_for_each_entry_safe(e, next, &dev->early, link) {
		if (e->came < began || WEFT_GET(e->eqe, EQE_ID) != handle)
			continue;
		list_del(&e->link);
		ep = xa_load(&dev->eps, handle);
		if (ep)
			weft_cm_event_of(dev, ep, e->eqe, closing);
		kfree(e);
	}
}

static int weft_connect_exec(struct weft_ep *ep, struct iw_cm_id *cm_id,
			     struct iw_cm_conn_param *param, u32 *handle)
{
	struct weft_admin_msg msg = {};
	struct in6_addr local;
	u32 family;
	int rc;

	weft_cm_put_qp(&msg, ep, param, cm_id->tos);
	WEFT_PUT(msg.cmd, ADMIN_CM_LOCAL_PORT, weft_port_number(ep->port));
	WEFT_PUT(msg.cmd, ADMIN_CM_PEER_PORT, weft_sock_port(&cm_id->m_remote_addr));
	weft_in6(&local, &cm_id->m_local_addr);
	family = weft_put_addr(WEFT_BYTES(msg.cmd, ADMIN_CM_LOCAL_ADDR), &local);
	/* Either side may send first (RFC 6581 9): the users of iw_cm do not say, and some do. */
	WEFT_PUT(msg.cmd, ADMIN_CM_FLAGS,
		 family | WEFT_CM_FLAG_REV2 | WEFT_CM_FLAG_CRC | WEFT_CM_FLAG_P2P);
	rc = weft_cm_exec(ep->dev, &msg, WEFT_ADMIN_OP_CONNECT, 0, &cm_id->m_remote_addr,
			  param->private_data, param->private_data_len);
	*handle = WEFT_GET(msg.rsp, ADMIN_RSP_ID);
	return rc;
}

/*
 * Turns are given in the order of asking. Silent hosts, whoever connects to them, keep firmware's places for seconds
 * each, and rdma_cm's own work may be what waits here: so who has not got one after a while is told what firmware
 * would have told him.
 */
static int weft_connect_turn(struct weft_ep *ep)
{
	struct weft_dev *dev = ep->dev;
	unsigned long end = jiffies + WEFT_CONNECT_WAIT;

	while (down_timeout(&dev->connect_slots, HZ / 2)) {
		if (fatal_signal_pending(current))
			return -EINTR;
		if (weft_core_dead(dev->core))
			return -ENODEV;
		if (!weft_qp_is_init(ep->qp))
			return -ECONNABORTED;
		if (time_after(jiffies, end))
			return -ENOMEM;
	}
	return 0;
}

/* After success the endpoint is not the caller's any more. */
static int weft_connect(struct weft_ep *ep, struct iw_cm_id *cm_id, struct iw_cm_conn_param *param)
{
	struct weft_dev *dev = ep->dev;
	struct weft_qp *closing = NULL;
	struct weft_connect c;
	u32 handle;
	int rc;

	rc = weft_connect_turn(ep); /* before the lock, and before events are kept for it */
	if (rc)
		return rc;
	mutex_lock(&dev->cm_lock);
	if (!weft_qp_is_init(ep->qp)) { /* it went to ERR, perhaps to its end, meanwhile */
		mutex_unlock(&dev->cm_lock);
		up(&dev->connect_slots);
		return -ECONNABORTED;
	}
	weft_connect_begin(dev, &c);
	mutex_unlock(&dev->cm_lock);
	rc = weft_connect_exec(ep, cm_id, param, &handle); /* may wait for a place in the card */
	up(&dev->connect_slots);
	mutex_lock(&dev->cm_lock);
	if (!rc) {
		rc = weft_connect_enter(ep, handle);
		if (rc)
			weft_abort_handle(dev, handle);
		else
			weft_connect_catch_up(dev, handle, c.began, &closing);
	}
	weft_connect_end(dev, &c);
	mutex_unlock(&dev->cm_lock);
	weft_cm_closing(dev, closing);
	return rc;
}

int weft_iw_connect(struct iw_cm_id *cm_id, struct iw_cm_conn_param *param)
{
	struct weft_dev *dev = to_weft_dev(cm_id->device);
	struct weft_port_hold *port;
	struct weft_ep *ep;
	int rc;

	rc = weft_check_family(dev, cm_id);
	if (rc)
		return rc;
	rc = weft_check_param(dev, param);
	if (rc)
		return rc;
	ep = weft_ep_alloc(dev);
	if (!ep)
		return -ENOMEM;
	weft_ep_set_cm_id(ep, cm_id);
	rc = weft_ep_set_qp(ep, param);
	if (rc)
		goto err;
	port = weft_connect_port(dev, cm_id);
	if (IS_ERR(port)) {
		rc = PTR_ERR(port);
		goto err;
	}
	ep->port = port;
	/* may sleep for the neighbour: nobody else waits for it */
	ep->l2 = weft_l2t_get(dev, &cm_id->m_local_addr, &cm_id->m_remote_addr, cm_id->tos);
	if (ep->l2 < 0) {
		rc = ep->l2;
		goto err;
	}
	rc = weft_connect(ep, cm_id, param);
	if (rc)
		goto err;
	return 0;

err:
	cm_id->provider_data = NULL;
	weft_ep_free(ep);
	return rc;
}

/*
 * iw_cm knows a request by a number, for it may drop it without a word (its listener goes, memory is out):
 * the endpoint ends when the card says so. NULL: it has.
 */
static struct weft_ep *weft_take_request(struct weft_dev *dev, struct iw_cm_id *cm_id)
{
	struct weft_ep *ep = xa_erase(&dev->requests, (unsigned long)cm_id->provider_data);

	cm_id->provider_data = NULL;
	return ep;
}

static int weft_accept_locked(struct weft_ep *ep, struct iw_cm_id *cm_id,
			      struct iw_cm_conn_param *param)
{
	struct weft_admin_msg msg = {};
	int rc;

	lockdep_assert_held(&ep->dev->cm_lock);
	weft_ep_set_cm_id(ep, cm_id);
	hash_add(ep->dev->ids, &ep->by_id, (unsigned long)cm_id);
	rc = weft_ep_set_qp(ep, param);
	if (rc)
		return rc;
	weft_cm_put_qp(&msg, ep, param, cm_id->tos);
	WEFT_PUT(msg.cmd, ADMIN_CM_FLAGS, WEFT_CM_FLAG_CRC);
	ep->state = WEFT_EP_ACCEPTING;
	return weft_cm_exec(ep->dev, &msg, WEFT_ADMIN_OP_ACCEPT, ep->handle, NULL,
			    param->private_data, param->private_data_len);
}

/* iw_cm holds the QP that was named while its caller waits for a neighbour: not one of somebody else. */
static int weft_accept_l2(struct weft_dev *dev, const struct iw_cm_id *cm_id, u32 qpn)
{
	struct weft_qp *qp = weft_callers_qp(dev, qpn);

	if (IS_ERR(qp))
		return PTR_ERR(qp);
	weft_qp_put(&qp->ibqp);
	/* may sleep for the neighbour: nobody else waits for it */
	return weft_l2t_get(dev, &cm_id->m_local_addr, &cm_id->m_remote_addr, cm_id->tos);
}

int weft_iw_accept(struct iw_cm_id *cm_id, struct iw_cm_conn_param *param)
{
	struct weft_dev *dev = to_weft_dev(cm_id->device);
	struct weft_ep *ep;
	int l2 = -1, rc;

	/* iw_cm expects no event after an error: whatever fails here ends the endpoint */
	rc = weft_check_param(dev, param);
	if (!rc) {
		l2 = weft_accept_l2(dev, cm_id, param->qpn);
		rc = min(l2, 0);
	}
	mutex_lock(&dev->cm_lock);
	ep = weft_take_request(dev, cm_id);
	if (!ep) { /* it closed before the application decided */
		mutex_unlock(&dev->cm_lock);
		weft_l2t_put(dev, l2);
		return -ECONNRESET;
	}
	ep->l2 = l2;
	if (!rc)
		rc = weft_accept_locked(ep, cm_id, param);
	if (rc) {
		weft_ep_leave(ep);
		weft_abort_handle(dev, ep->handle);
		cm_id->provider_data = NULL;
	}
	mutex_unlock(&dev->cm_lock);
	if (rc)
		weft_ep_free(ep);
	return rc;
}

int weft_iw_reject(struct iw_cm_id *cm_id, const void *pdata, u8 pdata_len)
{
	struct weft_dev *dev = to_weft_dev(cm_id->device);
	struct weft_admin_msg msg = {};
	struct weft_ep *ep;
	int rc = 0;

	mutex_lock(&dev->cm_lock);
	ep = weft_take_request(dev, cm_id);
	if (ep) {
		weft_ep_leave(ep);
		rc = weft_cm_exec(dev, &msg, WEFT_ADMIN_OP_REJECT, ep->handle, NULL, pdata,
				  pdata_len);
	}
	mutex_unlock(&dev->cm_lock);
	if (ep)
		weft_ep_free(ep);
	return rc;
}

/* iw_cm asks for this through modify_qp(SQD) */
int weft_ep_disconnect(struct weft_dev *dev, struct weft_qp *qp)
{
	struct weft_admin_msg msg = {};
	struct weft_ep *ep;
	u32 handle = 0;
	int rc;

	mutex_lock(&dev->cm_lock);
	mutex_lock(&qp->lock);
	ep = qp->ep;
	if (ep && xa_load(&dev->eps, ep->handle) == ep && ep->state != WEFT_EP_CLOSING) {
		handle = ep->handle;
		/* iw_cm still waits for the answer of one that connects or accepts: see weft_on_close */
		if (ep->state == WEFT_EP_OPEN)
			ep->state = WEFT_EP_CLOSING;
	} else {
		ep = NULL;
	}
	mutex_unlock(&qp->lock);
	mutex_unlock(&dev->cm_lock);
	if (!ep)
		return 0;
	rc = weft_cm_exec(dev, &msg, WEFT_ADMIN_OP_DISCONNECT, handle, NULL, NULL, 0);
	return rc == -ENOENT || weft_core_dead(dev->core) ? 0 : rc;
}

/* ---- listeners ---- */

static int weft_listen(struct weft_dev *dev, const struct weft_listener *li,
		       const struct in6_addr *addr, u32 *id)
{
	struct weft_admin_msg msg = {};
	int rc;

	WEFT_PUT(msg.cmd, ADMIN_CM_HANDLE, li->cookie);
	WEFT_PUT(msg.cmd, ADMIN_CM_BACKLOG, clamp(li->backlog, 1, U16_MAX));
	WEFT_PUT(msg.cmd, ADMIN_CM_LOCAL_PORT, weft_sock_port(&li->cm_id->m_local_addr));
	WEFT_PUT(msg.cmd, ADMIN_CM_FLAGS,
		 weft_put_addr(WEFT_BYTES(msg.cmd, ADMIN_CM_LOCAL_ADDR), addr));
	rc = weft_cm_exec(dev, &msg, WEFT_ADMIN_OP_LISTEN, 0, NULL, NULL, 0);
	*id = WEFT_GET(msg.rsp, ADMIN_RSP_ID);
	return rc;
}

static int weft_unlisten(struct weft_dev *dev, u32 id)
{
	struct weft_admin_msg msg = {};

	return weft_cm_exec(dev, &msg, WEFT_ADMIN_OP_UNLISTEN, id, NULL, NULL, 0);
}

static int weft_listener_on(struct weft_dev *dev, struct weft_listener *li)
{
	struct in6_addr addr, any4;
	int rc;

	weft_in6(&addr, &li->cm_id->m_local_addr);
	rc = weft_listen(dev, li, &addr, &li->id);
	if (rc)
		return rc;
	li->both = ipv6_addr_any(&addr) && !li->cm_id->afonly;
	if (li->both) {
		ipv6_addr_set_v4mapped(htonl(INADDR_ANY), &any4);
		rc = weft_listen(dev, li, &any4, &li->id4);
		if (rc) {
			weft_unlisten(dev, li->id);
			return rc;
		}
	}
	li->on = true;
	return 0;
}

static int weft_listener_off(struct weft_dev *dev, struct weft_listener *li)
{
	int rc = 0, rc4 = 0;

	if (li->on)
		rc = weft_unlisten(dev, li->id);
	if (li->on && li->both)
		rc4 = weft_unlisten(dev, li->id4);
	li->on = false;
	return rc ?: rc4;
}

/*
 * The interface is in another namespace than its port is kept in, or was off the card when it came there. It has no address yet, so
 * the port is kept on all. What the host has there already stays the host's, and the listener is off the card until the interface goes on.
 */
static void weft_listener_moved(struct weft_dev *dev, struct weft_listener *li)
{
	u16 port = weft_sock_port(&li->cm_id->m_local_addr);
	struct weft_port_hold *h;
	int rc;

	if (li->on && weft_port_is_here(dev, li->port))
		return;
	h = weft_port_get(dev, true, port, weft_is_mapped(li->cm_id));
	rc = PTR_ERR_OR_ZERO(h);
	if (!rc && !li->on) {
		rc = weft_listener_on(dev, li);
		if (rc)
			weft_port_put(h, false);
	}
	if (rc) {
		ibdev_warn_ratelimited(&dev->ibdev,
				       "port %u cannot be kept in the interface's namespace (%d): nothing listens there\n",
				       port, rc);
		weft_listener_off(dev, li);
		return;
	}
	weft_port_put(li->port, false);
	li->port = h;
}

int weft_iw_create_listen(struct iw_cm_id *cm_id, int backlog)
{
	struct weft_dev *dev = to_weft_dev(cm_id->device);
	struct weft_listener *li;
	int rc;

	rc = weft_check_family(dev, cm_id);
	if (rc)
		return rc;
	li = kzalloc(sizeof(*li), GFP_KERNEL);
	if (!li)
		return -ENOMEM;
	li->port = weft_local_port(dev, cm_id);
	if (IS_ERR(li->port)) {
		rc = PTR_ERR(li->port);
		kfree(li);
		return rc;
	}
	li->cm_id = cm_id;
	li->backlog = backlog;
	mutex_lock(&dev->cm_lock);
	rc = xa_alloc(&dev->listeners, &li->cookie, li, xa_limit_31b, GFP_KERNEL);
	if (rc)
		goto err;
	rc = weft_listener_on(dev, li);
	if (rc)
		goto err_cookie;
	if (!weft_port_is_here(dev, li->port)) { /* it has gone meanwhile, and found no listener */
		weft_listener_moved(dev, li);
		rc = li->on ? 0 : -EADDRINUSE;
		if (rc)
			goto err_cookie;
	}
	cm_id->add_ref(cm_id);
	cm_id->provider_data = li;
	mutex_unlock(&dev->cm_lock);
	return 0;

err_cookie:
	xa_erase(&dev->listeners, li->cookie);
err:
	mutex_unlock(&dev->cm_lock);
	weft_port_put(li->port, false);
	kfree(li);
	return rc;
}

int weft_iw_destroy_listen(struct iw_cm_id *cm_id)
{
	struct weft_dev *dev = to_weft_dev(cm_id->device);
	struct weft_listener *li = cm_id->provider_data;
	int rc;

	mutex_lock(&dev->cm_lock);
	rc = weft_listener_off(dev, li);
	xa_erase(&dev->listeners, li->cookie);
	mutex_unlock(&dev->cm_lock);
	cm_id->provider_data = NULL;
	cm_id->rem_ref(cm_id);
	weft_port_put(li->port, false);
	kfree(li);
	return weft_core_dead(dev->core) ? 0 : rc;
}

/* ---- events ---- */

static void weft_fill_addr(struct sockaddr_storage *ss, const __le64 *eqe, bool peer)
{
	const u8 *addr = (const u8 *)eqe +
			 (peer ? WEFT_EQE_PEER_ADDR_OFF : WEFT_EQE_LOCAL_ADDR_OFF);
	u16 port = peer ? WEFT_GET(eqe, EQE_PEER_PORT) : WEFT_GET(eqe, EQE_LOCAL_PORT);
	struct sockaddr_in6 *sin6 = (void *)ss;
	struct sockaddr_in *sin = (void *)ss;

	if (WEFT_GET(eqe, EQE_FLAGS) & WEFT_CM_FLAG_IPV6) {
		sin6->sin6_family = AF_INET6;
		memcpy(&sin6->sin6_addr, addr, sizeof(sin6->sin6_addr));
		sin6->sin6_port = htons(port);
		return;
	}
	sin->sin_family = AF_INET;
	memcpy(&sin->sin_addr, addr, sizeof(sin->sin_addr));
	sin->sin_port = htons(port);
}

static int weft_cm_errno(u32 code)
{
	switch (code) {
	case WEFT_CM_STATUS_OK:
		return 0;
	case WEFT_CM_STATUS_REFUSED:
	case WEFT_CM_STATUS_REJECTED:
		return -ECONNREFUSED;
	case WEFT_CM_STATUS_TIMED_OUT:
		return -ETIMEDOUT;
	case WEFT_CM_STATUS_NO_RESOURCE:
		return -ENOMEM;
	case WEFT_CM_STATUS_PROTOCOL:
		return -EPROTO;
	case WEFT_CM_STATUS_ABORTED:
		return -ECONNABORTED;
	default:
		return -ECONNRESET;
	}
}

/* iw_cm copies the private data before its handler returns */
static int weft_upcall(struct iw_cm_id *cm_id, enum iw_cm_event_type type, int status,
		       const __le64 *eqe, u8 *pdata, void *provider_data)
{
	struct iw_cm_event ev = {
		.event = type,
		.status = status,
		.provider_data = provider_data,
	};

	if (eqe) {
		weft_fill_addr(&ev.local_addr, eqe, false);
		weft_fill_addr(&ev.remote_addr, eqe, true);
		if (type == IW_CM_EVENT_CONNECT_REPLY && cm_id->mapped)
			ev.local_addr = cm_id->m_local_addr; /* iw_cm's from here on */
		ev.ird = min_t(u32, WEFT_GET(eqe, EQE_IRD), U8_MAX);
		ev.ord = min_t(u32, WEFT_GET(eqe, EQE_ORD), U8_MAX);
	}
	if (pdata) {
		ev.private_data = pdata + WEFT_ADMIN_CM_BUF_PRIVATE_DATA_OFF;
		ev.private_data_len = min_t(u32, WEFT_GET(eqe, EQE_PD_BYTES), U8_MAX);
	}
	return cm_id->event_handler(cm_id, &ev);
}

/* NULL: there is none. An error is one: the application shall not take a request for another. Under cm_lock. */
static u8 *weft_query_pdata(struct weft_dev *dev, const __le64 *eqe)
{
	struct weft_admin_msg msg = {};
	int rc;

	lockdep_assert_held(&dev->cm_lock);
	if (!WEFT_GET(eqe, EQE_PD_BYTES))
		return NULL;
	WEFT_PUT(msg.cmd, ADMIN_CMD_OP, WEFT_ADMIN_OP_QUERY_CONN);
	WEFT_PUT(msg.cmd, ADMIN_CM_ID, WEFT_GET(eqe, EQE_ID));
	msg.out = dev->cm_buf;
	msg.out_len = sizeof(dev->cm_buf);
	rc = weft_admin_exec(dev->core, &msg);
	return rc ? ERR_PTR(rc) : dev->cm_buf;
}

static int weft_make_request(struct weft_dev *dev, struct weft_ep *ep)
{
	int rc;

	lockdep_assert_held(&dev->cm_lock);
	ep->state = WEFT_EP_REQUESTED;
	ep->request = ++dev->last_request;
	rc = xa_err(xa_store(&dev->requests, ep->request, ep, GFP_KERNEL));
	return rc ? rc : xa_err(xa_store(&dev->eps, ep->handle, ep, GFP_KERNEL));
}

static void weft_on_request(struct weft_dev *dev, const __le64 *eqe)
{
	struct weft_listener *li;
	struct weft_ep *ep = NULL;
	u8 *pdata;

	mutex_lock(&dev->cm_lock);
	if (xa_load(&dev->eps, WEFT_GET(eqe, EQE_ID))) { /* a resync was faster */
		mutex_unlock(&dev->cm_lock);
		return;
	}
	li = xa_load(&dev->listeners, WEFT_GET(eqe, EQE_HANDLE));
	if (li && li->on)
		ep = weft_ep_alloc(dev);
	if (!ep)
		goto abort;
	ep->handle = WEFT_GET(eqe, EQE_ID);
	ep->port = weft_port_share(li->port);
	pdata = weft_query_pdata(dev, eqe);
	if (IS_ERR(pdata))
		goto abort;
	if (!weft_make_request(dev, ep) &&
	    !weft_upcall(li->cm_id, IW_CM_EVENT_CONNECT_REQUEST, 0, eqe, pdata,
			 (void *)ep->request)) {
		mutex_unlock(&dev->cm_lock);
		return;
	}
	weft_ep_leave(ep);
	xa_erase(&dev->requests, ep->request);
abort:
	mutex_unlock(&dev->cm_lock);
	atomic64_inc(&dev->counts[WEFT_COUNT_REQUEST_DROPPED]);
	if (ep)
		weft_ep_free(ep);
	weft_abort_handle(dev, WEFT_GET(eqe, EQE_ID));
}

/* It runs, and the application would never know, or not what the peer said. */
static void weft_take_down(struct weft_dev *dev, struct weft_ep *ep)
{
	weft_abort_handle(dev, ep->handle);
	weft_qp_closed(ep);
}

static void weft_on_reply(struct weft_dev *dev, struct weft_ep *ep, const __le64 *eqe)
{
	int status = weft_cm_errno(WEFT_GET(eqe, EQE_CODE)), rc;
	u8 *pdata = weft_query_pdata(dev, eqe);

	if (IS_ERR(pdata)) {
		if (!status) {
			status = PTR_ERR(pdata);
			weft_take_down(dev, ep);
		}
		pdata = NULL;
	}
	if (!status) {
		ep->state = WEFT_EP_OPEN;
		weft_qp_running(ep, eqe);
	}
	rc = weft_upcall(ep->cm_id, IW_CM_EVENT_CONNECT_REPLY, status, eqe, pdata, ep);
	if (rc && !status) {
		status = rc;
		weft_take_down(dev, ep);
	}
	if (rc) /* without what it had no memory for */
		weft_upcall(ep->cm_id, IW_CM_EVENT_CONNECT_REPLY, status, NULL, NULL, ep);
	if (status) {
		weft_conn_ended(dev, ep->cm_id, ep->qp, status);
		weft_ep_leave(ep);
		weft_ep_free(ep);
	}
}

static void weft_on_close(struct weft_dev *dev, struct weft_ep *ep, int status)
{
	lockdep_assert_held(&dev->cm_lock);
	weft_conn_ended(dev, ep->cm_id, ep->qp, status);
	weft_ep_leave(ep);
	switch (ep->state) {
	case WEFT_EP_CONNECTING:
		weft_qp_closed(ep);
		weft_upcall(ep->cm_id, IW_CM_EVENT_CONNECT_REPLY, status ? status : -ECONNRESET,
			    NULL, NULL, ep);
		break;
	case WEFT_EP_REQUESTED:
		xa_erase(&dev->requests, ep->request);
		break;
	case WEFT_EP_ACCEPTING:
		/* accept has returned 0: iw_cm takes CLOSE only behind ESTABLISHED, and it ends the id */
		weft_upcall(ep->cm_id, IW_CM_EVENT_ESTABLISHED, 0, NULL, NULL, ep);
		fallthrough;
	case WEFT_EP_OPEN:
	case WEFT_EP_CLOSING:
		weft_qp_closed(ep);
		weft_upcall(ep->cm_id, IW_CM_EVENT_CLOSE, 0, NULL, NULL, ep);
		break;
	}
	weft_ep_free(ep);
}

/* Under cm_lock. @closing: its half follows, without the lock. */
static void weft_cm_event_of(struct weft_dev *dev, struct weft_ep *ep, const __le64 *eqe,
			     struct weft_qp **closing)
{
	lockdep_assert_held(&dev->cm_lock);
	switch (WEFT_GET(eqe, EQE_KIND)) {
	/* iw_cm does not forgive an event in a state where it cannot be */
	case WEFT_EQE_TYPE_CM_CONNECT_REPLY:
		if (ep->state == WEFT_EP_CONNECTING)
			weft_on_reply(dev, ep, eqe);
		break;
	case WEFT_EQE_TYPE_CM_ESTABLISHED:
		if (ep->state != WEFT_EP_ACCEPTING)
			break;
		ep->state = WEFT_EP_OPEN;
		weft_qp_running(ep, eqe);
		weft_upcall(ep->cm_id, IW_CM_EVENT_ESTABLISHED, 0, eqe, NULL, ep);
		break;
	case WEFT_EQE_TYPE_CM_DISCONNECT:
		if (ep->state != WEFT_EP_OPEN || *closing)
			break;
		weft_upcall(ep->cm_id, IW_CM_EVENT_DISCONNECT, 0, NULL, NULL, ep);
		/* the reference keeps the QP while the lock is not held */
		*closing = ep->qp;
		weft_qp_get(&ep->qp->ibqp);
		break;
	case WEFT_EQE_TYPE_CM_CLOSE:
		weft_on_close(dev, ep, weft_cm_errno(WEFT_GET(eqe, EQE_CODE)));
		break;
	}
}

static void weft_cm_closing(struct weft_dev *dev, struct weft_qp *closing)
{
	if (!closing)
		return;
	weft_ep_disconnect(dev, closing);
	weft_qp_put(&closing->ibqp);
}

void weft_cm_event(struct weft_dev *dev, const __le64 *eqe)
{
	struct weft_qp *closing = NULL;
	struct weft_ep *ep;

	if (WEFT_GET(eqe, EQE_KIND) == WEFT_EQE_TYPE_CM_CONNECT_REQUEST) {
		weft_on_request(dev, eqe);
		return;
	}
	mutex_lock(&dev->cm_lock);
	ep = xa_load(&dev->eps, WEFT_GET(eqe, EQE_ID));
	if (ep)
		weft_cm_event_of(dev, ep, eqe, &closing);
	else
		weft_cm_early(dev, eqe);
	mutex_unlock(&dev->cm_lock);
	weft_cm_closing(dev, closing);
}

/*
 * The QP goes, or the port is down: the connection is reset, and whoever waits for its events gets
 * them here. The card's own event finds no endpoint any more.
 */
static void weft_ep_reset(struct weft_dev *dev, struct weft_ep *ep, int status)
{
	lockdep_assert_held(&dev->cm_lock);
	weft_abort_handle(dev, ep->handle);
	weft_on_close(dev, ep, status);
}

void weft_ep_kill(struct weft_dev *dev, struct weft_qp *qp)
{
	struct weft_ep *ep;

	mutex_lock(&dev->cm_lock);
	mutex_lock(&qp->lock);
	ep = qp->ep;
	/*
	 * One that is not in the table yet sees the QP's state: weft_connect_enter. Nor is it ours to look at when the
	 * QP's lock is gone: its caller gives up and frees it without cm_lock.
	 */
	if (ep && xa_load(&dev->eps, ep->handle) != ep)
		ep = NULL;
	mutex_unlock(&qp->lock);
	if (ep)
		weft_ep_reset(dev, ep, -ECONNABORTED);
	mutex_unlock(&dev->cm_lock);
}

/* ---- events that were lost ---- */

/* Connections are asked for by index, which is the lower half of a handle, in some ranges at a time. */
#define WEFT_RESYNC_RANGES 4
#define WEFT_CM_INDEX(handle) ((handle) & 0xffff)
#define WEFT_CM_INDICES 0x10000

struct weft_resync {
	struct weft_admin_msg msg;
	__le64 eqe[WEFT_WORDS(EQE)];
	u32 from, end;
	int tag;			/* or -errno: the card is dead */
	bool asks;			/* a query is under way */
};

static void weft_query_begin(struct weft_dev *dev, struct weft_resync *r)
{
	r->msg = (struct weft_admin_msg){ .out = r->eqe, .out_len = sizeof(r->eqe) };
	WEFT_PUT(r->msg.cmd, ADMIN_CMD_OP, WEFT_ADMIN_OP_CM_QUERY);
	WEFT_PUT(r->msg.cmd, ADMIN_CM_ID, r->from);
	WEFT_PUT(r->msg.cmd, ADMIN_CM_FLAGS, WEFT_CM_FLAG_NEXT);
	r->tag = weft_admin_begin(dev->core, &r->msg);
	r->asks = true;
}

/* -ENOENT: there is none any more */
static int weft_query_end(struct weft_dev *dev, struct weft_resync *r, u32 *handle)
{
	int rc = r->tag < 0 ? r->tag : weft_admin_end(dev->core, &r->msg, r->tag);

	r->asks = false;
	*handle = WEFT_GET(r->msg.rsp, ADMIN_RSP_ID);
	return !rc && WEFT_CM_INDEX(*handle) >= r->end ? -ENOENT : rc;
}

/* The last event of a connection, and those that must have been before it. */
static void weft_replay(struct weft_dev *dev, const __le64 *last)
{
	static const u8 before[] = {
		WEFT_EQE_TYPE_CM_CONNECT_REPLY, WEFT_EQE_TYPE_CM_ESTABLISHED
	};
	__le64 eqe[WEFT_WORDS(EQE)];
	u32 i;

	if (WEFT_GET(last, EQE_KIND) == WEFT_EQE_TYPE_CM_DISCONNECT)
		for (i = 0; i < ARRAY_SIZE(before); i++) {
			memcpy(eqe, last, sizeof(eqe));
			WEFT_PUT(eqe, EQE_KIND, before[i]);
			WEFT_PUT(eqe, EQE_CODE, WEFT_CM_STATUS_OK);
			weft_cm_event(dev, eqe);
		}
	weft_cm_event(dev, last);
}

/* Takes an answer, and asks for the next one before it does what it says. Returns 0, also at the end, or -errno. */
static int weft_resync_step(struct weft_dev *dev, struct weft_resync *r, u32 now)
{
	__le64 eqe[WEFT_WORDS(EQE)];
	struct weft_ep *ep;
	u32 handle;
	int rc;

	rc = weft_query_end(dev, r, &handle);
	if (rc)
		return rc == -ENOENT ? 0 : rc;
	memcpy(eqe, r->eqe, sizeof(eqe));
	r->from = WEFT_CM_INDEX(handle) + 1;
	if (r->from < r->end)
		weft_query_begin(dev, r);
	mutex_lock(&dev->cm_lock);
	ep = xa_load(&dev->eps, handle);
	if (ep)
		ep->seen = now;
	mutex_unlock(&dev->cm_lock);
	weft_replay(dev, eqe);
	return 0;
}

/* All connections that the card has; what an error leaves out is not known, so it is none that has ended. */
static int weft_resync_all(struct weft_dev *dev, u32 now)
{
	struct weft_resync *r = kcalloc(WEFT_RESYNC_RANGES, sizeof(*r), GFP_KERNEL | __GFP_NOFAIL);
	u32 step = min(dev->caps->qps, WEFT_CM_INDICES) / WEFT_RESYNC_RANGES, i;
	int rc = 0, failed;
	bool more;

	for (i = 0; i < WEFT_RESYNC_RANGES; i++) {
		r[i].from = i * step;
		r[i].end = i + 1 < WEFT_RESYNC_RANGES ? r[i].from + step : WEFT_CM_INDICES;
		weft_query_begin(dev, &r[i]);
	}
	do {
		more = false;
		for (i = 0; i < WEFT_RESYNC_RANGES; i++) {
			if (!r[i].asks)
				continue;
			failed = weft_resync_step(dev, &r[i], now);
			rc = rc ?: failed;
			more |= r[i].asks;
		}
	} while (more);
	kfree(r);
	return rc;
}

/*
 * Asks firmware for all connections. What it says stands for the events that were lost; one that was
 * not, and comes later, finds its state passed. An endpoint that firmware does not know has closed.
 */
void weft_cm_resync(struct weft_dev *dev)
{
	unsigned long index;
	struct weft_ep *ep;
	u32 now;
	int rc;

	mutex_lock(&dev->cm_lock);
	now = dev->resyncs + 1;
	WRITE_ONCE(dev->resyncs, now);
	mutex_unlock(&dev->cm_lock);
	rc = weft_resync_all(dev, now);
	if (rc) {
		ibdev_warn(&dev->ibdev, "the state of connections is not known (%d)\n", rc);
		return;
	}
	mutex_lock(&dev->cm_lock);
	xa_for_each(&dev->eps, index, ep)
		if (ep->seen != now)
			weft_on_close(dev, ep, -ECONNRESET);
	mutex_unlock(&dev->cm_lock);
}

/* The interface is down: nothing of it may go on. */
void weft_cm_down(struct weft_dev *dev)
{
	unsigned long handle;
	struct weft_ep *ep;

	mutex_lock(&dev->cm_lock);
	xa_for_each(&dev->eps, handle, ep)
		weft_ep_reset(dev, ep, -ENETDOWN);
	mutex_unlock(&dev->cm_lock);
}

/*
 * The interface has gone to another namespace. It was down on its way, but who is told of that late finds it up again: what began before does
 * not come along. Listeners do.
 */
void weft_cm_moved(struct weft_dev *dev)
{
	struct weft_listener *li;
	unsigned long index;
	struct weft_ep *ep;

	mutex_lock(&dev->cm_lock);
	xa_for_each(&dev->eps, index, ep)
		if (ep->port && !weft_port_is_here(dev, ep->port))
			weft_ep_reset(dev, ep, -ENETDOWN);
	xa_for_each(&dev->listeners, index, li)
		if (!weft_flushing(dev))
			weft_listener_moved(dev, li);
	mutex_unlock(&dev->cm_lock);
}

/* Connections that share their L2 entry with others, and go another way than these now; or cannot go theirs. */
void weft_cm_strays(struct weft_dev *dev)
{
	unsigned long handle;
	struct weft_ep *ep;

	mutex_lock(&dev->cm_lock);
	xa_for_each(&dev->eps, handle, ep)
		if (ep->cm_id && weft_l2t_strays(dev, ep->l2, &ep->cm_id->m_local_addr,
						 &ep->cm_id->m_remote_addr, ep->cm_id->tos))
			weft_ep_reset(dev, ep, -ENETUNREACH);
	mutex_unlock(&dev->cm_lock);
}

/* The card is gone: every connection closes, so that nobody waits for events of it. */
void weft_cm_dead(struct weft_dev *dev)
{
	unsigned long handle;
	struct weft_ep *ep;

	mutex_lock(&dev->cm_lock);
	xa_for_each(&dev->eps, handle, ep)
		weft_on_close(dev, ep, -EIO);
	mutex_unlock(&dev->cm_lock);
}

/*
 * What an iw_cm_id is for the card. Only what the tables hold is looked at: the id may be on its way out. Anybody may list all of
 * them, so none is searched for among all.
 */
bool weft_cm_look(struct weft_dev *dev, const struct iw_cm_id *cm_id, struct weft_cm_look *look)
{
	static const char * const states[] = {
		[WEFT_EP_CONNECTING] = "connecting",
		[WEFT_EP_REQUESTED] = "requested",
		[WEFT_EP_ACCEPTING] = "accepting",
		[WEFT_EP_OPEN] = "open",
		[WEFT_EP_CLOSING] = "closing",
	};
	struct weft_listener *li;
	unsigned long index;
	struct weft_ep *ep;

	if (!cm_id)
		return false;
	mutex_lock(&dev->cm_lock);
	hash_for_each_possible(dev->ids, ep, by_id, (unsigned long)cm_id)
		if (ep->cm_id == cm_id)
			*look = (struct weft_cm_look){
				.state = states[ep->state],
				.handle = ep->handle,
				.l2 = ep->l2,
				.qpn = ep->qp ? ep->qp->qpn : 0,
			};
	if (!look->state) /* these are few */
		xa_for_each(&dev->listeners, index, li)
			if (li->cm_id == cm_id)
				*look = (struct weft_cm_look){
					.state = li->on ? "listening" : "off",
					.handle = li->id,
				};
	mutex_unlock(&dev->cm_lock);
	return look->state;
}

void weft_cm_init(struct weft_dev *dev)
{
	mutex_init(&dev->cm_lock);
	sema_init(&dev->connect_slots, WEFT_CONNECTS);
	xa_init(&dev->eps);
	xa_init(&dev->requests);
	xa_init_flags(&dev->listeners, XA_FLAGS_ALLOC1);
	hash_init(dev->ids);
	INIT_LIST_HEAD(&dev->connects);
	INIT_LIST_HEAD(&dev->early);
}

/* No consumer is left, and no event comes: what remains are requests that iw_cm dropped. */
void weft_cm_fini(struct weft_dev *dev)
{
	unsigned long handle;
	struct weft_ep *ep;

	xa_for_each(&dev->eps, handle, ep) {
		weft_abort_handle(dev, ep->handle);
		weft_ep_free(ep);
	}
	xa_destroy(&dev->eps);
	xa_destroy(&dev->requests);
	xa_destroy(&dev->listeners);
}
