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
	/* transmit: descriptors of the frame that is being put together */
	struct { uint8_t desc[16]; bool err; } chain[32];
	unsigned bufs;
};
static struct ring ring[2 * PAIRS];

static struct { uint8_t *data; unsigned len; } tx_want[MANY * 2];
static unsigned n_tx_want, n_tx_got, tx_err_want;
static unsigned total_cut, total_segs, total_cut_bad, total_tags, total_sets, total_strips, total_types[8];
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
/* Memory has bytes of its own everywhere, but for what was written: headers of frames that are cut, settings. */
#define WRITTEN 0x4000000000000000ull
#define SLOTS 4096
#define SLOT_BYTES 512
static uint8_t written[SLOTS][SLOT_BYTES];
static unsigned n_written;
static uint8_t mem(uint64_t a)
{
	if (a & WRITTEN)
		return written[(a & ~(WRITTEN | BUS_BAD)) / SLOT_BYTES % SLOTS][a % SLOT_BYTES];
	return (uint8_t)(mix(a >> 3) >> (a & 7) * 8);
}

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

/* ---- receive scaling, as the settings say; Toeplitz hash as Microsoft's "RSS Hashing Functions" has it ---- */
static struct { bool on; uint8_t key[40], types, entry[128]; } scale;

static uint32_t toeplitz(const uint8_t *key, const uint8_t *in, unsigned n)
{
	uint32_t result = 0;

	for (unsigned bit = 0; bit < 8 * n; bit++)
		if (in[bit / 8] >> (7 - bit % 8) & 1)
			for (unsigned k = 0; k < 32; k++)
				result ^= (uint32_t)(key[(bit + k) / 8] >> (7 - (bit + k) % 8) & 1) << (31 - k);
	return result;
}

/* ---- model of transmit ---- */
static unsigned be16(const uint8_t *p) { return (unsigned)(p[0] << 8 | p[1]); }
static void put16(uint8_t *p, unsigned v) { p[0] = (uint8_t)(v >> 8); p[1] = (uint8_t)v; }
static uint32_t be32(const uint8_t *p) { return (uint32_t)be16(p) << 16 | be16(p + 2); }
static void put32(uint8_t *p, uint32_t v) { put16(p, v >> 16); put16(p + 2, v & 0xffff); }

static void want_frame(const uint8_t *f, unsigned len, bool vlan, unsigned tci)
{
	uint8_t *d = malloc(len + 4);

	memcpy(d, f, len);
	if (vlan) { /* IEEE 802.1Q: behind the addresses */
		memcpy(d + 16, f + 12, len - 12);
		put16(d + 12, 0x8100);
		put16(d + 14, tci);
		total_tags++;
	}
	tx_want[n_tx_want].data = d;
	tx_want[n_tx_want++].len = len + (vlan ? 4 : 0);
}

/*
 * A header of `h` bytes: is it one whose fields agree, and where do IP and TCP begin? RFC 791 3.1, RFC 8200 3, RFC 9293 3.1.
 */
static bool header(const uint8_t *p, unsigned h, unsigned *l3, unsigned *l4)
{
	*l3 = be16(p + 12) == 0x8100 ? 18 : 14;
	if (be16(p + *l3 - 2) == 0x0800) {
		*l4 = *l3 + 20;
		if (p[*l3] != 0x45 || p[*l3 + 9] != 6 || (be16(p + *l3 + 6) & 0x3fff))
			return false;
	} else if (be16(p + *l3 - 2) == 0x86dd) {
		*l4 = *l3 + 40;
		if (p[*l3] >> 4 != 6 || p[*l3 + 6] != 6)
			return false;
	} else {
		return false;
	}
	return p[*l4 + 12] >> 4 >= 5 && *l4 + 4u * (p[*l4 + 12] >> 4) == h;
}

