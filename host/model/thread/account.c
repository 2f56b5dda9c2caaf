/* account: counts calls by function and by path, for the profile; joins the counts of parts. account.h explains when. */
#include "model/thread/account.h"

#include <stdlib.h>
#include <string.h>

#include "model/thread/off_cpu_sections.h"
#include "model/thread/pairs.h"
#include "model/thread/user_word.h"

/* Whether a frame of the function is open on the stack. */
static bool is_active(const struct stack *stack, uint32_t function)
{
	const struct stack_function *own = stack_find_function(stack, function);

	return own && own->active;
}

/* Whether a finished call, of unknown function at the entry, was an outermost call of the function. A call still without
 * a name at the end does not count as outermost while other unnamed calls are open. If exits name those later, the time
 * is in the self time of (unknown), and not in the total. */
static bool is_outermost(const struct stack *stack, const struct dwell_call *call, uint32_t function)
{
	return call->id == DWELL_ID_UNKNOWN ? !stack->unnamed_open : !is_active(stack, function);
}

/* Makes room for the function in all arrays that are indexed by functions. */
static bool reserve_function(struct stack *stack, struct thread_context *context, uint32_t function)
{
	if (stack_find_function(stack, function) && function < context->profile->function_count)
		return true;
	return (profile_get_function(context->profile, function) && stack_reserve_function(stack, function)) ||
	       thread_out_of_memory(context);
}

/* Prunes the tree to make room for another path; the paths of the first depth frames stay. */
static bool prune(struct stack *stack, uint32_t depth)
{
	uint32_t *nodes;
	bool room;

	if (!tree_is_due(&stack->tree))
		return false;
	nodes = malloc((depth ? depth : 1) * sizeof *nodes);
	if (!nodes)
		return false;
	for (uint32_t i = 0; i < depth; i++)
		nodes[i] = (uint32_t)(stack->frames[i].user & ACCOUNT_NODE);
	room = tree_prune(&stack->tree, nodes, depth);
	for (uint32_t i = 0; i < depth; i++)
		stack->frames[i].user = (stack->frames[i].user & ~ACCOUNT_NODE) | nodes[i];
	free(nodes);
	return room;
}

/* The path of the frame that appeared at index: node and ACCOUNT_FOLDED, as in the user word. */
static inline uint64_t enter_path(struct stack *stack, uint32_t index, uint32_t function)
{
	uint32_t parent = index ? (uint32_t)(stack->frames[index - 1].user & ACCOUNT_NODE) : stack->tree.root;
	bool folded = index && stack->frames[index - 1].user & ACCOUNT_FOLDED; /* the callees of a folded call are folded, too */
	uint32_t node = folded ? TREE_NONE : tree_child(&stack->tree, parent, function);

	if (__builtin_expect(!node, 0) && !folded && prune(stack, index)) {
		parent = index ? (uint32_t)(stack->frames[index - 1].user & ACCOUNT_NODE) : stack->tree.root;
		node = tree_child(&stack->tree, parent, function);
	}
	return node ? node : tree_other(&stack->tree, parent) | ACCOUNT_FOLDED;
}

uint64_t account_enter(
	struct stack *stack, struct thread_context *context, uint32_t index, uint32_t function, bool unnamed)
{
	uint64_t user = ACCOUNT_KNOWN;

	if (!unnamed &&
		__builtin_expect(!stack_find_function(stack, function) || function >= context->profile->function_count, 0))
		unnamed = !reserve_function(stack, context, function); /* account_leave tries again */
	stack->entered[index] = account_moment(stack, index + 1);
	if (!context->options.no_tree)
		user |= context->options.pairs ? pairs_enter(stack, index, function) : enter_path(stack, index, function);
	if (unnamed) {
		stack->unnamed_open++;
		return user | ACCOUNT_UNNAMED;
	}
	if (!stack_get_function(stack, function)->active) {
		stack_get_function(stack, function)->active = true;
		user |= ACCOUNT_OUTERMOST;
	}
	return user;
}

/* An exit shows a call without a begin, around all calls since the section began: the call's node becomes the root of their paths.
 * Calls of the same function in it counted as outermost: removes them from the function's totals. Returns the call's node. */
