// SPDX-License-Identifier: BSD-2-Clause
/* Root complex model: the beats of its streams, options, figures. */
#include "rc_int.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* xorshift128+ seeded by splitmix64 (Vigna) */
uint64_t rc_rand(struct weft_rc *rc)
{
	uint64_t a = rc->rng[0], b = rc->rng[1];

	rc->rng[0] = b;
	a ^= a << 23;
	rc->rng[1] = a ^ b ^ (a >> 18) ^ (b >> 5);
	return rc->rng[1] + b;
}

uint32_t rc_below(struct weft_rc *rc, uint32_t n) { return n ? (uint32_t)((rc_rand(rc) >> 20) % n) : 0; }
bool rc_chance(struct weft_rc *rc, unsigned pct) { return pct && rc_below(rc, 100) < pct; }
bool rc_ppm(struct weft_rc *rc, uint32_t ppm) { return ppm && rc_below(rc, 1000000) < ppm; }

void *rc_alloc(size_t n)
{
	void *p = calloc(1, n);

	if (!p)
		abort();
	return p;
}

void rc_fault(struct weft_rc *rc, const char *fmt, ...)
{
	char text[256];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	rc->stats.faults++;
	if (rc->ops.fault)
		rc->ops.fault(rc->ops.ctx, text);
	else
		fprintf(stderr, "root complex: %s\n", text);
}

void rc_trace(struct weft_rc *rc, int dir, int stream, const uint32_t hdr[4], const void *data, uint32_t len)
{
	if (rc->ops.trace)
		rc->ops.trace(rc->ops.ctx, dir, stream, hdr, data, len);
}

struct rc_mem rc_mem_of(const uint32_t hdr[4])
{
	struct rc_mem m = { 0 };
	bool wide = hdr[0] >> 29 & 1;
	uint8_t tail_be;
	uint32_t lead = 0, tail = 0;

	m.addr = wide ? (uint64_t)hdr[2] << 32 | (hdr[3] & ~3u) : hdr[2] & ~3u;
	m.dwords = hdr[0] & 0x3ff ? hdr[0] & 0x3ff : 1024;
	m.fbe = hdr[1] & 0xf;
	m.lbe = hdr[1] >> 4 & 0xf;
	tail_be = m.dwords == 1 ? m.fbe : m.lbe;
	if (!tail_be) {
		m.first = m.addr;
		m.bc = 1;
		return m;
	}
	while (m.fbe && !(m.fbe >> lead & 1))
		lead++;
	while (!(tail_be >> (3 - tail) & 1))
		tail++;
	m.first = m.addr + lead;
	m.bytes = m.bc = 4 * m.dwords - lead - tail;
	return m;
}

bool rc_mem_legal(const struct rc_mem *m)
{
	static const uint16_t up = 1u << 0xf | 1u << 0xe | 1u << 0xc | 1u << 0x8; /* ends at byte 3 */
	static const uint16_t down = 1u << 0xf | 1u << 0x7 | 1u << 0x3 | 1u << 0x1;

	if ((m->addr & 4095) + 4 * m->dwords > 4096)
		return false;
	if (m->dwords == 1)
		return m->lbe == 0;
	return (up >> m->fbe & 1) && (down >> m->lbe & 1);
}

struct weft_rc *weft_rc_new(unsigned beat_bytes, uint64_t seed, const struct weft_rc_ops *ops)
{
	struct weft_rc *rc = rc_alloc(sizeof(*rc));

	rc->ops = *ops;
	rc->beat = beat_bytes;
	rc->req_tail = &rc->req_head;
	rc->np_tail = &rc->np_head;
	rc->rd_tail = &rc->rd_head;
	rc->late_tail = &rc->late_head;
	rc->cfg.bdf = 0x0100;
	rc->cfg.mrrs = 2;
	for (int i = 0; i < 2; i++) {
		uint64_t z = (seed += 0x9e3779b97f4a7c15ull);

		z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
		z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
		rc->rng[i] = z ^ (z >> 31);
	}
	return rc;
}

void weft_rc_reset(struct weft_rc *rc)
{
	rc_host_forget(rc);
	rc_card_forget(rc);
	rc_card_drop(rc);
	rc_flow_forget(rc);
	free(rc->req);
	rc->req = NULL;
	rc->req_pos = 0;
	rc->posted_taken = rc->posted_made;
	rc->cpl_busy = false;
	rc->wr_pos = rc->tx_cpl_pos = 0;
	rc->cfg.bme = rc->cfg.msix_en = rc->cfg.msix_mask = rc->cfg.flr = false;
	rc->msix_n = 0;
	rc->flr_fn = NULL;
	memset(&rc->in, 0, sizeof(rc->in));
}

void weft_rc_free(struct weft_rc *rc)
{
	if (!rc)
		return;
	weft_rc_reset(rc);
	free(rc);
}

struct weft_rc_cfg *weft_rc_config(struct weft_rc *rc) { return &rc->cfg; }
const struct weft_rc_stats *weft_rc_stats(const struct weft_rc *rc) { return &rc->stats; }

bool weft_rc_idle(const struct weft_rc *rc)
{
	return !rc->req && !rc->req_head && !rc->np_head && !rc->np_used && !rc->cpl_busy && !rc->rd_head && !rc->strays &&
	       !rc->wr_pos && !rc->tx_cpl_pos && !rc->late_head && !rc->cfg.flr;
}

