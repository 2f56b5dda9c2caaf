/* cfi: runs the instructions of call frame information (DW_CFA_… of the DWARF standard). */
#include "unwind/cfi.h"

#include <string.h>


/* Most instructions of one program: only a hostile table has more. */
#define STEPS_MAX 100000u
#define REMEMBERED_MAX 16u /* most nested DW_CFA_remember_state */

enum {
	OP_ADVANCE = 0x40, OP_OFFSET = 0x80, OP_RESTORE = 0xc0,
	OP_NOP = 0x00, OP_SET_LOC = 0x01, OP_ADVANCE1 = 0x02, OP_ADVANCE2 = 0x03, OP_ADVANCE4 = 0x04, OP_OFFSET_EXTENDED = 0x05,
	OP_RESTORE_EXTENDED = 0x06, OP_UNDEFINED = 0x07, OP_SAME = 0x08, OP_REGISTER = 0x09, OP_REMEMBER = 0x0a,
	OP_RESTORE_STATE = 0x0b, OP_DEF_CFA = 0x0c, OP_DEF_CFA_REGISTER = 0x0d, OP_DEF_CFA_OFFSET = 0x0e,
	OP_DEF_CFA_EXPRESSION = 0x0f, OP_EXPRESSION = 0x10, OP_OFFSET_EXTENDED_SF = 0x11, OP_DEF_CFA_SF = 0x12,
	OP_DEF_CFA_OFFSET_SF = 0x13, OP_VAL_OFFSET = 0x14, OP_VAL_OFFSET_SF = 0x15, OP_VAL_EXPRESSION = 0x16,
	OP_NEGATE_RA_STATE = 0x2d, OP_ARGS_SIZE = 0x2e, OP_NEGATIVE_OFFSET_EXTENDED = 0x2f,
};

struct state {
	struct rule rule; /* at the current address */
	struct rule initial; /* after the CIE's program, for DW_CFA_restore */
	struct rule remembered[REMEMBERED_MAX];
	unsigned remembered_count;
	const struct cfi_cie *cie;
	const struct cpu *cpu;
};

/* Returns the member of the rule for a register; null: unwinding does not need this register. */
static struct rule_register *find_register(struct rule *rule, const struct state *state, uint64_t number)
{
	const struct cpu *cpu = state->cpu;

	if (number == state->cie->ra)
		return &rule->ra;
	if (number == cpu->sp)
		return &rule->sp;
	for (unsigned i = 0; i < cpu->callee_saved_count; i++)
		if (number == cpu->callee_saved[i])
			return &rule->callee_saved[i];
	return NULL;
}

static void set_rule(struct state *state, uint64_t number, enum rule_kind kind, int64_t offset, struct bytes expression)
{
	struct rule_register *to = find_register(&state->rule, state, number);

	if (to)
		*to = (struct rule_register){.kind = (uint8_t)kind,
			.offset = offset,
			.expression = expression.data,
			.expression_bytes = (uint32_t)expression.size};
}

static void restore_rule(struct state *state, uint64_t number)
{
	struct rule_register *to = find_register(&state->rule, state, number);

	if (to)
		*to = *find_register(&state->initial, state, number);
}

static int64_t scale(int64_t factor, uint64_t number)
{
	return (int64_t)((uint64_t)factor * number);
}

static void set_cfa(struct state *state, uint64_t number, int64_t offset, struct cursor *cursor)
{
	cursor->bad |= number > 254;
	state->rule.cfa_kind = CFA_REGISTER;
	state->rule.cfa_register = (uint8_t)number;
	state->rule.cfa = (struct rule_register){.offset = offset};
}

static struct bytes take_expression(struct cursor *cursor)
{
	uint64_t bytes = cursor_take_uleb(cursor);

	return cursor_take_block(cursor, bytes);
}

