/* Names with a * of their own, which is any text in a pattern: an overload that such a pattern would mean, too, is called first. */
#define KEPT __attribute__((noinline))

static volatile unsigned sink;

struct pair_of {
	KEPT pair_of(char const *, int turns)
	{
		for (int i = 0; i < turns; i++)
			sink = (unsigned)i;
	}
	KEPT pair_of(char const *text) { sink = (unsigned char)*text; }
	KEPT pair_of operator*(int turns) { return pair_of("a", turns); }
	KEPT pair_of operator*=(int) { return pair_of("b"); }
};

int main()
{
	for (int i = 0; i < 30; i++) {
		pair_of one("one", 1000);

		one = one * 3;
	}
	for (int i = 0; i < 7; i++) {
		pair_of one("one");

		one *= 3;
	}
	return 0;
}
