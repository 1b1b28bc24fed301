// SPDX-License-Identifier: BSD-2-Clause
/* Root complex model: requests of the card, and the completions that answer its reads. */
#include "rc_int.h"

#include <stdlib.h>
#include <string.h>

#define BME_GRACE 64 /* cycles with ready in which requests may still leave after bus mastering went off */

static void check_common(struct weft_rc *rc, const char *what, const uint32_t hdr[4], const struct rc_mem *m, uint32_t off)
{
	bool wide = hdr[0] >> 29 & 1;

	if (hdr[0] & 0x00fffc00)
		rc_fault(rc, "%s: attribute bits set: %08x", what, hdr[0]);
	if (hdr[1] >> 16 != rc->cfg.bdf)
		rc_fault(rc, "%s: requester ID %04x", what, hdr[1] >> 16);
	if (wide != (m->addr >> 32 != 0) || (!wide && hdr[3]))
		rc_fault(rc, "%s: header of the wrong length for address %llx", what, (unsigned long long)m->addr);
	if (hdr[wide ? 3 : 2] & 3)
		rc_fault(rc, "%s: address bits 1:0 set", what);
	if ((m->addr & 4095) + 4 * m->dwords > 4096)
		rc_fault(rc, "%s: %u dwords at %llx cross 4 KiB", what, m->dwords, (unsigned long long)m->addr);
	if (!m->bytes || !rc_mem_legal(m))
		rc_fault(rc, "%s: byte enables %x %x of %u dwords", what, m->fbe, m->lbe, m->dwords);
	if (!rc->bme_seen && off > BME_GRACE)
		rc_fault(rc, "%s: bus mastering is off", what);
}

void rc_card_read(struct weft_rc *rc, const uint32_t hdr[4])
{
	struct rc_mem m = rc_mem_of(hdr);
	uint8_t tag = hdr[1] >> 8 & 0xff;
	struct rc_rd *r;

	rc_trace(rc, 1, WEFT_RC_TX_RD, hdr, NULL, 0);
	rc->stats.rd_tlps++;
	rc->stats.rd_bytes += m.bytes;
	rc_flow_use(rc, RC_NONPOSTED, 0);
	if (hdr[0] >> 30 || (hdr[0] >> 24 & 0x1f)) {
		rc_fault(rc, "read stream: no memory read: %08x", hdr[0]);
		return;
	}
	check_common(rc, "read", hdr, &m, rc->bme_rd);
	if (4 * m.dwords > 128u << rc->cfg.mrrs)
		rc_fault(rc, "read: %u dwords are more than MRRS", m.dwords);
	if (!rc->cfg.ext_tag && tag >= 32)
		rc_fault(rc, "read: tag %u without extended tags", tag);
	if (rc->outstanding[tag]) {
		rc_fault(rc, "read: tag %u is outstanding", tag);
		return;
	}
	r = rc_alloc(sizeof(*r) + m.bytes);
	r->addr = m.first;
	r->left = m.bytes;
	r->base = m.first;
	r->total = m.bytes;
	r->reqid = (uint16_t)(hdr[1] >> 16);
	r->tag = tag;
	r->tc = hdr[0] >> 20 & 7;
	r->due = rc->cycle + rc->cfg.delay_min;
	if (rc->cfg.delay_max > rc->cfg.delay_min)
		r->due += rc_below(rc, rc->cfg.delay_max - rc->cfg.delay_min + 1);
	r->sample_at = r->due;
	if (rc->cfg.stale)
		r->sample_at -= rc_below(rc, (uint32_t)(r->due - rc->cycle) + 1);
	r->writes = rc->wr_taken;
	if (rc_ppm(rc, rc->cfg.ur_ppm))
		r->inject = WEFT_RC_UR;
	else if (rc_ppm(rc, rc->cfg.ca_ppm))
		r->inject = WEFT_RC_CA;
	else if (rc_ppm(rc, rc->cfg.poison_ppm))
		r->inject = WEFT_RC_POISON;
	else if (rc_ppm(rc, rc->cfg.lost_ppm))
		r->inject = WEFT_RC_LOST;
	if (r->inject && rc->ops.injected)
		rc->ops.injected(rc->ops.ctx, r->base, r->total, r->inject);
	if (rc_ppm(rc, rc->cfg.stray_ppm))
		rc->strays++;
	rc->outstanding[tag] = true;
	*rc->rd_tail = r;
	rc->rd_tail = &r->next;
}

