// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The admin queue: a ring of 64-byte commands, a ring of 64-byte responses, both in host memory.
 * A command owns a slot (its TAG) until its response has come, so neither ring can overflow. A
 * command that is not answered ends the card (weft_core_quiesce), so that nothing of it comes later;
 * one whose answer is that the object has not drained yet has failed, and may be given again.
 */
#include <linux/dma-mapping.h>
#include <linux/interrupt.h>
#include <linux/random.h>

#include "weft.h"

#define WEFT_ADMIN_TIMEOUT (8 * HZ) /* with the heartbeat: a dead card is known in 10 s */
#define WEFT_CM_BUF_BYTES WEFT_ADMIN_CM_BUF_BYTES
#define WEFT_ADMIN_FAILED "a command failed for good"

static int weft_admin_errno(u64 status)
{
	switch (status) {
	case WEFT_ADMIN_STATUS_OK:
		return 0;
	case WEFT_ADMIN_STATUS_BAD_OP:
		return -EOPNOTSUPP;
	case WEFT_ADMIN_STATUS_BAD_STATE:
		return -EBUSY;
	case WEFT_ADMIN_STATUS_NO_RESOURCE:
		return -ENOMEM;
	case WEFT_ADMIN_STATUS_IN_USE:
		return -EADDRINUSE;
	case WEFT_ADMIN_STATUS_NOT_FOUND:
		return -ENOENT;
	case WEFT_ADMIN_STATUS_DMA:
		return -EREMOTEIO;
	case WEFT_ADMIN_STATUS_TIMEOUT:
		return -ETIMEDOUT;
	case WEFT_ADMIN_STATUS_HARDWARE:
		return -EIO;
	default:
		return -EINVAL;
	}
}

static void weft_admin_take(struct weft_core *core, const __le64 *rsp)
{
	struct weft_admin *aq = &core->admin;
	u32 tag = WEFT_GET(rsp, ADMIN_RSP_TAG);
	struct weft_admin_slot *slot;

	if (tag >= WEFT_ADMIN_ENTRIES || !aq->slots[tag].busy) {
		dev_warn_ratelimited(&core->pdev->dev, "admin response with unknown tag %u\n", tag);
		return;
	}
	slot = &aq->slots[tag];
	slot->busy = false;
	memcpy(slot->msg->rsp, rsp, WEFT_ADMIN_RSP_BYTES);
	slot->result = weft_admin_errno(WEFT_GET(rsp, ADMIN_RSP_STATUS));
	if (!slot->result && slot->msg->out)
		memcpy(slot->msg->out, aq->cm_buf + (size_t)tag * WEFT_CM_BUF_BYTES,
		       slot->msg->out_len);
	complete(&slot->done);
}

static void weft_admin_poll(struct weft_core *core)
{
	struct weft_admin *aq = &core->admin;
	unsigned long flags;

	spin_lock_irqsave(&aq->lock, flags);
	while (aq->up) {
		const __le64 *rsp = aq->cq + (aq->ci & (WEFT_ADMIN_ENTRIES - 1)) *
				    WEFT_WORDS(ADMIN_RSP);
		bool phase = !(aq->ci & WEFT_ADMIN_ENTRIES);

		if (WEFT_GET(rsp, ADMIN_RSP_PHASE) != phase)
			break;
		dma_rmb(); /* the body is older than the phase bit */
		weft_admin_take(core, rsp);
		aq->ci++;
	}
	spin_unlock_irqrestore(&aq->lock, flags);
}

static irqreturn_t weft_admin_irq(int irq, void *data)
{
	weft_admin_poll(data);
	return IRQ_HANDLED;
}

/* A slot that was another command's: what this one does not say in it is zero. */
static void weft_admin_put_buf(u8 *buf, const struct weft_admin_msg *msg)
{
	if (!msg->peer_len && !msg->pdata_len)
		return;
	memset(buf, 0, WEFT_CM_BUF_BYTES);
	memcpy(buf + WEFT_ADMIN_CM_BUF_PEER_ADDR_OFF, msg->peer, msg->peer_len);
	memcpy(buf + WEFT_ADMIN_CM_BUF_PRIVATE_DATA_OFF, msg->pdata, msg->pdata_len);
}

