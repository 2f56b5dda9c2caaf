/* stage: one step on the way of a thread's slots from its ring to the file.
 *
 *     ring → drain → stage → stage → … → chunk of the file
 *
 * A stage drops calls, counts them or keeps them, and passes on the rest. It sees slots, and which calls are open behind it. It knows
 * neither the other stages nor the file. Its output is the recording of a program that never made the calls that were left out. So the
 * options of a recording combine.
 *
 * A recording has a list of stages. Each of its threads has a list of their states, in the same order. A new stage needs a stage_type with
 * some of the operations, a function that makes it, and a line in recording.c, which has the order. */
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

/* The next slots of a thread. A stage replaces them by what it passes on (stage_room, stage_put). Without slots, the stage only does what
 * has become due. */
struct stage_run {
	const uint64_t *slots;
	uint32_t count;
	bool is_in_order; /* stamps were corrected as readers do it; the drain does so for a type with .in_order */
	bool is_changed;  /* a stage has replaced the slots of the ring */
	bool is_lost;     /* the disk is too slow: what leaves the last stage is counted as lost, and must not be counted by a stage */
	bool is_last;     /* the thread has no more slots: a stage passes on what it holds */
	uint64_t late_stamps; /* corrected in this thread so far. With is_in_order */
	uint64_t now_ns;      /* 0: everything is due */
	const struct message_thread *thread; /* with is_last; may be null */
	struct workers_desk *desk;
	struct trace_writer *writer;
};

/* A thread's events that did not pass all stages. */
struct stage_figures {
	uint64_t left_out;       /* recorded calls that were dropped */
	uint64_t counted_events; /* of calls that are in the file as sums only */
	uint64_t seen_events;    /* the stage writes some of them at the end */
};

/* The state of a stage for one thread. */
struct stage_thread {
	const struct stage_type *type;
	struct stage_thread *next;
	struct follower *calls; /* open in its input; null: it follows no calls */
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
	uint32_t next_stream; /* the first free number */
	uint64_t recorded;    /* events that were not dropped */
	/* The stages set: */
	uint64_t events;      /* that they have written at the end */
	const char *nothing;  /* a reason why nothing may have been recorded; null: none */
};

/* Any operation may be null. One thread calls them all, but for take: any thread may, one at a time for each stage_thread. */
struct stage_type {
	/* Before the program starts. False: no memory. */
	bool (*begin)(struct stage *stage);
	/* A file with hooks is mapped in a process, or unmapped. */
	void (*add_module)(struct stage *stage, const struct message_module *module);
	/* In each sweep, before rings are drained. */
	void (*look)(struct stage *stage, struct trace_writer *writer, uint64_t now_ns);
	/* Writes what was kept, and adds diags. */
	void (*finish)(struct stage *stage, struct stage_end *end);
	/* Frees what the stage owns. Its own memory, from malloc, is freed by stages_free. */
	void (*clear)(struct stage *stage);

	/* Null: no memory, or too early; the drain tries again. A stage without this operation takes no slots. */
	struct stage_thread *(*begin_thread)(struct stage *stage, const struct stage_source *source);
	/* open: the calls that are open in its output so far; null: not known, as some of it was lost. */
	void (*take)(struct stage_thread *thread, struct stage_run *run, const struct follower *open);
	/* The thread was off the CPU. Before the slots of that time. */
	void (*add_switches)(struct stage_thread *thread, const struct message_switch *switches, size_t count);
	/* Frees what the state owns, but for its own memory and .calls. */
	void (*clear_thread)(struct stage_thread *thread);
	bool in_order;  /* its input must have corrected stamps */
	bool keeps_all; /* it has no output: the drain need not wait for the disk */
};

/* At the end of the list. */
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
