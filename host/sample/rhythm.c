/* rhythm: see rhythm.h. */
#include "sample/rhythm.h"

#include <math.h>
#include <stdlib.h>

#include "util/array.h"

#define SHARE_MIN 0.02
/* Of one place; each that is looked at more makes chance more likely, which is taken into account. */
#define FACTOR 3.3
/* Of the function whose smallest visible difference is told. */
#define SIGHT_SHARE 0.1

static size_t first_slot(const struct rhythm *rhythm, const void *file, uint64_t address)
{
	uint64_t hash = (address ^ (uint64_t)(uintptr_t)file * 0x9e3779b97f4a7c15u) * 0xff51afd7ed558ccdu;

	return (size_t)(hash >> 32) & (rhythm->table_size - 1);
}

static void put(struct rhythm *rhythm, size_t index)
{
	size_t at = first_slot(rhythm, rhythm->places[index].file, rhythm->places[index].address);

	while (rhythm->table[at])
		at = (at + 1) & (rhythm->table_size - 1);
	rhythm->table[at] = (uint32_t)index + 1;
}

static bool reserve(struct rhythm *rhythm)
{
	size_t size = rhythm->table_size ? rhythm->table_size * 2 : 256;
	uint32_t *table;

	if (!array_reserve(&rhythm->places, &rhythm->capacity, rhythm->count + 1, sizeof *rhythm->places))
		return false;
	if (rhythm->table_size >= 2 * (rhythm->count + 1))
		return true;
	table = calloc(size, sizeof *table);
	if (!table)
		return false;
	free(rhythm->table);
	rhythm->table = table;
	rhythm->table_size = size;
	for (size_t i = 0; i < rhythm->count; i++)
		put(rhythm, i);
	return true;
}

static struct rhythm_place *find_place(struct rhythm *rhythm, const void *file, uint64_t address)
{
	if (!reserve(rhythm))
		return NULL;
	for (size_t at = first_slot(rhythm, file, address); rhythm->table[at]; at = (at + 1) & (rhythm->table_size - 1)) {
		struct rhythm_place *place = &rhythm->places[rhythm->table[at] - 1];

		if (place->file == file && place->address == address)
			return place;
	}
	rhythm->places[rhythm->count] = (struct rhythm_place){.file = file, .address = address};
	put(rhythm, rhythm->count);
	return &rhythm->places[rhythm->count++];
}

bool rhythm_add(struct rhythm *rhythm, const void *file, uint64_t address, int kind)
{
	struct rhythm_place *place = find_place(rhythm, file, address);

	if (!place)
		return false;
	place->counts[kind].now++;
	rhythm->all[kind].now++;
	return true;
}

static void end_count(struct rhythm_count *count, double all)
{
	count->sum += count->now;
	count->squares += count->now * count->now;
	count->products += count->now * all;
	count->now = 0;
}

void rhythm_end_window(struct rhythm *rhythm)
{
	/* Where only one kind has samples (the program waited) there is nothing to compare: they go to the next one. */
	if (!rhythm->all[RHYTHM_EVEN].now || !rhythm->all[RHYTHM_RANDOM].now)
		return;
	for (int kind = 0; kind < RHYTHM_KINDS; kind++) {
		for (size_t i = 0; i < rhythm->count; i++)
			if (rhythm->places[i].counts[kind].now > 0)
				end_count(&rhythm->places[i].counts[kind], rhythm->all[kind].now);
		end_count(&rhythm->all[kind], rhythm->all[kind].now);
	}
	rhythm->windows++;
}

void rhythm_clear(struct rhythm *rhythm)
{
	free(rhythm->places);
	free(rhythm->table);
	*rhythm = (struct rhythm){0};
}

/* How many samples of a kind are worth one that knows nothing of the others: windows of a program that stays where it is for a while differ
 * by more than chance would have it. Of the kind's own share: what the kinds differ by is no chance. */
static double get_run(const struct rhythm *rhythm, const struct rhythm_place *place, int kind)
{
	const struct rhythm_count *count = &place->counts[kind], *all = &rhythm->all[kind];
	double share = count->sum / all->sum, chance = share * (1 - share) * all->sum;
	double squares = count->squares - 2 * share * count->products + share * share * all->squares;

	return squares > chance && chance > 0 ? squares / chance : 1;
}

