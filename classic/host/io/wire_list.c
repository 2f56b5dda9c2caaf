#include "classic/host/io/wire_list.h"

#include "util/array.h"

bool wire_list_append(struct wire_list *list, uint32_t at, uint64_t count)
{
	if (!array_reserve(&list->list, &list->capacity, list->count + 1, sizeof *list->list))
		return false;
	list->list[list->count++] = (struct wire_count){at, count};
	return true;
}

bool wire_list_add(struct wire_list *sum, const struct wire_list *a, const struct wire_list *b)
{
	size_t i = 0, k = 0;

	while (i < a->count || k < b->count) {
		uint32_t left = i < a->count ? a->list[i].at : UINT32_MAX, right = k < b->count ? b->list[k].at : UINT32_MAX;
		uint32_t at = left < right ? left : right;
		uint64_t count = 0;

		if (i < a->count && left == at)
			count += a->list[i++].count;
		if (k < b->count && right == at)
			count += b->list[k++].count;
		if (!wire_list_append(sum, at, count))
			return false;
	}
	return true;
}
