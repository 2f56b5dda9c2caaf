/* file_size: how large the file of a ring or linear recording is made. */
#ifndef DWELL_HOST_RECORD_SINK_FILE_SIZE_H
#define DWELL_HOST_RECORD_SINK_FILE_SIZE_H

#include <stdint.h>

/* Rings of so many bytes; memory_bytes: of all of them, 0: what is usual. */
uint32_t file_size_slots(uint64_t ring_bytes, uint64_t memory_bytes);
/* For rings of so many bytes, all together: a small file is not to be mostly journal. */
uint64_t file_size_journal(uint64_t rings_bytes);

#endif
