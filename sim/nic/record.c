/* SPDX-License-Identifier: BSD-2-Clause */
#define _GNU_SOURCE
#include "record.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../common/util.h"

struct record {
	FILE *file;
	unsigned int beat;
	uint64_t last_cycle;
	bool any;
	struct core_in in; /* as the recording has it */
};

struct record *record_open(const char *path, const char *name, const char *config,
			   unsigned int beat_bytes, uint64_t mac)
{
	FILE *file = fopen(path, "wb");
	struct record_header h = { .beat_bytes = beat_bytes, .mac = mac };
	struct record *r;

	if (!file)
		return NULL;
	setvbuf(file, NULL, _IOFBF, 1 << 18);
	memcpy(h.magic, RECORD_MAGIC, 8);
	snprintf(h.name, sizeof(h.name), "%s", name);
	snprintf(h.config, sizeof(h.config), "%s", config);
	fwrite(&h, sizeof(h), 1, file);
	r = xcalloc(1, sizeof(*r));
	r->file = file;
	r->beat = beat_bytes;
	return r;
}

static void entry(struct record *r, uint64_t cycle, char kind)
{
	uint64_t delta = cycle - r->last_cycle;

	r->last_cycle = cycle;
	putc_unlocked(kind, r->file);
	do {
		putc_unlocked((int)(delta & 0x7f) | (delta > 0x7f ? 0x80 : 0), r->file);
		delta >>= 7;
	} while (delta);
}

static void bytes(struct record *r, const void *data, size_t len)
{
	fwrite(data, 1, len, r->file);
}

static uint16_t pack_pins(const struct core_in *in)
{
	const struct weft_rc_in *p = &in->pcie;

	return (uint16_t)((in->rst_n ? PIN_RST_N : 0) | (in->link_up ? PIN_LINK : 0) |
			  (in->eth_tx_ready ? PIN_ETH_TX_READY : 0) |
			  (p->tx_rd_ready ? PIN_TX_RD_READY : 0) | (p->tx_wr_ready ? PIN_TX_WR_READY : 0) |
			  (p->tx_cpl_ready ? PIN_TX_CPL_READY : 0) | (p->cfg_bme ? PIN_BME : 0) |
			  (p->cfg_rcb ? PIN_RCB : 0) | (p->cfg_ext_tag ? PIN_EXT_TAG : 0) |
			  (p->cfg_msix_en ? PIN_MSIX_EN : 0) | (p->cfg_msix_mask ? PIN_MSIX_MASK : 0) |
			  (p->flr_req ? PIN_FLR : 0) | (in->module_out ? PIN_MODULE_OUT : 0) |
			  (in->sda_stuck ? PIN_SDA_STUCK : 0) | (in->scl_stuck ? PIN_SCL_STUCK : 0));
}

static void unpack_pins(uint16_t pins, struct core_in *in)
{
	struct weft_rc_in *p = &in->pcie;

	in->rst_n = pins & PIN_RST_N;
	in->link_up = pins & PIN_LINK;
	in->eth_tx_ready = pins & PIN_ETH_TX_READY;
	p->tx_rd_ready = pins & PIN_TX_RD_READY;
	p->tx_wr_ready = pins & PIN_TX_WR_READY;
	p->tx_cpl_ready = pins & PIN_TX_CPL_READY;
	p->cfg_bme = pins & PIN_BME;
	p->cfg_rcb = pins & PIN_RCB;
	p->cfg_ext_tag = pins & PIN_EXT_TAG;
	p->cfg_msix_en = pins & PIN_MSIX_EN;
	p->cfg_msix_mask = pins & PIN_MSIX_MASK;
	p->flr_req = pins & PIN_FLR;
	in->module_out = pins & PIN_MODULE_OUT;
	in->sda_stuck = pins & PIN_SDA_STUCK;
	in->scl_stuck = pins & PIN_SCL_STUCK;
}

