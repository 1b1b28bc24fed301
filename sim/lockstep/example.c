/* SPDX-License-Identifier: BSD-2-Clause */
/* The first script of README.md: one RDMA Write of 64 KiB between two cards. */
#include "lockstep.h"

#include <stdio.h>

int main(int argc, char **argv)
{
	struct ls_options o = ls_defaults(argc, argv);
	struct lockstep *ls = ls_new(&o);
	struct ls_host *a = ls_host(ls, 0), *b = ls_host(ls, 1);
	struct ls_qp_attr qa = { .scq = ls_cq_create(a, 6, NULL, 1), .pd = 7, .page = 1 };
	struct ls_qp_attr qb = { .scq = ls_cq_create(b, 6, NULL, 1), .pd = 9, .page = 1,
				 .access = 1 << WEFT_ACCESS_REMOTE_WRITE };
	struct ls_mr_attr src = { .bytes = 65536, .pd = 7, .access = 1 << WEFT_ACCESS_LOCAL_READ };
	struct ls_mr_attr dst = { .bytes = 65536, .pd = 9, .fbo = 123,
				  .access = 1 << WEFT_ACCESS_REMOTE_WRITE };
	struct ls_mr *from = ls_mr_create(a, &src), *to = ls_mr_create(b, &dst);
	struct ls_qp *x, *y;

	qa.rcq = qa.scq;
	qb.rcq = qb.scq;
	x = ls_qp_create(a, &qa);
	y = ls_qp_create(b, &qb);
	ls_connect(x, y, NULL);
	ls_mr_fill(from, 0, 65536, 1);
	LS_CHECK(ls, ls_write(x, from, 0, to, 0, 65536).status == WEFT_WC_STATUS_SUCCESS);
	ls_mr_check(to, 0, 65536, 1);
	printf("64 KiB in %llu cycles, trace %016llx\n", (unsigned long long)ls_cycles(ls),
	       (unsigned long long)ls_trace_hash(ls));
	ls_free(ls);
	return 0;
}
