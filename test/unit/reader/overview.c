/* The declarations of a trace without its events: by the seek table, by the headers, or not at all; and tables that lie. */
#include <zlib.h>

#include "check.h"
#include "reader/dwell/split.h"
#include "reader/dwell/overview.h"
#include "reader/reader.h"
#include "zoo.h"

enum { DECLARATIONS = ZOO_DECLARATIONS + 1 }; /* messages of the zoo that are neither events nor checkpoints: INFO has two */

static uint8_t *zoo;
static size_t zoo_bytes, seek_at, end_at;

static struct source *open_bytes(const uint8_t *data, size_t size, struct diag *diag)
{
	return make_source_memory("zoo.dwell", data, size, diag);
}

/* Messages of an overview; UINT32_MAX when it cannot be begun. */
static uint32_t look(const uint8_t *data, size_t size)
{
	struct diag *diag = make_diag();
	struct source *source = open_bytes(data, size, diag);
	struct overview overview = {0};
	struct message message;
	uint32_t count = 0;

	if (!overview_begin(&overview, source, DWELL_HEADER_BYTES))
		count = UINT32_MAX;
	else
		while (overview_next(&overview, &message))
			count++;
	CHECK_EQ(diag_status(diag), 0);
	overview_clear(&overview);
	free_source(source);
	free_diag(diag);
	return count;
}

static uint8_t *copy_zoo(void)
{
	return memcpy(malloc(zoo_bytes), zoo, zoo_bytes);
}

static void sign(uint8_t *chunk)
{
	uint32_t length = get_u32(chunk + DWELL_CHUNK_LENGTH);

	put_u32(chunk + DWELL_CHUNK_PAYLOAD_CRC, (uint32_t)crc32(0, chunk + DWELL_CHUNK_HEADER_BYTES, length));
	put_u32(chunk + DWELL_CHUNK_CRC, (uint32_t)crc32(0, chunk, DWELL_CHUNK_CRC));
}

TEST(by_the_table)
{
	uint8_t *copy = copy_zoo();
	struct raw_chunk chunk;
	size_t slots = DWELL_HEADER_BYTES;

	CHECK_EQ(look(zoo, zoo_bytes), DECLARATIONS);
	/* with a table, nobody looks at the header of a chunk of events */
	while (split_parse_header((struct bytes){copy + slots, zoo_bytes - slots}, &chunk) && chunk.kind != DWELL_CHUNK_SLOTS)
		slots += DWELL_CHUNK_HEADER_BYTES + chunk.length;
	copy[slots] ^= 1;
	CHECK_EQ(look(copy, zoo_bytes), DECLARATIONS);
	/* a declaration that is damaged is passed over */
	copy[DWELL_HEADER_BYTES + DWELL_CHUNK_HEADER_BYTES] ^= 1;
	CHECK_EQ(look(copy, zoo_bytes), DECLARATIONS - 1);
	free(copy);
}

TEST(by_the_headers)
{
	uint8_t *copy = copy_zoo();

	CHECK_EQ(look(zoo, seek_at), DECLARATIONS); /* cut off between two chunks */
	copy[end_at + 20] ^= 1;
	CHECK_EQ(look(copy, end_at), DECLARATIONS);
	CHECK_EQ(look(copy, zoo_bytes), UINT32_MAX);
	CHECK_EQ(look(zoo, seek_at - 1), UINT32_MAX);
	CHECK_EQ(look(zoo, DWELL_HEADER_BYTES), 0);
	free(copy);
}

