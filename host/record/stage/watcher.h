/* watcher: calls of functions that are named: which functions these are, and how the calls are found among a thread's slots. Two things may
 * become of them: slow_trees.h keeps the slowest (--keep-slowest), trigger.h has a snapshot taken (--snapshot-when). */
#ifndef DWELL_HOST_RECORD_STAGE_WATCHER_H
#define DWELL_HOST_RECORD_STAGE_WATCHER_H

#include <pthread.h>

#include "record/stage/filter.h"
#include "record/stage/stage.h"

#define WATCHER_RULES_MAX 16u

struct watcher_options {
	struct watcher_rule {
		const char *text; /* as it was given; borrowed */
		char *function;   /* a pattern; freed by watcher_options_clear */
		uint64_t number;  /* of calls that are kept, or of nanoseconds that one may take */
	} rules[WATCHER_RULES_MAX];
	uint32_t rule_count;
	uint32_t snapshots_max; /* of --snapshot-when; 0: what is usual */
};

static inline bool watcher_is_wanted(const struct watcher_options *options)
{
	return options->rule_count > 0;
}
/* function: so many bytes are its pattern. False: no room for it. */
bool watcher_options_add(struct watcher_options *options, const char *text, const char *function, size_t bytes, uint64_t number);
void watcher_options_clear(struct watcher_options *options);

/* The beginning of who watches. */
struct watcher {
	struct stage stage;
	const char *option; /* for messages … */
	const char *quote;  /* … in which a rule is quoted, or not: "'" or "" */
	const struct watcher_options *options;
	struct filter_options patterns;
	struct filter *finder;
	pthread_mutex_t lock; /* of the finder's files: while one is added, and a function's name is asked for */
};

/* Its memory has so many bytes, zeroed but for these. filter: what is left out of the recording, null: nothing.
 * Null and a diag: a function is left out by it, or no memory. */
void *make_watcher(size_t bytes, const struct stage_type *type, const char *option, const char *quote,
	const struct watcher_options *options, const struct filter_program *program, const struct filter *filter, struct diag *diag);
/* See stage.h. */
void watcher_add_module(struct stage *stage, const struct message_module *module);
void watcher_clear(struct watcher *watch);
/* No call was seen that the rule is for: says why, or else what uncalled says. */
void watcher_tell_uncalled(const struct watcher *watch, uint32_t rule, const char *uncalled);

/* The beginning of what is known of a thread. */
struct watcher_thread {
	struct stage_thread thread;
	struct filter *finder;
	uint32_t process;
	struct filter_memory memory;
	struct dwell_fold_calls listener;
};

/* Begins with nothing open; take gets the thread as its context. False: no memory. */
bool watcher_thread_begin(
	struct watcher_thread *thread, struct filter *finder, uint32_t process, void (*take)(void *context, const struct dwell_call *call));
/* Gives slots to one of these, in order. row: what begins no such call and has nothing unusual in it; takes as many as it likes, from the
 * first on (drain_fold_row does). slot: anything. */
void watcher_thread_slots(struct watcher_thread *thread, const uint64_t *slots, uint32_t count,
	uint32_t (*row)(struct watcher_thread *thread, const uint64_t *slots, uint32_t count),
	void (*slot)(struct watcher_thread *thread, const uint64_t *slot));

#endif
