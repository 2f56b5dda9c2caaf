/* timeline: writes a row for each call, with its thread and process. */
#include "analysis/calls/timeline.h"

#include <string.h>

#include "analysis/calls/call_note.h"

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

void timeline_write_at(struct timeline *timeline, const struct call *call, int64_t begin_ns, int64_t end_ns)
{
	uint32_t index = model_find_thread(timeline->model, call->stream);
	struct cell cells[TIMELINE_COLUMNS] = {0};
	const struct model_process *process;
	struct model_thread thread = {0};
	char note[CALL_NOTE_BYTES];

	if (index == UINT32_MAX)
		return;
	thread = model_get_thread(timeline->model, index);
	process = find_process(timeline->model, thread.process);
	cells[TIMELINE_INDEX].count = index;
	cells[TIMELINE_PID].count = process ? process->pid : 0;
	cells[TIMELINE_TID].count = thread.tid;
	cells[TIMELINE_SHARED].count = model_shares_tid(timeline->model, index);
	cells[TIMELINE_PROCESS].text = process ? process->path : NULL;
	cells[TIMELINE_PROCESS].absent = !process || !process->path || !*process->path;
	cells[TIMELINE_THREAD].text = thread.name;
	cells[TIMELINE_THREAD].absent = !*thread.name;
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

void timeline_end(struct timeline *timeline)
{
	timeline->sink.end(timeline->sink.context);
}
