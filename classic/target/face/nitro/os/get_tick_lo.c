/* SPDX-License-Identifier: MIT
 *
 * OS_GetTickLo, for programs whose SDK has none. */
#include "classic/target/face/nitro/face.h"

u32 OS_GetTickLo(void)
{
	return (u32)OS_GetTick();
}
