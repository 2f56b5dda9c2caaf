/* As trace.c, for function cost; with a switch of threads. */
#include <nitro.h>

void leaf_arm(void);
void leaf_thumb(void);
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
	OS_SwitchProfile(first); /* the one that is counted */
	OS_InitFunctionCost(buffers[0], OS_CalcFunctionCostBufferSize(1));
	leaf_arm();
	both(); /* full */
	finish(0);
}
