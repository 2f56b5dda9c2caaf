/* plan: makes the plan of a file (plan.h). */
#include "plan/plan.h"

#include <stdlib.h>
#include <string.h>

#include "plan/assemble.h"
#include "plan/cache.h"
#include "plan/code.h"
#include "plan/content.h"
#include "plan/emit.h"
#include "plan/find_regions.h"
#include "plan/flags.h"
#include "plan/frame.h"
#include "plan/group.h"
#include "plan/leave.h"
#include "plan/read_file.h"
#include "plan/jump_targets.h"
#include "plan/work.h"
#include "util/array.h"
#include "util/clock.h"

struct maker {
	struct plan_image image;
	struct plan_code code;
	struct plan_work work;
	struct plan_output output;
	struct plan *plan;
	size_t decision_capacity;
};

/* Marks a function and the parts in its group as timed. */
static void mark_timed(struct plan_code *code, struct plan_entry *entry)
{
	entry->is_timed = true;
	for (uint32_t i = entry->group; i != UINT32_MAX; i = code->entries[i].next)
		code->entries[i].is_timed |= !code->entries[i].is_function;
}

/* Adds the decision about a function to the plan. sites: the number of sites in the plan before this function. */
static bool add_decision(struct maker *maker, struct plan_entry *entry, enum plan_reason reason, size_t sites)
{
	struct plan *plan = maker->plan;
	struct plan_decision *decisions;

	if (!array_reserve(&plan->decisions, &maker->decision_capacity, plan->decision_count + 1, sizeof *plan->decisions))
		return false;
	decisions = &plan->decisions[plan->decision_count++];
	*decisions = (struct plan_decision){
		.address = maker->image.base + entry->low, .size = entry->high - entry->low, .reason = reason};
	decisions->leaves_callers = plan_leaves_callers(&maker->code, entry);
	maker->output.leaving_count += decisions->leaves_callers;
	if (reason == PLAN_TIMED)
		mark_timed(&maker->code, entry);
	for (; sites < maker->output.site_count; sites++)
		decisions->sites += maker->output.sites[sites].changed != 0;
	return true;
}

/* Returns whether no jump with unknown targets can lead to the function's first instructions, which move. Jumps with unknown
 * targets may lead to any place with the same stack depth; so the first instructions must have a different depth. */
static bool is_entry_out_of_reach(const struct plan_work *work)
{
	const struct plan_code *code = work->code;
	const struct plan_region *region = &work->regions[0];

	for (uint32_t i = 0; i < work->insn_count; i++) {
		if (work->insns[i].kind != INSN_JUMP_INDIRECT || work->exits[i] != EXIT_NONE ||
			plan_jump_kind(code, work->insns[i].at) == JUMP_TABLE)
			continue;
		for (uint32_t k = 0; k < region->count; k++)
			if (plan_frame_is_same(code, plan_code_find(code, work->insns[i].at), work->insns[i].at, work->entry,
				    work->insns[region->first + k].at))
				return false;
	}
	return true;
}

/* Chooses a region for the entry only, to count calls. why: the reason for not timing the function. Returns why, or the reason for
 * leaving the function alone. */
static enum plan_reason choose_counted(struct plan_work *work, enum plan_reason why, bool is_second_round)
{
	enum plan_reason room = plan_regions_choose(work, false, is_second_round && why != PLAN_JUMP_NOT_UNDERSTOOD);

	if (room == PLAN_TIMED && why == PLAN_JUMP_NOT_UNDERSTOOD && !is_entry_out_of_reach(work)) {
		plan_regions_drop(work);
		return PLAN_JUMP_ANYWHERE;
	}
	return room == PLAN_TIMED ? why : room;
}

/* Plans the function that begins with entry. is_second_round: the second round, with a harder search for room. *is_done: false if
 * the function must wait for the second round. Returns false if out of memory. */
static bool plan_function(struct maker *maker, struct plan_entry *entry, bool is_second_round, bool *is_done)
{
	struct plan_work *work = &maker->work;
	size_t sites = maker->output.site_count;
	enum plan_reason reason = entry->low == maker->image.entry ? PLAN_PROGRAM_ENTRY
				  : plan_flags_are_passed(&maker->code, entry->low)
					  ? PLAN_PASSES_FLAGS
					  : plan_work_read(work, &maker->code, &maker->code.entries[entry->group]);

	*is_done = true;
	if (reason == PLAN_TIMED) {
		reason = plan_regions_choose(work, true, is_second_round);
		*is_done = reason == PLAN_TIMED || is_second_round;
		if (reason == PLAN_NO_ROOM_AT_EXIT && is_second_round)
			reason = choose_counted(work, reason, true);
	} else if (reason < PLAN_LEFT_ALONE) {
		*is_done = is_second_round;
		if (is_second_round)
			reason = choose_counted(work, reason, true);
	}
	if (reason == PLAN_REASONS)
		return false;
	if (!*is_done)
		return true;
	if (reason < PLAN_LEFT_ALONE && !plan_emit(&maker->output, work, reason != PLAN_TIMED))
		return false;
	return add_decision(maker, entry, reason, sites);
}

