/* faults: chunks of a trace file that cannot be used, or not wholly: each is told and counted in the reader's health. */
#ifndef DWELL_HOST_READER_DWELL_FAULTS_H
#define DWELL_HOST_READER_DWELL_FAULTS_H

#include <stdbool.h>
#include <stdint.h>

#include "reader/dwell/frame.h"
#include "reader/format.h"

/* The number of the newest chunk and what it is of, for messages: "chunk 812 (stream 3)". */
const char *fault_title(const struct reader_input *input, const struct frame_chunk *chunk, char buffer[static 64]);
/* How much of a chunk of events that the file ends inside of could be read. */
void fault_say_cut(struct reader_input *input, const struct frame_chunk *chunk, uint64_t events);
/* It cannot be decoded, and problem says why. */
void fault_skip(struct reader_input *input, const struct frame_item *item, const char *problem);
/* What a later version may write. False: this is it, and it was counted. */
bool fault_check_known(struct reader_input *input, const struct frame_item *item);
void fault_say_bad_payload(struct reader_input *input, const struct frame_item *item);

#endif
