/* SPDX-License-Identifier: MIT
 *
 * OS_GetTickLo, for who has no other. */
#include "face/nitro/face.h"

u32 OS_GetTickLo(void)
{
	return (u32)OS_GetTick();
}
