// SPDX-License-Identifier: BSD-2-Clause
/*
 * Replays recorded iWARP traffic (software RNICs, one on each side): both directions of each TCP connection are fed to a
 * queue pair with the segment boundaries of the recording, and what the engine does is compared with a plain reading of the
 * stream. The recorded sender splits FPDUs over segments now and then; the engine asks again, and the peer then resends from
 * there in whole FPDUs.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ports.h"
#include "tb.h"
#include "weft_abi.h"

#define NQP 16
#define MAX_STREAMS 128
#define RING 256
#define BUF_BYTES (1u << 20)

struct stream {
	uint8_t sa[4], da[4];
	uint16_t sp, dp;
	uint8_t *d;
	uint32_t isn, len, cap, base; /* base: first byte behind MPA set-up */
	uint32_t *cut;		      /* ends of the recorded segments */
	unsigned ncut;
	int other;
	bool crc, taken;
};
static struct stream streams[MAX_STREAMS];
static unsigned nstreams;

struct chunk {
	uint64_t addr;
	uint32_t len;
	const uint8_t *d;
};
struct run {
	struct stream *s;
	bool on, loaded, terminated, got_term;
	uint32_t end, una, nxt, iss;
	uint32_t *fp; /* ends of FPDUs, offsets from base */
	unsigned nfp;
	struct chunk *c;
	unsigned nc, atc;
	uint32_t atb;
	struct { uint32_t bytes; uint8_t op; } *recv;
	unsigned nrecv, atrecv, posted;
	uint8_t (*irq)[28];
	unsigned nirq, atirq;
	uint8_t (*orq)[28];
	unsigned norq, orqs, rddone, nresp;
	uint64_t progress;
};
static struct run runs[NQP];
static unsigned next_stream, total_fpdus, total_streams, total_bytes, asked;
static bool idle;

static unsigned be16(const uint8_t *p) { return (unsigned)(p[0] << 8 | p[1]); }
static uint32_t be32(const uint8_t *p) { return (uint32_t)be16(p) << 16 | be16(p + 2); }
static uint64_t be64(const uint8_t *p) { return (uint64_t)be32(p) << 32 | be32(p + 4); }

static void segment(const uint8_t *ip, uint32_t len)
{
	const uint8_t *tcp = ip + (ip[0] & 15) * 4;
	uint32_t hl = (tcp[12] >> 4) * 4u, n = len - (uint32_t)(tcp - ip) - hl, seq = be32(tcp + 4), off;
	struct stream *s = NULL;

	for (unsigned i = nstreams; i-- && !s;) {
		struct stream *t = &streams[i];

		if (!memcmp(t->sa, ip + 12, 4) && !memcmp(t->da, ip + 16, 4) && t->sp == be16(tcp) && t->dp == be16(tcp + 2))
			s = t;
	}
	if (tcp[13] & 2) {
		if (nstreams == MAX_STREAMS)
			return;
		s = &streams[nstreams++];
		memcpy(s->sa, ip + 12, 4);
		memcpy(s->da, ip + 16, 4);
		s->sp = (uint16_t)be16(tcp);
		s->dp = (uint16_t)be16(tcp + 2);
		s->isn = seq + 1;
		s->other = -1;
		return;
	}
	if (!s || !n)
		return;
	off = seq - s->isn;
	if (off > s->len || off + n <= s->len)
		return; /* a gap ends what can be used; repeats add nothing */
	if (off + n > s->cap) {
		s->cap = (off + n) * 2;
		s->d = realloc(s->d, s->cap);
	}
	memcpy(s->d + off, tcp + hl, n);
	s->len = off + n;
	s->cut = realloc(s->cut, (s->ncut + 1) * sizeof(*s->cut));
	s->cut[s->ncut++] = s->len;
}

