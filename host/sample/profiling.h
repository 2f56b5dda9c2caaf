/* profiling: runs a program as the profiler of 1987 did: a clock interrupts it, and where it was then is counted in a tally.
 *
 * On that machine the program was alone, and its clock ran on while it waited. Here the kernel interrupts threads by their own CPU time
 * (perf_set.h), so it does not matter what else runs; and a clock of the same rate asks whether all of them wait, which is one more
 * sample outside of the program. A thread that is ready, and for which there is no processor, says nothing of the program.
 *
 * The vertical blank is a clock of its own: at even distances, by the time on the wall, whatever CPU time the program uses. Of samples that
 * come much more often the one behind each blank is taken. */
#ifndef DWELL_HOST_SAMPLE_PROFILING_H
#define DWELL_HOST_SAMPLE_PROFILING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/tally.h"
#include "record/launch.h"
#include "sample/own_text.h"
#include "util/diag.h"

/* A display's, for +v. */
#define PROFILING_VBLANK_HZ 60

struct profiling {
	const char *path;       /* of the program */
	char *const *argv;      /* argv[0] first, ends with null */
	double hz;              /* of the timer, whose distances vary */
	bool vblank;            /* no timer: the display's blank */
	struct own_text *text;  /* read */
	struct dwell_tally *tally; /* offsets in text */
	/* Null, or told of each sample in the program, in order of time. */
	void (*on_sample)(void *context, uint32_t tid, uint64_t offset);
	void *context;
	/* How it went. */
	uint64_t elapsed_ns;
	uint64_t samples, lost;
	bool has_kernel;        /* what it does in the kernel is seen */
};

/* Runs it to its end. False and a diag (an error): it was not started. */
bool profiling_run(struct profiling *profiling, struct launch *launch, struct diag *diag);

#endif
