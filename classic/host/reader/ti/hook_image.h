/* hook image: finds the records of function hooks in an image of the
 * machine's memory. classic/core/hook_records.h describes their layout. */
#ifndef DWELL_CLASSIC_HOST_READER_TI_HOOK_IMAGE_H
#define DWELL_CLASSIC_HOST_READER_TI_HOOK_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "classic/host/reader/memory.h"
#include "classic/host/reader/ti/hook_records.h"
#include "reader/words.h"

/* The content of the control area, checked against the image. */
struct hook_image {
	struct words words;
	uint32_t place; /* HOOK_PLACE_… */
	struct memory_place control;
	uint64_t control_bytes;
	uint64_t records; /* address of the first record */
	uint64_t capacity; /* records that fit */
	uint64_t there; /* records, from the first on, that are in the image */
	uint64_t count_at; /* address of COUNT, often in other, faster memory */
	bool has_count; /* COUNT is in the image */
	uint32_t written; /* COUNT, if has_count */
	uint64_t hz, missed;
	bool has_no_clock; /* HOOK_STATE_NO_CLOCK */
};

enum hook_image_state {
	HOOK_IMAGE_NONE,
	HOOK_IMAGE_ODD, /* the image has a control area, but no record of the area */
	HOOK_IMAGE_FOUND,
};

/* Finds the first control area that fits its surroundings, and places raw bytes by this area. */
enum hook_image_state hook_image_find(struct memory *memory, struct hook_image *found);

/* Returns how many records the buffer holds, in the image or not; its capacity if COUNT is not in the image. */
uint64_t hook_image_used(const struct hook_image *image);

/* Reads count records from number first on, as little-endian whatever the machine's order. Returns the number read. */
size_t hook_image_read(
	const struct memory *memory, const struct hook_image *image, uint64_t first, struct hook_record *list, size_t count);

/* Returns the addresses of the names of entries and exits, each once, sorted; to be freed. False: no memory. */
bool hook_image_names(const struct memory *memory, const struct hook_image *image, uint32_t **names, size_t *count);

/* Whether a control area begins at this offset, judged by its first eight bytes. */
bool hook_image_is_control(struct bytes image, size_t at, bool *is_big);

#endif
