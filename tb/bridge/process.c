/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The bridge as it is used: weft-nic-bridge with a guest (this test, by vfio-user) on its one side and a line on the other, at whose far end is a
 * whole card with rtl/bridge (weft-board, the ecp5 configuration). The line is a pseudo terminal in the place of a serial device; this test
 * carries its bytes, and loses, breaks and adds some.
 *
 *     process WEFT_NIC_BRIDGE WEFT_BOARD FIRMWARE
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "../../sim/common/util.h"
#include "../../sim/lockstep/bits.h"
#include "../sim/vfio_client.h"
#include "weft_abi.h"

enum { MEMORY = 1 << 20, BUS = 0x40000000, IMAGE = 0x10000, SQ = 0x1000, CQ = 0x3000, LOG2 = 4 };
static char dir[] = "/tmp/weft-bridge.XXXXXX", line[64], vfio[64], ctl[64], sock[64];
static char log_path[420];
static pid_t nic, board, carrier;
static const char *nic_path, *board_path, *fw_path;

/* What the carrier of bytes is told. */
static struct orders {
	volatile unsigned noise; /* bytes of a million that are lost, broken, added, each way */
	volatile bool cut;       /* carries nothing */
	volatile unsigned long carried[2], hurt;
} *orders;

static void clean_up(void)
{
	char command[600];

	if (nic > 0)
		kill(nic, SIGKILL);
	if (board > 0)
		kill(board, SIGKILL);
	if (carrier > 0)
		kill(carrier, SIGKILL);
	snprintf(command, sizeof(command), "cp %s/log \"%s\" 2> /dev/null; rm -rf %s", dir, log_path, dir);
	if (system(command))
		return;
}

static pid_t spawn(char *const argv[])
{
	pid_t pid = fork();

	if (!pid) {
		char log[80];
		int fd;

		snprintf(log, sizeof(log), "%s/log", dir);
		fd = open(log, O_WRONLY | O_CREAT | O_APPEND, 0644);
		dup2(fd, 2);
		execv(argv[0], argv);
		_exit(127);
	}
	return pid;
}

/* ---- the line ---- */

static unsigned random32(void)
{
	static uint64_t s = 88172645463325252u;

	s ^= s << 13, s ^= s >> 7, s ^= s << 17;
	return (unsigned)(s >> 16);
}

static void carry(const uint8_t *in, size_t n, int to, int way)
{
	static uint8_t out[16384];
	size_t k = 0;

	for (size_t i = 0; i < n; i++) {
		uint8_t byte = in[i];

		if (orders->noise && random32() % 1000000 < orders->noise) {
			orders->hurt++;
			switch (random32() & 3) {
			case 0:
				continue;
			case 1:
				byte ^= (uint8_t)(1u << (random32() & 7));
				break;
			case 2:
				out[k++] = (uint8_t)random32();
				break;
			default:
				i += random32() % 40;
				continue;
			}
		}
		out[k++] = byte;
	}
	orders->carried[way] += k;
	for (size_t at = 0; at < k && to >= 0;) {
		ssize_t w = write(to, out + at, k - at);

		if (w > 0)
			at += (size_t)w;
		else if (errno != EAGAIN && errno != EINTR)
			return;
		else
			usleep(1000);
	}
}

static void carrier_main(int master)
{
	uint8_t bytes[4096];
	int there = -1;

	fcntl(master, F_SETFL, O_NONBLOCK);
	for (;;) {
		struct pollfd p[2] = { { master, POLLIN, 0 }, { there, POLLIN, 0 } };
		ssize_t n;

		if (there < 0)
			there = unix_connect(sock);
		poll(p, 2, there < 0 ? 50 : 200);
		if (orders->cut) {
			usleep(10000);
			continue;
		}
		n = read(master, bytes, sizeof(bytes));
		if (n > 0)
			carry(bytes, (size_t)n, there, 0);
		else if (n < 0 && errno == EIO)
			usleep(10000); /* nobody has the terminal open */
		if (there < 0)
			continue;
		n = read(there, bytes, sizeof(bytes));
		if (n > 0) {
			carry(bytes, (size_t)n, master, 1);
		} else if (n == 0 || errno != EAGAIN) {
			close(there);
			there = -1;
		}
	}
}

