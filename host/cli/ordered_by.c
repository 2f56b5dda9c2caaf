#include "cli/ordered_by.h"

#include <stdio.h>

/* How much of all time the threads were off the CPU without being able to run: a program that waits is not understood by CPU time. */
static double waiting_part(const struct profile *profile)
{
	double elapsed = 0, waiting = 0;

	for (size_t i = 0; i < profile->thread_count; i++) {
		const struct profile_thread *thread = &profile->threads[i];

		elapsed += (double)(thread->last_ticks - thread->first_ticks);
		waiting += (double)(thread->off.ticks - thread->off.preempted_ticks);
	}
	return elapsed > 0 ? waiting / elapsed : 0;
}

void ordered_by_print(const struct trace *trace, const char *title, enum by by)
{
	const struct profile *profile = model_get_profile(trace->model);
	double waiting = waiting_part(profile);

	if (!profile->has_off)
		return;
	printf("by %s%s", title,
		by == BY_CPU    ? ", time on the CPU; --wall: by the clock"
		: by == BY_WALL ? ", by the clock, waiting included; --cpu: by time on the CPU"
				: "");
	if (by == BY_CPU && waiting >= 0.5)
		printf(", which shows who waited (%.0f %% of all time)", 100 * waiting);
	puts("");
}
