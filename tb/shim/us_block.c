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

#include "block.h"
#include "svdpi.h"

#define RQ_TLPS 6     /* requests inside the block */
#define READS 4       /* reads of them */
#define TIMEOUT 30000 /* cycles, of the block itself */

extern struct weft_rc_cfg *cfg;
static bool straddle, started;

static uint32_t bits(const uint8_t *p, unsigned lsb, unsigned n) { return (uint32_t)tb_bits_get(p, lsb, n); }

/* ---- sequence numbers: told some time after the request has gone ---- */
static struct {
	unsigned seq;
	uint64_t due;
} echo[256];
static unsigned echo_first, echo_n;

void block_gone(struct tlp *t)
{
	unsigned at = (echo_first + echo_n) % 256;
	uint64_t due = tb_cycle() + 1 + tb_below(8);

	if (echo_n && due < echo[(at + 255) % 256].due)
		due = echo[(at + 255) % 256].due;
	echo[at].seq = t->seq;
	echo[at].due = due;
	echo_n++;
}

/* ---- outstanding reads: the split completion table ---- */
static struct {
	bool used;
	uint64_t next, since;
	uint32_t left;
} split[256];

/* ---- RQ ---- */
static uint8_t rq[4096 + 128];
static unsigned rq_len, rq_fbe, rq_lbe, rq_seq;
static bool rq_open, rq_wait;
static uint8_t rq_held[64 + 18 + 3];

static void rq_tlp(void)
{
	struct tlp *t = tlp_new();
	unsigned type = bits(rq, 75, 4), dwords = bits(rq, 64, 11), tag = bits(rq, 96, 8);
	uint64_t addr = tb_bits_get(rq, 0, 64) & ~3ull;
	bool write = type == 1;

	tb_check(type < 2, "RQ: request type %u", type);
	tb_check(!bits(rq, 0, 2), "RQ: address type");
	tb_check(!bits(rq, 79, 1) && !bits(rq, 88, 8) && !bits(rq, 104, 17) && !bits(rq, 127, 1), "RQ: a bit that is not the client's is set");
	tb_check(bits(rq, 80, 8) == (cfg->bdf & 0xff), "RQ: function %x", bits(rq, 80, 8));
	tb_check(dwords >= 1 && dwords <= 1024, "RQ: %u dwords", dwords);
	tb_check(rq_len == 16 + (write ? 4 * dwords : 0), "RQ: %u bytes for %u dwords", rq_len, dwords);
	t->hdr[0] = (write ? 0x40000000u : 0) | (addr >> 32 ? 0x20000000u : 0) | bits(rq, 121, 3) << 20 | bits(rq, 126, 1) << 18 |
		    bits(rq, 124, 2) << 12 | (dwords & 0x3ff);
	t->hdr[1] = (uint32_t)cfg->bdf << 16 | tag << 8 | rq_lbe << 4 | rq_fbe;
	t->hdr[2] = addr >> 32 ? (uint32_t)(addr >> 32) : (uint32_t)addr;
	t->hdr[3] = addr >> 32 ? (uint32_t)addr : 0;
	t->seq = rq_seq;
	if (write) {
		t->len = 4 * dwords;
		memcpy(t->data, rq + 16, t->len);
	} else {
		uint32_t lead = 0, tail = 0, be = dwords == 1 ? rq_fbe : rq_lbe;

		/* one that the core has given up may go out anew; the root complex knows whether the last one is answered */
		while (lead < 3 && !(rq_fbe >> lead & 1))
			lead++;
		while (tail < 3 && !(be >> (3 - tail) & 1))
			tail++;
		split[tag].used = true;
		split[tag].next = addr + lead;
		split[tag].left = 4 * dwords - lead - tail;
		split[tag].since = tb_cycle();
	}
	tlp_push(&card_req, t);
}

