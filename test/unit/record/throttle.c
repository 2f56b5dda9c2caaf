/* Threads that call at random, drained in pieces, with an agent that does what it is asked for when it likes: calls that are in the
 * file and calls that were counted are all that were made, and what is in the file nests. In one process, in two, and in many that
 * are forked from one another, of which some record nothing. Functions are tried again now and then: one that has become long is
 * recorded. */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "check.h"
#include "reader/reader.h"
#include "record/drain/drain.h"
#include "record/stage/throttle.h"
#include "record/stage/throttle_inner.h"
#include "stages.h"
#include "target/port/os/linux/throttle.h"
#include "zoo.h"

#define RING_BYTES (64u * DWELL_BLOCK_BYTES)
#define FUNCTIONS 8u
#define DEPTH 60u
#define THREADS 3u
#define PROCESSES 60u
#define THREADS_MAX 60u
#define PLACE(function) (0x401000u + (function)*16u)
#define LONG_FUNCTIONS 2u /* the first ones take long */
#define LATER_LONG 2u     /* this one later, in a batch that is about it */
#define TOLD_MAX 4096u

struct thread {
	struct dwell_ring *ring;
	struct drain drain;
	uint32_t process, stack[DEPTH], depth, stream;
	uint64_t ticks;
	bool has_begun, has_ended;
	bool is_copy; /* calls are open in it that its parent entered */
};

/* Of a process; what its agent knows. */
struct process {
	uint64_t made[FUNCTIONS];
	bool throttled[FUNCTIONS];
	uint32_t numbers[FUNCTIONS]; /* of their counters */
	uint32_t looked_at;
	bool is_told; /* its modules */
};

static struct thread threads[THREADS_MAX];
static struct process processes[PROCESSES];
static uint32_t thread_count, process_count;
static uint64_t seed;
static struct dwell_session *shared;
static struct dwell_throttle *asked;
static char path[256];
static bool becomes_long, is_later, tried;

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
	struct process *process = &processes[thread->process];
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
	if (!enters && (function < LONG_FUNCTIONS || (function == LATER_LONG && becomes_long && is_later)))
		thread->ticks += 10000;
	process->made[function] += enters;
	if (!process->throttled[function])
		record(thread, PLACE(function) | !enters);
	else if (enters)
		++*dwell_throttle_counter(thread->ring, process->numbers[function]);
}

/* The agent of one process. */
static void follow(uint32_t number)
{
	struct process *process = &processes[number];

	for (; process->looked_at < shared->throttled; process->looked_at++) {
		struct dwell_throttle_entry *entry = &asked->entries[process->looked_at];
		uint32_t function = (entry->place - PLACE(0)) / 16, number_of_it;

		if (entry->process != number)
			continue;
		CHECK(function < FUNCTIONS && function >= LONG_FUNCTIONS);
		entry->state = DWELL_THROTTLE_COUNTED;
		if (entry->counter == DWELL_THROTTLE_UNDO) {
			process->throttled[function] = false;
			tried = true;
			continue;
		}
		number_of_it = entry->counter;
		CHECK(number_of_it >= DWELL_THROTTLE_FIRST && number_of_it < DWELL_THROTTLE_END);
		/* Nobody is asked for what it has of its parent. By then that may count by another number. */
		CHECK(!process->throttled[function] || process->numbers[function] != number_of_it);
		process->numbers[function] = number_of_it;
		process->throttled[function] = true;
	}
}

static uint32_t find_thread(uint32_t stream)
{
	for (uint32_t i = 0; i < thread_count; i++)
		if (threads[i].has_begun && threads[i].stream == stream)
			return i;
	CHECK(false);
	return 0;
}

/* What was said last of each function since each time. */
static struct last_told {
	uint32_t process;
	struct message_throttled told;
} last_told[TOLD_MAX];
static uint32_t told_count;

