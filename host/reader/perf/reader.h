/* perf_reader: the state shared by the parts of the perf.data reader. The first reads the file and sorts its records by
 * time. The second chooses an event. The third evaluates each record (perf_take_record). The fourth finds callers in copies of
 * stacks. The fifth puts messages into a queue. */
#ifndef DWELL_HOST_READER_PERF_READER_H
#define DWELL_HOST_READER_PERF_READER_H

#include "pack/stream.h"
#include "reader/events.h"
#include "reader/format.h"
#include "reader/perf/head.h"
#include "reader/perf/order.h"
#include "reader/perf/samples.h"
#include "reader/perf/tasks.h"

#define PERF_RECORD_BYTES_MAX 65536u
#define PERF_SAMPLE 9u /* type of a record that is a sample */
#define PERF_NS_A_SECOND UINT64_C(1000000000)

/* The event whose samples are read. Samples of other events are left out. */
struct perf_choice {
	bool is_made;
	size_t event; /* index in the layout */
	char counted[EVENTS_TEXT_BYTES]; /* as events_write writes */
};

/* Zero before use. Numbers of samples with a copy of the stack in which callers are not looked for. unread: nobody can, as the
 * reader has no unwinder for the machine. narrow: the program is one of 32 bits. */
struct perf_stacks {
	void *unwinder; /* made by input->unwinder; null: none */
	bool is_begun;
	uint64_t unread, narrow;
};

struct perf_reader {
	struct reader_input *input;
	struct perf_head head;
	struct perf_tasks tasks;
	struct perf_order order;
	struct perf_samples samples;
	struct perf_stacks stacks;
	struct stream_unpacker unpacker;
	uint8_t record[PERF_RECORD_BYTES_MAX];
	struct message *queue; /* messages that wait until the reader returns them */
	size_t queued, dequeued, queue_capacity; /* numbers of messages in the queue, and of those that were returned */
	struct bytes pending; /* a record that waits until the samples before it are in messages; empty: none */
	uint64_t pending_offset; /* of that record, in the file */
	uint64_t at;       /* offset in the file */
	struct perf_choice choice;
	bool is_surveying; /* records are read only to find the events that have samples */
	bool header_written, sampling_written, at_end, finished, cannot_unpack, no_memory;
	/* Numbers. other_samples: samples of other events; damaged: records left out; lost: samples that the kernel lost;
	 * throttled: records of paused sampling. */
	uint64_t other_samples, damaged, lost, throttled;
	uint64_t kernel; /* samples in the kernel */
};

/* Appends a message to the queue. Null: no memory. */
struct message *perf_push_message(struct perf_reader *reader, enum message_kind kind);
/* Puts a thread's message into the queue; in front of it the process's message, if the process has had none. */
void perf_push_thread(struct perf_reader *reader, uint32_t thread);
/* Puts the messages of a process's new maps into the queue. Call it at a sample of the process, and no
 * earlier: most child processes exec another program before their first sample. */
void perf_push_maps(struct perf_reader *reader, uint32_t process, uint64_t time);
/* Removes a map; if the map has had its message, puts the message of the removal into the queue. */
void perf_push_unmap(struct perf_reader *reader, uint32_t process, size_t map, uint64_t time);
/* Puts the sampling message of the chosen event into the queue. */
void perf_push_sampling(struct perf_reader *reader);

/* Returns whether the callers in copies of stacks can be found, as far as the file's head shows. */
bool perf_stacks_can(const struct perf_reader *reader);
/* Call it before the first map of a process is given, if the chosen event has copies of stacks; later calls do nothing. */
void perf_stacks_begin(struct perf_reader *reader);
void perf_stacks_clear(struct perf_reader *reader);
/* Give the maps of a process to the unwinder. */
void perf_stacks_map(struct perf_reader *reader, uint32_t process, const struct perf_map *map);
void perf_stacks_unmap(struct perf_reader *reader, uint32_t process, const struct perf_map *map);
/* Finds the callers in a sample's copy of the stack. False: there is no such copy, or callers are not looked for in it. */
bool perf_stacks_find(
	struct perf_reader *reader, uint32_t process, const struct perf_sample *sample, struct reader_callers *callers);

/* Reads the next record of the file, and handles it. False: none is left, or the file is cut or damaged here. */
bool perf_read_record(struct perf_reader *reader);
/* Returns whether each event has a sample, as far as records were read. Dummies cannot have any. */
bool perf_all_have_samples(const struct perf_layout *layout);
/* Chooses the event that the user asked for, else the first that has samples as far as records were read. False and a
 * diag: there is none of that name. */
bool perf_choose_event(struct perf_reader *reader);

/* Evaluates the next record of the kernel. False: the samples so far must become a message first; then
 * call it again with the same record. */
bool perf_take_record(struct perf_reader *reader, struct bytes record);

#endif
