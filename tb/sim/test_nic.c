/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * weft-wire and weft-nic (with the test double as its core) as processes: this test is the guest,
 * the peer on the wire and the lab.
 *
 *     test_nic WEFT_WIRE WEFT_NIC
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../../sim/common/util.h"
#include "vfio_client.h"
#include "weft_abi.h"

/* Commands of the test double (weft_core.sv). */
enum { IRQ = 0xf04, DMA_LO = 0xf08, DMA_HI = 0xf0c, DMA_WRITE = 0xf10, DMA_READ = 0xf14,
       DMA_RESULT = 0xf18, TIMER = 0xf20, BUSY = 0xf28, NOT_BUSY = 0xf2c, NO_ANSWER = 0xf30 };

static char dir[] = "/tmp/weft-nic.XXXXXX";
static pid_t wire_pid, nic_pid;

static char *path_of(const char *name)
{
	static char paths[8][128];
	static unsigned int next;
	char *p = paths[next++ % 8];

	snprintf(p, sizeof(paths[0]), "%s/%s", dir, name);
	return p;
}

/* A path that stays. */
static char *kept_path(const char *name)
{
	static char paths[16][128];
	static unsigned int next;

	return strcpy(paths[next++ % 16], path_of(name));
}

static void clean_up(void)
{
	char command[160];

	if (wire_pid > 0)
		kill(wire_pid, SIGKILL);
	if (nic_pid > 0)
		kill(nic_pid, SIGKILL);
	snprintf(command, sizeof(command), "rm -rf %s", dir);
	if (system(command))
		return;
}

static pid_t spawn(char *const argv[])
{
	pid_t pid = fork();

	if (pid == 0) {
		int log = open(path_of("log"), O_WRONLY | O_CREAT | O_APPEND, 0644);

		dup2(log, 2);
		execv(argv[0], argv);
		_exit(127);
	}
	return pid;
}

static int connect_to(const char *path)
{
	for (int i = 0; i < 200; i++) {
		int fd = unix_connect(path);

		if (fd >= 0) {
			fcntl(fd, F_SETFL, 0);
			return fd;
		}
		usleep(20000);
	}
	CHECK(0, "nobody listens at %s", path);
	return -1;
}

static void wait_readable(int fd, int ms, const char *what)
{
	struct pollfd p = { fd, POLLIN, 0 };

	CHECK(poll(&p, 1, ms) == 1, "no %s within %d ms", what, ms);
}

/* A command of a control socket; the whole answer. */
static const char *control(const char *path, const char *command)
{
	static char text[65536];
	int fd = connect_to(path);
	size_t len = 0;

	CHECK(dprintf(fd, "%s\n", command) > 0);
	for (;;) {
		ssize_t n;

		wait_readable(fd, 10000, "answer");
		n = read(fd, text + len, sizeof(text) - 1 - len);
		CHECK(n > 0);
		len += (size_t)n;
		text[len] = 0;
		if (text[len - 1] == '\n' && (strstr(text, "\nok\n") || !strcmp(text, "ok\n") ||
					      strstr(text, "error ")))
			break;
	}
	close(fd);
	return text;
}

static unsigned long long number(const char *text, const char *name)
{
	const char *at = strstr(text, name);

	CHECK(at && (at == text || at[-1] == '\n'), "no %s in:\n%s", name, text);
	return strtoull(at + strlen(name), NULL, 10);
}

/* ---- the guest ---- */

static void config_write(int fd, uint32_t offset, uint16_t value)
{
	struct vu_region_access a = { offset, VU_REGION_CONFIG, 2 };
	struct message m;

	CHECK(!vu_call(fd, &m, build(&m, VU_REGION_WRITE, &a, sizeof(a), &value, 2), NULL, 0));
}

struct guest {
	int fd, memory, irq[2];
	volatile uint8_t *p;
};

enum { MEMORY = 1 << 20, BUS = 0x40000000 };

static struct guest guest_boot(void)
{
	struct guest g;
	struct vu_version v = { 0, 0 };
	struct vu_dma_map map = { sizeof(map), 3, 0, BUS, MEMORY };
	struct vu_set_irqs irqs = { sizeof(irqs), VU_SET_DATA_EVENTFD | VU_SET_TRIGGER, VU_IRQ_MSIX, 0, 2 };
	struct message m;

