/* Where the chunks of events are, without having read them: as reading them says; and lists that lie. */
#include "check.h"
#include "reader/reader.h"
#include "zoo.h"

static uint8_t *zoo;
static size_t zoo_bytes;

static struct reader *open_zoo(const uint8_t *data, size_t bytes, struct diag *diag)
{
	return make_reader(make_source_memory("zoo.dwell", data, bytes, diag), diag);
}

static void read_all(struct reader *reader)
{
	struct message message;

	do
		reader_next(reader, &message);
	while (message.kind != MESSAGE_END);
}

/* The messages of a chunk as a number that others do not have. */
static uint64_t sum_of(struct reader *reader, uint64_t chunk)
{
	struct reader_decoder *decoder = make_reader_decoder(reader);
	struct message message;
	uint64_t sum = 0;

	CHECK(reader_decoder_load(decoder, chunk));
	for (reader_decoder_next(decoder, &message); message.kind != MESSAGE_END; reader_decoder_next(decoder, &message)) {
		sum = sum * 31 + message.kind;
		if (message.kind == MESSAGE_CHECKPOINT)
			sum = sum * 31 + message.checkpoint.first * 2 + message.checkpoint.after_loss;
		for (uint32_t i = 0; message.kind == MESSAGE_EVENTS && i < message.events.count; i++)
			sum = sum * 31 + message.events.events[i].ticks * 7 + message.events.events[i].value;
	}
	free_reader_decoder(decoder);
	return sum;
}

/* With the seek table, and by the headers when the end is cut off. */
static void check_as_read(size_t bytes)
{
	struct diag *diag = make_diag();
	struct reader *reader = open_zoo(zoo, bytes, diag), *listed = open_zoo(zoo, bytes, diag);

	read_all(reader);
	reader_skip_events(listed);
	read_all(listed);
	CHECK_EQ(reader_chunk_count(listed), 0);
	CHECK(reader_find_chunks(listed));
	CHECK(reader_chunk_count(reader) > 2);
	CHECK_EQ(reader_chunk_count(listed), reader_chunk_count(reader));
	for (uint64_t i = 0; i < reader_chunk_count(reader); i++) {
		struct reader_chunk want = reader_get_chunk(reader, i), got = reader_get_chunk(listed, i);

		CHECK_EQ(got.offset, want.offset);
		CHECK_EQ(got.first_ticks, want.first_ticks);
		CHECK_EQ(got.stream, want.stream);
		CHECK(got.last_ticks >= want.last_ticks);
		CHECK_EQ(sum_of(listed, i), sum_of(reader, i));
	}
	/* reading after all: as if nothing had been */
	CHECK(reader_rewind(listed));
	read_all(listed);
	for (uint64_t i = 0; i < reader_chunk_count(reader); i++)
		CHECK_EQ(reader_get_chunk(listed, i).last_ticks, reader_get_chunk(reader, i).last_ticks);
	free_reader(listed);
	free_reader(reader);
	free_diag(diag);
}

TEST(as_reading_says)
{
	check_as_read(zoo_bytes);
}

/* Each byte of the file another one: a list or none, and decoders that take what is there. */
TEST(bytes_that_lie)
{
	uint8_t *copy = malloc(zoo_bytes);

	for (size_t at = 0; at < zoo_bytes; at++) {
		struct diag *diag = make_diag();
		struct reader *reader;
		struct message message;

		memcpy(copy, zoo, zoo_bytes);
		copy[at] ^= 0x41;
		reader = open_zoo(copy, zoo_bytes, diag);
		if (reader) {
			reader_skip_events(reader);
			read_all(reader);
			if (reader_find_chunks(reader)) {
				struct reader_decoder *decoder = make_reader_decoder(reader);

				for (uint64_t i = 0; i < reader_chunk_count(reader); i++)
					if (reader_decoder_load(decoder, i))
						do
							reader_decoder_next(decoder, &message);
						while (message.kind != MESSAGE_END);
				free_reader_decoder(decoder);
			}
			free_reader(reader);
		}
		free_diag(diag);
	}
	free(copy);
}

int main(void)
{
	struct diag *diag = make_diag();
	char path[256];

	if (!zoo_write(zoo_scratch(path, "listing.dwell"), diag) || !(zoo = zoo_load(path, &zoo_bytes)))
		return 1;
	unlink(path);
	free_diag(diag);
	RUN(as_reading_says);
	RUN(bytes_that_lie);
	free(zoo);
	return tap_done();
}
