/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * PCI Express configuration space of the simulated card: type 0 header, power management, PCI
 * Express endpoint, MSI-X, device serial number. On a board the hard block holds all this.
 */
#ifndef WEFT_SIM_VFIO_CONFIG_H
#define WEFT_SIM_VFIO_CONFIG_H

#include <stdbool.h>
#include <stdint.h>

#define CONFIG_BYTES 4096u
#define CONFIG_BARS 6

/* What the card is. */
struct config_identity {
	uint16_t subsystem;
	uint64_t mac;                    /* for the serial number; byte 0 in bits 7:0 */
	uint32_t vectors;                /* MSI-X, 1 to 2048 */
	uint64_t bar_bytes[CONFIG_BARS]; /* powers of two; 0: none */
	uint8_t bar_type[CONFIG_BARS];   /* enum config_bar; a 64-bit BAR takes the next one too */
};
enum config_bar { BAR_MEM32 = 0, BAR_MEM64 = 4, BAR_PREFETCH = 8 };

/* What the core sees of it. */
struct config_state {
	bool memory_enable, bus_master, ext_tag, rcb128, msix_enable, msix_mask;
	uint8_t mps, mrrs; /* encoded as in Device Control: 128 << n */
};

struct config {
	struct config_identity id;
	uint8_t space[CONFIG_BYTES];
	uint8_t writable[CONFIG_BYTES];
	uint8_t write1clear[CONFIG_BYTES];
	int express, msix, power; /* offsets of the capabilities */
};

void config_init(struct config *c, const struct config_identity *id);
/* Back to the state after a reset. */
void config_reset(struct config *c);

/* The caller keeps offset + len within CONFIG_BYTES. A write answers true when it asks for a
 * function-level reset. */
void config_read(const struct config *c, uint32_t offset, void *bytes, uint32_t len);
bool config_write(struct config *c, uint32_t offset, const void *bytes, uint32_t len);

struct config_state config_state(const struct config *c);

#endif
