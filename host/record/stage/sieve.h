/* sieve: what is drained of a ring → what is written of it. Behind it is a program that never called what was dropped: the time is the
 * caller's. */
#ifndef DWELL_HOST_RECORD_STAGE_SIEVE_H
#define DWELL_HOST_RECORD_STAGE_SIEVE_H

#include <stdbool.h>
#include <stdint.h>

#include "core/slot.h"
#include "record/stage/depth.h"
#include "record/stage/filter.h"
#include "record/stage/throttle.h"

/* The state between one run of slots and the next; zeroed, but for filter and process: a beginning. */
struct sieve {
	struct filter *filter; /* null: all functions are wanted */
	uint32_t depth_limit;  /* so many calls one in another, deeper ones are not wanted; 0: any */
	struct depth *depth;   /* with a limit */
	uint32_t process;
	struct throttle_stream *throttle; /* null, or what says which functions are not wanted any more */
	struct filter_memory *memory; /* made by sieve_begin */
	struct dwell_slot_cursor cursor;
	uint64_t held[2];      /* tags that say something of the next event */
	uint32_t held_count;
	bool dropped;          /* the last event: what its values are is dropped, too */
	uint64_t left_out;     /* calls whose enters were dropped: recording them cost what it costs, in who made them */
};

/* False: no memory. */
bool sieve_begin(struct sieve *sieve, struct filter *filter, uint32_t process, uint32_t depth_limit);
/* Whether anything is dropped. */
static inline bool sieve_is_on(const struct sieve *sieve)
{
	return sieve->filter || sieve->depth || sieve->throttle;
}
void sieve_end(struct sieve *sieve);

/* Copies what is wanted; returns how many are left, never more than there were, but SIEVE_MORE of the run before. */
#define SIEVE_MORE 2u
uint32_t sieve_slots(struct sieve *sieve, const uint64_t *slots, uint32_t count, uint64_t *out);

#endif
