/* apart: makes names unique in rows where several functions may share a name. Static functions of two files, and the constructors
 * of a class, have equal names; apart adds their source places. */
#ifndef DWELL_HOST_ANALYSIS_APART_H
#define DWELL_HOST_ANALYSIS_APART_H

#include <stddef.h>
#include <stdint.h>

#include "model/function/function.h"
#include "util/lookup.h"

struct apart {
	uint32_t id;
	const char *name; /* the name to show */
	char *longer;     /* internal: the name with its place, or null */
	void *row;        /* belongs to the caller */
};

/* Fills in the name of each row that has an id (other rows keep theirs) and sorts the rows by name. Call free_apart afterwards. */
void apart_names(struct functions *functions, struct apart *rows, size_t count);
void free_apart(struct apart *rows, size_t count);

/* Unique names for streaming rows: a function's name, with the place if another function so far has an equal name. If the whole
 * file was read before the table begins, all functions are compared. Otherwise a name gets the place only from the row on at which
 * a second function with that name appears. Zeroed: empty. For a single thread. A name stays valid until the next call. */
struct apart_names {
	struct apart_name {
		const char *name;
		char *longer; /* null: not needed so far, or the function has no place */
		bool is_double;
	} *names; /* index: function id */
	size_t count, capacity;
	struct lookup index; /* name → the first id with that name */
};
const char *apart_names_get(struct apart_names *names, struct functions *functions, uint32_t id);
void apart_names_clear(struct apart_names *names);

#endif
