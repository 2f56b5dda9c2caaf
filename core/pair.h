/* SPDX-License-Identifier: MIT
 *
 * Pairing matches each exit with its entry and computes the time of each call. No other code in dwell does this.
 *
 * The caller feeds one thread's events in order, with an id for each function (an address, a name pointer, an index: pairing only
 * compares ids), and takes finished calls out. All memory belongs to the caller. Both the target and the host compile this file.
 *
 *     struct dwell_call call;
 *     dwell_pair_enter(&pair, id, ticks);
 *     for (bool more = dwell_pair_exit(&pair, id, ticks, &call); more; more = dwell_pair_pop(&pair, &call))
 *             use(&call);
 *
 * An enter never finishes a call. An exit finishes one, rarely several. If another function finishes
 * calls (lost, land, checkpoint, finish), its comment mentions that. Take these calls with
 * dwell_pair_pop() before the next event, even if you have no use for them.
 *
 * Terms:
 *   outside     time of the thread with no function open, or while recording was stopped
 *   gap         time of lost records; of unknown content if the lost entries and exits are not counted
 *   landing     the frame in which the thread continues after an unwind, a gap or a stop; a later event shows which
 *   due         finished, but not yet taken with dwell_pair_pop()
 *
 * Events that pairing survives, and the flags of the finished calls:
 *   longjmp, exceptions     the frames above the continuing one end at the time of the unwind              DWELL_CALL_UNWOUND
 *   missing exits           an exit of a function further down also finishes the frames above              DWELL_CALL_UNWOUND
 *   missing entries         an exit with no open frame: the call began before the data did. Its self time
 *                           is the outside time so far, its callees are the outermost calls so far         DWELL_CALL_NO_ENTRY
 *   … in a child of fork    (is_copy) the call belongs to the parent and counts there                      DWELL_CALL_PIECE
 *   exit that fits nothing  counted in unmatched_exits, otherwise ignored
 *   lost records            no call is charged for the gap. Frames left in the gap have                    DWELL_CALL_GAP
 *                           frames entered in the gap have DWELL_ID_UNKNOWN until their exit gives an id   DWELL_CALL_NO_ENTRY
 *   … of unknown content    the gap closed an unknown set of frames: pairing closes all (GAP). A frame that
 *                           was in fact still open begins anew after the gap, when its exit comes: the
 *                           call appears in two pieces                                                     DWELL_CALL_PIECE
 *   recording stopped       the time in between is outside, at any stack depth. Frames stay open. When a later
 *                           event shows the continuing frame, the frames above end where recording stopped DWELL_CALL_UNWOUND
 *   the recorder held the thread up: the time is recording, no call's self time. Frames stay open
 *   stack deeper than the caller's memory: counted; the deepest frame gets the time; nothing overflows
 *   ticks that run backwards: count as no time at all, in backward_events
 *   the end of the data     open frames end there                                                          DWELL_CALL_OPEN
 *
 * The accounting equation, which dwell_pair_check() verifies and every test asserts:
 *
 *     sum of self over all finished calls + held_ticks + lost_ticks + outside_ticks  =  last_ticks − first_ticks
 *
 * The equation rests on two invariants of the open frames, outermost first, with
 * "next" = the frame above, or the present for the last frame:
 *     enter ≤ next enter          and          child ≤ next enter − enter
 */
#ifndef DWELL_CORE_PAIR_H
#define DWELL_CORE_PAIR_H

#include <stdbool.h>
#include <stdint.h>

#if defined(__GNUC__)
#define DWELL_RARELY(condition) __builtin_expect(!!(condition), 0)
#else
#define DWELL_RARELY(condition) (condition)
#endif

/* The id of a frame entered while records were lost. The exit that finishes the frame supplies the id. */
#define DWELL_ID_UNKNOWN UINT64_MAX

enum dwell_call_flag {
	DWELL_CALL_UNWOUND = 1u << 0,  /* left without an exit of its own */
	DWELL_CALL_NO_ENTRY = 1u << 1, /* entered before the data, or in a gap: enter_ticks is the earliest possible */
	DWELL_CALL_GAP = 1u << 2,      /* ended in a gap of lost records: exit_ticks is the beginning of the gap */
	DWELL_CALL_OPEN = 1u << 3,     /* still running where the data ends */
	DWELL_CALL_NO_EXIT = 1u << 4,  /* exits of this function are not recorded: the call counts, the duration is unknown */
	DWELL_CALL_PIECE = 1u << 5,    /* time only, not to be counted as a call: a further piece of a call finished by a gap of
	                                  unknown content, or a call of the thread from which this thread was forked */
};

