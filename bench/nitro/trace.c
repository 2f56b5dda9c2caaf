/* Calls of leaf functions, and switches of threads, in the order that bench/nitro/measure knows; what is counted is
 * __PROFILE_ENTRY, __PROFILE_EXIT and OS_SwitchProfile. And how many bytes a line takes. */
#include <classic/core/lines.h>
#include <nitro.h>

void leaf_arm(void);
void leaf_thumb(void);
void *switch_thumb(void *profile);
void finish(int status);

static u32 buffer[256], others[64];

/* Of the line itself, and of what one more takes in a buffer, where its level is, too. */
static void say_bytes(const char *registers)
{
	OS_Printf("trace_line_bytes%s %u\n", registers, (unsigned)((const struct lines_trace *)buffer)->stride);
	OS_Printf("trace_room_bytes%s %u\n", registers, (unsigned)(OS_CalcCallTraceBufferSize(10) - OS_CalcCallTraceBufferSize(8)) / 2);
}

static void both(void)
{
	leaf_arm();
	leaf_thumb();
}

void NitroMain(void)
{
	void *first;

	both(); /* none */
	OS_InitCallTrace(buffer, sizeof buffer, OS_CALLTRACE_STACK);
	both(); /* stack */
	OS_DisableCallTrace();
	both(); /* disabled */
	OS_InitCallTrace(buffer, OS_CalcCallTraceBufferSize(4), OS_CALLTRACE_LOG);
	both(); /* log */
	both();
	both(); /* the first wraps */
	say_bytes("");
	OS_SetCallTraceRegisters(0);
	OS_InitCallTrace(buffer, sizeof buffer, OS_CALLTRACE_STACK);
	both(); /* no registers */
	say_bytes("_no_registers");
	OS_SetCallTraceRegisters(5);
	OS_InitCallTrace(buffer, sizeof buffer, OS_CALLTRACE_LOG);
	both(); /* log, two registers */
	first = OS_SwitchProfile(0);
	OS_InitCallTrace(others, sizeof others, OS_CALLTRACE_STACK);
	switch_thumb(switch_thumb(OS_SwitchProfile(first))); /* those that are counted */
	OS_Printf("trace_control_bytes %u\n", (unsigned)OS_CalcCallTraceBufferSize(0));
	finish(0);
}
