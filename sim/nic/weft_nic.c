/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * weft-nic: one simulated card as a process. On one side a PCI device for QEMU (vfio-user), on the
 * other a cable to weft-wire, between them the Verilated core with a root complex model and a MAC.
 * With WEFT_LINE (weft-nic-bridge) the core is a board's, at the other end of a line (bridge/line.h), and the cable is the board's.
 *
 * Time is CLOCK_MONOTONIC, given to the core once a batch of cycles. A core with nothing to do is
 * not clocked: the process sleeps on its sockets until a message or the core's next deadline.
 * While the core is busy its time advances by 1 ms a batch at most, after the sockets have been
 * drained, so that a process that was not scheduled for a while makes no spurious time-outs.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <getopt.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "../common/control.h"
#include "../common/framesock.h"
#include "../common/prng.h"
#include "../common/util.h"
#include "../vfio/server.h"
#include "adversary.h"
#include "combine.h"
#include "counters.h"
#include "judge.h"
#include "node.h"
#include "weft_abi.h"

#ifdef WEFT_LINE
#include "../bridge/line.h"
#endif

#ifndef WEFT_CONFIG
#define WEFT_CONFIG "sim"
#endif

enum {
	BATCH_CYCLES = 32,
	WIRE_OUT_BYTES = 2 << 20,
	POSTED_MAX = 256,               /* writes of the guest in front of the core */
	BAR_DB = 2,
	READ_CYCLES_MAX = 4000000,      /* then a register read is answered with all ones */
	RESET_CYCLES_MAX = 4000000,
	OFF_CYCLES = 8,                 /* more than the beats of a frame's payload */
};
#define LINE_ANSWER_NS 3000000000u      /* ... over a line, whose cycles are not the card's */
#define STEP_NS 1000000u
#define RECONNECT_NS 200000000u

struct options {
	const char *name, *vfio, *wire, *control, *config, *record, *trace, *replay, *line, *board;
	uint64_t mac, seed, baud, retry_ns;
	bool mac_given, unplugged, judge;
};

struct nic {
	struct options opt;
	struct node *node;
	struct vfio *vfio;
	struct framesock wire;
	struct control *control;
	struct adversary adversary;
	struct judge *judge;            /* NULL: none */
	pid_t board;                    /* of a simulated board that was started here */
	bool link_admin_up, tracing, quit;
	uint64_t flushed_ns;            /* waves reach the disk once a second */
	/* The register read under way: completions of older ones carry another number. */
	uintptr_t read_number;
	unsigned int read_len;
	uint64_t read_cycle, read_ns;
	bool read_open, reset_open;
	uint64_t reset_cycle, reset_ns;
	unsigned int vectors;
	bool vectors_programmed;
	uint64_t posted, sent;          /* request TLPs asked for, and on their way */
	uint64_t full_ns;               /* since then no more of them are taken from the guest; 0: they are */
	struct combine combine;
	uint64_t now_ns;                /* the core's time */
	uint64_t reconnect_ns;
	/* Figures. */
	uint64_t start_ns, asleep_ns, wire_dropped, wakeups;
};

static volatile sig_atomic_t stop_signal;
static sigset_t wait_mask; /* of ppoll: signals come in while it waits, and only there */

static void on_signal(int number)
{
	stop_signal = number;
}

/* A guest that makes its memory smaller under the card takes the card down, with a word of why. */
static void on_bus_error(int number)
{
	static const char text[] = "weft-nic: guest memory is gone (SIGBUS)\n";

	(void)number;
	if (write(2, text, sizeof(text) - 1) < 0)
		_exit(2);
	_exit(1);
}

/* ---- what the root complex asks of the host ---- */

static int no_memory(const struct nic *nic, const char *what, uint64_t address, uint32_t len)
{
	static unsigned int told;

	if (nic->vfio && told++ < 16)
		warn("the card %s %u bytes at 0x%llx, where the guest shows it no memory", what, len, (unsigned long long)address);
	return 1;
}

static int read_memory(void *user, uint64_t address, uint32_t len, void *bytes)
{
	struct nic *nic = user;

	if (nic->judge)
		judge_access(nic->judge, false, address, len, nic->node->cycles);
	if (nic->vfio && dma_read(vfio_dma(nic->vfio), address, bytes, len))
		return 0;
	return no_memory(nic, "reads", address, len);
}

static int write_memory(void *user, uint64_t address, uint32_t len, const void *bytes)
{
	struct nic *nic = user;

	if (nic->judge)
		judge_access(nic->judge, true, address, len, nic->node->cycles);
	if (nic->vfio && dma_write(vfio_dma(nic->vfio), address, bytes, len))
		return 0;
	return no_memory(nic, "writes", address, len);
}

static void interrupt(void *user, unsigned int vector)
{
	struct nic *nic = user;

	if (nic->vfio)
		vfio_interrupt(nic->vfio, vector);
}

static void pcie_fault(void *user, const char *what)
{
	struct nic *nic = user;
	static unsigned int told;

	if (nic->judge && strstr(what, "bus mastering is off"))
		judge_blame(nic->judge, what, nic->node->cycles);
	if (told++ < 100)
		warn("cycle %llu: PCIe: %s", (unsigned long long)nic->node->cycles, what);
}

static void on_tlp(void *user, int dir, int stream, const uint32_t hdr[4], const void *data,
		   uint32_t len)
{
	struct nic *nic = user;

	(void)hdr, (void)data, (void)len;
	if (dir == 0 && stream == WEFT_RC_RX_REQ && nic->sent < nic->posted)
		nic->sent++;
}

static void frame_out(void *user, const uint8_t *frame, size_t len)
{
	struct nic *nic = user;

	if (!nic->node->in.link_up || !framesock_send(&nic->wire, frame, len))
		nic->wire_dropped++;
}

/* ---- what QEMU asks of the card ---- */

