// SPDX-License-Identifier: BSD-2-Clause
/*
 * The user interface of PCIE4 at 512 bits, as AMD PG213 describes it: "512-bit Requester Interface", "512-bit Completer
 * Interface" (operation, straddle options, descriptor formats, side band tables), "Transmit Transaction Ordering",
 * "Avoiding Head-of-Line Blocking for Posted Requests", "Completions with Error Status (UR and CA)". What is not in its
 * descriptors never reaches the user here: requests to configuration space, poisoned requests; tags of ten bits are
 * replaced by eight, as in a system where the host's 10-bit tags are off.
 */
#include <stdlib.h>
#include <string.h>

#include "block_int.h"

#define RQ_TLPS 6     /* requests inside the block */
#define READS 4       /* reads of them */

static uint32_t bits(const uint8_t *p, unsigned lsb, unsigned n) { return (uint32_t)bits_get(p, lsb, n); }

struct lane {
	uint8_t d[64], u[24];
	bool valid;
};
/* A packet that is being given. */
struct packet {
	uint8_t p[4096 + 64];
	unsigned len, pos;
	bool open, discontinue;
	unsigned fbe, lbe;
};
struct model {
	/* sequence numbers: told some time after the request has gone */
	struct {
		unsigned seq;
		uint64_t due;
	} echo[256];
	unsigned echo_first, echo_n;
	/* outstanding reads: the split completion table */
	struct {
		bool used;
		uint64_t next, since;
		uint32_t left;
	} split[256];
	/* RQ */
	uint8_t rq[4096 + 128];
	unsigned rq_len, rq_fbe, rq_lbe, rq_seq;
	bool rq_open, rq_wait, rq_ready;
	uint8_t rq_held[64 + 18 + 3];
	/* CQ and RC */
	struct {
		bool used;
		uint32_t tag10, attr; /* of the host's header: tag bits, first dword */
		uint8_t desc[16], be;
	} np[256];
	unsigned np_credit;
	uint64_t bar_base[8];
	struct lane cq, rcl;
	struct packet cqp, rcp;
	/* CC */
	bool cc_wait, cc_ready;
	uint8_t cc_held[64 + 3 + 12];
	/* credits for reads: two cycles behind */
	unsigned credit[3];
	uint64_t np_ready_at;
};

/* ---- sequence numbers: told some time after the request has gone ---- */
void model_gone(struct block *b, struct tlp *t)
{
	struct model *m = b->model;
	unsigned at = (m->echo_first + m->echo_n) % 256;
	uint64_t due = b->cycle + 1 + block_below(b, 8);

	if (m->echo_n && due < m->echo[(at + 255) % 256].due)
		due = m->echo[(at + 255) % 256].due;
	m->echo[at].seq = t->seq;
	m->echo[at].due = due;
	m->echo_n++;
}

/* ---- RQ ---- */
static void rq_tlp(struct block *b)
{
	struct model *m = b->model;
	struct tlp *t = tlp_new();
	unsigned type = bits(m->rq, 75, 4), dwords = bits(m->rq, 64, 11), tag = bits(m->rq, 96, 8);
	uint64_t addr = bits_get(m->rq, 0, 64) & ~3ull;
	bool write = type == 1;

	block_check(b, type < 2, "RQ: request type %u", type);
	block_check(b, !bits(m->rq, 0, 2), "RQ: address type");
	block_check(b, !bits(m->rq, 79, 1) && !bits(m->rq, 88, 8) && !bits(m->rq, 104, 17) && !bits(m->rq, 127, 1), "RQ: a bit that is not the client's is set");
	block_check(b, bits(m->rq, 80, 8) == (b->in.cfg_bdf & 0xff), "RQ: function %x", bits(m->rq, 80, 8));
	block_check(b, dwords >= 1 && dwords <= 1024, "RQ: %u dwords", dwords);
	block_check(b, m->rq_len == 16 + (write ? 4 * dwords : 0), "RQ: %u bytes for %u dwords", m->rq_len, dwords);
	t->hdr[0] = (write ? 0x40000000u : 0) | (addr >> 32 ? 0x20000000u : 0) | bits(m->rq, 121, 3) << 20 | bits(m->rq, 126, 1) << 18 |
		    bits(m->rq, 124, 2) << 12 | (dwords & 0x3ff);
	t->hdr[1] = (uint32_t)b->in.cfg_bdf << 16 | tag << 8 | m->rq_lbe << 4 | m->rq_fbe;
	t->hdr[2] = addr >> 32 ? (uint32_t)(addr >> 32) : (uint32_t)addr;
	t->hdr[3] = addr >> 32 ? (uint32_t)addr : 0;
	t->seq = m->rq_seq;
	if (write) {
		t->len = 4 * dwords;
		memcpy(t->data, m->rq + 16, t->len);
	} else {
		uint32_t lead = 0, tail = 0, be = dwords == 1 ? m->rq_fbe : m->rq_lbe;

		/* one that the core has given up may go out anew; the root complex knows whether the last one is answered */
		while (lead < 3 && !(m->rq_fbe >> lead & 1))
			lead++;
		while (tail < 3 && !(be >> (3 - tail) & 1))
			tail++;
		m->split[tag].used = true;
		m->split[tag].next = addr + lead;
		m->split[tag].left = 4 * dwords - lead - tail;
		m->split[tag].since = b->cycle;
	}
	tlp_push(&b->card_req, t);
}

