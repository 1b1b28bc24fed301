// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * TCP ports that the card answers. The card takes every frame to such a port, whatever the address and its family, so
 * the port must not be the host's: a socket bound to it keeps it, of either family, and where the host has one already,
 * listen and connect fail with EADDRINUSE. It is kept as long as the card may answer, which is a
 * TIME-WAIT longer than the connection.
 *
 * All cards have one list of what they keep: rdma_cm listens on any address on each of them, so a port of all addresses is
 * kept once for all cards of a network namespace, and beside what they keep of their own ones. That of addresses is a card's.
 * The namespace may go first: our sockets do not hold it, and go with it. An interface that goes to another one takes its
 * listeners' ports along, as rdma_cm's listeners stay on the card (weft_cm_moved), and those that linger.
 *
 * With the module's parameter port_map iw_cm asks a port mapper (iwpmd) for a port in place of the
 * application's, which may be the host's then. The mapper keeps it by a socket of its own, only as long
 * as iw_cm has the mapping, so the driver keeps it beside. Nothing says who answers for the mapper, so
 * what it can take from the host is bounded: a port outside of ip_local_port_range, where no mapper's
 * is, is bound as any other.
 *
 * And addresses: the card is told those of the interface, so that a listener on any address answers
 * for the host's own only. Not the link-local ones, which stay the host's.
 */
#include <linux/if_vlan.h>
#include <linux/inetdevice.h>
#include <linux/net.h>
#include <net/addrconf.h>
#include <net/ip.h>
#include <net/net_namespace.h>
#include <net/sock.h>

#include "weft_rdma.h"

#define WEFT_PORT_LINGER (65 * HZ) /* firmware's TIME-WAIT is 60 seconds */

static DEFINE_MUTEX(weft_ports_lock);	/* these, and every hold */
static LIST_HEAD(weft_ports);
static u32 weft_ports_devs;

struct weft_port_hold {
	struct list_head link;
	struct net *net;		/* NULL: it is gone, and the sockets with it */
	struct weft_dev *dev;		/* whose addresses these are; NULL: all that there are, for every card */
	u32 refs;
	bool mapped;			/* beside the port mapper's socket */
	bool chosen;			/* by the kernel: rdma_cm may draw the same number for somebody else */
	u16 port;
	unsigned long until;		/* jiffies, while refs is 0 */
	u32 n;
	struct socket *socks[WEFT_PORT_ADDRS];
};

static void weft_port_reuse(struct socket *sock, unsigned char reuse)
{
	lock_sock(sock->sk);
	sock->sk->sk_reuse = reuse;
	release_sock(sock->sk);
}

static bool weft_port_is_local(struct net *net, u16 port)
{
	int low, high;

	inet_get_local_port_range(net, &low, &high);
	return port >= low && port <= high;
}

/* What we keep of this port for addresses of cards. */
static bool weft_ports_reuse(const struct net *net, u16 port, unsigned char reuse)
{
	struct weft_port_hold *h;
	bool some = false;
	u32 i;

	list_for_each_entry(h, &weft_ports, link) {
		if (h->net != net || h->port != port)
			continue;
		for (i = 0; i < h->n; i++, some = true)
			weft_port_reuse(h->socks[i], reuse);
	}
	return some;
}

/* @any: our own sockets may be in the way: while it is bound they allow one beside them, and stay. */
static struct socket *weft_port_socket(struct weft_port_hold *h, const struct in6_addr *addr,
				       bool any)
{
	struct sockaddr_in6 sin6 = {
		.sin6_family = AF_INET6,
		.sin6_addr = *addr,
		.sin6_port = htons(h->port),
	};
	struct sockaddr_in sin = {
		.sin_family = AF_INET,
		.sin_addr.s_addr = addr->s6_addr32[3],
		.sin_port = htons(h->port),
	};
	bool v4 = ipv6_addr_v4mapped(addr), ours;
	struct socket *sock;
	int rc;

	rc = sock_create_kern(h->net, v4 ? AF_INET : AF_INET6, SOCK_STREAM, IPPROTO_TCP, &sock);
	if (rc)
		return ERR_PTR(rc);
	if (!v4) { /* :: is any of either family */
		lock_sock(sock->sk);
		sock->sk->sk_ipv6only = !ipv6_addr_any(addr);
		release_sock(sock->sk);
	}
	ours = any && weft_ports_reuse(h->net, h->port, SK_CAN_REUSE);
	/* the mapper's socket allows nobody beside it */
	weft_port_reuse(sock, h->mapped ? SK_FORCE_REUSE : ours ? SK_CAN_REUSE : SK_NO_REUSE);
	rc = v4 ? kernel_bind(sock, (struct sockaddr *)&sin, sizeof(sin)) :
	     kernel_bind(sock, (struct sockaddr *)&sin6, sizeof(sin6));
	weft_port_reuse(sock, SK_NO_REUSE);
	if (ours)
		weft_ports_reuse(h->net, h->port, SK_NO_REUSE);
	if (!rc)
		return sock;
	sock_release(sock);
	return ERR_PTR(rc);
}

