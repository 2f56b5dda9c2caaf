/* call_sums: checks the recorder's sums of calls, and adds the sums to the profile.
 *
 * A subtraction may exceed the present time of a function's row, or the time of a node after pruning. So intermediate sums
 * count modulo 2^64; the final sums are right. */
#include "model/sums/call_sums.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "model/thread/off_cpu.h"
#include "util/array.h"
#include "util/saturate.h"

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

/* Removes the open calls of the stream's last message so far: only those of the newest message count. */
static void forget_frames(struct call_sums *call_sums, uint32_t stream)
{
	for (size_t i = call_sums->count; i--;)
		if (call_sums->list[i]->stream == stream) {
			call_sums->list[i]->frame_count = 0;
			return;
		}
}

bool call_sums_add(struct call_sums *call_sums, const struct message_sums *message)
{
	struct message_sums *kept = copy(message, 1, sizeof *message);

	if (!kept)
		return false;
	kept->nodes = copy(message->nodes, message->node_count, sizeof *message->nodes);
	kept->functions = copy(message->functions, message->function_count, sizeof *message->functions);
	kept->buckets = copy(message->buckets, message->bucket_count, sizeof *message->buckets);
	kept->frames = copy(message->frames, message->frame_count, sizeof *message->frames);
	if (!kept->nodes || !kept->functions || !kept->buckets || !kept->frames ||
		!array_reserve(&call_sums->list, &call_sums->capacity, call_sums->count + 1, sizeof(*call_sums->list))) {
		free_sums(kept);
		return false;
	}
	forget_frames(call_sums, message->stream);
	call_sums->list[call_sums->count++] = kept;
	if (message->has_no_moments) {
		call_sums->told.by_function = true;
		return true;
	}
	call_sums->told.any = true;
	call_sums->told.all |= message->is_all;
	if (message->limit_ticks > call_sums->told.limit_ticks)
		call_sums->told.limit_ticks = message->limit_ticks;
	for (uint32_t i = 0; i < message->node_count; i++)
		call_sums->told.calls += message->nodes[i].calls;
	for (uint32_t i = 0; i < message->function_count; i++)
		call_sums->told.calls += message->functions[i].folded_calls;
	call_sums->told.calls += message->other_calls;
	return true;
}

void call_sums_clear(struct call_sums *call_sums)
{
	for (size_t i = 0; i < call_sums->count; i++)
		free_sums(call_sums->list[i]);
	free(call_sums->list);
	*call_sums = (struct call_sums){0};
}

/* ---- checks ---- */

/* The sums over all messages of a thread. any: there are messages. all: is_all in each message. */
struct totals {
	bool any, all, has_no_moments;
	uint64_t first_ticks, last_ticks;
	uint64_t self_ticks;  /* at most 2^64 − 1 */
	uint64_t taken_ticks; /* self time of recorded calls, spent in calls of the sums; modulo 2^64 */
	uint64_t root_ticks;  /* time outside of all recorded calls, spent in calls of the sums; modulo 2^64 */
	uint64_t lost_ticks, held_ticks;
};

static void add_to_totals(struct totals *totals, const struct message_sums *sums)
{
	/* A message without a time may still have losses. */
	if (sums->last_ticks && (!totals->last_ticks || sums->first_ticks < totals->first_ticks))
		totals->first_ticks = sums->first_ticks;
	if (sums->last_ticks > totals->last_ticks)
		totals->last_ticks = sums->last_ticks;
	totals->all = sums->is_all && (totals->all || !totals->any);
	totals->any = true;
	totals->has_no_moments |= sums->has_no_moments;
	for (uint32_t i = 0; i < sums->node_count; i++) {
		saturate_add(&totals->self_ticks, sums->nodes[i].self_ticks);
		totals->taken_ticks += sums->nodes[i].taken_ticks;
	}
	for (uint32_t i = 0; i < sums->function_count; i++)
		saturate_add(&totals->self_ticks, sums->functions[i].folded_self_ticks);
	saturate_add(&totals->self_ticks, sums->other_ticks);
	saturate_add(&totals->lost_ticks, sums->lost_ticks);
	saturate_add(&totals->held_ticks, sums->held_ticks);
	totals->root_ticks += sums->root_taken_ticks;
}

