#include "classic/host/io/wire_areas.h"

#include <stdlib.h>
#include <string.h>

#include "classic/core/wire.h"
#include "util/array.h"

void wire_areas_clear(struct wire_areas *areas)
{
	for (size_t i = 0; i < areas->count; i++)
		free(areas->list[i].bytes);
	free(areas->list);
	*areas = (struct wire_areas){0};
}

bool wire_areas_want_bytes(const struct wire_areas *areas)
{
	const struct wire_area *last = areas->count ? &areas->list[areas->count - 1] : NULL;

	return last && last->count < last->size;
}

bool wire_areas_want_area(const struct wire_areas *areas)
{
	return !wire_areas_want_bytes(areas) && (!areas->count || areas->count < areas->all);
}

bool wire_areas_take_area(struct wire_areas *areas, const uint8_t *at, size_t size, bool *starved)
{
	struct wire_area area = {0};
	uint32_t all;

	if (size != WIRE_SHARED_BYTES || dwell_wire_get16(at) != areas->count)
		return false;
	all = dwell_wire_get16(at + 2);
	area.address = dwell_wire_get32(at + 4) | (uint64_t)dwell_wire_get32(at + 8) << 32;
	area.size = dwell_wire_get32(at + 12);
	if (all > WIRE_AREAS_MAX || all <= areas->count || (areas->all && all < areas->all) || !area.size ||
		area.size > WIRE_AREAS_BYTES_MAX - areas->total || area.address > UINT64_MAX - area.size)
		return false;
	*starved = !array_reserve(&areas->list, &areas->capacity, areas->count + 1, sizeof *areas->list);
	if (*starved)
		return false;
	areas->list[areas->count++] = area;
	areas->all = all;
	areas->total += area.size;
	return true;
}

/* A frame with fewer bytes than fit is valid only at the end of an area. Otherwise a target could send single bytes, and the host
 * would need a request for each. */
bool wire_areas_take_bytes(struct wire_areas *areas, const uint8_t *at, size_t size, bool *starved)
{
	struct wire_area *area = areas->count ? &areas->list[areas->count - 1] : NULL;
	size_t left = area ? area->size - area->count : 0, want = left < WIRE_BYTES_MAX ? left : WIRE_BYTES_MAX;

	if (!area || size != WIRE_BYTES_HEAD_BYTES + want || dwell_wire_get16(at) != areas->count - 1 ||
		dwell_wire_get32(at + 2) != area->count)
		return false;
	*starved = !array_reserve(&area->bytes, &area->capacity, area->count + want, 1);
	if (*starved)
		return false;
	memcpy(area->bytes + area->count, at + WIRE_BYTES_HEAD_BYTES, want);
	area->count += want;
	return true;
}
