/* The whole test framework: TAP on standard output. One program per file in test/unit, one TEST per idea.
 *
 *     TEST(adds) { CHECK_EQ(1 + 1, 2); }
 *     int main(void) { RUN(adds); return tap_done(); }
 */
#ifndef DWELL_TEST_CHECK_H
#define DWELL_TEST_CHECK_H

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static int tap_count, tap_failed, tap_bad;

#define TEST(name) static void test_##name(void)
#define RUN(name)                                                                                                                    \
	do {                                                                                                                         \
		tap_bad = 0;                                                                                                         \
		test_##name();                                                                                                       \
		tap_count++;                                                                                                         \
		tap_failed += tap_bad != 0;                                                                                          \
		printf("%sok %d - %s\n", tap_bad ? "not " : "", tap_count, #name);                                                   \
		fflush(stdout);                                                                                                      \
	} while (0)
#define CHECK(condition)                                                                                                             \
	do {                                                                                                                         \
		if (!(condition)) {                                                                                                  \
			tap_bad = 1;                                                                                                 \
			printf("# %s:%d: %s\n", __FILE__, __LINE__, #condition);                                                     \
		}                                                                                                                    \
	} while (0)
#define CHECK_EQ(got, want)                                                                                                          \
	do {                                                                                                                         \
		unsigned long long got_ = (unsigned long long)(got), want_ = (unsigned long long)(want);                             \
		if (got_ != want_) {                                                                                                 \
			tap_bad = 1;                                                                                                 \
			printf("# %s:%d: %s is %llu (0x%llx), expected %llu (0x%llx)\n", __FILE__, __LINE__, #got, got_, got_, want_, want_); \
		}                                                                                                                    \
	} while (0)
#define CHECK_STR(got, want)                                                                                                         \
	do {                                                                                                                         \
		const char *got_ = (got), *want_ = (want);                                                                           \
		if (!got_ || strcmp(got_, want_)) {                                                                                  \
			tap_bad = 1;                                                                                                 \
			printf("# %s:%d: %s is \"%s\", expected \"%s\"\n", __FILE__, __LINE__, #got, got_ ? got_ : "(null)", want_); \
		}                                                                                                                    \
	} while (0)

static inline int tap_done(void)
{
	printf("1..%d\n", tap_count);
	return tap_failed != 0;
}

#endif
