/* SPDX-License-Identifier: MIT
 *
 * Finds the caller of a frame from the unwind tables in memory; see port/os/linux/frames.h.
 */
#include "port/os/linux/frames.h"
#include "port/os/linux/agent.h"
#include "port/os/linux/extents.h"

/* Register numbers in unwind tables. */
enum { REGISTER_FP = 6, REGISTER_SP = 7, REGISTER_RETURN = 16 };

/* How to compute the canonical frame address (CFA), and where the caller's frame pointer is: at sp or fp plus an offset, in the
 * register still (KEPT), or saved at the CFA plus an offset. */
enum { BASE_SP, BASE_FP, BASE_AT_FP /* the word at fp + offset */, BASE_KEPT, BASE_CFA, BASE_UNKNOWN };

#define FRAME_BYTES_MAX (UINT64_C(1) << 30)
#define REMEMBERED_STATES 4

/* The rules at one address of a function. */
struct state {
	int64_t cfa_offset, fp_offset;
	uint8_t cfa_base, fp_base;
	bool outermost, unknown;
};

/* The interpreter of a function's unwind instructions. */
struct machine {
	/* place: address at which the next rules begin to apply; target: the address whose rules are needed. */
	uint64_t place, target;
	uint64_t code_step;
	int64_t data_step;
	struct state now, initial, first /* at the function's first instruction */, remembered[REMEMBERED_STATES];
	uint32_t remembered_count;
	bool began;
};

static uint32_t get_u32(const uint8_t *p)
{
	uint32_t value;

	__builtin_memcpy(&value, p, sizeof value);
	return value;
}

static uint64_t take_unsigned(const uint8_t **p)
{
	uint64_t value = 0;
	unsigned shift = 0;

	do {
		value |= shift < 64 ? (uint64_t)(**p & 0x7f) << shift : 0;
		shift += 7;
	} while (*(*p)++ & 0x80);
	return value;
}

static int64_t take_signed(const uint8_t **p)
{
	uint64_t value = 0;
	unsigned shift = 0;
	uint8_t byte;

	do {
		byte = *(*p)++;
		value |= shift < 64 ? (uint64_t)(byte & 0x7f) << shift : 0;
		shift += 7;
	} while (byte & 0x80);
	if (byte & 0x40 && shift < 64)
		value |= ~UINT64_C(0) << shift;
	return (int64_t)value;
}

/* Decodes a DWARF expression fp + offset, the only form used by compilers for frames with an aligned stack. loads: the value is
 * the word at that address. */
static bool take_fp_expression(const uint8_t **p, int64_t *offset, bool *loads)
{
	uint64_t bytes = take_unsigned(p);
	const uint8_t *end = *p + bytes, *at = *p;

	*p = end;
	if (bytes < 2 || bytes > 16 || *at++ != 0x70 + REGISTER_FP)
		return false;
	*offset = take_signed(&at);
	*loads = at + 1 == end && *at == 6;
	return at == end || *loads;
}

static void set_register(struct machine *machine, uint64_t number, uint8_t base, int64_t offset)
{
	struct state *now = &machine->now;

	if (number == REGISTER_FP) {
		now->fp_base = base;
		now->fp_offset = offset;
	} else if (number == REGISTER_RETURN) {
		now->unknown |= base != BASE_CFA || offset != -8;
	}
}

static void set_cfa(struct machine *machine, uint64_t number, int64_t offset)
{
	machine->now.cfa_base = number == REGISTER_SP ? BASE_SP : number == REGISTER_FP ? BASE_FP : BASE_UNKNOWN;
	machine->now.cfa_offset = offset;
}

static void restore_register(struct machine *machine, uint64_t number)
{
	if (number != REGISTER_FP)
		return;
	machine->now.fp_base = machine->initial.fp_base;
	machine->now.fp_offset = machine->initial.fp_offset;
}

