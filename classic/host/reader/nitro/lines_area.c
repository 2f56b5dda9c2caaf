#include "classic/host/reader/nitro/lines_area.h"

#define ROW_COUNTS_BYTES 24u /* three numbers of 8 bytes, behind two words */

static const uint32_t words_of_kind[] = {
	[LINES_KIND_STACK] = LINES_TRACE_WORDS, [LINES_KIND_LOG] = LINES_TRACE_WORDS, [LINES_KIND_COST] = LINES_COST_WORDS,
	[LINES_KIND_STATS] = LINES_STATS_WORDS};

static bool read_head(struct lines_area *area, struct bytes bytes)
{
	uint32_t what;

	if (!bytes_have(bytes, 0, LINES_HEAD_BYTES))
		return false;
	area->words.is_big = get_u32(bytes.data) != LINES_MAGIC;
	if (words_u32(&area->words, bytes.data) != LINES_MAGIC)
		return false;
	what = words_u32(&area->words, bytes.data + 4);
	area->kind = what >> 8 & 0xff;
	area->registers = what >> 16 & 0xf;
	area->words.bytes = what >> 24;
	area->version = what & 0xff;
	return area->kind >= LINES_KIND_STACK && area->kind <= LINES_KIND_STATS &&
	       (area->words.bytes == 4 || area->words.bytes == 8) &&
	       bytes_have(bytes, LINES_HEAD_BYTES, (uint64_t)words_of_kind[area->kind] * area->words.bytes);
}

static uint64_t word(const struct lines_area *area, struct bytes bytes, uint32_t index)
{
	return words_get(&area->words, bytes.data + LINES_HEAD_BYTES + (size_t)index * area->words.bytes);
}

/* Counts the whole lines between two addresses; false: the addresses are not a multiple of lines apart. */
static bool count_lines(uint64_t from, uint64_t to, uint32_t line_bytes, uint64_t *count)
{
	*count = to >= from ? (to - from) / line_bytes : 0;
	return to >= from && (to - from) % line_bytes == 0;
}

static bool read_trace(struct lines_area *area, struct bytes bytes)
{
	uint64_t cursor = word(area, bytes, LINES_TRACE_CURSOR), end = word(area, bytes, LINES_TRACE_END), at;

	area->line_bytes = (2 + (uint32_t)__builtin_popcount(area->registers)) * area->words.bytes;
	area->levels = word(area, bytes, LINES_TRACE_LEVELS);
	area->unwritten = word(area, bytes, LINES_TRACE_UNWRITTEN);
	area->wraps = area->kind == LINES_KIND_LOG ? word(area, bytes, LINES_TRACE_WRAPS) : 0;
	area->missed = word(area, bytes, LINES_TRACE_MISSED);
	area->early = word(area, bytes, LINES_TRACE_EARLY);
	area->is_over = word(area, bytes, LINES_TRACE_STATE) & LINES_STATE_NONE || !word(area, bytes, LINES_TRACE_IN_USE);
	if (word(area, bytes, LINES_TRACE_STRIDE) != area->line_bytes || area->levels != end || cursor > end ||
		!count_lines(area->begin, end, area->line_bytes, &area->capacity) ||
		!count_lines(area->begin, cursor, area->line_bytes, &at) ||
		__builtin_add_overflow(end - area->address, area->capacity * LINES_LEVEL_BYTES, &area->bytes))
		return false;
	area->count = area->wraps ? area->capacity : at;
	area->first = area->wraps ? at % (area->capacity ? area->capacity : 1) : 0;
	return area->capacity > 0;
}

static bool read_cost(struct lines_area *area, struct bytes bytes)
{
	uint64_t cursor = word(area, bytes, LINES_COST_CURSOR), end = word(area, bytes, LINES_COST_END);

	area->line_bytes = LINES_COST_LINE_WORDS * area->words.bytes;
	area->unwritten = word(area, bytes, LINES_COST_UNWRITTEN);
	area->dropped = word(area, bytes, LINES_COST_DROPPED);
	area->halves = word(area, bytes, LINES_COST_HALVES);
	area->missed = word(area, bytes, LINES_COST_MISSED);
	area->early = word(area, bytes, LINES_COST_EARLY);
	area->abandoned = word(area, bytes, LINES_COST_ABANDONED);
	area->hz = word(area, bytes, LINES_COST_HZ);
	area->is_over = word(area, bytes, LINES_COST_STATE) & LINES_STATE_NONE || !word(area, bytes, LINES_COST_IN_USE);
	area->bytes = end - area->address;
	return cursor <= end && count_lines(area->begin, end, area->line_bytes, &area->capacity) && area->capacity > 0 &&
	       count_lines(area->begin, cursor, area->line_bytes, &area->count);
}

