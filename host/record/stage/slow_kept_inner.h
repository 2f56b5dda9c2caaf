/* slow_kept_inner: the trees and counts that slow_kept.c keeps and slow_trees.c writes. */
#ifndef DWELL_HOST_RECORD_STAGE_SLOW_KEPT_INNER_H
#define DWELL_HOST_RECORD_STAGE_SLOW_KEPT_INNER_H

#include "core/duration.h"
#include "record/stage/slow_kept.h"
#include "record/stage/watcher.h"

/* The calls of one function, and the kept trees: first the trees of finished calls, from the fastest to the slowest, then the trees
 * of open calls. */
struct slow_function {
	uint32_t number, rule; /* the finder's number; the index of the rule that the function matches */
	uint64_t calls, total_ticks;
	uint64_t buckets[DWELL_DURATION_BUCKETS];
	struct slow_tree *kept;
	size_t kept_count, kept_capacity;
	uint32_t open; /* trees of open calls */
};

struct slow_stream {
	uint32_t stream, process, tid;
	bool ended;
	uint64_t lost_events;
	char name[16];
	uint64_t first_ticks, last_ticks;
};

struct slow_trees {
	struct watcher watch; /* its lock also protects the members below; used_slots is also read without the lock */
	struct slow_function **functions;
	size_t function_count, function_capacity;
	struct slow_stream *streams;
	size_t stream_count, stream_capacity;
	uint64_t budget_slots, used_slots;
	uint64_t missed; /* for lack of memory or places: calls not counted or not kept, and streams whose trees are not written */
	/* For the writing job: */
	struct trace_writer *writer;
	uint32_t next_stream;
	uint64_t events;
};

#endif
