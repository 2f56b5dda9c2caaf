/* The console behind OS_Printf, which is the library's own under another name: what it prints is in brackets. */
#include "sdk.h"

#ifdef __linux__
#include <stdio.h>
#define put_character(c) putchar(c)
#else
#define put_character(c) (*(volatile u32 *)0x101f1000 = (unsigned char)(c))
#endif

void sdk_put(const char *text, u32 length);
void sdk_printf(const char *format, ...);

void sdk_put(const char *text, u32 length)
{
	static int in_line;

	for (; length--; text++) {
		if (!in_line)
			put_character('[');
		in_line = *text != '\n';
		if (!in_line)
			put_character(']');
		put_character(*text);
	}
}

void OS_PutString(const char *text)
{
	while (*text)
		sdk_put(text++, 1);
}
