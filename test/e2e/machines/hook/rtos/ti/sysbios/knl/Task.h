#ifndef TI_SYSBIOS_KNL_TASK_H
#define TI_SYSBIOS_KNL_TASK_H

#include <xdc/std.h>

typedef struct Task_Object *Task_Handle;
typedef Void (*Task_FuncPtr)(UArg, UArg);
typedef struct {
	UArg arg0, arg1;
	Int priority;
} Task_Params;

/* A set as the configuration makes it of hook.cfg: on the C6000 a handle is what the hook takes. */
typedef struct {
	Void (*switchFxn)(Task_Handle, Task_Handle);
} Task_HookSet;

Void Task_Params_init(Task_Params *params);
Task_Handle Task_create(Task_FuncPtr function, const Task_Params *params, void *errors);
UInt Task_setPri(Task_Handle task, Int priority);

#endif
