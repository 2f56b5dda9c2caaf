/* filter_check: what is said of patterns that mean nothing, or everything, or leave nothing. */
#include "record/stage/filter_inner.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "util/near.h"

#define NEAREST_BYTES 256u

/* Of all files with hooks. */
static uint64_t count_all(const struct filter *filter)
{
	uint64_t all = 0;

	for (size_t i = 0; i < filter->count; i++)
		all += filter->files[i]->is_hooked ? filter->files[i]->all : 0;
	return all;
}

static uint64_t count_meant(const struct filter *filter, uint32_t index)
{
	uint64_t meant = 0;

	for (size_t i = 0; i < filter->count; i++)
		meant += filter->files[i]->is_hooked ? filter->files[i]->meant[index] : 0;
	return meant;
}

/* " (near: is_prime)", what such a pattern needs, or nothing. */
static const char *write_nearest(const struct filter *filter, uint32_t index, char text[NEAREST_BYTES + 16])
{
	char nearest[NEAREST_BYTES];

	filter_file_nearest(filter->files, filter->count, filter->options->patterns[index].text, nearest, sizeof nearest);
	if (!strncmp(filter->options->patterns[index].text, "file:", 5))
		snprintf(text, NEAREST_BYTES + 16, " (which file a function begins in is known of what was compiled with -g; whole paths are meant, "
			"file:*/NAME)");
	else
		snprintf(text, NEAREST_BYTES + 16, *nearest ? " (near: %s)" : "%s", nearest);
	return text;
}

/* ---- before it runs ---- */

/* What one pattern means in all files together. */
static void check_pattern(const struct filter *filter, uint32_t index, const char *program, struct diag *diag)
{
	const struct filter_pattern *pattern = &filter->options->patterns[index];
	uint64_t all = count_all(filter), meant = count_meant(filter, index), kept = 0;
	char nearest[NEAREST_BYTES + 16];

	for (size_t i = 0; i < filter->count; i++)
		kept += filter->files[i]->kept_by[index];
	if (!meant && filter->more_may_come)
		diag_add(diag, DIAG_NOTE, program, DIAG_NO_OFFSET,
			"%s '%s' means none of the %" PRIu64 " functions of %s%s; %s is looked through then", pattern->option, pattern->text, all, filter->where,
			write_nearest(filter, index, nearest), filter->later);
	else if (!meant)
		diag_add(diag, DIAG_WARN, program, DIAG_NO_OFFSET, "%s '%s' means none of the %" PRIu64 " functions of %s%s", pattern->option,
			pattern->text, all, filter->where, write_nearest(filter, index, nearest));
	else if (meant == all && !pattern->drops && !filter->finds)
		diag_add(diag, DIAG_WARN, program, DIAG_NO_OFFSET, "%s '%s' means every function: nothing is left out by it", pattern->option,
			pattern->text);
	else if (!pattern->drops && !kept && !filter->finds)
		diag_add(diag, DIAG_WARN, program, DIAG_NO_OFFSET, "%s '%s': what it means (%" PRIu64
			" function%s) is left out by --not or --exclude", pattern->option, pattern->text, meant, meant == 1 ? "" : "s");
}

/* A list has many: what is not there is said once for all of them. */
static void check_list(const struct filter *filter, const char *where, const char *file, struct diag *diag)
{
	const struct filter_options *options = filter->options;
	const char *missing = NULL;
	uint32_t listed = 0, missed = 0;

	for (uint32_t p = 0; p < options->pattern_count; p++) {
		if (!options->patterns[p].is_listed)
			continue;
		listed++;
		if (count_meant(filter, p))
			continue;
		missed++;
		missing = missing ? missing : options->patterns[p].text;
	}
	if (missed == 1)
		diag_add(diag, DIAG_WARN, file, DIAG_NO_OFFSET, "'%s' of the list of --exclude is not among the functions of %s", missing, where);
	else if (missed)
		diag_add(diag, DIAG_WARN, file, DIAG_NO_OFFSET, "%s%" PRIu32 " functions of the list of --exclude are not among those of %s, such as '%s'%s",
			missed == listed ? "all " : "", missed, where, missing, missed == listed ? ": it was written for another program" : "");
}

static const char *kind_end(const char *pattern)
{
	const char *colon = strchr(pattern, ':');

	return colon && (!strncmp(pattern, "file:", 5) || !strncmp(pattern, "module:", 7)) ? colon + 1 : pattern;
}

