/* SPDX-License-Identifier: MIT
 *
 * Empty PROFILE functions of libos.a, for a program with calls, but without PROFILE functions. */
void __PROFILE_ENTRY(const char *name) __attribute__((weak));
void __PROFILE_EXIT(void) __attribute__((weak));

/* Empty functions keep all registers, as calls of both forms need. */
void __PROFILE_ENTRY(const char *name)
{
	(void)name;
}

void __PROFILE_EXIT(void)
{
}
