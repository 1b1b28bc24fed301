// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The provider without a kernel: what libibverbs would give it is here, rings and doorbell page lie in
 * a file, and the test is the card. The card's rules are those of docs/programming-model.md.
 *
 *   provider SEED
 */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../weft.h"

#define FILE_BYTES (128u << 20)
#define MAX_CQE 262144
#define MAX_WR 32768

static uint8_t *file;			/* as the card sees it */
static int file_fd;
static uint64_t file_end;
static const struct verbs_device_ops *device_ops;
static struct verbs_context_ops ops;
static uint64_t seed;
static int bad;

static uint32_t rnd(uint32_t n)
{
	seed += 0x9e3779b97f4a7c15ull;
	uint64_t z = (seed ^ seed >> 30) * 0xbf58476d1ce4e5b9ull;

	z = (z ^ z >> 27) * 0x94d049bb133111ebull;
	return (uint32_t)((z ^ z >> 31) % n);
}

static void verdict(bool good, const char *name, long a, long b)
{
	if (good)
		printf("ok libprovider/%s\n", name);
	else
		printf("not ok libprovider/%s: %ld %ld\n", name, a, b);
	bad |= !good;
}

/* What this thread did towards the card since it looked last (util/ beside this). */
static __thread char noted[64];
static __thread unsigned int n_noted;

void note(char what)
{
	atomic_thread_fence(memory_order_seq_cst);
	if (n_noted < sizeof(noted) - 1)
		noted[n_noted++] = what;
}

static bool did(const char *what)
{
	bool same = n_noted == strlen(what) && !memcmp(noted, what, n_noted);

	n_noted = 0;
	return same;
}

/* ---- what libibverbs has ---- */

static int fail_next;			/* errno of the next command */
static uint64_t known = WEFT_ALLOC_UCONTEXT_PUSH, asked; /* comp_mask of a context */
static unsigned int asks;
static uint32_t features = 1u << WEFT_FEATURE_IMM | 1u << WEFT_FEATURE_ATOMIC | 1u << WEFT_FEATURE_MW | 1u << WEFT_FEATURE_CQE_STAMP;
static uint32_t next_qpn = 1, next_cqn, next_srqn = 5;
static void (*on_destroy)(void);	/* when the kernel has given the number up */

/* A driver of another version. Bytes of each answer that it knows; what is behind stays 0. */
static size_t known_bytes = SIZE_MAX;
static uint32_t less;			/* bytes of a ring, than its entries take */
static uint32_t hw_abi = WEFT_ABI_MAJOR << 16;
static uint64_t told;			/* comp_mask of its answers */
static unsigned int said;		/* lines of the log */

static void answer_ends(void *answer, size_t bytes)
{
	if (known_bytes < bytes)
		memset((uint8_t *)answer + known_bytes, 0, bytes - known_bytes);
}

static uint64_t ring_of(uint32_t bytes)
{
	uint64_t key = file_end;

	file_end += (bytes + 4095u) & ~4095u;
	if (file_end > FILE_BYTES)
		abort();
	memset(file + key, 0, bytes);
	return key;
}

static int failed(void)
{
	int rc = fail_next;

	fail_next = 0;
	return rc;
}

void verbs_register_driver_34(const struct verbs_device_ops *o);
void verbs_register_driver_34(const struct verbs_device_ops *o)
{
	device_ops = o;
}

void *_verbs_init_and_alloc_context(struct ibv_device *device, int cmd_fd, size_t size,
				    struct verbs_context *offset, uint32_t driver_id)
{
	uint8_t *p = calloc(1, size);
	struct verbs_context *v = (struct verbs_context *)(p + (uintptr_t)offset);

	v->context.cmd_fd = cmd_fd;
	v->context.device = device;
	return p;
}

void verbs_uninit_context(struct verbs_context *context)
{
}

void verbs_set_ops(struct verbs_context *v, const struct verbs_context_ops *o)
{
	ops = *o;
}

void __verbs_log(struct verbs_context *ctx, uint32_t level, const char *fmt, ...)
{
	said++;
}

int ibv_cmd_get_context(struct verbs_context *c, struct ibv_get_context *cmd, size_t cmd_size,
			struct ib_uverbs_get_context_resp *resp, size_t resp_size)
{
	struct weft_alloc_ucontext_resp *r = (void *)(resp + 1);

	asked = ((const struct weft_alloc_context_cmd *)cmd)->comp_mask;
	asks++;
	if (asked & ~known)
		return EOPNOTSUPP;
	r->db_mmap_key = ring_of(4096);
	r->db_mmap_bytes = 4096;
	r->comp_mask = told;
	r->hw_abi = hw_abi;
	r->max_inline = 224;
	r->features = features;
	answer_ends(r, sizeof(*r));
	return failed();
}

static bool has_clock = true;
static uint64_t card_clock;

int ibv_cmd_query_device_any(struct ibv_context *context,
			     const struct ibv_query_device_ex_input *input,
			     struct ibv_device_attr_ex *attr, size_t attr_size,
			     struct ib_uverbs_ex_query_device_resp *resp, size_t *resp_size)
{
	struct weft_query_device_resp *r = (void *)(resp + 1);

	resp->base.fw_ver = 0x01020003;
	attr->orig_attr.max_sge_rd = 1; /* the kernel's consumers' */
	if (*resp_size >= sizeof(*resp) + sizeof(*r)) {
		r->comp_mask = has_clock ? WEFT_QUERY_DEVICE_CLOCK : 0;
		r->clock = card_clock;
		*resp_size = sizeof(*resp); /* what the core says of its own */
	}
	return failed();
}

int ibv_cmd_query_port(struct ibv_context *c, uint8_t port, struct ibv_port_attr *attr,
		       struct ibv_query_port *cmd, size_t size)
{
	return failed();
}

int ibv_cmd_alloc_pd(struct ibv_context *c, struct ibv_pd *pd, struct ibv_alloc_pd *cmd, size_t n,
		     struct ib_uverbs_alloc_pd_resp *resp, size_t m)
{
	pd->context = c;
	pd->handle = 7;
	return failed();
}

int ibv_cmd_dealloc_pd(struct ibv_pd *pd)
{
	return failed();
}

int ibv_cmd_reg_mr(struct ibv_pd *pd, void *addr, size_t length, uint64_t va, int access,
		   struct verbs_mr *vmr, struct ibv_reg_mr *cmd, size_t n,
		   struct ib_uverbs_reg_mr_resp *resp, size_t m)
{
	return failed();
}

int ibv_cmd_reg_dmabuf_mr(struct ibv_pd *pd, uint64_t offset, size_t length, uint64_t iova, int fd,
			  int access, struct verbs_mr *vmr, struct ibv_command_buffer *driver)
{
	return failed();
}

int ibv_cmd_rereg_mr(struct verbs_mr *vmr, uint32_t flags, void *addr, size_t length, uint64_t va,
		     int access, struct ibv_pd *pd, struct ibv_rereg_mr *cmd, size_t n,
		     struct ib_uverbs_rereg_mr_resp *resp, size_t m)
{
	return failed();
}

int ibv_cmd_dereg_mr(struct verbs_mr *vmr)
{
	return failed();
}

int ibv_cmd_alloc_mw(struct ibv_pd *pd, enum ibv_mw_type type, struct ibv_mw *mw, struct ibv_alloc_mw *cmd, size_t n,
		     struct ib_uverbs_alloc_mw_resp *resp, size_t m)
{
	*mw = (struct ibv_mw){ .context = pd->context, .pd = pd, .rkey = 0x123400fe, .type = type };
	return failed();
}

int ibv_cmd_dealloc_mw(struct ibv_mw *mw)
{
	return failed();
}

static uint32_t split;			/* pieces of the next CQ's ring, the last one first in the file; 0: as from a driver of before */
static uint32_t bad_piece;		/* nothing can be mapped for this one, which is not the first; 0: for all */

int ibv_cmd_create_cq_ex(struct ibv_context *c, const struct ibv_cq_init_attr_ex *attr,
			 struct verbs_cq *cq, struct ibv_create_cq_ex *cmd, size_t n,
			 struct ib_uverbs_ex_create_cq_resp *resp, size_t m, uint32_t flags)
{
	struct weft_create_cq_resp *r = (void *)(resp + 1);
	uint32_t entries = 16;

	if (fail_next)
		return failed();
	if (!attr->cqe || attr->cqe > MAX_CQE)
		return EINVAL;
	while (entries < attr->cqe)
		entries *= 2;
	cq->cq.context = c;
	cq->cq.cqe = (int)entries;
	entries *= 2; /* for second completions of requests of two entries */
	r->entries = entries;
	r->cqn = next_cqn++;
	r->mmap_bytes = entries * WEFT_CQE_BYTES - less;
	r->mmap_key = ring_of(r->mmap_bytes);
	r->pieces = split;
	if (split > 1) {
		uint32_t step = r->mmap_bytes / split;
		uint64_t at = r->mmap_key;

		r->mmap_key = at + (split - 1) * step;
		for (uint32_t i = 1; i < split && i <= WEFT_CQ_MORE_PIECES; i++)
			r->more_keys[i - 1] = at + (split - 1 - i) * step + (i == bad_piece);
	}
	r->comp_mask = told;
	answer_ends(r, sizeof(*r));
	return 0;
}

int ibv_cmd_modify_cq(struct ibv_cq *cq, struct ibv_modify_cq_attr *attr, struct ibv_modify_cq *cmd, size_t n)
{
	return failed();
}

/*
 * Rings of a resize, two of each size: who goes on reading one that was given back reads what the next one wrote. The card of the test
 * switches when it is told to; on_switch is what happens then, before the answer is there.
 */
static struct card_cq *card_resizes;
static void (*on_switch)(void);
static int fail_switch;			/* errno of the second step */
static bool bad_key;			/* of the first one: nothing can be mapped there */
static uint64_t next_ring, next_bytes;
static uint32_t card_switch(struct card_cq *c, uint8_t *ring, uint32_t entries);
static bool card_is_in(uint64_t key);

int ibv_cmd_resize_cq(struct ibv_cq *cq, int cqe, struct ibv_resize_cq *cmd, size_t n,
		      struct ib_uverbs_resize_cq_resp *resp, size_t m)
{
	const struct weft_resize_cq_req *q = (const void *)(cmd + 1);
	struct weft_resize_cq_resp *r = (void *)(resp + 1);
	static uint64_t rings[32][2];
	uint32_t entries = 16, log2 = 4, first;

	if (fail_next)
		return failed();
	if (cqe < 1 || cqe > MAX_CQE || n != sizeof(*cmd) + sizeof(*q) || m != sizeof(*resp) + sizeof(*r))
		return EINVAL;
	while (entries < (uint32_t)cqe) {
		entries *= 2;
		log2++;
	}
	cq->cqe = 1; /* what the library writes there is not what was promised */
	entries *= 2;
	if (q->step == WEFT_RESIZE_CQ_PREPARE) {
		uint64_t *at = card_is_in(rings[log2][0]) ? &rings[log2][1] : &rings[log2][0];

		next_bytes = entries * WEFT_CQE_BYTES;
		if (!*at)
			*at = ring_of((uint32_t)next_bytes);
		memset(file + *at, 0, next_bytes);
		next_ring = *at;
		r->mmap_key = *at + bad_key;
		r->mmap_bytes = (uint32_t)next_bytes;
		r->entries = entries;
		r->pieces = next_bytes < 4 * 4096 ? rnd(2) : 1u << rnd(3);
		for (uint32_t i = 1; i < r->pieces; i++)
			r->more_keys[i - 1] = *at + i * (next_bytes / r->pieces) + bad_key;
		r->comp_mask = told;
		answer_ends(r, sizeof(*r));
		return 0;
	}
	if (q->step != WEFT_RESIZE_CQ_SWITCH || !next_bytes || next_bytes != entries * WEFT_CQE_BYTES)
		return EINVAL;
	next_bytes = 0;
	if (fail_switch) {
		fail_next = fail_switch;
		fail_switch = 0;
		return failed();
	}
	first = card_switch(card_resizes, file + next_ring, entries);
	if (first == ~0u)
		return EINVAL;
	if (on_switch)
		on_switch();
	r->first = first;
	return 0;
}

int ibv_cmd_destroy_cq(struct ibv_cq *cq)
{
	return failed();
}

int ibv_cmd_create_qp_ex(struct ibv_context *c, struct verbs_qp *qp,
			 struct ibv_qp_init_attr_ex *attr, struct ibv_create_qp *cmd, size_t n,
			 struct ib_uverbs_create_qp_resp *resp, size_t m)
{
	struct weft_create_qp_resp *r = (void *)(resp + 1);
	uint32_t s = 16, q = 16;

	qp->comp_mask = 0;
	/* as libibverbs does */
	if (attr->comp_mask & ~(IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_XRCD | IBV_QP_INIT_ATTR_SEND_OPS_FLAGS))
		return errno = EINVAL;
	if (fail_next)
		return failed();
	/* as the driver does */
	if (attr->cap.max_send_wr > MAX_WR || attr->cap.max_recv_wr > MAX_WR)
		return EINVAL;
	if (attr->qp_type != IBV_QPT_RC)
		return EOPNOTSUPP;
	while (s < 2 * attr->cap.max_send_wr) /* each may be a request of two entries */
		s *= 2;
	while (q < attr->cap.max_recv_wr)
		q *= 2;
	qp->qp.context = c;
	qp->qp.qp_num = next_qpn;
	qp->qp.send_cq = attr->send_cq;
	qp->qp.recv_cq = attr->recv_cq;
	r->qpn = next_qpn++;
	r->sq_entries = s;
	r->sq_stride = r->rq_stride = 128;
	r->sq_mmap_bytes = s * 128 - less;
	r->sq_mmap_key = ring_of(r->sq_mmap_bytes);
	if (attr->srq) { /* it has no ring of its own */
		attr->cap = (struct ibv_qp_cap){ s / 2, 0, 4, 0, 64 };
		answer_ends(r, sizeof(*r));
		return 0;
	}
	r->rq_entries = q;
	r->rq_mmap_bytes = q * 128;
	r->rq_mmap_key = ring_of(r->rq_mmap_bytes);
	attr->cap = (struct ibv_qp_cap){ s / 2, q, 4, 4, 64 };
	r->comp_mask = told;
	answer_ends(r, sizeof(*r));
	return 0;
}

int ibv_cmd_create_srq(struct ibv_pd *p, struct ibv_srq *srq, struct ibv_srq_init_attr *attr,
		       struct ibv_create_srq *cmd, size_t n, struct ib_uverbs_create_srq_resp *resp, size_t m)
{
	struct weft_create_srq_resp *r = (void *)(resp + 1);
	uint32_t entries = 16;

	if (fail_next)
		return failed();
	while (entries < attr->attr.max_wr)
		entries *= 2;
	srq->context = p->context;
	r->entries = entries;
	r->srqn = next_srqn++;
	r->stride = 128;
	r->mmap_bytes = entries * (128 + WEFT_SRQ_ORDER_BYTES) - less;
	r->mmap_key = ring_of(r->mmap_bytes);
	attr->attr.max_wr = entries;
	attr->attr.max_sge = 4;
	r->comp_mask = told;
	answer_ends(r, sizeof(*r));
	return 0;
}

int ibv_cmd_modify_srq(struct ibv_srq *srq, struct ibv_srq_attr *attr, int mask, struct ibv_modify_srq *cmd, size_t n)
{
	return failed();
}

int ibv_cmd_query_srq(struct ibv_srq *srq, struct ibv_srq_attr *attr, struct ibv_query_srq *cmd, size_t n)
{
	return failed();
}

int ibv_cmd_destroy_srq(struct ibv_srq *srq)
{
	return failed();
}

