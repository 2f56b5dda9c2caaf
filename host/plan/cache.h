/* cache: plans made earlier, in sealed files (plan/sealed.h). Internal to plan/. */
#ifndef DWELL_HOST_PLAN_CACHE_H
#define DWELL_HOST_PLAN_CACHE_H

#include "plan/digest.h"
#include "plan/plan.h"

/* The name of a file's plan: the file's build-id, if it has one, and a hash of its content. Files of different contents may
 * have one build-id: linkers take any that they are given (--build-id=0x...), and programs are changed behind the linker. */
#define PLAN_KEY_BYTES 96
struct plan_key {
	char text[PLAN_KEY_BYTES];
	uint8_t build_id[20];
	uint32_t build_id_bytes;
};

/* id_bytes 0: the file has no build-id. */
void plan_key_set(struct plan_key *key, const uint8_t *id, size_t id_bytes, const struct digest *content);

/* Returns false without a plan. Removes a plan of another build or another dwell, a
 * damaged plan, and a plan that another user could have changed. */
bool plan_cache_read(const struct plan_key *key, struct plan *plan);
/* Does nothing where writing is impossible: the plan will be made again. */
void plan_cache_write(const struct plan_key *key, const struct plan *plan);

#endif
