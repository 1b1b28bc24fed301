/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * conformance --list                          cases with their requirements
 * conformance [--quick] [--only PREFIX]... [--table FILE] [--pcap DIR] [--expected FILE] [lockstep options]
 *
 * Boots one card, then runs each case in a fork. Prints a line per case; with the expectation file, a case that fails
 * as it is expected to is "later", one that passes although it was not expected to, is a failure. Ends with 0 or 1.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <fnmatch.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "conf.h"

struct lockstep *ls;
struct peer *p;
struct card *k;
static int out_fd = 2;

void fail(const char *format, ...)
{
	va_list args;
	const char *first;

	va_start(args, format);
	vdprintf(out_fd, format, args);
	va_end(args);
	if (p && peer_findings(p, &first))
		dprintf(out_fd, " [judge: %s]", first);
	_exit(1);
}

static struct { char pattern[64], reason[160]; unsigned int used; } expected[256];
static unsigned int n_expected;

static void load_expected(const char *path)
{
	FILE *f = fopen(path, "r");
	char line[300];

	if (!f) {
		fprintf(stderr, "%s cannot be read\n", path);
		exit(2);
	}
	while (fgets(line, sizeof(line), f)) {
		char *t = line;

		line[strcspn(line, "\n")] = 0;
		if (!*line || *line == '#')
			continue;
		while (*t && *t != ' ' && *t != '\t')
			t++;
		if (!*t || n_expected == 256) {
			fprintf(stderr, "%s: '%s': CASE, then the reason\n", path, line);
			exit(2);
		}
		*t++ = 0;
		while (*t == ' ' || *t == '\t')
			t++;
		snprintf(expected[n_expected].pattern, sizeof(expected[0].pattern), "%.63s", line);
		snprintf(expected[n_expected++].reason, sizeof(expected[0].reason), "%.159s", t);
	}
	fclose(f);
}

static const char *reason_of(const char *id)
{
	for (unsigned int i = 0; i < n_expected; i++)
		if (!fnmatch(expected[i].pattern, id, 0)) {
			expected[i].used++;
			return expected[i].reason;
		}
	return NULL;
}

static void child(const struct test *t, const char *pcap_dir)
{
	struct peer_options o = { 0 };
	char path[300];
	const char *first;

	if (pcap_dir) {
		snprintf(path, sizeof(path), "%s/%s.pcapng", pcap_dir, t->id);
		o.pcap = path;
	}
	o.ipv6 = !strncmp(t->id, IPV6, strlen(IPV6));
	p = peer_new(ls, &o);
	card_peer(k, p);
	if (o.ipv6) {
		card_ipv6(k);
		card_listen(k, PORT);
	}
	t->run(t->arg);
	peer_run(p, 20 * MS); /* what comes late is judged too */
	if (peer_findings(p, &first)) {
		dprintf(out_fd, "judge: %s", first);
		_exit(1);
	}
	if (ls_host_stats(ls_host(ls, 0))->bad_reads || ls_host_stats(ls_host(ls, 0))->bad_writes || ls_host_stats(ls_host(ls, 0))->faults) {
		dprintf(out_fd, "DMA outside of what was given, or a rule of PCIe");
		_exit(1);
	}
	peer_free(p); /* closes the capture */
	_exit(0);
}

/* 0 passed, 1 failed; `why` says how. */
static int run(const struct test *t, const char *pcap_dir, unsigned int seconds, char *why, size_t room)
{
	int fd[2], status;
	size_t n = 0;
	struct timespec t0, now;
	pid_t pid;

	why[0] = 0;
	if (pipe(fd))
		exit(2);
	fflush(NULL);
	pid = fork();
	if (!pid) {
		close(fd[0]);
		dup2(fd[1], 2);
		out_fd = fd[1];
		child(t, pcap_dir);
	}
	close(fd[1]);
	clock_gettime(CLOCK_MONOTONIC, &t0);
	for (;;) {
		struct pollfd w = { .fd = fd[0], .events = POLLIN };
		ssize_t got;
		char sink[512];

		clock_gettime(CLOCK_MONOTONIC, &now);
		if (now.tv_sec - t0.tv_sec >= (long)seconds) {
			kill(pid, SIGKILL);
			snprintf(why, room, "no end after %u s", seconds);
			break;
		}
		if (poll(&w, 1, 1000) <= 0)
			continue;
		got = n < room - 1 ? read(fd[0], why + n, room - 1 - n) : read(fd[0], sink, sizeof(sink));
		if (got <= 0)
			break;
		if (n < room - 1)
			why[n += (size_t)got] = 0;
	}
	close(fd[0]);
	waitpid(pid, &status, 0);
	for (char *c = why; *c; c++)
		if (*c == '\n')
			*c = ' ';
	if (WIFSIGNALED(status) && !why[0])
		snprintf(why, room, "ended by signal %d", WTERMSIG(status));
	return WIFEXITED(status) && !WEXITSTATUS(status) ? 0 : 1;
}