static void read_pcap(const char *path)
{
	uint8_t h[24], p[65536];
	FILE *f = fopen(path, "rb");

	if (!f || fread(h, 1, 24, f) != 24 || memcmp(h, "\xd4\xc3\xb2\xa1", 4)) {
		tb_fail("no pcap file %s", path);
		return;
	}
	while (fread(h, 1, 16, f) == 16) {
		uint32_t n = (uint32_t)tb_bits_get(h, 64, 32);

		if (n > sizeof(p) || fread(p, 1, n, f) != n)
			break;
		if (n >= 54 && be16(p + 12) == 0x0800 && p[14 + 9] == 6)
			segment(p + 14, be16(p + 16));
	}
	fclose(f);
	for (unsigned i = 0; i < nstreams; i++) {
		struct stream *s = &streams[i];

		for (unsigned k = 0; k < nstreams; k++)
			if (streams[k].sp == s->dp && streams[k].dp == s->sp &&
			    (s->other < 0 || abs((int)(k - i)) < abs(s->other - (int)i)))
				s->other = (int)k;
		if (s->len >= 20 && (!memcmp(s->d, "MPA ID Req Frame", 16) || !memcmp(s->d, "MPA ID Rep Frame", 16))) {
			s->base = 20 + be16(s->d + 18);
			s->crc = s->d[16] & 0x40;
		}
	}
}

static void add_chunk(struct run *r, uint64_t addr, const uint8_t *d, uint32_t n)
{
	if (!n)
		return;
	r->c = realloc(r->c, (r->nc + 1) * sizeof(*r->c));
	r->c[r->nc++] = (struct chunk){ addr & 0xffffffffffffff, n, d };
}

/* Read the whole stream as a receiver with unlimited memory would. */
static void plan(struct run *r, bool mine)
{
	const uint8_t *d = r->s->d + r->s->base;
	uint32_t n = r->s->len - r->s->base, o = 0, mo = 0;

	while (o + 8 <= n && !r->terminated) {
		uint32_t ul = be16(d + o), fl = (ul + 5) / 4 * 4 + 4, op, hl;
		const uint8_t *u = d + o + 2;

		if (o + fl > n || ul < 14)
			break;
		op = u[1] & 15;
		hl = u[0] & 0x80 ? 14 : 18;
		if (!mine) { /* only the Read Requests of the other side */
			if (op == 1) {
				r->orq = realloc(r->orq, (r->norq + 1) * 28);
				memcpy(r->orq[r->norq++], u + 18, 28);
			}
			o += fl;
			continue;
		}
		switch (op) {
		case 0: case 2:
			add_chunk(r, be64(u + 6), u + hl, ul - hl);
			r->nresp += op == 2 && (u[0] & 0x40);
			break;
		case 1:
			r->irq = realloc(r->irq, (r->nirq + 1) * 28);
			memcpy(r->irq[r->nirq++], u + 18, 28);
			break;
		case 3: case 4: case 5: case 6:
			add_chunk(r, (uint64_t)BUF_BYTES * (r->nrecv % RING) + mo, u + hl, ul - hl);
			mo += ul - hl;
			if (u[0] & 0x40) {
				r->recv = realloc(r->recv, (r->nrecv + 1) * sizeof(*r->recv));
				r->recv[r->nrecv].bytes = mo;
				r->recv[r->nrecv++].op = (uint8_t)op;
				mo = 0;
			}
			break;
		case 7: r->terminated = true; break;
		default: tb_fail("the recording holds opcode %u", op); return;
		}
		o += fl;
		r->fp = realloc(r->fp, (r->nfp + 1) * sizeof(*r->fp));
		r->fp[r->nfp++] = o;
		total_fpdus++;
	}
	if (mine)
		r->end = o;
}

