/* SPDX-License-Identifier: MIT
 *
 * OS_IsTickAvailable, for programs whose SDK has none. */
#include "classic/target/face/nitro/face.h"

/* Weak references do not pull objects out of a library: both symbols exist only if other code needs them. */
extern bool nitro_tick_is_available __attribute__((weak));
extern void OS_InitTick(void) __attribute__((weak));

/* An SDK's own OS_InitTick leaves no mark of the call, so the tick counts as available. */
BOOL OS_IsTickAvailable(void)
{
	return OS_InitTick && (!&nitro_tick_is_available || nitro_tick_is_available);
}
