/* part: builds one model by many threads, with exactly the result of a single thread. For host/query/parallel.
 *
 * A part is some consecutive chunks of one stream. The checkpoint in front of a part names the open calls; a worker thread starts
 * with these calls and models the part. One thread then joins the parts to the model, in the order of the stream. Joining
 * compares the state of the stream after the previous part with the worker's initial state. The states differ if events were
 * lost at the border, if an unwind had not landed yet, or if a call turned out to have begun before the data. Then the caller
 * discards the part, and feeds the part's chunks to the model itself.
 *
 *     model_begin_parts(model)                                 after all declarations were fed
 *     on any thread:     part_begin(part, …); part_feed(part, each message of its chunks); part_end(part);
 *     on one thread:     model_join(model, part), and for PART_REFEED model_at_chunk() and model_feed() of its messages
 *     model_end_parts(model) → model_finish(model)
 *
 * Joining cannot repair some differences: a full tree lost paths, depending on the order of events; a limit cut searches short;
 * memory ran out. Then (PART_SERIAL) the caller drops the model and reads the file again with one thread. */
#ifndef DWELL_HOST_MODEL_PART_H
#define DWELL_HOST_MODEL_PART_H

#include <stdbool.h>
#include <stdint.h>

#include "model/model.h"

struct part;

/* False: no memory. */
bool model_begin_parts(struct model *model);

/* The memory in which one worker models one part after the other. The model must outlive it, and gets no declarations (modules,
 * threads, names) meanwhile. Null: no memory. */
struct part *make_part(const struct model *model);
void free_part(struct part *part);
/* Starts a new part, and drops the old one. thread: the model's data of the stream. first: the first part of the stream. */
void part_begin(struct part *part, const struct model_thread *thread, bool first);
/* The next messages are of the chunk with this number, at offset. */
void part_at_chunk(struct part *part, uint64_t chunk, uint64_t offset);
void part_feed(struct part *part, const struct message *message);
/* No more messages follow. Does, on the worker's thread, the work that need not wait for model_join. */
void part_end(struct part *part);
/* Whether model_join will certainly return PART_REFEED: further messages are useless. */
bool part_has_failed(const struct part *part);
/* Sets the context for the callbacks while the part is fed, and for on_carry in model_join. */
void part_set_context(struct part *part, void *context);

/* ---- joining ---- */

/* Whether the calls of a part have known times off the CPU. MIXED: the thread's intervals are known, but came after the
 * part's first event. Call before model_join; not for the first part of a stream. */
enum part_off_cpu { PART_OFF_CPU_KNOWN, PART_OFF_CPU_UNKNOWN, PART_OFF_CPU_MIXED };
enum part_off_cpu model_get_part_off_cpu(const struct model *model, const struct part *part);

/* PART_REFEED: the part is discarded; feed its chunks to the model. PART_SERIAL: read the whole file with one thread. */
enum part_joined { PART_JOINED, PART_REFEED, PART_SERIAL };
enum part_joined model_join(struct model *model, struct part *part);
/* Call before the messages of a chunk are fed to the model itself. fresh: the first chunk of a part. */
void model_at_chunk(struct model *model, uint64_t chunk, uint64_t offset, bool fresh);
/* The stream's data ends: frees memory of a thread that has ended. */
void model_end_stream(struct model *model, uint32_t stream);

/* Ends joining, after all parts. False: as PART_SERIAL. Else, unless map is null, *map[old] is the new id of each of *count
 * functions; the caller frees *map. */
bool model_end_parts(struct model *model, uint32_t **map, size_t *count);

#endif
