/* C++ exceptions through instrumented frames. The next call after a catch is a child of the function that caught it.
 *
 *     throw TURNS          catcher, called so often, catches what comes through two frames
 *     throw TURNS same     one call of catch_many catches so often
 *     throw TURNS rethrow  caught, thrown on, caught again further down
 *     throw 1 uncaught     ends in std::terminate */
#include <cstdlib>

#include "../count.h"

static volatile unsigned sink;

namespace shape {
struct Circle {
	unsigned radius;
	explicit Circle(unsigned r) : radius(r)
	{
		CALLED_AS("shape::Circle::Circle(unsigned int)");
	}
	~Circle()
	{
		CALLED_AS("shape::Circle::~Circle()");
		sink = sink + radius;
	}
	unsigned area() const
	{
		CALLED_AS("shape::Circle::area() const");
		return radius * radius * 3;
	}
};
}

extern "C" {
void after()
{
	CALLED();
	sink = sink + 1;
}

void thrower(unsigned long turn)
{
	CALLED();
	throw turn;
}

void middle(unsigned long turn)
{
	CALLED();
	shape::Circle circle(2);

	sink = sink + circle.area();
	thrower(turn);
}

void passer(unsigned long turn)
{
	CALLED();
	try {
		middle(turn);
	} catch (unsigned long) {
		after();
		throw;
	}
}

void catcher(unsigned long turn, bool twice)
{
	CALLED();
	try {
		if (twice)
			passer(turn);
		else
			middle(turn);
	} catch (unsigned long caught) {
		if (caught != turn)
			abort();
	}
	after();
}

void catch_many(unsigned long turns)
{
	CALLED();
	for (unsigned long turn = 0; turn < turns; turn++) {
		try {
			middle(turn);
		} catch (unsigned long) {
		}
		after();
	}
}
}

int main(int argc, char **argv)
{
	unsigned long turns = argc > 1 ? strtoul(argv[1], 0, 10) : 1;
	const char *how = argc > 2 ? argv[2] : "";

	CALLED();
	if (!strcmp(how, "uncaught")) {
		count_print();
		thrower(1);
	} else if (!strcmp(how, "same")) {
		catch_many(turns);
	} else {
		for (unsigned long turn = 0; turn < turns; turn++)
			catcher(turn, !strcmp(how, "rethrow"));
	}
	after();
	count_print();
	return 0;
}
