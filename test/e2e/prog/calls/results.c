/* Functions whose result is the last thing that they compute: nothing of it may stand behind the exit hook. No program of its own:
 * exit_hooks.sh looks at what becomes of it. */
typedef unsigned long long u64;
typedef long long s64;
struct pair {
	int a, b;
};
struct bits {
	unsigned low : 5, high : 11;
};

extern volatile int sink;
int other(int);

#define RESULT(type, name, parameters, value) \
	type name parameters;                 \
	type name parameters                  \
	{                                     \
		return value;                 \
	}

RESULT(u64, ticks_to_us, (u64 ticks), ticks * 64 / 33514)
RESULT(int, add, (int x, int y), x + y)
RESULT(int, multiply_add, (int x, int y, int z), x * y + z)
RESULT(int, divide, (int x, int y), x / y)
RESULT(unsigned, remainder_of, (unsigned x, unsigned y), x % y)
RESULT(int, divide_by_ten, (int x), x / 10)
RESULT(int, of_both_signs, (int x), x < 0 ? -x * 3 : x * 5)
RESULT(s64, divide_64, (s64 x, s64 y), x / y)
RESULT(u64, remainder_64, (u64 x, u64 y), x % y)
RESULT(u64, multiply_64, (u64 x, u64 y), x * y)
RESULT(u64, shift_left, (u64 x, int n), x << n)
RESULT(s64, shift_right, (s64 x, int n), x >> n)
RESULT(unsigned, rotate, (unsigned x, unsigned n), x << (n & 31) | x >> (-n & 31))
RESULT(int, negate_and, (int x, int y), ~x & y)
RESULT(int, compare, (int x, int y), x < y)
RESULT(int, both, (int x, int y), x > 3 && y < 7)
RESULT(int, three_ways, (int x, int y), (x > y) - (x < y))
RESULT(unsigned char, to_byte, (int x), (unsigned char)(x * 7))
RESULT(short, to_short, (int x), (short)(x + 1000))
RESULT(s64, to_64, (int x), (s64)x * x)
RESULT(unsigned, field, (unsigned x), x >> 7 & 0x1ff)
RESULT(unsigned, bit_field, (struct bits x), x.high + x.low)
RESULT(unsigned, bytes_turned, (unsigned x), x >> 24 | (x >> 8 & 0xff00) | (x << 8 & 0xff0000) | x << 24)
RESULT(int, ones, (unsigned x), __builtin_popcount(x))
RESULT(int, zeros, (unsigned x), x ? __builtin_clz(x) : 32)
RESULT(float, add_float, (float x, float y), x + y)
RESULT(double, divide_double, (double x, double y), x / y)
RESULT(double, polynomial, (double x), (x * 3.5 + 2.5) * x + 1.5)
RESULT(int, to_int, (double x), (int)(x * 2))
RESULT(double, to_double, (s64 x), (double)x / 3)
RESULT(int, element, (const int *x, int i), x[i] + 1)
RESULT(int, of_const, (int i), ((const int[]){3, 1, 4, 1, 5, 9, 2, 6})[i & 7] * 2)
RESULT(int, difference, (const struct pair *x), x->a - x->b)
RESULT(int *, place, (int *x, int i), x + i * 3 + 1)
RESULT(int, of_another, (int x), other(x) * 5)
RESULT(int, of_two, (int x), other(x) * other(x + 1))
RESULT(int, of_volatile, (int x), sink * x)
#ifdef __SIZEOF_INT128__
RESULT(unsigned __int128, divide_128, (unsigned __int128 x, unsigned __int128 y), x / y)
RESULT(u64, scale, (u64 x, u64 y), (u64)((unsigned __int128)x * y / 1000))
#endif

struct pair sum_pair(struct pair x, struct pair y);
struct pair sum_pair(struct pair x, struct pair y)
{
	return (struct pair){x.a + y.a, x.b * y.b};
}

int sum(const int *x, int n);
int sum(const int *x, int n)
{
	int s = 0;

	for (int i = 0; i < n; i++)
		s += x[i];
	return s / n;
}

int early(int x);
int early(int x)
{
	if (x > 100)
		return x * 11;
	sink = x;
	return x * 13 + 1;
}
