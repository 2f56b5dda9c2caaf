/* filter_options: patterns for functions, from record's options; filter.h explains the patterns. */
#ifndef DWELL_HOST_RECORD_STAGE_FILTER_OPTIONS_H
#define DWELL_HOST_RECORD_STAGE_FILTER_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#define FILTER_PATTERNS_MAX 512u

struct filter_options {
	struct filter_pattern {
		const char *text; /* borrowed */
		const char *option; /* name of the option with the pattern, for messages */
		bool drops;
		bool is_listed; /* from a file with a list of patterns */
	} patterns[FILTER_PATTERNS_MAX];
	uint32_t pattern_count;
};

static inline bool filter_has_patterns(const struct filter_options *options)
{
	return options->pattern_count > 0;
}

#endif
