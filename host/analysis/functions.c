/* functions: makes the rows of the flat profile, sorts them, and writes the table of `dwell report` for recordings of calls. */
#include "analysis/functions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/unique_names.h"
#include "analysis/off_cpu_columns.h"
#include "analysis/report_columns.h"
#include "analysis/unsure.h"
#include "analysis/whole.h"
#include "util/real.h"

/* In percent. A function is "open" if its share may reach OPEN_MATTERS, and the interval is wider than OPEN_WIDE or the share. */
#define OPEN_MATTERS 10
#define OPEN_WIDE 25

struct row {
	uint32_t id;
	const char *name;
	bool is_open; /* see is_open() */
	struct cell cells[REPORT_CELL_COUNT];
};

struct order {
	int column;
	bool falls;
	bool is_cpu; /* percentages refer to CPU time */
	bool is_default_order; /* the user chose no sort key, and the profile is net: open functions come first */
};

/* Which columns can sort a table of weights, sort a table of times, and need times off the CPU. */
static bool is_of_weights(int column)
{
	return column == REPORT_NAME || column == REPORT_TOTAL_WEIGHT || column == REPORT_SELF_WEIGHT || column == REPORT_PERCENT;
}

static bool is_of_times(int column)
{
	return column < REPORT_TOTAL_RECORDING || column == REPORT_PERCENT || column >= REPORT_TOTAL_WAITING;
}

static bool is_of_cpu(int column)
{
	return (column >= REPORT_TOTAL_CPU && column <= REPORT_SELF_UNKNOWN) ||
	       (column >= REPORT_TOTAL_WAITING && column < REPORT_TOTAL_FAULTS);
}

static bool is_of_faults(int column)
{
	return column == REPORT_TOTAL_FAULTS || column == REPORT_SELF_FAULTS;
}

/* The column with exactly this key, with or without "_ns"; −1: none. */
static int find_whole_key(const char *key, bool has_times)
{
	for (int i = 0; i < REPORT_COLUMN_COUNT; i++) {
		const struct column *column = &report_columns[i];
		size_t bytes = strlen(column->key);

		if (!(has_times ? is_of_times(i) : is_of_weights(i)))
			continue;
		if (!strcmp(key, column->key))
			return i;
		if (column->unit == UNIT_NS && strlen(key) == bytes - 3 && !strncmp(key, column->key, bytes - 3))
			return i;
	}
	return -1;
}

/* The column with the key; −1: none. In profiles of weights, the keys "total" and "self" mean the weights. "waiting" is short for
 * "self_waiting", and "preempted" likewise. A dash in a key stands for "_". */
static int find_column(const char *key, bool has_times)
{
	char own[64];
	char *plain = own + strlen("self_");
	int column;

	snprintf(own, sizeof own, "self_%s", key);
	for (char *at = plain; *at; at++)
		*at = *at == '-' ? '_' : *at;
	column = find_whole_key(plain, has_times);
	return column >= 0 || (strcmp(plain, "waiting") && strcmp(plain, "preempted")) ? column : find_whole_key(own, has_times);
}

/* Finds the order. A key without "_cpu" means the time chosen by what->by. */
static struct order find_order(const struct analysis_functions *what)
{
	bool has_times = what->profile->has_times, is_cpu = by_is_cpu(what->by, what->profile);
	struct order order = {.column = what->sort ? find_column(what->sort, has_times) : -1};

	if (order.column < 0) {
		order.column = !has_times ? REPORT_SELF_WEIGHT : is_cpu ? REPORT_SELF_CPU : REPORT_SELF;
		order.is_default_order = what->profile->is_net;
	}
	if (what->by == BY_CPU && (order.column == REPORT_TOTAL || order.column == REPORT_SELF))
		order.column = order.column == REPORT_TOTAL ? REPORT_TOTAL_CPU : REPORT_SELF_CPU;
	order.is_cpu = order.column == REPORT_TOTAL_CPU || order.column == REPORT_SELF_CPU ||
		       (is_cpu && (what->by == BY_CPU || (order.column != REPORT_TOTAL && order.column != REPORT_SELF)));
	order.falls = order.column != REPORT_NAME;
	return order;
}

static const char *title_of(const struct profile *profile, const struct order *order, int column)
{
	switch (column) {
	case REPORT_TOTAL:
		return by_title(profile->has_off_cpu, "total", "total wall");
	case REPORT_SELF:
		return by_title(profile->has_off_cpu, "self", "self wall");
	case REPORT_PERCENT:
		return by_percent_title(profile->has_off_cpu, order->is_cpu, "self %");
	default:
		return report_columns[column].title;
	}
}

