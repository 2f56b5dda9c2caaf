/* The example of 3.4, stack mode, as it is printed; but for what calls function(). */
#include <nitro.h>

void function(void);

#define TRACEBUFSIZE 0x300
u32 traceBuffer[TRACEBUFSIZE / sizeof(u32)];

void NitroMain(void)
{
	OS_Init();

	/* ---- init callTrace (STACK mode) */
	OS_InitCallTrace(&traceBuffer, TRACEBUFSIZE, OS_CALLTRACE_STACK);
	function();
}

void function(void)
{
	/* ---- display callTrace */
	OS_DumpCallTrace(); /* the state of calls at this point */
}
