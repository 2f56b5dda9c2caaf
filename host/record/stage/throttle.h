/* throttle: functions that are found to cost more to record than they take, while the program runs, are recorded no more.
 *
 *     judge.h     which they are: from what the threads of a process recorded in the last period
 *     here        from where on: in each stream of the process a moment is chosen at which no call of the function is open, or those that
 *                 are the innermost ones, and end there. From then on the function's events are dropped, and its calls counted
 *     the agent   is asked to save what they cost when all streams of the process have come that far
 *                 (target/port/os/linux/throttle.h). When it does so does not matter any more: it counts from then on, or has turned off
 *                 what would have to be counted
 *
 * So calls that were recorded, calls that were dropped here and calls that the agent counted are all calls there were, and every file is
 * that of a program which at some point has ceased to have this function. Its time is its caller's. */
#ifndef DWELL_HOST_RECORD_STAGE_THROTTLE_H
#define DWELL_HOST_RECORD_STAGE_THROTTLE_H

#include <stdbool.h>
#include <stdint.h>

#include "core/slot.h"
#include "reader/message.h"
#include "record/session/session.h"
#include "writer/trace/dwell.h"

struct drain;
struct throttle;
struct throttle_stream;

/* share: of the threads' time in a period that recording a function may take. Null and a diag: no memory. */
struct throttle *make_throttle(double share, struct diag *diag);
void free_throttle(struct throttle *throttle);
/* Tells the agents of a session, which borrows it, where to look. Before the program starts. */
void throttle_set_session(struct throttle *throttle, struct session *session);

/* A stream begins: of a process, by its number in the session. Nothing is open in it. Null: no memory. What it counted stays when it ends.
 * Context: one thread, as all below that say nothing else. */
struct throttle_stream *throttle_begin_stream(struct throttle *throttle, uint32_t process, struct dwell_ring *ring);
void throttle_end_stream(struct throttle_stream *stream);
/* A file is mapped in a process, or gone: what was said of one that was there before ends. */
void throttle_add_module(struct throttle *throttle, const struct message_module *module);

/* Now and then, while the streams are drained: finds out, and asks the agents. */
void throttle_look(struct throttle *throttle, uint64_t now_ns);
/* Whether it is known what recording a call costs: else nothing is found. When nobody drains any more. */
bool throttle_has_judged(const struct throttle *throttle);
/* Where more was found than hooks can count, or agents be asked for: says so. When nobody drains any more. */
void throttle_tell_limits(const struct throttle *throttle, const char *output, struct diag *diag);
/* Says in the file which functions it is about, and how often they were called by now; at most once a second but for the last time. */
void throttle_tell(struct throttle *throttle, struct trace_writer *writer, uint64_t now_ns, bool final);

/* What drains a stream says and asks. Context: who owns the drain, one at a time.
 * What was recorded, before anything is dropped. */
void throttle_see(struct throttle_stream *stream, const uint64_t *slots, uint32_t count);
/* Chooses the moment, if it can be now, for what is waiting for it. Drain stands between two runs. */
void throttle_choose(struct throttle_stream *stream, const struct drain *drain);
/* Whether anything is dropped. */
bool throttle_is_dropping(const struct throttle_stream *stream);
/* Exits that stand before what comes next: of calls that end where their function ends to be recorded. Returns how many, and forgets
 * them. */
#define THROTTLE_EXITS_MAX 64u
uint32_t throttle_take_exits(struct throttle_stream *stream, uint64_t exits[THROTTLE_EXITS_MAX]);
/* Whether an enter or exit is dropped; counts it. */
bool throttle_drops(struct throttle_stream *stream, const struct dwell_slot_event *event);

#endif
