#include <string.h>

#include "mixed.h"

bool sort_by_value(const struct entry *a, const struct entry *b)
{
	return a->value != b->value ? a->value > b->value : a->hash < b->hash;
}

bool sort_by_key(const struct entry *a, const struct entry *b)
{
	return strcmp(a->key, b->key) < 0;
}

static void swap(struct entry *a, struct entry *b)
{
	struct entry kept = *a;

	*a = *b;
	*b = kept;
}

static void insertion(struct entry *entries, size_t count, sort_before_fn *before)
{
	for (size_t i = 1; i < count; i++)
		for (size_t j = i; j && before(&entries[j], &entries[j - 1]); j--)
			swap(&entries[j], &entries[j - 1]);
}

static size_t partition(struct entry *entries, size_t count, sort_before_fn *before)
{
	size_t low = 0;

	swap(&entries[count / 2], &entries[count - 1]);
	for (size_t i = 0; i + 1 < count; i++)
		if (before(&entries[i], &entries[count - 1]))
			swap(&entries[i], &entries[low++]);
	swap(&entries[low], &entries[count - 1]);
	return low;
}

void sort_entries(struct entry *entries, size_t count, sort_before_fn *before)
{
	while (count > 12) {
		size_t middle = partition(entries, count, before);

		sort_entries(entries, middle, before);
		entries += middle + 1;
		count -= middle + 1;
	}
	insertion(entries, count, before);
}
