/* SPDX-License-Identifier: BSD-2-Clause */
/* Capture files: pcap and pcapng, from memory. Nothing in a file is trusted. */
#include <stdio.h>
#include <string.h>

#include "judge.h"

struct file {
	const uint8_t *p;
	size_t n;
	bool swap;
};

static uint32_t get16(const struct file *f, size_t at)
{
	return f->swap ? (uint32_t)f->p[at] << 8 | f->p[at + 1] : (uint32_t)f->p[at + 1] << 8 | f->p[at];
}
static uint32_t get32(const struct file *f, size_t at)
{
	return f->swap ? get16(f, at) << 16 | get16(f, at + 2) : get16(f, at + 2) << 16 | get16(f, at);
}

static const char *read_pcap(struct judge_capture *c, struct file *f, bool nano)
{
	size_t at = 24;

	if (f->n < 24)
		return "shorter than its header";
	if ((get32(f, 20) & 0xffff) != 1)
		return "not Ethernet";
	while (at + 16 <= f->n) {
		uint64_t ns = get32(f, at) * UINT64_C(1000000000) + (uint64_t)get32(f, at + 4) * (nano ? 1 : 1000);
		size_t have = get32(f, at + 8), len = get32(f, at + 12);

		at += 16;
		if (have > f->n - at)
			return "ends inside a frame";
		if (have < len)
			return "frames are cut (snapshot length)";
		c->frame(c->arg, ns, f->p + at, have, "");
		at += have;
	}
	return at == f->n ? NULL : "ends inside a frame header";
}

static uint64_t to_ns(uint64_t t, unsigned int resolution)
{
	if (resolution & 0x80) {
		unsigned int shift = resolution & 0x7f;

		return shift > 63 ? 0 : (uint64_t)((unsigned __int128)t * 1000000000u >> shift);
	}
	for (; resolution < 9; resolution++)
		t *= 10;
	for (; resolution > 9; resolution--)
		t /= 10;
	return t;
}

/* Option `code` in [at, end): its bytes, NULL when there is none. */
static const uint8_t *option(const struct file *f, size_t at, size_t end, unsigned int code, size_t *len)
{
	while (at + 4 <= end) {
		size_t n = get16(f, at + 2);

		if (n > end - at - 4 || !get16(f, at))
			break;
		if (get16(f, at) == code) {
			*len = n;
			return f->p + at + 4;
		}
		at += 4 + ((n + 3) & ~(size_t)3);
	}
	return NULL;
}

#define INTERFACES 4096
static const char *read_pcapng(struct judge_capture *c, struct file *f)
{
	static uint8_t resolution[INTERFACES], ethernet[INTERFACES];
	unsigned int interfaces = 0;
	size_t at = 0;

	while (at + 12 <= f->n) {
		uint32_t type = get32(f, at);
		size_t total, end, n;
		const uint8_t *o;
		char comment[128] = "";

		if (!memcmp(f->p + at, "\x0a\x0d\x0d\x0a", 4)) {
			if (at + 28 > f->n)
				return "ends inside a section header";
			f->swap = f->p[at + 8] == 0x1a;
			if (get32(f, at + 8) != 0x1a2b3c4d)
				return "unknown byte order";
			type = 0x0a0d0d0a;
			interfaces = 0;
		}
		total = get32(f, at + 4);
		if (total < 12 || total % 4 || total > f->n - at || get32(f, at + total - 4) != total)
			return "a block with a wrong length";
		end = at + total - 4;
		if (type == 0x0a0d0d0a) {
			o = option(f, at + 24, end, 4, &n);
			if (o)
				snprintf(c->application, sizeof(c->application), "%.*s", (int)(n < 60 ? n : 60), (const char *)o);
		} else if (type == 1) {
			if (total < 20 || interfaces == INTERFACES)
				return "a bad interface block";
			ethernet[interfaces] = get16(f, at + 8) == 1;
			o = option(f, at + 16, end, 9, &n);
			resolution[interfaces++] = o && n == 1 ? *o : 6;
		} else if (type == 6) {
			size_t have, len;
			uint32_t i;

			if (total < 32)
				return "a bad packet block";
			i = get32(f, at + 8);
			have = get32(f, at + 20);
			len = get32(f, at + 24);
			if (i >= interfaces || have > end - at - 28)
				return "a bad packet block";
			if (have < len)
				return "frames are cut (snapshot length)";
			o = option(f, at + 28 + ((have + 3) & ~(size_t)3), end, 1, &n);
			if (o)
				snprintf(comment, sizeof(comment), "%.*s", (int)(n < 120 ? n : 120), (const char *)o);
			if (ethernet[i])
				c->frame(c->arg, to_ns((uint64_t)get32(f, at + 12) << 32 | get32(f, at + 16), resolution[i]), f->p + at + 28, have,
					 comment);
		}
		at += total;
	}
	return at == f->n ? NULL : "ends inside a block";
}

const char *judge_read(struct judge_capture *c, const uint8_t *file, size_t bytes)
{
	struct file f = { .p = file, .n = bytes };

	if (bytes < 12)
		return "too short for a capture";
	switch (get32(&f, 0)) {
	case 0x0a0d0d0a:
		return read_pcapng(c, &f);
	case 0xa1b2c3d4:
		return read_pcap(c, &f, false);
	case 0xa1b23c4d:
		return read_pcap(c, &f, true);
	case 0xd4c3b2a1:
		f.swap = true;
		return read_pcap(c, &f, false);
	case 0x4d3cb2a1:
		f.swap = true;
		return read_pcap(c, &f, true);
	default:
		return "neither pcap nor pcapng";
	}
}

/* ---- a whole file ---- */

struct whole {
	struct judge_capture c;
	struct judge *j;
	const struct judge_options *o;
	int gaps;
	void (*prepare)(void *arg, struct judge *j);
	void *arg;
};

static void one(void *arg, uint64_t ns, const uint8_t *frame, size_t len, const char *comment)
{
	struct whole *w = arg;
	bool lost = !strcmp(comment, "lost") || !strcmp(comment, "FCS error") || !strcmp(comment, "queue overflow");

	if (!w->j) {
		struct judge_options o = *w->o;

		/* The wire of weft records each frame as its sender made it, and all of them. */
		o.gaps = w->gaps >= 0 ? w->gaps : strncmp(w->c.application, "weft", 4) != 0;
		w->j = judge_new(&o);
		if (w->prepare)
			w->prepare(w->arg, w->j);
	}
	judge_frame(w->j, ns, frame, len, lost);
}

const char *judge_file(struct judge_options *o, const uint8_t *file, size_t bytes, int gaps,
		       void (*prepare)(void *arg, struct judge *j), void *arg, struct judge_stats *stats)
{
	struct whole w = { .c = { .frame = one }, .o = o, .gaps = gaps, .prepare = prepare, .arg = arg };
	const char *error;

	w.c.arg = &w;
	error = judge_read(&w.c, file, bytes);
	memset(stats, 0, sizeof(*stats));
	if (w.j) {
		judge_end(w.j);
		*stats = *judge_stats(w.j);
		judge_free(w.j);
	}
	return error;
}
