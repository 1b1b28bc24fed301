// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * What cards keep of the host's TCP ports, by weft_port.c, which driver/Makefile takes these functions out of: two cards in one
 * namespace and a third in another, beside sockets of the host, with time that passes, cards that go and a namespace that ends. As
 * long as a card may answer at a port the host cannot bind it; what is nobody's any more is the host's again.
 *
 *   ports SEED STEPS
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "test.h"

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;

#define HZ 250
#define GFP_KERNEL 0
#define WEFT_PORT_ADDRS 64
#define WEFT_PORT_LINGER (65 * HZ)
#define AF_INET 2
#define AF_INET6 10
#define SOCK_STREAM 1
#define IPPROTO_TCP 6
#define INADDR_ANY 0
#define ENOMEM 12
#define ENETDOWN 100
#define EAFNOSUPPORT 97
#define EADDRINUSE 98
#define EADDRNOTAVAIL 99
#define SK_NO_REUSE 0
#define SK_CAN_REUSE 1
#define SK_FORCE_REUSE 2
#define __net_exit
#define htons(x) (x)
#define htonl(x) (x)
#define container_of(p, t, m) ((t *)((char *)(p) - offsetof(t, m)))
#define list_for_each_entry(p, h, m) \
	for (p = container_of((h)->next, __typeof__(*p), m); &p->m != (h); p = container_of(p->m.next, __typeof__(*p), m))
#define list_for_each_entry_safe(p, n, h, m) \
	for (p = container_of((h)->next, __typeof__(*p), m), n = container_of(p->m.next, __typeof__(*p), m); \
	     &p->m != (h); p = n, n = container_of(n->m.next, __typeof__(*n), m))
#define time_before(a, b) ((long)((a) - (b)) < 0)
#define max_t(t, a, b) ((t)(a) > (t)(b) ? (t)(a) : (t)(b))
#define ERR_PTR(rc) ((void *)(long)(rc))
#define PTR_ERR(p) ((long)(p))
#define IS_ERR(p) ((unsigned long)(p) >= -4095ul)
#define PTR_ERR_OR_ZERO(p) (IS_ERR(p) ? PTR_ERR(p) : 0)
#define system_long_wq NULL
#define DECLARE_DELAYED_WORK(name, f) struct delayed_work name

struct list_head { struct list_head *next, *prev; };
struct mutex { bool held; };
struct work_struct { int nothing; };
struct delayed_work { bool queued; unsigned long at; };
struct in6_addr { union { u8 s6_addr[16]; u32 s6_addr32[4]; }; };
struct in_addr { u32 s_addr; };
struct sockaddr { u16 family; };
struct sockaddr_in6 { u16 sin6_family, sin6_port; struct in6_addr sin6_addr; };
struct sockaddr_in { u16 sin_family, sin_port; struct in_addr sin_addr; };
struct sockaddr_storage { u16 port; };
struct iw_cm_id { struct sockaddr_storage local_addr, m_local_addr; bool mapped; };
struct net { int refs; bool ends; };
static bool no_ipv6;
static bool ipv6_mod_enabled(void) { return !no_ipv6; }
struct sock { bool sk_ipv6only, locked; unsigned char sk_reuse; u16 inet_num; };
struct socket {
	struct sock *sk, s;
	struct list_head link;
	struct net *net;
	struct in6_addr addr;
	int family;
};
struct net_device { struct net *net; };
struct weft_dev { struct net_device *netdev, nd; u32 first, n; int ibdev; };

static const struct in6_addr in6addr_any;
static struct list_head weft_ports = { &weft_ports, &weft_ports };
static struct list_head socks = { &socks, &socks };
static struct mutex weft_ports_lock;
static u32 weft_ports_devs;
static unsigned long jiffies = 1000;

/* ---- the kernel ---- */

