/* options: the results, threads and callbacks of a model. The caller fills in the struct for make_model. */
#ifndef DWELL_HOST_MODEL_OPTIONS_H
#define DWELL_HOST_MODEL_OPTIONS_H

#include "model/call.h"
#include "model/function/function.h"

struct model_options {
	bool want_profile;  /* build the profile: */
	bool raw;           /* times stay as recorded. False: the profile is net if the cost of recording is known (cost.h) */
	bool no_tree;       /* leaves out the profile's tree … */
	bool pairs;         /* … or the tree has pairs of functions in place of paths (tree_pairs.h) */
	uint64_t path_limit; /* nodes of all trees together; 0: as memory allows */
	bool no_durations;  /* leaves out figures of single calls: min, max, sum, durations */
	bool thread_trees;  /* the profile has a tree for each thread, too */
	bool want_values;   /* on_call gets arguments and return values */
	call_fn *on_call;   /* each finished call, in order of completion within its thread; null: none */
	enter_fn *on_enter; /* each call that begins, in order within its thread; returns the call's tag; null: none. A call
	                       without entry comes to on_call only, with tag 0 */
	/* model_join (part.h) passes each call open where the part began and ended by the part, with the call's time off the CPU
	 * before the part. The context is that of part_set_context. Null: none. */
	carry_fn *on_carry;
	sample_fn *on_sample; /* each sample, in order within its thread; null: none */
	/* Each interval of a thread off the CPU, between the thread's first and last event, in order within the thread; cut into
	 * pieces by events of the thread in the interval. Not for threads with off_cpu_is_unknown. Null: none. */
	off_cpu_fn *on_off_cpu;
	void *context;      /* passed to all callbacks */
	/* Selects threads; null: all. A thread's name or number, as the user typed it, or a pattern with * and ?. A
	 * thread counts from the moment of its first matching name. */
	const char *thread;
	/* Counts a function's samples by this many intervals of its code: see split.h. Not for parts. Null: none */
	const char *split;
	uint32_t split_intervals;
	/* Functions that another model has already found; borrowed. Null: the model's own. */
	struct functions *functions;
};

#endif