static void rq_beat(const uint8_t *d, unsigned keep, bool last, const uint8_t *u)
{
	unsigned n = 0;

	while (n < 16 && keep >> n & 1)
		n++;
	tb_check(keep == (1u << n) - 1 && n && (last || n == 16), "RQ: tkeep %04x, last %d", keep, last);
	tb_check(bits(u, 20, 2) == (rq_open ? 0u : 1u), "RQ: is_sop %x, %s a packet", bits(u, 20, 2), rq_open ? "inside" : "in front of");
	tb_check(!bits(u, 22, 4) && bits(u, 26, 2) == (last ? 1u : 0u), "RQ: is_eop %x, last %d", bits(u, 26, 2), last);
	tb_check(!last || bits(u, 28, 4) == n - 1, "RQ: is_eop0_ptr %u of %u dwords", bits(u, 28, 4), n);
	tb_check(!bits(u, 16, 4) && !bits(u, 36, 25) && !bits(u, 67, 6), "RQ: side band of what is not used");
	if (!rq_open) {
		rq_fbe = bits(u, 0, 4);
		rq_lbe = bits(u, 8, 4);
		rq_seq = bits(u, 61, 6);
		rq_len = 0;
		tb_check(n >= 4, "RQ: a descriptor of %u dwords", n);
	}
	if (rq_len + 4 * n > sizeof(rq)) {
		tb_fail("RQ: a packet without end");
		rq_len = 0;
	}
	memcpy(rq + rq_len, d, 4 * n);
	rq_len += 4 * n;
	rq_open = !last;
	if (last)
		rq_tlp();
}

/* ---- CQ ---- */
static struct {
	bool used;
	uint32_t tag10, attr; /* of the host's header: tag bits, first dword */
	uint8_t desc[16], be;
} np[256];
static unsigned np_credit;
static const unsigned aperture[8] = { 16, 12, 24, 12, 16, 12, 12, 12 };
static uint64_t bar_base[8];

/* Descriptor and payload of a request; false when it never reaches the user. */
static bool cq_packet(const struct tlp *t, uint8_t *p, unsigned *len, bool *is_np)
{
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
			tag = tb_below(256);
		while (np[tag].used);
	}
	if (code != 12) {
		addr = bar_base[t->bar] | (addr & ((1ull << aperture[t->bar]) - 1));
		tb_bits_set(p, 0, 64, (addr & ~3ull) | (t->hdr[0] >> 10 & 3));
	} else {
		tb_bits_set(p, 0, 64, tb_rand());
	}
	tb_bits_set(p, 64, 11, code == 12 && !data ? 0 : tlp_dwords(t));
	tb_bits_set(p, 75, 4, code);
	tb_bits_set(p, 80, 16, t->hdr[1] >> 16);
	tb_bits_set(p, 96, 8, *is_np ? tag : t->hdr[1] >> 8 & 0xff);
	tb_bits_set(p, 104, 8, 0);
	tb_bits_set(p, 112, 3, t->bar);
	tb_bits_set(p, 115, 6, aperture[t->bar]);
	tb_bits_set(p, 121, 3, t->hdr[0] >> 20 & 7);
	tb_bits_set(p, 124, 3, (t->hdr[0] >> 18 & 1) << 2 | (t->hdr[0] >> 12 & 3));
	memcpy(p + 16, t->data, t->len);
	*len = 16 + t->len;
	if (*is_np) {
		np[tag].used = true;
		np[tag].tag10 = (t->hdr[0] & (1u << 23 | 1u << 19)) | (t->hdr[1] >> 8 & 0xff);
		np[tag].attr = t->hdr[0];
		memcpy(np[tag].desc, p, 16);
		np[tag].be = (uint8_t)t->hdr[1];
	}
	return true;
}

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
static struct lane cq, rcl;
static unsigned shared[2]; /* beats with more than one start or end: RC, CQ */

static void note_shared(unsigned which, unsigned starts, unsigned ends)
{
	if ((starts > 1 || ends > 1) && ++shared[which] == 100)
		tb_note("100 beats of %s with more than one TLP", which ? "CQ" : "RC");
}
static struct packet cqp, rcp;

