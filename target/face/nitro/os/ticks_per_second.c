/* SPDX-License-Identifier: MIT
 *
 * OS_GetTicksPerSecond, for who does not say it himself. */
#include "face/nitro/face.h"

u32 OS_GetTicksPerSecond(void)
{
	return nitro_port_tick_hz();
}
