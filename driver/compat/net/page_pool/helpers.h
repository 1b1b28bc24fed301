/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include <net/page_pool/types.h>
