/* switches: makes the payloads of SWITCHES and FAULTS chunks (switches.h). */
#include "writer/trace/switches.h"

#include <stdlib.h>

#include "dwell/format.h"
#include "util/bytes.h"

uint8_t *make_switches_payload(const struct message_switches *switches, size_t *bytes)
{
	uint32_t count = switches->count < TRACE_WRITER_SWITCHES_MAX ? switches->count : TRACE_WRITER_SWITCHES_MAX;
	uint8_t *payload;

	*bytes = DWELL_SWITCHES_ENTRIES + (size_t)count * DWELL_SWITCH_BYTES;
	payload = malloc(*bytes);
	if (!payload)
		return NULL;
	put_u64(payload + DWELL_SWITCHES_OFF_BEFORE, switches->off_before_ticks);
	put_u64(payload + DWELL_SWITCHES_PREEMPTED_BEFORE, switches->preempted_before_ticks);
	for (uint32_t i = 0; i < count; i++) {
		const struct message_switch *from = &switches->switches[i];
		uint8_t *entry = payload + DWELL_SWITCHES_ENTRIES + (size_t)i * DWELL_SWITCH_BYTES;

		put_u64(entry + DWELL_SWITCH_OUT, from->out_ticks);
		put_u64(entry + DWELL_SWITCH_LENGTH,
			(from->in_ticks - from->out_ticks) | (from->preempted ? DWELL_SWITCH_PREEMPTED : 0));
	}
	return payload;
}

uint8_t *make_faults_payload(const struct message_faults *faults, size_t *bytes)
{
	uint8_t *payload;

	*bytes = DWELL_FAULTS_ENTRIES + (size_t)faults->count * DWELL_FAULT_BYTES;
	payload = malloc(*bytes);
	if (!payload)
		return NULL;
	put_u64(payload + DWELL_FAULTS_BEFORE, faults->before);
	for (uint32_t i = 0; i < faults->count; i++)
		put_u64(payload + DWELL_FAULTS_ENTRIES + (size_t)i * DWELL_FAULT_BYTES,
			(faults->faults[i].ticks & ~DWELL_FAULT_MAJOR) | (faults->faults[i].major ? DWELL_FAULT_MAJOR : 0));
	return payload;
}
