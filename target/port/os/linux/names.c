/* SPDX-License-Identifier: MIT
 *
 * A thread is usually given its name when it runs already, by itself, and may be gone before record has looked. So it looks itself: when it
 * is renamed through libc, and now and then.
 */
#include "port/os/linux/agent.h"
#include "port/os/linux/system.h"

void names_look(const struct dwell_ring *ring)
{
	struct dwell_session *session = agent.session;
	uint64_t slot = dwell_session_slot_of(session, ring);

	if (slot < dwell_session_layout(session)->slot_count)
		system_thread_name(dwell_session_slots(session)[slot].name);
}
