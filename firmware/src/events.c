// SPDX-License-Identifier: BSD-2-Clause
/* Events: of the rooms to firmware, of the card to the driver. */
#include "cm.h"
#include "dp.h"
#include "fw.h"
#include "objects.h"

uint32_t events_posted;

void event_post(const uint32_t eqe[16])
{
	if (!eq0_exists) return;
	events_posted++;
	hw_post_event(0, eqe);
}

void event_of(unsigned kind, unsigned code, uint32_t id, uint32_t data0)
{
	uint32_t e[16];

	clear64(e);
	SET(e, WEFT_EQE_KIND, kind);
	SET(e, WEFT_EQE_CODE, code);
	SET(e, WEFT_EQE_ID, id);
	SET(e, WEFT_EQE_DATA0, data0);
	event_post(e);
}

void events_run(void)
{
	static uint32_t ev[16];

	/* A few at a time: frames and commands get their turn, more events leave the bit pending. */
	for (int i = 0; i < 4 && hw_event_get(ev); i++) {
		uint32_t id = GET(ev, WEFT_FW_EVENT_ID);

		hw_note_event(GET(ev, WEFT_FW_EVENT_KIND));
		if (dp_event(ev)) continue;
		if (GET(ev, WEFT_FW_EVENT_KIND) == WEFT_FW_EV_DRAINED) objects_drained(GET(ev, WEFT_FW_EVENT_CODE), id);
		else if (GET(ev, WEFT_FW_EVENT_KIND) == WEFT_FW_EV_CQ_OVERFLOW) event_of(WEFT_EQE_TYPE_CQ_ERROR, 0, id, 0);
	}
}
