/* SPDX-License-Identifier: MIT
 *
 * A plan applied to a module: what planned.c, which changes the module's code, and planned_unused.c share. The latter finds the
 * sites of functions that a filter drops: such a site keeps its own bytes, unless another site needs the change.
 */
#ifndef DWELL_X86_64_PLANNED_H
#define DWELL_X86_64_PLANNED_H

#include "port/cpu/x86_64/sites_inner.h"
#include "port/os/linux/plan.h"

#define JUMP_BYTES 5u
#define SHORT_JUMP_BYTES 2u

struct applied {
	const struct dwell_plan *plan;
	const struct dwell_plan_function *functions; /* the plan's functions … */
	const struct dwell_plan_site *planned;       /* … and its sites */
	struct sites *sites; /* the module's patched sites, one for each planned site with a gate */
	uint64_t low;  /* base of the plan's offsets */
	uint8_t *code; /* where the plan's code is mapped */
};

/* Returns the part of the plan at this offset. */
static inline const void *planned_part(const struct dwell_plan *plan, uint64_t offset)
{
	return (const uint8_t *)plan + offset;
}

static inline struct applied planned_begin(struct sites *sites, const struct dwell_plan *plan)
{
	return (struct applied){plan, planned_part(plan, plan->functions), planned_part(plan, plan->sites), sites,
		sites->low & ~(PAGE - 1), sites->code};
}

static inline bool planned_has_gate(const struct dwell_plan_site *site)
{
	return site->kind != DWELL_PLAN_ROOM && site->kind != DWELL_PLAN_DETOUR;
}

/* Whether site i keeps its own bytes. It does if the site has a gate, if the filter or the throttle muted all gates of the sites
 * that share its moved code, and if no ROOM of another site lies in the moved instructions. gate: the number of the site's gate
 * among all gates of the plan. */
bool planned_keeps_bytes(const struct applied *applied, uint32_t i, uint32_t gate) HIDDEN;
/* Returns a checksum of the plan's sites. */
uint64_t planned_sum(const struct dwell_plan *plan) HIDDEN;

#endif
