/* Exceptions of C++ for main.c: one is thrown by a signal handler, out of whatever it interrupted. */
struct thrown {
	int number;
};

extern "C" long call_stepping(const void *function, long first, long second);

extern "C" void throw_it(int number)
{
	throw thrown{number};
}

static volatile long seeds[6] = {1, 20, 300, 4000, 50000, 600000};

/* Calls it. What it threw; 0: nothing, and its result is there; -1: registers that functions keep are not what they were. */
extern "C" int catch_it(const void *function, long first, long second, long *result)
{
	long a = seeds[0], b = seeds[1], c = seeds[2], d = seeds[3], e = seeds[4], f = seeds[5];

	try {
		*result = call_stepping(function, first, second);
	} catch (const thrown &it) {
		return a == 1 && b == 20 && c == 300 && d == 4000 && e == 50000 && f == 600000 ? it.number : -1;
	}
	return a + b + c + d + e + f == 654321 ? 0 : -1;
}
