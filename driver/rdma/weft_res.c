// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * What can be seen of it all: objects (rdma res), for the administrator with the card's own state (rdma
 * -r res, devlink health), counters of verbs, errors and causes beside the card's (rdma statistic), why a
 * connection ended.
 */
#include <net/devlink.h>
#include <rdma/ib_verbs.h> /* in front: the next one includes it, and in 7.2 the other way round too */
#include <rdma/rdma_counter.h>
#include <rdma/restrack.h>

#include "weft_rdma.h"

/* ---- counters ---- */

static const char * const weft_count_names[WEFT_COUNTS] = {
	[WEFT_COUNT_CREATE_QP] = "verb_create_qp",
	[WEFT_COUNT_CREATE_QP + 1] = "verb_create_qp_failed",
	[WEFT_COUNT_MODIFY_QP] = "verb_modify_qp",
	[WEFT_COUNT_MODIFY_QP + 1] = "verb_modify_qp_failed",
	[WEFT_COUNT_CREATE_CQ] = "verb_create_cq",
	[WEFT_COUNT_CREATE_CQ + 1] = "verb_create_cq_failed",
	[WEFT_COUNT_REG_MR] = "verb_reg_mr",
	[WEFT_COUNT_REG_MR + 1] = "verb_reg_mr_failed",
	[WEFT_COUNT_REREG_MR] = "verb_rereg_mr",
	[WEFT_COUNT_REREG_MR + 1] = "verb_rereg_mr_failed",
	[WEFT_COUNT_CONNECT] = "verb_connect",
	[WEFT_COUNT_CONNECT + 1] = "verb_connect_failed",
	[WEFT_COUNT_ACCEPT] = "verb_accept",
	[WEFT_COUNT_ACCEPT + 1] = "verb_accept_failed",
	[WEFT_COUNT_LISTEN] = "verb_listen",
	[WEFT_COUNT_LISTEN + 1] = "verb_listen_failed",
	[WEFT_COUNT_REJECT] = "verb_reject",
	[WEFT_COUNT_REJECT + 1] = "verb_reject_failed",
	[WEFT_COUNT_QP_TERMINATE_RECEIVED] = "qp_terminate_received",
	[WEFT_COUNT_QP_TERMINATE_SENT] = "qp_terminate_sent",
	[WEFT_COUNT_QP_RESET] = "qp_reset_or_lost",
	[WEFT_COUNT_QP_LOCAL_ERROR] = "qp_local_error",
	[WEFT_COUNT_QP_BAD_CLOSE] = "qp_bad_close",
	[WEFT_COUNT_CQ_ERROR] = "cq_overflow",
	[WEFT_COUNT_CQ_STRAY] = "cq_stray_entry",
	[WEFT_COUNT_REQUEST_DROPPED] = "conn_request_dropped",
	[WEFT_COUNT_FAIL_PORT] = "conn_fail_port_in_use",
	[WEFT_COUNT_FAIL_PATH] = "conn_fail_no_path",
	[WEFT_COUNT_FAIL_NO_ROOM] = "conn_fail_no_room",
	[WEFT_COUNT_FAIL_INVALID] = "conn_fail_invalid",
	[WEFT_COUNT_FAIL_NOT_OWNER] = "conn_fail_not_owner",
	[WEFT_COUNT_FAIL_GONE] = "conn_fail_gone",
	[WEFT_COUNT_FAIL_OTHER] = "conn_fail_other",
	[WEFT_COUNT_END_CLOSED] = "conn_end_closed",
	[WEFT_COUNT_END_REFUSED] = "conn_end_refused",
	[WEFT_COUNT_END_TIMED_OUT] = "conn_end_timed_out",
	[WEFT_COUNT_END_NO_ROOM] = "conn_end_no_room",
	[WEFT_COUNT_END_PROTOCOL] = "conn_end_protocol_error",
	[WEFT_COUNT_END_RESET] = "conn_end_reset",
	[WEFT_COUNT_END_ABORTED] = "conn_end_aborted_here",
	[WEFT_COUNT_END_DOWN] = "conn_end_interface_down",
	[WEFT_COUNT_END_DEAD] = "conn_end_card_dead",
	[WEFT_COUNT_END_OTHER] = "conn_end_other",
};

int weft_count(struct weft_dev *dev, enum weft_count verb, int rc)
{
	atomic64_inc(&dev->counts[verb]);
	if (rc < 0)
		atomic64_inc(&dev->counts[verb + 1]);
	return rc;
}

