/* estimate: see estimate.h. */
#include "model/profile/estimate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/function/function.h"
#include "util/array.h"

/* So much more do blocks differ than single samples, if there are runs: by chance 30 blocks do in one of a hundred estimates. */
#define RUNS_MIN 1.6

/* 97.5 % of Student's distribution, for so many degrees of freedom. Cornish and Fisher's series; within 0.1 % from 10 on. */
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

/* The block is over: it counts, and is half of one on the next level. */
static bool end_block(struct estimates *estimates, struct estimate_run *run, uint32_t at)
{
	struct estimate_level *level = &run->levels[at], *next = at + 1 < ESTIMATE_LEVELS ? level + 1 : NULL;
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
	struct estimates *estimates, struct estimate_run *run, const uint32_t *functions, size_t function_count, uint64_t weight)
{
	bool good = true;

	for (size_t i = 0; i < function_count; i++) {
		struct estimate_function *counted = get_function(estimates, functions[i]);

		good &= counted && add_part(&run->levels[0], functions[i], (double)weight);
		if (counted)
			counted->samples++;
	}
	estimates->samples++;
	estimates->weight += (double)weight;
	run->levels[0].weight += (double)weight;
	run->levels[0].samples++;
	for (uint32_t i = 0; i < ESTIMATE_LEVELS && run->levels[i].samples == 1u << i; i++)
		good &= end_block(estimates, run, i);
	return good;
}

bool estimates_add(struct estimates *estimates, struct estimate_run *run, uint32_t function, uint64_t weight)
{
	return estimates_add_all(estimates, run, &function, function != FUNCTION_NONE, weight);
}

/* Blocks of one sample; of longer ones nothing is known. */
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

bool estimates_end_run(struct estimates *estimates, struct estimate_run *run)
{
	bool good = true;

	for (uint32_t i = 0; i < ESTIMATE_LEVELS; i++)
		if (run->levels[i].samples)
			good &= end_block(estimates, run, i);
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

bool estimates_add_unfinished(struct estimates *estimates, const struct estimate_run *run)
{
	struct estimate_run copy = {0};
	bool good = true;

	for (uint32_t i = 0; i < ESTIMATE_LEVELS; i++)
		good &= copy_level(&copy.levels[i], &run->levels[i]);
	good = good && estimates_end_run(estimates, &copy);
	estimate_run_clear(&copy);
	return good;
}

void estimate_run_clear(struct estimate_run *run)
{
	for (uint32_t i = 0; i < ESTIMATE_LEVELS; i++)
		free(run->levels[i].parts);
	*run = (struct estimate_run){0};
}

struct estimate_run *estimate_runs_get(struct estimate_runs *runs, uint32_t stream)
{
	if (runs->recent < runs->count && runs->list[runs->recent].stream == stream)
		return &runs->list[runs->recent].run;
	for (runs->recent = 0; runs->recent < runs->count; runs->recent++)
		if (runs->list[runs->recent].stream == stream)
			return &runs->list[runs->recent].run;
	if (!array_reserve(&runs->list, &runs->capacity, runs->count + 1, sizeof *runs->list))
		return NULL;
	runs->list[runs->count] = (struct estimate_runs_of){.stream = stream};
	return &runs->list[runs->count++].run;
}

bool estimates_end_runs(struct estimates *estimates, struct estimate_runs *runs)
{
	bool good = true;

	for (size_t i = 0; i < runs->count; i++)
		good &= estimates_end_run(estimates, &runs->list[i].run);
	return good;
}

void estimate_runs_clear(struct estimate_runs *runs)
{
	for (size_t i = 0; i < runs->count; i++)
		estimate_run_clear(&runs->list[i].run);
	free(runs->list);
	*runs = (struct estimate_runs){0};
}

bool estimates_merge(struct estimates *into, const struct estimates *from)
{
	if (from->count && !get_function(into, (uint32_t)from->count - 1))
		return false;
	for (size_t i = 0; i < from->count; i++) {
		into->functions[i].samples += from->functions[i].samples;
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
	into->samples += from->samples;
	into->weight += from->weight;
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

struct estimate_share estimates_get_share(const struct estimates *estimates, uint32_t function, double weight)
{
	static const struct estimate_function nothing;
	const struct estimate_function *of = function < estimates->count ? &estimates->functions[function] : &nothing;
	struct estimate_share result = {0};
	double total = estimates->weight, share, factor, freedom = (double)estimates->blocks[0] - 1, center, half;
	double single = 0, before = 0, doubling = 0;

	if (total <= 0)
		return result;
	share = weight / total;
	result.share = share = share > 1 ? 1 : share;
	for (uint32_t k = 0; k < ESTIMATE_LEVELS && estimates->blocks[k] > 1; k++) {
		double blocks = (double)estimates->blocks[k];
		double squares = of->squares[k] - 2 * share * of->products[k] + share * share * estimates->squares[k];
		double variance = squares / (total * total) * blocks / (blocks - 1);

		if (k && estimates->blocks[k] < ESTIMATE_BLOCKS_MIN)
			break;
		if (variance > result.variance) {
			result.variance = variance;
			freedom = blocks - 1;
			doubling = variance - before;
		}
		single = k ? single : variance;
		before = variance;
	}
	/* A block of n samples lacks what is between its last ones and the next block's first: as much as one over n, so that of 2 n lacks
	 * half of it, which is what it has more. The sum is known as well as half of the blocks would tell. */
	if (result.variance > RUNS_MIN * single && doubling > 0) {
		result.variance += doubling;
		freedom /= 2;
	}
	/* As if every sample weighed the same and knew nothing of the others: where the function was never, or always, found nothing
	 * else is known. */
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

bool estimates_can_tell(const struct estimate_share *a, const struct estimate_share *b)
{
	/* A sample is in one function or in the other: the shares of one run pull against each other. */
	double each = a->independent < b->independent ? a->independent : b->independent, between = a->share - b->share;
	double variance = each > 0 ? (a->share + b->share - between * between) / each : 0;

	return between * between > 3.8415 * variance && variance > 0;
}
