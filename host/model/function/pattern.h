/* pattern: the functions that somebody means. A name as reports show it, or without its C++ arguments; "helper (app+0x1139)", as
 * reports tell functions of one name apart; or a pattern with * and ? for any of these names. Where a function is called exactly as the
 * pattern is spelled, "parse(char const*)", it alone is meant. */
#ifndef DWELL_HOST_MODEL_FUNCTION_PATTERN_H
#define DWELL_HOST_MODEL_FUNCTION_PATTERN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/function/function.h"

/* Null when there is no memory. text and functions are borrowed. */
struct pattern;
struct pattern *make_pattern(const char *text, struct functions *functions);
/* Of that function alone. */
struct pattern *make_pattern_of(uint32_t function);
void free_pattern(struct pattern *pattern);

/* Whether the function is meant. Names are compared at the first call for each function. */
bool pattern_matches(struct pattern *pattern, uint32_t id);
/* How many of the functions that are known by now are meant. */
uint32_t pattern_count(struct pattern *pattern);

/* Names of functions that are known and sound alike, the nearest first: "is_prime, is_primed". Empty when none does. */
void pattern_get_nearest(struct pattern *pattern, char *list, size_t bytes);

#endif