/* A connection, or a listener, that never was: no event says why. */
static enum weft_count weft_fail_of(int rc)
{
	switch (rc) {
	case -EADDRINUSE:
		return WEFT_COUNT_FAIL_PORT;
	case -ENETUNREACH:
	case -EHOSTUNREACH:
	case -EADDRNOTAVAIL:
	case -EAFNOSUPPORT:
	case -ENETDOWN:
	case -EMSGSIZE: /* the path takes less than connections need */
		return WEFT_COUNT_FAIL_PATH;
	case -ENOMEM:
		return WEFT_COUNT_FAIL_NO_ROOM;
	case -EINVAL:
		return WEFT_COUNT_FAIL_INVALID;
	case -EPERM:
		return WEFT_COUNT_FAIL_NOT_OWNER;
	case -ECONNRESET: /* the peer, before it was accepted */
	case -ECONNABORTED: /* the queue pair */
	case -EIO: /* the card */
	case -ENODEV:
		return WEFT_COUNT_FAIL_GONE;
	default:
		return WEFT_COUNT_FAIL_OTHER;
	}
}

/* of the connection manager: also why */
int weft_count_cm(struct weft_dev *dev, enum weft_count verb, int rc)
{
	if (rc < 0)
		atomic64_inc(&dev->counts[weft_fail_of(rc)]);
	return weft_count(dev, verb, rc);
}

/*
 * Of queue pairs that are bound to a counter (rdma statistic qp). To the port's values the core adds those of its counters with the
 * same index, of counters that are gone too: so these come first, and the port's own are 0.
 */
static const char * const weft_qp_stat_names[WEFT_QP_STATS] = {
	"bound_tx_bytes", "bound_rx_bytes", "bound_tx_sends", "bound_tx_reads", "bound_rx_sends",
	"bound_rx_reads",
};

static struct rdma_stat_desc weft_stat_descs[WEFT_QP_STATS + WEFT_STAT_COUNT + WEFT_COUNTS];

struct rdma_hw_stats *weft_alloc_hw_stats(struct ib_device *ibdev, u32 port)
{
	struct rdma_stat_desc *d = weft_stat_descs;
	int i;

	for (i = 0; i < WEFT_QP_STATS; i++)
		d++->name = weft_qp_stat_names[i];
	for (i = 0; i < WEFT_STAT_COUNT; i++)
		d++->name = weft_core_stat_name(i);
	for (i = 0; i < WEFT_COUNTS; i++)
		d++->name = weft_count_names[i];
	return rdma_alloc_hw_stats_struct(weft_stat_descs, ARRAY_SIZE(weft_stat_descs),
					  RDMA_HW_STATS_DEFAULT_LIFESPAN);
}

int weft_get_hw_stats(struct ib_device *ibdev, struct rdma_hw_stats *stats, u32 port, int index)
{
	struct weft_dev *dev = to_weft_dev(ibdev);
	u64 *v = stats->value + WEFT_QP_STATS;
	int i, rc;

	rc = weft_core_stats(dev->core, v, WEFT_STAT_COUNT);
	if (rc < 0)
		return rc;
	for (i = 0; i < WEFT_COUNTS; i++)
		v[WEFT_STAT_COUNT + i] = atomic64_read(&dev->counts[i]);
	return ARRAY_SIZE(weft_stat_descs);
}

/* ---- ends ---- */

static enum weft_count weft_end_of(int status)
{
	switch (status) {
	case 0:
		return WEFT_COUNT_END_CLOSED;
	case -ECONNREFUSED:
		return WEFT_COUNT_END_REFUSED;
	case -ETIMEDOUT:
		return WEFT_COUNT_END_TIMED_OUT;
	case -ENOMEM:
		return WEFT_COUNT_END_NO_ROOM;
	case -EPROTO:
		return WEFT_COUNT_END_PROTOCOL;
	case -ECONNRESET:
		return WEFT_COUNT_END_RESET;
	case -ECONNABORTED:
		return WEFT_COUNT_END_ABORTED;
	case -ENETDOWN:
		return WEFT_COUNT_END_DOWN;
	case -EIO:
		return WEFT_COUNT_END_DEAD;
	default:
		return WEFT_COUNT_END_OTHER;
	}
}