/* The segments of a frame of which `good` bytes can be read; every field from the RFCs, every sum anew. */
static bool cut(uint8_t *f, unsigned len, unsigned good, unsigned h, unsigned mss, bool vlan, unsigned tci)
{
	static uint8_t seg[16384];
	unsigned l3, l4;

	total_cut++;
	if (good < h || !header(f, h, &l3, &l4)) {
		total_cut_bad++;
		return false;
	}
	for (unsigned at = h, i = 0; at < len; at += mss, i++) {
		unsigned n = len - at < mss ? len - at : mss, l4len = h - l4 + n;
		bool v6 = l4 - l3 == 40, last = at + n == len;
		uint8_t pseudo[4] = { 0, 6, (uint8_t)(l4len >> 8), (uint8_t)l4len };
		uint32_t sum;

		if (at + n > good)
			return false;
		memcpy(seg, f, h);
		memcpy(seg + h, f + at, n);
		if (v6) {
			put16(seg + l3 + 4, l4len); /* RFC 8200 3 */
			sum = tb_csum(0, seg + l3 + 8, 32);
		} else {
			put16(seg + l3 + 2, 20 + l4len);
			put16(seg + l3 + 4, (be16(f + l3 + 4) + i) & 0xffff);
			put16(seg + l3 + 10, 0);
			put16(seg + l3 + 10, (uint16_t)~tb_csum(0, seg + l3, 20)); /* RFC 791 3.1 */
			sum = tb_csum(0, seg + l3 + 12, 8);
		}
		put32(seg + l4 + 4, be32(f + l4 + 4) + i * mss); /* RFC 9293 3.4 */
		if (i)
			seg[l4 + 13] &= 0x7f; /* CWR once: RFC 3168 6.1.2 */
		if (!last)
			seg[l4 + 13] &= 0xf6; /* FIN and PSH with the last byte */
		put16(seg + l4 + 16, 0);
		put16(seg + l4 + 16, (uint16_t)~tb_csum(tb_csum(sum, pseudo, 4), seg + l4, l4len)); /* RFC 9293 3.1 */
		want_frame(seg, h + n, vlan, tci);
		total_segs++;
	}
	return true;
}

static void sum_up(uint8_t *f, unsigned len, unsigned start, unsigned off)
{
	unsigned pos = start + off;
	uint16_t s = (uint16_t)~(start < len ? tb_csum(0, f + start, len - start) : 0);

	if (!s && off == 6)
		s = 0xffff;
	if (pos < len)
		f[pos] = (uint8_t)(s >> 8);
	if (pos + 1 < len)
		f[pos + 1] = (uint8_t)s;
}

/* What good chains name; nothing else may be read. */
#define NAMED 8192
static struct { uint64_t addr; unsigned len; } named[NAMED];
static unsigned n_named;

static bool is_named(uint64_t addr, unsigned len)
{
	for (unsigned i = 0; i < NAMED && i < n_named; i++) {
		unsigned k = (n_named - 1 - i) % NAMED;

		if (addr >= named[k].addr && addr + len <= named[k].addr + named[k].len)
			return true;
	}
	return false;
}

