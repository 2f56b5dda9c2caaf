/* Thread switches of Zephyr for the function hooks of hook.h: CONFIG_TRACING=y, CONFIG_TRACING_USER=y, and this file among those of
 * the application.
 *
 * Zephyr calls functions that an application may have, here as a thread is switched in. Older versions pass the thread, newer ones
 * nothing. The function below has another name in C than in the object file, so it does not matter which of them the headers
 * declare; what may be passed is not looked at. Compile it without hooks. */
#include <zephyr/kernel.h>

#include "hook.h"

#if defined(CONFIG_MP_MAX_NUM_CPUS) && CONFIG_MP_MAX_NUM_CPUS > 1
#error "hook_zephyr.c: the hooks have one buffer for one processor"
#endif
#ifndef HOOK_ZEPHYR_SWITCH
#define HOOK_ZEPHYR_SWITCH __task_switch_hook /* of the kind of the compiler's hooks */
#endif

void hook_zephyr_switched_in(void) __asm__("sys_trace_thread_switched_in_user");

/* Context: the kernel, interrupts masked. */
void hook_zephyr_switched_in(void)
{
	static uint32_t running; /* 0: before the first thread */
	uint32_t next = (uint32_t)(uintptr_t)k_sched_current_thread_query();

	if (next == running)
		return;
	HOOK_ZEPHYR_SWITCH(running, next);
	running = next;
}
