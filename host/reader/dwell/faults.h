/* faults: reports chunks of a trace file that cannot be used, or only in part, and counts them in the reader's health. */
#ifndef DWELL_HOST_READER_DWELL_FAULTS_H
#define DWELL_HOST_READER_DWELL_FAULTS_H

#include <stdbool.h>
#include <stdint.h>

#include "reader/dwell/split.h"
#include "reader/format.h"

/* Writes a title of the newest chunk for messages, with its number
 * and its stream or kind: "chunk 812 (stream 3)". Returns buffer. */
const char *fault_title(const struct reader_input *input, const struct raw_chunk *chunk, char buffer[static 64]);
/* Reports a chunk of events cut by the end of the file, with the number of events read. */
void fault_report_cut(struct reader_input *input, const struct raw_chunk *chunk, uint64_t events);
/* Counts and reports a chunk that cannot be decoded. problem: the reason,
 * as a phrase that follows the title: "is shorter than its fixed part". */
void fault_skip(struct reader_input *input, const struct split_item *item, const char *problem);
/* Checks that this version supports the chunk's kind, flags and packing.
 * False: a later version wrote the chunk, which is counted and reported. */
bool fault_check_known(struct reader_input *input, const struct split_item *item);
void fault_report_bad_payload(struct reader_input *input, const struct split_item *item);

#endif
