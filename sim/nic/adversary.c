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

static bool delay(char *text, struct weft_rc_cfg *rc)
{
	char *colon = strchr(text, ':');
	uint64_t low, high;

	if (!colon)
		return false;
	*colon = 0;
	if (!parse_u64(text, 1000000, &low) || !parse_u64(colon + 1, 1000000, &high) || low > high)
		return false;
	rc->delay_min = (uint32_t)low;
	rc->delay_max = (uint32_t)high;
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
		else if (!strcmp(key, "none"))
			memset(a, 0, sizeof(*a));
		else if (!strcmp(key, "all"))
			return !adversary_parse("split,reorder,delay=20:400,stall=20%,gap=20%,"
						"eth-stall=10%,eth-gap=10%", a);
		else
			return false;
		return true;
	}
	if (!strcmp(key, "delay"))
		return delay(value, rc);
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

	c->split = a->rc.split;
	c->reorder = a->rc.reorder;
	c->delay_min = a->rc.delay_min;
	c->delay_max = a->rc.delay_max;
	c->stall_rd = a->rc.stall_rd;
	c->stall_wr = a->rc.stall_wr;
	c->stall_cpl = a->rc.stall_cpl;
	c->gap_req = a->rc.gap_req;
	c->gap_cpl = a->rc.gap_cpl;
	c->ur_ppm = a->rc.ur_ppm;
	c->ca_ppm = a->rc.ca_ppm;
	c->poison_ppm = a->rc.poison_ppm;
	c->lost_ppm = a->rc.lost_ppm;
	c->stray_ppm = a->rc.stray_ppm;
	ethport_stall(eth, a->eth_gap, a->eth_stall, seed);
}
