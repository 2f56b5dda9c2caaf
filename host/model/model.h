/* model: takes the messages of a reader, and makes the profile from them; passes single calls to callbacks. Also has the
 * processes, threads, modules and clock of the recording. Depends on no file format and no table. core/pair.h pairs the events. */
#ifndef DWELL_HOST_MODEL_MODEL_H
#define DWELL_HOST_MODEL_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "model/clock.h"
#include "model/function/function.h"
#include "model/options.h"
#include "model/profile/kept_slowest.h"
#include "model/profile/overhead.h"
#include "model/profile/profile.h"
#include "reader/message.h"
#include "util/code_share.h"
#include "util/diag.h"

struct model;
/* Null: no memory. options is copied; the caller owns the memory that it refers to. */
struct model *make_model(const struct model_options *options, struct diag *diag);
void free_model(struct model *model);
/* Sets options.want_values. pre: no event was fed. */
void model_want_values(struct model *model);

void model_feed(struct model *model, const struct message *message);
/* The calls of a stream that are open in from, which has been fed the stream's events before ticks and shares the model's functions
 * (options.functions), are open in the model from ticks on, as calls begun before the data. pre: the model has no event of the
 * stream. */
void model_adopt_open_calls(struct model *model, const struct model *from, uint32_t stream, uint64_t ticks);
/* After the last message: open calls end where their thread's data ends, and the profile becomes complete. */
void model_finish(struct model *model);
/* Adds all calls finished so far to the rows of the profile's functions, for a reader of the profile before model_finish. */
void model_settle(struct model *model);

const struct profile *model_get_profile(const struct model *model);
struct functions *model_get_functions(const struct model *model);
const struct clock_map *model_get_clock(const struct model *model);
/* The reader's first message; null before. */
const struct message_header *model_get_header(const struct model *model);

/* The samples of chosen functions by intervals of code. Null without options.split. */
struct split;
const struct split *model_get_split(const struct model *model);

/* Calls that the recorder counted, but did not record one by one. */
struct model_counted_calls model_get_counted_calls(const struct model *model);
/* Whether a selected thread has had any event. */
bool model_has_events(const struct model *model);

/* How samples were taken; null if the trace does not contain it. */
const struct message_sampling *model_get_sampling(const struct model *model);
/* Whether the trace has samples, or a message about sampling, and no times of calls. */
bool model_is_sampled(const struct model *model);

/* Copies the estimates so far, including incomplete blocks of samples. to: zeroed before; the caller clears
 * it. False: no memory, and the copy is incomplete. */
bool model_copy_estimates(const struct model *model, struct estimates *to);

/* Threads, in order of their first message. */
struct model_thread {
	uint32_t stream, process, tid;
	uint64_t last_ticks; /* of its last event so far */
	char name[64];       /* as much as fits, "" when unknown */
	bool selected;       /* options.thread matches it, or is null */
	bool is_copy;        /* the thread began by fork, as a copy of the thread that called fork */
	bool ended;          /* the trace has its end */
};
uint32_t model_thread_count(const struct model *model);
struct model_thread model_get_thread(const struct model *model, uint32_t index);
/* Whether another thread so far has the same name; the same tid. */
bool model_shares_name(const struct model *model, uint32_t index);
bool model_shares_tid(const struct model *model, uint32_t index);
/* Index of the thread of a stream; UINT32_MAX: no such thread yet. */
uint32_t model_find_thread(const struct model *model, uint32_t stream);

/* The open calls of a stream, on the stack that runs; for analyses that read them between messages, or from on_call. index 0 is
 * outermost; total_ticks is the time of the call's finished callees. */
uint32_t model_open_count(const struct model *model, uint32_t stream);
struct call model_get_open(const struct model *model, uint32_t stream, uint32_t index);
/* The same for each stack of a stream: coroutines have their own. Stack 0 is the thread's own. Count 0: no such stream. */
uint32_t model_stack_count(const struct model *model, uint32_t stream);
uint32_t model_stack_open_count(const struct model *model, uint32_t stream, uint32_t stack);
struct call model_stack_get_open(const struct model *model, uint32_t stream, uint32_t stack, uint32_t index);
void model_stack_tag_open(struct model *model, uint32_t stream, uint32_t stack, uint32_t index, uint32_t tag);

struct model_process {
	uint32_t process, pid, parent_pid; /* process: its number in the file */
	char *path; /* null: unknown */
	char *called; /* its first argument: the name under which it was started; null: unknown */
	bool ended;
	int status; /* as wait() returns it */
	uint64_t start_ticks;
};
uint32_t model_process_count(const struct model *model);
const struct model_process *model_get_process(const struct model *model, uint32_t index);
/* The file's number of the process with the pid at ticks; UINT32_MAX: none. */
uint32_t model_find_process(const struct model *model, uint32_t pid, uint64_t ticks);
/* Whether exec replaced the process: no end was recorded, and a later process has the pid. By index, and by the file's number. */
bool model_is_replaced(const struct model *model, uint32_t index);
bool model_process_is_replaced(const struct model *model, uint32_t process);

/* Whether any message so far had times off the CPU. */
bool model_has_switches(const struct model *model);
/* Whether the message says that page faults are recorded; whether one so far did. */
bool model_says_faults(const struct message_info *message);
bool model_has_faults(const struct model *model);
/* Whether page faults inside of system calls are missing. */
bool model_misses_kernel_faults(const struct model *model);
/* Number of page faults of threads while they recorded nothing. */
uint64_t model_get_faults_elsewhere(const struct model *model);
/* Places where threads were on a CPU, from samples taken besides the calls; count 0: no such samples. */
const struct message_cpu_places *model_get_cpu_places(const struct model *model);
/* Why the recording has no times off the CPU, for people; "": the recording gives no reason. */
const char *model_get_cpu_problem(const struct model *model);

/* The cost of recording a call, as far as the recording has it. */
const struct overhead *model_get_overhead(const struct model *model);

/* Samples left out, as they were taken during an interrupt of the kernel: number and weight. */
struct model_interrupted {
	uint64_t samples, weight;
};
const struct model_interrupted *model_get_interrupted(const struct model *model);
/* CPU time in the kernel that has no samples, since the system forbade them, in ns; 0: none, or unknown. */
uint64_t model_get_unsampled_kernel_ns(const struct model *model);
/* Functions with only some of their calls in the trace, with the number of all calls. */
const struct kept_slowest *model_get_kept_slowest(const struct model *model);
const char *model_get_left_out(const struct model *model); /* the calls left out, by record's options; empty: none */
/* The number of recorded functions that may end in a tail call; 0, too, if the recorder did not count them. */
uint64_t model_get_tail_calls(const struct model *model);
/* The number of functions in the recorded files that can jump out of their callers unseen
 * by the recorder; 0, too, if not counted. */
uint64_t model_get_unseen_jumps(const struct model *model);
/* How much of the recorded files' code is in functions whose times can be recorded. */
struct code_share model_get_timed_code(const struct model *model);
/* Of a recording by hooks that a compiler made: how much is in functions with hooks. */
struct code_share model_get_hooked_code(const struct model *model);
/* The calls for which a snapshot was taken, for people; empty: no snapshot, or a user requested it. */
const char *model_get_snapshot_reason(const struct model *model);

/* The functions that the recorder stopped recording. */
struct throttled;
const struct throttled *model_get_throttled(const struct model *model);

/* How much the recording lost outside of any thread's data, for this reason; the reason implies the unit. */
uint64_t model_get_loss(const struct model *model, enum dwell_loss_reason reason);

#endif
