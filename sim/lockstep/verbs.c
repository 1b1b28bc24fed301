/* SPDX-License-Identifier: BSD-2-Clause */
/* Regions, queues and connections, loaded into the card through its configuration bus. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

enum { DB_KIND_QP = 0, DB_KIND_CQ = 1 };

static void own_doorbell(struct ls_host *h, unsigned int kind, uint32_t id, uint32_t page)
{
	ls_cfg_write(h, WEFT_ROOM_DB, kind << 18 | id << 2, 0x80000000u | page);
}

static void ring(struct ls_host *h, uint32_t page, uint32_t offset, uint32_t id, uint16_t index)
{
	uint8_t db[8] = { 0 };
	uint64_t value;

	LS_SET(db, WEFT_DB_QUEUE_ID, id);
	LS_SET(db, WEFT_DB_QUEUE_INDEX, index);
	memcpy(&value, db, 8);
	ls_doorbell(h, page, offset, value);
}

static void ring_consumer(struct ls_host *h, uint32_t page, uint32_t offset, uint32_t id,
			  uint32_t index, unsigned int arm)
{
	uint8_t db[8] = { 0 };
	uint64_t value;

	LS_SET(db, WEFT_DB_CQ_ID, id);
	LS_SET(db, WEFT_DB_CQ_ARM, arm);
	LS_SET(db, WEFT_DB_CQ_INDEX, index);
	memcpy(&value, db, 8);
	ls_doorbell(h, page, offset, value);
}

/* ---- memory regions ---- */

static uint32_t make_stag(struct ls_host *h)
{
	for (uint32_t i = 0; i < 4 * h->cap_stag; i++) {
		uint32_t r = (uint32_t)ls_random(h->ls), slot = (r >> 8) & (h->cap_stag - 1);

		/* Slot 0 holds STag 0. */
		if (slot && !h->slots_used[slot])
			return r;
	}
	ls_fail(h->ls, "host %u: no free STag", h->index);
}

static void load_tpt(struct ls_mr *mr, unsigned int state)
{
	const struct ls_mr_attr *a = &mr->attr;
	struct ls_host *h = mr->host;
	uint8_t e[64] = { 0 };

	LS_SET(e, WEFT_TPT_STAG, mr->stag);
	LS_SET(e, WEFT_TPT_STATE, state);
	LS_SET(e, WEFT_TPT_KIND, WEFT_TPT_TYPE_MR);
	LS_SET(e, WEFT_TPT_ACCESS, a->access);
	LS_SET(e, WEFT_TPT_PAGE_LOG2, a->page_log2);
	LS_SET(e, WEFT_TPT_DIRECT, a->direct);
	LS_SET(e, WEFT_TPT_PD, a->pd);
	LS_SET(e, WEFT_TPT_QPN, a->qpn);
	LS_SET(e, WEFT_TPT_BASE, mr->to);
	LS_SET(e, WEFT_TPT_LENGTH, a->bytes);
	LS_SET(e, WEFT_TPT_FBO, a->fbo);
	LS_SET(e, WEFT_TPT_PBL, a->direct ? mr->pages[0].bus : mr->list.bus);
	LS_SET(e, WEFT_TPT_PBL_COUNT, a->direct ? 0 : mr->page_count);
	ls_ctx_write(h, WEFT_ROOM_TPT, (mr->stag >> 8) & (h->cap_stag - 1), e);
}

