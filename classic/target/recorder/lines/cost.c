/* SPDX-License-Identifier: MIT */
#include "classic/target/recorder/lines/cost.h"

/* Invariant: between LIMIT (HELD while LIMIT is 0) and END is room for these lines: the exit of each open call that has a line,
 * each gap, and the exit of the next call. CURSOR, LIMIT and END are whole lines apart. So if CURSOR is below LIMIT, the entry
 * of the next call fits, and its exit, too. */

static volatile lines_word *words_at(lines_word address)
{
	return (volatile lines_word *)address;
}

uint32_t dwell_cost_capacity(uint32_t bytes)
{
	bytes -= bytes % (uint32_t)sizeof(lines_word);
	return bytes < sizeof(struct lines_cost) ? 0 : (bytes - (uint32_t)sizeof(struct lines_cost)) / (2 * COST_LINE_BYTES);
}

/* A short way is assembly (cpu/armv5te/cost.S) that writes the line of an entry or an exit without a call of this file. Entries
 * take it only if CURSOR is below LIMIT, exits only if LIMIT is below EXIT_BAR. hold() closes both short ways, and
 * release() opens them. */
static void hold(struct lines_cost *cost, lines_word limit)
{
	cost->held = limit;
	cost->limit = 0;
	cost->exit_bar = 0;
}

static void release(struct lines_cost *cost, lines_word limit)
{
	cost->held = limit;
	cost->limit = limit;
	cost->exit_bar = cost->base;
}

/* Sets the limit. Opens the short ways if recording is enabled, the innermost open call has a line (unwritten is 0), and there is a
 * counter for the assembly to read (tick_at). Else closes them. */
static void set_limit(struct lines_cost *cost, lines_word limit)
{
	if (cost->state & LINES_STATE_ENABLED && !cost->unwritten && cost->tick_at)
		release(cost, limit);
	else
		hold(cost, limit);
}

static lines_word get_limit(const struct lines_cost *cost)
{
	return cost->limit ? cost->limit : cost->held;
}

struct lines_cost *dwell_cost_make(void *buffer, uint32_t bytes, uintptr_t tick_at, lines_word tick, uint32_t hz)
{
	uint32_t skip = (uint32_t)(-(uintptr_t)buffer % sizeof(lines_word)), capacity;
	struct lines_cost *cost = (struct lines_cost *)((char *)buffer + skip);

	capacity = bytes < skip ? 0 : dwell_cost_capacity(bytes - skip);
	if (!capacity)
		return 0;
	cost->magic = LINES_MAGIC;
	cost->in_use = 1;
	cost->what = LINES_WHAT(LINES_KIND_COST, 0);
	cost->tick_at = tick_at;
	cost->begin = cost->cursor = (lines_word)(cost + 1);
	cost->end = cost->gaps = cost->begin + capacity * 2 * COST_LINE_BYTES;
	cost->base = cost->end - COST_LINE_BYTES;
	cost->away = cost->unwritten = cost->off_calls = cost->dropped = cost->halves = cost->missed = cost->early =
		cost->off_away = cost->busy = cost->abandoned = cost->seen_sp = cost->seen_lr =
			cost->seen_open = 0;
	cost->left = cost->off_tick = tick;
	cost->hz = hz;
	cost->state = LINES_STATE_ENABLED;
	set_limit(cost, cost->base);
	return cost;
}

static void write_line(struct lines_cost *cost, lines_word name, lines_word tick)
{
	volatile lines_word *line = words_at(cost->cursor);

	line[0] = name;
	line[1] = tick;
	line[2] = cost->away;
	cost->away = 0;
	cost->cursor += COST_LINE_BYTES;
}

/* Pushes a gap: the number of the innermost open calls, which have no line. A call with a line begins inside of them, so their
 * exits come after the exit of that call. */
static lines_word push_gap(struct lines_cost *cost, lines_word limit)
{
	volatile lines_word *gap;

	cost->gaps -= COST_LINE_BYTES;
	gap = words_at(cost->gaps);
	gap[0] = cost->unwritten;
	gap[1] = cost->base;
	cost->unwritten = 0;
	return cost->base = limit - COST_LINE_BYTES;
}

/* Pops the gap if no call above the gap is open: the gap's calls are the innermost ones again. The short ways never pop a gap, even
 * at the exit of the last call above the gap. So the next call may begin above the same gap. */
static lines_word pop_gap(struct lines_cost *cost, lines_word limit)
{
	const volatile lines_word *gap = words_at(cost->gaps);

	if (cost->unwritten || limit != cost->base || cost->gaps == cost->end)
		return limit;
	cost->gaps += COST_LINE_BYTES;
	cost->unwritten = gap[0];
	cost->base = gap[1];
	return limit + COST_LINE_BYTES;
}

static void enter(struct lines_cost *cost, lines_word name, lines_word tick)
{
	lines_word limit = get_limit(cost);

	if (!(cost->state & LINES_STATE_ENABLED)) {
		cost->off_calls++;
		return;
	}
	if (cost->cursor + (cost->unwritten ? COST_LINE_BYTES : 0) >= limit) {
		limit = pop_gap(cost, limit);
		cost->dropped++;
		cost->unwritten++;
		hold(cost, limit);
		return;
	}
	if (cost->unwritten)
		limit = push_gap(cost, limit);
	write_line(cost, name, tick);
	set_limit(cost, limit - COST_LINE_BYTES);
}

