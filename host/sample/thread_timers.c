/* thread_timers: see thread_timers.h. */
#include "sample/thread_timers.h"

#include <stdlib.h>
#include <string.h>

#include "sample/perf_set.h"
#include "util/array.h"

bool thread_timers_first(struct thread_timers *timers, uint32_t timer)
{
	uint64_t bit = UINT64_C(1) << timer % 64;
	size_t word = timer / 64, had = timers->capacity;

	if (timer == PERF_TIMER_NONE)
		return false;
	if (word >= had) {
		if (!array_reserve(&timers->bits, &timers->capacity, word + 1, sizeof *timers->bits))
			return false;
		memset(timers->bits + had, 0, (timers->capacity - had) * sizeof *timers->bits);
	}
	if (timers->bits[word] & bit)
		return false;
	timers->bits[word] |= bit;
	return true;
}

void thread_timers_clear(struct thread_timers *timers)
{
	free(timers->bits);
	*timers = (struct thread_timers){0};
}
