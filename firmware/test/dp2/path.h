/* SPDX-License-Identifier: BSD-2-Clause */
#define PATH 2 /* the data path under firmware */
#define PATH_NAME "homes/" /* in names of cases */
