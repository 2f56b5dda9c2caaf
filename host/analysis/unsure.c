/* unsure: decides for each time of a function whether it gets the mark "~". */
#include "analysis/unsure.h"

/* The error is more than half of the time. */
static bool exceeds_half(uint64_t error, uint64_t time)
{
	return error > time / 2;
}

static uint64_t cpu_of(uint64_t time, const struct off_cpu_ticks *off)
{
	return profile_rest(time, profile_off_cpu(off));
}

/* Recording costs CPU time. So the error may make CPU time unsure while the longer wall-clock time is still sure. */
static void add_recording(struct unsure *unsure, const struct profile_function *function)
{
	unsure->total |= exceeds_half(function->total_error, function->total);
	unsure->self |= exceeds_half(function->self_error, function->self);
	unsure->total_cpu |= exceeds_half(function->total_error, cpu_of(function->total, &function->total_off));
	unsure->self_cpu |= exceeds_half(function->self_error, cpu_of(function->self, &function->self_off));
}

/* At least half of the calls, or of the time, belong to calls during which events were lost, so the durations are lower bounds. */
static bool is_cut(const struct profile_function *function)
{
	uint64_t total = function->total + function->total_recording; /* as recorded, like cut_ticks */

	return (function->cut_calls && function->cut_calls >= function->calls - function->cut_calls) ||
	       exceeds_half(function->cut_ticks, total);
}

static struct unsure all_of(void)
{
	return (struct unsure){true, true, true, true, true, true};
}

struct unsure unsure_of(const struct profile *profile, uint32_t id)
{
	const struct profile_function *function = id < profile->function_count ? &profile->functions[id] : 0;
	struct unsure unsure = {0};

	if (!profile->has_times)
		return unsure;
	if (!function) {
		unsure.total_off = unsure.self_off = unsure.total_cpu = unsure.self_cpu = profile_off_cpu_is_unsure(profile);
		return unsure;
	}
	if (function->untimed_calls || profile->cut_functions_unknown || is_cut(function))
		return all_of(); /* a part of the calls, or of their time, is missing */
	unsure.total_off = unsure.total_cpu = profile->off_cpu_is_partial || function->total_off.unknown_ticks;
	unsure.self_off = unsure.self_cpu = profile->off_cpu_is_partial || function->self_off.unknown_ticks;
	if (profile->is_net)
		add_recording(&unsure, function);
	if (exceeds_half(function->self_missing, function->total)) /* --throttle stopped its recording */
		unsure = all_of();
	if (exceeds_half(function->self_held, function->self))
		unsure.self = unsure.self_cpu = true;
	return unsure;
}

void unsure_add(struct unsure *to, const struct unsure *more)
{
	to->total |= more->total;
	to->self |= more->self;
	to->total_off |= more->total_off;
	to->self_off |= more->self_off;
	to->total_cpu |= more->total_cpu;
	to->self_cpu |= more->self_cpu;
}
