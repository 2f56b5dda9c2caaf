/* Line buffers (classic/core/lines.h) of any machine, made by hand: for the tests of who reads them. */
#ifndef DWELL_TEST_LINES_IMAGE_H
#define DWELL_TEST_LINES_IMAGE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "classic/core/lines.h"

struct lines_image {
	uint32_t word_bytes;
	bool is_big;
	uint64_t base; /* address of bytes[0] */
	size_t size;
	uint8_t bytes[8192];
};

static inline void image_put(struct lines_image *image, size_t at, uint64_t value, uint32_t bytes)
{
	for (uint32_t i = 0; i < bytes; i++)
		image->bytes[at + (image->is_big ? bytes - 1 - i : i)] = (uint8_t)(value >> 8 * i);
	if (at + bytes > image->size)
		image->size = at + bytes;
}

static inline void image_word(struct lines_image *image, size_t area, uint32_t word, uint64_t value)
{
	image_put(image, area + LINES_HEAD_BYTES + (size_t)word * image->word_bytes, value, image->word_bytes);
}

/* A zero-terminated text. Returns its address. */
static inline uint64_t image_text(struct lines_image *image, size_t at, const char *text)
{
	memcpy(image->bytes + at, text, strlen(text) + 1);
	if (at + strlen(text) + 1 > image->size)
		image->size = at + strlen(text) + 1;
	return image->base + at;
}

static inline void image_head(struct lines_image *image, size_t at, uint32_t kind, uint32_t registers)
{
	image_put(image, at, LINES_MAGIC, 4);
	image_put(image, at + 4, LINES_VERSION | kind << 8 | registers << 16 | image->word_bytes << 24, 4);
}

/* A trace at this offset: room for capacity lines, of which count are written, from the oldest place on. */
static inline size_t image_trace(
	struct lines_image *image, size_t at, uint32_t kind, uint32_t registers, uint32_t capacity, uint32_t count, uint32_t wraps)
{
	uint32_t stride = (2 + (uint32_t)__builtin_popcount(registers)) * image->word_bytes;
	size_t lines = at + LINES_HEAD_BYTES + LINES_TRACE_WORDS * image->word_bytes;
	uint64_t begin = image->base + lines;

	image_head(image, at, kind, registers);
	for (uint32_t i = 0; i < LINES_TRACE_WORDS; i++)
		image_word(image, at, i, 0);
	image_word(image, at, LINES_TRACE_STRIDE, stride);
	image_word(image, at, LINES_TRACE_BEGIN, begin);
	image_word(image, at, LINES_TRACE_CURSOR, begin + (uint64_t)count * stride);
	image_word(image, at, LINES_TRACE_END, begin + (uint64_t)capacity * stride);
	image_word(image, at, LINES_TRACE_LEVELS, begin + (uint64_t)capacity * stride);
	image_word(image, at, LINES_TRACE_WRAPS, wraps);
	image_word(image, at, LINES_TRACE_STATE, LINES_STATE_ENABLED);
	image_word(image, at, LINES_TRACE_IN_USE, 1);
	image_put(image, lines + (size_t)capacity * (stride + 4) - 1, 0, 1);
	return lines;
}

static inline void image_trace_line(struct lines_image *image, size_t lines, uint32_t registers, uint32_t capacity, uint32_t number,
	uint64_t name, uint64_t lr, uint32_t level)
{
	uint32_t stride = (2 + (uint32_t)__builtin_popcount(registers)) * image->word_bytes;
	size_t at = lines + (size_t)number * stride;

	image_put(image, at, name, image->word_bytes);
	image_put(image, at + image->word_bytes, lr, image->word_bytes);
	for (uint32_t i = 2; i < stride / image->word_bytes; i++)
		image_put(image, at + (size_t)i * image->word_bytes, 100 * (number + 1) + i, image->word_bytes);
	image_put(image, lines + (size_t)capacity * stride + 4u * number, level, 4);
}

static inline size_t image_cost(struct lines_image *image, size_t at, uint32_t capacity, uint32_t count, uint32_t hz)
{
	size_t lines = at + LINES_HEAD_BYTES + LINES_COST_WORDS * image->word_bytes;
	uint64_t begin = image->base + lines, line = 3u * image->word_bytes;

	image_head(image, at, LINES_KIND_COST, 0);
	for (uint32_t i = 0; i < LINES_COST_WORDS; i++)
		image_word(image, at, i, 0);
	image_word(image, at, LINES_COST_BEGIN, begin);
	image_word(image, at, LINES_COST_CURSOR, begin + count * line);
	image_word(image, at, LINES_COST_END, begin + capacity * line);
	image_word(image, at, LINES_COST_GAPS, begin + capacity * line);
	image_word(image, at, LINES_COST_STATE, LINES_STATE_ENABLED);
	image_word(image, at, LINES_COST_IN_USE, 1);
	image_word(image, at, LINES_COST_HZ, hz);
	image_put(image, lines + (size_t)(capacity * line) - 1, 0, 1);
	return lines;
}

/* name: an address, or LINES_TAG_… */
static inline void image_cost_line(
	struct lines_image *image, size_t lines, uint32_t number, int64_t name, uint64_t ticks, uint64_t away)
{
	size_t at = lines + (size_t)number * 3 * image->word_bytes;

	image_put(image, at, (uint64_t)name, image->word_bytes);
	image_put(image, at + image->word_bytes, ticks, image->word_bytes);
	image_put(image, at + 2 * (size_t)image->word_bytes, away, image->word_bytes);
}

static inline size_t image_stats(struct lines_image *image, size_t at, uint32_t capacity, uint32_t used, uint32_t hz)
{
	size_t rows = at + ((LINES_HEAD_BYTES + LINES_STATS_WORDS * image->word_bytes + 7) & ~7u);

	image_head(image, at, LINES_KIND_STATS, 0);
	for (uint32_t i = 0; i < LINES_STATS_WORDS; i++)
		image_word(image, at, i, 0);
	image_word(image, at, LINES_STATS_BEGIN, image->base + rows);
	image_word(image, at, LINES_STATS_CAPACITY, capacity);
	image_word(image, at, LINES_STATS_USED, used);
	image_word(image, at, LINES_STATS_HZ, hz);
	return rows;
}

static inline void image_row(struct lines_image *image, size_t rows, uint32_t number, int64_t name, uint64_t calls, uint64_t self,
	uint64_t total)
{
	size_t at = rows + (size_t)number * (2 * image->word_bytes + 24);

	image_put(image, at, (uint64_t)name, image->word_bytes);
	image_put(image, at + image->word_bytes, 0, image->word_bytes);
	image_put(image, at + 2 * (size_t)image->word_bytes, calls, 8);
	image_put(image, at + 2 * (size_t)image->word_bytes + 8, self, 8);
	image_put(image, at + 2 * (size_t)image->word_bytes + 16, total, 8);
}

#endif
