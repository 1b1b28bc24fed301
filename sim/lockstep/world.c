/* SPDX-License-Identifier: BSD-2-Clause */
/* Time, the wire, and everything that is not one host's. */
#define _GNU_SOURCE
#include <getopt.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <errno.h>

#include "internal.h"

struct ls_options ls_defaults(int argc, char **argv)
{
	static const struct option options[] = {
		{ "seed", required_argument, NULL, 's' },   { "wire", required_argument, NULL, 'w' },
		{ "adversary", required_argument, NULL, 'a' }, { "pcap", required_argument, NULL, 'p' },
		{ "record", required_argument, NULL, 'r' }, { "trace", required_argument, NULL, 't' },
		{ NULL, 0, NULL, 0 },
	};
	struct ls_options o = { .seed = 1, .mps = 1, .mrrs = 2 };
	int option;

	optind = 1;
	while (argc > 0 && (option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		switch (option) {
		case 's':
			if (!parse_u64(optarg, UINT64_MAX, &o.seed))
				die("--seed '%s' is no number", optarg);
			break;
		case 'w':
			o.wire = optarg;
			break;
		case 'a':
			o.adversary = optarg;
			break;
		case 'p':
			o.pcap = optarg;
			break;
		case 'r':
			o.record = optarg;
			break;
		case 't':
			o.trace = optarg;
			break;
		default:
			die("options: --seed N --wire S --adversary S --pcap FILE --record DIR "
			    "--trace DIR");
		}
	}
	return o;
}

static const char *host_name(unsigned int index)
{
	return index ? "b" : "a";
}

struct lockstep *ls_new(const struct ls_options *o)
{
	struct lockstep *ls = xcalloc(1, sizeof(*ls));
	const char *error;

