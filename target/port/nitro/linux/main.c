/* SPDX-License-Identifier: MIT
 *
 * The program that begins in NitroMain, or TwlMain. One that has a main() of its own does not get this one. */
#include "nitro.h"

void NitroMain(void) __attribute__((weak));
void TwlMain(void) __attribute__((weak));
int main(void);

int main(void)
{
	if (NitroMain)
		NitroMain();
	else if (TwlMain)
		TwlMain();
	else
		OS_Printf("neither NitroMain nor TwlMain is in this program\n");
	return NitroMain || TwlMain ? 0 : 1;
}
