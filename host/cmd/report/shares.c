/* shares: see shares.h. */
#include "cmd/report/shares.h"

#include <stdio.h>
#include <string.h>

#include "analysis/shares.h"
#include "cli/output.h"
#include "cli/summary.h"

bool shares_write(const struct trace *trace, const struct shares_options *options)
{
	const struct analysis_shares shares = {.profile = model_get_profile(trace->model),
		.functions = model_get_functions(trace->model),
		.sort = options->sort,
		.limit = options->limit};
	struct output_table out;
	bool good;

	if (options->sort && (!analysis_shares_can_sort(options->sort) ||
				     (!strcmp(options->sort, "calls") && !shares.profile->counts_calls))) {
		diag_add(trace->diag, DIAG_ERROR, trace->path, DIAG_NO_OFFSET, "--sort '%s': of samples, expected one of %s", options->sort,
			analysis_shares_sort_keys());
		return true;
	}
	if (options->form == WRITER_TEXT)
		summary_print(trace, stdout);
	out = output_begin_table(options->form, model_get_clock(trace->model),
		options->lines ? model_get_functions(trace->model) : NULL, options->full_names, trace->diag);
	good = analysis_shares(&shares, &out.sink);
	output_end_table(&out);
	if (options->form == WRITER_TEXT && shares.profile->function_count && !diag_has_error(trace->diag))
		fputs("\nIn 95 of 100 runs the true share is between from and to. = cannot be told from the row above.\n", stdout);
	return good;
}
