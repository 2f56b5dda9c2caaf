/* split: see split.h. */
#include "cmd/report/split.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/split.h"
#include "cli/output.h"
#include "cli/summary.h"
#include "model/profile/split.h"
#include "query/ask.h"

/* Which of several is meant, the user has to say. */
static void refuse_several(const struct trace *trace, const struct split *split, const char *function)
{
	char list[1024];
	size_t used = 0;

	for (size_t i = 0; i < split->count && used < sizeof list - 1; i++) {
		char *name = make_functions_name_and_place(split->functions, split->symbols[i].function);

		used += (size_t)snprintf(list + used, sizeof list - used, "%s'%s'", i ? ", " : "", name ? name : "?");
		free(name);
	}
	diag_add(trace->diag, DIAG_ERROR, trace->path, DIAG_NO_OFFSET, "--split '%s': %zu functions that were sampled are meant, say which one: %s%s",
		function, split->count, list, used < sizeof list ? "" : "...");
}

static const struct split_symbol *find(const struct trace *trace, const struct split *split, const char *function)
{
	const struct profile *profile = model_get_profile(trace->model);
	uint64_t sampled = 0, nameless = 0;

	if (!profile->has_samples) {
		diag_add(trace->diag, DIAG_ERROR, trace->path, DIAG_NO_OFFSET, "--split '%s': %s", function,
			model_is_sampled(trace->model) ? "the recording has no sample at all"
						       : "has no samples, only calls; record with --sample");
		return NULL;
	}
	if (split->count > 1) {
		refuse_several(trace, split, function);
		return NULL;
	}
	if (split->count)
		return split->symbols;
	for (uint32_t id = 0; id < profile->function_count; id++)
		if (pattern_matches(split->pattern, id)) {
			sampled += id < profile->estimates.count ? profile->estimates.functions[id].samples : 0;
			nameless++;
		}
	if (!nameless)
		ask_refuse(trace, function, split->pattern);
	else
		diag_add(trace->diag, DIAG_ERROR, trace->path, DIAG_NO_OFFSET, "--split '%s': %s", function,
			sampled ? "no symbol says where its code begins and ends" : "no sample is in it, only in what it calls");
	return NULL;
}

static void print_head(const struct trace *trace, const struct split *split, const struct split_symbol *symbol)
{
	const struct profile *profile = model_get_profile(trace->model);
	struct function_place place = {.path = ""};
	struct estimate_share share = estimates_get_share(
		&profile->estimates, symbol->function, (double)profile->functions[symbol->function].self);

	functions_get_place(split->functions, symbol->function, &place);
	printf("%s, in %s: %" PRIu64 " bytes in %" PRIu32 " interval%s, %" PRIu64 " sample%s; %.1f %% of all (%.1f to %.1f)\n",
		functions_get_name(split->functions, symbol->function), place.path, symbol->bytes, symbol->interval_count,
		symbol->interval_count == 1 ? "" : "s", symbol->estimates.samples, symbol->estimates.samples == 1 ? "" : "s", 100 * share.share, 100 * share.low, 100 * share.high);
	if (symbol->elsewhere)
		printf("and %" PRIu64 " sample%s in parts that the compiler put elsewhere (.cold)\n", symbol->elsewhere, symbol->elsewhere == 1 ? "" : "s");
	putchar('\n');
}

void split_report(const struct trace *trace, const struct split_options *options)
{
	const struct split *split = model_get_split(trace->model);
	const struct split_symbol *symbol = find(trace, split, options->function);
	struct output_table out;

	if (!symbol)
		return;
	if (options->form == WRITER_TEXT) {
		summary_print(trace, stdout);
		print_head(trace, split, symbol);
	}
	out = output_begin_table(options->form, NULL, NULL, true, trace->diag);
	analysis_split(symbol, &out.sink);
	output_end_table(&out);
	if (options->form == WRITER_TEXT && !diag_has_error(trace->diag))
		fputs("\n% is of the samples in the function. In 95 of 100 runs the true share is between from and to.\n", stdout);
}
