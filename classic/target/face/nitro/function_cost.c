/* SPDX-License-Identifier: MIT
 *
 * OS_…FunctionCost: the NITRO-SDK's functions for function cost, on the recorder in classic/target/recorder/lines/cost.h. */
#include "classic/core/cost.h"
#include "classic/target/face/nitro/face.h"
#include "classic/target/recorder/lines/cost.h"
#include "classic/target/recorder/lines/made.h"
#include "classic/target/recorder/lines/owned.h"

/* BUSY while OS_InitFunctionCost asks for the tick: SEEN_LR is then the name of the first function that was entered. */
#define PROBING 2

void nitro_enter(lines_word name, lines_word lr, const lines_word *arguments)
{
	struct lines_cost *cost = nitro_port_get_cost();

	(void)lr;
	(void)arguments;
	if (cost && cost->busy == PROBING)
		cost->seen_lr = cost->seen_lr ? cost->seen_lr : name;
	else if (cost)
		dwell_cost_enter(cost, name, nitro_port_line_tick(cost));
}

void nitro_exit(void)
{
	struct lines_cost *cost = nitro_port_get_cost();

	if (cost && cost->busy != PROBING)
		dwell_cost_exit(cost, nitro_port_line_tick(cost));
}

static void release(struct lines_cost *cost)
{
	uintptr_t before;

	cost->state = LINES_STATE_NONE;
	cost->in_use = 0;
	before = nitro_port_lock();
	dwell_lines_disown(cost);
	nitro_port_unlock(before);
}

enum outcome { TAKEN, TAKEN_FROM_STATISTICS, OF_ANOTHER_THREAD, COUNTED_INTO };

/* Marks the control area and all bytes of the buffer as a thread's own, unless a byte
 * of the buffer belongs to another thread. Statistics in the buffer become invalid. */
static enum outcome take(struct lines_cost *cost, const void *buf, u32 size)
{
	uintptr_t before = nitro_port_lock();
	const struct lines_stats *stats = dwell_made_find(buf, size);
	bool says_in_use = cost->magic == LINES_MAGIC && cost->begin == (lines_word)(cost + 1) && cost->in_use;
	enum outcome outcome = stats ? TAKEN_FROM_STATISTICS : TAKEN;

	if (stats && stats->busy) {
		outcome = COUNTED_INTO;
	} else if (!dwell_lines_own(buf, size, says_in_use)) {
		outcome = OF_ANOTHER_THREAD;
	} else {
		dwell_made_forget(buf, size);
		cost->magic = LINES_MAGIC;
		cost->begin = (lines_word)(cost + 1);
		cost->in_use = 1;
	}
	nitro_port_unlock(before);
	return outcome;
}

/* Returns the clock's first function with PROFILE calls, or 0. Hooks that ask such a clock call themselves without end. */
static lines_word find_hooked_clock(void *buf, u32 size)
{
	struct lines_cost *cost = dwell_cost_make(buf, size, 0, 0, 0);
	uintptr_t before = nitro_port_mask();

	cost->busy = PROBING;
	nitro_port_set_cost(cost);
	nitro_port_line_tick(cost);
	nitro_port_set_cost(0);
	nitro_port_unmask(before);
	return cost->seen_lr;
}

static void begin(void *buf, u32 size)
{
	/* Twice: on Linux a handler may have interrupted the first time. */
	lines_word clock = find_hooked_clock(buf, size) ? find_hooked_clock(buf, size) : 0;
	struct lines_cost *cost = dwell_cost_make(buf, size, nitro_port_tick_at(), 0, OS_GetTicksPerSecond());

	if (clock) {
		OS_Printf("OS_InitFunctionCost: the clock has PROFILE calls itself, in ");
		face_print_name(clock);
		OS_Printf(": compile it without them; nothing is measured\n");
		release(cost);
		return;
	}
	cost->left = cost->off_tick = nitro_port_line_tick(cost);
	cost->away = 0;
	nitro_port_set_cost(cost);
}

