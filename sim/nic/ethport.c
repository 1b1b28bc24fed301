/* SPDX-License-Identifier: BSD-2-Clause */
#include "ethport.h"

#include <stdlib.h>
#include <string.h>

#include "../common/prng.h"
#include "../common/util.h"

struct frame {
	struct frame *next;
	size_t len;
	bool err;
	uint8_t bytes[];
};

struct ethport {
	unsigned int beat_bytes;
	ethport_frame_fn fn;
	void *user;
	struct frame *head, **tail;
	size_t queued;
	size_t sent; /* of the first frame */
	bool offered;
	bool paused; /* the core asks for a pause, which the wire grants between frames */
	uint8_t *out;
	size_t out_len;
	bool out_open, out_cut;
	unsigned int rx_gap, tx_stall;
	bool held;   /* takes nothing from the core */
	struct prng random;
	struct ethport_stats stats;
};

struct ethport *ethport_new(unsigned int beat_bytes, ethport_frame_fn fn, void *user)
{
	struct ethport *e = xcalloc(1, sizeof(*e));

	e->beat_bytes = beat_bytes;
	e->fn = fn;
	e->user = user;
	e->tail = &e->head;
	e->out = xcalloc(1, ETHPORT_FRAME_MAX + CORE_BEAT_MAX);
	return e;
}

void ethport_reset(struct ethport *e)
{
	while (e->head) {
		struct frame *f = e->head;

		e->head = f->next;
		free(f);
	}
	e->tail = &e->head;
	e->queued = e->sent = e->out_len = 0;
	e->offered = e->paused = e->out_open = e->out_cut = false;
}

void ethport_free(struct ethport *e)
{
	if (!e)
		return;
	ethport_reset(e);
	free(e->out);
	free(e);
}

bool ethport_push(struct ethport *e, const uint8_t *frame, size_t len, bool err)
{
	struct frame *f;

	if (len == 0 || e->queued + len > ETHPORT_QUEUE_BYTES) {
		e->stats.rx_dropped++;
		return false;
	}
	f = xcalloc(1, sizeof(*f) + len);
	f->len = len;
	f->err = err;
	memcpy(f->bytes, frame, len);
	*e->tail = f;
	e->tail = &f->next;
	e->queued += len;
	return true;
}

bool ethport_room(const struct ethport *e)
{
	return e->queued + ETHPORT_FRAME_MAX <= ETHPORT_QUEUE_BYTES;
}

bool ethport_idle(const struct ethport *e)
{
	return !e->head && !e->out_open;
}

void ethport_pause(struct ethport *e, bool on)
{
	e->held = on;
}

void ethport_stall(struct ethport *e, unsigned int rx_gap, unsigned int tx_stall, uint64_t seed)
{
	e->rx_gap = rx_gap;
	e->tx_stall = tx_stall;
	prng_seed(&e->random, seed);
}

static bool chance(struct ethport *e, unsigned int percent)
{
	return percent && prng_below(&e->random, 100) < percent;
}

void ethport_drive(struct ethport *e, struct core_in *in)
{
	const struct frame *f = e->head;

	in->eth_tx_ready = !e->held && !chance(e, e->tx_stall);
	/* What is offered stays until it is taken. */
	if (!e->offered)
		e->offered = f && !(e->paused && !e->sent) && !chance(e, e->rx_gap);
	in->eth_rx_valid = e->offered;
	if (e->offered) {
		size_t n = f->len - e->sent;

		if (n > e->beat_bytes)
			n = e->beat_bytes;
		memcpy(in->eth_rx_data, f->bytes + e->sent, n);
		memset(in->eth_rx_data + n, 0, CORE_BEAT_MAX - n);
		in->eth_rx_cnt = (uint8_t)n;
		in->eth_rx_last = e->sent + n == f->len;
		in->eth_rx_err = in->eth_rx_last && f->err;
	}
}

static void taken(struct ethport *e, const struct core_in *in)
{
	struct frame *f = e->head;

	e->offered = false;
	e->sent += in->eth_rx_cnt;
	if (!in->eth_rx_last)
		return;
	e->stats.rx_frames++;
	e->stats.rx_bytes += f->len;
	e->queued -= f->len;
	e->sent = 0;
	e->head = f->next;
	if (!e->head)
		e->tail = &e->head;
	free(f);
}

static void given(struct ethport *e, const struct core_out *out)
{
	size_t n = out->eth_tx_cnt;

	if (n > e->beat_bytes)
		n = e->beat_bytes;
	e->out_open = true;
	if (e->out_len + n > ETHPORT_FRAME_MAX) {
		e->out_cut = true;
	} else {
		memcpy(e->out + e->out_len, out->eth_tx_data, n);
		e->out_len += n;
	}
	if (!out->eth_tx_last)
		return;
	if (e->out_cut) {
		e->stats.tx_oversize++;
	} else if (e->out_len) {
		e->stats.tx_frames++;
		e->stats.tx_bytes += e->out_len;
		e->fn(e->user, e->out, e->out_len);
	}
	e->out_len = 0;
	e->out_open = e->out_cut = false;
}

void ethport_sample(struct ethport *e, const struct core_in *in, const struct core_out *out)
{
	e->paused = out->eth_rx_pause;
	if (in->eth_rx_valid && out->eth_rx_ready)
		taken(e, in);
	if (out->eth_tx_valid && in->eth_tx_ready)
		given(e, out);
}

const struct ethport_stats *ethport_stats(const struct ethport *e)
{
	return &e->stats;
}
