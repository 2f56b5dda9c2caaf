/* Calls of leaf functions, in the order that bench/nitro/run knows; what is counted is __PROFILE_ENTRY and __PROFILE_EXIT. */
#include <nitro.h>

void leaf_arm(void);
void leaf_thumb(void);
void finish(int status);

static u32 buffer[256];

static void both(void)
{
	leaf_arm();
	leaf_thumb();
}

void NitroMain(void)
{
	both(); /* none */
	OS_InitCallTrace(buffer, sizeof buffer, OS_CALLTRACE_STACK);
	both(); /* stack */
	OS_DisableCallTrace();
	both(); /* disabled */
	OS_InitCallTrace(buffer, OS_CalcCallTraceBufferSize(4), OS_CALLTRACE_LOG);
	both(); /* log */
	both();
	both(); /* the first wraps */
	OS_SetCallTraceRegisters(0);
	OS_InitCallTrace(buffer, sizeof buffer, OS_CALLTRACE_STACK);
	both(); /* no registers */
	finish(0);
}
