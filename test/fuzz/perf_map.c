/* Any bytes as a map of code that was made at run time: what is named holds an address that was asked for, and sums agree. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sample/code/perf_map.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const uint64_t asked[] = {1, 0x1000, 0x1008, 0x1010, 0x2000, 0x7ff3dcec7c00, UINT64_MAX - 1};
#define ASKED (sizeof asked / sizeof *asked)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct address_set set = {0};
	struct perf_map map = {0};
	uint64_t named = 0;
	FILE *file = size ? fmemopen((void *)(uintptr_t)data, size, "r") : NULL;

	if (!file)
		return 0;
	for (size_t i = 0; i < ASKED; i++)
		address_set_add(&set, asked[i]);
	if (!perf_map_read(&map, file, &set) || map.doubled > map.named || map.count > map.named)
		abort();
	for (size_t i = 0; i < ASKED; i++)
		for (size_t k = 0; k < map.count; k++)
			if (asked[i] >= map.names[k].address && asked[i] - map.names[k].address < map.names[k].size) {
				named++;
				break;
			}
	for (size_t k = 0; k < map.count; k++)
		if (!*map.names[k].name || strchr(map.names[k].name, '\n') || map.names[k].size > UINT64_MAX - map.names[k].address)
			abort();
	if (named != map.named || strlen(map.bad_text) >= sizeof map.bad_text)
		abort();
	perf_map_clear(&map);
	address_set_clear(&set);
	fclose(file);
	return 0;
}
