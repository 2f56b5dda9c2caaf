/* SPDX-License-Identifier: MIT
 *
 * Applies a plan (port/os/linux/plan.h) to a module without hooks. The module's functions get thunks, like functions with patched
 * sites; the plan's code comes behind the thunks, and the planned places become jumps into this code. The plan's code contains the
 * gates, so all code that turns sites on and off, from inside or outside, works here, too.
 *
 * This file changes code only while no thread can run the code: at the start, and in a file just loaded. Once threads run, the
 * process that has stopped them changes the code (control.h).
 */
#include "port/cpu/x86_64/planned.h"

#include "port/os/linux/agent.h"
#include "port/os/linux/changes.h"
#include "port/os/linux/filter.h"
#include "port/os/linux/system.h"

#include <linux/mman.h>

_Static_assert(FUNCTION_BYTES == DWELL_PLAN_THUNK_BYTES && SLOW_JUMP_BYTES == FUNCTION_BYTES, "plan: what is in front of its code");

/* Reads code of the module. A running thread may unmap the file, which must not cause a fault: so a system call
 * reads WINDOW_BYTES at once. */
#define WINDOW_BYTES 512u
struct window {
	bool is_safe; /* no thread unmaps the file */
	uint64_t at;
	uint32_t count;
	uint8_t bytes[WINDOW_BYTES];
};

/* Returns bytes of the module's code at this address. Null: they cannot be read. */
static const uint8_t *read_window(struct window *window, uint64_t at, uint32_t bytes)
{
	if (window->is_safe)
		return (const uint8_t *)at;
	if (at < window->at || at + bytes > window->at + window->count) {
		long got = system_process_vm(__NR_process_vm_readv, system_tid(), window->bytes, at, WINDOW_BYTES);

		window->at = at;
		window->count = got > 0 ? (uint32_t)got : 0;
	}
	return bytes <= window->count ? window->bytes + (at - window->at) : 0;
}

static bool is_same(const uint8_t *a, const uint8_t *b, uint32_t bytes)
{
	uint64_t left, right;

	if (!a)
		return false;
	for (; bytes >= sizeof left; a += sizeof left, b += sizeof left, bytes -= sizeof left) {
		__builtin_memcpy(&left, a, sizeof left);
		__builtin_memcpy(&right, b, sizeof right);
		if (left != right)
			return false;
	}
	for (uint32_t i = 0; i < bytes; i++)
		if (a[i] != b[i])
			return false;
	return true;
}

/* Whether all numbers of the plan are in range, so that the agent writes only to the module's code and to the plan's own memory;
 * and whether the module's code is the code from which the plan was made. */
static bool fits(const struct applied *applied, const struct image *image, enum sites_when when)
{
	const struct dwell_plan *plan = applied->plan;
	const uint32_t *fixups = planned_part(plan, plan->fixups);
	struct window window = {.is_safe = when != SITES_CALLED};
	uint64_t end = 0;

	if (plan->image_bytes != image->high - applied->low)
		return false;
	for (uint32_t i = 0; i < plan->function_count; i++)
		if (applied->functions[i].start >= plan->image_bytes)
			return false;
	for (uint32_t i = 0; i < plan->fixup_count; i++)
		if ((uint64_t)DWELL_PLAN_FIXUP_AT(fixups[i]) + 4 > plan->code_bytes)
			return false;
	for (uint32_t i = 0; i < plan->site_count; i++) {
		const struct dwell_plan_site *site = &applied->planned[i];
		bool has_gate = planned_has_gate(site);
		uint64_t at = applied->low + site->at;
		uint32_t compared = site->old_bytes < DWELL_PLAN_OLD_BYTES ? site->old_bytes : DWELL_PLAN_OLD_BYTES;

		if (site->kind < DWELL_PLAN_ENTRY || site->kind > DWELL_PLAN_CALL ||
			(has_gate &&
				((uint64_t)site->gate + JUMP_BYTES > plan->code_bytes || site->function >= plan->function_count)) ||
			(site->kind == DWELL_PLAN_CALL && site->changed != JUMP_BYTES) || (site->changed && site->at < end) ||
			site->old_bytes < site->changed ||
			(site->changed != 0 && site->changed != JUMP_BYTES && site->changed != SHORT_JUMP_BYTES) ||
			(site->changed == JUMP_BYTES && site->code >= plan->code_bytes) ||
			(site->changed == SHORT_JUMP_BYTES && (uint64_t)site->code + 126 - site->at > 255) ||
			(site->changed && !site_is_code(image, at, at + site->old_bytes)) ||
			(site->changed && !is_same(read_window(&window, at, compared), site->old, compared)))
			return false;
		end = site->changed ? (uint64_t)site->at + site->changed : end;
	}
	return true;
}

