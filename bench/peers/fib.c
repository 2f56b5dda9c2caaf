/* fib N: nothing but calls. Prints the result and what it took: processor and wall seconds. */
#include <stdio.h>
#include <stdlib.h>

#include "took.h"

__attribute__((noinline)) static unsigned long fib(unsigned n)
{
	return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

int main(int argc, char **argv)
{
	struct took took = took_begin();
	unsigned long result = fib(argc > 1 ? (unsigned)atoi(argv[1]) : 30);

	took_print(&took, result);
	return 0;
}
