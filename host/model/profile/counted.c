/* counted: see counted.h.
 *
 * What is taken from a call may be more than what its row has so far, or its node after the tree was pruned: sums are modulo 2^64 on
 * the way, and right in the end. */
#include "model/profile/counted.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "model/thread/off.h"
#include "util/array.h"

static void *copy(const void *list, size_t count, size_t bytes)
{
	void *made = malloc(count ? count * bytes : 1);

	if (made && count)
		memcpy(made, list, count * bytes);
	return made;
}

static void free_sums(struct message_sums *sums)
{
	if (!sums)
		return;
	free((void *)(uintptr_t)sums->nodes);
	free((void *)(uintptr_t)sums->functions);
	free((void *)(uintptr_t)sums->buckets);
	free((void *)(uintptr_t)sums->frames);
	free(sums);
}

/* Open calls count as they are told last. */
static void forget_frames(struct counted *counted, uint32_t stream)
{
	for (size_t i = counted->count; i--;)
		if (counted->list[i]->stream == stream) {
			counted->list[i]->frame_count = 0;
			return;
		}
}

bool counted_keep(struct counted *counted, const struct message_sums *message)
{
	struct message_sums *kept = copy(message, 1, sizeof *message);

	if (!kept)
		return false;
	kept->nodes = copy(message->nodes, message->node_count, sizeof *message->nodes);
	kept->functions = copy(message->functions, message->function_count, sizeof *message->functions);
	kept->buckets = copy(message->buckets, message->bucket_count, sizeof *message->buckets);
	kept->frames = copy(message->frames, message->frame_count, sizeof *message->frames);
	if (!kept->nodes || !kept->functions || !kept->buckets || !kept->frames ||
		!array_reserve(&counted->list, &counted->capacity, counted->count + 1, sizeof(*counted->list))) {
		free_sums(kept);
		return false;
	}
	forget_frames(counted, message->stream);
	counted->list[counted->count++] = kept;
	if (message->has_no_moments) {
		counted->told.by_function = true;
		return true;
	}
	counted->told.any = true;
	counted->told.all |= message->is_all;
	if (message->limit_ticks > counted->told.limit_ticks)
		counted->told.limit_ticks = message->limit_ticks;
	for (uint32_t i = 0; i < message->node_count; i++)
		counted->told.calls += message->nodes[i].calls;
	for (uint32_t i = 0; i < message->function_count; i++)
		counted->told.calls += message->functions[i].folded_calls;
	counted->told.calls += message->other_calls;
	return true;
}

void counted_clear(struct counted *counted)
{
	for (size_t i = 0; i < counted->count; i++)
		free_sums(counted->list[i]);
	free(counted->list);
	*counted = (struct counted){0};
}

static void add(uint64_t *sum, uint64_t value)
{
	if (__builtin_add_overflow(*sum, value, sum))
		*sum = UINT64_MAX;
}

/* ---- whether it can be true ---- */

/* All that was told of a thread. */
struct said {
	bool any, all, has_no_moments;
	uint64_t first_ticks, last_ticks;
	uint64_t self_ticks;  /* at most 2^64 − 1 */
	uint64_t taken_ticks; /* modulo 2^64 */
	uint64_t root_ticks;  /* likewise */
	uint64_t lost_ticks, held_ticks;
};

static void add_said(struct said *said, const struct message_sums *sums)
{
	/* Where nothing had a time yet, some of it may be lost all the same. */
	if (sums->last_ticks && (!said->last_ticks || sums->first_ticks < said->first_ticks))
		said->first_ticks = sums->first_ticks;
	if (sums->last_ticks > said->last_ticks)
		said->last_ticks = sums->last_ticks;
	said->all = sums->is_all && (said->all || !said->any);
	said->any = true;
	said->has_no_moments |= sums->has_no_moments;
	for (uint32_t i = 0; i < sums->node_count; i++) {
		add(&said->self_ticks, sums->nodes[i].self_ticks);
		said->taken_ticks += sums->nodes[i].taken_ticks;
	}
	for (uint32_t i = 0; i < sums->function_count; i++)
		add(&said->self_ticks, sums->functions[i].folded_self_ticks);
	add(&said->self_ticks, sums->other_ticks);
	add(&said->lost_ticks, sums->lost_ticks);
	add(&said->held_ticks, sums->held_ticks);
	said->root_ticks += sums->root_taken_ticks;
}