/* The bytes of a region are the card's, in the directions that its rights allow, and so is its page list. */
static void give_region(struct ls_mr *mr)
{
	uint8_t a = mr->attr.access;
	const uint8_t atomic = 1 << WEFT_ACCESS_REMOTE_ATOMIC; /* reads and writes */
	unsigned int rights = (a & (1 << WEFT_ACCESS_LOCAL_READ | 1 << WEFT_ACCESS_REMOTE_READ | atomic) ? LS_CARD_READS : 0) |
			      (a & (1 << WEFT_ACCESS_LOCAL_WRITE | 1 << WEFT_ACCESS_REMOTE_WRITE | atomic) ? LS_CARD_WRITES : 0);
	uint64_t page = UINT64_C(1) << mr->attr.page_log2, at = 0;

	if (mr->attr.direct) {
		ls_give(mr->host, &mr->pages[0], mr->attr.fbo, mr->bytes, rights, "region %08x", mr->stag);
		return;
	}
	/* The card reads whole lines of 64 bytes: a list is aligned to them and padded. */
	ls_give(mr->host, &mr->list, 0, (8 * (size_t)mr->page_count + 63) & ~(size_t)63, LS_CARD_READS, "page list of region %08x", mr->stag);
	for (unsigned int i = 0; i < mr->page_count; i++, at += page) {
		uint64_t from = i ? 0 : mr->attr.fbo, to = mr->attr.fbo + mr->bytes - at < page ? mr->attr.fbo + mr->bytes - at : page;

		ls_give(mr->host, &mr->pages[i], from, to - from, rights, "region %08x, page %u", mr->stag, i);
	}
}

struct ls_mr *ls_mr_create(struct ls_host *h, const struct ls_mr_attr *attr)
{
	struct ls_mr *mr = ls_own(h, 1, sizeof(*mr));
	uint64_t page;

	mr->host = h;
	mr->attr = *attr;
	if (!mr->attr.page_log2)
		mr->attr.page_log2 = WEFT_MIN_PAGE_LOG2;
	page = UINT64_C(1) << mr->attr.page_log2;
	mr->bytes = attr->bytes;
	mr->stag = attr->stag ? attr->stag : make_stag(h);
	h->slots_used[(mr->stag >> 8) & (h->cap_stag - 1)] = 1;
	/* A virtual address has the page offset of its first byte. */
	mr->to = attr->zero_based ? 0 : ((ls_random(h->ls) >> 17) & ~(page - 1)) + attr->fbo;
	mr->page_count = (unsigned int)((attr->fbo + attr->bytes + page - 1) / page);
	if (!mr->page_count)
		mr->page_count = 1;
	mr->pages = ls_own(h, mr->page_count, sizeof(*mr->pages));
	if (attr->direct) {
		mr->pages[0] = ls_alloc_aligned(h, mr->page_count * page, page);
		for (unsigned int i = 1; i < mr->page_count; i++)
			mr->pages[i] = (struct ls_mem){ mr->pages[0].bus + i * page,
							mr->pages[0].p + i * page, page };
	} else {
		mr->list = ls_alloc(h, 8 * (size_t)mr->page_count);
		for (unsigned int i = 0; i < mr->page_count; i++) {
			mr->pages[i] = ls_alloc_aligned(h, page, page);
			memcpy(mr->list.p + 8 * i, &mr->pages[i].bus, 8);
		}
	}
	give_region(mr);
	load_tpt(mr, attr->invalid ? WEFT_TPT_STATE_INVALID : WEFT_TPT_STATE_VALID);
	return mr;
}

void ls_mr_state(struct ls_mr *mr, unsigned int state)
{
	load_tpt(mr, state);
}

void ls_mr_take_back(struct ls_mr *mr, const char *why)
{
	for (unsigned int i = 0; i < (mr->attr.direct ? 1 : mr->page_count); i++)
		ls_take_back(mr->host, &mr->pages[i], 0, mr->pages[i].bytes, "%s", why);
	if (mr->list.p)
		ls_take_back(mr->host, &mr->list, 0, mr->list.bytes, "%s", why);
}

void ls_mr_destroy(struct ls_mr *mr)
{
	struct ls_host *h = mr->host;

	load_tpt(mr, WEFT_TPT_STATE_FREE);
	h->slots_used[(mr->stag >> 8) & (h->cap_stag - 1)] = 0;
	for (unsigned int i = 0; i < (mr->attr.direct ? 1 : mr->page_count); i++)
		ls_release(h, &mr->pages[i]);
	ls_release(h, &mr->list);
}

