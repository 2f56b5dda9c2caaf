/* Buffers as the kernel fills them, taken in: what gets into the file, and what is counted as lost or held back. */
#include "check.h"
#include "sample/intake.h"
#include "unit/perf/fake_ring.h"
#include "unit/sample/told.h"

/* From the buffer into the file. */
struct way {
	struct fake *fake;
	struct told told;
	struct intake *intake;
};

static struct way begin_way(void)
{
	struct way way = {.fake = make_fake(0), .intake = calloc(1, sizeof *way.intake)};

	told_begin(&way.told, "intake.dwell");
	way.intake->images.writer = way.told.writer;
	way.intake->images.diag = way.told.diag;
	return way;
}

static void drain(struct way *way)
{
	struct perf_record record;

	while (perf_ring_peek(&way->fake->ring))
		if (perf_ring_take(&way->fake->ring, &record))
			intake_take(way->intake, &record);
}

static void read_way(struct way *way)
{
	drain(way);
	sampled_threads_flush(&way->intake->threads, way->told.writer, UINT64_MAX);
	intake_write_losses(way->intake, way->fake->ring.damaged, 99);
	told_read(&way->told);
}

static void end_way(struct way *way)
{
	intake_clear(way->intake);
	free(way->intake);
	told_end(&way->told);
	free_fake(way->fake);
}

static void put_sample(struct way *way, uint64_t ip, uint64_t ns)
{
	begin_sample(way->fake, ip, ns, 1000);
	put64(way->fake, 0); /* no registers, no stack */
	put64(way->fake, 0);
	commit_as(way->fake, (uint16_t)way->fake->size);
}

/* As the kernel writes them: when, of which event; the trailer. */
static void put_throttle(struct way *way, uint32_t type, uint64_t ns)
{
	begin(way->fake, type, 0);
	put64(way->fake, ns);
	put64(way->fake, 4); /* id */
	put64(way->fake, 4); /* stream id */
	commit(way->fake, 100, 101, ns);
}

static void put_lost(struct way *way, uint64_t count, uint64_t ns)
{
	begin(way->fake, PERF_RECORD_LOST, 0);
	put64(way->fake, 4);
	put64(way->fake, count);
	commit(way->fake, 100, 101, ns);
}

/* As the file says. */
static uint64_t get_loss(const struct way *way, enum dwell_loss_reason reason)
{
	const struct told_message *message;

	for (size_t i = 0; (message = told_get(&way->told, MESSAGE_LOSS, i)); i++)
		if (message->message.loss.reason == reason)
			return message->message.loss.count;
	return 0;
}

TEST(held_back)
{
	struct way way = begin_way();

	put_sample(&way, 0x1000, 10);
	put_throttle(&way, PERF_RECORD_THROTTLE, 11);
	put_throttle(&way, PERF_RECORD_UNTHROTTLE, 4000011);
	put_sample(&way, 0x1004, 4000012);
	put_throttle(&way, PERF_RECORD_THROTTLE, 4000013);
	put_throttle(&way, PERF_RECORD_UNTHROTTLE, 8000013);
	read_way(&way);
	CHECK_EQ(way.intake->throttled, 2);
	CHECK_EQ(way.intake->lost, 0);
	CHECK_EQ(way.intake->threads.samples, 2);
	CHECK_EQ(get_loss(&way, DWELL_LOSS_THROTTLED), 2);
	CHECK_EQ(get_loss(&way, DWELL_LOSS_SAMPLES), 0);
	CHECK_EQ(told_count(&way.told, MESSAGE_LOSS), 1);
	end_way(&way);
}

TEST(lost)
{
	struct way way = begin_way();
	const struct told_message *samples;

	put_sample(&way, 0x1000, 10);
	put_lost(&way, 4711, 12);
	put_sample(&way, 0x1004, 13);
	put_lost(&way, 3, 14);
	/* One of before Linux 2.6.37, which has no count, and one that lost all there is. */
	begin(way.fake, PERF_RECORD_LOST, 0);
	commit(way.fake, 100, 101, 15);
	/* Of the processor's own count, which has no event's number in front; and one that is cut. */
	begin(way.fake, PERF_RECORD_LOST_SAMPLES, 0);
	put64(way.fake, 50);
	commit(way.fake, 100, 101, 16);
	begin(way.fake, PERF_RECORD_LOST_SAMPLES, 0);
	commit(way.fake, 100, 101, 17);
	read_way(&way);
	CHECK_EQ(way.intake->lost, 4711 + 3 + 1 + 50 + 1);
	CHECK_EQ(get_loss(&way, DWELL_LOSS_SAMPLES), 4711 + 3 + 1 + 50 + 1);
	CHECK_EQ(get_loss(&way, DWELL_LOSS_THROTTLED), 0);
	CHECK_EQ(get_loss(&way, DWELL_LOSS_DAMAGED), 0);
	CHECK_EQ(way.intake->throttled, 0);
	CHECK_EQ(way.intake->threads.samples, 2);
	samples = told_get(&way.told, MESSAGE_SAMPLES, 0);
	if (CHECK(samples)) {
		CHECK_EQ(samples->message.samples.count, 2);
		CHECK_EQ(samples->nodes[samples->samples[0].node - 1].address, 0x1000);
		CHECK_EQ(samples->nodes[samples->samples[1].node - 1].address, 0x1004);
		CHECK_EQ(samples->samples[1].ticks, 13);
		CHECK_EQ(samples->samples[1].weight, 1000);
	}
	end_way(&way);
}

