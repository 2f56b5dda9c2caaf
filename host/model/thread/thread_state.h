/* thread_state: what is kept of a thread while its messages come, and its memory. thread.h feeds it. */
#ifndef DWELL_HOST_MODEL_THREAD_THREAD_STATE_H
#define DWELL_HOST_MODEL_THREAD_THREAD_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/pair.h"
#include "model/function/function.h"
#include "model/options.h"
#include "model/profile/profile.h"
#include "model/profile/tree.h"
#include "model/thread/off_state.h"
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
};

/* What a thread keeps of each function. */
struct thread_function {
	uint64_t calls, made, self, self_off, long_pieces, long_ticks; /* since account_settle: as in by_thread.h */
	uint64_t section_total; /* time in outermost calls of it that ended since the section began … */
	uint32_t section;       /* … which was this one */
	bool active;            /* it has a frame on this stack */
};

/* Of those that it came by, or of their neighbours: a program may have as many threads as functions. */
#define THREAD_PAGE PROFILE_PAGE
struct thread_functions {
	struct thread_function **pages; /* of THREAD_PAGE functions each, by id; null: none of them */
	size_t page_count;
};

/* What a thread with several stacks has of the others; see stacks.h. */
struct thread;
/* More than that at a time, and those that waited longest are given up: calls that are open there end. */
#define STACKS_MAX 65536u

/* Zeroed: one stack. */
struct stacks {
	struct thread **list; /* all but the thread's own, by number */
	size_t count, capacity;
	struct thread *current; /* null: its own */
	uint32_t number, next;  /* of the current one, and of the one that runs from the next event with a time of its own on … */
	bool waits;             /* … unless there is none */
	bool begins;            /* a checkpoint was taken in, at begin_ticks, and no time was told since: STACK says which one runs */
	uint64_t begin_ticks;
	uint64_t claimed_ticks; /* before that, which are not the own stack's when another one runs */
	uint64_t suspended_ticks, told_twice_ticks;
	struct thread *given_up; /* its row: what those did that were given up … */
	uint64_t given_up_ticks; /* … and how long they were there */
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
static inline struct thread *thread_get_running(struct thread *thread)
{
	return thread->stacks.current ? thread->stacks.current : thread;
}

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

#endif
