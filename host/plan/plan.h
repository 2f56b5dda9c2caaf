/* plan: computes the changes that the agent makes to an unmodified program's code to record calls
 * of functions (target/port/os/linux/plan.h defines the bytes).
 *
 * Functions come from the file's unwind tables. A function is timed if the entry and all exits can be changed.
 * If only the entry can be changed, the function's calls are counted; otherwise the function is left alone.
 * Nothing is guessed: code with unknown jumps stays unchanged.
 *
 * Terms, in this room and in target/port/os/linux/plan.h:
 *   entry       a row of the unwind tables (struct plan_entry): a function, or a part that the compiler moved away from one
 *   group       the entries of one function: those that jump into each other
 *   region      instructions of a function that move together into the plan's code; a jump to the code takes their place
 *   site        a place in the file where a region, or a gate in its code, belongs
 *   gate        five bytes in the plan's code where the agent calls the recorder: at an entry or exit of a function
 *   room        unused bytes in the file, for a long jump where a region has space for a short one only */
#ifndef DWELL_HOST_PLAN_PLAN_H
#define DWELL_HOST_PLAN_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "plan/reason.h"
#include "target/port/os/linux/plan.h"
#include "util/bytes.h"
#include "util/diag.h"

/* The decision about one function: whether a plan times the function, counts calls or leaves the function alone, and why. */
struct plan_decision {
	uint64_t address, size; /* link-time address, and bytes; without parts that the compiler moved away */
	uint32_t sites; /* number of places in the file that the plan changes for this function */
	bool leaves_callers; /* can jump out of its callers, unseen by the recorder */
	enum plan_reason reason;
};

struct plan {
	struct bytes bytes; /* in the agent's format */
	void *memory; /* the memory block that contains bytes; plan_free frees it */
	struct plan_decision *decisions; /* one element for each function, sorted by address. Null: the plan is from the cache */
	size_t decision_count;
};

/* Gets the plan of a file from the cache, or makes and caches it. name is for messages. Returns false without a
 * plan; a diag gives the reason. Needs plan_free in any case. */
bool plan_get(const char *path, const char *name, struct plan *plan, struct diag *diag);
/* The same without the cache, so that decisions is always set; the second function takes a file in memory. */
bool plan_make(const char *path, struct plan *plan, struct diag *diag);
bool plan_make_of_bytes(struct bytes file, const char *name, struct plan *plan, struct diag *diag);
void plan_free(struct plan *plan);

/* Returns whether bytes are a valid plan, as far as the program file is not needed to decide that. */
bool plan_is_valid(struct bytes bytes);

/* The parts of a plan. pre: the plan is sound. */
static inline const struct dwell_plan *plan_head(struct bytes bytes)
{
	return (const struct dwell_plan *)(const void *)bytes.data;
}
static inline const struct dwell_plan_site *plan_sites(struct bytes bytes)
{
	return (const struct dwell_plan_site *)(const void *)(bytes.data + plan_head(bytes)->sites);
}
static inline const struct dwell_plan_function *plan_functions(struct bytes bytes)
{
	return (const struct dwell_plan_function *)(const void *)(bytes.data + plan_head(bytes)->functions);
}
static inline const uint32_t *plan_fixups(struct bytes bytes)
{
	return (const uint32_t *)(const void *)(bytes.data + plan_head(bytes)->fixups);
}

#endif
