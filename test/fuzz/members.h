/* Files that stand beside each other, in one: what comes behind "\n=== NAME\n" is the next one. */
#ifndef DWELL_TEST_FUZZ_MEMBERS_H
#define DWELL_TEST_FUZZ_MEMBERS_H

#include <stdlib.h>
#include <string.h>

#include "io/source.h"

#define MEMBERS_MAX 16

struct members {
	struct source_member list[MEMBERS_MAX];
	size_t count;
	char names[MEMBERS_MAX][64];
	size_t first_size; /* of the first one, that has no name */
};

static inline void members_split(struct members *members, const uint8_t *data, size_t size)
{
	size_t at = 0, *end = &members->first_size;

	memset(members, 0, sizeof *members);
	while (members->count < MEMBERS_MAX) {
		const uint8_t *mark = memmem(data + at, size - at, "\n=== ", 5), *line;
		struct source_member *member = &members->list[members->count];
		size_t length;

		line = mark ? memchr(mark + 5, '\n', size - (size_t)(mark + 5 - data)) : NULL;
		length = line ? (size_t)(line - mark - 5) : 0;
		if (!line || length >= sizeof members->names[0])
			break;
		*end = (size_t)(mark - data) - (at ? at : 0);
		memcpy(members->names[members->count], mark + 5, length);
		at = (size_t)(line + 1 - data);
		member->name = members->names[members->count++];
		member->data = data + at;
		end = &member->size;
	}
	*end = size - at;
}

#endif
