/* table: columns with a unit, then rows. Crosses the border analysis → writer, row by row, so that a table of any length streams.
 * Analyses do not know how columns look; writers do not know what they mean. */
#ifndef DWELL_HOST_ANALYSIS_TABLE_H
#define DWELL_HOST_ANALYSIS_TABLE_H

#include <stdbool.h>
#include <stdint.h>

enum unit {
	UNIT_TEXT,     /* .text */
	UNIT_NAME,     /* .text: a function's name; cut or wrapped by the writer as it likes, may hold any byte */
	UNIT_COUNT,    /* .count */
	UNIT_NS,       /* .count: nanoseconds */
	UNIT_NS_SIGNED,/* .signed_count */
	UNIT_TICKS,    /* .count: of a clock whose rate is unknown. A writer makes it of UNIT_NS (writer_options.ticks) … */
	UNIT_TICKS_SIGNED, /* .signed_count: … and this of UNIT_NS_SIGNED */
	UNIT_PERCENT,  /* .real, 0…100 */
	UNIT_MEAN,     /* .real: a mean of counts */
	UNIT_ADDRESS,  /* .count: 0x… */
	UNIT_BYTES,    /* .count */
	UNIT_BAR,      /* .real, 0…1: a bar of that length, for people; takes the width that is left where it is the last column */
	UNIT_INDENT,   /* .count: depth; a text writer indents the name column by it, others print the number */
};

struct column {
	const char *key;   /* for scripts: "total_ns"; csv header and JSON key. Null, of the first: rows alone, in forms with such files */
	const char *title; /* for people: "total" */
	enum unit unit;
	uint32_t width;    /* hint for writers that stream: characters; 0 = find out from the first rows */
	bool text_only;    /* shown to people, not in csv or json */
	bool data_only;    /* in csv and json, not shown to people */
	bool empty;        /* no row has a value. Csv and json have the column all the same, so that columns do not come and go; no other
	                      writer does */
	bool cut_end;      /* a text that is too wide loses its end, not its middle: what is in front matters more */
	bool is_order;     /* the rows are in its order */
	uint8_t spare;     /* where a terminal is too narrow, people do without it: the highest goes first; 0: never. Not the last */
};

struct cell {
	union {
		const char *text;
		uint64_t count;
		int64_t signed_count;
		double real;
	};
	bool absent; /* unknown: "-" for people, empty in csv, null in JSON */
	bool unsure; /* marked "~" for people */
	uint32_t step_ns; /* UNIT_NS: people are shown "<10 ns" instead of a time below that; 0: all as it is */
	uint32_t function; /* UNIT_NAME: id of the function + 1, for who can tell more of it; 0: it is none */
};

/* Nothing is known of what is in this column. */
static inline void column_set_empty(struct column *column)
{
	column->data_only = column->empty = true;
}

/* What a writer gives: three calls, in this order. context is the writer's. */
struct table_sink {
	void *context;
	void (*begin)(void *context, const char *name, const struct column *columns, uint32_t column_count);
	void (*row)(void *context, const struct cell *cells);
	void (*end)(void *context);
	const bool *is_done; /* null; or set when no more rows are wanted: whoever makes many of them may stop */
};

#endif