/* One open call: 40 bytes. */
struct dwell_frame {
	uint64_t id;
	uint64_t enter_ticks;
	uint64_t child_ticks; /* time in finished callees, in gaps and while recording was stopped: not self time */
	uint64_t user;        /* for the caller, returned with the finished call; 0 at first */
	uint32_t flags;       /* enum dwell_call_flag */
	uint32_t reserved;    /* for the caller while the call is open. The pairing sets 0 only in frames of its own making; after
	                         dwell_pair_enter the caller must set the field */
};

/* One finished call. total = exit − enter; self = total − child_ticks. */
struct dwell_call {
	uint64_t id;          /* DWELL_ID_UNKNOWN if the call was entered in a gap and left without an exit */
	uint64_t enter_ticks;
	uint64_t exit_ticks;
	uint64_t total_ticks;
	uint64_t self_ticks;
	uint64_t user;
	uint32_t depth; /* number of open callers: 0 is outermost */
	uint32_t flags; /* 0: complete, else enum dwell_call_flag */
};

/* Most frames that a gap may leave open. A gap with more counts as one of unknown content,
 * because the records may be damaged and each frame takes memory. */
#define DWELL_PAIR_PUSHES_MAX (1u << 16)

/* Bits of dwell_pair.state. */
#define DWELL_PAIR_START (1u << 0)
#define DWELL_PAIR_MISFIT (1u << 6)

/* Number of functions remembered as open at gaps of unknown content. */
#define DWELL_PAIR_ENDED_MAX 32u

/* The state of one thread. Initialise with dwell_pair_init. Read only the fields above the line;
 * below the line, set only fields whose comment requests that. */
struct dwell_pair {
	struct dwell_frame *frames; /* the caller's array of capacity frames; [0] is outermost */
	uint32_t capacity;
	uint32_t depth;           /* open frames in memory */
	uint32_t beyond;          /* open frames that did not fit */
	uint32_t deepest;         /* most frames ever open, including frames without room */
	uint64_t first_ticks;     /* start of the data: the first event, or the oldest frame of the checkpoint before it */
	uint64_t last_ticks;      /* time of the last event */
	uint64_t self_ticks;      /* sum of self time of the finished calls */
	uint64_t lost_ticks;      /* in gaps */
	uint64_t held_ticks;      /* while the thread worked or waited for the recorder */
	uint64_t lost_events;     /* number of lost events, from the LOST records */
	uint64_t unmatched_exits;
	uint64_t unwound_calls;   /* finished without an exit of their own */
	uint64_t beyond_calls;    /* entered with no room for a frame */
	uint64_t backward_events; /* events with fewer ticks than the event before */
	/* ------------------------------------------------------------------------------------------------------------------- */
	uint32_t state;           /* reasons that rule out the fast path through enter and exit: enum in pair_inner.h */
	uint32_t reached;         /* most frames ever in memory: the fast path never goes deeper and so need not count */
	uint32_t due;             /* calls for pop to return with due_ticks and due_flags … */
	uint32_t due_flags;
	uint32_t due_last;        /* … and then one more, the exit's own call: due_id at last_ticks */
	uint32_t land_flags;
	uint32_t lost_pushes;     /* frames to push at the end of the gap */
	uint32_t search_left;     /* frames that searches without a result may still visit */
	uint64_t due_ticks;
	uint64_t due_id;
	uint64_t land_ticks;      /* time of an unwind or gap whose landing frame is still
	                             unknown; the frames above the landing end here */
	uint64_t wait_lost_ticks; /* time since land_ticks that must not be charged to the landing frame */
	uint64_t wait_stopped_ticks;
	uint64_t wait_held_ticks; /* with without_held: how much later the landing frame starts */
	uint64_t thread_held_ticks; /* held-up time of the thread on all stacks, when this stack last ran */
	uint64_t wait_end_ticks;  /* end of the last part of the waiting time */
	uint64_t section_ticks;       /* time in outermost calls since section_first_ticks: the callees of an exit without entry */
	uint64_t section_first_ticks; /* start of the section: the first event, or the end of the last gap with no frame open */
	uint64_t covered_ticks;       /* time inside outermost calls, without stops, and in
	                                 gaps between these calls; the rest is outside */
	bool section_inherited;       /* the section began before dwell_pair_resume … */
	bool section_missed;          /* after dwell_pair_resume the pairing needed a fact from before it:
	                                 content of the section, ended calls or doubt */
	bool resumed;                 /* has_gap and ended cover only the data since dwell_pair_resume */
	bool is_copy;                 /* this thread was forked, and calls open in the parent
	                                 thread are open here; set after dwell_pair_init */
	bool without_held;            /* shift the start of a call by its held-up time, which the call's total then excludes: for
	                                 callers that add calls up and list none. Set after dwell_pair_init */
	bool has_gap;                 /* a gap of unknown content happened, or a gap that left unknown frames open */
	uint64_t misfit_id;           /* id of the call that an unwind landed in */
	uint32_t ended_count;         /* DWELL_PAIR_ENDED_MAX + 1: too many to remember */
	uint64_t ended[DWELL_PAIR_ENDED_MAX]; /* ids of calls that gaps of unknown content have ended, without duplicates */
};

