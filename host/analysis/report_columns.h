/* report_columns: the columns of a report, whether of calls, samples or another tool's sums. CSV and JSON always have all columns,
 * in this order, empty where a number is unknown. Tables for people have only the columns with values, in a different order. */
#ifndef DWELL_HOST_ANALYSIS_REPORT_COLUMNS_H
#define DWELL_HOST_ANALYSIS_REPORT_COLUMNS_H

#include "analysis/table.h"

enum report_column {
	REPORT_NAME,
	REPORT_CALLS,
	REPORT_TOTAL,
	REPORT_SELF,
	REPORT_MIN,
	REPORT_AVG,
	REPORT_MAX,
	REPORT_P50,
	REPORT_P99,
	REPORT_TOTAL_CPU,
	REPORT_TOTAL_OFF, /* waiting + preempted */
	REPORT_TOTAL_UNKNOWN,
	REPORT_SELF_CPU,
	REPORT_SELF_OFF,
	REPORT_SELF_PREEMPTED,
	REPORT_SELF_UNKNOWN,
	REPORT_TOTAL_RECORDING,
	REPORT_TOTAL_ERROR,
	REPORT_SELF_RECORDING,
	REPORT_SELF_ERROR,
	REPORT_SAMPLES,
	REPORT_PERCENT, /* self as a part of that of all functions, in the time chosen for the report */
	REPORT_LOW,
	REPORT_HIGH,
	REPORT_TOTAL_PERCENT,
	REPORT_TOTAL_WEIGHT, /* sums of something other than time */
	REPORT_SELF_WEIGHT,
	REPORT_CUT, /* calls that may have taken longer */
	/* Columns of later versions are here: scripts may go by the place. */
	REPORT_TOTAL_WAITING,
	REPORT_TOTAL_PREEMPTED,
	REPORT_SELF_WAITING,
	REPORT_SELF_PER_CALL, /* of samples, if calls are known */
	REPORT_TOTAL_FAULTS, /* page faults, if they are recorded; as in off_cpu_columns.h */
	REPORT_SELF_FAULTS,
	REPORT_COLUMN_COUNT,
	REPORT_ALIKE = REPORT_COLUMN_COUNT, /* this column and the next: for people only */
	REPORT_OPEN,
	REPORT_CELL_COUNT
};

/* Without the columns for people only. */
extern const struct column report_columns[REPORT_COLUMN_COUNT];

/* Makes each cell unknown (absent). */
void report_clear(struct cell cells[REPORT_CELL_COUNT]);
static inline void report_set_count(struct cell *cell, uint64_t count)
{
	*cell = (struct cell){.count = count};
}
static inline void report_set_real(struct cell *cell, double real)
{
	*cell = (struct cell){.real = real};
}

/* The choice of columns for people, in their order. Zeroed: none yet. The view must outlive the table. */
struct report_view {
	struct column columns[REPORT_COLUMN_COUNT + REPORT_CELL_COUNT]; /* data columns by report_begin; then those for people */
	enum report_column which[REPORT_CELL_COUNT];
	uint32_t count;
};
/* Appends a column for people, each at most once. The caller may change title and width of the result. */
struct column *report_show(struct report_view *view, enum report_column which);

/* Data columns first, then those for people. A row's cells are in the order of enum report_column. */
void report_begin(struct report_view *view, const struct table_sink *sink);
void report_row(const struct report_view *view, const struct cell cells[REPORT_CELL_COUNT], const struct table_sink *sink);

#endif
