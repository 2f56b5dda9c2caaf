/* calls: writes a row for each call that the caller passes on, for the table of `dwell calls`. */
#include "analysis/calls/calls.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/unique_names.h"
#include "analysis/by.h"
#include "analysis/off_cpu_columns.h"
#include "analysis/calls/call_note.h"
#include "analysis/calls/call_values.h"
#include "analysis/calls/thread_label.h"
#include "util/array.h"

enum {
	THREAD,
	DEPTH,
	NAME,
	ENTER,
	TOTAL,
	TOTAL_CPU,
	TOTAL_OFF,
	SELF,
	SELF_CPU,
	SELF_OFF,
	WAITING, /* with PREEMPTED, for people: parts of self */
	PREEMPTED,
	TOTAL_FAULTS, /* with SELF_FAULTS, for people */
	SELF_FAULTS,
	NAME_AT_END,
	NOTE,
	ARG,
	OFF_CPU = ARG + CALL_VALUES_COLUMNS,
	COLUMN_COUNT = OFF_CPU + OFF_CPU_COLUMNS
};

static const struct column columns[ARG] = {
	[THREAD] = {.key = "thread", .title = "thread", .unit = UNIT_TEXT, .width = 12},
	[DEPTH] = {.key = "depth", .title = "depth", .unit = UNIT_INDENT, .width = 5},
	[NAME] = {.key = "function", .title = "function", .unit = UNIT_NAME, .data_only = true},
	[ENTER] = {.key = "enter_ns", .title = "enter", .unit = UNIT_NS_SIGNED, .width = 9},
	[TOTAL] = {.key = "total_ns", .title = "total", .unit = UNIT_NS, .width = 9},
	[TOTAL_CPU] = {.key = "total_cpu_ns", .title = "total cpu", .unit = UNIT_NS, .width = 9},
	[TOTAL_OFF] = {.key = "total_off_ns", .title = "total off", .unit = UNIT_NS, .width = 9, .data_only = true},
	[SELF] = {.key = "self_ns", .title = "self", .unit = UNIT_NS, .width = 9},
	[SELF_CPU] = {.key = "self_cpu_ns", .title = "self cpu", .unit = UNIT_NS, .width = 9},
	[SELF_OFF] = {.key = "self_off_ns", .title = "self off", .unit = UNIT_NS, .width = 9, .data_only = true},
	[NAME_AT_END] = {.key = "function", .title = "function", .unit = UNIT_NAME, .text_only = true},
	[NOTE] = {.key = "note", .title = "note", .unit = UNIT_TEXT, .data_only = true},
};

struct calls {
	const struct model *model;
	struct functions *functions;
	const struct clock_map *clock;
	struct table_sink sink;
	uint64_t limit, rows;
	bool has_faults;
	bool has_off_cpu; /* times off the CPU are recorded: tables for people have columns for CPU time */
	bool has_args;
	bool have_values; /* at least one row had values */
	struct call_values_line line; /* a name with its arguments */
	struct column columns[COLUMN_COUNT];
	struct thread_label *labels; /* index: thread in the model; each label is made for its first row, and kept */
	size_t label_count, label_capacity;
	uint32_t stream, index; /* of the last row: its stream, and the thread's index in the model; UINT32_MAX: unknown */
	struct unique_names names;
};

static bool is_time(int column)
{
	return (column >= TOTAL && column < NAME_AT_END) || column >= OFF_CPU;
}

static bool is_of_faults(int column)
{
	return column == TOTAL_FAULTS || column == SELF_FAULTS || column >= OFF_CPU + OFF_CPU_TOTAL_FAULTS;
}

static bool is_of_cpu(int column)
{
	return is_time(column) && column != TOTAL && column != SELF && !is_of_faults(column);
}

static bool is_shown(const struct calls *calls, int column)
{
	return calls->has_args || column < ARG || column >= OFF_CPU;
}

/* On a narrow terminal preemption and waiting are dropped first, then the self times, then the total CPU time, to leave room for
 * names. If the arguments are too long, their end is cut. */
