/* SPDX-License-Identifier: MIT
 *
 * Requests and applies plans of modules (plan.h) once the loader's lock is free, since record may need seconds to make a plan.
 */
#include "port/os/linux/modules_inner.h"

#include "port/os/linux/filter.h"
#include "port/os/linux/image.h"
#include "port/os/linux/plan.h"
#include "port/os/linux/plans.h"
#include "port/os/linux/system.h"

const struct dwell_plan *modules_request_plan(const struct image *image, const struct module *module, bool is_program)
{
	uint64_t own = (uint64_t)&dwell_own_enter;
	bool may = plans_are_wanted(is_program) && *module->path && (own < image->low || own >= image->high);

	const struct dwell_plan *plan = may ? plans_fetch(module->path, module->low, is_program) : 0;

	if (!plan || !module->is_elsewhere)
		return plan;
	/* An unwinder there would find no unwind tables for the code of the plan (plan_frames.c). */
	system_munmap((void *)(uintptr_t)plan, plan->bytes);
	modules_count(DWELL_HOOKS_ELSEWHERE, 0, 1);
	return 0;
}

/* A module that requests a plan, with everything needed of its file, which may be unmapped once the loader's lock is free. */
#define CODE_MAX 8
struct postponed {
	struct module *module;
	struct image image;
	ElfW(Phdr) code[CODE_MAX];
};

static int find_postponed(struct dl_phdr_info *info, size_t size, void *data)
{
	struct postponed *one = data;
	struct image image;
	struct module *module;
	unsigned count = 0;

	(void)size;
	if (!image_open(&image, info->dlpi_addr, info->dlpi_phdr, info->dlpi_phnum))
		return 0;
	module = modules_find_known(&image);
	if (!module || !module->needs_plan)
		return 0;
	for (unsigned i = 0; i < image.header_count && count < CODE_MAX; i++)
		if (image.headers[i].p_type == PT_LOAD && (image.headers[i].p_flags & PF_X))
			one->code[count++] = image.headers[i];
	one->module = module;
	one->image = (struct image){
		.bias = image.bias, .low = image.low, .high = image.high, .headers = one->code, .header_count = count};
	return 1;
}

/* Requests and applies one plan. In a call from outside, the process outside may put the call aside during the request and during
 * the change; CONTROL_MUST_GO_ON ends this. */
static void adopt_one(const struct postponed *one)
{
	struct module *module = one->module;
	const struct dwell_plan *plan = modules_request_plan(&one->image, module, module->is_program);
	const struct dwell_filter_module *filter = filter_find(module->path, module->build_id, module->build_id_bytes);
	bool had_sites = module->sites;
	struct sites *sites = module->sites;

	control_may_pause(CONTROL_MAY_PAUSE);
	if (plan && had_sites)
		hooks_filter_plan(sites, plan);
	else if (plan)
		sites = hooks_adopt_plan(&one->image, module->window, SITES_CALLED, filter, plan);
	control_may_pause(CONTROL_MUST_GO_ON);
	module->needs_plan = false;
	if (sites && !had_sites) {
		module->sites = sites;
		module->flags = module->window ? 0 : DWELL_MODULE_HOOKED;
		modules_count_hooked();
	}
	if (module->is_new || (sites && !had_sites))
		modules_report(agent.session, module, module->is_new ? module->load_ticks : 0, 0);
}

void modules_adopt_postponed(void)
{
	static struct postponed one;

	do {
		uint64_t call_mask = agent_begin_libc_call();

		one.module = 0;
		modules_list_files(find_postponed, &one);
		agent_end_libc_call(call_mask);
		if (one.module)
			adopt_one(&one);
	} while (one.module);
}
