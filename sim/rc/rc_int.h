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
	bool np;            /* waits for a completion */
	bool posted;
	uint64_t after;     /* posted requests made before it */
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
	uint64_t writes;    /* of the card, taken before it */
	/* memory has been read: what it held, and the host's posted requests before that moment */
	bool sampled, bad;
	uint64_t sample_at, after;
	uint8_t data[];     /* total bytes */
};

/* A posted write of the card that has not taken effect. */
struct rc_wr {
	struct rc_wr *next;
	uint64_t due;
	uint32_t hdr[4];
	uint8_t data[];
};

/* Credits of one type that the card has used. */
#define RC_CREDITS 1024
enum rc_type { RC_POSTED, RC_NONPOSTED, RC_COMPLETION, RC_TYPES };
struct rc_credit {
	uint32_t hdr, data;          /* used */
	struct {
		uint64_t due;
		uint16_t data;
	} back[RC_CREDITS];          /* on their way back, in order */
	uint32_t first, count;
	uint64_t starved_until, next_starve;
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
	uint64_t rng[2], cycle;
	bool bme_seen;
	struct weft_rc_in in;               /* what is driven now */
	/* host to card */
	struct rc_tlp *req_head, **req_tail; /* posted, as made */
	struct rc_tlp *np_head, **np_tail;   /* non-posted */
	struct rc_tlp *req;
	uint32_t req_pos;
	uint64_t posted_made, posted_taken;
	uint64_t req_since, cpl_since;       /* cycle in which the beat was first offered */
	bool req_told, cpl_told;
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
	struct rc_credit credit[RC_TYPES];
	/* writes of the card: taken, in effect */
	struct rc_wr *late_head, **late_tail;
	uint64_t wr_taken, wr_done, wr_due;
	/* cycles since bus mastering went off in which a request could leave */
	uint32_t bme_rd, bme_wr;
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

/* rc_flow.c: credits, and what must be taken in time */
void rc_flow_cycle(struct weft_rc *rc);       /* credits come back, a type is starved */
bool rc_flow_room(struct weft_rc *rc, enum rc_type type);
void rc_flow_use(struct weft_rc *rc, enum rc_type type, uint32_t bytes);
void rc_flow_forget(struct weft_rc *rc);
void rc_flow_watch(struct weft_rc *rc, const struct weft_rc_out *out); /* after the transfers of a cycle */
/* rc_card.c: what the card sends */
void rc_card_cycle(struct weft_rc *rc);       /* late writes that are due, reads of memory that are due */
void rc_card_flush(struct weft_rc *rc, uint64_t upto); /* writes take effect, up to that number */
void rc_card_read(struct weft_rc *rc, const uint32_t hdr[4]);
void rc_card_write(struct weft_rc *rc, const struct weft_rc_out *out);
bool rc_next_completion(struct weft_rc *rc);  /* fills cpl_* */
void rc_card_forget(struct weft_rc *rc);      /* reads */
void rc_card_drop(struct weft_rc *rc);        /* writes that have not taken effect */
/* rc_host.c: what the host sends */
void rc_host_next(struct weft_rc *rc);        /* sets req when one may go */
void rc_host_taken(struct weft_rc *rc);       /* req was taken whole */
void rc_host_completion(struct weft_rc *rc, const uint32_t hdr[4], uint64_t data);
void rc_host_forget(struct weft_rc *rc);
uint64_t rc_msix_addr(unsigned v);
uint32_t rc_msix_data(unsigned v);

#endif
