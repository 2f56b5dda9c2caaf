/* SPDX-License-Identifier: MIT
 *
 * Hooks for processors without stubs of their own: the hot path in C, one copy for all modules. agent.h lists
 * what such processors lack.
 */
#include "port/os/linux/agent.h"
#include "port/os/linux/filter.h"
#include "port/os/linux/overhead.h"

/* Whether to record: without gates, each event tests this. */
static bool is_on(struct dwell_thread *thread)
{
	return (agent.on && thread->generation == agent.generation) || control_admit(thread);
}

/* Returns the function's byte in the map of hooks (filter.h): 0 recorded, 1 dropped, above 1 the number of a counter. */
static uint8_t find_mark(const void *function)
{
	return filter_map ? filter_map[(uint32_t)(uintptr_t)function >> DWELL_FILTER_GRANULE_SHIFT] : 0;
}

static void enter(void *function, void *site)
{
	struct dwell_thread *thread = port_thread();
	struct dwell_ring *ring;
	uint8_t mark = find_mark(function);

	if (mark == 1 || !is_on(thread))
		return;
	if (mark) {
		throttle_count(thread, mark);
		return;
	}
	ring = thread->ring;
	if ((!ring || !dwell_trace_fast(ring, (uintptr_t)function, DWELL_ENTER, port_stack_pointer())) && control_admit(thread)) {
		if (dwell_trace_wants_site(thread))
			site = (void *)inlined_call_site(
				(uintptr_t)function, (uintptr_t)site, (uintptr_t)__builtin_return_address(0));
		dwell_trace_slow(thread, (uintptr_t)function, (uintptr_t)site, DWELL_ENTER, false, port_stack_pointer());
	}
}

static void exit_(void *function, void *site)
{
	struct dwell_thread *thread = port_thread();
	struct dwell_ring *ring;

	if (find_mark(function) || !is_on(thread))
		return;
	ring = thread->ring;
	if ((!ring || !dwell_trace_fast(ring, (uintptr_t)function, DWELL_EXIT, port_stack_pointer())) && control_admit(thread))
		dwell_trace_slow(thread, (uintptr_t)function, (uintptr_t)site, DWELL_EXIT, false, port_stack_pointer());
}

struct hook_targets hooks_make_targets(uint64_t low, uint64_t high, bool window)
{
	(void)low;
	(void)high;
	if (window)
		return (struct hook_targets){agent_enter_window, agent_exit_window};
	return (struct hook_targets){enter, exit_};
}

bool hooks_get_pair(overhead_hook **enter_hook, overhead_hook **exit_hook)
{
	*enter_hook = enter;
	*exit_hook = exit_;
	return agent.hook_kinds & DWELL_HOOKS_CYG;
}

void dwell_own_enter(void *function, void *site)
{
#ifdef DWELL_LINKED_AGENT
	enter(function, site);
#else
	agent_enter_unknown(function, site);
#endif
}

void dwell_own_exit(void *function, void *site)
{
#ifdef DWELL_LINKED_AGENT
	exit_(function, site);
#else
	agent_exit_unknown(function, site);
#endif
}

/* Only processors with stubs have patched sites. */
void dwell_own_fentry(void)
{
}

__attribute__((visibility("default"), alias("dwell_own_enter"))) void __cyg_profile_func_enter(void *function, void *site);
__attribute__((visibility("default"), alias("dwell_own_exit"))) void __cyg_profile_func_exit(void *function, void *site);
