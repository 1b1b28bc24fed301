/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Test bench support: a test is a SystemVerilog module `tb` (the unit under test with tb_src_* and tb_snk_* on its streams)
 * and one C file that defines tb_setup, tb_step and tb_finish. See README.md.
 */
#ifndef WEFT_TB_H
#define WEFT_TB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TB_SIDE_BYTES 256 /* largest side band or item, 2048 bits */
#define TB_MAX_PORTS 64
#define TB_MAX_PACKET 131072

/* ---- hooks, defined by the test ---- */
/** Once, before reset. Options are read with tb_opt(). */
void tb_setup(void);
/** Once a cycle after reset, before the rising edge. Return true when the test is over. */
bool tb_step(void);
/** Once at the end: last checks. */
void tb_finish(void);

/* ---- options, random numbers, time ---- */
/** Value of "+name=value" on the command line, or def. */
long tb_opt(const char *name, long def);
const char *tb_optstr(const char *name, const char *def);
/** Random stream of this test; the seed is +seed=N (default 1) and is printed on failure. */
uint64_t tb_rand(void);
/** 0 .. n-1 */
uint32_t tb_below(uint32_t n);
/** lo .. hi */
uint32_t tb_range(uint32_t lo, uint32_t hi);
/** true in pct percent of the calls */
bool tb_chance(unsigned pct);
void tb_rand_bytes(void *p, size_t n);
/** Cycles since reset. */
uint64_t tb_cycle(void);
/** now_ns seen by the unit through the DPI function tb_now(); tb_ns_per_cycle (default 4) is added each cycle. */
void tb_set_now(uint64_t ns);
uint64_t tb_get_now(void);
extern uint64_t tb_ns_per_cycle;

/* ---- checks ---- */
/** Records a failure (printf style) with cycle and seed; the test ends after the tenth. */
void tb_fail(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
#define tb_check(cond, ...) ((cond) ? (void)0 : tb_fail(__VA_ARGS__))
/** A printed remark, e.g. a figure. */
void tb_note(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* ---- streams into the unit ---- */
/** Items (tb_src_item): nbytes of little-endian bits. */
void tb_item_push(int port, const void *bits, size_t nbytes);
/** Packets (tb_src_stream): data, side band (may be NULL), err flag with last. */
void tb_packet_push(int port, const void *data, size_t len, const void *side, size_t side_bytes, bool err);
/** Items or packets not yet completely taken. */
size_t tb_pending(int port);
/** The client behind a port was reset: what it had begun to send is forgotten. */
void tb_src_reset(int port);
/** Chance in percent that valid is offered when something waits (default 100). */
void tb_src_rate(int port, unsigned pct);

/* ---- streams out of the unit ---- */
typedef void (*tb_item_fn)(int port, const uint8_t *bits, void *arg);
typedef void (*tb_packet_fn)(int port, const uint8_t *data, size_t len, const uint8_t *side, bool err, void *arg);
void tb_on_item(int port, tb_item_fn fn, void *arg);
void tb_on_packet(int port, tb_packet_fn fn, void *arg);
/** Chance in percent that ready is given in a cycle (default 100). */
void tb_snk_rate(int port, unsigned pct);

/* ---- packed structs: SystemVerilog's first field is the most significant ---- */
struct tb_pack {
	uint8_t bits[TB_SIDE_BYTES];
	unsigned pos; /* bits still below */
};
/** Start packing or unpacking a struct of width bits. */
void tb_pack_begin(struct tb_pack *p, unsigned width);
/** Put the next field in the order of the declaration. */
void tb_put(struct tb_pack *p, unsigned width, uint64_t value);
void tb_unpack_begin(struct tb_pack *p, const uint8_t *bits, unsigned width);
uint64_t tb_get(struct tb_pack *p, unsigned width);
/** Little-endian bit fields at an absolute position. */
uint64_t tb_bits_get(const uint8_t *bits, unsigned lsb, unsigned width);
void tb_bits_set(uint8_t *bits, unsigned lsb, unsigned width, uint64_t value);

/* ---- small models that several tests need ---- */
/** CRC32c (RFC 3720), crc of the whole buffer; chain with prev = earlier result, 0 at first. */
uint32_t tb_crc32c(uint32_t prev, const void *data, size_t len);
/** Internet checksum (RFC 1071): 16-bit ones' complement sum (not inverted), network order words. */
uint16_t tb_csum(uint32_t sum, const void *data, size_t len);

/* ---- configuration bus master: port pair cfg request (item source) and response (item sink) ---- */
/** Queue an access; fn (may be NULL) gets the answer. Ports are those of tb_cfg in the test bench. */
typedef void (*tb_cfg_fn)(uint32_t rdata, bool err, void *arg);
void tb_cfg_write(uint32_t addr, uint32_t data);
void tb_cfg_read(uint32_t addr, tb_cfg_fn fn, void *arg);
/** A write whose answer is looked at: it may be an error. */
void tb_cfg_write_fn(uint32_t addr, uint32_t data, tb_cfg_fn fn, void *arg);
/** Write a 64-byte context entry of a room (words in order, word 15 commits). */
void tb_cfg_ctx(unsigned room, unsigned index, const void *entry);
/** Accesses not answered yet. */
size_t tb_cfg_pending(void);

#endif