/* pre:  frames has room for capacity frames (capacity ≥ 1) and outlives the state.
 * post: no open frame, all counters 0. */
void dwell_pair_init(struct dwell_pair *pair, struct dwell_frame *frames, uint32_t capacity);

/* Changes to other memory, larger or smaller. frames must already hold a copy of the open frames, or
 * be the old block, resized. Spares hosts a configured depth.
 * Context: between events. */
void dwell_pair_grow(struct dwell_pair *pair, struct dwell_frame *frames, uint32_t capacity);

/* Resumes in the middle of a thread's data, where nothing is pending and exactly count calls are open: outermost first, with
 * their .user, in the memory given to dwell_pair_init. All counters start at 0 here; the section began at an unknown time.
 * Returns false if the frames break the invariants or exceed the capacity.
 * pre:  just initialised. ticks: time of the previous event. */
bool dwell_pair_resume(struct dwell_pair *pair, uint32_t count, uint64_t ticks);

/* Returns whether the state consists of the open frames and the time of the last event only, as dwell_pair_resume needs it. */
static inline bool dwell_pair_is_settled(const struct dwell_pair *pair)
{
	return !pair->state && !pair->beyond && !pair->due && !pair->due_last && !pair->lost_pushes;
}

/* Adds the results of a part of the same thread's data, resumed from this state or at its beginning. Takes
 * over the part's depth: pair->frames must hold a copy of the part's frames. Returns false and changes
 * nothing if the part needed facts from before its beginning. */
bool dwell_pair_join(struct dwell_pair *pair, const struct dwell_pair *part);

/* Prepares the first event of another stack of the thread that runs on from:
 * gaps that left from in doubt hide calls of the new stack, too. */
static inline void dwell_pair_begin_stack(struct dwell_pair *pair, const struct dwell_pair *from)
{
	pair->has_gap |= from->has_gap;
}

/* Returns whether there was an event, or a checkpoint with frames. */
static inline bool dwell_pair_has_begun(const struct dwell_pair *pair)
{
	return !(pair->state & DWELL_PAIR_START);
}

/* Returns whether a finished call with these flags began before the data,
 * except calls of the thread from which this thread was forked. */
static inline bool dwell_pair_began_before(const struct dwell_pair *pair, uint32_t flags)
{
	return flags & DWELL_CALL_NO_ENTRY && !(pair->is_copy && flags & DWELL_CALL_PIECE);
}

/* Returns true if the next enter would not fit: the moment to grow. */
static inline bool dwell_pair_full(const struct dwell_pair *pair)
{
	return pair->depth == pair->capacity;
}

/* The slow paths. Call dwell_pair_enter, dwell_pair_exit and dwell_pair_pop instead. */
struct dwell_frame *dwell_pair_enter_slowly(struct dwell_pair *pair, uint64_t id, uint64_t ticks);
bool dwell_pair_exit_slowly(struct dwell_pair *pair, uint64_t id, uint64_t ticks, struct dwell_call *call);
bool dwell_pair_pop_slowly(struct dwell_pair *pair, struct dwell_call *call);

/* Enters a function. Returns its frame (valid until the next event; set .user), or null when the frame did not fit.
 * Context: the owner of the state; about 10 instructions. */
static inline struct dwell_frame *dwell_pair_enter(struct dwell_pair *pair, uint64_t id, uint64_t ticks)
{
	if (DWELL_RARELY(pair->state || pair->depth >= pair->reached || ticks < pair->last_ticks))
		return dwell_pair_enter_slowly(pair, id, ticks);
	struct dwell_frame *frame = &pair->frames[pair->depth++];
	frame->id = id;
	frame->enter_ticks = pair->last_ticks = ticks;
	frame->child_ticks = 0;
	frame->user = 0;
	frame->flags = 0;
	return frame;
}

