// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The driver with what is of another version: a card, firmware, a provider. Functions of weft_main.c, weft_fw.c and weft_verbs.c, which
 * driver/Makefile takes out of them.
 *
 *   versions
 */
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <string.h>

#include "test.h"
#include "weft_abi.h"

typedef uint8_t u8;
typedef uint32_t u32;
typedef uint64_t dma_addr_t;

#define USEC_PER_SEC 1000000L
#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#define FIELD_GET(mask, value) (((value) & (mask)) / ((mask) & -(mask)))
#define WRITE_ONCE(to, value) ((to) = (value))
#define min(a, b) ((a) < (b) ? (a) : (b))
#define lower_32_bits(a) ((u32)(a))
#define upper_32_bits(a) ((u32)((a) >> 32))
/* as often as it is asked for: the state stays what it is */
#define read_poll_timeout(op, value, done, us, most, before, ...) \
	({ (value) = op(__VA_ARGS__); (done) ? 0 : -ETIMEDOUT; })

struct device { int nothing; };
struct pci_dev { struct device dev; };
struct weft_core { struct pci_dev *pdev; const char *died_of; u32 fw_version; };
struct ib_udata { const u8 *in; size_t inlen, outlen; };

/* ---- the card ---- */

static u32 regs[0x400];

static u32 weft_rd(const struct weft_core *core, u32 reg) { (void)core; return regs[reg / 4]; }
static void weft_wr(struct weft_core *core, u32 reg, u32 value) { (void)core; regs[reg / 4] = value; }
static u32 weft_fw_state(const struct weft_core *core) { return weft_rd(core, WEFT_REG_STATUS) & WEFT_REG_STATUS_FW_STATE_MASK; }

/* ---- the kernel ---- */

static char said[200];
static int lines;

static int dev_err_probe(struct device *dev, int rc, const char *fmt, ...)
{
	va_list a;

	(void)dev;
	va_start(a, fmt);
	vsnprintf(said, sizeof(said), fmt, a);
	va_end(a);
	lines++;
	return rc;
}

static bool ib_is_udata_cleared(struct ib_udata *u, size_t at, size_t n)
{
	if (at + n > u->inlen)
		fail("looks behind what was given", at + n, u->inlen);
	for (size_t i = 0; i < n; i++)
		if (u->in[at + i])
			return false;
	return true;
}

static int ib_copy_from_udata(void *to, struct ib_udata *u, size_t n)
{
	if (n > u->inlen)
		fail("copies more than was given", n, u->inlen);
	if (n)
		memcpy(to, u->in, n);
	return 0;
}

#include "cut.h"

/* ---- tests ---- */

static struct pci_dev pdev;
static struct weft_core core = { .pdev = &pdev };

static void cards(void)
{
	static const struct { u32 id, version; int rc; } t[] = {
		{ WEFT_MAGIC, WEFT_ABI_MAJOR << 16, 0 },
		{ WEFT_MAGIC, WEFT_ABI_MAJOR << 16 | 0xffff, 0 },
		{ WEFT_MAGIC, (WEFT_ABI_MAJOR + 1) << 16, -ENODEV },
		{ WEFT_MAGIC, (WEFT_ABI_MAJOR - 1) << 16 | 0xffff, -ENODEV },
		{ ~0u, ~0u, -ENODEV },
	};

	for (unsigned int i = 0; i < ARRAY_SIZE(t); i++) {
		regs[WEFT_REG_ID / 4] = t[i].id;
		regs[WEFT_REG_VERSION / 4] = t[i].version;
		lines = 0;
		if (weft_check_identity(&core) != t[i].rc || lines != !!t[i].rc)
			fail("a card of another version", i, lines);
	}
	if (!strstr(said, "no card"))
		fail("a card that does not answer is told of as one", 0, 0);
}

static void start(u32 status, u32 version, int rc, const char *why)
{
	regs[WEFT_REG_STATUS / 4] = status;
	regs[WEFT_REG_FW_VERSION / 4] = version;
	core.died_of = NULL;
	core.fw_version = 0;
	lines = 0;
	said[0] = 0;
	if (weft_fw_start(&core, 0x123456789ull, 4096) != rc)
		fail("a start of firmware", status, version);
	if (lines != !!rc || !core.died_of != !rc)
		fail("why it was refused is said, and kept for devlink", status, lines);
	if (why && (!strstr(said, why) || !strstr(core.died_of, why)))
		fail("the reason", status, version);
	if (!rc && core.fw_version != version)
		fail("its version", core.fw_version, version);
}

static void firmware(void)
{
	static const u32 others[] = { 0, 1, WEFT_FW_LEAST - 1, WEFT_FW_LEAST >> 1 };
	static const u32 good[] = { WEFT_FW_LEAST, WEFT_FW_LEAST + 1, WEFT_FW_LEAST + 0x10000, 0x01000000, ~0u };

	for (unsigned int i = 0; i < ARRAY_SIZE(good); i++)
		start(WEFT_FW_STATE_READY, good[i], 0, NULL);
	for (unsigned int i = 0; i < ARRAY_SIZE(others); i++)
		start(WEFT_FW_STATE_READY, others[i], -EIO, "older");
	start(WEFT_FW_STATE_REFUSED | WEFT_FW_ERROR_BAD_ABI << 8, 0, -EIO, "another interface version");
	start(WEFT_FW_STATE_REFUSED | WEFT_FW_ERROR_BAD_MAGIC << 8, 0, -EIO, "no firmware header");
	start(WEFT_FW_STATE_REFUSED | 0xff << 8, 0, -EIO, "unknown");
	start(WEFT_FW_STATE_FAULT | WEFT_FW_ERROR_TRAP << 8, WEFT_FW_LEAST, -EIO, "trapped");
	start(WEFT_FW_STATE_BOOTING, WEFT_FW_LEAST, -EIO, "did not start");
	start(WEFT_FW_STATE_LOADING, 0, -EIO, "did not start");
}

/* A request of each length, with each of its bytes set or none. */
static void requests(void)
{
	static const size_t known[] = { 0, 8, 16 };

	for (unsigned int k = 0; k < ARRAY_SIZE(known); k++) {
		for (size_t n = 0; n <= 40; n++) {
			for (size_t set = 0; set <= n; set++) { /* n: none */
				u8 in[40] = {}, req[16] = {}, want[16] = {};
				struct ib_udata udata = { in, n, 0 };
				int rc, right = set < n && set >= known[k] ? -EOPNOTSUPP : 0;

				if (set < n)
					in[set] = 0x80;
				if (!right && set < n)
					want[set] = 0x80;
				rc = weft_copy_req(&udata, known[k] ? req : NULL, known[k]);
				if (rc != right || memcmp(req, want, sizeof(req)))
					fail("a request of another length", n, set);
			}
		}
	}
}

int main(void)
{
	cards();
	firmware();
	requests();
	return 0;
}
