/* trigger: calls that take too long, of functions that were named, while a ring recording goes on → when to take a snapshot.
 *
 *     make_trigger(&options, &program, …), as a stage of the recording
 *     in each sweep: trigger_see, then copy the journal, then trigger_look
 *                    if trigger_is_due: take a snapshot, with trigger_holds and trigger_write; then trigger_taken
 *                    trigger_let_go
 *
 * It reads along the rings and takes nothing from them: they are what a snapshot is made of, and hold as much as a window in record's own
 * memory would. A thread that is a quarter of its ring ahead waits until that was looked at, and a snapshot that is due has its ring. So
 * each call is judged, and one that is slow is whole in its snapshot if three quarters of the ring hold it. Nobody waits with
 * --on-full=lose, or once a wait was too long: what was overwritten before it was read is counted, and no call is judged whose entry
 * was in it.
 *
 * Time is wall time, from entry to exit: time off the CPU is in it, but not what recording held the thread up. Of calls of one function
 * in one another the outermost counts.
 *
 * A snapshot of all rings is taken at once for the first call of a thread that took too long, and again when that thread's ring has been
 * renewed. For one that comes earlier it waits until the ring has come round to it, nearly: so no two of them hold the same, and each holds
 * as many of these calls as it can. What waits at the end is in the recording's own file. */
#ifndef DWELL_HOST_RECORD_STAGE_TRIGGER_H
#define DWELL_HOST_RECORD_STAGE_TRIGGER_H

#include <stdbool.h>
#include <stdint.h>

#include "reader/message.h"
#include "record/session/session.h"
#include "record/sink/trace_file.h"
#include "record/stage/watcher.h"
#include "util/diag.h"
#include "writer/trace/dwell.h"

#define TRIGGER_SNAPSHOTS 10u

/* "FUNC > 5ms", added. False: text that says what was expected, static. */
bool trigger_read(struct watcher_options *options, const char *text, const char **wrong);

struct trigger;

/* program, filter: as for make_watcher. Null and a diag: a rule is for a function that is left out, or no memory. */
struct trigger *make_trigger(const struct watcher_options *options, const struct filter_program *program, const struct filter *filter,
	struct diag *diag);
/* It as a stage of the recording, which hears of modules and of the end, and takes no slots. */
struct stage *trigger_get_stage(struct trigger *trigger);

/* Sees how far the rings have come: what is told in the journal until then belongs to it. */
void trigger_see(struct trigger *trigger);
/* Looks at what is new. final: no more comes. Returns whether there was much. */
bool trigger_look(struct trigger *trigger, bool final);

/* Whether a snapshot should be taken now. */
bool trigger_is_due(const struct trigger *trigger);
/* What a snapshot has of a ring, while it is made: from which moment on. */
void trigger_holds(struct trigger *trigger, uint32_t slot, uint64_t begin_ticks, uint64_t first_ticks);
/* Then writes into it what it is taken for. */
void trigger_write(const struct trigger *trigger, struct trace_writer *writer);
/* It is there: says so. file: its name. */
void trigger_taken(struct trigger *trigger, const char *file, struct diag *diag);
/* The first of them, and what it is for. */
void trigger_tell_first(const struct trigger *trigger, struct recorded *to);
/* All that was looked at may be overwritten. Whether a thread waited for that. */
bool trigger_let_go(struct trigger *trigger);
/* It could not be made: the calls are counted as without one. */
void trigger_failed(struct trigger *trigger);

#endif