	g.fd = connect_to(path_of("vfio"));
	g.memory = memfd_create("guest", MFD_CLOEXEC);
	CHECK(!ftruncate(g.memory, MEMORY));
	g.p = mmap(NULL, MEMORY, PROT_READ | PROT_WRITE, MAP_SHARED, g.memory, 0);
	CHECK(!vu_call(g.fd, &m, build(&m, VU_VERSION, &v, sizeof(v), "{}", 3), NULL, 0));
	CHECK(!vu_call(g.fd, &m, build(&m, VU_DMA_MAP, &map, sizeof(map), NULL, 0), &g.memory, 1));
	config_write(g.fd, 4, 6);
	for (int i = 0; i < 2; i++)
		g.irq[i] = eventfd(0, EFD_NONBLOCK);
	CHECK(!vu_call(g.fd, &m, build(&m, VU_DEVICE_SET_IRQS, &irqs, sizeof(irqs), NULL, 0), g.irq, 2));
	config_write(g.fd, 0x92, 0x8000);
	return g;
}

static void guest_die(struct guest *g)
{
	close(g->fd);
	munmap((void *)g->p, MEMORY);
	close(g->memory);
	close(g->irq[0]);
	close(g->irq[1]);
}

static void interrupt_at(int line, struct guest *g, int vector, int ms)
{
	uint64_t count;

	CHECK(poll(&(struct pollfd){ g->irq[vector], POLLIN, 0 }, 1, ms) == 1, "line %d: no interrupt", line);
	CHECK(read(g->irq[vector], &count, 8) == 8 && count == 1);
}

#define interrupt(g, vector, ms) interrupt_at(__LINE__, g, vector, ms)

static uint32_t dword(struct guest *g, uint32_t offset)
{
	return *(volatile uint32_t *)(g->p + offset);
}

static void test_dma(struct guest *g)
{
	CHECK(vu_bar_read(g->fd, WEFT_REG_ID) == WEFT_MAGIC);
	vu_bar_write(g->fd, DMA_LO, BUS + 0x1000);
	vu_bar_write(g->fd, DMA_HI, 0);
	vu_bar_write(g->fd, DMA_WRITE, 0xabcd1234);
	interrupt(g, 0, 2000);
	/* The interrupt is behind the data. */
	CHECK(dword(g, 0x1000) == 0xabcd1234);
	*(volatile uint32_t *)(g->p + 0x1000) = 0x77777777;
	vu_bar_write(g->fd, DMA_READ, 1);
	interrupt(g, 0, 2000);
	CHECK(vu_bar_read(g->fd, DMA_RESULT) == 0x77777777);
	/* Nobody's memory: the read fails, the card lives. */
	vu_bar_write(g->fd, DMA_LO, BUS + MEMORY);
	vu_bar_write(g->fd, DMA_READ, 1);
	interrupt(g, 0, 2000);
	CHECK(vu_bar_read(g->fd, DMA_RESULT) == 0xdead0000);
}

static uint64_t cpu_ticks(pid_t pid)
{
	char text[512];
	unsigned long user, kernel;
	FILE *f;

	snprintf(text, sizeof(text), "/proc/%d/stat", pid);
	f = fopen(text, "r");
	CHECK(f && fgets(text, sizeof(text), f));
	fclose(f);
	CHECK(sscanf(strrchr(text, ')'), ") %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &user,
		     &kernel) == 2);
	return user + kernel;
}

