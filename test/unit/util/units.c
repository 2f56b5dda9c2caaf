#include "check.h"

#include <math.h>
#include <stdlib.h>

#include "util/units.h"

/* Each power boundary: below, at and above it, and where rounding carries over it. */
TEST(times)
{
	static const struct {
		uint64_t ns;
		const char *text;
	} cases[] = {{0, "0 ns"}, {1, "1 ns"}, {999, "999 ns"}, {1000, "1.000 us"}, {1001, "1.001 us"}, {9999, "9.999 us"},
		{10000, "10.00 us"}, {10004, "10.00 us"}, {10005, "10.01 us"}, {99994, "99.99 us"}, {99995, "100.0 us"},
		{999949, "999.9 us"}, {999950, "1.000 ms"}, {999999, "1.000 ms"}, {1000000, "1.000 ms"}, {1000499, "1.000 ms"},
		{1000500, "1.001 ms"}, {1234567, "1.235 ms"}, {9999499, "9.999 ms"}, {9999500, "10.00 ms"}, {999949999, "999.9 ms"},
		{999950000, "1.000 s"}, {999999500, "1.000 s"}, {1000000000, "1.000 s"}, {59999000000, "60.00 s"},
		{99994999999, "99.99 s"}, {999949999999, "999.9 s"}, {999950000000, "16.67 min"}, {1000000000000, "16.67 min"},
		{5996999999999, "99.95 min"}, {5999999999999, "1.667 h"}, {6000000000000, "1.667 h"}, {3600000000000, "60.00 min"},
		{359999000000000, "4.167 d"}, {359000000000000, "99.72 h"}, {360000000000000, "4.167 d"},
		{86400000000000000, "1000 d"}, {UINT64_MAX, "213504 d"}};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char text[UNITS_TEXT_BYTES];

		units_format_ns(text, cases[i].ns);
		CHECK_STR(text, cases[i].text);
	}
}

TEST(times_in_a_sentence)
{
	static const struct {
		uint64_t ns;
		const char *text;
	} cases[] = {{0, "0 ns"}, {1, "1 ns"}, {50000, "50 us"}, {1003009, "1 ms"}, {1500000, "1.5 ms"}, {333444, "333 us"}, {1000000000, "1 s"},
		{999600000, "999.6 ms"}, {120000000000, "120 s"}, {86400000000000000, "1000 d"}};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char text[UNITS_TEXT_BYTES];

		units_format_ns_short(text, cases[i].ns);
		CHECK_STR(text, cases[i].text);
	}
}

TEST(times_as_typed)
{
	static const struct {
		const char *text;
		int64_t ns;
	} good[] = {{"0", 0}, {"10us", 10000}, {"1.5ms", 1500000}, {"2s", 2000000000}, {"9.718 ms", 9718000}, {"-3us", -3000}, {"1ns", 1},
		{"0.5us", 500}, {".5us", 500}, {"1min", 60000000000}, {"1.667 h", 6001200000000}, {"2d", 172800000000000}, {"7 \xc2\xb5s", 7000},
		{"0s", 0}, {"999.9 us", 999900}};
	static const char *const bad[] = {"", " ", "5", "5 apples", "us", "1.2.3s", "1e3us", "0x10us", "nan", "inf", "infs", "--1s", "+1s",
		"- 1s", "1 s ", "1S", "300000d", "1us2", ".", "-"};

	for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
		int64_t ns = -1;

		CHECK(units_parse_ns(good[i].text, &ns));
		CHECK_EQ(ns, good[i].ns);
	}
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		int64_t ns;

		if (!CHECK(!units_parse_ns(bad[i], &ns)))
			printf("# taken: '%s'\n", bad[i]);
	}
}

TEST(signed_times)
{
	char text[UNITS_TEXT_BYTES];

	units_format_ns_signed(text, -1500);
	CHECK_STR(text, "-1.500 us");
	units_format_ns_signed(text, 0);
	CHECK_STR(text, "0 ns");
	units_format_ns_signed(text, INT64_MIN);
	CHECK_STR(text, "-106752 d");
	units_format_ns_signed(text, INT64_MAX);
	CHECK_STR(text, "106752 d");
}

