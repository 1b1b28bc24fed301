// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * L2 entries: where a connection's frames go. One entry per neighbour, shared by its connections,
 * rewritten when the neighbour table changes.
 */
#include <linux/if_vlan.h>
#include <net/arp.h>
#include <net/ip6_route.h>
#include <net/neighbour.h>
#include <net/netevent.h>
#include <net/route.h>

#include "weft_rdma.h"

#define WEFT_NEIGH_TIMEOUT_MS 3000

struct weft_l2e {
	struct neighbour *neigh;
	u32 refs;
	u32 mtu;
	u16 vlan;
	bool dirty;
};

struct weft_l2t {
	struct weft_dev *dev;
	struct mutex lock;		/* entries, against sleeping users */
	spinlock_t dirty_lock;		/* neigh and dirty, against the notifier */
	struct notifier_block nb;
	struct work_struct work;
	u32 n;
	struct weft_l2e e[];
};

static int weft_l2t_write(struct weft_l2t *t, u32 i)
{
	struct weft_l2e *e = &t->e[i];
	struct weft_admin_msg msg = {};
	u8 dmac[ETH_ALEN];

	neigh_ha_snapshot(dmac, e->neigh, e->neigh->dev);
	WEFT_PUT(msg.cmd, ADMIN_CMD_OP, WEFT_ADMIN_OP_L2_SET);
	WEFT_PUT(msg.cmd, ADMIN_L2_ID, i);
	ether_addr_copy(WEFT_BYTES(msg.cmd, ADMIN_L2_DMAC), dmac);
	ether_addr_copy(WEFT_BYTES(msg.cmd, ADMIN_L2_SMAC), e->neigh->dev->dev_addr);
	WEFT_PUT(msg.cmd, ADMIN_L2_VLAN_TCI, e->vlan);
	WEFT_PUT(msg.cmd, ADMIN_L2_MTU, e->mtu);
	WEFT_PUT(msg.cmd, ADMIN_L2_FLAGS, 1 | (e->vlan ? 2 : 0));
	return weft_admin_exec(t->dev->core, &msg);
}

static void weft_l2t_work(struct work_struct *work)
{
	struct weft_l2t *t = container_of(work, struct weft_l2t, work);
	u32 i;

	mutex_lock(&t->lock);
	for (i = 0; i < t->n; i++) {
		bool dirty;

		spin_lock_bh(&t->dirty_lock);
		dirty = t->e[i].dirty;
		t->e[i].dirty = false;
		spin_unlock_bh(&t->dirty_lock);
		if (dirty && t->e[i].refs && weft_l2t_write(t, i) && !weft_core_dead(t->dev->core))
			ibdev_warn(&t->dev->ibdev, "neighbour of L2 entry %u was not updated\n", i);
	}
	mutex_unlock(&t->lock);
}

static int weft_l2t_netevent(struct notifier_block *nb, unsigned long event, void *ctx)
{
	struct weft_l2t *t = container_of(nb, struct weft_l2t, nb);
	struct neighbour *neigh = ctx;
	bool any = false;
	u32 i;

	if (event != NETEVENT_NEIGH_UPDATE || !(neigh->nud_state & NUD_VALID))
		return NOTIFY_DONE;
	spin_lock_bh(&t->dirty_lock);
	for (i = 0; i < t->n; i++)
		if (t->e[i].neigh == neigh) {
			t->e[i].dirty = true;
			any = true;
		}
	spin_unlock_bh(&t->dirty_lock);
	if (any)
		queue_work(t->dev->wq, &t->work);
	return NOTIFY_DONE;
}

/* ---- routes ---- */

static struct dst_entry *weft_route(struct weft_dev *dev, const struct sockaddr_storage *local,
				    const struct sockaddr_storage *remote, u8 tos)
{
	struct net *net = dev_net(dev->netdev);

	if (remote->ss_family == AF_INET) {
		const struct sockaddr_in *l = (void *)local, *r = (void *)remote;
		struct flowi4 fl4 = {
			.daddr = r->sin_addr.s_addr,
			.saddr = l->sin_addr.s_addr,
			.flowi4_tos = tos & INET_DSCP_MASK,
			.flowi4_proto = IPPROTO_TCP,
		};
		struct rtable *rt = ip_route_output_key(net, &fl4);

		return IS_ERR(rt) ? ERR_CAST(rt) : &rt->dst;
	}
	return ERR_PTR(-EAFNOSUPPORT);
}

