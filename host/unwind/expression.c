/* expression: evaluates DWARF expressions on a stack of values (expression.h). */
#include "unwind/expression.h"

#include "cfi/cursor.h"

#define DEPTH_MAX 32u

enum {
	OP_ADDR = 0x03, OP_DEREF = 0x06, OP_CONST1U = 0x08, OP_CONST1S, OP_CONST2U, OP_CONST2S, OP_CONST4U, OP_CONST4S,
	OP_CONST8U, OP_CONST8S, OP_CONSTU, OP_CONSTS, OP_DUP, OP_DROP, OP_OVER, OP_SWAP = 0x16, OP_AND = 0x1a, OP_MINUS = 0x1c,
	OP_MUL = 0x1e, OP_NEG, OP_NOT, OP_OR, OP_PLUS, OP_PLUS_UCONST, OP_SHL, OP_SHR, OP_SHRA, OP_XOR, OP_EQ = 0x29, OP_GE,
	OP_GT, OP_LE, OP_LT, OP_NE, OP_LIT0 = 0x30, OP_LIT31 = 0x4f, OP_BREG0 = 0x70, OP_BREG31 = 0x8f, OP_NOP = 0x96,
};

struct machine {
	uint64_t values[DEPTH_MAX];
	unsigned depth;
	bool bad;
};

static void push(struct machine *machine, uint64_t value)
{
	if (machine->depth == DEPTH_MAX)
		machine->bad = true;
	else
		machine->values[machine->depth++] = value;
}

static uint64_t pop(struct machine *machine)
{
	if (!machine->depth) {
		machine->bad = true;
		return 0;
	}
	return machine->values[--machine->depth];
}

/* Returns false if the register's value is unknown. */
static bool get_register(
	const struct cpu *cpu, const struct unwind_registers *registers, unsigned number, uint64_t *value)
{
	if (number == cpu->pc) {
		*value = registers->pc;
		return true;
	}
	*value = registers->values[number];
	return registers->known >> number & 1;
}

/* Runs an operation with two values. Sets machine->bad if the operation is unknown. */
static void run_binary_operation(struct machine *machine, uint8_t op)
{
	uint64_t b = pop(machine), a = pop(machine);

	switch (op) {
	case OP_AND:
		push(machine, a & b);
		break;
	case OP_MINUS:
		push(machine, a - b);
		break;
	case OP_MUL:
		push(machine, a * b);
		break;
	case OP_OR:
		push(machine, a | b);
		break;
	case OP_PLUS:
		push(machine, a + b);
		break;
	case OP_SHL:
		push(machine, b < 64 ? a << b : 0);
		break;
	case OP_SHR:
		push(machine, b < 64 ? a >> b : 0);
		break;
	case OP_SHRA:
		push(machine, (uint64_t)((int64_t)a >> (b < 64 ? b : 63)));
		break;
	case OP_XOR:
		push(machine, a ^ b);
		break;
	case OP_EQ:
		push(machine, a == b);
		break;
	case OP_GE:
		push(machine, (int64_t)a >= (int64_t)b);
		break;
	case OP_GT:
		push(machine, (int64_t)a > (int64_t)b);
		break;
	case OP_LE:
		push(machine, (int64_t)a <= (int64_t)b);
		break;
	case OP_LT:
		push(machine, (int64_t)a < (int64_t)b);
		break;
	case OP_NE:
		push(machine, a != b);
		break;
	case OP_SWAP:
		push(machine, b);
		push(machine, a);
		break;
	case OP_OVER:
		push(machine, a);
		push(machine, b);
		push(machine, a);
		break;
	default:
		machine->bad = true;
		break;
	}
}

/* Runs an operation with at most one value from the stack. False: op is not such an operation. */
static bool run_simple_operation(struct machine *machine, struct cursor *cursor, uint8_t op)
{
	uint64_t value;

	switch (op) {
	case OP_ADDR:
	case OP_CONST8U:
	case OP_CONST8S:
		push(machine, cursor_take(cursor, 8));
		return true;
	case OP_CONST1U:
		push(machine, cursor_take(cursor, 1));
		return true;
	case OP_CONST1S:
		push(machine, (uint64_t)cursor_take_signed(cursor, 1));
		return true;
	case OP_CONST2U:
		push(machine, cursor_take(cursor, 2));
		return true;
	case OP_CONST2S:
		push(machine, (uint64_t)cursor_take_signed(cursor, 2));
		return true;
	case OP_CONST4U:
		push(machine, cursor_take(cursor, 4));
		return true;
	case OP_CONST4S:
		push(machine, (uint64_t)cursor_take_signed(cursor, 4));
		return true;
	case OP_CONSTU:
		push(machine, cursor_take_uleb(cursor));
		return true;
	case OP_CONSTS:
		push(machine, (uint64_t)cursor_take_sleb(cursor));
		return true;
	case OP_PLUS_UCONST:
		value = pop(machine);
		push(machine, value + cursor_take_uleb(cursor));
		return true;
	case OP_DUP:
		value = pop(machine);
		push(machine, value);
		push(machine, value);
		return true;
	case OP_DROP:
		pop(machine);
		return true;
	case OP_NEG:
		push(machine, -pop(machine));
		return true;
	case OP_NOT:
		push(machine, ~pop(machine));
		return true;
	case OP_NOP:
		return true;
	default:
		if (op < OP_LIT0 || op > OP_LIT31)
			return false;
		push(machine, op - (uint64_t)OP_LIT0);
		return true;
	}
}

/* The loop ends: jumps are not supported, so an expression takes no more steps than it has bytes. */
enum expression_result expression_evaluate(struct bytes expression, const struct cpu *cpu, const struct unwind_registers *registers,
	const struct unwind_stack *stack, bool has_initial, uint64_t initial, uint64_t *value)
{
	struct cursor cursor = {.bytes = expression};
	struct machine state = {.depth = has_initial};

	state.values[0] = initial;
	while (cursor.at < expression.size && !cursor.bad && !state.bad) {
		uint8_t op = (uint8_t)cursor_take(&cursor, 1);

		if (op >= OP_BREG0 && op <= OP_BREG31) {
			if (!get_register(cpu, registers, op - (unsigned)OP_BREG0, value))
				return EXPRESSION_BAD;
			push(&state, *value + (uint64_t)cursor_take_sleb(&cursor));
		} else if (op == OP_DEREF) {
			if (!stack_read(stack, pop(&state), value))
				return state.bad ? EXPRESSION_BAD : EXPRESSION_OUTSIDE_STACK;
			push(&state, *value);
		} else if (!run_simple_operation(&state, &cursor, op)) {
			run_binary_operation(&state, op);
		}
	}
	*value = pop(&state);
	return state.bad || cursor.bad ? EXPRESSION_BAD : EXPRESSION_GOOD;
}
