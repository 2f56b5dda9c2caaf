/* SPDX-License-Identifier: MIT
 *
 * dwell/read.h: reads what dwell recorded, and what other profilers did. Library: libdwell-read (pkg-config dwell-read).
 *
 *     struct dwell_recording *recording = dwell_read_open("app.dwell", NULL);
 *     if (dwell_read_ask(recording, "functions", NULL, 0, print_rows, NULL) != DWELL_READ_OK)
 *             fprintf(stderr, "%s\n", dwell_read_error(recording));
 *     dwell_read_close(recording);
 *
 * A recording is a file. A question has a name and perhaps parameters; its answer is a table. dwell_read_question lists
 * the questions. The columns of an answer are those of the command's CSV (doc/csv.md), with the same keys and units.
 *
 * Threads: one thread at a time may use a recording. Different recordings may be used by different threads at once. The
 * library reads large files with threads of its own; callbacks run on the thread that asked.
 *
 * Errors: no function exits, prints or sets a signal handler. A call that fails says so in what it returns, and
 * dwell_read_error tells why. Warnings (lost events, damaged chunks) are messages beside a good answer.
 *
 * ABI: structures only grow at their end, and those that you fill say how large they are. Functions stay. The library's
 * soname changes with DWELL_READ_VERSION_MAJOR. */
#ifndef DWELL_READ_H
#define DWELL_READ_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define DWELL_READ_VERSION_MAJOR 1
#define DWELL_READ_VERSION_MINOR 0

#if defined __GNUC__
#define DWELL_READ_API __attribute__((visibility("default")))
#else
#define DWELL_READ_API
#endif

/* The version of the library that runs: major × 65536 + minor. Context: any thread. */
DWELL_READ_API uint32_t dwell_read_version(void);

/* ---- open ---- */

/* A file and what was found out about it. */
struct dwell_recording;

/* How far reading has come. Called now and then while a question is answered, on the thread that asked. done, total: bytes of
 * the file; total is UINT64_MAX where it is not known. Return 0 to cancel; anything else goes on. */
typedef int dwell_read_progress(void *context, uint64_t done, uint64_t total);

/* Zero it, and set size. */
struct dwell_read_options {
	size_t size;         /* sizeof (struct dwell_read_options) */
	const char *program; /* of dumps, which do not name their program: FILE or FILE@ADDRESS. Default: NULL, none */
	const char *format;  /* what the file is, as `dwell report --format`. Default: NULL, found by its content */
	uint64_t clock_hz;   /* of files that do not say how fast their clock ticks. Default: 0, as the file says */
	uint32_t threads;    /* that read. Default: 0, as many as there are processors */
	dwell_read_progress *progress; /* Default: NULL */
	void *progress_context;
};

/* Prepares to read a file; it is opened by the first question. Copies path and options.
 * options: NULL for the defaults. Returns NULL when there is no memory. Free with dwell_read_close. */
DWELL_READ_API struct dwell_recording *dwell_read_open(const char *path, const struct dwell_read_options *options);

enum dwell_run {
	DWELL_RUN_NEW, /* of the program that was opened */
	DWELL_RUN_OLD, /* of what it is compared with */
};
/* Adds a file for the question "diff", which compares programs by one run of each, or by several. The file that was opened is
 * the first new one. Other questions are about that one alone. Copies path. Returns 0 when there is no memory. */
DWELL_READ_API int dwell_read_add(struct dwell_recording *recording, const char *path, enum dwell_run run);

/* recording: may be NULL. */
DWELL_READ_API void dwell_read_close(struct dwell_recording *recording);

/* ---- ask ---- */

enum dwell_parameter_kind {
	DWELL_PARAMETER_TEXT,     /* "parse", "worker*" */
	DWELL_PARAMETER_COUNT,    /* "25" */
	DWELL_PARAMETER_PERCENT,  /* "0.5": from 0 to 100 */
	DWELL_PARAMETER_DURATION, /* "20us", "1.5ms"; of moments since the recording began, also "-3ms" */
	DWELL_PARAMETER_SWITCH,   /* "" or "1": on; "0": off */
};