static void rq_beat(struct block *b, const uint8_t *d, unsigned keep, bool last, const uint8_t *u)
{
	struct model *m = b->model;
	unsigned n = 0;

	while (n < 16 && keep >> n & 1)
		n++;
	block_check(b, keep == (1u << n) - 1 && n && (last || n == 16), "RQ: tkeep %04x, last %d", keep, last);
	block_check(b, bits(u, 20, 2) == (m->rq_open ? 0u : 1u), "RQ: is_sop %x, %s a packet", bits(u, 20, 2), m->rq_open ? "inside" : "in front of");
	block_check(b, !bits(u, 22, 4) && bits(u, 26, 2) == (last ? 1u : 0u), "RQ: is_eop %x, last %d", bits(u, 26, 2), last);
	block_check(b, !last || bits(u, 28, 4) == n - 1, "RQ: is_eop0_ptr %u of %u dwords", bits(u, 28, 4), n);
	block_check(b, !bits(u, 16, 4) && !bits(u, 36, 25) && !bits(u, 67, 6), "RQ: side band of what is not used");
	if (!m->rq_open) {
		m->rq_fbe = bits(u, 0, 4);
		m->rq_lbe = bits(u, 8, 4);
		m->rq_seq = bits(u, 61, 6);
		m->rq_len = 0;
		block_check(b, n >= 4, "RQ: a descriptor of %u dwords", n);
	}
	if (m->rq_len + 4 * n > sizeof(m->rq)) {
		block_fault(b, "RQ: a packet without end");
		m->rq_len = 0;
	}
	memcpy(m->rq + m->rq_len, d, 4 * n);
	m->rq_len += 4 * n;
	m->rq_open = !last;
	if (last)
		rq_tlp(b);
}

/* ---- CQ ---- */
static const unsigned aperture[8] = { 16, 12, 24, 12, 16, 12, 12, 12 };

/* Descriptor and payload of a request; false when it never reaches the user. */
static bool cq_packet(struct block *b, const struct tlp *t, uint8_t *p, unsigned *len, bool *is_np)
{
	struct model *m = b->model;
	uint32_t type = t->hdr[0] >> 24 & 0x1f, tag = 0;
	bool data = tlp_has_data(t), wide = t->hdr[0] >> 29 & 1;
	uint64_t addr = wide ? (uint64_t)t->hdr[2] << 32 | t->hdr[3] : t->hdr[2];
	unsigned code;

	switch (type) {
	case 0x00: code = data; break;
	case 0x01: code = 7; break;
	case 0x02: code = 2 + data; break;
	case 0x0c: code = 4; break;
	case 0x0d: code = 5; break;
	case 0x0e: code = 6; break;
	default: code = 12; break;
	}
	memset(p, 0, 16);
	*is_np = code != 1 && code != 12;
	if (*is_np) {
		do
			tag = block_below(b, 256);
		while (m->np[tag].used);
	}
	if (code != 12) {
		addr = m->bar_base[t->bar] | (addr & ((1ull << aperture[t->bar]) - 1));
		bits_set(p, 0, 64, (addr & ~3ull) | (t->hdr[0] >> 10 & 3));
	} else {
		bits_set(p, 0, 64, block_rand(b));
	}
	bits_set(p, 64, 11, code == 12 && !data ? 0 : tlp_dwords(t));
	bits_set(p, 75, 4, code);
	bits_set(p, 80, 16, t->hdr[1] >> 16);
	bits_set(p, 96, 8, *is_np ? tag : t->hdr[1] >> 8 & 0xff);
	bits_set(p, 104, 8, 0);
	bits_set(p, 112, 3, t->bar);
	bits_set(p, 115, 6, aperture[t->bar]);
	bits_set(p, 121, 3, t->hdr[0] >> 20 & 7);
	bits_set(p, 124, 3, (t->hdr[0] >> 18 & 1) << 2 | (t->hdr[0] >> 12 & 3));
	memcpy(p + 16, t->data, t->len);
	*len = 16 + t->len;
	if (*is_np) {
		m->np[tag].used = true;
		m->np[tag].tag10 = (t->hdr[0] & (1u << 23 | 1u << 19)) | (t->hdr[1] >> 8 & 0xff);
		m->np[tag].attr = t->hdr[0];
		memcpy(m->np[tag].desc, p, 16);
		m->np[tag].be = (uint8_t)t->hdr[1];
	}
	return true;
}

