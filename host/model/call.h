/* call: the types that the model passes to the callbacks of options.h: finished calls, samples, intervals off the CPU. They cross
 * the border model → analysis. */
#ifndef DWELL_HOST_MODEL_CALL_H
#define DWELL_HOST_MODEL_CALL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/pair.h"
#include "core/slot.h"
#include "model/profile/profile.h"

/* Arguments and return value of a call: the registers for the first integer arguments, as the hook stored them. The function
 * may take fewer arguments, or none; the types are unknown. */
struct call_values {
	uint64_t args[DWELL_ARGS_MAX];
	uint64_t ret;
	uint64_t return_address; /* the call returns to this address */
	uint32_t arg_count;
	uint32_t unknown_args; /* bit n: args[n] is unknown, but a later argument is known */
	bool has_ret, has_return_address;
};

/* Copies the arguments and the return address of an open call, but not the return value, which does not exist yet. */
static inline void call_values_take_arguments(struct call_values *to, const struct call_values *open)
{
	struct call_values given = *open;

	given.ret = to->ret;
	given.has_ret = to->has_ret;
	*to = given;
}

/* A call at its entry (on_enter), at its end (on_call), or still open (model_get_open). */
struct call {
	uint32_t stream;
	uint32_t function;
	uint32_t parent; /* function id of the caller, FUNCTION_NONE when outermost */
	uint32_t depth;  /* number of open callers; 0: outermost */
	uint32_t flags;  /* enum dwell_call_flag */
	uint32_t tag;    /* from on_enter or model_stack_tag_open; without on_enter a MODEL_TAG; 0: the data has no entry */
	uint64_t enter_ticks;
	uint64_t exit_ticks, total_ticks, self_ticks; /* of a finished call */
	struct off_cpu_ticks total_off, self_off;       /* likewise */
	bool off_cpu_unknown; /* the thread's intervals are missing, or came too late: both sums are 0 */
	const struct call_values *values; /* null: unknown, or without want_values; borrowed until the next call */
};
#define MODEL_TAG_ENTERED 1u      /* the data has the entry */
#define MODEL_TAG_INHERITED 2u /* the call was open where a part (part.h) began */
typedef void call_fn(void *context, const struct call *call);
typedef uint32_t enter_fn(void *context, const struct call *call);
typedef void carry_fn(void *context, uint32_t depth, const struct off_cpu_ticks *self, const struct off_cpu_ticks *total);

/* One sample, with the functions on its path. Borrowed until the next sample. */
struct model_sample {
	uint32_t stream;
	uint64_t ticks, weight;    /* moment; weight in the profile's unit: ns, cycles, samples */
	uint64_t address; /* run-time address in the innermost function; 0: unknown */
	const uint32_t *functions; /* outermost first; count 0: the path is unknown */
	size_t count;
};
typedef void sample_fn(void *context, const struct model_sample *sample);

/* Why a thread was not on the CPU. Waiting: for an event, and then perhaps for a CPU; preempted: able to run, but another
 * thread ran; unknown: the trace has no interval for the time. */
enum off_cpu_kind { OFF_CPU_WAITING, OFF_CPU_PREEMPTED, OFF_CPU_UNKNOWN };
typedef void off_cpu_fn(void *context, uint32_t stream, uint64_t begin_ticks, uint64_t end_ticks, enum off_cpu_kind kind);

/* Calls of selected threads without events, since the recorder only counted them. */
struct model_counted_calls {
	bool any, all;        /* all: the recorder wrote no single calls */
	uint64_t calls;       /* number of these calls, in the parts of the file read so far */
	uint64_t limit_ticks; /* unless all: calls shorter than this are only counted */
	bool by_function;     /* there are sums by function (a target's statistics), not included in calls */
};

#endif
