/* unwind: see unwind.h. */
#include "unwind/unwind.h"

#include <stdlib.h>
#include <string.h>

#include "unwind/expression.h"
#include "unwind/file.h"
#include "util/array.h"

/* A frame of more than that is not believed where only a chain of frame pointers says so. */
#define FRAME_BYTES_MAX (UINT64_C(1) << 24)

struct mapping {
	uint64_t low, high, bias;
	struct unwind_file *file;
};

struct unwind_space {
	const struct unwind_machine *machine;
	struct mapping *mappings; /* by low, apart from each other */
	size_t count, capacity;
};

struct unwind_space *make_unwind_space(uint16_t machine)
{
	struct unwind_space *space = unwind_find_machine(machine) ? calloc(1, sizeof *space) : NULL;

	if (space)
		space->machine = unwind_find_machine(machine);
	return space;
}

void free_unwind_space(struct unwind_space *space)
{
	if (!space)
		return;
	free(space->mappings);
	free(space);
}

/* Of the first mapping that ends behind the address. */
static size_t find_index(const struct unwind_space *space, uint64_t address)
{
	size_t low = 0, high = space->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (space->mappings[middle].high <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static const struct mapping *find_mapping(const struct unwind_space *space, uint64_t address)
{
	size_t index = find_index(space, address);

	return index < space->count && space->mappings[index].low <= address ? &space->mappings[index] : NULL;
}

static bool insert(struct unwind_space *space, size_t index, const struct mapping *mapping)
{
	if (!array_reserve(&space->mappings, &space->capacity, space->count + 1, sizeof *space->mappings))
		return false;
	memmove(space->mappings + index + 1, space->mappings + index, (space->count - index) * sizeof *space->mappings);
	space->mappings[index] = *mapping;
	space->count++;
	return true;
}

/* False: no memory for the half that is left behind a hole. */
static bool clear(struct unwind_space *space, uint64_t low, uint64_t high)
{
	for (size_t i = find_index(space, low); i < space->count && space->mappings[i].low < high;) {
		struct mapping *at = &space->mappings[i], rest = *at;

		if (at->low < low && at->high > high) {
			at->high = low;
			rest.low = high;
			return insert(space, i + 1, &rest);
		}
		if (at->low < low) {
			at->high = low;
			i++;
		} else if (at->high > high) {
			at->low = high;
		} else {
			memmove(at, at + 1, (space->count - i - 1) * sizeof *at);
			space->count--;
		}
	}
	return true;
}

bool unwind_space_map(struct unwind_space *space, uint64_t low, uint64_t high, uint64_t bias, struct unwind_file *file)
{
	const struct mapping mapping = {low, high, bias, file};

	if (low >= high)
		return true;
	return clear(space, low, high) && insert(space, find_index(space, low), &mapping);
}

void unwind_space_unmap(struct unwind_space *space, uint64_t low, uint64_t high)
{
	if (low < high)
		clear(space, low, high);
}

enum step { STEP_OUT, STEP_END, STEP_BEYOND, STEP_BAD };

struct frame {
	struct unwind_registers registers;
	const struct unwind_machine *machine;
	const struct unwind_stack *stack;
	const struct rule *rule;
	uint64_t cfa;
};

static enum step from_expression(enum expression_result result)
{
	return result == EXPRESSION_GOOD ? STEP_OUT : result == EXPRESSION_BEYOND ? STEP_BEYOND : STEP_BAD;
}

static bool knows(const struct unwind_registers *registers, uint64_t number)
{
	return number < UNWIND_REGISTERS && registers->known >> number & 1;
}

static enum step find_cfa(struct frame *frame)
{
	const struct rule *rule = frame->rule;
	const struct unwind_registers *registers = &frame->registers;
	const struct bytes expression = {rule->cfa.expression, rule->cfa.expression_bytes};

	if (rule->cfa_kind == CFA_EXPRESSION)
		return from_expression(
			expression_evaluate(expression, frame->machine, registers, frame->stack, false, 0, &frame->cfa));
	if (!knows(registers, rule->cfa_register))
		return STEP_BAD;
	frame->cfa = registers->values[rule->cfa_register] + (uint64_t)rule->cfa.offset;
	return STEP_OUT;
}

/* What register number of the caller is. STEP_END: nobody knows. */
static enum step find_register(const struct frame *frame, const struct rule_register *rule, unsigned number, uint64_t *value)
{
	const struct bytes expression = {rule->expression, rule->expression_bytes};
	enum step step;

	switch ((enum rule_kind)rule->kind) {
	case RULE_SAME:
	case RULE_REGISTER:
		if (rule->kind == RULE_REGISTER)
			number = rule->offset >= 0 && rule->offset < (int64_t)UNWIND_REGISTERS ? (unsigned)rule->offset : UNWIND_REGISTERS;
		if (!knows(&frame->registers, number))
			return STEP_END;
		*value = frame->registers.values[number];
		return STEP_OUT;
	case RULE_UNDEFINED:
		return STEP_END;
	case RULE_IS_CFA:
		*value = frame->cfa + (uint64_t)rule->offset;
		return STEP_OUT;
	case RULE_AT_CFA:
		/* Below the stack pointer: on its way out the function took it from there already, which its table does not tell. */
		if (frame->cfa + (uint64_t)rule->offset < frame->registers.values[frame->machine->sp] && knows(&frame->registers, number)) {
			*value = frame->registers.values[number];
			return STEP_OUT;
		}
		return stack_read(frame->stack, frame->cfa + (uint64_t)rule->offset, value) ? STEP_OUT : STEP_BEYOND;
	case RULE_AT_EXPRESSION:
	case RULE_IS_EXPRESSION:
		step = from_expression(
			expression_evaluate(expression, frame->machine, &frame->registers, frame->stack, true, frame->cfa, value));
		if (step != STEP_OUT || rule->kind == RULE_IS_EXPRESSION)
			return step;
		return stack_read(frame->stack, *value, value) ? STEP_OUT : STEP_BEYOND;
	}
	return STEP_BAD;
}

static void set_register(struct unwind_registers *registers, unsigned number, uint64_t value)
{
	registers->values[number] = value;
	registers->known |= UINT32_C(1) << number;
}

/* registers become those of the caller. */
static enum step step_by_rule(struct frame *frame, bool innermost)
{
	const struct unwind_machine *machine = frame->machine;
	const struct rule *rule = frame->rule;
	struct unwind_registers outer = {0};
	enum step step = find_cfa(frame);
	uint64_t value;

	if (step != STEP_OUT)
		return step;
	if (rule->ra.kind == RULE_SAME && !innermost)
		return STEP_BAD; /* only who did not call yet has its return address in a register */
	step = find_register(frame, &rule->ra, machine->ra, &outer.pc);
	if (step != STEP_OUT)
		return step == STEP_END && rule->ra.kind != RULE_UNDEFINED ? STEP_BAD : step;
	outer.pc &= machine->code_mask;
	if (!outer.pc)
		return STEP_END;
	value = frame->cfa;
	if (rule->sp.kind != RULE_SAME && (step = find_register(frame, &rule->sp, machine->sp, &value)) != STEP_OUT)
		return step == STEP_END ? STEP_BAD : step;
	set_register(&outer, machine->sp, value);
	for (unsigned i = 0; i < machine->kept_count; i++)
		if (find_register(frame, &rule->kept[i], machine->kept[i], &value) == STEP_OUT)
			set_register(&outer, machine->kept[i], value);
	if (machine->ra_in_register)
		set_register(&outer, machine->ra, outer.pc);
	/* Outwards, always: or a stack that was made for it would keep us here. A handler may run on a stack below or above. */
	value = frame->registers.values[machine->sp];
	if (!rule->is_signal && (outer.values[machine->sp] < value || (outer.values[machine->sp] == value && !innermost)))
		return STEP_BAD;
	frame->registers = outer;
	return STEP_OUT;
}

/* Code that no table tells of, which keeps a frame pointer like code of old. */
static enum step step_by_pointer(struct frame *frame)
{
	const struct unwind_machine *machine = frame->machine;
	uint64_t fp = frame->registers.values[machine->fp], sp = frame->registers.values[machine->sp], outer_fp;
	struct unwind_registers outer = {0};

	if (!knows(&frame->registers, machine->fp) || fp < sp || fp - sp > FRAME_BYTES_MAX || fp % 8)
		return STEP_BAD;
	if (!stack_read(frame->stack, fp, &outer_fp) || !stack_read(frame->stack, fp + 8, &outer.pc))
		return STEP_BEYOND;
	outer.pc &= machine->code_mask;
	if (!outer.pc)
		return STEP_END;
	set_register(&outer, machine->fp, outer_fp);
	set_register(&outer, machine->sp, fp + 16);
	frame->registers = outer;
	return STEP_OUT;
}

struct unwind_result unwind_stack(struct unwind_space *space, const struct unwind_registers *registers, const struct unwind_stack *stack,
	uint64_t *frames, uint32_t max, uint64_t *signals)
{
	struct frame frame = {.registers = *registers, .machine = space->machine, .stack = stack};
	struct unwind_result result = {.count = 1, .state = DWELL_STACK_TRUNCATED};
	bool is_return = false;

	frames[0] = registers->pc;
	*signals = 1;
	for (;;) {
		uint64_t pc = frame.registers.pc - is_return;
		const struct mapping *mapping = find_mapping(space, pc);
		bool is_signal;
		enum step step;

		frame.rule = mapping && mapping->file && unwind_file_machine(mapping->file) == space->machine
				     ? unwind_file_rule(mapping->file, pc - mapping->bias)
				     : NULL;
		is_signal = frame.rule && frame.rule->is_signal;
		if (frame.rule)
			step = step_by_rule(&frame, !is_return);
		else /* outside of all code no chain can be trusted that leads there by itself */
			step = mapping || !is_return ? step_by_pointer(&frame) : STEP_BAD;
		if (step != STEP_OUT) {
			result.state = step == STEP_END      ? DWELL_STACK_COMPLETE
				       : step == STEP_BEYOND ? DWELL_STACK_TRUNCATED
							     : DWELL_STACK_BROKEN;
			return result;
		}
		if (result.count == max)
			return result;
		is_return = !is_signal;
		if (is_signal && result.count < 64)
			*signals |= UINT64_C(1) << result.count;
		frames[result.count++] = frame.registers.pc;
	}
}