static void favour_names(struct column *column, int which, bool has_args)
{
	if (which == NAME_AT_END)
		column->cut_end = has_args;
	else if (which == SELF || which == SELF_CPU)
		column->spare = 2;
	else if (which == TOTAL_CPU)
		column->spare = 1;
}

static struct column make_column(int which, const struct column faults[FAULT_COLUMNS])
{
	if (which == WAITING)
		return off_cpu_for_people(OFF_CPU_SELF_WAITING, 3);
	if (which == PREEMPTED)
		return off_cpu_for_people(OFF_CPU_SELF_PREEMPTED, 4);
	if (which == TOTAL_FAULTS || which == SELF_FAULTS)
		return faults[which - TOTAL_FAULTS];
	if (which >= OFF_CPU)
		return off_cpu_columns[which - OFF_CPU];
	return which < ARG ? columns[which] : call_values_columns[which - ARG];
}

static void begin(struct calls *calls)
{
	struct column faults[FAULT_COLUMNS];
	uint32_t count = 0;

	faults_for_people(faults, calls->has_faults, 3);
	for (int i = 0; i < COLUMN_COUNT; i++) {
		if (!is_shown(calls, i))
			continue;
		calls->columns[count] = make_column(i, faults);
		calls->columns[count].data_only |= !calls->has_off_cpu && is_of_cpu(i);
		favour_names(&calls->columns[count], i, calls->has_args);
		if (i == TOTAL || i == SELF)
			calls->columns[count].title = by_title(calls->has_off_cpu, columns[i].title, i == TOTAL ? "total wall" : "self wall");
		count++;
	}
	calls->sink.begin(calls->sink.context, "calls", calls->columns, count);
}

static void put_row(const struct calls *calls, const struct cell cells[COLUMN_COUNT])
{
	struct cell shown[COLUMN_COUNT];
	uint32_t count = 0;

	for (int i = 0; i < COLUMN_COUNT; i++)
		if (is_shown(calls, i))
			shown[count++] = cells[i];
	calls->sink.row(calls->sink.context, shown);
}

struct calls *make_calls(
	const struct model *model, const struct table_sink *sink, uint64_t limit, bool args, bool off, bool has_faults)
{
	struct calls *calls = calloc(1, sizeof *calls);

	if (!calls)
		return NULL;
	*calls = (struct calls){.model = model,
		.functions = model_get_functions(model),
		.clock = model_get_clock(model),
		.sink = *sink,
		.limit = limit,
		.has_off_cpu = off,
		.has_faults = has_faults,
		.has_args = args,
		.index = UINT32_MAX};
	begin(calls);
	return calls;
}

uint64_t calls_count(const struct calls *calls)
{
	return calls->rows;
}

bool calls_have_values(const struct calls *calls)
{
	return calls->have_values;
}

void calls_end(struct calls *calls)
{
	calls->sink.end(calls->sink.context);
}

void free_calls(struct calls *calls)
{
	if (!calls)
		return;
	free(calls->labels);
	unique_names_clear(&calls->names);
	call_values_line_clear(&calls->line);
	free(calls);
}

bool calls_is_done(const struct calls *calls)
{
	return calls->rows >= calls->limit || (calls->sink.is_done && *calls->sink.is_done);
}

/* The label of the stream's thread; "?": unknown, or no memory. */
static const char *get_label(struct calls *calls, uint32_t stream)
{
	size_t count = calls->label_count, wanted;

	if (calls->index == UINT32_MAX || calls->stream != stream) {
		calls->stream = stream;
		calls->index = model_find_thread(calls->model, stream);
	}
	wanted = (size_t)calls->index + 1;
	if (calls->index == UINT32_MAX)
		return "?";
	if (wanted > count) {
		if (!array_reserve(&calls->labels, &calls->label_capacity, wanted, sizeof *calls->labels))
			return "?";
		memset(calls->labels + count, 0, (wanted - count) * sizeof *calls->labels);
		calls->label_count = wanted;
	}
	if (!*calls->labels[calls->index].text)
		calls->labels[calls->index] = make_thread_label(calls->model, calls->index);
	return calls->labels[calls->index].text;
}

