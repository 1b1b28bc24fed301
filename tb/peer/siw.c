// SPDX-License-Identifier: BSD-2-Clause
/*
 * Replays recorded iWARP traffic (software RNICs, one on each side) to a card with firmware: what each end of a recorded connection sent
 * behind its MPA set-up goes to a connection of its own, opened from the side that opened the recorded one, with the segment boundaries
 * of the recording, which cut FPDUs now and then. What the card does is compared with a plain reading of the stream: memory, receive
 * completions, Reads both ways, Terminates. The judge listens and must find nothing.
 *
 * siw CAPTURE [--seed N] [--adversary ...]; FW: the image
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../sim/peer/card.h"

#define MAX_STREAMS 128
#define MAX_REGIONS 16
#define MAX_MESSAGES 64
#define MTU 9000
#define MOST 8900 /* bytes of a segment */
#define FLIGHT 30000
#define READS 4
#define RECV_BYTES 8192
#define S 1000000000u

struct stream {
	uint8_t sa[4], da[4];
	uint16_t sp, dp;
	uint8_t *d;
	uint32_t isn, len, cap, base; /* base: first byte behind MPA set-up */
	uint32_t *cut;		      /* ends of the recorded segments */
	unsigned ncut;
	int other;
	bool crc, request; /* request: it opened the connection */
};
static struct stream streams[MAX_STREAMS];
static unsigned nstreams;

/* A region of the card that the stream names, and what it has to hold in the end. */
struct region {
	uint32_t stag;
	uint64_t from, to;
	struct card_mr *mr;
	uint8_t *want;
};
struct request { uint32_t sink, size, src; uint64_t sink_to, src_to; };

/* What a stream does to its receiver, read as one with unlimited memory would. */
struct plan {
	uint32_t end; /* bytes of whole FPDUs */
	struct region region[MAX_REGIONS];
	unsigned regions;
	struct { uint32_t bytes; uint8_t op; uint8_t *want; } recv[MAX_MESSAGES];
	unsigned recvs;
	struct request in[MAX_MESSAGES];   /* Reads of the stream */
	unsigned ins;
	struct request out[MAX_MESSAGES];  /* Reads that it answers, and where the answer begins */
	uint32_t out_at[MAX_MESSAGES];
	unsigned outs, answered;
	bool terminated;
	uint32_t term_at; /* where the Terminate begins */
	unsigned fpdus;
};

static struct lockstep *ls;
static struct peer *p;
static struct card *k;
static unsigned total_fpdus, total_bytes, total_streams;

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
		fprintf(stderr, "%s: no capture\n", path);
		exit(1);
	}
	while (fread(h, 1, 16, f) == 16) {
		uint32_t n;

		memcpy(&n, h + 8, 4);

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
			s->request = s->d[9] == 'q';
		}
	}
}

static struct request request(const uint8_t *w)
{
	return (struct request){ .sink = be32(w), .sink_to = be64(w + 4), .size = be32(w + 12), .src = be32(w + 16), .src_to = be64(w + 20) };
}

/* Bytes [to, to + n) of a region are named. */
static void names(struct plan *q, uint32_t stag, uint64_t to, uint32_t n)
{
	struct region *r = q->region;

	if (!n)
		return;
	while (r < q->region + q->regions && r->stag != stag)
		r++;
	LS_CHECK(ls, r < q->region + MAX_REGIONS);
	if (r == q->region + q->regions) {
		q->regions++;
		*r = (struct region){ .stag = stag, .from = to, .to = to + n };
	}
	if (to < r->from)
		r->from = to;
	if (to + n > r->to)
		r->to = to + n;
}

static struct region *region(struct plan *q, uint32_t stag)
{
	for (unsigned i = 0; i < q->regions; i++)
		if (q->region[i].stag == stag)
			return &q->region[i];
	ls_fail(ls, "the recording has no region %08x", stag);
}

