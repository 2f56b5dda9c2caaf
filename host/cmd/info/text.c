/* text: prints facts about a recording for people, as tables: the output of `dwell info`. */
#include <inttypes.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "cli/summary.h"
#include "query/fact_tables.h"
#include "query/facts.h"
#include "query/health.h"
#include "util/term.h"
#include "util/units.h"
#include "writer/writer.h"

#define ROW_COLUMNS_MAX 16

/* What the printing functions need. */
struct page {
	const struct facts *facts;
	const struct fact_tables *tables;
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

/* "18.08 KB in 15 chunks, 18.00 bytes a call". */
static void put_size(const struct page *page, const struct recording_facts *row, bool has_chunks)
{
	uint64_t calls = count_calls(model_get_profile(page->trace->model));
	char bytes[UNITS_TEXT_BYTES], each[40] = "";

	units_format_bytes(bytes, row->bytes.count);
	if (calls)
		snprintf(each, sizeof each, ", %.2f bytes a call", (double)row->bytes.count / (double)calls);
	if (has_chunks)
		put_line(page, "size", "%s in %" PRIu64 " chunks%s", bytes, row->chunks.count, each);
	else
		put_line(page, "size", "%s", bytes);
}

static void put_clock(const struct page *page, const struct recording_facts *row)
{
	if (row->clock_nominal_hz.kind)
		put_line(page, "clock, nominal", "%" PRIu64 " Hz", row->clock_nominal_hz.count);
	if (row->clock_measured_hz.kind)
		put_line(page, "clock, measured", "%.0f Hz", row->clock_measured_hz.real);
	if (row->clock_bits.kind)
		put_line(page, "clock", "%" PRIu64 " bits, %s%s%s", row->clock_bits.count,
			row->clock_global.flag ? "one for all cores" : "one for each core",
			row->clock_late.flag ? ", stamps may be late" : "", row->clock_down.flag ? ", counted down" : "");
}

static void print_recording(const struct page *page)
{
	static const struct column columns[] = {
		{.key = "item", .title = "item", .unit = UNIT_TEXT}, {.key = "value", .title = "value", .unit = UNIT_TEXT}};
	const struct recording_facts *row = page->tables->tables[FACT_TABLE_RECORDING].rows;
	const struct facts *facts = page->facts;
	char buffer[40], text[UNITS_TEXT_BYTES];

	BEGIN(page, "recording", columns);
	put_line(page, "format", "%s", row->format.text);
	put_size(page, row, row->machine.kind);
	if (row->start_unix_ns.kind)
		put_line(page, "begun", "%s", facts_time(row->start_unix_ns.count, buffer));
	if (row->duration_ns.kind) {
		units_format_ns(text, row->duration_ns.count);
		put_line(page, "lasted", "%s", text);
	}
	if (row->machine.kind)
		put_line(page, "machine", "%s, %" PRIu64 " bits, %s-endian", row->machine.text, row->pointer_bytes.count * 8,
			row->byte_order.text);
	for (size_t i = 0; i < facts->fact_count; i++)
		if (facts->facts[i].key && facts->facts[i].value)
			put_line(page, facts->facts[i].key, "%s", facts->facts[i].value);
	put_clock(page, row);
	end(page);
}

/* A column of a table of facts for people: which value, and its title. The value is sure only if another value, sure_by, is true or
 * known; sure_by 0: always sure. */
struct shown {
	size_t at, sure_by;
	struct column column;
};
#define AT(row, member) (offsetof(struct row, member) / sizeof(struct fact_value))
#define SHOW(row, member, ...) {.at = AT(row, member), .column = {.key = #member, __VA_ARGS__}}
#define SHOW_SURE_BY(row, member, by, ...) {.at = AT(row, member), .sure_by = AT(row, by), .column = {.key = #member, __VA_ARGS__}}

/* Whether the value is true, or is known if it is no flag. */
static bool is_true_or_known(const struct fact_value *value)
{
	return value->kind == FACT_FLAG ? value->flag : value->kind != FACT_UNKNOWN;
}

/* buffer: for a number printed as text. */
static struct cell make_cell(const struct fact_value *value, enum unit unit, char buffer[static 24])
{
	struct cell cell = {.absent = value->kind == FACT_UNKNOWN || (value->kind == FACT_TEXT && !*value->text)};

