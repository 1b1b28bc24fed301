/* SPDX-License-Identifier: BSD-2-Clause */
/* Cases 1 to 20: MPA. Cases 47 to 49: enhanced MPA. */
#include "conf.h"

static struct pc *open_tcp(void)
{
	static uint16_t port = 30000;
	struct pc *c = pc_connect(p, port++, PORT, NULL);

	NEED(c->state == PC_OPEN, "no SYN-ACK");
	return c;
}

/* The card gives the connection up; no request reaches the host. */
static void want_refused(struct pc *c, uint64_t ns)
{
	uint8_t e[64];

	NEED(pc_wait_close(c, ns), "the card does not close");
	NEED(!card_event(k, WEFT_EQE_TYPE_CM_CONNECT_REQUEST, e, 10 * MS), "the host was asked all the same");
}

/* 1: private data of every size, both directions, both roles. */
static void private_data(unsigned int arg)
{
	unsigned int n = arg & 0xfff, rev = arg >> 12 & 3;
	bool active = arg >> 16;
	struct mpa_frame m = { .rev = (uint8_t)rev, .crc = true, .enhanced = rev == 2, .ird = 4, .ord = 4, .pd_len = n }, r;
	struct card_qp *q = card_qp(k, CARD_PD, CARD_ALL, 4, 4);
	struct card_cm cm = { .rev = rev, .pd = m.pd, .pd_len = n };
	uint8_t e[64], got[512];
	struct pc *c;
	uint32_t h;

	fill(m.pd, n, 5);
	if (active) {
		c = pc_listen(p, 5000, NULL);
		card_connect(q, 41000, 5000, &cm);
		NEED(pc_wait_open(c) && pc_mpa_read(c, &r) && !r.reply && r.rev == rev, "no request");
		NEED(r.pd_len == n && same(r.pd, n, 5), "%u bytes of private data, not %u", r.pd_len, n);
		m.reply = true;
		pc_mpa(c, &m);
		NEED(card_event(k, WEFT_EQE_TYPE_CM_CONNECT_REPLY, e, 2 * S) && !LS_GET(e, WEFT_EQE_CODE), "no connection");
		h = q->handle;
	} else {
		c = open_tcp();
		pc_mpa(c, &m);
		h = card_request(k, e, 2 * S);
		NEED(h, "no request");
	}
	NEED(LS_GET(e, WEFT_EQE_PD_BYTES) == n, "the event says %u bytes", (unsigned int)LS_GET(e, WEFT_EQE_PD_BYTES));
	NEED(!n || (!card_query(k, h, got) && same(got, n, 5)), "the private data are others");
	if (!active) {
		NEED(!card_accept(q, h, &cm), "accept fails");
		NEED(pc_mpa_read(c, &r) && r.reply && r.rev == rev && r.pd_len == n && same(r.pd, n, 5), "reply with %u bytes, not %u", r.pd_len, n);
	}
}

/* 2: PD_Length */
static void pd_length(unsigned int arg)
{
	struct mpa_frame m = { .rev = 1, .crc = true, .pd_len = 8 };
	struct pc *c = open_tcp();
	uint8_t b[640], e[64];
	unsigned int n;

	switch (arg) {
	case 0: /* 513 */
		m.pd_len = 513;
		pc_mpa(c, &m);
		want_refused(c, 15 * S);
		break;
	case 1: /* more than comes */
		n = mpa_bytes(&m, b);
		pc_write(c, b, n - 3);
		pc_fin(c);
		want_refused(c, 15 * S);
		break;
	case 2: /* less than comes: what is behind is no FPDU that the card could take */
		m.length = 4;
		pc_mpa(c, &m);
		n = card_request(k, e, 2 * S);
		NEED(!n || LS_GET(e, WEFT_EQE_PD_BYTES) == 4, "not 4 bytes");
		break;
	default: /* S without room for the four bytes */
		m.rev = 2;
		m.enhanced = true;
		m.pd_len = 0;
		m.length = 3;
		pc_mpa(c, &m);
		want_refused(c, 15 * S);
	}
}

