/* cache: keeps plans in sealed files (cache.h). */
#include "plan/cache.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plan/sealed.h"

void plan_key_set(struct plan_key *key, const uint8_t *id, size_t id_bytes, const struct digest *content)
{
	size_t at;

	*key = (struct plan_key){.build_id_bytes = (uint32_t)(id_bytes < sizeof key->build_id ? id_bytes : sizeof key->build_id)};
	if (key->build_id_bytes)
		memcpy(key->build_id, id, key->build_id_bytes);
	for (size_t i = 0; i < key->build_id_bytes; i++)
		snprintf(key->text + 2 * i, 3, "%02x", id[i]);
	if (!key->build_id_bytes)
		strcpy(key->text, "content");
	at = strlen(key->text);
	snprintf(key->text + at, sizeof key->text - at, "-%016llx%016llx", (unsigned long long)content->a, (unsigned long long)content->b);
}

/* Returns whether the bytes are a valid plan for the key's file. */
static bool is_plan_of_key(const struct plan_key *key, struct bytes bytes)
{
	const struct dwell_plan *head = plan_head(bytes);

	return plan_is_valid(bytes) && head->build_id_bytes == key->build_id_bytes &&
	       !memcmp(head->build_id, key->build_id, key->build_id_bytes);
}

bool plan_cache_read(const struct plan_key *key, struct plan *plan)
{
	struct bytes content;

	if (!sealed_read(key->text, &content))
		return false;
	if (!is_plan_of_key(key, content)) {
		free((void *)content.data);
		sealed_remove(key->text);
		return false;
	}
	*plan = (struct plan){.bytes = content, .memory = (void *)content.data};
	return true;
}

void plan_cache_write(const struct plan_key *key, const struct plan *plan)
{
	sealed_write(key->text, plan->bytes);
}
