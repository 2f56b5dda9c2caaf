/* SPDX-License-Identifier: MIT
 *
 * Sites of a plan whose functions nobody wants: by a filter, or any more.
 *
 * The gate of one that is off does nothing, but the jump to it and back is still made. So the function gets its own bytes back, also while
 * other threads run it, in three steps that are each seen by all processors before the next: the first two bytes become a jump to
 * themselves, where whoever comes by waits; the rest is written; the first two are. That takes two bytes that are written at once, which
 * they are not when they lie in two cache lines: such sites keep their jumps.
 */
#include "port/cpu/x86_64/planned.h"

#include "port/os/linux/system.h"

#include <linux/mman.h>

#define LINE_BYTES 64
#define TAKEN_AT_ONCE 64u
#define JUMP_TO_ITSELF 0xfeeb

static bool is_muted(const struct sites *sites, uint32_t gate)
{
	const struct dwell_site_block *block = sites->found.blocks[gate / DWELL_SITES_A_BLOCK];

	return block->sites[gate % DWELL_SITES_A_BLOCK].what & DWELL_SITE_MUTED;
}

/* Whether another site's jump is among the bytes of instructions that this one moves: then these must not be run where they are. */
static bool gives_room(const struct applied *applied, uint32_t i)
{
	const struct dwell_plan_site *site = &applied->planned[i];

	for (uint32_t j = i + 1; j < applied->plan->site_count && applied->planned[j].at < site->at + site->old_bytes; j++)
		if (applied->planned[j].kind == DWELL_PLAN_ROOM)
			return true;
	return false;
}

/* Changes no byte, and has its gate in the code of a site next to it. */
static bool is_further(const struct dwell_plan_site *site)
{
	return !site->changed || !planned_has_gate(site);
}

bool planned_is_left(const struct applied *applied, uint32_t i, uint32_t gate)
{
	const struct dwell_plan_site *planned = applied->planned;
	uint32_t other = gate;

	if (!planned_has_gate(&planned[i]) || !is_muted(applied->sites, gate) || gives_room(applied, i))
		return false;
	for (uint32_t j = i + 1; j < applied->plan->site_count && is_further(&planned[j]); j++)
		if (planned_has_gate(&planned[j]) && !is_muted(applied->sites, ++other))
			return false;
	other = gate;
	for (uint32_t j = i; j-- > 0 && is_further(&planned[j]);)
		if (planned_has_gate(&planned[j]) && !is_muted(applied->sites, --other))
			return false;
	return true;
}

uint64_t planned_sum(const struct dwell_plan *plan)
{
	const uint64_t *words = planned_part(plan, plan->sites);
	uint64_t sum = plan->site_count;

	for (uint64_t i = 0; i < (uint64_t)plan->site_count * sizeof(struct dwell_plan_site) / sizeof *words; i++)
		sum = (sum ^ words[i]) * 0x100000001b3ull;
	return sum;
}

bool hooks_are_planned(const struct sites *sites)
{
	return sites->changes;
}

/* The list of changes has those sites that change something, in the same order. */
void hooks_filter_plan(struct sites *sites, const struct dwell_plan *plan)
{
	struct applied applied = planned_begin(sites, plan);
	uint32_t gate = 0, change = 0, count = planned_sum(plan) == sites->sum ? plan->site_count : 0; /* else it is another plan */

	for (uint32_t i = 0; i < count; i++) {
		const struct dwell_plan_site *site = &applied.planned[i];

		if (site->changed && change < sites->changes->count) {
			volatile uint8_t *flags = &sites->changes->list[change++].flags;

			*flags &= (uint8_t)~DWELL_CHANGE_LEFT_OUT;
			*flags |= planned_is_left(&applied, i, gate) ? DWELL_CHANGE_LEFT_OUT : 0;
		}
		gate += planned_has_gate(site);
	}
	system_munmap((void *)(uintptr_t)plan, plan->bytes);
}

