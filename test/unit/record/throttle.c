/* Threads that call at random, drained in pieces, with an agent that does what it is asked for when it likes: calls that are in the
 * file and calls that were counted are all that were made, and what is in the file nests. */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "check.h"
#include "reader/reader.h"
#include "record/drain.h"
#include "record/throttle.h"
#include "target/port/os/linux/throttle.h"
#include "zoo.h"

#define RING_BYTES (64u * DWELL_BLOCK_BYTES)
#define FUNCTIONS 8u
#define DEPTH 60u
#define THREADS 3u
#define PLACE(function) (0x401000u + (function)*16u)
#define LONG_FUNCTIONS 2u /* the first ones take long */

struct thread {
	struct dwell_ring *ring;
	struct drain drain;
	uint32_t process, stack[DEPTH], depth;
	uint64_t ticks;
};

static struct thread threads[THREADS];
static uint64_t made[2][FUNCTIONS], seed;
static bool throttled[2][FUNCTIONS];
static uint32_t numbers[2][FUNCTIONS]; /* of their counters */
static struct dwell_session *shared;
static struct dwell_throttle *asked;
static char path[256];

static uint32_t random_number(void)
{
	seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
	return (uint32_t)(seed >> 32);
}

static void put(struct dwell_ring *ring, uint64_t slot)
{
	*(uint64_t *)((unsigned char *)ring + DWELL_RING_HEADER_BYTES + ring->pos % RING_BYTES) = slot;
	ring->pos += DWELL_SLOT_BYTES;
}

static void record(struct thread *thread, uint32_t word)
{
	if (thread->ring->pos % DWELL_BLOCK_BYTES == 0)
		put(thread->ring, dwell_slot_make(DWELL_TAG_TIME, (uint32_t)(thread->ticks >> 32)));
	put(thread->ring, (uint64_t)(uint32_t)thread->ticks << 32 | word);
}

/* A call more or less. 2 and 3 call nothing; 4 and 5 call themselves and each other, most of the time. */
static void step(struct thread *thread)
{
	uint32_t top = thread->depth ? thread->stack[thread->depth - 1] : FUNCTIONS - 1;
	bool enters = thread->depth < 2 || (top / 2 != 1 && thread->depth < DEPTH && random_number() % 2);
	uint32_t function = top / 2 == 2 && random_number() % 4 ? 4 + random_number() % 2 : random_number() % FUNCTIONS;

	if (function < LONG_FUNCTIONS && random_number() % 50)
		function = 2;
	thread->ticks += 25;
	if (!enters)
		function = thread->stack[--thread->depth];
	else
		thread->stack[thread->depth++] = function;
	if (!enters && function < LONG_FUNCTIONS)
		thread->ticks += 10000;
	made[thread->process][function] += enters;
	if (!throttled[thread->process][function])
		record(thread, PLACE(function) | !enters);
	else if (enters)
		++*dwell_throttle_counter(thread->ring, numbers[thread->process][function]);
}

/* The agent of one process. */
static void follow(uint32_t process, uint32_t *looked_at)
{
	for (; *looked_at < shared->throttled; ++*looked_at) {
		struct dwell_throttle_entry *entry = &asked->entries[*looked_at];
		uint32_t function = (entry->place - PLACE(0)) / 16;

		if (entry->process != process)
			continue;
		CHECK(function < FUNCTIONS && function >= LONG_FUNCTIONS);
		CHECK(entry->counter >= DWELL_THROTTLE_FIRST && entry->counter < DWELL_THROTTLE_END);
		numbers[process][function] = entry->counter;
		throttled[process][function] = true;
		entry->state = DWELL_THROTTLE_COUNTED;
	}
}

static void check_file(void)
{
	struct diag *diag = make_diag();
	struct reader *reader = make_reader(make_source(path, diag), diag);
	uint64_t seen[2][FUNCTIONS] = {0}, counted[2][FUNCTIONS] = {0};
	uint32_t stacks[THREADS][DEPTH], depths[THREADS] = {0};
	bool nests = true, any = false;
	struct message message;

	do {
		reader_next(reader, &message);
		for (uint32_t i = 0; message.kind == MESSAGE_EVENTS && i < message.events.count; i++) {
			const struct event *event = &message.events.events[i];
			uint32_t thread = message.events.stream, *depth = &depths[thread];
			uint32_t function = ((uint32_t)event->value - PLACE(0)) / 16;

			if (event->kind == EVENT_ENTER) {
				seen[threads[thread].process][function]++;
				nests &= *depth < DEPTH;
				stacks[thread][*depth % DEPTH] = function;
				++*depth;
			} else {
				nests &= *depth && stacks[thread][(*depth - 1) % DEPTH] == function;
				*depth -= *depth != 0;
			}
		}
		for (uint32_t i = 0; message.kind == MESSAGE_THROTTLE && i < message.throttle.count; i++) {
			const struct message_throttled *told = &message.throttle.list[i];

			CHECK(told->is_counted && !told->until_ticks);
			counted[message.throttle.process][((uint32_t)told->place - PLACE(0)) / 16] = told->calls;
		}
	} while (message.kind != MESSAGE_END);
	CHECK(nests);
	for (uint32_t process = 0; process < 2; process++)
		for (uint32_t function = 0; function < FUNCTIONS; function++) {
			CHECK_EQ(seen[process][function] + counted[process][function], made[process][function]);
			if (function < LONG_FUNCTIONS)
				CHECK_EQ(counted[process][function], 0);
			any |= counted[process][function] != 0;
		}
	CHECK(any);
	free_reader(reader);
	free_diag(diag);
}

