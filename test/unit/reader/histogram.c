/* Histograms in images of memory: of machines of 4 and 8 bytes, in either order, in core files and raw; and what is none. */
#include <stdlib.h>

#include "check.h"
#include "classic/core/histogram.h"
#include "format_md.h"
#include "reader/reader.h"
#include "util/bytes.h"
#include "classic/host/writer/core_file.h"

#define BASE UINT64_C(0x20000400)
#define TEXT UINT64_C(0x8000000)

struct machine {
	uint32_t word_bytes;
	bool is_big;
};
static const struct machine machines[] = {{4, false}, {4, true}, {8, false}, {8, true}};

static uint8_t image[4096];
static size_t image_size;
static struct machine machine;

static void put(size_t at, uint64_t value, uint32_t bytes)
{
	for (uint32_t i = 0; i < bytes; i++)
		image[at + (machine.is_big ? bytes - 1 - i : i)] = (uint8_t)(value >> 8 * i);
}

#define HEAD_AT 16u
#define TABLE_AT 256u
#define COUNTERS_AT 512u
static void put_word(uint32_t number, uint64_t value)
{
	put(HEAD_AT + HISTOGRAM_HEAD_BYTES + number * machine.word_bytes, value, machine.word_bytes);
}

static void put_segment(uint32_t number, uint64_t text, uint64_t bytes, size_t counters)
{
	size_t at = TABLE_AT + number * HISTOGRAM_SEGMENT_WORDS * machine.word_bytes;
	const uint64_t words[] = {text, bytes, BASE + counters, 0};

	for (uint32_t i = 0; i < HISTOGRAM_SEGMENT_WORDS; i++)
		put(at + i * machine.word_bytes, words[i], machine.word_bytes);
}

/* Two segments of 8 and 4 counters. */
static void make_image(const struct machine *of)
{
	machine = *of;
	memset(image, 0, sizeof image);
	image_size = COUNTERS_AT + 24;
	put(HEAD_AT, HISTOGRAM_MAGIC, 4);
	put(HEAD_AT + 4, HISTOGRAM_VERSION | 2 << 8 | 4 << 16 | machine.word_bytes << 24, 4);
	put_word(HISTOGRAM_WORD_SELF, BASE + HEAD_AT);
	put_word(HISTOGRAM_WORD_SEGMENTS, BASE + TABLE_AT);
	put_word(HISTOGRAM_WORD_OVERFLOW, 37);
	put_word(HISTOGRAM_WORD_BEYOND, 5);
	put_word(HISTOGRAM_WORD_COUNT, 2);
	put_word(HISTOGRAM_WORD_STATE, HISTOGRAM_STATE_RUNNING);
	put_word(HISTOGRAM_WORD_PERIOD, 1000);
	put_segment(0, TEXT, 32, COUNTERS_AT);
	put_segment(1, TEXT + 64, 16, COUNTERS_AT + 16);
	put(COUNTERS_AT + 2 * 3, 9, 2);
	put(COUNTERS_AT + 2 * 7, 0xffff, 2);
	put(COUNTERS_AT + 16, 4, 2);
}

struct told {
	uint64_t count, weight, outside, beyond, period, full, first, last;
	unsigned messages, threads;
	bool jittered, is_bare, is_big;
	int status;
};

static struct told read_source(const void *bytes, size_t size)
{
	struct told told = {.first = UINT64_MAX};
	struct diag *diag = make_diag();
	struct reader *reader = make_reader(make_source_memory("image", bytes, size, diag), diag);
	struct message message = {.kind = MESSAGE_HEADER};

	while (reader && message.kind != MESSAGE_END) {
		reader_next(reader, &message);
		told.messages++;
		if (message.kind == MESSAGE_HEADER) {
			told.is_bare = message.header.is_bare;
			told.is_big = message.header.big_endian;
		}
		told.threads += message.kind == MESSAGE_THREAD;
		if (message.kind == MESSAGE_SAMPLING) {
			told.period = message.sampling.period;
			told.jittered = message.sampling.jittered;
		}
		if (message.kind != MESSAGE_COUNTS)
			continue;
		told.weight = message.counts.weight;
		told.outside += message.counts.outside;
		told.beyond += message.counts.beyond;
		told.full += message.counts.full;
		for (uint32_t i = 0; i < message.counts.count; i++) {
			told.count += message.counts.counts[i].count;
			told.first = told.first < message.counts.counts[i].address ? told.first : message.counts.counts[i].address;
			told.last = message.counts.counts[i].address;
		}
	}
	told.status = diag_status(diag);
	free_reader(reader);
	free_diag(diag);
	return told;
}

static void check_told(const struct told *told)
{
	CHECK_EQ(told->count, 9 + 0xffff + 4);
	CHECK_EQ(told->weight, 1000000);
	CHECK_EQ(told->outside, 37);
	CHECK_EQ(told->beyond, 5);
	CHECK_EQ(told->full, 1);
	CHECK_EQ(told->period, 1000000);
	CHECK_EQ(told->first, TEXT + 12);
	CHECK_EQ(told->last, TEXT + 64);
	CHECK_EQ(told->threads, 1);
	CHECK(told->jittered && told->is_bare);
	CHECK_EQ(told->is_big, machine.is_big);
	CHECK_EQ(told->status, 0);
}

