/* SPDX-License-Identifier: MIT
 *
 * dwell/read.h: reads recordings of dwell and of other profilers. Library: libdwell-read (pkg-config dwell-read).
 *
 *     struct dwell_recording *recording = dwell_read_open("app.dwell", NULL);
 *     if (dwell_read_ask(recording, "functions", NULL, 0, print_rows, NULL) != DWELL_READ_OK)
 *             fprintf(stderr, "%s\n", dwell_read_error(recording));
 *     dwell_read_close(recording);
 *
 * A recording is a file. A question has a name and perhaps parameters; its answer is a table. dwell_read_question lists
 * the questions. The columns of an answer are those of the command's CSV (doc/csv.md), with the same keys and units.
 *
 * Threads: only one thread at a time may use a recording; different threads may use different recordings at once. The library
 * reads large files with threads of its own; callbacks run on the thread that called dwell_read_ask.
 *
 * Errors: no function exits, prints or sets a signal handler. The result of a function shows whether it failed, and
 * dwell_read_error returns the reason. Warnings (lost events, damaged chunks) are messages beside a good answer; read them with
 * dwell_read_message.
 *
 * Context: any thread, not in a signal handler, unless a function's comment states an exception.
 *
 * ABI: functions stay. dwell_read_options, which has a member size, dwell_question and dwell_rows may grow at their end. All
 * other structures keep their size, as programs have arrays of them, or their memory. The library's soname changes with
 * DWELL_READ_VERSION_MAJOR. */
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

/* The version of the library that the program runs with: major × 65536 + minor. Cannot fail. */
DWELL_READ_API uint32_t dwell_read_version(void);

/* ---- open ---- */

/* A recording, with the messages and the error of its last question. dwell_read_open makes it, dwell_read_close frees it. */
struct dwell_recording;

/* Reports the progress of reading. The library calls it from time to time during dwell_read_ask, on the caller's thread.
 * context: progress_context. done, total: bytes of the file; total is UINT64_MAX if it is unknown (a pipe).
 * Return 0 to cancel the question, anything else to go on. */
typedef int dwell_read_progress(void *context, uint64_t done, uint64_t total);

/* Fill it with zeros, then set size. A member that is 0 or NULL has its default. */
struct dwell_read_options {
	size_t size;         /* sizeof (struct dwell_read_options) */
	const char *program; /* FILE or FILE@ADDRESS: the program of a memory dump, which lacks the program's name. Default: none */
	const char *format;  /* the file's format, as for `dwell report --format`. Default: dwell examines the content */
	uint64_t clock_hz;   /* rate of the clock in Hz, for files without the rate. Default: the file's rate */
	uint32_t threads;    /* number of threads that read. Default: one per processor */
	dwell_read_progress *progress; /* Default: none */
	void *progress_context;        /* passed to progress */
	int globals_only;    /* 1: static functions are shown as addresses: "app+0x1234". Default: 0, as their names */
	const char *event;   /* the event to read of a file that counts several, as for `dwell report --event`. Default: the first
	                        with samples, or the one that the file says to show first */
};

/* Prepares to read a file. The first question opens it, so a missing file is an error of the question.
 * path: "-" is standard input. options: NULL means all defaults. The library copies all texts.
 * Returns NULL if there is no memory. Free the result with dwell_read_close. */
DWELL_READ_API struct dwell_recording *dwell_read_open(const char *path, const struct dwell_read_options *options);

enum dwell_run {
	DWELL_RUN_NEW, /* a run of the same program as the opened file */
	DWELL_RUN_OLD, /* a run of the program that it is compared with */
};
/* Adds a file for the question "diff", which compares one or more runs of two programs. The opened file is the first new run.
 * Other questions look at the opened file alone.
 * path: copied. Returns 1; 0 if there is no memory. */
DWELL_READ_API int dwell_read_add(struct dwell_recording *recording, const char *path, enum dwell_run run);

/* Frees the recording, with all messages. recording: may be NULL. Not from a callback of its question. */
DWELL_READ_API void dwell_read_close(struct dwell_recording *recording);

/* ---- questions ---- */

/* What the text of a parameter means. */
enum dwell_parameter_kind {
	DWELL_PARAMETER_TEXT,     /* any text: "parse", "worker*" */
	DWELL_PARAMETER_COUNT,    /* a number: "25" */
	DWELL_PARAMETER_PERCENT,  /* 0 to 100: "0.5" */
	DWELL_PARAMETER_DURATION, /* with a unit: "20us", "1.5ms". A moment counts from the beginning; it may be negative: "-3ms" */
	DWELL_PARAMETER_SWITCH,   /* "" or "1": on; "0": off */
};

/* A parameter of a question. Static. */
struct dwell_parameter_info {
	const char *name; /* "function" */
	const char *text; /* what it does, in a line */
	enum dwell_parameter_kind kind;
	int is_required;  /* 1: the question needs it; 0: it may be left out */
};

