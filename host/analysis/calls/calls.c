#include "analysis/calls/calls.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/apart.h"
#include "analysis/by.h"
#include "analysis/calls/call_note.h"
#include "analysis/calls/thread_label.h"
#include "util/array.h"

#define SMALL_NUMBER 1000000
#define VALUES_BYTES 256 /* at most: eight values, and what stands between them */

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
	ARG,
	RET = ARG + DWELL_ARGS_MAX,
	RETURN_ADDRESS,
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
	[ARG] = {.key = "arg1", .title = "arg1", .unit = UNIT_ADDRESS, .data_only = true},
	[ARG + 1] = {.key = "arg2", .title = "arg2", .unit = UNIT_ADDRESS, .data_only = true},
	[ARG + 2] = {.key = "arg3", .title = "arg3", .unit = UNIT_ADDRESS, .data_only = true},
	[ARG + 3] = {.key = "arg4", .title = "arg4", .unit = UNIT_ADDRESS, .data_only = true},
	[ARG + 4] = {.key = "arg5", .title = "arg5", .unit = UNIT_ADDRESS, .data_only = true},
	[ARG + 5] = {.key = "arg6", .title = "arg6", .unit = UNIT_ADDRESS, .data_only = true},
	[RET] = {.key = "ret", .title = "ret", .unit = UNIT_ADDRESS, .data_only = true},
	[RETURN_ADDRESS] = {.key = "lr", .title = "lr", .unit = UNIT_ADDRESS, .data_only = true},
};

struct calls {
	const struct model *model;
	struct functions *functions;
	const struct clock_map *clock;
	struct table_sink sink;
	uint64_t limit, rows;
	bool has_off; /* when threads were off the CPU is known: people see columns for it */
	bool has_args;
	char *line; /* a name with its arguments */
	size_t line_capacity;
	struct column columns[COLUMN_COUNT];
	struct thread_label *labels; /* by index of the thread; made when its first row comes, and kept */
	size_t label_count, label_capacity;
	uint32_t stream, index; /* of the last row */
	struct apart_names names;
};

static bool is_of_cpu(int column)
{
	return column == TOTAL_CPU || column == TOTAL_OFF || column == SELF_CPU || column == SELF_OFF;
}

static bool is_shown(const struct calls *calls, int column)
{
	return calls->has_args || column < ARG;
}

/* On a narrow terminal self times make room for arguments, then the total on the CPU; of too many the first are shown. */
static void favour_args(struct column *column, int which)
{
	if (which == NAME_AT_END)
		column->cut_end = true;
	else if (which == SELF || which == SELF_CPU)
		column->spare = 2;
	else if (which == TOTAL_CPU)
		column->spare = 1;
}

static void begin(struct calls *calls)
{
	uint32_t count = 0;

	for (int i = 0; i < COLUMN_COUNT; i++) {
		if (!is_shown(calls, i))
			continue;
		calls->columns[count] = columns[i];
		calls->columns[count].data_only |= !calls->has_off && is_of_cpu(i);
		if (calls->has_args)
			favour_args(&calls->columns[count], i);
		if (i == TOTAL || i == SELF)
			calls->columns[count].title = by_title(calls->has_off, columns[i].title, i == TOTAL ? "total wall" : "self wall");
		count++;
	}
	calls->sink.begin(calls->sink.context, "calls", calls->columns, count);
}

static void put_row(const struct calls *calls, const struct cell cells[COLUMN_COUNT])
{
	struct cell shown[COLUMN_COUNT];
	uint32_t count = 0;

	for (int i = 0; i < COLUMN_COUNT; i++)
		if (is_shown(calls, i))
			shown[count++] = cells[i];
	calls->sink.row(calls->sink.context, shown);
}

struct calls *make_calls(const struct model *model, const struct table_sink *sink, uint64_t limit, bool args, bool off)
{
	struct calls *calls = calloc(1, sizeof *calls);

