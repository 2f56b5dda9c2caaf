#include "analysis/waiting.h"

#define MOST_PERCENT 50

double waiting_find_most(const struct profile *profile)
{
	double elapsed = 0, waiting = 0, percent;

	for (size_t i = 0; profile->has_off_cpu && i < profile->thread_count; i++) {
		const struct profile_thread *thread = &profile->threads[i];

		elapsed += (double)(thread->last_ticks - thread->first_ticks);
		waiting += (double)(thread->off.ticks - thread->off.preempted_ticks);
	}
	percent = elapsed > 0 ? 100 * waiting / elapsed : 0;
	return percent >= MOST_PERCENT ? percent : 0;
}
