/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The vfio-user server against a client written from the protocol: every message, wrong ones,
 * unmaps in pieces, and a fuzzer (random messages, random cuts, disconnect at every byte).
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <time.h>
#include <signal.h>
#include <unistd.h>

#include "../../sim/common/prng.h"
#include "../../sim/common/util.h"
#include "../../sim/vfio/server.h"
#include "check.h"
#include "vfio_client.h"
#include "weft_abi.h"

/* A device of memory behind the server: BAR bytes, answered after some polls. */
struct device {
	struct vfio *vfio;
	uint8_t bars[CONFIG_BARS][4096];
	bool reading, resetting;
	unsigned int bar, len, resets, flrs;
	uint64_t offset;
	struct config_state config;
	unsigned int connected_vectors;
	unsigned int clients_gone;
};

static void bar_read(void *user, unsigned int bar, uint64_t offset, unsigned int len)
{
	struct device *d = user;

	CHECK(!d->reading && !d->resetting);
	CHECK(len >= 1 && len <= 8);
	d->reading = true;
	d->bar = bar;
	d->offset = offset;
	d->len = len;
}

static void bar_write(void *user, unsigned int bar, uint64_t offset, const uint8_t *bytes,
		      unsigned int len)
{
	struct device *d = user;

	CHECK(!d->reading && len >= 1 && len <= 8 && offset % 4096 + len <= 4096);
	memcpy(d->bars[bar] + offset % 4096, bytes, len);
}

static bool ready(void *user)
{
	(void)user;
	return true;
}

static void config(void *user, const struct config_state *s)
{
	((struct device *)user)->config = *s;
}

static void vector(void *user, unsigned int v, bool connected)
{
	struct device *d = user;

	CHECK(v < 16);
	d->connected_vectors += connected ? 1u : -1u;
}

static void reset(void *user, bool function_level)
{
	struct device *d = user;

	d->resetting = true;
	if (function_level)
		d->flrs++;
	else
		d->resets++;
}

static void client(void *user, bool connected)
{
	struct device *d = user;

	if (!connected) {
		d->clients_gone++;
		d->reading = d->resetting = false;
	}
}

static const struct vfio_ops ops = { bar_read, bar_write, ready, config, vector, reset, client };

static struct config_identity identity(void)
{
	struct config_identity id = { .subsystem = WEFT_PCI_SUBSYS_SIM, .mac = 0x060504030202,
				      .vectors = 16 };

	id.bar_bytes[0] = 65536;
	id.bar_bytes[2] = 1 << 20;
	id.bar_type[2] = BAR_MEM64 | BAR_PREFETCH;
	id.bar_bytes[4] = 65536;
	return id;
}

static int start(struct device *d)
{
	struct config_identity id = identity();
	int pair[2];

	memset(d, 0, sizeof(*d));
	CHECK(!socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, pair));
	d->vfio = vfio_open_fd(pair[0], &id, &ops, d);
	return pair[1];
}

/* Everything that can be done without the client. */
static void pump(struct device *d)
{
	struct pollfd fds[VFIO_FDS];

	for (;;) {
		vfio_poll(d->vfio, fds);
		if (d->reading) {
			d->reading = false;
			vfio_read_done(d->vfio, d->bars[d->bar] + d->offset % 4096);
			continue;
		}
		if (d->resetting) {
			d->resetting = false;
			vfio_reset_done(d->vfio);
			continue;
		}
		if (poll(fds, VFIO_FDS, 0) <= 0)
			return;
		if (!(fds[1].revents & (POLLIN | POLLOUT)) && !(fds[1].revents & (POLLHUP | POLLERR)))
			return;
		vfio_serve(d->vfio, fds);
		if (!vfio_connected(d->vfio))
			return;
	}
}

/* Send and take the reply; returns the reply's errno, or -1 when there is none. */
static int call(struct device *d, int fd, struct message *m, size_t len, const int *fds, int count)
{
	uint16_t id = m->h.id;
	ssize_t n;

	send_bytes(fd, m, len, fds, count);
	pump(d);
	n = recv(fd, m, sizeof(*m), MSG_DONTWAIT);
	if (n <= 0)
		return -1;
	CHECK((size_t)n == m->h.size && m->h.id == id && m->h.flags & VU_FLAG_REPLY);
	CHECK(!(m->h.flags & VU_FLAG_ERROR) == !m->h.error);
	return (int)m->h.error;
}

