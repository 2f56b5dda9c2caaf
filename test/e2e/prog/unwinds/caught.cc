/* Exceptions in every place: caught HOW [TURNS]. The next call after a catch is a child of the function that caught it.
 *
 *     nested     thrown and caught while another one is being handled
 *     pointer    kept in an exception_ptr, thrown again in another thread
 *     thread     thrown and caught in threads
 *     far        through ten frames, two of which catch something else
 *     c          through frames of C that know nothing of exceptions but their tables
 *     inlined    caught by a function that is part of its caller
 *     function   function-try-blocks of a constructor
 *     local      thread_local and static objects, whose destructors run at the end of a thread and behind main
 *     destructor abort in a destructor behind main */
#include <cstdlib>
#include <exception>
#include <pthread.h>
#include <stdexcept>

#include "../count.h"

static volatile unsigned sink;

extern "C" {
void after()
{
	CALLED();
	sink = sink + 1;
}

__attribute__((noinline)) void thrower(int value)
{
	CALLED();
	throw value;
}

__attribute__((noinline)) void throws_text(const char *text)
{
	CALLED();
	throw std::runtime_error(text);
}

void nested()
{
	CALLED();
	try {
		thrower(1);
	} catch (int) {
		after();
		try {
			throws_text("inner");
		} catch (const std::exception &) {
			after();
		}
		after();
	}
	after();
}

static std::exception_ptr kept;

void keep()
{
	CALLED();
	try {
		thrower(2);
	} catch (...) {
		kept = std::current_exception();
		after();
	}
}

void *throw_again(void *unused)
{
	CALLED();
	try {
		std::rethrow_exception(kept);
	} catch (int) {
		after();
	}
	after();
	return unused;
}

void pointer()
{
	pthread_t thread;

	CALLED();
	keep();
	if (pthread_create(&thread, nullptr, throw_again, nullptr))
		abort();
	pthread_join(thread, nullptr);
	after();
}

void catches(int value)
{
	CALLED();
	try {
		thrower(value);
	} catch (int) {
	}
	after();
}

void *in_thread(void *unused)
{
	CALLED();
	for (int i = 0; i < 100; i++)
		catches(i);
	return unused;
}

void thread()
{
	pthread_t threads[8];

	CALLED();
	for (pthread_t &one : threads)
		if (pthread_create(&one, nullptr, in_thread, nullptr))
			abort();
	for (pthread_t &one : threads)
		pthread_join(one, nullptr);
}

__attribute__((noinline)) void deep(int left)
{
	CALLED();
	if (!left)
		thrower(3);
	if (left % 4 == 2) {
		try {
			deep(left - 1);
		} catch (const std::exception &) {
			abort();
		}
	} else {
		deep(left - 1);
	}
	after();
}

void far()
{
	CALLED();
	try {
		deep(10);
	} catch (int) {
	}
	after();
}

/* As C compiles it with -fexceptions: nothing to clean up. */
__attribute__((noinline)) void c_frame(void (*call)(int), int value)
{
	CALLED();
	call(value);
	sink = sink + 1;
}

void c()
{
	CALLED();
	try {
		c_frame(thrower, 4);
	} catch (int) {
	}
	after();
}

inline __attribute__((always_inline)) void part_of_it(int value)
{
	CALLED();
	try {
		thrower(value);
	} catch (int) {
	}
	after();
}

void inlined()
{
	CALLED();
	part_of_it(5);
	after();
}
}

struct Part {
	Part()
	{
		CALLED_AS("Part::Part()");
		thrower(6);
	}
};
struct Whole {
	Part part;
	__attribute__((noinline)) Whole()
	try
	{
		abort();
	} catch (int) {
		CALLED_AS("Whole::Whole()");
		after();
	}
};

extern "C" void function()
{
	CALLED();
	try {
		Whole whole;
	} catch (int) {
	}
	after();
}

static bool aborts, prints;
struct Object {
	const char *name;
	explicit Object(const char *n) : name(n)
	{
		CALLED_AS("Object::Object(char const*)");
	}
	~Object()
	{
		CALLED_AS("Object::~Object()");
		after();
		if (prints && name[0] == 's')
			count_print();
		if (aborts && name[0] == 's')
			abort();
	}
};

extern "C" {
void use_static()
{
	CALLED();
	static Object object("static");

	sink = sink + (object.name != nullptr);
}

void use_local()
{
	CALLED();
	static thread_local Object object("local");

	sink = sink + (object.name != nullptr);
}

void *has_local(void *unused)
{
	CALLED();
	use_local();
	return unused;
}

void local()
{
	pthread_t thread;

	CALLED();
	use_static();
	use_local();
	for (int i = 0; i < 10; i++) {
		if (pthread_create(&thread, nullptr, has_local, nullptr))
			abort();
		pthread_join(thread, nullptr);
	}
}
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "";
	int turns = argc > 2 ? atoi(argv[2]) : 1;
	const struct {
		const char *name;
		void (*run)();
	} kinds[] = {{"nested", nested}, {"pointer", pointer}, {"thread", thread}, {"far", far}, {"c", c}, {"inlined", inlined},
		{"function", function}, {"local", local}, {"destructor", local}};

	CALLED();
	aborts = !strcmp(how, "destructor");
	prints = aborts || !strcmp(how, "local");
	for (int i = 0; i < turns; i++)
		for (const auto &kind : kinds)
			if (!strcmp(how, kind.name))
				kind.run();
	if (!prints)
		count_print();
	return 0;
}
