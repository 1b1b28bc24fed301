/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Capture files in pcapng (one section, Ethernet, nanoseconds, an interface per port).
 */
#ifndef WEFT_SIM_PCAPNG_H
#define WEFT_SIM_PCAPNG_H

#include <stddef.h>
#include <stdint.h>

struct pcapng;

/* NULL with errno when the file cannot be made. `application` is written to the header. */
struct pcapng *pcapng_open(const char *path, const char *application);

/* A new interface; returns its number, counted from 0. To be called before its first frame. */
uint32_t pcapng_interface(struct pcapng *p, const char *name);

/* One frame without FCS at time `ns`; `comment` may be NULL. Write errors stop the capture. */
void pcapng_frame(struct pcapng *p, uint32_t interface, uint64_t ns, const void *frame, size_t len,
		  const char *comment);

/* Everything so far reaches the file. */
void pcapng_flush(struct pcapng *p);
void pcapng_close(struct pcapng *p);

#endif
