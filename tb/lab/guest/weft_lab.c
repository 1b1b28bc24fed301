// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * For tests in a guest with a stock kernel, whose fault injection is switched off.
 *
 * symbol=NAME [ret=N] [skip=N] [times=N] [comm=NAME] [arg2=N] [byte2=N]
 *     calls of this function are not made and return N: after the first `skip` ones, `times` of them
 *     (-1: all), only of tasks of that name, only with that second argument. Taking the module out
 *     ends it; parameter `hits` counts.
 *     byte2: only those whose second argument points to this byte. after=1: they are made, and return
 *     N all the same.
 * reg=OFFSET value=N
 *     writes a 32-bit register of the first card and stays out (-EAGAIN).
 */
#include <linux/io.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/pci.h>
#include <asm/linkage.h>
#include <asm/ibt.h>

static char *symbol, *comm;
static long ret, arg2 = -1;
static int skip, times = -1, reg = -1, hits, byte2 = -1, after;
static uint value;
module_param(symbol, charp, 0444);
module_param(comm, charp, 0444);
module_param(ret, long, 0444);
module_param(arg2, long, 0444);
module_param(skip, int, 0444);
module_param(times, int, 0444);
module_param(reg, int, 0444);
module_param(byte2, int, 0444);
module_param(after, int, 0444);
module_param(value, uint, 0444);
module_param(hits, int, 0444);

static atomic_t calls;

/* what is called instead; ax is set by the probe */
asm(".text\n"
    ".type weft_lab_ret, @function\n"
    "weft_lab_ret:\n"
    ASM_ENDBR
    ASM_RET
    ".size weft_lab_ret, .-weft_lab_ret\n");
void weft_lab_ret(void);

static bool weft_lab_meant(const struct pt_regs *regs)
{
	int n;

	if (comm && strcmp(current->comm, comm))
		return false;
	if (arg2 >= 0 && regs->si != arg2)
		return false;
	if (byte2 >= 0 && *(const u8 *)regs->si != byte2)
		return false;
	n = atomic_inc_return(&calls) - 1;
	if (n < skip || (times >= 0 && n >= skip + times))
		return false;
	hits++;
	return true;
}

static int weft_lab_pre(struct kprobe *p, struct pt_regs *regs)
{
	if (!weft_lab_meant(regs))
		return 0;
	regs->ax = ret;
	regs->ip = (unsigned long)weft_lab_ret;
	return 1;
}

/* a probe that has this is not turned into a jump, which could not change the path */
static void weft_lab_post(struct kprobe *p, struct pt_regs *regs, unsigned long flags)
{
}

static struct kprobe probe = {
	.pre_handler = weft_lab_pre,
	.post_handler = weft_lab_post,
};

static int weft_lab_entry(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	return !weft_lab_meant(regs); /* not 0: its return is of no interest */
}

static int weft_lab_return(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	regs->ax = ret;
	return 0;
}

static struct kretprobe ret_probe = {
	.entry_handler = weft_lab_entry,
	.handler = weft_lab_return,
	.maxactive = 64,
};

static int weft_lab_write(void)
{
	struct pci_dev *pdev = pci_get_device(0x1e57, 0x5746, NULL);
	void __iomem *bar;

	if (!pdev)
		return -ENODEV;
	bar = ioremap(pci_resource_start(pdev, 0), pci_resource_len(pdev, 0));
	pci_dev_put(pdev);
	if (!bar)
		return -ENOMEM;
	writel(value, bar + reg);
	iounmap(bar);
	return -EAGAIN;
}

static int weft_lab_probe(const char *name)
{
	if (after) {
		ret_probe.kp.symbol_name = name;
		return register_kretprobe(&ret_probe);
	}
	probe.symbol_name = name;
	return register_kprobe(&probe);
}

static int __init weft_lab_init(void)
{
	const char *colon = symbol ? strchr(symbol, ':') : NULL;
	int rc;

	if (reg >= 0)
		return weft_lab_write();
	rc = weft_lab_probe(symbol);
	/* a module of the stock kernel that is built into this one */
	if (rc == -ENOENT && colon)
		rc = weft_lab_probe(colon + 1);
	return rc;
}

static void __exit weft_lab_exit(void)
{
	if (after)
		unregister_kretprobe(&ret_probe);
	else
		unregister_kprobe(&probe);
}

module_init(weft_lab_init);
module_exit(weft_lab_exit);
MODULE_DESCRIPTION("faults for the tests of the lab");
MODULE_LICENSE("Dual BSD/GPL");
