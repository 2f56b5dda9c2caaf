/* rule: how to compute the caller's registers from those of a frame. The CFA, canonical frame
 * address, is the base for that: the stack pointer before the call. Internal to unwind/. */
#ifndef DWELL_HOST_UNWIND_RULE_H
#define DWELL_HOST_UNWIND_RULE_H

#include <stdbool.h>
#include <stdint.h>

#include "cpu/cpu.h"
#include "util/bytes.h"

enum rule_kind {
	RULE_SAME,          /* as in this frame; for sp: the CFA */
	RULE_UNDEFINED,     /* unknown; for the return address: this frame is outermost */
	RULE_AT_CFA,        /* in memory, at CFA + offset */
	RULE_IS_CFA,        /* CFA + offset */
	RULE_AT_EXPRESSION, /* in memory, at the expression's value */
	RULE_IS_EXPRESSION,
	RULE_REGISTER,      /* in another register of this frame, whose number is in offset */
};
/* How to compute one register of the caller. */
struct rule_register {
	const uint8_t *expression; /* points into the file's section */
	int64_t offset;
	uint32_t expression_bytes;
	uint8_t kind; /* enum rule_kind */
};

enum cfa_kind {
	CFA_REGISTER, /* a register + offset */
	CFA_EXPRESSION,
};
/* How to compute the caller's registers at one address. */
struct rule {
	struct rule_register cfa; /* the CFA's offset or expression; kind is not used */
	uint8_t cfa_kind, cfa_register; /* enum cfa_kind; for CFA_REGISTER, the register's number */
	bool is_signal; /* a signal interrupted the frame's caller: the caller's address is no return address */
	struct rule_register ra, sp, callee_saved[CPU_CALLEE_SAVED_MAX];
};

#endif
