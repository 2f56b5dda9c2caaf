/* stage: a step that recorded calls take on the way from a thread's ring to the file.
 *
 *     ring → drain → stage → stage → … → chunk of the file
 *
 * A stage drops calls, counts or keeps them, and passes on the rest. It sees slots, and the calls that are open behind it. It knows
 * neither its neighbours nor the file. What it passes on is the recording of a program that never called what was left out: so options
 * combine.
 *
 * A recording has a list of stages, and each of its threads a list of what they know of it, in the same order. To add one: a stage_type
 * with the operations that it needs, a function that makes it, and a line in recording.c, where the order is. */
#ifndef DWELL_HOST_RECORD_STAGE_STAGE_H
#define DWELL_HOST_RECORD_STAGE_STAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "reader/message.h"
#include "record/drain/follower.h"
#include "record/drain/workers.h"
#include "record/session/session.h"
#include "record/session/turnover.h"
#include "util/diag.h"
#include "writer/trace/dwell.h"

/* What a recording tells its stages before the program starts. They borrow it. */
struct stage_recording {
	struct session *session;
	struct message_clock first; /* from before the program started */
	const char *output;
	struct diag *diag;
};

/* A thread that is recorded. */
struct stage_source {
	uint32_t stream, process;
	struct dwell_ring *ring; /* the program's: not trusted */
	const struct turnover *turnover; /* of its process and others: when addresses became other functions' */
	bool is_copy;    /* it was forked: calls may be open that its parent entered */
	bool from_start; /* no call of its own stack was entered before its data begins */
};

/* Slots on their way. A stage puts what it passes on in their place (stage_room, stage_put). */
struct stage_run {
	const uint64_t *slots; /* one run behind the other; there may be none: then it is time to look what waits */
	uint32_t count;
	bool is_in_order; /* all stamps are as the reader puts them; .in_order of a type sees to it */
	bool is_changed;  /* these are not the slots of the ring as they were */
	bool is_lost;     /* what the last stage passes on is not written, as the disk is too slow: nothing of it may be counted */
	bool is_last;     /* nothing follows: what a stage holds is passed on now */
	uint64_t late_stamps; /* that were put right in this thread, ever. With is_in_order */
	uint64_t now_ns;      /* 0: what is written now and then is written in any case */
	const struct message_thread *thread; /* with is_last; may be null */
	struct workers_desk *desk;
	struct trace_writer *writer;
};

/* What became of a thread's events and is not seen behind the last stage. */
struct stage_figures {
	uint64_t left_out;       /* calls that were recorded and dropped */
	uint64_t counted_events; /* of calls that are in the file as sums alone */
	uint64_t seen_events;    /* some of which are written at the end */
};

/* What a stage knows of one thread. */
struct stage_thread {
	const struct stage_type *type;
	struct stage_thread *next;
	struct follower *calls; /* the calls that are open in what it was given; null: it follows none */
	struct stage_figures figures;
};

struct stage {
	const struct stage_type *type;
	struct stage *next;
	const struct stage_recording *recording; /* since it has begun */
};

/* Zeroed: none. */
struct stage_list {
	struct stage *first;
	struct turnover turnover;
	bool wants_switches; /* any has an operation for them */
};

/* The recording is over, and nobody drains any more. */
struct stage_end {
	struct workers *workers;
	struct trace_writer *writer;
	uint32_t next_stream; /* that is free */
	uint64_t recorded;    /* events that reached the stages, and were not dropped */
	/* Out: */
	uint64_t events;      /* that stages have written themselves */
	const char *nothing;  /* if nothing was recorded: why that may be; null: no stage knows */
};

/* Each may be null. By one thread at a time, but for take. */
struct stage_type {
	/* Before the program starts. False: no memory. */
	bool (*begin)(struct stage *stage);
	/* A file with hooks is mapped in a process, or unmapped. */
	void (*add_module)(struct stage *stage, const struct message_module *module);
	/* In each sweep, before rings are drained. */
	void (*look)(struct stage *stage, struct trace_writer *writer, uint64_t now_ns);
	/* Writes what was kept, and says what the user should know. */
	void (*finish)(struct stage *stage, struct stage_end *end);
	/* Frees what it has beside its own memory, which is of malloc. */
	void (*clear)(struct stage *stage);

	/* A thread. Null: no memory, or too early; tried again. A stage without it is not asked. */
	struct stage_thread *(*begin_thread)(struct stage *stage, const struct stage_source *source);
	/* open: the calls that are open in what it has passed on; null: nobody knows, as some of that is lost. */
	void (*take)(struct stage_thread *thread, struct stage_run *run, const struct follower *open);
	/* Its thread was off the CPU, before the slots of that time. */
	void (*add_switches)(struct stage_thread *thread, const struct message_switch *switches, size_t count);
	/* Frees what it has beside its own memory and .calls. */
	void (*clear_thread)(struct stage_thread *thread);
	bool in_order;  /* it takes slots with the stamps put right */
	bool keeps_all; /* it passes nothing on: no disk is waited for */
};

/* Behind the others. */
void stages_add(struct stage_list *list, struct stage *stage);
void stages_free(struct stage_list *list);
bool stages_begin(struct stage_list *list, const struct stage_recording *recording);
void stages_add_module(struct stage_list *list, const struct message_module *module);
void stages_look(const struct stage_list *list, struct trace_writer *writer, uint64_t now_ns);
void stages_finish(const struct stage_list *list, struct stage_end *end);

/* False: no thread was begun, *threads is null. */
bool stages_begin_thread(const struct stage_list *list, const struct stage_source *source, struct stage_thread **threads);
void stages_end_thread(struct stage_thread *threads);
void stages_add_switches(struct stage_thread *threads, const struct message_switch *switches, size_t count);
void stages_add_figures(const struct stage_thread *threads, struct stage_figures *figures);

/* Room on the desk for so many slots, which is not where those of the run are. Null: no memory. */
uint64_t *stage_room(struct stage_run *run, uint64_t count);
/* The first count slots there take the place of the run's. */
void stage_put(struct stage_run *run, uint32_t count);

#endif
