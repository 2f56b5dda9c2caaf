/* What the compiler calls where there is no C library. */
#include <stddef.h>

void *memcpy(void *to, const void *from, size_t n);
void *memcpy(void *to, const void *from, size_t n)
{
	for (size_t i = 0; i < n; i++)
		((char *)to)[i] = ((const char *)from)[i];
	return to;
}

void *memset(void *to, int byte, size_t n);
void *memset(void *to, int byte, size_t n)
{
	for (size_t i = 0; i < n; i++)
		((char *)to)[i] = (char)byte;
	return to;
}

/* Trampolines of nested functions: no cache is emulated. */
void __clear_cache(void *from, void *to);
void __clear_cache(void *from, void *to)
{
	(void)from;
	(void)to;
}
