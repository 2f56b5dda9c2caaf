/* split: of the function that somebody asks for, the samples in each part of its code. No debug information is needed: parts are bytes.
 *
 * How sure each part's share is, of the samples in the function, is measured as for functions (estimate.h): of blocks of such samples. */
#ifndef DWELL_HOST_MODEL_PROFILE_SPLIT_H
#define DWELL_HOST_MODEL_PROFILE_SPLIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/function/pattern.h"
#include "model/profile/estimate.h"
#include "model/thread/thread.h"

#define SPLIT_INTERVALS_MAX 999u
/* Functions of one name; more are not kept. */
#define SPLIT_SYMBOLS_MAX 64u

struct split_symbol {
	uint32_t function;
	uint64_t start, bytes;       /* its code; link-time address */
	uint32_t interval_count;     /* no more than it has bytes */
	uint64_t *weights;           /* of each interval; bytes × i ÷ interval_count is where number i begins */
	uint64_t weight;             /* of all of them */
	uint64_t elsewhere;          /* samples in parts of it that the compiler put somewhere else */
	struct estimates estimates;  /* "functions" are intervals */
	struct estimate_runs runs;
};

struct split {
	struct pattern *pattern;
	struct functions *functions;
	uint32_t intervals;
	struct split_symbol *symbols; /* that were sampled */
	size_t count, capacity;
};

/* name and functions are borrowed. Null: no memory. */
struct split *make_split(const char *name, uint32_t intervals, struct functions *functions);
void free_split(struct split *split);
/* A sample of the function, at this run-time address; of other functions it is not looked at. False: no memory. */
bool split_add(struct split *split, const struct thread *thread, uint32_t function, uint64_t address, uint64_t ticks, uint64_t weight);
/* So many of one weight that nobody knows the order of. */
bool split_add_unordered(struct split *split, const struct thread *thread, uint32_t function, uint64_t address, uint64_t ticks,
	uint64_t weight, uint64_t samples);
/* No more samples. False: no memory. */
bool split_finish(struct split *split);

/* Where an interval begins, relative to the function. */
static inline uint64_t split_begin(const struct split_symbol *symbol, uint32_t interval)
{
	return (uint64_t)((unsigned __int128)symbol->bytes * interval / symbol->interval_count);
}

#endif
