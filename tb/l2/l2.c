// SPDX-License-Identifier: BSD-2-Clause
/*
 * weft_l2 against a model of its rings (abi/weft.abi, "L2 rings"). The model driver works as a real one: it hears of
 * completions by interrupt alone, takes them from the ring by their phase, and arms again; at the end it must have seen
 * them all, so a lost interrupt is a failure. Descriptors go into the model in the form and order in which the unit read
 * them, because a failed descriptor read is decided then.
 */
#include <stdlib.h>
#include <string.h>

#include "tb.h"
#include "weft_abi.h"

enum { P_CFG, P_TDB, P_RDB, P_DQ, P_DS, P_PQ, P_PS, P_PW, P_CW, P_IRQ, P_META, P_RX, P_TX, P_FW, P_STATE };

#define PAIRS 2
#define LOG2_MAX 8
#define FRAME_MAX 9022
#define BUS_BAD 0x8000000000000000ull
#define MANY 8192

struct ring { /* 2 * pair: transmit, 2 * pair + 1: receive */
	uint64_t base, cq_base;
	unsigned log2, vector;
	uint8_t desc[1 << LOG2_MAX][16];
	uint16_t pi;           /* posted */
	uint16_t told;         /* last doorbell */
	uint16_t read;         /* next descriptor the unit will read */
	uint16_t freed;        /* descriptors that the driver has back */
	uint16_t written;      /* completions that the unit wrote */
	uint16_t ci;           /* completions that the driver has taken */
	uint16_t armed_at;
	unsigned arms, irqs;
	bool rearm;
	struct { uint8_t desc[16]; bool err; uint16_t index; } seen[MANY]; /* receive: as read */
	unsigned n_seen, n_used;
	uint8_t want[MANY][16];  /* completions to come, without phase */
	unsigned n_want, n_got;
	/* transmit: frame that is being put together */
	uint8_t frame[16384];
	unsigned len, bufs;
	bool bad;
	uint8_t csum, start, off;
};
static struct ring ring[2 * PAIRS];

static struct { uint8_t *data; unsigned len; } tx_want[MANY * 2];
static unsigned n_tx_want, n_tx_got, tx_err_want;
static struct { uint8_t *data; unsigned len, pair; bool done; uint8_t cqe[16]; } rx_frame[MANY * 2];
static unsigned n_rx_frames, rx_next[PAIRS], n_rx_done;
static unsigned stat_tx, stat_txe, stat_rx, stat_empty, stat_long, stat_derr, n_derr_rx, n_fw, drop_max;
static bool idle, fail_reads, drop_ok;
static unsigned total_tx, total_txe, total_rx, total_long, total_empty, total_derr, total_irqs;
static uint64_t tx_bytes, rx_bytes, last_tx, last_rx;
static unsigned lat_lo, lat_hi;
static int gone = -1;      /* a pair that was stopped and has drained: its memory is the driver's again */
static unsigned fw_first;  /* pair of the first DRAINED to come */

static uint64_t mix(uint64_t x)
{
	x ^= x >> 31;
	x *= 0x9e3779b97f4a7c15ull;
	x ^= x >> 29;
	x *= 0xbf58476d1ce4e5b9ull;
	return x ^ x >> 32;
}
static uint8_t mem(uint64_t a) { return (uint8_t)(mix(a >> 3) >> (a & 7) * 8); }

/* ---- late answers, in order per port ---- */
struct late {
	struct late *next;
	uint64_t due;
	bool err;
	size_t len;
	uint8_t data[];
};
static struct late *q_head[2], *q_tail[2];

static void later(int q, const void *data, size_t len, bool err)
{
	struct late *l = calloc(1, sizeof(*l) + len);

	l->due = tb_cycle() + tb_range(lat_lo, lat_hi);
	l->len = len;
	l->err = err;
	memcpy(l->data, data, len);
	if (q_head[q]) {
		if (l->due < q_tail[q]->due)
			l->due = q_tail[q]->due;
		q_tail[q]->next = l;
	} else {
		q_head[q] = l;
	}
	q_tail[q] = l;
}

static void answers(void)
{
	for (int q = 0; q < 2; q++)
		while (q_head[q] && q_head[q]->due <= tb_cycle()) {
			struct late *l = q_head[q];

			tb_packet_push(q ? P_PS : P_DS, l->data, l->len, NULL, 0, l->err);
			q_head[q] = l->next;
			free(l);
		}
}

/* ---- completions to come ---- */
static void want_cqe(struct ring *r, const uint8_t *cqe)
{
	memcpy(r->want[r->n_want % MANY], cqe, 16);
	r->n_want++;
}

