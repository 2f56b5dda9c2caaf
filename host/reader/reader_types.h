/* reader_types: what readers, and the formats behind them, are asked and tell beside messages. reader.h says when. */
#ifndef DWELL_HOST_READER_READER_TYPES_H
#define DWELL_HOST_READER_READER_TYPES_H

#include <stdbool.h>
#include <stdint.h>

/* What the reader itself noticed: bad, skipped, missing. For the health box; complete once MESSAGE_END came. bytes_total is the size of
 * the file before that, too, where it has one. */
struct reader_health {
	uint64_t bytes_total, bytes_skipped;   /* skipped: damaged or unknown */
	uint64_t chunks, chunks_damaged, chunks_unknown, chunks_missing; /* missing: by sequence numbers */
	uint64_t chunks_starved; /* left out, as there was no memory for them */
	uint64_t events, holes, late_stamps, unknown_tags;
	uint64_t events_backward; /* of a dump of hooks: earlier than the one before them */
	uint64_t room;            /* likewise: records at the end of its buffer that nobody has written yet */
	bool ended_well;  /* the END chunk was there */
	bool cut;         /* the file ends in the middle of a chunk */
};

/* Of bytes, where a format has either and does not say which. */
enum reader_order { READER_ORDER_FOUND, READER_ORDER_LITTLE, READER_ORDER_BIG };

/* A chunk of events. */
struct reader_chunk {
	uint64_t offset;
	uint64_t first_ticks, last_ticks;
	uint32_t stream, events;
};

/* What decoding adds to the health. */
struct reader_counts {
	uint64_t events, holes, late_stamps, unknown_tags;
	bool odd; /* something was not as a survey expects */
};

/* Whether a stream is meant. */
typedef bool reader_is_meant(const void *context, uint32_t stream);

#endif
