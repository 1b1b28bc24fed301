/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * weft-wire: the Ethernet between simulated hosts. Each port is a listening UNIX socket that takes
 * one peer at a time in QEMU's stream framing. A learning bridge by default, a hub with --hub.
 * Frames are impaired once, where they enter; captures show them as the sender put them on the
 * wire, with a comment about what happened to them.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <getopt.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "../common/control.h"
#include "../common/framesock.h"
#include "../common/pcapng.h"
#include "../common/prng.h"
#include "../common/util.h"
#include "impair.h"

enum {
	PORTS_MAX = 32,
	NAME_MAX_LEN = 32,
	MAC_SLOTS = 1024,
	OUT_BYTES = 1 << 20,
};

struct port_stats {
	uint64_t rx_frames, rx_bytes;   /* from the peer */
	uint64_t tx_frames, tx_bytes;   /* to the peer */
	uint64_t tx_dropped;            /* the peer does not read */
	uint64_t rx_runt;               /* shorter than an Ethernet header */
	uint64_t link_dropped;          /* the link is down */
	uint64_t connects, disconnects, refused, protocol_errors;
};

struct port {
	char name[NAME_MAX_LEN];
	const char *path;
	int listener;
	struct framesock sock;
	bool link_up;
	struct impair *impair;
	uint32_t capture_interface;
	struct port_stats stats;
};

struct mac_entry {
	uint8_t mac[6];
	bool used;
	uint8_t port;
};

struct wire {
	struct port ports[PORTS_MAX];
	int count;
	bool hub;
	struct impair_settings settings;
	struct mac_entry macs[MAC_SLOTS];
	struct pcapng *capture;
	struct control *control;
	bool quit;
	uint64_t now_ns;
};

static volatile sig_atomic_t stop_signal;
static sigset_t wait_mask; /* of ppoll: signals come in while it waits, and only there */

static void on_signal(int number)
{
	stop_signal = number;
}

/* ---- the bridge ---- */

static struct mac_entry *mac_slot(struct wire *w, const uint8_t *mac)
{
	uint64_t key = 0;

	memcpy(&key, mac, 6);
	return &w->macs[mix64(key) % MAC_SLOTS];
}

/* One entry a slot: a collision forgets the older station, whose frames are flooded again. */
static void learn(struct wire *w, const uint8_t *mac, int port)
{
	struct mac_entry *e = mac_slot(w, mac);

	if (mac[0] & 1)
		return;
	memcpy(e->mac, mac, 6);
	e->used = true;
	e->port = (uint8_t)port;
}

static int lookup(struct wire *w, const uint8_t *mac)
{
	const struct mac_entry *e = mac_slot(w, mac);

	if (w->hub || mac[0] & 1 || !e->used || memcmp(e->mac, mac, 6))
		return -1;
	return e->port;
}

static void forget_port(struct wire *w, int port)
{
	for (int i = 0; i < MAC_SLOTS; i++)
		if (w->macs[i].port == port)
			w->macs[i].used = false;
}

static void give(struct port *p, const uint8_t *frame, size_t len)
{
	if (p->sock.fd < 0)
		return;
	if (!p->link_up) {
		p->stats.link_dropped++;
		return;
	}
	if (!framesock_send(&p->sock, frame, len)) {
		p->stats.tx_dropped++;
		return;
	}
	p->stats.tx_frames++;
	p->stats.tx_bytes += len;
}

static void forward(struct wire *w, int from, const uint8_t *frame, size_t len)
{
	int to = lookup(w, frame);

	if (to >= 0) {
		if (to != from)
			give(&w->ports[to], frame, len);
		return;
	}
	for (int i = 0; i < w->count; i++)
		if (i != from)
			give(&w->ports[i], frame, len);
}

static void fate_text(unsigned int fate, char *text, size_t room)
{
	static const char *const names[] = { "lost", "FCS error", "bits flipped", "duplicated",
					     "reordered", "queue overflow", "link down" };

	*text = 0;
	for (unsigned int i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		size_t used = strlen(text);

		if (fate & 1u << i)
			snprintf(text + used, room - used, "%s%s", used ? ", " : "", names[i]);
	}
}

static void capture(struct wire *w, struct port *p, const uint8_t *frame, size_t len, unsigned int fate)
{
	char text[96];

	if (!w->capture)
		return;
	fate_text(fate, text, sizeof(text));
	pcapng_frame(w->capture, p->capture_interface, clock_realtime_ns(), frame, len,
		     *text ? text : NULL);
}

