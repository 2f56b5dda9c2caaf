#include "analysis/functions.h"

#include <stdlib.h>
#include <string.h>

/* The name comes first for scripts, who promised it to themselves, and last for people, whose names are long. */
enum {
	NAME,
	CALLS,
	TOTAL,
	TOTAL_CPU,
	TOTAL_OFF,
	SELF,
	PERCENT,
	SELF_CPU,
	PERCENT_CPU,
	ERROR_SHOWN,
	SELF_OFF,
	SELF_PREEMPTED,
	MIN,
	AVG,
	MAX,
	P50,
	P99,
	TOTAL_NET,
	SELF_NET,
	TOTAL_ERROR_NET,
	ERROR_NET,
	NAME_AT_END,
	COLUMN_COUNT
};

static const struct column time_columns[COLUMN_COUNT] = {
	[NAME] = {.key = "function", .title = "function", .unit = UNIT_NAME, .data_only = true},
	[CALLS] = {.key = "calls", .title = "calls", .unit = UNIT_COUNT},
	[TOTAL] = {.key = "total_ns", .title = "total", .unit = UNIT_NS},
	[TOTAL_CPU] = {.key = "total_cpu_ns", .title = "total cpu", .unit = UNIT_NS},
	[TOTAL_OFF] = {.key = "total_off_ns", .title = "total off", .unit = UNIT_NS, .data_only = true},
	[SELF] = {.key = "self_ns", .title = "self", .unit = UNIT_NS},
	[PERCENT] = {.key = "self_percent", .title = "self %", .unit = UNIT_PERCENT, .text_only = true},
	[SELF_CPU] = {.key = "self_cpu_ns", .title = "self cpu", .unit = UNIT_NS},
	[PERCENT_CPU] = {.key = "self_percent", .title = "self %", .unit = UNIT_PERCENT, .text_only = true},
	[ERROR_SHOWN] = {.key = "self_net_error_ns", .title = "+-", .unit = UNIT_NS, .text_only = true, .spare = 2},
	[SELF_OFF] = {.key = "self_off_ns", .title = "self off", .unit = UNIT_NS, .data_only = true},
	[SELF_PREEMPTED] = {.key = "self_preempted_ns", .title = "preempted", .unit = UNIT_NS, .data_only = true},
	[MIN] = {.key = "min_ns", .title = "min", .unit = UNIT_NS, .spare = 8},
	[AVG] = {.key = "avg_ns", .title = "avg", .unit = UNIT_NS, .spare = 1},
	[MAX] = {.key = "max_ns", .title = "max", .unit = UNIT_NS, .spare = 7},
	[P50] = {.key = "p50_ns", .title = "p50", .unit = UNIT_NS, .spare = 6},
	[P99] = {.key = "p99_ns", .title = "p99", .unit = UNIT_NS, .spare = 5},
	[TOTAL_NET] = {.key = "total_net_ns", .title = "total net", .unit = UNIT_NS, .data_only = true},
	[SELF_NET] = {.key = "self_net_ns", .title = "self net", .unit = UNIT_NS, .data_only = true},
	[TOTAL_ERROR_NET] = {.key = "total_net_error_ns", .title = "total +-", .unit = UNIT_NS, .data_only = true},
	[ERROR_NET] = {.key = "self_net_error_ns", .title = "self +-", .unit = UNIT_NS, .data_only = true},
	[NAME_AT_END] = {.key = "function", .title = "function", .unit = UNIT_NAME, .text_only = true},
};

static bool is_of_weights(int column)
{
	return column == NAME || column == TOTAL || column == SELF || column == PERCENT || column == NAME_AT_END;
}

static bool is_of_cpu(int column)
{
	return column == TOTAL_CPU || column == TOTAL_OFF ||
	       (column >= SELF_CPU && column <= SELF_PREEMPTED && column != ERROR_SHOWN);
}

static bool is_net(int column)
{
	return (column >= TOTAL_NET && column <= ERROR_NET) || column == ERROR_SHOWN;
}

static bool is_percent(int column)
{
	return column == PERCENT || column == PERCENT_CPU;
}

struct row {
	uint32_t id;
	const char *name;
	char *longer; /* the name with a place, where another function has the same name; else null */
	struct cell cells[COLUMN_COUNT];
};

struct order {
	int column;
	bool falls;
	bool is_cpu; /* percentages are of time on the CPU */
};

