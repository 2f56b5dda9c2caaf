/* Session files: the example of FORMAT.md says what the text says; rings that wrapped at every position, cut at each byte, with
 * each byte changed, and with sizes from elsewhere: nothing crashes, and no more is read than there is. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "core/slot.h"
#include "dwell/format.h"
#include "dwell/session.h"
#include "format_md.h"
#include "model/model.h"
#include "reader/reader.h"
#include "util/bytes.h"

#define FILE_BYTES 12736u
#define SLOTS_AT 256u
#define JOURNAL_AT 320u
#define RING_AT 448u
#define DATA_AT (RING_AT + DWELL_RING_HEADER_BYTES)
#define RING_BYTES 8192u

static uint8_t file[FILE_BYTES];

static bool load_example(void)
{
	return load_format_example("session", file, sizeof file) == 6;
}

/* What a reader makes of it. */
struct outcome {
	bool opened, wrapped, balanced, has_process;
	uint64_t events, first_ticks, last_ticks, calls, holes, skipped;
	unsigned threads, clocks;
	char name[32];
	int status;
};

static void take(struct outcome *outcome, const struct message *message)
{
	switch (message->kind) {
	case MESSAGE_THREAD:
		outcome->threads++;
		outcome->wrapped |= message->thread.wrapped;
		snprintf(outcome->name, sizeof outcome->name, "%s", message->thread.name);
		break;
	case MESSAGE_PROCESS:
		outcome->has_process |= message->process.pid == 4711 && !strcmp(message->process.path, "/bin/app");
		break;
	case MESSAGE_CLOCK:
		outcome->clocks += message->clock.ticks == UINT64_C(0x700000000);
		break;
	case MESSAGE_EVENTS:
		if (!outcome->events)
			outcome->first_ticks = message->events.events[0].ticks;
		outcome->events += message->events.count;
		outcome->last_ticks = message->events.events[message->events.count - 1].ticks;
		break;
	default:
		break;
	}
}

static uint64_t count_again(struct reader *reader)
{
	struct reader_decoder *decoder = make_reader_decoder(reader);
	uint64_t events = 0;
	struct message message;

	for (uint64_t chunk = 0; chunk < reader_chunk_count(reader); chunk++) {
		CHECK(reader_decoder_load(decoder, chunk));
		for (reader_decoder_next(decoder, &message); message.kind != MESSAGE_END; reader_decoder_next(decoder, &message))
			events += message.kind == MESSAGE_EVENTS ? message.events.count : 0;
	}
	free_reader_decoder(decoder);
	return events;
}

static struct outcome read_bytes(const uint8_t *bytes, size_t size)
{
	struct diag *diag = make_diag();
	struct reader *reader = make_reader(make_source_memory("test", bytes, size, diag), diag);
	struct model_options options = {.want_profile = true};
	struct model *model = make_model(&options, diag);
	struct outcome outcome = {.opened = reader};
	struct message message;
	const struct profile *profile;

	for (message.kind = MESSAGE_HEADER; reader && message.kind != MESSAGE_END;) {
		reader_next(reader, &message);
		model_feed(model, &message);
		take(&outcome, &message);
	}
	if (reader) {
		model_finish(model);
		profile = model_get_profile(model);
		outcome.balanced = true;
		for (size_t i = 0; i < profile->thread_count; i++) {
			outcome.calls += profile->threads[i].calls;
			outcome.balanced &= profile->threads[i].balanced;
		}
		outcome.holes = reader_get_health(reader)->holes;
		outcome.skipped = reader_get_health(reader)->bytes_skipped;
		CHECK_EQ(count_again(reader), outcome.events);
		CHECK(reader_rewind(reader));
		reader_skip_events(reader);
		for (reader_next(reader, &message); message.kind != MESSAGE_END; reader_next(reader, &message))
			CHECK(message.kind != MESSAGE_EVENTS);
	}
	outcome.status = diag_status(diag);
	free_model(model);
	free_reader(reader);
	free_diag(diag);
	return outcome;
}

