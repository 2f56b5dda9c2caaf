#include "cli/ordered_by.h"

#include <stdio.h>

#include "analysis/waiting.h"

void ordered_by_print(const struct trace *trace, const char *title, enum by by)
{
	const struct profile *profile = model_get_profile(trace->model);
	double waiting = waiting_find_most(profile);

	if (!profile->has_off_cpu)
		return;
	printf("sorted by %s%s%s", title, by == BY_CPU ? " (CPU time)" : by == BY_WALL ? " (wall-clock time)" : "",
		by == BY_CPU ? "; --wall sorts by wall-clock time" : by == BY_WALL ? "; --cpu sorts by CPU time" : "");
	if (by == BY_CPU && waiting > 0)
		printf("; %.0f %% of all time is waiting, which --wall shows", waiting);
	puts("");
}