static void unlink_rd(struct weft_rc *rc, struct rc_rd *r, bool answered)
{
	struct rc_rd **p = &rc->rd_head;

	while (*p != r)
		p = &(*p)->next;
	*p = r->next;
	if (rc->rd_tail == &r->next)
		rc->rd_tail = p;
	if (rc->rd_cur == r)
		rc->rd_cur = NULL;
	/* A lost read is out of the model's hands: the card gives it up and may use the tag again. */
	rc->outstanding[r->tag] = false;
	if (!answered)
		rc->stats.lost++;
	free(r);
}

static void cpl_header(struct weft_rc *rc, const struct rc_rd *r, uint32_t dwords, unsigned status, bool poison)
{
	bool data = dwords != 0;

	rc->cpl_hdr[0] = (data ? 0x4a000000u : 0x0a000000u) | (uint32_t)r->tc << 20 | (poison ? 1u << 14 : 0) | (dwords & 0x3ff);
	rc->cpl_hdr[1] = status << 13 | (r->left & 0xfff);
	rc->cpl_hdr[2] = (uint32_t)r->reqid << 16 | (uint32_t)r->tag << 8 | (r->addr & 0x7f);
	rc->cpl_hdr[3] = 0;
	rc->cpl_len = 4 * dwords;
}

/* Completions that must be dropped by the card. */
static void make_stray(struct weft_rc *rc)
{
	struct rc_rd r = { .addr = rc_rand(rc), .left = 1 + rc_below(rc, 512), .reqid = rc->cfg.bdf };
	uint32_t dwords = 1 + rc_below(rc, 32);

	r.tag = (uint8_t)rc_rand(rc);
	if (rc->outstanding[r.tag]) {
		/* For a read under way only one that is somebody else's. */
		r.reqid ^= (uint16_t)(1 + rc_below(rc, 0xffff));
	}
	for (uint32_t i = 0; i < 4 * dwords; i++)
		rc->cpl_data[i] = (uint8_t)rc_rand(rc);
	if (rc_chance(rc, 30)) {
		/* A refusal has nothing to check but whose it is. */
		r.reqid = rc->cfg.bdf ^ (uint16_t)(1 + rc_below(rc, 0xffff));
		cpl_header(rc, &r, 0, 1 + 3 * rc_below(rc, 2), false);
		return;
	}
	cpl_header(rc, &r, dwords, 0, rc_chance(rc, 20));
	if (rc_chance(rc, 10))
		rc->cpl_hdr[0] ^= 1u << (24 + rc_below(rc, 3)); /* another type */
	/* Never what a given-up read would look like: its requester is nobody */
	if (!rc_chance(rc, 50))
		rc->cpl_hdr[2] ^= 0x00010000u << rc_below(rc, 16);
	else if (!rc->outstanding[r.tag])
		rc->cpl_hdr[1] |= 0xc00; /* a byte count beyond any read of the card */
}

/* Memory is read for a request: behind the writes that the card sent before it, and the completion is from now on behind the
 * posted requests that the host has made so far. */
static void sample(struct weft_rc *rc, struct rc_rd *r)
{
	rc_card_flush(rc, r->writes);
	r->sampled = true;
	r->after = rc->posted_made;
	r->bad = rc->ops.read_mem(rc->ops.ctx, r->base, r->total, r->data) != 0;
}

/* The card has taken all that was posted before the completions of this read. */
static bool in_order(const struct weft_rc *rc, const struct rc_rd *r)
{
	return rc->posted_taken >= r->after;
}

static struct rc_rd *choose(struct weft_rc *rc)
{
	struct rc_rd *r, *pick = NULL;
	bool held = false;
	uint32_t n = 0;

