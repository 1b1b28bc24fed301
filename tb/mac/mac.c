// SPDX-License-Identifier: BSD-2-Clause
/*
 * Modes (+mode=, else by the seed, see the Makefile): 0 random frames both ways, errors of every kind, PAUSE both ways, faults of the link; 1 line rate
 * both ways at each of a list of sizes, nothing lost; 2 PAUSE alone, to the quantum; 3 loopback; 4 as 0 with link faults.
 */
#include "mac.h"

#include <stdlib.h>
#include <string.h>

enum { /* weft_mac_pkg */
	RX_PKTS, RX_OK, RX_UCAST, RX_MCAST, RX_BCAST, RX_CRC, RX_CODE, RX_UNDER, RX_FRAG, RX_OVER, RX_JABBER, RX_HIST,
	RX_CTRL = 18, RX_PAUSE, RX_UNKNOWN, RX_CUT, RX_PREAMBLE, TX_PKTS, TX_UCAST, TX_MCAST, TX_BCAST, TX_HIST,
	TX_PAUSE = 34, TX_LINK, TX_STORE, TX_RESET, LFAULT, RFAULT, REC_LOST, COUNTERS
};
static const char *const names[COUNTERS] = {
	"rx_pkts", "rx_ok", "rx_ucast", "rx_mcast", "rx_bcast", "rx_crc_err", "rx_code_err", "rx_undersize", "rx_fragment",
	"rx_oversize", "rx_jabber", "rx_64", "rx_65_127", "rx_128_255", "rx_256_511", "rx_512_1023", "rx_1024_1518",
	"rx_1519_up", "rx_ctrl", "rx_pause", "rx_unknown_op", "rx_cut", "rx_preamble", "tx_pkts", "tx_ucast", "tx_mcast",
	"tx_bcast", "tx_64", "tx_65_127", "tx_128_255", "tx_256_511", "tx_512_1023", "tx_1024_1518", "tx_1519_up", "tx_pause",
	"tx_link_drop", "tx_store_drop", "tx_reset", "local_fault", "remote_fault", "rec_lost"
};
#define MAX_LEN 9026
#define CTRL 0x800

int mac_fault, mac_mode;
bool mac_may_cut;
static uint64_t want[COUNTERS], oct[3], seen[COUNTERS], pulses[COUNTERS], oct_seen[3];
static const uint8_t pause_da[6] = { 1, 0x80, 0xc2, 0, 0, 1 }, station[6] = { 2, 0x11, 0x22, 0x33, 0x44, 0x55 };
static int mode;
static unsigned ctrl = 7;
static bool up, idle, with_faults;

uint32_t mac_crc(const uint8_t *d, size_t n)
{
	uint32_t c = ~0u;

	while (n--) {
		c ^= *d++;
		for (int i = 0; i < 8; i++)
			c = c >> 1 ^ (c & 1 ? 0xedb88320u : 0);
	}
	return ~c;
}

static unsigned hist(size_t n)
{
	return n == 64 ? 0 : n < 128 ? 1 : n < 256 ? 2 : n < 512 ? 3 : n < 1024 ? 4 : n < 1519 ? 5 : 6;
}

static bool all(const uint8_t *d, uint8_t v, size_t n)
{
	while (n--)
		if (*d++ != v)
			return false;
	return true;
}

/* ------------------------------------------------ from the partner to the core */
#define RING 4096
static struct {
	uint8_t *d;
	size_t n;
	bool err;
} expect[RING]; /* what the core is to get, in order */
static unsigned expect_head, expect_tail, rx_sent, rx_got, rx_bad;
static struct wire w;
static bool w_open;
static uint64_t paused_at = 1, paused_from, paused_to; /* in phy cycles */
static unsigned sizes[64], n_sizes, rate_i;
static bool stop_rx, stop_tx;
static unsigned rx_left, tx_left;