static void list_add(struct list_head *e, struct list_head *h)
{
	e->next = h->next;
	e->prev = h;
	h->next->prev = e;
	h->next = e;
}
static void list_del(struct list_head *e)
{
	e->prev->next = e->next;
	e->next->prev = e->prev;
}
static void mutex_lock(struct mutex *m)
{
	if (m->held)
		fail("a lock that is held", 0, 0);
	m->held = true;
}
static void mutex_unlock(struct mutex *m) { m->held = false; }
static void *kzalloc(size_t n, int gfp) { (void)gfp; return calloc(1, n); }
static void *kcalloc(size_t n, size_t of, int gfp) { (void)gfp; return calloc(n, of); }
static void kfree(void *p) { free(p); }
static void rcu_read_lock(void) {}
static void rcu_read_unlock(void) {}
static struct net *dev_net(const struct net_device *nd) { return nd->net; }
static struct net *maybe_get_net(struct net *net)
{
	if (net->ends)
		return NULL;
	net->refs++;
	return net;
}
static void put_net(struct net *net) { net->refs--; }
static struct sock *inet_sk(struct sock *sk) { return sk; }
static void lock_sock(struct sock *sk) { sk->locked = true; }
static void release_sock(struct sock *sk) { sk->locked = false; }
static void queue_delayed_work(void *wq, struct delayed_work *w, unsigned long after)
{
	(void)wq;
	if (!w->queued)
		w->at = jiffies + after;
	w->queued = true;
}
static bool ipv6_addr_equal(const struct in6_addr *a, const struct in6_addr *b) { return !memcmp(a, b, sizeof(*a)); }
static bool ipv6_addr_any(const struct in6_addr *a) { return ipv6_addr_equal(a, &in6addr_any); }
static void ipv6_addr_set_v4mapped(u32 v4, struct in6_addr *a)
{
	*a = (struct in6_addr){};
	a->s6_addr[10] = a->s6_addr[11] = 0xff;
	a->s6_addr32[3] = v4;
}
static bool ipv6_addr_v4mapped(const struct in6_addr *a)
{
	return !a->s6_addr32[0] && !a->s6_addr32[1] && !a->s6_addr[8] && a->s6_addr[10] == 0xff;
}
static int sock_create_kern(struct net *net, int family, int type, int proto, struct socket **sock)
{
	(void)type; (void)proto;
	if (net->ends || !net->refs)
		fail("a socket in a namespace that may end", net->ends, net->refs);
	if (family == AF_INET6 && no_ipv6)
		fail("a module is asked for under the lock", family, 0);
	*sock = calloc(1, sizeof(**sock));
	(*sock)->sk = &(*sock)->s;
	(*sock)->net = net;
	(*sock)->family = family;
	return 0;
}
static bool is_any(const struct socket *s)
{
	return ipv6_addr_any(&s->addr) || (s->family == AF_INET && !s->addr.s6_addr32[3]);
}
static bool meets(const struct socket *a, const struct socket *b)
{
	if (a->family != b->family &&
	    (a->family == AF_INET6 ? a->sk->sk_ipv6only || !is_any(a) : b->sk->sk_ipv6only || !is_any(b)))
		return false;
	return is_any(a) || is_any(b) || ipv6_addr_equal(&a->addr, &b->addr);
}
static struct socket *in_the_way(const struct socket *sock)
{
	struct socket *s;

	list_for_each_entry(s, &socks, link)
		if (s->net == sock->net && s->sk->inet_num == sock->sk->inet_num && meets(s, sock) &&
		    !(s->sk->sk_reuse && sock->sk->sk_reuse))
			return s;
	return NULL;
}
static int kernel_bind(struct socket *sock, struct sockaddr *sa, int len)
{
	struct sockaddr_in6 *sin6 = (void *)sa;
	struct sockaddr_in *sin = (void *)sa;

	(void)len;
	if (sa->family == AF_INET6)
		sock->addr = sin6->sin6_addr;
	else
		ipv6_addr_set_v4mapped(sin->sin_addr.s_addr, &sock->addr);
	sock->sk->inet_num = sa->family == AF_INET6 ? sin6->sin6_port : sin->sin_port;
	if (!sock->sk->inet_num) {
		sock->sk->inet_num = 100;
		while (in_the_way(sock))
			sock->sk->inet_num++;
	} else if (sock->sk->sk_reuse != SK_FORCE_REUSE && in_the_way(sock)) {
		return -EADDRINUSE;
	}
	list_add(&sock->link, &socks);
	return 0;
}
static void sock_release(struct socket *sock)
{
	if (sock->link.next)
		list_del(&sock->link);
	free(sock);
}
static bool weft_port_is_local(struct net *net, u16 port) { (void)net; return port >= 100; }
static bool weft_port_addrs(struct weft_dev *dev, struct in6_addr *addrs, u32 *n)
{
	for (*n = 0; *n < dev->n && *n < WEFT_PORT_ADDRS; ++*n)
		ipv6_addr_set_v4mapped(dev->first + *n, &addrs[*n]);
	return dev->n <= WEFT_PORT_ADDRS;
}

