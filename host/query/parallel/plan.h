/* plan: how a trace is cut into segments for several threads. For parallel.c.
 *
 * A segment is a few consecutive chunks of one stream. All declarations of the file are fed to the model before the events. So a
 * plan exists only if the positions of the declarations in the file do not matter. */
#ifndef DWELL_HOST_QUERY_PARALLEL_PLAN_H
#define DWELL_HOST_QUERY_PARALLEL_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "model/model.h"
#include "reader/reader.h"

#define PLAN_NONE UINT32_MAX

struct segment {
	uint32_t thread;      /* index in the model */
	uint32_t first, last; /* numbers of chunks */
	bool is_first, is_last; /* of its stream */
};

/* A thread of the model, according to the declarations, and how far its chunks are cut. */
struct declared_thread {
	uint64_t declared_offset, ended_offset; /* of the messages that declare the thread and its end; UINT64_MAX: none */
	uint32_t process;
	uint32_t segment; /* the thread's last segment so far; PLAN_NONE: none yet */
	uint32_t chunks;  /* number of chunks in that segment */
	uint32_t first;   /* the thread's first chunk; PLAN_NONE: none yet */
	uint32_t late, last_late; /* the thread's first and last index in late_list, plus 1; 0: none */
};

/* A message with times off the CPU or page faults of a thread, kept until the thread's events are over. */
struct late {
	struct message message; /* owns its array */
	uint32_t next; /* the thread's next index in late_list, plus 1; 0: none */
};

/* Zeroed: empty. */
struct plan {
	struct segment *segments;
	uint32_t segment_count;
	size_t segment_capacity;
	uint32_t *next_chunk; /* index: chunk; the next chunk of the same segment; PLAN_NONE: none */
	struct declared_thread *declared_thread;  /* index: thread in the model */
	uint32_t declared_thread_count;
	size_t declared_thread_capacity;
	struct late *late_list;
	uint32_t late_list_count;
	size_t late_list_capacity;
	struct model_thread *threads; /* copies made before parts are joined, since joining changes the model's own */
};

/* Feeds all declarations to the model. Call it between reader_survey and reader_begin_decoding. False: the meaning of a declaration
 * depends on its position in the file, or memory ran out. */
bool plan_declare(struct plan *plan, struct reader *reader, struct model *model);
/* Call it next: cuts the chunks into segments of at most segment_chunks; 0: chosen by the number of workers. False as above. */
bool plan_cut(struct plan *plan, const struct reader *reader, const struct model *model, uint32_t workers, uint32_t segment_chunks);
/* Feeds the kept messages of a thread to the model. Call it after the thread's last event; a second call does nothing. */
void plan_feed_late(struct plan *plan, struct model *model, uint32_t thread);
void plan_clear(struct plan *plan);

#endif
