/* Functions without hooks catch: bare_throw HOW TURNS.
 *
 *     main       main has none, and is where it lands
 *     between    between functions that have, of which the outer one recurses
 *     recursion  every third call of a recursive function with hooks catches what the innermost one throws
 *     library    a library without hooks catches (bare_library.cc)
 *
 * Destructors with hooks run on the way. */
#include <cstdlib>
#include <cstring>

#include "../count.h"

#define BARE UNHOOKED __attribute__((noinline))

extern "C" {
void library_catches(void (*function)(int), int argument);

static volatile unsigned sink;

__attribute__((noinline)) void cleans()
{
	CALLED();
	sink = sink + 1;
}

__attribute__((noinline)) void after()
{
	CALLED();
	sink = sink + 1;
}
}

struct object {
	UNHOOKED ~object()
	{
		cleans();
	}
};

extern "C" {
__attribute__((noinline)) void thrower(int deeper)
{
	object one;

	CALLED();
	if (!deeper)
		throw 1;
	thrower(deeper - 1);
	sink = sink + 1;
}

BARE void catches(int turns)
{
	for (volatile int turn = 0; turn < turns; turn = turn + 1) {
		try {
			thrower(turn % 4);
		} catch (int) {
			after();
		}
	}
}

__attribute__((noinline)) void outer(int deeper, int turns)
{
	CALLED();
	if (deeper)
		outer(deeper - 1, turns);
	else
		catches(turns);
	after();
	sink = sink + 1;
}

__attribute__((noinline)) void recurses(int level)
{
	CALLED();
	if (level == 9)
		throw 2;
	if (level % 3) {
		recurses(level + 1);
		after();
		sink = sink + 1;
		return;
	}
	try {
		recurses(level + 1);
	} catch (int) {
	}
	after();
	sink = sink + 1;
}

__attribute__((noinline)) void asks(int turns)
{
	CALLED();
	for (volatile int turn = 0; turn < turns; turn = turn + 1) {
		library_catches(thrower, turn % 4);
		after();
	}
}
}

BARE int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "main";
	int turns = argc > 2 ? (int)strtol(argv[2], nullptr, 10) : 1;

	if (!strcmp(how, "main"))
		catches(turns);
	else if (!strcmp(how, "between"))
		outer(3, turns);
	else if (!strcmp(how, "library"))
		asks(turns);
	for (int turn = 0; !strcmp(how, "recursion") && turn < turns; turn++)
		recurses(0);
	count_print();
	return 0;
}