/* The bytes of a region that lie together from `offset` on. */
static uint8_t *region_run(struct ls_mr *mr, uint64_t offset, size_t *len)
{
	uint64_t page = UINT64_C(1) << mr->attr.page_log2, at = mr->attr.fbo + offset;
	uint64_t room = page - at % page;

	if (offset > mr->bytes || *len > mr->bytes - offset)
		ls_fail(mr->host->ls, "script: bytes %llu to %llu of a region of %llu",
			(unsigned long long)offset, (unsigned long long)(offset + *len),
			(unsigned long long)mr->bytes);
	if (*len > room)
		*len = room;
	return mr->pages[at / page].p + at % page;
}

void ls_mr_put(struct ls_mr *mr, uint64_t offset, const void *bytes, size_t len)
{
	for (const uint8_t *in = bytes; len;) {
		size_t n = len;
		uint8_t *p = region_run(mr, offset, &n);

		memcpy(p, in, n);
		in += n, offset += n, len -= n;
	}
}

void ls_mr_get(struct ls_mr *mr, uint64_t offset, void *bytes, size_t len)
{
	for (uint8_t *out = bytes; len;) {
		size_t n = len;
		const uint8_t *p = region_run(mr, offset, &n);

		memcpy(out, p, n);
		out += n, offset += n, len -= n;
	}
}

/* Byte i of pattern `seed`. */
static uint8_t pattern(uint64_t seed, uint64_t i)
{
	return (uint8_t)(mix64(seed * 0x9e3779b97f4a7c15u + i / 8) >> (8 * (i % 8)));
}

void ls_mr_fill(struct ls_mr *mr, uint64_t offset, uint64_t len, uint64_t seed)
{
	for (uint64_t i = 0; i < len;) {
		size_t n = len - i;
		uint8_t *p = region_run(mr, offset + i, &n);

		for (size_t j = 0; j < n; j++)
			p[j] = pattern(seed, i + j);
		i += n;
	}
}

/* The first byte that differs, or len. */
static uint64_t first_other(struct ls_mr *mr, uint64_t offset, uint64_t len, uint64_t seed, uint8_t *got)
{
	for (uint64_t i = 0; i < len;) {
		size_t n = len - i;
		const uint8_t *p = region_run(mr, offset + i, &n);

		for (size_t j = 0; j < n; j++)
			if (p[j] != pattern(seed, i + j)) {
				*got = p[j];
				return i + j;
			}
		i += n;
	}
	return len;
}

bool ls_mr_same(struct ls_mr *mr, uint64_t offset, uint64_t len, uint64_t seed)
{
	uint8_t got;

	return first_other(mr, offset, len, seed, &got) == len;
}

void ls_mr_check(struct ls_mr *mr, uint64_t offset, uint64_t len, uint64_t seed)
{
	uint8_t got = 0;
	uint64_t at = first_other(mr, offset, len, seed, &got);

	if (at != len)
		ls_fail(mr->host->ls, "byte %llu of %llu is 0x%02x, not 0x%02x", (unsigned long long)at, (unsigned long long)len, got,
			pattern(seed, at));
}

/* ---- event and completion queues ---- */

struct ls_eq {
	struct ls_host *host;
	struct ls_mem mem;
	unsigned int log2;
	uint8_t number;
	uint32_t ci;
};

struct ls_cq {
	struct ls_host *host;
	struct ls_mem mem;
	unsigned int log2;
	uint16_t number;
	uint32_t page, ci, told;
};

struct ls_eq *ls_eq_create(struct ls_host *h, unsigned int log2, uint16_t vector)
{
	struct ls_eq *eq = ls_own(h, 1, sizeof(*eq));
	uint8_t e[64] = { 0 };