TEST(example)
{
	struct outcome outcome;

	CHECK(load_example());
	outcome = read_bytes(file, sizeof file);
	CHECK(outcome.opened && outcome.has_process && !outcome.wrapped && outcome.balanced);
	CHECK_EQ(outcome.threads, 1);
	CHECK_STR(outcome.name, "io");
	CHECK_EQ(outcome.clocks, 1);
	CHECK_EQ(outcome.events, 4);
	CHECK_EQ(outcome.calls, 2);
	CHECK_EQ(outcome.first_ticks, UINT64_C(0x700000100));
	CHECK_EQ(outcome.last_ticks, UINT64_C(0x700000150));
	CHECK_EQ(outcome.status, 1); /* nobody ended it */
	file[DWELL_SESSION_AT_CLOSED] = 1;
	CHECK_EQ(read_bytes(file, sizeof file).status, 0);
}

/* In a PID namespace of its own, the process has a number that only the namespace knows. */
TEST(inner_numbers)
{
	uint8_t *pid = file + JOURNAL_AT + DWELL_SESSION_ENTRY_BYTES + DWELL_PROCESS_PID;

	CHECK(load_example());
	CHECK_EQ(get_u32(pid), 4711);
	put_u32(pid, 4711 | DWELL_SESSION_TASK_INNER);
	CHECK(read_bytes(file, sizeof file).has_process);
}

/* The ring as it is when pos bytes were recorded: event number n is at tick n, and each block begins with TIME. */
static void fill_ring(uint64_t pos)
{
	load_example();
	put_u64(file + RING_AT + DWELL_RING_AT_POS, pos);
	memset(file + DATA_AT, 0xee, RING_BYTES);
	for (uint64_t at = pos > RING_BYTES ? pos - RING_BYTES : 0; at < pos; at += DWELL_SLOT_BYTES) {
		uint64_t slot = at % DWELL_BLOCK_BYTES ? dwell_slot_make(at & 8 ? 0x55555100 : 0x55555101, (uint32_t)(at / 8))
						       : dwell_slot_make(DWELL_TAG_TIME, 0);

		put_u64(file + DATA_AT + at % RING_BYTES, slot);
	}
}

TEST(ring_at_every_position)
{
	for (uint64_t pos = 0; pos < 5 * DWELL_BLOCK_BYTES; pos += DWELL_SLOT_BYTES) {
		/* The block that is written stands where the oldest was, from before its first slot is there. */
		uint64_t behind = (pos / DWELL_BLOCK_BYTES + 1) * DWELL_BLOCK_BYTES,
			 begin = behind > RING_BYTES ? behind - RING_BYTES : 0;
		uint64_t heads = (pos + DWELL_BLOCK_BYTES - 1) / DWELL_BLOCK_BYTES - begin / DWELL_BLOCK_BYTES;
		struct outcome outcome;

		fill_ring(pos);
		outcome = read_bytes(file, sizeof file);
		CHECK_EQ(outcome.events, (pos - begin) / 8 - heads);
		CHECK_EQ(outcome.wrapped, begin > 0);
		CHECK(outcome.balanced);
		if (outcome.events)
			CHECK_EQ(outcome.first_ticks, begin / 8 + 1);
	}
}

TEST(slots_that_were_never_written)
{
	fill_ring(20 * 8);
	file[RING_AT + DWELL_RING_AT_COMMITS_LAST] = 0;
	put_u64(file + RING_AT + DWELL_RING_AT_READY, RING_BYTES);
	put_u64(file + DATA_AT + 5 * 8, 0);
	put_u64(file + DATA_AT + 19 * 8, 0);
	CHECK_EQ(read_bytes(file, sizeof file).holes, 2);
	/* what was zeroed ahead is no data */
	fill_ring(DWELL_BLOCK_BYTES * 5 + 8);
	file[RING_AT + DWELL_RING_AT_COMMITS_LAST] = 0;
	put_u64(file + RING_AT + DWELL_RING_AT_READY, 7 * DWELL_BLOCK_BYTES);
	CHECK_EQ(read_bytes(file, sizeof file).events, 0);
	/* and cannot be so far ahead */
	put_u64(file + RING_AT + DWELL_RING_AT_READY, 8 * DWELL_BLOCK_BYTES);
	CHECK(read_bytes(file, sizeof file).skipped > 0);
}