static void put_configuration(struct nic *nic, const struct config_state *s)
{
	struct weft_rc_cfg *c = weft_rc_config(nic->node->rc);
	bool off = c->bme && !s->bus_master;

	c->bdf = 0x0100;
	c->bme = s->bus_master;
	c->ext_tag = s->ext_tag;
	c->rcb128 = s->rcb128;
	c->mps = s->mps;
	c->mrrs = s->mrrs;
	c->msix_en = s->msix_enable;
	c->msix_mask = s->msix_mask;
	/* A core that sleeps has to see its pins. */
	node_wake(nic->node);
	/* The bridge has to see this one though the guest takes it back at once, and what it has begun to deliver comes to its end, for nothing. */
	for (unsigned int i = 0; nic->opt.line && off && i < OFF_CYCLES; i++)
		node_cycle(nic->node, nic->now_ns);
}

/*
 * The guest's writes to the MSI-X table stay inside QEMU. So that the card's own table works all
 * the same, the root complex programs it: every vector that has a descriptor, unmasked.
 */
static void program_vectors(struct nic *nic)
{
	struct config_state s = vfio_config(nic->vfio);

	nic->vectors_programmed = true;
	weft_rc_msix_setup(nic->node->rc, nic->vectors);
	for (unsigned int i = 0; i < nic->vectors; i++)
		if (!vfio_vector_connected(nic->vfio, i))
			weft_rc_msix_mask(nic->node->rc, i, true);
	put_configuration(nic, &s);
}

static void on_vector(void *user, unsigned int vector, bool connected)
{
	struct nic *nic = user;

	if (vector >= nic->vectors || !nic->vfio)
		return;
	if (!nic->vectors_programmed) {
		if (connected)
			program_vectors(nic);
		return;
	}
	weft_rc_msix_mask(nic->node->rc, vector, !connected);
}

static void on_config(void *user, const struct config_state *state)
{
	put_configuration(user, state);
}

static void read_done(void *arg, unsigned int status, const void *data, uint32_t len);

static struct nic *the_nic; /* for completions, which carry a number only */

static void on_bar_read(void *user, unsigned int bar, uint64_t offset, unsigned int len)
{
	struct nic *nic = user;

	if (bar == 1) {
		uint64_t value = judge_read(nic->judge, offset);

		vfio_read_done(nic->vfio, (const uint8_t *)&value);
		return;
	}
	combine_flush(&nic->combine);
	nic->read_number++;
	nic->read_open = true;
	nic->read_len = len;
	nic->read_cycle = nic->node->cycles;
	nic->read_ns = clock_monotonic_ns();
	weft_rc_read(nic->node->rc, bar, offset, len, read_done, (void *)nic->read_number);
}

static void answer_read(struct nic *nic, const void *data, uint32_t len)
{
	uint8_t bytes[8];

	memset(bytes, 0xff, sizeof(bytes));
	if (data && len <= sizeof(bytes))
		memcpy(bytes, data, len);
	nic->read_open = false;
	vfio_read_done(nic->vfio, bytes);
}

static void read_done(void *arg, unsigned int status, const void *data, uint32_t len)
{
	struct nic *nic = the_nic;

	if (!nic->read_open || (uintptr_t)arg != nic->read_number)
		return;
	/* A completion with an error is all ones to a processor. */
	answer_read(nic, status == 0 && len == nic->read_len ? data : NULL, len);
}

static void on_bar_write(void *user, unsigned int bar, uint64_t offset, const uint8_t *bytes,
			 unsigned int len)
{
	struct nic *nic = user;

	if (bar == 1) {
		judge_write(nic->judge, offset, bytes, len, nic->node->cycles);
		return;
	}
	if (bar == BAR_DB && combine_takes(offset)) {
		combine_store(&nic->combine, offset, bytes, len, clock_monotonic_ns(), nic->adversary.torn);
		return;
	}
	combine_flush(&nic->combine);
	nic->posted++;
	weft_rc_write(nic->node->rc, bar, offset, bytes, len);
}

static void combined(void *arg, uint64_t offset, const uint8_t *bytes, unsigned int len)
{
	struct nic *nic = arg;

	nic->posted++;
	weft_rc_write(nic->node->rc, BAR_DB, offset, bytes, len);
}

static bool on_ready(void *user)
{
	struct nic *nic = user;

	return nic->posted - nic->sent < POSTED_MAX;
}

static void hard_reset(struct nic *nic)
{
	node_reset(nic->node, nic->now_ns);
	combine_drop(&nic->combine);
	nic->vectors_programmed = false;
	nic->read_open = nic->reset_open = false;
	nic->posted = nic->sent = nic->full_ns = 0;
}

static void reset_finished(struct nic *nic)
{
	nic->reset_open = false;
	nic->vectors_programmed = false;
	vfio_reset_done(nic->vfio);
	/* The guest restores its table inside QEMU only. */
	for (unsigned int i = 0; i < nic->vectors && !nic->vectors_programmed; i++)
		if (vfio_vector_connected(nic->vfio, i))
			program_vectors(nic);
}

static void flr_done(void *arg)
{
	struct nic *nic = arg;

	if (nic->reset_open)
		reset_finished(nic);
}

static void on_reset(void *user, bool function_level)
{
	struct nic *nic = user;

	if (function_level) {
		combine_flush(&nic->combine); /* in front of what the processor writes now */
		nic->reset_open = true;
		nic->reset_cycle = nic->node->cycles;
		nic->reset_ns = clock_monotonic_ns();
		weft_rc_flr(nic->node->rc, flr_done, nic);
		return;
	}
	hard_reset(nic);
	reset_finished(nic);
}

/* As a surprise to the guest: registers back to reset, nothing completes. A read that waits is answered with all ones. */
static void surprise(struct nic *nic)
{
	bool read_open = nic->read_open, reset_open = nic->reset_open;

	hard_reset(nic);
	if (read_open)
		answer_read(nic, NULL, 0);
	if (reset_open)
		reset_finished(nic);
	else if (vfio_connected(nic->vfio))
		program_vectors(nic);
}