static void hello(struct device *d, int fd)
{
	struct vu_version v = { 0, 0 };
	const char text[] = "{\"capabilities\":{\"max_msg_fds\":8}}";
	struct message m;

	CHECK(call(d, fd, &m, build(&m, VU_VERSION, &v, sizeof(v), text, sizeof(text)), NULL, 0) == 0);
	memcpy(&v, m.body, sizeof(v));
	CHECK(v.major == 0 && v.minor == 0);
	CHECK(m.body[m.h.size - sizeof(m.h) - 1] == 0 && strstr((char *)m.body + 4, "capabilities"));
}

static int region(struct device *d, int fd, bool write, unsigned int index, uint64_t offset,
		  void *bytes, uint32_t len)
{
	struct vu_region_access a = { offset, index, len };
	struct message m;
	int error;

	error = call(d, fd, &m,
		     build(&m, write ? VU_REGION_WRITE : VU_REGION_READ, &a, sizeof(a), bytes,
			   write ? len : 0), NULL, 0);
	if (!error && !write)
		memcpy(bytes, m.body + sizeof(a), len);
	return error;
}

static uint32_t config32(struct device *d, int fd, uint32_t offset)
{
	uint32_t value;

	CHECK(!region(d, fd, false, VU_REGION_CONFIG, offset, &value, 4));
	return value;
}

static void set_config16(struct device *d, int fd, uint32_t offset, uint16_t value)
{
	CHECK(!region(d, fd, true, VU_REGION_CONFIG, offset, &value, 2));
}

static void test_config(struct device *d, int fd)
{
	unsigned int at, found = 0;
	uint32_t value;

	CHECK(config32(d, fd, 0) == (WEFT_PCI_DEVICE_ID << 16 | WEFT_PCI_VENDOR_ID));
	CHECK(config32(d, fd, 8) >> 8 == 0x020000);
	/* BAR sizes the way a BIOS finds them. */
	value = 0xffffffff;
	CHECK(!region(d, fd, true, VU_REGION_CONFIG, 0x10, &value, 4));
	CHECK(config32(d, fd, 0x10) == 0xffff0000);
	CHECK(!region(d, fd, true, VU_REGION_CONFIG, 0x18, &value, 4));
	CHECK(config32(d, fd, 0x18) == 0xfff0000c);
	CHECK(!region(d, fd, true, VU_REGION_CONFIG, 0x1c, &value, 4));
	CHECK(config32(d, fd, 0x1c) == 0xffffffff);
	for (at = config32(d, fd, 0x34) & 255; at; at = config32(d, fd, at) >> 8 & 255)
		found |= 1u << (config32(d, fd, at) & 31);
	CHECK(found == (1u << 1 | 1u << 0x10 | 1u << 0x11), "%x", found);
	set_config16(d, fd, 4, 6);
	CHECK(d->config.memory_enable && d->config.bus_master);
	/* MPS 256, MRRS 1024, extended tags. */
	set_config16(d, fd, 0x58, 1 << 5 | 3 << 12 | 1 << 8);
	CHECK(d->config.mps == 1 && d->config.mrrs == 3 && d->config.ext_tag);
	set_config16(d, fd, 0x92, 0x8000);
	CHECK(d->config.msix_enable && !d->config.msix_mask);
	CHECK((config32(d, fd, 0x90) >> 16 & 0x7ff) == 15);
	/* Function-level reset: all of it back. */
	set_config16(d, fd, 0x58, 0x8000);
	CHECK(d->flrs == 1 && !d->config.memory_enable && !d->config.msix_enable);
	CHECK((config32(d, fd, 4) & 0xffff) == 0);
	set_config16(d, fd, 4, 6);
}

