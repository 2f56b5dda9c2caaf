/* What an entry finds in the registers of the arguments is what the source says, also in functions of which the compiler knows all
 * calls: arguments that are always the same, that nobody uses, or of which only what they point to is used. */
#include "saw.h"

struct two {
	int a, b;
};
static volatile int zero;

NOINLINE static int same_ones(int a, int b, int unused, int d)
{
	(void)unused;
	return a * d + b + zero;
}

NOINLINE static int points(const struct two *to, int by)
{
	return to->a + zero * by;
}

NOINLINE static int scaled(int n, int by)
{
	int sum = 0;
	for (int i = 0; i < n; i++)
		sum += zero * by + i;
	return sum;
}

NOINLINE static int unused(int a)
{
	(void)a;
	return zero;
}

/* No function: its own entry would be the last. */
#define FOUND(n, value) SAME(!knows_registers || last_registers[n] == (unsigned long)(value), 1)

int main(void)
{
	const struct two two = {4, 5};
	for (int i = 0x11; i < 0x13; i++) {
		SAME(same_ones(i, 0x22, 0x33, 0x44), i * 0x44 + 0x22);
		FOUND(0, i);
		FOUND(1, 0x22);
		FOUND(2, 0x33);
		FOUND(3, 0x44);
	}
	SAME(points(&two, 7), 4);
	FOUND(0, &two);
	FOUND(1, 7);
	SAME(scaled(3, 0), 3);
	FOUND(0, 3);
	FOUND(1, 0);
	SAME(scaled(4, 2), 6);
	FOUND(0, 4);
	FOUND(1, 2);
	SAME(unused(8), 0);
	FOUND(0, 8);
	return finish();
}