static const char *weft_qp_event_text(u8 event)
{
	switch (event) {
	case WEFT_QP_EVENT_TERMINATE_RECEIVED:
		return "Terminate received";
	case WEFT_QP_EVENT_TERMINATE_SENT:
		return "Terminate sent";
	case WEFT_QP_EVENT_LLP_RESET:
		return "reset by the peer, or no answer";
	case WEFT_QP_EVENT_LOCAL_ERROR:
		return "a work request failed";
	case WEFT_QP_EVENT_BAD_CLOSE:
		return "closed by the peer with work outstanding";
	default:
		return "unknown event";
	}
}

/*
 * A connection is over. One that was closed in order is only counted. The reason that the QP gave is
 * older, and better, than what TCP says of it.
 */
void weft_conn_ended(struct weft_dev *dev, const struct iw_cm_id *cm_id, const struct weft_qp *qp,
		     int status)
{
	enum weft_count end = weft_end_of(status);
	u8 event = qp ? qp->event : 0;

	atomic64_inc(&dev->counts[end]);
	if (!cm_id || (!status && !event))
		return;
	if (event == WEFT_QP_EVENT_TERMINATE_RECEIVED || event == WEFT_QP_EVENT_TERMINATE_SENT)
		ibdev_info_ratelimited(&dev->ibdev,
				       "QP %u, %pISpc to %pISpc: %s: layer %u type %u code %u\n",
				       qp->qpn, &cm_id->m_local_addr, &cm_id->m_remote_addr,
				       weft_qp_event_text(event), qp->terminate >> 28,
				       qp->terminate >> 24 & 15, qp->terminate >> 16 & 255);
	else
		ibdev_info_ratelimited(&dev->ibdev, "QP %u, %pISpc to %pISpc: %s\n",
				       qp ? qp->qpn : 0, &cm_id->m_local_addr,
				       &cm_id->m_remote_addr, event ? weft_qp_event_text(event) :
				       weft_count_names[end] + strlen("conn_end_"));
}

/* An event of the card about a QP, under the QP's lock. */
void weft_qp_note_event(struct weft_dev *dev, struct weft_qp *qp, const __le64 *eqe)
{
	static const u8 counts[] = {
		[WEFT_QP_EVENT_TERMINATE_RECEIVED] = WEFT_COUNT_QP_TERMINATE_RECEIVED,
		[WEFT_QP_EVENT_TERMINATE_SENT] = WEFT_COUNT_QP_TERMINATE_SENT,
		[WEFT_QP_EVENT_LLP_RESET] = WEFT_COUNT_QP_RESET,
		[WEFT_QP_EVENT_LOCAL_ERROR] = WEFT_COUNT_QP_LOCAL_ERROR,
		[WEFT_QP_EVENT_BAD_CLOSE] = WEFT_COUNT_QP_BAD_CLOSE,
	};
	u8 event = WEFT_GET(eqe, EQE_CODE);

	lockdep_assert_held(&qp->lock);
	if (event && event < ARRAY_SIZE(counts))
		atomic64_inc(&dev->counts[counts[event]]);
	if (qp->event) /* the first is the reason of those behind it */
		return;
	qp->event = event;
	qp->terminate = WEFT_GET(eqe, EQE_DATA0);
}

/* ---- counters of queue pairs ---- */

/*
 * What a queue pair has done since the card was asked last; @to: where that is added, NULL: nowhere. Messages are counted in 32 bits, bytes
 * of its stream in 64. One that has, or had, no connection says nothing of either.
 */
static int weft_qp_count(struct weft_dev *dev, struct weft_qp *qp, u64 *to)
{
	struct weft_admin_msg msg = {};
	u64 now[WEFT_QP_STATS];
	const __le64 *d;
	int i, rc;

	WEFT_PUT(msg.cmd, ADMIN_CMD_OP, WEFT_ADMIN_OP_QP_COUNTS);
	WEFT_PUT(msg.cmd, ADMIN_QP_QPN, qp->qpn);
	down(&dev->queries);
	rc = weft_admin_exec(dev->core, &msg);
	up(&dev->queries);
	if (rc)
		return rc;
	d = msg.rsp + WEFT_ADMIN_RSP_DATA_OFF / 8;
	now[0] = WEFT_GET(d, ADMIN_QP_COUNTS_TX_BYTES);
	now[1] = WEFT_GET(d, ADMIN_QP_COUNTS_RX_BYTES);
	now[2] = WEFT_GET(d, ADMIN_QP_COUNTS_TX_SENDS);
	now[3] = WEFT_GET(d, ADMIN_QP_COUNTS_TX_READS);
	now[4] = WEFT_GET(d, ADMIN_QP_COUNTS_RX_SENDS);
	now[5] = WEFT_GET(d, ADMIN_QP_COUNTS_RX_READS);
	if (!now[0] && !now[1])
		return 0;
	for (i = 0; i < WEFT_QP_STATS; i++) {
		u64 more = now[i] - qp->counted[i];

		if (i >= 2)
			more = (u32)more;
		if (to)
			to[i] += more;
		qp->counted[i] = now[i];
	}
	return 0;
}

