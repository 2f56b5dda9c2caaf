/* expression: evaluates the expressions of call frame information. Internal to unwind/. */
#ifndef DWELL_HOST_UNWIND_EXPRESSION_H
#define DWELL_HOST_UNWIND_EXPRESSION_H

#include <stdbool.h>
#include <stdint.h>

#include "unwind/registers.h"
#include "unwind/rule.h"

/* GOOD: *value is set. BEYOND: the expression reads outside of the copied stack. BAD: the expression is damaged, too deep, or needs
 * an unknown register or operation. */
enum expression_result { EXPRESSION_GOOD, EXPRESSION_OUTSIDE_STACK, EXPRESSION_BAD };

/* Evaluates an expression. If has_initial, the evaluation stack begins with the value initial. Changes *value even on failure. */
enum expression_result expression_evaluate(struct bytes expression, const struct cpu *cpu, const struct unwind_registers *registers,
	const struct unwind_stack *stack, bool has_initial, uint64_t initial, uint64_t *value);

/* Reads 8 bytes at an address of the copied stacks; false: the bytes are in none of the copies. */
static inline bool stack_read(const struct unwind_stack *stack, uint64_t address, uint64_t *value)
{
	for (; stack; stack = stack->next_stack)
		if (address >= stack->address && bytes_have(stack->bytes, address - stack->address, 8)) {
			*value = get_u64(stack->bytes.data + (address - stack->address));
			return true;
		}
	return false;
}

#endif
