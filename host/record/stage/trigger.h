/* trigger: takes a snapshot of a ring recording when a call of a named function took too long. Such a call is a slow call.
 *
 *     make_trigger(&options, &program, …), as a stage of the recording
 *     in each sweep: trigger_read_positions, then copy the journal, then trigger_judge_calls
 *                    if trigger_is_due: take a snapshot, with trigger_note_ring and trigger_write_calls; then trigger_note_snapshot
 *                    trigger_release
 *
 * The trigger reads the rings without removing slots: a snapshot is a copy of the rings, which hold as much as a window in record's
 * memory would. A thread that is a quarter of its ring ahead waits. The thread goes on once the trigger has read its slots, and a
 * due snapshot has the ring. So the trigger judges each call, and a snapshot has all of a slow call that fits in three quarters of
 * the ring. With --on-full=lose, or once a wait was too long, threads do not wait. Then the trigger counts the slots that threads
 * overwrote unread, and does not judge calls whose entry was overwritten.
 *
 * A call's time is wall time, from entry to exit, with time off the CPU, but without the time that recording held the thread up. Of
 * nested calls of one function the outermost counts.
 *
 * At the first slow call, the trigger takes a snapshot of all rings at once. The trigger does so for a later slow call, too, if the
 * call's ring has no slots in common with the last snapshot. Otherwise the call waits until the thread will soon overwrite the
 * call's slots, or has ended. So each snapshot holds as many slow calls as possible, and repeats few slots of the call's ring.
 * Calls that still wait at the end are in the recording's own file. */
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

/* Adds the rule "FUNC > 5ms". text is borrowed. False: *wrong is a static text that describes the expected form,
 * or how many rules are allowed. */
bool trigger_read_rule(struct watcher_options *options, const char *text, const char **wrong);

struct trigger;

/* program, filter: as for make_watcher. Null and a diag: the filter leaves out all functions of a rule, or no memory. Freed as a
 * stage (trigger_get_stage). */
struct trigger *make_trigger(const struct watcher_options *options, const struct filter_program *program,
	const struct filter *filter, struct diag *diag);
/* The trigger as a stage of the recording: the stage gets modules and the end, and takes no slots. */
struct stage *trigger_get_stage(struct trigger *trigger);

/* Notes the present ends of all rings, for trigger_judge_calls. Modules of the calls up to there are in the journal by now. */
void trigger_read_positions(struct trigger *trigger);
/* Compares the calls in the new slots, up to the ends that trigger_read_positions noted, with their limits. final: no more slots
 * will come, and no snapshot becomes due. True: the new slots were many, or the clock's rate is not known yet: call again soon. */
bool trigger_judge_calls(struct trigger *trigger, bool final);

/* Whether a snapshot should be taken now. */
bool trigger_is_due(const struct trigger *trigger);
/* While a snapshot is made: the snapshot has the slots of one ring, from first_ticks on; lets the ring's thread go on. slot: the
 * ring's slot in the session. begin_ticks: when the thread of the ring began. */
void trigger_note_ring(struct trigger *trigger, uint32_t slot, uint64_t begin_ticks, uint64_t first_ticks);
/* Then writes the slow calls that caused the snapshot. */
void trigger_write_calls(const struct trigger *trigger, struct trace_writer *writer);
/* The snapshot is complete: adds a note for each slow call that caused it. file: the snapshot's name, which is copied. */
void trigger_note_snapshot(struct trigger *trigger, const char *file, struct diag *diag);
/* Sets to->slow_path and to->slow_function to copies of the path of the first snapshot, and of the name of the function that caused
 * the snapshot; null: no snapshot. recorded_clear frees both. pre: both are null. */
void trigger_get_first(const struct trigger *trigger, struct recorded *to);
/* Lets threads overwrite the slots that the trigger has read, and wakes threads that wait for this. Returns whether a thread
 * waited. */
bool trigger_release(struct trigger *trigger);
/* The snapshot failed: its calls count as calls without a snapshot. */
void trigger_note_failure(struct trigger *trigger);

#endif