	if (h->next_eqn >= h->cap_eq)
		ls_fail(h->ls, "host %u: no more event queues", h->index);
	eq->host = h;
	eq->log2 = log2;
	eq->number = (uint8_t)h->next_eqn++;
	eq->mem = ls_alloc(h, (size_t)WEFT_EQE_BYTES << log2);
	ls_give(h, &eq->mem, 0, (size_t)WEFT_EQE_BYTES << log2, LS_CARD_WRITES, "event queue %u", eq->number);
	LS_SET(e, WEFT_CTX_EQ_BASE, eq->mem.bus);
	LS_SET(e, WEFT_CTX_EQ_LOG2, log2);
	LS_SET(e, WEFT_CTX_EQ_VECTOR, vector);
	LS_SET(e, WEFT_CTX_EQ_VALID, 1);
	ls_ctx_write(h, WEFT_ROOM_EQ, eq->number, e);
	return eq;
}

uint8_t ls_eq_number(const struct ls_eq *eq)
{
	return eq->number;
}

bool ls_eq_poll(struct ls_eq *eq, uint8_t eqe[64])
{
	const uint8_t *entry = eq->mem.p + WEFT_EQE_BYTES * (eq->ci & ((1u << eq->log2) - 1));

	if (LS_GET(entry, WEFT_EQE_PHASE) == (eq->ci >> eq->log2 & 1))
		return false;
	memcpy(eqe, entry, WEFT_EQE_BYTES);
	eq->ci++;
	return true;
}

void ls_eq_arm(struct ls_eq *eq, unsigned int arm)
{
	ring_consumer(eq->host, 0, WEFT_DB_EQ, eq->number, eq->ci & 0xffffff, arm);
}

struct ls_cq *ls_cq_create(struct ls_host *h, unsigned int log2, struct ls_eq *eq, uint32_t page)
{
	struct ls_cq *cq = ls_own(h, 1, sizeof(*cq));
	uint8_t e[64] = { 0 };

	if (h->next_cqn >= h->cap_cq)
		ls_fail(h->ls, "host %u: no more completion queues", h->index);
	cq->host = h;
	cq->log2 = log2;
	cq->page = page;
	cq->number = (uint16_t)h->next_cqn++;
	cq->mem = ls_alloc(h, (size_t)WEFT_CQE_BYTES << log2);
	ls_give(h, &cq->mem, 0, (size_t)WEFT_CQE_BYTES << log2, LS_CARD_WRITES, "completion queue %u", cq->number);
	LS_SET(e, WEFT_CTX_CQ_BASE, cq->mem.bus);
	LS_SET(e, WEFT_CTX_CQ_LOG2, log2);
	LS_SET(e, WEFT_CTX_CQ_EQN, eq ? eq->number : 0xffff);
	LS_SET(e, WEFT_CTX_CQ_VALID, 1);
	ls_ctx_write(h, WEFT_ROOM_CQ, cq->number, e);
	own_doorbell(h, DB_KIND_CQ, cq->number, page);
	return cq;
}

uint16_t ls_cq_number(const struct ls_cq *cq)
{
	return cq->number;
}

struct ls_mem ls_cq_memory(const struct ls_cq *cq)
{
	return cq->mem;
}

void ls_cq_take_back(struct ls_cq *cq, const char *why)
{
	ls_take_back(cq->host, &cq->mem, 0, cq->mem.bytes, "%s", why);
}

void ls_cq_arm(struct ls_cq *cq, unsigned int arm)
{
	cq->told = cq->ci;
	ring_consumer(cq->host, cq->page, WEFT_DB_CQ, cq->number, cq->ci & 0xffffff, arm);
}