/* How far the buffer was counted. Without a step, no line was. */
static bool read_step(struct lines_area *area, struct bytes bytes)
{
	uint64_t step = word(area, bytes, LINES_STATS_STEP);
	uint32_t at = LINES_STATS_STEPS + (step == 2 ? LINES_STATS_STEP_WORDS : 0);

	area->busy = word(area, bytes, LINES_STATS_BUSY);
	if (!area->busy || !step)
		return true;
	area->step_next = word(area, bytes, at + LINES_STEP_NEXT);
	area->step_open = word(area, bytes, at + LINES_STEP_OPEN);
	area->step_ticks = word(area, bytes, at + LINES_STEP_TICKS);
	return step <= 2 && area->step_open <= area->step_next;
}

static bool read_stats(struct lines_area *area, struct bytes bytes)
{
	uint64_t rows_bytes;

	area->line_bytes = 2 * area->words.bytes + ROW_COUNTS_BYTES;
	area->capacity = word(area, bytes, LINES_STATS_CAPACITY);
	area->count = word(area, bytes, LINES_STATS_USED);
	area->dropped = word(area, bytes, LINES_STATS_DROPPED);
	area->halves = word(area, bytes, LINES_STATS_HALVES);
	area->missed = word(area, bytes, LINES_STATS_MISSED);
	area->early = word(area, bytes, LINES_STATS_EARLY);
	area->abandoned = word(area, bytes, LINES_STATS_ABANDONED);
	area->not_left = word(area, bytes, LINES_STATS_NOT_LEFT);
	area->hz = word(area, bytes, LINES_STATS_HZ);
	return read_step(area, bytes) && area->capacity > 0 && area->count <= area->capacity &&
	       !__builtin_mul_overflow(area->capacity, (uint64_t)area->line_bytes, &rows_bytes) &&
	       !__builtin_add_overflow(area->begin - area->address, rows_bytes, &area->bytes);
}

/* Calculates the area's address from BEGIN; the result must equal *address, if the caller gives an address. */
static bool place(struct lines_area *area, struct bytes bytes, const uint64_t *address)
{
	static const uint32_t begin_word[] = {[LINES_KIND_STACK] = LINES_TRACE_BEGIN, [LINES_KIND_LOG] = LINES_TRACE_BEGIN,
		[LINES_KIND_COST] = LINES_COST_BEGIN, [LINES_KIND_STATS] = LINES_STATS_BEGIN};
	uint64_t head = LINES_HEAD_BYTES + (uint64_t)words_of_kind[area->kind] * area->words.bytes;
	uint32_t align = area->kind == LINES_KIND_STATS ? 8 : area->words.bytes;

	area->begin = word(area, bytes, begin_word[area->kind]);
	if (area->kind == LINES_KIND_STATS)
		head = (head + 7) & ~UINT64_C(7);
	area->address = area->begin - head;
	return area->begin >= head && area->address % align == 0 && (!address || *address == area->address);
}

static bool read_kind(struct lines_area *area, struct bytes bytes)
{
	if (area->kind == LINES_KIND_COST ? !read_cost(area, bytes)
					  : area->kind == LINES_KIND_STATS ? !read_stats(area, bytes) : !read_trace(area, bytes))
		return false;
	area->stored = area->count;
	return area->bytes <= (area->words.bytes == 8 ? UINT64_MAX : UINT64_C(1) << 32) - area->address;
}

enum lines_area_found lines_area_read(struct lines_area *area, struct bytes bytes, const uint64_t *address)
{
	*area = (struct lines_area){0};
	if (!read_head(area, bytes) || !place(area, bytes, address))
		return LINES_AREA_NONE;
	if (area->version != LINES_VERSION)
		return area->version > LINES_VERSION ? LINES_AREA_NEWER : LINES_AREA_DAMAGED;
	return read_kind(area, bytes) ? LINES_AREA_GOOD : LINES_AREA_DAMAGED;
}

const char *lines_area_kind_name(const struct lines_area *area)
{
	static const char *const names[] = {[LINES_KIND_STACK] = "call trace", [LINES_KIND_LOG] = "call log",
		[LINES_KIND_COST] = "function cost", [LINES_KIND_STATS] = "statistics"};

	return names[area->kind];
}

bool lines_area_has_times(const struct lines_area *area)
{
	return area->kind == LINES_KIND_COST || area->kind == LINES_KIND_STATS;
}
