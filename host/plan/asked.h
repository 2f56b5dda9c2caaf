/* asked: the indirect jump under examination. Internal to plan/. */
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
	bool has_landings; /* the entry has landing pads, with unknown code leading there */
};

/* Returns the number of entries of the table that instruction i reads by an index register. A
 * mask, or a comparison on the only way to i, limits the index.
 * 0: unknown. */
uint32_t plan_find_count(const struct asked *asked, uint32_t i, uint8_t reg);

#endif