static void begin(struct throttle *throttle, uint32_t i, uint32_t process)
{
	struct thread *thread = &threads[i];

	*thread = (struct thread){.process = process, .ticks = UINT64_C(0x500000000)};
	thread->ring = calloc(1, DWELL_RING_HEADER_BYTES + RING_BYTES);
	thread->ring->commits_last = 1;
	thread->ring->room = RING_BYTES;
	CHECK(drain_begin(&thread->drain, i, thread->ring, RING_BYTES));
	thread->drain.throttle = throttle_begin_stream(throttle, process, thread->ring);
	CHECK(thread->drain.throttle);
}

static void run_once(bool with_threads)
{
	struct diag *diag = make_diag();
	struct message_header header = zoo_header();
	struct trace_writer *writer = make_trace_writer(path, &header, diag);
	struct workers *workers = make_workers(true);
	struct throttle *throttle = make_throttle(0.01, diag);
	struct session session = {0};
	uint32_t looked_at[2] = {0};
	int fd;

	memset(made, 0, sizeof made);
	memset(throttled, 0, sizeof throttled);
	session.shared = shared = calloc(1, sizeof *shared);
	shared->overheads[0] = dwell_session_overhead(DWELL_OVERHEAD_HOOKS, 16 * 16, 16 * 16);
	throttle_set_session(throttle, &session);
	fd = open((const char *)shared->throttle, O_RDWR);
	asked = mmap(NULL, sizeof *asked, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	CHECK(fd >= 0 && asked != MAP_FAILED && asked->magic == DWELL_THROTTLE_MAGIC);
	for (uint32_t i = 0; i < THREADS - 1; i++)
		begin(throttle, i, i % 2);
	if (with_threads) {
		CHECK(trace_writer_behind(writer));
		workers_start(workers);
	}
	for (uint32_t round = 0; round < 600; round++) {
		uint32_t living = round < 300 ? THREADS - 1 : THREADS;

		if (round == 300) /* one more thread of process 0, which counts by then */
			begin(throttle, THREADS - 1, 0);
		for (uint32_t i = 0; i < living; i++) {
			struct thread *thread = &threads[i];

			if (random_number() % 2)
				drain_wait(&thread->drain);
			if (drain_is_busy(&thread->drain))
				continue;
			for (uint32_t n = random_number() % 3000; n && thread->ring->pos + 16 - thread->drain.consumed <= RING_BYTES; n--)
				step(thread);
			drain_choose(&thread->drain);
			if (random_number() % 4 && drain_available(&thread->drain, false))
				drain_take(&thread->drain, drain_available(&thread->drain, false), false, workers, writer);
		}
		throttle_look(throttle, round * UINT64_C(5000000));
		throttle_tell(throttle, writer, round * UINT64_C(5000000), false);
		for (uint32_t process = 0; process < 2; process++)
			if (random_number() % 8 == 0)
				follow(process, &looked_at[process]);
	}
	for (uint32_t i = 0; i < THREADS; i++) {
		drain_wait(&threads[i].drain);
		if (drain_available(&threads[i].drain, true))
			drain_take(&threads[i].drain, drain_available(&threads[i].drain, true), true, workers, writer);
		drain_wait(&threads[i].drain);
		drain_finish(&threads[i].drain, NULL, writer);
		throttle_end_stream(threads[i].drain.throttle);
		drain_end(&threads[i].drain);
	}
	throttle_tell(throttle, writer, 0, true);
	free_workers(workers);
	CHECK(trace_writer_finish(writer));
	free_trace_writer(writer);
	free_throttle(throttle);
	CHECK_EQ(diag_status(diag), 0);
	free_diag(diag);
	check_file();
	for (uint32_t i = 0; i < THREADS; i++)
		free(threads[i].ring);
	munmap(asked, sizeof *asked);
	close(fd);
	free(shared);
	unlink(path);
}

TEST(all_calls_are_in_the_file_or_counted)
{
	for (seed = 1; seed <= 4 && !tap_bad;) {
		uint64_t first = seed;

		run_once(false);
		seed = first + 1;
	}
}

TEST(drained_by_threads)
{
	seed = 77;
	run_once(true);
}

int main(void)
{
	zoo_scratch(path, "throttle.dwell");
	RUN(all_calls_are_in_the_file_or_counted);
	RUN(drained_by_threads);
	return tap_done();
}
