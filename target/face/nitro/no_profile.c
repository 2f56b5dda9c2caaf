/* SPDX-License-Identifier: MIT
 *
 * A program that tells of its threads, or where longjmp goes, links with libos.a alone, too. */
#include "face/nitro/face.h"

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
