/* relatives: callers and callees for samples, with the intervals of `dwell callers` and `dwell callees`. For the functions with the
 * most samples; the file is read a second time for their paths. */
#include <stdlib.h>
#include <string.h>

#include "analysis/relative_shares.h"
#include "cmd/html/line_shares.h"
#include "model/function/pattern.h"

#define FUNCTIONS_MAX 256u
#define RUNS_MAX 16384u /* functions × threads: each pair needs memory for a block of samples */
#define ROWS_MAX (1u << 18)  /* functions × all functions, which may be their callers: some 100 MB */
#define STEPS_MAX (1u << 26) /* functions × paths: each function walks all paths */
#define LOOKS_MAX 5e8        /* steps in the second reading: samples × functions on a sample's path × chosen functions on it */
#define THREADS_MAX 1024u /* with more threads, shares have no intervals: the search for a thread's samples is linear */

/* A chosen function, with its callers and callees. */
struct watched {
	uint32_t function;
	uint64_t last_sample; /* number of the last sample with the function on its path, counted from 1 */
	struct pattern *pattern;
	struct relative_shares shares[2]; /* index: enum relatives_side */
};

struct relatives {
	struct watched *watched;
	size_t count;
	uint32_t *index; /* index: function id; value: index in watched, counted from 1; 0: not watched */
	size_t function_count;
	uint64_t samples;
	struct line_shares *lines;
	bool has_failed;
};

static int by_falling_total(const void *left, const void *right, void *context)
{
	const struct profile *profile = context;
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;

	if (profile->functions[a].total != profile->functions[b].total)
		return profile->functions[a].total > profile->functions[b].total ? -1 : 1;
	return a < b ? -1 : a > b;
}

/* The number of items that fit into most at a size of each; at most limit, at least 1. */
static size_t limit_count(size_t limit, size_t most, size_t each)
{
	size_t fit = each ? most / each : most;

	return fit < 1 ? 1 : fit < limit ? fit : limit;
}

/* Chooses the functions with the largest totals, as many as the limits above allow. False: memory ran out. */
static bool choose_functions(struct relatives *relatives, const struct trace *trace)
{
	const struct profile *profile = model_get_profile(trace->model);
	size_t limit = FUNCTIONS_MAX;
	uint32_t *ids = malloc((profile->function_count + 1) * sizeof *ids);
	size_t count = 0;
	double depth = 0, looks = 0, whole = profile->total ? (double)profile->total : 1;

	limit = limit_count(limit, RUNS_MAX, model_thread_count(trace->model));
	limit = limit_count(limit, ROWS_MAX, profile->function_count);
	limit = limit_count(limit, STEPS_MAX, profile->tree.count);
	relatives->function_count = profile->function_count;
	relatives->index = calloc(profile->function_count + 1, sizeof *relatives->index);
	relatives->watched = calloc(limit, sizeof *relatives->watched);
	for (uint32_t id = 0; ids && id < profile->function_count; id++)
		if (profile->functions[id].total)
			ids[count++] = id;
	for (size_t i = 0; i < count; i++)
		depth += (double)profile->functions[ids[i]].total / whole;
	if (ids && count)
		qsort_r(ids, count, sizeof *ids, by_falling_total, (void *)profile);
	for (size_t i = 0; ids && relatives->watched && relatives->index && i < count && i < limit; i++) {
		struct watched *watched = &relatives->watched[relatives->count];

		looks += 2 * depth * (double)profile->estimates.samples * (double)profile->functions[ids[i]].total / whole;
		if (i && looks > LOOKS_MAX)
			break;
		relatives->count++;
		*watched = (struct watched){.function = ids[i], .pattern = make_pattern_of(ids[i])};
		for (int side = RELATIVES_CALLERS; side <= RELATIVES_CALLEES; side++)
			watched->shares[side] = (struct relative_shares){
				.pattern = watched->pattern, .side = (enum relatives_side)side, .has_failed = !watched->pattern};
		relatives->index[ids[i]] = (uint32_t)relatives->count;
	}
	free(ids);
	return ids && relatives->watched && relatives->index;
}

static void take_sample(void *context, const struct model_sample *sample)
{
	struct relatives *relatives = context;

	relatives->samples++;
	relatives->has_failed |= !line_shares_take(relatives->lines, sample);
	for (size_t i = 0; i < sample->count; i++) {
		uint32_t id = sample->functions[i], at = id < relatives->function_count ? relatives->index[id] : 0;
		struct watched *watched = at ? &relatives->watched[at - 1] : NULL;

		if (!watched || watched->last_sample == relatives->samples)
			continue;
		watched->last_sample = relatives->samples;
		relative_shares_take(&watched->shares[RELATIVES_CALLERS], sample);
		relative_shares_take(&watched->shares[RELATIVES_CALLEES], sample);
	}
}