static void print_number(struct control *c, const char *name, uint64_t value)
{
	control_print(c, "%s %llu\n", name, (unsigned long long)value);
}

/* ---- a core at the other end of a line ---- */

#ifdef WEFT_LINE
static pid_t start_board(const struct options *o, const char *line)
{
	char mac[32];
	char *argv[12] = { (char *)(uintptr_t)o->board, "--line", (char *)(uintptr_t)line, "--name", (char *)(uintptr_t)o->name, "--mac", mac };
	int n = 7;
	pid_t pid;

	snprintf(mac, sizeof(mac), "%02x:%02x:%02x:%02x:%02x:%02x", (unsigned int)o->mac & 255, (unsigned int)(o->mac >> 8) & 255,
		 (unsigned int)(o->mac >> 16) & 255, (unsigned int)(o->mac >> 24) & 255, (unsigned int)(o->mac >> 32) & 255,
		 (unsigned int)(o->mac >> 40) & 255);
	if (o->wire) {
		argv[n++] = "--wire";
		argv[n++] = (char *)(uintptr_t)o->wire;
	}
	if (o->unplugged)
		argv[n++] = "--unplugged";
	unlink(line);
	pid = fork();
	if (pid < 0)
		die("fork: %s", strerror(errno));
	if (!pid) {
		sigprocmask(SIG_SETMASK, &wait_mask, NULL);
		execv(argv[0], argv);
		warn("%s: %s", argv[0], strerror(errno));
		_exit(127);
	}
	return pid;
}

static void line_begin(struct nic *nic)
{
	const struct options *o = &nic->opt;
	static char path[512];

	if (o->record || o->trace || o->replay || o->judge)
		die("the pins of a board are not seen here: no --record, --replay, --trace, --judge");
	if (o->board) {
		/* It ends with this process. */
		snprintf(path, sizeof(path), "%s.line", o->vfio);
		nic->opt.line = path;
		nic->board = start_board(o, path);
	} else if (!o->line || o->wire || o->unplugged) {
		die("--line says where a board is, which has a cable of its own; --board starts a simulated one");
	}
	if (memcmp(&nic->adversary, &(struct adversary){ 0 }, sizeof(nic->adversary)))
		die("--adversarial counts cycles, and those of a board are not known here");
	line_device(o->line, (unsigned int)o->baud, o->retry_ns);
}

static void line_counts(const struct nic *nic, struct control *c)
{
	const struct bridge *b = line_bridge(nic->node->core);
	const struct bridge_stats *s = bridge_stats(b);

	print_number(c, "line_up", bridge_up(b));
	print_number(c, "line_sessions", s->sessions);
	print_number(c, "line_lost", s->lost);
	print_number(c, "line_tlps_out", s->tlps_out);
	print_number(c, "line_tlps_in", s->tlps_in);
	print_number(c, "line_sent_again", s->again);
	print_number(c, "line_naks_out", s->naks_out);
	print_number(c, "line_naks_in", s->naks_in);
	print_number(c, "line_broken", s->broken);
	print_number(c, "line_bad", s->bad);
	print_number(c, "line_stale", s->stale);
	print_number(c, "line_refused", s->refused);
}

static bool line_stands(const struct nic *nic) { return line_waits(nic->node->core); }
static uint64_t line_until(const struct nic *nic, uint64_t mono) { return line_due(nic->node->core, mono); }

static bool line_work(struct nic *nic, uint64_t mono)
{
	bool any = line_turn(nic->node->core, mono);

	if (any)
		node_wake(nic->node);
	if (line_lost(nic->node->core)) {
		warn("the board was reset, or is away");
		surprise(nic);
	}
	return any;
}

static void line_poll(const struct nic *nic, struct pollfd *fd)
{
	fd->fd = line_fd(nic->node->core);
	fd->events = line_events(nic->node->core);
}

/* At the start: true when the question has to be put again. */
static bool line_probe(struct nic *nic)
{
	uint64_t mono = clock_monotonic_ns();

	if (stop_signal)
		exit(0);
	line_turn(nic->node->core, mono);
	if (line_lost(nic->node->core)) {
		node_reset(nic->node, nic->now_ns);
		return true;
	}
	if (line_waits(nic->node->core))
		line_sleep(nic->node->core, &wait_mask, mono);
	return false;
}
#else
static void line_begin(struct nic *nic)
{
	if (nic->opt.line)
		die("--line is for configuration bridge");
}
static void line_counts(const struct nic *nic, struct control *c) { (void)nic; (void)c; }
static bool line_stands(const struct nic *nic) { (void)nic; return false; }
static uint64_t line_until(const struct nic *nic, uint64_t mono) { (void)nic; (void)mono; return UINT64_MAX; }
static bool line_work(struct nic *nic, uint64_t mono) { (void)nic; (void)mono; return false; }
static void line_poll(const struct nic *nic, struct pollfd *fd) { (void)nic; fd->fd = -1; }
#endif

static void on_client(void *user, bool connected)
{
	struct nic *nic = user;
	struct config_state s;

	if (!connected && nic->vfio) {
		hard_reset(nic);
		s = vfio_config(nic->vfio);
		put_configuration(nic, &s);
	}
}

static const struct vfio_ops vfio_ops = {
	.bar_read = on_bar_read,
	.bar_write = on_bar_write,
	.ready = on_ready,
	.config = on_config,
	.vector = on_vector,
	.reset = on_reset,
	.client = on_client,
};

/* ---- start: the card says what it is ---- */

struct probe {
	bool done;
	uint32_t value;
};

static void probe_done(void *arg, unsigned int status, const void *data, uint32_t len)
{
	struct probe *p = arg;

	if (status || len != 4)
		die("the core refuses a register read (status %u)", status);
	memcpy(&p->value, data, 4);
	p->done = true;
}

