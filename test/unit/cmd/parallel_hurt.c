/* Every byte of good traces changed, with checksums that are right again: several threads say what one says, or nothing. Where the
 * checksums are left wrong, one byte of a payload is as good as another: every sixteenth.
 * Under sanitizers, where threads take long to begin, every seventh byte.
 * Takes long, byte by byte. */
#include <stdio.h>
#include <zlib.h>

#include "dwell/format.h"
#include "unit/cmd/tell.h"
#include "util/bytes.h"
#include "zoo.h"

static uint8_t *data;
static size_t size;
static const char *name;
static unsigned in_parallel;

static uint32_t crc(const uint8_t *bytes, size_t count)
{
	return (uint32_t)crc32(0, bytes, (uInt)count);
}

/* Of the file header and of each chunk, as far as they follow each other. */
static void seal(void)
{
	put_u32(data + DWELL_HEADER_CRC, crc(data, DWELL_HEADER_CRC));
	for (size_t at = DWELL_HEADER_BYTES; at + DWELL_CHUNK_HEADER_BYTES <= size;) {
		uint8_t *chunk = data + at;
		size_t length = get_u32(chunk + DWELL_CHUNK_LENGTH);

		at += DWELL_CHUNK_HEADER_BYTES;
		if (length <= size - at)
			put_u32(chunk + DWELL_CHUNK_PAYLOAD_CRC, crc(data + at, length));
		put_u32(chunk + DWELL_CHUNK_CRC, crc(chunk, DWELL_CHUNK_CRC));
		at += length <= size - at ? length : size - at;
	}
}

static char *read_with(uint32_t workers)
{
	const struct model_options options = {.want_profile = true};
	struct diag *diag = make_diag();
	char *text = tell_source(make_source_memory(name, data, size, diag), &options, workers, 1, diag);

	free_diag(diag);
	return text;
}

static void compare(const char *how, size_t at)
{
	char *expected = read_with(0), *got = read_with(2);

	if (got) {
		in_parallel++;
		if (!CHECK(expected && !strcmp(expected, got))) {
			printf("# %s, %s at %zu\n", name, how, at);
			tell_difference(expected, got);
		}
	}
	free(expected);
	free(got);
}

/* Whether that byte is within the payload of a chunk. */
static bool is_payload(const uint8_t *bytes, size_t where)
{
	size_t at = DWELL_HEADER_BYTES, payload = at;

	for (; at + DWELL_CHUNK_HEADER_BYTES <= size && at <= where; at = payload + get_u32(bytes + at + DWELL_CHUNK_LENGTH))
		payload = at + DWELL_CHUNK_HEADER_BYTES;
	return where >= payload && where < at;
}

#define WRONG_STEP 16
#define STEP (SANITIZED ? 41 : 1)

TEST(each_byte_changed)
{
	uint8_t *good = malloc(size);

	memcpy(good, data, size);
	in_parallel = 0;
	for (size_t at = 0; at < size && !tap_bad; at += STEP) {
		data[at] ^= (uint8_t)(at % 3 ? 1u << at % 8 : 0xff);
		if (at % WRONG_STEP == 0 || !is_payload(good, at))
			compare("changed", at);
		seal();
		compare("changed and sealed", at);
		memcpy(data, good, size);
	}
	CHECK(in_parallel > size / STEP / 20); /* else it compares nothing */
	free(good);
}

static void try_trace(const char *file, uint8_t *bytes, size_t count)
{
	name = file;
	data = bytes;
	size = count;
	RUN(each_byte_changed);
}

int main(void)
{
	zoo_each_good(try_trace);
	return tap_done() || !tap_count;
}
