/* wire areas: receives memory that a target shares (classic/core/wire.h). For wire_client.c; every byte is hostile. */
#ifndef DWELL_CLASSIC_HOST_IO_WIRE_AREAS_H
#define DWELL_CLASSIC_HOST_IO_WIRE_AREAS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The limits that a target may not exceed. */
#define WIRE_AREAS_MAX 64u
#define WIRE_AREAS_BYTES_MAX (UINT64_C(1) << 30) /* sum of the sizes of all areas */

/* Zeroed: no areas. */
struct wire_areas {
	struct wire_area {
		uint64_t address;
		uint32_t size;
		uint8_t *bytes;  /* the bytes received so far */
		size_t count, capacity;
	} *list;
	size_t count, capacity; /* areas announced so far */
	uint32_t all;           /* number of all areas, as the target states it; 0 before the first */
	uint64_t total;         /* sum of the sizes of the areas announced so far */
};

void wire_areas_clear(struct wire_areas *areas);

/* Whether the host is to request the next area. */
bool wire_areas_want_area(const struct wire_areas *areas);
/* Whether the host is to request more bytes of the last area, from offset `count` on. If neither function returns true, all areas
 * are complete. */
bool wire_areas_want_bytes(const struct wire_areas *areas);

/* Adds the area that a SHARED announces; at, size: the payload. False: the payload is inconsistent, or there is no memory. Only for
 * missing memory *starved becomes true; an inconsistent payload leaves *starved alone. pre: *starved is false. */
bool wire_areas_take_area(struct wire_areas *areas, const uint8_t *at, size_t size, bool *starved);
/* Adds the payload of a BYTES to the last area. Result and pre: those of wire_areas_take_area. */
bool wire_areas_take_bytes(struct wire_areas *areas, const uint8_t *at, size_t size, bool *starved);

#endif
