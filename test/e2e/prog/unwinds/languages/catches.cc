/* Half of the calls of inner throw an exception, which catcher catches. */
#include <cstdio>

static int sum;

__attribute__((noinline)) void after()
{
	sum++;
}

__attribute__((noinline)) void inner(int turn)
{
	if (turn % 2 == 0)
		throw turn;
	sum += turn;
}

/* Its destructor runs on the way. */
struct holder {
	~holder()
	{
		sum++;
	}
};

__attribute__((noinline)) void middle(int turn)
{
	holder holds;

	inner(turn);
}

__attribute__((noinline)) void catcher()
{
	for (int turn = 1; turn <= 1000; turn++) {
		try {
			middle(turn);
		} catch (int) {
			after();
		}
	}
}

int main()
{
	catcher();
	std::printf("sum %d\n", sum);
}
