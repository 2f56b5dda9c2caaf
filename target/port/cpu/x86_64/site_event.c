/* SPDX-License-Identifier: MIT
 *
 * The slow path of patched sites: what stub.S saved, as an event for the recorder.
 */
#include "port/os/linux/agent.h"

/* As dwell_site_slow leaves them, from the stack pointer up. */
struct site_registers {
	uint64_t rbx, rbp, rcx, rsi, rdi, r8, r9, r10, r11;
	uint32_t place; /* low word of the slot; 0: a call of __fentry__ */
	uint32_t unused;
	uint64_t rdx, rax;
	uint64_t here;   /* where it returns to, in the function */
	uint64_t caller; /* at an entry: the function's own return address */
};

enum { SITE_WINDOW = 1, SITE_ENTRY_ONLY = 2 };

void agent_site(const struct site_registers *registers, uint32_t flags) HIDDEN;

/* Compilers put calls of these behind nothing: the return address is the caller's, as it is, however much was inlined. Inside the call,
 * not behind it; see inlined.c. */
static uint64_t caller_of(const struct site_registers *registers)
{
	return port_site_is_interrupt(registers->caller) ? registers->caller : registers->caller - 2;
}

void agent_site(const struct site_registers *registers, uint32_t flags)
{
	struct dwell_thread *thread = port_thread();
	enum dwell_event_kind kind = registers->place & 1 ? DWELL_EXIT : DWELL_ENTER;
	uint64_t place = registers->here + (uint64_t)(int64_t)(int32_t)(registers->place - (uint32_t)registers->here);
	bool window = flags & SITE_WINDOW;
	uint64_t from = 0;

	if (!control_look(thread))
		return;
	if (!registers->place) {
		/* Not patched (yet): of a file that was loaded later. */
		place = modules_adopt_site(registers->here, &window);
		if (!place)
			return;
	}
	if (kind == DWELL_ENTER)
		from = dwell_trace_wants_site(thread) ? caller_of(registers) : registers->caller;
	dwell_trace_slow(thread, place, from, kind, window, (uintptr_t)&registers->here);
}
