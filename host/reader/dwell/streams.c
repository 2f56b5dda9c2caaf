/* streams: finds the state of a stream by number. */
#include "reader/dwell/streams.h"

#include <stdlib.h>

#include "util/array.h"

struct stream *streams_find(struct streams *streams, uint32_t number)
{
	uint32_t *known = numbers_put(&streams->index, number);

	if (known && !*known) {
		if (!array_reserve(&streams->list, &streams->capacity, streams->count + 1, sizeof *streams->list))
			return NULL;
		streams->list[streams->count++] = (struct stream){.number = number};
		*known = (uint32_t)streams->count;
	}
	return known ? &streams->list[*known - 1] : NULL;
}

void streams_clear(struct streams *streams)
{
	numbers_clear(&streams->index);
	free(streams->list);
	*streams = (struct streams){0};
}