/* ---- model of transmit: one descriptor as the unit got it ---- */
static void tx_desc(struct ring *r, const uint8_t *d, bool err, uint16_t index)
{
	uint64_t addr = tb_bits_get(d, WEFT_L2_TXD_ADDR_LSB, 64);
	unsigned len = (unsigned)tb_bits_get(d, WEFT_L2_TXD_LENGTH_LSB, 16);
	bool last = tb_bits_get(d, WEFT_L2_TXD_LAST_LSB, 1);
	uint8_t cqe[16] = { 0 };

	if (!r->bufs) {
		r->csum = (uint8_t)tb_bits_get(d, WEFT_L2_TXD_CSUM_LSB, 1);
		r->start = (uint8_t)tb_bits_get(d, WEFT_L2_TXD_CSUM_START_LSB, 8);
		r->off = (uint8_t)tb_bits_get(d, WEFT_L2_TXD_CSUM_OFFSET_LSB, 8);
	}
	if (err || !len || len > 16384 || r->len + len > FRAME_MAX || (r->bufs == 31 && !last))
		r->bad = true;
	if (!r->bad) {
		if (addr & BUS_BAD)
			r->bad = true; /* this one ends bad, however it goes on: the length does not matter any more */
		for (unsigned i = 0; i < len; i++)
			r->frame[r->len + i] = mem(addr + i);
		r->len += len;
	}
	if (!err && !last && r->bufs != 31) {
		r->bufs++;
		return;
	}
	tb_bits_set(cqe, WEFT_L2_CQE_INDEX_LSB, 16, index);
	tb_bits_set(cqe, WEFT_L2_CQE_ERROR_LSB, 1, r->bad);
	want_cqe(r, cqe);
	if (!r->bad) {
		if (r->csum) {
			unsigned pos = (unsigned)r->start + r->off;
			uint16_t s = (uint16_t)~(r->start < r->len ? tb_csum(0, r->frame + r->start, r->len - r->start) : 0);

			if (!s && r->off == 6)
				s = 0xffff;
			if (pos < r->len)
				r->frame[pos] = (uint8_t)(s >> 8);
			if (pos + 1 < r->len)
				r->frame[pos + 1] = (uint8_t)s;
		}
		tx_want[n_tx_want].data = malloc(r->len);
		memcpy(tx_want[n_tx_want].data, r->frame, r->len);
		tx_want[n_tx_want++].len = r->len;
	} else {
		tx_err_want++;
	}
	r->bufs = r->len = 0;
	r->bad = false;
}

static void on_dq(int port, const uint8_t *bits, void *arg)
{
	unsigned len = (unsigned)tb_bits_get(bits, 64, 16);
	uint64_t addr = tb_bits_get(bits, 0, 64);
	struct ring *r = NULL;
	bool err = fail_reads && tb_chance(8);
	uint8_t buf[128];
	unsigned first;

	tb_check(gone < 0 || addr < ring[2 * gone].base || addr >= ring[2 * gone + 1].base + 0x100000, "a stopped pair reads a descriptor");
	for (int i = 0; i < 2 * PAIRS; i++)
		if (addr >= ring[i].base && addr < ring[i].base + (16u << ring[i].log2))
			r = &ring[i];
	if (!r || len < 16 || len > 128 || len & 15 || addr & 15 || addr + len > r->base + (16u << r->log2)) {
		tb_fail("descriptor read of %u bytes at %#llx", len, (unsigned long long)addr);
		return;
	}
	first = (unsigned)(addr - r->base) / 16;
	tb_check(first == (r->read & ((1u << r->log2) - 1)), "descriptor %u is read, %u is next", first, r->read);
	tb_check((uint16_t)(r->told - r->read) >= len / 16, "descriptor is read before its doorbell");
	for (unsigned i = 0; i < len / 16; i++, r->read++) {
		const uint8_t *d = r->desc[first + i];

		memcpy(buf + 16 * i, d, 16);
		if ((r - ring) & 1) {
			memcpy(r->seen[r->n_seen % MANY].desc, d, 16);
			r->seen[r->n_seen % MANY].err = err;
			r->seen[r->n_seen++ % MANY].index = r->read;
		} else {
			tx_desc(r, d, err, r->read);
		}
	}
	if (err) {
		len = tb_below(len + 1);
		tb_rand_bytes(buf, len);
	}
	later(0, buf, len, err);
}

static void on_pq(int port, const uint8_t *bits, void *arg)
{
	static uint8_t buf[16384];
	unsigned len = (unsigned)tb_bits_get(bits, 64, 16);
	uint64_t addr = tb_bits_get(bits, 0, 64);

	tb_check(len >= 1 && len <= 4096, "payload read of %u bytes", len);
	tb_check(gone < 0, "a stopped pair reads payload"); /* no other sends */
	if (addr & BUS_BAD) {
		len = tb_below(len + 1);
		memset(buf, 0xbd, len);
		later(1, buf, len, true);
		return;
	}
	for (unsigned i = 0; i < len; i++)
		buf[i] = mem(addr + i);
	later(1, buf, len, false);
}

static void on_tx(int port, const uint8_t *d, size_t len, const uint8_t *side, bool err, void *arg)
{
	/* frames of two rings may come in either order */
	last_tx = tb_cycle();
	for (unsigned i = n_tx_got; i < n_tx_want; i++)
		if (tx_want[i].data && tx_want[i].len == len && !memcmp(tx_want[i].data, d, len)) {
			free(tx_want[i].data);
			tx_want[i].data = NULL;
			while (n_tx_got < n_tx_want && !tx_want[n_tx_got].data)
				n_tx_got++;
			tx_bytes += len;
			return;
		}
	tb_fail("transmitted frame of %zu bytes is none of those asked for (first open one has %u)", len,
		n_tx_got < n_tx_want ? tx_want[n_tx_got].len : 0);
	if (n_tx_got < n_tx_want && tx_want[n_tx_got].len == len)
		for (unsigned i = 0; i < len; i++)
			if (tx_want[n_tx_got].data[i] != d[i]) {
				tb_note("byte %u: %02x, model %02x", i, d[i], tx_want[n_tx_got].data[i]);
				break;
			}
}

