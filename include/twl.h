/* SPDX-License-Identifier: MIT
 *
 * twl.h: the TWL-SDK's profiler is the same as the NITRO-SDK's. */
#ifndef TWL_H
#define TWL_H

#include "nitro.h"

#endif