/* Twice the logarithm of how much likelier so many of all are when their share is what it is, than when it is the expected one. */
static double get_surprise(double count, double all, double expected)
{
	double sum = 0;

	if (count > 0)
		sum += count * log(count / (all * expected));
	if (count < all)
		sum += (all - count) * log((all - count) / (all * (1 - expected)));
	return 2 * sum;
}

/* That both kinds have one share. Not by the shares' variances: a place that one kind never sees has none there. */
static double compare_counts(const double counts[RHYTHM_KINDS], const double all[RHYTHM_KINDS])
{
	double share = (counts[RHYTHM_EVEN] + counts[RHYTHM_RANDOM]) / (all[RHYTHM_EVEN] + all[RHYTHM_RANDOM]);

	if (share <= 0 || share >= 1)
		return 0;
	return get_surprise(counts[RHYTHM_EVEN], all[RHYTHM_EVEN], share) +
		get_surprise(counts[RHYTHM_RANDOM], all[RHYTHM_RANDOM], share);
}

static double compare(const struct rhythm *rhythm, const struct rhythm_place *place)
{
	double counts[RHYTHM_KINDS], all[RHYTHM_KINDS];

	for (int kind = 0; kind < RHYTHM_KINDS; kind++) {
		double run = get_run(rhythm, place, kind);

		counts[kind] = place->counts[kind].sum / run;
		all[kind] = rhythm->all[kind].sum / run;
	}
	return compare_counts(counts, all);
}

/* Whether a place has so few samples at random moments that it is not looked at. */
static bool is_rare(const struct rhythm *rhythm, const struct rhythm_place *place)
{
	double even = rhythm->all[RHYTHM_EVEN].sum, random = rhythm->all[RHYTHM_RANDOM].sum;
	double both = (place->counts[RHYTHM_EVEN].sum + place->counts[RHYTHM_RANDOM].sum) / (even + random);

	return both * random < 5 && place->counts[RHYTHM_RANDOM].sum < 5;
}

static double get_threshold(size_t looked_at)
{
	return FACTOR * FACTOR + 2 * log(looked_at ? (double)looked_at : 1);
}

enum rhythm_answer rhythm_find(const struct rhythm *rhythm, const struct rhythm_place **place, double shares[RHYTHM_KINDS])
{
	double worst = 0, even = rhythm->all[RHYTHM_EVEN].sum, random = rhythm->all[RHYTHM_RANDOM].sum;
	size_t looked_at = 0;

	if (rhythm->windows < RHYTHM_WINDOWS_MIN)
		return RHYTHM_NOT_KNOWN;
	for (size_t i = 0; i < rhythm->count; i++) {
		const struct rhythm_place *one = &rhythm->places[i];
		double in_even = one->counts[RHYTHM_EVEN].sum / even, in_random = one->counts[RHYTHM_RANDOM].sum / random;
		double surprise;

		if (is_rare(rhythm, one))
			continue;
		looked_at++;
		surprise = fabs(in_even - in_random) < SHARE_MIN ? 0 : compare(rhythm, one);
		if (surprise <= worst)
			continue;
		worst = surprise;
		*place = one;
		shares[RHYTHM_EVEN] = in_even;
		shares[RHYTHM_RANDOM] = in_random;
	}
	return worst > get_threshold(looked_at) ? RHYTHM_IN_STEP : RHYTHM_NONE;
}

double rhythm_find_sight(const struct rhythm *rhythm)
{
	double runs[RHYTHM_KINDS] = {1, 1}, all[RHYTHM_KINDS], low = SHARE_MIN, high = 1 - SIGHT_SHARE;
	size_t looked_at = 0;

	for (size_t i = 0; i < rhythm->count; i++) {
		if (is_rare(rhythm, &rhythm->places[i]))
			continue;
		looked_at++;
		for (int kind = 0; kind < RHYTHM_KINDS; kind++)
			runs[kind] = fmax(runs[kind], get_run(rhythm, &rhythm->places[i], kind));
	}
	for (int kind = 0; kind < RHYTHM_KINDS; kind++)
		all[kind] = rhythm->all[kind].sum / runs[kind];
	for (int step = 0; step < 30; step++) {
		double difference = (low + high) / 2;
		double counts[RHYTHM_KINDS] = {all[RHYTHM_EVEN] * (SIGHT_SHARE + difference), all[RHYTHM_RANDOM] * SIGHT_SHARE};

		if (compare_counts(counts, all) > get_threshold(looked_at))
			high = difference;
		else
			low = difference;
	}
	return high;
}