/* 3: keys */
static void keys(unsigned int arg)
{
	struct mpa_frame m = { .rev = 1, .crc = true }, r;
	struct card_qp *q;
	uint8_t e[64];
	struct pc *c;

	switch (arg) {
	case 0:
		c = open_tcp();
		m.key = "MPA ID Rex Frame";
		pc_mpa(c, &m);
		want_refused(c, 2 * S);
		return;
	case 1: /* a reply to who waits for a request */
		c = open_tcp();
		m.reply = true;
		pc_mpa(c, &m);
		want_refused(c, 2 * S);
		return;
	case 2: /* silence */
		c = open_tcp();
		want_refused(c, 120 * S);
		return;
	default: /* a request to who waits for a reply; a wrong key */
		q = card_qp(k, CARD_PD, CARD_ALL, 4, 4);
		c = pc_listen(p, 5000, NULL);
		card_connect(q, 41000, 5000, NULL);
		NEED(pc_wait_open(c) && pc_mpa_read(c, &r), "no request");
		m.key = arg == 3 ? "MPA ID Req Frame" : "MPA ID Rep Frbme";
		pc_mpa(c, &m);
		NEED(pc_wait_close(c, 2 * S), "the card does not close");
		NEED(card_event(k, WEFT_EQE_TYPE_CM_CONNECT_REPLY, e, 2 * S) && LS_GET(e, WEFT_EQE_CODE) == WEFT_CM_STATUS_PROTOCOL, "the host is not told");
	}
}

/* 4, 5: revisions, reserved bits */
static void revision(unsigned int arg)
{
	struct mpa_frame m = { .rev = (uint8_t)(arg & 255), .crc = true, .more_flags = arg >> 8 & 0x1f };
	struct pc *c = open_tcp();
	uint8_t e[64];

	pc_mpa(c, &m);
	if (m.rev == 1 || m.rev == 2)
		NEED(card_request(k, e, 2 * S), "no request");
	else
		want_refused(c, 2 * S);
}

/* 6: R */
static void rejected(unsigned int arg)
{
	struct mpa_frame m = { .rev = 2, .enhanced = true, .ird = 1, .ord = 1, .crc = true, .pd_len = 9 }, r;
	struct card_qp *q;
	uint8_t e[64], got[512];
	struct pc *c;
	uint32_t h;

	fill(m.pd, 9, 6);
	if (arg == 0) {
		q = card_qp(k, CARD_PD, CARD_ALL, 4, 4);
		c = pc_listen(p, 5000, NULL);
		card_connect(q, 41000, 5000, NULL);
		NEED(pc_wait_open(c) && pc_mpa_read(c, &r), "no request");
		m.reply = m.reject = true;
		pc_mpa(c, &m);
		NEED(card_event(k, WEFT_EQE_TYPE_CM_CONNECT_REPLY, e, 2 * S) && LS_GET(e, WEFT_EQE_CODE) == WEFT_CM_STATUS_REJECTED, "the host is not told");
		NEED(LS_GET(e, WEFT_EQE_PD_BYTES) == 9 && !card_query(k, q->handle, got) && same(got, 9, 6), "private data of the rejection");
		peer_run(p, S);
		NEED(!c->reset_in, "the card resets");
	} else {
		c = open_tcp();
		pc_mpa(c, &m);
		h = card_request(k, e, 2 * S);
		NEED(h && !card_reject(k, h, m.pd, 9), "reject fails");
		NEED(pc_mpa_read(c, &r) && r.reply && r.reject && r.pd_len == 9 && same(r.pd, 9, 6), "no reply with R and private data");
		peer_run(p, S);
		NEED(!c->reset_in, "the card resets");
	}
}

/* 7: a responder waits for the initiator's first FPDU. */
static void holds(unsigned int arg)
{
	struct how h = { .no_first = true };
	struct link l = up(&h);
	struct peer_mr *r = peer_mr(p, 4096);
	struct card_wc wc;

	(void)arg;
	fill(l.m->p, 100, 1);
	card_send(l.q, WEFT_SQ_OPCODE_WRITE, l.m, 0, 100, r->stag, r->to, false);
	peer_run(p, 100 * MS);
	NEED(l.c->in_pos == l.c->in_len, "the card sent before");
	serve(&l);
	pc_rdma_write(l.c, 0, 0, NULL, 0);
	NEED(card_wc(l.q, false, &wc, S) && !wc.status && same(r->p, 100, 1), "the Write that waited does not come");
}

