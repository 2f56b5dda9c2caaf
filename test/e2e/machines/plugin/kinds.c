/* Functions of all kinds: what is called and left, in which order, and that nothing which they are given or give back is
 * changed. */
#include <stdarg.h>
#include "saw.h"

/* Nobody knows what is in them. */
static volatile int zero;
static volatile int sink;

ALONE static int leaf(int a)
{
	return a + 1;
}

/* Arguments in registers and on the stack. */
ALONE static int ints(int a, int b, int c, int d, int e, int f, int g, int h)
{
	return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h;
}

ALONE static double doubles(double a, float b, double c, double d, double e, double f, double g, double h, double i, long double j)
{
	return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * i + 10 * (double)j;
}

ALONE static long long wide(int a, long long b)
{
	return b + a;
}

ALONE static float narrow(float a)
{
	return a / 2;
}

ALONE static long double widest(long double a)
{
	return a / 2;
}

ALONE static _Complex double both_parts(double a)
{
	return a + 2.0i;
}

#ifdef __SIZEOF_INT128__
ALONE static __int128 widest_int(__int128 a)
{
	return a + 1;
}
#endif

struct pair {
	long first, second;
};
struct mixed {
	double first;
	long second;
};
struct large {
	int n[20];
};

ALONE static struct pair pair(long a)
{
	return (struct pair){a, a + 1};
}

ALONE static struct mixed mixed(long a)
{
	return (struct mixed){a / 2.0, a};
}

ALONE static struct large large(int a, struct large from)
{
	struct large result = from;
	result.n[19] += a;
	return result;
}

ALONE static double variable(int n, ...)
{
	double sum = 0;
	va_list list;
	va_start(list, n);
	for (int i = 0; i < n; i++)
		sum += i & 1 ? va_arg(list, double) : va_arg(list, int);
	va_end(list);
	return sum;
}

ALONE static int many_returns(int a)
{
	switch (a) {
	case 0:
		return 7;
	case 1:
		return leaf(1);
	case 2:
		return leaf(leaf(2));
	}
	if (a < 0) {
		if (a == -1)
			return 5;
		return -leaf(a);
	}
	return a;
}

/* It begins with a loop: one entry. */
ALONE static int loops(int n)
{
	do
		sink = n;
	while (--n);
	return n;
}

ALONE static int jump_at_end(int a)
{
	return leaf(a * 2);
}

NOINLINE static int recursive(int n, int sum)
{
	return n == 0 ? sum : recursive(n - 1, sum + n);
}

NOINLINE static int odd(int n);
NOINLINE static int even(int n)
{
	return n == 0 ? 1 : odd(n - 1);
}

NOINLINE static int odd(int n)
{
	return n == 0 ? 0 : even(n - 1);
}

/* Left without an exit. */
static void *jump_buffer[5];

ALONE __attribute__((noreturn)) static void leaves(void)
{
	__builtin_longjmp(jump_buffer, 1);
}

ALONE __attribute__((unused)) static int catches(void)
{
	const int before = depth;
	if (__builtin_setjmp(jump_buffer) == 0)
		leaves();
	depth = before;
	return depth;
}

/* The compiler may see what they do, and may not leave a call out nor call one by the name of the other. */
NOINLINE static int twin_one(int a)
{
	return a * 5 + sink;
}

NOINLINE static int twin_two(int a)
{
	return a * 5 + sink;
}

NOINLINE static int constant_argument(int a, int unused, int always)
{
	(void)unused;
	return a * always + sink;
}

/* Inlined wherever anything is: counts in who calls it. */
__attribute__((always_inline)) static inline int inlined(int a)
{
	return a < 0 ? -1 : a + leaf(a);
}

ALONE static int calls_inlined(int a)
{
	return inlined(a) + inlined(a + 1);
}

/* Its beginning may be inlined, and the rest be a function of its own: too large to be inlined as a whole. */
#define FOUR(x) x x x x
int partly(int *a);
int partly(int *a)
{
	if (!a)
		return 0;
	for (int i = 0; i < *a; i++) {
		FOUR(FOUR(sink += *a / (sink + 1); sink ^= i;))
		leaf(i);
	}
	return sink;
}
int (*volatile partly_by_pointer)(int *) = partly;

ALONE static int calls_partly(int *a)
{
	return a ? 1 + partly(a) : 2;
}

ALONE static int calls(int (*function)(int), int a)
{
	return function(a);
}

ALONE static int encloses(int a)
{
	int added = 0;
	__attribute__((noinline)) int within(int b)
	{
		added += b;
		return a + b;
	}
	const int first = within(1);
	return first + calls(within, 2) + added;
}

ALONE static int has_array(int n)
{
	int array[n];
	for (int i = 0; i < n; i++)
		array[i] = i;
	__asm__ volatile("" ::"r"(array) : "memory");
	return array[n - 1];
}

ALONE static int jumps_about(int a)
{
	static const void *const to[] = {&&one, &&two};
	goto *to[a];
one:
	return 11;
two:
	return leaf(21);
}

ALONE __attribute__((no_instrument_function)) static int without(int a)
{
	return a + leaf(a);
}

ALONE int original(int a);
int original(int a)
{
	return a - 1;
}
int other_name(int a) __attribute__((alias("original")));

