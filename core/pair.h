/* SPDX-License-Identifier: MIT
 *
 * Pairing: which exit belongs to which entry, and what each call took. The only place in dwell that knows.
 *
 * The caller feeds one thread's events in order, with an id for each function (an address, a name pointer, an index: pairing only
 * compares them), and takes finished calls out. All memory is the caller's. Compiled into the target and into the host.
 *
 *     struct dwell_call call;
 *     dwell_pair_enter(&pair, id, ticks);
 *     for (bool more = dwell_pair_exit(&pair, id, ticks, &call); more; more = dwell_pair_pop(&pair, &call))
 *             use(&call);
 *
 * An enter never finishes a call. An exit finishes one, rarely several. What else finishes calls (lost, land, checkpoint, finish)
 * says so: take them with dwell_pair_pop() before the next event. A caller that wants no calls takes them all the same and drops
 * them.
 *
 * What it survives, and how it says so (flags of the finished call):
 *   longjmp, exceptions     frames above the one that goes on are finished at the time of the unwind       DWELL_CALL_UNWOUND
 *   missing exits           an exit of a function further down finishes those above it, too                DWELL_CALL_UNWOUND
 *   missing entries         an exit with no open frame: the call began before the data did. It takes the
 *                           outside time so far for its self time, and the outermost calls for its callees DWELL_CALL_NO_ENTRY
 *   … in a child of fork    (is_copy) it is the parent's call, and counted there                           DWELL_CALL_PIECE
 *   exit that fits nothing  counted in unmatched_exits, else ignored
 *   lost records            the gap is time that nobody is charged for; frames left in it                  DWELL_CALL_GAP
 *                           frames entered in it have DWELL_ID_UNKNOWN until their exit names them         DWELL_CALL_NO_ENTRY
 *   … of unknown content    which frames it closed nobody knows: for the time up to it all were (GAP), and those that were not begin
 *                           anew behind it, when their exits tell. So a call may come in two pieces        DWELL_CALL_PIECE
 *   recording off and on    the time between is outside, wherever it happens. Frames stay open; those above the one that is seen
 *                           to go on afterwards are finished where the recording stopped                   DWELL_CALL_UNWOUND
 *   the recorder held the thread up: that time is recording, no call's own. Frames stay open
 *   stack deeper than the caller's memory: counted, their time is the deepest frame's; nothing overflows
 *   ticks that run backwards: taken as no time at all, and counted
 *   the end of the data     frames still open are finished there                                           DWELL_CALL_OPEN
 *
 * The accounting equation, which dwell_pair_check() verifies and every test asserts:
 *
 *     sum of self over all finished calls + held_ticks + lost_ticks + outside_ticks  =  last_ticks − first_ticks
 *
 * It rests on two invariants of the open frames, outermost first, with "next" = the frame above, or the present for the last one:
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

/* The id of a frame that was entered while records were lost; the exit that finishes it gives it its name. */
#define DWELL_ID_UNKNOWN UINT64_MAX

enum dwell_call_flag {
	DWELL_CALL_UNWOUND = 1u << 0,  /* left without an exit of its own */
	DWELL_CALL_NO_ENTRY = 1u << 1, /* entered before the data, or in a gap: enter_ticks is the earliest possible */
	DWELL_CALL_GAP = 1u << 2,      /* ended in a gap of lost records: exit_ticks is where the gap begins */
	DWELL_CALL_OPEN = 1u << 3,     /* still running where the data ends */
	DWELL_CALL_NO_EXIT = 1u << 4,  /* its exits are not recorded: it is counted, and took nothing that is known */
	DWELL_CALL_PIECE = 1u << 5,    /* time, and no further call: it may be one that was finished already, in a gap of unknown content,
	                                  or is one of the thread that this one is a copy of */
};

/* One open call: 40 bytes. */
struct dwell_frame {
	uint64_t id;
	uint64_t enter_ticks;
	uint64_t child_ticks; /* time in finished callees, in gaps and while recording was off: not this function's own */
	uint64_t user;        /* the caller's, kept and handed back; 0 at first */
	uint32_t flags;       /* enum dwell_call_flag */
	uint32_t reserved;    /* the caller's while it is open: 0 where the pairing made it alone, else he sets it */
};

