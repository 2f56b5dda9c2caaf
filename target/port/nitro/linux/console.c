/* SPDX-License-Identifier: MIT
 *
 * The console is standard output, in order with what the program itself prints. */
#include "port/nitro/port.h"

int printf(const char *format, ...);

void nitro_port_put(const char *text, uint32_t length)
{
	printf("%.*s", (int)length, text);
}
