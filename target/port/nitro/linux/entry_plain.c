/* SPDX-License-Identifier: MIT
 *
 * __PROFILE_ENTRY and __PROFILE_EXIT where the plugin makes ordinary calls: the registers are not those at the call of the
 * function any more, and lr is where it calls this one. */
#ifndef __x86_64__
#include "nitro.h"
#include "port/nitro/port.h"

void __PROFILE_ENTRY(const char *name)
{
	static const lines_word nothing[4];

	nitro_enter((lines_word)name, (lines_word)__builtin_return_address(0), nothing);
}

void __PROFILE_EXIT(void)
{
	nitro_exit();
}
#endif
