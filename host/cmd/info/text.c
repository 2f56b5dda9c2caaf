/* facts for people: a few tables. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/summary.h"
#include "cpu/cpu.h"
#include "model/profile/throttled.h"
#include "query/facts.h"
#include "query/health.h"
#include "util/term.h"
#include "util/units.h"
#include "writer/writer.h"

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
	if (facts->clock_points > 1) {
		units_format_ns(text, facts->last_clock.monotonic_ns - facts->first_clock.monotonic_ns);
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

static bool is_replaced(const struct page *page, size_t index)
{
	return index < model_process_count(page->trace->model) && model_is_replaced(page->trace->model, (uint32_t)index);
}

static void print_processes(const struct page *page)
{
	static const struct column columns[] = {{.key = "pid", .title = "pid", .unit = UNIT_TEXT},
		{.key = "parent", .title = "parent", .unit = UNIT_TEXT}, {.key = "end", .title = "end", .unit = UNIT_TEXT},
		{.key = "path", .title = "program", .unit = UNIT_TEXT},
		{.key = "command", .title = "command line", .unit = UNIT_NAME}};
	char pid[16], parent[16], left[48];

	if (!page->facts->process_count)
		return;
	BEGIN(page, "processes", columns);
	for (size_t i = 0; i < page->facts->process_count; i++) {
		const struct fact_process *process = &page->facts->processes[i];
		const char *end = is_replaced(page, i) ? "became the next (exec)" : facts_end_of_process(process, left);
		struct cell cells[] = {{.text = pid}, {.text = parent}, {.text = end},
			{.text = process->path, .absent = !process->path},
			{.text = process->command_line, .absent = !process->command_line}};
		snprintf(pid, sizeof pid, "%u", process->pid);
		snprintf(parent, sizeof parent, "%u", process->parent_pid);
		page->sink.row(page->sink.context, cells);
	}
	end(page);
}

static const char *state_of(const struct profile_thread *thread)
{
	if (thread->given_up)
		return "ended, given up for a later one";
	if (thread->wrapped)
		return thread->ended ? "ended, beginning overwritten" : "beginning overwritten";
	if (thread->full)
		return "stopped when full";
	return thread->ended ? "ended" : "up to the end";
}

/* Samples have no accounting: how many there are, what they stand for, and from the first to the last one. */
static void print_sampled_threads(const struct page *page)
{
	static const struct column columns[] = {{.key = "tid", .title = "tid", .unit = UNIT_TEXT},
		{.key = "name", .title = "thread", .unit = UNIT_TEXT}, {.key = "samples", .title = "samples", .unit = UNIT_COUNT},
		{.key = "cpu_ns", .title = "CPU time", .unit = UNIT_NS}, {.key = "elapsed_ns", .title = "first to last", .unit = UNIT_NS},
		{.key = "state", .title = "state", .unit = UNIT_TEXT}};
	const struct profile *profile = model_get_profile(page->trace->model);
	const struct clock_map *clock = model_get_clock(page->trace->model);
	const struct message_sampling *sampling = model_get_sampling(page->trace->model);
	char tid[16];

	BEGIN(page, "threads", columns);
	for (size_t i = 0; i < profile->thread_count; i++) {
		const struct profile_thread *thread = &profile->threads[i];
		struct cell cells[] = {{.text = tid}, {.text = thread->name}, {.count = thread->samples},
			{.count = thread->sampled, .absent = !sampling || sampling->unit != DWELL_UNIT_NS || sampling->is_wall},
			{.count = clock_duration_ns(clock, thread->last_ticks - thread->first_ticks)}, {.text = state_of(thread)}};

		snprintf(tid, sizeof tid, "%u", thread->tid);
		page->sink.row(page->sink.context, cells);
	}
	end(page);
}

/* Whether any of what recording cost is known. */
static bool has_recording(const struct profile *profile)
{
	bool any = profile->is_net;

	for (size_t i = 0; i < profile->thread_count; i++)
		any |= profile->threads[i].held_ticks != 0;
	return any;
}

static void print_threads(const struct page *page)
{
	bool is_net = has_recording(model_get_profile(page->trace->model));
	const struct column columns[] = {{.key = "tid", .title = "tid", .unit = UNIT_TEXT},
		{.key = "name", .title = "thread", .unit = UNIT_TEXT}, {.key = "events", .title = "events", .unit = UNIT_COUNT},
		{.key = "calls", .title = "calls", .unit = UNIT_COUNT, .spare = 3}, {.key = "depth", .title = "deepest", .unit = UNIT_COUNT, .spare = 5},
		{.key = "lost", .title = "lost", .unit = UNIT_COUNT}, {.key = "self_ns", .title = "self +", .unit = UNIT_NS},
		{.key = "recording_ns", .title = "recording +", .unit = UNIT_NS, .data_only = !is_net},
		{.key = "lost_ns", .title = "lost +", .unit = UNIT_NS},
		{.key = "outside_ns", .title = "outside =", .unit = UNIT_NS},
		{.key = "elapsed_ns", .title = "elapsed", .unit = UNIT_NS}, {.key = "state", .title = "state", .unit = UNIT_TEXT}};
	const struct profile *profile = model_get_profile(page->trace->model);
	const struct clock_map *clock = model_get_clock(page->trace->model);
	char tid[16];

	if (!profile->thread_count)
		return;
	if (model_is_sampled(page->trace->model)) {
		print_sampled_threads(page);
		return;
	}
	BEGIN(page, "threads", columns);
	for (size_t i = 0; i < profile->thread_count; i++) {
		const struct profile_thread *thread = &profile->threads[i];
		struct cell cells[] = {{.text = tid}, {.text = thread->name}, {.count = thread->events}, {.count = thread->calls},
			{.count = thread->deepest}, {.count = thread->lost_events},
			{.count = clock_duration_ns(clock, thread->self_ticks), .absent = profile->is_untimed},
			{.count = clock_duration_ns(clock, thread->recording_ticks + thread->held_ticks), .absent = profile->is_untimed},
			{.count = clock_duration_ns(clock, thread->lost_ticks), .absent = profile->is_untimed},
			{.count = clock_duration_ns(clock, thread->outside_ticks), .absent = profile->is_untimed},
			{.count = clock_duration_ns(clock, thread->last_ticks - thread->first_ticks),
				.unsure = !thread->balanced,
				.absent = profile->is_untimed},
			{.text = state_of(thread)}};
		snprintf(tid, sizeof tid, "%u", thread->tid);
		page->sink.row(page->sink.context, cells);
	}
	end(page);
}

