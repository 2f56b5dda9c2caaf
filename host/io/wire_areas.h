/* wire areas: memory that a target shares (core/wire.h), as it comes. For wire_client.c; hostile as all of it is. */
#ifndef DWELL_HOST_IO_WIRE_AREAS_H
#define DWELL_HOST_IO_WIRE_AREAS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is believed of a target. */
#define WIRE_AREAS_MAX 64u
#define WIRE_AREAS_BYTES_MAX (UINT64_C(1) << 30) /* of all together */

/* Zeroed: none is known. */
struct wire_areas {
	struct wire_area {
		uint64_t address;
		uint32_t size;
		uint8_t *bytes;  /* so many as came */
		size_t count, capacity;
	} *list;
	size_t count, capacity; /* of those that were told */
	uint32_t all;           /* there are in all, as it says; 0 before the first */
	uint64_t total;
};

void wire_areas_clear(struct wire_areas *areas);

/* Whether the next one is to be asked for; else bytes of the last one from its count on; or nothing more. */
bool wire_areas_want_area(const struct wire_areas *areas);
bool wire_areas_want_bytes(const struct wire_areas *areas);

/* Payloads of SHARED and BYTES. False: they do not hold together, or *starved. */
bool wire_areas_take_area(struct wire_areas *areas, const uint8_t *at, size_t size, bool *starved);
bool wire_areas_take_bytes(struct wire_areas *areas, const uint8_t *at, size_t size, bool *starved);

#endif
