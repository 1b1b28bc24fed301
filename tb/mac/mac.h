/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The link partner of a MAC under test: frames to it with errors of every kind, what the core must get of them,
 * every counter (IEEE 802.3, RFC 2819, RFC 3635), PAUSE both ways (802.3 annex 31B). A PHY (phy_*.c) puts frames
 * on the pins and takes them from there, and knows the rules of its clause.
 */
#ifndef WEFT_TB_MAC_H
#define WEFT_TB_MAC_H
#include "../cdc/clocks.h"

#define FRAME_BYTES 16384

/** A frame on its way to the MAC. */
struct wire {
	uint8_t d[FRAME_BYTES]; /* with FCS */
	size_t n;
	unsigned gap;	     /* bytes of idle in front, at least */
	int code_at;	     /* the PHY signals an error at this byte; -1: not */
	bool no_sfd;	     /* the start frame delimiter is missing */
	bool no_term;	     /* XGMII: idle follows without a terminate */
	bool pause;	     /* a good PAUSE frame of this many quanta */
	unsigned quanta;
};

/** Cycles of the MAC's transmit clock, counted by the PHY; 512 bit times in cycles. */
extern uint64_t phy_cycle;
extern unsigned phy_quantum;
/** Bytes that a cycle carries. */
extern unsigned phy_bytes;

/** PHY: the next frame to send, or NULL. */
const struct wire *mac_wire_next(void);
/** PHY: the last byte of that frame has been given. */
void mac_wire_done(void);
/** PHY: a frame came from the MAC, without preamble, with FCS; when its first byte came, and the idle in front of it. */
void mac_frame_from(const uint8_t *d, size_t n, uint64_t start, unsigned gap);
/** PHY: fault signalling is seen from the MAC (XGMII): 0 none, 1 local, 2 remote. */
void mac_fault_seen(int fault);
/** PHY: the fourth fault sequence of a kind in a row was sent: the MAC must know the fault (46.3.4). */
void mac_fault_sent(void);
/** What the PHY is to signal: 0 none, 1 local fault, 2 remote fault. */
extern int mac_fault;
/** 1: line rate, nothing is left out of a preamble. */
extern int mac_mode;
/** Frames from the MAC may be cut short now. */
extern bool mac_may_cut;
/** How small the PHY makes the gap in front of a frame when asked for the smallest. */
extern unsigned phy_min_gap;
uint32_t mac_crc(const uint8_t *d, size_t n);
void phy_setup(void);
extern const uint32_t phy_rate; /* of the line, in 100 Mb/s */
#endif
