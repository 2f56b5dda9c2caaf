/* by_thread: what each thread did in each function, as far as what recording cost depends on it. */
#ifndef DWELL_HOST_MODEL_PROFILE_BY_THREAD_H
#define DWELL_HOST_MODEL_PROFILE_BY_THREAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/index.h"

/* Times in ticks, modulo 2^64 while a trace is read. */
struct by_thread_row {
	uint32_t stream, function;
	uint64_t calls;    /* of the function, with entry and exit */
	uint64_t made;     /* calls that it made directly, those included that have no exit */
	uint64_t self;
	uint64_t self_off; /* of that: known not to be on the CPU, or not known */
	uint64_t long_pieces; /* of its self time: what lies between two events that are one behind the other … */
	uint64_t long_ticks;  /* … and is long for recording (thread.h), and what these took, off the CPU too */
};

/* Zeroed: none. Rows are in the order in which they were first heard of. */
struct by_thread {
	struct by_thread_row *rows;
	size_t count, capacity;
	struct index index; /* (stream, function) → row */
};

/* Adds the numbers of more to the row of its stream and function, which is made when it is new. False when there is no memory. */
bool by_thread_add(struct by_thread *table, const struct by_thread_row *more);
/* Adds all of from. False when there is no memory. */
bool by_thread_merge(struct by_thread *table, const struct by_thread *from);
/* Ids of functions have changed: map[old] is the new one. False when there is no memory. */
bool by_thread_renumber(struct by_thread *table, const uint32_t *map, size_t count);
/* Empties it, and keeps the memory of its rows. */
void by_thread_empty(struct by_thread *table);
void by_thread_clear(struct by_thread *table);

#endif
