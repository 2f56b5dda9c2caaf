/* hook image: the records of function hooks in the memory of the machine that made them: core/hook_records.h has how they lie there. */
#ifndef DWELL_HOST_READER_TI_HOOK_IMAGE_H
#define DWELL_HOST_READER_TI_HOOK_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "reader/memory.h"
#include "reader/ti/hook_records.h"
#include "reader/words.h"

/* What the control area says, checked against the memory that is there. */
struct hook_image {
	struct words words;
	uint32_t place; /* HOOK_PLACE_… */
	struct memory_place control;
	uint64_t control_bytes;
	uint64_t records; /* address of the first one */
	uint64_t capacity; /* records there is room for */
	uint64_t there; /* of those, from the first on: in the memory */
	uint64_t count_at; /* address of COUNT, which often is in other, faster memory */
	bool has_count; /* it is there */
	uint32_t written; /* COUNT, when it is */
	uint64_t hz, missed;
	bool has_no_clock; /* HOOK_STATE_NO_CLOCK */
};

enum hook_image_state {
	HOOK_IMAGE_NONE,
	HOOK_IMAGE_ODD, /* one begins at control, and what it speaks of is not there */
	HOOK_IMAGE_FOUND,
};

/* The first control area that fits what is around it. Raw bytes are placed by it. */
enum hook_image_state hook_image_find(struct memory *memory, struct hook_image *found);

/* How many records were written and are kept, in the memory or not; as many as there is room for, where COUNT is not there. */
uint64_t hook_image_used(const struct hook_image *image);

/* count records from number first on, with the bytes of their words as they lie there, taken for little-endian. Returns how many. */
size_t hook_image_read(const struct memory *memory, const struct hook_image *image, uint64_t first, struct hook_record *list, size_t count);

/* Where the names lie that entries and exits point to, each once, in order; to be freed. False: no memory. */
bool hook_image_names(const struct memory *memory, const struct hook_image *image, uint32_t **names, size_t *count);

/* Whether a control area begins there, as far as its first eight bytes tell. */
bool hook_image_is_control(struct bytes image, size_t at, bool *is_big);

#endif
