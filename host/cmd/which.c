#include "cmd/which.h"

#include <stdio.h>

/* Samples are of one time, which they say above the table: there is no other to choose. */
static bool refuse_samples(const struct trace *trace, enum by by)
{
	const struct message_sampling *sampling = model_get_sampling(trace->model);

	diag_add(trace->diag, DIAG_ERROR, trace->path, DIAG_NO_OFFSET, "--%s: its samples are of %s time alone; leave the option out",
		by == BY_CPU ? "cpu" : "wall", sampling && sampling->is_wall ? "wall" : "CPU");
	return false;
}

bool which_check(const struct trace *trace, enum by by)
{
	const char *why = model_get_cpu_problem(trace->model);

	if (by != BY_BEST && model_is_sampled(trace->model))
		return refuse_samples(trace, by);
	if (by != BY_CPU || model_has_switches(trace->model))
		return true;
	diag_add(trace->diag, DIAG_ERROR, trace->path, DIAG_NO_OFFSET, "--cpu: its CPU time is not known%s%s", *why ? ": " : "", why);
	return false;
}

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

void which_print(const struct trace *trace, const char *title, enum by by)
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
