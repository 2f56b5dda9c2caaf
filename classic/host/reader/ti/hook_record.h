/* hook record: three words that one of TI's function hooks wrote. */
#ifndef DWELL_CLASSIC_HOST_READER_TI_HOOK_RECORD_H
#define DWELL_CLASSIC_HOST_READER_TI_HOOK_RECORD_H

#include <stdint.h>

#include "util/bytes.h"

/* The words, as in classic/core/hook_records.h. */
struct hook_record {
	uint32_t place, low, high;
};

/* Reads a record from twelve bytes, as little-endian. */
static inline struct hook_record hook_record_at(const uint8_t *p)
{
	return (struct hook_record){get_u32(p), get_u32(p + 4), get_u32(p + 8)};
}

static inline uint64_t hook_record_ticks(const struct hook_record *record)
{
	return (uint64_t)record->high << 32 | record->low;
}

/* Whether no hook wrote this record. */
bool hook_record_is_unused(const struct hook_record *record);

#endif
