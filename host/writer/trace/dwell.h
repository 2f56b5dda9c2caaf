/* The trace file, written: messages and slots go in, the bytes of FORMAT.md come out, chunk by chunk.
 *
 *     struct trace_writer *file = make_trace_writer("app.dwell", &header, diag);
 *     trace_writer_process(file, &process);
 *     trace_writer_slots(file, &slots);   // as often as a ring has something to say
 *     trace_writer_finish(file);
 *     free_trace_writer(file);
 *
 * What it promises:
 *   1. After each call that returned true, the file up to there is whole: a reader finds every chunk of it, whatever happens next.
 *   2. A write that fails (full disk, size limit, broken pipe) loses the chunk it was for and nothing else: what reached the disk of it is
 *      cut off again where the file can be cut, so that a later chunk never follows half a chunk. The first failure is one diag; all are
 *      counted, and the count is in the file (LOSS) as soon as something can be written again.
 *   3. The lost chunk keeps its sequence number, so that a reader knows.
 *   4. A disk that is full has room for the end: what came of the program, what is missing, and that this is all (append.h).
 *   5. No buffer: slots go from the caller's memory to the file in one system call. Memory grows by 24 bytes a chunk (the seek table).
 *
 * One thread at a time, and each waits for the disk: until trace_writer_behind. Ignore SIGXFSZ and SIGPIPE in the process that writes:
 * their default action ends it before it can say why. */
#ifndef DWELL_HOST_WRITER_TRACE_DWELL_H
#define DWELL_HOST_WRITER_TRACE_DWELL_H

#include <stdbool.h>
#include <stdint.h>

#include "pack/pack.h"
#include "reader/message.h"
#include "util/bytes.h"
#include "util/diag.h"

/* Most bytes of slots in one chunk. 256 KiB to 1 MiB are a good size; with deep checkpoints take ten times the checkpoint, so that what
 * is repeated stays small. */
#define TRACE_WRITER_SLOTS_MAX (DWELL_CHUNK_LENGTH_MAX / 2)
/* Most frames of one checkpoint: of a deeper one the outermost are written, and the chunk says that some are missing. */
#define TRACE_WRITER_FRAMES_MAX (DWELL_CHUNK_LENGTH_MAX / 2 / DWELL_FRAME_BYTES)
#define TRACE_WRITER_PIECES_MAX 8

struct trace_writer;

/* Creates or empties the file and writes its header. Of the message, format, has_… and unit are not used. Null and a diag (no
 * permission, no such folder, full disk) on failure. */
struct trace_writer *make_trace_writer(const char *path, const struct message_header *header, struct diag *diag);
/* Likewise, but it is nowhere to be seen before trace_writer_appear: whoever is killed meanwhile leaves nothing. A writer that is freed
 * before leaves what had that name. */
struct trace_writer *make_trace_writer_aside(const char *path, const struct message_header *header, struct diag *diag);
/* In one step it takes the place of what had the name. False and a diag on failure. */
bool trace_writer_appear(struct trace_writer *writer);
/* The header again, for what was not known when the file was made: which machine and clock will record. False where the file cannot be
 * written over (a pipe). */
bool trace_writer_set_header(struct trace_writer *writer, const struct message_header *header);
/* Without trace_writer_finish before it, the file stays as it is: a recording that was cut off. */
void free_trace_writer(struct trace_writer *writer);

/* Each writes one chunk. False when it is not in the file. Strings may be of any length; what does not fit (65535 bytes, all strings of
 * the message together) is cut. */
bool trace_writer_process(struct trace_writer *writer, const struct message_process *process);
bool trace_writer_module(struct trace_writer *writer, const struct message_module *module);
bool trace_writer_thread(struct trace_writer *writer, const struct message_thread *thread);
bool trace_writer_clock(struct trace_writer *writer, const struct message_clock *clock);
bool trace_writer_loss(struct trace_writer *writer, const struct message_loss *loss);
/* When a thread was off the CPU: before the slots that it overlaps. At most TRACE_WRITER_SWITCHES_MAX intervals. */
#define TRACE_WRITER_SWITCHES_MAX 65536u
bool trace_writer_switches(struct trace_writer *writer, const struct message_switches *switches);
/* How samples are taken: before the first of them, and again when more is known. */
bool trace_writer_sampling(struct trace_writer *writer, const struct message_sampling *sampling);
/* Samples of one stream, behind those written before, with the paths that they are at; packed. After a module was mapped or unmapped
 * another chunk has to begin. No more than these, or the chunk counts as refused. */
