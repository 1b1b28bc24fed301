// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * L2 entries: where a connection's frames go. An entry for each pair of addresses, shared by its
 * connections: it follows route, neighbour, interface and path MTU of the pair. When the table is full,
 * pairs that go the same way share an entry; it follows the first, and the connections of one whose way
 * parts from it end. So do those whose path takes smaller packets than the card can make, and those of a VLAN
 * that goes down.
 */
#include <linux/if_vlan.h>
#include <linux/inetdevice.h>
#include <net/addrconf.h>
#include <net/arp.h>
#include <net/ip6_route.h>
#include <net/neighbour.h>
#include <net/netevent.h>
#include <net/route.h>

#include "weft_rdma.h"

#define WEFT_NEIGH_TIMEOUT_MS 3000
#define WEFT_L2T_PERIOD (5 * HZ)

/* what an entry says, as the card has it */
struct weft_l2_link {
	u8 dmac[ETH_ALEN], smac[ETH_ALEN];
	u16 vlan;
	u32 mtu;
	int ifindex;			/* of the interface or its VLAN; not the card's */
};

struct weft_l2e {
	struct neighbour *neigh;	/* referenced; the next hop of the last look */
	struct in6_addr local, remote;	/* IPv4 mapped */
	u8 tos;
	bool shared;			/* by other pairs as well */
	bool narrow;			/* the path's MTU of the last look is below WEFT_MTU_MIN */
	bool gone;			/* its VLAN went down, and with that its connections end */
	int ifindex;			/* of the last look; 0: it has no connection */
	u32 refs;
	struct weft_l2_link link;
};

struct weft_l2t {
	struct weft_dev *dev;
	struct mutex lock;		/* entries, against sleeping users */
	spinlock_t neigh_lock;		/* neigh, ifindex, gone, against the notifiers */
	struct notifier_block nb, dev_nb;
	struct delayed_work work;
	u32 n;
	struct weft_l2e e[];
};

static bool weft_same_link(const struct weft_l2_link *a, const struct weft_l2_link *b)
{
	return a->mtu == b->mtu && a->vlan == b->vlan && ether_addr_equal(a->dmac, b->dmac) &&
	       ether_addr_equal(a->smac, b->smac);
}

static int weft_l2t_write(struct weft_l2t *t, u32 i, const struct weft_l2_link *link)
{
	struct weft_admin_msg msg = {};

	WEFT_PUT(msg.cmd, ADMIN_CMD_OP, WEFT_ADMIN_OP_L2_SET);
	WEFT_PUT(msg.cmd, ADMIN_L2_ID, i);
	ether_addr_copy(WEFT_BYTES(msg.cmd, ADMIN_L2_DMAC), link->dmac);
	ether_addr_copy(WEFT_BYTES(msg.cmd, ADMIN_L2_SMAC), link->smac);
	WEFT_PUT(msg.cmd, ADMIN_L2_VLAN_TCI, link->vlan);
	WEFT_PUT(msg.cmd, ADMIN_L2_MTU, link->mtu);
	WEFT_PUT(msg.cmd, ADMIN_L2_FLAGS, 1 | (link->vlan ? 2 : 0));
	return weft_admin_exec(t->dev->core, &msg);
}

/* ---- routes ---- */

static bool weft_is_ours(struct weft_dev *dev, struct net_device *netdev, u16 *vlan)
{
	*vlan = 0;
	if (netdev == dev->netdev)
		return true;
	if (!is_vlan_dev(netdev) || vlan_dev_real_dev(netdev) != dev->netdev ||
	    vlan_dev_vlan_proto(netdev) != htons(ETH_P_8021Q)) /* the card makes no other tag */
		return false;
	*vlan = vlan_dev_vlan_id(netdev);
	return true;
}

/*
 * The device that a route leaves by, referenced; of one to an address of this host the device that has the address: the card turns
 * frames to its own station round.
 */
static struct net_device *weft_route_dev(const struct rtable *rt, struct net *net, __be32 remote)
{
	struct net_device *owner = rt->rt_type == RTN_LOCAL ? ip_dev_find(net, remote) : NULL;