/* The second equation: the same time, by whether the thread was on a CPU. */
static void print_cpu(const struct page *page)
{
	static const struct column columns[] = {{.key = "tid", .title = "tid", .unit = UNIT_TEXT},
		{.key = "name", .title = "thread", .unit = UNIT_TEXT},
		{.key = "switches", .title = "switches", .unit = UNIT_COUNT},
		{.key = "on_cpu_ns", .title = "on CPU +", .unit = UNIT_NS},
		{.key = "waiting_ns", .title = "waiting +", .unit = UNIT_NS},
		{.key = "preempted_ns", .title = "preempted +", .unit = UNIT_NS},
		{.key = "unknown_ns", .title = "not known =", .unit = UNIT_NS},
		{.key = "elapsed_ns", .title = "elapsed", .unit = UNIT_NS}};
	const struct profile *profile = model_get_profile(page->trace->model);
	const struct clock_map *clock = model_get_clock(page->trace->model);
	char tid[16];

	if (!profile->has_off)
		return;
	BEGIN(page, "CPU time", columns);
	for (size_t i = 0; i < profile->thread_count; i++) {
		const struct profile_thread *thread = &profile->threads[i];
		const struct profile_off *off = &thread->off;
		uint64_t elapsed_ticks = thread->last_ticks - thread->first_ticks - thread->held_ticks;
		struct cell cells[] = {{.text = tid}, {.text = thread->name}, {.count = thread->switches},
			{.count = clock_duration_ns(clock, elapsed_ticks - off->ticks - off->unknown_ticks)},
			{.count = clock_duration_ns(clock, off->ticks - off->preempted_ticks)},
			{.count = clock_duration_ns(clock, off->preempted_ticks)},
			{.count = clock_duration_ns(clock, off->unknown_ticks)},
			{.count = clock_duration_ns(clock, elapsed_ticks), .unsure = !thread->off_balanced}};
		snprintf(tid, sizeof tid, "%u", thread->tid);
		page->sink.row(page->sink.context, cells);
	}
	end(page);
}

static void print_throttled(const struct page *page)
{
	static const struct column columns[] = {{.key = "calls", .title = "calls", .unit = UNIT_COUNT},
		{.key = "recorded", .title = "recorded", .unit = UNIT_COUNT}, {.key = "cost", .title = "saved", .unit = UNIT_NS},
		{.key = "counted", .title = "counted", .unit = UNIT_TEXT}, {.key = "function", .title = "throttled", .unit = UNIT_NAME}};
	const struct trace *trace = page->trace;
	const struct clock_map *clock = model_get_clock(trace->model);
	size_t count;
	struct throttled_function *list =
		make_throttled_functions(model_get_throttled(trace->model), model_get_functions(trace->model), &count);

	if (count) {
		BEGIN(page, "throttled", columns);
		for (size_t i = 0; i < count; i++) {
			uint64_t recorded = profile_count_calls(model_get_profile(trace->model), list[i].id);
			const struct cell cells[] = {{.count = recorded + list[i].calls, .absent = !list[i].is_counted},
				{.count = recorded},
				{.count = clock_duration_ns(clock, (uint64_t)list[i].cost_ticks), .unsure = !list[i].is_counted},
				{.text = list[i].is_counted ? "all" : "no"},
				{.text = functions_get_name(model_get_functions(trace->model), list[i].id)}};

			page->sink.row(page->sink.context, cells);
		}
		end(page);
	}
	free(list);
}

static void print_modules(const struct page *page)
{
	static const struct column columns[] = {{.key = "low", .title = "from", .unit = UNIT_ADDRESS},
		{.key = "high", .title = "to", .unit = UNIT_ADDRESS}, {.key = "hooks", .title = "hooks", .unit = UNIT_TEXT},
		{.key = "build_id", .title = "build-id", .unit = UNIT_TEXT, .spare = 1}, {.key = "path", .title = "module", .unit = UNIT_NAME}};

	if (!page->facts->module_count)
		return;
	BEGIN(page, "modules", columns);
	for (size_t i = 0; i < page->facts->module_count; i++) {
		const struct fact_module *module = &page->facts->modules[i];
		struct cell cells[] = {{.count = module->low}, {.count = module->high},
			{.text = module->unmapped ? "unmapped"
				 : module->hooked ? "yes"
						  : "no"},
			{.text = module->build_id, .absent = !module->build_id || !*module->build_id},
			{.text = module->path, .absent = !module->path}};
		page->sink.row(page->sink.context, cells);
	}
	end(page);
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
	struct page page = {facts, trace, make_table_writer(&form, stdout, "standard output", trace->diag)};

	summary_print(trace, stdout);
	print_recording(&page);
	print_processes(&page);
	print_threads(&page);
	print_cpu(&page);
	print_throttled(&page);
	print_modules(&page);
	print_health(&page);
	free_table_writer(&page.sink);
}
