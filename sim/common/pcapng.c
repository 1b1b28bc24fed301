/* SPDX-License-Identifier: BSD-2-Clause */
#include "pcapng.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util.h"

/* Block and option codes of the pcapng format; numbers are in this machine's order. */
enum {
	BLOCK_SECTION = 0x0a0d0d0a,
	BLOCK_INTERFACE = 1,
	BLOCK_PACKET = 6,
	BYTE_ORDER_MAGIC = 0x1a2b3c4d,
	LINKTYPE_ETHERNET = 1,
	OPT_END = 0,
	OPT_COMMENT = 1,
	OPT_IF_NAME = 2,
	OPT_IF_TSRESOL = 9,
	OPT_SHB_USERAPPL = 4,
};

struct pcapng {
	FILE *file;
	uint32_t interfaces;
	/* The block under construction. */
	uint8_t *block;
	size_t len, room;
};

static void put(struct pcapng *p, const void *bytes, size_t len)
{
	size_t padded = (len + 3) & ~(size_t)3;

	if (p->len + padded > p->room) {
		p->room = (p->len + padded) * 2;
		p->block = xrealloc(p->block, p->room);
	}
	memset(p->block + p->len, 0, padded);
	if (len)
		memcpy(p->block + p->len, bytes, len);
	p->len += padded;
}

static void put32(struct pcapng *p, uint32_t value)
{
	put(p, &value, 4);
}

static void put_option(struct pcapng *p, uint16_t code, const void *bytes, size_t len)
{
	uint16_t head[2] = { code, (uint16_t)len };

	put(p, head, 4);
	put(p, bytes, len);
}

static void begin(struct pcapng *p, uint32_t type)
{
	p->len = 0;
	put32(p, type);
	put32(p, 0);
}

static void end(struct pcapng *p)
{
	uint32_t total = (uint32_t)p->len + 4;

	put32(p, total);
	memcpy(p->block + 4, &total, 4);
	if (p->file && fwrite(p->block, 1, p->len, p->file) != p->len) {
		warn("capture file cannot be written: capture stopped");
		fclose(p->file);
		p->file = NULL;
	}
}

struct pcapng *pcapng_open(const char *path, const char *application)
{
	FILE *file = fopen(path, "wb");
	struct pcapng *p;
	int64_t unknown = -1;
	uint16_t version[2] = { 1, 0 };

	if (!file)
		return NULL;
	p = xcalloc(1, sizeof(*p));
	p->file = file;
	begin(p, BLOCK_SECTION);
	put32(p, BYTE_ORDER_MAGIC);
	put(p, version, 4);
	put(p, &unknown, 8);
	put_option(p, OPT_SHB_USERAPPL, application, strlen(application));
	put_option(p, OPT_END, NULL, 0);
	end(p);
	return p;
}

uint32_t pcapng_interface(struct pcapng *p, const char *name)
{
	uint16_t link[2] = { LINKTYPE_ETHERNET, 0 };
	uint8_t resolution = 9;

	begin(p, BLOCK_INTERFACE);
	put(p, link, 4);
	put32(p, 0); /* no snapshot length */
	put_option(p, OPT_IF_NAME, name, strlen(name));
	put_option(p, OPT_IF_TSRESOL, &resolution, 1);
	put_option(p, OPT_END, NULL, 0);
	end(p);
	return p->interfaces++;
}

void pcapng_frame(struct pcapng *p, uint32_t interface, uint64_t ns, const void *frame, size_t len,
		  const char *comment)
{
	begin(p, BLOCK_PACKET);
	put32(p, interface);
	put32(p, (uint32_t)(ns >> 32));
	put32(p, (uint32_t)ns);
	put32(p, (uint32_t)len);
	put32(p, (uint32_t)len);
	put(p, frame, len);
	if (comment) {
		put_option(p, OPT_COMMENT, comment, strlen(comment));
		put_option(p, OPT_END, NULL, 0);
	}
	end(p);
}

void pcapng_flush(struct pcapng *p)
{
	if (p->file)
		fflush(p->file);
}

void pcapng_close(struct pcapng *p)
{
	if (!p)
		return;
	if (p->file)
		fclose(p->file);
	free(p->block);
	free(p);
}
