/* insn: decodes and classifies instructions (insn.h). */
#include "plan/insn.h"

#include <Zydis/Zydis.h>
#include <pthread.h>

static ZydisDecoder decoder;

static void init_decoder(void)
{
	ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
	/* Minimal mode gives lengths and operands as bytes, which is enough here, in a third of the time. */
	ZydisDecoderEnableMode(&decoder, ZYDIS_DECODER_MODE_MINIMAL, ZYAN_TRUE);
}

static const ZydisDecoder *get_decoder(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, init_decoder);
	return &decoder;
}

static enum plan_insn_kind classify_one_byte(const ZydisDecodedInstruction *it)
{
	switch (it->opcode) {
	case 0xe8:
		return INSN_CALL;
	case 0xe9:
	case 0xeb:
		return INSN_JUMP;
	case 0xe0:
	case 0xe1:
	case 0xe2:
	case 0xe3:
		return INSN_LOOP;
	case 0xc2:
	case 0xc3:
		return INSN_RETURN;
	case 0xff:
		if (it->raw.modrm.reg == 2)
			return INSN_CALL_INDIRECT;
		if (it->raw.modrm.reg == 4)
			return INSN_JUMP_INDIRECT;
		return it->raw.modrm.reg == 3 || it->raw.modrm.reg == 5 ? INSN_IMMOVABLE : INSN_PLAIN;
	case 0xcc:
	case 0xf4:
		return INSN_STOP;
	case 0xca: /* far returns, interrupts */
	case 0xcb:
	case 0xcd:
	case 0xcf:
	case 0xf1:
		return INSN_IMMOVABLE;
	case 0xc7:
		return it->raw.modrm.mod == 3 && it->raw.modrm.reg == 7 ? INSN_IMMOVABLE : INSN_PLAIN; /* xbegin */
	default:
		return it->opcode >= 0x70 && it->opcode <= 0x7f ? INSN_BRANCH : INSN_PLAIN;
	}
}

static enum plan_insn_kind classify_two_bytes(const ZydisDecodedInstruction *it)
{
	switch (it->opcode) {
	case 0x0b: /* ud2, ud1, ud0 */
	case 0xb9:
	case 0xff:
		return INSN_STOP;
	case 0x05: /* system calls: the kernel reveals their address */
	case 0x07:
	case 0x34:
	case 0x35:
		return INSN_IMMOVABLE;
	default:
		return it->opcode >= 0x80 && it->opcode <= 0x8f ? INSN_BRANCH : INSN_PLAIN;
	}
}

static enum plan_insn_kind classify(const ZydisDecodedInstruction *it)
{
	if (it->mnemonic == ZYDIS_MNEMONIC_NOP)
		return INSN_NOP;
	if (it->encoding != ZYDIS_INSTRUCTION_ENCODING_LEGACY)
		return INSN_PLAIN;
	if (it->opcode_map == ZYDIS_OPCODE_MAP_DEFAULT)
		return classify_one_byte(it);
	return it->opcode_map == ZYDIS_OPCODE_MAP_0F ? classify_two_bytes(it) : INSN_PLAIN;
}

/* Returns whether a prefix bit turns rsp into r12, or "no index" into r12. True for all other encodings, without decoding. */
static bool has_extended_register(const ZydisDecodedInstruction *it)
{
	return it->encoding != ZYDIS_INSTRUCTION_ENCODING_LEGACY || it->raw.rex.B || it->raw.rex.X;
}

/* Returns whether an instruction is floating-point arithmetic, which a program may configure to trap. Other encodings count as
 * arithmetic, because they contain few other frequent instructions. */
static bool is_arithmetic(const ZydisDecodedInstruction *it)
{
	if (it->encoding != ZYDIS_INSTRUCTION_ENCODING_LEGACY)
		return true;
	if (it->opcode_map == ZYDIS_OPCODE_MAP_DEFAULT)
		return it->opcode >= 0xd8 && it->opcode <= 0xdf;
	return it->opcode_map != ZYDIS_OPCODE_MAP_0F || (it->opcode >= 0x2a && it->opcode <= 0x2f) ||
	       (it->opcode >= 0x50 && it->opcode <= 0x5f) || it->opcode == 0xc2;
}

/* Returns whether an instruction may fault. Safe instructions neither divide nor compute with floating point, and have no memory
 * operand, or one in the stack or in the program's own data. Compilers consider such operands safe, too. */
static bool may_fault(const ZydisDecodedInstruction *it, enum plan_insn_kind kind)
{
	bool has_memory = it->raw.modrm.offset && it->raw.modrm.mod != 3, is_default = it->opcode_map == ZYDIS_OPCODE_MAP_DEFAULT;

	if (kind == INSN_NOP || kind == INSN_JUMP || kind == INSN_BRANCH || kind == INSN_RETURN)
		return false;
	if (kind != INSN_PLAIN)
		return true;
	if (it->encoding == ZYDIS_INSTRUCTION_ENCODING_LEGACY && is_default) {
		/* push, pop, lea, leave */
		if ((it->opcode >= 0x50 && it->opcode <= 0x5f) || it->opcode == 0x8d || it->opcode == 0xc9)
			return false;
		if ((it->opcode >= 0x6c && it->opcode <= 0x6f) || (it->opcode >= 0xa0 && it->opcode <= 0xa7) ||
			(it->opcode >= 0xaa && it->opcode <= 0xaf)) /* string instructions */
			return true;
		if ((it->opcode == 0xf6 || it->opcode == 0xf7) && it->raw.modrm.reg >= 6)
			return true; /* div, idiv */
	}
	if (is_arithmetic(it))
		return true;
	if (!has_memory)
		return false;
	if (it->raw.modrm.mod == 0 && it->raw.modrm.rm == 5)
		return false; /* %rip-relative */
	return it->raw.modrm.rm != 4 || it->raw.sib.base != 4 || it->raw.sib.index != 4 || has_extended_register(it);
}

