/* SPDX-License-Identifier: MIT
 *
 * Writes a thread's name into its slot. A thread usually sets its name while running, and may be gone before record has read the
 * name. So the thread itself reads the name: when libc renames the thread, and now and then.
 */
#include "port/os/linux/agent.h"
#include "port/os/linux/system.h"

void names_update(const struct dwell_ring *ring)
{
	struct dwell_session *session = agent.session;
	uint32_t count = dwell_session_layout(session)->slot_count;

	for (uint32_t i = 0; i < count && i < session->slots_used; i++)
		if (dwell_session_ring(session, i) == ring) {
			system_thread_name(dwell_session_slots(session)[i].name);
			return;
		}
}
