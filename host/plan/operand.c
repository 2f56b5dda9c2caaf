/* operand: decodes the operands of instructions (operand.h). */
#include "plan/operand.h"

#include <Zydis/Zydis.h>

struct full {
	ZydisDecodedInstruction it;
	ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
};

static bool decode(const struct plan_image *image, const struct plan_insn *insn, struct full *full)
{
	static ZydisDecoder decoder;
	static bool is_ready;

	if (!is_ready) {
		ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
		is_ready = true;
	}
	return ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, image->bytes + insn->at, insn->length, &full->it, full->operands));
}

static uint8_t number_of(ZydisRegister reg)
{
	ZydisRegister wide = ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, reg);

	if (ZydisRegisterGetClass(wide) != ZYDIS_REGCLASS_GPR64)
		return PLAN_NO_REGISTER;
	return (uint8_t)ZydisRegisterGetId(wide);
}

static bool is_wide(const ZydisDecodedOperand *operand)
{
	return operand->type == ZYDIS_OPERAND_TYPE_REGISTER && operand->size == 64;
}

static void set_memory(const struct plan_insn *insn, const ZydisDecodedOperand *operand, struct plan_def *def)
{
	def->base = number_of(operand->mem.base);
	def->index = number_of(operand->mem.index);
	def->scale = operand->mem.scale;
	def->displacement = operand->mem.disp.has_displacement ? operand->mem.disp.value : 0;
	def->place = insn->relative_at ? insn->target : PLAN_NOWHERE;
	if (operand->mem.segment == ZYDIS_REGISTER_FS || operand->mem.segment == ZYDIS_REGISTER_GS)
		def->kind = DEF_OTHER;
}

static void read_move(const struct plan_image *image, const struct plan_insn *insn, const struct full *full, struct plan_def *def)
{
	const ZydisDecodedOperand *to = &full->operands[0], *from = &full->operands[1];

	switch (from->type) {
	case ZYDIS_OPERAND_TYPE_REGISTER:
		if (is_wide(to) && is_wide(from) && number_of(from->reg.value) != PLAN_NO_REGISTER) {
			def->kind = DEF_COPY;
			def->source = number_of(from->reg.value);
		}
		break;
	case ZYDIS_OPERAND_TYPE_IMMEDIATE:
		def->kind = DEF_CONST;
		def->place = plan_place(image, to->size == 32 ? (uint32_t)from->imm.value.u : from->imm.value.u);
		break;
	case ZYDIS_OPERAND_TYPE_MEMORY:
		if (is_wide(to) && from->size == 64) {
			def->kind = DEF_LOAD_8;
			set_memory(insn, from, def);
		}
		break;
	default:
		break;
	}
}

static void read_lea(const struct plan_insn *insn, const struct full *full, struct plan_def *def)
{
	const ZydisDecodedOperand *from = &full->operands[1];

	if (!is_wide(&full->operands[0]))
		return;
	if (insn->relative_at) {
		def->kind = DEF_CONST;
		def->place = insn->target;
		return;
	}
	def->first = number_of(from->mem.base);
	def->source = number_of(from->mem.index);
	if (def->first != PLAN_NO_REGISTER && def->source != PLAN_NO_REGISTER && from->mem.scale == 1 &&
		(!from->mem.disp.has_displacement || !from->mem.disp.value))
		def->kind = DEF_SUM;
	else if (def->first != PLAN_NO_REGISTER && def->source == PLAN_NO_REGISTER && !from->mem.disp.value) {
		def->kind = DEF_COPY;
		def->source = def->first;
	}
}

static bool writes(const struct full *full, uint8_t reg)
{
	for (unsigned i = 0; i < full->it.operand_count; i++)
		if (full->operands[i].type == ZYDIS_OPERAND_TYPE_REGISTER &&
			full->operands[i].actions & ZYDIS_OPERAND_ACTION_MASK_WRITE &&
			number_of(full->operands[i].reg.value) == reg)
			return true;
	return false;
}

