/* Functions whose arguments and results are known: each prints what dwell should show of its calls, as NAME and numbers in hex, the
 * result behind an =. Not hooked is what prints.
 *
 *     args TURNS */
#include <stdint.h>
#include <stdlib.h>

#include "../count.h"

#define NOINLINE __attribute__((noinline, noclone))
struct large { long a[5]; };
struct two_words { long a, b; };

static uint64_t state = 88172645463325252u;

UNHOOKED static uint64_t draw(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state >> (state & 3) * 16; /* also small ones, and 0 in the high half */
}

static volatile long side;

NOINLINE static long six(long a, long b, long c, long d, long e, long f)
{
	side = a;
	return a + 2 * b - c + 3 * d - e + 7 * f;
}

NOINLINE static long eight(long a, long b, long c, long d, long e, long f, long g, long h)
{
	side = b;
	return a ^ b ^ c ^ d ^ e ^ f ^ g ^ h;
}

NOINLINE static long negate(long a)
{
	side = a;
	return -a;
}

NOINLINE static void *pointer(const char *text, long offset)
{
	side = offset;
	return (char *)(uintptr_t)text + offset;
}

NOINLINE static struct two_words pair(long a, long b)
{
	side = a;
	return (struct two_words){b, a};
}

/* Given where to, and gives that back. */
NOINLINE static struct large structure(long a, long b)
{
	struct large made = {{a, b, 0, 0, 0}};

	side = a;
	return made;
}

/* Jumps, and returns nothing itself. */
NOINLINE static long tail(long a)
{
	side = a;
	return negate(a + 1);
}

/* Of its own arguments, after calls that had others; deep, too. */
NOINLINE static long deep(long n, long a)
{
	long below = n ? deep(n - 1, a + 1) : 0;

	side = below;
	return below + a;
}

UNHOOKED static void say(const char *name, int count, const uint64_t *values, int has_result, uint64_t result)
{
	printf("%s", name);
	for (int i = 0; i < count; i++)
		printf(" 0x%llx", (unsigned long long)values[i]);
	if (has_result)
		printf(" = 0x%llx", (unsigned long long)result);
	else
		printf(" =");
	putchar('\n');
}

UNHOOKED static void turn(void)
{
	uint64_t v[8];
	struct two_words two;
	struct large large;
	long result;

	for (int i = 0; i < 8; i++)
		v[i] = draw();
	result = six(v[0], v[1], v[2], v[3], v[4], v[5]);
	say("six", 6, v, 1, result);
	result = eight(v[7], v[6], v[5], v[4], v[3], v[2], v[1], v[0]);
	say("eight", 6, (uint64_t[]){v[7], v[6], v[5], v[4], v[3], v[2]}, 1, result);
	result = negate((long)(v[0] % 1000));
	say("negate", 1, (uint64_t[]){v[0] % 1000}, 1, result);
	result = (long)pointer((const char *)&v[0], (long)(v[1] % 8));
	say("pointer", 2, (uint64_t[]){(uintptr_t)&v[0], v[1] % 8}, 1, result);
	two = pair(v[3], v[4]);
	say("pair", 2, &v[3], 1, two.a);
	large = structure(v[5], v[6]);
	say("structure", 2, &v[5], 1, 0); /* the first and the result are its address, which only the compiler knows */
	if (two.b != (long)v[3] || large.a[1] != (long)v[6])
		exit(1);
	result = tail(v[2]);
	say("tail", 1, &v[2], 0, 0);
	say("negate", 1, (uint64_t[]){v[2] + 1}, 1, result);
	result = deep(3, v[1]);
	for (uint64_t n = 0, sum = 0; n <= 3; n++) {
		sum += v[1] + 3 - n;
		say("deep", 2, (uint64_t[]){n, v[1] + 3 - n}, 1, sum);
	}
	side = result;
}

UNHOOKED int main(int argc, char **argv)
{
	for (int turns = argc > 1 ? atoi(argv[1]) : 1; turns; turns--)
		turn();
	return 0;
}
