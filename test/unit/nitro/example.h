/* What the recorder left in memory, as it would stand in that of a machine whose words have four bytes, the lowest first: to be
 * compared with the examples of FORMAT.md. */
#ifndef DWELL_TEST_NITRO_EXAMPLE_H
#define DWELL_TEST_NITRO_EXAMPLE_H

#include <stdint.h>

#include "check.h"
#include "classic/core/lines.h"
#include "format_md.h"

#define EXAMPLE_BYTES 512

struct example {
	uint8_t bytes[EXAMPLE_BYTES];
	uint32_t used;
	lines_word begin; /* of the lines here … */
	uint32_t begin_there; /* … and there */
};

static inline void put32(struct example *example, uint32_t value)
{
	for (int i = 0; i < 4 && example->used < EXAMPLE_BYTES; i++)
		example->bytes[example->used++] = (uint8_t)(value >> 8 * i);
}

/* The head, of an area of so many words, which lies at address there. */
static inline void put_head(struct example *example, const void *area, lines_word begin, uint32_t address, uint32_t begin_bytes)
{
	const uint32_t *head = area;

	*example = (struct example){.begin = begin, .begin_there = address + begin_bytes};
	put32(example, head[0]);
	put32(example, (head[1] & 0xffffff) | 4u << 24);
}

/* A word that is no address within the buffer; and one that is: lines have half as many bytes there. 0 and all ones are none. */
static inline void put_word(struct example *example, lines_word word)
{
	put32(example, (uint32_t)word);
}

static inline void put_address(struct example *example, lines_word word)
{
	put32(example,
		!word || word > LINES_TAG(-16) ? (uint32_t)word : (uint32_t)(example->begin_there + (word - example->begin) / 2));
}

/* Prints it as it has to stand in FORMAT.md when that is something else. */
static inline void check_example(const struct example *example, const char *name)
{
	uint8_t bytes[EXAMPLE_BYTES];

	CHECK_EQ(load_format_example(name, bytes, sizeof bytes), 1);
	if (CHECK(!memcmp(bytes, example->bytes, sizeof bytes)))
		return;
	for (uint32_t i = 0; i < example->used; i++)
		printf("%s%02x%s", i % 16 ? "" : "# ", example->bytes[i], i % 16 == 15 || i + 1 == example->used ? "\n" : " ");
}

#endif
