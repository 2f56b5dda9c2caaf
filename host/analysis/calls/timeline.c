/* timeline: writes a row for each call, and for each interval off the CPU, with the thread and process. */
#include "analysis/calls/timeline.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/calls/call_note.h"
#include "util/array.h"

static const struct column columns[TIMELINE_COLUMNS] = {
	[TIMELINE_INDEX] = {.key = "thread_index", .unit = UNIT_COUNT},
	[TIMELINE_PID] = {.key = "pid", .unit = UNIT_COUNT},
	[TIMELINE_TID] = {.key = "tid", .unit = UNIT_COUNT},
	[TIMELINE_SHARED] = {.key = "tid_is_shared", .unit = UNIT_COUNT},
	[TIMELINE_PROCESS] = {.key = "process", .unit = UNIT_TEXT},
	[TIMELINE_THREAD] = {.key = "thread", .unit = UNIT_TEXT},
	[TIMELINE_DEPTH] = {.key = "depth", .unit = UNIT_INDENT},
	[TIMELINE_FUNCTION] = {.key = "function", .unit = UNIT_NAME},
	[TIMELINE_BEGIN] = {.key = "begin_ns", .unit = UNIT_NS_SIGNED},
	[TIMELINE_END] = {.key = "end_ns", .unit = UNIT_NS_SIGNED},
	[TIMELINE_NOTE] = {.key = "note", .unit = UNIT_TEXT},
	[TIMELINE_STATE] = {.key = "state", .unit = UNIT_TEXT},
};

void timeline_begin(struct timeline *timeline, const struct model *model, const struct table_sink *sink)
{
	*timeline = (struct timeline){.model = model, .sink = *sink};
	sink->begin(sink->context, "timeline", columns, TIMELINE_COLUMNS);
}

static const struct model_process *find_process(const struct model *model, uint32_t process)
{
	for (uint32_t i = model_process_count(model); i--;)
		if (model_get_process(model, i)->process == process)
			return model_get_process(model, i);
	return NULL;
}

static bool is_mark(const char *name, int64_t begin_ns, int64_t end_ns)
{
	return begin_ns == end_ns && !strncmp(name, "mark: ", 6);
}

void timeline_write(struct timeline *timeline, const struct call *call)
{
	const struct clock_map *clock = model_get_clock(timeline->model);

	timeline_write_at(timeline, call, clock_moment_ns(clock, call->enter_ticks), clock_moment_ns(clock, call->exit_ticks));
}

/* Sets the cells of the thread with this index. The cells borrow the name. */
static void set_thread(const struct timeline *timeline, uint32_t index, const struct model_thread *thread,
	struct cell cells[static TIMELINE_COLUMNS])
{
	const struct model_process *process = find_process(timeline->model, thread->process);

	cells[TIMELINE_INDEX].count = index;
	cells[TIMELINE_PID].count = process ? process->pid : 0;
	cells[TIMELINE_TID].count = thread->tid;
	cells[TIMELINE_SHARED].count = model_shares_tid(timeline->model, index);
	cells[TIMELINE_PROCESS].text = process ? process->path : NULL;
	cells[TIMELINE_PROCESS].absent = !process || !process->path || !*process->path;
	cells[TIMELINE_THREAD].text = thread->name;
	cells[TIMELINE_THREAD].absent = !*thread->name;
}

void timeline_write_at(struct timeline *timeline, const struct call *call, int64_t begin_ns, int64_t end_ns)
{
	uint32_t index = model_find_thread(timeline->model, call->stream);
	struct cell cells[TIMELINE_COLUMNS] = {[TIMELINE_STATE].absent = true};
	struct model_thread thread;
	char note[CALL_NOTE_BYTES];

	if (index == UINT32_MAX)
		return;
	thread = model_get_thread(timeline->model, index);
	set_thread(timeline, index, &thread, cells);
	cells[TIMELINE_DEPTH].count = call->depth;
	cells[TIMELINE_FUNCTION].text =
		call->function == FUNCTION_NONE ? "?" : functions_get_name(model_get_functions(timeline->model), call->function);
	cells[TIMELINE_FUNCTION].function = call->function + 1; /* FUNCTION_NONE + 1 is 0 */
	cells[TIMELINE_BEGIN].signed_count = begin_ns;
	cells[TIMELINE_END].signed_count = end_ns;
	cells[TIMELINE_END].absent = (call->flags & DWELL_CALL_NO_EXIT) || is_mark(cells[TIMELINE_FUNCTION].text, begin_ns, end_ns);
	cells[TIMELINE_NOTE].text = call_note(call->flags, note);
	timeline->sink.row(timeline->sink.context, cells);
}

static void write_state(struct timeline *timeline, uint32_t index, const struct timeline_state *state)
{
	static const char *const states[] = {[OFF_CPU_WAITING] = "waiting", [OFF_CPU_PREEMPTED] = "preempted", [OFF_CPU_UNKNOWN] = "not known"};
	const struct clock_map *clock = model_get_clock(timeline->model);
	struct cell cells[TIMELINE_COLUMNS] = {[TIMELINE_FUNCTION].absent = true};
	struct model_thread thread;

	if (!state->end_ticks || clock_duration_ns(clock, state->end_ticks - state->begin_ticks) < timeline->state_ns_min)
		return;
	thread = model_get_thread(timeline->model, index);
	set_thread(timeline, index, &thread, cells);
	cells[TIMELINE_BEGIN].signed_count = clock_moment_ns(clock, state->begin_ticks);
	cells[TIMELINE_END].signed_count = clock_moment_ns(clock, state->end_ticks);
	cells[TIMELINE_NOTE].text = "";
	cells[TIMELINE_STATE].text = states[state->kind];
	timeline->sink.row(timeline->sink.context, cells);
}

void timeline_write_state(
	struct timeline *timeline, uint32_t stream, uint64_t begin_ticks, uint64_t end_ticks, enum off_cpu_kind kind)
{
	uint32_t index = model_find_thread(timeline->model, stream);
	size_t had = timeline->state_count;
	struct timeline_state *state;

	if (index == UINT32_MAX)
		return;
	if (index >= had) {
		if (!array_reserve(&timeline->states, &timeline->state_count, index + (size_t)1, sizeof *timeline->states)) {
			timeline->starved = true;
			return;
		}
		memset(timeline->states + had, 0, (timeline->state_count - had) * sizeof *timeline->states);
	}
	state = &timeline->states[index];
	if (state->end_ticks == begin_ticks && state->kind == kind) {
		state->end_ticks = end_ticks;
		return;
	}
	write_state(timeline, index, state);
	*state = (struct timeline_state){begin_ticks, end_ticks, kind};
}

void timeline_end(struct timeline *timeline)
{
	for (size_t i = 0; i < timeline->state_count; i++)
		write_state(timeline, (uint32_t)i, &timeline->states[i]);
	free(timeline->states);
	timeline->states = NULL;
	timeline->state_count = 0;
	timeline->sink.end(timeline->sink.context);
}
