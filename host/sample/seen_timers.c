/* seen_timers: a set of timers' numbers, in two generations of which the older is dropped. */
#include "sample/seen_timers.h"

bool seen_timers_is_first(struct seen_timers *timers, uint64_t timer)
{
	bool first = !address_set_has(&timers->before, timer);

	if (!address_set_add(&timers->lately, timer))
		return false;
	if (timers->lately.count >= SEEN_TIMERS_KEPT) {
		address_set_clear(&timers->before);
		timers->before = timers->lately;
		timers->lately = (struct address_set){0};
	}
	return first;
}

void seen_timers_clear(struct seen_timers *timers)
{
	address_set_clear(&timers->lately);
	address_set_clear(&timers->before);
}
