/* perf_reader: what the parts of the reader of perf.data share: perf_data.c reads the file, perf_take.c its records, perf_tell.c makes
 * messages of them. */
#ifndef DWELL_HOST_READER_PERF_READER_H
#define DWELL_HOST_READER_PERF_READER_H

#include "pack/stream.h"
#include "reader/format.h"
#include "reader/perf/head.h"
#include "reader/perf/order.h"
#include "reader/perf/samples.h"
#include "reader/perf/tasks.h"

#define PERF_RECORD_BYTES_MAX 65536u
#define PERF_SAMPLE 9u /* the type of a record that is a sample */
#define PERF_NS_A_SECOND UINT64_C(1000000000)

struct perf_reader {
	struct reader_input *input;
	struct perf_head head;
	struct perf_tasks tasks;
	struct perf_order order;
	struct perf_samples samples;
	struct stream_unpacker unpacker;
	uint8_t record[PERF_RECORD_BYTES_MAX];
	struct message *queue;
	size_t queued, given, queue_capacity;
	struct bytes held; /* a record that waits until the samples before it were given; empty: none */
	uint64_t held_offset;
	uint64_t at;       /* in the file */
	uint32_t counted;  /* event */
	bool told_header, told_sampling, at_end, finished, cannot_unpack, no_memory;
	uint64_t others, damaged, packed, copied, lost, throttled; /* samples but for throttled and packed, which are records */
	uint64_t kernel; /* samples that are in it */
};

/* A message behind those that wait to be given. Null: no memory. */
struct message *perf_push(struct perf_reader *reader, enum message_kind kind);
/* With its process, where that was not told of. */
void perf_tell_thread(struct perf_reader *reader, uint32_t thread);
/* What is mapped is told of when a sample may lie in it: most children run another program before that. */
void perf_tell_maps(struct perf_reader *reader, uint32_t process, uint64_t time);
/* Is not there any more. */
void perf_tell_unmap(struct perf_reader *reader, uint32_t process, size_t map, uint64_t time);
/* The event that counts is chosen with it. */
void perf_tell_sampling(struct perf_reader *reader);

/* A record of the kernel's, in its turn. False: it has to wait until the samples before it were given. */
bool perf_take_record(struct perf_reader *reader, struct bytes record);

#endif