/* From 1000 of the smallest unit to 1000 s a time has four digits and a point, whatever it is; and it never goes down when the
 * time goes up. */
TEST(times_have_one_width_and_order)
{
	double last = 0;

	for (uint64_t ns = 1000; ns < 999000000000; ns += ns / 997 + 1) {
		char text[UNITS_TEXT_BYTES], *unit;
		double value;

		units_format_ns(text, ns);
		CHECK_EQ(strcspn(text, " "), 5);
		value = strtod(text, &unit) * (!strcmp(unit, " us")	     ? 1e3
						      : !strcmp(unit, " ms") ? 1e6
						      : !strcmp(unit, " s")  ? 1e9
									     : NAN);
		CHECK(value >= last * (1 - 1e-12));
		CHECK(fabs(value - (double)ns) <= 0.00051 * (double)ns);
		last = value;
	}
}

TEST(bytes_and_counts)
{
	static const struct {
		uint64_t value;
		const char *bytes, *count;
	} cases[] = {{0, "0 B", "0"}, {999, "999 B", "999"}, {1000, "1.000 KB", "1,000"},
		{9999, "9.999 KB", "9,999"}, {10000, "10.00 KB", "10,000"},
		{12345, "12.35 KB", "12,345"}, {999949, "999.9 KB", "999,949"},
		{999950, "1.000 MB", "999,950"}, {1000000, "1.000 MB", "1,000,000"},
		{123456789, "123.5 MB", "123,456,789"},
		{UINT64_MAX, "18.45 EB", "18,446,744,073,709,551,615"}};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char text[UNITS_TEXT_BYTES];

		units_format_bytes(text, cases[i].value);
		CHECK_STR(text, cases[i].bytes);
		units_format_count(text, cases[i].value);
		CHECK_STR(text, cases[i].count);
	}
}

TEST(percentages)
{
	static const struct {
		double percent;
		const char *text;
	} cases[] = {{0, "0.00 %"}, {1e-9, "<0.01 %"}, {0.0049, "<0.01 %"}, {0.005, "0.01 %"}, {0.01, "0.01 %"},
		{12.345678, "12.35 %"}, {99.999, "100.00 %"}, {100, "100.00 %"}, {-3.14159, "-3.14 %"}, {-0.0, "0.00 %"}, {-0.0049, "0.00 %"}, {-0.006, "-0.01 %"},
		{1e300, "1e+300 %"},
		{NAN, "-"}, {INFINITY, "-"}};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char text[UNITS_TEXT_BYTES];

		units_format_percent(text, cases[i].percent);
		CHECK_STR(text, cases[i].text);
	}
}

/* A sign for what rises, too, and none for nothing. */
TEST(changes)
{
	static const struct {
		double change;
		const char *text;
	} cases[] = {{0, "0.00 pp"}, {-0.0049, "0.00 pp"}, {0.005, "+0.01 pp"}, {12.345678, "+12.35 pp"}, {-6.66, "-6.66 pp"},
		{1234567, "+1.23e+06 pp"}, {NAN, "-"}, {-INFINITY, "-"}};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char text[UNITS_TEXT_BYTES];

		units_format_change(text, cases[i].change, "pp");
		CHECK_STR(text, cases[i].text);
	}
}

TEST(plain_decimals)
{
	uint64_t value = 0;

	for (int digits = 0; digits <= 20; digits++) {
		for (int by = -1; by <= 1; by++) {
			char text[21], expected[32];

			text[units_write_decimal(text, value + (uint64_t)by)] = 0;
			snprintf(expected, sizeof expected, "%" PRIu64, value + (uint64_t)by);
			CHECK_STR(text, expected);
		}
		value = value ? value * 10 : 1;
	}
}

int main(void)
{
	RUN(times);
	RUN(times_in_a_sentence);
	RUN(times_as_typed);
	RUN(signed_times);
	RUN(times_have_one_width_and_order);
	RUN(bytes_and_counts);
	RUN(percentages);
	RUN(changes);
	RUN(plain_decimals);
	return tap_done();
}
