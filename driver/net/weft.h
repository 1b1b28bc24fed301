/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef WEFT_H
#define WEFT_H

#include <linux/completion.h>
#include <linux/rcupdate.h>
#include <linux/semaphore.h>
#include <linux/spinlock.h>
#include <linux/workqueue.h>
#include <net/page_pool/types.h>

#include "weft_core.h"

#define WEFT_DRV_NAME "weft"
#define WEFT_FW_NAME "weft/weft-fw.bin"

#define WEFT_ADMIN_LOG2 6
#define WEFT_ADMIN_ENTRIES BIT(WEFT_ADMIN_LOG2)
#define WEFT_EQ_LOG2 9
#define WEFT_EQ0_LOG2_MAX 16 /* 4 MiB of contiguous memory */
#define WEFT_RING_SHIFT_MAX 3
#define WEFT_MAX_EQS 9 /* one for events, up to eight for CQs */

#define WEFT_VEC_ADMIN 0
#define WEFT_VEC_L2 1
#define WEFT_VEC_EQ0 2

struct weft_admin_slot {
	struct completion done;
	struct weft_admin_msg *msg; /* NULL: free */
	int result;
	bool busy;
};

/**
 * struct weft_admin - the admin queue
 * @lock: everything below
 * @free: slots that a caller may take
 * @sq: commands
 * @cq: responses
 * @cm_buf: one admin_cm_buf for each slot
 * @slots: outstanding commands by tag
 * @pi: producer index of @sq
 * @ci: consumer index of @cq
 */
struct weft_admin {
	spinlock_t lock; /* rings, indices, slots */
	struct semaphore free;
	__le64 *sq, *cq;
	u8 *cm_buf;
	dma_addr_t sq_dma, cq_dma, cm_buf_dma;
	struct weft_admin_slot slots[WEFT_ADMIN_ENTRIES];
	u16 pi, ci;
	bool up;
};

/**
 * struct weft_eq - an event queue
 * @work: goes on with a queue that was too full for one interrupt; CQ events only
 * @log2: log2 of entries
 * @ci: consumer index; the handler's, or @work's while the queue is not armed
 * @settled: those who wait until what was in queue 0 has been handled
 */
struct weft_eq {
	struct weft_core *core;
	__le64 *ring;			/* as long as the driver is bound */
	dma_addr_t dma;
	size_t bytes;
	struct work_struct work;
	wait_queue_head_t settled;
	u32 eqn, log2, ci;
	int irq;
	char name[32];
};

/**
 * struct weft_crash - registers of a card that is about to be reset, for devlink health
 * @valid: they could be read
 * @status: register STATUS
 * @heartbeat: register HEARTBEAT
 * @record: registers from FW_CRASH_PC on, see weft_crash_names
 */
#define WEFT_CRASH_WORDS 6
struct weft_crash {
	bool valid;
	u32 status, heartbeat;
	u32 record[WEFT_CRASH_WORDS];
};

/* bits of weft_core.notes: what the client has yet to be told */
enum weft_note {
	WEFT_NOTE_PORT,
	WEFT_NOTE_LOST, /* by event queue 0; behind it those of the others */
	WEFT_NOTES = WEFT_NOTE_LOST + WEFT_MAX_EQS
};

struct devlink_health_reporter;

/* host memory that the card works in */
struct weft_block {
	void *va;
	dma_addr_t dma;
	size_t bytes;
};

struct weft_core {
	struct pci_dev *pdev;
	void __iomem *bar0;
	void __iomem *db0;
	phys_addr_t db_phys;
	struct weft_caps caps;
	struct weft_admin admin;
	struct weft_eq eqs[WEFT_MAX_EQS];
	u32 n_eqs;
	u32 fw_version;
	spinlock_t now_lock;		/* a read of NOW_LO, and that of NOW_HI, which it latches */
	struct weft_block *chunks, *ring_blocks;	/* weft_chunk.c */
	u32 n_chunks, n_ring_blocks;
	size_t ring_bytes;		/* of all ring_blocks */
	atomic64_t lost_events;

