/* SPDX-License-Identifier: BSD-2-Clause */
#include "impair.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../common/prng.h"
#include "../common/util.h"

struct item {
	struct item *next;
	uint64_t due_ns;     /* queue: arrival; hold list: give up waiting */
	uint32_t to_pass;    /* hold list: frames that still overtake */
	size_t len;
	uint8_t bytes[];
};

struct list {
	struct item *head, **tail;
};

struct impair {
	struct impair_settings s;
	struct impair_stats stats;
	uint64_t stream, frame_number;
	uint64_t line_free_ns;  /* rate: when the line has sent what it has */
	uint64_t last_due_ns;   /* the queue is a FIFO even when the delay shrinks */
	size_t held_bytes;
	struct list queue, held;
	struct item *popped;
};

/* ---- settings ---- */

/* "P%" or "P%:N" with N from 1 to max, cut in place; without N, *n stays. */
static bool rate_and_number(char *value, uint32_t max, bool needed, uint32_t *rate, uint32_t *n)
{
	char *colon = strchr(value, ':');
	uint64_t number;

	if (colon)
		*colon++ = 0;
	else if (needed)
		return false;
	if (!parse_percent(value, rate))
		return false;
	if (colon) {
		if (!parse_u64(colon, max, &number) || !number)
			return false;
		*n = (uint32_t)number;
	}
	return true;
}

static bool setting(const char *key, char *value, struct impair_settings *s)
{
	if (!strcmp(key, "loss"))
		return parse_percent(value, &s->loss);
	if (!strcmp(key, "reorder")) {
		/* "0%" needs no distance */
		if (!strchr(value, ':'))
			return parse_percent(value, &s->reorder) && !s->reorder;
		return rate_and_number(value, 1000, true, &s->reorder, &s->reorder_distance);
	}
	if (!strcmp(key, "dup"))
		return parse_percent(value, &s->dup);
	if (!strcmp(key, "corrupt"))
		return parse_percent(value, &s->corrupt);
	if (!strcmp(key, "corrupt-past-fcs")) {
		s->flip_bits = 1;
		return rate_and_number(value, 64, false, &s->flip, &s->flip_bits);
	}
	if (!strcmp(key, "delay"))
		return parse_time(value, &s->delay_ns);
	if (!strcmp(key, "rate"))
		return parse_bitrate(value, &s->rate_bps);
	if (!strcmp(key, "seed"))
		return parse_u64(value, UINT64_MAX, &s->seed);
	return false;
}

const char *impair_parse(const char *text, struct impair_settings *s)
{
	static char reason[160];
	struct impair_settings new = *s;
	char word[128], quoted[128];

	if (!*text)
		return "empty settings";
	while (*text) {
		size_t len = strcspn(text, ",");
		char *value;

		if (len == 0 || (text[len] == ',' && !text[len + 1]))
			return "empty setting between commas";
		if (len >= sizeof(word))
			return "setting too long";
		memcpy(word, text, len);
		word[len] = 0;
		strcpy(quoted, word); /* `setting` cuts at the colon */
		text += len + (text[len] == ',');
		if (!strcmp(word, "none")) {
			new = (struct impair_settings){ .seed = new.seed };
			continue;
		}
		value = strchr(word, '=');
		if (value)
			*value++ = 0;
		if (!value || !setting(word, value, &new)) {
			snprintf(reason, sizeof(reason), "cannot understand '%s'", quoted);
			return reason;
		}
	}
	*s = new;
	return NULL;
}

/* A rate in parts per billion as a percentage without needless zeros. */
static void format_percent(uint32_t rate, char *text, size_t room)
{
	int n = snprintf(text, room, "%u.%07u", rate / 10000000u, rate % 10000000u);

	while (n > 0 && text[n - 1] == '0')
		n--;
	if (n > 0 && text[n - 1] == '.')
		n--;
	snprintf(text + n, room - (size_t)n, "%%");
}

void impair_format(const struct impair_settings *s, char *text, size_t room)
{
	char loss[24], reorder[24], dup[24], corrupt[24], flip[24];

	format_percent(s->loss, loss, sizeof(loss));
	format_percent(s->reorder, reorder, sizeof(reorder));
	format_percent(s->dup, dup, sizeof(dup));
	format_percent(s->corrupt, corrupt, sizeof(corrupt));
	format_percent(s->flip, flip, sizeof(flip));
	snprintf(text, room,
		 "loss=%s,reorder=%s:%u,dup=%s,corrupt=%s,corrupt-past-fcs=%s:%u,delay=%lluns,"
		 "rate=%llubit,seed=%llu",
		 loss, reorder, s->reorder_distance ? s->reorder_distance : 1, dup, corrupt, flip,
		 s->flip_bits ? s->flip_bits : 1, (unsigned long long)s->delay_ns,
		 (unsigned long long)s->rate_bps, (unsigned long long)s->seed);
	if (!s->rate_bps) {
		char *rate = strstr(text, "rate=0bit");

		if (rate)
			memmove(rate + 6, rate + 9, strlen(rate + 9) + 1);
	}
}