static void start(unsigned n)
{
	struct run *r = &runs[n];
	uint8_t c[64] = { 0 };
	struct run o = { 0 };

	free(r->fp), free(r->c), free(r->recv), free(r->irq), free(r->orq);
	memset(r, 0, sizeof(*r));
	while (next_stream < nstreams && (!streams[next_stream].base || streams[next_stream].len <= streams[next_stream].base))
		next_stream++;
	if (next_stream == nstreams)
		return;
	r->s = &streams[next_stream++];
	plan(r, true);
	if (r->s->other >= 0 && streams[r->s->other].base) {
		o.s = &streams[r->s->other];
		plan(&o, false);
		r->orq = o.orq;
		r->norq = o.norq;
	}
	total_streams++;
	total_bytes += r->end;
	r->on = true;
	r->iss = r->s->isn + r->s->base;
	r->progress = tb_cycle();
	tb_bits_set(c, WEFT_CTX_RX_RQ_BASE_LSB, 64, (uint64_t)n << 56);
	tb_bits_set(c, WEFT_CTX_RX_RQ_LOG2_LSB, 4, 8);
	tb_bits_set(c, WEFT_CTX_RX_CRC_LSB, 1, r->s->crc || (r->s->other >= 0 && streams[r->s->other].crc));
	tb_bits_set(c, WEFT_CTX_RX_IRD_LSB, 8, 255);
	tb_bits_set(c, WEFT_CTX_RX_RCV_NXT_LSB, 32, r->iss);
	tb_bits_set(c, WEFT_CTX_RX_ACCESS_LSB, 8, 0xff);
	tb_bits_set(c, WEFT_CTX_RX_SEND_MSN_LSB, 32, 1);
	tb_bits_set(c, WEFT_CTX_RX_READ_MSN_LSB, 32, 1);
	tb_cfg_ctx(WEFT_ROOM_RX, n, c);
	tb_bits_set(c, WEFT_CTX_RX_STATE_LSB, 2, WEFT_QP_STATE_RTS);
	tb_cfg_ctx(WEFT_ROOM_RX, n, c);
}

static void on_ctx(int port, const uint8_t *b, void *arg)
{
	if (tb_bits_get(b, 16 + WEFT_CTX_RX_STATE_LSB, 2) == WEFT_QP_STATE_RTS)
		runs[tb_bits_get(b, 0, 16) % NQP].loaded = true;
}

static void on_xlate(int port, const uint8_t *b, void *arg)
{
	unsigned qpn = (unsigned)tb_bits_get(b, 1, 16), len = (unsigned)tb_bits_get(b, 49, 16);
	uint64_t to = tb_bits_get(b, 65, 64) & 0xffffffffffffff;

	do { /* every STag is valid; pages of 4 KiB at their own addresses */
		unsigned n = 4096 - to % 4096;
		struct tb_pack p;

		if (n > len)
			n = len;
		len -= n;
		tb_pack_begin(&p, 85);
		tb_put(&p, 64, (uint64_t)qpn << 56 | to);
		tb_put(&p, 16, n);
		tb_put(&p, 1, len == 0);
		tb_put(&p, 4, 0);
		tb_item_push(P_XR, p.bits, 11);
		to += n;
	} while (len);
}

static void on_rd_req(int port, const uint8_t *b, void *arg)
{
	uint64_t addr = tb_bits_get(b, 0, 64), buf;
	unsigned n = (unsigned)(addr >> 56) % NQP, slot = (unsigned)(addr / 64 % RING);
	unsigned index = runs[n].posted - 1 - (runs[n].posted - 1 - slot) % RING;
	uint32_t len = BUF_BYTES;
	uint8_t w[64] = { 1 };

	buf = (uint64_t)BUF_BYTES * slot;
	w[WEFT_RQE_INDEX_OFF] = (uint8_t)index;
	w[WEFT_RQE_INDEX_OFF + 1] = (uint8_t)(index >> 8);
	memcpy(w + WEFT_RQE_LENGTH_OFF, &len, 4);
	memcpy(w + 16, &buf, 8);
	memcpy(w + 24, &len, 4);
	tb_packet_push(P_RR, w, 64, NULL, 0, false);
}