static void keep_told(uint32_t process, const struct message_throttled *told)
{
	uint32_t i = 0;

	while (i < told_count && (last_told[i].process != process || last_told[i].told.place != told->place ||
					 last_told[i].told.since_ticks != told->since_ticks))
		i++;
	CHECK(i < TOLD_MAX);
	last_told[i % TOLD_MAX] = (struct last_told){process, *told};
	told_count += i == told_count;
}

static void check_file(void)
{
	struct diag *diag = make_diag();
	struct reader *reader = make_reader(make_source(path, diag), diag);
	static uint64_t seen[PROCESSES][FUNCTIONS], counted[PROCESSES][FUNCTIONS];
	static uint32_t stacks[THREADS_MAX][DEPTH], depths[THREADS_MAX];
	bool nests = true, any = false, is_back = false;
	struct message message;

	memset(seen, 0, sizeof seen);
	memset(counted, 0, sizeof counted);
	memset(depths, 0, sizeof depths);
	told_count = 0;
	do {
		reader_next(reader, &message);
		for (uint32_t i = 0; message.kind == MESSAGE_EVENTS && i < message.events.count; i++) {
			const struct event *event = &message.events.events[i];
			uint32_t thread = find_thread(message.events.stream), *depth = &depths[thread];
			uint32_t function = ((uint32_t)event->value - PLACE(0)) / 16;

			if (event->kind == EVENT_ENTER) {
				seen[threads[thread].process][function]++;
				nests &= *depth < DEPTH;
				stacks[thread][*depth % DEPTH] = function;
				++*depth;
			} else if (*depth || !threads[thread].is_copy) {
				nests &= *depth && stacks[thread][(*depth - 1) % DEPTH] == function;
				*depth -= *depth != 0;
			}
		}
		for (uint32_t i = 0; message.kind == MESSAGE_THROTTLE && i < message.throttle.count; i++) {
			const struct message_throttled *told = &message.throttle.list[i];

			CHECK(told->is_counted);
			CHECK(message.throttle.process < process_count);
			keep_told(message.throttle.process, told);
		}
	} while (message.kind != MESSAGE_END);
	CHECK(nests);
	for (uint32_t i = 0; i < told_count; i++) {
		uint32_t function = ((uint32_t)last_told[i].told.place - PLACE(0)) / 16;

		counted[last_told[i].process][function] += last_told[i].told.calls;
		is_back |= function == LATER_LONG && last_told[i].told.until_ticks;
	}
	CHECK_EQ(is_back, becomes_long);
	for (uint32_t process = 0; process < process_count; process++)
		for (uint32_t function = 0; function < FUNCTIONS; function++) {
			CHECK_EQ(seen[process][function] + counted[process][function], processes[process].made[function]);
			if (function < LONG_FUNCTIONS)
				CHECK_EQ(counted[process][function], 0);
			any |= counted[process][function] != 0;
		}
	CHECK(any);
	free_reader(reader);
	free_diag(diag);
}

/* A thread of a process, which makes no call yet. */
static struct thread *add_thread(uint32_t process)
{
	struct thread *thread = &threads[thread_count++];

	CHECK(thread_count <= THREADS_MAX);
	*thread = (struct thread){.process = process, .ticks = UINT64_C(0x500000000)};
	return thread;
}

/* It is seen. */
static void begin(struct thread *thread)
{
	static uint32_t next_stream;
	struct stage_thread *begun;

	thread->has_begun = true;
	thread->stream = next_stream++;
	thread->ring = calloc(1, DWELL_RING_HEADER_BYTES + RING_BYTES);
	thread->ring->commits_last = 1;
	thread->ring->room = RING_BYTES;
	CHECK(stages_begin_thread(&stages, &(struct stage_source){.process = thread->process, .ring = thread->ring}, &begun));
	CHECK(drain_begin(&thread->drain, thread->stream, thread->ring, RING_BYTES, begun));
}

/* All that it did is drained. */
static void finish(struct thread *thread, struct workers *workers, struct trace_writer *writer)
{
	drain_wait(&thread->drain);
	if (drain_available(&thread->drain, true))
		drain_take(&thread->drain, drain_available(&thread->drain, true), true, workers, writer);
	drain_wait(&thread->drain);
	drain_finish(&thread->drain, NULL, workers, writer);
	drain_end(&thread->drain);
	thread->has_ended = true;
}

