/* uftrace_events: the events of a task, in a file of their own, 16 bytes each, in order of time:
 *
 *     u64  nanoseconds
 *     u64  bits 0, 1: entry, exit, lost, something else; bit 2: there is more behind it; bits 3 to 5: 5; 6 to 15: depth; 16 to 63: address
 *
 * What is more (arguments, what is returned) fills words of 8 bytes, and how many, only the functions' types say. Where it ends is
 * found by what comes next: an entry one deeper, at an address that is mapped, or the exit of what was entered, at the depth that it must
 * have, not earlier than the last event and not later than the last of the file; and behind it the next event. Nothing that looks like
 * that is a value in practice; and where there is nothing that does, the task ends there, and it is said. */
#ifndef DWELL_HOST_READER_UFTRACE_EVENTS_H
#define DWELL_HOST_READER_UFTRACE_EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/source.h"
#include "reader/message.h"
#include "reader/reader.h"
#include "reader/uftrace/uftrace.h"

#define UFTRACE_EVENT_BYTES 16u
#define UFTRACE_EVENTS_MAX 1024u  /* at a time */
#define UFTRACE_MORE_MAX 4096u    /* bytes behind an event */
#define UFTRACE_DEPTHS 1024u

struct uftrace_extent {
	uint64_t first_ticks, last_ticks;
	uint64_t events; /* at the most */
};

/* When the events of a file were. Moves where the source is read. */
struct uftrace_extent uftrace_find_extent(const struct uftrace_tasks *tasks, struct source *source);

/* Where the reading of a file is. Zeroed, but for the first three: at its beginning. */
struct uftrace_events {
	const struct uftrace_tasks *tasks;
	struct source *source;
	uint64_t end_ticks; /* of its extent */
	bool is_over, has_ended; /* has_ended: there are no more bytes than those in front of used */
	uint64_t at, last_ticks; /* at: of the file, what was read of it */
	uint64_t more;       /* events with something behind them */
	const char *problem; /* why it is over too early; null: it is not */
	struct reader_counts counts;
	uint32_t depth; /* of what is open */
	uint64_t open[UFTRACE_DEPTHS];
	size_t from, used; /* of the bytes: what is not read yet */
	uint8_t bytes[UFTRACE_EVENTS_MAX * UFTRACE_EVENT_BYTES + UFTRACE_MORE_MAX];
	struct event events[UFTRACE_EVENTS_MAX];
};

/* The next ones, in events; 0: that was all. */
uint32_t uftrace_events_next(struct uftrace_events *events);

#endif
