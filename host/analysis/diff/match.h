/* match: which function of one build is which of another one.
 *
 * Of the same name, in a file of the same name (whatever folder it is in): the same. What the compiler made of one function (foo.part.0,
 * foo.isra.0, foo.cold) counts with it where the two builds do not have the same pieces. What is left, and is in another file now, is the
 * same where only one on each side has that name. Functions without a name are told apart by their address where the file is the same
 * build on both sides; else all of one file are one. */
#ifndef DWELL_HOST_ANALYSIS_DIFF_MATCH_H
#define DWELL_HOST_ANALYSIS_DIFF_MATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct match {
	int side;         /* 0 or 1 */
	const char *name; /* borrowed, as is … */
	const char *file; /* without folder; "" in none */
	bool nameless;    /* its name is its place */
	uint64_t build;   /* of the file, 0: unknown */
	void *context;    /* the caller's; the list is reordered */

	uint32_t row;       /* comes out: from 0, without holes */
	const char *as;     /* of all of one row: its name. Borrowed until free_matches; other rows may have it, too */
	char *normal;       /* internal */
};

/* How many rows there are; SIZE_MAX: no memory. free_matches in any case. */
size_t match(struct match *list, size_t count);
void free_matches(struct match *list, size_t count);

/* The name without what a compiler puts behind it: ".part.0", " [clone .isra.0]". To be freed; null: no memory. */
char *make_match_normal(const char *name);

#endif
