/* Three threads without any profiler: the kernel tells libos.a of its switches all the same. */
#include <nitro.h>

#include "kernel.h"

static volatile int turns[3];

static void run(int which)
{
	for (int i = 0; i < 100; i++) {
		for (volatile int k = 0; k < 300; k++)
			;
		turns[which]++;
	}
}

static void first(void)
{
	run(0);
}

static void second(void)
{
	run(1);
}

static void third(void)
{
	run(2);
}

void NitroMain(void)
{
	OS_Init();
	OS_InitTick();
	kernel_begin();
	kernel_start(first);
	kernel_start(second);
	kernel_start(third);
	kernel_wait_for_all();
	OS_Printf("3 threads, %d turns\n", turns[0] + turns[1] + turns[2]);
	finish(0);
}
