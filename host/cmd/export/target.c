#include "cmd/export/target.h"

struct export_target export_make_target(const struct trace *trace, const struct result_file *file)
{
	const struct clock_map *clock = model_get_clock(trace->model);
	const struct profile *profile = model_get_profile(trace->model);
	struct export_target target = {.out = file->out,
		.name = file->name,
		.path = file->path,
		.diag = trace->diag,
		.title = trace->path,
		.unit = profile && *profile->unit ? profile->unit : "weight",
		.start_unix_ns = clock->origin_unix_ns,
		.start_monotonic_ns = clock->origin_monotonic_ns};
	uint64_t first = UINT64_MAX, last = 0;

	for (size_t i = 0; profile && i < profile->thread_count; i++) {
		const struct profile_thread *thread = &profile->threads[i];

		if (thread->is_sums)
			continue;
		first = thread->first_ticks && thread->first_ticks < first ? thread->first_ticks : first;
		last = thread->last_ticks > last ? thread->last_ticks : last;
	}
	target.duration_ns = last > first ? clock_duration_ns(clock, last - first) : 0;
	return target;
}
