/* SPDX-License-Identifier: BSD-2-Clause */
#include "bridge.h"

#include <stdlib.h>
#include <string.h>

enum { POSTED, NONPOSTED, COMPLETION, SETTINGS, CLASSES = 3 };
enum { KIND_HELLO = 0x01, KIND_GO, KIND_DOWN, KIND_WELCOME, KIND_ACK = 0x10, KIND_TLP = 0x20 };
enum { FLAG = 0x7e, ESCAPE = 0x7d };
#define NAK 1u
#define HEAD 6u           /* kind, seq, session, length */
#define TLP_HEAD 17u      /* a byte and the header */
#define WINDOW 64u        /* frames of the host that are not acknowledged */
#define DEPTH 64u         /* TLPs of a class that the host holds */
#define FENCES 8u         /* that are under way; more are one */
#define FENCE_ID 0xffffu  /* requester of fences: no root complex here has it */
#define ACTIVE_NS 1000000000u

/* A TLP, or settings. */
struct item {
	struct item *next;
	uint8_t cls, bar;
	bool fence, flr;
	uint32_t hdr[4];
	uint16_t len;
	uint64_t after;       /* posted ones that go before it */
	uint8_t data[BRIDGE_PAYLOAD];
};
struct queue {
	struct item *head, **tail;
	unsigned int n;
};

struct bridge {
	struct bridge_cfg cfg;
	struct bridge_stats stats;
	unsigned int beat;
	uint64_t rng, mac;
	enum { HELLO, GO, UP, LOST } state;
	uint16_t session;
	bool fresh;           /* what a life before left half sent ends with a flag */
	/* towards the card: wait by class, then not acknowledged, una is the number of the first */
	struct queue wait[CLASSES], open;
	uint64_t posted_made, posted_sent;
	uint8_t una, snd;     /* snd: the next to be sent (again) */
	uint8_t limit[CLASSES], used[CLASSES];
	/* from the card */
	uint8_t expect, given[CLASSES], taken[CLASSES];
	struct queue in;
	bool ack_due, nak_due, nak_quiet;
	uint64_t said_ns, asked_ns, busy_ns;
	/* fences that have not come back; a function-level reset ends with its own */
	unsigned int fences;
	bool flr_open, flr_done, bme, fence_due;
	uint8_t settings[16];
	/* beats */
	uint32_t req_hdr[4], cpl_hdr[4];
	uint32_t req_len, cpl_len, out_pos;
	uint8_t req_data[4096 + 64], cpl_data[4096 + 64];
	struct weft_rc_out out;
	/* the line */
	uint8_t rx[HEAD + TLP_HEAD + BRIDGE_PAYLOAD + 4];
	size_t rx_n;
	bool rx_hunt, rx_esc, rx_torn, rx_long;
};

/* ---- small things ---- */

static void *give(size_t n)
{
	void *p = calloc(1, n);

	if (!p)
		abort();
	return p;
}

static void put(struct queue *q, struct item *t)
{
	t->next = NULL;
	*q->tail = t;
	q->tail = &t->next;
	q->n++;
}

static struct item *get(struct queue *q)
{
	struct item *t = q->head;

	q->head = t->next;
	if (!q->head)
		q->tail = &q->head;
	q->n--;
	return t;
}

