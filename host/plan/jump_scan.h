/* jump_scan: an indirect jump during the search for the targets, and the length of the jump table. Internal to plan/. */
#ifndef DWELL_HOST_PLAN_JUMP_SCAN_H
#define DWELL_HOST_PLAN_JUMP_SCAN_H

#include "plan/code.h"

/* The instructions of an unwind entry, and an indirect jump among the instructions. */
struct jump_scan {
	struct plan_code *code;
	struct plan_entry *entry;
	struct plan_insn *insns; /* all instructions of the entry, in order */
	size_t count, capacity;
	uint32_t jump; /* index of the jump in insns */
	bool has_landings; /* the entry has landing pads, with unknown code leading there */
};

/* Returns the number of entries of the table from which instruction i reads, with reg as the index. The number follows from a mask,
 * or from a comparison on the only path to i. 0: unknown. */
uint32_t plan_find_table_length(const struct jump_scan *jump_scan, uint32_t i, uint8_t reg);

#endif