	if (!owner) {
		owner = rt->dst.dev;
		dev_hold(owner);
	}
	return owner;
}

/* The next hop of today, referenced, and what of the link does not depend on it; or an error. */
static struct neighbour *weft_next_hop4(struct weft_dev *dev, __be32 local, __be32 remote, u8 tos,
					struct weft_l2_link *link)
{
	struct flowi4 fl4 = {
		.daddr = remote,
		.saddr = local,
		.flowi4_tos = tos & INET_DSCP_MASK,
		.flowi4_proto = IPPROTO_TCP,
	};
	struct rtable *rt = ip_route_output_key(dev_net(dev->netdev), &fl4);
	struct net_device *netdev;
	struct neighbour *neigh;

	if (IS_ERR(rt))
		return ERR_CAST(rt);
	netdev = weft_route_dev(rt, dev_net(dev->netdev), remote);
	if (weft_is_ours(dev, netdev, &link->vlan)) {
		neigh = dst_neigh_lookup(&rt->dst, &remote);
		link->mtu = min_t(u32, dst_mtu(&rt->dst), READ_ONCE(dev->netdev->mtu));
		/* What was learned may be anybody's forged ICMP: it ends no connection. */
		if (rt->rt_pmtu)
			link->mtu = max_t(u32, link->mtu, WEFT_MTU_MIN);
		ether_addr_copy(link->smac, netdev->dev_addr);
		link->ifindex = netdev->ifindex;
	} else {
		neigh = ERR_PTR(-ENETUNREACH);
	}
	dev_put(netdev);
	dst_release(&rt->dst);
	return neigh ?: ERR_PTR(-ENOMEM);
}

/* Local routes of IPv6 leave by the loopback device as well. The caller has no reference of the find's. */
static struct net_device *weft_route6_dev(struct dst_entry *dst, struct net *net,
					  const struct in6_addr *remote)
{
	struct net_device *owner = NULL;

	rcu_read_lock();
	if (dst_rt6_info(dst)->rt6i_flags & RTF_LOCAL)
		owner = ipv6_stub->ipv6_dev_find(net, remote, NULL);
	owner = owner ?: dst->dev;
	dev_hold(owner);
	rcu_read_unlock();
	return owner;
}

/* What is learned of a path is never below 1,280 (RFC 8201 4), so no forged ICMP ends a connection. */
static struct neighbour *weft_next_hop6(struct weft_dev *dev, const struct in6_addr *local,
					const struct in6_addr *remote, u8 tos,
					struct weft_l2_link *link)
{
	struct flowi6 fl6 = {
		.daddr = *remote,
		.saddr = *local,
		.flowlabel = ip6_make_flowinfo(tos & INET_DSCP_MASK, 0),
		.flowi6_proto = IPPROTO_TCP,
	};
	struct net *net = dev_net(dev->netdev);
	struct dst_entry *dst = ipv6_stub->ipv6_dst_lookup_flow(net, NULL, &fl6, NULL);
	struct net_device *netdev;
	struct neighbour *neigh;

	if (IS_ERR(dst))
		return ERR_CAST(dst);
	netdev = weft_route6_dev(dst, net, remote);
	if (weft_is_ours(dev, netdev, &link->vlan)) {
		neigh = dst_neigh_lookup(dst, remote);
		link->mtu = min_t(u32, dst_mtu(dst), READ_ONCE(dev->netdev->mtu));
		ether_addr_copy(link->smac, netdev->dev_addr);
		link->ifindex = netdev->ifindex;
	} else {
		neigh = ERR_PTR(-ENETUNREACH);
	}
	dev_put(netdev);
	dst_release(dst);
	return neigh ?: ERR_PTR(-ENOMEM);
}

static struct neighbour *weft_next_hop(struct weft_dev *dev, const struct in6_addr *local,
				       const struct in6_addr *remote, u8 tos,
				       struct weft_l2_link *link)
{
	return ipv6_addr_v4mapped(remote) ?
	       weft_next_hop4(dev, local->s6_addr32[3], remote->s6_addr32[3], tos, link) :
	       weft_next_hop6(dev, local, remote, tos, link);
}

/*
 * Asks whenever the answer is not fresh: also for one that failed long ago, and for one that went
 * stale, since the host does not see the connection's traffic.
 */
