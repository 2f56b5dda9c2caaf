/* Any bytes as a list of functions to leave out: what is taken of it are lines of it, and they can be asked what they mean. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cli/exclude.h"
#include "util/name_match.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define PATH "a list" /* for messages */

static void must(int good)
{
	if (!good)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct filter_options options;
	struct diag *diag = make_diag();
	char *text = malloc(size + 1);
	bool good;

	must(text && diag);
	memcpy(text, data, size);
	text[size] = 0;
	options.pattern_count = 0;
	good = exclude_parse("record", PATH, text, &options, diag);
	must(good == !diag_has_error(diag));
	must(good || options.pattern_count == FILTER_PATTERNS_MAX);
	for (uint32_t i = 0; i < options.pattern_count; i++) {
		const struct filter_pattern *pattern = &options.patterns[i];

		must(pattern->drops && pattern->text > text && pattern->text + strlen(pattern->text) <= text + size);
		must(*pattern->text && !strchr(pattern->text, '\n'));
		if (strlen(pattern->text) < 64)
			name_match_pattern(pattern->text, "space::box<int>::get(unsigned long) const");
	}
	free(text);
	free_diag(diag);
	return 0;
}