int ibv_cmd_destroy_qp(struct ibv_qp *qp)
{
	int rc = failed();

	if (!rc && on_destroy)
		on_destroy();
	return rc;
}

int ibv_cmd_modify_qp(struct ibv_qp *qp, struct ibv_qp_attr *attr, int mask,
		      struct ibv_modify_qp *cmd, size_t n)
{
	return failed();
}

int ibv_cmd_query_qp(struct ibv_qp *qp, struct ibv_qp_attr *attr, int mask,
		     struct ibv_qp_init_attr *init, struct ibv_query_qp *cmd, size_t n)
{
	return failed();
}

/* ---- the card ---- */

static struct ibv_context *context;
static struct ibv_pd *pd;

static const __le64 *doorbell(uint32_t offset)
{
	return (const __le64 *)(to_weft_ctx(context)->db + offset);
}

struct card_cq {
	struct weft_cq *cq;
	uint32_t pi, told;
	__le64 *ring;			/* NULL: as the provider has it */
	uint32_t log2, first;
};

/* What the card knows of the consumer; 24 bits come through. */
static uint32_t card_told(struct card_cq *c)
{
	const __le64 *db = doorbell(WEFT_DB_CQ);

	if (WEFT_GET(db, DB_CQ_ID) == c->cq->cqn)
		c->told = c->pi - ((c->pi - (uint32_t)WEFT_GET(db, DB_CQ_INDEX)) & 0xffffff);
	return c->told;
}

/* When the card has made entry @i, in all 56 bits. */
static uint64_t stamp_of(uint32_t i)
{
	return (i * 0x9e3779b97f4a7c15ull) >> 8;
}

/* false: it would run over */
static bool card_complete(struct card_cq *c, uint32_t qpn, uint32_t opcode, uint16_t index,
			  uint32_t status, uint32_t bytes)
{
	uint32_t log2 = c->ring ? c->log2 : c->cq->log2, n = 1u << log2, at = (c->pi - c->first) & 0xffffff;
	__le64 *e = (c->ring ? c->ring : c->cq->ring) + (size_t)(at & (n - 1)) * WEFT_WORDS(CQE);

	if (c->pi - card_told(c) >= n)
		return false;
	memset(e, 0xa5, WEFT_CQE_BYTES - 1); /* not the phase, which comes last */
	WEFT_PUT(e, CQE_QPN, qpn);
	WEFT_PUT(e, CQE_OPCODE, opcode);
	WEFT_PUT(e, CQE_INDEX, index);
	WEFT_PUT(e, CQE_STATUS, status);
	WEFT_PUT(e, CQE_BYTES, bytes);
	WEFT_PUT(e, CQE_INV_STAG, bytes ^ 0x5a5a5a5a);
	WEFT_PUT(e, CQE_VENDOR_ERR, bytes + 1);
	WEFT_PUT(e, CQE_STAMP, stamp_of(c->pi));
	atomic_thread_fence(memory_order_release);
	WEFT_PUT(e, CQE_PHASE, !(at >> log2 & 1));
	c->pi++;
	return true;
}

static bool card_is_in(uint64_t key) { return key && card_resizes->ring == (__le64 *)(file + key); }

/* Between two completions: the new FIRST, or ~0: what is unread does not fit. */
static uint32_t card_switch(struct card_cq *c, uint8_t *ring, uint32_t entries)
{
	if (c->pi - card_told(c) > entries)
		return ~0u;
	c->ring = (__le64 *)ring;
	for (c->log2 = 0; 1u << c->log2 < entries; c->log2++)
		;
	return c->first = c->pi & 0xffffff;
}

/* ---- cases ---- */

static struct ibv_cq_ex *new_cq_ex(uint32_t cqe)
{
	struct ibv_cq_init_attr_ex a = { .cqe = cqe, .wc_flags = IBV_WC_STANDARD_FLAGS };

	return ops.create_cq_ex(context, &a);
}

static struct ibv_qp *new_qp(struct ibv_cq *cq, uint32_t n, uint64_t send_ops)
{
	struct ibv_qp_init_attr_ex a = { .send_cq = cq, .recv_cq = cq, .qp_type = IBV_QPT_RC,
		.cap = { .max_send_wr = n, .max_recv_wr = n, .max_send_sge = 4, .max_recv_sge = 4 },
		.comp_mask = IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_SEND_OPS_FLAGS, .pd = pd,
		.send_ops_flags = send_ops };

	return ops.create_qp_ex(context, &a);
}

/* The entry that a request makes, field by field. */
static bool is_entry(const uint8_t *e, const struct ibv_send_wr *wr, uint16_t index)
{
	const __le64 *w = (const __le64 *)e, *g = w + WEFT_WORDS(SQE);
	static const uint8_t opcodes[] = {
		[IBV_WR_SEND] = WEFT_SQ_OPCODE_SEND, [IBV_WR_SEND_WITH_INV] = WEFT_SQ_OPCODE_SEND_INV,
		[IBV_WR_RDMA_WRITE] = WEFT_SQ_OPCODE_WRITE, [IBV_WR_RDMA_READ] = WEFT_SQ_OPCODE_READ,
		[IBV_WR_RDMA_WRITE_WITH_IMM] = WEFT_SQ_OPCODE_WRITE, [IBV_WR_ATOMIC_FETCH_AND_ADD] = WEFT_SQ_OPCODE_FETCH_ADD,
		[IBV_WR_ATOMIC_CMP_AND_SWP] = WEFT_SQ_OPCODE_CMP_SWAP,
	};
	bool two = wr->opcode == IBV_WR_RDMA_WRITE_WITH_IMM; /* then signaled and solicited are the second one's */
	bool remote = two || wr->opcode == IBV_WR_RDMA_WRITE || wr->opcode == IBV_WR_RDMA_READ;
	bool in_line = wr->send_flags & IBV_SEND_INLINE, good;
	uint32_t total = 0;

	for (int i = 0; i < wr->num_sge; i++) {
		const struct ibv_sge *s = &wr->sg_list[i];

		if (in_line && memcmp(e + WEFT_SQE_BYTES + total, (void *)(uintptr_t)s->addr, s->length))
			return false;
		if (!in_line && (WEFT_GET(g, SGE_ADDR) != s->addr || WEFT_GET(g, SGE_LENGTH) != s->length ||
				 WEFT_GET(g, SGE_LKEY) != s->lkey))
			return false;
		g += WEFT_WORDS(SGE);
		total += s->length;
	}
	good = WEFT_GET(w, SQE_OPCODE) == opcodes[wr->opcode] && WEFT_GET(w, SQE_INDEX) == index &&
	       WEFT_GET(w, SQE_LENGTH) == total && WEFT_GET(w, SQE_INLINE) == in_line &&
	       WEFT_GET(w, SQE_NUM_SGE) == (in_line ? 0 : wr->num_sge) &&
	       WEFT_GET(w, SQE_SIGNALED) == (!two && wr->send_flags & IBV_SEND_SIGNALED) &&
	       WEFT_GET(w, SQE_SOLICITED) == (!two && wr->send_flags & IBV_SEND_SOLICITED) &&
	       WEFT_GET(w, SQE_READ_FENCE) == !!(wr->send_flags & IBV_SEND_FENCE);
	if (remote)
		good = good && WEFT_GET(w, SQE_RSTAG) == wr->wr.rdma.rkey &&
		       WEFT_GET(w, SQE_RADDR) == wr->wr.rdma.remote_addr;
	if (wr->opcode == IBV_WR_ATOMIC_FETCH_AND_ADD || wr->opcode == IBV_WR_ATOMIC_CMP_AND_SWP) /* behind the element */
		good = good && total == 8 && wr->num_sge == 1 && WEFT_GET(w, SQE_RSTAG) == wr->wr.atomic.rkey &&
		       WEFT_GET(w, SQE_RADDR) == wr->wr.atomic.remote_addr &&
		       (wr->opcode == IBV_WR_ATOMIC_CMP_AND_SWP ?
			WEFT_GET(g, SQE_ATOMIC_DATA) == wr->wr.atomic.swap && WEFT_GET(g, SQE_ATOMIC_COMPARE) == wr->wr.atomic.compare_add :
			WEFT_GET(g, SQE_ATOMIC_DATA) == wr->wr.atomic.compare_add);
	if (wr->opcode == IBV_WR_SEND_WITH_INV)
		good = good && WEFT_GET(w, SQE_RSTAG) == wr->invalidate_rkey;
	return good;
}

/* The immediate behind its Write. */
static bool is_imm(const uint8_t *e, const struct ibv_send_wr *wr, uint16_t index)
{
	const __le64 *w = (const __le64 *)e;
	const uint8_t *b = (const uint8_t *)&wr->imm_data;

	return WEFT_GET(w, SQE_OPCODE) == WEFT_SQ_OPCODE_IMM && WEFT_GET(w, SQE_INDEX) == index && !WEFT_GET(w, SQE_LENGTH) &&
	       !WEFT_GET(w, SQE_INLINE) && !WEFT_GET(w, SQE_NUM_SGE) && !WEFT_GET(w, SQE_READ_FENCE) &&
	       WEFT_GET(w, SQE_SIGNALED) == !!(wr->send_flags & IBV_SEND_SIGNALED) &&
	       WEFT_GET(w, SQE_SOLICITED) == !!(wr->send_flags & IBV_SEND_SOLICITED) &&
	       WEFT_GET(w, SQE_IMM) == ((uint32_t)b[0] << 24 | b[1] << 16 | b[2] << 8 | b[3]);
}

/* A Read of any number of elements, of which each entry has one. */
static bool is_read(const struct weft_wq *sq, const struct ibv_send_wr *wr, uint16_t index)
{
	struct ibv_sge none = { 0 };
	struct ibv_send_wr part = *wr;
	uint32_t mask = (1u << sq->log2) - 1;

	part.num_sge = 1;
	if (!wr->num_sge)
		part.sg_list = &none;
	if (wr->num_sge < 2)
		return is_entry(sq->ring + (index & mask) * 128, &part, index) && sq->op[index & mask] == IBV_WC_RDMA_READ;
	part.send_flags &= IBV_SEND_FENCE;
	if (!is_entry(sq->ring + (index & mask) * 128, &part, index))
		return false;
	index++;
	part.send_flags = wr->send_flags & ~IBV_SEND_FENCE;
	part.sg_list = wr->sg_list + 1;
	part.wr.rdma.remote_addr += wr->sg_list[0].length;
	return is_entry(sq->ring + (index & mask) * 128, &part, index) && sq->wr_id[index & mask] == wr->wr_id &&
	       wr->num_sge == 2;
}

/*
 * One list and the same one by one: the same entries, index and errors. What was full, too long or
 * unknown leaves nothing behind.
 */
