/* trigger_thread: reads the new slots of one ring, without taking them from it, and reports the finished calls of the functions
 * that --snapshot-when names. For trigger.c. */
#ifndef DWELL_HOST_RECORD_STAGE_TRIGGER_THREAD_H
#define DWELL_HOST_RECORD_STAGE_TRIGGER_THREAD_H

#include <stdbool.h>
#include <stdint.h>

#include "record/session/session.h"
#include "record/stage/watcher.h"

struct trigger_call {
	uint32_t function; /* the finder's number */
	uint64_t enter_ticks, total_ticks;
	uint64_t position; /* position of the call's enter in the ring */
};

struct trigger_thread;

/* Begins at the start of the ring in the session's slot. session and finder are borrowed. Null: no memory. */
struct trigger_thread *make_trigger_thread(const struct session *session, uint32_t slot, struct filter *finder);
void free_trigger_thread(struct trigger_thread *thread);
/* Whether thread is still the thread that began at begin_ticks: another thread may use the slot by now. */
bool trigger_thread_began_at(const struct trigger_thread *thread, uint64_t begin_ticks);

/* Notes the present end of the ring. */
void trigger_thread_read_position(struct trigger_thread *thread);
/* Reads the new slots up to the end that trigger_thread_read_position noted, and passes finished calls to take. Returns the number
 * of slots. Nested calls of one function count as one. A call without an entry does not count. Adds the number of slots that were
 * overwritten unread to *missed. */
uint64_t trigger_thread_follow(struct trigger_thread *thread, void (*take)(void *context, const struct trigger_call *call),
	void *context, uint64_t *missed);

/* Lets the program overwrite the slots that trigger_thread_follow has passed, and wakes the thread if it waits for this. Returns
 * whether the thread waited. */
bool trigger_thread_release(struct trigger_thread *thread);
/* Returns how many bytes a thread may be ahead of the trigger before the thread waits: a quarter of the ring, or a block. */
uint64_t trigger_thread_room(uint64_t ring_bytes);

/* Notes that a snapshot was taken now. */
void trigger_thread_note_snapshot(struct trigger_thread *thread);
/* Whether the ring has no slots in common with the last snapshot. */
bool trigger_thread_is_renewed(const struct trigger_thread *thread);
/* Whether the thread will soon overwrite the event at position: the trigger is five eighths of the ring beyond the event. */
bool trigger_thread_expires_soon(const struct trigger_thread *thread, uint64_t position);

#endif
