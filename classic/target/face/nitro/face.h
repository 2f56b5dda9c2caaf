/* SPDX-License-Identifier: MIT
 *
 * Definitions that both halves of the NITRO face share. */
#ifndef DWELL_CLASSIC_FACE_NITRO_FACE_H
#define DWELL_CLASSIC_FACE_NITRO_FACE_H

#include "nitro.h"
#include "classic/target/port/nitro/port.h"

/* Prints an address with all digits. */
#define FACE_ADDRESS "%0*lx"
#define FACE_DIGITS (2 * (int)sizeof(lines_word))

/* Whether the address space has so many bytes from the buffer on. */
static inline bool face_is_in_memory(const void *buffer, u32 size)
{
	return size <= UINTPTR_MAX - (uintptr_t)buffer;
}

/* Reasons why a dump may be empty. */
#define FACE_WHY_NONE                                                                                                              \
	"functions that the compiler inlined have no PROFILE calls (-fno-inline), nor have those compiled without the plugin or "  \
	"-finstrument-functions\n"

/* Prints a function: the name, or the address; `dwell names` converts an address to a name. */
static inline void face_print_name(lines_word name)
{
	if (&nitro_names_are_addresses)
		OS_Printf(FACE_ADDRESS, FACE_DIGITS, (unsigned long)name);
	else
		OS_Printf("%s", (const char *)name);
}

#endif
