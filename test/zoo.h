/* A small trace with one of everything: each chunk kind, each tag, late stamps, holes, a ring that wrapped, three threads. What it
 * says is known by heart (zoo_…), so that whoever reads it can be checked. */
#ifndef DWELL_TEST_ZOO_H
#define DWELL_TEST_ZOO_H

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/slot.h"
#include "writer/trace/dwell.h"

#define ZOO_A 0x401000u
#define ZOO_B 0x402000u
#define ZOO_C 0x403000u
#define ZOO_HIGH 7u /* high half of the clock at the start */
#define ZOO_TICKS(low) (((uint64_t)ZOO_HIGH << 32) + (low))

enum { ZOO_EVENTS = 30, ZOO_HOLES = 3, ZOO_LATE = 1, ZOO_UNKNOWN_TAGS = 1, ZOO_SLOT_CHUNKS = 6, ZOO_SWITCHES = 2 /* chunks */ };
/* Of messages: a mark is a call, and an entry alone is none. */
enum { ZOO_ENTERS_AND_EXITS = ZOO_EVENTS + 2 - 1 };
/* Chunks of other kinds, SEEK and END left out. */
enum {
	ZOO_DECLARATIONS =
		1 /* process */ + 1 /* module */ + 4 /* threads */ + 2 /* clock */ + 1 /* info */ + 1 /* loss */ + 1 /* text */
};

static inline struct message_header zoo_header(void)
{
	return (struct message_header){.clock_hz = 2500000000,
		.clock_bits = 64,
		.clock_global = true,
		.clock_late = true,
		.start_unix_ns = UINT64_C(1700000000000000000),
		.pointer_bytes = 8,
		.machine = 62};
}

/* What its chunks of events are packed with. Null: they are not. */
static struct packer *zoo_packer;
/* Whether they are written by a thread of their own. */
static bool zoo_behind;

static inline bool zoo_slots(struct trace_writer *writer, uint32_t stream, const struct message_frame *frames, uint32_t frame_count,
	const uint64_t *slots, uint32_t count, uint64_t first, uint64_t last, uint32_t events)
{
	uint8_t bytes[128 * DWELL_SLOT_BYTES];
	/* in two pieces, as a ring that wraps gives it */
	struct bytes pieces[] = {{bytes, count / 2 * DWELL_SLOT_BYTES},
		{bytes + count / 2 * DWELL_SLOT_BYTES, (count - count / 2) * DWELL_SLOT_BYTES}};
	struct trace_slots run = {stream, frames, frame_count, pieces, 2, first, last, events, zoo_packer};

	for (uint32_t i = 0; i < count; i++)
		put_u64(bytes + i * DWELL_SLOT_BYTES, slots[i]);
	return trace_writer_slots(writer, &run);
}

static inline void zoo_declare(struct trace_writer *writer)
{
	static const char *const argv[] = {"./zoo", "--all", ""};
	static const uint8_t id[20] = {0xde, 0xad, 0xbe, 0xef, 5};
	struct message_process process = {.process = 0,
		.pid = 4711,
		.parent_pid = 1,
		.start_ticks = ZOO_TICKS(50),
		.path = "/bin/zoo",
		.argv = argv,
		.argc = 3};
	struct message_module module = {.process = 0,
		.low = 0x400000,
		.high = 0x500000,
		.bias = 0,
		.hooked = true,
		.build_id = id,
		.build_id_bytes = 20,
		.path = "/bin/zoo"};
	struct message_thread thread = {.stream = 0, .process = 0, .tid = 4711, .place_kind = DWELL_PLACE_LOW32, .name = "zoo"};
	struct message_thread second = {.stream = 9,
		.process = 0,
		.tid = 4712,
		.place_kind = DWELL_PLACE_LOW32,
		.wrapped = true,
		.lost_events = 40,
		.name = "keeper"};
	struct message_clock clock = {ZOO_TICKS(0), 1000, UINT64_C(1700000000000000000)};
	struct message_info facts[] = {{"host", "savanna"}, {"command", "dwell record ./zoo"}};

	trace_writer_process(writer, &process);
	trace_writer_module(writer, &module);
	trace_writer_thread(writer, &thread);
	trace_writer_thread(writer, &second);
	trace_writer_clock(writer, &clock);
	trace_writer_info(writer, facts, 2);
}