static void entries(void)
{
	struct ibv_cq *cq = ops.create_cq(context, 64, NULL, 0);
	struct weft_qp *l = to_weft_qp(new_qp(cq, 16, WEFT_WR_OPS));
	struct weft_qp *o = to_weft_qp(new_qp(cq, 16, WEFT_WR_OPS));
	struct ibv_qp_ex *x = &o->vqp.qp_ex;
	long differ = -1, rounds = 0, errors = 0, reads[4] = { 0 };
	uint8_t text[200];

	l->sq.pi = l->sq.ci = o->sq.pi = o->sq.ci = 65500; /* it wraps soon */
	for (; rounds < 3000 && differ < 0; rounds++) {
		struct ibv_send_wr wr = { .wr_id = rnd(1u << 30) }, *w;
		struct ibv_data_buf buf[4];
		struct ibv_sge sge[6];
		uint16_t before = l->sq.pi;
		uint32_t op = rnd(7), n = op > 4 && rnd(8) ? 1 : op == 4 && rnd(4) ? rnd(3) : rnd(20) ? rnd(5) : 5;
		bool in_line = !rnd(op > 3 ? 8 : 3), one = n == 1 && rnd(2), atomic = op > 4, again = false;
		int rc, rx;

		wr.opcode = (enum ibv_wr_opcode[]){ IBV_WR_SEND, IBV_WR_SEND_WITH_INV,
			IBV_WR_RDMA_WRITE, IBV_WR_RDMA_WRITE_WITH_IMM, IBV_WR_RDMA_READ,
			IBV_WR_ATOMIC_FETCH_AND_ADD, IBV_WR_ATOMIC_CMP_AND_SWP }[op];
		wr.send_flags = rnd(8); /* fence, signaled, solicited */
		if (wr.opcode == IBV_WR_SEND_WITH_INV)
			wr.invalidate_rkey = rnd(1u << 31);
		if (wr.opcode == IBV_WR_RDMA_WRITE_WITH_IMM)
			wr.imm_data = rnd(1u << 31) * 2 + rnd(2);
		if (atomic) {
			wr.wr.atomic.remote_addr = (uint64_t)rnd(1u << 31) << 32 | rnd(1u << 31);
			wr.wr.atomic.compare_add = (uint64_t)rnd(1u << 31) << 33 | rnd(1u << 31);
			wr.wr.atomic.swap = (uint64_t)rnd(1u << 31) << 33 | rnd(1u << 31);
			wr.wr.atomic.rkey = rnd(1u << 31);
		} else {
			wr.wr.rdma.remote_addr = (uint64_t)rnd(1u << 31) << 32 | rnd(1u << 31);
			wr.wr.rdma.rkey = rnd(1u << 31);
		}
		for (uint32_t i = 0; i < n; i++) {
			uint32_t length = in_line ? rnd(rnd(4) ? 20 : 80) :
					  atomic && rnd(8) ? 8 : rnd(rnd(9) ? 5000 : 0x7fffffff);

			sge[i] = (struct ibv_sge){ in_line ? (uintptr_t)text + rnd(20) : rnd(1u << 31),
				length, rnd(1u << 31) };
			buf[i % 4] = (struct ibv_data_buf){ (void *)(uintptr_t)sge[i].addr, length };
		}
		for (uint32_t i = 0; i < sizeof(text); i++)
			text[i] = rnd(256);
		wr.sg_list = sge;
		wr.num_sge = n;
		if (in_line)
			wr.send_flags |= IBV_SEND_INLINE;
		if (in_line && n > 4)
			continue; /* ibv_wr_* takes any number of buffers */
		rc = ops.post_send(&l->vqp.qp, &wr, &w);
		x->wr_start(x);
		x->wr_id = wr.wr_id;
		x->wr_flags = wr.send_flags & ~IBV_SEND_INLINE;
		if (op == 0)
			x->wr_send(x);
		else if (op == 1)
			x->wr_send_inv(x, wr.invalidate_rkey);
		else if (op == 2)
			x->wr_rdma_write(x, wr.wr.rdma.rkey, wr.wr.rdma.remote_addr);
		else if (op == 3)
			x->wr_rdma_write_imm(x, wr.wr.rdma.rkey, wr.wr.rdma.remote_addr, wr.imm_data);
		else if (op == 4)
			x->wr_rdma_read(x, wr.wr.rdma.rkey, wr.wr.rdma.remote_addr);
		else if (op == 5)
			x->wr_atomic_fetch_add(x, wr.wr.atomic.rkey, wr.wr.atomic.remote_addr, wr.wr.atomic.compare_add);
		else
			x->wr_atomic_cmp_swp(x, wr.wr.atomic.rkey, wr.wr.atomic.remote_addr, wr.wr.atomic.compare_add, wr.wr.atomic.swap);
		if (in_line && one)
			x->wr_set_inline_data(x, buf[0].addr, buf[0].length);
		else if (in_line)
			x->wr_set_inline_data_list(x, n, buf);
		else if (one)
			x->wr_set_sge(x, sge[0].lkey, sge[0].addr, sge[0].length);
		else
			x->wr_set_sge_list(x, n, sge);
		if (op == 4 && !rnd(4)) /* the list that is given last counts */
			again = true, x->wr_set_sge_list(x, rnd(3), sge), x->wr_set_sge_list(x, n, sge);
		rx = x->wr_complete(x);
		errors += !!rc;
		if (again && rx && rx != rc) { /* of another reason, then */
			l->sq.pi = before;
			continue;
		}
		reads[n < 3 ? n : 3] += op == 4 && !rc;
		if (rc != rx || l->sq.pi != o->sq.pi || (rc && l->sq.pi != before))
			differ = rounds;
		if (rc) {
			if (rc == ENOMEM)
				l->sq.ci = o->sq.ci = l->sq.pi - rnd(10);
			continue;
		}
		const uint32_t mask = (1u << l->sq.log2) - 1, at = before & mask, second = (before + 1) & mask;
		const uint8_t *a = l->sq.ring + at * 128, *b = o->sq.ring + at * 128;
		uint32_t used = WEFT_GET((__le64 *)a, SQE_INLINE) ? WEFT_GET((__le64 *)a, SQE_LENGTH) :
				(op == 4 ? 1 : n) * WEFT_SGE_BYTES;
		bool two = op == 3 || (op == 4 && n == 2);

		if (atomic)
			used += WEFT_SQE_ATOMIC_BYTES;
		if (memcmp(a, b, WEFT_SQE_BYTES + used) || !(op == 4 ? is_read(&l->sq, &wr, before) : is_entry(a, &wr, before)) || l->sq.wr_id[at] != wr.wr_id ||
		    o->sq.wr_id[at] != wr.wr_id || l->sq.op[at] != o->sq.op[at] ||
		    (uint16_t)(l->sq.pi - before) != 1 + two ||
		    WEFT_GET(doorbell(WEFT_DB_SQ), DB_QUEUE_INDEX) != l->sq.pi)
			differ = rounds;
		if (two && (l->sq.wr_id[second] != wr.wr_id || o->sq.wr_id[second] != wr.wr_id || l->sq.op[second] != o->sq.op[second] ||
			    memcmp(l->sq.ring + second * 128, o->sq.ring + second * 128, WEFT_SQE_BYTES + (op == 4) * WEFT_SGE_BYTES)))
			differ = rounds;
		if (op == 3 && !is_imm(l->sq.ring + second * 128, &wr, before + 1))
			differ = rounds;
	}
	verdict(differ < 0 && errors > 100 && errors < rounds - 500, "a list and one by one write the same", differ, errors);
	verdict(reads[0] > 9 && reads[1] > 9 && reads[2] > 9 && !reads[3], "Reads into no, one and two elements", reads[1], reads[2]);
	/* a batch with a fault in it */
	uint16_t before = o->sq.pi;
	uint64_t rung = *doorbell(WEFT_DB_SQ);

	o->sq.ci = o->sq.pi;
	x->wr_start(x);
	x->wr_flags = 0;
	x->wr_send(x);
	x->wr_rdma_read(x, 1, 2);
	x->wr_set_inline_data(x, text, 4);
	x->wr_send(x);
	verdict(x->wr_complete(x) == EINVAL && o->sq.pi == before && *doorbell(WEFT_DB_SQ) == rung,
		"a batch with a fault leaves nothing", o->sq.pi, before);
	x->wr_start(x);
	x->wr_set_sge(x, 1, 2, 3);
	verdict(x->wr_complete(x) == EINVAL, "data for no request", 0, 0);
	for (int i = 0; i < 2; i++) {
		x->wr_start(x);
		for (int j = 0; j < 32 + i; j++)
			x->wr_send(x);
		if (i)
			verdict(x->wr_complete(x) == ENOMEM, "one more than the queue holds", 0, 0);
		else
			x->wr_abort(x);
	}
	x->wr_start(x);
	for (int j = 0; j < 16; j++)
		x->wr_rdma_write_imm(x, 1, 2, 3);
	verdict(!x->wr_complete(x) && (uint16_t)(o->sq.pi - before) == 32, "as many Writes with immediate as requests were promised", o->sq.pi, before);
	o->sq.ci = o->sq.pi - 31;
	x->wr_start(x);
	x->wr_rdma_write_imm(x, 1, 2, 3);
	verdict(x->wr_complete(x) == ENOMEM, "half a request does not fit", 0, 0);
	struct ibv_sge pair[3] = { { 10, 20, 30 }, { 40, 0x7fffffff, 60 }, { 70, 80, 90 } };
	struct ibv_send_wr read = { .opcode = IBV_WR_RDMA_READ, .sg_list = pair, .num_sge = 2 }, *bad_wr;
	uint16_t was = o->sq.pi;

	x->wr_start(x);
	x->wr_rdma_read(x, 1, 2);
	x->wr_set_sge_list(x, 2, pair);
	verdict(x->wr_complete(x) == ENOMEM && ops.post_send(&o->vqp.qp, &read, &bad_wr) == ENOMEM && o->sq.pi == was, "nor half a Read", 0, 0);
	o->sq.ci = o->sq.pi;
	x->wr_start(x);
	x->wr_rdma_read(x, 1, 2);
	x->wr_set_sge_list(x, 2, pair);
	verdict(x->wr_complete(x) == EINVAL && ops.post_send(&o->vqp.qp, &read, &bad_wr) == EINVAL && o->sq.pi == was, "a Read of 2 GiB in two", 0, 0);
	struct ibv_sge second[2] = { { 10, 0, 30 }, { 40, 0x80000000, 60 } };
	bool refused = true;

	read.sg_list = second;
	for (int k = 0; k < 2; k++, second[1].length = ~0u) {
		x->wr_start(x);
		x->wr_rdma_read(x, 1, 2);
		x->wr_set_sge_list(x, 2, second);
		refused &= x->wr_complete(x) == EINVAL && ops.post_send(&o->vqp.qp, &read, &bad_wr) == EINVAL && o->sq.pi == was;
	}
	verdict(refused, "nor all of it in the second", 0, 0);
	read.sg_list = pair;
	pair[1].length -= 20;
	verdict(!ops.post_send(&o->vqp.qp, &read, &bad_wr) && (uint16_t)(o->sq.pi - was) == 2, "and one of a byte less", 0, 0);
	o->sq.ci = was = o->sq.pi;
	pair[1].length = 50;
	x->wr_start(x);
	for (int j = 0; j < 16; j++) {
		x->wr_rdma_read(x, 1, 2);
		x->wr_set_sge_list(x, 2, pair);
	}
	verdict(!x->wr_complete(x) && (uint16_t)(o->sq.pi - was) == 32, "as many Reads into two elements as requests were promised", o->sq.pi, was);
	o->sq.ci = o->sq.pi;
	before = o->sq.pi;
	x->wr_start(x);
	for (int j = 0; j < 32; j++)
		x->wr_send(x);
	verdict(!x->wr_complete(x) && (uint16_t)(o->sq.pi - before) == 32, "as many as the queue holds, behind one doorbell", o->sq.pi, before);
	ops.destroy_qp(&l->vqp.qp);
	ops.destroy_qp(&o->vqp.qp);
	ops.destroy_cq(cq);
}

/*
 * Completions by either way of polling, against a model. The program never has more outstanding than
 * the CQ promised; then the card never finds it full, also when each request has two completions.
 */
static void completions(uint32_t cqe)
{
	struct ibv_cq_ex *cx = new_cq_ex(cqe);
	struct ibv_cq *cq = ibv_cq_ex_to_cq(cx);
	struct card_cq card = { .cq = to_weft_cq(cq) };
	struct weft_qp *qp = to_weft_qp(new_qp(cq, 4096, 0));
	enum { KEEP = 1 << 17 };
	struct { uint64_t wr_id; uint32_t status, bytes, opcode; } *want = calloc(KEEP, sizeof(*want));
	uint32_t done = 0, polled = 0, changes = 0, polls = 0, last = 0, promised;
	uint16_t posted[2] = { 0 };
	long wrong = -1;
	char name[64];

	promised = (uint32_t)cq->cqe > cqe ? (uint32_t)cq->cqe : cqe; /* at least what was asked for */
	card.pi = card.told = card.cq->ci = card.cq->told = 0xffffff00u & ~((2u << card.cq->log2) - 1); /* 24 bits wrap */
	while (done < 5 * (1u << card.cq->log2) + 3000 && wrong < 0) {
		bool storm = !rnd(6); /* all of them bad, and of two entries */
		uint32_t n = storm ? promised : rnd(3) ? rnd(8) : rnd(promised + 1);

		while (n-- && done - polled < promised && wrong < 0) {
			bool recv = !storm && rnd(2), two = storm || (!recv && !rnd(9)), inv = recv && !rnd(3), imm = recv && !inv && !rnd(3);
			uint32_t status = rnd(5) ? 0 : rnd(WEFT_WC_STATUS_FATAL_ERR + 1), i;
			struct weft_wq *wq = recv ? &qp->rq : &qp->sq;
			uint16_t index;

			if (done - polled >= 1000)
				break;
			if (done == polled && !rnd(8)) { /* of a QP that is gone: nobody sees it */
				struct ibv_wc none;

				if (!card_complete(&card, 60000, 0, 0, 0, 0) || ops.poll_cq(cq, 1, &none))
					wrong = done;
				continue;
			}
			index = posted[recv];
			if (two)
				status = 1 + rnd(WEFT_WC_STATUS_FATAL_ERR);
			posted[recv] += 1 + (two || !rnd(4)); /* some are not signaled */
			i = index & ((1u << wq->log2) - 1);
			want[done % KEEP].wr_id = wq->wr_id[i] = (uint64_t)done << 32 | rnd(1u << 31);
			want[done % KEEP].status = status;
			want[done % KEEP].bytes = rnd(1u << 31);
			want[done % KEEP].opcode = recv ? 128 + inv + 2 * imm : rnd(2) ? IBV_WC_SEND : IBV_WC_RDMA_READ;
			if (two)
				want[done % KEEP].opcode = IBV_WC_RDMA_WRITE;
			if (!recv)
				wq->op[i] = want[done % KEEP].opcode | (two ? WEFT_OP_TWO : 0);
			if (!card_complete(&card, qp->vqp.qp.qp_num, !recv ? 0 : inv ? WEFT_WC_OPCODE_RECV_INV :
					   imm ? WEFT_WC_OPCODE_RECV_IMM : WEFT_WC_OPCODE_RECV, index, status, want[done % KEEP].bytes))
				wrong = done; /* it has run over */
			if (two && !card_complete(&card, qp->vqp.qp.qp_num, 0, index + 1, WEFT_WC_STATUS_WR_FLUSH_ERR, 0))
				wrong = done;
			done++;
		}
		struct ibv_poll_cq_attr pa = { 0 };
		struct ibv_wc wc[16];
		uint32_t most = 1 + rnd(16), got = 0;

		polls++;
		if (rnd(2)) {
			got = (uint32_t)ops.poll_cq(cq, (int)most, wc);
		} else if (!cx->start_poll(cx, &pa)) {
			do {
				wc[got] = (struct ibv_wc){ .wr_id = cx->wr_id, .status = cx->status, .opcode = cx->read_opcode(cx),
					.byte_len = cx->read_byte_len(cx), .vendor_err = cx->read_vendor_err(cx),
					.qp_num = cx->read_qp_num(cx), .wc_flags = cx->read_wc_flags(cx) };
				if (wc[got].wc_flags == IBV_WC_WITH_IMM)
					wc[got].imm_data = cx->read_imm_data(cx);
				else if (wc[got].wc_flags)
					wc[got].invalidated_rkey = ibv_wc_read_invalidated_rkey(cx);
				got++;
			} while (got < most && !cx->next_poll(cx));
			cx->end_poll(cx);
		}
		for (uint32_t i = 0; i < got && wrong < 0; i++, polled++) {
			uint32_t op = want[polled % KEEP].opcode, b = want[polled % KEEP].bytes;
			bool inv = op == 129 && !want[polled % KEEP].status, imm = op == 130 && !want[polled % KEEP].status;

			if (polled == done || wc[i].wr_id != want[polled % KEEP].wr_id || wc[i].byte_len != b ||
			    (wc[i].status == IBV_WC_SUCCESS) != !want[polled % KEEP].status || wc[i].vendor_err != b + 1 ||
			    wc[i].opcode != (imm ? IBV_WC_RECV_RDMA_WITH_IMM : op >= 128 ? IBV_WC_RECV : op) || wc[i].qp_num != qp->vqp.qp.qp_num ||
			    wc[i].wc_flags != (inv ? IBV_WC_WITH_INV : imm ? IBV_WC_WITH_IMM : 0) ||
			    (imm && wc[i].imm_data != htobe32(b ^ 0x5a5a5a5a)) || (inv && wc[i].invalidated_rkey != (b ^ 0x5a5a5a5a)))
				wrong = polled;
		}
		if (card_told(&card) != last) {
			changes++;
			last = card.told;
		}
	}
	snprintf(name, sizeof(name), "completions of a CQ of %u", cqe);
	verdict(wrong < 0, name, wrong, done);
	snprintf(name, sizeof(name), "doorbells of a CQ of %u come in batches", cqe);
	verdict(changes && changes * (cqe > 100 ? 4 : 1) < polls, name, changes, polls);
	ops.req_notify_cq(cq, 1);
	snprintf(name, sizeof(name), "an arm of a CQ of %u says what was polled", cqe);
	verdict(WEFT_GET(doorbell(WEFT_DB_CQ), DB_CQ_ARM) == WEFT_ARM_SOLICITED &&
		WEFT_GET(doorbell(WEFT_DB_CQ), DB_CQ_INDEX) == (card.cq->ci & 0xffffff), name, 0, 0);
	free(want);
	ops.destroy_qp(&qp->vqp.qp);
	ops.destroy_cq(cq);
}

/*
 * What the program is told of requests of two entries, of which the card has two completions when they are bad: Writes with immediate,
 * or Reads into two elements.
 */
