/* The reader of gmon.out, which programs compiled with -pg write: how often the program counter was in each piece of code, and
 * how often each call site called each function. The file has addresses and no names, so it is bare: --program names the program.
 *
 * The number of calls of each function is exact, and comes with the counts. Callers and the cost of
 * calls are not derived: gprof does so by assuming that all calls of a function cost the same. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "reader/format.h"
#include "reader/words.h"
#include "util/array.h"

#define HEAD_BYTES 20u
#define NS_A_SECOND UINT64_C(1000000000)
#define BINS_MAX (UINT64_C(1) << 28)
#define BATCH 4096u
#define BUFFER_BYTES 65536u

enum { TAG_HISTOGRAM = 0, TAG_ARC = 1, TAG_BLOCKS = 2 };

/* A piece of code, and its samples. */
struct bin {
	struct message_count count;
	uint32_t bytes; /* of code */
};

struct gmon_reader {
	struct reader_input *input;
	struct words words;
	uint64_t at; /* offset in the file */
	bool cut, damaged;
	uint64_t rate; /* counts per second; 0: no histogram was read yet */
	struct bin *bins; /* with at least one sample */
	size_t bin_count, bin_capacity;
	struct message_count *calls; /* one per arc of the file, with the callee's address */
	size_t call_count, call_capacity;
	size_t bins_written; /* number of bins in messages so far */
	struct message_count batch[BATCH]; /* the bins of the current message */
	unsigned step; /* number of messages so far, up to 4: then the bins follow */
};

/* Returns whether the bytes can be the unit in a histogram's head: printable text of 15 bytes, padded with zeros. */
static bool is_dimension(const uint8_t *p)
{
	for (int i = 0; i < 15; i++)
		if (p[i] && (p[i] < ' ' || p[i] >= 0x7f))
			return false;
	return p[0] >= 'A' && p[0] <= 'z';
}

/* Returns whether start has records with words of this size, up to the end of start. */
static bool are_words(struct bytes start, const struct words *words)
{
	size_t at = HEAD_BYTES, records = 0;

	while (at < start.size) {
		uint8_t tag = start.data[at];
		size_t head = tag == TAG_HISTOGRAM ? 1 + 2 * (size_t)words->bytes + 24 : 1 + 2 * (size_t)words->bytes + 4;

		if (tag > TAG_BLOCKS)
			return false;
		if (tag == TAG_BLOCKS || !bytes_have(start, at, head))
			return records;
		if (tag == TAG_HISTOGRAM)
			return is_dimension(start.data + at + head - 16) &&
			       words_get(words, start.data + at + 1) < words_get(words, start.data + at + 1 + words->bytes);
		at += head;
		records++;
	}
	return records || start.size == HEAD_BYTES;
}

/* Finds the file's byte order and word size, which only its records show. False: neither size fits. */
static bool find_words(struct bytes start, struct words *words)
{
	if (start.size < HEAD_BYTES || memcmp(start.data, "gmon", 4))
		return false;
	words->is_big = get_u32(start.data + 4) == 1u << 24;
	if (!words->is_big && get_u32(start.data + 4) != 1)
		return false;
	words->bytes = 8;
	if (are_words(start, words))
		return true;
	words->bytes = 4;
	return are_words(start, words);
}

static bool probe(struct bytes start, bool whole)
{
	(void)whole;
	return start.size >= 8 && !memcmp(start.data, "gmon", 4) && (get_u32(start.data + 4) == 1 || get_u32(start.data + 4) == 1u << 24);
}

/* Reads bytes of the file. False: the file ends before; then the reader is cut. */
static bool take(struct gmon_reader *reader, uint8_t *to, size_t bytes)
{
	size_t got = source_read(reader->input->source, to, bytes);

	reader->at += got;
	reader->cut |= got < bytes;
	return got == bytes;
}

