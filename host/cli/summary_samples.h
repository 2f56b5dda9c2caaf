/* summary_samples: what is said of a recording of samples above its report. */
#ifndef DWELL_HOST_CLI_SUMMARY_SAMPLES_H
#define DWELL_HOST_CLI_SUMMARY_SAMPLES_H

#include <stdio.h>

#include "query/trace.h"

/* When, time, number, rates, engine, stacks. pre: model_is_sampled. */
void summary_print_samples(const struct trace *trace, FILE *out);

/* Whether they are the interrupts of a machine, each of which weighs what was asked for. How long they took in truth is sampling->cpu, by
 * the machine's clock; 0: not known. */
bool summary_is_of_interrupts(const struct message_sampling *sampling);

/* "perf events, by the CPU time of each thread" */
const char *summary_engine_name(enum dwell_sampling_engine engine);

/* "asked for 997 samples a second of CPU time, got 996.9; taken by …, at random distances", a line. Of a profile that still grows, too. */
void summary_print_rate(const struct message_sampling *sampling, const struct profile *profile, FILE *out);

#endif
