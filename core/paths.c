/* SPDX-License-Identifier: MIT
 *
 * Paths: sums of finished calls as a tree (paths.h).
 */
#include "core/paths.h"

/* In .user of a frame: the frame has no node in this generation. */
#define NO_NODE UINT32_MAX

/* Rounds up to a multiple of 8. */
static size_t aligned(size_t bytes)
{
	return (bytes + 7) / 8 * 8;
}

size_t dwell_paths_bytes(const struct dwell_paths_size *size)
{
	uint64_t bytes = (uint64_t)size->nodes * (sizeof(struct dwell_path) + 2 * sizeof(uint32_t)) +
			 (uint64_t)size->functions * (aligned(sizeof(struct dwell_path_function)) + 2 * sizeof(uint32_t)) +
			 (uint64_t)size->octaves * DWELL_DURATION_STEPS * sizeof(uint64_t);

	return bytes <= SIZE_MAX / 2 ? (size_t)bytes : 0;
}

static void empty_slots(struct dwell_paths *paths)
{
	for (uint32_t i = 0; i < paths->size.nodes * 2; i++)
		paths->node_slots[i] = 0;
	for (uint32_t i = 0; i < paths->size.functions * 2; i++)
		paths->function_slots[i] = 0;
}

/* Sets the arrays' addresses: octaves, nodes, functions and both hash tables follow each other in memory. */
static void lay_out(struct dwell_paths *paths, void *memory, const struct dwell_paths_size *size)
{
	unsigned char *at = memory;

	paths->size = *size;
	paths->octaves = (uint64_t(*)[DWELL_DURATION_STEPS])(void *)at;
	at += size->octaves * sizeof *paths->octaves;
	paths->nodes = (struct dwell_path *)(void *)at;
	at += size->nodes * sizeof *paths->nodes;
	paths->functions = (struct dwell_path_function *)(void *)at;
	at += size->functions * aligned(sizeof *paths->functions);
	paths->node_slots = (uint32_t *)(void *)at;
	paths->function_slots = paths->node_slots + (size_t)size->nodes * 2;
}

void dwell_paths_init(struct dwell_paths *paths, void *memory, const struct dwell_paths_size *size)
{
	lay_out(paths, memory, size);
	paths->generation = 0;
	dwell_paths_clear(paths);
}

static void begin_node(struct dwell_path *node, uint32_t parent, uint32_t function)
{
	node->parent = parent;
	node->function = function;
	node->recent = DWELL_PATHS_ROOT;
	node->reserved = 0;
	node->calls = node->total_ticks = node->self_ticks = node->taken_ticks = 0;
}

void dwell_paths_clear(struct dwell_paths *paths)
{
	paths->generation = paths->generation == UINT32_MAX ? 1 : paths->generation + 1;
	paths->node_count = 1;
	paths->function_count = paths->octave_count = 0;
	paths->full = false;
	paths->other_calls = paths->other_ticks = paths->unbinned = 0;
	begin_node(&paths->nodes[DWELL_PATHS_ROOT], DWELL_PATHS_ROOT, 0);
	empty_slots(paths);
}

static uint32_t hash(uint64_t key, uint32_t mask)
{
	return (uint32_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 32) & mask;
}

/* Returns the index in function_slots of the function at place, or of the free slot where it belongs. */
static uint32_t function_slot(const struct dwell_paths *paths, uint64_t place)
{
	uint32_t mask = paths->size.functions * 2 - 1, at = hash(place, mask);

	while (paths->function_slots[at] && paths->functions[paths->function_slots[at] - 1].place != place)
		at = (at + 1) & mask;
	return at;
}

/* The same in node_slots, for the child of a node. */
static uint32_t node_slot(const struct dwell_paths *paths, uint32_t parent, uint32_t function)
{
	uint32_t mask = paths->size.nodes * 2 - 1, at = hash((uint64_t)parent << 32 | function, mask), number;

	while ((number = paths->node_slots[at]) &&
		(paths->nodes[number - 1].parent != parent || paths->nodes[number - 1].function != function))
		at = (at + 1) & mask;
	return at;
}

