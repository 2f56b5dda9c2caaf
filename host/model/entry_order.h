/* entry order: the calls of all threads in order of entry, although the model finishes calls in order of exit. For the table of
 * single calls (dwell calls) and for exports.
 *
 * There are two passes. The first pass models everything in file order. It keeps the end of each call that ends in a later chunk
 * than it was entered: at most the stack's depth for each chunk. The second pass decodes each thread chunk by chunk, adds the
 * kept ends, and merges the threads by time. Memory: depth × chunks for the kept ends, and the calls of one chunk for each
 * running thread.
 *
 *     order = make_entry_order(thread, diag);
 *     for each message:                                      first pass
 *             entry_order_feed(order, message);
 *     entry_order_finish(order);
 *     entry_order_write(order, &replay, use, context);       second pass */
#ifndef DWELL_HOST_MODEL_ENTRY_ORDER_H
#define DWELL_HOST_MODEL_ENTRY_ORDER_H

#include <stdbool.h>
#include <stdint.h>

#include "model/model.h"
#include "util/diag.h"

struct entry_order;

/* Null: no memory. thread as in struct model_options. */
struct entry_order *make_entry_order(const char *thread, struct diag *diag);
void free_entry_order(struct entry_order *order);
/* The calls come with arguments and return values. pre: no message was fed. */
void entry_order_want_values(struct entry_order *order);

/* The first pass: all messages of the trace, in order. */
void entry_order_feed(struct entry_order *order, const struct message *message);
void entry_order_finish(struct entry_order *order);

/* The model of the first pass. Borrowed. */
struct model *entry_order_get_model(const struct entry_order *order);

/* The source of the second pass: chunks of events, numbered as in the first pass. */
struct entry_replay {
	void *context;
	uint64_t chunk_count;
	uint32_t (*get_stream)(void *context, uint64_t chunk);
	/* Feeds the chunk's messages, a checkpoint and its events, to the model. False, with a
	 * diag: the chunk cannot be read any more. */
	bool (*play)(void *context, uint64_t chunk, struct model *model);
	/* As in struct model_options, with the context of use. Null: not called. An interval comes before the calls that were
	 * entered later in its chunk. */
	off_cpu_fn *on_off_cpu;
};

/* The second pass: passes each call to use, until use returns false. Calls of one thread with the same entry time come outermost
 * first. Errors (the file has changed, no memory) are diags. */
typedef bool entry_order_use(void *context, const struct call *call);
void entry_order_write(struct entry_order *order, const struct entry_replay *replay, entry_order_use *use, void *context);

#endif
