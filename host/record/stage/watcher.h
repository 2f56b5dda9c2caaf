/* watcher: finds calls of named functions among a thread's slots. slow_trees.h keeps the slowest calls (--keep-slowest); trigger.h
 * takes a snapshot for them (--snapshot-when). */
#ifndef DWELL_HOST_RECORD_STAGE_WATCHER_H
#define DWELL_HOST_RECORD_STAGE_WATCHER_H

#include <pthread.h>

#include "record/stage/filter.h"
#include "record/stage/stage.h"

#define WATCHER_RULES_MAX 16u

struct watcher_options {
	struct watcher_rule {
		const char *text; /* as typed; borrowed */
		char *function;   /* a pattern; freed by watcher_options_clear */
		uint64_t number;  /* number of calls to keep, or a call's limit in nanoseconds */
	} rules[WATCHER_RULES_MAX];
	uint32_t rule_count;
	uint32_t snapshots_max; /* of --snapshot-when; 0: the usual number */
};

static inline bool watcher_has_rules(const struct watcher_options *options)
{
	return options->rule_count > 0;
}
/* Adds a rule. text is borrowed. function: the rule's pattern, of so many bytes, which is copied. False: no room for more rules, or
 * no memory. */
bool watcher_options_add(struct watcher_options *options, const char *text, const char *function, size_t bytes, uint64_t number);
void watcher_options_clear(struct watcher_options *options);

/* The first member of a watching stage. */
struct watcher {
	struct stage stage;
	const char *option; /* the option's name, for messages */
	const char *quote;  /* the text around a rule in messages: "'" or "" */
	const struct watcher_options *options;
	struct filter_options patterns;
	struct filter *finder;
	pthread_mutex_t lock; /* for the finder's files: held while a file is added, and while a function's name is read */
};

/* Allocates a stage of so many bytes, which begins with a struct watcher, and zeroes the members behind it. option, quote and
 * options are borrowed. filter: drops the functions left out of the recording; null: none. Null and a diag: the filter leaves out
 * all functions of a rule, or no memory. */
void *make_watcher(size_t bytes, const struct stage_type *type, const char *option, const char *quote,
	const struct watcher_options *options, const struct filter_program *program, const struct filter *filter,
	struct diag *diag);
/* See stage.h. */
void watcher_add_module(struct stage *stage, const struct message_module *module);
void watcher_clear(struct watcher *watch);
/* The rule matched no call: adds a diag with the reason, or else with the text uncalled. */
void watcher_warn_uncalled(const struct watcher *watch, uint32_t rule, const char *uncalled);

/* The first member of a watching stage's state for a thread. */
struct watcher_thread {
	struct stage_thread thread;
	struct filter *finder;
	uint32_t process;
	struct filter_cache memory;
	struct dwell_fold_calls listener;
};

/* Begins without open calls. take gets each finished call, with the thread as its context. False: no memory. */
bool watcher_thread_begin(struct watcher_thread *thread, struct filter *finder, uint32_t process,
	void (*take)(void *context, const struct dwell_call *call));
/* Passes the slots to row or slot, in order. row: gets usual slots that begin no watched call, takes any number of these from the
 * first on, and returns the number (as drain_fold_row). slot: gets any slot. */
void watcher_thread_slots(struct watcher_thread *thread, const uint64_t *slots, uint32_t count,
	uint32_t (*row)(struct watcher_thread *thread, const uint64_t *slots, uint32_t count),
	void (*slot)(struct watcher_thread *thread, const uint64_t *slot));

#endif