/* One descriptor as the unit got it. */
static void tx_desc(struct ring *r, const uint8_t *d, bool err, uint16_t index)
{
	static uint8_t frame[32 * 16384];
	const uint8_t *first = r->chain[0].desc;
	bool last = tb_bits_get(d, WEFT_L2_TXD_LAST_LSB, 1), tso, vlan, csum, set, bad = false, sent = true;
	unsigned len = 0, good = 0, h, mss, tci, start, most = FRAME_MAX, least = 1;
	uint8_t cqe[16] = { 0 };

	memcpy(r->chain[r->bufs].desc, d, 16);
	r->chain[r->bufs++].err = err;
	if (!err && !last && r->bufs < 32)
		return;
	tso = tb_bits_get(first, WEFT_L2_TXD_TSO_LSB, 1);
	vlan = tb_bits_get(first, WEFT_L2_TXD_VLAN_LSB, 1);
	tci = (unsigned)tb_bits_get(first, WEFT_L2_TXD_VLAN_TCI_LSB, 16);
	csum = !tso && tb_bits_get(first, WEFT_L2_TXD_CSUM_LSB, 1);
	set = !tso && tb_bits_get(first, WEFT_L2_TXD_SET_LSB, 1);
	start = (unsigned)tb_bits_get(first, WEFT_L2_TXD_CSUM_START_LSB, 8);
	h = (unsigned)tb_bits_get(first, WEFT_L2_TSO_HDR_LEN_LSB, 8);
	mss = (unsigned)tb_bits_get(first, WEFT_L2_TSO_MSS_LSB, 16);
	bool fail = false;

	for (unsigned k = 0; k < r->bufs; k++) {
		uint64_t addr = tb_bits_get(r->chain[k].desc, WEFT_L2_TXD_ADDR_LSB, 64);
		unsigned n = (unsigned)tb_bits_get(r->chain[k].desc, WEFT_L2_TXD_LENGTH_LSB, 16);

		if (r->chain[k].err || !n || n > 16384) {
			bad = true;
			break;
		}
		fail |= addr & BUS_BAD;
		for (unsigned i = 0; i < n; i++)
			frame[len + i] = mem(addr + i);
		len += n;
		good = fail ? good : len;
	}
	bad |= !last;
	if (tso) {
		bad |= h < 54 || h > 118 || mss < WEFT_TSO_MSS_MIN || h + mss + (vlan ? 4 : 0) > FRAME_MAX;
		least = h + 1;
		most = WEFT_TSO_MAX;
	} else if (set) {
		least = most = WEFT_L2_SCALING_BYTES;
	} else if (vlan) {
		bad |= csum && start < 14;
		least = 16;
		most = FRAME_MAX - 4;
	}
	bad |= len < least || len > most;
	for (unsigned k = 0; k < r->bufs && !bad; k++) {
		named[n_named % NAMED].addr = tb_bits_get(r->chain[k].desc, WEFT_L2_TXD_ADDR_LSB, 64);
		named[n_named++ % NAMED].len = (unsigned)tb_bits_get(r->chain[k].desc, WEFT_L2_TXD_LENGTH_LSB, 16);
	}
	if (!bad && tso) {
		sent = cut(frame, len, good, h, mss, vlan, tci);
	} else if (!bad && set) {
		scale.on = sent = !fail;
		memcpy(scale.key, frame, 40);
		scale.types = frame[40];
		memcpy(scale.entry, frame + 64, 128);
		total_sets++;
	} else if (bad || fail) {
		sent = false;
	} else {
		if (csum)
			sum_up(frame, len, start, (unsigned)tb_bits_get(first, WEFT_L2_TXD_CSUM_OFFSET_LSB, 8));
		want_frame(frame, len, vlan, tci);
	}
	tx_err_want += !sent;
	tb_bits_set(cqe, WEFT_L2_CQE_INDEX_LSB, 16, index);
	tb_bits_set(cqe, WEFT_L2_CQE_ERROR_LSB, 1, !sent);
	want_cqe(r, cqe);
	r->bufs = 0;
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

static bool is_stopping;       /* a pair is stopped, and the unit knows */
static unsigned stopping_bytes;
static void on_pq(int port, const uint8_t *bits, void *arg)
{
	static uint8_t buf[16384];
	unsigned len = (unsigned)tb_bits_get(bits, 64, 16);

	/* the rest of one buffer, and what was about to leave */
	stopping_bytes = is_stopping ? stopping_bytes + len : 0;
	tb_check(stopping_bytes <= 32768, "a pair that is stopped goes on reading: %u bytes", stopping_bytes);
	uint64_t addr = tb_bits_get(bits, 0, 64);

	tb_check(len >= 1 && len <= 4096, "payload read of %u bytes", len);
	tb_check(gone < 0, "a stopped pair reads payload"); /* no other sends */
	tb_check(is_named(addr, len), "a read of %u bytes at %#llx, which no good chain names", len, (unsigned long long)addr);
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
	bool strip = tb_bits_get(r->seen[r->n_used % MANY].desc, WEFT_L2_RXD_STRIP_LSB, 1) && tb_bits_get(rx_frame[id].cqe, WEFT_L2_CQE_VLAN_LSB, 1);

	if (strip) {
		rx_frame[id].len -= 4;
		memmove(rx_frame[id].data + 12, rx_frame[id].data + 16, rx_frame[id].len - 12);
		tb_bits_set(rx_frame[id].cqe, WEFT_L2_CQE_LENGTH_LSB, 16, rx_frame[id].len);
		tb_bits_set(rx_frame[id].cqe, WEFT_L2_CQE_STRIPPED_LSB, 1, 1);
		total_strips++;
	}
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
	tb_check(len + (strip ? 4 : 0) <= dlen, "frame of %zu bytes in a buffer of %u", len, dlen);
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

/* Writes to memory; the address is good until SLOTS more were written. */
static uint64_t write_mem(const uint8_t *d, unsigned n)
{
	unsigned slot = n_written++ % SLOTS;

	memcpy(written[slot], d, n);
	return WRITTEN | (uint64_t)slot * SLOT_BYTES;
}

static uint8_t *last_posted(struct ring *r, unsigned back) { return r->desc[(uint16_t)(r->pi - back) & ((1u << r->log2) - 1)]; }

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
	bool vlan = tb_chance(25);

	if (vlan && start < 14 && !tb_chance(5))
		start += 14;
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
		if (k == 0 && vlan)
			tb_bits_set(last_posted(r, 1), WEFT_L2_TXD_VLAN_LSB, 1, 1);
		tb_bits_set(last_posted(r, 1), WEFT_L2_TXD_VLAN_TCI_LSB, 16, tb_rand() & 0xffff);
		if (k) /* only the first descriptor says what the frame is */
			tb_bits_set(last_posted(r, 1), WEFT_L2_TXD_VLAN_LSB, 3, tb_rand() & 7);
	}
	ring_it(i);
	return true;
}