static uint32_t enclose(struct stack *stack, struct thread_context *context, uint32_t function)
{
	struct stack_function *own = stack_get_function(stack, function);
	uint32_t node;

	stack->section_missed |= stack->section_inherited;
	own->made += stack->section_outermost;
	stack->section_outermost = 0;
	if (own->section == stack->section)
		own->total = own->outermost = own->below = 0;
	if (context->options.no_tree)
		return TREE_NONE;
	if (context->options.pairs)
		return pairs_enclose(stack, context, function);
	node = tree_enclose(&stack->tree, function);
	return node ? node : tree_other(&stack->tree, stack->tree.root);
}

/* Whether a part of the call is missing. In a copy of another thread, the calls that were open are pieces, too, but complete. */
static bool is_cut(const struct stack *stack, uint32_t flags)
{
	return flags & DWELL_CALL_GAP || (flags & DWELL_CALL_PIECE && !stack->is_copy);
}

static void count_flags(struct stack *stack, struct profile_function *row, const struct dwell_call *call)
{
	const uint32_t flags = call->flags;

	stack->row.no_entry_calls += dwell_pair_began_before(&stack->pair, flags);
	stack->row.gap_calls += (flags & DWELL_CALL_GAP) != 0;
	stack->row.open_calls += (flags & DWELL_CALL_OPEN) != 0;
	row->open_calls += (flags & DWELL_CALL_OPEN) != 0;
	row->untimed_calls += (flags & DWELL_CALL_NO_EXIT) != 0;
	if (is_cut(stack, flags)) {
		row->cut_calls += !(flags & DWELL_CALL_PIECE);
		row->cut_ticks += call->total_ticks;
	}
}

/* Moves the stack's counters of one function to its row and to by_thread. */
static void settle_function(struct stack *stack, struct thread_context *context, uint32_t id, struct stack_function *own)
{
	const struct by_thread_row row = {
		stack->row.stream, id, own->calls, own->made, own->self, own->self_off, own->outermost, own->below};
	struct profile_function *function = &context->profile->functions[id];

	if (!(own->calls | own->made | own->self | own->self_off | own->total | own->outermost | own->below))
		return;
	if (!by_thread_add(&context->profile->by_thread, &row))
		thread_out_of_memory(context);
	function->calls += own->calls;
	function->self += own->self;
	function->total += own->total;
	own->calls = own->made = own->self = own->self_off = own->total = own->outermost = own->below = 0;
}

void account_settle(struct stack *stack, struct thread_context *context)
{
	const struct stack_functions *functions = &stack->functions;

	for (size_t page = 0; page < functions->page_count; page++)
		for (uint32_t i = 0; functions->pages[page] && i < STACK_PAGE; i++)
			settle_function(stack, context, (uint32_t)(page * STACK_PAGE + i), &functions->pages[page][i]);
}

/* Adds to the sums of the function's outermost calls in the section. */
static inline void add_outermost(
	struct stack *stack, struct thread_context *context, uint32_t function, uint64_t ticks, uint64_t calls, uint64_t below)
{
	struct stack_function *own = stack_get_function(stack, function);

	if (__builtin_expect(own->section != stack->section, 0)) {
		settle_function(stack, context, function, own);
		own->section = stack->section;
	}
	own->total += ticks;
	own->outermost += calls;
	own->below += below;
}

/* The number of calls made in the call, at any depth. For a call without a begin: all calls since the section began. */
static inline uint64_t count_below(const struct stack *stack, const struct dwell_call *call)
{
	if (__builtin_expect(!(call->user & ACCOUNT_KNOWN), 0))
		return stack->finished - stack->section_finished;
	return (account_moment(stack, call->depth + 1) - stack->entered[call->depth]) / 2;
}

static void leave_function(
	struct stack *stack, struct thread_context *context, const struct dwell_call *call, uint32_t function, bool outermost)
{
	bool counts = !(call->flags & DWELL_CALL_PIECE), timed = !(call->flags & DWELL_CALL_NO_EXIT);
	struct stack_function *own = stack_get_function(stack, function);
	struct stack_function *caller =
		call->depth ? stack_find_function(stack, stack->frames[call->depth - 1].id) : NULL;

