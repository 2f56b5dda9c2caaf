#include "query/parallel/crop.h"

#include <stdlib.h>

#include "util/array.h"

struct crop *make_crop(void *owner)
{
	struct crop *crop = calloc(1, sizeof *crop);

	if (crop)
		crop->owner = owner;
	return crop;
}

void free_crop(struct crop *crop)
{
	if (!crop)
		return;
	free_pattern(crop->pattern);
	free(crop->calls);
	free(crop);
}

bool crop_add(struct crop *crop, const struct call *call)
{
	struct crop_call *to;

	if (!array_reserve(&crop->calls, &crop->capacity, crop->count + 1, sizeof *crop->calls))
		return false;
	to = &crop->calls[crop->count++];
	*to = (struct crop_call){.call = *call};
	to->call.values = NULL; /* those are the model's */
	to->has_ret = call->values && call->values->has_ret;
	to->ret = to->has_ret ? call->values->ret : 0;
	return true;
}

void crop_carry(void *context, uint32_t depth, const struct profile_off *self, const struct profile_off *total)
{
	struct crop *crop = context;

	for (size_t i = crop->carried; i < crop->count; i++) {
		struct call *call = &crop->calls[i].call;

		if (call->tag != MODEL_TAG_INHERITED || call->depth > depth)
			continue;
		if (call->depth < depth) /* the one that is told of was not taken */
			return;
		profile_add_off(&call->self_off, self);
		profile_add_off(&call->total_off, total);
		crop->carried = i + 1;
		return;
	}
}

void crop_set_off_unknown(struct crop *crop, bool unknown)
{
	for (size_t i = 0; i < crop->count; i++)
		crop->calls[i].call.off_unknown = unknown;
}

void crop_empty(struct crop *crop)
{
	crop->count = crop->carried = 0;
	crop->has_failed = false;
}
