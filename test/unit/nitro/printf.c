/* OS_Printf prints what the C library does. */
#include <limits.h>
#include <stddef.h>

#include "hooked.h"

static char expected[4096];

#define SAME(...)                                                                                                                  \
	do {                                                                                                                       \
		print_nothing();                                                                                                   \
		OS_Printf(__VA_ARGS__);                                                                                            \
		snprintf(expected, sizeof expected, __VA_ARGS__);                                                                  \
		CHECK_STR(printed, expected);                                                                                      \
	} while (0)

/* Every flag, width, precision and length with every conversion of numbers. */
TEST(numbers)
{
	static const char *const flags[] = {"", "-", "0", "+", " ", "#", "-0+ #", "-#", "+0", " 0", "#0"}, *const sizes[] = {"", "1", "5", "12"},
				 *const precisions[] = {"", ".", ".0", ".3", ".15"};
	static const long long values[] = {0, 1, -1, 42, -12345, INT_MAX, INT_MIN, LLONG_MAX, LLONG_MIN, 0x80, 0x8000, 0xdeadbeef};

	for (size_t f = 0; f < sizeof flags / sizeof *flags; f++)
		for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
			for (size_t p = 0; p < sizeof precisions / sizeof *precisions; p++)
				for (const char *conversion = "diuxXo"; *conversion; conversion++)
					for (size_t v = 0; v < sizeof values / sizeof *values; v++) {
						char form[64];

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#pragma GCC diagnostic ignored "-Wformat-security"
						snprintf(form, sizeof form, "%%%s%s%s%c.", flags[f], sizes[s], precisions[p], *conversion);
						SAME(form, (int)values[v]);
						snprintf(form, sizeof form, "%%%s%s%sll%c.", flags[f], sizes[s], precisions[p], *conversion);
						SAME(form, values[v]);
						snprintf(form, sizeof form, "%%%s%s%shh%c.", flags[f], sizes[s], precisions[p], *conversion);
						SAME(form, (int)values[v]);
						if (tap_bad) {
							printf("# %s, %lld\n", form, values[v]);
							return;
						}
#pragma GCC diagnostic pop
					}
	SAME("%ld %lu %hd %hx %zu %td %jd %jx", LONG_MIN, ULONG_MAX, 0x12345, 0x12345, sizeof expected, (ptrdiff_t)-5, INTMAX_MIN, UINTMAX_MAX);
}

TEST(texts)
{
	SAME("%%|%c|%5c|%-5c|", 'a', 'b', 'c');
	SAME("%s|%10s|%-10s|%.2s|%10.3s|%.*s|%*s|%-*s|%*s|", "text", "text", "text", "text", "text", 1, "text", 6, "text", 6, "text", -6, "text");
	SAME("%s", "a text that is longer than the sixty-four characters that are put at a time, and by some more");
	print_nothing();
	OS_Printf("%p %s", (void *)(uintptr_t)0x1234, (const char *)0);
	CHECK_STR(printed, "0000000000001234 (null)");
}

/* Where the arguments cannot be told any more, none is taken. */
TEST(what_there_is_not)
{
	static const char *const forms[] = {"%5.3f %s %d\n", "%e %s", "%n %s", "%", "% ", "%-", "%ll", "%y%s"};

	for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
		print_nothing();
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat"
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#pragma GCC diagnostic ignored "-Wformat-security"
		OS_Printf(forms[i], 1.5, 1, 2);
#pragma GCC diagnostic pop
		CHECK_STR(printed, forms[i]);
	}
}

int main(void)
{
	RUN(numbers);
	RUN(texts);
	RUN(what_there_is_not);
	return tap_done();
}
