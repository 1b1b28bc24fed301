// SPDX-License-Identifier: BSD-2-Clause
#include "model.h"

#include <stdlib.h>
#include <string.h>

struct qp qps[NQP];
uint8_t mem[MEM_BYTES], ref[MEM_BYTES];
static uint32_t next_page;

void model_setup(void)
{
	static const uint8_t access[N_REG] = {
		[R_RW] = 1 << WEFT_ACCESS_REMOTE_WRITE | 1 << WEFT_ACCESS_LOCAL_WRITE,
		[R_LOCAL] = 1 << WEFT_ACCESS_LOCAL_WRITE,
		[R_SINK] = 1 << WEFT_ACCESS_REMOTE_WRITE,
		[R_SRC] = 1 << WEFT_ACCESS_REMOTE_READ,
		[R_PD] = 0xff,
		[R_BUS] = 0xff,
	};
	uint32_t order[MEM_BYTES / PAGE];
	unsigned n = MEM_BYTES / PAGE;

	for (unsigned i = 0; i < n; i++)
		order[i] = i;
	for (unsigned i = n - 1; i > 0; i--) {
		unsigned j = tb_below(i + 1), t = order[i];

		order[i] = order[j];
		order[j] = t;
	}
	for (unsigned i = 0; i < NQP; i++) {
		struct qp *q = &qps[i];

		q->n = i;
		q->pd = 0x1000 + i;
		q->stream = malloc(STREAM_MAX);
		for (unsigned k = 0; k < N_REG; k++) {
			struct region *r = &q->reg[k];

			r->stag = (i * N_REG + k + 1) << 8 | (tb_rand() & 0xff);
			r->pd = k == R_PD ? 0x77 : q->pd;
			r->base = (tb_rand() & 0xffffffffffull) | 1;
			if (k == R_RW && i == 1)
				r->base = 0ull - 60000; /* ends at the top of the address space */
			r->len = k == R_RW || k == R_LOCAL ? 60000 : 30000;
			r->access = access[k];
			r->bus = k == R_BUS;
			for (unsigned p = 0; p < 32; p++)
				r->page[p] = order[next_page++];
		}
	}
	for (unsigned i = 0; i < MEM_BYTES; i += 8) {
		uint64_t v = tb_rand();

		memcpy(mem + i, &v, 8);
	}
	memcpy(ref, mem, MEM_BYTES);
}

struct region *region_of(uint32_t stag)
{
	unsigned i = (stag >> 8) - 1;
	struct region *r;

	if (i >= NQP * N_REG)
		return NULL;
	r = &qps[i / N_REG].reg[i % N_REG];
	return r->stag == stag ? r : NULL;
}

unsigned xlate(uint32_t stag, uint64_t to, uint64_t len, uint8_t access, uint32_t pd, uint32_t qpn)
{
	struct region *r = region_of(stag);

	if (!r)
		return XL_STAG;
	if (r->pd != pd || (r->qpn && r->qpn != qpn))
		return XL_PD;
	if ((r->access & access) != access)
		return XL_ACCESS;
	if (to + len - 1 < to)
		return XL_WRAP;
	if (to < r->base || to - r->base > r->len || to - r->base + len > r->len)
		return XL_BOUNDS;
	return r->bus ? XL_BUS : XL_OK;
}

/* The first byte lies at offset base mod PAGE of the first page. */
uint32_t phys(const struct region *r, uint64_t to)
{
	uint64_t o = to - r->base + r->base % PAGE;

	return r->page[o / PAGE] * PAGE + (uint32_t)(o % PAGE);
}

void be(uint8_t *p, unsigned n, uint64_t v)
{
	while (n--) {
		p[n] = (uint8_t)v;
		v >>= 8;
	}
}

void tagged(uint8_t h[14], unsigned op, bool last, uint32_t stag, uint64_t to)
{
	/* reserved bits are not checked (RFC 5041 4.1) */
	h[0] = 0x81 | last << 6 | (tb_below(16) << 2);
	h[1] = 0x40 | op | (tb_below(4) << 4);
	be(h + 2, 4, stag);
	be(h + 6, 8, to);
}

void untagged(uint8_t h[18], unsigned op, bool last, uint32_t inv, uint32_t qn, uint32_t msn, uint32_t mo)
{
	h[0] = 0x01 | last << 6 | (tb_below(16) << 2);
	h[1] = 0x40 | op | (tb_below(4) << 4);
	be(h + 2, 4, inv);
	be(h + 6, 4, qn);
	be(h + 10, 4, msn);
	be(h + 14, 4, mo);
}

