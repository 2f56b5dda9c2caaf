/* sampled_time: compares the CPU time according to the samples with the CPU time counted by the system. */
#ifndef DWELL_HOST_QUERY_SAMPLED_TIME_H
#define DWELL_HOST_QUERY_SAMPLED_TIME_H

#include <stdbool.h>
#include <stdint.h>

#include "query/trace.h"

/* Whether the system's count applies: for the whole program only, not for a part of its threads. */
bool sampled_time_is_known(const struct trace *trace);
/* Number of threads with a sample. */
uint64_t sampled_time_count_threads(const struct profile *profile);
/* The time according to all samples taken, whether they count or not. */
double sampled_time_taken_ns(const struct trace *trace);

/* Percentage of the CPU time without samples, beyond chance. 0: none, or unknown, or explained by other losses. */
unsigned sampled_time_get_missing(const struct trace *trace);
/* The same for samples worth ns on this number of threads. pre: sampling->cpu and its period are not 0. */
unsigned sampled_time_find_missing(const struct message_sampling *sampling, double ns, uint64_t threads);
/* Percentage of the CPU time in samples that do not count because the kernel handled an interrupt; 0: less than 10 %. */
unsigned sampled_time_get_left_out(const struct trace *trace);
/* Percentage by which the samples exceed the CPU time that the system counts, beyond chance. */
unsigned sampled_time_get_excess(const struct trace *trace);

#endif
