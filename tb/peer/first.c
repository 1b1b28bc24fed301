/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The peer and the card shake hands: opened from either side, Write, Read and Send both ways, closed from either side. The
 * judge listens and must find nothing. Options: those of the lockstep harness, FW=image.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../sim/peer/card.h"

static struct lockstep *ls;
static struct peer *p;
static struct card *k;
#define S 1000000000u

static void pattern(uint8_t *b, size_t n, unsigned int seed)
{
	for (size_t i = 0; i < n; i++)
		b[i] = (uint8_t)(i * 31 + (i >> 8) + seed);
}

static struct pc *opened(struct card_qp *q, bool card_connects)
{
	struct mpa_frame m = { .rev = 2, .crc = true, .enhanced = true, .ird = 4, .ord = 4 };
	struct mpa_frame r;
	uint8_t e[64];
	struct pc *c;

	if (card_connects) {
		c = pc_listen(p, 5000, NULL);
		card_connect(q, 41000, 5000, NULL);
		LS_CHECK(ls, pc_wait_open(c) && pc_mpa_read(c, &r) && !r.reply && r.rev == 2 && r.enhanced);
		m.reply = true;
		pc_mpa(c, &m);
		LS_CHECK(ls, card_event(k, WEFT_EQE_TYPE_CM_CONNECT_REPLY, e, 5ull * S) && LS_GET(e, WEFT_EQE_CODE) == WEFT_CM_STATUS_OK);
	} else {
		uint32_t h;

		c = pc_connect(p, 42000, 4420, NULL);
		LS_CHECK(ls, c->state == PC_OPEN);
		pc_mpa(c, &m);
		h = card_request(k, e, 5ull * S);
		LS_CHECK(ls, h && !card_accept(q, h, NULL));
		LS_CHECK(ls, pc_mpa_read(c, &r) && r.reply && !r.reject);
	}
	pc_fpdus(c, true, false, false);
	return c;
}

static bool served(void *arg)
{
	const struct peer_serve *s = arg;

	return s->sends || s->terminated || s->fault[0];
}
static bool responded(void *arg) { const struct peer_serve *s = arg; return s->responses || s->fault[0]; }

static void traffic(struct pc *c, struct card_qp *q)
{
	struct card_mr *m = card_mr(k, 65536, CARD_PD, CARD_ALL);
	struct peer_mr *r = peer_mr(p, 65536);
	struct peer_serve *s = pc_serve(c);
	static uint8_t b[20000];
	struct card_wc wc;

	/* From the peer: Write, Send, Read. */
	pattern(b, sizeof(b), 1);
	pc_rdma_write(c, m->stag, m->to + 3, b, 5001);
	card_recv(q, m, 10000, 4000);
	pc_send(c, OP_SEND_SE, 0, b, 3001);
	LS_CHECK(ls, card_wc(q, true, &wc, S) && !wc.status && wc.bytes == 3001 && wc.solicited);
	LS_CHECK(ls, !memcmp(m->p + 3, b, 5001) && !memcmp(m->p + 10000, b, 3001));
	pattern(m->p + 20000, 9000, 2);
	pc_read_request(c, r->stag, r->to + 5, 9000, m->stag, m->to + 20000);
	LS_CHECK(ls, peer_until(p, responded, s, S) && !s->fault[0] && !memcmp(r->p + 5, m->p + 20000, 9000));
	/* From the card. */
	pattern(m->p, 7000, 3);
	card_send(q, WEFT_SQ_OPCODE_WRITE, m, 0, 7000, r->stag, r->to + 20000, false);
	card_send(q, WEFT_SQ_OPCODE_SEND, m, 1, 6000, 0, 0, true);
	LS_CHECK(ls, card_wc(q, false, &wc, S) && !wc.status);
	LS_CHECK(ls, card_wc(q, false, &wc, S) && !wc.status);
	LS_CHECK(ls, served(s) && !s->fault[0] && s->last_send.op == OP_SEND_SE && s->last_send.n == 6000);
	LS_CHECK(ls, !memcmp(s->last_send.bytes, m->p + 1, 6000) && !memcmp(r->p + 20000, m->p, 7000));
	pattern(r->p + 30000, 8000, 4);
	card_send(q, WEFT_SQ_OPCODE_READ, m, 40000, 8000, r->stag, r->to + 30000, false);
	LS_CHECK(ls, card_wc(q, false, &wc, S) && !wc.status && !memcmp(m->p + 40000, r->p + 30000, 8000));
}

int main(int argc, char **argv)
{
	struct ls_options o = ls_defaults(argc, argv);
	struct peer_options po = { .pcap = getenv("PCAP"), .wire = o.wire };
	const char *first;

	o.wire = NULL;
	ls = ls_new(&o);
	k = card_new(ls, getenv("FW") ? getenv("FW") : "build/firmware/weft-fw.bin", 1500);
	p = peer_new(ls, &po);
	card_peer(k, p);
	card_listen(k, 4420);
	for (unsigned int i = 0; i < 2; i++) {
		struct card_qp *q = card_qp(k, CARD_PD, CARD_ALL, 4, 4);
		struct pc *c = opened(q, i);
		uint8_t e[64];

		if (!i) /* the initiator's first FPDU is ours */
			pc_rdma_write(c, 0, 0, NULL, 0);
		traffic(c, q);
		if (!i) {
			card_disconnect(q);
			LS_CHECK(ls, pc_wait_close(c, S));
			pc_fin(c);
		} else {
			pc_fin(c);
			LS_CHECK(ls, pc_wait_close(c, S));
		}
		LS_CHECK(ls, card_event(k, WEFT_EQE_TYPE_CM_CLOSE, e, 5ull * S) && LS_GET(e, WEFT_EQE_CODE) == WEFT_CM_STATUS_OK);
		LS_CHECK(ls, pc_drain(c) && !c->reset_in);
		card_qp_destroy(q);
		printf("ok peer/first %s\n", i ? "card connects, peer closes" : "peer connects, card closes");
	}
	if (peer_findings(p, &first))
		printf("not ok peer/judge: %s\n", first);
	else
		printf("ok peer/judge nothing found\n");
	peer_free(p);
	ls_free(ls);
	return 0;
}
