/* SPDX-License-Identifier: MIT
 *
 * Interposes pthread_setname_np: a thread that has renamed itself updates its slot at once; see names.c.
 */
#include "port/os/linux/agent.h"

#define ENOSYS 38

static int (*real_setname)(unsigned long thread, const char *name);

__attribute__((constructor(102))) static void find_setname(void)
{
	real_setname = (int (*)(unsigned long, const char *))unwind_find_real("pthread_setname_np");
}

int INTERPOSED(pthread_setname_np)(unsigned long thread, const char *name);
__attribute__((visibility("default"))) int INTERPOSED(pthread_setname_np)(unsigned long thread, const char *name)
{
	int error = real_setname ? real_setname(thread, name) : ENOSYS;
	const struct dwell_ring *ring = port_thread()->ring;
	struct dwell_ring *work;

	/* thread may be another thread: then the running thread's name is read for nothing. */
	if (!error && ring && agent.session && !agent.session->closed) {
		work = dwell_trace_work_begin(port_thread());
		names_update(ring);
		dwell_trace_work_end(port_thread(), work);
	}
	return error;
}
