/* SPDX-License-Identifier: MIT
 *
 * A kernel that tells of its threads links with libos.a alone, too. */
#include "face/nitro/face.h"

void *OS_SwitchProfile(void *profile)
{
	return profile;
}

void OS_ReleaseProfile(void *profile)
{
	(void)profile;
}
