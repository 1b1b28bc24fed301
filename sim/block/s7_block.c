// SPDX-License-Identifier: BSD-2-Clause
/*
 * The user interface of the 7-series integrated block at 64 and 128 bits, as AMD PG054 describes it ("Transmit Interface",
 * "Receive Interface", "Source Throttling on the Transmit Datapath", "Receiver Flow Control Credits Available"), with the places
 * of side band signals as in PG156's migration appendix. Configuration requests and poisoned requests end in the block. After
 * np_ok fell two more non-posted requests come. In a beat with an end and a start bar_hit is the one's or the other's, as the seed
 * says, and a TLP of at most four dwords does not stand between two others without a gap (see weft_shim_s7_rx).
 */
#include <stdlib.h>
#include <string.h>

#include "block_int.h"

#define BEAT (b->beat)
#define TX_TLPS 6
#define READS 4

struct model {
	bool hit_is_new;
	/* transmit */
	uint8_t tx[4096 + 64];
	unsigned tx_len;
	bool tx_open, tx_wait, tx_ready;
	uint8_t tx_held[20];
	uint64_t writes_in, writes_gone;
	struct tlps cpl_wait;
	uint64_t np_ready_at;
	/* receive */
	uint64_t bar_base[7];
	uint8_t rx[4096 + 64];
	unsigned rx_len, rx_pos, rx_hit, old_hit;
	bool rx_open, rx_small, rx_alone;
	unsigned np_left;
	bool np_ok, rx_valid, rx_last;
	uint8_t rx_d[16];
	unsigned rx_keep, rx_user;
};

static uint32_t swap32(uint32_t v) { return __builtin_bswap32(v); }

/* ---- transmit ---- */
void model_gone(struct block *b, struct tlp *t) { b->model->writes_gone += tlp_has_data(t); }

static void tx_tlp(struct block *b)
{
	struct model *m = b->model;
	struct tlp *t = tlp_new();
	unsigned head, dwords, type;
	uint32_t w[4];

	memcpy(t->hdr, m->tx, 16);
	head = t->hdr[0] >> 29 & 1 ? 16 : 12;
	if (head == 12)
		t->hdr[3] = 0;
	dwords = tlp_has_data(t) ? tlp_dwords(t) : 0;
	type = t->hdr[0] >> 24 & 0x1f;
	block_check(b, m->tx_len == head + 4 * dwords, "TX: %u bytes, header %u, %u dwords", m->tx_len, head, dwords);
	t->len = 4 * dwords;
	for (unsigned i = 0; i < dwords; i++) {
		memcpy(w, m->tx + head + 4 * i, 4);
		w[0] = swap32(w[0]);
		memcpy(t->data + 4 * i, w, 4);
	}
	if (type == 0x0a || type == 0x0b) {
		/* behind the writes before it */
		t->stamp = m->writes_in;
		tlp_push(&m->cpl_wait, t);
		return;
	}
	block_check(b, type == 0, "TX: type %02x", type);
	m->writes_in += tlp_has_data(t);
	tlp_push(&b->card_req, t);
}

static void tx_beat(struct block *b, const uint8_t *d, unsigned keep, bool last)
{
	struct model *m = b->model;
	unsigned n = 0;

	while (n < BEAT && keep >> n & 1)
		n++;
	block_check(b, keep == (1u << n) - 1 && n && !(n & 3) && (last || n == BEAT), "TX: tkeep %x, last %d", keep, last);
	if (m->tx_len + n > sizeof(m->tx)) {
		block_fault(b, "TX: a packet without end");
		m->tx_len = 0;
	}
	memcpy(m->tx + m->tx_len, d, n);
	m->tx_len += n;
	m->tx_open = !last;
	if (!last)
		return;
	tx_tlp(b);
	m->tx_len = 0;
}

/* ---- receive ---- */
static const unsigned bar_log2[7] = { 16, 12, 24, 12, 16, 12, 12 };

/* What the root complex makes of another type is no completion on a link that carries both. */
static struct tlp *completion(struct block *b)
{
	struct tlp *t;

	while ((t = block_completion(b)) && (t->hdr[0] >> 24 & 0x1e) != 0x0a)
		free(t);
	return t;
}

