// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Numbers of queue pairs that are gone, in weft_mr.c, which driver/Makefile takes out of it: none is free before a look at the windows
 * of its domain that began when it was gone, and many that are gone need one look. What goes while one looks waits for the next.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef uint32_t u32;

#define GFP_KERNEL 0
#define __GFP_NOFAIL 0
#define PF_EXITING 1
#define PF_KTHREAD 2
#define READ_ONCE(x) (x)
#define container_of(p, t, m) ((t *)((char *)(p) - offsetof(t, m)))
#define list_first_entry(h, t, m) container_of((h)->next, t, m)
#define list_for_each_entry_safe(p, n, h, m) \
	for (p = container_of((h)->next, __typeof__(*p), m), n = container_of(p->m.next, __typeof__(*p), m); \
	     &p->m != (h); p = n, n = container_of(n->m.next, __typeof__(*n), m))
#define LIST_HEAD(name) struct list_head name = { &(name), &(name) }

struct list_head { struct list_head *next, *prev; };
struct xarray { int nothing; };
struct work_struct { int nothing; };
struct mutex { bool held; };
typedef struct { int n; } refcount_t;
struct weft_hold { refcount_t refs; struct list_head mws; };
struct weft_dev {
	struct xarray qps;
	struct mutex gone_lock;
	struct list_head gone;
	struct work_struct gone_work;
	void *wq;
	bool registered;
};

static bool bad;

static void check(bool ok, const char *what)
{
	if (!ok && !bad)
		printf("not ok %s\n", what);
	bad |= !ok;
}

static void INIT_LIST_HEAD(struct list_head *h) { h->next = h->prev = h; }
static bool list_empty(const struct list_head *h) { return h->next == h; }
static void list_add_tail(struct list_head *e, struct list_head *h)
{
	e->prev = h->prev;
	e->next = h;
	h->prev->next = e;
	h->prev = e;
}
static void list_del(struct list_head *e)
{
	e->prev->next = e->next;
	e->next->prev = e->prev;
}
static void list_splice_init(struct list_head *from, struct list_head *to)
{
	while (!list_empty(from)) {
		struct list_head *e = from->next;

		list_del(e);
		list_add_tail(e, to);
	}
}
static void mutex_lock(struct mutex *m)
{
	check(!m->held, "a lock that is held");
	m->held = true;
}
static void mutex_unlock(struct mutex *m) { m->held = false; }
static void refcount_inc(refcount_t *r) { r->n++; }
static void weft_hold_put(struct weft_hold *h) { check(h->refs.n-- > 1, "a reference too many is given back"); }
static void *kzalloc(size_t n, int gfp) { (void)gfp; return calloc(1, n); }
static void kfree(void *p) { free(p); }
static void cond_resched(void) {}
static struct { unsigned flags; } me, *current = &me;
static bool killed;
static bool fatal_signal_pending(void *task) { (void)task; return killed; }

#define DOMAINS 3
#define QPS 400

static struct weft_dev dev = { .registered = true };
static struct weft_hold domain[DOMAINS];
static unsigned looks, looked[DOMAINS];		/* looks that began, of each */
static u32 ended_at[QPS];			/* looks at its domain when it went */
static int of[QPS];
static bool there[QPS], queued;
static u32 next_qpn = 1;
static unsigned in_a_look;			/* so many go while one looks */
static bool looking;

static void gone(int d);

static void xa_erase_irq(struct xarray *xa, u32 qpn)
{
	(void)xa;
	check(there[qpn], "a number is free twice");
	check(list_empty(&domain[of[qpn]].mws) || looked[of[qpn]] > ended_at[qpn], "a number is free before its windows were looked at");
	there[qpn] = false;
}
static void weft_mws_of_gone(struct weft_dev *d, struct weft_hold *pd)
{
	check(!d->gone_lock.held, "commands under a lock that those who end wait for");
	looks++;
	looking = true;
	while (in_a_look) {
		in_a_look--;
		gone((int)(pd - domain));
	}
	looking = false;
	looked[pd - domain]++;
}
static void queue_work(void *wq, struct work_struct *w) { (void)wq; (void)w; queued = true; }

#include "cut.h"

static void gone(int d)
{
	u32 qpn = next_qpn++;

	of[qpn] = d;
	there[qpn] = true;
	ended_at[qpn] = looked[d] + looking; /* one that is under way does not count */
	weft_qpn_free(&dev, qpn, &domain[d]);
}

static void work(void)
{
	while (queued) {
		queued = false;
		weft_gone_work(&dev.gone_work);
	}
}

static unsigned left(void)
{
	unsigned n = 0, i;

	for (i = 0; i < QPS; i++)
		n += there[i];
	return n;
}

int main(void)
{
	struct list_head window[DOMAINS];
	int i;

	INIT_LIST_HEAD(&dev.gone);
	for (i = 0; i < DOMAINS; i++) {
		domain[i].refs.n = 1;
		INIT_LIST_HEAD(&domain[i].mws);
	}
	me.flags = PF_EXITING;
	gone(0);
	check(!left() && !looks, "without windows it is free at once");
	for (i = 0; i < 2; i++)
		list_add_tail(&window[i], &domain[i].mws);
	me.flags = 0;
	gone(0);
	check(!left() && looks == 1, "who goes on waits for its windows");
	killed = true;
	gone(0);
	check(left() == 1 && looks == 1, "who is killed does not");
	killed = false;
	me.flags = PF_EXITING;
	for (i = 0; i < 64; i++)
		gone(i % 2);
	check(left() == 65 && looks == 1, "nor who ends");
	work();
	check(!left() && looks == 3, "one look serves all that are gone");
	for (i = 0; i < 4; i++)
		gone(1);
	in_a_look = 5;
	queued = false;
	weft_gone_work(&dev.gone_work);
	check(left() == 5 && queued, "what goes while one looks waits for the next");
	work();
	check(!left() && looks == 5, "which comes");
	for (i = 0; i < DOMAINS; i++)
		check(domain[i].refs.n == 1, "references of a domain");
	return bad;
}