const char *analysis_functions_order(const struct analysis_functions *what)
{
	struct order order = find_order(what);

	return title_of(what->profile, &order, order.column);
}

enum by analysis_functions_ordered_by(const struct analysis_functions *what)
{
	struct order order = find_order(what);

	switch (order.column) {
	case REPORT_TOTAL:
	case REPORT_SELF:
		return BY_WALL;
	case REPORT_TOTAL_CPU:
	case REPORT_SELF_CPU:
		return BY_CPU;
	case REPORT_PERCENT:
		return order.is_cpu ? BY_CPU : BY_WALL;
	default:
		return BY_BEST;
	}
}

bool analysis_functions_needs_cpu(const char *key)
{
	int column = find_column(key, true);

	return column >= 0 && is_of_cpu(column);
}

bool analysis_functions_needs_faults(const char *key)
{
	return is_of_faults(find_column(key, true));
}

bool analysis_functions_can_sort(const char *key, bool has_times)
{
	return find_column(key, has_times) >= 0;
}

const char *analysis_functions_sort_keys(bool has_times)
{
	return has_times ? "function, calls, total, total_cpu, total_off, total_waiting, total_preempted, self, self_percent, "
			   "self_cpu, self_off, waiting, preempted, min, avg, max, p50, p99, page_faults, total_page_faults"
			 : "function, total, self, self_percent";
}

static uint64_t clamp(uint64_t value, uint64_t low, uint64_t high)
{
	return value < low ? low : value > high ? high : value;
}

static void set_durations(struct cell *cells, const struct profile_function *function, const struct clock_map *clock)
{
	/* A percentile is the middle of a histogram bucket, so it is bounded by the exact min and max. */
	uint64_t p50 = clamp(histogram_percentile(&function->durations, 0.5), function->min, function->max);
	uint64_t p99 = clamp(histogram_percentile(&function->durations, 0.99), function->min, function->max);
	uint64_t count = function->durations.count;

	if (!count)
		return;
	report_set_count(&cells[REPORT_MIN], clock_duration_ns(clock, function->min));
	report_set_count(&cells[REPORT_AVG], clock_duration_ns(clock, function->sum / count));
	report_set_count(&cells[REPORT_MAX], clock_duration_ns(clock, function->max));
	report_set_count(&cells[REPORT_P50], clock_duration_ns(clock, p50));
	report_set_count(&cells[REPORT_P99], clock_duration_ns(clock, p99));
	for (int i = REPORT_MIN; i <= REPORT_P99; i++)
		cells[i].unsure = !function->complete;
}

/* CPU columns are lower bounds: time of unknown state counts as off the CPU. */
static void set_cpu(struct cell *cells, const struct analysis_functions *what, const struct profile_function *function)
{
	struct off_cpu_parts total = off_cpu_divide(cells[REPORT_TOTAL].count, off_cpu_round(what->clock, &function->total_off));
	struct off_cpu_parts self = off_cpu_divide(cells[REPORT_SELF].count, off_cpu_round(what->clock, &function->self_off));

	report_set_count(&cells[REPORT_TOTAL_CPU], total.cpu);
	report_set_count(&cells[REPORT_TOTAL_OFF], total.off);
	report_set_count(&cells[REPORT_TOTAL_WAITING], total.waiting);
	report_set_count(&cells[REPORT_TOTAL_PREEMPTED], total.preempted);
	report_set_count(&cells[REPORT_TOTAL_UNKNOWN], total.unknown);
	report_set_count(&cells[REPORT_SELF_CPU], self.cpu);
	report_set_count(&cells[REPORT_SELF_OFF], self.off);
	report_set_count(&cells[REPORT_SELF_WAITING], self.waiting);
	report_set_count(&cells[REPORT_SELF_PREEMPTED], self.preempted);
	report_set_count(&cells[REPORT_SELF_UNKNOWN], self.unknown);
}

static uint64_t cpu_of(const struct profile_function *function)
{
	return profile_rest(function->self, profile_off_cpu(&function->self_off));
}

static double percent(double part, double whole)
{
	double value = whole > 0 ? 100 * part / whole : 0;

	return value < 0 ? 0 : value > 100 ? 100 : value;
}

/* Sums over all functions, in ticks: time; how much the true time may be less, or more; time that may be on or off the CPU. lost:
 * time in gaps, which may all belong to one function. */
struct whole {
	uint64_t ticks;
	double less, more, unknown, lost;
};

/* The function's self time, of the kind that percentages refer to. */
static uint64_t part_of(const struct order *order, const struct profile_function *function)
{
	return order->is_cpu ? cpu_of(function) : function->self;
}

