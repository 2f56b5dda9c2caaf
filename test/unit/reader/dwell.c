/* The reader of dwell traces, on a file with one of everything. */
#include <stdio.h>
#include <zlib.h>

#include "check.h"
#include "reader/dwell/split.h"
#include "reader/reader.h"
#include "zoo.h"

static uint8_t *trace;
static size_t trace_bytes;

static struct reader *open_bytes(const void *data, size_t size, struct diag *diag)
{
	return make_reader(make_source_memory("zoo.dwell", data, size, diag), diag);
}

struct count {
	uint64_t messages[MESSAGE_TEXT + 1], events, enters, exits, frames, checkpoints_after_loss, checkpoints_first;
	uint64_t last_ticks, back; /* times that went back within a stream's message */
	uint64_t windowed;
	uint64_t switches, off_ticks, preempted_ticks;
};

static struct count read_all(struct reader *reader)
{
	struct count count = {0};
	struct message message;

	do {
		reader_next(reader, &message);
		count.messages[message.kind]++;
		if (message.kind == MESSAGE_CHECKPOINT) {
			count.frames += message.checkpoint.count;
			count.checkpoints_after_loss += message.checkpoint.after_loss;
			count.checkpoints_first += message.checkpoint.first;
		}
		for (uint32_t i = 0; message.kind == MESSAGE_SWITCHES && i < message.switches.count; i++) {
			const struct message_switch *at = &message.switches.switches[i];
			count.switches++;
			count.off_ticks += at->in_ticks - at->out_ticks;
			count.preempted_ticks += at->preempted ? at->in_ticks - at->out_ticks : 0;
		}
		if (message.kind != MESSAGE_EVENTS)
			continue;
		for (uint32_t i = 0; i < message.events.count; i++) {
			const struct event *event = &message.events.events[i];
			count.enters += event->kind == EVENT_ENTER;
			count.exits += event->kind == EVENT_EXIT;
			count.windowed += event->kind <= EVENT_EXIT && event->value >> 32 == 0x7fff;
			if (i)
				count.back += event->ticks < event[-1].ticks;
		}
		count.events += message.events.count;
	} while (message.kind != MESSAGE_END);
	return count;
}

TEST(reads_everything)
{
	struct diag *diag = make_diag();
	struct reader *reader = open_bytes(trace, trace_bytes, diag);
	struct count count = read_all(reader);
	const struct reader_health *health = reader_get_health(reader);

	CHECK_EQ(count.messages[MESSAGE_HEADER], 1);
	CHECK_EQ(count.messages[MESSAGE_PROCESS], 1);
	CHECK_EQ(count.messages[MESSAGE_MODULE], 1);
	CHECK_EQ(count.messages[MESSAGE_THREAD], 4);
	CHECK_EQ(count.messages[MESSAGE_TEXT], 1);
	CHECK_EQ(count.messages[MESSAGE_CLOCK], 2);
	CHECK_EQ(count.messages[MESSAGE_LOSS], 1);
	CHECK_EQ(count.messages[MESSAGE_INFO], 2);
	CHECK_EQ(count.messages[MESSAGE_SWITCHES], ZOO_SWITCHES);
	CHECK_EQ(count.switches, 4);
	CHECK_EQ(count.off_ticks, 20 + 15 + 1000 + 3);
	CHECK_EQ(count.preempted_ticks, 15 + 3);
	CHECK_EQ(count.messages[MESSAGE_CHECKPOINT], ZOO_SLOT_CHUNKS);
	CHECK_EQ(count.enters + count.exits, ZOO_ENTERS_AND_EXITS);
	CHECK_EQ(count.frames, 9);
	CHECK_EQ(count.windowed, 2);
	CHECK_EQ(count.back, 0);
	CHECK_EQ(count.checkpoints_first, 3);
	CHECK_EQ(count.checkpoints_after_loss, 0);
	CHECK_EQ(health->events, ZOO_EVENTS);
	CHECK_EQ(health->holes, ZOO_HOLES);
	CHECK_EQ(health->late_stamps, ZOO_LATE);
	CHECK_EQ(health->unknown_tags, ZOO_UNKNOWN_TAGS);
	CHECK_EQ(health->bytes_total, trace_bytes);
	CHECK_EQ(health->bytes_skipped + health->chunks_damaged + health->chunks_missing + health->chunks_unknown, 0);
	CHECK(health->ended_well && !health->cut);
	CHECK_EQ(diag_status(diag), 0);
	free_reader(reader);
	free_diag(diag);
}

