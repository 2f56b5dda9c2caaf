/* by_thread: a row of figures for each function in each thread. cost.h subtracts the cost of recording from the profile by these
 * rows. */
#ifndef DWELL_HOST_MODEL_PROFILE_BY_THREAD_H
#define DWELL_HOST_MODEL_PROFILE_BY_THREAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/lookup.h"

/* Times in ticks. While a trace is read, sums may be below 0 for a while, and count modulo 2^64. */
struct by_thread_row {
	uint32_t stream, function;
	uint64_t calls;    /* of the function, with entry and exit */
	uint64_t made;     /* calls made directly by the function, including calls without an exit */
	uint64_t self;
	uint64_t self_off; /* part of self: not certainly on the CPU */
	uint64_t outermost; /* part of calls: outside of other calls of the function. Their time is the function's total */
	uint64_t below;     /* all calls made in the outermost calls, at any depth */
};

/* Zeroed: empty. Rows are in the order of their first use. */
struct by_thread {
	struct by_thread_row *rows;
	size_t count, capacity;
	struct lookup index; /* (stream, function) → row */
};

/* Adds the figures of more to the row of the same stream and function; makes a new row if
 * necessary. False: no memory. */
bool by_thread_add(struct by_thread *table, const struct by_thread_row *more);
/* Adds all of from. False: no memory. */
bool by_thread_merge(struct by_thread *table, const struct by_thread *from);
/* Function ids have changed: map[old] is the new id. False: no memory. */
bool by_thread_renumber(struct by_thread *table, const uint32_t *map, size_t count);
/* Removes all rows, but keeps their memory. */
void by_thread_empty(struct by_thread *table);
void by_thread_clear(struct by_thread *table);

#endif
