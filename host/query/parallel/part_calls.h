/* part_calls: calls selected from one part of a trace, kept until the part is joined or discarded. */
#ifndef DWELL_HOST_QUERY_PARALLEL_PART_CALLS_H
#define DWELL_HOST_QUERY_PARALLEL_PART_CALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/function/pattern.h"
#include "model/model.h"

struct part_call {
	struct call call; /* call.values is null, because the model owns values */
	uint64_t ret;     /* the return value */
	bool has_ret;     /* ret is known */
};

/* Used by one thread. Read the members directly; add calls by part_calls_add. */
struct part_calls {
	void *owner;             /* the selection for which the calls are kept */
	struct pattern *pattern; /* owned, because a pattern caches results; null: not made yet */
	struct part_call *calls; /* in order of exit */
	size_t count, capacity;
	size_t carried;          /* part_calls_carry has done all calls before this index */
};

/* Null: memory ran out. */
struct part_calls *make_part_calls(void *owner);
void free_part_calls(struct part_calls *part_calls);

/* Copies the call without its values. False: memory ran out; the call is missing. */
bool part_calls_add(struct part_calls *part_calls, const struct call *call);

/* For on_carry of struct model_options; context: the part_calls. A call that began before the part lacks the time off the CPU that
 * it had until then. model_join passes that time for each such call that ended in the part, the innermost call first. This function
 * adds the time to the selected call at the passed depth. */
carry_fn part_calls_carry;
/* Sets off_cpu_unknown of all calls in part_calls. unknown: the time off the CPU of the part's thread is unknown. */
void part_calls_set_off_unknown(struct part_calls *part_calls, bool unknown);

/* Removes all calls, after the selection has kept or dropped them. */
void part_calls_empty(struct part_calls *part_calls);

#endif
