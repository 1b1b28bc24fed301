/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Names of the 64-bit counters of room STATS, in their order: counter i is at byte 8 * i.
 */
#ifndef WEFT_SIM_NIC_COUNTERS_H
#define WEFT_SIM_NIC_COUNTERS_H

extern const char *const counter_names[];
extern const unsigned int counter_count;

#endif