bool ls_cq_poll(struct ls_cq *cq, struct ls_wc *wc)
{
	const uint8_t *e = cq->mem.p + WEFT_CQE_BYTES * (cq->ci & ((1u << cq->log2) - 1));

	if (LS_GET(e, WEFT_CQE_PHASE) == (cq->ci >> cq->log2 & 1))
		return false;
	*wc = (struct ls_wc){
		.qpn = (uint32_t)LS_GET(e, WEFT_CQE_QPN),
		.opcode = (uint8_t)LS_GET(e, WEFT_CQE_OPCODE),
		.status = (uint8_t)LS_GET(e, WEFT_CQE_STATUS),
		.index = (uint16_t)LS_GET(e, WEFT_CQE_INDEX),
		.bytes = (uint32_t)LS_GET(e, WEFT_CQE_BYTES),
		.inv_stag = (uint32_t)LS_GET(e, WEFT_CQE_INV_STAG),
		.vendor_err = (uint32_t)LS_GET(e, WEFT_CQE_VENDOR_ERR),
		.solicited = LS_GET(e, WEFT_CQE_SOLICITED),
		.cycle = ls_cycles(cq->host->ls),
	};
	cq->ci++;
	/* The card has to know before the ring is full. */
	if (cq->ci - cq->told >= (1u << cq->log2) / 4)
		ls_cq_arm(cq, WEFT_ARM_NONE);
	ls_verbs_note(cq->host, wc);
	return true;
}

struct wait {
	struct ls_cq *cq;
	struct ls_wc wc;
};

static bool polled(void *arg)
{
	struct wait *w = arg;

	return ls_cq_poll(w->cq, &w->wc);
}

struct ls_wc ls_cq_wait(struct ls_cq *cq)
{
	struct wait w = { .cq = cq };
	struct lockstep *ls = cq->host->ls;

	if (!ls_wait(ls, polled, &w))
		ls_fail(ls, "host %u: no completion on CQ %u", cq->host->index, cq->number);
	return w.wc;
}

/* ---- queue pairs ---- */

static size_t stride_bytes(unsigned int stride)
{
	return (size_t)64 << stride;
}

static uint8_t reads_of(uint32_t cap)
{
	return cap && cap < 8 ? (uint8_t)cap : 8;
}

struct ls_qp *ls_qp_create(struct ls_host *h, const struct ls_qp_attr *attr)
{
	struct ls_qp *qp = ls_own(h, 1, sizeof(*qp));

	qp->host = h;
	qp->attr = *attr;
	if (!qp->attr.sq_log2)
		qp->attr.sq_log2 = 6;
	if (!qp->attr.rq_log2)
		qp->attr.rq_log2 = 6;
	if (!qp->attr.ird)
		qp->attr.ird = reads_of(h->cap_reads & 0xffff);
	if (!qp->attr.ord)
		qp->attr.ord = reads_of(h->cap_reads >> 16);
	qp->qpn = attr->qpn ? attr->qpn : h->next_qpn;
	if (qp->qpn >= h->cap_qp || qp->qpn >= LS_QPS || h->qps[qp->qpn])
		ls_fail(h->ls, "host %u: no QP %u", h->index, qp->qpn);
	if (!attr->qpn)
		h->next_qpn++;
	h->qps[qp->qpn] = qp;
	qp->sq = ls_alloc(h, stride_bytes(qp->attr.sq_stride) << qp->attr.sq_log2);
	qp->rq = ls_alloc(h, stride_bytes(qp->attr.rq_stride) << qp->attr.rq_log2);
	ls_give(h, &qp->sq, 0, stride_bytes(qp->attr.sq_stride) << qp->attr.sq_log2, LS_CARD_READS, "send queue of QP %u", qp->qpn);
	ls_give(h, &qp->rq, 0, stride_bytes(qp->attr.rq_stride) << qp->attr.rq_log2, LS_CARD_READS, "receive queue of QP %u",
		qp->qpn);
	own_doorbell(h, DB_KIND_QP, qp->qpn, attr->page);
	return qp;
}

uint32_t ls_qpn(const struct ls_qp *qp)
{
	return qp->qpn;
}

struct ls_mem ls_qp_sq(const struct ls_qp *qp)
{
	return qp->sq;
}

struct ls_mem ls_qp_rq(const struct ls_qp *qp)
{
	return qp->rq;
}