/* Returns the kind of patched site that a gate of the plan behaves like. */
static enum site_kind kind_of(const struct dwell_plan_site *site)
{
	return site->kind == DWELL_PLAN_ENTRY || site->kind == DWELL_PLAN_CALL ? SITE_NOP
	       : site->kind == DWELL_PLAN_RETURN			       ? SITE_RETURN
									       : SITE_TAIL;
}

/* Adds the gates as sites, in blocks. False: no memory. */
static bool add_sites(const struct applied *applied)
{
	struct sites *sites = applied->sites;
	struct dwell_site_block *block;

	for (uint32_t i = 0; i < applied->plan->site_count; i++) {
		const struct dwell_plan_site *site = &applied->planned[i];

		if (!planned_has_gate(site))
			continue;
		if (!(block = sites_open_block(&sites->found)))
			return false;
		if (!block->count) {
			block->held = DWELL_SITES_OF_STUBS;
			block->thunks = (uint64_t)sites->stubs.thunks;
			block->base = (uint64_t)sites->stubs.page;
		}
		block->sites[block->count++] = (struct dwell_site){
			(uint32_t)((uint64_t)applied->code + site->gate - block->base), site->function << 4 | kind_of(site)};
	}
	return true;
}

/* Returns where the plan's unwind tables are: at the first multiple of 8 behind its code. */
static uint8_t *frames_of(const struct applied *applied)
{
	return applied->code + ((applied->plan->code_bytes + 7u) & ~7u);
}

/* Copies the plan's code and unwind tables to their memory, and corrects the references into the module. */
static void write_code(const struct applied *applied)
{
	const struct dwell_plan *plan = applied->plan;
	const uint8_t *code = planned_part(plan, plan->code), *frames = planned_part(plan, plan->frames);
	const uint32_t *fixups = planned_part(plan, plan->fixups);
	uint64_t distance = (uint64_t)applied->code - applied->low;
	uint8_t *behind = frames_of(applied);

	for (uint32_t i = 0; i < plan->code_bytes; i++)
		applied->code[i] = code[i];
	for (uint32_t i = 0; i < plan->frames_bytes; i++)
		behind[i] = frames[i];
	for (uint32_t i = 0; i < plan->fixup_count; i++) {
		uint8_t *at = applied->code + DWELL_PLAN_FIXUP_AT(fixups[i]);
		uint32_t kind = DWELL_PLAN_FIXUP_KIND(fixups[i]);

		if (kind == DWELL_PLAN_RELATIVE)
			put32(at, get32(at) - (uint32_t)distance);
		else
			put32(at, (uint32_t)((applied->low + get32(at)) >> (kind == DWELL_PLAN_HIGH ? 32 : 0)));
	}
}

/* Makes the new first bytes of a site. */
static void make_jump(const struct applied *applied, const struct dwell_plan_site *site, uint8_t bytes[JUMP_BYTES])
{
	uint64_t at = applied->low + site->at;

	bytes[0] = site->kind == DWELL_PLAN_CALL ? 0xe8 : site->changed == SHORT_JUMP_BYTES ? 0xeb : 0xe9;
	if (site->changed == SHORT_JUMP_BYTES)
		bytes[1] = (uint8_t)(site->code - (site->at + SHORT_JUMP_BYTES));
	else
		put32(bytes + 1, (uint32_t)((uint64_t)applied->code + site->code - (at + JUMP_BYTES)));
}