/* The process of a thread forks, which the child goes on in; or it becomes another program. */
static void fork_off(const struct thread *of, bool execs)
{
	uint32_t number = process_count++;
	struct thread *thread;

	CHECK(process_count <= PROCESSES);
	processes[number] = (struct process){0};
	if (!execs) {
		processes[number] = processes[of->process];
		memset(processes[number].made, 0, sizeof processes[number].made);
		processes[number].is_told = false;
		asked->copied[number] = (struct dwell_throttle_copy){of->process + 1, processes[of->process].looked_at};
	}
	thread = add_thread(number);
	thread->ticks = of->ticks;
	if (!execs) {
		thread->is_copy = true;
		thread->depth = of->depth;
		memcpy(thread->stack, of->stack, sizeof thread->stack);
	}
}

/* Its modules come to be known at some time, which says that nothing else is there than was before. */
static void tell_module(uint32_t process)
{
	static const struct message_module same = {.low = 0x400000, .high = 0x500000, .load_ticks = 1};
	struct message_module module = same;

	if (processes[process].is_told)
		return;
	module.process = process;
	stages_add_module(&stages, &module);
	processes[process].is_told = true;
}

static void go_on(struct thread *thread, struct workers *workers, struct trace_writer *writer)
{
	if (random_number() % 2)
		drain_wait(&thread->drain);
	if (drain_is_busy(&thread->drain))
		return;
	for (uint32_t n = random_number() % 3000; n && thread->ring->pos + 16 - thread->drain.consumed <= RING_BYTES; n--)
		step(thread);
	drain_run_stages(&thread->drain, 1, workers, writer);
	if (random_number() % 4 && drain_available(&thread->drain, false))
		drain_take(&thread->drain, drain_available(&thread->drain, false), false, workers, writer);
}

/* Forks, exec, processes that record at once, later or never, and that end. */
static void change_processes(struct workers *workers, struct trace_writer *writer)
{
	struct thread *thread = &threads[random_number() % thread_count];

	switch (random_number() % 8) {
	case 0:
	case 1:
		/* Of one that has recorded nothing itself, too. */
		if (process_count < PROCESSES && thread_count < THREADS_MAX)
			fork_off(thread, random_number() % 8 == 0);
		break;
	case 2:
	case 3:
	case 4:
		if (!thread->has_begun && thread->process % 3)
			begin(thread);
		break;
	case 5:
		if (thread->has_begun && !thread->has_ended && thread->process)
			finish(thread, workers, writer);
		break;
	default:
		tell_module(random_number() % process_count);
	}
}

static uint64_t last_ticks(void)
{
	uint64_t last = 0;

	for (uint32_t i = 0; i < thread_count; i++)
		last = threads[i].ticks > last ? threads[i].ticks : last;
	return last;
}

