/* Functions whose calls the compiler could leave out, or join, by what it finds in them or what the user says of them. */
#include "saw.h"

static int one = 1;
static const int many[4] = {1, 2, 3, 4};

NOINLINE static int computes(int a)
{
	return a * 2;
}

NOINLINE static int reads(int a)
{
	return a + one;
}

NOINLINE static void nothing(void)
{
}

NOINLINE static int sums(int n)
{
	int sum = 0;
	for (int i = 0; i < n; i++)
		sum += many[i & 3];
	return sum;
}

NOINLINE static int calls(int a)
{
	return computes(a) + 1;
}

NOINLINE static void fills(int *to)
{
	*to = 4;
}

NOINLINE __attribute__((const)) static int said_const(int a)
{
	return a * 3;
}

NOINLINE __attribute__((pure)) static int said_pure(int a)
{
	return a - one;
}

NOINLINE __attribute__((optimize("O3"))) static int with_options(int a)
{
	return a * 4;
}

__attribute__((const)) int said_before(int a);

NOINLINE static int twin_one(int a)
{
	return a * 7 + one;
}

NOINLINE static int twin_two(int a)
{
	return a * 7 + one;
}

/* Nobody uses the results. */
NOINLINE static void dropped(void)
{
	int local;
	(void)computes(1);
	(void)reads(1);
	nothing();
	(void)sums(3);
	(void)calls(2);
	fills(&local);
	(void)said_const(1);
	(void)said_pure(1);
	(void)with_options(1);
	(void)said_before(1);
}

NOINLINE static int twice(void)
{
	int sum = computes(1);
	sum += computes(1);
	sum += reads(2);
	sum += reads(2);
	sum += said_const(1);
	sum += said_const(1);
	sum += said_pure(1);
	sum += said_pure(1);
	sum += said_before(1);
	return sum + said_before(1);
}

NOINLINE static int in_loop(int n)
{
	int sum = 0;
	for (int i = 0; i < n; i++)
		sum += computes(n);
	for (int i = 0; i < n; i++)
		sum += said_before(n);
	return sum;
}

NOINLINE static int twins(void)
{
	const int first = twin_one(1);
	return first + twin_two(1);
}

NOINLINE int said_before(int a)
{
	return a * 9;
}

int main(void)
{
	SAW("+main ");
	dropped();
	SAW("+dropped +computes - +reads - +nothing - +sums - +calls +computes - - +fills - +said_const - +said_pure - +with_options - "
	    "+said_before - - ");
	SAME(twice(), 34);
	SAW("+twice +computes - +computes - +reads - +reads - +said_const - +said_const - +said_pure - +said_pure - +said_before - "
	    "+said_before - - ");
	SAME(in_loop(3), 99);
	SAW("+in_loop +computes - +computes - +computes - +said_before - +said_before - +said_before - - ");
	SAME(twins(), 16);
	SAW("+twins +twin_one - +twin_two - - ");
	return finish();
}
