#include "classic/host/symbol/ti/piece.h"

#include <stdlib.h>

#include "util/array.h"
#include "util/sorted.h"

bool pieces_add(struct pieces *pieces, uint64_t low, uint64_t high, const char *name)
{
	if (!array_reserve(&pieces->list, &pieces->capacity, pieces->count + 1, sizeof *pieces->list))
		return false;
	pieces->list[pieces->count++] = (struct piece){.low = low, .high = high, .name = name};
	return true;
}

static int by_low(const void *a, const void *b)
{
	const struct piece *left = a, *right = b;

	if (left->low != right->low)
		return left->low < right->low ? -1 : 1;
	return left->high < right->high ? -1 : left->high > right->high;
}

void pieces_finish(struct pieces *pieces)
{
	size_t kept = 0;

	if (pieces->count)
		qsort(pieces->list, pieces->count, sizeof *pieces->list, by_low);
	for (size_t i = 0; i < pieces->count; i++)
		if (!kept || pieces->list[i].low != pieces->list[kept - 1].low)
			pieces->list[kept++] = pieces->list[i];
	pieces->count = kept;
}

struct piece *pieces_find(const struct pieces *pieces, uint64_t address)
{
	size_t count = SORTED_UP_TO(struct piece, low, pieces->list, pieces->count, address);

	return count && address < pieces->list[count - 1].high ? &pieces->list[count - 1] : NULL;
}

void pieces_clear(struct pieces *pieces)
{
	free(pieces->list);
	*pieces = (struct pieces){0};
}
