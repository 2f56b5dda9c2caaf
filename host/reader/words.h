/* words: reads integers of another machine: words of 4 or 8 bytes, in either byte order. Unchecked, as in util/bytes.h. */
#ifndef DWELL_HOST_READER_WORDS_H
#define DWELL_HOST_READER_WORDS_H

#include "util/bytes.h"

struct words {
	uint32_t bytes; /* per word */
	bool is_big;
};

static inline uint16_t words_u16(const struct words *words, const uint8_t *p)
{
	return words->is_big ? __builtin_bswap16(get_u16(p)) : get_u16(p);
}

static inline uint32_t words_u32(const struct words *words, const uint8_t *p)
{
	return words->is_big ? __builtin_bswap32(get_u32(p)) : get_u32(p);
}

static inline uint64_t words_u64(const struct words *words, const uint8_t *p)
{
	return words->is_big ? __builtin_bswap64(get_u64(p)) : get_u64(p);
}

static inline uint64_t words_get(const struct words *words, const uint8_t *p)
{
	return words->bytes == 8 ? words_u64(words, p) : words_u32(words, p);
}

/* Returns whether the word is a small negative number (−16 … −1), which is a mark and not an address. */
static inline bool words_is_tag(const struct words *words, uint64_t value)
{
	return value >= (words->bytes == 8 ? UINT64_MAX : UINT32_MAX) - 15u;
}

/* Returns the negative number tag (−1, −2, …) as a word. */
static inline uint64_t words_tag(const struct words *words, int tag)
{
	return words->bytes == 8 ? (uint64_t)(int64_t)tag : (uint32_t)tag;
}

#endif
