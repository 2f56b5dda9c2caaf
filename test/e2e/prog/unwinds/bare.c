/* Functions without hooks set jumps up: bare HOW TURNS.
 *
 *     main       main has none, and is where it lands
 *     between    between functions that have, of which the outer ones recurse
 *     recursion  the catcher has hooks and recurses; each longjmp leaves some of its calls
 *     handler    between a longjmp and what it lands in, a handler without hooks calls functions that have
 */
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "../count.h"

#define BARE UNHOOKED __attribute__((noinline))

static jmp_buf environments[16];
static volatile unsigned sink;

__attribute__((noinline)) static void after(void)
{
	CALLED();
	sink = sink + 1;
}

__attribute__((noinline)) static void thrower(int deeper, int to)
{
	CALLED();
	if (!deeper)
		longjmp(environments[to], 1);
	thrower(deeper - 1, to);
	sink = sink + 1;
}

__attribute__((noinline)) static void middle(int deeper)
{
	CALLED();
	thrower(deeper, 0);
	sink = sink + 1;
}

static BARE void catches(int turns)
{
	for (volatile int turn = 0; turn < turns; turn = turn + 1) {
		if (setjmp(environments[0]))
			after();
		else
			middle(turn % 4);
	}
	after();
}

__attribute__((noinline)) static void outer(int deeper, int turns)
{
	CALLED();
	if (deeper) {
		outer(deeper - 1, turns);
		sink = sink + 1;
		return;
	}
	catches(turns);
	after();
	sink = sink + 1;
}

/* Every call sets a jump up; the innermost one jumps to the third. */
__attribute__((noinline)) static void recurses(int level)
{
	CALLED();
	if (setjmp(environments[level])) {
		after();
		sink = sink + 1;
		return;
	}
	if (level == 9)
		thrower(2, 3);
	recurses(level + 1);
	after();
	sink = sink + 1;
}

static BARE void on_signal(int number)
{
	(void)number;
	after();
	after();
}

static BARE void raises(void)
{
	raise(SIGUSR1);
}

__attribute__((noinline)) static void lands(int turns)
{
	CALLED();
	for (volatile int turn = 0; turn < turns; turn = turn + 1) {
		if (setjmp(environments[0])) {
			raises();
			after();
		} else {
			middle(1);
		}
	}
}

BARE int main(int argc, char **argv)
{
	int turns = argc > 2 ? (int)strtol(argv[2], NULL, 10) : 1;
	const char *how = argc > 1 ? argv[1] : "main";

	signal(SIGUSR1, on_signal);
	if (!strcmp(how, "main"))
		catches(turns);
	else if (!strcmp(how, "between"))
		outer(3, turns);
	else if (!strcmp(how, "handler"))
		lands(turns);
	for (int turn = 0; !strcmp(how, "recursion") && turn < turns; turn++)
		recurses(0);
	count_print();
	return 0;
}
