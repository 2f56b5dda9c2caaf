/* SPDX-License-Identifier: MIT
 *
 * OS_GetTicksPerSecond, for programs whose SDK has none. */
#include "classic/target/face/nitro/face.h"

u32 OS_GetTicksPerSecond(void)
{
	return nitro_port_tick_hz();
}
