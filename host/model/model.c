/* model: passes each message to the thread, profile, function table or clock that it concerns; completes the profile at the end. */
#include "model/model.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/model_inner.h"
#include "model/profile/cost.h"
#include "model/profile/tree_pairs.h"
#include "model/profile/weights.h"
#include "model/sums/call_sums.h"
#include "model/sums/pc_counts.h"
#include "model/sums/split.h"
#include "model/thread/account.h"
#include "model/thread/calls.h"
#include "model/thread/off_cpu.h"
#include "util/array.h"
#include "util/hash.h"
#include "util/lookup.h"
#include "util/name_match.h"
#include "util/utf8.h"

struct model *make_model(const struct model_options *options, struct diag *diag)
{
	struct model *model = calloc(1, sizeof *model);

	if (!model)
		return NULL;
	model->context = (struct thread_context){
		.options = *options,
		.functions = options->functions,
		.diag = diag,
		.unknown_id = FUNCTION_NONE,
		.search_left = THREAD_SEARCH_ALL,
		.room = {.limit = options->path_limit ? options->path_limit : tree_room_of_memory()},
	};
	clock_init(&model->clock);
	if (!options->functions)
		model->context.functions = model->own_functions = make_functions(diag);
	model->context.profile = make_profile(&model->context.room);
	if (model->context.profile)
		model->context.profile->has_pairs = options->pairs;
	if (options->split && model->context.functions)
		model->context.split = make_split(options->split, options->split_intervals, model->context.functions);
	if (!model->context.functions || !model->context.profile || (options->split && !model->context.split)) {
		free_model(model);
		return NULL;
	}
	return model;
}

void free_model(struct model *model)
{
	if (!model)
		return;
	for (size_t i = 0; i < model->thread_count; i++)
		free_thread(model->threads[i]);
	for (size_t i = 0; i < model->process_count; i++) {
		free(model->processes[i].path);
		free(model->processes[i].called);
	}
	free(model->threads);
	free(model->processes);
	weights_clear(&model->weights);
	sample_paths_clear(&model->paths);
	throttled_clear(&model->throttled);
	free(model->places);
	call_sums_clear(&model->call_sums);
	lookup_clear(&model->stream_index);
	lookup_clear(&model->process_index);
	numbers_clear(&model->tids);
	numbers_clear(&model->pids);
	numbers_clear(&model->names);
	free_split(model->context.split);
	free_profile(model->context.profile);
	free_functions_share(model->share);
	free_functions(model->own_functions);
	kept_slowest_clear(&model->kept_slowest);
	free(model);
}

void model_want_values(struct model *model)
{
	model->context.options.want_values = true;
}

uint32_t model_find_thread(const struct model *model, uint32_t stream)
{
	uint32_t hash = hash_number(stream), item;

	for (uint32_t at = hash; (item = lookup_next(&model->stream_index, hash, &at)) != LOOKUP_NONE;)
		if (model->threads[item]->own.row.stream == stream)
			return item;
	return UINT32_MAX;
}

/* Adds one (1 or −1) to the numbers of threads with this name and with this tid. */
static void adjust_name_counts(struct model *model, const struct thread *thread, int one)
{
	uint32_t *tids = numbers_put(&model->tids, thread->own.row.tid);
	uint32_t *names = numbers_put(&model->names, hash_text(HASH_BEGIN, thread->own.row.name));

	if (tids)
		*tids += (uint32_t)one;
	if (names)
		*names += (uint32_t)one;
}

/* The thread of a stream; makes a new thread if necessary. Null: no memory. */
static struct thread *find_or_add_thread(struct model *model, uint32_t stream)
{
	uint32_t index = model_find_thread(model, stream);
	struct thread *thread;

	if (index != UINT32_MAX)
		return model->threads[index];
	if (!array_reserve(&model->threads, &model->thread_capacity, model->thread_count + 1, sizeof(*model->threads)))
		return NULL;
	thread = make_thread(stream);
	if (!thread || !lookup_put(&model->stream_index, hash_number(stream), (uint32_t)model->thread_count)) {
		free_thread(thread);
		return NULL;
	}
	thread->selected = !model->context.options.thread;
	model->threads[model->thread_count++] = thread;
	adjust_name_counts(model, thread, 1);
	return thread;
}

