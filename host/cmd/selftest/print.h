/* selftest_print: what the trials of dwell selftest showed, for people or as CSV, and what follows from it. */
#ifndef DWELL_HOST_CMD_SELFTEST_PRINT_H
#define DWELL_HOST_CMD_SELFTEST_PRINT_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/table.h"
#include "cmd/selftest/trial.h"
#include "util/diag.h"
#include "writer/writer.h"

/* Zero it, but for what is asked for, before the first use. */
struct selftest_print {
	enum writer_form form;
	struct diag *diag;
	double hz;
	bool stopped; /* for selftest.c */
	struct table_sink table; /* but for people: each function in each run */
	/* What was found so far. */
	uint32_t short_runs, intervals, held;
	bool shares_far, rate_low, periodic_far, nothing_found;
	double worst_jittered, worst_fixed; /* percentage points */
	uint32_t periods;
	bool shares_tried;
};

void selftest_print_begin(struct selftest_print *print);
/* run: 0 is the long one of the known shares. */
void selftest_print_trial(struct selftest_print *print, const struct trial *trial, const struct trial_result *result, uint32_t run);
/* Nothing more comes: the table is whole, also where a trial could not be made. */
void selftest_print_close(struct selftest_print *print);
/* The verdict. False: sampling cannot be trusted. */
bool selftest_print_end(struct selftest_print *print);

#endif