/* Asleep: no processor time, yet a timer of the card and a doorbell wake it at once. */
static void test_idle(struct guest *g)
{
	uint64_t before, t;

	usleep(100000);
	before = cpu_ticks(nic_pid);
	usleep(1500000);
	CHECK(cpu_ticks(nic_pid) - before <= 1, "an idle card took %u ticks in 1.5 s",
	      (unsigned int)(cpu_ticks(nic_pid) - before));
	CHECK(strstr(control(path_of("control"), "status"), "core idle"));
	t = clock_monotonic_ns();
	vu_bar_write(g->fd, TIMER, 300000000);
	CHECK(vu_bar_read(g->fd, WEFT_REG_ID) == WEFT_MAGIC);
	interrupt(g, 1, 2000);
	t = clock_monotonic_ns() - t;
	CHECK(t > 290000000 && t < 600000000, "a timer of 300 ms took %u us", (unsigned int)(t / 1000));
	/* Busy all the time: time goes on too. */
	vu_bar_write(g->fd, BUSY, 1);
	t = clock_monotonic_ns();
	vu_bar_write(g->fd, TIMER, 100000000);
	interrupt(g, 1, 3000);
	t = clock_monotonic_ns() - t;
	CHECK(t > 90000000 && t < 500000000, "%u us", (unsigned int)(t / 1000));
	CHECK(strstr(control(path_of("control"), "status"), "core busy"));
	vu_bar_write(g->fd, NOT_BUSY, 1);
}

/* What the peer sends comes back, whole and in order. */
static void test_frames(void)
{
	int fd = connect_to(path_of("port"));
	uint8_t out[4 + 9014], in[4 + 9014];

	CHECK(strstr(control(path_of("wire-control"), "set loss=0%"), "ok"));
	for (unsigned int i = 0; i < 200; i++) {
		size_t len = 60 + i * 45, got = 0;

		if (len > 9014)
			len = 9014;
		out[0] = out[1] = 0;
		out[2] = (uint8_t)(len >> 8);
		out[3] = (uint8_t)len;
		memset(out + 4, 0xff, 6);
		memcpy(out + 10, "\x02\x01\x02\x03\x04\x05", 6);
		for (size_t j = 12; j < len; j++)
			out[4 + j] = (uint8_t)(i + j);
		CHECK(write(fd, out, 4 + len) == (ssize_t)(4 + len));
		while (got < 4 + len) {
			ssize_t n;

			wait_readable(fd, 3000, "frame");
			n = read(fd, in + got, 4 + len - got);
			CHECK(n > 0);
			got += (size_t)n;
		}
		CHECK(!memcmp(in, out, 4 + len), "frame %u", i);
	}
	/* A short frame is padded by the wire. */
	memset(out, 0, 80);
	out[3] = 20;
	memset(out + 4, 0xff, 20);
	CHECK(write(fd, out, 24) == 24);
	wait_readable(fd, 3000, "frame");
	CHECK(read(fd, in, sizeof(in)) == 64 && in[3] == 60 && in[4 + 19] == 0xff && !in[4 + 20]);
	/* The cable is out on either side: nothing comes back. */
	CHECK(strstr(control(path_of("control"), "link down"), "ok"));
	CHECK(strstr(control(path_of("control"), "status"), "link down"));
	CHECK(write(fd, out, 24) == 24);
	usleep(100000);
	CHECK(strstr(control(path_of("control"), "link up"), "ok"));
	CHECK(strstr(control(path_of("wire-control"), "link a down"), "ok"));
	CHECK(write(fd, out, 24) == 24);
	usleep(100000);
	CHECK(strstr(control(path_of("wire-control"), "link a up"), "ok"));
	CHECK(recv(fd, in, sizeof(in), MSG_DONTWAIT) < 0);
	CHECK(write(fd, out, 24) == 24);
	wait_readable(fd, 3000, "frame");
	CHECK(read(fd, in, sizeof(in)) == 64);
	/* A length that cannot be ends the connection, the wire goes on. */
	memset(out, 0xff, 4);
	CHECK(write(fd, out, 4) == 4);
	wait_readable(fd, 3000, "end");
	CHECK(read(fd, in, sizeof(in)) == 0);
	close(fd);
	fd = connect_to(path_of("port"));
	CHECK(write(fd, out, 3) == 3); /* half a length, then gone */
	close(fd);
	fd = connect_to(path_of("port"));
	usleep(100000);
	memset(out, 0, 24);
	out[3] = 20;
	memset(out + 4, 0xff, 20);
	CHECK(write(fd, out, 24) == 24);
	wait_readable(fd, 3000, "frame");
	CHECK(read(fd, in, sizeof(in)) == 64);
	close(fd);
	CHECK(number(control(path_of("wire-control"), "stats"), "port.protocol_errors ") == 1);
	CHECK(number(control(path_of("control"), "stats"), "mac_rx_frames ") >= 203);
}

