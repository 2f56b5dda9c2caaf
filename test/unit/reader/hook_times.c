/* Records whose times cannot be true: one or two anywhere in a buffer, wherever it begins. */
#include "unit/reader/hook_seen.h"

#define FUNCTION 0x0c000e8cu

/* Records whose high word, or any bit of whose time, is wrong: they are left out and named, and all others are as they would be. */
static void check_false(const uint32_t *words, size_t records, const size_t *wrong, size_t count, const char *want)
{
	const struct reader_options little = {.format = "c6000", .order = READER_ORDER_LITTLE, .times_wrap = true};
	uint32_t changed[64 * 3];
	uint8_t bytes[sizeof changed];
	struct seen *seen;
	char said[128];

	memcpy(changed, words, records * 12);
	for (size_t i = 0; i < count; i++)
		changed[3 * wrong[i] + 2] ^= 1;
	to_bytes(changed, records * 3, false, bytes);
	seen = begin(bytes, records * 12, &little);
	if (!CHECK(!strcmp(strchr(seen->text, 10) + 1, want)))
		printf("# wrong: %zu, %zu of %zu at %x %x\n", wrong[0], wrong[count - 1], records, words[0], words[2]);
	CHECK_EQ(seen->health.holes, count);
	CHECK_EQ(seen->health.events_backward, 0);
	snprintf(said, sizeof said, "x.bin:0x%zx: ProfileData[%zu], of 0x%x, has the time 0x%" PRIx64 ", ", wrong[0] * 12, wrong[0],
		changed[3 * wrong[0]], (uint64_t)changed[3 * wrong[0] + 2] << 32 | changed[3 * wrong[0] + 1]);
	end(seen, 1, said);
}

/* What a reader tells of 40 entries and exits in turn, but for those. */
static char *make_turns_text(const uint32_t *words, size_t records, size_t oldest, const bool *is_missing)
{
	char *text;
	size_t length;
	FILE *out = open_memstream(&text, &length);

	fputs("thread 0 0 ''\n", out);
	for (size_t i = 0; i < records; i++) {
		size_t at = (oldest + i) % records;

		if (!is_missing[at])
			fprintf(out, "%s 0:%x@%" PRIx64 "\n", words[3 * at] & 1 ? "exit" : "enter", words[3 * at] & ~3u,
				(uint64_t)words[3 * at + 2] << 32 | words[3 * at + 1]);
	}
	fclose(out);
	return text;
}

TEST(times_that_cannot_be)
{
	enum { RECORDS = 40 };
	uint32_t words[RECORDS * 3];

	for (size_t high = 0; high < 2; high++) /* wrong is too late, or too early */
		for (size_t number = 0; number < RECORDS * RECORDS; number++) {
			size_t wrong[2] = {number / RECORDS, number % RECORDS}, count = wrong[0] == wrong[1] ? 1 : 2;
			bool is_missing[RECORDS] = {false};
			char *want;

			for (uint32_t i = 0; i < RECORDS; i++) {
				words[3 * i] = FUNCTION + 16 * (i / 2) + i % 2;
				words[3 * i + 1] = 1000 + 10 * i;
				words[3 * i + 2] = (uint32_t)high;
			}
			if (wrong[0] > wrong[1])
				continue;
			is_missing[wrong[0]] = is_missing[wrong[1]] = true;
			want = make_turns_text(words, RECORDS, 0, is_missing);
			check_false(words, RECORDS, wrong, count, want);
			free(want);
		}
}

/* Where the buffer begins is found all the same, and in an image it is known. */
TEST(times_that_cannot_be_in_a_circle)
{
	enum { RECORDS = 40 };
	uint32_t words[RECORDS * 3];

	for (size_t oldest = 1; oldest < RECORDS; oldest++)
		for (size_t wrong = 0; wrong < RECORDS; wrong++) {
			bool is_missing[RECORDS] = {false};
			char *want;

			for (size_t i = 0; i < RECORDS; i++) {
				size_t at = (oldest + i) % RECORDS;

				words[3 * at] = FUNCTION + 16 * (uint32_t)(i / 2) + i % 2;
				words[3 * at + 1] = 1000 + 10 * (uint32_t)i;
				words[3 * at + 2] = 0;
			}
			/* The oldest is left out anyway. The newest at the beginning, and wrong, is a file that begins with a wrong one. */
			if (wrong == oldest || (!wrong && oldest == 1))
				continue;
			is_missing[oldest] = is_missing[wrong] = true;
			want = make_turns_text(words, RECORDS, oldest, is_missing);
			check_false(words, RECORDS, &wrong, 1, want);
			free(want);
		}
}

