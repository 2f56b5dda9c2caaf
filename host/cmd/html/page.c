#include "cmd/html/page.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/calls/thread_label.h"
#include "analysis/distribution.h"
#include "analysis/off_cpu_columns.h"
#include "analysis/tree.h"
#include "analysis/waiting.h"
#include "analysis/with_lines.h"
#include "cli/summary.h"
#include "query/ask/profile.h"
#include "query/questions.h"

#define THREADS_WITH_TREE 64u   /* so many of the busiest threads have a tree of their own in the page */
#define THREAD_TREE_PERCENT 0.01 /* percent of all time: a thread's own tree omits smaller paths */
#define TREE_COLUMNS_MAX 32u     /* more than the table of a tree has */

static const char *kind_of(const struct model *model)
{
	const struct profile *profile = model_get_profile(model);

	if (model_is_sampled(model))
		return "samples";
	if (!profile->has_times)
		return "sums";
	return profile->is_untimed ? "untimed" : "trace";
}

static bool put_info(struct page *page, const struct html_source *source)
{
	char *text = NULL;
	size_t bytes = 0;
	FILE *memory = open_memstream(&text, &bytes);
	bool good = memory;

	if (memory) {
		facts_write_json(source->facts, source->trace, memory, "memory");
		good = !fclose(memory);
	}
	if (good)
		page_put_json(page, "info", text, bytes);
	free(text);
	return good;
}

static bool put_summary(struct page *page, const struct trace *trace)
{
	char *text = NULL;
	size_t bytes = 0;
	FILE *memory = open_memstream(&text, &bytes);
	bool good = memory;

	if (memory) {
		summary_print(trace, memory);
		good = !fclose(memory);
	}
	if (good)
		page_put_text(page, "summary", text);
	free(text);
	return good;
}

static void put_health(struct page *page, const struct trace *trace)
{
	char text[HEALTH_TEXT_BYTES];
	struct health health;

	health_find(trace, &health);
	page_open_array(page, "health");
	for (size_t i = 0; i < health.count; i++) {
		const struct health_finding *finding = &health.findings[i];

		if (!finding->count)
			continue;
		page_open_object(page, NULL);
		page_put_text(page, "key", finding->key);
		page_put_text(page, "what", health_format(finding, text));
		page_put_flag(page, "is_in_head", finding->shown & HEALTH_IN_HEAD);
		page_put_flag(page, "is_loss", finding->severity == HEALTH_LOSS && finding->shown & HEALTH_IN_HEAD);
		page_close(page);
	}
	page_close(page);
}

static void put_cost(struct page *page, const char *key, const struct overhead_part *part, const struct clock_map *clock)
{
	page_open_array(page, key);
	page_put_real(page, NULL, part->ticks * clock->ns_per_tick);
	page_put_real(page, NULL, part->low * clock->ns_per_tick);
	page_put_real(page, NULL, part->high * clock->ns_per_tick);
	page_close(page);
}

/* The cost of recording a call: the median of the measurements, and the range of most of them. */
static void put_overhead(struct page *page, const struct trace *trace)
{
	const struct overhead *overhead = model_get_overhead(trace->model);

	if (!overhead->is_known || !model_get_profile(trace->model)->has_times)
		return;
	page_open_object(page, "overhead");
	put_cost(page, "inner", &overhead->inner, model_get_clock(trace->model));
	put_cost(page, "outer", &overhead->outer, model_get_clock(trace->model));
	page_put_count(page, "measurements", overhead->measurements);
	page_close(page);
}

/* Missing source lines are no problem for the page, so no message reports them. */
static bool put_functions(struct page *page, const struct html_source *source, struct html_code *code)
{
	struct table_sink rows = page_begin_table(page, "functions"), sink = make_lines_sink(code->lines, &rows);
	bool good = profile_answer(&question_functions, false, source->trace, &sink);

	free_lines_sink(&sink);
	if (code->lines && !source->leaves_sources)
		good = html_page_put_sources(page, source->trace, code) && good;
	return good;
}

/* A tree for the page, which draws paths by wall-clock time, CPU time and the difference: without the parts of that. */
struct tree_table {
	struct table_sink rows;
	struct column columns[TREE_COLUMNS_MAX];
};

static void begin_tree(void *context, const char *name, const struct column *columns, uint32_t count)
{
	struct tree_table *table = context;

	for (uint32_t i = 0; i < count; i++) {
		table->columns[i] = columns[i];
		for (int part = 0; part < OFF_CPU_COLUMNS; part++)
			table->columns[i].empty |= !strcmp(columns[i].key, off_cpu_columns[part].key);
	}
	table->rows.begin(table->rows.context, name, table->columns, count);
}

