/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Root complex model: the other end of the TLP streams of rtl/pcie (weft_pcie). It answers the card's DMA from guest memory,
 * sends register reads and writes, programs MSI-X, and is as hostile as the PCI Express Base Specification allows: completions
 * split at random read completion boundaries, reordered between tags, delayed, refused (UR, CA), poisoned or lost, streams
 * stalled. Every outbound TLP is checked against the rules that it must keep (4 KiB, MPS, MRRS, byte enables, tags, header).
 *
 * Order (PCI Express Base Specification, 2.4.1, no relaxed or ID-based ordering). May a row pass a column that entered its
 * direction before it?
 *
 *                  posted   non-posted   completion
 *     posted       no       must         may
 *     non-posted   no       may          may
 *     completion   no       must         may, not of the same read
 *
 * Towards the card: a completion enters when its data is read from memory. It is offered when every posted request that the
 * host made before has been taken; later ones pass it or not. A read or non-posted write waits for the posted requests made
 * before it; posted requests go past non-posted ones that have to wait (for a tag) and, with `reorder`, at random; reads change
 * places with `reorder`. From the card: writes and MSI-X messages take effect in the order in which they were taken, with `late`
 * some time after. A read of the card sees, and a completion of the card brings with it, the writes that were taken before.
 *
 * Credits (2.6.1): with `ph` to `cpld` the card has so many; each comes back some time after it was used. `starve` keeps those of
 * one type (posted, non-posted, completion) away for a long time. Meanwhile what is offered to the card must be taken: a posted
 * request or completion that waits longer than `sink_limit` cycles is a fault, whatever the card itself waits for (2.4.1 note 2,
 * 2.6.1.2).
 *
 * It works beat by beat and has no clock of its own. A harness does this for every rising edge:
 *
 *     weft_rc_drive(rc, &in);       what the model puts on the card's inputs before this edge
 *     ... set inputs, eval, read the card's outputs into out ...
 *     weft_rc_sample(rc, &out);     transfers where valid and ready are both high at this edge; callbacks run here
 *     ... clock edge ...
 *
 * The same seed and calls give the same beats. Nothing is allocated per transaction beyond the queues; errors of the
 * environment (out of memory) abort. Not thread safe; several models may live in one process.
 */
#ifndef WEFT_RC_H
#define WEFT_RC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define WEFT_RC_MAX_BEAT 64 /* bytes of the widest data path */

struct weft_rc;

/** What the machine behind the root complex gives. All may be NULL but read_mem and write_mem. */
struct weft_rc_ops {
	/** Guest memory. 0, or nonzero when the range (or a part) is no memory: the read is answered UR, the write is dropped.
	 *  Never crosses 4 KiB. write_mem is called in the order of the posted stream, ascending within a TLP. */
	int (*read_mem)(void *ctx, uint64_t addr, uint32_t len, void *buf);
	int (*write_mem)(void *ctx, uint64_t addr, uint32_t len, const void *buf);
	/** An MSI-X message arrived, in the order of the posted stream. */
	void (*irq)(void *ctx, unsigned vector);
	/** The card broke a rule of PCIe. Default: print to stderr. */
	void (*fault)(void *ctx, const char *what);
	/** Every TLP, for recordings: dir 0 to the card, 1 from it; stream as in enum weft_rc_stream. data is the payload. */
	void (*trace)(void *ctx, int dir, int stream, const uint32_t hdr[4], const void *data, uint32_t len);
	/** The model will answer (a part of) a read wrongly; what: enum weft_rc_injected. Once per read TLP at most. */
	void (*injected)(void *ctx, uint64_t addr, uint32_t len, int what);
	void *ctx;
};

enum weft_rc_stream { WEFT_RC_RX_REQ, WEFT_RC_RX_CPL, WEFT_RC_TX_RD, WEFT_RC_TX_WR, WEFT_RC_TX_CPL };
enum weft_rc_injected { WEFT_RC_UR = 1, WEFT_RC_CA, WEFT_RC_POISON, WEFT_RC_LOST };