/* All addresses, of IPv4 alone where there is no IPv6: to ask for a socket of it would wait for modprobe, under the lock. */
static int weft_port_bind_any(struct weft_port_hold *h)
{
	struct in6_addr any = in6addr_any;
	struct socket *sock;

	if (!ipv6_mod_enabled())
		ipv6_addr_set_v4mapped(htonl(INADDR_ANY), &any);
	sock = weft_port_socket(h, &any, true);
	if (IS_ERR(sock))
		return PTR_ERR(sock);
	h->socks[h->n++] = sock;
	h->port = inet_sk(sock->sk)->inet_num; /* that of 0 is the kernel's choice */
	return 0;
}

static int weft_port_bind(struct weft_port_hold *h, const struct in6_addr *addr)
{
	struct socket *sock = weft_port_socket(h, addr, false);
	int rc = PTR_ERR_OR_ZERO(sock);

	if (!rc)
		h->socks[h->n++] = sock;
	return rc == -EADDRNOTAVAIL ? 0 : rc; /* the address went meanwhile */
}

/* addresses of the interface and of its VLANs; false: more than there is room for */
static bool weft_port_add(struct in6_addr *addrs, u32 *n, const struct in6_addr *addr)
{
	if (*n == WEFT_PORT_ADDRS)
		return false;
	addrs[(*n)++] = *addr;
	return true;
}

static bool weft_port_addrs6(struct net_device *netdev, struct in6_addr *addrs, u32 *n)
{
	struct inet6_dev *in6 = IS_ENABLED(CONFIG_IPV6) ? __in6_dev_get(netdev) : NULL;
	struct inet6_ifaddr *ifa;
	bool fits = true;

	if (!in6)
		return true;
	read_lock_bh(&in6->lock);
	list_for_each_entry(ifa, &in6->addr_list, if_list)
		if (!(ipv6_addr_type(&ifa->addr) & IPV6_ADDR_LINKLOCAL) &&
		    !(ifa->flags & IFA_F_DADFAILED))
			fits &= weft_port_add(addrs, n, &ifa->addr);
	read_unlock_bh(&in6->lock);
	return fits;
}

static bool weft_port_addrs(struct weft_dev *dev, struct in6_addr *addrs, u32 *n)
{
	struct net_device *netdev = dev->netdev;
	struct list_head *iter = &netdev->adj_list.upper;
	struct in_ifaddr *ifa;
	struct in6_addr addr;
	bool fits = true;

	*n = 0;
	rcu_read_lock();
	do {
		struct in_device *in = __in_dev_get_rcu(netdev);

		if (netdev != dev->netdev && !is_vlan_dev(netdev))
			continue;
		fits &= weft_port_addrs6(netdev, addrs, n);
		if (!in)
			continue;
		in_dev_for_each_ifa_rcu(ifa, in) {
			ipv6_addr_set_v4mapped(ifa->ifa_local, &addr);
			fits &= weft_port_add(addrs, n, &addr);
		}
	} while ((netdev = netdev_upper_get_next_dev_rcu(dev->netdev, &iter)));
	rcu_read_unlock();
	return fits;
}

/* ---- addresses ---- */

