#include "model/thread/account.h"

#include <stdlib.h>
#include <string.h>

#include "model/thread/off_sections.h"

static bool is_active(const struct thread *thread, uint32_t function)
{
	const struct thread_function *own = thread_find_function(thread, function);

	return own && own->active;
}

/* Of a call that is over and was not known to be of the function when it was entered. One that ends without a name is not taken for an
 * outermost one while others are open that have none so far. If these get theirs from their exits, its time is in the self time of what
 * is unknown, and not in the total. */
static bool is_outermost(const struct thread *thread, const struct dwell_call *call, uint32_t function)
{
	return call->id == DWELL_ID_UNKNOWN ? !thread->unnamed_open : !is_active(thread, function);
}

/* Room for the function in everything that is indexed by functions. */
static bool reserve_function(struct thread *thread, struct thread_context *context, uint32_t function)
{
	if (thread_find_function(thread, function) && function < context->profile->function_count)
		return true;
	return (profile_get_function(context->profile, function) && thread_reserve_function(thread, function)) || thread_starve(context);
}

/* Room for another path; those of the first depth frames stay. */
static bool prune(struct thread *thread, uint32_t depth)
{
	uint32_t *nodes;
	bool room;

	if (!tree_is_due(&thread->tree))
		return false;
	nodes = malloc((depth ? depth : 1) * sizeof *nodes);
	if (!nodes)
		return false;
	for (uint32_t i = 0; i < depth; i++)
		nodes[i] = (uint32_t)(thread->frames[i].user & ACCOUNT_NODE);
	room = tree_prune(&thread->tree, nodes, depth);
	for (uint32_t i = 0; i < depth; i++)
		thread->frames[i].user = (thread->frames[i].user & ~ACCOUNT_NODE) | nodes[i];
	free(nodes);
	return room;
}

/* The path of the frame that appeared at index, as the user word says it. */
static inline uint64_t enter_path(struct thread *thread, struct thread_context *context, uint32_t index, uint32_t function)
{
	uint32_t parent = index ? (uint32_t)(thread->frames[index - 1].user & ACCOUNT_NODE) : thread->tree.root;
	bool folded = index && thread->frames[index - 1].user & ACCOUNT_FOLDED; /* then so is what it calls */
	uint32_t node = folded ? TREE_NONE : tree_child(&thread->tree, parent, function);

	if (__builtin_expect(!node, 0) && !thread->by_rows)
		account_go_by_rows(thread, context, index);
	if (__builtin_expect(!node, 0) && !folded && prune(thread, index)) {
		parent = index ? (uint32_t)(thread->frames[index - 1].user & ACCOUNT_NODE) : thread->tree.root;
		node = tree_child(&thread->tree, parent, function);
	}
	return node ? node : parent | ACCOUNT_FOLDED;
}

uint64_t account_enter(
	struct thread *thread, struct thread_context *context, uint32_t index, uint32_t function, bool unnamed)
{
	uint64_t user = ACCOUNT_KNOWN;

	if (!unnamed && __builtin_expect(!thread_find_function(thread, function) || function >= context->profile->function_count, 0))
		unnamed = !reserve_function(thread, context, function); /* account_leave tries again */
	if (__builtin_expect(unnamed || index >= ACCOUNT_DEEPEST, 0) && !thread->by_rows)
		account_go_by_rows(thread, context, index);
	if (!context->options.no_tree)
		user |= enter_path(thread, context, index, function);
	if (unnamed) {
		thread->unnamed_open++;
		return user | ACCOUNT_UNNAMED;
	}
	if (thread->by_rows && !thread_get_function(thread, function)->active) {
		thread_get_function(thread, function)->active = true;
		user |= ACCOUNT_OUTERMOST;
	}
	return user;
}

void account_find_outermost(const struct thread *thread, struct dwell_call *call)
{
	uint32_t index = 0;

	if (thread->by_rows || !(call->user & ACCOUNT_KNOWN))
		return;
	while (index < call->depth && thread->frames[index].id != call->id)
		index++;
	if (index == call->depth)
		call->user |= ACCOUNT_OUTERMOST;
}

/* What is under the root was called by the function, it turns out. */
static void count_inherited(struct thread *thread, struct thread_function *own)
{
	const struct tree *tree = &thread->tree;

	for (uint32_t at = tree->nodes[tree->root].first_child; at != TREE_NONE; at = tree->nodes[at].next_sibling)
		own->made += tree->nodes[at].calls;
}