/* The time so far of the open call made by the open call at index; 0: none. Frames of one stack are consecutive. */
static uint64_t inner_ticks(const struct message_sums *sums, uint32_t index)
{
	bool has_inner = index + 1 < sums->frame_count && sums->frames[index + 1].stack == sums->frames[index].stack;

	return has_inner ? sums->last_ticks - sums->frames[index + 1].enter_ticks : 0;
}

/* Adds the self times of open calls. False: the frames contradict each other. */
static bool add_frames(struct totals *totals, const struct message_sums *sums)
{
	for (uint32_t i = 0; i < sums->frame_count; i++) {
		const struct message_sum_frame *frame = &sums->frames[i];
		uint64_t total = sums->last_ticks - frame->enter_ticks, inner = inner_ticks(sums, i);

		if (frame->enter_ticks > sums->last_ticks || inner > total || frame->child_ticks > total - inner)
			return false;
		if (i && sums->frames[i - 1].stack == frame->stack &&
			sums->nodes[frame->node - 1].parent != sums->frames[i - 1].node)
			return false;
		saturate_add(&totals->self_ticks, total - inner - frame->child_ticks);
		if (frame->enter_ticks < totals->first_ticks)
			totals->first_ticks = frame->enter_ticks;
	}
	return true;
}

/* Whether the sums agree with the thread's row, which has the figures of its events so far. */
static bool agrees_with_events(const struct totals *totals, const struct profile_thread *row, bool has_events)
{
	uint64_t elapsed = totals->last_ticks - totals->first_ticks;

	if (totals->all)
		return !has_events && totals->lost_ticks <= elapsed && totals->self_ticks <= elapsed - totals->lost_ticks &&
		       totals->held_ticks <= elapsed - totals->lost_ticks - totals->self_ticks && !totals->taken_ticks &&
		       !totals->root_ticks;
	return has_events && totals->self_ticks <= elapsed && totals->self_ticks == totals->taken_ticks + totals->root_ticks &&
	       totals->taken_ticks <= row->self_ticks && totals->root_ticks <= row->outside_ticks;
}

/* ---- adding ---- */

/* The function id; FUNCTION_NONE: no memory. */
static uint32_t function_of(const struct thread *thread, struct thread_context *context, const struct message_sums *sums,
	const struct message_sum_function *function)
{
	if (function->no_place)
		return functions_find_name(context->functions, "(unknown)");
	return functions_find(context->functions, thread->own.row.process, (struct place){sums->place_kind, function->place},
		sums->has_no_moments ? 0 : sums->last_ticks);
}

/* Adds a function's durations from its buckets. False: no memory. */
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

/* As tree_add, but self_ticks may be negative (modulo 2^64) for a while; settle_tree corrects negative times at the end. */
static void add_to_path(struct tree *tree, uint32_t node, uint64_t calls, uint64_t total_ticks, uint64_t self_ticks)
{
	struct tree_node *at = &tree->nodes[node];

	saturate_add(&at->calls, calls);
	at->self += self_ticks;
	if (tree_is_other(tree, node)) {
		at->total += self_ticks;
		tree->folded_calls += calls;
	} else {
		saturate_add(&at->total, total_ticks);
	}
}

/* Adds calls without a path to by_thread, as outermost calls. False: no memory. */
static bool add_pathless(const struct thread *thread, struct profile *profile, uint32_t function, uint64_t calls, uint64_t self)
{
	struct by_thread_row row = {thread->own.row.stream, function, calls, 0, self, 0, calls, 0};

	return by_thread_add(&profile->by_thread, &row);
}

/* Adds the functions' durations, and their calls without a path (folded). ids[i] receives the id of function i. False: no
 * memory. */
static bool add_functions(
	struct thread *thread, struct thread_context *context, const struct message_sums *sums, uint32_t *ids)
{
	const struct message_sum_bucket *buckets = sums->buckets;
	struct profile *profile = context->profile;

