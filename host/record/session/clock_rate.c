/* clock_rate: computes the rate from two clock points, for stages that have limits in time. */
#include "record/session/clock_rate.h"

#include "record/session/clock_point.h"

bool clock_rate_measure(const struct session *session, const struct message_clock *first, uint64_t least_ns, double *ticks_per_ns)
{
	struct session_machine machine;
	struct message_clock now;

	if (!session_read_machine(session, &machine))
		return false;
	if (machine.machine != clock_point_machine()) {
		*ticks_per_ns = (double)machine.clock_hz / 1e9;
		return true;
	}
	now = clock_point_read();
	if (now.monotonic_ns - first->monotonic_ns < least_ns)
		return false;
	*ticks_per_ns = (double)(now.ticks - first->ticks) / (double)(now.monotonic_ns - first->monotonic_ns);
	return true;
}