/* A call that nobody saw begin: all that this thread did since its data began was in it. Its node becomes the root of that. Calls
 * of the same function in it were counted as outermost, and are not. */
static uint32_t enclose(struct thread *thread, struct thread_context *context, uint32_t function, struct profile_function *row)
{
	struct thread_function *own = thread_get_function(thread, function);
	uint32_t node = TREE_NONE;

	thread->section_missed |= thread->section_inherited;
	if (thread->by_rows && !context->options.no_tree)
		count_inherited(thread, own);
	if (!context->options.no_tree)
		node = tree_enclose(&thread->tree, function);
	if (!node && !thread->by_rows)
		account_go_by_rows(thread, context, 0);
	if (thread->by_rows && own->section == thread->section)
		row->total -= own->section_total;
	own->section_total = 0;
	return node;
}

/* What a thread goes on with that is the copy of another one is a piece, too, and all of it is there. */
static bool is_cut(const struct thread *thread, uint32_t flags)
{
	return flags & DWELL_CALL_GAP || (flags & DWELL_CALL_PIECE && !thread->is_copy);
}

static void count_flags(struct thread *thread, struct profile_function *row, const struct dwell_call *call)
{
	const uint32_t flags = call->flags;

	thread->row.no_entry_calls += dwell_pair_began_before(&thread->pair, flags);
	thread->row.gap_calls += (flags & DWELL_CALL_GAP) != 0;
	thread->row.open_calls += (flags & DWELL_CALL_OPEN) != 0;
	row->open_calls += (flags & DWELL_CALL_OPEN) != 0;
	row->untimed_calls += (flags & DWELL_CALL_NO_EXIT) != 0;
	if (is_cut(thread, flags)) {
		row->cut_calls += !(flags & DWELL_CALL_PIECE);
		row->cut_ticks += call->total_ticks;
	}
}

static inline void leave_path(struct thread *thread, const struct dwell_call *call, uint32_t node)
{
	struct tree_node *at = &thread->tree.nodes[node];

	if (__builtin_expect((call->user & ACCOUNT_FOLDED) != 0, 0)) {
		at->self += call->self_ticks;
		thread->tree.folded_calls += !(call->flags & DWELL_CALL_PIECE);
	} else if (node) {
		at->calls += !(call->flags & DWELL_CALL_PIECE);
		at->total += call->total_ticks;
		at->self += call->self_ticks;
	}
}

/* What recording cost depends on. */
static inline void count_own(struct thread *thread, const struct dwell_call *call, uint32_t function)
{
	uint64_t parent = call->depth ? thread->frames[call->depth - 1].id : DWELL_ID_UNKNOWN;
	struct thread_function *own = thread_get_function(thread, function), *caller = thread_find_function(thread, parent);

	own->calls += !(call->flags & (DWELL_CALL_NO_EXIT | DWELL_CALL_PIECE));
	own->self += call->self_ticks;
	if (caller)
		caller->made += !(call->flags & DWELL_CALL_PIECE);
}

void account_long(struct thread *thread, const struct dwell_frame *top, uint64_t ticks)
{
	struct thread_function *own = thread_find_function(thread, top->id);

	if (!own)
		return;
	own->long_pieces++;
	own->long_ticks += ticks;
}

static void settle_function(struct thread *thread, struct thread_context *context, uint32_t id, struct thread_function *own)
{
	const struct by_thread_row row = {
		thread->row.stream, id, own->calls, own->made, own->self, own->self_off, own->long_pieces, own->long_ticks};

	if (!own->calls && !own->made && !own->self && !own->self_off && !own->long_pieces)
		return;
	if (!by_thread_add(&context->profile->by_thread, &row))
		thread_starve(context);
	own->calls = own->made = own->self = own->self_off = own->long_pieces = own->long_ticks = 0;
}

void account_settle(struct thread *thread, struct thread_context *context)
{
	const struct thread_functions *functions = &thread->functions;

	for (size_t page = 0; page < functions->page_count; page++)
		for (uint32_t i = 0; functions->pages[page] && i < THREAD_PAGE; i++)
			settle_function(thread, context, (uint32_t)(page * THREAD_PAGE + i), &functions->pages[page][i]);
}

static void leave_row(struct thread *thread, struct profile_function *row, const struct dwell_call *call, uint32_t function, bool outermost)
{
	row->calls += !(call->flags & DWELL_CALL_PIECE);
	row->self += call->self_ticks;
	count_own(thread, call, function);
	if (outermost)
		account_add_outermost(thread, function, row, call->total_ticks);
}