/* Takes the failed descriptors that are next: each has a completion of its own. */
static void rx_skip_bad(struct ring *r)
{
	while (r->n_used < r->n_seen && r->seen[r->n_used % MANY].err) {
		uint8_t cqe[16] = { 0 };

		tb_bits_set(cqe, WEFT_L2_CQE_INDEX_LSB, 16, r->seen[r->n_used % MANY].index);
		tb_bits_set(cqe, WEFT_L2_CQE_ERROR_LSB, 1, 1);
		want_cqe(r, cqe);
		r->n_used++;
		n_derr_rx++;
	}
}

static void on_pw(int port, const uint8_t *d, size_t len, const uint8_t *side, bool err, void *arg)
{
	uint64_t addr = tb_bits_get(side, 0, 64);
	unsigned hlen = (unsigned)tb_bits_get(side, 64, 16), id, dlen;
	struct ring *r;
	unsigned pair;

	last_rx = tb_cycle();
	memcpy(&id, d, 4);
	if (len < 14 || id >= n_rx_frames || rx_frame[id].done) {
		tb_fail("received frame of %zu bytes that was not sent (or was dropped before)", len);
		return;
	}
	pair = rx_frame[id].pair;
	tb_check((int)pair != gone, "a stopped pair writes a frame");
	r = &ring[2 * pair + 1];
	rx_skip_bad(r);
	if (r->n_used == r->n_seen) {
		tb_fail("frame without descriptor");
		return;
	}
	dlen = (unsigned)tb_bits_get(r->seen[r->n_used % MANY].desc, WEFT_L2_RXD_LENGTH_LSB, 16);
	/* frames before it that were not written: only because they did not fit here */
	for (unsigned i = rx_next[pair]; i < id; i++)
		if (rx_frame[i].pair == pair && !rx_frame[i].done) {
			tb_check(drop_ok || fail_reads || rx_frame[i].len > dlen, "frame %u of %u bytes is lost (buffer %u)", i, rx_frame[i].len, dlen);
			rx_frame[i].done = true;
			n_rx_done++;
			drop_max++;
		}
	rx_next[pair] = id + 1;
	tb_check(hlen == len && len == rx_frame[id].len && !memcmp(d, rx_frame[id].data, len), "frame %u differs", id);
	tb_check(len <= dlen, "frame of %zu bytes in a buffer of %u", len, dlen);
	tb_check(addr == tb_bits_get(r->seen[r->n_used % MANY].desc, WEFT_L2_RXD_ADDR_LSB, 64), "frame %u at a wrong address", id);
	rx_frame[id].done = true;
	n_rx_done++;
	rx_bytes += len;
	tb_bits_set(rx_frame[id].cqe, WEFT_L2_CQE_INDEX_LSB, 16, r->seen[r->n_used % MANY].index);
	want_cqe(r, rx_frame[id].cqe);
	r->n_used++;
}

static void on_cw(int port, const uint8_t *d, size_t len, const uint8_t *side, bool err, void *arg)
{
	uint64_t addr = tb_bits_get(side, 0, 64);
	uint8_t want[16];

	for (int i = 0; i < 2 * PAIRS; i++) {
		struct ring *r = &ring[i];

		if (addr < r->cq_base || addr >= r->cq_base + (16u << r->log2))
			continue;
		tb_check(i / 2 != gone, "a stopped pair writes a completion");
		tb_check(len == 16 && tb_bits_get(side, 64, 16) == 16, "completion of %zu bytes", len);
		tb_check(addr == r->cq_base + (r->written & ((1u << r->log2) - 1)) * 16u, "ring %d: completion at a wrong place", i);
		if (i & 1 && r->n_got == r->n_want)
			rx_skip_bad(r);
		if (r->n_got == r->n_want) {
			tb_fail("ring %d: completion too early or too many", i);
			return;
		}
		memcpy(want, r->want[r->n_got++ % MANY], 16);
		tb_bits_set(want, WEFT_L2_CQE_PHASE_LSB, 1, !(r->written >> r->log2 & 1));
		tb_check(!memcmp(want, d, 16), "ring %d: completion %u differs: index %u, model %u; error %u, model %u", i, r->written,
			 (unsigned)tb_bits_get(d, 0, 16), (unsigned)tb_bits_get(want, 0, 16),
			 (unsigned)tb_bits_get(d, WEFT_L2_CQE_ERROR_LSB, 1), (unsigned)tb_bits_get(want, WEFT_L2_CQE_ERROR_LSB, 1));
		r->freed = (uint16_t)(tb_bits_get(d, 0, 16) + 1);
		r->written++;
		return;
	}
	tb_fail("completion at %#llx", (unsigned long long)addr);
}

static void doorbell(unsigned i, bool arm, uint16_t index)
{
	uint64_t v = (i / 2) | (arm ? 0x800000u : 0) | (uint64_t)index << 24;

	tb_item_push(i & 1 ? P_RDB : P_TDB, &v, 5);
}

static void arm_ring(unsigned i)
{
	ring[i].armed_at = ring[i].ci;
	ring[i].arms++;
	doorbell(i, true, ring[i].ci);
}

