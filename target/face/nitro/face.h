/* SPDX-License-Identifier: MIT
 *
 * What the two halves of the NITRO face share. */
#ifndef DWELL_FACE_NITRO_FACE_H
#define DWELL_FACE_NITRO_FACE_H

#include "nitro.h"
#include "port/nitro/port.h"

/* An address as it is printed: all of its digits. */
#define FACE_ADDRESS "%0*lx"
#define FACE_DIGITS (2 * (int)sizeof(lines_word))

#endif
