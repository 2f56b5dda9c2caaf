/* SPDX-License-Identifier: MIT
 *
 * Finds the sites of a plan that a filter makes useless.
 *
 * A gate in off state does nothing, but the program would still jump to the gate and back. So such a site keeps its own bytes.
 */
#include "port/cpu/x86_64/planned.h"

#include "port/os/linux/system.h"

static bool is_muted(const struct sites *sites, uint32_t gate)
{
	const struct dwell_site_block *block = sites->found.blocks[gate / DWELL_SITES_A_BLOCK];

	return block->sites[gate % DWELL_SITES_A_BLOCK].function_kind & DWELL_SITE_MUTED;
}

/* Whether the instructions that site i moves contain the jump of another site (kind ROOM): then the originals must not run. */
static bool gives_room(const struct applied *applied, uint32_t i)
{
	const struct dwell_plan_site *site = &applied->planned[i];

	for (uint32_t j = i + 1; j < applied->plan->site_count && applied->planned[j].at < site->at + site->old_bytes; j++)
		if (applied->planned[j].kind == DWELL_PLAN_ROOM)
			return true;
	return false;
}

/* Whether the site has no code of its own in the plan: it changes no byte, or has no gate. Its code is part of a neighbour's. */
static bool shares_code(const struct dwell_plan_site *site)
{
	return !site->changed || !planned_has_gate(site);
}

bool planned_keeps_bytes(const struct applied *applied, uint32_t i, uint32_t gate)
{
	const struct dwell_plan_site *planned = applied->planned;
	uint32_t other = gate;

	if (!planned_has_gate(&planned[i]) || !is_muted(applied->sites, gate) || gives_room(applied, i))
		return false;
	for (uint32_t j = i + 1; j < applied->plan->site_count && shares_code(&planned[j]); j++)
		if (planned_has_gate(&planned[j]) && !is_muted(applied->sites, ++other))
			return false;
	other = gate;
	for (uint32_t j = i; j-- > 0 && shares_code(&planned[j]);)
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

/* The list of changes holds the sites that change bytes, in the same order. */
void hooks_filter_plan(struct sites *sites, const struct dwell_plan *plan)
{
	struct applied applied = planned_begin(sites, plan);
	/* A count of 0 if this is another plan than the one that was applied. */
	uint32_t gate = 0, change = 0, count = planned_sum(plan) == sites->sum ? plan->site_count : 0;

	for (uint32_t i = 0; i < count; i++) {
		const struct dwell_plan_site *site = &applied.planned[i];

		if (site->changed && change < sites->changes->count) {
			volatile uint8_t *flags = &sites->changes->list[change++].flags;

			*flags &= (uint8_t)~DWELL_CHANGE_LEFT_OUT;
			*flags |= planned_keeps_bytes(&applied, i, gate) ? DWELL_CHANGE_LEFT_OUT : 0;
		}
		gate += planned_has_gate(site);
	}
	system_munmap((void *)(uintptr_t)plan, plan->bytes);
}
