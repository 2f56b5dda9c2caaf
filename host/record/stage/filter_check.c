/* filter_check: reports patterns that match nothing, or everything, or leave no function to record. Before the program runs, the
 * checks cover only the files found so far. */
#include "record/stage/filter_inner.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "util/inlined.h"
#include "util/name_match.h"

#define NEAREST_BYTES 256u
#define LATER "dwell looks at what it loads or runs later"

/* Counts the functions of all files with hooks. */
static uint64_t count_all(const struct filter *filter)
{
	uint64_t all = 0;

	for (size_t i = 0; i < filter->count; i++)
		all += filter->files[i]->is_hooked ? filter->files[i]->all : 0;
	return all;
}

/* Counts the functions that a pattern matches, in all files with hooks. */
static uint64_t count_matches(const struct filter *filter, uint32_t index)
{
	uint64_t match_count = 0;

	for (size_t i = 0; i < filter->count; i++)
		match_count += filter->files[i]->is_hooked ? filter->files[i]->match_count[index] : 0;
	return match_count;
}

/* Writes a hint: " (did you mean is_prime?)", how to write a file: pattern, or nothing. */
static const char *write_nearest(const struct filter *filter, uint32_t index, char text[NEAREST_BYTES + 20])
{
	char nearest[NEAREST_BYTES];

	filter_file_nearest(filter->files, filter->count, filter->options->patterns[index].text, nearest, sizeof nearest);
	if (!strncmp(filter->options->patterns[index].text, "file:", 5))
		snprintf(text, NEAREST_BYTES + 20, " (files are known of code that was compiled with -g; a pattern must match the whole path: "
			"file:*/NAME)");
	else
		snprintf(text, NEAREST_BYTES + 20, *nearest ? " (did you mean %s?)" : "%s", nearest);
	return text;
}

/* ---- before it runs ---- */

/* Whether another pattern keeps the functions of a library. Then a pattern that matches the whole program makes sense, too. */
static bool is_beside_libraries(const struct filter *filter, uint32_t index)
{
	for (uint32_t p = 0; p < filter->options->pattern_count; p++)
		if (p != index && !filter->options->patterns[p].drops && !strncmp(filter->options->patterns[p].text, "module:", 7))
			return true;
	return false;
}

/* Checks one pattern against all files together. */
static void check_pattern(const struct filter *filter, uint32_t index, const char *program, struct diag *diag)
{
	const struct filter_pattern *pattern = &filter->options->patterns[index];
	uint64_t all = count_all(filter), match_count = count_matches(filter, index), kept = 0;
	char nearest[NEAREST_BYTES + 20];

	for (size_t i = 0; i < filter->count; i++)
		kept += filter->files[i]->kept_by[index];
	if (!match_count)
		diag_add(diag, DIAG_NOTE, program, DIAG_NO_OFFSET, "%s '%s' matches none of the %" PRIu64 " functions of %s%s; " LATER,
			pattern->option, pattern->text, all, filter->known_files, write_nearest(filter, index, nearest));
	else if (match_count == all && !pattern->drops && !filter->is_finder && !is_beside_libraries(filter, index))
		diag_add(diag, DIAG_WARN, program, DIAG_NO_OFFSET, "%s '%s' matches every function, so it leaves nothing out", pattern->option,
			pattern->text);
	else if (!pattern->drops && !kept && !filter->is_finder)
		diag_add(diag, DIAG_WARN, program, DIAG_NO_OFFSET, "%s '%s': all that it matches (%" PRIu64
			" function%s) is left out by --not or --exclude", pattern->option, pattern->text, match_count, match_count == 1 ? "" : "s");
}

/* Reports the missing functions of an --exclude list in one message, since a list has many patterns. */
static void check_list(const struct filter *filter, const char *file, struct diag *diag)
{
	const struct filter_options *options = filter->options;
	const char *missing = NULL;
	uint32_t listed = 0, missed = 0;

	for (uint32_t p = 0; p < options->pattern_count; p++) {
		if (!options->patterns[p].is_listed)
			continue;
		listed++;
		if (count_matches(filter, p))
			continue;
		missed++;
		missing = missing ? missing : options->patterns[p].text;
	}
	if (missed == 1)
		diag_add(diag, DIAG_WARN, file, DIAG_NO_OFFSET, "'%s' of the list of --exclude is no function of the loaded files", missing);
	else if (missed)
		diag_add(diag, DIAG_WARN, file, DIAG_NO_OFFSET,
			"%s%" PRIu32 " functions of the list of --exclude are not in the loaded files, such as '%s'%s", missed == listed ? "all " : "",
			missed, missing, missed == listed ? ": the list is for another program" : "");
}