void dwell_paths_move(struct dwell_paths *paths, void *memory, const struct dwell_paths_size *size)
{
	struct dwell_paths old = *paths;

	lay_out(paths, memory, size);
	empty_slots(paths);
	for (uint32_t i = 0; i < old.octave_count; i++)
		for (uint32_t step = 0; step < DWELL_DURATION_STEPS; step++)
			paths->octaves[i][step] = old.octaves[i][step];
	for (uint32_t i = 0; i < old.function_count; i++) {
		paths->functions[i] = old.functions[i];
		paths->function_slots[function_slot(paths, old.functions[i].place)] = i + 1;
	}
	for (uint32_t i = 0; i < old.node_count; i++) {
		paths->nodes[i] = old.nodes[i];
		if (i != DWELL_PATHS_ROOT)
			paths->node_slots[node_slot(paths, old.nodes[i].parent, old.nodes[i].function)] = i + 1;
	}
	/* Frames marked with NO_NODE may now find room. A new generation makes all frames look up their nodes again. */
	if (old.full)
		paths->generation = paths->generation == UINT32_MAX ? 1 : paths->generation + 1;
	paths->full = false;
}

static void begin_function(struct dwell_path_function *function, uint64_t place)
{
	function->place = place;
	function->folded_calls = function->folded_total_ticks = function->folded_self_ticks = 0;
	function->untimed_calls = 0;
	function->min_ticks = UINT64_MAX;
	function->max_ticks = function->sum_ticks = function->durations = 0;
	function->incomplete = false;
	for (uint32_t i = 0; i < DWELL_DURATION_OCTAVES; i++)
		function->octaves[i] = 0;
}

/* Returns the number of the function at place, created if new. DWELL_PATHS_NONE: no room. */
static uint32_t find_function(struct dwell_paths *paths, uint64_t place)
{
	uint32_t at = function_slot(paths, place);

	if (paths->function_slots[at])
		return paths->function_slots[at] - 1;
	if (paths->function_count == paths->size.functions) {
		paths->full = true;
		return DWELL_PATHS_NONE;
	}
	begin_function(&paths->functions[paths->function_count], place);
	paths->function_slots[at] = ++paths->function_count;
	return paths->function_count - 1;
}

static uint32_t child_of_function(struct dwell_paths *paths, uint32_t parent, uint32_t function)
{
	uint32_t at = node_slot(paths, parent, function), node = paths->node_slots[at];

	if (!node) {
		if (paths->node_count == paths->size.nodes) {
			paths->full = true;
			return DWELL_PATHS_NONE;
		}
		begin_node(&paths->nodes[paths->node_count], parent, function);
		node = paths->node_slots[at] = ++paths->node_count;
	}
	paths->nodes[parent].recent = node - 1;
	return node - 1;
}

uint32_t dwell_paths_child(struct dwell_paths *paths, uint32_t parent, uint64_t place)
{
	uint32_t guess = paths->nodes[parent].recent, function;

	if (guess != DWELL_PATHS_ROOT && paths->functions[paths->nodes[guess].function].place == place)
		return guess;
	function = find_function(paths, place);
	return function == DWELL_PATHS_NONE ? DWELL_PATHS_NONE : child_of_function(paths, parent, function);
}

uint32_t dwell_paths_find_open(struct dwell_paths *paths, struct dwell_frame *frames, uint32_t depth)
{
	const uint64_t generation = (uint64_t)paths->generation << 32;
	uint32_t index = depth, node = DWELL_PATHS_ROOT;

	while (index && (frames[index - 1].user ^ generation) >> 32)
		index--;
	if (index)
		node = (uint32_t)frames[index - 1].user;
	for (; index < depth; index++) {
		node = node == NO_NODE ? NO_NODE : dwell_paths_child(paths, node, frames[index].id);
		frames[index].user = generation | node; /* DWELL_PATHS_NONE is NO_NODE */
	}
	return node;
}

/* Whether one of the open calls is of the function at place: then a call of it is recursive. */
static bool is_nested(const struct dwell_frame *frames, uint32_t depth, uint64_t place)
{
	while (depth--)
		if (frames[depth].id == place)
			return true;
	return false;
}

