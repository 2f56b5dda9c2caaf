/* SPDX-License-Identifier: MIT
 *
 * The throttle: functions that record asks to be recorded no more, since their calls are shorter than what recording them costs. It drops
 * them itself from a moment that it chose (host/record/stage/throttle.h); what is asked for here saves what they cost, and nothing depends
 * on when that happens, or whether.
 *
 * Of functions that call hooks each thread goes on to count the calls, in the page in front of its ring: so the counts are there whoever is
 * killed. Patched sites are turned off, and nobody counts.
 *
 * Memory of its own, made by record, named in the session, mapped by each agent. Record appends entries and then says in the session how
 * many there are; agents write what became of theirs, and what a child is a copy of.
 */
#ifndef DWELL_LINUX_THROTTLE_H
#define DWELL_LINUX_THROTTLE_H

#include <stdbool.h>
#include <stdint.h>

#define DWELL_THROTTLE_MAGIC 0x324c545248545744ull /* "DWTHRTL2" */
#define DWELL_THROTTLE_ENTRIES 65536u
#define DWELL_THROTTLE_PROCESSES (1u << 20) /* more than a journal has room for */

/* Numbers of counters, of one process. They stand in the map of hooks (filter.h), where 0 is recorded and 1 is not wanted. */
#define DWELL_THROTTLE_FIRST 2u
#define DWELL_THROTTLE_END 256u
/* uint64_t[256] from here on, in the page that a ring begins with; stub.S knows. */
#define DWELL_THROTTLE_COUNTERS 2048u

enum dwell_throttle_state {
	DWELL_THROTTLE_ASKED,
	DWELL_THROTTLE_COUNTED, /* calls are counted, none is recorded */
	DWELL_THROTTLE_OFF,     /* sites are off: nobody counts */
	DWELL_THROTTLE_REFUSED, /* it goes on to be recorded: the file is another one by now, or cannot be changed */
};

struct dwell_throttle_entry {
	uint64_t ticks;   /* a file that was loaded later is not meant */
	uint32_t place;   /* low half of the function's address, bit 0 clear */
	uint32_t process; /* index in the session */
	uint32_t counter;
	volatile uint32_t state; /* enum dwell_throttle_state. Written by the agent */
};

/* A process that was forked from another one, and has what that was asked for until then. */
struct dwell_throttle_copy {
	uint32_t parent;   /* its index plus 1; 0: it was not forked */
	uint32_t followed; /* entries that the parent had looked at */
};

struct dwell_throttle {
	uint64_t magic;
	struct dwell_throttle_copy copied[DWELL_THROTTLE_PROCESSES]; /* written before its modules are told */
	struct dwell_throttle_entry entries[DWELL_THROTTLE_ENTRIES];
};

static inline volatile uint64_t *dwell_throttle_counter(void *ring, uint32_t counter)
{
	return (volatile uint64_t *)((unsigned char *)ring + DWELL_THROTTLE_COUNTERS) + counter;
}

#define THROTTLE_HIDDEN __attribute__((visibility("hidden")))

struct dwell_session;
struct dwell_thread;

/* Whether hooks must be made so that they can count. */
extern bool throttle_is_on THROTTLE_HIDDEN;
/* Joins that of a session, empty: none. At start, or when nothing is recorded; before any hooks are made, and behind filter_begin. */
void throttle_begin(const char *path) THROTTLE_HIDDEN;
/* Does what was asked for since the last time. By one thread at a time, while modules stay as they are; any signal. */
void throttle_follow(const struct dwell_session *session) THROTTLE_HIDDEN;
/* This process, process of the session, is a copy of another one: its functions are as they were there. */
void throttle_begin_child(uint32_t process, uint32_t parent) THROTTLE_HIDDEN;
/* One more call, where the hook could not count it. The thread's ring is begun if need be. Any thread, any signal. */
void throttle_count(struct dwell_thread *thread, uint32_t counter) THROTTLE_HIDDEN;
/* Whether calls of the function that begins there are recorded no more. Any thread, any signal. */
bool throttle_leaves_out(uint64_t start) THROTTLE_HIDDEN;

#endif