/* Sites of one function on their way back: by one thread at a time, whose signals are blocked. A child that is forked meanwhile has a copy,
 * and nobody else who brings it to an end. */
static struct taken {
	struct sites *volatile of; /* null: none are */
	const struct dwell_plan_site *sites[TAKEN_AT_ONCE];
	uint32_t count;
} taken;

static volatile uint16_t *head_of(const struct applied *applied, const struct dwell_plan_site *site)
{
	return (volatile uint16_t *)(void *)(applied->low + site->at);
}

static bool is_changed(const struct applied *applied, const struct dwell_plan_site *site)
{
	const uint8_t *at = (const uint8_t *)(applied->low + site->at);
	uint8_t jump[JUMP_BYTES];

	planned_make_jump(applied, site, jump);
	for (uint32_t b = 0; b < site->changed; b++)
		if (at[b] != jump[b])
			return false;
	return (uint64_t)at % LINE_BYTES != LINE_BYTES - 1;
}

static void find_taken(const struct applied *applied, uint32_t index)
{
	uint32_t gate = 0;

	taken.count = 0;
	for (uint32_t i = 0; i < applied->plan->site_count && taken.count < TAKEN_AT_ONCE; i++) {
		const struct dwell_plan_site *site = &applied->planned[i];

		if (site->function == index && site->changed && planned_is_left(applied, i, gate) && is_changed(applied, site))
			taken.sites[taken.count++] = site;
		gate += planned_has_gate(site);
	}
}

static bool protect(const struct applied *applied, const struct dwell_plan_site *site, int protection)
{
	uint64_t first = (applied->low + site->at) & ~(PAGE - 1);
	uint64_t end = ((applied->low + site->at + site->changed - 1) & ~(PAGE - 1)) + PAGE;

	return system_mprotect((void *)first, end - first, protection) >= 0;
}

static uint16_t get_head(const uint8_t bytes[2])
{
	return (uint16_t)(bytes[0] | bytes[1] << 8);
}

static void write_rest(const struct applied *applied)
{
	for (uint32_t i = 0; i < taken.count; i++)
		for (uint32_t b = 2; b < taken.sites[i]->changed; b++)
			((volatile uint8_t *)head_of(applied, taken.sites[i]))[b] = taken.sites[i]->old[b];
}

static void write_heads(const struct applied *applied)
{
	for (uint32_t i = 0; i < taken.count; i++)
		*head_of(applied, taken.sites[i]) = get_head(taken.sites[i]->old);
}

/* False: the system does not let it be changed. */
static bool take_some(const struct applied *applied)
{
	bool may = true;

	for (uint32_t i = 0; i < taken.count; i++)
		may &= protect(applied, taken.sites[i], 7);
	taken.of = may ? applied->sites : 0;
	for (uint32_t i = 0; may && i < taken.count; i++)
		if (taken.sites[i]->changed == SHORT_JUMP_BYTES)
			*head_of(applied, taken.sites[i]) = get_head(taken.sites[i]->old);
		else
			*head_of(applied, taken.sites[i]) = JUMP_TO_ITSELF;
	if (may) {
		sites_synchronize();
		write_rest(applied);
		sites_synchronize();
		write_heads(applied);
	}
	taken.of = 0;
	for (uint32_t i = 0; i < taken.count; i++)
		protect(applied, taken.sites[i], 5);
	return may;
}

void planned_take_out(struct sites *sites, uint32_t index)
{
	struct applied applied;
	bool more = sites_synchronize();

	if (!more)
		return;
	applied = planned_begin(sites, sites->plan);
	while (more) {
		find_taken(&applied, index);
		more = take_some(&applied) && taken.count == TAKEN_AT_ONCE;
	}
}

void hooks_begin_child(void)
{
	struct applied applied;

	if (!taken.of)
		return;
	applied = planned_begin(taken.of, taken.of->plan);
	write_rest(&applied);
	write_heads(&applied);
	taken.of = 0;
}
