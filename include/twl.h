/* SPDX-License-Identifier: MIT
 *
 * The TWL-SDK's profiler is the NITRO-SDK's. */
#ifndef TWL_H
#define TWL_H

#include "nitro.h"

#endif
