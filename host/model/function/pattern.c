/* pattern: compares a text with functions' names, and finds similar names. */
#include "model/function/pattern.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/array.h"
#include "util/name_match.h"
#include "util/short_name.h"

#define NEAREST_MAX 3u
#define NEAREST_BYTES_MAX 80 /* of a name in the list */

/* The answers for a function: not compared yet, selected, not selected. */
enum { NOT_COMPARED, IS_MATCH, NO_MATCH };

struct pattern {
	const char *text; /* null: the pattern selects only the function with this id: */
	uint32_t function;
	struct functions *functions;
	bool has_wildcards; /* until a function's name is found to be exactly the text */
	struct functions_tried seen;
	uint8_t *answers; /* by function id */
	size_t count, capacity;
};

struct pattern *make_pattern(const char *text, struct functions *functions)
{
	struct pattern *pattern = calloc(1, sizeof *pattern);

	if (pattern)
		*pattern = (struct pattern){.text = text,
			.functions = functions,
			.has_wildcards = name_match_is_pattern(text),
			.seen.no_tables = !name_match_may_be_literal(text)};
	return pattern;
}

struct pattern *make_pattern_of(uint32_t function)
{
	struct pattern *pattern = calloc(1, sizeof *pattern);

	if (pattern)
		pattern->function = function;
	return pattern;
}

void free_pattern(struct pattern *pattern)
{
	if (!pattern)
		return;
	free(pattern->seen.tables);
	free(pattern->answers);
	free(pattern);
}

static bool matches_text(const struct pattern *pattern, const char *name)
{
	return name && (pattern->has_wildcards ? name_match_pattern(pattern->text, name) : !strcmp(pattern->text, name));
}

static bool is_exactly(const void *context, const char *name, const char *plain)
{
	const struct pattern exact = {.text = ((const struct pattern *)context)->text};
	char *shortened, *plain_shortened;
	bool is_so;

	if (matches_text(&exact, name) || matches_text(&exact, plain))
		return true;
	shortened = make_short_name(name);
	plain_shortened = plain ? make_short_name(plain) : NULL;
	is_so = matches_text(&exact, shortened) || matches_text(&exact, plain_shortened);
	free(plain_shortened);
	free(shortened);
	return is_so;
}

/* A name may contain a * itself, as in operator* or parse(char const*): if a function has exactly this name, the pattern selects
 * only this function. New names appear while the file is read, so earlier answers may have to be dropped. */
static void look_for_exact(struct pattern *pattern)
{
	if (!pattern->has_wildcards || !functions_any_matches(pattern->functions, &pattern->seen, is_exactly, pattern))
		return;
	pattern->has_wildcards = false;
	if (pattern->count)
		memset(pattern->answers, NOT_COMPARED, pattern->count);
}

/* Whether any form of the function's name fits the text. */
static bool compare_names(const struct pattern *pattern, uint32_t id)
{
	char *plain, *shortened, *plain_shortened, *placed = NULL;
	bool meant;

	if (matches_text(pattern, functions_get_name(pattern->functions, id)))
		return true;
	plain = make_functions_plain_name(pattern->functions, id);
	if (strstr(pattern->text, "+0x"))
		placed = make_functions_name_and_place(pattern->functions, id);
	shortened = make_short_name(functions_get_name(pattern->functions, id));
	plain_shortened = plain && shortened ? make_short_name(plain) : NULL;
	meant = matches_text(pattern, plain) || matches_text(pattern, placed) || matches_text(pattern, shortened) ||
		matches_text(pattern, plain_shortened);
	free(plain_shortened);
	free(shortened);
	free(plain);
	free(placed);
	return meant;
}

bool pattern_matches(struct pattern *pattern, uint32_t id)
{
	if (id == FUNCTION_NONE || id == FUNCTION_OTHER || !pattern->text)
		return id == pattern->function && !pattern->text;
	if (id >= pattern->count || pattern->answers[id] == NOT_COMPARED)
		look_for_exact(pattern);
	if (id >= pattern->count) {
		size_t count = pattern->count;

		if (!array_reserve(&pattern->answers, &pattern->capacity, (size_t)id + 1, sizeof *pattern->answers))
			return compare_names(pattern, id);
		memset(pattern->answers + count, NOT_COMPARED, pattern->capacity - count);
		pattern->count = pattern->capacity;
	}
	if (pattern->answers[id] == NOT_COMPARED)
		pattern->answers[id] = compare_names(pattern, id) ? IS_MATCH : NO_MATCH;
	return pattern->answers[id] == IS_MATCH;
}

uint32_t pattern_count(struct pattern *pattern)
{
	uint32_t meant = 0;

	for (uint32_t id = 0; id < functions_count(pattern->functions); id++)
		meant += pattern_matches(pattern, id);
	return meant;
}

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* The number of letters by which the name differs from the text. If only the last part of a qualified name is similar, one more;
 * at most one if the name contains the text. */
static size_t distance_of(const struct pattern *pattern, const char *name)
{
	size_t distance = name_match_distance(pattern->text, name);
	const char *last = name;

	for (const char *colons; (colons = strstr(last, "::"));)
		last = colons + 2;
	if (last != name) {
		size_t part = name_match_distance(pattern->text, last);

		distance = least(distance, part == SIZE_MAX ? part : part + 1);
	}
	if (strlen(pattern->text) >= 3 && strstr(name, pattern->text))
		distance = least(distance, 1);
	return distance;
}

void pattern_get_nearest(struct pattern *pattern, char *list, size_t bytes)
{
	struct {
		uint32_t id;
		size_t distance;
	} nearest[NEAREST_MAX + 1];
	size_t count = 0, letters = strlen(pattern->text), used = 0, limit = letters / 4 + 1;

	if (limit >= letters)
		limit = letters ? letters - 1 : 0;
	for (uint32_t id = 0; id < functions_count(pattern->functions); id++) {
		char *plain = make_functions_plain_name(pattern->functions, id);
		size_t distance = distance_of(pattern, plain ? plain : functions_get_name(pattern->functions, id)), at = count;

		free(plain);
		if (distance > limit)
			continue;
		for (; at && nearest[at - 1].distance > distance; at--)
			nearest[at] = nearest[at - 1];
		nearest[at].id = id;
		nearest[at].distance = distance;
		count = least(count + 1, NEAREST_MAX);
	}
	if (bytes)
		*list = 0;
	for (size_t i = 0; i < count && used < bytes; i++) {
		char *plain = make_functions_plain_name(pattern->functions, nearest[i].id);
		const char *name = plain ? plain : functions_get_name(pattern->functions, nearest[i].id);

		used += (size_t)snprintf(list + used, bytes - used, "%s%.*s", i ? ", " : "", NEAREST_BYTES_MAX, name);
		free(plain);
	}
}
