/* switches: makes the payloads of SWITCHES and FAULTS chunks: what the system says about a thread beside its events. */
#ifndef DWELL_HOST_WRITER_TRACE_SWITCHES_H
#define DWELL_HOST_WRITER_TRACE_SWITCHES_H

#include <stddef.h>
#include <stdint.h>

#include "reader/message.h"

/* So many intervals at most; those beyond are left out. */
#define TRACE_WRITER_SWITCHES_MAX 65536u

/* Return the payload, which the caller frees; null: out of memory. Set *bytes to its size. */
uint8_t *make_switches_payload(const struct message_switches *switches, size_t *bytes);
uint8_t *make_faults_payload(const struct message_faults *faults, size_t *bytes);

#endif
