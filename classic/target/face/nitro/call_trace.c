/* SPDX-License-Identifier: MIT
 *
 * OS_…CallTrace: the NITRO-SDK's functions for call traces, on the recorder in classic/target/recorder/lines/trace.h. */
#include "classic/target/face/nitro/face.h"
#include "classic/target/recorder/lines/owned.h"
#include "classic/target/recorder/lines/trace.h"

#define REGISTERS_UNSET 0x100u
#define DEEPEST_SHOWN 64u

static uint32_t wanted = REGISTERS_UNSET;

/* The registers at the call, as far as the port can read registers. */
static uint32_t known_registers(void)
{
	return &nitro_names_are_addresses ? 0 : nitro_port_registers();
}

static uint32_t registers(void)
{
	return wanted == REGISTERS_UNSET ? known_registers() : wanted;
}

void OS_SetCallTraceRegisters(u32 which)
{
	wanted = which & 0xf & known_registers();
}

void nitro_enter(lines_word name, lines_word lr, const lines_word *arguments)
{
	struct lines_trace *trace = nitro_port_get_trace();

	if (trace)
		dwell_trace_enter(trace, name, lr, arguments);
}

void nitro_exit(void)
{
	struct lines_trace *trace = nitro_port_get_trace();

	if (trace)
		dwell_trace_exit(trace);
}

static void release(struct lines_trace *trace)
{
	uintptr_t before;

	trace->state = LINES_STATE_NONE;
	trace->in_use = 0;
	before = nitro_port_lock();
	dwell_lines_disown(trace);
	nitro_port_unlock(before);
}

/* Marks the control area and all bytes of the buffer as a thread's own. False: a byte of the buffer belongs to another thread. */
static bool take(struct lines_trace *trace, const void *buf, u32 size)
{
	uintptr_t before = nitro_port_lock();
	bool says_in_use = trace->magic == LINES_MAGIC && trace->begin == (lines_word)(trace + 1) && trace->in_use;
	bool free = dwell_lines_own(buf, size, says_in_use);

	if (free) {
		trace->magic = LINES_MAGIC;
		trace->begin = (lines_word)(trace + 1);
		trace->in_use = 1;
	}
	nitro_port_unlock(before);
	return free;
}

void OS_InitCallTrace(void *buf, u32 size, OSCallTraceMode mode)
{
	uint32_t skip = (uint32_t)(-(uintptr_t)buf % sizeof(lines_word));
	struct lines_trace *trace = nitro_port_get_trace();

	if (trace) {
		nitro_port_set_trace(0);
		release(trace);
	}
	if (!buf) {
		OS_Printf("OS_InitCallTrace: no buffer (null): nothing is recorded\n");
	} else if (mode != OS_CALLTRACE_STACK && mode != OS_CALLTRACE_LOG) {
		OS_Printf("OS_InitCallTrace: there is no mode %d: nothing is recorded\n", (int)mode);
	} else if (!face_is_in_memory(buf, size)) {
		OS_Printf("OS_InitCallTrace: there are no %u bytes behind %p: nothing is recorded\n", (unsigned)size, buf);
	} else if (size < skip || !dwell_trace_capacity(size - skip, registers())) {
		OS_Printf("OS_InitCallTrace: %u bytes are too few for a line, which takes %u: nothing is recorded\n",
			(unsigned)size, (unsigned)(OS_CalcCallTraceBufferSize(1) + skip));
	} else if (!take((struct lines_trace *)((char *)buf + skip), buf, size)) {
		OS_Printf("OS_InitCallTrace: %p is in another thread's buffer, or has that in it: nothing is recorded\n", buf);
	} else {
		nitro_port_set_trace(dwell_trace_make(buf, size, mode == OS_CALLTRACE_LOG ? LINES_KIND_LOG : LINES_KIND_STACK,
			registers(), nitro_port_short_ways()));
	}
}

int OS_CalcCallTraceLines(u32 size)
{
	return (int)dwell_trace_capacity(size, registers());
}

u32 OS_CalcCallTraceBufferSize(int lines)
{
	uint64_t bytes = sizeof(struct lines_trace) + (uint64_t)(lines < 0 ? 0 : lines) * dwell_trace_room(registers());

	bytes = (bytes + sizeof(lines_word) - 1) / sizeof(lines_word) * sizeof(lines_word);
	return lines < 0 || bytes > UINT32_MAX ? 0 : (u32)bytes;
}

