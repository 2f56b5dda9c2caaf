/* sums: makes the payload of a SUMS chunk, field by field as in FORMAT.md. */
#ifndef DWELL_HOST_WRITER_TRACE_SUMS_H
#define DWELL_HOST_WRITER_TRACE_SUMS_H

#include <stdint.h>

#include "reader/message.h"
#include "util/bytes.h"

/* Returns the payload, which the caller frees, and sets *payload to its bytes. Null: out of memory. */
uint8_t *make_sums_payload(const struct message_sums *sums, struct bytes *payload);

#endif
