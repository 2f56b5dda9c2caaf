/* flags: finds functions that pass values in the processor's flags: a carry as an argument or a result, a comparison for the caller
 * to evaluate. Only assembler code does that. A gate destroys the flags, so these functions stay unchanged. Internal to plan/. */
#ifndef DWELL_HOST_PLAN_FLAGS_H
#define DWELL_HOST_PLAN_FLAGS_H

#include "plan/code.h"

/* What happens to the flags at a place. */
enum plan_flags {
	FLAGS_DROPPED, /* overwritten before any use */
	FLAGS_READ,
	FLAGS_RETURNED, /* still valid when the function returns */
	FLAGS_HANDED_ON, /* still valid at a call of, or a jump to, another function: *target */
	FLAGS_UNKNOWN,
};
/* pre: the place is in the entry. Sets *target only with FLAGS_HANDED_ON. */
enum plan_flags plan_flags_follow(const struct plan_code *code, const struct plan_entry *entry, uint32_t at, uint32_t *target);

/* Sets reads_caller_flags, returns_flags and flags_passed_on of the first entry of each group. pre: plan_group has found the
 * functions. */
void plan_flags_find(struct plan_code *code);

/* Returns whether a gate in the function that contains the place may destroy a value in the flags. */
static inline bool plan_flags_are_passed(const struct plan_code *code, uint32_t at)
{
	const struct plan_entry *entry = plan_code_find(code, at), *root = entry ? &code->entries[entry->group] : NULL;

	return root && (root->reads_caller_flags || root->returns_flags || root->flags_passed_on);
}

#endif