static void two_entries(bool read, bool ex)
{
	enum { N = 16 };
	struct ibv_cq_ex *cx = new_cq_ex(N);
	struct ibv_cq *cq = ibv_cq_ex_to_cq(cx);
	struct card_cq card = { .cq = to_weft_cq(cq) };
	struct weft_qp *qp = to_weft_qp(new_qp(cq, N, 0));
	struct ibv_sge sge[2] = { { 1, 1000, 2 }, { 3, 100, 4 } };
	struct ibv_send_wr wr = { .opcode = read ? IBV_WR_RDMA_READ : IBV_WR_RDMA_WRITE_WITH_IMM, .send_flags = IBV_SEND_SIGNALED,
				  .sg_list = sge, .num_sge = read ? 2 : 0 }, *bad_wr;
	uint32_t qpn = qp->vqp.qp.qp_num, op[2] = { read ? WEFT_WC_OPCODE_READ : WEFT_WC_OPCODE_WRITE, read ? WEFT_WC_OPCODE_READ : WEFT_WC_OPCODE_IMM };
	enum ibv_wc_opcode told = read ? IBV_WC_RDMA_READ : IBV_WC_RDMA_WRITE;
	const char *what = read ? "a Read into two elements" : "a Write with immediate", *how = ex ? "one by one" : "in a list";
	struct ibv_wc wc[4 * N];
	int n = 0, wrong = 0;
	char name[100];

	for (wr.wr_id = 0; wr.wr_id < N; wr.wr_id++)
		wrong += ops.post_send(&qp->vqp.qp, &wr, &bad_wr);
	wrong += ops.post_send(&qp->vqp.qp, &wr, &bad_wr) != ENOMEM;
	/* one is good; the first entry of the next one is bad, and the rest is flushed behind it */
	card_complete(&card, qpn, op[1], 1, WEFT_WC_STATUS_SUCCESS, 100);
	card_complete(&card, qpn, op[0], 2, WEFT_WC_STATUS_LOC_PROT_ERR, 0);
	for (uint16_t i = 3; i < 2 * N; i++)
		wrong += !card_complete(&card, qpn, 0, i, WEFT_WC_STATUS_WR_FLUSH_ERR, 0);
	if (!ex) {
		n = ops.poll_cq(cq, 4 * N, wc);
	} else if (!cx->start_poll(cx, &(struct ibv_poll_cq_attr){ 0 })) {
		do
			wc[n++] = (struct ibv_wc){ .wr_id = cx->wr_id, .status = cx->status, .opcode = cx->read_opcode(cx), .byte_len = cx->read_byte_len(cx) };
		while (!cx->next_poll(cx));
		cx->end_poll(cx);
	}
	for (int i = 0; i < n; i++)
		wrong += wc[i].wr_id != (uint64_t)i || wc[i].status != (!i ? IBV_WC_SUCCESS : i == 1 ? IBV_WC_LOC_PROT_ERR : IBV_WC_WR_FLUSH_ERR) ||
			 wc[i].opcode != told;
	snprintf(name, sizeof(name), "%s has one completion, polled %s", what, how);
	verdict(n == N && !wrong && qp->sq.ci == qp->sq.pi && wc->byte_len == (read ? 1100 : 100), name, n, wrong);
	/* the first entry was good, and has no completion; the second is bad */
	wr.wr_id = 70;
	wrong = ops.post_send(&qp->vqp.qp, &wr, &bad_wr);
	card_complete(&card, qpn, op[1], 2 * N + 1, WEFT_WC_STATUS_REM_ACCESS_ERR, 0);
	wrong += ops.poll_cq(cq, 4, wc) != 1 || wc->wr_id != 70 || wc->status != IBV_WC_REM_ACCESS_ERR || wc->opcode != told;
	snprintf(name, sizeof(name), "%s whose second entry is bad, polled %s", what, how);
	verdict(!wrong && qp->sq.ci == qp->sq.pi, name, wrong, 0);
	/* their places are as new */
	wr.opcode = IBV_WR_SEND;
	wr.num_sge = 0;
	for (wr.wr_id = 0, wrong = 0; wr.wr_id < 2 * N; wr.wr_id++) {
		wrong += ops.post_send(&qp->vqp.qp, &wr, &bad_wr);
		card_complete(&card, qpn, WEFT_WC_OPCODE_SEND, 2 * N + 2 + wr.wr_id, WEFT_WC_STATUS_WR_FLUSH_ERR, 7);
		wrong += ops.poll_cq(cq, 1, wc) != 1 || wc->opcode != IBV_WC_SEND || wc->byte_len != 7;
	}
	snprintf(name, sizeof(name), "%s leaves nothing in its places, polled %s", what, how);
	verdict(!wrong, name, wrong, 0);
	ops.destroy_qp(&qp->vqp.qp);
	ops.destroy_cq(cq);
}

/* ---- shared receive queues ---- */

#define SRQ_SGES 4

struct card_srq {
	struct weft_srq *q;
	uint16_t taken;
	uint16_t held[4096];		/* entries that were taken and not completed */
	uint32_t n_held, n_free;	/* n_free: of the program's */
	bool out[4096];			/* taken and not completed */
};

static struct ibv_srq *new_srq(uint32_t n)
{
	struct ibv_srq_init_attr a = { .attr = { .max_wr = n, .max_sge = SRQ_SGES } };

	return ops.create_srq(pd, &a);
}

static struct ibv_qp *new_srq_qp(struct ibv_cq *cq, struct ibv_srq *srq)
{
	struct ibv_qp_init_attr_ex a = { .send_cq = cq, .recv_cq = cq, .srq = srq, .qp_type = IBV_QPT_RC,
		.cap = { .max_send_wr = 16, .max_send_sge = 1 }, .comp_mask = IBV_QP_INIT_ATTR_PD, .pd = pd };

	return ops.create_qp_ex(context, &a);
}

static uint64_t srq_addr(uint64_t wr_id, int i) { return wr_id * 0x10000 + i * 0x100; }

/* A receive whose elements say whose they are. */
static int srq_post(struct ibv_srq *srq, uint64_t wr_id, uint32_t n, uint32_t sges)
{
	struct ibv_recv_wr wr[8], *bad_wr = NULL;
	struct ibv_sge sge[8][SRQ_SGES];
	int rc;

	for (uint32_t k = 0; k < n; k++) {
		for (uint32_t i = 0; i < sges && i < SRQ_SGES; i++)
			sge[k][i] = (struct ibv_sge){ .addr = srq_addr(wr_id + k, i), .length = 16 + k, .lkey = (uint32_t)(wr_id + k) };
		wr[k] = (struct ibv_recv_wr){ .wr_id = wr_id + k, .sg_list = sge[k], .num_sge = (int)sges, .next = k + 1 < n ? &wr[k + 1] : NULL };
	}
	rc = ops.post_srq_recv(srq, wr, &bad_wr);
	return rc ? -(int)(bad_wr - wr) - 1 : (int)n;
}

/* The next entry of the order, as far as the doorbell says; false: there is none. An entry that is wrong has number -1. */
static bool card_pop(struct card_srq *c, int *slot)
{
	const __le64 db = __atomic_load_n(doorbell(WEFT_DB_SRQ), __ATOMIC_ACQUIRE);
	const uint8_t *ring = c->q->ring;
	uint32_t n = 1u << c->q->log2;
	const __le64 *order = (const __le64 *)(ring + n * c->q->stride + c->taken % n * WEFT_SRQ_ORDER_BYTES), *e;

	if (WEFT_GET(&db, DB_QUEUE_ID) != c->q->srqn || (uint16_t)WEFT_GET(&db, DB_QUEUE_INDEX) == c->taken)
		return false;
	*slot = (int)WEFT_GET(order, SRQ_ORDER_SLOT);
	e = (const __le64 *)(ring + (uint32_t)*slot * c->q->stride);
	c->taken++;
	if ((uint16_t)(WEFT_GET(&db, DB_QUEUE_INDEX) - c->taken) >= n || *slot >= (int)n || c->out[*slot] || WEFT_GET(e, RQE_INDEX) != (uint64_t)*slot)
		*slot = -1;
	else
		c->out[*slot] = true;
	return true;
}

static uint64_t wr_id_of(const struct card_srq *c, int slot)
{
	const __le64 *e = (const __le64 *)(c->q->ring + (uint32_t)slot * c->q->stride), *g = e + WEFT_WORDS(RQE);
	uint64_t id = WEFT_GET(g, SGE_LKEY);
	uint32_t n = WEFT_GET(e, RQE_NUM_SGE), total = 0;

	for (uint32_t i = 0; i < n; i++, g += WEFT_WORDS(SGE)) {
		if (WEFT_GET(g, SGE_ADDR) != srq_addr(id, (int)i))
			return ~0ull;
		total += WEFT_GET(g, SGE_LENGTH);
	}
	return n && WEFT_GET(e, RQE_LENGTH) == total ? id : ~0ull;
}

/* Entries are taken in the order of posting, complete in any order, on any of the queue pairs, and are the program's again when it has polled. */
static void shared(void)
{
	struct ibv_cq *cq = ops.create_cq(context, 1000, NULL, 0);
	struct card_cq card = { .cq = to_weft_cq(cq) };
	struct card_srq *c = calloc(1, sizeof(*c));
	struct ibv_srq *srq = new_srq(40);
	struct ibv_qp *qp[3];
	struct ibv_recv_wr wr = { .wr_id = 1 }, *bad_wr = NULL;
	uint64_t next = 1, popped = 1, want[64];
	long wrong = 0, done = 0, full = 0;

	c->q = to_weft_srq(srq);
	c->n_free = 64;
	for (int i = 0; i < 3; i++)
		qp[i] = new_srq_qp(cq, srq);
	verdict(ops.post_recv(qp[0], &wr, &bad_wr) == EINVAL && bad_wr == &wr, "a receive for a queue pair that has none of its own", 0, 0);
	verdict(srq_post(srq, 1, 1, SRQ_SGES + 1) == -1 && !c->q->pi, "a receive with too many elements", 0, 0);
	for (int round = 0; round < 20000 && !wrong; round++) {
		uint32_t n = 1 + rnd(8), room = c->n_free;
		int slot;

		if (rnd(3)) { /* a list: as many of it as there is room for */
			int rc = srq_post(srq, next, n, 1 + rnd(SRQ_SGES));

			wrong += rc != (n <= room ? (int)n : -(int)room - 1);
			next += n <= room ? n : room;
			c->n_free -= n <= room ? n : room;
			full += n > room;
		}
		for (uint32_t k = rnd(8); k && card_pop(c, &slot); k--) {
			if (slot < 0 || wr_id_of(c, slot) != popped++) {
				wrong++;
				break;
			}
			c->held[c->n_held++ % 4096] = (uint16_t)slot;
		}
		n = 0;
		for (uint32_t k = rnd(8); k && c->n_held; k--, n++) {
			uint32_t at = rnd(c->n_held);

			slot = c->held[at];
			c->held[at] = c->held[--c->n_held];
			c->out[slot] = false;
			want[n] = wr_id_of(c, slot);
			wrong += !card_complete(&card, qp[rnd(3)]->qp_num, WEFT_WC_OPCODE_RECV, (uint16_t)slot, 0, 5);
		}
		for (uint32_t k = 0; k < n; k++) {
			struct ibv_wc wc;

			wrong += ops.poll_cq(cq, 1, &wc) != 1 || wc.wr_id != want[k] || wc.opcode != IBV_WC_RECV;
			c->n_free++;
			done++;
		}
	}
	verdict(!wrong && done > 10000 && full > 50, "a shared receive queue", wrong, done);
	/* what nobody polled goes with its queue pair, and its places are free */
	while (c->n_held) {
		c->out[c->held[--c->n_held]] = false;
		card_complete(&card, qp[0]->qp_num, WEFT_WC_OPCODE_RECV, c->held[c->n_held], WEFT_WC_STATUS_WR_FLUSH_ERR, 0);
		c->n_free++;
	}
	ops.destroy_qp(qp[0]);
	wrong = ops.poll_cq(cq, 1, (struct ibv_wc[1]){ 0 });
	for (uint32_t k = c->n_free; k; k--)
		wrong += srq_post(srq, next++, 1, 1) != 1;
	wrong += srq_post(srq, next, 1, 1) != -1;
	verdict(!wrong, "places of completions that nobody polled", wrong, c->n_free);
	fail_next = EBUSY;
	wrong = ops.destroy_srq(srq) != EBUSY;
	ops.destroy_qp(qp[1]);
	ops.destroy_qp(qp[2]);
	wrong += ops.destroy_srq(srq);
	fail_next = EOPNOTSUPP;
	wrong += new_srq(16) || errno != EOPNOTSUPP;
	verdict(!wrong, "the end of a shared receive queue", wrong, 0);
	ops.destroy_cq(cq);
	free(c);
}

/* Two threads post, a third one polls, and here is the card: each receive completes once, as what it was posted. */
enum { THREADS = 2, EACH = 30000 };
static struct ibv_srq *thread_srq;
static struct ibv_cq *thread_cq;
static atomic_int not_posted;

static void *poster(void *arg)
{
	uint64_t id = (uintptr_t)arg * EACH;

	for (uint32_t i = 0; i < EACH;) {
		int rc = srq_post(thread_srq, id + i + 1, 1, 2);

		if (rc == 1)
			i++;
		else
			sched_yield();
	}
	return NULL;
}

static void *poller(void *arg)
{
	uint8_t *seen = arg;
	struct ibv_wc wc;

	for (uint32_t n = 0; n < THREADS * EACH;) {
		if (ops.poll_cq(thread_cq, 1, &wc) != 1) {
			sched_yield();
			continue;
		}
		n++;
		if (wc.wr_id < 1 || wc.wr_id > THREADS * EACH || seen[wc.wr_id]++)
			atomic_fetch_add(&not_posted, 1);
	}
	return NULL;
}

static void shared_by_threads(void)
{
	struct card_srq *c = calloc(1, sizeof(*c));
	uint8_t *seen = calloc(1, THREADS * EACH + 1);
	pthread_t threads[THREADS + 1];
	struct card_cq card;
	struct ibv_qp *qp;
	long wrong = 0;

	thread_cq = ops.create_cq(context, 256, NULL, 0);
	thread_srq = new_srq(64);
	c->q = to_weft_srq(thread_srq);
	card = (struct card_cq){ .cq = to_weft_cq(thread_cq) };
	qp = new_srq_qp(thread_cq, thread_srq);
	for (uintptr_t i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, poster, (void *)i);
	pthread_create(&threads[THREADS], NULL, poller, seen);
	for (uint32_t n = 0; n < THREADS * EACH && !wrong;) {
		int slot;

		if (!card_pop(c, &slot)) {
			sched_yield();
			continue;
		}
		wrong += slot < 0 || wr_id_of(c, slot) == ~0ull;
		if (slot < 0)
			break;
		c->out[slot] = false;
		wrong += !card_complete(&card, qp->qp_num, WEFT_WC_OPCODE_RECV, (uint16_t)slot, 0, 1);
		n++;
	}
	if (wrong) { /* the threads would wait for ever */
		verdict(false, "threads that share a receive queue", wrong, c->taken);
		exit(1);
	}
	for (int i = 0; i <= THREADS; i++)
		pthread_join(threads[i], NULL);
	verdict(!atomic_load(&not_posted), "threads that share a receive queue", atomic_load(&not_posted), 0);
	ops.destroy_qp(qp);
	ops.destroy_srq(thread_srq);
	ops.destroy_cq(thread_cq);
	free(seen);
	free(c);
}

/* A card of before. */
static void no_imm(void)
{
	struct ibv_cq *cq = ops.create_cq(context, 16, NULL, 0);
	struct ibv_send_wr wr = { .opcode = IBV_WR_RDMA_WRITE_WITH_IMM }, *bad_wr;
	struct ibv_qp *qp = new_qp(cq, 16, 0);
	int wrong = 0;

	to_weft_ctx(context)->features = 0;
	wrong += ops.post_send(qp, &wr, &bad_wr) != EOPNOTSUPP || to_weft_qp(qp)->sq.pi;
	wrong += new_qp(cq, 16, IBV_QP_EX_WITH_RDMA_WRITE_WITH_IMM) || errno != EOPNOTSUPP;
	to_weft_ctx(context)->features = features;
	wr.opcode = IBV_WR_SEND_WITH_IMM; /* two messages take two receives */
	wrong += ops.post_send(qp, &wr, &bad_wr) != EOPNOTSUPP || to_weft_qp(qp)->sq.pi;
	verdict(!wrong, "immediate data that cannot be", wrong, 0);
	struct ibv_sge sge = { .length = 8 };
	struct ibv_send_wr at = { .opcode = IBV_WR_ATOMIC_FETCH_AND_ADD, .sg_list = &sge, .num_sge = 1 };

	wrong = 0;
	to_weft_ctx(context)->features = 0;
	for (int i = 0; i < 2; i++) {
		wrong += ops.post_send(qp, &at, &bad_wr) != EOPNOTSUPP || to_weft_qp(qp)->sq.pi;
		wrong += new_qp(cq, 16, i ? IBV_QP_EX_WITH_ATOMIC_CMP_AND_SWP : IBV_QP_EX_WITH_ATOMIC_FETCH_AND_ADD) || errno != EOPNOTSUPP;
		at.opcode = IBV_WR_ATOMIC_CMP_AND_SWP;
	}
	to_weft_ctx(context)->features = features;
	verdict(!wrong, "atomics that cannot be", wrong, 0);
	struct ibv_device_attr_ex attr = { .orig_attr.max_sge_rd = 99 };
	struct ibv_sge pair[2] = { { .length = 8 }, { .length = 8 } };

	at = (struct ibv_send_wr){ .opcode = IBV_WR_RDMA_READ, .sg_list = pair, .num_sge = 2 };
	wrong = ops.query_device_ex(context, NULL, &attr, sizeof(attr)) || attr.orig_attr.max_sge_rd != 2;
	to_weft_ctx(context)->features = 0;
	wrong += ops.query_device_ex(context, NULL, &attr, sizeof(attr)) || attr.orig_attr.max_sge_rd != 1;
	wrong += ops.post_send(qp, &at, &bad_wr) != EINVAL || to_weft_qp(qp)->sq.pi;
	at.num_sge = 1;
	wrong += ops.post_send(qp, &at, &bad_wr) || to_weft_qp(qp)->sq.pi != 1;
	to_weft_ctx(context)->features = features;
	verdict(!wrong, "a Read into two elements where queues have no room for it", wrong, 0);
	ops.destroy_qp(qp);
	ops.destroy_cq(cq);
}