/* Many of them, and a buffer that begins anywhere: each tenth of 400, in either direction. */
TEST(many_times_that_cannot_be)
{
	enum { RECORDS = 400 };
	static uint32_t words[RECORDS * 3];
	static uint8_t bytes[sizeof words];

	for (size_t oldest = 0; oldest < RECORDS; oldest += 37) {
		const struct reader_options little = {.format = "c6000", .order = READER_ORDER_LITTLE};
		size_t wrong = 0;
		struct seen *seen;

		for (size_t i = 0; i < RECORDS; i++) {
			size_t at = (oldest + i) % RECORDS;
			bool is_wrong = i % 10 == 5;

			words[3 * at] = FUNCTION + 16 * (uint32_t)(i / 2) + i % 2;
			words[3 * at + 1] = 1000 + 10 * (uint32_t)i;
			words[3 * at + 2] = !is_wrong ? 5 : i % 20 == 5 ? 4 : 7;
			wrong += is_wrong;
		}
		to_bytes(words, RECORDS * 3, false, bytes);
		seen = begin(bytes, sizeof bytes, &little);
		CHECK_EQ(seen->health.holes, wrong);
		CHECK_EQ(seen->health.events_backward, 0);
		CHECK_EQ(seen->health.events, RECORDS - wrong - (oldest > 0));
		end(seen, 1, "40 records in all have such times: they are left out");
	}
}

/* A record of the function, entries and exits in turn. */
static void put_turn(uint32_t *words, size_t at, size_t number, uint64_t ticks)
{
	words[3 * at] = FUNCTION + 16 * (uint32_t)(number / 2) + number % 2;
	words[3 * at + 1] = (uint32_t)ticks;
	words[3 * at + 2] = (uint32_t)(ticks >> 32);
}

/* A counter of 64 bits: what was recorded before or behind a pause of any length stays, however long the rest took, in a circle, too. */
TEST(pauses)
{
	static const uint64_t pauses[] = {UINT64_C(1) << 31, (UINT64_C(1) << 32) - 100, UINT64_C(1) << 32, (UINT64_C(1) << 32) + 100,
		6000000000, 12345678901, UINT64_C(3) << 32, UINT64_C(1) << 40};
	static const uint64_t steps[] = {10, 25000000}; /* of 40: 10^9 ticks in all */
	const struct reader_options little = {.format = "c6000", .order = READER_ORDER_LITTLE};
	enum { RECORDS = 40 };
	uint32_t words[RECORDS * 3];
	uint8_t bytes[sizeof words];

	for (size_t pause = 0; pause < sizeof pauses / sizeof *pauses; pause++)
		for (size_t step = 0; step < 2; step++)
			for (size_t behind = 1; behind < RECORDS; behind++)
				for (size_t oldest = 0; oldest < RECORDS; oldest += 13) {
					struct seen *seen;

					for (size_t i = 0; i < RECORDS; i++)
						put_turn(words, (oldest + i) % RECORDS, i,
							1000 + steps[step] * i + (i >= behind ? pauses[pause] : 0));
					to_bytes(words, RECORDS * 3, false, bytes);
					seen = begin(bytes, sizeof bytes, &little);
					CHECK_EQ(seen->health.holes, 0);
					CHECK_EQ(seen->health.events, RECORDS - (oldest > 0));
					end(seen, 0, oldest ? "its buffer was written round and round" : NULL);
				}
}

/* One of 32 bits: rounds that are too many are told from a pause as long as pauses are short. */
TEST(pauses_of_a_counter_that_wraps)
{
	static const struct {
		uint64_t gap, step;
		size_t wrong;
	} cases[] = {
		{(UINT64_C(1) << 32) + 10, 10, 1},
		{(UINT64_C(3) << 32) + 3, 10, 1},
		{(UINT64_C(1) << 32) + 500, 10, 0}, /* more than any pause of the others */
		{(UINT64_C(1) << 32) - 5, 10, 0}, /* within a round: no high word need be wrong */
		{UINT64_C(3) << 31, 10, 0},
		{(UINT64_C(1) << 32) + 10, 100000000, 0}, /* the others pause for as long */
	};
	const struct reader_options wraps = {.format = "c6000", .order = READER_ORDER_LITTLE, .times_wrap = true};
	enum { RECORDS = 40 };
	uint32_t words[RECORDS * 3];
	uint8_t bytes[sizeof words];

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		for (size_t is_first = 0; is_first < 2; is_first++) {
			struct seen *seen;

			for (size_t k = 0; k < RECORDS; k++) {
				bool is_behind = is_first ? k : k == RECORDS - 1;

				put_turn(words, k, k, 1000 + cases[i].step * k + (is_behind ? cases[i].gap - cases[i].step : 0));
			}
			to_bytes(words, RECORDS * 3, false, bytes);
			seen = begin(bytes, sizeof bytes, &wraps);
			if (!CHECK_EQ(seen->health.holes, cases[i].wrong))
				printf("# case %zu, %zu\n", i, is_first);
			end(seen, cases[i].wrong ? 1 : 0, cases[i].wrong ? "which does not fit those of the records around it" : NULL);
		}
}

int main(void)
{
	RUN(times_that_cannot_be);
	RUN(times_that_cannot_be_in_a_circle);
	RUN(many_times_that_cannot_be);
	RUN(pauses);
	RUN(pauses_of_a_counter_that_wraps);
	return tap_done();
}
