/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef WEFT_LOCKSTEP_INTERNAL_H
#define WEFT_LOCKSTEP_INTERNAL_H

#include "../common/pcapng.h"
#include "../common/prng.h"
#include "../common/util.h"
#include "lockstep.h"

#define LS_VECTORS 2048
#define LS_QPS 65536
#define LS_VLAN_TCI 0x2064

/* A piece of host memory. Bus addresses only grow, so both tables stay sorted. */
struct ls_piece {
	uint64_t bus;
	size_t bytes;
	uint8_t *p; /* NULL: released */
	struct ls_grant *grants; /* judge.c */
	size_t grant_count;
};
struct ls_pieces {
	struct ls_piece *at;
	size_t count, room, last;
	uint64_t next; /* bus address */
};

struct ls_host {
	struct lockstep *ls;
	unsigned int index;
	struct node *node;
	struct ls_pieces memory[2]; /* below 4 GiB, above */
	size_t allocated;
	struct ls_host_stats stats;
	uint64_t vectors[LS_VECTORS];
	uint32_t cap_vectors, cap_stag, cap_qp, cap_cq, cap_eq, cap_l2, cap_reads, db_stride;
	/* Admin queue. */
	struct ls_mem admin_sq, admin_cq;
	unsigned int admin_log2;
	uint16_t admin_index;
	/* Objects. */
	struct ls_qp *qps[LS_QPS];
	uint32_t next_qpn, next_cqn, next_eqn;
	void **owned; /* memory of objects that live as long as the host */
	size_t owned_count;
	uint8_t *slots_used; /* of the TPT */
	struct {
		unsigned int mtu;
		bool vlan;
	} l2[64];
	unsigned int l2_count;
	/* direct.c */
	bool pages_given;
	uint32_t commands, window, look[10];
	struct ls_mem chunks[64];
};

struct ls_qp {
	struct ls_host *host;
	uint32_t qpn;
	struct ls_qp_attr attr;
	struct ls_mem sq, rq;
	uint16_t sq_pi, sq_ci, rq_pi, rq_ci;
	uint32_t l2;
};

/* One end of a connection that is made. */
struct ls_side {
	struct ls_qp *qp, *peer;
	uint16_t port, peer_port;
	uint32_t snd_nxt, rcv_nxt;
	bool hold;
};

struct lockstep {
	struct ls_options o;
	struct ls_host *hosts[2];
	struct impair *wire[2]; /* by sender */
	struct impair_settings wire_settings;
	struct pcapng *capture;
	ls_verdict_fn verdict;
	void *verdict_arg;
	ls_wire_fn hook;
	void *hook_arg;
	void (*watch)(void *arg);
	void *watch_arg;
	struct prng random;
	uint64_t time_ps, cycles, clocked, patience, hash;
	uint16_t next_port;
};

struct ls_host *ls_host_new(struct lockstep *ls, unsigned int index);
void ls_host_free(struct ls_host *h);
void ls_host_start(struct ls_host *h);
/* One cycle of the world, or a jump over time in which nothing happens (`most` cycles at most). */
void ls_step(struct lockstep *ls, uint64_t most);
/* Until done, within the patience of the script; false beyond. */
bool ls_wait(struct lockstep *ls, bool (*done)(void *arg), void *arg);
bool ls_host_due(const struct ls_host *h);
void ls_verbs_note(struct ls_host *h, const struct ls_wc *wc);
/* Zeroed memory that goes with the host. */
void *ls_own(struct ls_host *h, size_t count, size_t size);
/* The piece that a bus address is in, released or not; the one below it. NULL: none. */
struct ls_piece *ls_piece_at(struct ls_host *h, uint64_t bus);
struct ls_piece *ls_piece_below(struct ls_host *h, uint64_t bus);
void ls_judge_new_piece(struct ls_host *h, struct ls_piece *p);
void ls_judge_release(struct ls_host *h, struct ls_piece *p);
/* False when it must not touch memory: there is none. */
bool ls_judge_access(struct ls_host *h, bool write, uint64_t address, uint32_t len);
void ls_put_address(uint8_t *to, unsigned int host, bool ipv6);
unsigned int ls_window_scale(uint32_t window);
void ls_direct_start(struct ls_host *h);
void ls_direct_connect(const struct ls_side *s, const struct ls_link_attr *a);
void ls_direct_state(struct ls_qp *qp, unsigned int state);
/* Room CTX: `command` as written to CTX_CMD. */
void ls_direct_command(struct ls_host *h, uint32_t qpn, uint16_t arg, uint32_t command);
void ls_host_frame(struct ls_host *h, const uint8_t *frame, size_t len);

#endif
