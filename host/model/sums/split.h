/* split: the samples of the functions that the user chose, by intervals of their code (question split). Needs no debug information,
 * as the intervals are equal ranges of bytes.
 *
 * The error of each interval's share is measured as for functions (estimate.h), over blocks of the function's samples. */
#ifndef DWELL_HOST_MODEL_SUMS_SPLIT_H
#define DWELL_HOST_MODEL_SUMS_SPLIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/function/pattern.h"
#include "model/profile/estimate.h"
#include "model/thread/thread.h"

#define SPLIT_INTERVALS_MAX 999u
/* The most functions of one pattern. Samples of further functions are ignored. */
#define SPLIT_SYMBOLS_MAX 64u

struct split_symbol {
	uint32_t function;
	uint64_t start, bytes;       /* of the code; link-time address */
	uint32_t interval_count;     /* at most the number of bytes */
	uint64_t *weights;           /* by interval; interval i begins at bytes × i ÷ interval_count */
	uint64_t weight;             /* of all intervals */
	uint64_t elsewhere;          /* samples in parts of the function that the compiler placed elsewhere */
	struct estimates estimates;  /* "functions" are intervals */
	struct estimate_streams streams;
};

struct split {
	struct pattern *pattern;
	struct functions *functions;
	uint32_t intervals; /* number for each function */
	struct split_symbol *symbols; /* the functions of the pattern that have samples */
	size_t count, capacity;
};

/* name: a pattern (pattern.h). name and functions are borrowed. Null: no memory. */
struct split *make_split(const char *name, uint32_t intervals, struct functions *functions);
void free_split(struct split *split);
/* Adds a sample at a run-time address, if the pattern selects its function. False: no memory. */
bool split_add(
	struct split *split, const struct thread *thread, uint32_t function, uint64_t address, uint64_t ticks, uint64_t weight);
/* Adds samples of one weight in unknown order, as split_add does one. */
bool split_add_unordered(struct split *split, const struct thread *thread, uint32_t function, uint64_t address, uint64_t ticks,
	uint64_t weight, uint64_t samples);
/* Ends the samples. jittered: as in struct estimates. False: no memory. */
bool split_finish(struct split *split, bool jittered);

/* Beginning of an interval, relative to the function. */
static inline uint64_t split_begin(const struct split_symbol *symbol, uint32_t interval)
{
	return (uint64_t)((unsigned __int128)symbol->bytes * interval / symbol->interval_count);
}

#endif
