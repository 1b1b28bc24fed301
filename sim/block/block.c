// SPDX-License-Identifier: BSD-2-Clause
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "block_int.h"

struct tlp *tlp_new(void)
{
	struct tlp *t = calloc(1, sizeof(*t));

	if (!t)
		abort();
	return t;
}

void tlp_push(struct tlps *q, struct tlp *t)
{
	t->next = NULL;
	if (q->n++)
		q->last->next = t;
	else
		q->head = t;
	q->last = t;
}

struct tlp *tlp_pop(struct tlps *q)
{
	struct tlp *t = q->head;

	q->head = t->next;
	q->n--;
	return t;
}

void tlp_drop(struct tlps *q)
{
	while (q->n)
		free(tlp_pop(q));
}

void block_rand_bytes(struct block *b, uint8_t *p, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		p[i] = (uint8_t)(block_rand(b) >> 20);
}

uint64_t bits_get(const uint8_t *p, unsigned lsb, unsigned n)
{
	uint64_t v = 0;

	for (unsigned i = 0; i < n; i++)
		v |= (uint64_t)(p[(lsb + i) / 8] >> (lsb + i) % 8 & 1) << i;
	return v;
}

void bits_set(uint8_t *p, unsigned lsb, unsigned n, uint64_t v)
{
	for (unsigned i = 0; i < n; i++) {
		uint8_t bit = (uint8_t)(1u << (lsb + i) % 8);

		p[(lsb + i) / 8] = v >> i & 1 ? p[(lsb + i) / 8] | bit : p[(lsb + i) / 8] & (uint8_t)~bit;
	}
}

void block_fault(struct block *b, const char *fmt, ...)
{
	char text[256];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	b->fault(b->ctx, text);
}

struct block *block_new(unsigned beat, uint64_t seed, void (*fault)(void *ctx, const char *what), void *ctx)
{
	struct block *b = calloc(1, sizeof(*b));

	if (!b)
		abort();
	b->beat = beat;
	b->fault = fault;
	b->ctx = ctx;
	prng_seed(&b->random, seed);
	model_reset(b);
	return b;
}

