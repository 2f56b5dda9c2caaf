/* expression: the arithmetic of call frame information. Internal to unwind/. */
#ifndef DWELL_HOST_UNWIND_EXPRESSION_H
#define DWELL_HOST_UNWIND_EXPRESSION_H

#include <stdbool.h>
#include <stdint.h>

#include "unwind/registers.h"
#include "unwind/rule.h"

enum expression_result { EXPRESSION_GOOD, EXPRESSION_BEYOND, EXPRESSION_BAD }; /* BEYOND: it reads where the stack's copy does not go */

/* initial is on the stack of the machine that computes, if has_initial. */
enum expression_result expression_evaluate(struct bytes expression, const struct cpu *cpu,
	const struct unwind_registers *registers, const struct unwind_stack *stack, bool has_initial, uint64_t initial, uint64_t *value);

/* 8 bytes of the copy of the stack; false: they are not in it. */
static inline bool stack_read(const struct unwind_stack *stack, uint64_t address, uint64_t *value)
{
	if (address < stack->address || !bytes_have(stack->bytes, address - stack->address, 8))
		return false;
	*value = get_u64(stack->bytes.data + (address - stack->address));
	return true;
}

#endif
