/* A ring that is filled by a walk and drained in pieces of any size, with and without threads, packed or not: what is in the file
 * is what was made, event for event, and each checkpoint has the frames that were open. */
#include <stdlib.h>

#include "check.h"
#include "reader/reader.h"
#include "record/drain/drain.h"
#include "target/port/os/linux/session.h"
#include "zoo.h"

#define RING_BYTES (16u * DWELL_BLOCK_BYTES)
#define EVENTS 150000u
#define DEPTH 300u
#define FAR UINT64_C(0x7f1200000000)

struct made {
	uint64_t ticks, place;
	bool enter;
	uint32_t depth; /* before it */
};

static struct made made[EVENTS];
static uint64_t stack[DEPTH];
static uint32_t made_count, depth;
static uint64_t seed = 1, ticks;
static struct dwell_ring *ring;
static char path[256];

static uint32_t random_number(void)
{
	seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
	return (uint32_t)(seed >> 32);
}

static void put(uint64_t slot)
{
	uint64_t *data = (uint64_t *)((unsigned char *)ring + DWELL_RING_HEADER_BYTES);

	/* Where a slot is claimed before it is written, the drainer has left zeros. */
	if (!ring->commits_last)
		CHECK_EQ(data[ring->pos % RING_BYTES / DWELL_SLOT_BYTES], 0);
	data[ring->pos % RING_BYTES / DWELL_SLOT_BYTES] = slot;
	ring->pos += DWELL_SLOT_BYTES;
}

static void put_time(void)
{
	put(dwell_slot_make(DWELL_TAG_TIME, (uint32_t)(ticks >> 32)));
}

/* Three slots at most, and one more at the head of a block. */
static void make_event(void)
{
	struct made *event = &made[made_count++];
	uint64_t before = ticks >> 32;

	*event = (struct made){.depth = depth, .enter = !depth || (depth < DEPTH && random_number() % 2)};
	ticks += random_number() % 5000 ? 1 + random_number() % 300 : UINT64_C(0x80000000);
	if (event->enter)
		stack[depth] = 0x401000 + random_number() % 100 * 16 + (random_number() % 3 ? 0 : FAR);
	event->place = stack[event->enter ? depth++ : --depth];
	event->ticks = ticks;
	if (ring->pos % DWELL_BLOCK_BYTES == 0 || ticks >> 32 != before)
		put_time();
	if (event->place >> 32) {
		put(dwell_slot_make(DWELL_TAG_WINDOW, (uint32_t)(event->place >> 32)));
		/* The window lasts over the head of a block. */
		if (ring->pos % DWELL_BLOCK_BYTES == 0)
			put_time();
	}
	put(dwell_slot_make((uint32_t)event->place | !event->enter, (uint32_t)ticks));
}

static void check_checkpoint(const struct message_checkpoint *checkpoint, uint32_t at)
{
	uint32_t open = at < made_count ? made[at].depth : depth;

	if (checkpoint->count != open)
		CHECK_EQ(checkpoint->count, open);
	if (open && at && made[at - 1].enter)
		CHECK_EQ(checkpoint->frames[open - 1].place, made[at - 1].place);
}

static void check_file(void)
{
	struct diag *diag = make_diag();
	struct reader *reader = make_reader(make_source(path, diag), diag);
	struct message message;
	uint32_t at = 0, chunks = 0;

	do {
		reader_next(reader, &message);
		if (message.kind == MESSAGE_CHECKPOINT) {
			check_checkpoint(&message.checkpoint, at);
			chunks++;
		}
		for (uint32_t i = 0; message.kind == MESSAGE_EVENTS && i < message.events.count && !tap_bad; i++, at++) {
			const struct event *event = &message.events.events[i];

			CHECK(at < made_count);
			CHECK_EQ(event->ticks, made[at].ticks);
			CHECK_EQ(event->value, made[at].place);
			CHECK_EQ(event->kind, made[at].enter ? EVENT_ENTER : EVENT_EXIT);
		}
	} while (message.kind != MESSAGE_END);
	CHECK_EQ(at, made_count);
	CHECK(chunks > 20);
	CHECK_EQ(diag_status(diag), 0);
	diag_print(diag, stdout);
	free_reader(reader);
	free_diag(diag);
}

static void run_walk(bool commits_last, bool pack, bool threads)
{
	struct diag *diag = make_diag();
	struct message_header header = zoo_header();
	struct trace_writer *writer = make_trace_writer(path, &header, diag);
	struct workers *workers = make_workers(pack);
	struct drain drain;

	made_count = depth = 0;
	ticks = UINT64_C(0x5ffff0000);
	ring = calloc(1, DWELL_RING_HEADER_BYTES + RING_BYTES);
	ring->commits_last = commits_last;
	ring->room = RING_BYTES;
	CHECK(writer && workers && drain_begin(&drain, 5, ring, RING_BYTES, NULL));
	if (threads) {
		CHECK(trace_writer_start_thread(writer));
		workers_start(workers);
	}
	while (made_count < EVENTS) {
		uint64_t available;

		for (uint32_t i = random_number() % 4000;
			i-- && made_count < EVENTS && ring->pos + 64 - ring->consumed <= RING_BYTES;)
			make_event();
		if (drain_is_busy(&drain))
			continue;
		available = drain_available(&drain, false) / DWELL_SLOT_BYTES;
		CHECK_EQ(available, (ring->pos - drain.consumed) / DWELL_SLOT_BYTES);
		available = random_number() % (available + 1) * DWELL_SLOT_BYTES;
		/* Often between two blocks: what was said last in the one is for the other. */
		if (random_number() % 2 && (drain.consumed + available) / DWELL_BLOCK_BYTES != drain.consumed / DWELL_BLOCK_BYTES)
			available -= (drain.consumed + available) % DWELL_BLOCK_BYTES;
		if (available)
			drain_take(&drain, available, false, workers, writer);
	}
	drain_wait(&drain);
	drain_take(&drain, drain_available(&drain, true), true, workers, writer);
	drain_wait(&drain);
	drain_finish(&drain, NULL, workers, writer);
	CHECK_EQ(drain.events, made_count);
	CHECK_EQ(drain.dropped, 0);
	free_workers(workers);
	CHECK(trace_writer_finish(writer));
	free_trace_writer(writer);
	drain_end(&drain);
	free(ring);
	CHECK_EQ(diag_status(diag), 0);
	free_diag(diag);
	check_file();
	unlink(path);
}

TEST(plain)
{
	run_walk(true, false, false);
}

TEST(claims_first)
{
	run_walk(false, false, false);
}

TEST(packed)
{
	run_walk(true, true, false);
}

TEST(packed_by_threads)
{
	run_walk(true, true, true);
	run_walk(false, true, true);
}

/* What the ring says is not believed. */
TEST(a_ring_that_lies)
{
	struct drain drain;

	ring = calloc(1, DWELL_RING_HEADER_BYTES + RING_BYTES);
	CHECK(drain_begin(&drain, 0, ring, RING_BYTES, NULL));
	ring->pos = RING_BYTES + DWELL_SLOT_BYTES;
	CHECK_EQ(drain_available(&drain, true), 0);
	CHECK(drain.broken);
	drain_end(&drain);
	free(ring);
}

int main(void)
{
	zoo_scratch(path, "drain.dwell");
	RUN(plain);
	RUN(claims_first);
	RUN(packed);
	RUN(packed_by_threads);
	RUN(a_ring_that_lies);
	return tap_done();
}