static void on_irq(int port, const uint8_t *bits, void *arg)
{
	unsigned v = (unsigned)tb_bits_get(bits, 0, 11);

	for (unsigned i = 0; i < 2 * PAIRS; i++)
		if (ring[i].vector == v) {
			struct ring *r = &ring[i];

			r->irqs++;
			total_irqs++;
			tb_check(r->irqs <= r->arms, "ring %u: interrupt that was not armed", i);
			tb_check(r->written != r->armed_at, "ring %u: interrupt before its completion", i);
			r->ci = r->written;
			r->rearm = true;
			return;
		}
	tb_fail("interrupt vector %u", v);
}

static void on_fw(int port, const uint8_t *bits, void *arg)
{
	tb_check(tb_bits_get(bits, 0, 8) == WEFT_FW_EV_DRAINED && tb_bits_get(bits, WEFT_FW_EVENT_CODE_LSB, 16) == WEFT_ROOM_L2Q &&
			 tb_bits_get(bits, WEFT_FW_EVENT_ID_LSB, 32) == fw_first + n_fw, "firmware event differs");
	n_fw++;
}

static void on_state(int port, const uint8_t *b, void *arg)
{
	idle = tb_bits_get(b, 0, 1);
	stat_tx += (unsigned)tb_bits_get(b, 1, 1);
	stat_txe += (unsigned)tb_bits_get(b, 2, 1);
	stat_rx += (unsigned)tb_bits_get(b, 3, 1);
	stat_empty += (unsigned)tb_bits_get(b, 4, 1);
	stat_long += (unsigned)tb_bits_get(b, 5, 1);
	stat_derr += (unsigned)tb_bits_get(b, 6, 1);
}

/* ---- the driver ---- */
static void load(unsigned pair, unsigned cmd, bool valid)
{
	struct ring *t = &ring[2 * pair], *r = t + 1;
	uint8_t e[64];

	tb_rand_bytes(e, 64);
	tb_bits_set(e, WEFT_CTX_L2Q_TX_BASE_LSB, 64, t->base);
	tb_bits_set(e, WEFT_CTX_L2Q_RX_BASE_LSB, 64, r->base);
	tb_bits_set(e, WEFT_CTX_L2Q_TX_CQ_BASE_LSB, 64, t->cq_base);
	tb_bits_set(e, WEFT_CTX_L2Q_RX_CQ_BASE_LSB, 64, r->cq_base);
	tb_bits_set(e, WEFT_CTX_L2Q_TX_LOG2_LSB, 8, t->log2);
	tb_bits_set(e, WEFT_CTX_L2Q_RX_LOG2_LSB, 8, r->log2);
	tb_bits_set(e, WEFT_CTX_L2Q_TX_VALID_LSB, 1, valid);
	tb_bits_set(e, WEFT_CTX_L2Q_RX_VALID_LSB, 1, valid);
	tb_bits_set(e, WEFT_CTX_L2Q_TX_VECTOR_LSB, 16, t->vector);
	tb_bits_set(e, WEFT_CTX_L2Q_RX_VECTOR_LSB, 16, r->vector);
	tb_bits_set(e, WEFT_CTX_L2Q_CMD_LSB, 8, cmd);
	tb_cfg_ctx(WEFT_ROOM_L2Q, pair, e);
}

static uint64_t nth; /* no two incarnations of a pair share memory */
static void fresh_pair(unsigned p, unsigned log2)
{
	nth++;
	for (unsigned i = 2 * p; i < 2 * p + 2; i++) {
		struct ring *r = &ring[i];

		memset(r, 0, sizeof(*r));
		r->log2 = log2 ? log2 : tb_range(3, LOG2_MAX);
		r->base = 0x10000000000ull * nth + 0x100000000ull * (i + 1) + 64 * tb_below(1000);
		r->cq_base = r->base + 0x10000000 + 64 * tb_below(1000);
		r->vector = 5 + 3 * i;
	}
	load(p, WEFT_CTX_CMD_WRITE, true);
}

static void fresh(unsigned log2)
{
	for (unsigned p = 0; p < PAIRS; p++)
		fresh_pair(p, log2);
}

static unsigned room(const struct ring *r) { return (1u << r->log2) - (uint16_t)(r->pi - r->freed); }

static void post(struct ring *r, uint64_t addr, unsigned len, bool last, bool csum, unsigned start, unsigned off)
{
	uint8_t *d = r->desc[r->pi & ((1u << r->log2) - 1)];

	memset(d, 0, 16);
	tb_bits_set(d, WEFT_L2_TXD_ADDR_LSB, 64, addr);
	tb_bits_set(d, WEFT_L2_TXD_LENGTH_LSB, 16, len);
	tb_bits_set(d, WEFT_L2_TXD_LAST_LSB, 1, last);
	tb_bits_set(d, WEFT_L2_TXD_CSUM_LSB, 1, csum);
	tb_bits_set(d, WEFT_L2_TXD_CSUM_START_LSB, 8, start);
	tb_bits_set(d, WEFT_L2_TXD_CSUM_OFFSET_LSB, 8, off);
	r->pi++;
}

static void ring_it(unsigned i)
{
	ring[i].told = ring[i].pi;
	doorbell(i, false, ring[i].pi);
}

/* Now and then just in front of a multiple of 4 GiB. */
static uint64_t address(void)
{
	uint64_t a = (tb_rand() & 0xffffffffffull) + 0x10000000000ull;

	return tb_chance(10) ? (a | 0xffffffff) - tb_below(2048) : a;
}