static bool weft_is_ours(struct weft_dev *dev, struct net_device *netdev, u16 *vlan)
{
	*vlan = 0;
	if (netdev == dev->netdev)
		return true;
	if (!is_vlan_dev(netdev) || vlan_dev_real_dev(netdev) != dev->netdev)
		return false;
	*vlan = vlan_dev_vlan_id(netdev);
	return true;
}

static int weft_neigh_resolve(struct neighbour *neigh)
{
	int waited;

	for (waited = 0; !(READ_ONCE(neigh->nud_state) & NUD_VALID); waited += 20) {
		if (waited >= WEFT_NEIGH_TIMEOUT_MS || READ_ONCE(neigh->nud_state) & NUD_FAILED)
			return -EHOSTUNREACH;
		neigh_event_send(neigh, NULL);
		msleep(20);
	}
	return 0;
}

static int weft_l2t_share(struct weft_l2t *t, struct neighbour *neigh, u32 mtu, u16 vlan)
{
	int free = -ENOMEM, rc;
	u32 i;

	for (i = 0; i < t->n; i++) {
		struct weft_l2e *e = &t->e[i];

		if (!e->refs) {
			if (free < 0)
				free = i;
		} else if (e->neigh == neigh && e->mtu == mtu && e->vlan == vlan) {
			e->refs++;
			return i;
		}
	}
	if (free < 0)
		return free;
	spin_lock_bh(&t->dirty_lock);
	t->e[free].neigh = neigh;
	spin_unlock_bh(&t->dirty_lock);
	t->e[free].mtu = mtu;
	t->e[free].vlan = vlan;
	rc = weft_l2t_write(t, free);
	if (rc) {
		spin_lock_bh(&t->dirty_lock);
		t->e[free].neigh = NULL;
		spin_unlock_bh(&t->dirty_lock);
		return rc;
	}
	neigh_hold(neigh);
	t->e[free].refs = 1;
	return free;
}

int weft_l2t_get(struct weft_dev *dev, const struct sockaddr_storage *local,
		 const struct sockaddr_storage *remote, u8 tos)
{
	struct weft_l2t *t = dev->l2t;
	struct neighbour *neigh;
	struct dst_entry *dst;
	u16 vlan;
	int rc;

	dst = weft_route(dev, local, remote, tos);
	if (IS_ERR(dst))
		return PTR_ERR(dst);
	rc = -ENETUNREACH;
	if (!weft_is_ours(dev, dst->dev, &vlan))
		goto out;
	rc = -ENOMEM;
	neigh = dst_neigh_lookup(dst, &((struct sockaddr_in *)remote)->sin_addr);
	if (!neigh)
		goto out;
	rc = weft_neigh_resolve(neigh);
	if (!rc) {
		mutex_lock(&t->lock);
		rc = weft_l2t_share(t, neigh, min_t(u32, dst_mtu(dst), dev->netdev->mtu), vlan);
		mutex_unlock(&t->lock);
	}
	neigh_release(neigh);
out:
	dst_release(dst);
	return rc;
}

void weft_l2t_put(struct weft_dev *dev, int index)
{
	struct weft_l2t *t = dev->l2t;
	struct neighbour *neigh = NULL;

	if (index < 0)
		return;
	mutex_lock(&t->lock);
	if (!WARN_ON_ONCE(index >= t->n || !t->e[index].refs) && !--t->e[index].refs) {
		spin_lock_bh(&t->dirty_lock);
		neigh = t->e[index].neigh;
		t->e[index].neigh = NULL;
		spin_unlock_bh(&t->dirty_lock);
	}
	mutex_unlock(&t->lock);
	if (neigh)
		neigh_release(neigh);
}

int weft_l2t_init(struct weft_dev *dev)
{
	struct weft_l2t *t = kvzalloc(struct_size(t, e, dev->caps->l2_entries), GFP_KERNEL);

	if (!t)
		return -ENOMEM;
	t->dev = dev;
	t->n = dev->caps->l2_entries;
	mutex_init(&t->lock);
	spin_lock_init(&t->dirty_lock);
	INIT_WORK(&t->work, weft_l2t_work);
	t->nb.notifier_call = weft_l2t_netevent;
	dev->l2t = t;
	register_netevent_notifier(&t->nb);
	return 0;
}

void weft_l2t_fini(struct weft_dev *dev)
{
	unregister_netevent_notifier(&dev->l2t->nb);
	cancel_work_sync(&dev->l2t->work);
	kvfree(dev->l2t);
}
