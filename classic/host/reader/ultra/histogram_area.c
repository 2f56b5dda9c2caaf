#include "classic/host/reader/ultra/histogram_area.h"

#include <stdlib.h>

#include "classic/core/histogram.h"
#include "util/array.h"

#define HEAD_BYTES_MAX (HISTOGRAM_HEAD_BYTES + 8u * HISTOGRAM_WORDS)
#define SEGMENT_BYTES_MAX (8u * HISTOGRAM_SEGMENT_WORDS)

struct finding {
	struct histogram_areas *areas;
	struct memory *memory;
};

static uint64_t get_word(const struct words *words, const uint8_t *words_at, uint32_t number)
{
	return words_get(words, words_at + (size_t)number * words->bytes);
}

/* Parses the head of a control area. False: no head, another version, or inconsistent
 * words. address: of the head; null: unknown, SELF determines the address. */
static bool read_head(struct histogram_area *area, const uint8_t *head, size_t size, const uint64_t *address)
{
	struct words words = {.is_big = size >= 4 && get_u32(head) != HISTOGRAM_MAGIC};
	const uint8_t *at = head + HISTOGRAM_HEAD_BYTES;
	uint32_t what;

	if (size < HISTOGRAM_HEAD_BYTES || words_u32(&words, head) != HISTOGRAM_MAGIC)
		return false;
	what = words_u32(&words, head + 4);
	words.bytes = what >> 24;
	if ((what & 0xffffff) != (HISTOGRAM_VERSION | HISTOGRAM_COUNTER_BYTES << 8 | HISTOGRAM_TEXT_BYTES << 16) ||
		(words.bytes != 4 && words.bytes != 8) || size < HISTOGRAM_HEAD_BYTES + (size_t)HISTOGRAM_WORDS * words.bytes)
		return false;
	*area = (struct histogram_area){
		.address = get_word(&words, at, HISTOGRAM_WORD_SELF),
		.table = get_word(&words, at, HISTOGRAM_WORD_SEGMENTS),
		.words = words,
		.overflow = get_word(&words, at, HISTOGRAM_WORD_OVERFLOW),
		.beyond = get_word(&words, at, HISTOGRAM_WORD_BEYOND),
		.period_us = get_word(&words, at, HISTOGRAM_WORD_PERIOD),
		.is_running = get_word(&words, at, HISTOGRAM_WORD_STATE) & HISTOGRAM_STATE_RUNNING,
		.is_fixed = get_word(&words, at, HISTOGRAM_WORD_STATE) & HISTOGRAM_STATE_FIXED,
	};
	if (address && *address != area->address)
		return false;
	if (get_word(&words, at, HISTOGRAM_WORD_COUNT) > HISTOGRAM_SEGMENTS_MAX || area->overflow > UINT32_MAX ||
		area->beyond > UINT32_MAX || area->period_us > UINT32_MAX)
		return false;
	area->count = (uint32_t)get_word(&words, at, HISTOGRAM_WORD_COUNT);
	return true;
}

static bool has(const struct memory *memory, uint64_t address, uint64_t bytes)
{
	uint8_t buffer[4096];

	while (bytes) {
		size_t part = bytes < sizeof buffer ? (size_t)bytes : sizeof buffer;

		if (memory_read(memory, address, buffer, part) < part)
			return false;
		address += part;
		bytes -= part;
	}
	return true;
}

/* Whether a segment is consistent, and the code does not begin before the end of the previous segment's code. So the counts of all
 * segments are in the order of addresses. before: the previous segment; null: none. */
static bool is_right(const struct histogram_extent *segment, const struct histogram_extent *before)
{
	return segment->bytes % 4 == 0 && segment->bytes / 4 < UINT32_MAX && segment->text <= UINT64_MAX - segment->bytes - 16 &&
	       segment->counters <= UINT64_MAX - histogram_counter_bytes(segment) &&
	       (!before || segment->text >= before->text + before->bytes);
}

/* Reads the segments of an area into area->segments; the caller frees the list, also after false. *cut: the image lacks a part of
 * the segments or of the counters. False: cut, an inconsistent segment, or no memory (then area->segments is null). */
