// SPDX-License-Identifier: BSD-2-Clause
/* Root complex model: accesses of the host to the card's BARs, MSI-X programming. */
#include "rc_int.h"

#include <stdlib.h>
#include <string.h>

static struct rc_tlp *queue(struct weft_rc *rc, unsigned bar, const uint32_t hdr[4], const void *data, uint32_t len)
{
	struct rc_tlp *t = rc_alloc(sizeof(*t) + len);

	uint32_t type = hdr[0] >> 24 & 0x1f;

	memcpy(t->hdr, hdr, 16);
	t->bar = bar;
	t->len = len;
	if (len && data)
		memcpy(t->data, data, len);
	/* messages, memory writes */
	t->posted = (type >> 3) == 2 || (type == 0 && hdr[0] >> 30 & 1);
	t->after = rc->posted_made;
	if (t->posted) {
		rc->posted_made++;
		*rc->req_tail = t;
		rc->req_tail = &t->next;
	} else {
		*rc->np_tail = t;
		rc->np_tail = &t->next;
	}
	return t;
}

/* Memory request of len bytes at off that crosses no page. */
static void mem_header(uint32_t hdr[4], bool write, uint64_t off, uint32_t len)
{
	uint32_t lead = off & 3, dwords = (lead + len + 3) / 4;
	uint32_t fbe = 0xfu << lead & 0xf, lbe = 0xfu >> (-(lead + len) & 3);

	if (!dwords)
		dwords = 1;
	if (dwords == 1) {
		fbe = len ? fbe & lbe : 0;
		lbe = 0;
	}
	hdr[0] = (write ? 0x40000000u : 0) | (dwords & 0x3ff);
	hdr[1] = RC_ID << 16 | lbe << 4 | fbe;
	hdr[2] = (uint32_t)off & ~3u;
	hdr[3] = 0;
	if (off >> 32 || off & 0x80000000u) { /* some of both lengths */
		hdr[0] |= 1u << 29;
		hdr[2] = (uint32_t)(off >> 32);
		hdr[3] = (uint32_t)off & ~3u;
	}
}

void weft_rc_write(struct weft_rc *rc, unsigned bar, uint64_t off, const void *buf, uint32_t len)
{
	const uint8_t *p = buf;

	while (len) {
		uint32_t room = 128 - (uint32_t)(off & 127), n = len < room ? len : room, hdr[4];
		uint8_t data[128 + 8] = { 0 };

		memcpy(data + (off & 3), p, n);
		mem_header(hdr, true, off, n);
		queue(rc, bar, hdr, data, 4 * (hdr[0] & 0x3ff));
		p += n;
		off += n;
		len -= n;
	}
}

void weft_rc_read(struct weft_rc *rc, unsigned bar, uint64_t off, uint32_t len, weft_rc_read_fn fn, void *arg)
{
	uint32_t hdr[4];
	struct rc_tlp *t;

	mem_header(hdr, false, off, len);
	t = queue(rc, bar, hdr, NULL, 0);
	t->np = t->plain = true;
	t->fn = fn;
	t->arg = arg;
	t->off = off;
	t->want = len;
}

void weft_rc_raw(struct weft_rc *rc, unsigned bar, const uint32_t hdr[4], const void *data, uint32_t len,
		 weft_rc_read_fn fn, void *arg)
{
	struct rc_tlp *t = queue(rc, bar, hdr, data, len);

	t->np = !t->posted && fn;
	t->fn = fn;
	t->arg = arg;
}

/* A non-posted request that may go now: what was posted before it has gone, and it has a tag. */
static struct rc_tlp **nonposted(struct weft_rc *rc)
{
	uint64_t first = rc->req_head ? rc->req_head->after : UINT64_MAX;
	struct rc_tlp **pick = NULL;
	uint32_t n = 0;

	for (struct rc_tlp **p = &rc->np_head; *p && (*p)->after <= first; p = &(*p)->next) {
		if (!((*p)->np && rc->np_used == RC_HOST_TAGS) && !rc_below(rc, ++n))
			pick = p;
		if (!rc->cfg.reorder)
			break;
	}
	return pick;
}

/* The next request towards the card. */
void rc_host_next(struct weft_rc *rc)
{
	struct rc_tlp **np = nonposted(rc), *t = rc->req_head;
	bool older = np && (!t || (*np)->after <= t->after);
	unsigned i;

	/* Posted requests pass those that cannot go; others when the adversary wants it. */
	if (older && !(t && rc->cfg.reorder && rc_chance(rc, 30))) {
		t = *np;
		*np = t->next;
		if (rc->np_tail == &t->next)
			rc->np_tail = np;
	} else if (t) {
		rc->stats.passed += rc->np_head && rc->np_head->after <= t->after;
		rc->req_head = t->next;
		if (!rc->req_head)
			rc->req_tail = &rc->req_head;
	} else {
		return;
	}
	if (t->np) {
		struct rc_np *np;

		do
			i = rc_below(rc, RC_HOST_TAGS);
		while (rc->np[i].used);
		np = &rc->np[i];
		/* upper tag bits are free to choose: the card must return all ten */
		np->tag = (uint16_t)(i | rc_below(rc, 32) << 5);
		t->hdr[0] = (t->hdr[0] & ~(1u << 23 | 1u << 19)) | (np->tag & 0x200u) << 14 | (np->tag & 0x100u) << 11;
		t->hdr[1] = (t->hdr[1] & ~0xff00u) | (np->tag & 0xffu) << 8;
		np->used = true;
		np->plain = t->plain;
		np->dw0 = t->hdr[0];
		np->fn = t->fn;
		np->arg = t->arg;
		np->off = t->off;
		np->want = t->want;
		np->got = 0;
		np->bc = rc_mem_of(t->hdr).bc;
		rc->np_used++;
	}
	rc->req = t;
	rc->req_pos = 0;
	rc_trace(rc, 0, WEFT_RC_RX_REQ, t->hdr, t->data, t->len);
}

