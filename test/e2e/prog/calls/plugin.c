/* A library for dlopen. NAME is its function, so that several can be built that differ in nothing else. */
#include "../count.h"

void NAME(unsigned turns, void (*report)(const char *name, unsigned long calls));

static volatile unsigned sink;

static void step(void)
{
	sink++;
}

void NAME(unsigned turns, void (*report)(const char *, unsigned long))
{
	for (unsigned i = 0; i < turns; i++)
		step();
	report("step", turns);
}