/* Whether options.thread selects a thread with this tid and name. */
static bool matches_thread_option(const struct model *model, uint32_t tid, const char *name)
{
	const char *wanted = model->context.options.thread;
	char number[16];

	if (!wanted)
		return true;
	snprintf(number, sizeof number, "%" PRIu32, tid);
	return !strcmp(wanted, number) || !strcmp(wanted, name) ||
	       (name_match_is_pattern(wanted) && name_match_pattern(wanted, name));
}

/* Names a task of a machine: its handle, which is the tid, is the address of a variable. Without that variable, in hex. */
static void name_task(struct model *model, struct thread *thread)
{
	char name[sizeof thread->own.row.name + 4]; /* room for one character more than fits, so utf8_copy
	                                               cuts off whole characters */

	if (!functions_name_task(model->context.functions, thread->own.row.process, thread->own.row.tid, name, sizeof name))
		snprintf(name, sizeof name, "0x%08" PRIx32, thread->own.row.tid);
	utf8_copy(thread->own.row.name, sizeof thread->own.row.name, name);
}

static void feed_thread(struct model *model, const struct message_thread *message)
{
	struct thread *thread = find_or_add_thread(model, message->stream);

	if (!thread)
		return;
	adjust_name_counts(model, thread, -1);
	thread->own.row.process = message->process;
	thread->own.row.tid = message->tid;
	thread->own.row.ended = message->ended;
	thread->own.row.wrapped = message->wrapped;
	thread->own.row.full = message->full;
	thread->own.row.given_up = message->given_up;
	thread->own.is_copy = message->is_copy && !message->wrapped;
	thread->own.row.recorder_lost_events = message->lost_events;
	if (*message->name)
		utf8_copy(thread->own.row.name, sizeof thread->own.row.name, message->name);
	else if (message->is_task)
		name_task(model, thread);
	adjust_name_counts(model, thread, 1);
	thread->selected |= matches_thread_option(model, message->tid, message->is_task ? thread->own.row.name : message->name);
	if (message->ended)
		thread_shrink(thread, &model->context);
}

static void feed_events(struct model *model, const struct message_events *message)
{
	struct thread *thread = find_or_add_thread(model, message->stream);

	if (!thread || !thread->selected || !message->count)
		return;
	if (!model->clock.has_origin)
		clock_set_origin(&model->clock, message->events[0].ticks);
	model->context.profile->has_times = true;
	thread_feed_events(thread, &model->context, message);
}

static void feed_checkpoint(struct model *model, const struct message_checkpoint *message)
{
	struct thread *thread = find_or_add_thread(model, message->stream);

	if (thread && thread->selected)
		thread_feed_checkpoint(thread, &model->context, message);
}

static void feed_switches(struct model *model, const struct message_switches *message)
{
	struct thread *thread = find_or_add_thread(model, message->stream);

	if (thread && thread->selected)
		off_cpu_add_intervals(thread_get_running(thread), message);
}

static void feed_faults(struct model *model, const struct message_faults *message)
{
	struct thread *thread = find_or_add_thread(model, message->stream);

	if (thread && thread->selected)
		thread_feed_faults(thread, message);
}

/* The thread for samples. Null: the thread is not selected, no profile is built, or no memory. ticks: moment of the first sample;
 * 0: unknown. */
static struct thread *find_sampled_thread(struct model *model, uint32_t stream, uint64_t ticks)
{
	struct thread *thread = find_or_add_thread(model, stream);

	if (!thread || !thread->selected || !model->context.options.want_profile)
		return NULL;
	if (!model->clock.has_origin && ticks)
		clock_set_origin(&model->clock, ticks);
	return thread;
}

