/* compared: puts the comparison of two recordings into a page: the tables of `dwell diff`, and which
 * functions of the two correspond. */
#include <stdlib.h>

#include "analysis/diff/match_key.h"
#include "cmd/html/page.h"

static bool put_measures(struct page *page, const struct diff *diff)
{
	bool good = true;

	page_open_object(page, "measures");
	for (int measure = 0; good && measure <= DIFF_CALLS; measure++) { /* the page adds up totals itself */
		const struct diff_table table = {.by = (enum diff_measure)measure, .limit = UINT64_MAX};
		struct table_sink sink = page_begin_table(page, comparison_measure_name(table.by));

		if (diff_has_measure(diff, table.by))
			good = diff_write(diff, &table, &sink);
	}
	page_close(page);
	return good;
}

/* ---- functions of both recordings ---- */

/* A function of the old or the new recording. A function without self time is in no table, but may be on a path. */
struct mapped {
	struct match_key key;
	uint32_t *row; /* the function's element of rows below */
};

/* The ids in the page of all functions of two recordings. Functions that match have the same id in the page. */
struct id_map {
	uint32_t *rows[COMPARE_SIDES]; /* index: id in the recording; value: id in the page, plus 1; 0: not known yet */
	size_t counts[COMPARE_SIDES], count; /* number of functions of each recording; of both */
	struct mapped *mapped; /* functions of both recordings */
	struct match *matches; /* one for each known function */
};

static void clear_id_map(struct id_map *id_map)
{
	free_matches(id_map->matches, id_map->matches ? id_map->count : 0);
	free(id_map->matches);
	for (size_t i = 0; id_map->mapped && i < id_map->counts[COMPARE_OLD] + id_map->counts[COMPARE_NEW]; i++)
		match_key_clear(&id_map->mapped[i].key);
	free(id_map->mapped);
	for (int side = 0; side < COMPARE_SIDES; side++)
		free(id_map->rows[side]);
}

/* False: memory ran out. Call clear_id_map in either case. */
static bool make_id_map(struct id_map *id_map, const struct comparison *comparison, const struct trace *const *traces)
{
	for (int side = 0; side < COMPARE_SIDES; side++) {
		id_map->counts[side] = functions_count(model_get_functions(traces[side]->model));
		id_map->rows[side] = calloc(id_map->counts[side] + 1, sizeof **id_map->rows);
		if (!id_map->rows[side])
			return false;
		diff_map_functions(comparison->diff, (enum compare_side)side, id_map->rows[side], id_map->counts[side]);
	}
	id_map->mapped = calloc(id_map->counts[COMPARE_OLD] + id_map->counts[COMPARE_NEW] + 1, sizeof *id_map->mapped);
	id_map->matches = calloc(id_map->counts[COMPARE_OLD] + id_map->counts[COMPARE_NEW] + 1, sizeof *id_map->matches);
	if (!id_map->mapped || !id_map->matches)
		return false;
	for (int side = 0; side < COMPARE_SIDES; side++)
		for (uint32_t id = 0; id < id_map->counts[side]; id++) {
			struct mapped *mapped = &id_map->mapped[id_map->count];

			mapped->row = &id_map->rows[side][id];
			if (!match_key_make(&mapped->key, model_get_functions(traces[side]->model), id, comparison->as_sums))
				return false;
			id_map->matches[id_map->count++] = match_of(&mapped->key, side, mapped);
		}
	return true;
}

/* Gives an id in the page to each function: the id of a matching function in a table, else a new id. False: memory ran out. */
static bool assign_ids(struct page *page, struct id_map *id_map)
{
	size_t groups = match(id_map->matches, id_map->count);
	uint32_t *ids = groups == SIZE_MAX ? NULL : calloc(groups + 1, sizeof *ids), next = 0;

	if (!ids)
		return false;
	for (size_t i = 0; i < id_map->count; i++) {
		uint32_t row = *((const struct mapped *)id_map->matches[i].context)->row;

		next = row > next ? row : next;
		if (!ids[id_map->matches[i].row])
			ids[id_map->matches[i].row] = row;
	}
	for (size_t i = 0; i < id_map->count; i++) {
		struct mapped *mapped = id_map->matches[i].context;
		uint32_t *id = &ids[id_map->matches[i].row];

		if (!*id) {
			*id = ++next;
			page_set_name(page, *id - 1, id_map->matches[i].row_name);
		}
		if (!*mapped->row)
			*mapped->row = *id;
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

static bool put_id_map(struct page *page, const struct comparison *comparison, const struct trace *const *traces)
{
	struct id_map id_map = {0};
	bool good = make_id_map(&id_map, comparison, traces) && assign_ids(page, &id_map);

	if (good) {
		put_ids(page, "ids_of_old", id_map.rows[COMPARE_OLD], id_map.counts[COMPARE_OLD]);
		put_ids(page, "ids_of_new", id_map.rows[COMPARE_NEW], id_map.counts[COMPARE_NEW]);
	}
	clear_id_map(&id_map);
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
	page_put_text(page, "by", comparison_measure_name(comparison_get_best_measure(comparison)));
	page_put_text(page, "basis", diff_is_on_cpu(diff) ? "cpu" : "wall");
	page_put_text(page, "what", comparison_time_name(comparison));
	page_put_flag(page, "is_uneven", comparison->is_uneven);
	return put_measures(page, diff) && put_id_map(page, comparison, traces) && page_is_whole(page);
}