static void record_pins(struct record *r, uint64_t cycle, const struct core_in *in)
{
	uint16_t pins = pack_pins(in);

	if (r->any && pins == pack_pins(&r->in) && in->pcie.cfg_mps == r->in.pcie.cfg_mps &&
	    in->pcie.cfg_mrrs == r->in.pcie.cfg_mrrs && in->pcie.cfg_bdf == r->in.pcie.cfg_bdf)
		return;
	entry(r, cycle, 'P');
	bytes(r, &pins, 2);
	bytes(r, &in->pcie.cfg_mps, 1);
	bytes(r, &in->pcie.cfg_mrrs, 1);
	bytes(r, &in->pcie.cfg_bdf, 2);
}

static void record_request(struct record *r, uint64_t cycle, const struct weft_rc_in *p)
{
	const struct weft_rc_in *q = &r->in.pcie;
	uint8_t flags = (uint8_t)(p->rx_req_valid | p->rx_req_last << 1);

	if (p->rx_req_valid == q->rx_req_valid &&
	    (!p->rx_req_valid ||
	     (p->rx_req_last == q->rx_req_last && p->rx_req_bar == q->rx_req_bar &&
	      !memcmp(p->rx_req_hdr, q->rx_req_hdr, 16) &&
	      !memcmp(p->rx_req_data, q->rx_req_data, r->beat))))
		return;
	entry(r, cycle, 'Q');
	bytes(r, &flags, 1);
	if (!p->rx_req_valid)
		return;
	bytes(r, &p->rx_req_bar, 1);
	bytes(r, p->rx_req_hdr, 16);
	bytes(r, p->rx_req_data, r->beat);
}

static void record_completion(struct record *r, uint64_t cycle, const struct weft_rc_in *p)
{
	const struct weft_rc_in *q = &r->in.pcie;
	uint8_t flags = (uint8_t)(p->rx_cpl_valid | p->rx_cpl_last << 1);

	if (p->rx_cpl_valid == q->rx_cpl_valid &&
	    (!p->rx_cpl_valid ||
	     (p->rx_cpl_last == q->rx_cpl_last && !memcmp(p->rx_cpl_hdr, q->rx_cpl_hdr, 16) &&
	      !memcmp(p->rx_cpl_data, q->rx_cpl_data, r->beat))))
		return;
	entry(r, cycle, 'C');
	bytes(r, &flags, 1);
	if (!p->rx_cpl_valid)
		return;
	bytes(r, p->rx_cpl_hdr, 16);
	bytes(r, p->rx_cpl_data, r->beat);
}

static void record_frame(struct record *r, uint64_t cycle, const struct core_in *in)
{
	const struct core_in *q = &r->in;
	uint8_t flags = (uint8_t)(in->eth_rx_valid | in->eth_rx_last << 1 | in->eth_rx_err << 2);

	if (in->eth_rx_valid == q->eth_rx_valid &&
	    (!in->eth_rx_valid ||
	     (in->eth_rx_last == q->eth_rx_last && in->eth_rx_err == q->eth_rx_err &&
	      in->eth_rx_cnt == q->eth_rx_cnt &&
	      !memcmp(in->eth_rx_data, q->eth_rx_data, in->eth_rx_cnt))))
		return;
	entry(r, cycle, 'F');
	bytes(r, &flags, 1);
	if (!in->eth_rx_valid)
		return;
	bytes(r, &in->eth_rx_cnt, 1);
	bytes(r, in->eth_rx_data, in->eth_rx_cnt);
}

static void record_debug(struct record *r, uint64_t cycle, const struct core_in *in)
{
	uint8_t flags = (uint8_t)(in->dbg_cfg_valid | in->dbg_cfg_we << 1);

	if (in->dbg_cfg_valid == r->in.dbg_cfg_valid &&
	    (!in->dbg_cfg_valid ||
	     (in->dbg_cfg_we == r->in.dbg_cfg_we && in->dbg_cfg_addr == r->in.dbg_cfg_addr &&
	      in->dbg_cfg_wdata == r->in.dbg_cfg_wdata)))
		return;
	entry(r, cycle, 'D');
	bytes(r, &flags, 1);
	bytes(r, &in->dbg_cfg_addr, 4);
	bytes(r, &in->dbg_cfg_wdata, 4);
}

