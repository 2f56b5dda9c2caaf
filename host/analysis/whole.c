/* whole: adds up the times of all threads, for percentages. */
#include "analysis/whole.h"

/* Not the sum of self times: a function's total spans gaps and pauses, which are no function's self time, so a total could
 * exceed 100 % of that sum. */
uint64_t whole_of(const struct profile *profile, bool by_cpu)
{
	uint64_t elapsed = 0;

	for (size_t i = 0; i < profile->thread_count; i++) {
		const struct profile_thread *thread = &profile->threads[i];

		elapsed += profile_rest(thread->last_ticks - thread->first_ticks - thread->recording_ticks,
			thread->held_ticks + (by_cpu ? profile_off_cpu(&thread->off) : 0));
	}
	return profile->has_times ? elapsed : profile->total;
}

uint64_t whole_lost(const struct profile *profile, bool by_cpu)
{
	uint64_t lost = 0;

	for (size_t i = 0; i < profile->thread_count; i++)
		lost += profile_rest(profile->threads[i].lost_ticks, by_cpu ? profile_off_cpu(&profile->threads[i].off_lost) : 0);
	return lost;
}

struct profile_function whole_outside(const struct profile *profile)
{
	struct profile_function outside = {0};

	for (size_t i = 0; i < profile->thread_count; i++) {
		outside.self += profile->threads[i].outside_ticks;
		profile_add_off_cpu(&outside.self_off, &profile->threads[i].off_outside);
	}
	outside.total = outside.self;
	outside.total_off = outside.self_off;
	return outside;
}
