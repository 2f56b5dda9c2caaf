/* joined: counts samples for the functions of a trace. */
#include "analysis/joined.h"

#include <stdlib.h>
#include <string.h>

#include "util/array.h"
#include "util/saturate.h"

bool joined_begin(struct joined *joined, const struct profile *calls)
{
	joined->profile = make_profile(NULL);
	if (!joined->profile)
		return false;
	for (size_t id = 0; id < calls->function_count; id++) {
		struct profile_function *function;

		if (!calls->functions[id].calls)
			continue;
		function = profile_get_function(joined->profile, (uint32_t)id);
		if (!function || !counterparts_add(&joined->counterparts, joined->functions, (uint32_t)id))
			return false;
		function->calls = calls->functions[id].calls;
	}
	joined->profile->has_samples = joined->profile->counts_calls = true;
	return counterparts_finish(&joined->counterparts);
}

static bool grow(void *list, size_t *count, uint32_t id, size_t bytes)
{
	size_t had = *count;

	if (id < had)
		return true;
	if (!array_reserve(list, count, (size_t)id + 1, bytes))
		return false;
	memset(*(char **)list + had * bytes, 0, (*count - had) * bytes);
	return true;
}

/* The place of a sampled function. Null: memory ran out. */
static const struct joined_place *get_place(struct joined *joined, uint32_t sampled)
{
	struct joined_place *place;

	if (!grow(&joined->places, &joined->place_count, sampled, sizeof *joined->places))
		return NULL;
	place = &joined->places[sampled];
	if (!place->is_known && !counterparts_find(&joined->counterparts, joined->sampled, sampled, &place->id))
		return NULL;
	place->is_traced |= !place->is_known && place->id != FUNCTION_NONE;
	place->is_known = true;
	return place;
}

/* Adds a row's total once for each sample, however often the function is on the stack. False: memory ran out. */
static bool add_total(struct joined *joined, uint32_t id, uint64_t weight)
{
	struct profile_function *function = profile_get_function(joined->profile, id);

	if (!function || !grow(&joined->counted_in, &joined->counted_count, id, sizeof *joined->counted_in))
		return false;
	if (joined->counted_in[id] != joined->samples)
		saturate_add(&function->total, weight);
	joined->counted_in[id] = joined->samples;
	return true;
}

static bool add_self(struct joined *joined, uint32_t id, const struct model_sample *sample)
{
	struct estimate_blocks *blocks = estimate_streams_get(&joined->streams, sample->stream);

	if (!blocks || !add_total(joined, id, sample->weight) ||
		!estimates_add(&joined->profile->estimates, blocks, id, sample->weight))
		return false;
	saturate_add(&joined->profile->functions[id].self, sample->weight);
	saturate_add(&joined->profile->total, sample->weight);
	return true;
}

/* Adds the totals of all traced functions on the stack. *innermost: the innermost of them; FUNCTION_NONE: there is none. False:
 * memory ran out. */
static bool add_traced(struct joined *joined, const struct model_sample *sample, uint32_t *innermost)
{
	*innermost = FUNCTION_NONE;
	for (size_t i = 0; i < sample->count; i++) {
		const struct joined_place *place = get_place(joined, sample->functions[i]);

		if (!place || (place->is_traced && !add_total(joined, place->id, sample->weight)))
			return false;
		if (place->is_traced)
			*innermost = place->id;
	}
	return true;
}

/* The row for samples without a traced function. FUNCTION_NONE: memory ran out. */
static uint32_t find_untraced(struct joined *joined, const struct model_sample *sample)
{
	uint32_t sampled = sample->count ? sample->functions[sample->count - 1] : FUNCTION_NONE;
	struct joined_place *place = sample->count ? &joined->places[sampled] : NULL;

	if (!place)
		return functions_find_name(joined->functions, "[unknown]");
	if (place->id == FUNCTION_NONE)
		place->id = functions_find_name(joined->functions, functions_get_name(joined->sampled, sampled));
	return place->id;
}

static bool take(struct joined *joined, const struct model_sample *sample)
{
	uint32_t id;

	joined->samples++;
	if (!add_traced(joined, sample, &id))
		return false;
	if (id != FUNCTION_NONE)
		saturate_add(&joined->traced_weight, sample->weight);
	else
		id = find_untraced(joined, sample);
	return id != FUNCTION_NONE && add_self(joined, id, sample);
}

void joined_take(void *context, const struct model_sample *sample)
{
	struct joined *joined = context;

	joined->has_failed = joined->has_failed || !take(joined, sample);
}

bool joined_finish(struct joined *joined, const struct profile *samples)
{
	memcpy(joined->profile->unit, samples->unit, sizeof joined->profile->unit);
	joined->profile->estimates.jittered = samples->estimates.jittered;
	return estimates_end_streams(&joined->profile->estimates, &joined->streams) && !joined->has_failed;
}

void joined_clear(struct joined *joined)
{
	free_profile(joined->profile);
	counterparts_clear(&joined->counterparts);
	estimate_streams_clear(&joined->streams);
	free(joined->places);
	free(joined->counted_in);
	*joined = (struct joined){0};
}
