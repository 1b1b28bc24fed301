/* SPDX-License-Identifier: BSD-2-Clause */
/* One host: memory, registers, configuration bus, firmware, admin queue. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "internal.h"

/* ---- memory ---- */

struct ls_piece *ls_piece_at(struct ls_host *h, uint64_t bus)
{
	struct ls_pieces *t = &h->memory[bus >> 32 != 0];
	size_t low = 0, high = t->count;

	if (t->last < t->count && bus - t->at[t->last].bus < t->at[t->last].bytes)
		return &t->at[t->last];
	while (low < high) {
		size_t middle = (low + high) / 2;

		if (bus - t->at[middle].bus < t->at[middle].bytes && bus >= t->at[middle].bus) {
			t->last = middle;
			return &t->at[middle];
		}
		if (t->at[middle].bus > bus)
			high = middle;
		else
			low = middle + 1;
	}
	return NULL;
}

struct ls_piece *ls_piece_below(struct ls_host *h, uint64_t bus)
{
	struct ls_pieces *t = &h->memory[bus >> 32 != 0];
	struct ls_piece *below = NULL;

	for (size_t i = 0; i < t->count && t->at[i].bus <= bus; i++)
		below = &t->at[i];
	return below;
}

static struct ls_piece *find_piece(struct ls_host *h, uint64_t bus)
{
	struct ls_piece *p = ls_piece_at(h, bus);

	return p && p->p ? p : NULL;
}

uint8_t *ls_memory(struct ls_host *h, uint64_t bus, size_t bytes)
{
	struct ls_piece *piece = find_piece(h, bus);

	if (!piece || bytes > piece->bytes - (bus - piece->bus))
		return NULL;
	return piece->p + (bus - piece->bus);
}

static struct ls_mem alloc_aligned(struct ls_host *h, size_t bytes, uint64_t align)
{
	unsigned int high = ls_random(h->ls) & 1;
	struct ls_pieces *t;
	struct ls_mem m;

	bytes = (bytes + 4095) & ~(size_t)4095;
	if (!bytes)
		bytes = 4096;
	if (bytes > h->ls->o.memory_bytes - h->allocated)
		ls_fail(h->ls, "host %u: out of memory", h->index);
	/* Below 4 GiB it may get tight. */
	if (h->memory[0].next + bytes + align > 0xf0000000u)
		high = 1;
	t = &h->memory[high];
	t->next += 4096 * (1 + (ls_random(h->ls) & 7));
	t->next = (t->next + align - 1) & ~(align - 1);
	if (t->count == t->room) {
		t->room = t->room ? 2 * t->room : 64;
		t->at = xrealloc(t->at, t->room * sizeof(*t->at));
	}
	m = (struct ls_mem){ t->next, xcalloc(1, bytes), bytes };
	t->at[t->count++] = (struct ls_piece){ .bus = m.bus, .bytes = m.bytes, .p = m.p };
	ls_judge_new_piece(h, &t->at[t->count - 1]);
	t->next += bytes;
	h->allocated += bytes;
	return m;
}

struct ls_mem ls_alloc(struct ls_host *h, size_t bytes)
{
	return alloc_aligned(h, bytes, 4096);
}

struct ls_mem ls_alloc_aligned(struct ls_host *h, size_t bytes, uint64_t align)
{
	return alloc_aligned(h, bytes, align < 4096 ? 4096 : align);
}

void ls_release(struct ls_host *h, struct ls_mem *m)
{
	struct ls_piece *piece = m->p ? find_piece(h, m->bus) : NULL;

	if (!piece)
		return;
	ls_judge_release(h, piece);
	h->allocated -= piece->bytes;
	free(piece->p);
	piece->p = NULL;
	m->p = NULL;
}

static int read_memory(void *ctx, uint64_t address, uint32_t len, void *bytes)
{
	struct ls_host *h = ctx;
	const uint8_t *p = ls_judge_access(h, false, address, len) ? ls_memory(h, address, len) : NULL;

	if (!p) {
		h->stats.bad_reads++;
		return 1;
	}
	memcpy(bytes, p, len);
	return 0;
}

static int write_memory(void *ctx, uint64_t address, uint32_t len, const void *bytes)
{
	struct ls_host *h = ctx;
	uint8_t *p = ls_judge_access(h, true, address, len) ? ls_memory(h, address, len) : NULL;

	if (!p) {
		h->stats.bad_writes++;
		return 1;
	}
	memcpy(p, bytes, len);
	return 0;
}

