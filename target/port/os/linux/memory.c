/* SPDX-License-Identifier: MIT
 *
 * What a compiler may call on its own even in freestanding code. Hidden: the program's are not touched.
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
