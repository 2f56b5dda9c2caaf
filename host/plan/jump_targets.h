/* Finds the targets of an indirect jump from the instructions that compute the address. Internal to plan/.
 *
 * The search goes back within the unwind entry, through copies of registers and along all paths. The search
 * recognises three kinds of targets:
 *
 *     a table of distances    lea table(%rip), %b … movslq (%b, %i, 4), %t; add %b, %t; jmp *%t
 *     a table of addresses    jmp *table(, %i, 8); lea table(%rip), %b … jmp *(%b, %i, 8); likewise with a mov before it
 *     an address              from memory, a call or an argument: a function, or a label to which data point
 *
 * A table ends before the first target that is no instruction of the function. If a comparison before the jump gives the
 * length, the table must have as many targets. Reading too many only reduces the bytes that may change. */
#ifndef DWELL_HOST_PLAN_JUMP_TARGETS_H
#define DWELL_HOST_PLAN_JUMP_TARGETS_H

#include "plan/code.h"

/* Examines all indirect jumps: marks the targets of tables, adds edges into other entries, and fills code->jumps and code->tables.
 * Call it once, before marking the pointers in data. Returns false if out of memory. */
bool plan_find_jump_targets(struct plan_code *code);

enum plan_jump {
	JUMP_UNKNOWN, /* the targets are not known */
	JUMP_TABLE, /* the targets are places in the same group, and plan_find_jump_targets has marked all targets */
	JUMP_ADDRESS, /* the target is an address from memory, a call or an argument */
};
/* pre: an indirect jump is at this place, in an entry. */
enum plan_jump plan_jump_kind(const struct plan_code *code, uint32_t at);

#endif