static char *diag_text(struct diag *diag)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	diag_print(diag, out);
	fclose(out);
	return text;
}

/* Offset of the count-th chunk of a kind (from 0). */
static size_t find_chunk(uint16_t kind, unsigned count)
{
	struct raw_chunk chunk;

	for (size_t at = DWELL_HEADER_BYTES; split_parse_header((struct bytes){trace + at, trace_bytes - at}, &chunk);
		at += DWELL_CHUNK_HEADER_BYTES + chunk.length)
		if (chunk.kind == kind && !count--)
			return at;
	return 0;
}

static void sign(uint8_t *header)
{
	put_u32(header + DWELL_CHUNK_CRC, (uint32_t)crc32(0, header, DWELL_CHUNK_CRC));
}

/* Reads a changed copy; the caller looks at what came. */
struct outcome {
	struct count count;
	struct reader_health health;
	int status;
	char *text; /* of the messages, to be freed */
};

static struct outcome read_copy(const uint8_t *data, size_t size)
{
	struct diag *diag = make_diag();
	struct reader *reader = open_bytes(data, size, diag);
	struct outcome outcome = {0};

	if (reader) {
		outcome.count = read_all(reader);
		outcome.health = *reader_get_health(reader);
		free_reader(reader);
	}
	outcome.status = diag_status(diag);
	outcome.text = diag_text(diag);
	free_diag(diag);
	return outcome;
}

static uint8_t *copy_trace(void)
{
	uint8_t *copy = malloc(trace_bytes + 4096);

	memcpy(copy, trace, trace_bytes);
	return copy;
}

TEST(bad_payload_is_skipped_and_said)
{
	uint8_t *copy = copy_trace();
	size_t at = find_chunk(DWELL_CHUNK_SLOTS, 0);
	struct outcome outcome;
	char place[64];

	copy[at + DWELL_CHUNK_HEADER_BYTES + 20] ^= 1;
	outcome = read_copy(copy, trace_bytes);
	CHECK_EQ(outcome.status, 1);
	CHECK_EQ(outcome.health.chunks_damaged, 1);
	CHECK_EQ(outcome.health.chunks_missing, 0);
	CHECK_EQ(outcome.health.bytes_skipped, DWELL_CHUNK_HEADER_BYTES + 80);
	CHECK_EQ(outcome.health.events, ZOO_EVENTS - 8);
	CHECK_EQ(outcome.count.messages[MESSAGE_CHECKPOINT], ZOO_SLOT_CHUNKS - 1);
	CHECK_EQ(outcome.count.checkpoints_after_loss, 1);
	CHECK_EQ(outcome.count.messages[MESSAGE_CLOCK], 2);
	snprintf(place, sizeof place, "zoo.dwell:0x%zx: chunk 7 (stream 0): payload CRC is 0x", at);
	CHECK(strstr(outcome.text, place));
	free(outcome.text);
	free(copy);
}

TEST(missing_chunk_is_seen_by_the_sequence)
{
	uint8_t *copy = copy_trace();
	size_t at = find_chunk(DWELL_CHUNK_SLOTS, 0), length = DWELL_CHUNK_HEADER_BYTES + 80;
	struct outcome outcome;

	memmove(copy + at, copy + at + length, trace_bytes - at - length);
	outcome = read_copy(copy, trace_bytes - length);
	CHECK_EQ(outcome.health.chunks_missing, 1);
	CHECK_EQ(outcome.health.chunks_damaged, 0);
	CHECK_EQ(outcome.health.bytes_skipped, 0);
	CHECK_EQ(outcome.count.checkpoints_after_loss, 1);
	CHECK_EQ(outcome.count.checkpoints_first, 3);
	CHECK(strstr(outcome.text, "1 chunk before it is missing"));
	CHECK_EQ(outcome.status, 1);
	free(outcome.text);
	free(copy);
}