static void frame_in(struct wire *w, int index, const uint8_t *frame, size_t len)
{
	struct port *p = &w->ports[index];
	uint8_t padded[FRAME_MIN];
	unsigned int fate;

	p->stats.rx_frames++;
	p->stats.rx_bytes += len;
	if (len < FRAME_HEADER) {
		p->stats.rx_runt++;
		return;
	}
	if (len < FRAME_MIN) { /* a MAC pads */
		memset(padded, 0, sizeof(padded));
		memcpy(padded, frame, len);
		frame = padded;
		len = FRAME_MIN;
	}
	if (!p->link_up) {
		p->stats.link_dropped++;
		capture(w, p, frame, len, 64);
		return;
	}
	learn(w, frame + 6, index);
	fate = impair_push(p->impair, w->now_ns, frame, len);
	capture(w, p, frame, len, fate);
}

/* ---- ports ---- */

static void port_detach(struct wire *w, int index, const char *why)
{
	struct port *p = &w->ports[index];

	warn("port %s: peer %s", p->name, why);
	framesock_detach(&p->sock);
	forget_port(w, index);
	p->stats.disconnects++;
}

static void port_receive(struct wire *w, int index);

static void port_accept(struct wire *w, int index)
{
	struct port *p = &w->ports[index];
	int fd = accept4(p->listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);

	if (fd < 0)
		return;
	if (p->sock.fd >= 0) {
		struct pollfd old = { p->sock.fd, POLLIN, 0 };

		/* A peer that has gone may have left frames behind. */
		poll(&old, 1, 0);
		while (old.revents & POLLHUP && p->sock.fd >= 0)
			port_receive(w, index);
	}
	if (p->sock.fd >= 0) {
		/* Two peers on one cable: the one that is there stays. */
		warn("port %s: a second peer was refused", p->name);
		close(fd);
		p->stats.refused++;
		return;
	}
	framesock_attach(&p->sock, fd);
	p->stats.connects++;
}

static void port_receive(struct wire *w, int index)
{
	struct port *p = &w->ports[index];
	const char *why = NULL;
	const uint8_t *frame;
	bool alive, bad;
	size_t len;

	alive = framesock_fill(&p->sock, &why);
	while ((frame = framesock_next(&p->sock, &len, &bad)))
		frame_in(w, index, frame, len);
	if (bad) {
		p->stats.protocol_errors++;
		port_detach(w, index, "sent a frame length that cannot be");
	} else if (!alive) {
		port_detach(w, index, why);
	}
}

static struct port *find_port(struct wire *w, const char *name)
{
	for (int i = 0; i < w->count; i++)
		if (!strcmp(w->ports[i].name, name))
			return &w->ports[i];
	return NULL;
}

static void add_port(struct wire *w, char *text)
{
	char *equals = strchr(text, '=');
	struct port *p = &w->ports[w->count];

	if (!equals || equals == text || !equals[1])
		die("--listen wants NAME=PATH, not '%s'", text);
	*equals = 0;
	if (strlen(text) >= sizeof(p->name))
		die("port name '%s' is too long", text);
	if (w->count == PORTS_MAX)
		die("more than %d ports", PORTS_MAX);
	if (find_port(w, text))
		die("port '%s' is there twice", text);
	strcpy(p->name, text);
	p->path = equals + 1;
	p->link_up = true;
	w->count++;
}

/* ---- control ---- */

static void print_counter(struct control *c, const char *scope, const char *name, uint64_t value)
{
	control_print(c, "%s.%s %llu\n", scope, name, (unsigned long long)value);
}