/* A question. Static. */
struct dwell_question {
	const char *name; /* "functions" */
	const char *text; /* what the answer is, in a line */
	const struct dwell_parameter_info *parameters;
	size_t parameter_count; /* 0 or more */
};

/* Lists the questions. index: 0, 1, 2 … Returns NULL behind the last one. The result is static. */
DWELL_READ_API const struct dwell_question *dwell_read_question(size_t index);

/* What the values of a column mean; behind each, the member of dwell_cell that has the value. */
enum dwell_value {
	DWELL_VALUE_TEXT,      /* text */
	DWELL_VALUE_NAME,      /* text */
	DWELL_VALUE_COUNT,     /* count */
	DWELL_VALUE_NS,        /* count: nanoseconds; clock ticks if the column's is_ticks is 1 */
	DWELL_VALUE_MOMENT_NS, /* integer: nanoseconds since the recording began, or ticks; may be negative */
	DWELL_VALUE_PERCENT,   /* real: 0 to 100 */
	DWELL_VALUE_REAL,      /* real */
	DWELL_VALUE_ADDRESS,   /* count */
	DWELL_VALUE_BYTES,     /* count */
	DWELL_VALUE_DEPTH,     /* count: levels below the top */
};

/* A column of an answer. Borrowed until the callback returns. */
struct dwell_column {
	const char *key;      /* "self_ns": the same in all versions, for programs */
	const char *title;    /* "self": may change, for people */
	enum dwell_value unit;
	int is_ticks;         /* 1: times are in ticks, because the rate of the clock is unknown; 0: in nanoseconds */
};

#define DWELL_CELL_ABSENT 1u /* there is no value, or it is unknown: the member is 0 or NULL */
#define DWELL_CELL_UNSURE 2u /* the value may be off by more than half, or is a lower bound: tables mark it with ~ */

/* A value. */
struct dwell_cell {
	union {
		const char *text; /* UTF-8 as a rule, but any bytes can be a name. Valid until the callback returns */
		uint64_t count;
		int64_t integer;
		double real;
	} value;
	uint32_t flags;    /* DWELL_CELL_… */
	uint32_t reserved; /* 0 */
};

/* Rows of an answer. */
struct dwell_rows {
	const struct dwell_column *columns; /* the same in all calls for one answer */
	size_t column_count;
	const struct dwell_cell *cells; /* row by row: cells[row * column_count + column] */
	size_t row_count;
};

/* Takes the rows of an answer, a few thousand at a time, on the thread that called dwell_read_ask. The first call has no rows, but
 * the columns, also for an empty answer. Everything in rows is borrowed until the callback returns.
 * Return 0 to cancel the question, anything else to go on. */
typedef int dwell_read_take(void *context, const struct dwell_rows *rows);

enum dwell_read_status {
	DWELL_READ_OK,        /* all rows came */
	DWELL_READ_FAILED,    /* dwell_read_error returns the reason; rows may have come before */
	DWELL_READ_CANCELLED, /* a callback returned 0 */
};

/* A parameter that you give: {"function", "parse"}. */
struct dwell_parameter {
	const char *name, *value; /* zero-terminated; yours */
};

/* Answers a question. Returns after the last call of take.
 * question: a name of dwell_read_question. parameters: an array of count parameters; NULL if count is 0. take: gets the rows, and
 * context as the first argument.
 * Errors: the file cannot be read, or the question or a parameter is unknown or wrong: DWELL_READ_FAILED.
 * Context: not from a callback of the same recording.
 * Cost: reads the file once; for questions about single calls, twice. Several hundred million events per second. */
DWELL_READ_API enum dwell_read_status dwell_read_ask(struct dwell_recording *recording, const char *question,
	const struct dwell_parameter *parameters, size_t count, dwell_read_take *take, void *context);

/* ---- messages ---- */

enum dwell_message_level {
	DWELL_MESSAGE_NOTE,    /* worth knowing */
	DWELL_MESSAGE_WARNING, /* something was lost or skipped, or is unsure */
	DWELL_MESSAGE_ERROR,   /* the question failed */
};

/* A message. The texts belong to the recording, and stay until the recording's next question. */
struct dwell_message {
	enum dwell_message_level level;
	const char *text; /* one line, for people */
	const char *file; /* the file that the message is about; NULL: none */
	uint64_t offset;  /* position in the file, in bytes; UINT64_MAX: none */
};

/* Reads a message of the last question. index: 0, 1, 2 … message: filled in. Returns 1; 0 behind the last one. */
DWELL_READ_API int dwell_read_message(const struct dwell_recording *recording, size_t index, struct dwell_message *message);

/* Returns the first error of the last question as one line: "app.dwell:0x40: …"; NULL: no error. The text belongs to the recording,
 * and stays until the recording's next question.
 * recording: NULL, as a failed dwell_read_open returns, gives "out of memory". */
DWELL_READ_API const char *dwell_read_error(const struct dwell_recording *recording);

#ifdef __cplusplus
}
#endif

#endif
