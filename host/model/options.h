/* options: what a model is asked for. */
#ifndef DWELL_HOST_MODEL_OPTIONS_H
#define DWELL_HOST_MODEL_OPTIONS_H

#include "model/call.h"
#include "model/function/function.h"

struct model_options {
	bool want_profile;  /* fold into the profile: */
	bool raw;           /* times stay as recorded; else, where it is known what recording cost, the profile is net: see cost.h */
	bool no_tree;       /* but for its tree … */
	bool no_durations;  /* … and for what is known of single calls: min, max, sum, durations */
	bool thread_trees;  /* the profile has a tree for each thread, too */
	bool want_values;   /* on_call is told arguments and what was returned */
	call_fn *on_call;   /* each finished call, in order of completion within its thread; null: none */
	enter_fn *on_enter; /* each call that begins, in order within its thread; returns its tag; null: none. A call without entry
	                       comes to on_call only, with tag 0 */
	carry_fn *on_carry; /* when a part is joined, with the part's context, of each inherited call that it ended: what that had been
	                       charged with before; null: none */
	sample_fn *on_sample; /* each sample, in order within its thread; null: none */
	off_fn *on_off;     /* each time that a thread was off the CPU, as far as it lies between its events, in order within its thread;
	                       in pieces where events lie in it, by the clock of others. Not of threads with off_untold. Null: none */
	void *context;      /* of all of these */
	/* Which threads count: null: all. A thread's name or number as the user typed it, or a pattern with * and ?: any name that it
	 * ever had, said so far. */
	const char *thread;
	/* One function's samples by parts of its code, so many: see split.h. Not for parts. Null: none */
	const char *split;
	uint32_t split_intervals;
	/* Functions that another model has found already; borrowed. Null: its own. */
	struct functions *functions;
};

#endif
