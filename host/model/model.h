/* model: messages → profile, and finished calls for whom wants them. Keeps processes, threads, modules and clock; pairs through
 * core/pair. Knows no file format and no column. */
#ifndef DWELL_HOST_MODEL_MODEL_H
#define DWELL_HOST_MODEL_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "core/pair.h"
#include "core/slot.h"
#include "model/clock.h"
#include "model/function/function.h"
#include "model/profile/chosen.h"
#include "model/profile/overhead.h"
#include "model/profile/profile.h"
#include "reader/message.h"
#include "util/diag.h"

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

/* One call, for calls, slowest, timeline. Crosses the border model → analysis. */
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
	const uint32_t *functions; /* outermost first; none where it is not known where it was */
	size_t count;
};
typedef void sample_fn(void *context, const struct model_sample *sample);

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
	void *context;      /* of all of these */
	/* Which threads count: null: all. A thread's name or number as the user typed it, or a pattern with * and ?: any name that it
	 * ever had, said so far. */
	const char *thread;
	/* One function's samples by parts of its code, so many: see split.h. Not for parts. Null: none */
	const char *split;
	uint32_t split_intervals;
	bool inlines; /* of samples: what was inlined counts as functions of their own, see inlines.h. Not for parts */
	/* Functions that another model has found already; borrowed. Null: its own. */
	struct functions *functions;
};

struct model;
/* Null when there is no memory. options is copied; what it points to stays the caller's. */
struct model *make_model(const struct model_options *options, struct diag *diag);
void free_model(struct model *model);
/* As the option of that name, before the first event. */
void model_want_values(struct model *model);

void model_feed(struct model *model, const struct message *message);
/* No more messages: open calls are finished where their thread's data ends, and the profile is complete. */
void model_finish(struct model *model);

const struct profile *model_get_profile(const struct model *model);
struct functions *model_get_functions(const struct model *model);
const struct clock_map *model_get_clock(const struct model *model);
/* What the reader said first; null before. */
const struct message_header *model_get_header(const struct model *model);

/* Null where nobody asked. */
struct split;
const struct split *model_get_split(const struct model *model);

/* Calls of threads that count that are in no event, since they were only counted while they were recorded. */
struct model_counted {
	bool any, all;        /* all: single calls were not recorded at all */
	uint64_t calls;       /* so many; of parts of the file that were read so far */
	uint64_t limit_ticks; /* else: shorter than that */
};
struct model_counted model_get_counted(const struct model *model);
/* Whether any event came, of threads that count. */
bool model_has_events(const struct model *model);

/* Whether sums of some functions were told, without a call of theirs (the statistics of a target). */
bool model_has_totals(const struct model *model);

/* How samples were taken; null where nobody said. */
const struct message_sampling *model_get_sampling(const struct model *model);
/* Whether it is of samples: there are some, or it was said how they are taken, and no call came. */
bool model_is_sampled(const struct model *model);

/* A copy of the estimates of what came so far, blocks of samples that are not full yet included; to is zero before, and the caller's to
 * clear. False: no memory, and something is missing in it. */
bool model_copy_estimates(const struct model *model, struct estimates *to);

/* Threads, in the order in which they were first heard of. */
struct model_thread {
	uint32_t stream, process, tid;
	uint64_t last_ticks; /* of its last event so far */
	char name[64];       /* as much as fits, "" when unknown */
	bool selected;       /* counts */
	bool is_copy;        /* of the thread that called fork */
	bool ended;          /* as far as was told */
};
uint32_t model_thread_count(const struct model *model);
struct model_thread model_get_thread(const struct model *model, uint32_t index);
/* Whether another thread has the same name, or number, as far as is known. */
bool model_shares_name(const struct model *model, uint32_t index);
bool model_shares_tid(const struct model *model, uint32_t index);
/* Index of the thread of a stream, UINT32_MAX when it was not heard of. */
uint32_t model_find_thread(const struct model *model, uint32_t stream);

/* The open calls of a stream, for analyses that look at them between messages, and while calls finish: on the stack that runs. index 0 is
 * outermost; total_ticks is what the calls that it made, and that are over, took. */
uint32_t model_open_count(const struct model *model, uint32_t stream);
/* Whether there was a gap after which it is not known which calls are open: what comes depends on all that was before it. */
bool model_was_in_doubt(const struct model *model, uint32_t stream);
struct call model_get_open(const struct model *model, uint32_t stream, uint32_t index);
/* When the first and the last event were of the stack that runs; 0: there was none. */
uint64_t model_get_first_ticks(const struct model *model, uint32_t stream);
uint64_t model_get_last_ticks(const struct model *model, uint32_t stream);
/* On each of its stacks, of which it has one at least when it was heard of. */
uint32_t model_stack_count(const struct model *model, uint32_t stream);
uint32_t model_stack_open_count(const struct model *model, uint32_t stream, uint32_t stack);
struct call model_stack_get_open(const struct model *model, uint32_t stream, uint32_t stack, uint32_t index);
void model_stack_tag_open(struct model *model, uint32_t stream, uint32_t stack, uint32_t index, uint32_t tag);

struct model_process {
	uint32_t process, pid, parent_pid;
	char *path;
	bool ended;
	int status; /* as wait() gives it */
};
uint32_t model_process_count(const struct model *model);
const struct model_process *model_get_process(const struct model *model, uint32_t index);
/* exec put another program in its place: it did not end, and a later one has its pid. By its index, and by the file's number. */
bool model_is_replaced(const struct model *model, uint32_t index);
bool model_process_is_replaced(const struct model *model, uint32_t process);

/* Whether anything was told of when threads were off the CPU, so far. */
bool model_has_switches(const struct model *model);
/* Why it was not recorded, as the recording says; "" when it does not. */
const char *model_get_cpu_problem(const struct model *model);

/* What recording a call cost, as far as the recording says. */
const struct overhead *model_get_overhead(const struct model *model);

/* Of samples at even distances that follow a rhythm of the program's own, as the recording says: whose share differs how much from that at
 * random moments, for people. "": they do not, or nobody knows. */
const char *model_get_in_step(const struct model *model);
/* "none": nobody found one; "none: " and how small a difference would not have shown; "not known: " and why; "": the recording does not say,
 * or in_step does. */
const char *model_get_rhythm(const struct model *model);
/* It is the "not known". */
bool model_is_rhythm_unknown(const struct model *model);
/* Samples that were taken and left out, since the kernel handled an interrupt then, and what they weigh. */
struct model_interrupted {
	uint64_t samples, weight;
};
const struct model_interrupted *model_get_interrupted(const struct model *model);
/* Functions of which only some calls are in the trace, and how many there were. */
const struct chosen *model_get_chosen(const struct model *model);
/* Of a snapshot: which calls it was taken for, for people. Empty: it is none, or was asked for. */
const char *model_get_left_out(const struct model *model); /* which calls, by the options of record; empty: none */
const char *model_get_snapshot_reason(const struct model *model);

/* What was not recorded any more from some moment on. */
struct throttled;
const struct throttled *model_get_throttled(const struct model *model);

/* What was not recorded outside of any thread's data. */
uint64_t model_get_loss(const struct model *model, enum dwell_loss_reason reason);

#endif
