/* Half a second asleep, twice. */
#include <nitro.h>
#include <unistd.h>

static u32 buffer[1024], statistics[256];

void nap(void);

void nap(void)
{
	usleep(250000);
}

void NitroMain(void)
{
	OS_InitTick();
	OS_InitFunctionCost(buffer, sizeof buffer);
	OS_InitStatistics(statistics, sizeof statistics);
	nap();
	nap();
	OS_CalcStatistics(statistics);
	OS_DumpStatistics(statistics);
}