void rc_host_taken(struct weft_rc *rc)
{
	rc->posted_taken += rc->req->posted;
	free(rc->req);
	rc->req = NULL;
	rc->req_pos = 0;
}

static void finish(struct weft_rc *rc, struct rc_np *np, unsigned status)
{
	uint32_t n = np->plain && !np->want ? 0 : np->got;

	rc_card_flush(rc, UINT64_MAX);
	np->used = false;
	rc->np_used--;
	if (np->fn)
		np->fn(np->arg, status, np->data, n);
}

/* One beat of a completion; longer ones come in beats of 8 bytes. */
void rc_host_completion(struct weft_rc *rc, const uint32_t hdr[4], uint64_t beat)
{
	uint32_t dwords = hdr[0] >> 30 & 1 ? (hdr[0] & 0x3ff ? hdr[0] & 0x3ff : 1024) : 0;
	unsigned tag = (hdr[0] >> 14 & 0x200) | (hdr[0] >> 11 & 0x100) | (hdr[2] >> 8 & 0xff);
	unsigned status = hdr[1] >> 13 & 7;
	struct rc_np *np = &rc->np[tag % RC_HOST_TAGS];
	uint32_t lead, n;

	if (!rc->tx_cpl_pos)
		rc_flow_use(rc, RC_COMPLETION, 4 * dwords);
	memcpy(rc->tx_cpl_data + rc->tx_cpl_pos, &beat, 8);
	rc->tx_cpl_pos += 8;
	if (rc->tx_cpl_pos < 4 * dwords)
		return;
	rc->tx_cpl_pos = 0;
	rc_trace(rc, 1, WEFT_RC_TX_CPL, hdr, rc->tx_cpl_data, 4 * dwords);
	if (!np->used || np->tag != tag || hdr[2] >> 16 != RC_ID) {
		rc_fault(rc, "completion that nobody waits for: %08x %08x %08x", hdr[0], hdr[1], hdr[2]);
		return;
	}
	if ((hdr[0] >> 24 & 0x1e) != 0x0a || (hdr[0] ^ np->dw0) & 0x00743000u)
		rc_fault(rc, "completion: header %08x to %08x", hdr[0], np->dw0);
	if (hdr[1] >> 16 != rc->cfg.bdf)
		rc_fault(rc, "completion: completer %04x", hdr[1] >> 16);
	if (status) {
		if (dwords)
			rc_fault(rc, "completion with status %u and data", status);
		finish(rc, np, status);
		return;
	}
	lead = hdr[2] & 3;
	n = np->bc < 4 * dwords - lead ? np->bc : 4 * dwords - lead;
	if (np->plain) {
		if ((hdr[2] & 0x7f) != ((np->off + np->got) & 0x7f) && np->want)
			rc_fault(rc, "completion: lower address %x of %llx", hdr[2] & 0x7f, (unsigned long long)np->off + np->got);
		if ((hdr[1] & 0xfff) != (np->bc & 0xfff))
			rc_fault(rc, "completion: byte count %u, not %u", hdr[1] & 0xfff, np->bc);
		if (4 * dwords >= lead + np->bc + 4)
			rc_fault(rc, "completion: %u dwords for %u bytes", dwords, np->bc);
	}
	if (np->got + n > sizeof(np->data)) {
		rc_fault(rc, "completion: too long");
		n = 0;
	}
	memcpy(np->data + np->got, rc->tx_cpl_data + lead, n);
	np->got += n;
	np->bc -= n;
	if (!np->bc)
		finish(rc, np, 0);
}

static void drop(struct rc_tlp **head, struct rc_tlp ***tail)
{
	struct rc_tlp *t;

	while ((t = *head)) {
		*head = t->next;
		free(t);
	}
	*tail = head;
}

void rc_host_forget(struct weft_rc *rc)
{
	/* What is on the wires is finished, the rest goes. */
	if (rc->req && !rc->in.rx_req_valid && !rc->req_pos) {
		free(rc->req);
		rc->req = NULL;
	}
	drop(&rc->req_head, &rc->req_tail);
	drop(&rc->np_head, &rc->np_tail);
	rc->posted_taken = rc->posted_made - (rc->req && rc->req->posted);
	for (unsigned i = 0; i < RC_HOST_TAGS; i++)
		rc->np[i].used = false;
	rc->np_used = 0;
}

/* ---- MSI-X: made-up messages, half of them above 4 GiB ---- */

uint64_t rc_msix_addr(unsigned v) { return v & 1 ? 0xfffffe0012340000ull + 16 * v : 0xfee00000ull + 4 * v; }
uint32_t rc_msix_data(unsigned v) { return 0x57e00000u + 3 * v; }

void weft_rc_msix_setup(struct weft_rc *rc, unsigned n)
{
	for (unsigned v = 0; v < n && v < RC_MAX_VEC; v++) {
		uint64_t addr = rc_msix_addr(v);
		uint64_t data = rc_msix_data(v); /* vector control 0: not masked */

		weft_rc_write(rc, 4, 16 * v, &addr, 8);
		weft_rc_write(rc, 4, 16 * v + 8, &data, 8);
	}
	rc->msix_n = n < RC_MAX_VEC ? n : RC_MAX_VEC;
	rc->cfg.msix_en = true;
}

void weft_rc_msix_mask(struct weft_rc *rc, unsigned vector, bool mask)
{
	uint32_t v = mask;

	weft_rc_write(rc, 4, 16 * vector + 12, &v, 4);
}