	for (uint32_t i = 0; i < sums->function_count; i++) {
		const struct message_sum_function *function = &sums->functions[i];
		struct profile_function *row;

		ids[i] = function_of(thread, context, sums, function);
		row = ids[i] == FUNCTION_NONE ? NULL : profile_get_function(profile, ids[i]);
		if (!row || (!context->options.no_durations && !add_durations(row, function, buckets)))
			return false;
		buckets += function->bucket_count;
		saturate_add(&row->calls, function->folded_calls);
		saturate_add(&row->total, function->folded_total_ticks);
		row->self += function->folded_self_ticks;
		saturate_add(&row->untimed_calls, function->untimed_calls);
		saturate_add(&thread->own.row.calls, function->folded_calls);
		if (!add_pathless(thread, profile, ids[i], function->folded_calls, function->folded_self_ticks))
			return false;
		if (context->options.no_tree)
			continue;
		if (function->folded_calls || function->folded_self_ticks)
			add_to_path(&profile->tree, tree_other(&profile->tree, profile->tree.root), function->folded_calls, 0,
				function->folded_self_ticks);
	}
	return true;
}

/* Adds a path's calls to by_thread, by which cost.h computes the cost of recording. below: number of calls made in them. caller:
 * null: the calls are outermost. */
static void add_by_thread(const struct thread *thread, struct thread_context *context, const struct sample_path *path,
	const struct sample_path *caller, uint64_t calls, uint64_t below, uint64_t self_ticks)
{
	struct by_thread *table = &context->profile->by_thread;
	struct by_thread_row row = {thread->own.row.stream, path->function, calls, 0, self_ticks, 0, 0, 0};
	struct by_thread_row callers = {.stream = thread->own.row.stream, .made = calls};

	if (!path->repeated) {
		row.outermost = calls;
		row.below = below;
	}
	if (caller)
		callers.function = caller->function;
	if (!by_thread_add(table, &row) || (caller && !by_thread_add(table, &callers)))
		thread_out_of_memory(context);
}

/* Adds calls of a path to the rows of the thread and the function, and to the path's node. */
static void add_calls(struct thread *thread, struct thread_context *context, const struct sample_path *path, uint64_t calls,
	uint64_t total_ticks, uint64_t self_ticks)
{
	struct profile_function *row = &context->profile->functions[path->function];
	struct tree *tree = &context->profile->tree;

	saturate_add(&thread->own.row.calls, calls);
	saturate_add(&row->calls, calls);
	row->self += self_ticks;
	if (!path->repeated)
		saturate_add(&row->total, total_ticks);
	if (context->options.no_tree)
		return;
	add_to_path(tree, path->node, calls, total_ticks, self_ticks);
}

/* Finds the tree node of each path of the message. False: no memory. */
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

/* Adds the paths of the message to the tree of the thread, too. False: no memory. */
static bool add_to_thread_tree(
	struct thread *thread, struct thread_context *context, const struct sample_paths *paths, const struct message_sums *sums)
{
	struct tree *tree = thread_trees_get(&context->profile->thread_trees, thread->own.row.stream);
	uint32_t *nodes = tree ? malloc((sums->node_count + 1) * sizeof *nodes) : NULL;

	if (!nodes)
		return false;
	if (tree_is_due(tree))
		tree_prune(tree, NULL, 0);
	nodes[0] = tree->root;
	for (uint32_t i = 0; i < sums->node_count; i++) {
		const struct message_sum_node *from = &sums->nodes[i];

		nodes[i + 1] = tree_path(tree, nodes[from->parent], paths->paths[i].function);
		add_to_path(tree, nodes[i + 1], from->calls, from->total_ticks, from->self_ticks - from->taken_ticks);
	}
	for (uint32_t i = 0; i < sums->frame_count; i++) {
		uint64_t total = sums->last_ticks - sums->frames[i].enter_ticks;

		add_to_path(
			tree, nodes[sums->frames[i].node], 1, total, total - inner_ticks(sums, i) - sums->frames[i].child_ticks);
	}
	free(nodes);
	return true;
}

/* The path of the node's caller; null: the path is outermost. */
static const struct sample_path *caller_of(const struct sample_paths *paths, const struct message_sums *sums, uint32_t node)
{
	return sums->nodes[node].parent ? &paths->paths[sums->nodes[node].parent - 1] : NULL;
}

/* Adds the calls that were open when the message was written, with their time so far. False: no memory. */
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
		add_by_thread(thread, context, path, caller_of(paths, sums, frame->node - 1), !frame->is_piece, 0, self);
		row->open_calls++;
		thread->own.row.open_calls++;
		thread->own.row.no_entry_calls += frame->no_entry;
		if (!context->options.no_durations && !frame->is_piece && !profile_add_duration(row, total, false))
			return false;
	}
	return true;
}