/* Copy a beat; lanes behind the payload carry noise. */
static void beat(struct weft_rc *rc, uint8_t *out, const uint8_t *data, uint32_t pos, uint32_t len)
{
	uint32_t n = len - pos < rc->beat ? len - pos : rc->beat;

	memset(out, 0xa5, rc->beat);
	memcpy(out, data + pos, n);
}

void weft_rc_drive(struct weft_rc *rc, struct weft_rc_in *in)
{
	struct weft_rc_in *d = &rc->in;

	rc->cycle++;
	rc->stats.cycles++;
	rc_flow_cycle(rc);
	rc_card_cycle(rc);
	if (!d->rx_req_valid && !rc_chance(rc, rc->cfg.gap_req)) {
		if (!rc->req)
			rc_host_next(rc);
		if (rc->req) {
			d->rx_req_valid = true;
			rc->req_since = rc->cycle;
			d->rx_req_bar = (uint8_t)rc->req->bar;
			memcpy(d->rx_req_hdr, rc->req->hdr, 16);
			beat(rc, d->rx_req_data, rc->req->data, rc->req_pos, rc->req->len);
			d->rx_req_last = rc->req->len - rc->req_pos <= rc->beat;
		}
	}
	if (!d->rx_cpl_valid && !rc_chance(rc, rc->cfg.gap_cpl)) {
		if (!rc->cpl_busy && rc_next_completion(rc)) {
			rc->cpl_busy = true;
			rc->cpl_pos = 0;
			rc->stats.cpl_tlps++;
			rc_trace(rc, 0, WEFT_RC_RX_CPL, rc->cpl_hdr, rc->cpl_data, rc->cpl_len);
		}
		if (rc->cpl_busy) {
			d->rx_cpl_valid = true;
			rc->cpl_since = rc->cycle;
			memcpy(d->rx_cpl_hdr, rc->cpl_hdr, 16);
			beat(rc, d->rx_cpl_data, rc->cpl_data, rc->cpl_pos, rc->cpl_len);
			d->rx_cpl_last = rc->cpl_len - rc->cpl_pos <= rc->beat;
		}
	}
	/* A TLP that has begun has its credits. */
	d->tx_rd_ready = !rc_chance(rc, rc->cfg.stall_rd) && rc_flow_room(rc, RC_NONPOSTED);
	d->tx_wr_ready = !rc_chance(rc, rc->cfg.stall_wr) && (rc->wr_pos || rc_flow_room(rc, RC_POSTED));
	d->tx_cpl_ready = !rc_chance(rc, rc->cfg.stall_cpl) && (rc->tx_cpl_pos || rc_flow_room(rc, RC_COMPLETION));
	d->cfg_bdf = rc->cfg.bdf;
	d->cfg_bme = rc->cfg.bme;
	d->cfg_rcb = rc->cfg.rcb128;
	d->cfg_ext_tag = rc->cfg.ext_tag;
	d->cfg_msix_en = rc->cfg.msix_en;
	d->cfg_msix_mask = rc->cfg.msix_mask;
	d->flr_req = rc->cfg.flr;
	d->cfg_mps = rc->cfg.mps;
	d->cfg_mrrs = rc->cfg.mrrs;
	if (rc->bme_seen != rc->cfg.bme) {
		rc->bme_seen = rc->cfg.bme;
		rc->bme_rd = rc->bme_wr = 0;
	}
	if (!rc->bme_seen) {
		rc->bme_rd += d->tx_rd_ready && rc->bme_rd < UINT32_MAX;
		rc->bme_wr += d->tx_wr_ready && rc->bme_wr < UINT32_MAX;
	}
	*in = *d;
}

void weft_rc_sample(struct weft_rc *rc, const struct weft_rc_out *out)
{
	struct weft_rc_in *d = &rc->in;

	if (d->rx_req_valid && out->rx_req_ready) {
		d->rx_req_valid = false;
		rc->req_pos += rc->beat;
		if (d->rx_req_last)
			rc_host_taken(rc);
	}
	if (d->rx_cpl_valid && out->rx_cpl_ready) {
		d->rx_cpl_valid = false;
		rc->cpl_pos += rc->beat;
		if (d->rx_cpl_last)
			rc->cpl_busy = false;
	}
	if (out->tx_wr_valid && d->tx_wr_ready)
		rc_card_write(rc, out);
	if (out->tx_rd_valid && d->tx_rd_ready)
		rc_card_read(rc, out->tx_rd_hdr);
	if (out->tx_cpl_valid && d->tx_cpl_ready)
		rc_host_completion(rc, out->tx_cpl_hdr, out->tx_cpl_data);
	rc_flow_watch(rc, out);
	if (rc->cfg.flr && d->flr_req && out->flr_done) {
		rc->cfg.flr = false;
		/* The host asks whether the reset is over: the answer comes behind what was sent before. */
		rc_card_flush(rc, UINT64_MAX);
		if (!rc->cfg.stray_ppm)
			rc_card_forget(rc);
		if (rc->wr_pos)
			rc_fault(rc, "reset in the middle of a write");
		if (rc->flr_fn)
			rc->flr_fn(rc->flr_arg);
		rc->flr_fn = NULL;
	}
}

void weft_rc_flr(struct weft_rc *rc, void (*fn)(void *arg), void *arg)
{
	rc_host_forget(rc);
	rc->cfg.bme = rc->cfg.msix_en = rc->cfg.msix_mask = false;
	rc->cfg.flr = true;
	rc->flr_fn = fn;
	rc->flr_arg = arg;
}
