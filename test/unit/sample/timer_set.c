/* The memory that programs which are sampled from within write into: as they do, as one does that is killed, and as none should. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "sample/timer_set.h"
#include "target/sampler/shared.h"

struct writer {
	struct timer_set *set;
	struct dwell_sampler *shared;
	uint64_t bytes;
	uint32_t pid, tid;
};

static struct writer begin(void)
{
	const struct perf_set_options options = {.hz = 997};
	char why[160];
	struct writer writer = {.set = make_timer_set(&options, why), .pid = (uint32_t)getpid(), .tid = (uint32_t)getpid()};
	int fd = open(timer_set_get_name(writer.set), O_RDWR);

	writer.bytes = (uint64_t)lseek(fd, 0, SEEK_END);
	writer.shared = mmap(NULL, writer.bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	return writer;
}

static void end(struct writer *writer)
{
	munmap(writer->shared, writer->bytes);
	free_timer_set(writer->set);
}

static struct dwell_sampler_record *claim(struct writer *writer, uint32_t bytes)
{
	uint64_t head = writer->shared->head;
	uint32_t units = (bytes + DWELL_SAMPLER_UNIT - 1) / DWELL_SAMPLER_UNIT, number = (uint32_t)(head >> 32);
	struct dwell_sampler_record *record = dwell_sampler_record(writer->shared, number);

	writer->shared->head = ((head >> 32) + 1) << 32 | (uint32_t)(head + units);
	record->unit = (uint32_t)head;
	record->units = units;
	record->bytes = bytes;
	return record;
}

static void say(struct writer *writer, struct dwell_sampler_record *record, uint32_t kind, uint64_t ns)
{
	record->kind = kind;
	record->ns = ns;
	record->pid = writer->pid;
	record->tid = writer->tid;
	record->claimed = (uint32_t)(writer->shared->head >> 32);
}

static void write_record(struct writer *writer, uint32_t kind, uint64_t ns, const void *data, uint32_t bytes)
{
	struct dwell_sampler_record *record = claim(writer, bytes);
	unsigned char *ring = dwell_sampler_data(writer->shared);
	uint64_t at = (uint64_t)record->unit * DWELL_SAMPLER_UNIT;

	say(writer, record, kind, ns);
	for (uint32_t i = 0; i < bytes; i++)
		ring[(at + i) & (writer->shared->data_bytes - 1)] = ((const unsigned char *)data)[i];
	record->ready = record->claimed;
}

static void write_name(struct writer *writer, uint32_t kind, uint64_t ns, const char *name)
{
	char whole[DWELL_SAMPLER_NAME_BYTES] = {0};

	memcpy(whole, name, strnlen(name, sizeof whole));
	write_record(writer, kind, ns, whole, sizeof whole);
}

struct whole_sample {
	struct dwell_sampler_sample head;
	unsigned char stack[5000];
};

static void write_sample(struct writer *writer, uint64_t ns, uint32_t stack_bytes)
{
	struct whole_sample sample = {.head = {.weight_ns = ns + 1, .pc = 0x401000 + ns, .stack_pointer = 0x7000, .known = 0xffff}};

	sample.head.stack_bytes = stack_bytes;
	sample.head.registers[6] = ns * 3;
	for (uint32_t i = 0; i < stack_bytes; i++)
		sample.stack[i] = (unsigned char)(i * 7 + ns);
	write_record(writer, DWELL_SAMPLER_SAMPLE, ns, &sample, (uint32_t)sizeof sample.head + stack_bytes);
}

static bool is_sample(const struct perf_record *record, uint64_t ns, uint32_t stack_bytes)
{
	bool good = record->kind == PERF_SAMPLE && record->ns == ns && record->sample.ip == 0x401000 + ns &&
		    record->sample.period == ns + 1 && record->sample.registers.pc == 0x401000 + ns &&
		    record->sample.registers.values[6] == ns * 3 && record->sample.registers.known == 0xffff &&
		    record->sample.stack.address == 0x7000 && record->sample.timer == PERF_TIMER_NONE &&
		    record->sample.stack.bytes.size == stack_bytes && !record->sample.in_kernel && record->sample.has_registers;

	for (uint32_t i = 0; good && i < stack_bytes; i++)
		good = record->sample.stack.bytes.data[i] == (unsigned char)(i * 7 + ns);
	return good;
}

/* Twice around, in pieces that fit nothing. */
TEST(samples)
{
	struct writer writer = begin();
	uint64_t bytes = writer.shared->data_bytes, written = 0;
	struct perf_record record;

	for (uint64_t ns = 1; written < 2 * bytes + 100000; ns++) {
		uint32_t stack = (uint32_t)(ns * 331 % 5000);

		write_sample(&writer, ns, stack);
		written += sizeof(struct dwell_sampler_sample) + stack;
		if (!CHECK(timer_set_next(writer.set, UINT64_MAX, &record) && is_sample(&record, ns, stack)))
			break;
	}
	CHECK_EQ(writer.shared->tail, writer.shared->head);
	CHECK(!timer_set_next(writer.set, 0, &record));
	end(&writer);
}