/* Who picks it is called before the program is ready. */
#if defined __linux__ && !defined __SANITIZE_ADDRESS__
static int picked(int a);
NOINLINE static int picked(int a)
{
	return a + sink;
}
static int resolver_depth;
static int (*pick(void))(int)
{
	resolver_depth = depth;
	return picked;
}
int indirect(int a) __attribute__((ifunc("pick")));
#else
#define resolver_depth 0
ALONE static int picked(int a)
{
	return a;
}
#define indirect picked
#endif

ALONE static void returns_nothing(int a)
{
	if (a)
		sink = a;
}

/* Large: its literals are far away, its branches long. */
ALONE static int long_one(int a)
{
	if (a) {
		FOUR(FOUR(FOUR(FOUR(sink = sink ^ 0x12345678; sink += a;))))
	}
	return a;
}

ALONE static int sees_registers(long a, long b, long c, long d)
{
	if (knows_registers) {
		SAME(last_registers[0], (unsigned long)a);
		SAME(last_registers[1], (unsigned long)b);
		SAME(last_registers[2], (unsigned long)c);
		SAME(last_registers[3], (unsigned long)d);
		SAME(last_return, __builtin_return_address(0));
	}
	return 1;
}

static int constructed;
__attribute__((constructor)) static void constructs(void)
{
	constructed = depth;
}

ALONE static void numbers(void)
{
	SAME(ints(1, 2, 3, 4, 5, 6, 7, 8), 204);
	SAW("+numbers +ints - ");
	SAME(doubles(1, 2, 3, 4, 5, 6, 7, 8, 9, 10), 385.0);
	SAW("+doubles - ");
	SAME(wide(1, 0x123456789abcdefLL), 0x123456789abcdf0LL);
	SAME(narrow(5), 2.5f);
	SAME(widest(5), 2.5L);
	SAME(both_parts(1), 1 + 2.0i);
	SAW("+wide - +narrow - +widest - +both_parts - ");
#ifdef __SIZEOF_INT128__
	SAME(widest_int((__int128)1 << 100), ((__int128)1 << 100) + 1);
	SAW("+widest_int - ");
#endif
	const struct pair two = pair(7);
	SAME(two.first + two.second, 15);
	const struct mixed unlike = mixed(7);
	SAME(unlike.first + unlike.second, 10.5);
	struct large from = {{1, 2, 3}};
	from.n[19] = 5;
	const struct large result = large(4, from);
	SAME(result.n[0] + result.n[2] + result.n[19], 13);
	SAW("+pair - +mixed - +large - ");
	SAME(variable(0), 0.0);
	SAME(variable(9, 1, 2.5, 3, 4.5, 5, 6.5, 7, 8.5, 9), 47.0);
	SAW("+variable - +variable - ");
	SAME(sees_registers(0x1234, -2, 3, -4), 1);
	SAW("+sees_registers - ");
}

ALONE static void ways(void)
{
	SAME(many_returns(0) + many_returns(1) + many_returns(2) + many_returns(3) + many_returns(-1) + many_returns(-9), 29);
	SAW("+ways +many_returns - +many_returns +leaf - - +many_returns +leaf - +leaf - - +many_returns - +many_returns - "
	    "+many_returns +leaf - - ");
	SAME(loops(5), 0);
	SAW("+loops - ");
	SAME(jump_at_end(3), 7);
	SAW("+jump_at_end +leaf - - ");
	SAME(recursive(3 + zero, 0), 6);
	SAW("+recursive +recursive +recursive +recursive - - - - ");
	SAME(even(3 + zero), 0);
	SAW("+even +odd +even +odd - - - - ");
#ifndef ALTERNATING /* GCC's jump finds its way within one state of an ARM only. */
	const int before = depth;
	SAME(catches(), before + 1);
	SAME(depth, before);
	SAW("+catches +leaves - ");
#endif
	SAME(calls_inlined(1), 8);
	SAW("+calls_inlined +leaf - +leaf - - ");
	int one = 1;
	calls_partly(&one);
	SAW_EITHER("+calls_partly +partly +leaf - - - ", "+calls_partly +leaf - - ");
	partly_by_pointer(&one);
	SAW("+partly +leaf - - ");
	SAME(encloses(10), 26);
	SAW("+encloses +within - +calls +within - - - ");
	SAME(has_array(10) + jumps_about(0) + jumps_about(1), 9 + 11 + 22);
	SAW("+has_array - +jumps_about - +jumps_about +leaf - - ");
	SAME(without(1), 3);
	SAW("+leaf - ");
	SAME(other_name(2) + original(2), 2);
	SAW("+original - +original - ");
	returns_nothing(3);
	SAME(long_one(1), 1);
	SAW("+returns_nothing - +long_one - ");
	sink = 0;
	SAME(indirect(3), 3);
	SAME(resolver_depth, 0);
	SAW("+picked - ");
	SAME(twin_one(1) + twin_two(2) + constant_argument(3, 4, 5) + constant_argument(4, 4, 5), 50);
	SAW("+twin_one - +twin_two - +constant_argument - +constant_argument - ");
}

int main(void)
{
	SAME(constructed, CONSTRUCTORS);
	SAW(CONSTRUCTORS ? "+constructs - +main " : "+main ");
	SAME(depth, 1);
	numbers();
	SAW("- ");
	ways();
	SAW("- ");
	SAME(depth, 1);
	return finish();
}
