/* rule: how the caller's registers are found from those of a frame. Internal to unwind/. */
#ifndef DWELL_HOST_UNWIND_RULE_H
#define DWELL_HOST_UNWIND_RULE_H

#include <stdbool.h>
#include <stdint.h>

#include "cpu/cpu.h"
#include "util/bytes.h"

enum rule_kind {
	RULE_SAME,          /* as in this frame; of sp: the CFA */
	RULE_UNDEFINED,     /* nobody knows; of the return address: this frame is outermost */
	RULE_AT_CFA,        /* in memory, at CFA + offset */
	RULE_IS_CFA,        /* CFA + offset */
	RULE_AT_EXPRESSION, /* in memory, where the expression says */
	RULE_IS_EXPRESSION,
	RULE_REGISTER,      /* in the register of this frame that offset numbers */
};
struct rule_register {
	const uint8_t *expression; /* in the file's section */
	int64_t offset;
	uint32_t expression_bytes;
	uint8_t kind;
};

enum cfa_kind {
	CFA_REGISTER, /* a register + offset */
	CFA_EXPRESSION,
};
struct rule {
	struct rule_register cfa; /* of its expression, and its offset */
	uint8_t cfa_kind, cfa_register;
	bool is_signal; /* the frame was interrupted: the address of the one outside of it is no return address */
	struct rule_register ra, sp, kept[CPU_KEPT_MAX];
};

#endif
