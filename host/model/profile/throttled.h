/* throttled: functions that were not recorded any more from some moment on, and how often they were called since; as the recording says. */
#ifndef DWELL_HOST_MODEL_PROFILE_THROTTLED_H
#define DWELL_HOST_MODEL_PROFILE_THROTTLED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/function/function.h"
#include "reader/message.h"

/* More are hostile: 254 of a process, and few processes have any. */
#define THROTTLED_MAX (1u << 20)
#define THROTTLED_TICKS_MAX 1e18

/* Zeroed: none. What there was no memory for is not there. */
struct throttled {
	struct throttled_entry {
		uint32_t process;
		struct message_throttled told;
	} *entries; /* in order of process, place and since_ticks */
	size_t count, capacity;
};

void throttled_feed(struct throttled *throttled, const struct message_throttle *message);
void throttled_clear(struct throttled *throttled);

/* How often those were called that were counted. */
uint64_t throttled_count_calls(const struct throttled *throttled);

/* The same by function, of all processes together. */
struct throttled_function {
	uint32_t id;
	uint64_t since_ticks; /* the earliest */
	uint64_t calls, cut;
	double cost_ticks;    /* what recording them would have taken, at most THROTTLED_TICKS_MAX */
	bool is_counted;
};
/* Those with the most calls first. To be freed; null and *count 0: none, or no memory. When all was read. */
struct throttled_function *make_throttled_functions(const struct throttled *throttled, struct functions *functions, size_t *count);

#endif
