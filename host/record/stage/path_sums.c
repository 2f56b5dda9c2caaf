/* path_sums: grows the memory of path sums, and copies the sums into a message. */
#include "record/stage/path_sums.h"

#include <stdlib.h>

#include "util/array.h"

static const struct dwell_paths_size first_size = {.nodes = 64, .functions = 32, .octaves = 64};

bool path_sums_begin(struct path_sums *sums)
{
	*sums = (struct path_sums){.memory = malloc(dwell_paths_bytes(&first_size))};
	if (!sums->memory)
		return false;
	dwell_paths_init(&sums->paths, sums->memory, &first_size);
	return true;
}

void path_sums_end(struct path_sums *sums)
{
	free(sums->memory);
	free(sums->nodes);
	free(sums->functions);
	free(sums->buckets);
	*sums = (struct path_sums){0};
}

/* Doubles size until it is at least wanted, or at least most. */
static uint32_t double_until(uint32_t size, uint64_t wanted, uint32_t most)
{
	while (size < wanted && size < most)
		size *= 2;
	return size;
}

/* Makes room for so many of each, as far as memory and the limits of a chunk allow. */
static void grow_to(struct path_sums *sums, uint64_t nodes, uint64_t functions, uint64_t octaves)
{
	const struct dwell_paths *has = &sums->paths;
	struct dwell_paths_size size = {double_until(has->size.nodes, nodes, PATH_SUMS_NODES_MAX),
		double_until(has->size.functions, functions, PATH_SUMS_FUNCTIONS_MAX),
		double_until(has->size.octaves, octaves, PATH_SUMS_OCTAVES_MAX)};
	bool grows = size.nodes != has->size.nodes || size.functions != has->size.functions || size.octaves != has->size.octaves;
	void *memory = grows ? malloc(dwell_paths_bytes(&size)) : NULL;

	if (memory) {
		dwell_paths_move(&sums->paths, memory, &size);
		free(sums->memory);
		sums->memory = memory;
	}
}

bool path_sums_grow(struct path_sums *sums, uint32_t depth)
{
	const struct dwell_paths *has = &sums->paths;
	uint64_t nodes = (uint64_t)has->node_count + depth + 1, functions = (uint64_t)has->function_count + depth + 1;

	grow_to(sums, nodes, functions, (uint64_t)has->octave_count + 1);
	return nodes <= has->size.nodes && functions <= has->size.functions && has->octave_count < has->size.octaves;
}

bool path_sums_has_any(const struct path_sums *sums)
{
	return sums->paths.node_count > 1 || sums->paths.function_count || sums->paths.other_calls ||
	       sums->paths.nodes[DWELL_PATHS_ROOT].taken_ticks;
}

static void copy_nodes(const struct path_sums *sums)
{
	for (uint32_t i = 1; i < sums->paths.node_count; i++) {
		const struct dwell_path *node = &sums->paths.nodes[i];

		sums->nodes[i - 1] = (struct message_sum_node){
			.parent = node->parent, /* the root is 0 */
			.function = node->function + 1,
			.calls = node->calls,
			.total_ticks = node->total_ticks,
			.self_ticks = node->self_ticks,
			.taken_ticks = node->taken_ticks,
		};
	}
}

static uint32_t copy_buckets(
	const struct path_sums *sums, const struct dwell_path_function *function, struct message_sum_bucket *to)
{
	uint32_t count = 0;

	for (uint32_t octave = 0; octave < DWELL_DURATION_OCTAVES; octave++)
		for (uint32_t step = 0; function->octaves[octave] && step < DWELL_DURATION_STEPS; step++) {
			uint64_t calls = sums->paths.octaves[function->octaves[octave] - 1][step];

			if (calls)
				to[count++] = (struct message_sum_bucket){octave * DWELL_DURATION_STEPS + step, calls};
		}
	return count;
}

bool path_sums_fill_message(struct path_sums *sums, struct message_sums *message)
{
	const struct dwell_paths *paths = &sums->paths;
	uint32_t buckets = 0;

	if (!array_reserve(&sums->nodes, &sums->node_capacity, paths->node_count, sizeof *sums->nodes) ||
		!array_reserve(
			&sums->functions, &sums->function_capacity, (size_t)paths->function_count + 1, sizeof *sums->functions) ||
		!array_reserve(&sums->buckets, &sums->bucket_capacity, (size_t)paths->octave_count * DWELL_DURATION_STEPS + 1,
			sizeof *sums->buckets))
		return false;
	copy_nodes(sums);
	for (uint32_t i = 0; i < paths->function_count; i++) {
		const struct dwell_path_function *function = &paths->functions[i];
		uint32_t count = copy_buckets(sums, function, sums->buckets + buckets);

		buckets += count;
		sums->functions[i] = (struct message_sum_function){
			.place = function->place,
			.no_place = function->place == DWELL_ID_UNKNOWN,
			.folded_calls = function->folded_calls,
			.folded_total_ticks = function->folded_total_ticks,
			.folded_self_ticks = function->folded_self_ticks,
			.untimed_calls = function->untimed_calls,
			.incomplete = function->incomplete,
			.min_ticks = count ? function->min_ticks : 0,
			.max_ticks = count ? function->max_ticks : 0,
			.sum_ticks = count ? function->sum_ticks : 0,
			.bucket_count = count,
		};
	}
	message->nodes = sums->nodes;
	message->node_count = paths->node_count - 1;
	message->functions = sums->functions;
	message->function_count = paths->function_count;
	message->buckets = sums->buckets;
	message->bucket_count = buckets;
	message->root_taken_ticks = paths->nodes[DWELL_PATHS_ROOT].taken_ticks;
	message->other_calls = paths->other_calls;
	message->other_ticks = paths->other_ticks;
	return true;
}

void path_sums_clear(struct path_sums *sums)
{
	dwell_paths_clear(&sums->paths);
}
