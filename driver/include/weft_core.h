/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What weft.ko offers to weft_rdma.ko: the card, its admin queue, its events.
 *
 * Layouts (weft_abi.h) are arrays of little-endian 64-bit words; WEFT_PUT and WEFT_GET reach a
 * field through its mask, so that no layout depends on compiler or byte order.
 */
#ifndef WEFT_CORE_H
#define WEFT_CORE_H

#ifndef CONFIG_64BIT
#error "a doorbell is one store of 64 bits; a 32-bit kernel would split it"
#endif

#include <linux/auxiliary_bus.h>
#include <linux/if_ether.h>
#include <linux/io.h>
#include <linux/netdevice.h>
#include <linux/pci.h>

#include "weft_abi.h"

/*
 * The order of locks, of both modules: what is held is above what is taken. Those within a group are not held together, but where it
 * is said. No lock is taken while another of its class is held, so no nesting is told to lockdep; but xa_init_flags() has one
 * class for all tables of a file, see weft_init_tables.
 *
 * Life and death; all may sleep:
 *   lock of devlink           the stack's, over recover, reload and dump
 *   state_lock                bring-up, tear-down, recovery; over the coming and going of both devices, so over all below, rtnl too.
 *                             Nobody takes it who holds rtnl, or a lock of the RDMA core or of one of its consumers
 *   dump_lock                 over the client's dump
 *   client_lock               over the client's callbacks but cq_event and dump. Never with rtnl, in no order
 *
 * The network device:
 *   rtnl                      the stack's; over commands
 *   netdev_lock               leaf
 *
 * weft_rdma, below the locks of verbs, rdma_cm and iw_cm. An upcall takes a spin lock of iw_cm's, which holds none of them in a verb:
 *   port_state_lock           over ib_dispatch_event
 *   cm_lock                   over commands and upcalls; then one of qp->lock, l2t->lock, port_lock, each taken without it as well
 *     qp->lock                leaf
 *     l2t->lock               over commands and looks at routes; then neigh_lock. Never with rtnl, which notifiers come with
 *     port_lock               over locks of sockets
 *   err_lock, limit_lock, mw_lock
 *                             of a queue pair, an SRQ, a domain; over commands
 *   kept_lock, gone_lock      leaves; weft_qpn_settle waits for the worker of gone with none of these
 *   cq->resize_lock           over commands; then the next one, or cq->lock. Taken with places of weft_keep.c held
 *     cq->wake_lock           over a completion handler; then cq->lock
 *
 * Places for commands, 64. Who keeps one while he waits for the next is of a few: 24 of weft_keep.c, 16 and 4 of weft_many.c, 4 of
 * weft_cm_resync. So there is always one for those who only wait for the card:
 *   connect_slots             before cm_lock
 *   queries, mw_places, kept_slots
 *   admin.free
 *   quiesce_lock              below all of the above: over the reset of the card, which has a bound
 *
 * Spin locks:
 *   cq->lock                  irq; then one of the next three
 *     xa_lock of dev->qps     irq; then srq->lock
 *     wq->lock                irq; of a send or a receive queue, one at a time
 *     srq->lock               irq
 *   xa_lock of dev->cqs, dev->srqs (irq), neigh_lock (bh), admin.lock (irq)
 *                             leaves
 */

#define WEFT_ADEV_NAME "rdma"
#define WEFT_MTU_MIN 576 /* of interface and paths: the card knows no smaller one */

static inline void weft_put_word(__le64 *words, unsigned int lsb, u64 mask, u64 value)
{
	__le64 *w = words + lsb / 64;

	*w = cpu_to_le64((le64_to_cpu(*w) & ~mask) | ((value << (lsb % 64)) & mask));
}

static inline u64 weft_get_word(const __le64 *words, unsigned int lsb, u64 mask)
{
	return (le64_to_cpu(words[lsb / 64]) & mask) >> (lsb % 64);
}

