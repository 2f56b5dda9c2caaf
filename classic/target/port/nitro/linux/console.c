/* SPDX-License-Identifier: MIT
 *
 * The console is standard output, through printf, so messages and the program's own output stay in order. */
#include "classic/target/port/nitro/port.h"

int printf(const char *format, ...);

void nitro_port_put(const char *text, uint32_t length)
{
	printf("%.*s", (int)length, text);
}