/* A header for a frame that is cut, with sums as struct l2_tso wants them; `wrong` breaks it. Returns its length. */
static unsigned make_header(uint8_t *p, unsigned wrong)
{
	bool tag = tb_chance(30), v6 = tb_chance(50);
	unsigned l3 = tag ? 18 : 14, l4 = l3 + (v6 ? 40 : 20), words = tb_range(5, 15), h = l4 + 4 * words;
	uint8_t proto[4] = { 0, 6, 0, 0 };

	tb_rand_bytes(p, SLOT_BYTES);
	if (tag)
		put16(p + 12, 0x8100);
	put16(p + l3 - 2, v6 ? 0x86dd : 0x0800);
	if (v6) {
		p[l3] = (uint8_t)(0x60 | tb_below(16));
		p[l3 + 6] = 6;
	} else {
		p[l3] = 0x45;
		p[l3 + 9] = 6;
		put16(p + l3 + 6, tb_chance(50) ? 0x4000 : 0);
		if (tb_chance(50))
			put16(p + l3 + 4, 0x10000 - tb_below(8) - 1); /* the identification wraps */
	}
	if (tb_chance(50))
		put32(p + l4 + 4, (uint32_t)-(int)tb_below(3000)); /* and the sequence number */
	p[l4 + 12] = (uint8_t)(words << 4 | tb_below(16));
	if (tb_chance(50))
		p[l4 + 13] |= 0x89; /* CWR, PSH, FIN */
	if (wrong == 1)
		p[l4 + 12] = (uint8_t)((words ^ (1 + tb_below(15))) << 4);
	if (wrong == 2)
		p[l3] ^= (uint8_t)(0x10 << tb_below(4));
	if (wrong == 3)
		p[l3 + (v6 ? 6 : 9)] = 17;
	if (wrong == 4 && !v6)
		p[l3 + 6 + tb_below(2)] |= v6 ? 0 : 1 << tb_below(5);
	if (wrong == 4 && v6)
		p[l3 - 1] = 0;
	if (!v6) {
		put16(p + l3 + 10, 0);
		put16(p + l3 + 10, (uint16_t)~tb_csum(0, p + l3, 20));
	}
	put16(p + l4 + 16, tb_csum(tb_csum(0, proto, 4), p + l3 + (v6 ? 8 : 12), v6 ? 32 : 8));
	return h;
}

