// SPDX-License-Identifier: BSD-2-Clause
#include <stdio.h>

#include "world.h"

void fw_init(void);
extern int world_failures;

int main(void)
{
	fw_init();
	scenarios();
	printf("%s firmware/scenarios\n", world_failures ? "not ok" : "ok");
	return world_failures != 0;
}
