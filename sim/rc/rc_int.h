/* SPDX-License-Identifier: BSD-2-Clause */
/* Inside of the root complex model: state, and what its files need of each other. */
#ifndef WEFT_RC_INT_H
#define WEFT_RC_INT_H

#include "rc.h"

#define RC_ID 0x0008u      /* requester ID of the host's accesses */
#define RC_HOST_TAGS 32
#define RC_CARD_TAGS 256
#define RC_MAX_TLP 4096
#define RC_MAX_VEC 2048

/* A TLP on its way to the card. */
struct rc_tlp {
	struct rc_tlp *next;
	uint32_t hdr[4];
	unsigned bar;
	bool np;
	weft_rc_read_fn fn;
	void *arg;
	uint64_t off;       /* reads made by weft_rc_read: byte offset and length asked for */
	uint32_t want;
	bool plain;
	uint32_t len;       /* payload bytes */
	uint8_t data[];
};

/* A read of the card that is being answered. */
struct rc_rd {
	struct rc_rd *next;
	uint64_t addr;      /* next byte to answer */
	uint32_t left;      /* bytes to answer */
	uint64_t base;      /* first dword, for injected() */
	uint32_t total;
	uint64_t due;       /* cycle of the first completion */
	uint16_t reqid;
	uint8_t tag, tc, attr;
	uint8_t inject;     /* enum weft_rc_injected, 0: none */
};

/* A non-posted access of the host. */
struct rc_np {
	bool used, plain;
	uint16_t tag;       /* 10 bits as sent */
	uint32_t dw0;       /* of the request: TC and attributes come back */
	weft_rc_read_fn fn;
	void *arg;
	uint64_t off;
	uint32_t want, got; /* bytes from the first enabled one; got so far */
	uint32_t bc;        /* byte count that the next completion must carry */
	uint8_t data[RC_MAX_TLP + 8];
};

struct weft_rc {
	struct weft_rc_ops ops;
	struct weft_rc_cfg cfg;
	struct weft_rc_stats stats;
	unsigned beat;
	uint64_t rng[2], cycle, bme_cycle;
	bool bme_seen;
	struct weft_rc_in in;               /* what is driven now */
	/* host to card */
	struct rc_tlp *req_head, **req_tail, *req;
	uint32_t req_pos;
	struct rc_np np[RC_HOST_TAGS];
	unsigned np_used;
	/* completion that is being driven */
	bool cpl_busy;
	uint32_t cpl_hdr[4], cpl_len, cpl_pos;
	uint8_t cpl_data[RC_MAX_TLP + 64];
	/* card's reads */
	struct rc_rd *rd_head, **rd_tail, *rd_cur;
	bool outstanding[RC_CARD_TAGS];
	unsigned strays;
	/* write of the card that is coming in */
	uint32_t wr_pos, wr_hdr[4];
	uint8_t wr_data[RC_MAX_TLP + 64];
	/* completion of the card with more than one beat */
	uint32_t tx_cpl_pos;
	uint8_t tx_cpl_data[RC_MAX_TLP + 8];
	unsigned msix_n;
	void (*flr_fn)(void *arg);
	void *flr_arg;
};

uint64_t rc_rand(struct weft_rc *rc);
uint32_t rc_below(struct weft_rc *rc, uint32_t n);
bool rc_chance(struct weft_rc *rc, unsigned pct);
bool rc_ppm(struct weft_rc *rc, uint32_t ppm);
void rc_fault(struct weft_rc *rc, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void rc_trace(struct weft_rc *rc, int dir, int stream, const uint32_t hdr[4], const void *data, uint32_t len);
void *rc_alloc(size_t n);

/* Fields of a memory request header. */
struct rc_mem {
	uint64_t addr;   /* first dword */
	uint32_t dwords;
	uint8_t fbe, lbe;
	uint64_t first;  /* first enabled byte */
	uint32_t bytes;  /* from it to the last enabled one; 0 for a zero-length access */
	uint32_t bc;     /* byte count of the first completion */
};
struct rc_mem rc_mem_of(const uint32_t hdr[4]);
/* Byte enables are those that the specification allows, and no page is crossed. */
bool rc_mem_legal(const struct rc_mem *m);

/* rc_card.c: what the card sends */
void rc_card_read(struct weft_rc *rc, const uint32_t hdr[4]);
void rc_card_write(struct weft_rc *rc, const struct weft_rc_out *out);
bool rc_next_completion(struct weft_rc *rc);  /* fills cpl_* */
void rc_card_forget(struct weft_rc *rc);
/* rc_host.c: what the host sends */
void rc_host_next(struct weft_rc *rc);        /* sets req when one may go */
void rc_host_completion(struct weft_rc *rc, const uint32_t hdr[4], uint64_t data);
void rc_host_forget(struct weft_rc *rc);
uint64_t rc_msix_addr(unsigned v);
uint32_t rc_msix_data(unsigned v);

#endif