static void drop(struct queue *q)
{
	while (q->n)
		free(get(q));
	q->tail = &q->head;
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

static void put32(uint8_t *p, uint32_t v)
{
	for (int i = 0; i < 4; i++)
		p[i] = (uint8_t)(v >> 8 * i);
}

static uint32_t get32(const uint8_t *p)
{
	return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static unsigned int payload(const uint32_t hdr[4])
{
	return hdr[0] >> 30 & 1 ? 4 * (hdr[0] & 0x3ff ? hdr[0] & 0x3ff : 1024) : 0;
}

static bool is_posted(const uint32_t hdr[4])
{
	uint32_t type = hdr[0] >> 24 & 0x1f;

	return type >> 3 == 2 || (type == 0 && hdr[0] >> 30 & 1);
}

/* ---- life ---- */

struct bridge *bridge_new(unsigned int beat_bytes, uint64_t seed)
{
	struct bridge *b = give(sizeof(*b));

	b->beat = beat_bytes;
	b->rng = seed * 2 + 1;
	b->cfg = (struct bridge_cfg){ 10000000, 100000000, 20000000, 1000000000, 64 };
	for (int c = 0; c < CLASSES; c++)
		b->wait[c].tail = &b->wait[c].head;
	b->open.tail = &b->open.head;
	b->in.tail = &b->in.head;
	bridge_open(b);
	return b;
}

void bridge_free(struct bridge *b)
{
	if (!b)
		return;
	for (int c = 0; c < CLASSES; c++)
		drop(&b->wait[c]);
	drop(&b->open);
	drop(&b->in);
	free(b);
}

struct bridge_cfg *bridge_config(struct bridge *b) { return &b->cfg; }
const struct bridge_stats *bridge_stats(const struct bridge *b) { return &b->stats; }
void bridge_mac(struct bridge *b, uint64_t mac) { b->mac = mac; }
bool bridge_up(const struct bridge *b) { return b->state == UP; }
bool bridge_lost(const struct bridge *b) { return b->state == LOST; }

void bridge_open(struct bridge *b)
{
	uint16_t number;

	for (int c = 0; c < CLASSES; c++) {
		drop(&b->wait[c]);
		b->limit[c] = b->used[c] = b->taken[c] = 0;
		b->given[c] = DEPTH;
	}
	drop(&b->open);
	drop(&b->in);
	do {
		b->rng = b->rng * 6364136223846793005u + 1442695040888963407u;
		number = (uint16_t)(b->rng >> 48);
	} while (number == b->session || !number);
	b->session = number;
	b->state = HELLO;
	b->fresh = b->rx_hunt = true; /* the line may be in the midst of a frame */
	b->posted_made = b->posted_sent = 0;
	b->una = b->snd = b->expect = 0;
	b->ack_due = b->nak_due = b->nak_quiet = false;
	b->said_ns = b->asked_ns = b->busy_ns = 0;
	b->fences = 0;
	b->flr_open = b->flr_done = b->bme = b->fence_due = false;
	memset(b->settings, 0, sizeof(b->settings));
	b->req_len = b->cpl_len = b->out_pos = 0;
	b->stats.sessions++;
}

bool bridge_idle(const struct bridge *b)
{
	return b->state == UP && !b->open.n && !b->in.n && !b->wait[POSTED].n && !b->wait[NONPOSTED].n && !b->wait[COMPLETION].n &&
	       !b->ack_due && !b->nak_due && !b->fences && !b->fence_due && !b->flr_open && !b->req_len && !b->cpl_len;
}

/* ---- the root complex's streams ---- */

static struct item *item(uint8_t cls, const uint32_t hdr[4], const uint8_t *data, unsigned int len)
{
	struct item *t = give(sizeof(*t));

	t->cls = cls;
	memcpy(t->hdr, hdr, sizeof(t->hdr));
	if (!(hdr[0] >> 29 & 1))
		t->hdr[3] = 0;
	t->len = (uint16_t)len;
	if (len)
		memcpy(t->data, data, len);
	return t;
}

static void to_card(struct bridge *b, struct item *t)
{
	unsigned int c = t->cls == SETTINGS ? POSTED : t->cls;

	t->after = b->posted_made;
	if (c == POSTED)
		b->posted_made++;
	put(&b->wait[c], t);
}

static void fence(struct bridge *b)
{
	/* a dword of BAR 0 at 0 */
	const uint32_t hdr[4] = { 1, FENCE_ID << 16 | 0xf };

	b->fences++;
	to_card(b, item(NONPOSTED, hdr, NULL, 0));
}

/*
 * The pins of the configuration space, as frame 23 has them. A guest may change them as often as it will while nothing gets through: what waits is
 * bounded, and later the last state counts.
 */
static void settings(struct bridge *b, const struct weft_rc_in *in)
{
	uint8_t s[16] = { (uint8_t)in->cfg_bdf, (uint8_t)(in->cfg_bdf >> 8) };
	bool flr = in->flr_req && !b->flr_open && !b->flr_done;
	struct item *t;

	s[2] = (uint8_t)(in->cfg_bme | in->cfg_rcb << 1 | in->cfg_ext_tag << 2 | in->cfg_msix_en << 3 | in->cfg_msix_mask << 4);
	s[3] = (uint8_t)((in->cfg_mps > 1 ? 1 : in->cfg_mps) | (in->cfg_mrrs & 7) << 4);
	for (int i = 0; i < 6; i++)
		s[4 + i] = (uint8_t)(b->mac >> 8 * i);
	if (!in->flr_req)
		b->flr_done = false;
	b->fence_due |= b->bme && !in->cfg_bme;
	b->bme = in->cfg_bme;
	if (b->wait[POSTED].n >= 2 * b->cfg.queue || b->fences >= FENCES)
		return;
	if (flr || memcmp(s, b->settings, sizeof(s))) {
		memcpy(b->settings, s, sizeof(s));
		if (flr)
			s[2] |= 1u << 5;
		t = give(sizeof(*t));
		t->cls = SETTINGS;
		for (int i = 0; i < 4; i++)
			t->hdr[i] = get32(s + 4 * i);
		to_card(b, t);
	}
	if (flr) {
		/* Answers of reads that the reset ends. */
		drop(&b->wait[COMPLETION]);
		b->flr_open = true;
	}
	if (flr || b->fence_due)
		fence(b);
	b->fence_due = false;
}

static void request(struct bridge *b, unsigned int bar)
{
	struct item *t;

	if (b->req_len > BRIDGE_PAYLOAD) {
		b->stats.refused++;
		return;
	}
	t = item(is_posted(b->req_hdr) ? POSTED : NONPOSTED, b->req_hdr, b->req_data, payload(b->req_hdr));
	t->bar = (uint8_t)bar;
	to_card(b, t);
}

/* A completion, cut where a completer may cut: at multiples of 128 bytes. */
static void completion(struct bridge *b)
{
	uint32_t hdr[4], left = payload(b->cpl_hdr), at = b->cpl_hdr[2] & 0x7f, count = b->cpl_hdr[1] & 0xfff, n, bytes;
	const uint8_t *p = b->cpl_data;

	memcpy(hdr, b->cpl_hdr, sizeof(hdr));
	while (left > BRIDGE_PAYLOAD) {
		n = BRIDGE_PAYLOAD - (at & 0x7c);
		hdr[0] = (hdr[0] & ~0x3ffu) | n / 4;
		to_card(b, item(COMPLETION, hdr, p, n));
		bytes = n - (at & 3);
		count = (count ? count : 4096) - bytes;
		at = 0;
		left -= n;
		p += n;
		hdr[1] = (hdr[1] & ~0xfffu) | (count & 0xfff);
		hdr[2] &= ~0x7fu;
	}
	if (left)
		hdr[0] = (hdr[0] & ~0x3ffu) | left / 4;
	to_card(b, item(COMPLETION, hdr, p, left));
}

/* What the card asks for is not to be: bus mastering is off, or it was sent before it went off. */
static bool unwanted(struct bridge *b, const struct weft_rc_in *in, const struct item *t)
{
	uint32_t hdr[4] = { 0x0a000000, 1u << 13 };

	if (t->cls == COMPLETION || (in->cfg_bme && !b->fence_due && !b->fences))
		return false;
	b->stats.stale++;
	/* Of a read that a reset ends nobody waits for the answer. */
	/* Nor are more kept for a card that takes none. */
	if (t->cls == NONPOSTED && !b->flr_open && b->wait[COMPLETION].n < b->cfg.queue) {
		hdr[0] |= t->hdr[0] & 0x00700000;
		hdr[1] |= 4 * (t->hdr[0] & 0x3ff) & 0xfff;
		hdr[2] = (t->hdr[1] & 0xffffff00u) | (t->hdr[t->hdr[0] >> 29 & 1 ? 3 : 2] & 0x7c);
		to_card(b, item(COMPLETION, hdr, NULL, 0));
	}
	return true;
}

/* The credit of the first that came goes back: it has left. */
static void left(struct bridge *b)
{
	b->given[b->in.head->cls]++;
	b->ack_due = true;
	b->out_pos = 0;
	free(get(&b->in));
}

void bridge_begin(struct bridge *b, const struct weft_rc_in *in, struct weft_rc_out *out)
{
	struct item *t;

	memset(out, 0, sizeof(*out));
	if (b->state != LOST)
		settings(b, in);
	while ((t = b->in.head) && !b->out_pos) {
		if (t->fence) {
			/* a card that answers twice */
			if (b->fences)
				b->fences--;
			if (!b->fences && b->flr_open) {
				b->flr_open = false;
				b->flr_done = true;
			}
		} else if (!unwanted(b, in, t)) {
			break;
		}
		left(b);
	}
	out->flr_done = b->flr_done && in->flr_req;
	out->rx_req_ready = b->state != LOST && b->wait[POSTED].n + b->wait[NONPOSTED].n < b->cfg.queue;
	out->rx_cpl_ready = b->state != LOST && b->wait[COMPLETION].n < b->cfg.queue;
	if (t && t->cls == POSTED) {
		unsigned int n = t->len - b->out_pos;

		out->tx_wr_valid = true;
		out->tx_wr_last = n <= b->beat;
		memcpy(out->tx_wr_hdr, t->hdr, 16);
		memcpy(out->tx_wr_data, t->data + b->out_pos, n < b->beat ? n : b->beat);
	} else if (t && t->cls == NONPOSTED) {
		out->tx_rd_valid = true;
		memcpy(out->tx_rd_hdr, t->hdr, 16);
	} else if (t) {
		out->tx_cpl_valid = true;
		memcpy(out->tx_cpl_hdr, t->hdr, 16);
		memcpy(&out->tx_cpl_data, t->data + b->out_pos, t->len - b->out_pos < 8u ? t->len - b->out_pos : 8u);
	}
	b->out = *out;
}

static void collect(uint8_t *data, uint32_t *len, const uint8_t *beat, unsigned int n)
{
	if (*len + n <= 4096 + 64)
		memcpy(data + *len, beat, n);
	*len += n;
}

bool bridge_end(struct bridge *b, const struct weft_rc_in *in)
{
	const struct weft_rc_out *out = &b->out;
	bool moved = false;

	if (in->rx_req_valid && out->rx_req_ready) {
		moved = true;
		memcpy(b->req_hdr, in->rx_req_hdr, 16);
		collect(b->req_data, &b->req_len, in->rx_req_data, b->beat);
		if (in->rx_req_last) {
			b->req_len = payload(b->req_hdr);
			request(b, in->rx_req_bar);
			b->req_len = 0;
		}
	}
	if (in->rx_cpl_valid && out->rx_cpl_ready) {
		moved = true;
		memcpy(b->cpl_hdr, in->rx_cpl_hdr, 16);
		collect(b->cpl_data, &b->cpl_len, in->rx_cpl_data, b->beat);
		if (in->rx_cpl_last) {
			completion(b);
			b->cpl_len = 0;
		}
	}
	if (out->tx_wr_valid && in->tx_wr_ready) {
		moved = true;
		b->out_pos += b->beat;
		if (out->tx_wr_last)
			left(b);
	} else if (out->tx_rd_valid && in->tx_rd_ready) {
		moved = true;
		left(b);
	} else if (out->tx_cpl_valid && in->tx_cpl_ready) {
		moved = true;
		b->out_pos += 8;
		if (b->out_pos >= b->in.head->len)
			left(b);
	}
	return moved;
}

/* ---- what the line brings ---- */

static void take_tlp(struct bridge *b, const uint8_t *f, size_t body)
{
	uint8_t ahead = (uint8_t)(f[1] - b->expect);
	unsigned int c = f[0] & 3;
	uint32_t hdr[4], type;
	struct item *t;

	if (ahead >= 128) {
		b->ack_due = true;
		return;
	}
	if (ahead || b->taken[c] == b->given[c]) {
		b->stats.bad += !ahead;
		if (!b->nak_quiet)
			b->nak_due = true;
		b->nak_quiet = true;
		return;
	}
	b->expect++;
	b->taken[c]++;
	b->ack_due = true;
	b->nak_due = b->nak_quiet = false;
	for (int i = 0; i < 4; i++)
		hdr[i] = body >= TLP_HEAD ? get32(f + HEAD + 1 + 4 * i) : 0;
	type = hdr[0] >> 24 & 0x1f;
	if (body < TLP_HEAD || body != TLP_HEAD + payload(hdr) || body > TLP_HEAD + BRIDGE_PAYLOAD || hdr[0] >> 31 ||
	    (c == COMPLETION ? type >> 1 != 5 : c == POSTED ? type || !(hdr[0] >> 30 & 1) : type || hdr[0] >> 30 & 1)) {
		b->stats.bad++;
		b->given[c]++;
		return;
	}
	b->stats.tlps_in++;
	t = item((uint8_t)c, hdr, f + HEAD + TLP_HEAD, payload(hdr));
	t->fence = c == COMPLETION && hdr[2] >> 16 == FENCE_ID;
	if (t->fence && !b->fences) {
		b->stats.bad++;
		b->given[c]++;
		free(t);
		return;
	}
	put(&b->in, t);
}

static void take_ack(struct bridge *b, const uint8_t *f, uint64_t now_ns)
{
	uint8_t progress = (uint8_t)(f[1] - b->una), flags = f[HEAD + 3];

	if (b->state == GO) {
		b->state = UP;
		b->busy_ns = now_ns;
	}
	for (int c = 0; c < CLASSES; c++)
		if ((uint8_t)(f[HEAD + c] - b->limit[c]) < 128)
			b->limit[c] = f[HEAD + c];
	if (progress > b->open.n)
		return;
	if (progress)
		b->asked_ns = now_ns;
	if ((uint8_t)(b->snd - b->una) < progress)
		b->snd = f[1];
	for (; progress; progress--) {
		free(get(&b->open));
		b->una++;
	}
	if (flags & NAK) {
		b->stats.naks_in++;
		b->stats.again += (uint8_t)(b->snd - b->una);
		b->snd = b->una;
	}
}

static void broken(struct bridge *b)
{
	b->stats.broken++;
	if (b->state == UP && !b->nak_quiet)
		b->nak_due = b->nak_quiet = true;
}

static void lose(struct bridge *b)
{
	b->state = LOST;
	b->stats.lost++;
}

static void take_frame(struct bridge *b, uint64_t now_ns)
{
	const uint8_t *f = b->rx;
	size_t n = b->rx_n, body;
	uint16_t session;

	if (n < HEAD + 4 || b->rx_long || b->rx_torn || b->rx_esc || crc32(f, n - 4) != get32(f + n - 4) || (size_t)(f[4] | f[5] << 8) != n - HEAD - 4) {
		broken(b);
		return;
	}
	body = n - HEAD - 4;
	session = (uint16_t)(f[2] | f[3] << 8);
	if (f[0] == KIND_DOWN) {
		if (b->state == GO || b->state == UP)
			lose(b);
		return;
	}
	if (b->state == LOST || session != b->session)
		return;
	if (f[0] == KIND_WELCOME && body == 5 && f[HEAD] == BRIDGE_VERSION) {
		if (b->state == HELLO) {
			b->state = GO;
			b->said_ns = 0;
		} else if (b->state == UP) {
			lose(b);
		}
	} else if (f[0] == KIND_ACK && body == 4 && b->state != HELLO) {
		take_ack(b, f, now_ns);
	} else if (f[0] >= KIND_TLP && f[0] < KIND_TLP + CLASSES && b->state == UP) {
		b->busy_ns = now_ns;
		take_tlp(b, f, body);
	}
}

void bridge_line_in(struct bridge *b, const uint8_t *bytes, size_t n, uint64_t now_ns)
{
	for (; n; n--, bytes++) {
		if (*bytes == FLAG) {
			if (!b->rx_hunt && (b->rx_n || b->rx_esc))
				take_frame(b, now_ns);
			b->rx_n = 0;
			b->rx_hunt = b->rx_esc = b->rx_torn = b->rx_long = false;
		} else if (*bytes == ESCAPE) {
			b->rx_torn |= b->rx_esc;
			b->rx_esc = true;
		} else {
			if (b->rx_n < sizeof(b->rx))
				b->rx[b->rx_n++] = b->rx_esc ? *bytes ^ 0x20 : *bytes;
			else
				b->rx_long = true;
			b->rx_esc = false;
		}
	}
}

/* ---- what the line gets ---- */

static size_t build(struct bridge *b, uint8_t *out, uint8_t kind, uint8_t seq, const uint8_t *body, size_t n)
{
	uint8_t f[HEAD + TLP_HEAD + BRIDGE_PAYLOAD + 4] = { kind, seq, (uint8_t)b->session, (uint8_t)(b->session >> 8), (uint8_t)n, (uint8_t)(n >> 8) };
	size_t k = 0;

	if (n)
		memcpy(f + HEAD, body, n);
	n += HEAD;
	put32(f + n, crc32(f, n));
	n += 4;
	if (b->fresh)
		out[k++] = FLAG;
	b->fresh = false;
	for (size_t i = 0; i < n; i++) {
		if (f[i] == FLAG || f[i] == ESCAPE) {
			out[k++] = ESCAPE;
			out[k++] = f[i] ^ 0x20;
		} else {
			out[k++] = f[i];
		}
	}
	out[k++] = FLAG;
	return k;
}

/* The next that may go for the first time: a posted one as soon as it has its credit, others behind the posted ones before them. */
static struct queue *next_wait(struct bridge *b)
{
	static const unsigned char order[] = { COMPLETION, NONPOSTED, POSTED };

	if (b->open.n == WINDOW)
		return NULL;
	for (unsigned int i = 0; i < sizeof(order); i++) {
		struct queue *q = &b->wait[order[i]];

		if (q->n && b->used[order[i]] != b->limit[order[i]] && (order[i] == POSTED || q->head->after <= b->posted_sent))
			return q;
	}
	return NULL;
}

static size_t build_item(struct bridge *b, uint8_t *out, uint8_t seq, const struct item *t)
{
	uint8_t body[TLP_HEAD + BRIDGE_PAYLOAD] = { t->bar };

	for (int i = 0; i < 4; i++)
		put32(body + 1 + 4 * i, t->hdr[i]);
	memcpy(body + TLP_HEAD, t->data, t->len);
	return build(b, out, KIND_TLP | t->cls, seq, body, TLP_HEAD + t->len);
}

static bool retry_due(const struct bridge *b, uint64_t now_ns)
{
	return b->open.n && b->snd == (uint8_t)(b->una + b->open.n) && now_ns - b->asked_ns >= b->cfg.retry_ns;
}

static uint64_t beat_at(const struct bridge *b)
{
	/* What is asked for again may be lost, too. */
	bool active = !bridge_idle(b) || b->nak_quiet || b->said_ns < b->busy_ns + ACTIVE_NS;

	return b->said_ns + (active ? b->cfg.beat_ns : b->cfg.rest_ns);
}

size_t bridge_line_out(struct bridge *b, uint8_t *bytes, uint64_t now_ns)
{
	static const uint8_t version[] = { BRIDGE_VERSION };
	uint8_t body[4];
	struct queue *q;
	struct item *t;

	if (b->state == LOST)
		return 0;
	if (b->state != UP) {
		if (b->said_ns && now_ns - b->said_ns < b->cfg.hello_ns)
			return 0;
		b->said_ns = now_ns;
		return b->state == HELLO ? build(b, bytes, KIND_HELLO, 0, version, 1) : build(b, bytes, KIND_GO, 0, NULL, 0);
	}
	if (b->ack_due || b->nak_due || now_ns >= beat_at(b)) {
		if (!b->ack_due && !b->nak_due && b->nak_quiet)
			b->nak_due = true;
		memcpy(body, b->given, CLASSES);
		body[CLASSES] = b->nak_due ? NAK : 0;
		b->stats.naks_out += b->nak_due;
		b->ack_due = b->nak_due = false;
		b->said_ns = now_ns;
		return build(b, bytes, KIND_ACK, b->expect, body, sizeof(body));
	}
	if (retry_due(b, now_ns)) {
		b->stats.again += b->open.n;
		b->snd = b->una;
	}
	if (b->snd != (uint8_t)(b->una + b->open.n)) {
		t = b->open.head;
		for (uint8_t i = b->una; i != b->snd; i++)
			t = t->next;
		b->asked_ns = now_ns;
		return build_item(b, bytes, b->snd++, t);
	}
	q = next_wait(b);
	if (!q)
		return 0;
	t = get(q);
	b->used[q - b->wait]++;
	b->posted_sent += q == &b->wait[POSTED];
	put(&b->open, t);
	b->stats.tlps_out++;
	b->asked_ns = b->busy_ns = now_ns;
	return build_item(b, bytes, b->snd++, t);
}

uint64_t bridge_due(const struct bridge *b, uint64_t now_ns)
{
	uint64_t at;

	if (b->state == LOST)
		return UINT64_MAX;
	if (b->state != UP)
		return b->said_ns ? b->said_ns + b->cfg.hello_ns : 0;
	if (b->ack_due || b->nak_due || b->snd != (uint8_t)(b->una + b->open.n) || next_wait((struct bridge *)(uintptr_t)b) || retry_due(b, now_ns))
		return 0;
	at = beat_at(b);
	if (b->open.n && b->asked_ns + b->cfg.retry_ns < at)
		at = b->asked_ns + b->cfg.retry_ns;
	return at;
}
