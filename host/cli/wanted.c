#include "cli/wanted.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/exclude/exclude.h"
#include "util/units.h"

#define DEPTH_MAX 1000000

static bool read_depth(const struct command *command, const char *text, struct recording_options *options, struct diag *diag)
{
	char *end;
	unsigned long number = strtoul(text, &end, 10);
	bool good = *text >= '0' && *text <= '9' && !*end && number >= 1 && number <= DEPTH_MAX;

	options->depth_limit = good ? (uint32_t)number : 0;
	if (!good)
		diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "%s: --depth '%s': expected a number from 1 to %u", command->name, text, DEPTH_MAX);
	return good;
}

static bool read_pattern(const struct command *command, const char *text, bool drops, struct recording_options *options, struct diag *diag)
{
	struct filter_options *filter = &options->filter;
	const char *option = drops ? "--not" : "--only";

	if (!*text || text[strlen(text) - 1] == ':')
		diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "%s: %s '%s': expected a pattern, such as 'json_*' or module:libz.so*",
			command->name, option, text);
	else if (filter->pattern_count == FILTER_PATTERNS_MAX)
		diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "%s: --only and --not: more than %u of them", command->name, FILTER_PATTERNS_MAX);
	else
		filter->patterns[filter->pattern_count++] = (struct filter_pattern){text, option, drops, false};
	return !diag_has_error(diag);
}

static bool read_list(
	const struct command *command, const char *path, struct recording_options *options, char **excluded, struct diag *diag)
{
	if (!*excluded)
		return exclude_read(command->name, path, &options->filter, excluded, diag);
	diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "%s: --exclude: one list, please", command->name);
	return false;
}

static bool read_longer(const struct command *command, const char *text, struct recording_options *options, struct diag *diag)
{
	int64_t ns;

	if (units_read_ns(text, &ns) && ns > 0) {
		options->longer_ns = (uint64_t)ns;
		return true;
	}
	diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "%s: --longer '%s': expected a time of more than 0, with its unit: 10us, 1.5ms",
		command->name, text);
	return false;
}

static bool read_slowest(const struct command *command, const char *text, struct recording_options *options, struct diag *diag)
{
	const char *wrong;

	if (slow_read(&options->slow, text, &wrong))
		return true;
	diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "%s: --keep-slowest '%s': expected %s", command->name, text, wrong);
	return false;
}

static bool read_trigger(const struct command *command, const char *text, struct recording_options *options, struct diag *diag)
{
	const char *wrong;

	if (trigger_read(&options->trigger, text, &wrong))
		return true;
	diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "%s: --snapshot-when '%s': expected %s", command->name, text, wrong);
	return false;
}

#define SNAPSHOTS_MAX 10000

static bool read_snapshots(const struct command *command, const char *text, struct recording_options *options, struct diag *diag)
{
	char *end;
	unsigned long number = strtoul(text, &end, 10);
	bool good = *text >= '0' && *text <= '9' && !*end && number >= 1 && number <= SNAPSHOTS_MAX;

	options->trigger.snapshots_max = good ? (uint32_t)number : 0;
	if (!good)
		diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "%s: --snapshots '%s': expected a number from 1 to %u", command->name, text,
			SNAPSHOTS_MAX);
	return good;
}

bool wanted_take(const struct command *command, int option, const char *value, struct recording_options *options, char **excluded,
	const char **said, struct diag *diag)
{
	switch (option) {
	case WANTED_ONLY:
	case WANTED_NOT:
		if (option == WANTED_NOT && *value == '@')
			return wanted_take(command, WANTED_EXCLUDE, value + 1, options, excluded, said, diag);
		*said = option == WANTED_ONLY ? "--only" : "--not";
		return read_pattern(command, value, option == WANTED_NOT, options, diag);
	case WANTED_EXCLUDE:
		*said = "--exclude";
		return read_list(command, value, options, excluded, diag);
	case WANTED_LONGER:
		*said = "--longer";
		return read_longer(command, value, options, diag);
	case WANTED_SLOWEST:
		*said = "--keep-slowest";
		return read_slowest(command, value, options, diag);
	case WANTED_COUNT:
		*said = "--count";
		options->counts = true;
		return true;
	case WANTED_WHEN:
		*said = "--snapshot-when";
		return read_trigger(command, value, options, diag);
	case WANTED_SNAPSHOTS:
		*said = "--snapshots";
		return read_snapshots(command, value, options, diag);
	default:
		*said = "--depth";
		return read_depth(command, value, options, diag);
	}
}

bool wanted_check(const struct command *command, struct recording_options *options, bool stream, struct diag *diag)
{
	const char *wrong = NULL;

	if (trigger_is_wanted(&options->trigger) && (stream || options->mode == DWELL_MODE_LINEAR)) {
		wrong = stream ? "--snapshot-when is of rings: --stream writes all of it to the file"
			       : "--snapshot-when is of rings: --linear keeps what came first";
	} else if (trigger_is_wanted(&options->trigger) && options->mode == DWELL_MODE_STREAM) {
		options->mode = DWELL_MODE_RING;
		options->ring_bytes = TRIGGER_RING_BYTES;
	} else if (options->trigger.snapshots_max && !trigger_is_wanted(&options->trigger)) {
		wrong = "--snapshots goes with --snapshot-when";
	} else if (options->counts && slow_is_wanted(&options->slow)) {
		wrong = "--count and --keep-slowest: one or the other; slow calls are listed, and --count lists none";
	} else if (options->counts && (options->longer_ns || options->args)) {
		wrong = options->args ? "--count and --args: one or the other; arguments are of single calls, and --count keeps none"
				      : "--count and --longer: one or the other; long calls are listed, and --count lists none";
	} else if (options->args && options->throttle > 0) {
		wrong = "--args and --throttle: one or the other; what a call costs is not measured where its values are recorded";
	}
	if (!wrong && slow_is_wanted(&options->slow))
		wrong = trigger_is_wanted(&options->trigger)        ? "--keep-slowest and --snapshot-when: one or the other"
			: options->mode != DWELL_MODE_STREAM ? "--keep-slowest is for --stream: into rings the program itself writes all of its calls"
			: options->longer_ns                 ? "--keep-slowest and --longer: one or the other, by calls of some functions or of all"
							     : NULL;
	if (!wrong && options->counts && options->mode != DWELL_MODE_STREAM)
		wrong = trigger_is_wanted(&options->trigger)
				? "--count and --snapshot-when: one or the other; a snapshot lists calls, and --count keeps none"
				: "--count is for --stream: --ring and --linear list calls, and --count keeps none";
	if (!wrong && options->longer_ns && options->mode != DWELL_MODE_STREAM)
		wrong = options->mode == DWELL_MODE_RING ? "--longer is for --stream: into a ring the program itself writes all of its calls"
							 : "--longer is for --stream: into its file the program itself writes all of its calls";
	/* A linear recording has the beginning of each thread. */
	if (!wrong && options->depth_limit && options->mode == DWELL_MODE_RING)
		wrong = "--depth and --ring: how deep a thread is where its ring begins, nobody knows";
	if (wrong)
		diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "%s: %s", command->name, wrong);
	return !wrong;
}

void wanted_clear(struct recording_options *options)
{
	trigger_options_clear(&options->trigger);
}

void wanted_refuse_throttle(const struct command *command, struct diag *diag)
{
	diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET,
		"%s: --throttle has to be known when a program starts: hooks that are there already were made without a look at what is to be counted "
		"only; for a process that runs, --exclude leaves out what report --write-exclude found in a first recording", command->name);
}

void wanted_tell_now(struct diag *diag)
{
	diag_print(diag, stderr);
}