int main(int argc, char **argv)
{
	const struct test *const groups[] = { mpa_tests, ddp_tests, rdmap_tests, wire_tests };
	const char *only[32], *table = NULL, *pcap = NULL;
	unsigned int n_only = 0, passed = 0, later = 0, bad = 0, seconds = getenv("CASE_SECONDS") ? (unsigned int)atoi(getenv("CASE_SECONDS")) : 120;
	bool quick = false, hit[32] = { false };
	struct ls_options o;
	char *rest[32] = { argv[0] };
	int n_rest = 1;
	FILE *out = NULL;

	setvbuf(stdout, NULL, _IOLBF, 0);
	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "--quick"))
			quick = true;
		else if (!strcmp(argv[i], "--only") && i + 1 < argc && n_only < 32)
			only[n_only++] = argv[++i];
		else if (!strcmp(argv[i], "--table") && i + 1 < argc)
			table = argv[++i];
		else if (!strcmp(argv[i], "--pcap") && i + 1 < argc)
			pcap = argv[++i];
		else if (!strcmp(argv[i], "--expected") && i + 1 < argc)
			load_expected(argv[++i]);
		else if (n_rest < 31)
			rest[n_rest++] = argv[i];
	}
	if (n_rest == 2 && !strcmp(rest[1], "--list")) {
		for (unsigned int g = 0; g < 4; g++)
			for (const struct test *t = groups[g]; t->id; t++)
				printf("%s %s\n", t->id, t->ids);
		return 0;
	}
	o = ls_defaults(n_rest, rest);
	if (table && !(out = fopen(table, "w")))
		return 2;
	ls = ls_new(&o);
	ls_patience(ls, 20000000);
	k = card_new(ls, getenv("FW") ? getenv("FW") : "build/firmware/weft-fw.bin", 1500);
	card_listen(k, PORT);
	printf("# seed %llu\n", (unsigned long long)o.seed);
	if (out)
		fprintf(out, "%-24s %-28s %s\n", "case", "requirements", "result");
	for (unsigned int g = 0; g < 4; g++)
		for (const struct test *t = groups[g]; t->id; t++) {
			char why[600];
			const char *reason;
			bool take = !n_only;
			struct timespec t0, t1;
			int r;

			for (unsigned int i = 0; i < n_only; i++)
				if (!strncmp(t->id, only[i], strlen(only[i])))
					take = hit[i] = true;
			if (!take || (quick && !t->quick))
				continue;
			clock_gettime(CLOCK_MONOTONIC, &t0);
			r = t->run ? run(t, pcap, seconds, why, sizeof(why)) : 1;
			if (!t->run)
				snprintf(why, sizeof(why), "not written");
			clock_gettime(CLOCK_MONOTONIC, &t1);
			reason = reason_of(t->id);
			if (!r && reason) {
				printf("not ok conformance/%s: passes, but the expectation file says it %s\n", t->id, reason);
				bad++;
			} else if (!r) {
				printf("ok conformance/%s\n", t->id);
				passed++;
			} else if (reason) {
				printf("ok conformance/%s later: %s\n", t->id, reason);
				if (getenv("WHY"))
					printf("#   %s\n", why);
				later++;
			} else {
				printf("not ok conformance/%s: %s\n", t->id, why);
				bad++;
			}
			if (getenv("TIMES"))
				printf("#   %.1f s\n", (double)(t1.tv_sec - t0.tv_sec) + (double)(t1.tv_nsec - t0.tv_nsec) / 1e9);
			if (out) {
				if (!r)
					fprintf(out, "%-24s %-28s pass\n", t->id, t->ids);
				else
					fprintf(out, "%-24s %-28s %s%s\n", t->id, t->ids, reason ? "later: " : "FAIL: ", reason ? reason : why);
			}
		}
	for (unsigned int i = 0; i < n_expected && !quick && !n_only; i++)
		if (!expected[i].used) {
			printf("not ok conformance/expected: no case is called %s\n", expected[i].pattern);
			bad++;
		}
	for (unsigned int i = 0; i < n_only; i++)
		if (!hit[i]) {
			printf("not ok conformance/only: no case begins with %s\n", only[i]);
			bad++;
		}
	printf("# %u passed, %u later, %u failed\n", passed, later, bad);
	if (out) {
		fprintf(out, "%u passed, %u later, %u failed\n", passed, later, bad);
		fclose(out);
	}
	return bad != 0;
}
