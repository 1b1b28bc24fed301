/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Small tools of the simulation's processes: strict parsing, UNIX sockets, memory, time.
 */
#ifndef WEFT_SIM_UTIL_H
#define WEFT_SIM_UTIL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Rates are parts per billion: 100 % is RATE_ONE. */
#define RATE_ONE 1000000000u

/* Print "PROGRAM: message" to stderr; die also exits with 1. */
void util_name(const char *program);
void warn(const char *format, ...) __attribute__((format(printf, 1, 2)));
_Noreturn void die(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Memory or the end of the process. */
void *xcalloc(size_t count, size_t size);
void *xrealloc(void *old, size_t size);
char *xstrdup(const char *text);

/*
 * Strict parsers: the whole text must be the value, no white space, no sign; false otherwise and
 * *out untouched.
 *   parse_u64      decimal, or hexadecimal with 0x
 *   parse_percent  0% to 100%, at most 7 decimals, the sign is needed; parts per billion
 *   parse_time     a decimal number and ns, us, ms or s; nanoseconds, at most one hour
 *   parse_bitrate  a decimal number and bit, kbit, mbit or gbit (per second); 0 alone: no limit
 *   parse_mac      six hexadecimal pairs with colons; byte 0 in bits 7:0; refuses multicast
 */
bool parse_u64(const char *text, uint64_t max, uint64_t *out);
bool parse_percent(const char *text, uint32_t *out);
bool parse_time(const char *text, uint64_t *out);
bool parse_bitrate(const char *text, uint64_t *out);
bool parse_mac(const char *text, uint64_t *out);

/* Clocks in nanoseconds. */
uint64_t clock_monotonic_ns(void);
uint64_t clock_realtime_ns(void);

/*
 * UNIX stream sockets; non-blocking, close-on-exec. A listening path that nobody serves any more
 * is taken over. Return the descriptor, or -1 with errno (ENAMETOOLONG, EADDRINUSE, ...).
 */
int unix_listen(const char *path);
int unix_connect(const char *path);

#endif