TEST(until)
{
	struct writer writer = begin();
	struct perf_record record;

	write_sample(&writer, 100, 8);
	write_sample(&writer, 200, 8);
	CHECK(!timer_set_next(writer.set, 100, &record));
	CHECK(timer_set_next(writer.set, 101, &record) && record.ns == 100);
	CHECK(!timer_set_next(writer.set, 200, &record));
	CHECK(timer_set_next(writer.set, UINT64_MAX, &record) && record.ns == 200);
	end(&writer);
}

static bool next_is(struct writer *writer, enum perf_kind kind, uint32_t tid, const char *name)
{
	struct perf_record record;

	if (!timer_set_next(writer->set, UINT64_MAX, &record) || record.kind != kind || record.tid != tid ||
		record.pid != writer->pid)
		return false;
	return !name || !strcmp(record.name, name);
}

/* Another program begins where threads were; a child; a library. */
TEST(processes)
{
	struct writer writer = begin();
	struct dwell_sampler_begin from_us = {.parent_pid = writer.pid, .name = "first"}, forked = {.parent_pid = 55, .forked = 1};
	struct dwell_sampler_begin unknown = {.parent_pid = 66, .name = "by vfork"};
	struct {
		struct dwell_sampler_map map;
		char path[8];
	} library = {{0x1000, 0x2000, 0x300}, "/lib/x"}, upside_down = {{0x2000, 0x1000, 0}, "/lib/y"};
	struct perf_record record;
	uint32_t tid = writer.tid;

	write_record(&writer, DWELL_SAMPLER_BEGIN, 1, &from_us, sizeof from_us);
	CHECK(next_is(&writer, PERF_EXEC, tid, "first"));
	write_name(&writer, DWELL_SAMPLER_THREAD, 2, "main thread");
	CHECK(next_is(&writer, PERF_THREAD, tid, NULL) && next_is(&writer, PERF_NAME, tid, "main thread"));
	writer.tid = tid + 1;
	write_name(&writer, DWELL_SAMPLER_THREAD, 3, "sixteen letters!");
	CHECK(next_is(&writer, PERF_THREAD, tid + 1, NULL) && next_is(&writer, PERF_NAME, tid + 1, "sixteen letters!"));
	write_name(&writer, DWELL_SAMPLER_NAME, 4, "other");
	CHECK(next_is(&writer, PERF_NAME, tid + 1, "other"));
	write_name(&writer, DWELL_SAMPLER_THREAD_END, 5, "last");
	CHECK(next_is(&writer, PERF_NAME, tid + 1, "last") && next_is(&writer, PERF_THREAD_END, tid + 1, NULL));
	write_record(&writer, DWELL_SAMPLER_MAP, 6, &upside_down, sizeof upside_down);
	write_record(&writer, DWELL_SAMPLER_MAP, 6, &library, sizeof library);
	CHECK(timer_set_next(writer.set, UINT64_MAX, &record) && record.kind == PERF_MAP && record.map.low == 0x1000);
	CHECK(record.map.high == 0x2000 && record.map.offset == 0x300 && !strcmp(record.map.path, "/lib/x"));
	writer.tid = tid;
	write_record(&writer, DWELL_SAMPLER_BEGIN, 7, &unknown, sizeof unknown);
	CHECK(next_is(&writer, PERF_THREAD_END, tid, NULL) && next_is(&writer, PERF_EXEC, tid, "by vfork"));
	write_record(&writer, DWELL_SAMPLER_BEGIN, 8, &forked, sizeof forked);
	CHECK(timer_set_next(writer.set, UINT64_MAX, &record) && record.kind == PERF_PROCESS && record.parent_pid == 55);
	write_record(&writer, DWELL_SAMPLER_BEGIN, 9, &unknown, sizeof unknown);
	CHECK(timer_set_next(writer.set, UINT64_MAX, &record) && record.kind == PERF_PROCESS && record.parent_pid == 66);
	CHECK(next_is(&writer, PERF_EXEC, tid, "by vfork"));
	end(&writer);
}

static uint32_t make_dead(void)
{
	pid_t pid = fork();

	if (!pid)
		_exit(0);
	waitpid(pid, NULL, 0);
	return (uint32_t)pid;
}

