/* SPDX-License-Identifier: MIT
 *
 * OS_Init, for who has no other: nothing of what the examples use has to be prepared. */
#include "face/nitro/face.h"

void OS_Init(void)
{
}