/* 8: the request cut in every way */
static void pieces(unsigned int arg)
{
	struct mpa_frame m = { .rev = 2, .enhanced = true, .ird = 4, .ord = 4, .crc = true, .pd_len = 30 }, r;
	struct card_qp *q = card_qp(k, CARD_PD, CARD_ALL, 4, 4);
	struct card_mr *mr = card_mr(k, 4096, CARD_PD, CARD_ALL);
	struct pc *c = open_tcp();
	uint8_t b[900], e[64], d[100];
	unsigned int n = mpa_bytes(&m, b);
	uint32_t h;

	if (arg == 0) {
		c->cut = 1;
		pc_write(c, b, n);
	} else {
		size_t k2 = ddp_tagged(d, OP_WRITE, true, mr->stag, mr->to);

		memset(d + k2, 0x5a, 40);
		n += (unsigned int)fpdu_bytes(b + n, d, k2 + 40, true, false, 0, NULL);
		pc_write(c, b, n);
	}
	h = card_request(k, e, 5 * S);
	if (arg == 1 && !h) {
		NEED(pc_wait_close(c, S), "neither a request nor a close");
		return;
	}
	NEED(h, "no request");
	NEED(!card_accept(q, h, NULL) && pc_mpa_read(c, &r) && r.reply, "no reply");
	pc_fpdus(c, true, false, false);
	if (arg == 1) { /* it comes again until it is taken */
		peer_run(p, 5 * S);
		NEED(c->state == PC_RESET || mr->p[39] == 0x5a, "neither taken nor refused");
	}
}

/* 9: M and C of both sides */
static void m_and_c(unsigned int arg)
{
	struct how h = { .active = arg & 1, .markers = arg & 2, .no_crc_peer = arg & 4, .no_crc_card = arg & 8 };
	struct link l = up(&h);
	struct mpa_frame *card = h.active ? &l.req : &l.rep;

	NEED(!card->markers, "the card asks for markers");
	NEED(h.active ? card->crc == !h.no_crc_card : card->crc == (!h.no_crc_card || !h.no_crc_peer), "C of the card is %u", card->crc);
	traffic(&l, 2, 4000);
}

/* 10: FPDU right behind the reply */
static void behind_reply(unsigned int arg)
{
	struct mpa_frame m = { .reply = true, .rev = 2, .enhanced = true, .ird = 4, .ord = 4, .crc = true }, r;
	struct card_qp *q = card_qp(k, CARD_PD, CARD_ALL, 4, 4);
	struct card_mr *mr = card_mr(k, 4096, CARD_PD, CARD_ALL);
	struct pc *c = pc_listen(p, 5000, NULL);
	uint8_t b[900], d[100], e[64];
	unsigned int n;
	size_t h;

	card_connect(q, 41000, 5000, NULL);
	NEED(pc_wait_open(c) && pc_mpa_read(c, &r), "no request");
	n = mpa_bytes(&m, b);
	h = ddp_tagged(d, OP_WRITE, true, mr->stag, mr->to);
	memset(d + h, 0x5a, 40);
	if (arg) {
		pc_write(c, b, n);
		n = 0;
	}
	n += (unsigned int)fpdu_bytes(b + n, d, h + 40, true, false, 0, NULL);
	pc_write(c, b, n);
	NEED(card_event(k, WEFT_EQE_TYPE_CM_CONNECT_REPLY, e, 2 * S) && !LS_GET(e, WEFT_EQE_CODE), "no connection");
	peer_run(p, 3 * S);
	NEED(mr->p[0] == 0x5a && mr->p[39] == 0x5a, "the FPDU is lost");
	NEED(!c->timeouts, "it took a time-out");
}

/* 11: the peer's CRC is made bit by bit; here FPDUs of every length modulo 4 go both ways. */
static void crc_both_ways(unsigned int arg)
{
	struct link l = up(NULL);

	(void)arg;
	traffic(&l, 12, 1300);
}

/* 11: figures 5 and 6 of RFC 5044, as the card sends them */
static void figures(unsigned int arg)
{
	static const uint8_t sums[2][4] = { { 0x52, 0x23, 0x99, 0x83 }, { 0x84, 0x92, 0x58, 0x98 } };
	struct how h = { .markers = true };
	struct link l = up(&h);
	uint8_t b[492 + 52];

	memset(l.m->p, 0, 1000);
	if (arg) { /* a first FPDU of 492 octets */
		card_send(l.q, WEFT_SQ_OPCODE_SEND, l.m, 0, 464, 0, 0, false);
		NEED(pc_read(l.c, b, 492), "the first FPDU");
	}
	card_send(l.q, WEFT_SQ_OPCODE_SEND, l.m, 0, 24, 0, 0, false);
	NEED(pc_read(l.c, b, 52), "52 octets");
	NEED(!memcmp(b + 48, sums[arg], 4), "CRC %02x %02x %02x %02x", b[48], b[49], b[50], b[51]);
}

