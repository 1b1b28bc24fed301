// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Functions of the network device, which driver/Makefile takes out of its files, with what may come in between: a poll that has told
 * NAPI that it is complete and has not returned, a busy poll as soon as there may be one, a module whose bus hangs.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;

#define HZ 250u
#define ETIMEDOUT 110
#define EIO 5
#define ENODEV 19
#define ENXIO 6
#define EAGAIN 11
#define WEFT_QSFP_CODE 64
#define WEFT_MODULE_ID 0x50
#define WEFT_MODULE_UPPER 128
#define WEFT_PORT_CAGE_PRESENT_MASK 0x100u
#define WEFT_PORT_CAGE_BLIND_MASK 0x200u
#define WEFT_PORT_CAGE_CHANGES_MASK 0xffff0000u
#define FIELD_GET(m, v) (((v) & (m)) / ((m) & -(m)))
#define BUILD_BUG_ON(x) _Static_assert(!(x), #x)
#define WRITE_ONCE(x, v) ((x) = (v))
#define container_of(p, t, m) ((t *)((char *)(p) - offsetof(t, m)))
#define time_before(a, b) ((int32_t)((u32)(a) - (u32)(b)) < 0)
enum { WEFT_DB_L2_TX, WEFT_DB_L2_RX };
enum {
	WEFT_MODULE_RESULT_OK, WEFT_MODULE_RESULT_ABSENT, WEFT_MODULE_RESULT_NO_ANSWER, WEFT_MODULE_RESULT_REFUSED, WEFT_MODULE_RESULT_LOST,
	WEFT_MODULE_RESULT_SLOW, WEFT_MODULE_RESULT_STUCK, WEFT_MODULE_RESULT_GONE
};

struct napi_struct { bool on; };
struct pool { struct { struct napi_struct *napi; } p; };
#define weft_pool_napi(pool, of) ((pool)->p.napi = (of))
struct ring { u16 pi, cq_ci; };
struct weft_rings { struct ring tx, rx; struct pool *pool; bool gone; };
struct net_device { bool queue; };
struct weft_netdev {
	struct napi_struct napi;
	struct net_device *netdev;
	struct weft_rings *r;
	void *core;
	int refill;
	u8 module_id[65];
	bool module_known, module_sfp;
	u16 module_seen;
	int module_rc;
	unsigned long module_at;
};
struct weft_module_kind { bool sfp, paged; };

static unsigned long jiffies = 1000;
static int bad;
static struct net_device netdev;
static struct pool pool;
static struct weft_rings rings = { .pool = &pool };
static struct weft_netdev nd = { .netdev = &netdev };
static bool poll_returns = true;	/* false: complete, and its doorbells are still to come */
static unsigned doorbells, asked;
static int module_says;

static void check(bool ok, const char *what)
{
	if (!ok)
		printf("not ok %s\n", what);
	bad |= !ok;
}

int weft_poll(struct napi_struct *napi, int budget);
static void on_complete(void);

