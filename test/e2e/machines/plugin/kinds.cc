/* What C++ adds: names, exceptions, constructors, templates, lambdas, bodies that are read later than they stand. */
#pragma profile off /* its constructors are no calls; and it is short, where <stdexcept> takes half a second */
#include <new>
#pragma profile reset
#include "saw.h"

static volatile int zero;

ALONE static void throws(int what)
{
	if (what == 1)
		throw std::bad_alloc();
	if (what == 2)
		throw 2;
}

struct guard {
	int &n;
	ALONE ~guard()
	{
		n++;
	}
};
static int cleaned;

/* Exceptions go through it, with nothing to clean up, with something, and with a handler for others. */
ALONE static void passes(int what)
{
	throws(what);
	SAME(what, 0);
}

ALONE static void cleans(int what)
{
	guard guard{cleaned};
	passes(what);
}

ALONE static void handles_int(int what)
{
	try {
		cleans(what);
	} catch (int) {
		cleaned += 100;
	}
}

ALONE static int handles_all(int what)
{
	try {
		handles_int(what);
	} catch (const std::exception &e) {
		return 1;
	}
	return 0;
}

ALONE static void throws_again()
{
	try {
		throws(1);
	} catch (...) {
		throw;
	}
}

ALONE static int from_loop()
{
	int caught = 0;
	for (int i = 0; i < 3; i++)
		try {
			if (i == 1)
				continue;
			throws_again();
		} catch (const std::exception &) {
			caught++;
		}
	return caught;
}

ALONE static void nothing_leaves() noexcept
{
	try {
		throws(2);
	} catch (int) {
	}
}

namespace place
{
struct base {
	int made;
	ALONE base(int a) : made(a)
	{
	}
	ALONE virtual ~base()
	{
	}
	ALONE virtual int method(int a)
	{
		return a + made;
	}
};
struct other {
	ALONE virtual int second()
	{
		return 1;
	}
};
struct derived : other, base {
	ALONE derived() : base(3)
	{
	}
	ALONE int method(int a) override
	{
		return base::method(a) + 1;
	}
	/* Implied: its destructor, which nobody wrote. */
};
struct virtually : virtual base {
	ALONE virtually() : base(5)
	{
	}
};
struct twice : virtually {
	ALONE twice() : base(6)
	{
	}
};
struct throws_in_constructor : base {
	ALONE throws_in_constructor() : base(4)
	{
		throws(2);
	}
};
}

template <typename T> ALONE T largest(T a, T b)
{
	return a < b ? b : a;
}

#pragma profile off
template <typename T> ALONE T smallest(T a, T b)
{
	return a < b ? a : b;
}

struct pragmas_within {
	ALONE int off()
	{
		return 1;
	}
#pragma profile on
	ALONE int on()
	{
		return 2;
	}
	ALONE int off_at_its_end()
	{
		return 3;
#pragma profile off
	}
	ALONE int off_after()
	{
		return 4;
	}
#pragma profile reset
	ALONE int on_after_reset()
	{
		return 5;
	}
#pragma profile reset
};
#pragma profile reset

extern "C" ALONE int plain_name(int a)
{
	return a;
}

ALONE static int overloaded(int a)
{
	return a;
}

ALONE static int overloaded(double a)
{
	return (int)a;
}

static place::base before_main(9);

int main()
{
	SAW("+place::base::base - +main ");
	SAME(handles_all(0), 0);
	SAW("+handles_all +handles_int +cleans +passes +throws - - +guard::~guard - - - - ");
	SAME(handles_all(1), 1);
	SAW("+handles_all +handles_int +cleans +passes +throws - - +guard::~guard - - - - ");
	SAME(handles_all(2), 0);
	SAW("+handles_all +handles_int +cleans +passes +throws - - +guard::~guard - - - - ");
	SAME(cleaned, 103);
	SAME(from_loop(), 2);
	SAW("+from_loop +throws_again +throws - - +throws_again +throws - - - ");
	nothing_leaves();
	SAW("+nothing_leaves +throws - - ");
	{
		place::derived object;
		place::base *as_base = &object;
		SAME(as_base->method(1), 5);
		SAW("+place::derived::derived +place::base::base - - +place::derived::method +place::base::method - - ");
	}
	SAW("+place::base::~base - ");
	{
		place::virtually object;
		SAME(object.made, 5);
		SAW("+place::virtually::virtually +place::base::base - - ");
		place::twice second;
		SAME(second.made, 6);
		SAW("+place::twice::twice +place::base::base - +place::virtually::virtually - - ");
	}
	SAW("+place::base::~base - +place::base::~base - ");
	try {
		place::throws_in_constructor object;
	} catch (int) {
	}
	SAW("+place::throws_in_constructor::throws_in_constructor +place::base::base - +throws - +place::base::~base - - ");
	SAME(largest(1, 2) + (int)largest(1.5, 2.5), 4);
	SAME(smallest(1, 2), 1);
	SAW("+largest<int> - +largest<double> - ");
	pragmas_within within;
	SAME(within.off() + within.on() + within.off_at_its_end() + within.off_after() + within.on_after_reset(), 15);
	SAW("+pragmas_within::on - +pragmas_within::on_after_reset - ");
	place::base *made = new place::derived;
	SAW("+place::derived::derived +place::base::base - - ");
	delete made;
	SAW("+place::base::~base - ");
	made = new place::base(1);
	delete made;
	SAW("+place::base::base - +place::base::~base - ");
	const auto lambda = [](int a) __attribute__((noinline))
	{
		return a + zero;
	};
	SAME(lambda(1), 1);
	SAW("+main()::<lambda(int)>::operator() - ");
	SAME(plain_name(1) + overloaded(1) + overloaded(2.5), 4);
	SAW("+plain_name - +overloaded - +overloaded - ");
	SAME(depth, 1);
	return finish();
}