/* The last chunk of a stream has no successor to miss it: the END chunk does. */
TEST(last_chunk_missing_is_seen_by_the_end)
{
	uint8_t *copy = copy_trace();
	size_t at = find_chunk(DWELL_CHUNK_SLOTS, 3), length = DWELL_CHUNK_HEADER_BYTES + 120;
	struct outcome outcome;

	memmove(copy + at, copy + at + length, trace_bytes - at - length);
	outcome = read_copy(copy, trace_bytes - length);
	CHECK_EQ(outcome.health.chunks_missing, 1);
	CHECK_EQ(outcome.status, 1);
	free(outcome.text);
	free(copy);
}

TEST(chunk_that_comes_twice)
{
	uint8_t *copy = copy_trace();
	size_t at = find_chunk(DWELL_CHUNK_SLOTS, 1), length = DWELL_CHUNK_HEADER_BYTES + 128;
	struct outcome outcome;

	memmove(copy + at + length, copy + at, trace_bytes - at);
	outcome = read_copy(copy, trace_bytes + length);
	CHECK_EQ(outcome.health.events, ZOO_EVENTS);
	CHECK_EQ(outcome.health.chunks_damaged, 1);
	CHECK(strstr(outcome.text, "sequence number 0, expected 1"));
	free(outcome.text);
	free(copy);
}

/* A kind, a flag and a packing of a later version: skipped and counted, and none of it is taken for a loss. */
TEST(what_a_later_version_wrote)
{
	static const struct {
		unsigned field, bytes, value;
	} changes[] = {{DWELL_CHUNK_KIND, 2, 77}, {DWELL_CHUNK_FLAGS, 2, 0x8000}, {DWELL_CHUNK_UNPACKED, 4, 4096}};

	for (size_t i = 0; i < 3; i++) {
		uint8_t *copy = copy_trace();
		uint8_t *header = copy + find_chunk(DWELL_CHUNK_INFO, 0);
		struct outcome outcome;
		if (changes[i].bytes == 2)
			put_u16(header + changes[i].field, (uint16_t)changes[i].value);
		else
			put_u32(header + changes[i].field, changes[i].value);
		sign(header);
		outcome = read_copy(copy, trace_bytes);
		CHECK_EQ(outcome.health.chunks_unknown, 1);
		CHECK_EQ(outcome.health.chunks_missing, 0);
		CHECK_EQ(outcome.health.chunks_damaged, 0);
		CHECK_EQ(outcome.count.messages[MESSAGE_INFO], 0);
		CHECK_EQ(outcome.health.events, ZOO_EVENTS);
		CHECK_EQ(outcome.status, 1);
		free(outcome.text);
		free(copy);
	}
}

TEST(versions)
{
	uint8_t *copy = copy_trace();
	struct outcome outcome;

	put_u16(copy + DWELL_HEADER_MINOR, 9);
	put_u32(copy + DWELL_HEADER_CRC, (uint32_t)crc32(0, copy, DWELL_HEADER_CRC));
	outcome = read_copy(copy, trace_bytes);
	CHECK_EQ(outcome.status, 0);
	CHECK_EQ(outcome.health.events, ZOO_EVENTS);
	free(outcome.text);
	put_u16(copy + DWELL_HEADER_MAJOR, 2);
	put_u32(copy + DWELL_HEADER_CRC, (uint32_t)crc32(0, copy, DWELL_HEADER_CRC));
	outcome = read_copy(copy, trace_bytes);
	CHECK_EQ(outcome.status, 2);
	CHECK(strstr(outcome.text, "version 2.9; version 1 was expected"));
	free(outcome.text);
	put_u16(copy + DWELL_HEADER_MAJOR, 1);
	put_u32(copy + DWELL_HEADER_INCOMPATIBLE, 4);
	put_u32(copy + DWELL_HEADER_CRC, (uint32_t)crc32(0, copy, DWELL_HEADER_CRC));
	outcome = read_copy(copy, trace_bytes);
	CHECK_EQ(outcome.status, 2);
	free(outcome.text);
	free(copy);
}