static void note_shared(struct block *b, unsigned which, unsigned starts, unsigned ends) { b->shared[which] += starts > 1 || ends > 1; }

static bool cq_next(struct block *b)
{
	struct model *m = b->model;

	for (;;) {
		struct tlp *t = block_request(b, m->np_credit > 0);
		bool is_np;

		if (!t)
			return false;
		m->cqp.pos = 0;
		m->cqp.open = cq_packet(b, t, m->cqp.p, &m->cqp.len, &is_np);
		m->cqp.fbe = t->hdr[1] & 15;
		m->cqp.lbe = t->hdr[1] >> 4 & 15;
		if (is_np)
			m->np_credit--;
		free(t);
		return true;
	}
}

/* Put what fits of a packet into a beat from a dword on; returns the dword behind it. */
static unsigned place(struct packet *k, uint8_t *d, unsigned dw)
{
	unsigned n = k->len - k->pos;

	if (n > 64 - 4 * dw)
		n = 64 - 4 * dw;
	memcpy(d + 4 * dw, k->p + k->pos, n);
	k->pos += n;
	k->open = k->pos < k->len;
	return dw + (n + 3) / 4;
}

static void cq_beat(struct block *b)
{
	struct model *m = b->model;
	unsigned dw = 0, sops = 0, eops = 0;

	if (!m->cqp.open && (block_chance(b, b->cfg.gap_req / 2) || !cq_next(b)))
		return;
	block_rand_bytes(b, m->cq.d, 64);
	memset(m->cq.u, 0, sizeof(m->cq.u));
	bits_set(m->cq.u, 119, 64, block_rand(b));
	m->cq.valid = true;
	for (;;) {
		if (!m->cqp.pos) {
			bits_set(m->cq.u, 4 * sops, 4, m->cqp.fbe);
			bits_set(m->cq.u, 8 + 4 * sops, 4, m->cqp.lbe);
			bits_set(m->cq.u, 80 + sops, 1, 1);
			bits_set(m->cq.u, 82 + 2 * sops, 2, dw / 4);
			sops++;
		}
		dw = place(&m->cqp, m->cq.d, dw);
		if (m->cqp.open)
			break;
		bits_set(m->cq.u, 86 + eops, 1, 1);
		bits_set(m->cq.u, 88 + 4 * eops, 4, dw - 1);
		eops++;
		/* another one begins in the same beat, in the upper half */
		if (!b->cfg.straddle || dw > 8 || sops + eops > 3 || !cq_next(b))
			break;
		dw = 8;
	}
	note_shared(b, 1, sops, eops);
}