static void expect_frame(const uint8_t *d, size_t n, bool err)
{
	unsigned i = expect_head++ % RING;

	tb_check(expect_head - expect_tail <= RING, "too many frames under way");
	expect[i].d = malloc(n + 1);
	memcpy(expect[i].d, d, n);
	expect[i].n = n;
	expect[i].err = err;
}

static void count_rx(size_t n, const uint8_t *d, bool fcs_bad, bool code, bool ctrl_frame, bool pause)
{
	bool bad = fcs_bad || code, good = !bad && n >= 64 && n <= MAX_LEN;

	want[RX_PKTS]++;
	oct[0] += n;
	if (n >= 64)
		want[RX_HIST + hist(n)]++;
	want[RX_CODE] += code;
	want[RX_CRC] += bad && n >= 64 && n <= MAX_LEN;
	want[RX_UNDER] += n < 64 && !bad;
	want[RX_FRAG] += n < 64 && bad;
	want[RX_OVER] += n > MAX_LEN && !bad;
	want[RX_JABBER] += n > MAX_LEN && bad;
	if (!good)
		return;
	want[RX_OK]++;
	oct[1] += n;
	want[all(d, 0xff, 6) ? RX_BCAST : d[0] & 1 ? RX_MCAST : RX_UCAST]++;
	want[RX_CTRL] += ctrl_frame;
	want[RX_PAUSE] += pause;
	want[RX_UNKNOWN] += ctrl_frame && !pause;
}

static void seal(size_t body)
{
	uint32_t c = mac_crc(w.d, body);

	for (int i = 0; i < 4; i++)
		w.d[body + (size_t)i] = (uint8_t)(c >> 8 * i);
	w.n = body + 4;
}

static void random_address(uint8_t *d)
{
	d[0] &= 0xfe;
	if (tb_chance(20))
		d[0] |= 1;
	if (tb_chance(10))
		memset(d, 0xff, 6);
}

static size_t random_body(void)
{
	switch (tb_below(8)) {
	case 0: return 60;
	case 1: case 2: case 3: return tb_range(60, 130);
	case 4: return tb_range(60, 9022);
	default: return tb_range(60, 1600);
	}
}

static void pause_frame(unsigned quanta)
{
	memset(w.d, 0, 60);
	memcpy(w.d, tb_chance(20) ? station : pause_da, 6);
	tb_rand_bytes(w.d + 6, 6);
	memcpy(w.d + 12, "\x88\x08\x00\x01", 4);
	w.d[16] = (uint8_t)(quanta >> 8);
	w.d[17] = (uint8_t)quanta;
	seal(60);
	w.pause = true;
	w.quanta = quanta;
}

