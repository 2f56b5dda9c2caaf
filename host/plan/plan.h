/* plan: from a program file as it is, to what the agent changes in its code to record the calls of its functions
 * (target/port/os/linux/plan.h has the bytes).
 *
 * Functions are what the file's unwind tables tell of. A function is timed when its entry and every way out of it can be changed; when
 * that is known of its entry alone its calls are counted; else it is left alone. Nothing is guessed: code whose jumps are not all known
 * stays as it is. */
#ifndef DWELL_HOST_PLAN_PLAN_H
#define DWELL_HOST_PLAN_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "plan/reason.h"
#include "target/port/os/linux/plan.h"
#include "util/bytes.h"
#include "util/diag.h"

/* What becomes of a function. */
struct plan_told {
	uint64_t address, size; /* as the file has them; without parts that the compiler moved away */
	uint32_t sites; /* places that change */
	bool leaves_callers; /* it can jump out of its callers, in a way that the recorder does not see */
	enum plan_reason reason;
};

struct plan {
	struct bytes bytes; /* as the agent takes it */
	void *memory; /* what these are in */
	struct plan_told *told; /* every function, in order of address. Null: the plan is from the cache */
	size_t told_count;
};

/* The plan of a file: from the cache, else made, and put there. False: there is none, and a diag says why. plan_free in any case. */
bool plan_get(const char *path, struct plan *plan, struct diag *diag);
/* The same without the cache, so that told is there; and of a file that is in memory, which name is for messages of. */
bool plan_make(const char *path, struct plan *plan, struct diag *diag);
bool plan_make_of_bytes(struct bytes file, const char *name, struct plan *plan, struct diag *diag);
void plan_free(struct plan *plan);

/* Whether bytes are a plan, in all that can be told without the file that it is for. */
bool plan_is_sound(struct bytes bytes);

/* Its parts. pre: it is sound. */
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
