/* The example of histograms in FORMAT.md is what classic/core/histogram.h says that such memory is. */
#include "check.h"
#include "classic/core/histogram.h"
#include "format_md.h"

#define BASE 0x20000000u
#define BYTES 90u

static uint8_t memory[BYTES];

static uint32_t half_at(uint32_t address)
{
	return address - BASE > BYTES - 2 ? 0xdead : memory[address - BASE] | (uint32_t)memory[address - BASE + 1] << 8;
}

static uint32_t word_at(uint32_t address)
{
	return half_at(address) | half_at(address + 2) << 16;
}

static uint32_t control(unsigned word)
{
	return word_at(BASE + HISTOGRAM_HEAD_BYTES + 4 * word);
}

TEST(example)
{
	static const uint32_t texts[] = {0x08000400, 0x08001000}, counts[2][2] = {{3, 1}, {7}};
	uint32_t at;

	CHECK_EQ(load_format_example("histogram", memory, sizeof memory), 1);
	CHECK_EQ(word_at(BASE), HISTOGRAM_MAGIC);
	CHECK_EQ(word_at(BASE + 4), (HISTOGRAM_WHAT & 0xffffff) | 4u << 24);
	CHECK_EQ(control(HISTOGRAM_WORD_SELF), BASE);
	CHECK_EQ(control(HISTOGRAM_WORD_OVERFLOW), 37);
	CHECK_EQ(control(HISTOGRAM_WORD_BEYOND), 0);
	CHECK_EQ(control(HISTOGRAM_WORD_WANTED), 0);
	CHECK_EQ(control(HISTOGRAM_WORD_COUNT), 2);
	CHECK_EQ(control(HISTOGRAM_WORD_STATE), HISTOGRAM_STATE_RUNNING);
	CHECK_EQ(control(HISTOGRAM_WORD_PERIOD), 10000);
	CHECK_EQ(control(HISTOGRAM_WORD_TAKEN), 0);
	at = control(HISTOGRAM_WORD_SEGMENTS);
	CHECK_EQ(at, BASE + HISTOGRAM_HEAD_BYTES + 4 * HISTOGRAM_WORDS);
	CHECK_EQ(control(HISTOGRAM_WORD_LAST), at);
	for (unsigned i = 0; i < 2; i++, at += 4 * HISTOGRAM_SEGMENT_WORDS) {
		uint32_t counters = word_at(at + 4 * HISTOGRAM_SEGMENT_BYTES) / HISTOGRAM_TEXT_BYTES;

		CHECK_EQ(word_at(at + 4 * HISTOGRAM_SEGMENT_TEXT), texts[i]);
		CHECK_EQ(counters, 2 - i);
		CHECK_EQ(word_at(at + 4 * HISTOGRAM_SEGMENT_WANTED), 0);
		for (uint32_t k = 0; k < counters; k++)
			CHECK_EQ(half_at(word_at(at + 4 * HISTOGRAM_SEGMENT_COUNTERS) + HISTOGRAM_COUNTER_BYTES * k), counts[i][k]);
	}
}

int main(void)
{
	RUN(example);
	return tap_done();
}