static void leave(struct lines_cost *cost, lines_word tick)
{
	lines_word limit = get_limit(cost);

	if (cost->off_calls) {
		cost->off_calls--;
		return;
	}
	limit = pop_gap(cost, limit);
	if (cost->unwritten) {
		cost->unwritten--;
		set_limit(cost, limit);
	} else if (limit < cost->base) {
		if (!(cost->state & LINES_STATE_ENABLED)) {
			cost->away = cost->off_away + tick - cost->off_tick;
			cost->off_away = 0;
			cost->off_tick = tick;
		}
		write_line(cost, LINES_TAG(LINES_TAG_EXIT), tick);
		set_limit(cost, limit + COST_LINE_BYTES);
	} else {
		cost->early++;
	}
}

void dwell_cost_enter(struct lines_cost *cost, lines_word name, lines_word tick)
{
	if (cost->state & LINES_STATE_NONE)
		return;
	if (cost->busy) {
		cost->missed++;
		return;
	}
	cost->busy = 1;
	enter(cost, name, tick);
	cost->busy = 0;
}

void dwell_cost_exit(struct lines_cost *cost, lines_word tick)
{
	if (cost->state & LINES_STATE_NONE || cost->busy)
		return;
	cost->busy = 1;
	leave(cost, tick);
	cost->busy = 0;
}

bool dwell_cost_enable(struct lines_cost *cost, bool enable, lines_word tick)
{
	bool before = cost->state & LINES_STATE_ENABLED;
	lines_word limit;

	if (cost->state & LINES_STATE_NONE || before == enable)
		return before;
	cost->busy = 1;
	limit = get_limit(cost);
	if (enable) {
		/* The whole time while disabled is time away. It includes what dwell_cost_away added meanwhile. */
		cost->away = cost->off_away + tick - cost->off_tick;
		cost->state = LINES_STATE_ENABLED;
		if (cost->off_calls) {
			/* The exits of these calls will come, and are skipped, since the entries have no lines. */
			limit = pop_gap(cost, limit);
			cost->halves += cost->off_calls;
			cost->unwritten += cost->off_calls;
			cost->off_calls = 0;
		}
	} else {
		cost->off_away = cost->away;
		cost->off_tick = tick;
		cost->state = 0;
	}
	set_limit(cost, limit);
	cost->busy = 0;
	return before;
}

uint32_t dwell_cost_depth(const struct lines_cost *cost)
{
	lines_word lines, depth = cost->unwritten + cost->off_calls;

	if (cost->state & LINES_STATE_NONE)
		return 0;
	lines = (cost->end - COST_LINE_BYTES - get_limit(cost)) / COST_LINE_BYTES; /* of open calls and of gaps */
	for (lines_word gap = cost->gaps; gap < cost->end; gap += COST_LINE_BYTES, lines--)
		depth += words_at(gap)[0];
	return (uint32_t)(depth + lines);
}

void dwell_cost_unwind(struct lines_cost *cost, uint32_t depth, lines_word tick)
{
	uint32_t open = dwell_cost_depth(cost);

	if (open <= depth)
		return;
	cost->busy = 1;
	for (; open > depth; open--, cost->abandoned++)
		leave(cost, tick);
	cost->busy = 0;
}

uint32_t dwell_cost_see(struct lines_cost *cost, lines_word sp, lines_word lr)
{
	uint32_t open = dwell_cost_depth(cost), early = (uint32_t)cost->early, more = 0;

	/* early: exits since the last clear, of calls from before the recording. If the program enters such calls again, the depth
	 * grows by as many, although no call was left. So the difference counts only beyond early. */
	if (cost->seen_lr == lr && cost->seen_sp == sp && open > cost->seen_open + early)
		more = open - (uint32_t)cost->seen_open - early;
	cost->seen_sp = sp;
	cost->seen_lr = lr;
	cost->seen_open = open;
	return more;
}

static bool is_text(lines_word name, const char *text)
{
	const char *at = (const char *)name;

	for (; *at && *at == *text; at++)
		text++;
	return *at == *text;
}

uint32_t dwell_cost_above(const struct lines_cost *cost, const char *function)
{
	uint32_t above = 0;

	if (cost->state & LINES_STATE_NONE || cost->unwritten || cost->off_calls || cost->gaps != cost->end)
		return 0;
	for (lines_word at = cost->cursor; at > cost->begin; above++) {
		at -= COST_LINE_BYTES;
		if (is_text(words_at(at)[0], function))
			break;
	}
	return above;
}

void dwell_cost_clear(struct lines_cost *cost, lines_word tick)
{
	lines_word begin = cost->begin, kept = begin;

	if (cost->state & LINES_STATE_NONE)
		return;
	cost->busy = 1;
	for (lines_word at = begin; at < cost->cursor; at += COST_LINE_BYTES) {
		lines_word name = words_at(at)[0];

		if (name == LINES_TAG(LINES_TAG_EXIT)) {
			kept -= COST_LINE_BYTES;
		} else {
			words_at(kept)[0] = name;
			words_at(kept)[1] = tick;
			words_at(kept)[2] = 0;
			kept += COST_LINE_BYTES;
		}
	}
	cost->cursor = kept;
	cost->away = cost->off_away = 0;
	cost->off_tick = tick;
	/* early becomes 0 below. dwell_cost_see compares with seen_open + early, so this keeps the sum. */
	cost->seen_open += cost->early;
	cost->dropped = cost->halves = cost->missed = cost->early = cost->abandoned = 0;
	cost->busy = 0;
}

uint32_t dwell_cost_take(const struct lines_cost *cost)
{
	return (uint32_t)((cost->cursor - cost->begin) / COST_LINE_BYTES);
}

void dwell_cost_keep(struct lines_cost *cost, uint32_t open)
{
	cost->cursor = cost->begin + open * COST_LINE_BYTES;
}
