/* recording: records a program and its children from start to end, or a running process, into one trace file.
 *
 *     stream         session (rings, journal)  →  drain, journal  →  writer/trace      while the recording runs
 *     ring, linear   session, in memory        →  capture         →  writer/trace      at the end of the recording
 *
 * One thread sleeps between sweeps; other threads drain rings and write (workers.h, writer/trace/chunk_queue.h). No thread
 * of record waits for the program; the program's threads wait for room in their rings (target/port/os/linux/wait.c). The
 * recording runs as long as a process records: the program itself, or one that it left behind (followed.h). */
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
	uint64_t memory_bytes; /* of all rings together; stream: also of data that stages keep; 0: the default */
	const char *program;      /* as typed */
	char *const *argv;        /* of the program: argv[0] first, null last */
	const char *output; /* null: the program's name with .dwell, in the current folder; an earlier file becomes .dwell.old */
	const char *agent;        /* path of the library to preload */
	const char *command_line; /* of dwell record, for the file */
	const char *refused;    /* an option that attach refuses for a process of `dwell record --off`; null: none given */
	const char *refused_as; /* how that record treats the option (option_row.h, .started) */
	bool page_faults;         /* stream: also record when threads have page faults */
	bool no_pack;             /* chunks of events are written unpacked */
	bool off;                 /* recording begins when the program, or an order from outside, turns it on */
	uint32_t args;            /* number of arguments to record of each call, with the return value; 0: neither */
	struct filter_options filter; /* which functions to record */
	bool plans;                   /* also record programs without hooks (record/program/plans.h) */
	double throttle;              /* stream: the maximum share of the time for recording one function; 0: no limit */
	struct watcher_options slow; /* stream: keep only the slowest calls of some functions */
	struct watcher_options trigger; /* ring: calls that take too long cause a snapshot */
	uint32_t depth_limit;         /* stream, linear: the deepest nesting of calls to record; 0: any */
	bool counts;                  /* stream: count all calls, and list none */
	uint64_t longer_ns;           /* stream: only count calls that are shorter; 0: list all calls */
	pid_t attach;             /* not 0: pid of a running process to record, instead of starting a program */
	uint64_t for_ns;          /* with attach: how long to record the process; 0: until its end */
	/* stream, trigger: a thread with a full ring goes on; the file loses its calls, or the trigger does not check them. False:
	 * the thread waits … */
	bool loses_when_full;
	uint64_t wait_max_ns; /* … for at most so long; 0: the default */
	bool live;                 /* a viewer (`dwell top`) reads the file while it grows, and reports losses itself */
	const volatile bool *stop; /* null, or: the recording ends when another thread sets this to true */
	/* Called just before the program starts, or the process joins: a warning about a pattern
	 * that matches nothing must appear before the recording and not after it. May be null. */
	void (*on_begin)(struct diag *diag);
	/* Called once, when the program has ended and left processes behind that are still recorded. processes: how many. Not null,
	 * except with attach. */
	void (*on_processes_left)(uint64_t processes);
	struct recorded *recorded; /* null, or receives the result of the recording, if there is a file */
};

/* Records the program until all recorded processes have ended, or a signal or options->stop ends the recording. Adds losses as
 * diags, or the reason why nothing was recorded. False and a diag: the program was not started. launch receives how the program
 * ended. */
bool recording_run(const struct recording_options *options, struct launch *launch, struct diag *diag);
/* Records options->attach until the process ends, the time is up, or a signal or options->stop ends the recording. If a
 * `dwell record --off` started the process, turns that recording on for this time instead. False and a diag: dwell cannot attach
 * to the process. True also if dwell cannot obey an option: then diag has an error. */
bool recording_attach(const struct recording_options *options, struct diag *diag);

#endif
