/* SPDX-License-Identifier: MIT
 *
 * x86-64 machine code, one instruction at a time: how long it is, and whether it leaves. Enough to walk through a function from its
 * first instruction without taking the bytes of one instruction for another.
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
	CODE_JUMP_AWAY,   /* through a register or a word of memory */
};

struct code {
	uint8_t bytes; /* 0: not known, or not all of it lies before end */
	enum code_kind kind;
	uint64_t target;
};

/* The instruction at address, of code that ends at end.
 * Context: any; some ten nanoseconds. */
struct code code_decode(uint64_t address, uint64_t end) __attribute__((visibility("hidden")));

#endif
