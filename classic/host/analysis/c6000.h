/* c6000: computes the results of TI's profiler for the C6000 from function hooks: a list of
 * all calls in the order of their exits, and for each function and each task how often it
 * ran and for how many cycles. Times are ticks of the recorded clock, as in TI's profiler.
 *
 *     c6000 = make_c6000();
 *     model = make_model({.on_call = c6000_take_call, .context = c6000});
 *     c6000_begin(c6000, model, &call_list);
 *     for each message:    c6000_tell(c6000, &message);  model_feed(model, &message);
 *     model_finish(model);
 *     c6000_end(c6000);
 *     c6000_write_profile(c6000, &profile);
 *
 * Inclusive cycles are from entry to exit; exclusive cycles leave out called functions. Neither contains
 * the cycles of other tasks. Functions and tasks without a symbol are named "?function #1" and "?task #1".
 * A call without an entry or an exit is counted, but is in no table, because its duration is unknown. */
#ifndef DWELL_CLASSIC_HOST_ANALYSIS_C6000_H
#define DWELL_CLASSIC_HOST_ANALYSIS_C6000_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/table.h"
#include "model/model.h"

struct c6000;

/* Null: no memory. */
struct c6000 *make_c6000(void);
void free_c6000(struct c6000 *c6000);

/* Sets the model of the calls and messages, and the sink for the call list. Both are borrowed. */
void c6000_begin(struct c6000 *c6000, const struct model *model, const struct table_sink *call_list);
/* Call for each message, before the model receives it. */
void c6000_tell(struct c6000 *c6000, const struct message *message);
/* The model_options.on_call; context is the struct c6000. */
void c6000_take_call(void *context, const struct call *call);
/* Ends the call list; the model is finished. False: there was not enough memory. */
bool c6000_end(struct c6000 *c6000);

struct c6000_status {
	const char *unit; /* of ticks: "cycles" of a dump; of a trace "ns" or "ticks"; the files' keys have the same unit */
	uint64_t first_ticks, last_ticks;
	uint64_t calls;         /* complete calls */
	uint32_t functions, tasks;
	uint64_t without_exit;  /* entries */
	uint64_t unwound;       /* of these, ended by an exit further out (longjmp, or a missing
	                         * exit): until then, later calls count as their callees */
	uint64_t without_entry; /* exits */
	uint32_t deepest;
};
struct c6000_status c6000_get_status(const struct c6000 *c6000);

/* Writes several tables one below the other, for a writer of these files. False: no memory. */
bool c6000_write_profile(const struct c6000 *c6000, const struct table_sink *sink);

#endif
