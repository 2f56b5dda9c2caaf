/* operand: the effect of an instruction on a register, as far as the computation of addresses needs it. Internal to plan/.
 *
 * Registers have their numbers from instructions: 0 rax, 1 rcx, … 15 r15. */
#ifndef DWELL_HOST_PLAN_OPERAND_H
#define DWELL_HOST_PLAN_OPERAND_H

#include "plan/insn.h"

#define PLAN_NO_REGISTER 16u

enum plan_def_kind {
	DEF_NONE, /* the register keeps its value */
	DEF_CONST, /* gets an address in the image: place */
	DEF_COPY, /* gets the value of source */
	DEF_MAYBE, /* gets the value of source, or keeps its own */
	DEF_LOAD_8, /* gets 8 bytes of memory */
	DEF_LOAD_4, /* gets 4 bytes of memory, sign-extended */
	DEF_SUM, /* gets the sum of first and source; source PLAN_NO_REGISTER: of first and memory, or unknown */
	DEF_CALL, /* a call may leave any value in it */
	DEF_OTHER, /* gets a value that this room does not follow */
};

/* The effect of an instruction on a register. */
struct plan_def {
	enum plan_def_kind kind;
	uint8_t first, source; /* registers; PLAN_NO_REGISTER: none */
	/* Address of a load: base + index * scale + displacement; or place, if it is relative. */
	uint8_t base, index, scale;
	int64_t displacement;
	uint32_t place;
};

/* Reads the effect of the instruction on the register reg. */
void plan_def_read(const struct plan_image *image, const struct plan_insn *insn, uint8_t reg, struct plan_def *def);

/* Reads the source of an indirect jump's target: DEF_COPY of a register, or DEF_LOAD_8. DEF_OTHER: any other. */
void plan_jump_read(const struct plan_image *image, const struct plan_insn *insn, struct plan_def *def);

/* The result flags: CF, PF, ZF, SF, OF; and these with AF, which no branch reads. */
#define PLAN_FLAGS_ALL 0x8c5u
#define PLAN_FLAGS_WITH_AF 0x8d5u
/* The flags that an instruction reads and writes. */
struct plan_flag_effects {
	uint32_t reads, writes;
	bool sets_only_flags; /* the instruction has no other result */
};
void plan_flag_effects_read(const struct plan_image *image, const struct plan_insn *insn, struct plan_flag_effects *effects);

/* Reads the constant of cmp $value, reg. Returns false for any other instruction. */
bool plan_compare_read(const struct plan_image *image, const struct plan_insn *insn, uint8_t reg, uint64_t *value);

/* The source of a register that indexes a table. */
enum plan_index {
	INDEX_KEPT, /* the instruction leaves the register as it is */
	INDEX_COPIED, /* a copy of register *from, perhaps of its low part, zero-extended */
	INDEX_MASKED, /* a mask limits the value to *most */
	INDEX_UNKNOWN, /* the register gets any other value */
};
enum plan_index plan_index_read(
	const struct plan_image *image, const struct plan_insn *insn, uint8_t reg, uint8_t *from, uint64_t *most);

#endif
