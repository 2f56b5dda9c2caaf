/* A library for dlopen that jumps within itself. NAME is its function. */
#include <setjmp.h>

#include "../count.h"

void NAME(unsigned turns, void (*report)(const char *name, unsigned long calls));

static jmp_buf back;
static volatile unsigned sink;

static void leave(void)
{
	longjmp(back, 1);
}

static void after(void)
{
	sink++;
}

void NAME(unsigned turns, void (*report)(const char *, unsigned long))
{
	for (volatile unsigned i = 0; i < turns; i++) {
		if (!setjmp(back))
			leave();
		after();
	}
	report("leave", turns);
}