/* A record that makes no sense is counted; one of a kind that was not asked for is not. */
TEST(damaged)
{
	struct way way = begin_way();

	put_sample(&way, 0x1000, 10);
	begin(way.fake, PERF_RECORD_MMAP2, 0); /* no path, no addresses */
	put64(way.fake, 1);
	commit(way.fake, 100, 101, 11);
	begin(way.fake, PERF_RECORD_COMM, 0);
	put64(way.fake, 1);
	commit(way.fake, 100, 101, 12);
	begin(way.fake, 4711, 0);
	commit(way.fake, 100, 101, 13);
	put_sample(&way, 0x1004, 14);
	drain(&way);
	CHECK_EQ(way.intake->threads.samples, 2);
	begin_sample(way.fake, 0x1008, 15, 1);
	commit_as(way.fake, 7);
	put_sample(&way, 0x100c, 16); /* whatever was behind it */
	read_way(&way);
	CHECK_EQ(way.intake->threads.samples, 2);
	CHECK_EQ(get_loss(&way, DWELL_LOSS_DAMAGED), 3);
	CHECK_EQ(told_count(&way.told, MESSAGE_LOSS), 1);
	end_way(&way);
}

/* Times of one thread never go back, whatever CPU it was on. */
TEST(times)
{
	struct way way = begin_way();
	const struct told_message *samples;

	put_sample(&way, 0x1000, 20);
	put_sample(&way, 0x1000, 10);
	put_sample(&way, 0x1000, 30);
	read_way(&way);
	samples = told_get(&way.told, MESSAGE_SAMPLES, 0);
	if (CHECK(samples && samples->message.samples.count == 3)) {
		CHECK_EQ(samples->samples[0].ticks, 20);
		CHECK_EQ(samples->samples[1].ticks, 20);
		CHECK_EQ(samples->samples[2].ticks, 30);
	}
	end_way(&way);
}

/* In the kernel, and nothing of the program below it. */
TEST(kinds_of_samples)
{
	struct way way = begin_way();
	struct perf_record record = {.kind = PERF_SAMPLE, .pid = 100, .tid = 101, .ns = 50};
	const struct told_message *samples;

	record.sample.ip = UINT64_MAX - 4095;
	record.sample.in_kernel = true;
	record.sample.period = 8;
	record.sample.timer = 5;
	intake_take(way.intake, &record);
	CHECK_EQ(way.intake->threads.samples, 1);
	read_way(&way);
	samples = told_get(&way.told, MESSAGE_SAMPLES, 0);
	if (CHECK(samples && samples->message.samples.count == 1 && samples->message.samples.node_count == 1)) {
		CHECK(samples->nodes[0].is_kernel);
		CHECK_EQ(samples->samples[0].weight, 12); /* the timer's first */
		CHECK_EQ(samples->samples[0].stack, DWELL_STACK_COMPLETE);
	}
	end_way(&way);
}

/* While execve runs, the registers are those of the program before, of which nothing is mapped any more. */
TEST(during_exec)
{
	struct way way = begin_way();
	struct perf_record record = {.kind = PERF_SAMPLE, .pid = 100, .tid = 101, .ns = 50};
	const struct told_message *samples;

	record.sample.ip = UINT64_MAX - 4095;
	record.sample.in_kernel = record.sample.has_registers = true;
	record.sample.registers.pc = 0x7f0000001000;
	record.sample.period = 8;
	intake_take(way.intake, &record);
	read_way(&way);
	samples = told_get(&way.told, MESSAGE_SAMPLES, 0);
	if (CHECK(samples && samples->message.samples.count == 1 && samples->message.samples.node_count == 1))
		CHECK_EQ(samples->samples[0].stack, DWELL_STACK_COMPLETE);
	end_way(&way);
}

/* The kernel exchanges the timers of two threads when it switches between them: one that has sampled the first begins nothing
 * anew. */