static int weft_admin_submit(struct weft_core *core, struct weft_admin_msg *msg, u32 *tag)
{
	struct weft_admin *aq = &core->admin;
	struct weft_admin_slot *slot;
	unsigned long flags;
	u32 i;

	spin_lock_irqsave(&aq->lock, flags);
	if (!aq->up || weft_core_dead(core)) {
		spin_unlock_irqrestore(&aq->lock, flags);
		return -EIO;
	}
	for (i = 0; i < WEFT_ADMIN_ENTRIES && (aq->slots[i].busy || aq->slots[i].msg); i++)
		;
	if (WARN_ON_ONCE(i == WEFT_ADMIN_ENTRIES)) {
		spin_unlock_irqrestore(&aq->lock, flags);
		return -EIO;
	}
	slot = &aq->slots[i];
	reinit_completion(&slot->done);
	slot->msg = msg;
	slot->busy = true;
	slot->result = -EIO;
	WEFT_PUT(msg->cmd, ADMIN_CMD_TAG, i);
	weft_admin_put_buf(aq->cm_buf + (size_t)i * WEFT_CM_BUF_BYTES, msg);
	memcpy(aq->sq + (aq->pi & (WEFT_ADMIN_ENTRIES - 1)) * WEFT_WORDS(ADMIN_CMD), msg->cmd,
	       WEFT_ADMIN_CMD_BYTES);
	aq->pi++;
	weft_wr(core, WEFT_REG_ADMIN_DB, aq->pi); /* writel orders the ring before the doorbell */
	spin_unlock_irqrestore(&aq->lock, flags);
	*tag = i;
	return 0;
}

static int weft_admin_wait(struct weft_core *core, u32 tag)
{
	struct weft_admin *aq = &core->admin;
	struct weft_admin_slot *slot = &aq->slots[tag];
	unsigned long flags, end = jiffies + WEFT_ADMIN_TIMEOUT;
	const char *why = NULL;
	int result;

	/* a lost interrupt costs a second, not the command; an absent card is noticed as soon */
	while (!why && !wait_for_completion_timeout(&slot->done, HZ)) {
		weft_admin_poll(core);
		if (try_wait_for_completion(&slot->done))
			break;
		why = weft_core_trouble(core);
		if (!why && time_after(jiffies, end))
			why = "a command was not answered";
	}
	if (why)
		weft_core_quiesce(core, why);
	spin_lock_irqsave(&aq->lock, flags);
	result = slot->result;
	slot->msg = NULL;
	slot->busy = false;
	spin_unlock_irqrestore(&aq->lock, flags);
	/* before the place is free: weft_admin_fini waits for it, so this cannot be a card that came back */
	if (result == -EIO)
		weft_core_quiesce(core, WEFT_ADMIN_FAILED);
	up(&aq->free);
	return result;
}

int weft_admin_begin(struct weft_core *core, struct weft_admin_msg *msg)
{
	u32 tag;
	int rc;

	if (msg->peer_len > WEFT_ADMIN_CM_BUF_PEER_ADDR_WIDTH / 8 ||
	    msg->pdata_len > WEFT_MAX_PRIVATE_DATA || msg->out_len > WEFT_CM_BUF_BYTES)
		return -EINVAL;
	/* whoever has one gives it back in time, or the card is dead: a long queue is no death */
	while (!weft_core_dead(core)) {
		if (down_timeout(&core->admin.free, WEFT_ADMIN_TIMEOUT))
			continue;
		rc = weft_admin_submit(core, msg, &tag);
		if (!rc)
			return tag;
		weft_core_quiesce(core, WEFT_ADMIN_FAILED); /* as in weft_admin_wait */
		up(&core->admin.free);
		return rc;
	}
	weft_await_quiet(core);
	return -EIO;
}
EXPORT_SYMBOL_GPL(weft_admin_begin);

