/* all_cores: does work that is independent for each of many items on all processors of this process. Internal to plan/. */
#ifndef DWELL_HOST_PLAN_ALL_CORES_H
#define DWELL_HOST_PLAN_ALL_CORES_H

#include <stdbool.h>
#include <stddef.h>

/* Does the work on items first to end − 1. Returns false to give up: no more items are begun. Several threads call the function at
 * the same time, in no particular order, each item in one call. */
typedef bool all_cores_fn(void *context, size_t first, size_t end);

/* Returns when all items are done; false: one of the calls has returned false. */
bool all_cores_run(all_cores_fn *work, void *context, size_t count);

#endif