/* How long the calls that are open within it took so far; of one stack, one behind the other. */
static uint64_t inner_ticks(const struct message_sums *sums, uint32_t index)
{
	bool has_inner = index + 1 < sums->frame_count && sums->frames[index + 1].stack == sums->frames[index].stack;

	return has_inner ? sums->last_ticks - sums->frames[index + 1].enter_ticks : 0;
}

/* Self times of open calls. False: that cannot be. */
static bool add_frames(struct said *said, const struct message_sums *sums)
{
	for (uint32_t i = 0; i < sums->frame_count; i++) {
		const struct message_sum_frame *frame = &sums->frames[i];
		uint64_t total = sums->last_ticks - frame->enter_ticks, inner = inner_ticks(sums, i);

		if (frame->enter_ticks > sums->last_ticks || inner > total || frame->child_ticks > total - inner)
			return false;
		if (i && sums->frames[i - 1].stack == frame->stack &&
			sums->nodes[frame->node - 1].parent != sums->frames[i - 1].node)
			return false;
		add(&said->self_ticks, total - inner - frame->child_ticks);
		if (frame->enter_ticks < said->first_ticks)
			said->first_ticks = frame->enter_ticks;
	}
	return true;
}

/* Whether it fits with what the events made of the thread. */
static bool fits(const struct said *said, const struct profile_thread *row, bool has_events)
{
	uint64_t elapsed = said->last_ticks - said->first_ticks;

	if (said->all)
		return !has_events && said->lost_ticks <= elapsed && said->self_ticks <= elapsed - said->lost_ticks &&
		       said->held_ticks <= elapsed - said->lost_ticks - said->self_ticks && !said->taken_ticks && !said->root_ticks;
	return has_events && said->self_ticks <= elapsed && said->self_ticks == said->taken_ticks + said->root_ticks &&
	       said->taken_ticks <= row->self_ticks && said->root_ticks <= row->outside_ticks;
}

/* ---- adding ---- */

static uint32_t function_of(const struct thread *thread, struct thread_context *context, const struct message_sums *sums,
	const struct message_sum_function *function)
{
	if (function->no_place)
		return functions_find_name(context->functions, "(unknown)");
	return functions_find(context->functions, thread->row.process, (struct place){sums->place_kind, function->place},
		sums->has_no_moments ? 0 : sums->last_ticks);
}

static bool add_durations(
	struct profile_function *row, const struct message_sum_function *function, const struct message_sum_bucket *buckets)
{
	struct profile_function durations = {.complete = !function->incomplete,
		.min = function->min_ticks,
		.max = function->max_ticks,
		.sum = function->sum_ticks};
	bool good = true;

	for (uint32_t i = 0; good && i < function->bucket_count; i++)
		good = histogram_add_bucket(&durations.durations, buckets[i].number, buckets[i].count);
	good = good && profile_merge_durations(row, &durations);
	histogram_clear(&durations.durations);
	return good;
}

/* What is said of functions, whatever the path. ids: of each function. */
static bool add_functions(
	struct thread *thread, struct thread_context *context, const struct message_sums *sums, uint32_t *ids)
{
	const struct message_sum_bucket *buckets = sums->buckets;
	struct profile *profile = context->profile;
	struct tree_node *root = &profile->tree.nodes[profile->tree.root];

	for (uint32_t i = 0; i < sums->function_count; i++) {
		const struct message_sum_function *function = &sums->functions[i];
		struct profile_function *row;

		ids[i] = function_of(thread, context, sums, function);
		row = ids[i] == FUNCTION_NONE ? NULL : profile_get_function(profile, ids[i]);
		if (!row || (!context->options.no_durations && !add_durations(row, function, buckets)))
			return false;
		buckets += function->bucket_count;
		add(&row->calls, function->folded_calls);
		add(&row->total, function->folded_total_ticks);
		row->self += function->folded_self_ticks;
		add(&row->untimed_calls, function->untimed_calls);
		add(&thread->row.calls, function->folded_calls);
		if (!by_thread_add(&profile->by_thread, &(struct by_thread_row){thread->row.stream, ids[i], function->folded_calls, 0,
							      function->folded_self_ticks, 0, 0, 0}))
			return false;
		if (context->options.no_tree)
			continue;
		root->self += function->folded_self_ticks;
		profile->tree.folded_calls += function->folded_calls;
	}
	return true;
}