const struct wire *mac_wire_next(void)
{
	size_t body;
	bool fcs_bad = false, is_ctrl = false, code;

	tb_check(!w_open, "the model sends two frames at once");
	if (stop_rx || !up || !rx_left || mode == 3)
		return NULL;
	if (mode != 1 && tb_chance(2) && mac_fault == 0 && mode == 0 && tb_chance(20))
		return NULL;
	rx_left--;
	w_open = true;
	w.gap = phy_min_gap + (tb_chance(70) ? 0 : tb_below(40));
	w.code_at = -1;
	w.no_sfd = w.no_term = w.pause = false;
	if (mode == 1) {
		w.gap = 12;
		body = sizes[rate_i];
		tb_rand_bytes(w.d, body);
		w.d[0] &= 0xfe;
		w.d[12] = 0x08;
		seal(body);
	} else if (mode == 2) {
		w.gap = tb_range(2000, 20000);
		pause_frame(tb_chance(10) ? 0 : tb_range(1, 600));
	} else {
		body = random_body();
		tb_rand_bytes(w.d, body);
		random_address(w.d);
		w.d[12] = 0x08;
		w.d[13] = 0;
		seal(body);
		switch (tb_below(30)) {
		case 0: /* FCS, or a byte anywhere */
			w.d[tb_chance(50) ? w.n - 1 - tb_below(4) : tb_below((uint32_t)w.n)] ^= (uint8_t)(1 + tb_below(255));
			break;
		case 1: /* runt, good or bad FCS */
			body = tb_range(1, 59);
			seal(body);
			if (tb_chance(50))
				w.d[tb_below((uint32_t)w.n)] ^= 0x10;
			break;
		case 2: /* a few bytes, no FCS at all */
			w.n = tb_range(0, 9);
			break;
		case 3: /* too long */
			body = tb_range(MAX_LEN - 6, MAX_LEN + 200);
			tb_rand_bytes(w.d, body);
			w.d[0] &= 0xfe;
			w.d[12] = 0x08;
			seal(body);
			if (tb_chance(50))
				w.d[tb_below((uint32_t)w.n)] ^= 0x10;
			break;
		case 4: w.code_at = (int)tb_below((uint32_t)w.n); break;
		case 5: w.no_term = phy_bytes == 8; break;
		case 6: w.no_sfd = true; break;
		case 7: pause_frame(tb_chance(30) ? 0 : tb_range(1, 80)); break;
		case 8: /* MAC control that nobody knows, or PAUSE that is none */
			pause_frame(100);
			w.pause = false;
			if (tb_chance(50)) {
				w.d[15] = 2;
				seal(60);
			} else if (tb_chance(50)) {
				w.d[0] = 0x03;
				seal(60);
			} else {
				w.d[tb_range(18, 63)] ^= 1;
			}
			break;
		default: break;
		}
	}
	rx_sent++;
	if (w.no_sfd) {
		want[RX_PREAMBLE]++;
		return &w;
	}
	/* what it is on arrival */
	if (w.code_at >= 0)
		w.d[w.code_at] = 0xfe;
	if (w.n >= 4) {
		uint32_t c = mac_crc(w.d, w.n - 4), f;

		memcpy(&f, w.d + w.n - 4, 4);
		fcs_bad = c != f;
	} else {
		fcs_bad = true;
	}
	code = w.code_at >= 0 || w.no_term;
	is_ctrl = w.n >= 14 && w.d[12] == 0x88 && w.d[13] == 0x08;
	if (w.pause && (fcs_bad || code))
		w.pause = false;
	count_rx(w.n, w.d, fcs_bad, code, is_ctrl, w.pause);
	/* nothing leaves of a frame of one word; with XGMII's terminate in the next one 8 bytes are two */
	if (w.n > 8 - (phy_bytes == 8) && !is_ctrl)
		expect_frame(w.d, w.n - 4, fcs_bad || code || w.n < 64 || w.n > MAX_LEN);
	return &w;
}

void mac_wire_done(void)
{
	w_open = false;
	if (w.pause && !w.no_sfd && (ctrl & 4)) {
		paused_at = phy_cycle;
		/* the MAC may take a while to know, then counts exactly */
		paused_from = phy_cycle + 60;
		paused_to = phy_cycle + (uint64_t)w.quanta * phy_quantum;
	}
	if (mode == 1 && rx_left == 0)
		stop_rx = true;
}

static void core_gets(int port, const uint8_t *d, size_t n, const uint8_t *side, bool err, void *arg)
{
	unsigned i = expect_tail % RING;

	rx_got++;
	if (expect_tail == expect_head) {
		tb_fail("the core got a frame of %zu bytes that nobody sent", n);
		return;
	}
	expect_tail++;
	tb_check(err == expect[i].err, "frame %u of %zu bytes: err %d", expect_tail - 1, expect[i].n, err);
	if (!err && !expect[i].err)
		tb_check(n == expect[i].n && !memcmp(d, expect[i].d, n), "frame %u: %zu bytes, sent %zu", expect_tail - 1, n,
			 expect[i].n);
	rx_bad += err;
	free(expect[i].d);
}