void ls_qp_take_back(struct ls_qp *qp, const char *why)
{
	ls_take_back(qp->host, &qp->sq, 0, qp->sq.bytes, "%s", why);
	ls_take_back(qp->host, &qp->rq, 0, qp->rq.bytes, "%s", why);
}

void ls_verbs_note(struct ls_host *h, const struct ls_wc *wc)
{
	struct ls_qp *qp = wc->qpn < LS_QPS ? h->qps[wc->qpn] : NULL;

	if (!qp)
		return;
	if (wc->opcode & WEFT_WC_OPCODE_RECV)
		qp->rq_ci = (uint16_t)(wc->index + 1);
	else
		qp->sq_ci = (uint16_t)(wc->index + 1);
}

/* ---- connections ---- */

static uint32_t link_entry(struct ls_host *h, const struct ls_host *peer, unsigned int mtu, bool vlan)
{
	uint8_t e[64] = { 0 };
	unsigned int i;

	for (i = 0; i < h->l2_count; i++)
		if (h->l2[i].mtu == mtu && h->l2[i].vlan == vlan)
			return i;
	if (i == sizeof(h->l2) / sizeof(h->l2[0]) || i >= h->cap_l2)
		ls_fail(h->ls, "host %u: no more L2 entries", h->index);
	h->l2[i].mtu = mtu;
	h->l2[i].vlan = vlan;
	h->l2_count++;
	LS_SET(e, WEFT_L2E_DMAC, ls_mac(peer));
	LS_SET(e, WEFT_L2E_SMAC, ls_mac(h));
	LS_SET(e, WEFT_L2E_MTU, mtu);
	LS_SET(e, WEFT_L2E_VLAN, vlan);
	LS_SET(e, WEFT_L2E_VLAN_TCI, vlan ? LS_VLAN_TCI : 0);
	LS_SET(e, WEFT_L2E_VALID, 1);
	ls_ctx_write(h, WEFT_ROOM_L2T, i, e);
	return i;
}

void ls_put_address(uint8_t *to, unsigned int host, bool ipv6)
{
	static const uint8_t v4[4] = { 10, 0, 0, 1 };
	static const uint8_t v6[16] = { 0xfd, 0x57, 0x45, 0x46, 0x54, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1 };

	memset(to, 0, 16);
	memcpy(to, ipv6 ? v6 : v4, ipv6 ? 16 : 4);
	to[ipv6 ? 15 : 3] = (uint8_t)(host + 1);
}

unsigned int ls_window_scale(uint32_t window)
{
	unsigned int scale = 0;

	while (window >> scale > 65535 && scale < 14)
		scale++;
	return scale;
}

void ls_connect(struct ls_qp *a, struct ls_qp *b, const struct ls_link_attr *attr)
{
	struct lockstep *ls = a->host->ls;
	struct ls_link_attr link = attr ? *attr : (struct ls_link_attr){ 0 };
	struct ls_side sides[2];
	uint32_t a_nxt, b_nxt;
	uint16_t port = ls->next_port++;

	if (!link.mtu)
		link.mtu = 1500;
	if (!link.window)
		link.window = 256 * 1024;
	if (!link.mss)
		link.mss = link.mtu - (link.ipv6 ? 60 : 40);
	a_nxt = link.a_isn ? link.a_isn : (uint32_t)ls_random(ls);
	b_nxt = link.b_isn ? link.b_isn : (uint32_t)ls_random(ls);
	sides[0] = (struct ls_side){ a, b, port, 7174, a_nxt, b_nxt, false };
	sides[1] = (struct ls_side){ b, a, 7174, port, b_nxt, a_nxt, !link.no_hold };
	for (unsigned int i = 0; i < 2; i++) {
		struct ls_side *s = &sides[i];

		s->qp->l2 = link_entry(s->qp->host, s->peer->host, link.mtu, link.vlan);
		ls_direct_connect(s, &link);
	}
}