/* The ULPDU at offset o of a stream's FPDUs; 0: there is no whole one. */
static const uint8_t *ulpdu(const struct stream *s, uint32_t o, uint32_t *n, uint32_t *next)
{
	const uint8_t *d = s->d + s->base;
	uint32_t left = s->len - s->base - o;

	if (left < 8)
		return NULL;
	*n = be16(d + o);
	*next = o + (*n + 5) / 4 * 4 + 4;
	return *n < 14 || *next - o > left ? NULL : d + o + 2;
}

/* The other end's Read Requests, in their order, are what this one answers. */
static void requests(struct plan *q, const struct stream *s)
{
	const uint8_t *u;
	uint32_t n, next;

	for (uint32_t o = 0; (u = ulpdu(s, o, &n, &next)); o = next)
		if ((u[1] & 15) == OP_READ_REQ && q->outs < MAX_MESSAGES)
			q->out[q->outs++] = request(u + 18);
}

static void plan(struct plan *q, const struct stream *s)
{
	uint32_t n, next, mo = 0, asked = 0;
	bool inside = false;
	const uint8_t *u;

	for (uint32_t o = 0; !q->terminated && (u = ulpdu(s, o, &n, &next)); o = next) {
		uint32_t hl = u[0] & 0x80 ? 14 : 18, len = n - hl;
		bool last = u[0] & 0x40;

		q->fpdus++;
		q->end = next;
		switch (u[1] & 15) {
		case OP_READ_RSP:
			if (!inside) {
				LS_CHECK(ls, asked < q->outs);
				q->out_at[asked++] = o;
			}
			inside = !last;
			q->answered += last;
			/* fall through */
		case OP_WRITE:
			names(q, be32(u + 2), be64(u + 6), len);
			break;
		case OP_READ_REQ:
			LS_CHECK(ls, q->ins < MAX_MESSAGES);
			q->in[q->ins] = request(u + 18);
			names(q, q->in[q->ins].src, q->in[q->ins].src_to, q->in[q->ins].size);
			q->ins++;
			break;
		case OP_SEND: case OP_SEND_INV: case OP_SEND_SE: case OP_SEND_SE_INV:
			LS_CHECK(ls, q->recvs < MAX_MESSAGES && mo + len <= RECV_BYTES);
			if (!mo)
				q->recv[q->recvs].want = malloc(RECV_BYTES);
			memcpy(q->recv[q->recvs].want + mo, u + hl, len);
			mo += len;
			if (last) {
				q->recv[q->recvs].bytes = mo;
				q->recv[q->recvs++].op = u[1] & 15;
				mo = 0;
			}
			break;
		case OP_TERMINATE:
			q->terminated = true;
			q->term_at = o;
			break;
		default:
			ls_fail(ls, "the recording holds opcode %u", u[1] & 15);
		}
	}
	q->outs = asked;
}

/* Regions at the recorded STags and addresses, filled with bytes that are nobody's, and what is to stand there in the end. */
static void make_regions(struct plan *q, const struct stream *s)
{
	uint32_t n, next;
	const uint8_t *u;

	for (unsigned i = 0; i < q->regions; i++) {
		struct region *r = &q->region[i];
		uint64_t before = r->from & 4095, bytes = before + (r->to - r->from);

		r->mr = card_mr(k, bytes, CARD_PD, CARD_ALL);
		card_mr_set(k, r->mr, WEFT_TPT_STATE_FREE);
		r->mr->stag = r->stag;
		r->mr->to = r->from - before;
		card_mr_set(k, r->mr, WEFT_TPT_STATE_VALID);
		for (uint64_t b = 0; b < bytes; b++)
			r->mr->p[b] = (uint8_t)ls_random(ls);
		r->want = malloc(bytes);
		memcpy(r->want, r->mr->p, bytes);
	}
	for (uint32_t o = 0; o < q->end && (u = ulpdu(s, o, &n, &next)); o = next)
		if (u[0] & 0x80 && n > 14) {
			struct region *r = region(q, be32(u + 2));

			memcpy(r->want + (be64(u + 6) - r->mr->to), u + 14, n - 14);
		}
}

static struct pc *opened(struct card_qp *q, const struct stream *s, bool crc, uint16_t port)
{
	struct mpa_frame m = { .rev = 2, .crc = crc, .enhanced = true, .ird = READS, .ord = READS }, r;
	struct card_cm a = { .no_crc = !crc };
	struct pc_attr t = pc_defaults();
	uint8_t e[64];
	struct pc *c;

