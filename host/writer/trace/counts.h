/* counts: makes the payload of a COUNTS chunk, field by field as in FORMAT.md. */
#ifndef DWELL_HOST_WRITER_TRACE_COUNTS_H
#define DWELL_HOST_WRITER_TRACE_COUNTS_H

#include <stdint.h>

#include "reader/message.h"
#include "util/bytes.h"

/* Returns the payload, which the caller frees, and sets *payload to its bytes. Null: out of memory. */
uint8_t *make_counts_payload(const struct message_counts *counts, struct bytes *payload);

#endif
