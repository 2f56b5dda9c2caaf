/* call: one call, one sample, as a model gives them while it reads. Crosses the border model → analysis. */
#ifndef DWELL_HOST_MODEL_CALL_H
#define DWELL_HOST_MODEL_CALL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/pair.h"
#include "core/slot.h"
#include "model/profile/profile.h"

/* What a call was given and gave back, as far as the hook knew: integer registers, the first ones. How many of them the function takes, and
 * what they mean to it, is not known. */
struct call_values {
	uint64_t args[DWELL_ARGS_MAX];
	uint64_t ret;
	uint64_t return_address; /* where it returns to */
	uint32_t arg_count;
	uint32_t unknown_args; /* bit n: args[n] is not known, though one behind it is */
	bool has_ret, has_return_address;
};

/* What is known of a call that is open is what it was given. */
static inline void call_values_take_given(struct call_values *to, const struct call_values *open)
{
	struct call_values given = *open;

	given.ret = to->ret;
	given.has_ret = to->has_ret;
	*to = given;
}

/* For calls, slowest, timeline. */
struct call {
	uint32_t stream;
	uint32_t function;
	uint32_t parent; /* function id of the caller, FUNCTION_NONE when outermost */
	uint32_t depth;
	uint32_t flags;  /* enum dwell_call_flag */
	uint32_t tag;    /* what on_enter or model_tag_open said; without on_enter a MODEL_TAG; 0 where it was not seen to begin */
	uint64_t enter_ticks;
	uint64_t exit_ticks, total_ticks, self_ticks; /* of a finished call */
	struct profile_off total_off, self_off;       /* likewise */
	bool off_unknown;                             /* nothing was told of its thread in time: they are nothing */
	const struct call_values *values; /* where they are wanted, and known; borrowed until the next call; else null */
};
#define MODEL_TAG_SEEN 1u
#define MODEL_TAG_INHERITED 2u /* it was open where the part began */
typedef void call_fn(void *context, const struct call *call);
typedef uint32_t enter_fn(void *context, const struct call *call);
typedef void carry_fn(void *context, uint32_t depth, const struct profile_off *self, const struct profile_off *total);

/* One sample, with the functions on its path. Borrowed until the next. */
struct model_sample {
	uint32_t stream;
	uint64_t ticks, weight;
	uint64_t address; /* where in the innermost function it was, as it ran; 0: not known */
	const uint32_t *functions; /* outermost first; none where it is not known where it was */
	size_t count;
};
typedef void sample_fn(void *context, const struct model_sample *sample);

/* A thread was not on the CPU. Waiting: for something, and then perhaps for a CPU; preempted: it was able to run, and
 * another thread was let first; unknown: nobody said what it did. */
enum off_kind { OFF_WAITING, OFF_PREEMPTED, OFF_UNKNOWN };
typedef void off_fn(void *context, uint32_t stream, uint64_t begin_ticks, uint64_t end_ticks, enum off_kind kind);

/* Calls of threads that count that are in no event, since they were only counted while they were recorded. */
struct model_counted {
	bool any, all;        /* all: single calls were not recorded at all */
	uint64_t calls;       /* so many; of parts of the file that were read so far */
	uint64_t limit_ticks; /* else: shorter than that */
	bool by_function;     /* sums of functions alone (the statistics of a target); these are not in calls */
};

#endif
