/* SPDX-License-Identifier: MIT
 *
 * OS_…Tick, for who has no other. */
#include "face/nitro/face.h"

static bool available;

void OS_InitTick(void)
{
	nitro_port_init_tick();
	available = true;
}

BOOL OS_IsTickAvailable(void)
{
	return available;
}

u64 OS_GetTick(void)
{
	return nitro_port_tick();
}

u32 OS_GetTickLo(void)
{
	return (u32)nitro_port_tick();
}

u32 OS_GetTicksPerSecond(void)
{
	return nitro_port_tick_hz();
}
