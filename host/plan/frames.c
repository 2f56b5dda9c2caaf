/* frames: writes the unwind tables of a plan's code (frames.h).
 *
 * A moved instruction has the unwind rules of its original place, which the file's tables describe. This file writes the rules
 * again, as the changes from one instruction of the plan's code to the next. */
#include "plan/frames.h"

#include <stdlib.h>

#include "cpu/cpu.h"
#include "plan/frame.h"
#include "util/array.h"

#define DATA_ALIGN 8 /* stands for −8 */
#define RETURN_ADDRESS 16u
#define INDEX_HEADER_BYTES 12u
#define INDEX_ENTRY_BYTES 8u

static void put_bytes(struct plan_frames *frames, const void *bytes, size_t count)
{
	if (frames->bad || !array_reserve(&frames->bytes, &frames->capacity, frames->count + count, 1)) {
		frames->bad = true;
		return;
	}
	if (count)
		memcpy(frames->bytes + frames->count, bytes, count);
	frames->count += count;
}

static void put_byte(struct plan_frames *frames, unsigned byte)
{
	uint8_t one = (uint8_t)byte;

	put_bytes(frames, &one, 1);
}

static void put_word(struct plan_frames *frames, uint32_t word)
{
	uint8_t bytes[4];

	put_u32(bytes, word);
	put_bytes(frames, bytes, sizeof bytes);
}

static void put_uleb(struct plan_frames *frames, uint64_t value)
{
	for (; value >= 0x80; value >>= 7)
		put_byte(frames, (unsigned)(value & 0x7f) | 0x80);
	put_byte(frames, (unsigned)value);
}

static void put_sleb(struct plan_frames *frames, int64_t value)
{
	for (; value < -64 || value > 63; value >>= 7)
		put_byte(frames, (unsigned)(value & 0x7f) | 0x80);
	put_byte(frames, (unsigned)(value & 0x7f));
}

static bool is_same(const struct rule_register *a, const struct rule_register *b)
{
	return a->kind == b->kind && a->offset == b->offset && a->expression_bytes == b->expression_bytes &&
	       (!a->expression_bytes || !memcmp(a->expression, b->expression, a->expression_bytes));
}

static void put_expression(struct plan_frames *frames, const struct rule_register *rule)
{
	put_uleb(frames, rule->expression_bytes);
	put_bytes(frames, rule->expression, rule->expression_bytes);
}

/* The opcodes that the functions below write are DW_CFA_… of the DWARF standard (version 5, section 7.24). */

/* Returns false if the encoding cannot express the rule. */
static bool put_register(struct plan_frames *frames, unsigned number, const struct rule_register *rule)
{
	if ((rule->kind == RULE_AT_CFA || rule->kind == RULE_IS_CFA) && rule->offset % DATA_ALIGN)
		return false;
	switch (rule->kind) {
	case RULE_SAME:
		put_byte(frames, 0x08);
		put_uleb(frames, number);
		return true;
	case RULE_UNDEFINED:
		put_byte(frames, 0x07);
		put_uleb(frames, number);
		return true;
	case RULE_AT_CFA:
		if (rule->offset <= 0) {
			put_byte(frames, 0x80 | number);
			put_uleb(frames, (uint64_t)(-rule->offset / DATA_ALIGN));
			return true;
		}
		put_byte(frames, 0x11);
		put_uleb(frames, number);
		put_sleb(frames, -rule->offset / DATA_ALIGN);
		return true;
	case RULE_IS_CFA:
		put_byte(frames, 0x15);
		put_uleb(frames, number);
		put_sleb(frames, -rule->offset / DATA_ALIGN);
		return true;
	case RULE_REGISTER:
		put_byte(frames, 0x09);
		put_uleb(frames, number);
		put_uleb(frames, (uint64_t)rule->offset);
		return true;
	default:
		put_byte(frames, rule->kind == RULE_AT_EXPRESSION ? 0x10 : 0x16);
		put_uleb(frames, number);
		put_expression(frames, rule);
		return true;
	}
}

