/* writer: a table → bytes. One file for each form. Writers report a full disk as a diag at end; they never exit. */
#ifndef DWELL_HOST_WRITER_WRITER_H
#define DWELL_HOST_WRITER_WRITER_H

#include <stdbool.h>
#include <stdio.h>

#include "analysis/table.h"
#include "util/diag.h"

/* WRITER_TEXT, for people: aligned columns under their titles, numbers with units (units.h), names escaped where they would lead a
 * terminal astray, and C++ names without what nobody writes. Column widths come from the columns' hints, else from the first 200 rows.
 *
 * WRITER_CSV, for scripts: a line of keys, then a line for each row, ended by \n. Integers as they are, addresses as 0x…,
 * percentages with 4 decimals, unknown values empty. Text is quoted (RFC 4180) when it holds a comma, a quote or a line break; its
 * bytes are as the source has them, UTF-8 or not.
 *
 * WRITER_JSON, for programs: one object, streamed, a line for each row:
 *
 *     {"name": "report",
 *      "columns": [{"key": "function", "title": "function", "unit": "name"}, …],
 *      "rows": [
 *     {"function": "main", "calls": 1, "total_ns": 125, "self_percent": 12.5, …},
 *     …
 *     ]}
 *
 * WRITER_C6000, the files of TI's C6000 profiler: as WRITER_CSV, but for people with a spreadsheet: means have two decimals,
 * percentages two and a sign, and a table whose first column has no key has no line of keys, so that tables stand below each other in
 * one file.
 *
 * Units of JSON: text name count ns ticks percent mean address bytes depth. Addresses are strings ("0x401136"), unknown values are null, integers
 * above 2^63 − 1 are written as reals (the largest that common parsers take). Bytes that are not UTF-8 become U+FFFD: the output
 * is always valid JSON. */
enum writer_form { WRITER_TEXT, WRITER_CSV, WRITER_JSON, WRITER_C6000 };

struct writer_options {
	enum writer_form form;
	bool colour; /* text only */
	bool ascii; /* text only: bars are made of # */
	int width; /* text only: columns of the terminal, and names are cut to fit, in the middle; 0: unlimited, nothing is cut */
	bool ticks; /* a nanosecond is in truth a tick of a clock whose rate is unknown: keys end with _ticks, and people see counts */
	bool full_names; /* text only: names are not cut, and C++ names not shortened (short_name.h) */
};

/* Makes the sink for tables written to out (borrowed). name is for messages ("standard output"). One table after the other may be
 * written. A table's name and columns are borrowed until its end, cells until row returns. When there is no memory the sink
 * swallows its rows and diag knows. */
struct table_sink make_table_writer(const struct writer_options *options, FILE *out, const char *name, struct diag *diag);
void free_table_writer(struct table_sink *sink);

/* Several threads may make the rows of one table: each with a copy of the writer, that puts rows into memory, which are then put into the
 * table in any order. A table can be copied as soon as its rows do not depend on those before them any more; text needs to have seen
 * some. */
bool table_writer_can_copy(const struct table_sink *sink);
/* memory is borrowed. Only rows may be written to it; its context is null when there is no memory. free_table_writer. */
struct output_memory;
struct table_sink make_table_writer_copy(const struct table_sink *sink, struct output_memory *memory);
/* How many bytes the rows of the copy have so far, from where its memory stood at first. */
size_t table_writer_count_bytes(const struct table_sink *copy);
/* All rows of the copy that were written are in its memory now; what comes is put into another one. False: some could not be. */
bool table_writer_flush(struct table_sink *copy, struct output_memory *next);
/* So many rows, as a copy made them. */
void table_writer_put_rows(struct table_sink *sink, const char *bytes, size_t count, uint64_t rows);

#endif
