/* SPDX-License-Identifier: MIT */
#include "classic/core/cost.h"

#include <stdatomic.h>

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
		stats->not_left = stats->step = 0;
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

static struct lines_row *row_of(const struct dwell_counting *counting, uint32_t index)
{
	return &dwell_cost_rows(counting->stats)[index];
}

static lines_word *slot_of(const struct dwell_counting *counting, uint32_t call)
{
	return counting->slots + LINES_COST_LINE_WORDS * call;
}

/* Adds the time of an open call since the last charge to the total of its function. The total of a recursion counts once: for its
 * outermost call. */
static void charge_total(const struct dwell_counting *counting, lines_word *slot)
{
	if (slot[2] & 1)
		row_of(counting, (uint32_t)(slot[2] >> 1))->total_ticks += counting->now - slot[1];
}

/* Charges all open calls up to now, which becomes 0. */
static void charge_open(struct dwell_counting *counting)
{
	for (uint32_t call = 0; call < counting->depth; call++) {
		charge_total(counting, slot_of(counting, call));
		slot_of(counting, call)[1] = 0;
	}
	counting->now = 0;
}

/* Charges the innermost open call with ticks of the thread. */
static void pass(struct dwell_counting *counting, lines_word ticks)
{
	if (counting->depth)
		row_of(counting, counting->row)->self_ticks += ticks;
	if (counting->now + ticks < ticks)
		charge_open(counting);
	counting->now += ticks;
}

/* Marks one more line as counted, by one store. */
static void commit(struct dwell_counting *counting)
{
	struct lines_stats *stats = counting->stats;
	lines_word unused = stats->step == 1;

	stats->steps[unused].next = ++counting->next;
	stats->steps[unused].open = counting->depth;
	stats->steps[unused].ticks = counting->last_tick;
	atomic_signal_fence(memory_order_seq_cst);
	stats->step = unused + 1;
	atomic_signal_fence(memory_order_seq_cst);
}

/* The slot may be the line itself: the slot's other words are written after the line is counted. */
static void enter(struct dwell_counting *counting, lines_word name)
{
	lines_word *slot = slot_of(counting, counting->depth++);

	counting->row = find_row(counting->stats, name);
	slot[0] = name;
	commit(counting);
	slot[1] = counting->now;
	slot[2] = (lines_word)counting->row << 1 | (row_of(counting, counting->row)->open++ == 0);
}

static void leave(struct dwell_counting *counting)
{
	lines_word *slot;

	if (counting->depth) {
		slot = slot_of(counting, --counting->depth);
		charge_total(counting, slot);
		row_of(counting, counting->row)->calls++;
		row_of(counting, counting->row)->open--;
	}
	commit(counting);
	if (counting->depth)
		counting->row = (uint32_t)(slot_of(counting, counting->depth - 1)[2] >> 1);
}

void dwell_cost_begin(struct dwell_counting *counting, struct lines_stats *stats, lines_word *lines)
{
	counting->stats = stats;
	counting->slots = lines;
	counting->depth = counting->row = counting->next = 0;
	counting->now = counting->last_tick = 0;
}

void dwell_cost_count(struct dwell_counting *counting, uint32_t count)
{
	while (counting->next < count) {
		const lines_word *line = slot_of(counting, counting->next);
		lines_word name = line[0], tick = line[1];

		if (counting->next)
			pass(counting, tick - counting->last_tick - line[2]);
		counting->last_tick = tick;
		if (name == LINES_TAG(LINES_TAG_EXIT))
			leave(counting);
		else
			enter(counting, name);
	}
}

uint32_t dwell_cost_end(struct dwell_counting *counting)
{
	charge_open(counting);
	for (uint32_t call = 0; call < counting->depth; call++) {
		slot_of(counting, call)[1] = counting->last_tick;
		slot_of(counting, call)[2] = 0;
	}
	for (uint32_t index = 0; index < counting->stats->used; index++)
		row_of(counting, index)->open = 0;
	return counting->depth;
}