/* Posts one random frame on a transmit ring; false when it has no room. */
static bool tx_frame(unsigned i, bool errors)
{
	struct ring *r = &ring[i];
	unsigned bufs = 1 + (tb_chance(50) ? tb_below(5) : 0), total, start = tb_below(200), off = tb_chance(40) ? 6 : tb_below(40);
	unsigned kind = errors && tb_chance(10) ? 1 + tb_below(5) : 0;
	bool csum = tb_chance(60);

	if (kind == 4)
		bufs = 33;
	if (kind == 3)
		bufs = 3;
	if (bufs > (1u << r->log2))
		bufs = 1u << r->log2;
	if (room(r) < bufs)
		return false;
	total = tb_chance(60) ? tb_range(bufs + 14, 1514) : tb_range(bufs + 14, 9018);
	for (unsigned k = 0; k < bufs; k++) {
		unsigned left = bufs - k - 1, len = left ? 1 + tb_below(total - left < 2 ? 1 : (total - left) / (tb_chance(50) ? 2 : 8) + 1) : total;
		uint64_t addr = address();

		if (len > total - left)
			len = total - left;
		total -= len;
		if (kind == 1 && k == bufs / 2)
			len = 0;
		if (kind == 2 && k == bufs - 1)
			len = 16385 + tb_below(40000);
		if (kind == 3)
			len = 3008 + tb_below(3);
		if (kind == 5 && k == bufs / 2)
			addr |= BUS_BAD;
		post(r, addr, len, k == bufs - 1, k == 0 ? csum : tb_chance(50), k == 0 ? start : tb_below(256), k == 0 ? off : tb_below(256));
	}
	ring_it(i);
	return true;
}

static void rx_post(unsigned i, unsigned n, unsigned min, unsigned max)
{
	struct ring *r = &ring[i];

	if (n > room(r))
		n = room(r);
	if (!n)
		return;
	while (n--)
		post(r, address(), min ? tb_range(min, max) : tb_chance(10) ? tb_below(60) : tb_range(1500, 9100), false, tb_chance(50), 0, 0);
	ring_it(i);
}

static void rx_send(unsigned len)
{
	unsigned id = n_rx_frames++;
	uint8_t *f = malloc(len), *c = rx_frame[id].cqe;
	bool ip = tb_chance(70), l4 = tb_chance(70), vlan = tb_chance(30);
	uint32_t a[8], hash, sp = tb_below(65536), dp = tb_below(65536);
	uint16_t tci = (uint16_t)tb_rand();
	struct tb_pack p;

	tb_rand_bytes(f, len);
	memcpy(f, &id, 4);
	tb_rand_bytes(a, 32);
	hash = a[0] ^ (a[1] << 1 | a[1] >> 31) ^ a[2] ^ (a[3] << 3 | a[3] >> 29) ^ (a[4] << 5 | a[4] >> 27) ^ a[5] ^
	       (a[6] << 7 | a[6] >> 25) ^ a[7] ^ (sp << 16 | dp);
	rx_frame[id].data = f;
	rx_frame[id].len = len;
	rx_frame[id].pair = (hash ^ hash >> 8 ^ hash >> 16 ^ hash >> 24) & (PAIRS - 1);
	memset(c, 0, 16);
	tb_bits_set(c, WEFT_L2_CQE_LENGTH_LSB, 16, len);
	tb_bits_set(c, WEFT_L2_CQE_CSUM_OK_LSB, 1, ip && l4);
	tb_bits_set(c, WEFT_L2_CQE_VLAN_LSB, 1, vlan);
	tb_bits_set(c, WEFT_L2_CQE_VLAN_TCI_LSB, 16, vlan ? tci : 0);
	tb_bits_set(c, WEFT_L2_CQE_HASH_LSB, 32, hash);
	tb_pack_begin(&p, 489);
	tb_put(&p, 1, 0);
	tb_put(&p, 1, ip);
	tb_put(&p, 1, l4);
	tb_put(&p, 2, 1);
	tb_put(&p, 1, vlan);
	tb_put(&p, 16, tci);
	tb_put(&p, 2, 0);
	tb_put(&p, 48, tb_rand());
	for (int k = 3; k >= 0; k--)
		tb_put(&p, 32, a[k]);
	for (int k = 7; k >= 4; k--)
		tb_put(&p, 32, a[k]);
	tb_put(&p, 16, sp);
	tb_put(&p, 16, dp);
	tb_put(&p, 64, tb_rand());
	tb_put(&p, 9, tb_rand());
	tb_put(&p, 16, tb_rand());
	tb_put(&p, 8, tb_rand());
	tb_put(&p, 16, tb_rand());
	tb_put(&p, 16, len);
	tb_item_push(P_META, p.bits, 62);
	tb_packet_push(P_RX, f, len, NULL, 0, false);
}

static void rates(unsigned lo)
{
	static const int src[] = { P_DS, P_PS, P_META, P_RX };
	static const int snk[] = { P_DQ, P_PQ, P_PW, P_CW, P_IRQ, P_TX, P_FW };

	for (unsigned i = 0; i < sizeof(src) / sizeof(*src); i++)
		tb_src_rate(src[i], tb_range(lo, 100));
	for (unsigned i = 0; i < sizeof(snk) / sizeof(*snk); i++)
		tb_snk_rate(snk[i], tb_range(lo, 100));
}

