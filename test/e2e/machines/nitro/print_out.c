/* The console, for a program that has another one in front of it. */
#include <nitro.h>

#ifdef __linux__
#include <stdio.h>

void print_out(const char *text, u32 count);

void print_out(const char *text, u32 count)
{
	printf("%.*s", (int)count, text);
}
#else
#include "classic/target/port/nitro/bare/board.h"

void print_out(const char *text, u32 count);

void print_out(const char *text, u32 count)
{
	while (count--)
		nitro_board_put(*text++);
}
#endif