static void take_and_begin(void *buf, u32 size, uint32_t skip)
{
	enum outcome outcome = take((struct lines_cost *)((char *)buf + skip), buf, size);

	if (outcome == OF_ANOTHER_THREAD)
		OS_Printf("OS_InitFunctionCost: %p is in another thread's buffer, or has that in it: nothing is measured\n", buf);
	else if (outcome == COUNTED_INTO)
		OS_Printf("OS_InitFunctionCost: another thread counts into statistics in %p: nothing is measured\n", buf);
	else if (outcome == TAKEN_FROM_STATISTICS)
		OS_Printf("OS_InitFunctionCost: statistics were made in %p: they are none any more\n", buf);
	if (outcome == TAKEN || outcome == TAKEN_FROM_STATISTICS)
		begin(buf, size);
}

void OS_InitFunctionCost(void *buf, u32 size)
{
	uint32_t skip = (uint32_t)(-(uintptr_t)buf % sizeof(lines_word));
	struct lines_cost *cost = nitro_port_get_cost();

	if (cost) {
		nitro_port_set_cost(0);
		release(cost);
	}
	if (!buf) {
		OS_Printf("OS_InitFunctionCost: no buffer (null): nothing is measured\n");
	} else if (!face_is_in_memory(buf, size)) {
		OS_Printf("OS_InitFunctionCost: there are no %u bytes behind %p: nothing is measured\n", (unsigned)size, buf);
	} else if (!OS_IsTickAvailable()) {
		OS_Printf("OS_InitFunctionCost: OS_InitTick() comes first: nothing is measured\n");
	} else if (size < skip || !dwell_cost_capacity(size - skip)) {
		OS_Printf("OS_InitFunctionCost: %u bytes are too few for a call, which takes %u: nothing is measured\n",
			(unsigned)size, (unsigned)(OS_CalcFunctionCostBufferSize(1) + skip));
	} else {
		take_and_begin(buf, size, skip);
	}
}

int OS_CalcFunctionCostLines(u32 size)
{
	return (int)dwell_cost_capacity(size);
}

u32 OS_CalcFunctionCostBufferSize(int lines)
{
	uint64_t bytes = sizeof(struct lines_cost) + (uint64_t)(lines < 0 ? 0 : lines) * 2 * COST_LINE_BYTES;

	return lines < 0 || bytes > UINT32_MAX ? 0 : (u32)bytes;
}

BOOL OS_RestoreFunctionCost(BOOL enable)
{
	struct lines_cost *cost = nitro_port_get_cost();
	uintptr_t masked = nitro_port_mask();
	BOOL before = cost ? dwell_cost_enable(cost, enable, nitro_port_line_tick(cost)) : FALSE;

	nitro_port_unmask(masked);
	return before;
}

BOOL OS_EnableFunctionCost(void)
{
	return OS_RestoreFunctionCost(TRUE);
}

BOOL OS_DisableFunctionCost(void)
{
	return OS_RestoreFunctionCost(FALSE);
}

u32 OS_GetProfileDepth(void)
{
	struct lines_cost *cost = nitro_port_get_cost();

	return cost ? dwell_cost_depth(cost) : 0;
}

void OS_SetProfileDepth(u32 depth)
{
	struct lines_cost *cost = nitro_port_get_cost();
	uintptr_t before = nitro_port_mask();

	if (cost)
		dwell_cost_unwind(cost, depth, nitro_port_line_tick(cost));
	nitro_port_unmask(before);
}

void OS_ClearFunctionCostBuffer(void)
{
	struct lines_cost *cost = nitro_port_get_cost();
	uintptr_t before = nitro_port_mask();

	if (cost)
		dwell_cost_clear(cost, nitro_port_line_tick(cost));
	nitro_port_unmask(before);
}

void OS_ReleaseProfile(void *profile)
{
	struct lines_cost *own = nitro_port_get_cost(), *cost = profile ? nitro_port_cost_of(profile) : own;

	if (cost && cost == own)
		nitro_port_set_cost(0);
	if (cost)
		release(cost);
}
