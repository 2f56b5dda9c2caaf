/* facts for people: a few tables. */
#include <inttypes.h>
#include <jansson.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "cli/summary.h"
#include "cpu/cpu.h"
#include "query/facts.h"
#include "query/health.h"
#include "util/term.h"
#include "util/units.h"
#include "writer/writer.h"

#define ROW_COLUMNS_MAX 16

struct page {
	const struct facts *facts;
	const struct trace *trace;
	struct table_sink sink;
};

#define BEGIN(page, title, columns) begin(page, title, columns, sizeof(columns) / sizeof *(columns))

static void begin(const struct page *page, const char *title, const struct column *columns, uint32_t count)
{
	printf("%s\n", title);
	page->sink.begin(page->sink.context, title, columns, count);
}

static void end(const struct page *page)
{
	page->sink.end(page->sink.context);
	putchar('\n');
}

static void __attribute__((format(printf, 3, 4))) put_line(const struct page *page, const char *what, const char *format, ...)
{
	char text[1024];
	struct cell cells[2] = {{.text = what}, {.text = text}};
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof text, format, arguments);
	va_end(arguments);
	page->sink.row(page->sink.context, cells);
}

static uint64_t count_calls(const struct profile *profile)
{
	uint64_t calls = 0;

	for (size_t i = 0; i < profile->thread_count; i++)
		calls += profile->threads[i].calls;
	return calls;
}

/* "18.08 KB in 15 chunks, 18.0 bytes a call". */
static void put_size(const struct page *page, bool has_chunks)
{
	const struct reader_health *health = reader_get_health(page->trace->reader);
	uint64_t calls = count_calls(model_get_profile(page->trace->model));
	char bytes[UNITS_TEXT_BYTES], each[40] = "";

	units_format_bytes(bytes, health->bytes_total);
	if (calls)
		snprintf(each, sizeof each, ", %.2f bytes a call", (double)health->bytes_total / (double)calls);
	if (has_chunks)
		put_line(page, "size", "%s in %" PRIu64 " chunks%s", bytes, health->chunks, each);
	else
		put_line(page, "size", "%s", bytes);
}

static void print_recording(const struct page *page)
{
	static const struct column columns[] = {
		{.key = "item", .title = "item", .unit = UNIT_TEXT}, {.key = "value", .title = "value", .unit = UNIT_NAME}};
	const struct message_header *header = model_get_header(page->trace->model);
	const struct facts *facts = page->facts;
	char buffer[40], text[UNITS_TEXT_BYTES];
	uint64_t start = header->start_unix_ns ? header->start_unix_ns : facts->first_clock.unix_ns;
	double hz = facts_measured_hz(facts);

	BEGIN(page, "recording", columns);
	put_line(page, "format", "%s", header->format);
	put_size(page, header->has_events);
	if (start)
		put_line(page, "begun", "%s", facts_time(start, buffer));
	if (facts_know_duration(facts, reader_get_health(page->trace->reader))) {
		units_format_ns(text, facts_duration_ns(facts));
		put_line(page, "lasted", "%s", text);
	}
	if (header->has_events)
		put_line(page, "machine", "%s, %u bits, %s-endian", cpu_name(header->machine, buffer),
			header->pointer_bytes * 8, header->big_endian ? "big" : "little");
	for (size_t i = 0; i < facts->fact_count; i++)
		if (facts->facts[i].key && facts->facts[i].value)
			put_line(page, facts->facts[i].key, "%s", facts->facts[i].value);
	if (header->clock_hz)
		put_line(page, "clock, nominal", "%" PRIu64 " Hz", header->clock_hz);
	if (hz > 0)
		put_line(page, "clock, measured", "%.0f Hz", hz);
	if (header->has_events)
		put_line(page, "clock", "%u bits, %s%s%s", header->clock_bits,
			header->clock_global ? "one for all cores" : "one for each core",
			header->clock_late ? ", stamps may be late" : "", header->clock_down ? ", counted down" : "");
	end(page);
}

