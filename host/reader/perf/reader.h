/* perf_reader: the state shared by the parts of the perf.data reader: data.c
 * reads the file, take.c evaluates its records, tell.c makes messages. */
#ifndef DWELL_HOST_READER_PERF_READER_H
#define DWELL_HOST_READER_PERF_READER_H

#include "pack/stream.h"
#include "reader/format.h"
#include "reader/perf/head.h"
#include "reader/perf/order.h"
#include "reader/perf/samples.h"
#include "reader/perf/tasks.h"

#define PERF_RECORD_BYTES_MAX 65536u
#define PERF_SAMPLE 9u /* type of a record that is a sample */
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
	struct bytes held; /* a record waiting until the samples before it are given; empty: none */
	uint64_t held_offset;
	uint64_t at;       /* offset in the file */
	uint32_t counted;  /* index of the event that counts */
	bool told_header, told_sampling, at_end, finished, cannot_unpack, no_memory;
	uint64_t others, damaged, packed, copied, lost, throttled; /* numbers of samples, except packed
								      and throttled: numbers of records */
	uint64_t kernel; /* samples in the kernel */
};

/* Appends a message to the queue. Null: no memory. */
struct message *perf_push(struct perf_reader *reader, enum message_kind kind);
/* Gives a thread's message, after the process's if due. */
void perf_tell_thread(struct perf_reader *reader, uint32_t thread);
/* Gives the messages of a process's maps, when the first sample comes that may
 * lie in them: most children exec another program before their first sample. */
void perf_tell_maps(struct perf_reader *reader, uint32_t process, uint64_t time);
/* Removes a map; if the map had its message, gives the message of the removal. */
void perf_tell_unmap(struct perf_reader *reader, uint32_t process, size_t map, uint64_t time);
/* Gives the sampling message, and chooses the event that counts. */
void perf_tell_sampling(struct perf_reader *reader);

/* Evaluates the next record of the kernel. False: first give the samples before it. */
bool perf_take_record(struct perf_reader *reader, struct bytes record);

#endif
