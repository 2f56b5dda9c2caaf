/* calls thread: writes the rows of calls while the next ones are read. */
#ifndef DWELL_HOST_QUERY_CALLS_THREAD_H
#define DWELL_HOST_QUERY_CALLS_THREAD_H

#include "analysis/calls/calls.h"
#include "model/model.h"

struct calls_thread;

/* calls is the thread's until the end; what it takes names and times from must not change but under the lock of the functions. Null
 * when there can be no thread. */
struct calls_thread *make_calls_thread(struct calls *calls);
/* As calls_write, a bit later. */
void calls_thread_write(struct calls_thread *thread, const struct call *call);
/* Waits until all rows are written, and ends it. */
void free_calls_thread(struct calls_thread *thread);

#endif
