/* SPDX-License-Identifier: BSD-2-Clause */
/* Entry, and the trap handler: a trap is a fault of the firmware, it says so and sleeps. */
#include "../include/mgmt_map.h"
  .section .text.start
  .globl _start
_start:
  la t0, trap
  csrw mtvec, t0
  .option push
  .option norelax
  la gp, __global_pointer$
  .option pop
  la sp, __stack_top
  la t0, __bss_start
  la t1, __bss_end
1: sw zero, 0(t0) /* bss is a multiple of 32 bytes */
  sw zero, 4(t0)
  sw zero, 8(t0)
  sw zero, 12(t0)
  sw zero, 16(t0)
  sw zero, 20(t0)
  sw zero, 24(t0)
  sw zero, 28(t0)
  addi t0, t0, 32
  bltu t0, t1, 1b
  li t1, 0x5aa5f00d /* what lies below the stack is compared, and shows how far it has grown: hw_rv32.c */
2: sw t1, 0(t0)
  addi t0, t0, 4
  bltu t0, sp, 2b
  call main
  .balign 4
trap: /* the crash record; the stack may be what is broken */
  li t0, MGMT_REG
  csrr t1, mepc
  sw t1, MGMT_R_CRASH_PC(t0)
  csrr t1, mcause
  sw t1, MGMT_R_CRASH_CAUSE(t0)
  csrr t1, mtval
  sw t1, MGMT_R_CRASH_VALUE(t0)
  sw sp, MGMT_R_CRASH_SP(t0)
  li t1, 6 /* WEFT_FW_ERROR_TRAP */
  sw t1, MGMT_R_FW_FAULT(t0)
  sw zero, MGMT_R_WAKE_MASK(t0)
3: wfi
  j 3b
