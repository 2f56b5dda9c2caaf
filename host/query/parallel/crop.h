/* crop: calls that were taken from one part of a trace that several threads read, until it is known whether the part counts. */
#ifndef DWELL_HOST_QUERY_PARALLEL_CROP_H
#define DWELL_HOST_QUERY_PARALLEL_CROP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/function/pattern.h"
#include "model/model.h"

struct crop_call {
	struct call call; /* without values … */
	uint64_t ret;     /* … but for what it returned … */
	bool has_ret;     /* … if that was wanted, and is known */
};

/* On a thread of its own. Read it, but add by crop_add. */
struct crop {
	void *owner;             /* harvest or crossings */
	struct pattern *pattern; /* its own: it remembers what was asked; null: none so far */
	struct crop_call *calls; /* as they were left */
	size_t count, capacity;
	size_t carried;          /* calls before this one are not told of any more */
	bool has_failed;         /* one is missing */
};

/* Null when there is no memory. */
struct crop *make_crop(void *owner);
void free_crop(struct crop *crop);

/* False: no memory. */
bool crop_add(struct crop *crop, const struct call *call);

/* The part is joined. Where that is not the first of its thread, calls that began before it were charged with more: these are told of from
 * the innermost outwards. Of a model's options; the context is the crop. */
carry_fn crop_carry;
/* What all its calls say of whether it is known when their thread was off the CPU. */
void crop_set_off_unknown(struct crop *crop, bool unknown);

/* Its calls are kept elsewhere, or are of no use. */
void crop_empty(struct crop *crop);

#endif
