/* SPDX-License-Identifier: MIT
 *
 * The throttle: record requests that some functions are no longer recorded, since recording their calls costs more than the calls
 * take. record itself drops these calls from a moment of its choice (host/record/stage/throttle.h); the requests only save the
 * cost, and nothing depends on when the agent follows them, or whether.
 *
 * record may request that a function is recorded again, for a while or for good; record still drops calls that it does not need.
 *
 * For functions with hook calls, each thread goes on to count the calls, in the page in front of its ring: so the counts survive if
 * any process is killed. Patched sites are turned off, and no one counts their calls.
 *
 * The requests are in memory of their own, made by record, named by the session and mapped by each agent. record appends entries
 * and then stores their number in the session; agents write the results, and of which parent a child is a copy.
 */
#ifndef DWELL_LINUX_THROTTLE_H
#define DWELL_LINUX_THROTTLE_H

#include <stdbool.h>
#include <stdint.h>

#define DWELL_THROTTLE_MAGIC 0x334c545248545744ull /* "DWTHRTL3" */
#define DWELL_THROTTLE_ENTRIES 65536u
#define DWELL_THROTTLE_PROCESSES (1u << 20) /* more than a journal has room for */

/* Numbers of counters, for each process. The map of hooks (filter.h) holds them; there 0 means recorded, and 1 dropped. */
#define DWELL_THROTTLE_FIRST 2u
#define DWELL_THROTTLE_END 256u
#define DWELL_THROTTLE_UNDO 0u /* in place of a counter in an entry: record the function again */
/* uint64_t[256] at this offset of a ring's first page; stub.S has the same number. */
#define DWELL_THROTTLE_COUNTERS 2048u

/* The agent's answer to a request. To DWELL_THROTTLE_UNDO, COUNTED and OFF mean: the function is recorded again. */
enum dwell_throttle_state {
	DWELL_THROTTLE_REQUESTED,
	DWELL_THROTTLE_COUNTED, /* calls are counted, not recorded */
	DWELL_THROTTLE_OFF,     /* sites are off: calls are not counted */
	DWELL_THROTTLE_REFUSED, /* nothing changes: the file is another one by now, or the function's hooks cannot be changed */
};

struct dwell_throttle_entry {
	uint64_t ticks;   /* ignore the entry for a file that was loaded later */
	uint32_t place;   /* low half of the function's address, bit 0 clear */
	uint32_t process; /* index of the process in the session */
	uint32_t counter;
	volatile uint32_t state; /* enum dwell_throttle_state. Written by the agent */
};

/* A forked process starts with the state of all requests that the parent has followed. */
struct dwell_throttle_copy {
	uint32_t parent;   /* the parent's index plus 1; 0: not forked */
	uint32_t followed; /* number of entries that the parent had followed */
};

struct dwell_throttle {
	uint64_t magic;
	struct dwell_throttle_copy copied[DWELL_THROTTLE_PROCESSES]; /* written before the child's modules are in the journal */
	struct dwell_throttle_entry entries[DWELL_THROTTLE_ENTRIES];
};

static inline volatile uint64_t *dwell_throttle_counter(void *ring, uint32_t counter)
{
	return (volatile uint64_t *)((unsigned char *)ring + DWELL_THROTTLE_COUNTERS) + counter;
}

#define THROTTLE_HIDDEN __attribute__((visibility("hidden")))

struct dwell_session;
struct dwell_thread;

/* Whether hooks must be able to count: the session has a throttle, and there is a map of hooks. */
extern bool throttle_is_on THROTTLE_HIDDEN;
/* Joins the throttle of a session. path: name of the throttle in the session; empty: no throttle. At the start, or while recording
 * is off; before the agent makes hooks, and after filter_begin. */
void throttle_begin(const char *path) THROTTLE_HIDDEN;
/* Follows the requests since the last call. By one thread at a time, while modules do not change; any signal. */
void throttle_follow(const struct dwell_session *session) THROTTLE_HIDDEN;
/* Marks this process (an index in the session) as a copy of parent, with all functions in the same state. */
void throttle_begin_child(uint32_t process, uint32_t parent) THROTTLE_HIDDEN;
/* Counts a call that the hook could not count. Begins the thread's ring if needed. Any thread, any signal. */
void throttle_count(struct dwell_thread *thread, uint32_t counter) THROTTLE_HIDDEN;
/* Whether the throttle has stopped recording of the function at start. Any thread, any signal. */
bool throttle_drops(uint64_t start) THROTTLE_HIDDEN;

#endif
