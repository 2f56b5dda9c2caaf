#include "query/longest.h"

#include <stdlib.h>

#include "query/ask.h"
#include "query/replay.h"

static bool starve(struct diag *diag)
{
	diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "out of memory");
	return false;
}

static void offer(void *context, const struct call *call)
{
	slowest_offer(((struct longest *)context)->slowest, call);
}

static bool begin(void *context, struct pattern *pattern)
{
	struct longest *longest = context;

	longest->pattern = pattern;
	longest->slowest = make_slowest(pattern, longest->count);
	if (!longest->slowest)
		return starve(longest->diag);
	if (longest->by == BY_CPU)
		slowest_rank_by_cpu(longest->slowest);
	return true;
}

static bool read_first(struct longest *longest, struct trace *trace)
{
	const struct ask_calls all = {longest->function, longest->thread, begin, offer, longest, longest->longer_ns};

	if (!trace->is_seekable) {
		diag_add(trace->diag, DIAG_ERROR, trace->path, DIAG_NO_OFFSET, "has to be read twice, which a pipe cannot be: use a file");
		return false;
	}
	if (!ask_calls(trace, &all) || !ask_knows_time(trace, longest->by))
		return false;
	if (!slowest_settle(longest->slowest))
		return starve(longest->diag);
	if (!slowest_count(longest->slowest) && slowest_untimed(longest->slowest))
		diag_add(trace->diag, DIAG_ERROR, trace->path, DIAG_NO_OFFSET, "does not say how long calls of '%s' took: hooks are at entries only",
			longest->function);
	else if (!slowest_count(longest->slowest))
		ask_refuse(trace, longest->function, longest->pattern);
	return slowest_count(longest->slowest);
}

static uint32_t enter(void *context, const struct call *call)
{
	struct longest *longest = context;

	slowest_enter(longest->slowest, call, longest->second);
	return 0;
}

static void leave(void *context, const struct call *call)
{
	slowest_leave(((struct longest *)context)->slowest, call);
}

/* The chunks in which these calls were running. */
static bool read_second(struct longest *longest, struct trace *trace)
{
	const struct model_options options = {.on_enter = enter,
		.on_call = leave,
		.context = longest,
		.functions = model_get_functions(trace->model),
		.want_values = longest->args};
	size_t count = slowest_count(longest->slowest);
	struct replay_span *spans = malloc(count * sizeof *spans);
	bool good = spans;

	for (size_t i = 0; good && i < count; i++) {
		const struct call *call = &slowest_get(longest->slowest, i)->call;

		spans[i] = (struct replay_span){call->stream, call->enter_ticks, call->exit_ticks};
	}
	good = good && replay_spans(trace, spans, count, &options, &longest->second);
	free(spans);
	return good;
}

bool longest_find(struct longest *longest, struct trace *trace)
{
	longest->diag = trace->diag;
	return read_first(longest, trace) && read_second(longest, trace);
}

void longest_clear(struct longest *longest)
{
	free_slowest(longest->slowest);
	free_pattern(longest->pattern);
	*longest = (struct longest){0};
}
