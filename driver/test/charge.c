// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * To whom pages of rings are charged, by weft_verbs.c, which driver/Makefile takes these functions out of: users with limits that
 * change, with and without the right to lock what they like, memory that is short, and others of the same user in between. Each user
 * is charged what his rings have, once, until the last reference is put.
 *
 *   charge SEED STEPS
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "test.h"

typedef uint32_t u32;
typedef uint64_t dma_addr_t;
typedef unsigned int gfp_t;
typedef struct { long n; } atomic_long_t;
typedef struct { int n; } refcount_t;

#define PAGE_SHIFT 12
#define PAGE_SIZE 4096ul
#define PAGE_ALIGN(x) (((x) + PAGE_SIZE - 1) & ~(PAGE_SIZE - 1))
#define PAGE_ALIGNED(x) (!((x) & (PAGE_SIZE - 1)))
#define WEFT_MAX_PIECES 4
#define RLIMIT_MEMLOCK 8
#define CAP_IPC_LOCK 14
#define GFP_KERNEL 0
#define GFP_KERNEL_ACCOUNT 1
#define __GFP_NOWARN 2
#define __GFP_NORETRY 4
#define DMA_BIDIRECTIONAL 0

struct device { int nothing; };
struct page { char *mem; };
struct user_struct { atomic_long_t locked_vm; int refs; };
struct cred { struct user_struct *user; };
struct weft_piece { struct page *page; void *mem; dma_addr_t dma; };
struct weft_pages {
	refcount_t refs;
	struct device *dev;
	struct weft_piece piece[WEFT_MAX_PIECES];
	u32 log2;
	size_t bytes;
	const struct cred *payer;
};

#define USERS 3
#define RINGS 64

static struct user_struct users[USERS];
static const struct cred creds[USERS] = { { &users[0] }, { &users[1] }, { &users[2] } };
static long others[USERS];		/* pages that somebody else is charged, io_uring perhaps */
static struct user_struct *me;
static unsigned long limit;		/* bytes */
static bool may_lock, between;
static u32 scarce;			/* one allocation of so many fails; 0: none */
static long pieces_live, pages_live;	/* of all rings of processes: what the allocator gives */
static bool ran_short;

/* ---- the kernel ---- */

static void refcount_set(refcount_t *r, int n) { r->n = n; }
static bool refcount_dec_and_test(refcount_t *r) { return !--r->n; }
static unsigned long rlimit(int what) { return what == RLIMIT_MEMLOCK ? limit : 0; }
static bool capable(int what) { return what == CAP_IPC_LOCK && may_lock; }
static struct user_struct *current_user(void) { return me; }
static const struct cred *get_current_cred(void) { me->refs++; return &creds[me - users]; }
static void put_cred(const struct cred *c) { c->user->refs--; }
static long atomic_long_read(const atomic_long_t *a) { return a->n; }
static void atomic_long_sub(long n, atomic_long_t *a) { a->n -= n; }

/* Another process of the user may have come in between, and what is looked at then has changed. */
static bool atomic_long_try_cmpxchg(atomic_long_t *a, long *was, long now)
{
	if (between && draw(2)) {
		long n = draw(8), *of = &others[me - users];

		if (draw(2) && *of >= n)
			n = -n;
		*of += n;
		a->n += n;
	}
	if (a->n != *was) {
		*was = a->n;
		return false;
	}
	a->n = now;
	return true;
}

static int get_order(size_t n)
{
	int order = 0;

	while (PAGE_SIZE << order < n)
		order++;
	return order;
}

static void *kzalloc(size_t n, gfp_t gfp) { (void)gfp; return calloc(1, n); }
static void kfree(void *p) { free(p); }
static void *page_address(struct page *p) { return p->mem; }

static struct page *dma_alloc_pages(struct device *dev, size_t n, dma_addr_t *dma, int dir, gfp_t gfp)
{
	struct page *p;

	(void)dev; (void)dir;
	if (!(gfp & GFP_KERNEL_ACCOUNT))
		fail("pages of a process that no cgroup is charged for", n, gfp);
	if (scarce && !draw(scarce)) {
		ran_short = true;
		return NULL;
	}
	p = malloc(sizeof(*p));
	p->mem = calloc(1, n);
	*dma = (uintptr_t)p->mem;
	pieces_live++;
	pages_live += 1 << get_order(n);
	return p;
}

