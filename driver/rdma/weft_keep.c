// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * What the card does not let go of in time. A link partner's PAUSE may hold what is being sent, and
 * with it a destroy, for longer than a command waits. The object is gone for its consumer then; its
 * memory and its number stay here, and the command is given again until it succeeds or the card is
 * quiet. Nobody else is harmed by that: the card lives on.
 */
#include "weft_rdma.h"

#define WEFT_KEEP_PERIOD (2 * HZ)

struct weft_kept {
	struct list_head link;
	struct weft_admin_msg msg;
	struct weft_mr *mr;		/* this, or the rest */
	struct weft_pages *rings[2];
	struct xarray *numbers;
	u32 number;
};

/*
 * Returns whether what the command takes back is the caller's now, or -ETIMEDOUT: not yet. Once the
 * device goes nothing is kept: 2 s for each of a thousand regions would be half an hour.
 */
int weft_take_back(struct weft_dev *dev, struct weft_admin_msg *msg, const char *why)
{
	int rc = weft_admin_exec(dev->core, msg);

	if (rc == -ETIMEDOUT && READ_ONCE(dev->registered))
		return rc;
	if (rc)
		weft_core_quiesce(dev->core, why);
	return 0;
}

static void weft_release(struct weft_dev *dev, struct weft_kept *k)
{
	if (k->mr) {
		weft_mr_release(dev, k->mr);
	} else {
		weft_pages_put(k->rings[0]);
		weft_pages_put(k->rings[1]);
		xa_erase_irq(k->numbers, k->number);
	}
	kfree(k);
}

static void weft_keep(struct weft_dev *dev, struct weft_kept *k, const struct weft_admin_msg *msg)
{
	memcpy(k->msg.cmd, msg->cmd, sizeof(k->msg.cmd));
	mutex_lock(&dev->kept_lock);
	list_add_tail(&k->link, &dev->kept);
	mutex_unlock(&dev->kept_lock);
	queue_delayed_work(dev->wq, &dev->kept_work, WEFT_KEEP_PERIOD);
}

/* The region cannot be used any more, but what was begun with it may still read or write it. */
void weft_keep_mr(struct weft_dev *dev, const struct weft_admin_msg *msg, struct weft_mr *mr)
{
	struct weft_kept *k = kzalloc(sizeof(*k), GFP_KERNEL | __GFP_NOFAIL);

	k->mr = mr;
	weft_keep(dev, k, msg);
}

/* The number is reserved in @numbers, and nobody finds anything there. */
void weft_keep_rings(struct weft_dev *dev, const struct weft_admin_msg *msg, struct xarray *numbers,
		     u32 number, struct weft_ring_mem *a, struct weft_ring_mem *b)
{
	struct weft_kept *k = kzalloc(sizeof(*k), GFP_KERNEL | __GFP_NOFAIL);

	k->numbers = numbers;
	k->number = number;
	k->rings[0] = weft_ring_mem_detach(a);
	k->rings[1] = b ? weft_ring_mem_detach(b) : NULL;
	weft_keep(dev, k, msg);
}

static struct weft_kept *weft_kept_first(struct weft_dev *dev)
{
	struct weft_kept *k;

	mutex_lock(&dev->kept_lock);
	k = list_first_entry_or_null(&dev->kept, struct weft_kept, link);
	if (k)
		list_del(&k->link);
	mutex_unlock(&dev->kept_lock);
	return k;
}

static void weft_kept_work(struct work_struct *work)
{
	struct weft_dev *dev = container_of(work, struct weft_dev, kept_work.work);
	struct weft_kept *k;

	while ((k = weft_kept_first(dev))) {
		if (weft_take_back(dev, &k->msg, "what was kept was not taken back")) {
			mutex_lock(&dev->kept_lock);
			list_add_tail(&k->link, &dev->kept);
			mutex_unlock(&dev->kept_lock);
			queue_delayed_work(dev->wq, &dev->kept_work, WEFT_KEEP_PERIOD);
			return;
		}
		weft_release(dev, k);
	}
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
	INIT_DELAYED_WORK(&dev->kept_work, weft_kept_work);
}

/* Nobody is left who waits, and the device is not registered: once more, and then the card is quiet. */
void weft_keep_fini(struct weft_dev *dev)
{
	struct weft_kept *k;

	cancel_delayed_work_sync(&dev->kept_work);
	while ((k = weft_kept_first(dev))) {
		weft_take_back(dev, &k->msg, "it holds memory and shall be let go");
		weft_release(dev, k);
	}
}