/* Posts a frame that is to be cut; its header lies in one buffer or several, with payload behind it or not. */
static bool tx_cut(unsigned i, bool errors)
{
	struct ring *r = &ring[i];
	unsigned kind = errors && tb_chance(50) ? 1 + tb_below(12) : 0, bufs = 0, n[40], most, at = 0, total, mss, h, payload, fail = ~0u;
	uint8_t hdr[SLOT_BYTES];
	uint64_t where, addr[40];
	bool vlan = tb_chance(30);

	if (room(r) < 33 || (1u << r->log2) < 64)
		return false;
	h = make_header(hdr, kind > 4 ? 0 : kind);
	mss = tb_chance(50) ? tb_range(WEFT_TSO_MSS_MIN, 300) : tb_chance(80) ? tb_range(300, 1460) : tb_range(1460, FRAME_MAX - 4 - h);
	if (kind == 5)
		mss = tb_below(WEFT_TSO_MSS_MIN);
	if (kind == 6)
		mss = tb_chance(50) ? FRAME_MAX - h - (vlan ? 4 : 0) + 1 + tb_below(100) : tb_range(FRAME_MAX, 65535);
	most = tb_chance(5) ? 65536 - h : (mss < 300 ? 20 * mss : mss < 2000 ? 8 * mss : 4 * mss) + 1;
	payload = most > 65536 - h ? 65536 - h : most;
	payload = tb_chance(20) && payload > mss && mss ? payload / mss * mss : 1 + tb_below(payload); /* a last segment that is full */
	if (tb_chance(3))
		payload = 65536 - h;
	if (payload / (mss ? mss : 1) > 60)
		mss = tb_range(1000, 1460);
	if (kind == 7)
		payload = 65536 - h + 1 + tb_below(10000);
	total = h + payload;
	where = write_mem(hdr, SLOT_BYTES);
	if (kind == 8)
		total = tb_range(1, h); /* ends inside the header, or with it */
	if (kind == 9 || kind == 10) {
		fail = kind == 9 ? tb_below(h) : h + tb_below(payload);
		if (fail >= h && (fail - h) % mss == 0)
			fail++;
	}
	/* descriptors: the written bytes in pieces, then others */
	while (at < total) {
		bool in = at < SLOT_BYTES - 8;
		unsigned left = total - at, k = in ? (tb_chance(40) ? h - (at < h ? at : 0) : 1 + tb_below(SLOT_BYTES - 8 - at)) : 1 + tb_below(tb_chance(50) ? 16384 : 3000);

		if (bufs > 20 || (in && bufs > 8))
			k = in ? SLOT_BYTES - 8 - at : 16384;
		if (in && k > SLOT_BYTES - 8 - at)
			k = SLOT_BYTES - 8 - at;
		if (k > left)
			k = left;
		if (at < fail && at + k > fail)
			k = fail - at;
		if (!k)
			k = 1;
		n[bufs] = k;
		addr[bufs] = in ? where + at : address();
		if (at >= fail)
			addr[bufs] |= BUS_BAD;
		at += k;
		bufs++;
	}
	if (bufs > 32)
		return false;
	for (unsigned k = 0; k < bufs; k++) {
		uint8_t *d;

		post(r, addr[k], n[k], k == bufs - 1, tb_chance(50), 0, 0);
		d = last_posted(r, 1);
		if (!k) {
			tb_bits_set(d, WEFT_L2_TXD_TSO_LSB, 1, 1);
			tb_bits_set(d, WEFT_L2_TXD_VLAN_LSB, 1, vlan);
			tb_bits_set(d, WEFT_L2_TXD_SET_LSB, 1, tb_chance(20));
			tb_bits_set(d, WEFT_L2_TSO_HDR_LEN_LSB, 8, kind == 11 ? (tb_chance(50) ? tb_below(54) : tb_range(119, 255)) : h);
			tb_bits_set(d, WEFT_L2_TSO_MSS_LSB, 16, mss);
		} else {
			tb_bits_set(d, WEFT_L2_TXD_VLAN_LSB, 3, tb_rand() & 7);
		}
		tb_bits_set(d, WEFT_L2_TXD_VLAN_TCI_LSB, 16, tb_rand() & 0xffff);
	}
	if (kind == 12) { /* no LAST: 32 descriptors, then a frame of its own */
		for (tb_bits_set(last_posted(r, 1), WEFT_L2_TXD_LAST_LSB, 1, 0); bufs < 33; bufs++)
			post(r, address(), 14 + tb_below(40), bufs == 32, false, 0, 0);
	}
	ring_it(i);
	return true;
}

/* Settings of receive scaling: `how` 0 good, 1 they cannot be read, 2 too short or too long. */
static void tx_set(unsigned i, const uint8_t *key, unsigned types, unsigned how)
{
	struct ring *r = &ring[i];
	unsigned total = WEFT_L2_SCALING_BYTES - (how == 2 ? 1 : 0), first = tb_chance(50) ? total : tb_range(1, total - 1);
	uint8_t d[SLOT_BYTES];
	uint64_t where;

	tb_rand_bytes(d, sizeof(d));
	if (key)
		memcpy(d, key, 40);
	d[40] = (uint8_t)types;
	for (unsigned k = 0; k < 128; k++)
		d[64 + k] = (uint8_t)tb_below(PAIRS);
	where = write_mem(d, sizeof(d)) | (how == 1 ? BUS_BAD : 0);
	post(r, where, first, first == total, false, 0, 0);
	tb_bits_set(last_posted(r, 1), WEFT_L2_TXD_SET_LSB, 1, 1);
	if (first < total)
		post(r, where + first, total - first, true, false, 0, 0);
	ring_it(i);
}

