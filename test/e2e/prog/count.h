/* A program's own, independent count of its calls, which a test compares with what dwell reports.
 *
 * Every instrumented function begins with CALLED(). count_print() writes "count NAME CALLS" for each of them, straight to standard
 * output, so that a program which is about to kill itself can still tell. Nothing in here is instrumented. For C and C++. */
#ifndef DWELL_TEST_E2E_COUNT_H
#define DWELL_TEST_E2E_COUNT_H

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#ifdef __clang__
#define UNHOOKED __attribute__((no_instrument_function, xray_never_instrument, patchable_function_entry(0)))
#else
#define UNHOOKED __attribute__((no_instrument_function, patchable_function_entry(0)))
#endif

struct counter {
	const char *name;
	unsigned long calls;
	int linked;
	struct counter *next;
};

static struct counter *count_first;

UNHOOKED __attribute__((unused)) static void count_link(struct counter *counter)
{
	struct counter *first = __atomic_load_n(&count_first, __ATOMIC_RELAXED);

	if (__atomic_exchange_n(&counter->linked, 1, __ATOMIC_RELAXED))
		return;
	do
		counter->next = first;
	while (!__atomic_compare_exchange_n(&count_first, &first, counter, 0, __ATOMIC_RELEASE, __ATOMIC_RELAXED));
}

/* name: as dwell will print it. */
#define CALLED_AS(name)                                                                          \
	do {                                                                                     \
		static struct counter counter_ = {name, 0, 0, 0};                                \
		if (!__atomic_fetch_add(&counter_.calls, 1, __ATOMIC_RELAXED))                   \
			count_link(&counter_);                                                   \
	} while (0)
#define CALLED() CALLED_AS(__func__)

UNHOOKED __attribute__((unused)) static void count_line(const char *what, const char *name, unsigned long calls)
{
	char line[256];
	int length = snprintf(line, sizeof line, "%s %s %lu\n", what, name, calls);

	if (write(STDOUT_FILENO, line, (size_t)length) != length)
		_exit(99);
}

UNHOOKED __attribute__((unused)) static void count_print(void)
{
	for (struct counter *counter = __atomic_load_n(&count_first, __ATOMIC_ACQUIRE); counter; counter = counter->next)
		count_line("count", counter->name, __atomic_load_n(&counter->calls, __ATOMIC_RELAXED));
}

#endif
