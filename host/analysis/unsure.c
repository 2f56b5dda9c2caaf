#include "analysis/unsure.h"

/* By more than half. */
static bool leaves_open(uint64_t error, uint64_t time)
{
	return error > time / 2;
}

static uint64_t cpu_of(uint64_t time, const struct profile_off *off)
{
	return profile_rest(time, profile_off_cpu(off));
}

/* What recording cost is time on the CPU: it may leave that open, and not the time by the clock, of which it is less. */
static void add_recording(struct unsure *unsure, const struct profile *profile, const struct profile_function *function)
{
	bool is_rough = profile->net_is_rough;

	unsure->total |= is_rough || leaves_open(function->total_error, function->total);
	unsure->self |= is_rough || leaves_open(function->self_error, function->self);
	unsure->total_cpu |= is_rough || leaves_open(function->total_error, cpu_of(function->total, &function->total_off));
	unsure->self_cpu |= is_rough || leaves_open(function->self_error, cpu_of(function->self, &function->self_off));
}

/* Half of its calls, or of the time in it, is of calls that go on where events were lost: how long, nobody knows. */
static bool is_cut(const struct profile_function *function)
{
	uint64_t total = function->total + function->total_recording; /* as recorded, which cut_ticks is */

	return (function->cut_calls && function->cut_calls >= function->calls - function->cut_calls) ||
	       leaves_open(function->cut_ticks, total);
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
		unsure.total_off = unsure.self_off = unsure.total_cpu = unsure.self_cpu = profile_off_is_unsure(profile);
		return unsure;
	}
	if (function->untimed_calls || profile->cut_is_untold || is_cut(function))
		return all_of(); /* some of its calls, or of their time, are not in it */
	unsure.total_off = unsure.total_cpu = profile->off_is_partial || function->total_off.unknown_ticks;
	unsure.self_off = unsure.self_cpu = profile->off_is_partial || function->self_off.unknown_ticks;
	if (profile->is_net)
		add_recording(&unsure, profile, function);
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
