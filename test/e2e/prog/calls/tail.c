/* Calls in tail position. With hooks GCC keeps them calls (the exit hook comes after); Clang's musttail really jumps, with the exit
 * hook before. Either way each is one call and the depth stays small. */
#include <stdlib.h>

#include "../count.h"

#ifdef __clang__
#define TAIL __attribute__((musttail)) return
#else
#define TAIL return
#endif

static unsigned long ping(unsigned long turns);

static unsigned long end(unsigned long turns)
{
	CALLED();
	return turns;
}

static unsigned long pong(unsigned long turns)
{
	CALLED();
	TAIL ping(turns - 1);
}

static unsigned long ping(unsigned long turns)
{
	CALLED();
	if (!turns)
		TAIL end(turns);
	TAIL pong(turns);
}

int main(int argc, char **argv)
{
	unsigned long result;

	CALLED();
	result = ping(argc > 1 ? strtoul(argv[1], 0, 10) : 100);
	count_print();
	return (int)result;
}
