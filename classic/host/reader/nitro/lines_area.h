/* lines area: parses the control area of a line buffer (classic/core/lines.h) of any machine, from bytes. The
 * parser checks the consistency of addresses and sizes; the caller checks that the image contains the lines. */
#ifndef DWELL_CLASSIC_HOST_READER_NITRO_LINES_AREA_H
#define DWELL_CLASSIC_HOST_READER_NITRO_LINES_AREA_H

#include <stdbool.h>
#include <stdint.h>

#include "classic/core/lines.h"
#include "reader/words.h"
#include "util/bytes.h"

#define LINES_AREA_BYTES_MAX (LINES_HEAD_BYTES + 8 * LINES_COST_WORDS) /* of the largest control area */
#define LINES_LEVEL_BYTES 4u /* a log has for each line a level of this size: the depth of its call */

struct lines_area {
	uint64_t address; /* of the control area */
	uint64_t offset;  /* in the file; the caller sets it */
	struct words words;
	uint32_t kind, registers, version;
	uint32_t line_bytes; /* bytes of a line or a row */
	uint64_t begin;      /* address of the first line or row */
	uint64_t count;      /* valid lines or rows */
	uint64_t stored;     /* lines or rows from begin on, before lines_counted_leave_out */
	uint64_t capacity;   /* lines or rows that fit */
	uint64_t first;      /* index of the oldest line: 0; in a log that has wrapped, the index of the line at CURSOR */
	uint64_t levels;     /* log: address of the first level */
	uint64_t bytes;      /* from address to the end of the buffer */
	/* Copies of control words: */
	uint64_t unwritten, wraps, dropped, halves, missed, early, abandoned, not_left, hz;
	bool is_over; /* the thread released the buffer */
	/* Function cost: the first lines are calls open at these ticks; skipped: invalid lines behind them. */
	uint64_t opened, opened_ticks, skipped;
	/* Statistics: the first line of the buffer on its way into the rows, 0: none; and the progress (LINES_STEP_…). */
	uint64_t busy, step_next, step_open, step_ticks;
	bool is_buffer_found; /* statistics: the image has the buffer of busy */
};

/* Damaged or newer: the first words and BEGIN are those of an area, but the other words are inconsistent, or of a later version. */
enum lines_area_found { LINES_AREA_NONE, LINES_AREA_GOOD, LINES_AREA_DAMAGED, LINES_AREA_NEWER };

/* address: the address of the bytes. If it differs from the address that BEGIN implies, the result is LINES_AREA_NONE. Null: the
 * address is unknown, and BEGIN determines it; then bytes that are DAMAGED or NEWER may be no area at all. */
enum lines_area_found lines_area_read(struct lines_area *area, struct bytes bytes, const uint64_t *address);

/* "call trace", "call log", "function cost", "statistics" */
const char *lines_area_kind_name(const struct lines_area *area);
/* Whether the buffer contains times. */
bool lines_area_has_times(const struct lines_area *area);

#endif