static void start_carrier(void)
{
	int master = posix_openpt(O_RDWR | O_NOCTTY);
	struct termios t;

	orders = mmap(NULL, sizeof(*orders), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	CHECK(master >= 0 && !grantpt(master) && !unlockpt(master) && !ptsname_r(master, line, sizeof(line)));
	/* nothing of it is echoed before somebody has made it raw */
	CHECK(!tcgetattr(master, &t));
	cfmakeraw(&t);
	CHECK(!tcsetattr(master, TCSANOW, &t));
	carrier = fork();
	if (!carrier) {
		carrier_main(master);
		_exit(0);
	}
	close(master);
}

static void start_board(void)
{
	char *argv[] = { (char *)(uintptr_t)board_path, "--line", sock, NULL };

	board = spawn(argv);
}

/* What it does not know it refuses. */
static void bad_option(void)
{
	char *argv[] = { (char *)(uintptr_t)board_path, "--line", sock, "--nonsense", NULL };
	pid_t pid = spawn(argv);
	int status = -1;

	for (int i = 0; i < 500 && !waitpid(pid, &status, WNOHANG); i++)
		usleep(20000);
	if (status < 0)
		kill(pid, SIGKILL);
	CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 2, "status %x", (unsigned)status);
}

/* Processor time that the board took. */
static double board_seconds(void)
{
	struct timespec t;
	clockid_t clock;

	CHECK(!clock_getcpuclockid(board, &clock) && !clock_gettime(clock, &t));
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* When nothing is to be done there are heartbeats of the host, and what they wake. */
static void rests(void)
{
	double before;

	sleep(2);
	before = board_seconds();
	sleep(4);
	before = board_seconds() - before;
	printf("# at rest the board takes %.0f ms of 4 s\n", before * 1e3);
	CHECK(before < 1, "the board does not rest");
}

static void start_nic(void)
{
	char *argv[] = { (char *)(uintptr_t)nic_path, "--config", "bridge", "--line", line, "--vfio", vfio, "--control", ctl, "--name", "a",
			 "--mac", "02:57:45:46:54:01", "--retry", "500ms", NULL };

	nic = spawn(argv);
}

static void stop(pid_t *pid, int signal, bool clean)
{
	int status;

	kill(*pid, signal);
	CHECK(waitpid(*pid, &status, 0) == *pid);
	*pid = 0;
	CHECK(!clean || (WIFEXITED(status) && !WEXITSTATUS(status)), "it ends with status %x", status);
}

/* ---- the guest ---- */

static int connect_to(const char *path)
{
	for (int i = 0; i < 3000; i++) {
		int fd = unix_connect(path);

		if (fd >= 0) {
			fcntl(fd, F_SETFL, 0);
			return fd;
		}
		CHECK(!nic || waitpid(nic, NULL, WNOHANG) == 0, "weft-nic-bridge ended");
		usleep(20000);
	}
	CHECK(0, "nobody listens at %s", path);
	return -1;
}

static void config_write(int fd, uint32_t offset, uint16_t value)
{
	struct vu_region_access a = { offset, VU_REGION_CONFIG, 2 };
	struct message m;

	CHECK(!vu_call(fd, &m, build(&m, VU_REGION_WRITE, &a, sizeof(a), &value, 2), NULL, 0));
}

static struct guest {
	int fd, memory, irq;
	uint8_t *p;
	uint16_t index;
} g;

static void boot(void)
{
	struct vu_version v = { 0, 0 };
	struct vu_dma_map map = { sizeof(map), 3, 0, BUS, MEMORY };
	struct vu_set_irqs irqs = { sizeof(irqs), VU_SET_DATA_EVENTFD | VU_SET_TRIGGER, VU_IRQ_MSIX, 0, 1 };
	struct message m;

	g = (struct guest){ .fd = connect_to(vfio), .memory = memfd_create("guest", MFD_CLOEXEC) };
	CHECK(!ftruncate(g.memory, MEMORY));
	g.p = mmap(NULL, MEMORY, PROT_READ | PROT_WRITE, MAP_SHARED, g.memory, 0);
	CHECK(!vu_call(g.fd, &m, build(&m, VU_VERSION, &v, sizeof(v), "{}", 3), NULL, 0));
	CHECK(!vu_call(g.fd, &m, build(&m, VU_DMA_MAP, &map, sizeof(map), NULL, 0), &g.memory, 1));
	config_write(g.fd, 4, 6);
	g.irq = eventfd(0, EFD_NONBLOCK);
	CHECK(!vu_call(g.fd, &m, build(&m, VU_DEVICE_SET_IRQS, &irqs, sizeof(irqs), NULL, 0), &g.irq, 1));
	config_write(g.fd, 0x92, 0x8000);
}

static void die_guest(void)
{
	close(g.fd);
	munmap(g.p, MEMORY);
	close(g.memory);
	close(g.irq);
}

static unsigned state(void)
{
	return vu_bar_read(g.fd, WEFT_REG_STATUS) & 15;
}

/* The image goes by DMA, some 38 KiB. */
static void load(void)
{
	FILE *f = fopen(fw_path, "rb");
	size_t n;

	CHECK(f, "%s", fw_path);
	n = fread(g.p + IMAGE, 1, MEMORY - IMAGE, f);
	fclose(f);
	CHECK(n > 1000);
	vu_bar_write(g.fd, WEFT_REG_FW_ADDR_LO, BUS + IMAGE);
	vu_bar_write(g.fd, WEFT_REG_FW_ADDR_HI, 0);
	vu_bar_write(g.fd, WEFT_REG_FW_LEN, (uint32_t)n);
	for (int i = 0; state() != WEFT_FW_STATE_READY; i++) {
		CHECK(state() != WEFT_FW_STATE_REFUSED && state() != WEFT_FW_STATE_FAULT, "state %u", state());
		CHECK(i < 3000, "firmware does not start, state %u", state());
		usleep(10000);
	}
	memset(g.p + SQ, 0, 64 << LOG2);
	memset(g.p + CQ, 0, 64 << LOG2);
	g.index = 0;
	vu_bar_write(g.fd, WEFT_REG_ADMIN_SQ_LO, BUS + SQ);
	vu_bar_write(g.fd, WEFT_REG_ADMIN_SQ_HI, 0);
	vu_bar_write(g.fd, WEFT_REG_ADMIN_CQ_LO, BUS + CQ);
	vu_bar_write(g.fd, WEFT_REG_ADMIN_CQ_HI, 0);
	vu_bar_write(g.fd, WEFT_REG_ADMIN_VECTOR, 0);
	vu_bar_write(g.fd, WEFT_REG_ADMIN_LOG2, LOG2);
}

/* An admin command: read by the card, answered into memory, then an interrupt. */
static void nop(void)
{
	uint16_t index = g.index++, slot = index & ((1 << LOG2) - 1);
	uint8_t *cmd = g.p + SQ + 64 * slot, *rsp = g.p + CQ + 64 * slot;
	struct pollfd p = { g.irq, POLLIN, 0 };
	bool phase = !(index >> LOG2 & 1);
	uint64_t count;

	memset(cmd, 0, 64);
	LS_SET(cmd, WEFT_ADMIN_CMD_OP, WEFT_ADMIN_OP_NOP);
	LS_SET(cmd, WEFT_ADMIN_CMD_TAG, index);
	vu_bar_write(g.fd, WEFT_REG_ADMIN_DB, g.index);
	CHECK(poll(&p, 1, 60000) == 1, "no interrupt of command %u", index);
	CHECK(read(g.irq, &count, 8) == 8 && count == 1, "%llu interrupts", (unsigned long long)count);
	/* The interrupt is behind the answer. */
	CHECK(LS_GET(rsp, WEFT_ADMIN_RSP_PHASE) == phase && LS_GET(rsp, WEFT_ADMIN_RSP_TAG) == index && !LS_GET(rsp, WEFT_ADMIN_RSP_STATUS),
	      "command %u: phase %u, tag %u, status %u", index, (unsigned)LS_GET(rsp, WEFT_ADMIN_RSP_PHASE), (unsigned)LS_GET(rsp, WEFT_ADMIN_RSP_TAG),
	      (unsigned)LS_GET(rsp, WEFT_ADMIN_RSP_STATUS));
}

static unsigned long long stat_of(const char *name)
{
	static char text[65536];
	int fd = connect_to(ctl);
	size_t len = 0;
	char *at, key[64];

	CHECK(dprintf(fd, "stats\n") > 0);
	do {
		ssize_t n = read(fd, text + len, sizeof(text) - 1 - len);

		CHECK(n > 0);
		len += (size_t)n;
		text[len] = 0;
	} while (!strstr(text, "\nok\n"));
	close(fd);
	snprintf(key, sizeof(key), "\n%s ", name);
	at = strstr(text, key);
	CHECK(at, "no %s in %s", name, text);
	return strtoull(at + strlen(key), NULL, 10);
}

static void works(void)
{
	CHECK(vu_bar_read(g.fd, WEFT_REG_ID) == WEFT_MAGIC);
	load();
	for (int i = 0; i < 40; i++)
		nop();
}

/* A register that says what a reset made of the card: no firmware runs. */
static void becomes_empty(const char *what)
{
	for (time_t end = time(NULL) + 90; time(NULL) < end;) {
		if (vu_bar_read(g.fd, WEFT_REG_ID) == WEFT_MAGIC && state() != WEFT_FW_STATE_READY)
			return;
		usleep(20000);
	}
	CHECK(0, "%s: firmware still runs, state %u", what, state());
}

static uint32_t express(void)
{
	uint32_t at = vu_region_read(g.fd, VU_REGION_CONFIG, 0x34, 1);

	while (at && vu_region_read(g.fd, VU_REGION_CONFIG, at, 1) != 0x10)
		at = vu_region_read(g.fd, VU_REGION_CONFIG, at + 1, 1);
	CHECK(at);
	return at;
}

static void flr(void)
{
	uint32_t at = express() + 8;
	uint64_t count;

	config_write(g.fd, at, (uint16_t)(vu_region_read(g.fd, VU_REGION_CONFIG, at, 2) | 0x8000));
	CHECK(state() != WEFT_FW_STATE_READY, "a function-level reset that is over, state %u", state());
	config_write(g.fd, 4, 6);
	config_write(g.fd, 0x92, 0x8000);
	/* interrupts of before */
	while (read(g.irq, &count, 8) == 8)
		;
}

/* Commands are under way when bus mastering goes off: what memory holds then it keeps. */
static void mastering(void)
{
	static uint8_t before[MEMORY];
	unsigned long long stale = stat_of("line_stale");
	uint16_t first = g.index;

	for (int i = 0; i < 8; i++) {
		uint16_t index = g.index++, slot = index & ((1 << LOG2) - 1);

		memset(g.p + SQ + 64 * slot, 0, 64);
		LS_SET(g.p + SQ + 64 * slot, WEFT_ADMIN_CMD_OP, WEFT_ADMIN_OP_NOP);
		LS_SET(g.p + SQ + 64 * slot, WEFT_ADMIN_CMD_TAG, index);
		vu_bar_write(g.fd, WEFT_REG_ADMIN_DB, g.index);
	}
	/* the first has been answered, others are on their way */
	for (int i = 0; LS_GET(g.p + CQ + 64 * (first & 15), WEFT_ADMIN_RSP_TAG) != first; i++) {
		CHECK(i < 1000000, "no answer");
		usleep(20);
	}
	config_write(g.fd, 4, 2);
	memcpy(before, g.p, MEMORY);
	for (int i = 0; i < 20; i++) {
		usleep(20000);
		CHECK(vu_bar_read(g.fd, WEFT_REG_ID) == WEFT_MAGIC);
	}
	printf("# %llu requests of the card were too late\n", stat_of("line_stale") - stale);
	CHECK(!memcmp(before, g.p, MEMORY), "memory changed");
	config_write(g.fd, 4, 6);
}

static void done(const char *what)
{
	printf("ok bridge/process %s\n", what);
	fflush(stdout);
}

int main(int argc, char **argv)
{
	unsigned long long n;
	pid_t old;

	vu_reply_ms = 60000; /* over a line */
	CHECK(argc == 4);
	snprintf(log_path, sizeof(log_path), "%.400s.log", argv[0]);
	nic_path = argv[1], board_path = argv[2], fw_path = argv[3];
	CHECK(mkdtemp(dir));
	snprintf(sock, sizeof(sock), "%s/board", dir);
	snprintf(vfio, sizeof(vfio), "%s/vfio", dir);
	snprintf(ctl, sizeof(ctl), "%s/control", dir);
	atexit(clean_up);
	signal(SIGPIPE, SIG_IGN);
	bad_option();
	start_carrier();
	start_nic();
	/* the board is switched on later */
	usleep(300000);
	start_board();
	boot();
	CHECK(vu_bar_read(g.fd, WEFT_REG_ID) == WEFT_MAGIC);
	CHECK(vu_region_read(g.fd, VU_REGION_CONFIG, 0x2e, 2) == WEFT_PCI_SUBSYS_ECP5);
	CHECK(vu_bar_read(g.fd, WEFT_REG_CAP_QP) == 32);
	done("registers");
	works();
	done("firmware by DMA, admin commands, MSI-X");
	n = stat_of("line_sent_again");
	CHECK(!stat_of("line_broken") && !stat_of("line_bad") && !stat_of("pcie_faults"), "a clean line");
	printf("# %lu and %lu bytes, %llu frames again\n", orders->carried[0], orders->carried[1], n);
	rests();
	done("a board that rests");
	flr();
	works();
	done("function-level reset");
	mastering();
	flr();
	works();
	done("bus mastering off and on");
	orders->noise = 2000;
	for (int i = 0; i < 150; i++)
		nop();
	flr();
	works();
	orders->noise = 0;
	CHECK(stat_of("line_broken") && stat_of("line_sent_again") && !stat_of("pcie_faults"));
	printf("# %lu bytes hurt, %llu broken frames, %llu sent again\n", orders->hurt, stat_of("line_broken"), stat_of("line_sent_again"));
	done("a noisy line");
	kill(board, SIGHUP);
	becomes_empty("the board's button");
	CHECK(stat_of("line_lost") == 1);
	works();
	done("the board was reset");
	orders->cut = true;
	CHECK(vu_bar_read(g.fd, WEFT_REG_ID) == 0xffffffff);
	orders->cut = false;
	for (int i = 0; vu_bar_read(g.fd, WEFT_REG_ID) != WEFT_MAGIC; i++)
		CHECK(i < 100, "it does not come back");
	for (int i = 0; i < 20; i++)
		nop();
	done("a line that is cut for a while");
	/* more writes than find a place anywhere: they do not stop the guest */
	orders->cut = true;
	for (int i = 0; i < 450; i++)
		vu_bar_write(g.fd, WEFT_REG_FW_ADDR_HI, 0);
	CHECK(vu_bar_read(g.fd, WEFT_REG_ID) == 0xffffffff);
	orders->cut = false;
	becomes_empty("writes into nothing");
	works();
	done("writes while the line is cut");
	stop(&board, SIGKILL, false);
	CHECK(vu_bar_read(g.fd, WEFT_REG_ID) == 0xffffffff);
	start_board();
	becomes_empty("another board");
	works();
	done("the board went and came");
	/* another one takes the place of one that still runs, as when both processes of a card are started anew */
	old = board;
	CHECK(!unlink(sock));
	start_board();
	sleep(1);
	stop(&old, SIGTERM, true);
	becomes_empty("a board beside another");
	works();
	done("a board in the place of another");
	/* a new process, in the midst of commands */
	for (int i = 0; i < 8; i++) {
		memset(g.p + SQ + 64 * i, 0, 64);
		vu_bar_write(g.fd, WEFT_REG_ADMIN_DB, g.index + i);
	}
	stop(&nic, SIGKILL, false);
	die_guest();
	start_nic();
	boot();
	CHECK(state() != WEFT_FW_STATE_READY, "a card of the process before");
	works();
	done("another process");
	/* another guest */
	die_guest();
	boot();
	CHECK(state() != WEFT_FW_STATE_READY, "a card of the guest before");
	works();
	done("another guest");
	CHECK(!stat_of("pcie_faults") && !stat_of("line_bad"));
	die_guest();
	stop(&nic, SIGTERM, true);
	done("the end");
	return 0;
}