static bool quiet(void)
{
	static const int src[] = { P_TDB, P_RDB, P_DS, P_PS, P_META, P_RX };

	for (unsigned i = 0; i < sizeof(src) / sizeof(*src); i++)
		if (tb_pending(src[i]))
			return false;
	if (tb_cfg_pending() || q_head[0] || q_head[1] || !idle || n_tx_got != n_tx_want)
		return false;
	for (int i = 0; i < 2 * PAIRS; i++)
		if (ring[i].n_got != ring[i].n_want)
			return false;
	return true;
}

#define ROUNDS 8
static unsigned phase, round_no, wait_left, todo_tx, todo_rx, n_lost, step;
static uint64_t t0;

static void arm_all(void)
{
	for (unsigned i = 0; i < 2 * PAIRS; i++)
		arm_ring(i);
}

static void rearm(void)
{
	for (unsigned i = 0; i < 2 * PAIRS; i++)
		if (ring[i].rearm && tb_chance(5)) {
			ring[i].rearm = false;
			ring[i].ci = ring[i].written; /* poll once more before arming, or not */
			if (tb_chance(50))
				ring[i].ci = (uint16_t)(ring[i].ci - tb_below((uint16_t)(ring[i].ci - ring[i].armed_at) + 1u));
			arm_ring(i);
		}
}

/* Frames that were sent on a pair and not yet written, dropped or not. */
static unsigned outstanding(unsigned pair)
{
	unsigned n = 0;

	for (unsigned i = rx_next[pair]; i < n_rx_frames; i++)
		n += rx_frame[i].pair == pair && !rx_frame[i].done;
	return n;
}

static void begin_round(void)
{
	fresh(0);
	n_tx_want = n_tx_got = n_rx_frames = n_rx_done = n_lost = drop_max = 0;
	memset(rx_next, 0, sizeof(rx_next));
	memset(tx_want, 0, sizeof(tx_want));
	memset(rx_frame, 0, sizeof(rx_frame));
	stat_tx = stat_txe = stat_rx = stat_empty = stat_long = stat_derr = tx_err_want = n_derr_rx = 0;
	fail_reads = round_no >= 4;
	drop_ok = round_no & 1;
	rates(round_no == 0 ? 100 : 20);
	lat_lo = tb_below(30);
	lat_hi = lat_lo + tb_below(300);
	todo_tx = 150;
	todo_rx = 150;
}

static void traffic(void)
{
	for (unsigned p = 0; p < PAIRS; p++) {
		struct ring *r = &ring[2 * p + 1];

		if (todo_tx && tb_chance(10) && tx_frame(2 * p, round_no >= 2))
			todo_tx--;
		/* without drops there must be a descriptor for every frame, whatever pair it goes to; with them rings run dry */
		if (drop_ok ? r->told == (uint16_t)r->n_used && !tb_below(800) : tb_chance(30) && tb_pending(P_RDB) < 4)
			rx_post(2 * p + 1, 1 + tb_below(8), 1514, 9018);
	}
	if (todo_rx && tb_pending(P_META) < 4) {
		bool ok = drop_ok || !tb_pending(P_RDB); /* the doorbell comes before the frame */

		for (unsigned p = 0; p < PAIRS; p++)
			if (!drop_ok && !fail_reads && (uint16_t)(ring[2 * p + 1].told - ring[2 * p + 1].n_used) <= outstanding(p) + 1)
				ok = false;
		if (ok && tb_chance(20)) {
			rx_send(tb_chance(70) ? tb_range(14, 1514) : tb_range(14, 9018));
			todo_rx--;
		}
	}
}

static void end_round(void)
{
	unsigned lost = drop_max;

	for (unsigned i = 0; i < n_rx_frames; i++)
		if (!rx_frame[i].done) {
			struct ring *r = &ring[2 * rx_frame[i].pair + 1];

			lost++;
			if (!drop_ok && !fail_reads && r->n_used < r->n_seen)
				tb_check(rx_frame[i].len > tb_bits_get(r->seen[r->n_used % MANY].desc, WEFT_L2_RXD_LENGTH_LSB, 16),
					 "frame %u is lost", i);
		}
	for (unsigned i = 0; i < n_rx_frames; i++)
		free(rx_frame[i].data);
	tb_check(stat_empty + stat_long == lost, "%u frames dropped, counters %u + %u", lost, stat_empty, stat_long);
	tb_check(drop_ok || fail_reads || !stat_empty, "%u frames found no descriptor", stat_empty);
	tb_check(stat_tx == n_tx_want && stat_txe == tx_err_want, "transmit counters %u %u, model %u %u", stat_tx, stat_txe,
		 n_tx_want, tx_err_want);
	tb_check(stat_rx + lost == n_rx_frames, "receive counter");
	tb_check(stat_derr == n_derr_rx, "%u failed receive descriptors, model %u", stat_derr, n_derr_rx);
	total_tx += stat_tx;
	total_txe += stat_txe;
	total_rx += stat_rx;
	total_long += stat_long;
	total_empty += stat_empty;
	total_derr += stat_derr;
	if (drop_ok)
		tb_check(stat_empty > 0, "no frame was dropped for want of a descriptor");
	for (unsigned i = 0; i < 2 * PAIRS; i++)
		tb_check(ring[i].ci == ring[i].written, "ring %u: %u completions, the driver heard of %u", i, ring[i].written,
			 ring[i].ci);
}