static uint32_t probe(struct nic *nic, uint32_t offset)
{
	struct probe p = { false, 0 };

	weft_rc_read(nic->node->rc, 0, offset, 4, probe_done, &p);
	for (unsigned int i = 0; !p.done; i++) {
#ifdef WEFT_LINE
		/* A board may be switched on later. */
		if (line_probe(nic))
			weft_rc_read(nic->node->rc, 0, offset, 4, probe_done, &p);
#else
		if (i == 1000000)
			die("the core does not answer a read of register 0x%x", offset);
#endif
		node_cycle(nic->node, nic->now_ns);
	}
	return p.value;
}

static uint64_t power_of_two(uint64_t value)
{
	uint64_t p = 4096;

	while (p < value)
		p <<= 1;
	return p;
}

/* CONFIG, or CONFIG-MAC. */
static bool is_config(const char *name)
{
	size_t n = strlen(name);

	return !strncmp(WEFT_CONFIG, name, n) && (!WEFT_CONFIG[n] || WEFT_CONFIG[n] == '-');
}

static uint16_t subsystem(void)
{
	if (is_config("ecp5"))
		return WEFT_PCI_SUBSYS_ECP5;
	if (is_config("bridge"))
		return WEFT_PCI_SUBSYS_ECP5; /* the only board with one */
	if (is_config("artix7"))
		return WEFT_PCI_SUBSYS_ARTIX7;
	if (is_config("us100"))
		return WEFT_PCI_SUBSYS_US100;
	return WEFT_PCI_SUBSYS_SIM;
}

static struct config_identity identify(struct nic *nic)
{
	struct config_identity id = { .subsystem = subsystem(), .mac = nic->opt.mac };
	uint32_t magic = probe(nic, WEFT_REG_ID);
	uint64_t pages = probe(nic, WEFT_REG_CAP_DB_PAGES);
	uint64_t stride = probe(nic, WEFT_REG_CAP_DB_STRIDE);

	if (magic != WEFT_MAGIC)
		die("register ID is 0x%08x", magic);
	nic->vectors = probe(nic, WEFT_REG_CAP_VECTORS);
	if (!nic->vectors || nic->vectors > VFIO_VECTORS_MAX || !pages || pages * stride > 1 << 30)
		die("the core reports %u vectors, %llu doorbell pages of %llu bytes", nic->vectors,
		    (unsigned long long)pages, (unsigned long long)stride);
	id.vectors = nic->vectors;
	id.bar_bytes[0] = WEFT_BAR0_BYTES;
	id.bar_type[0] = BAR_MEM32;
	if (nic->judge) {
		id.bar_bytes[1] = JUDGE_BYTES;
		id.bar_type[1] = BAR_MEM32;
	}
	id.bar_bytes[2] = power_of_two(pages * stride);
	id.bar_type[2] = BAR_MEM64 | BAR_PREFETCH;
	id.bar_bytes[4] = WEFT_BAR4_BYTES;
	id.bar_type[4] = BAR_MEM32;
	return id;
}

/* ---- the cable ---- */

static void update_link(struct nic *nic)
{
	nic->node->in.link_up = nic->link_admin_up && nic->wire.fd >= 0;
	node_wake(nic->node);
}

static void wire_connect(struct nic *nic, uint64_t mono)
{
	int fd;

	if (!nic->opt.wire || nic->board || nic->wire.fd >= 0 || mono < nic->reconnect_ns)
		return;
	nic->reconnect_ns = mono + RECONNECT_NS;
	fd = unix_connect(nic->opt.wire);
	if (fd < 0)
		return;
	framesock_attach(&nic->wire, fd);
	update_link(nic);
}

static void wire_lost(struct nic *nic, const char *why)
{
	warn("wire: %s", why);
	framesock_detach(&nic->wire);
	update_link(nic);
}

/* Frames that are there go to the core; what finds no room stays in the socket. */
static bool wire_receive(struct nic *nic)
{
	const char *why = NULL;
	const uint8_t *frame;
	bool alive, bad = false, any = false;
	size_t len;

	alive = framesock_fill(&nic->wire, &why);
	while (ethport_room(nic->node->eth) && (frame = framesock_next(&nic->wire, &len, &bad))) {
		any = true;
		if (len >= FRAME_HEADER && nic->node->in.link_up)
			ethport_push(nic->node->eth, frame, len, false);
	}
	if (bad)
		wire_lost(nic, "a frame length that cannot be");
	else if (!alive)
		wire_lost(nic, why);
	return any;
}

/* ---- control ---- */

/* DIR/NAME.SUFFIX, or NAME-1, NAME-2, ...: nothing that was written before is written over. */
static void free_path(const char *dir, const char *name, const char *suffix, char *path, size_t room)
{
	snprintf(path, room, "%s/%s.%s", dir, name, suffix);
	for (unsigned int i = 1; access(path, F_OK) == 0; i++)
		snprintf(path, room, "%s/%s-%u.%s", dir, name, i, suffix);
}

static const char *set_tracing(struct nic *nic, bool on)
{
	char path[512];

	if (on == nic->tracing)
		return NULL;
	if (!on) {
		core_trace(nic->node->core, NULL);
		nic->tracing = false;
		return NULL;
	}
	if (!nic->opt.trace)
		nic->opt.trace = ".";
	free_path(nic->opt.trace, nic->opt.name, "fst", path, sizeof(path));
	if (!core_trace(nic->node->core, path))
		return "the trace file cannot be made, or the model was built without tracing";
	nic->tracing = true;
	return NULL;
}

/* A register of a room; a core that does not answer costs a bounded number of cycles. */
static bool room_read(struct nic *nic, uint32_t address, uint32_t *value)
{
	struct node *n = nic->node;

	node_dbg_start(n, false, address, 0);
	for (unsigned int i = 0; node_dbg_busy(n) && i < 10000; i++)
		node_cycle(n, nic->now_ns);
	if (node_dbg_busy(n)) {
		n->dbg = DBG_IDLE;
		return false;
	}
	*value = n->dbg_rdata;
	return !n->dbg_err;
}

