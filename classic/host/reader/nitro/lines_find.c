#include "classic/host/reader/nitro/lines_find.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "classic/host/reader/nitro/lines_counted.h"
#include "util/array.h"

struct finding {
	struct lines_areas *areas;
	struct memory *memory;
	uint64_t behind; /* end address of the last buffer's lines: magic numbers before the end are inside the lines */
};

static bool has(const struct memory *memory, uint64_t address, uint64_t bytes)
{
	return memory_have(memory, address, bytes) == bytes;
}

/* Whether the image contains the valid lines and their levels. */
static bool is_whole(const struct memory *memory, const struct lines_area *area)
{
	return has(memory, area->begin, area->count * area->line_bytes) &&
	       (area->kind != LINES_KIND_LOG || has(memory, area->levels, area->count * LINES_LEVEL_BYTES));
}

static bool keep(struct finding *finding, const struct memory_place *where, struct lines_area *area)
{
	struct lines_areas *areas = finding->areas;

	area->offset = where->offset;
	if (!array_reserve(&areas->list, &areas->capacity, areas->count + 1, sizeof *areas->list)) {
		areas->no_memory = true;
		return false;
	}
	areas->list[areas->count++] = *area;
	finding->behind = area->begin + area->count * area->line_bytes;
	return true;
}

/* Takes a consistent buffer in raw bytes of unknown address: the buffer's own address gives the address of the raw bytes. If the
 * image then lacks lines of the buffer, the address is unknown again, and the buffer counts as cut. False: no memory. */
static bool take_unplaced(struct finding *finding, const struct memory_place *where, struct lines_area *area)
{
	if (area->address < where->offset)
		return true;
	memory_place(finding->memory, area->address - where->offset);
	if (is_whole(finding->memory, area))
		return keep(finding, where, area);
	memory_forget_place(finding->memory);
	finding->areas->cut++;
	return true;
}

static bool take(void *context, const struct memory_place *where)
{
	struct finding *finding = context;
	bool is_placed = finding->memory->is_placed;
	uint8_t head[LINES_AREA_BYTES_MAX];
	struct bytes bytes = {head, 0};
	struct lines_area area;

	if (is_placed && where->address < finding->behind)
		return true;
	bytes.size = memory_read(finding->memory, where->address, head, sizeof head);
	switch (lines_area_read(&area, bytes, is_placed ? &where->address : NULL)) {
	case LINES_AREA_GOOD:
		if (!is_placed)
			return take_unplaced(finding, where, &area);
		if (is_whole(finding->memory, &area))
			return keep(finding, where, &area);
		finding->areas->cut++;
		break;
	case LINES_AREA_DAMAGED:
		finding->areas->damaged += is_placed;
		break;
	case LINES_AREA_NEWER:
		finding->areas->newer += is_placed;
		break;
	case LINES_AREA_NONE:
		if (is_placed)
			finding->areas->elsewhere += lines_area_read(&area, bytes, NULL) == LINES_AREA_GOOD;
		break;
	}
	return true;
}

/* Checks the raw bytes in front of the buffer that determined the
 * address: damaged and newer areas there are recognised only now. */
static bool take_before(void *context, const struct memory_place *where)
{
	struct finding *finding = context;
	uint8_t head[LINES_AREA_BYTES_MAX];
	struct bytes bytes = {head, 0};
	struct lines_area area;
	enum lines_area_found found;

	if (where->offset >= finding->areas->list[0].offset)
		return false;
	bytes.size = memory_read(finding->memory, where->address, head, sizeof head);
	found = lines_area_read(&area, bytes, &where->address);
	finding->areas->damaged += found == LINES_AREA_DAMAGED;
	finding->areas->newer += found == LINES_AREA_NEWER;
	return true;
}

void lines_find(struct lines_areas *areas, struct memory *memory)
{
	struct finding finding = {.areas = areas, .memory = memory};
	bool was_placed = memory->is_placed;

	*areas = (struct lines_areas){0};
	memory_scan(memory, LINES_MAGIC, take, &finding);
	if (!was_placed && areas->count)
		memory_scan(memory, LINES_MAGIC, take_before, &finding);
	lines_counted_leave_out(areas->list, areas->count);
}

static void warn(uint64_t count, const char *name, struct diag *diag, const char *of_one, const char *of_more)
{
	if (count == 1)
		diag_add(diag, DIAG_WARN, name, DIAG_NO_OFFSET, "a buffer is left out: %s", of_one);
	else if (count)
		diag_add(diag, DIAG_WARN, name, DIAG_NO_OFFSET, "%" PRIu64 " buffers are left out: %s", count, of_more);
}

void lines_areas_warn(const struct lines_areas *areas, const char *name, struct diag *diag)
{
	char one[64], more[64];

	if (areas->count)
		warn(areas->cut, name, diag, "the image has not all of its lines", "the image has not all of their lines");
	warn(areas->damaged, name, diag, "its control words contradict each other", "their control words contradict each other");
	snprintf(one, sizeof one, "it is of a later version than %d", LINES_VERSION);
	snprintf(more, sizeof more, "they are of a later version than %d", LINES_VERSION);
	warn(areas->newer, name, diag, one, more);
	warn(areas->elsewhere, name, diag, "it says that it lay elsewhere; a copy, or the image is not of one piece",
		"they say that they lay elsewhere; copies, or the image is not of one piece");
	for (size_t i = 0; i < areas->count; i++)
		if (areas->list[i].busy)
			diag_add(diag, DIAG_WARN, name, DIAG_NO_OFFSET,
				"lines were being counted into the statistics at 0x%" PRIx64 " when it was stopped: %s", areas->list[i].address,
				areas->list[i].is_buffer_found ? "one call may be in both, or its time"
							       : "the image does not have their buffer, so the calls that were not counted yet are missing");
}

void lines_areas_clear(struct lines_areas *areas)
{
	free(areas->list);
	*areas = (struct lines_areas){0};
}