void read_req(uint8_t p[28], uint32_t sstag, uint64_t sto, uint32_t len, uint32_t dstag, uint64_t dto)
{
	be(p, 4, sstag);
	be(p + 4, 8, sto);
	be(p + 12, 4, len);
	be(p + 16, 4, dstag);
	be(p + 20, 8, dto);
}

uint32_t add_fpdu(struct qp *q, const uint8_t *hdr, unsigned hl, const void *pay, unsigned pl, bool bad_crc, int ulpdu)
{
	uint8_t *f = q->stream + q->len;
	unsigned n = 2 + hl + pl, pad = (4 - n % 4) % 4;
	uint32_t crc, off = q->len;

	if (off + n + pad + 4 > STREAM_MAX || q->nfp == FPDU_MAX) {
		tb_fail("model: stream too long");
		return 0;
	}
	be(f, 2, ulpdu < 0 ? hl + pl : (unsigned)ulpdu);
	memcpy(f + 2, hdr, hl);
	if (pl)
		memcpy(f + 2 + hl, pay, pl);
	/* pad bytes are not checked but count for the CRC */
	tb_rand_bytes(f + n, pad);
	n += pad;
	crc = tb_crc32c(0, f, n);
	for (unsigned i = 0; i < 4; i++)
		f[n + i] = (uint8_t)(crc >> 8 * i);
	if (!q->crc && !bad_crc && tb_chance(50))
		tb_rand_bytes(f + n, 4);
	if (bad_crc)
		f[tb_range(2, n + 3)] ^= (uint8_t)(1 << tb_below(8));
	n += 4;
	q->len += n;
	q->fp[q->nfp++] = (struct fpdu){ off, n, q->cum };
	return off;
}

void place(struct qp *q, const struct region *r, uint64_t to, const uint8_t *d, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		ref[phys(r, to + i)] = d[i];
	q->cum += n;
}

unsigned mulpdu(const struct qp *q) { return q->mss - 6 - q->mss % 4; }

void bell(struct qp *q)
{
	uint32_t v = q->n << 16 | q->rq_post;

	tb_item_push(P_DB, &v, 4);
}

struct wqe *post(struct qp *q, uint32_t mincap, bool ring_bell)
{
	unsigned max = q->stride == 0 ? 3 : q->stride == 1 ? 7 : 15, bytes = 64u << q->stride;
	struct wqe *w = &q->wq[q->rq_post % RING];
	uint8_t *e = q->ring + (q->rq_post % RING) * bytes;

	memset(w, 0, sizeof(*w));
	w->nsge = mincap || tb_chance(80) ? tb_range(1, max) : 0;
	tb_rand_bytes(e, bytes);
	for (unsigned i = 0; i < w->nsge; i++) {
		struct region *r = tb_chance(70) ? &q->reg[R_LOCAL] : &q->reg[R_RW];
		unsigned left = mincap > w->cap ? mincap - w->cap : 0, n = tb_chance(20) ? 0 : tb_below(left + 300);

		if (i == w->nsge - 1 && n < left)
			n = left;
		w->sge[i] = (struct sge){ r->base + tb_below((uint32_t)r->len - n + 1), n, r->stag };
		w->cap += n;
		memcpy(e + 16 + 16 * i, &w->sge[i].addr, 8);
		memcpy(e + 24 + 16 * i, &n, 4);
		memcpy(e + 28 + 16 * i, &w->sge[i].key, 4);
	}
	memset(e, 0, 16);
	e[0] = (uint8_t)w->nsge;
	memcpy(e + WEFT_RQE_INDEX_OFF, &q->rq_post, 2);
	memcpy(e + WEFT_RQE_LENGTH_OFF, &w->cap, 4);
	q->rq_post++;
	if (ring_bell)
		bell(q);
	return w;
}

static unsigned piece(struct qp *q, unsigned hl, unsigned left)
{
	unsigned n = mulpdu(q) - hl;

	if (tb_chance(20))
		n = tb_range(1, n);
	return n < left ? n : left;
}

void gen_write(struct qp *q, unsigned len)
{
	struct region *r = &q->reg[R_RW];
	uint64_t to = r->base + (tb_chance(10) ? r->len - len : tb_below((uint32_t)r->len - len + 1));
	uint8_t h[14], d[16384];
	unsigned done = 0;

	do {
		unsigned n = piece(q, 14, len - done);

		tb_rand_bytes(d, n);
		/* zero-length: STag and TO must not be checked (RFC 5041 5.2) */
		tagged(h, 0, done + n == len, n ? r->stag : (uint32_t)tb_rand(), n ? to + done : tb_rand());
		place(q, r, to + done, d, n);
		add_fpdu(q, h, 14, d, n, false, -1);
		done += n;
	} while (done < len);
}

