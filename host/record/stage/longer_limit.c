/* longer_limit: see longer_limit.h. */
#include "record/stage/longer_limit.h"

#include "record/session/clock_point.h"

/* Between two clock points, each of which is good for 50 ns. */
#define FAR_NS 100000u
#define TICKS_MAX 1e18

void longer_limit_learn(struct streams *streams, const struct message_clock *first, const char *output, struct diag *diag)
{
	struct session_machine machine;
	struct message_clock now;
	double ticks = 0, span_ns;

	if (!streams->longer_ns || streams->longer_ticks || !session_read_machine(streams->session, &machine))
		return;
	if (machine.machine == clock_point_machine()) {
		now = clock_point_read();
		span_ns = (double)(now.monotonic_ns - first->monotonic_ns);
		if (span_ns < FAR_NS)
			return;
		ticks = (double)streams->longer_ns * (double)(now.ticks - first->ticks) / span_ns;
	} else if (machine.clock_hz) {
		ticks = (double)streams->longer_ns * (double)machine.clock_hz / 1e9;
	} else {
		streams->longer_ns = 0;
		diag_add(diag, DIAG_WARN, output, DIAG_NO_OFFSET,
			"all calls are listed, also those that --longer would leave out: the rate of the program's clock is not known");
		return;
	}
	streams->longer_ticks = ticks < 1 ? 1 : ticks < TICKS_MAX ? (uint64_t)ticks : (uint64_t)TICKS_MAX;
}
