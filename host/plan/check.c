/* check: verifies a plan (check.h); checked_code.c compares the code. */
#include "plan/check.h"

#include <stdlib.h>

#include "plan/checked.h"
#include "plan/jump_targets.h"

static bool has_code(const struct checked *checked, uint32_t at, uint32_t bytes)
{
	return plan_code_has(&checked->code, at) && bytes <= checked->code.high - at;
}

static bool has_gate(const struct dwell_plan_site *site)
{
	return site->kind != DWELL_PLAN_ROOM && site->kind != DWELL_PLAN_DETOUR;
}

/* Marks the fixups and gates of the plan's code, by position. */
static bool mark_code(struct checked *checked)
{
	const struct dwell_plan *head = plan_head(checked->plan);
	const uint8_t *code = checked->plan.data + head->code;

	for (uint32_t i = 0; i < head->fixup_count; i++)
		checked->fixed[DWELL_PLAN_FIXUP_AT(plan_fixups(checked->plan)[i])] =
			(uint8_t)(DWELL_PLAN_FIXUP_KIND(plan_fixups(checked->plan)[i]) + 1);
	for (uint32_t i = 0; i < head->site_count; i++) {
		const struct dwell_plan_site *site = &plan_sites(checked->plan)[i];

		if (!has_gate(site))
			continue;
		if (checked->gates[site->gate] || memcmp(code + site->gate, "\xa9\0\0\0\0", 5))
			check_fail(checked, site->at, "its gate is none, or another one's, too");
		checked->gates[site->gate] = i + 1;
	}
	return !checked->bad;
}

/* Returns the end of a site's moved instructions: whole instructions until old_bytes are covered, but none behind a jump or a
 * return. */
static uint32_t find_end(struct checked *checked, const struct dwell_plan_site *site)
{
	uint32_t at = site->at, least = site->at + site->old_bytes;
	const struct plan_entry *entry = plan_code_find(&checked->code, at);
	struct plan_insn insn;

	while (entry && at < least && plan_insn_read(&checked->image, at, entry->high, &insn)) {
		at += insn.length;
		if (plan_insn_ends_flow(&insn))
			break;
	}
	return at;
}

static void mark_site(struct checked *checked, uint32_t index)
{
	const struct dwell_plan_site *site = &plan_sites(checked->plan)[index];
	const struct plan_entry *entry = plan_code_find(&checked->code, site->at);
	uint32_t end;

	if (!has_code(checked, site->at, site->old_bytes > site->changed ? site->old_bytes : site->changed) ||
		memcmp(site->old, checked->image.bytes + site->at,
			site->old_bytes < DWELL_PLAN_OLD_BYTES ? site->old_bytes : DWELL_PLAN_OLD_BYTES)) {
		check_fail(checked, site->at, "is not in the code, or its bytes are others");
		return;
	}
	for (uint32_t i = 0; i < site->changed; i++)
		*checked_byte(checked, site->at + i) |= i ? CHECKED_CHANGED : CHECKED_CHANGED | CHECKED_FIRST;
	if (site->kind == DWELL_PLAN_ROOM) {
		for (uint32_t i = 0; i < site->changed; i++)
			*checked_byte(checked, site->at + i) |= CHECKED_ROOM;
		return;
	}
	if (!entry || entry->is_linkage || entry->overlaps || !entry->is_code || entry->is_restartable) {
		check_fail(checked, site->at, "is in no function whose code may change");
		return;
	}
	if (!(*plan_code_at(&checked->code, site->at) & BYTE_INSN)) {
		check_fail(checked, site->at, "no instruction begins here");
		return;
	}
	end = find_end(checked, site);
	for (uint32_t at = site->at; at < end; at++) {
		if (*checked_byte(checked, at) & CHECKED_MOVED) {
			check_fail(checked, site->at, "an instruction is moved twice");
			return;
		}
		*checked_byte(checked, at) |= CHECKED_MOVED;
	}
	check_site_code(checked, index, end);
}

/* Returns whether a byte is unused: part of an unreachable nop, or of the
 * padding between functions. Other unreachable bytes may be data. */
static bool is_unused(const struct checked *checked, uint32_t at)
{
	const struct plan_entry *entry = plan_code_find(&checked->code, at);
	const struct plan_image *image = &checked->image;
	bool is_reached = true;
	struct plan_insn insn;

	if (*plan_code_at(&checked->code, at) & BYTE_TARGET)
		return false;
	if (!entry)
		return *plan_code_at(&checked->code, at) & BYTE_FREE;
	for (uint32_t here = entry->low; here <= at; here += insn.length) {
		if (!plan_insn_read(image, here, entry->high, &insn))
			return false;
		is_reached |= (*plan_code_at(&checked->code, here) & BYTE_TARGET) != 0;
		if (here + insn.length > at)
			return !is_reached && insn.kind == INSN_NOP;
		is_reached &= !plan_insn_ends_flow(&insn);
	}
	return false;
}

/* Checks the changed bytes that belong to no moved instruction. */
static void check_unused(struct checked *checked)
{
	for (uint32_t at = checked->code.low; at < checked->code.high; at++) {
		uint8_t byte = *checked_byte(checked, at);

		if (byte & CHECKED_CHANGED && !(byte & CHECKED_MOVED) && !is_unused(checked, at))
			check_fail(checked, at, "something may run what changes here");
	}
}

static void check_target(struct checked *checked, uint32_t from, uint32_t to)
{
	if (to != PLAN_NOWHERE && plan_code_has(&checked->code, to) && *checked_byte(checked, to) & CHECKED_CHANGED &&
		!(*checked_byte(checked, to) & CHECKED_FIRST))
		check_fail(checked, from, "leads into changed bytes");
}

