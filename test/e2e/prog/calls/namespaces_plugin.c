/* A plug-in for namespaces.c. -DLEAVES: work leaves functions by longjmp, too. -DTURNS=N: leaf takes so many turns. */
#include <setjmp.h>

#ifndef TURNS
#define TURNS 1
#endif

int work(int x);

__attribute__((constructor)) static void begin(void)
{
	__asm__ volatile("");
}

__attribute__((noinline)) static int leaf(int x)
{
	for (volatile int i = 0; i < TURNS; i++)
		__asm__ volatile("" : "+r"(x));
	return x + 1;
}

#ifdef LEAVES
static jmp_buf env;

__attribute__((noinline)) static int leave(int x)
{
	longjmp(env, x);
}
#endif

int work(int x)
{
	for (int i = 0; i < 10; i++)
		x = leaf(x);
#ifdef LEAVES
	if (!setjmp(env))
		return leave(x);
#endif
	return x;
}
