// SPDX-License-Identifier: BSD-2-Clause
#include "mpa.h"
#include "fw.h"

static const char keys[2][20] __attribute__((aligned(4))) = { "MPA ID Req Frame", "MPA ID Rep Frame" };

int mpa_parse(const uint8_t *p, unsigned len, bool reply, struct mpa *m)
{
	unsigned n = len < 16 ? len : 16, pd;

	/* A wrong key is known as soon as it differs: no reason to wait for the rest. */
	if (memcmp(p, keys[reply], n)) return -1;
	if (len < MPA_HDR) return 0;
	memset(m, 0, sizeof(*m));
	m->reply = reply;
	m->markers = p[16] & 0x80;
	m->crc = p[16] & 0x40;
	m->reject = p[16] & 0x20;
	m->rev = p[17];
	m->enhanced = m->rev >= 2 && (p[16] & 0x10);
	pd = be16(p + 18);
	if (m->rev < 1 || m->rev > 2 || pd > 512 || (m->enhanced && pd < 4)) return -1;
	if (!reply && m->reject) return -1;
	if (len < MPA_HDR + pd) return 0;
	m->pd = p + MPA_HDR;
	m->pd_len = (uint16_t)pd;
	if (m->enhanced) {
		uint16_t ird = be16(m->pd), ord = be16(m->pd + 2);

		m->pd += 4;
		m->pd_len = (uint16_t)(pd - 4);
		m->ird = ird & 0x3fff;
		m->ord = ord & 0x3fff;
		m->p2p = ird & 0x8000;
		if (m->p2p) { /* A = 0: B, C, D are ignored (RFC 6581 9.2) */
			m->rtr_send = ird & 0x4000;
			m->rtr_write = ord & 0x8000;
			m->rtr_read = ord & 0x4000;
		}
	}
	return (int)(MPA_HDR + pd);
}

unsigned mpa_build(uint8_t *p, const struct mpa *m)
{
	unsigned pd = m->pd_len + (m->enhanced ? 4u : 0);

	if (pd > 512) return 0;
	memcpy(p, keys[m->reply], 16);
	p[16] = (uint8_t)((m->markers ? 0x80 : 0) | (m->crc ? 0x40 : 0) | (m->reject ? 0x20 : 0) | (m->enhanced ? 0x10 : 0));
	p[17] = m->rev;
	put16(p + 18, pd);
	if (m->enhanced) {
		put16(p + 20, (m->ird & 0x3fffu) | (m->p2p ? 0x8000u : 0) | (m->p2p && m->rtr_send ? 0x4000u : 0));
		put16(p + 22, (m->ord & 0x3fffu) | (m->p2p && m->rtr_write ? 0x8000u : 0) | (m->p2p && m->rtr_read ? 0x4000u : 0));
	}
	if (m->pd_len) memcpy(p + MPA_HDR + (m->enhanced ? 4 : 0), m->pd, m->pd_len);
	return MPA_HDR + pd;
}
