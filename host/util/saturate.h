/* saturate: adds up numbers from files without overflow: a sum that would be too large becomes the largest number. */
#ifndef DWELL_HOST_UTIL_SATURATE_H
#define DWELL_HOST_UTIL_SATURATE_H

#include <stdint.h>

static inline void saturate_add(uint64_t *sum, uint64_t value)
{
	if (__builtin_add_overflow(*sum, value, sum))
		*sum = UINT64_MAX;
}

#endif
