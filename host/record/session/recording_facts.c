/* recording_facts: the facts that a recording's file contains about the recording. */
#include "record/session/recording_inner.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>

#include "util/hash.h"

#define HASH_BYTES 20 /* ", more (89abcdef)" */

static uint32_t hash_filter(const struct filter_options *filter)
{
	uint64_t hash = HASH_BEGIN;

	for (uint32_t i = 0; i < filter->pattern_count; i++) {
		hash = hash_bytes(hash, filter->patterns[i].option, strlen(filter->patterns[i].option) + 1);
		hash = hash_bytes(hash, filter->patterns[i].text, strlen(filter->patterns[i].text) + 1);
	}
	return (uint32_t)(hash ^ hash >> 32);
}

/* Writes the options that leave calls out (--depth and the filter's), since comparisons of recordings compare
 * this text. If the text has no room for all options, a hash of all patterns stands for the rest. */
static void tell_left_out(char *text, size_t bytes, const struct recording_options *options)
{
	size_t at = 0;

	if (options->depth_limit)
		at = (size_t)snprintf(text, bytes, "--depth %" PRIu32, options->depth_limit);
	for (uint32_t i = 0; i < options->filter.pattern_count; i++) {
		const struct filter_pattern *pattern = &options->filter.patterns[i];
		const char *between = at ? ", " : "";
		int added = snprintf(text + at, bytes - at, "%s%s %s", between, pattern->option, pattern->text);

		if (added < 0 || at + (size_t)added + HASH_BYTES >= bytes) {
			snprintf(text + at, bytes - at, "%smore (%08" PRIx32 ")", between, hash_filter(&options->filter));
			return;
		}
		at += (size_t)added;
	}
}

void facts_make(struct facts *facts, const struct recording_options *options)
{
	static const char *const modes[] = {[DWELL_MODE_STREAM] = "stream", [DWELL_MODE_RING] = "ring", [DWELL_MODE_LINEAR] = "linear"};
	struct utsname system;

	*facts = (struct facts){.count = 4};
	if (uname(&system) == 0)
		snprintf(facts->kernel, sizeof facts->kernel, "%s %s %s", system.sysname, system.release, system.machine);
	facts->list[0] = (struct message_info){"recorded-by", "dwell " DWELL_VERSION};
	facts->list[1] = (struct message_info){"command", options->command_line};
	facts->list[2] = (struct message_info){"system", facts->kernel};
	facts->list[3] = (struct message_info){"mode", modes[options->mode]};
	tell_left_out(facts->left_out, sizeof facts->left_out, options);
	if (*facts->left_out)
		facts->list[facts->count++] = (struct message_info){"left-out", facts->left_out};
	if (options->mode == DWELL_MODE_STREAM)
		return;
	snprintf(facts->ring, sizeof facts->ring, "%" PRIu64, options->ring_bytes);
	facts->list[facts->count++] = (struct message_info){"bytes-of-each-thread", facts->ring};
}
