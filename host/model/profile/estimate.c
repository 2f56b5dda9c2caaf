/* estimate: fills blocks with samples, and computes the errors of shares. estimate.h explains the method. */
#include "model/profile/estimate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/function/function.h"
#include "util/array.h"

/* Runs are assumed if blocks differ this much more than single samples: by chance, 30 blocks do in one of a hundred estimates. */
#define RUNS_MIN 1.6

/* The 97.5 % point of Student's distribution with this many degrees of freedom. Cornish and
 * Fisher's series; within 0.1 % from 10 on. */
static double student(double freedom)
{
	const double z = 1.959963985, z3 = z * z * z, z5 = z3 * z * z;

	return z + (z3 + z) / (4 * freedom) + (5 * z5 + 16 * z3 + 3 * z) / (96 * freedom * freedom);
}

static struct estimate_function *get_function(struct estimates *estimates, uint32_t id)
{
	size_t had = estimates->count;

	if (id < had)
		return &estimates->functions[id];
	if (!array_reserve(&estimates->functions, &estimates->capacity, (size_t)id + 1, sizeof *estimates->functions))
		return NULL;
	estimates->count = (size_t)id + 1;
	memset(estimates->functions + had, 0, (estimates->count - had) * sizeof *estimates->functions);
	return &estimates->functions[id];
}

/* Adds a function's weight to the incomplete block of a level. */
static bool add_part(struct estimate_level *level, uint32_t function, double weight)
{
	for (size_t i = 0; i < level->count; i++)
		if (level->parts[i].function == function) {
			level->parts[i].weight += weight;
			return true;
		}
	if (!array_reserve(&level->parts, &level->capacity, level->count + 1, sizeof *level->parts))
		return false;
	level->parts[level->count++] = (struct estimate_part){function, weight};
	return true;
}

/* Ends a block: counts the block, and adds it to the next level's block of twice the length. */
static bool end_block(struct estimates *estimates, struct estimate_blocks *blocks, uint32_t at)
{
	struct estimate_level *level = &blocks->levels[at], *next = at + 1 < ESTIMATE_LEVELS ? level + 1 : NULL;
	bool good = true;

	estimates->blocks[at]++;
	estimates->squares[at] += level->weight * level->weight;
	for (size_t i = 0; i < level->count; i++) {
		struct estimate_function *function = get_function(estimates, level->parts[i].function);
		double weight = level->parts[i].weight;

		good &= function != NULL;
		if (function) {
			function->squares[at] += weight * weight;
			function->products[at] += weight * level->weight;
		}
		if (next)
			good &= add_part(next, level->parts[i].function, weight);
	}
	if (next) {
		next->weight += level->weight;
		next->samples += level->samples;
	}
	level->count = 0;
	level->weight = 0;
	level->samples = 0;
	return good;
}

bool estimates_add_all(
	struct estimates *estimates, struct estimate_blocks *blocks, const uint32_t *functions, size_t function_count,
	uint64_t weight)
{
	bool good = true;

	for (size_t i = 0; i < function_count; i++) {
		struct estimate_function *counted = get_function(estimates, functions[i]);

		good &= counted && add_part(&blocks->levels[0], functions[i], (double)weight);
		if (counted)
			counted->samples++;
	}
	estimates->samples++;
	estimates->weight += (double)weight;
	blocks->levels[0].weight += (double)weight;
	blocks->levels[0].samples++;
	for (uint32_t i = 0; i < ESTIMATE_LEVELS && blocks->levels[i].samples == 1u << i; i++)
		good &= end_block(estimates, blocks, i);
	return good;
}

bool estimates_add(struct estimates *estimates, struct estimate_blocks *blocks, uint32_t function, uint64_t weight)
{
	return estimates_add_all(estimates, blocks, &function, function != FUNCTION_NONE, weight);
}

/* Counts blocks of one sample; the blocks of longer levels stay unknown. */
bool estimates_add_unordered(struct estimates *estimates, uint32_t function, uint64_t weight, uint64_t samples)
{
	struct estimate_function *counted = function == FUNCTION_NONE ? NULL : get_function(estimates, function);
	double squares = (double)weight * (double)weight * (double)samples;

	estimates->samples += samples;
	estimates->weight += (double)weight * (double)samples;
	estimates->blocks[0] += samples;
	estimates->squares[0] += squares;
	if (counted) {
		counted->samples += samples;
		counted->squares[0] += squares;
		counted->products[0] += squares;
	}
	return counted || function == FUNCTION_NONE;
}

bool estimates_note_full(struct estimates *estimates, uint32_t function)
{
	struct estimate_function *full = get_function(estimates, function);

	if (full)
		full->was_full = true;
	return full;
}

