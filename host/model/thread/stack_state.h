/* stack_state: the state of one stack of a thread between messages, and the stack's memory. stack.h feeds the stack. For all files
 * of model/thread. */
#ifndef DWELL_HOST_MODEL_THREAD_STACK_STATE_H
#define DWELL_HOST_MODEL_THREAD_STACK_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/pair.h"
#include "model/function/function.h"
#include "model/options.h"
#include "model/profile/profile.h"
#include "model/profile/tree.h"
#include "model/thread/off_cpu_state.h"
#include "model/thread/values.h"
#include "reader/message.h"

/* The number of frames that all unsuccessful searches together may look at: bounds the work for a hostile trace. */
#define THREAD_SEARCH_ALL (UINT64_C(1) << 24)

/* The high half of a frame's user word is the call's tag: the value from on_enter, or a
 * MODEL_TAG. The low half belongs to account.c. */
#define THREAD_TAG_SHIFT 32

/* The state that all threads of a model share. */
struct thread_context {
	struct model_options options;
	struct functions *functions;
	struct profile *profile;
	struct tree_room room; /* for the nodes of all trees */
	struct diag *diag;
	uint32_t unknown_id;  /* function of calls that no exit has named; FUNCTION_NONE: none so far */
	void *carry_context;  /* for on_carry: the context of the part that model_join adds */
	uint64_t search_left; /* frames that unsuccessful searches may still look at, as in core/pair.c */
	bool starved;         /* memory ran out, and the diag is written */
	bool is_untimed;      /* ticks are no times, they only give the order */
	struct split *split;  /* null: no function's samples are split */
};

/* The counters of one function on one stack. Each call changes them, so they share a cache line. */
struct stack_function {
	uint64_t calls, made, self, self_off; /* since account_settle last moved them; meaning as in by_thread.h */
	uint64_t total, outermost, below; /* of the function's outermost calls that ended in the section … */
	uint32_t section;                 /* … with this number */
	bool active;                      /* a frame of the function is open on this stack */
	uint32_t caller_node : 24;        /* in a tree of pairs: the function's node, maybe stale (pairs_known_caller) */
};
_Static_assert(sizeof(struct stack_function) == 64, "what each call changes is in one line");

/* Counters of the functions met by the stack, in pages. An array of all functions on each stack would be too
 * large: a program may have as many threads as functions. */
#define STACK_PAGE PROFILE_PAGE
struct stack_functions {
	struct stack_function **pages; /* by id, STACK_PAGE functions each; null: no function met */
	size_t page_count;
};

/* One stack: the thread's own, or a coroutine's. */
struct stack {
	struct profile_thread row; /* its totals; on the thread's own stack the thread's row, with numbers, name and flags */
	bool is_copy;              /* the thread began by fork: calls that end here without a begin are calls of the parent */
	bool unsure;               /* records or an unwind were lost since the last checkpoint */
	uint32_t unnamed_open;     /* open calls that account.c entered without a name */
	bool unnamed;              /* frames may be open whose functions only a checkpoint can name */
	bool pushes_pending;          /* frames of unknown functions begin with the next event */
	bool has_site;             /* site is the call site of the next enter */
	uint64_t site;
	uint32_t above;            /* payload of DWELL_LANDED_ABOVE: so many calls of the next LANDED's function end */
	bool landed_may_follow;    /* the event before is an unwind or a LANDED */
	bool misfit;               /* no LANDED since the last unwind named an open call; row.lost_unwinds counts this unwind */
	struct dwell_pair pair;
	struct dwell_frame *frames; /* null: no event yet */
	uint64_t *entered;          /* account_moment() at the entry of each frame; capacity + 1 elements */
	struct stack_functions functions;
	uint32_t section;           /* number of the section: the time since the stack was last empty at a gap (core/pair.h) */
	uint64_t finished;          /* finished calls so far, including calls without an exit, but no pieces … */
	uint64_t section_finished;  /* … their number when the section began … */
	uint64_t section_outermost; /* … and outermost calls since then */
	struct tree tree;           /* of the calls in the section, unless no_tree */
	bool section_inherited;     /* of a part: the section began before the part … */
	bool section_missed;        /* … and a call needed what came before in the section */
	struct off_cpu off_cpu;
	struct values values;       /* of the open calls, with want_values */
	uint32_t number;            /* 0: the thread's own stack */
	bool in_checkpoint;                  /* the checkpoint that stacks.c is taking names the stack */
};

/* Writes the out-of-memory diag, once. Returns false. */
bool thread_out_of_memory(struct thread_context *context);

/* Whether the stack has an event, or a checkpoint with frames. Time before the first of these does not belong to the stack. */
static inline bool stack_has_begun(const struct stack *stack)
{
	return stack->pair.capacity && dwell_pair_has_begun(&stack->pair);
}

/* Null: the stack has no counters for the function. */
static inline struct stack_function *stack_find_function(const struct stack *stack, uint64_t id)
{
	const struct stack_functions *functions = &stack->functions;
	uint64_t page = id / STACK_PAGE;

	return page < functions->page_count && functions->pages[page] ? &functions->pages[page][id % STACK_PAGE] : 0;
}

/* pre: the stack has counters for the function, as after stack_reserve_function. */
static inline struct stack_function *stack_get_function(const struct stack *stack, uint64_t id)
{
	return &stack->functions.pages[id / STACK_PAGE][id % STACK_PAGE];
}

/* Makes room for capacity frames. False: no memory; the frames stay as they were. */
bool stack_grow_frames(struct stack *stack, uint32_t capacity);

/* Makes counters for the function. False: no memory. */
bool stack_reserve_function(struct stack *stack, uint64_t id);
void stack_forget_functions(struct stack *stack);

/* A mark for a frame's .reserved: the place of entry. An exit with the same mark needs no lookup of the function. 0: no mark. */
static inline uint32_t stack_place_mark(uint64_t place)
{
	return place <= UINT32_MAX ? (uint32_t)place | 1u : 0;
}

#endif