static void rx_post(unsigned i, unsigned n, unsigned min, unsigned max)
{
	struct ring *r = &ring[i];

	if (n > room(r))
		n = room(r);
	if (!n)
		return;
	while (n--)
		post(r, address(), min ? tb_range(min, max) : tb_chance(10) ? tb_below(60) : tb_range(1500, 9100), tb_chance(50), tb_chance(50), 0, 0);
	ring_it(i);
}

/* What of a frame counts for its hash. */
struct tuple { bool v6, ip, tcp, udp; uint8_t a[32]; unsigned sp, dp; };

static void rx_tuple(unsigned len, const struct tuple *t)
{
	unsigned id = n_rx_frames++, type = 0, n = t->v6 ? 32 : 8;
	uint8_t *f = malloc(len), *c = rx_frame[id].cqe, in[36];
	bool ip_ok = tb_chance(70), l4 = tb_chance(70), vlan = tb_chance(30), tag = vlan && len >= 18;
	uint16_t tci = (uint16_t)tb_rand();
	uint32_t hash = 0, w;
	struct tb_pack p;

	tb_rand_bytes(f, len);
	memcpy(f, &id, 4);
	memcpy(in, t->a, t->v6 ? 32 : 4);
	if (!t->v6)
		memcpy(in + 4, t->a + 16, 4);
	put16(in + n, t->sp);
	put16(in + n + 2, t->dp);
	if (scale.on && t->ip) {
		unsigned plain = t->v6 ? WEFT_L2_HASH_IPV6 : WEFT_L2_HASH_IPV4;

		type = t->tcp ? plain + 1 : t->udp ? plain + 2 : plain;
		if (!(scale.types >> type & 1))
			type = plain;
		if (!(scale.types >> type & 1))
			type = 0;
		hash = type ? toeplitz(scale.key, in, n + (type != plain ? 4 : 0)) : 0;
	}
	total_types[type]++;
	rx_frame[id].data = f;
	rx_frame[id].len = len;
	rx_frame[id].pair = type ? scale.entry[hash & 127] : 0;
	memset(c, 0, 16);
	tb_bits_set(c, WEFT_L2_CQE_LENGTH_LSB, 16, len);
	tb_bits_set(c, WEFT_L2_CQE_CSUM_OK_LSB, 1, ip_ok && l4);
	tb_bits_set(c, WEFT_L2_CQE_VLAN_LSB, 1, tag);
	tb_bits_set(c, WEFT_L2_CQE_VLAN_TCI_LSB, 16, tag ? tci : 0);
	tb_bits_set(c, WEFT_L2_CQE_HASH_LSB, 32, hash);
	tb_bits_set(c, WEFT_L2_CQE_HASH_TYPE_LSB, 4, type);
	tb_pack_begin(&p, 490);
	tb_put(&p, 1, t->v6);
	tb_put(&p, 1, ip_ok);
	tb_put(&p, 1, l4);
	tb_put(&p, 1, t->tcp);
	tb_put(&p, 1, t->udp);
	tb_put(&p, 1, vlan);
	tb_put(&p, 16, tci);
	tb_put(&p, 2, 0);
	tb_put(&p, 48, tb_rand());
	for (int a = 0; a < 2; a++)
		for (int k = 3; k >= 0; k--) {
			memcpy(&w, t->a + 16 * a + 4 * k, 4);
			tb_put(&p, 32, w);
		}
	tb_put(&p, 16, t->sp);
	tb_put(&p, 16, t->dp);
	tb_put(&p, 64, tb_rand());
	tb_put(&p, 9, tb_rand());
	tb_put(&p, 16, tb_rand());
	tb_put(&p, 8, tb_rand());
	tb_put(&p, 16, tb_rand());
	tb_put(&p, 16, len);
	tb_put(&p, 1, t->ip);
	tb_item_push(P_META, p.bits, 62);
	tb_packet_push(P_RX, f, len, NULL, 0, false);
}

