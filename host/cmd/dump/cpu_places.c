/* cpu_places: prints the places where threads were on a CPU, for dwell dump. */
#include <inttypes.h>

#include "cmd/dump.h"
#include "dwell/format.h"

void dump_put_cpu_places(struct dump *dump, const struct raw_chunk *chunk, const struct message_cpu_places *cpu_places)
{
	const struct message_cpu_place *place = cpu_places->places;
	uint64_t at = chunk->offset + DWELL_CHUNK_HEADER_BYTES + DWELL_CPU_PLACES_HEAD_BYTES;

	dump_put(dump, at - DWELL_CPU_PLACES_HEAD_BYTES, DWELL_CPU_PLACES_HEAD_BYTES, "places on CPUs", UINT64_MAX, UINT64_MAX,
		"every %" PRIu64 " ns of CPU time; %" PRIu64 " at other places", cpu_places->period_ns, cpu_places->beyond);
	for (; place < cpu_places->places + cpu_places->count; place++, at += DWELL_CPU_PLACE_BYTES)
		dump_put(dump, at, DWELL_CPU_PLACE_BYTES, "place on CPUs", UINT64_MAX, place->ticks,
			"%" PRIu32 " at 0x%" PRIx64 " of the process with pid %" PRIu32, place->count, place->address, place->pid);
}
