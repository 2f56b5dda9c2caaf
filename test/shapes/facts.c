/* facts: traces of dwell's own that say much beside their calls. */
#include <string.h>

#include "shapes/trace.h"

static void call(struct trace *trace, uint32_t function)
{
	trace_enter(trace, function);
	trace_exit(trace, function);
}

/* Side by side, a call in each. */
static void modules(const char *path, uint32_t count)
{
	struct trace *trace = trace_begin(path);
	char name[32];

	for (uint32_t i = 0; i < count; i++) {
		snprintf(name, sizeof name, "/no/lib%u.so", i);
		trace_module(trace, 0, TRACE_LOW + 0x1000 * (uint64_t)i, TRACE_LOW + 0x1000 * (i + UINT64_C(1)), 0, name);
	}
	for (uint32_t i = 0; i < count; i++)
		call(trace, 0x100 * i);
	trace_end(trace);
}

/* Of one file. */
static void modules_of_one_file(const char *path, uint32_t count)
{
	struct trace *trace = trace_begin(path);

	for (uint32_t i = 0; i < count; i++)
		trace_module(trace, 0, TRACE_LOW + 0x1000 * (uint64_t)i, TRACE_LOW + 0x1000 * (i + UINT64_C(1)), 0,
			"/no/lib.so");
	for (uint32_t i = 0; i < count; i++)
		call(trace, 0x100 * i);
	trace_end(trace);
}

/* One after the other in one place. */
static void modules_in_turn(const char *path, uint32_t count)
{
	struct trace *trace = trace_begin(path);
	char name[32];

	for (uint32_t i = 0; i < count; i++) {
		snprintf(name, sizeof name, "/no/lib%u.so", i);
		trace_module(trace, 0, TRACE_LOW, TRACE_LOW + 0x1000, trace->ticks + 1, name);
		call(trace, i % 100);
	}
	trace_end(trace);
}

/* Each unmapped before the next one comes. */
static void modules_gone(const char *path, uint32_t count)
{
	struct trace *trace = trace_begin(path);

	for (uint32_t i = 0; i < count; i++) {
		struct message_module module = {.low = TRACE_LOW, .high = TRACE_LOW + 0x1000,
			.load_ticks = trace->ticks + 1, .hooked = true, .path = "/no/lib.so"};

		trace_writer_module(trace->writer, &module);
		call(trace, i % 100);
		module.unmapped = true;
		module.load_ticks = trace->ticks + 1;
		trace_writer_module(trace->writer, &module);
	}
	trace_end(trace);
}

/* Each within the one before, so that all of them are at one address. */
static void modules_nested(const char *path, uint32_t count)
{
	struct trace *trace = trace_begin(path);
	char name[32];

	for (uint32_t i = 0; i < count; i++) {
		snprintf(name, sizeof name, "/no/lib%u.so", i);
		trace_module(trace, 0, TRACE_LOW + 16 * (uint64_t)i, TRACE_LOW + 16 * (2 * (uint64_t)count - i), 1, name);
	}
	for (uint32_t i = 0; i < 2 * count; i++)
		call(trace, i);
	trace_end(trace);
}

static void threads_again(const char *path, uint32_t count)
{
	struct trace *trace = trace_begin(path);
	char name[32];

	for (uint32_t i = 0; i < count; i++) {
		snprintf(name, sizeof name, "name-%u", i);
		trace_thread(trace, 0, 0, name);
	}
	call(trace, 1);
	trace_end(trace);
}

static void processes_again(const char *path, uint32_t count)
{
	struct trace *trace = trace_begin(path);
	char name[32];

	for (uint32_t i = 0; i < count; i++) {
		const struct message_process process = {.pid = i, .parent_pid = i, .path = name, .ended = i % 2};

		snprintf(name, sizeof name, "/no/app-%u", i);
		trace_writer_process(trace->writer, &process);
	}
	call(trace, 1);
	trace_end(trace);
}

static void arguments(const char *path, uint32_t count)
{
	struct trace *trace = trace_begin(path);
	static const char *words[4096];
	const struct message_process process = {.pid = 10, .path = "/no/app", .argv = words, .argc = 4096};

	for (uint32_t i = 0; i < 4096; i++)
		words[i] = "-v";
	for (uint32_t i = 0; i < count; i += 64)
		trace_writer_process(trace->writer, &process);
	call(trace, 1);
	trace_end(trace);
}

static void clocks(const char *path, uint32_t count)
{
	struct trace *trace = trace_begin(path);

	for (uint32_t i = 0; i < count; i++) {
		const struct message_clock clock = {2000 + i, 2000 + i + i % 3, i};

		trace_writer_clock(trace->writer, &clock);
		trace->ticks = 2000 + i;
		if (i % 4 == 0)
			call(trace, 1);
	}
	trace->ticks += 10;
	trace_end(trace);
}

