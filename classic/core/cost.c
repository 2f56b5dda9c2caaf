/* SPDX-License-Identifier: MIT */
#include "classic/core/cost.h"

#include "core/pair.h"

/* The innermost open calls that stay frames, at most. Calls move between frames and slots by half a window at a time. */
#define WINDOW 12u

struct counting {
	struct lines_stats *stats;
	/* The first lines are counted already, so their memory holds the open calls without a frame, outermost first. In this file,
	 * a slot is one of these calls, in the three words of a line: the name; the low 32 bits of the time at which the frame
	 * became a slot; the high bits of the time, shifted left by one. Bit 0 of the last word: the call is the outermost call of
	 * the function. */
	lines_word *slots;
	uint32_t slots_used;
	uint64_t now; /* ticks that the thread ran since the first line */
	struct dwell_pair pair;
	struct dwell_frame frames[WINDOW];
};

struct lines_stats *dwell_cost_make_stats(void *buffer, uint32_t bytes)
{
	uint32_t skip = (uint32_t)(-(uintptr_t)buffer % sizeof(uint64_t));
	uint32_t head = ((uint32_t)sizeof(struct lines_stats) + 7) & ~7u;
	struct lines_stats *stats = (struct lines_stats *)((char *)buffer + skip);

	if (bytes < skip || bytes - skip < head + 2 * sizeof(struct lines_row)) {
		/* Otherwise a reader would still find the older statistics here, which are larger than these bytes. */
		if (bytes >= skip + sizeof stats->magic && stats->magic == LINES_MAGIC)
			stats->magic = 0;
		return 0;
	}
	stats->magic = LINES_MAGIC;
	stats->what = LINES_WHAT(LINES_KIND_STATS, 0);
	stats->begin = (lines_word)stats + head;
	stats->capacity = (bytes - skip - head) / sizeof(struct lines_row);
	stats->used = stats->busy = stats->dropped = stats->halves = stats->missed = stats->early = stats->hz = stats->abandoned =
		stats->not_left = 0;
	return stats;
}

struct lines_stats *dwell_cost_find_stats(void *buffer)
{
	struct lines_stats *stats = dwell_cost_stats_at(buffer);
	lines_word at = (lines_word)stats;

	if (!buffer || stats->magic != LINES_MAGIC || stats->what != LINES_WHAT(LINES_KIND_STATS, 0))
		return 0;
	return stats->begin == at + ((sizeof *stats + 7) & ~(lines_word)7) && stats->used <= stats->capacity ? stats : 0;
}

/* Returns the row of a function. Rows stand in the order of first calls; the last row is for all functions that find no row. */
static uint32_t find_row(struct lines_stats *stats, lines_word name)
{
	struct lines_row *rows = dwell_cost_rows(stats), *row;
	uint32_t used = (uint32_t)stats->used, last = (uint32_t)stats->capacity - 1;

	for (uint32_t index = 0; index < used; index++)
		if (rows[index].name == name)
			return index;
	if (used > last)
		return last;
	row = &rows[used];
	row->name = used == last ? LINES_TAG(LINES_TAG_OTHERS) : name;
	row->open = 0;
	row->calls = row->self_ticks = row->total_ticks = 0;
	stats->used = used + 1;
	return used;
}

/* user: of a frame or a call: the index of the row, shifted left by one. Bit 0: the call is the outermost call of the function. */
static struct lines_row *row_of(const struct counting *counting, uint64_t user)
{
	return &dwell_cost_rows(counting->stats)[user >> 1];
}

/* Adds an ended call, or a piece of a call, to its row. The inclusive time of a recursion counts once: for its outermost call. */
static void charge(const struct counting *counting, const struct dwell_call *call)
{
	struct lines_row *row = row_of(counting, call->user);

	row->self_ticks += call->self_ticks;
	if (call->user & 1)
		row->total_ticks += call->total_ticks;
}

/* Restarts pairing: the first depth frames stay open, and their times count from now. */
static void resume(struct counting *counting, uint32_t depth)
{
	dwell_pair_init(&counting->pair, counting->frames, WINDOW);
	for (uint32_t index = 0; index < depth; index++) {
		counting->frames[index].enter_ticks = counting->now;
		counting->frames[index].child_ticks = 0;
		counting->frames[index].flags = 0;
	}
	dwell_pair_resume(&counting->pair, depth, counting->now);
}

/* Charges the frames' calls with the time up to now. Returns the number of frames. Pairing then has no frame, but the calls are
 * still open: each id and user stays in frames[0, returned number), for resume. */
static uint32_t charge_open(struct counting *counting)
{
	uint32_t depth = counting->pair.depth;
	struct dwell_call call;

	dwell_pair_advance(&counting->pair, counting->now);
	dwell_pair_finish(&counting->pair);
	while (dwell_pair_pop(&counting->pair, &call))
		charge(counting, &call);
	return depth;
}