/* An older driver, a card without push lines, a driver that has other worries, who does not want it. */
static void contexts(void)
{
	static const struct { uint64_t known; uint32_t push; int rc; bool shut; unsigned int asks; } t[] = {
		{ WEFT_ALLOC_UCONTEXT_PUSH, 1, 0, false, 1 },
		{ WEFT_ALLOC_UCONTEXT_PUSH, 0, 0, false, 1 },
		{ 0, 0, 0, false, 2 },
		{ 0, 1, 0, false, 2 }, /* it tells what it was not asked for */
		{ WEFT_ALLOC_UCONTEXT_PUSH, 1, ENOMEM, false, 1 },
		{ WEFT_ALLOC_UCONTEXT_PUSH, 1, 0, true, 1 },
	};
	struct ibv_device device = { .name = "weft" };
	int wrong = 0;

	for (unsigned int i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		struct verbs_context *v;

		known = t[i].known;
		fail_next = t[i].rc;
		features |= t[i].push << WEFT_FEATURE_PUSH;
		asks = 0;
		if (t[i].shut)
			setenv("WEFT_NO_PUSH", "1", 1);
		v = device_ops->alloc_context(&device, file_fd, NULL);
		unsetenv("WEFT_NO_PUSH");
		features &= ~(1u << WEFT_FEATURE_PUSH);
		wrong += asks != t[i].asks || !v != !!t[i].rc;
		if (!v)
			continue;
		wrong += to_weft_ctx(&v->context)->push != (asked == WEFT_ALLOC_UCONTEXT_PUSH && t[i].push);
		wrong += (asked == WEFT_ALLOC_UCONTEXT_PUSH) != (t[i].known && !t[i].shut);
		ops.free_context(&v->context);
	}
	known = WEFT_ALLOC_UCONTEXT_PUSH;
	verdict(!wrong, "a context asks for push lines, and does without", wrong, 0);
}

/* Each doorbell of a page that is write combining has a fence in front and a flush behind, and a push line, too. */
static void fences(void)
{
	struct ibv_cq *cq = ops.create_cq(context, 16, NULL, 0);
	struct weft_context *ctx = to_weft_ctx(context);
	struct ibv_qp *qp = new_qp(cq, 16, WEFT_WR_OPS);
	struct ibv_qp_ex *x = &to_weft_qp(qp)->vqp.qp_ex;
	struct ibv_srq_init_attr a = { .attr = { .max_wr = 8, .max_sge = 1 } };
	struct ibv_srq *srq = ops.create_srq(pd, &a);
	struct ibv_send_wr send = { .opcode = IBV_WR_SEND }, *bad_send;
	struct ibv_recv_wr recv = { .num_sge = 0 }, *bad_recv;
	int wrong = 0;

	for (int push = 0; push < 2; push++) {
		const char *ring = push ? "sdf" : "bd";

		ctx->push = push;
		to_weft_qp(qp)->sq.ci = to_weft_qp(qp)->sq.pi;
		n_noted = 0;
		wrong += ops.post_recv(qp, &recv, &bad_recv) || !did(ring);
		/* entries in front of their order, and both in front of the index */
		wrong += ops.post_srq_recv(srq, &recv, &bad_recv) || !did(ring);
		wrong += ops.req_notify_cq(cq, 0) || !did(ring);
		wrong += ops.post_send(qp, &send, &bad_send) || !did(push ? "slf" : "bd");
		wrong += ops.post_send(qp, &send, &bad_send) || !did(ring); /* not empty any more */
		to_weft_qp(qp)->sq.ci = to_weft_qp(qp)->sq.pi;
		x->wr_start(x);
		x->wr_send(x);
		x->wr_set_sge_list(x, 0, NULL);
		wrong += x->wr_complete(x) || !did(push ? "slf" : "bd");
	}
	ctx->push = false;
	verdict(!wrong, "doorbells have their fences", wrong, 0);
	ops.destroy_srq(srq);
	ops.destroy_qp(qp);
	ops.destroy_cq(cq);
}

/* One short request on an empty queue comes with its doorbell, in its queue pair's line; all others ring. */
static void pushes(void)
{
	struct ibv_cq *cq = ops.create_cq(context, 16, NULL, 0);
	struct ibv_qp *qp = new_qp(cq, 16, 0);
	struct weft_context *ctx = to_weft_ctx(context);
	struct weft_qp *q = to_weft_qp(qp);
	const uint32_t at = WEFT_DB_PUSH + qp->qp_num % 32 * WEFT_PUSH_LINE_BYTES;
	int wrong = 0, pushed = 0, rung = 0;

	for (int i = 0; i < 3000; i++) {
		struct ibv_send_wr wr[2] = { { .next = NULL } }, *bad_wr;
		uint16_t before = q->sq.pi;
		bool empty = rnd(4), busy = !rnd(10), two = !rnd(4), fits = true;
		uint8_t text[64];

		for (uint32_t k = 0; k < sizeof(text); k++)
			text[k] = rnd(256);
		for (int j = 0; j <= two; j++) {
			static struct ibv_sge sge[2][4];

			wr[j].opcode = (enum ibv_wr_opcode[]){ IBV_WR_SEND, IBV_WR_RDMA_WRITE, IBV_WR_RDMA_READ, IBV_WR_ATOMIC_FETCH_AND_ADD, IBV_WR_SEND_WITH_INV }[rnd(5)];
			wr[j].send_flags = wr[j].opcode < IBV_WR_RDMA_READ && rnd(2) ? IBV_SEND_INLINE : 0;
			wr[j].num_sge = wr[j].opcode == IBV_WR_RDMA_READ || wr[j].opcode == IBV_WR_ATOMIC_FETCH_AND_ADD || rnd(2) ? 1 : rnd(4);
			wr[j].sg_list = sge[j];
			for (int k = 0; k < wr[j].num_sge; k++)
				sge[j][k] = (struct ibv_sge){ (uintptr_t)text, wr[j].opcode == IBV_WR_ATOMIC_FETCH_AND_ADD ? 8 : rnd(20), rnd(1u << 31) };
			uint32_t sum = 0;

			for (int k = 0; k < wr[j].num_sge; k++)
				sum += sge[j][k].length;
			fits = wr[j].opcode != IBV_WR_ATOMIC_FETCH_AND_ADD && (wr[j].send_flags & IBV_SEND_INLINE ? sum <= 24 : wr[j].num_sge <= 1);
		}
		if (two)
			wr[0].next = &wr[1];
		/* all but `i % 7 + 1` are complete, or all */
		q->sq.ci = empty ? before : before - 1 - i % 7;
		ctx->push = rnd(8);
		ctx->push_busy = busy ? ~0u : ~(1u << qp->qp_num % 32);
		memset(ctx->db + WEFT_DB_SQ, 0, 8);
		memset(ctx->db + WEFT_DB_PUSH, 0, WEFT_DB_PAGE_BYTES - WEFT_DB_PUSH);
		if (ops.post_send(qp, wr, &bad_wr) || (uint16_t)(q->sq.pi - before) != 1 + two) {
			wrong++;
			break;
		}
		const __le64 *l = doorbell(at), *d = doorbell(WEFT_DB_SQ);
		bool push = ctx->push && !two && empty && fits && !busy;

		pushed += push;
		rung += !push;
		wrong += ctx->push_busy != (busy ? ~0u : ~(1u << qp->qp_num % 32));
		if (push)
			wrong += *d || WEFT_GET(l, PUSH_LINE_ID) != qp->qp_num || WEFT_GET(l, PUSH_LINE_INDEX) != q->sq.pi ||
				 memcmp((const uint8_t *)l + WEFT_PUSH_LINE_WQE_OFF, q->sq.ring + (before & ((1u << q->sq.log2) - 1)) * 128, WEFT_PUSH_WQE_BYTES);
		else
			wrong += *l || WEFT_GET(d, DB_QUEUE_ID) != qp->qp_num || WEFT_GET(d, DB_QUEUE_INDEX) != q->sq.pi;
		memset(ctx->db + at, 0, WEFT_PUSH_LINE_BYTES);
		for (uint32_t k = WEFT_DB_PUSH; k < WEFT_DB_PAGE_BYTES; k += 8)
			wrong += !!*doorbell(k);
	}
	ctx->push = false;
	ctx->push_busy = 0;
	verdict(!wrong && pushed > 300 && rung > 300, "one short request on an empty queue is pushed", wrong, pushed);
	ops.destroy_qp(qp);
	ops.destroy_cq(cq);
}

/* ---- memory windows ---- */

struct bind { uint32_t stag, lkey, access; uint64_t to, addr, bytes; };

static bool is_bind(const uint8_t *e, const struct bind *b, uint16_t index, unsigned int flags, bool fence)
{
	const __le64 *w = (const __le64 *)e, *g = w + WEFT_WORDS(SQE);

	return WEFT_GET(w, SQE_OPCODE) == WEFT_SQ_OPCODE_BIND_MW && WEFT_GET(w, SQE_LOCAL_FENCE) == fence && WEFT_GET(w, SQE_INDEX) == index && !WEFT_GET(w, SQE_LENGTH) &&
	       !WEFT_GET(w, SQE_INLINE) && !WEFT_GET(w, SQE_NUM_SGE) && WEFT_GET(w, SQE_SIGNALED) == !!(flags & IBV_SEND_SIGNALED) &&
	       WEFT_GET(w, SQE_READ_FENCE) == !!(flags & IBV_SEND_FENCE) && WEFT_GET(w, SQE_RSTAG) == b->stag && WEFT_GET(w, SQE_RADDR) == b->to &&
	       WEFT_GET(g, SQE_BIND_ADDR) == b->addr && WEFT_GET(g, SQE_BIND_BYTES) == b->bytes && WEFT_GET(g, SQE_BIND_LKEY) == b->lkey &&
	       WEFT_GET(g, SQE_BIND_ACCESS) == b->access;
}

static const uint8_t *entry_of(struct weft_qp *qp, uint16_t index)
{
	return qp->sq.ring + (size_t)(index & ((1u << qp->sq.log2) - 1)) * qp->sq.stride;
}

static bool is_inv(const uint8_t *e, uint32_t stag, uint16_t index)
{
	const __le64 *w = (const __le64 *)e;

	return WEFT_GET(w, SQE_OPCODE) == WEFT_SQ_OPCODE_LOCAL_INV && WEFT_GET(w, SQE_INDEX) == index && WEFT_GET(w, SQE_RSTAG) == stag &&
	       !WEFT_GET(w, SQE_LENGTH) && !WEFT_GET(w, SQE_INLINE) && !WEFT_GET(w, SQE_NUM_SGE) && !WEFT_GET(w, SQE_SIGNALED);
}

