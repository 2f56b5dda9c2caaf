/* writer_options: the form of a table's output, and its options. */
#ifndef DWELL_HOST_WRITER_WRITER_OPTIONS_H
#define DWELL_HOST_WRITER_WRITER_OPTIONS_H

#include <stdbool.h>

/* WRITER_TEXT, for people: aligned columns under their titles, numbers with units (units.h). Names have characters escaped that a
 * terminal might interpret, and C++ names are shortened. Column widths come from the columns' hints, or from the first 200 rows.
 *
 * WRITER_CSV, for scripts: a line of keys, then a line for each row, ended by \n. Integers are plain, addresses are 0x…,
 * percentages have 4 decimals, unknown values are empty. Text is quoted (RFC 4180) when it contains a comma or a quote. Unsafe
 * bytes are escaped, so a value is always one line, and a text like a formula gets a leading '.
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
 * WRITER_C6000, the files of TI's C6000 profiler: like WRITER_CSV, but for people with a spreadsheet. Means
 * have two decimals, percentages two decimals and a sign. A table whose first column has no key has no line of
 * keys, so that one file can have several tables below each other.
 *
 * WRITER_MARKDOWN, for build summaries: the columns and cells of WRITER_TEXT as a Markdown table, with names as code.
 *
 * Units in JSON: text name count ns ticks percent mean address bytes depth part. Addresses are strings ("0x401136"),
 * unknown values are null, integers above 2^63 − 1 become reals, because common parsers take no larger integers. Bytes that
 * are not UTF-8 become U+FFFD: the output is always valid JSON. */
enum writer_form { WRITER_TEXT, WRITER_CSV, WRITER_JSON, WRITER_C6000, WRITER_MARKDOWN };

/* The columns that a name takes where there is no terminal. */
#define WRITER_NAME_COLUMNS 100u

struct writer_options {
	enum writer_form form;
	bool colour; /* text only */
	bool ascii; /* text and markdown: draw bars with #, and cut with .. */
	int width; /* text only: width of the terminal, which names are cut to fit (fit_name.h); 0: a file or a pipe, where a name
	              has WRITER_NAME_COLUMNS at most */
	bool ticks; /* nanoseconds are in fact ticks of a clock with an unknown rate: keys end with _ticks, and text shows counts */
	bool full_names; /* text and markdown: do not cut names, and do not shorten C++ names (short_name.h) */
};

#endif
