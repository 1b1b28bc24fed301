// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Tells the lab's root complex what memory of this guest is a Weft card's: every map, unmap, allocation and free of DMA memory that
 * the kernel's dma trace events show for the card, written to a debug port that a card of the lab has in BAR 1 (sim/nic/judge.h).
 * Only for tests; loaded before the driver, so that it sees all of them.
 */
#include <linux/device.h>
#include <linux/io.h>
#include <linux/module.h>
#include <linux/pci.h>
#include <linux/scatterlist.h>
#include <linux/tracepoint.h>

#include "judge_port.h"
#include "weft_abi.h"

static struct pci_dev *card;
static void __iomem *port;
static DEFINE_RAW_SPINLOCK(port_lock);

/* Addresses in the guest are bus addresses: it has no IOMMU. */
static void tell(struct device *dev, u64 addr, u64 len, enum dma_data_direction dir, u32 what)
{
	u32 rights = dir == DMA_TO_DEVICE ? JUDGE_CARD_READS :
		     dir == DMA_FROM_DEVICE ? JUDGE_CARD_WRITES : JUDGE_CARD_READS | JUDGE_CARD_WRITES;
	unsigned long flags;

	if (!card || dev != &card->dev || !len)
		return;
	raw_spin_lock_irqsave(&port_lock, flags);
	writel(lower_32_bits(addr), port + JUDGE_ADDR_LO);
	writel(upper_32_bits(addr), port + JUDGE_ADDR_HI);
	writel(lower_32_bits(len), port + JUDGE_LEN_LO);
	writel(upper_32_bits(len), port + JUDGE_LEN_HI);
	writel(what | rights, port + JUDGE_COMMAND);
	raw_spin_unlock_irqrestore(&port_lock, flags);
}

static void on_map(void *data, struct device *dev, phys_addr_t phys, dma_addr_t addr, size_t size, enum dma_data_direction dir,
		   unsigned long attrs)
{
	tell(dev, addr, size, dir, JUDGE_GIVE);
}

static void on_unmap(void *data, struct device *dev, dma_addr_t addr, size_t size, enum dma_data_direction dir, unsigned long attrs)
{
	tell(dev, addr, size, dir, JUDGE_TAKE);
}

static void on_alloc(void *data, struct device *dev, void *virt, dma_addr_t addr, size_t size, enum dma_data_direction dir,
		     gfp_t flags, unsigned long attrs)
{
	if (virt)
		tell(dev, addr, PAGE_ALIGN(size), dir, JUDGE_GIVE);
}

static void on_free(void *data, struct device *dev, void *virt, dma_addr_t addr, size_t size, enum dma_data_direction dir,
		    unsigned long attrs)
{
	tell(dev, addr, PAGE_ALIGN(size), dir, JUDGE_TAKE);
}

static void scattered(struct device *dev, struct scatterlist *sgl, int ents, enum dma_data_direction dir, u32 what)
{
	struct scatterlist *sg;
	int i;

	if (!card || dev != &card->dev)
		return;
	for_each_sg(sgl, sg, ents, i)
		tell(dev, sg_dma_address(sg), sg_dma_len(sg), dir, what);
}

static void on_map_sg(void *data, struct device *dev, struct scatterlist *sgl, int nents, int ents, enum dma_data_direction dir,
		      unsigned long attrs)
{
	scattered(dev, sgl, ents, dir, JUDGE_GIVE);
}

/* Direct mapping: as many entries as were mapped. */
static void on_unmap_sg(void *data, struct device *dev, struct scatterlist *sgl, int nents, enum dma_data_direction dir,
			unsigned long attrs)
{
	scattered(dev, sgl, nents, dir, JUDGE_TAKE);
}

static struct {
	const char *name;
	void *probe;
	bool optional;
	struct tracepoint *tp;
} events[] = {
	{ "dma_map_page", on_map },	{ "dma_unmap_page", on_unmap },
	{ "dma_map_resource", on_map }, { "dma_unmap_resource", on_unmap },
	{ "dma_alloc", on_alloc },	{ "dma_free", on_free },
	{ "dma_alloc_pages", on_alloc, true }, { "dma_free_pages", on_free, true },
	{ "dma_map_sg", on_map_sg },	{ "dma_unmap_sg", on_unmap_sg },
};

static void look_for(struct tracepoint *tp, void *arg)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(events); i++)
		if (!strcmp(tp->name, events[i].name))
			events[i].tp = tp;
}

static void stop(unsigned int count)
{
	while (count--)
		if (events[count].tp)
			tracepoint_probe_unregister(events[count].tp, events[count].probe, NULL);
	tracepoint_synchronize_unregister();
}

static int __init weft_judge_init(void)
{
	unsigned int i;
	int rc;

	card = pci_get_device(WEFT_PCI_VENDOR_ID, WEFT_PCI_DEVICE_ID, NULL);
	if (!card || pci_resource_len(card, 1) < JUDGE_BYTES)
		goto none;
	rc = pci_enable_device_mem(card);
	if (rc)
		goto err_card;
	port = ioremap(pci_resource_start(card, 1), JUDGE_BYTES);
	rc = -ENOMEM;
	if (!port)
		goto err_enable;
	rc = -ENODEV;
	if (readl(port + JUDGE_ID) != JUDGE_MAGIC)
		goto err_map;
	for_each_kernel_tracepoint(look_for, NULL);
	for (i = 0; i < ARRAY_SIZE(events); i++) {
		if (!events[i].tp && events[i].optional)
			continue;
		rc = events[i].tp ? tracepoint_probe_register(events[i].tp, events[i].probe, NULL) : -ENOENT;
		if (rc) {
			pr_err("weft_judge: no trace event %s: %d\n", events[i].name, rc);
			stop(i);
			goto err_map;
		}
	}
	writel(1, port + JUDGE_ARM);
	return 0;

err_map:
	iounmap(port);
err_enable:
	pci_disable_device(card);
err_card:
	pci_dev_put(card);
	return rc;
none:
	pci_dev_put(card);
	return -ENODEV;
}

static void __exit weft_judge_exit(void)
{
	stop(ARRAY_SIZE(events));
	writel(0, port + JUDGE_ARM);
	iounmap(port);
	pci_disable_device(card);
	pci_dev_put(card);
}

module_init(weft_judge_init);
module_exit(weft_judge_exit);
MODULE_DESCRIPTION("Reports a Weft card's DMA mappings to the lab's root complex");
MODULE_LICENSE("Dual BSD/GPL");