/* Whether all that a pattern may ever mean is dropped by another one, as far as that can be told by their letters. */
static bool is_covered(const struct filter_options *options, const char *text)
{
	size_t kind = (size_t)(kind_end(text) - text);

	for (uint32_t p = 0; p < options->pattern_count; p++) {
		const char *drop = options->patterns[p].text;

		if (!options->patterns[p].drops)
			continue;
		if (!drop[strspn(drop, "*")])
			return true;
		if ((size_t)(kind_end(drop) - drop) == kind && !strncmp(drop, text, kind) && near_matches(drop + kind, text + kind))
			return true;
	}
	return false;
}

/* Whether nothing is left to record, whatever comes later. */
static bool is_hopeless(const struct filter *filter)
{
	const struct filter_options *options = filter->options;
	uint32_t keeping = 0;

	if (!filter->more_may_come)
		return true;
	for (uint32_t p = 0; p < options->pattern_count; p++) {
		if (options->patterns[p].drops)
			continue;
		keeping++;
		if (!is_covered(options, options->patterns[p].text))
			return false;
	}
	return keeping || is_covered(options, "*");
}

bool filter_check(const struct filter *filter, const char *program, struct diag *diag)
{
	const struct filter_options *options = filter->options;
	bool keeps = false, drops = false;
	uint64_t kept = 0;
	const char *who;

	/* One without hooks is there to run others: what they have, nobody knows yet. */
	for (uint32_t p = 0; filter->is_hooked && p < options->pattern_count; p++)
		if (!options->patterns[p].is_listed)
			check_pattern(filter, p, program, diag);
	if (!filter->more_may_come)
		check_list(filter, filter->where, program, diag);
	for (size_t i = 0; i < filter->count; i++)
		kept += filter->files[i]->is_hooked ? filter->files[i]->kept : 0;
	if (kept || filter->finds || (!filter->is_hooked && !is_hopeless(filter)))
		return true;
	for (uint32_t p = 0; p < options->pattern_count; p++) {
		keeps |= !options->patterns[p].drops;
		drops |= options->patterns[p].drops;
	}
	who = keeps && drops ? "what --only and --not say together" : keeps ? "--only" : "--not";
	if (!is_hopeless(filter)) {
		diag_add(diag, DIAG_NOTE, program, DIAG_NO_OFFSET, "%s: no function of %s is left to record; %s is looked through then", who, filter->where,
			filter->later);
		return true;
	}
	diag_add(diag, DIAG_ERROR, program, DIAG_NO_OFFSET,
		count_all(filter) || !filter->is_hooked ? "%s: no function is left to record" : "%s: it has no symbols to choose by", who);
	return false;
}

/* ---- when it is over ---- */

static void describe_none(const struct filter *filter, uint32_t pattern, char text[FILTER_NONE_BYTES])
{
	char nearest[NEAREST_BYTES + 16];

	snprintf(text, FILTER_NONE_BYTES, "it means none of the %" PRIu64 " functions of what was mapped%s", count_all(filter),
		write_nearest(filter, pattern, nearest));
}

void filter_tell_end(const struct filter *filter, const char *output, struct diag *diag)
{
	const struct filter_options *options = filter->options;
	char none[FILTER_NONE_BYTES];

	if (!filter->more_may_come)
		return;
	for (uint32_t p = 0; p < options->pattern_count; p++) {
		if (options->patterns[p].is_listed || count_meant(filter, p))
			continue;
		describe_none(filter, p, none);
		diag_add(diag, DIAG_WARN, output, DIAG_NO_OFFSET, "%s '%s': %s", options->patterns[p].option, options->patterns[p].text, none);
	}
	check_list(filter, "what was mapped", output, diag);
}

static bool is_chosen_by(const struct filter_file *file, size_t function, uint32_t pattern)
{
	return file->is_hooked && file->chosen[function].pattern == pattern;
}

static bool has_own(const struct filter *finder, uint32_t pattern)
{
	for (size_t i = 0; i < finder->count; i++)
		for (size_t f = 0; f < finder->files[i]->count; f++)
			if (is_chosen_by(finder->files[i], f, pattern))
				return true;
	return false;
}

/* Both look at the same files; what came later is not dropped as far as anybody knows. */
bool filter_drops_all_of(const struct filter *filter, const struct filter *finder, uint32_t pattern)
{
	for (size_t i = 0; i < finder->count; i++)
		for (size_t f = 0; f < finder->files[i]->count; f++)
			if (is_chosen_by(finder->files[i], f, pattern) &&
				(i >= filter->count || !filter_file_drops(filter->files[i], finder->files[i]->functions[f])))
				return false;
	return has_own(finder, pattern);
}

const char *filter_describe_uncalled(
	const struct filter *finder, uint32_t pattern, const char *uncalled, char text[FILTER_NONE_BYTES])
{
	if (has_own(finder, pattern))
		return uncalled;
	if (count_meant(finder, pattern))
		return "what it means, an earlier one means, too, and that one counts";
	describe_none(finder, pattern, text);
	return text;
}