static void test_resets(struct guest *g)
{
	struct message m;

	/* Function-level reset, then set up again: the vectors work without SET_IRQS. */
	config_write(g->fd, 0x58, 0x8000);
	CHECK(vu_region_read(g->fd, VU_REGION_CONFIG, 0x90, 4) >> 31 == 0);
	config_write(g->fd, 4, 6);
	config_write(g->fd, 0x92, 0x8000);
	test_dma(g);
	CHECK(!vu_call(g->fd, &m, build(&m, VU_DEVICE_RESET, NULL, 0, NULL, 0), NULL, 0));
	config_write(g->fd, 4, 6);
	config_write(g->fd, 0x92, 0x8000);
	test_dma(g);
	CHECK(strstr(control(path_of("control"), "reset"), "ok"));
	CHECK(vu_bar_read(g->fd, 0xf00) == 0);
	test_dma(g);
	/* MSI-X off: no interrupt; on again: it was pending. */
	config_write(g->fd, 0x92, 0);
	vu_bar_write(g->fd, IRQ, 1);
	CHECK(vu_bar_read(g->fd, WEFT_REG_ID) == WEFT_MAGIC);
	usleep(50000);
	CHECK(poll(&(struct pollfd){ g->irq[1], POLLIN, 0 }, 1, 0) == 0);
	config_write(g->fd, 0x92, 0x8000);
	interrupt(g, 1, 2000);
}

static void test_guest_dies(void)
{
	struct vu_region_access a = { NO_ANSWER, 0, 4 };
	struct guest g = guest_boot();
	struct message m;

	/* In the middle of a read that the card does not answer. */
	send_bytes(g.fd, &m, build(&m, VU_REGION_READ, &a, sizeof(a), NULL, 0), NULL, 0);
	usleep(50000);
	guest_die(&g);
	g = guest_boot();
	test_dma(&g);
	/* A guest that waits gets all ones in the end. */
	CHECK(vu_bar_read(g.fd, NO_ANSWER) == 0xffffffff);
	guest_die(&g);
}

static void test_options(char *nic)
{
	static char *const bad[][5] = {
		{ "--mac", "02:00:00:00:00", NULL }, { "--mac", "01:00:00:00:00:01", NULL },
		{ "--adversarial", "split,", NULL }, { "--adversarial", "ur=1", NULL },
		{ "--seed", "-1", NULL },            { "--name", "a/b", NULL },
		{ "--nonsense", NULL },              { "--config", "nowhere", NULL },
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		char *argv[8] = { nic, "--vfio", path_of("other"), bad[i][0], bad[i][1], NULL };
		int status;

		CHECK(waitpid(spawn(argv), &status, 0) > 0);
		CHECK(WIFEXITED(status) && (WEXITSTATUS(status) == 1 || WEXITSTATUS(status) == 2),
		      "%s %s", bad[i][0], bad[i][1] ? bad[i][1] : "");
	}
}

static int ends_with(char *const argv[])
{
	int status;

	fflush(stdout);
	CHECK(waitpid(spawn(argv), &status, 0) > 0 && WIFEXITED(status));
	return WEXITSTATUS(status);
}

static long size_of(const char *path)
{
	struct stat st;

	return stat(path, &st) ? -1 : (long)st.st_size;
}

static void copy_part(const char *from, const char *to, long bytes)
{
	FILE *in = fopen(from, "rb"), *out = fopen(to, "wb");

	CHECK(in && out);
	while (bytes--)
		putc(getc(in), out);
	fclose(in);
	fclose(out);
}