static bool add_bin(struct gmon_reader *reader, uint64_t address, uint32_t bytes, uint64_t samples)
{
	if (!samples)
		return true;
	if (reader->bin_count >= UINT32_MAX ||
		!array_reserve(&reader->bins, &reader->bin_capacity, reader->bin_count + 1, sizeof *reader->bins))
		return false;
	reader->bins[reader->bin_count++] = (struct bin){{address, samples}, bytes};
	return true;
}

/* Reads the counters of a histogram: bins counters of 16 bits, for equal pieces of [low, high). False: no memory. */
static bool take_counters(struct gmon_reader *reader, uint64_t low, uint64_t high, uint64_t bins)
{
	uint64_t each = bins ? (high - low + bins - 1) / bins : 0;
	uint32_t bytes = each && each <= DWELL_COUNTS_BYTES_MAX ? (uint32_t)each : 1;
	uint8_t buffer[BUFFER_BYTES];
	size_t part;

	for (uint64_t i = 0; i < bins; i += part) {
		part = bins - i < sizeof buffer / 2 ? (size_t)(bins - i) : sizeof buffer / 2;
		if (!take(reader, buffer, part * 2))
			return true;
		for (size_t j = 0; j < part; j++) {
			uint64_t address = low + (uint64_t)((unsigned __int128)(high - low) * (i + j) / bins);

			if (!add_bin(reader, address, bytes, words_u16(&reader->words, buffer + 2 * j)))
				return false;
		}
	}
	return true;
}

/* False: no memory. */
static bool take_histogram(struct gmon_reader *reader)
{
	uint8_t head[2 * 8 + 24];
	uint32_t word = reader->words.bytes;
	uint64_t low, high, bins;

	if (!take(reader, head, 2 * (size_t)word + 24))
		return true;
	low = words_get(&reader->words, head);
	high = words_get(&reader->words, head + word);
	bins = words_u32(&reader->words, head + 2 * word);
	if (low >= high || bins > BINS_MAX || !words_u32(&reader->words, head + 2 * word + 4) ||
		(reader->rate && reader->rate != words_u32(&reader->words, head + 2 * word + 4))) {
		reader->damaged = true;
		return true;
	}
	reader->rate = words_u32(&reader->words, head + 2 * word + 4);
	return take_counters(reader, low, high, bins);
}

/* Reads an arc: a call site, the function that it called, and the number of calls. False: no memory. */
static bool take_arc(struct gmon_reader *reader)
{
	uint8_t arc[2 * 8 + 4];
	uint32_t word = reader->words.bytes;

	if (!take(reader, arc, 2 * (size_t)word + 4))
		return true;
	if (!array_reserve(&reader->calls, &reader->call_capacity, reader->call_count + 1, sizeof *reader->calls))
		return false;
	reader->calls[reader->call_count++] =
		(struct message_count){words_get(&reader->words, arc + word), words_u32(&reader->words, arc + 2 * word)};
	return true;
}

/* Skips counts of basic blocks, which dwell does not use. */
static void skip_blocks(struct gmon_reader *reader)
{
	uint8_t count[4];
	uint64_t bytes;

	if (!take(reader, count, sizeof count))
		return;
	bytes = (uint64_t)words_u32(&reader->words, count) * 2 * reader->words.bytes;
	reader->cut |= !source_skip(reader->input->source, bytes);
	reader->at += bytes;
}

/* Reads all records, up to the end of the file or to damage. False: no memory. */
static bool read_records(struct gmon_reader *reader)
{
	bool good = true;
	uint8_t tag;

	while (good && !reader->cut && !reader->damaged && source_read(reader->input->source, &tag, 1) == 1) {
		reader->at++;
		if (tag == TAG_HISTOGRAM)
			good = take_histogram(reader);
		else if (tag == TAG_ARC)
			good = take_arc(reader);
		else if (tag == TAG_BLOCKS)
			skip_blocks(reader);
		else
			reader->damaged = true;
	}
	return good;
}

static bool refuse(const struct gmon_reader *reader, const char *why)
{
	diag_add(reader->input->diag, DIAG_ERROR, source_name(reader->input->source), 0, "%s", why);
	return false;
}

