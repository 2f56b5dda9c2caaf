/* longer: computes the limit in ticks. longer_thread.c handles the slots of a thread. */
#include "record/stage/longer.h"

#include <stdlib.h>

#include "record/session/clock_rate.h"
#include "record/stage/longer_thread.h"

/* A clock rate measured over this time is precise enough: each of its two clock points is good to 50 ns. */
#define RATE_NS 100000u
#define TICKS_MAX 1e18

struct longer {
	struct stage stage;
	uint64_t limit_ns, limit_ticks; /* limit_ticks 0: all calls are listed */
	bool is_known; /* limit_ticks has its value */
};

/* Computes the limit in ticks. False: the clock's rate has not been measured yet. */
static bool learn_limit(struct longer *longer)
{
	const struct stage_recording *recording = longer->stage.recording;
	double rate, ticks;

	if (longer->is_known || !clock_rate_measure(recording->session, &recording->first, RATE_NS, &rate))
		return longer->is_known;
	ticks = (double)longer->limit_ns * rate;
	if (rate > 0)
		longer->limit_ticks = ticks < 1 ? 1 : ticks < TICKS_MAX ? (uint64_t)ticks : (uint64_t)TICKS_MAX;
	else
		diag_add(recording->diag, DIAG_WARN, recording->output, DIAG_NO_OFFSET,
			"all calls are listed, also those that --longer would leave out: the rate of the program's clock is not known");
	return longer->is_known = true;
}

static struct stage_thread *begin_thread(struct stage *stage, const struct stage_source *source)
{
	struct longer *longer = (struct longer *)stage;

	return learn_limit(longer) ? make_longer_thread(longer->limit_ticks, source) : NULL;
}

struct stage *make_longer_stage(uint64_t limit_ns)
{
	static const struct stage_type type = {.begin_thread = begin_thread,
		.take = longer_thread_take,
		.add_switches = longer_thread_add_switches,
		.clear_thread = longer_thread_clear,
		.in_order = true};
	struct longer *longer = calloc(1, sizeof *longer);

	if (longer)
		*longer = (struct longer){.stage.type = &type, .limit_ns = limit_ns};
	return longer ? &longer->stage : NULL;
}
