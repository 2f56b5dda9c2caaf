/* work: the function under planning: instructions, exits, and regions to move. A plan_work serves all functions of a file in turn.
 * Internal to plan/. */
#ifndef DWELL_HOST_PLAN_WORK_H
#define DWELL_HOST_PLAN_WORK_H

#include "plan/code.h"
#include "plan/reason.h"
#include "target/port/os/linux/plan.h"

enum plan_exit {
	EXIT_NONE,
	EXIT_RETURN,
	EXIT_JUMP, /* to another function, like the next two */
	EXIT_BRANCH,
	EXIT_INDIRECT,
};

/* Instructions that move together; a jump replaces the first bytes at the old place. */
struct plan_region {
	uint32_t first, count; /* range of the work's instructions */
	uint32_t at, end; /* includes unused bytes after the instructions, as far as taken */
	uint32_t room; /* target of the short jump; PLAN_NOWHERE: the jump is long */
	uint8_t kind; /* enum dwell_plan_kind of its first gate */
	bool is_bypassed; /* the bytes do not change: all jumps there are moved and lead to the plan's code */
	bool leaves_room; /* other jumps use the leftover bytes */
};

#define WORK_NONE UINT32_MAX /* instead of an index: no instruction, or no region */

struct plan_work {
	struct plan_code *code;
	struct plan_entry *entry; /* the function's own entry */
	struct plan_insn *insns; /* of the function and its parts, sorted by address; without free nops */
	uint8_t *exits; /* enum plan_exit of each instruction */
	uint32_t *region_of; /* for each instruction: index of the region around it, or WORK_NONE */
	size_t insn_count, insn_capacity, side_capacity;
	struct plan_region *regions;
	size_t region_count, region_capacity;
	bool is_called_into, is_pointed_into; /* something calls or points to a byte other than the function's first */
	uint32_t start, body; /* places of the first instruction, and of the first after endbr64 */
};

/* Reads the function of the group. Returns the reason for not timing it, as far as that does not depend on room; PLAN_REASONS: out
 * of memory. post: needs plan_work_clear, once, after any number of reads. */
enum plan_reason plan_work_read(struct plan_work *work, struct plan_code *code, struct plan_entry *group);
void plan_work_clear(struct plan_work *work);

/* Returns the index of the instruction at a place; WORK_NONE: not in the function. */
uint32_t plan_work_find(const struct plan_work *work, uint32_t at);
/* Returns whether instruction i + 1 directly follows i in memory. */
static inline bool plan_work_is_next(const struct plan_work *work, uint32_t i)
{
	return i + 1 < work->insn_count && work->insns[i + 1].at == work->insns[i].at + work->insns[i].length;
}

#endif