static void scatter(struct qp *q, struct wqe *w, unsigned mo, const uint8_t *d, unsigned n)
{
	for (unsigned i = 0; n; i++) {
		unsigned k;

		if (mo >= w->sge[i].len) {
			mo -= w->sge[i].len;
			continue;
		}
		k = w->sge[i].len - mo < n ? w->sge[i].len - mo : n;
		place(q, region_of(w->sge[i].key), w->sge[i].addr + mo, d, k);
		d += k;
		n -= k;
		mo = 0;
	}
}

void gen_send(struct qp *q, unsigned len)
{
	unsigned op = tb_range(3, 6), done = 0;
	uint32_t inv = (uint32_t)tb_rand();
	uint16_t index = q->rq_use++;
	struct wqe *w;
	uint8_t h[18], d[16384];

	if (index == q->rq_post)
		post(q, len, true);
	w = &q->wq[index % RING];
	if (len > w->cap)
		len = w->cap;
	do {
		unsigned n = piece(q, 18, len - done);

		tb_rand_bytes(d, n);
		untagged(h, op, done + n == len, inv, 0, q->send_msn, done);
		scatter(q, w, done, d, n);
		add_fpdu(q, h, 18, d, n, false, -1);
		done += n;
	} while (done < len);
	q->send_msn++;
	q->cqe[q->ncqe++] = (struct cqe_want){ index, WEFT_WC_STATUS_SUCCESS,
		op == 4 || op == 6 ? WEFT_WC_OPCODE_RECV_INV : WEFT_WC_OPCODE_RECV, len, op == 4 || op == 6 ? inv : 0,
		op >= 5, q->cum };
}

void gen_read(struct qp *q)
{
	struct region *r = &q->reg[R_SRC];
	uint32_t len = tb_chance(20) || !(q->access & 1 << WEFT_ACCESS_REMOTE_READ) ? 0 : tb_chance(20) ? 1 : tb_range(1, (uint32_t)r->len);
	uint64_t to = r->base + tb_below((uint32_t)r->len - len + 1);
	struct irq_want w = { (uint32_t)tb_rand(), len, len ? r->stag : (uint32_t)tb_rand(), tb_rand(), len ? to : tb_rand() };
	uint8_t h[18], p[28];

	if (q->rd_gen - q->rd_free >= q->ird || q->nirq == 512)
		return;
	q->rd_gen++;
	untagged(h, 1, true, (uint32_t)tb_rand(), 1, q->read_msn++, 0);
	read_req(p, w.sink_stag, w.sink_to, len, w.src_stag, w.src_to);
	add_fpdu(q, h, 18, p, 28, false, -1);
	q->irq[q->nirq++] = w;
}

void gen_response(struct qp *q)
{
	struct region *r = &q->reg[R_SINK];
	uint32_t len = tb_chance(15) ? 0 : tb_range(1, 12000), done = 0;
	uint64_t to = r->base + tb_below((uint32_t)r->len - len + 1);
	struct tb_pack p;
	uint8_t h[14], d[16384];

	if (q->orq_gen - q->orq_done >= 16)
		return;
	tb_pack_begin(&p, 144);
	tb_put(&p, 16, q->n);
	tb_put(&p, 32, r->stag);
	tb_put(&p, 64, to);
	tb_put(&p, 32, len);
	tb_item_push(P_ORQ, p.bits, 18);
	q->orq_gen++;
	do {
		unsigned n = piece(q, 14, len - done);

		tb_rand_bytes(d, n);
		tagged(h, 2, done + n == len, n ? r->stag : (uint32_t)tb_rand(), n ? to + done : tb_rand());
		place(q, r, to + done, d, n);
		add_fpdu(q, h, 14, d, n, false, -1);
		done += n;
	} while (done < len);
	q->orq_want++;
}

static unsigned some_len(void)
{
	switch (tb_below(4)) {
	case 0: return tb_below(4);
	case 1: return tb_below(200);
	case 2: return tb_below(2000);
	default: return tb_below(14000);
	}
}

void gen_any(struct qp *q)
{
	switch (tb_below(4)) {
	case 0: gen_write(q, q->access & 1 << WEFT_ACCESS_REMOTE_WRITE ? some_len() : 0); break;
	case 1:
		if ((uint16_t)(q->rq_post - q->rq_done) < RING - 8)
			gen_send(q, some_len());
		break;
	case 2: gen_read(q); break;
	default: gen_response(q);
	}
}
