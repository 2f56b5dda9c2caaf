/* What FreeRTOS does at its switches, as far as its hooks go: traceTASK_SWITCHED_OUT() before a task is chosen,
 * traceTASK_SWITCHED_IN() behind it, both also when the same one is chosen, and the first one comes in without an OUT. */
#include "hook_freertos.h" /* the end of FreeRTOSConfig.h */

#include "hook.h"
#include "switches.h"

typedef struct {
	int priority;
} TCB_t;

#ifndef traceTASK_SWITCHED_OUT
#define traceTASK_SWITCHED_OUT()
#endif

static TCB_t tasks[3];
static TCB_t *volatile pxCurrentTCB;

static void vTaskSwitchContext(int next)
{
	traceTASK_SWITCHED_OUT();
	pxCurrentTCB = &tasks[next];
	traceTASK_SWITCHED_IN();
}

int main(void)
{
	static const int turns[] = {1, 1, 2, 0, 0, 0, 1};

	hook_init();
	pxCurrentTCB = &tasks[0];
	traceTASK_SWITCHED_IN(); /* vTaskStartScheduler */
	for (unsigned i = 0; i < sizeof turns / sizeof *turns; i++)
		vTaskSwitchContext(turns[i]);
	is_switch(0, 0, &tasks[0]);
	is_switch(1, &tasks[0], &tasks[1]);
	is_switch(2, &tasks[1], &tasks[2]);
	is_switch(3, &tasks[2], &tasks[0]);
	is_switch(4, &tasks[0], &tasks[1]);
	wrong += uiProfileDataCnt != 10;
#ifdef CIRCULAR
	wrong += !come_round(vTaskSwitchContext);
#endif
	return wrong;
}