static void put_path(void *context, const struct cell *cells)
{
	struct tree_table *table = context;

	table->rows.row(table->rows.context, cells);
}

static void end_tree(void *context)
{
	struct tree_table *table = context;

	table->rows.end(table->rows.context);
}

static struct table_sink begin_tree_table(struct page *page, struct tree_table *table)
{
	table->rows = page_begin_table(page, "tree");
	return (struct table_sink){table, begin_tree, put_path, end_tree};
}

static bool put_tree(struct page *page, struct trace *trace)
{
	struct tree_table table;
	const struct table_sink sink = begin_tree_table(page, &table);

	return profile_answer(&question_tree, false, trace, &sink);
}

/* ---- threads ---- */

static bool put_thread_tree(struct page *page, const struct trace *trace, const struct tree *tree)
{
	const struct analysis_tree analysis = {.profile = model_get_profile(trace->model),
		.tree = tree,
		.functions = model_get_functions(trace->model),
		.clock = model_get_clock(trace->model),
		.limit = UINT64_MAX,
		.depth_limit = UINT64_MAX,
		.percent_min = THREAD_TREE_PERCENT};
	struct tree_table table;
	struct table_sink sink = begin_tree_table(page, &table);

	return analysis_tree(&analysis, &sink);
}

struct busy {
	uint32_t index;
	uint64_t ticks;
};

static int by_time(const void *left, const void *right)
{
	const struct busy *a = left, *b = right;

	if (a->ticks != b->ticks)
		return a->ticks > b->ticks ? -1 : 1;
	return a->index < b->index ? -1 : a->index > b->index;
}

/* A thread in the page. */
struct shown {
	const struct profile_thread *row; /* null: the profile has no events or samples of the thread */
	bool has_tree; /* one of the busiest threads */
};

/* Returns an array, by index of the thread in the model. Null: memory ran out. The caller frees the array. */
static struct shown *choose_threads(const struct model *model)
{
	const struct profile *profile = model_get_profile(model);
	uint32_t count = model_thread_count(model), used = 0;
	struct shown *shown = calloc(count + (size_t)1, sizeof *shown);
	struct busy *busy = calloc(count + (size_t)1, sizeof *busy);

	for (size_t i = 0; shown && busy && i < profile->thread_count; i++) {
		uint32_t index = model_find_thread(model, profile->threads[i].stream);

		if (index >= count || shown[index].row)
			continue;
		shown[index].row = &profile->threads[i];
		busy[used++] = (struct busy){index, profile->threads[i].self_ticks + profile->threads[i].sampled};
	}
	if (!shown || !busy) {
		free(shown);
		free(busy);
		return NULL;
	}
	qsort(busy, used, sizeof *busy, by_time);
	for (uint32_t i = 0; i < used && i < THREADS_WITH_TREE; i++)
		shown[busy[i].index].has_tree = true;
	free(busy);
	return shown;
}

static bool put_thread(struct page *page, const struct trace *trace, uint32_t index, const struct shown *shown)
{
	const struct profile *profile = model_get_profile(trace->model);
	const struct clock_map *clock = model_get_clock(trace->model);
	struct model_thread thread = model_get_thread(trace->model, index);
	const struct profile_thread *row = shown->row;
	const struct tree *tree = shown->has_tree ? thread_trees_find(&profile->thread_trees, thread.stream) : NULL;
	bool good = true;

	page_open_object(page, NULL);
	page_put_text(page, "label", make_thread_label(trace->model, index).text);
	page_put_count(page, "stream", thread.stream);
	page_put_count(page, "tid", thread.tid);
	page_put_flag(page, "selected", thread.selected);
	if (row && row->last_ticks) {
		page_put_signed(page, "first_ns", clock_moment_ns(clock, row->first_ticks));
		page_put_signed(page, "last_ns", clock_moment_ns(clock, row->last_ticks));
		page_put_flag(page, "off_untold", row->off_cpu_is_unknown);
	}
	if (tree)
		good = put_thread_tree(page, trace, tree);
	page_close(page);
	return good;
}

static bool put_threads(struct page *page, const struct trace *trace)
{
	struct shown *shown = choose_threads(trace->model);
	bool good = shown;

	page_open_array(page, "threads");
	for (uint32_t i = 0; good && i < model_thread_count(trace->model); i++)
		good = put_thread(page, trace, i, &shown[i]);
	page_close(page);
	free(shown);
	return good;
}

/* ---- durations ---- */