static void interrupt(void *ctx, unsigned int vector)
{
	struct ls_host *h = ctx;

	h->stats.interrupts++;
	if (vector < LS_VECTORS)
		h->vectors[vector]++;
}

static void fault(void *ctx, const char *what)
{
	struct ls_host *h = ctx;

	h->stats.faults++;
	ls_fail(h->ls, "host %s: PCIe: %s", h->index ? "b" : "a", what);
}

static void frame_out(void *user, const uint8_t *frame, size_t len)
{
	ls_host_frame(user, frame, len);
}

/* ---- life ---- */

struct ls_host *ls_host_new(struct lockstep *ls, unsigned int index)
{
	struct ls_host *h = xcalloc(1, sizeof(*h));
	struct weft_rc_ops ops = {
		.read_mem = read_memory, .write_mem = write_memory, .irq = interrupt,
		.fault = fault, .ctx = h,
	};
	const char *name = index ? "b" : "a", *error;
	struct adversary adversary = { 0 };
	struct weft_rc_cfg *cfg;
	char path[512];

	h->ls = ls;
	h->index = index;
	h->memory[0].next = 0x00100000;
	h->memory[1].next = 0x100000000u + ((uint64_t)index << 44);
	h->next_qpn = 1;
	h->node = node_new(name, UINT64_C(0x010000000002) + ((uint64_t)index << 40),
			   mix64(ls->o.seed + index), &ops, frame_out, h);
	if (ls->o.record) {
		mkdir(ls->o.record, 0777);
		snprintf(path, sizeof(path), "%s/%s.rec", ls->o.record, name);
		if (!node_record(h->node, path, name, ""))
			die("%s: %s", path, strerror(errno));
	}
	if (ls->o.trace) {
		mkdir(ls->o.trace, 0777);
		snprintf(path, sizeof(path), "%s/%s.fst", ls->o.trace, name);
		if (!core_trace(h->node->core, path))
			die("%s: no trace", path);
	}
	error = ls->o.adversary ? adversary_parse(ls->o.adversary, &adversary) : NULL;
	if (error)
		die("adversary: %s", error);
	node_reset(h->node, ls_now_ns(ls)); /* before the rest: it clears the configuration */
	adversary_apply(&adversary, h->node->rc, h->node->eth, mix64(ls->o.seed + 77 + index));
	cfg = weft_rc_config(h->node->rc);
	cfg->bdf = (uint16_t)(0x0100 << index);
	cfg->bme = cfg->ext_tag = true;
	cfg->mps = ls->o.mps;
	cfg->mrrs = ls->o.mrrs;
	h->node->in.link_up = true;
	return h;
}

void ls_host_start(struct ls_host *h)
{
	uint32_t id = ls_reg_read(h, WEFT_REG_ID);

	if (id != WEFT_MAGIC)
		ls_fail(h->ls, "host %u: register ID is 0x%08x", h->index, id);
	h->cap_vectors = ls_reg_read(h, WEFT_REG_CAP_VECTORS);
	h->cap_stag = ls_reg_read(h, WEFT_REG_CAP_STAG);
	h->cap_qp = ls_reg_read(h, WEFT_REG_CAP_QP);
	h->cap_cq = ls_reg_read(h, WEFT_REG_CAP_CQ);
	h->cap_eq = ls_reg_read(h, WEFT_REG_CAP_EQ);
	h->cap_l2 = ls_reg_read(h, WEFT_REG_CAP_L2);
	h->cap_reads = ls_reg_read(h, WEFT_REG_CAP_READS);
	h->db_stride = ls_reg_read(h, WEFT_REG_CAP_DB_STRIDE);
	h->slots_used = xcalloc(h->cap_stag ? h->cap_stag : 1, 1);
	if (ls_reg_read(h, WEFT_REG_FEATURES) >> WEFT_FEATURE_RX_RING & 1) /* the stand-in of tb/sim has no data path */
		ls_direct_start(h);
	ls_cfg_write(h, WEFT_ROOM_STEER, WEFT_STEER_MAC_LO, (uint32_t)ls_mac(h));
	ls_cfg_write(h, WEFT_ROOM_STEER, WEFT_STEER_MAC_HI, (uint32_t)(ls_mac(h) >> 32));
	ls_cfg_write(h, WEFT_ROOM_STEER, WEFT_STEER_KEY_LO, (uint32_t)ls_random(h->ls));
	ls_cfg_write(h, WEFT_ROOM_STEER, WEFT_STEER_KEY_HI, (uint32_t)ls_random(h->ls));
	if (h->cap_vectors && h->cap_vectors <= LS_VECTORS)
		weft_rc_msix_setup(h->node->rc, h->cap_vectors);
}

