/* cache: plans made earlier, in $XDG_CACHE_HOME/dwell/plans, or in ~/.cache/dwell/plans. Internal to plan/. */
#ifndef DWELL_HOST_PLAN_CACHE_H
#define DWELL_HOST_PLAN_CACHE_H

#include "plan/plan.h"

/* The name of a file's plan: the file's build-id, or a hash of its content. */
#define PLAN_KEY_BYTES 64
struct plan_key {
	char text[PLAN_KEY_BYTES];
	uint8_t build_id[20];
	uint32_t build_id_bytes;
};

void plan_key_set_id(struct plan_key *key, const uint8_t *id, size_t bytes);
void plan_key_set_content(struct plan_key *key, struct bytes file);

/* Returns false without a plan. Removes a plan of another build or another dwell, a
 * damaged plan, and a plan that another user could have changed. */
bool plan_cache_read(const struct plan_key *key, struct plan *plan);
/* Does nothing where writing is impossible: the plan will be made again. */
void plan_cache_write(const struct plan_key *key, const struct plan *plan);

#endif
