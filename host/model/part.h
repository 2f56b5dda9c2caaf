/* part: builds one model with many threads, with exactly the result of a single thread.
 *
 * A part is some consecutive chunks of one stream. From the checkpoint in front of the part, a worker guesses which calls
 * are open, and counts each call where it ends. The parts are then joined in the order of the stream. Only the joining
 * shows whether the guess was right: whether the stream stands, after the part before, exactly where this part began. If
 * not (events were lost there, an unwind had not landed yet, or a call turned out to have begun before the data), the part
 * is discarded, and its chunks are fed to the model itself.
 *
 *     model_begin_parts(model)                                 after all declarations were fed
 *     on any thread:     part_begin(part, …); part_feed(part, each message of its chunks); part_end(part);
 *     on one thread:     model_join(model, part): PART_AGAIN → model_at_chunk(), model_feed() its messages; PART_HOPELESS → give up
 *     model_end_parts(model) → model_finish(model)
 *
 * A few differences would not show in the joining, and make the whole attempt hopeless: a tree so full that paths were folded (the
 * order decides which), searches cut short by a limit, no memory. */
#ifndef DWELL_HOST_MODEL_PART_H
#define DWELL_HOST_MODEL_PART_H

#include <stdbool.h>
#include <stdint.h>

#include "model/model.h"

struct part;

/* False: no memory. */
bool model_begin_parts(struct model *model);

/* A worker's memory for modelling one part after the other. The model must outlive it, and gets
 * no declarations meanwhile. Null: no memory. */
struct part *make_part(const struct model *model);
void free_part(struct part *part);
/* Starts a new part, and drops the old one. thread: the model's data of the stream. first: the first part of the stream. */
void part_begin(struct part *part, const struct model_thread *thread, bool first);
/* The next messages are of the chunk with this number, at offset. */
void part_at_chunk(struct part *part, uint64_t chunk, uint64_t offset);
void part_feed(struct part *part, const struct message *message);
/* Ends the part's messages: does the work that need not wait for model_join. */
void part_end(struct part *part);
/* Whether further messages are useless, as the chunks will be fed to the model itself. */
bool part_has_failed(const struct part *part);
/* Sets the context for on_call, while the part is fed, and for on_carry. */
void part_set_context(struct part *part, void *context);

/* ---- joining ---- */

/* Whether the times off the CPU are known in a part, before it is joined; not for a thread's first part.
 * MIXED: known in the thread, but too late in the part. */
enum part_off { PART_OFF_KNOWN, PART_OFF_UNKNOWN, PART_OFF_MIXED };
enum part_off model_ask_off(const struct model *model, const struct part *part);

enum part_joined { PART_JOINED, PART_AGAIN, PART_HOPELESS };
enum part_joined model_join(struct model *model, struct part *part);
/* Call it before the messages of a chunk are fed to the model itself. fresh: the first chunk of a part. */
void model_at_chunk(struct model *model, uint64_t chunk, uint64_t offset, bool fresh);
/* The stream's data ends: frees memory of a thread that has ended. */
void model_end_stream(struct model *model, uint32_t stream);

/* Ends joining, after all parts. False: hopeless after all. Else *map, unless map is null, gets the new id
 * of each of *count functions; the caller frees it. */
bool model_end_parts(struct model *model, uint32_t **map, size_t *count);

#endif
