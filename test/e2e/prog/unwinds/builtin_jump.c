/* __builtin_longjmp out of two frames, three times: a jump that no library function makes. The next call after it is one of run. */
static void *landing[5];
static volatile unsigned sink;

static __attribute__((noinline)) void after(void)
{
	sink++;
}

static __attribute__((noinline)) void leave(void)
{
	sink++;
	__builtin_longjmp(landing, 1);
}

static __attribute__((noinline)) void thrower(void)
{
	leave();
	sink++;
}

static __attribute__((noinline)) unsigned run(void)
{
	for (volatile int i = 0; i < 3; i++)
		if (__builtin_setjmp(landing) == 0)
			thrower();
		else
			after();
	return sink;
}

int main(void)
{
	return run() == 6 ? 0 : 1;
}
