/* Writes the trace file: takes messages and slots, and writes the bytes of FORMAT.md, chunk by chunk.
 *
 *     struct trace_writer *file = make_trace_writer("app.dwell", &header, diag);
 *     trace_writer_process(file, &process);
 *     trace_writer_slots(file, &slots);   // whenever a ring has data
 *     trace_writer_finish(file);
 *     free_trace_writer(file);
 *
 * Guarantees:
 *   1. After each call that returned true, the file so far is whole: a reader finds all its chunks, whatever happens next.
 *   2. A failed write (full disk, size limit, broken pipe) loses its own chunk and nothing else. The part that reached the disk is
 *      cut off again, if the file can be cut, so that no chunk ever follows half a chunk. The first failure gives one diag; all are
 *      counted, and the count is in the file (LOSS) as soon as a write succeeds again.
 *   3. A lost chunk keeps its sequence number, so that readers can detect the gap.
 *   4. Even a full disk has space for the end: the program's status, the missing data, the mark of completeness (append.h).
 *   5. No buffer: slots go from the caller's memory to the file in one system call. Memory grows by 24 bytes per chunk, for the
 *      seek table.
 *
 * Before trace_writer_start_thread: one thread at a time, and each call waits for the disk. The writing process must ignore
 * SIGXFSZ and SIGPIPE: their default action ends the process before it can report the reason. */
#ifndef DWELL_HOST_WRITER_TRACE_DWELL_H
#define DWELL_HOST_WRITER_TRACE_DWELL_H

#include <stdbool.h>
#include <stdint.h>

#include "pack/pack.h"
#include "reader/message.h"
#include "writer/trace/switches.h"
#include "util/bytes.h"
#include "util/diag.h"

/* Most bytes of slots in one chunk. 256 KiB to 1 MiB are a good size; with deep checkpoints use ten times
 * the checkpoint's size, so that the repeated part stays small. */
#define TRACE_WRITER_SLOTS_MAX (DWELL_CHUNK_LENGTH_MAX / 2)
/* Most frames in one checkpoint. Of a deeper checkpoint the outermost frames are written, and the chunk is marked as incomplete. */
#define TRACE_WRITER_FRAMES_MAX (DWELL_CHUNK_LENGTH_MAX / 2 / DWELL_FRAME_BYTES)
#define TRACE_WRITER_PIECES_MAX 8

struct trace_writer;

/* Creates or empties the file and writes its header. Ignores format, has_… and unit of the message. Returns null and adds a
 * diag on failure (no permission, no such folder, full disk). */
struct trace_writer *make_trace_writer(const char *path, const struct message_header *header, struct diag *diag);
/* The same, but the file is invisible before trace_writer_publish: a process killed earlier leaves nothing. Freeing the
 * writer earlier leaves an existing file of that name unchanged. */
struct trace_writer *make_hidden_trace_writer(const char *path, const struct message_header *header, struct diag *diag);
/* Replaces an existing file of that name in one step. Returns false and adds a diag on failure. */
bool trace_writer_publish(struct trace_writer *writer);
/* Rewrites the header with facts that were unknown when the file was created: machine and
 * clock. Returns false if the file cannot be overwritten (a pipe). */
bool trace_writer_set_header(struct trace_writer *writer, const struct message_header *header);
/* Frees the writer. Without an earlier trace_writer_finish, the file stays an interrupted recording. */
void free_trace_writer(struct trace_writer *writer);

/* Each function writes one chunk and returns false if the chunk is not in the file. Strings may have any
 * length; a message's strings are cut at 65535 bytes in total. */
bool trace_writer_process(struct trace_writer *writer, const struct message_process *process);
bool trace_writer_module(struct trace_writer *writer, const struct message_module *module);
bool trace_writer_thread(struct trace_writer *writer, const struct message_thread *thread);
bool trace_writer_clock(struct trace_writer *writer, const struct message_clock *clock);
bool trace_writer_loss(struct trace_writer *writer, const struct message_loss *loss);
/* Intervals with a thread off the CPU, to be written before the slots of
 * the same time. At most TRACE_WRITER_SWITCHES_MAX intervals. */
bool trace_writer_switches(struct trace_writer *writer, const struct message_switches *switches);
/* Page faults of a thread, likewise before its slots. */
bool trace_writer_faults(struct trace_writer *writer, const struct message_faults *faults);
/* Properties of the sampling: before the first samples, and again when more is known. */
bool trace_writer_sampling(struct trace_writer *writer, const struct message_sampling *sampling);
/* Further samples of one stream, with their paths; packed. Begin a new chunk after a module is
 * mapped or unmapped. A chunk above these limits counts as refused. */