	if (!calls)
		return NULL;
	*calls = (struct calls){.model = model,
		.functions = model_get_functions(model),
		.clock = model_get_clock(model),
		.sink = *sink,
		.limit = limit,
		.has_off = off,
		.has_args = args,
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
	apart_names_clear(&calls->names);
	free(calls->line);
	free(calls);
}

bool calls_is_done(const struct calls *calls)
{
	return calls->rows >= calls->limit || (calls->sink.is_done && *calls->sink.is_done);
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
	return function == FUNCTION_NONE ? "?" : apart_names_get(&calls->names, calls->functions, function);
}

/* People read small numbers, of either sign, better as such; others are addresses, flags, or no numbers at all. */
static int print_value(char *to, size_t bytes, uint64_t value)
{
	int64_t number = (int64_t)value;

	return number > -SMALL_NUMBER && number < SMALL_NUMBER ? snprintf(to, bytes, "%" PRId64, number)
							       : snprintf(to, bytes, "0x%" PRIx64, value);
}

/* All digits of an address, behind "lr=", are what `dwell names` knows as one. */
static int print_return_address(const struct calls *calls, char *to, size_t bytes, uint64_t address)
{
	const struct message_header *header = model_get_header(calls->model);

	return snprintf(to, bytes, " lr=%0*" PRIx64, header ? 2 * (int)header->pointer_bytes : 1, address);
}

/* The call as it might stand in a source: "parse(3, ?, 0x7ffd12345678) = -1". */
static const char *show_values(struct calls *calls, const char *name, const struct call_values *values)
{
	size_t length = strlen(name), bytes = length + VALUES_BYTES, at;

	if (!array_reserve(&calls->line, &calls->line_capacity, bytes, 1))
		return name;
	memcpy(calls->line, name, length);
	at = length;
	if (length && name[length - 1] == ')') /* C++ tells the types */
		calls->line[at++] = ' ';
	calls->line[at++] = '(';
	for (uint32_t i = 0; i < values->arg_count; i++) {
		at += (size_t)snprintf(calls->line + at, bytes - at, "%s", i ? ", " : "");
		at += values->unknown_args >> i & 1 ? (size_t)snprintf(calls->line + at, bytes - at, "?")
						    : (size_t)print_value(calls->line + at, bytes - at, values->args[i]);
	}
	at += (size_t)snprintf(calls->line + at, bytes - at, "%s)", values->arg_count ? "" : "?");
	if (values->has_ret) {
		at += (size_t)snprintf(calls->line + at, bytes - at, " = ");
		at += (size_t)print_value(calls->line + at, bytes - at, values->ret);
	}
	if (values->has_return_address)
		print_return_address(calls, calls->line + at, bytes - at, values->return_address);
	return calls->line;
}

static void write_values(struct calls *calls, const struct call *call, struct cell cells[COLUMN_COUNT])
{
	const struct call_values *values = call->values;

	for (uint32_t i = 0; i < DWELL_ARGS_MAX; i++) {
		cells[ARG + i].absent = !values || i >= values->arg_count || values->unknown_args >> i & 1;
		cells[ARG + i].count = cells[ARG + i].absent ? 0 : values->args[i];
	}
	cells[RET].absent = !values || !values->has_ret;
	cells[RET].count = cells[RET].absent ? 0 : values->ret;
	cells[RETURN_ADDRESS].absent = !values || !values->has_return_address;
	cells[RETURN_ADDRESS].count = cells[RETURN_ADDRESS].absent ? 0 : values->return_address;
	if (values && (values->arg_count || values->has_ret || values->has_return_address))
		cells[NAME_AT_END].text = show_values(calls, cells[NAME].text, values);
}

void calls_write(struct calls *calls, const struct call *call)
{
	/* Where it began or ended is not known, so its times are lower bounds. */
	bool unsure = call->flags & (DWELL_CALL_NO_ENTRY | DWELL_CALL_GAP | DWELL_CALL_OPEN);
	bool is_untimed = model_get_header(calls->model) && model_get_header(calls->model)->is_untimed;
	struct cell cells[COLUMN_COUNT] = {0};
	char note[CALL_NOTE_BYTES];

	if (calls_is_done(calls))
		return;
	calls->rows++;
	cells[THREAD].text = get_label(calls, call->stream);
	cells[DEPTH].count = call->depth;
	cells[NAME].text = cells[NAME_AT_END].text = get_name(calls, call->function);
	cells[NAME].function = cells[NAME_AT_END].function = call->function + 1;
	cells[NOTE].text = call_note(call->flags, note); /* people see a ~ where it makes times unsure */
	cells[ENTER].absent = is_untimed;
	cells[ENTER].signed_count = clock_moment_ns(calls->clock, call->enter_ticks);
	cells[ENTER].unsure = call->flags & DWELL_CALL_NO_ENTRY;
	cells[TOTAL].count = clock_duration_ns(calls->clock, call->total_ticks);
	cells[SELF].count = clock_duration_ns(calls->clock, call->self_ticks);
	cells[TOTAL_OFF].count = clock_duration_ns(calls->clock, call->total_off.ticks);
	cells[TOTAL_CPU].count = profile_rest(cells[TOTAL].count, cells[TOTAL_OFF].count);
	cells[SELF_OFF].count = clock_duration_ns(calls->clock, call->self_off.ticks);
	cells[SELF_CPU].count = profile_rest(cells[SELF].count, cells[SELF_OFF].count);
	cells[TOTAL_CPU].absent = cells[TOTAL_OFF].absent = !calls->has_off || call->total_off.unknown_ticks || call->off_unknown;
	cells[SELF_CPU].absent = cells[SELF_OFF].absent = !calls->has_off || call->self_off.unknown_ticks || call->off_unknown;
	for (int i = TOTAL; i <= SELF_OFF; i++) {
		cells[i].unsure = unsure;
		cells[i].step_ns = clock_step_ns(calls->clock);
		cells[i].absent |= is_untimed || call->flags & DWELL_CALL_NO_EXIT;
	}
	if (calls->has_args)
		write_values(calls, call, cells);
	put_row(calls, cells);
}