/* Self time that may be on or off the CPU, and so may belong to the share. 0 for wall-clock time. */
static double unknown_of(const struct order *order, const struct profile_function *function)
{
	return order->is_cpu ? (double)function->self_off.unknown_ticks : 0;
}

static double bounded(uint64_t error, uint64_t part)
{
	return (double)(error < part ? error : part);
}

static void add_to_whole(struct whole *whole, const struct order *order, const struct profile_function *function)
{
	uint64_t part = part_of(order, function);

	whole->ticks += part;
	whole->less += bounded(function->self_error, part);
	whole->more += (double)function->self_error;
	whole->unknown += unknown_of(order, function);
}

/* Sets a function's share and its interval. part: the function's time. At the lower end, the function took as little time as its
 * error permits, and all other functions as much as their errors permit; at the upper end, the reverse. Once --throttle has stopped
 * the recording of a function, its time counts as self time of its callers (self_missing, self_held). */
static void set_share(struct cell *cells, const struct order *order, const struct profile_function *function, bool is_net,
	uint64_t part, const struct whole *whole)
{
	double less = bounded(function->self_error, part), more = (double)function->self_error,
	       others = (double)(whole->ticks - part);
	double unknown = unknown_of(order, function), least = others - whole->lost - (whole->less - less);
	double held = bounded(function->self_held, part - real_to_u64(less)), missing = (double)function->self_missing;
	double low = (double)part - less - held, high = (double)part + more + unknown + whole->lost;
	double most = others + held + whole->more - more + whole->unknown - unknown;

	missing = missing < least ? missing : least > 0 ? least : 0;
	high += missing;
	least -= missing;
	report_set_real(&cells[REPORT_PERCENT], percent((double)part, (double)whole->ticks));
	if (!is_net)
		return;
	report_set_real(&cells[REPORT_LOW], percent(low, low + most));
	report_set_real(&cells[REPORT_HIGH], percent(high, high + (least > 0 ? least : 0)));
}

static void set_recording(struct cell *cells, const struct analysis_functions *what, const struct profile_function *function)
{
	report_set_count(&cells[REPORT_SELF_RECORDING], clock_duration_ns(what->clock, function->self_recording));
	report_set_count(&cells[REPORT_TOTAL_RECORDING], clock_duration_ns(what->clock, function->total_recording));
	report_set_count(&cells[REPORT_SELF_ERROR], clock_duration_ns(what->clock, function->self_error));
	report_set_count(&cells[REPORT_TOTAL_ERROR], clock_duration_ns(what->clock, function->total_error));
}

/* Marks uncertain times with "~". */
static void mark(struct cell *cells, const struct unsure *unsure)
{
	cells[REPORT_TOTAL].unsure = unsure->total;
	cells[REPORT_SELF].unsure = unsure->self;
	for (int i = REPORT_TOTAL_OFF; i <= REPORT_TOTAL_UNKNOWN; i++)
		cells[i].unsure = unsure->total_off;
	for (int i = REPORT_SELF_OFF; i <= REPORT_SELF_UNKNOWN; i++)
		cells[i].unsure = unsure->self_off;
	cells[REPORT_TOTAL_WAITING].unsure = cells[REPORT_TOTAL_PREEMPTED].unsure = unsure->total_off;
	cells[REPORT_SELF_WAITING].unsure = unsure->self_off;
	cells[REPORT_TOTAL_CPU].unsure = unsure->total_cpu;
	cells[REPORT_SELF_CPU].unsure = unsure->self_cpu;
}

static void set_times(struct row *row, const struct analysis_functions *what, const struct profile_function *function)
{
	const struct unsure unsure = unsure_of(what->profile, row->id);
	struct cell *cells = row->cells;

	report_set_count(&cells[REPORT_TOTAL], clock_duration_ns(what->clock, function->total));
	report_set_count(&cells[REPORT_SELF], clock_duration_ns(what->clock, function->self));
	set_durations(cells, function, what->clock);
	if (what->profile->has_off_cpu)
		set_cpu(cells, what, function);
	if (what->profile->has_faults) {
		report_set_count(&cells[REPORT_TOTAL_FAULTS], function->total_off.faults);
		report_set_count(&cells[REPORT_SELF_FAULTS], function->self_off.faults);
	}
	if (what->profile->is_net)
		set_recording(cells, what, function);
	mark(cells, &unsure);
	for (int i = REPORT_TOTAL; function->untimed_calls && i <= REPORT_PERCENT; i++)
		if (i < REPORT_MIN || i > REPORT_P99)
			cells[i].absent |= profile_is_untimed(what->profile, row->id);
	cells[REPORT_PERCENT].unsure = function->untimed_calls;
}

