/* sampled_time: compares the CPU time of the samples with the CPU time that the system counts. For findings about samples
 * (health.h), and the head of a report. */
#ifndef DWELL_HOST_QUERY_SAMPLED_TIME_H
#define DWELL_HOST_QUERY_SAMPLED_TIME_H

#include <stdbool.h>
#include <stdint.h>

#include "query/trace.h"

/* Whether the recording has the system's count. The count is of the whole program, so it does not apply to chosen threads. */
bool sampled_time_is_known(const struct trace *trace);
/* Number of threads with a sample. */
uint64_t sampled_time_count_threads(const struct profile *profile);
/* The time of all samples, including samples left out because the kernel handled an interrupt. */
double sampled_time_get_all_ns(const struct trace *trace);

/* Percentage of the CPU time without samples, if chance does not explain it. 0: none, unknown, or another loss explains it. */
unsigned sampled_time_get_missing(const struct trace *trace);
/* The same for samples worth ns on this number of threads. pre: sampling->cpu and its period are not 0. */
unsigned sampled_time_find_missing(const struct message_sampling *sampling, double ns, uint64_t threads);
/* Percentage of the CPU time in samples that do not count because the kernel handled an interrupt; 0: less than 10 %. */
unsigned sampled_time_get_left_out(const struct trace *trace);
/* The CPU time in the kernel that has no samples, since the system forbade them, in ns; 0: none, or not known. */
uint64_t sampled_time_get_kernel_ns(const struct trace *trace);
/* The same as a percentage of the CPU time; 0: also less than half a percent. */
unsigned sampled_time_get_unsampled_kernel(const struct trace *trace);
/* Percentage by which the samples exceed the CPU time that the system counts, beyond chance. */
unsigned sampled_time_get_excess(const struct trace *trace);

#endif
