#include "analysis/calls.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/thread_label.h"
#include "util/array.h"

enum {
	THREAD,
	DEPTH,
	NAME,
	ENTER,
	TOTAL,
	TOTAL_CPU,
	TOTAL_OFF,
	SELF,
	SELF_CPU,
	SELF_OFF,
	NAME_AT_END,
	NOTE,
	COLUMN_COUNT
};

static const struct column columns[COLUMN_COUNT] = {
	[THREAD] = {.key = "thread", .title = "thread", .unit = UNIT_TEXT, .width = 12},
	[DEPTH] = {.key = "depth", .title = "depth", .unit = UNIT_INDENT, .width = 5},
	[NAME] = {.key = "function", .title = "function", .unit = UNIT_NAME, .data_only = true},
	[ENTER] = {.key = "enter_ns", .title = "enter", .unit = UNIT_NS_SIGNED, .width = 9},
	[TOTAL] = {.key = "total_ns", .title = "total", .unit = UNIT_NS, .width = 9},
	[TOTAL_CPU] = {.key = "total_cpu_ns", .title = "total cpu", .unit = UNIT_NS, .width = 9},
	[TOTAL_OFF] = {.key = "total_off_ns", .title = "total off", .unit = UNIT_NS, .width = 9, .data_only = true},
	[SELF] = {.key = "self_ns", .title = "self", .unit = UNIT_NS, .width = 9},
	[SELF_CPU] = {.key = "self_cpu_ns", .title = "self cpu", .unit = UNIT_NS, .width = 9},
	[SELF_OFF] = {.key = "self_off_ns", .title = "self off", .unit = UNIT_NS, .width = 9, .data_only = true},
	[NAME_AT_END] = {.key = "function", .title = "function", .unit = UNIT_NAME, .text_only = true},
	[NOTE] = {.key = "note", .title = "note", .unit = UNIT_TEXT, .data_only = true},
};

struct calls {
	const struct model *model;
	struct functions *functions;
	const struct clock_map *clock;
	struct table_sink sink;
	uint64_t limit, rows;
	bool has_off; /* when threads were off the CPU is known: there are columns for it */
	struct column columns[COLUMN_COUNT];
	struct thread_label *labels; /* by index of the thread; made when its first row comes, and kept */
	size_t label_count, label_capacity;
	uint32_t stream, index; /* of the last row */
	const char **names; /* by id, null: not asked for yet */
	size_t name_count, name_capacity;
};

static bool is_of_cpu(int column)
{
	return column == TOTAL_CPU || column == TOTAL_OFF || column == SELF_CPU || column == SELF_OFF;
}

static void begin(struct calls *calls)
{
	uint32_t count = 0;

	for (int i = 0; i < COLUMN_COUNT; i++)
		if (calls->has_off || !is_of_cpu(i))
			calls->columns[count++] = columns[i];
	calls->sink.begin(calls->sink.context, "calls", calls->columns, count);
}

static void put_row(const struct calls *calls, const struct cell cells[COLUMN_COUNT])
{
	struct cell shown[COLUMN_COUNT];
	uint32_t count = 0;

	for (int i = 0; i < COLUMN_COUNT; i++)
		if (calls->has_off || !is_of_cpu(i))
			shown[count++] = cells[i];
	calls->sink.row(calls->sink.context, shown);
}

struct calls *make_calls(const struct model *model, const struct table_sink *sink, uint64_t limit)
{
	struct calls *calls = calloc(1, sizeof *calls);

	if (!calls)
		return NULL;
	*calls = (struct calls){.model = model,
		.functions = model_get_functions(model),
		.clock = model_get_clock(model),
		.sink = *sink,
		.limit = limit,
		.has_off = model_has_switches(model),
		.index = UINT32_MAX};
	begin(calls);
	return calls;
}

void calls_end(struct calls *calls)
{
	calls->sink.end(calls->sink.context);
}

void free_calls(struct calls *calls)
{
	if (!calls)
		return;
	free(calls->labels);
	free(calls->names);
	free(calls);
}

bool calls_is_done(const struct calls *calls)
{
	return calls->rows >= calls->limit;
}