/** How the root complex behaves. May be changed at any time between edges through weft_rc_config(). */
struct weft_rc_cfg {
	/* pins of the configuration space, as the card sees them */
	uint16_t bdf;    /* requester ID: bus 15:8, device 7:3, function 2:0 */
	bool bme;        /* bus master enable */
	bool ext_tag;    /* 8-bit tags */
	bool rcb128;     /* read completion boundary 128, else 64 */
	uint8_t mps;     /* max payload size, 0: 128 ... 5: 4096 */
	uint8_t mrrs;    /* max read request size, same code */
	bool msix_en;    /* MSI-X enable */
	bool msix_mask;  /* function mask */
	bool flr;        /* level: hold until out.flr_done was seen (weft_rc_flr does all of it) */
	/* adversary: all 0 is a friendly, fast host */
	bool split;           /* cut completions at random legal points, else at MPS */
	bool reorder;         /* answer outstanding reads in random order, interleave their pieces */
	uint32_t delay_min;   /* cycles from a read request to its first completion */
	uint32_t delay_max;
	bool stale;           /* memory is read at a random time between request and completion, else for the completion */
	uint32_t late_min;    /* cycles until a posted write takes effect */
	uint32_t late_max;
	uint16_t ph, pd;      /* credits of the card by type, headers and units of 16 bytes; 0: no limit, at most 1023. */
	uint16_t nph;         /* A limit of data below MPS counts as MPS */
	uint16_t cplh, cpld;
	uint32_t credit_min;  /* cycles until a used credit comes back */
	uint32_t credit_max;
	uint32_t starve_min;  /* now and then no credit of one type for so many cycles; max 0: never */
	uint32_t starve_max;
	uint32_t sink_limit;  /* cycles that a TLP towards the card may wait; 0: 2000 */
	bool off_drops;       /* a write or interrupt that is whole only when bus mastering is off has no effect */
	uint8_t stall_rd;     /* percent of cycles with ready low on tx_rd, tx_wr, tx_cpl */
	uint8_t stall_wr;
	uint8_t stall_cpl;
	uint8_t gap_req;      /* percent of cycles without a new beat on rx_req, rx_cpl */
	uint8_t gap_cpl;
	uint32_t ur_ppm;      /* reads answered UR, CA, poisoned, not at all: per million */
	uint32_t ca_ppm;
	uint32_t poison_ppm;
	uint32_t lost_ppm;
	uint32_t stray_ppm;   /* extra completions that nobody asked for, or that are malformed, per million reads */
};

/** Inputs of weft_pcie (outputs of the model). Data: first payload byte in data[0]. */
struct weft_rc_in {
	bool rx_req_valid, rx_req_last;
	uint8_t rx_req_bar;
	uint32_t rx_req_hdr[4];
	uint8_t rx_req_data[WEFT_RC_MAX_BEAT];
	bool rx_cpl_valid, rx_cpl_last;
	uint32_t rx_cpl_hdr[4];
	uint8_t rx_cpl_data[WEFT_RC_MAX_BEAT];
	bool tx_rd_ready, tx_wr_ready, tx_cpl_ready;
	/* configuration pins */
	uint16_t cfg_bdf;
	bool cfg_bme, cfg_rcb, cfg_ext_tag, cfg_msix_en, cfg_msix_mask, flr_req;
	uint8_t cfg_mps, cfg_mrrs;
};

/** Outputs of weft_pcie (inputs of the model). */
struct weft_rc_out {
	bool rx_req_ready, rx_cpl_ready;
	bool tx_rd_valid;
	uint32_t tx_rd_hdr[4];
	bool tx_wr_valid, tx_wr_last;
	uint32_t tx_wr_hdr[4];
	uint8_t tx_wr_data[WEFT_RC_MAX_BEAT];
	bool tx_cpl_valid;
	uint32_t tx_cpl_hdr[4];
	uint64_t tx_cpl_data;
	bool flr_done;
};