/* A longer header is passed over; one that is longer than the file is not believed. */
TEST(header_length)
{
	uint8_t *copy = copy_trace();
	struct outcome outcome;

	memmove(copy + 200, copy + 64, trace_bytes - 64);
	put_u32(copy + DWELL_HEADER_LENGTH, 200);
	put_u32(copy + DWELL_HEADER_CRC, (uint32_t)crc32(0, copy, DWELL_HEADER_CRC));
	outcome = read_copy(copy, trace_bytes + 136);
	CHECK_EQ(outcome.status, 0);
	CHECK_EQ(outcome.health.events, ZOO_EVENTS);
	free(outcome.text);
	put_u32(copy + DWELL_HEADER_LENGTH, UINT32_MAX);
	put_u32(copy + DWELL_HEADER_CRC, (uint32_t)crc32(0, copy, DWELL_HEADER_CRC));
	outcome = read_copy(copy, trace_bytes);
	CHECK_EQ(outcome.status, 2);
	free(outcome.text);
	free(copy);
}

/* The header is damaged, or missing with what follows: the chunks are there. */
TEST(damaged_header)
{
	uint8_t *copy = copy_trace();
	struct outcome outcome;

	copy[DWELL_HEADER_CLOCK_HZ] ^= 1;
	outcome = read_copy(copy, trace_bytes);
	CHECK_EQ(outcome.status, 1);
	CHECK_EQ(outcome.health.events, ZOO_EVENTS);
	CHECK_EQ(outcome.health.bytes_skipped, 64);
	CHECK_EQ(outcome.health.bytes_total, trace_bytes);
	free(outcome.text);
	copy[0] = 0;
	outcome = read_copy(copy, trace_bytes);
	CHECK_EQ(outcome.health.events, ZOO_EVENTS);
	free(outcome.text);
	outcome = read_copy(copy + 100, trace_bytes - 100);
	CHECK_EQ(outcome.status, 1);
	CHECK_EQ(outcome.health.events, ZOO_EVENTS);
	CHECK_EQ(outcome.health.chunks_missing, 1);
	free(outcome.text);
	outcome = read_copy(trace, 63);
	CHECK_EQ(outcome.status, 2);
	CHECK(strstr(outcome.text, "cut inside of its header"));
	free(outcome.text);
	free(copy);
}

TEST(cut_files)
{
	size_t at = find_chunk(DWELL_CHUNK_SLOTS, 0), module = find_chunk(DWELL_CHUNK_MODULE, 0);
	/* TIME and three events */
	struct outcome outcome = read_copy(trace, at + DWELL_CHUNK_HEADER_BYTES + 4 * DWELL_SLOT_BYTES + 7);

	CHECK(outcome.health.cut && !outcome.health.ended_well);
	CHECK_EQ(outcome.health.events, 3);
	CHECK_EQ(outcome.status, 1);
	CHECK(strstr(outcome.text, "length 80 exceeds file"));
	free(outcome.text);
	outcome = read_copy(trace, module + DWELL_CHUNK_HEADER_BYTES + 70);
	CHECK(outcome.health.cut);
	CHECK_EQ(outcome.count.messages[MESSAGE_MODULE], 0);
	CHECK_EQ(outcome.health.bytes_skipped, DWELL_CHUNK_HEADER_BYTES + 70);
	free(outcome.text);
	outcome = read_copy(trace, module + 3);
	CHECK(outcome.health.cut);
	free(outcome.text);
	outcome = read_copy(trace, module);
	CHECK(!outcome.health.cut && !outcome.health.ended_well);
	CHECK(strstr(outcome.text, "without an END chunk"));
	free(outcome.text);
}