#define TRACE_WRITER_SAMPLES_MAX 65536u
#define TRACE_WRITER_NODES_MAX 524288u
bool trace_writer_samples(struct trace_writer *writer, const struct message_samples *samples);
/* Counts of one stream, in order of addresses; packed. No more than these, or the chunk counts as refused. */
#define TRACE_WRITER_COUNTS_MAX 524288u
bool trace_writer_counts(struct trace_writer *writer, const struct message_counts *counts);
/* Functions that are not recorded any more, and how often they were called by now. At most TRACE_WRITER_THROTTLED_MAX. */
#define TRACE_WRITER_THROTTLED_MAX 65536u
bool trace_writer_throttle(struct trace_writer *writer, const struct message_throttle *throttle);
/* Calls of one stream that are not among its slots; packed. No more than these, or the chunk counts as refused. */
#define TRACE_WRITER_SUMS_MAX 262144u /* nodes, functions, frames; four times as many buckets */
bool trace_writer_sums(struct trace_writer *writer, const struct message_sums *sums);
/* What functions of a file are called: at the end of the recording, when it is known which ones are in it. As many chunks as it takes. */
bool trace_writer_names(struct trace_writer *writer, const struct message_names *names);
/* What marks with this index say; before the first of them. */
bool trace_writer_text(struct trace_writer *writer, const struct message_text *text);
/* Facts for people, one line each: key without '=', neither with a newline (both are replaced by blanks). */
bool trace_writer_info(struct trace_writer *writer, const struct message_info *facts, uint32_t count);

/* A run of slots of one stream, in the order of the stream. */
struct trace_slots {
	uint32_t stream;
	/* The frames open before the first slot, outermost first. */
	const struct message_frame *frames;
	uint32_t frame_count;
	/* The slots: as many pieces as the caller likes (≤ TRACE_WRITER_PIECES_MAX), whole slots in each, since a ring wraps. The first
	 * slot must be TIME, and a WINDOW in force must follow it: of a run that begins inside a block, these are a piece of their own. */
	const struct bytes *pieces;
	uint32_t piece_count;
	uint64_t first_ticks, last_ticks; /* of the first and last event in it, late stamps lowered; 0 when there is none */
	uint32_t events;                  /* enters and exits */
	struct packer *packer;            /* to make it small with; null: it is written as it is */
};
bool trace_writer_slots(struct trace_writer *writer, const struct trace_slots *slots);
/* Leaves out a sequence number of the stream: events are missing in front of the next chunk, whose checkpoint is to be believed. */
void trace_writer_skip_slots(struct trace_writer *writer, uint32_t stream);

/* From here on chunks are copied, and a thread of their own gives them to the disk; any thread may call the functions above, none waits,
 * and true means that the chunk is on its way. Point 1 holds for what the disk has; a failure is said by trace_writer_finish, or when the
 * writer is freed. False: no such thread could be made, all is as it was. */
bool trace_writer_behind(struct trace_writer *writer);
/* Whether so much is on its way that nothing should be added. False where nothing ever is on its way. */
bool trace_writer_is_full(struct trace_writer *writer);
/* Waits until it is not. */
void trace_writer_wait(struct trace_writer *writer);

/* What is written from here on is the end of the recording, and may use the room that was kept for it. Waits for what is on its way. */
void trace_writer_end_begins(struct trace_writer *writer);
/* The recording ended as it should: waits for what is on its way, writes the seek table and the END chunk. Returns whether everything that
 * was ever given to this writer is in the file. */
bool trace_writer_finish(struct trace_writer *writer);

/* Whether it is a file that could be removed again: no pipe, no device. */
bool trace_writer_is_regular(const struct trace_writer *writer);
/* Of the file so far. */
uint64_t trace_writer_bytes(const struct trace_writer *writer);
/* Of chunks that could not be written. */
uint64_t trace_writer_unwritten_bytes(const struct trace_writer *writer);

#endif
