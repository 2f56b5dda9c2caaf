/* What share of the CPU time recorded functions have. The recorded program is this one: its symbols tell which function is
 * where. */
#include "query/coverage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "core/slot.h"
#include "query/health.h"
#include "zoo.h"

__asm__(".text\n.balign 16\n"
	".type dwell_test_recorded, @function\ndwell_test_recorded: .skip 32, 0x90\n.size dwell_test_recorded, 32\n"
	".type dwell_test_other, @function\ndwell_test_other: .skip 32, 0x90\n.size dwell_test_other, 32\n");
extern const char __ehdr_start, dwell_test_recorded, dwell_test_other;

#define OTHER_LOW UINT64_C(0x710000000000)
#define AGENT_LOW UINT64_C(0x720000000000)

static void write_trace(const char *path, const struct message_cpu_place *places, uint32_t count, struct diag *diag)
{
	const uint64_t base = (uint64_t)(uintptr_t)&__ehdr_start, place = (uint64_t)(uintptr_t)&dwell_test_recorded & UINT32_MAX;
	const uint64_t slots[] = {dwell_slot_make(DWELL_TAG_TIME, ZOO_HIGH), dwell_slot_enter((uint32_t)place, 100),
		dwell_slot_exit((uint32_t)place, 90000)};
	struct message_header header = zoo_header();
	struct trace_writer *writer;
	char self[4096] = "";

	CHECK(readlink("/proc/self/exe", self, sizeof self - 1) > 0);
	header.machine = 62;
	writer = make_trace_writer(path, &header, diag);
	trace_writer_process(writer, &(struct message_process){.pid = 4711, .start_ticks = 1, .path = self});
	trace_writer_module(writer,
		&(struct message_module){.low = base, .high = base + (64u << 20), .bias = base, .hooked = true, .path = self});
	trace_writer_module(writer, &(struct message_module){.low = OTHER_LOW, .high = OTHER_LOW + 0x10000, .path = "/lib/libother.so.3.1"});
	trace_writer_module(
		writer, &(struct message_module){.low = AGENT_LOW, .high = AGENT_LOW + 0x1000, .path = "/usr/lib/dwell/libdwell.so.1"});
	trace_writer_thread(writer, &(struct message_thread){.tid = 4711, .place_kind = DWELL_PLACE_LOW32, .name = "held"});
	zoo_slots(writer, 0, NULL, 0, slots, 3, ZOO_TICKS(100), ZOO_TICKS(90000), 2);
	/* Two chunks: they add up. */
	trace_writer_cpu_places(writer, &(struct message_cpu_places){3970000, 0, places, count / 2});
	trace_writer_cpu_places(writer, &(struct message_cpu_places){3970000, 0, places + count / 2, count - count / 2});
	trace_writer_finish(writer);
	free_trace_writer(writer);
}

static void find(const struct message_cpu_place *places, uint32_t count, struct coverage *coverage, struct health *health,
	char text[static COVERAGE_TEXT_BYTES])
{
	const struct model_options options = {.want_profile = true};
	struct diag *diag = make_diag();
	struct trace trace = {.jobs = 1};
	char path[256];

	write_trace(zoo_scratch(path, "held.dwell"), places, count, diag);
	CHECK(trace_open(&trace, path, diag) && trace_make_model(&trace, &options, false) && trace_read(&trace));
	coverage_find(&trace, coverage);
	if (coverage->samples)
		coverage_format(&trace, coverage, text);
	health_find(&trace, health);
	free(coverage->files); /* the numbers stay */
	coverage->files = NULL;
	trace_close(&trace);
	diag_print(diag, stdout);
	free_diag(diag);
	remove(path);
}

static uint64_t here(const char *place)
{
	return (uint64_t)(uintptr_t)place;
}

