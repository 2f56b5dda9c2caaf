#include "classic/host/analysis/c6000.h"

#include <stdio.h>
#include <stdlib.h>

#include "util/array.h"

#define NAME_BYTES 256 /* of a task */

struct spent {
	uint64_t sum, min, max;
};

struct function_row {
	uint64_t calls;
	struct spent inclusive, exclusive;
	uint32_t number; /* number of a function without a name; 0: it has one */
};

struct task_row {
	uint32_t stream;
	uint64_t runs;
	struct spent spent;
	uint64_t in_ticks; /* of the current run */
	bool in_known;
	uint64_t out_ticks;
	char name[NAME_BYTES]; /* empty: the time before the first task, or no tasks */
};

enum { LIST_TASK, LIST_FUNCTION, LIST_DEPTH, LIST_ENTER, LIST_EXIT, LIST_INCLUSIVE, LIST_EXCLUSIVE, LIST_COLUMNS };
static const enum unit list_units[LIST_COLUMNS] = {
	UNIT_TEXT, UNIT_NAME, UNIT_COUNT, UNIT_COUNT, UNIT_COUNT, UNIT_COUNT, UNIT_COUNT};
enum {
	NAME,
	TIMES,
	MEAN_INCLUSIVE,
	MAX_INCLUSIVE,
	MIN_INCLUSIVE,
	MEAN_EXCLUSIVE,
	MAX_EXCLUSIVE,
	MIN_EXCLUSIVE,
	PERCENTAGE,
	COLUMNS
};
static const enum unit function_units[COLUMNS] = {
	UNIT_NAME, UNIT_COUNT, UNIT_MEAN, UNIT_COUNT, UNIT_COUNT, UNIT_MEAN, UNIT_COUNT, UNIT_COUNT, UNIT_PERCENT};
enum { TASK_NAME, TASK_TIMES, TASK_MEAN, TASK_MAX, TASK_MIN, TASK_PERCENTAGE, TASK_COLUMNS };
static const enum unit task_units[TASK_COLUMNS] = {UNIT_TEXT, UNIT_COUNT, UNIT_MEAN, UNIT_COUNT, UNIT_COUNT, UNIT_PERCENT};

/* The names in the files, by the unit of times. */
struct names {
	const char *unit;
	const char *list[LIST_COLUMNS], *totals[3], *valid, *functions[COLUMNS], *tasks[TASK_COLUMNS];
};
#define NAMES(unit, moment, some, one)                                                                                             \
	{                                                                                                                          \
		unit, {"Task", "Function", "CallerDepth", "Enter" moment, "Exit" moment, "Inclusive" some, "Exclusive" some},      \
			{"First" moment, "Last" moment, "Total" some}, "Valid" some,                                               \
			{"Function", "ExecuteTimes", "AverageInclu" one, "MaxInclu" one, "MinInclu" one, "AverageExclu" one,       \
				"MaxExclu" one, "MinExclu" one, "Percentage"},                                                     \
		{                                                                                                                  \
			"Task", "ExecuteTimes", "AverageExclu" one, "MaxExclu" one, "MinExclu" one, "Percentage"                   \
		}                                                                                                                  \
	}
static const struct names of_cycles = NAMES("cycles", "TSC", "Cycles", "Cycle"), of_ticks = NAMES("ticks", "Ticks", "Ticks", "Ticks"),
			  of_ns = NAMES("ns", "Ns", "Ns", "Ns");

/* Chooses the unit: a dump has cycles, as TI's document defines; other traces have ticks of their own clock. */
static const struct names *choose_names(const struct message_header *header)
{
	return header->is_bare ? &of_cycles : header->clock_hz == 1000000000 ? &of_ns : &of_ticks;
}

/* Begins a table. columns must exist until its end. */
static void begin_table(const struct table_sink *sink, const char *table, struct column *columns, const char *const *names,
	const enum unit *units, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		columns[i] = (struct column){.key = names[i], .title = names[i], .unit = units[i]};
	sink->begin(sink->context, table, columns, count);
}