/* What a SWITCHES chunk cannot be; and what it may be, however little sense it makes. */
TEST(switches_that_lie)
{
	size_t at = find_chunk(DWELL_CHUNK_SWITCHES, 0);
	struct outcome outcome;
	uint8_t *copy = copy_trace();

	put_u64(copy + at + DWELL_CHUNK_FIRST_TICKS, UINT64_MAX);
	sign(copy + at);
	outcome = read_copy(copy, trace_bytes);
	CHECK_EQ(outcome.health.chunks_damaged, 1);
	CHECK_EQ(outcome.count.messages[MESSAGE_SWITCHES], ZOO_SWITCHES - 1);
	CHECK(strstr(outcome.text, "(SWITCHES) ends before it begins"));
	free(outcome.text);
	free(copy);

	copy = copy_trace();
	put_u64(copy + at + DWELL_CHUNK_HEADER_BYTES + DWELL_SWITCHES_ENTRIES + DWELL_SWITCH_LENGTH, UINT64_MAX);
	put_u32(copy + at + DWELL_CHUNK_PAYLOAD_CRC,
		(uint32_t)crc32(0, copy + at + DWELL_CHUNK_HEADER_BYTES, get_u32(copy + at + DWELL_CHUNK_LENGTH)));
	sign(copy + at);
	outcome = read_copy(copy, trace_bytes);
	CHECK_EQ(outcome.health.chunks_damaged, 0);
	CHECK_EQ(outcome.count.switches, 4);
	CHECK_EQ(outcome.count.off_ticks, 15 + 1000 + 3 + (UINT64_MAX >> 1)); /* no more than there can be */
	free(outcome.text);
	free(copy);
}

/* Decoding by number, in any order, says the same as reading in order; so does a second pass, which repeats no message. */
TEST(random_access_and_second_pass)
{
	struct diag *diag = make_diag();
	struct reader *reader = open_bytes(trace, trace_bytes, diag);
	struct reader_decoder *decoder = make_reader_decoder(reader);
	struct count first, again;
	struct message message;
	uint64_t events[ZOO_SLOT_CHUNKS] = {0}, found;

	CHECK(!reader_decoder_load(decoder, 0)); /* not known yet */
	do {
		reader_next(reader, &message);
		if (message.kind == MESSAGE_EVENTS && message.events.chunk < ZOO_SLOT_CHUNKS)
			events[message.events.chunk] += message.events.count;
	} while (message.kind != MESSAGE_END);
	CHECK_EQ(reader_chunk_count(reader), ZOO_SLOT_CHUNKS);
	for (unsigned i = ZOO_SLOT_CHUNKS; i-- > 0;) {
		CHECK(reader_decoder_load(decoder, i));
		reader_decoder_next(decoder, &message);
		if (i == 0 || i == 2) { /* when its thread was off the CPU comes first */
			CHECK_EQ(message.kind, MESSAGE_SWITCHES);
			CHECK_EQ(message.switches.stream, 0);
			CHECK_EQ(message.switches.off_before_ticks, 0);
			reader_decoder_next(decoder, &message);
		}
		if (i == 2) { /* and what was told before it, which may reach into it */
			CHECK_EQ(message.kind, MESSAGE_SWITCHES);
			CHECK_EQ(message.switches.off_before_ticks, 35);
			reader_decoder_next(decoder, &message);
		}
		CHECK(message.kind == MESSAGE_CHECKPOINT && message.checkpoint.first == (i < 2 || i == 4));
		CHECK_EQ(message.checkpoint.stream, reader_get_chunk(reader, i).stream);
		for (found = 0; reader_decoder_next(decoder, &message), message.kind == MESSAGE_EVENTS;) {
			CHECK_EQ(message.events.chunk, i);
			found += message.events.count;
		}
		CHECK_EQ(message.kind, MESSAGE_END);
		CHECK_EQ(found, events[i]);
	}
	CHECK(!reader_decoder_load(decoder, ZOO_SLOT_CHUNKS));
	CHECK(reader_rewind(reader));
	first = read_all(reader);
	CHECK(reader_rewind(reader));
	again = read_all(reader);
	CHECK(!memcmp(&first, &again, sizeof first));
	CHECK_EQ(first.enters + first.exits, ZOO_ENTERS_AND_EXITS);
	CHECK_EQ(reader_chunk_count(reader), ZOO_SLOT_CHUNKS);
	free_reader_decoder(decoder);
	free_reader(reader);
	free_diag(diag);
}

