#include "check.h"

#include "util/utf8.h"

TEST(well_formed)
{
	static const struct {
		const char *text;
		uint32_t code_point;
		int columns;
	} cases[] = {{"a", 'a', 1}, {"\x7f", 0x7f, 1}, {"\xc2\x80", 0x80, 1}, {"\xc3\xa9", 0xe9, 1}, {"\xdf\xbf", 0x7ff, 1},
		{"\xe0\xa0\x80", 0x800, 1}, {"\xcc\x81", 0x301, 0}, {"\xe4\xb8\xad", 0x4e2d, 2}, {"\xed\x9f\xbf", 0xd7ff, 1},
		{"\xee\x80\x80", 0xe000, 1}, {"\xef\xbf\xbf", 0xffff, 1}, {"\xf0\x90\x80\x80", 0x10000, 1},
		{"\xf0\x9f\x98\x80", 0x1f600, 2}, {"\xf4\x8f\xbf\xbf", 0x10ffff, 1}};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		uint32_t code_point;

		CHECK_EQ(utf8_decode(cases[i].text, strlen(cases[i].text), &code_point), strlen(cases[i].text));
		CHECK_EQ(code_point, cases[i].code_point);
		CHECK_EQ(utf8_columns(code_point), cases[i].columns);
	}
}

TEST(not_well_formed_takes_one_byte)
{
	static const char *const cases[] = {"\x80", "\xbf", "\xc0\x80", "\xc1\xbf", "\xc3", "\303a",
		"\xe0\x9f\xbf", "\xed\xa0\x80", "\xe2\x82", "\xf0\x8f\xbf\xbf", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xff",
		"\xf0\x9f\x98"};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		uint32_t code_point;

		CHECK_EQ(utf8_decode(cases[i], strlen(cases[i]), &code_point), 1);
		CHECK_EQ(code_point, UTF8_INVALID);
	}
}

/* Whatever the bytes are: what comes out is well-formed and safe, and takes what utf8_columns says. */
TEST(escapes_of_any_bytes_are_safe)
{
	uint32_t seed = 1;

	for (int round = 0; round < 200000; round++) {
		char text[4], out[UTF8_ESCAPE_BYTES];
		size_t written, taken, at = 0;
		int columns, sum = 0;

		for (int i = 0; i < 4; i++) {
			seed = seed * 1664525u + 1013904223u;
			text[i] = (char)(round % 3 ? 0x80 | seed >> 24 : seed >> 24);
		}
		if (round % 3)
			text[0] = (char)(0xc0 | (seed >> 16 & 0x3f));
		taken = utf8_escape(text, 1 + (size_t)round % 4, out, &written, &columns);
		CHECK(taken >= 1 && taken <= 1 + (size_t)round % 4);
		CHECK(written >= 1 && written <= UTF8_ESCAPE_BYTES);
		while (at < written) {
			uint32_t code_point;

			at += utf8_decode(out + at, written - at, &code_point);
			CHECK(code_point != UTF8_INVALID && !utf8_is_unsafe(code_point));
			sum += utf8_columns(code_point);
		}
		CHECK_EQ(sum, columns);
	}
}

TEST(texts)
{
	CHECK(utf8_is_text("a", 1) && utf8_is_text("\303\244 b\342\202\254", 7));
	CHECK(!utf8_is_text("", 0));
	CHECK(!utf8_is_text("a\tb", 3));
	CHECK(!utf8_is_text("ab\303", 3));
	CHECK(!utf8_is_text("\342\200\256abc", 6)); /* reverses what follows */
	CHECK(!utf8_is_text("\x08\x40\x2d\xe9", 4));
}

int main(void)
{
	RUN(well_formed);
	RUN(not_well_formed_takes_one_byte);
	RUN(escapes_of_any_bytes_are_safe);
	RUN(texts);
	return tap_done();
}
