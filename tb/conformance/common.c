/* SPDX-License-Identifier: BSD-2-Clause */
/* What the cases share. */
#include "conf.h"

void w16(uint8_t *b, uint32_t v) { b[0] = (uint8_t)(v >> 8); b[1] = (uint8_t)v; }
void w32(uint8_t *b, uint32_t v) { w16(b, v >> 16); w16(b + 2, v & 0xffff); }
void w64(uint8_t *b, uint64_t v) { w32(b, (uint32_t)(v >> 32)); w32(b + 4, (uint32_t)v); }
uint32_t r16(const uint8_t *b) { return (uint32_t)b[0] << 8 | b[1]; }
uint32_t r32(const uint8_t *b) { return r16(b) << 16 | r16(b + 2); }
uint64_t r64(const uint8_t *b) { return (uint64_t)r32(b) << 32 | r32(b + 4); }

void fill(uint8_t *b, size_t n, unsigned int seed)
{
	for (size_t i = 0; i < n; i++)
		b[i] = (uint8_t)(i * 13 + (i >> 8) * 7 + seed * 101);
}

bool same(const uint8_t *b, size_t n, unsigned int seed)
{
	for (size_t i = 0; i < n; i++)
		if (b[i] != (uint8_t)(i * 13 + (i >> 8) * 7 + seed * 101))
			return false;
	return true;
}

unsigned int term_code(const uint8_t *t) { return r16(t); }

struct link up(const struct how *h)
{
	static const struct how usual;
	static uint16_t port = 40000;
	struct link l = { 0 };
	struct card_cm cm = { .no_crc = false };
	uint8_t *e = l.event;

	if (!h)
		h = &usual;
	cm.rev = h->rev;
	cm.no_crc = h->no_crc_card;
	cm.p2p = h->p2p_card;
	l.q = h->qp ? h->qp : card_qp(k, CARD_PD, h->access ? h->access : CARD_ALL, h->ird ? h->ird : 4, h->ord ? h->ord : 4);
	l.m = card_mr(k, 65536, CARD_PD, h->mr_access ? h->mr_access : CARD_ALL);
	port++;
	if (h->active) {
		l.c = pc_listen(p, port, h->tcp);
		card_connect(l.q, (uint16_t)(port + 10000), port, &cm);
		NEED(pc_wait_open(l.c), "no SYN of the card, or no answer to SYN-ACK");
		NEED(pc_mpa_read(l.c, &l.req) && !l.req.reply, "no MPA request");
		l.rep = (struct mpa_frame){ .reply = true, .rev = l.req.rev, .crc = !h->no_crc_peer, .markers = h->markers, .enhanced = l.req.enhanced,
					    .ird = l.req.ord, .ord = l.req.ird };
		l.rep.ird &= 0x3fff;
		l.rep.ord &= 0x3fff;
		if (l.req.enhanced && l.req.ird & 0x8000) {
			l.rep.ird |= 0x8000 | (l.req.ird & 0x4000);
			l.rep.ord |= l.req.ord & 0xc000;
		}
		pc_mpa(l.c, &l.rep);
		NEED(card_event(k, WEFT_EQE_TYPE_CM_CONNECT_REPLY, e, 5 * S), "no event for the reply");
		NEED(LS_GET(e, WEFT_EQE_CODE) == WEFT_CM_STATUS_OK, "connect: status %u", (unsigned int)LS_GET(e, WEFT_EQE_CODE));
	} else {
		uint32_t handle;

		l.c = pc_connect(p, port, PORT, h->tcp);
		NEED(l.c->state == PC_OPEN, "no SYN-ACK");
		l.req = (struct mpa_frame){ .rev = (uint8_t)(h->rev ? h->rev : 2), .crc = !h->no_crc_peer, .markers = h->markers, .enhanced = h->rev != 1,
					    .ird = 16, .ord = 16 };
		pc_mpa(l.c, &l.req);
		handle = card_request(k, e, 5 * S);
		NEED(handle, "no connect request");
		NEED(!card_accept(l.q, handle, &cm), "accept fails");
		NEED(pc_mpa_read(l.c, &l.rep) && l.rep.reply, "no MPA reply");
		NEED(!l.rep.reject, "rejected");
	}
	pc_fpdus(l.c, l.req.crc || l.rep.crc, h->markers, h->active ? l.rep.markers : l.req.markers);
	l.c->tx_markers = h->active ? l.req.markers : l.rep.markers;
	if (!h->active && !h->no_first)
		pc_rdma_write(l.c, 0, 0, NULL, 0); /* lifts the responder's hold */
	return l;
}

struct peer_serve *serve(struct link *l) { return pc_serve(l->c); }

