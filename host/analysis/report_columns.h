/* report_columns: the columns of a report, the same whatever it is of: calls, samples, or sums of another tool. In data all of them are
 * always there, in this order, empty where the number is not known; people see those that hold something, in an order of their own. */
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
	REPORT_TOTAL_OFF,
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
	REPORT_PERCENT, /* self, as a part of that of all functions: of the time that the report is by */
	REPORT_LOW,
	REPORT_HIGH,
	REPORT_TOTAL_PERCENT,
	REPORT_TOTAL_WEIGHT, /* of sums in another unit than time: in that unit */
	REPORT_SELF_WEIGHT,
	REPORT_CUT, /* calls that may have taken longer */
	REPORT_COLUMN_COUNT,
	REPORT_ALIKE = REPORT_COLUMN_COUNT, /* for people alone */
	REPORT_CELL_COUNT
};

/* Without what is of people alone. */
extern const struct column report_columns[REPORT_COLUMN_COUNT];

/* Every number is unknown. */
void report_clear(struct cell cells[REPORT_CELL_COUNT]);
static inline void report_set_count(struct cell *cell, uint64_t count)
{
	*cell = (struct cell){.count = count};
}
static inline void report_set_real(struct cell *cell, double real)
{
	*cell = (struct cell){.real = real};
}

/* What people see: which columns, and how. Zeroed: none yet. It outlives the table. */
struct report_view {
	struct column columns[REPORT_COLUMN_COUNT + REPORT_CELL_COUNT]; /* data's, which report_begin fills in, then theirs */
	enum report_column which[REPORT_CELL_COUNT];
	uint32_t count;
};
/* A column more, behind those so far, each once; returns it, to be given another title or less room. */
struct column *report_show(struct report_view *view, enum report_column which);

/* Data first, then what people see. A row's cells are in the order of the enum. */
void report_begin(struct report_view *view, const struct table_sink *sink);
void report_row(const struct report_view *view, const struct cell cells[REPORT_CELL_COUNT], const struct table_sink *sink);

#endif
