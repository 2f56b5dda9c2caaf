#include "sdk.h"

static volatile u64 now;
static BOOL available;

void OS_InitTick(void)
{
	now = 0xfffffff0; /* the low half wraps at once */
	available = TRUE;
}

BOOL OS_IsTickAvailable(void)
{
	return available;
}

u64 OS_GetTick(void)
{
	return now;
}

u32 OS_GetTickLo(void)
{
	return (u32)now;
}

void OS_SetTick(u64 tick)
{
	now = tick;
}

void sdk_pass(u32 ticks)
{
	now += ticks;
}