TEST(timers_move_between_threads)
{
	struct way way = begin_way();
	struct perf_record record = {.kind = PERF_SAMPLE, .pid = 100, .ns = 50};
	static const struct {
		uint32_t tid;
		uint64_t timer, weight;
	} cases[] = {{101, 5, 12}, {102, 5, 8}, {102, 6, 12}, {101, 6, 8}};

	record.sample.ip = 0x1000;
	record.sample.period = 8;
	for (size_t i = 0; i < 4; i++) {
		record.tid = cases[i].tid;
		record.sample.timer = cases[i].timer;
		record.ns++;
		intake_take(way.intake, &record);
		sampled_threads_flush(&way.intake->threads, way.intake->images.writer, UINT64_MAX);
	}
	read_way(&way);
	for (size_t i = 0; i < 4; i++) {
		const struct told_message *samples = told_get(&way.told, MESSAGE_SAMPLES, i);

		if (CHECK(samples && samples->message.samples.count == 1))
			CHECK_EQ(samples->samples[0].weight, cases[i].weight);
	}
	end_way(&way);
}

/* Those of interrupts are no part of the profile, but counted. */
TEST(in_interrupts)
{
	struct way way = begin_way();
	struct perf_record record = {.kind = PERF_SAMPLE, .pid = 100, .tid = 101, .ns = 50};
	const struct told_message *samples;

	record.sample.ip = UINT64_MAX - 4095;
	record.sample.in_kernel = record.sample.in_interrupt = true;
	record.sample.period = 8;
	record.sample.timer = 5;
	intake_take(way.intake, &record);
	record.ns++;
	intake_take(way.intake, &record);
	record.sample.ip = 0x1000;
	record.sample.in_kernel = record.sample.in_interrupt = false;
	record.ns++;
	intake_take(way.intake, &record);
	CHECK_EQ(way.intake->interrupted, 2);
	CHECK_EQ(way.intake->interrupted_weight, 16);
	intake_write_interrupted(way.intake, DWELL_UNIT_NS);
	read_way(&way);
	samples = told_get(&way.told, MESSAGE_SAMPLES, 0);
	if (CHECK(samples && samples->message.samples.count == 1))
		CHECK_EQ(samples->samples[0].weight, 8); /* not the timer's first */
	CHECK_EQ(told_count(&way.told, MESSAGE_INFO), 1);
	end_way(&way);
}

static void put_fork(struct way *way, uint32_t pid, uint32_t tid, uint64_t ns)
{
	begin(way->fake, PERF_RECORD_FORK, 0);
	put32(way->fake, pid);
	put32(way->fake, 100);
	put32(way->fake, tid);
	put32(way->fake, 101);
	put64(way->fake, ns);
	commit(way->fake, 100, 101, ns);
}

static void put_exit(struct way *way, uint32_t pid, uint32_t tid, uint64_t ns)
{
	begin(way->fake, PERF_RECORD_EXIT, 0);
	put32(way->fake, pid);
	put32(way->fake, 100);
	put32(way->fake, tid);
	put32(way->fake, 101);
	put64(way->fake, ns);
	commit(way->fake, pid, tid, ns);
}

static void put_name(struct way *way, uint32_t pid, uint32_t tid, bool exec, const char name[static 8], uint64_t ns)
{
	begin(way->fake, PERF_RECORD_COMM, exec ? PERF_RECORD_MISC_COMM_EXEC : 0);
	put32(way->fake, pid);
	put32(way->fake, tid);
	put(way->fake, name, 8);
	commit(way->fake, pid, tid, ns);
}

static const struct told_message *find_stream(const struct told *told, uint32_t tid, bool ended)
{
	const struct told_message *found = NULL, *message;

	for (size_t i = 0; (message = told_get(told, MESSAGE_THREAD, i)); i++)
		if (message->message.thread.tid == tid && message->message.thread.ended == ended)
			found = message;
	return found;
}

/* Numbers that do not exist on any machine: nothing is found in /proc. A thread's number that comes again is another thread. */
TEST(threads_and_processes)
{
	const uint32_t high = 0x7ffffff0;
	struct way way = begin_way();
	const struct told_message *first, *again, *child;

	put_fork(&way, 100, high, 1);
	put_name(&way, 100, high, false, "first\0\0", 2);
	put_exit(&way, 100, high, 3);
	put_fork(&way, 100, high, 4);
	put_name(&way, 100, high, false, "again\0\0", 5);
	put_fork(&way, high + 1, high + 1, 6);
	drain(&way);
	CHECK_EQ(way.intake->threads.count, 3);
	put_name(&way, high + 1, high + 1, true, "other\0\0", 7); /* of a child of which nothing was mapped: its first program */
	read_way(&way);
	first = find_stream(&way.told, high, true);
	again = find_stream(&way.told, high, false);
	child = find_stream(&way.told, high + 1, false);
	if (CHECK(first && again && child)) {
		CHECK_STR(first->text, "first");
		CHECK_STR(again->text, "again");
		CHECK_STR(child->text, "other");
		CHECK(first->message.thread.stream != again->message.thread.stream);
		CHECK(first->message.thread.process == again->message.thread.process);
		CHECK(child->message.thread.process != again->message.thread.process);
	}
	end_way(&way);
}

