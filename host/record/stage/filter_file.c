/* filter_file: matches a filter's patterns with the functions of one file. */
#include "record/stage/filter_file.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "symbol/build_id.h"
#include "symbol/debug/line.h"
#include "symbol/symbol.h"
#include "util/file_name.h"
#include "util/name_match.h"
#include "util/short_name.h"

#define NEAREST_MAX 3u
#define NEAREST_BYTES_MAX 60
#define FILE_PREFIX "file:"
#define MODULE_PREFIX "module:"

static bool begins(const char *text, const char *prefix)
{
	return !strncmp(text, prefix, strlen(prefix));
}

static bool matches_text(const char *pattern, bool exactly, const char *text)
{
	return text && (exactly ? !strcmp(pattern, text) : name_match_pattern(pattern, text));
}

/* One function, with the texts to compare patterns with. */
struct candidate {
	/* shown: the function's name as reports show it. plain: the name without arguments; null: the name has no arguments. Then
	 * both names shortened. */
	char *shown, *plain, *shortened, *plain_shortened;
	char *source;       /* path of the source file; null: unknown, or no pattern needs it */
	const char *module; /* last part of the path */
};

static void name_candidate(struct candidate *candidate, const char *name)
{
	candidate->shown = make_symbol_display_name(name);
	candidate->plain = make_symbol_plain_name(name);
	candidate->shortened = candidate->shown ? make_short_name(candidate->shown) : NULL;
	candidate->plain_shortened = candidate->plain ? make_short_name(candidate->plain) : NULL;
}

static void forget_candidate(struct candidate *candidate)
{
	free(candidate->shown);
	free(candidate->plain);
	free(candidate->shortened);
	free(candidate->plain_shortened);
	free(candidate->source);
}

/* Whether the pattern matches. exactly: wildcards in the pattern are plain letters. */
static bool matches_pattern(const struct candidate *candidate, const char *pattern, bool exactly)
{
	if (begins(pattern, MODULE_PREFIX))
		return matches_text(pattern + strlen(MODULE_PREFIX), exactly, candidate->module);
	if (begins(pattern, FILE_PREFIX))
		return matches_text(pattern + strlen(FILE_PREFIX), exactly, candidate->source);
	return matches_text(pattern, exactly, candidate->shown) || matches_text(pattern, exactly, candidate->plain) ||
	       matches_text(pattern, exactly, candidate->shortened) || matches_text(pattern, exactly, candidate->plain_shortened);
}

bool filter_names_module(const struct filter_options *options, const char *path)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;

	for (uint32_t p = 0; p < options->pattern_count; p++) {
		const struct filter_pattern *pattern = &options->patterns[p];

		if (!pattern->drops && begins(pattern->text, MODULE_PREFIX) &&
			name_match_pattern(pattern->text + strlen(MODULE_PREFIX), name))
			return true;
	}
	return false;
}

static int compare(const void *a, const void *b)
{
	uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;

	return (left > right) - (left < right);
}

static int compare_functions(const void *a, const void *b)
{
	return compare(&((const struct filter_function *)a)->address, &((const struct filter_function *)b)->address);
}

/* Counts the patterns that match the function, and lists the function
 * if it belongs into file->functions. name: from file->names. */
static void match_patterns(struct filter_file *file, const struct filter_options *options, const struct candidate *candidate,
	uint64_t address, const char *name)
{
	uint16_t keeping[FILTER_PATTERNS_MAX], keeping_count = 0;
	bool kept = !file->lists_wanted, dropped = false;
	uint32_t pattern = options->pattern_count;

	for (uint32_t p = 0; p < options->pattern_count; p++) {
		if (!matches_pattern(candidate, options->patterns[p].text, file->is_exact[p]))
			continue;
		file->match_count[p]++;
		if (options->patterns[p].drops) {
			dropped = true;
			continue;
		}
		kept = true;
		keeping[keeping_count++] = (uint16_t)p;
		if (p < pattern)
			pattern = p;
	}
	kept = kept && !dropped;
	for (uint32_t i = 0; kept && i < keeping_count; i++)
		file->kept_by[keeping[i]]++;
	file->kept += kept;
	if (kept != file->lists_wanted)
		return;
	if (file->lists_wanted)
		file->chosen[file->count] = (struct filter_function){address & ~UINT64_C(1), name, pattern};
	file->functions[file->count++] = address & ~UINT64_C(1);
}

static bool is_code(const struct symbol *symbol)
{
	return *symbol->name && !symbol_is_part(symbol);
}

/* Finds patterns that spell out a name containing '*', such as parse(char
 * const*). In a file with this very name, the pattern matches only this name. */
static void find_spelled(struct filter_file *file, const struct filter_options *options, const struct symbol_table *table)
{
	bool asks = false;

	for (uint32_t p = 0; p < options->pattern_count; p++)
		asks |= name_match_may_be_literal(options->patterns[p].text);
	for (size_t i = 0; asks && i < symbol_count(table); i++) {
		struct candidate candidate = {0};

		if (!is_code(symbol_at(table, i)))
			continue;
		name_candidate(&candidate, symbol_at(table, i)->name);
		for (uint32_t p = 0; p < options->pattern_count; p++)
			file->is_exact[p] |= name_match_may_be_literal(options->patterns[p].text) &&
					    matches_pattern(&candidate, options->patterns[p].text, true);
		forget_candidate(&candidate);
	}
}

/* Adds module and source to a candidate with names, and matches the candidate. Moves a name to file->names, and frees the rest. */
static void match_function(struct filter_file *file, const struct filter_options *options, struct candidate *candidate,
	struct line_table *lines, uint64_t address)
{
	const char *slash = strrchr(file->path, '/');