void record_inputs(struct record *r, uint64_t cycle, const struct core_in *in)
{
	record_pins(r, cycle, in);
	if (!r->any || in->now_ns != r->in.now_ns) {
		entry(r, cycle, 'T');
		bytes(r, &in->now_ns, 8);
	}
	record_request(r, cycle, &in->pcie);
	record_completion(r, cycle, &in->pcie);
	record_frame(r, cycle, in);
	record_debug(r, cycle, in);
	r->in = *in;
	r->any = true;
}

void record_outputs(struct record *r, uint64_t cycle, const struct core_in *in,
		    const struct core_out *out)
{
	const struct weft_rc_out *p = &out->pcie;
	uint8_t flags;

	if (p->tx_rd_valid && in->pcie.tx_rd_ready) {
		entry(r, cycle, 'r');
		bytes(r, p->tx_rd_hdr, 16);
	}
	if (p->tx_wr_valid && in->pcie.tx_wr_ready) {
		flags = (uint8_t)(p->tx_wr_last << 1);
		entry(r, cycle, 'w');
		bytes(r, &flags, 1);
		bytes(r, p->tx_wr_hdr, 16);
		bytes(r, p->tx_wr_data, r->beat);
	}
	if (p->tx_cpl_valid && in->pcie.tx_cpl_ready) {
		entry(r, cycle, 'c');
		bytes(r, p->tx_cpl_hdr, 16);
		bytes(r, &p->tx_cpl_data, 8);
	}
	if (out->eth_tx_valid && in->eth_tx_ready) {
		uint8_t cnt = out->eth_tx_cnt > r->beat ? (uint8_t)r->beat : out->eth_tx_cnt;

		flags = (uint8_t)(out->eth_tx_last << 1);
		entry(r, cycle, 'f');
		bytes(r, &flags, 1);
		bytes(r, &cnt, 1);
		bytes(r, out->eth_tx_data, cnt);
	}
}

void record_stop(struct record *r, uint64_t cycle, uint64_t now_ns)
{
	entry(r, cycle, 'S');
	bytes(r, &now_ns, 8);
	/* The process may be killed while it sleeps. */
	fflush(r->file);
}

void record_close(struct record *r, uint64_t cycle)
{
	if (!r)
		return;
	entry(r, cycle, 'E');
	if (fclose(r->file))
		warn("the recording is not complete: write error");
	free(r);
}

/* ---- replay ---- */

struct replay {
	FILE *file;
	unsigned int beat;
	struct core_in in;
	uint64_t cycle; /* of the entry that comes next */
	int kind;       /* of it; EOF: the file ends */
	uint8_t body[2 + 16 + CORE_BEAT_MAX];
	size_t len;
	bool broken, cut; /* a malformed entry; no end */
};

static void need(struct replay *p, size_t len)
{
	if (p->len + len > sizeof(p->body))
		p->broken = true;
	else if (fread(p->body + p->len, 1, len, p->file) != len)
		p->cut = true;
	p->len += len;
}

/* Read the next entry whole. */
static void advance(struct replay *p)
{
	uint64_t delta = 0;
	unsigned int shift = 0;
	int c;

	p->kind = getc(p->file);
	p->len = 0;
	if (p->kind == EOF) {
		p->cut = true; /* the end has an entry of its own */
		return;
	}
	do {
		c = getc(p->file);
		if (c == EOF || shift > 63) {
			p->kind = EOF;
			p->cut = c == EOF;
			p->broken = c != EOF;
			return;
		}
		delta |= (uint64_t)(c & 0x7f) << shift;
		shift += 7;
	} while (c & 0x80);
	p->cycle += delta;
	switch (p->kind) {
	case 'T':
	case 'S':
		need(p, 8);
		break;
	case 'P':
		need(p, 6);
		break;
	case 'Q':
		need(p, 1);
		if (!p->broken && p->body[0] & 1)
			need(p, 17 + p->beat);
		break;
	case 'C':
		need(p, 1);
		if (!p->broken && p->body[0] & 1)
			need(p, 16 + p->beat);
		break;
	case 'F':
		need(p, 1);
		if (!p->broken && p->body[0] & 1) {
			need(p, 1);
			need(p, p->body[1] > p->beat ? sizeof(p->body) : p->body[1]);
		}
		break;
	case 'D':
		need(p, 9);
		break;
	case 'r':
		need(p, 16);
		break;
	case 'w':
		need(p, 17 + p->beat);
		break;
	case 'c':
		need(p, 24);
		break;
	case 'f':
		need(p, 2);
		need(p, p->body[1] > p->beat ? sizeof(p->body) : p->body[1]);
		break;
	case 'E':
		break;
	default:
		p->broken = true;
	}
	if (p->broken || p->cut)
		p->kind = EOF;
}

