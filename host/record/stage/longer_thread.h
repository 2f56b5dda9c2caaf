/* longer_thread: passes on the slots of a thread's listed calls, and writes sums of all other calls. For longer.c. */
#ifndef DWELL_HOST_RECORD_STAGE_LONGER_THREAD_H
#define DWELL_HOST_RECORD_STAGE_LONGER_THREAD_H

#include "record/stage/stage.h"

/* limit_ticks: 0: all calls are listed. Null: no memory. */
struct stage_thread *make_longer_thread(uint64_t limit_ticks, const struct stage_source *source);
/* See stage.h. */
void longer_thread_take(struct stage_thread *thread, struct stage_batch *batch, const struct follower *open);
void longer_thread_add_switches(struct stage_thread *thread, const struct message_switch *switches, size_t count);
void longer_thread_clear(struct stage_thread *thread);

#endif
