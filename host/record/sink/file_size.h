/* file_size: chooses the sizes of rings and journal for a ring or linear recording, whose session is a file. */
#ifndef DWELL_HOST_RECORD_SINK_FILE_SIZE_H
#define DWELL_HOST_RECORD_SINK_FILE_SIZE_H

#include <stdint.h>

/* The usual size of one ring in bytes, a power of two: 4 MiB; less, down to 64 KiB, if there is no memory for sixteen rings. */
uint64_t file_size_ring(void);
/* The number of rings, each with ring_bytes and a header: 65,536 at most. memory_bytes: for all rings together; the number is 0 if
 * one ring does not fit. memory_bytes 0: the usual amount, for four rings at least. */
uint32_t file_size_slots(uint64_t ring_bytes, uint64_t memory_bytes);
/* The journal's size in bytes: a quarter of rings_bytes, but 256 KiB to 16 MiB. A small file should not be mostly journal.
 * rings_bytes: of all rings together. */
uint64_t file_size_journal(uint64_t rings_bytes);

#endif