/* ------------------------------------------------ from the core to the partner */
static struct {
	uint8_t *d;
	size_t n;
} sent[RING];
static unsigned sent_head, sent_tail, tx_lost;
static bool pause_req;
static uint64_t last_pause, gaps, gap_frames, first_start, last_start;
static unsigned last_quanta = 0, pauses_seen, faulty;
static unsigned series;
static uint64_t resume_checks, late_max;

int tb_pause_req(void) { return pause_req; }

static void push_frame(size_t n)
{
	unsigned i = sent_head++ % RING;

	sent[i].d = malloc(n);
	tb_rand_bytes(sent[i].d, n);
	if (n >= 6)
		random_address(sent[i].d);
	else
		sent[i].d[0] &= 0xfe;
	sent[i].n = n;
	if (mode == 3) {
		/* loopback: it comes back, and counts both ways */
		uint8_t pad[FRAME_BYTES] = { 0 };
		size_t k = n < 60 ? 60 : n;

		memcpy(pad, sent[i].d, n);
		expect_frame(pad, k, false);
		count_rx(k + 4, pad, false, false, false, false);
		want[TX_PKTS]++;
		oct[2] += k + 4;
		want[TX_HIST + hist(k + 4)]++;
		want[all(pad, 0xff, 6) ? TX_BCAST : pad[0] & 1 ? TX_MCAST : TX_UCAST]++;
		sent_tail++;
	}
	tb_packet_push(0, sent[i].d, n, NULL, 0, false);
	if (mode == 3)
		free(sent[i].d);
}

void mac_frame_from(const uint8_t *d, size_t n, uint64_t start, unsigned gap)
{
	uint32_t f;
	unsigned i = sent_tail % RING;

	tb_check(mode != 3, "a frame reached the line in loopback");
	bool pause = n == 64 && !memcmp(d, pause_da, 6) && d[12] == 0x88 && d[13] == 0x08;

	if (n < 64 || n > MAX_LEN) {
		tb_fail("the MAC sent a frame of %zu bytes", n);
		return;
	}
	memcpy(&f, d + n - 4, 4);
	tb_check(f == mac_crc(d, n - 4), "frame of %zu bytes: FCS %08x", n, f);
	want[TX_PKTS]++;
	oct[2] += n;
	want[TX_HIST + hist(n)]++;
	want[all(d, 0xff, 6) ? TX_BCAST : d[0] & 1 ? TX_MCAST : TX_UCAST]++;
	if (pause) {
		unsigned q = (unsigned)d[16] << 8 | d[17];

		pauses_seen++;
		want[TX_PAUSE]++;
		tb_check(!memcmp(d + 6, station, 6) && d[14] == 0 && d[15] == 1 && all(d + 18, 0, 42), "PAUSE frame is malformed");
		tb_check(q == 0 || q == 300, "PAUSE asks for %u quanta", q);
		tb_check(ctrl & 8, "PAUSE was sent though it is off");
		if (q && last_quanta && mode == 2) {
			uint64_t since = start - last_pause;

			/* a frame may be in front of the refresh */
			tb_check(since >= 100 * phy_quantum - 8 && since <= 100 * phy_quantum + 9100 / phy_bytes + 100,
				 "PAUSE again after %llu cycles", (unsigned long long)since);
		}
		if (!q)
			tb_check(last_quanta || faulty, "XON without a pause before it");
		last_quanta = q;
		last_pause = start;
		return;
	}
	/* annex 31B: no frame begins during a pause, one that waits begins at its end */
	tb_check(mac_fault || !(start > paused_from && start < paused_to), "a frame began %llu cycles into a pause of %llu",
		 (unsigned long long)(start - paused_at), (unsigned long long)(paused_to - paused_at));
	if (mode == 2 && paused_to > paused_from && start >= paused_to && paused_at > last_start && last_start < paused_to) {
		uint64_t late = start - paused_to;

		resume_checks++;
		if (late > late_max)
			late_max = late;
		tb_check(late <= 60 + 9100 / phy_bytes * (pause_req ? 1 : 0), "the first frame behind a pause came %llu cycles late",
			 (unsigned long long)late);
	}
	last_start = start;
	/* during a fault frames are lost, and those behind go on in order */
	while (sent_tail != sent_head && faulty) {
		size_t k = sent[i].n < 60 ? 60 : sent[i].n;

		if (n == k + 4 && !memcmp(d, sent[i].d, sent[i].n))
			break;
		free(sent[i].d);
		tx_lost++;
		i = ++sent_tail % RING;
	}
	if (sent_tail == sent_head) {
		tb_fail("the MAC sent a frame of %zu bytes that the core never did", n);
		return;
	}
	sent_tail++;
	{
		size_t k = sent[i].n < 60 ? 60 : sent[i].n;

		tb_check(n == k + 4 && !memcmp(d, sent[i].d, sent[i].n) && all(d + sent[i].n, 0, k - sent[i].n),
			 "frame %u: %zu bytes, the core sent %zu", sent_tail - 1, n, sent[i].n);
		free(sent[i].d);
	}
	/* the gap in front of a series is of no interest */
	if (mode == 1 && gap < 1000 && sent_tail > series) {
		gaps += gap;
		gap_frames++;
	}
	if (!first_start)
		first_start = start;
}