static bool weft_neigh_valid(struct neighbour *neigh, struct weft_l2_link *link)
{
	if (!(READ_ONCE(neigh->nud_state) & NUD_CONNECTED))
		neigh_event_send(neigh, NULL);
	if (!(READ_ONCE(neigh->nud_state) & NUD_VALID))
		return false;
	if (neigh->dev->flags & IFF_LOOPBACK) /* an address of our own */
		ether_addr_copy(link->dmac, link->smac);
	else
		neigh_ha_snapshot(link->dmac, neigh, neigh->dev);
	return true;
}

static int weft_neigh_resolve(struct weft_dev *dev, struct neighbour *neigh,
			      struct weft_l2_link *link)
{
	int waited;

	/* a failed one is asked for anew, so a failure counts only after the first look */
	for (waited = 0; !weft_neigh_valid(neigh, link); waited += 20) {
		if (waited >= WEFT_NEIGH_TIMEOUT_MS || weft_core_dead(dev->core))
			return -EHOSTUNREACH;
		msleep(20);
	}
	return 0;
}

/* ---- entries ---- */

static bool weft_went_down(struct weft_dev *dev, int ifindex)
{
	struct net_device *netdev;
	bool up;

	if (ifindex == dev->netdev->ifindex)
		return false; /* see weft_cm_down */
	rcu_read_lock();
	netdev = dev_get_by_index_rcu(dev_net(dev->netdev), ifindex);
	up = netdev && netif_running(netdev);
	rcu_read_unlock();
	return !up;
}

/*
 * The entry goes by device @ifindex, and by none with 0. A VLAN that went down before is seen here, one that does behind it by
 * the notifier; from then on its neighbour is not held, for that would hold the device, and whoever deletes it would wait.
 * False: it went down.
 */
static bool weft_l2e_set(struct weft_l2t *t, struct weft_l2e *e, struct neighbour *neigh,
			 int ifindex)
{
	struct neighbour *old;
	bool gone;

	spin_lock_bh(&t->neigh_lock);
	gone = ifindex && (e->gone || weft_went_down(t->dev, ifindex));
	e->gone = gone;
	e->ifindex = ifindex;
	old = e->neigh;
	e->neigh = gone ? NULL : neigh_clone(neigh);
	spin_unlock_bh(&t->neigh_lock);
	if (old)
		neigh_release(old);
	return !gone;
}

/*
 * The card gets what changed. Without a route or an answer it goes on as before: TCP gives up, or not; but a neighbour that is
 * not on the way any more is not held.
 */
static void weft_l2e_look(struct weft_l2t *t, u32 i)
{
	struct weft_l2e *e = &t->e[i];
	struct weft_l2_link link = {};
	struct neighbour *neigh;

	lockdep_assert_held(&t->lock);
	if (READ_ONCE(e->gone))
		return;
	neigh = weft_next_hop(t->dev, &e->local, &e->remote, e->tos, &link);
	if (IS_ERR(neigh)) {
		weft_l2e_set(t, e, NULL, e->ifindex);
		return;
	}
	weft_l2e_set(t, e, neigh, link.ifindex);
	WRITE_ONCE(e->narrow, link.mtu < WEFT_MTU_MIN);
	if (e->narrow) /* of IPv6 none is below 1,280 */
		ibdev_warn_ratelimited(&t->dev->ibdev,
				       "the path to %pI4 has an MTU of %u, connections need %u: they end\n",
				       &e->remote.s6_addr32[3], link.mtu, WEFT_MTU_MIN);
	else if (weft_neigh_valid(neigh, &link) && !weft_same_link(&link, &e->link) &&
		 !weft_l2t_write(t, i, &link))
		e->link = link;
	neigh_release(neigh);
}

/*
 * Neighbours and the interface tell when they change; routes and path MTUs do not, so all entries are
 * looked at now and then.
 */
