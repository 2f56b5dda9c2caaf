/* overlap: how much two ranges share. */
#ifndef DWELL_HOST_UTIL_OVERLAP_H
#define DWELL_HOST_UTIL_OVERLAP_H

#include <stdint.h>

/* Returns how many bytes are in both ranges. Either may end beyond 2^64, as ranges in files of others do. */
static inline uint64_t overlap_bytes(uint64_t a, uint64_t a_bytes, uint64_t b, uint64_t b_bytes)
{
	uint64_t begin = a > b ? a : b;
	uint64_t a_left = begin - a < a_bytes ? a_bytes - (begin - a) : 0, b_left = begin - b < b_bytes ? b_bytes - (begin - b) : 0;

	return a_left < b_left ? a_left : b_left;
}

#endif
