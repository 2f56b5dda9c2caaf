/* name_match: the distance between two words, for spelling suggestions; and patterns for names with * and ?. */
#ifndef DWELL_HOST_UTIL_NAME_MATCH_H
#define DWELL_HOST_UTIL_NAME_MATCH_H

#include <stdbool.h>
#include <stddef.h>

#define NAME_MATCH_BYTES_MAX 128 /* longer words are never similar */

/* Returns the edit distance: letters to insert, delete or replace, and neighbours to swap, to
 * turn one word into the other. SIZE_MAX if a word is too long. */
size_t name_match_distance(const char *a, const char *b);

/* In a pattern, * stands for any text and ? for any one byte; no other character is special. */
bool name_match_pattern(const char *pattern, const char *text);
/* Returns whether the text contains * or ?. */
bool name_match_is_pattern(const char *text);
/* Returns whether a text with a * may be a function's own name, as in
 * C++ and similar languages: "parse(char const*)", "operator*". */
bool name_match_may_be_literal(const char *text);

#endif