struct c6000 {
	const struct model *model;
	const struct names *names;
	struct table_sink list;
	struct column list_columns[LIST_COLUMNS];
	bool has_list; /* the list has begun */
	struct function_row *functions;
	size_t function_count, function_capacity;
	struct task_row *tasks; /* by index of the model's thread */
	size_t task_count, task_capacity;
	uint32_t unnamed_functions, unnamed_tasks;
	uint64_t first_ticks, last_ticks;
	uint64_t calls, without_exit, without_entry, unwound;
	uint32_t last_stream, last_task; /* of the last call: usually also of the next one */
	bool has_ticks, starved;
};

struct c6000 *make_c6000(void)
{
	struct c6000 *c6000 = calloc(1, sizeof *c6000);

	if (c6000)
		c6000->last_stream = c6000->last_task = UINT32_MAX;
	return c6000;
}

void free_c6000(struct c6000 *c6000)
{
	if (!c6000)
		return;
	free(c6000->functions);
	free(c6000->tasks);
	free(c6000);
}

void c6000_begin(struct c6000 *c6000, const struct model *model, const struct table_sink *call_list)
{
	c6000->model = model;
	c6000->names = &of_cycles;
	c6000->list = *call_list;
}

/* Begins the list once the unit of times is known. */
static void begin_list(struct c6000 *c6000)
{
	if (!c6000->has_list)
		begin_table(&c6000->list, "call list", c6000->list_columns, c6000->names->list, list_units, LIST_COLUMNS);
	c6000->has_list = true;
}

static void spend(struct spent *spent, uint64_t ticks, bool is_first)
{
	spent->sum += ticks;
	if (is_first || ticks < spent->min)
		spent->min = ticks;
	if (ticks > spent->max)
		spent->max = ticks;
}

/* ---- functions ---- */

/* Makes rows for all ids. Ids are in order of appearance, so the numbers of unnamed functions are, too. */
static void meet_functions(struct c6000 *c6000)
{
	struct functions *functions = model_get_functions(c6000->model);
	uint32_t count = functions_count(functions);

	if (!array_reserve(&c6000->functions, &c6000->function_capacity, count, sizeof *c6000->functions)) {
		c6000->starved = true;
		return;
	}
	for (; c6000->function_count < count; c6000->function_count++) {
		bool is_named = functions_is_named(functions, (uint32_t)c6000->function_count);

		c6000->functions[c6000->function_count] =
			(struct function_row){.number = is_named ? 0 : ++c6000->unnamed_functions};
	}
}

static const char *name_function(const struct c6000 *c6000, uint32_t id, char text[32])
{
	uint32_t number = c6000->functions[id].number;

	if (!number)
		return functions_get_name(model_get_functions(c6000->model), id);
	snprintf(text, 32, "?function #%u", number);
	return text;
}

/* ---- tasks ---- */

/* Returns the index of the stream's row in tasks; UINT32_MAX: there is none. */
static uint32_t find_task(struct c6000 *c6000, uint32_t stream)
{
	if (stream != c6000->last_stream) {
		uint32_t index = model_find_thread(c6000->model, stream);

		c6000->last_stream = stream;
		c6000->last_task = index < c6000->task_count ? index : UINT32_MAX;
	}
	return c6000->last_task;
}

/* Makes rows for the model's new threads. */
static void meet_tasks(struct c6000 *c6000)
{
	uint32_t count = model_thread_count(c6000->model);

	if (!array_reserve(&c6000->tasks, &c6000->task_capacity, count, sizeof *c6000->tasks)) {
		c6000->starved = true;
		return;
	}
	for (; c6000->task_count < count; c6000->task_count++) {
		struct model_thread thread = model_get_thread(c6000->model, (uint32_t)c6000->task_count);
		struct task_row *task = &c6000->tasks[c6000->task_count];

		*task = (struct task_row){.stream = thread.stream};
		if (!thread.tid)
			continue;
		if (!functions_name_task(
			    model_get_functions(c6000->model), thread.process, thread.tid, task->name, sizeof task->name))
			snprintf(task->name, sizeof task->name, "?task #%u", ++c6000->unnamed_tasks);
	}
	c6000->last_stream = UINT32_MAX;
}