TEST(most_is_elsewhere)
{
	const struct message_cpu_place places[] = {{here(&dwell_test_recorded) + 4, ZOO_TICKS(200), 4711, 20},
		{here(&dwell_test_recorded) + 20, ZOO_TICKS(300), 4711, 5}, {here(&dwell_test_other) + 8, ZOO_TICKS(300), 4711, 15},
		{OTHER_LOW + 0x123, ZOO_TICKS(300), 4711, 52}, {AGENT_LOW + 5, ZOO_TICKS(300), 4711, 1000 /* recording */},
		{OTHER_LOW + 0x456, ZOO_TICKS(300), 4712, 8 /* who is that? */}};
	struct coverage coverage;
	struct health health;
	char text[COVERAGE_TEXT_BYTES];

	find(places, 6, &coverage, &health, text);
	CHECK_EQ(coverage.samples, 100);
	CHECK_EQ(coverage.recorded, 25);
	CHECK_EQ(coverage.other_processes, 8);
	CHECK_EQ(coverage_get_missing(&coverage), 75);
	CHECK_STR(text, "recorded functions hold about 25 % of the CPU time outside of the kernel; about 52 % is in libother.so.3.1, 15 % in "
			"other functions of coverage, 8 % in programs that are not recorded (to record it: --trace --only 'module:libother.so*')");
	CHECK_STR(health.findings[0].key, "unrecorded_percent");
	CHECK_STR(health.findings[0].many, text);
	CHECK(health.findings[0].severity == HEALTH_LOSS && !health.is_complete && health.is_partial);
}

/* Less than half: what is there is complete, and it is said of what. */
TEST(some_is_elsewhere)
{
	const struct message_cpu_place places[] = {
		{here(&dwell_test_recorded), ZOO_TICKS(200), 4711, 90}, {OTHER_LOW, ZOO_TICKS(300), 4711, 10}};
	struct coverage coverage;
	struct health health;
	char text[COVERAGE_TEXT_BYTES];

	find(places, 2, &coverage, &health, text);
	CHECK_EQ(coverage_get_missing(&coverage), 10);
	CHECK(health.findings[0].severity == HEALTH_NOTE && health.is_complete && health.is_partial);
}

/* Of few samples: the most that it can be. */
TEST(few_are_recorded)
{
	const struct message_cpu_place places[] = {{OTHER_LOW, ZOO_TICKS(300), 4711, 13}};
	struct coverage coverage;
	struct health health;
	char text[COVERAGE_TEXT_BYTES];

	find(places, 1, &coverage, &health, text);
	CHECK_EQ(coverage_get_missing(&coverage), 100);
	CHECK_STR(text, "recorded functions hold at most 23 % of the CPU time outside of the kernel; 13 of 13 samples are in libother.so.3.1 "
			"(to record it: --trace --only 'module:libother.so*')");
	CHECK(health.findings[0].severity == HEALTH_LOSS && !health.is_complete);
}

/* Nearly all is recorded, or there are too few samples to tell, or none. */
TEST(nothing_to_say)
{
	const struct message_cpu_place most[] = {
		{here(&dwell_test_recorded), ZOO_TICKS(200), 4711, 97}, {OTHER_LOW, ZOO_TICKS(300), 4711, 3}};
	const struct message_cpu_place few[] = {
		{here(&dwell_test_recorded), ZOO_TICKS(200), 4711, 6}, {OTHER_LOW, ZOO_TICKS(300), 4711, 13}};
	struct coverage coverage;
	struct health health;
	char text[COVERAGE_TEXT_BYTES];

	find(most, 2, &coverage, &health, text);
	CHECK(!coverage_get_missing(&coverage) && !health.findings[0].count && !health.is_partial);
	find(few, 2, &coverage, &health, text);
	CHECK(!coverage_get_missing(&coverage) && !health.findings[0].count && health.is_complete);
	find(few, 0, &coverage, &health, text);
	CHECK(!coverage.samples && !health.is_partial);
}

int main(void)
{
	RUN(most_is_elsewhere);
	RUN(some_is_elsewhere);
	RUN(few_are_recorded);
	RUN(nothing_to_say);
	return tap_done();
}