	if (!rc->cfg.reorder) {
		pick = rc->rd_cur ? rc->rd_cur : rc->rd_head && rc->rd_head->due <= rc->cycle ? rc->rd_head : NULL;
		if (pick && !pick->sampled)
			sample(rc, pick);
		held = pick && !in_order(rc, pick);
		rc->stats.held += held;
		return held ? NULL : pick;
	}
	for (r = rc->rd_head; r; r = r->next) {
		if (r->due > rc->cycle)
			continue;
		/* Those that are sampled here are behind all that is posted: they wait when anything is. */
		if (r->sampled ? !in_order(rc, r) : rc->posted_taken != rc->posted_made)
			held = true;
		else if (!rc_below(rc, ++n))
			pick = r;
	}
	rc->stats.held += held && !pick;
	if (pick && !pick->sampled)
		sample(rc, pick);
	return pick;
}

/* Bytes of the next completion: ends where the read ends, or at a multiple of the RCB. */
static uint32_t piece(struct weft_rc *rc, const struct rc_rd *r)
{
	uint32_t rcb = rc->cfg.rcb128 ? 128 : 64, mps = 128u << rc->cfg.mps;
	uint32_t head = (uint32_t)(r->addr & 3), max = mps - head, whole, n;

	if (r->left <= max && !(rc->cfg.split && rc_chance(rc, 60)))
		return r->left;
	n = rcb - (uint32_t)(r->addr & (rcb - 1)); /* to the first boundary */
	if (n >= r->left)
		return r->left;
	whole = ((r->left < max ? r->left : max) - n) / rcb;
	if (n > max)
		return r->left; /* cannot be: MPS is a multiple of the RCB */
	return n + rcb * (rc->cfg.split ? rc_below(rc, whole + 1) : whole);
}

bool rc_next_completion(struct weft_rc *rc)
{
	struct rc_rd *r;
	uint32_t n, lead;
	bool bad;

	if (rc->strays && rc_chance(rc, 10)) {
		rc->strays--;
		make_stray(rc);
		return true;
	}
	r = choose(rc);
	if (!r)
		return false;
	rc->rd_cur = r;
	/* lost: nothing, or its last pieces */
	if (r->inject == WEFT_RC_LOST && (r->left < 64 || rc_chance(rc, 50))) {
		unlink_rd(rc, r, false);
		return false;
	}
	n = piece(rc, r);
	lead = (uint32_t)(r->addr & 3);
	memset(rc->cpl_data, 0x5a, lead + n + 4);
	memcpy(rc->cpl_data + lead, r->data + (r->addr - r->base), n);
	bad = r->bad;
	if (bad && !r->inject && rc->ops.injected)
		rc->ops.injected(rc->ops.ctx, r->base, r->total, WEFT_RC_UR);
	if (bad || ((r->inject == WEFT_RC_UR || r->inject == WEFT_RC_CA) && (n == r->left || rc_chance(rc, 50)))) {
		cpl_header(rc, r, 0, r->inject == WEFT_RC_CA ? 4 : 1, false);
		rc->stats.refused++;
		unlink_rd(rc, r, true);
		return true;
	}
	bad = r->inject == WEFT_RC_POISON && (n == r->left || rc_chance(rc, 50));
	cpl_header(rc, r, (lead + n + 3) / 4, 0, bad);
	if (bad) /* one piece of a read */
		r->inject = 0;
	r->addr += n;
	r->left -= n;
	if (!r->left) {
		if (r->inject == WEFT_RC_LOST)
			rc->cpl_len = 0;
		unlink_rd(rc, r, rc->cpl_len != 0);
		return rc->cpl_len != 0;
	}
	return true;
}

void rc_card_forget(struct weft_rc *rc)
{
	while (rc->rd_head)
		unlink_rd(rc, rc->rd_head, true);
	rc->strays = 0;
}

/* ---- posted writes ---- */