static void end_run(struct task_row *task)
{
	if (!task->in_known)
		return;
	spend(&task->spent, task->out_ticks > task->in_ticks ? task->out_ticks - task->in_ticks : 0, !task->runs);
	task->runs++;
	task->in_known = false;
}

/* Begins the next run of a task: the last switch is the run's start, until_ticks
 * its end so far. Without a switch or a known start, the first event is the start. */
static void tell_run(struct c6000 *c6000, const struct message_switches *switches)
{
	uint32_t index = find_task(c6000, switches->stream);
	struct task_row *task = index == UINT32_MAX ? NULL : &c6000->tasks[index];

	if (!task)
		return;
	end_run(task);
	task->out_ticks = switches->until_ticks;
	task->in_known = switches->count || switches->from_ticks;
	task->in_ticks = switches->count ? switches->switches[switches->count - 1].in_ticks : switches->from_ticks;
}

static void tell_events(struct c6000 *c6000, const struct message_events *events)
{
	uint32_t index = find_task(c6000, events->stream);
	struct task_row *task = index == UINT32_MAX ? NULL : &c6000->tasks[index];
	uint64_t first, last;

	if (!events->count)
		return;
	first = events->events[0].ticks;
	last = events->events[events->count - 1].ticks;
	if (!c6000->has_ticks || first < c6000->first_ticks)
		c6000->first_ticks = first;
	if (!c6000->has_ticks || last > c6000->last_ticks)
		c6000->last_ticks = last;
	c6000->has_ticks = true;
	if (!task || task->in_known || task->runs)
		return;
	task->in_ticks = first;
	task->in_known = true;
}

void c6000_tell(struct c6000 *c6000, const struct message *message)
{
	if (model_thread_count(c6000->model) != c6000->task_count)
		meet_tasks(c6000);
	if (message->kind == MESSAGE_HEADER && !c6000->has_list)
		c6000->names = choose_names(&message->header);
	else if (message->kind == MESSAGE_SWITCHES)
		tell_run(c6000, &message->switches);
	else if (message->kind == MESSAGE_EVENTS)
		tell_events(c6000, &message->events);
}

/* ---- calls ---- */

static uint64_t without(uint64_t ticks, const struct off_cpu_ticks *off)
{
	return ticks > off->ticks ? ticks - off->ticks : 0;
}

static void put_call(struct c6000 *c6000, const struct call *call, uint64_t inclusive, uint64_t exclusive)
{
	uint32_t task = find_task(c6000, call->stream);
	char text[32];
	struct cell cells[LIST_COLUMNS] = {
		[LIST_TASK].text = task == UINT32_MAX ? "" : c6000->tasks[task].name,
		[LIST_FUNCTION].text = name_function(c6000, call->function, text),
		[LIST_DEPTH].count = call->depth,
		[LIST_ENTER].count = call->enter_ticks,
		[LIST_EXIT].count = call->exit_ticks,
		[LIST_INCLUSIVE].count = inclusive,
		[LIST_EXCLUSIVE].count = exclusive,
	};

	begin_list(c6000);
	c6000->list.row(c6000->list.context, cells);
}

void c6000_take_call(void *context, const struct call *call)
{
	struct c6000 *c6000 = context;
	uint64_t inclusive = without(call->total_ticks, &call->total_off), exclusive = without(call->self_ticks, &call->self_off);
	struct function_row *row;

	if (call->flags & DWELL_CALL_NO_ENTRY)
		c6000->without_entry++;
	else if (call->flags)
		c6000->without_exit++;
	c6000->unwound += (call->flags & DWELL_CALL_UNWOUND) != 0;
	if (call->function >= c6000->function_count)
		meet_functions(c6000);
	if (call->flags || call->function >= c6000->function_count)
		return;
	row = &c6000->functions[call->function];
	spend(&row->inclusive, inclusive, !row->calls);
	spend(&row->exclusive, exclusive, !row->calls);
	row->calls++;
	c6000->calls++;
	put_call(c6000, call, inclusive, exclusive);
}