/* What recording cost depends on: calls of a path, and whose they are. caller: null: they are outermost. */
static void add_by_thread(const struct thread *thread, struct thread_context *context, const struct sample_path *path,
	const struct sample_path *caller, uint64_t calls, uint64_t self_ticks)
{
	struct by_thread *table = &context->profile->by_thread;

	if (!by_thread_add(table, &(struct by_thread_row){thread->row.stream, path->function, calls, 0, self_ticks, 0, 0, 0}) ||
		(caller && !by_thread_add(table, &(struct by_thread_row){thread->row.stream, caller->function, 0, calls, 0, 0, 0, 0})))
		thread_starve(context);
}

/* A call, or all calls, of a path. */
static void add_calls(struct thread *thread, struct thread_context *context, const struct sample_path *path, uint64_t calls,
	uint64_t total_ticks, uint64_t self_ticks)
{
	struct profile_function *row = &context->profile->functions[path->function];
	struct tree *tree = &context->profile->tree;

	add(&thread->row.calls, calls);
	add(&row->calls, calls);
	row->self += self_ticks;
	if (!path->repeated)
		add(&row->total, total_ticks);
	if (context->options.no_tree)
		return;
	tree->nodes[path->node].self += self_ticks;
	if (tree->nodes[path->node].function != path->function) { /* its caller's */
		tree->folded_calls += calls;
		return;
	}
	add(&tree->nodes[path->node].calls, calls);
	add(&tree->nodes[path->node].total, total_ticks);
}

static bool find_paths(
	struct sample_paths *paths, struct thread_context *context, const struct message_sums *sums, const uint32_t *ids)
{
	paths->count = 0;
	if (tree_is_due(&context->profile->tree))
		tree_prune(&context->profile->tree, NULL, 0);
	for (uint32_t i = 0; i < sums->node_count; i++)
		if (!sample_paths_add(paths, context->profile, sums->nodes[i].parent, ids[sums->nodes[i].function - 1]))
			return false;
	return sample_paths_find_repeated(paths);
}

/* The same paths in the thread's own tree. */
static bool add_to_thread_tree(
	struct thread *thread, struct thread_context *context, const struct sample_paths *paths, const struct message_sums *sums)
{
	struct tree *tree = thread_trees_get(&context->profile->thread_trees, thread->row.stream);
	uint32_t *nodes = tree ? malloc((sums->node_count + 1) * sizeof *nodes) : NULL;

	if (!nodes)
		return false;
	if (tree_is_due(tree))
		tree_prune(tree, NULL, 0);
	nodes[0] = tree->root;
	for (uint32_t i = 0; i < sums->node_count; i++) {
		const struct message_sum_node *from = &sums->nodes[i];
		uint32_t node = tree_child(tree, nodes[from->parent], paths->paths[i].function);

		nodes[i + 1] = node ? node : nodes[from->parent];
		tree->nodes[nodes[i + 1]].self += from->self_ticks - from->taken_ticks;
		if (!node) {
			tree->folded_calls += from->calls;
			continue;
		}
		add(&tree->nodes[node].calls, from->calls);
		add(&tree->nodes[node].total, from->total_ticks);
	}
	for (uint32_t i = 0; i < sums->frame_count; i++) {
		struct tree_node *node = &tree->nodes[nodes[sums->frames[i].node]];
		uint64_t total = sums->last_ticks - sums->frames[i].enter_ticks;

		add(&node->calls, 1);
		add(&node->total, total);
		node->self += total - inner_ticks(sums, i) - sums->frames[i].child_ticks;
	}
	free(nodes);
	return true;
}