#define TRACE_WRITER_SAMPLES_MAX 65536u
#define TRACE_WRITER_NODES_MAX 524288u
bool trace_writer_samples(struct trace_writer *writer, const struct message_samples *samples);
/* Counts of one stream, sorted by address; packed. A chunk above this limit counts as refused. */
#define TRACE_WRITER_COUNTS_MAX 524288u
bool trace_writer_counts(struct trace_writer *writer, const struct message_counts *counts);
/* Functions no longer recorded, with the numbers of calls so far. At most TRACE_WRITER_THROTTLED_MAX. */
#define TRACE_WRITER_THROTTLED_MAX 65536u
bool trace_writer_throttle(struct trace_writer *writer, const struct message_throttle *throttle);
/* Places where threads were on a CPU. At most TRACE_WRITER_CPU_PLACES_MAX places. */
#define TRACE_WRITER_CPU_PLACES_MAX 65536u
bool trace_writer_cpu_places(struct trace_writer *writer, const struct message_cpu_places *cpu_places);
/* Sums of calls missing from the slots of a stream; packed. A chunk above these limits counts as refused. */
#define TRACE_WRITER_SUMS_MAX 262144u /* limit for nodes, functions and frames each; for buckets four times as many */
bool trace_writer_sums(struct trace_writer *writer, const struct message_sums *sums);
/* Names of a file's functions, at the end of the recording, when the
 * recorded functions are known. Uses as many chunks as necessary. */
bool trace_writer_names(struct trace_writer *writer, const struct message_names *names);
/* The text of marks with this index; to be written before such marks. */
bool trace_writer_text(struct trace_writer *writer, const struct message_text *text);
/* Facts for people, one line each. A '=' in a key, and line breaks in keys and values, become blanks. */
bool trace_writer_info(struct trace_writer *writer, const struct message_info *facts, uint32_t count);

/* A run of slots of one stream, in the order of the stream. */
struct trace_slots {
	uint32_t stream;
	/* The frames open before the first slot, outermost first. */
	const struct message_frame *frames;
	uint32_t frame_count;
	/* The slots, in up to TRACE_WRITER_PIECES_MAX pieces of whole slots, since a ring wraps. The first slot must be TIME,
	 * followed by any WINDOW in force. If the run begins inside a block, these slots are a piece of their own. */
	const struct bytes *pieces;
	uint32_t piece_count;
	uint64_t first_ticks, last_ticks; /* time of the first and last event, with late stamps lowered; 0 without events */
	uint32_t events;                  /* enters and exits */
	struct packer *packer;            /* packs the slots; null: they are written unpacked */
};
bool trace_writer_slots(struct trace_writer *writer, const struct trace_slots *slots);
/* Skips a sequence number of the stream: events are missing before the next chunk, and that chunk's checkpoint is reliable. */
void trace_writer_skip_slots(struct trace_writer *writer, uint32_t stream);

/* From here on chunks are copied, and a separate thread writes the copies. Any thread may then call the functions above without
 * waiting, and true means that the chunk is queued. Guarantee 1 holds for the chunks on the disk. trace_writer_finish, or freeing
 * the writer, reports failures. Returns false and changes nothing if the thread cannot start. */
bool trace_writer_start_thread(struct trace_writer *writer);
/* Returns whether the queue is full, so that the caller should add nothing. False without a queue. */
bool trace_writer_is_full(struct trace_writer *writer);
/* Waits until the queue is not full. */
void trace_writer_wait(struct trace_writer *writer);

/* Marks the following chunks as the end of the recording, which may use the reserved space. Waits for the queue. */
void trace_writer_end_begins(struct trace_writer *writer);
/* Ends a complete recording: waits for the queue, writes the seek table and the END chunk.
 * Returns whether everything given to this writer is in the file. */
bool trace_writer_finish(struct trace_writer *writer);

/* Returns whether the file could be removed again: it is neither a pipe nor a device. */
bool trace_writer_is_regular(const struct trace_writer *writer);
/* Returns the size of the file so far. */
uint64_t trace_writer_bytes(const struct trace_writer *writer);
/* Returns the size of the chunks that could not be written. */
uint64_t trace_writer_unwritten_bytes(const struct trace_writer *writer);

#endif
