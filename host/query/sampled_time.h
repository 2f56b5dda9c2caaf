/* sampled_time: whether the samples stand for the CPU time that the system counts. */
#ifndef DWELL_HOST_QUERY_SAMPLED_TIME_H
#define DWELL_HOST_QUERY_SAMPLED_TIME_H

#include <stdbool.h>
#include <stdint.h>

#include "query/trace.h"

/* The system's count can be compared: it is of the whole program, so it says nothing of a part of its threads. */
bool sampled_time_is_known(const struct trace *trace);
/* Threads with a sample. */
uint64_t sampled_time_count_threads(const struct profile *profile);
/* What the samples stand for that were taken, whether they count or not. */
double sampled_time_taken_ns(const struct trace *trace);

/* Percent of the CPU time that is in no sample, beyond what chance explains. 0: none, or it is not known, or other losses explain it. */
unsigned sampled_time_get_missing(const struct trace *trace);
/* The same for samples that stand for ns on so many threads. pre: sampling->cpu and its period are not 0. */
unsigned sampled_time_find_missing(const struct message_sampling *sampling, double ns, uint64_t threads);
/* Percent of the CPU time that the samples stand for beyond what the system counts, and beyond chance. */
unsigned sampled_time_get_excess(const struct trace *trace);

#endif