static void weft_port_reuse(struct socket *sock, unsigned char reuse)
{
	lock_sock(sock->sk);
	sock->sk->sk_reuse = reuse;
	release_sock(sock->sk);
}

static u16 weft_sock_port(const struct sockaddr_storage *ss) { return ss->port; }
static void weft_sock_set_port(struct sockaddr_storage *ss, u16 port) { ss->port = port; }
static bool weft_is_any(const struct sockaddr_storage *ss) { (void)ss; return false; }

static bool weft_is_mapped(const struct iw_cm_id *cm_id);
struct weft_listener;
static int weft_listener_on(struct weft_dev *dev, struct weft_listener *li);
static int weft_listener_off(struct weft_dev *dev, struct weft_listener *li);
static u32 warnings;
#define ibdev_warn_ratelimited(...) (warnings++)

#pragma GCC diagnostic ignored "-Wunused-parameter"
#include "cut.h"

/* ---- the card ---- */

static int weft_listener_on(struct weft_dev *dev, struct weft_listener *li)
{
	li->on = true;
	return 0;
}

static int weft_listener_off(struct weft_dev *dev, struct weft_listener *li)
{
	li->on = false;
	return 0;
}

/* ---- the host ---- */

#define DEVS 3
#define HOLDS 24

static struct net nets[2] = { { .refs = 1 }, { .refs = 1 } };
static struct weft_dev devs[DEVS];
static struct weft_port_hold *holds[HOLDS];
static int of[HOLDS];		/* the card */
static bool any[HOLDS];

static struct socket *host(struct net *net, u32 addr, u16 port, unsigned char reuse)
{
	struct sockaddr_in sin = { .sin_family = AF_INET, .sin_port = port, .sin_addr.s_addr = addr };
	struct socket *s;

	net->refs++;
	sock_create_kern(net, AF_INET, SOCK_STREAM, IPPROTO_TCP, &s);
	net->refs--;
	s->sk->sk_reuse = reuse;
	if (!kernel_bind(s, (struct sockaddr *)&sin, sizeof(sin)))
		return s;
	sock_release(s);
	return NULL;
}

static void expect(bool ok, const char *what)
{
	if (!ok)
		fail(what, weft_ports_devs, jiffies);
}

static bool host_can(struct net *net, u32 addr, u16 port)
{
	struct socket *s = host(net, addr, port, SK_CAN_REUSE);

	if (s)
		sock_release(s);
	return s;
}

static void passes(unsigned long ticks)
{
	jiffies += ticks;
	if (!weft_ports_work.queued || time_before(jiffies, weft_ports_work.at))
		return;
	weft_ports_work.queued = false;
	weft_ports_expire(NULL);
}

static void begin(void)
{
	u32 i;

	for (i = 0; i < DEVS; i++) {
		devs[i] = (struct weft_dev){ .netdev = &devs[i].nd, .nd.net = &nets[i / 2], .first = 10 * (i + 1), .n = 2 };
		weft_ports_devs++;
	}
}

static void end(void)
{
	u32 i;

	for (i = 0; i < DEVS; i++)
		weft_ports_leave(&devs[i]);
	expect(weft_ports.next == &weft_ports && socks.next == &socks, "something is left");
}