/* The first round plans functions with easy room, the second searches harder for the others. */
static bool plan_functions_all(struct maker *maker)
{
	struct plan_code *code = &maker->code;
	bool *is_done = calloc(code->count + 1, sizeof *is_done), good = is_done != NULL;

	for (unsigned round = 0; round < 2 && good; round++)
		for (size_t i = 0; i < code->count && good; i++)
			if (code->entries[i].is_function && !is_done[i])
				good = plan_function(maker, &code->entries[i], round == 1, &is_done[i]);
	free(is_done);
	return good;
}

static void count_code(struct maker *maker)
{
	const struct plan_spans *spans = &maker->image.code;

	for (size_t i = 0; i < spans->count; i++)
		maker->output.text_bytes += spans->list[i].high - spans->list[i].low;
	for (size_t i = 0; i < maker->code.count; i++)
		if (maker->code.entries[i].is_timed)
			maker->output.timed_bytes += maker->code.entries[i].high - maker->code.entries[i].low;
}

static int by_address(const void *a, const void *b)
{
	const struct plan_decision *left = a, *right = b;

	return left->address < right->address ? -1 : left->address > right->address;
}

static bool make_from_image(struct maker *maker)
{
	struct plan_code *code = &maker->code;

	if (!plan_code_read(code, &maker->image) || !plan_find_jump_targets(code))
		return false;
	plan_code_mark_data_pointers(code);
	if (!plan_group(code))
		return false;
	plan_flags_find(code);
	if (!maker->image.is_c_library)
		plan_leave_find(code);
	if (!plan_functions_all(maker) || !plan_output_sort(&maker->output))
		return false;
	count_code(maker);
	if (maker->plan->decision_count)
		qsort(maker->plan->decisions, maker->plan->decision_count, sizeof *maker->plan->decisions, by_address);
	return plan_assemble(&maker->output, code, maker->plan);
}

bool plan_make_of_bytes(struct bytes file, const char *name, struct plan *plan, struct diag *diag)
{
	struct maker maker = {.plan = plan};
	bool good;

	*plan = (struct plan){0};
	good = plan_image_read(&maker.image, file, name, diag);
	if (good && !make_from_image(&maker)) {
		diag_add(diag, DIAG_ERROR, name, DIAG_NO_OFFSET, "cannot be traced as it is: no memory");
		good = false;
	}
	plan_work_clear(&maker.work);
	plan_output_clear(&maker.output);
	plan_code_clear(&maker.code);
	plan_image_clear(&maker.image);
	return good;
}

bool plan_make(const char *path, struct plan *plan, struct diag *diag)
{
	struct bytes file;
	bool good;

	*plan = (struct plan){0};
	if (!plan_read_file(path, &file, diag))
		return false;
	good = plan_make_of_bytes(file, path, plan, diag);
	free((void *)file.data);
	return good;
}

static void set_key(struct plan_key *key, const char *path, struct digest content)
{
	uint8_t id[BUILD_ID_BYTES_MAX];
	size_t id_bytes;

	if (!read_build_id(path, id, &id_bytes))
		id_bytes = 0;
	plan_key_set(key, id, id_bytes, &content);
}

/* Reads the plan of the file from the cache, without keeping the file in memory. */
static bool read_kept_plan(const char *path, struct plan *plan)
{
	struct content content;
	struct plan_key key;

	if (!content_read(path, clock_ns(CLOCK_REALTIME), &content))
		return false;
	plan_key_set(&key, content.build_id, content.build_id_bytes, &content.digest);
	return plan_cache_read(&key, plan);
}

bool plan_get(const char *path, const char *name, struct plan *plan, struct diag *diag)
{
	struct plan_key key;
	struct bytes file;
	bool good;

	*plan = (struct plan){0};
	if (read_kept_plan(path, plan))
		return true;
	if (!plan_read_file(path, &file, diag))
		return false;
	set_key(&key, path, digest_of(file)); /* again: the file may have changed meanwhile */
	good = plan_make_of_bytes(file, name, plan, diag);
	free((void *)file.data);
	if (good)
		plan_cache_write(&key, plan);
	return good;
}

void plan_free(struct plan *plan)
{
	free(plan->memory);
	free(plan->decisions);
	*plan = (struct plan){0};
}
