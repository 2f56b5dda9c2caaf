/* stage: one step on the way of a thread's slots from the ring to the file.
 *
 *     ring → drain → stage → stage → … → chunk of the file
 *
 * A stage drops, counts or keeps calls, and passes on the rest. A stage gets slots, and the open calls of its own output, and
 * depends neither on the other stages nor on the file. The output is the recording of a program that never made the dropped calls,
 * so the options of a recording combine.
 *
 * A recording has a list of stages, and each recorded thread a list of the stages' states, in the same order. A new stage needs a
 * stage_type with some of the operations, a function that makes the stage, and a line in session/recording_stages.c, which has the
 * order. */
#ifndef DWELL_HOST_RECORD_STAGE_STAGE_H
#define DWELL_HOST_RECORD_STAGE_STAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "reader/message.h"
#include "record/drain/follower.h"
#include "record/drain/workers.h"
#include "record/session/session.h"
#include "record/session/mapping_changes.h"
#include "util/diag.h"
#include "writer/trace/dwell.h"

/* Facts about a recording for its stages, before the program starts. Borrowed by the stages. */
struct stage_recording {
	struct session *session;
	struct message_clock first; /* from before the program started */
	const char *output;
	struct diag *diag;
};

/* A recorded thread. */
struct stage_source {
	uint32_t stream, process;
	struct dwell_ring *ring; /* the program's: not trusted */
	const struct mapping_changes *mapping_changes; /* of all processes: when addresses changed to other functions */
	bool is_copy;    /* the thread was forked: calls from the parent process may be open */
	bool from_start; /* no call of its own stack was entered before its data begins */
};

/* The next slots of a thread. A stage replaces the slots by its output (stage_reserve_slots,
 * stage_replace_slots). Without slots, the stage only does work that has become due. */
struct stage_batch {
	const uint64_t *slots;
	uint32_t count;
	bool is_in_order; /* stamps were corrected, as readers do; the drain does this for a type with .in_order */
	bool is_changed;  /* a stage has replaced the slots of the ring */
	bool is_lost;     /* the disk is too slow: the drain counts the stages' output as lost, so a stage must not count it, too */
	bool is_last;     /* the thread has no more slots: a stage passes on the slots it holds */
	uint64_t late_stamps; /* with is_in_order: number of stamps corrected in this thread so far */
	uint64_t now_ns;      /* CLOCK_MONOTONIC; 0: everything is due */
	const struct message_thread *thread; /* with is_last; may be null */
	struct workers_buffers *buffers; /* memory of the calling worker, for output */
	struct trace_writer *writer;
};

/* What did not pass all stages, of one thread. Each stage has figures of its own. */
struct stage_figures {
	uint64_t left_out;       /* recorded calls dropped by the stages */
	uint64_t counted_events; /* of calls that the file has only as sums */
	uint64_t seen_events;    /* events that reached a stage which writes only some of them, at the end */
};

/* The state of a stage for one thread. */
struct stage_thread {
	const struct stage_type *type;
	struct stage_thread *next;
	struct follower *calls; /* open in the stage's input; null: the stage follows no calls */
	struct stage_figures figures;
};

struct stage {
	const struct stage_type *type;
	struct stage *next;
	const struct stage_recording *recording; /* set by stages_begin */
};

/* Zeroed: no stages. */
struct stage_list {
	struct stage *first;
	struct mapping_changes mapping_changes;
	bool uses_switches; /* a stage has the operation add_switches */
};

/* The recording is over, and all drains have finished. */
struct stage_end {
	struct workers *workers;
	struct trace_writer *writer;
	uint32_t next_stream; /* the first free number */
	uint64_t recorded;    /* events not dropped by any stage */
	/* The stages set: */
	uint64_t events;      /* events written by the stages at the end */
	const char *empty_reason;  /* a possible reason for an empty recording; null: none */
};

/* The operations of a stage; any may be null. One thread calls all operations except take. Any thread may call take, one at a time
 * for each stage_thread. */
struct stage_type {
	/* Before the program starts; the stage's .recording is set. False: no memory. */
	bool (*begin)(struct stage *stage);
	/* A file with hooks is mapped in a process, or unmapped. */
	void (*add_module)(struct stage *stage, const struct message_module *module);
	/* In each sweep, before rings are drained. */
	void (*on_sweep)(struct stage *stage, struct trace_writer *writer, uint64_t now_ns);
	/* Writes the kept calls or sums, and adds diags. */
	void (*finish)(struct stage *stage, struct stage_end *end);
	/* Frees the stage's members. stages_free frees the stage itself, from malloc. */
	void (*clear)(struct stage *stage);

	/* Returns the state, from calloc; stages_end_thread frees it. Null: no memory, or too early; record tries again in the next
	 * sweep. A stage without this operation takes no slots. */
	struct stage_thread *(*begin_thread)(struct stage *stage, const struct stage_source *source);
	/* open: the calls that are open in the stage's output so far; null: unknown, since part of the output was lost. */
	void (*take)(struct stage_thread *thread, struct stage_batch *batch, const struct follower *open);
	/* The thread was off the CPU in these intervals. Called before take gets the slots of that time, and while no take runs. */
	void (*add_switches)(struct stage_thread *thread, const struct message_switch *switches, size_t count);
	/* Frees the state's members, except .calls. stages_end_thread frees the state itself. */
	void (*clear_thread)(struct stage_thread *thread);
	bool in_order;  /* the input must have corrected stamps */
	bool has_no_output; /* the stage has no output: the drain need not wait for the disk */
};

/* Appends the stage to the list, which owns it: stages_free clears and frees it. */
void stages_add(struct stage_list *list, struct stage *stage);
void stages_free(struct stage_list *list);
/* stages_begin, stages_sweep and stages_finish call the operation of each stage, in the order of the list. recording is borrowed
 * until stages_free. stages_begin returns false if there is no memory. */
bool stages_begin(struct stage_list *list, const struct stage_recording *recording);
/* Notes the change of code in list->mapping_changes, and calls add_module of each stage. */
void stages_add_module(struct stage_list *list, const struct message_module *module);
void stages_sweep(const struct stage_list *list, struct trace_writer *writer, uint64_t now_ns);
void stages_finish(const struct stage_list *list, struct stage_end *end);

/* Makes the states of a new thread; stages_end_thread frees them. False: no memory, or too early: no state was made, and *threads
 * is null. */
bool stages_begin_thread(const struct stage_list *list, const struct stage_source *source, struct stage_thread **threads);
void stages_end_thread(struct stage_thread *threads);
void stages_add_switches(struct stage_thread *threads, const struct message_switch *switches, size_t count);
/* Adds the figures of all states of a thread to *figures. */
void stages_add_figures(const struct stage_thread *threads, struct stage_figures *figures);

/* Returns memory for count slots of output, apart from the batch's slots. The worker owns the memory. Null: no memory. */
uint64_t *stage_reserve_slots(struct stage_batch *batch, uint64_t count);
/* Ends the output: the first count slots in the memory that stage_reserve_slots returned become the batch's slots. */
void stage_replace_slots(struct stage_batch *batch, uint32_t count);

#endif
