/* SPDX-License-Identifier: BSD-2-Clause */
#define _GNU_SOURCE
#include "adversary.h"

#include <stdio.h>
#include <string.h>

#include "../common/util.h"

static bool cycles_percent(const char *text, unsigned int *out)
{
	uint32_t rate;

	if (!parse_percent(text, &rate) || rate % (RATE_ONE / 100) || rate > RATE_ONE / 100 * 95)
		return false;
	*out = rate / (RATE_ONE / 100);
	return true;
}

static bool reads_percent(const char *text, uint32_t *ppm)
{
	uint32_t rate;

	if (!parse_percent(text, &rate) || rate % 1000)
		return false;
	*ppm = rate / 1000;
	return true;
}

/* "MIN:MAX", cycles */
static bool span(char *text, uint32_t *min, uint32_t *max)
{
	char *colon = strchr(text, ':');
	uint64_t low, high;

	if (!colon)
		return false;
	*colon = 0;
	if (!parse_u64(text, 1000000, &low) || !parse_u64(colon + 1, 1000000, &high) || low > high)
		return false;
	*min = (uint32_t)low;
	*max = (uint32_t)high;
	return true;
}

/* "PH:PD:NPH:CPLH:CPLD" */
static bool credits(char *text, struct weft_rc_cfg *rc)
{
	uint16_t *to[5] = { &rc->ph, &rc->pd, &rc->nph, &rc->cplh, &rc->cpld };
	char *save = NULL, *word = strtok_r(text, ":", &save);
	uint64_t n[5];

	for (int i = 0; i < 5; i++, word = strtok_r(NULL, ":", &save))
		if (!word || !parse_u64(word, 1023, &n[i]))
			return false;
	if (word)
		return false;
	for (int i = 0; i < 5; i++)
		*to[i] = (uint16_t)n[i];
	/* They come back when the receiver has room again: within microseconds. */
	rc->credit_min = 20;
	rc->credit_max = 200;
	return true;
}

static bool option(const char *key, char *value, struct adversary *a)
{
	struct weft_rc_cfg *rc = &a->rc;
	unsigned int percent;

	if (!value) {
		if (!strcmp(key, "split"))
			rc->split = true;
		else if (!strcmp(key, "reorder"))
			rc->reorder = true;
		else if (!strcmp(key, "stale"))
			rc->stale = true;
		else if (!strcmp(key, "none"))
			memset(a, 0, sizeof(*a));
		else if (!strcmp(key, "all"))
			return !adversary_parse(ADVERSARY_ALL, a);
		else if (!strcmp(key, "cruel"))
			return !adversary_parse(ADVERSARY_CRUEL, a);
		else
			return false;
		return true;
	}
	if (!strcmp(key, "delay"))
		return span(value, &rc->delay_min, &rc->delay_max);
	if (!strcmp(key, "late"))
		return span(value, &rc->late_min, &rc->late_max);
	if (!strcmp(key, "starve"))
		return span(value, &rc->starve_min, &rc->starve_max);
	if (!strcmp(key, "credits"))
		return credits(value, rc);
	if (!strcmp(key, "stall") && cycles_percent(value, &percent)) {
		rc->stall_rd = rc->stall_wr = rc->stall_cpl = (uint8_t)percent;
		return true;
	}
	if (!strcmp(key, "gap") && cycles_percent(value, &percent)) {
		rc->gap_req = rc->gap_cpl = (uint8_t)percent;
		return true;
	}
	if (!strcmp(key, "eth-stall"))
		return cycles_percent(value, &a->eth_stall);
	if (!strcmp(key, "eth-gap"))
		return cycles_percent(value, &a->eth_gap);
	if (!strcmp(key, "torn"))
		return cycles_percent(value, &a->torn);
	if (!strcmp(key, "ur"))
		return reads_percent(value, &rc->ur_ppm);
	if (!strcmp(key, "ca"))
		return reads_percent(value, &rc->ca_ppm);
	if (!strcmp(key, "poison"))
		return reads_percent(value, &rc->poison_ppm);
	if (!strcmp(key, "lost"))
		return reads_percent(value, &rc->lost_ppm);
	if (!strcmp(key, "stray"))
		return reads_percent(value, &rc->stray_ppm);
	return false;
}

const char *adversary_parse(const char *text, struct adversary *a)
{
	static char reason[160];
	struct adversary new = *a;
	char copy[512], *save = NULL;

	if (!*text || strlen(text) >= sizeof(copy) || strstr(text, ",,") || *text == ',' ||
	    text[strlen(text) - 1] == ',')
		return "empty or too long";
	strcpy(copy, text);
	for (char *word = strtok_r(copy, ",", &save); word; word = strtok_r(NULL, ",", &save)) {
		char *value = strchr(word, '=');

		if (value)
			*value++ = 0;
		if (!option(word, value, &new)) {
			snprintf(reason, sizeof(reason), "cannot understand '%.100s'", word);
			return reason;
		}
	}
	*a = new;
	return NULL;
}

void adversary_apply(const struct adversary *a, struct weft_rc *rc, struct ethport *eth,
		     uint64_t seed)
{
	struct weft_rc_cfg *c = weft_rc_config(rc);

	struct weft_rc_cfg new = a->rc;

	/* The pins are not the adversary's. */
	new.bdf = c->bdf;
	new.bme = c->bme;
	new.ext_tag = c->ext_tag;
	new.rcb128 = c->rcb128;
	new.mps = c->mps;
	new.mrrs = c->mrrs;
	new.msix_en = c->msix_en;
	new.msix_mask = c->msix_mask;
	new.flr = c->flr;
	*c = new;
	ethport_stall(eth, a->eth_gap, a->eth_stall, seed);
}