/* Whether the function may be one of the hottest, while its calls are too short for a useful interval. */
static bool is_open(const struct cell *cells)
{
	double low = cells[REPORT_LOW].real, high = cells[REPORT_HIGH].real;

	return !cells[REPORT_LOW].absent && high >= OPEN_MATTERS &&
	       (high - low > OPEN_WIDE || high - low > cells[REPORT_PERCENT].real);
}

/* id: FUNCTION_NONE for the time outside of all functions, which has no calls. whole: sums of self time, or of self CPU time. */
static struct row make_row(const struct analysis_functions *what, const struct order *order, uint32_t id,
	const struct profile_function *function, const struct whole *whole)
{
	const struct profile *profile = what->profile;
	uint64_t part = part_of(order, function);
	struct row row = {.id = id};

	report_clear(row.cells);
	if (profile->has_times) {
		if (id != FUNCTION_NONE)
			report_set_count(&row.cells[REPORT_CALLS], function->calls);
		if (id != FUNCTION_NONE && !profile->cut_functions_unknown)
			report_set_count(&row.cells[REPORT_CUT], function->cut_calls);
		set_share(row.cells, order, function, profile->is_net, part, whole);
		row.is_open = id != FUNCTION_NONE && is_open(row.cells);
		row.cells[REPORT_OPEN] = (struct cell){.text = row.is_open ? "?" : ""};
		set_times(&row, what, function);
	} else {
		report_set_count(&row.cells[REPORT_TOTAL_WEIGHT], function->total);
		report_set_count(&row.cells[REPORT_SELF_WEIGHT], function->self);
		set_share(row.cells, order, function, false, part, whole);
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
		if (order->is_default_order && left->is_open != right->is_open)
			return left->is_open ? -1 : 1;
		if (order->is_default_order && left->is_open && left->cells[REPORT_HIGH].real != right->cells[REPORT_HIGH].real)
			return left->cells[REPORT_HIGH].real < right->cells[REPORT_HIGH].real ? 1 : -1;
		if (order->column == REPORT_PERCENT && x->real != y->real)
			return x->real < y->real ? 1 : -1;
		if (order->column != REPORT_PERCENT && x->count != y->count)
			return x->count < y->count ? 1 : -1;
	}
	x = &left->cells[REPORT_CALLS];
	y = &right->cells[REPORT_CALLS];
	if (order->falls && left->cells[order->column].absent && x->count != y->count)
		return x->count < y->count ? 1 : -1;
	names = strcmp(left->name, right->name);
	return names ? names : left->id < right->id ? -1 : left->id > right->id;
}

/* Whether a function id has no calls in this profile: all calls are in other threads, or the symbol was never called. */
static bool is_empty(const struct profile_function *function)
{
	return !function->calls && !function->total && !function->self && !function->self_recording;
}

static void show(const struct analysis_functions *what, const struct order *order, struct report_view *view,
	enum report_column which, uint8_t spare)
{
	struct column *column = report_show(view, which);

	column->title = title_of(what->profile, order, which);
	column->is_order = which == (enum report_column)order->column;
	column->spare = column->is_order ? 0 : spare;
}

/* Whether a user who sorts by the column asks what the program waits for. */
static bool is_of_waiting(int column)
{
	return column == REPORT_SELF_OFF || column == REPORT_SELF_WAITING || column == REPORT_SELF_PREEMPTED;
}

/* On a narrow terminal the column of the time that is not the order may be dropped. */
static void show_times(const struct analysis_functions *what, const struct order *order, struct report_view *view)
{
	bool has_off_cpu = what->profile->has_off_cpu;

	show(what, order, view, REPORT_TOTAL, has_off_cpu && order->is_cpu ? 3 : 0);
	if (has_off_cpu)
		show(what, order, view, REPORT_TOTAL_CPU, order->is_cpu ? 0 : 3);
	if (order->column == REPORT_TOTAL_OFF || order->column == REPORT_TOTAL_WAITING || order->column == REPORT_TOTAL_PREEMPTED)
		show(what, order, view, (enum report_column)order->column, 0);
	show(what, order, view, REPORT_SELF, has_off_cpu && order->is_cpu ? 4 : 0);
	if (has_off_cpu)
		show(what, order, view, REPORT_SELF_CPU, order->is_cpu ? 0 : 4);
	if (has_off_cpu && (!order->is_cpu || is_of_waiting(order->column))) {
		show(what, order, view, REPORT_SELF_WAITING, 4);
		show(what, order, view, REPORT_SELF_PREEMPTED, 5);
	}
	show(what, order, view, REPORT_PERCENT, 0);
	if (what->profile->is_net) {
		show(what, order, view, REPORT_LOW, 2);
		show(what, order, view, REPORT_HIGH, 2);
	}
	if (what->profile->has_faults) {
		show(what, order, view, REPORT_TOTAL_FAULTS, 4);
		show(what, order, view, REPORT_SELF_FAULTS, 4);
	}
	if (order->column == REPORT_SELF_OFF || order->column == REPORT_SELF_UNKNOWN || order->column == REPORT_TOTAL_UNKNOWN)
		show(what, order, view, (enum report_column)order->column, 0);
	for (int i = REPORT_MIN; i <= REPORT_P99; i++)
		show(what, order, view, (enum report_column)i, report_columns[i].spare);
}

