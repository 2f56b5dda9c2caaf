/* table: the form of every result: columns with units, then rows. Crosses the border analysis → writer row by row, so a table of
 * any length needs no memory. Analyses do not depend on the looks of columns, writers not on their meaning. */
#ifndef DWELL_HOST_ANALYSIS_TABLE_H
#define DWELL_HOST_ANALYSIS_TABLE_H

#include <stdbool.h>
#include <stdint.h>

enum unit {
	UNIT_TEXT,     /* .text */
	UNIT_NAME,     /* .text: a function's name, with any bytes; the writer may cut or wrap it */
	UNIT_COUNT,    /* .count: a number of things. A number that serves as a name (a tid) is two columns: UNIT_COUNT for
	                  data_only, UNIT_TEXT for text_only */
	UNIT_NS,       /* .count: nanoseconds */
	UNIT_NS_SIGNED,/* .signed_count */
	UNIT_TICKS,    /* .count: ticks of a clock with unknown rate. With writer_options.ticks, the writer replaces UNIT_NS by
	                  UNIT_TICKS */
	UNIT_TICKS_SIGNED, /* .signed_count: likewise, for UNIT_NS_SIGNED */
	UNIT_PERCENT,  /* .real, 0…100 */
	UNIT_PERCENT_CHANGE, /* .real: relative to an old value; people see a sign */
	UNIT_POINTS,   /* .real: percentage points, what a percentage changed by; people see a sign and pp */
	UNIT_POINTS_UNSIGNED, /* .real: percentage points that are no change; people see pp */
	UNIT_MEAN,     /* .real: a mean of counts */
	UNIT_NS_MEAN,  /* .real: a mean of nanoseconds, with fractions */
	UNIT_ADDRESS,  /* .count: 0x… */
	UNIT_BYTES,    /* .count */
	UNIT_BAR,      /* .real, 0…1: a bar of this length, for people; as the last column it takes all remaining width */
	UNIT_INDENT,   /* .count: depth; a text writer indents the name column by the depth, CSV and JSON have the number */
};

/* Whether cells of the unit have .real. */
static inline bool unit_is_real(enum unit unit)
{
	return unit == UNIT_PERCENT || unit == UNIT_PERCENT_CHANGE || unit == UNIT_POINTS ||
	       unit == UNIT_POINTS_UNSIGNED || unit == UNIT_MEAN ||
	       unit == UNIT_NS_MEAN || unit == UNIT_BAR;
}

struct column {
	const char *key;   /* for scripts: "total_ns"; CSV header and JSON key. Null in the first column: CSV has no header line */
	const char *title; /* for people: "total" */
	enum unit unit;
	uint32_t width;    /* in characters, for writers that do not hold all rows; 0: the writer measures the first rows */
	bool text_only;    /* shown to people, not in csv or json */
	bool data_only;    /* in csv and json, not shown to people */
	bool empty;        /* no row has a value. CSV and JSON keep the column nevertheless, for a constant set of columns;
	                      text and Markdown omit it */
	bool cut_end;      /* a text that is too wide loses its end instead of its middle, since the start matters more */
	bool is_order;     /* the rows are sorted by this column */
	bool optional;     /* UNIT_NS, for people: shown only if a row has a time above 0 and, without a terminal, lines of 100
	                      characters have room. Of a long text only the first rows count */
	uint8_t spare;     /* on a narrow terminal the column with the highest number is dropped first; 0: never.
	                      Never set for the last column */
};

struct cell {
	union {
		const char *text;
		uint64_t count;
		int64_t signed_count;
		double real;
	};
	bool absent; /* unknown: "-" for people, empty in CSV, null in JSON */
	bool unsure; /* marked "~" for people */
	uint32_t step_ns; /* UNIT_NS: the clock's step. For people, shorter times are "<10 ns"; 0: times as they are */
	uint32_t function; /* UNIT_NAME: function id + 1, with which a sink can add more about the function; 0: no function */
};

/* For a column without any value. */
static inline void column_set_empty(struct column *column)
{
	column->data_only = column->empty = true;
}

/* A writer's three functions, called in this order. context belongs to the writer. The writer borrows name and columns from begin
 * until end, so these must not be local to the function that calls begin. The cells may be gone once row returns. */
struct table_sink {
	void *context;
	void (*begin)(void *context, const char *name, const struct column *columns, uint32_t column_count);
	void (*row)(void *context, const struct cell *cells);
	void (*end)(void *context);
	const bool *is_done; /* null; or true once the writer needs no more rows: a producer of many rows may stop */
};

#endif