static const char *get_name(struct calls *calls, uint32_t function)
{
	return function == FUNCTION_NONE ? "?" : unique_names_get(&calls->names, calls->functions, function);
}

static void set_times(const struct calls *calls, const struct call *call, bool is_untimed, struct cell cells[COLUMN_COUNT])
{
	/* The call's beginning or end is unknown, so its times are lower bounds. */
	bool unsure = call->flags & (DWELL_CALL_NO_ENTRY | DWELL_CALL_GAP | DWELL_CALL_OPEN);
	struct off_cpu_parts total, self;

	cells[TOTAL].count = clock_duration_ns(calls->clock, call->total_ticks);
	cells[SELF].count = clock_duration_ns(calls->clock, call->self_ticks);
	total = off_cpu_divide_call(cells[TOTAL].count, &call->total_off, call->off_cpu_unknown, calls->clock);
	self = off_cpu_divide_call(cells[SELF].count, &call->self_off, call->off_cpu_unknown, calls->clock);
	cells[TOTAL_CPU] = (struct cell){.count = total.cpu, .absent = total.is_undivided};
	cells[TOTAL_OFF] = (struct cell){.count = total.off, .absent = total.is_undivided};
	cells[SELF_CPU] = (struct cell){.count = self.cpu, .absent = self.is_undivided};
	cells[SELF_OFF] = (struct cell){.count = self.off, .absent = self.is_undivided};
	off_cpu_set_cells(cells + OFF_CPU, &total, &self);
	cells[WAITING] = cells[OFF_CPU + OFF_CPU_SELF_WAITING];
	cells[PREEMPTED] = cells[OFF_CPU + OFF_CPU_SELF_PREEMPTED];
	memcpy(cells + TOTAL_FAULTS, cells + OFF_CPU + OFF_CPU_TOTAL_FAULTS, FAULT_COLUMNS * sizeof *cells);
	for (int i = TOTAL; i < COLUMN_COUNT; i++) {
		if (!is_time(i))
			continue;
		cells[i].unsure = unsure;
		cells[i].step_ns = i == WAITING || i == PREEMPTED ? 0 : clock_step_ns(calls->clock);
		cells[i].absent |= is_untimed || call->flags & DWELL_CALL_NO_EXIT || (!calls->has_off_cpu && is_of_cpu(i)) ||
				   (!calls->has_faults && is_of_faults(i));
	}
}

void calls_write(struct calls *calls, const struct call *call)
{
	bool is_untimed = model_get_header(calls->model) && model_get_header(calls->model)->is_untimed;
	struct cell cells[COLUMN_COUNT] = {0};
	char note[CALL_NOTE_BYTES];

	if (calls_is_done(calls))
		return;
	calls->rows++;
	cells[THREAD].text = get_label(calls, call->stream);
	cells[DEPTH].count = call->depth;
	cells[NAME].text = cells[NAME_AT_END].text = get_name(calls, call->function);
	cells[NAME].function = cells[NAME_AT_END].function = call->function + 1;
	cells[NOTE].text = call_note(call->flags, note); /* tables for people have "~" at times that are lower bounds instead */
	cells[ENTER].absent = is_untimed;
	cells[ENTER].signed_count = clock_moment_ns(calls->clock, call->enter_ticks);
	cells[ENTER].unsure = call->flags & DWELL_CALL_NO_ENTRY;
	set_times(calls, call, is_untimed, cells);
	if (calls->has_args) {
		calls->have_values |= call_values_are_known(call->values);
		call_values_set(call->values, cells + ARG);
		cells[NAME_AT_END].text = call_values_print(&calls->line, calls->model, cells[NAME].text, call->values);
	}
	put_row(calls, cells);
}
