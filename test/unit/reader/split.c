/* Splitting a file into chunks: whatever is done to a file, its items are the file, and what is intact is found. */
#include <time.h>
#include <zlib.h>

#include "check.h"
#include "reader/dwell/split.h"
#include "zoo.h"

static uint8_t *zoo;
static size_t zoo_bytes;

struct result {
	unsigned chunks, bad, cut, damage;
	uint64_t end;
	bool gap, stuck;
	uint32_t kinds; /* bit for each kind of a whole chunk */
};

/* Runs the pump with a window that has step bytes more each time that it asks. */
static struct result pump(const uint8_t *data, size_t size, size_t step)
{
	struct result result = {.end = DWELL_HEADER_BYTES};
	struct split split;
	struct split_item item;
	size_t begin = DWELL_HEADER_BYTES, end = begin;
	uint64_t rounds = 0;

	split_init(&split, begin);
	for (;;) {
		enum split_status status = split_next(&split, (struct bytes){data + begin, end - begin}, end == size, &item);
		if (++rounds > 10 * size + 100) {
			result.stuck = true;
			return result;
		}
		if (status == SPLIT_END)
			return result;
		if (status == SPLIT_NEED) {
			result.stuck |= item.need <= end - begin || end == size;
			end = step < size - end ? end + step : size;
			continue;
		}
		result.gap |= item.offset != result.end || !item.bytes || item.bytes > end - begin;
		result.end += item.bytes;
		begin += item.bytes;
		result.chunks += status == SPLIT_CHUNK;
		result.bad += status == SPLIT_BAD_PAYLOAD;
		result.cut += status == SPLIT_CUT;
		result.damage += status == SPLIT_DAMAGE;
		if (status == SPLIT_CHUNK)
			result.kinds |= 1u << item.chunk.kind;
	}
}

static bool same(struct result a, struct result b)
{
	return a.chunks == b.chunks && a.bad == b.bad && a.cut == b.cut && a.end == b.end && a.kinds == b.kinds;
}

static bool is_whole(struct result result, size_t size)
{
	return !result.gap && !result.stuck && result.end == size;
}

TEST(good_file_in_windows_of_any_size)
{
	struct result at_once = pump(zoo, zoo_bytes, zoo_bytes);

	CHECK_EQ(at_once.chunks, ZOO_DECLARATIONS + ZOO_SLOT_CHUNKS + ZOO_SWITCHES + 2); /* SEEK and END */
	CHECK_EQ(at_once.bad + at_once.cut + at_once.damage, 0);
	for (size_t step = 1; step < 300; step++) {
		struct result result = pump(zoo, zoo_bytes, step);
		CHECK(is_whole(result, zoo_bytes) && same(result, at_once));
	}
}

/* Chunks of the zoo that the bytes [begin, end) have no part of; for an insertion, end is begin. */
static unsigned intact(size_t begin, size_t end)
{
	struct raw_chunk chunk;
	unsigned count = 0;

	for (size_t at = DWELL_HEADER_BYTES; at < zoo_bytes; at += DWELL_CHUNK_HEADER_BYTES + chunk.length) {
		CHECK(split_parse_header((struct bytes){zoo + at, zoo_bytes - at}, &chunk));
		count += end <= at || begin >= at + DWELL_CHUNK_HEADER_BYTES + chunk.length;
	}
	return count;
}

/* Bytes in front of a chunk, and bytes missing from one: all other chunks are found. */
TEST(inserted_and_deleted_bytes)
{
	uint8_t *data = malloc(zoo_bytes + 100);

	for (size_t at = DWELL_HEADER_BYTES; at < zoo_bytes; at += 13) {
		for (size_t count = 1; count < 100; count += 31) {
			struct result result;
			memcpy(data, zoo, at);
			memset(data + at, 0x57, count);
			memcpy(data + at + count, zoo + at, zoo_bytes - at);
			result = pump(data, zoo_bytes + count, 64);
			CHECK(is_whole(result, zoo_bytes + count));
			CHECK(result.chunks >= intact(at, at));
			CHECK(same(result, pump(data, zoo_bytes + count, zoo_bytes)));
			if (at + count > zoo_bytes)
				continue;
			memcpy(data + at, zoo + at + count, zoo_bytes - at - count);
			result = pump(data, zoo_bytes - count, 64);
			CHECK(is_whole(result, zoo_bytes - count));
			CHECK(result.chunks >= intact(at, at + count));
			CHECK(same(result, pump(data, zoo_bytes - count, zoo_bytes)));
		}
	}
	free(data);
}