bool c6000_end(struct c6000 *c6000)
{
	meet_functions(c6000);
	for (size_t i = 0; i < c6000->task_count; i++)
		end_run(&c6000->tasks[i]);
	begin_list(c6000);
	c6000->list.end(c6000->list.context);
	return !c6000->starved;
}

struct c6000_status c6000_get_status(const struct c6000 *c6000)
{
	const struct profile *profile = model_get_profile(c6000->model);
	struct c6000_status status = {
		.unit = c6000->names->unit,
		.first_ticks = c6000->first_ticks,
		.last_ticks = c6000->last_ticks,
		.calls = c6000->calls,
		.functions = (uint32_t)c6000->function_count,
		.without_exit = c6000->without_exit,
		.unwound = c6000->unwound,
		.without_entry = c6000->without_entry,
	};

	for (size_t i = 0; i < c6000->task_count; i++)
		status.tasks += *c6000->tasks[i].name != 0;
	for (size_t i = 0; i < profile->thread_count; i++) {
		status.without_entry += profile->threads[i].unmatched_exits;
		if (profile->threads[i].deepest > status.deepest)
			status.deepest = profile->threads[i].deepest;
	}
	return status;
}

/* ---- the profile ---- */

static double part(uint64_t of, uint64_t all)
{
	return all ? 100 * (double)of / (double)all : 0;
}

static double mean(uint64_t sum, uint64_t count)
{
	return count ? (double)sum / (double)count : 0;
}

/* Writes a line of labels and values: no keys. */
static void write_totals(
	const struct table_sink *sink, const char *const labels[3], uint64_t first, uint64_t second, uint64_t third)
{
	static const struct column columns[] = {{.title = "", .unit = UNIT_TEXT}, {.title = "", .unit = UNIT_COUNT},
		{.title = "", .unit = UNIT_TEXT}, {.title = "", .unit = UNIT_COUNT}, {.title = "", .unit = UNIT_TEXT},
		{.title = "", .unit = UNIT_COUNT}};
	const struct cell cells[] = {{.text = labels[0]}, {.count = first}, {.text = labels[1]}, {.count = second},
		{.text = labels[2]}, {.count = third}};

	sink->begin(sink->context, "totals", columns, 6);
	sink->row(sink->context, cells);
	sink->end(sink->context);
}

static void write_valid(
	const struct c6000 *c6000, const struct table_sink *sink, const char *what, uint64_t count, uint64_t valid, uint64_t total)
{
	static const struct column columns[] = {{.title = "", .unit = UNIT_TEXT}, {.title = "", .unit = UNIT_COUNT},
		{.title = "", .unit = UNIT_TEXT}, {.title = "", .unit = UNIT_COUNT}, {.title = "", .unit = UNIT_TEXT},
		{.title = "", .unit = UNIT_PERCENT}};
	const struct cell cells[] = {{.text = what}, {.count = count}, {.text = c6000->names->valid}, {.count = valid},
		{.text = "Valid/Total"}, {.real = part(valid, total)}};

	sink->begin(sink->context, "totals", columns, 6);
	sink->row(sink->context, cells);
	sink->end(sink->context);
}

/* Sort key: the longest time first, then by order of appearance. */
struct ranked {
	uint64_t ticks;
	uint32_t index;
};

static int by_ticks(const void *a, const void *b)
{
	const struct ranked *left = a, *right = b;

	if (left->ticks != right->ticks)
		return left->ticks > right->ticks ? -1 : 1;
	return left->index < right->index ? -1 : left->index > right->index;
}

