/* cpu_places: makes the payload of a CPU_PLACES chunk (cpu_places.h). */
#include "writer/trace/cpu_places.h"

#include <stdlib.h>

#include "dwell/format.h"
#include "util/bytes.h"

uint8_t *make_cpu_places_payload(const struct message_cpu_places *cpu_places, size_t *bytes)
{
	uint8_t *payload;

	*bytes = DWELL_CPU_PLACES_HEAD_BYTES + (size_t)cpu_places->count * DWELL_CPU_PLACE_BYTES;
	payload = calloc(1, *bytes);
	if (!payload)
		return NULL;
	put_u64(payload + DWELL_CPU_PLACES_PERIOD_NS, cpu_places->period_ns);
	put_u64(payload + DWELL_CPU_PLACES_BEYOND, cpu_places->beyond);
	for (uint32_t i = 0; i < cpu_places->count; i++) {
		uint8_t *at = payload + DWELL_CPU_PLACES_HEAD_BYTES + (size_t)i * DWELL_CPU_PLACE_BYTES;

		put_u64(at + DWELL_CPU_PLACE_ADDRESS, cpu_places->places[i].address);
		put_u64(at + DWELL_CPU_PLACE_TICKS, cpu_places->places[i].ticks);
		put_u32(at + DWELL_CPU_PLACE_PID, cpu_places->places[i].pid);
		put_u32(at + DWELL_CPU_PLACE_COUNT, cpu_places->places[i].count);
	}
	return payload;
}
