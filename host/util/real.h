/* real: converts computed numbers to integers. A conversion in C is undefined if the integer's type cannot hold the number, which
 * numbers from a recording can reach; these functions give the nearest integer that the type has. Fractions are cut off; a NaN
 * becomes 0. */
#ifndef DWELL_HOST_UTIL_REAL_H
#define DWELL_HOST_UTIL_REAL_H

#include <stdint.h>

static inline uint64_t real_to_u64(double value)
{
	return value >= 0x1p64 ? UINT64_MAX : value > 0 ? (uint64_t)value : 0;
}

static inline uint32_t real_to_u32(double value)
{
	return value >= 0x1p32 ? UINT32_MAX : value > 0 ? (uint32_t)value : 0;
}

#endif