/* An input entry takes effect; false when it is not one. */
static bool apply(struct replay *p)
{
	struct weft_rc_in *pcie = &p->in.pcie;
	const uint8_t *b = p->body;
	uint16_t pins;

	switch (p->kind) {
	case 'T':
		memcpy(&p->in.now_ns, b, 8);
		return true;
	case 'S':
		return true;
	case 'P':
		memcpy(&pins, b, 2);
		unpack_pins(pins, &p->in);
		pcie->cfg_mps = b[2];
		pcie->cfg_mrrs = b[3];
		memcpy(&pcie->cfg_bdf, b + 4, 2);
		return true;
	case 'Q':
		pcie->rx_req_valid = b[0] & 1;
		pcie->rx_req_last = b[0] & 2;
		if (!pcie->rx_req_valid)
			return true;
		pcie->rx_req_bar = b[1];
		memcpy(pcie->rx_req_hdr, b + 2, 16);
		memcpy(pcie->rx_req_data, b + 18, p->beat);
		return true;
	case 'C':
		pcie->rx_cpl_valid = b[0] & 1;
		pcie->rx_cpl_last = b[0] & 2;
		if (!pcie->rx_cpl_valid)
			return true;
		memcpy(pcie->rx_cpl_hdr, b + 1, 16);
		memcpy(pcie->rx_cpl_data, b + 17, p->beat);
		return true;
	case 'F':
		p->in.eth_rx_valid = b[0] & 1;
		p->in.eth_rx_last = b[0] & 2;
		p->in.eth_rx_err = b[0] & 4;
		if (!p->in.eth_rx_valid)
			return true;
		p->in.eth_rx_cnt = b[1];
		memset(p->in.eth_rx_data, 0, sizeof(p->in.eth_rx_data));
		memcpy(p->in.eth_rx_data, b + 2, b[1]);
		return true;
	case 'D':
		p->in.dbg_cfg_valid = b[0] & 1;
		p->in.dbg_cfg_we = b[0] & 2;
		memcpy(&p->in.dbg_cfg_addr, b + 1, 4);
		memcpy(&p->in.dbg_cfg_wdata, b + 5, 4);
		return true;
	default:
		return false;
	}
}

static const char *stream_name(int kind)
{
	switch (kind) {
	case 'r':
		return "read request";
	case 'w':
		return "posted write";
	case 'c':
		return "completion";
	case 'f':
		return "frame";
	case 'E':
	case EOF:
		return "nothing more";
	default:
		return "nothing";
	}
}

static void print_bytes(const char *who, const uint8_t *b, size_t len)
{
	printf("  %s", who);
	for (size_t i = 0; i < len; i++)
		printf("%s%02x", i % 16 ? " " : "\n    ", b[i]);
	printf("\n");
}

/* Compare one output beat with the next entry. */
static bool same(struct replay *p, uint64_t cycle, int kind, const uint8_t *body, size_t len)
{
	if (p->kind == kind && p->cycle == cycle && p->len == len && !memcmp(p->body, body, len)) {
		advance(p);
		return true;
	}
	printf("cycle %llu: the core gives a %s; recorded: ", (unsigned long long)cycle,
	       stream_name(kind));
	if (p->kind == EOF || p->kind == 'E')
		printf("nothing more\n");
	else
		printf("%s in cycle %llu\n", stream_name(p->kind), (unsigned long long)p->cycle);
	print_bytes("core", body, len);
	if (p->kind == kind)
		print_bytes("recorded", p->body, p->len);
	return false;
}

