/* fetch histogram: the histograms in memory that was fetched. */
#ifndef DWELL_HOST_REMOTE_FETCH_HISTOGRAM_H
#define DWELL_HOST_REMOTE_FETCH_HISTOGRAM_H

#include <stdbool.h>
#include <stddef.h>

#include "reader/memory.h"
#include "remote/fetched.h"

/* Their control areas, segments and counters become parts; *count of them; prints a line for each. False: no memory. */
bool fetch_histogram(struct memory *memory, struct fetched *fetched, size_t *count);

#endif
