/* SPDX-License-Identifier: BSD-2-Clause */
#define PATH 1 /* the data path under firmware */
#define PATH_NAME "" /* in names of cases */