static const char *title_of(const struct profile *profile, int column)
{
	switch (column) {
	case TOTAL:
		return by_title(profile->has_off, "total", "total wall");
	case SELF:
		return by_title(profile->has_off, "self", "self wall");
	case PERCENT:
	case PERCENT_CPU:
		return by_percent_title(profile->has_off, column == PERCENT_CPU, "self %");
	default:
		return time_columns[column].title;
	}
}

static int find_column(const char *key, bool has_times)
{
	for (int i = 0; i < COLUMN_COUNT; i++) {
		size_t bytes = strlen(time_columns[i].key);

		if (!has_times && !is_of_weights(i))
			continue;
		if (!strcmp(key, time_columns[i].key))
			return i;
		if (time_columns[i].unit == UNIT_NS && strlen(key) == bytes - 3 && !strncmp(key, time_columns[i].key, bytes - 3))
			return i;
	}
	return -1;
}

/* What is asked for: a time without a word about which one is that of what. */
static struct order find_order(const struct analysis_functions *what)
{
	bool is_cpu = by_is_cpu(what->by, what->profile);
	struct order order = {.column = what->sort ? find_column(what->sort, what->profile->has_times) : is_cpu ? SELF_CPU : SELF};

	if (order.column < 0)
		order.column = SELF;
	if (what->by == BY_CPU && (order.column == TOTAL || order.column == SELF))
		order.column = order.column == TOTAL ? TOTAL_CPU : SELF_CPU;
	order.is_cpu = order.column == TOTAL_CPU || order.column == SELF_CPU ||
		       (is_cpu && (what->by == BY_CPU || (order.column != TOTAL && order.column != SELF)));
	if (is_percent(order.column))
		order.column = order.is_cpu ? PERCENT_CPU : PERCENT;
	order.falls = order.column != NAME;
	return order;
}

const char *analysis_functions_order(const struct analysis_functions *what)
{
	return title_of(what->profile, find_order(what).column);
}

enum by analysis_functions_ordered_by(const struct analysis_functions *what)
{
	switch (find_order(what).column) {
	case TOTAL:
	case SELF:
	case PERCENT:
		return BY_WALL;
	case TOTAL_CPU:
	case SELF_CPU:
	case PERCENT_CPU:
		return BY_CPU;
	default:
		return BY_BEST;
	}
}

bool analysis_functions_needs_cpu(const char *key)
{
	int column = find_column(key, true);

	return column >= 0 && is_of_cpu(column);
}

bool analysis_functions_can_sort(const char *key, bool has_times)
{
	return find_column(key, has_times) >= 0;
}

const char *analysis_functions_sort_keys(bool has_times)
{
	return has_times ? "function, calls, total, total_cpu, total_off, self, self_percent, self_cpu, self_off, "
			   "self_preempted, min, avg, max, p50, p99"
			 : "function, total, self, self_percent";
}

static uint64_t clamp(uint64_t value, uint64_t low, uint64_t high)
{
	return value < low ? low : value > high ? high : value;
}

static void set_durations(struct row *row, const struct profile_function *function, const struct clock_map *clock)
{
	/* A percentile is the middle of a bucket: the extremes are known better. */
	uint64_t p50 = clamp(histogram_percentile(&function->durations, 0.5), function->min, function->max);
	uint64_t p99 = clamp(histogram_percentile(&function->durations, 0.99), function->min, function->max);
	uint64_t count = function->durations.count;

	row->cells[MIN].count = clock_duration_ns(clock, function->min);
	row->cells[AVG].count = count ? clock_duration_ns(clock, function->sum / count) : 0;
	row->cells[MAX].count = clock_duration_ns(clock, function->max);
	row->cells[P50].count = clock_duration_ns(clock, p50);
	row->cells[P99].count = clock_duration_ns(clock, p99);
	for (int i = MIN; i <= P99; i++) {
		row->cells[i].absent = !count;
		row->cells[i].unsure = !function->complete;
	}
}

