/* A ring whose calls are counted by the drain and by its thread in turn, with the real drain: all are counted, marks with their texts,
 * wherever the thread has stopped. */
#include <stdlib.h>

#include "check.h"
#include "record/drain/drain.h"
#include "record/stage/count.h"
#include "stages.h"
#include "zoo.h"

#define RING_BYTES (256u * DWELL_BLOCK_BYTES)
#define SLOTS (RING_BYTES / DWELL_SLOT_BYTES - DWELL_BLOCK_SLOTS)
#define TEXT 7u

static struct dwell_ring *ring;
static struct dwell_relay *shared;
static uint64_t entered, marked;

static uint64_t *slots(void)
{
	return (uint64_t *)((unsigned char *)ring + DWELL_RING_HEADER_BYTES);
}

/* Calls, and so many marks among them that each way to cut meets one. As in a ring, none of them lies in two blocks. */
static void fill(void)
{
	uint32_t ticks = 100, depth = 0;

	entered = marked = 0;
	for (uint32_t i = 0; i < SLOTS; i++) {
		uint32_t in_block = i % DWELL_BLOCK_SLOTS;

		if (!in_block) {
			slots()[i] = dwell_slot_make(DWELL_TAG_TIME, 1);
		} else if (i % 3 == 1 && in_block + 1 < DWELL_BLOCK_SLOTS) {
			slots()[i++] = dwell_slot_make(DWELL_TAG_MARK, ticks++);
			slots()[i] = dwell_slot_make(DWELL_TAG_MARK_TEXT, TEXT);
			marked++;
		} else if (depth) {
			slots()[i] = dwell_slot_exit(0x401000, ticks++);
			depth--;
		} else {
			slots()[i] = dwell_slot_enter(0x401000, ticks++);
			entered++;
			depth++;
		}
	}
	ring->pos = (uint64_t)SLOTS * DWELL_SLOT_BYTES;
}

/* The thread counts so many slots by itself. */
static void take_turn(uint32_t count)
{
	struct dwell_relay_turn turn;
	uint32_t done;

	CHECK(dwell_relay_take(shared, &turn, false, 0));
	done = dwell_relay_fold(&turn, slots(), count, false);
	CHECK(done && done <= count);
	CHECK(dwell_relay_commit(&turn));
	ring->consumed = turn.position;
	dwell_relay_release(&turn);
}

static uint64_t count_of(const struct drain *drain, uint64_t place)
{
	const struct dwell_paths *paths = &((struct count *)drain->stages)->sums.paths;
	uint64_t calls = 0;

	for (uint32_t i = 1; i < paths->node_count; i++)
		if (paths->functions[paths->nodes[i].function].place == place)
			calls += paths->nodes[i].calls;
	return calls;
}

static void run_turns(uint32_t first)
{
	struct diag *diag = make_diag();
	struct message_header header = zoo_header();
	struct trace_writer *writer = make_trace_writer("/dev/null", &header, diag);
	struct workers *workers = make_workers(false);
	struct drain drain;
	uint64_t bytes;

	ring = calloc(1, DWELL_RING_HEADER_BYTES + RING_BYTES);
	shared = calloc(1, DWELL_RELAY_BYTES);
	ring->commits_last = true;
	ring->room = RING_BYTES;
	dwell_relay_begin(shared, 0, false);
	add_stage(make_count_stage());
	CHECK(writer && workers && drain_begin(&drain, 5, ring, RING_BYTES, begin_stages(&(struct stage_source){.stream = 5})));
	drain.can_turn = true;
	CHECK(drain_take_turns(&drain, shared));
	fill();
	if (first)
		take_turn(first);
	bytes = drain_available(&drain, false);
	CHECK_EQ(drain.begin + bytes, ring->pos);
	((struct count *)drain.stages)->period = (struct sums_period){1, UINT64_MAX}; /* nothing is written before the end */
	drain_take(&drain, bytes, false, workers, writer);
	drain_wait(&drain);
	CHECK_EQ(drain.consumed, ring->pos);
	CHECK_EQ(ring->consumed, ring->pos);
	CHECK(!drain_is_due(&drain) && !drain.broken);
	CHECK_EQ(count_of(&drain, DWELL_PATHS_MARK + TEXT), marked);
	CHECK_EQ(count_of(&drain, DWELL_PATHS_MARK), 0);
	CHECK_EQ(count_of(&drain, 0x401000) + follower_depth(drain.stages->calls), entered);
	drain_finish(&drain, NULL, workers, writer);
	drain_end(&drain);
	stages_free(&stages);
	free(shared);
	free(ring);
	free_workers(workers);
	free_trace_writer(writer);
	free_diag(diag);
}

TEST(drain_alone)
{
	run_turns(0);
}

TEST(thread_first)
{
	for (uint32_t first = 2; first < 40; first++)
		run_turns(first);
}

TEST(thread_has_all)
{
	run_turns(SLOTS);
}

int main(void)
{
	RUN(drain_alone);
	RUN(thread_first);
	RUN(thread_has_all);
	return tap_done();
}