static bool put_cfa(struct plan_frames *frames, const struct rule *from, const struct rule *to)
{
	if (to->cfa_kind == CFA_EXPRESSION) {
		put_byte(frames, 0x0f);
		put_expression(frames, &to->cfa);
		return true;
	}
	if (to->cfa.offset < 0)
		return false;
	if (from->cfa_kind == to->cfa_kind && from->cfa_register == to->cfa_register) {
		put_byte(frames, 0x0e);
	} else {
		put_byte(frames, 0x0c);
		put_uleb(frames, to->cfa_register);
	}
	put_uleb(frames, (uint64_t)to->cfa.offset);
	return true;
}

static bool put_difference(struct plan_frames *frames, const struct rule *from, const struct rule *to)
{
	bool good = true;

	if (from->cfa_kind != to->cfa_kind || from->cfa_register != to->cfa_register || !is_same(&from->cfa, &to->cfa))
		good &= put_cfa(frames, from, to);
	for (unsigned i = 0; i < cpu_x86_64.callee_saved_count; i++)
		if (!is_same(&from->callee_saved[i], &to->callee_saved[i]))
			good &= put_register(frames, cpu_x86_64.callee_saved[i], &to->callee_saved[i]);
	if (!is_same(&from->ra, &to->ra))
		good &= put_register(frames, RETURN_ADDRESS, &to->ra);
	if (!is_same(&from->sp, &to->sp))
		good &= put_register(frames, cpu_x86_64.sp, &to->sp);
	return good;
}

static bool is_same_rule(const struct rule *a, const struct rule *b)
{
	bool same = a->cfa_kind == b->cfa_kind && a->cfa_register == b->cfa_register && is_same(&a->cfa, &b->cfa) &&
		    is_same(&a->ra, &b->ra) && is_same(&a->sp, &b->sp);

	for (unsigned i = 0; i < cpu_x86_64.callee_saved_count; i++)
		same &= is_same(&a->callee_saved[i], &b->callee_saved[i]);
	return same;
}

static void put_advance(struct plan_frames *frames, uint32_t bytes)
{
	uint8_t two[2];

	if (bytes < 0x40) {
		put_byte(frames, 0x40 | bytes);
	} else if (bytes < 0x100) {
		put_byte(frames, 0x02);
		put_byte(frames, bytes);
	} else if (bytes < 0x10000) {
		put_byte(frames, 0x03);
		put_u16(two, (uint16_t)bytes);
		put_bytes(frames, two, sizeof two);
	} else {
		put_byte(frames, 0x04);
		put_word(frames, bytes);
	}
}

/* The rules at the first instruction of a function. */
static const struct rule bare_rule = {
	.cfa = {.offset = 8}, .cfa_kind = CFA_REGISTER, .cfa_register = 7, .ra = {.kind = RULE_AT_CFA, .offset = -8}};

/* After a pop, tables may still locate the register on the stack: the bytes are still there, below the stack pointer. Gates
 * overwrite these bytes, but the register itself has its value again. */
static void forget_popped(struct rule *rule)
{
	if (rule->cfa_kind != CFA_REGISTER || rule->cfa_register != cpu_x86_64.sp)
		return;
	for (unsigned i = 0; i < cpu_x86_64.callee_saved_count; i++)
		if (rule->callee_saved[i].kind == RULE_AT_CFA && rule->callee_saved[i].offset < -rule->cfa.offset)
			rule->callee_saved[i] = (struct rule_register){.kind = RULE_SAME};
}

static void find_rule(const struct plan_code *code, uint32_t place, struct rule *rule)
{
	const struct plan_entry *entry = place == PLAN_NOWHERE ? NULL : plan_code_find(code, place);

	/* After the last instruction of an entry: the rules of that instruction. */
	if (place != PLAN_NOWHERE && !entry)
		entry = plan_code_find(code, --place);
	*rule = bare_rule;
	if (entry && !plan_frame_at(code, entry, place, rule)) {
		*rule = bare_rule;
		rule->ra.kind = RULE_UNDEFINED; /* unknown rules: stack traces end here */
	}
	rule->is_signal = false;
	forget_popped(rule);
}

/* Fills in the length, which stands first but is known last, and aligns the next entry to a multiple of four. */
static void end_entry(struct plan_frames *frames, size_t begin)
{
	while ((frames->count - begin) % 4)
		put_byte(frames, 0);
	if (!frames->bad)
		put_u32(frames->bytes + begin, (uint32_t)(frames->count - begin - 4));
}

