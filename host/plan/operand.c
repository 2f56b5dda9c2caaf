/* operand: decodes the operands of instructions (operand.h). */
#include "plan/operand.h"

#include <Zydis/Zydis.h>
#include <pthread.h>

struct decoded {
	ZydisDecodedInstruction it;
	ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
};

static ZydisDecoder decoder;

static void init_decoder(void)
{
	ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
}

static bool decode(const struct plan_image *image, const struct plan_insn *insn, struct decoded *decoded)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, init_decoder);
	return ZYAN_SUCCESS(
		ZydisDecoderDecodeFull(&decoder, image->bytes + insn->at, insn->length, &decoded->it, decoded->operands));
}

static uint8_t register_number(ZydisRegister reg)
{
	ZydisRegister wide = ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, reg);

	if (ZydisRegisterGetClass(wide) != ZYDIS_REGCLASS_GPR64)
		return PLAN_NO_REGISTER;
	return (uint8_t)ZydisRegisterGetId(wide);
}

static bool is_64_bit_register(const ZydisDecodedOperand *operand)
{
	return operand->type == ZYDIS_OPERAND_TYPE_REGISTER && operand->size == 64;
}

static void set_memory(const struct plan_insn *insn, const ZydisDecodedOperand *operand, struct plan_def *def)
{
	def->base = register_number(operand->mem.base);
	def->index = register_number(operand->mem.index);
	def->scale = operand->mem.scale;
	def->displacement = operand->mem.disp.has_displacement ? operand->mem.disp.value : 0;
	def->place = insn->relative_at ? insn->target : PLAN_NOWHERE;
	if (operand->mem.segment == ZYDIS_REGISTER_FS || operand->mem.segment == ZYDIS_REGISTER_GS)
		def->kind = DEF_OTHER;
}

static void read_move(
	const struct plan_image *image, const struct plan_insn *insn, const struct decoded *decoded, struct plan_def *def)
{
	const ZydisDecodedOperand *to = &decoded->operands[0], *from = &decoded->operands[1];

	switch (from->type) {
	case ZYDIS_OPERAND_TYPE_REGISTER:
		if (is_64_bit_register(to) && is_64_bit_register(from) && register_number(from->reg.value) != PLAN_NO_REGISTER) {
			def->kind = DEF_COPY;
			def->source = register_number(from->reg.value);
		}
		break;
	case ZYDIS_OPERAND_TYPE_IMMEDIATE:
		def->kind = DEF_CONST;
		def->place = plan_place(image, to->size == 32 ? (uint32_t)from->imm.value.u : from->imm.value.u);
		break;
	case ZYDIS_OPERAND_TYPE_MEMORY:
		if (is_64_bit_register(to) && from->size == 64) {
			def->kind = DEF_LOAD_8;
			set_memory(insn, from, def);
		}
		break;
	default:
		break;
	}
}

static void read_lea(const struct plan_insn *insn, const struct decoded *decoded, struct plan_def *def)
{
	const ZydisDecodedOperand *from = &decoded->operands[1];

	if (!is_64_bit_register(&decoded->operands[0]))
		return;
	if (insn->relative_at) {
		def->kind = DEF_CONST;
		def->place = insn->target;
		return;
	}
	def->first = register_number(from->mem.base);
	def->source = register_number(from->mem.index);
	if (def->first != PLAN_NO_REGISTER && def->source != PLAN_NO_REGISTER && from->mem.scale == 1 &&
		(!from->mem.disp.has_displacement || !from->mem.disp.value))
		def->kind = DEF_SUM;
	else if (def->first != PLAN_NO_REGISTER && def->source == PLAN_NO_REGISTER && !from->mem.disp.value) {
		def->kind = DEF_COPY;
		def->source = def->first;
	}
}

static bool writes(const struct decoded *decoded, uint8_t reg)
{
	for (unsigned i = 0; i < decoded->it.operand_count; i++)
		if (decoded->operands[i].type == ZYDIS_OPERAND_TYPE_REGISTER &&
			decoded->operands[i].actions & ZYDIS_OPERAND_ACTION_MASK_WRITE &&
			register_number(decoded->operands[i].reg.value) == reg)
			return true;
	return false;
}

void plan_def_read(const struct plan_image *image, const struct plan_insn *insn, uint8_t reg, struct plan_def *def)
{
	const ZydisDecodedOperand *to, *from;
	struct decoded decoded;

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
	if (insn->kind != INSN_PLAIN && insn->kind != INSN_LOOP && insn->kind != INSN_IMMOVABLE) {
		def->kind = DEF_NONE;
		return;
	}
	if (!decode(image, insn, &decoded))
		return;
	if (!writes(&decoded, reg)) {
		def->kind = DEF_NONE;
		return;
	}
	to = &decoded.operands[0];
	from = &decoded.operands[1];
	switch (decoded.it.mnemonic) {
	case ZYDIS_MNEMONIC_MOV:
		read_move(image, insn, &decoded, def);
		break;
	case ZYDIS_MNEMONIC_LEA:
		read_lea(insn, &decoded, def);
		break;
	case ZYDIS_MNEMONIC_MOVSXD:
		if (is_64_bit_register(to) && from->type == ZYDIS_OPERAND_TYPE_MEMORY) {
			def->kind = DEF_LOAD_4;
			set_memory(insn, from, def);
		}
		break;
	case ZYDIS_MNEMONIC_ADD:
		if (!is_64_bit_register(to) || from->type == ZYDIS_OPERAND_TYPE_IMMEDIATE)
			break;
		def->kind = DEF_SUM;
		def->first = reg;
		if (from->type == ZYDIS_OPERAND_TYPE_REGISTER)
			def->source = register_number(from->reg.value);
		else
			set_memory(insn, from, def);
		break;
	case ZYDIS_MNEMONIC_POP:
		def->kind =
			to->type == ZYDIS_OPERAND_TYPE_REGISTER && register_number(to->reg.value) == reg ? DEF_LOAD_8 : DEF_OTHER;
		break;
	default:
		if (decoded.it.meta.category == ZYDIS_CATEGORY_CMOV && is_64_bit_register(to) &&
			from->type == ZYDIS_OPERAND_TYPE_REGISTER) {
			def->kind = DEF_MAYBE;
			def->source = register_number(from->reg.value);
		}
	}
}