static void show(const struct trace_look *look, const struct trace_line *line)
{
	uint32_t level = line->level < DEEPEST_SHOWN ? line->level : DEEPEST_SHOWN;

	OS_Printf("%*s", (int)(2 * level), "");
	face_print_name(line->name);
	OS_Printf(": lr=" FACE_ADDRESS, FACE_DIGITS, (unsigned long)line->lr);
	for (int i = 0; i < TRACE_REGISTERS; i++)
		if (look->registers >> i & 1)
			OS_Printf(", r%d=" FACE_ADDRESS, i, FACE_DIGITS, (unsigned long)line->argument[i]);
	OS_Printf("\n");
}

static u32 dump(lines_word lr)
{
	struct lines_trace *trace = nitro_port_get_trace();
	struct trace_look look;
	struct trace_line line;
	u32 shown = 0;
	BOOL is_empty = TRUE;

	if (!trace) {
		OS_Printf("OS_DumpCallTrace: this thread has no buffer: OS_InitCallTrace gives it one\n");
		return 0;
	}
	dwell_trace_look(trace, &look);
	if (!look.log)
		OS_Printf("OS_DumpCallTrace: lr=" FACE_ADDRESS "\n", FACE_DIGITS, (unsigned long)lr);
	while (dwell_trace_next(&look, &line)) {
		is_empty = FALSE;
		if (line.unwritten) {
			OS_Printf("(%lu call%s not recorded)\n", (unsigned long)line.unwritten, line.unwritten == 1 ? "" : "s");
		} else {
			show(&look, &line);
			shown++;
		}
	}
	if (is_empty && dwell_trace_is_unused(trace))
		OS_Printf("OS_DumpCallTrace: no call was recorded: " FACE_WHY_NONE);
	else if (is_empty && look.log)
		OS_Printf("OS_DumpCallTrace: no call is in the buffer\n");
	if (trace->missed)
		OS_Printf("(%lu call%s missed, their handler interrupted the profiler)\n", (unsigned long)trace->missed,
			trace->missed == 1 ? "" : "s");
	if (trace->early)
		OS_Printf("(%lu exit%s of functions that were entered before)\n", (unsigned long)trace->early, trace->early == 1 ? "" : "s");
	return shown;
}

u32 OS_DumpCallTrace(void)
{
	return dump((lines_word)__builtin_return_address(0));
}

u32 OS_DumpCallTraceBufferSize(void)
{
	return dump((lines_word)__builtin_return_address(0));
}

BOOL OS_RestoreCallTrace(BOOL enable)
{
	struct lines_trace *trace = nitro_port_get_trace();
	uintptr_t masked = nitro_port_mask();
	BOOL before = trace ? dwell_trace_enable(trace, enable) : FALSE;

	nitro_port_unmask(masked);
	return before;
}

BOOL OS_EnableCallTrace(void)
{
	return OS_RestoreCallTrace(TRUE);
}

BOOL OS_DisableCallTrace(void)
{
	return OS_RestoreCallTrace(FALSE);
}

u32 OS_GetProfileDepth(void)
{
	struct lines_trace *trace = nitro_port_get_trace();

	return trace ? dwell_trace_depth(trace) : 0;
}

void OS_SetProfileDepth(u32 depth)
{
	struct lines_trace *trace = nitro_port_get_trace();
	uintptr_t masked = nitro_port_mask();

	if (trace)
		dwell_trace_unwind(trace, depth);
	nitro_port_unmask(masked);
}

void OS_ClearCallTraceBuffer(void)
{
	struct lines_trace *trace = nitro_port_get_trace();
	uintptr_t masked = nitro_port_mask();

	if (trace)
		dwell_trace_clear(trace);
	nitro_port_unmask(masked);
}

void *OS_SwitchProfile(void *profile)
{
	void *before = nitro_port_get_trace();

	nitro_port_set_trace(profile);
	return before;
}

void OS_ReleaseProfile(void *profile)
{
	struct lines_trace *own = nitro_port_get_trace(), *trace = profile ? profile : own;

	if (trace && trace == own)
		nitro_port_set_trace(0);
	if (trace)
		release(trace);
}
