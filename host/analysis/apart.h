/* apart: names of rows, where several functions may have the same. Static functions of two files, or the constructors of a class, have
 * one name: their places tell them apart. */
#ifndef DWELL_HOST_ANALYSIS_APART_H
#define DWELL_HOST_ANALYSIS_APART_H

#include <stddef.h>
#include <stdint.h>

#include "model/function.h"

struct apart {
	uint32_t id;
	const char *name; /* what to show */
	char *longer;     /* internal: name with a place, or null */
	void *row;        /* the caller's */
};

/* Fills the names of rows that have an id (others keep what they have), and reorders them by name. free_apart afterwards. */
void apart_names(struct functions *functions, struct apart *rows, size_t count);
void free_apart(struct apart *rows, size_t count);

#endif
