#include "query/parallel/part_calls.h"

#include <stdlib.h>

#include "util/array.h"

struct part_calls *make_part_calls(void *owner)
{
	struct part_calls *part_calls = calloc(1, sizeof *part_calls);

	if (part_calls)
		part_calls->owner = owner;
	return part_calls;
}

void free_part_calls(struct part_calls *part_calls)
{
	if (!part_calls)
		return;
	free_pattern(part_calls->pattern);
	free(part_calls->calls);
	free(part_calls);
}

bool part_calls_add(struct part_calls *part_calls, const struct call *call)
{
	struct part_call *to;

	if (!array_reserve(&part_calls->calls, &part_calls->capacity, part_calls->count + 1, sizeof *part_calls->calls))
		return false;
	to = &part_calls->calls[part_calls->count++];
	*to = (struct part_call){.call = *call};
	to->call.values = NULL; /* owned by the model */
	to->has_ret = call->values && call->values->has_ret;
	to->ret = to->has_ret ? call->values->ret : 0;
	return true;
}

void part_calls_carry(void *context, uint32_t depth, const struct off_cpu_ticks *self, const struct off_cpu_ticks *total)
{
	struct part_calls *part_calls = context;

	for (size_t i = part_calls->carried; i < part_calls->count; i++) {
		struct call *call = &part_calls->calls[i].call;

		if (call->tag != MODEL_TAG_INHERITED || call->depth > depth)
			continue;
		if (call->depth < depth) /* the call at this depth was not selected */
			return;
		profile_add_off_cpu(&call->self_off, self);
		profile_add_off_cpu(&call->total_off, total);
		part_calls->carried = i + 1;
		return;
	}
}

void part_calls_set_off_unknown(struct part_calls *part_calls, bool unknown)
{
	for (size_t i = 0; i < part_calls->count; i++)
		part_calls->calls[i].call.off_cpu_unknown = unknown;
}

void part_calls_empty(struct part_calls *part_calls)
{
	part_calls->count = part_calls->carried = 0;
}