/* Begins the table of ranges: finds its columns. context: a struct ranges. */
static void find_range_columns(void *context, const char *name, const struct column *columns, uint32_t count)
{
	uint32_t *at = *(uint32_t **)context;

	(void)name;
	for (uint32_t i = 0; i < count; i++) {
		if (columns[i].key && !strcmp(columns[i].key, "from_ns"))
			at[0] = i;
		if (columns[i].key && !strcmp(columns[i].key, "to_ns"))
			at[1] = i;
		if (columns[i].key && !strcmp(columns[i].key, "calls"))
			at[2] = i;
	}
}

struct ranges {
	uint32_t *at; /* the first member, as find_range_columns reads it: indexes of the columns from_ns, to_ns and calls */
	struct page *page;
};

static void put_range(void *context, const struct cell *cells)
{
	const struct ranges *ranges = context;

	for (int i = 0; i < 3; i++)
		page_put_count(ranges->page, NULL, cells[ranges->at[i]].count);
}

static void end_ranges(void *context)
{
	(void)context;
}

/* For each function the rows of `dwell histogram`, as consecutive values: from, to and calls. */
static bool put_durations(struct page *page, const struct trace *trace)
{
	const struct profile *profile = model_get_profile(trace->model);
	uint32_t at[3] = {0};
	struct ranges ranges = {at, page};
	const struct table_sink sink = {&ranges, find_range_columns, put_range, end_ranges};
	bool good = true;

	page_open_array(page, "durations");
	for (size_t id = 0; good && id < profile->function_count; id++) {
		struct analysis_distribution what = {
			.profile = profile, .clock = model_get_clock(trace->model), .durations = &profile->functions[id]};

		if (!profile->functions[id].durations.count || profile_is_untimed(profile, (uint32_t)id)) {
			page_put_null(page, NULL);
			continue;
		}
		page_open_array(page, NULL);
		good = analysis_distribution(&what, &sink);
		page_close(page);
	}
	page_close(page);
	return good;
}

/* ---- the whole page ---- */

/* All tables about functions. */
static bool put_tables(struct page *page, const struct html_source *source)
{
	struct trace *trace = source->trace;
	struct diag *silent = make_diag();
	struct html_code code = {.lines = make_lines(model_get_functions(trace->model), silent)};
	bool good = put_info(page, source) && put_summary(page, trace) && put_functions(page, source, &code) &&
		    put_tree(page, trace) && put_threads(page, trace) && put_durations(page, trace);

	if (good && model_is_sampled(trace->model) && trace->is_seekable)
		good = html_page_put_relatives(page, trace, &code);
	free_lines(code.lines);
	free_diag(silent);
	return good;
}

/* Names called functions that are in no table. */
static void put_other_names(struct page *page, const struct trace *trace)
{
	struct functions *functions = model_get_functions(trace->model);

	for (uint32_t id = 0; id < functions_count(functions); id++)
		if (!page_has_name(page, id))
			page_set_name(page, id, functions_get_name(functions, id));
}

bool html_page_fill(struct page *page, const struct html_source *source)
{
	const struct trace *trace = source->trace;
	const struct profile *profile = model_get_profile(trace->model);
	bool good;

	page_put_count(page, "version", PAGE_VERSION);
	page_put_text(page, "dwell", DWELL_VERSION);
	page_put_text(page, "file", trace->path);
	page_put_text(page, "kind", kind_of(trace->model));
	page_put_text(page, "unit", clock_is_unknown(model_get_clock(trace->model)) ? "ticks" : profile->has_times ? "ns" : profile->unit);
	page_put_text(page, "time_unit", clock_is_unknown(model_get_clock(trace->model)) ? "ticks" : "ns");
	page_put_count(page, "clock_step_ns", clock_step_ns(model_get_clock(trace->model)));
	page_put_flag(page, "is_seekable", trace->is_seekable);
	page_put_flag(page, "has_cpu", profile->has_off_cpu);
	page_put_text(page, "snapshot_reason", model_get_snapshot_reason(trace->model));
	page_put_text(page, "cpu_problem", model_get_cpu_problem(trace->model));
	page_put_real(page, "waiting_percent", waiting_find_most(profile));
	page_put_flag(page, "is_net", profile->is_net);
	page_put_count(page, "total", profile->has_times ? clock_duration_ns(model_get_clock(trace->model), profile->total) : profile->total);
	page_put_count(page, "folded_calls", profile->tree.folded_calls);
	page_put_count(page, "threads_with_tree_max", THREADS_WITH_TREE);
	put_health(page, trace);
	put_overhead(page, trace);
	good = put_tables(page, source);
	html_page_put_calls(page, source);
	put_other_names(page, trace);
	return good && page_is_whole(page);
}
