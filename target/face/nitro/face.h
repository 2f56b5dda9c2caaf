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

/* Why a dump may be empty. */
#define FACE_WHY_NONE                                                                                                              \
	"functions that the compiler inlined have no PROFILE calls (-fno-inline), nor have those compiled without the plugin or "  \
	"-finstrument-functions\n"

/* A function, as far as it is known here: `dwell names` makes names of addresses. */
static inline void face_print_name(lines_word name)
{
	if (&nitro_names_are_addresses)
		OS_Printf(FACE_ADDRESS, FACE_DIGITS, (unsigned long)name);
	else
		OS_Printf("%s", (const char *)name);
}

#endif
