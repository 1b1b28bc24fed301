/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The lab's debug port, BAR 1 of a card that was started with --judge: through it sim/guest/judge tells what memory is the
 * card's. No register of Weft: no board has it. 32 bits each.
 */
#ifndef WEFT_SIM_JUDGE_PORT_H
#define WEFT_SIM_JUDGE_PORT_H

#define JUDGE_BYTES 4096
#define JUDGE_MAGIC 0x4a554447u

#define JUDGE_ID 0x00      /* ro JUDGE_MAGIC */
#define JUDGE_ARM 0x04     /* wo 1: everything is judged from now on; 0: nothing */
#define JUDGE_ADDR_LO 0x08 /* wo */
#define JUDGE_ADDR_HI 0x0c
#define JUDGE_LEN_LO 0x10
#define JUDGE_LEN_HI 0x14
#define JUDGE_COMMAND 0x18 /* wo; acts on address and length */

#define JUDGE_CARD_READS 1u
#define JUDGE_CARD_WRITES 2u
#define JUDGE_GIVE 0x10u   /* the bytes are the card's; may be given several times */
#define JUDGE_TAKE 0x20u   /* one such gift, of the same bytes and rights, is over */

#endif