static void feed_samples(struct model *model, const struct message_samples *message)
{
	struct thread *thread = find_sampled_thread(model, message->stream, message->count ? message->samples[0].ticks : 0);

	if (thread && !samples_feed(&model->paths, thread, &model->context, message))
		thread_out_of_memory(&model->context);
}

static void feed_counts(struct model *model, const struct message_counts *message)
{
	struct thread *thread = find_sampled_thread(model, message->stream, message->from_ticks);

	if (thread && !pc_counts_feed(thread, &model->context, message))
		thread_out_of_memory(&model->context);
}

/* Keeps sums until the end: their functions, and the times to subtract them from, must not depend on the order of reading. */
static void feed_sums(struct model *model, const struct message_sums *message)
{
	struct thread *thread = find_or_add_thread(model, message->stream);

	if (!thread || !thread->selected)
		return;
	if (!model->clock.has_origin && !message->has_no_moments)
		clock_set_origin(&model->clock, message->first_ticks);
	if (!call_sums_add(&model->call_sums, message))
		thread_out_of_memory(&model->context);
}

static void feed_sampling(struct model *model, const struct message_sampling *message)
{
	static const char *const units[] = {[DWELL_UNIT_NS] = "ns", [DWELL_UNIT_CYCLES] = "cycles", [DWELL_UNIT_SAMPLES] = "samples"};

	model->sampling = *message;
	model->has_sampling = true;
	utf8_copy(model->context.profile->unit, sizeof model->context.profile->unit,
		message->event ? message->event : units[message->unit]);
	model->sampling.event = NULL; /* points to the reader's memory; the unit has a copy */
}

bool model_has_switches(const struct model *model)
{
	bool any = false;

	for (size_t i = 0; i < model->thread_count; i++)
		any |= model->threads[i]->own.off_cpu.told;
	return any;
}

bool model_has_faults(const struct model *model)
{
	return model->has_faults;
}

bool model_misses_kernel_faults(const struct model *model)
{
	return model->faults_miss_kernel;
}

uint64_t model_get_faults_elsewhere(const struct model *model)
{
	return model->faults_elsewhere;
}

static void feed_header(struct model *model, const struct message_header *message)
{
	model->header = *message;
	model->has_header = true;
	model->context.is_untimed = model->context.profile->is_untimed = message->is_untimed;
	clock_set_header(&model->clock, message);
	if (message->has_weights && message->unit)
		utf8_copy(model->context.profile->unit, sizeof model->context.profile->unit, message->unit);
}

void model_feed(struct model *model, const struct message *message)
{
	switch (message->kind) {
	case MESSAGE_EVENTS:
		feed_events(model, &message->events);
		return;
	case MESSAGE_CHECKPOINT:
		feed_checkpoint(model, &message->checkpoint);
		return;
	case MESSAGE_HEADER:
		feed_header(model, &message->header);
		return;
	case MESSAGE_PROCESS:
		processes_feed(model, &message->process);
		functions_add_process(model->context.functions, &message->process);
		return;
	case MESSAGE_MODULE:
		functions_add_module(model->context.functions, &message->module, message->offset);
		return;
	case MESSAGE_THREAD:
		feed_thread(model, &message->thread);
		return;
	case MESSAGE_CLOCK:
		clock_add(&model->clock, &message->clock);
		return;
	case MESSAGE_LOSS:
		if (message->loss.reason < DWELL_LOSS_REASONS && message->loss.count > model->losses[message->loss.reason])
			model->losses[message->loss.reason] = message->loss.count;
		return;
	case MESSAGE_THROTTLE:
		throttled_feed(&model->throttled, &message->throttle);
		return;
	case MESSAGE_CPU_PLACES:
		recording_info_feed_cpu_places(model, &message->cpu_places);
		return;
	case MESSAGE_WEIGHT:
		weights_feed(&model->weights, model->context.functions, model->context.profile, &message->weight);
		return;
	case MESSAGE_SWITCHES:
		feed_switches(model, &message->switches);
		return;
	case MESSAGE_FAULTS:
		feed_faults(model, &message->faults);
		return;
	case MESSAGE_NAMES:
		functions_add_names(model->context.functions, &message->names);
		return;
	case MESSAGE_TEXT:
		functions_add_text(model->context.functions, &message->text);
		return;
	case MESSAGE_SAMPLING:
		feed_sampling(model, &message->sampling);
		return;
	case MESSAGE_SAMPLES:
		feed_samples(model, &message->samples);
		return;
	case MESSAGE_COUNTS:
		feed_counts(model, &message->counts);
		return;
	case MESSAGE_INFO:
		recording_info_feed(model, &message->info);
		return;
	case MESSAGE_STRING:
		functions_add_string(model->context.functions, &message->string);
		return;
	case MESSAGE_SUMS:
		feed_sums(model, &message->sums);
		return;
	case MESSAGE_PACKED: /* only for parts */
	case MESSAGE_RESTART:
	case MESSAGE_END:
		return;
	}
}