void ls_host_free(struct ls_host *h)
{
	if (!h)
		return;
	core_trace(h->node->core, NULL);
	node_free(h->node);
	for (unsigned int i = 0; i < 2; i++) {
		for (size_t j = 0; j < h->memory[i].count; j++) {
			free(h->memory[i].at[j].p);
			free(h->memory[i].at[j].grants);
		}
		free(h->memory[i].at);
	}
	for (size_t i = 0; i < h->owned_count; i++)
		free(h->owned[i]);
	free(h->owned);
	free(h->slots_used);
	free(h);
}

void *ls_own(struct ls_host *h, size_t count, size_t size)
{
	h->owned = xrealloc(h->owned, (h->owned_count + 1) * sizeof(*h->owned));
	return h->owned[h->owned_count++] = xcalloc(count, size);
}

struct lockstep *ls_of(struct ls_host *h)
{
	return h->ls;
}

unsigned int ls_index(const struct ls_host *h)
{
	return h->index;
}

struct node *ls_node(struct ls_host *h)
{
	return h->node;
}

struct weft_rc *ls_rc(struct ls_host *h)
{
	return h->node->rc;
}

const struct ls_host_stats *ls_host_stats(const struct ls_host *h)
{
	return &h->stats;
}

uint64_t ls_interrupts(const struct ls_host *h, unsigned int vector)
{
	return vector < LS_VECTORS ? h->vectors[vector] : 0;
}

uint64_t ls_mac(const struct ls_host *h)
{
	return h->node->in.mac;
}

void ls_link(struct ls_host *h, bool up)
{
	h->node->in.link_up = up;
	node_wake(h->node);
}

void ls_pause(struct ls_host *h, bool on)
{
	ethport_pause(h->node->eth, on);
	node_wake(h->node);
}

static void set_flag(void *arg)
{
	*(bool *)arg = true;
}

static bool is_set(void *arg)
{
	return *(bool *)arg;
}

void ls_flr(struct ls_host *h)
{
	struct weft_rc_cfg *cfg = weft_rc_config(h->node->rc);
	bool done = false;

	weft_rc_flr(h->node->rc, set_flag, &done);
	if (!ls_wait(h->ls, is_set, &done))
		ls_fail(h->ls, "host %u: function-level reset does not end", h->index);
	cfg->bme = true;
	weft_rc_msix_setup(h->node->rc, h->cap_vectors);
}

/* ---- registers ---- */

struct pending {
	bool done;
	unsigned int status;
	uint32_t value;
};

static void register_done(void *arg, unsigned int status, const void *data, uint32_t len)
{
	struct pending *p = arg;

	p->done = true;
	p->status = status;
	if (!status && len == 4)
		memcpy(&p->value, data, 4);
}

uint32_t ls_reg_read(struct ls_host *h, uint32_t offset)
{
	struct pending p = { 0 };

	weft_rc_read(h->node->rc, 0, offset, 4, register_done, &p);
	if (!ls_wait(h->ls, is_set, &p.done))
		ls_fail(h->ls, "host %u: no answer to a read of register 0x%x", h->index, offset);
	if (p.status)
		ls_fail(h->ls, "host %u: read of register 0x%x: completion status %u", h->index, offset,
			p.status);
	return p.value;
}

void ls_reg_write(struct ls_host *h, uint32_t offset, uint32_t value)
{
	weft_rc_write(h->node->rc, 0, offset, &value, 4);
}

void ls_doorbell(struct ls_host *h, uint32_t page, uint32_t offset, uint64_t value)
{
	weft_rc_write(h->node->rc, 2, (uint64_t)page * h->db_stride + offset, &value, 8);
}

void ls_doorbell_bytes(struct ls_host *h, uint32_t page, uint32_t offset, const void *bytes, uint32_t length)
{
	weft_rc_write(h->node->rc, 2, (uint64_t)page * h->db_stride + offset, bytes, length);
}

/* ---- configuration bus ---- */

