/* unwind: finds callers by unwind tables, or by frame pointers (unwind.h). */
#include "unwind/unwind.h"

#include <stdlib.h>
#include <string.h>

#include "unwind/expression.h"
#include "unwind/file.h"
#include "util/array.h"
#include "util/sorted.h"

/* Largest distance from the stack pointer to the frame pointer, in code without tables. */
#define FRAME_BYTES_MAX (UINT64_C(1) << 24)

/* A mapped file; the members are as for unwind_space_map. */
struct mapping {
	uint64_t low, high, bias;
	struct unwind_file *file;
};

struct unwind_space {
	const struct cpu *cpu;
	struct mapping *mappings; /* by low, without overlaps */
	size_t count, capacity;
};

struct unwind_space *make_unwind_space(const struct cpu *cpu)
{
	struct unwind_space *space = cpu && cpu->pointer_bytes ? calloc(1, sizeof *space) : NULL;

	if (space)
		space->cpu = cpu;
	return space;
}

void free_unwind_space(struct unwind_space *space)
{
	if (!space)
		return;
	free(space->mappings);
	free(space);
}

/* Returns the index of the first mapping that ends behind the address. */
static size_t find_index(const struct unwind_space *space, uint64_t address)
{
	return SORTED_UP_TO(struct mapping, high, space->mappings, space->count, address);
}

static const struct mapping *find_mapping(const struct unwind_space *space, uint64_t address)
{
	size_t index = find_index(space, address);

	return index < space->count && space->mappings[index].low <= address ? &space->mappings[index] : NULL;
}

static bool insert_mapping(struct unwind_space *space, size_t index, const struct mapping *mapping)
{
	if (!array_reserve(&space->mappings, &space->capacity, space->count + 1, sizeof *space->mappings))
		return false;
	memmove(space->mappings + index + 1, space->mappings + index, (space->count - index) * sizeof *space->mappings);
	space->mappings[index] = *mapping;
	space->count++;
	return true;
}