/* Binds in a list, one by one, and by the call for windows of type 1; their ends; what cannot be. */
static void windows(void)
{
	struct ibv_mw *one = ops.alloc_mw(pd, IBV_MW_TYPE_1), *two = ops.alloc_mw(pd, IBV_MW_TYPE_2);
	static const uint32_t given[] = { 0, 1u << WEFT_ACCESS_REMOTE_WRITE, 1u << WEFT_ACCESS_REMOTE_READ, 1u << WEFT_ACCESS_REMOTE_ATOMIC };
	static const unsigned int asked[] = { 0, IBV_ACCESS_REMOTE_WRITE, IBV_ACCESS_REMOTE_READ, IBV_ACCESS_REMOTE_ATOMIC };
	struct ibv_cq *cq = ops.create_cq(context, 64, NULL, 0);
	struct weft_qp *l = to_weft_qp(new_qp(cq, 16, WEFT_WR_OPS));
	struct ibv_qp *no = new_qp(cq, 16, 0);
	struct ibv_qp_ex *x = &l->vqp.qp_ex;
	struct card_cq card = { .cq = to_weft_cq(cq) };
	struct ibv_send_wr *bad_wr;
	struct ibv_wc wc[4];
	uint16_t before;
	long wrong = 0;

	memset(l->sq.ring, 0xff, (size_t)l->sq.stride << l->sq.log2);
	for (uint32_t i = 0; i < 1000; i++) {
		struct ibv_mr mr = { .lkey = rnd(1u << 31) };
		bool zero = rnd(2);
		uint32_t r = rnd(4);
		struct ibv_mw_bind_info info = { .mr = &mr, .addr = (uint64_t)rnd(1u << 31) << 32 | rnd(1u << 31),
			.length = rnd(4) ? (uint64_t)rnd(1u << 31) << rnd(33) : 0, .mw_access_flags = asked[r] | (zero ? IBV_ACCESS_ZERO_BASED : 0) | (rnd(2) ? IBV_ACCESS_LOCAL_WRITE : 0) };
		struct bind want = { two->rkey ^ rnd(256), info.length ? mr.lkey : 0, given[r] | 1u << WEFT_ACCESS_REMOTE_INV, zero ? 0 : info.addr, info.addr,
			info.length };
		struct ibv_send_wr inv = { .opcode = IBV_WR_LOCAL_INV, .invalidate_rkey = rnd(1u << 31) };
		struct ibv_send_wr wr = { .opcode = IBV_WR_BIND_MW, .send_flags = rnd(4), .bind_mw = { two, want.stag, info }, .next = &inv };
		struct ibv_mw_bind bind = { .wr_id = i, .send_flags = rnd(4), .bind_info = info };
		uint32_t was = one->rkey;

		before = l->sq.pi;
		/* the invalidation in front is over, or not: what the peer has read by that binding may be sent again */
		l->sq.ci = i & 1 ? before - 2 : before;
		wrong += ops.post_send(&l->vqp.qp, &wr, &bad_wr) || l->sq.pi != (uint16_t)(before + 2) || !is_bind(entry_of(l, before), &want, before, wr.send_flags, i & 1) ||
			 !is_inv(entry_of(l, before + 1), inv.invalidate_rkey, before + 1);
		x->wr_start(x);
		x->wr_id = i;
		x->wr_flags = wr.send_flags;
		x->wr_bind_mw(x, two, want.stag, &info);
		x->wr_flags = 0;
		x->wr_local_inv(x, inv.invalidate_rkey);
		wrong += x->wr_complete(x) || !is_bind(entry_of(l, before + 2), &want, before + 2, wr.send_flags, true) ||
			 !is_inv(entry_of(l, before + 3), inv.invalidate_rkey, before + 3);
		want.access = given[r];
		wrong += ops.bind_mw(&l->vqp.qp, one, &bind) || (one->rkey ^ was) >> 8 || one->rkey == was;
		want.stag = one->rkey;
		wrong += !is_bind(entry_of(l, before + 4), &want, before + 4, bind.send_flags, true) || l->sq.pi != (uint16_t)(before + 5) ||
			 WEFT_GET(doorbell(WEFT_DB_SQ), DB_QUEUE_INDEX) != l->sq.pi;
	}
	verdict(!wrong, "binds", wrong, 0);
	/* they complete as what they are */
	before = l->sq.pi;
	wrong = !card_complete(&card, l->vqp.qp.qp_num, WEFT_WC_OPCODE_BIND_MW, before - 3, 0, 0) ||
		!card_complete(&card, l->vqp.qp.qp_num, WEFT_WC_OPCODE_LOCAL_INV, before - 2, 0, 0) ||
		!card_complete(&card, l->vqp.qp.qp_num, 0, before - 1, WEFT_WC_STATUS_MW_BIND_ERR, 0) || ops.poll_cq(cq, 4, wc) != 3 ||
		wc[0].opcode != IBV_WC_BIND_MW || wc[1].opcode != IBV_WC_LOCAL_INV || wc[2].status != IBV_WC_MW_BIND_ERR || wc[2].wr_id != 999;
	verdict(!wrong, "their completions", wrong, wc[2].status);

	struct ibv_mw_bind_info info = { .length = 8, .mr = &(struct ibv_mr){ .lkey = 5 } };
	struct ibv_send_wr wr = { .opcode = IBV_WR_BIND_MW, .bind_mw = { two, 1, info } };
	struct ibv_mw_bind bind = { .bind_info = info };

	wrong = 0;
	l->sq.ci = before = l->sq.pi;
	wr.bind_mw.mw = one; /* not by a work request */
	wrong += ops.post_send(&l->vqp.qp, &wr, &bad_wr) != EINVAL;
	wr.bind_mw.mw = NULL;
	wrong += ops.post_send(&l->vqp.qp, &wr, &bad_wr) != EINVAL;
	wr.bind_mw.mw = two;
	wr.bind_mw.bind_info.mr = NULL;
	wrong += ops.post_send(&l->vqp.qp, &wr, &bad_wr) != EINVAL;
	wr.bind_mw.bind_info.mr = info.mr;
	wr.bind_mw.bind_info.mw_access_flags = IBV_ACCESS_MW_BIND;
	wrong += ops.post_send(&l->vqp.qp, &wr, &bad_wr) != EINVAL;
	for (int i = 0; i < 4; i++) {
		x->wr_start(x);
		if (i)
			x->wr_bind_mw(x, two, 1, &info);
		else
			x->wr_bind_mw(x, one, 1, &info);
		if (i == 1)
			x->wr_set_sge(x, 1, 2, 3);
		if (i == 2)
			x->wr_set_inline_data(x, x, 4);
		if (i == 3)
			x->wr_local_inv(x, 1), x->wr_set_sge(x, 1, 2, 3);
		wrong += x->wr_complete(x) != EINVAL;
	}
	bind.send_flags = IBV_SEND_INLINE;
	wrong += ops.bind_mw(&l->vqp.qp, one, &bind) != EINVAL || l->sq.pi != before;
	bind.send_flags = 0;
	uint32_t was = one->rkey;

	l->sq.ci = before - (1u << l->sq.log2); /* full: it keeps its key */
	wrong += ops.bind_mw(&l->vqp.qp, one, &bind) != ENOMEM || one->rkey != was || l->sq.pi != before;
	l->sq.ci = before;
	fail_next = ENOMEM;
	wrong += ops.alloc_mw(pd, IBV_MW_TYPE_1) || errno != ENOMEM;
	fail_next = EBUSY;
	wrong += ops.dealloc_mw(one) != EBUSY;
	/* a card without them */
	to_weft_ctx(context)->features = features & ~(1u << WEFT_FEATURE_MW);
	wr.bind_mw.bind_info = info;
	wrong += ops.alloc_mw(pd, IBV_MW_TYPE_2) || errno != EOPNOTSUPP;
	wrong += ops.post_send(no, &wr, &bad_wr) != EOPNOTSUPP;
	wr.opcode = IBV_WR_LOCAL_INV;
	wrong += ops.post_send(no, &wr, &bad_wr) != EOPNOTSUPP || to_weft_qp(no)->sq.pi;
	to_weft_ctx(context)->features = features;
	verdict(!wrong, "windows that cannot be", wrong, 0);
	ops.dealloc_mw(one);
	ops.dealloc_mw(two);
	ops.destroy_qp(&l->vqp.qp);
	ops.destroy_qp(no);
	ops.destroy_cq(cq);
}

/* ---- resize ---- */

static struct {
	struct card_cq card;
	struct ibv_cq_ex *cx;
	struct weft_qp *qp;
	uint32_t done, polled, most;	/* most: not polled at a time */
	long wrong;
} rz;

/* A storm: each is of a request of two entries, here with one of a QP that is gone in the place of what nobody is told of. */
static void rz_complete(uint32_t n)
{
	bool storm = rnd(2);

	while (n-- && rz.done - rz.polled < rz.most && !rz.wrong) {
		rz.qp->rq.wr_id[rz.done & ((1u << rz.qp->rq.log2) - 1)] = rz.done;
		if (!card_complete(&rz.card, rz.qp->vqp.qp.qp_num, WEFT_WC_OPCODE_RECV, (uint16_t)rz.done, 0, rz.done))
			rz.wrong = __LINE__;
		if (storm && !card_complete(&rz.card, 60000, 0, 0, 0, 0))
			rz.wrong = __LINE__;
		rz.done++;
	}
}

/* Each completion once and in order, by either way; all of them when @all, else as many as there are in the ring that the program has. */
static void rz_poll(uint32_t most, bool all)
{
	struct ibv_poll_cq_attr pa = { 0 };
	struct ibv_wc wc[8];
	uint32_t got;

	while (most && !rz.wrong) {
		uint32_t n = most < 8 ? most : 8;

		got = 0;
		if (rnd(2)) {
			got = (uint32_t)ops.poll_cq(ibv_cq_ex_to_cq(rz.cx), (int)n, wc);
		} else if (!rz.cx->start_poll(rz.cx, &pa)) {
			do {
				wc[got].wr_id = rz.cx->wr_id;
				wc[got].byte_len = rz.cx->read_byte_len(rz.cx);
				got++;
			} while (got < n && !rz.cx->next_poll(rz.cx));
			rz.cx->end_poll(rz.cx);
		}
		for (uint32_t i = 0; i < got; i++, rz.polled++)
			if (rz.polled == rz.done || wc[i].wr_id != rz.polled || wc[i].byte_len != rz.polled)
				rz.wrong = __LINE__;
		most -= got;
		if (got < n)
			break;
	}
	if (all && rz.polled != rz.done)
		rz.wrong = __LINE__;
}

/* Behind the switch, in front of its answer: the card goes on in the new ring, the program still has the old one. */
static void rz_meanwhile(void)
{
	uint32_t end = rz.done, before = rz.polled;

	for (uint32_t i = rnd(6); i; i--) {
		if (rnd(3))
			rz_poll(rnd(rz.most + 1), false);
		rz_complete(rnd(2) ? rz.most : rnd(rz.most + 1));
		if (rz.polled - before > end - before)
			rz.wrong = __LINE__;
	}
}

static void resizes(void)
{
	enum { MAX = 1500, MOST = 2000 };
	uint32_t large = 0, shrunk = 0, refused = 0, failures = 0, copied = 0, count = 0;
	struct ibv_cq *cq;

	rz.cx = new_cq_ex(200);
	cq = ibv_cq_ex_to_cq(rz.cx);
	rz.card = (struct card_cq){ .cq = to_weft_cq(cq) };
	rz.qp = to_weft_qp(new_qp(cq, 4096, 0));
	rz.card.pi = rz.card.told = rz.card.cq->ci = rz.card.cq->told = 0xffff0000u & ~((2u << rz.card.cq->log2) - 1); /* 24 bits wrap */
	card_resizes = &rz.card;
	on_switch = rz_meanwhile;
	while (count < 3000 && !rz.wrong) {
		/* now and then one of the largest rings, of which the receive queue cannot fill more than a part */
		uint32_t had = (uint32_t)cq->cqe, want = !rnd(50) ? MAX_CQE - rnd(MAX_CQE / 2) : rnd(2) ? 1 + rnd(40) : 1 + rnd(MAX), left, lag = rz.card.cq->lag;
		uint32_t room = had < MOST ? had : MOST;
		bool unmapped = !rnd(12), no = unmapped || !rnd(12);
		int rc, expect;

		rz.most = room;
		for (uint32_t i = rnd(5); i; i--) {
			rz_complete(rnd(2) ? rnd(8) : rnd(room + 1));
			rz_poll(rnd(2) ? rnd(8) : rnd(room + 1), false);
		}
		left = rz.card.pi - rz.card.cq->ci; /* entries */
		expect = left > want ? EINVAL : 0;
		if (no) {
			bad_key = unmapped;
			fail_switch = unmapped ? 0 : ENOMEM;
			expect = unmapped ? EINVAL : expect ? expect : ENOMEM;
		}
		rz.most = want < room ? want : room;
		rc = ops.resize_cq(cq, (int)want);
		bad_key = false;
		fail_switch = 0;
		if (rc != expect || (rc && ((uint32_t)cq->cqe != had || rz.card.cq->lag != lag)) || (!rc && (uint32_t)cq->cqe < want))
			rz.wrong = rz.wrong ? rz.wrong : __LINE__;
		count++;
		failures += no;
		refused += !no && rc == EINVAL;
		shrunk += !rc && left && want < had;
		copied += !rc && left;
		large += !rc && want > 65536 && rz.card.cq->log2 > 17 && left;
		if (!rnd(3)) {
			rz_poll(~0u, true);
			if (ops.poll_cq(cq, 1, &(struct ibv_wc){ 0 })) /* nothing of an earlier round */
				rz.wrong = rz.wrong ? rz.wrong : __LINE__;
		}
	}
	on_switch = NULL;
	if (!rz.wrong)
		rz_poll(~0u, true);
	verdict(!rz.wrong && shrunk > 50 && refused > 50 && copied > 200 && failures > 100 && large > 10, "another ring while completions come: each once and in order",
		rz.wrong, count);
	rz.wrong = ops.resize_cq(cq, 0) != EINVAL || ops.resize_cq(cq, -1) != EINVAL || ops.resize_cq(cq, MAX_CQE + 1) != EINVAL;
	fail_next = EOPNOTSUPP;
	rz.wrong += ops.resize_cq(cq, 20) != EOPNOTSUPP;
	verdict(!rz.wrong, "sizes that cannot be", rz.wrong, 0);
	rz.wrong = 0;
}

/* A QP goes while its completion lies in the ring that only the card has yet. */
static pthread_t rz_goer;

static void *rz_goes(void *qp)
{
	ops.destroy_qp(qp);
	return NULL;
}

static void rz_destroy(void)
{
	rz.most = 8;
	rz_complete(3);
	on_switch = NULL;
	pthread_create(&rz_goer, NULL, rz_goes, &rz.qp->vqp.qp);
	usleep(100000);
}

static void resize_and_destroy(void)
{
	struct ibv_cq *cq = ibv_cq_ex_to_cq(rz.cx);
	uint32_t qpn = rz.qp->vqp.qp.qp_num;
	struct ibv_wc wc[8];
	struct ibv_qp *qp;

	on_switch = rz_destroy;
	rz.wrong = ops.resize_cq(cq, 20);
	if (on_switch) /* it was refused */
		return verdict(false, "a resize that is to be met", rz.wrong, 0);
	pthread_join(rz_goer, NULL);
	next_qpn = qpn;
	qp = new_qp(cq, 16, 0);
	verdict(!rz.wrong && !ops.poll_cq(cq, 8, wc), "completions beyond a resize go with their QP", rz.wrong, 0);
	ops.destroy_qp(qp);
	ops.destroy_cq(cq);
	next_qpn += 10;
	rz.wrong = 0;
}

/* One of a shared queue: what it took is free, in whichever ring it completed. */
static struct card_cq *rs_card;
static struct ibv_qp *rs_qp;

static void rs_complete(int from, int to)
{
	for (; from < to; from++)
		card_complete(rs_card, rs_qp->qp_num, WEFT_WC_OPCODE_RECV, (uint16_t)from, 0, 1);
}

static void rs_destroy(void)
{
	rs_complete(2, 5);
	on_switch = NULL;
	pthread_create(&rz_goer, NULL, rz_goes, rs_qp);
	usleep(100000);
}

static void resize_and_share(void)
{
	struct ibv_cq *cq = ops.create_cq(context, 16, NULL, 0);
	struct card_cq card = { .cq = to_weft_cq(cq) };
	struct ibv_srq *srq = new_srq(16);
	uint32_t room = to_weft_srq(srq)->n_free, left;
	int rc;

	rs_card = card_resizes = &card;
	rs_qp = new_srq_qp(cq, srq);
	srq_post(srq, 1, 8, 1);
	rs_complete(0, 2);
	on_switch = rs_destroy;
	rc = ops.resize_cq(cq, 100);
	if (on_switch) /* it was refused */
		return verdict(false, "a resize that a shared queue is to meet", rc, 0);
	pthread_join(rz_goer, NULL);
	left = room - to_weft_srq(srq)->n_free;
	verdict(!rc && left == 3, "what they were of a shared queue is free", rc, left);
	ops.destroy_cq(cq);
	ops.destroy_srq(srq);
}

/* Two threads poll, a third one resizes and completes. */
static atomic_uint rt_polled, rt_twice;
static atomic_uchar rt_seen[1 << 16];
static atomic_int rt_stop;

static void *rt_poll(void *cq)
{
	struct ibv_wc wc[8];
	int n = 1, last = 0;

	while (n || !last) {
		last = atomic_load(&rt_stop); /* what comes behind a poll is seen by the next one */
		n = ops.poll_cq(cq, 8, wc);
		for (int i = 0; i < n; i++)
			atomic_fetch_add(&rt_twice, wc[i].byte_len >= 1 << 16 || atomic_exchange(&rt_seen[wc[i].byte_len], 1));
		atomic_fetch_add(&rt_polled, (unsigned int)n);
		sched_yield();
	}
	return NULL;
}

static uint32_t rt_done, rt_most;
static struct ibv_qp *rt_qp;
static long rt_wrong;

static void rt_complete(void)
{
	for (uint32_t n = rnd(8); n && rt_done - atomic_load(&rt_polled) < rt_most && rt_done < 1 << 16; n--) {
		/* an entry is there when its phase is: those who poll may be in the midst of it */
		rt_wrong += !card_complete(card_resizes, rt_qp->qp_num, WEFT_WC_OPCODE_RECV, (uint16_t)rt_done, 0, rt_done);
		rt_done++;
	}
}

static void resize_by_threads(void)
{
	struct ibv_cq *cq = ops.create_cq(context, 64, NULL, 0);
	struct card_cq card = { .cq = to_weft_cq(cq) };
	pthread_t t[2];

	rt_qp = new_qp(cq, 16, 0);
	card_resizes = &card;
	on_switch = rt_complete;
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, rt_poll, cq);
	for (uint32_t i = 0; (i < 200 || rt_done < 300) && !rt_wrong; i++) {
		uint32_t want = 8 + rnd(60);
		int rc;

		rt_most = 8; /* whatever the size is at the time */
		rt_complete();
		sched_yield();
		rc = ops.resize_cq(cq, (int)want);
		rt_wrong += rc != 0;
	}
	atomic_store(&rt_stop, 1);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	on_switch = NULL;
	verdict(!rt_wrong && !atomic_load(&rt_twice) && rt_done == atomic_load(&rt_polled), "and by two threads that poll", rt_wrong + 1000 * atomic_load(&rt_twice),
		(long)rt_done - (long)atomic_load(&rt_polled));
	ops.destroy_qp(rt_qp);
	ops.destroy_cq(cq);
}