static bool rx_next(struct block *b, bool behind)
{
	struct model *m = b->model;
	struct tlp *t = NULL;
	unsigned head, type;
	uint32_t w[4];

	/* behind a small one that stood behind another: a gap */
	if (behind && m->rx_small && !m->rx_alone)
		return false;
	if (block_chance(b, 60))
		t = completion(b);
	if (!t) {
		bool np = m->np_ok || m->np_left;
		unsigned had = b->host_np.n;

		t = block_request(b, np);
		if (b->host_np.n < had && !m->np_ok)
			m->np_left--;
	}
	if (!t)
		t = completion(b);
	if (!t)
		return false;
	type = t->hdr[0] >> 24 & 0x1f;
	m->old_hit = m->rx_hit;
	m->rx_hit = 0;
	memcpy(w, t->hdr, 16);
	if (type < 2) {
		bool wide = t->hdr[0] >> 29 & 1;
		uint64_t addr = (wide ? (uint64_t)w[2] << 32 | w[3] : w[2]) & ((1ull << bar_log2[t->bar]) - 1);

		addr |= m->bar_base[t->bar] & (wide ? ~0ull : 0xffffffffull);
		if (wide)
			w[2] = (uint32_t)(addr >> 32), w[3] = (uint32_t)addr;
		else
			w[2] = (uint32_t)addr;
		m->rx_hit = 1u << t->bar | (t->bar == 2 ? 1u << 3 : 0);
	} else if (type != 0x0a && type >> 3 != 2) {
		m->rx_hit = 1u << t->bar;
	}
	head = t->hdr[0] >> 29 & 1 ? 16 : 12;
	memcpy(m->rx, w, head);
	for (unsigned i = 0; i < t->len / 4; i++) {
		memcpy(w, t->data + 4 * i, 4);
		w[0] = swap32(w[0]);
		memcpy(m->rx + head + 4 * i, w, 4);
	}
	m->rx_len = head + t->len;
	m->rx_pos = 0;
	m->rx_small = m->rx_len <= 16;
	m->rx_alone = !behind;
	m->rx_open = true;
	free(t);
	return true;
}

static unsigned place(struct block *b, unsigned at)
{
	struct model *m = b->model;
	unsigned n = m->rx_len - m->rx_pos < BEAT - at ? m->rx_len - m->rx_pos : BEAT - at;

	memcpy(m->rx_d + at, m->rx + m->rx_pos, n);
	m->rx_pos += n;
	m->rx_open = m->rx_pos < m->rx_len;
	return at + n;
}

static void rx_beat(struct block *b)
{
	struct model *m = b->model;
	unsigned end;

	if (m->rx_open ? block_chance(b, b->cfg.gap_cpl / 4) : block_chance(b, b->cfg.gap_req / 4) || !rx_next(b, false))
		return;
	block_rand_bytes(b, m->rx_d, sizeof(m->rx_d));
	m->rx_user = (unsigned)block_rand(b) & 0x218000; /* what means nothing here */
	m->rx_valid = true;
	m->rx_keep = (unsigned)block_rand(b) & 0xffff;
	m->rx_last = block_chance(b, 50);
	if (BEAT == 8) {
		m->rx_user = m->rx_hit << 2;
		end = place(b, 0);
		m->rx_last = !m->rx_open;
		m->rx_keep = end == 4 ? 0x0f : 0xff;
		return;
	}
	m->rx_user = m->rx_hit << 2;
	if (!m->rx_pos) {
		unsigned at = block_chance(b, 20) ? 8 : 0; /* some start in the upper half behind nothing */

		m->rx_user |= 1u << 14 | at << 10;
		end = place(b, at);
	} else {
		end = place(b, 0);
	}
	if (m->rx_open)
		return;
	m->rx_user |= 1u << 21 | (end - 1) << 17;
	/* another one begins in the upper half */
	if (end <= 8 && !(m->rx_user >> 14 & 1) && block_chance(b, 70) && rx_next(b, true)) {
		m->rx_user |= 1u << 14 | 8u << 10;
		m->rx_user = (m->rx_user & ~0x3fcu) | (m->hit_is_new ? m->rx_hit : m->old_hit) << 2;
		place(b, 8);
	}
}