/* Makes the pages in [begin, end) present, if they are more than one. */
static void populate(uint64_t begin, uint64_t end)
{
	if (end - begin > PAGE)
		system_madvise((void *)begin, end - begin, MADV_POPULATE_WRITE);
}

/* A page fault costs as much as a hundred sites. So changing pages are made present in runs of adjacent pages; before Linux
 * 5.14, they fault one by one. */
static void populate_pages(const struct applied *applied)
{
	uint64_t begin = 0, end = 0;
	uint32_t gate = 0;

	for (uint32_t i = 0; i < applied->plan->site_count; i++) {
		const struct dwell_plan_site *site = &applied->planned[i];
		uint64_t at = applied->low + site->at, page = at & ~(PAGE - 1);
		bool is_left = planned_keeps_bytes(applied, i, gate);

		gate += planned_has_gate(site);
		if (!site->changed || is_left)
			continue;
		if (page > end) {
			populate(begin, end);
			begin = page;
		}
		end = ((at + site->changed - 1) & ~(PAGE - 1)) + PAGE;
	}
	populate(begin, end);
}

/* write: writes the jumps into the code; changes: adds them to this list, unless null. */
static void write_jumps(const struct applied *applied, bool write, struct dwell_changes *changes)
{
	uint32_t gate = 0;

	for (uint32_t i = 0; i < applied->plan->site_count; i++) {
		const struct dwell_plan_site *site = &applied->planned[i];
		uint8_t *at = (uint8_t *)(applied->low + site->at), bytes[JUMP_BYTES];
		bool is_left = planned_keeps_bytes(applied, i, gate);

		gate += planned_has_gate(site);
		if (!site->changed)
			continue;
		make_jump(applied, site, bytes);
		if (changes)
			changes_add(changes, at, site->old, bytes, site->changed,
				(uint8_t)((site->kind == DWELL_PLAN_ROOM ? DWELL_CHANGE_ROOM : 0) |
					  (is_left ? DWELL_CHANGE_LEFT_OUT : 0)),
				site->function);
		if (is_left || !write)
			continue;
		if (site->changed == JUMP_BYTES) {
			applied->sites->jump = at;
			applied->sites->jump_distance = get32(bytes + 1);
		}
		for (uint32_t b = 0; b < site->changed; b++)
			at[b] = bytes[b];
	}
}

static uint32_t count_changes(const struct dwell_plan *plan)
{
	const struct dwell_plan_site *planned = planned_part(plan, plan->sites);
	uint32_t changes = 0;

	for (uint32_t i = 0; i < plan->site_count; i++)
		changes += planned[i].changed > 0;
	return changes;
}

/* Changes the module's code now, or lists the changes for record if threads run. False: no memory, or the system refuses. */
static bool change_code(const struct applied *applied, const struct image *image, enum sites_when when)
{
	struct dwell_changes *changes = 0;
	bool write = when != SITES_CALLED;

	if (!write || agent.restores) {
		changes = changes_make(applied->low, count_changes(applied->plan));
		if (!changes)
			return false;
	}
	if (write && !sites_protect(image, true, when == SITES_AT_START))
		return false;
	if (write)
		populate_pages(applied);
	write_jumps(applied, write, changes);
	applied->sites->changes = changes;
	if (changes)
		changes_publish(changes);
	return !write || sites_protect(image, false, when == SITES_AT_START);
}

/* Makes stubs, thunks and gates for the plan, and changes the module's code. False: no room within reach, or the system refuses. */
static bool apply(
	struct applied *applied, const struct image *image, enum sites_when when, const struct dwell_filter_module *filter)
{
	const struct dwell_plan *plan = applied->plan;
	struct sites *sites = applied->sites;
	uint64_t more = (uint64_t)plan->function_count * FUNCTION_BYTES + SLOW_JUMP_BYTES + ((plan->code_bytes + 7ull) & ~7ull) +
			plan->frames_bytes;
	struct thunk_maker maker;

