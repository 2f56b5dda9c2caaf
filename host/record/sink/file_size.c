#include "record/sink/file_size.h"

#include "target/recorder/ring.h"

#define FILE_BYTES (UINT64_C(256) << 20)
#define FILE_BYTES_MORE (UINT64_C(1) << 30)
#define FILE_RINGS_MIN 4u
#define FILE_SLOTS_MAX 65536u
/* Some 10,000 processes or 100,000 modules; and a sixty-fourth of that. */
#define FILE_JOURNAL_MOST (UINT64_C(16) << 20)
#define FILE_JOURNAL_LEAST (UINT64_C(256) << 10)

uint32_t file_size_slots(uint64_t ring_bytes, uint64_t memory_bytes)
{
	uint64_t slot_bytes = ring_bytes + DWELL_RING_HEADER_BYTES, bytes = memory_bytes, slots;

	/* Sixteen threads at least, as long as that is not too much. */
	if (!bytes && 16 * slot_bytes > FILE_BYTES)
		bytes = 16 * slot_bytes < FILE_BYTES_MORE ? 16 * slot_bytes : FILE_BYTES_MORE;
	if (!bytes)
		bytes = FILE_BYTES;
	if (!memory_bytes && bytes < FILE_RINGS_MIN * slot_bytes)
		bytes = FILE_RINGS_MIN * slot_bytes;
	slots = bytes / slot_bytes;
	return slots < FILE_SLOTS_MAX ? (uint32_t)slots : FILE_SLOTS_MAX;
}

uint64_t file_size_journal(uint64_t rings_bytes)
{
	uint64_t bytes = rings_bytes / 4;

	return bytes < FILE_JOURNAL_LEAST ? FILE_JOURNAL_LEAST : bytes < FILE_JOURNAL_MOST ? bytes : FILE_JOURNAL_MOST;
}
