/* SPDX-License-Identifier: BSD-2-Clause */
/* MPA, DDP and RDMAP in the streams of a connection. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

enum { M_MARKERS = 0x80, M_CRC = 0x40, M_REJECT = 0x20, M_ENHANCED = 0x10 };
enum { OP_WRITE, OP_READ_REQ, OP_READ_RSP, OP_SEND, OP_SEND_INV, OP_SEND_SE, OP_SEND_SE_INV, OP_TERMINATE,
       OP_IMM, OP_IMM_SE, OP_ATOMIC_REQ, OP_ATOMIC_RSP, OPS };
#define ULPDU_MAX 64768u
#define FPDU_MAX (2 + 65535 + 3 + 4)

uint32_t judge_crc32c(uint32_t crc, const uint8_t *p, size_t n)
{
	static uint32_t table[256];

	if (!table[1])
		for (uint32_t i = 0; i < 256; i++) {
			uint32_t v = i;

			for (int k = 0; k < 8; k++)
				v = v >> 1 ^ (v & 1 ? 0x82f63b78u : 0);
			table[i] = v;
		}
	crc = ~crc;
	while (n--)
		crc = crc >> 8 ^ table[(crc ^ *p++) & 255];
	return ~crc;
}

/* Bytes that can be read at `at` without a hole. */
static uint64_t ready(const struct side *s, uint64_t at)
{
	for (unsigned int i = 0; i < s->have.n; i++)
		if (s->have.r[i].lo <= at && at < s->have.r[i].hi)
			return s->have.r[i].hi - at;
	return 0;
}

static void off(struct conn *c)
{
	c->side[0].phase = c->side[1].phase = P_OFF;
}

/* ---- MPA frames ---- */

static void check_reply(struct judge *j, struct conn *c, unsigned int from)
{
	const struct side *s = &c->side[from], *p = &c->side[!from];
	unsigned int a = p->m_ird, b = s->m_ird, want, have;

	if (s->m_flags & M_REJECT)
		return;
	if (s->m_rev != p->m_rev || s->m_enhanced != p->m_enhanced) {
		judge_find(j, c, from, R_MPA_REV, "reply of revision %u%s to a request of %u%s", s->m_rev, s->m_enhanced ? " with S" : "",
			   p->m_rev, p->m_enhanced ? " with S" : "");
		return;
	}
	if (!s->m_enhanced)
		return;
	if ((p->m_ird & 0x3fff) == 0x3fff ? (s->m_ord & 0x3fff) != 0x3fff : (s->m_ord & 0x3fff) > (p->m_ird & 0x3fff))
		judge_find(j, c, from, R_MPA_IRD, "ORD %u, the initiator's IRD is %u", s->m_ord & 0x3fff, p->m_ird & 0x3fff);
	if ((p->m_ord & 0x3fff) == 0x3fff && (s->m_ird & 0x3fff) != 0x3fff)
		judge_find(j, c, from, R_MPA_IRD, "IRD %u, the initiator does not negotiate its ORD", s->m_ird & 0x3fff);
	want = (a >> 14 & 1) << 2 | p->m_ord >> 14; /* B, C, D as three bits */
	have = (b >> 14 & 1) << 2 | s->m_ord >> 14;
	/* Nobody has to take B. Who shares none with the initiator says what it does take; the initiator ends the connection then. */
	if (b & 0x8000 && (!(a & 0x8000) || !(want & 3 ? have & want : have)))
		judge_find(j, c, from, R_MPA_RTR_BITS, "no RTR in common: request 0x%04x 0x%04x, reply 0x%04x 0x%04x", a, p->m_ord, b, s->m_ord);
	if (a & 0x8000 && !(b & 0x8000))
		judge_find(j, c, from, R_MPA_RTR_BITS, "peer-to-peer was asked for and not answered");
}

