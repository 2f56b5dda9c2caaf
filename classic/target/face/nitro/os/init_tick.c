/* SPDX-License-Identifier: MIT
 *
 * OS_InitTick, for programs whose SDK has none. */
#include "classic/target/face/nitro/face.h"

bool nitro_tick_is_available;

void OS_InitTick(void)
{
	nitro_port_init_tick();
	nitro_tick_is_available = true;
}
