/* fetch histogram: selects the histograms in fetched memory. */
#ifndef DWELL_CLASSIC_HOST_REMOTE_FETCH_HISTOGRAM_H
#define DWELL_CLASSIC_HOST_REMOTE_FETCH_HISTOGRAM_H

#include <stdbool.h>
#include <stddef.h>

#include "classic/host/reader/memory.h"
#include "classic/host/remote/fetched.h"

/* Adds control areas, segments and counters as parts, and prints a
 * line for each histogram; *count: histograms. False: no memory. */
bool fetch_histogram(struct memory *memory, struct fetched *fetched, size_t *count);

#endif