void block_reset(struct block *b)
{
	struct tlps *const all[] = { &b->host_posted, &b->host_np, &b->host_cpl, &b->card_req, &b->card_cpl };

	for (unsigned i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		tlp_drop(all[i]);
	free(b->req_in);
	free(b->cpl_in);
	b->req_in = b->cpl_in = NULL;
	b->req_pos = b->cpl_pos = b->wr_pos = b->out_pos = 0;
	memset(&b->in, 0, sizeof(b->in));
	memset(&b->out, 0, sizeof(b->out));
	model_reset(b);
}

void block_free(struct block *b)
{
	if (!b)
		return;
	block_reset(b);
	model_free(b);
	free(b);
}

struct block_cfg *block_config(struct block *b) { return &b->cfg; }

/* What the root complex is offered in this cycle. */
static void offer(struct block *b, struct weft_rc_out *o)
{
	struct tlp *t = b->card_req.head, *c = b->card_cpl.head;
	bool write = t && tlp_has_data(t);

	memset(o, 0, sizeof(*o));
	o->rx_req_ready = b->host_posted.n < 64 && b->host_np.n < 64;
	o->rx_cpl_ready = b->host_cpl.n < 64;
	if (t && !b->in.cfg_bme && !b->wr_pos) { /* bus mastering is off: no request leaves */
		t = tlp_pop(&b->card_req);
		model_gone(b, t);
		free(t);
		t = NULL;
		write = false;
	}
	o->tx_rd_valid = t && !write;
	o->tx_wr_valid = write;
	if (t)
		memcpy(write ? o->tx_wr_hdr : o->tx_rd_hdr, t->hdr, 16);
	if (write) {
		memcpy(o->tx_wr_data, t->data + b->wr_pos, b->beat);
		o->tx_wr_last = b->wr_pos + b->beat >= t->len;
	}
	o->tx_cpl_valid = c != NULL;
	if (c) {
		memcpy(o->tx_cpl_hdr, c->hdr, 16);
		memcpy(&o->tx_cpl_data, c->data + b->out_pos, 8);
	}
}

void block_begin(struct block *b, const struct weft_rc_in *in, struct weft_rc_out *out, uint32_t pins[BLOCK_IN_WORDS])
{
	b->in = *in;
	offer(b, &b->out);
	*out = b->out;
	model_drive(b, pins);
}

/* A beat of the root complex, `beat` bytes; true with the last. */
static bool collect(const struct block *b, struct tlp **t, uint32_t *pos, const uint32_t hdr[4], const uint8_t *data, bool last)
{
	if (!*t) {
		*t = tlp_new();
		memcpy((*t)->hdr, hdr, 16);
		*pos = 0;
	}
	memcpy((*t)->data + *pos, data, b->beat);
	*pos += b->beat;
	if (last)
		(*t)->len = tlp_has_data(*t) ? 4 * tlp_dwords(*t) : 0;
	return last;
}

static void request_gone(struct block *b)
{
	struct tlp *t = tlp_pop(&b->card_req);

	model_gone(b, t);
	free(t);
}

static void link_edge(struct block *b)
{
	const struct weft_rc_in *in = &b->in;
	const struct weft_rc_out *o = &b->out;

	if (in->rx_req_valid && o->rx_req_ready && collect(b, &b->req_in, &b->req_pos, in->rx_req_hdr, in->rx_req_data, in->rx_req_last)) {
		uint32_t type = b->req_in->hdr[0] >> 24 & 0x1f;

		b->req_in->bar = in->rx_req_bar;
		b->req_in->stamp = b->stamp++;
		tlp_push((type >> 3) == 2 || (type == 0 && tlp_has_data(b->req_in)) ? &b->host_posted : &b->host_np, b->req_in);
		b->req_in = NULL;
	}
	if (in->rx_cpl_valid && o->rx_cpl_ready && collect(b, &b->cpl_in, &b->cpl_pos, in->rx_cpl_hdr, in->rx_cpl_data, in->rx_cpl_last)) {
		b->cpl_in->stamp = b->stamp++;
		tlp_push(&b->host_cpl, b->cpl_in);
		b->cpl_in = NULL;
	}
	if (o->tx_rd_valid && in->tx_rd_ready)
		request_gone(b);
	if (o->tx_wr_valid && in->tx_wr_ready) {
		b->wr_pos += b->beat;
		if (o->tx_wr_last) {
			b->wr_pos = 0;
			request_gone(b);
		}
	}
	if (o->tx_cpl_valid && in->tx_cpl_ready) {
		b->out_pos += 8;
		if (b->out_pos >= b->card_cpl.head->len) {
			b->out_pos = 0;
			free(tlp_pop(&b->card_cpl));
		}
	}
}

void block_end(struct block *b, const uint32_t pins[BLOCK_OUT_WORDS])
{
	/* What was offered leaves the queues' heads; what comes from the pins goes behind. */
	link_edge(b);
	model_sample(b, pins);
	b->cycle++;
}

bool block_idle(const struct block *b)
{
	return !b->host_posted.n && !b->host_np.n && !b->host_cpl.n && !b->card_req.n && !b->card_cpl.n && !b->req_in && !b->cpl_in &&
	       model_idle(b);
}

struct tlp *block_completion(struct block *b)
{
	if (!b->host_cpl.n || (b->host_posted.n && b->host_posted.head->stamp < b->host_cpl.head->stamp))
		return NULL;
	return tlp_pop(&b->host_cpl);
}

struct tlp *block_request(struct block *b, bool np_allowed)
{
	bool np = np_allowed && b->host_np.n && (!b->host_posted.n || b->host_np.head->stamp < b->host_posted.head->stamp);

	/* A non-posted one never goes past a posted one that came before it. */
	if (np && !(b->host_posted.n && block_chance(b, 20)))
		return tlp_pop(&b->host_np);
	return b->host_posted.n ? tlp_pop(&b->host_posted) : NULL;
}
