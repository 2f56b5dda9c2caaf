/* Seven functions whose shares are known: each turns round as often as its number says. A program for the Atari ST, and nothing
 * else. */
#include <stdint.h>

#include "start.h"

#define TURNS 40000

static volatile uint32_t turns_left;

#define DWARF(name, times) \
	void name(void); \
	__attribute__((noinline)) void name(void) \
	{ \
		for (turns_left = (times) * TURNS; turns_left; turns_left--) \
			; \
	}

DWARF(dopey, 1)
DWARF(grumpy, 2)
DWARF(doc, 1)
DWARF(sleepy, 4)
DWARF(bashful, 1)
DWARF(happy, 2)
DWARF(sneezy, 1)

int main(void)
{
	dopey();
	grumpy();
	doc();
	sleepy();
	bashful();
	happy();
	sneezy();
	return 0;
}
