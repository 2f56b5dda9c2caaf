/* recording: a program and its children from start to end, into one trace file.
 *
 *     stream         session (rings, journal)  →  drain, journal  →  writer/dwell      as long as it goes on
 *     ring, linear   session, which is the file  →  capture  →  writer/dwell           when it has ended
 *
 * One thread sleeps between sweeps, others drain rings and write (workers.h, writer/behind.h). None of them ever waits for the program; its
 * threads wait for room in their rings (target/port/os/linux/wait.c). It goes on as long as a process is there that records, the program
 * itself or what it left behind (followed.h). */
#ifndef DWELL_HOST_RECORD_SESSION_RECORDING_H
#define DWELL_HOST_RECORD_SESSION_RECORDING_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "core/extent.h"
#include "record/program/launch.h"
#include "record/sink/trace_file.h"
#include "record/stage/filter.h"
#include "record/stage/slow_trees.h"
#include "record/stage/trigger.h"
#include "util/diag.h"

struct recording_options {
	enum dwell_mode mode;
	uint64_t ring_bytes;   /* ring, linear: of each thread; a power of two, at least two blocks */
	uint64_t memory_bytes; /* of all rings together; 0: what is usual */
	const char *program;      /* as typed */
	char *const *argv;        /* of the program, argv[0] first, ends with null */
	const char *output;       /* null: the program's name with .dwell, in the current folder; an earlier one becomes .dwell.old */
	const char *agent;        /* the library to preload */
	const char *command_line; /* of record, for the file */
	bool no_pack;             /* chunks of events are written as they were recorded */
	bool off;                 /* recording begins when the program, or somebody outside, says so */
	uint32_t args;            /* that are recorded of each call, and what it returns; 0: neither */
	struct filter_options filter; /* which functions are recorded */
	bool plans;                   /* of programs without hooks, too (record/program/plans.h) */
	double throttle;              /* of a stream: share of the time that recording one function may take; 0: any */
	struct watcher_options slow; /* of a stream: only the slowest calls of some functions are kept */
	struct watcher_options trigger; /* of a ring: calls that take too long have a snapshot taken */
	uint32_t depth_limit;         /* of a stream: so many calls, one in another; 0: any */
	bool counts;                  /* of a stream: no call is listed, all are counted */
	uint64_t longer_ns;           /* of a stream: calls that are shorter are counted, and not listed; 0: all are listed */
	pid_t attach;             /* not 0: no program is run, but this process recorded, which runs already */
	uint64_t for_ns;          /* of that: how long, 0: until it ends */
	bool loses;               /* a thread that is too far ahead goes on, and what it does is lost, or not looked at; else it waits … */
	uint64_t wait_max_ns;     /* … so long at the most; 0: what is usual */
	bool live;                 /* the file is read while it is written, by somebody who says himself what is lost */
	const volatile bool *stop; /* null, or set by another thread: the recording ends */
	/* The program is about to start, or the process to join: who typed what means nothing wants to know it now, not when it is over.
	 * May be null. */
	void (*on_begin)(struct diag *diag);
	/* The program has ended, and so many processes that it left behind are still recorded: once. */
	void (*on_left)(uint64_t processes);
	struct recorded *recorded; /* null, or where it is told what came of it */
};

/* Runs the program to its end. What was lost on the way, or that nothing was recorded and why, is a diag. False: the program was not
 * started at all. launch says how it ended. */
bool recording_run(const struct recording_options *options, struct launch *launch, struct diag *diag);
/* Records options->attach until it ends, the time is up or a signal says so. False: it cannot be attached to. */
bool recording_attach(const struct recording_options *options, struct diag *diag);

#endif
