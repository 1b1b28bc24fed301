// SPDX-License-Identifier: BSD-2-Clause
#include "tb.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "svdpi.h"

struct packet {
	struct packet *next;
	size_t len;
	size_t pos;
	bool err;
	bool item;
	uint8_t side[TB_SIDE_BYTES];
	uint8_t data[];
};

struct port {
	struct packet *head, **tail;
	size_t pending;
	unsigned src_rate, snk_rate;
	bool offered;
	tb_item_fn item_fn;
	tb_packet_fn packet_fn;
	void *arg;
	uint8_t *rx;
	size_t rx_len;
};

struct cfg_op {
	struct cfg_op *next;
	uint32_t addr, data;
	bool we;
	tb_cfg_fn fn;
	void *arg;
};

static struct port ports[TB_MAX_PORTS];
static int opt_argc;
static char **opt_argv;
static uint64_t seed = 1, rng[2], cycle, now_ns, max_cycles;
static unsigned failures;
static struct cfg_op *cfg_head, **cfg_tail = &cfg_head;
static size_t cfg_count;
static bool cfg_sent;
uint64_t tb_ns_per_cycle = 4;

const char *tb_optstr(const char *name, const char *def)
{
	size_t n = strlen(name);

	for (int i = 1; i < opt_argc; i++)
		if (opt_argv[i][0] == '+' && !strncmp(opt_argv[i] + 1, name, n) && opt_argv[i][n + 1] == '=')
			return opt_argv[i] + n + 2;
	return def;
}

long tb_opt(const char *name, long def)
{
	const char *s = tb_optstr(name, NULL);

	return s ? strtol(s, NULL, 0) : def;
}

/* splitmix64 seeds xorshift128+; public domain algorithms, Vigna 2014 */
uint64_t tb_rand(void)
{
	uint64_t a = rng[0], b = rng[1];

	rng[0] = b;
	a ^= a << 23;
	rng[1] = a ^ b ^ (a >> 18) ^ (b >> 5);
	return rng[1] + b;
}

static void rng_seed(uint64_t s)
{
	for (int i = 0; i < 2; i++) {
		uint64_t z = (s += 0x9e3779b97f4a7c15ull);

		z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
		z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
		rng[i] = z ^ (z >> 31);
	}
}

uint32_t tb_below(uint32_t n) { return n ? (uint32_t)((tb_rand() >> 16) % n) : 0; }
uint32_t tb_range(uint32_t lo, uint32_t hi) { return lo + tb_below(hi - lo + 1); }
bool tb_chance(unsigned pct) { return pct >= 100 || tb_below(100) < pct; }
uint64_t tb_cycle(void) { return cycle; }
void tb_set_now(uint64_t ns) { now_ns = ns; }
uint64_t tb_get_now(void) { return now_ns; }

void tb_rand_bytes(void *p, size_t n)
{
	for (uint8_t *b = p; n--; b++)
		*b = (uint8_t)(tb_rand() >> 32);
}

void tb_fail(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	printf("# seed %llu cycle %llu: ", (unsigned long long)seed, (unsigned long long)cycle);
	vprintf(fmt, ap);
	printf("\n");
	va_end(ap);
	failures++;
}

void tb_note(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	printf("# ");
	vprintf(fmt, ap);
	printf("\n");
	va_end(ap);
}

static struct port *port_of(int id)
{
	if (id < 0 || id >= TB_MAX_PORTS) {
		fprintf(stderr, "tb: port %d is not 0 to %d\n", id, TB_MAX_PORTS - 1);
		exit(2);
	}
	return &ports[id];
}

static struct packet *push(int id, const void *data, size_t len, const void *side, size_t side_bytes)
{
	struct port *p = port_of(id);
	struct packet *k = calloc(1, sizeof(*k) + len);

	if (!k || side_bytes > TB_SIDE_BYTES) {
		fprintf(stderr, "tb: out of memory or side band too wide\n");
		exit(2);
	}
	k->len = len;
	if (len)
		memcpy(k->data, data, len);
	if (side)
		memcpy(k->side, side, side_bytes);
	*p->tail = k;
	p->tail = &k->next;
	p->pending++;
	return k;
}

void tb_item_push(int id, const void *bits, size_t nbytes) { push(id, NULL, 0, bits, nbytes)->item = true; }

void tb_packet_push(int id, const void *data, size_t len, const void *side, size_t side_bytes, bool err)
{
	push(id, data, len, side, side_bytes)->err = err;
}

