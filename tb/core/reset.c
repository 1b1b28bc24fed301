// SPDX-License-Identifier: BSD-2-Clause
/*
 * CONTROL.RESET with register reads at every distance behind it: each is answered, and the card comes back. A read that is
 * forgotten would hang the processor that waits for it.
 */
#include <stdio.h>

#include "lockstep.h"

int main(int argc, char **argv)
{
	struct ls_options o = ls_defaults(argc, argv);
	struct lockstep *ls = ls_new(&o);
	struct ls_host *h = ls_host(ls, 0);

	for (unsigned gap = 0; gap < 160; gap++) {
		ls_reg_write(h, WEFT_REG_FW_ADDR_LO, 0x1000 * (gap + 1));
		ls_reg_write(h, WEFT_REG_CONTROL, WEFT_REG_CONTROL_RESET_MASK);
		ls_run(ls, gap);
		for (int i = 0; i < 6; i++)
			LS_CHECK(ls, ls_reg_read(h, WEFT_REG_ID) == WEFT_MAGIC);
		ls_run(ls, 200);
		LS_CHECK(ls, ls_reg_read(h, WEFT_REG_FW_ADDR_LO) == 0);
	}
	printf("%llu cycles\n", (unsigned long long)ls_cycles(ls));
	ls_free(ls);
	return 0;
}