	bool dead;			/* commands fail, nothing is posted; set by anybody, cleared under quiesce_lock */
	bool quiet;			/* dead, and no DMA any more */
	struct mutex quiesce_lock;	/* quiet, and the end of dead */
	struct work_struct dead_work;	/* what follows a death */
	const char *died_of;
	u64 deaths;
	struct weft_crash crash;	/* of the last death */
	struct devlink_health_reporter *health;
	struct devlink_health_reporter *queues;
	bool has_params;
	u8 ring_shift;			/* devlink's parameters, as the last reload found them */
	bool port_map;
	struct delayed_work heartbeat;

	struct mutex state_lock;	/* up, held, removed: bring-up, tear-down, recovery */
	bool up;			/* weft_up has succeeded, weft_down not begun */
	bool held;			/* down until the bus or power management says otherwise */
	bool removed;			/* stays down */

	struct net_device *netdev;
	struct mutex netdev_lock;	/* netdev, against those who come from events */
	struct weft_adev *adev;
	struct mutex client_lock;	/* client and client_ctx, against all callbacks but cq_event and dump */
	struct mutex dump_lock;		/* a dump of the client's; taken before client_lock */
	const struct weft_client __rcu *client;
	void *client_ctx;
	struct work_struct note_work;
	unsigned long notes;		/* bits of enum weft_note */
};

static inline u32 weft_rd(const struct weft_core *core, u32 reg)
{
	return readl(core->bar0 + reg);
}

static inline void weft_wr(const struct weft_core *core, u32 reg, u32 value)
{
	writel(value, core->bar0 + reg);
}

/* weft_main.c */
void weft_bury(struct weft_core *core);
int weft_lay_down(struct weft_core *core);
int weft_recover(struct weft_core *core);
u32 weft_eq_log2(const struct weft_core *core, u32 eqn);

/* weft_health.c */
void weft_health_init(struct weft_core *core);
void weft_health_fini(struct weft_core *core);
u32 weft_fw_state(const struct weft_core *core);
int weft_reset(struct weft_core *core);
const char *weft_core_trouble(struct weft_core *core);
void weft_set_quiet(struct weft_core *core);
void weft_await_quiet(struct weft_core *core);
int weft_set_alive(struct weft_core *core);
void weft_heartbeat_start(struct weft_core *core);
void weft_heartbeat_stop(struct weft_core *core);

/* weft_fw.c */
int weft_load_firmware(struct weft_core *core);
const char *weft_fw_error(u32 status);

/* weft_client.c */
void weft_client_init(struct weft_core *core);
void weft_client_fini(struct weft_core *core);
void weft_client_dump(struct weft_core *core, struct devlink_fmsg *fmsg);
void weft_client_note(struct weft_core *core, u32 note);
void weft_client_event(struct weft_core *core, const __le64 *eqe);
void weft_client_dead(struct weft_core *core);

/* weft_admin.c */
void weft_admin_prepare(struct weft_core *core);
int weft_admin_init(struct weft_core *core);
int weft_admin_hello(struct weft_core *core, __le64 *wants);
void weft_admin_fini(struct weft_core *core);
void weft_admin_abort_all(struct weft_core *core);
int weft_admin_ping(struct weft_core *core);
int weft_admin_read(struct weft_core *core, struct weft_admin_msg *msg, u64 *values, int n);

/* weft_chunk.c */
int weft_chunk_give(struct weft_core *core, const __le64 *wants);

/* weft_eq.c */
int weft_eqs_create(struct weft_core *core);
void weft_eqs_destroy(struct weft_core *core);

/* weft_netdev.c */
int weft_netdev_register(struct weft_core *core);
void weft_netdev_unregister(struct weft_core *core);
int weft_netdev_up(struct weft_core *core);
void weft_netdev_down(struct weft_core *core);
void weft_netdev_dead(struct weft_core *core);
void weft_netdev_link(struct weft_core *core);
void weft_netdev_port(struct weft_core *core, struct weft_port *port);

/* weft_ethtool.c */
extern const struct ethtool_ops weft_ethtool_ops, weft_ethtool_mac_ops;

/* weft_devlink.c */
struct weft_core *weft_devlink_alloc(struct pci_dev *pdev);
void weft_devlink_free(struct weft_core *core);
void weft_devlink_register(struct weft_core *core);
void weft_devlink_unregister(struct weft_core *core);
void weft_devlink_died(struct weft_core *core);
void weft_devlink_state(struct weft_core *core, int rc);

#endif
