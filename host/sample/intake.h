/* intake: takes the records of the engine: mappings, starts and ends of threads and processes, samples, losses. Finds the callers
 * of each sample, and collects the samples of each thread for the trace. */
#ifndef DWELL_HOST_SAMPLE_INTAKE_H
#define DWELL_HOST_SAMPLE_INTAKE_H

#include <stdbool.h>
#include <stdint.h>

#include "record/sink/address_set.h"
#include "sample/code/images.h"
#include "sample/perf/perf_set.h"
#include "sample/sampled_timers.h"
#include "sample/threads.h"

#define INTAKE_FRAMES_MAX 8192u /* more than a copy of the stack can hold, at 8 bytes each */

/* Zero it, and set images.writer, images.diag and leaf before the first use; clear it after the last. */
struct intake {
	bool leaf; /* true: samples have no stacks (perf_set.h), so the intake finds no callers */
	struct images images;
	struct sampled_threads threads;
	struct sampled_timers timers; /* timers that have given a sample */
	struct address_set kernel; /* addresses in the operating system where samples were taken */
	uint64_t lost;        /* lost samples, as far as records report them: the kernel had no room, or dwell no memory */
	uint64_t bare;        /* samples without callers, for lack of room for a copy of the stack */
	uint64_t throttled;   /* how often the kernel held samples back */
	uint64_t interrupted, interrupted_weight; /* samples left out (interrupts.h), and their weight */
	/* Internal. */
	/* unwound: number of recent samples with a copy of the stack. truncated: the number of those whose copy was too small to
	 * find all callers. intake_wants_large resets both now and then. */
	uint64_t truncated, unwound;
	bool large; /* what intake_wants_large returned last; true stays true */
	uint64_t frames[INTAKE_FRAMES_MAX]; /* of the sample being unwound, innermost first */
};

/* Takes a record. */
void intake_take(struct intake *intake, const struct perf_record *record);
/* Whether to copy more of the stack than usual, since the program's stacks are deep. Call it now and then. */
bool intake_wants_large(struct intake *intake);
/* Writes the losses so far to the file. damaged: the number of malformed records of the kernel. */
void intake_write_losses(const struct intake *intake, uint64_t damaged, uint64_t now_ns);
/* Writes the number and weight of the samples that were left out, at the end. unit: the unit of the samples' weights. */
void intake_write_interrupted(const struct intake *intake, enum dwell_sampling_unit unit);
/* Writes the CPU time in the kernel without samples, as the system forbids kernel samples. */
void intake_write_kernel_time(const struct intake *intake, uint64_t ns);
void intake_clear(struct intake *intake);

#endif
