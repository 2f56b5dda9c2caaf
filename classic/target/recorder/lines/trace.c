/* SPDX-License-Identifier: MIT */
#include "classic/target/recorder/lines/trace.h"

#define WORD sizeof(lines_word)
#define LEVEL_BYTES 4u
#define ALL_REGISTERS 0xfu
#define LOG_REGISTERS 0x10u /* of LIMIT in a log */
#define FLOOR_LOG LINES_TAG(-1)
#define FLOOR_UNWRITTEN LINES_TAG(-2)

static volatile lines_word *words_at(lines_word address)
{
	return (volatile lines_word *)address;
}

static bool is_log(const struct lines_trace *trace)
{
	return (trace->what >> 8 & 0xff) == LINES_KIND_LOG;
}

uint32_t dwell_trace_stride(uint32_t registers)
{
	uint32_t words = 2;

	for (uint32_t i = 0; i < TRACE_REGISTERS; i++)
		words += registers >> i & 1;
	return words * (uint32_t)WORD;
}

uint32_t dwell_trace_room(uint32_t registers)
{
	return dwell_trace_stride(registers) + LEVEL_BYTES;
}

uint32_t dwell_trace_capacity(uint32_t bytes, uint32_t registers)
{
	uint32_t capacity;

	bytes -= bytes % (uint32_t)WORD;
	if (bytes < sizeof(struct lines_trace))
		return 0;
	capacity = (bytes - (uint32_t)sizeof(struct lines_trace)) / dwell_trace_room(registers);
	return capacity;
}

/* Permits or forbids the short way of entries. In stack mode it keeps all registers. No buffer lies below address 32, so a log's
 * LIMIT is below each cursor. */
static void set_limits(struct lines_trace *trace)
{
	bool short_ways = trace->what >> 16 & 0xf0, on = trace->state & LINES_STATE_ENABLED;
	uint32_t registers = trace->what >> 16 & 0xf;

	if (is_log(trace)) {
		trace->log_limit = on && short_ways ? trace->end : 0;
		trace->limit = on && short_ways && registers != ALL_REGISTERS ? LOG_REGISTERS | registers : 0;
	} else {
		trace->limit = on && short_ways && registers == ALL_REGISTERS && !trace->unwritten ? trace->end : 0;
	}
}

/* Returns the end of the topmost line that stands for calls without a line. An exit that reaches it takes the long way. */
static lines_word find_base(const struct lines_trace *trace)
{
	for (lines_word at = trace->cursor; at > trace->begin; at -= trace->stride)
		if (*words_at(at - trace->stride) == LINES_TAG(LINES_TAG_UNWRITTEN))
			return at;
	return trace->begin;
}

/* Sets the number of innermost open calls without a line. */
static void set_unwritten(struct lines_trace *trace, lines_word count)
{
	trace->unwritten = count;
	trace->floor = count ? FLOOR_UNWRITTEN : trace->base;
	set_limits(trace);
}

struct lines_trace *dwell_trace_make(void *buffer, uint32_t bytes, uint32_t kind, uint32_t registers, bool short_ways)
{
	uint32_t skip = (uint32_t)(-(uintptr_t)buffer % WORD), capacity;
	struct lines_trace *trace = (struct lines_trace *)((char *)buffer + skip);

	capacity = bytes < skip ? 0 : dwell_trace_capacity(bytes - skip, registers);
	if (!capacity)
		return 0;
	trace->magic = LINES_MAGIC;
	trace->in_use = 1;
	trace->what = LINES_WHAT(kind, registers | (short_ways ? 0xf0 : 0));
	trace->stride = dwell_trace_stride(registers);
	trace->begin = trace->cursor = (lines_word)(trace + 1);
	trace->end = trace->begin + capacity * trace->stride;
	trace->levels = trace->level_at = trace->end;
	trace->level = trace->unwritten = trace->wraps = trace->missed = trace->early = trace->busy = 0;
	trace->limit = trace->log_limit = 0;
	trace->base = trace->begin;
	trace->floor = kind == LINES_KIND_LOG ? FLOOR_LOG : trace->base;
	trace->state = LINES_STATE_ENABLED;
	for (lines_word at = trace->begin; at < trace->end; at += WORD)
		*words_at(at) = 0;
	for (uint32_t i = 0; i < capacity; i++)
		((volatile uint32_t *)trace->levels)[i] = 0;
	set_limits(trace);
	return trace;
}