void mac_fault_sent(void) { want[mac_fault == 1 ? LFAULT : RFAULT]++; }

void mac_fault_seen(int fault)
{
	if (fault == 2)
		tb_check(mac_fault == 1 || faulty, "remote fault is sent without a reason");
}

/* ------------------------------------------------ the test */
static void on_level(int port, const uint8_t *b, void *arg)
{
	idle = b[0] >> 1 & 1;
}

void tb_stat(uint64_t p)
{
	for (unsigned i = 0; i < COUNTERS; i++)
		pulses[i] += p >> i & 1;
}

static uint32_t low;
static void on_read(uint32_t v, bool err, void *arg)
{
	uint64_t *to = arg;

	tb_check(!err, "a counter could not be read");
	if (!to)
		low = v;
	else
		*to = (uint64_t)v << 32 | low;
}

static void on_reg(uint32_t v, bool err, void *arg)
{
	uintptr_t w_ = (uintptr_t)arg;

	tb_check(err == (w_ >> 32 == 1) && (err || v == (uint32_t)w_), "register: %08x err %d, %08x expected", v, err, (uint32_t)w_);
}

static const unsigned rate_sizes[] = { 60, 61, 62, 63, 64, 65, 66, 67, 68, 69, 70, 71, 72, 90, 124, 125, 126, 127, 128, 129, 188, 252,
	508, 512, 513, 1020, 1500, 1514, 2044, 4096, 9018, 9022 };

void tb_setup(void)
{
	double half = 2.0;

	static const int of_seed[] = { 0, 0, 1, 2, 3, 4 };
	long seed = tb_opt("seed", 1);

	mode = (int)tb_opt("mode", seed < 6 ? of_seed[seed] : 0);
	if (mode == 4) {
		with_faults = phy_bytes == 8;
		mode = 0;
	}
	mac_mode = mode;
	phy_setup();
	clocks_random(1);
	/* 156.25 or 125 MHz, both within 100 ppm; the core as fast in the test of rates, anything else that is fast enough else */
	clocks[1].half = half * (1 + ((int)tb_below(200) - 100) * 1e-6);
	clocks[2].half = half * (1 + ((int)tb_below(200) - 100) * 1e-6);
	clocks[0].half = mode == 1 ? half * 0.995 : 1.0 + tb_below(900) * 1e-3;
	clocks[1].jitter = clocks[2].jitter = 0;
	for (int i = 0; i < 3; i++)
		clocks[i].at = -20, clocks[i].reset = true;
	n_sizes = sizeof(rate_sizes) / sizeof(*rate_sizes);
	memcpy(sizes, rate_sizes, sizeof(rate_sizes));
	tb_on_packet(1, core_gets, NULL);
	tb_on_item(3, on_level, NULL);
	if (mode != 1)
		tb_src_rate(0, tb_chance(50) ? 100 : 60);
	rx_left = tx_left = mode == 1 ? 0 : (unsigned)tb_opt("frames", mode == 2 ? 100 : phy_bytes == 8 ? 1500 : 700);
	if (mode == 2)
		tx_left = 1u << 30;
}

