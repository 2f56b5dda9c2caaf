/* slow_thread: makes a tree of each call of a named function in one thread's slots, since any call may turn out to be slow. For
 * slow_trees.h. */
#ifndef DWELL_HOST_RECORD_STAGE_SLOW_THREAD_H
#define DWELL_HOST_RECORD_STAGE_SLOW_THREAD_H

#include "record/stage/slow_kept.h"
#include "record/stage/stage.h"

/* A nested call of a named function is part of the tree of the function's outermost call. Null: no memory. */
struct stage_thread *make_slow_thread(struct slow_trees *trees, const struct stage_source *source);
/* See stage.h. The last batch needs batch->thread. */
void slow_thread_take(struct stage_thread *thread, struct stage_batch *batch, const struct follower *open);
void slow_thread_clear(struct stage_thread *thread);

#endif