/* One finished call. total = exit − enter; self = total − child_ticks. */
struct dwell_call {
	uint64_t id;          /* DWELL_ID_UNKNOWN when it was entered in a gap and left without an exit */
	uint64_t enter_ticks;
	uint64_t exit_ticks;
	uint64_t total_ticks;
	uint64_t self_ticks;
	uint64_t user;
	uint32_t depth; /* frames below it: 0 is outermost */
	uint32_t flags; /* 0: complete, else enum dwell_call_flag */
};

/* A gap that says more frames than that is one of unknown content: what it says may be damaged, and takes memory. */
#define DWELL_PAIR_PUSHES_MAX (1u << 16)

/* In dwell_pair.state. */
#define DWELL_PAIR_START (1u << 0)
#define DWELL_PAIR_MISFIT (1u << 6)

/* Functions that are remembered to have been open at gaps of unknown content. */
#define DWELL_PAIR_ENDED_MAX 32u

/* The state of one thread. Initialise with dwell_pair_init; read what is above the line, leave the rest alone. */
struct dwell_pair {
	struct dwell_frame *frames; /* the caller's, capacity of them; [0] is outermost */
	uint32_t capacity;
	uint32_t depth;           /* open frames in memory */
	uint32_t beyond;          /* open frames that did not fit */
	uint32_t deepest;         /* most frames ever open, those that did not fit included */
	uint64_t first_ticks;     /* where the data begins: the first event, or the oldest frame of the checkpoint before it */
	uint64_t last_ticks;      /* of the last event */
	uint64_t self_ticks;      /* handed out as self so far */
	uint64_t lost_ticks;      /* in gaps */
	uint64_t held_ticks;      /* while the recorder held the thread up */
	uint64_t lost_events;     /* said to be lost by the records */
	uint64_t unmatched_exits;
	uint64_t unwound_calls;   /* finished without an exit of their own */
	uint64_t beyond_calls;    /* entered with no room for a frame */
	uint64_t backward_events; /* whose ticks were less than the event's before */
	/* ------------------------------------------------------------------------------------------------------------------- */
	uint32_t state;           /* what bars the short way through enter and exit: enum in pair.c */
	uint32_t reached;         /* most frames ever in memory: the short way does not go deeper, so it need not count */
	uint32_t due;             /* calls that pop has to hand out at due_ticks with due_flags … */
	uint32_t due_flags;
	uint32_t due_last;        /* … and then one more, the one whose exit it was: due_id at last_ticks */
	uint32_t land_flags;
	uint32_t lost_pushes;     /* frames to push where the gap ends */
	uint32_t search_left;     /* frames that searches without result may still look at */
	uint64_t due_ticks;
	uint64_t due_id;
	uint64_t land_ticks;      /* an unwind or gap waits for where it landed; frames above that end here */
	uint64_t wait_lost_ticks; /* time since land_ticks that the frame where it landed must not be charged with */
	uint64_t wait_off_ticks;
	uint64_t wait_held_ticks; /* with without_held: by how much later that frame began */
	uint64_t thread_held_ticks; /* what the thread was held up on all its stacks, when this one ran last */
	uint64_t wait_end_ticks;  /* where the last of it ended */
	uint64_t section_ticks;       /* in outermost calls since section_first_ticks: what an exit without entry has for callees */
	uint64_t section_first_ticks; /* it begins here: first event, or end of the last gap with no frame open */
	uint64_t covered_ticks;       /* not outside: outermost calls without what was off, and gaps between them */
	bool section_inherited;       /* it began before dwell_pair_resume … */
	bool section_missed;          /* after dwell_pair_resume somebody asked for what was before: what was in it, or ended, or doubted */
	bool resumed;                 /* doubted and ended are those of the data since dwell_pair_resume */
	bool is_copy;                 /* of a thread that was forked: set it behind dwell_pair_init; what was open there is open here */
	bool without_held;            /* calls are told to have begun as much later as the recorder held them up, so that their total is
	                                 without that: for who adds up and lists none. Set it behind dwell_pair_init */
	bool doubted;                 /* there was a gap of unknown content, or one that left unknown frames open */
	uint64_t misfit_id;           /* of the call that an unwind went to */
	uint32_t ended_count;         /* DWELL_PAIR_ENDED_MAX + 1: there were more */
	uint64_t ended[DWELL_PAIR_ENDED_MAX]; /* ids of calls that gaps of unknown content have ended, each once */
};

