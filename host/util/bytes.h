/* Bytes with their bound, and little-endian access that cannot leave it. */
#ifndef DWELL_HOST_UTIL_BYTES_H
#define DWELL_HOST_UTIL_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct bytes {
	const uint8_t *data;
	size_t size;
};

/* Whether size bytes at offset are inside. Safe for any values. */
static inline bool bytes_have(struct bytes bytes, uint64_t offset, uint64_t size)
{
	return offset <= bytes.size && size <= bytes.size - offset;
}

/* The part of it; empty when it is not all inside. */
static inline struct bytes bytes_part(struct bytes bytes, uint64_t offset, uint64_t size)
{
	if (!bytes_have(bytes, offset, size))
		return (struct bytes){0, 0};
	return (struct bytes){bytes.data + offset, (size_t)size};
}

/* Unchecked reads and writes of little-endian fields: the caller has checked with bytes_have. */
static inline uint16_t get_u16(const uint8_t *p)
{
	return (uint16_t)(p[0] | p[1] << 8);
}
static inline uint32_t get_u32(const uint8_t *p)
{
	return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}
static inline uint64_t get_u64(const uint8_t *p)
{
	return (uint64_t)get_u32(p) | (uint64_t)get_u32(p + 4) << 32;
}
static inline void put_u16(uint8_t *p, uint16_t v)
{
	p[0] = (uint8_t)v;
	p[1] = (uint8_t)(v >> 8);
}
static inline void put_u32(uint8_t *p, uint32_t v)
{
	put_u16(p, (uint16_t)v);
	put_u16(p + 2, (uint16_t)(v >> 16));
}
static inline void put_u64(uint8_t *p, uint64_t v)
{
	put_u32(p, (uint32_t)v);
	put_u32(p + 4, (uint32_t)(v >> 32));
}

#endif