	switch (value->kind) {
	case FACT_UNKNOWN:
		break;
	case FACT_FLAG:
		cell.text = value->flag ? "yes" : "no";
		break;
	case FACT_TEXT:
		cell.text = value->text;
		break;
	case FACT_REAL:
		cell.real = value->real;
		break;
	case FACT_COUNT:
	case FACT_ADDRESS:
		cell.count = value->count;
		if (unit == UNIT_TEXT) {
			snprintf(buffer, 24, value->kind == FACT_ADDRESS ? "0x%" PRIx64 : "%" PRIu64, value->count);
			cell.text = buffer;
		}
		break;
	}
	return cell;
}

static void print_table(
	const struct page *page, const char *title, enum fact_table_name name, const struct shown *shown, uint32_t count)
{
	const struct fact_table *table = &page->tables->tables[name];
	struct column columns[ROW_COLUMNS_MAX];
	char numbers[ROW_COLUMNS_MAX][24];

	if (!table->row_count)
		return;
	for (uint32_t i = 0; i < count; i++)
		columns[i] = shown[i].column;
	begin(page, title, columns, count);
	for (size_t i = 0; i < table->row_count; i++) {
		const struct fact_value *values = fact_table_row(table, i);
		struct cell cells[ROW_COLUMNS_MAX];

		for (uint32_t k = 0; k < count; k++) {
			cells[k] = make_cell(&values[shown[k].at], columns[k].unit, numbers[k]);
			cells[k].unsure = shown[k].sure_by && !is_true_or_known(&values[shown[k].sure_by]);
		}
		page->sink.row(page->sink.context, cells);
	}
	end(page);
}

#define PRINT_TABLE(page, title, name, shown) print_table(page, title, name, shown, sizeof(shown) / sizeof *(shown))

static void print_processes(const struct page *page)
{
	static const struct shown shown[] = {SHOW(process_facts, pid, .title = "pid", .unit = UNIT_TEXT),
		SHOW(process_facts, parent_pid, .title = "parent", .unit = UNIT_TEXT),
		SHOW(process_facts, end, .title = "end", .unit = UNIT_TEXT),
		SHOW(process_facts, path, .title = "program", .unit = UNIT_TEXT),
		SHOW(process_facts, command_line, .title = "command line", .unit = UNIT_TEXT)};

	PRINT_TABLE(page, "processes", FACT_TABLE_PROCESSES, shown);
}

/* Samples have no accounting. Instead: their number, their time, and the time from the first to the last sample. */
static void print_sampled_threads(const struct page *page)
{
	const struct message_sampling *sampling = model_get_sampling(page->trace->model);
	bool is_cpu = sampling && sampling->unit == DWELL_UNIT_NS && !sampling->is_wall;
	const struct shown shown[] = {SHOW(thread_facts, tid, .title = "tid", .unit = UNIT_TEXT),
		SHOW(thread_facts, name, .title = "thread", .unit = UNIT_TEXT),
		SHOW(thread_facts, samples, .title = "samples", .unit = UNIT_COUNT),
		SHOW(thread_facts, sampled, .title = "CPU time", .unit = UNIT_NS, .data_only = !is_cpu),
		SHOW_SURE_BY(thread_facts, elapsed_ns, balanced, .title = "first to last", .unit = UNIT_NS),
		SHOW(thread_facts, state, .title = "state", .unit = UNIT_TEXT)};

	PRINT_TABLE(page, "threads", FACT_TABLE_THREADS, shown);
}

/* Whether the table has a column for the time of recording: its cost is known, or the recorder held a thread up. */
static bool has_recording(const struct profile *profile)
{
	bool any = profile->is_net;

	for (size_t i = 0; i < profile->thread_count; i++)
		any |= profile->threads[i].held_ticks != 0;
	return any;
}

static void print_threads(const struct page *page)
{
	const struct profile *profile = model_get_profile(page->trace->model);
	const struct shown shown[] = {SHOW(thread_facts, tid, .title = "tid", .unit = UNIT_TEXT),
		SHOW(thread_facts, name, .title = "thread", .unit = UNIT_TEXT),
		SHOW(thread_facts, events, .title = "events", .unit = UNIT_COUNT),
		SHOW(thread_facts, calls, .title = "calls", .unit = UNIT_COUNT, .spare = 3),
		SHOW(thread_facts, deepest, .title = "deepest", .unit = UNIT_COUNT, .spare = 5),
		SHOW(thread_facts, lost_events, .title = "lost", .unit = UNIT_COUNT),
		SHOW(thread_facts, self_ns, .title = "self +", .unit = UNIT_NS),
		SHOW(thread_facts, recording_ns, .title = "recording +", .unit = UNIT_NS, .data_only = !has_recording(profile)),
		SHOW(thread_facts, lost_ns, .title = "lost +", .unit = UNIT_NS),
		SHOW(thread_facts, outside_ns, .title = "outside =", .unit = UNIT_NS),
		SHOW_SURE_BY(thread_facts, elapsed_ns, balanced, .title = "elapsed", .unit = UNIT_NS),
		SHOW(thread_facts, state, .title = "state", .unit = UNIT_TEXT)};
	/* The second equation: the same time, without the time in which the recorder held the thread up, divided by
	 * whether the thread was on a CPU. */
	static const struct shown shown_of_cpu[] = {SHOW(thread_facts, tid, .title = "tid", .unit = UNIT_TEXT),
		SHOW(thread_facts, name, .title = "thread", .unit = UNIT_TEXT),
		SHOW(thread_facts, switches, .title = "switches", .unit = UNIT_COUNT),
		SHOW(thread_facts, on_cpu_ns, .title = "on CPU +", .unit = UNIT_NS),
		SHOW(thread_facts, waiting_ns, .title = "waiting +", .unit = UNIT_NS),
		SHOW(thread_facts, preempted_ns, .title = "preempted +", .unit = UNIT_NS),
		SHOW(thread_facts, cpu_unknown_ns, .title = "not known =", .unit = UNIT_NS),
		SHOW_SURE_BY(thread_facts, cpu_elapsed_ns, cpu_balanced, .title = "elapsed", .unit = UNIT_NS)};

	if (model_is_sampled(page->trace->model)) {
		print_sampled_threads(page);
		return;
	}
	PRINT_TABLE(page, "threads", FACT_TABLE_THREADS, shown);
	if (profile->has_off_cpu)
		PRINT_TABLE(page, "CPU time", FACT_TABLE_THREADS, shown_of_cpu);
}

static void print_throttled(const struct page *page)
{
	static const struct shown shown[] = {SHOW(throttled_facts, calls, .title = "calls", .unit = UNIT_COUNT),
		SHOW(throttled_facts, recorded_calls, .title = "recorded", .unit = UNIT_COUNT),
		SHOW_SURE_BY(throttled_facts, saved_ns, calls, .title = "saved", .unit = UNIT_NS),
		SHOW(throttled_facts, function, .title = "throttled", .unit = UNIT_NAME)};

	PRINT_TABLE(page, "throttled", FACT_TABLE_THROTTLED, shown);
}

static void print_modules(const struct page *page)
{
	static const struct shown shown[] = {SHOW(module_facts, low, .title = "from", .unit = UNIT_TEXT),
		SHOW(module_facts, high, .title = "to", .unit = UNIT_TEXT),
		SHOW(module_facts, hooked, .title = "hooks", .unit = UNIT_TEXT),
		SHOW(module_facts, unmapped, .title = "unmapped", .unit = UNIT_TEXT),
		SHOW(module_facts, build_id, .title = "build-id", .unit = UNIT_TEXT, .spare = 1),
		SHOW(module_facts, path, .title = "module", .unit = UNIT_TEXT)};

	PRINT_TABLE(page, "modules", FACT_TABLE_MODULES, shown);
}

static void print_health(const struct page *page)
{
	static const struct column columns[] = {
		{.key = "count", .title = "count", .unit = UNIT_COUNT}, {.key = "what", .title = "what", .unit = UNIT_TEXT}};
	struct health health;
	size_t told = 0;

	health_find(page->trace, &health);
	for (size_t i = 0; i < health.count; i++)
		told += health.findings[i].count != 0;
	if (told) {
		BEGIN(page, "health", columns);
		for (size_t i = 0; i < health.count; i++) {
			const struct health_finding *finding = &health.findings[i];
			/* A text without "one" says its number itself, or is a fact without one. */
			struct cell cells[] = {
				{.count = finding->count, .absent = !finding->one}, {.text = health_get_text(finding)}};

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
	struct fact_tables tables;
	struct page page = {facts, &tables, trace, make_table_writer(&form, stdout, "standard output", trace->diag)};

	summary_print(trace, stdout);
	if (fact_tables_make(&tables, facts, trace)) {
		print_recording(&page);
		print_processes(&page);
		print_threads(&page);
		print_throttled(&page);
		print_modules(&page);
		fact_tables_clear(&tables);
	}
	print_health(&page);
	free_table_writer(&page.sink);
}