static void print_counters(struct nic *nic, struct control *c)
{
	for (unsigned int i = 0; i < counter_count; i++) {
		uint32_t address = (uint32_t)WEFT_ROOM_STATS << 22 | i * 8, low, high;

		if (!room_read(nic, address, &low) || !room_read(nic, address + 4, &high))
			return;
		print_number(c, counter_names[i], (uint64_t)high << 32 | low);
	}
}

static const char *command_stats(struct nic *nic, struct control *c)
{
	const struct ethport_stats *e = ethport_stats(nic->node->eth);
	const struct weft_rc_stats *r = weft_rc_stats(nic->node->rc);
	const struct vfio_stats *v = vfio_stats(nic->vfio);
	uint64_t up_ns = clock_monotonic_ns() - nic->start_ns;
	uint64_t busy_ns = up_ns - nic->asleep_ns;

	print_number(c, "cycles", nic->node->cycles);
	print_number(c, "cycles_per_second",
		     busy_ns ? (uint64_t)((double)nic->node->cycles * 1e9 / (double)busy_ns) : 0);
	control_print(c, "idle_percent %.2f\n",
		      up_ns ? 100.0 * (double)nic->asleep_ns / (double)up_ns : 0.0);
	print_number(c, "wakeups", nic->wakeups);
	print_number(c, "mac_rx_frames", e->rx_frames);
	print_number(c, "mac_rx_bytes", e->rx_bytes);
	print_number(c, "mac_rx_dropped", e->rx_dropped);
	print_number(c, "mac_tx_frames", e->tx_frames);
	print_number(c, "mac_tx_bytes", e->tx_bytes);
	print_number(c, "mac_tx_dropped", nic->wire_dropped);
	print_number(c, "pcie_read_tlps", r->rd_tlps);
	print_number(c, "pcie_read_bytes", r->rd_bytes);
	print_number(c, "pcie_write_tlps", r->wr_tlps);
	print_number(c, "pcie_write_bytes", r->wr_bytes);
	print_number(c, "pcie_completions", r->cpl_tlps);
	print_number(c, "pcie_faults", r->faults);
	print_number(c, "interrupts", v->interrupts);
	print_number(c, "vfio_messages", v->messages);
	print_number(c, "vfio_errors", v->errors);
	print_number(c, "mmio_reads", v->reads);
	print_number(c, "mmio_writes", v->writes);
	print_number(c, "lines_whole", nic->combine.lines);
	print_number(c, "lines_torn", nic->combine.torn);
	print_number(c, "lines_in_part", nic->combine.parts);
	line_counts(nic, c);
	print_counters(nic, c);
	return NULL;
}

static const char *command_status(struct nic *nic, struct control *c)
{
	const struct node *n = nic->node;
	uint64_t mac = nic->opt.mac;
	uint64_t deadline = node_deadline(n);

	control_print(c, "name %s\nconfig %s\ndata_width %u\n", nic->opt.name, WEFT_CONFIG,
		      core_beat_bytes(n->core) * 8);
	control_print(c, "mac %02x:%02x:%02x:%02x:%02x:%02x\n", (unsigned int)mac & 255,
		      (unsigned int)(mac >> 8) & 255, (unsigned int)(mac >> 16) & 255,
		      (unsigned int)(mac >> 24) & 255, (unsigned int)(mac >> 32) & 255,
		      (unsigned int)(mac >> 40) & 255);
	control_print(c, "guest %s\n", vfio_connected(nic->vfio) ? "connected" : "absent");
	control_print(c, "guest_memory %llu\n",
		      (unsigned long long)vfio_stats(nic->vfio)->memory_bytes);
	if (!nic->opt.line) {
		control_print(c, "wire %s\n", nic->wire.fd >= 0 ? "connected" : "absent");
		control_print(c, "link %s\n", n->in.link_up ? "up" : "down");
	}
	control_print(c, "core %s\n", node_quiet(n) ? "idle" : "busy");
	control_print(c, "now_ns %llu\n", (unsigned long long)nic->now_ns);
	if (deadline == UINT64_MAX)
		control_print(c, "next_deadline_ns none\n");
	else
		print_number(c, "next_deadline_ns", deadline);
	control_print(c, "tracing %s\n", nic->tracing ? "on" : "off");
	control_print(c, "recording %s\n", n->record ? "on" : "off");
	return NULL;
}

/* The memory judge's verdict; an error when there is one to tell, or nothing was judged. */
static const char *command_judge(struct nic *nic, struct control *c)
{
	const struct judge_figures *f;

	if (!nic->judge)
		return "no judge: the lab was started without --judge";
	f = judge_figures(nic->judge);
	print_number(c, "judged", f->accesses);
	print_number(c, "given", f->given);
	print_number(c, "taken_back", f->taken);
	print_number(c, "bytes_given_now", f->bytes);
	print_number(c, "takes_of_what_was_not_given", f->strange);
	print_number(c, "verdicts", f->verdicts);
	if (f->verdicts)
		control_print(c, "first: %s\n", f->first);
	if (f->verdicts)
		return "DMA outside of what is the card's";
	return f->accesses ? NULL : "nothing was judged yet";
}

/* The module in the cage: `what` changes it. The answer is how many reads of it have ended. */
static const char *command_module(struct nic *nic, struct control *c, const char *what)
{
	struct core_in *in = &nic->node->in;
	uint32_t status;

	if (!room_read(nic, (uint32_t)WEFT_ROOM_PORT << 22 | WEFT_PORT_MODULE_STATUS, &status))
		return "this card has no cage";
	if (!strcmp(what, "in") || !strcmp(what, "out"))
		in->module_out = what[0] == 'o';
	else if (!strcmp(what, "sda") || !strcmp(what, "scl") || !strcmp(what, "free"))
		in->sda_stuck = !strcmp(what, "sda"), in->scl_stuck = !strcmp(what, "scl");
	else if (strcmp(what, "show"))
		return "module in|out|sda|scl|free|show";
	node_wake(nic->node);
	control_print(c, "module %s, %s\n", in->module_out ? "out" : "in", in->sda_stuck ? "SDA low" : in->scl_stuck ? "SCL low" : "bus free");
	print_number(c, "module_reads", (status & WEFT_MODULE_STATUS_COUNT_MASK) >> WEFT_MODULE_STATUS_COUNT_LSB);
	return NULL;
}

