/* perf_fetcher: a thread that does one small task at intervals while the other threads of this process work, or wait for a
 * processor. perf_set copies records out of the kernel's buffers with it, before the buffers are full.
 *
 * If hundreds of threads need a processor, a thread that works for some milliseconds then waits for some tenths of a second. A
 * thread that does little at a time gets a processor soon. */
#ifndef DWELL_HOST_SAMPLE_PERF_PERF_FETCHER_H
#define DWELL_HOST_SAMPLE_PERF_PERF_FETCHER_H

#include <stdint.h>

struct perf_fetcher;
/* Calls fetch(context) every pause_ns, until free_perf_fetcher returns. Null: the system gives no thread. */
struct perf_fetcher *make_perf_fetcher(void (*fetch)(void *context), void *context, uint64_t pause_ns);
void free_perf_fetcher(struct perf_fetcher *fetcher);

#endif
