/* cpu_places: counts the addresses at which samples found the program's threads on a CPU → a CPU_PLACES chunk.
 * A second of CPU time has some 250 samples, beside the recorded calls. From the chunk, a report
 * computes the recorded functions' share of the CPU time, and lists the files with the rest.
 *
 * Addresses in code that the agent made (stubs, thunks, moved instructions) do not count: that time is recording. */
#ifndef DWELL_HOST_RECORD_SESSION_CPU_PLACES_H
#define DWELL_HOST_RECORD_SESSION_CPU_PLACES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/numbers.h"
#include "writer/trace/dwell.h"

/* At most so many different places: 1.5 MB. Samples at more places are only counted, without their address. */
#define CPU_PLACES_MAX 65536u

/* Zero the struct before the first use. */
struct cpu_places {
	bool is_paused; /* recording is off: samples are ignored */
	struct message_cpu_place *places;
	size_t count, capacity;
	struct numbers index; /* place → its index in places, plus 1 */
	uint64_t overflow_count; /* samples at places for which there was no room */
	struct code_range *ranges; /* ranges of mapped code of all processes; see cpu_places.c */
	size_t range_count, range_capacity;
};

/* Counts one sample of a thread of process pid, unless is_paused. ticks: time of the sample; a place keeps the time of its last
 * sample. */
void cpu_places_add(struct cpu_places *places, uint32_t pid, uint64_t address, uint64_t ticks);
/* The places in the form of the trace file; borrowed until the next call. period_ns: CPU time between two samples of a thread. */
struct message_cpu_places cpu_places_get(const struct cpu_places *places, uint64_t period_ns);
void cpu_places_clear(struct cpu_places *places);

#endif