/* Internal: finishes the top frame. */
static inline void dwell_pair_leave(struct dwell_pair *pair, uint64_t id, uint64_t ticks, uint32_t flags, struct dwell_call *call)
{
	const struct dwell_frame *frame = &pair->frames[--pair->depth];

	call->id = id;
	call->enter_ticks = frame->enter_ticks;
	call->exit_ticks = ticks;
	call->total_ticks = ticks - frame->enter_ticks;
	call->self_ticks = call->total_ticks - frame->child_ticks;
	call->user = frame->user;
	call->depth = pair->depth;
	call->flags = frame->flags | flags;
	pair->self_ticks += call->self_ticks;
	if (pair->depth) {
		pair->frames[pair->depth - 1].child_ticks += call->total_ticks;
	} else {
		pair->section_ticks += call->total_ticks;
		pair->covered_ticks += call->total_ticks;
	}
}

/* A row: many calls that begin and end regularly, one after the other. The struct holds the changing part of the state, so
 * that a loop can keep the values in registers. The caller must make sure that each event qualifies for the fast path of enter
 * and exit, and that the stack stays between bottom and limit.
 *
 *     struct dwell_pair_row row = dwell_pair_begin_row(&pair);
 *     … dwell_pair_row_enter(&row, …), dwell_pair_row_exit(&row, …)
 *     dwell_pair_end_row(&pair, &row, ticks of the last event) */
struct dwell_pair_row {
	struct dwell_frame *next;   /* one past the innermost frame */
	struct dwell_frame *bottom; /* the outermost frame */
	struct dwell_frame *limit;  /* first address without room for a frame */
	uint64_t self_ticks, outermost_ticks;
};

static inline struct dwell_pair_row dwell_pair_begin_row(const struct dwell_pair *pair)
{
	return (struct dwell_pair_row){pair->frames + pair->depth, pair->frames, pair->frames + pair->reached, 0, 0};
}

static inline struct dwell_frame *dwell_pair_row_enter(struct dwell_pair_row *row, uint64_t id, uint64_t ticks)
{
	struct dwell_frame *frame = row->next++;

	frame->id = id;
	frame->enter_ticks = ticks;
	frame->child_ticks = 0;
	frame->user = 0;
	frame->flags = 0;
	return frame;
}

/* Leaves the innermost call. Returns the frame, which stays valid until the next enter. */
static inline const struct dwell_frame *dwell_pair_row_exit(
	struct dwell_pair_row *row, uint64_t ticks, uint64_t *total_ticks, uint64_t *self_ticks)
{
	const struct dwell_frame *frame = --row->next;

	*total_ticks = ticks - frame->enter_ticks;
	*self_ticks = *total_ticks - frame->child_ticks;
	row->self_ticks += *self_ticks;
	if (frame > row->bottom)
		row->next[-1].child_ticks += *total_ticks;
	else
		row->outermost_ticks += *total_ticks;
	return frame;
}

/* Returns the left frame as a complete call. */
static inline struct dwell_call dwell_pair_row_call(
	const struct dwell_pair_row *row, const struct dwell_frame *frame, uint64_t ticks)
{
	uint64_t total_ticks = ticks - frame->enter_ticks;

	return (struct dwell_call){frame->id, frame->enter_ticks, ticks, total_ticks, total_ticks - frame->child_ticks, frame->user,
		(uint32_t)(frame - row->bottom), frame->flags};
}

static inline void dwell_pair_end_row(struct dwell_pair *pair, const struct dwell_pair_row *row, uint64_t ticks)
{
	pair->depth = (uint32_t)(row->next - row->bottom);
	pair->last_ticks = ticks;
	pair->self_ticks += row->self_ticks;
	pair->section_ticks += row->outermost_ticks;
	pair->covered_ticks += row->outermost_ticks;
}

/* Leaves a function. Returns true if a call finished and fills *call; further calls may be due.
 * Context: as dwell_pair_enter; about 20 instructions. */
static inline bool dwell_pair_exit(struct dwell_pair *pair, uint64_t id, uint64_t ticks, struct dwell_call *call)
{
	if (DWELL_RARELY(pair->state || !pair->depth || pair->frames[pair->depth - 1].id != id || ticks < pair->last_ticks))
		return dwell_pair_exit_slowly(pair, id, ticks, call);
	pair->last_ticks = ticks;
	dwell_pair_leave(pair, id, ticks, 0, call);
	return true;
}