/* pre:  frames has room for capacity frames (capacity ≥ 1) and outlives the state.
 * post: no open frame, all counters 0. */
void dwell_pair_init(struct dwell_pair *pair, struct dwell_frame *frames, uint32_t capacity);

/* Gives other memory, larger or smaller: frames holds a copy of the open ones already, or is the same block made longer. For hosts,
 * where no depth needs to be configured.
 * Context: between events. */
void dwell_pair_grow(struct dwell_pair *pair, struct dwell_frame *frames, uint32_t capacity);

/* Goes on in the middle of a thread's data, where nothing is pending and exactly these calls are open: with their .user, outermost
 * first, in the memory that dwell_pair_init was given. All counters count from here on; the section began at an unknown time. False: that
 * cannot be, since the frames break the invariants.
 * pre:  just initialised. ticks: of the event before. */
bool dwell_pair_resume(struct dwell_pair *pair, uint32_t count, uint64_t ticks);

/* Whether that is where it stands: nothing but the open frames and the last event's time matters for what comes. */
static inline bool dwell_pair_is_settled(const struct dwell_pair *pair)
{
	return !pair->state && !pair->beyond && !pair->due && !pair->due_last && !pair->lost_pushes;
}

/* Adds what a part of the same thread's data did that was resumed where this one stands, or at its beginning, and takes over its
 * frames: pair->frames must hold a copy of them. False, and nothing is changed, when the part asked for what only this one knows. */
bool dwell_pair_join(struct dwell_pair *pair, const struct dwell_pair *part);

/* The first event of another stack of the thread that is at from: the gaps that from is in doubt about hide calls of this one, too. */
static inline void dwell_pair_begin_beside(struct dwell_pair *pair, const struct dwell_pair *from)
{
	pair->doubted |= from->doubted;
}

/* Whether there was an event, or a checkpoint with frames. */
static inline bool dwell_pair_has_begun(const struct dwell_pair *pair)
{
	return !(pair->state & DWELL_PAIR_START);
}

/* Of the flags of a finished call: whether it began before the data, and is not one of the thread that this one is a copy of. */
static inline bool dwell_pair_began_before(const struct dwell_pair *pair, uint32_t flags)
{
	return flags & DWELL_CALL_NO_ENTRY && !(pair->is_copy && flags & DWELL_CALL_PIECE);
}

/* True when the next enter would not fit: the moment to grow. */
static inline bool dwell_pair_full(const struct dwell_pair *pair)
{
	return pair->depth == pair->capacity;
}

/* The long ways: use dwell_pair_enter, dwell_pair_exit, dwell_pair_pop. */
struct dwell_frame *dwell_pair_enter_slowly(struct dwell_pair *pair, uint64_t id, uint64_t ticks);
bool dwell_pair_exit_slowly(struct dwell_pair *pair, uint64_t id, uint64_t ticks, struct dwell_call *call);
bool dwell_pair_pop_slowly(struct dwell_pair *pair, struct dwell_call *call);

/* A function was entered. Returns its frame (valid until the next event; set .user), or null when it did not fit.
 * Context: whoever owns the state; about 10 instructions. */
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

/* Many calls that begin, and end as they should, one behind the other: what of the state changes then, for a loop to hold in registers. The
 * caller sees to it that all he says would go the short way through enter and exit, and that the stack ends between bottom and limit.
 *
 *     struct dwell_pair_row row = dwell_pair_begin_row(&pair);
 *     … dwell_pair_row_enter(&row, …), dwell_pair_row_exit(&row, …)
 *     dwell_pair_end_row(&pair, &row, ticks of the last event) */
