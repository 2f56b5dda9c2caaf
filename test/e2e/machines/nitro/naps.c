/* A quarter of a second asleep, twice; and 20 ms of work by the process's own count. */
#include <nitro.h>
#include <time.h>
#include <unistd.h>

static u32 buffer[1024], statistics[256];

void nap(void);
void work(void);

void nap(void)
{
	usleep(250000);
}

void work(void)
{
	clock_t begin = clock();

	while (clock() - begin < CLOCKS_PER_SEC / 50)
		;
}

void NitroMain(void)
{
	OS_InitTick();
	OS_InitFunctionCost(buffer, sizeof buffer);
	OS_InitStatistics(statistics, sizeof statistics);
	nap();
	nap();
	work();
	OS_CalcStatistics(statistics);
	OS_DumpStatistics(statistics);
}
