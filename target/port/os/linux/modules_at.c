/* SPDX-License-Identifier: MIT
 *
 * Finds the file that is mapped at an address, with its functions, hooks and unwind tables.
 */
#include "port/os/linux/modules_inner.h"

#include "port/os/linux/extents.h"
#include "port/os/linux/filter.h"

struct module *modules_at(uint64_t address)
{
	for (unsigned i = 0; i < module_count; i++)
		if (!modules[i].is_unmapped && address >= modules[i].low && address < modules[i].high)
			return &modules[i];
	return 0;
}

uint64_t modules_get_unwind_index(uint64_t address, uint64_t *bytes)
{
	for (unsigned i = 0; i < module_count; i++) {
		if (modules[i].is_unmapped || address < modules[i].low || address >= modules[i].high)
			continue;
		*bytes = modules[i].unwind_index_bytes;
		return modules[i].unwind_index;
	}
	return 0;
}

bool modules_find_whole(uint64_t start, uint64_t end, uint64_t return_address, uint64_t *whole_start, uint64_t *whole_end)
{
	const struct module *module = modules_at(start);
	struct extents extents;

	if (!module)
		return false;
	extents = extents_of(module->unwind_index, module->unwind_index_bytes);
	if (*whole_start) {
		uint32_t i = extents_find(&extents, *whole_start);

		*whole_end = extents_get(&extents, i < extents.count ? i : 0).end;
		if (i < extents.count && extents_get(&extents, i).start == *whole_start)
			return true;
	}
	return hooks_find_whole(&extents, start, end, return_address, whole_start, whole_end);
}

bool modules_is_hooked(uint64_t address)
{
	const struct module *module = modules_at(address);

	return module && (module->targets.enter || module->sites || module->exported || module->flags & DWELL_MODULE_HOOKED);
}

bool modules_calls_hooks(uint64_t address)
{
	const struct module *module = modules_at(address);

	return module && !module->sites && modules_is_hooked(address);
}

uint64_t modules_find_jump(uint64_t pc)
{
	const struct module *module = modules_at(pc);
	struct extents extents;

	if (!module)
		return 0;
	extents = extents_of(module->unwind_index, module->unwind_index_bytes);
	return hooks_find_jump(&extents, pc);
}

enum modules_hooked modules_find_hooked(uint64_t start, uint64_t end, uint64_t *place)
{
	const struct module *module = modules_at(start);
	uint64_t own = (uint64_t)&dwell_own_enter, hook = module ? (uint64_t)module->targets.enter : 0;
	enum modules_hooked hooked = MODULES_NOT_HOOKED;
	bool calls_own;
	struct extents extents;

	if (!module)
		return MODULES_NOT_HOOKED;
	calls_own = own >= module->low && own < module->high;
	if (!hook && !module->sites && !calls_own)
		return MODULES_NOT_HOOKED;
	if (module->window || hooks_may_be_tags(module->low, module->high))
		return MODULES_HOOKED_UNKNOWN;
	if (filter_drops(filter_find(module->path, module->build_id, module->build_id_bytes), start - module->bias))
		return MODULES_NOT_HOOKED;
	if (throttle_drops(start))
		return MODULES_NOT_HOOKED;
	extents = extents_of(module->unwind_index, module->unwind_index_bytes);
	*place = module->sites ? hooks_find_function(module->sites, &extents, start) : 0;
	if (*place)
		return *place & 1u ? MODULES_NOT_HOOKED : MODULES_HOOKED;
	if (hook)
		hooked = hooks_find_place(&extents, start, end, hook, place);
	if (hooked == MODULES_NOT_HOOKED && (calls_own || module->exported))
		hooked = hooks_find_place(&extents, start, end, own, place);
	return hooked;
}

enum dwell_throttle_state modules_throttle(uint32_t place, uint32_t counter, uint64_t ticks)
{
	for (unsigned i = 0; i < module_count; i++) {
		const struct module *module = &modules[i];
		uint64_t offset = (uint32_t)(place - (uint32_t)module->low), own = (uint64_t)&dwell_own_enter;

		if (module->is_unmapped || offset >= module->high - module->low || !(module->flags & DWELL_MODULE_HOOKED))
			continue;
		if (module->load_ticks > ticks || module->exported || hooks_may_be_tags(module->low, module->high))
			break;
		if (module->sites && hooks_mute_function(module->sites, module->low + offset, counter != DWELL_THROTTLE_UNDO))
			return DWELL_THROTTLE_OFF;
		if (!throttle_is_on || !(module->targets.enter || (own >= module->low && own < module->high)))
			break;
		filter_set(place, (uint8_t)counter);
		return DWELL_THROTTLE_COUNTED;
	}
	return DWELL_THROTTLE_REFUSED;
}

bool modules_needs_window(uint64_t place)
{
	const struct module *module = modules_at(place);

	return !module || !(module->flags & DWELL_MODULE_HOOKED) || module->window || hooks_may_be_tags(module->low, module->high);
}

uint64_t modules_adopt_site(uint64_t address, bool *window)
{
	struct module *module = modules_at(address);
	struct extents extents;

	if (!module || (!module->settled && !(module->sites && hooks_are_patched(module->sites)))) {
		modules_adopt(address);
		module = modules_at(address);
	}
	if (!module)
		return 0;
	extents = extents_of(module->unwind_index, module->unwind_index_bytes);
	if (extents.count && extents_find(&extents, address) == extents.count && !(agent.hook_kinds & DWELL_HOOKS_UNFOUND))
		modules_count(DWELL_HOOKS_UNFOUND, 0, 0);
	if (!module->sites) {
		module->settled = true;
		return 0;
	}
	*window = module->window || hooks_may_be_tags(module->low, module->high);
	return hooks_find_function(module->sites, &extents, address);
}