/* 12, 13, 16 */
static void bad_crc(unsigned int arg)
{
	struct how h = { .no_crc_card = arg == 13, .no_crc_peer = arg == 13 };
	struct link l = up(&h);
	struct fpdu_bend bend = { 0 };
	uint8_t d[200];
	size_t n = ddp_tagged(d, OP_WRITE, true, l.m->stag, l.m->to);

	memset(d + n, 0x77, 101);
	if (arg == 16)
		bend.pad = 0xee;
	else
		bend.crc_xor = 0x10000;
	pc_fpdu(l.c, d, n + 101, &bend);
	if (arg == 12) {
		want_terminate(&l, 0x2002, 0);
		NEED(l.m->p[0] == 0, "placed all the same");
	} else {
		alive(&l);
		NEED(l.m->p[0] == 0x77 && l.m->p[100] == 0x77, "not placed");
	}
}

/* 14: markers of the card, for FPDUs of every length */
static void markers(unsigned int arg)
{
	struct how h = { .markers = true, .active = arg };
	struct link l = up(&h);
	struct peer_serve *s = serve(&l);
	struct peer_mr *r = peer_mr(p, 4096);
	struct card_wc wc;

	fill(l.m->p, 4096, 3);
	for (unsigned int n = 0; n < 700; n += n < 520 ? 1 : 60) {
		card_send(l.q, WEFT_SQ_OPCODE_WRITE, l.m, 0, n, r->stag, r->to, false);
		NEED(card_wc(l.q, false, &wc, 5 * S) && !wc.status, "a Write of %u bytes", n);
		NEED(!s->fault[0], "%u bytes: %s", n, s->fault);
	}
	traffic(&l, 2, 9000);
}

/* 15: Weft never asks for markers */
static void never_asks(unsigned int arg)
{
	struct how h = { .active = arg };
	struct link l = up(&h);

	NEED(!(arg ? l.req.markers : l.rep.markers), "M is set");
}

/* 17: alignment */
static void alignment(unsigned int arg)
{
	struct link l = up(NULL);
	uint8_t d[200];
	static uint8_t wire[8000];
	size_t n = 0, h;
	uint8_t b[600];

	switch (arg) {
	case 0: /* an FPDU of 76 bytes, split at each byte */
		for (unsigned int at = 1; at < 76; at++) {
			uint64_t from = l.c->out_len;

			h = ddp_tagged(d, OP_WRITE, true, l.m->stag, l.m->to);
			memset(d + h, (int)at, 56);
			l.c->hold = true;
			pc_fpdu(l.c, d, h + 56, NULL);
			pc_segment(l.c, from, from + at, 0);
			pc_segment(l.c, from + at, l.c->out_len, T_PSH);
			l.c->hold = false;
			NEED(pc_drain(l.c), "split at %u: not acknowledged", at);
			NEED(l.m->p[0] == at && l.m->p[55] == at, "split at %u: not placed", at);
		}
		NEED(!l.c->rexmits, "%u segments had to be sent again", l.c->rexmits);
		break;
	case 1: /* many in a segment */
		for (unsigned int i = 0; i < 20; i++) {
			h = ddp_tagged(d, OP_WRITE, true, l.m->stag, l.m->to + 30 * i);
			memset(d + h, (int)i + 1, 30);
			n += fpdu_bytes(wire + n, d, h + 30, true, false, 0, NULL);
		}
		pc_write(l.c, wire, n);
		NEED(pc_drain(l.c) && !l.c->rexmits, "sent again");
		for (unsigned int i = 0; i < 20; i++)
			NEED(l.m->p[30 * i] == i + 1 && l.m->p[30 * i + 29] == i + 1, "number %u", i);
		break;
	case 2: /* a byte a segment */
		l.c->cut = 1;
		fill(b, sizeof(b), 4);
		pc_rdma_write(l.c, l.m->stag, l.m->to, b, sizeof(b));
		NEED(pc_drain(l.c) && same(l.m->p, sizeof(b), 4), "not there");
		NEED(!l.c->timeouts, "%u time-outs", l.c->timeouts);
		break;
	default: /* anywhere */
		l.c->cut = PC_CUT_RANDOM;
		traffic(&l, 10, 9000);
		NEED(!l.c->timeouts, "%u time-outs", l.c->timeouts);
	}
}