static void print_port(struct control *c, const struct port *p)
{
	const struct port_stats *s = &p->stats;
	const struct impair_stats *i = impair_stats(p->impair);

	control_print(c, "%s.connected %d\n%s.link %s\n", p->name, p->sock.fd >= 0, p->name,
		      p->link_up ? "up" : "down");
	print_counter(c, p->name, "rx_frames", s->rx_frames);
	print_counter(c, p->name, "rx_bytes", s->rx_bytes);
	print_counter(c, p->name, "tx_frames", s->tx_frames);
	print_counter(c, p->name, "tx_bytes", s->tx_bytes);
	print_counter(c, p->name, "tx_dropped", s->tx_dropped);
	print_counter(c, p->name, "rx_runt", s->rx_runt);
	print_counter(c, p->name, "link_dropped", s->link_dropped);
	print_counter(c, p->name, "lost", i->lost);
	print_counter(c, p->name, "corrupted", i->corrupted);
	print_counter(c, p->name, "corrupted_past_fcs", i->flipped);
	print_counter(c, p->name, "duplicated", i->duplicated);
	print_counter(c, p->name, "reordered", i->reordered);
	print_counter(c, p->name, "overflow", i->overflow);
	print_counter(c, p->name, "connects", s->connects);
	print_counter(c, p->name, "disconnects", s->disconnects);
	print_counter(c, p->name, "refused", s->refused);
	print_counter(c, p->name, "protocol_errors", s->protocol_errors);
}

static const char *command_set(struct wire *w, const char *text)
{
	const char *error = impair_parse(text, &w->settings);

	if (error)
		return error;
	for (int i = 0; i < w->count; i++)
		impair_set(w->ports[i].impair, &w->settings);
	return NULL;
}

static const char *command_link(struct wire *w, const char *name, const char *state)
{
	struct port *p = find_port(w, name);

	if (!p)
		return "no such port";
	if (strcmp(state, "up") && strcmp(state, "down"))
		return "the state is up or down";
	p->link_up = !strcmp(state, "up");
	if (!p->link_up)
		impair_clear(p->impair);
	return NULL;
}

static const char *on_command(void *user, struct control *c, int argc, char **argv)
{
	struct wire *w = user;
	char text[320];

	if (!strcmp(argv[0], "set") && argc == 2)
		return command_set(w, argv[1]);
	if (!strcmp(argv[0], "link") && argc == 3)
		return command_link(w, argv[1], argv[2]);
	if (!strcmp(argv[0], "show") && argc == 1) {
		impair_format(&w->settings, text, sizeof(text));
		control_print(c, "%s\n", text);
		return NULL;
	}
	if (!strcmp(argv[0], "stats") && argc <= 2) {
		if (argc == 2 && !find_port(w, argv[1]))
			return "no such port";
		for (int i = 0; i < w->count; i++)
			if (argc == 1 || !strcmp(argv[1], w->ports[i].name))
				print_port(c, &w->ports[i]);
		return NULL;
	}
	if (!strcmp(argv[0], "flush") && argc == 1) {
		if (w->capture)
			pcapng_flush(w->capture);
		return NULL;
	}
	if (!strcmp(argv[0], "quit") && argc == 1) {
		w->quit = true;
		return NULL;
	}
	return "commands: set SETTINGS | show | link NAME up|down | stats [NAME] | flush | quit";
}

/* ---- main loop ---- */

/* Hands out every frame that has arrived; returns when the next one does. */
static uint64_t deliver(struct wire *w)
{
	uint64_t next = UINT64_MAX;

	for (int i = 0; i < w->count; i++) {
		const uint8_t *frame;
		uint64_t due;
		size_t len;

		while ((frame = impair_pop(w->ports[i].impair, w->now_ns, &len)))
			forward(w, i, frame, len);
		due = impair_next_ns(w->ports[i].impair);
		if (due < next)
			next = due;
	}
	for (int i = 0; i < w->count; i++)
		if (!framesock_flush(&w->ports[i].sock))
			port_detach(w, i, "closed");
	return next;
}

static void serve(struct wire *w)
{
	struct pollfd fds[2 * PORTS_MAX + CONTROL_FDS];
	uint64_t next = deliver(w), wait;
	struct timespec timeout;
	int n = 0, control_at;

	for (int i = 0; i < w->count; i++) {
		struct port *p = &w->ports[i];
		short events = POLLIN;

		if (framesock_wants_write(&p->sock))
			events |= POLLOUT;
		fds[n++] = (struct pollfd){ .fd = p->listener, .events = POLLIN };
		fds[n++] = (struct pollfd){ .fd = p->sock.fd, .events = events };
	}
	control_at = n;
	if (w->control)
		n += control_poll(w->control, fds + n);
	/* Nothing is left unwritten in the capture while the wire sleeps. */
	if (w->capture)
		pcapng_flush(w->capture);
	wait = next > w->now_ns ? next - w->now_ns : 0;
	timeout = (struct timespec){ (time_t)(wait / 1000000000u), (long)(wait % 1000000000u) };
	if (ppoll(fds, (nfds_t)n, next == UINT64_MAX ? NULL : &timeout, &wait_mask) < 0) {
		if (errno != EINTR)
			die("poll: %s", strerror(errno));
		return;
	}
	w->now_ns = clock_monotonic_ns();
	for (int i = 0; i < w->count; i++) {
		if (w->ports[i].sock.fd >= 0 && fds[2 * i + 1].revents & ~POLLOUT)
			port_receive(w, i);
		if (fds[2 * i].revents)
			port_accept(w, i);
	}
	if (w->control)
		control_serve(w->control, fds + control_at, n - control_at);
}