static const char *get_label(struct calls *calls, uint32_t stream)
{
	size_t count = calls->label_count, wanted;

	if (calls->index == UINT32_MAX || calls->stream != stream) {
		calls->stream = stream;
		calls->index = model_find_thread(calls->model, stream);
	}
	wanted = (size_t)calls->index + 1;
	if (calls->index == UINT32_MAX)
		return "?";
	if (wanted > count) {
		if (!array_reserve(&calls->labels, &calls->label_capacity, wanted, sizeof *calls->labels))
			return "?";
		memset(calls->labels + count, 0, (wanted - count) * sizeof *calls->labels);
		calls->label_count = wanted;
	}
	if (!*calls->labels[calls->index].text)
		calls->labels[calls->index] = make_thread_label(calls->model, calls->index);
	return calls->labels[calls->index].text;
}

static const char *get_name(struct calls *calls, uint32_t function)
{
	size_t count = calls->name_count, wanted = (size_t)function + 1;

	if (function == FUNCTION_NONE)
		return "?";
	if (wanted > count) {
		if (!array_reserve(&calls->names, &calls->name_capacity, wanted, sizeof *calls->names))
			return "?";
		memset(calls->names + count, 0, (wanted - count) * sizeof *calls->names);
		calls->name_count = wanted;
	}
	if (!calls->names[function])
		calls->names[function] = functions_get_name(calls->functions, function);
	return calls->names[function];
}

/* What is unusual about the call, for scripts; people see a ~ where it makes times unsure. */
static const char *note_of(uint32_t flags, char text[64])
{
	static const struct {
		uint32_t flag;
		const char *name;
	} names[] = {{DWELL_CALL_NO_ENTRY, "no entry"}, {DWELL_CALL_UNWOUND, "unwound"}, {DWELL_CALL_GAP, "lost"}, {DWELL_CALL_OPEN, "open"}};

	*text = 0;
	for (size_t i = 0; flags && i < sizeof names / sizeof *names; i++) {
		if (!(flags & names[i].flag))
			continue;
		if (*text)
			strcat(text, ", ");
		strcat(text, names[i].name);
	}
	return text;
}

void calls_write(struct calls *calls, const struct call *call)
{
	/* Where it began or ended is not known, so its times are lower bounds. */
	bool unsure = call->flags & (DWELL_CALL_NO_ENTRY | DWELL_CALL_GAP | DWELL_CALL_OPEN);
	struct cell cells[COLUMN_COUNT] = {0};
	char note[64];

	if (calls_is_done(calls))
		return;
	calls->rows++;
	cells[THREAD].text = get_label(calls, call->stream);
	cells[DEPTH].count = call->depth;
	cells[NAME].text = cells[NAME_AT_END].text = get_name(calls, call->function);
	cells[NAME].function = cells[NAME_AT_END].function = call->function + 1;
	cells[NOTE].text = note_of(call->flags, note);
	cells[ENTER].signed_count = clock_moment_ns(calls->clock, call->enter_ticks);
	cells[ENTER].unsure = call->flags & DWELL_CALL_NO_ENTRY;
	cells[TOTAL].count = clock_duration_ns(calls->clock, call->total_ticks);
	cells[SELF].count = clock_duration_ns(calls->clock, call->self_ticks);
	cells[TOTAL_OFF].count = clock_duration_ns(calls->clock, call->total_off.ticks);
	cells[TOTAL_CPU].count = profile_rest(cells[TOTAL].count, cells[TOTAL_OFF].count);
	cells[SELF_OFF].count = clock_duration_ns(calls->clock, call->self_off.ticks);
	cells[SELF_CPU].count = profile_rest(cells[SELF].count, cells[SELF_OFF].count);
	cells[TOTAL_CPU].absent = cells[TOTAL_OFF].absent = call->total_off.unknown_ticks || call->off_unknown;
	cells[SELF_CPU].absent = cells[SELF_OFF].absent = call->self_off.unknown_ticks || call->off_unknown;
	for (int i = TOTAL; i <= SELF_OFF; i++)
		cells[i].unsure = unsure;
	put_row(calls, cells);
}