/* True: the frame is complete and behind us. */
static bool mpa_frame(struct judge *j, struct conn *c, unsigned int from)
{
	static const char *const keys[2] = { "MPA ID Req Frame", "MPA ID Rep Frame" };
	struct side *s = &c->side[from], *p = &c->side[!from];
	uint64_t n = ready(s, s->pos);
	const uint8_t *f = side_bytes(s, s->pos);
	size_t k = n < 16 ? (size_t)n : 16;
	unsigned int pd, reply = 2;

	if (!n)
		return false;
	for (unsigned int i = 0; i < 2; i++)
		if (!memcmp(f, keys[i], k))
			reply = i;
	if (reply == 2) {
		if (c->is_mpa || (k >= 6 && !memcmp(f, "MPA ID", 6)))
			judge_find(j, c, from, R_MPA_KEY, "no key of a request or a reply");
		off(c);
		return false;
	}
	if (n < 20)
		return false;
	reply = !memcmp(f, keys[1], 16);
	if (reply ? !p->mpa_seen || !p->req : c->is_mpa && p->req) {
		judge_find(j, c, from, R_MPA_KEY, reply ? "a reply without a request" : "a request in answer to a request");
		off(c);
		return false;
	}
	pd = jbe16(f + 18);
	if (!s->m_rev && !s->m_flags) {
		s->m_flags = f[16];
		s->m_rev = f[17];
		s->m_enhanced = f[17] >= 2 && f[16] & M_ENHANCED;
		if (f[17] < 1 || f[17] > 2)
			judge_find(j, c, from, R_MPA_REV, "revision %u", f[17]);
		if (f[16] & (f[17] >= 2 ? 0x0f : 0x1f) || (!reply && f[16] & M_REJECT))
			judge_find(j, c, from, R_MPA_FLAGS, "flags 0x%02x, revision %u", f[16], f[17]);
		if (pd > 512 || (s->m_enhanced && pd < 4))
			judge_find(j, c, from, R_MPA_PD, "%u bytes", pd);
	}
	if (pd > 512 || (s->m_enhanced && pd < 4) || f[17] > 2) {
		off(c);
		return false;
	}
	if (n < 20 + pd)
		return false;
	if (s->m_enhanced) {
		s->m_ird = (uint16_t)jbe16(f + 20);
		s->m_ord = (uint16_t)jbe16(f + 22);
		if (!(s->m_ird & 0x8000) && (s->m_ird & 0x4000 || s->m_ord & 0xc000))
			judge_find(j, c, from, R_MPA_RTR_BITS, "B, C or D without A: 0x%04x 0x%04x", s->m_ird, s->m_ord);
	}
	s->mpa_seen = true;
	s->req = !reply;
	if (!c->is_mpa)
		j->stats.mpa++;
	c->is_mpa = true;
	s->pos += 20 + pd;
	s->fpdu0 = s->pos;
	s->phase = P_FPDU;
	if (reply) {
		check_reply(j, c, from);
		c->crc = (s->m_flags | p->m_flags) & M_CRC;
	}
	return true;
}

/* ---- RDMAP ---- */

static bool known_code(unsigned int layer, unsigned int type, unsigned int code)
{
	switch (layer << 4 | type) {
	case 0x00: case 0x10:
		return code == 0;
	case 0x01:
		return code <= 4 || code == 9 || code == 0xff;
	case 0x02:
		return (code >= 5 && code <= 9) || code == 0xff;
	case 0x11:
		return code <= 4;
	case 0x12:
		return code >= 1 && code <= 6;
	case 0x20:
		return code >= 1 && code <= 7;
	default:
		return false;
	}
}

