/* A tree of calls, as deep as is said: what is missing of it anywhere is a piece of several depths. Says when it is done, and how
 * many enters and exits that were. */
#include <stdio.h>
#include <stdlib.h>

static unsigned long calls;

static void branch(unsigned depth)
{
	calls++;
	if (depth) {
		branch(depth - 1);
		branch(depth - 1);
	}
}

int main(int argc, char **argv)
{
	calls++;
	branch(argc > 1 ? (unsigned)strtoul(argv[1], 0, 10) : 10);
	printf("events %lu\n", 2 * calls);
	return 0;
}
