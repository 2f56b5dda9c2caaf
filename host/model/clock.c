/* clock: the rate of the clock from calibration points, and conversions to nanoseconds. */
#include "model/clock.h"

/* Reading both clocks takes a fraction of a microsecond. Over a millisecond, the error is at most 0.1 %; for a
 * shorter recording the nominal rate is more accurate. */
#define CALIBRATION_NS_MIN 1000000u

#define STEP_NS_MIN 1.5 /* a smaller step counts as a nanosecond, the unit of display */

void clock_init(struct clock_map *clock)
{
	*clock = (struct clock_map){.ns_per_tick = 1, .basis = CLOCK_UNKNOWN};
}

void clock_set_header(struct clock_map *clock, const struct message_header *header)
{
	clock->is_of_events |= header->has_events;
	if (!header->clock_hz || clock->basis != CLOCK_UNKNOWN)
		return;
	clock->ns_per_tick = 1e9 / (double)header->clock_hz;
	clock->basis = CLOCK_NOMINAL;
}

void clock_add(struct clock_map *clock, const struct message_clock *point)
{
	uint64_t elapsed_ns, elapsed_ticks;

	if (!clock->points++) {
		clock->has_origin = true;
		clock->origin_ticks = clock->latest_ticks = point->ticks;
		clock->origin_unix_ns = point->unix_ns;
		clock->origin_monotonic_ns = point->monotonic_ns;
		return;
	}
	/* Skips a point that is not later than the latest: a second reading of the file would replace the rate of the whole
	 * recording by the rate of its first milliseconds. */
	if (point->ticks <= clock->latest_ticks || point->monotonic_ns <= clock->origin_monotonic_ns)
		return;
	elapsed_ticks = point->ticks - clock->origin_ticks;
	elapsed_ns = point->monotonic_ns - clock->origin_monotonic_ns;
	if (elapsed_ns < CALIBRATION_NS_MIN && clock->basis == CLOCK_NOMINAL)
		return;
	clock->latest_ticks = point->ticks;
	clock->ns_per_tick = (double)elapsed_ns / (double)elapsed_ticks;
	clock->basis = CLOCK_CALIBRATED;
}

void clock_set_origin(struct clock_map *clock, uint64_t ticks)
{
	if (clock->has_origin)
		return;
	clock->has_origin = true;
	clock->origin_ticks = ticks;
}

uint64_t clock_duration_ns(const struct clock_map *clock, uint64_t ticks)
{
	double ns = (double)ticks * clock->ns_per_tick + 0.5;

	if (clock->ns_per_tick == 1)
		return ticks;
	return ns < 0x1p64 ? (uint64_t)ns : UINT64_MAX;
}

int64_t clock_moment_ns(const struct clock_map *clock, uint64_t ticks)
{
	bool before = ticks < clock->origin_ticks;
	uint64_t ns = clock_duration_ns(clock, before ? clock->origin_ticks - ticks : ticks - clock->origin_ticks);

	if (ns > CLOCK_MOMENT_MAX_NS)
		ns = CLOCK_MOMENT_MAX_NS;
	return before ? -(int64_t)ns : (int64_t)ns;
}

void clock_format_ns(char text[UNITS_TEXT_BYTES], const struct clock_map *clock, uint64_t ns)
{
	if (clock_is_unknown(clock))
		units_format_ticks(text, ns);
	else
		units_format_ns(text, ns);
}

void clock_format_moment(char text[UNITS_TEXT_BYTES], const struct clock_map *clock, int64_t ns)
{
	if (!clock_is_unknown(clock)) {
		units_format_ns_signed(text, ns);
		return;
	}
	*text = '-';
	units_format_ticks(text + (ns < 0), ns < 0 ? -(uint64_t)ns : (uint64_t)ns);
}

uint32_t clock_step_ns(const struct clock_map *clock)
{
	double step_ns = (clock->step_ticks ? clock->step_ticks : 1) * clock->ns_per_tick;

	if (clock_is_unknown(clock) || step_ns < STEP_NS_MIN || step_ns > 1e9)
		return 0;
	return (uint32_t)(step_ns + 0.999);
}