/* ---- CC ---- */
static void cc_packet(struct block *b, const uint8_t *d, unsigned keep, bool last, const uint8_t *u)
{
	struct model *m = b->model;
	unsigned n = 0, tag = bits(d, 64, 8), status = bits(d, 43, 3), dwords = bits(d, 32, 11);
	struct tlp *t;

	while (n < 16 && keep >> n & 1)
		n++;
	block_check(b, last && n >= 3 && keep == (1u << n) - 1, "CC: tkeep %04x, last %d", keep, last);
	block_check(b, bits(u, 0, 2) == 1 && bits(u, 6, 2) == 1 && !bits(u, 2, 4) && bits(u, 8, 4) == n - 1 && !bits(u, 16, 1), "CC: side band");
	block_check(b, n == (status ? 8 : 3 + dwords), "CC: %u dwords of packet, %u of data, status %u", n, dwords, status);
	block_check(b, !bits(d, 7, 1) && !bits(d, 10, 6) && !bits(d, 30, 2) && !bits(d, 46, 2) && !bits(d, 80, 9) && !bits(d, 95, 1),
		 "CC: a bit that is not the client's is set");
	if (!m->np[tag].used) {
		block_fault(b, "CC: nobody waits for tag %u", tag);
		return;
	}
	block_check(b, bits(d, 29, 1) == (bits(m->np[tag].desc, 75, 4) == 7), "CC: locked");
	if (status) {
		block_check(b, !memcmp(d + 16, m->np[tag].desc, 16), "CC: a refusal of another request");
		block_check(b, d[12] == m->np[tag].be, "CC: byte enables %02x, not %02x", d[12], m->np[tag].be);
		block_check(b, !dwords, "CC: a refusal with data");
	}
	t = tlp_new();
	t->hdr[0] = (dwords ? 0x4a000000u : 0x0a000000u) | bits(d, 29, 1) << 24 | bits(d, 89, 3) << 20 | bits(d, 94, 1) << 18 |
		    bits(d, 92, 2) << 12 | bits(d, 8, 2) << 10 | (m->np[tag].tag10 & (1u << 23 | 1u << 19)) | (dwords & 0x3ff);
	t->hdr[1] = (uint32_t)(b->in.cfg_bdf & 0xff00) << 16 | bits(d, 72, 8) << 16 | status << 13 | bits(d, 16, 12);
	t->hdr[2] = bits(d, 48, 16) << 16 | (m->np[tag].tag10 & 0xff) << 8 | bits(d, 0, 7);
	t->len = 4 * dwords;
	memcpy(t->data, d + 12, t->len);
	if (status || bits(d, 16, 13) + (bits(d, 0, 2)) <= 4 * dwords)
		m->np[tag].used = false;
	tlp_push(&b->card_cpl, t);
}

/* ---- RC ---- */
static unsigned timed_out(struct block *b)
{
	struct model *m = b->model;

	for (unsigned i = 0; b->cfg.timeout && i < 256; i++)
		if (m->split[i].used && b->cycle - m->split[i].since > b->cfg.timeout)
			return i;
	return 256;
}

static bool rc_next(struct block *b)
{
	struct model *m = b->model;
	struct tlp *t = NULL;
	unsigned tag, dwords, code = 0, status, lost = timed_out(b);
	uint32_t bc;
	bool done = true;

	if (lost == 256 && !(t = block_completion(b)))
		return false;
	memset(m->rcp.p, 0, 16);
	m->rcp.pos = 0;
	m->rcp.open = true;
	m->rcp.discontinue = false;
	if (lost < 256) {
		m->split[lost].used = false;
		bits_set(m->rcp.p, 12, 4, 9);
		bits_set(m->rcp.p, 30, 1, 1);
		bits_set(m->rcp.p, 48, 16, b->in.cfg_bdf);
		bits_set(m->rcp.p, 64, 8, lost);
		m->rcp.len = 12;
		return true;
	}
	dwords = tlp_has_data(t) ? tlp_dwords(t) : 0;
	tag = t->hdr[2] >> 8 & 0xff;
	status = t->hdr[1] >> 13 & 7;
	bc = t->hdr[1] & 0xfff ? t->hdr[1] & 0xfff : 4096;
	if (!m->split[tag].used || (t->hdr[0] >> 24 & 0x1f) != 0x0a) {
		code = 6;
	} else if (t->hdr[2] >> 16 != b->in.cfg_bdf) {
		code = 4;
	} else if (status) {
		code = 2;
		m->split[tag].used = false;
	} else {
		unsigned lead = t->hdr[2] & 3, n = 4 * dwords - lead;

		done = bc <= n;
		if (t->hdr[0] >> 14 & 1)
			code = 1;
		m->split[tag].next += done ? bc : n;
		m->split[tag].used = !done;
		m->split[tag].since = b->cycle;
	}
	bits_set(m->rcp.p, 0, 12, code == 0 || code == 1 ? (t->hdr[2] & 0x7f) | (uint32_t)block_below(b, 32) << 7 : t->hdr[2] & 0x7f);
	bits_set(m->rcp.p, 12, 4, code);
	bits_set(m->rcp.p, 16, 13, bc);
	bits_set(m->rcp.p, 30, 1, done);
	bits_set(m->rcp.p, 32, 11, dwords);
	bits_set(m->rcp.p, 43, 3, status);
	bits_set(m->rcp.p, 46, 1, code == 1);
	bits_set(m->rcp.p, 48, 16, t->hdr[2] >> 16);
	bits_set(m->rcp.p, 64, 8, tag);
	bits_set(m->rcp.p, 72, 16, t->hdr[1] >> 16);
	bits_set(m->rcp.p, 89, 3, t->hdr[0] >> 20 & 7);
	bits_set(m->rcp.p, 92, 3, (t->hdr[0] >> 18 & 1) << 2 | (t->hdr[0] >> 12 & 3));
	memcpy(m->rcp.p + 12, t->data, t->len);
	m->rcp.len = 12 + t->len;
	/* the read fails as it would by poison, after the core's own time */
	if (code == 1 && block_chance(b, 30))
		m->rcp.discontinue = true;
	free(t);
	return true;
}

