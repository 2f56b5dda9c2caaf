/* switches: when the recorded threads were off the CPU → SWITCHES chunks of the trace file; and their page faults → FAULTS chunks.
 *
 *     switches_begin(&switches, writer, &point)
 *     switches_follow(&switches, pid)                    before the program starts
 *     in each sweep: read how far the rings are; read a clock point; switches_read(&switches, &point);
 *                    for each stream that is written: switches_write(&switches, track), then its slots
 *
 * With this order, all switches before an event precede the event in the file. Switches of threads that record
 * nothing are dropped. While the kernel had no room for switches, the state of every thread is unknown. */
#ifndef DWELL_HOST_RECORD_SESSION_SWITCHES_H
#define DWELL_HOST_RECORD_SESSION_SWITCHES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "record/session/cpu_places.h"
#include "record/session/switch_events.h"
#include "writer/trace/dwell.h"

/* So many pending intervals of a thread wait for the thread's slots. From this number on,
 * streams_write writes the intervals without slots. Likewise page faults. */
#define SWITCHES_PENDING_MAX 4096u
#define SWITCHES_TABLE 1024u /* lists in the hash table of tracks */

/* A stream, and the state of its thread. */
struct switch_track {
	struct switch_track *next;
	uint32_t tid, stream;
	bool seen;      /* at least one switch of the thread was read */
	bool is_out, preempted;
	bool unknown;   /* whether the thread is on a CPU is unknown: something was lost */
	uint64_t out_ticks;
	uint64_t from_ticks; /* start of the pending intervals */
	uint64_t last_ticks; /* of the thread's last switch */
	uint64_t off_ticks, preempted_ticks; /* totals before the pending intervals */
	struct message_switch *pending;
	uint32_t pending_count;
	size_t pending_capacity;
	/* A log of the written intervals, and of times for which the state is unknown: between the intervals the thread was
	 * on a CPU. streams.c passes the log to the thread's stages, and empties the log. */
	bool is_logged;
	struct message_switch *log;
	size_t log_count, log_capacity;
	uint64_t logged_ticks; /* the log is complete up to here */
	struct message_fault *faults; /* pending, like intervals */
	uint32_t fault_count;
	size_t fault_capacity;
	uint64_t faults_before; /* number of page faults before the pending ones */
	uint64_t faults_from_ticks, last_fault_ticks; /* all up to here are written; the last one's time */
	uint64_t over_ticks; /* SWITCHES_FIRST: intervals are kept up to here; 0: no end yet */
};

/* What happens to pending intervals. */
enum switches_kept {
	SWITCHES_WRITTEN, /* written to the file, sooner or later */
	SWITCHES_LAST,    /* kept in memory: the last keep_max intervals of each thread … */
	SWITCHES_FIRST,   /* … or the first */
};

struct switches {
	struct trace_writer *writer;
	struct switch_events events;
	struct cpu_places *cpu_places; /* null: places are not counted */
	/* on: switches are read. is_late: the threads ran before dwell followed them, so their state is unknown at first. */
	bool on, is_late;
	char why[160]; /* if not on: why switches are not recorded, for people; empty: switches_follow was not called yet */
	/* SWITCHES_LAST and SWITCHES_FIRST are for kept_switches.h, which reads the pending intervals; writer is null then. */
	enum switches_kept kept;
	uint32_t keep_max;
	struct message_clock base, mark, latest; /* ns → ticks: the rate between base and latest; mark is the next base */
	struct switch_event *orphans; /* switches without a track at the last read: their threads may get tracks */
	size_t orphan_count, orphan_capacity;
	struct switch_track *table[SWITCHES_TABLE]; /* tracks by thread number modulo SWITCHES_TABLE */
	uint64_t count, lost;   /* intervals written; switches that the kernel lost */
	uint64_t lost_ticks;    /* end of the last such loss */
	uint64_t faults_elsewhere; /* page faults of threads that recorded nothing, up to the last switches_read but one */
	uint64_t counted_faults; /* by the kernel, up to switches_count_faults */
	uint64_t dropped_faults; /* for lack of memory */
};

/* point: the clock now. writer: borrowed; null if kept is not SWITCHES_WRITTEN. */
void switches_begin(struct switches *switches, struct trace_writer *writer, const struct message_clock *point);
/* Follows the process and all its children; see switch_events_open. False: switches->why has the reason. */
bool switches_follow(struct switches *switches, pid_t pid);
/* Follows a running process, likewise. Whether a thread is on a CPU is unknown until its first switch. */
bool switches_follow_running(struct switches *switches, pid_t pid);
/* Turns switches off; call before the first interval is written. why: for people; an earlier reason stays. */
void switches_turn_off(struct switches *switches, const char *why);
void switches_end(struct switches *switches);

/* Tracks a thread that records into a stream from now on; switches_untrack frees the track. Null: no memory, switches are off, or
 * the thread's number in this namespace is unknown (tasks.h). All functions accept a null track. */
struct switch_track *switches_track(struct switches *switches, uint32_t tid, uint32_t stream);
/* The track's thread has ended: the track gets no more switches. Still call switches_untrack. */
void switches_retire(struct switches *switches, struct switch_track *track);
/* Frees the track. Does not write its pending intervals. */
void switches_untrack(struct switches *switches, struct switch_track *track);

/* Takes the switches up to the point, which is later than all events that the sweep found in the rings. */
void switches_read(struct switches *switches, const struct message_clock *point);
/* Reads how many page faults the kernel has counted. Call before the last switches_read. */
void switches_count_faults(struct switches *switches);
/* Page faults of threads that recorded nothing then; page faults that the kernel counted and that are nowhere else. */
uint64_t switches_get_faults_elsewhere(const struct switches *switches);
uint64_t switches_get_lost_faults(const struct switches *switches);
/* Writes a thread's pending intervals and page faults, up to the point of the last switches_read. Intervals wait while the thread's
 * state is unknown. */
void switches_write(struct switches *switches, struct switch_track *track);
/* Writes only the page faults: the track gets no more of them. */
void switches_write_faults(struct switches *switches, struct switch_track *track);
/* Whether the track has many pending intervals or page faults and should be written, with or without slots. */
bool switches_should_write(const struct switch_track *track);

#endif
