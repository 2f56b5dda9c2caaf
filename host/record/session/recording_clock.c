/* recording_clock: writes clock points at intervals, and once the cost of recording. */
#include "record/session/clock_point.h"
#include "record/session/recording_inner.h"
#include "record/sink/overhead.h"

#define CLOCK_NS 1000000000u /* the longest interval between clock points */

void recording_write_clock(struct recording *recording)
{
	struct message_clock point;

	if (!recording->knows_machine || !recording->own_clock)
		return;
	point = clock_point_read();
	trace_writer_clock(recording->writer, &point);
}

void recording_write_clock_if_due(struct recording *recording, uint64_t now_ns)
{
	if (now_ns < recording->next_clock_ns)
		return;
	recording_write_clock(recording);
	if (!recording->live && !recording->overhead_is_written)
		recording->overhead_is_written = overhead_write_measured(recording->session, recording->writer);
	recording->next_clock_ns = now_ns + recording->clock_step_ns;
	if (recording->clock_step_ns < CLOCK_NS)
		recording->clock_step_ns *= 10;
}
