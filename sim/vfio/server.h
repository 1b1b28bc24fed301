/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A PCI device on a UNIX socket: vfio-user 0.0, server side, one client at a time. The client is
 * not trusted: every length, range and descriptor is checked; a message that breaks the framing or
 * the order ends the connection with a reason on stderr, any other wrong one gets an error reply.
 *
 * Messages are answered in order. A BAR read, a function-level reset and DEVICE_RESET take as long
 * as the device needs: the server reads nothing more until the device says that it is done. The
 * device never waits for the client, since host memory is mapped: no deadlock.
 */
#ifndef WEFT_SIM_VFIO_SERVER_H
#define WEFT_SIM_VFIO_SERVER_H

#include <poll.h>
#include <stdbool.h>
#include <stdint.h>

#include "config.h"
#include "dma.h"

#define VFIO_FDS 2
#define VFIO_VECTORS_MAX 2048

struct vfio_ops {
	/* A read of 1 to 8 bytes inside a 4-KiB page of a BAR; answer with vfio_read_done. */
	void (*bar_read)(void *user, unsigned int bar, uint64_t offset, unsigned int len);
	/* A posted write of 1 to 8 bytes inside a 4-KiB page of a BAR. */
	void (*bar_write)(void *user, unsigned int bar, uint64_t offset, const uint8_t *bytes,
			  unsigned int len);
	/* May another write come? Messages wait in the socket while not. */
	bool (*ready)(void *user);
	/* Configuration space was written. */
	void (*config)(void *user, const struct config_state *state);
	/* A vector got its first descriptor, or lost it. */
	void (*vector)(void *user, unsigned int vector, bool connected);
	/* Function-level reset or DEVICE_RESET; answer with vfio_reset_done. */
	void (*reset)(void *user, bool function_level);
	/* A client came, or went (then the configuration is back to reset and no vectors are left). */
	void (*client)(void *user, bool connected);
};

struct vfio_stats {
	uint64_t messages, errors, reads, writes, interrupts, clients;
	uint64_t memory_bytes; /* host memory mapped now */
};

struct vfio;

/* NULL with errno when the path cannot be served. */
struct vfio *vfio_open(const char *path, const struct config_identity *id,
		       const struct vfio_ops *ops, void *user);
/* Serve a connected descriptor only (tests). */
struct vfio *vfio_open_fd(int fd, const struct config_identity *id, const struct vfio_ops *ops,
			  void *user);
void vfio_close(struct vfio *v);

/* Fills VFIO_FDS entries; after poll, vfio_serve with the same entries. */
int vfio_poll(struct vfio *v, struct pollfd *fds);
void vfio_serve(struct vfio *v, const struct pollfd *fds);
/* Is a client there? */
bool vfio_connected(const struct vfio *v);
/* Is a message being held back by the device? */
bool vfio_waiting(const struct vfio *v);

/* Data of the BAR read under way, `len` as asked for (8 bytes at most). */
void vfio_read_done(struct vfio *v, const uint8_t *bytes);
void vfio_reset_done(struct vfio *v);

/* Raise an MSI-X vector; without a descriptor nothing happens. */
void vfio_interrupt(struct vfio *v, unsigned int vector);
bool vfio_vector_connected(const struct vfio *v, unsigned int vector);

struct dma_space *vfio_dma(struct vfio *v);
struct config_state vfio_config(const struct vfio *v);
const struct vfio_stats *vfio_stats(const struct vfio *v);

#endif