TEST(nothing_and_noise)
{
	static uint8_t noise[100000];
	uint32_t x = 1;

	CHECK_EQ(pump(zoo, DWELL_HEADER_BYTES, 1).end, DWELL_HEADER_BYTES);
	for (size_t i = 0; i < sizeof noise; i++)
		noise[i] = "WDCk"[(x = x * 1664525 + 1013904223) >> 30];
	for (size_t step = 1; step < 5000; step = step * 7 + 1) {
		struct result result = pump(noise, sizeof noise, step);
		CHECK(is_whole(result, sizeof noise));
		CHECK_EQ(result.chunks + result.bad + result.cut, 0);
	}
}

/* Right headers, one behind the other, each of which claims all the megabytes behind it. Looking at each claim would take
 * minutes. */
TEST(chunks_inside_of_chunks_cost_no_more_than_the_file)
{
	size_t size = 24u << 20;
	uint8_t *data = calloc(1, size);
	struct timespec begin, end;
	struct result result;

	for (size_t at = DWELL_HEADER_BYTES; at + DWELL_CHUNK_HEADER_BYTES <= size; at += DWELL_CHUNK_HEADER_BYTES) {
		put_u32(data + at + DWELL_CHUNK_MARKER, DWELL_CHUNK_MARK);
		put_u16(data + at + DWELL_CHUNK_KIND, DWELL_CHUNK_SLOTS);
		put_u32(data + at + DWELL_CHUNK_LENGTH, at % 3 ? DWELL_CHUNK_LENGTH_MAX : DWELL_CHUNK_LENGTH_MAX / 2);
		put_u32(data + at + DWELL_CHUNK_PAYLOAD_CRC, 1);
		put_u32(data + at + DWELL_CHUNK_CRC, (uint32_t)crc32(0, data + at, DWELL_CHUNK_CRC));
	}
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begin); /* by the clock it may take as long as the machine likes */
	result = pump(data, size, size);
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
	CHECK(is_whole(result, size));
	CHECK_EQ(result.chunks, 0);
	CHECK(end.tv_sec - begin.tv_sec < 10);
	free(data);
}

/* A right CRC does not make a length possible. */
TEST(lengths_that_cannot_be)
{
	static const uint32_t lengths[] = {1, 4, DWELL_CHUNK_LENGTH_MAX + 8, 0xfffffff8, 0xffffffff};
	uint8_t header[DWELL_CHUNK_HEADER_BYTES] = {0};
	struct raw_chunk chunk;

	put_u32(header + DWELL_CHUNK_MARKER, DWELL_CHUNK_MARK);
	for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
		put_u32(header + DWELL_CHUNK_LENGTH, lengths[i]);
		put_u32(header + DWELL_CHUNK_CRC, (uint32_t)crc32(0, header, DWELL_CHUNK_CRC));
		CHECK(!split_parse_header((struct bytes){header, sizeof header}, &chunk));
	}
	put_u32(header + DWELL_CHUNK_LENGTH, 8);
	put_u32(header + DWELL_CHUNK_CRC, (uint32_t)crc32(0, header, DWELL_CHUNK_CRC));
	CHECK(split_parse_header((struct bytes){header, sizeof header}, &chunk));
	CHECK(!split_parse_header((struct bytes){header, sizeof header - 1}, &chunk));
}

int main(void)
{
	char path[256];
	struct diag *diag = make_diag();

	if (!zoo_write(zoo_scratch(path, "frame.dwell"), diag) || !(zoo = zoo_load(path, &zoo_bytes)))
		return 1;
	unlink(path);
	RUN(good_file_in_windows_of_any_size);
	RUN(inserted_and_deleted_bytes);
	RUN(nothing_and_noise);
	RUN(chunks_inside_of_chunks_cost_no_more_than_the_file);
	RUN(lengths_that_cannot_be);
	free(zoo);
	free_diag(diag);
	return tap_done();
}
