/* names: the payload of a NAMES chunk, field by field as in FORMAT.md. */
#ifndef DWELL_HOST_WRITER_TRACE_NAMES_H
#define DWELL_HOST_WRITER_TRACE_NAMES_H

#include <stdint.h>

#include "reader/message.h"
#include "util/bytes.h"

/* Names from first on, as many as one chunk takes; first moves behind them. To be freed; null: no memory. A name or path that is longer
 * than any should be is cut. */
uint8_t *make_names_payload(const struct message_names *names, uint32_t *first, struct bytes *payload);

#endif
