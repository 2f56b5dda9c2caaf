/* SPDX-License-Identifier: MIT
 *
 * OS_InitTick, for who has no other. */
#include "face/nitro/face.h"

bool nitro_tick_is_available;

void OS_InitTick(void)
{
	nitro_port_init_tick();
	nitro_tick_is_available = true;
}