/* Stream 12: a thread that says what it is given and where it is: values, marks, entries alone, and two stacks of its own. */
static inline void zoo_told(struct trace_writer *writer)
{
	const struct message_text text = {1, "half time"};
	const uint64_t told[] = {
		dwell_slot_make(DWELL_TAG_TIME, ZOO_HIGH),
		dwell_slot_enter(ZOO_A, 400),
		dwell_slot_make(DWELL_TAG_ARG, 5),
		dwell_slot_make(DWELL_TAG_ARG, 0xabcdef10),
		dwell_slot_make(DWELL_TAG_ARG_HIGH, 0x7ffc),
		dwell_slot_make(DWELL_TAG_ENTRY, ZOO_A + 0x20),
		dwell_slot_enter(ZOO_C, 410),
		dwell_slot_make(DWELL_TAG_MARK, 420),
		dwell_slot_make(DWELL_TAG_MARK_TEXT, 1),
		dwell_slot_make(DWELL_TAG_STACK, 2),
		dwell_slot_enter(ZOO_B, 430),
		dwell_slot_make(DWELL_TAG_STACK, 0),
		dwell_slot_make(DWELL_TAG_WINDOW, DWELL_WINDOW_RAISED),
		dwell_slot_enter(ZOO_C + DWELL_TAG_LIMIT, 440),
		dwell_slot_exit(ZOO_C, 445),
		dwell_slot_make(DWELL_TAG_STACK, 2),
	};
	/* Goes on on stack 2, which begins anew at the end of it. */
	const uint64_t ends[] = {
		dwell_slot_make(DWELL_TAG_TIME, ZOO_HIGH),
		dwell_slot_make(DWELL_TAG_STACK, 2),
		dwell_slot_exit(ZOO_B, 450),
		dwell_slot_make(DWELL_TAG_RET, 0xfffffffe),
		dwell_slot_make(DWELL_TAG_RET_HIGH, 0xffffffff),
		dwell_slot_make(DWELL_TAG_STACK, DWELL_STACK_BEGINS | 2),
		dwell_slot_make(DWELL_TAG_STACK, 0),
		dwell_slot_exit(ZOO_A, 460),
		dwell_slot_make(DWELL_TAG_RET, 1),
	};
	const struct message_frame open[] = {{.place = ZOO_A, .enter_ticks = ZOO_TICKS(400), .child_ticks = 10},
		{.place = ZOO_B, .enter_ticks = ZOO_TICKS(430), .child_ticks = 15, .stack = 2}};
	const struct message_thread thread = {
		.stream = 12, .process = 0, .tid = 4713, .place_kind = DWELL_PLACE_LOW32, .name = "weaver"};

	trace_writer_text(writer, &text);
	trace_writer_thread(writer, &thread);
	zoo_slots(writer, 12, NULL, 0, told, 16, ZOO_TICKS(400), ZOO_TICKS(445), 5);
	zoo_slots(writer, 12, open, 2, ends, 9, ZOO_TICKS(450), ZOO_TICKS(460), 2);
}