/* Killed in the middle of a record, before it had said who it is, and without a word. */
TEST(killed)
{
	struct writer writer = begin();
	struct perf_record record;
	uint32_t alive = writer.pid, dead = make_dead();

	writer.pid = writer.tid = dead;
	say(&writer, claim(&writer, 3000), DWELL_SAMPLER_SAMPLE, 1);
	writer.pid = writer.tid = alive;
	write_sample(&writer, 2, 100);
	CHECK(timer_set_next(writer.set, UINT64_MAX, &record) && is_sample(&record, 2, 100));

	claim(&writer, 3000);
	write_sample(&writer, 3, 100);
	CHECK(!timer_set_next(writer.set, 4, &record));
	usleep(1100000);
	CHECK(timer_set_next(writer.set, 4, &record) && is_sample(&record, 3, 100));
	CHECK_EQ(writer.shared->tail, writer.shared->head);

	/* One that lives is waited for, and what is behind it with it. */
	say(&writer, claim(&writer, 64), DWELL_SAMPLER_SAMPLE, 4);
	write_sample(&writer, 5, 100);
	CHECK(!timer_set_next(writer.set, 6, &record));
	end(&writer);

	writer = begin();
	writer.pid = writer.tid = dead;
	write_name(&writer, DWELL_SAMPLER_THREAD, 1, "x");
	CHECK(next_is(&writer, PERF_THREAD, dead, NULL) && next_is(&writer, PERF_NAME, dead, "x"));
	CHECK(next_is(&writer, PERF_THREAD_END, dead, NULL));
	CHECK(!timer_set_next(writer.set, UINT64_MAX, &record));
	end(&writer);
}

TEST(forks)
{
	struct writer writer = begin();

	CHECK(!timer_set_awaits_reports(writer.set, 1000));
	writer.shared->forks = 2;
	writer.shared->forks_reported = 1;
	CHECK(timer_set_awaits_reports(writer.set, 1000) && timer_set_awaits_reports(writer.set, 999999999));
	CHECK(!timer_set_awaits_reports(writer.set, 1000001000)); /* a fork that failed is not waited for for ever */
	writer.shared->forks_reported = 2;
	CHECK(!timer_set_awaits_reports(writer.set, 1000));
	/* It has told, and nobody has read it. */
	write_name(&writer, DWELL_SAMPLER_THREAD, 5, "x");
	CHECK(timer_set_awaits_reports(writer.set, 1000));
	CHECK(next_is(&writer, PERF_THREAD, writer.pid, NULL));
	CHECK(timer_set_awaits_reports(writer.set, 1000));
	CHECK(next_is(&writer, PERF_NAME, writer.pid, "x"));
	CHECK(!timer_set_awaits_reports(writer.set, 1000));
	end(&writer);
}

/* Sizes that are not true. */
TEST(lies)
{
	struct dwell_sampler_sample sample = {.stack_bytes = 1};
	struct writer writer = begin();
	struct perf_record record;

	write_record(&writer, DWELL_SAMPLER_SAMPLE, 1, &sample, sizeof sample);     /* no stack behind it */
	write_record(&writer, DWELL_SAMPLER_SAMPLE, 1, &sample, sizeof sample - 1); /* not even that */
	write_record(&writer, DWELL_SAMPLER_MAP, 1, &sample, 20);
	write_record(&writer, DWELL_SAMPLER_BEGIN, 1, &sample, 4);
	write_record(&writer, DWELL_SAMPLER_NAME, 1, "", 1);
	write_record(&writer, 77, 1, "", 1);
	write_record(&writer, DWELL_SAMPLER_SAMPLE, 1, &sample, sizeof sample);
	dwell_sampler_record(writer.shared, 6)->bytes = UINT32_MAX;
	dwell_sampler_record(writer.shared, 6)->units = UINT32_MAX;
	writer.shared->tail = 12345; /* nobody asks what the program says of that */
	write_sample(&writer, 2, 9);
	CHECK(timer_set_next(writer.set, UINT64_MAX, &record) && is_sample(&record, 2, 9));
	end(&writer);
}

/* Any words anywhere: nothing is read from outside, and it comes to an end. */
TEST(noise)
{
	uint64_t random = 88172645463325252u;

	for (int round = 0; round < 30; round++) {
		struct writer writer = begin();
		struct perf_record record;
		int records = 0;

		for (uint32_t i = 0; i < 200; i++) {
			write_sample(&writer, i, i);
			for (int k = 0; k < 2; k++) {
				random ^= random << 13;
				random ^= random >> 7;
				random ^= random << 17;
				((uint32_t *)(void *)dwell_sampler_record(writer.shared, i))[2 + random % 8] =
					(uint32_t)(random >> 20);
			}
		}
		writer.shared->head += random << 40;
		while (records < 100000 && timer_set_next(writer.set, UINT64_MAX - 1, &record))
			records++;
		CHECK(records < 100000);
		end(&writer);
	}
}

int main(void)
{
	RUN(samples);
	RUN(until);
	RUN(processes);
	RUN(killed);
	RUN(forks);
	RUN(lies);
	RUN(noise);
	return tap_done();
}
