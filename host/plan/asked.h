/* asked: an indirect jump that is asked about. Internal to plan/. */
#ifndef DWELL_HOST_PLAN_ASKED_H
#define DWELL_HOST_PLAN_ASKED_H

#include "plan/code.h"

/* The instructions of one unwind entry, and the jump. */
struct asked {
	struct plan_code *code;
	struct plan_entry *entry;
	struct plan_insn *insns;
	size_t count, capacity;
	uint32_t jump;
	bool has_landings; /* pads: what leads there is not known */
};

/* How many entries the table has that instruction i reads by an index register: what comparison on the only way to it says, or a mask.
 * 0: not known. */
uint32_t plan_find_count(const struct asked *asked, uint32_t i, uint8_t reg);

#endif