static bool dbg_done(void *arg)
{
	return !node_dbg_busy(arg);
}

bool ls_cfg_try(struct ls_host *h, bool we, unsigned int room, uint32_t offset, uint32_t *value)
{
	node_dbg_start(h->node, we, room << 22 | offset, *value);
	if (!ls_wait(h->ls, dbg_done, h->node))
		ls_fail(h->ls, "host %u: room %u does not answer an access to 0x%x", h->index, room,
			offset);
	if (!we)
		*value = h->node->dbg_rdata;
	return !h->node->dbg_err;
}

void ls_cfg_write(struct ls_host *h, unsigned int room, uint32_t offset, uint32_t value)
{
	if (!ls_cfg_try(h, true, room, offset, &value))
		ls_fail(h->ls, "host %u: room %u refuses a write to 0x%x", h->index, room, offset);
}

uint32_t ls_cfg_read(struct ls_host *h, unsigned int room, uint32_t offset)
{
	uint32_t value = 0;

	if (!ls_cfg_try(h, false, room, offset, &value))
		ls_fail(h->ls, "host %u: room %u refuses a read of 0x%x", h->index, room, offset);
	return value;
}

void ls_ctx_write(struct ls_host *h, unsigned int room, uint32_t index, const uint8_t entry[64])
{
	for (uint32_t i = 0; i < 16; i++) {
		uint32_t word;

		memcpy(&word, entry + 4 * i, 4);
		ls_cfg_write(h, room, index * 64 + i * 4, word);
	}
}

void ls_ctx_read(struct ls_host *h, unsigned int room, uint32_t index, uint8_t entry[64])
{
	for (uint32_t i = 0; i < 16; i++) {
		uint32_t word = ls_cfg_read(h, room, index * 64 + i * 4);

		memcpy(entry + 4 * i, &word, 4);
	}
}

uint64_t ls_stat(struct ls_host *h, unsigned int counter)
{
	uint64_t low = ls_cfg_read(h, WEFT_ROOM_STATS, counter * 8);

	return low | (uint64_t)ls_cfg_read(h, WEFT_ROOM_STATS, counter * 8 + 4) << 32;
}

void ls_print_counters(struct lockstep *ls)
{
	static const char *const names[] = { WEFT_STAT_NAMES };

	for (unsigned int h = 0; h < 2; h++)
		for (unsigned int i = 0; i < WEFT_STAT_COUNT; i++) {
			uint64_t n = ls_stat(ls_host(ls, h), i);

			if (n)
				printf("# %c %s %llu\n", 'a' + (int)h, names[i], (unsigned long long)n);
		}
}

/* ---- firmware ---- */

unsigned int ls_load_firmware(struct ls_host *h, const char *path)
{
	FILE *file = fopen(path, "rb");
	struct ls_mem m;
	size_t bytes;
	uint64_t end;

	if (!file)
		ls_fail(h->ls, "%s: %s", path, strerror(errno));
	m = ls_alloc(h, 128 * 1024);
	bytes = fread(m.p, 1, m.bytes, file);
	fclose(file);
	ls_give(h, &m, 0, bytes, LS_CARD_READS, "firmware image");
	ls_reg_write(h, WEFT_REG_FW_ADDR_LO, (uint32_t)m.bus);
	ls_reg_write(h, WEFT_REG_FW_ADDR_HI, (uint32_t)(m.bus >> 32));
	ls_reg_write(h, WEFT_REG_FW_LEN, (uint32_t)bytes);
	end = ls_cycles(h->ls) + h->ls->patience;
	for (;;) {
		unsigned int state = ls_reg_read(h, WEFT_REG_STATUS) & 15;

		if (state == WEFT_FW_STATE_READY || state == WEFT_FW_STATE_REFUSED ||
		    state == WEFT_FW_STATE_FAULT) {
			ls_release(h, &m);
			return state;
		}
		if (ls_cycles(h->ls) > end)
			ls_fail(h->ls, "host %u: firmware does not start, state %u", h->index, state);
		ls_run(h->ls, 100);
	}
}