static void usage(FILE *to)
{
	fputs("usage: weft-wire --listen NAME=PATH [--listen ...] [--control PATH] [--pcap FILE]\n"
	      "                 [--set SETTINGS] [--down NAME ...] [--hub]\n"
	      "SETTINGS: loss=P%,reorder=P%:DIST,dup=P%,corrupt=P%,corrupt-past-fcs=P%[:BITS],\n"
	      "          delay=TIME,rate=BITRATE,seed=N,none\n",
	      to);
}

static struct option options[] = {
	{ "listen", required_argument, NULL, 'l' }, { "control", required_argument, NULL, 'c' },
	{ "pcap", required_argument, NULL, 'p' },   { "set", required_argument, NULL, 's' },
	{ "down", required_argument, NULL, 'd' },
	{ "hub", no_argument, NULL, 'u' },          { "help", no_argument, NULL, 'h' },
	{ NULL, 0, NULL, 0 },
};

static void open_all(struct wire *w, const char *control, const char *pcap)
{
	if (pcap) {
		w->capture = pcapng_open(pcap, "weft-wire");
		if (!w->capture)
			die("%s: %s", pcap, strerror(errno));
	}
	for (int i = 0; i < w->count; i++) {
		struct port *p = &w->ports[i];

		p->listener = unix_listen(p->path);
		if (p->listener < 0)
			die("%s: %s", p->path, strerror(errno));
		framesock_init(&p->sock, OUT_BYTES);
		p->impair = impair_new(&w->settings, (uint64_t)i);
		if (w->capture)
			p->capture_interface = pcapng_interface(w->capture, p->name);
	}
	if (control) {
		w->control = control_open(control, on_command, w);
		if (!w->control)
			die("%s: %s", control, strerror(errno));
	}
	if (w->capture)
		pcapng_flush(w->capture);
}

static void close_all(struct wire *w)
{
	for (int i = 0; i < w->count; i++) {
		close(w->ports[i].listener);
		unlink(w->ports[i].path);
		framesock_free(&w->ports[i].sock);
		impair_free(w->ports[i].impair);
	}
	control_close(w->control);
	pcapng_close(w->capture);
}

int main(int argc, char **argv)
{
	static struct wire w;
	const char *control = NULL, *pcap = NULL, *error;
	struct sigaction action = { .sa_handler = on_signal };
	sigset_t blocked;
	int option;

	util_name("weft-wire");
	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		switch (option) {
		case 'l':
			add_port(&w, optarg);
			break;
		case 'c':
			control = optarg;
			break;
		case 'p':
			pcap = optarg;
			break;
		case 's':
			error = impair_parse(optarg, &w.settings);
			if (error)
				die("--set: %s", error);
			break;
		case 'd': /* behind its --listen */
			if (!find_port(&w, optarg))
				die("--down: there is no port '%s'", optarg);
			find_port(&w, optarg)->link_up = false;
			break;
		case 'u':
			w.hub = true;
			break;
		case 'h':
			usage(stdout);
			return 0;
		default:
			usage(stderr);
			return 2;
		}
	}
	if (optind != argc || !w.count) {
		usage(stderr);
		return 2;
	}
	sigprocmask(SIG_SETMASK, NULL, &wait_mask);
	sigemptyset(&blocked);
	sigaddset(&blocked, SIGTERM);
	sigaddset(&blocked, SIGINT);
	sigprocmask(SIG_BLOCK, &blocked, NULL);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGINT, &action, NULL);
	signal(SIGPIPE, SIG_IGN);
	w.now_ns = clock_monotonic_ns();
	open_all(&w, control, pcap);
	while (!w.quit && !stop_signal)
		serve(&w);
	close_all(&w);
	return 0;
}