static void test_bars(struct device *d, int fd)
{
	uint64_t value = 0x1122334455667788u, got;

	CHECK(!region(d, fd, true, 0, 0x100, &value, 8));
	for (unsigned int len = 1; len <= 8; len++) {
		got = 0;
		CHECK(!region(d, fd, false, 0, 0x100, &got, len));
		CHECK(!memcmp(&got, &value, len));
	}
	CHECK(region(d, fd, false, 0, 65536, &got, 4) == EINVAL);
	CHECK(region(d, fd, false, 0, 65534, &got, 4) == EINVAL);
	CHECK(region(d, fd, false, 0, UINT64_MAX - 2, &got, 4) == EINVAL);
	CHECK(region(d, fd, false, 0, 0xffe, &got, 4) == EINVAL); /* crosses 4 KiB */
	CHECK(region(d, fd, false, 1, 0, &got, 4) == EINVAL);
	CHECK(region(d, fd, false, 9, 0, &got, 4) == EINVAL);
	CHECK(region(d, fd, false, 0, 0, &got, 0) == EINVAL);
	/* Memory space off: nobody is there. */
	set_config16(d, fd, 4, 0);
	CHECK(!region(d, fd, false, 0, 0x100, &got, 8) && got == UINT64_MAX);
	set_config16(d, fd, 4, 6);
	CHECK(!region(d, fd, false, 0, 0x100, &got, 8) && got == value);
}

static int map(struct device *d, int fd, uint64_t address, uint64_t size, int memory,
	       uint64_t offset)
{
	struct vu_dma_map a = { sizeof(a), VU_DMA_READ | VU_DMA_WRITE, offset, address, size };
	struct message m;

	return call(d, fd, &m, build(&m, VU_DMA_MAP, &a, sizeof(a), NULL, 0), &memory,
		    memory >= 0 ? 1 : 0);
}

static int unmap(struct device *d, int fd, uint64_t address, uint64_t size, uint32_t flags)
{
	struct vu_dma_unmap a = { sizeof(a), flags, address, size };
	struct message m;

	return call(d, fd, &m, build(&m, VU_DMA_UNMAP, &a, sizeof(a), NULL, 0), NULL, 0);
}

static void test_dma(struct device *d, int fd)
{
	struct dma_space *s = vfio_dma(d->vfio);
	int memory = memfd_create("guest", MFD_CLOEXEC);
	uint8_t *view, bytes[10000], got[10000];

	CHECK(memory >= 0 && !ftruncate(memory, 1 << 20));
	view = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0);
	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (uint8_t)(i * 7 + i / 251);
	CHECK(map(d, fd, 0x100000, 0x10000, memory, 0) == 0);
	CHECK(map(d, fd, 0x110000, 0x10000, memory, 0x40000) == 0);
	/* Across the border of two maps that lie together. */
	CHECK(dma_write(s, 0x10f123, bytes, sizeof(bytes)));
	CHECK(!memcmp(view + 0xf123, bytes, 0xedd) && !memcmp(view + 0x40000, bytes + 0xedd, 100));
	CHECK(dma_read(s, 0x10f123, got, sizeof(got)) && !memcmp(got, bytes, sizeof(got)));
	CHECK(!dma_read(s, 0x11fff8, got, 16) && !dma_read(s, 0xfffff, got, 1));
	CHECK(!dma_read(s, UINT64_MAX, got, 2));
	/* Refused: overlap, beyond the file, not pages, wrap. */
	CHECK(map(d, fd, 0x10f000, 0x2000, memory, 0) == EEXIST);
	CHECK(map(d, fd, 0x200000, 0x200000, memory, 0) == EINVAL);
	CHECK(map(d, fd, 0x200000, 0x1000, memory, 0x100000) == EINVAL);
	CHECK(map(d, fd, 0x200100, 0x1000, memory, 0) == EINVAL);
	CHECK(map(d, fd, 0x200000, 0, memory, 0) == EINVAL);
	CHECK(map(d, fd, UINT64_MAX - 0xfff, 0x2000, memory, 0) == EINVAL);
	CHECK(map(d, fd, 0x200000, 0x1000, memory, UINT64_MAX - 0xfff) == EINVAL);
	/* Without a file: known, not reached. */
	CHECK(map(d, fd, 0x300000, 0x1000, -1, 0) == 0);
	CHECK(!dma_read(s, 0x300000, got, 4) && !dma_write(s, 0x300000, got, 4));
	CHECK(map(d, fd, 0x300000, 0x1000, memory, 0) == EEXIST);
	/* Torn down in pieces: a hole in the middle, then what is left of both in one go. */
	CHECK(unmap(d, fd, 0x104000, 0x1000, 0) == 0 && s->count == 4);
	CHECK(!dma_read(s, 0x104000, got, 1) && !dma_read(s, 0x103ff0, got, 17));
	CHECK(dma_read(s, 0x103ff0, got, 16) && dma_read(s, 0x105000, got, 16));
	CHECK(dma_read(s, 0x10f123, got, sizeof(got)) && !memcmp(got, bytes, sizeof(got)));
	CHECK(unmap(d, fd, 0x105000, 0x12000, 0) == 0);
	CHECK(!dma_read(s, 0x105000, got, 1) && dma_read(s, 0x117000, got, 1));
	CHECK(unmap(d, fd, 0x105000, 0x123, 0) == EINVAL && unmap(d, fd, 1 << 30, 0x1000, 0) == 0);
	CHECK(unmap(d, fd, 0, 0, VU_UNMAP_ALL) == 0 && s->count == 0);
	CHECK(vfio_stats(d->vfio)->memory_bytes == 0);
	munmap(view, 1 << 20);
	close(memory);
}