/* ---- the cycle ---- */
void model_reset(struct block *b)
{
	struct model *m = b->model;

	if (!m && !(b->model = m = calloc(1, sizeof(*m))))
		abort();
	tlp_drop(&m->cpl_wait);
	memset(m, 0, sizeof(*m));
	m->hit_is_new = block_chance(b, 50);
	for (int i = 0; i < 7; i++)
		m->bar_base[i] = block_rand(b) << bar_log2[i];
}

void model_free(struct block *b) { free(b->model); }

bool model_idle(const struct block *b)
{
	const struct model *m = b->model;

	return !m->rx_valid && !m->rx_open && !m->tx_open && !m->tx_len && !m->cpl_wait.n;
}

/* Words of the pins: 0 bits: rx_tready, tx_tvalid, tx_tlast, np_ok, flr_done, tuser[3:0] at 8, tkeep at 16; 4 TX data. */
bool block_flr_done(const uint32_t pins[BLOCK_OUT_WORDS]) { return pins[0] >> 4 & 1; }

void model_sample(struct block *b, const uint32_t pins[BLOCK_OUT_WORDS])
{
	struct model *m = b->model;
	uint32_t w = pins[0];
	bool v = w >> 1 & 1, last = w >> 2 & 1;
	uint8_t now[20] = { 0 };

	memcpy(now, pins + 4, 16);
	now[16] = (uint8_t)last;
	now[17] = (uint8_t)(w >> 16), now[18] = (uint8_t)(w >> 24);
	block_check(b, !v || !(w >> 8 & 15), "TX: side band");
	block_check(b, !m->tx_wait || (v && !memcmp(now, m->tx_held, 20)), "TX: changed while it waited");
	m->tx_wait = v && !m->tx_ready;
	memcpy(m->tx_held, now, 20);
	if (v && m->tx_ready)
		tx_beat(b, now, w >> 16 & 0xffff, last);
	if (m->rx_valid && (w & 1))
		m->rx_valid = false;
	if (m->np_ok && !(w >> 3 & 1))
		m->np_left = 2;
	m->np_ok = w >> 3 & 1;
	while (m->cpl_wait.n && m->cpl_wait.head->stamp <= m->writes_gone)
		tlp_push(&b->card_cpl, tlp_pop(&m->cpl_wait));
}

/* Words of the pins: 0 bits: rx_tvalid, rx_tlast, tx_tready, msix_en, msix_mask, flr, fc_nph at 8, tkeep at 16; 1 bdf, command at 16; 2 dcommand, lcommand at
 * 16; 3 rx_tuser; 4 RX data. */
void model_drive(struct block *b, uint32_t pins[BLOCK_IN_WORDS])
{
	struct model *m = b->model;
	unsigned reads = 0, nph;

	if (b->in.tx_rd_ready)
		m->np_ready_at = b->cycle;
	for (struct tlp *t = b->card_req.head; t; t = t->next)
		reads += !tlp_has_data(t);
	nph = b->cfg.deaf || b->cycle - m->np_ready_at > 40 || reads >= READS ? 0 : 2 * READS - reads;
	if (!m->rx_valid)
		rx_beat(b);
	m->tx_ready = b->card_req.n < TX_TLPS && m->cpl_wait.n < 4 && b->card_cpl.n < 4 && !block_chance(b, b->cfg.stall_wr / 4);
	memset(pins, 0, 4 * BLOCK_IN_WORDS);
	pins[0] = (uint32_t)(m->rx_valid | m->rx_last << 1 | m->tx_ready << 2 | b->in.cfg_msix_en << 3 | b->in.cfg_msix_mask << 4 | b->in.flr_req << 5) |
		  nph << 8 | m->rx_keep << 16;
	pins[1] = b->in.cfg_bdf | (uint32_t)b->in.cfg_bme << 18;
	pins[2] = (uint32_t)b->in.cfg_mps << 5 | (uint32_t)b->in.cfg_ext_tag << 8 | (uint32_t)b->in.cfg_mrrs << 12 | (uint32_t)b->in.cfg_rcb << 19;
	pins[3] = m->rx_user;
	memcpy(pins + 4, m->rx_d, 16);
}