bool weft_admin_answered(struct weft_core *core, u32 tag)
{
	return completion_done(&core->admin.slots[tag].done);
}
EXPORT_SYMBOL_GPL(weft_admin_answered);

int weft_admin_end(struct weft_core *core, struct weft_admin_msg *msg, u32 tag)
{
	int rc = weft_admin_wait(core, tag);

	if (rc && rc != -EIO)
		dev_dbg(&core->pdev->dev, "admin op %llu: %d, detail %llu\n",
			WEFT_GET(msg->cmd, ADMIN_CMD_OP), rc,
			WEFT_GET(msg->rsp, ADMIN_RSP_DETAIL));
	return rc;
}
EXPORT_SYMBOL_GPL(weft_admin_end);

int weft_admin_exec(struct weft_core *core, struct weft_admin_msg *msg)
{
	int tag = weft_admin_begin(core, msg);

	return tag < 0 ? tag : weft_admin_end(core, msg, tag);
}
EXPORT_SYMBOL_GPL(weft_admin_exec);

/*
 * A command whose answer is @n 64-bit values in host memory: BUF_ADDR and BYTES, which admin_buf and admin_port have at one
 * place, are set here. A command that was not answered in time has made the card quiet, so the buffer can go. Counters are
 * asked for by anybody, at any rate and behind locks of the stack: of a dead card they cost neither memory nor a wait.
 */
int weft_admin_read(struct weft_core *core, struct weft_admin_msg *msg, u64 *values, int n)
{
	dma_addr_t dma;
	__le64 *buf;
	int i, rc;

	static_assert(WEFT_ADMIN_BUF_BUF_ADDR_LSB == WEFT_ADMIN_PORT_BUF_ADDR_LSB);
	static_assert(WEFT_ADMIN_BUF_BYTES_LSB == WEFT_ADMIN_PORT_BYTES_LSB);
	if (weft_core_dead(core))
		return -EIO;
	buf = dma_alloc_coherent(&core->pdev->dev, n * sizeof(*buf), &dma, GFP_KERNEL);
	if (!buf)
		return -ENOMEM;
	WEFT_PUT(msg->cmd, ADMIN_BUF_BUF_ADDR, dma);
	WEFT_PUT(msg->cmd, ADMIN_BUF_BYTES, n * sizeof(*buf));
	rc = weft_admin_exec(core, msg);
	for (i = 0; !rc && i < n; i++)
		values[i] = le64_to_cpu(buf[i]);
	dma_free_coherent(&core->pdev->dev, n * sizeof(*buf), buf, dma);
	return rc;
}

/* The card is dead and quiet: whoever waits gets -EIO at once. */
void weft_admin_abort_all(struct weft_core *core)
{
	struct weft_admin *aq = &core->admin;
	unsigned long flags;
	int i;

	spin_lock_irqsave(&aq->lock, flags);
	for (i = 0; i < WEFT_ADMIN_ENTRIES; i++)
		if (aq->slots[i].busy && aq->slots[i].msg)
			complete(&aq->slots[i].done);
	spin_unlock_irqrestore(&aq->lock, flags);
}

int weft_admin_ping(struct weft_core *core)
{
	struct weft_admin_msg msg = {};

	WEFT_PUT(msg.cmd, ADMIN_CMD_OP, WEFT_ADMIN_OP_NOP);
	return weft_admin_exec(core, &msg);
}

/*
 * The first command: random bytes, and where connection buffers lie. wants: struct admin_wants of the
 * answer.
 */
