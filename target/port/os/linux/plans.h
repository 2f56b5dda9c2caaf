/* SPDX-License-Identifier: MIT
 *
 * How plans (plan.h) come to the agent. When the agent finds a program or library without hooks, the agent writes a request into
 * the journal, `DWELL_PLAN_KEY=NUMBER KIND LOW PATH`, and waits. KIND: p program, l library; LOW: the file's lowest address, in 16
 * hexadecimal digits. record finds or makes the plan, appends the plan to memory of its own, and then writes the entry of that
 * number. The session names this memory. The agent maps the plan, and checks everything in the plan.
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
	uint64_t bytes; /* size of the plan; 0: there is no plan */
	uint64_t offset; /* of the plan in the memory; 1: there is no plan; 0: no answer yet. Written last */
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
/* Waits for record, for a minute at most, and returns the plan for the file at path, mapped. The caller unmaps plan->bytes, or
 * passes the plan to hooks_adopt_plan or hooks_filter_plan. low: lowest address of the file. The function checks only the header
 * and the bounds of the arrays, not the content of the arrays. Null: there is no plan, or record has not answered. */
const struct dwell_plan *plans_fetch(const char *path, uint64_t low, bool is_program) __attribute__((visibility("hidden")));

#endif