static void classify_stack_effect(const ZydisDecodedInstruction *it, struct plan_insn *insn)
{
	bool is_register = it->raw.modrm.mod == 3;
	uint8_t reg = (uint8_t)(it->raw.modrm.reg | it->raw.rex.R << 3), rm = (uint8_t)(it->raw.modrm.rm | it->raw.rex.B << 3);
	/* In a memory operand, 4 means that a SIB byte with the base follows. */
	uint8_t base = it->raw.modrm.rm == 4 ? (uint8_t)(it->raw.sib.base | it->raw.rex.B << 3) : rm;

	if (it->encoding != ZYDIS_INSTRUCTION_ENCODING_LEGACY || it->opcode_map != ZYDIS_OPCODE_MAP_DEFAULT)
		return;
	if (it->opcode == 0xc9)
		insn->stack = STACK_COMPUTED;
	if (it->opcode == 0x5c && !it->raw.rex.B)
		insn->stack = STACK_LOADED;
	if (!it->raw.rex.W)
		return;
	if (it->opcode == 0x8b && reg == 4)
		insn->stack = STACK_LOADED;
	else if (it->opcode == 0x89 && is_register && rm == 4)
		insn->stack = STACK_LOADED;
	else if (it->opcode == 0x89 && reg == 4 && !is_register)
		insn->stack = STACK_SAVED;
	else if (it->opcode == 0x8d && reg == 4)
		insn->stack = STACK_COMPUTED;
	else if ((it->opcode == 0x89 && reg == 4) || (it->opcode == 0x8b && is_register && rm == 4) ||
		 (it->opcode == 0x8d && (base == 4 || (base == 5 && it->raw.modrm.mod))))
		insn->stack = STACK_COPIED;
	if (insn->stack == STACK_COPIED)
		insn->stack_copy = it->opcode == 0x89 ? rm : reg;
}

static bool has_prefix(const ZydisDecodedInstruction *it, uint8_t prefix)
{
	for (unsigned i = 0; i < it->raw.prefix_count; i++)
		if (it->raw.prefixes[i].value == prefix)
			return true;
	return false;
}

static uint32_t offset_by(const struct plan_image *image, uint32_t from, int64_t distance)
{
	int64_t to = (int64_t)from + distance;

	return to >= 0 && to < image->size ? (uint32_t)to : PLAN_NOWHERE;
}

static void read_rip_relative(const struct plan_image *image, const ZydisDecodedInstruction *it, struct plan_insn *insn)
{
	if (!it->raw.modrm.offset || it->raw.modrm.mod != 0 || it->raw.modrm.rm != 5)
		return;
	insn->relative_at = it->raw.disp.offset;
	insn->target = offset_by(image, insn->at + insn->length, it->raw.disp.value);
	if (it->address_width != 64 || it->raw.disp.size != 32)
		insn->kind = INSN_IMMOVABLE;
}

/* Returns whether the instruction is a mov or push of a constant. */
static bool moves_constant(const ZydisDecodedInstruction *it)
{
	return it->encoding == ZYDIS_INSTRUCTION_ENCODING_LEGACY && it->opcode_map == ZYDIS_OPCODE_MAP_DEFAULT &&
	       ((it->opcode >= 0xb8 && it->opcode <= 0xbf) || it->opcode == 0xc7 || it->opcode == 0x68);
}

bool plan_insn_read(const struct plan_image *image, uint32_t at, uint32_t limit, struct plan_insn *insn)
{
	ZydisDecodedInstruction it;

	if (at >= limit || !ZYAN_SUCCESS(ZydisDecoderDecodeInstruction(get_decoder(), NULL, image->bytes + at, limit - at, &it)))
		return false;
	*insn = (struct plan_insn){.at = at, .target = PLAN_NOWHERE, .immediate = PLAN_NOWHERE, .length = it.length};
	insn->kind = (uint8_t)classify(&it);
	insn->may_fault = may_fault(&it, (enum plan_insn_kind)insn->kind);
	/* Includes r12 as the base: only a prefix bit distinguishes r12
	 * from rsp, and the bit's position depends on the encoding. */
	insn->uses_below_stack = it.raw.modrm.offset && it.raw.modrm.mod != 3 && it.raw.modrm.rm == 4 && it.raw.sib.base == 4 &&
			 it.raw.disp.value < 0;
	classify_stack_effect(&it, insn);
	switch (insn->kind) {
	case INSN_JUMP:
	case INSN_BRANCH:
	case INSN_LOOP:
	case INSN_CALL:
		insn->target = offset_by(image, at + it.length, it.raw.imm[0].value.s);
		insn->condition = insn->kind == INSN_LOOP ? it.opcode : it.opcode & 15;
		/* Processors disagree about these prefixes. For a call only the length matters. */
		if ((insn->kind != INSN_CALL && has_prefix(&it, 0x66)) || (insn->kind == INSN_LOOP && it.address_width != 64))
			insn->kind = INSN_IMMOVABLE;
		break;
	case INSN_IMMOVABLE:
		if (it.opcode == 0xc7 && it.raw.imm[0].size) /* where xbegin continues after an abort */
			insn->target = offset_by(image, at + it.length, it.raw.imm[0].value.s);
		break;
	default:
		read_rip_relative(image, &it, insn);
		if (image->is_fixed && it.raw.imm[0].size >= 32 && moves_constant(&it))
			insn->immediate = plan_place(image, it.raw.imm[0].value.u);
	}
	return true;
}
