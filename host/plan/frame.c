/* frame: reads and compares unwind rules (frame.h). */
#include "plan/frame.h"

#include "cpu/cpu.h"
#include "unwind/cfi.h"

bool plan_frame_at(const struct plan_code *code, const struct plan_entry *entry, uint32_t at, struct rule *rule)
{
	return cfi_get_rule(code->image->frames, &cpu_x86_64, &entry->cfi, code->image->base + at, rule);
}

bool plan_frame_is_bare(const struct plan_code *code, const struct plan_entry *entry, uint32_t at)
{
	struct rule rule;

	return plan_frame_at(code, entry, at, &rule) && rule.cfa_kind == CFA_REGISTER && rule.cfa_register == cpu_x86_64.sp &&
	       rule.cfa.offset == 8;
}

bool plan_frame_is_same(
	const struct plan_code *code, const struct plan_entry *a, uint32_t at_a, const struct plan_entry *b, uint32_t at_b)
{
	struct rule left, right;

	return plan_frame_at(code, a, at_a, &left) && plan_frame_at(code, b, at_b, &right) && left.cfa_kind == right.cfa_kind &&
	       left.cfa_register == right.cfa_register && left.cfa.offset == right.cfa.offset &&
	       left.cfa.expression_bytes == right.cfa.expression_bytes &&
	       (!left.cfa.expression_bytes || !memcmp(left.cfa.expression, right.cfa.expression, left.cfa.expression_bytes));
}