static void rc_beat(struct block *b)
{
	struct model *m = b->model;
	unsigned dw = 0, sops = 0, eops = 0;

	if ((m->rcp.open && block_chance(b, b->cfg.gap_cpl / 4)) || (!m->rcp.open && !rc_next(b)))
		return;
	block_rand_bytes(b, m->rcl.d, 64);
	memset(m->rcl.u, 0, sizeof(m->rcl.u));
	bits_set(m->rcl.u, 0, 64, block_rand(b));
	bits_set(m->rcl.u, 97, 64, block_rand(b));
	m->rcl.valid = true;
	for (;;) {
		if (!m->rcp.pos) {
			bits_set(m->rcl.u, 64 + sops, 1, 1);
			bits_set(m->rcl.u, 68 + 2 * sops, 2, dw / 4);
			sops++;
		}
		dw = place(&m->rcp, m->rcl.d, dw);
		if (m->rcp.open)
			break;
		bits_set(m->rcl.u, 76 + eops, 1, 1);
		bits_set(m->rcl.u, 80 + 4 * eops, 4, dw - 1);
		eops++;
		dw = (dw + 3) & ~3u;
		/* one bit for the beat: nothing else ends in it */
		if (m->rcp.discontinue) {
			bits_set(m->rcl.u, 96, 1, 1);
			break;
		}
		if (!b->cfg.straddle || dw >= 16 || (b->host_cpl.n && b->host_cpl.head->hdr[0] >> 14 & 1) || !rc_next(b))
			break;
	}
	note_shared(b, 0, sops, eops);
}


/* ---- the cycle ---- */
void model_reset(struct block *b)
{
	struct model *m = b->model;
	bool first = !m;

	if (first && !(b->model = m = calloc(1, sizeof(*m))))
		abort();
	if (!first)
		memset(m, 0, sizeof(*m));
	for (int i = 0; i < 8; i++)
		m->bar_base[i] = (block_rand(b) << aperture[i]) & (i == 0 || i == 4 ? 0xffffffffull : ~0ull);
}

void model_free(struct block *b) { free(b->model); }

bool model_idle(const struct block *b)
{
	const struct model *m = b->model;

	return !m->rcl.valid && !m->cq.valid && !m->cqp.open && !m->rcp.open && !m->rq_open && !m->echo_n;
}

/* Words of the pins: 0 bits: rc_tready, cq_tready, rq_tvalid, rq_tlast, cc_tvalid, cc_tlast, flr_done, idle, np_req[1:0] at 8; 1 and 2 tkeep of RQ and CC,
 * 4 RQ data, 20 its side band, 25 CC data, 41 its side band. */
bool block_flr_done(const uint32_t pins[BLOCK_OUT_WORDS]) { return pins[0] >> 6 & 1; }