static bool read_segments(struct histogram_area *area, const struct memory *memory, bool *cut)
{
	uint32_t bytes = HISTOGRAM_SEGMENT_WORDS * area->words.bytes;
	uint64_t left = source_size(memory->source); /* segments share no counters, so the image bounds the bytes of all counters */

	*cut = false;
	area->segments = malloc((area->count ? area->count : 1) * sizeof *area->segments);
	for (uint32_t i = 0; area->segments && i < area->count; i++) {
		struct histogram_extent *segment = &area->segments[i];
		uint8_t raw[SEGMENT_BYTES_MAX];

		*cut = memory_read(memory, area->table + (uint64_t)i * bytes, raw, bytes) < bytes;
		if (*cut)
			return false;
		*segment = (struct histogram_extent){
			.text = get_word(&area->words, raw, HISTOGRAM_SEGMENT_TEXT),
			.bytes = get_word(&area->words, raw, HISTOGRAM_SEGMENT_BYTES),
			.counters = get_word(&area->words, raw, HISTOGRAM_SEGMENT_COUNTERS),
		};
		if (!is_right(segment, i ? segment - 1 : NULL) || histogram_counter_bytes(segment) > left)
			return false;
		left -= histogram_counter_bytes(segment);
		*cut = !has(memory, segment->counters, histogram_counter_bytes(segment));
		if (*cut)
			return false;
	}
	return area->segments;
}

static bool keep(struct histogram_areas *areas, struct histogram_area *area, uint64_t offset)
{
	area->offset = offset;
	if (!array_reserve(&areas->list, &areas->capacity, areas->count + 1, sizeof *areas->list)) {
		areas->no_memory = true;
		free(area->segments);
		return false;
	}
	areas->list[areas->count++] = *area;
	return true;
}

static bool take(void *context, const struct memory_place *where)
{
	struct finding *finding = context;
	struct histogram_areas *areas = finding->areas;
	bool was_placed = finding->memory->is_placed, cut;
	uint8_t head[HEAD_BYTES_MAX];
	size_t size = memory_read(finding->memory, where->address, head, sizeof head);
	struct histogram_area area;

	if (!read_head(&area, head, size, was_placed ? &where->address : NULL)) {
		areas->elsewhere += was_placed && read_head(&area, head, size, NULL);
		return true;
	}
	/* The SELF of the first consistent area in raw bytes determines the address of the raw bytes. */
	if (!was_placed) {
		if (area.address < where->offset)
			return true;
		memory_place(finding->memory, area.address - where->offset);
	}
	if (read_segments(&area, finding->memory, &cut))
		return keep(areas, &area, where->offset);
	areas->cut += cut;
	areas->no_memory |= !area.segments;
	free(area.segments);
	if (!was_placed)
		memory_forget_place(finding->memory);
	return !areas->no_memory;
}

void histogram_find(struct histogram_areas *areas, struct memory *memory)
{
	struct finding finding = {areas, memory};

	*areas = (struct histogram_areas){0};
	memory_scan(memory, HISTOGRAM_MAGIC, take, &finding);
}

void histogram_areas_clear(struct histogram_areas *areas)
{
	for (size_t i = 0; i < areas->count; i++)
		free(areas->list[i].segments);
	free(areas->list);
	*areas = (struct histogram_areas){0};
}

bool histogram_read_counts(struct histogram_counts *counts, const struct memory *memory, const struct words *words,
	const struct histogram_extent *segment)
{
	uint64_t left = histogram_counter_bytes(segment), address = segment->counters, text = segment->text;
	uint8_t buffer[4096];

	while (left) {
		size_t part = left < sizeof buffer ? (size_t)left : sizeof buffer;

		if (memory_read(memory, address, buffer, part) < part)
			return false;
		for (size_t i = 0; i < part; i += HISTOGRAM_COUNTER_BYTES, text += HISTOGRAM_TEXT_BYTES) {
			uint16_t count = words_u16(words, buffer + i);

			if (!count)
				continue;
			if (!array_reserve(&counts->list, &counts->capacity, counts->count + 1, sizeof *counts->list))
				return false;
			counts->list[counts->count++] = (struct message_count){text, count};
			counts->full += count == HISTOGRAM_COUNTER_MAX;
		}
		address += part;
		left -= part;
	}
	return true;
}