/* Null: none. */
static const struct sample_path *caller_of(const struct sample_paths *paths, const struct message_sums *sums, uint32_t node)
{
	return sums->nodes[node].parent ? &paths->paths[sums->nodes[node].parent - 1] : NULL;
}

static bool add_open(
	struct thread *thread, struct thread_context *context, const struct sample_paths *paths, const struct message_sums *sums)
{
	for (uint32_t i = 0; i < sums->frame_count; i++) {
		const struct message_sum_frame *frame = &sums->frames[i];
		const struct sample_path *path = &paths->paths[frame->node - 1];
		uint64_t total = sums->last_ticks - frame->enter_ticks;
		struct profile_function *row = &context->profile->functions[path->function];

		uint64_t self = total - inner_ticks(sums, i) - frame->child_ticks;

		add_calls(thread, context, path, !frame->is_piece, total, self);
		add_by_thread(thread, context, path, caller_of(paths, sums, frame->node - 1), !frame->is_piece, self);
		row->open_calls++;
		thread->row.open_calls++;
		thread->row.no_entry_calls += frame->no_entry;
		if (!context->options.no_durations && !frame->is_piece && !profile_add_duration(row, total, false))
			return false;
	}
	return true;
}

static void add_others(struct thread *thread, struct thread_context *context, const struct message_sums *sums)
{
	uint32_t id = sums->other_calls ? functions_find_name(context->functions, "(others)") : FUNCTION_NONE;
	struct profile_function *row = id == FUNCTION_NONE ? NULL : profile_get_function(context->profile, id);

	if (!row)
		return;
	add(&row->calls, sums->other_calls);
	row->self += sums->other_ticks;
	row->total += sums->other_ticks;
	add(&thread->row.calls, sums->other_calls);
	if (!by_thread_add(&context->profile->by_thread,
		    &(struct by_thread_row){thread->row.stream, id, sums->other_calls, 0, sums->other_ticks, 0, 0, 0}))
		thread_starve(context);
	if (!context->options.no_tree)
		context->profile->tree.nodes[context->profile->tree.root].self += sums->other_ticks;
}

static bool add_sums(
	struct thread *thread, struct thread_context *context, struct sample_paths *paths, const struct message_sums *sums)
{
	uint32_t *ids = malloc((sums->function_count + 1) * sizeof *ids);
	bool good = ids && add_functions(thread, context, sums, ids) && find_paths(paths, context, sums, ids);

	free(ids);
	for (uint32_t i = 0; good && i < sums->node_count; i++) {
		const struct message_sum_node *node = &sums->nodes[i];
		const struct sample_path *path = &paths->paths[i];

		add_calls(thread, context, path, node->calls, node->total_ticks, node->self_ticks - node->taken_ticks);
		add_by_thread(thread, context, path, caller_of(paths, sums, i), node->calls, node->self_ticks - node->taken_ticks);
	}
	if (!good || !add_open(thread, context, paths, sums))
		return false;
	add_others(thread, context, sums);
	return !context->options.thread_trees || add_to_thread_tree(thread, context, paths, sums);
}

/* What its events alone do not say; where none of the thread's calls is listed, that is all. */
static void add_row(struct profile_thread *row, const struct message_sums *sums)
{
	add(&row->backward_events, sums->backward_events);
	if (sums->deepest > row->deepest)
		row->deepest = sums->deepest;
	if (!sums->is_all)
		return;
	add(&row->events, sums->events);
	add(&row->lost_events, sums->lost_events);
	add(&row->unmatched_exits, sums->unmatched_exits);
	add(&row->unwound_calls, sums->unwound_calls);
	add(&row->no_entry_calls, sums->no_entry_calls);
	add(&row->gap_calls, sums->gap_calls);
	add(&row->beyond_calls, sums->beyond_calls);
}

static void settle_row(struct profile_thread *row, const struct said *said)
{
	if (!said->all) {
		row->self_ticks += said->root_ticks;
		row->outside_ticks -= said->root_ticks;
		return;
	}
	row->is_sums = said->has_no_moments;
	row->first_ticks = said->first_ticks;
	row->last_ticks = said->last_ticks;
	row->self_ticks = said->self_ticks;
	row->lost_ticks = said->lost_ticks;
	row->held_ticks = said->held_ticks;
	row->outside_ticks = said->last_ticks - said->first_ticks - said->self_ticks - said->lost_ticks - said->held_ticks;
}

