/* lanes: distributes the calls of a thread so that in each lane every call lies inside its caller.
 *
 * Calls on one stack nest by nature. Calls of coroutines overlap: a thread leaves a coroutine in the middle of a call and continues
 * in another. So a thread has as many lanes as necessary; the first is the thread's own. Memory: proportional to the open calls. */
#ifndef DWELL_HOST_WRITER_EXPORT_LANES_H
#define DWELL_HOST_WRITER_EXPORT_LANES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LANES_OF_THREAD_MAX 64u /* further overlapping calls are cut at the end of the call around them */

/* An open call. depth: in its thread, as the table has it. */
struct lanes_call {
	uint64_t depth;
	int64_t end_ns;
};

/* Calls of one thread that lie inside each other. */
struct lane {
	struct lanes_call *open; /* outermost first */
	size_t count, capacity;
	uint64_t number; /* for the format that uses the lanes: its own number of the lane; 0 in a new lane */
};

struct lanes_thread {
	struct lane *lanes;
	size_t count, capacity;
};

/* Zeroed: no lanes. */
struct lanes {
	struct lanes_thread *threads; /* indexed by thread */
	size_t count;
	/* Called when an open call of the lane ends. Null: not called. */
	void (*on_end)(void *context, const struct lane *lane, int64_t end_ns);
	void *context;
};

/* Returns the lane of a call; calls must come in order of entry. First ends the calls that end before this one begins. is_new: the
 * lane is new. Lowers *end_ns if the call must be cut. Null: out of memory. The result is valid until the next call. */
struct lane *lanes_enter(struct lanes *lanes, size_t thread, uint64_t depth, int64_t begin_ns, int64_t *end_ns, bool *is_new);
/* Returns the lane for an event without duration or end, likewise. The event does not become an open call. */
struct lane *lanes_touch(struct lanes *lanes, size_t thread, uint64_t depth, int64_t at_ns, bool *is_new);
/* Ends all open calls. */
void lanes_finish(struct lanes *lanes);
void lanes_clear(struct lanes *lanes);

#endif
