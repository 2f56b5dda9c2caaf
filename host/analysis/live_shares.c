/* live_shares: keeps the sums at the last tables, and subtracts older sums from the newest: the rest are the last seconds. */
#include "analysis/live_shares.h"

#include <stdlib.h>
#include <string.h>

#define RING (LIVE_SHARES_TABLES + 1)

enum { SELF, LOW, HIGH, TOTAL, ALL_SELF, ALL_LOW, ALL_HIGH, ALL_TOTAL, SAMPLES, ALIKE, NAME, COLUMN_COUNT };

static const struct column columns[COLUMN_COUNT] = {
	[SELF] = {.key = "self_percent", .title = "self %", .unit = UNIT_PERCENT, .width = 8},
	[LOW] = {.key = "self_low", .title = "from", .unit = UNIT_PERCENT, .width = 8},
	[HIGH] = {.key = "self_high", .title = "to", .unit = UNIT_PERCENT, .width = 8},
	[TOTAL] = {.key = "total_percent", .title = "total %", .unit = UNIT_PERCENT, .width = 8, .spare = 1},
	[ALL_SELF] = {.key = "all_self_percent", .title = "all %", .unit = UNIT_PERCENT, .width = 8},
	[ALL_LOW] = {.key = "all_self_low", .title = "from", .unit = UNIT_PERCENT, .width = 8, .spare = 3},
	[ALL_HIGH] = {.key = "all_self_high", .title = "to", .unit = UNIT_PERCENT, .width = 8, .spare = 3},
	[ALL_TOTAL] = {.key = "all_total_percent", .title = "all total", .unit = UNIT_PERCENT, .width = 9, .spare = 2},
	[SAMPLES] = {.key = "samples", .title = "samples", .unit = UNIT_COUNT, .width = 9, .spare = 4},
	[ALIKE] = {.key = "alike", .title = "", .unit = UNIT_TEXT, .text_only = true, .width = 1},
	[NAME] = {.key = "function", .title = "function", .unit = UNIT_NAME},
};

static void clear_known(struct live_state *known)
{
	estimates_clear(&known->estimates);
	free(known->weights);
	*known = (struct live_state){0};
}

void live_shares_advance(struct live_shares *live, uint64_t ns)
{
	if (!live->begun_ns)
		live->begun_ns = ns;
	if (ns > live->arrived_ns)
		live->arrived_ns = ns;
}

void live_shares_clear(struct live_shares *live)
{
	for (uint32_t i = 0; i < RING; i++)
		clear_known(&live->known[i]);
	clear_known(&live->recent);
	*live = (struct live_shares){0};
}

/* Copies the sums of the model. False: memory ran out. */
static bool copy_state(struct live_state *known, const struct model *model, uint64_t ns)
{
	const struct profile *profile = model_get_profile(model);

	clear_known(known);
	known->weights = calloc(profile->function_count ? profile->function_count : 1, sizeof *known->weights);
	if (!known->weights || !model_copy_estimates(model, &known->estimates))
		return false;
	known->count = (uint32_t)profile->function_count;
	for (uint32_t id = 0; id < known->count; id++)
		known->weights[id] = (struct live_weight){profile->functions[id].self, profile->functions[id].total};
	known->weight = profile->total;
	known->ns = ns;
	return true;
}

/* The latest table with at least LIVE_SHARES_SAMPLES samples since; without such a table, the oldest in the full ring. Null: the
 * ring is not full, so the last seconds begin at the start of the recording. */
static const struct live_state *find_before(const struct live_shares *live)
{
	const struct live_state *now = &live->known[live->newest], *before = NULL;

	for (uint32_t back = 1; back < live->count; back++) {
		before = &live->known[(live->newest + RING - back) % RING];
		if (now->estimates.samples - before->estimates.samples >= LIVE_SHARES_SAMPLES)
			return before;
	}
	return live->count == RING ? before : NULL;
}

