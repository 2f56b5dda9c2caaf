#include "cli/ordered_by.h"

#include <stdio.h>

/* The part of all time that threads spent off the CPU, unable to run. CPU time explains little about a waiting program. */
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

	if (!profile->has_off_cpu)
		return;
	printf("sorted by %s%s%s", title, by == BY_CPU ? " (CPU time)" : by == BY_WALL ? " (wall-clock time)" : "",
		by == BY_CPU ? "; --wall sorts by wall-clock time" : by == BY_WALL ? "; --cpu sorts by CPU time" : "");
	if (by == BY_CPU && waiting >= 0.5)
		printf("; %.0f %% of all time is waiting, which --wall shows", 100 * waiting);
	puts("");
}
