// SPDX-License-Identifier: BSD-2-Clause
/* The first data path as scenarios see it: contexts of the rooms QP_TX, RX, CONN (rooms.c keeps them). */
#include "world.h"

bool path_events_invented;
unsigned path_pinned;
#define check(c, ...) do { if (!(c)) world_fail(__VA_ARGS__); } while (0)

bool path_read(unsigned room, uint32_t off, uint32_t *v, bool *err) { (void)room; (void)off; (void)v; (void)err; return false; }
bool path_write(unsigned room, uint32_t off, uint32_t v, bool *err) { (void)room; (void)off; (void)v; (void)err; return false; }
bool path_frame(const uint8_t *f, unsigned len) { (void)f; (void)len; return false; }
bool path_tick(void) { return false; }
uint8_t *path_host(uint64_t at, unsigned n) { (void)at; (void)n; return NULL; }
unsigned path_tx(unsigned qpn) { return GET(room_ctx[WEFT_ROOM_QP_TX][qpn], WEFT_CTX_TX_STATE); }
unsigned path_rx(unsigned qpn) { return GET(room_ctx[WEFT_ROOM_RX][qpn], WEFT_CTX_RX_STATE); }
void path_set_tx(unsigned qpn, unsigned state) { SET(room_ctx[WEFT_ROOM_QP_TX][qpn], WEFT_CTX_TX_STATE, state); }
bool path_look(unsigned qpn) { return GET(room_ctx[WEFT_ROOM_CONN][qpn], WEFT_CTX_CONN_VALID); }
unsigned path_ord(unsigned qpn) { return GET(room_ctx[WEFT_ROOM_QP_TX][qpn], WEFT_CTX_TX_ORD); }

void path_expect(unsigned qpn, bool hold, bool crc, uint32_t snd, uint32_t rcv, unsigned lport, unsigned pport)
{
	uint32_t *t = room_ctx[WEFT_ROOM_QP_TX][qpn], *r = room_ctx[WEFT_ROOM_RX][qpn], *k = room_ctx[WEFT_ROOM_CONN][qpn];

	check(GET(t, WEFT_CTX_TX_STATE) == WEFT_QP_STATE_RTS && GET(r, WEFT_CTX_RX_STATE) == WEFT_QP_STATE_RTS, "both halves RTS");
	check(GET(t, WEFT_CTX_TX_HOLD) == hold && GET(t, WEFT_CTX_TX_CRC) == crc && GET(r, WEFT_CTX_RX_CRC) == crc, "HOLD, CRC");
	check(GET(t, WEFT_CTX_TX_MSS) == 1460 && GET(t, WEFT_CTX_TX_MULPDU) == 1454, "MSS %u MULPDU %u", GET(t, WEFT_CTX_TX_MSS), GET(t, WEFT_CTX_TX_MULPDU));
	check(GET(t, WEFT_CTX_TX_SND_NXT) == snd && GET(r, WEFT_CTX_RX_SND_NXT) == snd, "snd_nxt");
	check(GET(r, WEFT_CTX_RX_RCV_NXT) == rcv, "rcv_nxt %x, peer's snd_nxt %x", GET(r, WEFT_CTX_RX_RCV_NXT), rcv);
	check(GET(t, WEFT_CTX_TX_SEND_MSN) == 1 && GET64(t, WEFT_CTX_TX_SQ_BASE) == HOST_BASE + 0xa000, "static fields of ctx_tx");
	check(GET(k, WEFT_CTX_CONN_VALID) && GET(k, WEFT_CTX_CONN_LOCAL_PORT) == lport && GET(k, WEFT_CTX_CONN_PEER_PORT) == pport
	      && !memcmp(BYTES(k, WEFT_CTX_CONN_PEER_ADDR), "\12\0\0\2", 4) && GET(k, WEFT_CTX_CONN_L2) == 7, "ctx_conn");
}
void path_una(unsigned qpn, uint32_t seq) { SET(room_ctx[WEFT_ROOM_QP_TX][qpn], WEFT_CTX_TX_SND_UNA, seq); }
/* The hardware's answer to HALT. */
void path_acked(unsigned qpn)
{
	uint32_t ev[16] = { 0 };

	path_una(qpn, GET(room_ctx[WEFT_ROOM_QP_TX][qpn], WEFT_CTX_TX_SND_NXT));
	SET(ev, WEFT_FW_EVENT_KIND, WEFT_FW_EV_ACKED);
	SET(ev, WEFT_FW_EVENT_ID, qpn);
	world_event_in(ev);
}
void path_got(unsigned qpn, unsigned bytes)
{
	uint32_t *r = room_ctx[WEFT_ROOM_RX][qpn];

	SET(r, WEFT_CTX_RX_RCV_NXT, GET(r, WEFT_CTX_RX_RCV_NXT) + bytes);
}
const uint8_t *path_terminate(unsigned qpn)
{
	(void)qpn;
	if (room_last_cmd[WEFT_ROOM_QP_TX] != WEFT_CTX_CMD_SEND_VALUE) world_fail("SEND_VALUE");
	for (unsigned w = 0; w < 16; w++)
		if (*(uint8_t *)room_value[w] && room_value[w][0] != ~0u) return (const uint8_t *)room_value[w];
	return (const uint8_t *)room_value[0];
}
void path_start(unsigned (*cmd)(uint32_t *c, unsigned op), uint32_t *rsp) { (void)cmd; (void)rsp; }