/*
 * The core reads values of the port's indices (get_running_counters_hwstat_sum): those beyond a counter's own are there, 0, and not shown. For
 * each value of the port it asks for all of all counters, so what they say holds for as long as that takes.
 */
struct rdma_hw_stats *weft_counter_alloc_stats(struct rdma_counter *counter)
{
	struct rdma_hw_stats *stats = weft_alloc_hw_stats(counter->device, counter->port);

	if (stats) {
		bitmap_set(stats->is_disabled, WEFT_QP_STATS, stats->num_counters - WEFT_QP_STATS);
		stats->lifespan = HZ / 5;
	}
	return stats;
}

/* Under the counter's lock, as the two below. */
int weft_counter_bind_qp(struct rdma_counter *counter, struct ib_qp *ibqp)
{
	struct weft_dev *dev = to_weft_dev(ibqp->device);
	struct weft_qp *qp = to_weft_qp(ibqp);
	bool first = !counter->id;
	int rc;

	memset(qp->counted, 0, sizeof(qp->counted));
	rc = weft_qp_count(dev, qp, NULL);
	if (rc)
		return rc;
	if (first) {
		rc = ida_alloc_min(&dev->counters, 1, GFP_KERNEL);
		if (rc < 0)
			return rc;
		counter->id = rc;
	}
	WRITE_ONCE(ibqp->counter, counter);
	return 0;
}

/* Also of one that is about to be destroyed. A card that does not answer keeps nobody bound. */
int weft_counter_unbind_qp(struct ib_qp *ibqp)
{
	struct rdma_counter *counter = ibqp->counter; /* the core does not order two of these */

	if (!counter)
		return -EINVAL;
	weft_qp_count(to_weft_dev(ibqp->device), to_weft_qp(ibqp), counter->stats->value);
	WRITE_ONCE(ibqp->counter, NULL);
	return 0;
}

/*
 * For each value that is read the core asks for all of them, and each time the connection's state is brought to host memory: so what is young
 * enough is not asked for again. One that cannot answer counts as it did.
 */
int weft_counter_update_stats(struct rdma_counter *counter)
{
	struct weft_dev *dev = to_weft_dev(counter->device);
	struct rdma_hw_stats *stats = counter->stats;
	unsigned long qpn;
	struct weft_qp *qp;

	if (time_is_after_jiffies(stats->timestamp + stats->lifespan))
		return 0;
	xa_for_each(&dev->qps, qpn, qp) {
		qp = weft_qp_lookup(dev, qpn);
		if (!qp)
			continue;
		if (READ_ONCE(qp->ibqp.counter) == counter)
			weft_qp_count(dev, qp, stats->value);
		weft_qp_put(&qp->ibqp);
	}
	stats->timestamp = jiffies;
	return 0;
}

int weft_counter_dealloc(struct rdma_counter *counter)
{
	ida_free(&to_weft_dev(counter->device)->counters, counter->id);
	return 0;
}

/* ---- objects ---- */

static const char *weft_card_state(u32 state)
{
	static const char * const names[] = {
		[WEFT_QP_STATE_RESET] = "reset",
		[WEFT_QP_STATE_RTS] = "rts",
		[WEFT_QP_STATE_HALT] = "halt",
		[WEFT_QP_STATE_ERR] = "err",
	};

	return state < ARRAY_SIZE(names) ? names[state] : "unknown";
}

struct weft_field {
	const char *name;
	u64 value;
	bool hex;
};

static int weft_put_fields(struct sk_buff *msg, const struct weft_field *f, int n)
{
	int i, rc = 0;

	for (i = 0; i < n && !rc; i++)
		rc = f[i].hex ? rdma_nl_put_driver_u64_hex(msg, f[i].name, f[i].value) :
		     rdma_nl_put_driver_u64(msg, f[i].name, f[i].value);
	return rc;
}

