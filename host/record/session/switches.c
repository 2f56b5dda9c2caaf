/* switches: applies switch events to the tracks of threads, which become intervals off the CPU, and writes the intervals. */
#include "record/session/switches.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "target/port/os/linux/session.h"
#include "util/array.h"
#include "util/real.h"

#define MARK_NS UINT64_C(20000000) /* minimum distance of base and latest, once so much time has passed since the first point */
#define ORPHANS_MAX (1u << 20) /* switches kept for threads without a track */

void switches_begin(struct switches *switches, struct trace_writer *writer, const struct message_clock *point)
{
	*switches = (struct switches){.writer = writer, .base = *point, .mark = *point, .latest = *point};
}

bool switches_follow(struct switches *switches, pid_t pid)
{
	switches->on = switch_events_open(&switches->events, pid, switches->why);
	return switches->on;
}

bool switches_follow_running(struct switches *switches, pid_t pid)
{
	switches->is_late = true;
	switches->on = switch_events_open_running(&switches->events, pid, switches->why);
	return switches->on;
}

void switches_turn_off(struct switches *switches, const char *why)
{
	if (switches->on || !*switches->why)
		snprintf(switches->why, sizeof switches->why, "%s", why);
	switches->on = false;
	switch_events_close(&switches->events);
}

void switches_end(struct switches *switches)
{
	for (uint32_t i = 0; i < SWITCHES_TABLE; i++)
		while (switches->table[i])
			switches_untrack(switches, switches->table[i]);
	switch_events_close(&switches->events);
	if (switches->cpu_places)
		cpu_places_clear(switches->cpu_places);
	free(switches->orphans);
	switches->orphans = NULL;
}

struct switch_track *switches_track(struct switches *switches, uint32_t tid, uint32_t stream)
{
	struct switch_track **head = &switches->table[tid % SWITCHES_TABLE], *track;

	if (!switches->on || !tid || tid & DWELL_TASK_INNER || !(track = calloc(1, sizeof *track)))
		return NULL;
	track->tid = tid;
	track->stream = stream;
	track->from_ticks = switches->lost_ticks;
	track->unknown = switches->is_late;
	track->next = *head; /* before an earlier thread with the same number */
	*head = track;
	return track;
}

void switches_retire(struct switches *switches, struct switch_track *track)
{
	struct switch_track **at;

	if (!track)
		return;
	for (at = &switches->table[track->tid % SWITCHES_TABLE]; *at && *at != track; at = &(*at)->next)
		;
	if (*at)
		*at = track->next;
}

void switches_untrack(struct switches *switches, struct switch_track *track)
{
	switches_retire(switches, track);
	if (!track)
		return;
	free(track->pending);
	free(track->faults);
	free(track->log);
	free(track);
}

static struct switch_track *find(struct switches *switches, uint32_t tid)
{
	struct switch_track *track = switches->table[tid % SWITCHES_TABLE];

	while (track && track->tid != tid)
		track = track->next;
	return track;
}

/* Converts CLOCK_MONOTONIC to ticks, from the last point, by the rate of the last 20 ms or more. The times
 * of a sweep are some milliseconds from that point, so the error is mainly that of the points, 50 ns. */
static uint64_t ticks_of(const struct switches *switches, uint64_t ns)
{
	const struct message_clock *base = &switches->base, *latest = &switches->latest;
	uint64_t span_ns = latest->monotonic_ns - base->monotonic_ns, span_ticks = latest->ticks - base->ticks;
	double rate = span_ns ? (double)span_ticks / (double)span_ns : 1, ticks;

	ticks = ((double)(int64_t)(ns - latest->monotonic_ns)) * rate;
	if (ticks < 0)
		return real_to_u64(-ticks) > latest->ticks ? 0 : latest->ticks - real_to_u64(-ticks);
	return latest->ticks + real_to_u64(ticks);
}

/* Makes point the latest point, unless a clock has not advanced. base follows at a distance of MARK_NS to twice MARK_NS, if
 * the points are close together. */
static void set_point(struct switches *switches, const struct message_clock *point)
{
	if (point->monotonic_ns <= switches->latest.monotonic_ns || point->ticks <= switches->latest.ticks)
		return;
	switches->latest = *point;
	if (point->monotonic_ns - switches->mark.monotonic_ns < MARK_NS)
		return;
	switches->base = switches->mark;
	switches->mark = *point;
}

/* Kept intervals must have no gap. At until_ticks is a gap: the state is unknown, or there is no room. SWITCHES_FIRST: the
 * kept intervals end at until_ticks. SWITCHES_LAST: they begin at until_ticks, and all earlier intervals are dropped. */
static void keep_until(struct switches *switches, struct switch_track *track, uint64_t until_ticks)
{
	if (switches->kept == SWITCHES_FIRST) {
		track->over_ticks = until_ticks ? until_ticks : 1;
		return;
	}
	track->pending_count = 0;
	track->from_ticks = until_ticks;
}

/* Drops half of the intervals at a time, to move few. */
static void forget_oldest(struct switch_track *track)
{
	uint32_t gone = track->pending_count / 2;

	track->from_ticks = track->pending[gone - 1].in_ticks;
	track->pending_count -= gone;
	memmove(track->pending, track->pending + gone, track->pending_count * sizeof *track->pending);
}