static void cases(void)
{
	struct weft_dev *a = &devs[0], *b = &devs[1], *other = &devs[2];
	struct weft_port_hold *h[4];
	struct socket *s;

	/* rdma_cm listens on any address on each card */
	begin();
	h[0] = weft_port_get(a, true, 7, false);
	h[1] = weft_port_get(b, true, 7, false);
	h[2] = weft_port_get(other, true, 7, false);
	expect(!IS_ERR(h[0]) && h[1] == h[0], "two cards of a namespace listen on any address");
	expect(!IS_ERR(h[2]) && h[2] != h[0], "and one of another namespace beside them");
	weft_port_put(h[0], false);
	expect(!host_can(&nets[0], 99, 7), "the second card keeps it");
	weft_port_put(h[1], false);
	expect(host_can(&nets[0], 99, 7) && !host_can(&nets[1], 99, 7), "nobody keeps it, but the other namespace");
	weft_port_put(h[2], false);

	/* a card has a connection, the other one listens first */
	h[0] = weft_port_get(a, false, 7, false);
	h[1] = weft_port_get(b, false, 7, false);
	expect(h[0] != h[1] && host_can(&nets[0], 99, 7) && !host_can(&nets[0], 11, 7) && !host_can(&nets[0], 20, 7),
	       "addresses are a card's");
	h[2] = weft_port_get(b, true, 7, false);
	h[3] = weft_port_get(a, true, 7, false);
	expect(!IS_ERR(h[2]) && h[3] == h[2] && !host_can(&nets[0], 99, 7), "a listener beside connections of both");
	weft_port_put(h[2], false);
	weft_port_put(h[3], false);
	expect(host_can(&nets[0], 99, 7) && !host_can(&nets[0], 11, 7), "which keep theirs when it goes");

	/* they are in TIME-WAIT */
	weft_port_put(h[0], true);
	passes(HZ);
	weft_port_put(h[1], true);
	passes(63 * HZ);
	expect(!host_can(&nets[0], 11, 7) && !host_can(&nets[0], 20, 7), "a connection lingers");
	passes(HZ);
	expect(host_can(&nets[0], 11, 7) && !host_can(&nets[0], 20, 7), "as long as it may");
	passes(HZ);
	expect(host_can(&nets[0], 20, 7), "and the next one");

	/* the host has it */
	s = host(&nets[0], 99, 7, SK_NO_REUSE);
	expect(weft_port_get(a, true, 7, false) == ERR_PTR(-EADDRINUSE), "a port of the host");
	h[0] = weft_port_get(a, false, 7, false);
	expect(!IS_ERR(h[0]) && weft_port_get(b, true, 7, false) == ERR_PTR(-EADDRINUSE), "also beside our own");
	expect(!host_can(&nets[0], 11, 7), "which allow nobody beside them then");
	weft_port_put(h[0], false);
	sock_release(s);

	/* the kernel chooses */
	s = host(&nets[0], 11, 100, SK_NO_REUSE);
	h[0] = weft_port_get(a, true, 0, false);
	h[1] = weft_port_get(a, true, 0, false);
	expect(!IS_ERR(h[0]) && weft_port_number(h[0]) == 101 && weft_port_number(h[1]) == 102, "a free port");
	expect(weft_port_get(b, false, 101, false) == ERR_PTR(-EADDRINUSE), "which is of one connection");
	weft_port_put(h[0], false);
	weft_port_put(h[1], false);

	/* beside the port mapper's socket, in its range alone */
	h[0] = weft_port_get(a, false, 100, true);
	expect(!IS_ERR(h[0]), "beside a mapper");
	sock_release(s);
	expect(!host_can(&nets[0], 11, 100), "and without it");
	weft_port_put(h[0], false);

	/* without IPv6 */
	no_ipv6 = true;
	h[0] = weft_port_get(a, true, 7, false);
	expect(!IS_ERR(h[0]) && weft_port_get(b, true, 7, false) == h[0] && !host_can(&nets[0], 5, 7), "IPv4 alone");
	no_ipv6 = false;
	weft_port_put(h[0], false);

	/* the first card goes, and has connections in TIME-WAIT; so has the other */
	h[1] = weft_port_get(a, false, 8, false);
	weft_port_put(h[1], true);
	weft_port_put(h[0], true);
	weft_ports_leave(a);
	expect(host_can(&nets[0], 11, 8) && !host_can(&nets[0], 11, 7), "a card goes");
	weft_ports_devs++;

	/* more addresses than are looked at */
	a->n = WEFT_PORT_ADDRS + 1;
	h[0] = weft_port_get(a, false, 9, false);
	expect(weft_port_get(b, true, 9, false) == h[0], "more addresses than there is room for are all");
	weft_port_put(h[0], false);
	weft_port_put(h[0], false);

	/* a namespace ends, and another one has its place in memory */
	h[0] = weft_port_get(other, true, 7, false);
	h[1] = weft_port_get(other, false, 8, false);
	weft_port_put(h[1], true);
	expect(nets[1].refs == 1, "a namespace is held");
	nets[1].ends = true;
	weft_ports_net_exit(&nets[1]);
	expect(weft_port_get(other, true, 7, false) == ERR_PTR(-ENETDOWN), "a namespace that ends");
	nets[1].ends = false;
	expect(host_can(&nets[1], 99, 7) && host_can(&nets[1], 30, 8), "takes the sockets with it");
	h[1] = weft_port_get(other, true, 7, false);
	expect(h[1] != h[0], "what was of it is not found");
	weft_port_put(h[0], true);
	weft_port_put(h[1], false);
	end();
}