/* @text: a field of its own in front of the others, or NULL */
static int weft_put_entry(struct sk_buff *msg, const char *name, const char *text,
			  const struct weft_field *f, int n)
{
	struct nlattr *table = nla_nest_start(msg, RDMA_NLDEV_ATTR_DRIVER);

	if (!table)
		return -EMSGSIZE;
	if ((text && rdma_nl_put_driver_string(msg, name, text)) || weft_put_fields(msg, f, n)) {
		nla_nest_cancel(msg, table);
		return -EMSGSIZE;
	}
	nla_nest_end(msg, table);
	return 0;
}

/*
 * The card's half of a QP costs a save of its connection and holds its sequence numbers: it is asked
 * for by name only, and by who administers the network.
 */
static int weft_qp_query(struct weft_dev *dev, const struct weft_qp *qp, struct weft_admin_msg *msg)
{
	int rc;

	weft_qp_put_query(msg, qp);
	down(&dev->queries);
	rc = weft_admin_exec(dev->core, msg);
	up(&dev->queries);
	return rc;
}

/* Anybody may see this: what the driver knows. */
#define WEFT_QP_FIELDS 7
static void weft_qp_fields(struct weft_qp *qp, struct weft_field *f)
{
	mutex_lock(&qp->lock);
	*f++ = (struct weft_field){ "sq_entries", 1 << qp->sq.log2 };
	*f++ = (struct weft_field){ "rq_entries", qp->ibqp.srq ? 0 : 1 << qp->rq.log2 };
	*f++ = (struct weft_field){ "max_inline", qp->max_inline };
	*f++ = (struct weft_field){ "ird", qp->ird };
	*f++ = (struct weft_field){ "ord", qp->ord };
	*f++ = (struct weft_field){ "event", qp->event };
	*f++ = (struct weft_field){ "terminate", qp->terminate, true };
	mutex_unlock(&qp->lock);
}

int weft_fill_res_qp(struct sk_buff *msg, struct ib_qp *ibqp)
{
	struct weft_field f[WEFT_QP_FIELDS];

	weft_qp_fields(to_weft_qp(ibqp), f);
	return weft_put_entry(msg, NULL, NULL, f, ARRAY_SIZE(f));
}

/*
 * The core has asked for CAP_NET_ADMIN. The bytes are a struct admin_qp_state. The core lists a QP until it is freed, so its number
 * may be another's, or nobody's, already.
 */
int weft_fill_res_qp_raw(struct sk_buff *msg, struct ib_qp *ibqp)
{
	struct weft_dev *dev = to_weft_dev(ibqp->device);
	struct weft_qp *qp = weft_qp_lookup(dev, to_weft_qp(ibqp)->qpn);
	struct weft_admin_msg query = {};
	int rc = -EAGAIN;

	if (qp == to_weft_qp(ibqp))
		rc = weft_qp_query(dev, qp, &query);
	if (qp)
		weft_qp_put(&qp->ibqp);
	/* One that is going, or a card that is busy, does not end the list: it is left out. */
	if (rc)
		return rc == -EIO ? rc : -EAGAIN;
	return nla_put(msg, RDMA_NLDEV_ATTR_RES_RAW, WEFT_ADMIN_QP_STATE_BYTES,
		       WEFT_BYTES(query.rsp, ADMIN_RSP_DATA));
}

int weft_fill_res_cq(struct sk_buff *msg, struct ib_cq *ibcq)
{
	const struct weft_cq *cq = to_weft_cq(ibcq);
	const struct weft_field f[] = {
		{ "cqn", cq->cqn },
		{ "entries", 1 << cq->log2 },
		{ "overflowed", cq->overflowed },
	};

	return weft_put_entry(msg, NULL, NULL, f, ARRAY_SIZE(f));
}

int weft_fill_res_srq(struct sk_buff *msg, struct ib_srq *ibsrq)
{
	const struct weft_srq *srq = to_weft_srq(ibsrq);
	const struct weft_field f[] = {
		{ "srqn", srq->srqn },
		{ "entries", 1 << srq->log2 },
		{ "max_sge", srq->max_sge },
		{ "last_limit", READ_ONCE(srq->limit) },
	};

	return weft_put_entry(msg, NULL, NULL, f, ARRAY_SIZE(f));
}

