/* selection: selects a few calls from a trace, read by several threads, and sorts them by entry.
 *
 * Each part of the trace has part_calls: the calls of the part that pass the filter, found by the thread that models the
 * part. The calls of joined parts are kept. All are held in memory, so there must be few. For more calls the trace must be
 * read twice, with entry_order.h. */
#ifndef DWELL_HOST_QUERY_PARALLEL_SELECTION_H
#define DWELL_HOST_QUERY_PARALLEL_SELECTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/calls/call_filter.h"
#include "model/model.h"
#include "query/parallel/part_calls.h"

#define SELECTION_CALLS_MAX (1u << 17) /* in memory at a time: 16 MB */

struct selection;
/* filter and function (null: any) are borrowed; the filter's own pattern is ignored. calls_max: SELECTION_CALLS_MAX, or less in
 * tests. Null: memory ran out. */
struct selection *make_selection(const struct call_filter *filter, const char *function, size_t calls_max);
void free_selection(struct selection *selection);

/* Takes a call. For the option on_call, with a struct part_calls as context, whose owner is the selection. */
call_fn selection_take;

/* The part_calls for calls outside of parts. */
struct part_calls *selection_get_part_calls(struct selection *selection);
/* Call it before the first call: the filter uses the model's clock and functions. */
void selection_begin(struct selection *selection, const struct model *model);

/* keep: keeps the calls of a part that was joined; drop: discards the calls of a part that was not. */
void selection_keep(struct selection *selection, struct part_calls *part_calls);
void selection_drop(struct selection *selection, struct part_calls *part_calls);

/* True once there are too many calls, or memory ran out. Any thread may call this. */
bool selection_has_failed(const struct selection *selection);

/* Call it after everything is read: replaces the function ids of the kept calls. map[old] is the new id; count: number of old ids.
 */
void selection_renumber(struct selection *selection, const uint32_t *map, size_t count);
/* Whether the selection is complete: there is room for the calls that the model still has open, the order of entry is certain, and
 * each function is identified. False: read the trace in two passes instead. */
bool selection_can_finish(struct selection *selection, const struct model *model);
/* Sorts all calls, including those still open at the end. get_rank: the rank of a stream. */
void selection_sort(struct selection *selection, uint32_t (*get_rank)(const void *context, uint32_t stream), const void *context);
size_t selection_count(const struct selection *selection);
const struct call *selection_get(const struct selection *selection, size_t index);

#endif