/* One declaration a million times over, offsets out of order, a table beyond the file: the headers tell. */
TEST(tables_that_lie)
{
	uint8_t *copy = copy_zoo(), *entries = copy + seek_at + DWELL_CHUNK_HEADER_BYTES;
	uint32_t count = get_u32(copy + seek_at + DWELL_CHUNK_LENGTH) / DWELL_SEEK_ENTRY_BYTES;

	for (uint32_t i = 0; i < count; i++)
		put_u64(entries + i * DWELL_SEEK_ENTRY_BYTES + DWELL_SEEK_OFFSET, DWELL_HEADER_BYTES);
	sign(copy + seek_at);
	CHECK_EQ(look(copy, zoo_bytes), DECLARATIONS);
	for (uint32_t i = 0; i < count; i++)
		put_u64(entries + i * DWELL_SEEK_ENTRY_BYTES + DWELL_SEEK_OFFSET, DWELL_HEADER_BYTES + i);
	sign(copy + seek_at);
	CHECK_EQ(look(copy, zoo_bytes), 1); /* in order, but inside of the first one */
	for (uint32_t i = 0; i < count; i++)
		put_u64(entries + i * DWELL_SEEK_ENTRY_BYTES + DWELL_SEEK_OFFSET, UINT64_MAX - count + i);
	sign(copy + seek_at);
	CHECK_EQ(look(copy, zoo_bytes), 0);
	put_u64(copy + end_at + DWELL_CHUNK_HEADER_BYTES + DWELL_END_SEEK_OFFSET, UINT64_MAX - 10);
	sign(copy + end_at);
	CHECK_EQ(look(copy, zoo_bytes), DECLARATIONS);
	put_u64(copy + end_at + DWELL_CHUNK_HEADER_BYTES + DWELL_END_SEEK_OFFSET, DWELL_HEADER_BYTES);
	sign(copy + end_at);
	CHECK_EQ(look(copy, zoo_bytes), DECLARATIONS);
	free(copy);
}

/* Through the reader: declarations only, then everything; a damaged file gives everything at once. */
TEST(reader_skips_events)
{
	for (size_t size = zoo_bytes; size >= zoo_bytes - 1; size--) {
		struct diag *diag = make_diag();
		struct reader *reader = make_reader(open_bytes(zoo, size, diag), diag);
		struct message message;
		unsigned declarations = 0, events = 0, headers = 0, switches = 0;
		reader_skip_events(reader);
		while (reader_next(reader, &message), message.kind != MESSAGE_END) {
			headers += message.kind == MESSAGE_HEADER;
			declarations += message.kind != MESSAGE_HEADER && message.kind != MESSAGE_EVENTS &&
					message.kind != MESSAGE_CHECKPOINT && message.kind != MESSAGE_SWITCHES;
			switches += message.kind == MESSAGE_SWITCHES;
			events += message.kind == MESSAGE_EVENTS;
		}
		CHECK_EQ(headers, 1);
		CHECK_EQ(declarations, DECLARATIONS);
		CHECK_EQ(events, size == zoo_bytes ? 0 : ZOO_SLOT_CHUNKS);
		CHECK_EQ(switches, size == zoo_bytes ? 0 : ZOO_SWITCHES); /* they may be many, and go with the events */
		CHECK(reader_rewind(reader));
		for (events = 0; reader_next(reader, &message), message.kind != MESSAGE_END;)
			events += message.kind == MESSAGE_EVENTS;
		CHECK_EQ(events, ZOO_SLOT_CHUNKS);
		CHECK_EQ(reader_chunk_count(reader), ZOO_SLOT_CHUNKS);
		CHECK_EQ(reader_get_health(reader)->events, ZOO_EVENTS);
		free_reader(reader);
		free_diag(diag);
	}
}

int main(void)
{
	char path[256];
	struct diag *diag = make_diag();

	if (!zoo_write(zoo_scratch(path, "overview.dwell"), diag) || !(zoo = zoo_load(path, &zoo_bytes)))
		return 1;
	unlink(path);
	end_at = zoo_bytes - DWELL_CHUNK_HEADER_BYTES - DWELL_END_BYTES;
	seek_at = (size_t)get_u64(zoo + end_at + DWELL_CHUNK_HEADER_BYTES + DWELL_END_SEEK_OFFSET);
	RUN(by_the_table);
	RUN(by_the_headers);
	RUN(tables_that_lie);
	RUN(reader_skips_events);
	free(zoo);
	free_diag(diag);
	return tap_done();
}
