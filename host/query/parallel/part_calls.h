/* part_calls: calls that were taken from one part of a trace that several threads read, until it is known whether the part counts. */
#ifndef DWELL_HOST_QUERY_PARALLEL_PART_CALLS_H
#define DWELL_HOST_QUERY_PARALLEL_PART_CALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/function/pattern.h"
#include "model/model.h"

struct part_call {
	struct call call; /* without values … */
	uint64_t ret;     /* … but for what it returned … */
	bool has_ret;     /* … if that was wanted, and is known */
};

/* On a thread of its own. Read it, but add by part_calls_add. */
struct part_calls {
	void *owner;             /* the selection */
	struct pattern *pattern; /* its own: it remembers what was asked; null: none so far */
	struct part_call *calls; /* as they were left */
	size_t count, capacity;
	size_t carried;          /* calls before this one are not told of any more */
	bool has_failed;         /* one is missing */
};

/* Null when there is no memory. */
struct part_calls *make_part_calls(void *owner);
void free_part_calls(struct part_calls *part_calls);

/* False: no memory. */
bool part_calls_add(struct part_calls *part_calls, const struct call *call);

/* The part is joined. Where that is not the first of its thread, calls that began before it were charged with more: these are told of from
 * the innermost outwards. Of a model's options; the context is the part_calls. */
carry_fn part_calls_carry;
/* What all its calls say of whether it is known when their thread was off the CPU. */
void part_calls_set_off_unknown(struct part_calls *part_calls, bool unknown);

/* Its calls are kept elsewhere, or are of no use. */
void part_calls_empty(struct part_calls *part_calls);

#endif
