/* memory: an image of a machine's memory, bytes at addresses: an ELF core file, which says where its bytes lay, or raw bytes, which do not.
 *
 *     struct memory memory;
 *     if (memory_open(&memory, source))
 *             memory_scan(&memory, LINES_MAGIC, take, context);
 *     memory_close(&memory);
 *
 * Every byte is hostile: what is read is bounded by the file, and by what was asked for. */
#ifndef DWELL_HOST_READER_MEMORY_H
#define DWELL_HOST_READER_MEMORY_H

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
	struct memory_span *spans; /* by address */
	size_t count, capacity;
	bool is_core;
	bool is_placed;   /* it is known where the bytes lay: of raw ones once memory_place was told */
	uint32_t machine; /* of a core: e_machine, 0 unknown */
};

/* An ELF core file, by its first bytes. */
bool memory_is_core(struct bytes start);

/* Zeroes it first. False: it is a core that does not hold together, or there is no memory; *problem says it then. */
bool memory_open(struct memory *memory, struct source *source, const char **problem);
void memory_close(struct memory *memory);

/* Raw bytes: the first lay at this address; or nobody knows, and addresses are offsets. */
void memory_place(struct memory *memory, uint64_t address);
void memory_forget_place(struct memory *memory);

/* The bytes from address on: size of them, fewer where the image has no more. Returns how many. */
size_t memory_read(const struct memory *memory, uint64_t address, void *buffer, size_t size);

/* How many bytes there are from address on, without a gap; size at most. */
uint64_t memory_have(const struct memory *memory, uint64_t address, uint64_t size);

/* Each place where the 32-bit number stands, in either byte order, at a multiple of 4 bytes from the beginning of the image (of a core:
 * of its span). where: in the file, and its address, which is the offset as long as that of raw bytes is not known. Stops when take
 * returns false. */
struct memory_place {
	uint64_t offset, address;
};
typedef bool memory_take(void *context, const struct memory_place *where);
void memory_scan(const struct memory *memory, uint32_t number, memory_take *take, void *context);

#endif
