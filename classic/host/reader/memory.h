/* memory: an image of a machine's memory, bytes at addresses: an ELF core
 * file, which contains the addresses, or raw bytes without addresses.
 *
 *     struct memory memory;
 *     if (memory_open(&memory, source, &problem))
 *             memory_scan(&memory, LINES_MAGIC, take, context);
 *     memory_close(&memory);
 *
 * Every byte is hostile: reads are bounded by the file and by the request. */
#ifndef DWELL_CLASSIC_HOST_READER_MEMORY_H
#define DWELL_CLASSIC_HOST_READER_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/source.h"
#include "util/bytes.h"

struct memory_span {
	uint64_t address, size;
	uint64_t offset; /* in the file */
};

struct memory {
	struct source *source; /* borrowed; seekable */
	struct memory_span *spans; /* sorted by address */
	size_t count, capacity;
	bool is_core;
	bool is_placed;   /* the addresses are known: of a core, or after memory_place */
	uint32_t machine; /* of a core: e_machine, 0 unknown */
};

/* Whether the first bytes are of an ELF core file. */
bool memory_is_core(struct bytes start);

/* Zeroes memory first. False: an inconsistent core file, or no memory; *problem is the reason then. */
bool memory_open(struct memory *memory, struct source *source, const char **problem);
void memory_close(struct memory *memory);

/* For raw bytes: sets the address of the first byte; or sets it as unknown, and addresses are offsets. */
void memory_place(struct memory *memory, uint64_t address);
void memory_forget_place(struct memory *memory);

/* Reads up to size bytes from address on. Returns the number read, which is lower if the image has no more. */
size_t memory_read(const struct memory *memory, uint64_t address, void *buffer, size_t size);

/* Returns how many bytes the image has from address on without a gap; size at most. */
uint64_t memory_have(const struct memory *memory, uint64_t address, uint64_t size);

/* Calls take for each 32-bit number of this value, in either byte order, at multiples of 4 bytes from
 * the start of the image (of a core: of its span). where: the offset in the file, and the address,
 * which equals the offset while the address of raw bytes is unknown. Stops when take returns false. */
struct memory_place {
	uint64_t offset, address;
};
typedef bool memory_take(void *context, const struct memory_place *where);
void memory_scan(const struct memory *memory, uint32_t number, memory_take *take, void *context);

#endif