void plan_jump_read(const struct plan_image *image, const struct plan_insn *insn, struct plan_def *def)
{
	const ZydisDecodedOperand *from;
	struct decoded decoded;

	*def = (struct plan_def){.kind = DEF_OTHER, .source = PLAN_NO_REGISTER, .place = PLAN_NOWHERE};
	if (!decode(image, insn, &decoded) || !decoded.it.operand_count)
		return;
	from = &decoded.operands[0];
	if (from->type == ZYDIS_OPERAND_TYPE_REGISTER && from->size == 64) {
		def->kind = DEF_COPY;
		def->source = register_number(from->reg.value);
	} else if (from->type == ZYDIS_OPERAND_TYPE_MEMORY && from->size == 64) {
		def->kind = DEF_LOAD_8;
		set_memory(insn, from, def);
	}
}

static bool sets_only_flags(ZydisMnemonic mnemonic)
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

void plan_flag_effects_read(const struct plan_image *image, const struct plan_insn *insn, struct plan_flag_effects *effects)
{
	struct decoded decoded;

	*effects = (struct plan_flag_effects){.reads = PLAN_FLAGS_ALL};
	if (!decode(image, insn, &decoded))
		return;
	*effects = (struct plan_flag_effects){.sets_only_flags = sets_only_flags(decoded.it.mnemonic)};
	if (decoded.it.cpu_flags) {
		effects->reads = decoded.it.cpu_flags->tested & PLAN_FLAGS_WITH_AF;
		effects->writes = (decoded.it.cpu_flags->modified | decoded.it.cpu_flags->set_0 | decoded.it.cpu_flags->set_1 |
					  decoded.it.cpu_flags->undefined) & PLAN_FLAGS_WITH_AF;
	}
}

bool plan_compare_read(const struct plan_image *image, const struct plan_insn *insn, uint8_t reg, uint64_t *value)
{
	struct decoded decoded;

	if (insn->kind != INSN_PLAIN || !decode(image, insn, &decoded) || decoded.it.mnemonic != ZYDIS_MNEMONIC_CMP ||
		decoded.operands[0].type != ZYDIS_OPERAND_TYPE_REGISTER || register_number(decoded.operands[0].reg.value) != reg ||
		decoded.operands[0].reg.value == ZYDIS_REGISTER_AH || decoded.operands[0].reg.value == ZYDIS_REGISTER_BH ||
		decoded.operands[0].reg.value == ZYDIS_REGISTER_CH || decoded.operands[0].reg.value == ZYDIS_REGISTER_DH ||
		decoded.operands[1].type != ZYDIS_OPERAND_TYPE_IMMEDIATE)
		return false;
	*value = decoded.operands[1].imm.value.u;
	return true;
}

enum plan_index plan_index_read(
	const struct plan_image *image, const struct plan_insn *insn, uint8_t reg, uint8_t *from, uint64_t *most)
{
	const ZydisDecodedOperand *source;
	struct decoded decoded;

	if (insn->kind == INSN_CALL || insn->kind == INSN_CALL_INDIRECT)
		return reg <= 2 || (reg >= 6 && reg <= 11) ? INDEX_UNKNOWN : INDEX_KEPT;
	if (!decode(image, insn, &decoded))
		return INDEX_UNKNOWN;
	if (!writes(&decoded, reg))
		return INDEX_KEPT;
	source = &decoded.operands[1];
	switch (decoded.it.mnemonic) {
	case ZYDIS_MNEMONIC_MOV:
	case ZYDIS_MNEMONIC_MOVZX:
	case ZYDIS_MNEMONIC_MOVSXD: /* the comparison was unsigned, so the value is not negative */
		if (source->type != ZYDIS_OPERAND_TYPE_REGISTER || decoded.operands[0].size < 32 ||
			register_number(source->reg.value) == PLAN_NO_REGISTER)
			return INDEX_UNKNOWN;
		*from = register_number(source->reg.value);
		return INDEX_COPIED;
	case ZYDIS_MNEMONIC_AND:
		if (source->type != ZYDIS_OPERAND_TYPE_IMMEDIATE || decoded.operands[0].size < 32 || source->imm.value.u > 0xffff)
			return INDEX_UNKNOWN;
		*most = source->imm.value.u;
		return INDEX_MASKED;
	default:
		return INDEX_UNKNOWN;
	}
}
