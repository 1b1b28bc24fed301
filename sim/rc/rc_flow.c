// SPDX-License-Identifier: BSD-2-Clause
/* Root complex model: credits of the card by type, and the watch over what the card has to take. */
#include "rc_int.h"

#include <string.h>

#define SINK_LIMIT 2000

struct limit {
	uint32_t hdr, data; /* 0: none */
};

static struct limit limit_of(const struct weft_rc *rc, enum rc_type type)
{
	const struct weft_rc_cfg *c = &rc->cfg;
	uint32_t mps = (128u << c->mps) / 16;
	struct limit l = { c->nph, 0 };

	if (type == RC_POSTED)
		l = (struct limit){ c->ph, c->pd };
	else if (type == RC_COMPLETION)
		l = (struct limit){ c->cplh, c->cpld };
	if (l.data && l.data < mps && type == RC_POSTED)
		l.data = mps;
	return l;
}

void rc_flow_cycle(struct weft_rc *rc)
{
	for (unsigned i = 0; i < RC_TYPES; i++) {
		struct rc_credit *k = &rc->credit[i];

		if (!rc->cfg.starve_max)
			k->starved_until = k->next_starve = 0;
		/* A type that is starved gets back what it is owed afterwards. */
		if (rc->cycle < k->starved_until)
			continue;
		while (k->count && k->back[k->first].due <= rc->cycle) {
			k->hdr--;
			k->data -= k->back[k->first].data;
			k->first = (k->first + 1) % RC_CREDITS;
			k->count--;
		}
		if (!rc->cfg.starve_max)
			continue;
		/* Eight to sixteen times as long with credits as without. */
		if (k->next_starve && rc->cycle >= k->next_starve) {
			uint32_t span = rc->cfg.starve_max - rc->cfg.starve_min;

			k->starved_until = rc->cycle + rc->cfg.starve_min + rc_below(rc, span + 1);
			k->next_starve = 0;
			rc->stats.starved++;
		} else if (!k->next_starve) {
			k->next_starve = rc->cycle + 8ull * rc->cfg.starve_max + rc_below(rc, 8 * rc->cfg.starve_max);
		}
	}
}

bool rc_flow_room(struct weft_rc *rc, enum rc_type type)
{
	const struct rc_credit *k = &rc->credit[type];
	struct limit l = limit_of(rc, type);
	/* What comes is not known yet: room for the largest. Completions of registers carry 8 bytes at most. */
	uint32_t most = type == RC_POSTED ? (128u << rc->cfg.mps) / 16 : 1;
	bool room = rc->cycle >= k->starved_until && k->count < RC_CREDITS && (!l.hdr || k->hdr < l.hdr) &&
		    (!l.data || k->data + most <= l.data);

	rc->stats.no_credit += !room;
	return room;
}

void rc_flow_use(struct weft_rc *rc, enum rc_type type, uint32_t bytes)
{
	struct rc_credit *k = &rc->credit[type];
	struct limit l = limit_of(rc, type);
	uint64_t due = rc->cycle + rc->cfg.credit_min;
	uint32_t at;

	if (!l.hdr && !l.data)
		return;
	if (rc->cfg.credit_max > rc->cfg.credit_min)
		due += rc_below(rc, rc->cfg.credit_max - rc->cfg.credit_min + 1);
	at = (k->first + k->count) % RC_CREDITS;
	k->back[at].due = due;
	k->back[at].data = (uint16_t)((bytes + 15) / 16);
	k->hdr++;
	k->data += k->back[at].data;
	k->count++;
}

void rc_flow_forget(struct weft_rc *rc)
{
	memset(rc->credit, 0, sizeof(rc->credit));
}

static void watch(struct weft_rc *rc, const char *what, bool waits, uint64_t since, bool *told)
{
	uint64_t waited = rc->cycle - since, limit = rc->cfg.sink_limit ? rc->cfg.sink_limit : SINK_LIMIT;

	if (!waits) {
		*told = false;
		return;
	}
	if (waited > rc->stats.slowest)
		rc->stats.slowest = waited;
	if (waited < limit || *told)
		return;
	*told = true;
	rc_fault(rc, "%s is not taken for %llu cycles", what, (unsigned long long)waited);
}

void rc_flow_watch(struct weft_rc *rc, const struct weft_rc_out *out)
{
	const struct weft_rc_in *d = &rc->in;

	(void)out;
	/* A non-posted request keeps the posted ones behind it waiting: the stream is one. */
	watch(rc, rc->req && rc->req->posted ? "posted request" : "non-posted request in front of posted ones",
	      d->rx_req_valid, rc->req_since, &rc->req_told);
	watch(rc, "completion", d->rx_cpl_valid, rc->cpl_since, &rc->cpl_told);
}