static uint64_t quiet_since;

static void change_fault(void)
{
	static uint64_t until;

	if (!with_faults || stop_tx)
		return;
	/* 128 columns without end one */
	if (!mac_fault && tb_cycle() > until + 3000 && tb_below(20000) == 0) {
		mac_fault = tb_chance(50) ? 1 : 2;
		until = tb_cycle() + tb_range(400, 4000);
		mac_may_cut = true;
		faulty = 1;
	} else if (mac_fault && tb_cycle() > until) {
		mac_fault = 0;
		until = tb_cycle();
	}
}

bool tb_step(void)
{
	static unsigned phase;
	static uint64_t at;

	for (int i = 0; i < 3; i++)
		if (tb_cycle() > 100)
			clocks[i].reset = false;
	if (tb_cycle() < 2000)
		return false;
	if (!up) {
		up = true;
		tb_cfg_write(0x80c, 0x33221102);
		tb_cfg_write(0x810, 0x5544);
		tb_cfg_write(0x808, 100 << 16 | 300);
		ctrl = mode == 1 ? 7 : 15;
		if (mode == 3)
			ctrl = 0x13;
		tb_cfg_write(CTRL, ctrl);
		tb_cfg_read(CTRL, on_reg, (void *)(uintptr_t)ctrl);
		tb_cfg_read(0x804, on_reg, (void *)(uintptr_t)MAX_LEN);
		tb_cfg_read(0x808, on_reg, (void *)(uintptr_t)(100 << 16 | 300));
		tb_cfg_read(0x80c, on_reg, (void *)(uintptr_t)0x33221102);
		tb_cfg_read(0x814, on_reg, (void *)(uintptr_t)(phy_rate << 16 | 1));
		tb_cfg_read(0x900, on_reg, (void *)(uintptr_t)(1ull << 32));
		at = tb_cycle();
	}
	if (tb_cycle() < at + 1000)
		return false;
	change_fault();
	if (mode == 1) {
		/* a size at a time, both ways; its frames follow each other without a pause */
		static unsigned per;
		bool rx_done = rx_left == 0 && !w_open && expect_head == expect_tail, tx_done = sent_head == sent_tail;

		if (phase == 0) {
			per = 20000 / (sizes[rate_i] + 24) + 20;
			rx_left = per;
			stop_rx = false;
			gaps = gap_frames = 0;
			series = sent_tail + 1;
			tx_left = per;
			phase = 1;
		}
		while (tx_left && tb_pending(0) < 4) {
			push_frame(sizes[rate_i]);
			tx_left--;
		}
		if (phase == 1 && rx_done && tx_done && !tx_left) {
			tb_check(gap_frames == per - 1 && gaps <= 12 * gap_frames + 3, "%u bytes: %llu bytes of gap for %llu frames",
				 sizes[rate_i], (unsigned long long)gaps, (unsigned long long)gap_frames);
			phase = 0;
			if (++rate_i == n_sizes)
				phase = 2;
		}
	} else {
		if (mode == 0 || mode == 3)
			while (tx_left && tb_pending(0) < 3) {
				push_frame(tb_chance(30) ? tb_range(1, 70) : tb_chance(80) ? tb_range(14, 1600) : tb_range(14, 9022));
				tx_left--;
			}
		else if (!stop_tx)
			while (tb_pending(0) < 3)
				push_frame(tb_range(60, 300));
		if ((mode == 0 || mode == 2) && tb_below(mode == 2 ? 30000 : 8000) == 0 && !stop_tx)
			pause_req = !pause_req;
		if (mode == 2 && rx_left == 0 && !w_open)
			stop_tx = true;
		if (stop_tx)
			pause_req = false;
		if (phase == 0 && (mode == 2 ? stop_tx : (rx_left == 0 || mode == 3) && tx_left == 0 && !tb_pending(0))) {
			stop_tx = true;
			if (mac_fault)
				mac_fault = 0;
			phase = 2;
		}
	}
	if (phase == 2) {
		quiet_since = tb_cycle();
		phase = 3;
	}
	/* time for the longest pause, and for the stores to drain */
	if (phase == 3 && tb_cycle() > quiet_since + (mode == 1 ? 20000 : 400000)) {
		for (unsigned i = 0; i < COUNTERS; i++) {
			tb_cfg_read(8 * i, on_read, NULL);
			tb_cfg_read(8 * i + 4, on_read, &seen[i]);
		}
		for (unsigned i = 0; i < 3; i++) {
			tb_cfg_read(0x400 + 8 * i, on_read, NULL);
			tb_cfg_read(0x404 + 8 * i, on_read, &oct_seen[i]);
		}
		phase = 4;
	}
	return phase == 4 && !tb_cfg_pending();
}