static int weft_addr_tell(struct weft_dev *dev, const struct in6_addr *addr, bool gone)
{
	struct weft_admin_msg msg = {};
	u32 flags = weft_put_addr(WEFT_BYTES(msg.cmd, ADMIN_CM_LOCAL_ADDR), addr);

	WEFT_PUT(msg.cmd, ADMIN_CMD_OP, WEFT_ADMIN_OP_LOCAL_ADDR);
	WEFT_PUT(msg.cmd, ADMIN_CM_FLAGS, flags | (gone ? WEFT_LOCAL_ADDR_GONE : 0));
	return weft_admin_exec(dev->core, &msg);
}

static bool weft_addr_in(const struct in6_addr *addr, const struct in6_addr *list, u32 n)
{
	while (n)
		if (ipv6_addr_equal(&list[--n], addr))
			return true;
	return false;
}

/* Whether all of them are known to the card now. */
static bool weft_addr_add(struct weft_dev *dev, const struct in6_addr *now, u32 n)
{
	bool all = true;
	u32 i;

	for (i = 0; i < n; i++) {
		if (weft_addr_in(&now[i], dev->addrs, dev->n_addrs) ||
		    (!ipv6_addr_v4mapped(&now[i]) && !weft_has_ipv6(dev)))
			continue;
		if (dev->n_addrs == WEFT_PORT_ADDRS || weft_addr_tell(dev, &now[i], false))
			all = false;
		else
			dev->addrs[dev->n_addrs++] = now[i];
	}
	return all;
}

/* New ones first: from the first on the card answers for those that it knows. Then those for which room came. */
static void weft_addr_work(struct work_struct *work)
{
	struct weft_dev *dev = container_of(work, struct weft_dev, addr_work);
	struct in6_addr *now = dev->addrs_now;
	u32 i, n, kept = 0;
	bool all;

	all = weft_port_addrs(dev, now, &n);
	weft_addr_add(dev, now, n);
	for (i = 0; i < dev->n_addrs; i++)
		if (weft_addr_in(&dev->addrs[i], now, n) ||
		    weft_addr_tell(dev, &dev->addrs[i], true))
			dev->addrs[kept++] = dev->addrs[i];
	dev->n_addrs = kept;
	all &= weft_addr_add(dev, now, n);
	if (!all && !weft_core_dead(dev->core))
		ibdev_warn_ratelimited(&dev->ibdev,
				       "more addresses than the card knows: listeners on any answer at %u\n",
				       dev->n_addrs);
}

void weft_addrs_changed(struct weft_dev *dev)
{
	queue_work(dev->wq, &dev->addr_work);
}

static int weft_addr_event(struct notifier_block *nb, unsigned long event, void *ctx)
{
	weft_addrs_changed(container_of(nb, struct weft_dev, addr_nb));
	return NOTIFY_DONE;
}

static int weft_addr6_event(struct notifier_block *nb, unsigned long event, void *ctx)
{
	weft_addrs_changed(container_of(nb, struct weft_dev, addr6_nb));
	return NOTIFY_DONE;
}

/* ---- ports ---- */

static void weft_port_close(struct weft_port_hold *h)
{
	while (h->n)
		sock_release(h->socks[--h->n]);
}

static void weft_port_free(struct weft_port_hold *h)
{
	list_del(&h->link);
	weft_port_close(h);
	kfree(h);
}

static struct weft_port_hold *weft_port_new(struct weft_dev *dev, struct net *net, bool any,
					    u16 port, bool mapped)
{
	struct weft_port_hold *h = kzalloc(sizeof(*h), GFP_KERNEL);
	struct in6_addr *addrs;
	u32 i, n = 0;
	int rc = 0;

	if (!h)
		return ERR_PTR(-ENOMEM);
	addrs = kcalloc(WEFT_PORT_ADDRS, sizeof(*addrs), GFP_KERNEL);
	if (!addrs) {
		kfree(h);
		return ERR_PTR(-ENOMEM);
	}
	h->net = net;
	h->port = port;
	h->chosen = !port;
	h->mapped = mapped && weft_port_is_local(net, port);
	if (any || !weft_port_addrs(dev, addrs, &n)) {
		n = 0;
		rc = weft_port_bind_any(h);
	} else {
		h->dev = dev;
	}
	for (i = 0; i < n && !rc; i++)
		rc = weft_port_bind(h, &addrs[i]);
	kfree(addrs);
	list_add(&h->link, &weft_ports);
	if (!rc)
		return h;
	weft_port_free(h);
	return ERR_PTR(rc);
}

