/* The whole test framework: TAP on standard output. One program per file in test/unit, one TEST per idea.
 *
 *     TEST(adds) { CHECK_EQ(1 + 1, 2); }
 *     int main(void) { RUN(adds); return tap_done(); }
 *
 * A CHECK that fails is printed with what was found and what was expected, and the test goes on.
 */
#ifndef DWELL_TEST_CHECK_H
#define DWELL_TEST_CHECK_H

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static int tap_count, tap_failed, tap_bad;

static inline void tap_run(void (*test)(void), const char *name)
{
	tap_bad = 0;
	test();
	tap_count++;
	tap_failed += tap_bad != 0;
	printf("%sok %d - %s\n", tap_bad ? "not " : "", tap_count, name);
	fflush(stdout);
}

static inline bool tap_check(bool good, const char *file, int line, const char *condition)
{
	if (!good) {
		tap_bad = 1;
		printf("# %s:%d: %s\n", file, line, condition);
	}
	return good;
}

static inline bool tap_check_eq(unsigned long long got, unsigned long long want, const char *file, int line, const char *what)
{
	if (got != want) {
		tap_bad = 1;
		printf("# %s:%d: %s is %llu (0x%llx), expected %llu (0x%llx)\n", file, line, what, got, got, want, want);
	}
	return got == want;
}

static inline bool tap_check_str(const char *got, const char *want, const char *file, int line, const char *what)
{
	bool good = got && !strcmp(got, want);

	if (!good) {
		tap_bad = 1;
		printf("# %s:%d: %s is \"%s\", expected \"%s\"\n", file, line, what, got ? got : "(null)", want);
	}
	return good;
}

static inline int tap_done(void)
{
	printf("1..%d\n", tap_count);
	return tap_failed != 0;
}

/* Programs take ten to thirty times as long: of what is tried in many ways some are enough. */
#if defined __SANITIZE_ADDRESS__
#define SANITIZED 1
#elif defined __has_feature /* of Clang */
#define SANITIZED __has_feature(address_sanitizer)
#else
#define SANITIZED 0
#endif

#define TEST(name) static void test_##name(void)
#define RUN(name) tap_run(test_##name, #name)
#define CHECK(condition) tap_check((condition), __FILE__, __LINE__, #condition)
#define CHECK_EQ(got, want) tap_check_eq((unsigned long long)(got), (unsigned long long)(want), __FILE__, __LINE__, #got)
#define CHECK_STR(got, want) tap_check_str((got), (want), __FILE__, __LINE__, #got)

#endif