/* A card with one-shot arming on quiet rings: exact. */
static bool arm_rules(void)
{
	struct ring *r = &ring[0];

	if (!quiet() || wait_left-- > 0)
		return false;
	wait_left = 60;
	switch (step++) {
	case 0:
		post(r, 0x123456, 100, true, false, 0, 0);
		ring_it(0);
		return false;
	case 1: /* not armed: nothing; arming behind the completion: nothing; before it: at once */
		tb_check(r->written == 1 && r->irqs == 0, "interrupt without arm");
		r->ci = 1;
		arm_ring(0);
		return false;
	case 2:
		tb_check(r->irqs == 0, "interrupt with nothing new");
		post(r, 0x123456, 60, true, true, 14, 6);
		ring_it(0);
		return false;
	case 3:
		tb_check(r->irqs == 1 && r->written == 2, "no interrupt at the next completion");
		post(r, 0x999999, 60, true, false, 14, 6);
		ring_it(0);
		return false;
	case 4:
		tb_check(r->irqs == 1 && r->written == 3, "armed once, two interrupts");
		r->ci = 2;
		arm_ring(0);
		return false;
	default:
		tb_check(r->irqs == 2, "arming with an unseen completion does not fire");
		for (unsigned i = 0; i < 2 * PAIRS; i++)
			ring[i].rearm = false;
		return true;
	}
}

static void stop_all(void)
{
	n_fw = fw_first = 0;
	for (unsigned p = 0; p < PAIRS; p++)
		load(p, WEFT_CTX_CMD_WRITE, false);
	for (unsigned p = 0; p < PAIRS; p++)
		load(p, WEFT_CTX_CMD_DRAIN, false);
}

/* ---- a pair is stopped under load while the wire stands (PAUSE) ---- */
#define STOPS 40
static unsigned stops, stop_at, stop_pair, n_old, old_left, old_gone;
static uint64_t stop_t0;

static void stop_traffic(void)
{
	if (tb_chance(10))
		tx_frame(2 * stop_pair, stops & 1);
	for (unsigned p = 0; p < PAIRS; p++)
		if (tb_chance(5) && tb_pending(P_RDB) < 4)
			rx_post(2 * p + 1, 1 + tb_below(8), 1514, 9018);
	if (tb_pending(P_META) < 4 && tb_chance(5))
		rx_send(tb_range(14, 1514));
}

static bool stopping(void)
{
	unsigned left;

	switch (stop_at) {
	case 0: /* all pairs are stopped and drained */
		if (n_fw < PAIRS || !quiet())
			return false;
		n_tx_want = n_tx_got = n_rx_frames = n_rx_done = 0;
		memset(rx_next, 0, sizeof(rx_next));
		memset(tx_want, 0, sizeof(tx_want));
		memset(rx_frame, 0, sizeof(rx_frame));
		drop_ok = true;
		fail_reads = stops & 1;
		stop_pair = tb_below(PAIRS);
		fresh(0);
		rates(30);
		lat_lo = tb_below(30);
		lat_hi = lat_lo + tb_below(300);
		wait_left = 100;
		break;
	case 1: /* the contexts are written */
		if (tb_cfg_pending() || --wait_left)
			return false;
		wait_left = tb_range(300, 4000);
		break;
	case 2:
		stop_traffic();
		if (--wait_left)
			return false;
		tb_snk_rate(P_TX, 0);
		wait_left = tb_chance(50) ? tb_below(100) + 1 : tb_range(1000, 12000);
		break;
	case 3:
		stop_traffic();
		if (--wait_left)
			return false;
		n_fw = 0;
		fw_first = stop_pair;
		load(stop_pair, WEFT_CTX_CMD_WRITE, false);
		load(stop_pair, WEFT_CTX_CMD_DRAIN, false);
		stop_t0 = tb_cycle();
		break;
	case 4:
		if (n_fw) {
			gone = (int)stop_pair;
			wait_left = 1000;
			break;
		}
		if (tb_cycle() - stop_t0 < 20000)
			return false;
		tb_fail("stop %u: the wire stands, and the pair does not drain", stops);
		tb_snk_rate(P_TX, 100);
		stop_t0 = tb_cycle() + 100000;
		return false;
	case 5:
		if (tb_pending(P_META) || tb_pending(P_RX) || wait_left-- > 1)
			return false;
		gone = -1;
		n_old = n_tx_want;
		for (unsigned i = 0; i < n_rx_frames; i++) /* of the old receive ring */
			rx_frame[i].done |= rx_frame[i].pair == stop_pair;
		fresh_pair(stop_pair, 6);
		wait_left = 200;
		break;
	case 6: /* the wire may still stand when the pair sends again */
		if (tb_cfg_pending() || --wait_left)
			return false;
		for (int i = 0; i < 10; i++)
			tx_frame(2 * stop_pair, false);
		wait_left = tb_below(4000) + 1;
		break;
	case 7:
		if (--wait_left)
			return false;
		tb_snk_rate(P_TX, tb_range(20, 100));
		wait_left = 3000;
		break;
	case 8:
		if (!idle)
			wait_left = 3000;
		if (--wait_left)
			return false;
		for (unsigned i = left = 0; i < n_tx_want; i++) {
			left += i >= n_old && tx_want[i].data;
			old_left += i < n_old && !tx_want[i].data;
			old_gone += i < n_old && tx_want[i].data;
			free(tx_want[i].data);
		}
		tb_check(!left, "stop %u: %u frames sent after it are lost", stops, left);
		tb_check(ring[2 * stop_pair].written == (fail_reads ? ring[2 * stop_pair].written : 10) && ring[2 * stop_pair].written,
			 "stop %u: %u completions of the new ring", stops, ring[2 * stop_pair].written);
		tb_check(ring[2 * stop_pair].n_got == ring[2 * stop_pair].n_want, "stop %u: completions of the new ring", stops);
		for (unsigned i = 0; i < n_rx_frames; i++)
			free(rx_frame[i].data);
		n_tx_got = n_tx_want;
		stop_at = 0;
		stop_all();
		return ++stops == STOPS;
	}
	stop_at++;
	return false;
}

