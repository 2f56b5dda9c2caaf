/* c6000: what TI's profiler for the C6000 tells of function hooks: the list of all calls, in the order in which they ended, and of each
 * function and each task how often it ran and for how many cycles. Times are ticks of the recorded clock, as there.
 *
 *     c6000 = make_c6000();
 *     model = make_model({.on_call = c6000_take_call, .context = c6000});
 *     c6000_begin(c6000, model, &call_list);
 *     for each message:    c6000_tell(c6000, &message);  model_feed(model, &message);
 *     model_finish(model);
 *     c6000_end(c6000);
 *     c6000_write_profile(c6000, &profile);
 *
 * Inclusive cycles are those from entry to exit, exclusive ones without those of the functions that were called in between; neither has
 * what other tasks ran. Functions and tasks without a symbol are called "?function #1" and "?task #1". A call of which the entry or the
 * exit is missing is counted, and in no table: nobody knows how long it was. */
#ifndef DWELL_HOST_ANALYSIS_C6000_H
#define DWELL_HOST_ANALYSIS_C6000_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/table.h"
#include "model/model.h"

struct c6000;

/* Null when there is no memory. */
struct c6000 *make_c6000(void);
void free_c6000(struct c6000 *c6000);

/* The model whose calls and messages it gets, and where the rows of the call list go. Both are borrowed. */
void c6000_begin(struct c6000 *c6000, const struct model *model, const struct table_sink *call_list);
/* Each message, before the model gets it. */
void c6000_tell(struct c6000 *c6000, const struct message *message);
/* As model_options.on_call; context is the struct c6000. */
void c6000_take_call(void *context, const struct call *call);
/* The model is finished: so is the call list. False: there was no memory for all of it. */
bool c6000_end(struct c6000 *c6000);

struct c6000_status {
	const char *unit; /* of ticks: "cycles" of a dump; of a trace "ns" or "ticks", and the files' keys likewise */
	uint64_t first_ticks, last_ticks;
	uint64_t calls;         /* complete ones */
	uint32_t functions, tasks;
	uint64_t without_exit;  /* entries */
	uint64_t unwound;       /* of these ended by the exit of a function further out: what they called since they were left is in them */
	uint64_t without_entry; /* exits */
	uint32_t deepest;
};
struct c6000_status c6000_get_status(const struct c6000 *c6000);

/* Several tables, one below the other, for a writer of such files. False when there is no memory. */
bool c6000_write_profile(const struct c6000 *c6000, const struct table_sink *sink);

#endif
