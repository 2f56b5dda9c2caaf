/* SPDX-License-Identifier: MIT
 *
 * Pairing: entries, exits, unwinds and gaps of one thread (pair.h). pair_part.c splits and joins the data of a thread.
 */
#include "core/pair_inner.h"

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static uint64_t most(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

void dwell_pair_init(struct dwell_pair *pair, struct dwell_frame *frames, uint32_t capacity)
{
	/* Field by field: compilers turn the assignment of a whole struct into a call of memset, which a bare machine lacks. */
	pair->frames = frames;
	pair->capacity = capacity;
	pair->depth = pair->beyond = pair->deepest = pair->reached = 0;
	pair->first_ticks = pair->last_ticks = 0;
	pair->self_ticks = pair->lost_ticks = pair->held_ticks = pair->covered_ticks = 0;
	pair->section_ticks = pair->section_first_ticks = pair->thread_held_ticks = 0;
	pair->lost_events = pair->unmatched_exits = pair->unwound_calls = pair->beyond_calls = pair->backward_events = 0;
	pair->due = pair->due_flags = pair->due_last = pair->land_flags = pair->lost_pushes = 0;
	pair->due_ticks = pair->due_id = pair->land_ticks = 0;
	pair->misfit_id = DWELL_ID_UNKNOWN;
	pair->wait_lost_ticks = pair->wait_stopped_ticks = pair->wait_held_ticks = pair->wait_end_ticks = 0;
	pair->search_left = SEARCH_ALL;
	pair->section_inherited = pair->section_missed = pair->resumed = pair->has_gap = pair->is_copy = pair->without_held = false;
	pair->ended_count = 0;
	pair->state = STATE_START;
}

void dwell_pair_grow(struct dwell_pair *pair, struct dwell_frame *frames, uint32_t capacity)
{
	pair->frames = frames;
	pair->capacity = capacity;
	if (pair->reached > capacity)
		pair->reached = capacity;
}

/* Returns the flags of a frame whose entry is not in the data. */
static uint32_t flags_of_piece(struct dwell_pair *pair, uint64_t id)
{
	pair->section_missed |= pair->resumed;
	return DWELL_CALL_NO_ENTRY | (pair->is_copy || may_have_ended(pair, id) ? DWELL_CALL_PIECE : 0);
}

static void note_depth(struct dwell_pair *pair)
{
	uint32_t open = pair->depth + pair->beyond;

	if (pair->reached < pair->depth)
		pair->reached = pair->depth;
	if (open < pair->depth) /* more than the counter can hold */
		open = UINT32_MAX;
	if (pair->deepest < open)
		pair->deepest = open;
}

/* Sets the number of open frames without room. While there are any, the fast path is closed. */
static void set_beyond(struct dwell_pair *pair, uint32_t beyond)
{
	pair->beyond = beyond;
	if (beyond)
		pair->state |= STATE_BEYOND;
	else
		pair->state &= ~(uint32_t)STATE_BEYOND;
}

/* Opens a frame on top and returns it. pre: there is room. */
static struct dwell_frame *push(struct dwell_pair *pair, uint64_t id, uint64_t ticks, uint64_t child_ticks, uint32_t flags)
{
	struct dwell_frame *frame = &pair->frames[pair->depth];

	pair->depth++;
	frame->id = id;
	frame->enter_ticks = ticks;
	frame->child_ticks = child_ticks;
	frame->user = 0;
	frame->flags = flags;
	frame->reserved = 0;
	note_depth(pair);
	return frame;
}

/* Opens count frames that have no room, so only counts them. */
static void push_beyond(struct dwell_pair *pair, uint32_t count)
{
	pair->beyond_calls += count;
	set_beyond(pair, pair->beyond + count < count ? UINT32_MAX : pair->beyond + count);
	note_depth(pair);
}

/* Starts a section: what began before ticks is unknown. */
static void begin_section(struct dwell_pair *pair, uint64_t ticks)
{
	pair->section_first_ticks = ticks;
	pair->section_ticks = 0;
	pair->section_inherited = false;
}

/* Moves the start of the outermost depth calls, and of the section, later by ticks. */
static void delay(struct dwell_pair *pair, uint32_t depth, uint64_t ticks)
{
	for (uint32_t i = 0; ticks && i < depth; i++)
		pair->frames[i].enter_ticks += ticks;
	pair->section_first_ticks += ticks;
}

/* Charges the waiting time to frame depth − 1, as time that is not self time. With depth 0 the waiting time is lost or outside, and
 * a new section begins: an exit after the waiting time cannot belong to a call before it. */
static void charge(struct dwell_pair *pair, uint32_t depth)
{
	if (!(pair->state & STATE_WAIT))
		return;
	pair->lost_ticks += pair->wait_lost_ticks;
	if (depth) {
		pair->frames[depth - 1].child_ticks += pair->wait_lost_ticks + pair->wait_stopped_ticks;
		pair->covered_ticks -= pair->wait_stopped_ticks; /* the outermost call adds this time again with its total */
		delay(pair, depth, pair->wait_held_ticks);
	} else {
		pair->covered_ticks += pair->wait_lost_ticks;
		begin_section(pair, pair->wait_end_ticks);
	}
	pair->wait_lost_ticks = 0;
	pair->wait_stopped_ticks = 0;
	pair->wait_held_ticks = 0;
	if (!(pair->state & (STATE_GAP | STATE_STOPPED)))
		pair->state &= ~(uint32_t)STATE_WAIT;
}

/* Charges the time during which the recorder held the thread up. The program did nothing meanwhile. While it is unknown which call
 * continues, the time waits; without_held leaves the time out of all calls; else the innermost call gets it, or, with none open,
 * the section, for an exit without an entry. */
static void charge_held(struct dwell_pair *pair, uint64_t ticks)
{
	uint64_t held_ticks = ticks - pair->last_ticks;

	pair->held_ticks += held_ticks;
	pair->thread_held_ticks += held_ticks;
	if (pair->state & (STATE_LAND | STATE_WAIT)) {
		pair->state |= STATE_WAIT;
		pair->wait_end_ticks = ticks;
		*(pair->without_held ? &pair->wait_held_ticks : &pair->wait_stopped_ticks) += held_ticks;
	} else if (pair->without_held) {
		delay(pair, pair->depth, held_ticks);
	} else if (pair->depth) {
		pair->frames[pair->depth - 1].child_ticks += held_ticks;
		pair->covered_ticks -= held_ticks; /* the outermost call adds this time again with its total */
	} else {
		pair->section_ticks += held_ticks;
	}
}

/* Advances the present to ticks, but never back, and ends a gap. Returns the present. */
static uint64_t advance(struct dwell_pair *pair, uint64_t ticks)
{
	if (pair->state & STATE_START) {
		pair->state &= ~(uint32_t)STATE_START;
		pair->first_ticks = pair->last_ticks = pair->section_first_ticks = pair->land_ticks = ticks;
	}
	if (ticks < pair->last_ticks) {
		pair->backward_events++;
		ticks = pair->last_ticks;
	}
	if (pair->state & STATE_GAP)
		pair->wait_lost_ticks += ticks - pair->last_ticks;
	else if (pair->state & STATE_STOPPED)
		pair->wait_stopped_ticks += ticks - pair->last_ticks;
	else if (pair->state & STATE_HELD)
		charge_held(pair, ticks);
	if (pair->state & (STATE_GAP | STATE_STOPPED))
		pair->wait_end_ticks = ticks;
	pair->last_ticks = ticks;
	pair->state &= ~(uint32_t)STATE_GAP;

	if (pair->lost_pushes) {
		uint32_t pushes = pair->lost_pushes;

		charge(pair, pair->depth);
		pair->state &= ~(uint32_t)STATE_LAND;
		pair->lost_pushes = 0;
		for (; pushes && !dwell_pair_full(pair); pushes--)
			push(pair, DWELL_ID_UNKNOWN, ticks, 0, DWELL_CALL_NO_ENTRY);
		if (pushes)
			push_beyond(pair, pushes);
	}
	return ticks;
}

/* From here on the continuing frame is unknown; the frames above the landing will end at this time. */
static void begin_landing(struct dwell_pair *pair, uint32_t flags)
{
	pair->state |= STATE_LAND;
	pair->land_ticks = pair->last_ticks;
	pair->land_flags = flags;
}

/* The event shows that the top frame continues. */
static void settle(struct dwell_pair *pair)
{
	pair->state &= ~(uint32_t)STATE_PAUSED;
	charge(pair, pair->depth);
	pair->state &= ~(uint32_t)STATE_LAND;
}

struct dwell_frame *dwell_pair_enter_slowly(struct dwell_pair *pair, uint64_t id, uint64_t ticks)
{
	ticks = advance(pair, ticks);
	settle(pair);
	if (dwell_pair_full(pair)) {
		push_beyond(pair, 1);
		return 0;
	}
	return push(pair, id, ticks, 0, 0);
}

/* Returns the lowest frame that a search may visit. */
static uint32_t search_end(const struct dwell_pair *pair)
{
	return pair->depth > pair->search_left ? pair->depth - pair->search_left : 0;
}

/* Counts a search without result, which went down to end, against search_left. */
static uint32_t search_failed(struct dwell_pair *pair, uint32_t end)
{
	uint32_t looked = pair->depth - end;

	pair->search_left = pair->search_left > SEARCH_EACH + looked ? pair->search_left - looked : SEARCH_EACH;
	return NO_FRAME;
}

/* Returns the index of the topmost frame with this id or an unknown id; NO_FRAME: none within the reach of searches. */
static uint32_t find(struct dwell_pair *pair, uint64_t id)
{
	uint32_t index = pair->depth, end = search_end(pair);

	while (index > end) {
		index--;
		if (pair->frames[index].id == id || pair->frames[index].id == DWELL_ID_UNKNOWN)
			return index;
	}
	return search_failed(pair, end);
}

uint32_t dwell_pair_find_open(struct dwell_pair *pair, uint64_t id, uint32_t above)
{
	uint32_t index = pair->depth, end = search_end(pair);

	while (index-- > end)
		if (pair->frames[index].id == id && !above--)
			return index;
	return search_failed(pair, end);
}

bool dwell_pair_exit_slowly(struct dwell_pair *pair, uint64_t id, uint64_t ticks, struct dwell_call *call)
{
	uint32_t index;

	ticks = advance(pair, ticks);
	if (pair->beyond && !(pair->state & STATE_LAND && pair->land_flags & DWELL_CALL_UNWOUND))
		index = NO_FRAME; /* the exit belongs to an unknown one of the frames without room */
	else
		index = find(pair, id);

	if (index == NO_FRAME) {
		settle(pair);
		if (pair->beyond) {
			set_beyond(pair, pair->beyond - 1);
			return false;
		}
		if (pair->depth) {
			pair->unmatched_exits++;
			return false;
		}
		push(pair, id, pair->section_first_ticks, pair->section_ticks, flags_of_piece(pair, id));
		pair->covered_ticks -= pair->section_ticks;
		pair->section_ticks = 0;
		index = 0;
	}
	pair->due = pair->depth - index - 1;
	pair->due_flags = pair->state & STATE_LAND ? pair->land_flags : DWELL_CALL_UNWOUND;
	pair->due_ticks = pair->state & STATE_LAND ? pair->land_ticks : ticks;
	pair->due_last = 1;
	pair->due_id = id;
	pair->state &= ~(uint32_t)STATE_PAUSED;
	charge(pair, index + 1);
	pair->unwound_calls += pair->beyond;
	set_beyond(pair, 0);
	pair->state = 0;
	return dwell_pair_pop_slowly(pair, call);
}

bool dwell_pair_pop_slowly(struct dwell_pair *pair, struct dwell_call *call)
{
	if (pair->due) {
		pair->due--;
		pair->unwound_calls += (pair->due_flags & DWELL_CALL_UNWOUND) != 0;
		dwell_pair_leave(pair, pair->frames[pair->depth - 1].id, pair->due_ticks, pair->due_flags, call);
		return true;
	}
	if (pair->due_last) {
		pair->due_last = 0;
		dwell_pair_leave(pair, pair->due_id, pair->last_ticks, 0, call);
		return true;
	}
	return false;
}

/* Makes all frames due except the keep lowest ones. They end where the landing began or, without a landing, now. */
static void make_due(struct dwell_pair *pair, uint32_t keep, uint32_t flags)
{
	pair->due = pair->depth - keep;
	pair->due_flags = flags;
	pair->due_ticks = pair->state & STATE_LAND ? pair->land_ticks : pair->last_ticks;
}

void dwell_pair_unwind(struct dwell_pair *pair, uint64_t ticks)
{
	advance(pair, ticks);
	settle(pair);
	pair->state &= ~(uint32_t)DWELL_PAIR_MISFIT;
	begin_landing(pair, DWELL_CALL_UNWOUND);
}

void dwell_pair_misfit(struct dwell_pair *pair, uint64_t id)
{
	if (!dwell_pair_is_landing(pair))
		return;
	pair->misfit_id = pair->state & DWELL_PAIR_MISFIT ? DWELL_ID_UNKNOWN : id; /* several landings: the right one is unknown */
	pair->state |= DWELL_PAIR_MISFIT;
}

bool dwell_pair_has_gap(struct dwell_pair *pair)
{
	if (pair->is_copy) /* the parent's calls may be open */
		return true;
	pair->section_missed |= pair->resumed && !pair->has_gap;
	return pair->has_gap;
}

bool dwell_pair_exit_is_misfit(struct dwell_pair *pair, uint64_t id)
{
	uint32_t index;

	/* If a stop or a gap is pending, too, its end settles which calls are open. */
	if (pair->state != STATE_LAND || !(pair->land_flags & DWELL_CALL_UNWOUND) || !pair->depth || !dwell_pair_has_gap(pair))
		return false;
	index = find(pair, id);
	if (index != NO_FRAME && pair->frames[index].id == id)
		return false;
	dwell_pair_misfit(pair, DWELL_ID_UNKNOWN);
	return true;
}

bool dwell_pair_settle_misfit(struct dwell_pair *pair)
{
	pair->state &= ~(uint32_t)DWELL_PAIR_MISFIT;
	if (!dwell_pair_is_landing(pair) || !dwell_pair_has_gap(pair)) {
		pair->misfit_id = DWELL_ID_UNKNOWN;
		return false;
	}
	dwell_pair_end_in_gap(pair);
	if (!(pair->state & (STATE_GAP | STATE_STOPPED)))
		pair->state &= ~(uint32_t)STATE_LAND;
	return true;
}

struct dwell_frame *dwell_pair_begin_landed(struct dwell_pair *pair)
{
	uint64_t id = pair->misfit_id;
	bool opens = id != DWELL_ID_UNKNOWN && !pair->state && !dwell_pair_full(pair);

	pair->misfit_id = DWELL_ID_UNKNOWN;
	/* The calls that ended here called none of those that follow, and none of those that follow called them. */
	begin_section(pair, pair->land_ticks);
	return !opens ? 0 : push(pair, id, pair->last_ticks, 0, flags_of_piece(pair, id));
}

bool dwell_pair_is_landing(const struct dwell_pair *pair)
{
	return pair->state & STATE_LAND;
}

void dwell_pair_land(struct dwell_pair *pair, uint32_t index)
{
	if (!dwell_pair_is_landing(pair) || index >= pair->depth)
		return;
	pair->state &= ~(uint32_t)DWELL_PAIR_MISFIT;
	for (uint32_t i = index + 1; i < pair->depth; i++)
		if (pair->frames[i].id == DWELL_ID_UNKNOWN)
			pair->frames[i].flags |= DWELL_CALL_PIECE; /* the unwind may have landed in this frame */
	make_due(pair, index + 1, pair->land_flags);
	charge(pair, index + 1);
	pair->unwound_calls += pair->beyond;
	set_beyond(pair, 0);
	if (pair->state & (STATE_GAP | STATE_STOPPED)) /* not over yet: the landing may be lower still */
		begin_landing(pair, pair->state & STATE_GAP ? DWELL_CALL_GAP : DWELL_CALL_UNWOUND);
	else
		pair->state &= ~(uint32_t)STATE_LAND;
}

uint32_t dwell_pair_find_site(const struct dwell_pair *pair, uint64_t site)
{
	uint32_t best = NO_FRAME;

	for (uint32_t index = 0; index < pair->depth; index++) {
		uint64_t id = pair->frames[index].id;

		if (id <= site && (best == NO_FRAME || id >= pair->frames[best].id))
			best = index;
	}
	return best;
}

void dwell_pair_end_in_gap(struct dwell_pair *pair)
{
	pair->has_gap = true;
	for (uint32_t i = 0; i < pair->depth; i++) {
		struct dwell_frame *frame = &pair->frames[i];

		if (frame->id == DWELL_ID_UNKNOWN)
			frame->flags |= DWELL_CALL_PIECE; /* a later exit that no open frame fits may be the exit of this call */
		else
			note_ended(pair, frame->id);
	}
	make_due(pair, 0, DWELL_CALL_GAP);
	pair->lost_pushes = 0;
	set_beyond(pair, 0);
}

void dwell_pair_lost(struct dwell_pair *pair, uint64_t events, uint32_t pops, uint32_t pushes)
{
	bool unknown = pops == DWELL_PAIR_ALL || pushes > DWELL_PAIR_PUSHES_MAX - least(pair->lost_pushes, DWELL_PAIR_PUSHES_MAX);
	uint32_t unseen, missing;

	if (unknown) {
		dwell_pair_end_in_gap(pair);
		pops = 0;
		pushes = pushes > DWELL_PAIR_PUSHES_MAX ? 0 : pushes;
	}
	unseen = pops < pair->lost_pushes ? pops : pair->lost_pushes;
	pair->lost_events += events;
	/* First the frames that the preceding gap left open. */
	pair->lost_pushes -= unseen;
	pops -= unseen;
	missing = pops < pair->beyond ? pops : pair->beyond;
	set_beyond(pair, pair->beyond - missing);
	pops -= missing;
	if (pops)
		make_due(pair, pops < pair->depth ? pair->depth - pops : 0, DWELL_CALL_GAP);
	if (!dwell_pair_is_landing(pair))
		begin_landing(pair, DWELL_CALL_GAP);
	pair->state &= ~(uint32_t)STATE_HELD;
	pair->state |= STATE_GAP | STATE_WAIT;
	pair->has_gap |= pushes != 0;
	pair->lost_pushes = pair->lost_pushes + pushes < pushes ? UINT32_MAX : pair->lost_pushes + pushes;
}

void dwell_pair_advance(struct dwell_pair *pair, uint64_t ticks)
{
	advance(pair, ticks);
}

void dwell_pair_count(struct dwell_pair *pair, uint64_t id, uint64_t ticks, struct dwell_call *call)
{
	call->id = id;
	call->enter_ticks = call->exit_ticks = advance(pair, ticks);
	pair->state &= ~(uint32_t)STATE_PAUSED; /* the thread evidently continued */
	call->total_ticks = call->self_ticks = 0;
	call->user = 0;
	call->depth = pair->depth;
	call->flags = DWELL_CALL_NO_EXIT;
}

void dwell_pair_stop(struct dwell_pair *pair, uint64_t ticks)
{
	advance(pair, ticks);
	if (!dwell_pair_is_landing(pair))
		begin_landing(pair, DWELL_CALL_UNWOUND);
	pair->state &= ~(uint32_t)STATE_HELD;
	pair->state |= STATE_STOPPED | STATE_WAIT;
}

void dwell_pair_continue(struct dwell_pair *pair, uint64_t ticks)
{
	advance(pair, ticks);
	pair->state &= ~(uint32_t)STATE_PAUSED;
}

void dwell_pair_held(struct dwell_pair *pair, uint64_t ticks)
{
	advance(pair, ticks);
	pair->state |= STATE_HELD;
}

void dwell_pair_held_end(struct dwell_pair *pair, uint64_t ticks)
{
	advance(pair, ticks);
	pair->state &= ~(uint32_t)STATE_HELD;
}

void dwell_pair_leave_all(struct dwell_pair *pair)
{
	/* The next event charges the waiting time, when these calls are gone. So it is not
	 * taken for the time of calls made by the function of an exit without an entry. */
	make_due(pair, 0, DWELL_CALL_UNWOUND);
	pair->state &= ~(uint32_t)DWELL_PAIR_MISFIT;
	pair->lost_pushes = 0;
	pair->unwound_calls += pair->beyond;
	set_beyond(pair, 0);
	if (!(pair->state & (STATE_GAP | STATE_STOPPED)))
		pair->state &= ~(uint32_t)STATE_LAND;
}

void dwell_pair_checkpoint(struct dwell_pair *pair, const struct dwell_frame *frames, uint32_t count)
{
	uint64_t gap_ticks = pair->state & STATE_LAND ? pair->land_ticks : pair->last_ticks;
	uint32_t same = 0;

	for (; same < count && same < pair->depth && frames[same].enter_ticks <= gap_ticks; same++) {
		struct dwell_frame *frame = &pair->frames[same];

		if (frame->id == DWELL_ID_UNKNOWN)
			frame->id = frames[same].id;
		if (frame->id != frames[same].id && frames[same].id != DWELL_ID_UNKNOWN)
			break;
	}
	make_due(pair, same, DWELL_CALL_GAP);
	pair->state &= STATE_START | STATE_WAIT;
	charge(pair, same);
	pair->lost_pushes = 0;
	set_beyond(pair, 0);
}

void dwell_pair_adopt(struct dwell_pair *pair, const struct dwell_frame *frames, uint32_t count, uint64_t ticks)
{
	uint32_t known = pair->depth;
	uint64_t gap_ticks, end_ticks;

	if (known > count)
		return;
	if (pair->state & STATE_START) {
		if (!count)
			return;
		advance(pair, least(frames[0].enter_ticks, ticks));
	}
	gap_ticks = pair->last_ticks;
	ticks = most(ticks, gap_ticks);
	pair->last_ticks = ticks;

	for (uint64_t floor_ticks = gap_ticks; pair->depth < count && !dwell_pair_full(pair);) {
		const struct dwell_frame *from = &frames[pair->depth];
		uint64_t enter_ticks = least(most(from->enter_ticks, floor_ticks), ticks);
		uint32_t forced = enter_ticks == from->enter_ticks ? 0 : DWELL_CALL_NO_ENTRY;

		pair->has_gap |= from->id == DWELL_ID_UNKNOWN;
		push(pair, from->id, enter_ticks, 0, from->flags | forced);
		floor_ticks = enter_ticks;
	}
	if (pair->depth < count)
		push_beyond(pair, count - pair->depth);

	for (uint32_t index = known; index < pair->depth; index++) {
		struct dwell_frame *frame = &pair->frames[index];
		uint64_t next_ticks = index + 1 < pair->depth ? frame[1].enter_ticks : ticks;

		frame->child_ticks = least(frames[index].child_ticks, next_ticks - frame->enter_ticks);
		pair->lost_ticks += frame->child_ticks;
	}
	end_ticks = known < pair->depth ? pair->frames[known].enter_ticks : ticks;
	if (known) {
		struct dwell_frame *frame = &pair->frames[known - 1];
		uint64_t child_ticks = most(frames[known - 1].child_ticks, frame->child_ticks) - frame->child_ticks;

		child_ticks = least(child_ticks, end_ticks - gap_ticks);
		frame->child_ticks += child_ticks;
		pair->lost_ticks += child_ticks;
	} else {
		pair->lost_ticks += end_ticks - gap_ticks;
		pair->covered_ticks += end_ticks - gap_ticks;
		begin_section(pair, end_ticks);
	}
}

void dwell_pair_finish(struct dwell_pair *pair)
{
	pair->lost_pushes = 0; /* their time is unknown */
	if (pair->state & STATE_START) {
		pair->state = STATE_START;
		return;
	}
	advance(pair, pair->last_ticks);
	settle(pair);
	make_due(pair, 0, DWELL_CALL_OPEN);
}
