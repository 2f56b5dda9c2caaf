/* throttled: functions with short calls, no longer recorded (--throttle), with the numbers of unrecorded calls. From the THROTTLE
 * messages. Bounds the missing time of the functions. */
#ifndef DWELL_HOST_MODEL_PROFILE_THROTTLED_H
#define DWELL_HOST_MODEL_PROFILE_THROTTLED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/function/function.h"
#include "model/profile/profile.h"
#include "reader/message.h"

/* A trace with more entries is hostile: a process has at most 254, and few processes have any. */
#define THROTTLED_MAX (1u << 20)
#define THROTTLED_TICKS_MAX 1e18

/* Zeroed: empty. Entries are missing if there was no memory for them. */
struct throttled {
	struct throttled_entry {
		uint32_t process;
		struct message_throttled report;
	} *entries; /* in order of process, place and since_ticks */
	size_t count, capacity;
};

void throttled_feed(struct throttled *throttled, const struct message_throttle *message);
void throttled_clear(struct throttled *throttled);

/* Sum of calls over the entries that counted all calls. */
uint64_t throttled_count_calls(const struct throttled *throttled);

/* A call shorter than this multiple of its recording cost is short, and may be throttled. While record counts short calls, it
 * checks from time to time whether they still are short (record/stage/judge.h). */
#define THROTTLED_SHORT_TIMES 4
/* Fills in self_missing of the throttled functions, and self_held of their callers. has_tree: the profile has a tree, which shows
 * the callers. pre: the profile is complete. False: no memory, and some bounds are missing. */
bool throttled_mark(const struct throttled *throttled, struct functions *functions, struct profile *profile, bool has_tree);

/* The sums of one function over all processes. */
struct throttled_function {
	uint32_t id;
	uint64_t since_ticks; /* the earliest */
	uint64_t unrecorded_ticks;  /* time without recording, in all processes */
	uint64_t unknown_ticks; /* part of unrecorded_ticks: after the last check of its calls */
	uint64_t calls, cut;
	double cost_ticks;    /* the cost that recording these calls would have had, at most THROTTLED_TICKS_MAX */
	bool is_counted;      /* calls is exact in all processes; else a lower bound */
};
/* The throttled functions, those with the most calls first. The caller frees the list. Null, and *count 0: none, or no memory. pre:
 * all messages are read. */
struct throttled_function *make_throttled_functions(
	const struct throttled *throttled, struct functions *functions, const struct profile *profile, size_t *count);

#endif