static void losses(const char *path, uint32_t count)
{
	struct trace *trace = trace_begin(path);

	for (uint32_t i = 0; i < count; i++) {
		const struct message_loss loss = {.stream = i, .reason = i % 20, .count = i, .ticks = i};

		trace_writer_loss(trace->writer, &loss);
	}
	call(trace, 1);
	trace_end(trace);
}

static void info(const char *path, uint32_t count)
{
	struct trace *trace = trace_begin(path);
	char key[32];

	for (uint32_t i = 0; i < count; i++) {
		const struct message_info fact = {key, "value"};

		snprintf(key, sizeof key, "key-%u", i);
		trace_writer_info(trace->writer, &fact, 1);
	}
	call(trace, 1);
	trace_end(trace);
}

static void info_of_one_key(const char *path, uint32_t count, const char *key, const char *value)
{
	struct trace *trace = trace_begin(path);
	const struct message_info fact = {key, value};

	for (uint32_t i = 0; i < count; i++)
		trace_writer_info(trace->writer, &fact, 1);
	call(trace, 1);
	trace_end(trace);
}

static void info_interrupted(const char *path, uint32_t count)
{
	info_of_one_key(path, count, "interrupted", "12 samples, 12036108 ns");
}

static void info_kept(const char *path, uint32_t count)
{
	info_of_one_key(path, count, "kept-slowest",
		"3 of 104233 calls, 0 cut, 1 open, 8123456 ticks, of handle, buckets 205:104200 399:33");
}

static void info_overhead(const char *path, uint32_t count)
{
	info_of_one_key(path, count, "overhead-left-out", "400000 calls, recorded and then left out");
}

static void info_left_out(const char *path, uint32_t count)
{
	info_of_one_key(path, count, "left-out", "--depth 3, --not vec_*");
}

static void info_snapshot(const char *path, uint32_t count)
{
	info_of_one_key(path, count, "snapshot-when",
		"handle took 12.3 ms, more than 5 ms, on thread 4712 (worker) of process 4711");
}

/* A chunk of intervals in front of each chunk of calls. */
static void switches(const char *path, uint32_t count)
{
	struct trace *trace = trace_begin(path);
	uint64_t known = 1000;

	for (uint32_t i = 0; i < count; i++) {
		const struct message_switch one[] = {{trace->ticks + 2, trace->ticks + 3, i % 2}, {trace->ticks + 4,
			trace->ticks + 5, i % 3}};
		const struct message_switches all = {.from_ticks = known, .until_ticks = trace->ticks + 6,
			.off_before_ticks = 2 * i, .switches = one, .count = 2};

		trace_writer_switches(trace->writer, &all);
		known = trace->ticks + 6;
		trace_enter(trace, i % 9);
		trace->ticks += 5;
		trace_exit(trace, i % 9);
		trace_flush(trace);
	}
	trace_end(trace);
}

/* All of them in front, and calls through all of them. */
static void switches_first(const char *path, uint32_t count)
{
	struct trace *trace = trace_begin(path);
	struct message_switch *all = malloc(count * sizeof *all);

	for (uint32_t i = 0; i < count; i++)
		all[i] = (struct message_switch){trace->ticks + 3 * (uint64_t)i + 1,
			trace->ticks + 3 * (uint64_t)i + 2, i % 2};
	for (uint32_t i = 0; i < count;) {
		uint32_t few = count - i < 1000 ? count - i : 1000;
		const struct message_switches some = {.from_ticks = all[i].out_ticks - 1,
			.until_ticks = all[i + few - 1].in_ticks + 1, .off_before_ticks = i,
			.switches = all + i, .count = few};

		trace_writer_switches(trace->writer, &some);
		i += few;
	}
	for (uint32_t i = 0; i < count; i++)
		trace_enter(trace, i % 1000);
	trace->ticks += 3 * (uint64_t)count;
	for (uint32_t i = count; i--;)
		trace_exit(trace, i % 1000);
	free(all);
	trace_end(trace);
}

/* Each chunk of intervals reaches over all that comes. */
static void switches_over(const char *path, uint32_t count)
{
	struct trace *trace = trace_begin(path);

	for (uint32_t i = 0; i < count; i++) {
		const struct message_switch one = {trace->ticks + 1, 1000000000, false};
		const struct message_switches all = {.from_ticks = 1, .until_ticks = UINT64_C(2000000000),
			.switches = &one, .count = 1};

		trace_writer_switches(trace->writer, &all);
		if (i % 2)
			call(trace, 1);
		trace_flush(trace);
	}
	trace_end(trace);
}

