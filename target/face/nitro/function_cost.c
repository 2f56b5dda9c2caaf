/* SPDX-License-Identifier: MIT
 *
 * OS_…FunctionCost: the buffers of the recorder in recorder/lines/cost.h, as the NITRO-SDK has them. */
#include "face/nitro/face.h"
#include "recorder/lines/cost.h"

void nitro_enter(lines_word name, lines_word lr, const lines_word *arguments)
{
	struct lines_cost *cost = nitro_port_get_cost();

	(void)lr;
	(void)arguments;
	if (cost)
		dwell_cost_enter(cost, name, nitro_port_line_tick(cost));
}

void nitro_exit(void)
{
	struct lines_cost *cost = nitro_port_get_cost();

	if (cost)
		dwell_cost_exit(cost, nitro_port_line_tick(cost));
}

static void release(struct lines_cost *cost)
{
	cost->state = LINES_STATE_NONE;
	cost->in_use = 0;
}

/* Marks the control area as somebody's. False: it is another thread's. */
static bool take(struct lines_cost *cost)
{
	uintptr_t before = nitro_port_lock();
	bool free = cost->magic != LINES_MAGIC || cost->begin != (lines_word)(cost + 1) || !cost->in_use;

	if (free) {
		cost->magic = LINES_MAGIC;
		cost->begin = (lines_word)(cost + 1);
		cost->in_use = 1;
	}
	nitro_port_unlock(before);
	return free;
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
	} else if (!OS_IsTickAvailable()) {
		OS_Printf("OS_InitFunctionCost: OS_InitTick() comes first: nothing is measured\n");
	} else if (size < skip || !dwell_cost_capacity(size - skip)) {
		OS_Printf("OS_InitFunctionCost: %u bytes are too few for a call, which takes %u: nothing is measured\n",
			(unsigned)size, (unsigned)(OS_CalcFunctionCostBufferSize(1) + skip));
	} else if (!take((struct lines_cost *)((char *)buf + skip))) {
		OS_Printf("OS_InitFunctionCost: %p is another thread's buffer: nothing is measured\n", buf);
	} else {
		cost = dwell_cost_make(buf, size, nitro_port_tick_at(), OS_GetTickLo(), OS_GetTicksPerSecond());
		nitro_port_line_tick(cost);
		cost->away = 0;
		nitro_port_set_cost(cost);
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