static void run_once(bool with_threads, bool with_forks)
{
	struct stage *throttle;
	struct diag *diag = make_diag();
	struct message_header header = zoo_header();
	struct trace_writer *writer = make_trace_writer(path, &header, diag);
	struct workers *workers = make_workers(true);
	struct session session = {0};
	int fd;

	memset(processes, 0, sizeof processes);
	thread_count = 0;
	process_count = with_forks ? 1 : 2;
	session.shared = shared = calloc(1, sizeof *shared);
	shared->overheads[0] = dwell_session_overhead(DWELL_OVERHEAD_HOOKS, 16 * 16, 16 * 16);
	stages_recording = (struct stage_recording){.session = &session, .output = "file", .diag = diag};
	throttle = make_throttle(0.01, diag);
	((struct throttle *)throttle)->read_ticks = last_ticks;
	add_stage(throttle);
	CHECK(stages_begin(&stages, &stages_recording));
	fd = open((const char *)shared->throttle, O_RDWR);
	asked = mmap(NULL, sizeof *asked, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	CHECK(fd >= 0 && asked != MAP_FAILED && asked->magic == DWELL_THROTTLE_MAGIC);
	for (uint32_t i = 0; i < process_count; i++)
		begin(add_thread(i));
	if (with_threads) {
		CHECK(trace_writer_start_thread(writer));
		workers_start(workers);
	}
	for (uint32_t round = 0; round < 600; round++) {
		is_later = round >= 200;
		if (round == 300 && !with_forks) /* one more thread of process 0, which counts by then */
			begin(add_thread(0));
		if (with_forks)
			change_processes(workers, writer);
		for (uint32_t i = 0; i < thread_count; i++)
			if (threads[i].has_begun && !threads[i].has_ended)
				go_on(&threads[i], workers, writer);
		stages_sweep(&stages, writer, round * UINT64_C(5000000));
		for (uint32_t process = 0; process < process_count; process++)
			if (random_number() % 8 == 0)
				follow(process);
	}
	for (uint32_t i = 0; i < thread_count; i++)
		if (threads[i].has_begun && !threads[i].has_ended)
			finish(&threads[i], workers, writer);
	stages_finish(&stages, &(struct stage_end){.writer = writer});
	free_workers(workers);
	CHECK(trace_writer_finish(writer));
	free_trace_writer(writer);
	stages_free(&stages);
	CHECK_EQ(diag_status(diag), 0);
	free_diag(diag);
	check_file();
	for (uint32_t i = 0; i < thread_count; i++)
		free(threads[i].ring);
	munmap(asked, sizeof *asked);
	close(fd);
	free(shared);
	unlink(path);
}

static void run_all(uint64_t count, bool with_forks)
{
	if (SANITIZED && count > 2)
		count /= 2;
	for (seed = 1; seed <= count && !tap_bad;) {
		uint64_t first = seed;

		run_once(false, with_forks);
		seed = first + 1;
	}
}

TEST(all_calls_are_in_the_file_or_counted)
{
	run_all(4, false);
}

TEST(what_becomes_long_is_recorded_again)
{
	tried = false;
	run_all(2, false);
	CHECK(tried);
	becomes_long = true;
	run_all(4, false);
	becomes_long = false;
}

TEST(drained_by_threads)
{
	seed = 77;
	run_once(true, false);
}

/* What is said at the end. */
static char *finish_stages(const struct stage_recording *recording, struct trace_writer *writer)
{
	char *text = NULL;
	size_t bytes;
	FILE *messages = open_memstream(&text, &bytes);

	stages_finish(&stages, &(struct stage_end){.writer = writer, .recorded = 2000000});
	diag_print(recording->diag, messages);
	fclose(messages);
	return text;
}

static void judge_calls(uint32_t overhead, bool judges)
{
	struct message_header header = zoo_header();
	struct diag *diag = make_diag();
	struct trace_writer *writer = make_trace_writer("/dev/null", &header, diag);
	struct workers *workers = make_workers(false);
	struct session session = {.shared = calloc(1, sizeof *shared)};
	const struct stage_recording recording = {.session = &session, .output = "file", .diag = diag};
	struct dwell_ring *ring = calloc(1, DWELL_RING_HEADER_BYTES);
	struct stage_thread *begun;
	uint64_t slots[2000];
	char *text;

	add_stage(make_throttle(0.01, diag));
	CHECK(stages_begin(&stages, &recording));
	CHECK(stages_begin_thread(&stages, &(struct stage_source){.ring = ring}, &begun));
	for (uint32_t i = 0; i < 2000; i++)
		slots[i] = (uint64_t)(25 * i) << 32 | (PLACE(2) | i % 2);
	for (uint32_t round = 1; round < 5; round++) {
		uint32_t count = 2000;

		pass_stages(begun, workers, slots, &count);
		CHECK_EQ(count, 2000);
		stages_sweep(&stages, writer, round * UINT64_C(1000000000));
	}
	CHECK_EQ(session.shared->throttled, 0);
	session.shared->overheads[0] = dwell_session_overhead(DWELL_OVERHEAD_HOOKS, overhead, overhead);
	stages_sweep(&stages, writer, UINT64_C(6000000000));
	text = finish_stages(&recording, writer);
	CHECK(judges == !strstr(text, "it throttled nothing"));
	CHECK_EQ(session.shared->throttled, 0);
	stages_end_thread(begun);
	stages_free(&stages);
	free_workers(workers);
	free_trace_writer(writer);
	free_diag(diag);
	free(session.shared);
	free(text);
	free(ring);
}

/* By a clock that is too coarse for it, nothing was measured: then nothing is found, and that is said. */
TEST(nothing_is_judged_before_a_call_s_cost_is_known)
{
	judge_calls(0, false);
	judge_calls(16, true);
}

/* More functions than there are counters: the others are recorded, and that is said. */
TEST(as_many_as_can_be_counted)
{
	struct message_header header = zoo_header();
	struct diag *diag = make_diag();
	struct trace_writer *writer = make_trace_writer("/dev/null", &header, diag);
	struct workers *workers = make_workers(false);
	struct session session = {.shared = calloc(1, sizeof *shared)};
	const struct stage_recording recording = {.session = &session, .output = "file", .diag = diag};
	struct dwell_ring *ring = calloc(1, DWELL_RING_HEADER_BYTES);
	const struct stage_source source = {.ring = ring};
	struct follower *open = make_follower();
	struct stage_batch batch = {.now_ns = 1, .buffers = workers_get_buffers(workers)};
	struct stage_thread *begun;
	uint64_t slots[2000];
	uint32_t found;
	char *text;

	session.shared->overheads[0] = dwell_session_overhead(DWELL_OVERHEAD_HOOKS, 160, 160);
	add_stage(make_throttle(0.00001, diag));
	CHECK(stages_begin(&stages, &recording));
	CHECK(stages_begin_thread(&stages, &source, &begun));
	stages_sweep(&stages, writer, 1);
	for (uint32_t i = 0; i < 2000; i++)
		slots[i] = (uint64_t)(5 * i) << 32 | (PLACE(i / 4) | i % 2);
	batch.slots = slots;
	batch.count = 2000;
	open->fold.cursor.last_ticks = 10000;
	begun->type->take(begun, &batch, open);
	stages_sweep(&stages, writer, UINT64_C(1000000000));
	stages_end_thread(begun);
	CHECK(stages_begin_thread(&stages, &source, &begun)); /* nothing is open in it */
	for (uint32_t i = 0; i < 500; i++)
		slots[i] = UINT64_C(20000) << 32 | PLACE(i);
	batch.slots = slots;
	batch.count = 500;
	begun->type->take(begun, &batch, NULL);
	found = (uint32_t)begun->figures.left_out;
	CHECK_EQ(found, DWELL_THROTTLE_END - DWELL_THROTTLE_FIRST);
	CHECK_EQ(batch.count, 500 - found);
	stages_sweep(&stages, writer, UINT64_C(2000000000));
	CHECK_EQ(session.shared->throttled, found);
	CHECK_EQ(diag_status(diag), 0);
	text = finish_stages(&recording, writer);
	CHECK(strstr(text, "1 process reached the limit of 254 throttled functions"));
	stages_end_thread(begun);
	stages_free(&stages);
	free_follower(open);
	free_workers(workers);
	free_trace_writer(writer);
	free(text);
	free_diag(diag);
	free(session.shared);
	free(ring);
}

TEST(of_processes_that_are_forked)
{
	run_all(8, true);
}

int main(void)
{
	zoo_scratch(path, "throttle.dwell");
	RUN(all_calls_are_in_the_file_or_counted);
	RUN(what_becomes_long_is_recorded_again);
	RUN(drained_by_threads);
	RUN(nothing_is_judged_before_a_call_s_cost_is_known);
	RUN(as_many_as_can_be_counted);
	RUN(of_processes_that_are_forked);
	return tap_done();
}