/* Takes the next finished call, innermost first. Returns false when none is due. */
static inline bool dwell_pair_pop(struct dwell_pair *pair, struct dwell_call *call)
{
	return DWELL_RARELY(pair->due | pair->due_last) && dwell_pair_pop_slowly(pair, call);
}

/* Returns whether a finished call is due. */
static inline bool dwell_pair_is_due(const struct dwell_pair *pair)
{
	return pair->due | pair->due_last;
}

/* An unwind (longjmp, caught exception) happened at ticks. The next event shows where the unwind landed: an exit of the function
 * that continues, or dwell_pair_land() before an enter. An enter without dwell_pair_land() finishes no frame. */
void dwell_pair_unwind(struct dwell_pair *pair, uint64_t ticks);

/* The thread continues in the frame at index (0 is outermost). The frames above it end where the unwind, the gap or the stop began,
 * and are due. Does nothing if no unwind, gap or stop is pending, or if index is not a frame. */
void dwell_pair_land(struct dwell_pair *pair, uint32_t index);

/* An unwind landed in a call of id (DWELL_ID_UNKNOWN: of an unknown function), and no open call has this id. Call
 * dwell_pair_settle_misfit before the next event, unless a fitting landing follows. After a gap that left unknown frames open,
 * dwell_pair_settle_misfit ends all open calls, which are due then: the gap hides the continuing call. Otherwise
 * dwell_pair_settle_misfit returns false and does nothing, since the data may exclude the function. After popping the calls, call
 * dwell_pair_begin_landed: it opens the continuing call, or returns null if that call is unknown. */
void dwell_pair_misfit(struct dwell_pair *pair, uint64_t id);
bool dwell_pair_settle_misfit(struct dwell_pair *pair);
/* Call before an exit of id. Returns true, and acts like dwell_pair_misfit with an unknown id, if the exit belongs to a call
 * without an open frame: an unwind is pending, a gap left unknown frames open, and no frame above the unknown ones has this id.
 * Settle it as above; the call then begins where the unwind landed, the earliest possible time. */
bool dwell_pair_exit_is_misfit(struct dwell_pair *pair, uint64_t id);
struct dwell_frame *dwell_pair_begin_landed(struct dwell_pair *pair);
static inline bool dwell_pair_is_misfit(const struct dwell_pair *pair)
{
	return pair->state & DWELL_PAIR_MISFIT;
}

/* Returns whether unknown frames, or frames of unknown functions, may be open: after a gap, and in a child of fork. */
bool dwell_pair_has_gap(struct dwell_pair *pair);

/* Returns whether dwell_pair_land would have an effect. */
bool dwell_pair_is_landing(const struct dwell_pair *pair);

/* Return whether recording is stopped, or the records from the last event on are lost;
 * and whether the recorder holds the thread up. */
bool dwell_pair_is_interrupted(const struct dwell_pair *pair);
bool dwell_pair_is_held(const struct dwell_pair *pair);

/* Returns whether time is waiting to be charged to the continuing call. With no call open, the time is charged to
 * none, and the outermost calls so far then no longer matter. */
bool dwell_pair_is_waiting(const struct dwell_pair *pair);


/* Returns the probable frame of a call site (an address inside of the call): the topmost frame of the function that starts nearest
 * before the site; UINT32_MAX: none. For callers whose ids are start addresses of functions, without extents. The result is a
 * guess, and wrong if the site's function has no hooks: for recorders without better means. */
uint32_t dwell_pair_find_site(const struct dwell_pair *pair, uint64_t site);

/* Returns the index of the open call with this id below exactly `above` further open calls of the same
 * id. UINT32_MAX: none, or none within the reach of searches. */
uint32_t dwell_pair_find_open(struct dwell_pair *pair, uint64_t id, uint32_t above);

/* Records were lost after the previous event: events records (0 = unknown number), which closed pops frames and
 * left pushes new frames open. The gap ends with the next event. Several calls may describe one gap, and gaps may
 * follow each other directly. The closed frames are due. pops = DWELL_PAIR_ALL, or pushes >
 * DWELL_PAIR_PUSHES_MAX: a gap of unknown content, which closes all frames. */
#define DWELL_PAIR_ALL UINT32_MAX
void dwell_pair_lost(struct dwell_pair *pair, uint64_t events, uint32_t pops, uint32_t pushes);

