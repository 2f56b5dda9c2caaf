/* bytes: a range of bytes with its size, and little-endian fields in such ranges: all readers of files check offsets by it. */
#ifndef DWELL_HOST_UTIL_BYTES_H
#define DWELL_HOST_UTIL_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct bytes {
	const uint8_t *data; /* borrowed; may be null if size is 0 */
	size_t size;
};

/* Returns whether size bytes at offset are inside. Safe for any values. */
static inline bool bytes_have(struct bytes bytes, uint64_t offset, uint64_t size)
{
	return offset <= bytes.size && size <= bytes.size - offset;
}

/* Returns a part of the bytes; empty unless the whole part is inside. */
static inline struct bytes bytes_part(struct bytes bytes, uint64_t offset, uint64_t size)
{
	if (!bytes_have(bytes, offset, size))
		return (struct bytes){0, 0};
	return (struct bytes){bytes.data + offset, (size_t)size};
}

/* Unchecked access to little-endian fields: the caller has checked with bytes_have. Each access is one instruction, whereas
 * compilers do not recognise a number put together from single bytes. */
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define BYTES_LITTLE(bits, v) __builtin_bswap##bits(v)
#else
#define BYTES_LITTLE(bits, v) (v)
#endif

static inline uint16_t get_u16(const uint8_t *p)
{
	uint16_t v;

	memcpy(&v, p, sizeof v);
	return BYTES_LITTLE(16, v);
}
static inline uint32_t get_u32(const uint8_t *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof v);
	return BYTES_LITTLE(32, v);
}
static inline uint64_t get_u64(const uint8_t *p)
{
	uint64_t v;

	memcpy(&v, p, sizeof v);
	return BYTES_LITTLE(64, v);
}
static inline void put_u16(uint8_t *p, uint16_t v)
{
	v = BYTES_LITTLE(16, v);
	memcpy(p, &v, sizeof v);
}
static inline void put_u32(uint8_t *p, uint32_t v)
{
	v = BYTES_LITTLE(32, v);
	memcpy(p, &v, sizeof v);
}
static inline void put_u64(uint8_t *p, uint64_t v)
{
	v = BYTES_LITTLE(64, v);
	memcpy(p, &v, sizeof v);
}

#endif