static void weft_tx_clean(struct weft_netdev *n, int budget) { (void)n; (void)budget; }
static int weft_rx_poll(struct weft_netdev *n, int budget) { (void)n; return budget - 1; }
static bool napi_complete_done(struct napi_struct *n, int done) { (void)n; (void)done; on_complete(); return true; }
static void weft_l2_doorbell(struct weft_netdev *n, int which, u16 index, bool arm)
{
	(void)n; (void)which; (void)index; (void)arm;
	doorbells++;
}
/* It waits for SCHED, which a poll that is complete has cleared. */
static void napi_disable(struct napi_struct *n) { n->on = false; }
static void synchronize_net(void) { poll_returns = true; }
/* A busy poll comes at once, finds room and wakes the queue. */
static void napi_enable(struct napi_struct *n)
{
	n->on = true;
	netdev.queue = true;
}
static void timer_delete_sync(int *t) { (void)t; }
static void netif_tx_disable(struct net_device *d) { d->queue = false; }
static void netif_tx_wake_all_queues(struct net_device *d) { d->queue = true; }
static void netdev_reset_queue(struct net_device *d) { (void)d; }
static bool weft_can_offload(struct weft_netdev *n) { (void)n; return true; }
static void weft_tx_scaling(struct weft_netdev *n, struct weft_rings *r)
{
	(void)n;
	check(!netdev.queue, "scaling is put into the ring beside transmit");
	r->tx.pi++;
}
static int weft_rings_command(struct weft_netdev *n, struct weft_rings *r, bool enable)
{
	(void)n; (void)r;
	check(enable || poll_returns, "rings are taken back while a poll still rings their doorbells");
	return 0;
}
static void weft_core_quiesce(void *core, const char *why) { (void)core; (void)why; }
static void weft_rings_empty(struct weft_netdev *n, struct weft_rings *r)
{
	(void)n;
	r->gone = true;
}
static int weft_module_kind(struct weft_netdev *n, u32 cage, struct weft_module_kind *kind)
{
	(void)n; (void)cage;
	*kind = (struct weft_module_kind){};
	asked++;
	return module_says;
}
static int weft_module_read(struct weft_netdev *n, u8 addr, int page, u32 off, u32 len, u8 *data)
{
	(void)n; (void)addr; (void)page; (void)off;
	memset(data, 3, len);
	return module_says;
}

#include "cut.h"

/* Somebody takes the interface down now. */
static bool stops;
static void on_complete(void)
{
	if (!stops)
		return;
	poll_returns = false;
	weft_rings_stop(&nd);
}

static void polls(void)
{
	check(!weft_rings_start(&nd, &rings) && rings.tx.pi == 1, "start");
	weft_poll(&nd.napi, 64);
	check(doorbells == 5, "doorbells");
	stops = true;
	weft_poll(&nd.napi, 64);
	check(rings.gone && !netdev.queue, "stop");
}

/* How often it is asked in so many seconds, when somebody wants to know ten times in each. */
static unsigned asks(unsigned seconds, u32 cage)
{
	const u8 *id;
	unsigned i;

	asked = 0;
	for (i = 0; i < seconds * 10; i++) {
		jiffies += HZ / 10;
		check(weft_module_id(&nd, cage, &id) == module_says, "what a module says");
	}
	return asked;
}

static void modules(void)
{
	u32 cage = WEFT_PORT_CAGE_PRESENT_MASK;

	module_says = -ENXIO;
	check(asks(10, cage) == 10, "one that does not answer is asked once in a second");
	module_says = weft_module_errno(WEFT_MODULE_RESULT_REFUSED);
	nd.module_known = false;
	check(asks(10, cage) == 10, "one that refuses a byte is asked once in a second");
	check(module_says == weft_module_errno(WEFT_MODULE_RESULT_NO_ANSWER), "a refusal is tried again at once, as what is not answered is");
	module_says = -ETIMEDOUT;
	nd.module_known = false;
	check(asks(119, cage) == 2, "one whose bus hangs is asked once in a minute");
	module_says = weft_module_errno(WEFT_MODULE_RESULT_STUCK);
	nd.module_known = false;
	check(asks(119, cage) == 2, "one that keeps a line of its bus low is asked once in a minute");
	cage += WEFT_PORT_CAGE_CHANGES_MASK & -WEFT_PORT_CAGE_CHANGES_MASK;
	check(asks(1, cage) == 1, "another one is asked at once");
	module_says = 0;
	cage += WEFT_PORT_CAGE_CHANGES_MASK & -WEFT_PORT_CAGE_CHANGES_MASK;
	check(asks(100, cage) == 1, "one that has answered is not asked again");
	cage |= WEFT_PORT_CAGE_BLIND_MASK;
	check(asks(10, cage) == 10, "one that may be another is asked once in a second");
	module_says = -ETIMEDOUT;
	nd.module_known = false;
	check(asks(59, cage) == 1, "one whose bus hangs, where nobody sees another one come");
}

int main(void)
{
	polls();
	modules();
	return bad;
}
