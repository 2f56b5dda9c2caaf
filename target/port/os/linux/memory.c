/* SPDX-License-Identifier: MIT
 *
 * The functions that a compiler may call even in freestanding code. Hidden, so that the program's own are not replaced.
 */
#include <stddef.h>

void *memset(void *to, int value, size_t size) __attribute__((visibility("hidden")));
void *memcpy(void *to, const void *from, size_t size) __attribute__((visibility("hidden")));

void *memset(void *to, int value, size_t size)
{
	for (volatile unsigned char *p = to; size; size--)
		*p++ = (unsigned char)value;
	return to;
}

void *memcpy(void *to, const void *from, size_t size)
{
	volatile unsigned char *p = to;

	for (const unsigned char *f = from; size; size--)
		*p++ = *f++;
	return to;
}