static void on_write(int port, const uint8_t *d, size_t n, const uint8_t *side, bool err, void *arg)
{
	uint64_t addr = tb_bits_get(side, 0, 64);
	struct run *r = &runs[(addr >> 56) % NQP];
	struct chunk *c;

	addr &= 0xffffffffffffff;
	if (!r->on || r->atc == r->nc) {
		tb_fail("write too many at %#llx", (unsigned long long)addr);
		return;
	}
	c = &r->c[r->atc];
	tb_check(addr == c->addr + r->atb && n <= c->len - r->atb && !memcmp(d, c->d + r->atb, n),
		 "write of %zu at %#llx, want %#llx of %u", n, (unsigned long long)addr, (unsigned long long)(c->addr + r->atb),
		 c->len);
	r->atb += (uint32_t)n;
	if (r->atb == c->len)
		r->atc++, r->atb = 0;
}

static void on_commit(int port, const uint8_t *b, void *arg)
{
	struct run *r = &runs[tb_bits_get(b, 34, 16) % NQP];
	uint32_t off = (uint32_t)tb_bits_get(b, 2, 32) - r->iss;

	tb_check(off > r->una && off <= r->end, "commit of %u of %u", off, r->end);
	r->una = off;
	if (r->nxt < off)
		r->nxt = off;
	r->progress = tb_cycle();
}

static void on_ackreq(int port, const uint8_t *b, void *arg)
{
	struct run *r = &runs[tb_bits_get(b, 0, 16) % NQP];

	asked++;
	r->nxt = r->una; /* the peer resends from there */
}

static void on_cqe(int port, const uint8_t *b, void *arg)
{
	struct run *r = &runs[tb_bits_get(b, 129, 16) % NQP];
	unsigned op, bytes = (unsigned)tb_bits_get(b, 65, 32);

	if (r->atrecv == r->nrecv) {
		tb_fail("receive too many");
		return;
	}
	op = r->recv[r->atrecv].op;
	tb_check(bytes == r->recv[r->atrecv].bytes && tb_bits_get(b, 113, 8) == WEFT_WC_STATUS_SUCCESS &&
			 tb_bits_get(b, 0, 1) == (op >= 5) && tb_bits_get(b, 97, 16) == (r->atrecv & 0xffff),
		 "receive %u: %u bytes of %u", r->atrecv, bytes, r->recv[r->atrecv].bytes);
	r->atrecv++;
}

static void on_irq(int port, const uint8_t *b, void *arg)
{
	unsigned n = (unsigned)tb_bits_get(b, 224, 16) % NQP;
	struct run *r = &runs[n];
	uint16_t q = (uint16_t)n;
	const uint8_t *w;

	if (r->atirq == r->nirq) {
		tb_fail("inbound read too many");
		return;
	}
	w = r->irq[r->atirq++];
	tb_check(tb_bits_get(b, 192, 32) == be32(w) && tb_bits_get(b, 128, 64) == be64(w + 4) &&
			 tb_bits_get(b, 96, 32) == be32(w + 12) && tb_bits_get(b, 64, 32) == be32(w + 16) &&
			 tb_bits_get(b, 0, 64) == be64(w + 20),
		 "inbound read %u", r->atirq - 1);
	tb_item_push(P_FREE, &q, 2);
}

static void on_rd_done(int port, const uint8_t *b, void *arg) { runs[tb_bits_get(b, 0, 16) % NQP].rddone++; }

static void on_event(int port, const uint8_t *b, void *arg)
{
	struct run *r = &runs[tb_bits_get(b, 32, 32) % NQP];

	tb_check(b[0] == WEFT_FW_EV_RX_TERMINATE && r->terminated && !r->got_term, "event %u code %02x%02x at %u of %u", b[0], b[3],
		 b[2], (uint32_t)tb_bits_get(b, 64, 32) - r->iss, r->end);
	r->got_term = true;
}

static void on_idle(int port, const uint8_t *b, void *arg) { idle = b[0] & 1; }

