/* thread: one stream's pairing, and its part of the profile. For model.c. */
#ifndef DWELL_HOST_MODEL_THREAD_THREAD_H
#define DWELL_HOST_MODEL_THREAD_THREAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/pair.h"
#include "model/function/function.h"
#include "model/options.h"
#include "model/profile/profile.h"
#include "model/profile/tree.h"
#include "model/thread/off.h"
#include "model/thread/stacks.h"
#include "model/thread/values.h"
#include "reader/message.h"

/* Between two events: long, for recording, are 400 ns, or where the clock's rate is not known, so many ticks. */
#define THREAD_LONG_HZ 2500000
#define THREAD_LONG_TICKS 1024

/* As in core/pair.c, for what a hostile trace could ask for again and again. */
#define THREAD_SEARCH_ALL (UINT64_C(1) << 24)

/* The high half of the user word of a frame is the tag of whoever takes the calls; the low half is account.c's. */
#define THREAD_TAG_SHIFT 32

/* What all threads of a model share. */
struct thread_context {
	struct model_options options;
	struct functions *functions;
	struct profile *profile;
	struct diag *diag;
	uint32_t unknown_id;  /* the function of calls that no exit gave a name; FUNCTION_NONE: none so far */
	void *carry_context;  /* of the part that is being joined */
	uint64_t search_left; /* frames that searches without result may still look at, as in core/pair.c */
	bool starved;         /* there was no memory, and it was said */
	uint64_t long_ticks;  /* between two events: many times what recording costs */
	bool is_untimed;      /* ticks tell the order alone */
	struct split *split;  /* null: nobody asks for it */
	struct inlines *inlines; /* likewise */
};

/* What a thread keeps of each function. */
struct thread_function {
	uint64_t calls, made, self, self_off, long_pieces, long_ticks; /* since account_settle: as in by_thread.h */
	uint64_t section_total; /* time in outermost calls of it that ended since the section began … */
	uint32_t section;       /* … which was this one */
	bool active;            /* it has a frame on this stack */
};

/* Of those that it came by, or of their neighbours: a program may have as many threads as functions. */
#define THREAD_PAGE 64u
struct thread_functions {
	struct thread_function **pages; /* of THREAD_PAGE functions each, by id; null: none of them */
	size_t page_count;
};

struct thread {
	struct profile_thread row; /* what is known before the end: numbers, name, flags */
	bool selected;
	bool is_copy;              /* its process was forked: calls that end and did not begin are its parent's */
	bool unsure;               /* lost records or a lost unwind since the last checkpoint */
	uint32_t unnamed_open;     /* open calls that account.c was told of without a name */
	bool unnamed;              /* frames may be open that a checkpoint knows the names of */
	bool pushes_wait;          /* frames of unknown functions appear with the next event */
	bool has_site;             /* the call site of the enter that follows */
	uint64_t site;
	uint32_t above;            /* of a LANDED: so many open calls of the function that the next one names are left as well */
	bool landed_may_follow;    /* the event before is an unwind, or says where it landed */
	bool misfit;               /* those behind the last unwind named no open call so far; it is counted in row.lost_unwinds */
	enum dwell_place_kind place_kind;
	struct dwell_pair pair;
	struct dwell_frame *frames; /* null: no event yet */
	struct thread_functions functions;
	uint32_t section;           /* number of it: the time since its stack was last empty at a gap */
	struct tree tree;           /* of the calls in the section */
	bool by_rows;               /* each call is counted in the row of its function. Else the rows follow from the tree: account.h */
	bool section_inherited;     /* of a part: the section began before it … */
	bool section_missed;        /* … and what was in it was asked for */
	bool begins_plainly;        /* of a part: with an enter or exit, not before the time that its checkpoint says */
	struct off off;
	struct values values;       /* of the open calls, where they are wanted */
	struct estimate_run run;    /* of its samples */
	struct stacks stacks;       /* its other stacks */
	uint32_t stack_number;      /* of such a one */
	bool is_stack;
	bool told;                  /* in the checkpoint that is being taken in */
};

/* Says once that there is no memory. Always false. */
bool thread_starve(struct thread_context *context);

/* Null when there is no memory. */
struct thread *make_thread(uint32_t stream);
void free_thread(struct thread *thread);

/* Whether it has any events, or a checkpoint with frames: before that no time is anybody's. */
static inline bool thread_has_begun(const struct thread *thread)
{
	return thread->pair.capacity && dwell_pair_has_begun(&thread->pair);
}

