/* SPDX-License-Identifier: MIT
 *
 * Decodes x86-64 machine code, one instruction at a time: its length, and whether it leaves the sequence. Enough to walk through a
 * function from its first instruction without losing the instruction boundaries.
 */
#ifndef DWELL_X86_64_CODE_H
#define DWELL_X86_64_CODE_H

#include <stdbool.h>
#include <stdint.h>

enum code_kind {
	CODE_OTHER,
	CODE_RETURN,
	CODE_JUMP,        /* direct, to target */
	CODE_BRANCH,      /* conditional, to target */
	CODE_CALL,        /* direct, to target */
	CODE_JUMP_INDIRECT,   /* through a register or a word of memory */
};

struct code {
	uint8_t bytes; /* 0: unknown instruction, or one that does not end before end */
	enum code_kind kind;
	uint64_t target;
};

/* Decodes the instruction at address; the code ends at end.
 * Context: any; about ten nanoseconds. */
struct code code_decode(uint64_t address, uint64_t end) __attribute__((visibility("hidden")));

/* Returns the target of a 4-byte displacement at field that ends its instruction. */
static inline uint64_t code_relative(uint64_t field)
{
	int32_t displacement;

	__builtin_memcpy(&displacement, (const void *)field, sizeof displacement);
	return field + 4 + (uint64_t)(int64_t)displacement;
}

/* Returns the size of endbr64, if it stands before the function's first instruction; else 0. */
static inline unsigned code_mark_bytes(uint64_t address)
{
	const uint8_t *code = (const uint8_t *)address;

	return code[0] == 0xf3 && code[1] == 0x0f && code[2] == 0x1e && code[3] == 0xfa ? 4 : 0;
}

#endif
