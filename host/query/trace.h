/* trace: an open file with its reader and model: source → reader → model. For every command that reports on a single file.
 *
 *     if (trace_open(&trace, path, diag) && trace_make_model(&trace, &options, false) && trace_read(&trace))
 *             …trace.model…
 *     trace_close(&trace); */
#ifndef DWELL_HOST_QUERY_TRACE_H
#define DWELL_HOST_QUERY_TRACE_H

#include <stdbool.h>
#include <stdint.h>

#include "model/entry_order.h"
#include "model/model.h"
#include "query/input.h"
#include "query/window.h"
#include "reader/reader.h"
#include "util/diag.h"
#include "util/progress.h"

struct trace {
	const char *path; /* for messages; "standard input" for - */
	struct diag *diag;
	struct reader *reader;
	struct model *model;
	struct entry_order *order; /* null: the trace owns the model; else the order owns the model */
	uint64_t bytes;            /* UINT64_MAX: unknown */
	bool is_seekable;
	const char *thread; /* the thread option; null: all threads */
	struct input_options input; /* set before opening, like jobs and wants_values */
	const struct progress_watch *watch; /* set before opening: receives progress reports; null: the terminal shows progress */
	uint64_t jobs;      /* threads that read; 0: one for each processor, except for small files */
	struct model_options options;
	struct window_span span; /* set before the model is made: only what lies in it reaches the model */
	const char *span_name; /* of the parameter, for messages: "--time" or "time"; set with span */
	struct window *window;   /* owned; null: no span was given */
	bool is_scanned;    /* a scan before reading has found the names of threads and has_switches */
	bool has_faults;    /* page faults are recorded */
	bool has_switches;  /* the file has times off the CPU of the chosen threads */
	bool skips_tree_warning;    /* only sums are needed: no warning about paths missing from the tree */
	bool wants_values;  /* an entry_order keeps arguments and return values of calls; set before opening */
	bool skips_check;  /* trace_read skips trace_check_program, because the caller reads several files and warns once */
	struct selection *selection; /* owned; null: trace_select was not used */
};

/* Opens path ("-": standard input). False with a diag: failed. Call trace_close in either case, also after the functions below. */
bool trace_open(struct trace *trace, const char *path, struct diag *diag);
/* The same for a source, which then belongs to the trace. A null source: false. */
bool trace_open_source(struct trace *trace, struct source *take_source, struct diag *diag);

/* Makes the model, alone or inside an entry_order, which decides on the use of its calls. If a thread is chosen, or scan
 * is true, the file is read once before: then the names of threads and the clock are known from the first event on.
 * False with a diag: failed. */
bool trace_make_model(struct trace *trace, const struct model_options *options, bool scan);
bool trace_make_order(struct trace *trace, const char *thread);

/* Frees the model and goes back to the start of the file, to make another model. False: the file cannot be read again.
 * pre: the file is seekable. */
bool trace_restart(struct trace *trace);

/* Reads the whole file into a model, with several threads, and selects the calls that the filter takes (call_filter.h;
 * function: a name or pattern, or null). False: nothing has changed; there are too many calls, or something unusual, so the
 * file must be read in another way. */
struct call_filter;
bool trace_select(struct trace *trace, const char *thread, const struct call_filter *filter, const char *function);

/* Reads the whole file like trace_read, and collects calls in page_calls. The model must have been made with the on_call and
 * context of page_calls. False with a diag, like trace_read. */
struct page_calls;
bool trace_read_page_calls(struct trace *trace, struct page_calls *page_calls);

/* Feeds all remaining messages to the model, with a progress line, and finishes it. False with a diag: the
 * chosen thread does not exist. */
bool trace_read(struct trace *trace);

/* Reads the file once more into another model with these options, for the sake of the callbacks in options (on_sample). Repeats no
 * message. pre: the file was read. False: the file cannot be read again, or memory ran out. */
bool trace_reread(const struct trace *trace, const struct model_options *options);

/* Opens the file, makes a model and reads. False with a diag: failed. */
bool trace_read_model(struct trace *trace, const char *path, const struct model_options *options);

/* Whether most functions of the file begin where --program has none; then also adds a diag. trace_read calls this. */
bool trace_check_program(const struct trace *trace);

/* The number of threads to read with: 1 if the file is too small for more. */
uint32_t trace_worker_count(const struct trace *trace);

void trace_close(struct trace *trace);

#endif
