/* switches: when the threads that are recorded were off the CPU → SWITCHES chunks of the trace file.
 *
 *     switches_begin(&switches, &writer, point)
 *     switches_follow(&switches, pid)                    before the program starts
 *     in each sweep: see what is in the rings; read a clock point; switches_read(&switches, &point);
 *                    for each stream that is written: switches_write(&switches, track), then its slots
 *
 * In this order all switches in front of an event are in the file before the event. What happened to threads that record nothing is
 * dropped. What the kernel had no room to tell leaves a time of which nothing is known, for every thread. */
#ifndef DWELL_HOST_RECORD_SESSION_SWITCHES_H
#define DWELL_HOST_RECORD_SESSION_SWITCHES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "record/session/switch_events.h"
#include "writer/trace/dwell.h"

/* Intervals of one thread that wait for its slots to be written, at most: then they are written without. */
#define SWITCHES_PENDING_MAX 4096u
#define SWITCHES_TABLE 1024u

/* A stream whose thread is followed. */
struct switch_track {
	struct switch_track *next;
	uint32_t tid, stream;
	bool seen;      /* a switch of it was */
	bool is_out, preempted;
	bool unknown;   /* nothing is known since something was lost */
	uint64_t out_ticks;
	uint64_t from_ticks; /* of what is pending */
	uint64_t last_ticks; /* of the last switch */
	uint64_t off_ticks, preempted_ticks; /* in front of what is pending */
	struct message_switch *pending;
	uint32_t pending_count;
	size_t pending_capacity;
	/* What was written, for who has to know it, too: between these it is known that it was on a CPU. He empties it. */
	bool is_logged;
	struct message_switch *log;
	size_t log_count, log_capacity;
	uint64_t logged_ticks; /* up to then */
	uint64_t over_ticks; /* SWITCHES_FIRST: from then on nothing is kept; 0: it is */
};

/* What becomes of what is pending. */
enum switches_kept {
	SWITCHES_WRITTEN, /* it is written, sooner or later */
	SWITCHES_LAST,    /* it stays: so many intervals of each thread, the last … */
	SWITCHES_FIRST,   /* … or the first */
};

struct switches {
	struct trace_writer *writer;
	struct switch_events events;
	bool on, is_late; /* late: threads ran before */
	char why[160]; /* it is not on */
	enum switches_kept kept; /* other than WRITTEN is for kept_switches.h, which reads what is pending; then there need be no writer */
	uint32_t keep_max;
	struct message_clock base, mark, latest; /* ns → ticks: the rate since base, up to latest; mark will be base */
	struct switch_event *orphans; /* of threads that had no track when they were read last: they may get one */
	size_t orphan_count, orphan_capacity;
	struct switch_track *table[SWITCHES_TABLE];
	uint64_t count, lost;   /* intervals told; switches that the kernel did not tell */
	uint64_t lost_ticks;    /* when it did so last */
};

/* point: from now. */
void switches_begin(struct switches *switches, struct trace_writer *writer, const struct message_clock *point);
/* The process and all that it will start; as in switch_events_open. */
bool switches_follow(struct switches *switches, pid_t pid);
/* A process that runs already. Whether its threads are on a CPU just then nobody tells: that is known from each one's first switch on. */
bool switches_follow_running(struct switches *switches, pid_t pid);
/* Ends it, before the first switch is told. why: for people. */
void switches_refuse(struct switches *switches, const char *why);
void switches_end(struct switches *switches);

/* The thread records into a stream from now on. Null: no memory, or it is not on; both are right to be passed on. */
struct switch_track *switches_track(struct switches *switches, uint32_t tid, uint32_t stream);
/* Its thread has ended: nothing is added any more. It is still to be untracked. */
void switches_retire(struct switches *switches, struct switch_track *track);
void switches_untrack(struct switches *switches, struct switch_track *track);

/* Takes what happened up to the point, which is after all events that were seen in the rings. */
void switches_read(struct switches *switches, const struct message_clock *point);
/* Writes what is pending of a thread, up to the last point. */
void switches_write(struct switches *switches, struct switch_track *track);
/* Whether so much is pending that it should be written, slots or not. */
bool switches_press(const struct switch_track *track);

#endif
