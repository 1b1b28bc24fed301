/* SPDX-License-Identifier: BSD-2-Clause */
#include "counters.h"

#include "weft_abi.h"

const char *const counter_names[] = { WEFT_STAT_NAMES };
const unsigned int counter_count = sizeof(counter_names) / sizeof(counter_names[0]);