static void append(char *text, size_t room, const char *format, ...) __attribute__((format(printf, 3, 4)));
static void append(char *text, size_t room, const char *format, ...)
{
	size_t used = strlen(text);
	va_list args;

	if (used && used + 1 < room)
		text[used++] = ',';
	va_start(args, format);
	vsnprintf(text + used, room - used, format, args);
	va_end(args);
}

void impair_in_force(const struct impair_settings *s, char *text, size_t room)
{
	static const char *const names[] = { "loss", "dup", "corrupt" };
	const uint32_t rates[] = { s->loss, s->dup, s->corrupt };
	char rate[24];

	*text = 0;
	for (unsigned int i = 0; i < 3; i++) {
		if (!rates[i])
			continue;
		format_percent(rates[i], rate, sizeof(rate));
		append(text, room, "%s=%s", names[i], rate);
	}
	if (s->reorder) {
		format_percent(s->reorder, rate, sizeof(rate));
		append(text, room, "reorder=%s:%u", rate, s->reorder_distance);
	}
	if (s->flip) {
		format_percent(s->flip, rate, sizeof(rate));
		append(text, room, "corrupt-past-fcs=%s:%u", rate, s->flip_bits);
	}
	if (s->delay_ns)
		append(text, room, "delay=%lluns", (unsigned long long)s->delay_ns);
	if (s->rate_bps)
		append(text, room, "rate=%llubit", (unsigned long long)s->rate_bps);
	if (*text)
		append(text, room, "seed=%llu", (unsigned long long)s->seed);
}

/* ---- the line ---- */

static void list_init(struct list *l)
{
	l->head = NULL;
	l->tail = &l->head;
}

static void list_append(struct list *l, struct item *item)
{
	item->next = NULL;
	*l->tail = item;
	l->tail = &item->next;
}

static struct item *list_take(struct list *l, struct item **at)
{
	struct item *item = *at;

	*at = item->next;
	if (l->tail == &item->next)
		l->tail = at;
	return item;
}

struct impair *impair_new(const struct impair_settings *s, uint64_t stream)
{
	struct impair *im = xcalloc(1, sizeof(*im));

	im->s = *s;
	im->stream = stream;
	list_init(&im->queue);
	list_init(&im->held);
	return im;
}

void impair_clear(struct impair *im)
{
	while (im->queue.head)
		free(list_take(&im->queue, &im->queue.head));
	while (im->held.head)
		free(list_take(&im->held, &im->held.head));
	free(im->popped);
	im->popped = NULL;
	im->held_bytes = 0;
	im->last_due_ns = im->line_free_ns = 0;
}

void impair_free(struct impair *im)
{
	if (!im)
		return;
	impair_clear(im);
	free(im);
}

void impair_set(struct impair *im, const struct impair_settings *s)
{
	if (s->seed != im->s.seed)
		im->frame_number = 0;
	im->s = *s;
}

/* Every decision has its own random number, so that none moves another. */
enum purpose { DECIDE_LOSS, DECIDE_REORDER, DECIDE_DUP, DECIDE_CORRUPT, DECIDE_FLIP, FLIP_POSITION };

static uint64_t draw(const struct impair *im, enum purpose purpose)
{
	uint64_t x = mix64(im->s.seed + 0x9e3779b97f4a7c15u);

	x = mix64(x ^ mix64(im->stream + 0x3c6ef372fe94f82au));
	x = mix64(x + im->frame_number * 8 + (uint64_t)purpose);
	return x;
}

static bool happens(const struct impair *im, enum purpose purpose, uint32_t rate)
{
	return (uint64_t)(((unsigned __int128)draw(im, purpose) * RATE_ONE) >> 64) < rate;
}

static unsigned int be16(const uint8_t *p)
{
	return (unsigned int)p[0] << 8 | p[1];
}

/*
 * The bytes of the IP packet of a TCP frame: [*start, *end). False for anything else, fragments
 * included. The Ethernet header and padding stay whole: neither has a check but the FCS.
 */
static bool tcp_packet(const uint8_t *frame, size_t len, size_t *start, size_t *end)
{
	size_t at = 12;
	unsigned int type;

	if (len < 14)
		return false;
	type = be16(frame + at);
	while ((type == 0x8100 || type == 0x88a8) && at + 6 <= len) {
		at += 4;
		type = be16(frame + at);
	}
	at += 2;
	if (type == 0x0800) {
		size_t header;

		if (at + 20 > len || frame[at] >> 4 != 4 || frame[at + 9] != 6)
			return false;
		header = (size_t)(frame[at] & 15) * 4;
		if (header < 20 || be16(frame + at + 6) & 0x3fff)
			return false;
		*start = at;
		*end = at + be16(frame + at + 2);
		return *end <= len && *end >= at + header + 20;
	}
	if (type == 0x86dd) {
		if (at + 40 > len || frame[at] >> 4 != 6 || frame[at + 6] != 6)
			return false;
		/* The IPv6 header has no checksum of its own: leave what TCP's does not cover. */
		*start = at + 8;
		*end = at + 40 + be16(frame + at + 4);
		return *end <= len && *end >= at + 60;
	}
	return false;
}

