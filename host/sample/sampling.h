/* sampling: samples a program and its children from start to end, into one trace file.
 *
 *     perf_set (kernel)  →  images, unwind  →  batch  →  writer/dwell
 *
 * With perf events, dwell puts nothing into the program; without perf events, dwell preloads a library with timers (timer_set.h).
 * One thread of this process turns the events, reads the kernel's copies, and finds the callers. */
#ifndef DWELL_HOST_SAMPLE_SAMPLING_H
#define DWELL_HOST_SAMPLE_SAMPLING_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "record/program/launch.h"
#include "record/sink/trace_file.h"
#include "sample/engine.h"
#include "util/diag.h"

#define SAMPLING_HZ 997.0 /* not a power of ten, since the program's own period may well be one */
#define SAMPLING_HZ_MIN 1.0
#define SAMPLING_HZ_MAX 20000.0

struct sampling_options {
	double hz;                /* samples per second of CPU time; SAMPLING_HZ_MIN to _MAX */
	bool leaf;                /* samples have only the place, without callers */
	enum engine_choice engine; /* ENGINE_ANY: timers, where perf events are refused */
	const char *agent;        /* the library of the timers; null: none */
	const char *program;      /* as typed */
	char *const *argv;        /* the program's arguments, argv[0] first, ends with null */
	const char *output;       /* path of the trace file; null: the program's name with .dwell, see record/sink/trace_file.h */
	const char *command_line; /* dwell's own command line, for the file */
	pid_t attach;             /* the running process to sample; 0: dwell starts the program */
	uint64_t for_ns;          /* how long to sample; 0: until the program ends. The program itself goes on */
	const volatile bool *stop; /* null, or set by another thread: the recording ends */
	/* Another program reads the file while it grows, and reports losses itself. The file
	 * gets samples and losses within a tenth of a second, and a clock point for the time up
	 * to which the file is complete. sampling does not wait for a program it cannot sample. */
	bool live;
	/* Null, or called once, when the program has ended, but sampled child processes remain; processes: how many. */
	void (*on_processes_left)(uint64_t processes);
	struct recorded *recorded; /* null, or gets the results of the recording */
};

/* Samples the program and all processes that it starts, until the last one ends. If the time is up or stop is set first, the
 * program goes on (launch->ended is false, and the caller waits for the program). Losses and an empty result become diags. False:
 * the program was not started. launch has the program's exit status. */
bool sampling_run(const struct sampling_options *options, struct launch *launch, struct diag *diag);
/* Samples the process options->attach and its new children, until the process ends, the time is up, or a signal ends the recording.
 * False and a diag: dwell cannot sample the process. pre: the process exists, and runs a program. */
bool sampling_attach(const struct sampling_options *options, struct diag *diag);

#endif