	t.mss = MTU - 40;
	if (s->request) {
		uint32_t h;

		c = pc_connect(p, port, 4420, &t);
		LS_CHECK(ls, c->state == PC_OPEN);
		pc_mpa(c, &m);
		h = card_request(k, e, 5ull * S);
		LS_CHECK(ls, h && !card_accept(q, h, &a));
		LS_CHECK(ls, pc_mpa_read(c, &r) && r.reply && !r.reject);
	} else {
		c = pc_listen(p, port, &t);
		card_connect(q, port, port, &a);
		LS_CHECK(ls, pc_wait_open(c) && pc_mpa_read(c, &r) && !r.reply);
		m.reply = true;
		pc_mpa(c, &m);
		LS_CHECK(ls, card_event(k, WEFT_EQE_TYPE_CM_CONNECT_REPLY, e, 5ull * S) && LS_GET(e, WEFT_EQE_CODE) == WEFT_CM_STATUS_OK);
	}
	LS_CHECK(ls, r.crc == crc);
	pc_fpdus(c, crc, false, false);
	return c;
}

struct wait { struct pc *c; struct peer_serve *s; unsigned reads, responses; uint64_t flight; };
static bool asked(void *arg) { const struct wait *w = arg; return w->s->reads >= w->reads || w->s->fault[0]; }
static bool answered(void *arg) { const struct wait *w = arg; return w->s->responses >= w->responses || w->s->fault[0]; }
static bool room(void *arg) { const struct wait *w = arg; return w->c->nxt - w->c->una <= w->flight; }