static bool cq_next(void)
{
	for (;;) {
		struct tlp *t = block_request(np_credit > 0);
		bool is_np;

		if (!t)
			return false;
		cqp.pos = 0;
		cqp.open = cq_packet(t, cqp.p, &cqp.len, &is_np);
		cqp.fbe = t->hdr[1] & 15;
		cqp.lbe = t->hdr[1] >> 4 & 15;
		if (is_np)
			np_credit--;
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

static void cq_beat(void)
{
	unsigned dw = 0, sops = 0, eops = 0;

	if (!cqp.open && (tb_chance(cfg->gap_req / 2) || !cq_next()))
		return;
	tb_rand_bytes(cq.d, 64);
	memset(cq.u, 0, sizeof(cq.u));
	tb_bits_set(cq.u, 119, 64, tb_rand());
	cq.valid = true;
	for (;;) {
		if (!cqp.pos) {
			tb_bits_set(cq.u, 4 * sops, 4, cqp.fbe);
			tb_bits_set(cq.u, 8 + 4 * sops, 4, cqp.lbe);
			tb_bits_set(cq.u, 80 + sops, 1, 1);
			tb_bits_set(cq.u, 82 + 2 * sops, 2, dw / 4);
			sops++;
		}
		dw = place(&cqp, cq.d, dw);
		if (cqp.open)
			break;
		tb_bits_set(cq.u, 86 + eops, 1, 1);
		tb_bits_set(cq.u, 88 + 4 * eops, 4, dw - 1);
		eops++;
		/* another one begins in the same beat, in the upper half */
		if (!straddle || dw > 8 || sops + eops > 3 || !cq_next())
			break;
		dw = 8;
	}
	note_shared(1, sops, eops);
}

/* ---- CC ---- */
static void cc_packet(const uint8_t *d, unsigned keep, bool last, const uint8_t *u)
{
	unsigned n = 0, tag = bits(d, 64, 8), status = bits(d, 43, 3), dwords = bits(d, 32, 11);
	struct tlp *t;

	while (n < 16 && keep >> n & 1)
		n++;
	tb_check(last && n >= 3 && keep == (1u << n) - 1, "CC: tkeep %04x, last %d", keep, last);
	tb_check(bits(u, 0, 2) == 1 && bits(u, 6, 2) == 1 && !bits(u, 2, 4) && bits(u, 8, 4) == n - 1 && !bits(u, 16, 1), "CC: side band");
	tb_check(n == (status ? 8 : 3 + dwords), "CC: %u dwords of packet, %u of data, status %u", n, dwords, status);
	tb_check(!bits(d, 7, 1) && !bits(d, 10, 6) && !bits(d, 30, 2) && !bits(d, 46, 2) && !bits(d, 80, 9) && !bits(d, 95, 1),
		 "CC: a bit that is not the client's is set");
	if (!np[tag].used) {
		tb_fail("CC: nobody waits for tag %u", tag);
		return;
	}
	tb_check(bits(d, 29, 1) == (bits(np[tag].desc, 75, 4) == 7), "CC: locked");
	if (status) {
		tb_check(!memcmp(d + 16, np[tag].desc, 16), "CC: a refusal of another request");
		tb_check(d[12] == np[tag].be, "CC: byte enables %02x, not %02x", d[12], np[tag].be);
		tb_check(!dwords, "CC: a refusal with data");
	}
	t = tlp_new();
	t->hdr[0] = (dwords ? 0x4a000000u : 0x0a000000u) | bits(d, 29, 1) << 24 | bits(d, 89, 3) << 20 | bits(d, 94, 1) << 18 |
		    bits(d, 92, 2) << 12 | bits(d, 8, 2) << 10 | (np[tag].tag10 & (1u << 23 | 1u << 19)) | (dwords & 0x3ff);
	t->hdr[1] = (uint32_t)(cfg->bdf & 0xff00) << 16 | bits(d, 72, 8) << 16 | status << 13 | bits(d, 16, 12);
	t->hdr[2] = bits(d, 48, 16) << 16 | (np[tag].tag10 & 0xff) << 8 | bits(d, 0, 7);
	t->len = 4 * dwords;
	memcpy(t->data, d + 12, t->len);
	if (status || bits(d, 16, 13) + (bits(d, 0, 2)) <= 4 * dwords)
		np[tag].used = false;
	tlp_push(&card_cpl, t);
}

/* ---- RC ---- */
static unsigned timed_out(void)
{
	for (unsigned i = 0; i < 256; i++)
		if (split[i].used && tb_cycle() - split[i].since > TIMEOUT)
			return i;
	return 256;
}

static bool rc_next(void)
{
	struct tlp *t = NULL;
	unsigned tag, dwords, code = 0, status, lost = timed_out();
	uint32_t bc;
	bool done = true;

	if (lost == 256 && !(t = block_completion()))
		return false;
	memset(rcp.p, 0, 16);
	rcp.pos = 0;
	rcp.open = true;
	rcp.discontinue = false;
	if (lost < 256) {
		split[lost].used = false;
		tb_bits_set(rcp.p, 12, 4, 9);
		tb_bits_set(rcp.p, 30, 1, 1);
		tb_bits_set(rcp.p, 48, 16, cfg->bdf);
		tb_bits_set(rcp.p, 64, 8, lost);
		rcp.len = 12;
		return true;
	}
	dwords = tlp_has_data(t) ? tlp_dwords(t) : 0;
	tag = t->hdr[2] >> 8 & 0xff;
	status = t->hdr[1] >> 13 & 7;
	bc = t->hdr[1] & 0xfff ? t->hdr[1] & 0xfff : 4096;
	if (!split[tag].used || (t->hdr[0] >> 24 & 0x1f) != 0x0a) {
		code = 6;
	} else if (t->hdr[2] >> 16 != cfg->bdf) {
		code = 4;
	} else if (status) {
		code = 2;
		split[tag].used = false;
	} else {
		unsigned lead = t->hdr[2] & 3, n = 4 * dwords - lead;

		done = bc <= n;
		if (t->hdr[0] >> 14 & 1)
			code = 1;
		split[tag].next += done ? bc : n;
		split[tag].used = !done;
		split[tag].since = tb_cycle();
	}
	tb_bits_set(rcp.p, 0, 12, code == 0 || code == 1 ? (t->hdr[2] & 0x7f) | (uint32_t)tb_below(32) << 7 : t->hdr[2] & 0x7f);
	tb_bits_set(rcp.p, 12, 4, code);
	tb_bits_set(rcp.p, 16, 13, bc);
	tb_bits_set(rcp.p, 30, 1, done);
	tb_bits_set(rcp.p, 32, 11, dwords);
	tb_bits_set(rcp.p, 43, 3, status);
	tb_bits_set(rcp.p, 46, 1, code == 1);
	tb_bits_set(rcp.p, 48, 16, t->hdr[2] >> 16);
	tb_bits_set(rcp.p, 64, 8, tag);
	tb_bits_set(rcp.p, 72, 16, t->hdr[1] >> 16);
	tb_bits_set(rcp.p, 89, 3, t->hdr[0] >> 20 & 7);
	tb_bits_set(rcp.p, 92, 3, (t->hdr[0] >> 18 & 1) << 2 | (t->hdr[0] >> 12 & 3));
	memcpy(rcp.p + 12, t->data, t->len);
	rcp.len = 12 + t->len;
	/* the read fails as it would by poison, after the core's own time */
	if (code == 1 && tb_chance(30))
		rcp.discontinue = true;
	free(t);
	return true;
}

static void rc_beat(void)
{
	unsigned dw = 0, sops = 0, eops = 0;

	if ((rcp.open && tb_chance(cfg->gap_cpl / 4)) || (!rcp.open && !rc_next()))
		return;
	tb_rand_bytes(rcl.d, 64);
	memset(rcl.u, 0, sizeof(rcl.u));
	tb_bits_set(rcl.u, 0, 64, tb_rand());
	tb_bits_set(rcl.u, 97, 64, tb_rand());
	rcl.valid = true;
	for (;;) {
		if (!rcp.pos) {
			tb_bits_set(rcl.u, 64 + sops, 1, 1);
			tb_bits_set(rcl.u, 68 + 2 * sops, 2, dw / 4);
			sops++;
		}
		dw = place(&rcp, rcl.d, dw);
		if (rcp.open)
			break;
		tb_bits_set(rcl.u, 76 + eops, 1, 1);
		tb_bits_set(rcl.u, 80 + 4 * eops, 4, dw - 1);
		eops++;
		dw = (dw + 3) & ~3u;
		/* one bit for the beat: nothing else ends in it */
		if (rcp.discontinue) {
			tb_bits_set(rcl.u, 96, 1, 1);
			break;
		}
		if (!straddle || dw >= 16 || (host_cpl.n && host_cpl.head->hdr[0] >> 14 & 1) || !rc_next())
			break;
	}
	note_shared(0, sops, eops);
}

/* ---- the cycle ---- */
static bool rq_ready, cc_ready;
static uint64_t np_ready_at;
static bool cc_wait;
static uint8_t cc_held[64 + 3 + 12];

void us_sample(int b, int rq_keep, const svBitVecVal *rq_d, const svBitVecVal *rq_u, int cc_keep, const svBitVecVal *cc_d,
	       const svBitVecVal *cc_u)
{
	bool rq_v = b >> 2 & 1, cc_v = b >> 4 & 1;
	uint8_t now[sizeof(rq_held)] = { 0 }, cnow[sizeof(cc_held)] = { 0 };

	memcpy(now, rq_d, 64);
	memcpy(now + 64, rq_u, 18);
	now[82] = (uint8_t)rq_keep, now[83] = (uint8_t)(rq_keep >> 8), now[84] = b >> 3 & 1;
	memcpy(cnow, cc_d, 64);
	memcpy(cnow + 64, cc_u, 11);
	cnow[76] = (uint8_t)cc_keep, cnow[77] = (uint8_t)(cc_keep >> 8), cnow[78] = b >> 5 & 1;
	if (!started)
		return;
	if (rcl.valid && (b & 1))
		rcl.valid = false;
	if (cq.valid && (b >> 1 & 1))
		cq.valid = false;
	tb_check(!rq_wait || (rq_v && !memcmp(now, rq_held, sizeof(now))), "RQ: changed while it waited");
	tb_check(!rq_open || rq_v, "RQ: tvalid falls inside a packet");
	tb_check(!cc_wait || (cc_v && !memcmp(cnow, cc_held, sizeof(cnow))), "CC: changed while it waited");
	rq_wait = rq_v && !rq_ready;
	cc_wait = cc_v && !cc_ready;
	memcpy(rq_held, now, sizeof(now));
	memcpy(cc_held, cnow, sizeof(cnow));
	if (rq_v && rq_ready)
		rq_beat(now, (unsigned)rq_keep, b >> 3 & 1, now + 64);
	if (cc_v && cc_ready)
		cc_packet(cnow, (unsigned)cc_keep, b >> 5 & 1, cnow + 64);
	np_credit += (unsigned)b >> 8 & 3;
	tb_check(np_credit <= 32, "CQ: %u credits for non-posted requests", np_credit);
	if (b >> 6 & 1) {
		tb_check(rc_in.flr_req, "FLR: done without a reset");
		memset(split, 0, sizeof(split));
	}
	block_sample(b >> 6 & 1);
}

static unsigned reads_inside(void)
{
	unsigned n = 0;

	for (struct tlp *t = card_req.head; t; t = t->next)
		n += !tlp_has_data(t);
	return n;
}

void us_drive(int *b, int *c, svBitVecVal *rc_d, svBitVecVal *rc_u, svBitVecVal *cq_d, svBitVecVal *cq_u)
{
	static unsigned credit[3]; /* two cycles behind */
	unsigned used = 0, seq[2] = { 0, 0 }, av;

	if (!started) {
		started = true;
		straddle = tb_opt("straddle", tb_opt("seed", 1) & 1);
		for (int i = 0; i < 8; i++)
			bar_base[i] = (tb_rand() << aperture[i]) & (i == 0 || i == 4 ? 0xffffffffull : ~0ull);
	}
	block_drive();
	if (rc_in.tx_rd_ready)
		np_ready_at = tb_cycle();
	credit[2] = credit[1];
	credit[1] = credit[0];
	av = reads_inside();
	credit[0] = cfg->stall_rd >= 100 || tb_cycle() - np_ready_at > 40 || av >= READS ? 0 : READS - av;
	if (!rcl.valid)
		rc_beat();
	if (!cq.valid)
		cq_beat();
	rq_ready = card_req.n < RQ_TLPS && !tb_chance(cfg->stall_wr / 4);
	cc_ready = card_cpl.n < 4 && !tb_chance(cfg->stall_cpl / 4);
	while (used < 2 && echo_n && echo[echo_first].due <= tb_cycle()) {
		seq[used++] = echo[echo_first].seq;
		echo_first = (echo_first + 1) % 256;
		echo_n--;
	}
	*b = (int)(rcl.valid | cq.valid << 1 | rq_ready << 2 | cc_ready << 3 | (cfg->stall_rd >= 100 ? 0 : credit[2]) << 4 | (used > 0) << 8 |
		   (used > 1) << 9 | seq[0] << 10 | seq[1] << 16 | rc_in.cfg_bme << 22 | rc_in.cfg_rcb << 23 | rc_in.cfg_ext_tag << 24 |
		   rc_in.cfg_msix_en << 25 | rc_in.cfg_msix_mask << 26 | rc_in.flr_req << 27);
	*c = cfg->bdf >> 8 | (rc_in.cfg_mps > 3 ? 3 : rc_in.cfg_mps) << 8 | rc_in.cfg_mrrs << 10;
	memcpy(rc_d, rcl.d, 64);
	memcpy(rc_u, rcl.u, 24);
	memcpy(cq_d, cq.d, 64);
	memcpy(cq_u, cq.u, 24);
}