struct dwell_pair_row {
	struct dwell_frame *next;   /* behind the innermost frame */
	struct dwell_frame *bottom; /* the outermost frame */
	struct dwell_frame *limit;  /* no frame begins there */
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

/* Returns the frame that is left, which is there until the next enter. */
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

/* The same as a call, for who needs all of it. */
static inline struct dwell_call dwell_pair_row_call(const struct dwell_pair_row *row, const struct dwell_frame *frame, uint64_t ticks)
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

/* A function was left. True when a call finished, which is in *call then; further ones may be due.
 * Context: as dwell_pair_enter; about 20 instructions. */
static inline bool dwell_pair_exit(struct dwell_pair *pair, uint64_t id, uint64_t ticks, struct dwell_call *call)
{
	if (DWELL_RARELY(pair->state || !pair->depth || pair->frames[pair->depth - 1].id != id || ticks < pair->last_ticks))
		return dwell_pair_exit_slowly(pair, id, ticks, call);
	pair->last_ticks = ticks;
	dwell_pair_leave(pair, id, ticks, 0, call);
	return true;
}

/* Takes the next finished call, innermost first. False when none is due. */
static inline bool dwell_pair_pop(struct dwell_pair *pair, struct dwell_call *call)
{
	return DWELL_RARELY(pair->due | pair->due_last) && dwell_pair_pop_slowly(pair, call);
}

/* Whether there is one. */
static inline bool dwell_pair_is_due(const struct dwell_pair *pair)
{
	return pair->due | pair->due_last;
}

/* An unwind (longjmp, caught exception) happened at ticks. Where it landed is told by the next event: an exit of the function that
 * goes on, or dwell_pair_land() before an enter. An enter without it lands nowhere: no frame is finished. */
void dwell_pair_unwind(struct dwell_pair *pair, uint64_t ticks);

/* The thread goes on in the frame at index (0 is outermost): those above are finished where the unwind, the gap or the off began,
 * and are due. Without any of these waiting it does nothing, nor when index is not a frame. */
void dwell_pair_land(struct dwell_pair *pair, uint32_t index);

/* An unwind landed in a call of id (DWELL_ID_UNKNOWN: not known which), and none is open. Call dwell_pair_settle_misfit before the
 * next event, unless another landing is told that fits. Behind a gap that left unknown frames open it ends all open calls, which are
 * due then: the call that goes on is one of those that the gap hides. Elsewhere it returns false and does nothing, since that function
 * may have been left out of the data. When the calls are popped, dwell_pair_begin_landed opens the one that goes on, if it is known;
 * else null. */
void dwell_pair_misfit(struct dwell_pair *pair, uint64_t id);
bool dwell_pair_settle_misfit(struct dwell_pair *pair);
/* An exit of id comes next. Whether it is that of such a call, which is told as dwell_pair_misfit is: an unwind waits, and no frame above
 * those that are not known is of id, behind a gap that left such frames open. Settled like it; the call began where the unwind landed, for
 * all that is known. */
bool dwell_pair_exit_is_misfit(struct dwell_pair *pair, uint64_t id);
struct dwell_frame *dwell_pair_begin_landed(struct dwell_pair *pair);
static inline bool dwell_pair_is_misfit(const struct dwell_pair *pair)
{
	return pair->state & DWELL_PAIR_MISFIT;
}

/* Whether frames may be open that are not known, or not by what function: behind a gap, and in a child of fork. */
bool dwell_pair_is_in_doubt(struct dwell_pair *pair);

/* Whether dwell_pair_land would do something. */
bool dwell_pair_is_landing(const struct dwell_pair *pair);

/* Whether time waits to be charged to the call that goes on, or with none open to nobody: outermost calls so far do not matter then. */
bool dwell_pair_is_waiting(const struct dwell_pair *pair);


/* Where a call site (an address inside of the call) belongs, for callers whose ids are start addresses of functions and who know no
 * extents: the topmost frame of the function that starts nearest before it. UINT32_MAX when none does. A guess, and wrong where the
 * function that holds it has no hooks: for recorders that know no better. */
uint32_t dwell_pair_find_site(const struct dwell_pair *pair, uint64_t site);

/* The open call with this id that has above others with it above itself. UINT32_MAX when there is none, or none was found in the frames
 * that searches may look at. */
uint32_t dwell_pair_find_open(struct dwell_pair *pair, uint64_t id, uint32_t above);

/* Records were lost after the previous event: events of them (0 = unknown number), which closed pops frames and left pushes new
 * ones open. The gap ends with the next event; may be told in several calls, and another may follow it directly. The frames closed are
 * due. pops of DWELL_PAIR_ALL: nobody knows which, so does DWELL_PAIR_PUSHES_MAX < pushes. */
#define DWELL_PAIR_ALL UINT32_MAX
void dwell_pair_lost(struct dwell_pair *pair, uint64_t events, uint32_t pops, uint32_t pushes);

/* The same of a stack that was suspended then: only what is open there is in doubt, and due. */
void dwell_pair_doubt(struct dwell_pair *pair);

/* Moves the present on to ticks, which ends a gap: frames that were entered in it are there then, as DWELL_ID_UNKNOWN, to be given
 * a .user. The next event does that by itself; for callers who need to see it. */
void dwell_pair_arrive(struct dwell_pair *pair, uint64_t ticks);

/* A function was entered whose exits are not recorded: *call is a call of no time, flagged DWELL_CALL_NO_EXIT. It opens no frame: what it
 * takes stays with the function that is open around it. It lands nowhere, and what waits for where it landed goes on waiting. */
void dwell_pair_count(struct dwell_pair *pair, uint64_t id, uint64_t ticks, struct dwell_call *call);

/* Recording stopped at ticks, by request, and went on. */
void dwell_pair_off(struct dwell_pair *pair, uint64_t ticks);
void dwell_pair_on(struct dwell_pair *pair, uint64_t ticks);

/* The recorder held the thread up from ticks on, and let it go on: nothing happened in between. */
void dwell_pair_held(struct dwell_pair *pair, uint64_t ticks);
void dwell_pair_held_end(struct dwell_pair *pair, uint64_t ticks);
/* A stack goes on, behind dwell_pair_on, that was suspended while the thread was on this other one. */
static inline void dwell_pair_hand_over(struct dwell_pair *pair, const struct dwell_pair *from)
{
	uint64_t held_ticks = from->thread_held_ticks - pair->thread_held_ticks;

	pair->thread_held_ticks = from->thread_held_ticks;
	if (!pair->without_held)
		return;
	if (held_ticks > pair->wait_off_ticks) /* it is in what the stack was suspended */
		held_ticks = pair->wait_off_ticks;
	pair->wait_off_ticks -= held_ticks;
	pair->wait_held_ticks += held_ticks;
}

/* All open calls were left where an unwind, a gap or an off that waits began, or with the last event: they are due. */
void dwell_pair_leave_all(struct dwell_pair *pair);

/* So many ticks of what open calls spent so far were not their own, but lost: of the innermost ones first. */
void dwell_pair_disclaim(struct dwell_pair *pair, uint64_t ticks);

/* The open frames are known to be these (outermost first), after a gap of unknown content that ends at ticks. Two steps:
 *   1. dwell_pair_checkpoint(): frames that are in both stay open: same id (an unknown one gets its name), entered before the gap.
 *      Others are due, as if they had ended where the gap begins.
 *   2. When all are popped, dwell_pair_adopt() with the same arguments pushes the new ones and takes what the lowest of them, and the
 *      frame below, know about the time in the gap; what they do not know is lost. Alone, it begins a thread whose earlier data is not
 *      there. Frames from pair->depth (before) on are new: set their .user.
 * frames may be wrong or hostile: times are forced into what the invariants allow. */
void dwell_pair_checkpoint(struct dwell_pair *pair, const struct dwell_frame *frames, uint32_t count);
void dwell_pair_adopt(struct dwell_pair *pair, const struct dwell_frame *frames, uint32_t count, uint64_t ticks);

/* The data ends, with the last event: all open frames are due, flagged DWELL_CALL_OPEN. Those that were entered in a gap which nothing
 * ended never were there. */
void dwell_pair_finish(struct dwell_pair *pair);

/* Time of the thread with no function open, or while recording was off. Valid after dwell_pair_finish and popping. */
static inline uint64_t dwell_pair_outside_ticks(const struct dwell_pair *pair)
{
	return pair->last_ticks - pair->first_ticks - pair->covered_ticks - pair->held_ticks;
}

/* The accounting equation. Valid after dwell_pair_finish and popping. */
static inline bool dwell_pair_check(const struct dwell_pair *pair)
{
	uint64_t outside_ticks = dwell_pair_outside_ticks(pair), elapsed_ticks = pair->last_ticks - pair->first_ticks;

	return outside_ticks <= elapsed_ticks &&
	       pair->self_ticks + pair->held_ticks + pair->lost_ticks + outside_ticks == elapsed_ticks;
}

/* The invariants of the open frames. For tests: costs depth. */
bool dwell_pair_is_valid(const struct dwell_pair *pair);

#endif
