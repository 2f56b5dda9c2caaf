/* SPDX-License-Identifier: MIT
 *
 * pthread_setname_np, interposed: a thread that has renamed itself says so at once; see names.c.
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

	/* It may have been another thread's: then this one's is looked at for nothing. */
	if (!error && ring && agent.session && !agent.session->closed)
		names_look(ring);
	return error;
}
