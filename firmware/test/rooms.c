// SPDX-License-Identifier: BSD-2-Clause
/* The rooms' side of the configuration bus: context windows as docs/architecture.md has them, no behaviour but memory. */
#include "world.h"

uint32_t room_ctx[16][ROOM_CTX][16];
uint32_t room_steer[0x2020 / 4], room_db[3][ROOM_CTX];
int room_dead = -1;
uint32_t room_port_ctrl = 7;
#define WATCHDOG_READS 5000
unsigned room_polls;
unsigned room_commits, room_drains[16];
bool room_hold, room_conn_full, room_unbinds, room_cq_full;
static uint32_t held[64][16];
static unsigned held_n;
static uint32_t stage[16][16];

static bool windowed(unsigned room) { return (room >= 2 && room <= 8) || room == WEFT_ROOM_L2Q; }

uint32_t room_read(unsigned room, uint32_t off, bool *err)
{
	uint32_t v;

	*err = false;
	if (world_quick && ++room_polls == WATCHDOG_READS) world_fail("room %u is polled, and the watchdog bites", room);
	if (path_read(room, off, &v, err)) return v;
	if (windowed(room) && off / 64 < ROOM_CTX) return room_ctx[room][off / 64][off / 4 % 16];
	if (room == WEFT_ROOM_STEER && off < sizeof(room_steer)) return room_steer[off / 4];
	if (room == WEFT_ROOM_STATS && off < 8 * 32) return off & 4 ? 0 : off * 3 + 1;
	if (room == WEFT_ROOM_PORT && off < 8 * 41) return off & 4 ? 7 : off * 5 + 2;
	if (room == WEFT_ROOM_PORT && off == WEFT_PORT_CTRL) return room_port_ctrl;
	*err = true;
	return 0;
}

static void commit(unsigned room, uint32_t index)
{
	uint32_t *w = stage[room], *c;

	room_commits++;
	c = room_ctx[room][index];
	if (room == WEFT_ROOM_CQ || room == WEFT_ROOM_EQ || room == WEFT_ROOM_L2Q) {
		unsigned cmd = GET(w, WEFT_CTX_CQ_CMD);

		if (cmd == WEFT_CTX_CMD_DRAIN) {
			uint32_t ev[16] = { 0 };

			SET(ev, WEFT_FW_EVENT_KIND, WEFT_FW_EV_DRAINED);
			SET(ev, WEFT_FW_EVENT_CODE, room);
			SET(ev, WEFT_FW_EVENT_ID, index);
			room_drains[room]++;
			if (!room_hold) world_event_in(ev);
			else if (held_n < 64) memcpy(held[held_n++], ev, 64);
		}
		if (cmd == WEFT_CTX_CMD_RESIZE && room == WEFT_ROOM_CQ) {
			bool fits = GET(c, WEFT_CTX_CQ_VALID) && !room_cq_full;

			for (unsigned i = 0; i < ROOM_CTX; i++) SET(room_ctx[room][i], WEFT_CTX_CQ_RESIZED, fits);
			if (!fits) return;
			SET64(c, WEFT_CTX_CQ_BASE, GET64(w, WEFT_CTX_CQ_BASE));
			SET64(c, WEFT_CTX_CQ_BASE1, GET64(w, WEFT_CTX_CQ_BASE1));
			SET64(c, WEFT_CTX_CQ_BASE2, GET64(w, WEFT_CTX_CQ_BASE2));
			SET64(c, WEFT_CTX_CQ_BASE3, GET64(w, WEFT_CTX_CQ_BASE3));
			SET(c, WEFT_CTX_CQ_LOG2, GET(w, WEFT_CTX_CQ_LOG2));
			SET(c, WEFT_CTX_CQ_PIECES, GET(w, WEFT_CTX_CQ_PIECES));
			SET(c, WEFT_CTX_CQ_FIRST, GET(c, WEFT_CTX_CQ_PI));
		}
		if (cmd == WEFT_CTX_CMD_MODERATE && room == WEFT_ROOM_CQ) {
			SET(c, WEFT_CTX_CQ_HOLD, GET(w, WEFT_CTX_CQ_HOLD));
			SET(c, WEFT_CTX_CQ_PERIOD, GET(w, WEFT_CTX_CQ_PERIOD));
		}
		if (cmd != WEFT_CTX_CMD_WRITE) return;
	}
	if (room == WEFT_ROOM_TPT) {
		uint32_t ev[16] = { 0 };

		SET(c, WEFT_TPT_REFUSED, GET(c, WEFT_TPT_WINDOWS) != 0);
		if (GET(c, WEFT_TPT_WINDOWS)) { /* the card's own */
			if (room_unbinds) SET(c, WEFT_TPT_WINDOWS, 0);
			return;
		}
		if (GET(w, WEFT_TPT_STATE) == WEFT_TPT_STATE_VALID && GET(c, WEFT_TPT_STATE) >= WEFT_TPT_STATE_VALID)
			world_fail("entry %u is written over one in use: nothing says when that is done with", index);
		if (GET(w, WEFT_TPT_STATE) != WEFT_TPT_STATE_VALID) {
			SET(ev, WEFT_FW_EVENT_KIND, WEFT_FW_EV_DRAINED);
			SET(ev, WEFT_FW_EVENT_CODE, room);
			SET(ev, WEFT_FW_EVENT_DATA0, ++room_drains[room] & 0xffff);
			if (!room_hold) world_event_in(ev);
			else if (held_n < 64) memcpy(held[held_n++], ev, 64);
		}
	}
	memcpy(c, w, 64);
}

void room_release(void)
{
	for (unsigned i = 0; i < held_n; i++) world_event_in(held[i]);
	held_n = 0;
}

void room_write(unsigned room, uint32_t off, uint32_t v, bool *err)
{
	*err = false;
	if (path_write(room, off, v, err)) return;
	if (windowed(room) && off / 64 < ROOM_CTX) {
		stage[room][off / 4 % 16] = v;
		if (off / 4 % 16 == 15) commit(room, off / 64);
	} else if (room == WEFT_ROOM_STEER && off < sizeof(room_steer)) {
		room_steer[off / 4] = v;
	} else if (room == WEFT_ROOM_DB && (off >> 18) < 3 && (off & 0x3ffff) / 4 < ROOM_CTX) {
		room_db[off >> 18][(off & 0x3ffff) / 4] = v;
	} else if (room == WEFT_ROOM_PORT && off == WEFT_PORT_CTRL) {
		room_port_ctrl = v;
	} else {
		*err = true;
	}
}