	sites->room = plan->function_count;
	if (image->high - image->low > UINT32_MAX || !stubs_make(image->low, image->high, more, &sites->stubs))
		return false;
	applied->code = sites->code = sites->stubs.page + dwell_plan_bytes_in_front(plan->function_count);
	maker = sites_begin_thunks(sites, true);
	for (uint32_t i = 0; i < plan->function_count; i++)
		sites_make_thunks(
			&maker, applied->low + applied->functions[i].start, applied->functions[i].flags & DWELL_PLAN_COUNTED);
	write_code(applied);
	if (plan->frames_bytes)
		stubs_set_frames(&sites->stubs, (uint64_t)(frames_of(applied) - sites->stubs.page), plan->frames_bytes);
	if (!add_sites(applied))
		return false;
	hooks_filter_sites(sites, filter, image->bias);
	sites_write_gates(sites);
	return stubs_seal(&sites->stubs) && change_code(applied, image, when);
}

static void count(const struct applied *applied, struct sites *sites)
{
	const struct dwell_plan *plan = applied->plan;
	uint32_t counted = 0;

	for (uint32_t i = 0; i < plan->function_count; i++)
		counted += applied->functions[i].flags & DWELL_PLAN_COUNTED;
	sites->found.functions = plan->function_count;
	sites->found.entries = counted;
	modules_count(DWELL_HOOKS_PLANNED | (counted ? DWELL_HOOKS_ENTRIES : 0), 0, 0);
}

/* The plan that hooks_adopt_plan() is adopting, and its sites. `dwell attach` may stop the call at any instruction and never resume
 * it; then hooks_forget_unfinished() frees both. Null: no plan is being adopted. */
static volatile struct unfinished {
	struct sites *sites;
	const struct dwell_plan *plan;
} unfinished;

void hooks_forget_unfinished(void)
{
	struct unfinished left = unfinished;

	unfinished = (struct unfinished){0};
	if (left.sites)
		hooks_drop_sites(left.sites);
	if (left.plan)
		system_munmap((void *)(uintptr_t)left.plan, left.plan->bytes);
}

struct sites *hooks_adopt_plan(const struct image *image, bool window, enum sites_when when,
	const struct dwell_filter_module *filter, const struct dwell_plan *plan)
{
	struct sites *sites = plan->function_count ? sites_make() : 0;
	struct applied applied;
	uint64_t mask;

	if (sites) {
		unfinished = (struct unfinished){sites, plan};
		sites->low = image->low;
		applied = planned_begin(sites, plan);
	}
	if (!sites || !fits(&applied, image, when)) {
		modules_count(sites ? DWELL_HOOKS_UNFIT : 0, 0, 0);
		unfinished = (struct unfinished){0};
		if (sites)
			system_munmap(sites, sizeof *sites);
		system_munmap((void *)(uintptr_t)plan, plan->bytes);
		return 0;
	}
	sites->sum = planned_sum(plan);
	sites->window = window || hooks_may_be_tags(image->low, image->high);
	mask = system_block_signals();
	if (!apply(&applied, image, when, filter)) {
		hooks_drop_sites(sites);
		sites = 0;
	}
	system_restore_signals(mask);
	if (sites) {
		count(&applied, sites);
		sites_note_measured(sites);
		if (plan->frames_bytes)
			plan_frames_add((uint64_t)sites->stubs.page, (uint64_t)sites->stubs.page + sites->stubs.bytes,
				frames_of(&applied), plan->frames_bytes);
	} else {
		modules_count(0, 0, 1);
	}
	unfinished = (struct unfinished){0};
	system_munmap((void *)(uintptr_t)plan, plan->bytes);
	return sites;
}