bool unwind_space_unmap(struct unwind_space *space, uint64_t low, uint64_t high)
{
	for (size_t i = find_index(space, low); i < space->count && space->mappings[i].low < high;) {
		struct mapping *at = &space->mappings[i], rest = *at;

		if (at->low < low && at->high > high) {
			at->high = low;
			rest.low = high;
			return insert_mapping(space, i + 1, &rest);
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
	return unwind_space_unmap(space, low, high) && insert_mapping(space, find_index(space, low), &mapping);
}

bool unwind_space_is_mapped(const struct unwind_space *space, uint64_t address)
{
	return find_mapping(space, address) != NULL;
}

/* The result of a step from a frame to its caller. */
enum step {
	STEP_OUT, /* the caller is found */
	STEP_END, /* the frame is the outermost one */
	STEP_OUTSIDE_STACK, /* the caller's registers are outside of the copied stack */
	STEP_BAD /* the rule or the stack makes no sense */
};

/* The frame that the walk has reached. */
struct frame {
	struct unwind_registers registers;
	const struct cpu *cpu;
	const struct unwind_stack *stack;
	const struct rule *rule; /* null: the code has no table */
	uint64_t cfa; /* canonical frame address (rule.h) */
};

static enum step step_of_expression(enum expression_result result)
{
	return result == EXPRESSION_GOOD ? STEP_OUT : result == EXPRESSION_OUTSIDE_STACK ? STEP_OUTSIDE_STACK : STEP_BAD;
}

/* Returns whether the register exists and has a value. */
static bool has_register(const struct unwind_registers *registers, uint64_t number)
{
	return number < CPU_REGISTERS && registers->known >> number & 1;
}

static enum step find_cfa(struct frame *frame)
{
	const struct rule *rule = frame->rule;
	const struct unwind_registers *registers = &frame->registers;
	const struct bytes expression = {rule->cfa.expression, rule->cfa.expression_bytes};

	if (rule->cfa_kind == CFA_EXPRESSION)
		return step_of_expression(
			expression_evaluate(expression, frame->cpu, registers, frame->stack, false, 0, &frame->cfa));
	if (!has_register(registers, rule->cfa_register))
		return STEP_BAD;
	frame->cfa = registers->values[rule->cfa_register] + (uint64_t)rule->cfa.offset;
	return STEP_OUT;
}

/* Finds the caller's value of register number. STEP_END: the value is unknown. */
static enum step find_register(const struct frame *frame, const struct rule_register *rule, unsigned number, uint64_t *value)
{
	const struct bytes expression = {rule->expression, rule->expression_bytes};
	enum step step;

	switch ((enum rule_kind)rule->kind) {
	case RULE_SAME:
	case RULE_REGISTER:
		if (rule->kind == RULE_REGISTER)
			number =
				rule->offset >= 0 && rule->offset < (int64_t)CPU_REGISTERS ? (unsigned)rule->offset : CPU_REGISTERS;
		if (!has_register(&frame->registers, number))
			return STEP_END;
		*value = frame->registers.values[number];
		return STEP_OUT;
	case RULE_UNDEFINED:
		return STEP_END;
	case RULE_IS_CFA:
		*value = frame->cfa + (uint64_t)rule->offset;
		return STEP_OUT;
	case RULE_AT_CFA:
		/* Below the stack pointer: the function has already restored the
		 * register on its way out, which its table does not show. */
		if (frame->cfa + (uint64_t)rule->offset < frame->registers.values[frame->cpu->sp] &&
			has_register(&frame->registers, number)) {
			*value = frame->registers.values[number];
			return STEP_OUT;
		}
		return stack_read(frame->stack, frame->cfa + (uint64_t)rule->offset, value) ? STEP_OUT : STEP_OUTSIDE_STACK;
	case RULE_AT_EXPRESSION:
	case RULE_IS_EXPRESSION:
		step = step_of_expression(
			expression_evaluate(expression, frame->cpu, &frame->registers, frame->stack, true, frame->cfa, value));
		if (step != STEP_OUT || rule->kind == RULE_IS_EXPRESSION)
			return step;
		return stack_read(frame->stack, *value, value) ? STEP_OUT : STEP_OUTSIDE_STACK;
	}
	return STEP_BAD;
}

static void set_register(struct unwind_registers *registers, unsigned number, uint64_t value)
{
	registers->values[number] = value;
	registers->known |= UINT32_C(1) << number;
}

/* Replaces the registers by the caller's, according to the rule. innermost: the frame has made no call, as at the first frame and
 * at a frame interrupted by a signal. Changes the registers only if the result is STEP_OUT. */
static enum step step_by_rule(struct frame *frame, bool innermost)
{
	const struct cpu *cpu = frame->cpu;
	const struct rule *rule = frame->rule;
	struct unwind_registers outer = {0};
	enum step step = find_cfa(frame);
	uint64_t value;

	if (step != STEP_OUT)
		return step;
	if (rule->ra.kind == RULE_SAME && !innermost)
		return STEP_BAD; /* only a function that has made no call yet has its return address in a register */
	step = find_register(frame, &rule->ra, cpu->ra, &outer.pc);
	if (step != STEP_OUT)
		return step == STEP_END && rule->ra.kind != RULE_UNDEFINED ? STEP_BAD : step;
	outer.pc &= cpu->code_mask;
	if (!outer.pc)
		return STEP_END;
	value = frame->cfa;
	if (rule->sp.kind != RULE_SAME && (step = find_register(frame, &rule->sp, cpu->sp, &value)) != STEP_OUT)
		return step == STEP_END ? STEP_BAD : step;
	set_register(&outer, cpu->sp, value);
	for (unsigned i = 0; i < cpu->callee_saved_count; i++)
		if (find_register(frame, &rule->callee_saved[i], cpu->callee_saved[i], &value) == STEP_OUT)
			set_register(&outer, cpu->callee_saved[i], value);
	if (cpu->ra_in_register)
		set_register(&outer, cpu->ra, outer.pc);
	/* Each step must go outwards, or a forged stack would loop for ever. A signal handler may run on a stack below or above. */
	value = frame->registers.values[cpu->sp];
	if (!rule->is_signal && (outer.values[cpu->sp] < value || (outer.values[cpu->sp] == value && !innermost)))
		return STEP_BAD;
	frame->registers = outer;
	return STEP_OUT;
}

/* Does the same by the frame pointer, for code without a table. The code may use that register for other values, so the return
 * address must be an address of code. A frame pointer of zero marks the outermost frame (the loader's _start has no table). */
static enum step step_by_frame_pointer(const struct unwind_space *space, const struct mapping *mapping, struct frame *frame)
{
	const struct cpu *cpu = frame->cpu;
	uint64_t fp = frame->registers.values[cpu->fp], sp = frame->registers.values[cpu->sp], outer_fp;
	struct unwind_registers outer = {0};

	if (mapping && mapping->file && has_register(&frame->registers, cpu->fp) && !fp)
		return STEP_END;
	if (!has_register(&frame->registers, cpu->fp) || fp < sp || fp - sp > FRAME_BYTES_MAX || fp % 8)
		return STEP_BAD;
	fp += (uint64_t)(int64_t)cpu->fp_record;
	if (!stack_read(frame->stack, fp, &outer_fp) || !stack_read(frame->stack, fp + 8, &outer.pc))
		return STEP_OUTSIDE_STACK;
	outer.pc &= cpu->code_mask;
	if (!outer.pc)
		return STEP_END;
	if (!find_mapping(space, outer.pc - 1))
		return STEP_BAD;
	set_register(&outer, cpu->fp, outer_fp);
	set_register(&outer, cpu->sp, fp + 16);
	frame->registers = outer;
	return STEP_OUT;
}

static const struct rule *find_rule(struct unwind_space *space, const struct mapping *mapping, uint64_t pc)
{
	return mapping && mapping->file && unwind_file_cpu(mapping->file) == space->cpu
		? unwind_file_rule(mapping->file, pc - mapping->bias)
		: NULL;
}

/* Finds the rule for a return address and the mapping with its table. Looks up the byte before the address, since the call may be
 * the last instruction of its function. But a signal handler returns to the first instruction of a trampoline. Not every
 * trampoline's table begins one byte early for such lookups, so this function then tries the address itself. */
static const struct rule *find_return_rule(struct unwind_space *space, uint64_t address, const struct mapping **mapping)
{
	const struct rule *rule;

	*mapping = find_mapping(space, address - 1);
	rule = find_rule(space, *mapping, address - 1);
	if (!rule) {
		const struct mapping *at = find_mapping(space, address);
		const struct rule *trampoline = find_rule(space, at, address);

		if (trampoline && trampoline->is_signal) {
			*mapping = at;
			return trampoline;
		}
	}
	return rule;
}

static void mark_signal(uint64_t *signals, uint32_t index)
{
	if (index < 64)
		*signals |= UINT64_C(1) << index;
}

struct unwind_result unwind_stack(struct unwind_space *space, const struct unwind_registers *registers,
	const struct unwind_stack *stack, uint64_t *frames, uint32_t max, uint64_t *signals)
{
	struct frame frame = {.registers = *registers, .cpu = space->cpu, .stack = stack};
	struct unwind_result result = {.count = 1, .state = DWELL_STACK_TRUNCATED};
	bool is_return = false;

	frames[0] = registers->pc;
	*signals = 1;
	for (;;) {
		uint64_t pc = frame.registers.pc;
		const struct mapping *mapping;
		bool is_signal;
		enum step step;

		if (is_return) {
			frame.rule = find_return_rule(space, pc, &mapping);
		} else {
			mapping = find_mapping(space, pc);
			frame.rule = find_rule(space, mapping, pc);
		}
		is_signal = frame.rule && frame.rule->is_signal;
		if (is_signal) /* no call precedes the trampoline */
			mark_signal(signals, result.count - 1);
		if (frame.rule)
			step = step_by_rule(&frame, !is_return);
		else /* a return address outside of all code shows that the chain of frame pointers is wrong */
			step = mapping || !is_return ? step_by_frame_pointer(space, mapping, &frame) : STEP_BAD;
		if (step != STEP_OUT) {
			result.state = step == STEP_END      ? DWELL_STACK_COMPLETE
				       : step == STEP_OUTSIDE_STACK ? DWELL_STACK_TRUNCATED
							     : DWELL_STACK_BROKEN;
			return result;
		}
		if (result.count == max)
			return result;
		is_return = !is_signal;
		if (is_signal)
			mark_signal(signals, result.count);
		frames[result.count++] = frame.registers.pc;
	}
}