	candidate->module = slash ? slash + 1 : file->path;
	candidate->source = lines ? make_source_text(lines, address) : NULL;
	file->names[file->all] = candidate->plain ? candidate->plain : candidate->shown;
	match_patterns(file, options, candidate, address, file->names[file->all]);
	file->all++;
	if (candidate->plain)
		candidate->plain = NULL;
	else
		candidate->shown = NULL;
	forget_candidate(candidate);
}

/* Takes a function without a symbol, under the name that reports show. */
static void take_extent(struct filter_file *file, const struct filter_options *options, struct line_table *lines,
	const struct symbol_extent *extent)
{
	int length;
	const char *name = file_name_shown(file->path, &length);
	struct candidate candidate = {0};

	if (asprintf(&candidate.shown, "%.*s+0x%" PRIx64, length, name, extent->address) < 0)
		candidate.shown = NULL;
	match_function(file, options, &candidate, lines, extent->address);
}

/* False: no memory. */
static bool read_functions(
	struct filter_file *file, const struct filter_options *options, struct symbol_table *table, struct line_table *lines)
{
	size_t symbols = symbol_count(table), extents = symbol_extent_count(table), count = symbols + extents;

	file->functions = calloc(count + 1, sizeof *file->functions);
	file->names = calloc(count + 1, sizeof *file->names);
	file->chosen = file->lists_wanted ? calloc(count + 1, sizeof *file->chosen) : NULL;
	if (!file->functions || !file->names || (file->lists_wanted && !file->chosen))
		return false;
	find_spelled(file, options, table);
	for (size_t i = 0; i < symbols; i++) {
		const struct symbol *symbol = symbol_at(table, i);
		struct candidate candidate = {0};

		if (!is_code(symbol))
			continue;
		name_candidate(&candidate, symbol->name);
		match_function(file, options, &candidate, lines, symbol->address);
	}
	for (size_t i = 0; i < extents; i++)
		take_extent(file, options, lines, symbol_extent_at(table, i));
	qsort(file->functions, file->count, sizeof *file->functions, compare);
	if (file->lists_wanted)
		qsort(file->chosen, file->count, sizeof *file->chosen, compare_functions);
	return true;
}

struct filter_file *make_filter_file(const struct filter_options *options, const char *path, struct diag *diag)
{
	struct filter_file *file = calloc(1, sizeof *file);
	struct symbol_request want = {0};
	struct symbol_table *table = NULL;
	struct line_table *lines = NULL;
	size_t bytes = 0;
	bool asks = false, good;

	if (!file || !(file->path = strdup(path))) {
		free(file);
		return NULL;
	}
	if (read_build_id(path, file->build_id, &bytes) && bytes <= sizeof file->build_id)
		file->build_id_bytes = (uint32_t)bytes;
	for (uint32_t p = 0; p < options->pattern_count; p++) {
		file->lists_wanted |= !options->patterns[p].drops;
		asks |= begins(options->patterns[p].text, FILE_PREFIX);
	}
	table = make_symbol_table(path, &want, diag);
	if (asks)
		lines = make_line_table(path, &want, diag);
	good = read_functions(file, options, table, lines);
	free_line_table(lines);
	free_symbol_table(table);
	if (good)
		return file;
	free_filter_file(file);
	return NULL;
}

void free_filter_file(struct filter_file *file)
{
	if (!file)
		return;
	for (size_t i = 0; file->names && i < file->all; i++)
		free(file->names[i]);
	free(file->names);
	free(file->functions);
	free(file->chosen);
	free(file->path);
	free(file);
}

bool filter_file_drops(const struct filter_file *file, uint64_t address)
{
	address &= ~UINT64_C(1);
	return (file->count && bsearch(&address, file->functions, file->count, sizeof *file->functions, compare)) !=
	       file->lists_wanted;
}

const struct filter_function *filter_file_find(const struct filter_file *file, uint64_t address)
{
	struct filter_function wanted = {.address = address & ~UINT64_C(1)};

	if (!file->count || !file->chosen)
		return NULL;
	return bsearch(&wanted, file->chosen, file->count, sizeof *file->chosen, compare_functions);
}

void filter_file_nearest(struct filter_file *const *files, size_t count, const char *text, char *list, size_t bytes)
{
	struct {
		const char *name;
		size_t far;
	} nearest[NEAREST_MAX + 1];
	size_t found = 0, used = 0, letters = strlen(text), limit = letters / 4 + 1;

	for (size_t f = 0; f < count; f++)
		for (size_t i = 0; files[f]->is_hooked && i < files[f]->all; i++) {
			const char *name = files[f]->names[i];
			size_t far = name ? name_match_distance(text, name) : SIZE_MAX, at = found;

			if (far != SIZE_MAX && letters >= 3 && strstr(name, text))
				far = 1;
			if (far > limit)
				continue;
			for (; at && nearest[at - 1].far > far; at--)
				nearest[at] = nearest[at - 1];
			nearest[at].name = name;
			nearest[at].far = far;
			found = found < NEAREST_MAX ? found + 1 : NEAREST_MAX;
		}
	*list = 0;
	for (size_t i = 0; i < found && used < bytes; i++)
		used += (size_t)snprintf(list + used, bytes - used, "%s%.*s", i ? ", " : "", NEAREST_BYTES_MAX, nearest[i].name);
}

struct filter_file *filter_file_get(
	struct filter_file *const *files, size_t count, const char *path, const uint8_t *build_id, uint32_t build_id_bytes)
{
	for (size_t i = 0; i < count; i++)
		if (files[i]->build_id_bytes == build_id_bytes &&
			(build_id_bytes ? !memcmp(files[i]->build_id, build_id, build_id_bytes) : !strcmp(files[i]->path, path)))
			return files[i];
	return NULL;
}