/* Executes an instruction that has an opcode byte of its own. False: unknown instruction. */
static bool step(struct machine *machine, uint8_t code, const uint8_t **p)
{
	uint64_t number;
	int64_t offset;
	bool loads;

	switch (code) {
	case 0x00: /* nop */
		return true;
	case 0x02: /* advance_loc */
		machine->place += *(*p)++ * machine->code_step;
		return true;
	case 0x03:
		machine->place += (uint64_t)((*p)[0] | (*p)[1] << 8) * machine->code_step;
		*p += 2;
		return true;
	case 0x04:
		machine->place += get_u32(*p) * machine->code_step;
		*p += 4;
		return true;
	case 0x05: /* offset: the register is saved at CFA + offset */
	case 0x11:
		number = take_unsigned(p);
		offset = code == 0x11 ? take_signed(p) : (int64_t)take_unsigned(p);
		set_register(machine, number, BASE_CFA, offset * machine->data_step);
		return true;
	case 0x06: /* restore: the rule of the common record */
		restore_register(machine, take_unsigned(p));
		return true;
	case 0x07: /* undefined */
		number = take_unsigned(p);
		machine->now.outermost |= number == REGISTER_RETURN;
		if (number == REGISTER_FP)
			machine->now.fp_base = BASE_UNKNOWN;
		return true;
	case 0x08: /* same_value */
		set_register(machine, take_unsigned(p), BASE_KEPT, 0);
		return true;
	case 0x09: /* register: the value is in another register */
		set_register(machine, take_unsigned(p), BASE_UNKNOWN, 0);
		take_unsigned(p);
		return true;
	case 0x0a:
		if (machine->remembered_count == REMEMBERED_STATES)
			return false;
		machine->remembered[machine->remembered_count++] = machine->now;
		return true;
	case 0x0b:
		if (!machine->remembered_count)
			return false;
		machine->now = machine->remembered[--machine->remembered_count];
		return true;
	case 0x0c: /* def_cfa */
	case 0x12:
		number = take_unsigned(p);
		offset = code == 0x12 ? take_signed(p) * machine->data_step : (int64_t)take_unsigned(p);
		set_cfa(machine, number, offset);
		return true;
	case 0x0d:
		set_cfa(machine, take_unsigned(p), machine->now.cfa_offset);
		return true;
	case 0x0e:
	case 0x13:
		machine->now.cfa_offset = code == 0x13 ? take_signed(p) * machine->data_step : (int64_t)take_unsigned(p);
		return true;
	case 0x0f:
		machine->now.cfa_base = take_fp_expression(p, &offset, &loads) && loads ? BASE_AT_FP : BASE_UNKNOWN;
		machine->now.cfa_offset = offset;
		return true;
	case 0x10:
		number = take_unsigned(p);
		if (take_fp_expression(p, &offset, &loads) && !loads)
			set_register(machine, number, BASE_FP, offset);
		else
			set_register(machine, number, BASE_UNKNOWN, 0);
		return true;
	case 0x16:
		set_register(machine, take_unsigned(p), BASE_UNKNOWN, 0);
		take_fp_expression(p, &offset, &loads);
		return true;
	case 0x2e: /* GNU_args_size: bytes of arguments */
		take_unsigned(p);
		return true;
	default:
		return false;
	}
}

/* Executes instructions up to the first one that applies behind the target. False: an unknown instruction. */
static bool run(struct machine *machine, const uint8_t *p, const uint8_t *end)
{
	while (p < end) {
		uint8_t code = *p++, low = code & 0x3f;
		bool known = true;
		uint64_t place = machine->place;

		if (code >> 6 == 1)
			machine->place += low * machine->code_step;
		else if (code >> 6 == 2)
			set_register(machine, low, BASE_CFA, (int64_t)take_unsigned(&p) * machine->data_step);
		else if (code >> 6 == 3)
			restore_register(machine, low);
		else
			known = step(machine, code, &p);
		if (!known)
			return false;
		if (machine->place != place && !machine->began) {
			machine->began = true;
			machine->first = machine->now; /* advance_loc changes nothing but place */
		}
		if (machine->place > machine->target)
			return true;
	}
	return true;
}

/* Reads a common information entry (CIE): the encoding of its records. Returns its instructions; null: a form unknown here. */
static const uint8_t *read_common(struct machine *machine, const uint8_t *common)
{
	const uint8_t *p = common + 9, *letters = p, *more;
	uint64_t bytes;

	if (get_u32(common + 4) || (common[8] != 1 && common[8] != 3) || *letters != 'z')
		return 0;
	while (*p)
		p++;
	p++;
	machine->code_step = take_unsigned(&p);
	machine->data_step = take_signed(&p);
	if (take_unsigned(&p) != REGISTER_RETURN)
		return 0;
	bytes = take_unsigned(&p);
	more = p;
	for (const uint8_t *letter = letters + 1; *letter; letter++) {
		if (*letter == 'P')
			more += 1 + ((*more & 15) == 0 || (*more & 15) == 4 || (*more & 15) == 12 ? 8 : 4);
		else if (*letter == 'L')
			more++;
		else if (*letter == 'R' && *more++ != 0x1b) /* addresses of four bytes, relative to their own position */
			return 0;
		else if (*letter != 'R' && *letter != 'B')
			return 0; /* 'S': a signal's frame, which unwind_signal_frame() handles */
	}
	return p + bytes;
}