/* Payload of a Terminate (RFC 5040 4.8, figures 8 to 11). */
static void terminate(struct judge *j, struct conn *c, unsigned int from, const uint8_t *d, size_t n)
{
	const struct side *p = &c->side[!from];
	unsigned int layer, type, code, m, dd, r;
	size_t want = 4, dl = 0;

	if (n < 4) {
		judge_find(j, c, from, R_TERM_FORM, "%zu bytes", n);
		return;
	}
	layer = d[0] >> 4;
	type = d[0] & 15;
	code = d[1];
	m = d[2] >> 7 & 1;
	dd = d[2] >> 6 & 1;
	r = d[2] >> 5 & 1;
	if (!known_code(layer, type, code))
		judge_find(j, c, from, R_TERM_CODE, "%x/%x/%02x", layer, type, code);
	if (d[2] & 0x1f || d[3])
		judge_find(j, c, from, R_TERM_FORM, "reserved bits 0x%02x%02x", d[2], d[3]);
	if (dd && n > 6)
		dl = d[6] & 0x80 ? 14 : 18;
	want += (m ? 2 : 0) + dl + (r ? 28 : 0);
	/* Which headers: the fault table (RFC 5040 4.8, 7.1). */
	if (m != dd || (r && !dd) || n != want) {
		judge_find(j, c, from, R_TERM_FORM, "M %u, D %u, R %u with %zu bytes", m, dd, r, n);
		return;
	}
	if (dd && (layer == 2 || type == 0))
		judge_find(j, c, from, R_TERM_FORM, "headers with %x/%x/%02x", layer, type, code);
	if (!dd && layer < 2 && type && !(layer == 0 && type == 2 && (code == 7 || code == 8)))
		judge_find(j, c, from, R_TERM_FORM, "no headers with %x/%x/%02x", layer, type, code);
	if (dd && layer == 1 && (type == 1) != (dl == 14))
		judge_find(j, c, from, R_TERM_FORM, "%x/%x/%02x with the other kind of DDP header", layer, type, code);
	/* A request that is malformed itself has no Read header to show. */
	if (dd && layer == 0 && !(type == 2 && code == 7 && !r) && (r != 0) != (dl == 18 && (d[7] & 15) == OP_READ_REQ))
		judge_find(j, c, from, R_TERM_FORM, "R is %u with opcode %u", r, d[7] & 15);
	if (dd && !p->dead && p->phase != P_OFF) {
		unsigned int i, first = p->n_headers > HEADERS ? p->n_headers - HEADERS : 0;

		for (i = p->n_headers; i > first; i--) {
			const struct header *h = &p->headers[(i - 1) % HEADERS];

			/* A Read's header may have moved on (RFC 5040 4.8): its STags stay. */
			if (h->bytes >= dl && h->len == jbe16(d + 4) && !memcmp(h->b, d + 6, dl) &&
			    (!r || (h->bytes >= 46 && !memcmp(h->b + 18, d + 24, 4) && !memcmp(h->b + 34, d + 40, 4))))
				break;
		}
		if (i == first)
			judge_find(j, c, from, R_TERM_HEADER, "no FPDU of the peer has this header and length");
	}
}

static void push_read(struct judge *j, struct conn *c, unsigned int from, struct read_request r)
{
	struct side *s = &c->side[from], *p = &c->side[!from];
	unsigned int ird = p->m_ird & 0x3fff;

	if (s->n_reads == s->reads_room) {
		void *more = realloc(s->reads, (s->reads_room * 2 + 16) * sizeof(*s->reads));

		if (!more)
			abort();
		s->reads = more;
		s->reads_room = s->reads_room * 2 + 16;
	}
	s->reads[s->n_reads++] = r;
	if (p->m_enhanced && s->m_enhanced && ird != 0x3fff && s->n_reads > ird && s->n_reads > 1)
		judge_find(j, c, from, R_RDMAP_ORD, "%u Reads under way, the peer's IRD is %u", s->n_reads, ird);
}

static bool pop_read(struct side *p, struct read_request *r)
{
	if (!p->n_reads)
		return false;
	*r = p->reads[0];
	memmove(p->reads, p->reads + 1, --p->n_reads * sizeof(*p->reads));
	return true;
}

static void tagged(struct judge *j, struct conn *c, unsigned int from, const uint8_t *d, size_t n, unsigned int op)
{
	struct side *s = &c->side[from], *p = &c->side[!from];
	struct message *m = op == OP_WRITE ? &s->write : &s->response;
	uint32_t stag = jbe32(d + 2);
	uint64_t to = jbe64(d + 6), len = n - 14;
	bool last = d[0] & 0x40;

	if (m->open && (m->stag != stag || m->next != to))
		judge_find(j, c, from, R_DDP_TO, "STag 0x%08x TO 0x%" PRIx64 ", the message stopped at 0x%08x 0x%" PRIx64, stag, to, m->stag, m->next);
	if (s->write.open && op == OP_READ_RSP)
		judge_find(j, c, from, R_DDP_MIXED, "a Read Response inside a Write");
	if (s->response.open && op == OP_WRITE)
		judge_find(j, c, from, R_DDP_MIXED, "a Write inside a Read Response");
	if (!m->open)
		m->sum = 0;
	m->stag = stag;
	m->next = to + len;
	m->sum += len;
	m->open = !last;
	if (op == OP_READ_RSP) {
		const struct read_request *r = p->n_reads ? p->reads : NULL;
		struct read_request done;

		if (!r || r->atomic) {
			judge_find(j, c, from, R_RDMAP_RESPONSE, "nobody asked for it");
		} else if (r->stag != stag || r->to + m->sum - len != to || m->sum > r->size || (last && m->sum != r->size)) {
			judge_find(j, c, from, R_RDMAP_RESPONSE, "STag 0x%08x TO 0x%" PRIx64 " %" PRIu64 " bytes%s; asked: 0x%08x 0x%" PRIx64 " %u", stag, to,
				   m->sum, last ? ", the last" : "", r->stag, r->to, r->size);
		}
		if (last)
			pop_read(p, &done);
	}
}