	ls->o = *o;
	if (!ls->o.clock_ps)
		ls->o.clock_ps = 4000;
	if (!ls->o.memory_bytes)
		ls->o.memory_bytes = 64u << 20;
	ls->patience = LS_PATIENCE;
	ls->time_ps = UINT64_C(1000000) * ls->o.clock_ps; /* time 0 would hide what forgets it */
	ls->next_port = 0x8000;
	prng_seed(&ls->random, o->seed);
	ls->wire_settings.seed = o->seed;
	error = o->wire ? impair_parse(o->wire, &ls->wire_settings) : NULL;
	if (error)
		die("wire: %s", error);
	if (o->pcap) {
		ls->capture = pcapng_open(o->pcap, "weft lockstep");
		if (!ls->capture)
			die("%s: %s", o->pcap, strerror(errno));
	}
	for (unsigned int i = 0; i < 2; i++) {
		ls->wire[i] = impair_new(&ls->wire_settings, i);
		if (ls->capture)
			pcapng_interface(ls->capture, host_name(i));
		ls->hosts[i] = ls_host_new(ls, i);
	}
	for (unsigned int i = 0; i < 2; i++)
		ls_host_start(ls->hosts[i]);
	return ls;
}

void ls_free(struct lockstep *ls)
{
	if (!ls)
		return;
	for (unsigned int i = 0; i < 2; i++) {
		ls_host_free(ls->hosts[i]);
		impair_free(ls->wire[i]);
	}
	pcapng_close(ls->capture);
	free(ls);
}

struct ls_host *ls_host(struct lockstep *ls, unsigned int index)
{
	return ls->hosts[index & 1];
}

uint64_t ls_cycles(const struct lockstep *ls)
{
	return ls->cycles;
}

uint64_t ls_now_ns(const struct lockstep *ls)
{
	return ls->time_ps / 1000;
}

uint64_t ls_random(struct lockstep *ls)
{
	return prng_next(&ls->random);
}

uint64_t ls_trace_hash(const struct lockstep *ls)
{
	return ls->hash;
}

void ls_patience(struct lockstep *ls, uint64_t cycles)
{
	ls->patience = cycles;
}

void ls_fail(struct lockstep *ls, const char *format, ...)
{
	va_list args;

	fflush(stdout);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fprintf(stderr, "\n  seed %" PRIu64 ", cycle %" PRIu64 ", %" PRIu64 " ns", ls->o.seed,
		ls->cycles, ls_now_ns(ls));
	for (unsigned int i = 0; i < 2; i++) {
		const struct node *n = ls->hosts[i] ? ls->hosts[i]->node : NULL;

		if (n)
			fprintf(stderr, "; %s is %s", host_name(i), node_quiet(n) ? "quiet" : "busy");
	}
	fputc('\n', stderr);
	/* What helps to find it reaches the disk. */
	if (ls->capture)
		pcapng_flush(ls->capture);
	for (unsigned int i = 0; i < 2; i++) {
		if (!ls->hosts[i] || !ls->hosts[i]->node)
			continue;
		core_trace(ls->hosts[i]->node->core, NULL); /* closed: a flush is done by a thread that exit() ends */
		if (ls->hosts[i]->node->record)
			record_close(ls->hosts[i]->node->record, ls->hosts[i]->node->cycles);
	}
	exit(1);
}

/* ---- the wire ---- */

const char *ls_wire_set(struct lockstep *ls, const char *settings)
{
	const char *error = impair_parse(settings, &ls->wire_settings);

	if (!error)
		for (unsigned int i = 0; i < 2; i++)
			impair_set(ls->wire[i], &ls->wire_settings);
	return error;
}

const struct impair_stats *ls_wire_stats(const struct lockstep *ls, unsigned int from)
{
	return impair_stats(ls->wire[from & 1]);
}

void ls_wire_hook(struct lockstep *ls, ls_wire_fn fn, void *arg)
{
	ls->hook = fn;
	ls->hook_arg = arg;
}

void ls_wire_inject(struct lockstep *ls, unsigned int to, const uint8_t *frame, size_t len, bool bad)
{
	ethport_push(ls->hosts[to & 1]->node->eth, frame, len, bad);
}

static const char *fate_name(unsigned int fate)
{
	if (fate & IMPAIR_LOST)
		return "lost";
	if (fate & IMPAIR_CORRUPTED)
		return "FCS error";
	if (fate & IMPAIR_OVERFLOW)
		return "queue overflow";
	if (fate & IMPAIR_FLIPPED)
		return "bits flipped";
	if (fate & IMPAIR_REORDERED)
		return "reordered";
	return fate & IMPAIR_DUPLICATED ? "duplicated" : NULL;
}

/* A frame has left a card. */
void ls_host_frame(struct ls_host *h, const uint8_t *frame, size_t len)
{
	struct lockstep *ls = h->ls;
	uint8_t *copy = xcalloc(1, len < 60 ? 60 : len);
	unsigned int fate = IMPAIR_LOST;

	memcpy(copy, frame, len);
	if (len < 60) /* a MAC pads */
		len = 60;
	if (!ls->hook || ls->hook(ls->hook_arg, h->index, copy, len))
		fate = impair_push(ls->wire[h->index], ls_now_ns(ls), copy, len);
	if (ls->capture)
		pcapng_frame(ls->capture, h->index, ls_now_ns(ls), copy, len, fate_name(fate));
	free(copy);
}

static void deliver(struct lockstep *ls)
{
	for (unsigned int from = 0; from < 2; from++) {
		struct ls_host *to = ls->hosts[1 - from];
		const uint8_t *frame;
		size_t len;

		while (ethport_room(to->node->eth) &&
		       (frame = impair_pop(ls->wire[from], ls_now_ns(ls), &len)))
			if (to->node->in.link_up)
				ethport_push(to->node->eth, frame, len, false);
	}
}

/* ---- time ---- */

static void mix(struct lockstep *ls, uint64_t value)
{
	ls->hash = mix64(ls->hash ^ value) + 0x9e3779b97f4a7c15u;
}

static void mix_bytes(struct lockstep *ls, const void *bytes, size_t len)
{
	const uint8_t *p = bytes;

	for (; len >= 8; p += 8, len -= 8) {
		uint64_t word;

		memcpy(&word, p, 8);
		mix(ls, word);
	}
	while (len--)
		mix(ls, *p++);
}

static void hash_beats(struct lockstep *ls, const struct node *n)
{
	const struct weft_rc_in *i = &n->in.pcie;
	const struct weft_rc_out *o = &n->out.pcie;
	bool rd = o->tx_rd_valid && i->tx_rd_ready, wr = o->tx_wr_valid && i->tx_wr_ready;
	bool cpl = o->tx_cpl_valid && i->tx_cpl_ready, eth = n->out.eth_tx_valid && n->in.eth_tx_ready;

	if (!(rd | wr | cpl | eth))
		return;
	mix(ls, ls->cycles << 4 | (uint64_t)(rd | wr << 1 | cpl << 2 | eth << 3));
	if (rd)
		mix_bytes(ls, o->tx_rd_hdr, 16);
	if (wr) {
		mix_bytes(ls, o->tx_wr_hdr, 16);
		mix_bytes(ls, o->tx_wr_data, core_beat_bytes(n->core));
	}
	if (cpl) {
		mix_bytes(ls, o->tx_cpl_hdr, 16);
		mix(ls, o->tx_cpl_data);
	}
	if (eth)
		mix_bytes(ls, n->out.eth_tx_data, n->out.eth_tx_cnt <= CORE_BEAT_MAX ? n->out.eth_tx_cnt : 0);
}

bool ls_host_due(const struct ls_host *h)
{
	return !node_quiet(h->node) || node_deadline(h->node) <= ls_now_ns(h->ls);
}

/* When something happens next while both cards are quiet. */
static uint64_t next_event_ns(const struct lockstep *ls)
{
	uint64_t next = UINT64_MAX;

	for (unsigned int i = 0; i < 2; i++) {
		uint64_t deadline = node_deadline(ls->hosts[i]->node), wire = impair_next_ns(ls->wire[i]);

		if (deadline < next)
			next = deadline;
		if (wire < next)
			next = wire;
	}
	return next;
}

void ls_step(struct lockstep *ls, uint64_t most)
{
	bool due[2];

	deliver(ls);
	for (unsigned int i = 0; i < 2; i++)
		due[i] = ls->o.no_fast_forward || ls_host_due(ls->hosts[i]);
	if (!due[0] && !due[1]) {
		uint64_t next = next_event_ns(ls), jump = most;

		if (next != UINT64_MAX) {
			/* UINT64_MAX / 1000 ns are 213 days: no overflow in a simulation. */
			uint64_t ps = next * 1000 > ls->time_ps ? next * 1000 - ls->time_ps : 0;

			jump = (ps + ls->o.clock_ps - 1) / ls->o.clock_ps;
			if (jump > most)
				jump = most;
			if (!jump)
				jump = 1;
		}
		ls->cycles += jump;
		ls->time_ps += jump * ls->o.clock_ps;
		if (ls->watch)
			ls->watch(ls->watch_arg);
		return;
	}
	for (unsigned int i = 0; i < 2; i++) {
		struct node *n = ls->hosts[i]->node;

		if (!due[i])
			continue;
		if (node_quiet(n))
			node_wake(n);
		node_cycle(n, ls_now_ns(ls));
		hash_beats(ls, n);
	}
	ls->clocked++;
	ls->cycles++;
	ls->time_ps += ls->o.clock_ps;
	if (ls->watch)
		ls->watch(ls->watch_arg);
}

void ls_watch(struct lockstep *ls, void (*fn)(void *arg), void *arg)
{
	ls->watch = fn;
	ls->watch_arg = arg;
}

void ls_run(struct lockstep *ls, uint64_t cycles)
{
	uint64_t end = ls->cycles + cycles;

	while (ls->cycles < end)
		ls_step(ls, end - ls->cycles);
}

bool ls_run_until(struct lockstep *ls, bool (*done)(void *arg), void *arg, uint64_t cycles)
{
	uint64_t end = ls->cycles + cycles;

	while (!done(arg)) {
		if (ls->cycles >= end)
			return false;
		ls_step(ls, end - ls->cycles);
	}
	return true;
}

bool ls_wait(struct lockstep *ls, bool (*done)(void *arg), void *arg)
{
	/* Time-outs of TCP are long, but cost no clocked cycles. */
	uint64_t clocked_end = ls->clocked + ls->patience, end = ls->cycles + ls->patience * 10000;

	while (!done(arg)) {
		if (ls->clocked >= clocked_end || ls->cycles >= end)
			return false;
		ls_step(ls, end - ls->cycles);
	}
	return true;
}

bool ls_settle(struct lockstep *ls, uint64_t cycles)
{
	uint64_t end = ls->cycles + cycles;

	for (;;) {
		bool quiet = true;

		for (unsigned int i = 0; i < 2; i++)
			quiet = quiet && !ls_host_due(ls->hosts[i]) &&
				impair_next_ns(ls->wire[i]) == UINT64_MAX;
		if (quiet)
			return true;
		if (ls->cycles >= end)
			return false;
		ls_step(ls, end - ls->cycles);
	}
}
