/* cfi: see cfi.h. */
#include "unwind/cfi.h"

#include <string.h>

#include "unwind/cursor.h"

/* Instructions of a function with more than these are not believed: a table that is made to be slow. */
#define STEPS_MAX 100000u
#define REMEMBERED_MAX 16u

enum {
	PE_ABSPTR = 0x00, PE_ULEB = 0x01, PE_U2 = 0x02, PE_U4 = 0x03, PE_U8 = 0x04,
	PE_SLEB = 0x09, PE_S2 = 0x0a, PE_S4 = 0x0b, PE_S8 = 0x0c,
	PE_PCREL = 0x10, PE_OMIT = 0xff,
};

enum {
	OP_ADVANCE = 0x40, OP_OFFSET = 0x80, OP_RESTORE = 0xc0,
	OP_NOP = 0x00, OP_SET_LOC = 0x01, OP_ADVANCE1 = 0x02, OP_ADVANCE2 = 0x03, OP_ADVANCE4 = 0x04, OP_OFFSET_EXTENDED = 0x05,
	OP_RESTORE_EXTENDED = 0x06, OP_UNDEFINED = 0x07, OP_SAME = 0x08, OP_REGISTER = 0x09, OP_REMEMBER = 0x0a,
	OP_RESTORE_STATE = 0x0b, OP_DEF_CFA = 0x0c, OP_DEF_CFA_REGISTER = 0x0d, OP_DEF_CFA_OFFSET = 0x0e,
	OP_DEF_CFA_EXPRESSION = 0x0f, OP_EXPRESSION = 0x10, OP_OFFSET_EXTENDED_SF = 0x11, OP_DEF_CFA_SF = 0x12,
	OP_DEF_CFA_OFFSET_SF = 0x13, OP_VAL_OFFSET = 0x14, OP_VAL_OFFSET_SF = 0x15, OP_VAL_EXPRESSION = 0x16,
	OP_NEGATE_RA_STATE = 0x2d, OP_ARGS_SIZE = 0x2e, OP_NEGATIVE_OFFSET_EXTENDED = 0x2f,
};

/* What the entry says that many have in common. */
struct cie {
	uint64_t code_align;
	int64_t data_align;
	uint8_t ra;
	uint8_t encoding;
	bool is_signal, has_data;
	struct bytes program;
};

/* The length, and the cursor stands behind it. False: nothing more. */
static bool take_length(struct cursor *cursor, uint64_t *length, bool *wide)
{
	*length = cursor_take(cursor, 4);
	*wide = *length == 0xffffffff;
	if (*wide)
		*length = cursor_take(cursor, 8);
	return !cursor->bad && *length && bytes_have(cursor->bytes, cursor->at, *length);
}

static uint64_t take_pointer(
	struct cursor *cursor, const struct cfi_section *section, const struct unwind_machine *machine, uint8_t encoding)
{
	uint64_t place = section->address + cursor->at, value;

	switch (encoding & 0x0f) {
	case PE_ABSPTR:
		value = cursor_take(cursor, machine->pointer_bytes);
		break;
	case PE_ULEB:
		value = cursor_take_uleb(cursor);
		break;
	case PE_U2:
		value = cursor_take(cursor, 2);
		break;
	case PE_U4:
		value = cursor_take(cursor, 4);
		break;
	case PE_U8:
		value = cursor_take(cursor, 8);
		break;
	case PE_SLEB:
		value = (uint64_t)cursor_take_sleb(cursor);
		break;
	case PE_S2:
		value = (uint64_t)cursor_take_signed(cursor, 2);
		break;
	case PE_S4:
		value = (uint64_t)cursor_take_signed(cursor, 4);
		break;
	case PE_S8:
		value = (uint64_t)cursor_take_signed(cursor, 8);
		break;
	default: cursor->bad = true; return 0;
	}
	if ((encoding & 0x70) == PE_PCREL)
		value += place;
	else if (encoding & 0x70)
		cursor->bad = true; /* relative to what nobody writes into these sections */
	return value;
}

