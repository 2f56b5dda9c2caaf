/* SPDX-License-Identifier: MIT
 *
 * OS_IsTickAvailable, for who has no other. */
#include "face/nitro/face.h"

/* They do not take objects out of a library: both are there when something else asked for them. */
extern bool nitro_tick_is_available __attribute__((weak));
extern void OS_InitTick(void) __attribute__((weak));

/* Of an OS_InitTick that is not ours it is not known whether it was called. */
BOOL OS_IsTickAvailable(void)
{
	return OS_InitTick && (!&nitro_tick_is_available || nitro_tick_is_available);
}
