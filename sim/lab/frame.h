// SPDX-License-Identifier: BSD-2-Clause
//
// The lab's own protocol, spoken twice: between a client (`./lab exec ...`) and the supervisor over
// a UNIX socket, and between the supervisor and a guest's agent over a virtio-serial port. One
// frame is an 8-byte header and up to FRAME_MAX bytes:
//
//   0      type      enum frame_type
//   1      stream    0 stdin, 1 stdout, 2 stderr
//   2..3   channel   one command of a guest; 0 is the link itself (little-endian)
//   4..7   length    of what follows (little-endian)
//
// A sender of DATA may have at most STREAM_WINDOW bytes of one stream of one channel on the way;
// the receiver hands them back with CREDIT as it passes them on. So a command whose output nobody
// reads holds up nobody else, and every buffer has a bound.
#ifndef LAB_FRAME_H
#define LAB_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FRAME_HEADER 8u
#define FRAME_MAX 65536u
#define STREAM_WINDOW (256u * 1024u)
#define AGENT_PORT_NAME "org.weft.agent"
#define AGENT_VERSION "weft-agent 1"

enum frame_type {
  FRAME_HELLO = 1,    // agent: it runs; payload AGENT_VERSION
  FRAME_STATE = 2,    // agent: bring-up ended; payload u32 exit status, then text
  FRAME_OPEN = 3,     // start a command; payload struct open_header, then strings: TERM, argv[0], ...
  FRAME_DATA = 4,     // bytes of a stream
  FRAME_EOF = 5,      // a stream ended
  FRAME_EXIT = 6,     // the command ended; payload u32 status as the shell knows it, then text
  FRAME_SIGNAL = 7,   // send a signal to the command; payload u32 number
  FRAME_CREDIT = 8,   // payload u32 bytes of a stream passed on
  FRAME_RESIZE = 9,   // payload u16 rows, u16 columns
  FRAME_CLOSE = 10,   // the client is gone: end the command
  FRAME_REQUEST = 11  // client: words, each ended by NUL
};

enum open_flags {
  OPEN_PTY = 1,    // the command gets a terminal
  OPEN_DETACH = 2  // it outlives the request: answered with its process id
};

// Little-endian on the wire, 8 bytes.
struct open_header {
  uint32_t flags;
  uint16_t rows;
  uint16_t columns;
};

struct buffer {
  uint8_t *data;
  size_t start;  // first byte not yet taken
  size_t end;    // behind the last byte
  size_t size;
};

// One end of a connection; `fd` is non-blocking.
struct conn {
  int fd;
  struct buffer in;
  struct buffer out;
  size_t taken;  // bytes of the frame that conn_get gave out last
};

struct frame {
  enum frame_type type;
  uint8_t stream;
  uint16_t channel;
  uint32_t length;
  const uint8_t *data;  // valid until the next call on the connection
};

// Exits the process when memory is exhausted: nothing of the lab can go on then.
void *lab_alloc(size_t size);
void buffer_add(struct buffer *b, const void *data, size_t length);
void buffer_take(struct buffer *b, size_t length);
static inline size_t buffer_length(const struct buffer *b) { return b->end - b->start; }
void buffer_free(struct buffer *b);

void conn_open(struct conn *c, int fd);
void conn_close(struct conn *c);
// Reads what is there. False when the other side is gone (errno 0 at end of file).
bool conn_fill(struct conn *c);
// Writes what it can. False when the other side is gone.
bool conn_flush(struct conn *c);
void conn_put(struct conn *c, enum frame_type type, unsigned stream, unsigned channel,
              const void *data, size_t length);
void conn_put_u32(struct conn *c, enum frame_type type, unsigned stream, unsigned channel,
                  uint32_t value);
// 1: a frame; 0: not whole yet; -1: malformed (longer than FRAME_MAX or of no known type).
int conn_get(struct conn *c, struct frame *f);

uint32_t get_u32(const uint8_t *p);
uint16_t get_u16(const uint8_t *p);
void set_u32(uint8_t *p, uint32_t v);
void set_u16(uint8_t *p, uint16_t v);

// Milliseconds of a clock that only goes forward.
int64_t now_ms(void);
void set_nonblocking(int fd);

#endif
