/* operand: what an instruction does to a register, as far as addresses are computed. Internal to plan/.
 *
 * Registers have their numbers in instructions: 0 rax, 1 rcx, … 15 r15. */
#ifndef DWELL_HOST_PLAN_OPERAND_H
#define DWELL_HOST_PLAN_OPERAND_H

#include "plan/insn.h"

#define PLAN_NO_REGISTER 16u

enum plan_def_kind {
	DEF_NONE, /* keeps it */
	DEF_CONST, /* becomes an address in the image: place */
	DEF_COPY, /* becomes what source has */
	DEF_MAYBE, /* becomes that, or keeps its own */
	DEF_LOAD_8, /* becomes 8 bytes of memory */
	DEF_LOAD_4, /* 4 bytes, with their sign */
	DEF_SUM, /* its own, or that of first, and that of source; source PLAN_NO_REGISTER: and memory */
	DEF_CALL, /* what was called leaves something in it */
	DEF_OTHER,
};

struct plan_def {
	enum plan_def_kind kind;
	uint8_t first, source;
	/* Of loads: base + index * scale + displacement; relative ones have their place. */
	uint8_t base, index, scale;
	int64_t displacement;
	uint32_t place;
};

void plan_def_read(const struct plan_image *image, const struct plan_insn *insn, uint8_t reg, struct plan_def *def);

/* What an indirect jump takes its target from: DEF_COPY of a register, or DEF_LOAD_8. DEF_OTHER: something else. */
void plan_jump_read(const struct plan_image *image, const struct plan_insn *insn, struct plan_def *def);

/* What it does to the flags that are results: reads some, or writes all. */
struct plan_effects {
	bool reads_flags, writes_flags;
};
void plan_effects_read(const struct plan_image *image, const struct plan_insn *insn, struct plan_effects *effects);

/* cmp $value, of a register; false: it is none. */
bool plan_compare_read(const struct plan_image *image, const struct plan_insn *insn, uint8_t reg, uint64_t *value);

/* Where a register that indexes a table gets its number from. */
enum plan_index {
	INDEX_KEPT,
	INDEX_COPIED, /* from the register *from, maybe the low part of it with zeros above */
	INDEX_MASKED, /* it is not above *most */
	INDEX_LOST,
};
enum plan_index plan_index_read(
	const struct plan_image *image, const struct plan_insn *insn, uint8_t reg, uint8_t *from, uint64_t *most);

#endif