static int set_irqs(struct device *d, int fd, uint32_t flags, uint32_t start, uint32_t count,
		    const int *fds, int n)
{
	struct vu_set_irqs a = { sizeof(a), flags, VU_IRQ_MSIX, start, count };
	struct message m;

	return call(d, fd, &m, build(&m, VU_DEVICE_SET_IRQS, &a, sizeof(a), NULL, 0), fds, n);
}

static void test_irqs(struct device *d, int fd)
{
	const uint32_t eventfds = VU_SET_DATA_EVENTFD | VU_SET_TRIGGER;
	int e[4];
	uint64_t value;

	for (int i = 0; i < 4; i++)
		e[i] = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	CHECK(set_irqs(d, fd, eventfds, 2, 4, e, 4) == 0 && d->connected_vectors == 4);
	vfio_interrupt(d->vfio, 3);
	vfio_interrupt(d->vfio, 3);
	vfio_interrupt(d->vfio, 1);
	vfio_interrupt(d->vfio, 5000);
	CHECK(read(e[1], &value, 8) == 8 && value == 2);
	CHECK(read(e[0], &value, 8) < 0);
	CHECK(set_irqs(d, fd, eventfds, 3, 1, NULL, 0) == 0 && d->connected_vectors == 3);
	vfio_interrupt(d->vfio, 3);
	CHECK(read(e[1], &value, 8) < 0);
	CHECK(set_irqs(d, fd, VU_SET_DATA_NONE | VU_SET_TRIGGER, 2, 1, NULL, 0) == 0);
	CHECK(read(e[0], &value, 8) == 8 && value == 1);
	CHECK(set_irqs(d, fd, eventfds, 15, 2, e, 2) == EINVAL);
	CHECK(set_irqs(d, fd, eventfds, 16, 0xffffffff, NULL, 0) == EINVAL);
	CHECK(set_irqs(d, fd, eventfds, 0, 2, e, 1) == EINVAL);
	CHECK(set_irqs(d, fd, VU_SET_DATA_BOOL | VU_SET_TRIGGER, 0, 4, NULL, 0) == EINVAL);
	CHECK(set_irqs(d, fd, VU_SET_DATA_NONE | VU_SET_MASK, 0, 1, NULL, 0) == EINVAL);
	CHECK(set_irqs(d, fd, 0xff, 0, 1, NULL, 0) == EINVAL);
	CHECK(set_irqs(d, fd, VU_SET_DATA_NONE | VU_SET_TRIGGER, 0, 0, NULL, 0) == 0);
	CHECK(d->connected_vectors == 0);
	for (int i = 0; i < 4; i++)
		close(e[i]);
}

