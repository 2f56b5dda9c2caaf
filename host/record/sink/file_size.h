/* file_size: chooses the sizes of rings and journal for a ring or linear recording, whose session is a file. */
#ifndef DWELL_HOST_RECORD_SINK_FILE_SIZE_H
#define DWELL_HOST_RECORD_SINK_FILE_SIZE_H

#include <stdint.h>

/* The usual size of one ring: 4 MiB; less if there is no memory for sixteen rings. */
uint64_t file_size_ring(void);
/* The number of rings, each with ring_bytes. memory_bytes: for all rings together; 0: the usual amount. */
uint32_t file_size_slots(uint64_t ring_bytes, uint64_t memory_bytes);
/* The journal's size. rings_bytes: of all rings together. A small file should not be mostly journal. */
uint64_t file_size_journal(uint64_t rings_bytes);

#endif