/* Charges all frames, and turns the outer half of the frames into slots. */
static void make_room(struct counting *counting)
{
	uint32_t depth = charge_open(counting), gone = depth / 2;

	for (uint32_t index = 0; index < gone; index++) {
		lines_word *slot = counting->slots + LINES_COST_LINE_WORDS * counting->slots_used++;

		slot[0] = (lines_word)counting->frames[index].id;
		slot[1] = (lines_word)(uint32_t)counting->now;
		slot[2] = (lines_word)(uint32_t)(counting->now >> 32 << 1 | (counting->frames[index].user & 1));
	}
	for (uint32_t index = gone; index < depth; index++) {
		counting->frames[index - gone].id = counting->frames[index].id;
		counting->frames[index - gone].user = counting->frames[index].user;
	}
	resume(counting, depth - gone);
}

/* Adds the time since a call became a slot to the total of the call's row, if the call is the outermost call of the function. The
 * self time did not grow, since only callees ran. Returns the user for the call's frame. */
static uint64_t charge_slot(const struct counting *counting, const lines_word *slot)
{
	uint64_t user = (uint64_t)find_row(counting->stats, slot[0]) << 1 | (slot[2] & 1);

	if (user & 1)
		row_of(counting, user)->total_ticks +=
			counting->now - ((uint64_t)((uint32_t)slot[2] >> 1) << 32 | (uint32_t)slot[1]);
	return user;
}

/* Charges all frames, and turns the innermost slots, up to half a window, back into frames, below the present frames. */
static void bring_back(struct counting *counting)
{
	uint32_t depth = charge_open(counting), more = counting->slots_used < WINDOW / 2 ? counting->slots_used : WINDOW / 2;

	for (uint32_t index = depth; index--;) {
		counting->frames[index + more].id = counting->frames[index].id;
		counting->frames[index + more].user = counting->frames[index].user;
	}
	counting->slots_used -= more;
	for (uint32_t index = 0; index < more; index++) {
		const lines_word *slot = counting->slots + LINES_COST_LINE_WORDS * (counting->slots_used + index);

		counting->frames[index].id = slot[0];
		counting->frames[index].user = charge_slot(counting, slot);
	}
	resume(counting, depth + more);
}

static void enter(struct counting *counting, lines_word name)
{
	uint32_t index = find_row(counting->stats, name);
	struct lines_row *row = row_of(counting, (uint64_t)index << 1);
	struct dwell_frame *frame;

	if (dwell_pair_full(&counting->pair))
		make_room(counting);
	frame = dwell_pair_enter(&counting->pair, name, counting->now);
	frame->user = (uint64_t)index << 1 | (row->open == 0);
	row->open++;
}

static void leave(struct counting *counting)
{
	struct dwell_call call;

	/* The caller must be a frame, because the callee's time is added to it. */
	if (counting->pair.depth < 2 && counting->slots_used)
		bring_back(counting);
	if (!counting->pair.depth)
		return;
	if (!dwell_pair_exit(&counting->pair, counting->frames[counting->pair.depth - 1].id, counting->now, &call))
		return;
	charge(counting, &call);
	row_of(counting, call.user)->open--;
	row_of(counting, call.user)->calls++;
}

uint32_t dwell_cost_count(struct lines_stats *stats, lines_word *lines, uint32_t count)
{
	struct counting counting;
	lines_word last_tick = count ? lines[1] : 0;
	uint32_t open;

	counting.stats = stats;
	counting.slots = lines;
	counting.slots_used = 0;
	counting.now = 0;
	dwell_pair_init(&counting.pair, counting.frames, WINDOW);
	for (uint32_t index = 0; index < count; index++) {
		const lines_word *line = lines + LINES_COST_LINE_WORDS * index;
		lines_word name = line[0];

		if (index)
			counting.now += line[1] - last_tick - line[2];
		last_tick = line[1];
		if (name == LINES_TAG(LINES_TAG_EXIT))
			leave(&counting);
		else
			enter(&counting, name);
	}
	open = charge_open(&counting);
	for (uint32_t index = 0; index < counting.slots_used; index++)
		charge_slot(&counting, lines + LINES_COST_LINE_WORDS * index);
	for (uint32_t index = 0; index < open; index++)
		lines[LINES_COST_LINE_WORDS * (counting.slots_used + index)] = (lines_word)counting.frames[index].id;
	open += counting.slots_used;
	for (uint32_t index = 0; index < open; index++) {
		lines[LINES_COST_LINE_WORDS * index + 1] = last_tick;
		lines[LINES_COST_LINE_WORDS * index + 2] = 0;
	}
	for (uint32_t index = 0; index < stats->used; index++)
		dwell_cost_rows(stats)[index].open = 0;
	return open;
}
