/* SPDX-License-Identifier: MIT
 *
 * __PROFILE_ENTRY and __PROFILE_EXIT for processors where the plugin makes ordinary calls:
 * the registers at the function's call are lost. The plugin passes the return address as a
 * second argument, which nitro.h does not declare because users do not pass it. */
#ifndef __x86_64__
#include "classic/target/port/nitro/port.h"

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
