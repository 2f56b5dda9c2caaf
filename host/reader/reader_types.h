/* reader_types: what readers and formats exchange besides messages. reader.h describes the use. */
#ifndef DWELL_HOST_READER_READER_TYPES_H
#define DWELL_HOST_READER_READER_TYPES_H

#include <stdbool.h>
#include <stdint.h>

/* Damage, skipped and missing data, for the health report. Complete after MESSAGE_END.
 * bytes_total is the size of the file from the start on; of a pipe, 0 until the end. */
struct reader_health {
	uint64_t bytes_total, bytes_skipped;   /* skipped: damaged or unknown */
	uint64_t chunks, chunks_damaged, chunks_unknown, chunks_missing; /* missing: according to the sequence numbers */
	uint64_t chunks_starved; /* left out for lack of memory */
	uint64_t entries_left_out; /* samples, records, buffers: a diag names them and the reason */
	/* holes: slots that the recorder claimed and never wrote. late_stamps: times that were corrected.
	 * unknown_tags: slots that this version cannot interpret, and skips. */
	uint64_t events, holes, late_stamps, unknown_tags;
	uint64_t events_backward; /* of a dump of hooks: with an earlier time than the event before */
	uint64_t being_counted;   /* of an image of memory: buffers whose lines were on their way into statistics */
	uint64_t room;            /* of a dump of hooks: records at the end of its buffer that are still empty */
	bool ended_well;  /* the END chunk is there */
	bool cut;         /* the file ends in the middle of a chunk */
};

/* Byte order, for formats that allow both without a mark. FOUND: the reader finds it out from the data. */
enum reader_order { READER_ORDER_FOUND, READER_ORDER_LITTLE, READER_ORDER_BIG };

/* A chunk of events. */
struct reader_chunk {
	uint64_t offset;
	uint64_t first_ticks, last_ticks;
	uint32_t stream, events;
};

/* What a decoder adds to the health. */
struct reader_counts {
	uint64_t events, holes, late_stamps, unknown_tags;
	bool odd; /* something differs from what a survey expects */
};

/* Returns whether the caller is interested in this stream. */
typedef bool reader_is_wanted(const void *context, uint32_t stream);

#endif
