// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * What the card does not let go of in time. A link partner's PAUSE may hold what is being sent, and
 * with it a destroy, for longer than a command waits. The object is gone for its consumer then; its
 * memory (charged to whom it was) and its number stay here, and the command is given again until it
 * succeeds, or the card is quiet: what has not drained in ten seconds does not any more, and the card
 * starts anew.
 *
 * What a kept queue pair uses stays the card's too: the number of its protection domain is nobody's, and
 * a CQ or SRQ whose consumer has destroyed it is kept with its ring, and taken from the card behind the queue
 * pair. Otherwise the card would write completions into memory, or into a CQ, of somebody else. What it has written of the queue
 * pair until it lets go, and nobody has polled, loses its number before that is free; in a process's CQ when the process gets it again.
 *
 * While something is kept nobody waits for what will most likely be kept as well: the command goes to
 * the card, and its answer is taken here. A process that exits with a thousand regions would wait two
 * seconds for each.
 */
#include "weft_rdma.h"

#define WEFT_KEEP_PERIOD (HZ / 10)
#define WEFT_KEEP_LIMIT (10 * HZ)
#define WEFT_KEEP_SLOTS 24	/* of the 64 of the admin queue, so that others get theirs */

struct weft_kept {
	struct list_head link;
	struct weft_admin_msg msg;
	int tag;			/* of the command while the card has it, else -1 */
	bool again;			/* it has timed out: what the card does not know by now has drained since */
	unsigned long until;		/* jiffies */
	struct weft_mr *mr;		/* this, or the rest */
	struct weft_pages *rings[2];
	struct xarray *numbers;
	u32 number;
	struct weft_hold *hold;		/* of a CQ or SRQ: its own */
	struct weft_hold *uses[4];	/* of a QP: its CQs', its domain's and its SRQ's, a reference each */
};

/* The owner's reference; NULL without memory. */
struct weft_hold *weft_hold_new(struct ida *ida, u32 number)
{
	struct weft_hold *h = kzalloc(sizeof(*h), GFP_KERNEL_ACCOUNT);

	if (!h)
		return NULL;
	refcount_set(&h->refs, 1);
	h->ida = ida;
	h->number = number;
	mutex_init(&h->mw_lock);
	INIT_LIST_HEAD(&h->mws);
	return h;
}

void weft_hold_put(struct weft_hold *h)
{
	if (!refcount_dec_and_test(&h->refs))
		return;
	if (h->ida)
		ida_free(h->ida, h->number);
	kfree(h);
}

/* A kept queue pair uses it. The owner has the last reference and asks: nobody uses it anew. */
static bool weft_hold_busy(const struct weft_hold *h)
{
	return h && refcount_read(&h->refs) > 1;
}

static struct weft_kept *weft_kept_new(struct weft_dev *dev, const struct weft_admin_msg *msg,
				       bool again)
{
	struct weft_kept *k = kzalloc(sizeof(*k), GFP_KERNEL | __GFP_NOFAIL);

	memcpy(k->msg.cmd, msg->cmd, sizeof(k->msg.cmd));
	k->tag = -1;
	k->again = again;
	k->until = jiffies + WEFT_KEEP_LIMIT;
	atomic_inc(&dev->n_kept);
	return k;
}

static void weft_kept_free(struct weft_dev *dev, struct weft_kept *k)
{
	atomic_dec(&dev->n_kept);
	kfree(k);
}

/* The caller has a slot. On failure the card is quiet, and the end says so. */
static void weft_kept_begin(struct weft_dev *dev, struct weft_kept *k)
{
	k->tag = weft_admin_begin(dev->core, &k->msg);
	if (k->tag < 0)
		up(&dev->kept_slots);
}

static int weft_kept_answer(struct weft_dev *dev, struct weft_kept *k)
{
	int rc = -EIO;

	if (k->tag >= 0) {
		rc = weft_admin_end(dev->core, &k->msg, k->tag);
		k->tag = -1;
		up(&dev->kept_slots);
	}
	return rc;
}

