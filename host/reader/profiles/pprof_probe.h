/* pprof_probe: recognises a profile of pprof by its first bytes, in whatever order its writer put the fields. */
#ifndef DWELL_HOST_READER_PROFILES_PPROF_PROBE_H
#define DWELL_HOST_READER_PROFILES_PPROF_PROBE_H

#include <stdbool.h>

#include "util/bytes.h"

/* start: the first bytes of the file, packed by gzip or not; whole: the file has no more. */
bool pprof_probe(struct bytes start, bool whole);

#endif
