/* selection: the few calls that somebody asks for, from a trace that several threads read, in the order in which they were entered.
 *
 * Each part of the trace has part calls: what a filter takes of the calls that end in it, found by the thread that models the part.
 * Those of parts that are joined are kept. All are held in memory, so there must be few: who asks for more has to read the trace
 * twice, with entry_order.h. */
#ifndef DWELL_HOST_QUERY_PARALLEL_SELECTION_H
#define DWELL_HOST_QUERY_PARALLEL_SELECTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/calls/call_filter.h"
#include "model/model.h"
#include "query/parallel/part_calls.h"

#define SELECTION_CALLS_MAX (1u << 17) /* that are held at a time: 16 MB */

struct selection;
/* filter and function (null: any) are borrowed; the filter's own pattern is not asked. calls_max: SELECTION_CALLS_MAX; less is for tests.
 * Null when there is no memory. */
struct selection *make_selection(const struct call_filter *filter, const char *function, size_t calls_max);
void free_selection(struct selection *selection);

/* Takes a call: for on_call, its context is a struct part_calls, whose owner is the selection. */
call_fn selection_take;

/* The part_calls of what is modelled without parts. */
struct part_calls *selection_get_part_calls(struct selection *selection);
/* The model's clock and functions are what filters ask, from now on. */
void selection_begin(struct selection *selection, const struct model *model);

/* Of a part that is joined: its calls are kept; of one that is not: they are forgotten. */
void selection_keep(struct selection *selection, struct part_calls *part_calls);
void selection_drop(struct selection *selection, struct part_calls *part_calls);

/* It cannot be told any more: there were too many, or there is no memory. Any thread may ask. */
bool selection_has_failed(const struct selection *selection);

/* All is read. map: the new ids of functions that calls which were kept from parts have, count of them. */
void selection_renumber(struct selection *selection, const uint32_t *map, size_t count);
/* All but the calls that the model still has open: whether there is room for those, and it can be told which of all was entered first,
 * and what each function is, which two passes may see in another way. */
bool selection_can_finish(struct selection *selection, const struct model *model);
/* These, too, were taken: puts all in order. get_rank says which of two streams comes first. */
void selection_sort(struct selection *selection, uint32_t (*get_rank)(const void *context, uint32_t stream), const void *context);
size_t selection_count(const struct selection *selection);
const struct call *selection_get(const struct selection *selection, size_t index);

#endif