/* Has the card let go, as its answer @rc says? If not, it may be asked again. */
static bool weft_kept_over(struct weft_dev *dev, struct weft_kept *k, int rc, const char *why)
{
	if (rc == -ETIMEDOUT && time_before(jiffies, k->until) && READ_ONCE(dev->registered)) {
		k->again = true;
		return false;
	}
	if (rc && !(rc == -ENOENT && k->again))
		weft_core_quiesce(dev->core, why);
	return true;
}

/* A region that windows are bound to: nothing has changed. */
static bool weft_is_busy(const struct weft_admin_msg *msg, int rc)
{
	return rc == -EADDRINUSE && WEFT_GET(msg->cmd, ADMIN_CMD_OP) == WEFT_ADMIN_OP_MR_SET;
}

/*
 * Takes an object from the card. NULL: what it used is the caller's now. Else the card still uses it,
 * though nobody finds it any more, and weft_keep_mr(), _qp() or _cq() has to follow. Once the device
 * goes nothing is kept: the card ends. -EBUSY: a region stays, as windows are bound to it. @hold: of a CQ, which the card keeps while a kept QP uses it.
 */
struct weft_kept *weft_take_back(struct weft_dev *dev, struct weft_admin_msg *msg,
				 const struct weft_hold *hold, const char *why)
{
	struct weft_admin_msg nop = {};
	struct weft_kept *k;
	bool busy;
	int rc;

	if (weft_hold_busy(hold))
		return weft_kept_new(dev, msg, false); /* the command follows: weft_kept_round */
	if (!atomic_read(&dev->n_kept) || !READ_ONCE(dev->registered)) {
		rc = weft_admin_exec(dev->core, msg);
		if (rc == -ETIMEDOUT && READ_ONCE(dev->registered))
			return weft_kept_new(dev, msg, true);
		if (weft_is_busy(msg, rc))
			return ERR_PTR(-EBUSY);
		if (rc)
			weft_core_quiesce(dev->core, why);
		return NULL;
	}
	k = weft_kept_new(dev, msg, false);
	down(&dev->kept_slots);
	weft_kept_begin(dev, k);
	/* its answer says that the object is invalid, though perhaps not drained */
	WEFT_PUT(nop.cmd, ADMIN_CMD_OP, WEFT_ADMIN_OP_NOP);
	weft_admin_exec(dev->core, &nop);
	if (k->tag >= 0 && !weft_admin_answered(dev->core, k->tag))
		return k;
	rc = weft_kept_answer(dev, k);
	busy = weft_is_busy(msg, rc);
	if (!busy && !weft_kept_over(dev, k, rc, why))
		return k;
	weft_kept_free(dev, k);
	return busy ? ERR_PTR(-EBUSY) : NULL;
}

static void weft_release(struct weft_dev *dev, struct weft_kept *k)
{
	bool qp = k->numbers == &dev->qps;
	int i;

	if (k->mr) {
		weft_mr_release(dev, k->mr);
	} else {
		if (qp) {
			weft_cq_forget_kept(dev, k->uses[0]->number, k->number);
			weft_cq_forget_kept(dev, k->uses[1]->number, k->number);
		}
		weft_pages_put(k->rings[0]);
		weft_pages_put(k->rings[1]);
		if (qp)
			weft_qpn_free(dev, k->number, k->uses[2]);
		else
			xa_erase_irq(k->numbers, k->number);
	}
	for (i = 0; i < ARRAY_SIZE(k->uses) && k->uses[i]; i++)
		weft_hold_put(k->uses[i]);
	if (k->hold)
		weft_hold_put(k->hold);
	weft_kept_free(dev, k);
}

static void weft_keep(struct weft_dev *dev, struct weft_kept *k)
{
	mutex_lock(&dev->kept_lock);
	list_add_tail(&k->link, &dev->kept);
	mutex_unlock(&dev->kept_lock);
	queue_delayed_work(dev->wq, &dev->kept_work, WEFT_KEEP_PERIOD);
}

/* The region cannot be used any more, but what was begun with it may still read or write it. */
void weft_keep_mr(struct weft_dev *dev, struct weft_kept *k, struct weft_mr *mr)
{
	k->mr = mr;
	weft_keep(dev, k);
}

