// SPDX-License-Identifier: BSD-2-Clause
/* Main loop: whatever is pending, in turn; then sleep until something is, or the next deadline. */
#include "cm.h"
#include "fw.h"
#include "objects.h"

static bool link_was, more; /* commands are left */

static void link_event(void)
{
	bool up = hw_bar0(WEFT_REG_STATUS) & WEFT_REG_STATUS_LINK_MASK;

	if (up == link_was) return;
	link_was = up;
	event_of(WEFT_EQE_TYPE_LINK, up, 0, 0);
}

void fw_init(void)
{
	link_was = hw_bar0(WEFT_REG_STATUS) & WEFT_REG_STATUS_LINK_MASK;
	objects_init();
	hw_state(WEFT_FW_STATE_READY);
}

/** One pass; returns true when something was done. */
bool fw_pass(void)
{
	uint32_t p = hw_pending();

	hw_heartbeat();
	if (!hw_stack_ok()) hw_fault(WEFT_FW_ERROR_STACK);
	if (p & 1u << MGMT_PEND_LINK) {
		hw_pend_clear(1u << MGMT_PEND_LINK);
		link_event();
	}
	if (p & 1u << MGMT_PEND_ADMIN_RESTART) {
		hw_pend_clear(1u << MGMT_PEND_ADMIN_RESTART);
		admin_restart();
	}
	if (p & 1u << MGMT_PEND_ADMIN_DB || more) {
		p |= 1u << MGMT_PEND_ADMIN_DB;
		hw_pend_clear(1u << MGMT_PEND_ADMIN_DB);
		more = admin_run();
	}
	if (p & 1u << MGMT_PEND_EVENT) events_run();
	if (p & 1u << MGMT_PEND_FRAME) cm_frames();
	if (p & 1u << MGMT_PEND_TIMER) {
		objects_timers(ticks());
		cm_timers();
	}
	if (p) {
		cm_serve();
		hw_timer(cm_deadline());
	}
	return p != 0;
}

#ifndef FW_NATIVE
int main(void)
{
	fw_init();
	for (;;) {
		fw_pass();
		if (!more) hw_wait(); /* not at all, if something came meanwhile */
	}
}
#endif