void plan_def_read(const struct plan_image *image, const struct plan_insn *insn, uint8_t reg, struct plan_def *def)
{
	const ZydisDecodedOperand *to, *from;
	struct full full;

	*def = (struct plan_def){.kind = DEF_OTHER,
		.first = PLAN_NO_REGISTER,
		.source = PLAN_NO_REGISTER,
		.base = PLAN_NO_REGISTER,
		.index = PLAN_NO_REGISTER,
		.place = PLAN_NOWHERE};
	if (insn->kind == INSN_CALL || insn->kind == INSN_CALL_INDIRECT) {
		def->kind = reg <= 2 || (reg >= 6 && reg <= 11) ? DEF_CALL : DEF_NONE;
		return;
	}
	if (insn->kind != INSN_PLAIN && insn->kind != INSN_COUNT && insn->kind != INSN_STUCK) {
		def->kind = DEF_NONE;
		return;
	}
	if (!decode(image, insn, &full))
		return;
	if (!writes(&full, reg)) {
		def->kind = DEF_NONE;
		return;
	}
	to = &full.operands[0];
	from = &full.operands[1];
	switch (full.it.mnemonic) {
	case ZYDIS_MNEMONIC_MOV:
		read_move(image, insn, &full, def);
		break;
	case ZYDIS_MNEMONIC_LEA:
		read_lea(insn, &full, def);
		break;
	case ZYDIS_MNEMONIC_MOVSXD:
		if (is_wide(to) && from->type == ZYDIS_OPERAND_TYPE_MEMORY) {
			def->kind = DEF_LOAD_4;
			set_memory(insn, from, def);
		}
		break;
	case ZYDIS_MNEMONIC_ADD:
		if (!is_wide(to) || from->type == ZYDIS_OPERAND_TYPE_IMMEDIATE)
			break;
		def->kind = DEF_SUM;
		def->first = reg;
		if (from->type == ZYDIS_OPERAND_TYPE_REGISTER)
			def->source = number_of(from->reg.value);
		else
			set_memory(insn, from, def);
		break;
	case ZYDIS_MNEMONIC_POP:
		def->kind = to->type == ZYDIS_OPERAND_TYPE_REGISTER && number_of(to->reg.value) == reg ? DEF_LOAD_8 : DEF_OTHER;
		break;
	default:
		if (full.it.meta.category == ZYDIS_CATEGORY_CMOV && is_wide(to) && from->type == ZYDIS_OPERAND_TYPE_REGISTER) {
			def->kind = DEF_MAYBE;
			def->source = number_of(from->reg.value);
		}
	}
}

void plan_jump_read(const struct plan_image *image, const struct plan_insn *insn, struct plan_def *def)
{
	const ZydisDecodedOperand *from;
	struct full full;

	*def = (struct plan_def){.kind = DEF_OTHER, .source = PLAN_NO_REGISTER, .place = PLAN_NOWHERE};
	if (!decode(image, insn, &full) || !full.it.operand_count)
		return;
	from = &full.operands[0];
	if (from->type == ZYDIS_OPERAND_TYPE_REGISTER && from->size == 64) {
		def->kind = DEF_COPY;
		def->source = number_of(from->reg.value);
	} else if (from->type == ZYDIS_OPERAND_TYPE_MEMORY && from->size == 64) {
		def->kind = DEF_LOAD_8;
		set_memory(insn, from, def);
	}
}