/* The name is written last: readers skip a line whose name is 0. */
static void write_line(struct lines_trace *trace, lines_word at, lines_word name, lines_word lr, const lines_word *arguments)
{
	volatile lines_word *line = words_at(at);
	uint32_t next = 2, registers = trace->what >> 16;

	line[0] = 0;
	line[1] = lr;
	for (uint32_t i = 0; i < TRACE_REGISTERS; i++)
		if (registers >> i & 1)
			line[next++] = arguments[i];
	line[0] = name;
}

static void enter_log(struct lines_trace *trace, lines_word name, lines_word lr, const lines_word *arguments)
{
	trace->level++;
	if (!(trace->state & LINES_STATE_ENABLED))
		return;
	if (trace->cursor >= trace->end) {
		trace->cursor = trace->begin;
		trace->level_at = trace->levels;
		trace->wraps++;
	}
	*(volatile uint32_t *)trace->level_at = (uint32_t)trace->level;
	write_line(trace, trace->cursor, name, lr, arguments);
	trace->level_at += LEVEL_BYTES;
	trace->cursor += trace->stride;
}

static void enter_stack(struct lines_trace *trace, lines_word name, lines_word lr, const lines_word *arguments)
{
	lines_word room = trace->end - trace->cursor;

	if (!(trace->state & LINES_STATE_ENABLED) || room < trace->stride || (trace->unwritten && room < 2 * trace->stride)) {
		set_unwritten(trace, trace->unwritten + 1);
		return;
	}
	if (trace->unwritten) {
		static const lines_word nothing[TRACE_REGISTERS];

		write_line(trace, trace->cursor, LINES_TAG(LINES_TAG_UNWRITTEN), trace->unwritten, nothing);
		trace->cursor += trace->stride;
		trace->base = trace->cursor;
		set_unwritten(trace, 0);
	}
	trace->cursor += trace->stride;
	write_line(trace, trace->cursor - trace->stride, name, lr, arguments);
}

static void remove_line(struct lines_trace *trace)
{
	*words_at(trace->cursor - trace->stride) = 0;
	trace->cursor -= trace->stride;
}

static void exit_stack(struct lines_trace *trace)
{
	if (trace->unwritten) {
		set_unwritten(trace, trace->unwritten - 1);
	} else if (trace->cursor > trace->floor) {
		remove_line(trace);
	} else if (trace->cursor > trace->begin) {
		lines_word count = words_at(trace->cursor - trace->stride)[1];

		remove_line(trace);
		trace->base = find_base(trace);
		set_unwritten(trace, count ? count - 1 : 0);
	} else {
		trace->early++;
	}
}

void dwell_trace_enter(struct lines_trace *trace, lines_word name, lines_word lr, const lines_word *arguments)
{
	if (trace->state & LINES_STATE_NONE)
		return;
	if (trace->busy) {
		trace->missed++;
		return;
	}
	trace->busy = 1;
	if (is_log(trace))
		enter_log(trace, name, lr, arguments);
	else
		enter_stack(trace, name, lr, arguments);
	trace->busy = 0;
}

void dwell_trace_exit(struct lines_trace *trace)
{
	if (trace->state & LINES_STATE_NONE || trace->busy)
		return;
	trace->busy = 1;
	if (is_log(trace))
		trace->level--;
	else
		exit_stack(trace);
	trace->busy = 0;
}

bool dwell_trace_enable(struct lines_trace *trace, bool enable)
{
	bool before = trace->state & LINES_STATE_ENABLED;

	if (trace->state & LINES_STATE_NONE)
		return false;
	trace->busy = 1;
	trace->state = enable ? LINES_STATE_ENABLED : 0;
	set_limits(trace);
	trace->busy = 0;
	return before;
}