/* Anybody may see this: nothing of where a region is, in its process or among STags. */
int weft_fill_res_mr(struct sk_buff *msg, struct ib_mr *ibmr)
{
	const struct weft_mr *mr = to_weft_mr(ibmr);
	const struct weft_field f[] = {
		{ "access", mr->access, true },
		{ "page_size", 1ull << mr->page_log2 },
		{ "pages", mr->pages },
	};

	return weft_put_entry(msg, NULL, NULL, f, ARRAY_SIZE(f));
}

/* The core has asked for CAP_NET_ADMIN. */
int weft_fill_res_mr_raw(struct sk_buff *msg, struct ib_mr *ibmr)
{
	const struct weft_mr *mr = to_weft_mr(ibmr);
	const struct weft_res_mr_raw raw = {
		.base = mr->base,
		.slot = mr->slot,
		.first_byte = mr->fbo,
	};

	return nla_put(msg, RDMA_NLDEV_ATTR_RES_RAW, sizeof(raw), &raw);
}

int weft_fill_res_cm_id(struct sk_buff *msg, struct rdma_cm_id *id)
{
	struct weft_dev *dev = to_weft_dev(id->device);
	struct weft_cm_look look = {};
	struct weft_field f[3];

	if (!weft_cm_look(dev, rdma_iw_cm_id(id), &look))
		return 0;
	f[0] = (struct weft_field){ "card_id", look.handle, true };
	f[1] = (struct weft_field){ "l2_entry", look.l2 };
	f[2] = (struct weft_field){ "qpn", look.qpn };
	return weft_put_entry(msg, "card_state", look.state, f, look.qpn ? 3 : 1);
}

static void weft_dump_card(struct devlink_fmsg *fmsg, const __le64 *s)
{
	devlink_fmsg_string_pair_put(fmsg, "card_state",
				     weft_card_state(WEFT_GET(s, ADMIN_QP_STATE_STATE)));
	devlink_fmsg_u64_pair_put(fmsg, "sq_index", WEFT_GET(s, ADMIN_QP_STATE_SQ_INDEX));
	devlink_fmsg_u64_pair_put(fmsg, "rq_index", WEFT_GET(s, ADMIN_QP_STATE_RQ_INDEX));
	devlink_fmsg_u64_pair_put(fmsg, "snd_una", WEFT_GET(s, ADMIN_QP_STATE_SND_UNA));
	devlink_fmsg_u64_pair_put(fmsg, "snd_nxt", WEFT_GET(s, ADMIN_QP_STATE_SND_NXT));
	devlink_fmsg_u64_pair_put(fmsg, "rcv_nxt", WEFT_GET(s, ADMIN_QP_STATE_RCV_NXT));
}

static void weft_dump_qp(struct weft_dev *dev, struct weft_qp *qp, struct devlink_fmsg *fmsg)
{
	struct weft_field f[WEFT_QP_FIELDS];
	struct weft_admin_msg query = {};
	int i;

	devlink_fmsg_obj_nest_start(fmsg);
	devlink_fmsg_u32_pair_put(fmsg, "qpn", qp->qpn);
	devlink_fmsg_u32_pair_put(fmsg, "state", READ_ONCE(qp->state));
	weft_qp_fields(qp, f);
	for (i = 0; i < WEFT_QP_FIELDS; i++)
		devlink_fmsg_u64_pair_put(fmsg, f[i].name, f[i].value);
	if (weft_qp_query(dev, qp, &query))
		devlink_fmsg_string_pair_put(fmsg, "card_state", "no answer");
	else
		weft_dump_card(fmsg, query.rsp + WEFT_ADMIN_RSP_DATA_OFF / 8);
	devlink_fmsg_obj_nest_end(fmsg);
}

/* For devlink, which wants CAP_NET_ADMIN for it: every QP, with the card's half of it. */
void weft_dump(void *ctx, struct devlink_fmsg *fmsg)
{
	struct weft_dev *dev = ctx;
	unsigned long qpn;
	struct weft_qp *qp;

	devlink_fmsg_arr_pair_nest_start(fmsg, "qps");
	xa_for_each(&dev->qps, qpn, qp) {
		qp = weft_qp_lookup(dev, qpn);
		if (!qp)
			continue;
		weft_dump_qp(dev, qp, fmsg);
		weft_qp_put(&qp->ibqp);
	}
	devlink_fmsg_arr_pair_nest_end(fmsg);
}
