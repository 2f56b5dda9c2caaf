/* file_size: fits the number and size of rings into the memory that dwell may use. */
#include "record/sink/file_size.h"

#include "record/sink/budget.h"
#include "target/recorder/ring.h"

#define FILE_BYTES (UINT64_C(256) << 20)    /* the usual size of all rings together */
#define FILE_BYTES_MORE (UINT64_C(1) << 30) /* the most for FILE_THREADS large rings */
#define FILE_RINGS_MIN 4u                   /* with the usual amount, even if this exceeds the memory that dwell may use */
#define FILE_THREADS 16u
#define FILE_RING_BYTES (UINT64_C(4) << 20)
#define FILE_RING_LEAST (UINT64_C(64) << 10)
#define FILE_SLOTS_MAX 65536u
/* The journal's size: the most is enough for about 10,000 processes or 100,000 modules; the least is a sixty-fourth of it. */
#define FILE_JOURNAL_MOST (UINT64_C(16) << 20)
#define FILE_JOURNAL_LEAST (UINT64_C(256) << 10)

uint64_t file_size_ring(void)
{
	uint64_t bytes = FILE_RING_BYTES, memory = budget_default_bytes();

	while (bytes > FILE_RING_LEAST && FILE_THREADS * bytes > memory)
		bytes /= 2;
	return bytes;
}

uint32_t file_size_slots(uint64_t ring_bytes, uint64_t memory_bytes)
{
	uint64_t slot_bytes = ring_bytes + DWELL_RING_HEADER_BYTES, bytes = memory_bytes, slots;

	/* Makes room for FILE_THREADS threads at least, if FILE_BYTES_MORE allows. */
	if (!bytes && FILE_THREADS * slot_bytes > FILE_BYTES)
		bytes = FILE_THREADS * slot_bytes < FILE_BYTES_MORE ? FILE_THREADS * slot_bytes : FILE_BYTES_MORE;
	if (!bytes)
		bytes = FILE_BYTES;
	if (!memory_bytes && bytes > budget_default_bytes()) /* a container may allow less than the usual size */
		bytes = budget_default_bytes();
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