void ls_qp_state(struct ls_qp *qp, unsigned int state)
{
	ls_direct_state(qp, state);
}

/* ---- work requests ---- */

uint8_t *ls_sq_slot(struct ls_qp *qp, uint16_t index)
{
	return qp->sq.p + stride_bytes(qp->attr.sq_stride) * (index & ((1u << qp->attr.sq_log2) - 1));
}

uint8_t *ls_rq_slot(struct ls_qp *qp, uint16_t index)
{
	return qp->rq.p + stride_bytes(qp->attr.rq_stride) * (index & ((1u << qp->attr.rq_log2) - 1));
}

/* The SGEs behind a WQE's header; returns the sum of their lengths. */
static uint32_t put_sges(struct ls_qp *qp, uint8_t *to, size_t room, const struct ls_sge *sge,
			 unsigned int count)
{
	uint32_t sum = 0;

	if (count * (size_t)WEFT_SGE_BYTES > room)
		ls_fail(qp->host->ls, "script: %u SGEs do not fit in a WQE", count);
	for (unsigned int i = 0; i < count; i++, to += WEFT_SGE_BYTES) {
		LS_SET(to, WEFT_SGE_ADDR, sge[i].mr ? sge[i].mr->to + sge[i].offset : sge[i].offset);
		LS_SET(to, WEFT_SGE_LENGTH, sge[i].length);
		LS_SET(to, WEFT_SGE_LKEY, sge[i].mr ? sge[i].mr->stag : sge[i].lkey);
		sum += sge[i].length;
	}
	return sum;
}

uint16_t ls_post_send(struct ls_qp *qp, const struct ls_send *wr)
{
	size_t stride = stride_bytes(qp->attr.sq_stride);
	uint16_t index = qp->sq_pi;
	uint8_t *e = ls_sq_slot(qp, index);

	if ((uint16_t)(index - qp->sq_ci) >= 1u << qp->attr.sq_log2)
		ls_fail(qp->host->ls, "script: send queue of QP %u is full", qp->qpn);
	memset(e, 0, stride);
	LS_SET(e, WEFT_SQE_OPCODE, wr->opcode);
	LS_SET(e, WEFT_SQE_SIGNALED, wr->signaled);
	LS_SET(e, WEFT_SQE_SOLICITED, wr->solicited);
	LS_SET(e, WEFT_SQE_READ_FENCE, wr->read_fence);
	LS_SET(e, WEFT_SQE_LOCAL_FENCE, wr->local_fence);
	LS_SET(e, WEFT_SQE_INDEX, index);
	LS_SET(e, WEFT_SQE_RSTAG, wr->rstag);
	LS_SET(e, WEFT_SQE_RADDR, wr->raddr);
	LS_SET(e, WEFT_SQE_IMM, wr->imm);
	if (wr->inline_bytes) {
		if (wr->inline_length > stride - WEFT_SQE_BYTES)
			ls_fail(qp->host->ls, "script: %u inline bytes do not fit", wr->inline_length);
		LS_SET(e, WEFT_SQE_INLINE, 1);
		LS_SET(e, WEFT_SQE_LENGTH, wr->inline_length);
		memcpy(e + WEFT_SQE_BYTES, wr->inline_bytes, wr->inline_length);
	} else {
		LS_SET(e, WEFT_SQE_NUM_SGE, wr->num_sge);
		LS_SET(e, WEFT_SQE_LENGTH, put_sges(qp, e + WEFT_SQE_BYTES, stride - WEFT_SQE_BYTES,
						    wr->sge, wr->num_sge));
	}
	qp->sq_pi++;
	return index;
}

