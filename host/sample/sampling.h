/* sampling: a program and its children from start to end, seen from outside now and then, into one trace file.
 *
 *     perf_set (kernel)  →  images, unwind  →  batch  →  writer/dwell
 *
 * Nothing is put into the program. One thread of this process turns the events, reads what the kernel has copied, and finds the callers. */
#ifndef DWELL_HOST_SAMPLE_SAMPLING_H
#define DWELL_HOST_SAMPLE_SAMPLING_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "record/program/launch.h"
#include "record/sink/trace_file.h"
#include "sample/engine.h"
#include "util/diag.h"

#define SAMPLING_HZ 997.0 /* no power of ten, which the program's own periods may well be */
#define SAMPLING_HZ_MIN 1.0
#define SAMPLING_HZ_MAX 20000.0

struct sampling_options {
	double hz;                /* samples a second of CPU time; SAMPLING_HZ_MIN to _MAX */
	bool leaf;                /* where it is only, not who called */
	enum engine_choice engine; /* ENGINE_ANY: timers, where perf events are refused */
	const char *agent;        /* the library of the timers; null: they are not to be had */
	const char *program;      /* as typed */
	char *const *argv;        /* of the program, argv[0] first, ends with null */
	const char *output;       /* null: the program's name with .dwell, as recording.h has it */
	const char *command_line; /* of dwell, for the file */
	pid_t attach;             /* not 0: this process, which runs already */
	uint64_t for_ns;          /* how long, 0: until it ends; the program goes on */
	const volatile bool *stop; /* null, or set by another thread: the recording ends */
	/* The file is read while it is written, by somebody who says himself what is lost: samples and losses are in it within a tenth of a
	 * second, and a clock point up to when. A program that cannot be sampled is not waited for. */
	bool live;
	/* Null, or: the program has ended, and so many processes that it left behind are still sampled. Once. */
	void (*on_left)(uint64_t processes);
	struct recorded *recorded; /* null, or where it is told what came of it */
};

/* Samples the program, and all that it starts, to its end; or until the time is up or stop is set, and then it goes on (launch->ended is
 * false, and whoever calls this waits for it). What was lost, or that nothing was found, is a diag. False: the program was not started at
 * all. launch says how it ended. */
bool sampling_run(const struct sampling_options *options, struct launch *launch, struct diag *diag);
/* Samples options->attach, and what it starts from now on, until it ends, the time is up or a signal says so. False and a diag: it cannot
 * be. pre: there is such a process, and it runs a program. */
bool sampling_attach(const struct sampling_options *options, struct diag *diag);

#endif