/* Logs the pending intervals; a time for which the state is unknown becomes an interval, too.
 * Without memory, extends the last interval to until_ticks, as time off the CPU; without
 * an interval in the log, the time up to until_ticks counts as on a CPU. */
static void log_until(struct switch_track *track, uint64_t until_ticks)
{
	if (array_reserve(&track->log, &track->log_capacity, track->log_count + track->pending_count + 1, sizeof *track->log)) {
		if (track->from_ticks > track->logged_ticks)
			track->log[track->log_count++] = (struct message_switch){track->logged_ticks, track->from_ticks, false};
		if (track->pending_count)
			memcpy(track->log + track->log_count, track->pending, track->pending_count * sizeof *track->pending);
		track->log_count += track->pending_count;
	} else if (track->log_count) {
		track->log[track->log_count - 1].in_ticks = until_ticks;
	}
	track->logged_ticks = until_ticks;
}

/* Writes the pending intervals, complete up to until_ticks, where the next ones begin. */
static void write_pending(struct switches *switches, struct switch_track *track, uint64_t until_ticks)
{
	struct message_switches message = {
		.stream = track->stream,
		.from_ticks = track->from_ticks,
		.until_ticks = until_ticks > track->from_ticks ? until_ticks : track->from_ticks,
		.off_before_ticks = track->off_ticks,
		.preempted_before_ticks = track->preempted_ticks,
		.switches = track->pending,
		.count = track->pending_count,
	};

	if (track->is_logged)
		log_until(track, message.until_ticks);
	trace_writer_switches(switches->writer, &message);
	for (uint32_t i = 0; i < track->pending_count; i++) {
		uint64_t ticks = track->pending[i].in_ticks - track->pending[i].out_ticks;

		track->off_ticks += ticks;
		track->preempted_ticks += track->pending[i].preempted ? ticks : 0;
	}
	switches->count += track->pending_count;
	track->pending_count = 0;
	track->from_ticks = message.until_ticks;
}

static void write_until(struct switches *switches, struct switch_track *track, uint64_t until_ticks)
{
	if (switches->kept == SWITCHES_WRITTEN)
		write_pending(switches, track, until_ticks);
	else
		keep_until(switches, track, until_ticks);
}

/* The state of the thread is unknown until its next switch: from ticks on; or, if the thread left the CPU
 * earlier and did not come back, from out_ticks on. */
static void mark_unknown(struct switches *switches, struct switch_track *track, uint64_t ticks)
{
	if (track->unknown)
		return;
	if (track->is_out && track->out_ticks < ticks)
		ticks = track->out_ticks;
	write_until(switches, track, ticks);
	track->is_out = false;
	track->unknown = true;
}

/* From ticks on, the state of the thread is known again. */
static void mark_known(struct switch_track *track, uint64_t ticks)
{
	if (!track->unknown || track->over_ticks)
		return;
	track->unknown = false;
	track->from_ticks = ticks;
}

/* Applies a switch off the CPU. */
static void apply_out(struct switches *switches, struct switch_track *track, uint64_t ticks, bool preempted)
{
	if (track->is_out) /* the switch back is missing */
		mark_unknown(switches, track, track->out_ticks);
	mark_known(track, ticks);
	track->is_out = track->seen = true;
	track->preempted = preempted;
	track->out_ticks = track->last_ticks = ticks;
}

/* Applies a switch back to a CPU: the interval off the CPU is complete. */
static void apply_in(struct switches *switches, struct switch_track *track, uint64_t ticks)
{
	if (!track->is_out && track->seen) /* the switch off the CPU is missing */
		mark_unknown(switches, track, track->last_ticks);
	mark_known(track, ticks);
	if (track->is_out && !array_reserve(&track->pending, &track->pending_capacity, track->pending_count + (size_t)1,
		sizeof *track->pending))
		mark_unknown(switches, track, track->out_ticks);
	else if (track->is_out)
		track->pending[track->pending_count++] = (struct message_switch){track->out_ticks, ticks, track->preempted};
	track->is_out = false;
	track->seen = true;
	track->last_ticks = ticks;
	if (switches->kept == SWITCHES_LAST && track->pending_count >= switches->keep_max)
		forget_oldest(track);
	else if (track->pending_count >= (switches->kept ? switches->keep_max : TRACE_WRITER_SWITCHES_MAX))
		write_until(switches, track, ticks);
}

/* Applies SWITCH_LOST: any thread may have lost switches. */
static void mark_all_unknown(struct switches *switches, const struct switch_event *event)
{
	uint64_t since_ticks = ticks_of(switches, event->since_ns), ticks = ticks_of(switches, event->ns);

	switches->lost += event->count;
	if (ticks > switches->lost_ticks)
		switches->lost_ticks = ticks;
	for (uint32_t i = 0; i < SWITCHES_TABLE; i++)
		for (struct switch_track *track = switches->table[i]; track; track = track->next)
			mark_unknown(switches, track, since_ticks);
}