static struct weft_port_hold *connects(struct iw_cm_id *id, u16 port, u16 mapped_to, bool mapper)
{
	*id = (struct iw_cm_id){ .local_addr.port = port, .m_local_addr.port = mapped_to, .mapped = mapper };
	return weft_connect_port(&devs[0], id);
}

/* Ports from 100 on are those that are drawn, by rdma_cm as well. */
static void connecting(void)
{
	struct weft_port_hold *h[2];
	struct socket *drawn, *low;
	struct iw_cm_id id;

	begin();
	drawn = host(&nets[0], 10, 103, SK_CAN_REUSE);
	low = host(&nets[0], 10, 99, SK_CAN_REUSE);
	h[0] = connects(&id, 102, 102, false);
	expect(!IS_ERR(h[0]) && id.m_local_addr.port == 102 && h[0]->dev == &devs[0], "a port that is free stays");
	weft_port_put(h[0], false);
	h[0] = connects(&id, 103, 103, false);
	expect(!IS_ERR(h[0]) && id.m_local_addr.port == 100 && id.local_addr.port == 100 && weft_port_number(h[0]) == 100,
	       "in place of one that was drawn there is another");
	expect(!host_can(&nets[0], 10, 100), "which is kept");
	h[1] = connects(&id, 103, 103, false);
	expect(!IS_ERR(h[1]) && id.m_local_addr.port == 101, "and the next time yet another");
	weft_port_put(h[0], false);
	weft_port_put(h[1], false);
	expect(connects(&id, 99, 99, false) == ERR_PTR(-EADDRINUSE) && id.m_local_addr.port == 99, "one that was named is named");
	h[0] = connects(&id, 103, 103, true);
	expect(!IS_ERR(h[0]) && weft_port_number(h[0]) == 100 && id.local_addr.port == 103 && id.m_local_addr.port == 103,
	       "a mapper's entries are found by the addresses");
	weft_port_put(h[0], false);
	h[0] = connects(&id, 98, 103, true);
	expect(!IS_ERR(h[0]) && id.m_local_addr.port == 103 && id.local_addr.port == 98, "and its port is taken beside it");
	weft_port_put(h[0], false);
	expect(nets[0].refs == 1, "references of a namespace");
	sock_release(drawn);
	sock_release(low);
	end();
}

static void moves(struct weft_dev *dev, struct net *net, struct weft_listener *li)
{
	dev->nd.net = net;
	weft_ports_moved(dev);
	if (li)
		weft_listener_moved(dev, li);
}

