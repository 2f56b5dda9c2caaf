/* listing: the index of a trace whose events were not read, from what the seek table or the headers of the chunks say. */
#ifndef DWELL_HOST_READER_LISTING_H
#define DWELL_HOST_READER_LISTING_H

#include <stdbool.h>

#include "io/source.h"
#include "reader/index.h"
#include "reader/overview.h"
#include "reader/streams.h"

/* Fills the index, which is empty, once the overview has told all declarations; streams know what places theirs are. False: no memory,
 * the index is of no use. */
bool listing_make(struct index *index, const struct overview *overview, struct streams *streams, struct source *source);

#endif
