/* summary_samples: what is said of a recording of samples above its report. */
#ifndef DWELL_HOST_CLI_SUMMARY_SAMPLES_H
#define DWELL_HOST_CLI_SUMMARY_SAMPLES_H

#include <stdio.h>

#include "query/trace.h"

/* When, time, number, rates, engine, stacks. pre: model_is_sampled. */
void summary_print_samples(const struct trace *trace, FILE *out);

/* How much of the CPU time is in no sample, in percent, where it is above 10, more than chance, and nothing else that is said
 * explains it: that of threads and processes that end before their first sample. Else 0. */
unsigned summary_get_unsampled(const struct trace *trace);

/* By how many percent samples stand for more CPU time than the system counts, where that is more than 5, and more than chance. Else 0. */
unsigned summary_get_excess(const struct trace *trace);

/* Whether they are the interrupts of a machine, each of which weighs what was asked for. How long they took in truth is sampling->cpu, by
 * the machine's clock; 0: not known. */
bool summary_is_of_interrupts(const struct message_sampling *sampling);

/* Of sampling->cpu, of which samples stand for ns, of so many threads: what is in no sample. */
unsigned summary_find_unsampled(const struct message_sampling *sampling, double ns, uint64_t threads);

/* "perf events, by the CPU time of each thread" */
const char *summary_engine_name(enum dwell_sampling_engine engine);

/* "asked for 997 samples a second of CPU time, got 996.9; taken by …, at random distances", a line. Of a profile that still grows, too. */
void summary_print_rate(const struct message_sampling *sampling, const struct profile *profile, FILE *out);

#endif
