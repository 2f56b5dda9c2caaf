#include "classic/host/remote/fetch_histogram.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "classic/core/histogram.h"
#include "classic/host/reader/ultra/histogram_area.h"

static bool take_bytes(const struct memory *memory, struct fetched *fetched, uint64_t address, uint64_t size)
{
	uint8_t *bytes = malloc(size ? (size_t)size : 1);
	bool good = bytes && memory_read(memory, address, bytes, (size_t)size) == size &&
		    fetched_add(fetched, address, bytes, (size_t)size);

	free(bytes);
	return good;
}

static bool take_area(const struct memory *memory, struct fetched *fetched, const struct histogram_area *area)
{
	uint32_t word = area->words.bytes;
	bool good = take_bytes(memory, fetched, area->address, HISTOGRAM_HEAD_BYTES + HISTOGRAM_WORDS * word) &&
		    take_bytes(memory, fetched, area->table, (uint64_t)area->count * HISTOGRAM_SEGMENT_WORDS * word);

	for (uint32_t i = 0; good && i < area->count; i++)
		good = take_bytes(memory, fetched, area->segments[i].counters, histogram_counter_bytes(&area->segments[i]));
	return good;
}

bool fetch_histogram(struct memory *memory, struct fetched *fetched, size_t *count)
{
	struct histogram_areas areas;
	bool good;

	histogram_find(&areas, memory);
	good = !areas.no_memory;
	for (size_t i = 0; good && i < areas.count; i++) {
		good = take_area(memory, fetched, &areas.list[i]);
		printf("histogram at 0x%" PRIx64 ": %" PRIu32 " segment%s\n", areas.list[i].address, areas.list[i].count,
			areas.list[i].count == 1 ? "" : "s");
	}
	*count = areas.count;
	histogram_areas_clear(&areas);
	return good;
}
