/* What may be an address in a text, and that all else passes, whatever it is and however it is cut. */
#include "cmd/names/address_text.h"

#include <stdio.h>
#include <stdlib.h>

#include "check.h"

/* Addresses from 0x1000 to 0x1fff, and 0x2000000 to 0x2000fff, have names. */
static const char *name_of(void *context, uint64_t address, bool is_return)
{
	static char text[64];

	(void)context;
	if ((address & ~UINT64_C(0xfff)) != 0x1000 && (address & ~UINT64_C(0xfff)) != 0x2000000)
		return NULL;
	snprintf(text, sizeof text, "<%llx%s>", (unsigned long long)address, is_return ? " return" : "");
	return text;
}

static struct output output;

/* In pieces of so many bytes. */
static void run(const char *bytes, size_t count, size_t piece, struct output_memory *result, uint64_t *numbers)
{
	struct address_text text = {.name = name_of, .out = &output};

	*result = (struct output_memory){0};
	output_begin_memory(&output, result);
	for (size_t at = 0; at < count; at += piece)
		address_text_feed(&text, bytes + at, count - at < piece ? count - at : piece);
	address_text_finish(&text);
	output_flush(&output);
	*numbers = text.numbers;
}

/* Whatever the size of the pieces. */
static void check_text(const char *from, const char *to)
{
	for (size_t piece = 1; piece <= strlen(from) + 1; piece++) {
		struct output_memory result;
		uint64_t numbers;

		run(from, strlen(from), piece, &result, &numbers);
		if (result.count != strlen(to) || (result.count && memcmp(result.bytes, to, result.count))) {
			printf("# %s, in pieces of %zu: %.*s\n", from, piece, (int)result.count, result.bytes);
			CHECK(!"as it should be");
		}
		free(result.bytes);
	}
}

TEST(numbers_that_may_be_addresses)
{
	check_text("0x1234", "<1234>");
	check_text("at 0X1234, 0x0000000000001234\n", "at <1234>, <1234>\n");
	check_text("00001234 0000000000001234", "<1234> <1234>");
	check_text("[<02000abc>] 02000ABC", "[<<2000abc>>] <2000abc>");
	check_text("02000abc: lr=02000010, r0=02000020\n", "<2000abc>: lr=<2000010 return>, r0=<2000020>\n");
	check_text("lr=0x1234", "lr=<1234 return>");
	check_text("ctlr=02000010 a.lr=02000010", "ctlr=<2000010> a.lr=<2000010 return>");
	check_text("lr =02000010", "lr =<2000010>");
	check_text("0123456789abcdef01lr=02000010", "0123456789abcdef01lr=<2000010>");
	check_text("02000000-02000fff", "<2000000>-<2000fff>");
}

TEST(numbers_that_are_none)
{
	static const char *const same[] = {"", "1234", "0x123", "0x", "0x0000000000000001234", "000001234", "0001234", "x00001234", "00001234x",
		"_00001234", "0x1234_", "0x1234h", "g0001234", "main+0x1234", "3.00001234", "\303\24400001234", "00001234\303\244", "0x00001000000001234",
		"0000000c 0x0000000c ffffffff 0xffffffffffffffff"};

	for (size_t i = 0; i < sizeof same / sizeof *same; i++)
		check_text(same[i], same[i]);
}

/* Bytes of the kinds that matter, at random: without any name they are the same afterwards; and cut anywhere, the same comes
 * out. */
TEST(any_bytes_pass_in_any_pieces)
{
	static const char letters[] = "00112x.+= \n\0\xff\x80lrg_-";
	uint32_t random = 4711;
	char bytes[300];

	for (int round = 0; round < 2000; round++) {
		struct output_memory whole, cut;
		uint64_t numbers, numbers_cut;

		for (size_t i = 0; i < sizeof bytes; i++) {
			random = random * 1664525 + 1013904223;
			bytes[i] = letters[(random >> 16) % (sizeof letters - 1)];
		}
		run(bytes, sizeof bytes, sizeof bytes, &whole, &numbers);
		run(bytes, sizeof bytes, 1 + round % 40, &cut, &numbers_cut);
		CHECK(numbers == numbers_cut && whole.count == cut.count && !memcmp(whole.bytes, cut.bytes, whole.count));
		if (!memchr(whole.bytes, '<', whole.count))
			CHECK(whole.count == sizeof bytes && !memcmp(whole.bytes, bytes, sizeof bytes));
		free(whole.bytes);
		free(cut.bytes);
	}
}

/* Of a word only what may still become an address is kept back. */
TEST(nothing_waits_but_a_word)
{
	struct address_text text = {.name = name_of, .out = &output};
	struct output_memory result = {0};

	output_begin_memory(&output, &result);
	address_text_feed(&text, "> ", 2);
	output_flush(&output);
	CHECK_EQ(result.count, 2);
	address_text_feed(&text, "0x12", 4);
	output_flush(&output);
	CHECK_EQ(result.count, 2);
	address_text_feed(&text, "34567890123456789", 17);
	output_flush(&output);
	CHECK_EQ(result.count, 2 + 4 + 17);
	free(result.bytes);
}

int main(void)
{
	RUN(numbers_that_may_be_addresses);
	RUN(numbers_that_are_none);
	RUN(any_bytes_pass_in_any_pieces);
	RUN(nothing_waits_but_a_word);
	return tap_done();
}
