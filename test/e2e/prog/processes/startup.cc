/* What runs before main and after it: constructors and destructors of C and of C++, atexit. Counted up to the last destructor. */
#include <cstdlib>

#include "../count.h"

static volatile unsigned sink;

extern "C" {
void leaf()
{
	CALLED();
	sink = sink + 1;
}

__attribute__((constructor(200))) void early()
{
	CALLED();
	for (int i = 0; i < 10; i++)
		leaf();
}

/* Runs last: prints for all. */
__attribute__((destructor(101))) void last()
{
	CALLED();
	leaf();
	count_print();
}

__attribute__((destructor(300))) void late()
{
	CALLED();
	leaf();
}

void at_exit()
{
	CALLED();
	leaf();
}
}

struct Global {
	Global()
	{
		CALLED_AS("Global::Global()");
		leaf();
	}
	~Global()
	{
		CALLED_AS("Global::~Global()");
		leaf();
	}
};
static Global global;

int main()
{
	CALLED();
	atexit(at_exit);
	leaf();
	return 0;
}
