/* Calls of many shapes: the tree of their paths has 3 to the power of 12 of them, and has no room for all. */
static unsigned seed = 1;

static void go(int depth);

__attribute__((noinline)) static void red(int depth)
{
	go(depth);
	__asm__ volatile("");
}

__attribute__((noinline)) static void green(int depth)
{
	go(depth);
	__asm__ volatile("");
}

__attribute__((noinline)) static void blue(int depth)
{
	go(depth);
	__asm__ volatile("");
}

__attribute__((noinline)) static void go(int depth)
{
	seed = seed * 1664525u + 1013904223u;
	if (depth <= 0)
		return;
	if (seed >> 28 < 5)
		red(depth - 1);
	else if (seed >> 28 < 10)
		green(depth - 1);
	else
		blue(depth - 1);
}

int main(void)
{
	for (int i = 0; i < 200000; i++)
		go(12);
	return 0;
}
