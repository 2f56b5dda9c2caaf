/* Task switches of FreeRTOS for the function hooks of hook.h. The last line of FreeRTOSConfig.h:
 *
 *     #include "hook_freertos.h"
 *
 * FreeRTOS says OUT before it chooses a task and IN behind it, both also when it chooses the same one again, and the first task of
 * all comes without an OUT. So OUT is not used, and hook_freertos.c remembers who runs. */
#ifndef HOOK_FREERTOS_H
#define HOOK_FREERTOS_H

#if defined(configNUMBER_OF_CORES) && configNUMBER_OF_CORES > 1
#error "hook_freertos.h: the hooks have one buffer for one processor"
#endif

void hook_freertos_switched_in(const volatile void *task);

/* Expanded in tasks.c, where pxCurrentTCB is known. */
#undef traceTASK_SWITCHED_IN
#define traceTASK_SWITCHED_IN() hook_freertos_switched_in(pxCurrentTCB)

#endif
