/* sums_period: decides when to write a thread's sums: seldom enough that the file hardly grows with time, and often enough that a
 * killed recording loses little. */
#ifndef DWELL_HOST_RECORD_STAGE_SUMS_PERIOD_H
#define DWELL_HOST_RECORD_STAGE_SUMS_PERIOD_H

#include <stdbool.h>
#include <stdint.h>

/* One second at first, then an eighth of the time so far, up to half a minute. */
#define SUMS_PERIOD_FIRST_NS UINT64_C(1000000000)
#define SUMS_PERIOD_LAST_NS UINT64_C(30000000000)

struct sums_period {
	uint64_t begin_ns, next_ns; /* zeroed: not begun */
};

/* Whether the period is over; if so, begins the next one. now_ns: of any clock, not 0. */
static inline bool sums_period_is_over(struct sums_period *period, uint64_t now_ns)
{
	uint64_t step;

	if (!period->begin_ns) {
		period->begin_ns = now_ns;
		period->next_ns = now_ns + SUMS_PERIOD_FIRST_NS;
	}
	if (now_ns < period->next_ns)
		return false;
	step = (now_ns - period->begin_ns) / 8;
	step = step < SUMS_PERIOD_FIRST_NS ? SUMS_PERIOD_FIRST_NS : step > SUMS_PERIOD_LAST_NS ? SUMS_PERIOD_LAST_NS : step;
	period->next_ns = now_ns + step;
	return true;
}

#endif