/* An interface goes to another namespace, and comes back. */
static void moving(void)
{
	struct iw_cm_id id = { .local_addr.port = 7, .m_local_addr.port = 7 };
	struct weft_dev *a = &devs[0], *b = &devs[1];
	struct weft_listener li = { .cm_id = &id, .on = true }, at = li;
	struct weft_port_hold *h;
	struct socket *s;

	begin();
	li.port = weft_port_get(a, true, 7, false);
	h = weft_port_get(b, true, 7, false);
	moves(a, &nets[1], &li);
	expect(li.on && !host_can(&nets[1], 99, 7), "a listener takes its port along");
	expect(!host_can(&nets[0], 99, 7), "that of the other card's listener stays");
	weft_port_put(h, false);
	expect(host_can(&nets[0], 99, 7), "and goes with it");
	s = host(&nets[0], 99, 7, SK_NO_REUSE);
	moves(a, &nets[0], &li);
	expect(!li.on && warnings == 1, "where the host has the port nothing listens");
	moves(a, &nets[1], &li);
	expect(li.on && !host_can(&nets[1], 99, 7), "until the interface goes on");
	sock_release(s);
	expect(host_can(&nets[0], 99, 7), "what it left is the host's");
	weft_port_put(li.port, false);
	moves(a, &nets[0], NULL);

	/* one of an address, which it leaves behind */
	at.port = weft_port_get(a, false, 7, false);
	moves(a, &nets[1], &at);
	expect(at.on && !host_can(&nets[1], 99, 7) && host_can(&nets[0], 10, 7), "a listener on an address");
	moves(a, &nets[0], &at);
	expect(at.on && host_can(&nets[1], 99, 7) && !host_can(&nets[0], 10, 7), "and back");

	/* connections in TIME-WAIT, one at the listener's port */
	weft_port_put(weft_port_share(at.port), true);
	weft_port_put(weft_port_get(a, false, 8, false), true);
	weft_port_put(weft_port_get(b, false, 9, false), true);
	passes(HZ);
	moves(a, &nets[1], &at);
	weft_port_put(at.port, false);
	expect(!host_can(&nets[1], 99, 7) && !host_can(&nets[1], 99, 8), "what lingers is taken along");
	expect(host_can(&nets[1], 99, 9), "but not what another card has");
	passes(63 * HZ);
	expect(!host_can(&nets[1], 99, 7) && !host_can(&nets[1], 99, 8), "and lingers on");
	passes(HZ);
	expect(host_can(&nets[1], 99, 7) && host_can(&nets[1], 99, 8), "as long as it would have");
	expect(nets[0].refs == 1 && nets[1].refs == 1, "references of namespaces");
	a->nd.net = &nets[0];
	end();
}

/* Nobody binds what a card may answer, for any address that it has. */
static void check(void)
{
	u32 i, k;

	for (i = 0; i < HOLDS; i++) {
		struct weft_dev *dev = &devs[of[i]];

		if (!holds[i])
			continue;
		for (k = 0; k < dev->n && k < WEFT_PORT_ADDRS; k++)
			if (host_can(dev->nd.net, dev->first + k, holds[i]->port))
				fail("the host can have a port of the card's", of[i], holds[i]->port);
		if (any[i] && host_can(dev->nd.net, 99, holds[i]->port))
			fail("the host can have a listener's port", of[i], holds[i]->port);
	}
}

static void walk(u32 steps)
{
	u32 i;

	begin();
	while (steps--) {
		i = draw(HOLDS);
		if (holds[i]) {
			weft_port_put(holds[i], draw(2));
			holds[i] = NULL;
		} else {
			of[i] = draw(DEVS);
			any[i] = draw(2);
			holds[i] = weft_port_get(&devs[of[i]], any[i], any[i] && !draw(8) ? 0 : 1 + draw(4), false);
			if (IS_ERR(holds[i])) /* the host has none of these */
				fail("a port is refused", PTR_ERR(holds[i]), of[i]);
			any[i] |= !holds[i]->dev;
		}
		passes(draw(20 * HZ));
		check();
	}
	for (i = 0; i < HOLDS; i++)
		if (holds[i])
			weft_port_put(holds[i], draw(2));
	if (draw(2))
		passes(66 * HZ);
	end();
}

int main(int argc, char **argv)
{
	seed = argc > 1 ? strtoull(argv[1], NULL, 0) : 1;
	cases();
	connecting();
	moving();
	walk(argc > 2 ? atoi(argv[2]) : 10000);
	return 0;
}
