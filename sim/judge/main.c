/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * weft-judge [--profile IP=weft|siw|unknown|off]... [--default PROFILE] [--gaps|--complete]
 *            [--loaded] [--min-rto NS] [--most N] [--quiet] [--rules] FILE...
 *
 * Prints a line per finding: FILE:FRAME time rule sender > receiver: what. Exit status 0: nothing found,
 * 1: findings, 2: a file that cannot be read.
 */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "judge.h"

static const char *file_name, *profiles[64];
static unsigned int n_profiles;
static uint64_t printed, most = 200;

static bool profile_by(const char *name, enum judge_profile *p)
{
	static const char *const names[] = { "weft", "siw", "unknown", "off" };

	for (unsigned int i = 0; i < 4; i++)
		if (!strcmp(name, names[i])) {
			*p = (enum judge_profile)i;
			return true;
		}
	return false;
}

static void print(void *arg, const struct judge_finding *f)
{
	(void)arg;
	if (printed++ < most)
		printf("%s:%" PRIu64 ": %" PRIu64 ".%09" PRIu64 " %s %s: %s\n", file_name, f->frame, f->ns / 1000000000,
		       f->ns % 1000000000, f->rule, f->who, f->text);
}

static void prepare(void *arg, struct judge *j)
{
	(void)arg;
	for (unsigned int i = 0; i < n_profiles; i++) {
		char ip[64];
		const char *eq = strchr(profiles[i], '=');
		enum judge_profile p = JUDGE_WEFT;

		snprintf(ip, sizeof(ip), "%.*s", (int)(eq - profiles[i]), profiles[i]);
		if (!profile_by(eq + 1, &p) || !judge_set_profile(j, ip, p)) {
			fprintf(stderr, "weft-judge: --profile %s: IP=weft|siw|unknown|off\n", profiles[i]);
			exit(2);
		}
	}
}

static uint8_t *load(const char *path, size_t *bytes)
{
	FILE *file = strcmp(path, "-") ? fopen(path, "rb") : stdin;
	uint8_t *p = NULL;
	size_t n = 0, room = 0, k;

	if (!file)
		return NULL;
	do {
		if (n == room)
			p = realloc(p, room = room ? 2 * room : 1 << 20);
		if (!p)
			abort();
		k = fread(p + n, 1, room - n, file);
		n += k;
	} while (k);
	if (file != stdin)
		fclose(file);
	*bytes = n;
	return p;
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "profile", required_argument, NULL, 'p' }, { "default", required_argument, NULL, 'd' },
		{ "gaps", no_argument, NULL, 'g' },          { "complete", no_argument, NULL, 'c' },
		{ "loaded", no_argument, NULL, 'l' },        { "min-rto", required_argument, NULL, 'm' }, { "most", required_argument, NULL, 'n' },
		{ "quiet", no_argument, NULL, 'q' },         { "rules", no_argument, NULL, 'r' },
		{ NULL, 0, NULL, 0 },
	};
	struct judge_options o = { .report = print, .profile = JUDGE_WEFT };
	int option, gaps = -1, status = 0;
	bool quiet = false;

	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		const struct judge_rule *rules;

		switch (option) {
		case 'p':
			if (!strchr(optarg, '=') || n_profiles == 64) {
				fprintf(stderr, "weft-judge: --profile IP=PROFILE\n");
				return 2;
			}
			profiles[n_profiles++] = optarg;
			break;
		case 'd':
			if (!profile_by(optarg, &o.profile)) {
				fprintf(stderr, "weft-judge: --default weft|siw|unknown|off\n");
				return 2;
			}
			break;
		case 'g':
			gaps = 1;
			break;
		case 'c':
			gaps = 0;
			break;
		case 'l':
			o.loaded = true;
			break;
		case 'm':
			o.min_rto_ns = strtoull(optarg, NULL, 0);
			break;
		case 'n':
			most = strtoull(optarg, NULL, 0);
			break;
		case 'q':
			quiet = true;
			break;
		case 'r':
			for (unsigned int i = 0, n = judge_rules(&rules); i < n; i++)
				printf("%-24s %c%c%c  %s\n", rules[i].name, rules[i].profiles & 1 ? 'w' : '-', rules[i].profiles & 2 ? 's' : '-',
				       rules[i].profiles & 4 ? 'u' : '-', rules[i].source);
			return 0;
		default:
			fprintf(stderr, "weft-judge [--profile IP=weft|siw|unknown|off]... [--default PROFILE] [--gaps|--complete] [--loaded] [--min-rto NS] "
					"[--most N] [--quiet] [--rules] FILE...\n");
			return 2;
		}
	}
	if (optind == argc) {
		fprintf(stderr, "weft-judge: no capture\n");
		return 2;
	}
	for (; optind < argc; optind++) {
		struct judge_stats s;
		const char *error;
		size_t bytes;
		uint8_t *file;

		file_name = argv[optind];
		file = load(file_name, &bytes);
		if (!file) {
			fprintf(stderr, "weft-judge: %s: %s\n", file_name, strerror(errno));
			status = 2;
			continue;
		}
		printed = 0;
		error = judge_file(&o, file, bytes, gaps, prepare, NULL, &s);
		free(file);
		if (!quiet)
			printf("%s: %" PRIu64 " frames, %" PRIu64 " segments, %" PRIu64 " connections, %" PRIu64 " MPA, %" PRIu64 " FPDUs, %" PRIu64
			       " Terminates, %" PRIu64 " bytes again, %" PRIu64 " streams with holes, %" PRIu64 " findings\n",
			       file_name, s.frames, s.segments, s.connections, s.mpa, s.fpdus, s.terminates, s.again, s.holes, s.findings);
		if (error) {
			fprintf(stderr, "weft-judge: %s: %s\n", file_name, error);
			status = 2;
		} else if (s.findings && !status) {
			status = 1;
		}
	}
	return status;
}
