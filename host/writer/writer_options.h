/* writer_options: which form a table is written in, and how. */
#ifndef DWELL_HOST_WRITER_WRITER_OPTIONS_H
#define DWELL_HOST_WRITER_WRITER_OPTIONS_H

#include <stdbool.h>

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
 * WRITER_MARKDOWN, for summaries of builds: the columns and cells of WRITER_TEXT as a table of Markdown, names as code.
 *
 * Units of JSON: text name count ns ticks percent mean address bytes depth. Addresses are strings ("0x401136"), unknown values are null, integers
 * above 2^63 − 1 are written as reals (the largest that common parsers take). Bytes that are not UTF-8 become U+FFFD: the output
 * is always valid JSON. */
enum writer_form { WRITER_TEXT, WRITER_CSV, WRITER_JSON, WRITER_C6000, WRITER_MARKDOWN };

struct writer_options {
	enum writer_form form;
	bool colour; /* text only */
	bool ascii; /* text only: bars are made of # */
	int width; /* text only: columns of the terminal, and names are cut to fit (column.cut_end); 0: unlimited, nothing is cut */
	bool ticks; /* a nanosecond is in truth a tick of a clock whose rate is unknown: keys end with _ticks, and people see counts */
	bool full_names; /* text only: names are not cut, and C++ names not shortened (short_name.h) */
};

#endif