/* Returns whether a function that begins at start is timed. */
static bool is_timed(const struct checked *checked, uint32_t start)
{
	const struct dwell_plan_function *functions = plan_functions(checked->plan);
	uint32_t low = 0, high = plan_head(checked->plan)->function_count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (functions[middle].start < start)
			low = middle + 1;
		else
			high = middle;
	}
	return low < plan_head(checked->plan)->function_count && functions[low].start == start &&
	       !(functions[low].flags & DWELL_PLAN_COUNTED);
}

/* Checks where instructions lead that stay in place. Calls are checked even if a site redirects them, since they return to the
 * instruction behind them. */
static void check_instructions(struct checked *checked)
{
	const struct plan_code *code = &checked->code;
	struct plan_insn insn;

	for (size_t i = 0; i < code->count; i++) {
		const struct plan_entry *entry = &code->entries[i];
		bool timed = is_timed(checked, entry->low), is_reached = true;

		for (uint32_t at = entry->low; !entry->is_linkage && at < entry->high; at += insn.length) {
			if (!plan_insn_read(&checked->image, at, entry->high, &insn))
				break;
			is_reached |= (*plan_code_at(code, at) & BYTE_TARGET) != 0;
			if (!is_reached)
				continue;
			is_reached = !plan_insn_ends_flow(&insn);
			if (*checked_byte(checked, at) & (CHECKED_MOVED | CHECKED_ROOM) && insn.kind != INSN_CALL)
				continue;
			if (timed && insn.kind == INSN_RETURN)
				check_fail(checked, at, "a timed function is left without a gate");
			if (plan_insn_is_branch(&insn) || insn.kind == INSN_CALL)
				check_target(checked, at, insn.target);
			if (!plan_insn_ends_flow(&insn) && !(insn.kind == INSN_NOP && is_unused(checked, at)))
				check_target(checked, at, at + insn.length);
		}
		check_target(checked, entry->low, entry->low);
	}
	/* A value that would point into the middle of an instruction is a number that looks like a pointer, so it is not
	 * checked. */
	for (uint32_t at = code->low; at < code->high; at++) {
		uint8_t flags = *plan_code_at(code, at);

		if (flags & (BYTE_FIXED | BYTE_CALLED) || (flags & BYTE_INSN && flags & BYTE_PINNED))
			check_target(checked, at, at);
	}
}

/* For a site that changes no byte. If the site's instruction is among the moved ones of another site, there is nothing to do. Else
 * the site is a moved exit, and nothing may lead to the original any more. This function marks the original's bytes as
 * changed: check_target then reports whatever still leads there. */
static void mark_bypassed(struct checked *checked, uint32_t index)
{
	const struct dwell_plan_site *site = &plan_sites(checked->plan)[index];
	const struct plan_entry *entry = plan_code_find(&checked->code, site->at);
	struct plan_insn insn;

	if (!entry || !has_code(checked, site->at, 1) || !plan_insn_read(&checked->image, site->at, entry->high, &insn)) {
		check_fail(checked, site->at, "no instruction is here");
		return;
	}
	if (*checked_byte(checked, site->at) & CHECKED_MOVED)
		return;
	for (;;) {
		for (uint32_t i = 0; i < insn.length; i++)
			*checked_byte(checked, insn.at + i) |= CHECKED_MOVED | CHECKED_CHANGED;
		if (plan_insn_ends_flow(&insn))
			break;
		if (!plan_insn_read(&checked->image, insn.at + insn.length, entry->high, &insn)) {
			check_fail(checked, site->at, "does not end");
			return;
		}
	}
	check_site_code(checked, index, insn.at + insn.length);
}

static void check_all(struct checked *checked)
{
	const struct dwell_plan *head = plan_head(checked->plan);

	if (!mark_code(checked))
		return;
	for (uint32_t i = 0; i < head->site_count && !checked->bad; i++)
		if (plan_sites(checked->plan)[i].changed)
			mark_site(checked, i);
	for (uint32_t i = 0; i < head->site_count && !checked->bad; i++)
		if (!plan_sites(checked->plan)[i].changed)
			mark_bypassed(checked, i);
	if (checked->bad)
		return;
	check_links(checked);
	check_unused(checked);
	check_instructions(checked);
}

static bool begin_check(struct checked *checked)
{
	const struct dwell_plan *head = plan_head(checked->plan);

	if (head->image_bytes != checked->image.size || head->build_id_bytes != checked->image.build_id_bytes ||
		memcmp(head->build_id, checked->image.build_id, head->build_id_bytes))
		return check_fail(checked, 0, "the plan is another file's");
	if (!plan_code_read(&checked->code, &checked->image) || !plan_find_jump_targets(&checked->code))
		return check_fail(checked, 0, "no memory");
	plan_code_mark_data_pointers(&checked->code);
	checked->bytes = calloc(checked->code.high - checked->code.low + 1, 1);
	checked->fixed = calloc(head->code_bytes + 16, 1);
	checked->gates = calloc(head->code_bytes + 16, sizeof *checked->gates);
	return checked->bytes && checked->fixed && checked->gates;
}

bool plan_check(struct bytes file, struct bytes plan, const char *name, struct diag *diag)
{
	struct checked checked = {.plan = plan, .name = name, .diag = diag};

	if (!plan_is_valid(plan)) {
		diag_add(diag, DIAG_ERROR, name, DIAG_NO_OFFSET, "plan: it is none, or damaged");
		return false;
	}
	if (plan_image_read(&checked.image, file, name, diag) && begin_check(&checked))
		check_all(&checked);
	else
		checked.bad = true;
	free(checked.bytes);
	free(checked.fixed);
	free(checked.gates);
	free(checked.labels);
	free(checked.links);
	plan_code_clear(&checked.code);
	plan_image_clear(&checked.image);
	return !checked.bad;
}
