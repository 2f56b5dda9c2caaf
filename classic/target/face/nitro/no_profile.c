/* SPDX-License-Identifier: MIT
 *
 * Empty functions of libos.a, so that a program that reports its
 * threads, or the target of longjmp, also links without a profiler. */
#include "classic/target/face/nitro/face.h"

void *OS_SwitchProfile(void *profile)
{
	return profile;
}

u32 OS_GetProfileDepth(void)
{
	return 0;
}

void OS_SetProfileDepth(u32 depth)
{
	(void)depth;
}

void OS_ReleaseProfile(void *profile)
{
	(void)profile;
}
