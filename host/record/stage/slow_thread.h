/* slow_thread: one thread's slots → trees of the calls that are to be kept if they turn out to be slow; see slow_trees.h. */
#ifndef DWELL_HOST_RECORD_STAGE_SLOW_THREAD_H
#define DWELL_HOST_RECORD_STAGE_SLOW_THREAD_H

#include <stdbool.h>
#include <stdint.h>

#include "reader/message.h"
#include "record/stage/slow_trees.h"

struct slow_thread;

/* Null: no memory. */
struct slow_thread *make_slow_thread(struct slow_trees *trees, uint32_t stream, uint32_t process);
void free_slow_thread(struct slow_thread *thread);

/* Its next slots. A call of such a function within another one of the same is part of that. */
void slow_thread_slots(struct slow_thread *thread, const uint64_t *slots, uint32_t count);
/* There are no more: what is open is kept. Returns how many events there were in all. */
uint64_t slow_thread_finish(struct slow_thread *thread, const struct message_thread *of);

#endif