TEST(cut_at_each_byte)
{
	fill_ring(3 * DWELL_BLOCK_BYTES - 40);
	for (size_t size = 0; size < sizeof file; size++) {
		uint8_t *copy = malloc(size ? size : 1); /* so that the sanitizer sees each byte too far */
		size_t newer = DWELL_BLOCK_BYTES - 40;
		struct outcome outcome;

		memcpy(copy, file, size);
		outcome = read_bytes(copy, size);
		if (size < DWELL_SESSION_HEADER_BYTES_MIN)
			CHECK(!outcome.opened && outcome.status == 2);
		else
			CHECK(outcome.opened && outcome.balanced && outcome.status == 1);
		/* Of the newer block, which stands first, what is there; the older one behind it is cut in any case. */
		if (size > DATA_AT + 8)
			CHECK_EQ(outcome.events, (size - DATA_AT < newer ? size - DATA_AT : newer) / 8 - 1);
		free(copy);
	}
}

TEST(each_byte_changed)
{
	static const uint8_t values[] = {0, 1, 0x7f, 0x80, 0xff};

	for (size_t at = 0; at < DATA_AT + 64; at++) {
		fill_ring(3 * DWELL_BLOCK_BYTES - 40);
		if (at == RING_AT + 192)
			at = DATA_AT; /* the recorder's own, all zero */
		for (size_t i = 0; i < sizeof values; i++) {
			struct outcome outcome;

			file[at] = values[i];
			outcome = read_bytes(file, sizeof file);
			CHECK(!outcome.opened || outcome.balanced);
		}
	}
}

/* Sizes that say there is more than a machine has: an answer, at once, and no memory is taken for them. */
TEST(sizes_from_elsewhere)
{
	load_example();
	put_u64(file + DWELL_SESSION_AT_BYTES, UINT64_C(1) << 60);
	put_u64(file + DWELL_SESSION_AT_SLOT_BYTES, DWELL_RING_HEADER_BYTES + (UINT64_C(1) << 31));
	put_u64(file + RING_AT + DWELL_RING_AT_BYTES, UINT64_C(1) << 31);
	put_u64(file + RING_AT + DWELL_RING_AT_POS, UINT64_C(1) << 40);
	CHECK_EQ(read_bytes(file, sizeof file).status, 1);
	put_u32(file + DWELL_SESSION_AT_SLOT_COUNT, UINT32_MAX);
	put_u32(file + DWELL_SESSION_AT_SLOTS_USED, UINT32_MAX);
	CHECK(!read_bytes(file, sizeof file).opened); /* they would lie over the journal */
	put_u64(file + DWELL_SESSION_AT_JOURNAL_OFFSET, UINT64_C(1) << 50);
	put_u64(file + DWELL_SESSION_AT_RINGS_OFFSET, UINT64_C(1) << 51);
	CHECK(!read_bytes(file, sizeof file).opened); /* and now the rings behind the end */
	put_u64(file + DWELL_SESSION_AT_SLOT_BYTES, DWELL_RING_HEADER_BYTES + RING_BYTES);
	CHECK_EQ(read_bytes(file, sizeof file).status, 1);
	load_example();
	put_u64(file + JOURNAL_AT + DWELL_SESSION_ENTRY_CLAIM, UINT64_C(0xfffffff8) << 32);
	CHECK_EQ(read_bytes(file, sizeof file).events, 4); /* the rest of the journal is gone, the ring is not */
	load_example();
	file[DWELL_SESSION_AT_VERSION]++;
	CHECK_EQ(read_bytes(file, sizeof file).status, 2);
}

int main(int argc, char **argv)
{
	if (argc > 1 && load_example()) { /* for the corpora: the example, and it wrapped */
		FILE *out = fopen(argv[1], "wb");

		if (argc > 2)
			fill_ring(3 * DWELL_BLOCK_BYTES - 40);
		return !out || fwrite(file, sizeof file, 1, out) != 1 || fclose(out);
	}
	RUN(example);
	RUN(inner_numbers);
	RUN(ring_at_every_position);
	RUN(slots_that_were_never_written);
	RUN(cut_at_each_byte);
	RUN(each_byte_changed);
	RUN(sizes_from_elsewhere);
	return tap_done();
}