static struct weft_port_hold *weft_port_find(const struct weft_dev *dev, const struct net *net,
					     bool any, u16 port)
{
	struct weft_port_hold *h;

	list_for_each_entry(h, &weft_ports, link)
		if (h->port == port && h->net == net && (!h->dev || (h->dev == dev && !any)))
			return h;
	return NULL;
}

/* The interface may be on its way out of a namespace that ends. */
static struct net *weft_port_net(struct weft_dev *dev)
{
	struct net *net;

	rcu_read_lock();
	net = maybe_get_net(dev_net(dev->netdev));
	rcu_read_unlock();
	return net;
}

/*
 * @any: on all addresses. @mapped: the port mapper has chosen it. Connections and listeners of a
 * card share a port. One of number 0 is any that is free on all addresses, and of one connection: rdma_cm does not know it.
 */
struct weft_port_hold *weft_port_get(struct weft_dev *dev, bool any, u16 port, bool mapped)
{
	struct net *net = weft_port_net(dev);
	struct weft_port_hold *h;

	if (!net)
		return ERR_PTR(-ENETDOWN);
	mutex_lock(&weft_ports_lock);
	h = weft_port_find(dev, net, any, port);
	if (h && h->chosen && !any)
		h = ERR_PTR(-EADDRINUSE);
	if (!h)
		h = weft_port_new(dev, net, any, port, mapped);
	if (!IS_ERR(h))
		h->refs++;
	mutex_unlock(&weft_ports_lock);
	put_net(net);
	return h;
}

/* one that the kernel gives to who names none */
bool weft_port_is_drawn(struct weft_dev *dev, u16 port)
{
	struct net *net = weft_port_net(dev);
	bool drawn = net && weft_port_is_local(net, port);

	if (net)
		put_net(net);
	return drawn;
}

/* kept in the namespace that the interface is in */
bool weft_port_is_here(struct weft_dev *dev, const struct weft_port_hold *h)
{
	bool here;

	mutex_lock(&weft_ports_lock);
	rcu_read_lock();
	here = h->net == dev_net(dev->netdev);
	rcu_read_unlock();
	mutex_unlock(&weft_ports_lock);
	return here;
}

u16 weft_port_number(const struct weft_port_hold *h)
{
	return h->port;
}

struct weft_port_hold *weft_port_share(struct weft_port_hold *h)
{
	mutex_lock(&weft_ports_lock);
	h->refs++;
	mutex_unlock(&weft_ports_lock);
	return h;
}

static void weft_ports_expire(struct work_struct *work);
static DECLARE_DELAYED_WORK(weft_ports_work, weft_ports_expire);

/* @linger: the card may be in TIME-WAIT on this port */
void weft_port_put(struct weft_port_hold *h, bool linger)
{
	unsigned long until = jiffies + WEFT_PORT_LINGER;

	mutex_lock(&weft_ports_lock);
	if (linger)
		h->until = until;
	if (!--h->refs) {
		if (h->net && h->until && time_before(jiffies, h->until))
			queue_delayed_work(system_long_wq, &weft_ports_work, h->until - jiffies);
		else
			weft_port_free(h);
	}
	mutex_unlock(&weft_ports_lock);
}

static void weft_ports_expire(struct work_struct *work)
{
	struct weft_port_hold *h, *next;
	unsigned long first = 0;

	mutex_lock(&weft_ports_lock);
	list_for_each_entry_safe(h, next, &weft_ports, link) {
		if (h->refs)
			continue;
		if (time_before(jiffies, h->until)) {
			if (!first || time_before(h->until, first))
				first = h->until;
			continue;
		}
		weft_port_free(h);
	}
	if (first)
		queue_delayed_work(system_long_wq, &weft_ports_work,
				   max_t(long, first - jiffies, 1));
	mutex_unlock(&weft_ports_lock);
}

