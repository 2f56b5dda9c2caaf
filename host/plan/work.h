/* work: one function as it is planned: its instructions, what leads where, how it is left, and the regions of it that will be moved.
 * Internal to plan/. */
#ifndef DWELL_HOST_PLAN_WORK_H
#define DWELL_HOST_PLAN_WORK_H

#include "plan/code.h"
#include "plan/reason.h"
#include "target/port/os/linux/plan.h"

enum plan_exit {
	EXIT_NONE,
	EXIT_RETURN,
	EXIT_JUMP, /* to another function, as are the next two */
	EXIT_BRANCH,
	EXIT_INDIRECT,
};

/* Instructions that are moved together; the first bytes of their place become a jump. */
struct plan_region {
	uint32_t first, count; /* of the work's instructions */
	uint32_t at, end; /* with what is free behind them, as far as it is taken */
	uint32_t room; /* where the short jump leads; PLAN_NOWHERE: it is a long one */
	uint8_t kind; /* enum dwell_plan_kind: of its first gate */
	bool is_bypassed; /* nothing changes there: all that leads there is moved, and leads to the code */
	bool leaves_room; /* others jump through what is left of it */
};

#define WORK_NONE UINT32_MAX

struct plan_work {
	struct plan_code *code;
	struct plan_entry *entry; /* the function's own */
	struct plan_insn *insns; /* of it and its parts, in order of address; free nops are left out */
	uint8_t *exits; /* enum plan_exit of each */
	uint32_t *region_of; /* of each: index of the region that moves it, or WORK_NONE */
	size_t insn_count, insn_capacity, side_capacity;
	struct plan_region *regions;
	size_t region_count, region_capacity;
	bool is_called_into, is_pointed_into; /* behind its first byte */
	uint32_t start, body; /* the first instruction, and the first behind endbr64 */
};

/* Reads the functions that group is of. Returns why it is not timed, as far as that can be told without looking for room; PLAN_REASONS: no
 * memory. post: to be cleared, once, after any number of reads. */
enum plan_reason plan_work_read(struct plan_work *work, struct plan_code *code, struct plan_entry *group);
void plan_work_clear(struct plan_work *work);

/* The instruction that begins at a place; WORK_NONE: none of this function's. */
uint32_t plan_work_find(const struct plan_work *work, uint32_t at);
/* Whether instruction i + 1 stands right behind i. */
static inline bool plan_work_is_next(const struct plan_work *work, uint32_t i)
{
	return i + 1 < work->insn_count && work->insns[i + 1].at == work->insns[i].at + work->insns[i].length;
}

#endif
