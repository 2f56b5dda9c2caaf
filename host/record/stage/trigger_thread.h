/* trigger_thread: reads along one ring, without taking anything from it, and hands out the finished calls of some functions. For
 * trigger.c. */
#ifndef DWELL_HOST_RECORD_STAGE_TRIGGER_THREAD_H
#define DWELL_HOST_RECORD_STAGE_TRIGGER_THREAD_H

#include <stdbool.h>
#include <stdint.h>

#include "record/session/session.h"
#include "record/stage/watcher.h"

struct trigger_call {
	uint32_t function; /* the finder's number */
	uint64_t enter_ticks, total_ticks;
	uint64_t position; /* of its enter in the ring */
};

struct trigger_thread;

/* Null: no memory. */
struct trigger_thread *make_trigger_thread(const struct session *session, uint32_t slot, struct filter *finder);
void free_trigger_thread(struct trigger_thread *thread);
/* Whether it is of the thread that began then: slots are used again. */
bool trigger_thread_is(const struct trigger_thread *thread, uint64_t begin_ticks);

/* How far its ring has come. */
void trigger_thread_see(struct trigger_thread *thread);
/* Looks at what was seen; returns how many slots that were. Calls in one another of one function are one, whose entry was not seen are
 * none. *missed: slots that were overwritten before. */
uint64_t trigger_thread_look(struct trigger_thread *thread, void (*take)(void *context, const struct trigger_call *call), void *context,
	uint64_t *missed);

/* What was looked at may be overwritten: the ring's thread goes on, if it waits for that. Whether it did. */
bool trigger_thread_let_go(struct trigger_thread *thread);
/* How far a thread may be ahead of that, so that what comes round is not overwritten before the next look. */
uint64_t trigger_thread_room(uint64_t ring_bytes);

/* A snapshot was taken now. */
void trigger_thread_taken(struct trigger_thread *thread);
/* Whether nothing is in the ring that is in the last snapshot. */
bool trigger_thread_is_renewed(const struct trigger_thread *thread);
/* Whether what is at position will be overwritten soon. */
bool trigger_thread_comes_round(const struct trigger_thread *thread, uint64_t position);

#endif
