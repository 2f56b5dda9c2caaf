/* name_parts: the parts of a function's name that may be left out where there is little room (fit_name.h). */
#ifndef DWELL_HOST_UTIL_NAME_PARTS_H
#define DWELL_HOST_UTIL_NAME_PARTS_H

#include <stdbool.h>
#include <stddef.h>

#define NAME_PART_BYTES_MIN 3u /* a mark in its place has as many bytes */
#define NAME_PARTS_MAX 48u /* of a name with more, the later ones stay */

/* In the order in which parts go. */
enum name_part_kind {
	NAME_PART_ARGUMENTS, /* of a template, between < and > */
	NAME_PART_PARAMETERS, /* of the function, between ( and ); of "(FILE+0x1f40)", FILE */
	NAME_PART_OUTER, /* the type returned, and outer namespaces */
	NAME_PART_NOTE, /* what compilers add: " [clone .isra.0]" */
	NAME_PART_KINDS,
};

struct name_part {
	size_t from, to; /* bytes of the name */
	enum name_part_kind kind;
	bool is_out; /* for the caller; false at first */
};

/* In order of from, and of two with the same from the longer first. */
struct name_parts {
	struct name_part parts[NAME_PARTS_MAX];
	size_t count;
};

/* Any bytes are a name; one whose brackets do not match has fewer parts. */
void name_parts_find(const char *name, size_t bytes, struct name_parts *parts);

#endif
