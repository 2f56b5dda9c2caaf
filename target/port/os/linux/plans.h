/* SPDX-License-Identifier: MIT
 *
 * Plans (plan.h) on their way to the agent. It asks in the journal when it finds a program without hooks,
 * `DWELL_PLAN_KEY=NUMBER KIND PATH` (KIND: p program, l library), and waits; record finds or makes the plan, writes it behind the others
 * in memory of its own, and then the entry of that number, which tells where it is. The session names that memory. The agent maps a copy
 * of its own and believes nothing in it.
 *
 *     dwell_plans · dwell_plans_entry[DWELL_PLANS_MAX] · plans, each at a multiple of a page
 */
#ifndef DWELL_LINUX_PLANS_H
#define DWELL_LINUX_PLANS_H

#include <stdbool.h>
#include <stdint.h>

#define DWELL_PLANS_MAGIC 0x31534e414c504c44ull /* "DLPLANS1" */
#define DWELL_PLANS_MAX 65536u
/* A fact of the journal, which record does not write to the trace file. */
#define DWELL_PLAN_KEY "plan-wanted"

struct dwell_plans_entry {
	uint64_t bytes; /* 0: there is none; record knows why */
	uint64_t offset; /* written last. 0: no answer yet */
};

struct dwell_plans {
	uint64_t magic, unused;
	struct dwell_plans_entry entries[];
};

/* plans.c. The session's have begun; name empty: it has none. When nothing is recorded. libraries: they are asked for, too. */
void plans_join(const char *name, uint32_t libraries) __attribute__((visibility("hidden")));
/* Whether to ask for a plan of the program, or of a library. */
bool plans_are_wanted(bool is_program) __attribute__((visibility("hidden")));
/* The plan for the file of that path: mapped, its bounds checked, and nothing else; the caller's. Null: there is none. Waits for record. */
const struct dwell_plan *plans_ask(const char *path, bool is_program) __attribute__((visibility("hidden")));

#endif