static void untagged(struct judge *j, struct conn *c, unsigned int from, const uint8_t *d, size_t n, unsigned int op)
{
	static const uint8_t queues[OPS] = { [OP_READ_REQ] = 1, [OP_TERMINATE] = 2, [OP_ATOMIC_REQ] = 1, [OP_ATOMIC_RSP] = 3 };
	struct side *s = &c->side[from], *p = &c->side[!from];
	uint32_t qn = jbe32(d + 6), msn = jbe32(d + 10), mo = jbe32(d + 14);
	struct message *m;
	struct read_request r;
	bool last = d[0] & 0x40;
	size_t len = n - 18;

	if (qn != queues[op]) {
		judge_find(j, c, from, R_DDP_QN, "opcode %u on queue %u", op, qn);
		return;
	}
	if (jbe32(d + 2) && op != OP_SEND_INV && op != OP_SEND_SE_INV)
		judge_find(j, c, from, R_RDMAP_RESERVED, "Invalidate STag 0x%08x with opcode %u", jbe32(d + 2), op);
	m = &s->queue[qn];
	if (s->write.open || s->response.open || (s->queue[0].open && qn))
		judge_find(j, c, from, R_DDP_MIXED, "opcode %u inside another message", op);
	if (msn != m->msn)
		judge_find(j, c, from, R_DDP_MSN, "MSN %u on queue %u, not %u", msn, qn, m->msn);
	if (mo != (m->open ? m->next : 0))
		judge_find(j, c, from, R_DDP_MO, "MO %u on queue %u, not %" PRIu64, mo, qn, m->open ? m->next : 0);
	if (m->open && m->opcode != op)
		judge_find(j, c, from, R_DDP_MIXED, "opcode %u in a message of opcode %u", op, m->opcode);
	m->opcode = (uint8_t)op;
	m->next = (m->open ? m->next : 0) + len;
	m->open = !last;
	if (last)
		m->msn++;
	switch (op) {
	case OP_READ_REQ:
		if (len != 28 || !last || mo) {
			judge_find(j, c, from, R_RDMAP_READ, "%zu bytes%s", len, last ? "" : ", not the last segment");
			break;
		}
		r = (struct read_request){ .stag = jbe32(d + 18), .to = jbe64(d + 22), .size = jbe32(d + 30) };
		push_read(j, c, from, r);
		break;
	case OP_ATOMIC_REQ:
		if (len != 52 || !last)
			judge_find(j, c, from, R_RDMAP_ATOMIC, "request of %zu bytes", len);
		else
			push_read(j, c, from, (struct read_request){ .atomic = true, .id = jbe32(d + 22) });
		break;
	case OP_ATOMIC_RSP:
		if (len != 12 || !last)
			judge_find(j, c, from, R_RDMAP_ATOMIC, "response of %zu bytes", len);
		else if (!pop_read(p, &r) || !r.atomic || r.id != jbe32(d + 18))
			judge_find(j, c, from, R_RDMAP_RESPONSE, "atomic response that nobody waits for");
		break;
	case OP_IMM: case OP_IMM_SE:
		if (len != 8 || !last)
			judge_find(j, c, from, R_RDMAP_ATOMIC, "immediate data of %zu bytes", len);
		break;
	case OP_TERMINATE:
		if (!s->terminated && s->term_acked && s->term_acked < j->frame)
			judge_find(j, c, from, R_TERM_ANSWER, "the peer's Terminate was acknowledged before");
		terminate(j, c, from, d + 18, len);
		break;
	default:
		break;
	}
}