bool estimates_end_blocks(struct estimates *estimates, struct estimate_blocks *blocks)
{
	bool good = true;

	for (uint32_t i = 0; i < ESTIMATE_LEVELS; i++)
		if (blocks->levels[i].samples)
			good &= end_block(estimates, blocks, i);
	return good;
}

static bool copy_level(struct estimate_level *to, const struct estimate_level *from)
{
	if (from->count && !array_reserve(&to->parts, &to->capacity, from->count, sizeof *to->parts))
		return false;
	if (from->count)
		memcpy(to->parts, from->parts, from->count * sizeof *to->parts);
	to->count = from->count;
	to->weight = from->weight;
	to->samples = from->samples;
	return true;
}

bool estimates_add_unfinished(struct estimates *estimates, const struct estimate_blocks *blocks)
{
	struct estimate_blocks copy = {0};
	bool good = true;

	for (uint32_t i = 0; i < ESTIMATE_LEVELS; i++)
		good &= copy_level(&copy.levels[i], &blocks->levels[i]);
	good = good && estimates_end_blocks(estimates, &copy);
	estimate_blocks_clear(&copy);
	return good;
}

void estimate_blocks_clear(struct estimate_blocks *blocks)
{
	for (uint32_t i = 0; i < ESTIMATE_LEVELS; i++)
		free(blocks->levels[i].parts);
	*blocks = (struct estimate_blocks){0};
}

struct estimate_blocks *estimate_streams_get(struct estimate_streams *streams, uint32_t stream)
{
	if (streams->recent < streams->count && streams->list[streams->recent].stream == stream)
		return &streams->list[streams->recent].blocks;
	for (streams->recent = 0; streams->recent < streams->count; streams->recent++)
		if (streams->list[streams->recent].stream == stream)
			return &streams->list[streams->recent].blocks;
	if (!array_reserve(&streams->list, &streams->capacity, streams->count + 1, sizeof *streams->list))
		return NULL;
	streams->list[streams->count] = (struct estimate_stream){.stream = stream};
	return &streams->list[streams->count++].blocks;
}

bool estimates_end_streams(struct estimates *estimates, struct estimate_streams *streams)
{
	bool good = true;

	for (size_t i = 0; i < streams->count; i++)
		good &= estimates_end_blocks(estimates, &streams->list[i].blocks);
	return good;
}

void estimate_streams_clear(struct estimate_streams *streams)
{
	for (size_t i = 0; i < streams->count; i++)
		estimate_blocks_clear(&streams->list[i].blocks);
	free(streams->list);
	*streams = (struct estimate_streams){0};
}

bool estimates_merge(struct estimates *into, const struct estimates *from)
{
	if (from->count && !get_function(into, (uint32_t)from->count - 1))
		return false;
	for (size_t i = 0; i < from->count; i++) {
		into->functions[i].samples += from->functions[i].samples;
		into->functions[i].was_full |= from->functions[i].was_full;
		for (uint32_t k = 0; k < ESTIMATE_LEVELS; k++) {
			into->functions[i].squares[k] += from->functions[i].squares[k];
			into->functions[i].products[k] += from->functions[i].products[k];
		}
	}
	for (uint32_t k = 0; k < ESTIMATE_LEVELS; k++) {
		into->blocks[k] += from->blocks[k];
		into->squares[k] += from->squares[k];
	}
	for (uint32_t k = 0; k < 4; k++)
		into->stacks[k] += from->stacks[k];
	into->jittered = from->jittered && (into->jittered || !into->samples);
	into->samples += from->samples;
	into->weight += from->weight;
	into->unplaced += from->unplaced;
	return true;
}

void estimates_subtract(struct estimates *from, const struct estimates *part)
{
	for (size_t i = 0; i < part->count && i < from->count; i++) {
		from->functions[i].samples -= part->functions[i].samples;
		for (uint32_t k = 0; k < ESTIMATE_LEVELS; k++) {
			from->functions[i].squares[k] -= part->functions[i].squares[k];
			from->functions[i].products[k] -= part->functions[i].products[k];
		}
	}
	for (uint32_t k = 0; k < ESTIMATE_LEVELS; k++) {
		from->blocks[k] -= part->blocks[k];
		from->squares[k] -= part->squares[k];
	}
	for (uint32_t k = 0; k < 4; k++)
		from->stacks[k] -= part->stacks[k];
	from->samples -= part->samples;
	from->weight -= part->weight;
	from->unplaced -= part->unplaced;
}