void tb_setup(void)
{
	read_pcap(tb_optstr("pcap", "siw-crc.pcap"));
	tb_on_item(P_XQ, on_xlate, NULL);
	tb_on_item(P_RQ, on_rd_req, NULL);
	tb_on_packet(P_WR, on_write, NULL);
	tb_on_item(P_COMMIT, on_commit, NULL);
	tb_on_item(P_ACKREQ, on_ackreq, NULL);
	tb_on_item(P_CQE, on_cqe, NULL);
	tb_on_item(P_IRQ, on_irq, NULL);
	tb_on_item(P_RDDONE, on_rd_done, NULL);
	tb_on_item(P_EV, on_event, NULL);
	tb_on_item(P_CTX, on_ctx, NULL);
	tb_on_item(P_IDLE, on_idle, NULL);
	for (int i = P_SEG; i <= P_EV; i++)
		if (i != P_DB && i != P_FREE && i != P_ORQ) {
			tb_src_rate(i, tb_chance(50) ? 100 : 70);
			tb_snk_rate(i, tb_chance(50) ? 100 : 70);
		}
}

static void send_some(struct run *r, unsigned n)
{
	uint32_t base = r->s->base, off = r->nxt, end = 0, len;
	struct tb_pack p;

	/* the recorded boundary, or after a request to resend the end of the FPDU */
	for (unsigned i = 0; i < r->s->ncut && !end; i++)
		if (r->s->cut[i] > base + off)
			end = r->s->cut[i] - base;
	if (off == r->una)
		for (unsigned i = 0; i < r->nfp; i++)
			if (r->fp[i] > off) {
				if (r->fp[i] > end)
					end = r->fp[i];
				break;
			}
	len = end - off;
	if (len > 9000)
		len = 9000;
	tb_pack_begin(&p, 65);
	tb_put(&p, 16, n);
	tb_put(&p, 32, r->iss + off);
	tb_put(&p, 16, len);
	tb_put(&p, 1, 0);
	tb_item_push(P_SEG, p.bits, 9);
	tb_packet_push(P_PAY, r->s->d + base + off, len, NULL, 0, false);
	r->nxt += len;
}

bool tb_step(void)
{
	bool over = true;

	if (tb_cycle() < 100)
		return false;
	for (unsigned n = 0; n < NQP; n++) {
		struct run *r = &runs[n];

		if (!r->on) {
			if (next_stream < nstreams)
				start(n);
			over &= next_stream == nstreams && !r->on;
			continue;
		}
		over = false;
		if (!r->loaded)
			continue;
		if (r->posted < r->nrecv && r->posted < r->atrecv + RING / 2) {
			uint32_t v = n << 16 | (uint16_t)++r->posted;

			tb_item_push(P_DB, &v, 4);
			continue;
		}
		while (r->orqs < r->norq && r->orqs < r->rddone + 16) {
			struct tb_pack p;
			uint8_t *w = r->orq[r->orqs++];

			tb_pack_begin(&p, 144);
			tb_put(&p, 16, n);
			tb_put(&p, 32, be32(w));
			tb_put(&p, 64, be64(w + 4));
			tb_put(&p, 32, be32(w + 12));
			tb_item_push(P_ORQ, p.bits, 18);
		}
		if (tb_pending(P_DB) || tb_pending(P_ORQ))
			continue;
		if (tb_cycle() - r->progress > 3000) {
			r->nxt = r->una;
			r->progress = tb_cycle();
		}
		if (r->nxt < r->end && r->nxt - r->una < 30000 && tb_pending(P_PAY) < 3)
			send_some(r, n);
		if (r->una == r->end && r->atc == r->nc && r->atrecv == r->nrecv && r->atirq == r->nirq && r->rddone == r->nresp &&
		    r->got_term == r->terminated)
			r->on = false;
	}
	return over && idle;
}

void tb_finish(void)
{
	for (unsigned n = 0; n < NQP; n++)
		tb_check(!runs[n].on, "QP %u: %u of %u bytes, %u of %u chunks, receives %u/%u, reads %u/%u, responses %u/%u", n,
			 runs[n].una, runs[n].end, runs[n].atc, runs[n].nc, runs[n].atrecv, runs[n].nrecv, runs[n].atirq,
			 runs[n].nirq, runs[n].rddone, runs[n].nresp);
	tb_check(total_fpdus, "nothing to replay");
	tb_note("%u streams, %u bytes, %u FPDUs, %u times asked to resend", total_streams, total_bytes, total_fpdus, asked);
}
