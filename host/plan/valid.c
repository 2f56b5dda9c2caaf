/* Checks whether bytes are a plan, so that readers may rely on the structure. The cache rejects files without a valid plan. */
#include "plan/plan.h"

static bool has_part(struct bytes bytes, uint64_t at, uint64_t count, uint64_t each)
{
	return at % 8 == 0 && at >= sizeof(struct dwell_plan) && bytes_have(bytes, at, count * each);
}

static bool is_kind(const struct dwell_plan_site *site)
{
	switch (site->changed) {
	case 0:
		return site->kind == DWELL_PLAN_RETURN || site->kind == DWELL_PLAN_TAIL;
	case 2:
		return site->kind >= DWELL_PLAN_ENTRY && site->kind <= DWELL_PLAN_DETOUR && site->kind != DWELL_PLAN_ROOM;
	case 5:
		return site->kind >= DWELL_PLAN_ENTRY && site->kind <= DWELL_PLAN_CALL;
	default:
		return false;
	}
}

static bool has_gate(const struct dwell_plan_site *site)
{
	return site->kind != DWELL_PLAN_ROOM && site->kind != DWELL_PLAN_DETOUR;
}

static bool sites_are_valid(const struct dwell_plan *head, const struct dwell_plan_site *sites)
{
	uint64_t reached = 0;

	for (uint32_t i = 0; i < head->site_count; i++) {
		const struct dwell_plan_site *site = &sites[i];

		if (!is_kind(site) || site->function >= head->function_count || site->at >= head->image_bytes ||
			site->changed > head->image_bytes - site->at)
			return false;
		if (site->changed == 2 ? site->code >= head->image_bytes : site->code >= head->code_bytes)
			return false;
		if (has_gate(site) && (head->code_bytes < 5 || site->gate > head->code_bytes - 5))
			return false;
		if (site->changed && (site->at < reached || site->old_bytes < site->changed))
			return false;
		if (i && site->at < sites[i - 1].at)
			return false;
		if (site->changed)
			reached = (uint64_t)site->at + site->changed;
	}
	return true;
}

bool plan_is_valid(struct bytes bytes)
{
	const struct dwell_plan *head = plan_head(bytes);
	const uint32_t *fixups;

	if (bytes.size < sizeof *head || (uintptr_t)bytes.data % 8 || head->magic != DWELL_PLAN_MAGIC ||
		head->version != DWELL_PLAN_VERSION || head->bytes != bytes.size || head->build_id_bytes > sizeof head->build_id ||
		!head->image_bytes || head->image_bytes > UINT32_MAX || head->function_count > DWELL_PLAN_FUNCTIONS_MAX ||
		head->site_count > DWELL_PLAN_SITES_MAX || head->code_bytes > DWELL_PLAN_CODE_MAX)
		return false;
	if (!has_part(bytes, head->functions, head->function_count, sizeof(struct dwell_plan_function)) ||
		!has_part(bytes, head->sites, head->site_count, sizeof(struct dwell_plan_site)) ||
		!has_part(bytes, head->fixups, head->fixup_count, sizeof(uint32_t)) ||
		!has_part(bytes, head->code, head->code_bytes, 1) || !has_part(bytes, head->frames, head->frames_bytes, 1))
		return false;
	for (uint32_t i = 0; i < head->function_count; i++)
		if (plan_functions(bytes)[i].start >= head->image_bytes ||
			(i && plan_functions(bytes)[i].start <= plan_functions(bytes)[i - 1].start))
			return false;
	fixups = plan_fixups(bytes);
	for (uint32_t i = 0; i < head->fixup_count; i++)
		if (DWELL_PLAN_FIXUP_KIND(fixups[i]) > DWELL_PLAN_HIGH ||
			(uint64_t)DWELL_PLAN_FIXUP_AT(fixups[i]) + 4 > head->code_bytes)
			return false;
	return sites_are_valid(head, plan_sites(bytes));
}