/* Adds the calls of functions that the recorder had no room to list, as the function "(others)". */
static void add_others(struct thread *thread, struct thread_context *context, const struct message_sums *sums)
{
	uint32_t id = sums->other_calls ? functions_find_name(context->functions, "(others)") : FUNCTION_NONE;
	struct profile_function *row = id == FUNCTION_NONE ? NULL : profile_get_function(context->profile, id);

	if (!row)
		return;
	saturate_add(&row->calls, sums->other_calls);
	row->self += sums->other_ticks;
	row->total += sums->other_ticks;
	saturate_add(&thread->own.row.calls, sums->other_calls);
	if (!add_pathless(thread, context->profile, id, sums->other_calls, sums->other_ticks))
		thread_out_of_memory(context);
	if (!context->options.no_tree)
		context->profile->tree.nodes[context->profile->tree.root].self += sums->other_ticks;
}

/* [node + 1]: the number of calls made, at any depth, in calls of the node's path. The caller frees the list. Null: no memory. */
static uint64_t *count_below(const struct message_sums *sums)
{
	uint64_t *below = calloc(sums->node_count + (size_t)1, sizeof *below); /* [0]: all calls */

	for (uint32_t i = 0; below && i < sums->frame_count; i++)
		below[sums->nodes[sums->frames[i].node - 1].parent] += !sums->frames[i].is_piece;
	for (uint32_t i = sums->node_count; below && i--;)
		below[sums->nodes[i].parent] += sums->nodes[i].calls + below[i + 1];
	return below;
}

static bool add_sums(
	struct thread *thread, struct thread_context *context, struct sample_paths *paths, const struct message_sums *sums)
{
	uint32_t *ids = malloc((sums->function_count + 1) * sizeof *ids);
	uint64_t *below = count_below(sums);
	bool good = ids && below && add_functions(thread, context, sums, ids) && find_paths(paths, context, sums, ids);

	for (uint32_t i = 0; good && i < sums->node_count; i++) {
		const struct message_sum_node *node = &sums->nodes[i];
		const struct sample_path *path = &paths->paths[i];

		add_calls(thread, context, path, node->calls, node->total_ticks, node->self_ticks - node->taken_ticks);
		add_by_thread(thread, context, path, caller_of(paths, sums, i), node->calls, below[i + 1],
			node->self_ticks - node->taken_ticks);
	}
	free(ids);
	free(below);
	if (!good || !add_open(thread, context, paths, sums))
		return false;
	add_others(thread, context, sums);
	return !context->options.thread_trees || add_to_thread_tree(thread, context, paths, sums);
}

/* Adds the message's figures to the thread's row: those that events do not show; if the sums have all calls, all figures. */
static void add_row(struct profile_thread *row, const struct message_sums *sums)
{
	saturate_add(&row->backward_events, sums->backward_events);
	if (sums->deepest > row->deepest)
		row->deepest = sums->deepest;
	if (!sums->is_all)
		return;
	saturate_add(&row->events, sums->events);
	saturate_add(&row->lost_events, sums->lost_events);
	saturate_add(&row->unmatched_exits, sums->unmatched_exits);
	saturate_add(&row->unwound_calls, sums->unwound_calls);
	saturate_add(&row->no_entry_calls, sums->no_entry_calls);
	saturate_add(&row->gap_calls, sums->gap_calls);
	saturate_add(&row->beyond_calls, sums->beyond_calls);
}

/* Sets the times of the thread's row, so that the accounting equation holds with the sums. */
static void settle_row(struct profile_thread *row, const struct totals *totals)
{
	if (!totals->all) {
		row->self_ticks += totals->root_ticks;
		row->outside_ticks -= totals->root_ticks;
		return;
	}
	row->is_sums = totals->has_no_moments;
	row->first_ticks = totals->first_ticks;
	row->last_ticks = totals->last_ticks;
	row->self_ticks = totals->self_ticks;
	row->lost_ticks = totals->lost_ticks;
	row->held_ticks = totals->held_ticks;
	row->outside_ticks =
		totals->last_ticks - totals->first_ticks - totals->self_ticks - totals->lost_ticks - totals->held_ticks;
}

