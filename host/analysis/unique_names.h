/* unique_names: makes the names in a table unique. Static functions of two files, and the constructors of a class, have equal
 * names: such a name gets the function's place, as in "helper (app+0x1139)". For all tables of functions. */
#ifndef DWELL_HOST_ANALYSIS_UNIQUE_NAMES_H
#define DWELL_HOST_ANALYSIS_UNIQUE_NAMES_H

#include <stddef.h>
#include <stdint.h>

#include "model/function/function.h"
#include "util/lookup.h"

/* A row of a table, with the name to show. */
struct named_row {
	uint32_t id;      /* function id; FUNCTION_NONE: the caller sets the name */
	const char *name; /* the name to show */
	char *longer;     /* internal: the name with the place; null: not needed. free_named_rows frees it */
	void *row;        /* belongs to the caller */
};

/* Fills in the name of each row that has an id (other rows keep theirs) and sorts the rows by name. Call free_named_rows
 * afterwards. */
void unique_names(struct functions *functions, struct named_row *rows, size_t count);
void free_named_rows(struct named_row *rows, size_t count);

/* Unique names for rows that are written one by one: a function's name, with the place if another function known so far has an
 * equal name. If the model has read the whole file, these are all functions. Otherwise a name gets the place only in rows after a
 * second function with that name appeared. Zeroed: empty. For use by one thread. A name stays valid until the next call. */
struct unique_names {
	struct unique_name {
		const char *name;
		char *longer; /* null: not needed so far, or the function has no place */
		bool is_double; /* another function has an equal name */
	} *names; /* index: function id */
	size_t count, capacity;
	struct lookup index; /* name → the first id with that name */
};
const char *unique_names_get(struct unique_names *names, struct functions *functions, uint32_t id);
void unique_names_clear(struct unique_names *names);

#endif
