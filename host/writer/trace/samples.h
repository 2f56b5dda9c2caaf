/* samples: makes the payload of a SAMPLES chunk, field by field as in FORMAT.md. */
#ifndef DWELL_HOST_WRITER_TRACE_SAMPLES_H
#define DWELL_HOST_WRITER_TRACE_SAMPLES_H

#include <stdint.h>

#include "reader/message.h"
#include "util/bytes.h"

/* Returns the payload, which the caller frees, and sets *payload to its bytes. Null: out of memory. */
uint8_t *make_samples_payload(const struct message_samples *samples, struct bytes *payload);

#endif
