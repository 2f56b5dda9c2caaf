/* clock: ticks → nanoseconds, by the calibration points of the trace. */
#ifndef DWELL_HOST_MODEL_CLOCK_H
#define DWELL_HOST_MODEL_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "reader/message.h"

struct clock_map {
	uint64_t origin_ticks; /* of the first calibration point: time 0 of the report */
	uint64_t origin_unix_ns;
	uint64_t last_ticks, last_ns; /* of the last point, ns since the first */
	double ns_per_tick;           /* from the first and last point, else from the nominal rate, else 1 */
	uint32_t points;
	bool nominal; /* the rate is the header's word only */
};

void clock_init(struct clock_map *clock, const struct message_header *header);
void clock_add(struct clock_map *clock, const struct message_clock *point);
/* A duration. */
uint64_t clock_duration_ns(const struct clock_map *clock, uint64_t ticks);
/* A moment, since the origin; moments before it are negative. */
int64_t clock_moment_ns(const struct clock_map *clock, uint64_t ticks);

#endif