/* 18: ULPDU_Length */
static void ulpdu_length(unsigned int arg)
{
	struct link l = up(NULL);
	static uint8_t d[66000];
	struct fpdu_bend bend = { 0 };
	size_t n = ddp_tagged(d, OP_WRITE, true, l.m->stag, l.m->to);

	memset(d + n, 0x31, sizeof(d) - n);
	switch (arg) {
	case 0: case 13: /* less than a header: no code in the RFCs, so any Terminate or a close */
		pc_fpdu(l.c, d, arg, &bend);
		NEED(pc_wait_close(l.c, 2 * S), "the card does not close");
		break;
	case 17: /* untagged */
		ddp_untagged(d, OP_SEND, true, 0, 0, 1, 0);
		pc_fpdu(l.c, d, 17, &bend);
		NEED(pc_wait_close(l.c, 2 * S), "the card does not close");
		break;
	case 65000: /* more than 64768 */
		pc_fpdu(l.c, d, 65000, &bend);
		NEED(pc_wait_close(l.c, 5 * S), "the card does not close");
		break;
	default: /* larger than a segment, within bounds */
		pc_fpdu(l.c, d, n + arg, &bend);
		NEED(pc_drain(l.c) && l.m->p[0] == 0x31 && l.m->p[arg - 1] == 0x31, "not placed");
		NEED(!l.c->timeouts, "%u time-outs", l.c->timeouts);
	}
}

/* 19: FPDUs fit the peer's MSS */
static void mulpdu(unsigned int arg)
{
	struct pc_attr a = pc_defaults();
	struct how h = { .tcp = &a };
	struct link l;

	a.mss = (uint16_t)arg;
	l = up(&h);
	traffic(&l, 3, 5000);
}

/* 19: an MSS that no FPDU with a MULPDU of 128 fits, with a marker and timestamps: the SYN is answered by a reset */
static void small_mss(unsigned int arg)
{
	struct pc_attr a = pc_defaults();
	struct pc *c;

	a.mss = (uint16_t)arg;
	c = pc_connect(p, 41999, PORT, &a);
	NEED(c->state == PC_RESET, "an MSS of %u is %s", arg, c->state == PC_OPEN ? "taken" : "not answered");
}

/* 20: markers stay where they are when it is cut otherwise the second time */
static void markers_again(unsigned int arg)
{
	struct how h = { .markers = true };
	struct link l = up(&h);

	(void)arg;
	peer_wire_set(p, "loss=4%,seed=5");
	traffic(&l, 6, 9000);
	NEED(peer_lost(p), "nothing was lost");
}

/* 47: IRD and ORD */
static void ird_ord(unsigned int arg)
{
	static const uint16_t value[] = { 0, 1, 4, 200, 0x3fff };
	uint16_t ird = value[arg % 5], ord = value[arg / 5 % 5];
	struct mpa_frame m = { .rev = 2, .enhanced = true, .ird = ird, .ord = ord, .crc = true }, r;
	struct card_qp *q = card_qp(k, CARD_PD, CARD_ALL, 4, 4);
	struct pc *c = open_tcp();
	uint8_t e[64];
	uint32_t h;

	pc_mpa(c, &m);
	h = card_request(k, e, 2 * S);
	NEED(h, "no request");
	NEED(LS_GET(e, WEFT_EQE_IRD) == ird && LS_GET(e, WEFT_EQE_ORD) == ord, "the event says IRD %u, ORD %u", (unsigned int)LS_GET(e, WEFT_EQE_IRD),
	     (unsigned int)LS_GET(e, WEFT_EQE_ORD));
	NEED(!card_accept(q, h, NULL) && pc_mpa_read(c, &r) && r.reply && r.enhanced, "no reply");
	NEED(ird == 0x3fff ? (r.ord & 0x3fff) == 0x3fff : (r.ord & 0x3fff) <= ird, "ORD of the reply is %u, our IRD %u", r.ord & 0x3fff, ird);
	if (ord == 0x3fff)
		NEED((r.ird & 0x3fff) == 0x3fff, "IRD of the reply is %u", r.ird & 0x3fff);
	else
		NEED((r.ird & 0x3fff) <= 4, "IRD of the reply is %u", r.ird & 0x3fff);
}

