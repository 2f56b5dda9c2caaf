/* See hook_freertos.h. Compile it, and the kernel, without hooks: a function of the kernel that switches is entered by one task and
 * left by another. */
#include "hook_freertos.h"

#include <stdint.h>

#include "hook.h"

#ifndef HOOK_FREERTOS_SWITCH
#define HOOK_FREERTOS_SWITCH __task_switch_hook /* of the kind of the compiler's hooks */
#endif

/* Context: the scheduler, its interrupts masked. */
void hook_freertos_switched_in(const volatile void *task)
{
	static uint32_t running; /* 0: before the first task */
	uint32_t next = (uint32_t)(uintptr_t)task;

	if (next == running)
		return;
	HOOK_FREERTOS_SWITCH(running, next);
	running = next;
}
