/* harvest: the few calls that somebody asks for, from a trace that several threads read, in the order in which they were entered.
 *
 * Each part of the trace has its crop: what a filter takes of the calls that end in it, found by the thread that models the part. Crops
 * of parts that are joined are kept. All are held in memory, so there must be few: who asks for more has to read the trace twice, with
 * entry_order.h. */
#ifndef DWELL_HOST_QUERY_PARALLEL_HARVEST_H
#define DWELL_HOST_QUERY_PARALLEL_HARVEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/calls/call_filter.h"
#include "model/model.h"
#include "query/parallel/crop.h"

#define HARVEST_CALLS_MAX (1u << 17) /* that are held at a time: 16 MB */

struct harvest;
/* filter and function (null: any) are borrowed; the filter's own pattern is not asked. calls_max: HARVEST_CALLS_MAX; less is for tests.
 * Null when there is no memory. */
struct harvest *make_harvest(const struct call_filter *filter, const char *function, size_t calls_max);
void free_harvest(struct harvest *harvest);

/* Takes a call: for on_call, its context is a crop, whose owner is the harvest. */
call_fn harvest_take;

/* The crop of what is modelled without parts. */
struct crop *harvest_get_crop(struct harvest *harvest);
/* The model's clock and functions are what filters ask, from now on. */
void harvest_begin(struct harvest *harvest, const struct model *model);

/* Of a part that is joined: its calls are kept; of one that is not: they are forgotten. */
void harvest_keep(struct harvest *harvest, struct crop *crop);
void harvest_drop(struct harvest *harvest, struct crop *crop);

/* It cannot be told any more: there were too many, or there is no memory. Any thread may ask. */
bool harvest_has_failed(const struct harvest *harvest);

/* All is read. map: the new ids of functions that calls which were kept from parts have, count of them. */
void harvest_renumber(struct harvest *harvest, const uint32_t *map, size_t count);
/* All but the calls that the model still has open: whether there is room for those, and it can be told which of all was entered first,
 * and what each function is, which two passes may see in another way. */
bool harvest_can_finish(struct harvest *harvest, const struct model *model);
/* These, too, were taken: puts all in order. get_rank says which of two streams comes first. */
void harvest_sort(struct harvest *harvest, uint32_t (*get_rank)(const void *context, uint32_t stream), const void *context);
size_t harvest_count(const struct harvest *harvest);
const struct call *harvest_get(const struct harvest *harvest, size_t index);

#endif
