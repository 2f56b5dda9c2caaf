/* SPDX-License-Identifier: MIT
 *
 * The main() of programs that begin in NitroMain or TwlMain. The linker leaves it out if a program has its own main(). */
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