static void set_cpu(struct row *row, const struct analysis_functions *what, const struct profile_function *function)
{
	const struct profile_off *self = &function->self_off, *total = &function->total_off;
	struct cell *cells = row->cells;

	cells[TOTAL_OFF].count = clock_duration_ns(what->clock, total->ticks);
	cells[TOTAL_CPU].count = profile_rest(cells[TOTAL].count, cells[TOTAL_OFF].count);
	cells[SELF_OFF].count = clock_duration_ns(what->clock, self->ticks);
	cells[SELF_CPU].count = profile_rest(cells[SELF].count, cells[SELF_OFF].count);
	cells[SELF_PREEMPTED].count = clock_duration_ns(what->clock, self->preempted_ticks);
	/* Off for so long at least, on for so long at most. */
	cells[TOTAL_CPU].unsure = cells[TOTAL_OFF].unsure = what->profile->off_is_partial || total->unknown_ticks;
	cells[SELF_CPU].unsure = cells[SELF_OFF].unsure = cells[SELF_PREEMPTED].unsure =
		what->profile->off_is_partial || self->unknown_ticks;
}

static uint64_t cpu_of(const struct profile_function *function)
{
	return profile_rest(function->self, function->self_off.ticks);
}

/* As it is shown: its durations are what was recorded in any case. */
static struct profile_function take_function(const struct analysis_functions *what, uint32_t id)
{
	struct profile_function function = what->profile->functions[id];

	if (what->net && what->shows_net) {
		struct net_function net = net_of(what->net, &function, id);

		function.self = net.self;
		function.total = net.total;
	}
	return function;
}

static void set_net(struct row *row, const struct analysis_functions *what)
{
	struct net_function net = net_of(what->net, &what->profile->functions[row->id], row->id);

	row->cells[TOTAL_NET].count = clock_duration_ns(what->clock, net.total);
	row->cells[SELF_NET].count = clock_duration_ns(what->clock, net.self);
	row->cells[TOTAL_ERROR_NET].count = clock_duration_ns(what->clock, net.total_error);
	row->cells[ERROR_NET].count = clock_duration_ns(what->clock, net.self_error);
	for (int i = TOTAL_NET; i <= ERROR_NET; i++)
		row->cells[i].unsure = net.mostly_probe || what->net->folded;
	row->cells[ERROR_SHOWN].count = row->cells[ERROR_NET].count;
	if (what->shows_net)
		row->cells[SELF].unsure = row->cells[SELF_CPU].unsure = row->cells[SELF_NET].unsure;
}

/* all: the sum of all functions' self time; on_cpu: of that there. */
static struct row make_row(const struct analysis_functions *what, uint32_t id, uint64_t all, uint64_t on_cpu)
{
	const struct profile *profile = what->profile;
	const struct profile_function taken = take_function(what, id), *function = &taken;
	struct row row = {.id = id, .name = functions_get_name(what->functions, id)};

	row.cells[CALLS].count = function->calls;
	row.cells[TOTAL].count = profile->has_times ? clock_duration_ns(what->clock, function->total) : function->total;
	row.cells[SELF].count = profile->has_times ? clock_duration_ns(what->clock, function->self) : function->self;
	row.cells[PERCENT].real = all ? 100.0 * (double)function->self / (double)all : 0;
	row.cells[PERCENT_CPU].real = on_cpu ? 100.0 * (double)cpu_of(function) / (double)on_cpu : 0;
	if (profile->has_times)
		set_durations(&row, function, what->clock);
	if (profile->has_off)
		set_cpu(&row, what, function);
	if (what->net)
		set_net(&row, what);
	for (int i = TOTAL; function->untimed_calls && i <= SELF_PREEMPTED; i++) {
		row.cells[i].absent = profile_is_untimed(profile, id);
		row.cells[i].unsure = true; /* some of its calls are not in it */
	}
	return row;
}

static int compare(const void *a, const void *b, void *context)
{
	const struct order *order = context;
	const struct row *left = a, *right = b;
	const struct cell *x = &left->cells[order->column], *y = &right->cells[order->column];
	int names;

	if (order->falls) {
		if (x->absent != y->absent)
			return x->absent ? 1 : -1;
		if (is_percent(order->column) && x->real != y->real)
			return x->real < y->real ? 1 : -1;
		if (!is_percent(order->column) && x->count != y->count)
			return x->count < y->count ? 1 : -1;
	}
	if (order->falls && x->absent && left->cells[CALLS].count != right->cells[CALLS].count)
		return left->cells[CALLS].count < right->cells[CALLS].count ? 1 : -1;
	names = strcmp(left->name, right->name);
	return names ? names : left->id < right->id ? -1 : left->id > right->id;
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(((const struct row *)a)->name, ((const struct row *)b)->name);
}