static void dma_free_pages(struct device *dev, size_t n, struct page *p, dma_addr_t dma, int dir)
{
	(void)dev; (void)dir; (void)dma;
	free(p->mem);
	free(p);
	pieces_live--;
	pages_live -= 1 << get_order(n);
}

static void *dma_alloc_coherent(struct device *dev, size_t n, dma_addr_t *dma, gfp_t gfp)
{
	void *p = scarce && !draw(scarce) ? NULL : calloc(1, n);

	(void)dev; (void)gfp;
	*dma = (uintptr_t)p;
	ran_short |= !p;
	pieces_live += !!p;
	return p;
}

static void dma_free_coherent(struct device *dev, size_t n, void *p, dma_addr_t dma)
{
	(void)dev; (void)n; (void)dma;
	free(p);
	pieces_live--;
}

void weft_pages_put(struct weft_pages *p);

#include "cut.h"

/* ---- the model ---- */

static struct weft_pages *rings[RINGS];
static int of[RINGS];		/* the user that is charged, or -1 */
static long has[RINGS];		/* pages, which the allocator gave */
static int refs[RINGS];
static u32 refused, short_of, charged;

static void check(void)
{
	long sum[USERS], r[USERS] = { 0 }, pieces = 0;
	u32 i;

	for (i = 0; i < USERS; i++)
		sum[i] = others[i];
	for (i = 0; i < RINGS; i++) {
		if (!rings[i])
			continue;
		pieces += 1 << rings[i]->log2;
		if (of[i] >= 0) {
			sum[of[i]] += has[i];
			r[of[i]]++;
		}
	}
	for (i = 0; i < USERS; i++) {
		if (users[i].locked_vm.n != sum[i])
			fail("a user is charged what he does not have", users[i].locked_vm.n, sum[i]);
		if (users[i].refs != r[i])
			fail("references of a user", users[i].refs, r[i]);
	}
	if (pieces != pieces_live)
		fail("pieces of memory", pieces_live, pieces);
}

static void make(u32 i)
{
	size_t bytes = draw(4) ? 1 + draw(20000) : PAGE_SIZE << draw(7);
	bool user = draw(4);
	long n = 1l << get_order(bytes), had, before = pages_live;
	static struct device dev;

	me = &users[draw(USERS)];
	may_lock = !draw(4);
	limit = draw(3) ? (draw(200) << PAGE_SHIFT) + draw(PAGE_SIZE) : draw(2) ? 0 : ~0ul;
	scarce = draw(2) ? 1 + draw(4) : 0;
	between = draw(2);
	ran_short = false;
	had = me->locked_vm.n;
	rings[i] = weft_pages_alloc(&dev, bytes, draw(3), user);
	refs[i] = 1;
	has[i] = pages_live - before;
	of[i] = rings[i] && user && !may_lock ? (int)(me - users) : -1;
	if (rings[i]) {
		charged += of[i] >= 0;
		/* what came between it may have been behind it */
		if (of[i] >= 0 && !between && (unsigned long)(had + n) > limit >> PAGE_SHIFT)
			fail("more than the limit", had + n, (long)(limit >> PAGE_SHIFT));
		return;
	}
	if (ran_short) {
		short_of++;
		return;
	}
	refused++;
	if (!user || may_lock)
		fail("refused who has no limit", had, n);
	if (!between && (unsigned long)(had + n) <= limit >> PAGE_SHIFT)
		fail("refused what is allowed", had + n, (long)(limit >> PAGE_SHIFT));
}

int main(int argc, char **argv)
{
	u32 steps = argc > 2 ? atoi(argv[2]) : 10000, i;

	seed = argc > 1 ? strtoull(argv[1], NULL, 0) : 1;
	while (steps--) {
		i = draw(RINGS);
		if (!rings[i]) {
			make(i);
		} else if (draw(3) == 0) { /* a mapping takes a reference */
			rings[i]->refs.n++;
			refs[i]++;
		} else {
			/* by anybody, with any rights: who is charged was said when it was made */
			me = &users[draw(USERS)];
			may_lock = draw(2);
			limit = 0;
			weft_pages_put(rings[i]);
			if (!--refs[i])
				rings[i] = NULL;
		}
		check();
	}
	for (i = 0; i < RINGS; i++)
		while (rings[i] && refs[i]--)
			weft_pages_put(rings[i]);
	for (i = 0; i < RINGS; i++)
		rings[i] = NULL;
	check();
	weft_pages_put(NULL);
	if (!refused || !short_of || !charged)
		fail("some cases did not come", refused, short_of);
	return 0;
}