void dwell_trace_clear(struct lines_trace *trace)
{
	lines_word open = trace->unwritten;

	if (trace->state & LINES_STATE_NONE)
		return;
	trace->busy = 1;
	for (lines_word at = trace->begin; at < trace->end; at += trace->stride) {
		volatile lines_word *line = words_at(at);

		if (at < trace->cursor)
			open += line[0] == LINES_TAG(LINES_TAG_UNWRITTEN) ? line[1] : 1;
		line[0] = 0;
	}
	trace->cursor = trace->base = trace->begin;
	trace->level_at = trace->levels;
	trace->wraps = 0;
	if (!is_log(trace))
		set_unwritten(trace, open);
	trace->busy = 0;
}

/* The lr of a removed line stays in memory, and shows that the first line was used. */
bool dwell_trace_is_unused(const struct lines_trace *trace)
{
	return !(words_at(trace->begin)[0] | words_at(trace->begin)[1] | trace->unwritten | trace->early | trace->missed);
}

uint32_t dwell_trace_depth(const struct lines_trace *trace)
{
	lines_word depth = trace->unwritten;

	if (trace->state & LINES_STATE_NONE)
		return 0;
	if (is_log(trace))
		return (uint32_t)trace->level;
	for (lines_word at = trace->begin; at < trace->cursor; at += trace->stride)
		depth += *words_at(at) == LINES_TAG(LINES_TAG_UNWRITTEN) ? words_at(at)[1] : 1;
	return (uint32_t)depth;
}

void dwell_trace_unwind(struct lines_trace *trace, uint32_t depth)
{
	uint32_t open = dwell_trace_depth(trace);

	if (trace->state & LINES_STATE_NONE || (int32_t)(open - depth) <= 0)
		return;
	trace->busy = 1;
	if (is_log(trace))
		trace->level = depth;
	else
		for (; open > depth; open--)
			exit_stack(trace);
	trace->busy = 0;
}

static uint32_t level_of(const struct lines_trace *trace, lines_word line)
{
	return ((volatile uint32_t *)trace->levels)[(line - trace->begin) / trace->stride];
}

/* Returns the line before this one, in the order of time. */
static lines_word step_back(const struct lines_trace *trace, lines_word at)
{
	return (at == trace->begin ? trace->end : at) - trace->stride;
}

void dwell_trace_look(const struct lines_trace *trace, struct trace_look *look)
{
	lines_word count;

	look->trace = trace;
	look->registers = trace->what >> 16 & 0xf;
	look->log = is_log(trace);
	do { /* a handler in between may turn calls without a line into a line that stands for them */
		look->at = trace->cursor;
		look->unwritten = trace->unwritten;
	} while (look->at != trace->cursor);
	count = (trace->wraps ? trace->end : look->at) - trace->begin;
	look->left = trace->state & LINES_STATE_NONE ? 0 : count / trace->stride;
	look->least = look->log && look->left ? level_of(trace, step_back(trace, look->at)) : 0;
	for (lines_word at = look->at, left = look->log ? look->left : 0; left; left--) {
		uint32_t level = level_of(trace, at = step_back(trace, at));

		if ((int32_t)(level - look->least) < 0) /* the origin is unknown, so a level may be below 0 */
			look->least = level;
	}
}

bool dwell_trace_next(struct trace_look *look, struct trace_line *line)
{
	const struct lines_trace *trace = look->trace;

	line->unwritten = look->unwritten;
	look->unwritten = 0;
	if (line->unwritten)
		return true;
	while (look->left) {
		const volatile lines_word *words = words_at(look->at = step_back(trace, look->at));
		uint32_t next = 2;

		look->left--;
		line->level = 0;
		if (look->log) {
			int32_t deeper = (int32_t)(level_of(trace, look->at) - look->least);

			line->level = deeper > 0 ? (uint32_t)deeper : 0; /* a handler may write lines meanwhile */
		}
		line->name = words[0];
		line->lr = words[1];
		if (!line->name) /* the line is being written */
			continue;
		if (line->name == LINES_TAG(LINES_TAG_UNWRITTEN)) {
			line->unwritten = line->lr;
			return true;
		}
		for (uint32_t i = 0; i < TRACE_REGISTERS; i++)
			line->argument[i] = look->registers >> i & 1 ? words[next++] : 0;
		return true;
	}
	return false;
}