/* The interface is in another namespace, and the card still in TIME-WAIT. A port that the host has there is the host's. */
static void weft_ports_moved(struct weft_dev *dev)
{
	struct net *net = weft_port_net(dev);
	struct weft_port_hold *h, *here;

	if (!net)
		return;
	mutex_lock(&weft_ports_lock);
	list_for_each_entry(h, &weft_ports, link) { /* new ones are in front */
		if (h->net == net || (h->dev && h->dev != dev) || !h->until ||
		    !time_before(jiffies, h->until))
			continue;
		here = weft_port_find(dev, net, true, h->port);
		if (!here)
			here = weft_port_new(dev, net, true, h->port, h->mapped);
		if (IS_ERR(here))
			continue;
		if (!here->until || time_before(here->until, h->until))
			here->until = h->until;
		if (!here->refs)
			queue_delayed_work(system_long_wq, &weft_ports_work, here->until - jiffies);
	}
	mutex_unlock(&weft_ports_lock);
	put_net(net);
}

/* What a card, or a connection of a namespace that lives on, still has is a number alone from here on. */
static void __net_exit weft_ports_net_exit(struct net *net)
{
	struct weft_port_hold *h, *next;

	mutex_lock(&weft_ports_lock);
	list_for_each_entry_safe(h, next, &weft_ports, link) {
		if (h->net != net)
			continue;
		weft_port_close(h);
		h->net = NULL;
		if (!h->refs)
			weft_port_free(h);
	}
	mutex_unlock(&weft_ports_lock);
}

static struct pernet_operations weft_ports_net_ops = {
	.exit = weft_ports_net_exit,
};

/* ---- the interface's namespace ---- */

static void weft_net_work(struct work_struct *work)
{
	struct weft_dev *dev = container_of(work, struct weft_dev, net_work);

	weft_ports_moved(dev);
	weft_cm_moved(dev);
}

/* In the rtnl lock, which cm_lock is not taken with. An interface that has moved is registered in its new namespace. */
static int weft_net_event(struct notifier_block *nb, unsigned long event, void *ctx)
{
	struct weft_dev *dev = container_of(nb, struct weft_dev, net_nb);

	if (event == NETDEV_REGISTER && netdev_notifier_info_to_dev(ctx) == dev->netdev)
		queue_work(dev->wq, &dev->net_work);
	return NOTIFY_DONE;
}

int weft_ports_start(void)
{
	return register_pernet_subsys(&weft_ports_net_ops);
}

/* no card is left, and none of their holds */
void weft_ports_stop(void)
{
	unregister_pernet_subsys(&weft_ports_net_ops);
	cancel_delayed_work_sync(&weft_ports_work);
}

int weft_ports_init(struct weft_dev *dev)
{
	int rc;

	INIT_WORK(&dev->addr_work, weft_addr_work);
	INIT_WORK(&dev->net_work, weft_net_work);
	dev->net_nb.notifier_call = weft_net_event;
	rc = register_netdevice_notifier(&dev->net_nb);
	if (rc)
		return rc;
	mutex_lock(&weft_ports_lock);
	weft_ports_devs++;
	mutex_unlock(&weft_ports_lock);
	dev->addr_nb.notifier_call = weft_addr_event;
	register_inetaddr_notifier(&dev->addr_nb);
	dev->addr6_nb.notifier_call = weft_addr6_event;
	register_inet6addr_notifier(&dev->addr6_nb);
	return 0;
}

/* Nobody holds one of its own any more; those that linger go with it. One of all addresses may be another card's. */
static void weft_ports_leave(struct weft_dev *dev)
{
	struct weft_port_hold *h, *next;

	mutex_lock(&weft_ports_lock);
	weft_ports_devs--;
	list_for_each_entry_safe(h, next, &weft_ports, link)
		if (h->dev == dev || !weft_ports_devs)
			weft_port_free(h);
	mutex_unlock(&weft_ports_lock);
}

void weft_ports_fini(struct weft_dev *dev)
{
	unregister_inet6addr_notifier(&dev->addr6_nb);
	unregister_inetaddr_notifier(&dev->addr_nb);
	unregister_netdevice_notifier(&dev->net_nb);
	cancel_work_sync(&dev->net_work);
	cancel_work_sync(&dev->addr_work);
	while (dev->n_addrs) /* the card may live on, and must not answer for what goes meanwhile */
		weft_addr_tell(dev, &dev->addrs[--dev->n_addrs], true);
	weft_ports_leave(dev);
}