/* ---- a number that comes again ---- */

static struct ibv_cq *reuse_cq;
static struct ibv_qp *reborn;
static pthread_t maker;

static void *make(void *unused)
{
	reborn = new_qp(reuse_cq, 16, 0);
	return NULL;
}

static void number_is_free(void)
{
	next_qpn--;
	on_destroy = NULL;
	pthread_create(&maker, NULL, make, NULL);
	usleep(100000);
}

/* The kernel takes its time over a destroy: as long as another thread's QP takes to come and go. */
static atomic_int others;

static void *come_and_go(void *cq)
{
	struct ibv_qp *qp = new_qp(cq, 16, 0);

	if (!ops.destroy_qp(qp))
		atomic_store(&others, 1);
	return NULL;
}

static void destroy_takes_long(void)
{
	on_destroy = NULL;
	pthread_create(&maker, NULL, come_and_go, reuse_cq);
	for (int i = 0; i < 1000 && !atomic_load(&others); i++)
		usleep(1000);
	verdict(atomic_load(&others), "nobody waits for another's destroy", 0, 0);
}

static void slow_destroy(void)
{
	struct ibv_qp *qp;

	reuse_cq = ops.create_cq(context, 64, NULL, 0);
	qp = new_qp(reuse_cq, 16, 0);
	on_destroy = destroy_takes_long;
	ops.destroy_qp(qp);
	pthread_join(maker, NULL);
	ops.destroy_cq(reuse_cq);
}

static void reuse(void)
{
	struct ibv_wc wc[4];
	struct card_cq card;
	struct ibv_qp *qp;
	int n;

	reuse_cq = ops.create_cq(context, 64, NULL, 0);
	card = (struct card_cq){ .cq = to_weft_cq(reuse_cq) };
	qp = new_qp(reuse_cq, 16, 0);
	card_complete(&card, qp->qp_num, WEFT_WC_OPCODE_RECV, 0, 0, 1);
	on_destroy = number_is_free;
	ops.destroy_qp(qp);
	pthread_join(maker, NULL);
	verdict(!ops.poll_cq(reuse_cq, 4, wc), "completions go with their QP", 0, 0);
	to_weft_qp(reborn)->rq.wr_id[0] = 77;
	card_complete(&card, reborn->qp_num, WEFT_WC_OPCODE_RECV, 0, 0, 2);
	n = ops.poll_cq(reuse_cq, 4, wc);
	verdict(n == 1 && wc[0].wr_id == 77, "and who gets its number has its own", n, n ? (long)wc[0].wr_id : 0);
	qp = reborn;
	fail_next = EBUSY;
	verdict(ops.destroy_qp(qp) == EBUSY, "a destroy that fails", 0, 0);
	card_complete(&card, qp->qp_num, WEFT_WC_OPCODE_RECV, 1, 0, 3);
	verdict(ops.poll_cq(reuse_cq, 4, wc) == 1, "leaves the QP", 0, 0);
	ops.destroy_qp(qp);
	ops.destroy_cq(reuse_cq);
}

/* The card holds on to a queue pair that was destroyed, and what it writes of it yet is nobody's, though its number comes again. */
static void kept_number(void)
{
	uint32_t entries[] = { 16, 300, 3000 };
	long wrong = 0, last = 0;

	reuse_cq = ops.create_cq(context, 64, NULL, 0);
	for (int i = 0; i < 3; i++) {
		struct ibv_cq *cq = ops.create_cq(context, (int)entries[i], NULL, 0), *other = ops.create_cq(context, 16, NULL, 0);
		struct card_cq card = { .cq = to_weft_cq(cq) };
		struct ibv_qp *qp = new_qp(cq, 16, 0), *beside = new_qp(cq, 16, 0);
		uint32_t n = 1 + rnd(entries[i] - 2), of = qp->qp_num;
		struct ibv_wc wc[4];

		/* entries that were read, in all places, and ones of another queue pair among those that wait */
		for (uint32_t k = rnd(4) << to_weft_cq(cq)->log2; k; k--) {
			card_complete(&card, qp->qp_num, WEFT_WC_OPCODE_RECV, (uint16_t)k, 0, 5);
			wrong += ops.poll_cq(cq, 4, wc) != 1;
		}
		ops.destroy_qp(qp);
		for (uint32_t k = 0; k < n; k++)
			card_complete(&card, k & 1 && k < 30 ? beside->qp_num : of, WEFT_WC_OPCODE_RECV, (uint16_t)k, 0, k);
		next_qpn = of;
		qp = new_qp(other, 16, 0); /* perhaps it completes elsewhere */
		ops.destroy_qp(qp);
		next_qpn = of;
		qp = new_qp(cq, 16, 0);
		to_weft_qp(qp)->rq.wr_id[3] = 99;
		card_complete(&card, of, WEFT_WC_OPCODE_RECV, 3, 0, 7);
		for (uint32_t k = 1, got; k < n + 4; k += 2) {
			got = (uint32_t)ops.poll_cq(cq, 1, wc);
			if (!got)
				break;
			last = (long)wc[0].wr_id;
			wrong += wc[0].qp_num == of ? last != 99 : wc[0].byte_len != k;
		}
		wrong += last != 99;
		last = 0;
		next_qpn += 10;
		wrong += ops.destroy_qp(qp) || ops.destroy_qp(beside) || ops.destroy_cq(cq) || ops.destroy_cq(other);
	}
	ops.destroy_cq(reuse_cq);
	verdict(!wrong, "late completions are nobody's when their number comes again", wrong, 0);
}

/* The same while they are on their way from one ring to the next. */
static void again_meanwhile(void)
{
	on_switch = NULL;
	pthread_create(&maker, NULL, make, NULL);
	usleep(100000);
}

static void kept_and_resized(void)
{
	struct card_cq card;
	struct ibv_wc wc[8];
	struct ibv_qp *qp;
	uint32_t of;
	int rc, n;

	reuse_cq = ops.create_cq(context, 16, NULL, 0);
	card = (struct card_cq){ .cq = to_weft_cq(reuse_cq) };
	qp = new_qp(reuse_cq, 16, 0);
	of = qp->qp_num;
	ops.destroy_qp(qp);
	for (uint32_t k = 0; k < 6; k++)
		card_complete(&card, of, WEFT_WC_OPCODE_RECV, (uint16_t)k, 0, k);
	card_resizes = &card;
	next_qpn = of;
	on_switch = again_meanwhile;
	rc = ops.resize_cq(reuse_cq, 100);
	if (on_switch) /* it was refused */
		return verdict(false, "a resize in front of a number that comes again", rc, 0);
	pthread_join(maker, NULL);
	n = ops.poll_cq(reuse_cq, 8, wc);
	verdict(!rc && !n, "nor when they are on their way to another ring", rc, n);
	next_qpn += 10;
	ops.destroy_qp(reborn);
	ops.destroy_cq(reuse_cq);
}

/* ---- memory that the program gives ---- */

/* A parent domain's allocator, and what it has given. */
static struct giver {
	void *given[16];
	size_t bytes[16];
	uint64_t type[16];
	unsigned int asked, out, wrong;
	bool own;			/* else the library's */
	unsigned int fails;		/* at the how-manieth from now */
	struct ibv_pd *parent;
} giver;

static void *giver_alloc(struct ibv_pd *p, void *ctx, size_t bytes, size_t align, uint64_t type)
{
	struct giver *g = ctx;
	unsigned int i = g->asked++ % 16;

	g->wrong += p != g->parent || type >> 32 != WEFT_RDMA_DRIVER_ID || align & (align - 1) || align < 8;
	if (g->fails && !--g->fails)
		return NULL;
	if (!g->own)
		return IBV_ALLOCATOR_USE_DEFAULT;
	g->given[i] = aligned_alloc(align, (bytes + align - 1) & -align);
	memset(g->given[i], 0xa5, bytes);
	g->bytes[i] = bytes;
	g->type[i] = type;
	g->out++;
	return g->given[i];
}

static void giver_free(struct ibv_pd *p, void *ctx, void *ptr, uint64_t type)
{
	struct giver *g = ctx;
	unsigned int i = 0;

	while (i < 16 && (!ptr || g->given[i] != ptr))
		i++;
	g->wrong += p != g->parent || i == 16 || g->type[i % 16] != type;
	g->given[i % 16] = NULL;
	g->out--;
	free(ptr);
}

static struct ibv_pd *giver_domain(bool own)
{
	struct ibv_parent_domain_init_attr p = { .pd = pd, .alloc = giver_alloc, .free = giver_free, .pd_context = &giver,
		.comp_mask = IBV_PARENT_DOMAIN_INIT_ATTR_ALLOCATORS | IBV_PARENT_DOMAIN_INIT_ATTR_PD_CONTEXT };

	giver = (struct giver){ .own = own };
	giver.parent = ops.alloc_parent_domain(context, &p);
	return giver.parent;
}

/* Requests of a queue pair in such a domain come back as what they were. */
static bool giver_works(struct ibv_cq *cq, struct ibv_qp *qp)
{
	struct weft_wq *sq = &to_weft_qp(qp)->sq;
	struct ibv_send_wr wr = { .opcode = IBV_WR_SEND, .send_flags = IBV_SEND_SIGNALED }, *bad_wr;
	struct card_cq card = { .cq = to_weft_cq(cq), .pi = to_weft_cq(cq)->ci };
	struct ibv_wc wc;
	bool good = true;

	for (unsigned int i = 0; i < 100 && good; i++) {
		wr.wr_id = 0x1234500000000 + i;
		good = !ops.post_send(qp, &wr, &bad_wr);
		card_complete(&card, qp->qp_num, WEFT_WC_OPCODE_SEND, sq->pi - 1, WEFT_WC_STATUS_SUCCESS, 0);
		good = good && ops.poll_cq(cq, 1, &wc) == 1 && wc.wr_id == wr.wr_id && wc.opcode == IBV_WC_SEND;
	}
	return good;
}

static void allocators(void)
{
	struct ibv_cq *cq = ops.create_cq(context, 64, NULL, 0);
	struct ibv_srq_init_attr sa = { .attr = { .max_wr = 100, .max_sge = SRQ_SGES } };
	struct ibv_qp_init_attr qa = { .send_cq = cq, .recv_cq = cq, .qp_type = IBV_QPT_RC,
		.cap = { .max_send_wr = 16, .max_recv_wr = 40, .max_send_sge = 1, .max_recv_sge = 1 } };
	struct ibv_pd *parent = giver_domain(true);
	unsigned int i, types = 0;
	struct ibv_srq *srq;
	struct ibv_qp *qp;
	bool good;

	qp = ops.create_qp(parent, &qa);
	srq = ops.create_srq(parent, &sa);
	for (i = 0; i < giver.asked && i < 16; i++)
		types |= 1u << (uint32_t)giver.type[i];
	verdict(qp && srq && giver.out == 3 && types == (1u << WEFT_RES_SQ | 1u << WEFT_RES_RQ | 1u << WEFT_RES_SRQ) && !giver.wrong,
		"an allocator is asked for what is remembered of entries", giver.asked, types);
	good = giver_works(cq, qp);
	verdict(good && !giver.wrong, "and completions are told from there", 0, 0);
	good = ops.dealloc_pd(parent) == EBUSY;
	good = !ops.destroy_qp(qp) && ops.dealloc_pd(parent) == EBUSY && good;
	good = !ops.destroy_srq(srq) && good;
	verdict(good && !giver.out && !giver.wrong, "it has all back, and goes behind that", giver.out, giver.wrong);
	for (i = 1, good = true; i <= 2; i++) { /* of either queue's */
		giver.fails = i;
		good = !ops.create_qp(parent, &qa) && errno == ENOMEM && !giver.out && good;
	}
	giver.fails = 1;
	good = !ops.create_srq(parent, &sa) && errno == ENOMEM && good;
	verdict(good && !giver.out && !giver.wrong && !ops.dealloc_pd(parent), "one that gives none", giver.out, giver.wrong);
	parent = giver_domain(false);
	qp = ops.create_qp(parent, &qa);
	good = giver_works(cq, qp) && giver.asked == 2;
	good = !ops.destroy_qp(qp) && good;
	verdict(good && !giver.wrong && !ops.dealloc_pd(parent), "one that leaves it to the library", giver.asked, giver.wrong);
	ops.destroy_cq(cq);
}

/* The time of each completion, in the ring that it came to and in the one that it was moved to; the clock, and what does not answer. */
static void stamps(void)
{
	struct ibv_cq_init_attr_ex a = { .cqe = 16, .wc_flags = IBV_WC_STANDARD_FLAGS | IBV_WC_EX_WITH_COMPLETION_TIMESTAMP };
	struct ibv_values_ex v = { .comp_mask = IBV_VALUES_MASK_RAW_CLOCK };
	struct ibv_poll_cq_attr p = { 0 };
	struct ibv_cq_ex *ex = ops.create_cq_ex(context, &a);
	struct card_cq card = { 0 };
	struct ibv_sge sge = { 0, 8, 0 };
	struct ibv_recv_wr r = { .wr_id = 7, .sg_list = &sge, .num_sge = 1 }, *b;
	long wrong = 0, n = 0;
	struct ibv_qp *qp;

	if (!ex) {
		verdict(false, "a CQ with times", errno, 0);
		return;
	}
	qp = new_qp(ibv_cq_ex_to_cq(ex), 16, IBV_QP_EX_WITH_SEND);
	card.cq = to_weft_cq(ibv_cq_ex_to_cq(ex));
	for (uint16_t round = 0; round < 40; round++) {
		for (uint16_t i = 0; i < 5; i++) {
			ops.post_recv(qp, &r, &b);
			wrong += !card_complete(&card, qp->qp_num, WEFT_WC_OPCODE_RECV, round * 5 + i, round & i ? 0 : WEFT_WC_STATUS_WR_FLUSH_ERR, 8);
		}
		if (round == 20) { /* from here on in another ring, with five that come along */
			card_resizes = &card;
			wrong += !!ops.resize_cq(ibv_cq_ex_to_cq(ex), 64);
		}
		for (int rc = ibv_start_poll(ex, &p); !rc; rc = ibv_next_poll(ex))
			wrong += ibv_wc_read_completion_ts(ex) != stamp_of(n++);
		ibv_end_poll(ex);
	}
	verdict(!wrong && n == 200, "the time of each completion", wrong, n);
	wrong = 0;
	card_clock = 0xa5123456789abc;
	wrong += ops.query_rt_values(context, &v) || v.comp_mask != IBV_VALUES_MASK_RAW_CLOCK || v.raw_clock.tv_sec || v.raw_clock.tv_nsec != (long)card_clock;
	v.comp_mask = 0;
	wrong += ops.query_rt_values(context, &v) || v.comp_mask;
	v.comp_mask = IBV_VALUES_MASK_RAW_CLOCK | 2;
	wrong += ops.query_rt_values(context, &v) != EINVAL;
	v.comp_mask = IBV_VALUES_MASK_RAW_CLOCK;
	fail_next = EIO;
	wrong += ops.query_rt_values(context, &v) != EIO || v.comp_mask;
	v.comp_mask = IBV_VALUES_MASK_RAW_CLOCK;
	has_clock = false;
	wrong += ops.query_rt_values(context, &v) != EOPNOTSUPP || v.comp_mask;
	has_clock = true;
	v.comp_mask = IBV_VALUES_MASK_RAW_CLOCK;
	to_weft_ctx(context)->features = features & ~(1u << WEFT_FEATURE_CQE_STAMP); /* a card without */
	wrong += ops.query_rt_values(context, &v) != EOPNOTSUPP || v.comp_mask || ops.create_cq_ex(context, &a) || errno != EOPNOTSUPP;
	to_weft_ctx(context)->features = features;
	verdict(!wrong, "the clock, and who has none", wrong, 0);
	ops.destroy_qp(qp);
	ops.destroy_cq(ibv_cq_ex_to_cq(ex));
	card_resizes = NULL;
}

