/* lanes: where calls of a thread are drawn, so that each lies within the one that it was made in.
 *
 * Calls of one stack do, by themselves. Those of coroutines overlap: a thread leaves one in the middle of a call and goes on in another.
 * So a thread has as many lanes as it takes, of which the first is its own. Memory: the calls that are open. */
#ifndef DWELL_HOST_WRITER_EXPORT_LANES_H
#define DWELL_HOST_WRITER_EXPORT_LANES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LANES_OF_THREAD_MAX 64u /* what overlaps more is cut at the end of the call around it */

struct lanes_call {
	uint64_t depth;
	int64_t end_ns;
};

struct lane {
	struct lanes_call *open; /* outermost first */
	size_t count, capacity;
	uint64_t number; /* whoever draws it gives it one */
};

struct lanes_thread {
	struct lane *lanes;
	size_t count, capacity;
};

/* Zeroed: empty. */
struct lanes {
	struct lanes_thread *threads; /* by index */
	size_t count;
	/* A call that was open in the lane ends. Null: nobody wants to know. */
	void (*on_end)(void *context, const struct lane *lane, int64_t end_ns);
	void *context;
};

/* The lane of a call; calls come in order of entry. Those that end before it end first. is_new: the lane is. *end_ns is lowered where
 * the call has to be cut. Null: no memory. Valid until the next call. */
struct lane *lanes_enter(struct lanes *lanes, size_t thread, uint64_t depth, int64_t begin_ns, int64_t *end_ns, bool *is_new);
/* The same for what takes no time, and has no end. */
struct lane *lanes_touch(struct lanes *lanes, size_t thread, uint64_t depth, int64_t at_ns, bool *is_new);
/* All that are open end. */
void lanes_finish(struct lanes *lanes);
void lanes_clear(struct lanes *lanes);

#endif