/* The verification suite of Microsoft's "Verifying the RSS Hash Calculation": key, tuples, results without and with ports. */
static const uint8_t suite_key[40] = {
	0x6d, 0x5a, 0x56, 0xda, 0x25, 0x5b, 0x0e, 0xc2, 0x41, 0x67, 0x25, 0x3d, 0x43, 0xa3, 0x8f, 0xb0, 0xd0, 0xca, 0x2b, 0xcb,
	0xae, 0x7b, 0x30, 0xb4, 0x77, 0xcb, 0x2d, 0xa3, 0x80, 0x30, 0xf2, 0x0c, 0x6a, 0x42, 0xb7, 0x3b, 0xbe, 0xac, 0x01, 0xfa,
};
static const struct { bool v6; uint16_t src[8], sp, dst[8], dp; uint32_t plain, ports; } suite[] = {
	{ false, { 66 << 8 | 9, 149 << 8 | 187 }, 2794, { 161 << 8 | 142, 100 << 8 | 80 }, 1766, 0x323e8fc2, 0x51ccc178 },
	{ false, { 199 << 8 | 92, 111 << 8 | 2 }, 14230, { 65 << 8 | 69, 140 << 8 | 83 }, 4739, 0xd718262a, 0xc626b0ea },
	{ false, { 24 << 8 | 19, 198 << 8 | 95 }, 12898, { 12 << 8 | 22, 207 << 8 | 184 }, 38024, 0xd2d0a5de, 0x5c2b394a },
	{ false, { 38 << 8 | 27, 205 << 8 | 30 }, 48228, { 209 << 8 | 142, 163 << 8 | 6 }, 2217, 0x82989176, 0xafc7327f },
	{ false, { 153 << 8 | 39, 163 << 8 | 191 }, 44251, { 202 << 8 | 188, 127 << 8 | 2 }, 1303, 0x5d1809c5, 0x10e828a2 },
	{ true, { 0x3ffe, 0x2501, 0x0200, 0x1fff, 0, 0, 0, 7 }, 2794, { 0x3ffe, 0x2501, 0x0200, 3, 0, 0, 0, 1 }, 1766, 0x2cc18cd5, 0x40207d3d },
	{ true, { 0x3ffe, 0x0501, 8, 0, 0x0260, 0x97ff, 0xfe40, 0xefab }, 14230, { 0xff02, 0, 0, 0, 0, 0, 0, 1 }, 4739, 0x0f0c461c, 0xdde51bbf },
	{ true, { 0x3ffe, 0x1900, 0x4545, 3, 0x0200, 0xf8ff, 0xfe21, 0x67cf }, 44251, { 0xfe80, 0, 0, 0, 0x0200, 0xf8ff, 0xfe21, 0x67cf }, 38024,
	  0x4b61e985, 0x02d1feef },
};
#define SUITE (sizeof(suite) / sizeof(*suite))
static unsigned n_suite;

/* Each of the suite as TCP, UDP (ports hash alike) and as something else. */
static void rx_suite(void)
{
	unsigned i = n_suite % SUITE, how = n_suite / SUITE;
	struct tuple t = { .v6 = suite[i].v6, .ip = true, .tcp = how == 1, .udp = how == 2, .sp = suite[i].sp, .dp = suite[i].dp };

	for (unsigned k = 0; k < 8; k++) {
		put16(t.a + 2 * k, suite[i].src[k]);
		put16(t.a + 16 + 2 * k, suite[i].dst[k]);
	}
	rx_tuple(100, &t);
	tb_check(tb_bits_get(rx_frame[n_rx_frames - 1].cqe, WEFT_L2_CQE_HASH_LSB, 32) == (how ? suite[i].ports : suite[i].plain),
		 "the model is wrong: tuple %u", i);
	n_suite++;
}

static void rx_send(unsigned len)
{
	struct tuple t = { .v6 = tb_chance(40), .ip = tb_chance(90), .sp = tb_below(65536), .dp = tb_below(65536) };

	tb_rand_bytes(t.a, 32);
	t.tcp = tb_chance(50);
	t.udp = !t.tcp && tb_chance(50);
	rx_tuple(len, &t);
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

		if (todo_tx && tb_chance(10) && (tb_chance(30) ? tx_cut(2 * p, round_no >= 2) : tx_frame(2 * p, round_no >= 2)))
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
			if (n_suite < 3 * SUITE)
				rx_suite();
			else
				rx_send(tb_chance(70) ? tb_range(14, 1514) : tb_range(14, 9018));
			todo_rx--;
		}
	}
}