/* A write or message takes effect. */
static void deliver(struct weft_rc *rc, const uint32_t hdr[4], const uint8_t *data)
{
	struct rc_mem m = rc_mem_of(hdr);
	const uint8_t *first = data + (m.first - m.addr);

	rc->wr_done++;
	if (rc->cfg.off_drops && !rc->cfg.bme)
		return;
	if (m.bytes == 4 && !(m.first & 3)) {
		for (unsigned v = 0; v < rc->msix_n; v++) {
			uint32_t value;

			if (m.first != rc_msix_addr(v))
				continue;
			memcpy(&value, first, 4);
			if (value != rc_msix_data(v))
				rc_fault(rc, "MSI-X vector %u: data %08x", v, value);
			rc->stats.irqs++;
			if (rc->ops.irq)
				rc->ops.irq(rc->ops.ctx, v);
			return;
		}
	}
	rc->ops.write_mem(rc->ops.ctx, m.first, m.bytes, first);
}

void rc_card_flush(struct weft_rc *rc, uint64_t upto)
{
	struct rc_wr *w;

	while ((w = rc->late_head) && rc->wr_done < upto) {
		rc->late_head = w->next;
		if (!w->next)
			rc->late_tail = &rc->late_head;
		deliver(rc, w->hdr, w->data);
		free(w);
	}
}

void rc_card_drop(struct weft_rc *rc)
{
	struct rc_wr *w;

	while ((w = rc->late_head)) {
		rc->late_head = w->next;
		free(w);
	}
	rc->late_tail = &rc->late_head;
	rc->wr_done = rc->wr_taken;
}

void rc_card_cycle(struct weft_rc *rc)
{
	while (rc->late_head && rc->late_head->due <= rc->cycle)
		rc_card_flush(rc, rc->wr_done + 1);
	if (!rc->cfg.stale)
		return;
	for (struct rc_rd *r = rc->rd_head; r; r = r->next)
		if (!r->sampled && r->sample_at <= rc->cycle)
			sample(rc, r);
}

/* A write was taken whole. */
static void taken(struct weft_rc *rc)
{
	struct rc_mem m = rc_mem_of(rc->wr_hdr);
	uint32_t len = 4 * m.dwords, late = rc->cfg.late_min;
	struct rc_wr *w;

	rc->stats.wr_tlps++;
	rc->stats.wr_bytes += m.bytes;
	rc->wr_taken++;
	rc_trace(rc, 1, WEFT_RC_TX_WR, rc->wr_hdr, rc->wr_data, len);
	if (rc->cfg.late_max > late)
		late += rc_below(rc, rc->cfg.late_max - late + 1);
	if (!late && !rc->late_head) {
		deliver(rc, rc->wr_hdr, rc->wr_data);
		return;
	}
	w = rc_alloc(sizeof(*w) + len);
	memcpy(w->hdr, rc->wr_hdr, 16);
	memcpy(w->data, rc->wr_data, len);
	/* in order */
	if (rc->wr_due < rc->cycle + late)
		rc->wr_due = rc->cycle + late;
	w->due = rc->wr_due;
	*rc->late_tail = w;
	rc->late_tail = &w->next;
}

void rc_card_write(struct weft_rc *rc, const struct weft_rc_out *out)
{
	struct rc_mem m = rc_mem_of(out->tx_wr_hdr);
	uint32_t len = 4 * m.dwords;

	if (!rc->wr_pos) {
		memcpy(rc->wr_hdr, out->tx_wr_hdr, 16);
		if (out->tx_wr_hdr[0] >> 30 != 1 || (out->tx_wr_hdr[0] >> 24 & 0x1f))
			rc_fault(rc, "write stream: no memory write: %08x", out->tx_wr_hdr[0]);
		check_common(rc, "write", out->tx_wr_hdr, &m, rc->bme_wr);
		rc_flow_use(rc, RC_POSTED, len);
		if (len > 128u << rc->cfg.mps)
			rc_fault(rc, "write: %u dwords are more than MPS", m.dwords);
	} else if (memcmp(rc->wr_hdr, out->tx_wr_hdr, 16)) {
		rc_fault(rc, "write: header changes between beats");
	}
	memcpy(rc->wr_data + rc->wr_pos, out->tx_wr_data, rc->beat);
	rc->wr_pos += rc->beat;
	if (out->tx_wr_last != (rc->wr_pos >= len))
		rc_fault(rc, "write: last at byte %u of %u", rc->wr_pos, len);
	if (out->tx_wr_last || rc->wr_pos >= len) {
		rc->wr_pos = 0;
		taken(rc);
	}
}