static void test_info(struct device *d, int fd)
{
	struct vu_device_info info = { .argsz = sizeof(info) };
	struct vu_region_info r;
	struct vu_irq_info q;
	struct message m;

	CHECK(!call(d, fd, &m, build(&m, VU_DEVICE_GET_INFO, &info, sizeof(info), NULL, 0), NULL, 0));
	memcpy(&info, m.body, sizeof(info));
	CHECK(info.flags == 3 && info.regions == 9 && info.irqs == 5);
	for (uint32_t i = 0; i < 12; i++) {
		int error;

		r = (struct vu_region_info){ .argsz = sizeof(r), .index = i };
		error = call(d, fd, &m, build(&m, VU_DEVICE_GET_REGION_INFO, &r, sizeof(r), NULL, 0),
			     NULL, 0);
		CHECK(error == (i < 9 ? 0 : EINVAL));
		memcpy(&r, m.body, sizeof(r));
		if (i == 2)
			CHECK(r.size == 1 << 20 && r.flags == 3);
		if (i == 1)
			CHECK(r.size == 0);
	}
	for (uint32_t i = 0; i < 8; i++) {
		q = (struct vu_irq_info){ .argsz = sizeof(q), .index = i };
		CHECK(call(d, fd, &m, build(&m, VU_DEVICE_GET_IRQ_INFO, &q, sizeof(q), NULL, 0), NULL,
			   0) == (i < 5 ? 0 : EINVAL));
		memcpy(&q, m.body, sizeof(q));
		if (i < 5)
			CHECK(q.count == (i == VU_IRQ_MSIX ? 16 : 0));
	}
	CHECK(!call(d, fd, &m, build(&m, VU_DEVICE_RESET, NULL, 0, NULL, 0), NULL, 0));
	CHECK(d->resets == 1);
	CHECK(call(d, fd, &m, build(&m, 77, NULL, 0, NULL, 0), NULL, 0) == ENOTSUP);
}

static void finish(struct device *d, int fd)
{
	close(fd);
	pump(d);
	CHECK(!vfio_connected(d->vfio) && d->clients_gone == 1 && d->connected_vectors == 0);
	CHECK(vfio_dma(d->vfio)->count == 0);
	vfio_close(d->vfio);
}

static void test_messages(void)
{
	struct device d;
	int fd = start(&d);

	hello(&d, fd);
	test_info(&d, fd);
	test_config(&d, fd);
	test_bars(&d, fd);
	test_dma(&d, fd);
	test_irqs(&d, fd);
	finish(&d, fd);
}

/* Writes that want no reply come between others, cut anywhere, and keep their order. */
static void test_stream(void)
{
	struct vu_region_access a = { 0, 0, 8 };
	struct message m;
	struct device d;
	uint64_t value;
	int fd = start(&d);

	hello(&d, fd);
	set_config16(&d, fd, 4, 6);
	for (value = 0; value < 300; value++) {
		size_t len = build(&m, VU_REGION_WRITE, &a, sizeof(a), &value, 8);
		size_t cut = value % (len + 1);

		m.h.flags = VU_FLAG_NO_REPLY;
		send_bytes(fd, &m, cut, NULL, 0);
		pump(&d);
		send_bytes(fd, (uint8_t *)&m + cut, len - cut, NULL, 0);
	}
	CHECK(!region(&d, fd, false, 0, 0, &value, 8) && value == 299);
	finish(&d, fd);
}

/* A dead client at every byte of a conversation. */
static void test_disconnect(void)
{
	uint8_t talk[1024];
	size_t len = 0;
	struct vu_version v = { 0, 0 };
	struct vu_region_access a = { 0, VU_REGION_CONFIG, 4 };
	struct vu_region_access b = { 4, VU_REGION_CONFIG, 2 };
	struct vu_region_access r = { 16, 0, 4 };
	uint16_t command = 6;
	struct message m;
	size_t n;

	n = build(&m, VU_VERSION, &v, sizeof(v), "{}", 3);
	memcpy(talk + len, &m, n), len += n;
	n = build(&m, VU_REGION_READ, &a, sizeof(a), NULL, 0);
	memcpy(talk + len, &m, n), len += n;
	n = build(&m, VU_REGION_WRITE, &b, sizeof(b), &command, 2);
	memcpy(talk + len, &m, n), len += n;
	n = build(&m, VU_REGION_READ, &r, sizeof(r), NULL, 0);
	memcpy(talk + len, &m, n), len += n;
	n = build(&m, VU_DEVICE_RESET, NULL, 0, NULL, 0);
	memcpy(talk + len, &m, n), len += n;
	for (size_t cut = 0; cut <= len; cut++) {
		struct device d;
		int fd = start(&d);

		send_bytes(fd, talk, cut, NULL, 0);
		if (cut & 1)
			pump(&d);
		finish(&d, fd);
	}
}

