/* SPDX-License-Identifier: MIT
 *
 * The functions that -finstrument-functions calls, for code compiled without the
 * plugin: the name is the function's address. The registers at its call are lost. */
#include "classic/target/port/nitro/port.h"

const char nitro_names_are_addresses = 1;

void __cyg_profile_func_enter(void *function, void *site);
void __cyg_profile_func_exit(void *function, void *site);

void __cyg_profile_func_enter(void *function, void *site)
{
	static const lines_word nothing[4];

	nitro_enter((lines_word)function, (lines_word)site, nothing);
}

void __cyg_profile_func_exit(void *function, void *site)
{
	(void)function;
	(void)site;
	nitro_exit();
}