/* from: start of the function in the code; the code begins `distance` bytes before the index. */
static size_t begin_entry(struct plan_frames *frames, int64_t from, uint32_t bytes, uint32_t distance)
{
	size_t begin = frames->count;
	uint8_t *index = frames->bytes + INDEX_HEADER_BYTES + (size_t)frames->entry_count++ * INDEX_ENTRY_BYTES;

	if (!frames->bad) {
		put_u32(index, (uint32_t)(from - (int64_t)distance));
		put_u32(index + 4, (uint32_t)begin);
	}
	put_word(frames, 0);
	put_word(frames, (uint32_t)(frames->count - frames->section_at));
	put_word(frames, (uint32_t)(from - (int64_t)distance - (int64_t)frames->count));
	put_word(frames, bytes);
	put_byte(frames, 0);
	return begin;
}

static void put_function(struct plan_frames *frames, const struct plan_output *output, const struct plan_code *code,
	const struct plan_part *part, uint32_t distance)
{
	const struct plan_note *notes = output->notes + part->first_note;
	uint32_t last_place = PLAN_NOWHERE, last_code;
	struct rule now = bare_rule, next = bare_rule;
	size_t begin;

	if (!part->note_count)
		return;
	last_code = notes[0].code;
	begin = begin_entry(frames, last_code, part->code_end - last_code, distance);
	for (uint32_t i = 0; i < part->note_count; i++) {
		if (notes[i].place != last_place || !i)
			find_rule(code, notes[i].place, &next);
		last_place = notes[i].place;
		if (is_same_rule(&now, &next))
			continue;
		if (notes[i].code != last_code)
			put_advance(frames, notes[i].code - last_code);
		if (!put_difference(frames, &now, &next))
			put_bytes(frames, "\x07\x10", 2);
		now = next;
		last_code = notes[i].code;
	}
	end_entry(frames, begin);
}

static int by_code(const void *a, const void *b)
{
	int32_t left = (int32_t)get_u32(a), right = (int32_t)get_u32(b);

	return left < right ? -1 : left > right;
}

/* Writes the index as linkers do (.eh_frame_hdr): version 1, encodings of the parts, start of the section, number of entries. Then
 * for each entry the start of the code and the position of the entry, relative to the index. */
static void begin_index(struct plan_frames *frames, uint32_t entries)
{
	put_bytes(frames, "\1\x1b\x03\x3b", 4);
	put_word(frames, INDEX_HEADER_BYTES - 4 + entries * INDEX_ENTRY_BYTES);
	put_word(frames, entries);
	for (uint32_t i = 0; i < entries; i++)
		put_bytes(frames, "\0\0\0\0\0\0\0", INDEX_ENTRY_BYTES);
	frames->section_at = frames->count;
}

static uint32_t count_entries(const struct plan_output *output)
{
	uint32_t count = 1; /* the entry for the bytes in front of the code */

	for (size_t i = 0; i < output->function_count; i++)
		count += output->parts[i].note_count != 0;
	return count;
}

bool plan_frames_make(struct plan_frames *frames, const struct plan_output *output, const struct plan_code *code)
{
	uint32_t distance = ((uint32_t)output->code_bytes + 7) & ~7u,
		 front = (uint32_t)dwell_plan_bytes_in_front((uint32_t)output->function_count);
	size_t begin;

	if (!output->function_count)
		return true;
	begin_index(frames, count_entries(output));
	/* Version 1, "zR": code factor 1, data factor −8, return address in column 16; four
	 * relative bytes. CFA is rsp + 8, the return address is below it. */
	put_bytes(frames, "\0\0\0\0\0\0\0\0\1zR\0\1\x78\x10\1\x1b\x0c\7\x08\x90\1", 22);
	end_entry(frames, frames->section_at);
	begin = begin_entry(frames, -(int64_t)front, front, distance);
	end_entry(frames, begin);
	for (size_t i = 0; i < output->function_count; i++)
		put_function(frames, output, code, &output->parts[i], distance);
	put_word(frames, 0);
	if (!frames->bad)
		qsort(frames->bytes + INDEX_HEADER_BYTES, frames->entry_count, INDEX_ENTRY_BYTES, by_code);
	return !frames->bad;
}