/* The framing or the order is broken: the connection ends. */
static void test_fatal(void)
{
	static const uint32_t sizes[] = { 0, 1, 15, 16 + 64 * 1024 + 1, 0x80000000, 0xffffffff };
	struct message m;
	struct device d;
	int fd, many[100];

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		fd = start(&d);
		hello(&d, fd);
		build(&m, VU_REGION_READ, NULL, 0, NULL, 0);
		m.h.size = sizes[i];
		send_bytes(fd, &m, 16, NULL, 0);
		pump(&d);
		CHECK(!vfio_connected(d.vfio), "size %u", sizes[i]);
		finish(&d, fd);
	}
	fd = start(&d); /* no VERSION */
	send_bytes(fd, &m, build(&m, VU_DEVICE_RESET, NULL, 0, NULL, 0), NULL, 0);
	pump(&d);
	CHECK(!vfio_connected(d.vfio) && d.resets == 0);
	finish(&d, fd);
	fd = start(&d); /* another major version */
	CHECK(call(&d, fd, &m, build(&m, VU_VERSION, &(struct vu_version){ 1, 0 }, 4, "{}", 3), NULL,
		   0) == ENOTSUP);
	finish(&d, fd);
	fd = start(&d); /* a flood of descriptors */
	hello(&d, fd);
	for (int i = 0; i < 100; i++)
		many[i] = fd;
	send_bytes(fd, &m, build(&m, VU_DEVICE_RESET, NULL, 0, NULL, 0), many, 100);
	pump(&d);
	CHECK(!vfio_connected(d.vfio));
	finish(&d, fd);
}

static uint64_t interesting(struct prng *r)
{
	static const uint64_t values[] = { 0, 1, 2, 4, 8, 4095, 4096, 65535, 65536, 1u << 20,
					   0x7fffffff, 0x80000000, 0xffffffff, UINT64_MAX,
					   UINT64_MAX - 4095, 1ull << 63 };
	uint64_t pick = prng_below(r, 20);

	return pick < 16 ? values[pick] : pick < 18 ? prng_below(r, 64) : prng_next(r);
}

/* A message that is right in most things, with fields from nasty values, or plain noise. */
static size_t fuzz_message(struct prng *r, struct message *m)
{
	static const uint8_t commands[] = { 1, 2, 3, 4, 5, 7, 8, 9, 10, 13, 6, 11, 14, 15 };
	size_t body = prng_below(r, 10) ? 4 * prng_below(r, 16) : prng_below(r, 4096);
	unsigned int command = commands[prng_below(r, sizeof(commands))];

	for (size_t i = 0; i < body; i += 8) {
		uint64_t value = interesting(r);

		memcpy(m->body + i, &value, 8);
	}
	if (prng_below(r, 2)) { /* sizes and flags that make sense */
		struct vu_region_access a = { prng_below(r, 300), prng_below(r, 10),
					      prng_below(r, 12) };
		struct vu_dma_map dm = { sizeof(dm), 3, 4096 * prng_below(r, 8),
					 4096 * prng_below(r, 64), 4096 * prng_below(r, 8) };
		struct vu_set_irqs si = { sizeof(si), 36, 2, prng_below(r, 18), prng_below(r, 4) };

		if (command == VU_REGION_READ || command == VU_REGION_WRITE) {
			memcpy(m->body, &a, sizeof(a));
			body = sizeof(a) + (command == VU_REGION_WRITE ? a.count : 0);
		} else if (command == VU_DMA_MAP) {
			memcpy(m->body, &dm, sizeof(dm));
			body = sizeof(dm);
		} else if (command == VU_DMA_UNMAP) {
			struct vu_dma_unmap du = { sizeof(du), 0, dm.address, dm.size };

			memcpy(m->body, &du, sizeof(du));
			body = sizeof(du);
		} else if (command == VU_DEVICE_SET_IRQS) {
			memcpy(m->body, &si, sizeof(si));
			body = sizeof(si);
		}
	}
	m->h = (struct vu_header){ (uint16_t)prng_next(r), (uint16_t)command,
				   (uint32_t)(sizeof(m->h) + body), 0, 0 };
	if (!prng_below(r, 8))
		m->h.flags = VU_FLAG_NO_REPLY;
	if (!prng_below(r, 200))
		m->h.flags = (uint32_t)interesting(r);
	if (!prng_below(r, 200))
		m->h.size = (uint32_t)interesting(r);
	return sizeof(m->h) + body;
}

