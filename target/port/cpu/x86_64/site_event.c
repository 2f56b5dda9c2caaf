/* SPDX-License-Identifier: MIT
 *
 * The slow path of patched sites: passes what stub.S saved to the recorder, as an event.
 */
#include "port/os/linux/agent.h"

/* The registers as dwell_site_slow pushes them, from the stack pointer up. */
struct site_registers {
	uint64_t rbx, rbp, rcx, rsi, rdi, r8, r9, r10, r11;
	uint32_t place; /* low word of the slot; 0: a call of __fentry__ */
	uint32_t unused;
	uint64_t rdx, rax;
	uint64_t here;   /* return address of the site, in the function */
	uint64_t caller; /* at an entry: the function's own return address */
};

enum { SITE_WINDOW = 1, SITE_VALUES = 2, SITE_ENTRY_ONLY = 4 };

void agent_site(const struct site_registers *registers, uint32_t flags) HIDDEN;

/* In nested functions GCC pushes r10 before a site of five or six bytes, and pops it after the site. */
static bool is_nested(uint64_t here)
{
	const uint8_t *code = (const uint8_t *)here;

	return code[0] == 0x41 && code[1] == 0x5a &&
	       ((code[-7] == 0x41 && code[-6] == 0x52) || (code[-8] == 0x41 && code[-7] == 0x52));
}

/* Returns the call site of an enter. Compilers add these sites after inlining, so the return address is in the real caller. asked:
 * an address inside the call instruction instead of behind it; see inlined.c. */
static uint64_t caller_of(const struct site_registers *registers, bool asked)
{
	uint64_t site = is_nested(registers->here) ? (&registers->caller)[1] : registers->caller;

	return asked && !port_site_is_interrupt(site) ? site - 2 : site;
}

/* Stores the integer registers of arguments or of the result. Returns how many; 0: the session records none. */
static unsigned take_values(const struct site_registers *registers, enum dwell_event_kind kind, uint64_t values[DWELL_ARGS_MAX])
{
	const uint64_t args[DWELL_ARGS_MAX] = {
		registers->rdi, registers->rsi, registers->rdx, registers->rcx, registers->r8, registers->r9};
	uint32_t wanted = agent.session ? agent.session->args : 0;

	if (kind == DWELL_EXIT) {
		values[0] = registers->rax;
		return wanted != 0;
	}
	wanted = wanted < DWELL_ARGS_MAX ? wanted : DWELL_ARGS_MAX;
	for (uint32_t i = 0; i < wanted; i++)
		values[i] = args[i];
	return wanted;
}

void agent_site(const struct site_registers *registers, uint32_t flags)
{
	struct dwell_thread *thread = port_thread();
	enum dwell_event_kind kind = registers->place & 1 ? DWELL_EXIT : DWELL_ENTER;
	uint64_t place = registers->here + (uint64_t)(int64_t)(int32_t)(registers->place - (uint32_t)registers->here);
	bool window = flags & SITE_WINDOW, entry_only = flags & SITE_ENTRY_ONLY;
	uint64_t from = 0, values[DWELL_ARGS_MAX];
	unsigned value_count = 0;

	if (!control_admit(thread))
		return;
	if (!registers->place) {
		/* A site that is not patched (yet): its file was loaded later. */
		place = modules_adopt_site(registers->here, &window);
		if (!place)
			return;
		entry_only = place & 1;
	}
	if (entry_only) {
		dwell_trace_entry(thread, place, caller_of(registers, true), window, (uintptr_t)&registers->here);
		return;
	}
	if (kind == DWELL_ENTER)
		from = caller_of(registers, dwell_trace_wants_site(thread));
	if (flags & SITE_VALUES || !registers->place)
		value_count = take_values(registers, kind, values);
	dwell_trace_values(thread, place, from, kind, window, (uintptr_t)&registers->here, values, value_count);
}