struct dwell_parameter_info {
	const char *name; /* "function" */
	const char *text; /* what it does, in a line */
	enum dwell_parameter_kind kind;
	int is_required;
};

struct dwell_question {
	const char *name; /* "functions" */
	const char *text; /* what the answer is, in a line */
	const struct dwell_parameter_info *parameters;
	size_t parameter_count;
};

/* The questions there are: index from 0 on; NULL behind the last. Static. Context: any thread. */
DWELL_READ_API const struct dwell_question *dwell_read_question(size_t index);

/* What a value in a column is, and which member of a cell holds it. */
enum dwell_value {
	DWELL_VALUE_TEXT,      /* text */
	DWELL_VALUE_NAME,      /* text */
	DWELL_VALUE_COUNT,     /* count */
	DWELL_VALUE_NS,        /* count; ticks where nobody knows how fast the clock was: see is_ticks */
	DWELL_VALUE_MOMENT_NS, /* integer: nanoseconds since the recording began; may be negative */
	DWELL_VALUE_PERCENT,   /* real: 0 to 100 */
	DWELL_VALUE_REAL,      /* real */
	DWELL_VALUE_ADDRESS,   /* count */
	DWELL_VALUE_BYTES,     /* count */
	DWELL_VALUE_DEPTH,     /* count: levels below the top */
};

struct dwell_column {
	const char *key;      /* "self_ns": stays the same from version to version */
	const char *title;    /* "self": for people */
	enum dwell_value unit;
	int is_ticks;         /* times are in ticks of an unknown clock */
};

#define DWELL_CELL_ABSENT 1u /* not known, or there is none: the value is 0 or NULL */
#define DWELL_CELL_UNSURE 2u /* may be far off: dwell marks it with ~ */

struct dwell_cell {
	union {
		const char *text; /* UTF-8 as a rule, but any bytes can be a name. Valid until the callback returns */
		uint64_t count;
		int64_t integer;
		double real;
	} value;
	uint32_t flags; /* DWELL_CELL_… */
	uint32_t reserved;
};

/* Some rows of an answer. */
struct dwell_rows {
	const struct dwell_column *columns; /* the same in all calls for one answer */
	size_t column_count;
	const struct dwell_cell *cells; /* row by row: cells[row * column_count + column] */
	size_t row_count;
};

/* Takes rows as they come: a few thousand at a time. The first call has no rows, so that the columns are known even where
 * the answer is empty. Everything in rows is borrowed until it returns. Return 0 to cancel; anything else goes on. */
typedef int dwell_read_take(void *context, const struct dwell_rows *rows);

enum dwell_read_status {
	DWELL_READ_OK,
	DWELL_READ_FAILED,    /* dwell_read_error tells why; rows may have come before */
	DWELL_READ_CANCELLED, /* a callback returned 0 */
};

struct dwell_parameter {
	const char *name, *value;
};

/* Answers a question. parameters: count of them; NULL when there are none. Blocks until the last row was taken.
 * Cost: reads the file once, single calls twice; at several hundred million events a second. */
DWELL_READ_API enum dwell_read_status dwell_read_ask(struct dwell_recording *recording, const char *question,
	const struct dwell_parameter *parameters, size_t count, dwell_read_take *take, void *context);

/* ---- what was found out ---- */

enum dwell_message_level { DWELL_MESSAGE_NOTE, DWELL_MESSAGE_WARNING, DWELL_MESSAGE_ERROR };

struct dwell_message {
	enum dwell_message_level level;
	const char *text;
	const char *file; /* NULL: it is about no file */
	uint64_t offset;  /* bytes; UINT64_MAX: no place in it */
};

/* What the last question had to say beside its rows: index from 0 on. Returns 0 behind the last. The texts are the
 * recording's until the next question. */
DWELL_READ_API int dwell_read_message(const struct dwell_recording *recording, size_t index, struct dwell_message *message);

/* The last question's first error in a line: "app.dwell:0x40: …". NULL: there was none. The recording's until the next
 * question. recording NULL: "out of memory". */
DWELL_READ_API const char *dwell_read_error(const struct dwell_recording *recording);

#ifdef __cplusplus
}
#endif

#endif