/* Settings come before traffic: true when they are in force. */
static bool settings(void)
{
	static bool posted;

	rearm();
	if (!posted) {
		if (!round_no) {
			tx_set(0, suite_key, 0x7e, 0);
		} else {
			if (tb_chance(50))
				tx_set(0, NULL, tb_rand() & 0xff, 1 + tb_below(2));
			if (tb_chance(75))
				tx_set(2 * tb_below(PAIRS), NULL, tb_chance(50) ? 0x7e : tb_rand() & 0xff, 0);
			if (tb_chance(20))
				tx_set(0, NULL, tb_rand() & 0xff, 1);
		}
		posted = true;
		wait_left = 100;
	}
	if (tb_pending(P_TDB) || !quiet())
		wait_left = 100;
	if (--wait_left)
		return false;
	posted = false;
	return true;
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
	if (tb_chance(10) && !(tb_chance(20) && tx_cut(2 * stop_pair, stops & 1)))
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
		is_stopping = !n_fw && !tb_cfg_pending();
		if (n_fw) {
			gone = (int)stop_pair;
			wait_left = 1000;
			break;
		}
		if (tb_cycle() - stop_t0 < 30000) /* 32 KiB of answers at 64 bits, slow ones */
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

/* Frames of 64 KiB, in segments of 1,460 bytes. */
static bool perf_cut(void)
{
	uint8_t hdr[SLOT_BYTES];
	double rate;

	for (unsigned p = 0; p < PAIRS; p++) {
		struct ring *r = &ring[2 * p];

		if (!todo_tx || todo_tx % PAIRS != p || room(r) < 8)
			continue;
		for (unsigned k = 0, h = make_header(hdr, 0), left = 65536; left; k++) {
			unsigned n = k ? (left < 16384 ? left : 16384) : h;

			post(r, k ? address() : write_mem(hdr, SLOT_BYTES), n, n == left, false, 0, 0);
			left -= n;
			if (!k) {
				tb_bits_set(last_posted(r, 1), WEFT_L2_TXD_TSO_LSB, 1, 1);
				tb_bits_set(last_posted(r, 1), WEFT_L2_TSO_HDR_LEN_LSB, 8, h);
				tb_bits_set(last_posted(r, 1), WEFT_L2_TSO_MSS_LSB, 16, 1460);
			}
		}
		ring_it(2 * p);
		todo_tx--;
	}
	if (todo_tx || !quiet())
		return false;
	rate = (double)tx_bytes / (double)(last_tx - t0);
	tb_note("64 KiB cut into segments of 1,460 bytes: %.1f B/cycle", rate);
	if (TB_DATA_W == 512)
		tb_check(rate >= 35, "too slow");
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
		phase = 8;
		break;
	case 8:
		if (settings())
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
		phase = 8;
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
	case 6:
		if (wait_left) {
			wait_left--;
			t0 = tb_cycle();
			return false;
		}
		if (!perf())
			return false;
		phase = 9;
		todo_tx = 24;
		tx_bytes = 0;
		t0 = tb_cycle();
		break;
	case 9:
		return perf_cut();
	}
	return false;
}

void tb_finish(void)
{
	for (unsigned i = 0; phase != 9 && i < 2 * PAIRS; i++)
		tb_note("ring %u: log2 %u, posted %u, read %u, freed %u, completions %u of %u", i, ring[i].log2, ring[i].pi, ring[i].read, ring[i].freed,
			ring[i].n_got, ring[i].n_want);
	tb_note("%u frames sent, %u refused; %u received, %u found no buffer, %u too short a one; %u bad receive descriptors; %u interrupts",
		total_tx, total_txe, total_rx, total_empty, total_long, total_derr, total_irqs);
	tb_note("%u times stopped while the wire stood: %u frames left later, %u were swallowed", stops, old_left, old_gone);
	tb_check(old_left > 10 && old_gone > 10, "too little was under way at a stop");
	tb_note("%u frames to cut, %u with a wrong header or an unread one, %u segments; %u tags inserted, %u taken out; %u settings; hash types %u %u %u %u %u %u %u",
		total_cut, total_cut_bad, total_segs, total_tags, total_strips, total_sets, total_types[0], total_types[1], total_types[2],
		total_types[3], total_types[4], total_types[5], total_types[6]);
	tb_check(total_cut > 100 && total_cut_bad > 10 && total_segs > 1000 && total_tags > 50 && total_strips > 20 && total_sets > 4,
		 "too little of something new happened");
	for (unsigned i = 0; i < 7; i++)
		tb_check(total_types[i] > 10, "too few frames of hash type %u", i);
	tb_check(total_txe > 20 && total_long > 5 && total_empty > 20 && total_derr > 2 && total_irqs > 50, "too little of something happened");
	tb_check(phase == 9, "ended in phase %u, round %u, %u %u to do", phase, round_no, todo_tx, todo_rx);
}
