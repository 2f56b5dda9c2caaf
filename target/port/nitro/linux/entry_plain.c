/* SPDX-License-Identifier: MIT
 *
 * __PROFILE_ENTRY and __PROFILE_EXIT where the plugin makes ordinary calls: the registers are not those at the call of the
 * function any more; where it returns to is a second argument, of which nitro.h has no word, since it is no business of users'. */
#ifndef __x86_64__
#include "port/nitro/port.h"

void __PROFILE_ENTRY(const char *name, lines_word lr);
void __PROFILE_EXIT(void);

void __PROFILE_ENTRY(const char *name, lines_word lr)
{
	static const lines_word nothing[4];

	nitro_enter((lines_word)name, lr, nothing);
}

void __PROFILE_EXIT(void)
{
	nitro_exit();
}
#endif