/* Runs an instruction that changes the rule, but not the address. Sets cursor->bad if the instruction is unknown. */
static void run_instruction(struct state *state, struct cursor *cursor, uint8_t op)
{
	const struct bytes none = {0, 0};
	struct bytes expression;
	const int64_t align = state->cie->data_align;
	uint64_t number;

	switch (op) {
	case OP_NOP:
	case OP_NEGATE_RA_STATE:
		break;
	case OP_OFFSET_EXTENDED:
		number = cursor_take_uleb(cursor);
		set_rule(state, number, RULE_AT_CFA, scale(align, cursor_take_uleb(cursor)), none);
		break;
	case OP_RESTORE_EXTENDED:
		restore_rule(state, cursor_take_uleb(cursor));
		break;
	case OP_UNDEFINED:
		set_rule(state, cursor_take_uleb(cursor), RULE_UNDEFINED, 0, none);
		break;
	case OP_SAME:
		set_rule(state, cursor_take_uleb(cursor), RULE_SAME, 0, none);
		break;
	case OP_REGISTER:
		number = cursor_take_uleb(cursor);
		set_rule(state, number, RULE_REGISTER, (int64_t)cursor_take_uleb(cursor), none);
		break;
	case OP_REMEMBER:
		if (state->remembered_count < REMEMBERED_MAX)
			state->remembered[state->remembered_count++] = state->rule;
		else
			cursor->bad = true;
		break;
	case OP_RESTORE_STATE:
		if (state->remembered_count)
			state->rule = state->remembered[--state->remembered_count];
		else
			cursor->bad = true;
		break;
	case OP_DEF_CFA:
		number = cursor_take_uleb(cursor);
		set_cfa(state, number, (int64_t)cursor_take_uleb(cursor), cursor);
		break;
	case OP_DEF_CFA_SF:
		number = cursor_take_uleb(cursor);
		set_cfa(state, number, scale(align, (uint64_t)cursor_take_sleb(cursor)), cursor);
		break;
	case OP_DEF_CFA_REGISTER:
		set_cfa(state, cursor_take_uleb(cursor), state->rule.cfa.offset, cursor);
		break;
	case OP_DEF_CFA_OFFSET:
		set_cfa(state, state->rule.cfa_register, (int64_t)cursor_take_uleb(cursor), cursor);
		break;
	case OP_DEF_CFA_OFFSET_SF:
		set_cfa(state, state->rule.cfa_register, scale(align, (uint64_t)cursor_take_sleb(cursor)), cursor);
		break;
	case OP_DEF_CFA_EXPRESSION:
		state->rule.cfa_kind = CFA_EXPRESSION;
		expression = take_expression(cursor);
		state->rule.cfa =
			(struct rule_register){.expression = expression.data, .expression_bytes = (uint32_t)expression.size};
		break;
	case OP_EXPRESSION:
		number = cursor_take_uleb(cursor);
		set_rule(state, number, RULE_AT_EXPRESSION, 0, take_expression(cursor));
		break;
	case OP_VAL_EXPRESSION:
		number = cursor_take_uleb(cursor);
		set_rule(state, number, RULE_IS_EXPRESSION, 0, take_expression(cursor));
		break;
	case OP_OFFSET_EXTENDED_SF:
		number = cursor_take_uleb(cursor);
		set_rule(state, number, RULE_AT_CFA, scale(align, (uint64_t)cursor_take_sleb(cursor)), none);
		break;
	case OP_NEGATIVE_OFFSET_EXTENDED:
		number = cursor_take_uleb(cursor);
		set_rule(state, number, RULE_AT_CFA, -scale(align, cursor_take_uleb(cursor)), none);
		break;
	case OP_VAL_OFFSET:
		number = cursor_take_uleb(cursor);
		set_rule(state, number, RULE_IS_CFA, scale(align, cursor_take_uleb(cursor)), none);
		break;
	case OP_VAL_OFFSET_SF:
		number = cursor_take_uleb(cursor);
		set_rule(state, number, RULE_IS_CFA, scale(align, (uint64_t)cursor_take_sleb(cursor)), none);
		break;
	case OP_ARGS_SIZE:
		cursor_take_uleb(cursor);
		break;
	default:
		cursor->bad = true;
		break;
	}
}

/* Runs a program, which begins at the address from, up to the instruction that moves beyond address. */
static bool run_program(
	struct state *state, const struct cfi_section *section, struct bytes program, uint64_t from, uint64_t address)
{
	/* Pointers are relative to their position in the section, so the cursor covers the section from its start. */
	const struct bytes upto = {section->bytes.data, (size_t)(program.data - section->bytes.data) + program.size};
	struct cursor cursor = {.bytes = upto, .at = (size_t)(program.data - section->bytes.data)};
	uint64_t at = from;

	for (unsigned steps = 0; cursor.at < cursor.bytes.size && !cursor.bad; steps++) {
		uint8_t op = (uint8_t)cursor_take(&cursor, 1);
		uint64_t next = at;

		if (steps == STEPS_MAX)
			return false;
		switch (op & 0xc0) {
		case OP_ADVANCE:
			next += (op & 0x3f) * state->cie->code_align;
			break;
		case OP_OFFSET:
			set_rule(state, op & 0x3f, RULE_AT_CFA, scale(state->cie->data_align, cursor_take_uleb(&cursor)),
				(struct bytes){0, 0});
			break;
		case OP_RESTORE:
			restore_rule(state, op & 0x3f);
			break;
		default:
			if (op == OP_ADVANCE1)
				next += cursor_take(&cursor, 1) * state->cie->code_align;
			else if (op == OP_ADVANCE2)
				next += cursor_take(&cursor, 2) * state->cie->code_align;
			else if (op == OP_ADVANCE4)
				next += cursor_take(&cursor, 4) * state->cie->code_align;
			else if (op == OP_SET_LOC)
				next = cfi_take_pointer(&cursor, section, state->cie->encoding);
			else
				run_instruction(state, &cursor, op);
		}
		if (next > address)
			break;
		at = next;
	}
	return !cursor.bad;
}

bool cfi_get_rule(const struct cfi_section *section, const struct cpu *cpu, const struct cfi_entry *entry, uint64_t address,
	struct rule *rule)
{
	struct cfi_cie cie;
	struct state state = {.cie = &cie, .cpu = cpu};
	struct bytes program;

	if (!cfi_read_entry(section, entry, &cie, &program))
		return false;
	state.rule.is_signal = cie.is_signal;
	state.rule.ra.kind = cpu->ra_in_register ? RULE_SAME : RULE_UNDEFINED;
	if (!run_program(&state, section, cie.program, 0, UINT64_MAX))
		return false;
	state.initial = state.rule;
	if (!run_program(&state, section, program, entry->low, address))
		return false;
	*rule = state.rule;
	return true;
}
