/* A function that calls itself: its third call catches what the seventh throws, and each of them has a cleanup. */
static volatile int sum;

struct holder {
	~holder()
	{
		sum = sum + 1;
	}
};

extern "C" {
__attribute__((noinline)) void after()
{
	sum = sum + 1;
}

__attribute__((noinline)) void thrower(int depth)
{
	sum = sum + depth;
	throw depth;
}

__attribute__((noinline)) void recurse(int depth)
{
	holder holds;

	if (depth == 2) {
		try {
			recurse(depth + 1);
		} catch (int) {
			after();
		}
		after();
	} else if (depth == 6) {
		thrower(depth);
	} else {
		recurse(depth + 1);
	}
	sum = sum + 1;
}
}

int main()
{
	for (int turn = 0; turn < 500; turn++)
		recurse(0);
}
