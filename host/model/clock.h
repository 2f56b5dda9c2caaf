/* clock: converts ticks to nanoseconds, by the calibration points of the trace. Each analysis converts its times here. */
#ifndef DWELL_HOST_MODEL_CLOCK_H
#define DWELL_HOST_MODEL_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "reader/message.h"
#include "util/units.h"

enum clock_basis {
	CLOCK_UNKNOWN,    /* one tick counts as one nanosecond */
	CLOCK_NOMINAL,    /* only by the header */
	CLOCK_CALIBRATED, /* by two points far enough apart */
};

struct clock_map {
	double ns_per_tick;
	enum clock_basis basis;
	uint32_t points;         /* calibration points read */
	bool is_of_events;       /* the trace has events, so its times are ticks; files with only sums have units of their own */
	bool has_origin;         /* time 0 of reports: the first calibration point, else the first event */
	uint64_t origin_ticks;
	uint64_t origin_unix_ns; /* 0: unknown */
	uint64_t origin_monotonic_ns;
	uint32_t step_ticks;   /* the clock advances by this many ticks at once; 0: by single ticks */
	uint64_t latest_ticks; /* the latest calibration point so far, which gives the rate: a long distance makes it accurate */
};

void clock_init(struct clock_map *clock);
void clock_set_header(struct clock_map *clock, const struct message_header *header);
/* Adds a calibration point. Ignores a point that contradicts the first (time stands still or runs
 * back), or is not later than the points before. */
void clock_add(struct clock_map *clock, const struct message_clock *point);
/* Whether times are ticks of unknown length. */
static inline bool clock_is_unknown(const struct clock_map *clock)
{
	return clock->basis == CLOCK_UNKNOWN && clock->is_of_events;
}
/* Sets time 0, unless a calibration point has done so. */
void clock_set_origin(struct clock_map *clock, uint64_t ticks);

/* A duration. */
uint64_t clock_duration_ns(const struct clock_map *clock, uint64_t ticks);
/* A moment relative to the origin; negative before it. Within ±CLOCK_MOMENT_MAX_NS, 146 years, so that the difference of two
 * moments fits. */
#define CLOCK_MOMENT_MAX_NS (INT64_MAX / 2)
int64_t clock_moment_ns(const struct clock_map *clock, uint64_t ticks);

/* The step of the clock in whole nanoseconds, rounded up: a single time shorter than this
 * is unknown. 0: finer than displayed times. */
uint32_t clock_step_ns(const struct clock_map *clock);

/* Times for people; in ticks if the clock's rate is unknown. */
void clock_format_ns(char text[UNITS_TEXT_BYTES], const struct clock_map *clock, uint64_t ns);
void clock_format_moment(char text[UNITS_TEXT_BYTES], const struct clock_map *clock, int64_t ns);

#endif
