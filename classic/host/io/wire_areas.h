/* wire areas: receives memory that a target shares (classic/core/wire.h). For wire_client.c; every byte is hostile. */
#ifndef DWELL_CLASSIC_HOST_IO_WIRE_AREAS_H
#define DWELL_CLASSIC_HOST_IO_WIRE_AREAS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The limits that a target may not exceed. */
#define WIRE_AREAS_MAX 64u
#define WIRE_AREAS_BYTES_MAX (UINT64_C(1) << 30) /* of all together */

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
	uint64_t total;
};

void wire_areas_clear(struct wire_areas *areas);

/* Whether to request the next area; or bytes of the last area, from its count on. If neither, all areas are complete. */
bool wire_areas_want_area(const struct wire_areas *areas);
bool wire_areas_want_bytes(const struct wire_areas *areas);

/* Take the payloads of SHARED and BYTES. False: the payload is inconsistent, or no memory (*starved). */
bool wire_areas_take_area(struct wire_areas *areas, const uint8_t *at, size_t size, bool *starved);
bool wire_areas_take_bytes(struct wire_areas *areas, const uint8_t *at, size_t size, bool *starved);

#endif