static char *make_core(size_t *size)
{
	/* In two pieces, as counters lie elsewhere. */
	const struct core_part parts[] = {
		{BASE, image, COUNTERS_AT}, {BASE + COUNTERS_AT, image + COUNTERS_AT, image_size - COUNTERS_AT}};
	const struct core_machine of = {8, machine.word_bytes, machine.is_big};
	char *core = NULL;
	FILE *out = open_memstream(&core, size);

	CHECK(core_file_write(out, &of, parts, 2));
	fclose(out);
	return core;
}

TEST(raw_and_core)
{
	for (size_t i = 0; i < 4; i++) {
		struct told told;
		size_t size;
		char *core;

		make_image(&machines[i]);
		told = read_source(image, image_size);
		check_told(&told);
		core = make_core(&size);
		told = read_source(core, size);
		check_told(&told);
		free(core);
	}
}

TEST(the_example)
{
	uint8_t bytes[0x5a];
	struct told told;

	CHECK_EQ(load_format_example("histogram", bytes, sizeof bytes), 1);
	told = read_source(bytes, sizeof bytes);
	CHECK_EQ(told.count, 11);
	CHECK_EQ(told.outside, 37);
	CHECK_EQ(told.weight, 10000000);
	CHECK_EQ(told.first, 0x08000400);
	CHECK_EQ(told.last, 0x08001000);
	CHECK_EQ(told.status, 0);
}

/* An image that ends too early has no histogram; never one with fewer counts. */
TEST(cut_anywhere)
{
	for (size_t i = 0; i < 4; i++) {
		make_image(&machines[i]);
		for (size_t size = 0; size < image_size; size++) {
			struct told told = read_source(image, size);

			CHECK_EQ(told.status, 2);
			CHECK_EQ(told.count, 0);
		}
	}
}

static void refused(const char *what)
{
	struct told told = read_source(image, image_size);

	if (!CHECK(told.status == 2 && !told.count))
		printf("# %s\n", what);
}

TEST(contradictions)
{
	for (size_t i = 0; i < 4; i++) {
		make_image(&machines[i]);
		put_word(HISTOGRAM_WORD_COUNT, 4097);
		refused("4097 segments");
		make_image(&machines[i]);
		put_word(HISTOGRAM_WORD_SEGMENTS, BASE + 4096);
		refused("a table that is not there");
		make_image(&machines[i]);
		put_segment(1, TEXT + 28, 16, COUNTERS_AT + 16);
		refused("segments that overlap");
		make_image(&machines[i]);
		put_segment(1, TEXT - 64, 16, COUNTERS_AT + 16);
		refused("segments that are not in order");
		make_image(&machines[i]);
		put_segment(0, TEXT, 30, COUNTERS_AT);
		refused("text that is no whole number of words");
		make_image(&machines[i]);
		put_segment(1, TEXT + 64, UINT32_C(0xfffffffc), COUNTERS_AT);
		refused("more counters than the image has");
		make_image(&machines[i]);
		put(HEAD_AT + 4, 2 | 2 << 8 | 4 << 16 | machine.word_bytes << 24, 4);
		refused("another version");
		make_image(&machines[i]);
		put(HEAD_AT + 4, HISTOGRAM_VERSION | 2 << 8 | 4 << 16 | 5u << 24, 4);
		refused("words of 5 bytes");
		make_image(&machines[i]);
		put_word(HISTOGRAM_WORD_SELF, 4);
		refused("it lay before the image");
	}
}

/* A second area that says it lay elsewhere is a copy, and is left out. */
TEST(a_copy)
{
	struct told told;

	make_image(&machines[0]);
	memcpy(image + 1024, image, COUNTERS_AT + 24);
	image_size = 2048;
	told = read_source(image, image_size);
	CHECK_EQ(told.count, 9 + 0xffff + 4);
	CHECK_EQ(told.threads, 1);
	CHECK_EQ(told.status, 1);
}

static int write_files(const char *folder)
{
	char path[4096], *core;
	size_t size;
	FILE *out;

	make_image(&machines[0]);
	snprintf(path, sizeof path, "%s/good/histogram-32.image", folder);
	out = fopen(path, "wb");
	if (!out || fwrite(image, 1, image_size, out) < image_size || fclose(out))
		return 1;
	snprintf(path, sizeof path, "%s/bad/histogram-cut.image", folder);
	out = fopen(path, "wb");
	if (!out || fwrite(image, 1, image_size - 4, out) < image_size - 4 || fclose(out))
		return 1;
	make_image(&machines[3]);
	core = make_core(&size);
	snprintf(path, sizeof path, "%s/good/histogram-64-big.core", folder);
	out = fopen(path, "wb");
	return !out || fwrite(core, 1, size, out) < size || fclose(out);
}

int main(int argc, char **argv)
{
	if (argc == 3 && !strcmp(argv[1], "--write"))
		return write_files(argv[2]);
	RUN(raw_and_core);
	RUN(the_example);
	RUN(cut_anywhere);
	RUN(contradictions);
	RUN(a_copy);
	return tap_done();
}
