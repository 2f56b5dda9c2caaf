/* names: makes the payload of a NAMES chunk, field by field as in FORMAT.md. */
#ifndef DWELL_HOST_WRITER_TRACE_NAMES_H
#define DWELL_HOST_WRITER_TRACE_NAMES_H

#include <stdint.h>

#include "reader/message.h"
#include "util/bytes.h"

/* Takes names from *first on, as many as fit into one chunk, and moves *first behind them. Returns the payload, which the caller
 * frees, and sets *payload to its bytes. Null: out of memory. Cuts names and paths of more than 65,535 bytes. */
uint8_t *make_names_payload(const struct message_names *names, uint32_t *first, struct bytes *payload);

#endif