static void ddp(struct judge *j, struct conn *c, unsigned int from, const uint8_t *d, size_t n)
{
	struct side *s = &c->side[from], *p = &c->side[!from];
	unsigned int op = d[1] & 15;
	struct header *h = &s->headers[s->n_headers++ % HEADERS];
	bool t = d[0] & 0x80;

	h->len = (uint16_t)n;
	h->bytes = (uint16_t)(n < sizeof(h->b) ? n : sizeof(h->b));
	memcpy(h->b, d, h->bytes);
	if (s->terminated)
		judge_find(j, c, from, R_TERM_AFTER, "opcode %u behind the Terminate of frame %" PRIu64, op, s->term_frame);
	if ((d[0] & 3) != 1)
		judge_find(j, c, from, R_DDP_VERSION, "DV %u", d[0] & 3);
	if (d[0] & 0x3c)
		judge_find(j, c, from, R_DDP_RESERVED, "control 0x%02x", d[0]);
	if (d[1] >> 6 != 1)
		judge_find(j, c, from, R_RDMAP_VERSION, "RV %u", d[1] >> 6);
	if (d[1] & 0x30)
		judge_find(j, c, from, R_RDMAP_RESERVED, "control 0x%02x", d[1]);
	if (op >= OPS || t != (op == OP_WRITE || op == OP_READ_RSP)) {
		judge_find(j, c, from, R_RDMAP_OPCODE, "opcode %u, T %u", op, t);
		return;
	}
	if (!t && n < 18) {
		judge_find(j, c, from, R_MPA_LENGTH, "%zu bytes, less than an untagged header", n);
		return;
	}
	/* The first FPDU of an initiator that agreed on peer-to-peer. */
	if (s->req && s->fpdus == 1 && s->m_enhanced && p->m_enhanced && s->m_ird & p->m_ird & 0x8000 && !(p->m_flags & M_REJECT)) {
		bool b = s->m_ird & p->m_ird & 0x4000, cc = s->m_ord & p->m_ord & 0x8000, dd = s->m_ord & p->m_ord & 0x4000;
		bool ok = (op == OP_SEND && b && n == 18) || (op == OP_WRITE && cc && n == 14) ||
			  (op == OP_READ_REQ && dd && n == 46 && !jbe32(d + 30)) || (op == OP_TERMINATE);

		if (!ok)
			judge_find(j, c, from, R_MPA_RTR, "opcode %u, %zu bytes", op, n);
	}
	if (t)
		tagged(j, c, from, d, n, op);
	else
		untagged(j, c, from, d, n, op);
	if (op == OP_TERMINATE && !s->terminated) {
		s->terminated = true;
		s->term_frame = j->frame;
		j->stats.terminates++;
	}
}

/* ---- FPDUs ---- */

void judge_begins(struct judge *j, struct conn *c, unsigned int from, uint64_t at)
{
	struct side *s = &c->side[from];

	if (!s->aligned || s->dead || s->phase != P_FPDU || at < s->fpdu0 || (at - s->fpdu0) % 4)
		return;
	if (at > s->pos) {
		if (s->n_ahead < sizeof(s->ahead) / sizeof(s->ahead[0]))
			s->ahead[s->n_ahead++] = at;
		return;
	}
	if (at == s->pos)
		return;
	for (uint64_t i = s->fpdus; i-- && i + STARTS > s->fpdus;) {
		if (s->starts[i % STARTS] == at)
			return;
		if (s->starts[i % STARTS] < at) {
			judge_find(j, c, from, R_TCP_ALIGNED, "a segment begins %" PRIu64 " bytes behind the start of an FPDU", at - s->starts[i % STARTS]);
			return;
		}
	}
}

void judge_parsed(struct judge *j, struct conn *c, unsigned int from, uint64_t end)
{
	struct side *s = &c->side[from];
	unsigned int k = 0;

	s->starts[(s->fpdus - 1) % STARTS] = s->pos;
	for (unsigned int i = 0; i < s->n_ahead; i++) {
		if (s->ahead[i] >= end)
			s->ahead[k++] = s->ahead[i];
		else if (s->ahead[i] > s->pos)
			judge_find(j, c, from, R_TCP_ALIGNED, "a segment began %" PRIu64 " bytes behind the start of an FPDU", s->ahead[i] - s->pos);
	}
	s->n_ahead = k;
}