void model_adopt_open_calls(struct model *model, const struct model *from, uint32_t stream, uint64_t ticks)
{
	uint32_t index = model_find_thread(from, stream);
	struct thread *thread = index == UINT32_MAX ? NULL : find_or_add_thread(model, stream);

	if (!thread || !thread->selected)
		return;
	model->context.profile->has_times = true;
	thread_adopt(thread, &model->context, from->threads[index], ticks);
}

void model_settle(struct model *model)
{
	for (size_t i = 0; i < model->thread_count; i++)
		for (size_t k = 0; k <= model->threads[i]->stacks.count; k++)
			account_settle(thread_get_stack(model->threads[i], k), &model->context);
}

void model_finish(struct model *model)
{
	struct profile *profile = model->context.profile;

	weights_settle(&model->weights, model->context.profile, 0);
	profile->has_faults = model->has_faults;
	for (size_t i = 0; i < model->thread_count; i++)
		profile->has_off_cpu |= model->threads[i]->selected && off_cpu_is_covered(&model->threads[i]->own);
	for (size_t i = 0; i < model->thread_count; i++) {
		struct thread *thread = model->threads[i];

		if (!thread->selected)
			continue;
		thread_finish(thread, &model->context);
		if (!call_sums_apply(&model->call_sums, &model->paths, thread, &model->context))
			thread_out_of_memory(&model->context);
		if (!estimates_end_blocks(&profile->estimates, &thread->blocks))
			thread_out_of_memory(&model->context);
		profile->total += thread->own.row.self_ticks;
		if (array_reserve(
			    &profile->threads, &profile->thread_capacity, profile->thread_count + 1, sizeof *profile->threads))
			profile->threads[profile->thread_count++] = thread->own.row;
	}
	if (!profile_settle(profile))
		thread_out_of_memory(&model->context);
	if (model->context.options.pairs && !tree_make_pairs(&profile->tree))
		thread_out_of_memory(&model->context);
	profile->estimates.jittered = model->has_sampling && model->sampling.jittered;
	call_sums_settle(&model->call_sums, profile);
	if (model->overhead.is_known && !model->context.options.raw && profile->has_times &&
		!profile->is_untimed && !cost_make_net(profile, &model->overhead, throttled_count_calls(&model->throttled)))
		thread_out_of_memory(&model->context);
	if (profile->has_times &&
		!throttled_mark(&model->throttled, model->context.functions, profile, !model->context.options.no_tree))
		thread_out_of_memory(&model->context);
	if (model->context.split && !split_finish(model->context.split, profile->estimates.jittered))
		thread_out_of_memory(&model->context);
}

const struct profile *model_get_profile(const struct model *model)
{
	return model->context.profile;
}

struct functions *model_get_functions(const struct model *model)
{
	return model->context.functions;
}

const struct clock_map *model_get_clock(const struct model *model)
{
	return &model->clock;
}

const struct message_header *model_get_header(const struct model *model)
{
	return model->has_header ? &model->header : NULL;
}

const struct split *model_get_split(const struct model *model)
{
	return model->context.split;
}