bool estimates_renumber(struct estimates *estimates, const uint32_t *map, size_t count)
{
	struct estimates renumbered = *estimates;

	renumbered.functions = NULL;
	renumbered.count = renumbered.capacity = 0;
	for (size_t i = 0; i < estimates->count && i < count; i++) {
		struct estimate_function *to = map[i] == FUNCTION_NONE ? NULL : get_function(&renumbered, map[i]);

		if (map[i] == FUNCTION_NONE)
			continue;
		if (!to) {
			free(renumbered.functions);
			return false;
		}
		*to = estimates->functions[i];
	}
	free(estimates->functions);
	*estimates = renumbered;
	return true;
}

void estimates_clear(struct estimates *estimates)
{
	free(estimates->functions);
	*estimates = (struct estimates){0};
}

/* Σ over blocks of one length: (weight in the function − share × weight of the block)². */
static double squares_around(const struct estimates *estimates, const struct estimate_function *of, double share, uint32_t level)
{
	return of->squares[level] - 2 * share * of->products[level] + share * share * estimates->squares[level];
}

/* An estimate of the same sum from neighbours only: blocks a and b are the halves of a block of the next length, and
 * (a − b)² = 2 (a² + b²) − (a + b)². So a change of the program over time adds nothing. */
static double between_neighbours(
	const struct estimates *estimates, const struct estimate_function *of, double share, uint32_t level)
{
	return 2 * squares_around(estimates, of, share, level) - squares_around(estimates, of, share, level + 1);
}

static struct estimate_share get_share(const struct estimates *estimates, const struct estimate_function *of, double weight)
{
	struct estimate_share result = {0};
	double total = estimates->weight, share, factor, freedom = (double)estimates->blocks[0] - 1, center, half;
	double single = 0, before = 0, doubling = 0;
	uint32_t levels = estimates->jittered ? ESTIMATE_LEVELS_JITTERED : ESTIMATE_LEVELS - 1;

	if (total <= 0)
		return result;
	share = weight / total;
	result.share = share = share > 1 ? 1 : share;
	if (estimates->blocks[0] > 1)
		single = before = result.variance =
			squares_around(estimates, of, share, 0) / (total * total) * (freedom + 1) / freedom;
	for (uint32_t k = 1; k < levels && estimates->blocks[k] >= ESTIMATE_BLOCKS_MIN; k++) {
		double variance = between_neighbours(estimates, of, share, k) / (total * total);

		if (variance > result.variance) {
			result.variance = variance;
			freedom = (double)estimates->blocks[k + 1];
			doubling = variance - before;
		}
		before = variance;
	}
	/* A block of n samples misses the correlation of its last samples with the next block's first. The variance missed is in
	 * proportion to 1/n, so a block of 2n misses half as much: the last doubling has added as much as is still missing. The sum
	 * is as uncertain as the variance from half as many blocks. */
	if (result.variance > RUNS_MIN * single && doubling > 0) {
		result.variance += doubling;
		freedom /= 2;
	}
	/* The number of independent samples if all samples had the same weight and were independent. This is the limit, and all
	 * that is known if the function was found never or always. */
	result.independent = estimates->squares[0] > 0 ? total * total / estimates->squares[0] : 1;
	if (result.variance > 0 && share * (1 - share) / result.variance < result.independent)
		result.independent = share * (1 - share) / result.variance;
	if (result.independent < 1)
		result.independent = 1;
	factor = freedom >= 3 ? student(freedom) : 4.3;
	factor *= factor / result.independent;
	center = (share + factor / 2) / (1 + factor);
	half = sqrt(share * (1 - share) * factor + factor * factor / 4) / (1 + factor);
	result.low = center - half > 0 ? center - half : 0;
	result.high = center + half < 1 ? center + half : 1;
	if (share <= 0)
		result.low = 0;
	if (share >= 1)
		result.high = 1;
	return result;
}

struct estimate_share estimates_get_share(const struct estimates *estimates, uint32_t function, double weight)
{
	static const struct estimate_function nothing;
	const struct estimate_function *of = function < estimates->count ? &estimates->functions[function] : &nothing;
	struct estimate_share share = get_share(estimates, of, weight);

	if (of->was_full && estimates->unplaced > 0)
		share.high = get_share(estimates, of, weight + estimates->unplaced).high;
	return share;
}

bool estimates_differ(const struct estimate_share *a, const struct estimate_share *b)
{
	/* A sample counts for one function only, so the two shares are negatively correlated: the variance of the difference is
	 * that of a multinomial distribution, with the smaller number of independent samples. 3.8415 is 1.96²: 95 %. */
	double each = a->independent < b->independent ? a->independent : b->independent, between = a->share - b->share;
	double variance = each > 0 ? (a->share + b->share - between * between) / each : 0;

	return between * between > 3.8415 * variance && variance > 0;
}