static bool is_flags_alone(ZydisMnemonic mnemonic)
{
	switch (mnemonic) {
	case ZYDIS_MNEMONIC_CMP:
	case ZYDIS_MNEMONIC_TEST:
	case ZYDIS_MNEMONIC_BT:
	case ZYDIS_MNEMONIC_STC:
	case ZYDIS_MNEMONIC_CLC:
	case ZYDIS_MNEMONIC_CMC:
	case ZYDIS_MNEMONIC_SAHF:
	case ZYDIS_MNEMONIC_COMISS:
	case ZYDIS_MNEMONIC_COMISD:
	case ZYDIS_MNEMONIC_UCOMISS:
	case ZYDIS_MNEMONIC_UCOMISD:
	case ZYDIS_MNEMONIC_PTEST:
	case ZYDIS_MNEMONIC_VCOMISS:
	case ZYDIS_MNEMONIC_VCOMISD:
	case ZYDIS_MNEMONIC_VUCOMISS:
	case ZYDIS_MNEMONIC_VUCOMISD:
	case ZYDIS_MNEMONIC_VPTEST:
		return true;
	default:
		return false;
	}
}

void plan_effects_read(const struct plan_image *image, const struct plan_insn *insn, struct plan_effects *effects)
{
	struct full full;

	*effects = (struct plan_effects){.reads = PLAN_FLAGS_ALL};
	if (!decode(image, insn, &full))
		return;
	*effects = (struct plan_effects){.is_flags_alone = is_flags_alone(full.it.mnemonic)};
	if (full.it.cpu_flags) {
		effects->reads = full.it.cpu_flags->tested & PLAN_FLAGS_WITH_AF;
		effects->writes = (full.it.cpu_flags->modified | full.it.cpu_flags->set_0 | full.it.cpu_flags->set_1 |
					  full.it.cpu_flags->undefined) & PLAN_FLAGS_WITH_AF;
	}
}

bool plan_compare_read(const struct plan_image *image, const struct plan_insn *insn, uint8_t reg, uint64_t *value)
{
	struct full full;

	if (insn->kind != INSN_PLAIN || !decode(image, insn, &full) || full.it.mnemonic != ZYDIS_MNEMONIC_CMP ||
		full.operands[0].type != ZYDIS_OPERAND_TYPE_REGISTER || number_of(full.operands[0].reg.value) != reg ||
		full.operands[0].reg.value == ZYDIS_REGISTER_AH || full.operands[0].reg.value == ZYDIS_REGISTER_BH ||
		full.operands[0].reg.value == ZYDIS_REGISTER_CH || full.operands[0].reg.value == ZYDIS_REGISTER_DH ||
		full.operands[1].type != ZYDIS_OPERAND_TYPE_IMMEDIATE)
		return false;
	*value = full.operands[1].imm.value.u;
	return true;
}

enum plan_index plan_index_read(
	const struct plan_image *image, const struct plan_insn *insn, uint8_t reg, uint8_t *from, uint64_t *most)
{
	const ZydisDecodedOperand *source;
	struct full full;

	if (insn->kind == INSN_CALL || insn->kind == INSN_CALL_INDIRECT)
		return reg <= 2 || (reg >= 6 && reg <= 11) ? INDEX_LOST : INDEX_KEPT;
	if (!decode(image, insn, &full))
		return INDEX_LOST;
	if (!writes(&full, reg))
		return INDEX_KEPT;
	source = &full.operands[1];
	switch (full.it.mnemonic) {
	case ZYDIS_MNEMONIC_MOV:
	case ZYDIS_MNEMONIC_MOVZX:
	case ZYDIS_MNEMONIC_MOVSXD: /* the comparison was unsigned, so the value is not negative */
		if (source->type != ZYDIS_OPERAND_TYPE_REGISTER || full.operands[0].size < 32 ||
			number_of(source->reg.value) == PLAN_NO_REGISTER)
			return INDEX_LOST;
		*from = number_of(source->reg.value);
		return INDEX_COPIED;
	case ZYDIS_MNEMONIC_AND:
		if (source->type != ZYDIS_OPERAND_TYPE_IMMEDIATE || full.operands[0].size < 32 || source->imm.value.u > 0xffff)
			return INDEX_LOST;
		*most = source->imm.value.u;
		return INDEX_MASKED;
	default:
		return INDEX_LOST;
	}
}