void tb_finish(void)
{
	tb_note("core %.3f of the line's clock; to the core %u frames, %u bad; from it %llu, %llu PAUSE, %u lost to faults; "
		"pauses kept %llu, longest delay behind one %llu cycles", clocks[1].half / clocks[0].half, rx_got, rx_bad,
		(unsigned long long)want[TX_PKTS], (unsigned long long)want[TX_PAUSE], tx_lost, (unsigned long long)resume_checks,
		(unsigned long long)late_max);
	tb_check(expect_head == expect_tail, "%u frames did not reach the core", expect_head - expect_tail);
	if (faulty) {
		tx_lost += sent_head - sent_tail;
		tb_check(seen[TX_LINK] && seen[TX_LINK] + want[LFAULT] + want[RFAULT] >= tx_lost, "%u frames were lost, %llu counted", tx_lost, (unsigned long long)seen[TX_LINK]);
	} else {
		tb_check(sent_head == sent_tail, "%u frames of the core were not sent", sent_head - sent_tail);
	}
	for (unsigned i = 0; i < COUNTERS; i++) {
		/* a frame whose terminate alone a fault took is counted as sent */
		if (faulty && i >= TX_PKTS && i < TX_LINK && seen[i] == pulses[i] && seen[i] >= want[i] && seen[i] <= want[i] + want[LFAULT] + want[RFAULT])
			continue;
		if (faulty && i == TX_LINK)
			continue;
		tb_check(seen[i] == want[i] && pulses[i] == want[i], "%s is %llu (%llu pulses), %llu expected", names[i],
			 (unsigned long long)seen[i], (unsigned long long)pulses[i], (unsigned long long)want[i]);
	}
	for (unsigned i = 0; i < (faulty ? 2u : 3u); i++)
		tb_check(oct_seen[i] == oct[i], "octets %u: %llu, %llu expected", i, (unsigned long long)oct_seen[i],
			 (unsigned long long)oct[i]);
	if (with_faults)
		tb_check(want[LFAULT] && want[RFAULT], "no fault occurred");
	if (mode == 0)
		tb_check(rx_got > 500 && want[RX_CRC] && want[RX_CODE] && want[RX_UNDER] && want[RX_FRAG] && want[RX_OVER] &&
				 want[RX_JABBER] && want[RX_PAUSE] && want[RX_UNKNOWN] && want[RX_PREAMBLE] && want[TX_PAUSE],
			 "a kind of frame did not occur");
	if (mode == 2)
		tb_check(resume_checks > 10 && want[TX_PAUSE] > 3, "%llu pauses, %llu PAUSE sent", (unsigned long long)resume_checks,
			 (unsigned long long)want[TX_PAUSE]);
}