bool call_sums_apply(struct call_sums *call_sums, struct sample_paths *paths, struct thread *thread, struct thread_context *context)
{
	bool has_events = stack_has_begun(&thread->own) || thread->stacks.count;
	struct totals totals = {0};
	bool frames_agree = true, good = true;

	for (size_t i = 0; i < call_sums->count; i++)
		if (call_sums->list[i]->stream == thread->own.row.stream)
			add_to_totals(&totals, call_sums->list[i]);
	if (!totals.any || !context->options.want_profile)
		return true;
	for (size_t i = 0; i < call_sums->count; i++)
		if (call_sums->list[i]->stream == thread->own.row.stream)
			frames_agree &= add_frames(&totals, call_sums->list[i]);
	if (!frames_agree || thread->own.row.samples || !agrees_with_events(&totals, &thread->own.row, has_events)) {
		diag_add(context->diag, DIAG_WARN, NULL, DIAG_NO_OFFSET,
			"thread %" PRIu32 ": what was added up of calls that are not listed does not fit with the rest of it, and is left out",
			thread->own.row.tid);
		return true;
	}
	context->profile->has_times = true;
	for (size_t i = 0; good && i < call_sums->count; i++) {
		const struct message_sums *sums = call_sums->list[i];

		if (sums->stream != thread->own.row.stream)
			continue;
		good = add_sums(thread, context, paths, sums);
		add_row(&thread->own.row, sums);
		context->profile->cut_functions_unknown |= sums->is_all && sums->gap_calls;
	}
	if (!context->is_untimed)
		settle_row(&thread->own.row, &totals);
	if (thread->own.row.is_sums && context->profile->has_off_cpu) {
		thread->own.row.off_cpu_is_unknown = true;
		off_cpu_set_unknown(&thread->own.row, context);
	}
	return good;
}

/* Subtracts up to ticks from the node's self time. Returns how much it subtracted: nothing from a negative self. */
static uint64_t take_from(struct tree_node *node, uint64_t ticks)
{
	uint64_t taken = node->self > INT64_MAX ? 0 : node->self < ticks ? node->self : ticks;

	node->self -= taken;
	return taken;
}

/* The most steps of all searches in settle_tree together: prevents quadratic time in a large or hostile tree. */
#define SETTLE_STEPS (UINT64_C(1) << 26)

/* Subtracts missing from the node's callers, and from all nodes of the function. Both return the rest. */
static uint64_t take_from_callers(struct tree *tree, uint32_t at, uint64_t missing, uint64_t *steps)
{
	for (uint32_t above = tree->nodes[at].parent; missing && above != TREE_NONE && *steps;
		above = tree->nodes[above].parent, --*steps)
		missing -= take_from(&tree->nodes[above], missing);
	return missing;
}

static uint64_t take_from_same_function(struct tree *tree, uint32_t function, uint64_t missing, uint64_t *steps)
{
	for (uint32_t other = TREE_ROOT; missing && other < tree->count && *steps; other++, --*steps)
		if (tree->nodes[other].function == function)
			missing -= take_from(&tree->nodes[other], missing);
	return missing;
}

/* Corrects nodes with a negative self: the subtracted time is at a caller, if the tree was pruned, or on another path of the
 * function, if a call that began before the data was found around the calls. */
static void settle_tree(struct tree *tree)
{
	uint64_t steps = SETTLE_STEPS, rest = 0;

	for (uint32_t at = tree->count; at-- > TREE_ROOT;) {
		uint64_t missing = 0 - tree->nodes[at].self;

		if (tree->nodes[at].self <= INT64_MAX)
			continue;
		tree->nodes[at].self = 0;
		missing = take_from_callers(tree, at, missing, &steps);
		rest += take_from_same_function(tree, tree->nodes[at].function, missing, &steps);
	}
	for (uint32_t other = TREE_ROOT; rest && other < tree->count; other++)
		rest -= take_from(&tree->nodes[other], rest);
}

void call_sums_settle(const struct call_sums *call_sums, struct profile *profile)
{
	if (!call_sums->count)
		return;
	for (size_t id = 0; id < profile->function_count; id++)
		if (profile->functions[id].self > INT64_MAX) /* only in a damaged file */
			profile->functions[id].self = 0;
	settle_tree(&profile->tree);
	for (size_t i = 0; i < profile->thread_trees.count; i++)
		settle_tree(&profile->thread_trees.list[i].tree);
}
