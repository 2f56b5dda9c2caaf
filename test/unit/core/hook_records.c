/* The example of hook records in FORMAT.md is what classic/core/hook_records.h says that such memory is. */
#include "check.h"
#include "classic/core/hook_records.h"
#include "format_md.h"

#define BASE 0x20000000u
#define BYTES 88u

static uint8_t memory[BYTES];

static uint32_t word_at(uint32_t address)
{
	const uint8_t *at = memory + (address - BASE);

	if (address - BASE > BYTES - 4)
		return 0xdeadbeef;
	return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static uint32_t control(unsigned word)
{
	return word_at(BASE + HOOK_HEAD_BYTES + 4 * word);
}

TEST(example)
{
	uint32_t records, count;

	CHECK_EQ(load_format_example("hook", memory, sizeof memory), 1);
	CHECK_EQ(word_at(BASE), HOOK_MAGIC);
	CHECK_EQ(word_at(BASE + 4), HOOK_WHAT(HOOK_PLACE_ADDRESS, 4));
	CHECK_EQ(control(HOOK_WORD_SELF), BASE);
	CHECK_EQ(control(HOOK_WORD_CAPACITY), 4);
	CHECK_EQ(control(HOOK_WORD_HZ), 25000000);
	CHECK_EQ(control(HOOK_WORD_STATE), 0);
	CHECK_EQ(control(HOOK_WORD_MISSED), 0);
	count = word_at(control(HOOK_WORD_COUNT_AT));
	CHECK_EQ(count, 3);
	CHECK_EQ(control(HOOK_WORD_COUNT_AT), BASE + HOOK_HEAD_BYTES + 4 * HOOK_WORDS);
	records = control(HOOK_WORD_RECORDS);
	CHECK_EQ(records + 4 * HOOK_RECORD_BYTES, BASE + BYTES);
	CHECK_EQ(word_at(records) & HOOK_RECORD_TYPE_MASK, HOOK_RECORD_ENTRY);
	CHECK_EQ(word_at(records) & ~HOOK_RECORD_TYPE_MASK, 0x0c000e8c);
	CHECK_EQ(word_at(records + HOOK_RECORD_BYTES), (0x0c000e8c | HOOK_RECORD_EXIT));
	CHECK_EQ(word_at(records + HOOK_RECORD_BYTES + 4), 0x64ad93);
	CHECK_EQ(word_at(records + 2 * HOOK_RECORD_BYTES), (0x00804c10 | HOOK_RECORD_TASK_IN));
	CHECK_EQ(word_at(records + count * HOOK_RECORD_BYTES), HOOK_RECORD_INVALID);
}

int main(void)
{
	RUN(example);
	return tap_done();
}