/* Finds the rule for address in the unwind tables. */
static bool find_rule(uint64_t address, struct frame_rule *rule)
{
	uint64_t bytes, index = modules_get_unwind_index(address, &bytes);
	struct machine machine = {.now.cfa_base = BASE_UNKNOWN, .now.fp_base = BASE_KEPT};
	const uint8_t *record, *common, *first, *p;
	struct extents extents;
	struct extent extent;
	uint32_t i;

	if (!index)
		return false;
	extents = extents_of(index, bytes);
	i = extents_find(&extents, address);
	if (i == extents.count || !(record = (const uint8_t *)extents_record(&extents, i)))
		return false;
	extent = extents_get(&extents, i);
	common = record + 4 - get_u32(record + 4);
	first = read_common(&machine, common);
	if (!first || get_u32(record) == UINT32_MAX)
		return false;
	machine.place = extent.start;
	machine.target = address;
	if (!run(&machine, first, common + 4 + get_u32(common)))
		return false;
	machine.initial = machine.now;
	p = record + 16;
	bytes = take_unsigned(&p);
	if (!run(&machine, p + bytes, record + 4 + get_u32(record)))
		return false;
	rule->start = extent.start;
	rule->end = extent.end;
	rule->cfa_offset = (int32_t)machine.now.cfa_offset;
	rule->fp_offset = (int32_t)machine.now.fp_offset;
	rule->cfa_base = machine.now.cfa_base;
	rule->fp_base = machine.now.fp_base;
	rule->outermost = machine.now.outermost;
	if (!machine.began)
		machine.first = machine.now;
	rule->is_part = machine.first.cfa_base != BASE_SP || machine.first.cfa_offset != 8;
	return !machine.now.unknown && (rule->outermost || rule->cfa_base != BASE_UNKNOWN);
}

static uint64_t load(uint64_t address)
{
	return *(const uint64_t *)address;
}

/* A signal handler returns to code that makes the kernel restore all registers: they are above the stack pointer. */
static enum frame_state unwind_signal_frame(struct frame *frame)
{
	enum { REGISTERS = 40, AT_FP = 10, AT_SP = 15, AT_PC = 16 };
	uint64_t registers = frame->sp + REGISTERS;

	frame->start = frame->end = 0;
	frame->is_part = false;
	frame->cfa = frame->sp;
	frame->caller_pc = load(registers + 8 * AT_PC);
	frame->caller_sp = load(registers + 8 * AT_SP);
	frame->caller_fp = load(registers + 8 * AT_FP);
	frame->caller_exact = true;
	return frame->caller_sp ? FRAME_GOES_ON : FRAME_UNKNOWN;
}

/* Whether a frame may include this address: aligned, at or above the stack pointer, and before the end of the thread's stack if
 * the frame is on that stack. */
static bool is_in_stack(const struct frame *frame, uint64_t address)
{
	const struct dwell_thread *thread = port_thread();
	bool on_own = frame->sp - thread->stack_low < thread->stack_high - thread->stack_low;

	return address % 8 == 0 && address >= frame->sp && address - frame->sp < FRAME_BYTES_MAX &&
	       (!on_own || address + 8 <= thread->stack_high);
}

enum frame_state frames_find_caller(struct frame_rules *rules, struct frame *frame)
{
	struct frame_rule *rule = &rules->rules[(frame->pc ^ frame->pc >> 5) % FRAMES_REMEMBERED];
	struct frame_rule own;
	uint64_t bytes, at_fp;

	if (!frame->pc)
		return FRAME_OUTERMOST;
	if (frame->exact) {
		rule = &own;
		rule->pc = 0;
	}
	if (rule->pc != frame->pc) {
		if (!frame->exact && modules_get_unwind_index(frame->pc, &bytes) && port_site_is_interrupt(frame->pc))
			return unwind_signal_frame(frame);
		rule->pc = 0;
		if (!find_rule(frame->exact ? frame->pc : frame->pc - 1, rule))
			return FRAME_UNKNOWN;
		rule->pc = frame->pc;
	}
	frame->start = rule->start;
	frame->end = rule->end;
	frame->is_part = rule->is_part;
	frame->cfa = frame->sp;
	if (rule->outermost)
		return FRAME_OUTERMOST;
	if (rule->cfa_base == BASE_AT_FP) {
		at_fp = frame->fp + (uint64_t)(int64_t)rule->cfa_offset;
		if (!is_in_stack(frame, at_fp))
			return FRAME_UNKNOWN;
		frame->cfa = load(at_fp);
	} else {
		frame->cfa = (rule->cfa_base == BASE_SP ? frame->sp : frame->fp) + (uint64_t)(int64_t)rule->cfa_offset;
	}
	if (!is_in_stack(frame, frame->cfa - 8))
		return FRAME_UNKNOWN;
	frame->caller_pc = load(frame->cfa - 8);
	frame->caller_sp = frame->cfa;
	frame->caller_fp = frame->fp;
	frame->caller_exact = false;
	if (rule->fp_base == BASE_CFA || rule->fp_base == BASE_FP) {
		at_fp = (rule->fp_base == BASE_CFA ? frame->cfa : frame->fp) + (uint64_t)(int64_t)rule->fp_offset;
		if (!is_in_stack(frame, at_fp))
			return FRAME_UNKNOWN;
		frame->caller_fp = load(at_fp);
	} else if (rule->fp_base == BASE_UNKNOWN) {
		frame->caller_fp = 0; /* unknown; a later frame that needs it fails in is_in_stack() */
	}
	return FRAME_GOES_ON;
}