static void weft_l2t_work(struct work_struct *work)
{
	struct weft_l2t *t = container_of(work, struct weft_l2t, work.work);
	bool any = false, strays = false;
	u32 i;

	mutex_lock(&t->lock);
	for (i = 0; i < t->n; i++) {
		if (!t->e[i].refs || weft_core_dead(t->dev->core))
			continue;
		any = true;
		weft_l2e_look(t, i);
		strays |= t->e[i].shared || t->e[i].narrow || READ_ONCE(t->e[i].gone);
	}
	if (any)
		queue_delayed_work(t->dev->wq, &t->work, WEFT_L2T_PERIOD);
	mutex_unlock(&t->lock);
	if (strays)
		weft_cm_strays(t->dev);
}

/*
 * A path that is too narrow, a VLAN that went down, or an entry that follows another pair's way, and this pair's is
 * another one now.
 */
bool weft_l2t_strays(struct weft_dev *dev, int index, const struct sockaddr_storage *local,
		     const struct sockaddr_storage *remote, u8 tos)
{
	struct weft_l2t *t = dev->l2t;
	struct weft_l2_link link = {};
	struct in6_addr l, r;
	struct neighbour *neigh;
	bool strays = false;

	if (index < 0)
		return false;
	if (READ_ONCE(t->e[index].gone))
		return true;
	if (!READ_ONCE(t->e[index].shared))
		return READ_ONCE(t->e[index].narrow);
	weft_in6(&l, local);
	weft_in6(&r, remote);
	neigh = weft_next_hop(dev, &l, &r, tos, &link);
	if (IS_ERR(neigh))
		return false;
	if (weft_neigh_valid(neigh, &link)) {
		mutex_lock(&t->lock);
		strays = !weft_same_link(&link, &t->e[index].link);
		mutex_unlock(&t->lock);
	}
	neigh_release(neigh);
	return strays;
}

void weft_l2t_changed(struct weft_dev *dev)
{
	mod_delayed_work(dev->wq, &dev->l2t->work, 0);
}

static int weft_l2t_netevent(struct notifier_block *nb, unsigned long event, void *ctx)
{
	struct weft_l2t *t = container_of(nb, struct weft_l2t, nb);
	bool any = event == NETEVENT_REDIRECT;
	u32 i;

	if (event == NETEVENT_NEIGH_UPDATE) {
		spin_lock_bh(&t->neigh_lock);
		for (i = 0; i < t->n && !any; i++)
			any = t->e[i].neigh == ctx;
		spin_unlock_bh(&t->neigh_lock);
	}
	if (any)
		weft_l2t_changed(t->dev);
	return NOTIFY_DONE;
}

static bool weft_l2e_down(struct weft_l2t *t, struct weft_l2e *e, int ifindex)
{
	struct neighbour *old = NULL;
	bool ours;

	spin_lock_bh(&t->neigh_lock);
	ours = e->ifindex == ifindex;
	if (ours) {
		e->gone = true;
		swap(old, e->neigh);
	}
	spin_unlock_bh(&t->neigh_lock);
	if (old)
		neigh_release(old);
	return ours;
}

/*
 * A VLAN of the interface goes down, or away: its connections end, as those of the interface do when that goes down. In the
 * rtnl lock, so not under ours, which is held over commands.
 */
static int weft_l2t_netdev_event(struct notifier_block *nb, unsigned long event, void *ctx)
{
	struct weft_l2t *t = container_of(nb, struct weft_l2t, dev_nb);
	struct net_device *netdev = netdev_notifier_info_to_dev(ctx);
	bool any = false;
	u32 i;

	if ((event != NETDEV_DOWN && event != NETDEV_UNREGISTER) ||
	    netdev == t->dev->netdev || !net_eq(dev_net(netdev), dev_net(t->dev->netdev)))
		return NOTIFY_DONE;
	for (i = 0; i < t->n; i++)
		any |= weft_l2e_down(t, &t->e[i], netdev->ifindex);
	if (any)
		weft_l2t_changed(t->dev);
	return NOTIFY_DONE;
}

static bool weft_same_pair(const struct weft_l2e *a, const struct weft_l2e *b)
{
	return ipv6_addr_equal(&a->local, &b->local) && ipv6_addr_equal(&a->remote, &b->remote) &&
	       a->tos == b->tos;
}

