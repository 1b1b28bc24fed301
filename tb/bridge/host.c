// SPDX-License-Identifier: BSD-2-Clause
#include "host.h"

#include <stdlib.h>
#include <string.h>

#include "tb.h"

struct temper temper;
struct host host;
unsigned n_sessions, n_downs, n_naks, n_host_retries, n_bad, n_flr, n_settings, n_resets;

/* frame being received */
static uint8_t rx[1200];
static size_t rx_n;
static bool rx_hunt, rx_esc, rx_torn;
static const struct life *rx_of; /* whose first byte it was: the flag at its end may be lost, and be another one's */

struct tlp *life_add(struct life *l)
{
	if (l->n == l->room) {
		l->room = l->room ? 2 * l->room : 64;
		l->t = realloc(l->t, l->room * sizeof(*l->t));
		if (!l->t)
			abort();
	}
	memset(&l->t[l->n], 0, sizeof(*l->t));
	return &l->t[l->n++];
}

static uint32_t crc32(const uint8_t *p, size_t n)
{
	uint32_t c = 0xffffffff;

	while (n--) {
		c ^= *p++;
		for (int i = 0; i < 8; i++)
			c = c >> 1 ^ (c & 1 ? 0xedb88320 : 0);
	}
	return ~c;
}

static void new_session(bool same)
{
	uint16_t number = host.session;

	if (!same)
		number ^= (uint16_t)tb_range(1, 0xffff);
	memset(&host, 0, sizeof(host));
	host.session = number;
	host.life = calloc(1, sizeof(*host.life));
	if (!host.life)
		abort();
	for (int c = 0; c < 3; c++)
		host.given[c] = (uint8_t)temper.depth[c];
	host.fresh = true;
	n_sessions++;
}

void host_start(bool same)
{
	new_session(same);
	rx_n = 0;
	rx_hunt = true;
	rx_esc = rx_torn = false;
}

/* ---- what comes ---- */
static void take_tlp(const uint8_t *f, size_t body, const struct life *card)
{
	uint8_t ahead = (uint8_t)(f[1] - host.expect);
	unsigned c = f[0] & 3;
	const struct tlp *t;

	if (ahead) {
		if (ahead < 128) {
			if (!host.nak_quiet)
				host.nak_due = true;
			host.nak_quiet = true;
		} else
			host.ack_due = true;
		return;
	}
	if (host.card && host.card != card)
		tb_fail("TLPs of two lives of the card in one session");
	host.card = card;
	tb_check(host.taken[c] != host.given[c], "class %u: a TLP without a credit", c);
	if (host.expect >= card->n) {
		tb_fail("a TLP that the core did not send");
		return;
	}
	t = &card->t[host.expect];
	tb_check(t->cls == c && body == 17u + t->len && f[6] == 0 && !memcmp(f + 7, t->hdr, 16) && !memcmp(f + 23, t->data, t->len),
		 "TLP %u of the card: class %u for %u, %zu bytes for %u, DW0 %02x%02x%02x%02x", host.expect, c, t->cls, body, 17u + t->len, f[10],
		 f[9], f[8], f[7]);
	host.expect++;
	host.taken[c]++;
	host.waiting[c]++;
	host.ack_due = true;
	host.nak_due = host.nak_quiet = false;
}

static void take_ack(const uint8_t *f)
{
	unsigned progress = (uint8_t)(f[1] - (uint8_t)host.una);

	if (host.state != HOST_UP)
		host.up_at = tb_cycle();
	host.state = HOST_UP;
	tb_check(progress <= host.life->n - host.una, "the card acknowledges %u of %u", progress, host.life->n - host.una);
	for (int c = 0; c < 3; c++)
		if ((uint8_t)(f[6 + c] - host.limit[c]) < 128)
			host.limit[c] = f[6 + c];
	host.flr_count = f[9] >> 4;
	tb_check(!(f[9] & 0x0e), "flags of an ACK: %02x", f[9]);
	if (progress > host.life->n - host.una)
		return;
	if (progress)
		host.progress = tb_cycle();
	host.una += progress;
	if (host.snd < host.una)
		host.snd = host.una;
	if (f[9] & 1) {
		n_naks++;
		host.snd = host.una;
	}
}

static void broken(void)
{
	if (host.state == HOST_UP && rx_n > 10 && !host.nak_quiet)
		host.nak_due = host.nak_quiet = true;
}

