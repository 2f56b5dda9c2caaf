/* listing: the index of a trace whose events were not read, from what the seek table or the headers of the chunks say. */
#ifndef DWELL_HOST_READER_DWELL_LISTING_H
#define DWELL_HOST_READER_DWELL_LISTING_H

#include <stdbool.h>

#include "io/source.h"
#include "reader/dwell/index.h"
#include "reader/dwell/overview.h"
#include "reader/dwell/streams.h"

/* Fills the index, which is empty, once the overview has told all declarations; streams know what places theirs are. False: no memory,
 * the index is of no use. */
bool listing_make(struct index *index, const struct overview *overview, struct streams *streams, struct source *source);

#endif