static bool compare(struct replay *p, uint64_t cycle, const struct core_out *out)
{
	const struct weft_rc_out *o = &out->pcie;
	uint8_t body[sizeof(p->body)];

	if (o->tx_rd_valid && p->in.pcie.tx_rd_ready) {
		memcpy(body, o->tx_rd_hdr, 16);
		if (!same(p, cycle, 'r', body, 16))
			return false;
	}
	if (o->tx_wr_valid && p->in.pcie.tx_wr_ready) {
		body[0] = (uint8_t)(o->tx_wr_last << 1);
		memcpy(body + 1, o->tx_wr_hdr, 16);
		memcpy(body + 17, o->tx_wr_data, p->beat);
		if (!same(p, cycle, 'w', body, 17 + p->beat))
			return false;
	}
	if (o->tx_cpl_valid && p->in.pcie.tx_cpl_ready) {
		memcpy(body, o->tx_cpl_hdr, 16);
		memcpy(body + 16, &o->tx_cpl_data, 8);
		if (!same(p, cycle, 'c', body, 24))
			return false;
	}
	if (out->eth_tx_valid && p->in.eth_tx_ready) {
		uint8_t cnt = out->eth_tx_cnt > p->beat ? (uint8_t)p->beat : out->eth_tx_cnt;

		body[0] = (uint8_t)(out->eth_tx_last << 1);
		body[1] = cnt;
		memcpy(body + 2, out->eth_tx_data, cnt);
		if (!same(p, cycle, 'f', body, 2u + cnt))
			return false;
	}
	/* What was recorded for this cycle has come. */
	if (p->cycle == cycle && p->kind != EOF && strchr("rwcf", p->kind)) {
		printf("cycle %llu: recorded: a %s; the core gives none\n", (unsigned long long)cycle,
		       stream_name(p->kind));
		return false;
	}
	return true;
}

static bool run_replay(struct replay *p, struct core *c, uint64_t *cycles)
{
	struct core_out out = { 0 };

	for (uint64_t cycle = 0;; cycle++) {
		*cycles = cycle;
		while (p->cycle == cycle && apply(p))
			advance(p);
		if (p->kind == EOF || (p->kind == 'E' && p->cycle <= cycle))
			return true;
		core_eval(c, &p->in, &out);
		if (!compare(p, cycle, &out))
			return false;
		core_edge(c);
	}
}

bool record_read_header(const char *path, struct record_header *h)
{
	FILE *file = fopen(path, "rb");
	bool ok = file && fread(h, sizeof(*h), 1, file) == 1 && !memcmp(h->magic, RECORD_MAGIC, 8);

	if (file)
		fclose(file);
	if (!ok)
		return false;
	h->name[sizeof(h->name) - 1] = h->config[sizeof(h->config) - 1] = 0;
	return strspn(h->config, "abcdefghijklmnopqrstuvwxyz0123456789-") == strlen(h->config);
}

int record_replay(const char *path, const char *trace)
{
	struct replay p = { 0 };
	struct record_header h;
	uint64_t cycles = 0;
	struct core *c;
	bool ok;

	p.file = fopen(path, "rb");
	if (!p.file || fread(&h, sizeof(h), 1, p.file) != 1 || memcmp(h.magic, RECORD_MAGIC, 8)) {
		warn("%s: not a recording", path);
		if (p.file)
			fclose(p.file);
		return 2;
	}
	h.name[sizeof(h.name) - 1] = 0;
	c = core_new(h.name);
	if (h.beat_bytes != core_beat_bytes(c)) {
		warn("%s: made by a core of %u bits, this one has %u", path, h.beat_bytes * 8,
		     core_beat_bytes(c) * 8);
		fclose(p.file);
		core_free(c);
		return 2;
	}
	if (trace && !core_trace(c, trace))
		warn("%s: no trace", trace);
	p.beat = h.beat_bytes;
	p.in.mac = h.mac;
	advance(&p);
	ok = run_replay(&p, c, &cycles);
	core_free(c);
	fclose(p.file);
	if (p.broken) {
		warn("%s: broken after cycle %llu", path, (unsigned long long)cycles);
		return 2;
	}
	if (ok && p.cut) {
		printf("%s: incomplete: it ends without an end, the same up to cycle %llu\n", path,
		       (unsigned long long)cycles);
		return 3;
	}
	if (ok)
		printf("%s: %llu cycles, the same\n", path, (unsigned long long)cycles);
	return ok ? 0 : 1;
}
