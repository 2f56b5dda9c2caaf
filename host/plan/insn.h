/* insn: one instruction of x86-64, as far as moving it asks. Internal to plan/; insn.c and operand.c alone know the decoder. */
#ifndef DWELL_HOST_PLAN_INSN_H
#define DWELL_HOST_PLAN_INSN_H

#include <stdbool.h>
#include <stdint.h>

#include "plan/image.h"

#define PLAN_INSN_BYTES_MAX 15u

enum plan_insn_kind {
	INSN_PLAIN,
	INSN_NOP, /* of any length */
	INSN_JUMP, /* jmp target */
	INSN_BRANCH, /* jcc target */
	INSN_COUNT, /* loop, jrcxz target: eight bits are all that they reach */
	INSN_CALL, /* call target */
	INSN_CALL_INDIRECT,
	INSN_JUMP_INDIRECT,
	INSN_RETURN,
	INSN_STOP, /* ud2, hlt, int3: nothing goes on behind it */
	INSN_STUCK, /* stays where it is: it asks where it stands, or somebody else may */
};

/* What it does to the stack pointer, or with it, beyond push, pop and arithmetic. */
enum plan_stack {
	STACK_PLAIN,
	STACK_LOADED, /* becomes what memory or a register has */
	STACK_COMPUTED, /* leave, or lea to it */
	STACK_COPIED, /* a register becomes it, or an address by it or by %rbp */
	STACK_SAVED, /* memory does */
};

struct plan_insn {
	uint32_t at;
	uint32_t target; /* of a jump, branch, call or xbegin; of a plain one: what it addresses relative to itself. Or PLAN_NOWHERE */
	uint32_t immediate; /* of images that are fixed: the place that it makes a pointer to. Or PLAN_NOWHERE */
	uint8_t length;
	uint8_t kind;
	uint8_t relative_at; /* where in it the four bytes of a relative address stand; 0: it has none */
	bool may_fault; /* in a way that programs catch: it reads or writes memory whose address is computed, divides, or who knows */
	bool is_below; /* it uses memory below the stack pointer, as far as it shows */
	uint8_t stack; /* enum plan_stack */
	uint8_t stack_copy; /* of STACK_COPIED: the register's number */
	uint8_t condition; /* of a branch: the low half of its opcode; of INSN_COUNT: the opcode */
};

/* The instruction at a place, which ends at or before limit. False: there is none. pre: limit ≤ image->size */
bool plan_insn_read(const struct plan_image *image, uint32_t at, uint32_t limit, struct plan_insn *insn);

/* Whether what stands behind it is not reached from it. */
static inline bool plan_insn_ends(const struct plan_insn *insn)
{
	return insn->kind == INSN_JUMP || insn->kind == INSN_JUMP_INDIRECT || insn->kind == INSN_RETURN || insn->kind == INSN_STOP;
}
static inline bool plan_insn_is_branch(const struct plan_insn *insn)
{
	return insn->kind == INSN_JUMP || insn->kind == INSN_BRANCH || insn->kind == INSN_COUNT;
}

#endif