/* f is STRUCT_FIELD of weft_abi.h; fields of up to 64 bits within one word */
#define WEFT_PUT(words, f, value) \
	weft_put_word(words, WEFT_##f##_LSB, WEFT_##f##_MASK, value)
#define WEFT_GET(words, f) weft_get_word(words, WEFT_##f##_LSB, WEFT_##f##_MASK)
/* address of a field of whole bytes, e.g. an address of 16 bytes */
#define WEFT_BYTES(words, f) ((u8 *)(words) + WEFT_##f##_OFF)

#define WEFT_WORDS(s) (WEFT_##s##_BYTES / 8)

/**
 * struct weft_caps - limits that the card reports
 * @qps: queue pairs; QPN 0 is reserved
 * @cqs: completion queues
 * @eqs: event queues
 * @stags: memory regions and windows
 * @l2_entries: entries of the L2 table
 * @db_stride: bytes from one doorbell page to the next
 * @db_pages: doorbell pages; page 0 is the kernel's
 * @mtu: largest IP MTU
 * @ird: inbound RDMA Reads of a QP
 * @ord: outbound RDMA Reads of a QP
 * @vectors: MSI-X vectors
 * @wqe_log2: log2 of the largest WQE stride
 * @listeners: listeners at a time
 * @srqs: shared receive queues, 0: none
 * @cq_log2: log2 of entries of the largest completion ring
 * @cq_pieces: log2 of the pieces that it may have
 * @features: bits of enum feature
 */
struct weft_caps {
	u32 qps, cqs, eqs, stags, l2_entries;
	u32 db_stride, db_pages, mtu, ird, ord;
	u32 vectors, wqe_log2, listeners, srqs, features;
	u32 cq_log2, cq_pieces;
};

/**
 * struct weft_admin_msg - one admin command
 * @cmd: struct admin_cmd and its kind; OP is set by the caller, TAG by the queue
 * @rsp: struct admin_rsp
 * @peer: peer address for the command's admin_cm_buf slot, or NULL
 * @peer_len: bytes of @peer, 4 or 16
 * @pdata: private data for that slot, or NULL
 * @pdata_len: bytes of @pdata, at most WEFT_MAX_PRIVATE_DATA
 * @out: filled from the admin_cm_buf slot after success, or NULL
 * @out_len: bytes of @out
 */
struct weft_admin_msg {
	__le64 cmd[WEFT_WORDS(ADMIN_CMD)];
	__le64 rsp[WEFT_WORDS(ADMIN_RSP)];
	const void *peer, *pdata;
	size_t peer_len, pdata_len;
	void *out;
	size_t out_len;
};

/**
 * struct weft_port - the port as the network device has it
 * @up: the interface is up, the link is up, the card lives
 * @mtu: IP MTU of the interface
 * @mac: station address
 */
struct weft_port {
	bool up;
	u32 mtu;
	u8 mac[ETH_ALEN];
};

struct devlink_fmsg;

/**
 * struct weft_client - the RDMA driver, as the network driver sees it
 * @event: an EQE of the asynchronous queue; interrupt thread context, may sleep
 * @cq_event: an armed CQ has an entry; hard interrupt context
 * @dead: the card does not answer any more, and is quiet (weft_core_quiesce); may sleep
 * @lost: events of these event queues were lost on the way, a bit each: call the handler of every CQ of
 *        the queue; of queue 0 ask for the state of every QP and connection; may sleep. NULL: not interested
 * @port: the port's state, after registration and whenever something of it has changed, perhaps
 *        also when nothing has; may sleep. NULL: not interested
 * @dump: what it has, for devlink; the card lives, or dies meanwhile, may sleep. NULL: nothing
 *
 * @event, @dead, @lost and @port are never called at the same time, and hold no lock of the stack. @dump
 * may take long, so it runs beside them, one at a time; none runs when weft_core_unregister_client()
 * has returned.
 */
struct weft_client {
	void (*event)(void *ctx, const __le64 *eqe);
	void (*cq_event)(void *ctx, u32 cqn);
	void (*dead)(void *ctx);
	void (*lost)(void *ctx, unsigned long eqs);
	void (*port)(void *ctx, const struct weft_port *port);
	void (*dump)(void *ctx, struct devlink_fmsg *fmsg);
};

struct weft_core;

/**
 * struct weft_adev - the auxiliary device that weft_rdma binds to
 * @adev: must be first for container_of
 * @core: the card
 */
struct weft_adev {
	struct auxiliary_device adev;
	struct weft_core *core;
};

static inline struct weft_adev *to_weft_adev(struct auxiliary_device *adev)
{
	return container_of(adev, struct weft_adev, adev);
}

const struct weft_caps *weft_core_caps(const struct weft_core *core);
struct pci_dev *weft_core_pdev(const struct weft_core *core);
struct net_device *weft_core_netdev(const struct weft_core *core);
/* bus address of a doorbell page, for mmap */
phys_addr_t weft_core_db_phys(const struct weft_core *core, u32 page);
/* writes a doorbell through the kernel's page */
void weft_core_doorbell(struct weft_core *core, u32 offset, const __le64 *db);
/* event queues that serve CQs: EQN of the i-th, and how many; affinity follows the vector */
u32 weft_core_cq_eqs(const struct weft_core *core);
u32 weft_core_cq_eqn(const struct weft_core *core, u32 i);
bool weft_core_dead(const struct weft_core *core);
u32 weft_core_fw_version(const struct weft_core *core);
/* the card's clock, nanoseconds since its reset; -EIO: it is dead */
int weft_core_now(struct weft_core *core, u64 *ns);
/* a port mapper may choose TCP ports; stays as it is as long as the RDMA device does */
bool weft_core_port_map(const struct weft_core *core);

/**
 * weft_core_quiesce() - end all DMA of the card, for good
 * @core: the card
 * @why: for the log
 *
 * Marks the card dead, resets it by register, waits for that with a bound, switches bus-mastering
 * off. When it returns the card does no DMA any more, and every admin command returns -EIO. May
 * sleep. Any number of callers at a time, any number of times, with any lock held but spin locks
 * and those of the caller's own callbacks: the client is told later, from a work item.
 *
 * The rule: memory that the card was given is freed only after the card has said that it is done
 * with it (the command that takes it back succeeded), or after this function has returned. So who
 * gets an error from such a command calls this first, or keeps the memory and gives the command again
 * (-ETIMEDOUT); -EIO of weft_admin_exec() implies it.
 */
void weft_core_quiesce(struct weft_core *core, const char *why);

/**
 * weft_core_settle() - handle what the card has said of objects
 * @core: the card
 *
 * Returns when the events that the card had posted before this are handled, or after two seconds: who gives a
 * number of the card's to a new object calls it, or the new one gets events of the one before. Sleeps, not from
 * the client's callbacks.
 */
void weft_core_settle(struct weft_core *core);

/**
 * weft_admin_exec() - run one admin command; sleeps
 * @core: the card
 * @msg: command and response
 *
 * No answer within 8 seconds, or the answer that a room of the hardware is silent, means that the card
 * is dead: it is quiesced before this returns -EIO. An absent card is noticed within a second.
 *
 * Return: 0; -EIO when the card is dead and does no DMA any more; -EREMOTEIO when the command hit a
 * bus error; -ETIMEDOUT when the object did not drain within 2 seconds: the card may still use its
 * memory, and its number stays taken until the command succeeds; -EINVAL, -EBUSY, -ENOMEM, -ENOENT, -EOPNOTSUPP, -EADDRINUSE by the status of the
 * response.
 */
int weft_admin_exec(struct weft_core *core, struct weft_admin_msg *msg);

/**
 * weft_admin_begin() - give a command whose answer is taken later; may sleep for a place in the queue
 * @core: the card
 * @msg: command and response; in the queue's hands until weft_admin_end(), which has to follow soon:
 *       the place stays taken, and nobody else notices that the card does not answer this command
 *
 * The card takes commands in order, so what this one changes at once is changed when a command behind
 * it was answered.
 *
 * Return: the tag of the command; else -EIO, or -EINVAL, as weft_admin_exec()
 */
int weft_admin_begin(struct weft_core *core, struct weft_admin_msg *msg);
/* it would not wait in weft_admin_end() */
bool weft_admin_answered(struct weft_core *core, u32 tag);
/* waits for the answer; returns as weft_admin_exec() does */
int weft_admin_end(struct weft_core *core, struct weft_admin_msg *msg, u32 tag);

/* counters of the card in the order of weft_core_stat_name; returns how many were written */
int weft_core_stats(struct weft_core *core, u64 *values, int n);
int weft_core_n_stats(void);
const char *weft_core_stat_name(int i);

int weft_core_register_client(struct weft_core *core, const struct weft_client *client, void *ctx);
void weft_core_unregister_client(struct weft_core *core);

#endif