size_t tb_pending(int id) { return port_of(id)->pending + port_of(id)->offered; }
void tb_src_reset(int id)
{
	struct port *p = port_of(id);
	struct packet *k = p->head;

	p->offered = false;
	if (!k || !k->pos)
		return;
	p->head = k->next;
	if (!p->head)
		p->tail = &p->head;
	p->pending--;
	free(k);
}

void tb_src_rate(int id, unsigned pct) { port_of(id)->src_rate = pct; }
void tb_snk_rate(int id, unsigned pct) { port_of(id)->snk_rate = pct; }

void tb_on_item(int id, tb_item_fn fn, void *arg)
{
	port_of(id)->item_fn = fn;
	port_of(id)->arg = arg;
}

void tb_on_packet(int id, tb_packet_fn fn, void *arg)
{
	port_of(id)->packet_fn = fn;
	port_of(id)->arg = arg;
}

/* ---- DPI: called by tb_src_* and tb_snk_* on the rising edge ---- */

/* The last beat offered was taken, or nothing was offered: what is offered next? 0: nothing. */
int tb_src_next(int id, int beat_bytes, svBitVecVal *side, svBitVecVal *data, int *cnt, int *last, int *err)
{
	struct port *p = port_of(id);
	struct packet *k = p->head;
	size_t n;

	p->offered = false;
	if (!k || !tb_chance(p->src_rate))
		return 0;
	memcpy(side, k->side, TB_SIDE_BYTES);
	n = k->len - k->pos;
	if (n > (size_t)beat_bytes)
		n = (size_t)beat_bytes;
	/* lanes past cnt carry noise: nobody may look at them */
	for (int i = 0; i < 16; i++)
		data[i] = (svBitVecVal)tb_rand();
	memcpy(data, k->data + k->pos, n);
	k->pos += n;
	*cnt = (int)n;
	*last = k->pos == k->len;
	*err = *last && k->err;
	p->offered = true;
	if (*last) {
		p->head = k->next;
		if (!p->head)
			p->tail = &p->head;
		p->pending--;
		free(k);
	}
	return 1;
}

int tb_snk_ready(int id) { return tb_chance(port_of(id)->snk_rate); }

void tb_snk_item(int id, const svBitVecVal *bits)
{
	struct port *p = port_of(id);

	if (p->item_fn)
		p->item_fn(id, (const uint8_t *)bits, p->arg);
}

void tb_snk_beat(int id, int beat_bytes, const svBitVecVal *side, const svBitVecVal *data, int cnt, int last, int err)
{
	struct port *p = port_of(id);

	if (cnt < 0 || cnt > beat_bytes || (!last && cnt != beat_bytes)) {
		tb_fail("port %d: illegal beat: cnt %d last %d", id, cnt, last);
		return;
	}
	if (p->rx_len + (size_t)cnt > TB_MAX_PACKET) {
		tb_fail("port %d: packet without end", id);
		p->rx_len = 0;
		return;
	}
	if (!p->rx)
		p->rx = malloc(TB_MAX_PACKET);
	if (!p->rx)
		exit(2);
	memcpy(p->rx + p->rx_len, data, (size_t)cnt);
	p->rx_len += (size_t)cnt;
	if (last) {
		if (p->packet_fn)
			p->packet_fn(id, p->rx, p->rx_len, (const uint8_t *)side, err, p->arg);
		p->rx_len = 0;
	}
}

unsigned long long tb_now(void) { return now_ns; }
void tb_sv_fail(const char *what) { tb_fail("%s", what); }

/* ---- configuration bus ---- */

static void cfg_push(uint32_t addr, uint32_t data, bool we, tb_cfg_fn fn, void *arg)
{
	struct cfg_op *o = calloc(1, sizeof(*o));

	if (!o)
		exit(2);
	*o = (struct cfg_op){ NULL, addr, data, we, fn, arg };
	*cfg_tail = o;
	cfg_tail = &o->next;
	cfg_count++;
}

void tb_cfg_write(uint32_t addr, uint32_t data) { cfg_push(addr, data, true, NULL, NULL); }
void tb_cfg_read(uint32_t addr, tb_cfg_fn fn, void *arg) { cfg_push(addr, 0, false, fn, arg); }
void tb_cfg_write_fn(uint32_t addr, uint32_t data, tb_cfg_fn fn, void *arg) { cfg_push(addr, data, true, fn, arg); }
size_t tb_cfg_pending(void) { return cfg_count; }

void tb_cfg_ctx(unsigned room, unsigned index, const void *entry)
{
	for (unsigned w = 0; w < 16; w++) {
		uint32_t v;

		memcpy(&v, (const uint8_t *)entry + 4 * w, 4);
		tb_cfg_write(room << 22 | index << 6 | w << 2, v);
	}
}