/* any_open: at least one row is open. */
static struct report_view make_view(const struct analysis_functions *what, const struct order *order, bool any_open)
{
	struct report_view view = {0};

	if (what->profile->has_times) {
		show(what, order, &view, REPORT_CALLS, 0);
		if (!what->profile->is_untimed)
			show_times(what, order, &view);
	} else {
		report_show(&view, REPORT_TOTAL_WEIGHT)->unit = strcmp(what->profile->unit, "ns") ? UNIT_COUNT : UNIT_NS;
		report_show(&view, REPORT_SELF_WEIGHT)->unit = strcmp(what->profile->unit, "ns") ? UNIT_COUNT : UNIT_NS;
		show(what, order, &view, REPORT_PERCENT, 0);
	}
	if (any_open)
		report_show(&view, REPORT_OPEN);
	report_show(&view, REPORT_NAME);
	return view;
}

static void write_rows(const struct analysis_functions *what, const struct order *order, const struct row *rows, size_t count,
	const struct table_sink *sink)
{
	bool any_open = false;
	struct report_view view;

	for (size_t i = 0; i < count && order->is_default_order; i++)
		any_open |= rows[i].is_open;
	view = make_view(what, order, any_open);
	report_begin(&view, sink);
	for (size_t i = 0; i < count && i < what->limit; i++)
		report_row(&view, rows[i].cells, sink);
	sink->end(sink->context);
	if (what->rest && what->limit < count)
		*what->rest = (struct table_rest){.rows = count - what->limit,
			.of = what->profile->is_untimed ? NULL : by_self_title(what->profile, order->is_cpu)};
	for (size_t i = count - (what->rest ? what->rest->rows : 0); i < count; i++)
		what->rest->percent += rows[i].cells[REPORT_PERCENT].absent ? 0 : rows[i].cells[REPORT_PERCENT].real;
}

/* Copies the unique names into the rows; names is in another order than the rows. */
static void take_names(const struct named_row *names, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct row *row = names[i].row;

		row->name = names[i].name;
		row->cells[REPORT_NAME] = (struct cell){.text = names[i].name, .function = row->id + 1};
	}
}

bool analysis_functions(const struct analysis_functions *what, const struct table_sink *sink)
{
	const struct profile *profile = what->profile;
	struct order order = find_order(what);
	const struct profile_function outside = whole_outside(profile);
	size_t most = profile->function_count + 1, count = 0;
	struct row *rows = calloc(most, sizeof *rows);
	struct named_row *names = calloc(most, sizeof *names);
	struct whole whole = {.ticks = whole_lost(profile, order.is_cpu)};
	bool good = rows && names;

	whole.lost = (double)whole.ticks;
	add_to_whole(&whole, &order, &outside);
	for (size_t id = 0; good && id < profile->function_count; id++)
		add_to_whole(&whole, &order, &profile->functions[id]);
	for (size_t id = 0; good && id < profile->function_count; id++) {
		if (is_empty(&profile->functions[id]))
			continue;
		rows[count] = make_row(what, &order, (uint32_t)id, &profile->functions[id], &whole);
		names[count] = (struct named_row){.id = (uint32_t)id, .row = &rows[count]};
		count++;
	}
	if (good && (outside.self || outside.self_off.faults) && !profile->is_untimed) {
		rows[count] = make_row(what, &order, FUNCTION_NONE, &outside, &whole);
		names[count] = (struct named_row){.id = FUNCTION_NONE, .name = WHOLE_OUTSIDE, .row = &rows[count]};
		count++;
	}
	if (good) {
		unique_names(what->functions, names, count);
		take_names(names, count);
		if (count)
			qsort_r(rows, count, sizeof *rows, compare, &order);
		write_rows(what, &order, rows, count, sink);
		free_named_rows(names, count);
	}
	free(names);
	free(rows);
	return good;
}