static void throttled(const char *path, uint32_t count)
{
	struct trace *trace = trace_begin(path);

	for (uint32_t i = 0; i < count; i++) {
		const struct message_throttled one = {.place = TRACE_LOW + 16 * (uint64_t)i,
			.since_ticks = trace->ticks, .calls = 100, .call_sixteenths = 99, .cut = 1};
		const struct message_throttle some = {.list = &one, .count = 1};

		trace_writer_throttle(trace->writer, &some);
		call(trace, i);
	}
	trace_end(trace);
}

/* One function, again and again. */
static void throttled_again(const char *path, uint32_t count)
{
	struct trace *trace = trace_begin(path);

	for (uint32_t i = 0; i < count; i++) {
		const struct message_throttled one = {.place = TRACE_LOW, .since_ticks = 2000 + i % (count / 2),
			.until_ticks = 3000 + i, .calls = i, .call_sixteenths = 99, .is_counted = true};
		const struct message_throttle some = {.list = &one, .count = 1};

		trace_writer_throttle(trace->writer, &some);
	}
	call(trace, 1);
	trace_end(trace);
}

static void names(const char *path, uint32_t count)
{
	struct trace *trace = trace_begin(path);
	struct message_name *list = malloc(count * sizeof *list);
	char (*texts)[24] = malloc(count * sizeof *texts);
	const uint8_t id[20] = {0};
	const struct message_names all = {.path = "/no/app", .build_id = id, .names = list, .count = count};

	for (uint32_t i = 0; i < count; i++) {
		snprintf(texts[i], sizeof texts[i], "name_%u", i % 1000 ? i : 7);
		list[i] = (struct message_name){TRACE_LOW + 16 * (uint64_t)(count - i), i % 3 ? 16 : 64, texts[i]};
		if (i % 2)
			call(trace, i);
	}
	trace_writer_names(trace->writer, &all);
	free(texts);
	free(list);
	trace_end(trace);
}

/* All of them at one address, or around it. */
static void names_in_one_place(const char *path, uint32_t count, bool is_nested)
{
	struct trace *trace = trace_begin(path);
	struct message_name *list = malloc(count * sizeof *list);
	char (*texts)[24] = malloc(count * sizeof *texts);
	const uint8_t id[20] = {0};
	const struct message_names all = {.path = "/no/app", .build_id = id, .names = list, .count = count};

	for (uint32_t i = 0; i < count; i++) {
		snprintf(texts[i], sizeof texts[i], "name_%u", i);
		list[i] = (struct message_name){TRACE_LOW + (is_nested ? 16 * (uint64_t)i : 0),
			is_nested ? 32 * (uint64_t)(count - i) : 16, texts[i]};
		call(trace, is_nested ? 2 * i : i);
	}
	trace_writer_names(trace->writer, &all);
	free(texts);
	free(list);
	trace_end(trace);
}

static void names_at_one(const char *path, uint32_t count)
{
	names_in_one_place(path, count, false);
}

static void names_nested(const char *path, uint32_t count)
{
	names_in_one_place(path, count, true);
}

/* A chunk for each of them. */
static void names_chunks(const char *path, uint32_t count)
{
	struct trace *trace = trace_begin(path);
	const uint8_t id[20] = {0};
	char text[24], file[24];

	for (uint32_t i = 0; i < count; i++) {
		const struct message_name name = {TRACE_LOW + 16 * (uint64_t)i, 16, text};
		const struct message_names all = {.path = i % 2 ? "/no/app" : file, .build_id = id, .names = &name,
			.count = 1};

		snprintf(text, sizeof text, "name_%u", i);
		snprintf(file, sizeof file, "/no/app-%u", i);
		trace_writer_names(trace->writer, &all);
		call(trace, i);
	}
	trace_end(trace);
}

static void names_long(const char *path, uint32_t count)
{
	struct trace *trace = trace_begin(path);
	const uint8_t id[20] = {0};
	char *text = malloc(count + 1);
	const struct message_name name = {TRACE_LOW, 16, text};
	const struct message_names all = {.path = "/no/app", .build_id = id, .names = &name, .count = 1};

	for (uint32_t i = 0; i < count; i++)
		text[i] = "a<b<"[i % 4];
	text[count] = 0;
	memcpy(text, "_Z", 2);
	trace_writer_names(trace->writer, &all);
	call(trace, 0);
	free(text);
	trace_end(trace);
}

static void sum(struct trace *trace, const struct message_sums *sums)
{
	if (!trace_writer_sums(trace->writer, sums)) {
		fputs("a chunk of sums was refused\n", stderr);
		exit(2);
	}
}

static struct message_sum_function sum_function(uint32_t number)
{
	return (struct message_sum_function){.place = TRACE_LOW + 16 * (uint64_t)number, .min_ticks = 1,
		.max_ticks = 9, .sum_ticks = 10, .bucket_count = 1};
}

enum form { FORM_DEEP, FORM_WIDE, FORM_RECURSION };