uint16_t ls_post_recv(struct ls_qp *qp, const struct ls_sge *sge, unsigned int num_sge)
{
	size_t stride = stride_bytes(qp->attr.rq_stride);
	uint16_t index = qp->rq_pi;
	uint8_t *e = ls_rq_slot(qp, index);

	if ((uint16_t)(index - qp->rq_ci) >= 1u << qp->attr.rq_log2)
		ls_fail(qp->host->ls, "script: receive queue of QP %u is full", qp->qpn);
	memset(e, 0, stride);
	LS_SET(e, WEFT_RQE_NUM_SGE, num_sge);
	LS_SET(e, WEFT_RQE_INDEX, index);
	LS_SET(e, WEFT_RQE_LENGTH, put_sges(qp, e + WEFT_RQE_BYTES, stride - WEFT_RQE_BYTES, sge,
					    num_sge));
	qp->rq_pi++;
	return index;
}

void ls_ring_sq(struct ls_qp *qp)
{
	ring(qp->host, qp->attr.page, WEFT_DB_SQ, qp->qpn, qp->sq_pi);
}

void ls_push_sq(struct ls_qp *qp, uint32_t torn)
{
	uint8_t line[WEFT_PUSH_LINE_BYTES] = { 0 };

	LS_SET(line, WEFT_PUSH_LINE_ID, qp->qpn);
	LS_SET(line, WEFT_PUSH_LINE_INDEX, qp->sq_pi);
	memcpy(line + WEFT_PUSH_LINE_WQE_OFF, ls_sq_slot(qp, (uint16_t)(qp->sq_pi - 1)), WEFT_PUSH_WQE_BYTES);
	if (torn)
		ls_doorbell_bytes(qp->host, qp->attr.page, WEFT_DB_PUSH, line, torn);
	ls_doorbell_bytes(qp->host, qp->attr.page, WEFT_DB_PUSH + torn, line + torn, (uint32_t)sizeof(line) - torn);
}

void ls_ring_rq(struct ls_qp *qp)
{
	ring(qp->host, qp->attr.page, WEFT_DB_RQ, qp->qpn, qp->rq_pi);
}

void ls_ring_both(struct ls_qp *qp)
{
	uint8_t two[16] = { 0 };

	LS_SET(two, WEFT_DB_QUEUE_ID, qp->qpn);
	LS_SET(two, WEFT_DB_QUEUE_INDEX, qp->sq_pi);
	LS_SET(two + 8, WEFT_DB_QUEUE_ID, qp->qpn);
	LS_SET(two + 8, WEFT_DB_QUEUE_INDEX, qp->rq_pi);
	ls_doorbell_bytes(qp->host, qp->attr.page, WEFT_DB_SQ, two, sizeof(two));
}

static struct ls_wc post_and_wait(struct ls_qp *qp, uint8_t opcode, struct ls_mr *local,
				  uint64_t local_offset, struct ls_mr *remote,
				  uint64_t remote_offset, uint32_t length)
{
	struct ls_send wr = {
		.opcode = opcode,
		.signaled = true,
		.num_sge = 1,
		.sge = { { .mr = local, .offset = local_offset, .length = length } },
		.rstag = remote->stag,
		.raddr = remote->to + remote_offset,
	};
	uint16_t index = ls_post_send(qp, &wr);
	struct ls_wc wc;

	ls_ring_sq(qp);
	wc = ls_cq_wait(qp->attr.scq);
	if (wc.qpn != qp->qpn || wc.index != index)
		ls_fail(qp->host->ls, "completion of QP %u, WQE %u, not of QP %u, WQE %u", wc.qpn,
			wc.index, qp->qpn, index);
	return wc;
}

struct ls_wc ls_write(struct ls_qp *qp, struct ls_mr *from, uint64_t from_offset, struct ls_mr *to,
		      uint64_t to_offset, uint32_t length)
{
	return post_and_wait(qp, WEFT_SQ_OPCODE_WRITE, from, from_offset, to, to_offset, length);
}

struct ls_wc ls_read(struct ls_qp *qp, struct ls_mr *into, uint64_t into_offset, struct ls_mr *from,
		     uint64_t from_offset, uint32_t length)
{
	return post_and_wait(qp, WEFT_SQ_OPCODE_READ, into, into_offset, from, from_offset, length);
}
