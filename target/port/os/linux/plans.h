/* SPDX-License-Identifier: MIT
 *
 * How plans (plan.h) come to the agent. When the agent finds a program without hooks, it writes a request into the journal,
 * `DWELL_PLAN_KEY=NUMBER KIND LOW PATH` (KIND: p program, l library; LOW: where the file is mapped), and waits. record finds or
 * makes the plan, appends it to memory of its own, and then writes the entry of that number, which holds the plan's offset. The
 * session names that memory. The agent maps a private copy and checks everything in it.
 *
 *     dwell_plans · dwell_plans_entry[DWELL_PLANS_MAX] · plans, each at a multiple of a page
 */
#ifndef DWELL_LINUX_PLANS_H
#define DWELL_LINUX_PLANS_H

#include <stdbool.h>
#include <stdint.h>

#define DWELL_PLANS_MAGIC 0x31534e414c504c44ull /* "DLPLANS1" */
#define DWELL_PLANS_MAX 65536u
/* Key of a fact in the journal that record does not write to the trace file. */
#define DWELL_PLAN_KEY "plan-wanted"

struct dwell_plans_entry {
	uint64_t bytes; /* 0: there is no plan; record knows the reason */
	uint64_t offset; /* written last. 0: no answer yet */
};

struct dwell_plans {
	uint64_t magic, unused;
	struct dwell_plans_entry entries[];
};

/* plans.c. Sets the name of the memory from which plans_fetch maps plans. name: from the session; empty: the session has no plans.
 * libraries: request plans for libraries, too. Call the function while recording is off. */
void plans_join(const char *name, uint32_t libraries) __attribute__((visibility("hidden")));
/* Whether to request a plan for the program, or for a library. */
bool plans_are_wanted(bool is_program) __attribute__((visibility("hidden")));
/* Waits for record, and returns the plan for the file at path, mapped; the caller unmaps the plan. The function checks only
 * the header and the bounds of the arrays, not the content of the arrays. Null: there is no plan. */
const struct dwell_plan *plans_fetch(const char *path, uint64_t low, bool is_program) __attribute__((visibility("hidden")));

#endif