/* Called at the first complete call: the durations so far were lower bounds. Keeps the function's counter blocks, set to 0. */
static void forget_durations(struct dwell_paths *paths, struct dwell_path_function *function)
{
	for (uint32_t i = 0; i < DWELL_DURATION_OCTAVES; i++)
		for (uint32_t step = 0; function->octaves[i] && step < DWELL_DURATION_STEPS; step++)
			paths->octaves[function->octaves[i] - 1][step] = 0;
	function->min_ticks = UINT64_MAX;
	function->max_ticks = function->sum_ticks = function->durations = 0;
}

/* Returns the function's counters of an octave, created if new. Null: no room. */
static uint64_t *find_octave(struct dwell_paths *paths, struct dwell_path_function *function, uint32_t octave)
{
	if (DWELL_RARELY(!function->octaves[octave])) {
		if (paths->octave_count == paths->size.octaves) {
			paths->full = true;
			return 0;
		}
		for (uint32_t step = 0; step < DWELL_DURATION_STEPS; step++)
			paths->octaves[paths->octave_count][step] = 0;
		function->octaves[octave] = ++paths->octave_count;
	}
	return paths->octaves[function->octaves[octave] - 1];
}

/* Adds a duration to the function's histogram. Durations of incomplete calls count only until the first complete call. */
static void add_duration(struct dwell_paths *paths, struct dwell_path_function *function, uint64_t ticks, bool complete)
{
	uint32_t bucket = dwell_duration_bucket(ticks);
	uint64_t *counters;

	if (DWELL_RARELY(function->incomplete == complete && function->durations)) {
		if (!complete)
			return;
		forget_durations(paths, function);
	}
	function->incomplete = !complete;
	function->durations++;
	function->sum_ticks += ticks;
	if (ticks < function->min_ticks)
		function->min_ticks = ticks;
	if (ticks > function->max_ticks)
		function->max_ticks = ticks;
	counters = find_octave(paths, function, bucket / DWELL_DURATION_STEPS);
	if (counters)
		counters[bucket % DWELL_DURATION_STEPS]++;
	else
		paths->unbinned++;
}

void dwell_paths_add(struct dwell_paths *paths, struct dwell_frame *frames, uint32_t depth, const struct dwell_call *call)
{
	uint32_t parent = dwell_paths_find_open(paths, frames, depth), number;
	uint32_t node = parent == DWELL_PATHS_NONE ? DWELL_PATHS_NONE : dwell_paths_child(paths, parent, call->id);
	struct dwell_path_function *function;
	bool counts = !(call->flags & DWELL_CALL_PIECE);

	if (node != DWELL_PATHS_NONE) {
		struct dwell_path *path = &paths->nodes[node];

		path->calls += counts;
		path->total_ticks += call->total_ticks;
		path->self_ticks += call->self_ticks;
		function = &paths->functions[path->function];
	} else {
		number = find_function(paths, call->id);
		if (number == DWELL_PATHS_NONE) {
			paths->other_calls += counts;
			paths->other_ticks += call->self_ticks;
			return;
		}
		function = &paths->functions[number];
		function->folded_calls += counts;
		function->folded_self_ticks += call->self_ticks;
		function->folded_total_ticks += is_nested(frames, depth, call->id) ? 0 : call->total_ticks;
	}
	function->untimed_calls += (call->flags & DWELL_CALL_NO_EXIT) != 0;
	if (counts && !(call->flags & DWELL_CALL_NO_EXIT))
		add_duration(paths, function, call->total_ticks, !(call->flags & ~(uint32_t)DWELL_CALL_UNWOUND));
}

bool dwell_paths_take(struct dwell_paths *paths, struct dwell_frame *frames, uint32_t depth, uint64_t ticks)
{
	uint32_t node = dwell_paths_find_open(paths, frames, depth);

	if (node == DWELL_PATHS_NONE)
		return false;
	paths->nodes[node].taken_ticks += ticks;
	return true;
}
