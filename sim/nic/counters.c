/* SPDX-License-Identifier: BSD-2-Clause */
#include "counters.h"

const char *const counter_names[] = { 0 };
const unsigned int counter_count = 0;