	own->calls += counts && timed;
	context->profile->functions[function].calls += counts && !timed;
	own->self += call->self_ticks;
	if (caller)
		caller->made += counts;
	stack->section_outermost += counts && !call->depth;
	if (outermost)
		add_outermost(stack, context, function, call->total_ticks, counts, count_below(stack, call));
	stack->finished += counts;
}

static void add_duration(struct thread_context *context, struct profile_function *row, uint32_t flags, uint64_t total_ticks)
{
	if (!context->options.no_durations && !(flags & (DWELL_CALL_PIECE | DWELL_CALL_NO_EXIT)) &&
		!profile_add_duration(row, total_ticks, !(flags & ~(uint32_t)DWELL_CALL_UNWOUND)))
		thread_out_of_memory(context);
}

static void leave_node(struct stack *stack, bool pairs, const struct dwell_call *call, uint32_t node)
{
	uint64_t total_ticks = call->user & ACCOUNT_INNER ? 0 : call->total_ticks;

	tree_add(&stack->tree, node, !(call->flags & DWELL_CALL_PIECE), total_ticks, call->self_ticks);
	if (pairs && pairs_is_opened_by(call->depth, call->user))
		stack->tree.nodes[node].is_open = false;
}

static bool leave_call(struct stack *stack, struct thread_context *context, const struct dwell_call *call, uint32_t function,
	struct off_cpu_end *end)
{
	bool outermost = call->user & ACCOUNT_OUTERMOST;
	uint32_t node = (uint32_t)(call->user & ACCOUNT_NODE);
	struct profile_function *row;

	stack->unnamed_open -= (call->user & ACCOUNT_UNNAMED) != 0;
	if (__builtin_expect(!outermost && !(call->user & ACCOUNT_KNOWN && !(call->user & ACCOUNT_UNNAMED)), 0)) {
		if (!reserve_function(stack, context, function))
			return false;
		outermost = is_outermost(stack, call, function);
	}
	row = &context->profile->functions[function];
	if (call->user & ACCOUNT_OUTERMOST)
		stack_get_function(stack, function)->active = false;
	if (__builtin_expect(!(call->user & ACCOUNT_KNOWN), 0))
		node = enclose(stack, context, function);
	leave_function(stack, context, call, function, outermost);
	if (!context->options.no_tree)
		leave_node(stack, context->options.pairs, call, node);
	if (__builtin_expect(call->flags != 0, 0))
		count_flags(stack, row, call);
	if (__builtin_expect(!end, 1)) {
		add_duration(context, row, call->flags, call->total_ticks);
		return outermost;
	}
	end->flags = call->flags;
	end->total_ticks = call->total_ticks;
	end->self_ticks = call->self_ticks;
	return outermost;
}

bool account_leave(struct stack *stack, struct thread_context *context, const struct dwell_call *call, uint32_t function,
	struct off_cpu_end *end)
{
	struct dwell_call untimed = *call;

	if (context->is_untimed) {
		untimed.total_ticks = untimed.self_ticks = 0;
		untimed.flags |= DWELL_CALL_NO_EXIT;
	}
	return leave_call(stack, context, &untimed, function, end);
}

void account_undo_enter(struct stack *stack, const struct thread_context *context, const struct dwell_frame *frame)
{
	if (context->options.pairs && pairs_is_opened_by((uint32_t)(frame - stack->frames), frame->user))
		stack->tree.nodes[frame->user & ACCOUNT_NODE].is_open = false;
	if (frame->user & ACCOUNT_OUTERMOST)
		stack_get_function(stack, frame->id)->active = false;
}

void account_off_cpu(struct stack *stack, struct thread_context *context, uint32_t index, const struct off_cpu_ticks *self)
{
	const struct dwell_frame *frame = &stack->frames[index];

	if (!(frame->user & ACCOUNT_KNOWN))
		return;
	if (!context->options.no_tree && !tree_add_off(&stack->tree, frame->user & ACCOUNT_NODE, NULL, self))
		thread_out_of_memory(context);
	if (frame->user & ACCOUNT_UNNAMED)
		return;
	profile_add_off_cpu(&context->profile->functions[frame->id].self_off, self);
	stack_get_function(stack, frame->id)->self_off += profile_off_cpu(self);
}

/* The node of a finished call. For a call without a begin, the node placed above all others
 * by enclose(); (other) if the tree was full. */
