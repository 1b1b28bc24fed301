// SPDX-License-Identifier: BSD-2-Clause
#include <stdio.h>
#include <stdlib.h>

#include "world.h"

void fw_init(void);
extern int world_failures;

int main(int argc, char **argv)
{
	fw_init();
	if (argc > 1) scenario_flood((unsigned)atoi(argv[1]));
	else scenarios();
	printf("%s firmware/%s\n", world_failures ? "not ok" : "ok", argc > 1 ? "flood" : "scenarios");
	return world_failures != 0;
}
