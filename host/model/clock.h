/* clock: ticks → nanoseconds, by the calibration points of the trace. */
#ifndef DWELL_HOST_MODEL_CLOCK_H
#define DWELL_HOST_MODEL_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "reader/message.h"
#include "util/units.h"

enum clock_basis {
	CLOCK_UNKNOWN,    /* one tick is taken for one nanosecond */
	CLOCK_NOMINAL,    /* the header's word only */
	CLOCK_CALIBRATED, /* two points far enough apart */
};

struct clock_map {
	double ns_per_tick;
	enum clock_basis basis;
	uint32_t points;         /* calibration points seen */
	bool is_of_events;       /* there are ticks to tell; sums come in units of their own */
	bool has_origin;         /* time 0 of the report: the first calibration point, else the first event */
	uint64_t origin_ticks;
	uint64_t origin_unix_ns; /* 0 when unknown */
	uint64_t origin_monotonic_ns;
	uint32_t step_ticks;   /* the clock steps by so many, as far as was told; 0: by single ones */
	uint64_t latest_ticks; /* of the points that the rate is from: the farther from the first, the better */
};

void clock_init(struct clock_map *clock);
void clock_set_header(struct clock_map *clock, const struct message_header *header);
/* A calibration point; one that contradicts the first (time standing still or running back), or is not later than those that were
 * added, changes nothing. */
void clock_add(struct clock_map *clock, const struct message_clock *point);
/* Whether times are ticks, and nobody knows how long one is. */
static inline bool clock_is_unknown(const struct clock_map *clock)
{
	return clock->basis == CLOCK_UNKNOWN && clock->is_of_events;
}
/* Time 0 where no calibration point is. */
void clock_set_origin(struct clock_map *clock, uint64_t ticks);

/* A duration. */
uint64_t clock_duration_ns(const struct clock_map *clock, uint64_t ticks);
/* A moment, since the origin; moments before it are negative. */
int64_t clock_moment_ns(const struct clock_map *clock, uint64_t ticks);

/* In whole nanoseconds, rounded up, what the clock cannot tell from nothing: a single time that is shorter is not known.
 * 0: it tells all that is shown. */
uint32_t clock_step_ns(const struct clock_map *clock);

/* Times for people: of a clock whose rate is unknown, ticks. */
void clock_format_ns(char text[UNITS_TEXT_BYTES], const struct clock_map *clock, uint64_t ns);
void clock_format_moment(char text[UNITS_TEXT_BYTES], const struct clock_map *clock, int64_t ns);

#endif
