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

#include "block.h"
#include "svdpi.h"

#define BEAT (TB_DATA_W / 8)
#define TX_TLPS 6
#define READS 4

extern struct weft_rc_cfg *cfg;
static bool started, hit_is_new;

static uint32_t swap32(uint32_t v) { return __builtin_bswap32(v); }

/* ---- transmit ---- */
static uint8_t tx[4096 + 64];
static unsigned tx_len;
static bool tx_open, tx_wait;
static uint8_t tx_held[20];
static uint64_t writes_in, writes_gone;
static struct tlps cpl_wait;

void block_gone(struct tlp *t) { writes_gone += tlp_has_data(t); }

static void tx_tlp(void)
{
	struct tlp *t = tlp_new();
	unsigned head, dwords, type;
	uint32_t w[4];

	memcpy(t->hdr, tx, 16);
	head = t->hdr[0] >> 29 & 1 ? 16 : 12;
	if (head == 12)
		t->hdr[3] = 0;
	dwords = tlp_has_data(t) ? tlp_dwords(t) : 0;
	type = t->hdr[0] >> 24 & 0x1f;
	tb_check(tx_len == head + 4 * dwords, "TX: %u bytes, header %u, %u dwords", tx_len, head, dwords);
	t->len = 4 * dwords;
	for (unsigned i = 0; i < dwords; i++) {
		memcpy(w, tx + head + 4 * i, 4);
		w[0] = swap32(w[0]);
		memcpy(t->data + 4 * i, w, 4);
	}
	if (type == 0x0a || type == 0x0b) {
		/* behind the writes before it */
		t->stamp = writes_in;
		tlp_push(&cpl_wait, t);
		return;
	}
	tb_check(type == 0, "TX: type %02x", type);
	writes_in += tlp_has_data(t);
	tlp_push(&card_req, t);
}

static void tx_beat(const uint8_t *d, unsigned keep, bool last)
{
	unsigned n = 0;

	while (n < BEAT && keep >> n & 1)
		n++;
	tb_check(keep == (1u << n) - 1 && n && !(n & 3) && (last || n == BEAT), "TX: tkeep %x, last %d", keep, last);
	if (tx_len + n > sizeof(tx)) {
		tb_fail("TX: a packet without end");
		tx_len = 0;
	}
	memcpy(tx + tx_len, d, n);
	tx_len += n;
	tx_open = !last;
	if (!last)
		return;
	tx_tlp();
	tx_len = 0;
}

/* ---- receive ---- */
static const unsigned bar_log2[7] = { 16, 12, 24, 12, 16, 12, 12 };
static uint64_t bar_base[7];
static uint8_t rx[4096 + 64];
static unsigned rx_len, rx_pos, rx_hit, old_hit;
static bool rx_open, rx_small, rx_alone;
static unsigned np_left;
static bool np_ok, rx_valid;
static uint8_t rx_d[16];
static unsigned rx_keep, rx_user;
static bool rx_last;

/* What the root complex makes of another type is no completion on a link that carries both. */
static struct tlp *completion(void)
{
	struct tlp *t;

	while ((t = block_completion()) && (t->hdr[0] >> 24 & 0x1e) != 0x0a)
		free(t);
	return t;
}

static bool rx_next(bool behind)
{
	struct tlp *t = NULL;
	unsigned head, type;
	uint32_t w[4];

	/* behind a small one that stood behind another: a gap */
	if (behind && rx_small && !rx_alone)
		return false;
	if (tb_chance(60))
		t = completion();
	if (!t) {
		bool np = np_ok || np_left;
		unsigned had = host_np.n;

		t = block_request(np);
		if (host_np.n < had && !np_ok)
			np_left--;
	}
	if (!t)
		t = completion();
	if (!t)
		return false;
	type = t->hdr[0] >> 24 & 0x1f;
	old_hit = rx_hit;
	rx_hit = 0;
	memcpy(w, t->hdr, 16);
	if (type < 2) {
		bool wide = t->hdr[0] >> 29 & 1;
		uint64_t addr = (wide ? (uint64_t)w[2] << 32 | w[3] : w[2]) & ((1ull << bar_log2[t->bar]) - 1);

		addr |= bar_base[t->bar] & (wide ? ~0ull : 0xffffffffull);
		if (wide)
			w[2] = (uint32_t)(addr >> 32), w[3] = (uint32_t)addr;
		else
			w[2] = (uint32_t)addr;
		rx_hit = 1u << t->bar | (t->bar == 2 ? 1u << 3 : 0);
	} else if (type != 0x0a && type >> 3 != 2) {
		rx_hit = 1u << t->bar;
	}
	head = t->hdr[0] >> 29 & 1 ? 16 : 12;
	memcpy(rx, w, head);
	for (unsigned i = 0; i < t->len / 4; i++) {
		memcpy(w, t->data + 4 * i, 4);
		w[0] = swap32(w[0]);
		memcpy(rx + head + 4 * i, w, 4);
	}
	rx_len = head + t->len;
	rx_pos = 0;
	rx_small = rx_len <= 16;
	rx_alone = !behind;
	rx_open = true;
	free(t);
	return true;
}

