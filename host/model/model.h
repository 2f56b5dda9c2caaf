/* model: messages → profile, and finished calls for whom wants them. Keeps processes, threads, modules and clock; pairs through
 * core/pair. Knows no file format and no column. */
#ifndef DWELL_HOST_MODEL_MODEL_H
#define DWELL_HOST_MODEL_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "model/clock.h"
#include "model/function/function.h"
#include "model/options.h"
#include "model/profile/chosen.h"
#include "model/profile/overhead.h"
#include "model/profile/profile.h"
#include "reader/message.h"
#include "util/diag.h"

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

struct model_counted model_get_counted(const struct model *model);
/* Whether any event came, of threads that count. */
bool model_has_events(const struct model *model);

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
struct call model_get_open(const struct model *model, uint32_t stream, uint32_t index);
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

/* Samples that were taken and left out, since the kernel handled an interrupt then, and what they weigh. */
struct model_interrupted {
	uint64_t samples, weight;
};
const struct model_interrupted *model_get_interrupted(const struct model *model);
/* Functions of which only some calls are in the trace, and how many there were. */
const struct chosen *model_get_chosen(const struct model *model);
/* Of a snapshot: which calls it was taken for, for people. Empty: it is none, or was asked for. */
const char *model_get_left_out(const struct model *model); /* which calls, by the options of record; empty: none */
/* How many of the recorded functions may end in a tail call, where the recorder knew. */
uint64_t model_get_tail_calls(const struct model *model);
/* How many functions of the recorded files can jump out of their callers in a way that the recorder does not see, where it knew. */
uint64_t model_get_unseen_jumps(const struct model *model);
const char *model_get_snapshot_reason(const struct model *model);

/* What was not recorded any more from some moment on. */
struct throttled;
const struct throttled *model_get_throttled(const struct model *model);

/* What was not recorded outside of any thread's data. */
uint64_t model_get_loss(const struct model *model, enum dwell_loss_reason reason);

#endif
