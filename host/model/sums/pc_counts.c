/* pc_counts: divides the counts of pieces of code among functions, and adds them to the profile. */
#include "model/sums/pc_counts.h"

#include "dwell/format.h"
#include "model/function/function.h"
#include "model/sums/split.h"
#include "util/saturate.h"

/* The state of one pc_counts_feed. */
struct feeding {
	struct thread *thread;
	struct thread_context *context;
	const struct message_counts *message;
	bool is_full; /* the counter of the present piece was full: it may have had more samples */
};

#define COUNTER_MAX 0xffffu /* counters of machines have 16 bits (classic/core/histogram.h) */

/* Adds samples to a function, without callers. False: no memory. */
static bool add_samples(const struct feeding *feeding, uint32_t function, uint64_t samples)
{
	struct profile *profile = feeding->context->profile;
	struct tree *tree = &profile->tree;
	struct profile_function *row = function == FUNCTION_NONE ? NULL : profile_get_function(profile, function);
	uint64_t weight;
	uint32_t node;

	if (!row)
		return false;
	if (__builtin_mul_overflow(feeding->message->weight, samples, &weight))
		weight = UINT64_MAX;
	saturate_add(&row->self, weight);
	saturate_add(&row->total, weight);
	if (tree_is_due(tree))
		tree_prune(tree, NULL, 0);
	node = tree_path(tree, tree->root, function);
	saturate_add(&tree->nodes[node].self, weight);
	saturate_add(&tree->nodes[node].total, weight);
	tree->folded_calls += tree_is_other(tree, node);
	saturate_add(&profile->total, weight);
	saturate_add(&feeding->thread->own.row.sampled, weight);
	feeding->thread->own.row.samples += samples;
	profile->estimates.stacks[DWELL_STACK_LEAF] += samples;
	profile->has_samples = true;
	return estimates_add_unordered(&profile->estimates, function, feeding->message->weight, samples);
}

/* Adds samples to the function at the address. If the user chose this function, also adds them to the interval of its code that
 * contains the address (split.h). False: no memory. */
static bool add_samples_at(const struct feeding *feeding, uint64_t address, uint64_t samples)
{
	const struct thread_context *context = feeding->context;
	uint32_t process = feeding->thread->own.row.process;
	uint64_t ticks = feeding->message->until_ticks;
	uint32_t function = functions_find(context->functions, process, (struct place){DWELL_PLACE_ADDRESS, address}, ticks);

	if (!samples)
		return true;
	if (feeding->is_full && function != FUNCTION_NONE && !estimates_note_full(&context->profile->estimates, function))
		return false;
	if (context->split &&
		!split_add_unordered(context->split, feeding->thread, function, address, ticks, feeding->message->weight, samples))
		return false;
	return add_samples(feeding, function, samples);
}

static struct function_site find_site(const struct feeding *feeding, uint64_t address)
{
	return functions_find_site(feeding->context->functions, feeding->thread->own.row.process,
		(struct place){DWELL_PLACE_ADDRESS, address}, feeding->message->until_ticks);
}

static bool is_same_function(const struct function_site *a, const struct function_site *b)
{
	return a->kind == b->kind && a->file == b->file && a->address == b->address;
}

/* Divides a count among the functions of its piece. Bytes between functions get none: no program runs there. */
static bool divide_count(const struct feeding *feeding, const struct message_count *one)
{
	struct function_site part = {0};
	uint64_t begin[DWELL_COUNTS_BYTES_MAX] = {0}, given = 0;
	uint32_t bytes[DWELL_COUNTS_BYTES_MAX] = {0}, parts = 0, all = 0, before = 0;

	for (uint32_t i = 0; i < feeding->message->bytes; i++) {
		struct function_site site = find_site(feeding, one->address + i);

		if (!site.symbolised)
			continue;
		if (!parts || !is_same_function(&site, &part)) {
			part = site;
			begin[parts++] = one->address + i;
		}
		bytes[parts - 1]++;
		all++;
	}
	if (!parts)
		return add_samples_at(feeding, one->address, one->count);
	for (uint32_t i = 0; i < parts; i++) {
		uint64_t up_to;

		before += bytes[i];
		up_to = one->count / all * before + one->count % all * before / all;
		if (!add_samples_at(feeding, begin[i], up_to - given))
			return false;
		given = up_to;
	}
	return true;
}

/* Adds the count of one piece of code. False: no memory. */
static bool add_count(const struct feeding *feeding, const struct message_count *one)
{
	struct function_site first = find_site(feeding, one->address), last;

	if (one->address > UINT64_MAX - DWELL_COUNTS_BYTES_MAX)
		return add_samples_at(feeding, one->address, one->count);
	last = find_site(feeding, one->address + feeding->message->bytes - 1);
	if (first.symbolised && last.symbolised && is_same_function(&first, &last))
		return add_samples_at(feeding, one->address, one->count);
	return divide_count(feeding, one);
}

static bool add_named_samples(const struct feeding *feeding, const char *name, uint64_t samples)
{
	return !samples || add_samples(feeding, functions_find_name(feeding->context->functions, name), samples);
}

/* Adds a number of calls of the function at one->address. False: no memory. */
static bool add_calls(const struct feeding *feeding, const struct message_count *one)
{
	const struct thread_context *context = feeding->context;
	struct profile_thread *thread = &feeding->thread->own.row;
	uint32_t function =
		functions_find(context->functions, thread->process, (struct place){DWELL_PLACE_ADDRESS, one->address}, 0);
	struct profile_function *row = function == FUNCTION_NONE ? NULL : profile_get_function(context->profile, function);

	if (!row)
		return false;
	saturate_add(&row->calls, one->count);
	saturate_add(&thread->calls, one->count);
	context->profile->counts_calls = true;
	return by_thread_add(&context->profile->by_thread,
		&(struct by_thread_row){thread->stream, function, one->count, 0, 0, 0, one->count, 0});
}

bool pc_counts_feed(struct thread *thread, struct thread_context *context, const struct message_counts *message)
{
	struct feeding feeding = {thread, context, message, false};
	bool good = true;

	for (uint32_t i = 0; good && i < message->count; i++) {
		feeding.is_full = message->full && message->counts[i].count >= COUNTER_MAX;
		good = add_count(&feeding, &message->counts[i]);
	}
	for (uint64_t i = 0; good && i < message->call_count; i++)
		good = add_calls(&feeding, &message->calls[i]);
	if (!thread->own.row.first_ticks)
		thread->own.row.first_ticks = message->from_ticks;
	if (message->until_ticks > thread->own.row.last_ticks)
		thread->own.row.last_ticks = message->until_ticks;
	context->profile->full_counts += message->full;
	context->profile->estimates.unplaced += (double)message->beyond * (double)message->weight;
	return good && add_named_samples(&feeding, PC_COUNTS_OUTSIDE, message->outside) &&
	       add_named_samples(&feeding, PC_COUNTS_FULL, message->beyond);
}