/* Static functions of two files, or the constructors of a class, have one name: their places tell them apart. */
static void tell_apart(const struct analysis_functions *what, struct row *rows, size_t count)
{
	size_t end;

	qsort(rows, count, sizeof *rows, compare_names);
	for (size_t begin = 0; begin < count; begin = end) {
		for (end = begin + 1; end < count && !compare_names(&rows[begin], &rows[end]); end++)
			;
		for (size_t i = begin; i < end && end - begin > 1; i++)
			rows[i].longer = make_functions_name_and_place(what->functions, rows[i].id);
	}
	for (size_t i = 0; i < count; i++) {
		if (rows[i].longer)
			rows[i].name = rows[i].longer;
		rows[i].cells[NAME].text = rows[i].cells[NAME_AT_END].text = rows[i].name;
		rows[i].cells[NAME].function = rows[i].cells[NAME_AT_END].function = rows[i].id + 1;
	}
}

/* A function that was asked for but has no calls here: of another thread, or a place that only a symbol told apart. */
static bool is_empty(const struct profile_function *function)
{
	return !function->calls && !function->total && !function->self;
}

/* Which columns there are. Returns how many. */
static uint32_t choose(const struct analysis_functions *what, const struct order *order, int chosen[COLUMN_COUNT])
{
	const struct profile *profile = what->profile;
	uint32_t count = 0;

	for (int i = 0; i < COLUMN_COUNT; i++)
		if (is_net(i) ? what->net && (i != ERROR_SHOWN || what->shows_net)
			      : is_percent(i) ? (i == PERCENT_CPU) == order->is_cpu
				  : profile->has_times ? profile->has_off || !is_of_cpu(i) : is_of_weights(i))
			chosen[count++] = i;
	return count;
}

/* The column as people see it: what it is ordered by is always there; of the two times the other one can be spared. */
static struct column make_column(const struct profile *profile, const struct order *order, int index)
{
	struct column column = time_columns[index];

	column.title = title_of(profile, index);
	if (!profile->has_times && column.unit == UNIT_NS) {
		column.key = time_columns[index].title;
		column.unit = strcmp(profile->unit, "ns") ? UNIT_COUNT : UNIT_NS;
	}
	if (profile->has_off && index == (order->is_cpu ? SELF : SELF_CPU))
		column.spare = 4;
	if (profile->has_off && index == (order->is_cpu ? TOTAL : TOTAL_CPU))
		column.spare = 3;
	column.data_only |= profile->is_untimed && index > CALLS && index < NAME_AT_END;
	if (index == order->column && !profile->is_untimed) {
		column.spare = 0;
		column.data_only = column.data_only && index == NAME;
	}
	return column;
}

static void write_rows(const struct analysis_functions *what, const struct order *order, const struct row *rows, size_t count,
	const struct table_sink *sink)
{
	struct column columns[COLUMN_COUNT];
	int chosen[COLUMN_COUNT];
	uint32_t column_count = choose(what, order, chosen);

	for (uint32_t i = 0; i < column_count; i++)
		columns[i] = make_column(what->profile, order, chosen[i]);
	sink->begin(sink->context, "report", columns, column_count);
	for (size_t i = 0; i < count && i < what->limit; i++) {
		struct cell cells[COLUMN_COUNT];

		for (uint32_t j = 0; j < column_count; j++)
			cells[j] = rows[i].cells[chosen[j]];
		sink->row(sink->context, cells);
	}
	sink->end(sink->context);
}

bool analysis_functions(const struct analysis_functions *what, const struct table_sink *sink)
{
	const struct profile *profile = what->profile;
	struct order order = find_order(what);
	struct row *rows = calloc(profile->function_count ? profile->function_count : 1, sizeof *rows);
	uint64_t all = 0, on_cpu = 0;
	size_t count = 0;

	if (!rows)
		return false;
	for (size_t id = 0; id < profile->function_count; id++) {
		struct profile_function function = take_function(what, (uint32_t)id);

		all += function.self;
		on_cpu += cpu_of(&function);
	}
	for (size_t id = 0; id < profile->function_count; id++)
		if (!is_empty(&profile->functions[id]))
			rows[count++] = make_row(what, (uint32_t)id, all, on_cpu);
	if (count) {
		tell_apart(what, rows, count);
		qsort_r(rows, count, sizeof *rows, compare, &order);
	}
	write_rows(what, &order, rows, count, sink);
	for (size_t i = 0; i < count; i++)
		free(rows[i].longer);
	free(rows);
	return true;
}
