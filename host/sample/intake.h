/* intake: what the kernel tells of the processes that are sampled, record by record: what is mapped, started and ended, samples with their
 * callers found, and what it could not tell. */
#ifndef DWELL_HOST_SAMPLE_INTAKE_H
#define DWELL_HOST_SAMPLE_INTAKE_H

#include <stdbool.h>
#include <stdint.h>

#include "record/sink/address_set.h"
#include "sample/code/images.h"
#include "sample/perf/perf_set.h"
#include "sample/seen_timers.h"
#include "sample/threads.h"

#define INTAKE_FRAMES_MAX 8192u /* more than a copy of the stack has room for, at 8 bytes each */

/* Zero it, and set images.writer, images.diag and leaf before the first use; clear it after the last. */
struct intake {
	bool leaf; /* as in perf_set.h */
	struct images images;
	struct sampled_threads threads;
	struct seen_timers timers;
	struct address_set kernel; /* where in the operating system samples were taken */
	uint64_t lost;        /* samples, as far as records tell: the kernel had no room for them, or we had no memory */
	uint64_t throttled;   /* so often the kernel held samples back */
	uint64_t interrupted, interrupted_weight; /* samples that are left out (interrupts.h), and what they weigh */
	/* Internal. */
	uint64_t truncated, unwound; /* lately */
	bool large;
	uint64_t frames[INTAKE_FRAMES_MAX];
};

void intake_take(struct intake *intake, const struct perf_record *record);
/* Whether more of the stack has to be copied than usual, as the program is deeper than most. Asked now and then. */
bool intake_wants_large(struct intake *intake);
/* What is missing so far, into the file; damaged: so often what the kernel told made no sense. */
void intake_tell_losses(const struct intake *intake, uint64_t damaged, uint64_t now_ns);
/* Into the file, at the end: what was left out. unit: that of the samples' weights. */
void intake_tell_interrupted(const struct intake *intake, enum dwell_sampling_unit unit);
void intake_clear(struct intake *intake);

#endif
