/* summary_samples: the lines above the report of a recording with samples. */
#ifndef DWELL_HOST_CLI_SUMMARY_SAMPLES_H
#define DWELL_HOST_CLI_SUMMARY_SAMPLES_H

#include <stdio.h>

#include "query/trace.h"

/* Prints start, time, number of samples, rates, engine and stacks. pre: model_is_sampled. */
void summary_print_samples(const struct trace *trace, FILE *out);

/* Prints "asked for 997 samples a second of CPU time, got 996.9; taken by …, at random distances". The
 * profile may still be growing. */
void summary_print_rate(const struct message_sampling *sampling, const struct profile *profile, FILE *out);

#endif