/* Offset: of the entry's length. */
static bool read_cie(const struct cfi_section *section, const struct unwind_machine *machine, uint64_t offset, struct cie *cie)
{
	struct cursor cursor = {.bytes = section->bytes, .at = (size_t)offset};
	uint64_t length, end, id;
	const char *augmentation;
	uint8_t version;
	bool wide;

	*cie = (struct cie){.encoding = PE_ABSPTR};
	if (offset > section->bytes.size || !take_length(&cursor, &length, &wide))
		return false;
	end = cursor.at + length;
	cursor.bytes.size = (size_t)end;
	id = cursor_take(&cursor, wide && section->is_debug_frame ? 8 : 4);
	if (section->is_debug_frame ? id != (wide ? UINT64_MAX : 0xffffffff) : id != 0)
		return false;
	version = (uint8_t)cursor_take(&cursor, 1);
	if (version != 1 && version != 3 && version != 4)
		return false;
	augmentation = (const char *)cursor.bytes.data + cursor.at;
	while (!cursor.bad && cursor_take(&cursor, 1))
		;
	if (cursor.bad)
		return false;
	if (version == 4 && (cursor_take(&cursor, 1) != machine->pointer_bytes || cursor_take(&cursor, 1)))
		return false;
	cie->code_align = cursor_take_uleb(&cursor);
	cie->data_align = cursor_take_sleb(&cursor);
	cie->ra = (uint8_t)(version == 1 ? cursor_take(&cursor, 1) : cursor_take_uleb(&cursor));
	if (*augmentation == 'z') {
		uint64_t bytes = cursor_take_uleb(&cursor);
		struct cursor data = {.bytes = cursor.bytes, .at = cursor.at};

		cie->has_data = true;
		for (augmentation++; *augmentation; augmentation++) {
			if (*augmentation == 'R')
				cie->encoding = (uint8_t)cursor_take(&data, 1);
			else if (*augmentation == 'P')
				take_pointer(&data, section, machine, (uint8_t)(cursor_take(&data, 1) & 0x7f));
			else if (*augmentation == 'L')
				cursor_take(&data, 1);
			else if (*augmentation == 'S')
				cie->is_signal = true;
			else if (*augmentation != 'B') /* B: return addresses are signed */
				break;
		}
		if (data.bad)
			return false;
		cursor_take_block(&cursor, bytes);
	} else if (*augmentation) {
		return false;
	}
	cie->program = cursor_take_block(&cursor, cursor.bad ? 0 : end - cursor.at);
	return !cursor.bad;
}

/* Cursor behind the FDE's CIE pointer: the code that it is for, and its program. */
static bool read_fde(struct cursor *cursor, const struct cfi_section *section, const struct unwind_machine *machine, const struct cie *cie,
	struct cfi_entry *entry, struct bytes *program)
{
	uint64_t bytes;

	entry->low = take_pointer(cursor, section, machine, cie->encoding);
	entry->high = entry->low + take_pointer(cursor, section, machine, cie->encoding & 0x0f);
	if (cie->has_data) {
		bytes = cursor_take_uleb(cursor);
		cursor_take_block(cursor, bytes);
	}
	*program = cursor_take_block(cursor, cursor->bad ? 0 : cursor->bytes.size - cursor->at);
	return !cursor->bad && entry->high >= entry->low;
}

bool cfi_next(const struct cfi_section *section, const struct unwind_machine *machine, uint64_t *offset, struct cfi_entry *entry)
{
	struct cursor cursor = {.bytes = section->bytes, .at = (size_t)*offset};
	uint64_t length, end, id, at;
	struct bytes program;
	struct cie cie;
	bool wide;

	*entry = (struct cfi_entry){.fde = (uint32_t)*offset};
	if (*offset >= section->bytes.size || section->bytes.size > UINT32_MAX || !take_length(&cursor, &length, &wide))
		return false;
	end = cursor.at + length;
	*offset = end;
	cursor.bytes.size = (size_t)end;
	at = cursor.at;
	id = cursor_take(&cursor, wide && section->is_debug_frame ? 8 : 4);
	if (section->is_debug_frame ? id == (wide ? UINT64_MAX : 0xffffffff) : !id)
		return true; /* a CIE */
	if (!section->is_debug_frame && id > at)
		return true;
	id = section->is_debug_frame ? id : at - id;
	entry->cie = (uint32_t)id;
	if (id > UINT32_MAX || !read_cie(section, machine, id, &cie) ||
		!read_fde(&cursor, section, machine, &cie, entry, &program))
		entry->high = entry->low = 0;
	return true;
}

/* ---- the program ---- */

struct state {
	struct rule rule;
	struct rule initial; /* what the CIE said */
	struct rule remembered[REMEMBERED_MAX];
	unsigned remembered_count;
	const struct cie *cie;
	const struct unwind_machine *machine;
};

static struct rule_register *find_register(struct rule *rule, const struct state *state, uint64_t number)
{
	const struct unwind_machine *machine = state->machine;

	if (number == state->cie->ra)
		return &rule->ra;
	if (number == machine->sp)
		return &rule->sp;
	for (unsigned i = 0; i < machine->kept_count; i++)
		if (number == machine->kept[i])
			return &rule->kept[i];
	return NULL;
}

static void set(struct state *state, uint64_t number, enum rule_kind kind, int64_t offset, struct bytes expression)
{
	struct rule_register *to = find_register(&state->rule, state, number);

	if (to)
		*to = (struct rule_register){.kind = (uint8_t)kind,
			.offset = offset,
			.expression = expression.data,
			.expression_bytes = (uint32_t)expression.size};
}

