/* near: what somebody meant who typed something else, and names that are meant by a pattern. */
#ifndef DWELL_HOST_UTIL_NEAR_H
#define DWELL_HOST_UTIL_NEAR_H

#include <stdbool.h>
#include <stddef.h>

#define NEAR_BYTES_MAX 128 /* longer words are far from all */

/* Letters to insert, delete or replace, and neighbours to swap, to make one word of the other; SIZE_MAX when one is too long. */
size_t near_distance(const char *a, const char *b);

/* A * in the pattern stands for any text, a ? for any one byte; nothing else is special. */
bool near_matches(const char *pattern, const char *text);
bool near_is_pattern(const char *text);
/* Whether it may be the name of a function that holds a * itself, as only those of C++ and its like do: "parse(char const*)", "operator*". */
bool near_may_be_spelled(const char *text);

#endif