/* nodes: as one chunk. */
static void put_sums(struct trace *trace, uint32_t first, uint32_t count, enum form form, bool has_frames)
{
	struct message_sum_node *nodes = calloc(count, sizeof *nodes);
	struct message_sum_function *functions = calloc(count, sizeof *functions);
	struct message_sum_bucket *buckets = calloc(count, sizeof *buckets);
	struct message_sum_frame *frames = calloc(count, sizeof *frames);
	const uint32_t function_count = form == FORM_RECURSION ? 1 : count;
	const struct message_sums sums = {.is_all = true, .events = 2 * count, .first_ticks = 1000,
		.last_ticks = 1000000, .nodes = nodes,
		.functions = functions, .buckets = buckets, .frames = frames, .node_count = count,
			.function_count = function_count,
		.bucket_count = function_count, .frame_count = has_frames ? count : 0};

	for (uint32_t i = 0; i < count; i++) {
		nodes[i] = (struct message_sum_node){form == FORM_WIDE ? i != 0 : i,
			form == FORM_RECURSION ? 1 : i + 1, 1, 10, 1, 0};
		functions[i] = sum_function(first + i);
		buckets[i] = (struct message_sum_bucket){5, 1};
		frames[i] = (struct message_sum_frame){.node = i + 1, .enter_ticks = 1000 + i};
	}
	sum(trace, &sums);
	free(nodes);
	free(functions);
	free(buckets);
	free(frames);
}

static void sums_deep(const char *path, uint32_t count)
{
	struct trace *trace = trace_begin(path);

	put_sums(trace, 0, count, FORM_DEEP, false);
	trace_end(trace);
}

static void sums_recursion(const char *path, uint32_t count)
{
	struct trace *trace = trace_begin(path);

	put_sums(trace, 0, count, FORM_RECURSION, false);
	trace_end(trace);
}

static void sums_open(const char *path, uint32_t count)
{
	struct trace *trace = trace_begin(path);

	put_sums(trace, 0, count, FORM_DEEP, true);
	trace_end(trace);
}

static void sums_wide(const char *path, uint32_t count)
{
	struct trace *trace = trace_begin(path);

	put_sums(trace, 0, count, FORM_WIDE, false);
	trace_end(trace);
}

static void sums_chunks(const char *path, uint32_t count)
{
	struct trace *trace = trace_begin(path);

	for (uint32_t i = 0; i < count; i++)
		put_sums(trace, i, 2, FORM_DEEP, i % 2);
	trace_end(trace);
}

static void text_again(const char *path, uint32_t count)
{
	struct trace *trace = trace_begin(path);

	for (uint32_t i = 0; i < count; i++) {
		const struct message_text text = {1, "mark"};

		trace_writer_text(trace->writer, &text);
		trace_stamp(trace, DWELL_TAG_MARK);
		trace_tag(trace, DWELL_TAG_MARK_TEXT, 1);
	}
	trace_end(trace);
}

const struct shape shapes_of_facts[] = {
	{"facts_modules", modules, 500},
	{"facts_modules_of_one_file", modules_of_one_file, 500},
	/* A search for a module looks at 4096 at the most. */
	{"facts_modules_in_turn", modules_in_turn, 750},
	{"facts_modules_gone", modules_gone, 1000},
	{"facts_modules_nested", modules_nested, 750},
	{"facts_threads_again", threads_again, 1250},
	{"facts_processes_again", processes_again, 1250},
	{"facts_arguments", arguments, 1250},
	{"facts_clocks", clocks, 1250},
	{"facts_losses", losses, 1250},
	{"facts_info", info, 1250},
	{"facts_info_interrupted", info_interrupted, 1250},
	{"facts_info_kept", info_kept, 1250},
	{"facts_info_overhead", info_overhead, 1250},
	{"facts_info_left_out", info_left_out, 1250},
	{"facts_info_snapshot", info_snapshot, 1250},
	{"facts_switches", switches, 1250},
	{"facts_switches_first", switches_first, 1250},
	{"facts_switches_over", switches_over, 1250},
	{"facts_throttled", throttled, 1250},
	{"facts_throttled_again", throttled_again, 1250},
	{"facts_names", names, 1250},
	{"facts_names_at_one", names_at_one, 1250},
	{"facts_names_nested", names_nested, 1250},
	{"facts_names_chunks", names_chunks, 1000},
	{"facts_names_long", names_long, 2000},
	{"facts_sums_deep", sums_deep, 1250},
	{"facts_sums_recursion", sums_recursion, 1250},
	{"facts_sums_open", sums_open, 1250},
	{"facts_sums_wide", sums_wide, 1250},
	{"facts_sums_chunks", sums_chunks, 1000},
	{"facts_text_again", text_again, 1250},
	{NULL, NULL, 0},
};