/* before: null: the last seconds are everything since the start. */
static bool set_recent(struct live_shares *live, const struct live_state *before)
{
	const struct live_state *now = &live->known[live->newest];
	struct live_state *recent = &live->recent;

	clear_known(recent);
	recent->ns = before ? before->ns : live->begun_ns;
	recent->weight = now->weight - (before ? before->weight : 0);
	recent->weights = malloc((now->count ? now->count : 1) * sizeof *recent->weights);
	if (!recent->weights || !estimates_merge(&recent->estimates, &now->estimates))
		return false;
	memcpy(recent->weights, now->weights, now->count * sizeof *recent->weights);
	recent->count = now->count;
	if (!before)
		return true;
	estimates_subtract(&recent->estimates, &before->estimates);
	for (uint32_t id = 0; id < before->count; id++) {
		recent->weights[id].self -= before->weights[id].self;
		recent->weights[id].total -= before->weights[id].total;
	}
	return true;
}

bool live_shares_update(struct live_shares *live, const struct model *model)
{
	uint32_t next = live->count ? (live->newest + 1) % RING : 0;

	if (!copy_state(&live->known[next], model, live->arrived_ns)) {
		live->count = 0; /* the other tables are no longer in order */
		return false;
	}
	live->newest = next;
	live->count += live->count < RING;
	return set_recent(live, find_before(live));
}

const struct live_state *live_shares_all(const struct live_shares *live)
{
	return &live->known[live->newest];
}

const struct live_state *live_shares_recent(const struct live_shares *live)
{
	return &live->recent;
}

struct row {
	uint32_t id;
	struct live_weight recent, all;
	struct estimate_share share;
};

static int by_share(const void *a, const void *b)
{
	const struct row *left = a, *right = b;

	if (left->recent.self != right->recent.self)
		return left->recent.self < right->recent.self ? 1 : -1;
	if (left->all.self != right->all.self)
		return left->all.self < right->all.self ? 1 : -1;
	if (left->recent.total != right->recent.total)
		return left->recent.total < right->recent.total ? 1 : -1;
	return left->id < right->id ? -1 : left->id > right->id;
}

static double percent(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0;
}

static void write_row(const struct live_shares *live, struct functions *functions, const struct row *row, bool alike,
	const struct table_sink *sink)
{
	const struct live_state *all = live_shares_all(live), *recent = &live->recent;
	struct estimate_share share = estimates_get_share(&all->estimates, row->id, (double)row->all.self);
	bool none = !recent->estimates.samples; /* the program used no CPU time in the last seconds: shares are unknown */
	const struct cell cells[COLUMN_COUNT] = {
		[SELF] = {.real = 100 * row->share.share, .absent = none},
		[LOW] = {.real = 100 * row->share.low, .absent = none},
		[HIGH] = {.real = 100 * row->share.high, .absent = none},
		[TOTAL] = {.real = percent(row->recent.total, recent->weight), .absent = none},
		[ALL_SELF] = {.real = 100 * share.share},
		[ALL_LOW] = {.real = 100 * share.low},
		[ALL_HIGH] = {.real = 100 * share.high},
		[ALL_TOTAL] = {.real = percent(row->all.total, all->weight)},
		[SAMPLES] = {.count = row->id < all->estimates.count ? all->estimates.functions[row->id].samples : 0},
		[ALIKE] = {.text = alike ? "=" : ""},
		[NAME] = {.text = functions_get_name(functions, row->id), .function = row->id + 1},
	};

	sink->row(sink->context, cells);
}

bool live_shares_write(const struct live_shares *live, struct model *model, uint64_t limit, struct table_sink *sink)
{
	const struct live_state *all = live_shares_all(live);
	struct row *rows = malloc((all->count ? all->count : 1) * sizeof *rows);
	uint32_t count = 0;

	if (!rows)
		return false;
	for (uint32_t id = 0; id < all->count; id++)
		if (all->weights[id].self || all->weights[id].total)
			rows[count++] = (struct row){.id = id, .recent = live->recent.weights[id], .all = all->weights[id],
				.share = estimates_get_share(&live->recent.estimates, id, (double)live->recent.weights[id].self)};
	qsort(rows, count, sizeof *rows, by_share);
	sink->begin(sink->context, "top", columns, COLUMN_COUNT);
	for (uint32_t i = 0; i < count && i < limit; i++)
		write_row(live, model_get_functions(model), &rows[i],
			i && rows[i].recent.self && !estimates_differ(&rows[i].share, &rows[i - 1].share), sink);
	sink->end(sink->context);
	free(rows);
	return true;
}
