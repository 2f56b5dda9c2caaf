/* profiling: runs a program as the profiler of 1987 did: a clock interrupts it, and where it was then is counted in a tally.
 *
 * On that machine the program was alone, and its clock ran on while it waited. Here the kernel interrupts threads by their own CPU time
 * (perf_set.h), so it does not matter what else runs; and a clock of the same rate asks whether all of them wait, which is one more
 * sample outside of the program. A thread that is ready, and for which there is no processor, says nothing of the program.
 *
 * The vertical blank is a clock of its own: at even distances, by the time on the wall, whatever CPU time the program uses. It is asked
 * which threads do not wait; samples come much more often, and the next one of each of these says where it was. The others are at random
 * moments, and say whether the program is in step with the blank (rhythm.h). */
#ifndef DWELL_HOST_SAMPLE_PROFILING_H
#define DWELL_HOST_SAMPLE_PROFILING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/tally.h"
#include "record/program/launch.h"
#include "sample/code/own_text.h"
#include "sample/rhythm.h"
#include "util/diag.h"

/* A display's, for +v, unless told. */
#define PROFILING_VBLANK_HZ 60
/* With +v: how often the kernel interrupts, so that where a thread is found is a millisecond of its CPU time behind the blank, or two. */
#define PROFILING_FINE_HZ 1000.0

struct profiling {
	const char *path;       /* of the program */
	char *const *argv;      /* argv[0] first, ends with null */
	double hz;              /* of the timer, whose distances vary */
	bool vblank;            /* no timer: the display's blank … */
	double vblank_hz;       /* … at even distances */
	struct own_text *text;  /* read */
	struct dwell_tally *tally; /* offsets in text */
	/* Null, or told of each sample in the program, in order of time. */
	void (*on_sample)(void *context, uint32_t tid, uint64_t offset);
	void *context;
	/* How it went. */
	uint64_t elapsed_ns;
	uint64_t samples, lost, damaged; /* damaged: so often what the kernel told made no sense */
	bool has_kernel;        /* what it does in the kernel is seen */
	/* What the samples stand for, and what the system says of the same (without the kernel where that is not seen): threads that
	 * end before their first sample are in the latter only. 0: it is not known. */
	uint64_t sampled_ns, system_ns;
	uint64_t interrupted_ns; /* what samples stood for that are left out (interrupts.h) */
	uint64_t threads;       /* with a sample */
	struct rhythm rhythm;   /* with vblank: of places that are indexes of the tally's symbols, file null: outside. To be cleared */
};

/* Runs it to its end. False and a diag (an error): it was not started. */
bool profiling_run(struct profiling *profiling, struct launch *launch, struct diag *diag);

#endif
