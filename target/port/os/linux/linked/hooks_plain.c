/* SPDX-License-Identifier: MIT
 *
 * Hook targets for processors without stubs of their own: the hot path in C, one copy for all modules.
 */
#include "port/os/linux/agent.h"
#include "port/os/linux/filter.h"
#include "port/os/linux/overhead.h"

/* There are no gates: each event looks. */
static bool is_on(struct dwell_thread *thread)
{
	return (agent.on && thread->generation == agent.generation) || control_look(thread);
}

/* Where there is a filter or a throttle. */
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
	if ((!ring || !dwell_trace_fast(ring, (uintptr_t)function, DWELL_ENTER, port_stack_pointer())) && control_look(thread)) {
		if (dwell_trace_wants_site(thread))
			site = (void *)inlined_call_site((uintptr_t)function, (uintptr_t)site, (uintptr_t)__builtin_return_address(0));
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
	if ((!ring || !dwell_trace_fast(ring, (uintptr_t)function, DWELL_EXIT, port_stack_pointer())) && control_look(thread))
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

bool sites_get_pair(overhead_hook **enter_hook, overhead_hook **exit_hook)
{
	(void)enter_hook;
	(void)exit_hook;
	return false;
}

unsigned hooks_patch_code(uint64_t begin, uint64_t end, void *const *got, const void *target)
{
	(void)begin;
	(void)end;
	(void)got;
	(void)target;
	return 0;
}

void hooks_switch(bool on)
{
	(void)on;
}

struct sites *hooks_adopt_sites(const struct image *image, struct sites *earlier, bool window, enum sites_when when,
	const struct dwell_filter_module *filter, uint64_t hook)
{
	(void)filter;
	(void)image;
	(void)earlier;
	(void)window;
	(void)when;
	(void)hook;
	return 0;
}

void hooks_drop_sites(struct sites *sites)
{
	(void)sites;
}

bool hooks_mute_function(const struct sites *sites, uint64_t place)
{
	(void)sites;
	(void)place;
	return false;
}

void hooks_unfilter(void)
{
}

void hooks_filter_sites(const struct sites *sites, const struct dwell_filter_module *filter, uint64_t bias)
{
	(void)sites;
	(void)filter;
	(void)bias;
}

bool hooks_sites_stand(const struct sites *sites)
{
	(void)sites;
	return true;
}

void hooks_watch(uint64_t function, void (*then)(void))
{
	(void)function;
	(void)then;
}

bool hooks_may_be_tags(uint64_t low, uint64_t high)
{
	(void)low;
	(void)high;
	return false;
}

uint64_t hooks_find_function(const struct sites *sites, const struct extents *extents, uint64_t address)
{
	(void)sites;
	(void)extents;
	(void)address;
	return 0;
}

enum modules_hooked hooks_find_place(const struct extents *extents, uint64_t start, uint64_t end, uint64_t hook, uint64_t *place)
{
	(void)extents;
	(void)start;
	(void)end;
	(void)hook;
	(void)place;
	return MODULES_NOT_HOOKED;
}

bool hooks_find_whole(
	const struct extents *extents, uint64_t start, uint64_t end, uint64_t return_address, uint64_t *whole_start, uint64_t *whole_end)
{
	(void)extents;
	(void)start;
	(void)end;
	(void)return_address;
	(void)whole_start;
	(void)whole_end;
	return false;
}

void hooks_set_ring(uint64_t slot_bytes)
{
	(void)slot_bytes;
}

void hooks_adopt_own(void)
{
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

/* Patched sites are for processors that have hooks of their own. */
void dwell_own_fentry(void)
{
}

__attribute__((visibility("default"), alias("dwell_own_enter"))) void __cyg_profile_func_enter(void *function, void *site);
__attribute__((visibility("default"), alias("dwell_own_exit"))) void __cyg_profile_func_exit(void *function, void *site);
