/* shapes: input of any size, in each of the forms with which a reader or a command could be made to go through what it has again
 * and again: deep, wide, all in one place, each in the one before, many of one kind. Twice the count is twice the bytes. */
#ifndef DWELL_TEST_SHAPES_H
#define DWELL_TEST_SHAPES_H

#include <stdint.h>
#include <stdio.h>

struct shape {
	const char *name;
	void (*make)(const char *path, uint32_t count); /* a file, or a folder */
	uint32_t count; /* that takes some five milliseconds to read */
};

/* Each ends with one without a name. */
extern const struct shape shapes_of_calls[], shapes_of_facts[], shapes_of_samples[], shapes_of_tools[], shapes_of_dumps[],
	shapes_of_profiles[];

#endif
