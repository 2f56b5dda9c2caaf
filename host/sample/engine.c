/* engine: chooses between perf events and timers, and passes calls on to the chosen engine. */
#include "sample/engine.h"

#include <stdio.h>

#define TIMERS_TURN_NS UINT64_C(20000000)

bool engine_prepare(struct engine *engine, const struct perf_set_options *options, enum engine_choice choice, const char **name)
{
	*name = NULL;
	if (choice == ENGINE_PERF)
		return true;
	engine->timers = make_timer_set(options, engine->why);
	if (engine->timers)
		*name = timer_set_get_name(engine->timers);
	return engine->timers;
}

/* Sets the members that describe the chosen engine. */
static void describe(struct engine *engine)
{
	engine->kind = engine->perf ? perf_set_get_engine(engine->perf) : DWELL_ENGINE_TIMERS;
	engine->has_kernel = !engine->perf || perf_set_has_kernel(engine->perf);
	engine->shrunk = engine->perf ? perf_set_get_shrunk(engine->perf) : 0;
}

bool engine_start(
	struct engine *engine, const struct perf_set_options *options, enum engine_choice choice, pid_t pid, bool *is_bare)
{
	if (choice != ENGINE_TIMER)
		engine->perf = make_perf_set(options, pid, false, engine->why);
	*is_bare = engine->perf || !engine->timers;
	if (engine->perf) {
		free_timer_set(engine->timers);
		engine->timers = NULL;
	}
	describe(engine);
	return engine->perf || engine->timers;
}

bool engine_attach(struct engine *engine, const struct perf_set_options *options, enum engine_choice choice, pid_t pid)
{
	if (choice != ENGINE_TIMER)
		engine->perf = make_perf_set(options, pid, true, engine->why);
	else
		snprintf(engine->why, sizeof engine->why, "timers are only in programs that dwell record starts");
	describe(engine);
	return engine->perf;
}

void engine_clear(struct engine *engine)
{
	free_perf_set(engine->perf);
	free_timer_set(engine->timers);
}

uint64_t engine_turn_samplers(struct engine *engine, bool large, uint64_t late_ns, uint64_t now_ns)
{
	if (engine->perf)
		return perf_set_turn_samplers(engine->perf, large, late_ns, now_ns);
	timer_set_choose_copy(engine->timers, large, late_ns);
	return TIMERS_TURN_NS;
}

bool engine_next(struct engine *engine, uint64_t until_ns, struct perf_record *record)
{
	return engine->perf ? perf_set_next(engine->perf, until_ns, record) : timer_set_next(engine->timers, until_ns, record);
}

void engine_stop(struct engine *engine)
{
	if (engine->perf)
		perf_set_stop(engine->perf);
	else
		timer_set_stop(engine->timers);
}

uint64_t engine_get_lost(const struct engine *engine)
{
	return engine->perf ? perf_set_get_lost(engine->perf) : timer_set_get_lost(engine->timers);
}

uint64_t engine_get_damaged(const struct engine *engine)
{
	return engine->perf ? perf_set_get_damaged(engine->perf) : timer_set_get_damaged(engine->timers);
}

bool engine_awaits_reports(struct engine *engine, uint64_t now_ns)
{
	return !engine->perf && timer_set_awaits_reports(engine->timers, now_ns);
}