static const char *on_command(void *user, struct control *c, int argc, char **argv)
{
	struct nic *nic = user;
	const char *word = argc > 1 ? argv[1] : "";
	bool on = !strcmp(word, "on") || !strcmp(word, "up");
	bool off = !strcmp(word, "off") || !strcmp(word, "down");

	if (!strcmp(argv[0], "stats") && argc == 1)
		return command_stats(nic, c);
	if (!strcmp(argv[0], "status") && argc == 1)
		return command_status(nic, c);
	if (!strcmp(argv[0], "judge") && argc == 1)
		return command_judge(nic, c);
	if (!strcmp(argv[0], "reset") && argc == 1) {
		surprise(nic);
		return NULL;
	}
	if (!strcmp(argv[0], "quit") && argc == 1) {
		nic->quit = true;
		return NULL;
	}
	if (!strcmp(argv[0], "tracing") && argc == 2 && (on || off))
		return set_tracing(nic, on);
	if (!strcmp(argv[0], "link") && argc == 2 && (on || off)) {
		if (nic->opt.line && !nic->board)
			return "the cable is the board's";
		nic->link_admin_up = on;
		if (nic->board)
			kill(nic->board, on ? SIGUSR1 : SIGUSR2);
		else
			update_link(nic);
		return NULL;
	}
	if (!strcmp(argv[0], "module") && argc == 2)
		return command_module(nic, c, word);
	if (!strcmp(argv[0], "adversarial") && argc == 2 && !nic->opt.line) {
		const char *error = adversary_parse(word, &nic->adversary);

		if (!error)
			adversary_apply(&nic->adversary, nic->node->rc, nic->node->eth, nic->opt.seed);
		return error;
	}
	return "commands: stats | status | judge | reset | quit | tracing on|off | link up|down | "
	       "module in|out|sda|scl|free|show | adversarial OPTIONS";
}

/* ---- main loop ---- */

/* Completion time-out of a processor: a core that hangs must not hang the guest for ever. */
static bool overdue(const struct nic *nic, uint64_t cycle, uint64_t since_ns, unsigned int most)
{
	if (nic->opt.line)
		return clock_monotonic_ns() - since_ns > LINE_ANSWER_NS;
	return nic->node->cycles - cycle > most;
}

static void watch_dogs(struct nic *nic)
{
	if (nic->read_open && overdue(nic, nic->read_cycle, nic->read_ns, READ_CYCLES_MAX)) {
		warn("a register read was not answered in time");
		answer_read(nic, NULL, 0);
	}
	if (nic->reset_open && overdue(nic, nic->reset_cycle, nic->reset_ns, RESET_CYCLES_MAX)) {
		warn("a function-level reset did not end in time");
		hard_reset(nic);
		reset_finished(nic);
	}
	/* Behind a line on which nothing goes, writes must not stop the guest for ever. */
	if (!nic->opt.line || on_ready(nic))
		nic->full_ns = 0;
	else if (!nic->full_ns)
		nic->full_ns = clock_monotonic_ns();
	else if (overdue(nic, 0, nic->full_ns, 0)) {
		warn("writes of registers were not taken in time");
		surprise(nic);
	}
}

static bool busy(const struct nic *nic)
{
	return !node_quiet(nic->node) || nic->read_open || nic->reset_open;
}

static void run_batch(struct nic *nic)
{
	for (unsigned int i = 0; i < BATCH_CYCLES; i++) {
		bool waiting = nic->read_open;

		node_cycle(nic->node, nic->now_ns);
		if ((waiting && !nic->read_open) || !busy(nic))
			break;
	}
	watch_dogs(nic);
	if (!framesock_flush(&nic->wire))
		wire_lost(nic, "closed");
	if (!busy(nic) && nic->node->record)
		record_stop(nic->node->record, nic->node->cycles, nic->now_ns);
	if (nic->tracing && nic->now_ns - nic->flushed_ns > 1000000000u) {
		nic->flushed_ns = nic->now_ns;
		core_trace_flush(nic->node->core);
	}
}

/* How long to sleep; 0 while there is work. */
static uint64_t sleep_ns(const struct nic *nic, uint64_t mono)
{
	uint64_t until = node_deadline(nic->node), due = line_until(nic, mono);

	if (busy(nic) && !line_stands(nic))
		return 0;
	if (due < until)
		until = due;
	if (nic->read_open && nic->opt.line && nic->read_ns + LINE_ANSWER_NS < until)
		until = nic->read_ns + LINE_ANSWER_NS;
	if (nic->reset_open && nic->opt.line && nic->reset_ns + LINE_ANSWER_NS < until)
		until = nic->reset_ns + LINE_ANSWER_NS;
	if (nic->full_ns && nic->full_ns + LINE_ANSWER_NS < until)
		until = nic->full_ns + LINE_ANSWER_NS;
	if (nic->opt.wire && !nic->board && nic->wire.fd < 0 && nic->reconnect_ns < until)
		until = nic->reconnect_ns;
	if (nic->combine.open && nic->combine.since_ns + COMBINE_NS < until)
		until = nic->combine.since_ns + COMBINE_NS;
	if (until == UINT64_MAX)
		return UINT64_MAX;
	return until > mono ? until - mono : 0;
}

/*
 * Wait for messages and take them in. Returns true when something came that the core has to see.
 */
