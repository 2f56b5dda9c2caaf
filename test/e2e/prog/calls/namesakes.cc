/* Short functions that are called often, and have names that compilers tell apart by more than letters: overloads, an operator, a template,
 * an unnamed namespace; and a namesake of one of them that is called seldom and takes long. */
#define KEPT __attribute__((noinline))

enum { OFTEN = 100000, SELDOM = 10 };

static volatile unsigned sink;

namespace space {
struct box {
	unsigned value;
	KEPT unsigned get(int more) const { sink = value; return value + more; }
	KEPT unsigned get(long more) const { sink = value; return value - more; }
	KEPT unsigned operator,(int more) const { sink = value; return value ^ more; }
};
template <class T> KEPT T twice(T value) { sink = value; return value * 2; }
}

namespace {
KEPT unsigned hidden(unsigned value) { sink = value; return value; }
}

namespace other {
KEPT unsigned hidden(unsigned turns)
{
	for (unsigned i = 0; i < turns; i++)
		sink = i;
	return turns;
}
}

int main()
{
	space::box box = {1};
	unsigned sum = 0;

	for (int i = 0; i < OFTEN; i++)
		sum += box.get(i) + box.get((long)i) + (box, i) + space::twice(i) + hidden(i);
	for (int i = 0; i < SELDOM; i++)
		sum += other::hidden(1000000);
	sink = sum;
	return 0;
}