/* 47: as initiator: the responder's ORD is larger than our IRD: Terminate 2/0/06. */
static void ird_short(unsigned int arg)
{
	struct mpa_frame m = { .reply = true, .rev = 2, .enhanced = true, .ird = 4, .ord = (uint16_t)arg, .crc = true }, r;
	struct card_qp *q = card_qp(k, CARD_PD, CARD_ALL, 4, 4);
	struct pc *c = pc_listen(p, 5000, NULL);
	struct fpdu f;

	card_connect(q, 41000, 5000, NULL);
	NEED(pc_wait_open(c) && pc_mpa_read(c, &r), "no request");
	pc_mpa(c, &m);
	pc_fpdus(c, true, false, false);
	NEED(pc_next(c, &f, 2 * S) && f.op == OP_TERMINATE && term_code(f.data) == 0x2006, "no Terminate 2/0/06");
	NEED(pc_wait_close(c, 2 * S), "no close");
}

/* 48: A to D, the card answers */
static void rtr_passive(unsigned int arg)
{
	bool b = arg & 1, cc = arg & 2, d = arg & 4;
	struct mpa_frame m = { .rev = 2, .enhanced = true, .crc = true, .ird = (uint16_t)(0x8000 | b << 14 | 4), .ord = (uint16_t)(cc << 15 | d << 14 | 4) }, r;
	struct link l = { 0 };
	uint8_t e[64], x[46];
	struct peer_serve *s;
	uint32_t h;

	l.q = card_qp(k, CARD_PD, CARD_ALL, 4, 4);
	l.m = card_mr(k, 65536, CARD_PD, CARD_ALL);
	l.c = open_tcp();
	pc_mpa(l.c, &m);
	h = card_request(k, e, 2 * S);
	NEED(h && !card_accept(l.q, h, NULL) && pc_mpa_read(l.c, &r) && r.reply && r.enhanced, "no reply");
	pc_fpdus(l.c, true, false, false);
	NEED(r.ird & 0x8000, "A is not set");
	NEED((r.ord & m.ord & 0xc000) || (r.ird & m.ird & 0x4000) || !(cc || d), "no RTR in common: 0x%04x 0x%04x", r.ird, r.ord);
	s = serve(&l);
	if (r.ord & 0x8000) {
		pc_rdma_write(l.c, 1, 0, NULL, 0); /* siw's STag: not to be looked at */
	} else if (r.ord & 0x4000) {
		(void)x;
		pc_read_request(l.c, 1, 0, 0, 1, 0);
	} else {
		return;
	}
	/* The card may send now. */
	{
		struct peer_mr *pm = peer_mr(p, 64);
		struct card_wc wc;

		fill(l.m->p, 64, 2);
		card_send(l.q, WEFT_SQ_OPCODE_WRITE, l.m, 0, 64, pm->stag, pm->to, false);
		NEED(card_wc(l.q, false, &wc, S) && !wc.status && same(pm->p, 64, 2), "nothing comes behind the RTR");
		NEED(!s->fault[0], "%s", s->fault);
		NEED((r.ord & 0x8000) || s->responses == 1, "no answer to the Read");
	}
}

/* 48: the card asks */
static void rtr_active(unsigned int arg)
{
	struct mpa_frame m = { .reply = true, .rev = 2, .enhanced = true, .crc = true, .ird = 4, .ord = 4 }, r;
	struct card_qp *q = card_qp(k, CARD_PD, CARD_ALL, 4, 4);
	struct card_cm cm = { .p2p = true };
	struct pc *c = pc_listen(p, 5000, NULL);
	static struct fpdu f;

	card_connect(q, 41000, 5000, &cm);
	NEED(pc_wait_open(c) && pc_mpa_read(c, &r), "no request");
	NEED(r.ird & 0x8000 && (r.ord & 0xc000 || r.ird & 0x4000), "no A, or nothing offered: 0x%04x 0x%04x", r.ird, r.ord);
	if (arg == 0) {
		m.ird |= 0x8000;
		m.ord |= r.ord & 0xc000;
		m.ird |= r.ird & 0x4000;
	} else { /* what was not offered */
		m.ird |= 0x8000;
		m.ord |= ~r.ord & 0x4000;
		m.ird |= ~r.ird & 0x4000;
	}
	pc_mpa(c, &m);
	pc_fpdus(c, true, false, false);
	NEED(pc_next(c, &f, 2 * S), "nothing comes");
	if (arg == 0) {
		NEED((f.op == OP_WRITE && r.ord & 0x8000 && !f.len) || (f.op == OP_READ_REQ && r.ord & 0x4000 && !r32(f.data + 12)) ||
		     (f.op == OP_SEND && r.ird & 0x4000 && !f.len), "opcode %u is no RTR that was offered", f.op);
	} else {
		NEED(f.op == OP_TERMINATE && term_code(f.data) == 0x2007, "opcode %u, not Terminate 2/0/07", f.op);
		NEED(pc_wait_close(c, 2 * S), "no close");
	}
}