const struct message_sampling *model_get_sampling(const struct model *model)
{
	return model->has_sampling ? &model->sampling : NULL;
}

bool model_is_sampled(const struct model *model)
{
	const struct profile *profile = model->context.profile;

	return (model->has_sampling || profile->has_samples) && !profile->has_times;
}

bool model_copy_estimates(const struct model *model, struct estimates *to)
{
	bool good = estimates_merge(to, &model->context.profile->estimates);

	for (size_t i = 0; good && i < model->thread_count; i++)
		good = estimates_add_unfinished(to, &model->threads[i]->blocks);
	return good;
}

uint32_t model_thread_count(const struct model *model)
{
	return (uint32_t)model->thread_count;
}

struct model_thread model_get_thread(const struct model *model, uint32_t index)
{
	struct thread *thread = model->threads[index];
	struct model_thread result = {
		.stream = thread->own.row.stream,
		.process = thread->own.row.process,
		.tid = thread->own.row.tid,
		.last_ticks = thread_get_running(thread)->pair.last_ticks,
		.selected = thread->selected,
		.is_copy = thread->own.is_copy,
		.ended = thread->own.row.ended,
	};

	utf8_copy(result.name, sizeof result.name, thread->own.row.name);
	return result;
}

bool model_shares_name(const struct model *model, uint32_t index)
{
	return numbers_get(&model->names, hash_text(HASH_BEGIN, model->threads[index]->own.row.name)) > 1;
}

bool model_shares_tid(const struct model *model, uint32_t index)
{
	return numbers_get(&model->tids, model->threads[index]->own.row.tid) > 1;
}

static struct stack *find_stack(const struct model *model, uint32_t stream, uint32_t stack)
{
	uint32_t index = model_find_thread(model, stream);
	struct thread *thread = index == UINT32_MAX ? NULL : model->threads[index];

	return thread ? thread_get_stack(thread, stack) : NULL;
}

uint32_t model_stack_count(const struct model *model, uint32_t stream)
{
	uint32_t index = model_find_thread(model, stream);

	return index == UINT32_MAX ? 0 : (uint32_t)model->threads[index]->stacks.count + 1;
}

uint32_t model_stack_open_count(const struct model *model, uint32_t stream, uint32_t stack)
{
	const struct stack *found = find_stack(model, stream, stack);

	return found ? found->pair.depth : 0;
}

struct call model_stack_get_open(const struct model *model, uint32_t stream, uint32_t stack, uint32_t index)
{
	return calls_get_open(find_stack(model, stream, stack), &model->context, index);
}

void model_stack_tag_open(struct model *model, uint32_t stream, uint32_t stack, uint32_t index, uint32_t tag)
{
	calls_tag_open(find_stack(model, stream, stack), index, tag);
}

static const struct stack *find_running(const struct model *model, uint32_t stream)
{
	uint32_t index = model_find_thread(model, stream);

	return index == UINT32_MAX ? NULL : thread_get_running(model->threads[index]);
}

uint32_t model_open_count(const struct model *model, uint32_t stream)
{
	const struct stack *stack = find_running(model, stream);

	return stack ? stack->pair.depth : 0;
}

struct call model_get_open(const struct model *model, uint32_t stream, uint32_t index)
{
	return calls_get_open(find_running(model, stream), &model->context, index);
}

const struct throttled *model_get_throttled(const struct model *model)
{
	return &model->throttled;
}

uint64_t model_get_loss(const struct model *model, enum dwell_loss_reason reason)
{
	return (uint32_t)reason < DWELL_LOSS_REASONS ? model->losses[reason] : 0;
}

struct model_counted_calls model_get_counted_calls(const struct model *model)
{
	return model->call_sums.told;
}

bool model_has_events(const struct model *model)
{
	bool any = false;

	for (size_t i = 0; i < model->thread_count; i++)
		any |= stack_has_begun(&model->threads[i]->own) || model->threads[i]->stacks.count;
	return any;
}

const struct overhead *model_get_overhead(const struct model *model)
{
	return &model->overhead;
}