/* The file changed under the reader: the decoder notices. */
TEST(chunk_changed_since_the_first_pass)
{
	uint8_t *copy = copy_trace();
	struct diag *diag = make_diag();
	struct reader *reader = open_bytes(copy, trace_bytes, diag);
	struct reader_decoder *decoder = make_reader_decoder(reader);
	struct message message;

	read_all(reader);
	copy[find_chunk(DWELL_CHUNK_SLOTS, 0) + DWELL_CHUNK_HEADER_BYTES] ^= 1;
	copy[find_chunk(DWELL_CHUNK_SLOTS, 1)] ^= 1;
	CHECK(!reader_decoder_load(decoder, 0));
	reader_decoder_next(decoder, &message);
	CHECK_EQ(message.kind, MESSAGE_END);
	CHECK(!reader_decoder_load(decoder, 1));
	CHECK(reader_decoder_load(decoder, 2));
	free_reader_decoder(decoder);
	free_reader(reader);
	free_diag(diag);
	free(copy);
}

/* A hundred thousand streams, each with one empty chunk: no memory or time beyond the file's own. */
TEST(many_streams)
{
	size_t count = 100000, size = DWELL_HEADER_BYTES + count * DWELL_CHUNK_HEADER_BYTES;
	uint8_t *data = calloc(1, size);
	struct outcome outcome;

	memcpy(data, trace, DWELL_HEADER_BYTES);
	for (size_t i = 0; i < count; i++) {
		uint8_t *header = data + DWELL_HEADER_BYTES + i * DWELL_CHUNK_HEADER_BYTES;
		put_u32(header + DWELL_CHUNK_MARKER, DWELL_CHUNK_MARK);
		put_u16(header + DWELL_CHUNK_KIND, DWELL_CHUNK_SLOTS);
		put_u32(header + DWELL_CHUNK_STREAM, (uint32_t)i << 15 | (uint32_t)i >> 17);
		sign(header);
	}
	outcome = read_copy(data, size);
	CHECK_EQ(outcome.count.messages[MESSAGE_CHECKPOINT], count);
	CHECK_EQ(outcome.count.checkpoints_first, count);
	CHECK_EQ(outcome.health.bytes_skipped, 0);
	free(outcome.text);
	free(data);
}

int main(void)
{
	char path[256];
	struct diag *diag = make_diag();

	if (!zoo_write(zoo_scratch(path, "reader.dwell"), diag) || !(trace = zoo_load(path, &trace_bytes)))
		return 1;
	unlink(path);
	RUN(reads_everything);
	RUN(bad_payload_is_skipped_and_said);
	RUN(missing_chunk_is_seen_by_the_sequence);
	RUN(last_chunk_missing_is_seen_by_the_end);
	RUN(chunk_that_comes_twice);
	RUN(what_a_later_version_wrote);
	RUN(versions);
	RUN(header_length);
	RUN(damaged_header);
	RUN(cut_files);
	RUN(switches_that_lie);
	RUN(random_access_and_second_pass);
	RUN(chunk_changed_since_the_first_pass);
	RUN(many_streams);
	free(trace);
	free_diag(diag);
	return tap_done();
}
