/* Recursion: of one function, of two that call each other, and 100,000 deep. */
#include "../count.h"

static volatile unsigned sink;

static unsigned fib(unsigned n)
{
	CALLED();
	return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

static unsigned is_odd(unsigned n);

static unsigned is_even(unsigned n)
{
	CALLED();
	return n ? is_odd(n - 1) : 1;
}

static unsigned is_odd(unsigned n)
{
	CALLED();
	return n ? is_even(n - 1) : 0;
}

static unsigned deep(unsigned n)
{
	CALLED();
	return n ? deep(n - 1) + sink : 0;
}

int main(void)
{
	CALLED();
	sink = fib(20) + is_even(1001);
	deep(100000);
	count_print();
	/* main and deep(100000) … deep(0) are open at the deepest point */
	count_line("deepest", "main", 100002);
	return 0;
}
