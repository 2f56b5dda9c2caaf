/* SPDX-License-Identifier: MIT
 *
 * OS_Init, for programs whose SDK has none: the functions of the examples need no preparation. */
#include "classic/target/face/nitro/face.h"

void OS_Init(void)
{
}
