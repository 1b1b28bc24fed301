// SPDX-License-Identifier: BSD-2-Clause
#include "frame.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

void *lab_alloc(size_t size) {
  void *p = calloc(1, size);
  if (!p) {
    fprintf(stderr, "lab: out of memory\n");
    exit(125);
  }
  return p;
}

void buffer_add(struct buffer *b, const void *data, size_t length) {
  if (b->start == b->end) b->start = b->end = 0;
  if (b->size - b->end < length) {
    size_t used = buffer_length(b);
    if (b->start > 0) memmove(b->data, b->data + b->start, used);
    b->start = 0;
    b->end = used;
    if (b->size - used < length) {
      size_t size = b->size ? b->size : 4096;
      while (size - used < length) size *= 2;
      b->data = realloc(b->data, size);
      if (!b->data) {
        fprintf(stderr, "lab: out of memory\n");
        exit(125);
      }
      b->size = size;
    }
  }
  if (length > 0) memcpy(b->data + b->end, data, length);
  b->end += length;
}

void buffer_take(struct buffer *b, size_t length) {
  b->start += length;
  if (b->start == b->end) b->start = b->end = 0;
}

void buffer_free(struct buffer *b) {
  free(b->data);
  memset(b, 0, sizeof *b);
}

uint32_t get_u32(const uint8_t *p) {
  return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

uint16_t get_u16(const uint8_t *p) { return (uint16_t)(p[0] | p[1] << 8); }

void set_u16(uint8_t *p, uint16_t v) {
  p[0] = (uint8_t)v;
  p[1] = (uint8_t)(v >> 8);
}

void set_u32(uint8_t *p, uint32_t v) {
  set_u16(p, (uint16_t)v);
  set_u16(p + 2, (uint16_t)(v >> 16));
}

int64_t now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

void set_nonblocking(int fd) { fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK); }

void conn_open(struct conn *c, int fd) {
  memset(c, 0, sizeof *c);
  c->fd = fd;
  set_nonblocking(fd);
}

void conn_close(struct conn *c) {
  if (c->fd >= 0) close(c->fd);
  buffer_free(&c->in);
  buffer_free(&c->out);
  c->taken = 0;
  c->fd = -1;
}

bool conn_fill(struct conn *c) {
  uint8_t chunk[FRAME_MAX];
  ssize_t n = read(c->fd, chunk, sizeof chunk);
  if (n > 0) {
    // The frame given out last stays valid only until here.
    buffer_take(&c->in, c->taken);
    c->taken = 0;
    buffer_add(&c->in, chunk, (size_t)n);
    return true;
  }
  if (n == 0) {
    errno = 0;
    return false;
  }
  return errno == EAGAIN || errno == EINTR;
}

bool conn_flush(struct conn *c) {
  while (buffer_length(&c->out) > 0) {
    ssize_t n = write(c->fd, c->out.data + c->out.start, buffer_length(&c->out));
    if (n < 0) return errno == EAGAIN || errno == EINTR;
    buffer_take(&c->out, (size_t)n);
  }
  return true;
}

void conn_put(struct conn *c, enum frame_type type, unsigned stream, unsigned channel,
              const void *data, size_t length) {
  uint8_t h[FRAME_HEADER] = {(uint8_t)type, (uint8_t)stream};
  set_u16(h + 2, (uint16_t)channel);
  set_u32(h + 4, (uint32_t)length);
  buffer_add(&c->out, h, sizeof h);
  buffer_add(&c->out, data, length);
}

void conn_put_u32(struct conn *c, enum frame_type type, unsigned stream, unsigned channel,
                  uint32_t value) {
  uint8_t v[4];
  set_u32(v, value);
  conn_put(c, type, stream, channel, v, sizeof v);
}

int conn_get(struct conn *c, struct frame *f) {
  buffer_take(&c->in, c->taken);
  c->taken = 0;
  if (buffer_length(&c->in) < FRAME_HEADER) return 0;
  const uint8_t *h = c->in.data + c->in.start;
  f->type = h[0];
  f->stream = h[1];
  f->channel = get_u16(h + 2);
  f->length = get_u32(h + 4);
  f->data = h + FRAME_HEADER;
  if (f->type < FRAME_HELLO || f->type > FRAME_REQUEST || f->stream > 2 || f->length > FRAME_MAX)
    return -1;
  if (buffer_length(&c->in) < FRAME_HEADER + f->length) return 0;
  c->taken = FRAME_HEADER + f->length;
  return 1;
}
