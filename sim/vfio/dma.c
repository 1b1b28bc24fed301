/* SPDX-License-Identifier: BSD-2-Clause */
#define _GNU_SOURCE
#include "dma.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

enum { PAGE = 4096 };

static bool bad_range(uint64_t address, uint64_t size)
{
	return !size || address % PAGE || size % PAGE || address + (size - 1) < address;
}

/* First map that ends beyond `address`. */
static int first_beyond(const struct dma_space *d, uint64_t address)
{
	int low = 0, high = d->count;

	while (low < high) {
		int middle = (low + high) / 2;
		const struct dma_map *m = &d->maps[middle];

		if (m->address + (m->size - 1) < address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void insert(struct dma_space *d, int at, const struct dma_map *m)
{
	memmove(&d->maps[at + 1], &d->maps[at], (size_t)(d->count - at) * sizeof(*m));
	d->maps[at] = *m;
	d->count++;
}

static void take_out(struct dma_space *d, int at)
{
	d->count--;
	memmove(&d->maps[at], &d->maps[at + 1], (size_t)(d->count - at) * sizeof(d->maps[0]));
}

int dma_map(struct dma_space *d, uint64_t address, uint64_t size, int fd, uint64_t offset,
	    bool readable, bool writable)
{
	struct dma_map m = { address, size, NULL, readable, writable };
	int at;

	if (bad_range(address, size) || offset % PAGE || offset + size < offset)
		return EINVAL;
	at = first_beyond(d, address);
	if (at < d->count && d->maps[at].address <= address + (size - 1))
		return EEXIST;
	if (d->count == DMA_MAPS_MAX)
		return ENOSPC;
	if (fd >= 0) {
		int protection = (readable ? PROT_READ : 0) | (writable ? PROT_WRITE : 0);
		struct stat st;
		void *p;

		/* Memory beyond the end of the file would be a signal at the first access. */
		if (fstat(fd, &st))
			return errno;
		if (st.st_size < 0 || offset + size > (uint64_t)st.st_size)
			return EINVAL;
		p = mmap(NULL, size, protection, MAP_SHARED | MAP_NORESERVE, fd, (off_t)offset);
		if (p == MAP_FAILED)
			return errno;
		m.memory = p;
	}
	insert(d, at, &m);
	return 0;
}

/* Removes [start, end] of map `at`; what is left stays. The caller has made room. */
static void cut(struct dma_space *d, int at, uint64_t start, uint64_t end)
{
	struct dma_map m = d->maps[at];
	uint64_t head = start - m.address, tail = m.address + (m.size - 1) - end;

	if (m.memory)
		munmap(m.memory + head, m.size - head - tail);
	take_out(d, at);
	if (tail) {
		struct dma_map rest = m;

		rest.address = end + 1;
		rest.size = tail;
		if (m.memory)
			rest.memory = m.memory + (m.size - tail);
		insert(d, at, &rest);
	}
	if (head) {
		m.size = head;
		insert(d, at, &m);
	}
}

int dma_unmap(struct dma_space *d, uint64_t address, uint64_t size)
{
	uint64_t end = address + (size - 1);

	if (bad_range(address, size))
		return EINVAL;
	d->last = 0;
	for (int at = first_beyond(d, address); at < d->count && d->maps[at].address <= end;) {
		struct dma_map *m = &d->maps[at];
		uint64_t last = m->address + (m->size - 1);
		uint64_t from = m->address > address ? m->address : address;
		uint64_t to = last < end ? last : end;

		if (from > m->address && to < last && d->count == DMA_MAPS_MAX)
			return ENOSPC;
		cut(d, at, from, to);
		at = first_beyond(d, address);
	}
	return 0;
}

void dma_unmap_all(struct dma_space *d)
{
	for (int i = 0; i < d->count; i++)
		if (d->maps[i].memory)
			munmap(d->maps[i].memory, d->maps[i].size);
	d->count = 0;
	d->last = 0;
}

/* Memory at `address` and how much of it follows; NULL when there is none. */
static uint8_t *reach(struct dma_space *d, uint64_t address, bool write, uint64_t *room)
{
	struct dma_map *m = &d->maps[d->last];

	if (d->last >= d->count || address < m->address || address - m->address >= m->size) {
		int at = first_beyond(d, address);

		if (at == d->count || d->maps[at].address > address)
			return NULL;
		d->last = at;
		m = &d->maps[at];
	}
	if (!m->memory || !(write ? m->writable : m->readable))
		return NULL;
	*room = m->size - (address - m->address);
	return m->memory + (address - m->address);
}

bool dma_read(struct dma_space *d, uint64_t address, void *bytes, size_t len)
{
	uint8_t *out = bytes;

	while (len) {
		uint64_t room;
		const uint8_t *p = reach(d, address, false, &room);
		size_t n = len < (p ? room : 0) ? len : (p ? (size_t)room : 0);

		if (!n)
			return false;
		__atomic_thread_fence(__ATOMIC_ACQUIRE);
		memcpy(out, p, n);
		out += n;
		address += n;
		len -= n;
	}
	return true;
}

static void store(uint8_t *p, const uint8_t *bytes, size_t len)
{
	for (; len && (uintptr_t)p % 8; p++, bytes++, len--)
		__atomic_store_n(p, *bytes, __ATOMIC_RELEASE);
	for (; len >= 8; p += 8, bytes += 8, len -= 8) {
		uint64_t word;

		memcpy(&word, bytes, 8);
		__atomic_store_n((uint64_t *)(void *)p, word, __ATOMIC_RELEASE);
	}
	for (; len; p++, bytes++, len--)
		__atomic_store_n(p, *bytes, __ATOMIC_RELEASE);
}

bool dma_write(struct dma_space *d, uint64_t address, const void *bytes, size_t len)
{
	const uint8_t *in = bytes;

	while (len) {
		uint64_t room;
		uint8_t *p = reach(d, address, true, &room);
		size_t n = len < (p ? room : 0) ? len : (p ? (size_t)room : 0);

		if (!n)
			return false;
		store(p, in, n);
		in += n;
		address += n;
		len -= n;
	}
	return true;
}
