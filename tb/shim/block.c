// SPDX-License-Identifier: BSD-2-Clause
#include "block.h"

#include <stdlib.h>
#include <string.h>

struct weft_rc_in rc_in;
struct tlps host_posted, host_np, host_cpl, card_req, card_cpl;
static struct tlp *req_in, *cpl_in;
static uint32_t req_pos, cpl_pos, wr_pos, out_pos;
static uint64_t stamp;

struct tlp *tlp_new(void) { return calloc(1, sizeof(struct tlp)); }

void tlp_push(struct tlps *q, struct tlp *t)
{
	t->next = NULL;
	if (q->n++)
		q->last->next = t;
	else
		q->head = t;
	q->last = t;
}

struct tlp *tlp_pop(struct tlps *q)
{
	struct tlp *t = q->head;

	q->head = t->next;
	q->n--;
	return t;
}

void block_drive(void) { weft_rc_drive(rc, &rc_in); }

/* A beat of the root complex, `bytes` a beat; true with the last. */
static bool collect(struct tlp **t, uint32_t *pos, const uint32_t hdr[4], const uint8_t *data, bool last)
{
	if (!*t) {
		*t = tlp_new();
		memcpy((*t)->hdr, hdr, 16);
		*pos = 0;
	}
	memcpy((*t)->data + *pos, data, TB_DATA_W / 8);
	*pos += TB_DATA_W / 8;
	if (last)
		(*t)->len = tlp_has_data(*t) ? 4 * tlp_dwords(*t) : 0;
	return last;
}

static void offer(struct weft_rc_out *o)
{
	struct tlp *t = card_req.head, *c = card_cpl.head;
	bool write = t && tlp_has_data(t);

	if (t && !rc_in.cfg_bme && !wr_pos) { /* bus mastering is off: no request leaves */
		t = tlp_pop(&card_req);
		block_gone(t);
		free(t);
		t = NULL;
		write = false;
	}
	o->tx_rd_valid = t && !write;
	o->tx_wr_valid = write;
	if (t)
		memcpy(write ? o->tx_wr_hdr : o->tx_rd_hdr, t->hdr, 16);
	if (write) {
		memcpy(o->tx_wr_data, t->data + wr_pos, TB_DATA_W / 8);
		o->tx_wr_last = wr_pos + TB_DATA_W / 8 >= t->len;
	}
	o->tx_cpl_valid = c != NULL;
	if (c) {
		memcpy(o->tx_cpl_hdr, c->hdr, 16);
		memcpy(&o->tx_cpl_data, c->data + out_pos, 8);
	}
}

void block_sample(bool flr_done)
{
	struct weft_rc_out o = { .rx_req_ready = host_posted.n < 64 && host_np.n < 64, .rx_cpl_ready = host_cpl.n < 64,
				 .flr_done = flr_done };

	if (rc_in.rx_req_valid && o.rx_req_ready && collect(&req_in, &req_pos, rc_in.rx_req_hdr, rc_in.rx_req_data, rc_in.rx_req_last)) {
		uint32_t type = req_in->hdr[0] >> 24 & 0x1f;

		req_in->bar = rc_in.rx_req_bar;
		req_in->stamp = stamp++;
		tlp_push((type >> 3) == 2 || (type == 0 && tlp_has_data(req_in)) ? &host_posted : &host_np, req_in);
		req_in = NULL;
	}
	if (rc_in.rx_cpl_valid && o.rx_cpl_ready && collect(&cpl_in, &cpl_pos, rc_in.rx_cpl_hdr, rc_in.rx_cpl_data, rc_in.rx_cpl_last)) {
		cpl_in->stamp = stamp++;
		tlp_push(&host_cpl, cpl_in);
		cpl_in = NULL;
	}
	offer(&o);
	weft_rc_sample(rc, &o);
	if (o.tx_rd_valid && rc_in.tx_rd_ready) {
		struct tlp *t = tlp_pop(&card_req);

		block_gone(t);
		free(t);
	}
	if (o.tx_wr_valid && rc_in.tx_wr_ready) {
		wr_pos += TB_DATA_W / 8;
		if (o.tx_wr_last) {
			struct tlp *t = tlp_pop(&card_req);

			wr_pos = 0;
			block_gone(t);
			free(t);
		}
	}
	if (o.tx_cpl_valid && rc_in.tx_cpl_ready) {
		out_pos += 8;
		if (out_pos >= card_cpl.head->len) {
			out_pos = 0;
			free(tlp_pop(&card_cpl));
		}
	}
}

struct tlp *block_completion(void)
{
	if (!host_cpl.n || (host_posted.n && host_posted.head->stamp < host_cpl.head->stamp))
		return NULL;
	return tlp_pop(&host_cpl);
}

struct tlp *block_request(bool np_allowed)
{
	bool np = np_allowed && host_np.n && (!host_posted.n || host_np.head->stamp < host_posted.head->stamp);

	/* A non-posted one never goes past a posted one that came before it. */
	if (np && !(host_posted.n && tb_chance(20)))
		return tlp_pop(&host_np);
	return host_posted.n ? tlp_pop(&host_posted) : NULL;
}