static inline void zoo_events(struct trace_writer *writer)
{
	/* Stream 0: plain calls, a late stamp, the clock's low half turns. */
	const uint64_t plain[] = {
		dwell_slot_make(DWELL_TAG_TIME, ZOO_HIGH),
		dwell_slot_enter(ZOO_A, 100),
		dwell_slot_enter(ZOO_B, 110),
		dwell_slot_exit(ZOO_B, 150),
		dwell_slot_enter(ZOO_B, 171 /* late */),
		dwell_slot_enter(ZOO_C, 170),
		dwell_slot_exit(ZOO_C, 180),
		dwell_slot_exit(ZOO_B, 0xfffffff0),
		dwell_slot_make(DWELL_TAG_TIME, ZOO_HIGH + 1),
		dwell_slot_enter(ZOO_B, 5),
	};
	/* Goes on inside A and B: every tag. */
	const uint64_t tags[] = {
		dwell_slot_make(DWELL_TAG_TIME, ZOO_HIGH + 1),
		dwell_slot_enter(ZOO_C, 10),
		dwell_slot_make(DWELL_TAG_UNWIND_JUMP, 20),
		dwell_slot_make(DWELL_TAG_CALLER, ZOO_A + 0x10),
		dwell_slot_enter(ZOO_C, 30),
		dwell_slot_make(DWELL_TAG_UNWIND_CATCH, 40),
		dwell_slot_exit(ZOO_A, 50),
		dwell_slot_make(DWELL_TAG_LOST, 12),
		dwell_slot_make(DWELL_TAG_LOST_POPS, 0),
		dwell_slot_make(DWELL_TAG_LOST_PUSHES, 1),
		dwell_slot_make(DWELL_TAG_OFF, 60),
		dwell_slot_make(DWELL_TAG_ON, 70),
		dwell_slot_make(DWELL_TAG_WINDOW, 0x7fff),
		dwell_slot_enter(ZOO_B, 80),
		dwell_slot_make(DWELL_TAG_WINDOW, 0x7fff),
		dwell_slot_exit(ZOO_B, 90),
		dwell_slot_make(DWELL_TAG_HOLE, 0),
		dwell_slot_make(DWELL_TAG_HOLE, 0),
		dwell_slot_enter(ZOO_A, 95),
		dwell_slot_make(99, 1),
		dwell_slot_make(DWELL_TAG_HELD, 96),
		dwell_slot_make(DWELL_TAG_TIME, ZOO_HIGH + 1),
		dwell_slot_make(DWELL_TAG_HELD_END, 98),
		dwell_slot_exit(ZOO_A, 99),
	};
	/* Stream 9: a ring that wrapped; begins inside of two calls. */
	const uint64_t wrapped[] = {
		dwell_slot_make(DWELL_TAG_TIME, ZOO_HIGH),
		dwell_slot_exit(ZOO_C, 200),
		dwell_slot_enter(ZOO_C, 210),
		dwell_slot_exit(ZOO_C, 260),
	};
	const uint64_t rest[] = {
		dwell_slot_make(DWELL_TAG_TIME, ZOO_HIGH),
		dwell_slot_enter(ZOO_C, 300),
		dwell_slot_exit(ZOO_C, 310),
		dwell_slot_exit(ZOO_B, 320),
		dwell_slot_exit(ZOO_A, 330),
		dwell_slot_enter(ZOO_A, 340),
		dwell_slot_make(DWELL_TAG_HOLE, 0),
	};
	const struct message_frame inside[] = {{.place = ZOO_A, .enter_ticks = ZOO_TICKS(100), .child_ticks = 0xffffff78},
		{.place = ZOO_B, .enter_ticks = ZOO_TICKS(0x100000005)}};
	const struct message_frame unknown[] = {{.place = ZOO_A, .enter_ticks = ZOO_TICKS(100), .no_entry = true},
		{.enter_ticks = ZOO_TICKS(100), .no_entry = true, .no_place = true},
		{.place = ZOO_C, .enter_ticks = ZOO_TICKS(120)}};
	/* Off in B; from A's into B's and C's time; told late, from before the other ended, over the turn of the clock's low
	 * half. */
	const struct message_switch early[] = {{ZOO_TICKS(120), ZOO_TICKS(140), false}, {ZOO_TICKS(160), ZOO_TICKS(175), true}};
	const struct message_switch late[] = {
		{ZOO_TICKS(1000), ZOO_TICKS(2000), false}, {ZOO_TICKS(0x10000000b), ZOO_TICKS(0x10000000e), true}};
	const struct message_switches zero[] = {
		{.stream = 0, .until_ticks = ZOO_TICKS(0x100000008), .switches = early, .count = 2},
		{.stream = 0,
			.from_ticks = ZOO_TICKS(0x100000008),
			.until_ticks = ZOO_TICKS(0x100000040),
			.off_before_ticks = 35,
			.preempted_before_ticks = 15,
			.switches = late,
			.count = 2}};
	struct message_loss loss = {.stream = 0, .reason = DWELL_LOSS_SETUP, .count = 2, .ticks = ZOO_TICKS(400)};

	trace_writer_switches(writer, &zero[0]);
	zoo_slots(writer, 0, NULL, 0, plain, 10, ZOO_TICKS(100), ZOO_TICKS(0x100000005), 8);
	zoo_slots(writer, 9, unknown, 3, wrapped, 4, ZOO_TICKS(200), ZOO_TICKS(260), 3);
	trace_writer_switches(writer, &zero[1]);
	zoo_slots(writer, 0, inside, 2, tags, 24, ZOO_TICKS(0x10000000a), ZOO_TICKS(0x100000063), 7);
	zoo_slots(writer, 9, unknown, 2, rest, 7, ZOO_TICKS(300), ZOO_TICKS(340), 5);
	trace_writer_loss(writer, &loss);
	zoo_told(writer);
}