/* The number stays reserved, and nobody finds anything there; nor are those that it uses free. */
void weft_keep_qp(struct weft_dev *dev, struct weft_kept *k, struct weft_qp *qp)
{
	int i;

	k->numbers = &dev->qps;
	k->number = qp->qpn;
	k->uses[0] = to_weft_cq(qp->ibqp.send_cq)->hold;
	k->uses[1] = to_weft_cq(qp->ibqp.recv_cq)->hold;
	k->uses[2] = to_weft_pd(qp->ibqp.pd)->hold;
	if (qp->ibqp.srq)
		k->uses[3] = to_weft_srq(qp->ibqp.srq)->hold;
	for (i = 0; i < ARRAY_SIZE(k->uses) && k->uses[i]; i++)
		refcount_inc(&k->uses[i]->refs);
	k->rings[0] = weft_ring_mem_detach(&qp->sq.ring);
	k->rings[1] = weft_ring_mem_detach(&qp->rq.ring);
	weft_keep(dev, k);
}

void weft_keep_cq(struct weft_dev *dev, struct weft_kept *k, struct weft_cq *cq)
{
	k->numbers = &dev->cqs;
	k->number = cq->cqn;
	k->hold = cq->hold;
	k->rings[0] = weft_ring_mem_detach(&cq->ring);
	weft_keep(dev, k);
}

/* A kept queue pair takes from it, by its protection domain. */
void weft_keep_srq(struct weft_dev *dev, struct weft_kept *k, struct weft_srq *srq)
{
	k->numbers = &dev->srqs;
	k->number = srq->srqn;
	k->hold = srq->hold;
	k->uses[0] = to_weft_pd(srq->ibsrq.pd)->hold;
	refcount_inc(&k->uses[0]->refs);
	k->rings[0] = weft_ring_mem_detach(&srq->ring);
	weft_keep(dev, k);
}

/* All that may be under way at a time, then all answers: they time out together. */
static void weft_kept_round(struct weft_dev *dev, struct list_head *todo)
{
	struct weft_kept *k, *next;

	list_for_each_entry(k, todo, link)
		if (k->tag < 0 && !weft_hold_busy(k->hold) && !down_trylock(&dev->kept_slots))
			weft_kept_begin(dev, k);
	list_for_each_entry_safe(k, next, todo, link) {
		if (k->tag < 0 && !weft_core_dead(dev->core))
			continue; /* no slot was free, or a queue pair uses it */
		if (!weft_kept_over(dev, k, weft_kept_answer(dev, k),
				    "what was to be destroyed did not drain"))
			continue;
		list_del(&k->link);
		weft_release(dev, k);
	}
}

static void weft_kept_work(struct work_struct *work)
{
	struct weft_dev *dev = container_of(work, struct weft_dev, kept_work.work);
	LIST_HEAD(todo);

	mutex_lock(&dev->kept_lock);
	list_splice_init(&dev->kept, &todo);
	mutex_unlock(&dev->kept_lock);
	weft_kept_round(dev, &todo);
	mutex_lock(&dev->kept_lock);
	list_splice(&todo, &dev->kept);
	if (!list_empty(&dev->kept))
		queue_delayed_work(dev->wq, &dev->kept_work, WEFT_KEEP_PERIOD);
	mutex_unlock(&dev->kept_lock);
}

/* The card is quiet: nothing is kept any longer than needed. */
void weft_keep_dead(struct weft_dev *dev)
{
	mod_delayed_work(dev->wq, &dev->kept_work, 0);
}

void weft_keep_init(struct weft_dev *dev)
{
	mutex_init(&dev->kept_lock);
	INIT_LIST_HEAD(&dev->kept);
	sema_init(&dev->kept_slots, WEFT_KEEP_SLOTS);
	INIT_DELAYED_WORK(&dev->kept_work, weft_kept_work);
	weft_qpn_init(dev);
}

/* Nobody is left who waits, and the device is not registered: once more, and then the card is quiet. */
void weft_keep_fini(struct weft_dev *dev)
{
	cancel_delayed_work_sync(&dev->kept_work);
	while (!list_empty(&dev->kept))
		weft_kept_round(dev, &dev->kept);
	weft_qpn_settle(dev);
}