static uint32_t node_of(struct stack *stack, bool pairs, uint64_t user, uint32_t function)
{
	struct tree *tree = &stack->tree;
	uint32_t node = (uint32_t)(user & ACCOUNT_NODE);

	if (!(user & ACCOUNT_KNOWN)) {
		node = pairs ? tree_child(tree, TREE_ROOT, function) : tree->nodes[tree->root].first_child;
		if (node == TREE_NONE || tree->nodes[node].function != function)
			node = tree_other(tree, tree->root);
	}
	return node;
}

void account_leave_off_cpu(struct stack *stack, struct thread_context *context, const struct dwell_call *call, uint32_t function,
	const struct off_cpu_frame *off)
{
	bool known = call->user & ACCOUNT_KNOWN, outermost = call->user & ACCOUNT_OUTERMOST;
	struct profile_function *row;

	if (function >= context->profile->function_count)
		return;
	row = &context->profile->functions[function];
	if (!known || call->user & ACCOUNT_UNNAMED) {
		outermost = is_outermost(stack, call, function);
		profile_add_off_cpu(&row->self_off, &off->self);
		stack_get_function(stack, function)->self_off += profile_off_cpu(&off->self);
	}
	if (!context->options.no_tree) {
		uint32_t at = node_of(stack, context->options.pairs, call->user, function);
		const struct off_cpu_ticks *total = tree_is_other(&stack->tree, at) ? &off->self : &off->total;

		if (!tree_add_off(&stack->tree, at, call->user & ACCOUNT_INNER ? NULL : total, known ? NULL : &off->self))
			thread_out_of_memory(context);
	}
	if (!outermost)
		return;
	if (!known) /* calls of the function in this call were not outermost */
		off_cpu_take_section_total(stack, function, &row->total_off);
	profile_add_off_cpu(&row->total_off, &off->total);
	off_cpu_add_section_total(stack, function, &off->total);
}

void account_carry_off_cpu(struct stack *stack, struct thread_context *context, struct stack *part,
	const struct off_cpu_end *end, const struct off_cpu_ticks *total)
{
	if (!context->options.no_tree && !(end->user & (ACCOUNT_FOLDED | ACCOUNT_INNER)) &&
		!tree_add_off(&part->tree, end->user & ACCOUNT_NODE, total, NULL))
		thread_out_of_memory(context);
	if (end->function >= context->profile->function_count || !(end->user & ACCOUNT_OUTERMOST))
		return;
	profile_add_off_cpu(&context->profile->functions[end->function].total_off, total);
	off_cpu_add_section_total(stack, end->function, total);
}

void account_close_section(struct stack *stack, struct thread_context *context)
{
	bool is_empty = context->options.no_tree || (stack->tree.count <= TREE_ROOT + 1 && !stack->tree.nodes[TREE_ROOT].self);

	stack->section++;
	stack->section_finished = stack->finished;
	stack->section_outermost = 0;
	stack->section_inherited = false;
	if (is_empty)
		return;
	if (context->options.thread_trees) {
		struct tree *own = thread_trees_get(&context->profile->thread_trees, stack->row.stream);

		if (!own || !tree_merge(own, &stack->tree))
			thread_out_of_memory(context);
	}
	if (!tree_move(&context->profile->tree, &stack->tree))
		thread_out_of_memory(context);
}

/* Adds ticks and below to the totals of a function, for an outermost call that the part ended and that began before the part. */
static void carry_outermost(struct stack *stack, struct thread_context *context, struct stack *part, uint32_t function,
	uint64_t ticks, uint64_t below)
{
	const struct by_thread_row row = {.stream = stack->row.stream, .function = function, .below = below};

	if (part->section_inherited) {
		add_outermost(part, context, function, ticks, 0, below);
		return;
	}
	context->profile->functions[function].total += ticks;
	if (!by_thread_add(&context->profile->by_thread, &row))
		thread_out_of_memory(context);
}

