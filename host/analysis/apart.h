/* apart: names of rows, where several functions may have the same. Static functions of two files, or the constructors of a class, have
 * one name: their places tell them apart. */
#ifndef DWELL_HOST_ANALYSIS_APART_H
#define DWELL_HOST_ANALYSIS_APART_H

#include <stddef.h>
#include <stdint.h>

#include "model/function/function.h"
#include "model/index.h"

struct apart {
	uint32_t id;
	const char *name; /* what to show */
	char *longer;     /* internal: name with a place, or null */
	void *row;        /* the caller's */
};

/* Fills the names of rows that have an id (others keep what they have), and reorders them by name. free_apart afterwards. */
void apart_names(struct functions *functions, struct apart *rows, size_t count);
void free_apart(struct apart *rows, size_t count);

/* The same for rows that stream: a function's name, with its place where another one that is known by now has the same. All that the table
 * has are, where it was read before; else its name changes with the row behind which it is not the only one any more. Zeroed: empty; of one
 * thread. The name is valid until the next call. */
struct apart_names {
	struct apart_name {
		const char *name;
		char *longer; /* null: not needed so far, or there is none */
		bool is_double;
	} *names; /* by id */
	size_t count, capacity;
	struct index index; /* name → the first id that has it */
};
const char *apart_names_get(struct apart_names *names, struct functions *functions, uint32_t id);
void apart_names_clear(struct apart_names *names);

#endif