static void leave(struct thread *thread, struct thread_context *context, const struct dwell_call *call, uint32_t function)
{
	bool outermost = call->user & ACCOUNT_OUTERMOST, counts = !(call->flags & DWELL_CALL_PIECE);
	uint32_t node = (uint32_t)(call->user & ACCOUNT_NODE);
	struct profile_function *row;

	thread->unnamed_open -= (call->user & ACCOUNT_UNNAMED) != 0;
	if (__builtin_expect(!outermost && !(call->user & ACCOUNT_KNOWN && !(call->user & ACCOUNT_UNNAMED)), 0)) {
		if (!reserve_function(thread, context, function))
			return;
		outermost = is_outermost(thread, call, function);
	}
	row = &context->profile->functions[function];
	if (call->user & ACCOUNT_OUTERMOST)
		thread_get_function(thread, function)->active = false;
	if (__builtin_expect(!(call->user & ACCOUNT_KNOWN), 0)) {
		node = enclose(thread, context, function, row);
		if (!node && !context->options.no_tree) {
			thread->tree.nodes[thread->tree.root].self += call->self_ticks;
			thread->tree.folded_calls += counts;
		}
	}
	if (thread->by_rows)
		leave_row(thread, row, call, function, outermost);
	else
		thread_get_function(thread, function)->calls -= counts && call->flags & DWELL_CALL_NO_EXIT; /* which its node will say */
	if (!context->options.no_tree)
		leave_path(thread, call, node);
	if (__builtin_expect(call->flags != 0, 0))
		count_flags(thread, row, call);
	if (!context->options.no_durations && counts && !(call->flags & DWELL_CALL_NO_EXIT) &&
		!profile_add_duration(row, call->total_ticks, !(call->flags & ~(uint32_t)DWELL_CALL_UNWOUND)))
		thread_starve(context);
}

void account_leave(
	struct thread *thread, struct thread_context *context, const struct dwell_call *call, uint32_t function)
{
	struct dwell_call untimed = *call;

	if (context->is_untimed) {
		untimed.total_ticks = untimed.self_ticks = 0;
		untimed.flags |= DWELL_CALL_NO_EXIT;
	}
	leave(thread, context, &untimed, function);
}

void account_forget(struct thread *thread, const struct dwell_frame *frame)
{
	if (frame->user & ACCOUNT_OUTERMOST)
		thread_get_function(thread, frame->id)->active = false;
}

void account_off(struct thread *thread, struct thread_context *context, uint32_t index, const struct profile_off *self)
{
	const struct dwell_frame *frame = &thread->frames[index];

	if (!(frame->user & ACCOUNT_KNOWN))
		return;
	if (!context->options.no_tree)
		thread->tree.nodes[frame->user & ACCOUNT_NODE].self_off += profile_off_cpu(self);
	if (frame->user & ACCOUNT_UNNAMED)
		return;
	profile_add_off(&context->profile->functions[frame->id].self_off, self);
	thread_get_function(thread, frame->id)->self_off += profile_off_cpu(self);
}

/* The node of a call that is over: that of one that nobody saw begin is above all others now; where there was no room for it, the root. */
static struct tree_node *node_of(struct thread *thread, uint64_t user, uint32_t function)
{
	struct tree *tree = &thread->tree;
	uint32_t node = (uint32_t)(user & ACCOUNT_NODE);

	if (!(user & ACCOUNT_KNOWN)) {
		node = tree->nodes[tree->root].first_child;
		if (node == TREE_NONE || tree->nodes[node].function != function)
			node = tree->root;
	}
	return &tree->nodes[node];
}

void account_leave_off(struct thread *thread, struct thread_context *context, const struct dwell_call *call, uint32_t function,
	const struct off_frame *off)
{
	bool known = call->user & ACCOUNT_KNOWN, outermost = call->user & ACCOUNT_OUTERMOST;
	struct profile_function *row;

	if (function >= context->profile->function_count)
		return;
	row = &context->profile->functions[function];
	if (!known || call->user & ACCOUNT_UNNAMED) {
		outermost = is_outermost(thread, call, function);
		profile_add_off(&row->self_off, &off->self);
		thread_get_function(thread, function)->self_off += profile_off_cpu(&off->self);
	}
	if (!context->options.no_tree) {
		struct tree_node *node = node_of(thread, call->user, function);

		if (!known)
			node->self_off += profile_off_cpu(&off->self);
		if (!(call->user & ACCOUNT_FOLDED))
			node->total_off += profile_off_cpu(&off->total);
	}
	if (!outermost)
		return;
	if (!known) /* those that ended in it were none of the outermost */
		off_take_section_total(thread, function, &row->total_off);
	profile_add_off(&row->total_off, &off->total);
	off_add_section_total(thread, function, &off->total);
}

