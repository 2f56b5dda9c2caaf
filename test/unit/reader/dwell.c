/* The reader of dwell traces, on a file with one of everything. */
#include "check.h"
#include "reader/reader.h"
#include "zoo.h"

static uint8_t *trace;
static size_t trace_bytes;

static struct reader *open_bytes(const void *data, size_t size, struct diag *diag)
{
	return make_reader(make_source_memory("zoo.dwell", data, size, diag), diag);
}

struct count {
	uint64_t messages[MESSAGE_WEIGHT + 1], events, enters, exits, frames, checkpoints_after_loss, checkpoints_first;
	uint64_t last_ticks, back; /* times that went back within a stream's message */
	uint64_t windowed;
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
	CHECK_EQ(count.messages[MESSAGE_THREAD], 3);
	CHECK_EQ(count.messages[MESSAGE_CLOCK], 2);
	CHECK_EQ(count.messages[MESSAGE_LOSS], 1);
	CHECK_EQ(count.messages[MESSAGE_INFO], 2);
	CHECK_EQ(count.messages[MESSAGE_CHECKPOINT], ZOO_SLOT_CHUNKS);
	CHECK_EQ(count.enters + count.exits, ZOO_EVENTS);
	CHECK_EQ(count.frames, 7);
	CHECK_EQ(count.windowed, 2);
	CHECK_EQ(count.back, 0);
	CHECK_EQ(count.checkpoints_first, 2);
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

int main(void)
{
	char path[256];
	struct diag *diag = make_diag();

	if (!zoo_write(zoo_scratch(path, "reader.dwell"), diag) || !(trace = zoo_load(path, &trace_bytes)))
		return 1;
	unlink(path);
	RUN(reads_everything);
	free(trace);
	free_diag(diag);
	return tap_done();
}