static bool flip(const struct impair *im, uint8_t *frame, size_t len)
{
	struct prng r = { draw(im, FLIP_POSITION) };
	size_t start, end;
	uint64_t done[64];

	if (!tcp_packet(frame, len, &start, &end))
		return false;
	for (uint32_t i = 0; i < im->s.flip_bits; i++) {
		bool again;
		uint64_t bit;

		/* Different bits: flipping one twice would undo it. A packet has 320 bits or more. */
		do {
			bit = prng_below(&r, (end - start) * 8);
			again = false;
			for (uint32_t j = 0; j < i; j++)
				again = again || done[j] == bit;
		} while (again);
		done[i] = bit;
		frame[start + bit / 8] ^= (uint8_t)(1u << (bit % 8));
	}
	return true;
}

static struct item *copy(const uint8_t *frame, size_t len)
{
	struct item *item = xcalloc(1, sizeof(*item) + len);

	item->len = len;
	memcpy(item->bytes, frame, len);
	return item;
}

static void enqueue(struct impair *im, struct item *item, uint64_t due_ns)
{
	if (due_ns < im->last_due_ns)
		due_ns = im->last_due_ns;
	im->last_due_ns = due_ns;
	item->due_ns = due_ns;
	list_append(&im->queue, item);
	/* One more frame has overtaken those that wait. */
	for (struct item **at = &im->held.head; *at;) {
		if (--(*at)->to_pass) {
			at = &(*at)->next;
			continue;
		}
		struct item *free_now = list_take(&im->held, at);

		free_now->due_ns = due_ns;
		list_append(&im->queue, free_now);
	}
}

/* Held frames whose time is up join the queue, in the order in which they came. */
static void expire(struct impair *im, uint64_t now_ns)
{
	for (struct item **at = &im->held.head; *at;) {
		if ((*at)->due_ns > now_ns) {
			at = &(*at)->next;
			continue;
		}
		struct item *item = list_take(&im->held, at);

		if (item->due_ns < im->last_due_ns)
			item->due_ns = im->last_due_ns;
		im->last_due_ns = item->due_ns;
		list_append(&im->queue, item);
	}
}

unsigned int impair_push(struct impair *im, uint64_t now_ns, const uint8_t *frame, size_t len)
{
	uint64_t due_ns = now_ns;
	unsigned int fate = 0;
	struct item *item;

	im->frame_number++;
	im->stats.frames++;
	im->stats.bytes += len;
	expire(im, now_ns);
	if (happens(im, DECIDE_LOSS, im->s.loss)) {
		im->stats.lost++;
		return IMPAIR_LOST;
	}
	if (happens(im, DECIDE_CORRUPT, im->s.corrupt)) {
		im->stats.corrupted++;
		return IMPAIR_CORRUPTED;
	}
	if (im->held_bytes + 2 * len > IMPAIR_QUEUE_BYTES) {
		im->stats.overflow++;
		return IMPAIR_OVERFLOW;
	}
	if (im->s.rate_bps) {
		/* Preamble, FCS and gap are 24 bytes of line time. */
		unsigned __int128 bits = (unsigned __int128)(len + 24) * 8 * 1000000000u;

		if (im->line_free_ns < now_ns)
			im->line_free_ns = now_ns;
		im->line_free_ns += (uint64_t)(bits / im->s.rate_bps);
		due_ns = im->line_free_ns;
	}
	due_ns += im->s.delay_ns;
	item = copy(frame, len);
	im->held_bytes += len;
	if (happens(im, DECIDE_FLIP, im->s.flip) && flip(im, item->bytes, len)) {
		im->stats.flipped++;
		fate |= IMPAIR_FLIPPED;
	}
	if (happens(im, DECIDE_DUP, im->s.dup)) {
		im->stats.duplicated++;
		im->held_bytes += len;
		fate |= IMPAIR_DUPLICATED;
		enqueue(im, copy(item->bytes, len), due_ns);
	}
	if (happens(im, DECIDE_REORDER, im->s.reorder)) {
		im->stats.reordered++;
		item->to_pass = im->s.reorder_distance;
		item->due_ns = due_ns + IMPAIR_HOLD_NS;
		list_append(&im->held, item);
		return fate | IMPAIR_REORDERED;
	}
	enqueue(im, item, due_ns);
	return fate;
}

const uint8_t *impair_pop(struct impair *im, uint64_t now_ns, size_t *len)
{
	free(im->popped);
	im->popped = NULL;
	expire(im, now_ns);
	if (!im->queue.head || im->queue.head->due_ns > now_ns)
		return NULL;
	im->popped = list_take(&im->queue, &im->queue.head);
	im->held_bytes -= im->popped->len;
	im->stats.delivered++;
	*len = im->popped->len;
	return im->popped->bytes;
}

uint64_t impair_next_ns(const struct impair *im)
{
	uint64_t next = im->queue.head ? im->queue.head->due_ns : UINT64_MAX;

	for (const struct item *item = im->held.head; item; item = item->next)
		if (item->due_ns < next)
			next = item->due_ns;
	return next;
}

const struct impair_stats *impair_stats(const struct impair *im)
{
	return &im->stats;
}
