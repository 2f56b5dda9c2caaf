/* trace: a file, read and modelled: source → reader → model, for every command that reports one.
 *
 *     if (trace_open(&trace, path, diag) && trace_make_model(&trace, &options, false) && trace_read(&trace))
 *             …trace.model…
 *     trace_close(&trace);
 */
#ifndef DWELL_HOST_QUERY_TRACE_H
#define DWELL_HOST_QUERY_TRACE_H

#include <stdbool.h>
#include <stdint.h>

#include "model/entry_order.h"
#include "model/model.h"
#include "query/input.h"
#include "reader/reader.h"
#include "util/diag.h"
#include "util/progress.h"

struct trace {
	const char *path; /* for messages: "standard input" for - */
	struct diag *diag;
	struct reader *reader;
	struct model *model;
	struct entry_order *order; /* null, or whose model it is */
	uint64_t bytes;            /* UINT64_MAX: unknown */
	bool is_seekable;
	const char *thread; /* as it was asked for; null: all of them */
	struct input_options input; /* set before it is opened, as jobs and wants_values */
	const struct progress_watch *watch; /* who is told how far it is, set before it is opened; null: the terminal */
	uint64_t jobs;      /* threads that read; 0: as many as there are processors, if it is worth it */
	struct model_options options;
	bool is_scanned;    /* before it is read: names of threads are known, and … */
	bool has_switches;  /* … whether there is something on when they were off the CPU */
	bool hides_tree;    /* it is read for sums alone: nobody sees it, so nobody misses a path */
	bool wants_values;  /* of the calls of an entry_order; set before it is opened */
	bool leaves_check;  /* of the program: it is one for several files, and whoever reads them says so once */
	struct selection *selection; /* null: nothing was picked out */
};

/* Opens path ("-": standard input). False and a diag when it cannot be. trace_close in any case, now as below. */
bool trace_open(struct trace *trace, const char *path, struct diag *diag);
/* The same of a source, which it takes; null: false. */
bool trace_open_source(struct trace *trace, struct source *take_source, struct diag *diag);

/* Makes the model, alone or with an entry_order around it (which says what its calls are for). A file is read through once before
 * that, where a thread is asked for, or scan: then its threads' names and its clock are known from the first event on. False and a
 * diag when it cannot be. */
bool trace_make_model(struct trace *trace, const struct model_options *options, bool scan);
bool trace_make_order(struct trace *trace, const char *thread);

/* Reads all of it, by several threads, into a model, and picks out the calls that the filter takes (call_filter.h; function: null or as it
 * was asked for). False: nothing happened; there are too many, or something is unusual, and it has to be read in another way. */
struct call_filter;
bool trace_select(struct trace *trace, const char *thread, const struct call_filter *filter, const char *function);

/* Reads all of it, as trace_read does, into a model whose calls are gathered: its options are those of the one that was made, and on_call
 * and context are those of the page_calls. False and a diag as there. */
struct page_calls;
bool trace_read_page_calls(struct trace *trace, struct page_calls *page_calls);

/* Feeds all that is left to the model, with a progress line, and finishes it. False and a diag when a thread was asked for that is
 * not there. */
bool trace_read(struct trace *trace);

/* All of it once more, into another model with these options, for what only that tells (on_sample). Nothing is said a second time. pre: it
 * was read. False: it cannot be read again, or there is no memory. */
bool trace_read_again(const struct trace *trace, const struct model_options *options);

/* The three of them: opens, makes a model and reads. */
bool trace_read_model(struct trace *trace, const char *path, const struct model_options *options);

/* Says so where the functions of a file that was read are mostly not where --program has some: a diag, and true. trace_read does it. */
bool trace_check_program(const struct trace *trace);

/* How many threads there should be: 1 where the file is too small to be worth more. */
uint32_t trace_worker_count(const struct trace *trace);

void trace_close(struct trace *trace);

#endif