/* True: one FPDU is behind us. */
static bool fpdu(struct judge *j, struct conn *c, unsigned int from)
{
	static uint8_t clean[FPDU_MAX];
	struct side *s = &c->side[from], *p = &c->side[!from];
	uint64_t n = ready(s, s->pos), at = 0, length_at = 0;
	size_t got = 0, total = 2, ulpdu = 0, pad = 0;
	const uint8_t *b = side_bytes(s, s->pos);
	bool markers = p->m_flags & M_MARKERS, bad_marker = false;
	uint32_t crc = 0;

	if (!n)
		return false;
	while (got < total) {
		size_t take;

		if (markers && (s->pos + at - s->fpdu0) % 512 == 0) {
			if (n - at < 4)
				return false;
			if (!got)
				length_at = at + 4;
			bad_marker |= jbe16(b + at) || jbe16(b + at + 2) != (got ? at - length_at : 0);
			at += 4;
		}
		/* What is checked ends here. */
		if (total > 2 && got == total - 4)
			crc = judge_crc32c(0, b, (size_t)at);
		take = total > 2 && got < total - 4 ? total - 4 - got : total - got;
		if (markers) {
			uint64_t to_marker = 512 - (s->pos + at - s->fpdu0) % 512;

			if (take > to_marker)
				take = (size_t)to_marker;
		}
		if (n - at < take)
			return false;
		memcpy(clean + got, b + at, take);
		got += take;
		at += take;
		if (total == 2 && got == 2) {
			ulpdu = jbe16(clean);
			pad = (4 - (2 + ulpdu) % 4) % 4;
			total = 2 + ulpdu + pad + 4;
		}
	}
	s->fpdus++;
	j->stats.fpdus++;
	if (bad_marker)
		judge_find(j, c, from, R_MPA_MARKER, "FPDU %" PRIu64, s->fpdus);
	if (c->crc_unknown) { /* the first FPDU tells */
		c->crc = !memcmp(clean + total - 4, &crc, 4);
		c->crc_unknown = false;
	}
	if (c->crc && memcmp(clean + total - 4, &crc, 4)) /* low byte first; this machine's order */
		judge_find(j, c, from, R_MPA_CRC, "FPDU %" PRIu64 ": 0x%08x is right", s->fpdus, crc);
	for (size_t i = 0; i < pad; i++)
		if (clean[2 + ulpdu + i]) {
			judge_find(j, c, from, R_MPA_PADDING, "FPDU %" PRIu64, s->fpdus);
			break;
		}
	if (at > p->mss)
		judge_find(j, c, from, R_MPA_SIZE, "FPDU of %" PRIu64 " bytes, MSS is %u", at, p->mss);
	s->term_end = s->terminated ? s->term_end : s->pos + at;
	if (ulpdu < 14 || ulpdu > ULPDU_MAX)
		judge_find(j, c, from, R_MPA_LENGTH, "ULPDU of %zu bytes", ulpdu);
	if (ulpdu >= 14)
		ddp(j, c, from, clean + 2, ulpdu);
	judge_parsed(j, c, from, s->pos + at);
	s->pos += at;
	return true;
}

static void side_run(struct judge *j, struct conn *c, unsigned int from)
{
	struct side *s = &c->side[from], *p = &c->side[!from];

	for (;;) {
		if (s->dead || s->phase == P_OFF)
			return;
		if (s->phase == P_FRAME) {
			if (!mpa_frame(j, c, from))
				return;
			continue;
		}
		if (!ready(s, s->pos))
			break;
		if ((s->m_flags | p->m_flags) & M_REJECT && (p->mpa_seen && s->mpa_seen)) {
			judge_find(j, c, from, R_MPA_REJECTED, "bytes behind a rejected set-up");
			off(c);
			return;
		}
		if (!s->told_early && (s->req ? !p->mpa_seen : !p->fpdus)) {
			s->told_early = true;
			judge_find(j, c, from, R_MPA_EARLY, s->req ? "before the reply" : "before the initiator's first FPDU");
		}
		if (!p->mpa_seen || !fpdu(j, c, from)) /* markers and CRC are not known before the reply */
			break;
	}
	if (s->fin && s->phase == P_FPDU && !s->told_cut && s->pos < s->fin_at && p->mpa_seen && ready(s, s->pos) == s->fin_at - s->pos) {
		s->told_cut = true;
		judge_find(j, c, from, R_MPA_CUT, "%" PRIu64 " bytes of an FPDU, then FIN", s->fin_at - s->pos);
	}
}

void judge_stream(struct judge *j, struct conn *c, unsigned int from)
{
	bool before = c->side[from].mpa_seen;

	side_run(j, c, from);
	/* What the other side sent may have waited for this. */
	if (!before && c->side[from].mpa_seen)
		side_run(j, c, !from);
}