/* The stack that runs: what is told of the thread meanwhile is told of that. */
struct thread *thread_get_running(struct thread *thread);
void thread_feed_events(struct thread *thread, struct thread_context *context, const struct message_events *message);
/* Takes of the run what is a call that begins, or ends as it should, as long as nobody but the profile wants to know. */
void thread_take_run(struct thread *thread, struct thread_context *context, const struct message_run *message);
void thread_feed_checkpoint(struct thread *thread, struct thread_context *context, const struct message_checkpoint *message);
/* The data ends. Adds the row and the tree to the profile. */
void thread_finish(struct thread *thread, struct thread_context *context);
/* Gives back what can be made again, when no frame is open: for threads that ended. */
void thread_shrink(struct thread *thread, struct thread_context *context);

/* Null: nothing is kept of it. */
static inline struct thread_function *thread_find_function(const struct thread *thread, uint64_t id)
{
	const struct thread_functions *functions = &thread->functions;
	uint64_t page = id / THREAD_PAGE;

	return page < functions->page_count && functions->pages[page] ? &functions->pages[page][id % THREAD_PAGE] : 0;
}

/* pre: something is. */
static inline struct thread_function *thread_get_function(const struct thread *thread, uint64_t id)
{
	return &thread->functions.pages[id / THREAD_PAGE][id % THREAD_PAGE];
}

/* Makes it so. False when there is no memory. */
bool thread_reserve_function(struct thread *thread, uint64_t id);
void thread_forget_functions(struct thread *thread);

/* What a frame remembers (.reserved) of the place where it was entered, so that an exit from there need not ask which function that is. */
static inline uint32_t thread_place_mark(uint64_t place)
{
	return place <= UINT32_MAX ? (uint32_t)place | 1u : 0;
}

/* ---- for entries.c and landing.c ---- */

/* Takes the calls that are over. */
void thread_take_due(struct thread *thread, struct thread_context *context);
/* Frames appeared, from index on. */
void thread_note_enters(struct thread *thread, struct thread_context *context, uint32_t index);
/* Room for frames more. Where there is none, pairing counts. */
void thread_reserve_frames(struct thread *thread, uint32_t frames);

/* ---- one stack of it, for stacks.c: the above in terms of these ---- */

/* Feeds the events up to the first STACK, or one that puts all stacks in doubt, that one included. Returns how many; all when there
 * is no memory. */
uint32_t thread_feed_run(struct thread *thread, struct thread_context *context, const struct message_events *message);
/* Whether the event says when it was, and is not one that waits for the next. */
bool thread_event_has_time(const struct event *event);
bool thread_wants_checkpoint(const struct thread *thread);
/* earliest_ticks: no call was entered before. */
void thread_take_checkpoint(struct thread *thread, struct thread_context *context, const struct message_checkpoint *message,
	uint64_t earliest_ticks);
/* Behind it nobody knows what is open, on any stack. */
static inline bool thread_event_is_doubt(const struct event *event)
{
	return event->kind == EVENT_LOST_POPS && event->value == DWELL_PAIR_ALL;
}
/* So it is: for the stacks that were suspended. */
void thread_doubt(struct thread *thread, struct thread_context *context);
/* Calls that are open were left when the thread was suspended, or now. */
void thread_leave_all(struct thread *thread, struct thread_context *context);
void thread_finish_own(struct thread *thread, struct thread_context *context);
struct call thread_get_open(const struct thread *thread, const struct thread_context *context, uint32_t index);
void thread_tag_open(struct thread *thread, uint32_t index, uint32_t tag);

/* ---- parts: see part.h ---- */

/* Begins in the middle, where the checkpoint says; to be forgotten when that is false, since nobody can tell from it alone. */
bool thread_resume(struct thread *thread, struct thread_context *context, const struct message_checkpoint *message);
/* Whether nothing but its open frames matters for what comes, which are those with which the part was resumed: open[0 … count). */
bool thread_stands_at(
	const struct thread *thread, const struct thread *part, const struct dwell_frame *open, uint32_t count, uint64_t ticks);
/* Adds what the part did, and takes over where it stands. False: not exactly as if there had been one thread; then it is spoilt. */
bool thread_join(struct thread *thread, struct thread_context *context, struct thread *part);
/* Empty again, as made, with what memory it has. */
void thread_reset(struct thread *thread);
/* Ids have changed: map[old] is the new one. False when there is no memory. */
bool thread_renumber(struct thread *thread, const uint32_t *map, size_t count);

#endif
