/* cpu_places: makes the payload of a CPU_PLACES chunk: the places where threads were on a CPU. */
#ifndef DWELL_HOST_WRITER_TRACE_CPU_PLACES_H
#define DWELL_HOST_WRITER_TRACE_CPU_PLACES_H

#include <stddef.h>
#include <stdint.h>

#include "reader/message.h"

/* Returns the payload, which the caller frees; null: out of memory. Sets *bytes to its size, even if out of memory. */
uint8_t *make_cpu_places_payload(const struct message_cpu_places *cpu_places, size_t *bytes);

#endif
