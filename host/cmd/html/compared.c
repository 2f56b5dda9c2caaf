/* compared: puts the comparison of two recordings into a page: the tables of `dwell diff`, and which
 * functions of the two correspond. */
#include <stdlib.h>

#include "analysis/diff/match_key.h"
#include "cmd/html/page.h"

static bool put_measures(struct page *page, const struct diff *diff)
{
	bool good = true;

	page_open_object(page, "measures");
	for (int measure = 0; good && measure < DIFF_MEASURES; measure++) {
		const struct diff_table table = {.by = (enum diff_measure)measure, .limit = UINT64_MAX};
		struct table_sink sink = page_begin_table(page, comparison_measure_name(table.by));

		if (diff_has(diff, table.by))
			good = diff_write(diff, &table, &sink);
	}
	page_close(page);
	return good;
}

/* ---- functions of both recordings ---- */

/* A function of the old or the new recording. A function without self time is in no table, but may be on a path. */
struct known {
	struct match_key key;
	uint32_t *row; /* the function's element of rows below */
};

/* The ids in the page of all functions of two recordings. Functions that match have the same id in the page. */
struct both {
	uint32_t *rows[COMPARE_SIDES]; /* index: id in the recording; value: id in the page, plus 1; 0: not known yet */
	size_t counts[COMPARE_SIDES], count; /* number of functions of each recording; of both */
	struct known *known; /* functions of both recordings */
	struct match *matches; /* one for each known function */
};

static void clear_both(struct both *both)
{
	free_matches(both->matches, both->matches ? both->count : 0);
	free(both->matches);
	for (size_t i = 0; both->known && i < both->counts[COMPARE_OLD] + both->counts[COMPARE_NEW]; i++)
		match_key_clear(&both->known[i].key);
	free(both->known);
	for (int side = 0; side < COMPARE_SIDES; side++)
		free(both->rows[side]);
}

/* False: memory ran out. Call clear_both in either case. */
static bool make_both(struct both *both, const struct comparison *comparison, const struct trace *const *traces)
{
	for (int side = 0; side < COMPARE_SIDES; side++) {
		both->counts[side] = functions_count(model_get_functions(traces[side]->model));
		both->rows[side] = calloc(both->counts[side] + 1, sizeof **both->rows);
		if (!both->rows[side])
			return false;
		diff_map_functions(comparison->diff, (enum compare_side)side, both->rows[side], both->counts[side]);
	}
	both->known = calloc(both->counts[COMPARE_OLD] + both->counts[COMPARE_NEW] + 1, sizeof *both->known);
	both->matches = calloc(both->counts[COMPARE_OLD] + both->counts[COMPARE_NEW] + 1, sizeof *both->matches);
	if (!both->known || !both->matches)
		return false;
	for (int side = 0; side < COMPARE_SIDES; side++)
		for (uint32_t id = 0; id < both->counts[side]; id++) {
			struct known *known = &both->known[both->count];

			known->row = &both->rows[side][id];
			if (!match_key_make(&known->key, model_get_functions(traces[side]->model), id, comparison->as_sums))
				return false;
			both->matches[both->count++] = match_of(&known->key, side, known);
		}
	return true;
}

/* Gives an id in the page to each function: the id of a matching function in a table, else a new id. False: memory ran out. */
static bool find_others(struct page *page, struct both *both)
{
	size_t groups = match(both->matches, both->count);
	uint32_t *ids = groups == SIZE_MAX ? NULL : calloc(groups + 1, sizeof *ids), next = 0;

	if (!ids)
		return false;
	for (size_t i = 0; i < both->count; i++) {
		uint32_t row = *((const struct known *)both->matches[i].context)->row;

		next = row > next ? row : next;
		if (!ids[both->matches[i].row])
			ids[both->matches[i].row] = row;
	}
	for (size_t i = 0; i < both->count; i++) {
		struct known *known = both->matches[i].context;
		uint32_t *id = &ids[both->matches[i].row];

		if (!*id) {
			*id = ++next;
			page_name(page, *id - 1, both->matches[i].as);
		}
		if (!*known->row)
			*known->row = *id;
	}
	free(ids);
	return true;
}

/* Puts an array: for each function id of a recording, the id in the page. */
static void put_ids(struct page *page, const char *key, const uint32_t *rows, size_t count)
{
	page_open_array(page, key);
	for (size_t id = 0; id < count; id++)
		page_put_count(page, NULL, rows[id] - 1);
	page_close(page);
}

static bool put_both(struct page *page, const struct comparison *comparison, const struct trace *const *traces)
{
	struct both both = {0};
	bool good = make_both(&both, comparison, traces) && find_others(page, &both);

	if (good) {
		put_ids(page, "ids_of_old", both.rows[COMPARE_OLD], both.counts[COMPARE_OLD]);
		put_ids(page, "ids_of_new", both.rows[COMPARE_NEW], both.counts[COMPARE_NEW]);
	}
	clear_both(&both);
	return good;
}

bool html_page_fill_compared(
	struct page *page, const struct comparison *comparison, const struct trace *old, const struct trace *new)
{
	const struct trace *const traces[] = {[COMPARE_OLD] = old, [COMPARE_NEW] = new};
	const struct diff *diff = comparison->diff;

	page_put_count(page, "version", PAGE_VERSION);
	page_put_text(page, "kind", "diff");
	page_put_text(page, "unit", comparison->unit);
	page_put_text(page, "by", comparison_measure_name(comparison_get_best(comparison)));
	page_put_text(page, "basis", diff_is_on_cpu(diff) ? "cpu" : "wall");
	page_put_text(page, "what", comparison_time_name(comparison));
	page_put_flag(page, "is_uneven", comparison->is_uneven);
	return put_measures(page, diff) && put_both(page, comparison, traces) && page_is_whole(page);
}