static bool open_gmon(void *state, struct reader_input *input)
{
	struct gmon_reader *reader = state;
	uint8_t buffer[4096];
	struct bytes start = {buffer, source_peek(input->source, buffer, sizeof buffer)};

	reader->input = input;
	input->is_bare = true;
	if (!find_words(start, &reader->words))
		return refuse(reader, "is a gmon.out whose first record is not whole, or makes no sense");
	reader->at = HEAD_BYTES;
	if (!source_skip(input->source, HEAD_BYTES) || !read_records(reader))
		return refuse(reader, "cannot be read: out of memory");
	return true;
}

static void close_gmon(void *state)
{
	struct gmon_reader *reader = state;

	free(reader->bins);
	free(reader->calls);
}

static void rewind_gmon(void *state)
{
	struct gmon_reader *reader = state;

	reader->bins_written = reader->step = 0;
}

/* Writes the next batch of counts, with ascending addresses and pieces of one size, as in one record of the file. False: no
 * counts are left. */
static bool next_counts(struct gmon_reader *reader, struct message *message)
{
	uint64_t weight = reader->rate ? NS_A_SECOND / reader->rate : 0;
	const struct bin *first;
	uint32_t count = 0;

	if (reader->bins_written == reader->bin_count)
		return false;
	first = &reader->bins[reader->bins_written];
	for (; count < BATCH && reader->bins_written < reader->bin_count; count++, reader->bins_written++) {
		const struct bin *bin = &reader->bins[reader->bins_written];

		if (count && (bin->bytes != first->bytes || bin->count.address <= reader->batch[count - 1].address))
			break;
		reader->batch[count] = bin->count;
	}
	*message = (struct message){.kind = MESSAGE_COUNTS,
		.offset = reader->at,
		.counts = {.bytes = first->bytes, .weight = weight ? weight : 1, .counts = reader->batch, .count = count}};
	return true;
}

static void finish(struct gmon_reader *reader)
{
	struct reader_health *health = reader->input->health;

	if (reader->cut || reader->damaged)
		diag_add(reader->input->diag, DIAG_WARN, source_name(reader->input->source), reader->at, "%s",
			reader->cut ? "ends within a record: the rest of it is missing"
				    : "has a record that makes no sense: it, and what comes behind it, is not read");
	health->cut = reader->cut;
	health->ended_well = !reader->cut && !reader->damaged;
	health->bytes_total = health->bytes_total > reader->at ? health->bytes_total : reader->at;
}

static void next_gmon(void *state, struct message *message)
{
	struct gmon_reader *reader = state;

	switch (reader->step++) {
	case 0:
		*message = (struct message){.kind = MESSAGE_HEADER,
			.header = {.format = "gmon.out",
				.has_events = true,
				.unit = "",
				.clock_hz = NS_A_SECOND,
				.clock_bits = 64,
				.big_endian = reader->words.is_big,
				.pointer_bytes = reader->words.bytes}};
		return;
	case 1:
		*message = (struct message){.kind = MESSAGE_THREAD, .thread = {.place_kind = DWELL_PLACE_ADDRESS, .name = ""}};
		return;
	case 2:
		*message = (struct message){.kind = MESSAGE_SAMPLING,
			.sampling = {.engine = DWELL_ENGINE_INTERRUPT,
				.unit = DWELL_UNIT_NS,
				.period = reader->rate ? NS_A_SECOND / reader->rate : 0,
				.millihertz = reader->rate * 1000}};
		return;
	case 3:
		*message = (struct message){.kind = MESSAGE_COUNTS,
			.counts = {.bytes = 1, .weight = 1, .calls = reader->calls, .call_count = reader->call_count}};
		return;
	}
	reader->step = 4;
	if (next_counts(reader, message))
		return;
	finish(reader);
	*message = (struct message){.kind = MESSAGE_END, .offset = reader->at};
}

const struct reader_format reader_gmon = {
	.name = "gmon.out",
	.probe = probe,
	.state_bytes = sizeof(struct gmon_reader),
	.open = open_gmon,
	.close = close_gmon,
	.next = next_gmon,
	.rewind = rewind_gmon,
};