static unsigned place(unsigned at)
{
	unsigned n = rx_len - rx_pos < BEAT - at ? rx_len - rx_pos : BEAT - at;

	memcpy(rx_d + at, rx + rx_pos, n);
	rx_pos += n;
	rx_open = rx_pos < rx_len;
	return at + n;
}

static void rx_beat(void)
{
	unsigned end;

	if (rx_open ? tb_chance(cfg->gap_cpl / 4) : tb_chance(cfg->gap_req / 4) || !rx_next(false))
		return;
	tb_rand_bytes(rx_d, sizeof(rx_d));
	rx_user = (unsigned)tb_rand() & 0x218000; /* what means nothing here */
	rx_valid = true;
	rx_keep = (unsigned)tb_rand() & 0xffff;
	rx_last = tb_chance(50);
	if (BEAT == 8) {
		rx_user = rx_hit << 2;
		end = place(0);
		rx_last = !rx_open;
		rx_keep = end == 4 ? 0x0f : 0xff;
		return;
	}
	rx_user = rx_hit << 2;
	if (!rx_pos) {
		unsigned at = tb_chance(20) ? 8 : 0; /* some start in the upper half behind nothing */

		rx_user |= 1u << 14 | at << 10;
		end = place(at);
	} else {
		end = place(0);
	}
	if (rx_open)
		return;
	rx_user |= 1u << 21 | (end - 1) << 17;
	/* another one begins in the upper half */
	if (end <= 8 && !(rx_user >> 14 & 1) && tb_chance(70) && rx_next(true)) {
		rx_user |= 1u << 14 | 8u << 10;
		rx_user = (rx_user & ~0x3fcu) | (hit_is_new ? rx_hit : old_hit) << 2;
		place(8);
	}
}

/* ---- the cycle ---- */
static bool tx_ready;
static uint64_t np_ready_at;

void s7_sample(int b, const svBitVecVal *d)
{
	bool v = b >> 1 & 1, last = b >> 2 & 1;
	uint8_t now[20] = { 0 };

	memcpy(now, d, 16);
	memcpy(now + 16, &b, 4);
	now[16] &= 0x04;
	if (!started)
		return;
	tb_check(!v || !(b >> 8 & 15), "TX: side band");
	tb_check(!tx_wait || (v && !memcmp(now, tx_held, 20)), "TX: changed while it waited");
	tx_wait = v && !tx_ready;
	memcpy(tx_held, now, 20);
	if (v && tx_ready)
		tx_beat(now, (unsigned)b >> 16 & 0xffff, last);
	if (rx_valid && (b & 1))
		rx_valid = false;
	if (np_ok && !(b >> 3 & 1))
		np_left = 2;
	np_ok = b >> 3 & 1;
	while (cpl_wait.n && cpl_wait.head->stamp <= writes_gone)
		tlp_push(&card_cpl, tlp_pop(&cpl_wait));
	block_sample(b >> 4 & 1);
}

void s7_drive(int *b, int *bdf, int *dcommand, int *user, svBitVecVal *d)
{
	unsigned reads = 0, nph;

	if (!started) {
		started = true;
		hit_is_new = tb_chance(50);
		for (int i = 0; i < 7; i++)
			bar_base[i] = tb_rand() << bar_log2[i];
	}
	block_drive();
	if (rc_in.tx_rd_ready)
		np_ready_at = tb_cycle();
	for (struct tlp *t = card_req.head; t; t = t->next)
		reads += !tlp_has_data(t);
	nph = cfg->stall_rd >= 100 || tb_cycle() - np_ready_at > 40 || reads >= READS ? 0 : 2 * READS - reads;
	if (!rx_valid)
		rx_beat();
	tx_ready = card_req.n < TX_TLPS && cpl_wait.n < 4 && card_cpl.n < 4 && !tb_chance(cfg->stall_wr / 4);
	*b = (int)(rx_valid | rx_last << 1 | tx_ready << 2 | rc_in.cfg_msix_en << 3 | rc_in.cfg_msix_mask << 4 | rc_in.flr_req << 5 |
		   nph << 8 | rx_keep << 16);
	*bdf = cfg->bdf | rc_in.cfg_bme << 18;
	*dcommand = rc_in.cfg_mps << 5 | rc_in.cfg_ext_tag << 8 | rc_in.cfg_mrrs << 12 | rc_in.cfg_rcb << 19;
	*user = (int)rx_user;
	memcpy(d, rx_d, 16);
}