/* Writes a function's row; without times if no call was complete. */
static void put_function(const struct c6000 *c6000, uint32_t id, uint64_t valid, const struct table_sink *sink)
{
	const struct function_row *row = &c6000->functions[id];
	bool absent = !row->calls;
	char text[32];
	const struct cell cells[COLUMNS] = {
		[NAME].text = name_function(c6000, id, text),
		[TIMES].count = row->calls,
		[MEAN_INCLUSIVE] = {.real = mean(row->inclusive.sum, row->calls), .absent = absent},
		[MAX_INCLUSIVE] = {.count = row->inclusive.max, .absent = absent},
		[MIN_INCLUSIVE] = {.count = row->inclusive.min, .absent = absent},
		[MEAN_EXCLUSIVE] = {.real = mean(row->exclusive.sum, row->calls), .absent = absent},
		[MAX_EXCLUSIVE] = {.count = row->exclusive.max, .absent = absent},
		[MIN_EXCLUSIVE] = {.count = row->exclusive.min, .absent = absent},
		[PERCENTAGE] = {.real = part(row->exclusive.sum, valid), .absent = absent},
	};

	sink->row(sink->context, cells);
}

static bool write_functions(const struct c6000 *c6000, const struct table_sink *sink)
{
	struct ranked *order = malloc((c6000->function_count + 1) * sizeof *order);
	struct column columns[COLUMNS];
	uint64_t valid = 0;

	if (!order)
		return false;
	for (size_t i = 0; i < c6000->function_count; i++) {
		order[i] = (struct ranked){c6000->functions[i].exclusive.sum, (uint32_t)i};
		valid += c6000->functions[i].exclusive.sum;
	}
	qsort(order, c6000->function_count, sizeof *order, by_ticks);
	write_valid(c6000, sink, "Functions", c6000->function_count, valid, c6000->last_ticks - c6000->first_ticks);
	begin_table(sink, "functions", columns, c6000->names->functions, function_units, COLUMNS);
	for (size_t i = 0; i < c6000->function_count; i++)
		put_function(c6000, order[i].index, valid, sink);
	sink->end(sink->context);
	free(order);
	return true;
}

static void put_task(const struct task_row *task, uint64_t valid, const struct table_sink *sink)
{
	const struct cell cells[TASK_COLUMNS] = {
		[TASK_NAME].text = task->name,
		[TASK_TIMES].count = task->runs,
		[TASK_MEAN] = {.real = mean(task->spent.sum, task->runs), .absent = !task->runs},
		[TASK_MAX] = {.count = task->spent.max, .absent = !task->runs},
		[TASK_MIN] = {.count = task->spent.min, .absent = !task->runs},
		[TASK_PERCENTAGE] = {.real = part(task->spent.sum, valid), .absent = !task->runs},
	};

	sink->row(sink->context, cells);
}

static bool write_tasks(const struct c6000 *c6000, const struct table_sink *sink)
{
	struct ranked *order = malloc((c6000->task_count + 1) * sizeof *order);
	struct column columns[TASK_COLUMNS];
	uint64_t valid = 0;
	size_t count = 0;

	if (!order)
		return false;
	for (size_t i = 0; i < c6000->task_count; i++) {
		if (!*c6000->tasks[i].name)
			continue;
		order[count++] = (struct ranked){c6000->tasks[i].spent.sum, (uint32_t)i};
		valid += c6000->tasks[i].spent.sum;
	}
	qsort(order, count, sizeof *order, by_ticks);
	write_valid(c6000, sink, "Tasks", count, valid, c6000->last_ticks - c6000->first_ticks);
	begin_table(sink, "tasks", columns, c6000->names->tasks, task_units, TASK_COLUMNS);
	for (size_t i = 0; i < count; i++)
		put_task(&c6000->tasks[order[i].index], valid, sink);
	sink->end(sink->context);
	free(order);
	return true;
}

bool c6000_write_profile(const struct c6000 *c6000, const struct table_sink *sink)
{
	write_totals(sink, c6000->names->totals, c6000->first_ticks, c6000->last_ticks, c6000->last_ticks - c6000->first_ticks);
	return write_functions(c6000, sink) && write_tasks(c6000, sink);
}