/** beat_bytes: DATA_W / 8. Offsets in a BAR are the caller's to keep within its size. */
struct weft_rc *weft_rc_new(unsigned beat_bytes, uint64_t seed, const struct weft_rc_ops *ops);
void weft_rc_free(struct weft_rc *rc);
struct weft_rc_cfg *weft_rc_config(struct weft_rc *rc);

void weft_rc_drive(struct weft_rc *rc, struct weft_rc_in *in);
void weft_rc_sample(struct weft_rc *rc, const struct weft_rc_out *out);

/** Nothing to send to the card and no answer awaited from it, nothing in the middle: the card's clock may stop if it is idle too.
 *  Reads of the card that were lost on purpose do not count. */
bool weft_rc_idle(const struct weft_rc *rc);

/* ---- host to card ---- */

/** Posted memory write of any length and alignment to a BAR (cut at 4 KiB and 128 bytes, byte enables made here). */
void weft_rc_write(struct weft_rc *rc, unsigned bar, uint64_t off, const void *buf, uint32_t len);

/** Answer of a read. status: 0 SC, 1 UR, 2 CRS, 4 CA (Completion Status); data is valid only with 0, len as asked. */
typedef void (*weft_rc_read_fn)(void *arg, unsigned status, const void *data, uint32_t len);
/** Memory read; len 0 is a zero-length read (flush), else at most 4096 and not across 4 KiB. Answered in any order; all
 *  outstanding reads are limited to 32: later ones wait inside, posted writes go past them. The completions are checked (byte count, lower address, tag). */
void weft_rc_read(struct weft_rc *rc, unsigned bar, uint64_t off, uint32_t len, weft_rc_read_fn fn, void *arg);

/** Any request TLP, as it is (for hostile tests): hdr with a tag of 0 when non-posted, it is replaced; data may be NULL.
 *  fn (non-posted only) gets status and payload. */
void weft_rc_raw(struct weft_rc *rc, unsigned bar, const uint32_t hdr[4], const void *data, uint32_t len,
		 weft_rc_read_fn fn, void *arg);

/* ---- MSI-X ---- */

/** Program vectors 0 .. n-1 of the table in BAR4 with made-up addresses and data, unmasked; a write of the card to such an
 *  address with the right data calls ops.irq. Enables MSI-X (cfg.msix_en). Table writes queue behind earlier requests. */
void weft_rc_msix_setup(struct weft_rc *rc, unsigned n);
/** Mask bit of one vector, by a write to its Vector Control. */
void weft_rc_msix_mask(struct weft_rc *rc, unsigned vector, bool mask);

/* ---- reset ---- */

/** Function-level reset: clears bme, msix_en, raises flr until the card says done, forgets what was outstanding (late
 *  completions are still sent when stray_ppm is set), then calls fn. */
void weft_rc_flr(struct weft_rc *rc, void (*fn)(void *arg), void *arg);
/** Forget everything, as after a reset of the whole link: the card was reset by the harness too. */
void weft_rc_reset(struct weft_rc *rc);

/* ---- figures ---- */
struct weft_rc_stats {
	uint64_t rd_tlps, rd_bytes, wr_tlps, wr_bytes, irqs, faults, cpl_tlps, lost, refused, cycles;
	uint64_t held;        /* cycles in which a completion waited for posted requests in front of it */
	uint64_t passed;      /* posted requests that went past a non-posted one */
	uint64_t no_credit;   /* cycles in which a stream had no credit, counted for each */
	uint64_t starved;     /* times that a type was starved */
	uint64_t slowest;     /* longest wait of a TLP towards the card, cycles */
};
const struct weft_rc_stats *weft_rc_stats(const struct weft_rc *rc);

#ifdef __cplusplus
}
#endif
#endif