void account_carry_off(struct thread *thread, struct thread_context *context, struct thread *part, const struct off_end *end,
	const struct profile_off *total)
{
	if (!context->options.no_tree && !(end->user & ACCOUNT_FOLDED))
		part->tree.nodes[end->user & ACCOUNT_NODE].total_off += profile_off_cpu(total);
	if (end->function >= context->profile->function_count || !(end->user & ACCOUNT_OUTERMOST))
		return;
	profile_add_off(&context->profile->functions[end->function].total_off, total);
	off_add_section_total(thread, end->function, total);
}

void account_close_section(struct thread *thread, struct thread_context *context)
{
	bool is_empty = context->options.no_tree || (thread->tree.count <= TREE_ROOT + 1 && !thread->tree.nodes[TREE_ROOT].self);

	if (!is_empty && !thread->by_rows)
		account_count_rows(thread, context);
	thread->section++;
	thread->section_inherited = false;
	thread->by_rows = context->options.no_tree;
	if (is_empty)
		return;
	if (!tree_merge(&context->profile->tree, &thread->tree))
		thread_starve(context);
	if (context->options.thread_trees) {
		struct tree *own = thread_trees_get(&context->profile->thread_trees, thread->row.stream);

		if (!own || !tree_merge(own, &thread->tree))
			thread_starve(context);
	}
	tree_clear(&thread->tree);
}

bool account_agrees(uint64_t user, uint64_t other)
{
	return !((uint32_t)(user ^ other) & ~(ACCOUNT_NODE | ACCOUNT_OUTERMOST));
}

static void join_total(struct thread *thread, const struct thread *part, struct thread_function *to, const struct thread_function *from)
{
	to->active = from->active;
	if (from->section != part->section || !from->section_total)
		return;
	to->section_total = from->section_total + (to->section == thread->section ? to->section_total : 0);
	to->section = thread->section;
}

/* Of a function that the part did not come by no call is open in it, and so none here. */
static bool join_totals(struct thread *thread, struct thread_context *context, const struct thread *part)
{
	const struct thread_functions *from = &part->functions;

	for (size_t page = 0; thread->by_rows && page < thread->functions.page_count; page++)
		for (uint32_t i = 0; thread->functions.pages[page] && i < THREAD_PAGE; i++)
			thread->functions.pages[page][i].active = false;
	for (size_t page = 0; page < from->page_count; page++) {
		if (!from->pages[page])
			continue;
		if (!thread_find_function(thread, page * THREAD_PAGE) && !thread_reserve_function(thread, page * THREAD_PAGE))
			return thread_starve(context);
		for (uint32_t i = 0; i < THREAD_PAGE; i++)
			join_total(thread, part, &thread->functions.pages[page][i], &from->pages[page][i]);
	}
	return true;
}

bool account_join(struct thread *thread, struct thread_context *context, struct thread *part)
{
	uint32_t depth = part->pair.depth, *nodes;
	bool room;

	if (!part->section_inherited)
		account_close_section(thread, context);
	if (part->section_inherited && part->by_rows && !thread->by_rows)
		account_go_by_rows(thread, context, thread->pair.depth);
	else if (part->section_inherited && thread->by_rows && !part->by_rows)
		account_go_by_rows(part, context, depth);
	thread->by_rows = part->by_rows;
	account_settle(part, context);
	if (!join_totals(thread, context, part))
		return false;
	if (context->options.no_tree)
		return true;
	nodes = malloc((depth ? depth : 1) * sizeof *nodes);
	if (!nodes)
		return false;
	for (uint32_t i = 0; i < depth; i++)
		nodes[i] = (uint32_t)(part->frames[i].user & ACCOUNT_NODE);
	room = tree_join(&thread->tree, &part->tree, nodes, depth) && !tree_is_full(&thread->tree);
	for (uint32_t i = 0; room && i < depth; i++)
		part->frames[i].user = (part->frames[i].user & ~ACCOUNT_NODE) | nodes[i];
	free(nodes);
	return room;
}
