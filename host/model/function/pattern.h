/* pattern: selects functions by a text that the user typed. The text is a name as in reports, or without C++ arguments, or
 * "helper (app+0x1139)", as reports show functions of equal names; or any of these with the wildcards * and ?. If a function has
 * exactly this name, as in "parse(char const*)", the text selects only that function. */
#ifndef DWELL_HOST_MODEL_FUNCTION_PATTERN_H
#define DWELL_HOST_MODEL_FUNCTION_PATTERN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/function/function.h"

/* Null: no memory. text and functions are borrowed. */
struct pattern;
struct pattern *make_pattern(const char *text, struct functions *functions);
/* A pattern that selects this function alone. Null: no memory. */
struct pattern *make_pattern_of(uint32_t function);
void free_pattern(struct pattern *pattern);

/* Whether the pattern selects the function. Compares names only at the first call for each function. */
bool pattern_matches(struct pattern *pattern, uint32_t id);
/* The number of selected functions among all that have ids so far. */
uint32_t pattern_count(struct pattern *pattern);

/* The names most similar to the text, the nearest first: "is_prime, is_primed". Empty if no name is similar. */
void pattern_get_nearest(struct pattern *pattern, char *list, size_t bytes);

#endif