bool counted_apply(struct counted *counted, struct sample_paths *paths, struct thread *thread, struct thread_context *context)
{
	bool has_events = thread_has_begun(thread) || thread->stacks.count;
	struct said said = {0};
	bool true_so_far = true, good = true;

	for (size_t i = 0; i < counted->count; i++)
		if (counted->list[i]->stream == thread->row.stream)
			add_said(&said, counted->list[i]);
	if (!said.any || !context->options.want_profile)
		return true;
	for (size_t i = 0; i < counted->count; i++)
		if (counted->list[i]->stream == thread->row.stream)
			true_so_far &= add_frames(&said, counted->list[i]);
	if (!true_so_far || thread->row.samples || !fits(&said, &thread->row, has_events)) {
		diag_add(context->diag, DIAG_WARN, NULL, DIAG_NO_OFFSET,
			"thread %" PRIu32 ": what was added up of calls that are not listed does not fit with the rest of it, and is left out",
			thread->row.tid);
		return true;
	}
	context->profile->has_times = true;
	for (size_t i = 0; good && i < counted->count; i++) {
		const struct message_sums *sums = counted->list[i];

		if (sums->stream != thread->row.stream)
			continue;
		good = add_sums(thread, context, paths, sums);
		add_row(&thread->row, sums);
		context->profile->cut_is_untold |= sums->is_all && sums->gap_calls;
	}
	if (!context->is_untimed)
		settle_row(&thread->row, &said);
	if (thread->row.is_sums && context->profile->has_off) {
		thread->row.off_untold = true;
		off_set_unknown(&thread->row, context);
	}
	return good;
}

static uint64_t take_from(struct tree_node *node, uint64_t ticks)
{
	uint64_t taken = node->self > INT64_MAX ? 0 : node->self < ticks ? node->self : ticks;

	node->self -= taken;
	return taken;
}

/* Steps that this may take all together where each node asks others, so that a large or hostile tree does not become quadratic. */
#define SETTLE_STEPS (UINT64_C(1) << 26)

static uint64_t take_from_callers(struct tree *tree, uint32_t at, uint64_t missing, uint64_t *steps)
{
	for (uint32_t above = tree->nodes[at].parent; missing && above != TREE_NONE && *steps; above = tree->nodes[above].parent, --*steps)
		missing -= take_from(&tree->nodes[above], missing);
	return missing;
}

static uint64_t take_from_same(struct tree *tree, uint32_t function, uint64_t missing, uint64_t *steps)
{
	for (uint32_t other = TREE_ROOT; missing && other < tree->count && *steps; other++, --*steps)
		if (tree->nodes[other].function == function)
			missing -= take_from(&tree->nodes[other], missing);
	return missing;
}

/* Nodes that have less than what was taken from them: their calls count elsewhere. Where the tree was pruned, that is a caller; where a
 * call turned out to be around them that began before the data, another path of the same function. */
static void settle_tree(struct tree *tree)
{
	uint64_t steps = SETTLE_STEPS, rest = 0;

	for (uint32_t at = tree->count; at-- > TREE_ROOT;) {
		uint64_t missing = 0 - tree->nodes[at].self;

		if (tree->nodes[at].self <= INT64_MAX)
			continue;
		tree->nodes[at].self = 0;
		missing = take_from_callers(tree, at, missing, &steps);
		rest += take_from_same(tree, tree->nodes[at].function, missing, &steps);
	}
	for (uint32_t other = TREE_ROOT; rest && other < tree->count; other++)
		rest -= take_from(&tree->nodes[other], rest);
}

void counted_settle(const struct counted *counted, struct profile *profile)
{
	if (!counted->count)
		return;
	for (size_t id = 0; id < profile->function_count; id++)
		if (profile->functions[id].self > INT64_MAX) /* of a broken file only */
			profile->functions[id].self = 0;
	settle_tree(&profile->tree);
	for (size_t i = 0; i < profile->thread_trees.count; i++)
		settle_tree(&profile->thread_trees.list[i].tree);
}