void want_terminate(struct link *l, unsigned int code, unsigned int header)
{
	static struct fpdu f;
	uint8_t e[64];
	unsigned int got, flags;

	do
		NEED(pc_next(l->c, &f, 2 * S), "no Terminate%s%s%s", l->c->bad ? ", but an FPDU with a wrong " : "", l->c->bad ? l->c->bad : "",
		     l->c->reset_in ? ", but a reset" : "");
	while (f.op != OP_TERMINATE);
	got = term_code(f.data);
	NEED(got == code, "Terminate %x/%x/%02x, not %x/%x/%02x", got >> 12, got >> 8 & 15, got & 255, code >> 12, code >> 8 & 15, code & 255);
	flags = f.data[2] >> 5;
	NEED(flags == (header == 0 ? 0 : header == 46 ? 7 : 6) && f.len == 4 + (header ? 2 + header : 0), "Terminate 0x%04x: M, D, R are %u, %u bytes", code,
	     flags, f.len);
	NEED(pc_wait_close(l->c, 2 * S) && !l->c->reset_in, "no FIN behind the Terminate");
	pc_fin(l->c);
	NEED(card_event(k, WEFT_EQE_TYPE_QP_ERROR, e, 2 * S) && LS_GET(e, WEFT_EQE_CODE) == WEFT_QP_EVENT_TERMINATE_SENT, "no event for the Terminate");
	NEED((LS_GET(e, WEFT_EQE_DATA0) >> 16) == code, "the event says 0x%04x", (unsigned int)(LS_GET(e, WEFT_EQE_DATA0) >> 16));
	NEED(card_event(k, WEFT_EQE_TYPE_CM_CLOSE, e, 5 * S), "the connection does not end");
}

struct wait_bytes { const uint8_t *b; size_t n; unsigned int seed; };
static bool arrived(void *arg)
{
	const struct wait_bytes *w = arg;

	return same(w->b, w->n, w->seed);
}

void alive(struct link *l)
{
	uint8_t b[777];
	struct wait_bytes w = { l->m->p + 64000, sizeof(b), 200 };

	fill(b, sizeof(b), 200);
	memset(l->m->p + 64000, 0, sizeof(b));
	pc_rdma_write(l->c, l->m->stag, l->m->to + 64000, b, sizeof(b));
	NEED(peer_until(p, arrived, &w, 5 * S), "a Write does not land any more");
}

static bool answered(void *arg)
{
	const unsigned int *a = arg;

	return a[0] >= a[1];
}

/* Counters of the serving side reach a number. */
static void until(struct link *l, unsigned int *counter, unsigned int wanted, const char *what)
{
	struct { unsigned int *c; unsigned int n; } w = { counter, wanted };
	struct peer_serve *s = l->c->serve;
	uint64_t end = peer_now(p) + 60 * S;

	while (*w.c < w.n) {
		unsigned int a[2] = { *w.c, w.n };

		(void)a;
		NEED(!s->fault[0], "%s", s->fault);
		NEED(!s->terminated, "Terminate 0x%04x", term_code(s->term));
		NEED(l->c->state == PC_OPEN, "the connection is gone (%s)", what);
		NEED(peer_now(p) < end, "%s: %u of %u", what, *w.c, w.n);
		peer_until(p, answered, a, 50000);
	}
}

void traffic(struct link *l, unsigned int rounds, uint32_t most)
{
	struct peer_serve *s = serve(l);
	struct peer_mr *r = peer_mr(p, 65536);
	static uint8_t b[65536];
	struct card_wc wc;

	for (unsigned int i = 1; i <= rounds; i++) {
		uint32_t n = 1 + (uint32_t)(ls_random(ls) % most), off = (uint32_t)(ls_random(ls) % 64);
		uint32_t sent = s->sends, got = s->responses;

		/* The peer writes, sends, reads it back. */
		fill(b, n, i);
		pc_rdma_write(l->c, l->m->stag, l->m->to + off, b, n);
		card_recv(l->q, l->m, 20000, 20000);
		pc_send(l->c, OP_SEND, 0, b, n);
		NEED(card_wc(l->q, true, &wc, 60 * S), "round %u: no completion of a receive of %u bytes", i, n);
		NEED(!wc.status && wc.bytes == n, "round %u: receive of %u bytes: status %u, %u bytes", i, n, wc.status, wc.bytes);
		NEED(same(l->m->p + 20000, n, i), "round %u: Send arrived with other bytes", i);
		NEED(same(l->m->p + off, n, i), "round %u: the Write before it is not there", i);
		pc_read_request(l->c, r->stag, r->to + 7, n, l->m->stag, l->m->to + off);
		until(l, &s->responses, got + 1, "Read Response");
		NEED(same(r->p + 7, n, i), "round %u: Read Response with other bytes", i);
		/* The card does. */
		fill(l->m->p + 40000, n, i + 50);
		card_send(l->q, WEFT_SQ_OPCODE_WRITE, l->m, 40000, n, r->stag, r->to + 20000, false);
		card_send(l->q, WEFT_SQ_OPCODE_SEND, l->m, 40000, n, 0, 0, false);
		until(l, &s->sends, sent + 1, "Send of the card");
		NEED(s->last_send.n == n && same(s->last_send.bytes, n, i + 50), "round %u: Send of the card with other bytes", i);
		NEED(same(r->p + 20000, n, i + 50), "round %u: Write of the card with other bytes", i);
		fill(r->p + 40000, n, i + 70);
		memset(l->m->p, 0, n);
		card_send(l->q, WEFT_SQ_OPCODE_READ, l->m, 0, n, r->stag, r->to + 40000, false);
		for (unsigned int w = 0; w < 3; w++)
			NEED(card_wc(l->q, false, &wc, 60 * S) && !wc.status, "round %u: completion %u of the card: status %u", i, w, wc.status);
		NEED(same(l->m->p, n, i + 70), "round %u: Read of the card with other bytes", i);
		NEED(!s->fault[0], "round %u: %s", i, s->fault);
	}
}
