/* The application note's example on SYS/BIOS: a clock function lets one of three tasks run, in turn. Compile it with
 * --entry_hook=entry_hook --entry_parm=address --exit_hook=exit_hook --exit_parm=address, and hook.c beside it. */
#include <xdc/std.h>

#include <ti/sysbios/BIOS.h>
#include <ti/sysbios/knl/Clock.h>
#include <ti/sysbios/knl/Task.h>

#include "hook.h"

#define TASKS 3

static Task_Handle tasks[TASKS];

Void turn(UArg unused);
Void work(UArg rounds, UArg unused);
void delay(unsigned int rounds);

void delay(unsigned int rounds)
{
	volatile unsigned int i;

	for (i = 0; i < rounds; i++)
		;
}

Void work(UArg rounds, UArg unused)
{
	(void)unused;
	for (;;)
		delay((unsigned int)rounds);
}

/* The one whose turn it is gets the higher priority. */
Void turn(UArg unused)
{
	static int running;

	(void)unused;
	Task_setPri(tasks[running], 1);
	running = (running + 1) % TASKS;
	Task_setPri(tasks[running], 2);
}

Int main(Void)
{
	static const UArg rounds[TASKS] = {200, 450, 90};
	Task_Params task;
	Clock_Params clock;
	int i;

	hook_init(); /* the memory of the buffer is set up */
	for (i = 0; i < TASKS; i++) {
		Task_Params_init(&task);
		task.priority = i ? 1 : 2;
		task.arg0 = rounds[i];
		tasks[i] = Task_create(work, &task, NULL);
	}
	Clock_Params_init(&clock);
	clock.period = 10;
	clock.startFlag = TRUE;
	Clock_create(turn, 10, &clock, NULL);
	BIOS_start();
	return 0;
}
