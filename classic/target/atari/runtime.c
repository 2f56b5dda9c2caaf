/* SPDX-License-Identifier: MIT
 *
 * Functions that a compiler calls by itself. Debian's libgcc has them, too, but with branches that only a 68020 can execute. */
#include <stddef.h>
#include <stdint.h>

void *memset(void *to, int value, size_t bytes);
void *memcpy(void *to, const void *from, size_t bytes);
uint32_t __mulsi3(uint32_t a, uint32_t b);
uint32_t __udivsi3(uint32_t a, uint32_t b);
uint32_t __umodsi3(uint32_t a, uint32_t b);
int32_t __divsi3(int32_t a, int32_t b);

void *memset(void *to, int value, size_t bytes)
{
	for (unsigned char *p = to; bytes; bytes--)
		*p++ = (unsigned char)value;
	return to;
}

void *memcpy(void *to, const void *from, size_t bytes)
{
	const unsigned char *q = from;

	for (unsigned char *p = to; bytes; bytes--)
		*p++ = *q++;
	return to;
}

/* In assembly, because in C the compiler would make a 32-bit multiplication with a call of __mulsi3. */
static uint32_t multiply_short(uint32_t a, uint32_t b)
{
	__asm__("mulu %1, %0" : "+d"(a) : "d"(b));
	return a;
}

uint32_t __mulsi3(uint32_t a, uint32_t b)
{
	return multiply_short(a, b) + ((multiply_short(a >> 16, b) + multiply_short(a, b >> 16)) << 16);
}

/* divu divides 32 bits by 16 if the quotient has 16 bits: the rest is in the high word, the quotient in the low one. */
static uint32_t divide_short(uint32_t a, uint16_t b)
{
	__asm__("divu %1, %0" : "+d"(a) : "d"(b));
	return a;
}

static uint32_t divide(uint32_t a, uint32_t b, uint32_t *rest)
{
	uint32_t quotient = 0, left = 0;

	if (b >> 16 == 0) {
		uint32_t high = divide_short(a >> 16, (uint16_t)b),
			 low = divide_short((high & 0xFFFF0000) | (a & 0xFFFF), (uint16_t)b);

		*rest = low >> 16;
		return high << 16 | (low & 0xFFFF);
	}
	for (unsigned bit = 0; bit < 32; bit++) {
		left = left << 1 | a >> 31;
		a <<= 1;
		quotient <<= 1;
		if (left >= b) {
			left -= b;
			quotient |= 1;
		}
	}
	*rest = left;
	return quotient;
}

uint32_t __udivsi3(uint32_t a, uint32_t b)
{
	uint32_t rest;

	return divide(a, b, &rest);
}

uint32_t __umodsi3(uint32_t a, uint32_t b)
{
	uint32_t rest;

	divide(a, b, &rest);
	return rest;
}

int32_t __divsi3(int32_t a, int32_t b)
{
	uint32_t quotient = __udivsi3(a < 0 ? -(uint32_t)a : (uint32_t)a, b < 0 ? -(uint32_t)b : (uint32_t)b);

	return (int32_t)((a < 0) != (b < 0) ? -quotient : quotient);
}