/* A table of what the object has of each process, thread and so on: a column's key is that of the member. */
static void print_rows(const struct page *page, const char *title, const json_t *rows, const struct column *columns, uint32_t count)
{
	char numbers[ROW_COLUMNS_MAX][24];
	size_t i;
	json_t *row;

	if (!json_array_size(rows))
		return;
	begin(page, title, columns, count);
	json_array_foreach (rows, i, row) {
		struct cell cells[ROW_COLUMNS_MAX] = {0};

		for (uint32_t k = 0; k < count; k++) {
			const json_t *value = json_object_get(row, columns[k].key);

			if (json_is_number(value) && columns[k].unit != UNIT_TEXT) {
				cells[k].count = json_is_integer(value) ? (uint64_t)json_integer_value(value)
									: (uint64_t)json_real_value(value);
				continue;
			}
			snprintf(numbers[k], sizeof *numbers, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
			cells[k].text = json_is_string(value)  ? json_string_value(value)
					: json_is_true(value)  ? "yes"
					: json_is_false(value) ? "no"
							       : numbers[k];
			cells[k].absent = json_is_null(value) || !*cells[k].text;
		}
		for (uint32_t k = 0; k < count; k++) {
			cells[k].unsure |= !strcmp(columns[k].key, "elapsed_ns") && json_is_false(json_object_get(row, "balanced"));
			cells[k].unsure |= !strcmp(columns[k].key, "cpu_elapsed_ns") && json_is_false(json_object_get(row, "cpu_balanced"));
			cells[k].unsure |= !strcmp(columns[k].key, "saved_ns") && json_is_null(json_object_get(row, "calls"));
		}
		page->sink.row(page->sink.context, cells);
	}
	end(page);
}

#define PRINT_ROWS(page, title, rows, columns) print_rows(page, title, rows, columns, sizeof(columns) / sizeof *(columns))

static void print_processes(const struct page *page, const json_t *rows)
{
	static const struct column columns[] = {{.key = "pid", .title = "pid", .unit = UNIT_TEXT},
		{.key = "parent_pid", .title = "parent", .unit = UNIT_TEXT}, {.key = "end", .title = "end", .unit = UNIT_TEXT},
		{.key = "path", .title = "program", .unit = UNIT_TEXT},
		{.key = "command_line", .title = "command line", .unit = UNIT_NAME}};

	PRINT_ROWS(page, "processes", rows, columns);
}

/* Samples have no accounting: how many there are, what they stand for, and from the first to the last one. */
static void print_sampled_threads(const struct page *page, const json_t *rows)
{
	const struct message_sampling *sampling = model_get_sampling(page->trace->model);
	bool is_cpu = sampling && sampling->unit == DWELL_UNIT_NS && !sampling->is_wall;
	const struct column columns[] = {{.key = "tid", .title = "tid", .unit = UNIT_TEXT},
		{.key = "name", .title = "thread", .unit = UNIT_TEXT}, {.key = "samples", .title = "samples", .unit = UNIT_COUNT},
		{.key = "sampled", .title = "CPU time", .unit = UNIT_NS, .data_only = !is_cpu},
		{.key = "elapsed_ns", .title = "first to last", .unit = UNIT_NS}, {.key = "state", .title = "state", .unit = UNIT_TEXT}};

	PRINT_ROWS(page, "threads", rows, columns);
}

/* Whether any of what recording cost is known. */
static bool has_recording(const struct profile *profile)
{
	bool any = profile->is_net;

	for (size_t i = 0; i < profile->thread_count; i++)
		any |= profile->threads[i].held_ticks != 0;
	return any;
}

static void print_threads(const struct page *page, const json_t *rows)
{
	const struct profile *profile = model_get_profile(page->trace->model);
	const struct column columns[] = {{.key = "tid", .title = "tid", .unit = UNIT_TEXT},
		{.key = "name", .title = "thread", .unit = UNIT_TEXT}, {.key = "events", .title = "events", .unit = UNIT_COUNT},
		{.key = "calls", .title = "calls", .unit = UNIT_COUNT, .spare = 3},
		{.key = "deepest", .title = "deepest", .unit = UNIT_COUNT, .spare = 5},
		{.key = "lost_events", .title = "lost", .unit = UNIT_COUNT}, {.key = "self_ns", .title = "self +", .unit = UNIT_NS},
		{.key = "recording_ns", .title = "recording +", .unit = UNIT_NS, .data_only = !has_recording(profile)},
		{.key = "lost_ns", .title = "lost +", .unit = UNIT_NS}, {.key = "outside_ns", .title = "outside =", .unit = UNIT_NS},
		{.key = "elapsed_ns", .title = "elapsed", .unit = UNIT_NS}, {.key = "state", .title = "state", .unit = UNIT_TEXT}};
	/* The second equation: the same time but what the recorder held up, by whether the thread was on a CPU. */
	static const struct column cpu_columns[] = {{.key = "tid", .title = "tid", .unit = UNIT_TEXT},
		{.key = "name", .title = "thread", .unit = UNIT_TEXT}, {.key = "switches", .title = "switches", .unit = UNIT_COUNT},
		{.key = "on_cpu_ns", .title = "on CPU +", .unit = UNIT_NS}, {.key = "waiting_ns", .title = "waiting +", .unit = UNIT_NS},
		{.key = "preempted_ns", .title = "preempted +", .unit = UNIT_NS},
		{.key = "cpu_unknown_ns", .title = "not known =", .unit = UNIT_NS},
		{.key = "cpu_elapsed_ns", .title = "elapsed", .unit = UNIT_NS}};

	if (model_is_sampled(page->trace->model)) {
		print_sampled_threads(page, rows);
		return;
	}
	PRINT_ROWS(page, "threads", rows, columns);
	if (profile->has_off)
		PRINT_ROWS(page, "CPU time", rows, cpu_columns);
}

static void print_throttled(const struct page *page, const json_t *rows)
{
	static const struct column columns[] = {{.key = "calls", .title = "calls", .unit = UNIT_COUNT},
		{.key = "recorded_calls", .title = "recorded", .unit = UNIT_COUNT}, {.key = "saved_ns", .title = "saved", .unit = UNIT_NS},
		{.key = "function", .title = "throttled", .unit = UNIT_NAME}};

	PRINT_ROWS(page, "throttled", rows, columns);
}

static void print_modules(const struct page *page, const json_t *rows)
{
	static const struct column columns[] = {{.key = "low", .title = "from", .unit = UNIT_TEXT},
		{.key = "high", .title = "to", .unit = UNIT_TEXT}, {.key = "hooked", .title = "hooks", .unit = UNIT_TEXT},
		{.key = "unmapped", .title = "unmapped", .unit = UNIT_TEXT},
		{.key = "build_id", .title = "build-id", .unit = UNIT_TEXT, .spare = 1}, {.key = "path", .title = "module", .unit = UNIT_NAME}};

	PRINT_ROWS(page, "modules", rows, columns);
}

static void print_health(const struct page *page)
{
	static const struct column columns[] = {
		{.key = "count", .title = "count", .unit = UNIT_COUNT}, {.key = "what", .title = "what", .unit = UNIT_NAME}};
	struct health health;
	size_t told = 0;

	health_find(page->trace, &health);
	for (size_t i = 0; i < health.count; i++)
		told += health.findings[i].count != 0;
	if (told) {
		BEGIN(page, "health", columns);
		for (size_t i = 0; i < health.count; i++) {
			const struct health_finding *finding = &health.findings[i];
			struct cell cells[] = {{.count = finding->count}, {.text = health_what(finding)}};

			if (finding->count)
				page->sink.row(page->sink.context, cells);
		}
		end(page);
	}
	if (health.is_well)
		puts("all is well: nothing is lost, damaged or unsure");
}

void facts_print(const struct facts *facts, const struct trace *trace)
{
	const struct writer_options form = {.colour = term_has_colour(stdout),
		.width = term_width(stdout),
		.ticks = clock_is_unknown(model_get_clock(trace->model))};
	json_t *info = facts_make_json(facts, trace);
	struct page page = {facts, trace, make_table_writer(&form, stdout, "standard output", trace->diag)};

	summary_print(trace, stdout);
	print_recording(&page);
	print_processes(&page, json_object_get(info, "processes"));
	print_threads(&page, json_object_get(info, "threads"));
	print_throttled(&page, json_object_get(info, "throttled"));
	print_modules(&page, json_object_get(info, "modules"));
	print_health(&page);
	json_decref(info);
	free_table_writer(&page.sink);
}