/* 49: old revision, S=0 */
static void unenhanced(unsigned int arg)
{
	struct mpa_frame m = { .rev = (uint8_t)(arg ? 2 : 1), .crc = true }, r;
	struct card_qp *q = card_qp(k, CARD_PD, CARD_ALL, 4, 4);
	struct link l = { .q = q, .m = card_mr(k, 65536, CARD_PD, CARD_ALL) };
	uint8_t e[64];
	uint32_t h;

	l.c = open_tcp();
	pc_mpa(l.c, &m);
	h = card_request(k, e, 2 * S);
	NEED(h && !card_accept(q, h, NULL) && pc_mpa_read(l.c, &r), "no reply");
	NEED(!r.enhanced && r.rev == m.rev, "revision %u, S %u", r.rev, r.enhanced);
	pc_fpdus(l.c, true, false, false);
	pc_rdma_write(l.c, 0, 0, NULL, 0);
	traffic(&l, 1, 1000);
}

#define PD(rev, n, active) ((n) | (rev) << 12 | (active) << 16)
const struct test mpa_tests[] = {
	{ "1.rev1-0", "M-13 M-14 E-02", private_data, PD(1, 0, 0), true },
	{ "1.rev1-1", "M-13 M-14", private_data, PD(1, 1, 0), false },
	{ "1.rev1-508", "M-14", private_data, PD(1, 508, 0), false },
	{ "1.rev1-512", "M-14", private_data, PD(1, 512, 0), true },
	{ "1.rev2-0", "E-01", private_data, PD(2, 0, 0), false },
	{ "1.rev2-508", "E-01", private_data, PD(2, 508, 0), true },
	{ "1.active-rev1-0", "M-13 M-14", private_data, PD(1, 0, 1), false },
	{ "1.active-rev1-512", "M-14", private_data, PD(1, 512, 1), true },
	{ "1.active-rev2-1", "E-01", private_data, PD(2, 1, 1), false },
	{ "1.active-rev2-508", "E-01", private_data, PD(2, 508, 1), false },
	{ "2.pd-513", "M-14 M-17", pd_length, 0, true },
	{ "2.truncated", "M-17", pd_length, 1, false },
	{ "2.mismatch", "M-14", pd_length, 2, false },
	{ "2.enhanced-short", "E-01", pd_length, 3, false },
	{ "3.wrong-key", "M-13 M-17", keys, 0, true },
	{ "3.rep-to-responder", "M-13", keys, 1, false },
	{ "3.silent", "M-18", keys, 2, false },
	{ "3.req-to-initiator", "M-13", keys, 3, true },
	{ "3.wrong-reply-key", "M-13", keys, 4, false },
	{ "4.rev-0", "M-14", revision, 0, false },
	{ "4.rev-2", "E-02", revision, 2, false },
	{ "4.rev-255", "M-14", revision, 255, true },
	{ "5.reserved", "M-14", revision, 0x0f01, true },
	{ "5.reserved-s", "M-14", revision, 0x1f01, false },
	{ "6.rejected", "M-17", rejected, 0, true },
	{ "6.rejects", "M-17", rejected, 1, false },
	{ "7.holds", "M-16", holds, 0, true },
	{ "8.bytes", "M-13", pieces, 0, true },
	{ "8.with-fpdu", "M-16", pieces, 1, false },
	{ "9.passive-c1c1", "M-08", m_and_c, 0, false },
	{ "9.active-c1c1", "M-08", m_and_c, 1, false },
	{ "9.passive-m-c1c1", "M-15 M-05", m_and_c, 2, false },
	{ "9.active-m-c1c1", "M-15 M-05", m_and_c, 3, false },
	{ "9.passive-c0c1", "M-08", m_and_c, 4, false },
	{ "9.active-c0c1", "M-08", m_and_c, 5, false },
	{ "9.passive-m-c0c1", "M-15 M-05", m_and_c, 6, false },
	{ "9.active-m-c0c1", "M-15 M-05", m_and_c, 7, false },
	{ "9.passive-c1c0", "M-08", m_and_c, 8, false },
	{ "9.active-c1c0", "M-08", m_and_c, 9, false },
	{ "9.passive-m-c1c0", "M-15 M-05", m_and_c, 10, false },
	{ "9.active-m-c1c0", "M-15 M-05", m_and_c, 11, false },
	{ "9.passive-c0c0", "M-04 M-08", m_and_c, 12, true },
	{ "9.active-c0c0", "M-04 M-08", m_and_c, 13, false },
	{ "9.passive-m-c0c0", "M-15 M-05", m_and_c, 14, false },
	{ "9.active-m-c0c0", "M-15 M-05", m_and_c, 15, false },
	{ "10.one-segment", "M-11", behind_reply, 0, true },
	{ "10.next-segment", "M-11", behind_reply, 1, true },
	{ "11.both-ways", "M-01 M-02 M-03 M-09", crc_both_ways, 0, true },
	{ "11.figure-5", "M-06 M-09", figures, 0, false },
	{ "11.figure-6", "M-06 M-09", figures, 1, false },
	{ "12.bad-crc", "M-12 M-19", bad_crc, 12, true },
	{ "13.crc-off", "M-04", bad_crc, 13, true },
	{ "14.passive", "M-05 M-06", markers, 0, false },
	{ "14.active", "M-05 M-06", markers, 1, false },
	{ "15.never-asks", "M-07 M-15", never_asks, 0, false },
	{ "15.never-asks-active", "M-07 M-15", never_asks, 1, false },
	{ "16.pad", "M-03", bad_crc, 16, true },
	{ "17.split", "M-11", alignment, 0, false },
	{ "17.many", "M-11", alignment, 1, true },
	{ "17.bytes", "M-11", alignment, 2, false },
	{ "17.anywhere", "M-11", alignment, 3, false },
	{ "18.0", "M-12", ulpdu_length, 0, false },
	{ "18.13", "M-12", ulpdu_length, 13, false },
	{ "18.17-untagged", "M-12", ulpdu_length, 17, false },
	{ "18.65000", "M-01", ulpdu_length, 65000, false },
	{ "18.8000", "M-11", ulpdu_length, 8000, false },
	{ "18.60000", "M-11", ulpdu_length, 60000, false },
	{ "19.mss-151", "M-10 T-03", small_mss, 151, false },
	{ "19.mss-152", "M-10 T-03", mulpdu, 152, true },
	{ "19.mss-200", "M-10 T-03", mulpdu, 200, false },
	{ "19.mss-256", "M-10 T-03", mulpdu, 256, false },
	{ "19.mss-536", "M-10 T-03", mulpdu, 536, true },
	{ "19.mss-1001", "M-10 T-03", mulpdu, 1001, false },
	{ "19.mss-1459", "M-10 T-03", mulpdu, 1459, false },
	{ "20.again", "M-06 T-28", markers_again, 0, false },
#define IO(i) { "47.ird-ord-" #i, "E-03 E-05", ird_ord, i, i == 12 }
	IO(0), IO(1), IO(2), IO(3), IO(4), IO(5), IO(6), IO(7), IO(8), IO(9), IO(10), IO(11), IO(12), IO(13), IO(14), IO(15), IO(16), IO(17), IO(18),
	IO(19), IO(20), IO(21), IO(22), IO(23), IO(24),
	{ "47.short", "E-04", ird_short, 9, false },
	{ "48.a", "E-06", rtr_passive, 0, true },
	{ "48.b", "E-06 E-10", rtr_passive, 1, false },
	{ "48.c", "E-06 E-10", rtr_passive, 2, true },
	{ "48.bc", "E-06", rtr_passive, 3, false },
	{ "48.d", "E-06 E-10", rtr_passive, 4, false },
	{ "48.bd", "E-06", rtr_passive, 5, false },
	{ "48.cd", "E-06", rtr_passive, 6, false },
	{ "48.bcd", "E-06", rtr_passive, 7, false },
	{ "48.active", "E-06 E-07", rtr_active, 0, true },
	{ "48.active-no-match", "E-07", rtr_active, 1, false },
	{ "49.rev1", "E-02", unenhanced, 0, true },
	{ "49.rev2-s0", "E-02 E-09", unenhanced, 1, false },
	{ 0 },
};