void switches_write_faults(struct switches *switches, struct switch_track *track)
{
	const struct message_fault *last;
	struct message_faults message;

	if (!track || !track->fault_count)
		return;
	last = &track->faults[track->fault_count - 1];
	message = (struct message_faults){
		.stream = track->stream,
		.from_ticks = track->faults_from_ticks,
		.until_ticks = last->ticks > switches->latest.ticks ? last->ticks : switches->latest.ticks,
		.before = track->faults_before,
		.faults = track->faults,
		.count = track->fault_count,
	};
	trace_writer_faults(switches->writer, &message);
	track->faults_before += track->fault_count;
	track->faults_from_ticks = message.until_ticks;
	track->fault_count = 0;
}

/* Page faults of a thread have different times, so that a reader knows a fault that it has already. */
static void apply_fault(struct switches *switches, struct switch_track *track, uint64_t ticks, bool major)
{
	if (ticks <= track->last_fault_ticks)
		ticks = track->last_fault_ticks + 1;
	if (!array_reserve(&track->faults, &track->fault_capacity, track->fault_count + (size_t)1, sizeof *track->faults)) {
		switches->dropped_faults++;
		return;
	}
	track->last_fault_ticks = ticks;
	track->faults[track->fault_count++] = (struct message_fault){ticks, major};
	if (track->fault_count == TRACE_WRITER_SWITCHES_MAX)
		switches_write_faults(switches, track);
}

/* Applies one event. False: a switch of a thread without a track. */
static bool apply_event(struct switches *switches, const struct switch_event *event)
{
	struct switch_track *track;
	uint64_t ticks;

	if (event->kind == SWITCH_LOST) {
		mark_all_unknown(switches, event);
		return true;
	}
	if (event->kind == SWITCH_SAMPLE) {
		if (switches->cpu_places)
			cpu_places_add(switches->cpu_places, event->pid, event->address, ticks_of(switches, event->ns));
		return true;
	}
	track = find(switches, event->tid);
	if (!track)
		return false;
	if (event->kind == SWITCH_FAULT) {
		apply_fault(switches, track, ticks_of(switches, event->ns), event->major);
		return true;
	}
	if (track->over_ticks)
		return true;
	ticks = ticks_of(switches, event->ns);
	if (ticks < track->last_ticks)
		ticks = track->last_ticks;
	if (event->kind == SWITCH_IN)
		apply_in(switches, track, ticks);
	else
		apply_out(switches, track, ticks, event->kind == SWITCH_PREEMPTED);
	return true;
}

/* Keeps a switch or page fault of a thread whose first event had not reached a ring when the rings were read. By the next read the
 * event is in a ring, or the thread records nothing and switches_read drops the event. False: no memory, or ORPHANS_MAX. */
static bool keep_orphan(struct switches *switches, const struct switch_event *event)
{
	if (switches->orphan_count == ORPHANS_MAX || !array_reserve(&switches->orphans, &switches->orphan_capacity,
		switches->orphan_count + 1, sizeof *switches->orphans)) {
		switches->dropped_faults += event->kind == SWITCH_FAULT;
		return event->kind == SWITCH_FAULT;
	}
	switches->orphans[switches->orphan_count++] = *event;
	return true;
}

void switches_read(struct switches *switches, const struct message_clock *point)
{
	struct switch_event none = {.kind = SWITCH_LOST, .ns = point->monotonic_ns, .since_ns = switches->latest.monotonic_ns};
	bool all;

	if (!switches->on)
		return;
	for (size_t i = 0; i < switches->orphan_count; i++)
		if (!apply_event(switches, &switches->orphans[i]) && switches->orphans[i].kind == SWITCH_FAULT)
			switches->faults_elsewhere++;
	switches->orphan_count = 0;
	set_point(switches, point);
	all = switch_events_read(&switches->events, point->monotonic_ns);
	for (size_t i = 0; i < switches->events.count; i++)
		if (!apply_event(switches, &switches->events.events[i]))
			all &= keep_orphan(switches, &switches->events.events[i]);
	if (!all)
		apply_event(switches, &none);
}

void switches_write(struct switches *switches, struct switch_track *track)
{
	if (!track || !switches->on)
		return;
	switches_write_faults(switches, track);
	if (!track->unknown)
		write_until(switches, track, switches->latest.ticks);
}

bool switches_should_write(const struct switch_track *track)
{
	return track && (track->pending_count >= SWITCHES_PENDING_MAX || track->fault_count >= SWITCHES_PENDING_MAX);
}

void switches_count_faults(struct switches *switches)
{
	switches->counted_faults = switch_events_count_faults(&switches->events);
}

uint64_t switches_get_faults_elsewhere(const struct switches *switches)
{
	uint64_t count = switches->faults_elsewhere;

	for (size_t i = 0; i < switches->orphan_count; i++)
		count += switches->orphans[i].kind == SWITCH_FAULT;
	return count;
}

uint64_t switches_get_lost_faults(const struct switches *switches)
{
	uint64_t read = switches->events.faults.read, counted = switches->counted_faults;

	return switches->dropped_faults + (counted > read ? counted - read : 0);
}