/* Next request, if none waits for its answer. */
int tb_cfg_next(int *we, int *addr, int *wdata)
{
	if (!cfg_head || cfg_sent)
		return 0;
	*we = cfg_head->we;
	*addr = (int)cfg_head->addr;
	*wdata = (int)cfg_head->data;
	cfg_sent = true;
	return 1;
}

void tb_cfg_answer(int rdata, int err)
{
	struct cfg_op *o = cfg_head;

	if (!o || !cfg_sent) {
		tb_fail("configuration bus: answer without request");
		return;
	}
	cfg_head = o->next;
	if (!cfg_head)
		cfg_tail = &cfg_head;
	cfg_sent = false;
	cfg_count--;
	if (o->fn)
		o->fn((uint32_t)rdata, err, o->arg);
	else if (err)
		tb_fail("configuration bus: access to %#x answered with error", o->addr);
	free(o);
}

/* ---- packed structs ---- */

uint64_t tb_bits_get(const uint8_t *bits, unsigned lsb, unsigned width)
{
	uint64_t v = 0;

	for (unsigned i = 0; i < width; i++)
		v |= (uint64_t)(bits[(lsb + i) / 8] >> ((lsb + i) % 8) & 1) << i;
	return v;
}

void tb_bits_set(uint8_t *bits, unsigned lsb, unsigned width, uint64_t value)
{
	for (unsigned i = 0; i < width; i++) {
		unsigned b = lsb + i;

		bits[b / 8] = (uint8_t)((bits[b / 8] & ~(1u << b % 8)) | (value >> i & 1) << b % 8);
	}
}

void tb_pack_begin(struct tb_pack *p, unsigned width)
{
	memset(p, 0, sizeof(*p));
	p->pos = width;
}

void tb_put(struct tb_pack *p, unsigned width, uint64_t value)
{
	if (width > p->pos) {
		tb_fail("tb_put: struct overflow");
		return;
	}
	p->pos -= width;
	tb_bits_set(p->bits, p->pos, width, value);
}

void tb_unpack_begin(struct tb_pack *p, const uint8_t *bits, unsigned width)
{
	memcpy(p->bits, bits, (width + 7) / 8);
	p->pos = width;
}

uint64_t tb_get(struct tb_pack *p, unsigned width)
{
	if (width > p->pos) {
		tb_fail("tb_get: struct underflow");
		return 0;
	}
	p->pos -= width;
	return tb_bits_get(p->bits, p->pos, width);
}

/* ---- models ---- */

uint32_t tb_crc32c(uint32_t prev, const void *data, size_t len)
{
	uint32_t c = ~prev;

	for (const uint8_t *b = data; len--; b++) {
		c ^= *b;
		for (int i = 0; i < 8; i++)
			c = c >> 1 ^ (c & 1 ? 0x82f63b78u : 0);
	}
	return ~c;
}

uint16_t tb_csum(uint32_t sum, const void *data, size_t len)
{
	const uint8_t *b = data;

	for (size_t i = 0; i < len; i++)
		sum += i & 1 ? b[i] : (uint32_t)b[i] << 8;
	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	return (uint16_t)sum;
}

/* ---- called by verilator_main.cpp ---- */

int tb_main_setup(int argc, char **argv)
{
	opt_argc = argc;
	opt_argv = argv;
	setvbuf(stdout, NULL, _IOLBF, 0);
	seed = (uint64_t)tb_opt("seed", 1);
	max_cycles = (uint64_t)tb_opt("max", 10000000);
	rng_seed(seed);
	for (int i = 0; i < TB_MAX_PORTS; i++) {
		ports[i].tail = &ports[i].head;
		ports[i].src_rate = ports[i].snk_rate = 100;
	}
	tb_setup();
	return 0;
}

/* 1 .. 2^31 - 1, for registers that have no reset */
int tb_main_seed(void) { return (int)(seed % 0x7ffffffe) + 1; }
const char *tb_main_trace(void) { return tb_optstr("trace", NULL); }

int tb_main_step(void)
{
	if (tb_step() || failures >= 10)
		return 1;
	cycle++;
	now_ns += tb_ns_per_cycle;
	if (cycle >= max_cycles) {
		tb_fail("not finished after %llu cycles: a hang, or +max= is too small", (unsigned long long)max_cycles);
		return 1;
	}
	return 0;
}

int tb_main_finish(void)
{
	const char *name = tb_optstr("name", "test");

	tb_finish();
	printf("%s %s seed=%llu (%llu cycles)\n", failures ? "not ok" : "ok", name, (unsigned long long)seed,
	       (unsigned long long)cycle);
	return failures ? 1 : 0;
}