static void test_fuzz(unsigned long seed, unsigned int seconds)
{
	time_t end = time(NULL) + (time_t)seconds;
	int memory = memfd_create("guest", MFD_CLOEXEC), event = eventfd(0, EFD_NONBLOCK);
	unsigned long clients = 0, messages = 0;
	struct prng r;

	CHECK(!ftruncate(memory, 32 * 4096));
	prng_seed(&r, seed);
	while (time(NULL) < end) {
		struct device d;
		int fd = start(&d);

		clients++;
		if (prng_below(&r, 10))
			hello(&d, fd);
		for (unsigned int i = 0; i < 200 && vfio_connected(d.vfio); i++) {
			int fds[4] = { memory, event, memory, event };
			struct message m;
			size_t len = fuzz_message(&r, &m), cut = prng_below(&r, len + 1);
			int count = prng_below(&r, 3) ? 0 : (int)prng_below(&r, 4);
			uint8_t sink[4096], bytes[64];

			if (m.h.command == VU_DMA_MAP && prng_below(&r, 2))
				count = 1;
			messages++;
			if (cut)
				send_bytes(fd, &m, cut, fds, count);
			if (prng_below(&r, 4) == 0)
				pump(&d);
			if (!vfio_connected(d.vfio))
				break;
			if (prng_below(&r, 50) == 0)
				break;
			if (len > cut)
				send_bytes(fd, (uint8_t *)&m + cut, len - cut, cut ? NULL : fds,
					   cut ? 0 : count);
			pump(&d);
			while (recv(fd, sink, sizeof(sink), MSG_DONTWAIT) > 0)
				;
			/* The device does DMA wherever it likes. */
			dma_read(vfio_dma(d.vfio), prng_below(&r, 72 * 4096), bytes,
				 prng_below(&r, sizeof(bytes)));
			dma_write(vfio_dma(d.vfio), prng_below(&r, 72 * 4096), bytes,
				  prng_below(&r, sizeof(bytes)));
			vfio_interrupt(d.vfio, (unsigned int)prng_below(&r, 20));
		}
		close(fd);
		pump(&d);
		CHECK(!vfio_connected(d.vfio) && d.connected_vectors == 0);
		CHECK(vfio_dma(d.vfio)->count == 0);
		vfio_close(d.vfio);
	}
	printf("vfio: fuzzer: %lu clients, %lu messages\n", clients, messages);
}

static int open_descriptors(void)
{
	int count = 0;

	for (int i = 0; i < 1000; i++)
		count += fcntl(i, F_GETFD) >= 0;
	return count;
}

int main(int argc, char **argv)
{
	unsigned long seed = test_seed("vfio", 7);
	int before = open_descriptors();

	signal(SIGPIPE, SIG_IGN);
	if (!freopen("/dev/null", "w", stderr) && argc > 9) /* reasons of drops, thousands of them */
		return 1;
	test_messages();
	test_stream();
	test_disconnect();
	test_fatal();
	CHECK(open_descriptors() == before, "descriptors leak");
	test_fuzz(seed, argc > 1 ? (unsigned int)atoi(argv[1]) : 10);
	CHECK(open_descriptors() == before + 2, "descriptors leak");
	printf("vfio: passed\n");
	return 0;
}
