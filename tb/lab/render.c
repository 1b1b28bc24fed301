// SPDX-License-Identifier: BSD-2-Clause
/*
 * Preloaded (LD_PRELOAD=render.so): /dev/dri/renderD128, of a graphics card that the guest does not have. pyverbs takes its
 * dma-bufs from there, and from no other source; it speaks amdgpu's or i915's ioctls and asks for the name first. Here are those of
 * amdgpu that it uses. What they give are dma-bufs of the kernel's, made by udmabuf; a buffer is a part of a memfd, which stands for the
 * node, so mmap() of the node finds it.
 *
 * Each open() is a node of its own, and buffers are freed with it.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <drm/amdgpu_drm.h>
#include <drm/drm.h>
#include <linux/udmabuf.h>

enum { NODES = 1024, BUFFERS = 8, PAGE = 4096 };

struct buffer { __u64 at, bytes; };

/* by descriptor; the file behind it says whether it is still that one */
static struct node {
	ino_t ino;
	__u64 end;
	__u32 n;
	struct buffer buffer[BUFFERS];
} nodes[NODES];

static struct node *node_of(int fd)
{
	struct stat s;

	if (fd < 0 || fd >= NODES || !nodes[fd].ino || fstat(fd, &s) || s.st_ino != nodes[fd].ino)
		return NULL;
	return &nodes[fd];
}

static int open_node(void)
{
	int fd = memfd_create("render", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	struct stat s;

	if (fd >= NODES || (fd >= 0 && (fstat(fd, &s) || fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK)))) {
		close(fd);
		errno = EMFILE;
		return -1;
	}
	if (fd >= 0)
		nodes[fd] = (struct node){ .ino = s.st_ino };
	return fd;
}

/* drm_version's strings are as long as the caller has room for. */
static int version(struct drm_version *v)
{
	static const char name[] = "amdgpu";

	if (v->name_len)
		strncpy(v->name, name, v->name_len);
	v->name_len = strlen(name);
	return 0;
}

static int create(int fd, struct node *n, union drm_amdgpu_gem_create *c)
{
	__u64 bytes = (c->in.bo_size + PAGE - 1) & -(__u64)PAGE;

	if (!bytes || n->n == BUFFERS) {
		errno = EINVAL;
		return -1;
	}
	if (ftruncate(fd, (off_t)(n->end + bytes)))
		return -1;
	n->buffer[n->n++] = (struct buffer){ n->end, bytes };
	n->end += bytes;
	memset(c, 0, sizeof(*c));
	c->out.handle = n->n;
	return 0;
}

static struct buffer *buffer_of(struct node *n, __u32 handle)
{
	if (handle && handle <= n->n)
		return &n->buffer[handle - 1];
	errno = ENOENT;
	return NULL;
}

static int export(int fd, struct node *n, struct drm_prime_handle *p)
{
	struct buffer *b = buffer_of(n, p->handle);
	struct udmabuf_create c = { .memfd = (__u32)fd, .flags = UDMABUF_FLAGS_CLOEXEC };
	int dev, rc;

	if (!b)
		return -1;
	c.offset = b->at;
	c.size = b->bytes;
	dev = open("/dev/udmabuf", O_RDWR | O_CLOEXEC);
	if (dev < 0)
		return -1;
	p->fd = ioctl(dev, UDMABUF_CREATE, &c);
	rc = errno;
	close(dev);
	errno = rc;
	return p->fd < 0 ? -1 : 0;
}

static int place(struct node *n, union drm_amdgpu_gem_mmap *m)
{
	struct buffer *b = buffer_of(n, m->in.handle);

	if (!b)
		return -1;
	m->out.addr_ptr = b->at;
	return 0;
}

static int node_ioctl(int fd, struct node *n, unsigned long what, void *arg)
{
	switch (what) {
	case DRM_IOCTL_VERSION:
		return version(arg);
	case DRM_IOCTL_AMDGPU_GEM_CREATE:
		return create(fd, n, arg);
	case DRM_IOCTL_AMDGPU_GEM_MMAP:
		return place(n, arg);
	case DRM_IOCTL_PRIME_HANDLE_TO_FD:
		return export(fd, n, arg);
	case DRM_IOCTL_GEM_CLOSE:
		return buffer_of(n, ((struct drm_gem_close *)arg)->handle) ? 0 : -1;
	}
	errno = ENOTTY;
	return -1;
}

int ioctl(int fd, unsigned long what, ...)
{
	struct node *n;
	va_list args;
	void *arg;

	va_start(args, what);
	arg = va_arg(args, void *);
	va_end(args);
	n = _IOC_TYPE(what) == DRM_IOCTL_BASE ? node_of(fd) : NULL;
	return n ? node_ioctl(fd, n, what, arg) : (int)syscall(SYS_ioctl, fd, what, arg);
}

static int open_any(const char *path, int flags, mode_t mode)
{
	return strcmp(path, "/dev/dri/renderD128") ? (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode) : open_node();
}

int open(const char *path, int flags, ...)
{
	mode_t mode;
	va_list args;

	va_start(args, flags);
	mode = va_arg(args, mode_t);
	va_end(args);
	return open_any(path, flags, mode);
}

int open64(const char *path, int flags, ...)
{
	mode_t mode;
	va_list args;

	va_start(args, flags);
	mode = va_arg(args, mode_t);
	va_end(args);
	return open_any(path, flags | O_LARGEFILE, mode);
}
