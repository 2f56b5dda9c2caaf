/* perf_decode: decodes the records in the kernel's buffer into struct perf_record. */
#ifndef DWELL_HOST_SAMPLE_PERF_PERF_DECODE_H
#define DWELL_HOST_SAMPLE_PERF_PERF_DECODE_H

#include <stdbool.h>

#include "sample/perf/perf_record.h"
#include "perf/perf_ring.h"

#define PERF_TRAILER_BYTES 24u /* pid, tid, time, timer */
#define PERF_SAMPLE_BYTES 40u  /* ip, pid, tid, time, timer, period */
#define PERF_LAYOUT ((struct perf_layout){PERF_SAMPLE_BYTES, PERF_TRAILER_BYTES})

/* Takes the record found by perf_ring_peek. False: dwell does not request such records, or the record is malformed. */
bool perf_ring_take(struct perf_ring *ring, struct perf_record *record);

#endif
