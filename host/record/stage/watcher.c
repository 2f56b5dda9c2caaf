/* watcher: makes the finder of a watching stage, and splits a thread's slots into rows and single slots. */
#include "record/stage/watcher.h"

#include <stdlib.h>
#include <string.h>

/* Behind a row the watcher takes SINGLE_SLOTS slots one by one. While rows are short, the watcher doubles this number, up to
 * SINGLE_SLOTS_MAX. */
#define SINGLE_SLOTS 4u
#define SINGLE_SLOTS_MAX 64u

bool watcher_options_add(struct watcher_options *options, const char *text, const char *function, size_t bytes, uint64_t number)
{
	char *copy = options->rule_count < WATCHER_RULES_MAX ? strndup(function, bytes) : NULL;

	if (copy)
		options->rules[options->rule_count++] = (struct watcher_rule){text, copy, number};
	return copy;
}

void watcher_options_clear(struct watcher_options *options)
{
	for (uint32_t i = 0; i < options->rule_count; i++)
		free(options->rules[i].function);
	options->rule_count = 0;
}

/* Whether the filter drops all functions of one of the rules. Then adds a diag. filter: null: no filter. */
static bool is_left_out(const struct watcher *watch, const struct filter *filter, const char *program, struct diag *diag)
{
	for (uint32_t i = 0; filter && i < watch->options->rule_count; i++) {
		if (!filter_drops_all_of(filter, watch->finder, i))
			continue;
		diag_add(diag, DIAG_ERROR, program, DIAG_NO_OFFSET, "%s %s%s%s: --only and --not leave that function out; change one of them", watch->option,
			watch->quote, watch->options->rules[i].text, watch->quote);
		return true;
	}
	return false;
}

void *make_watcher(size_t bytes, const struct stage_type *type, const char *option, const char *quote,
	const struct watcher_options *options, const struct filter_program *program, const struct filter *filter, struct diag *diag)
{
	struct watcher *watch = calloc(1, bytes);

	if (!watch) {
		diag_add(diag, DIAG_ERROR, program->file, DIAG_NO_OFFSET, "no memory to record with");
		return NULL;
	}
	*watch = (struct watcher){.stage.type = type, .option = option, .quote = quote, .options = options};
	pthread_mutex_init(&watch->lock, NULL);
	watch->patterns.pattern_count = options->rule_count;
	for (uint32_t i = 0; i < options->rule_count; i++)
		watch->patterns.patterns[i] = (struct filter_pattern){.text = options->rules[i].function, .option = option};
	watch->finder = make_finder(&watch->patterns, program, diag);
	if (watch->finder && !is_left_out(watch, filter, program->file, diag))
		return watch;
	watcher_clear(watch);
	free(watch);
	return NULL;
}

void watcher_add_module(struct stage *stage, const struct message_module *module)
{
	struct watcher *watch = (struct watcher *)stage;

	pthread_mutex_lock(&watch->lock);
	filter_add_module(watch->finder, module);
	pthread_mutex_unlock(&watch->lock);
}

void watcher_clear(struct watcher *watch)
{
	free_filter(watch->finder);
	pthread_mutex_destroy(&watch->lock);
}

void watcher_warn_uncalled(const struct watcher *watch, uint32_t rule, const char *uncalled)
{
	char none[FILTER_UNCALLED_BYTES];

	diag_add(watch->stage.recording->diag, DIAG_WARN, watch->stage.recording->output, DIAG_NO_OFFSET, "%s %s%s%s: %s",
		watch->option, watch->quote, watch->options->rules[rule].text, watch->quote,
		filter_describe_uncalled(watch->finder, rule, uncalled, none));
}

/* ---- threads ---- */

bool watcher_thread_begin(struct watcher_thread *thread, struct filter *finder, uint32_t process,
	void (*take)(void *context, const struct dwell_call *call))
{
	thread->finder = finder;
	thread->process = process;
	thread->listener = (struct dwell_fold_calls){thread, take};
	thread->thread.calls = make_follower();
	if (thread->thread.calls)
		dwell_fold_set_calls(&thread->thread.calls->fold, &thread->listener);
	return thread->thread.calls;
}

/* Returns how many of the slots may be a row: exits, repeated TIMEs, and enters of unwatched functions. The row takes as many of
 * these as drain_fold_row can take. */
static uint32_t find_plain(struct watcher_thread *thread, const uint64_t *slots, uint32_t count)
{
	const struct dwell_slot_cursor *cursor = &thread->thread.calls->fold.cursor;
	uint64_t high = (uint64_t)cursor->high << 32;
	uint32_t i;

	if (cursor->window)
		return 0;
	filter_cache_renew(thread->finder, &thread->memory, thread->process);
	for (i = 0; i < count; i++) {
		uint32_t low = (uint32_t)slots[i];

		if (low < DWELL_TAG_LIMIT) {
			if (low != DWELL_TAG_TIME || slots[i] >> 32 != cursor->high)
				break;
		} else if (!(low & 1u) && !filter_is_none(&thread->memory, low) &&
			   filter_find_place(thread->finder, &thread->memory, thread->process, low, high | slots[i] >> 32)) {
			break;
		}
	}
	return i;
}

void watcher_thread_slots(struct watcher_thread *thread, const uint64_t *slots, uint32_t count,
	uint32_t (*row)(struct watcher_thread *thread, const uint64_t *slots, uint32_t count),
	void (*slot)(struct watcher_thread *thread, const uint64_t *slot))
{
	uint32_t plain_end = 0, single_slots = SINGLE_SLOTS; /* find_plain looks at no slot before plain_end twice */

	for (uint32_t i = 0, taken; i < count;) {
		if (i >= plain_end)
			plain_end = i + find_plain(thread, slots + i, count - i);
		taken = i < plain_end ? row(thread, slots + i, plain_end - i) : 0;
		i += taken;
		single_slots = taken >= SINGLE_SLOTS		 ? SINGLE_SLOTS
			       : single_slots < SINGLE_SLOTS_MAX ? single_slots * 2
								 : SINGLE_SLOTS_MAX;
		for (uint32_t k = 0; k < single_slots && i < count; k++)
			slot(thread, slots + i++);
	}
}
