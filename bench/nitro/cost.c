/* As trace.c, for function cost. */
#include <classic/core/lines.h>
#include <nitro.h>

void leaf_arm(void);
void leaf_thumb(void);
void *switch_thumb(void *profile);
void finish(int status);

static u32 buffers[2][256];

static void both(void)
{
	leaf_arm();
	leaf_thumb();
}

void NitroMain(void)
{
	void *first;

	OS_InitTick();
	both(); /* none */
	OS_InitFunctionCost(buffers[0], sizeof buffers[0]);
	both(); /* measured */
	OS_DisableFunctionCost();
	both(); /* disabled */
	first = OS_SwitchProfile(0);
	OS_InitFunctionCost(buffers[1], OS_CalcFunctionCostBufferSize(1));
	switch_thumb(switch_thumb(OS_SwitchProfile(first))); /* those that are counted */
	OS_InitFunctionCost(buffers[0], OS_CalcFunctionCostBufferSize(1));
	leaf_arm();
	both(); /* full */
	OS_Printf("cost_line_bytes %d\n", LINES_COST_LINE_WORDS * (int)sizeof(u32));
	OS_Printf("cost_call_bytes %u\n", (unsigned)(OS_CalcFunctionCostBufferSize(9) - OS_CalcFunctionCostBufferSize(8)));
	OS_Printf("cost_control_bytes %u\n", (unsigned)OS_CalcFunctionCostBufferSize(0));
	finish(0);
}
