/* sampled_timers: a set of timers' numbers, in two generations of which the older is dropped. */
#include "sample/sampled_timers.h"

bool sampled_timers_is_first(struct sampled_timers *timers, uint64_t timer)
{
	bool first = !address_set_has(&timers->older, timer);

	if (!address_set_add(&timers->newer, timer))
		return false;
	if (timers->newer.count >= SAMPLED_TIMERS_KEPT) {
		address_set_clear(&timers->older);
		timers->older = timers->newer;
		timers->newer = (struct address_set){0};
	}
	return first;
}

void sampled_timers_clear(struct sampled_timers *timers)
{
	address_set_clear(&timers->newer);
	address_set_clear(&timers->older);
}