static void frame(const struct life *card)
{
	size_t body;
	uint16_t session;

	if (rx_n < 10 || rx_n > 1000 || crc32(rx, rx_n - 4) != ((uint32_t)rx[rx_n - 1] << 24 | rx[rx_n - 2] << 16 | rx[rx_n - 3] << 8 | rx[rx_n - 4]) || rx_torn ||
	    rx_esc || (size_t)(rx[4] | rx[5] << 8) != rx_n - 10) {
		broken();
		return;
	}
	body = rx_n - 10;
	session = (uint16_t)(rx[2] | rx[3] << 8);
	host.heard = tb_cycle();
	if (rx[0] == 0x03) {
		tb_check(body == 1 && rx[6] == 1 && session == 0 && rx[1] == 0, "DOWN");
		if (host.state != HOST_HELLO) {
			n_downs++;
			new_session(false);
		}
		return;
	}
	if (rx[0] == 0x04) {
		static const uint8_t want[] = { 1, 16, 8, 12, 64 };

		tb_check(body == 5 && !memcmp(rx + 6, want, 5) && rx[1] == 0, "WELCOME");
		if (host.state == HOST_HELLO && session == host.session) {
			host.state = HOST_GO;
			host.said = 0;
		} else if (host.state == HOST_UP && session == host.session)
			new_session(false);
		return;
	}
	tb_check(rx[0] == 0x10 || (rx[0] >= 0x20 && rx[0] <= 0x22), "kind %02x from the card", rx[0]);
	if (host.state == HOST_HELLO || session != host.session)
		return;
	if (rx[0] == 0x10) {
		tb_check(body == 4, "ACK of %zu bytes", body);
		take_ack(rx);
	} else if (host.state == HOST_UP)
		take_tlp(rx, body, card);
}

void host_byte(uint8_t b, const struct life *card)
{
	if (b == 0x7e) {
		if (rx_n || rx_esc)
			frame(rx_of);
		rx_n = 0;
		rx_hunt = rx_esc = rx_torn = false;
	} else if (rx_hunt) {
		return;
	} else if (b == 0x7d) {
		rx_torn |= rx_esc;
		rx_esc = true;
	} else {
		if (!rx_n)
			rx_of = card;
		if (rx_n < sizeof(rx))
			rx[rx_n++] = rx_esc ? b ^ 0x20 : b;
		rx_esc = false;
	}
}

/* ---- what goes ---- */
static void put32(uint8_t *p, uint32_t v)
{
	for (int i = 0; i < 4; i++)
		p[i] = (uint8_t)(v >> 8 * i);
}

static void make(int cls)
{
	struct tlp *t = life_add(host.life);
	unsigned dw = 0;
	bool four = tb_chance(50);
	uint32_t dw0;

	t->cls = (uint8_t)cls;
	tb_rand_bytes(t->hdr, 16);
	/* bytes that need an escape are common */
	for (int i = 4; i < 16; i++)
		if (tb_chance(10))
			t->hdr[i] = 0x7d + (uint8_t)tb_below(2);
	if (cls == 3) {
		memset(t->hdr + 10, 0, 6);
		t->hdr[2] &= 0x1f;
		t->hdr[3] &= 0x77;
		if (tb_chance(15)) {
			t->hdr[2] |= 0x20;
			t->flr = true;
			n_flr++;
		}
		n_settings++;
		return;
	}
	if (cls == 2) {
		four = false;
		if (tb_chance(85))
			dw = tb_chance(20) ? 64 : tb_range(1, 64);
		dw0 = 0x0a000000;
	} else if (cls == 0) {
		dw = tb_chance(80) ? tb_range(1, 2) : tb_range(1, 64);
		dw0 = 0;
		t->bar = (uint8_t)tb_below(7);
	} else {
		static const uint32_t types[] = { 0, 0, 0, 0x02000000, 0x04000000, 0x0c000000, 0x01000000 };

		dw0 = types[tb_below(7)];
		if (dw0 == 0x0c000000)
			dw = tb_range(1, 4);
		t->bar = (uint8_t)tb_below(7);
	}
	t->len = (uint16_t)(4 * dw);
	dw0 |= (dw ? 0x40000000u : 0) | (four ? 0x20000000u : 0) | (uint32_t)(tb_rand() & 0x00fff800) | (dw ? dw : tb_below(1024));
	put32(t->hdr, dw0);
	if (!four)
		memset(t->hdr + 12, 0, 4);
	tb_rand_bytes(t->data, t->len);
	for (unsigned i = 0; i < t->len; i++)
		if (tb_chance(5))
			t->data[i] = 0x7d + (uint8_t)tb_below(2);
	if (tb_chance(temper.bad_pct)) {
		t->bad = true;
		n_bad++;
		switch (tb_below(4)) {
		case 0: /* length of the frame against that of the header */
			if (t->len && t->len < 250)
				t->len += 4;
			else
				t->hdr[3] |= 0x80;
			break;
		case 1: /* a prefix */
			t->hdr[3] |= 0x80;
			break;
		case 2: /* request and completion */
			t->hdr[3] = cls == 2 ? (t->hdr[3] & 0xe0) : (t->hdr[3] & 0x60) | 0x0a;
			break;
		default: /* too long: one dword more than a frame may have */
			t->hdr[3] |= 0x40;
			t->hdr[0] = 65;
			t->hdr[1] &= 0xfc;
			t->len = 260;
			break;
		}
	}
}

