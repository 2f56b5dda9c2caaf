/* entry order: the calls of all threads by the time they were entered, from data that tells them when they are left.
 *
 * Two passes. The first models everything in file order and remembers, for each chunk, the calls that were entered in it and left
 * in a later one: that is what a chunk cannot know by itself, and it is at most the stack's depth for each chunk. The second
 * decodes each thread chunk by chunk, fills the gaps from what was remembered, and merges the threads by time. Memory: depth ×
 * chunks of what was remembered, and the calls of one chunk for each thread that is running at the time.
 *
 *     order = make_entry_order(thread, diag);
 *     for each message:                                      first pass
 *             entry_order_feed(order, message);
 *     entry_order_finish(order);
 *     entry_order_write(order, &replay, use, context);       second pass
 */
#ifndef DWELL_HOST_MODEL_ENTRY_ORDER_H
#define DWELL_HOST_MODEL_ENTRY_ORDER_H

#include <stdbool.h>
#include <stdint.h>

#include "model/model.h"
#include "util/diag.h"

struct entry_order;

/* Null when there is no memory. thread as in struct model_options. */
struct entry_order *make_entry_order(const char *thread, struct diag *diag);
void free_entry_order(struct entry_order *order);
/* The calls come with their arguments and what they returned. Before the first message. */
void entry_order_want_values(struct entry_order *order);

/* The first pass: all messages of the trace, in order. */
void entry_order_feed(struct entry_order *order, const struct message *message);
void entry_order_finish(struct entry_order *order);

/* What the first pass found. Borrowed. */
struct model *entry_order_get_model(const struct entry_order *order);

/* Where the second pass gets its chunks from: those of events, numbered as in the first pass. */
struct entry_replay {
	void *context;
	uint64_t chunk_count;
	uint32_t (*get_stream)(void *context, uint64_t chunk);
	/* Feeds the chunk's messages, a checkpoint and its events, to the model. False when it cannot be read any more, which is a
	 * diag. */
	bool (*play)(void *context, uint64_t chunk, struct model *model);
};

/* The second pass: gives each call to use, until that returns false. Calls entered at the same time by one thread come outermost
 * first. What goes wrong (a file that changed in between, no memory) is a diag. */
typedef bool entry_order_use(void *context, const struct call *call);
void entry_order_write(struct entry_order *order, const struct entry_replay *replay, entry_order_use *use, void *context);

#endif
