/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The vfio-user protocol, version 0.0, as far as a PCI device needs it: messages over a UNIX
 * stream socket, descriptors beside them. All numbers little endian (the machine's own).
 */
#ifndef WEFT_SIM_VFIO_PROTO_H
#define WEFT_SIM_VFIO_PROTO_H

#include <stdint.h>

enum vu_command {
	VU_VERSION = 1,
	VU_DMA_MAP = 2,
	VU_DMA_UNMAP = 3,
	VU_DEVICE_GET_INFO = 4,
	VU_DEVICE_GET_REGION_INFO = 5,
	VU_DEVICE_GET_IRQ_INFO = 7,
	VU_DEVICE_SET_IRQS = 8,
	VU_REGION_READ = 9,
	VU_REGION_WRITE = 10,
	VU_DEVICE_RESET = 13,
};

enum {
	VU_FLAG_TYPE = 0xf,
	VU_FLAG_REPLY = 0x1,
	VU_FLAG_NO_REPLY = 0x10,
	VU_FLAG_ERROR = 0x20,
};

struct vu_header {
	uint16_t id;
	uint16_t command;
	uint32_t size; /* of the whole message */
	uint32_t flags;
	uint32_t error; /* errno, in replies */
};

struct vu_version {
	uint16_t major, minor; /* a JSON object as a C string follows */
};

enum { VU_DMA_READ = 1, VU_DMA_WRITE = 2 };
struct vu_dma_map {
	uint32_t argsz, flags;
	uint64_t offset, address, size;
};

enum { VU_UNMAP_DIRTY = 1, VU_UNMAP_ALL = 2 };
struct vu_dma_unmap {
	uint32_t argsz, flags;
	uint64_t address, size;
};

enum { VU_DEVICE_RESETS = 1, VU_DEVICE_PCI = 2 };
struct vu_device_info {
	uint32_t argsz, flags, regions, irqs;
};

enum { VU_REGION_READS = 1, VU_REGION_WRITES = 2 };
enum { VU_REGION_CONFIG = 7, VU_REGIONS = 9 };
struct vu_region_info {
	uint32_t argsz, flags, index, cap_offset;
	uint64_t size, offset;
};

enum { VU_IRQ_EVENTFD = 1, VU_IRQ_NORESIZE = 8 };
enum { VU_IRQ_MSIX = 2, VU_IRQS = 5 };
struct vu_irq_info {
	uint32_t argsz, flags, index, count;
};

enum {
	VU_SET_DATA_NONE = 1,
	VU_SET_DATA_BOOL = 2,
	VU_SET_DATA_EVENTFD = 4,
	VU_SET_MASK = 8,
	VU_SET_UNMASK = 16,
	VU_SET_TRIGGER = 32,
};
struct vu_set_irqs {
	uint32_t argsz, flags, index, start, count;
};

struct vu_region_access {
	uint64_t offset;
	uint32_t region, count;
};

#endif