void account_carry_call(struct stack *stack, struct thread_context *context, struct stack *part, const struct off_cpu_end *end,
	uint64_t held_ticks)
{
	uint64_t below = (account_moment(stack, end->index + 1) - stack->entered[end->index]) / 2;
	uint64_t others_ticks = end->total_ticks - end->self_ticks;
	uint64_t less_ticks = held_ticks < others_ticks ? held_ticks : others_ticks;
	struct profile_function *row;

	if (end->function >= context->profile->function_count)
		return;
	row = &context->profile->functions[end->function];
	add_duration(context, row, end->flags, end->total_ticks - less_ticks);
	if (is_cut(part, end->flags))
		row->cut_ticks -= less_ticks; /* modulo 2^64: the part's own cut_ticks are added later */
	if (less_ticks && !context->options.no_tree && !(end->user & (ACCOUNT_FOLDED | ACCOUNT_INNER)))
		part->tree.nodes[end->user & ACCOUNT_NODE].total -= less_ticks;
	if (end->user & ACCOUNT_OUTERMOST)
		carry_outermost(stack, context, part, end->function, 0 - less_ticks, below);
}

bool account_agrees(uint64_t user, uint64_t other)
{
	return !((uint32_t)(user ^ other) & ~ACCOUNT_NODE);
}

/* Settles counters of sections closed by the part, and adds the rest to the section that thread and part share. */
static void join_function(
	struct stack *stack, struct thread_context *context, struct stack *part, uint32_t id, struct stack_function *from)
{
	struct stack_function *to = stack_get_function(stack, id);

	to->active = from->active;
	if (from->section != part->section)
		settle_function(part, context, id, from);
	if (from->section == part->section)
		add_outermost(stack, context, id, from->total, from->outermost, from->below);
	to->calls += from->calls;
	to->made += from->made;
	to->self += from->self;
	to->self_off += from->self_off;
}

/* Joins the counters of all functions. A function without counters in the part has no open call at the part's end. */
static bool join_functions(struct stack *stack, struct thread_context *context, struct stack *part)
{
	const struct stack_functions *from = &part->functions;

	for (size_t page = 0; page < stack->functions.page_count; page++)
		for (uint32_t i = 0; stack->functions.pages[page] && i < STACK_PAGE; i++)
			stack->functions.pages[page][i].active = false;
	for (size_t page = 0; page < from->page_count; page++) {
		if (!from->pages[page])
			continue;
		if (!stack_find_function(stack, page * STACK_PAGE) && !stack_reserve_function(stack, page * STACK_PAGE))
			return thread_out_of_memory(context);
		for (uint32_t i = 0; i < STACK_PAGE; i++)
			join_function(stack, context, part, (uint32_t)(page * STACK_PAGE + i), &from->pages[page][i]);
	}
	return true;
}

/* The part's moments (account_moment) count from the part's beginning: adds the calls that finished before. */
static void join_moments(struct stack *stack, struct stack *part)
{
	uint32_t inherited = part->off_cpu.inherited < part->pair.depth ? part->off_cpu.inherited : part->pair.depth;

	memcpy(part->entered, stack->entered, inherited * sizeof *part->entered);
	for (uint32_t i = inherited; i < part->pair.depth; i++)
		part->entered[i] += 2 * stack->finished;
	if (part->section_inherited) {
		stack->section_outermost += part->section_outermost;
	} else {
		stack->section_outermost = part->section_outermost;
		stack->section_finished = stack->finished + part->section_finished;
	}
	stack->finished += part->finished;
}

bool account_join(struct stack *stack, struct thread_context *context, struct stack *part)
{
	uint32_t depth = part->pair.depth, *nodes;
	bool room;

	if (context->options.pairs)
		pairs_set_open(&stack->tree, stack->frames, stack->pair.depth, false);
	if (!part->section_inherited)
		account_close_section(stack, context);
	if (!join_functions(stack, context, part))
		return false;
	join_moments(stack, part);
	if (context->options.no_tree)
		return true;
	nodes = malloc((depth ? depth : 1) * sizeof *nodes);
	if (!nodes)
		return false;
	for (uint32_t i = 0; i < depth; i++)
		nodes[i] = (uint32_t)(part->frames[i].user & ACCOUNT_NODE);
	room = tree_join(&stack->tree, &part->tree, nodes, depth) && !tree_is_full(&stack->tree);
	for (uint32_t i = 0; room && i < depth; i++)
		part->frames[i].user = (part->frames[i].user & ~ACCOUNT_NODE) | nodes[i];
	if (room && context->options.pairs)
		pairs_set_open(&stack->tree, part->frames, depth, true);
	free(nodes);
	return room;
}
