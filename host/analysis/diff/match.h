/* match: finds the corresponding functions of two builds of a program, and gives them one row. For diff.c.
 *
 * Functions with equal names, in files of equal names (in any folder), correspond. The pieces that the compiler makes of a function
 * (foo.part.0, foo.isra.0, foo.cold) count as the function foo, unless both builds have equal pieces. Of the remaining functions,
 * two in different files correspond if each side has exactly one function of the name. Nameless functions correspond by address if
 * the file is the same build on both sides; otherwise all nameless functions of a file count as a single function. The same goes
 * for functions of one name in a file, as static functions of several source files: nothing tells those of another build apart. */
#ifndef DWELL_HOST_ANALYSIS_DIFF_MATCH_H
#define DWELL_HOST_ANALYSIS_DIFF_MATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The order of two numbers, for qsort. */
static inline int compare_match_numbers(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

struct match {
	int side;         /* enum compare_side */
	const char *name; /* borrowed */
	const char *file; /* without folder; "": in no file. Borrowed */
	const char *longer; /* the name with the position in the file, "helper (app+0x1139)"; null: unknown. Borrowed */
	bool nameless;    /* its name is only an address */
	uint64_t build;   /* of the file; 0: unknown */
	uint64_t address; /* in the file */
	void *context;    /* belongs to the caller, since the list is reordered */

	uint32_t row;       /* result: from 0, without holes */
	const char *row_name;     /* result: the row's name; other rows may have an equal name. Borrowed until free_matches */
	char *normal;       /* internal, as the next */
	bool is_twin;       /* other functions of the file have the name, and rows of their own */
};

/* Returns the number of rows; SIZE_MAX: memory ran out. Call free_matches in either case. */
size_t match(struct match *list, size_t count);
void free_matches(struct match *list, size_t count);

/* The name without suffixes added by a compiler: ".part.0", " [clone .isra.0]". The caller frees it; null: memory ran out. */
char *make_match_normal(const char *name);

#endif
