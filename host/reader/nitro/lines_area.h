/* lines area: the control area of a line buffer (core/lines.h), of any machine, as bytes show it. Checked: what it says lies where, and how
 * much that is, holds together; whether an image has these bytes is for who has the image. */
#ifndef DWELL_HOST_READER_NITRO_LINES_AREA_H
#define DWELL_HOST_READER_NITRO_LINES_AREA_H

#include <stdbool.h>
#include <stdint.h>

#include "core/lines.h"
#include "reader/words.h"
#include "util/bytes.h"

#define LINES_AREA_BYTES_MAX (LINES_HEAD_BYTES + 8 * LINES_COST_WORDS) /* of the largest control area */
#define LINES_LEVEL_BYTES 4u /* of a line of a log */

struct lines_area {
	uint64_t address; /* of the control area */
	uint64_t offset;  /* in the file, for who has one */
	struct words words;
	uint32_t kind, registers, version;
	uint32_t line_bytes; /* or those of a row */
	uint64_t begin;      /* address of the first line or row */
	uint64_t count;      /* lines or rows that count */
	uint64_t capacity;   /* there is room for */
	uint64_t first;      /* number of the oldest one: 0, or of a log that began again, where it goes on */
	uint64_t levels;     /* of a log: address of the first level */
	uint64_t bytes;      /* from address through the last byte that belongs to it */
	/* Of the control words: */
	uint64_t unwritten, wraps, dropped, halves, missed, early, abandoned, not_left, hz;
	bool is_over; /* its thread let go of it */
	bool is_busy; /* of statistics: lines are being counted into them */
};

/* Damaged or newer: the first words and BEGIN are those of an area, and the others contradict them, or are of a later version. */
enum lines_area_found { LINES_AREA_NONE, LINES_AREA_GOOD, LINES_AREA_DAMAGED, LINES_AREA_NEWER };

/* address: where the bytes lay; null: BEGIN tells it, and what is not good may be no area at all. */
enum lines_area_found lines_area_read(struct lines_area *area, struct bytes bytes, const uint64_t *address);

/* "call trace", "call log", "function cost", "statistics" */
const char *lines_area_kind_name(const struct lines_area *area);
/* Whether there are times in it. */
bool lines_area_has_times(const struct lines_area *area);

#endif
