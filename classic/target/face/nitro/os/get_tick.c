/* SPDX-License-Identifier: MIT
 *
 * OS_GetTick, for programs whose SDK has none. */
#include "classic/target/face/nitro/face.h"

const char nitro_tick_is_own = 1;

u64 OS_GetTick(void)
{
	return nitro_port_tick();
}