static bool serve(struct nic *nic)
{
	struct pollfd fds[VFIO_FDS + 2 + CONTROL_FDS];
	uint64_t before = clock_monotonic_ns(), wait = sleep_ns(nic, before);
	struct timespec timeout = { (time_t)(wait / 1000000000u), (long)(wait % 1000000000u) };
	uint64_t messages = vfio_stats(nic->vfio)->messages;
	int n = vfio_poll(nic->vfio, fds), wire_at, control_at, ready;
	short events = ethport_room(nic->node->eth) ? POLLIN : 0;
	bool any = false;

	wire_at = n;
	if (framesock_wants_write(&nic->wire))
		events |= POLLOUT;
	fds[n++] = (struct pollfd){ .fd = nic->wire.fd, .events = events };
	line_poll(nic, &fds[n++]);
	control_at = n;
	if (nic->control)
		n += control_poll(nic->control, fds + n);
	ready = ppoll(fds, (nfds_t)n, wait == UINT64_MAX ? NULL : &timeout, &wait_mask);
	if (wait) {
		nic->asleep_ns += clock_monotonic_ns() - before;
		nic->wakeups++;
	}
	if (ready < 0 && errno != EINTR)
		die("poll: %s", strerror(errno));
	if (ready <= 0)
		return false;
	vfio_serve(nic->vfio, fds);
	if (nic->wire.fd >= 0 && nic->wire.fd == fds[wire_at].fd) {
		if (fds[wire_at].revents & POLLOUT && !framesock_flush(&nic->wire))
			wire_lost(nic, "closed");
		else if (fds[wire_at].revents & ~POLLOUT)
			any = wire_receive(nic);
	}
	if (nic->control)
		control_serve(nic->control, fds + control_at, n - control_at);
	return any || vfio_stats(nic->vfio)->messages != messages;
}

/* The core's time for the next batch. */
static void advance_time(struct nic *nic, bool was_idle, bool input)
{
	uint64_t mono = clock_monotonic_ns(), deadline = node_deadline(nic->node), limit;

	if (was_idle) {
		/* Time passed while the clock stood still. What has come in meanwhile is seen before
		 * a timer that ran out meanwhile. */
		limit = deadline;
		if (input && deadline && deadline != UINT64_MAX)
			limit--;
		if (limit < nic->now_ns)
			limit = nic->now_ns;
	} else {
		limit = nic->now_ns + STEP_NS;
	}
	if (mono < limit)
		limit = mono;
	if (limit > nic->now_ns)
		nic->now_ns = limit;
}

static void loop(struct nic *nic)
{
	while (!nic->quit && !stop_signal) {
		bool was_idle = !busy(nic), input, due;
		uint64_t mono;

		input = serve(nic);
		mono = clock_monotonic_ns();
		input |= line_work(nic, mono);
		wire_connect(nic, mono);
		if (nic->combine.open && mono - nic->combine.since_ns >= COMBINE_NS)
			combine_flush(&nic->combine);
		due = node_deadline(nic->node) <= mono;
		if (was_idle && !busy(nic) && !due)
			continue;
		if (was_idle && due)
			node_wake(nic->node);
		advance_time(nic, was_idle, input);
		run_batch(nic);
	}
}

/* ---- start and end ---- */

static void usage(FILE *to)
{
	fputs("usage: weft-nic --vfio PATH [--wire PATH] [--control PATH] [--name NAME] [--mac MAC]\n"
	      "                [--config NAME] [--seed N] [--adversarial OPTIONS] [--unplugged]\n"
	      "                [--record DIR] [--trace DIR] [--judge]\n"
	      "       weft-nic --replay DIR [--name NAME] [--trace DIR]\n"
	      "       weft-nic --config bridge --line DEVICE|SOCKET|--board PROGRAM [--wire PATH] [--baud 6000000] [--retry 100ms]\n"
	      "                --vfio PATH [--control PATH] [--name NAME] [--mac MAC]\n"
	      "OPTIONS of the adversary: split,reorder,stale,delay=MIN:MAX,late=MIN:MAX,starve=MIN:MAX,\n"
	      "                          credits=PH:PD:NPH:CPLH:CPLD,stall=P%,gap=P%,eth-stall=P%,eth-gap=P%,\n"
	      "                          ur=P%,ca=P%,poison=P%,lost=P%,stray=P%,torn=P%,all,cruel,none\n",
	      to);
}

static struct option long_options[] = {
	{ "name", required_argument, NULL, 'n' },    { "vfio", required_argument, NULL, 'v' },
	{ "wire", required_argument, NULL, 'w' },    { "control", required_argument, NULL, 'c' },
	{ "config", required_argument, NULL, 'C' },  { "mac", required_argument, NULL, 'm' },
	{ "record", required_argument, NULL, 'r' },  { "trace", required_argument, NULL, 't' },
	{ "replay", required_argument, NULL, 'R' },  { "seed", required_argument, NULL, 's' },
	{ "adversarial", required_argument, NULL, 'a' }, { "unplugged", no_argument, NULL, 'u' },
	{ "judge", no_argument, NULL, 'j' },
	{ "line", required_argument, NULL, 'l' },    { "baud", required_argument, NULL, 'b' },
	{ "retry", required_argument, NULL, 'T' },   { "board", required_argument, NULL, 'B' },
	{ "help", no_argument, NULL, 'h' },
	{ NULL, 0, NULL, 0 },
};

