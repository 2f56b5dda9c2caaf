/* Exceptions and longjmp, again and again until SIGTERM: each is left by five frames, and who catches calls leaf. "good": all came
 * out right. */
#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <unistd.h>

#define SOME __attribute__((noinline))

static volatile int over;
static std::jmp_buf landing;

static void end(int)
{
	over = 1;
}

SOME int leaf(int x)
{
	__asm__ volatile("" : "+r"(x));
	return x + 1;
}

SOME void thrower(int depth)
{
	if (!depth)
		throw leaf(depth);
	thrower(depth - 1);
	leaf(depth);
}

SOME void jumper(int depth)
{
	if (!depth)
		std::longjmp(landing, leaf(depth));
	jumper(depth - 1);
	leaf(depth);
}

SOME int catcher()
{
	try {
		thrower(4);
	} catch (int value) {
		return leaf(value);
	}
	return 0;
}

SOME int setter()
{
	if (!setjmp(landing))
		jumper(4);
	return leaf(1);
}

SOME int after(int x)
{
	return leaf(x) + leaf(x);
}

SOME int turn(int x)
{
	return catcher() + setter() + after(x);
}

int main()
{
	std::signal(SIGTERM, end);
	for (long turns = 1; !over; turns++) {
		if (turn(2) != 10) {
			std::puts("bad");
			return 1;
		}
		if (turns % 50 == 0)
			usleep(100);
	}
	std::puts("good");
	return 0;
}