static void refusals(void)
{
	struct ibv_cq_init_attr_ex c = { .cqe = 16 };
	struct ibv_qp_init_attr_ex q = { .qp_type = IBV_QPT_RC, .comp_mask = IBV_QP_INIT_ATTR_PD, .pd = pd };
	struct ibv_parent_domain_init_attr p = { .pd = pd };
	struct ibv_td_init_attr t = { 0 };
	struct ibv_cq *cq = ops.create_cq(context, 16, NULL, 0);
	static const uint64_t wc[] = { IBV_WC_EX_WITH_CVLAN, IBV_WC_EX_WITH_FLOW_TAG,
		IBV_WC_EX_WITH_TM_INFO, IBV_WC_EX_WITH_COMPLETION_TIMESTAMP_WALLCLOCK };
	static const uint64_t send[] = { IBV_QP_EX_WITH_SEND_WITH_IMM, IBV_QP_EX_WITH_ATOMIC_CMP_AND_SWP,
		IBV_QP_EX_WITH_ATOMIC_FETCH_AND_ADD, IBV_QP_EX_WITH_LOCAL_INV, IBV_QP_EX_WITH_BIND_MW, IBV_QP_EX_WITH_TSO,
		IBV_QP_EX_WITH_FLUSH, IBV_QP_EX_WITH_ATOMIC_WRITE };
	static const enum ibv_qp_type kinds[] = { IBV_QPT_UD, IBV_QPT_UC, IBV_QPT_RAW_PACKET, IBV_QPT_XRC_SEND, IBV_QPT_XRC_RECV,
		IBV_QPT_DRIVER };
	long wrong = 0;
	struct ibv_pd *parent, *other;
	struct ibv_qp *qp;

	for (unsigned int i = 0; i < sizeof(wc) / sizeof(*wc); i++) {
		c.wc_flags = wc[i];
		wrong += ops.create_cq_ex(context, &c) || errno != EOPNOTSUPP;
	}
	c.wc_flags = 0;
	c.comp_mask = IBV_CQ_INIT_ATTR_MASK_FLAGS;
	c.flags = IBV_CREATE_CQ_ATTR_IGNORE_OVERRUN;
	wrong += ops.create_cq_ex(context, &c) || errno != EOPNOTSUPP;
	c.comp_mask = IBV_CQ_INIT_ATTR_MASK_PD;
	c.parent_domain = pd;
	wrong += ops.create_cq_ex(context, &c) || errno != EINVAL;
	c.comp_mask = 0;
	c.cqe = 0;
	wrong += ops.create_cq_ex(context, &c) || errno != EINVAL;
	c.cqe = MAX_CQE + 1;
	wrong += ops.create_cq_ex(context, &c) || errno != EINVAL;
	wrong += ops.create_cq(context, -1, NULL, 0) || errno != EINVAL;
	fail_next = ENOMEM;
	wrong += ops.create_cq(context, 16, NULL, 0) || errno != ENOMEM;
	verdict(!wrong, "CQs that cannot be", wrong, 0);
	wrong = ops.create_qp_ex(context, &q) || errno != EINVAL; /* no CQs */
	q.send_cq = q.recv_cq = cq;
	q.comp_mask = 0;
	wrong += ops.create_qp_ex(context, &q) || errno != EINVAL;
	q.comp_mask = IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_XRCD;
	wrong += ops.create_qp_ex(context, &q) || errno != EOPNOTSUPP;
	q.comp_mask = IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_SEND_OPS_FLAGS;
	to_weft_ctx(context)->features = features & ~(1u << WEFT_FEATURE_ATOMIC | 1u << WEFT_FEATURE_MW); /* a card without them */
	for (unsigned int i = 0; i < sizeof(send) / sizeof(*send); i++) {
		q.send_ops_flags = send[i] | IBV_QP_EX_WITH_SEND;
		wrong += ops.create_qp_ex(context, &q) || errno != EOPNOTSUPP;
	}
	to_weft_ctx(context)->features = features;
	q.send_ops_flags = IBV_QP_EX_WITH_SEND;
	q.comp_mask |= IBV_QP_INIT_ATTR_CREATE_FLAGS;
	q.create_flags = IBV_QP_CREATE_SCATTER_FCS;
	wrong += ops.create_qp_ex(context, &q) || errno != EOPNOTSUPP;
	/* flags that are asked for and none of them set are nothing to refuse; the room the kernel gives is told */
	q.create_flags = 0;
	q.cap.max_send_wr = 17;
	qp = ops.create_qp_ex(context, &q);
	wrong += !qp || q.cap.max_send_wr != 32 || q.comp_mask != (IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_SEND_OPS_FLAGS |
								  IBV_QP_INIT_ATTR_CREATE_FLAGS);
	if (qp)
		ops.destroy_qp(qp);
	q.comp_mask &= ~IBV_QP_INIT_ATTR_CREATE_FLAGS;
	for (unsigned int i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		q.qp_type = kinds[i];
		q.cap.max_send_wr = 17;
		wrong += ops.create_qp_ex(context, &q) || errno != EOPNOTSUPP;
		q.cap.max_send_wr = MAX_WR + 1; /* wrong in whatever kind that the kernel knows */
		wrong += ops.create_qp_ex(context, &q) || errno != (i < 3 ? EINVAL : EOPNOTSUPP);
	}
	verdict(!wrong, "QPs that cannot be", wrong, 0);
	p.td = ops.alloc_td(context, &t);
	other = ops.alloc_pd(context);
	p.pd = other;
	parent = ops.alloc_parent_domain(context, &p);
	wrong = !parent || parent->handle != other->handle;
	wrong += ops.dealloc_pd(other) != EBUSY;
	wrong += ops.dealloc_td(p.td) != EBUSY;
	p.pd = parent;
	wrong += ops.alloc_parent_domain(context, &p) || errno != EINVAL; /* no parent's parent */
	wrong += ops.dealloc_pd(parent) || ops.dealloc_pd(other) || ops.dealloc_td(p.td);
	p.pd = pd;
	p.comp_mask = IBV_PARENT_DOMAIN_INIT_ATTR_PD_CONTEXT << 1;
	wrong += ops.alloc_parent_domain(context, &p) || errno != EOPNOTSUPP;
	p.comp_mask = IBV_PARENT_DOMAIN_INIT_ATTR_ALLOCATORS;
	wrong += ops.alloc_parent_domain(context, &p) || errno != EINVAL;
	p.alloc = giver_alloc; /* and no free */
	wrong += ops.alloc_parent_domain(context, &p) || errno != EINVAL;
	verdict(!wrong, "domains", wrong, 0);
	ops.destroy_cq(cq);
}

/* Mappings of the card that this process has, bytes of them, and of what is only reserved. */
static long mappings(unsigned long *bytes, unsigned long *reserved)
{
	FILE *f = fopen("/proc/self/maps", "r");
	unsigned long from, to;
	char line[512];
	long n = 0;

	*bytes = *reserved = 0;
	while (f && fgets(line, sizeof(line), f)) {
		if (sscanf(line, "%lx-%lx", &from, &to) != 2)
			continue;
		if (strstr(line, "memfd:card")) {
			*bytes += to - from;
			n++;
		} else if (strstr(line, " ---p ")) {
			*reserved += to - from;
		}
	}
	if (f)
		fclose(f);
	return n;
}

/* libibverbs takes a driver between the two, and says so of one that is not; the card's own version is the provider's to look at. */
static void versions(void)
{
	static const struct { uint32_t abi; size_t bytes; int rc; } t[] = {
		{ WEFT_ABI_MAJOR << 16, SIZE_MAX, 0 },
		{ WEFT_ABI_MAJOR << 16 | 0xffff, SIZE_MAX, 0 }, /* something was added */
		{ (WEFT_ABI_MAJOR + 1) << 16, SIZE_MAX, EPROTONOSUPPORT },
		{ (WEFT_ABI_MAJOR - 1) << 16, SIZE_MAX, EPROTONOSUPPORT },
		{ WEFT_ABI_MAJOR << 16, offsetof(struct weft_alloc_ucontext_resp, hw_abi), EPROTONOSUPPORT },
		{ WEFT_ABI_MAJOR << 16, offsetof(struct weft_alloc_ucontext_resp, features), 0 },
	};
	struct ibv_device device = { .name = "weft" };
	uint32_t were = features;
	int wrong = 0;

	wrong += device_ops->match_min_abi_version != 1 || device_ops->match_max_abi_version != 1;
	verdict(!wrong, "the driver's version that it wants", device_ops->match_min_abi_version, device_ops->match_max_abi_version);
	wrong = 0;
	for (unsigned int i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		struct verbs_context *v;

		hw_abi = t[i].abi;
		known_bytes = t[i].bytes;
		told = i & 1 ? ~0ull : 0; /* additions that it does not know */
		features = i & 1 ? ~0u : were;
		said = 0;
		errno = 0;
		v = device_ops->alloc_context(&device, file_fd, NULL);
		if (v) {
			wrong += t[i].rc || said || (t[i].bytes != SIZE_MAX && to_weft_ctx(&v->context)->features);
			ops.free_context(&v->context);
		} else {
			wrong += !t[i].rc || errno != t[i].rc || said != 1;
		}
	}
	hw_abi = WEFT_ABI_MAJOR << 16;
	known_bytes = SIZE_MAX;
	told = 0;
	features = were;
	verdict(!wrong, "a card of another version is refused, and told of", wrong, 0);
}

/* An answer of any length: it is enough, or refused before anything is mapped or written. */
static void answers(void)
{
	const size_t cq_least = offsetof(struct weft_create_cq_resp, pieces), srq_least = sizeof(struct weft_create_srq_resp),
		     qp_least = offsetof(struct weft_create_qp_resp, reserved), qp_srq_least = offsetof(struct weft_create_qp_resp, rq_stride);
	struct ibv_cq *whole = ops.create_cq(context, 16, NULL, 0), *cq;
	unsigned long was, now, reserved;
	struct ibv_srq *all = new_srq(16), *srq;
	int wrong = 0, refused = 0, taken = 0;
	struct card_cq card = {};
	long before;
	struct ibv_qp *qp;

	before = mappings(&was, &reserved);
	card_resizes = &card;
	said = 0;
	for (size_t n = 0; n <= 64; n += 4) {
		known_bytes = n;
		told = n & 4 ? 1ull << 63 : 0;
		errno = 0;
		cq = ops.create_cq(context, 16, NULL, 0);
		wrong += !cq != (n < cq_least) || (!cq && errno != EPROTO);
		refused += !cq;
		if (cq)
			wrong += !!ops.destroy_cq(cq);
		srq = new_srq(16);
		wrong += !srq != (n < srq_least) || (!srq && errno != EPROTO);
		refused += !srq;
		if (srq)
			wrong += !!ops.destroy_srq(srq);
		qp = new_qp(whole, 16, 0);
		wrong += !qp != (n < qp_least) || (!qp && errno != EPROTO);
		refused += !qp;
		if (qp)
			wrong += !!ops.destroy_qp(qp);
		taken += !!qp;
		qp = new_srq_qp(whole, all);
		wrong += !qp != (n < qp_srq_least) || (!qp && errno != EPROTO);
		refused += !qp;
		if (qp)
			wrong += !!ops.destroy_qp(qp);
		if (n < offsetof(struct weft_resize_cq_resp, first)) {
			wrong += ops.resize_cq(whole, 16) != EPROTO;
			refused++;
		}
	}
	known_bytes = SIZE_MAX;
	told = 0;
	less = 8;
	wrong += !!ops.create_cq(context, 16, NULL, 0) + !!new_srq(16) + !!new_qp(whole, 16, 0);
	refused += 3;
	less = 0;
	wrong += mappings(&now, &reserved) != before || was != now;
	verdict(!wrong && taken, "answers of any length", wrong, taken);
	verdict(refused && (int)said == refused, "each that is too short is told of", refused, said);
	ops.destroy_srq(all);
	ops.destroy_cq(whole);
}

/* A ring in pieces that lie anywhere is one to who reads it, and goes whole; nor does one stay that could not be mapped whole. */
static void pieces(void)
{
	unsigned long bytes, before, reserved, had, left = 0;
	long n = mappings(&before, &reserved), wrong = 0, seen = 0;
	uint64_t end = file_end;

	for (split = 1; split <= WEFT_CQ_MORE_PIECES + 1; split *= 2) {
		struct ibv_cq *cq = ops.create_cq(context, 4096, NULL, 0);
		struct weft_cq *w = cq ? to_weft_cq(cq) : NULL;
		size_t step;

		if (!w) {
			wrong++;
			continue;
		}
		end = file_end;
		step = w->ring_bytes / split;
		for (uint32_t i = 0; i < split; i++) {
			for (size_t at = 0; at < step; at += 4096) {
				w->ring[(i * step + at) / 8] = end + i * step + at;
				wrong += *(uint64_t *)(file + end - (i + 1) * step + at) != end + i * step + at;
				seen++;
			}
		}
		wrong += ops.destroy_cq(cq) != 0;
	}
	verdict(!wrong && seen && mappings(&bytes, &reserved) == n && bytes == before, "rings in pieces", wrong, seen);
	wrong = 0;
	mappings(&bytes, &had);
	end = file_end;
	for (int i = 0; i < 100; i++) {
		split = 2u << rnd(2);
		bad_piece = 1 + rnd(split - 1);
		wrong += ops.create_cq(context, 4096, NULL, 0) || errno != EINVAL;
		left += (file_end - end) / split;
		file_end = end; /* the card has its own back */
	}
	bad_piece = 0;
	split = WEFT_CQ_MORE_PIECES + 2;
	wrong += ops.create_cq(context, 4096, NULL, 0) || errno != EPROTO;
	split = 0;
	n -= mappings(&bytes, &reserved);
	/* the place of the piece that failed may be another thread's by then, so it is left; the allocator reserves a little, too */
	verdict(!wrong && !n && bytes == before && reserved < had + left + (1u << 20), "a ring that cannot be mapped whole", wrong, n);
}

int main(int argc, char **argv)
{
	struct ibv_device device = { .name = "weft" };
	struct verbs_context *v;

	seed = argc > 1 ? strtoull(argv[1], NULL, 0) : 1;
	setvbuf(stdout, NULL, _IOLBF, 0); /* who leaks memory ends without its last lines */
	printf("# seed %llu\n", (unsigned long long)seed);
	file_fd = memfd_create("card", 0);
	if (file_fd < 0 || ftruncate(file_fd, FILE_BYTES))
		return 2;
	file = mmap(NULL, FILE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, file_fd, 0);
	if (file == MAP_FAILED)
		return 2;
	v = device_ops->alloc_context(&device, file_fd, NULL);
	if (!v)
		return 2;
	context = &v->context;
	pd = ops.alloc_pd(context);
	entries();
	completions(10);
	completions(28);
	completions(256);
	completions(3000);
	for (int i = 0; i < 4; i++)
		two_entries(i & 1, i & 2);
	no_imm();
	contexts();
	fences();
	pushes();
	shared();
	shared_by_threads();
	slow_destroy();
	reuse();
	kept_number();
	kept_and_resized();
	allocators();
	refusals();
	pieces();
	versions();
	answers();
	windows();
	resizes();
	resize_and_destroy();
	resize_and_share();
	resize_by_threads();
	stamps();
	ops.dealloc_pd(pd);
	ops.free_context(context);
	return bad;
}