void filter_check(const struct filter *filter, const char *program, struct diag *diag)
{
	const struct filter_options *options = filter->options;
	bool keeps = false, drops = false;
	uint64_t kept = 0;
	const char *who;

	/* A program without hooks exists to run other programs, whose functions are not known yet. */
	for (uint32_t p = 0; filter->is_hooked && p < options->pattern_count; p++)
		if (!options->patterns[p].is_listed)
			check_pattern(filter, p, program, diag);
	for (size_t i = 0; i < filter->count; i++)
		kept += filter->files[i]->is_hooked ? filter->files[i]->kept : 0;
	if (kept || filter->is_finder || !filter->is_hooked)
		return;
	for (uint32_t p = 0; p < options->pattern_count; p++) {
		keeps |= !options->patterns[p].drops;
		drops |= options->patterns[p].drops;
	}
	who = keeps && drops ? "--only and --not together" : keeps ? "--only" : "--not";
	diag_add(diag, DIAG_NOTE, program, DIAG_NO_OFFSET,
		count_all(filter) ? "%s: no function of %s is left to record; " LATER : "%s: %s: no symbols to match patterns with; " LATER, who, filter->known_files);
}

/* ---- at the end ---- */

static void describe_none(const struct filter *filter, uint32_t pattern, char text[FILTER_UNCALLED_BYTES])
{
	const char *wanted = filter->options->patterns[pattern].text;
	char nearest[NEAREST_BYTES + 20];

	if (!count_all(filter)) {
		snprintf(text, FILTER_UNCALLED_BYTES, "no loaded file has a function to match: these have hooks and a symbol");
		return;
	}
	write_nearest(filter, pattern, nearest);
	snprintf(text, FILTER_UNCALLED_BYTES, "it matches none of the %" PRIu64 " functions of the loaded files%s%s", count_all(filter), nearest,
		*nearest || !strncmp(wanted, "module:", 7) ? "" : ". If the compiler inlined it: " INLINED_HINT);
}

void filter_warn_unmatched(const struct filter *filter, const char *output, struct diag *diag)
{
	const struct filter_options *options = filter->options;
	char none[FILTER_UNCALLED_BYTES];

	for (uint32_t p = 0; p < options->pattern_count; p++) {
		if (options->patterns[p].is_listed || count_matches(filter, p))
			continue;
		describe_none(filter, p, none);
		diag_add(diag, DIAG_WARN, output, DIAG_NO_OFFSET, "%s '%s': %s", options->patterns[p].option, options->patterns[p].text, none);
	}
	check_list(filter, output, diag);
}

/* Whether the pattern is the first to match a function of a file with hooks. function: its index in file->chosen. */
static bool is_chosen_by(const struct filter_file *file, size_t function, uint32_t pattern)
{
	return file->is_hooked && file->chosen[function].pattern == pattern;
}

/* Whether the pattern is the first to match any function. */
static bool has_functions(const struct filter *finder, uint32_t pattern)
{
	for (size_t i = 0; i < finder->count; i++)
		for (size_t f = 0; f < finder->files[i]->count; f++)
			if (is_chosen_by(finder->files[i], f, pattern))
				return true;
	return false;
}

/* Whether the filter drops a function of the finder's file. Functions of files that the filter does not have yet count as kept. */
static bool drops(const struct filter *filter, const struct filter_file *file, size_t function)
{
	const struct filter_file *own = filter_file_get(
		filter->files, filter->count, file->path, file->build_id, file->build_id_bytes);

	return own && filter_file_drops(own, file->functions[function]);
}

bool filter_drops_all_of(const struct filter *filter, const struct filter *finder, uint32_t pattern)
{
	for (size_t i = 0; i < finder->count; i++)
		for (size_t f = 0; f < finder->files[i]->count; f++)
			if (is_chosen_by(finder->files[i], f, pattern) && !drops(filter, finder->files[i], f))
				return false;
	return has_functions(finder, pattern);
}

const char *filter_describe_uncalled(
	const struct filter *finder, uint32_t pattern, const char *uncalled, char text[FILTER_UNCALLED_BYTES])
{
	if (has_functions(finder, pattern))
		return uncalled;
	if (count_matches(finder, pattern))
		return "an earlier one matches all of its functions, and that one counts";
	describe_none(finder, pattern, text);
	return text;
}