void host_cycle(bool quiet)
{
	for (int c = 0; c < 3; c++)
		if (host.waiting[c] && tb_chance(temper.consume_pct[c])) {
			host.waiting[c]--;
			host.given[c]++;
			host.ack_due = true;
		}
	if (host.state != HOST_UP || quiet)
		return;
	for (int c = 0; c < 4; c++) {
		int k = c == 3 ? 0 : c;

		/* percents of percents: a frame takes many cycles */
		if (!tb_chance(temper.new_pct[c]) || !tb_chance(4) || host.life->n - host.una >= temper.window)
			continue;
		if (!temper.rude && host.used[k] == host.limit[k])
			continue;
		host.used[k]++;
		make(c);
	}
}

static size_t build(uint8_t *out, uint8_t kind, uint8_t seq, const uint8_t *body, size_t n)
{
	uint8_t f[600];
	size_t k = 0;

	f[0] = kind;
	f[1] = seq;
	f[2] = (uint8_t)host.session;
	f[3] = (uint8_t)(host.session >> 8);
	f[4] = (uint8_t)n;
	f[5] = (uint8_t)(n >> 8);
	memcpy(f + 6, body, n);
	put32(f + 6 + n, crc32(f, 6 + n));
	n += 10;
	if (tb_chance(60))
		out[k++] = 0x7e;
	for (size_t i = 0; i < n; i++) {
		if (f[i] == 0x7e || f[i] == 0x7d) {
			out[k++] = 0x7d;
			out[k++] = f[i] ^ 0x20;
		} else
			out[k++] = f[i];
	}
	out[k++] = 0x7e;
	if (host.fresh) {
		/* what a process before left unfinished ends here */
		memmove(out + 1, out, k++);
		out[0] = 0x7e;
		host.fresh = false;
	}
	return k;
}

size_t host_frame(uint8_t *out)
{
	uint64_t now = tb_cycle();
	uint8_t body[300] = { 1 };

	if (host.state == HOST_HELLO || host.state == HOST_GO) {
		if (host.said && now - host.said < temper.hello)
			return 0;
		host.said = now;
		return host.state == HOST_HELLO ? build(out, 0x01, 0, body, 1) : build(out, 0x02, 0, body, 0);
	}
	if (host.ack_due || host.nak_due || now - host.said > temper.beat) {
		if (now - host.said > temper.beat)
			host.nak_quiet = false;
		memcpy(body, host.given, 3);
		body[3] = host.nak_due;
		host.ack_due = host.nak_due = false;
		host.said = now;
		/* of what was never sent: it counts for nothing but its limits */
		if (tb_chance(1)) {
			host.ack_due = true;
			body[3] = 0;
			return build(out, 0x10, (uint8_t)(host.expect + 60), body, 4);
		}
		return build(out, 0x10, (uint8_t)host.expect, body, 4);
	}
	if (host.snd == host.life->n && host.una != host.snd) {
		if (!host.progress || host.progress < host.asked)
			host.progress = host.asked;
		if (now - host.progress > temper.retry) {
			host.snd = host.una;
			host.progress = now;
			n_host_retries++;
		}
	}
	/* A process of before that still writes: none of it counts. */
	if (tb_chance(1) && tb_chance(20)) {
		uint16_t mine = host.session;
		size_t n;

		host.session ^= (uint16_t)tb_range(1, 0xffff);
		tb_rand_bytes(body + 1, 16);
		body[0] = 0;
		body[4] = 0; /* a read of memory, or a write of nothing */
		n = build(out, tb_chance(80) ? 0x20 + (uint8_t)tb_below(2) : 0x10, (uint8_t)host.snd, body, 17);
		host.session = mine;
		return n;
	}
	if (host.snd < host.life->n) {
		const struct tlp *t = &host.life->t[host.snd];

		body[0] = t->bar;
		memcpy(body + 1, t->hdr, 16);
		memcpy(body + 17, t->data, t->len);
		host.snd++;
		host.asked = now;
		return build(out, 0x20 | t->cls, (uint8_t)(host.snd - 1), body, 17u + t->len);
	}
	return 0;
}

bool host_done(void)
{
	return host.state == HOST_UP && host.una == host.life->n && !host.nak_due;
}