/* What was recorded is replayed as far as it goes, by the card that made it, and is never written over. */
static void test_recordings(char *nic, char *const first[])
{
	char *whole = kept_path("record/a.rec"), *cut = kept_path("record/cut.rec");
	char *replay[] = { nic, "--replay", kept_path("record"), "--name", "cut", NULL };
	long size = size_of(whole);
	char text[4096] = "";
	FILE *f;

	CHECK(size > 1000);
	copy_part(whole, cut, size);
	CHECK(ends_with(replay) == 0);
	/* the card was killed: between two entries, in the middle of one */
	copy_part(whole, cut, size - 2);
	CHECK(ends_with(replay) == 3);
	copy_part(whole, cut, size / 2);
	CHECK(ends_with(replay) == 3);
	copy_part(whole, cut, 40);
	CHECK(ends_with(replay) == 2);
	/* another configuration is another program, which is not there */
	copy_part(whole, cut, size);
	f = fopen(cut, "r+b");
	fseek(f, 56, SEEK_SET);
	fwrite("none", 1, 5, f);
	fclose(f);
	CHECK(ends_with(replay) == 1);
	f = fopen(path_of("log"), "rb");
	fseek(f, -200, SEEK_END);
	CHECK(fread(text, 1, sizeof(text) - 1, f) > 0 && strstr(text, "weft-nic-none"), "%s", text);
	fclose(f);
	/* the next card of the same name */
	nic_pid = spawn(first);
	control(path_of("control"), "status");
	kill(nic_pid, SIGTERM);
	waitpid(nic_pid, NULL, 0);
	CHECK(size_of(whole) == size && size_of(path_of("record/a-1.rec")) > 0);
	CHECK(size_of(path_of("trace/a.fst")) > 0 && size_of(path_of("trace/a-1.fst")) > 0);
	replay[4] = "a-1";
	CHECK(ends_with(replay) == 0);
	printf("ok sim/nic recordings\n");
}

int main(int argc, char **argv)
{
	struct guest g;
	int status;

	CHECK(argc == 3, "test_nic WEFT_WIRE WEFT_NIC");
	signal(SIGPIPE, SIG_IGN);
	CHECK(mkdtemp(dir));
	atexit(clean_up);
	char *wire[] = { argv[1], "--listen", NULL, "--listen", NULL, "--control",
			 kept_path("wire-control"), "--pcap", kept_path("x.pcapng"),
			 "--set", "seed=3", NULL };
	char ports[2][160];

	snprintf(ports[0], sizeof(ports[0]), "a=%s/wire-a", dir);
	snprintf(ports[1], sizeof(ports[1]), "port=%s/port", dir);
	wire[2] = ports[0];
	wire[4] = ports[1];
	char *nic[] = { argv[2], "--name", "a", "--vfio", kept_path("vfio"), "--wire",
			kept_path("wire-a"), "--control", kept_path("control"),
			"--record", kept_path("record"), "--trace", kept_path("trace"),
			"--adversarial", "split,reorder,delay=5:60,stall=10%", NULL };
	wire_pid = spawn(wire);
	nic_pid = spawn(nic);
	g = guest_boot();
	test_dma(&g);
	CHECK(strstr(control(path_of("control"), "tracing off"), "ok"));
	test_idle(&g);
	test_frames();
	test_resets(&g);
	guest_die(&g);
	test_guest_dies();
	test_options(argv[2]);
	CHECK(number(control(path_of("control"), "stats"), "pcie_faults ") == 0);
	/* Killed wire: the card goes on and finds the next one. */
	kill(wire_pid, SIGKILL);
	waitpid(wire_pid, &status, 0);
	usleep(50000);
	CHECK(strstr(control(path_of("control"), "status"), "link down"));
	wire_pid = spawn(wire);
	for (int i = 0; i < 100 && !strstr(control(path_of("control"), "status"), "link up"); i++)
		usleep(20000);
	CHECK(strstr(control(path_of("control"), "status"), "link up"));
	kill(nic_pid, SIGTERM);
	CHECK(waitpid(nic_pid, &status, 0) > 0 && WIFEXITED(status) && !WEXITSTATUS(status));
	kill(wire_pid, SIGTERM);
	CHECK(waitpid(wire_pid, &status, 0) > 0 && WIFEXITED(status) && !WEXITSTATUS(status));
	char *replay[] = { argv[2], "--replay", kept_path("record"), "--name", "a", NULL };

	fflush(stdout);
	nic_pid = spawn(replay);
	CHECK(waitpid(nic_pid, &status, 0) > 0 && WIFEXITED(status) && !WEXITSTATUS(status));
	CHECK(access(path_of("trace/a.fst"), R_OK) == 0);
	wire_pid = nic_pid = 0;
	test_recordings(argv[2], nic);
	wire_pid = nic_pid = 0;
	printf("nic: passed\n");
	return 0;
}