static void parse_options(int argc, char **argv, struct options *o, struct adversary *a)
{
	const char *error;
	int option;

	while ((option = getopt_long(argc, argv, "", long_options, NULL)) != -1) {
		switch (option) {
		case 'n':
			if (!*optarg || strchr(optarg, '/'))
				die("--name '%s' is no name", optarg);
			o->name = optarg;
			break;
		case 'v':
			o->vfio = optarg;
			break;
		case 'w':
			o->wire = optarg;
			break;
		case 'c':
			o->control = optarg;
			break;
		case 'C':
			o->config = optarg;
			break;
		case 'm':
			if (!parse_mac(optarg, &o->mac))
				die("--mac '%s' is no station address", optarg);
			o->mac_given = true;
			break;
		case 'r':
			o->record = optarg;
			break;
		case 't':
			o->trace = optarg;
			break;
		case 'R':
			o->replay = optarg;
			break;
		case 's':
			if (!parse_u64(optarg, UINT64_MAX, &o->seed))
				die("--seed '%s' is no number", optarg);
			break;
		case 'a':
			error = adversary_parse(optarg, a);
			if (error)
				die("--adversarial: %s", error);
			break;
		case 'u':
			o->unplugged = true;
			break;
		case 'j':
			o->judge = true;
			break;
		case 'l':
			o->line = optarg;
			break;
		case 'B':
			o->board = optarg;
			break;
		case 'b':
			if (!parse_u64(optarg, 100000000, &o->baud) || !o->baud)
				die("--baud '%s' is no rate", optarg);
			break;
		case 'T':
			if (!parse_time(optarg, &o->retry_ns) || !o->retry_ns)
				die("--retry '%s' is no time, as in 100ms", optarg);
			break;
		case 'h':
			usage(stdout);
			exit(0);
		default:
			usage(stderr);
			exit(2);
		}
	}
	if (optind != argc || (!o->vfio && !o->replay)) {
		usage(stderr);
		exit(2);
	}
	if (!o->mac_given) {
		uint64_t hash = o->seed;

		/* Locally administered, from the name, so that two cards differ. */
		for (const char *p = o->name; *p; p++)
			hash = mix64(hash + (uint8_t)*p);
		o->mac = (hash & 0xffffffffff00u) | 0x02;
	}
}

/* Another configuration is another program beside this one. */
static void other_config(const char *config, char **argv)
{
	char self[400], path[500];
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);
	char *slash;

	if (strchr(config, '/') || n <= 0)
		die("no configuration '%s'", config);
	self[n] = 0;
	slash = strrchr(self, '/');
	*slash = 0;
	if (!strcmp(config, "sim"))
		snprintf(path, sizeof(path), "%s/weft-nic", self);
	else
		snprintf(path, sizeof(path), "%s/weft-nic-%s", self, config);
	execv(path, argv);
	die("this is configuration %s; %s: %s", WEFT_CONFIG, path, strerror(errno));
}

static int replay(const struct options *o, char **argv)
{
	char path[512], trace[512];
	struct record_header h;

	snprintf(path, sizeof(path), "%s/%s.rec", o->replay, o->name);
	/* The card that made it is the one that runs it. */
	if (record_read_header(path, &h) && h.config[0] && strcmp(h.config, WEFT_CONFIG))
		other_config(h.config, argv);
	if (o->trace)
		snprintf(trace, sizeof(trace), "%s/%s-replay.fst", o->trace, o->name);
	return record_replay(path, o->trace ? trace : NULL);
}

static void start(struct nic *nic)
{
	const struct options *o = &nic->opt;
	const struct weft_rc_ops rc_ops = {
		.read_mem = read_memory,
		.write_mem = write_memory,
		.irq = interrupt,
		.fault = pcie_fault,
		.trace = on_tlp,
		.ctx = nic,
	};
	struct config_identity id;
	struct config_state state;
	char path[512];

	line_begin(nic);
	nic->start_ns = nic->now_ns = clock_monotonic_ns();
	nic->link_admin_up = !o->unplugged;
	framesock_init(&nic->wire, WIRE_OUT_BYTES);
	nic->node = node_new(o->name, o->mac, o->seed, &rc_ops, frame_out, nic);
	if (o->line) {
		/* Cycles are not the card's, and what comes is of a while ago. */
		weft_rc_config(nic->node->rc)->sink_limit = UINT32_MAX;
		weft_rc_config(nic->node->rc)->off_drops = true;
	}
	if (o->record) {
		mkdir(o->record, 0777);
		free_path(o->record, o->name, "rec", path, sizeof(path));
		if (!node_record(nic->node, path, o->name, WEFT_CONFIG))
			die("%s: %s", path, strerror(errno));
	}
	if (o->trace) {
		const char *error;

		mkdir(o->trace, 0777);
		error = set_tracing(nic, true);
		if (error)
			die("--trace %s: %s", o->trace, error);
	}
	hard_reset(nic);
	if (o->judge)
		nic->judge = judge_new();
	id = identify(nic);
	adversary_apply(&nic->adversary, nic->node->rc, nic->node->eth, o->seed);
	combine_init(&nic->combine, o->seed, combined, nic);
	nic->vfio = vfio_open(o->vfio, &id, &vfio_ops, nic);
	if (!nic->vfio)
		die("%s: %s", o->vfio, strerror(errno));
	state = vfio_config(nic->vfio);
	put_configuration(nic, &state);
	if (o->control) {
		nic->control = control_open(o->control, on_command, nic);
		if (!nic->control)
			die("%s: %s", o->control, strerror(errno));
	}
}

static void finish(struct nic *nic)
{
	struct vfio *v = nic->vfio;

	nic->vfio = NULL; /* no more callbacks into it */
	vfio_close(v);
	control_close(nic->control);
	if (nic->board)
		kill(nic->board, SIGTERM);
	framesock_free(&nic->wire);
	core_trace(nic->node->core, NULL);
	node_free(nic->node);
	judge_free(nic->judge);
}

int main(int argc, char **argv)
{
	static struct nic nic = { .opt = { .name = "nic", .config = WEFT_CONFIG, .seed = 1, .baud = 6000000, .retry_ns = 100000000 } };
	struct sigaction action = { .sa_handler = on_signal };
	sigset_t blocked;

	util_name("weft-nic");
	parse_options(argc, argv, &nic.opt, &nic.adversary);
	if (strcmp(nic.opt.config, WEFT_CONFIG))
		other_config(nic.opt.config, argv);
	if (nic.opt.replay)
		return replay(&nic.opt, argv);
	the_nic = &nic;
	sigprocmask(SIG_SETMASK, NULL, &wait_mask);
	sigemptyset(&blocked);
	sigaddset(&blocked, SIGTERM);
	sigaddset(&blocked, SIGINT);
	sigprocmask(SIG_BLOCK, &blocked, NULL);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGINT, &action, NULL);
	signal(SIGPIPE, SIG_IGN);
	signal(SIGBUS, on_bus_error);
	start(&nic);
	loop(&nic);
	finish(&nic);
	return 0;
}