/* As dwell_pair_lost, for a stack suspended at the time of a gap: only its open frames are in doubt, and due. */
void dwell_pair_end_in_gap(struct dwell_pair *pair);

/* Advances the present to ticks, which ends a gap: the frames entered in the gap then exist as DWELL_ID_UNKNOWN, and the caller can
 * set their .user. The next event does this implicitly; call this function to get the frames earlier. */
void dwell_pair_advance(struct dwell_pair *pair, uint64_t ticks);

/* Enters a function whose exits are not recorded: *call is a call without duration, flagged
 * DWELL_CALL_NO_EXIT. No frame opens: the time of the function stays with the open function around it. The
 * event settles no landing: an unwind, gap or stop stays pending. */
void dwell_pair_count(struct dwell_pair *pair, uint64_t id, uint64_t ticks, struct dwell_call *call);

/* Recording stopped at ticks by request, and resumed. */
void dwell_pair_stop(struct dwell_pair *pair, uint64_t ticks);
void dwell_pair_continue(struct dwell_pair *pair, uint64_t ticks);

/* From held to held_end, the thread worked or waited for the recorder; nothing of the program happened in between. */
void dwell_pair_held(struct dwell_pair *pair, uint64_t ticks);
void dwell_pair_held_end(struct dwell_pair *pair, uint64_t ticks);
/* Resumes a suspended stack, after dwell_pair_continue; the thread comes from the stack `from`. With without_held, the time that
 * the thread was held up meanwhile becomes waiting held time instead of stopped time. */
static inline void dwell_pair_switch_stack(struct dwell_pair *pair, const struct dwell_pair *from)
{
	uint64_t held_ticks = from->thread_held_ticks - pair->thread_held_ticks;

	pair->thread_held_ticks = from->thread_held_ticks;
	if (!pair->without_held)
		return;
	if (held_ticks > pair->wait_stopped_ticks) /* the held time is part of the suspension, so not longer */
		held_ticks = pair->wait_stopped_ticks;
	pair->wait_stopped_ticks -= held_ticks;
	pair->wait_held_ticks += held_ticks;
}

/* Ends all open calls where a pending unwind, gap or stop began, or with the last event. The calls are due. */
void dwell_pair_leave_all(struct dwell_pair *pair);

/* Moves ticks of the open calls' self time so far to lost time, innermost calls first. */
void dwell_pair_move_to_lost(struct dwell_pair *pair, uint64_t ticks);

/* A checkpoint gives the open frames (outermost first) after a gap of unknown content that ends at ticks. Two steps:
 *   1. dwell_pair_checkpoint(): a frame stays open if both stacks contain it, with the same id (an unknown frame gets an id), and
 *      entered before the gap. All other frames are due, with the beginning of the gap as their end.
 *   2. When all are popped, dwell_pair_adopt() with the same arguments pushes the new frames. In the new frames and the frame
 *      below them, child_ticks includes the callees' part of the gap, which counts as lost. Used alone, dwell_pair_adopt() begins
 *      a thread without its earlier data. Frames from pair->depth (before the call) on are new: set their .user.
 * frames may be wrong or hostile: both functions force the times into the invariants. */
void dwell_pair_checkpoint(struct dwell_pair *pair, const struct dwell_frame *frames, uint32_t count);
void dwell_pair_adopt(struct dwell_pair *pair, const struct dwell_frame *frames, uint32_t count, uint64_t ticks);

/* Ends the data with the last event: all open frames are due, flagged DWELL_CALL_OPEN.
 * Frames entered in a gap that no later event ended are dropped. */
void dwell_pair_finish(struct dwell_pair *pair);

/* Returns the thread's time with no function open, or while recording was stopped. Valid after dwell_pair_finish and popping. */
static inline uint64_t dwell_pair_outside_ticks(const struct dwell_pair *pair)
{
	return pair->last_ticks - pair->first_ticks - pair->covered_ticks - pair->held_ticks;
}

/* Returns whether the accounting equation holds. Valid after dwell_pair_finish and popping. */
static inline bool dwell_pair_check(const struct dwell_pair *pair)
{
	uint64_t outside_ticks = dwell_pair_outside_ticks(pair), elapsed_ticks = pair->last_ticks - pair->first_ticks;

	return outside_ticks <= elapsed_ticks &&
	       pair->self_ticks + pair->held_ticks + pair->lost_ticks + outside_ticks == elapsed_ticks;
}

/* Returns whether the open frames satisfy the invariants. For tests: takes time proportional to depth. */
bool dwell_pair_is_valid(const struct dwell_pair *pair);

#endif
