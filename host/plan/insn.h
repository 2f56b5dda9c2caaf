/* insn: one instruction of x86-64, with all properties that matter for moving.
 * Internal to plan/; only insn.c and operand.c use the decoder. */
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
	INSN_LOOP, /* loop, jrcxz target: with a reach of eight bits */
	INSN_CALL, /* call target */
	INSN_CALL_INDIRECT,
	INSN_JUMP_INDIRECT,
	INSN_RETURN,
	INSN_STOP, /* ud2, hlt, int3: execution does not continue */
	INSN_IMMOVABLE, /* cannot move: the instruction or other code depends on the address */
};

/* The effect of an instruction on the stack pointer, or a use of it, beyond push, pop and arithmetic. */
enum plan_stack {
	STACK_PLAIN,
	STACK_LOADED, /* the stack pointer gets a value from memory or a register */
	STACK_COMPUTED, /* leave, or lea with the stack pointer as the destination */
	STACK_COPIED, /* a register gets the stack pointer's value, or an address based on the stack pointer or on %rbp */
	STACK_SAVED, /* memory gets the stack pointer's value */
};

struct plan_insn {
	uint32_t at;
	uint32_t target; /* target of a jump, branch, call or xbegin; of other instructions: the
	                    address of a %rip-relative operand. Or PLAN_NOWHERE */
	uint32_t immediate; /* in fixed images: the place that a constant operand points to. Or PLAN_NOWHERE */
	uint8_t length;
	uint8_t kind;
	uint8_t relative_at; /* offset in the instruction of the four bytes of a %rip-relative address; 0: none */
	bool may_fault; /* may fault in a way that programs catch: accesses memory at
	                   a computed address, divides, or is not classified */
	bool uses_below_stack; /* visibly uses memory below the stack pointer */
	uint8_t stack; /* enum plan_stack */
	uint8_t stack_copy; /* for STACK_COPIED: number of the register that gets the address, as in operand.h */
	uint8_t condition; /* of a branch: the low half of its opcode; of INSN_LOOP: the opcode */
};

/* Decodes the instruction at a place, which must end at or before limit. Returns
 * false if the bytes are no instruction. pre: limit ≤ image->size */
bool plan_insn_read(const struct plan_image *image, uint32_t at, uint32_t limit, struct plan_insn *insn);

/* Returns whether execution never continues with the next instruction. */
static inline bool plan_insn_ends_flow(const struct plan_insn *insn)
{
	return insn->kind == INSN_JUMP || insn->kind == INSN_JUMP_INDIRECT || insn->kind == INSN_RETURN || insn->kind == INSN_STOP;
}
static inline bool plan_insn_is_branch(const struct plan_insn *insn)
{
	return insn->kind == INSN_JUMP || insn->kind == INSN_BRANCH || insn->kind == INSN_LOOP;
}

#endif
