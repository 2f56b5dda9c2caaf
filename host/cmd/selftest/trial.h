/* trial: a workload whose truth is known (trial/workload.h) runs in a process of its own, is sampled as dwell record --sample does, and
 * what was found is put beside the truth. */
#ifndef DWELL_HOST_CMD_SELFTEST_TRIAL_H
#define DWELL_HOST_CMD_SELFTEST_TRIAL_H

#include <stdbool.h>
#include <stdint.h>

#include "dwell/format.h"
#include "trial/truth.h"
#include "util/diag.h"

struct trial {
	const char *workload; /* "shares", "periodic": as dwell selftest --workload has it */
	double seconds, period_ns;
	double hz;
	bool fixed;
};

struct trial_result {
	struct truth truth;
	struct trial_found {
		double percent, low, high;
		bool held; /* the truth is between low and high */
		bool near; /* or not farther than twice as far away */
	} found[TRUTH_FUNCTIONS_MAX];
	uint64_t samples, lost;
	double delivered_hz; /* samples a second of CPU time */
	bool stopped;        /* by a signal that somebody sent: dwell should end, too */
	enum dwell_sampling_engine engine;
};

/* folder: for its files, which are removed. False: a diag says why. */
bool trial_run(const struct trial *trial, const char *folder, struct trial_result *result, struct diag *diag);

#endif
