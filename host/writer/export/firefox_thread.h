/* firefox_thread: a thread of a processed profile of the Firefox Profiler: its stacks, in memory, and its samples and markers, of which
 * there are as many as calls begin and end, in a spool. */
#ifndef DWELL_HOST_WRITER_EXPORT_FIREFOX_THREAD_H
#define DWELL_HOST_WRITER_EXPORT_FIREFOX_THREAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/output.h"
#include "util/spool.h"
#include "writer/export/strings.h"
#include "writer/json_text.h"

struct firefox_stack {
	uint32_t caller; /* index + 1, 0: none */
	uint32_t name;   /* in the strings of all threads */
	uint32_t next;   /* with the same hash, index + 1 */
};

struct firefox_sample {
	int64_t at_ns;
	uint64_t ns;
	uint32_t stack; /* index */
};

/* Zeroed but for whose it is: empty. */
struct firefox_thread {
	uint64_t pid, tid;
	uint32_t name, process; /* strings */
	bool is_main;
	int64_t begin_ns, last_ns; /* so far everything is told */
	struct firefox_stack *stacks;
	size_t stack_count, stack_capacity;
	uint32_t *heads;
	size_t head_count;
	struct spool_row samples;   /* of each: stack, since the end of the one before, how long; all as differences */
	struct firefox_sample last; /* which is in samples when the next one comes */
	struct firefox_sample told; /* the one before that: the last in samples */
	size_t sample_count;
	struct spool_row marks; /* of each: name, since the one before */
	int64_t mark_ns;
	size_t mark_count;
	uint32_t stack; /* that is open now: index + 1 */
};

/* A call begins, the innermost one ends; in order of time. False: no memory, or the spool knows what. */
bool firefox_thread_enter(struct firefox_thread *thread, struct spool *spool, uint32_t name, int64_t at_ns);
bool firefox_thread_leave(struct firefox_thread *thread, struct spool *spool, int64_t at_ns);
bool firefox_thread_mark(struct firefox_thread *thread, struct spool *spool, uint32_t name, int64_t at_ns);
/* As JSON: nothing comes any more. False: likewise. */
bool firefox_thread_put(struct firefox_thread *thread, struct spool *spool, const struct strings *strings, struct output *output);
void firefox_thread_clear(struct firefox_thread *thread);

/* Nanoseconds as milliseconds, exactly. */
void firefox_put_ms(struct output *output, int64_t ns);

#endif