static bool perf(void)
{
	double cycles;

	for (unsigned p = 0; p < PAIRS; p++) {
		while (todo_tx && room(&ring[2 * p]) > 0 && todo_tx % PAIRS == p) {
			post(&ring[2 * p], 0x4000000 + todo_tx * 2048, 1514, true, true, 34, 6);
			todo_tx--;
			if (todo_tx % 8 < PAIRS)
				ring_it(2 * p);
		}
		if (room(&ring[2 * p + 1]) >= 16)
			rx_post(2 * p + 1, 16, 1514, 1600);
	}
	while (todo_rx && tb_pending(P_META) < 6) {
		rx_send(1514);
		todo_rx--;
	}
	if (todo_tx || todo_rx || n_tx_got < n_tx_want || n_rx_done + stat_empty < n_rx_frames || !quiet())
		return false;
	cycles = (double)(last_tx - t0);
	tb_note("1514-byte frames, both directions, 250 cycles: transmit %.1f B/cycle, receive %.1f B/cycle, %u receive drops",
		(double)tx_bytes / cycles, (double)rx_bytes / (double)(last_rx - t0), stat_empty);
	if (TB_DATA_W == 512)
		tb_check((double)tx_bytes / cycles >= 30 && (double)rx_bytes / (double)(last_rx - t0) >= 30, "too slow");
	return true;
}

void tb_setup(void)
{
	tb_on_item(P_DQ, on_dq, NULL);
	tb_on_item(P_PQ, on_pq, NULL);
	tb_on_item(P_IRQ, on_irq, NULL);
	tb_on_item(P_FW, on_fw, NULL);
	tb_on_item(P_STATE, on_state, NULL);
	tb_on_packet(P_PW, on_pw, NULL);
	tb_on_packet(P_CW, on_cw, NULL);
	tb_on_packet(P_TX, on_tx, NULL);
	begin_round();
	wait_left = 100;
}

bool tb_step(void)
{
	answers();
	switch (phase) {
	case 0:
		if (!arm_rules())
			return false;
		arm_all();
		phase = 1;
		break;
	case 1:
		rearm();
		traffic();
		if (todo_tx || todo_rx)
			return false;
		phase = 2;
		wait_left = 2000;
		break;
	case 2: /* everything settles; the driver re-arms whenever it was interrupted */
		rearm();
		if (!quiet()) {
			wait_left = 2000;
			return false;
		}
		if (--wait_left)
			return false;
		end_round();
		stop_all();
		phase = 3;
		break;
	case 3:
		if (n_fw < PAIRS || !quiet())
			return false;
		if (++round_no < ROUNDS) {
			begin_round();
			phase = 4;
			wait_left = 100;
			break;
		}
		phase = 7;
		break;
	case 7:
		if ((stops < STOPS && !stopping()) || n_fw < PAIRS || !quiet())
			return false;
		begin_round();
		fresh(8);
		rates(100);
		fail_reads = false;
		drop_ok = true;
		lat_lo = lat_hi = 250;
		todo_tx = todo_rx = 600;
		tx_bytes = rx_bytes = 0;
		phase = 5;
		break;
	case 4: /* the contexts are written */
		if (tb_cfg_pending() || --wait_left)
			return false;
		arm_all();
		phase = 1;
		break;
	case 5:
		if (tb_cfg_pending())
			return false;
		for (unsigned p = 0; p < PAIRS; p++)
			rx_post(2 * p + 1, 128, 1514, 1600);
		t0 = tb_cycle();
		wait_left = 600;
		phase = 6;
		break;
	default:
		if (wait_left) {
			wait_left--;
			t0 = tb_cycle();
			return false;
		}
		return perf();
	}
	return false;
}

void tb_finish(void)
{
	tb_note("%u frames sent, %u refused; %u received, %u found no buffer, %u too short a one; %u bad receive descriptors; %u interrupts",
		total_tx, total_txe, total_rx, total_empty, total_long, total_derr, total_irqs);
	tb_note("%u times stopped while the wire stood: %u frames left later, %u were swallowed", stops, old_left, old_gone);
	tb_check(old_left > 10 && old_gone > 10, "too little was under way at a stop");
	tb_check(total_txe > 20 && total_long > 5 && total_empty > 20 && total_derr > 2 && total_irqs > 50, "too little of something happened");
	tb_check(phase == 6, "ended in phase %u, round %u, %u %u to do", phase, round_no, todo_tx, todo_rx);
}