int weft_admin_hello(struct weft_core *core, __le64 *wants)
{
	struct weft_admin_msg msg = {};
	int rc;

	WEFT_PUT(msg.cmd, ADMIN_CMD_OP, WEFT_ADMIN_OP_INIT);
	get_random_bytes(WEFT_BYTES(msg.cmd, ADMIN_INIT_SEED), WEFT_ADMIN_INIT_SEED_WIDTH / 8);
	WEFT_PUT(msg.cmd, ADMIN_INIT_CM_BUF, core->admin.cm_buf_dma);
	WEFT_PUT(msg.cmd, ADMIN_INIT_RING_SHIFT, core->ring_shift);
	rc = weft_admin_exec(core, &msg);
	memcpy(wants, WEFT_BYTES(msg.rsp, ADMIN_RSP_DATA), WEFT_ADMIN_WANTS_BYTES);
	return rc;
}

void weft_admin_prepare(struct weft_core *core)
{
	struct weft_admin *aq = &core->admin;
	int i;

	spin_lock_init(&aq->lock);
	sema_init(&aq->free, WEFT_ADMIN_ENTRIES);
	for (i = 0; i < WEFT_ADMIN_ENTRIES; i++)
		init_completion(&aq->slots[i].done);
}

/* Once; a card that dies and comes back uses it again. */
static int weft_admin_alloc(struct weft_core *core)
{
	struct weft_admin *aq = &core->admin;
	struct device *dev = &core->pdev->dev;

	if (aq->cm_buf)
		return 0;
	aq->sq = dmam_alloc_coherent(dev, WEFT_ADMIN_ENTRIES * WEFT_ADMIN_CMD_BYTES, &aq->sq_dma,
				     GFP_KERNEL);
	aq->cq = dmam_alloc_coherent(dev, WEFT_ADMIN_ENTRIES * WEFT_ADMIN_RSP_BYTES, &aq->cq_dma,
				     GFP_KERNEL);
	if (!aq->sq || !aq->cq)
		return -ENOMEM;
	aq->cm_buf = dmam_alloc_coherent(dev, WEFT_ADMIN_ENTRIES * WEFT_CM_BUF_BYTES,
					 &aq->cm_buf_dma, GFP_KERNEL);
	return aq->cm_buf ? 0 : -ENOMEM;
}

int weft_admin_init(struct weft_core *core)
{
	struct weft_admin *aq = &core->admin;
	int rc;

	rc = weft_admin_alloc(core);
	if (rc)
		return rc;
	memset(aq->cq, 0, WEFT_ADMIN_ENTRIES * WEFT_ADMIN_RSP_BYTES); /* phase bits */
	aq->pi = 0;
	aq->ci = 0;
	rc = request_irq(pci_irq_vector(core->pdev, WEFT_VEC_ADMIN), weft_admin_irq, 0,
			 "weft-admin", core);
	if (rc)
		return rc;
	weft_wr(core, WEFT_REG_ADMIN_SQ_LO, lower_32_bits(aq->sq_dma));
	weft_wr(core, WEFT_REG_ADMIN_SQ_HI, upper_32_bits(aq->sq_dma));
	weft_wr(core, WEFT_REG_ADMIN_CQ_LO, lower_32_bits(aq->cq_dma));
	weft_wr(core, WEFT_REG_ADMIN_CQ_HI, upper_32_bits(aq->cq_dma));
	weft_wr(core, WEFT_REG_ADMIN_VECTOR, WEFT_VEC_ADMIN);
	weft_wr(core, WEFT_REG_ADMIN_LOG2, WEFT_ADMIN_LOG2);
	aq->up = true;
	return 0;
}

/* The card is quiet: commands fail at once, and those who have begun one are waited for. */
void weft_admin_fini(struct weft_core *core)
{
	struct weft_admin *aq = &core->admin;
	unsigned long flags;
	int i;

	spin_lock_irqsave(&aq->lock, flags);
	aq->up = false;
	spin_unlock_irqrestore(&aq->lock, flags);
	free_irq(pci_irq_vector(core->pdev, WEFT_VEC_ADMIN), core);
	for (i = 0; i < WEFT_ADMIN_ENTRIES; i++)
		down(&aq->free);
	for (i = 0; i < WEFT_ADMIN_ENTRIES; i++)
		up(&aq->free);
}