void model_sample(struct block *b, const uint32_t pins[BLOCK_OUT_WORDS])
{
	struct model *m = b->model;
	uint32_t w = pins[0], rq_keep = pins[1] & 0xffff, cc_keep = pins[2] & 0xffff;
	bool rq_v = w >> 2 & 1, cc_v = w >> 4 & 1;
	uint8_t now[sizeof(m->rq_held)] = { 0 }, cnow[sizeof(m->cc_held)] = { 0 };

	memcpy(now, pins + 4, 64);
	memcpy(now + 64, pins + 20, 18);
	now[82] = (uint8_t)rq_keep, now[83] = (uint8_t)(rq_keep >> 8), now[84] = w >> 3 & 1;
	memcpy(cnow, pins + 25, 64);
	memcpy(cnow + 64, pins + 41, 11);
	cnow[76] = (uint8_t)cc_keep, cnow[77] = (uint8_t)(cc_keep >> 8), cnow[78] = w >> 5 & 1;
	if (m->rcl.valid && (w & 1))
		m->rcl.valid = false;
	if (m->cq.valid && (w >> 1 & 1))
		m->cq.valid = false;
	block_check(b, !m->rq_wait || (rq_v && !memcmp(now, m->rq_held, sizeof(now))), "RQ: changed while it waited");
	block_check(b, !m->rq_open || rq_v, "RQ: tvalid falls inside a packet");
	block_check(b, !m->cc_wait || (cc_v && !memcmp(cnow, m->cc_held, sizeof(cnow))), "CC: changed while it waited");
	m->rq_wait = rq_v && !m->rq_ready;
	m->cc_wait = cc_v && !m->cc_ready;
	memcpy(m->rq_held, now, sizeof(now));
	memcpy(m->cc_held, cnow, sizeof(cnow));
	if (rq_v && m->rq_ready)
		rq_beat(b, now, rq_keep, w >> 3 & 1, now + 64);
	if (cc_v && m->cc_ready)
		cc_packet(b, cnow, cc_keep, w >> 5 & 1, cnow + 64);
	m->np_credit += w >> 8 & 3;
	block_check(b, m->np_credit <= 32, "CQ: %u credits for non-posted requests", m->np_credit);
	if (w >> 6 & 1) {
		block_check(b, b->in.flr_req, "FLR: done without a reset");
		memset(m->split, 0, sizeof(m->split));
	}
}

static unsigned reads_inside(const struct block *b)
{
	unsigned n = 0;

	for (struct tlp *t = b->card_req.head; t; t = t->next)
		n += !tlp_has_data(t);
	return n;
}

/* Words of the pins: 0 bits: rc_tvalid, cq_tvalid, rq_tready, cc_tready, nph_av[3:0] at 4, seq_vld0 at 8, seq_vld1 at 9, seq0 at 10, seq1 at 16, bme at
 * 22, rcb, ext_tag, msix_en, msix_mask, flr; 1: bus at 0, mps at 8, mrrs at 10; 2 RC data, 18 its side band, 24 CQ data, 40 its side band. */
void model_drive(struct block *b, uint32_t pins[BLOCK_IN_WORDS])
{
	struct model *m = b->model;
	unsigned used = 0, seq[2] = { 0, 0 }, inside;

	if (b->in.tx_rd_ready)
		m->np_ready_at = b->cycle;
	m->credit[2] = m->credit[1];
	m->credit[1] = m->credit[0];
	inside = reads_inside(b);
	m->credit[0] = b->cfg.deaf || b->cycle - m->np_ready_at > 40 || inside >= READS ? 0 : READS - inside;
	if (!m->rcl.valid)
		rc_beat(b);
	if (!m->cq.valid)
		cq_beat(b);
	m->rq_ready = b->card_req.n < RQ_TLPS && !block_chance(b, b->cfg.stall_wr / 4);
	m->cc_ready = b->card_cpl.n < 4 && !block_chance(b, b->cfg.stall_cpl / 4);
	while (used < 2 && m->echo_n && m->echo[m->echo_first].due <= b->cycle) {
		seq[used++] = m->echo[m->echo_first].seq;
		m->echo_first = (m->echo_first + 1) % 256;
		m->echo_n--;
	}
	memset(pins, 0, 4 * BLOCK_IN_WORDS);
	pins[0] = (uint32_t)(m->rcl.valid | m->cq.valid << 1 | m->rq_ready << 2 | m->cc_ready << 3) | (b->cfg.deaf ? 0 : m->credit[2]) << 4 |
		  (uint32_t)(used > 0) << 8 | (uint32_t)(used > 1) << 9 | seq[0] << 10 | seq[1] << 16 | (uint32_t)b->in.cfg_bme << 22 |
		  (uint32_t)b->in.cfg_rcb << 23 | (uint32_t)b->in.cfg_ext_tag << 24 | (uint32_t)b->in.cfg_msix_en << 25 |
		  (uint32_t)b->in.cfg_msix_mask << 26 | (uint32_t)b->in.flr_req << 27;
	pins[1] = b->in.cfg_bdf >> 8 | (b->in.cfg_mps > 3 ? 3u : b->in.cfg_mps) << 8 | (uint32_t)b->in.cfg_mrrs << 10;
	memcpy(pins + 2, m->rcl.d, 64);
	memcpy(pins + 18, m->rcl.u, 24);
	memcpy(pins + 24, m->cq.d, 64);
	memcpy(pins + 40, m->cq.u, 24);
}
