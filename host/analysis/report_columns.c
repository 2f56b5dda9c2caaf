/* report_columns: the columns of reports, and the tables of people made from them. */
#include "analysis/report_columns.h"

#include <string.h>

#define DATA .data_only = true

const struct column report_columns[REPORT_COLUMN_COUNT] = {
	[REPORT_NAME] = {.key = "function", .title = "function", .unit = UNIT_NAME, DATA},
	[REPORT_CALLS] = {.key = "calls", .title = "calls", .unit = UNIT_COUNT, DATA},
	[REPORT_TOTAL] = {.key = "total_ns", .title = "total", .unit = UNIT_NS, DATA},
	[REPORT_SELF] = {.key = "self_ns", .title = "self", .unit = UNIT_NS, DATA},
	[REPORT_MIN] = {.key = "min_ns", .title = "min", .unit = UNIT_NS, .spare = 8, DATA},
	[REPORT_AVG] = {.key = "avg_ns", .title = "avg", .unit = UNIT_NS, .spare = 1, DATA},
	[REPORT_MAX] = {.key = "max_ns", .title = "max", .unit = UNIT_NS, .spare = 7, DATA},
	[REPORT_P50] = {.key = "p50_ns", .title = "p50", .unit = UNIT_NS, .spare = 6, DATA},
	[REPORT_P99] = {.key = "p99_ns", .title = "p99", .unit = UNIT_NS, .spare = 5, DATA},
	[REPORT_TOTAL_CPU] = {.key = "total_cpu_ns", .title = "total cpu", .unit = UNIT_NS, DATA},
	[REPORT_TOTAL_OFF] = {.key = "total_off_ns", .title = "total off", .unit = UNIT_NS, DATA},
	[REPORT_TOTAL_UNKNOWN] = {.key = "total_unknown_ns", .title = "total unknown", .unit = UNIT_NS, DATA},
	[REPORT_SELF_CPU] = {.key = "self_cpu_ns", .title = "self cpu", .unit = UNIT_NS, DATA},
	[REPORT_SELF_OFF] = {.key = "self_off_ns", .title = "self off", .unit = UNIT_NS, DATA},
	[REPORT_SELF_PREEMPTED] = {.key = "self_preempted_ns", .title = "preempted", .unit = UNIT_NS, DATA},
	[REPORT_SELF_UNKNOWN] = {.key = "self_unknown_ns", .title = "self unknown", .unit = UNIT_NS, DATA},
	[REPORT_TOTAL_RECORDING] = {.key = "total_recording_ns", .title = "total recording", .unit = UNIT_NS, DATA},
	[REPORT_TOTAL_ERROR] = {.key = "total_error_ns", .title = "total +-", .unit = UNIT_NS, DATA},
	[REPORT_SELF_RECORDING] = {.key = "self_recording_ns", .title = "recording", .unit = UNIT_NS, DATA},
	[REPORT_SELF_ERROR] = {.key = "self_error_ns", .title = "self +-", .unit = UNIT_NS, DATA},
	[REPORT_SAMPLES] = {.key = "samples", .title = "samples", .unit = UNIT_COUNT, DATA},
	[REPORT_PERCENT] = {.key = "self_percent", .title = "self %", .unit = UNIT_PERCENT, DATA},
	[REPORT_LOW] = {.key = "self_low", .title = "from", .unit = UNIT_PERCENT, DATA},
	[REPORT_HIGH] = {.key = "self_high", .title = "to", .unit = UNIT_PERCENT, DATA},
	[REPORT_TOTAL_PERCENT] = {.key = "total_percent", .title = "total %", .unit = UNIT_PERCENT, DATA},
	[REPORT_TOTAL_WEIGHT] = {.key = "total", .title = "total", .unit = UNIT_COUNT, DATA},
	[REPORT_SELF_WEIGHT] = {.key = "self", .title = "self", .unit = UNIT_COUNT, DATA},
	[REPORT_CUT] = {.key = "cut_calls", .title = "cut", .unit = UNIT_COUNT, DATA},
	[REPORT_TOTAL_WAITING] = {.key = "total_waiting_ns", .title = "total waiting", .unit = UNIT_NS, DATA},
	[REPORT_TOTAL_PREEMPTED] = {.key = "total_preempted_ns", .title = "total preempted", .unit = UNIT_NS, DATA},
	[REPORT_SELF_WAITING] = {.key = "self_waiting_ns", .title = "waiting", .unit = UNIT_NS, DATA},
	[REPORT_SELF_PER_CALL] = {.key = "self_per_call_ns", .title = "self/call", .unit = UNIT_NS_MEAN, DATA},
	[REPORT_TOTAL_FAULTS] = {.key = "total_page_faults", .title = "total faults", .unit = UNIT_COUNT, DATA},
	[REPORT_SELF_FAULTS] = {.key = "page_faults", .title = "page faults", .unit = UNIT_COUNT, DATA},
};

/* REPORT_ALIKE and REPORT_OPEN. */
static const struct column people_columns[] = {
	{.key = "alike", .title = "", .unit = UNIT_TEXT},
	{.key = "open", .title = "", .unit = UNIT_TEXT},
};

void report_clear(struct cell cells[REPORT_CELL_COUNT])
{
	for (int i = 0; i < REPORT_CELL_COUNT; i++)
		cells[i] = (struct cell){.absent = true};
}

struct column *report_show(struct report_view *view, enum report_column which)
{
	struct column *column = &view->columns[REPORT_COLUMN_COUNT + view->count];

	view->which[view->count++] = which;
	*column = which < REPORT_COLUMN_COUNT ? report_columns[which] : people_columns[which - REPORT_COLUMN_COUNT];
	column->data_only = false;
	column->text_only = true;
	return column;
}

void report_begin(struct report_view *view, const struct table_sink *sink)
{
	memcpy(view->columns, report_columns, sizeof report_columns);
	for (uint32_t i = 0; i < view->count; i++) /* units of sums that are nanoseconds */
		if (view->which[i] < REPORT_COLUMN_COUNT)
			view->columns[view->which[i]].unit = view->columns[REPORT_COLUMN_COUNT + i].unit;
	sink->begin(sink->context, "report", view->columns, REPORT_COLUMN_COUNT + view->count);
}

void report_row(const struct report_view *view, const struct cell cells[REPORT_CELL_COUNT], const struct table_sink *sink)
{
	struct cell row[REPORT_COLUMN_COUNT + REPORT_CELL_COUNT];

	memcpy(row, cells, REPORT_COLUMN_COUNT * sizeof *row);
	for (uint32_t i = 0; i < view->count; i++)
		row[REPORT_COLUMN_COUNT + i] = cells[view->which[i]];
	sink->row(sink->context, row);
}
