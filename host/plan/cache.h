/* cache: plans that were made before, in $XDG_CACHE_HOME/dwell/plans, else ~/.cache/dwell/plans. Internal to plan/. */
#ifndef DWELL_HOST_PLAN_CACHE_H
#define DWELL_HOST_PLAN_CACHE_H

#include "plan/plan.h"

/* What the plan of a file is called by: its build-id, or what is in it. */
#define PLAN_KEY_BYTES 64
struct plan_key {
	char text[PLAN_KEY_BYTES];
	uint8_t build_id[20];
	uint32_t build_id_bytes;
};

void plan_key_set_id(struct plan_key *key, const uint8_t *id, size_t bytes);
void plan_key_set_content(struct plan_key *key, struct bytes file);

/* False: there is none, or it is another build's, of another dwell, damaged, or others may have changed it. Such a one is removed. */
bool plan_cache_read(const struct plan_key *key, struct plan *plan);
/* Where that is not possible nothing happens: the plan will be made again. */
void plan_cache_write(const struct plan_key *key, const struct plan *plan);

#endif
