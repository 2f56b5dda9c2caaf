/* part: one model from many threads, exactly as if one had fed it all.
 *
 * A part is some chunks of one stream, one behind the other. Who models it guesses from the checkpoint in front of it which calls are
 * open, and counts each call where it ends. Parts are then joined in the order of their stream. Only there it is known whether the
 * guess was right: whether the stream stands, behind the part before, exactly where this one began. Where it does not (events were
 * lost just there, an unwind has not landed yet, a call turned out to have begun before the data), the part is forgotten and its
 * chunks are fed to the model itself.
 *
 *     model_begin_parts(model)                                 all declarations were fed
 *     on any thread:     part_begin(part, …); part_feed(part, each message of its chunks);
 *     on one thread:     model_join(model, part): PART_AGAIN → model_at_chunk(), model_feed() its messages; PART_HOPELESS → give up
 *     model_end_parts(model) → model_finish(model)
 *
 * What could make a difference without being seen there makes it hopeless: a tree so full that paths were folded (which ones depends
 * on the order), searches that a limit cut short, no memory. */
#ifndef DWELL_HOST_MODEL_PART_H
#define DWELL_HOST_MODEL_PART_H

#include <stdbool.h>
#include <stdint.h>

#include "model/model.h"

struct part;

/* False when there is no memory. */
bool model_begin_parts(struct model *model);

/* What a worker needs to model one part after the other. model outlives it, and its declarations do not change meanwhile. Null when there
 * is no memory. */
struct part *make_part(const struct model *model);
void free_part(struct part *part);
/* Forgets what was in it. thread: what the model knows of the stream. first: of its stream. */
void part_begin(struct part *part, const struct model_thread *thread, bool first);
/* What is fed next is of the chunk with this number, which stands at offset. */
void part_at_chunk(struct part *part, uint64_t chunk, uint64_t offset);
void part_feed(struct part *part, const struct message *message);
/* Whether going on makes no sense: it will be fed again. */
bool part_has_failed(const struct part *part);
/* Of on_call, which its calls are given to while it is fed, and of on_carry. */
void part_set_context(struct part *part, void *context);

/* ---- joining ---- */

/* What a part that is not its thread's first knows about whether it is known when the thread was off the CPU, before it is joined. */
enum part_off { PART_OFF_KNOWN, PART_OFF_UNKNOWN, PART_OFF_MIXED };
enum part_off model_ask_off(const struct model *model, const struct part *part);

enum part_joined { PART_JOINED, PART_AGAIN, PART_HOPELESS };
enum part_joined model_join(struct model *model, struct part *part);
/* Before chunks are fed to the model itself. fresh: the first one of a part. */
void model_at_chunk(struct model *model, uint64_t chunk, uint64_t offset, bool fresh);
/* The stream's data is over: gives back what is not needed for threads that ended. */
void model_end_stream(struct model *model, uint32_t stream);

/* All parts are joined. False: hopeless after all. Else map, where it is not null, says the new id of each function, of count; to be
 * freed. */
bool model_end_parts(struct model *model, uint32_t **map, size_t *count);

#endif
