/* What SYS/BIOS does: calls the hook set's switch function, NULL for the task that the first switch leaves. The hook is called as
 * the configuration would, and the tasks of main.c run in turn by what their priorities are. */
#include <ti/sysbios/BIOS.h>
#include <ti/sysbios/knl/Clock.h>
#include <ti/sysbios/knl/Task.h>

#include "hook.h"
#include "switches.h"

struct Task_Object {
	Int priority;
	Task_FuncPtr function;
};

static struct Task_Object objects[3];
static unsigned created;
static Task_Handle running;
static Clock_FuncPtr clock_function;
extern Void task_switch_hook_as_configured(Task_Handle, Task_Handle) __asm__("task_switch_hook");
static const Task_HookSet hooks = {task_switch_hook_as_configured};

Void Task_Params_init(Task_Params *params)
{
	*params = (Task_Params){.priority = 1};
}

Void Clock_Params_init(Clock_Params *params)
{
	*params = (Clock_Params){.period = 0};
}

Task_Handle Task_create(Task_FuncPtr function, const Task_Params *params, void *errors)
{
	(void)errors;
	objects[created] = (struct Task_Object){params->priority, function};
	return &objects[created++];
}

UInt Task_setPri(Task_Handle task, Int priority)
{
	UInt before = (UInt)task->priority;

	task->priority = priority;
	return before;
}

Clock_Handle Clock_create(Clock_FuncPtr function, UInt timeout, const Clock_Params *params, void *errors)
{
	(void)errors;
	wrong += timeout != 10 || params->period != 10 || !params->startFlag;
	clock_function = function;
	return 0;
}

static void dispatch(void)
{
	Task_Handle next = objects;

	for (unsigned i = 1; i < created; i++)
		if (objects[i].priority > next->priority)
			next = &objects[i];
	hooks.switchFxn(running, next);
	running = next;
}

Void BIOS_start(Void)
{
	dispatch();
	for (int i = 0; i < 3; i++) {
		clock_function(0);
		dispatch();
	}
	is_switch(0, 0, &objects[0]);
	is_switch(1, &objects[0], &objects[1]);
	is_switch(2, &objects[1], &objects[2]);
	is_switch(3, &objects[2], &objects[0]);
	if (created != 3 || uiProfileDataCnt != 8 || wrong)
		__builtin_trap();
}