static void restore(struct state *state, uint64_t number)
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

/* One instruction that says something of registers. */
static void step(struct state *state, struct cursor *cursor, uint8_t op)
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
		set(state, number, RULE_AT_CFA, scale(align, cursor_take_uleb(cursor)), none);
		break;
	case OP_RESTORE_EXTENDED:
		restore(state, cursor_take_uleb(cursor));
		break;
	case OP_UNDEFINED:
		set(state, cursor_take_uleb(cursor), RULE_UNDEFINED, 0, none);
		break;
	case OP_SAME:
		set(state, cursor_take_uleb(cursor), RULE_SAME, 0, none);
		break;
	case OP_REGISTER:
		number = cursor_take_uleb(cursor);
		set(state, number, RULE_REGISTER, (int64_t)cursor_take_uleb(cursor), none);
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
		state->rule.cfa = (struct rule_register){.expression = expression.data, .expression_bytes = (uint32_t)expression.size};
		break;
	case OP_EXPRESSION:
		number = cursor_take_uleb(cursor);
		set(state, number, RULE_AT_EXPRESSION, 0, take_expression(cursor));
		break;
	case OP_VAL_EXPRESSION:
		number = cursor_take_uleb(cursor);
		set(state, number, RULE_IS_EXPRESSION, 0, take_expression(cursor));
		break;
	case OP_OFFSET_EXTENDED_SF:
		number = cursor_take_uleb(cursor);
		set(state, number, RULE_AT_CFA, scale(align, (uint64_t)cursor_take_sleb(cursor)), none);
		break;
	case OP_NEGATIVE_OFFSET_EXTENDED:
		number = cursor_take_uleb(cursor);
		set(state, number, RULE_AT_CFA, -scale(align, cursor_take_uleb(cursor)), none);
		break;
	case OP_VAL_OFFSET:
		number = cursor_take_uleb(cursor);
		set(state, number, RULE_IS_CFA, scale(align, cursor_take_uleb(cursor)), none);
		break;
	case OP_VAL_OFFSET_SF:
		number = cursor_take_uleb(cursor);
		set(state, number, RULE_IS_CFA, scale(align, (uint64_t)cursor_take_sleb(cursor)), none);
		break;
	case OP_ARGS_SIZE:
		cursor_take_uleb(cursor);
		break;
	default:
		cursor->bad = true;
		break;
	}
}

/* Up to the address. */
static bool run(struct state *state, const struct cfi_section *section, struct bytes program, uint64_t from, uint64_t address)
{
	/* Pointers are relative to where they stand in the section, so the cursor is over all of it. */
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
			set(state, op & 0x3f, RULE_AT_CFA, scale(state->cie->data_align, cursor_take_uleb(&cursor)), (struct bytes){0, 0});
			break;
		case OP_RESTORE:
			restore(state, op & 0x3f);
			break;
		default:
			if (op == OP_ADVANCE1)
				next += cursor_take(&cursor, 1) * state->cie->code_align;
			else if (op == OP_ADVANCE2)
				next += cursor_take(&cursor, 2) * state->cie->code_align;
			else if (op == OP_ADVANCE4)
				next += cursor_take(&cursor, 4) * state->cie->code_align;
			else if (op == OP_SET_LOC)
				next = take_pointer(&cursor, section, state->machine, state->cie->encoding);
			else
				step(state, &cursor, op);
		}
		if (next > address)
			break;
		at = next;
	}
	return !cursor.bad;
}

bool cfi_get_rule(const struct cfi_section *section, const struct unwind_machine *machine, const struct cfi_entry *entry, uint64_t address,
	struct rule *rule)
{
	struct cursor cursor = {.bytes = section->bytes, .at = entry->fde};
	struct cfi_entry again;
	struct bytes program;
	struct cie cie;
	struct state state = {.cie = &cie, .machine = machine};
	uint64_t length;
	bool wide;

	if (!read_cie(section, machine, entry->cie, &cie) || !take_length(&cursor, &length, &wide))
		return false;
	cursor.bytes.size = cursor.at + (size_t)length;
	cursor_take(&cursor, wide && section->is_debug_frame ? 8 : 4);
	if (!read_fde(&cursor, section, machine, &cie, &again, &program))
		return false;
	state.rule.is_signal = cie.is_signal;
	state.rule.ra.kind = machine->ra_in_register ? RULE_SAME : RULE_UNDEFINED;
	if (!run(&state, section, cie.program, 0, UINT64_MAX))
		return false;
	state.initial = state.rule;
	if (!run(&state, section, program, entry->low, address))
		return false;
	*rule = state.rule;
	return true;
}