/* An entry of this path, else a free one, else one that says the same. */
static int weft_l2t_find(struct weft_l2t *t, const struct weft_l2e *want)
{
	int free = -ENOMEM, same = -ENOMEM;
	u32 i;

	for (i = 0; i < t->n; i++) {
		const struct weft_l2e *e = &t->e[i];

		if (!e->refs) {
			if (free < 0)
				free = i;
		} else if (!READ_ONCE(e->gone) && weft_same_link(&e->link, &want->link)) {
			if (weft_same_pair(e, want))
				return i;
			same = i;
		}
	}
	return free < 0 ? same : free;
}

static int weft_l2t_take(struct weft_l2t *t, const struct weft_l2e *want, struct neighbour *neigh)
{
	int i = weft_l2t_find(t, want), rc;
	struct weft_l2e *e;

	lockdep_assert_held(&t->lock);
	if (i < 0)
		return i;
	e = &t->e[i];
	if (!e->refs) {
		rc = weft_l2t_write(t, i, &want->link);
		if (rc)
			return rc;
		e->local = want->local;
		e->remote = want->remote;
		e->tos = want->tos;
		e->link = want->link;
		WRITE_ONCE(e->shared, false);
		WRITE_ONCE(e->narrow, false);
		if (!weft_l2e_set(t, e, neigh, want->link.ifindex)) {
			weft_l2e_set(t, e, NULL, 0);
			return -ENETDOWN;
		}
		queue_delayed_work(t->dev->wq, &t->work, WEFT_L2T_PERIOD);
	} else if (!weft_same_pair(e, want)) {
		WRITE_ONCE(e->shared, true);
	}
	e->refs++;
	return i;
}

int weft_l2t_get(struct weft_dev *dev, const struct sockaddr_storage *local,
		 const struct sockaddr_storage *remote, u8 tos)
{
	struct weft_l2e want = { .tos = tos };
	struct weft_l2t *t = dev->l2t;
	struct neighbour *neigh;
	int rc;

	weft_in6(&want.local, local);
	weft_in6(&want.remote, remote);
	if (!netif_running(dev->netdev))
		return -ENETDOWN;
	neigh = weft_next_hop(dev, &want.local, &want.remote, tos, &want.link);
	if (IS_ERR(neigh))
		return PTR_ERR(neigh);
	rc = want.link.mtu < WEFT_MTU_MIN ? -EMSGSIZE :
	     weft_neigh_resolve(dev, neigh, &want.link);
	if (!rc) {
		mutex_lock(&t->lock);
		rc = weft_l2t_take(t, &want, neigh);
		mutex_unlock(&t->lock);
	}
	neigh_release(neigh);
	return rc;
}

void weft_l2t_put(struct weft_dev *dev, int index)
{
	struct weft_l2t *t = dev->l2t;

	if (index < 0)
		return;
	mutex_lock(&t->lock);
	if (!WARN_ON_ONCE(index >= t->n || !t->e[index].refs) && !--t->e[index].refs)
		weft_l2e_set(t, &t->e[index], NULL, 0);
	mutex_unlock(&t->lock);
}

int weft_l2t_init(struct weft_dev *dev)
{
	struct weft_l2t *t = kvzalloc(struct_size(t, e, dev->caps->l2_entries), GFP_KERNEL);
	int rc;

	if (!t)
		return -ENOMEM;
	t->dev = dev;
	t->n = dev->caps->l2_entries;
	mutex_init(&t->lock);
	spin_lock_init(&t->neigh_lock);
	INIT_DELAYED_WORK(&t->work, weft_l2t_work);
	t->nb.notifier_call = weft_l2t_netevent;
	t->dev_nb.notifier_call = weft_l2t_netdev_event;
	dev->l2t = t;
	rc = register_netdevice_notifier(&t->dev_nb);
	if (rc) {
		kvfree(t);
		return rc;
	}
	register_netevent_notifier(&t->nb);
	return 0;
}

void weft_l2t_fini(struct weft_dev *dev)
{
	unregister_netevent_notifier(&dev->l2t->nb);
	unregister_netdevice_notifier(&dev->l2t->dev_nb);
	cancel_delayed_work_sync(&dev->l2t->work);
	kvfree(dev->l2t);
}