/* Writes the zoo. False when not all of it is in the file. */
static inline bool zoo_write(const char *path, struct diag *diag)
{
	struct message_header header = zoo_header();
	struct trace_writer *writer = make_trace_writer(path, &header, diag);
	struct message_thread ended = {
		.stream = 9, .process = 0, .tid = 4712, .ended = true, .wrapped = true, .lost_events = 40, .name = "keeper"};
	struct message_clock clock = {ZOO_TICKS(0x100000064), 1000 + 1717986958, UINT64_C(1700000000000000000) + 1717986958};
	bool whole;

	if (!writer || (zoo_behind && !trace_writer_start_thread(writer)))
		return false;
	zoo_declare(writer);
	zoo_events(writer);
	trace_writer_thread(writer, &ended);
	trace_writer_clock(writer, &clock);
	whole = trace_writer_finish(writer);
	free_trace_writer(writer);
	return whole;
}

/* The same zoo in packed chunks. */
static inline bool zoo_write_packed(const char *path, struct diag *diag)
{
	bool whole;

	zoo_packer = make_packer();
	whole = zoo_packer && zoo_write(path, diag);
	free_packer(zoo_packer);
	zoo_packer = NULL;
	return whole;
}

/* Makes the path of a scratch file of this test. */
static inline const char *zoo_scratch(char path[static 256], const char *name)
{
	const char *folder = getenv("TMPDIR");

	snprintf(path, 256, "%s/dwell-test-%d-%s", folder ? folder : "/tmp", (int)getpid(), name);
	return path;
}

/* The bytes of a file, to be freed; null when there is none. */
static inline uint8_t *zoo_load(const char *path, size_t *size)
{
	FILE *file = fopen(path, "rb");
	uint8_t *data = NULL;
	long length;

	if (!file)
		return NULL;
	if (!fseek(file, 0, SEEK_END) && (length = ftell(file)) >= 0 && (data = malloc((size_t)length + 1))) {
		rewind(file);
		*size = fread(data, 1, (size_t)length, file);
	}
	fclose(file);
	return data;
}

/* Calls back with each dwell trace of test/trace/good, and frees it. */
static inline void zoo_each_good(void (*each)(const char *name, uint8_t *data, size_t size))
{
	const char *root = getenv("ROOT");
	char folder[1024], path[2048];
	struct dirent *entry;
	DIR *directory;

	snprintf(folder, sizeof folder, "%s/test/trace/good", root ? root : ".");
	directory = opendir(folder);
	while (directory && (entry = readdir(directory))) {
		size_t size = 0;
		uint8_t *data;

		snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
		if (!strstr(entry->d_name, ".dwell") || !(data = zoo_load(path, &size)))
			continue;
		printf("# %s\n", entry->d_name);
		each(entry->d_name, data, size);
		free(data);
	}
	if (directory)
		closedir(directory);
}

#endif
