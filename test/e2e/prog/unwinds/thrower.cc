/* A library in C++ that a program in C opens: it calls back, and what it calls throws by it, through the program's functions. */
static int caught;

extern "C" void thrower_throw(int number)
{
	throw number;
}

/* How often the calls threw. */
extern "C" int thrower_run(void (*call)(int), int times)
{
	for (int i = 0; i < times; i++)
		try {
			call(i);
		} catch (int) {
			caught++;
		}
	return caught;
}