void ls_admin_start(struct ls_host *h, unsigned int log2)
{
	ls_release(h, &h->admin_sq);
	ls_release(h, &h->admin_cq);
	h->admin_sq = ls_alloc(h, (size_t)64 << log2);
	h->admin_cq = ls_alloc(h, (size_t)64 << log2);
	ls_give(h, &h->admin_sq, 0, (size_t)64 << log2, LS_CARD_READS, "admin commands");
	ls_give(h, &h->admin_cq, 0, (size_t)64 << log2, LS_CARD_WRITES, "admin responses");
	h->admin_log2 = log2;
	h->admin_index = 0;
	ls_reg_write(h, WEFT_REG_ADMIN_SQ_LO, (uint32_t)h->admin_sq.bus);
	ls_reg_write(h, WEFT_REG_ADMIN_SQ_HI, (uint32_t)(h->admin_sq.bus >> 32));
	ls_reg_write(h, WEFT_REG_ADMIN_CQ_LO, (uint32_t)h->admin_cq.bus);
	ls_reg_write(h, WEFT_REG_ADMIN_CQ_HI, (uint32_t)(h->admin_cq.bus >> 32));
	ls_reg_write(h, WEFT_REG_ADMIN_VECTOR, 0xffff);
	ls_reg_write(h, WEFT_REG_ADMIN_LOG2, log2);
}

struct phase {
	const uint8_t *entry;
	bool value;
};

static bool phase_is(void *arg)
{
	const struct phase *p = arg;

	return LS_GET(p->entry, WEFT_ADMIN_RSP_PHASE) == p->value;
}

unsigned int ls_admin(struct ls_host *h, const uint8_t cmd[64], uint8_t rsp[64])
{
	uint16_t index = h->admin_index++, slot = index & ((1u << h->admin_log2) - 1);
	struct phase p = { h->admin_cq.p + 64 * slot, !(index >> h->admin_log2 & 1) };
	uint8_t *entry = h->admin_sq.p + 64 * slot;

	memcpy(entry, cmd, 64);
	LS_SET(entry, WEFT_ADMIN_CMD_TAG, index);
	ls_reg_write(h, WEFT_REG_ADMIN_DB, h->admin_index);
	if (!ls_wait(h->ls, phase_is, &p))
		ls_fail(h->ls, "host %u: no response to admin command %u", h->index, cmd[0]);
	memcpy(rsp, p.entry, 64);
	if (LS_GET(rsp, WEFT_ADMIN_RSP_TAG) != index)
		ls_fail(h->ls, "host %u: response to another admin command", h->index);
	return (unsigned int)LS_GET(rsp, WEFT_ADMIN_RSP_STATUS);
}

uint16_t ls_admin_tag(const struct ls_host *h)
{
	return h->admin_index;
}

static void give(struct ls_host *h, uint8_t cmd[64], unsigned int op)
{
	uint8_t rsp[64];
	unsigned int status;

	LS_SET(cmd, WEFT_ADMIN_CMD_OP, op);
	status = ls_admin(h, cmd, rsp);
	if (status)
		ls_fail(h->ls, "host %u: admin command %u: status %u, detail %u", h->index, op, status,
			(unsigned int)LS_GET(rsp, WEFT_ADMIN_RSP_DETAIL));
}

void ls_admin_give(struct ls_host *h, const uint8_t init_rsp[64])
{
	const uint8_t *wants = init_rsp + WEFT_ADMIN_RSP_DATA_OFF;
	uint64_t bytes = LS_GET(wants, WEFT_ADMIN_WANTS_CHUNK_BYTES), pages = LS_GET(wants, WEFT_ADMIN_WANTS_RING_PAGES);
	uint64_t page = (uint64_t)4096 << LS_GET(wants, WEFT_ADMIN_WANTS_RING_SHIFT);

	if (bytes) {
		struct ls_mem m = ls_alloc_aligned(h, bytes, bytes);
		uint8_t c[64] = { 0 };

		LS_SET(c, WEFT_ADMIN_CHUNK_BASE, m.bus);
		LS_SET(c, WEFT_ADMIN_CHUNK_ENABLE, 1);
		give(h, c, WEFT_ADMIN_OP_CHUNK_SET);
	}
	while (pages) {
		uint64_t n = pages < 1024 ? pages : 1024;
		struct ls_mem m = ls_alloc_aligned(h, n * page, page);
		uint8_t c[64] = { 0 };

		LS_SET(c, WEFT_ADMIN_PAGES_BASE, m.bus);
		LS_SET(c, WEFT_ADMIN_PAGES_COUNT, n);
		give(h, c, WEFT_ADMIN_OP_RING_PAGES);
		pages -= n;
	}
}