/* Reads the file a second time, for the paths of samples. False: the file cannot be read again, or memory ran out. */
static bool read_again(struct relatives *relatives, const struct trace *trace)
{
	const struct model_options options = {.want_profile = true,
		.no_tree = true,
		.thread = trace->options.thread,
		.functions = model_get_functions(trace->model),
		.on_sample = take_sample,
		.context = relatives};
	bool good = trace_reread(trace, &options);

	for (size_t i = 0; i < relatives->count; i++)
		for (int side = RELATIVES_CALLERS; side <= RELATIVES_CALLEES; side++)
			relative_shares_finish(
				&relatives->watched[i].shares[side], model_get_profile(trace->model)->estimates.jittered);
	return good;
}

/* ---- writing ---- */

enum { FUNCTION, SAMPLES, PERCENT, LOW, HIGH, CELLS };

/* Writes the rows of a table as consecutive values of an array. */
struct flat {
	struct page *page;
	uint32_t at[CELLS]; /* indexes of the columns FUNCTION to HIGH in the table */
};

static void begin_flat(void *context, const char *name, const struct column *columns, uint32_t count)
{
	static const char *const keys[CELLS] = {"function", "samples", "total_percent", "total_low", "total_high"};
	struct flat *flat = context;

	(void)name;
	for (uint32_t i = count; i--;)
		for (int k = 0; k < CELLS; k++)
			if (columns[i].key && !strcmp(columns[i].key, keys[k]))
				flat->at[k] = i;
}

/* Puts a row. The rows (itself) and (outermost), which have no function, get the function id -1. */
static void put_flat(void *context, const struct cell *cells)
{
	const struct flat *flat = context;

	page_put_signed(flat->page, NULL, (int64_t)cells[flat->at[FUNCTION]].function - 1);
	page_put_count(flat->page, NULL, cells[flat->at[SAMPLES]].count);
	for (int k = PERCENT; k <= HIGH; k++)
		page_put_real(flat->page, NULL, cells[flat->at[k]].real);
}

static void end_flat(void *context)
{
	(void)context;
}

static bool put_watched(struct page *page, const struct trace *trace, struct watched *watched)
{
	struct flat flat = {.page = page};
	const struct table_sink sink = {&flat, begin_flat, put_flat, end_flat};
	bool good = true;

	page_open_array(page, NULL);
	for (int side = RELATIVES_CALLERS; good && side <= RELATIVES_CALLEES; side++) {
		const struct analysis_relatives what = {.profile = model_get_profile(trace->model),
			.functions = model_get_functions(trace->model),
			.clock = model_get_clock(trace->model),
			.pattern = watched->pattern,
			.side = (enum relatives_side)side,
			.limit = UINT64_MAX,
			.shares = &watched->shares[side].rows};

		page_open_array(page, NULL);
		good = !watched->shares[side].has_failed && analysis_relatives(&what, &sink);
		page_close(page);
	}
	page_close(page);
	return good;
}

/* Whether any sample has the function on its path. A histogram has no samples one by one, so it has no intervals. */
static bool has_samples(const struct relatives *relatives, size_t id)
{
	return relatives->index[id] && relatives->watched[relatives->index[id] - 1].shares[RELATIVES_CALLERS].rows.samples;
}

bool html_page_put_relatives(struct page *page, const struct trace *trace, const struct html_code *code)
{
	struct relatives relatives = {0};
	bool good;

	if (model_thread_count(trace->model) > THREADS_MAX)
		return true;
	relatives.lines = make_line_shares(trace, code);
	good = relatives.lines && choose_functions(&relatives, trace) && read_again(&relatives, trace) && !relatives.has_failed;

	page_open_array(page, "relatives");
	for (size_t id = 0; good && id < relatives.function_count; id++)
		if (has_samples(&relatives, id))
			good = put_watched(page, trace, &relatives.watched[relatives.index[id] - 1]);
		else
			page_put_null(page, NULL);
	page_close(page);
	good = good && line_shares_put(relatives.lines, model_get_profile(trace->model)->estimates.jittered, page);
	free_line_shares(relatives.lines);
	for (size_t i = 0; i < relatives.count; i++) {
		for (int side = RELATIVES_CALLERS; side <= RELATIVES_CALLEES; side++)
			relative_shares_clear(&relatives.watched[i].shares[side]);
		free_pattern(relatives.watched[i].pattern);
	}
	free(relatives.watched);
	free(relatives.index);
	return good;
}