static void replay(const struct stream *s, uint16_t port)
{
	bool crc = s->crc || (s->other >= 0 && streams[s->other].crc);
	struct card_qp *q = card_qp(k, CARD_PD, CARD_ALL, READS, READS);
	struct card_mr *buffers = card_mr(k, MAX_MESSAGES * RECV_BYTES, CARD_PD, CARD_ALL);
	struct pc *c;
	struct peer_serve *v;
	struct wait w;
	struct card_wc wc;
	uint64_t base;
	uint8_t e[64];
	static struct plan pl;
	unsigned out = 0;

	memset(&pl, 0, sizeof(pl));
	if (s->other >= 0 && streams[s->other].base)
		requests(&pl, &streams[s->other]);
	plan(&pl, s);
	make_regions(&pl, s);
	c = opened(q, s, crc, port);
	v = pc_serve(c);
	v->stall = true; /* the recording answers */
	w = (struct wait){ .c = c, .s = v };
	for (unsigned i = 0; i < pl.ins; i++) { /* where the card's answers go */
		struct peer_mr *m = peer_mr(p, pl.in[i].size ? pl.in[i].size : 1);

		m->stag = pl.in[i].sink;
		m->to = pl.in[i].sink_to;
	}
	for (unsigned i = 0; i < pl.recvs; i++)
		card_recv(q, buffers, i * RECV_BYTES, RECV_BYTES);
	base = c->out_len;
	c->hold = true;
	for (uint32_t at = 0, i = 0; at < pl.end;) {
		uint32_t to;

		while (s->cut[i] <= s->base + at)
			i++;
		to = s->cut[i] - s->base;
		to = to > pl.end ? pl.end : to;
		to = to - at > MOST ? at + MOST : to;
		for (; out < pl.outs && pl.out_at[out] < to; out++) {
			const struct request *r = &pl.out[out];
			struct region *d = r->size ? region(&pl, r->sink) : NULL;

			card_send(q, WEFT_SQ_OPCODE_READ, d ? d->mr : NULL, d ? r->sink_to - d->mr->to : 0, r->size, r->src, r->src_to, false);
			w.reads = out + 1;
			LS_CHECK(ls, peer_until(p, asked, &w, 5ull * S) && !v->fault[0]);
			LS_CHECK(ls, v->queue[out].sink == (d ? r->sink : v->queue[out].sink) && v->queue[out].size == r->size &&
				     v->queue[out].src == r->src && v->queue[out].src_to == r->src_to);
		}
		if (pl.terminated && to > pl.term_at) { /* what is not answered when it comes is flushed */
			w.responses = pl.ins;
			LS_CHECK(ls, peer_until(p, answered, &w, 5ull * S) && !v->fault[0]);
		}
		pc_write(c, s->d + s->base + at, to - at); /* no more: an ACK sends what is there */
		pc_segment(c, base + at, base + to, T_PSH);
		w.flight = FLIGHT;
		LS_CHECK(ls, peer_until(p, room, &w, 20ull * S));
		at = to;
	}
	LS_CHECK(ls, pc_drain(c));
	w.responses = pl.ins;
	LS_CHECK(ls, peer_until(p, answered, &w, 5ull * S) && !v->fault[0]);
	for (unsigned i = 0; i < pl.recvs; i++) {
		LS_CHECK(ls, card_wc(q, true, &wc, 5ull * S));
		if (wc.status && card_event(k, WEFT_EQE_TYPE_QP_ERROR, e, S))
			printf("# QP_ERROR code %u data %x\n", (unsigned)LS_GET(e, WEFT_EQE_CODE), (unsigned)LS_GET(e, WEFT_EQE_DATA0));
		if (wc.status || wc.bytes != pl.recv[i].bytes || wc.index != i ||
		    wc.solicited != (pl.recv[i].op == OP_SEND_SE || pl.recv[i].op == OP_SEND_SE_INV))
			ls_fail(ls, "receive %u of opcode %u, %u bytes: completion of %u with status %u, %u bytes, solicited %u", i, pl.recv[i].op,
				pl.recv[i].bytes, wc.index, wc.status, wc.bytes, wc.solicited);
		LS_CHECK(ls, !memcmp(buffers->p + i * RECV_BYTES, pl.recv[i].want, pl.recv[i].bytes));
		free(pl.recv[i].want);
	}
	for (unsigned i = 0; i < pl.answered; i++)
		LS_CHECK(ls, card_wc(q, false, &wc, 5ull * S) && !wc.status);
	if (pl.terminated)
		LS_CHECK(ls, card_event(k, WEFT_EQE_TYPE_QP_ERROR, e, 5ull * S) && LS_GET(e, WEFT_EQE_CODE) == WEFT_QP_EVENT_TERMINATE_RECEIVED);
	/* Writes that nothing came behind may be on their way from a receive ring. */
	peer_run(p, 50000);
	for (unsigned i = 0; i < pl.regions; i++) {
		struct region *r = &pl.region[i];

		if (memcmp(r->mr->p, r->want, r->mr->bytes))
			ls_fail(ls, "region %08x is not as the recording leaves it", r->stag);
		card_mr_set(k, r->mr, WEFT_TPT_STATE_FREE);
		free(r->want);
	}
	if (!pl.terminated)
		card_abort(q);
	card_qp_destroy(q);
	total_fpdus += pl.fpdus;
	total_bytes += pl.end;
	total_streams++;
}

int main(int argc, char **argv)
{
	struct peer_options po = { .pcap = getenv("PCAP") };
	struct ls_options o;
	const char *first;

	if (argc < 2)
		return 2;
	read_pcap(argv[1]);
	o = ls_defaults(argc - 1, argv + 1);
	ls = ls_new(&o);
	k = card_new(ls, getenv("FW") ? getenv("FW") : "build/firmware/weft-fw.bin", MTU);
	p = peer_new(ls, &po);
	card_peer(k, p);
	card_listen(k, 4420);
	for (unsigned i = 0; i < nstreams; i++)
		if (streams[i].base && streams[i].len > streams[i].base)
			replay(&streams[i], (uint16_t)(43000 + i));
	LS_CHECK(ls, total_fpdus);
	if (peer_findings(p, &first))
		ls_fail(ls, "the judge: %s", first);
	printf("ok peer/siw %u streams, %u bytes, %u FPDUs\n", total_streams, total_bytes, total_fpdus);
	peer_free(p);
	ls_free(ls);
	return 0;
}
