/* value: where an indirect jump leads, by what computes its target. Internal to plan/.
 *
 * What leads to it is followed back in its own unwind entry, through copies of registers and along all ways. Three kinds are known:
 *
 *     a table of distances    lea table(%rip), %b … movslq (%b, %i, 4), %t; add %b, %t; jmp *%t
 *     a table of addresses    jmp *table(, %i, 8); lea table(%rip), %b … jmp *(%b, %i, 8); likewise with a mov before it
 *     an address              from memory, a call, an argument: a function's, or a label's, which something points to
 *
 * Tables are read until an entry leads to no instruction of the function: where a comparison before the jump tells how many there are,
 * there have to be as many. What is read too much only means that fewer bytes may change. */
#ifndef DWELL_HOST_PLAN_VALUE_H
#define DWELL_HOST_PLAN_VALUE_H

#include "plan/code.h"

/* Finds out about all indirect jumps: marks where tables lead to, adds edges into other entries, fills code->jumps and code->tables. Once,
 * before pointers in data are marked. False: no memory. */
bool plan_find_tables(struct plan_code *code);

enum plan_jump {
	JUMP_UNKNOWN,
	JUMP_TABLE, /* to places in its own group, all of which are marked */
	JUMP_ADDRESS,
};
/* pre: an indirect jump stands there, in an entry. */
enum plan_jump plan_jump_kind(const struct plan_code *code, uint32_t at);

#endif
