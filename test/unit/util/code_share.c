/* How much of the code is of a kind: what a recording says of it, and what is made of that. */
#include "check.h"

#include "util/code_share.h"

TEST(text)
{
	struct code_share share = {0};
	char text[CODE_SHARE_TEXT_BYTES];

	CHECK(code_share_add(&share, "300 of 1000 bytes"));
	CHECK(code_share_add(&share, "0 of 9000 bytes"));
	code_share_format(&share, text);
	CHECK_STR(text, "300 of 10000 bytes");
}

/* A recording may say anything. */
TEST(refused)
{
	static const char *const texts[] = {"", "-1 of 5 bytes", "6 of 5 bytes", "5", "5 of -6", "all of 5 bytes"};
	struct code_share share = {0};

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		CHECK(!code_share_add(&share, texts[i]));
	CHECK_EQ(share.bytes, 0);
	CHECK_EQ(code_share_get_others(&share, 0), 0);
	for (unsigned i = 0; i < 40000; i++)
		code_share_add(&share, "1 of 999999999999999 bytes");
	CHECK_EQ(share.bytes, UINT64_MAX);
	CHECK_EQ(code_share_get_others(&share, 0), 99);
}

TEST(others)
{
	const struct code_share share = {.bytes = 4096, .part_bytes = 2048};

	CHECK_EQ(code_share_get_others(&share, 2048), 50);
	CHECK_EQ(code_share_get_others(&share, 2049), 0);
	CHECK_EQ(code_share_get_others(&(struct code_share){.bytes = 9, .part_bytes = 9}, 0), 0);
}

int main(void)
{
	RUN(text);
	RUN(refused);
	RUN(others);
	return tap_done();
}