/* Behind a mapping another chunk begins, as its addresses may mean something else. */
TEST(mappings_part_chunks)
{
	struct way way = begin_way();
	struct perf_record map = {.kind = PERF_MAP, .pid = 100, .tid = 101, .ns = 15};

	put_sample(&way, 0x1000, 10);
	drain(&way);
	map.map.low = 0x1000;
	map.map.high = 0x2000;
	map.map.path = "/no/such/file";
	intake_take(way.intake, &map);
	put_sample(&way, 0x1000, 20);
	read_way(&way);
	CHECK_EQ(told_count(&way.told, MESSAGE_SAMPLES), 2);
	end_way(&way);
}

/* Where more than one stack of a hundred does not fit into what is copied of it, more is. A few always may. */
TEST(deep_stacks)
{
	struct way way = begin_way();

	for (int i = 0; i < 1000; i++) {
		begin_sample(way.fake, 0x1000, 10 + (uint64_t)i, 1);
		put_registers(way.fake);
		put_stack(way.fake, 8, 8);
		commit_as(way.fake, (uint16_t)way.fake->size);
		drain(&way);
		CHECK_EQ(way.intake->unwound, (uint64_t)i % 200 + 1);
		way.intake->truncated = i == 500 ? 5 : i < 500 ? i % 200 == 199 : way.intake->truncated; /* one in 200 */
		CHECK_EQ(intake_wants_large(way.intake), i >= 500);
	}
	end_way(&way);
}

static void put_anonymous(struct way *way, uint64_t low, uint64_t high)
{
	begin(way->fake, PERF_RECORD_MMAP2, 0);
	put32(way->fake, 100);
	put32(way->fake, 101);
	put64(way->fake, low);
	put64(way->fake, high - low);
	for (int i = 0; i < 5; i++)
		put64(way->fake, 0);
	put(way->fake, "//anon\0", 8);
	commit(way->fake, 100, 101, 5);
}

/* Through code that was made at run time, and in a child of fork, too, callers are found by frame pointers: here three, the last of
 * which was called by nobody. */
TEST(callers_through_added_code)
{
	for (int forked = 0; forked < 2; forked++) {
		struct way way = begin_way();
		uint64_t stack[8] = {0};
		const uint64_t at = 0x10000, pid = 100 + 100 * (uint64_t)forked;
		struct perf_record child = {.kind = PERF_PROCESS, .ns = 20, .pid = 200, .tid = 201, .parent_pid = 100};
		struct perf_record record = {.kind = PERF_SAMPLE, .pid = (uint32_t)pid, .tid = (uint32_t)pid + 1, .ns = 50};
		const struct told_message *samples;

		put_anonymous(&way, 0x40000, 0x41000);
		put_anonymous(&way, 0x41000, 0x42000); /* the memory grows */
		drain(&way);
		if (forked)
			intake_take(way.intake, &child);
		record.sample.ip = record.sample.registers.pc = 0x40010;
		record.sample.period = 8;
		record.sample.timer = PERF_TIMER_NONE;
		record.sample.has_registers = true;
		record.sample.registers.values[cpu_native()->fp] = record.sample.registers.values[cpu_native()->sp] = at;
		record.sample.registers.known = 1u << cpu_native()->fp | 1u << cpu_native()->sp;
		record.sample.stack.address = at;
		record.sample.stack.bytes = (struct bytes){(const uint8_t *)stack, sizeof stack};
		stack[0] = at + 16;
		stack[1] = 0x41020;
		stack[2] = at + 32;
		stack[3] = 0x40030;
		intake_take(way.intake, &record);
		read_way(&way);
		samples = told_get(&way.told, MESSAGE_SAMPLES, 0);
		if (CHECK(samples && samples->message.samples.count == 1)) {
			CHECK_EQ(samples->samples[0].stack, DWELL_STACK_COMPLETE);
			CHECK_EQ(samples->message.samples.node_count, 3);
			CHECK_EQ(samples->nodes[0].address, 0x40030);
			CHECK_EQ(samples->nodes[1].address, 0x41020);
			CHECK_EQ(samples->nodes[2].address, 0x40010);
		}
		end_way(&way);
	}
}

int main(void)
{
	RUN(held_back);
	RUN(lost);
	RUN(damaged);
	RUN(times);
	RUN(kinds_of_samples);
	RUN(during_exec);
	RUN(timers_move_between_threads);
	RUN(in_interrupts);
	RUN(threads_and_processes);
	RUN(mappings_part_chunks);
	RUN(deep_stacks);
	RUN(callers_through_added_code);
	return tap_done();
}
