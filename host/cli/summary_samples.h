/* summary_samples: what is said of a recording of samples above its report. */
#ifndef DWELL_HOST_CLI_SUMMARY_SAMPLES_H
#define DWELL_HOST_CLI_SUMMARY_SAMPLES_H

#include <stdio.h>

#include "query/trace.h"

/* When, time, number, rates, engine, stacks. pre: model_is_sampled. */
void summary_print_samples(const struct trace *trace, FILE *out);

/* "asked for 997 samples a second of CPU time, got 996.9; taken by …, at random distances", a line. Of a profile that still grows, too. */
void summary_print_rate(const struct message_sampling *sampling, const struct profile *profile, FILE *out);

#endif
